"""Plays a block with the engine, then every game of it with the oracle, and compares them step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy
from analyzer.games.moscow.rules import Moscow
from analyzer.games.moscow.state import MoscowState, deal_bits, first_shuffle, second_keys
from analyzer.games.moscow.view import discard_pile
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Played, play
from tests.oracle.moscow import Luck, Oracle


@dataclass
class Recorder:
    """Everything a block did: decisions and ends of turns, as arrays with the block row they belong to."""

    game: Moscow
    turns: list[list[dict[str, Any]]] = field(default_factory=list)
    ends: list[dict[str, Any]] = field(default_factory=list)

    def start(self, state: MoscowState) -> None:
        """Nothing to keep: the deal is compared through the first turns."""

    def decision(self, state: MoscowState, turn: int, decision: Decision, answer: Any) -> None:
        while len(self.turns) <= turn:
            self.turns.append([])
        lanes = np.arange(len(state.over)) if decision.rows is None else decision.rows
        need = decision.need
        if decision.asked is not None:
            asked = np.flatnonzero(decision.asked)
            lanes, answer, legal = lanes[asked], answer[..., asked], decision.legal[:, asked]
            need = None if need is None else need[asked]
        else:
            legal = decision.legal
        self.turns[turn].append(
            {
                "kind": decision.kind,
                "seat": decision.seat,
                "answer": answer.copy(),
                "legal": legal.copy(),
                "need": None if need is None else need.copy(),
                "where": {int(row): k for k, row in enumerate(state.rows[lanes])},
            }
        )

    def turn_end(self, state: MoscowState, turn: int) -> None:
        # Lanes of games that had ended before are left in place by the engine; `length` tells them apart.
        fields = (
            "hand",
            "km",
            "front",
            "general",
            "river",
            "moscow_army",
            "moscow_general",
            "month",
            "shown",
        )
        copies = {
            name: getattr(state, name).copy() for name in (*fields, "arrived", "winner", "over", "length")
        }
        copies["deck_size"] = state.deck_size.copy()
        copies["discards"] = discard_pile(self.game.tables, state, turn)
        self.ends.append({**copies, "where": {int(row): k for k, row in enumerate(state.rows)}})

    def questions(self, row: int) -> Iterator[tuple[int, dict[str, Any], int]]:
        """(turn, decision, place) of every question this game was really asked."""
        for turn, decisions in enumerate(self.turns):
            for one in decisions:
                if row in one["where"]:
                    yield turn, one, one["where"][row]


def snapshot(game: Moscow, recorder: Recorder, row: int, turn: int) -> dict[str, Any]:
    """The engine's state of one game after a turn, in the oracle's words."""
    end = recorder.ends[turn]
    k, t = end["where"][row], game.tables

    def of(name: str) -> Any:
        return end[name][..., k].tolist()

    assert of("length") == turn + 1, "the engine's game has ended before"
    return {
        "turn": turn,
        "seat": turn % game.players,
        "hands": of("hand"),
        "km": [km * t.km_unit for km in of("km")],
        "army": [army - 1 for army in of("front")],
        "general": [bool(x) for x in of("general")],
        "river": [bool(x) for x in of("river")],
        "moscow_army": of("moscow_army") - 1,
        "moscow_general": bool(of("moscow_general")),
        "month": of("month"),
        "discards": of("discards"),
        "deck_left": of("deck_size") - turn - 1,
        "shown": [bool(x) for x in of("shown")],
        "arrived_turn": of("arrived"),
        "winner": of("winner") - 1,
        "over": bool(of("over")),
    }


class Replayer:
    """The oracle's chooser: gives the engine's answers and checks that both saw the same question."""

    def __init__(self, game: Moscow, recorder: Recorder, row: int) -> None:
        self.t, self.questions = game.tables, recorder.questions(row)

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answer, mask, need = self._next(kind, seat, oracle)
        return getattr(self, kind)(seat, legal, oracle, answer, mask, need)

    def _next(self, kind: str, seat: int, oracle: Oracle) -> tuple[Any, list[Any], Any]:
        turn, one, k = next(self.questions)
        assert (turn, one["kind"], one["seat"]) == (oracle.turn, kind, seat)
        need = None if one["need"] is None else int(one["need"][k])
        return one["answer"][..., k].tolist(), one["legal"][:, k].tolist(), need

    def act(self, seat: int, legal: Any, oracle: Oracle, code: int, mask: list[int], need: Any) -> Any:
        theirs = {self._code(action) for action in legal}
        assert {c for c, ok in enumerate(mask) if ok} == theirs
        t = self.t
        if not t.red_army.start <= code < t.orders.stop:
            return next(action for action in legal if self._code(action) == code)
        place, places, _ = self._next("target", seat, oracle)
        same = {action[-1]: action for action in legal if self._code(action) == code}
        seats = t.seats_clockwise[seat]
        assert {int(seats[p]) for p, ok in enumerate(places) if ok} == set(same)
        return same[int(seats[place])]

    def _code(self, action: tuple[Any, ...]) -> int:
        t = self.t
        first = {
            "advance": t.advance.start,
            "army": t.red_army.start,
            "order": t.orders.start,
            "moscow_army": t.moscow_army.start,
        }
        alone = {
            "general": t.red_general,
            "river": t.great_river,
            "moscow_general": t.moscow_general,
            "fight": t.fight,
            "attack": t.attack,
            "nothing": t.nothing,
        }
        name = action[0]
        return first[name] + action[1] if name in first else alone[name]

    def commit(
        self, seat: int, legal: Any, oracle: Oracle, used: list[int], held: list[int], need: Any
    ) -> Any:
        first = self.t.fighting.start
        assert {first + k: n for k, n in enumerate(held) if n} == legal
        return {first + k: n for k, n in enumerate(used) if n}

    def reorganise(
        self, seat: int, legal: Any, oracle: Oracle, code: int, mask: list[int], need: Any
    ) -> bool:
        assert mask == [1, 1]
        return bool(code)

    def exploit(self, seat: int, legal: Any, oracle: Oracle, code: int, mask: list[int], need: Any) -> Any:
        none = len(mask) - 1
        assert {None if c == none else c for c, ok in enumerate(mask) if ok} == set(legal)
        return None if code == none else code

    def discard(
        self, seat: int, legal: Any, oracle: Oracle, given: list[int], held: list[int], need: Any
    ) -> Any:
        theirs, excess = legal
        assert {k: n for k, n in enumerate(held) if n} == theirs
        assert need == excess
        return {k: n for k, n in enumerate(given) if n}


def compare(
    policies: Sequence[Policy],
    games: int,
    seed: int,
    overrides: Sequence[str] = (),
    checked_every: int = 1,
) -> Played:
    """Play `games` games with these policies and compare each of them with the oracle.

    The oracle counts all cards after every step in one game of `checked_every`.
    """
    config = load_config("moscow", overrides=overrides)
    game = Moscow(config.rules, len(policies))
    recorder = Recorder(game)

    def luck() -> BlockLuck:
        return BlockLuck("moscow", seed, 0, games, np.arange(games))

    played = play(game, policies, luck(), np.arange(games), recorder)
    bits = deal_bits(game.tables, luck())
    order, keys = first_shuffle(game.tables, bits), second_keys(game.tables, bits)
    first, second = game.tables.deck[order].T, np.take_along_axis(keys, order.T.astype(np.intp), axis=1)
    dice = all_dice(game, luck())
    for row in range(games):
        chance = Luck(first[row].tolist(), second[row].tolist(), dice[:, :, row].tolist())
        check_game(game, recorder, row, config.as_dict(), chance, played, row % checked_every == 0)
    return played


def all_dice(game: Moscow, luck: BlockLuck) -> Any:
    """uint8[turn, action, row]: every die of every game, thrown or not."""
    sides, actions = game.rules.die_sides, range(game.rules.actions_per_turn)
    return np.stack(
        [[luck.dice(sides, turn, slot, luck.rows) for slot in actions] for turn in range(game.max_turns)]
    )


def check_game(
    game: Moscow, recorder: Recorder, row: int, rules: Any, luck: Luck, played: Played, checked: bool
) -> None:
    """One game, step by step, with ==."""
    replayer = Replayer(game, recorder, row)
    oracle = Oracle(rules, game.players, luck, replayer, checked)
    hands = game.tables.hand_types
    for theirs in oracle.steps():
        removed = theirs.pop("removed")
        assert not any(removed[:hands]), "only time and supply leave the game"
        theirs["hands"] = [hand[:hands] for hand in theirs["hands"]]
        theirs["discards"] = theirs["discards"][:hands]
        ours = snapshot(game, recorder, row, theirs["turn"])
        assert ours == theirs, {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
    end = oracle.outcome()
    assert next(replayer.questions, None) is None, "the engine asked more than the oracle"
    c = played.columns
    assert int(c["winner"][row]) == (0 if end.winner is None else end.winner + 1)
    assert (int(c["turns"][row]), int(c["month"][row])) == (end.turns, end.month + 1)
    assert game.labels["end"][int(c["end"][row])] == end.end
