"""Rules U11 to U14, U18 and U21 of Undaunted: walking, control, the mortar's target; and their rulings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_script import (
    HIT,
    Force,
    cards,
    plays,
    position,
    script,
    table,
    targets,
    turn,
)
from tests.oracle.undaunted_table import FOG, UNITS

MOVERS = [unit for unit in UNITS if unit[0] in "RGM"]


def where(oracle: Oracle, unit: str, seat: int = 0) -> int | None:
    tile: int | None = oracle.sides[seat].counters[unit]
    return tile


# --- U11, U12, U14: Move, Guide, Stalk ------------------------------------------------------------------


@pytest.mark.parametrize("unit", MOVERS)
def test_u11_a_move_goes_one_step_onto_a_tile_with_an_own_marker(unit: str) -> None:
    us = Force(hand=unit, counters={unit: 5}, scouted=[0, 7], controlled=[10, 3])
    de = Force(counters={"RA": 10}, scouted=[1, 4, 6], controlled=[9])
    assert targets(position(us=us, de=de), unit, "move") == [0, 10]
    oracle = turn(position((unit, "move"), 10, us=us, de=de))
    assert where(oracle, unit) == 10
    assert oracle.snapshot()["scouted"] == [[0, 7], [1, 4, 6]]  # no markers


def test_u11_every_tile_entered_carries_a_marker_and_the_one_left_need_not() -> None:
    us = Force(hand="RA", counters={"RA": 0}, scouted=[1, 3])
    rows = table("rifleman", move=3)
    oracle = turn(position(("RA", "move"), us=us, cards=rows))
    assert where(oracle, "RA") == 1  # 2 has no marker: the only step was taken by itself, then it stayed
    assert script(oracle).looks[1:] == []


def test_u11_up_to_n_tiles() -> None:
    us = Force(hand="RA", counters={"RA": 0}, scouted=[0, 1, 2, 3])
    rows = table("rifleman", move=3)
    ends = {}
    for answers in ([1, 2, 3], [1, 2, None], [1, None], [1, 0, 1]):
        oracle = turn(position(("RA", "move"), *answers[1:], us=us, cards=rows))
        ends[tuple(answers)] = where(oracle, "RA")
        assert script(oracle).legal("step") == [None, 0, 2]
    assert list(ends.values()) == [3, 2, 1, 1]


def test_u12_guide_moves_any_own_counter_that_is_on_the_board_and_ready() -> None:
    counters = {"RA": 4, "SA": 5, "GA": 8, "SN": 7, "MO": 1, "RB": 6}
    us = Force(hand="PG", counters=counters, suppressed="SA", scouted=[0, 4])
    oracle = position(("PG", "guide"), "GA", us=us)
    assert targets(position(us=us), "PG", "guide") == ["RA", "RC", "GA", "MO"]  # U10, ruling 6
    turn(oracle)
    assert where(oracle, "GA") == 4
    assert oracle.sides[0].counters["RA"] == 4


@pytest.mark.parametrize("unit", UNITS)
def test_u12_guide_enters_tiles_with_an_own_marker_only(unit: str) -> None:
    us = Force(hand="PG", counters={unit: 5}, scouted=[7], controlled=[10, 6], bare=True)
    oracle = position(us=us, de=Force(scouted=[4]))
    assert targets(oracle, "PG", "guide") == [6, 10]  # the unit is the only one: asked for its step
    assert oracle.acting is None
    assert oracle.sides[0].on_board() == [unit]


def test_u12_guide_n_takes_n_steps() -> None:
    us = Force(hand="PG", counters={"SA": 0}, scouted=[1, 2, 3], bare=True)
    for steps, end in (([2, 3], 3), ([None], 1), ([2, None], 2)):
        oracle = position(("PG", "guide"), *steps, us=us, cards=table("guide", guide=3))
        assert where(turn(oracle), "SA") == end


def test_u10_guide_cannot_move_a_suppressed_counter() -> None:
    us = Force(hand="PG", counters={"RA": 5}, suppressed="RA", scouted=[4, 6], bare=True)
    assert plays(position(us=us), "PG") == ["hunker"]
    us.suppressed = ""
    assert plays(position(us=us), "PG") == ["guide", "hunker"]


def test_ruling_6_guide_does_not_place_counters() -> None:
    us = Force(hand="PG", scouted=[0, 1, 4, 5], bare=True)
    assert plays(position(us=us), "PG") == ["hunker"]


def test_u14_stalk_goes_anywhere_and_places_no_markers() -> None:
    us = Force(hand="SN", counters={"SN": 5}, supply=FOG)
    de = Force(counters={"RA": 10}, controlled=[10])
    assert targets(position(us=us, de=de), "SN", "stalk") == [0, 1, 4, 6, 9, 10]
    oracle = turn(position(("SN", "stalk"), 10, us=us, de=de))
    assert (where(oracle, "SN"), oracle.snapshot()["scouted"][0]) == (10, [])
    assert oracle.sides[0].discard == ["SN"]


def test_u14_stalk_n_takes_up_to_n_steps() -> None:
    us = Force(hand="SN", counters={"SN": 0})
    rows = table("sniper", stalk=2)
    for steps, end in (([1, 2], 2), ([5, 0], 0), ([4, None], 4)):
        assert where(turn(position(("SN", "stalk"), *steps, us=us, cards=rows)), "SN") == end


# --- U13: Scout -----------------------------------------------------------------------------------------


def test_u13_a_scout_marks_what_it_enters_and_takes_fog_for_each_marker() -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW FOW FOW", scouted=[0])
    oracle = turn(position(("SA", "scout"), 5, 6, us=us))
    assert where(oracle, "SA") == 6
    assert oracle.snapshot()["scouted"][0] == [0, 5, 6]
    assert cards(oracle.sides[0].discard) == "SA FOW FOW"
    assert oracle.sides[0].supply[FOG] == 1


@pytest.mark.parametrize("own", ["scouted", "controlled"])
def test_u13_no_marker_and_no_fog_where_there_is_an_own_marker(own: str) -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW FOW", **{own: [5]})  # type: ignore[arg-type]
    de = Force(scouted=[6])
    oracle = turn(position(("SA", "scout"), 5, 6, us=us, de=de))
    assert oracle.sides[0].markers[5] == own
    assert oracle.sides[0].markers[6] == "scouted"  # the enemy's marker does not count
    assert cards(oracle.sides[0].discard) == "SA FOW"
    assert oracle.sides[1].markers[6] == "scouted"


def test_u13_an_enemy_controlled_tile_can_be_scouted_too() -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW")
    oracle = turn(position(("SA", "scout"), 5, None, us=us, de=Force(controlled=[5], counters={"RA": 5})))
    assert (oracle.sides[0].markers[5], oracle.sides[1].markers[5]) == ("scouted", "controlled")
    assert cards(oracle.sides[0].discard) == "SA FOW"


def test_ruling_3_markers_are_placed_even_when_the_fog_has_run_out() -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW")
    oracle = turn(position(("SA", "scout"), 5, 6, us=us))
    assert oracle.snapshot()["scouted"][0] == [5, 6]
    assert cards(oracle.sides[0].discard) == "SA FOW"
    assert oracle.sides[0].supply[FOG] == 0


def test_ruling_3_a_path_has_one_or_two_steps_and_may_return_to_its_start() -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW FOW FOW")
    oracle = turn(position(("SA", "scout"), 5, 0, us=us))
    assert script(oracle).legal("step", 0) == [1, 4, 5]  # not 0 steps
    assert script(oracle).legal("step", 1) == [None, 0, 1, 4, 6, 9, 10]
    assert (where(oracle, "SA"), oracle.snapshot()["scouted"][0]) == (0, [0, 5])  # its start is entered
    oracle = turn(position(("SA", "scout"), 5, None, us=us))
    assert (where(oracle, "SA"), oracle.snapshot()["scouted"][0]) == (5, [5])


@pytest.mark.parametrize("play", [("SA", "scout"), ("SN", "stalk"), ("RA", "move"), ("MO", "move")])
def test_ruling_3_only_a_unit_that_was_off_the_board_may_stay(play: tuple[str, str]) -> None:
    card, action = play
    us = Force(hand=card, scouted=[4, 5])
    assert targets(position(us=us), card, action)[0] is None
    oracle = turn(position((card, action), None, us=us))
    assert where(oracle, card) == 0
    us = Force(hand=card, counters={card: 0}, scouted=[4, 5])
    assert None not in targets(position(us=us), card, action)


def test_ruling_3_a_unit_off_the_board_may_come_where_it_cannot_move_on() -> None:
    us = Force(hand="RA", scouted=[0, 7])
    oracle = turn(position(("RA", "move"), us=us))
    assert where(oracle, "RA") == 0
    assert [kind for kind, *_ in script(oracle).looks] == ["play"]


def test_ruling_3_a_unit_that_is_placed_may_move_on() -> None:
    us = Force(hand="RA", scouted=[5], spawn={"RA": 4})
    assert where(turn(position(("RA", "move"), 5, us=us)), "RA") == 5
    us = Force(hand="SA", supply="FOW FOW")
    oracle = turn(position(("SA", "scout"), 4, 8, us=us))
    assert (where(oracle, "SA"), oracle.snapshot()["scouted"][0]) == (8, [4, 8])


def test_u13_scout_n_takes_up_to_n_steps() -> None:
    us = Force(hand="SA", counters={"SA": 0}, supply="FOW FOW FOW")
    oracle = turn(position(("SA", "scout"), 1, 2, 3, us=us, cards=table("scout", scout=3)))
    assert (where(oracle, "SA"), oracle.snapshot()["scouted"][0]) == (3, [1, 2, 3])


# --- U18: Control ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("theirs", [None, "scouted", "controlled"])
def test_u18_control_turns_the_marker_and_the_enemys_back(theirs: str | None) -> None:
    us = Force(hand="RA", counters={"RA": 5}, scouted=[4, 5])
    de = Force(**({theirs: [4, 5]} if theirs else {}))  # type: ignore[arg-type]
    oracle = turn(position(("RA", "control"), us=us, de=de, points={5: 3, 6: 60}))
    assert oracle.snapshot()["controlled"][0] == [5]
    assert oracle.snapshot()["scouted"][0] == [4]
    assert oracle.sides[1].markers[5] == ("scouted" if theirs else None)
    assert oracle.sides[1].markers[4] == theirs  # another tile stays
    assert oracle.snapshot()["points"] == [3, 0]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("suppressed", [False, True])
def test_u18_any_enemy_counter_on_the_tile_stops_control(unit: str, suppressed: bool) -> None:
    us = Force(hand="RA", counters={"RA": 5, "SA": 5}, scouted=[5])
    there = Force(counters={unit: 5}, suppressed=unit if suppressed else "")
    assert "control" not in plays(position(us=us, de=there), "RA")
    away = Force(counters={unit: 4}, suppressed=unit if suppressed else "")
    assert "control" in plays(position(us=us, de=away), "RA")


def test_u18_control_needs_an_own_scouted_marker_under_the_rifleman() -> None:
    others = [k for k in range(12) if k != 5]
    for scouted, controlled, legal in (([5], [], True), ([], [5], False), (others, [], False)):
        us = Force(hand="RA", counters={"RA": 5}, scouted=scouted, controlled=controlled)
        assert ("control" in plays(position(us=us, de=Force(scouted=[5])), "RA")) == legal


def test_ruling_11_a_tile_of_0_points_can_be_controlled() -> None:
    us = Force(hand="RA", counters={"RA": 5}, scouted=[5])
    oracle = turn(position(("RA", "control"), us=us))
    assert oracle.snapshot()["controlled"][0] == [5]
    assert oracle.snapshot()["points"] == [0, 0]


# --- U21: the mortar's target ---------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "far"), [(0, [3, 7, 11]), (5, [3]), (8, [1, 2, 3, 6, 7, 11])])
def test_u21_the_target_is_at_a_distance_of_3_or_more(at: int, far: list[int]) -> None:
    oracle = position(us=Force(hand="MO", counters={"MO": at}))
    away = oracle.distances[at]
    assert far == [k for k in range(12) if away[k] >= 3]
    for tile in far:
        answers = [tile] if len(far) > 1 else []
        oracle = turn(position(("MO", "target"), *answers, us=Force(hand="MO", counters={"MO": at})))
        assert oracle.sides[0].target == tile
    if len(far) > 1:
        assert targets(oracle_at(at), "MO", "target") == far


def oracle_at(at: int, target: int | None = None, **changes: Any) -> Oracle:
    return position(us=Force(hand="MO", counters={"MO": at}, target=target), **changes)


@pytest.mark.parametrize("least", [0, 1, 2, 3])
def test_u21_the_distance_is_a_setting(least: int) -> None:
    oracle = oracle_at(0, target_distance=least)
    expected = [k for k in range(12) if oracle.distances[0][k] >= least]
    assert targets(oracle, "MO", "target") == expected


def test_u21_target_moves_the_marker_that_lies_already() -> None:
    assert targets(oracle_at(0, target=7), "MO", "target") == [3, 11]
    oracle = turn(position(("MO", "target"), 11, us=Force(hand="MO", counters={"MO": 0}, target=7)))
    assert oracle.sides[0].target == 11


def test_u21_each_side_has_its_own_marker() -> None:
    us, de = Force(hand="MO", counters={"MO": 0}, target=7), Force(counters={"MO": 11}, target=0)
    oracle = turn(position(("MO", "target"), 3, us=us, de=de))
    assert [side.target for side in oracle.sides] == [3, 0]


def test_u21_the_marker_is_removed_when_the_mortar_moves() -> None:
    us = Force(hand="MO", counters={"MO": 0, "RA": 4}, target=7, scouted=[1, 5])
    assert turn(position(("MO", "move"), 1, us=us)).sides[0].target is None


def test_ruling_6_guiding_the_mortar_removes_its_marker() -> None:
    us = Force(hand="PG", counters={"MO": 0, "RA": 4}, target=7, scouted=[1, 5])
    assert turn(position(("PG", "guide"), "MO", 1, us=us)).sides[0].target is None
    assert turn(position(("PG", "guide"), "RA", us=us)).sides[0].target == 7


def test_u21_the_marker_stays_when_other_units_move_or_the_mortar_fires() -> None:
    us = Force(hand="RA MO", counters={"MO": 0, "RA": 4}, target=7, scouted=[5])
    oracle = position(("RA", "move"), ("MO", "blast"), us=us, de=Force(counters={"SA": 7}))
    assert turn(oracle).sides[0].target == 7


def lose_the_mortar(**changes: Any) -> Oracle:
    de = Force(counters={"MO": 11}, target=0)
    us = Force(hand="RA", counters={"RA": 11})
    return turn(position(("RA", "attack"), "MO", us=us, de=de, dice=[HIT], **changes))


def test_u21_the_marker_is_removed_with_the_mortar() -> None:
    oracle = lose_the_mortar()
    assert (where(oracle, "MO", 1), oracle.sides[1].target) == (None, None)


def test_u21_whether_the_marker_outlives_the_mortar_is_a_setting() -> None:
    oracle = lose_the_mortar(target_outlives_mortar=True)
    assert (where(oracle, "MO", 1), oracle.sides[1].target) == (None, 0)


def test_u21_a_lost_card_of_the_mortar_leaves_the_marker() -> None:
    de = Force(counters={"MO": 11}, target=0, hand="MO")
    us = Force(hand="RA", counters={"RA": 11})
    oracle = turn(position(("RA", "attack"), "MO", us=us, de=de, dice=[HIT]))
    assert (where(oracle, "MO", 1), oracle.sides[1].target) == (11, 0)
