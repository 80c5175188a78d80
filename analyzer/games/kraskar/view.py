"""What a seat sees at a decision. Everything lies open in Kraskar: a view is the board as its owner has it.

Arrays have the game as their last axis. Rows count from the owner's own castle, from 1, columns from 1 (the
same for both sides); 0 means off the board. Numbers are wide enough for any arithmetic, masks are bool. The
`small_` numbers are 0/1 or few-bit versions of the same: fast, and they wrap around.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision
from analyzer.games.kraskar import damage
from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.legal import near
from analyzer.games.kraskar.model import KraskarRules, Unit
from analyzer.games.kraskar.state import U8, KraskarState
from analyzer.games.kraskar.tables import BACK, EAST, FORWARD, STRIDE, WEST, Side, Tables, Trick

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

    def _from_home(self, square: U8) -> U8:
        """Rows from the own castle, from 0, in few bits."""
        rows = square >> np.uint8(3)
        return rows if self._own.home_row == 0 else np.uint8(self._own.home_row) - rows

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
        return values.take(self._rows, axis=-1, mode="clip")

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
    def length(self) -> I32:
        """int32[game]: which turn of the game this is, from 1; the last one is `rules.turn_limit`."""
        return self.small_length.astype(np.int32)

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
        """bool[direction, unit, game]: an enemy in that neighbour square (forward, back, west, east)."""
        return self.small_beside > 0

    @cached_property
    def siege_now(self) -> Bool:
        """bool[unit, game]: one step forward is a siege."""
        return self.small_at_the_wall > 0

    # -- few bits, for speed ------------------------------------------------------------------------
    @cached_property
    def small_beside(self) -> U8:
        """uint8[direction, unit, game]: 1 where an enemy stands in that neighbour square."""
        return self._field.beside

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
        return self._from_home(self._field.square)

    @cached_property
    def _small_enemy_row(self) -> U8:
        """uint8[enemy, game]: rows from the own castle, from 0; a large number for a retreated unit."""
        return self._from_home(self._field.foe_square)

    @cached_property
    def small_at_the_wall(self) -> U8:
        """uint8[unit, game]: 1 in the row before the siege area."""
        return (self.small_row == self._rules.rows - 2).view(np.uint8)

    @cached_property
    def small_gain(self) -> U8:
        """uint8[unit, enemy, game]: what a blow takes: sixteenths of all hit points, 8 for a kill."""
        return self._gain(self._field.force, 1)

    @cached_property
    def small_snipe_gain(self) -> U8:
        """uint8[archer, enemy, game]: the same for a shot of each archer, a snipe where it would be one."""
        archers, factor = self._own.archers, np.int8(self._rules.snipe_factor - 1)
        still = (self._field.moved[archers] == 0).view(np.int8)
        force = self._field.force[archers]
        return self._gain(force + force * factor * still, self._rules.snipe_factor)

    def _gain(self, force: NDArray[np.int8], factor: int) -> U8:
        left = self._field.foe_hit_points
        if self._rules.damage == "difference" and factor < 3:  # it fits into a byte
            lost = force[:, None] - (self._field.foe_force - np.int8(self._rules.damage_base))
            # At least 1. (A maximum with a row is forty times as fast as one with a number.)
            np.maximum(lost, np.ones(self.games, np.int8), out=lost)
        else:
            lost = damage.loss(self._rules, force[:, None].view(np.uint8), self._field.foe_force)
        return self._worth(lost.astype(np.uint8, copy=False), left)

    def _worth(self, lost: U8, left: U8) -> U8:
        """uint8[..., enemy, game]: sixteenths of the full hit points that a loss takes, 8 more for a kill."""
        taken = np.minimum(lost, left)
        kills = (taken == left).view(np.uint8)
        if self._rules.hit_points > 16:
            taken = (taken.astype(np.uint16) * np.uint16(16) // np.uint16(self._rules.hit_points)).astype(
                np.uint8
            )
        kills *= np.uint8(8)
        taken += kills
        return taken

    @cached_property
    def small_length(self) -> U8:
        """uint8[game]: which turn of the game this is, from 1."""
        return self._field.state.length.take(self._rows)

    @cached_property
    def small_points(self) -> U8:
        """uint8[unit, game]: movement points left."""
        return self._field.points

    @cached_property
    def small_melee_gain(self) -> U8:
        """uint8[direction, unit, game]: the gains of a melee into each neighbour square, 60 at most."""
        gain = self.small_gain.swapaxes(0, 1)[:, None]
        return self._up_to_60(np.add.reduce(self._field.there * gain, axis=0, dtype=np.uint8))

    def _up_to_60(self, total: U8) -> U8:
        """Caps sums in place. (A minimum with a row is forty times as fast as one with a number.)"""
        return np.minimum(total, np.full(self.games, 60, np.uint8), out=total)

    @cached_property
    def small_charges(self) -> tuple[U8, U8, U8]:
        """What each charge meets: gain uint8[direction, cavalry, game] (0 nobody), 1 where ready spearmen
        intercept it, and 1 where the charge forward is a siege, uint8[cavalry, game]."""
        cavalry, foe_square = self._own.cavalry, self._field.foe_square[:, None, None]
        shift = self._own.shift[:, None, None]
        met = self.small_beside[:, cavalry]
        ahead = self._field.square[cavalry] + shift
        there = self._field.there[:, :, cavalry]
        for _ in range(1, self._rules.charge_squares):
            ahead = ahead + shift * (met ^ np.uint8(1))
            there = np.equal(ahead, foe_square).view(np.uint8)
            met = np.bitwise_or.reduce(there, axis=0)
        worth = self.small_gain[cavalry].swapaxes(0, 1)[:, None]
        gain = self._up_to_60(np.add.reduce(there * worth, axis=0, dtype=np.uint8))
        spearmen = self._foe.spearmen
        ready = self._field.foe_exhausted[spearmen][:, None, None] ^ np.uint8(1)
        bad = np.bitwise_or.reduce(there[spearmen] & ready, axis=0)
        to_go = np.uint8(self._rules.rows - 1) - self.small_row[cavalry]
        siege = (to_go <= self._rules.charge_squares).view(np.uint8)
        siege &= (met[FORWARD] | self.small_beside[FORWARD, cavalry]) ^ np.uint8(1)
        return gain, bad, siege

    def small_siege_score(self, points: int) -> U8:
        """uint8[unit, game]: `points`, and 4 more for each life that a siege in the unit's column takes."""
        gate = ((self._field.square & np.uint8(STRIDE - 1)) == self._rules.columns // 2).view(np.uint8)
        base = self._own.siege[:, None] * np.uint8(4) + np.uint8(points)
        return base + gate * np.uint8(4 * self._rules.gate_bonus)

    @cached_property
    def small_not_more(self) -> U8:
        """uint8[game]: 1 while the own side has no more units on the field than the enemy."""
        own = np.add.reduce(self._field.square < self._own.away, axis=0, dtype=np.uint8)
        foe = np.add.reduce(self._field.foe_square < self._foe.away, axis=0, dtype=np.uint8)
        return (own <= foe).view(np.uint8)

    @cached_property
    def small_in_range(self) -> U8:
        """uint8[archer, enemy, game]: 1 where that enemy is within shot range."""
        reach = self._rules.shot_range
        return near(self._field, self._own.archers, reach)

    @cached_property
    def small_towards_nearest(self) -> U8:
        """uint8[direction, unit, game]: 1 where that step leads towards the unit's nearest enemy."""
        square, foe = self._field.square[:, None], self._field.foe_square
        rows = self._small_enemy_row - self.small_row[:, None]
        columns = (foe & _COLUMN) - (square & _COLUMN)
        far = np.minimum(rows, -rows) + np.minimum(columns, -columns)
        # Distance above, the signs of both differences below (1 more, 2 less): the least key wins.
        key = far * np.uint8(9)
        key += np.uint8(3) * _sign(rows) + _sign(columns)
        key |= (foe >= self._foe.away) * np.uint8(255)
        nearest = np.minimum.reduce(key, axis=1)
        by_rows, by_columns = nearest // np.uint8(3) % np.uint8(3), nearest % np.uint8(3)
        ways = [by_rows == 1, by_rows == 2, by_columns == 2, by_columns == 1]  # forward, back, west, east
        return np.stack(ways).view(np.uint8) * (nearest < 255)

    @cached_property
    def small_towards_foremost(self) -> U8:
        """uint8[direction, unit, game]: 1 where that step leads towards the enemy unit that is nearest to the
        own castle; 0 unless it stands in the own half of the board."""
        square, away = self._field.square, self._foe.away
        rows, columns = self._small_enemy_row, self._field.foe_square & _COLUMN
        key = rows * np.uint8(STRIDE) + columns
        key |= (self._field.foe_square >= away) * np.uint8(255)
        foremost = np.minimum.reduce(key, axis=0)
        near_home = (foremost < self._rules.rows // 2 * STRIDE).view(np.uint8)
        row, column = foremost >> np.uint8(3), foremost & _COLUMN
        own_row, own_column = self.small_row, square & _COLUMN
        out = np.empty((4, *square.shape), np.uint8)
        np.less(own_row, row, out=out[FORWARD].view(bool))
        np.greater(own_row, row, out=out[BACK].view(bool))
        np.greater(own_column, column, out=out[WEST].view(bool))
        np.less(own_column, column, out=out[EAST].view(bool))
        out *= near_home
        return out

    def small_use(self, block: str, save: int) -> list[U8]:
        """uint8[game] or uint8[enemy, game] for each carrier: points for using its stratagem now; below pass
        where it would be wasted or leave fewer than `save` chips."""
        return [self._use(trick, save) for trick in self._own.tricks[block]]

    def _use(self, trick: Trick, save: int) -> U8:
        field = self._field
        if trick.what.kind == "boost":
            wanted = self._can_strike[trick.unit] * _USE
        elif trick.what.kind == "rally":
            strikers = np.add.reduce(self._can_strike, axis=0, dtype=np.uint8)
            wanted = (strikers >= 2).view(np.uint8) * _USE
        elif trick.what.kind == "weaken":
            wanted = np.bitwise_or.reduce(field.touches & self._fresh, axis=1)
            wanted *= field.foe_force.view(np.uint8) + _USE
        else:
            gain = self._strike_gain(trick)
            wanted = (gain >= _WORTH).view(np.uint8) * (_USE + gain)
        wanted *= (field.chips >= trick.what.chips + save).view(np.uint8)
        wanted -= _WASTE
        return wanted

    @cached_property
    def _fresh(self) -> U8:
        """uint8[unit, game]: 1 where the unit may still melee this turn."""
        return (self._field.points > self._field.fought * np.uint8(255)).view(np.uint8)

    @cached_property
    def _can_strike(self) -> U8:
        """uint8[unit, game]: 1 where such a unit has an enemy beside it."""
        return np.bitwise_or.reduce(self.small_beside, axis=0) & self._fresh

    def _strike_gain(self, trick: Trick) -> U8:
        """uint8[enemy, game]: gains of a strike at the square of each enemy, 60 at most."""
        field, what = self._field, trick.what
        besieging = field.state.besieging[1 - self.seat, : self._foe.size].take(
            field.rows, axis=1, mode="clip"
        )
        wit = damage.current_wit(self._own.wit[trick.unit], field.besieging[trick.unit])
        target = damage.current_wit(self._foe.wit[:, None], besieging)
        lost = damage.strike_loss(what.power or 0, wit, target)
        lost -= (lost > 250) * (lost - np.int16(250))
        each = self._worth(lost.astype(np.uint8), field.foe_hit_points)
        total = [
            np.add.reduce(each * (field.foe_square == foe), axis=0, dtype=np.uint8)
            for foe in field.foe_square
        ]
        return self._up_to_60(np.stack(total))


def _sign(difference: U8) -> U8:
    """uint8[...]: 0 for no difference, 1 for more, 2 for less (128 and above wrapped around)."""
    return (difference > 0).view(np.uint8) + (difference > 127)


_COLUMN = np.uint8(STRIDE - 1)
_USE, _WASTE, _WORTH = np.uint8(110), np.uint8(20), 12  # points of a stratagem that is wanted, and not
