"""What a seat sees at a decision: its own cards, what lies open, the map; never the enemy's hand or bid.

Arrays have the game as their last axis; `type` is a card type of the own deck (`cards`), `unit` and `enemy`
a unit of the own and of the other side (`units`, `enemies`), `tile` a tile (`tiles`). Numbers are wide enough
for any arithmetic, masks are bool. The `small_` numbers are 0/1 or few-bit versions of the same: fast, and
they wrap around. What is not on the board has the tile it would be placed on.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, lazy
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.reach import Reach
from analyzer.games.undaunted.state import U8, U32, Rows, UndauntedState, pick
from analyzer.games.undaunted.tables import ACTIONS, SUPPRESS, Side, Tables
from analyzer.games.undaunted.view_common import View

I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
F32 = NDArray[np.float32]


class _Part(View):
    """A view of some lanes of arrays: only what is asked for is taken out of them."""

    def __init__(
        self, tables: Tables, seat: int, turn: int, rows: Rows, lanes: Rows, sides: tuple[U8, U8]
    ) -> None:
        super().__init__(tables, seat, turn, rows)
        self._lanes, self._sides = lanes, sides  # of all lanes: the own side's array, and the enemy's
        self._taken: dict[tuple[str, int], U8] = {}

    def _of_all(self, values: Array) -> Array:
        return pick(values, self._lanes)

    def _my(self, name: str) -> U8:
        return self._rows_of(name, self._own, 0)

    def _foes(self, name: str) -> U8:
        return self._rows_of(name, self._foe, 1)

    def _rows_of(self, name: str, side: Side, which: int) -> U8:
        key = (name, which)
        if key not in self._taken:
            self._taken[key] = self._of_all(self._sides[which][getattr(side, name)])
        return self._taken[key]


class BidView(_Part):
    """The table when both sides bid (U6): nobody knows the other's bid."""

    def __init__(self, tables: Tables, state: UndauntedState, seat: int, turn: int, rows: Rows) -> None:
        super().__init__(tables, seat, turn, rows, rows, (state.side[seat], state.side[1 - seat]))
        self._state = state

    @lazy
    def _own_marks(self) -> U32:
        return self._of_all(self._state.marks[self.seat])

    @lazy
    def _foe_marks(self) -> U32:
        return self._of_all(self._state.marks[1 - self.seat])

    @lazy
    def _score(self) -> NDArray[np.int16]:
        return self._of_all(self._state.score)

    @lazy
    def _holder(self) -> U8:
        return self._of_all(self._state.holder)

    @lazy
    def _round(self) -> U8:
        return self._of_all(self._state.rounds)


class PlayView(View):
    """The table at a side's next play (U7)."""

    def __init__(self, field: Field, turn: int) -> None:
        super().__init__(field.tables, field.seat, turn, field.rows)
        self._field = field
        self._own_marks, self._foe_marks = field.own_marks, field.foe_marks
        self._score, self._holder, self._round = field.score, field.holder, field.rounds

    def _my(self, name: str) -> U8:
        found: U8 = self._field.mine[getattr(self._own, name)]
        return found

    def _foes(self, name: str) -> U8:
        found: U8 = self._field.theirs[getattr(self._foe, name)]
        return found

    @property
    def _reach(self) -> Reach:
        return self._field.reach


class TargetView(_Part):
    """The table when a play needs a target. The card lies in the play area, its unit is on the board.

    Different games may be asked about different cards and actions at once: see `unit`, `card`, `action`.
    """

    def __init__(self, field: Field, turn: int, lanes: Rows, facts: Mapping[str, Array]) -> None:
        sides = (field.mine, field.theirs)
        super().__init__(field.tables, field.seat, turn, field.rows[lanes], lanes, sides)
        self._field, self._facts = field, facts

    @lazy
    def _own_marks(self) -> U32:
        return self._of_all(self._field.own_marks)

    @lazy
    def _foe_marks(self) -> U32:
        return self._of_all(self._field.foe_marks)

    @lazy
    def _score(self) -> NDArray[np.int16]:
        return self._of_all(self._field.score)

    @lazy
    def _holder(self) -> U8:
        return self._of_all(self._field.holder)

    @lazy
    def _round(self) -> U8:
        return self._of_all(self._field.rounds)

    @property
    def unit(self) -> NDArray[np.intp]:
        """intp[game]: the own unit that moves (step), attacks, or sets its target."""
        return self._facts["unit"]

    @property
    def card(self) -> NDArray[np.intp]:
        """intp[game]: the card type that is played (bolster, inspire)."""
        return self._facts["card"]

    @property
    def left(self) -> I32:
        """int32[game]: steps or cards that are left, the one asked for among them (step, bolster)."""
        return self._facts["left"].astype(np.int32)

    @property
    def dice(self) -> I32:
        """int32[game]: dice of the attack."""
        return self._facts["dice"].astype(np.int32)

    def doing(self, action: str) -> Bool:
        """bool[game]: is this the action of the play? (step: move, guide, scout, stalk; attack: attack,
        suppress)"""
        found: Bool = self._facts["action"] == ACTIONS.index(action)
        return found

    @lazy
    def small_here(self) -> U8:
        """uint8[game]: the tile of `unit`."""
        place = self.unit * self._field.lanes + self._lanes
        found: U8 = self._field.tile.reshape(-1)[place]
        return found

    @lazy
    def here(self) -> I32:
        """int32[game]: the tile of `unit`."""
        return self.small_here.astype(np.int32)

    @lazy
    def small_total_defence(self) -> U8:
        """uint8[enemy, game]: total defence of each enemy against an attack by `unit`."""
        return self._field.reach.defences_in(self._lanes, self.small_here)

    @lazy
    def total_defence(self) -> I32:
        """int32[enemy, game]: total defence of each enemy against an attack by `unit`."""
        return self.small_total_defence.astype(np.int32)


assert ACTIONS[SUPPRESS] == "suppress"
