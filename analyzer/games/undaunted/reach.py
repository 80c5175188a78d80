"""Total defences (U3, U22) of all enemy counters against all own units, by plain arithmetic where it can be.

On a map of hexes the distance is max(|dx|, |dy|, |dx - dy|), which costs a tenth of a look-up in a table; a
map with other borders (`Board.plain` is False) is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted.state import U8, Rows, pick
from analyzer.games.undaunted.tables import Board

I8 = NDArray[np.int8]
CHUNK = 2048


def spot(board: Board, tile: U8, hill: int = 1) -> I8:
    """int8[x y hill tile, ...]: what a distance and the cover need to know of where a counter is.

    On a hill its third number is `hill`: for the enemy the cover it may lose.
    """
    found = np.empty((4, *tile.shape), np.int8)
    for part, row in zip(board.spots, found, strict=True):
        part.take(tile, mode="clip", out=row)
    if hill != 1:
        found[2] *= np.int8(hill)
    return found


class Reach:
    """The own units and the enemy's of some lanes. Who is off the board is where it would be placed."""

    def __init__(self, board: Board, tile: U8, foe_tile: U8, foe_defence: U8) -> None:
        self.board = board
        self.own = spot(board, tile)
        self.foe = spot(board, foe_tile, board.drop)
        cover = board.cover.take(foe_tile, mode="clip")
        cover += foe_defence[:, None]
        self.base = cover.view(np.int8)

    def keep(self, which: Rows) -> None:
        """Go on with these lanes only."""
        self.own, self.foe, self.base = (pick(one, which) for one in (self.own, self.foe, self.base))

    def move(self, lanes: Rows, unit: NDArray[np.intp], tile: U8) -> None:
        """An own unit of each of these lanes is on this tile now."""
        _write(self.board, self.own, lanes, unit, tile)

    def move_foe(self, lanes: Rows, unit: NDArray[np.intp], tile: U8, defence: U8) -> None:
        """An enemy of each of these lanes, of this base defence, is on this tile now."""
        _write(self.board, self.foe, lanes, unit, tile, self.board.drop)
        self.base[unit, lanes] = (self.board.cover[tile] + defence).view(np.int8)

    def defences(self) -> U8:
        """uint8[unit, enemy, lane]: total defence of each enemy against each own unit."""
        return total(self.board, self.own[:, :, None], self.foe[:, None], self.base)

    def least(self, units: NDArray[np.intp], shut: U8) -> U8:
        """uint8[unit, lane]: the least total defence against each of these own units of an enemy that is not
        `shut` (uint8[enemy, lane], 0 or 128); above 127 if there is none.

        Some lanes at a time: all defences of a block are far larger than a cache.
        """
        found = np.empty((len(units), self.base.shape[1]), np.uint8)
        attackers = self.own if len(units) == self.own.shape[1] else self.own[:, units]
        for low in range(0, found.shape[1], CHUNK):
            part = np.s_[..., low : low + CHUNK]
            own, foe = attackers[part][:, :, None], self.foe[part][:, None]
            base = self.base[part] + shut[part].view(np.int8)
            np.minimum.reduce(total(self.board, own, foe, base), axis=1, out=found[part])
        return found

    def parts(self) -> Iterator[tuple[slice, U8]]:
        """`defences` of some lanes at a time, with their slice."""
        for low in range(0, self.base.shape[1], CHUNK):
            lanes = slice(low, low + CHUNK)
            own, foe = self.own[:, :, None, lanes], self.foe[:, None, :, lanes]
            yield lanes, total(self.board, own, foe, self.base[:, lanes])

    def defences_in(self, lanes: Rows, tile: U8) -> U8:
        """uint8[enemy, lane]: total defence of each enemy against an attack from `tile`, in some lanes."""
        return total(self.board, spot(self.board, tile), pick(self.foe, lanes), pick(self.base, lanes))


def _write(board: Board, spots: I8, lanes: Rows, unit: NDArray[np.intp], tile: U8, hill: int = 1) -> None:
    place = unit * spots.shape[-1] + lanes
    for row, values in zip(spots, spot(board, tile, hill), strict=True):
        row.reshape(-1)[place] = values


def total(board: Board, own: I8, foe: I8, base: I8) -> U8:
    """Total defence: `base` int8[enemy, lane] (of the counter, and cover), and the distance; `own` and `foe`
    are spots [part, .., lane] that fit together. A hill counts less from a hill."""
    if board.plain:
        found = own[0] - foe[0]
        other = own[1] - foe[1]
        skew = found - other
        for part in (found, other, skew):
            np.abs(part, out=part)
        np.maximum(found, other, out=found)
        np.maximum(found, skew, out=found)
    else:
        place = own[3].astype(np.intp) * board.tiles + foe[3]
        found = board.distance.reshape(-1).take(place, mode="clip").view(np.int8)
    found += base
    if board.drop:
        found -= own[2] * foe[2]
    seen: U8 = found.view(np.uint8)
    return seen
