"""The table as the side on turn has it, in the games where it acts.

While most games of the block act, the arrays ARE those of the state, changed in place. As sides finish their
turns, the lanes that still act are taken out of the others into copies; a lane goes back to the state once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted.reach import Reach
from analyzer.games.undaunted.state import U8, U32, U64, Rows, UndauntedState, pick
from analyzer.games.undaunted.tables import Side, Tables

_LANES = (
    "own_marks",
    "foe_marks",
    "score",
    "holder",
    "rounds",
    "drawn",
    "thrown",
    "draw_key",
    "dice_key",
    "noise_key",
    "over",
    "winner",
    "end",
    "casualties",
    "removed",
    "plays",
)
_SAVED = frozenset(_LANES) - {"holder", "rounds", "draw_key", "dice_key", "noise_key"}


class Field:
    """Cards, counters and markers [.., lane] of the block rows `rows`, seat `seat` on turn.

    `hand`, `deck`, ... are the own piles [type, lane]; `tile`, `off`, `down` the own counters [unit, lane];
    those of the enemy begin with `foe_`. They are views of the arrays `mine` and `theirs` [row, lane].
    """

    own_marks: U32  # [scouted controlled, lane]
    foe_marks: U32
    score: NDArray[np.int16]  # [points US, DE, radio, lane]
    holder: U8
    rounds: U8
    drawn: U32  # of the own side
    thrown: U32
    draw_key: U64  # of the own side
    dice_key: U64
    noise_key: U64
    over: U8
    winner: U8
    end: U8
    casualties: NDArray[np.uint16]  # [seat, lane]
    removed: NDArray[np.uint16]
    plays: NDArray[np.uint16]
    acting: U8  # [lane] 0/1

    def __init__(self, tables: Tables, state: UndauntedState, seat: int, acting: U8) -> None:
        self.tables, self.state, self.seat = tables, state, seat
        self.own: Side = tables.sides[seat]
        self.foe: Side = tables.sides[1 - seat]
        self.whole, self.rows = True, np.arange(state.over.size)
        self.acting = acting
        self.mine, self.theirs = state.side[seat], state.side[1 - seat]
        for name in _LANES:
            setattr(self, name, self._of_state(name))
        self._name_rows()
        self._reach: Reach | None = None

    def _of_state(self, name: str) -> NDArray[Any]:
        state, seat = self.state, self.seat
        if name == "own_marks":
            return state.marks[seat]
        if name == "foe_marks":
            return state.marks[1 - seat]
        value = getattr(state, name)
        found: NDArray[Any] = value[seat] if isinstance(value, tuple) else value
        return found

    def _name_rows(self) -> None:
        for prefix, side, rows in (("", self.own, self.mine), ("foe_", self.foe, self.theirs)):
            named = {
                "hand": side.hand,
                "deck": side.in_deck,
                "discard": side.discard,
                "played": side.played,
                "supply": side.in_supply,
                "tile": side.at,
                "off": side.away,
                "down": side.down,
                "target": side.target,
                "rifles_left": side.rifles_left,
                "scouts_left": side.scouts_left,
                "rifle_counters": side.rifle_counters,
            }
            for name, row in named.items():
                setattr(self, prefix + name, rows[row])

    hand: U8
    deck: U8
    discard: U8
    played: U8
    supply: U8
    tile: U8
    off: U8
    down: U8
    target: U8
    rifles_left: U8
    scouts_left: U8
    rifle_counters: U8
    foe_hand: U8
    foe_deck: U8
    foe_discard: U8
    foe_played: U8
    foe_supply: U8
    foe_tile: U8
    foe_off: U8
    foe_down: U8
    foe_target: U8
    foe_rifles_left: U8
    foe_scouts_left: U8
    foe_rifle_counters: U8

    @property
    def lanes(self) -> int:
        """How many games have a place here."""
        return len(self.rows)

    @property
    def reach(self) -> Reach:
        """Where all counters are, for total defences; kept up to date once it has been asked for."""
        if self._reach is None:
            self._reach = Reach(self.tables.board, self.tile, self.foe_tile, self.foe.defence)
        return self._reach

    def put(self, seat: int, lanes: Rows, unit: NDArray[np.intp], tile: U8) -> None:
        """A unit of `seat` is on this tile now, in each of these lanes."""
        own = seat == self.seat
        (self.tile if own else self.foe_tile).reshape(-1)[unit * self.lanes + lanes] = tile
        if self._reach is None:
            return
        if own:
            self._reach.move(lanes, unit, tile)
        else:
            self._reach.move_foe(lanes, unit, tile, self.foe.defence[unit])

    def keep(self, which: Rows) -> None:
        """Go on with these lanes only; the others are written back to the state."""
        if not self.whole:
            gone = np.ones(self.lanes, bool)
            gone[which] = False
            self._save(gone.nonzero()[0])
        self.whole = False
        self.mine, self.theirs = pick(self.mine, which), pick(self.theirs, which)
        for name in (*_LANES, "acting"):
            setattr(self, name, pick(getattr(self, name), which))
        self.rows = self.rows[which]
        self._name_rows()
        if self._reach is not None:
            self._reach.keep(which)

    def save(self) -> None:
        """Write what is not yet in the state back to it."""
        if not self.whole:
            self._save(None)

    def _save(self, which: Rows | None) -> None:
        rows = self.rows if which is None else self.rows[which]
        if not rows.size:
            return
        for seat, values in ((self.seat, self.mine), (1 - self.seat, self.theirs)):
            _put(self.state.side[seat], rows, values if which is None else pick(values, which))
        for name in _SAVED:
            values = getattr(self, name)
            _put(self._of_state(name), rows, values if which is None else pick(values, which))


def _put(into: NDArray[Any], rows: Rows, values: NDArray[Any]) -> None:
    """Write the lanes `values` [.., lane] to the places `rows` of an array."""
    if into.ndim == 1:
        into[rows] = values
    else:
        for row, value in zip(into, values, strict=True):
            row[rows] = value
