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
from analyzer.games.eastfront.exchange import (
    FIRE,
    FIRST,
    FORCE,
    LOST,
    NEED,
    RISK,
    SILENT,
    SOVIET,
    VICTIM,
    Exchange,
)
from analyzer.games.eastfront.state import CLEARED, FRIEND, TOP, EastfrontState
from analyzer.games.eastfront.tables import ANSWERS, U8, yes_or_no
from analyzer.games.eastfront.view import EastfrontView
from analyzer.sim.cards import some

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
_ONE = np.array(1, np.uint8)
_BY_SUPPORT = (FIRE, FIRST, SILENT, LOST, RISK)  # what support changes
_FIRST_SILENT, _LOST_RISK = slice(FIRST, LOST), slice(LOST, RISK + 1)
_BITS = [np.array(1 << k, np.uint8) for k in range(8)]


@dataclass(eq=False)
class Attack:
    """All attacks of one turn. (`nonzero` of truth values is much faster than of bytes.)"""

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
        # Flat places: of each stack's bottom, of a card above it by the byte, and of the own German cards.
        self.bottom = (t.places[:, 0] + t.heights * np.intp(t.stacks)) * self.lanes
        self.above = (np.arange(256) >> 4) * (t.stacks * self.lanes)
        self.of_german = (self.seat * t.germans + np.arange(t.germans)) * self.lanes
        # Who may play a support card or a pillbox in this turn: nobody draws before its end.
        self.supported = np.bitwise_or.reduce(state.hand[self.seat, t.support], axis=0, initial=0)
        self.pillboxes = self._who_holds_pillboxes()
        self.fought = counting.Fought()
        chosen, number = stack.astype(np.intp), 0
        while rows.size:
            rows, chosen = yield from self._exchange(rows, chosen, number)
            number += 1
        counting.exchanges(state, self.seat, self.turn, self.fought)

    def _who_holds_pillboxes(self) -> U8:
        """uint8[game]: bit k is set if the k-th other player holds a pillbox."""
        held = np.zeros(self.lanes, np.uint8)
        for k, other in enumerate(self.others):
            held |= some(self.state.hand[other, self.game.tables.pillbox]) << np.uint8(k)
        return held

    def _view(self, exchange: Exchange, seat: int) -> EastfrontView:
        view = EastfrontView(self.game, self.state, seat, self.turn, exchange.rows)
        view.about_exchange(exchange)
        return view

    def _exchange(self, rows: Rows, stack: Rows, number: int) -> Any:
        """One exchange; the rows that go on and their stacks."""
        state, there = self.state, stack * self.lanes
        there += rows
        exchange, byte = self._reveal(rows, stack, there, number)
        supported = yield from self._support(exchange)
        yield from self._pillbox(exchange)
        values = exchange.values
        fire, need = values[FIRE], values[NEED]
        before = fire.copy()
        if supported:
            first = values[FIRST]
            beaten = first & (fire > need).view(np.uint8)  # R3
            lost = yield from self._soviet_fire(exchange, ((values[SILENT] | beaten) == 0).nonzero()[0])
            # E15: strictly greater, with a German card left; R3: after an ambush they do not fire again.
            fires = (state.presence[self.seat].take(rows) > 0).view(np.uint8) > first
            beaten |= (fires & (fire > need)).view(np.uint8)
        else:
            lost = yield from self._soviet_fire(exchange)
            beaten = (fire > need).view(np.uint8)  # E15: there is no fire without a German card
        won = beaten.view(bool).nonzero()[0]  # E16: the others' attacks end
        self.fought.exchange(values[SOVIET], before, beaten, lost, won.size)
        if not won.size:
            return won, won
        return (yield from self._go_on(exchange, stack, there, byte, won))

    def _reveal(self, rows: Rows, stack: Rows, there: Rows, number: int) -> tuple[Exchange, U8]:
        """E12: the top card is turned up if it lies face down; the exchange and the stack's byte then."""
        state, t, seat = self.state, self.game.tables, self.seat
        stacks, values = state.stack.reshape(-1), np.empty((9, rows.size), np.uint8)
        byte, soviet = stacks.take(there), values[SOVIET]
        place = self.bottom.take(stack)
        place += rows
        place -= self.above.take(byte)
        state.soviet.reshape(-1).take(place, out=soviet, mode="clip")
        hidden = ((byte & TOP) == 0).nonzero()[0]
        if hidden.size:
            at, kind = there.take(hidden), soviet.take(hidden)
            byte[hidden] = stacks[at] = byte.take(hidden) + kind + _ONE
            state.opened.reshape(-1)[at] = self.turn + 1
            state.unseen[rows.take(hidden)] -= t.one_unseen.take(kind)
        presence = state.presence[seat].take(rows)
        key = soviet.astype(np.intp)
        t.soviet_defence.take(key, out=values[NEED], mode="clip")
        key *= t.presences
        key += presence
        values[FORCE] = values[FIRE] = state.standing[seat].take(rows)  # the low byte of it
        victim, lost = t.shot
        victim.take(key, out=values[VICTIM], mode="clip")
        values[_FIRST_SILENT] = 0
        values[_LOST_RISK] = lost.take(key)
        return Exchange(seat, number, rows, presence, values), byte

    def _support(self, exchange: Exchange) -> Any:
        """E14, R2: support cards one by one, after the reveal and before the fire; whether any was played."""
        state, t, seat = self.state, self.game.tables, self.seat
        going, once = (
            (self.supported.take(exchange.rows) > 0).nonzero()[0],
            self.game.rules.support_limit == "one",
        )
        cards, part, number = state.hand[seat, t.support], exchange.take(going), 0
        while going.size:
            legal = np.empty((t.supports + 1, going.size), np.uint8)
            np.greater(cards.take(part.rows, axis=1), 0, out=legal[:-1].view(bool))
            legal[-1] = 1
            slot = exchange.number * 64 + number
            view = self._view(part, seat)
            code = yield Decision("support", seat, view, legal, t.support_blocks, part.rows, slot=slot)
            plays = (code < t.supports).nonzero()[0]
            if not plays.size:
                break
            going, code, part, number = going.take(plays), code.take(plays), part.take(plays), number + 1
            self._spend(seat, code + np.uint8(t.support.start), part.rows)
            self._strengthen(part.values, code)
            for k in _BY_SUPPORT:
                exchange.values[k][going] = part.values[k]
            held = np.bitwise_or.reduce(cards.take(part.rows, axis=1), axis=0)
            self.supported[part.rows] = held
            if once:
                break
            again = (held > 0).nonzero()[0]
            going, part = going.take(again), part.take(again)
        return number > 0

    def _strengthen(self, values: U8, code: U8) -> None:
        """What a support card `code` [row] changes in the exchanges `values`, in place."""
        effects = self.game.tables.support_effects.take(code, axis=1)
        values[FIRE] += effects[0]
        values[_FIRST_SILENT] |= effects[1:3]
        values[_LOST_RISK] *= effects[3:]

    def _spend(self, seat: int, kind: U8, rows: Rows) -> None:
        """One card of type `kind` [row] is played out of the hand."""
        state = self.state
        there = kind * np.intp(self.lanes)
        there += rows
        hand, size = state.hand[seat].reshape(-1), state.size[seat]
        hand[there] -= _ONE
        size[rows] -= _ONE

    def _pillbox(self, exchange: Exchange) -> Any:
        """E20: offered to the others, left neighbour first; at most one an exchange (R2)."""
        state, t = self.state, self.game.tables
        holders = self.pillboxes.take(exchange.rows)
        open_to = (holders > 0).nonzero()[0]
        if not open_to.size:
            return
        holders, need = holders.take(open_to), exchange.values[NEED]
        for k, other in enumerate(self.others):
            offered = ((holders & _BITS[k]) > 0).nonzero()[0]
            if not offered.size:
                continue
            here = open_to.take(offered)
            part = exchange.take(here)
            legal, slot = yes_or_no(here.size), 2 * exchange.number
            yes = yield Decision(
                "pillbox", other, self._view(part, other), legal, ANSWERS, part.rows, slot=slot
            )
            plays = yes.view(bool).nonzero()[0]
            counting.reaction(state, other, counting.PILLBOX, yes.size, plays.size)
            if plays.size:
                rows = part.rows.take(plays)
                self._spend(other, np.full(plays.size, t.pillbox, np.uint8), rows)
                need[here.take(plays)] += np.uint8(t.pillbox_defence)
                spent = (state.hand[other, t.pillbox].take(rows) == 0).view(np.uint8)
                self.pillboxes[rows] ^= spent << np.uint8(k)
                holders[offered.take(plays)] = 0  # nobody else is asked there

    def _soviet_fire(self, exchange: Exchange, firing: Rows | None = None) -> Any:
        """E13: the left neighbour names a card; 1 where it is destroyed (strictly greater), uint8[row].

        The Soviets fire in the rows `firing`; None: in all.
        """
        t = self.game.tables
        part, neighbour = exchange if firing is None else exchange.take(firing), self.others[0]
        lost = np.zeros(exchange.rows.size, np.uint8)
        if not part.rows.size:
            return lost
        legal = ((part.presence & t.bits[:, None]) > 0).view(np.uint8)
        view, slot = self._view(part, neighbour), 2 * exchange.number
        victim = yield Decision("shoot", neighbour, view, legal, {"german": t.german}, part.rows, slot=slot)
        hit = (t.german_defence.take(victim) < t.soviet_fire.take(part.values[SOVIET])).nonzero()[0]
        if hit.size:
            gone, rows = victim.take(hit), part.rows.take(hit)
            back = hit if firing is None else firing.take(hit)
            at = rows + np.intp(self.seat * self.lanes)
            self.game.remove(self.state, at, self.of_german.take(gone) + rows, gone)
            exchange.values[FIRE][back] -= t.german_fire.take(gone)
            lost[back] = 1
        return lost

    def _go_on(self, exchange: Exchange, stack: Rows, there: Rows, byte: U8, won: Rows) -> Any:
        """E17, E18: take the destroyed cards away and a friend for a cleared stack; ask who goes on where."""
        state, t = self.state, self.game.tables
        rows, stack, there = exchange.rows.take(won), stack.take(won), there.take(won)
        self.fought.beaten(exchange.values[SOVIET].take(won), state.opened.reshape(-1).take(there))
        left = t.byte_after.take(byte.take(won))
        state.stack.reshape(-1)[there] = left
        cleared = (left == CLEARED).view(np.uint8)
        gone = cleared.view(bool).nonzero()[0]
        if gone.size:
            self._rescue(rows.take(gone))
        now = state.stack.take(rows, axis=1)
        legal = self._legal_to_go_on(rows, stack, cleared, now)
        if gone.size:  # where none is, the attack may go on with the same stack
            asked = np.bitwise_or.reduce(legal[:-1], axis=0).view(bool).nonzero()[0]
            if not asked.size:
                return asked, asked
            if asked.size < rows.size:
                rows, legal, now = rows.take(asked), legal.take(asked, axis=1), now.take(asked, axis=1)
        view = EastfrontView(self.game, state, self.seat, self.turn, rows).about_stacks(now)
        slot = 2 * exchange.number
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
            if rule == "same_then_any":
                same |= cleared
            stacks &= same
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
        self.fought.rescued += rows.size
        if self.game.rules.game_end == "at_once":
            state.over[rows[taken + _ONE == len(t.friend_deck)]] = 1
