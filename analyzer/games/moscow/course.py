"""What the score of Moscow is, for the story of the game: km driven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array
from analyzer.games.declared import Chance, Course, round_of_turns, rounds_of_turns

if TYPE_CHECKING:
    from analyzer.games.moscow.state import MoscowState


def points(game: Any, state: MoscowState) -> Array:
    """int32[seat, lane]: km; those beyond the goal count, they are what an order can take back (M26)."""
    return state.km.astype(np.int32) * np.int32(game.tables.km_unit)


def also(game: Any, state: MoscowState) -> Array:
    """int16[sign, seat, lane]: strength of the fighting cards held, cards held, 1 if a Red Army blocks."""
    t = game.tables
    strength = (state.hand[:, t.fighting] * t.strengths[:, None]).sum(axis=1, dtype=np.int16)
    return np.stack([strength, state.size.astype(np.int16), (state.front > 0).astype(np.int16)])


COURSE = Course(
    "km",
    "The score is the km driven. It says how near a seat is to Moscow, not whether it can take it.",
    points,
    rounds_of_turns,
    round_of_turns,
    signs=("strength in hand", "cards in hand", "a Red Army before one"),
    also=also,
)

CHANCE = {
    "deal": Chance("deal", "deals", "the cards as they are dealt and lie in the deck"),
    "dice": Chance("dice", "throws of the dice", "the dice thrown in battle"),
}
