"""The noise on the scores of the main phase: drawn once a turn for every action, and the same all turn long.

A main phase has some ten decisions over some seventy actions; a fresh normal number for each of them would
cost more than the game. One random byte an action and turn, taken as one of 256 equally likely steps of the
normal distribution, is enough to make equal games differ.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.sim.chance import NOISE, Luck, digest_words

MOST = 40  # points of noise at most, either way, on scores of few bits: they stay inside their byte


def noise_bytes(luck: Luck, kind: str, turn: int, slot: int, actions: int) -> NDArray[np.uint8]:
    """uint8[action, block row]: uniform random bytes for a kind of decision in one turn."""
    rng = luck.stream(NOISE, *digest_words(kind)[:1], turn, slot)
    words = -(-actions * luck.size // 8)
    drawn = rng.bit_generator.random_raw(words).astype("<u8", copy=False)  # a third of the time of `integers`
    return drawn.view(np.uint8)[: actions * luck.size].reshape(actions, luck.size)


@lru_cache(maxsize=64)
def quantiles(scale: float, dtype: str) -> NDArray[Any]:
    """[byte]: a normal number of standard deviation `scale` for each of the 256 bytes.

    For scores of few bits (int8) it is a whole number, at most `MOST` either way.
    """
    normal = np.array([NormalDist().inv_cdf((k + 0.5) / 256) for k in range(256)]) * scale
    if dtype == "int8":
        normal = np.clip(np.rint(normal), -MOST, MOST)
    return normal.astype(dtype)


class Noise:
    """The noise of one main phase in the lanes that still act; drawn only if a policy wants it."""

    def __init__(self, draw: Callable[[], NDArray[np.uint8]]) -> None:
        self._draw = draw  # gives uint8[action, lane]
        self._which: list[NDArray[np.intp]] = []  # the lanes kept since
        self._ready: dict[tuple[float, str], NDArray[Any]] = {}

    def keep(self, which: NDArray[np.intp]) -> None:
        """Go on with these lanes only."""
        self._which.append(which)
        self._ready = {key: values.take(which, axis=1, mode="clip") for key, values in self._ready.items()}

    def __call__(self, values: NDArray[Any], scale: float) -> None:
        """Add noise of this standard deviation to the scores [action, lane], in place."""
        small = values.dtype == np.uint8
        key = (scale, "int8" if small else "float32")
        if key not in self._ready:
            self._ready[key] = _looked_up(quantiles(*key), self._bytes())
        values += self._ready[key].view(np.uint8) if small else self._ready[key]

    def _bytes(self) -> NDArray[np.uint8]:
        drawn = self._draw()
        for which in self._which:
            drawn = drawn.take(which, axis=1, mode="clip")
        return drawn


def _looked_up(table: NDArray[Any], drawn: NDArray[np.uint8]) -> NDArray[Any]:
    """`table[drawn]`; for tables of bytes by the fastest way there is."""
    if table.itemsize > 1:
        return table.take(drawn)
    return np.frombuffer(drawn.tobytes().translate(table.tobytes()), table.dtype).reshape(drawn.shape)


class Drawn:
    """The noise of one kind of decision in one turn, drawn for the whole block when it is first wanted."""

    def __init__(self, luck: Luck, kind: str, turn: int, slot: int, actions: int) -> None:
        self._luck, self._key = luck, (kind, turn, slot, actions)
        self._bytes: NDArray[np.uint8] | None = None

    def of(self, rows: NDArray[np.intp]) -> Noise:
        """The noise of these rows of the block."""

        def draw() -> NDArray[np.uint8]:
            if self._bytes is None:
                self._bytes = noise_bytes(self._luck, *self._key)
            return self._bytes.take(rows, axis=1, mode="clip")

        return Noise(draw)
