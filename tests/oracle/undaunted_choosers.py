"""Luck and choosers for the oracle of Undaunted: random legal play, and a plain player for timing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.undaunted import PASS, Choose, Oracle
from tests.oracle.undaunted_table import BITS, Luck, Outcome


def random_luck(rng: random.Random, rules: Mapping[str, Any]) -> Luck:
    """The luck of one game, without end."""

    def bits() -> Iterator[int]:
        while True:
            yield rng.getrandbits(BITS)

    def dice() -> Iterator[int]:
        while True:
            yield rng.randrange(rules["die_faces"])

    return Luck(rng.randrange(2), [bits(), bits()], dice())


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
    return Oracle(rules, players, random_luck(rng, rules), random_action(rng), checked).play()
