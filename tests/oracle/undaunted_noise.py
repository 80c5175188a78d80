"""Random numbers of one game of Undaunted in plain arithmetic: SplitMix64, and a policy's noise from it."""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

GAMMA, WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1
KINDS = ("bid", "play", "step", "attack", "guide", "target", "bolster", "inspire")
PLACES = 256  # words of noise that one kind of decision may use in a round
MOST = 40  # points either way


def word(key: int, k: int) -> int:
    """The 64 bits of number `k` of a game's sequence (SplitMix64)."""
    z = (key + (k + 1) * GAMMA) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


@lru_cache
def points(scale: float) -> tuple[int, ...]:
    """Whole points of noise for each of 256 equally likely bytes, of this standard deviation."""
    normal = NormalDist()
    drawn = [round(normal.inv_cdf((byte + 0.5) / 256) * scale) for byte in range(256)]
    return tuple(max(-MOST, min(MOST, n)) for n in drawn)


class Noise:
    """The noise on the scores of one game: a byte for each answer, the same for a seat all round long."""

    def __init__(self, key: int, scale: float) -> None:
        self._key, self._points = key, points(scale)

    def of(self, kind: str, seat: int, round_number: int, place: int) -> int:
        """Points for the answer that stands at this place of all answers; rounds are counted from 1."""
        first = PLACES * (len(KINDS) * (2 * round_number + seat) + KINDS.index(kind))
        drawn = word(self._key, first + place // 8)
        return self._points[drawn >> 8 * (place % 8) & 255]
