"""Which policy sits where: rotations, and which game of a run is which row of which block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

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
    def rows(self) -> NDArray[np.intp]:
        """intp[game]: the block row of each game."""
        return np.arange(self.first, self.first + self.games)

    def cut(self, games: int) -> list[Block]:
        """The same games as pieces of `games` games (the last one may be smaller)."""
        return self.split([min(games, self.games - start) for start in range(0, self.games, games)])

    def split(self, sizes: Iterable[int]) -> list[Block]:
        """The same games as pieces of these sizes, which must add up to all of them."""
        firsts = accumulate(sizes, initial=self.first)
        return [replace(self, first=one, games=end - one) for one, end in pairwise(firsts)]

    def indices(self) -> NDArray[np.int64]:
        """int64[game]: the run-wide index of each of these games."""
        return self.numbers()[self.first :]

    def numbers(self) -> NDArray[np.int64]:
        """int64[block row]: the run-wide index of every row of the block up to the last of these games."""
        rows = np.arange(self.first + self.games, dtype=np.int64)
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
                blocks.append(Block(chunk * stride + rotation, rotation, chunk, left, size, stride, 0, shared))
    return blocks


def locate(game: int, size: int, stride: int, shared: bool = False) -> tuple[Block, int]:
    """The block (as large as needed) and the row in it of game number `game` (0-based)."""
    rotation, rank = game % stride, game // stride
    chunk, row = divmod(rank, size)
    return Block(chunk * stride + rotation, rotation, chunk, row + 1, size, stride, 0, shared), row
