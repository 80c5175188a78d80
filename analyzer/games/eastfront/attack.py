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
from analyzer.games.eastfront.exchange import Exchange
from analyzer.games.eastfront.state import CLEARED, FRIEND, TOP, EastfrontState
from analyzer.games.eastfront.tables import (
    ANSWERS,
    FIRE,
    FIRST,
    LEFT,
    LOST,
    NEED,
    SILENT,
    SOVIET,
    U8,
    U16,
    yes_or_no,
)
from analyzer.games.eastfront.view import EastfrontView
from analyzer.sim.cards import some

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
# Arrays without axes: on few rows they are quicker than scalars.
_ZERO, _ONE, _TOP, _CLEARED = (np.array(k, np.uint8) for k in (0, 1, TOP, CLEARED))
_NOBODY = np.array(0, np.uint16)
_BY_SUPPORT = (LEFT, FIRE, FIRST, SILENT, LOST)  # what support changes
_FIRST_SILENT = slice(FIRST, LOST)
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
        self.supports = self._which_supports()
        self.pillboxes = self._who_holds_pillboxes()
        self.fought = counting.Fought()
        number = 0
        while rows.size:
            rows, stack = yield from self._exchange(rows, stack, number)
            number += 1
        counting.exchanges(state, self.seat, self.turn, self.fought)

    def _which_supports(self) -> U8:
        """uint8[game]: bit k is set if the attacker holds the k-th support card."""
        held = np.zeros(self.lanes, np.uint8)
        for k, count in enumerate(self.state.hand[self.seat, self.game.tables.support]):
            held |= some(count) << np.uint8(k)
        return held

    def _who_holds_pillboxes(self) -> U8:
        """uint8[game]: bit k is set if the k-th other player holds a pillbox."""
        held = np.zeros(self.lanes, np.uint8)
        for k, other in enumerate(self.others):
            held |= some(self.state.hand[other, self.game.tables.pillbox]) << np.uint8(k)
        return held

    def _view(self, seat: int, rows: Rows, exchange: Exchange, picked: Rows | None = None) -> EastfrontView:
        view = EastfrontView(self.game, self.state, seat, self.turn, rows)
        view.about_exchange(exchange, picked)
        return view

    def _exchange(self, rows: Rows, stack: U8, number: int) -> Any:
        """One exchange; the rows that go on and their stacks."""
        there = stack.astype(np.intp)  # flat places of the stacks
        place = self.bottom.take(there)
        there *= self.lanes
        there += rows
        presence = self.state.presence[self.seat].take(rows)
        exchange, byte = self._reveal(rows, presence, there, place, number)
        supported = yield from self._support(exchange)
        yield from self._pillbox(exchange)
        values = exchange.values
        fire, need = values[FIRE], values[NEED]
        before = fire.copy()
        if supported:
            first = values[FIRST]
            beaten = first & (fire > need).view(np.uint8)  # R3
            firing = ((values[SILENT] | beaten) == _ZERO).nonzero()[0]
            lost = yield from self._soviet_fire(exchange, presence, firing)
            # E15: strictly greater, with a German card left; R3: after an ambush they do not fire again.
            fires = (self.state.presence[self.seat].take(rows) > _NOBODY).view(np.uint8) > first
            beaten |= (fires & (fire > need)).view(np.uint8)
        else:
            lost = yield from self._soviet_fire(exchange, presence)
            beaten = (fire > need).view(np.uint8)  # E15: there is no fire without a German card
        won = beaten.view(bool).nonzero()[0]  # E16: the others' attacks end
        self.fought.exchange(values[SOVIET], before, beaten, lost, won.size)
        if not won.size:
            return won, won
        return (yield from self._go_on(exchange, stack, there, byte, won))

    def _reveal(
        self, rows: Rows, presence: U16, there: Rows, place: Rows, number: int
    ) -> tuple[Exchange, U8]:
        """E12: the top card is turned up if it lies face down; the exchange and the stack's byte then.

        `there` and `place` are the flat places of the stacks and of their bottom cards but for the game.
        """
        state, t, seat = self.state, self.game.tables, self.seat
        stacks, values = state.stack.reshape(-1), np.empty((8, rows.size), np.uint8)
        soviet, victim, need, left, fire, _, _, lost = values
        byte = stacks.take(there)
        place += rows
        place -= self.above.take(byte)
        state.soviet.reshape(-1).take(place, out=soviet, mode="clip")
        hidden = ((byte & _TOP) == _ZERO).nonzero()[0]
        if hidden.size:
            at, kind = there.take(hidden), soviet.take(hidden)
            byte[hidden] = stacks[at] = byte.take(hidden) + kind + _ONE
            state.opened.reshape(-1)[at] = self.turn + 1
            state.unseen[rows.take(hidden)] -= t.one_unseen.take(kind)
        key = soviet.astype(np.intp)
        t.soviet_defence.take(key, out=need, mode="clip")
        key *= t.presences
        key += presence
        by_key, lost_by_key = t.shot
        by_key.take(key, out=victim, mode="clip")
        lost_by_key.take(key, out=lost, mode="clip")
        fire[:] = state.standing[seat].take(rows)  # the low byte of it
        np.subtract(fire, lost, out=left)
        values[_FIRST_SILENT] = 0
        return Exchange(seat, number, rows, values), byte

    def _support(self, exchange: Exchange) -> Any:
        """E14, R2: support cards one by one, after the reveal and before the fire; whether any was played."""
        t, seat, number = self.game.tables, self.seat, 0
        held = self.supports.take(exchange.rows)
        going = held.astype(bool).nonzero()[0]
        held, part = held.take(going), exchange.take(going)
        while going.size:
            view, legal = self._view(seat, part.rows, part), t.support_legal.take(held, axis=1)
            slot = exchange.number * 64 + number
            code = yield Decision("support", seat, view, legal, t.support_blocks, part.rows, slot=slot)
            plays = (code < t.supports).nonzero()[0]
            if not plays.size:
                break
            going, code, part, number = going.take(plays), code.take(plays), part.take(plays), number + 1
            none_left = self._spend(seat, code + np.uint8(t.support.start), part.rows)
            held = held.take(plays) ^ (none_left << code)
            self.supports[part.rows] = held
            self._strengthen(part.values, code)
            for k in _BY_SUPPORT:
                exchange.values[k][going] = part.values[k]
            if self.game.rules.support_limit == "one":
                break
            again = held.astype(bool).nonzero()[0]
            going, part, held = going.take(again), part.take(again), held.take(again)
        return number > 0

    def _strengthen(self, values: U8, code: U8) -> None:
        """What a support card `code` [row] changes in the exchanges `values`, in place."""
        effects = self.game.tables.support_effects.take(code, axis=1)
        added, endangered, left, fire = effects[0], effects[4], values[LEFT], values[FIRE]
        fire += added
        added *= (left > _ZERO).view(np.uint8)  # counts only with a German card left
        left += added
        left *= endangered
        left += fire * (endangered ^ _ONE)
        values[_FIRST_SILENT] |= effects[1:3]
        lost = values[LOST]
        lost *= effects[3]

    def _spend(self, seat: int, kind: U8, rows: Rows) -> U8:
        """One card of type `kind` [row] is played out of the hand; 1 where it was the last, uint8[row]."""
        state = self.state
        there = kind * np.intp(self.lanes)
        there += rows
        hand, size = state.hand[seat].reshape(-1), state.size[seat]
        left = hand.take(there)
        left -= _ONE
        hand[there] = left
        size[rows] -= _ONE
        return (left == _ZERO).view(np.uint8)

    def _pillbox(self, exchange: Exchange) -> Any:
        """E20: offered to the others, left neighbour first; at most one an exchange (R2)."""
        state, t = self.state, self.game.tables
        holders = self.pillboxes.take(exchange.rows)
        open_to = holders.astype(bool).nonzero()[0]
        if not open_to.size:
            return
        holders, need = holders.take(open_to), exchange.values[NEED]
        for k, other in enumerate(self.others):
            offered = (holders & _BITS[k]).astype(bool).nonzero()[0]
            if not offered.size:
                continue
            here = open_to.take(offered)
            rows = exchange.rows.take(here)
            view, legal, slot = (
                self._view(other, rows, exchange, here),
                yes_or_no(here.size),
                2 * exchange.number,
            )
            yes = yield Decision("pillbox", other, view, legal, ANSWERS, rows, slot=slot)
            plays = yes.view(bool).nonzero()[0]
            counting.reaction(state, other, counting.PILLBOX, yes.size, plays.size)
            if plays.size:
                rows = rows.take(plays)
                none_left = self._spend(other, np.full(plays.size, t.pillbox, np.uint8), rows)
                need[here.take(plays)] += t.pillbox_more
                self.pillboxes[rows] ^= none_left << np.uint8(k)
                holders[offered.take(plays)] = 0  # nobody else is asked there

    def _soviet_fire(self, exchange: Exchange, presence: U16, firing: Rows | None = None) -> Any:
        """E13: the left neighbour names a card; 1 where it is destroyed (strictly greater), uint8[row].

        The Soviets fire in the rows `firing`; None: in all. `presence` of the attacker's cards: [row].
        """
        t, rows, soviet, neighbour = self.game.tables, exchange.rows, exchange.values[SOVIET], self.others[0]
        lost = np.zeros(rows.size, np.uint8)
        if firing is not None:
            rows, soviet, presence = rows.take(firing), soviet.take(firing), presence.take(firing)
        if not rows.size:
            return lost
        legal = ((presence & t.bits_down) > _NOBODY).view(np.uint8)
        view, slot = self._view(neighbour, rows, exchange, firing), 2 * exchange.number
        victim = yield Decision("shoot", neighbour, view, legal, {"german": t.german}, rows, slot=slot)
        hit = (t.german_defence.take(victim) < t.soviet_fire.take(soviet)).nonzero()[0]
        if hit.size:
            gone, rows = victim.take(hit), rows.take(hit)
            back = hit if firing is None else firing.take(hit)
            self.game.remove(
                self.state, rows + self.seat * self.lanes, self.of_german.take(gone) + rows, gone
            )
            exchange.values[FIRE][back] -= t.german_fire.take(gone)
            lost[back] = 1
        return lost

    def _go_on(self, exchange: Exchange, stack: U8, there: Rows, byte: U8, won: Rows) -> Any:
        """E17, E18: take the destroyed cards away and a friend for a cleared stack; ask who goes on where."""
        state, t = self.state, self.game.tables
        rows, stack, there = exchange.rows.take(won), stack.take(won), there.take(won)
        self.fought.beaten(exchange.values[SOVIET].take(won), state.opened.reshape(-1).take(there))
        left = t.byte_after.take(byte.take(won))
        state.stack.reshape(-1)[there] = left
        cleared = (left == _CLEARED).view(np.uint8)
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
        return rows.take(on), code.take(on)

    def _legal_to_go_on(self, rows: Rows, stack: U8, cleared: U8, now: U8) -> U8:
        """0/1 [stack or stop, row]: the stacks an attack may go on with; `now` are their bytes."""
        t, rule = self.game.tables, self.game.rules.go_on
        legal = np.empty((t.stacks + 1, rows.size), np.uint8)
        stacks = legal[:-1]
        np.not_equal(now, _CLEARED, out=stacks.view(bool))
        if rule != "any":
            same = (t.codes_down == stack).view(np.uint8)
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
