"""What the seat that decides may know: its own hand, what lies open, counts of what is hidden.

Arrays have the game as their last axis. `rival` arrays are [k, game], k-th other player clockwise; a
hand nobody showed is never in a view. Distances are km, chances are 0..1; masks are bool; numbers are wide
enough for any arithmetic. The `small_` numbers are the same in few bits: fast, and they wrap around.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision
from analyzer.games.moscow import combat
from analyzer.games.moscow.state import MoscowState
from analyzer.sim import cards

if TYPE_CHECKING:
    from analyzer.games.moscow.rules import Moscow

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]


class MoscowView:
    """One seat's view at one decision. Everything is worked out when first asked for."""

    def __init__(
        self,
        game: Moscow,
        state: MoscowState,
        seat: int,
        turn: int,
        rows: NDArray[np.intp] | None = None,
        code: NDArray[np.uint8] | None = None,
    ) -> None:
        self._game, self._state, self._rows, self._code = game, state, rows, code
        self._t = game.tables
        self.seat, self.players, self.turn = seat, game.players, turn

    def bind(self, asker: Any, decision: Decision) -> None:
        """Called by the engine: where random draws come from, and what is legal."""
        self._asker, self.legal, self.need = asker, decision.legal, decision.need

    def draw(self, count: Array | int, among: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """intp[game]: a uniform number 0..count-1 of every game, from the game's own random stream.

        `among` intp[k]: only these games draw. A game must not draw because another one does.
        """
        rows = self._rows if among is None else among if self._rows is None else self._rows[among]
        return self._asker.digit(count, rows).astype(np.intp)

    def _code_at(self) -> NDArray[np.uint8]:
        if self._code is None:
            raise AttributeError("this is known at `target` and `commit` only")
        return self._code

    def _cut(self, values: Array) -> Array:
        """The decision's rows of a state array, not to be written to."""
        if self._rows is not None:
            return values.take(self._rows, axis=-1)
        open_view = values.view()
        open_view.flags.writeable = False
        return open_view

    @property
    def games(self) -> int:
        """How many games this decision is asked in."""
        return len(self._state.over) if self._rows is None else len(self._rows)

    # -- the own hand -----------------------------------------------------------------------------
    @cached_property
    def hand(self) -> I32:
        """int32[card type, game]: the own hand as counts, types in the order of `card_names`."""
        return self.small_hand.astype(np.int32)

    @property
    def card_names(self) -> tuple[str, ...]:
        """Names of the card types of a hand."""
        return self._t.names[: self._t.hand_types]

    @cached_property
    def hand_size(self) -> I32:
        """int32[game]: cards in the own hand."""
        return self._cut(self._state.size[self.seat]).astype(np.int32)

    @cached_property
    def hand_limit(self) -> I32:
        """int32[game]: the month's hand limit."""
        return self._cut(self._state.limit).astype(np.int32)

    @cached_property
    def km_of_card(self) -> F32:
        """float32[advance card, 1]: the km of each advance card."""
        return (self._t.advance_km * np.float32(self._t.km_unit)).astype(np.float32)[:, None]

    @cached_property
    def divisions(self) -> I32:
        """int32[game]: how many divisions the own hand holds."""
        return np.add.reduce(self.small_hand[self._t.division], axis=0, dtype=np.int32)

    @cached_property
    def advances(self) -> I32:
        """int32[game]: how many advance cards the own hand holds."""
        return np.add.reduce(self.small_hand[self._t.advance], axis=0, dtype=np.int32)

    @cached_property
    def generals(self) -> I32:
        """int32[game]: how many German generals the own hand holds."""
        return np.add.reduce(self.small_hand[self._t.german_general], axis=0, dtype=np.int32)

    @cached_property
    def strength(self) -> I32:
        """int32[game]: all own fighting cards with the best general, without month and die (M20)."""
        return self.small_strength.astype(np.int32)

    # -- what lies open ---------------------------------------------------------------------------
    @cached_property
    def km(self) -> F32:
        """float32[game]: own distance driven."""
        return self._km(self._state.km[self.seat])

    @cached_property
    def rival_km(self) -> F32:
        """float32[rival, game]: distance of every other player, clockwise."""
        return self._km(self._state.km[self._others])

    @property
    def goal_km(self) -> int:
        """Km to Moscow."""
        return self._t.goal_km

    @cached_property
    def arrived(self) -> Bool:
        """bool[game]: is this player before Moscow?"""
        return self._cut(self._state.km[self.seat]) >= self._t.km(self._t.goal_km)

    @cached_property
    def rival_arrived(self) -> Bool:
        """bool[rival, game]: who is before Moscow."""
        return self._cut(self._state.km[self._others]) >= self._t.km(self._t.goal_km)

    @cached_property
    def blocked(self) -> Bool:
        """bool[game]: a Red Army stands before this player."""
        return self._cut(self._state.front[self.seat]) > 0

    @cached_property
    def rival_blocked(self) -> Bool:
        """bool[rival, game]: a Red Army stands before that player."""
        return self._cut(self._state.front[self._others]) > 0

    @cached_property
    def red_total(self) -> I32:
        """int32[game]: strength of the Red Army before this player with its boosts (0 none)."""
        return self.small_red_total.astype(np.int32)

    @cached_property
    def rival_red_total(self) -> I32:
        """int32[rival, game]: the same before every other player."""
        return self._red_total(self._others).astype(np.int32)

    @cached_property
    def moscow_total(self) -> I32:
        """int32[game]: what an attack on Moscow must reach."""
        return self.small_moscow_total.astype(np.int32)

    @cached_property
    def month(self) -> I32:
        """int32[game]: 0 June .. 6 December."""
        return self._cut(self._state.month).astype(np.int32)

    @cached_property
    def modifier(self) -> I32:
        """int32[game]: the month's attack modifier."""
        return self.small_modifier.astype(np.int32)

    @cached_property
    def deck_left(self) -> I32:
        """int32[game]: cards left in the draw deck."""
        return self._cut(self._state.deck_size).astype(np.int32) - (self.turn + 1)

    @cached_property
    def rival_hand_size(self) -> I32:
        """int32[rival, game]: cards in every other player's hand."""
        return self._cut(self._state.size[self._others]).astype(np.int32)

    @cached_property
    def rival_shown(self) -> Bool:
        """bool[rival, game]: that hand was shown and has not changed since (ruling 2)."""
        return self._cut(self._state.shown[self._others]) > 0

    @cached_property
    def rival_hand(self) -> I32:
        """int32[rival, card type, game]: the hands that were shown; all 0 where a hand is hidden."""
        known = self._state.hand[self._others] * self._state.shown[self._others][:, None]
        return self._cut(known).astype(np.int32)

    @cached_property
    def discards(self) -> I32:
        """int32[card type, game]: the discard pile: all cards that are nowhere else."""
        return self._cut(discard_pile(self._t, self._state, self.turn)).astype(np.int32)

    # -- chances ----------------------------------------------------------------------------------
    @cached_property
    def fight_odds(self) -> F32:
        """float32[game]: chance to beat the Red Army before oneself with all fighting cards (0: no fight)."""
        return (self.fight_faces / np.float32(self._t.rules.die_sides)).astype(np.float32)

    @cached_property
    def moscow_odds(self) -> F32:
        """float32[game]: chance to take Moscow now with all fighting cards, were one there."""
        return (self.moscow_faces / np.float32(self._t.rules.die_sides)).astype(np.float32)

    @cached_property
    def fight_faces(self) -> I32:
        """int32[game]: faces of the die that beat the Red Army before oneself, with all fighting cards."""
        return self._faces(self.red_total) * (self.divisions > 0) * self.blocked

    @cached_property
    def moscow_faces(self) -> I32:
        """int32[game]: faces of the die that take Moscow, with all fighting cards."""
        return self._faces(self.moscow_total) * (self.divisions > 0)

    # -- the decision at hand ---------------------------------------------------------------------
    @cached_property
    def defence(self) -> I32:
        """int32[game], at `commit`: the Red total to reach (of Moscow or of the army before oneself)."""
        return self.small_defence.astype(np.int32)

    @cached_property
    def at_moscow(self) -> Bool:
        """bool[game], at `commit`: the attack is on Moscow."""
        return np.asarray(self._code_at() == self._t.attack)

    @cached_property
    def is_order(self) -> Bool:
        """bool[game], at `target`: the card is one of Hitler's orders, else a Red card."""
        return np.asarray(self._code_at() >= self._t.orders.start)

    def muster(self, enough: Array, weakest_first: bool = True) -> NDArray[np.uint8]:
        """uint8[fighting type, game], at `commit`: own fighting cards in order, until they are `enough`.

        At least one division, at most one German general (the strongest, taken last). `enough` int[game]
        is the sum of cards wanted, without month and die.
        """
        t, held = self._t, self.legal  # at `commit` these are the fighting cards in hand
        generals = t.german_general.start - t.fighting.start
        divisions = t.division.stop - t.division.start
        step = 1 if weakest_first else -1
        order = [*range(divisions)[::step], *range(divisions, generals)[::step]]
        strengths = t.strengths[order][:, None]
        there = held[order]
        # What is still wanted before each kind of card, if all cards of the kinds before it are used.
        worth = there * strengths
        left = np.empty((len(order) + 1, held.shape[1]), np.int16)
        left[0] = enough
        for i, all_of_it in enumerate(worth):
            np.subtract(left[i], all_of_it, out=left[i + 1])
        # ceil(left / strength) cards, as many as there are; the small term keeps exact quotients exact.
        wanted = np.ceil(left[:-1] * (np.float32(1) / strengths) - np.float32(1e-3))
        wanted *= wanted > 0
        used = np.zeros_like(held)
        used[order] = np.minimum(wanted, there)
        self._need_a_division(held[:divisions][::step], used[:divisions][::step])
        free = left[-1] > 0
        for i in range(len(held) - 1, generals - 1, -1):
            used[i] = (held[i] > 0) & free
            free &= used[i] == 0
        return used

    @staticmethod
    def _need_a_division(held: Array, taken: Array) -> None:
        """Where no division is taken yet, take the first one held, in place."""
        lacking = np.maximum.reduce(taken, axis=0) == 0
        if lacking.any():
            for here, take in zip(held, taken, strict=True):
                first = lacking & (here > 0)
                take += first
                lacking &= ~first

    def random_commitment(self) -> NDArray[np.uint8]:
        """uint8[fighting type, game]: uniform over the distinct sets of cards that M20 allows."""
        t, held = self._t, self.legal.astype(np.intp)
        divisions = t.division.stop - t.division.start
        generals = t.german_general.start - t.division.start
        used = np.zeros(held.shape, np.uint8)
        # A mixed-radix number holds the counts of all divisions; 0 (no division) is left out.
        sets = np.multiply.reduce(held[:divisions] + 1, axis=0)
        number = self.draw(sets - 1) + 1
        for i in range(divisions):
            used[i] = number % (held[i] + 1)
            number //= held[i] + 1
        for i in range(divisions, generals):
            used[i] = self.draw(held[i] + 1)
        has = (held[generals:] > 0).astype(np.intp)
        pick = self.draw(has.sum(axis=0) + 1)
        used[generals:] = has & (np.add.accumulate(has, axis=0) == pick)
        return used

    def random_cards(self) -> NDArray[np.uint8]:
        """uint8[card type, game], at `discard`: a uniform sample of `need` cards of the hand."""
        assert self.need is not None
        given = np.zeros_like(self.small_hand)
        for k in range(int(self.need.max(initial=0))):
            part = np.greater(self.need, k).nonzero()[0]
            held = self.small_hand.take(part, axis=1) - given.take(part, axis=1)
            upto = np.add.accumulate(held, axis=0, dtype=np.intp)
            card = np.add.reduce(upto <= self.draw(upto[-1], part), axis=0)
            given[card, part] += 1
        return given

    def target_counts(self) -> NDArray[np.int16]:
        """int16[action, game], at `act`: how many targets each legal action has (1 without a target)."""
        t, s = self._t, self._state
        counts = self.legal.astype(np.int16)
        if self.players == 1:
            return counts
        front, others = s.front, self._others
        free = np.add.reduce(front[t.seats_clockwise[self.seat, : t.targets]] == 0, axis=0, dtype=np.int16)
        counts[t.red_army] *= free
        army = front[others] > 0
        counts[t.red_general] *= np.add.reduce(army & (s.general[others] == 0), axis=0, dtype=np.int16)
        counts[t.great_river] *= np.add.reduce(army & (s.river[others] == 0), axis=0, dtype=np.int16)
        counts[t.orders] *= np.int16(self.players - 1)
        return counts

    # -- compact numbers for fast policies: uint8 and int16 ----------------------------------------
    @property
    def die_sides(self) -> int:
        """Sides of the die of a fight."""
        return self._t.rules.die_sides

    @cached_property
    def small_hand(self) -> NDArray[np.uint8]:
        """uint8[card type, game]: `hand` in few bits."""
        if self.need is not None:  # at `discard` every card held is legal: the cut is already made
            return self.legal
        return self._cut(self._state.hand[self.seat])

    @cached_property
    def small_strength(self) -> NDArray[np.int16]:
        """int16[game]: `strength` in few bits."""
        t, state = self._t, self._state
        hand = state.hand[self.seat, t.fighting] if self._rows is None else self.small_hand[t.fighting]
        worth = np.multiply(hand, t.power, dtype=t.power_dtype)
        generals = t.german_general.start - t.fighting.start
        best = cards.some(hand[generals:]) * t.power[generals:]
        np.maximum.reduce(best, axis=0, out=worth[generals])
        return np.add.reduce(worth[: generals + 1], axis=0, dtype=t.power_dtype).astype(np.int16)

    @cached_property
    def small_modifier(self) -> NDArray[np.int16]:
        """int16[game]: `modifier` in few bits."""
        return self._cut(self._state.modifier)

    @cached_property
    def small_red_total(self) -> NDArray[np.uint8]:
        """uint8[game]: `red_total` in few bits."""
        return self._red_total(self.seat)

    @cached_property
    def small_moscow_total(self) -> NDArray[np.uint8]:
        """uint8[game]: `moscow_total` in few bits."""
        return self._cut(self._state.moscow)

    @cached_property
    def small_defence(self) -> NDArray[np.uint8]:
        """uint8[game], at `commit`: `defence` in few bits."""
        return np.where(self.at_moscow, self.small_moscow_total, self.small_red_total)

    @cached_property
    def rival_ranks(self) -> NDArray[np.uint8]:
        """uint8[rival, game]: how many other players each has left behind (equal distances rank equal)."""
        km = self._cut(self._state.km)[self._others]
        return np.add.reduce(km[:, None] > km, axis=1, dtype=np.uint8)

    @cached_property
    def advance_ranks(self) -> NDArray[np.uint8]:
        """uint8[advance card, 1]: higher for longer advance cards."""
        return self._t.ranks[: self._t.advance.stop - self._t.advance.start]

    @cached_property
    def army_ranks(self) -> NDArray[np.uint8]:
        """uint8[army card, 1]: higher for stronger Red Army cards."""
        return self._t.ranks[: self._t.red_army.stop - self._t.red_army.start]

    @cached_property
    def order_ranks(self) -> NDArray[np.uint8]:
        """uint8[order, 1]: 0 for -200 km, then -1 division, -2 divisions, -general."""
        return self._t.ranks[: self._t.orders.stop - self._t.orders.start]

    @cached_property
    def division_ranks(self) -> NDArray[np.uint8]:
        """uint8[division card, 1]: higher for stronger divisions."""
        return self._t.ranks[: self._t.division.stop - self._t.division.start]

    @cached_property
    def luftwaffe_ranks(self) -> NDArray[np.uint8]:
        """uint8[luftwaffe card, 1]: higher for stronger Luftwaffe cards."""
        return self._t.ranks[: self._t.luftwaffe.stop - self._t.luftwaffe.start]

    @cached_property
    def general_ranks(self) -> NDArray[np.uint8]:
        """uint8[general card, 1]: higher for stronger German generals."""
        return self._t.ranks[: self._t.german_general.stop - self._t.german_general.start]

    @cached_property
    def rivers_flow(self) -> NDArray[np.uint8]:
        """uint8[game]: 1 while great rivers count."""
        return self._cut(self._state.rivers_count)

    @cached_property
    def stuck(self) -> Bool:
        """bool[game]: cannot drive: arrived, blocked, or without an advance card."""
        held = np.maximum.reduce(self.small_hand[self._t.advance], axis=0) > 0
        return self.arrived | self.blocked | ~held

    @cached_property
    def rival_ahead(self) -> Bool:
        """bool[game]: some other player is farther than this one."""
        own = self._cut(self._state.km[self.seat])
        return np.asarray(np.maximum.reduce(self._cut(self._state.km[self._others]), axis=0, initial=0) > own)

    @cached_property
    def rival_free_ahead(self) -> Bool:
        """bool[game]: some other player with a free road is at least as far as this one."""
        return np.asarray(self._best_free_rival > self._cut(self._state.km[self.seat]))

    @cached_property
    def rival_threatens(self) -> Bool:
        """bool[game]: some other player with a free road is before Moscow, or one card short of it."""
        near = self._t.km(self._t.goal_km) - int(self._t.advance_km[-1])
        return np.asarray(self._best_free_rival > max(near, 0))

    @cached_property
    def _best_free_rival(self) -> Array:
        """[game]: the greatest distance plus 1 of others without a Red Army before them, else 0."""
        s, one = self._state, self._t.km_dtype(1)
        free = [(s.km[o] + one) * (s.front[o] == 0) for o in self._others]
        if not free:
            return np.zeros(self.games, np.uint8)
        best, *others = free
        for other in others:
            np.maximum(best, other, out=best)
        return self._cut(best)

    # -- helpers ----------------------------------------------------------------------------------
    @property
    def _others(self) -> NDArray[np.intp]:
        return self._t.seats_clockwise[self.seat, :-1]

    def _km(self, km: Array) -> F32:
        return self._cut(km) * np.float32(self._t.km_unit)

    def _red_total(self, seats: Any) -> NDArray[np.uint8]:
        s = self._state
        strength, general, river = (self._cut(values[seats]) for values in (s.strength, s.general, s.river))
        return combat.red_total(self._t, strength, general, river, self._cut(s.rivers_count))

    def _faces(self, red: I32) -> I32:
        return combat.winning_faces(self._t.rules.die_sides, self.strength + self.modifier, red)


def discard_pile(tables: Any, state: MoscowState, turn: int) -> NDArray[np.uint8]:
    """uint8[card type, game]: all cards that are not undrawn, in a hand, on the table or out of play."""
    everything = np.bincount(tables.deck, minlength=tables.types)[: tables.hand_types]
    pile = np.repeat(everything.astype(np.uint8)[:, None], len(state.over), axis=1)
    pile -= np.add.reduce(state.hand, axis=0, dtype=np.uint8)
    ids = np.arange(tables.hand_types, dtype=np.uint8)[:, None]
    for card in state.deck[turn + 1 :]:
        pile -= ids == card
    first = np.uint8(tables.red_army.start - 1)
    for army in (*state.front, state.moscow_army):
        pile -= (ids == army + first) & (army > 0)
    pile[tables.red_general] -= np.add.reduce(state.general, axis=0, dtype=np.uint8) + state.moscow_general
    pile[tables.great_river] -= np.add.reduce(state.river, axis=0, dtype=np.uint8)
    return pile
