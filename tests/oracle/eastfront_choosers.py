"""Luck and choosers for the oracle of Eastfront 1944: random legal play, busy play, a sensible player."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.oracle.eastfront import Choose, Luck, Oracle, Outcome, card_types


def random_luck(rng: random.Random, rules: Mapping[str, Any]) -> Luck:
    """The luck of one game: three shuffles and a number for every turn there can be."""
    cards = rules["cards"]
    deck = [k for k, t in enumerate(card_types(cards)) for _ in range(t.count)]
    soviet = [k for k, s in enumerate(cards["soviet"]) for _ in range(s["count"])]
    friends = [f["points"] for f in cards["friends"] for _ in range(f["count"])]
    for pile in (deck, soviet, friends):
        rng.shuffle(pile)
    return Luck(deck, soviet, friends, [rng.getrandbits(32) for _ in deck])


def random_choice(rng: random.Random) -> Choose:
    """R11: uniform at each single decision over distinct kinds; cards of a set one at a time."""

    def deploy(held: Mapping[int, int]) -> dict[int, int]:
        left, cards = Counter(held), Counter[int]()
        while (card := rng.choice([None, *sorted(k for k, n in left.items() if n)])) is not None:
            left[card] -= 1
            cards[card] += 1
        return dict(cards)

    def discard(held: Mapping[int, int], excess: int) -> dict[int, int]:
        left, cards = Counter(held), Counter[int]()
        for _ in range(excess):
            card = rng.choice(sorted(k for k, n in left.items() if n))
            left[card] -= 1
            cards[card] += 1
        return dict(cards)

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if kind == "deploy":
            return deploy(legal)
        if kind == "discard":
            return discard(*legal)
        return rng.choice(legal)

    return choose


def busy_choice(rng: random.Random) -> Choose:
    """Random play that reinforces, attacks and goes on: it reaches states pure chance seldom sees."""
    base = random_choice(rng)

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        if rng.random() < 0.85:
            if kind == "deploy":
                return dict(legal)
            if kind in ("attack", "go_on"):
                return rng.choice([stack for stack in legal if stack is not None])
            if kind == "act":
                found = [act for act in legal if act[0] == "reinforce"]
                return max(found, default=base(kind, seat, legal, oracle))
        return base(kind, seat, legal, oracle)

    return choose


class Sensible:
    """A plain balanced player: reinforce, hinder the leader, attack what will fall, shoot the best."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        return getattr(self, kind)(seat, legal, oracle)

    def deploy(self, seat: int, held: dict[int, int], oracle: Oracle) -> dict[int, int]:
        return held

    def worth(self, oracle: Oracle, german: int) -> int:
        """What a German card is worth on a table: fire and defence together."""
        text = oracle.types[german].text
        return text["fire"] + text["defence"]

    def fire(self, oracle: Oracle, seat: int) -> int:
        """All German fire on a table."""
        return sum(n * oracle.types[g].text["fire"] for g, n in enumerate(oracle.tables[seat]) if n)

    def act(self, seat: int, legal: list[tuple[Any, ...]], oracle: Oracle) -> tuple[Any, ...]:
        # Against whom: most friends, then most force.
        force = [(len(oracle.friends[s]), self.fire(oracle, s)) for s in range(oracle.players)]
        best, score = [("nothing",)], 0.0
        for act in legal:
            if act[0] == "reinforce":
                value = 5.0 + self.worth(oracle, act[1])
            elif act[0] == "hinder":
                value = self.harm(oracle, act) + (force[act[2]] == max(force))
            else:
                continue
            if value > score:
                best, score = [act], value
            elif value == score:
                best.append(act)
        return self.rng.choice(best)

    def harm(self, oracle: Oracle, act: tuple[Any, ...]) -> float:
        """How much a hinder card takes from its target."""
        _, h, target, named = act
        text = oracle.types[oracle.hinder[h]].text
        if text["effect"] == "halt":
            return self.fire(oracle, target) / 2
        if text["effect"] == "discard":
            return 3.0
        if text["effect"] == "fire" and text["fire"] <= oracle.types[named].text["defence"]:
            return 0.0
        return self.worth(oracle, named) - (4 if text["effect"] == "recall" else 0)

    def cover(self, seat: int, legal: list[bool], oracle: Oracle) -> bool:
        return True

    def attack(self, seat: int, legal: list[int | None], oracle: Oracle) -> int | None:
        """The open card that falls most surely, else the lowest face-down stack if force is at hand."""
        fire, known, unseen = self.fire(oracle, seat), [], []
        for stack in legal:
            if stack is None:
                continue
            if not oracle.face_up[stack]:
                unseen.append((len(oracle.stacks[stack]), stack))
            elif oracle.soviet[oracle.stacks[stack][0]]["defence"] < fire - 3:
                known.append((len(oracle.stacks[stack]), stack))
        if known:
            return min(known)[1]
        return min(unseen)[1] if unseen and fire > 9 else None

    go_on = attack

    def support(self, seat: int, legal: list[int | None], oracle: Oracle) -> int | None:
        x = oracle.exchange
        assert x is not None
        soviet, fire = oracle.soviet[x.soviet], self.fire(oracle, seat)
        if x.support or soviet["fire"] < 4:
            return None
        for i in legal:
            if i is not None:
                text = oracle.rules["cards"]["support"][i]
                if fire + text["fire"] > soviet["defence"]:
                    return i
        return None

    def pillbox(self, seat: int, legal: list[bool], oracle: Oracle) -> bool:
        x = oracle.exchange
        assert x is not None
        fire, text = self.fire(oracle, oracle.seat), oracle.types[oracle.pillbox].text
        return 0 < fire - oracle.soviet[x.soviet]["defence"] <= text["defence"]

    def shoot(self, seat: int, legal: list[int], oracle: Oracle) -> int:
        x = oracle.exchange
        assert x is not None
        fire = oracle.soviet[x.soviet]["fire"]
        return max(legal, key=lambda g: (fire > oracle.types[g].text["defence"], self.worth(oracle, g)))

    def discard(self, seat: int, legal: tuple[dict[int, int], int], oracle: Oracle) -> dict[int, int]:
        """Misfortunes and Soviet attacks go last, weak German cards first."""
        held, excess = legal
        cards = sorted(k for k, n in held.items() for _ in range(n))
        return dict(Counter(cards[:excess]))


def play_random(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game of random legal play, for timing: nothing is counted along the way unless asked for."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), random_choice(rng), checked).play()


def play_sensible(rules: Mapping[str, Any], players: int, seed: int, checked: bool = False) -> Outcome:
    """One game of sensible players, for timing with games of the usual course."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), Sensible(rng), checked).play()
