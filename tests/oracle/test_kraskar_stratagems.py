"""Stratagems of Kraskar (R11), tested on the scalar oracle; how long they last: see the clocks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.kraskar import PASS
from tests.oracle.kraskar_defaults import MODIFIERS, STRIKES, default_rules
from tests.oracle.kraskar_script import (
    TROOPS,
    archer,
    cavalry,
    infantry,
    legal_now,
    losses,
    position,
    script,
    spearman,
    turns,
)

FAR = [infantry((4, 4))]
BOOST = ("stratagem", 0, None)


def test_the_table_has_thirteen_stratagems_of_four_kinds() -> None:
    rules = default_rules()
    kinds = [row["kind"] for row in rules["stratagems"]]
    assert [kinds.count(kind) for kind in ("boost", "rally", "weaken", "strike")] == [4, 3, 3, 3]
    assert len(MODIFIERS) + len(STRIKES) == 13
    assert all(2 <= row["chips"] <= 8 for row in rules["stratagems"])


# --- casting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chips", "may"), [(0, False), (1, True), (2, True)])
def test_a_stratagem_needs_its_chips(chips: int, may: bool) -> None:
    mine = [infantry((0, 0), stratagem="boost")]  # 2 chips, of which one comes with the draw
    assert (BOOST in legal_now(position(mine, FAR, chips=[chips, 9]))) == may


def test_a_stratagem_takes_its_chips_from_its_own_side_only() -> None:
    mine = [infantry((0, 0), stratagem="weaken"), infantry((0, 0), stratagem="rally")]
    answers = [("stratagem", 0, 0), ("stratagem", 1, None), PASS]
    (snapshot,) = turns(position(mine, FAR, *answers, chips=[8, 5]))
    assert snapshot["chips"] == [8 + 1 - 3 - 4, 6]


def test_a_stratagem_comes_once_a_turn_for_each_unit() -> None:
    mine = [infantry((0, 0), stratagem="boost"), infantry((0, 1), stratagem="boost 5")]
    oracle = position(mine, FAR, BOOST, ("stratagem", 1, None), PASS, PASS, BOOST, PASS, chips=[9, 0])
    turns(oracle, 3)
    casts = [
        {a[1] for a in legal if a[0] == "stratagem"} for _, seat, legal, _ in script(oracle).looks if not seat
    ]
    assert casts == [{0, 1}, {1}, set(), {0, 1}, {1}]


@pytest.mark.parametrize("troop", TROOPS)
def test_a_stratagem_costs_no_point_and_is_no_move(troop: str) -> None:
    answers = [BOOST, ("move", 0, "forward"), ("move", 0, "forward"), PASS]
    mine = [TROOPS[troop]((0, 0), stratagem="boost"), infantry((0, 4))]
    (snapshot,) = turns(position(mine, FAR, *answers, chips=[2, 0]))
    assert snapshot["square"][0][0] == (2, 0)
    answers = [("move", 0, "forward"), ("move", 0, "forward"), BOOST]
    assert turns(position([mine[0]], FAR, *answers, *[PASS] * (troop == "cavalry"), chips=[2, 0]))


def test_an_archer_that_has_cast_still_snipes() -> None:
    mine = [archer((2, 2), 3, stratagem="boost")]
    oracle = position(mine, [infantry((3, 2), 6)], BOOST, ("shoot", 0, 0), chips=[2, 0])
    turns(oracle)
    assert losses(oracle) == [("snipe", 0, 8 + 2 * (3 + 3) - 6)]


def test_only_units_on_the_field_cast_and_only_in_their_own_main_phase() -> None:
    mine = [infantry(None, stratagem="boost"), infantry((0, 0))]
    theirs = [infantry((4, 4), stratagem="boost")]
    oracle = position(mine, theirs, PASS, PASS, chips=[9, 9])
    turns(oracle, 2)
    casts = [[a for a in legal if a[0] == "stratagem"] for _, _, legal, _ in script(oracle).looks]
    assert casts == [[], [BOOST]]


def test_a_unit_that_has_just_returned_may_cast() -> None:
    oracle = position([infantry(None, stratagem="boost", gauge=3)], FAR, 0, BOOST, PASS, chips=[2, 0])
    assert turns(oracle)[0]["boost"][0] == [3]


def test_an_exhausted_unit_may_cast() -> None:
    theirs = [spearman((3, 2), 9, stratagem="boost")]
    oracle = position([infantry((2, 2))], theirs, ("melee", 0, "forward"), PASS, BOOST, PASS, chips=[0, 2])
    assert turns(oracle, 2)[1]["boost"][1] == [3]


def test_without_a_stratagem_and_with_an_empty_table_there_is_nothing_to_cast() -> None:
    mine = [infantry((0, 0)), infantry((0, 1), stratagem="boost")]
    assert legal_now(position(mine, FAR, chips=[9, 9]), "stratagem") == [("stratagem", 1, None)]
    assert legal_now(position(mine, FAR, chips=[9, 9], stratagems=[]), "stratagem") == []


# --- boost, rally, weaken -------------------------------------------------------------------------


def test_a_boost_adds_to_the_own_force_only() -> None:
    mine = [infantry((2, 2), 4, stratagem="boost"), infantry((2, 1))]
    oracle = position(mine, [infantry((3, 2), 6)], BOOST, ("melee", 0, "forward"), PASS, chips=[2, 0])
    (snapshot,) = turns(oracle)
    assert (snapshot["boost"], snapshot["force"]) == ([[3, 0], [0]], [[7, 5], [6]])
    assert losses(oracle) == [("melee", 0, 9)]


def test_a_boost_helps_against_attacks_too() -> None:
    mine = [infantry((2, 2), 4, stratagem="boost")]
    oracle = position(mine, [infantry((3, 2), 6)], BOOST, PASS, ("melee", 0, "forward"), PASS, chips=[2, 0])
    turns(oracle, 2)
    assert losses(oracle) == [("melee", 0, 8 + 6 - 7)]


def test_a_rally_adds_to_all_own_units_on_the_field_and_to_no_other() -> None:
    mine = [
        infantry((0, 0), 4, stratagem="rally"),
        cavalry((2, 2), 6),
        infantry(None, gauge=2),
        archer((4, 0)),
    ]
    mine[3] = archer((3, 0))
    answers = [BOOST, PASS, PASS, 1, PASS]
    first, _, third = turns(position(mine, FAR, *answers, chips=[4, 0]), 3)
    assert first["rally"] == [[2, 2, 0, 2], [0]]
    assert first["force"][0] == [6, 8, 0, 7]
    assert third["rally"][0] == [2, 2, 0, 2]  # who returns later does not have it
    assert third["force"][0][2] == 5


def test_a_weaken_reaches_any_enemy_on_the_field() -> None:
    mine = [infantry((0, 0), stratagem="weaken")]
    theirs = [infantry((1, 0)), infantry(None), infantry((4, 4), 9), infantry((4, 4))]
    oracle = position(mine, theirs, ("stratagem", 0, 2), PASS, chips=[3, 0])
    (snapshot,) = turns(oracle)
    assert [a[2] for a in script(oracle).legal(0) if a[0] == "stratagem"] == [0, 2, 3]
    assert (snapshot["weaken"][1], snapshot["force"][1]) == ([0, 0, 4, 0], [5, 0, 5, 5])


def test_r4_force_is_never_below_zero() -> None:
    mine = [infantry((2, 2), 4, stratagem="weaken")]
    answers = [("stratagem", 0, 0), ("melee", 0, "forward"), PASS, ("melee", 0, "forward"), PASS]
    oracle = position(mine, [infantry((3, 2), 3)], *answers, chips=[3, 0])
    ends = turns(oracle, 2)
    assert ends[0]["force"][1] == [0]
    assert [(hit["dealt"], hit["force"]) for hit in oracle.records("hit")] == [(4, 0), (0, 4)]


def test_r4_a_weaken_below_zero_still_counts_against_a_boost() -> None:
    """max(0, base + modifiers): the sum first, then the floor."""
    mine = [infantry((0, 0), stratagem="weaken")]
    theirs = [infantry((4, 4), 2, stratagem="boost")]
    oracle = position(mine, theirs, ("stratagem", 0, 0), PASS, BOOST, PASS, chips=[3, 2])
    assert turns(oracle, 2)[1]["force"][1] == [2 - 4 + 3]


def test_r11_kinds_add_up() -> None:
    mine = [infantry((0, 0), 5, stratagem="boost", wit=9), infantry((0, 1), stratagem="rally", wit=9)]
    theirs = [infantry((4, 4), stratagem="weaken")]
    answers = [BOOST, ("stratagem", 1, None), PASS, ("stratagem", 0, 0), PASS]
    ends = turns(position(mine, theirs, *answers, chips=[6, 3]), 2)
    assert ends[1]["force"][0][0] == 5 + 3 + 2 - 4


@pytest.mark.parametrize("order", [("rally 3", "rally"), ("rally", "rally 3")])
def test_r11_within_a_kind_the_newest_amount_counts(order: tuple[str, str]) -> None:
    mine = [infantry((0, k), stratagem=name) for k, name in enumerate(order)]
    (snapshot,) = turns(position(mine, FAR, BOOST, ("stratagem", 1, None), PASS, chips=[10, 0]))
    assert snapshot["rally"][0] == [{"rally": 2, "rally 3": 3}[order[1]]] * 2


def test_k14_a_boost_and_a_rally_are_halved_with_the_force() -> None:
    mine = [infantry((3, 0), 4, stratagem="boost")]
    answers = [BOOST, ("move", 0, "forward"), PASS]
    assert turns(position(mine, FAR, *answers, chips=[2, 0]))[0]["force"][0] == [3]


# --- strike ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "theirs", "loss"), [(8, 5, 8), (5, 8, 3), (7, 5, 7), (1, 9, 0), (0, 3, 1), (3, 0, 15), (0, 0, 5)]
)
def test_a_strike_costs_power_times_own_wit_over_the_targets(own: int, theirs: int, loss: int) -> None:
    mine = [infantry((2, 2), wit=own, stratagem="strike")]
    oracle = position(mine, [spearman((4, 2), wit=theirs)], ("stratagem", 0, (4, 2)), PASS, chips=[4, 0])
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("strike", 0, loss)]
    assert snapshot["hit_points"][1] == [16 - loss]  # wit 0 counts as 1; a loss of 0 is possible
    assert snapshot["exhausted"][1] == [False]


@pytest.mark.parametrize(("name", "power", "chips"), [("strike", 5, 4), ("thunder", 10, 7)])
def test_the_power_of_a_strike_is_its_own(name: str, power: int, chips: int) -> None:
    mine = [infantry((2, 2), wit=4, stratagem=name)]
    oracle = position(mine, [infantry((3, 2), wit=3)], ("stratagem", 0, (3, 2)), PASS, chips=[chips, 0])
    turns(oracle)
    assert losses(oracle) == [("strike", 0, power * 4 // 3)]


def test_a_strike_hits_every_enemy_in_one_square_and_exhausts_nobody() -> None:
    theirs = [make((3, 3), wit=5) for make in TROOPS.values()] + [infantry((3, 2)), infantry(None)]
    mine = [infantry((2, 2), wit=6, stratagem="strike"), infantry((1, 1))]
    (snapshot,) = turns(position(mine, theirs, ("stratagem", 0, (3, 3)), PASS, chips=[4, 0]))
    assert snapshot["hit_points"] == [[16, 16], [10] * 4 + [16, 0]]
    assert not any(snapshot["exhausted"][1])


@pytest.mark.parametrize("damage", ["difference", "plain", "ratio"])
def test_a_strike_does_not_ask_for_force_or_the_damage_model(damage: str) -> None:
    mine = [infantry((2, 2), 9, wit=6, stratagem="strike")]
    answers = [("stratagem", 0, (3, 3)), PASS]
    oracle = position(mine, [infantry((3, 3), 1, wit=4)], *answers, chips=[4, 0], damage=damage)
    assert turns(oracle)[0]["hit_points"][1] == [16 - 7]


@pytest.mark.parametrize(("name", "reach"), [("strike", 2), ("thunder", 1)])
def test_r11_a_strike_uses_the_distance_of_a_shot_and_its_own_reach(name: str, reach: int) -> None:
    squares = [(row, column) for row in range(5) for column in range(1, 5) if (row, column) != (2, 2) and row]
    mine = [infantry((2, 2), stratagem=name)]
    oracle = position(mine, [infantry(s) for s in squares] + [infantry((1, 1))], chips=[12, 0])
    targets = [a[2] for a in legal_now(oracle, "stratagem")]
    assert len(targets) == len(set(targets))  # a square is one target, whoever stands in it
    assert set(targets) == {(r, c) for r, c in squares if abs(r - 2) <= reach and abs(c - 2) <= reach}


def test_r11_a_strike_uses_wits_halved_by_a_siege() -> None:
    theirs = [infantry((1, 2), wit=5)]
    mine = [infantry((3, 2), wit=7, stratagem="strike")]
    answers = [("move", 0, "forward"), PASS, ("move", 0, "forward"), ("stratagem", 0, (1, 2))]
    oracle = position(mine, theirs, *answers, PASS, first=1, chips=[4, 0])
    turns(oracle, 2)
    assert losses(oracle) == [("strike", 0, 5 * 3 // 2)]


def test_r8_a_strike_fixes_all_losses_and_may_fell_several() -> None:
    theirs = [
        infantry((3, 3), wit=5, hit_points=6),
        infantry((3, 3), wit=5, hit_points=7),
        infantry((3, 3), wit=5),
    ]
    mine = [infantry((2, 2), wit=6, stratagem="strike")]
    oracle = position(mine, theirs, ("stratagem", 0, (3, 3)), PASS, chips=[4, 0])
    (snapshot,) = turns(oracle)
    assert snapshot["hit_points"][1] == [0, 1, 10]
    assert oracle.outcome().retreats[1] == [0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("target", [None, 0, (2, 3), (0, 0)])
def test_a_strike_needs_a_square_with_an_enemy_in_reach(target: Any) -> None:
    mine = [infantry((0, 2), stratagem="strike")]
    oracle = position(mine, [infantry((1, 3)), infantry((3, 0))], chips=[4, 0])
    assert ("stratagem", 0, (1, 3)) in legal_now(oracle)
    assert ("stratagem", 0, target) not in script(oracle).legal(0)
