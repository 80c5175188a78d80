"""The rules of the dice race as a frozen model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from analyzer.errors import UserError

MIN_PLAYERS, MAX_PLAYERS = 2, 4


class DiceRules(BaseModel):
    """goal: steps to the finish; rounds: how long the race lasts at most."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: int = Field(default=30, ge=1, le=200)
    rounds: int = Field(default=20, ge=1, le=50)

    def check_players(self, players: int) -> None:
        """Refuse a number of players the race is not for."""
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise UserError(f"The dice race is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")


RULES = DiceRules


def load_config(file: Any = None, overrides: Any = ()) -> Any:
    """The config of the race, as a room of another package gives it."""
    from tests.toy.config import toy_config

    return toy_config(overrides)
