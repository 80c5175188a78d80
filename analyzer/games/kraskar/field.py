"""The board as the side to move has it during its main phase, in the games that still act.

The arrays are copies for some lanes of the block: as games pass, the lanes that still act are taken out of
the others, so that late actions of few games cost little. A lane goes back to the state exactly once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar.counting import BATCHES
from analyzer.games.kraskar.state import U8, KraskarState
from analyzer.games.kraskar.tables import Side, Tables

Rows = NDArray[np.intp]
_OWN = ("square", "hit_points", "force", "exhausted", "besieging")
_FOE = ("square", "hit_points", "force", "exhausted")
_SAVED = ("square", "hit_points", "force", "besieging")  # of the own units; what the side to move may change
_LANES = ("acting", "batch", "chips", "castle", "sieges", "own_retreats", "foe_retreats")
_KEPT = (
    *_OWN,
    "bonus",
    "points",
    "moved",
    "fought",
    "done",
    "tried",
    *(f"foe_{name}" for name in _FOE),
    *_LANES,
)


def pick(values: NDArray[Any], lanes: Rows) -> NDArray[Any]:
    """The lanes of an array [..., lane]; all of them are there. (Told so, NumPy is seven times as fast.)"""
    return values.take(lanes, axis=-1, mode="clip")


class Field:
    """Copies of the state for the lanes `rows`, seat `seat` to move. Units [unit, lane], 0/1 masks uint8."""

    square: U8
    hit_points: U8
    force: NDArray[np.int8]
    exhausted: U8
    besieging: U8
    foe_square: U8
    foe_hit_points: U8
    foe_force: NDArray[np.int8]
    foe_exhausted: U8
    points: U8  # movement points left
    moved: U8
    fought: U8  # has meleed this turn; an archer: or shot (K17)
    done: U8  # has charged, shot or thrust this turn
    tried: U8  # has used its stratagem this turn
    bonus: NDArray[np.int8]  # what boost, rally and weaken give or take
    there: U8  # [enemy, direction, unit, lane]: that enemy stands in that neighbour square (`legal_actions`)
    beside: U8  # [direction, unit, lane]: any enemy does
    touches: U8  # [enemy, unit, lane]: that enemy stands in any neighbour square
    acting: U8  # [lane]: has not passed, and both castles stand
    batch: Rows  # [lane]: the batch of games that it is counted in
    chips: U8  # [lane]
    castle: U8  # [lane]: of the enemy

    def __init__(self, tables: Tables, state: KraskarState, seat: int, rows: Rows) -> None:
        self.tables, self.state, self.seat, self.rows = tables, state, seat, rows
        self.own: Side = tables.sides[seat]
        self.foe: Side = tables.sides[1 - seat]
        self._own, self._foe = slice(0, self.own.size), slice(0, self.foe.size)
        for name in _OWN:
            setattr(self, name, pick(getattr(state, name)[seat, self._own], rows))
        for name in _FOE:
            setattr(self, f"foe_{name}", pick(getattr(state, name)[1 - seat, self._foe], rows))
        boost, rally, weaken = state.amount[seat, :, self._own]
        self.bonus = pick(boost + rally - weaken, rows)
        # K9: every unit on the field has its points.
        on_field = (self.square < self.own.away).view(np.uint8)
        self.points = on_field * np.uint8(tables.rules.movement_points)
        self.moved, self.fought, self.done, self.tried = np.zeros((4, *on_field.shape), np.uint8)
        self.acting = np.ones(len(rows), np.uint8)
        self.batch = state.rows[rows] % BATCHES
        self.chips, self.sieges = pick(state.chips[seat], rows), pick(state.sieges[seat], rows)
        self.castle = pick(state.castle[1 - seat], rows)
        self.own_retreats, self.foe_retreats = (pick(state.retreats[s], rows) for s in (seat, 1 - seat))

    @property
    def lanes(self) -> int:
        """How many games still have a place here."""
        return len(self.rows)

    def save(self, which: Rows | None = None) -> None:
        """Write these lanes (None: all) back to the state."""
        rows = self.rows if which is None else self.rows[which]
        if not rows.size:
            return

        def cut(values: Any) -> Any:
            return values if which is None else pick(values, which)

        state, seat, foe = self.state, self.seat, 1 - self.seat
        games = state.over.size
        for owner, side, prefix, names in ((seat, self.own, "", _SAVED), (foe, self.foe, "foe_", _FOE)):
            # One flat index for all of a side's arrays is far cheaper than an index an axis.
            first = owner * self.tables.units
            places = np.arange(first, first + side.size)[:, None] * games + rows
            for name in names:
                getattr(state, name).reshape(-1)[places] = cut(getattr(self, prefix + name))
        state.chips[seat][rows] = cut(self.chips)
        state.castle[foe][rows] = cut(self.castle)
        state.sieges[seat][rows] = cut(self.sieges)
        state.retreats[seat][rows] = cut(self.own_retreats)
        state.retreats[foe][rows] = cut(self.foe_retreats)

    def keep(self, which: Rows) -> None:
        """Go on with these lanes only; the others are written back to the state."""
        gone = np.ones(self.lanes, bool)
        gone[which] = False
        self.save(gone.nonzero()[0])
        for name in _KEPT:
            setattr(self, name, pick(getattr(self, name), which))
        self.rows = self.rows[which]
