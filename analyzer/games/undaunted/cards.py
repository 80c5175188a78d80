"""Drawing (U5, U16, U20): cards come out of a deck at random, and the discard pile becomes the next deck."""

from __future__ import annotations

import numpy as np

from analyzer.games.undaunted.state import U8, U32, U64
from analyzer.games.undaunted.tables import Side
from analyzer.sim.chance import GAMMA, below, mix


def bits(keys: U64, number: U32) -> U64:
    """uint64[lane]: the random bits of the draw or die number `number` (0-based) of each game."""
    return mix(keys + (number.astype(np.uint64) + np.uint64(1)) * np.uint64(GAMMA))


def draw(side: Side, cards: U8, drawn: U32, keys: U64, asked: U8) -> None:
    """Draw one card where `asked` (0/1 [lane]), in place.

    cards: uint8[row, lane] of the side; drawn: cards it has drawn before; keys: of its draws.
    U5: an empty deck is first made anew of the discard pile; with both empty nothing is drawn. The card is
    the one at place `bits * cards >> 32` of the deck sorted by type.
    """
    deck = cards[side.in_deck]
    size = np.add.reduce(deck, axis=0, dtype=np.uint8)
    empty = ((size == 0).view(np.uint8) & asked).nonzero()[0]
    if empty.size:
        _pour(side, cards, empty)
        size = np.add.reduce(deck, axis=0, dtype=np.uint8)
    here = (size > 0).view(np.uint8) & asked
    digit = below(bits(keys, drawn), size).astype(np.uint8)
    upto = np.empty(
        (len(deck) + 1, deck.shape[1]), np.uint8
    )  # 1 where the card is of this type or one before
    upto[0] = 0
    total = np.zeros_like(digit)
    for kind, count in enumerate(deck, 1):
        total += count
        np.greater(total, digit, out=upto[kind].view(bool))
    one = upto[1:] ^ upto[:-1]
    one *= here
    deck -= one
    hand = cards[side.hand]
    hand += one
    drawn += here


def _pour(side: Side, cards: U8, lanes: U64) -> None:
    """U5: the discard pile becomes the deck (which is empty) in these lanes."""
    lanes_of = cards.shape[1]
    flat = cards.reshape(-1)
    types = np.arange(side.types)[:, None] * lanes_of + lanes
    discard = types + side.discard.start * lanes_of
    flat[types + side.in_deck.start * lanes_of] = flat[discard]
    flat[discard] = 0
