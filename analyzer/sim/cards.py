"""Decks and hands of a whole block at once. Cards of a type are alike: a hand is COUNTS per card type.

A deck's order is made by sorting packed keys, random bits above and the card type below (one uint32 sort
a deck). With 26 random bits two of 142 cards share their bits once in about 6,700 decks; those two
neighbours then lie in the order of their types, which moves no measurable chance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_ALL = (slice(None),)
_IDS = np.arange(256, dtype=np.uint8)[:, None]
TYPE_BITS = 6
TYPE_MASK = np.uint32((1 << TYPE_BITS) - 1)
NO_CARD = 255  # a card id that is none: below the end of a deck
CHUNK = 65_536  # lanes worked on at a time: bounds temporaries of all card types; shorter rows cost more


def pack(bits: NDArray[np.uint32], types: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Sort keys uint32[game, card]: random bits above the type (`types` uint8[card]) of each place."""
    keys = bits & ~TYPE_MASK
    keys |= types
    return keys


def put_in(hand: NDArray[np.uint8], card: NDArray[np.uint8], also: NDArray[np.uint8] | None = None) -> None:
    """One card of type `card` uint8[game] more in `hand` and `also` uint8[type, game], in place.

    Ids that are no type of the hand change nothing.
    """
    for part in chunks(card.size):
        one, counts = one_hot(len(hand), card[part]), hand[:, part]
        counts += one
        if also is not None:
            total = also[:, part]
            total += one


def take_out(hand: NDArray[np.uint8], card: NDArray[np.uint8], also: NDArray[np.uint8]) -> None:
    """One card of type `card` uint8[game] less in `hand` and more in `also` uint8[type, game], in place."""
    for part in chunks(card.size):
        one, counts, total = one_hot(len(hand), card[part]), hand[:, part], also[:, part]
        counts -= one
        total += one


def one_hot(types: int, card: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """0/1 [type, game]: 1 at each game's card."""
    return np.equal(_IDS[:types], card).view(np.uint8)


def chunks(lanes: int, size: int = CHUNK) -> Sequence[slice]:
    """Slices of `size` lanes that cover all."""
    if lanes <= size:
        return _ALL
    return [slice(low, low + size) for low in range(0, lanes, size)]


def some(counts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """0/1 in the shape of `counts`: 1 where there is a card. (A minimum with 1 is ten times slower.)"""
    return np.greater(counts, 0).view(np.uint8)
