"""One exchange of fire in Eastfront 1944 (E12 to E16): as the game keeps it, and what players see of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, lazy
from analyzer.games.eastfront.tables import U8, U16

if TYPE_CHECKING:
    from analyzer.games.eastfront.state import EastfrontState
    from analyzer.games.eastfront.tables import Tables

I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
Rows = NDArray[np.intp]

# The rows of an exchange's values.
SOVIET, NEED, FORCE, VICTIM, FIRE, FIRST, SILENT, LOST, RISK = range(9)


@dataclass(eq=False, slots=True)
class Exchange:
    """One exchange in some games: who stands against whom, and what the cards played change.

    `values` uint8[9, row] are, in this order: `soviet` (type), `need` (what the German fire must exceed),
    `force` (fire of the table), `victim` (the best German card the Soviet card can destroy, else the least),
    `fire` (with support), `first` (1: the Germans fire first), `silent` (1: the Soviets do not fire), `lost`
    (fire of the victim; 0 if it cannot be destroyed, or nobody fires), `risk` (what is lost before the
    Germans fire). One array, so that rows are picked out in one call.
    """

    seat: int  # the attacker
    number: int  # 0 for the first of the attack
    rows: Rows  # lanes
    presence: U16
    values: U8

    def take(self, keep: Rows) -> Exchange:
        """The exchange of these rows only (a copy)."""
        values = self.values.take(keep, axis=1)
        return Exchange(self.seat, self.number, self.rows.take(keep), self.presence.take(keep), values)


class ExchangeView:
    """The part of a view that an exchange fills: at `support`, `pillbox` and `shoot`."""

    _t: Tables
    _state: EastfrontState

    def _cut(self, values: Array) -> Array:
        raise NotImplementedError  # the view's

    def about_exchange(self, exchange: Exchange) -> Any:
        """Tell the view which exchange is going on (its rows are those of the decision): for the game."""
        self._attacker, self._in_exchange = exchange.seat, exchange.values
        return self

    @lazy
    def soviet_fire(self) -> I32:
        """int32[game], in an exchange: the fire of the Soviet card."""
        return self._t.soviet_fire.take(self._in_exchange[SOVIET]).astype(np.int32)

    @lazy
    def soviet_defence(self) -> I32:
        """int32[game], in an exchange: what the German fire must exceed, with a pillbox."""
        return self._in_exchange[NEED].astype(np.int32)

    @lazy
    def german_fire(self) -> I32:
        """int32[game], in an exchange: the attacker's fire now, with support played."""
        return self._in_exchange[FIRE].astype(np.int32)

    @lazy
    def germans_first(self) -> Bool:
        """bool[game], in an exchange: the Germans fire first."""
        return self._in_exchange[FIRST] > 0

    @lazy
    def soviets_silent(self) -> Bool:
        """bool[game], in an exchange: the Soviets do not fire."""
        return self._in_exchange[SILENT] > 0

    @lazy
    def attacker_table(self) -> I32:
        """int32[german, game], in an exchange: the attacker's German cards."""
        return self._cut(self._state.table[self._attacker]).astype(np.int32)

    @lazy
    def victim(self) -> U8:
        """uint8[game], in an exchange: the best German card the Soviet card can destroy, else the least."""
        return self._in_exchange[VICTIM]

    @lazy
    def lost_fire(self) -> I32:
        """int32[game], in an exchange: the fire of that card; 0 if none can be destroyed or none fires."""
        return self.small_lost.astype(np.int32)

    @lazy
    def small_lost(self) -> U8:
        """uint8[game]: `lost_fire` in few bits."""
        return self._in_exchange[LOST]

    @lazy
    def wins(self) -> Bool:
        """bool[game], in an exchange: as it stands, the Soviet card is destroyed (by `victim`)."""
        return self._wins(self._left_to_fire, self._in_exchange[NEED])

    @lazy
    def wins_against_pillbox(self) -> Bool:
        """bool[game], in an exchange: the same with one pillbox more."""
        return self._wins(self._left_to_fire, self._in_exchange[NEED] + self._t.pillbox_more)

    @lazy
    def wins_with(self) -> Bool:
        """bool[support, game], at `support`: the same with one such support card more."""
        values, columns = self._in_exchange, self._t.support_columns
        risk = values[RISK] * columns[4]
        fire = values[FIRE] + columns[0]
        fire -= risk
        return np.asarray((fire > values[NEED]) & (values[FORCE] > risk))

    @lazy
    def saves_with(self) -> Bool:
        """bool[support, game], at `support`: with it no German card would be lost."""
        _, first, silent, _, _ = self._t.support_columns
        return np.asarray((self._in_exchange[FIRST] | first) & self.wins_with | silent > 0)

    @lazy
    def _left_to_fire(self) -> U8:
        """uint8[game]: the German fire after what is lost before; 0 with no German card left (R2)."""
        values = self._in_exchange
        fire = values[FIRE] - values[RISK]
        fire *= values[FORCE] > values[RISK]
        return fire

    @staticmethod
    def _wins(fire: U8, need: U8) -> Bool:
        return np.asarray(fire > need)
