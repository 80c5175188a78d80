"""Luck and choosers for the oracle of Moscow: random legal play, and one simple player that never guesses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.oracle.moscow import Choose, Luck, Oracle, card_types


def random_luck(rng: random.Random, rules: Mapping[str, Any]) -> Luck:
    """The luck of one game: a shuffle, keys for the second shuffle, a die for every turn and action."""
    first = [k for k, t in enumerate(card_types(rules["cards"])) for _ in range(t.count)]
    rng.shuffle(first)
    second = [rng.getrandbits(32) for _ in first]
    sides, actions = rules["die_sides"], rules["actions_per_turn"]
    dice = [[rng.randint(1, sides) for _ in range(actions)] for _ in first]
    return Luck(first, second, dice)


def random_choice(rng: random.Random) -> Choose:
    """Uniform legal play as ruling 11 asks: actions, card sets, reorganise, extra card, discards."""

    def commit(usable: Mapping[int, int], oracle: Oracle) -> dict[int, int]:
        generals = [k for k in usable if oracle.types[k].kind == "german_general"]
        while True:  # rejection keeps every card set equally likely
            cards = {k: rng.randint(0, n) for k, n in usable.items() if k not in generals}
            if any(n and oracle.types[k].kind == "division" for k, n in cards.items()):
                break
        general = rng.choice([None, *generals])
        return cards if general is None else {**cards, general: 1}

    def discard(held: Mapping[int, int], excess: int) -> dict[int, int]:
        return dict(Counter(rng.sample([k for k, n in held.items() for _ in range(n)], excess)))

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "commit":
            return commit(legal, oracle)
        if kind == "discard":
            return discard(*legal)
        return rng.choice(legal)

    return choose


def busy_choice(rng: random.Random) -> Choose:
    """Random play that fights, attacks and drives when it can: it reaches states pure chance seldom sees."""
    base = random_choice(rng)

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "commit" and rng.random() < 0.8:
            best = max((k for k in legal if oracle.types[k].kind == "german_general"), default=None)
            keep = {k: n for k, n in legal.items() if oracle.types[k].kind != "german_general"}
            return keep if best is None else {**keep, best: 1}
        if kind == "act" and rng.random() < 0.7:
            for wanted in ("attack", "fight", "advance"):
                found = [a for a in legal if a[0] == wanted]
                if found:
                    return found[-1]
        return base(kind, seat, legal, oracle)

    return choose
