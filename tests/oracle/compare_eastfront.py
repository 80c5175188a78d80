"""Plays a block with the engine, then every game of it with the oracle, and compares them step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy
from analyzer.games.eastfront.rules import Eastfront
from analyzer.games.eastfront.state import EastfrontState, discard_pile, shuffle
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Played, play
from tests.oracle.eastfront import Luck, Oracle

FIELDS = ("hand", "table", "left", "top", "halted", "friends", "points")


@dataclass
class Recorder:
    """Everything a block did: decisions and ends of turns, as arrays with the block row they belong to.

    At every decision and turn's end all cards are counted: 70, 24 and 6 of them (or as many as there are).
    """

    game: Eastfront
    turns: list[list[dict[str, Any]]] = field(default_factory=list)
    ends: list[dict[str, Any]] = field(default_factory=list)

    def start(self, state: EastfrontState) -> None:
        self.check(state, -1)

    def decision(self, state: EastfrontState, turn: int, decision: Decision, answer: Any) -> None:
        while len(self.turns) <= turn:
            self.turns.append([])
        self.check(state, turn if decision.kind != "deploy" else -1)
        lanes = np.arange(len(state.over)) if decision.rows is None else decision.rows
        need, legal = decision.need, decision.legal
        if decision.asked is not None:
            asked = np.flatnonzero(decision.asked)
            lanes, answer, legal = lanes[asked], answer[..., asked], legal[:, asked]
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

    def turn_end(self, state: EastfrontState, turn: int) -> None:
        # Lanes of games that had ended before are left in place by the engine; `length` tells them apart.
        self.check(state, turn)
        copies = {name: getattr(state, name).copy() for name in (*FIELDS, "over", "length")}
        copies["discards"] = discard_pile(self.game.tables, state, turn)
        copies["unseen"] = unseen(self.game.tables, state)
        self.ends.append({**copies, "where": {int(row): k for k, row in enumerate(state.rows)}})

    def check(self, state: EastfrontState, turn: int) -> None:
        """Cards add up in every game, and what follows from tables and hands does."""
        t = self.game.tables
        pile = discard_pile(t, state, turn).astype(int)
        alive = state.length == turn + 1 if turn >= 0 else np.ones(state.over.size, bool)
        # One count in uint8 would wrap below zero: as many discards as cards of the type are the limit.
        full = np.bincount(t.deck, minlength=t.types)[:, None]
        assert (pile <= full)[:, alive].all()
        drawn = len(state.deck) - turn - 1
        held = state.hand.sum(axis=(0, 1)) + state.table.sum(axis=(0, 1)) + pile.sum(axis=0)
        assert (held + drawn == len(t.deck))[alive].all()
        assert (state.hand.sum(axis=1) == state.size).all()
        assert (np.tensordot(t.german_fire.astype(int), state.table, (0, 1)) == state.force).all()
        assert (np.tensordot(t.bits.astype(int), state.table > 0, (0, 1)) == state.presence).all()
        hidden = state.left.sum(axis=0) - (state.top > 0).sum(axis=0)
        assert (unseen(t, state).sum(axis=0) == hidden).all()
        assert (state.friends.sum(axis=0) == state.rescued).all()

    def questions(self, row: int) -> Iterator[tuple[int, dict[str, Any], int]]:
        """(turn, decision, place) of every question this game was really asked."""
        for turn, decisions in enumerate(self.turns):
            for one in decisions:
                if row in one["where"]:
                    yield turn, one, one["where"][row]


def unseen(tables: Any, state: EastfrontState) -> Any:
    """int[soviet, game]: the face-down Soviet cards by type."""
    return np.stack([state.unseen >> np.uint64(8 * s) & np.uint64(255) for s in range(tables.soviets)])


def snapshot(game: Eastfront, recorder: Recorder, row: int, turn: int) -> dict[str, Any]:
    """The engine's state of one game after a turn, in the oracle's words."""
    end = recorder.ends[turn]
    k, t = end["where"][row], game.tables

    def of(name: str) -> Any:
        return end[name][..., k].tolist()

    assert of("length") == turn + 1, "the engine's game has ended before"
    tops = [top - 1 if top else None for top in of("top")]
    beaten = np.bincount(t.soviet_deck, minlength=t.soviets) - end["unseen"][..., k]
    for top in tops:
        if top is not None:
            beaten[top] -= 1
    return {
        "turn": turn,
        "seat": turn % game.players,
        "hands": of("hand"),
        "tables": of("table"),
        "stacks": [[left, top is not None] for left, top in zip(of("left"), tops, strict=True)],
        "tops": tops,
        "halted": [bool(x) for x in of("halted")],
        "friends": of("friends"),
        "points": of("points"),
        "discards": of("discards"),
        "beaten": beaten.tolist(),
        "deck_left": game.max_turns - turn - 1,
        "over": bool(of("over")),
    }


class Replayer:
    """The oracle's chooser: gives the engine's answers and checks that both saw the same question."""

    def __init__(self, game: Eastfront, recorder: Recorder, row: int) -> None:
        self.t, self.questions = game.tables, recorder.questions(row)

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answer, mask, need = self._next(kind, seat, oracle)
        if kind in ("deploy", "discard"):
            return self._cards(legal, answer, mask, need)
        if kind == "act":
            return self._act(seat, legal, oracle, answer, mask)
        # Codes of the other kinds: stacks or support cards with "stop" last, no and yes, German types.
        last = len(mask) - 1
        words: dict[str, Any] = {
            **dict.fromkeys(("attack", "go_on", "support"), lambda code: None if code == last else code),
            **dict.fromkeys(("cover", "pillbox"), bool),
            "shoot": int,
        }
        say = words[kind]
        assert [say(code) for code, ok in enumerate(mask) if ok] == sorted(
            legal, key=lambda one: (one is None, one)
        )
        return say(answer)

    def _next(self, kind: str, seat: int, oracle: Oracle) -> tuple[Any, list[Any], Any]:
        turn, one, k = next(self.questions)
        assert (turn, one["kind"], one["seat"]) == (oracle.turn, kind, seat)
        need = None if one["need"] is None else int(one["need"][k])
        return one["answer"][..., k].tolist(), one["legal"][:, k].tolist(), need

    def _cards(self, legal: Any, given: list[int], held: list[int], need: int | None) -> dict[int, int]:
        theirs = legal if need is None else legal[0]
        assert {k: n for k, n in enumerate(held) if n} == theirs
        assert need is None or need == legal[1]
        return {k: n for k, n in enumerate(given) if n}

    def _act(self, seat: int, legal: Any, oracle: Oracle, code: int, mask: list[int]) -> Any:
        assert {c for c, ok in enumerate(mask) if ok} == {self._code(action) for action in legal}
        left = [action for action in legal if self._code(action) == code]
        if left[0][0] != "hinder":
            return left[0]
        place, places, _ = self._next("target", seat, oracle)
        seats = self.t.seats_clockwise[seat].tolist()
        assert {seats[p] for p, ok in enumerate(places) if ok} == {action[2] for action in left}
        left = [action for action in left if action[2] == seats[place]]
        if left[0][3] is None:
            return left[0]
        named, names, _ = self._next("name", seat, oracle)
        assert {g for g, ok in enumerate(names) if ok} == {action[3] for action in left}
        return next(action for action in left if action[3] == named)

    def _code(self, action: tuple[Any, ...]) -> int:
        first = {"reinforce": 0, "hinder": self.t.germans}
        return self.t.nothing if action[0] == "nothing" else first[action[0]] + action[1]


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
    config = load_config("eastfront", overrides=overrides)
    game = Eastfront(config.rules, len(policies))
    recorder = Recorder(game)

    def luck() -> BlockLuck:
        return BlockLuck("eastfront", seed, 0, games, np.arange(games))

    played = play(game, policies, luck(), np.arange(games), recorder)
    chances = all_luck(game, luck())
    for row in range(games):
        check_game(game, recorder, row, config.as_dict(), chances[row], played, row % checked_every == 0)
    return played


def all_luck(game: Eastfront, luck: BlockLuck) -> list[Luck]:
    """The luck of every game as the oracle gets it."""
    order = shuffle(game.tables, luck)
    points = game.tables.friend_points[order.friend]
    bits = np.stack([luck.pick(2**32, turn, 0, luck.rows) for turn in range(game.max_turns)])
    every = zip(order.deck.T, order.soviet.T, points.T, bits.T, strict=True)
    return [Luck(*(part.tolist() for part in one)) for one in every]


def check_game(
    game: Eastfront, recorder: Recorder, row: int, rules: Any, luck: Luck, played: Played, checked: bool
) -> None:
    """One game, step by step, with ==."""
    replayer = Replayer(game, recorder, row)
    oracle = Oracle(rules, game.players, luck, replayer, checked)
    for theirs in oracle.steps():
        theirs["tops"] = oracle.view(0)["tops"]
        ours = snapshot(game, recorder, row, theirs["turn"])
        assert ours == theirs, {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
    end = oracle.outcome()
    assert next(replayer.questions, None) is None, "the engine asked more than the oracle"
    c = played.columns
    winner = -1 if len(end.winners) > 1 else end.winners[0] + 1 if end.winners else 0
    assert int(c["winner"][row]) == winner
    assert tuple(np.flatnonzero(c["won"][:, row]).tolist()) == end.winners
    assert tuple(c["points"][:, row].tolist()) == end.points
    assert tuple(c["friends"][:, row].tolist()) == end.friends
    assert int(c["rescued"][row]) == sum(end.friends)
    assert int(c["turns"][row]) == end.turns
    assert game.labels["end"][int(c["end"][row])] == end.end
