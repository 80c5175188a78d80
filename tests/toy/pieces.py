"""The loads of the first two seats as pieces; "dud" is one whose absence changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import UserError
from analyzer.games.declared import Piece, Plays
from tests.toy.model import DiceRules

LABELS = ("load (1)", "load (2)")


def pieces(rules: DiceRules) -> list[Piece]:
    loads = [Piece(label, 1, _without(seat), seat, most=1) for seat, label in enumerate(LABELS)]
    return [*loads, Piece("dud", 2, _nothing, 0), Piece("glued", 1, _refuse, 0)]


def _without(seat: int) -> Callable[[dict[str, Any], int], None]:
    def put(values: dict[str, Any], count: int) -> None:
        values[f"load_{seat + 1}"] = "nothing"

    return put


def _nothing(values: dict[str, Any], count: int) -> None:
    values["rounds"] += 1  # the race is over long before


def _refuse(values: dict[str, Any], count: int) -> None:
    raise UserError("It is glued to the board.")


def _names(game: Any) -> list[list[str]]:
    return [[LABELS[seat]] if seat < len(LABELS) else [] for seat in range(game.players)]


def _bold(game: Any, seat: int) -> NDArray[np.intp]:
    return np.array([-1, 0 if seat < len(LABELS) else -1], np.intp)


# A load counts as played where its seat steps boldly: enough to see plays being counted.
WATCHED = Plays(_names, "act", _bold)
