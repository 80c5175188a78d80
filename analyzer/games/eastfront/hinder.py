"""Hindering another player (E7 B): target, named card, cover, and what the card does (rulings 5 to 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Decision
from analyzer.games.eastfront import counting
from analyzer.games.eastfront.state import EastfrontState
from analyzer.games.eastfront.tables import U8
from analyzer.games.eastfront.view import EastfrontView
from analyzer.sim.chance import Luck

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
_ONE = np.uint8(1)


@dataclass(eq=False)
class Hindering:
    """All cards that hinder played in one turn. `card` counts among those cards, everything else is [row]."""

    game: Eastfront
    state: EastfrontState
    seat: int
    turn: int
    luck: Luck

    def run(self, rows: Rows, card: U8) -> Any:
        """Ask whom (and which German card), spend the card, offer cover, carry it out."""
        t = self.game.tables
        view = EastfrontView(self.game, self.state, self.seat, self.turn, rows).about_card(card)
        legal = self.legal_targets(rows, card)
        place = yield Decision("target", self.seat, view, legal, {"player": slice(None)}, rows)
        target = t.seats_clockwise[self.seat][place]
        named = yield from self._name(rows, card, target)
        self._spend(np.full(rows.size, self.seat), rows, card + np.uint8(t.hinder.start))
        leader = self._leads(rows, target)
        covered = yield from self._cover(rows, card, target, named)
        counting.hindered(self.state, self.seat, card, target, leader, covered)
        hit = (covered == 0).nonzero()[0]
        self._effect(rows.take(hit), card.take(hit), target.take(hit), named.take(hit))

    def legal_targets(self, rows: Rows, card: U8) -> U8:
        """0/1 [place clockwise, row]: whom each card may be played on (R5, R6)."""
        t, state = self.game.tables, self.state
        others = t.seats_clockwise[self.seat, :-1]
        there = state.presence[others].take(rows, axis=1) & t.hinder_against.take(card)
        legal = np.greater(there, 0).view(np.uint8)
        for effect, allowed in (("discard", state.size), ("halt", state.halted ^ _ONE)):
            for h in t.hinders_with(effect):
                some = (card == h).nonzero()[0]
                legal[:, some] = allowed[others].take(rows.take(some), axis=1) > 0
        return legal

    def _name(self, rows: Rows, card: U8, target: Rows) -> Any:
        """R5: the German card that is hit, uint8[row]; 255 for a card that names none."""
        t, state = self.game.tables, self.state
        named = np.full(rows.size, 255, np.uint8)
        some = t.hinder_against.take(card).nonzero()[0]
        if some.size:
            whom, lanes = target.take(some), rows.take(some)
            presence = state.presence.reshape(-1).take(whom * state.over.size + lanes)
            presence &= t.hinder_against.take(card.take(some))
            legal = ((presence & t.bits[:, None]) > 0).view(np.uint8)
            view = EastfrontView(self.game, state, self.seat, self.turn, lanes)
            view.about_card(card.take(some), whom)
            named[some] = yield Decision("name", self.seat, view, legal, {"german": t.german}, lanes)
        return named

    def _leads(self, rows: Rows, target: Rows) -> U8:
        """1 where nobody else but the hinderer has taken more friends than the target."""
        friends = self.state.friends.take(rows, axis=1)
        friends[self.seat] = 0
        own = friends[target, np.arange(rows.size)]
        return (np.maximum.reduce(friends, axis=0) <= own).view(np.uint8)

    def _cover(self, rows: Rows, card: U8, target: Rows, named: U8) -> Any:
        """E20, R7: offered to the target when all is named; 1 where it cancels the card, uint8[row]."""
        t, state = self.game.tables, self.state
        covered = np.zeros(rows.size, np.uint8)
        has = state.hand[target, t.cover, rows] > 0
        for other in t.seats_clockwise[self.seat, :-1].tolist():
            asked = (has & (target == other)).nonzero()[0]
            if not asked.size:
                continue
            lanes = rows.take(asked)
            view = EastfrontView(self.game, state, other, self.turn, lanes)
            view.about_card(card.take(asked), target.take(asked), named.take(asked))
            legal = np.ones((2, asked.size), np.uint8)
            yes = yield Decision("cover", other, view, legal, {"keep": 0, "play": 1}, lanes)
            counting.reaction(state, other, counting.COVER, yes)
            plays = yes.nonzero()[0]
            covered[asked] = yes
            where = lanes.take(plays)
            self._spend(target.take(asked.take(plays)), where, np.full(plays.size, t.cover, np.uint8))
        return covered

    def _spend(self, seat: Rows, rows: Rows, kind: U8) -> None:
        """One card of type `kind` [row] is played out of the hand of `seat` [row]."""
        there = (seat * self.game.tables.types + kind) * self.state.over.size + rows
        played = self.state.played.reshape(-1)
        played[there] += _ONE
        self._move(self.state.hand, there, seat, rows, np.uint8(255))

    def _move(self, pile: U8, there: Rows, seat: Rows, rows: Rows, step: np.uint8) -> None:
        """A hand gets one card more (1) or less (255)."""
        flat, size = pile.reshape(-1), self.state.size.reshape(-1)
        flat[there] += step
        size[seat * self.state.over.size + rows] += step

    def _effect(self, rows: Rows, card: U8, target: Rows, named: U8) -> None:
        """What the cards do that nobody covered."""
        for h, effect in enumerate(self.game.tables.effects):
            some = (card == h).nonzero()[0]
            if some.size:
                _EFFECTS[effect](self, rows.take(some), h, target.take(some), named.take(some))

    def _destroy(self, rows: Rows, card: int, target: Rows, named: U8) -> None:
        """Soviet fire at one German card (destroyed if strictly greater), or a breakdown."""
        t = self.game.tables
        hit = (t.german_defence.take(named) < t.hinder_fire[card]).nonzero()[0]
        self.game.remove(self.state, target.take(hit), rows.take(hit), named.take(hit))

    def _recall(self, rows: Rows, card: int, target: Rows, named: U8) -> None:
        """The German card goes back to its owner's hand."""
        self.game.remove(self.state, target, rows, named)
        there = (target * self.game.tables.types + named) * self.state.over.size + rows
        self._move(self.state.hand, there, target, rows, _ONE)

    def _halt(self, rows: Rows, card: int, target: Rows, named: U8) -> None:
        """R6: no attack to the end of the target's next turn."""
        self.state.halted[target, rows] = 1

    def _lose_a_card(self, rows: Rows, card: int, target: Rows, named: U8) -> None:
        """R5: a card of the hand, uniform over the hand, is discarded."""
        state = self.state
        size = state.size[target, rows]
        there = (size > 0).nonzero()[0]
        rows, target, size = rows.take(there), target.take(there), size.take(there)
        pick = self.luck.pick(size, self.turn, 0, state.rows.take(rows)).astype(np.intp)
        upto = np.add.accumulate(state.hand[target, :, rows], axis=1, dtype=np.intp)
        kind = np.add.reduce(upto <= pick[:, None], axis=1)
        at = (target * self.game.tables.types + kind) * state.over.size + rows
        self._move(state.hand, at, target, rows, np.uint8(255))


_EFFECTS: dict[str, Callable[..., None]] = {
    "fire": Hindering._destroy,
    "destroy": Hindering._destroy,
    "recall": Hindering._recall,
    "halt": Hindering._halt,
    "discard": Hindering._lose_a_card,
}
