"""Luck and choosers for the oracle of Kraskar: random legal play, and a plain player good for real games.

The choosers see the board as the active seat does, so that a game and its mirror image are played alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.oracle.kraskar import PASS, Choose, Oracle
from tests.oracle.kraskar_table import Luck, Outcome, Unit, deck_of

Action = tuple[Any, ...]


def random_luck(rng: random.Random, rules: Mapping[str, Any]) -> Luck:
    """The luck of one game, as far as the rules leave it open: first mover (K5), start columns (K3)."""
    first = rng.randrange(2) if rules["first_player"] == "random" else rules["first_player"] - 1
    decks = [deck_of(rules, seat) for seat in (0, 1)]
    if rules["start_columns"] == "deck":
        return Luck(first, [[column - 1 for column in deck["columns"]] for deck in decks])
    return Luck(first, [[rng.randrange(rules["columns"]) for _ in deck["units"]] for deck in decks])


def random_choice(rng: random.Random) -> Choose:
    """Uniform legal play."""
    return lambda kind, seat, legal, oracle: rng.choice(legal)


def eager_choice(rng: random.Random) -> Choose:
    """Random play that seldom passes, likes to fight and tends forward: it reaches every corner."""

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "deploy" or rng.random() < 0.05:
            return rng.choice(legal)
        blows = [a for a in legal if a[0] not in ("move", "pass")]
        if blows and rng.random() < 0.6:
            return rng.choice(blows)
        forward = [a for a in legal if a[0] == "move" and a[2] == "forward"]
        if forward and rng.random() < 0.6:
            return rng.choice(forward)
        return rng.choice([a for a in legal if a != PASS])

    return choose


def balanced_choice(rng: random.Random, noise: float = 0.1) -> Choose:
    """Kill what can be killed, hurt what can be hurt, siege at the gate, spend chips, and walk forward."""

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "deploy":
            return rng.choice(legal)
        scores = [_worth(action, oracle) + noise * rng.random() for action in legal]
        return legal[scores.index(max(scores))]

    return choose


def _worth(action: Action, oracle: Oracle) -> float:
    if action == PASS:
        return 0.0
    unit = oracle.units[oracle.seat][action[1]]
    return _WORTH[action[0]](unit, action[2], oracle)


def _blow(unit: Unit, enemy: Unit, oracle: Oracle, factor: int = 1) -> float:
    """The share of its hit points an attack takes from an enemy, and 1 more if it retreats."""
    share = oracle.loss(factor * unit.force, enemy.force) / enemy.hit_points
    return 1 + min(1.0, share) + (share >= 1)


def _walk(unit: Unit, to: str, oracle: Oracle) -> float:
    assert unit.square is not None
    square = oracle.step(unit.seat, unit.square, to)
    assert square is not None
    if to == "forward":
        siege = square[0] == oracle.siege_row(unit.seat)
        return (3.0 if square[1] == oracle.gate else 2.5) if siege else 0.6
    nearer = abs(square[1] - oracle.gate) < abs(unit.square[1] - oracle.gate)
    return 0.3 if nearer and to != "back" else -1.0


def _melee(unit: Unit, to: str, oracle: Oracle) -> float:
    assert unit.square is not None
    enemies = oracle.enemies_at(unit.seat, oracle.step(unit.seat, unit.square, to))
    return sum(_blow(unit, enemy, oracle) for enemy in enemies)


def _charge(unit: Unit, to: str, oracle: Oracle) -> float:
    square = unit.square
    for _ in range(oracle.rules["charge_squares"]):
        square = None if square is None else oracle.step(unit.seat, square, to)
        enemies = oracle.enemies_at(unit.seat, square)
        if any(enemy.troop == "spearman" and not enemy.exhausted for enemy in enemies):
            return -1.0
        if enemies:
            return sum(_blow(unit, enemy, oracle) for enemy in enemies)
        if square is not None and square[0] == oracle.siege_row(unit.seat):
            return 3.0
    return 0.2 if to == "forward" else -1.0


def _shoot(unit: Unit, enemy: int, oracle: Oracle) -> float:
    factor = 1 if unit.moved else oracle.rules["snipe_factor"]
    return _blow(unit, oracle.units[1 - unit.seat][enemy], oracle, factor)


def _thrust(unit: Unit, enemy: int, oracle: Oracle) -> float:
    return _blow(unit, oracle.units[1 - unit.seat][enemy], oracle)


def _stratagem(unit: Unit, target: Any, oracle: Oracle) -> float:
    return 1.5


_WORTH: Mapping[str, Callable[[Unit, Any, Oracle], float]] = {
    "move": _walk,
    "melee": _melee,
    "charge": _charge,
    "shoot": _shoot,
    "thrust": _thrust,
    "stratagem": _stratagem,
}


def play_random(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game of random legal play: the plain entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), random_choice(rng), checked).play()


def play_balanced(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game with a sensible player in both seats: the other entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), balanced_choice(rng), checked).play()
