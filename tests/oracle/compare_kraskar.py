"""Plays a block with the engine, then every game of it with the oracle, and compares them step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy
from analyzer.games.kraskar.rules import Kraskar
from analyzer.games.kraskar.state import KraskarState, draw
from analyzer.games.kraskar.tables import CAUSES, DIRECTIONS, STRIDE, Side
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Played, play
from tests.oracle.kraskar import Oracle
from tests.oracle.kraskar_table import Luck, Outcome

FIELDS = ("castle", "chips", "wasted", "square", "hit_points", "gauge", "exhausted", "besieging", "force")
KINDS = {"act": "main", "deploy": "deploy"}  # the engine's word for a decision, and the oracle's
BOARD = STRIDE * STRIDE  # square codes from here on are off the board


@dataclass
class Recorder:
    """Everything a block did: decisions and ends of turns, as arrays with the block row they belong to."""

    turns: list[list[dict[str, Any]]] = field(default_factory=list)
    ends: list[dict[str, Any]] = field(default_factory=list)

    def start(self, state: KraskarState) -> None:
        """Nothing to keep: the start is compared through the first turn."""

    def decision(self, state: KraskarState, turn: int, decision: Decision, answer: Any) -> None:
        while len(self.turns) <= turn:
            self.turns.append([])
        assert decision.rows is not None
        lanes, legal, squares = decision.rows, decision.legal, None
        if decision.kind == "act":
            squares = decision.view._field.foe_square
        if decision.asked is not None:
            asked = np.flatnonzero(decision.asked)
            lanes, answer, legal = lanes[asked], answer[asked], legal[:, asked]
            squares = None if squares is None else squares[:, asked]
        one = {"kind": decision.kind, "seat": decision.seat, "slot": decision.slot}
        one |= {"answer": answer.copy(), "legal": legal.copy(), "squares": np.array(squares, copy=True)}
        one["where"] = {int(row): k for k, row in enumerate(state.rows[lanes])}
        self.turns[turn].append(one)

    def turn_end(self, state: KraskarState, turn: int) -> None:
        copies = {
            name: getattr(state, name).copy() for name in (*FIELDS, "amount", "winner", "over", "length")
        }
        self.ends.append({**copies, "where": {int(row): k for k, row in enumerate(state.rows)}})

    def questions(self, row: int) -> Iterator[tuple[int, dict[str, Any], int]]:
        """(turn of the block, decision, place) of every question this game was really asked."""
        for turn, decisions in enumerate(self.turns):
            for one in decisions:
                if row in one["where"]:
                    yield turn, one, one["where"][row]


def snapshot(game: Kraskar, recorder: Recorder, row: int, turn: int) -> dict[str, Any]:
    """The engine's state of one game after a turn of the block, in the oracle's words (without `turn`)."""
    end = recorder.ends[turn]
    k, sides = end["where"][row], game.tables.sides

    def by_unit(values: Any) -> list[list[Any]]:
        return [values[seat, : side.size, k].tolist() for seat, side in enumerate(sides)]

    squares = [[_square(code) for code in codes] for codes in by_unit(end["square"])]
    away = [[square is None for square in deck] for deck in squares]
    force = by_unit(end["force"])
    return {
        "seat": game.seat_of(turn),
        **{name: end[name][:, k].tolist() for name in ("castle", "chips", "wasted")},
        "square": squares,
        "hit_points": by_unit(end["hit_points"]),
        "gauge": by_unit(end["gauge"]),
        "exhausted": [[bool(x) for x in deck] for deck in by_unit(end["exhausted"])],
        "besieging": [[bool(x) for x in deck] for deck in by_unit(end["besieging"])],
        "force": [
            [0 if gone else x for gone, x in zip(*pair, strict=True)]
            for pair in zip(away, force, strict=True)
        ],
        **{name: by_unit(end["amount"][:, kind]) for kind, name in enumerate(("boost", "rally", "weaken"))},
        "winner": None if end["winner"][k] == 0 else int(end["winner"][k]) - 1,
        "over": bool(end["over"][k]),
    }


def _square(code: int) -> tuple[int, int] | None:
    return divmod(code, STRIDE) if code < BOARD else None


def action(side: Side, code: int, squares: Sequence[int]) -> tuple[Any, ...]:
    """The oracle's words for an action code; `squares` are the square codes of the enemy units."""
    if code == side.pass_:
        return ("pass",)
    name = next(n for n in side.blocks if n != "pass_" and side.part(n).start <= code < side.part(n).stop)
    unit = int(side.unit_of[code])
    if name in ("move", "melee", "charge"):
        width = len(side.cavalry) if name == "charge" else side.size
        return (name, unit, DIRECTIONS[(code - side.part(name).start) // width])
    enemy = (code - side.part(name).start) % side.enemies
    target = {"boost": None, "strike": None}.get(name, enemy)
    if name == "strike":
        target = _square(int(squares[enemy]))
    return (name if name in ("shoot", "thrust") else "stratagem", unit, target)


class Replayer:
    """The oracle's chooser: gives the engine's answers and checks that both saw the same question."""

    def __init__(self, game: Kraskar, recorder: Recorder, row: int, late: int) -> None:
        self.sides, self.questions, self.late = game.tables.sides, recorder.questions(row), late

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        turn, one, k = next(self.questions)
        assert (turn - self.late, KINDS[one["kind"]], one["seat"]) == (oracle.turn, kind, seat)
        code, mask = int(one["answer"][k]), one["legal"][:, k]
        if kind == "deploy":
            assert one["slot"] == oracle.deploying
            assert np.flatnonzero(mask).tolist() == legal
            return code
        squares = one["squares"][:, k].tolist()
        ours = [action(self.sides[seat], c, squares) for c in np.flatnonzero(mask).tolist()]
        assert sorted(map(repr, ours)) == sorted(map(repr, legal))
        return action(self.sides[seat], code, squares)


def compare(
    policies: Sequence[Policy],
    games: int,
    seed: int,
    overrides: Sequence[str] = (),
    checked_every: int = 1,
) -> Played:
    """Play `games` games with these policies and compare each of them, and their tallies, with the oracle.

    The oracle keeps its books after every step in one game of `checked_every`.
    """
    config = load_config("kraskar", overrides=overrides)
    game = Kraskar(config.rules, 2)
    recorder = Recorder()

    def luck() -> BlockLuck:
        return BlockLuck("kraskar", seed, 0, games, np.arange(games))

    played = play(game, policies, luck(), np.arange(games), recorder)
    first, columns = draw(game.tables, luck())
    ends = []
    for row in range(games):
        given = [columns[seat, : side.size, row].tolist() for seat, side in enumerate(game.tables.sides)]
        chance = Luck(int(first[row]), given)
        ends.append(
            check_game(game, recorder, row, config.as_dict(), chance, played, row % checked_every == 0)
        )
    check_tallies(game, played, ends)
    return played


def check_game(
    game: Kraskar, recorder: Recorder, row: int, rules: Any, luck: Luck, played: Played, checked: bool
) -> Outcome:
    """One game, step by step, with ==."""
    late = luck.first if game.tables.drawn else 0  # turns of the block before this game's first one
    replayer = Replayer(game, recorder, row, late)
    oracle = Oracle(rules, 2, luck, replayer, checked)
    for theirs in oracle.steps():
        turn = theirs.pop("turn")
        ours = snapshot(game, recorder, row, turn + late)
        assert ours == theirs, {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
        assert recorder.ends[turn + late]["length"][recorder.ends[turn + late]["where"][row]] == turn + 1
    end = oracle.outcome()
    assert next(replayer.questions, None) is None, "the engine asked more than the oracle"
    c = played.columns
    assert int(c["winner"][row]) == (0 if end.winner is None else end.winner + 1)
    assert game.labels["end"][int(c["end"][row])] == end.end
    assert (int(c["turns"][row]), int(c["first"][row])) == (end.turns, end.first + 1)
    for name in ("castle", "wasted"):
        assert c[name][:, row].tolist() == getattr(end, name), name
    assert c["sieges"][:, row].tolist() == [sum(deck) for deck in end.sieges]
    assert c["retreats"][:, row].tolist() == [sum(by_cause) for by_cause in end.retreats]
    return end


def check_tallies(game: Kraskar, played: Played, ends: Sequence[Outcome]) -> None:
    """The additive tallies of the block are the sums of what the oracle counted game by game."""
    damage: Counter[tuple[int, int, int]] = Counter()
    causes: Counter[tuple[int, str]] = Counter()
    for end in ends:
        for seat in (0, 1):
            for unit, by_gate in enumerate(end.siege_damage[seat]):
                for gate, life in enumerate(by_gate):
                    damage[seat, unit, gate] += life
            for cause, times in zip(CAUSES, end.retreats[seat], strict=True):
                causes[seat, cause] += times
    counts = played.tallies["damage"].counts
    first = 0
    for seat, side in enumerate(game.tables.sides):
        for unit in range(side.size):
            assert counts[first + unit].tolist() == [damage[seat, unit, gate] for gate in (0, 1)]
        by_cause = played.tallies["retreats"].counts[first : first + side.size].sum(axis=0)
        assert by_cause.tolist() == [causes[seat, cause] for cause in CAUSES]
        assert played.tallies["fallen"].counts[seat].sum() == by_cause.sum()
        first += side.size
    assert played.tallies["sieges"].counts.sum() == sum(sum(map(sum, end.sieges)) for end in ends)
