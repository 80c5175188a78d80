"""The story of a game of Moscow is complete and true: hands and distances follow from it alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import analyzer
from analyzer.sim.replay import Replay

NEVER_HELD = ("time", "out of supply")


def story(players: int, policy: str, index: int, **settings: Any) -> Replay:
    return analyzer.replay("moscow", players, policy=policy, set=settings, game_index=index)


def km_of(card: str) -> int:
    return int(card.removeprefix("advance "))


class Listener:
    """Keeps hands and distances by what is told, and nothing else."""

    def __init__(self, solo: bool) -> None:
        self.solo = solo
        self.hands: list[Counter[str]] = []
        self.km: list[int] = []

    def hear(self, event: dict[str, Any]) -> None:
        getattr(self, event["what"])(event, event["seat"] - 1)

    def deal(self, e: dict[str, Any], seat: int) -> None:
        self.hands = [Counter(hand) for hand in e["hands"]]
        self.km = [0 for _ in self.hands]

    def draw(self, e: dict[str, Any], seat: int) -> None:
        at_once = self.solo and e["card"].startswith(("army", "red general", "great river", "order"))
        if e["card"] not in NEVER_HELD and not at_once:
            self.hands[seat][e["card"]] += 1

    def act(self, e: dict[str, Any], seat: int) -> None:
        self.give(seat, {e["card"]: 1} if e["card"] else {})
        if e["action"] == "advance":
            self.km[seat] += km_of(e["card"])

    def target(self, e: dict[str, Any], seat: int) -> None:
        """The card has left the hand with `act`."""

    def obey(self, e: dict[str, Any], seat: int) -> None:
        self.give(seat, e["lost"])
        self.km[seat] -= e["km"]

    def fight(self, e: dict[str, Any], seat: int) -> None:
        assert e["attack"] == e["cards"] + e["modifier"] + e["die"]
        assert e["won"] == (e["attack"] >= e["red"]) == (e["die"] >= e["needs"])
        assert e["doubled"] == (e["attack"] >= 2 * e["red"])
        assert e["faces"] == max(0, min(6, 7 - e["needs"]))
        assert e["cards"] == sum(int(card.split()[-1]) * count for card, count in e["used"].items())
        self.give(seat, e["used"])
        self.km[seat] += e["km"]

    def reorganise(self, e: dict[str, Any], seat: int) -> None:
        if e["played"]:
            self.give(seat, {"reorganise": 1})
            self.hands[seat][e["division"]] += 1

    def exploit(self, e: dict[str, Any], seat: int) -> None:
        if e["card"]:
            self.give(seat, {e["card"]: 1})
            self.km[seat] += km_of(e["card"])

    def discard(self, e: dict[str, Any], seat: int) -> None:
        self.give(seat, e["cards"])
        assert self.hands[seat].total() == e["limit"]

    def table(self, e: dict[str, Any], seat: int) -> None:
        assert [hand.total() for hand in self.hands] == e["hand"]
        assert self.km == e["km"]

    def give(self, seat: int, cards: dict[str, int]) -> None:
        self.hands[seat].subtract(cards)
        assert min(self.hands[seat].values(), default=0) >= 0


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize(("policy", "index"), [("random", 0), ("random", 7), ("blocker", 3), ("hoarder", 20)])
def test_hands_and_distances_follow_from_what_is_told(players: int, policy: str, index: int) -> None:
    told = story(players, policy, index)
    listener = Listener(players == 1)
    for event in told.events:
        listener.hear(event)
    assert sum(event["what"] == "draw" for event in told.events) == told.outcome["turns"]
    assert listener.km == told.outcome["km"]
    assert [hand.total() for hand in listener.hands] == told.outcome["held"]
    taken = [e["seat"] for e in told.events if e["what"] == "fight" and e["against"] == "moscow" and e["won"]]
    assert taken == [told.outcome["winner"]] * bool(told.outcome["winner"])


def test_two_actions_a_turn_and_losing_divisions_to_supply_are_told() -> None:
    told = story(4, "random", 2, actions_per_turn=2, out_of_supply="lose_division", army_on_self=True)
    listener = Listener(solo=False)
    for event in told.events:
        listener.hear(event)
    assert max(Counter(e["turn"] for e in told.events if e["what"] == "act").values()) == 2


def test_the_story_in_words() -> None:
    told = story(4, "blocker", 5)
    text = str(told)
    for word in (
        "Seat 1 is dealt",
        "draws",
        "(M9)",
        "(M11)",
        "(M13)",
        "faces of the die",
        "to draw]",
        "Outcome:",
    ):
        assert word in text
    assert "\n\n\n" not in text
