"""Runs whose kinds of chance have seeds of their own: the same deals with other dice, or the other way.

Every deal is played in all rotations of the policies: the luck of a game goes by its place in the rotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analyzer.sim.chance import DEAL, DICE, MAX_SEED, NOISE, TIES, Luck, digest_words
from analyzer.sim.request import Request
from analyzer.sim.seating import Block

# Kinds of chance that a study tells apart: what the cards do, what the dice do, what players do by lot.
KINDS: dict[str, tuple[int, ...]] = {"deal": (DEAL,), "dice": (DICE,), "choices": (TIES, NOISE)}


def level_seed(seed: int, level: int) -> int:
    """The seed of a level of a factor; level 0 is the run's own."""
    if level == 0:
        return seed
    high, low = digest_words(f"seed {seed} level {level}")[:2]
    return (high << 32 | low) & MAX_SEED


@dataclass(frozen=True)
class CrossedRequest(Request):
    """A cell of a crossed design: a run at one level of each kind of chance.

    levels: (kind out of KINDS, level) pairs. Games of one rank, game // rotations, share their luck.
    """

    levels: tuple[tuple[str, int], ...] = ()

    def luck(self, block: Block) -> Luck:
        """All the chance of a block: the same in all rotations."""
        seeds = {kind: level_seed(self.seed, level) for name, level in self.levels for kind in KINDS[name]}
        return Luck(self.game, self.seed, block.chunk, block.size, block.rows, seeds)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """As of the run, and the levels."""
        return {**super().identity, "levels": [list(level) for level in self.levels]}


def crossed(request: Request, ranks: int, levels: dict[str, int]) -> CrossedRequest:
    """The cell of a design at these levels: `ranks` games in each rotation."""
    given = {**request.given(), "n": ranks * len(request.rotations)}
    return CrossedRequest(**given, levels=tuple(levels.items()))
