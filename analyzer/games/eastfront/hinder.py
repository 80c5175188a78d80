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
from analyzer.games.eastfront.tables import ANSWERS, U8, yes_or_no
from analyzer.games.eastfront.view import EastfrontView
from analyzer.sim.chance import Luck

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
_ONE, _LESS, _BYTE = np.uint8(1), np.uint8(255), np.uint16(8)
_NO_CARD = 255


@dataclass(eq=False)
class Hindering:
    """All cards that hinder played in one turn. `card` counts among those cards, everything else is [row].

    `at` is the place of each target in arrays [seat, game], flat.
    """

    game: Eastfront
    state: EastfrontState
    seat: int
    turn: int
    luck: Luck

    def run(self, rows: Rows, card: U8) -> Any:
        """Ask whom (and which German card), spend the card, offer cover, carry it out."""
        t, state = self.game.tables, self.state
        self.lanes = state.over.size
        view = EastfrontView(self.game, state, self.seat, self.turn, rows).about_card(card)
        legal = self.legal_targets(rows, card)
        place = yield Decision("target", self.seat, view, legal, {"player": slice(None)}, rows)
        target = t.seats_clockwise[self.seat].take(place)
        at = target * self.lanes + rows
        named = yield from self._name(rows, card, target, at)
        self._spend(card + np.uint8(t.hinder.start), np.intp(self.seat), self.seat * self.lanes + rows)
        leads = self._leads(rows, at)
        covered = yield from self._cover(rows, card, target, at, named)
        counting.hindered(state, self.seat, card, target, leads, covered)
        hit = (covered == 0).nonzero()[0]
        self._effects(rows.take(hit), card.take(hit), target.take(hit), named.take(hit))

    def legal_targets(self, rows: Rows, card: U8) -> U8:
        """0/1 [place clockwise, row]: whom each card may be played on (R5, R6)."""
        t, state = self.game.tables, self.state
        others = t.seats_clockwise[self.seat, :-1].tolist()
        against = t.hinder_against.take(card)
        legal = np.empty((len(others), rows.size), np.uint8)
        for row, other in zip(legal, others, strict=True):
            np.greater(state.presence[other].take(rows) & against, 0, out=row.view(bool))
        without = (against == 0).nonzero()[0]
        if without.size:
            lanes, discard = rows.take(without), t.is_discard.take(card.take(without))
            for row, other in zip(legal, others, strict=True):
                some = state.size[other].take(lanes) > 0
                row[without] = np.where(discard, some, state.halted[other].take(lanes) ^ _ONE)
        return legal

    def _name(self, rows: Rows, card: U8, target: Rows, at: Rows) -> Any:
        """R5: the German card that is hit, uint8[row]; 255 for a card that names none."""
        t, state = self.game.tables, self.state
        named = np.full(rows.size, _NO_CARD, np.uint8)
        some = (t.hinder_against.take(card) > 0).nonzero()[0]
        if some.size:
            presence = state.presence.reshape(-1).take(at.take(some))
            presence &= t.hinder_against.take(card.take(some))
            legal = ((presence & t.bits[:, None]) > 0).view(np.uint8)
            lanes = rows.take(some)
            view = EastfrontView(self.game, state, self.seat, self.turn, lanes)
            view.about_card(card.take(some), presence=presence)
            named[some] = yield Decision("name", self.seat, view, legal, {"german": t.german}, lanes)
        return named

    def _leads(self, rows: Rows, at: Rows) -> U8:
        """1 where nobody else but the hinderer has taken more friends than the target."""
        standing = self.state.standing
        others = [standing[other].take(rows) for other in self.game.tables.seats_clockwise[self.seat, :-1]]
        own = standing.reshape(-1).take(at)
        return (np.maximum.reduce(others) >> _BYTE <= own >> _BYTE).view(np.uint8)

    def _cover(self, rows: Rows, card: U8, target: Rows, at: Rows, named: U8) -> Any:
        """E20, R7: offered to the target when all is named; 1 where it cancels the card, uint8[row]."""
        t, state = self.game.tables, self.state
        covered = np.zeros(rows.size, np.uint8)
        held = state.hand.reshape(-1).take(at + (target * (t.types - 1) + t.cover) * self.lanes)
        has = (held > 0).nonzero()[0]
        for other in t.seats_clockwise[self.seat, :-1].tolist():
            asked = has[target.take(has) == other]
            if not asked.size:
                continue
            lanes = rows.take(asked)
            view = EastfrontView(self.game, state, other, self.turn, lanes)
            view.about_card(card.take(asked), named.take(asked))
            yes = yield Decision("cover", other, view, yes_or_no(asked.size), ANSWERS, lanes)
            covered[asked] = yes
            plays = at.take(asked.take(yes.view(bool).nonzero()[0]))
            counting.reaction(state, other, counting.COVER, yes.size, plays.size)
            self._spend(np.full(plays.size, t.cover, np.uint8), np.intp(other), plays)
        return covered

    def _spend(self, kind: U8, seat: np.intp, at: Rows) -> None:
        """One card of type `kind` [row] is played out of the hand of `seat`."""
        self._move(at + (seat * (self.game.tables.types - 1) + kind) * self.lanes, at, _LESS)

    def _move(self, there: Rows, at: Rows, step: np.uint8) -> None:
        """A hand gets one card more (1) or less (255)."""
        hand, size = self.state.hand.reshape(-1), self.state.size.reshape(-1)
        hand[there] += step
        size[at] += step

    def _effects(self, rows: Rows, card: U8, target: Rows, named: U8) -> None:
        """What the cards do that nobody covered."""
        t = self.game.tables
        hit = (t.defence_of_named.take(named) < t.hinder_fire.take(card)).nonzero()[0]
        rows_hit, gone, seat = rows.take(hit), named.take(hit), target.take(hit)
        at = seat * self.lanes + rows_hit
        there = at + (seat * (t.germans - 1) + gone) * self.lanes
        self.game.remove(self.state, at, there, gone)
        for h, effect in enumerate(t.effects):
            if effect in _EFFECTS:
                some = (card == h).nonzero()[0]
                _EFFECTS[effect](self, rows.take(some), target.take(some), named.take(some))

    def _recall(self, rows: Rows, target: Rows, named: U8) -> None:
        """The German card, taken from the table, goes back to its owner's hand."""
        at = target * self.lanes + rows
        there = at + (target * (self.game.tables.types - 1) + named) * self.lanes
        self.state.shed.reshape(-1)[there] -= _ONE
        self._move(there, at, _ONE)

    def _halt(self, rows: Rows, target: Rows, named: U8) -> None:
        """R6: no attack to the end of the target's next turn."""
        self.state.halted[target, rows] = 1

    def _lose_a_card(self, rows: Rows, target: Rows, named: U8) -> None:
        """R5: a card of the hand, uniform over the hand, is discarded."""
        state = self.state
        at = target * self.lanes + rows
        size = state.size.reshape(-1).take(at)
        there = (size > 0).nonzero()[0]
        rows, target, at, size = rows.take(there), target.take(there), at.take(there), size.take(there)
        pick = self.luck.pick(size, self.turn, 0, state.rows.take(rows)).astype(np.uint8)
        place, hand = at + target * ((self.game.tables.types - 1) * self.lanes), state.hand.reshape(-1)
        upto, kind = np.zeros(rows.size, np.uint8), np.zeros(rows.size, np.uint8)
        for _ in range(self.game.tables.types):
            upto += hand.take(place)
            kind += upto <= pick
            place += self.lanes
        there = at + (target * (self.game.tables.types - 1) + kind) * self.lanes
        state.shed.reshape(-1)[there] += _ONE
        self._move(there, at, _LESS)


# What a card does besides taking the named card from the table: `fire`, `destroy` and `recall` all do that.
_EFFECTS: dict[str, Callable[[Hindering, Rows, Rows, U8], None]] = {
    "recall": Hindering._recall,
    "halt": Hindering._halt,
    "discard": Hindering._lose_a_card,
}
