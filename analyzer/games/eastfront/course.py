"""What the score of Eastfront 1944 is, for the story of the game: the points of the friends taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array
from analyzer.games.declared import Chance, Course, round_of_turns, rounds_of_turns

if TYPE_CHECKING:
    from analyzer.games.eastfront.state import EastfrontState


def points(game: Any, state: EastfrontState) -> Array:
    """int16[seat, lane]: points of the friend cards taken, which nobody at the table knows yet (E1)."""
    return state.points


def also(game: Any, state: EastfrontState) -> Array:
    """uint8[sign, seat, lane]: fire of the German cards on the table, cards held."""
    return np.stack([state.force, state.size])


COURSE = Course(
    "points",
    "The score is the points of the friend cards taken; at the table nobody knows them before the end (E1).",
    points,
    rounds_of_turns,
    round_of_turns,
    acts=("act", "attack"),
    signs=("fire on the table", "cards in hand"),
    also=also,
)

CHANCE = {
    "deal": Chance("deal", "deals", "the play cards, Soviet cards and friends as they are dealt and lie"),
    "dice": Chance("losses by lot", "sets of losses by lot", "which card a hand loses where chance says it"),
}
