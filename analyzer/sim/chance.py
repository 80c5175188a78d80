"""Seeds and streams: chance is data, apart for deal, dice, ties and noise.

A stream is `default_rng([stream, block, *digest(game), seed])`, root last as NumPy's guide to parallel
generation asks. Neither the policies nor the rules enter the key: another policy or another rule replays
the same luck (common random numbers).

Dice and ties are drawn only for the games that need them: every game has a 64-bit key of its own (drawn
from its block's stream) and its numbers are the SplitMix64 sequence of that key (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014). A die is the number at its place (turn, slot) of
the dice key, so it is there whether or not an earlier one was thrown; ties take the next number of the
tie key. So a game's luck does not depend on which other games are played beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

DEAL, DICE, TIES, NOISE = 1, 2, 3, 4
MAX_SEED = 2**63 - 1
SLOTS = 64  # dice a game may throw in one turn

U64 = NDArray[np.uint64]
Rows = NDArray[np.intp]

GAMMA = 0x9E3779B97F4A7C15
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(s) for s in (27, 30, 31, 32))


def digest_words(text: str) -> list[int]:
    """Four 32-bit words that stand for a text in a seed list."""
    raw = hashlib.sha256(text.encode()).digest()
    return [int.from_bytes(raw[i : i + 4], "little") for i in range(0, 16, 4)]


def mix(z: U64) -> U64:
    """SplitMix64's output function, on an array that it may overwrite."""
    z ^= z >> _S30
    z *= _MIX_1
    z ^= z >> _S27
    z *= _MIX_2
    z ^= z >> _S31
    return z


def below(bits: U64, count: Any) -> U64:
    """Uniform whole numbers 0..count-1 from the upper 32 of 64 random bits (bias below count / 2**32)."""
    bits >>= _S32
    bits *= np.asarray(count, np.uint64)
    bits >>= _S32
    return bits


@dataclass(eq=False)
class Luck:
    """All the chance of one block of `size` games, of which the block rows `rows` (ascending) are played.

    seeds: a seed of their own for some kinds of chance (DEAL, DICE, TIES, NOISE); all others have `seed`.
    """

    game: str
    seed: int
    block: int
    size: int
    rows: Rows
    seeds: Mapping[int, int] = field(default_factory=dict)
    _last_noise: tuple[tuple[str, int, int, int], NDArray[np.float32]] | None = field(
        default=None, init=False, repr=False
    )

    def stream(self, kind: int, *key: int) -> np.random.Generator:
        """A generator of its own for this kind of chance (and key) in this block."""
        seed = self.seeds.get(kind, self.seed)
        words: Sequence[int] = [kind, self.block, *key, *digest_words(self.game), seed]
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(words)))

    def keys(self, kind: int) -> U64:
        """uint64[block row]: the SplitMix64 key of every game of the block for this kind of chance."""
        return self.stream(kind).integers(0, 2**64, size=self.size, dtype=np.uint64)

    @cached_property
    def _dice_keys(self) -> U64:
        return self.keys(DICE)

    def deal_bits(self, rng: np.random.Generator, cards: int) -> NDArray[np.uint32]:
        """uint32[row, card]: fresh random bits for shuffles of the played rows."""
        return np.concatenate([bits for _, bits in self.deal_parts(rng, cards, len(self.rows))])

    def deal_parts(
        self, rng: np.random.Generator, cards: int, games: int
    ) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
        """`deal_bits` of at most `games` games at a time, with their places among the played rows.

        A part that stays in the cache is much faster than the bits of a whole block.
        """
        # Row-major and game first: a shorter draw is a prefix of a longer one. Two words a 64-bit draw.
        for low in range(0, int(self.rows[-1]) + 1, games):
            high = min(low + games, int(self.rows[-1]) + 1)
            drawn = rng.integers(0, 2**64, size=(high - low, (cards + 1) // 2), dtype=np.uint64)
            bits = drawn.astype("<u8", copy=False).view("<u4")[:, :cards]
            first, end = np.searchsorted(self.rows, (low, high))
            if first < end:
                here = self.rows[first:end] - low
                yield slice(first, end), bits if len(here) == len(bits) else bits[here]

    def dice(self, sides: int, turn: int, slot: int, rows: Rows) -> NDArray[np.uint8]:
        """uint8[row]: the die number `slot` of turn `turn` (faces 1..sides) of the block rows `rows`."""
        return self.pick(sides, turn, slot, rows).astype(np.uint8) + np.uint8(1)

    def pick(self, count: Any, turn: int, slot: int, rows: Rows) -> U64:
        """uint64[row]: uniform 0..count-1 (`count` is a number or [row]), at the place of that die."""
        place = np.uint64((turn * SLOTS + slot + 1) * GAMMA % 2**64)
        return below(mix(self._dice_keys[rows] + place), count)

    def noise(self, kind: str, turn: int, slot: int, actions: int, rows: Rows) -> NDArray[np.float32]:
        """float32[action, row]: standard normal noise for one decision, keyed by its kind, turn and slot."""
        key = (kind, turn, slot, actions)
        if self._last_noise is None or self._last_noise[0] != key:  # a decision may be asked in parts
            rng = self.stream(NOISE, *digest_words(kind)[:1], turn, slot)
            self._last_noise = key, rng.standard_normal((actions, self.size), dtype=np.float32)
        return self._last_noise[1].take(rows, axis=-1)


class Ties:
    """Every game's own sequence of numbers for breaking ties and for random play."""

    __slots__ = ("state",)

    def __init__(self, luck: Luck) -> None:
        self.state = luck.keys(TIES)

    def digit(self, count: Any, rows: Rows) -> U64:
        """uint64[row]: a uniform number 0..count-1 for each block row (`count` is a number or an array)."""
        state = self.state[rows] + np.uint64(GAMMA)
        self.state[rows] = state
        return below(mix(state), count)
