"""What the score of Kraskar is, for the story of the game: castle life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array
from analyzer.games.declared import Chance, Course

if TYPE_CHECKING:
    from analyzer.games.kraskar.state import KraskarState


def points(game: Any, state: KraskarState) -> Array:
    """uint8[seat, lane]: life left of the own castle (K3)."""
    return state.castle


def rounds(game: Any) -> int:
    """A round is a turn of each side."""
    return int(-(-game.rules.turn_limit // 2))


def round_of(game: Any, state: KraskarState, turn: int) -> Any:
    """int16[lane]: by the turns begun, for a game may sit out the first turn of its block."""
    return (state.length.astype("int16") - 1).clip(0) >> 1


def also(game: Any, state: KraskarState) -> Array:
    """int16[sign, seat, lane]: hit points of all units together, units on the field, chips."""
    hit_points = state.hit_points.sum(axis=1, dtype=np.int16)
    there = (state.hit_points > 0).sum(axis=1, dtype=np.int16)
    return np.stack([hit_points, there, state.chips.astype(np.int16)])


COURSE = Course(
    "castle life",
    "The score is the life left of the own castle.",
    points,
    rounds,
    round_of,
    signs=("hit points", "units on the field", "chips"),
    also=also,
)

CHANCE = {"deal": Chance("start", "starts", "who moves first, and the columns in which units start")}
