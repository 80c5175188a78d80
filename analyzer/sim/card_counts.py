"""Histograms of how many cards of each type a seat drew, played or held, by whether it won."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

COUNT_BITS = 4  # card counts of 15 and more are counted together
PLACES = 1 << COUNT_BITS


def histograms(won: NDArray[np.bool_], stats: Sequence[NDArray[np.uint8]]) -> NDArray[np.int64]:
    """int64[seat, stat, type, count, won]: seat-games by card count (the last place: 15 and more) and result.

    won bool[seat, game]; stats: counts uint8[seat, type, game] each. Three types share one 13-bit key (4 bits
    a count, 1 bit for the result): one pass counts all three.
    """
    seats, types = stats[0].shape[:2]
    out = np.zeros((seats, len(stats), types, PLACES, 2), np.int64)
    for seat, result in enumerate(won):
        key_of_result = result.astype(np.uint16) << np.uint16(3 * COUNT_BITS)
        for stat, values in enumerate(stats):
            counts = values[seat]
            if counts.max(initial=0) >= PLACES:
                counts = np.minimum(counts, np.uint8(PLACES - 1))
            for first in range(0, types, 3):
                _count_three(key_of_result, counts[first : first + 3], out[seat, stat, first : first + 3])
    return out


def _count_three(result: NDArray[np.uint16], counts: NDArray[np.uint8], out: NDArray[np.int64]) -> None:
    """Fill out int64[type, count, won] for up to three types."""
    key = result.copy()
    for k, row in enumerate(counts):
        key |= row.astype(np.uint16) << np.uint16(COUNT_BITS * k)
    joint = np.bincount(key, minlength=2 * PLACES**3).reshape(2, PLACES, PLACES, PLACES)
    pairs = joint.sum(axis=1)
    margins = (pairs.sum(axis=1), pairs.sum(axis=2), joint.sum(axis=(2, 3)))
    for k in range(len(out)):
        out[k] = margins[k].T
