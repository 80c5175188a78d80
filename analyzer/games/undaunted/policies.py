"""The policies of Undaunted: one small class a heuristic, its parameters as fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Score
from analyzer.games.undaunted.policy_base import UndauntedPolicy
from analyzer.games.undaunted.priorities import Block, Engine, Firepower, Rush, Solo
from analyzer.games.undaunted.view import BidView, PlayView, TargetView


@dataclass(frozen=True)
class Random(UndauntedPolicy):
    """Ruling 12: any printed action of any card with equal chances, then any of its targets; hunkers down or
    stops only if there is nothing else."""

    score_dtype: ClassVar[Any] = np.uint8

    def play(self, view: PlayView, score: Score) -> None:
        """Uniform over cards and printed actions (a rally is one)."""
        score.hunker -= np.uint8(50)
        score.stop -= np.uint8(50)

    def bid(self, view: BidView, score: Score) -> None:
        """Uniform."""

    def step(self, view: TargetView, score: Score) -> None:
        """Uniform."""

    def attack(self, view: TargetView, score: Score) -> None:
        """Uniform."""

    def target(self, view: TargetView, score: Score) -> None:
        """Uniform."""

    def bolster(self, view: TargetView, score: Score) -> None:
        """Uniform."""


@dataclass(frozen=True)
class Greedy(UndauntedPolicy):
    """The play that gains most at once: control, then the surest attack, then whatever helps the next play.

    Scores are points on one ladder around 0; with an attack they rise with the chance to hit.
    """

    score_dtype: ClassVar[Any] = np.uint8
    steady: ClassVar[bool] = True
    noise: float = 3.0  # points
    hold: int = 90  # points for taking control of a tile, and 4 more for each point it is worth
    fire: int = 60  # points of an attack that cannot miss; half of it for one that suppresses
    advance: int = 28  # points for a step of a Rifleman towards a tile worth points
    recruit: int = 18  # points for a card that brings cards (bolster, command, inspire, recon)

    def play(self, view: PlayView, score: Score) -> None:
        """Every action at its worth; stops only when nothing is left."""
        for name, worth in self._worths().items():
            if view.has(name):
                block = getattr(score, name)
                block += np.uint8(worth % 256)
        if view.has("control"):
            block = score.control
            block += np.uint8(4) * view.small_points_here[view.cards_of("control")]
        for name, best in (("attack", self.fire), ("suppress", self.fire // 2)):
            if view.has(name):
                block = getattr(score, name)
                block += _share(best).take(view.small_percent(name))
        score.stop -= np.uint8(100)

    def _worths(self) -> dict[str, int]:
        """Points of each action before the position counts."""
        recruit, advance = self.recruit, self.advance
        return {
            **{"control": self.hold, "rally": 30, "blast": 45, "target": 12, "hunker": -40},
            **{"bolster": recruit, "command": recruit + 4, "inspire": recruit + 2, "recon": recruit + 6},
            **{"move": advance, "guide": advance - 8, "scout": advance - 4, "stalk": 2, "conceal": 14},
        }

    def bid(self, view: BidView, score: Score) -> None:
        """Fog of War, else the highest card that is no Rifleman."""
        card = score.card
        card += view.initiative.astype(np.uint8)[:, None]
        card[view.riflemen] -= np.uint8(20)
        card[view.fog] += np.uint8(40)

    def step(self, view: TargetView, score: Score) -> None:
        """Towards the tiles worth points that the own side does not control."""
        tile = score.tile
        tile += view.small_pull
        stay = score.stay
        stay -= np.uint8(60)

    def attack(self, view: TargetView, score: Score) -> None:
        """The easiest to hit; a Rifleman before others that are one harder."""
        unit = score.unit
        unit -= np.uint8(2) * view.small_total_defence
        unit[view.enemy_riflemen] += np.uint8(3)

    def guide(self, view: TargetView, score: Score) -> None:
        """A Rifleman rather than others."""
        unit = score.unit
        unit[view.riflemen] += np.uint8(10)

    def target(self, view: TargetView, score: Score) -> None:
        """Where most enemies and fewest own counters stand."""
        tile = score.tile
        tile += np.uint8(3) * view.enemies_on.astype(np.uint8)
        tile -= np.uint8(4) * view.own_on.astype(np.uint8)

    def bolster(self, view: TargetView, score: Score) -> None:
        """Riflemen before other units, units before command; as many as there may be."""
        card = score.card
        card[: len(view.units)] += np.uint8(10)
        card[view.riflemen] += np.uint8(5)
        enough = score.enough
        enough -= np.uint8(60)

    def inspire(self, view: TargetView, score: Score) -> None:
        """A Rifleman before others."""
        card = score.card
        card[view.riflemen] += np.uint8(10)


def _share(best: int) -> NDArray[np.uint8]:
    """uint8[percent]: this share of `best` points."""
    return np.rint(np.arange(101) / 100 * best).astype(np.uint8)


POLICIES: dict[str, type[UndauntedPolicy]] = {
    "random": Random,
    "greedy": Greedy,
    "rush": Rush,
    "firepower": Firepower,
    "engine": Engine,
    "solo": Solo,
    "block": Block,
}

__all__ = ["POLICIES", "Greedy", "Random", "UndauntedPolicy"]
