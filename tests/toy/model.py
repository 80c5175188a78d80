"""The rules of the dice race as a frozen model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from analyzer.axes import Axis
from analyzer.errors import UserError

MIN_PLAYERS, MAX_PLAYERS = 2, 4


class DiceRules(BaseModel):
    """goal: steps to the finish; rounds: how long the race lasts at most.

    load_1, load_2: what the first two seats carry, a name out of LOADS; it slows every step of theirs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: int = Field(default=30, ge=1, le=200)
    rounds: int = Field(default=20, ge=1, le=50)
    load_1: str = "nothing"
    load_2: str = "nothing"

    def check_players(self, players: int) -> None:
        """Refuse a number of players the race is not for."""
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise UserError(f"The dice race is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")


RULES = DiceRules
LOADS = {"nothing": 0, "a bag": 1, "Big Trunk": 2}  # steps a turn that a load costs

AXES = (
    Axis(
        "loads",
        "loads that race against each other",
        names=lambda _: {"nothing": ("0",), "a bag": ("1",), "Big Trunk": ("2", "chest")},
        overrides=lambda first, second: {"load_1": first, "load_2": second},
        each=2,
    ),
    Axis(
        "race-length",
        "lengths of the race",
        names=lambda _: {"short": ("8",), "middle": ("9",), "long": ("10",)},
        overrides=lambda name: {"goal": {"short": 10, "middle": 20, "long": 30}[name]},
        label=lambda name: f"{name} race",
    ),
)


def load_config(file: Any = None, overrides: Any = ()) -> Any:
    """The config of the race, as a room of another package gives it."""
    from tests.toy.config import toy_config

    return toy_config(overrides)
