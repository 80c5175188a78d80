"""What the seat that decides may know: its own hand, what lies open, counts of what is hidden (ruling 10).

Arrays have the game as their last axis. `rival` arrays are [k, game], k-th other player clockwise; no hand
but the own one, no face-down card and no friend's points are ever in a view. Chances are 0..1, masks bool;
numbers are wide enough for any arithmetic. The `small_` numbers are the same in few bits: fast, and they wrap
around.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, lazy
from analyzer.games.eastfront import chances
from analyzer.games.eastfront.exchange import ExchangeView
from analyzer.games.eastfront.state import CLEARED, HALF, TOP, EastfrontState, discard_pile
from analyzer.games.eastfront.tables import U8, U16

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
Rows = NDArray[np.intp]
_BYTE, _LOW = np.uint16(8), np.uint64(255)
# Arrays without axes: on few rows they are quicker than scalars.
_ZERO, _ONE, _TOP, _HALF, _HUNDRED = (np.array(k, np.uint8) for k in (0, 1, TOP, HALF, 100))
_EVERY_BYTE, _BUT_TWO, _BUT_ONE, _UPPER = (
    np.array(k, np.uint64) for k in (0x0101010101010101, 48, 56, 0xFF00)
)


class EastfrontView(ExchangeView):
    """One seat's view at one decision. Everything is worked out when first asked for."""

    def __init__(
        self,
        game: Eastfront,
        state: EastfrontState,
        seat: int,
        turn: int,
        rows: Rows | None = None,
        part: slice | None = None,
    ) -> None:
        """What `seat` sees in the games `rows` (None: all); `part` is the same as a slice, if it is one."""
        self._game, self._state, self._rows, self._part = game, state, rows, part
        self._t = game.tables
        self.seat, self.players, self.turn = seat, game.players, turn

    def bind(self, asker: Any, decision: Decision) -> None:
        """Called by the engine: where random draws come from, and what is legal."""
        self._asker, self.legal, self.need = asker, decision.legal, decision.need

    def draw(self, count: Array | int, among: Rows | None = None) -> Rows:
        """intp[game]: a uniform number 0..count-1 of every game, from the game's own random stream.

        `among` intp[k]: only these games draw. A game must not draw because another one does.
        """
        rows = self._rows if among is None else among if self._rows is None else self._rows[among]
        return self._asker.digit(count, rows).astype(np.intp)

    def _cut(self, values: Array) -> Array:
        """The decision's rows of a state array, not to be written to."""
        if self._rows is not None and self._part is None:
            return values.take(self._rows, axis=-1)
        open_view = values.view() if self._part is None else values[..., self._part]
        open_view.flags.writeable = False
        return open_view

    @property
    def games(self) -> int:
        """How many games this decision is asked in."""
        return len(self._state.over) if self._rows is None else len(self._rows)

    @property
    def _others(self) -> NDArray[np.intp]:
        return self._t.seats_clockwise[self.seat, :-1]

    # -- the own cards ----------------------------------------------------------------------------
    @lazy
    def hand(self) -> I32:
        """int32[card type, game]: the own hand as counts, types in the order of `card_titles`."""
        return self.small_hand.astype(np.int32)

    @property
    def card_titles(self) -> tuple[str, ...]:
        """Titles of the play card types."""
        return self._t.titles

    @lazy
    def hand_size(self) -> I32:
        """int32[game]: cards in the own hand."""
        return self._cut(self._state.size[self.seat]).astype(np.int32)

    @lazy
    def table(self) -> I32:
        """int32[german, game]: the own German cards on the table."""
        return self._cut(self._state.table[self.seat]).astype(np.int32)

    @lazy
    def force(self) -> I32:
        """int32[game]: their fire together."""
        return self.small_force.astype(np.int32)

    @lazy
    def friends(self) -> I32:
        """int32[game]: friend cards the own seat has taken."""
        return (self._cut(self._state.standing[self.seat]) >> _BYTE).astype(np.int32)

    @lazy
    def halted(self) -> Bool:
        """bool[game]: this player may not attack in its next turn (out of fuel)."""
        return self._cut(self._state.halted[self.seat]) > 0

    # -- what lies open ---------------------------------------------------------------------------
    @lazy
    def rival_table(self) -> I32:
        """int32[rival, german, game]: every other player's German cards on the table."""
        return self._cut(self._state.table[self._others]).astype(np.int32)

    @lazy
    def rival_force(self) -> I32:
        """int32[rival, game]: their fire together."""
        return self._cut(self._state.standing[self._others]).astype(np.uint8).astype(np.int32)

    @lazy
    def rival_friends(self) -> I32:
        """int32[rival, game]: friend cards every other player has taken."""
        return (self._cut(self._state.standing[self._others]) >> _BYTE).astype(np.int32)

    @lazy
    def rival_hand_size(self) -> I32:
        """int32[rival, game]: cards in every other player's hand."""
        return self._cut(self._state.size[self._others]).astype(np.int32)

    @lazy
    def rival_halted(self) -> Bool:
        """bool[rival, game]: that player may not attack in its next turn."""
        return self._cut(self._state.halted[self._others]) > 0

    @lazy
    def stack_left(self) -> I32:
        """int32[stack, game]: Soviet cards left in each stack."""
        return self.small_left.astype(np.int32)

    @property
    def stack_height(self) -> int:
        """Soviet cards in a full stack."""
        return self._t.height

    @lazy
    def open_card(self) -> I32:
        """int32[stack, game]: the type of the Soviet card that lies face up on a stack, -1 for none."""
        top = self._top.astype(np.int32)
        return np.where(top == CLEARED, -1, top - 1)

    @lazy
    def unseen(self) -> I32:
        """int32[soviet, game]: how many Soviet cards of each type still lie face down, in all stacks."""
        unseen = self._cut(self._state.unseen)
        return np.stack([unseen >> np.uint64(8 * s) & _LOW for s in range(self._t.soviets)]).astype(np.int32)

    @lazy
    def friends_left(self) -> I32:
        """int32[game]: friend cards nobody has taken yet."""
        return self._t.rules.friends - self._cut(self._state.rescued).astype(np.int32)

    @lazy
    def deck_left(self) -> I32:
        """int32[game]: cards left in the play deck."""
        left = len(self._state.deck) - (self.turn + 1 if self.seated else 0)
        return np.full(self.games, left, np.int32)

    @property
    def own_turns_left(self) -> int:
        """Turns of this seat that can still come after the present one: cards left / players."""
        return max(0, len(self._state.deck) - self.turn - 1) // self.players

    @property
    def seated(self) -> bool:
        """False at the opening deployment: no card has been drawn yet."""
        return self.turn >= 0

    @lazy
    def discards(self) -> I32:
        """int32[card type, game]: the discard pile: all play cards that are nowhere else."""
        return self._cut(discard_pile(self._t, self._state, self.turn)).astype(np.int32)

    # -- chances ----------------------------------------------------------------------------------
    @lazy
    def odds(self) -> F32:
        """float32[stack, game]: the exact chance that an attack with the own German cards destroys the next
        card of each stack: 0 or 1 where it lies face up; else from all cards that lie face down.

        The neighbour is taken to shoot the best card it can destroy; no support, no pillbox. 0 for a
        stack that is cleared.
        """
        hits_and_total = self._hits_and_total
        hits, total = hits_and_total >> 8, hits_and_total & 255
        unseen = (hits / np.maximum(total, 1)).astype(np.float32)
        return np.where(self._top == 0, unseen, self._sure.astype(np.float32))

    def clear_odds(self, stack: int) -> NDArray[np.float64]:
        """float64[k, game]: the exact chance to destroy at least k + 1 cards of this stack in one attack, by
        enumeration (the last k that a stack still has is the chance to clear it). Slow: one call a turn."""
        return chances.clear(self._t, self.table, self.unseen, self.open_card[stack], self.stack_left[stack])

    @lazy
    def small_odds(self) -> U8:
        """uint8[stack, game]: `odds` in percent, rounded down."""
        odds = self._sure * _HUNDRED
        odds += (self._top == _ZERO).view(np.uint8) * self._unseen_odds
        return odds

    @lazy
    def _unseen_odds(self) -> U8:
        """uint8[game]: the chance to beat a face-down card in percent, rounded down."""
        return self._t.percents.take(self._hits_and_total)

    @lazy
    def _stacks(self) -> U8:
        """uint8[stack, game]: the bytes of the stacks."""
        return self._cut(self._state.stack)

    @lazy
    def _top(self) -> U8:
        """uint8[stack, game]: the face-up card's type + 1, 0 for a card face down, CLEARED for no card."""
        return self._stacks & _TOP

    @lazy
    def _sure(self) -> U8:
        """0/1 [stack, game]: a card lies face up that the own table beats."""
        beaten = np.right_shift(self._beaten_bits, self._top - _ONE)
        beaten &= _ONE
        return beaten

    @lazy
    def _beaten_bits(self) -> U8:
        """uint8[game]: the Soviet cards that the own table beats, as bits."""
        state, t = self._state, self._t
        key = np.multiply(self.small_force, t.presences, dtype=np.intp)
        key += self._cut(state.presence[self.seat])
        return t.beats.take(key)

    @lazy
    def _hits_and_total(self) -> Rows:
        """intp[game]: the face-down Soviet cards that the own table beats * 256 + all of them.

        A number times `_EVERY_BYTE` has the sum of its eight bytes in its highest byte.
        """
        unseen = self._cut(self._state.unseen)
        both = self._t.bytes_of_bits.take(self._beaten_bits)
        both &= unseen
        both *= _EVERY_BYTE
        both >>= _BUT_TWO
        both &= _UPPER
        total = unseen * _EVERY_BYTE
        total >>= _BUT_ONE
        both |= total
        return both.view(np.intp)

    # -- compact numbers for fast policies ----------------------------------------------------------
    @lazy
    def small_hand(self) -> U8:
        """uint8[card type, game]: `hand` in few bits."""
        return self._cut(self._state.hand[self.seat])

    @lazy
    def small_force(self) -> U8:
        """uint8[game]: `force` in few bits."""
        return self._cut(self._state.standing[self.seat]).astype(np.uint8)

    @lazy
    def small_left(self) -> U8:
        """uint8[stack, game]: `stack_left` in few bits."""
        return self._stacks >> _HALF

    @lazy
    def begun(self) -> Bool:
        """bool[stack, game]: a card of the stack lies face up, or is gone already."""
        return np.asarray(self._stacks != self._t.full_stacks)

    @lazy
    def worth(self) -> U8:
        """uint8[german, 1]: a rank of the German cards by fire, then defence; higher is better."""
        return self._t.worth.astype(np.uint8)[:, None]

    @lazy
    def hinder_worth(self) -> U8:
        """uint8[card that hinders, 1]: a rank of these cards by what they do; higher is better."""
        return self._t.hinder_worth

    @lazy
    def support_worth(self) -> U8:
        """uint8[support, 1]: a rank of the support cards, by their places in the config."""
        return np.arange(self._t.supports, dtype=np.uint8)[:, None]

    @lazy
    def best_odds(self) -> U8:
        """uint8[game]: the best of `small_odds`."""
        hidden = (np.minimum.reduce(self._top, axis=0) == _ZERO).view(np.uint8)
        sure = np.bitwise_or.reduce(self._sure, axis=0)
        unseen = self._unseen_odds * hidden
        return unseen + sure * (_HUNDRED - unseen)

    @lazy
    def rival_ranks(self) -> U8:
        """uint8[rival, game]: how far each is ahead: friends taken first, then force. Higher is farther.

        How many of the other rivals each has left behind; equals rank equal.
        """
        return self._ranks(self._cut(self._state.standing[self._others]))

    @lazy
    def force_ranks(self) -> U8:
        """uint8[rival, game]: how many of the other rivals each has left behind in force alone."""
        return self._ranks(self._cut(self._state.standing[self._others]).astype(np.uint8))

    @staticmethod
    def _ranks(standing: Array) -> U8:
        return np.add.reduce(standing[:, None] > standing, axis=1, dtype=np.uint8)

    @lazy
    def leads(self) -> U8:
        """0/1 [rival, game], at `target`: nobody else on whom the card may be played is farther ahead."""
        state = self._state.standing
        standing = np.array([self._cut(state[other]) for other in self._others.tolist()])
        standing *= self.legal
        return (standing == np.maximum.reduce(standing, axis=0)).view(np.uint8)

    @lazy
    def rival_ahead(self) -> Bool:
        """bool[game]: some other player has taken more friends, or as many and has a greater force."""
        standing = self._state.standing
        best = reduce(np.maximum, [self._cut(standing[other]) for other in self._others.tolist()])
        return np.asarray(best > self._cut(standing[self.seat]))

    # -- random play (ruling 11) ----------------------------------------------------------------------
    def ways(self) -> NDArray[np.int32]:
        """int32[action, game], at `act`: how many (target, named card) each legal action stands for."""
        t = self._t
        ways = self.legal.astype(np.int32)
        for h in range(t.hinders):
            ways[t.germans + h] *= np.add.reduce(self._names(np.full(self.games, h)), axis=0)
        return ways

    def ways_by_target(self) -> NDArray[np.int32]:
        """int32[rival, game], at `target`: how many cards may be named there (1 if none is to be named)."""
        return self._names(self._card)

    def _names(self, card: Array) -> NDArray[np.int32]:
        t, state = self._t, self._state
        presence = self._cut(state.presence[self._others]) & t.hinder_against[card]
        names = np.bitwise_count(presence).astype(np.int32)
        for h, effect in enumerate(t.effects):
            if effect == "discard":
                names[:, card == h] = self._cut(state.size[self._others])[:, card == h] > 0
            if effect == "halt":
                names[:, card == h] = self._cut(state.halted[self._others])[:, card == h] == 0
        return names

    def random_deployment(self) -> U8:
        """uint8[german, game], at `deploy`: card by card, uniform over the types left and "stop"."""
        down = np.zeros_like(self.legal)
        going = np.bitwise_or.reduce(self.legal, axis=0).nonzero()[0]
        while going.size:
            left = self.legal.take(going, axis=1) > down.take(going, axis=1)
            upto = np.add.accumulate(left, axis=0, dtype=np.intp)
            pick = self.draw(upto[-1] + 1, going)
            card = np.add.reduce(upto <= pick, axis=0)
            on = pick < upto[-1]
            going = going[on]
            down[card[on], going] += 1
        return down

    # -- the decision at hand: cards that hinder ------------------------------------------------------
    def about_card(self, card: U8, named: U8 | None = None, presence: U16 | None = None) -> Any:
        """Tell the view which card hinders, which German card is named, or which may be: for the game."""
        self._card, self._named, self._may_be_named = card, named, presence
        return self

    @property
    def card(self) -> NDArray[np.intp]:
        """intp[game], at `target`, `name`, `cover`: the card played, a place among those that hinder."""
        return self._card.astype(np.intp)

    @lazy
    def best_named(self) -> U8:
        """uint8[game], at `name`: the best German card of the target that the card can destroy."""
        assert self._may_be_named is not None  # it is, at `name`
        return self._t.hindered.take(self._card * np.intp(self._t.presences) + self._may_be_named)

    @lazy
    def hurts(self) -> Bool:
        """bool[game], at `cover`: the card would do something: a shot that cannot destroy does not."""
        t = self._t
        assert self._named is not None  # it is, at `cover`
        fires = np.array([effect == "fire" for effect in t.effects]).take(self._card)
        return np.asarray(~fires | (t.hinder_fire.take(self._card) > t.defence_of_named.take(self._named)))

    # -- the decision at hand: stacks ------------------------------------------------------------------
    def about_stacks(self, stacks: U8) -> Any:
        """Tell the view the bytes of the stacks, where the game has picked them out already."""
        self.__dict__["_stacks"] = stacks
        return self
