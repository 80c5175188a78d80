"""Whole games of Undaunted on the scalar oracle: invariants, symmetries, the choosers and the config."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.config import load_config
from tests.oracle.undaunted import PASS, Choose, Oracle, play
from tests.oracle.undaunted_choosers import (
    plain_choice,
    play_plain,
    play_random,
    random_action,
    random_choice,
    random_luck,
)
from tests.oracle.undaunted_defaults import SCENARIOS, card_rows, default_rules, rules_of
from tests.oracle.undaunted_script import Force, position, scenario_of
from tests.oracle.undaunted_table import FOG, RIFLEMEN, SIDES, UNITS, Luck, Outcome

CHOOSERS = [random_choice, random_action, plain_choice]
LAST_CARD = 2**32 - 1


# --- the config ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 13))
def test_the_config_and_the_default_rules_are_the_same(number: int) -> None:
    config = load_config(f"undaunted/{SCENARIOS[number - 1]}").as_dict()
    assert config == {"game": "undaunted", **default_rules(number)}


def test_scenario_12_is_symmetric() -> None:
    """The map is its own image under (x, y) -> (4 - x, y + 2 - x), which swaps the sides."""
    scenario = default_rules(12)["scenario"]
    places = {tuple(tile["at"]): tile for tile in scenario["tiles"]}
    for (x, y), tile in places.items():
        image = places[4 - x, y + 2 - x]
        for key in ("cover", "points", "hill", "radio"):
            assert tile[key] == image[key]
        for key in ("markers", "spawn", "counters"):
            assert tile[key]["US"] == image[key]["DE"]
            assert tile[key]["DE"] == image[key]["US"]
    assert scenario["decks"]["US"] == scenario["decks"]["DE"]
    assert scenario["goal"]["US"] == scenario["goal"]["DE"]


@pytest.mark.parametrize("number", [1, 3])
def test_scenarios_with_equal_decks(number: int) -> None:
    decks = default_rules(number)["scenario"]["decks"]
    assert decks["US"] == decks["DE"]


# --- invariants ------------------------------------------------------------------------------------------


def check(oracle: Oracle, end: Outcome) -> None:
    """What holds at the end of every game."""
    rules, counts = oracle.rules, oracle.counts
    assert oracle.over
    assert 1 <= end.rounds <= rules["round_limit"]
    assert sum(n for key, n in counts.items() if key[0] == "initiative") == end.rounds
    assert sum(n for key, n in counts.items() if key[0] == "bid") <= 2 * end.rounds
    goals = [side.goal for side in oracle.sides]
    pinned = [oracle.pinned(seat) for seat in (0, 1)]
    if end.end == "points":
        assert end.winner is not None
        assert end.points[end.winner] >= (goals[end.winner] or 0) > 0
    if end.end == "pin":
        assert end.winner is not None
        assert pinned[1 - end.winner]
    if end.end == "no hope":
        assert end.winner is not None
        assert oracle.hopeless(1 - end.winner)
    if end.end == "round limit":
        assert end.rounds == rules["round_limit"]
    if end.end in ("round limit", "both pinned") and end.points[0] != end.points[1]:
        assert end.winner == int(end.points[1] > end.points[0])
    assert (end.winner is None) == (end.end == "round limit" and end.points[0] == end.points[1])
    check_attacks(oracle, end)


def check_attacks(oracle: Oracle, end: Outcome) -> None:
    results = Counter((a.target_seat, a.target, a.result) for a in end.attacks)
    for seat, side in enumerate(oracle.sides):
        for unit in UNITS:
            assert side.removed[unit] == results[seat, unit, "card"]
            for result in ("card", "counter"):
                assert oracle.counts["casualty", seat, unit, result] == results[seat, unit, result]
            assert oracle.counts["suppressed", seat, unit] == results[seat, unit, "suppressed"]
        hits = sum(oracle.counts["hit", k, seat] for k in range(len(oracle.tiles)))
        fallen = sum(oracle.counts["fallen", k, seat] for k in range(len(oracle.tiles)))
        assert [hits, fallen] == [end.casualties[seat], end.removed[seat]]
        recons = sum(
            n for key, n in oracle.counts.items() if key[0::3] == ("play", "recon") and key[1] == seat
        )
        assert side.removed[FOG] == recons
    for attack in end.attacks:
        assert attack.hit == (attack.result != "missed")
        assert attack.action != "blast" or attack.dice == oracle.cards[attack.unit].actions["blast"]
        assert attack.target_seat != attack.seat or attack.action == "blast"


@st.composite
def rule_changes(draw: st.DrawFn) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "first_initiative": draw(st.sampled_from(["scenario", "US", "DE", "both"])),
        "pin_ends_game": draw(st.sampled_from(["always", "goal"])),
        "round_limit": draw(st.integers(1, 40)),
        "hand_size": draw(st.integers(1, 7)),
        "die_faces": draw(st.integers(2, 20)),
        "zero_hits": draw(st.booleans()),
        "hill_cover_from_hill": draw(st.integers(0, 3)),
        "target_distance": draw(st.integers(0, 4)),
        "target_outlives_mortar": draw(st.booleans()),
        "cards": card_rows(),
    }
    for row in changes["cards"].values():
        row["initiative"] = draw(st.integers(1, 20))
        for action in row.get("actions", {}):
            if draw(st.integers(0, 3)) == 0:
                most = 1 if action in ("target", "control", "recon", "conceal") else 3
                row["actions"][action] = draw(st.integers(0, most))
    return changes


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    number=st.integers(1, 12),
    changes=rule_changes(),
    chooser=st.sampled_from(CHOOSERS),
    seed=st.integers(0, 2**32),
)
def test_every_game_ends_and_keeps_its_books(
    number: int, changes: dict[str, Any], chooser: Any, seed: int
) -> None:
    rng = random.Random(seed)
    rules = default_rules(number, **changes)
    oracle = Oracle(rules, 2, random_luck(rng, rules), chooser(rng))
    steps = Counter(oracle.steps())
    assert steps["bids"] == oracle.round + 1
    assert 2 * oracle.round < steps["turn"] + 1 <= 2 * (oracle.round + 1) + 1
    check(oracle, oracle.outcome())


@pytest.mark.parametrize("number", range(1, 13))
def test_every_scenario_can_be_played(number: int) -> None:
    for seed, chooser in enumerate(CHOOSERS):
        rng = random.Random(seed + 10 * number)
        rules = default_rules(number)
        oracle = Oracle(rules, 2, random_luck(rng, rules), chooser(rng))
        check(oracle, oracle.play())


# --- the same game ---------------------------------------------------------------------------------------


def swapped(scenario: dict[str, Any]) -> dict[str, Any]:
    """A scenario with the sides changed over."""
    other = copy.deepcopy(scenario)
    us, de = SIDES
    for pairs in (
        other["goal"],
        other["decks"],
        *(t[k] for t in other["tiles"] for k in ("markers", "spawn", "counters")),
    ):
        pairs[us], pairs[de] = pairs[de], pairs[us]
    other["initiative"] = de if scenario["initiative"] == us else us
    return other


def of_each_seat(choosers: list[Choose], mirror: bool = False) -> Choose:
    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        return choosers[1 - seat if mirror else seat](kind, seat, legal, oracle)

    return choose


@pytest.mark.parametrize("number", [n for n in range(1, 13) if n != 10])
def test_no_seat_is_special_but_for_the_radio(number: int) -> None:
    """A scenario with the sides changed over is the same game with the seats changed over."""
    scenario = default_rules(number)["scenario"]
    for seed, chooser in enumerate(CHOOSERS):
        ends = []
        for mirror in (False, True):
            rngs = [random.Random(1000 * seed + seat) for seat in (0, 1)]
            dice = random.Random(seed)
            bits = [[random.Random(seat).getrandbits(32) for _ in range(600)] for seat in (0, 1)]
            luck = Luck(0, bits[::-1] if mirror else bits, (dice.randrange(10) for _ in range(9999)))
            rules = rules_of(swapped(scenario) if mirror else scenario, round_limit=30, pin_ends_game="goal")
            choose = of_each_seat([chooser(rng) for rng in rngs], mirror)
            ends.append(Oracle(rules, 2, luck, choose, checked=False).play())
        one, other = ends
        assert other.winner == (None if one.winner is None else 1 - one.winner)
        assert (other.end, other.rounds, other.points) == (one.end, one.rounds, one.points[::-1])
        assert [
            a._replace(seat=1 - a.seat, target_seat=1 - a.target_seat) for a in other.attacks
        ] == one.attacks


def test_the_same_luck_and_answers_give_the_same_game() -> None:
    rules = default_rules(7)
    ends = [play_random(rules, 2, 5, checked) for checked in (False, True, True)]
    assert ends[0] == ends[1] == ends[2]
    assert play_random(rules, 2, 6) != ends[0]


def test_a_game_from_plain_numbers() -> None:
    """`play` takes lists as well, and asks for no more of them than it needs."""
    board = scenario_of(Force(deck="FOW", goal=1), Force(deck="RB", goal=1), points={6: 1})
    luck = Luck(0, [[LAST_CARD] * 3, [0] * 3], [])
    end = play(rules_of(board, round_limit=3), 2, luck, lambda kind, seat, legal, oracle: PASS)
    assert end == Outcome(None, "round limit", 3, 0, [0, 0], [0, 0], [0, 0], [])


# --- the choosers ----------------------------------------------------------------------------------------


def test_ruling_12_random_play_is_uniform_over_card_and_action_and_then_over_targets() -> None:
    us = Force(
        hand="RA PS SN", counters={"RA": 5, "SN": 5, "SA": 4}, suppressed="SA", scouted=[0, 1, 4, 5, 6]
    )
    de = Force(counters={"RA": 3, "SB": 3, "MO": 3})
    choose = random_action(random.Random(3))
    oracle = position(us=us, de=de)
    seen = Counter(choose("play", 0, [PASS, *oracle.legal_plays()], oracle) for _ in range(3000))
    acting = {
        ("RA", "move"),
        ("RA", "attack"),
        ("RA", "control"),
        ("PS", "bolster"),
        ("SN", "stalk"),
        ("SN", "attack"),
    }
    assert seen.keys() == acting  # neither stopping nor Hunker Down
    assert all(abs(n - 500) < 100 for n in seen.values())  # not more for an action with more targets
    targets = Counter(choose("attack", 0, ["RA", "RC", "SB", "MO"], oracle) for _ in range(2000))
    assert len(targets) == 4
    assert all(abs(n - 500) < 100 for n in targets.values())


def test_ruling_12_hunker_down_only_if_nothing_else_can_be_done() -> None:
    choose = random_action(random.Random(3))
    oracle = position(us=Force(hand="PG SLA"), de=Force())
    legal = [PASS, ("SLA", "hunker"), ("PG", "hunker")]
    assert {choose("play", 0, legal, oracle) for _ in range(50)} == set(legal[1:])
    assert {choose("play", 0, [*legal, ("RA", "rally")], oracle) for _ in range(50)} == {("RA", "rally")}


def test_the_plain_player_beats_random_play() -> None:
    rules = default_rules(12)
    wins = 0
    for seed in range(12):
        rng = random.Random(seed)
        seats = [plain_choice(rng), random_action(rng)]
        plain = seed % 2
        choose = of_each_seat(seats, mirror=bool(plain))
        end = Oracle(rules, 2, random_luck(rng, rules), choose, checked=False).play()
        wins += end.winner == plain
    assert wins >= 11


@pytest.mark.parametrize("number", [1, 5, 10])
def test_the_plain_player_plays_real_games(number: int) -> None:
    rules = default_rules(number)
    ends = [play_plain(rules, 2, seed) for seed in range(6)]
    assert all(end.rounds < 60 for end in ends)
    assert {a.action for end in ends for a in end.attacks} >= {"attack"}
    assert any(a.target in RIFLEMEN and a.hit for end in ends for a in end.attacks)
