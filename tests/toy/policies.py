"""Players of the dice race."""

from __future__ import annotations

from typing import Any

from analyzer.games.base import Policy


class DicePolicy(Policy):
    """Base of the race's policies. Without a rule of its own a policy chooses at random."""

    def act(self, view: Any, score: Any) -> Any:
        """Score the two ways to step: blocks `safe` [game] and `bold` [game]."""


class Random(DicePolicy):
    """Choose at random."""


class Gambler(DicePolicy):
    """Step boldly while behind by more than `patience`."""

    patience: int = 3

    def act(self, view: Any, score: Any) -> Any:
        score.bold += view.best.astype(int) > view.mine.astype(int) + self.patience
        score.safe += 0.5


POLICIES = {"random": Random, "gambler": Gambler}
