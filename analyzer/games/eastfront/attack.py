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
from analyzer.games.eastfront.state import EastfrontState
from analyzer.games.eastfront.tables import U8, U16
from analyzer.games.eastfront.view import EastfrontView

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Rows = NDArray[np.intp]
_ONE = np.uint8(1)


@dataclass(eq=False, slots=True)
class Exchange:
    """One exchange in some games, arrays [row]: who stands against whom, and what the cards played change."""

    seat: int  # the attacker
    number: int  # 0 for the first of the attack
    rows: Rows  # lanes
    stack: Rows
    soviet: U8  # its type
    defence: U8  # of the Soviet card, with a pillbox
    force: U8  # German fire on the table
    presence: U16
    bonus: U8  # German fire added by support cards
    first: U8  # 1: the Germans fire first (ambush)
    silent: U8  # 1: the Soviets do not fire (smoke)

    def take(self, keep: Rows) -> Exchange:
        """The exchange of these rows only (a copy)."""
        return Exchange(
            self.seat, self.number, *(getattr(self, name).take(keep) for name in self.__slots__[2:])
        )


@dataclass(eq=False)
class Attack:
    """All attacks of one turn."""

    game: Eastfront
    state: EastfrontState
    seat: int
    turn: int

    def run(self, rows: Rows, stack: U8) -> Any:
        """Exchanges until no game goes on: `rows` are the lanes that attack, `stack` the stacks chosen."""
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
        exchange = self._reveal(rows, stack, number)
        slot = 2 * number  # of decisions that may be asked once an exchange
        yield from self._support(exchange)
        yield from self._pillbox(exchange, slot)
        fire, lost = exchange.force + exchange.bonus, np.zeros(rows.size, np.uint8)
        beaten = exchange.first & (fire > exchange.defence).view(np.uint8)  # R3
        firing = ((exchange.silent | beaten) == 0).nonzero()[0]
        if firing.size:
            lost[firing] = yield from self._soviet_fire(exchange, firing, slot)
        # E15: strictly greater; R3: after an ambush the Germans do not fire again.
        fires = (exchange.presence > 0) & (exchange.first == 0)
        beaten |= (fires & (exchange.force + exchange.bonus > exchange.defence)).view(np.uint8)
        counting.exchanges(self.state, exchange, fire, beaten, lost)
        won = beaten.nonzero()[0]  # E16: the others' attacks end
        return (yield from self._go_on(rows.take(won), stack.take(won), exchange.soviet.take(won), slot))

    def _reveal(self, rows: Rows, stack: Rows, number: int) -> Exchange:
        """E12: the top card is turned up if it lies face down."""
        state, t = self.state, self.game.tables
        lanes = state.over.size
        there = stack * lanes + rows
        opened = state.open.reshape(-1)
        bits = opened.take(there)
        hidden = (bits == 0).nonzero()[0]
        if hidden.size:
            at = there.take(hidden)
            depth = t.heights.take(stack.take(hidden)) - state.left.reshape(-1).take(at)
            kind = state.soviet.reshape(-1).take(at + depth * np.intp(t.stacks * lanes))
            fresh = t.soviet_bits[:, 0].take(kind)
            bits[hidden] = fresh
            opened[at] = fresh
            state.opened.reshape(-1)[at] = self.turn + 1
            unseen = state.unseen.reshape(-1)
            unseen[kind * np.intp(lanes) + rows.take(hidden)] -= _ONE
        soviet = t.type_of_bit.take(bits)
        nothing = np.zeros((3, rows.size), np.uint8)
        return Exchange(
            self.seat,
            number,
            rows,
            stack,
            soviet,
            t.soviet_defence.take(soviet),
            state.force[self.seat].take(rows),
            state.presence[self.seat].take(rows),
            *nothing,
        )

    def _support(self, exchange: Exchange) -> Any:
        """E14, R2: support cards one by one, after the reveal and before the fire."""
        state, t, seat = self.state, self.game.tables, self.seat
        held = np.bitwise_or.reduce(state.hand[seat, t.support], axis=0, initial=0).take(exchange.rows)
        going, once = held.nonzero()[0], self.game.rules.support_limit == "one"
        number = 0
        while going.size:
            part = exchange.take(going)
            legal = np.ones((t.supports + 1, going.size), np.uint8)
            np.greater(state.hand[seat, t.support].take(part.rows, axis=1), 0, out=legal[:-1].view(bool))
            code = yield Decision(
                "support",
                seat,
                self._view(part, seat),
                legal,
                t.support_blocks,
                rows=part.rows,
                slot=exchange.number * 64 + number,
            )
            plays = (code < t.supports).nonzero()[0]
            going, code = going.take(plays), code.take(plays)
            rows = part.rows.take(plays)
            self._spend(seat, code + np.uint8(t.support.start), rows)
            exchange.bonus[going] += t.support_fire.take(code)
            exchange.first[going] |= t.support_first.take(code)
            exchange.silent[going] |= t.support_silent.take(code)
            held = np.bitwise_or.reduce(state.hand[seat, t.support].take(rows, axis=1), axis=0, initial=0)
            going = going[:0] if once else going.take(held.nonzero()[0])
            number += 1

    def _spend(self, seat: int, kind: U8, rows: Rows) -> None:
        """One card of type `kind` [row] is played out of the hand."""
        state = self.state
        there = kind * np.intp(state.over.size) + rows
        for pile, step in ((state.hand[seat], -1), (state.played[seat], 1)):
            flat = pile.reshape(-1)
            flat[there] += np.uint8(step % 256)
        size = state.size[seat]
        size[rows] -= _ONE

    def _pillbox(self, exchange: Exchange, slot: int) -> Any:
        """E20: offered to the others, left neighbour first; at most one an exchange (R2)."""
        state, t = self.state, self.game.tables
        held = np.bitwise_or.reduce(state.hand[t.seats_clockwise[self.seat, :-1], t.pillbox], axis=0)
        open_to = held.take(exchange.rows).nonzero()[0]
        if not open_to.size:
            return
        for other in t.seats_clockwise[self.seat, :-1].tolist():
            offered = state.hand[other, t.pillbox].take(exchange.rows.take(open_to)).nonzero()[0]
            if not offered.size:
                continue
            here = open_to.take(offered)
            part = exchange.take(here)
            legal = np.ones((2, here.size), np.uint8)
            yes = yield Decision(
                "pillbox",
                other,
                self._view(part, other),
                legal,
                {"keep": 0, "play": 1},
                rows=part.rows,
                slot=slot,
            )
            counting.reaction(state, other, counting.PILLBOX, yes)
            plays = yes.nonzero()[0]
            if plays.size:
                self._spend(other, np.full(plays.size, t.pillbox, np.uint8), part.rows.take(plays))
                exchange.defence[here.take(plays)] += np.uint8(t.pillbox_defence)
                open_to = np.setdiff1d(open_to, here.take(plays), assume_unique=True)

    def _soviet_fire(self, exchange: Exchange, firing: Rows, slot: int) -> Any:
        """E13: the left neighbour names a card; 1 where it is destroyed (strictly greater), uint8[firing]."""
        state, t, seat = self.state, self.game.tables, self.seat
        part = exchange if firing.size == exchange.rows.size else exchange.take(firing)
        neighbour = int(t.seats_clockwise[seat, 0])
        legal = np.greater(state.table[seat].take(part.rows, axis=1), 0).view(np.uint8)
        victim = yield Decision(
            "shoot", neighbour, self._view(part, neighbour), legal, {"german": t.german}, part.rows, slot=slot
        )
        lost = (t.german_defence.take(victim) < t.soviet_fire.take(part.soviet)).view(np.uint8)
        hit = lost.nonzero()[0]
        if hit.size:
            gone = victim.take(hit)
            self.game.remove(state, np.full(hit.size, seat), part.rows.take(hit), gone)
            back = firing.take(hit)
            exchange.force[back] -= t.german_fire.take(gone)
            exchange.presence[back] = state.presence[seat].take(part.rows.take(hit))
        return lost

    def _go_on(self, rows: Rows, stack: Rows, soviet: U8, slot: int) -> Any:
        """E17, E18: take the destroyed cards away and a friend for a cleared stack; ask who goes on where."""
        state, t = self.state, self.game.tables
        there = stack * np.intp(state.over.size) + rows
        left = state.left.reshape(-1)
        state.open.reshape(-1)[there] = 0
        counting.beaten(state, soviet, self.turn + 1 - state.opened.reshape(-1).take(there))
        more = left.take(there) - _ONE
        left[there] = more
        cleared = (more == 0).nonzero()[0]
        if cleared.size:
            self._rescue(rows.take(cleared))
        legal = self._legal_to_go_on(rows, stack, more)
        asked = np.bitwise_or.reduce(legal[:-1], axis=0).nonzero()[0]
        if not asked.size:
            return rows[:0], stack[:0]
        rows, legal = rows.take(asked), legal.take(asked, axis=1)
        view = EastfrontView(self.game, state, self.seat, self.turn, rows)
        code = yield Decision("go_on", self.seat, view, legal, t.stack_blocks, rows=rows, slot=slot)
        on = (code < t.no_stack).nonzero()[0]
        return rows.take(on), code.take(on).astype(np.intp)

    def _legal_to_go_on(self, rows: Rows, stack: Rows, more: U8) -> U8:
        """0/1 [stack or stop, row]: the stacks an attack may go on with."""
        state, t = self.state, self.game.tables
        legal = np.empty((t.stacks + 1, rows.size), np.uint8)
        same = np.equal(np.arange(t.stacks)[:, None], stack).view(np.uint8)
        stacks = np.greater(state.left.take(rows, axis=1), 0).view(np.uint8)
        rule = self.game.rules.go_on
        if rule == "same_then_any":
            stacks &= same | (more == 0).view(np.uint8)
        elif rule == "same":
            stacks &= same
        stacks &= state.over.take(rows) ^ _ONE  # `game_end: at_once`
        legal[:-1], legal[-1] = stacks, 1
        return legal

    def _rescue(self, rows: Rows) -> None:
        """E18: take a friend card, unseen (R8)."""
        state, t, seat = self.state, self.game.tables, self.seat
        taken = state.rescued.take(rows)
        left = (taken < len(t.friend_deck)).nonzero()[0]
        rows, taken = rows.take(left), taken.take(left)
        kind = state.friend.reshape(-1).take(taken * np.intp(state.over.size) + rows)
        friends, points = state.friends[seat], state.points[seat]
        friends[rows] += _ONE
        points[rows] += t.friend_points.take(kind)
        state.rescued[rows] = taken + _ONE
        counting.rescues(state, seat, self.turn, rows.size)
        if self.game.rules.game_end == "at_once":
            state.over[rows[taken + _ONE == len(t.friend_deck)]] = 1
