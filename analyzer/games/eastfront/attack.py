"""The attack of Eastfront 1944 (E12 to E18): a loop of exchanges, on the rows of the games that go on.

The order inside an exchange is ruling 2: reveal, support cards, pillbox, the left neighbour's target, fire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Decision
from analyzer.games.eastfront import counting
from analyzer.games.eastfront.state import CLEARED, FRIEND, HALF, TOP, EastfrontState
from analyzer.games.eastfront.tables import ANSWERS, U8, U16, yes_or_no
from analyzer.games.eastfront.view import EastfrontView

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
_ONE = np.uint8(1)


@dataclass(eq=False, slots=True)
class Exchange:
    """One exchange in some games: who stands against whom, and what the cards played change.

    `values` uint8[8, row] are, in this order: `soviet` (type), `need` (what the German fire must exceed),
    `force` (fire of the table), `fire` (with support), `victim` (the best German card the Soviet card can
    destroy, else the least), `lost` (its fire, 0 if it cannot be destroyed), `first` (1: the Germans fire
    first), `silent` (1: the Soviets do not fire). One array, so that rows are picked out in one call.
    """

    seat: int  # the attacker
    number: int  # 0 for the first of the attack
    rows: Rows  # lanes
    presence: U16
    values: U8

    def take(self, keep: Rows) -> Exchange:
        """The exchange of these rows only (a copy)."""
        values = self.values.take(keep, axis=1)
        return Exchange(self.seat, self.number, self.rows.take(keep), self.presence.take(keep), values)


SOVIET, NEED, FORCE, FIRE, VICTIM, LOST, FIRST, SILENT = range(8)


@dataclass(eq=False)
class Attack:
    """All attacks of one turn."""

    game: Eastfront
    state: EastfrontState
    seat: int
    turn: int

    def run(self, rows: Rows, stack: U8) -> Any:
        """Exchanges until no game goes on: `rows` are the lanes that attack, `stack` the stacks chosen."""
        if not rows.size:
            return
        state, t = self.state, self.game.tables
        self.lanes = state.over.size
        self.others = t.seats_clockwise[self.seat, :-1].tolist()
        # Who may play a support card or a pillbox in this turn: nobody draws before its end.
        self.supported = np.bitwise_or.reduce(state.hand[self.seat, t.support], axis=0, initial=0)
        self.pillboxes = np.bitwise_or.reduce([state.hand[other, t.pillbox] for other in self.others])
        chosen, number = stack.astype(np.intp), 0
        while rows.size:
            rows, chosen = yield from self._exchange(rows, chosen, number)
            number += 1

    def _view(self, exchange: Exchange, seat: int) -> EastfrontView:
        view = EastfrontView(self.game, self.state, seat, self.turn, exchange.rows)
        view.about_exchange(exchange)
        return view

    def _exchange(self, rows: Rows, stack: Rows, number: int) -> Any:
        """One exchange; the rows that go on and their stacks."""
        there = stack * self.lanes + rows
        exchange = self._reveal(rows, stack, there, number)
        yield from self._support(exchange)
        yield from self._pillbox(exchange)
        soviet, need, _, fire, _, _, first, silent = exchange.values
        lost = np.zeros(rows.size, np.uint8)
        beaten = first & (fire > need).view(np.uint8)  # R3
        firing = ((silent | beaten) == 0).nonzero()[0]
        before = fire.copy()
        if firing.size:
            lost[firing] = yield from self._soviet_fire(exchange, firing)
        # E15: strictly greater, with a German card left; R3: after an ambush the Germans do not fire again.
        fires = (exchange.presence > 0).view(np.uint8) > first
        beaten |= (fires & (fire > need)).view(np.uint8)
        counting.exchanges(self.state, exchange, before, beaten, lost)
        won = beaten.nonzero()[0]  # E16: the others' attacks end
        return (yield from self._go_on(rows.take(won), stack.take(won), there.take(won), soviet, won, number))

    def _reveal(self, rows: Rows, stack: Rows, there: Rows, number: int) -> Exchange:
        """E12: the top card is turned up if it lies face down."""
        state, t, seat = self.state, self.game.tables, self.seat
        stacks = state.stack.reshape(-1)
        byte = stacks.take(there)
        hidden = ((byte & TOP) == 0).nonzero()[0]
        if hidden.size:
            at, height = there.take(hidden), byte.take(hidden)
            depth = t.heights.take(stack.take(hidden)) - (height >> HALF)
            kind = state.soviet.reshape(-1).take(at + depth * np.intp(t.stacks * self.lanes))
            height += kind + _ONE
            byte[hidden] = stacks[at] = height
            state.opened.reshape(-1)[at] = self.turn + 1
            state.unseen[rows.take(hidden)] -= t.one_unseen.take(kind)
        values = np.zeros((8, rows.size), np.uint8)
        soviet = np.bitwise_and(byte, TOP, out=values[SOVIET])
        soviet -= _ONE
        presence = state.presence[seat].take(rows)
        key = soviet * np.intp(t.presences) + presence
        t.soviet_defence.take(soviet, out=values[NEED])
        values[FORCE] = values[FIRE] = state.standing[seat].take(rows).astype(np.uint8)
        for place, table in zip((VICTIM, LOST), t.shot, strict=True):
            table.take(key, out=values[place])
        return Exchange(seat, number, rows, presence, values)

    def _support(self, exchange: Exchange) -> Any:
        """E14, R2: support cards one by one, after the reveal and before the fire."""
        state, t, seat = self.state, self.game.tables, self.seat
        going, once = self.supported.take(exchange.rows).nonzero()[0], self.game.rules.support_limit == "one"
        number = 0
        while going.size:
            part = exchange.take(going)
            legal = np.empty((t.supports + 1, going.size), np.uint8)
            held = state.hand[seat, t.support].take(part.rows, axis=1)
            np.greater(held, 0, out=legal[:-1].view(bool))
            legal[-1] = 1
            slot = exchange.number * 64 + number
            view = self._view(part, seat)
            code = yield Decision("support", seat, view, legal, t.support_blocks, part.rows, slot=slot)
            plays = (code < t.supports).nonzero()[0]
            if not plays.size:
                return
            going, code, rows = going.take(plays), code.take(plays), part.rows.take(plays)
            self._spend(seat, code + np.uint8(t.support.start), rows)
            values = exchange.values
            values[FIRE, going] += t.support_fire.take(code)
            values[FIRST, going] |= t.support_first.take(code)
            values[SILENT, going] |= t.support_silent.take(code)
            held = np.bitwise_or.reduce(state.hand[seat, t.support].take(rows, axis=1), axis=0)
            self.supported[rows] = held
            going = going[:0] if once else going.take(held.nonzero()[0])
            number += 1

    def _spend(self, seat: int, kind: U8, rows: Rows) -> None:
        """One card of type `kind` [row] is played out of the hand."""
        state = self.state
        there = kind * np.intp(self.lanes) + rows
        hand, played, size = (array[seat].reshape(-1) for array in (state.hand, state.played, state.size))
        hand[there] -= _ONE
        played[there] += _ONE
        size[rows] -= _ONE

    def _pillbox(self, exchange: Exchange) -> Any:
        """E20: offered to the others, left neighbour first; at most one an exchange (R2)."""
        state, t = self.state, self.game.tables
        open_to = self.pillboxes.take(exchange.rows).nonzero()[0]
        if not open_to.size:
            return
        needed = exchange.values[NEED].copy()  # a pillbox changes it: nobody else is asked there
        for other in self.others:
            offered = state.hand[other, t.pillbox].take(exchange.rows.take(open_to)).nonzero()[0]
            if not offered.size:
                continue
            here = open_to.take(offered)
            part = exchange.take(here)
            legal = yes_or_no(here.size)
            view = self._view(part, other)
            yes = yield Decision("pillbox", other, view, legal, ANSWERS, part.rows, slot=2 * exchange.number)
            counting.reaction(state, other, counting.PILLBOX, yes)
            plays = yes.nonzero()[0]
            if plays.size:
                rows = part.rows.take(plays)
                self._spend(other, np.full(plays.size, t.pillbox, np.uint8), rows)
                exchange.values[NEED, here.take(plays)] += np.uint8(t.pillbox_defence)
                self.pillboxes[rows] = np.bitwise_or.reduce(
                    [state.hand[one, t.pillbox].take(rows) for one in self.others]
                )
                open_to = open_to[exchange.values[NEED].take(open_to) == needed.take(open_to)]

    def _soviet_fire(self, exchange: Exchange, firing: Rows) -> Any:
        """E13: the left neighbour names a card; 1 where it is destroyed (strictly greater), uint8[firing]."""
        state, t, seat = self.state, self.game.tables, self.seat
        part = exchange if firing.size == exchange.rows.size else exchange.take(firing)
        neighbour = self.others[0]
        legal = ((part.presence & t.bits[:, None]) > 0).view(np.uint8)
        view = self._view(part, neighbour)
        victim = yield Decision(
            "shoot", neighbour, view, legal, {"german": t.german}, part.rows, slot=2 * exchange.number
        )
        lost = (t.german_defence.take(victim) < t.soviet_fire.take(part.values[SOVIET])).view(np.uint8)
        hit = lost.nonzero()[0]
        if hit.size:
            gone, back, rows = victim.take(hit), firing.take(hit), part.rows.take(hit)
            self.game.remove(state, seat, rows, gone)
            exchange.values[FIRE, back] -= t.german_fire.take(gone)
            exchange.presence[back] = state.presence[seat].take(rows)
        return lost

    def _go_on(self, rows: Rows, stack: Rows, there: Rows, soviet: U8, won: Rows, number: int) -> Any:
        """E17, E18: take the destroyed cards away and a friend for a cleared stack; ask who goes on where."""
        if not rows.size:
            return rows, stack
        state, t = self.state, self.game.tables
        stacks = state.stack.reshape(-1)
        counting.beaten(state, soviet.take(won), self.turn + 1 - state.opened.reshape(-1).take(there))
        more = (stacks.take(there) >> HALF) - _ONE
        cleared = (more == 0).view(np.uint8)
        stacks[there] = (more << HALF) + cleared * CLEARED
        gone = cleared.nonzero()[0]
        if gone.size:
            self._rescue(rows.take(gone))
        now = state.stack.take(rows, axis=1)
        legal = self._legal_to_go_on(rows, stack, cleared, now)
        asked = np.bitwise_or.reduce(legal[:-1], axis=0).nonzero()[0]
        if asked.size < rows.size:
            rows, legal, now = rows.take(asked), legal.take(asked, axis=1), now.take(asked, axis=1)
            if not rows.size:
                return rows, rows
        view = EastfrontView(self.game, state, self.seat, self.turn, rows).about_stacks(now)
        slot = 2 * number
        code = yield Decision("go_on", self.seat, view, legal, t.stack_blocks, rows, slot=slot)
        on = (code < t.no_stack).nonzero()[0]
        return rows.take(on), code.take(on).astype(np.intp)

    def _legal_to_go_on(self, rows: Rows, stack: Rows, cleared: U8, now: U8) -> U8:
        """0/1 [stack or stop, row]: the stacks an attack may go on with; `now` are their bytes."""
        t, rule = self.game.tables, self.game.rules.go_on
        legal = np.empty((t.stacks + 1, rows.size), np.uint8)
        stacks = np.not_equal(now, CLEARED, out=legal[:-1].view(bool)).view(np.uint8)
        if rule != "any":
            same = np.equal(t.places, stack).view(np.uint8)
            stacks &= same | cleared if rule == "same_then_any" else same
        if self.game.rules.game_end == "at_once":
            stacks &= self.state.over.take(rows) ^ _ONE
        legal[-1] = 1
        return legal

    def _rescue(self, rows: Rows) -> None:
        """E18: take a friend card, unseen (R8)."""
        state, t, seat = self.state, self.game.tables, self.seat
        taken = state.rescued.take(rows)
        left = (taken < len(t.friend_deck)).nonzero()[0]
        rows, taken = rows.take(left), taken.take(left)
        kind = state.friend.reshape(-1).take(taken * np.intp(self.lanes) + rows)
        standing, points = state.standing[seat], state.points[seat]
        standing[rows] += FRIEND
        points[rows] += t.friend_points.take(kind)
        state.rescued[rows] = taken + _ONE
        counting.rescues(state, seat, self.turn, rows.size)
        if self.game.rules.game_end == "at_once":
            state.over[rows[taken + _ONE == len(t.friend_deck)]] = 1
