"""What a seat sees at a decision. Everything lies open in Kraskar: a view is the board as its owner has it.

Arrays have the game as their last axis. Rows count from the owner's own castle, from 1, columns from 1 (the
same for both sides); 0 means off the board. Numbers are wide enough for any arithmetic, masks are bool. The
`small_` numbers are 0/1 or few-bit versions of the same: fast, and they wrap around.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision
from analyzer.games.kraskar import damage
from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.legal import enemies_beside
from analyzer.games.kraskar.model import KraskarRules, Unit
from analyzer.games.kraskar.state import U8, KraskarState
from analyzer.games.kraskar.tables import EAST, FORWARD, STRIDE, WEST, Side, Tables

I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
_AHEAD = [FORWARD, WEST, EAST]


class _View:
    """What both kinds of view have in common."""

    def __init__(self, tables: Tables, seat: int, turn: int, rows: NDArray[np.intp]) -> None:
        self._own: Side = tables.sides[seat]
        self._foe: Side = tables.sides[1 - seat]
        self._rules, self._rows = tables.rules, rows
        self.seat, self.turn = seat, turn

    def bind(self, asker: Any, decision: Decision) -> None:
        """Called by the engine: where random draws come from, and what is legal."""
        self._asker, self.legal = asker, decision.legal

    def draw(self, count: Array | int) -> NDArray[np.intp]:
        """intp[game]: a uniform number 0..count-1 of every game, from the game's own random stream."""
        return self._asker.digit(count, self._rows).astype(np.intp)

    @property
    def games(self) -> int:
        """How many games this decision is asked in."""
        return len(self._rows)

    @property
    def rules(self) -> KraskarRules:
        """All numbers and options of the game."""
        return self._rules

    @property
    def units(self) -> tuple[Unit, ...]:
        """The own units as printed, in deck order: name, country, troop, cost, force, wit, stratagem."""
        return self._own.units

    @property
    def enemies(self) -> tuple[Unit, ...]:
        """The enemy's units as printed, in deck order."""
        return self._foe.units

    def _row_of(self, square: U8) -> I32:
        """Rows from the own castle, from 1; 0 off the board."""
        row = (square // STRIDE).astype(np.int32)
        from_home = row + 1 if self._own.home_row == 0 else self._own.home_row - row + 1
        return np.asarray(from_home * (square < STRIDE * STRIDE))

    @staticmethod
    def _column_of(square: U8) -> I32:
        return np.asarray(((square % STRIDE).astype(np.int32) + 1) * (square < STRIDE * STRIDE))


class DeployView(_View):
    """The board when one unit returns (K8)."""

    def __init__(
        self, tables: Tables, state: KraskarState, seat: int, turn: int, rows: NDArray[np.intp], unit: int
    ) -> None:
        super().__init__(tables, seat, turn, rows)
        self._state, self.unit = state, unit

    def _cut(self, values: Array) -> Array:
        return values.take(self._rows, axis=-1)

    @cached_property
    def row(self) -> I32:
        """int32[unit, game]: the rows of the own units."""
        return self._row_of(self._cut(self._state.square[self.seat, : self._own.size]))

    @cached_property
    def column(self) -> I32:
        """int32[unit, game]: the columns of the own units."""
        return self._column_of(self._cut(self._state.square[self.seat, : self._own.size]))

    @cached_property
    def _foe_square(self) -> U8:
        return self._cut(self._state.square[1 - self.seat, : self._foe.size])

    @cached_property
    def enemy_row(self) -> I32:
        """int32[enemy, game]: the rows of the enemy's units, from the own castle."""
        return self._row_of(self._foe_square)

    @cached_property
    def enemy_column(self) -> I32:
        """int32[enemy, game]: the columns of the enemy's units."""
        return self._column_of(self._foe_square)

    @cached_property
    def enemies_in_column(self) -> I32:
        """int32[column, game]: enemy units on the field in each column."""
        columns = np.arange(1, self._rules.columns + 1)[:, None, None]
        return np.add.reduce(self.enemy_column == columns, axis=1, dtype=np.int32)

    @cached_property
    def enemies_at_the_wall(self) -> I32:
        """int32[column, game]: enemy units in the second row of each column: they siege next."""
        columns = np.arange(1, self._rules.columns + 1)[:, None, None]
        return np.add.reduce((self.enemy_column == columns) & (self.enemy_row == 2), axis=1, dtype=np.int32)


class ActView(_View):
    """The board at a decision of the main phase. Everything is worked out when first asked for."""

    def __init__(self, tables: Tables, field: Field, turn: int) -> None:
        super().__init__(tables, field.seat, turn, field.rows)
        self._field = field

    # -- the own side -------------------------------------------------------------------------------
    @cached_property
    def row(self) -> I32:
        """int32[unit, game]: rows from the own castle, 0 for a retreated unit."""
        return self._row_of(self._field.square)

    @cached_property
    def column(self) -> I32:
        """int32[unit, game]: columns, 0 for a retreated unit."""
        return self._column_of(self._field.square)

    @cached_property
    def hit_points(self) -> I32:
        """int32[unit, game]: 0 for a retreated unit."""
        return self._field.hit_points.astype(np.int32)

    @cached_property
    def force(self) -> I32:
        """int32[unit, game]: current force (ruling 4)."""
        return self._field.force.astype(np.int32)

    @cached_property
    def points(self) -> I32:
        """int32[unit, game]: movement points left."""
        return self._field.points.astype(np.int32)

    @cached_property
    def exhausted(self) -> Bool:
        """bool[unit, game]: exhausted (K20)."""
        return self._field.exhausted > 0

    @cached_property
    def besieging(self) -> Bool:
        """bool[unit, game]: force and wit are halved (K14)."""
        return self._field.besieging > 0

    @cached_property
    def moved(self) -> Bool:
        """bool[unit, game]: has moved this turn (K18)."""
        return self._field.moved > 0

    @cached_property
    def chips(self) -> I32:
        """int32[game]: own morale chips."""
        return self._field.chips.astype(np.int32)

    @property
    def cavalry(self) -> NDArray[np.intp]:
        """intp[cavalry]: which own units are cavalry, in the order of the block `charge`."""
        return self._own.cavalry

    @property
    def archers(self) -> NDArray[np.intp]:
        """intp[archer]: which own units are archers, in the order of the block `shoot`."""
        return self._own.archers

    @property
    def spearmen(self) -> NDArray[np.intp]:
        """intp[spearman]: which own units are spearmen, in the order of the block `thrust`."""
        return self._own.spearmen

    def carriers(self, block: str) -> tuple[int, ...]:
        """Which own units carry the stratagems of a block: "boost", "weaken" or "strike"."""
        return tuple(trick.unit for trick in self._own.tricks[block])

    # -- the enemy ----------------------------------------------------------------------------------
    @cached_property
    def enemy_row(self) -> I32:
        """int32[enemy, game]: rows from the OWN castle, 0 for a retreated unit."""
        return self._row_of(self._field.foe_square)

    @cached_property
    def enemy_column(self) -> I32:
        """int32[enemy, game]: columns, 0 for a retreated unit."""
        return self._column_of(self._field.foe_square)

    @cached_property
    def enemy_hit_points(self) -> I32:
        """int32[enemy, game]: 0 for a retreated unit."""
        return self._field.foe_hit_points.astype(np.int32)

    @cached_property
    def enemy_force(self) -> I32:
        """int32[enemy, game]: current force."""
        return self._field.foe_force.astype(np.int32)

    @cached_property
    def enemy_exhausted(self) -> Bool:
        """bool[enemy, game]: exhausted; an exhausted spearman does not intercept."""
        return self._field.foe_exhausted > 0

    @cached_property
    def enemy_castle(self) -> I32:
        """int32[game]: life of the enemy's castle."""
        return self._field.castle.astype(np.int32)

    @cached_property
    def own_castle(self) -> I32:
        """int32[game]: life of the own castle."""
        return self._field.state.castle[self.seat].take(self._rows).astype(np.int32)

    # -- what actions would do ----------------------------------------------------------------------
    @cached_property
    def loss(self) -> I32:
        """int32[unit, enemy, game]: hit points that enemy would lose to that unit's melee, charge, shot or
        thrust; a snipe does more (see `snipe_loss`). 0 for enemies off the field."""
        return self._losses(1).astype(np.int32)

    @cached_property
    def snipe_loss(self) -> I32:
        """int32[unit, enemy, game]: the same for a snipe (K18)."""
        return self._losses(self._rules.snipe_factor).astype(np.int32)

    def _losses(self, factor: int) -> NDArray[np.int16]:
        force = self._field.force.astype(np.int16) * np.int16(factor)
        lost = damage.loss(self._rules, force[:, None], self._field.foe_force)
        lost *= self._field.foe_square < self._foe.away
        return lost

    @cached_property
    def beside(self) -> Bool:
        """bool[direction, unit, game]: an enemy stands in that neighbour square (forward, back, west, east)."""
        return self.small_beside > 0

    @cached_property
    def siege_now(self) -> Bool:
        """bool[unit, game]: one step forward is a siege."""
        return self.small_at_the_wall > 0

    # -- few bits, for speed ------------------------------------------------------------------------
    @cached_property
    def small_beside(self) -> U8:
        """uint8[direction, unit, game]: 1 where an enemy stands in that neighbour square."""
        return enemies_beside(self._field, self._field.square)

    @cached_property
    def small_beyond(self) -> U8:
        """uint8[forward west east, unit, game]: 1 where an enemy stands ahead of that neighbour square."""
        step = self._own.shift[FORWARD]
        beside = self._field.square + self._own.shift[_AHEAD][:, None, None] + step
        found = beside == self._field.foe_square[0]
        for foe in self._field.foe_square[1:]:
            found |= beside == foe
        return found.view(np.uint8)

    @cached_property
    def small_row(self) -> U8:
        """uint8[unit, game]: rows from the own castle, from 0; anything for a retreated unit."""
        rows = self._field.square >> 3
        return rows if self._own.home_row == 0 else np.uint8(self._own.home_row) - rows

    @cached_property
    def small_at_the_wall(self) -> U8:
        """uint8[unit, game]: 1 in the row before the siege area."""
        return (self.small_row == self._rules.rows - 2).view(np.uint8)

    @cached_property
    def small_gain(self) -> U8:
        """uint8[unit, enemy, game]: what a melee blow does: hit points taken (15 at most), and 8 for a kill."""
        return self._gain(1, slice(None))

    @cached_property
    def small_snipe_gain(self) -> U8:
        """uint8[archer, enemy, game]: the same for a shot of each archer, a snipe where it would be one."""
        archers = self._own.archers
        still = self._field.moved[archers] == 0
        shot, snipe = self._gain(1, archers), self._gain(self._rules.snipe_factor, archers)
        return shot + (snipe - shot) * still[:, None]

    def _gain(self, factor: int, units: Any) -> U8:
        left = self._field.foe_hit_points
        force = self._field.force[units]
        if self._rules.damage == "difference":
            lost = force[:, None] * np.int8(factor) + np.int8(self._rules.damage_base) - self._field.foe_force
            lost = np.maximum(lost, self._one).view(np.uint8)
        else:
            lost = damage.loss(self._rules, force[:, None].astype(np.int16) * factor, self._field.foe_force)
            lost = np.minimum(lost, self._most).astype(np.uint8)
        kills = (lost >= left).view(np.uint8)
        taken = np.minimum(np.minimum(lost, left), self._fifteen)
        return taken + kills * np.uint8(8)

    _one = np.array([1], np.int8)
    _most = np.array([250], np.int16)
    _fifteen = np.array([15], np.uint8)
