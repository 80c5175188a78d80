"""Decks and hands of a whole block at once. Cards of a type are alike: a hand is COUNTS per card type.

A deck's order is made by sorting packed keys, random bits above and the card type below (one uint32 sort
a deck). With 26 random bits two of 142 cards share their bits once in about 6,700 decks; those two
neighbours then lie in the order of their types, which moves no measurable chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TYPE_BITS = 6
TYPE_MASK = np.uint32((1 << TYPE_BITS) - 1)
NO_CARD = 255  # a card id that is none: below the end of a deck


def shuffle(bits: NDArray[np.uint32], deck: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shuffled decks uint8[game, card] of the card types in `deck` uint8[card], by `bits` uint32[game, card]."""
    return (np.sort(pack(bits, deck), axis=1) & TYPE_MASK).astype(np.uint8)


def pack(bits: NDArray[np.uint32], types: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Sort keys uint32[game, card]: random bits above the card's type."""
    keys = bits & ~TYPE_MASK
    keys |= types
    return keys


def counts(cards: NDArray[np.uint8], types: int) -> NDArray[np.uint8]:
    """Counts uint8[type, game] of the cards uint8[game, card] (ids from `types` on are left out)."""
    out = np.zeros((types, len(cards)), np.uint8)
    ids = np.arange(types, dtype=np.uint8)[:, None]
    for column in np.ascontiguousarray(cards.T):
        out += ids == column
    return out
