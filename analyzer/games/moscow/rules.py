"""Moscow, General Winter: the turn as the rule book tells it, for a whole block of games at once.

Rule ids (M5, ...) and rulings (R1, ...) are those of rules.md beside this file. Whole lanes are computed
with 0/1 masks (uint8); what few games do (fights, targets, discards) runs on the rows concerned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, Turn
from analyzer.games.moscow import combat, counting
from analyzer.games.moscow.model import MoscowRules
from analyzer.games.moscow.policies import MoscowPolicy
from analyzer.games.moscow.state import U8, MoscowState, start
from analyzer.games.moscow.tables import ORDERS, Tables
from analyzer.games.moscow.view import MoscowView
from analyzer.sim import cards
from analyzer.sim.chance import Luck

Rows = NDArray[np.intp]
_IDS = np.arange(256, dtype=np.uint8)[:, None]
_ONE, _ALL = np.uint8(1), np.uint8(255)


class Moscow:
    """Race to Moscow before the deck runs out, hinder the others, and take it (モスクワ冬将軍).

    The game under `rules` for `players` seats; one player plays M30. Raises UserError for a bad number.
    """

    name = "moscow"
    policy_base = MoscowPolicy
    labels = {"end": ("moscow fell", "deck ran out")}  # noqa: RUF012  the game's data, never changed

    def __init__(self, rules: MoscowRules, players: int) -> None:
        rules.check_players(players)
        self.rules, self.players = rules, players
        self.tables = Tables(rules, players)
        self.max_turns = self.tables.max_turns

    def start(self, luck: Luck) -> MoscowState:
        state = start(self.tables, luck)
        state.counted = counting.empty(self.tables)
        return state

    def turn(self, state: MoscowState, turn: int, luck: Luck) -> Turn:
        """M5 to M18: draw, act, discard down to the hand limit, next player."""
        seat, rules = turn % self.players, self.rules
        alive = (state.over == 0).view(np.uint8)
        state.length += alive
        counting.turn_begins(state, seat, alive)
        present = self._draw(state, seat, turn, alive)
        counting.lost_to_supply(state, seat, alive, present)
        acting = present
        for slot in range(rules.actions_per_turn):
            acting = yield from self._act(state, seat, turn, slot, acting, luck)
        yield from self._discard(state, seat, turn, present & (state.over ^ _ONE))
        self._end_turn(state, seat, turn)

    # -- M5 to M7: the draw -----------------------------------------------------------------------
    def _draw(self, state: MoscowState, seat: int, turn: int, alive: U8) -> U8:
        """Draw a card; 0/1 [game] where the player may go on with the turn."""
        t = self.tables
        card = state.deck[turn] | state.dead
        state.turns_begun = turn + 1
        time = (card == t.time).nonzero()[0]
        if time.size:
            self._next_month(state, time)
        supply = (card == t.out_of_supply).view(np.uint8)
        if self.players == 1:
            card = self._solo_card(state, card)
        cards.put_in(state.hand[seat], card, state.drawn[seat])
        # Rows are named first: `array[seat] += x` would copy the row onto itself once more.
        size, shown = state.size[seat], state.shown[seat]
        kept = (card < t.hand_types).view(np.uint8)
        size += kept
        shown &= kept ^ 1
        if self.rules.out_of_supply == "lose_turn":
            return alive & (supply ^ 1)
        if supply.any():
            rows = np.flatnonzero(supply)
            ones = np.ones(rows.size, np.uint8)
            self._lose(state, np.full(rows.size, seat), rows, ones, ones * np.uint8(0))
        return alive

    def _next_month(self, state: MoscowState, rows: Rows) -> None:
        """M6: the calendar moves on (December stays); R4: it counts at once."""
        t = self.tables
        month = np.minimum(state.month[rows] + 1, len(t.limits) - 1)
        state.month[rows] = month
        state.modifier[rows] = t.modifiers[month]
        state.limit[rows] = t.limits[month]
        state.rivers_count[rows] = t.rivers_count[month]

    def _solo_card(self, state: MoscowState, card: U8) -> U8:
        """M30: what a card does at once when one plays against the deck; returns what is left to keep."""
        t = self.tables
        rows = np.flatnonzero((card >= t.targeted.start) & (card < t.targeted.stop))
        if not rows.size:
            return card
        drawn = card[rows]
        for row, kind in zip(rows, drawn, strict=True):
            if kind < t.red_general:
                self._solo_army(state, int(row), int(kind) - t.red_army.start + 1)
            elif kind == t.red_general:
                state.general[0, row] |= state.front[0, row] > 0
            elif kind == t.great_river:
                state.river[0, row] |= state.front[0, row] > 0
        order = rows[drawn >= t.orders.start]
        self._obey(state, np.zeros(order.size, np.intp), order, card[order] - np.uint8(t.orders.start))
        return np.where((card >= t.targeted.start) & (card < t.targeted.stop), np.uint8(255), card)

    def _solo_army(self, state: MoscowState, row: int, army: int) -> None:
        t = self.tables
        if state.front[0, row] == 0:
            state.front[0, row] = army
            state.strength[0, row] = t.army_strength[army]
        elif state.moscow_army[row] == 0:
            state.moscow_army[row] = army
            state.moscow[row] += t.army_strength[army]

    # -- M8 to M16: one action --------------------------------------------------------------------
    def _act(self, state: MoscowState, seat: int, turn: int, slot: int, acting: U8, luck: Luck) -> Any:
        """Ask for an action and carry it out; 0/1 [game] where another action may follow (R7)."""
        t = self.tables
        view = MoscowView(self, state, seat, turn)
        legal = self.legal(state, seat)
        code = yield Decision("act", seat, view, legal, t.blocks, asked=acting, idle=t.nothing, slot=slot)
        counting.actions(state, seat, code, acting)
        self._play_card(state, seat, code)
        # One comparison finds start <= code < stop: smaller codes wrap around to large ones.
        on_players = code - np.uint8(t.targeted.start) < t.targeted.stop - t.targeted.start
        targeted = on_players.nonzero()[0]
        if targeted.size:
            yield from self._play_on(state, seat, turn, slot, targeted, code[targeted])
        fights = (code - np.uint8(t.fight) <= t.attack - t.fight).nonzero()[0]
        if fights.size:
            yield from self._fight(state, seat, turn, slot, fights, code[fights], luck)
        return acting & (code != t.nothing) & (state.over ^ _ONE)

    def legal(self, state: MoscowState, seat: int) -> U8:
        """0/1 [action, game]: what M9 to M16 allow this seat now."""
        t, rules = self.tables, self.rules
        legal = np.empty((t.actions, state.over.size), np.uint8)
        np.greater(state.hand[seat, : t.orders.stop], 0, out=legal[: t.orders.stop].view(bool))
        front = state.front[seat]
        clear = (front == 0).view(np.uint8)
        # M12 first: the plain "held" rows of armies and general are still in place.
        np.multiply(legal[t.red_army], (state.moscow_army == 0).view(np.uint8), out=legal[t.moscow_army])
        room = (state.moscow_army > state.moscow_general * _ALL).view(np.uint8)
        np.multiply(legal[t.red_general], room, out=legal[t.moscow_general])
        _keep(legal[t.advance], clear)  # M9
        if self.players > 1:
            self._legal_cards_on_players(state, seat, legal)
        fit = cards.some(np.bitwise_or.reduce(state.hand[seat, t.division], axis=0))  # M20
        np.greater(fit, clear, out=legal[t.fight].view(bool))  # M13
        np.multiply(fit, (state.km[seat] >= t.km(t.goal_km)).view(np.uint8), out=legal[t.attack])  # M14
        if rules.front_must_be_clear:
            _keep(legal[t.attack], clear)
        legal[t.nothing] = 1  # M16
        return legal

    def _legal_cards_on_players(self, state: MoscowState, seat: int, legal: U8) -> None:
        """M10, M11: is there anybody an army, a general or a river may be put before?"""
        t = self.tables
        places = t.seats_clockwise[seat, : t.targets]
        _keep(legal[t.red_army], np.minimum.reduce(state.front[places], axis=0) == 0)
        # A general or a river needs an army there, and at most one of each.
        for card, boost in ((t.red_general, state.general), (t.great_river, state.river)):
            room = np.greater(state.front, boost * _ALL)
            room[seat] = 0
            _keep(legal[card], np.bitwise_or.reduce(room.view(np.uint8), axis=0))

    def _play_card(self, state: MoscowState, seat: int, code: U8) -> None:
        """Take the played card out of the hand; M9 advance, M12 cards on Moscow."""
        t = self.tables
        km, size, shown = state.km[seat], state.size[seat], state.shown[seat]
        cards.take_out(state.hand[seat, : t.orders.stop], code, state.played[seat, : t.orders.stop])
        driven = np.equal(_IDS[t.advance], code).view(np.uint8) * t.advance_km[:, None]
        km += np.add.reduce(driven, axis=0, dtype=t.km_dtype)
        gone = code < t.orders.stop
        on_moscow = code - np.uint8(t.moscow_army.start) <= t.moscow_general - t.moscow_army.start
        rows = on_moscow.nonzero()[0]
        if rows.size:
            self._play_on_moscow(state, seat, rows, code[rows])
            gone |= on_moscow
        size -= gone.view(np.uint8)
        shown *= (~gone).view(np.uint8)

    def _play_on_moscow(self, state: MoscowState, seat: int, rows: Rows, code: U8) -> None:
        """M12: a Red Army or, on one, a Red general is put on Moscow."""
        t = self.tables
        card = code - np.uint8(
            t.moscow_army.start - t.red_army.start
        )  # armies, then the general: as in the hand
        state.hand[seat, card, rows] -= 1
        state.played[seat, card, rows] += 1
        army = code < t.moscow_general
        state.moscow_army[rows[army]] = code[army] - np.uint8(t.moscow_army.start - 1)
        state.moscow_general[rows[~army]] = 1
        state.moscow[rows] = combat.moscow_total(t, state.moscow_army[rows], state.moscow_general[rows])

    # -- M11, M15: cards on other players ---------------------------------------------------------
    def _play_on(self, state: MoscowState, seat: int, turn: int, slot: int, rows: Rows, card: U8) -> Any:
        """Ask whom the card is for and put it there."""
        t = self.tables
        view = MoscowView(self, state, seat, turn, rows, card)
        legal = self.legal_targets(state, seat, rows, card)
        place = yield Decision("target", seat, view, legal, {"player": slice(None)}, rows=rows, slot=slot)
        target = t.seats_clockwise[seat][place]
        counting.targets(state, seat, card, target)
        army = (card < t.red_general).nonzero()[0]
        place, index = target * state.over.size + rows, card[army] - np.uint8(t.red_army.start - 1)
        there = place[army]
        state.front.reshape(-1)[there] = index
        state.strength.reshape(-1)[there] = t.army_strength.take(index)
        for kind, boost in ((t.red_general, state.general), (t.great_river, state.river)):
            boost.reshape(-1)[place[card == kind]] = 1
        order = (card >= t.orders.start).nonzero()[0]
        if order.size:
            self._obey(state, target[order], rows[order], card[order] - np.uint8(t.orders.start))

    def legal_targets(self, state: MoscowState, seat: int, rows: Rows, card: U8) -> U8:
        """0/1 [place clockwise, row]: whom each card may be put before or played on (M10, M11, M15)."""
        t = self.tables
        places = t.seats_clockwise[seat, : t.targets]
        army, order = card < t.red_general, card >= t.orders.start
        at = (places * state.over.size)[:, None] + rows
        there = state.front.reshape(-1).take(at) > 0
        # What must not be there already: an army, or the boost; and a boost needs an army.
        boosted = state.general.reshape(-1).take(at) & (card == t.red_general).view(np.uint8)
        boosted |= state.river.reshape(-1).take(at) & (card == t.great_river).view(np.uint8)
        legal = np.greater(army ^ there, boosted).view(np.uint8)
        legal |= order
        if t.targets == self.players:
            legal[-1] &= army  # only armies may be put before oneself (M11)
        return legal

    def _obey(self, state: MoscowState, target: Array, rows: Rows, order: U8) -> None:
        """M26 to M28, R2: the target does what the order says, or shows its hand where it cannot in full."""
        t = self.tables
        back = (order == ORDERS.index("km")).nonzero()[0]
        there, km = target[back] * state.over.size + rows[back], state.km.reshape(-1)
        before = km.take(there)
        km[there] = before - np.minimum(before, t.km(self.rules.cards.hitler_order.km.amount))
        lost = (order != ORDERS.index("km")).nonzero()[0]
        order, target, rows = order[lost], target[lost], rows[lost]
        short = self._lose(state, target, rows, t.order_divisions.take(order), t.order_generals.take(order))
        shown = state.shown.reshape(-1)
        shown[target * state.over.size + rows] |= short

    def _lose(self, state: MoscowState, target: Array, rows: Rows, divisions: U8, generals: U8) -> U8:
        """The target discards its weakest divisions and generals, up to so many [row]; 0/1 [row] if short.

        A hand that changes is hidden again.
        """
        t, lanes = self.tables, state.over.size
        place = target * lanes + rows
        there = (t.lost_cards * lanes)[:, None] + (target * state.hand[0].size + rows)
        hand = state.hand.reshape(-1)  # one flat index is far cheaper than three
        held = hand.take(there)
        left, kept = {"division": divisions, "general": generals}, np.empty_like(held)
        for card, kind in enumerate(t.lost_kinds):
            given = np.minimum(held[card], left[kind])
            np.subtract(held[card], given, out=kept[card])
            left[kind] = left[kind] - given
        hand[there] = kept
        short = left["division"] + left["general"]
        lost = divisions + generals - short
        size, shown = state.size.reshape(-1), state.shown.reshape(-1)
        size[place] -= lost
        shown[place] *= (lost == 0).view(np.uint8)
        return cards.some(short)

    # -- M13, M14, M20 to M25: combat -------------------------------------------------------------
    def _fight(
        self, state: MoscowState, seat: int, turn: int, slot: int, rows: Rows, code: U8, luck: Luck
    ) -> Any:
        """Commit cards, throw, and what follows from it (R1: km, reorganise, then the extra advance)."""
        t = self.tables
        view = MoscowView(self, state, seat, turn, rows, code)
        held = state.hand[seat, t.fighting].take(rows, axis=1)
        check = combat.illegal_commitment(t)
        used = yield Decision("commit", seat, view, held, rows=rows, form="amounts", slot=slot, check=check)
        at_moscow = code == t.attack
        die = luck.dice(self.rules.die_sides, turn, slot, state.rows[rows])
        result = combat.resolve(t, view.small_modifier, view.small_defence, at_moscow, used, die)
        counting.fights(state, seat, result)
        self._spend(state, seat, rows, used)
        taken = result.won & at_moscow
        fell = rows[taken]
        state.winner[fell] = seat + 1  # M25
        state.over[fell] = 1
        beaten = rows[result.won ^ taken]
        km, front = state.km[seat], state.front[seat]
        km[beaten] += t.army_km.take(front.take(beaten))  # M22
        for there in (state.front, state.strength, state.general, state.river):
            there[seat][beaten] = 0
        again = ~taken & (state.hand[seat, t.reorganise].take(rows) > 0)
        if again.any():
            yield from self._reorganise(state, seat, turn, slot, rows[again], used[:, again])
        twice = result.doubled > at_moscow
        if twice.any():
            yield from self._exploit(state, seat, turn, slot, rows[twice])

    def _spend(self, state: MoscowState, seat: int, rows: Rows, used: U8) -> None:
        """M23: the cards used are discarded."""
        kinds = self.tables.fighting
        self._give_up(state.hand[seat, kinds], rows, used, state.played[seat, kinds])
        size, shown = state.size[seat], state.shown[seat]
        size[rows] -= np.add.reduce(used, axis=0, dtype=np.uint8)
        shown[rows] = 0

    def _reorganise(self, state: MoscowState, seat: int, turn: int, slot: int, rows: Rows, used: U8) -> Any:
        """M24: a reorganise card, held in all of these rows, takes back the strongest division used."""
        t = self.tables
        divisions = used[: t.division.stop - t.division.start]
        view = MoscowView(self, state, seat, turn, rows)
        legal = np.ones((2, rows.size), np.uint8)
        yes = yield Decision("reorganise", seat, view, legal, {"keep": 0, "play": 1}, rows=rows, slot=slot)
        rows, divisions = rows[yes == 1], divisions[:, yes == 1]
        ranks = _IDS[: len(divisions)] * cards.some(divisions)
        strongest = np.maximum.reduce(ranks, axis=0) + np.uint8(t.division.start)
        state.hand[seat, t.reorganise][rows] -= 1
        state.played[seat, t.reorganise][rows] += 1
        state.hand[seat, strongest, rows] += 1

    def _exploit(self, state: MoscowState, seat: int, turn: int, slot: int, rows: Rows) -> Any:
        """M22: twice the Red total allows one advance card more."""
        t = self.tables
        held = state.hand[seat, t.advance].take(rows, axis=1)
        can = np.maximum.reduce(held, axis=0).nonzero()[0]
        if not can.size:
            return
        rows = rows[can]
        none = t.advance.stop - t.advance.start
        legal = np.ones((none + 1, rows.size), np.uint8)
        legal[:none] = held.take(can, axis=1) > 0
        view = MoscowView(self, state, seat, turn, rows)
        blocks: dict[str, slice | int] = {"advance": slice(0, none), "none": none}
        code = yield Decision("exploit", seat, view, legal, blocks, rows=rows, slot=slot)
        go = code < none
        rows, card = rows[go], code[go]
        state.hand[seat, card, rows] -= 1
        state.played[seat, card, rows] += 1
        state.km[seat, rows] += t.advance_km[card]
        state.size[seat, rows] -= 1
        state.shown[seat, rows] = 0

    # -- M17, M18, M29: the end of a turn ---------------------------------------------------------
    def _discard(self, state: MoscowState, seat: int, turn: int, present: U8) -> Any:
        """M17: down to the month's hand limit; R3: not after a turn lost to supply."""
        t = self.tables
        size, shown = state.size[seat], state.shown[seat]
        rows = np.greater(size * present, state.limit).nonzero()[0]
        if not rows.size:
            return
        need = size.take(rows) - state.limit.take(rows)
        view = MoscowView(self, state, seat, turn, rows)
        held = state.hand[seat].take(rows, axis=1)
        decision = Decision("discard", seat, view, held, t.card_blocks, rows=rows, form="amounts", need=need)
        given = yield decision
        if decision.picks is None:
            self._give_up(state.hand[seat], rows, given)
        else:
            hand, lanes = state.hand[seat].reshape(-1), np.intp(state.over.size)
            for card, place in decision.picks:
                hand[card * lanes + rows.take(place)] -= 1
        size[rows] -= need
        shown[rows] = 0

    @staticmethod
    def _give_up(hand: U8, rows: Rows, given: U8, *also: U8) -> None:
        """Take `given` [type, row] out of `hand` [type, game], and add it to each of `also` [type, game]."""
        lanes, flat = hand.shape[1], given.reshape(-1)
        some = np.greater(flat, 0).nonzero()[
            0
        ]  # a few types a row; of bytes it would take four times as long
        kind = some // rows.size
        there, amount = rows.take(some - kind * rows.size) + kind * lanes, flat.take(some)
        cards_left = hand.reshape(-1)
        cards_left[there] -= amount
        for pile in also:
            total = pile.reshape(-1)
            total[there] += amount

    def _end_turn(self, state: MoscowState, seat: int, turn: int) -> None:
        """M29: without a victor the game ends with the turn of the last card; M18: next player."""
        t = self.tables
        new = ((state.km[seat] >= t.km(t.goal_km)) & (state.arrived[seat] == 0)).view(np.uint8)
        arrived = state.arrived[seat]
        arrived += new * np.uint8(turn + 1)
        counting.turn_ends(state, seat, turn)
        state.over |= (state.deck_size == turn + 1).view(np.uint8)
        np.multiply(state.over, np.uint8(255), out=state.dead)

    # -- results ----------------------------------------------------------------------------------
    def outcome(self, state: MoscowState, lanes: Rows) -> dict[str, Array]:
        """Measures of finished games: see `counting.outcome`."""
        return counting.outcome(self.tables, state, lanes)

    def tallies(self, state: MoscowState, columns: dict[str, Array]) -> dict[str, Any]:
        """All tallies of the block: see `counting`."""
        return counting.tallies(self.tables, state, columns)


def _keep(legal: U8, where: Array) -> None:
    """Make actions illegal, in place, where a 0/1 mask is 0."""
    legal *= where.view(np.uint8)


GAME = Moscow
