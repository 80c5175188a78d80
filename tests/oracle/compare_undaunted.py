"""Plays a block with the engine, then every game of it with the oracle, and compares them step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy
from analyzer.games.undaunted.counting import ENDS, FIGHTS
from analyzer.games.undaunted.rules import Undaunted
from analyzer.games.undaunted.state import FIRST, SECOND, UndauntedState, start
from analyzer.games.undaunted.tables import ACTIONS, NO_TILE, SUPPRESS, Side, Tables
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Played, play
from tests.oracle.undaunted import PASS, Oracle
from tests.oracle.undaunted_noise import word
from tests.oracle.undaunted_table import Luck, Outcome

PILES = {
    "hands": "hand",
    "decks": "in_deck",
    "discards": "discard",
    "played": "played",
    "supplies": "in_supply",
}


# ---------------------------------------------------------------- the luck of one game as plain numbers


def number(key: int, k: int) -> int:
    """The upper 32 of the 64 bits of number `k` of a game's sequence."""
    return word(key, k) >> 32


def numbers(key: int, count: int = 0) -> Iterator[int]:
    """All of them in order; with `count`: as whole numbers 0..count-1."""
    k = 0
    while True:
        bits = number(key, k)
        yield bits * count >> 32 if count else bits
        k += 1


# ---------------------------------------------------------------- what the engine did


@dataclass
class Shot:
    """The table of some games: arrays [.., place] as `snapshot` reads them."""

    sides: tuple[Any, Any]
    marks: tuple[Any, Any]
    score: Any
    holder: Any
    rounds: Any
    over: Any
    winner: Any


@dataclass
class Question:
    """A decision with the games it was asked in."""

    kind: str
    seat: int
    answer: Any
    legal: Any
    facts: dict[str, Any]
    shot: Shot


@dataclass
class Recorder:
    """Everything a block did: questions, and the table at the end of every side's turn, by block row."""

    tables: Tables
    questions: dict[int, list[tuple[Question, int]]] = field(default_factory=dict)
    turns: dict[tuple[int, int], tuple[Shot, int]] = field(default_factory=dict)
    log: list[dict[str, Any]] = field(default_factory=list)

    def start(self, state: UndauntedState) -> None:
        state.log = self.log

    def decision(self, state: UndauntedState, turn: int, decision: Decision, answer: Any) -> None:
        assert decision.rows is not None
        rows, legal, view = decision.rows, decision.legal, decision.view
        places = np.arange(len(rows)) if decision.asked is None else np.flatnonzero(decision.asked)
        if decision.kind == "bid":
            shot = self._state_shot(state, rows[places])
        else:
            lanes = getattr(view, "_lanes", np.arange(view._field.lanes))
            shot = self._field_shot(view._field, lanes[places])
        books(self.tables, shot)
        facts = {name: fact[places] for name, fact in getattr(view, "_facts", {}).items()}
        one = Question(decision.kind, decision.seat, answer[places], legal[:, places], facts, shot)
        for k, row in enumerate(state.rows[rows[places]].tolist()):
            self.questions.setdefault(row, []).append((one, k))

    def turn_end(self, state: UndauntedState, turn: int) -> None:
        shot = self._state_shot(state, np.arange(len(state.rows)))
        for k, row in enumerate(state.rows.tolist()):
            stage, rounds, over = int(state.stage[k]), int(state.rounds[k]), bool(state.over[k])
            if stage == FIRST and not over:
                continue  # its side is on turn in the next pass only
            done = 2 * rounds - (stage == (FIRST if over else SECOND))
            self.turns.setdefault((row, done), (shot, k))

    def _state_shot(self, state: UndauntedState, lanes: Any) -> Shot:
        def cut(values: Any) -> Any:
            return np.array(values[..., lanes])

        parts = (state.score, state.holder, state.rounds, state.over, state.winner)
        us, de = state.side
        return Shot(
            (cut(us), cut(de)), (cut(state.marks[0]), cut(state.marks[1])), *(cut(part) for part in parts)
        )

    def _field_shot(self, table: Any, lanes: Any) -> Shot:
        def cut(values: Any) -> Any:
            return np.array(values[..., lanes])

        order = (0, 1) if table.seat == 0 else (1, 0)
        sides = (cut(table.mine), cut(table.theirs))
        marks = (cut(table.own_marks), cut(table.foe_marks))
        parts = (table.score, table.holder, table.rounds, table.over, table.winner)
        return Shot(
            (sides[order[0]], sides[order[1]]),
            (marks[order[0]], marks[order[1]]),
            *(cut(part) for part in parts),
        )


def snapshot(tables: Tables, shot: Shot, k: int) -> dict[str, Any]:
    """The engine's table of one game in the oracle's words."""

    def pile(side: Side, name: str) -> dict[str, int]:
        counts = shot.sides[side.seat][getattr(side, name), k].tolist()
        return {code: n for code, n in zip(side.codes, counts, strict=True) if n}

    def counters(side: Side) -> dict[str, list[Any]]:
        column = shot.sides[side.seat][:, k]
        rows = zip(side.units, column[side.at], column[side.away], column[side.down], strict=True)
        return {unit: [int(tile), bool(down)] for unit, tile, off, down in rows if not off}

    def tiles(seat: int, mark: int) -> list[int]:
        bits = int(shot.marks[seat][mark, k])
        return [tile for tile in range(tables.board.tiles) if bits >> tile & 1]

    sides = tables.sides
    targets = [int(shot.sides[side.seat][side.target, k]) for side in sides]
    winner = int(shot.winner[k])
    return {
        "round": int(shot.rounds[k]) - 1,
        "holder": int(shot.holder[k]),
        **{name: [pile(side, row) for side in sides] for name, row in PILES.items()},
        "counters": [counters(side) for side in sides],
        "scouted": [tiles(seat, 0) for seat in (0, 1)],
        "controlled": [tiles(seat, 1) for seat in (0, 1)],
        "target": [None if tile == NO_TILE else tile for tile in targets],
        "points": shot.score[:2, k].tolist(),
        "radio": int(shot.score[2, k]) if tables.board.radio >= 0 else None,
        "over": bool(shot.over[k]),
        "winner": None if winner == 0 else winner - 1,
    }


def books(tables: Tables, shot: Shot) -> None:
    """Check the rows that the engine keeps beside the piles against the piles, and that no card is made."""
    for side in tables.sides:
        table = shot.sides[side.seat].astype(np.int16)
        total = sum(table[getattr(side, name)] for name in PILES.values())
        first = (side.deck.astype(np.int16) + side.supply)[:, None]
        assert (total <= first).all()
        assert (total[side.size : side.fog] == first[side.size : side.fog]).all()
        assert (table[side.rifles_left] == total[side.riflemen].sum(axis=0)).all()
        assert (table[side.scouts_left] == total[side.scouts].sum(axis=0)).all()
        off = table[side.away] != 0
        assert (table[side.rifle_counters] == (~off[side.riflemen]).sum(axis=0)).all()
        assert ((table[side.at] == side.spawn[:, None]) | ~off).all()
        assert not (table[side.down] * off).any()
    both = shot.marks[0][1] & shot.marks[1][1]
    assert not both.any(), "a tile is controlled by both sides"


# ---------------------------------------------------------------- one game against the oracle


def words(side: Side, foe: Side, question: Question, k: int, code: int) -> Any:
    """The oracle's words for an answer code of a question."""
    kind = question.kind
    if kind == "play":
        return PASS if code == side.stop else (side.codes[side.card_of[code]], ACTIONS[side.action_of[code]])
    if kind in ("step", "target"):
        return code if kind == "target" or code < question.legal.shape[0] - 1 else None
    if kind == "attack":
        return foe.units[code]
    return side.codes[code] if code < side.types else None


class Replayer:
    """The oracle's chooser: gives the engine's answers and checks that both saw the same."""

    def __init__(self, tables: Tables, recorder: Recorder, row: int) -> None:
        self.tables, self.questions = tables, iter(recorder.questions.get(row, ()))

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        question, k = next(self.questions)
        sides = self.tables.sides
        side, foe = sides[seat], sides[1 - seat]
        assert (question.kind, question.seat) == (kind, seat)
        same(snapshot(self.tables, question.shot, k), oracle.snapshot())
        codes = np.flatnonzero(question.legal[:, k]).tolist()
        ours = [words(side, foe, question, k, code) for code in codes]
        assert sorted(map(repr, ours)) == sorted(map(repr, legal))
        self._check_facts(question, k, side, oracle)
        return words(side, foe, question, k, int(question.answer[k]))

    def _check_facts(self, question: Question, k: int, side: Side, oracle: Oracle) -> None:
        """What the view says of the play that asks is what the oracle carries out."""
        facts = {name: int(fact[k]) for name, fact in question.facts.items()}
        if question.kind == "step":
            assert side.units[facts["unit"]] == oracle.mover
        if "action" in facts:
            assert oracle.acting is not None
            assert ACTIONS[facts["action"]] == oracle.acting[2]
        if "card" in facts:
            assert side.codes[facts["card"]] == oracle.acting[1]


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Both snapshots are equal; the error tells what differs."""
    assert ours == theirs, {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}


def compare(
    policies: Sequence[Policy],
    games: int,
    seed: int,
    config_name: str = "undaunted",
    overrides: Sequence[str] = (),
    checked_every: int = 1,
    file: Path | None = None,
) -> Played:
    """Play `games` games with these policies and compare each of them, and their tallies, with the oracle.

    The oracle keeps its books after every step in one game of `checked_every`. `file`: a config of one's own
    instead of the shipped one.
    """
    config = load_config(None if file else config_name, file, overrides)
    game = Undaunted(config.rules, 2)
    recorder = Recorder(game.tables)

    def luck() -> BlockLuck:
        return BlockLuck("undaunted", seed, 0, games, np.arange(games))

    played = play(game, policies, luck(), np.arange(games), recorder)
    fresh = start(game.tables, luck())
    attacks = _attacks(game.tables, recorder, games)
    rules, ends, last = config.as_dict(), [], []
    rounds: Counter[tuple[Any, ...]] = Counter()
    for row in range(games):
        draws = [numbers(int(fresh.draw_key[seat][row])) for seat in (0, 1)]
        dice = numbers(int(fresh.dice_key[row]), config.rules.die_faces)
        chance = Luck(int(fresh.first[row]), draws, dice)
        replayer = Replayer(game.tables, recorder, row)
        oracle = Oracle(rules, 2, chance, replayer, row % checked_every == 0)
        check_game(game, recorder, row, oracle, replayer, played, rounds)
        end = oracle.outcome()
        assert attacks[row] == [tuple(attack) for attack in end.attacks]
        ends.append(end)
        last.append(oracle)
    check_tallies(game, played, ends, last)
    _check_rounds(played, rounds)
    return played


def _attacks(tables: Tables, recorder: Recorder, games: int) -> list[list[tuple[Any, ...]]]:
    """The rolls of every game in order, as the oracle lists them."""
    found: list[list[tuple[Any, ...]]] = [[] for _ in range(games)]
    results = ("missed", "card", "counter")
    for one in recorder.log:
        side, foe = tables.sides[one["seat"]], tables.sides[one["foe"]]
        for k, row in enumerate(one["rows"].tolist()):
            action, hit = int(one["action"][k]), bool(one["hit"][k])
            result = "suppressed" if hit and action == SUPPRESS else results[one["lost"][k]]
            found[row].append(
                (
                    *(side.seat, side.units[one["unit"][k]], ACTIONS[action]),
                    *(foe.seat, foe.units[one["target"][k]]),
                    *(int(one["defence"][k]), int(one["dice"][k]), hit, result),
                )
            )
    return found


def check_game(
    game: Undaunted,
    recorder: Recorder,
    row: int,
    oracle: Oracle,
    replayer: Replayer,
    played: Played,
    rounds: Counter[tuple[Any, ...]],
) -> None:
    """One game, step by step, with ==."""
    turns = 0
    for what in oracle.steps():
        if what == "turn":
            turns += 1
            same(snapshot(game.tables, *recorder.turns[row, turns]), oracle.snapshot())
            if turns % 2 == 0 or oracle.over:
                _note_round(oracle, rounds)
    end = oracle.outcome()
    assert next(replayer.questions, None) is None, "the engine asked more than the oracle"
    c = played.columns
    assert int(c["winner"][row]) == (0 if end.winner is None else end.winner + 1)
    assert ENDS[int(c["end"][row])] == end.end
    assert (int(c["rounds"][row]), int(c["first"][row])) == (end.rounds, end.first + 1)
    assert int(c["turns"][row]) == turns
    for name in ("points", "casualties", "removed"):
        assert c[name][:, row].tolist() == getattr(end, name), name
    at = oracle.sides
    fogs = [(s.deck + s.hand + s.discard + s.play_area).count("FOW") for s in at]
    assert c["fog"][:, row].tolist() == fogs


def _note_round(oracle: Oracle, rounds: Counter[tuple[Any, ...]]) -> None:
    """What the tallies keep of the table at the end of a round."""
    for seat, side in enumerate(oracle.sides):
        fogs = (side.deck + side.hand + side.discard + side.play_area).count("FOW")
        rounds["points", seat, oracle.round, oracle.score(seat)] += 1
        rounds["fog", seat, oracle.round, fogs] += 1
        for tile, marker in enumerate(side.markers):
            rounds["control_rounds", tile, seat + 1] += marker == "controlled"


def _check_rounds(played: Played, rounds: Counter[tuple[Any, ...]]) -> None:
    """The tallies by round are what the oracle's tables were at the end of every round."""
    for name in ("points", "fog", "control_rounds"):
        counts = played.tallies[name].counts
        ours = {(name, *place): int(counts[tuple(place)]) for place in np.argwhere(counts).tolist()}
        ours = {key: n for key, n in ours.items() if name != "control_rounds" or key[2]}
        assert ours == {key: n for key, n in rounds.items() if key[0] == name and n}


def check_tallies(
    game: Undaunted, played: Played, ends: Sequence[Outcome], oracles: Sequence[Oracle]
) -> None:
    """The additive tallies of the block are the sums of what the oracle counted game by game."""
    tables, tallies = game.tables, played.tallies
    rolls: Counter[tuple[Any, ...]] = Counter()
    lost: Counter[tuple[Any, ...]] = Counter()
    for end in ends:
        for a in end.attacks:
            rolls[a.seat, FIGHTS.index(a.action), a.defence, a.dice, int(a.hit)] += 1
            lost[a.target_seat, a.target, a.result] += 1
    counts = tallies["attacks"].counts
    found = {tuple(map(int, place)): int(counts[tuple(place)]) for place in np.argwhere(counts)}
    assert found == dict(rolls)
    labels = tallies["casualties"].axes["seat,unit"]
    for k, (seat, unit) in enumerate(labels):
        ours = [*tallies["casualties"].counts[k].tolist(), int(tallies["suppressions"].counts[k])]
        assert ours == [lost[seat - 1, unit, result] for result in ("card", "counter", "suppressed")]
    by_seat = [sum(end.casualties[seat] for end in ends) for seat in (0, 1)]
    assert tallies["hits"].counts.sum(axis=1).tolist() == by_seat
    by_seat = [sum(end.removed[seat] for end in ends) for seat in (0, 1)]
    assert tallies["fallen"].counts.sum(axis=1).tolist() == by_seat
    control = np.zeros((tables.board.tiles, 3), int)
    for oracle in oracles:
        for tile, pair in enumerate(zip(*(side.markers for side in oracle.sides), strict=True)):
            state = 1 if pair[0] == "controlled" else 2 if pair[1] == "controlled" else 0
            control[tile, state] += 1
    assert (tallies["control"].counts == control).all()
    rounds = sum(end.rounds for end in ends)
    assert tallies["points"].counts[0].sum() == tallies["fog"].counts[1].sum() == rounds
    assert tallies["actions"].counts.sum() == played.columns["plays"].sum()
    _check_counts(played, oracles)


def _check_counts(played: Played, oracles: Sequence[Oracle]) -> None:
    """Tallies by label against what the oracle counted event by event."""
    theirs: Counter[tuple[Any, ...]] = sum((oracle.counts for oracle in oracles), Counter())
    ours: Counter[tuple[Any, ...]] = Counter()
    for name, kind in (("actions", "play"), ("bids", "bid")):
        tally = played.tallies[name]
        (labels,) = tally.axes.values()
        for (seat, *rest), n in zip(labels, tally.counts.tolist(), strict=True):
            if rest != ["none"]:
                ours[(kind, seat - 1, *rest)] += n
    for name, kind in (("hits", "hit"), ("fallen", "fallen")):
        for seat, tile in np.argwhere(played.tallies[name].counts).tolist():
            ours[kind, tile, seat] = int(played.tallies[name].counts[seat, tile])
    for number, seat in np.argwhere(played.tallies["initiative"].counts).tolist():
        ours["initiative", number, seat] = int(played.tallies["initiative"].counts[number, seat])
    kinds = {"play", "bid", "hit", "fallen", "initiative"}
    assert +ours == Counter({key: n for key, n in theirs.items() if key[0] in kinds and n})
