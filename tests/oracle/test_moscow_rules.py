"""Every rule (M1 to M30) and ruling (R1 to R13) of Moscow, tested on the scalar oracle.

Most tests start from a hand-made position, answer every decision from a script and look at what changed. A
script names the kind of each decision, so an extra question, or a missing one, fails the test too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.oracle.choosers import busy_choice, random_choice, random_luck
from tests.oracle.moscow import IllegalChoice, Luck, Oracle, card_types
from tests.oracle.moscow_defaults import MONTHS, default_rules

NOTHING = ("act", ("nothing",))
FIGHT, ATTACK = ("act", ("fight",)), ("act", ("attack",))


class Script:
    """Answers in order, each with the kind of decision it is for; cards of a set are given by name."""

    def __init__(self, *answers: tuple[str, Any]) -> None:
        self.left = list(answers)
        self.asked: list[tuple[str, int, Any]] = []

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        self.asked.append((kind, seat, legal))
        assert self.left, f"asked {kind} {legal}, but the script is at its end"
        expected, answer = self.left.pop(0)
        assert kind == expected
        if isinstance(answer, dict):
            return {oracle.type_id(name): n for name, n in answer.items()}
        return answer

    def legal(self, kind: str, n: int = 0) -> Any:
        """What was legal when a kind of decision was asked for the n-th time."""
        return [legal for k, _, legal in self.asked if k == kind][n]


def position(*answers: tuple[str, Any], rules: Mapping[str, Any] | None = None, **given: Any) -> Oracle:
    """A position with a script; by default two empty hands, a deck of rivers, and dice that show 1."""
    players = given.pop("players", 2)
    given.setdefault("hands", [{} for _ in range(players)])
    given.setdefault("deck", ["great river"] * 12)
    given.setdefault("dice", [[1, 1]] * 40)
    return Oracle.at_position(rules or default_rules(), players, Script(*answers), **given)


def turns(oracle: Oracle, n: int = 1) -> dict[str, Any]:
    """Play n turns and give the last snapshot; the script must be used up."""
    steps = oracle.steps()
    snapshots = [next(steps) for _ in range(n)]
    assert not oracle.choose.left, "answers left over"
    return snapshots[-1]


def hand(oracle: Oracle, seat: int) -> dict[str, int]:
    return named(oracle, oracle.hands[seat])


def named(oracle: Oracle, pile: list[int]) -> dict[str, int]:
    return {oracle.types[k].name: n for k, n in enumerate(pile) if n}


def fight(oracle: Oracle) -> dict[str, Any]:
    (record,) = oracle.records("fight")
    return record


def sequence_luck(rules: Mapping[str, Any], front: list[str], second: list[int] | None = None) -> Luck:
    """The default deck with some cards on top, in order, and the rest by type id."""
    types = card_types(rules["cards"])
    ids = {t.name: k for k, t in enumerate(types)}
    left = Counter({k: t.count for k, t in enumerate(types)})
    top = [ids[name] for name in front]
    left.subtract(top)
    first = top + sorted(left.elements())
    keys = list(range(len(first))) if second is None else second
    return Luck(first, keys, [[1, 1] for _ in first])


# --- the deck -------------------------------------------------------------------------------------


def test_the_default_deck_has_142_cards_in_the_fixed_order_of_types() -> None:
    types = card_types(default_rules()["cards"])
    assert sum(t.count for t in types) == 142
    assert [t.name for t in types] == [
        "advance 50",
        "advance 100",
        "advance 150",
        "advance 200",
        "army 4/50",
        "army 6/50",
        "army 8/100",
        "army 10/100",
        "army 12/150",
        "red general",
        "great river",
        "order -200 km",
        "order -1 division",
        "order -2 divisions",
        "order -general",
        "division 2",
        "division 3",
        "division 4",
        "division 5",
        "luftwaffe 2",
        "luftwaffe 3",
        "german general 3",
        "german general 4",
        "reorganise",
        "time",
        "out of supply",
    ]


def test_types_are_sorted_within_their_kind_whatever_the_order_of_the_config() -> None:
    rules = default_rules()
    for kind in ("advance", "red_army", "division"):
        rules["cards"][kind].reverse()
    assert card_types(rules["cards"]) == card_types(default_rules()["cards"])


# --- setup ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 6, 7])
def test_m1_each_player_is_dealt_the_opening_hand_card_by_card(size: int) -> None:
    rules = default_rules(opening_hand=size)
    front = ["division 2", "division 3", "division 4"] * size
    oracle = Oracle(rules, 3, sequence_luck(rules, front), Script())
    assert [hand(oracle, s) for s in range(3)] == [{n: size} for n in front[:3]]
    assert len(oracle.deck) == 142 - 3 * size


def test_m2_time_and_supply_go_back_and_the_deck_is_shuffled_again() -> None:
    rules = default_rules(opening_hand=2)
    front = ["time", "division 2", "advance 50", "out of supply"]
    luck = sequence_luck(rules, front, second=list(range(142, 0, -1)))
    oracle = Oracle(rules, 2, luck, Script())
    assert hand(oracle, 0) == {"advance 50": 1}  # fewer cards, no replacement
    assert hand(oracle, 1) == {"division 2": 1}
    assert len(oracle.deck) == 140
    by_key = [card for place, card in enumerate(luck.first) if place not in (1, 2)][::-1]
    assert oracle.deck == by_key
    assert oracle.deck[-1] == oracle.type_id("time")  # the card that was dealt is in the deck again
    assert oracle.types[oracle.deck[-2]].name == "out of supply"


def test_m2_equal_keys_of_the_second_shuffle_fall_by_type() -> None:
    rules = default_rules(opening_hand=0)
    luck = sequence_luck(rules, ["time", "division 2", "advance 50"], second=[7] * 142)
    deck = Oracle(rules, 2, luck, Script()).deck
    assert deck == sorted(deck)


def test_m3_the_calendar_starts_at_june() -> None:
    oracle = Oracle(default_rules(), 2, sequence_luck(default_rules(), []), Script())
    assert oracle.month == 0
    assert oracle.month_names[0] == "june"


def test_m4_and_m18_seat_0_begins_and_play_goes_round() -> None:
    oracle = position(*[NOTHING] * 7, players=3)
    steps = oracle.steps()
    seen = [(s["turn"], s["seat"]) for s in (next(steps) for _ in range(7))]
    assert seen == [(0, 0), (1, 1), (2, 2), (3, 0), (4, 1), (5, 2), (6, 0)]


# --- the draw -------------------------------------------------------------------------------------


def test_m5_a_turn_begins_with_the_top_card() -> None:
    oracle = position(NOTHING, NOTHING, deck=["division 2", "advance 50", "division 5"])
    snapshot = turns(oracle, 2)
    assert hand(oracle, 0) == {"division 2": 1}
    assert hand(oracle, 1) == {"advance 50": 1}
    assert snapshot["deck_left"] == 1


def test_m5_the_card_drawn_may_be_played_at_once() -> None:
    oracle = position(("act", ("advance", 0)), deck=["advance 50", "time"])
    assert turns(oracle)["km"] == [50, 0]


def test_m6_time_moves_the_month_leaves_the_game_and_the_turn_goes_on() -> None:
    oracle = position(("act", ("advance", 0)), hands=[{"advance 50": 1}, {}], deck=["time", "division 2"])
    snapshot = turns(oracle)
    assert snapshot["month"] == 1
    assert snapshot["km"] == [50, 0]  # the turn went on
    assert snapshot["deck_left"] == 1  # no other card
    assert hand(oracle, 0) == {}
    assert named(oracle, snapshot["removed"]) == {"time": 1}
    assert named(oracle, snapshot["discards"]) == {"advance 50": 1}


def test_m6_december_stays() -> None:
    oracle = position(NOTHING, NOTHING, month="november", deck=["time", "time", "time"])
    assert turns(oracle, 2)["month"] == 6
    assert named(oracle, oracle.removed) == {"time": 2}


def test_m7_out_of_supply_ends_the_turn_at_once() -> None:
    oracle = position(hands=[{"division 2": 2}, {}], deck=["out of supply", "time"])
    snapshot = turns(oracle)  # an empty script: nothing is asked
    assert named(oracle, snapshot["removed"]) == {"out of supply": 1}
    assert hand(oracle, 0) == {"division 2": 2}
    assert oracle.records("turn")[0]["lost"]


def test_m7_lose_division_discards_the_weakest_and_the_turn_goes_on() -> None:
    rules = default_rules(out_of_supply="lose_division")
    hands = [{"division 3": 1, "division 2": 1, "luftwaffe 2": 1, "advance 50": 1}, {}]
    oracle = position(("act", ("advance", 0)), rules=rules, hands=hands, deck=["out of supply", "time"])
    snapshot = turns(oracle)
    assert named(oracle, snapshot["discards"]) == {"division 2": 1, "advance 50": 1}
    assert named(oracle, snapshot["removed"]) == {"out of supply": 1}


def test_m8_one_action_a_turn() -> None:
    oracle = position(("act", ("advance", 0)), hands=[{"advance 50": 2}, {}])
    assert turns(oracle)["km"] == [50, 0]


# --- actions --------------------------------------------------------------------------------------

EVERYTHING = {
    "advance 50": 1,
    "army 4/50": 1,
    "army 6/50": 1,
    "red general": 1,
    "great river": 1,
    "order -200 km": 1,
    "order -general": 1,
    "division 2": 1,
}


def legal_for(**given: Any) -> list[tuple[Any, ...]]:
    """What seat 0 may do in a position, before any card is drawn."""
    return position(**given).legal_actions(0)


def test_m8_the_whole_list_in_its_fixed_order_targets_clockwise() -> None:
    legal = legal_for(players=3, hands=[EVERYTHING, {}, {}], army=[None, None, "army 8/100"])
    assert legal == [
        ("nothing",),
        ("advance", 0),
        ("army", 0, 1),
        ("army", 1, 1),
        ("general", 2),
        ("river", 2),
        ("moscow_army", 0),
        ("moscow_army", 1),
        ("order", 0, 1),
        ("order", 0, 2),
        ("order", 3, 1),
        ("order", 3, 2),
    ]
    middle = position(players=3, hands=[{}, EVERYTHING, {}]).legal_actions(1)
    assert [a for a in middle if a[:2] == ("order", 0)] == [("order", 0, 2), ("order", 0, 0)]


def test_m9_an_advance_card_adds_its_km_and_is_discarded() -> None:
    oracle = position(("act", ("advance", 2)), hands=[{"advance 150": 1, "advance 50": 1}, {}], km=[100, 0])
    snapshot = turns(oracle)
    assert snapshot["km"] == [250, 0]
    assert named(oracle, snapshot["discards"]) == {"advance 150": 1}


def test_m9_no_advance_behind_a_red_army() -> None:
    hands = [{"advance 50": 1, "division 2": 1}, {}]
    assert ("advance", 0) in legal_for(hands=hands)
    assert ("advance", 0) in legal_for(hands=hands, army=[None, "army 4/50"])
    assert legal_for(hands=hands, army=["army 4/50", None]) == [("nothing",), ("fight",)]


def test_m10_one_army_and_one_general_a_player_and_on_moscow() -> None:
    hands = [{"army 4/50": 1, "red general": 1}, {}, {}]
    legal = legal_for(
        players=3,
        hands=hands,
        army=[None, "army 6/50", "army 6/50"],
        general=[False, True, False],
        moscow_army="army 8/100",
    )
    assert legal == [("nothing",), ("general", 2), ("moscow_general",)]
    assert ("moscow_general",) not in legal_for(
        hands=hands[:2], moscow_army="army 8/100", moscow_general=True
    )


def test_m11_an_army_goes_before_another_player_only() -> None:
    assert [a for a in legal_for(players=3, hands=[{"army 4/50": 2}, {}, {}]) if a[0] == "army"] == [
        ("army", 0, 1),
        ("army", 0, 2),
    ]
    oracle = position(("act", ("army", 0, 1)), hands=[{"army 4/50": 2}, {}])
    snapshot = turns(oracle)
    assert snapshot["army"] == [-1, 0]
    assert hand(oracle, 0) == {"army 4/50": 1, "great river": 1}
    assert sum(snapshot["discards"]) == 0


def test_m11_army_on_self_is_an_option_for_armies_only_and_stands_last() -> None:
    rules = default_rules(army_on_self=True)
    cards = {"army 4/50": 1, "red general": 1, "great river": 1}
    legal = legal_for(rules=rules, players=3, hands=[cards, {}, {}])
    assert [a for a in legal if a[0] == "army"] == [("army", 0, 1), ("army", 0, 2), ("army", 0, 0)]
    blocked = legal_for(rules=rules, hands=[cards, {}], army=["army 6/50", None])
    assert [a for a in blocked if a[0] in ("general", "river")] == []
    oracle = position(("act", ("army", 0, 0)), rules=rules, hands=[cards, {}])
    assert turns(oracle)["army"] == [0, -1]


def test_m11_general_and_river_need_an_army_there() -> None:
    hands = [{"red general": 1, "great river": 1}, {}, {}]
    assert legal_for(players=3, hands=hands) == [("nothing",)]
    legal = legal_for(players=3, hands=hands, army=[None, "army 4/50", None])
    assert legal == [("nothing",), ("general", 1), ("river", 1)]
    for act, field in ((("general", 1), "general"), (("river", 1), "river")):
        oracle = position(("act", act), players=3, hands=hands, army=[None, "army 4/50", None])
        assert turns(oracle)[field] == [False, True, False]


def test_m11_at_most_one_river() -> None:
    legal = legal_for(hands=[{"great river": 1}, {}], army=[None, "army 4/50"], river=[False, True])
    assert legal == [("nothing",)]


def test_m12_moscow_takes_one_army_then_a_general_and_no_river() -> None:
    hands = [{"army 8/100": 1, "red general": 1, "great river": 1}, {}]
    assert legal_for(hands=hands) == [("nothing",), ("army", 2, 1), ("moscow_army", 2)]
    legal = legal_for(hands=hands, moscow_army="army 4/50")
    assert legal == [("nothing",), ("army", 2, 1), ("moscow_general",)]
    answers = [("act", ("moscow_army", 2)), NOTHING, ("act", ("moscow_general",))]
    oracle = position(*answers, hands=hands, deck=["division 2"] * 9)
    snapshot = turns(oracle, 3)
    assert (snapshot["moscow_army"], snapshot["moscow_general"]) == (2, True)


def test_m13_a_fight_needs_an_army_before_oneself() -> None:
    hands = [{"division 2": 1}, {}]
    assert ("fight",) not in legal_for(hands=hands, army=[None, "army 4/50"])
    assert ("fight",) in legal_for(hands=hands, army=["army 4/50", None])


def test_m14_moscow_is_attacked_after_arrival_with_a_clear_front() -> None:
    hands = [{"division 2": 1}, {}]
    assert ("attack",) not in legal_for(hands=hands, km=[999, 1000])
    assert ("attack",) in legal_for(hands=hands, km=[1000, 0])
    blocked = legal_for(hands=hands, km=[1000, 0], army=["army 4/50", None])
    assert blocked == [("nothing",), ("fight",)]


def test_m15_orders_hit_any_other_player_and_are_discarded() -> None:
    oracle = position(("act", ("order", 0, 2)), players=3, hands=[{"order -200 km": 1}, {}, {}], km=[300] * 3)
    snapshot = turns(oracle)
    assert snapshot["km"] == [300, 300, 100]
    assert named(oracle, snapshot["discards"]) == {"order -200 km": 1}


def test_m16_nothing_is_always_allowed_and_changes_nothing() -> None:
    oracle = position(NOTHING, hands=[EVERYTHING, {}], deck=["time", "time"], rules=default_rules())
    snapshot = turns(oracle)
    assert hand(oracle, 0) == EVERYTHING
    assert (snapshot["km"], sum(snapshot["discards"])) == ([0, 0], 0)


def test_an_illegal_action_is_refused() -> None:
    oracle = position(("act", ("advance", 1)), hands=[{"advance 50": 1}, {}])
    with pytest.raises(IllegalChoice):
        next(oracle.steps())


# --- the hand limit -------------------------------------------------------------------------------


@pytest.mark.parametrize(("month", "limit"), [(name, limit) for name, _, _, limit in MONTHS])
def test_m17_discard_down_to_the_limit_of_the_month(month: str, limit: int) -> None:
    full = position(NOTHING, hands=[{"division 2": limit - 1}, {}], month=month)
    turns(full)  # exactly at the limit: nothing is asked
    script = [NOTHING, ("discard", {"division 2": 1, "great river": 1})]
    over = position(*script, hands=[{"division 2": limit + 1}, {}], month=month)
    snapshot = turns(over)
    assert sum(over.hands[0]) == limit
    assert over.choose.legal("discard")[1] == 2
    assert named(over, snapshot["discards"]) == {"division 2": 1, "great river": 1}


def test_m17_comes_after_the_action() -> None:
    oracle = position(("act", ("advance", 0)), hands=[{"division 2": 7, "advance 50": 1}, {}])
    turns(oracle)
    assert sum(oracle.hands[0]) == 8


@pytest.mark.parametrize(
    "cards", [{"division 2": 1}, {"division 2": 3}, {"advance 50": 2}, {"division 2": 3, "great river": -1}]
)
def test_m17_exactly_the_excess_out_of_the_hand(cards: dict[str, int]) -> None:
    oracle = position(NOTHING, ("discard", cards), hands=[{"division 2": 9}, {}])
    with pytest.raises(IllegalChoice):
        next(oracle.steps())


# --- distance -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "goal"), [(2, 1000), (3, 1000), (4, 1000), (5, 800), (6, 800)])
def test_m19_arrival_at_1000_km_or_at_800_with_five_players(players: int, goal: int) -> None:
    hands = [{"advance 50": 1, "division 2": 1}] + [{}] * (players - 1)
    short = position(
        ("act", ("advance", 0)), players=players, hands=hands, km=[goal - 51] + [0] * (players - 1)
    )
    assert turns(short)["arrived_turn"][0] == 0
    assert ("attack",) not in short.legal_actions(0)
    there = position(
        ("act", ("advance", 0)), players=players, hands=hands, km=[goal - 50] + [0] * (players - 1)
    )
    assert turns(there)["arrived_turn"][0] == 1
    assert ("attack",) in there.legal_actions(0)


def test_m19_going_past_is_allowed_and_an_order_can_push_back() -> None:
    answers = [("act", ("advance", 3)), ("act", ("order", 0, 0)), ("act", ("advance", 0))]
    hands = [{"advance 200": 1, "advance 50": 1, "division 2": 1}, {"order -200 km": 1}]
    oracle = position(*answers, hands=hands, km=[990, 0])
    steps = oracle.steps()
    assert next(steps)["km"] == [1190, 0]
    assert next(steps)["km"] == [990, 0]
    assert next(steps)["km"] == [1040, 0]
    assert ("attack",) not in oracle.choose.legal("act", 2)
    assert oracle.arrived_turn == [1, 0]  # of two arrivals the first is remembered


# --- combat ---------------------------------------------------------------------------------------

ARMY_BEFORE_ME = ["army 8/100", None]


@pytest.mark.parametrize(
    "cards",
    [
        {},
        {"luftwaffe 2": 2},
        {"german general 3": 1},
        {"division 2": 1, "german general 3": 2},
        {"division 2": 1, "german general 3": 1, "german general 4": 1},
        {"division 2": 2},
        {"division 2": 1, "advance 50": 1},
    ],
)
def test_m20_card_sets_that_are_refused(cards: dict[str, int]) -> None:
    held = {"division 2": 1, "luftwaffe 2": 2, "german general 3": 2, "german general 4": 1, "advance 50": 1}
    oracle = position(FIGHT, ("commit", cards), hands=[held, {}], army=ARMY_BEFORE_ME)
    with pytest.raises(IllegalChoice):
        next(oracle.steps())


def test_m20_any_number_of_aircraft_and_divisions_and_one_general() -> None:
    held = {"division 2": 2, "luftwaffe 2": 2, "luftwaffe 3": 1, "german general 4": 1}
    oracle = position(FIGHT, ("commit", held), hands=[held, {}], army=ARMY_BEFORE_ME)
    turns(oracle)
    assert fight(oracle)["attack"] == 4 + 4 + 3 + 4 + 2 + 1
    usable = oracle.choose.legal("commit")
    assert usable == {oracle.type_id(name): n for name, n in held.items()}  # and no other cards


@pytest.mark.parametrize(("month", "modifier"), [(name, attack) for name, _, attack, _ in MONTHS])
def test_m21_attack_is_cards_plus_month_plus_die(month: str, modifier: int) -> None:
    hands = [{"division 3": 1, "luftwaffe 2": 1}, {}]
    answers = [FIGHT, ("commit", {"division 3": 1, "luftwaffe 2": 1})]
    oracle = position(*answers, hands=hands, army=ARMY_BEFORE_ME, month=month, dice=[[4, 6]] * 40)
    turns(oracle)
    record = fight(oracle)
    assert (record["attack"], record["modifier"], record["die"]) == (5 + modifier + 4, modifier, 4)
    assert record["total"] == 8
    assert record["faces"] == min(6, max(0, 6 - (8 - 5 - modifier) + 1))


@pytest.mark.parametrize(
    ("boosts", "general", "river", "month", "total"),
    [
        ("multiply", False, False, "june", 8),
        ("multiply", True, False, "june", 16),
        ("multiply", False, True, "june", 16),
        ("multiply", True, True, "september", 32),
        ("multiply", True, True, "october", 16),
        ("multiply", False, True, "december", 8),
        ("add", True, False, "june", 16),
        ("add", False, True, "june", 16),
        ("add", True, True, "september", 24),
        ("add", True, True, "october", 16),
    ],
)
def test_m21_red_total_with_general_and_river(
    boosts: str, general: bool, river: bool, month: str, total: int
) -> None:
    oracle = position(
        rules=default_rules(boosts=boosts),
        army=ARMY_BEFORE_ME,
        general=[general, False],
        river=[river, False],
        month=month,
    )
    assert oracle.red_total(0, "front") == total


@pytest.mark.parametrize(
    ("army", "general", "total"), [(None, False, 15), ("army 8/100", False, 23), ("army 8/100", True, 31)]
)
def test_m21_a_general_on_moscow_doubles_the_army_only(army: str | None, general: bool, total: int) -> None:
    for boosts in ("multiply", "add"):
        oracle = position(rules=default_rules(boosts=boosts), moscow_army=army, moscow_general=general)
        assert oracle.red_total(0, "moscow") == total
    assert position(rules=default_rules(moscow_strength=12)).red_total(0, "moscow") == 12


@pytest.mark.parametrize(("die", "won"), [(3, False), (4, True), (5, True)])
def test_m22_attack_equal_to_the_red_total_wins(die: int, won: bool) -> None:
    hands = [{"division 2": 1}, {}]
    answers = [FIGHT, ("commit", {"division 2": 1})]
    oracle = position(*answers, hands=hands, army=ARMY_BEFORE_ME, dice=[[die, 1]] * 40)
    snapshot = turns(oracle)
    assert fight(oracle)["won"] == won
    assert fight(oracle)["faces"] == 3
    assert snapshot["km"] == [100 if won else 0, 0]
    assert snapshot["army"] == [-1 if won else 2, -1]


def test_m22_a_beaten_army_gives_its_km_and_takes_general_and_river_along() -> None:
    cards = {"division 5": 6}
    oracle = position(
        FIGHT,
        ("commit", cards),
        hands=[cards, {}],
        army=["army 12/150", "army 4/50"],
        general=[True, True],
        river=[False, True],
        km=[900, 0],
        turn=4,
    )
    snapshot = turns(oracle)
    assert fight(oracle)["total"] == 24
    assert snapshot["km"] == [1050, 0]
    assert (snapshot["army"], snapshot["general"], snapshot["river"]) == (
        [-1, 0],
        [False, True],
        [False, True],
    )
    assert named(oracle, snapshot["discards"]) == {"army 12/150": 1, "red general": 1, "division 5": 6}
    assert snapshot["arrived_turn"] == [5, 0]


def test_m22_the_river_of_a_beaten_army_is_discarded_too() -> None:
    cards = {"division 5": 6}
    given = {"hands": [cards, {}], "army": ARMY_BEFORE_ME, "river": [True, False], "month": "october"}
    oracle = position(FIGHT, ("commit", cards), **given)
    snapshot = turns(oracle)
    assert snapshot["river"] == [False, False]
    assert named(oracle, snapshot["discards"]) == {"army 8/100": 1, "great river": 1, "division 5": 6}


@pytest.mark.parametrize(("die", "asked"), [(3, False), (4, True)])
def test_m22_twice_the_total_lets_the_victor_play_one_advance(die: int, asked: bool) -> None:
    hands = [{"division 5": 2, "advance 50": 1, "advance 200": 2}, {}]
    answers = [FIGHT, ("commit", {"division 5": 2})] + [("exploit", 3)] * asked
    oracle = position(*answers, hands=hands, army=ARMY_BEFORE_ME, dice=[[die, 1]] * 40)
    snapshot = turns(oracle)
    assert snapshot["km"] == [100 + 200 * asked, 0]
    assert fight(oracle)["doubled"] == asked
    if asked:
        assert oracle.choose.legal("exploit") == [None, 0, 3]
        assert hand(oracle, 0) == {"advance 50": 1, "advance 200": 1, "great river": 1}


def test_m22_the_extra_advance_is_a_free_choice_and_needs_a_card() -> None:
    army = ["army 4/50", None]
    fifty = {"division 5": 1, "advance 50": 1}
    oracle = position(FIGHT, ("commit", {"division 5": 1}), ("exploit", None), hands=[fifty, {}], army=army)
    assert turns(oracle)["km"] == [50, 0]
    bare = position(FIGHT, ("commit", {"division 5": 1}), hands=[{"division 5": 1}, {}], army=army)
    assert turns(bare)["km"] == [50, 0]
    wrong = position(FIGHT, ("commit", {"division 5": 1}), ("exploit", 1), hands=[fifty, {}], army=army)
    with pytest.raises(IllegalChoice):
        next(wrong.steps())


@pytest.mark.parametrize("die", [1, 6])
def test_m23_the_cards_used_are_discarded_win_or_lose(die: int) -> None:
    used = {"division 2": 1, "luftwaffe 2": 1}
    hands = [{"division 2": 2, "luftwaffe 2": 1}, {}]
    answers = [FIGHT, ("commit", used)]
    oracle = position(*answers, hands=hands, army=["army 10/100", None], km=[300, 0], dice=[[die, 1]] * 40)
    snapshot = turns(oracle)
    assert fight(oracle)["won"] == (die == 6)
    assert hand(oracle, 0) == {"division 2": 1, "great river": 1}
    beaten = {"army 10/100": 1} if die == 6 else {}
    assert named(oracle, snapshot["discards"]) == {**used, **beaten}
    assert snapshot["km"] == [400 if die == 6 else 300, 0]  # a lost fight costs nothing else


@pytest.mark.parametrize("die", [1, 6])
def test_m24_reorganise_brings_back_the_strongest_division_used(die: int) -> None:
    used = {"division 2": 1, "division 3": 2, "luftwaffe 3": 1, "german general 4": 1}
    hands = [{**used, "division 5": 1, "reorganise": 2}, {}]
    answers = [FIGHT, ("commit", used), ("reorganise", True)]
    given = {"hands": hands, "army": ["army 10/100", None], "general": [True, False]}
    oracle = position(*answers, dice=[[die, 1]] * 40, **given)
    snapshot = turns(oracle)
    assert fight(oracle)["won"] == (die == 6)
    assert hand(oracle, 0) == {"division 3": 1, "division 5": 1, "reorganise": 1, "great river": 1}
    discards = named(oracle, snapshot["discards"])
    assert (discards["division 3"], discards["reorganise"]) == (1, 1)


def test_m24_reorganise_may_be_refused_and_is_asked_only_when_held() -> None:
    hands = [{"division 2": 1, "reorganise": 1}, {}]
    answers = [FIGHT, ("commit", {"division 2": 1}), ("reorganise", False)]
    oracle = position(*answers, hands=hands, army=ARMY_BEFORE_ME)
    turns(oracle)
    assert hand(oracle, 0) == {"reorganise": 1, "great river": 1}
    bare = position(*answers[:2], hands=[{"division 2": 1}, {}], army=ARMY_BEFORE_ME)
    turns(bare)


def test_m25_taking_moscow_wins_at_once() -> None:
    cards = {"division 5": 2}
    hands = [{"division 5": 2, "division 2": 9, "advance 50": 1, "reorganise": 1}, {}]
    oracle = position(ATTACK, ("commit", cards), hands=hands, km=[1000, 0], dice=[[3, 1]] * 40)
    snapshot = turns(oracle)  # no reorganise, no exploit, no hand limit
    assert (snapshot["winner"], snapshot["over"]) == (0, True)
    assert oracle.outcome() == (0, "moscow fell", 1, 0)
    assert fight(oracle)["target"] == "moscow"
    assert list(oracle.steps()) == []
    assert named(oracle, snapshot["discards"]) == cards  # M23


def test_m25_a_failed_attack_on_moscow_changes_nothing_else() -> None:
    given = {"hands": [{"division 5": 2}, {}], "km": [1000, 0], "moscow_army": "army 4/50"}
    oracle = position(ATTACK, ("commit", {"division 5": 2}), dice=[[6, 1]] * 40, **given)
    snapshot = turns(oracle)
    assert (snapshot["winner"], snapshot["over"], snapshot["moscow_army"]) == (-1, False, 0)
    assert snapshot["km"] == [1000, 0]


# --- Hitler's orders ------------------------------------------------------------------------------


def test_m26_minus_200_km_never_below_zero() -> None:
    for before, after in ((450, 250), (200, 0), (150, 0)):
        oracle = position(("act", ("order", 0, 1)), hands=[{"order -200 km": 1}, {}], km=[0, before])
        assert turns(oracle)["km"] == [0, after]
    rules = default_rules()
    rules["cards"]["hitler_order"]["km"]["amount"] = 300
    oracle = position(("act", ("order", 0, 1)), rules=rules, hands=[{"order -300 km": 1}, {}], km=[0, 450])
    assert turns(oracle)["km"] == [0, 150]


@pytest.mark.parametrize(
    ("j", "card", "left"),
    [
        (1, "order -1 division", {"division 2": 1, "division 4": 1}),
        (2, "order -2 divisions", {"division 4": 1}),
    ],
)
def test_m27_the_target_discards_its_weakest_divisions(j: int, card: str, left: dict[str, int]) -> None:
    target = {"division 2": 2, "division 4": 1, "luftwaffe 2": 1, "german general 3": 1}
    oracle = position(("act", ("order", j, 1)), hands=[{card: 1, "division 2": 1}, target])
    snapshot = turns(oracle)
    assert hand(oracle, 1) == {**left, "luftwaffe 2": 1, "german general 3": 1}
    assert named(oracle, snapshot["discards"]) == {card: 1, "division 2": j}
    assert hand(oracle, 0)["division 2"] == 1
    assert snapshot["shown"] == [False, False]


def test_m28_minus_general_takes_one_german_general_the_weakest() -> None:
    target = {"german general 3": 1, "german general 4": 1, "division 2": 1, "red general": 1}
    oracle = position(("act", ("order", 3, 1)), hands=[{"order -general": 1}, target])
    snapshot = turns(oracle)
    assert hand(oracle, 1) == {"german general 4": 1, "division 2": 1, "red general": 1}
    assert named(oracle, snapshot["discards"]) == {"order -general": 1, "german general 3": 1}


def test_m28_an_order_may_be_wasted() -> None:
    hands = [{"order -general": 1, "order -1 division": 1}, {}]
    assert ("order", 3, 1) in legal_for(hands=hands)
    assert ("order", 1, 1) in legal_for(hands=hands)
    oracle = position(("act", ("order", 3, 1)), hands=hands)
    snapshot = turns(oracle)
    assert named(oracle, snapshot["discards"]) == {"order -general": 1}


# --- the end --------------------------------------------------------------------------------------


def test_m29_nobody_wins_when_the_deck_is_empty() -> None:
    oracle = position(NOTHING, NOTHING, NOTHING, deck=["division 2"] * 3)
    seen: list[tuple[bool, int]] = []
    assert oracle.play(lambda s: seen.append((s["over"], s["winner"]))) == (None, "deck ran out", 3, 0)
    assert seen == [(False, -1), (False, -1), (True, -1)]


def test_m29_the_last_card_lost_to_supply_ends_the_game_too() -> None:
    assert position(deck=["out of supply"]).play() == (None, "deck ran out", 1, 0)


# --- solo -----------------------------------------------------------------------------------------


def solo(*answers: tuple[str, Any], **given: Any) -> Oracle:
    return position(*answers, players=1, **given)


def test_m30_a_drawn_army_goes_before_the_player_then_on_moscow_then_away() -> None:
    deck = ["army 8/100", "army 4/50", "army 6/50", "time"]
    oracle = solo(NOTHING, NOTHING, NOTHING, deck=deck)
    steps = oracle.steps()
    assert next(steps)["army"] == [2]
    second = next(steps)
    assert (second["army"], second["moscow_army"]) == ([2], 0)
    third = next(steps)
    assert (third["army"], third["moscow_army"]) == ([2], 0)
    assert named(oracle, third["discards"]) == {"army 6/50": 1}
    assert hand(oracle, 0) == {}


def test_m30_general_and_river_go_on_the_army_before_the_player_else_away() -> None:
    deck = ["red general", "great river", "red general", "great river", "time"]
    placed = solo(*[NOTHING] * 4, deck=deck, army=["army 4/50"], moscow_army="army 4/50")
    snapshot = turns(placed, 4)
    assert (snapshot["general"], snapshot["river"]) == ([True], [True])
    assert not snapshot["moscow_general"]
    assert named(placed, snapshot["discards"]) == {"red general": 1, "great river": 1}
    bare = solo(*[NOTHING] * 2, deck=deck, moscow_army="army 4/50")
    snapshot = turns(bare, 2)
    assert not snapshot["moscow_general"]
    assert named(bare, snapshot["discards"]) == {"red general": 1, "great river": 1}


def test_m30_orders_drawn_are_obeyed_at_once() -> None:
    deck = ["order -200 km", "order -2 divisions", "order -general", "order -1 division", "time"]
    hands = [{"division 2": 1, "division 3": 2, "german general 3": 1}]
    oracle = solo(*[NOTHING] * 4, deck=deck, hands=hands, km=[700])
    snapshot = turns(oracle, 4)
    assert snapshot["km"] == [500]
    assert hand(oracle, 0) == {}
    assert sum(snapshot["discards"]) == 8


def test_m30_the_turn_goes_on_and_offers_german_actions_only() -> None:
    hands = [{"division 2": 1, "advance 50": 1}]
    oracle = solo(FIGHT, ("commit", {"division 2": 1}), hands=hands, deck=["army 4/50", "time"])
    snapshot = turns(oracle)
    assert oracle.choose.legal("act") == [("nothing",), ("fight",)]
    assert snapshot["km"] == [50]
    assert solo(hands=hands, km=[1000]).legal_actions(0) == [("nothing",), ("advance", 0), ("attack",)]


# --- rulings --------------------------------------------------------------------------------------


def test_r1_km_then_reorganise_then_the_extra_advance_then_the_hand_limit() -> None:
    seen: list[tuple[str, int, int]] = []

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        seen.append((kind, oracle.km[0], sum(oracle.hands[0])))
        return {
            "act": ("fight",),
            "commit": {oracle.type_id("division 5"): 1},
            "reorganise": True,
            "exploit": 0,
            "discard": {oracle.type_id("division 2"): 1},
        }[kind]

    oracle = Oracle.at_position(
        default_rules(),
        2,
        choose,
        hands=[{"division 5": 1, "reorganise": 1, "advance 50": 1, "division 2": 7}, {}],
        deck=["division 2", "time"],
        dice=[[1]],
        army=["army 4/50", None],
    )
    next(oracle.steps())
    # act with 11 cards; commit; km come before reorganise (10 left); the division is back before the rest
    first = [("act", 0, 11), ("commit", 0, 11)]
    assert seen == [*first, ("reorganise", 50, 10), ("exploit", 50, 10), ("discard", 100, 9)]


def test_r1_no_extra_advance_after_moscow_and_reorganise_after_a_lost_attack() -> None:
    hands = [{"division 5": 1, "reorganise": 1, "advance 50": 1}, {}]
    answers = [ATTACK, ("commit", {"division 5": 1}), ("reorganise", True)]
    oracle = position(*answers, hands=hands, km=[1000, 0])
    snapshot = turns(oracle)
    assert snapshot["winner"] == -1
    assert hand(oracle, 0) == {"division 5": 1, "advance 50": 1, "great river": 1}


def test_r1_reorganise_costs_no_action() -> None:
    rules = default_rules(actions_per_turn=2)
    hands = [{"division 2": 1, "reorganise": 1}, {}]
    commit = ("commit", {"division 2": 1})
    answers = [FIGHT, commit, ("reorganise", True), FIGHT, commit]
    oracle = position(*answers, rules=rules, hands=hands, army=ARMY_BEFORE_ME)
    turns(oracle)
    assert len(oracle.records("fight")) == 2


@pytest.mark.parametrize(
    ("j", "card", "target", "left", "shows"),
    [
        (1, "order -1 division", {"advance 50": 1}, {"advance 50": 1}, True),
        (1, "order -1 division", {"division 3": 1}, {}, False),
        (2, "order -2 divisions", {"division 3": 1}, {}, True),
        (2, "order -2 divisions", {"division 3": 2}, {}, False),
        (3, "order -general", {"division 3": 1}, {"division 3": 1}, True),
        (3, "order -general", {"german general 4": 1}, {}, False),
        (0, "order -200 km", {"division 3": 1}, {"division 3": 1}, False),
    ],
)
def test_r2_who_cannot_comply_in_full_shows_the_hand(
    j: int, card: str, target: dict[str, int], left: dict[str, int], shows: bool
) -> None:
    oracle = position(("act", ("order", j, 1)), hands=[{card: 1}, target])
    snapshot = turns(oracle)
    assert hand(oracle, 1) == left
    assert snapshot["shown"] == [False, shows]


def test_r2_a_shown_hand_is_known_until_it_changes() -> None:
    cases = {
        "draw": ([NOTHING], {}, ["division 2", "time"], False),
        "time keeps it": ([NOTHING], {}, ["time", "time"], True),
        "supply keeps it": ([], {}, ["out of supply", "time"], True),
        "play": ([("act", ("advance", 0))], {"advance 50": 1}, ["time", "time"], False),
        "place": ([("act", ("army", 0, 1))], {"army 4/50": 1}, ["time", "time"], False),
    }
    for name, (answers, held, deck, shown) in cases.items():
        oracle = position(*answers, hands=[held, {}], deck=deck, shown=[True, True])
        assert turns(oracle)["shown"] == [shown, True], name


def test_r2_a_full_payment_makes_an_old_showing_out_of_date() -> None:
    hands = [{"order -1 division": 1}, {"division 2": 2}]
    oracle = position(("act", ("order", 1, 1)), hands=hands, shown=[False, True])
    assert turns(oracle)["shown"] == [False, False]


def test_r2_discard_and_fight_change_the_hand_too() -> None:
    oracle = position(
        NOTHING,
        ("discard", {"division 2": 1}),
        hands=[{"division 2": 9}, {}],
        deck=["time", "time"],
        shown=[True] * 2,
    )
    assert turns(oracle)["shown"] == [False, True]
    given = {"hands": [{"division 2": 1}, {}], "army": ARMY_BEFORE_ME, "shown": [True, True]}
    oracle = position(FIGHT, ("commit", {"division 2": 1}), deck=["time", "time"], **given)
    assert turns(oracle)["shown"] == [False, True]


def test_r3_no_hand_limit_after_a_turn_lost_to_supply() -> None:
    oracle = position(hands=[{"division 2": 12}, {}], deck=["out of supply", "time"])
    turns(oracle)
    assert sum(oracle.hands[0]) == 12


def test_r3_lose_division_without_a_division_has_no_effect_and_keeps_the_hand_limit() -> None:
    rules = default_rules(out_of_supply="lose_division")
    answers = [NOTHING, ("discard", {"advance 50": 1})]
    oracle = position(*answers, rules=rules, hands=[{"advance 50": 9}, {}], deck=["out of supply", "time"])
    snapshot = turns(oracle)
    assert named(oracle, snapshot["discards"]) == {"advance 50": 1}
    assert named(oracle, snapshot["removed"]) == {"out of supply": 1}
    assert not oracle.records("turn")[0]["lost"]


def test_r4_a_new_month_counts_at_once_for_fight_and_limit() -> None:
    hands = [{"division 5": 1, "advance 50": 8}, {}]
    answers = [FIGHT, ("commit", {"division 5": 1}), ("discard", {"advance 50": 1})]
    given = {"hands": hands, "army": ["army 8/100", None], "month": "august", "deck": ["time", "time"]}
    oracle = position(*answers, dice=[[1, 1]], **given)
    turns(oracle)
    assert fight(oracle)["modifier"] == 0  # September, not August
    assert sum(oracle.hands[0]) == 7
    river = position(army=["army 4/50", None], river=[True, False], month="september", deck=["time"])
    river.choose = Script(NOTHING)
    next(river.steps())
    assert river.red_total(0, "front") == 4


def test_r4_only_the_player_whose_turn_ends_checks_the_limit() -> None:
    oracle = position(NOTHING, hands=[{}, {"division 2": 12}], month="august", deck=["time", "time"])
    turns(oracle)
    assert sum(oracle.hands[1]) == 12


def test_r5_advance_stays_legal_after_arrival() -> None:
    oracle = position(("act", ("advance", 0)), hands=[{"advance 50": 1}, {}], km=[1000, 0])
    assert turns(oracle)["km"] == [1050, 0]


def test_r5_front_must_be_clear_is_an_option() -> None:
    given = {"hands": [{"division 5": 3}, {}], "km": [1000, 0], "army": ["army 4/50", None]}
    assert ("attack",) not in legal_for(**given)
    rules = default_rules(front_must_be_clear=False)
    assert legal_for(rules=rules, **given) == [("nothing",), ("fight",), ("attack",)]
    oracle = position(ATTACK, ("commit", {"division 5": 3}), rules=rules, **given)
    snapshot = turns(oracle)
    assert (snapshot["winner"], snapshot["army"]) == (0, [0, -1])


def test_r6_a_river_may_be_placed_from_october_on_but_counts_nothing() -> None:
    given = {"hands": [{"great river": 1}, {}], "army": [None, "army 8/100"], "month": "october"}
    oracle = position(("act", ("river", 1)), **given)
    assert turns(oracle)["river"] == [False, True]
    assert oracle.red_total(1, "front") == 8


def test_r6_army_general_and_river_are_three_turns() -> None:
    hands = [{"army 4/50": 1, "red general": 1, "great river": 1}, {}]
    acts = [("act", ("army", 0, 1)), NOTHING, ("act", ("general", 1)), NOTHING, ("act", ("river", 1))]
    oracle = position(*acts, hands=hands, deck=["division 2"] * 9)
    steps = oracle.steps()
    seen = [(s["army"][1], s["general"][1], s["river"][1]) for s in (next(steps) for _ in range(5))]
    assert seen[::2] == [(0, False, False), (0, True, False), (0, True, True)]


def test_r7_two_actions_the_same_twice_too_with_one_hand_limit() -> None:
    rules = default_rules(actions_per_turn=2)
    answers = [("act", ("advance", 0)), ("act", ("advance", 0)), ("discard", {"division 2": 1})]
    oracle = position(*answers, rules=rules, hands=[{"advance 50": 2, "division 2": 8}, {}])
    assert turns(oracle)["km"] == [100, 0]
    assert sum(oracle.hands[0]) == 8


def test_r7_nothing_ends_the_turn_and_what_is_legal_is_asked_anew() -> None:
    rules = default_rules(actions_per_turn=2)
    oracle = position(NOTHING, rules=rules, hands=[{"advance 50": 2}, {}])
    turns(oracle)
    answers = [("act", ("army", 0, 1)), NOTHING]
    oracle = position(
        *answers, rules=rules, hands=[{"army 4/50": 2, "red general": 1}, {}], deck=["time"] * 2
    )
    turns(oracle)
    assert oracle.choose.legal("act", 1) == [("nothing",), ("general", 1), ("moscow_army", 0)]


def test_r7_each_action_has_its_own_die() -> None:
    rules = default_rules(actions_per_turn=2)
    commit = ("commit", {"division 2": 1})
    oracle = position(
        *[NOTHING, FIGHT, commit, FIGHT, commit],
        rules=rules,
        hands=[{}, {"division 2": 2}],
        army=[None, "army 12/150"],
        dice=[[1, 2], [3, 4], [5, 6]],
    )
    turns(oracle, 2)
    assert [r["die"] for r in oracle.records("fight")] == [3, 4]


def test_r8_the_attack_has_no_floor_and_hopeless_fights_are_legal() -> None:
    given = {"hands": [{"division 2": 1}, {}], "army": ["army 12/150", None], "month": "december"}
    oracle = position(FIGHT, ("commit", {"division 2": 1}), **given)
    turns(oracle)
    record = fight(oracle)
    assert (record["attack"], record["faces"], record["won"]) == (-1, 0, False)


def test_r9_a_fall_in_the_turn_of_the_last_card_wins() -> None:
    given = {"hands": [{"division 5": 4}, {}], "km": [1000, 0], "deck": ["time"]}
    oracle = position(ATTACK, ("commit", {"division 5": 4}), **given)
    assert oracle.play() == (0, "moscow fell", 1, 1)


def test_r9_discards_are_never_shuffled_again() -> None:
    oracle = position(NOTHING, deck=["division 2"], discards={"advance 50": 30})
    assert oracle.play().turns == 1
    assert named(oracle, oracle.discards) == {"advance 50": 30}


def test_r10_seat_is_the_order_of_play_and_a_round_is_one_turn_each() -> None:
    oracle = position(*[NOTHING] * 9, players=4, deck=["division 2"] * 9)
    rounds: dict[int, list[int]] = {}
    oracle.play(lambda s: rounds.setdefault(-(-(s["turn"] + 1) // 4), []).append(s["seat"]))
    assert rounds == {1: [0, 1, 2, 3], 2: [0, 1, 2, 3], 3: [0]}


def test_r11_random_draws_uniformly_over_distinct_actions() -> None:
    hands = [{"advance 50": 5, "advance 100": 1, "division 2": 1}, {}]
    oracle = position(hands=hands, km=[1000, 0])
    legal = oracle.legal_actions(0)
    assert legal == [("nothing",), ("advance", 0), ("advance", 1), ("attack",)]  # copies do not weigh more
    choose = random_choice(random.Random(1))
    seen = Counter(choose("act", 0, legal, oracle) for _ in range(8000))
    assert set(seen) == set(legal)
    assert all(1800 < n < 2200 for n in seen.values())


def test_r11_random_draws_uniformly_over_distinct_card_sets() -> None:
    oracle = position(hands=[{"division 2": 2, "division 3": 1, "luftwaffe 2": 1, "german general 3": 2}, {}])
    usable = oracle.held(0)
    choose = random_choice(random.Random(2))
    draws = (choose("commit", 0, usable, oracle) for _ in range(20000))
    seen = Counter(tuple(sorted((k, n) for k, n in d.items() if n)) for d in draws)
    assert len(seen) == (3 * 2 - 1) * 2 * 2
    assert all(800 < n < 1200 for n in seen.values())


def test_r11_random_reorganise_exploit_and_discards() -> None:
    oracle = position(hands=[{"division 2": 3, "division 3": 1}, {}])
    choose = random_choice(random.Random(3))
    half = sum(choose("reorganise", 0, [False, True], oracle) for _ in range(4000))
    assert 1850 < half < 2150
    extra = Counter(choose("exploit", 0, [None, 0, 2], oracle) for _ in range(6000))
    assert all(1800 < extra[k] < 2200 for k in (None, 0, 2))
    three = oracle.type_id("division 3")
    lost = sum(choose("discard", 0, (oracle.held(0), 1), oracle) == {three: 1} for _ in range(4000))
    assert 900 < lost < 1100  # a sample of cards, one in four


def test_r12_a_view_shows_what_a_seat_may_know_and_no_more() -> None:
    hands = [{"division 2": 1}, {"division 3": 2}, {"advance 50": 3}]
    given: dict[str, Any] = {"players": 3, "army": [None, "army 4/50", None], "shown": [False, False, True]}
    oracle = position(hands=hands, **given)
    view = oracle.view(0)
    assert view["hand"] == oracle.hands[0]
    assert view["hand_sizes"] == [1, 2, 3]
    assert view["shown_hands"] == {2: oracle.hands[2]}
    other = position(hands=[hands[0], {"great river": 2}, hands[2]], deck=["time"] * 12, **given)
    assert other.view(0) == view  # neither a hidden hand nor the order of the deck can be told apart
    assert other.view(1) != oracle.view(1)
    public = {
        "km",
        "army",
        "general",
        "river",
        "moscow_army",
        "moscow_general",
        "month",
        "discards",
        "deck_left",
    }
    assert set(view) == public | {"hand", "hand_sizes", "shown_hands"}
    assert all(view[key] == oracle.snapshot()[key] for key in public)


def test_r13_solo_red_cards_and_orders_go_back_from_the_opening_hand() -> None:
    rules = default_rules()
    front = ["army 4/50", "red general", "great river", "order -general", "time", "division 2"]
    oracle = Oracle(rules, 1, sequence_luck(rules, front), Script())
    assert hand(oracle, 0) == {"division 2": 1}
    assert len(oracle.deck) == 141
    pair = Oracle(rules, 2, sequence_luck(rules, [n for n in front for _ in "12"]), Script())
    assert sum(pair.hands[0]) == 5  # with two players only the time card goes back


def test_r13_solo_goal_is_1000_km_whatever_many_means() -> None:
    rules = default_rules(many_players=1)
    assert Oracle(rules, 1, sequence_luck(rules, []), Script()).goal == 1000
    assert Oracle(rules, 2, sequence_luck(rules, []), Script()).goal == 800


# --- random legal play ----------------------------------------------------------------------------

OPTIONS: list[dict[str, Any]] = [
    {},
    {"actions_per_turn": 2, "army_on_self": True, "boosts": "add"},
    {"out_of_supply": "lose_division", "front_must_be_clear": False, "opening_hand": 7},
    {
        "goal_km": 300,
        "goal_km_many": 200,
        "moscow_strength": 12,
        "front_must_be_clear": False,
        "opening_hand": 5,
    },
    {
        "actions_per_turn": 2,
        "goal_km": 300,
        "out_of_supply": "lose_division",
        "boosts": "add",
        "die_sides": 8,
    },
]


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("chooser", [random_choice, busy_choice])
def test_random_legal_play_keeps_every_card_and_ends(
    chooser: Any, players: int, options: dict[str, Any]
) -> None:
    rules = default_rules(**options)
    for seed in range(3):
        rng = random.Random(1000 * seed + players)
        oracle = Oracle(rules, players, random_luck(rng, rules), chooser(rng))
        snapshots: list[dict[str, Any]] = []
        outcome = oracle.play(snapshots.append)
        oracle.conserve()
        assert [s["turn"] for s in snapshots] == list(range(outcome.turns))
        assert all(s["seat"] == s["turn"] % players for s in snapshots)
        assert [s["over"] for s in snapshots] == [False] * (outcome.turns - 1) + [True]
        if outcome.winner is None:
            assert (outcome.end, snapshots[-1]["deck_left"]) == ("deck ran out", 0)
        else:
            assert oracle.km[outcome.winner] >= oracle.goal
            last = oracle.records("fight")[-1]
            assert (last["target"], last["seat"], last["won"]) == ("moscow", outcome.winner, True)
        assert len(oracle.records("draw")) == outcome.turns


def test_random_play_reaches_every_corner() -> None:
    """Random games are worth comparing only if every action, ending and follow-up really happens in them."""
    rules = default_rules(army_on_self=True, goal_km=400, actions_per_turn=2)
    seen: Counter[str] = Counter()
    for seed in range(60):
        rng = random.Random(seed)
        oracle = Oracle(rules, 3, random_luck(rng, rules), busy_choice(rng))
        seen[oracle.play().end] += 1
        seen.update(e["act"][0] for e in oracle.records("act"))
        seen.update(f"order {e['order']} {e['showed']}" for e in oracle.records("order"))
        seen.update(f"{e['target']} {e['won']} {e['doubled']}" for e in oracle.records("fight"))
        seen.update(e["what"] for e in oracle.events)
        seen["self"] += sum(e["act"][0] == "army" and e["act"][2] == e["seat"] for e in oracle.records("act"))
    acts = "nothing advance army general river moscow_army moscow_general fight attack order self"
    orders = "order 0 False|order 1 False|order 1 True|order 2 False|order 2 True|order 3 False|order 3 True"
    fights = "front True True|front True False|front False False|moscow True False|moscow False False"
    rest = ["reorganise", "exploit", "discard", "moscow fell", "deck ran out"]
    wanted = [*acts.split(), *orders.split("|"), *fights.split("|"), *rest]
    assert [w for w in wanted if not seen[w]] == []


def test_the_same_luck_and_choices_give_the_same_game() -> None:
    def run() -> list[dict[str, Any]]:
        rng = random.Random(5)
        oracle = Oracle(default_rules(), 4, random_luck(rng, default_rules()), random_choice(rng))
        return list(oracle.steps())

    assert run() == run()
