"""Chances of a hit as policies use them: floats and whole percents (the exact ones stand in `odds.py`)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array


def hit_chance(faces: int, zero_hits: bool, dice: Array | int, defence: Array | int) -> NDArray[np.float32]:
    """U22: the chance that some of `dice` dice (faces from 0) shows `defence` or more, or a 0 that hits."""
    defence = np.asarray(defence, np.int32)
    good = np.clip(faces - defence, 0, faces) + (defence > 0) * zero_hits
    single = np.clip(good / faces, 0, 1)
    return np.asarray(1 - (1 - single) ** dice, np.float32)


@lru_cache(maxsize=64)
def percents(faces: int, zero_hits: bool, dice: int) -> NDArray[np.uint8]:
    """uint8[256]: hundredths of the chance by total defence; 0 from 128 on (nothing to hit)."""
    table = np.rint(100 * hit_chance(faces, zero_hits, dice, np.arange(256))).astype(np.uint8)
    table[128:] = 0
    table.flags.writeable = False
    return table
