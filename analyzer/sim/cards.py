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


def pack(bits: NDArray[np.uint32], types: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Sort keys uint32[game, card]: random bits above the type of the card at that place (`types` uint8[card])."""
    keys = bits & ~TYPE_MASK
    keys |= types
    return keys
