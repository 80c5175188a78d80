"""Rules U5 to U8 and U10 of Undaunted, and the rulings on the round and on what may be played."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.oracle.undaunted import PASS, Oracle
from tests.oracle.undaunted_defaults import card_rows, rules_of
from tests.oracle.undaunted_script import (
    LAST,
    Force,
    Script,
    cards,
    plays,
    position,
    rounds,
    scenario_of,
    script,
    turn,
)
from tests.oracle.undaunted_table import CODES, UNITS, Luck

EIGHT = "RA RB SA SB PS SLA FOW FOW"
VALUES = {"R": 5, "S": 6, "G": 3, "SN": 4, "MO": 2, "PS": 9, "PG": 8, "SL": 7, "FOW": 1}


def initiative(code: str) -> int:
    return VALUES.get(code) or VALUES[code[:-1]]


# --- U5: the draw ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 3, 4, 6])
def test_u5_both_draw_a_hand(size: int) -> None:
    oracle = position(..., us=Force(deck=EIGHT), de=Force(deck=EIGHT), seat=None, hand_size=size)
    rounds(oracle)
    look = script(oracle).looks[0][3] if size > 1 else None
    if look is not None:
        first = dict.fromkeys(("RA", "RB", "SA", "SB", "PS", "SLA")[:size], 1)
        assert (look["hands"], look["round"]) == ([first, first], 0)
    for side in oracle.sides:
        assert len(side.deck) == 8 - size
        assert len(side.discard) == size


def test_u5_four_is_the_size_of_a_hand() -> None:
    oracle = position(..., us=Force(deck=EIGHT), de=Force(deck=EIGHT), seat=None)
    rounds(oracle)
    assert [len(side.deck) for side in oracle.sides] == [4, 4]


def test_u5_any_card_of_the_deck_may_be_the_next() -> None:
    """A draw takes the card at bits * size / 2**32 of the deck in the order of codes."""
    for k in range(7):
        oracle = position(us=Force(deck="RA RA SN PS PS FOW FOW"), draws=[k * 2**32 // 7 + 1])
        oracle.draw(0, 1)
        assert oracle.sides[0].hand == [["RA", "RA", "SN", "PS", "PS", "FOW", "FOW"][k]]


def test_u5_a_short_deck_is_drawn_first_and_then_the_discard_pile_is_shuffled_in() -> None:
    us = Force(deck="FOW", discard="SA RA RA PS", played="RB GA", hand="MO")
    oracle = position(us=us, draws=[0, LAST, LAST, 0])
    oracle.draw(0, 4)
    side = oracle.sides[0]
    assert side.hand == ["MO", "FOW", "PS", "SA", "RA"]
    assert (side.deck, side.discard, side.play_area) == (["RA"], [], ["RB", "GA"])
    assert len(oracle.records("refilled")) == 1


def test_u5_a_deck_that_is_just_used_up_is_not_filled_before_the_next_draw() -> None:
    oracle = position(us=Force(deck="RA RB", discard="SA"))
    oracle.draw(0, 2)
    assert (oracle.sides[0].deck, oracle.sides[0].discard) == ([], ["SA"])
    oracle.draw(0, 1)
    assert (oracle.sides[0].hand, oracle.sides[0].discard) == (["RA", "RB", "SA"], [])


def test_u5_hands_and_play_areas_come_back_through_the_discard_pile() -> None:
    oracle = position(..., us=Force(deck="RA SA SN"), de=Force(deck="RA RB"), seat=None)
    seen = []
    for what in oracle.steps():
        if what == "bids":
            seen.append([cards(side.hand + side.discard) for side in oracle.sides])
        if len(seen) == 3:
            break
    assert seen == [["RA SA SN", "RA RB"]] * 3


@pytest.mark.parametrize(("have", "size"), [("", 0), ("RA", 1), ("RA RB", 2), ("RA RB SA SN", 4)])
def test_ruling_5_with_no_cards_left_fewer_are_drawn(have: str, size: int) -> None:
    oracle = position(us=Force(discard=have))
    oracle.draw(0, 4)
    assert len(oracle.sides[0].hand) == size


# --- U6: the bids ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mine", CODES)
def test_u6_the_higher_bid_takes_the_marker_and_a_tie_leaves_it(mine: str) -> None:
    for theirs, marker in itertools.product(CODES, (0, 1)):
        us, de = Force(hand=mine), Force(hand=theirs)
        oracle = position(us=us, de=de, seat=None, marker=marker, hand_size=0)
        next(oracle.steps())
        values = initiative(mine), initiative(theirs)
        assert oracle.marker == (marker if values[0] == values[1] else int(values[1] > values[0]))
        # both bid cards are gone before any action
        assert [side.discard for side in oracle.sides] == [[mine], [theirs]]
        assert [side.hand for side in oracle.sides] == [[], []]


@pytest.mark.parametrize("marker", [0, 1])
@pytest.mark.parametrize(
    ("us", "de", "holder"), [("", "", None), ("FOW", "", 0), ("", "FOW", 1), ("RA", "", 0), ("", "MO", 1)]
)
def test_u6_a_side_without_a_card_bids_0(us: str, de: str, holder: int | None, marker: int) -> None:
    oracle = position(us=Force(hand=us), de=Force(hand=de), seat=None, marker=marker, hand_size=0)
    next(oracle.steps())
    assert oracle.marker == (marker if holder is None else holder)


def test_u6_any_card_of_the_hand_may_be_bid_fog_too() -> None:
    oracle = position("FOW", "RA", ..., us=Force(deck="FOW FOW PS SA"), de=Force(deck="RA SN"), seat=None)
    rounds(oracle)
    (first, second, *_) = script(oracle).looks
    assert first[:3] == ("bid", 0, ["SA", "PS", "FOW"])
    assert second[:3] == ("bid", 1, ["RA", "SN"])
    assert first[3]["hands"] == second[3]["hands"]  # the bid of seat 0 is not on the table yet
    assert second[3]["discards"] == [{}, {}]
    assert oracle.marker == 1


def test_u6_bid_cards_cannot_be_played_or_hunkered_and_can_be_drawn_again() -> None:
    us = Force(deck="PS RA SA")
    oracle = position("RA", ("PS", "command"), PASS, us=us, de=Force(deck="SN"), seat=None, draws=[0] * 5)
    rounds(oracle)
    assert script(oracle).legal("play") == [
        PASS,
        ("SA", "scout"),
        ("SA", "attack"),
        ("SA", "hunker"),
        ("PS", "bolster"),
        ("PS", "command"),
        ("PS", "hunker"),
    ]
    assert script(oracle).looks[-1][3]["hands"][0] == {"RA": 1, "SA": 1}  # it drew its own bid


def test_u6_the_marker_stays_from_round_to_round() -> None:
    oracle = position(..., us=Force(deck="PS"), de=Force(deck="PS"), seat=None, marker=1)
    order: list[int | None] = []
    for what in oracle.steps():
        if what == "turn":
            order.append(oracle.seat)
        if len(order) == 6:
            break
    assert order == [1, 0] * 3


@pytest.mark.parametrize("scenario", [0, 1])
@pytest.mark.parametrize("drawn", [0, 1])
def test_u6_who_holds_the_marker_first_is_a_setting(scenario: int, drawn: int) -> None:
    board = scenario_of(Force(deck="RA"), Force(deck="RB"), scenario)
    expected = {"scenario": scenario, "US": 0, "DE": 1, "both": drawn}
    for setting, holder in expected.items():
        rules = rules_of(board, first_initiative=setting)
        oracle = Oracle(rules, 2, Luck(drawn, [[1], [1]], []), Script(...))
        assert (oracle.marker, oracle.outcome().first) == (holder, holder)


def test_u6_initiatives_are_those_of_the_card_table() -> None:
    for value, holder in ((4, 1), (5, 0), (6, 0)):
        table = card_rows()
        table["rifleman"]["initiative"] = value
        oracle = position(
            us=Force(hand="RA"), de=Force(hand="SN"), seat=None, hand_size=0, cards=table, marker=1
        )
        next(oracle.steps())
        assert oracle.marker == holder


# --- U7: playing cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("marker", [0, 1])
def test_u7_the_side_with_initiative_plays_all_and_then_the_other(marker: int) -> None:
    decks = ["FOW RA RA RA", "FOW RB RB RB"]
    hunker = [[("RA", "hunker")] * 3, [("RB", "hunker")] * 3]
    answers = ["FOW", "FOW", *hunker[marker], *hunker[1 - marker]]
    oracle = position(*answers, us=Force(deck=decks[0]), de=Force(deck=decks[1]), seat=None, marker=marker)
    rounds(oracle)
    assert [p["seat"] for p in oracle.records("play")] == [marker] * 3 + [1 - marker] * 3


def test_u7_a_side_may_stop_early_and_hand_and_play_area_are_discarded() -> None:
    us = Force(hand="RA SA FOW", discard="PS", counters={"RA": 5, "SA": 4}, scouted=[4])
    oracle = position(("RA", "move"), PASS, us=us, de=Force(hand="RB FOW"))
    turn(oracle)
    assert cards(oracle.sides[0].discard) == "RA SA PS FOW"
    assert (oracle.sides[0].hand, oracle.sides[0].play_area) == ([], [])
    assert oracle.sides[1].hand == ["RB", "FOW"]  # the other side's hand is its own


def test_u7_each_copy_is_a_card_of_its_own() -> None:
    us = Force(hand="RA RA", counters={"RA": 5}, scouted=[4, 5])
    turn(position(("RA", "move"), ("RA", "move"), us=us))


def test_u7_stopping_is_always_allowed_and_only_fog_is_left_to_discard() -> None:
    oracle = turn(position(us=Force(hand="FOW FOW"), de=Force(supply="FOW")))
    assert script(oracle).looks == []  # nothing to choose
    assert oracle.sides[0].discard == ["FOW", "FOW"]
    oracle = turn(position(PASS, us=Force(hand="RA")))
    assert script(oracle).legal("play") == [PASS, ("RA", "move"), ("RA", "attack"), ("RA", "hunker")]


# --- U8: Hunker Down -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_u8_hunker_down_puts_any_card_but_fog_back_into_the_supply(code: str) -> None:
    oracle = position((code, "hunker"), us=Force(hand=code, bare=True, counters={"RC": 0}))
    if code == "FOW":
        assert plays(oracle) == []
        return
    assert plays(oracle, code)[-1] == "hunker"
    turn(oracle)
    assert oracle.snapshot()["supplies"][0] == {code: 1}
    assert oracle.sides[0].owned() == {code: 1}
    assert oracle.snapshot()["discards"][0] == {}


@pytest.mark.parametrize("unit", UNITS)
def test_u8_hunker_down_does_not_make_a_counter_ready(unit: str) -> None:
    us = Force(hand=unit, counters={unit: 5}, suppressed=unit)
    oracle = turn(position((unit, "hunker"), us=us))
    assert oracle.snapshot()["counters"][0][unit] == [5, True]


# --- U10, rulings 2 and 8: what may be played ------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_u10_the_card_of_a_suppressed_unit_only_makes_it_ready(unit: str) -> None:
    counters = {"MO": 0, unit: 5}
    us = Force(hand=f"{unit} {unit} FOW", counters=counters, suppressed=unit, scouted=[4, 5, 6], target=3)
    oracle = position((unit, "rally"), PASS, us=us, de=Force(counters={"RB": 3}))
    assert plays(oracle, unit) == ["rally", "hunker"]  # ruling 8
    turn(oracle)
    assert oracle.snapshot()["counters"][0][unit] == [5, False]
    assert cards(oracle.sides[0].discard) == f"{unit} {unit} FOW"  # the card is spent
    assert oracle.sides[0].target == 3
    look = script(oracle).looks[1][3]
    assert (look["hands"][0], look["played"][0]) == ({unit: 1, "FOW": 1}, {unit: 1})
    again = script(oracle).legal("play", 1)
    assert (unit, "rally") not in again  # ready now: the second card acts
    assert len(again) > 2


def test_ruling_8_a_ready_unit_cannot_rally() -> None:
    assert "rally" not in plays(position(us=Force(hand="RA", counters={"RA": 5})), "RA")


def test_ruling_8_one_rally_or_hunker_down() -> None:
    us = Force(hand="SN SN SN", counters={"SN": 5}, suppressed="SN")
    assert plays(position(us=us)) == [("SN", "rally"), ("SN", "hunker")]


def test_ruling_8_suppression_is_the_counters_not_the_squads() -> None:
    us = Force(hand="RA RB SA", counters={"RA": 5, "RB": 5, "SA": 5}, suppressed="RA")
    oracle = position(us=us)
    assert plays(oracle, "RB") == ["attack", "hunker"]
    assert "scout" in plays(oracle, "SA")


NO_EFFECT: list[tuple[str, str, Force, Force]] = [
    ("SA", "conceal", Force(hand="SA"), Force(hand="FOW", deck="FOW")),
    ("SA", "recon", Force(hand="SA", deck="FOW RA", discard="FOW"), Force()),
    ("PS", "bolster", Force(hand="PS", deck="RA", supply="FOW FOW", bare=True, counters={"RC": 0}), Force()),
    ("SLB", "bolster", Force(hand="SLB", supply="RA SN PG FOW"), Force()),
    ("PS", "command", Force(hand="PS RA"), Force()),
    ("PG", "guide", Force(hand="PG", counters={"RA": 0}, scouted=[7, 9]), Force()),
    ("SLA", "inspire", Force(hand="SLA", played="RB SB GC SN MO PS"), Force()),
    ("RA", "move", Force(hand="RA", counters={"RA": 5}, scouted=[5, 8]), Force(scouted=[4])),
    ("RA", "control", Force(hand="RA", counters={"RA": 5}, controlled=[5]), Force()),
    ("RA", "attack", Force(hand="RA", counters={"RA": 5}), Force(bare=True)),
    ("GA", "suppress", Force(hand="GA", counters={"GA": 5}), Force(suppressed="RC")),
    ("MO", "blast", Force(hand="MO", counters={"MO": 0}), Force()),
    ("MO", "blast", Force(hand="MO", counters={"MO": 0}, target=3), Force()),
    ("MO", "target", Force(hand="MO", counters={"MO": 5}, target=3), Force()),  # nothing else is as far
]


@pytest.mark.parametrize(("card", "action", "us", "de"), NO_EFFECT)
def test_ruling_2_a_play_without_any_effect_is_not_legal(
    card: str, action: str, us: Force, de: Force
) -> None:
    assert (card, action) not in plays(position(us=us, de=de))
    assert (card, "hunker") in plays(position(us=us, de=de))


SOME_EFFECT: list[tuple[str, str, Force, Force]] = [
    ("SA", "conceal", Force(hand="SA"), Force(supply="FOW")),
    ("SA", "recon", Force(hand="SA FOW"), Force()),
    ("PS", "bolster", Force(hand="PS", supply="SLC"), Force()),
    ("SLB", "bolster", Force(hand="SLB", supply="SB"), Force()),
    ("PS", "command", Force(hand="PS", discard="FOW"), Force()),
    ("PG", "guide", Force(hand="PG", counters={"RA": 0}, scouted=[5]), Force()),
    ("SLA", "inspire", Force(hand="SLA", played="SA"), Force()),
    ("RA", "move", Force(hand="RA", counters={"RA": 5}, controlled=[10]), Force()),
    ("RA", "control", Force(hand="RA", counters={"RA": 5}, scouted=[5]), Force(counters={"RA": 4})),
    ("RA", "attack", Force(hand="RA", counters={"RA": 5}), Force(bare=True, counters={"MO": 0})),
    ("GA", "suppress", Force(hand="GA", counters={"GA": 5}), Force(suppressed="RC", counters={"MO": 1})),
    ("MO", "blast", Force(hand="MO", counters={"MO": 0, "RA": 3}, target=3), Force()),
    ("MO", "target", Force(hand="MO", counters={"MO": 4}), Force()),
]


@pytest.mark.parametrize(("card", "action", "us", "de"), SOME_EFFECT)
def test_ruling_2_a_play_with_an_effect_is_legal(card: str, action: str, us: Force, de: Force) -> None:
    assert (card, action) in plays(position(us=us, de=de))


def test_ruling_2_the_played_card_is_in_the_play_area_before_it_resolves() -> None:
    oracle = position(("PS", "command"), PASS, us=Force(hand="PS RA", deck="SA", discard="SB"))
    turn(oracle)
    look = script(oracle).looks[1][3]
    assert (look["hands"][0], look["played"][0]) == ({"RA": 1, "SA": 1, "SB": 1}, {"PS": 1})
    oracle = turn(position(("SA", "attack"), ..., us=Force(hand="SA", counters={"SA": 5})))
    assert oracle.sides[0].discard == ["SA"]


def test_ruling_2_each_card_has_its_printed_actions() -> None:
    printed = {
        "PS": {"bolster": 3, "command": 2},
        "PG": {"bolster": 1, "guide": 1},
        "SL": {"bolster": 2, "inspire": 1},
        "S": {"scout": 2, "attack": 1, "recon": 1, "conceal": 1},
        "R": {"move": 1, "attack": 1, "control": 1},
        "SN": {"stalk": 1, "attack": 3},
        "G": {"move": 1, "attack": 2, "suppress": 4},
        "MO": {"move": 1, "blast": 1, "target": 1},
        "FOW": {},
    }
    oracle = position()
    for code in CODES:
        kind = code if code in printed else code[:-1]
        assert dict(oracle.cards[code].actions) == printed[kind]


def test_the_card_table_gives_and_takes_actions() -> None:
    table: dict[str, Any] = card_rows()
    table["sniper"]["actions"].update(move=2, stalk=0)
    us = Force(hand="SN", counters={"SN": 0}, scouted=[1, 2])
    oracle = position(("SN", "move"), 2, us=us, cards=table)
    assert plays(oracle, "SN") == ["move", "attack", "hunker"]
    turn(oracle)
    assert oracle.sides[0].counters["SN"] == 2
