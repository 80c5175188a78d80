"""The board as the side to move has it during its main phase, in the games that still act.

The arrays are copies for some lanes of the block: as games pass, the lanes that still act are taken out of
the others, so that late actions of few games cost little. A lane goes back to the state exactly once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar.state import U8, KraskarState
from analyzer.games.kraskar.tables import Side, Tables

Rows = NDArray[np.intp]
_OWN = ("square", "hit_points", "force", "exhausted", "besieging")
_FOE = ("square", "hit_points", "force", "exhausted")
_SAVED = ("square", "hit_points", "force", "besieging")  # of the own units; what the side to move may change
_LANES = ("acting", "chips", "castle", "sieges", "own_retreats", "foe_retreats")
_UNITS = (*_OWN, "points", "moved", "fought", "done", "tried")
_FOES = tuple(f"foe_{name}" for name in _FOE)


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
    acting: U8  # [lane]: has not passed, and both castles stand
    chips: U8  # [lane]
    castle: U8  # [lane]: of the enemy
    noise: NDArray[np.int8] | None  # [action, lane]: see `Noise`

    def __init__(self, tables: Tables, state: KraskarState, seat: int, rows: Rows) -> None:
        self.tables, self.state, self.seat, self.rows = tables, state, seat, rows
        self.own: Side = tables.sides[seat]
        self.foe: Side = tables.sides[1 - seat]
        self._own, self._foe = slice(0, self.own.size), slice(0, self.foe.size)
        for name in _OWN:
            setattr(self, name, getattr(state, name)[seat, self._own].take(rows, axis=-1))
        for name in _FOE:
            setattr(self, f"foe_{name}", getattr(state, name)[1 - seat, self._foe].take(rows, axis=-1))
        # K9: every unit on the field has its points.
        on_field = (self.square < self.own.away).view(np.uint8)
        self.points = on_field * np.uint8(tables.rules.movement_points)
        self.moved, self.fought, self.done, self.tried = (np.zeros_like(on_field) for _ in range(4))
        self.acting = np.ones(len(rows), np.uint8)
        self.chips = state.chips[seat].take(rows)
        self.castle = state.castle[1 - seat].take(rows)
        self.sieges = state.sieges[seat].take(rows)
        self.own_retreats, self.foe_retreats = (state.retreats[s].take(rows) for s in (seat, 1 - seat))

    @property
    def lanes(self) -> int:
        """How many games still have a place here."""
        return len(self.rows)

    def save(self, which: Rows | None = None) -> None:
        """Write these lanes (None: all) back to the state."""
        rows = self.rows if which is None else self.rows[which]

        def cut(values: Any) -> Any:
            return values if which is None else values.take(which, axis=-1)

        state, seat = self.state, self.seat
        for name in _SAVED:
            getattr(state, name)[seat, self._own, rows] = cut(getattr(self, name)).T
        for name in _FOE:
            getattr(state, name)[1 - seat, self._foe, rows] = cut(getattr(self, f"foe_{name}")).T
        state.chips[seat, rows] = cut(self.chips)
        state.castle[1 - seat, rows] = cut(self.castle)
        state.sieges[seat, rows] = cut(self.sieges)
        state.retreats[seat, rows] = cut(self.own_retreats)
        state.retreats[1 - seat, rows] = cut(self.foe_retreats)

    def keep(self, which: Rows) -> None:
        """Go on with these lanes only; the others are written back to the state."""
        gone = np.ones(self.lanes, bool)
        gone[which] = False
        self.save(gone.nonzero()[0])
        for name in (*_UNITS, *_FOES, *_LANES):
            setattr(self, name, getattr(self, name).take(which, axis=-1))
        self.rows = self.rows[which]
