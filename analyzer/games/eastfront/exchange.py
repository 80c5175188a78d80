"""One exchange of fire in Eastfront 1944 (E12 to E16): as the game keeps it, and what players see of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, lazy
from analyzer.games.eastfront.tables import FIRE, FIRST, LEFT, LOST, NEED, SILENT, SOVIET, U8, VICTIM

if TYPE_CHECKING:
    from analyzer.games.eastfront.state import EastfrontState
    from analyzer.games.eastfront.tables import Tables

I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(eq=False, slots=True)
class Exchange:
    """One exchange in some games: who stands against whom, and what the cards played change.

    `values` uint8[8, row] are, in this order: `soviet` (type), `victim` (the best German card the Soviet card
    can destroy, else the least), `need` (what the German fire must exceed), `left` (the German fire after
    what is lost before it; 0 with no German card left), `fire` (the German fire now, with support), `first`
    (1: the Germans fire first), `silent` (1: the Soviets do not fire), `lost` (fire of the victim; 0 if it
    cannot be destroyed, or nobody fires). One array, so that rows are picked out in one call.
    """

    seat: int  # the attacker
    number: int  # 0 for the first of the attack
    rows: Rows  # lanes
    values: U8

    def take(self, keep: Rows) -> Exchange:
        """The exchange of these rows only (a copy)."""
        return Exchange(self.seat, self.number, self.rows.take(keep), self.values.take(keep, axis=1))


class ExchangeView:
    """The part of a view that an exchange fills: at `support`, `pillbox` and `shoot`."""

    _t: Tables
    _state: EastfrontState

    def _cut(self, values: Array) -> Array:
        raise NotImplementedError  # the view's

    def about_exchange(self, exchange: Exchange, picked: Rows | None = None) -> Any:
        """Tell the view which exchange is going on: for the game.

        Its rows, or those `picked` of it, are those of the decision.
        """
        self._attacker, self._in_exchange, self._picked = exchange.seat, exchange.values, picked
        return self

    def _value(self, which: int) -> U8:
        """One row of the exchange's values, of the games of the decision."""
        values: U8 = self._in_exchange[which]
        return values if self._picked is None else values.take(self._picked)

    @lazy
    def soviet_fire(self) -> I32:
        """int32[game], in an exchange: the fire of the Soviet card."""
        return self._t.soviet_fire.take(self._value(SOVIET)).astype(np.int32)

    @lazy
    def soviet_defence(self) -> I32:
        """int32[game], in an exchange: what the German fire must exceed, with a pillbox."""
        return self._value(NEED).astype(np.int32)

    @lazy
    def german_fire(self) -> I32:
        """int32[game], in an exchange: the attacker's fire now, with support played."""
        return self._value(FIRE).astype(np.int32)

    @lazy
    def germans_first(self) -> Bool:
        """bool[game], in an exchange: the Germans fire first."""
        return self._value(FIRST) > 0

    @lazy
    def soviets_silent(self) -> Bool:
        """bool[game], in an exchange: the Soviets do not fire."""
        return self._value(SILENT) > 0

    @lazy
    def attacker_table(self) -> I32:
        """int32[german, game], in an exchange: the attacker's German cards."""
        return self._cut(self._state.table[self._attacker]).astype(np.int32)

    @lazy
    def victim(self) -> U8:
        """uint8[game], in an exchange: the best German card the Soviet card can destroy, else the least."""
        return self._value(VICTIM)

    @lazy
    def lost_fire(self) -> I32:
        """int32[game], in an exchange: the fire of that card; 0 if none can be destroyed or none fires."""
        return self.small_lost.astype(np.int32)

    @lazy
    def small_lost(self) -> U8:
        """uint8[game]: `lost_fire` in few bits."""
        return self._value(LOST)

    @lazy
    def wins(self) -> Bool:
        """bool[game], in an exchange: as it stands, the Soviet card is destroyed (by `victim`)."""
        return np.asarray(self._left > self._need)

    @lazy
    def wins_against_pillbox(self) -> Bool:
        """bool[game], in an exchange: the same with one pillbox more."""
        return np.asarray(self._left > self._need + self._t.pillbox_more)

    @lazy
    def _left(self) -> U8:
        return self._value(LEFT)

    @lazy
    def _need(self) -> U8:
        return self._value(NEED)

    @lazy
    def wins_with(self) -> Bool:
        """bool[support, game], at `support`: the same with one such support card more."""
        # With some cards the Germans keep what they would lose before they fire.
        fire = self._in_exchange.take(self._t.fire_with, axis=0)
        return np.asarray(fire > self._t.need_with.take(self._in_exchange[NEED], axis=1))

    @lazy
    def saves_with(self) -> Bool:
        """bool[support, game], at `support`: with it no German card would be lost."""
        first, silent = self._t.support_columns
        saves = self._in_exchange[FIRST] | first
        saves &= self.wins_with.view(np.uint8)
        saves |= silent
        return saves.view(bool)
