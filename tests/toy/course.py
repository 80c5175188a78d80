"""The score of the dice race: steps."""

from __future__ import annotations

from analyzer.games.declared import Course, round_of_turns, rounds_of_turns

COURSE = Course(
    "steps", "The score is the steps made.", lambda game, state: state.steps, rounds_of_turns, round_of_turns
)
