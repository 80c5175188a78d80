"""The policies of Kraskar: one small class a heuristic, its parameters as fields.

Their scores are small whole numbers (uint8, around 128) for speed; a policy of your own leaves `score_dtype`
at float32 and uses any finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Policy, Score
from analyzer.games.kraskar.tables import BACK, EAST, FORWARD, WEST
from analyzer.games.kraskar.view import ActView, DeployView

U8 = NDArray[np.uint8]


@dataclass(frozen=True)
class KraskarPolicy(Policy):
    """Base of all Kraskar policies. `act` scores the actions of the main phase, again after each of them,
    until pass is the best; `deploy` scores the columns for a unit that returns."""

    def act(self, view: ActView, score: Score) -> Array | None:
        """The next action of the main phase. Blocks: move and melee [direction, unit, game] (directions
        forward, back, west, east), charge [direction, cavalry, game], shoot [archer, enemy, game], thrust
        [spearman, enemy, game], boost [carrier, game] (boosts and rallies), weaken [carrier, enemy, game],
        strike [carrier, enemy, game] (the first enemy unit of the square), pass_ [game]."""
        raise NotImplementedError("a policy of Kraskar needs at least the method act(view, score)")

    def deploy(self, view: DeployView, score: Score) -> Array | None:
        """Where a unit returns. Block: column [column, game]. Default: before an enemy at the wall, else
        where fewest enemies stand."""
        score.column += 4 * view.enemies_at_the_wall
        score.column -= view.enemies_in_column
        return None


@dataclass(frozen=True)
class Random(KraskarPolicy):
    """Any legal action with equal chances, pass among them."""

    score_dtype: ClassVar[Any] = np.uint8

    def act(self, view: ActView, score: Score) -> None:
        """Uniform: all scores are equal."""

    def deploy(self, view: DeployView, score: Score) -> None:
        """Uniform."""


POLICIES: dict[str, type[KraskarPolicy]] = {"random": Random}
