"""Luck and choosers for the oracle of Undaunted: random legal play, and a plain player for timing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracle.undaunted import PASS, Choose, Oracle
from tests.oracle.undaunted_table import Outcome


class RandomLuck:
    """Chance from one generator."""

    def __init__(self, rng: random.Random, faces: int = 10) -> None:
        self.rng, self.faces = rng, faces
        self.first = rng.randrange(2)

    def shuffled(self, seat: int, cards: Sequence[str]) -> list[str]:
        return self.rng.sample(cards, len(cards))

    def roll(self, seat: int, dice: int) -> list[int]:
        return [self.rng.randrange(self.faces) for _ in range(dice)]


def random_choice(rng: random.Random) -> Choose:
    """Uniform over all legal answers, stopping and Hunker Down too."""
    return lambda kind, seat, legal, oracle: rng.choice(legal)


def random_action(rng: random.Random) -> Choose:
    """Ruling 12: over (card, action) without stopping and Hunker Down unless forced, then over targets."""

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "play":
            acting = [play for play in legal if play != PASS and play[1] != "hunker"]
            legal = acting or legal
        return rng.choice(legal)

    return choose


def play_random(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game of random legal play (ruling 12): the plain entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, RandomLuck(rng, rules["die_faces"]), random_action(rng), checked).play()
