"""A told game of Undaunted: what a reader plays along from the telling alone is what the game holds."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import analyzer
from analyzer.config import load_config
from analyzer.games.undaunted import odds
from analyzer.games.undaunted.scenario import SIDES, expand
from analyzer.games.undaunted.tell_words import card

Cards = Counter[str]
CASES = [
    ("1", "random", []),
    ("4", "greedy", ["first_initiative=both"]),
    ("6", "random", ["round_limit=20"]),
    ("8", "greedy", ["pin_ends_game=goal", "round_limit=20"]),
    ("10", "random", ["hand_size=5", "round_limit=20"]),
    ("11", "random", ["round_limit=20"]),
    ("12", "greedy", ["target_outlives_mortar=true"]),
    ("9", "random", ["cards.rifleman.actions.move=2", "cards.guide.actions.guide=2", "round_limit=8"]),
]


class Table:
    """The table of one game, moved by the events of a telling and by nothing else."""

    def __init__(self, start: dict[str, Any], rules: Any) -> None:
        self.rules = rules
        self.points_of = {tile["name"]: tile["points"] for tile in start["tiles"]}
        self.deck = [Counter(pile) for pile in start["deck"]]
        self.supply = [Counter(pile) for pile in start["supply"]]
        self.hand, self.discard, self.played = ([Counter(), Counter()] for _ in range(3))
        self.counters = [dict(one) for one in start["counters"]]
        self.suppressed: list[set[str]] = [set(one) for one in start["suppressed"]]
        self.scouted = [set(one) for one in start["scouted"]]
        self.controlled = [set(one) for one in start["controlled"]]
        self.target: list[str | None] = [None, None]
        self.holder = start["first"]
        self.lost, self.removed, self.plays = [0, 0], [0, 0], [0, 0]

    def points(self) -> list[int]:
        return [sum(self.points_of[tile] for tile in tiles) for tiles in self.controlled]

    def take(self, pile: Cards, cards: list[str]) -> None:
        """Take cards out of a pile that must hold them."""
        for code in cards:
            assert pile[code] > 0, (code, pile)
            pile[code] -= 1

    def draw(self, seat: int, cards: list[str], shuffled: bool) -> None:
        """Cards come from the deck; when it is empty the discard pile becomes the next one."""
        deck, left = self.deck[seat], Counter(cards)
        assert shuffled == (len(cards) > deck.total())
        if shuffled:
            left -= deck
            assert left.total() == len(cards) - deck.total(), "the short deck is drawn first"
            self.deck[seat], self.discard[seat] = +self.discard[seat], Counter()
        self.take(self.deck[seat], list(left.elements()))
        self.hand[seat].update(cards)

    def play(self, event: dict[str, Any]) -> None:
        seat, action, unit = event["seat"] - 1, event["action"], event["unit"]
        foe = 1 - seat
        self.plays[seat] += 1
        self.take(self.hand[seat], [event["card"]])
        (self.supply if action == "hunker" else self.played)[seat][event["card"]] += 1
        if event["placed"]:
            assert unit not in self.counters[seat]
            self.counters[seat][unit] = event["placed"]
        if action == "rally":
            self.suppressed[seat].remove(unit)
        elif action not in ("hunker", "guide"):
            assert unit is None or (unit in self.counters[seat] and unit not in self.suppressed[seat])
        getattr(self, f"on_{action}", lambda *_: None)(event, seat, foe)
        assert event["points"] == self.points()

    def on_move(self, event: dict[str, Any], seat: int, _: int) -> None:
        path, near = event["path"], self.rules.scenario
        assert self.counters[seat][event["unit"]] == path[0]
        for one, other in pairwise(path):
            assert near.names.index(other) in near.neighbours[near.names.index(one)]
            if event["action"] in ("move", "guide"):
                assert other in self.scouted[seat] | self.controlled[seat]
        self.counters[seat][event["unit"]] = path[-1]
        gone = event["unit"] == "MO" and len(path) > 1 and self.target[seat] is not None
        assert event["target_gone"] == gone
        self.target[seat] = None if gone else self.target[seat]
        new = [tile for tile in path[1:] if tile not in self.scouted[seat] | self.controlled[seat]]
        assert set(event["scouted"]) == (set(new) if event["action"] == "scout" else set())
        self.scouted[seat] |= set(event["scouted"])
        self.take(self.supply[seat], ["FOW"] * event["fog"])
        self.discard[seat]["FOW"] += event["fog"]

    on_guide = on_scout = on_stalk = on_move

    def on_attack(self, event: dict[str, Any], seat: int, _: int) -> None:
        for throw in event["throws"]:
            whose, target = SIDES.index(throw["side"]), throw["target"]
            assert self.counters[whose][target] == throw["tile"]
            far = throw["distance"] or 0
            assert throw["defence"] == throw["base"] + throw["cover"] + far
            tiles = self.rules.scenario.names
            origin = self.counters[seat][event["unit"]]
            known = odds.on_the_map(
                self.rules, tiles.index(origin), tiles.index(throw["tile"]), target, event["action"]
            )
            assert throw["defence"] == known
            assert throw["hit"] == any(die == 0 or die >= throw["defence"] for die in throw["dice"])
            assert len(throw["dice"]) == odds.dice(self.rules, event["unit"], event["action"])
            assert (throw["result"] == "missed") == (not throw["hit"])
            if throw["result"] == "suppressed":
                self.suppressed[whose].add(target)
            elif throw["hit"]:
                self.casualty(whose, throw, own=whose == seat)

    on_suppress = on_blast = on_attack

    def casualty(self, whose: int, throw: dict[str, Any], own: bool) -> None:
        target = throw["target"]
        piles = {"hand": self.hand, "discard pile": self.discard, "deck": self.deck}
        piles = {"play area": self.played, **piles} if own else piles
        found = next((name for name, pile in piles.items() if pile[whose][target]), None)
        assert (throw["result"], throw["pile"]) == ("card" if found else "counter", found)
        self.lost[whose] += 1
        if found:
            piles[found][whose][target] -= 1
            return
        self.removed[whose] += 1
        del self.counters[whose][target]
        self.suppressed[whose].discard(target)
        if target == "MO" and not self.rules.target_outlives_mortar:
            self.target[whose] = None

    def on_control(self, event: dict[str, Any], seat: int, foe: int) -> None:
        tile = event["tile"]
        assert self.counters[seat][event["unit"]] == tile
        assert tile not in self.counters[foe].values()
        assert event["radio"] == (tile in self.controlled[seat])
        assert event["lost"] == (tile in self.controlled[foe])
        if event["radio"]:
            self.points_of[tile] += 1
        else:
            self.scouted[seat].remove(tile)
            self.controlled[seat].add(tile)
        if event["lost"]:
            self.controlled[foe].remove(tile)
            self.scouted[foe].add(tile)

    def on_target(self, event: dict[str, Any], seat: int, _: int) -> None:
        assert event["target"] != self.target[seat]
        self.target[seat] = event["target"]

    def on_bolster(self, event: dict[str, Any], seat: int, _: int) -> None:
        assert event["cards"]
        assert "FOW" not in event["cards"]
        self.take(self.supply[seat], event["cards"])
        self.discard[seat].update(event["cards"])

    def on_inspire(self, event: dict[str, Any], seat: int, _: int) -> None:
        assert event["cards"]
        self.take(self.played[seat], event["cards"])
        self.hand[seat].update(event["cards"])

    def on_conceal(self, event: dict[str, Any], seat: int, foe: int) -> None:
        self.take(self.supply[foe], ["FOW"])
        self.discard[foe]["FOW"] += 1

    def on_recon(self, event: dict[str, Any], seat: int, _: int) -> None:
        self.take(self.hand[seat], ["FOW"])
        self.on_command(event, seat, _)

    def on_command(self, event: dict[str, Any], seat: int, _: int) -> None:
        self.draw(seat, event["cards"], event["shuffled"])

    def end_turn(self, event: dict[str, Any], over: bool) -> None:
        seat = event["seat"] - 1
        piles = (self.hand, self.deck, self.discard, self.played)
        assert event["fog"] == sum(pile[seat]["FOW"] for pile in piles)
        if not over:
            self.discard[seat] += self.hand[seat] + self.played[seat]
            self.hand[seat], self.played[seat] = Counter(), Counter()


@cache
def told_once(case: int, game: int) -> Any:
    return told_game(*CASES[case], game)


def told_game(scenario: str, policy: str, settings: list[str], game: int) -> Any:
    return analyzer.replay("undaunted", scenario=scenario, policy=policy, set=settings, game_index=game)


def rules_of(scenario: str, settings: list[str]) -> Any:
    from analyzer.games.undaunted.axes import scenario_config, scenario_names

    label = next(name for name in scenario_names() if name.startswith(f"{scenario} "))
    return load_config(scenario_config(label), overrides=settings).rules


def play_along(told: Any, rules: Any) -> Table:
    """Every event in turn; whatever does not fit fails."""
    table = Table(told.events[0], rules)
    hands = [0, 0]
    for place, event in enumerate(told.events[1:], 1):
        seat = event["seat"] - 1
        match event["what"]:
            case "round":
                assert event["counters"] == table.counters
                assert [set(one) for one in event["suppressed"]] == table.suppressed
                assert [set(one) for one in event["scouted"]] == table.scouted
                assert [set(one) for one in event["controlled"]] == table.controlled
                assert event["points"] == table.points()
            case "draw":
                table.draw(seat, event["cards"], event["shuffled"])
                hands[seat] = len(event["cards"])
            case "bids":
                for side, code in enumerate(event["cards"]):
                    assert (code is None) == (hands[side] == 0)
                    if code is not None:
                        assert event["initiative"][side] == rules.cards.card(code).initiative
                        table.take(table.hand[side], [code])
                        table.discard[side][code] += 1
                us, de = event["initiative"]
                holder = table.holder if us == de else SIDES[us < de]
                assert (event["holder"], event["changed"]) == (holder, holder != table.holder)
                table.holder = holder
            case "turn":
                assert event["hand"] == dict(+table.hand[seat])
                assert event["side"] == SIDES[seat]
            case "play":
                table.play(event)
            case "end of turn":
                table.end_turn(
                    event, told.events[place + 1]["what"] == "end" and place + 2 == len(told.events)
                )
    return table


@pytest.mark.parametrize("case", range(len(CASES)), ids=[case[0] for case in CASES])
def test_a_reader_can_play_along(case: int) -> None:
    """Cards, counters, markers, dice, casualties and points of the telling fit, from first to last."""
    scenario, _, settings = CASES[case]
    rules = rules_of(scenario, settings)
    for game in range(2):
        told = told_once(case, game)
        table = play_along(told, rules)
        end, outcome = told.events[-1], told.outcome
        assert end["what"] == "end"
        assert end["end"] == outcome["end"]
        assert end["winner"] == (SIDES[outcome["winner"] - 1] if outcome["winner"] else None)
        assert end["points"] == table.points() == outcome["points"]
        assert (table.lost, table.removed) == (outcome["casualties"], outcome["removed"])
        assert table.plays == outcome["plays"]
        rounds = [event["turn"] for event in told.events if event["what"] == "round"]
        assert rounds == list(range(1, outcome["rounds"] + 1))


def test_everything_that_can_be_told_is_told() -> None:
    """Negative control of the test above: its games do hold every action, and both kinds of casualty."""
    actions, results, placed, shuffled = set(), set(), 0, 0
    for case in range(len(CASES)):
        for event in told_once(case, 0).events + told_once(case, 1).events:
            shuffled += bool(event.get("shuffled"))
            if event["what"] == "play":
                actions.add(event["action"])
                placed += event["placed"] is not None
                results |= {throw["result"] for throw in event.get("throws", [])}
    assert actions >= {
        "move", "guide", "scout", "stalk", "bolster", "command", "conceal", "control", "inspire", "recon",
        "target", "attack", "suppress", "blast", "rally",
    }  # fmt: skip
    assert results == {"missed", "card", "counter", "suppressed"}
    assert placed
    assert shuffled


def test_a_wrong_telling_does_not_fit() -> None:
    """Negative control: a telling with one die, one card or one tile changed is found out."""
    rules = rules_of("1", [])
    for change in ("dice", "cards", "path"):
        told = deepcopy(told_once(0, 1))
        for event in told.events:
            if change == "dice" and event.get("throws"):
                event["throws"][0]["hit"] = not event["throws"][0]["hit"]
                break
            if change == "cards" and event["what"] == "draw":
                event["cards"][0] = "MO"
                break
            if change == "path" and len(event.get("path", [])) > 1:
                event["path"][1] = event["path"][0]
                break
        with pytest.raises(AssertionError):
            play_along(told, rules)


@pytest.mark.parametrize("case", range(len(CASES)), ids=[case[0] for case in CASES])
def test_words_fit_and_events_are_plain(case: int) -> None:
    told = told_once(case, 1)
    assert max(map(len, told.lines)) <= 100
    assert json.loads(json.dumps(told.records())) == told.records()
    text = "\n".join(told.lines)
    assert "Bids:" in text
    assert "defence" in text
    assert text.count("\nRound ") == told.outcome["rounds"]


def test_the_same_game_of_a_run_is_told() -> None:
    asked: dict[str, Any] = {"policies": ["greedy", "random"], "seed": 5, "set": ["round_limit=6"]}
    results = analyzer.run("undaunted", n=40, jobs=1, scenario="2", **asked)
    for game in (0, 7, 38):
        told = analyzer.replay("undaunted", game_index=game, scenario="2", **asked)
        row = results.games.set_index("game").loc[game]
        for name in ("winner", "end", "rounds", "first"):
            assert told.outcome[name] == row[name]
        assert told.outcome["casualties"] == [row["casualties_1"], row["casualties_2"]]


def test_codes_in_words() -> None:
    words = {code: card(code).replace("\u00a0", " ") for code in ("RA", "SB", "GC", "SN", "SLB", "PS", "FOW")}
    assert list(words.values()) == [
        "Rifleman A", "Scout B", "Gunner C", "Sniper", "Leader B", "Sergeant", "Fog of War",
    ]  # fmt: skip
    assert list(expand(("A", "MO"))) == ["RA", "SA", "GA", "MO"]
