"""Which policy sits where: rotations, and which game of a run is which row of which block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def rotations(names: Sequence[str]) -> list[tuple[int, ...]]:
    """Seatings `policy index by seat`, one a distinct rotation: seat s of rotation r has policy (s + r) % k.

    Equal names repeat a seating sooner: four equal policies have one rotation, A B A B has two.
    """
    k = len(names)
    period = next(
        r for r in range(1, k + 1) if k % r == 0 and all(names[(s + r) % k] == names[s] for s in range(k))
    )
    return [tuple((s + r) % k for s in range(k)) for r in range(period)]


@dataclass(frozen=True)
class Block:
    """`games` games of one rotation played in lockstep: rows `first` and on of block `number`.

    `luck` keys their luck: the number, or, with `shared` (duplicate deals), the chunk, so that the blocks of
    all rotations of a chunk have the same deals and dice, row by row. A whole block begins with row 0. A game
    is the same game whatever piece of its block it is played in.
    """

    number: int
    rotation: int
    chunk: int
    games: int
    size: int
    stride: int
    first: int = 0
    shared: bool = False

    @property
    def luck(self) -> int:
        """What keys the luck of these games."""
        return self.chunk if self.shared else self.number

    @property
    def end(self) -> int:
        """The first block row after these games."""
        return self.first + self.games

    @property
    def rows(self) -> NDArray[np.intp]:
        """intp[game]: the block row of each game."""
        return np.arange(self.first, self.end)

    def cut(self, games: int) -> list[Block]:
        """The same games as pieces that end at multiples of `games` rows (the last one may end before)."""
        return self.split(range(self.first // games * games + games, self.end, games))

    def split(self, ends: Iterable[int]) -> list[Block]:
        """The same games as pieces that end before these rows (ascending), and the rest."""
        rows = [self.first, *(end for end in ends if end < self.end), self.end]
        return [replace(self, first=one, games=end - one) for one, end in pairwise(rows)]

    def indices(self) -> NDArray[np.int64]:
        """int64[game]: the run-wide index of each of these games."""
        return self.numbers()[self.first :]

    def numbers(self) -> NDArray[np.int64]:
        """int64[block row]: the run-wide index of every row of the block up to the last of these games."""
        rows = np.arange(self.end, dtype=np.int64)
        return (self.chunk * self.size + rows) * self.stride + self.rotation


def plan(n: int, size: int, stride: int, shared: bool = False) -> list[Block]:
    """The blocks of a run of n games over `stride` rotations: game i sits in rotation i % stride.

    Game i is the same game whatever n is. shared: games of one rank, i // stride, share their luck.
    """
    blocks = []
    per_rotation = [(n - r + stride - 1) // stride for r in range(stride)]
    for chunk in range((per_rotation[0] + size - 1) // size):
        for rotation, games in enumerate(per_rotation):
            left = min(size, games - chunk * size)
            if left > 0:
                blocks.append(
                    Block(chunk * stride + rotation, rotation, chunk, left, size, stride, 0, shared)
                )
    return blocks


def locate(game: int, size: int, stride: int, shared: bool = False) -> tuple[Block, int]:
    """The block (as large as needed) and the row in it of game number `game` (0-based)."""
    rotation, rank = game % stride, game // stride
    chunk, row = divmod(rank, size)
    return Block(chunk * stride + rotation, rotation, chunk, row + 1, size, stride, 0, shared), row
