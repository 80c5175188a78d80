"""What the score of Undaunted is, for the story of the game: points towards the goal, and casualties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array
from analyzer.games.declared import Chance, Course

if TYPE_CHECKING:
    from analyzer.games.undaunted.state import UndauntedState

POINT = 3  # casualties that stand against one point of an objective


def points(game: Any, state: UndauntedState) -> Array:
    """int32[seat, lane]: `POINT` for each point held beyond the own goal (so below 0 before it is reached),
    and 1 for each casualty of the enemy. A side that must pin the enemy has its casualties alone (U27)."""
    score = state.casualties[::-1].astype(np.int32)
    for seat, side in enumerate(game.tables.sides):
        if side.goal is not None:
            score[seat] += POINT * (state.score[seat].astype(np.int32) - side.goal)
    return score


def rounds(game: Any) -> int:
    """Until the round limit (U31)."""
    return int(game.rules.round_limit)


def round_of(game: Any, state: UndauntedState, turn: int) -> Any:
    """int16[lane]: games drift apart by rounds, each knows its own."""
    return (state.rounds.astype("int16") - 1).clip(0)


def also(game: Any, state: UndauntedState) -> Array:
    """int16[sign, seat, lane]: casualties of the enemy, Riflemen's counters on the map, the initiative."""
    rifles = [state.side[seat][side.rifle_counters] for seat, side in enumerate(game.tables.sides)]
    holds = [state.holder == seat for seat in (0, 1)]
    return np.stack([state.casualties[::-1], np.stack(rifles), np.stack(holds)]).astype(np.int16)


COURSE = Course(
    "points and casualties",
    f"The score is {POINT} for each point towards the own goal and 1 for each casualty of the enemy.",
    points,
    rounds,
    round_of,
    acts=("play",),
    signs=("casualties of the enemy", "Riflemen on the map", "the initiative"),
    also=also,
)

CHANCE = {
    "deal": Chance("draws", "sets of draws", "the cards that each side draws from its deck, all game long"),
    "dice": Chance("dice", "throws of the dice", "the dice of attacks"),
}
