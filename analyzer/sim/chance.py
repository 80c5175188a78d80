"""Seeds and streams: chance is data, drawn per block, apart for deal, dice, ties and noise.

A stream is `default_rng([stream, block, *digest(game), seed])`, root last as NumPy's guide to parallel
generation asks. Neither the policies nor the rules enter the key: another policy or another rule replays
the same luck (common random numbers). Row i of a block is the same game however many rows are drawn.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

DEAL, DICE, TIES, NOISE = 1, 2, 3, 4
MAX_SEED = 2**63 - 1


def digest_words(text: str) -> list[int]:
    """Four 32-bit words that stand for a text in a seed list."""
    raw = hashlib.sha256(text.encode()).digest()
    return [int.from_bytes(raw[i : i + 4], "little") for i in range(0, 16, 4)]


@dataclass(eq=False)
class Luck:
    """All the chance of one block of `size` games; `rows` of them (a prefix, or one picked row) are played.

    Per-turn arrays are always drawn for the whole block and then cut, so that which rows are played
    changes nothing for any of them.
    """

    game: str
    seed: int
    block: int
    size: int
    rows: NDArray[np.intp]

    def stream(self, kind: int, *key: int) -> np.random.Generator:
        """A generator of its own for this kind of chance (and key) in this block."""
        words = [kind, self.block, *key, *digest_words(self.game), self.seed]
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(words)))

    @cached_property
    def _dice(self) -> np.random.Generator:
        return self.stream(DICE)

    @cached_property
    def _ties(self) -> np.random.Generator:
        return self.stream(TIES)

    def deal_bits(self, rng: np.random.Generator, cards: int) -> NDArray[np.uint32]:
        """uint32[row, card]: fresh random bits for a shuffle of the played rows."""
        # Row-major and game first: a shorter draw is a prefix of a longer one.
        drawn = rng.integers(0, 2**32, size=(int(self.rows[-1]) + 1, cards), dtype=np.uint32)
        return drawn if len(drawn) == len(self.rows) else drawn[self.rows]

    def dice(self, sides: int, count: int, lanes: NDArray[np.intp]) -> NDArray[np.uint8]:
        """uint8[count, lane]: one throw of `count` dice (faces 1..sides) for the rows in `lanes`.

        Call it once a turn, whether or not a game throws: the next turn's dice must not depend on that.
        """
        return self._cut(self._dice.integers(1, sides + 1, size=(count, self.size), dtype=np.uint8), lanes)

    def ties(self, lanes: NDArray[np.intp]) -> NDArray[np.float64]:
        """float64[lane] in [0, 1): the turn's random number of every game; ties use up its digits."""
        return self._cut(self._ties.random(self.size), lanes)

    def noise(self, kind: str, turn: int, slot: int, actions: int, lanes: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32[action, lane]: standard normal noise for one decision, keyed by its kind, turn and slot."""
        rng = self.stream(NOISE, *digest_words(kind)[:1], turn, slot)
        return self._cut(rng.standard_normal((actions, self.size), dtype=np.float32), lanes)

    def _cut(self, drawn: NDArray[Any], lanes: NDArray[np.intp]) -> NDArray[Any]:
        return drawn if len(lanes) == self.size else drawn.take(lanes, axis=-1)
