"""Games that are watched while they are played: what a study wants to know beyond a run's own counts.

A watched game plays as the game it wraps, decision for decision. It is asked for like any other run, by a
`WatchedRequest`, so that watching is shared out among processes and added up as all else is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, Policy, Turn
from analyzer.registry import Room
from analyzer.sim.request import Request
from analyzer.sim.tally import Tally

MOST = 64  # pieces played in a game: so many and more are counted together


class Watched:
    """A game that is watched; what is seen is kept by block row until the block is over."""

    def __init__(self, game: Any, room: Room) -> None:
        self.game, self.room = game, room
        self.name: str = game.name
        self.players: int = game.players
        self.max_turns: int = game.max_turns
        self.policy_base: type[Policy] = game.policy_base
        self.labels = getattr(game, "labels", {})

    def __getattr__(self, name: str) -> Any:
        """What is not watched is the game's own."""
        if name == "game":  # not made yet
            raise AttributeError(name)
        return getattr(self.game, name)

    def start(self, luck: Any) -> Any:
        """The state of the block after setup."""
        state = self.game.start(luck)
        self.first, self.size = int(luck.rows[0]), int(luck.rows[-1] - luck.rows[0]) + 1
        self.begins(state)
        return state

    def turn(self, state: Any, turn: int, luck: Any) -> Turn:
        """A turn of the game, every decision seen as it is answered."""
        steps = self.game.turn(state, turn, luck)
        answer: Any = None
        while True:
            try:
                decision = steps.send(answer)
            except StopIteration:
                break
            answer = yield decision
            self.decides(state, turn, decision, answer)
        self.turn_ends(state, turn)

    def outcome(self, state: Any, lanes: NDArray[np.intp]) -> dict[str, Array]:
        """The game's own measures, and those that were watched."""
        columns: dict[str, Array] = self.game.outcome(state, lanes)
        return {**columns, **self.columns(state.rows[lanes] - self.first)}

    def tallies(self, state: Any, columns: dict[str, Array]) -> dict[str, Any]:
        """The game's own tallies, and what was counted."""
        return {**self.game.tallies(state, columns), **self.counted(columns)}

    # -- what a watch does; by default nothing ----------------------------------------------------------
    def begins(self, state: Any) -> None:
        """After setup."""

    def decides(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """After every answer, before it is carried out."""

    def turn_ends(self, state: Any, turn: int) -> None:
        """At the end of every turn of the engine (0-based)."""

    def columns(self, rows: NDArray[np.intp]) -> dict[str, Array]:
        """Measures of finished games, by place among the rows of the block."""
        return {}

    def counted(self, columns: dict[str, Array]) -> dict[str, Any]:
        """Tallies of the block; columns: the outcomes of its games in row order."""
        return {}

    def places(self, state: Any, decision: Decision | None = None) -> NDArray[np.intp]:
        """intp[row]: where the lanes (of a decision) stand among the rows of the block."""
        rows: NDArray[np.intp] = state.rows
        if decision is not None and decision.rows is not None:
            rows = rows.take(decision.rows)
        return rows - self.first


class CourseWatch(Watched):
    """Keeps the score of every seat by round, and whether the seat could do anything in it.

    Columns by round r (from 1): `score_r` int32[seat, game], as the round ended (or the game in it), and
    `free_r` uint8[seat, game], 1 if the seat had a choice by an act of its own; by sign k (from 1) of the
    course `sign_k_r` int16[seat, game]. Rounds after the end: 0.
    """

    def __init__(self, game: Any, room: Room) -> None:
        super().__init__(game, room)
        self.course = room.part("course").COURSE
        self.rounds = self.course.rounds(game)

    def begins(self, state: Any) -> None:
        shape = (self.rounds, self.players, self.size)
        self.score, self.free = np.zeros(shape, np.int32), np.zeros(shape, np.uint8)
        self.signs = np.zeros((self.rounds, len(self.course.signs), *shape[1:]), np.int16)

    def decides(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        if decision.kind not in self.course.acts:
            return
        free = np.add.reduce(decision.legal, axis=0, dtype=np.uint16) > 1
        if decision.asked is not None:
            free &= decision.asked.view(bool)
        now = self._now(state, turn)
        if decision.rows is not None and now.size > 1:
            now = now.take(decision.rows)
        place = self.places(state, decision)
        if now.size > 1:
            self.free[now[free], decision.seat, place[free]] = 1
        else:
            self.free[int(now[0]), decision.seat, place[free]] = 1

    def turn_ends(self, state: Any, turn: int) -> None:
        now, place = self._now(state, turn), self.places(state)
        points = self.course.points(self.game, state)
        if now.size == 1:
            self.score[int(now[0])][:, place] = points
        else:
            self.score[now, :, place] = points.T
        if self.course.also is None:
            return
        signs = self.course.also(self.game, state)
        if now.size == 1:
            self.signs[int(now[0])][..., place] = signs
        else:
            self.signs[now, :, :, place] = np.moveaxis(signs, -1, 0)

    def _now(self, state: Any, turn: int) -> NDArray[np.intp]:
        """intp[lane] (or [1]: the same in all): the round that is played."""
        return np.atleast_1d(np.asarray(self.course.round_of(self.game, state, turn), np.intp))

    def columns(self, rows: NDArray[np.intp]) -> dict[str, Array]:
        found: dict[str, Array] = {}
        for now in range(self.rounds):
            found[f"score_{now + 1}"] = self.score[now].take(rows, axis=1)
            found[f"free_{now + 1}"] = self.free[now].take(rows, axis=1)
            for sign, values in enumerate(self.signs[now], 1):
                found[f"sign_{sign}_{now + 1}"] = values.take(rows, axis=1)
        return found


class PlaysWatch(Watched):
    """Counts what winners and others held at the start and played: the tally `cards` of other games."""

    def __init__(self, game: Any, room: Room) -> None:
        super().__init__(game, room)
        self.plays = room.part("pieces").WATCHED
        self.names = self.plays.names(game)
        self.piece_of = [self.plays.piece_of(game, seat) for seat in range(game.players)]

    def begins(self, state: Any) -> None:
        self.played = [np.zeros((len(names), self.size), np.uint8) for names in self.names]
        self.held: list[NDArray[np.uint8]] = []

    def decides(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        if not self.held and self.plays.hand is not None:
            self.held = [self.plays.hand(self.game, state, seat).copy() for seat in range(self.players)]
        if decision.kind != self.plays.kind:
            return
        piece = self.piece_of[decision.seat].take(answer)
        there = piece >= 0
        if decision.asked is not None:
            there &= decision.asked.view(bool)
        place, played = self.places(state, decision)[there], self.played[decision.seat]
        piece = piece[there]
        played[piece, place] += played[piece, place] < MOST - 1

    def counted(self, columns: dict[str, Array]) -> dict[str, Any]:
        stats = {"opening": self.held, "played": self.played} if self.held else {"played": self.played}
        cards = list(dict.fromkeys(name for names in self.names for name in names))
        counts = np.zeros((self.players, len(stats), len(cards), MOST, 2), np.int64)
        for seat, names in enumerate(self.names):
            won = columns["winner"] == seat + 1
            for place, by_seat in enumerate(stats.values()):
                for name, values in zip(names, by_seat[seat], strict=True):
                    key = 2 * values.astype(np.intp) + won
                    counted = np.bincount(key, minlength=2 * MOST).reshape(MOST, 2)
                    counts[seat, place, cards.index(name)] = counted
        seats = tuple(range(1, self.players + 1))
        axes = {"seat": seats, "stat": tuple(stats), "card": cards, "count": range(MOST), "won": (0, 1)}
        return {"cards": Tally(axes, counts)}


@dataclass(frozen=True)
class WatchedRequest(Request):
    """A run of watched games. The games are those of the run without a watch."""

    watch: type[Watched] = Watched

    def make_game(self) -> Any:
        """The game under these rules, watched."""
        return self.watch(super().make_game(), self.room)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """As of the run that is not watched, and what is watched."""
        return {**super().identity, "watch": self.watch.__name__}


def watched(request: Request, watch: type[Watched]) -> WatchedRequest:
    """The same run, watched."""
    return WatchedRequest(**request.given(), watch=watch)
