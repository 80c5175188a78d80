"""The units of both decks of Kraskar: without one, and what to watch of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.declared import Forcing, Piece, Plays
from analyzer.games.kraskar.model import KraskarRules


def label(seat: int, unit: str) -> str:
    """How a unit is named here: both decks may hold it."""
    return f"{unit} ({seat + 1})"


def pieces(rules: KraskarRules) -> list[Piece]:
    """Every unit of seat 1's deck, then of seat 2's; a deck holds each unit once (K4)."""
    return [
        Piece(label(seat, unit.name), 1, _without(seat, unit.name), seat, most=1)
        for seat in range(2)
        for unit in rules.deck_units(seat)
    ]


def _without(seat: int, unit: str) -> Callable[[dict[str, Any], int], None]:
    """Give the seat a deck of its own, as it was but for this unit; the other seat keeps its deck."""

    def put(values: dict[str, Any], count: int) -> None:
        if count:
            return
        named = values["named_decks"]
        deck = next(one for one in named if one["name"] == values["decks"][seat])
        kept = [place for place, name in enumerate(deck["units"]) if name != unit]
        own = f"Deck of seat {seat + 1}, one less"
        less = {**deck, "name": own, "units": [deck["units"][place] for place in kept]}
        less["columns"] = [deck["columns"][place] for place in kept] if deck["columns"] else []
        named.append(less)
        decks = list(values["decks"])
        decks[seat] = own
        values["decks"] = decks

    return put


def _names(game: Any) -> list[list[str]]:
    return [[label(seat, unit.name) for unit in side.units] for seat, side in enumerate(game.tables.sides)]


def _unit_of(game: Any, seat: int) -> NDArray[np.intp]:
    side = game.tables.sides[seat]
    found: NDArray[np.intp] = side.unit_of.copy()
    found[side.pass_] = -1
    return found


WATCHED = Plays(_names, "act", _unit_of)
FORCED = Forcing(
    why="There are no hands in Kraskar: every unit of a deck is on the field from the start (K3)."
)


def _as_before(game: Any, state: Any, old: Any, before: Any, card: str, key: NDArray[np.uint64]) -> None:
    """K3: all other units start in the columns in which they started."""
    for seat, side in enumerate(old.tables.sides):
        kept = [place for place, unit in enumerate(side.units) if label(seat, unit.name) != card]
        state.square[seat, : len(kept)] = before.square[seat, kept]


WITHOUT = _as_before
