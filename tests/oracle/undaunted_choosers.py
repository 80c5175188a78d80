"""Luck and choosers for the oracle of Undaunted: random legal play, and a plain player good for real games.

The plain player looks at its own cards and at the board only, as a player at the table would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.oracle.undaunted import PASS, Choose, Oracle
from tests.oracle.undaunted_actions import Play
from tests.oracle.undaunted_table import BITS, CONTROLLED, FOG, RIFLEMEN, UNITS, Luck, Outcome


def random_luck(rng: random.Random, rules: Mapping[str, Any]) -> Luck:
    """The luck of one game, without end."""

    def bits() -> Iterator[int]:
        while True:
            yield rng.getrandbits(BITS)

    def dice() -> Iterator[int]:
        while True:
            yield rng.randrange(rules["die_faces"])

    return Luck(rng.randrange(2), [bits(), bits()], dice())


def random_choice(rng: random.Random) -> Choose:
    """Uniform over all legal answers, stopping and Hunker Down too."""
    return lambda kind, seat, legal, oracle: rng.choice(legal)


def random_action(rng: random.Random) -> Choose:
    """Ruling 12: over (card, action) without stopping and Hunker Down unless forced, then over targets."""

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "play":
            acting = [play for play in legal if play != PASS and play[1] != "hunker"]
            legal = acting or [play for play in legal if play != PASS]
        return rng.choice(legal)

    return choose


# --- the plain player ----------------------------------------------------------------------------------


def plain_choice(rng: random.Random, noise: float = 0.1) -> Choose:
    """Control what is worth points, walk the Riflemen there, open paths, shoot what is easy."""

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        scores = [_WORTH[kind](answer, seat, oracle) + noise * rng.random() for answer in legal]
        return legal[scores.index(max(scores))]

    return choose


def _bid(card: str, seat: int, oracle: Oracle) -> float:
    """High with a Rifleman in hand that can take a tile, else the least useful card."""
    hand = oracle.sides[seat].hand
    ready = [code for code in hand if code in RIFLEMEN and _prize(code, seat, oracle) > 0]
    return oracle.cards[card].initiative * (1.0 if ready and card not in ready else -1.0)


def _prize(rifleman: str, seat: int, oracle: Oracle) -> float:
    """The points a Rifleman can take where it stands."""
    side = oracle.sides[seat]
    tile = side.counters[rifleman]
    if tile is None or rifleman in side.suppressed or side.markers[tile] is None:
        return 0
    if oracle.counters_on(1 - seat, tile):
        return 0
    radio = oracle.tiles[tile].radio and seat == 0
    if side.markers[tile] == CONTROLLED:
        return int(radio)
    return oracle.points[tile] + (oracle.sides[1 - seat].markers[tile] == CONTROLLED) * 0.5


def _pull(tile: int, seat: int, oracle: Oracle) -> float:
    """How good a tile is for a Rifleman: the best objective's points less the way to it."""
    own, enemy = oracle.sides[seat], oracle.sides[1 - seat]
    best = -9.0
    for k, points in enumerate(oracle.points):
        if points and own.markers[k] != CONTROLLED:
            held = bool(oracle.counters_on(1 - seat, k))
            best = max(best, points - oracle.distances[tile][k] - held - (enemy.markers[k] == CONTROLLED) / 2)
    return best


def _openness(tile: int, seat: int, oracle: Oracle) -> float:
    """How good a tile is for a Scout: unmarked, near objectives."""
    new = oracle.sides[seat].markers[tile] is None
    return 2.0 * new + 0.3 * _pull(tile, seat, oracle)


def _shot(unit: str, seat: int, play: Play, oracle: Oracle) -> float:
    """The chance of a hit, and more for what the enemy needs."""
    defence = oracle.defence(play, 1 - seat, unit)
    chance = 1 - (1 - max(1, 11 - defence) / 10) ** play.n
    wanted = "RSNGM" if oracle.sides[1 - seat].goal is not None else "NGMRS"
    return chance * (1.5 - 0.2 * wanted.index("N" if unit == "SN" else unit[0]))


def _play(answer: tuple[str, str | None], seat: int, oracle: Oracle) -> float:
    card, action = answer
    if action is None:
        return -1.0
    if action == "hunker":
        return -0.5
    if action == "rally":
        return 3.0 if card in RIFLEMEN else 2.0
    return _ACTIONS[action](oracle.plan(card, action), seat, oracle)


def _gain(play: Play, seat: int, oracle: Oracle, worth: Callable[[int, int, Oracle], float]) -> float:
    """How much better the best tile a unit can step to is than its own."""
    assert play.at is not None
    here = worth(play.at, seat, oracle)
    onward = [tile for tile in oracle.handlers[play.action][0](play) if tile is not None]
    return max((worth(tile, seat, oracle) - here for tile in onward), default=0.0)


def _move(play: Play, seat: int, oracle: Oracle) -> float:
    if play.card not in RIFLEMEN:
        return 0.5 if play.placed else -0.2
    return (1.0 if play.placed else 0.0) + 2.5 * _gain(play, seat, oracle, _pull)


def _attack(play: Play, seat: int, oracle: Oracle) -> float:
    return 2.0 * max(_shot(unit, seat, play, oracle) for unit in oracle.handlers[play.action][0](play))


def _control(play: Play, seat: int, oracle: Oracle) -> float:
    assert play.at is not None
    return 10.0 if _prize(play.card, seat, oracle) or oracle.points[play.at] else -0.3


def _bolster(play: Play, seat: int, oracle: Oracle) -> float:
    have = [code for code in (*oracle.own.deck, *oracle.own.hand, *oracle.own.discard) if code != FOG]
    return 2.0 - 0.1 * len(have)


def _inspire(play: Play, seat: int, oracle: Oracle) -> float:
    again = [code for code in oracle.own.play_area if code[1:] == play.card[-1] and code in RIFLEMEN]
    return 6.0 if any(_prize(code, seat, oracle) for code in again) else 1.2


def _blast(play: Play, seat: int, oracle: Oracle) -> float:
    assert oracle.own.target is not None
    theirs, mine = (oracle.counters_on(s, oracle.own.target) for s in (1 - seat, seat))
    return 1.5 * (len(theirs) - len(mine))


_ACTIONS: Mapping[str, Callable[[Play, int, Oracle], float]] = {
    "move": _move,
    "scout": lambda play, seat, oracle: 1.5 * _gain(play, seat, oracle, _openness),
    "stalk": lambda play, seat, oracle: 0.3,
    "attack": _attack,
    "suppress": _attack,
    "blast": _blast,
    "target": lambda play, seat, oracle: 0.8 if oracle.own.target is None else -0.3,
    "control": _control,
    "recon": lambda play, seat, oracle: 2.5,
    "conceal": lambda play, seat, oracle: 0.6,
    "bolster": _bolster,
    "command": lambda play, seat, oracle: 1.5,
    "guide": lambda play, seat, oracle: 1.0,
    "inspire": _inspire,
}


def _step(tile: int | None, seat: int, oracle: Oracle) -> float:
    assert oracle.mover is not None
    if tile is None:
        tile = oracle.own.counters[oracle.mover]
        assert tile is not None
    return (_pull if oracle.mover in RIFLEMEN else _openness)(tile, seat, oracle)


def _target(unit: str, seat: int, oracle: Oracle) -> float:
    assert oracle.acting is not None
    return _shot(unit, seat, oracle.plan(*oracle.acting[1:]), oracle)


def _need(code: str | None, seat: int, oracle: Oracle) -> float:
    """Riflemen first, and what is short."""
    if code is None:
        return 0.0
    have = (oracle.own.deck + oracle.own.discard + oracle.own.hand).count(code)
    return (1.5 if code in RIFLEMEN else 1.0) + (code in UNITS) - 0.6 * have


_WORTH: Mapping[str, Callable[[Any, int, Oracle], float]] = {
    "bid": _bid,
    "play": _play,
    "step": _step,
    "attack": _target,
    "guide": lambda unit, seat, oracle: float(unit in RIFLEMEN),
    "target": lambda tile, seat, oracle: (
        len(oracle.counters_on(1 - seat, tile)) - 1.5 * len(oracle.counters_on(seat, tile))
    ),
    "bolster": _need,
    "inspire": lambda code, seat, oracle: float(code in RIFLEMEN),
}


def play_random(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game of random legal play (ruling 12): the plain entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), random_action(rng), checked).play()


def play_plain(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game with a sensible player in both seats: the other entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), plain_choice(rng), checked).play()
