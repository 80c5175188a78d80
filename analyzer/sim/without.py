"""Games without a card, dealt as the games with it: all other cards lie where they lay, as far as can be.

A shorter deck that is shuffled anew has nothing in common with the longer one but its seed. Here the longer
one is shuffled and dealt, then the copies of the card are taken out, and other cards fill their places: in a
hand a random card of those not dealt, in the deck the one at its end. That is an even shuffle and deal of the
shorter deck, and most games see the same cards for long: differences vary less than between independent runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.registry import Room
from analyzer.sim.cards import NO_CARD, chunks
from analyzer.sim.chance import DEAL, GAMMA, U64, below, digest_words, mix
from analyzer.sim.request import Request
from analyzer.sim.watch import Watched

U8 = NDArray[np.uint8]
Ints = NDArray[np.intp]
CHUNK = 8192  # lanes worked on at a time


@dataclass
class Dealt:
    """What was dealt, changed in place. All that draw from one deck.

    hand: uint8[seat, type, lane], counts; deck: uint8[place, lane], types, NO_CARD from `size` (uint8[lane])
    on; kept: bool[type], whether a hand keeps such a card: others went back into the deck after the deal;
    slots: cards dealt to each seat; key: uint64[lane], of all random numbers.
    """

    hand: U8
    deck: U8
    size: U8
    kept: NDArray[np.bool_]
    slots: int
    key: U64

    def without(self, card: int) -> None:
        """Take a card out."""
        for part in chunks(self.size.size, CHUNK):
            some = Dealt(
                self.hand[..., part],
                self.deck[:, part],
                self.size[part],
                self.kept,
                self.slots,
                self.key[part],
            )
            some._without(card)

    def _without(self, card: int) -> None:
        self.card = card
        self.back = self.slots - np.add.reduce(self.hand, axis=1, dtype=np.intp)  # [seat, lane]: went back
        empty = self._in_hands() if self.kept[card] else self._gone_back()
        self.back = self.back.sum(axis=0) - (0 if self.kept[card] else empty.sum(axis=(0, 1)))
        for seat, row in enumerate(empty):
            for slot, here in enumerate(row):
                self._fill(seat, seat * self.slots + slot, here.nonzero()[0])
        self._leave_deck()

    def _in_hands(self) -> NDArray[np.bool_]:
        """bool[seat, slot, lane]: where a hand loses the card; it is taken out of the hands."""
        held = self.hand[:, self.card].copy()
        self.hand[:, self.card] = 0
        return np.arange(self.slots)[:, None] < held[:, None]

    def _gone_back(self) -> NDArray[np.bool_]:
        """bool[seat, slot, lane]: where it was dealt and went back. What went back was, evenly, any of the
        cards in the deck that no hand keeps."""
        seats, lanes = self.back.shape
        left = (~self._is_kept(self.deck) & (self.deck != NO_CARD)).sum(axis=0)
        copies = (self.deck == self.card).sum(axis=0)
        found = np.zeros((seats, self.slots, lanes), bool)
        for seat in range(seats):
            for slot in range(self.slots):
                here = (slot < self.back[seat]) & (left > 0)
                drawn = self._number(2000 + seat * self.slots + slot, np.maximum(left, 1))
                found[seat, slot] = here & (drawn < copies)
                left -= here
                copies -= found[seat, slot]
        return found

    def _fill(self, seat: int, number: int, lanes: Ints) -> None:
        """Deal another card to a seat in these lanes: one of those that were not dealt before."""
        if not lanes.size:
            return
        deck = self.deck[:, lanes]
        there = (deck != NO_CARD) & (deck != self.card)
        good = there & self._is_kept(deck)
        many = good.sum(axis=0)
        others = (there & ~good).sum(axis=0) - self.back[lanes]
        drawn = self._number(number, np.maximum(many + others, 1), lanes)
        took = drawn < many
        self.back[lanes] += ~took & (others > 0)  # no hand keeps it: dealt, and back in the deck
        at = took.nonzero()[0]
        place = (np.cumsum(good[:, at], axis=0, dtype=np.uint16) <= drawn[at]).sum(axis=0)
        lanes, new = lanes[at], deck[place, at]
        self.hand[seat, new, lanes] += 1
        self._close(place, lanes)

    def _leave_deck(self) -> None:
        """The copies in the deck make room for the cards at its end."""
        while True:
            there = self.deck == self.card
            lanes = there.any(axis=0).nonzero()[0]
            if not lanes.size:
                return
            self._close(there[:, lanes].argmax(axis=0), lanes)

    def _close(self, place: Ints, lanes: Ints) -> None:
        """One card less in the deck: the last one moves to its place."""
        self.size[lanes] -= 1
        last = self.size[lanes].astype(np.intp)
        self.deck[place, lanes] = self.deck[last, lanes]
        self.deck[last, lanes] = NO_CARD

    def _is_kept(self, deck: U8) -> NDArray[np.bool_]:
        table = np.zeros(256, bool)
        table[: len(self.kept)] = self.kept
        return np.asarray(table[deck])

    def _number(self, number: int, count: Any, lanes: Any = slice(None)) -> NDArray[np.int64]:
        """int64[one of these lanes]: random, 0..count-1, the same for a game whatever others are there."""
        bits = mix(self.key[lanes] + np.uint64((number + 1) * GAMMA % 2**64))
        return below(bits, count).astype(np.int64)


class Without(Watched):
    """The game without a card, begun as the game with it (`before`) was dealt."""

    def __init__(self, game: Any, room: Room, before: Any, card: str) -> None:
        super().__init__(game, room)
        self.before, self.card = before, card

    def start(self, luck: Any) -> Any:
        state, before = super().start(luck), self.before.start(luck)
        words = luck.stream(DEAL, *digest_words("without")[:1])
        key = words.integers(0, 2**64, size=luck.size, dtype=np.uint64)[luck.rows]
        self.room.part("pieces").WITHOUT(self.game, state, self.before, before, self.card, key)
        return state


@dataclass(frozen=True)
class WithoutRequest(Request):
    """A run without a card, on the deals of the run with it."""

    before: Request | None = None
    card: str = ""

    def make_game(self) -> Any:
        """The game under these rules, dealt as the one before."""
        assert self.before is not None
        return Without(super().make_game(), self.room, self.before.make_game(), self.card)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """As of the run, and what it is dealt as."""
        assert self.before is not None
        return {**super().identity, "without": [self.card, self.before.config.digest]}


def without(request: Request, before: Request, card: str) -> Request:
    """The run of a config without the card, dealt as `before`; as it is where the game does not tell how."""
    if not hasattr(request.room.part("pieces"), "WITHOUT"):
        return request
    return WithoutRequest(**request.given(), before=before, card=card)
