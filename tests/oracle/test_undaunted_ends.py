"""Rules U26 to U31 of Undaunted: how a game ends; and their rulings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_script import HIT, Force, plays, position, rounds, turn

End = tuple[str | None, int | None]


def end_of(oracle: Oracle) -> End:
    turn(oracle)
    return oracle.end, oracle.winner


def after_a_play(us: Force, de: Force, **more: Any) -> End:
    """The end right after US has hunkered down, which changes nothing else."""
    us.hand = "PS"
    return end_of(position(("PS", "hunker"), us=us, de=de, **more))


POINTS = {1: 1, 2: 2, 3: 3, 6: 10}


def side(goal: int | str, controlled: tuple[int, ...] = (), riflemen: bool = True, **more: Any) -> Force:
    """A side with its goal, with or without a Rifleman on the board, and every card it could want."""
    counters = {"RA": 5} if riflemen else {"SA": 5}
    more = {"supply": "RA SA", "counters": counters, **more}
    return Force(goal=goal, controlled=controlled, bare=True, **more)


# --- U26: points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "end"), [(2, (None, None)), (3, ("points", 0)), (4, ("points", 0))])
def test_u26_a_side_wins_when_its_points_reach_its_goal(points: int, end: End) -> None:
    us = Force(hand="RA SA", counters={"RA": 5}, scouted=[5], controlled=[1], goal=4)
    oracle = position(("RA", "control"), ..., us=us, points={1: 1, 5: points, 6: 50})
    assert end_of(oracle) == end
    assert oracle.over == (end[0] is not None)
    if oracle.over:
        assert oracle.sides[0].hand == ["SA"]  # at once, the rest stays as it is
        assert oracle.sides[0].play_area == ["RA"]


def test_u26_either_side_at_every_action() -> None:
    us, de = side(10, (1,)), side(2, (2,))
    assert after_a_play(us, de, points=POINTS) == ("points", 1)
    assert after_a_play(side(1, (1,)), side(20, (6,)), points=POINTS | {3: 30}) == ("points", 0)


def test_u26_the_points_of_a_side_whose_goal_is_a_pin_do_not_win() -> None:
    assert after_a_play(side("pin", (3, 6)), side(1), points=POINTS) == (None, None)


def test_u26_scouted_tiles_do_not_count() -> None:
    assert after_a_play(side(3, (), scouted=[3]), side(9), points=POINTS) == (None, None)


def test_u26_the_end_is_looked_for_after_every_card_not_only_after_the_turn() -> None:
    us = Force(hand="RA RA", counters={"RA": 5}, scouted=[5, 4], goal=3)
    oracle = position(("RA", "control"), us=us, points={5: 3, 6: 9})
    assert end_of(oracle) == ("points", 0)
    assert len(oracle.records("play")) == 1


# --- U27: pinned ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["always", "goal"])
def test_u27_a_side_whose_goal_it_is_wins_when_the_enemy_is_pinned(mode: str) -> None:
    pinned, steady = side(5, riflemen=False), side("pin")
    assert after_a_play(steady, pinned, points=POINTS, pin_ends_game=mode) == ("pin", 0)
    pinned, steady = side(5, riflemen=False), side("pin")
    assert after_a_play(pinned, steady, points=POINTS, pin_ends_game=mode) == ("pin", 1)


@pytest.mark.parametrize("rifleman", ["RA", "RB", "RC"])
def test_u27_one_rifleman_on_the_board_is_enough_even_suppressed(rifleman: str) -> None:
    de = side(5, counters={rifleman: 3}, suppressed=rifleman)
    assert after_a_play(side("pin"), de, points=POINTS) == (None, None)


def test_u27_no_other_counter_helps_and_cards_do_not() -> None:
    others = dict.fromkeys(("SA", "GA", "SN", "MO"), 3)
    de = side(5, counters=others, hand="RA RB", deck="RC")
    assert after_a_play(side("pin"), de, points=POINTS) == ("pin", 0)


@pytest.mark.parametrize("goals", [(5, 5), (5, "pin")])
def test_u27_pinning_the_enemy_ends_the_game_always_or_only_as_a_goal(goals: tuple[Any, Any]) -> None:
    """DE is pinned; US has no goal of pinning."""
    for mode, end in (("always", ("pin", 0)), ("goal", (None, None))):
        us, de = side(goals[0]), side(goals[1], riflemen=False)
        assert after_a_play(us, de, points=POINTS, pin_ends_game=mode) == end


def test_u27_a_pin_comes_about_by_a_casualty() -> None:
    for mode, end in (("always", ("pin", 0)), ("goal", (None, None))):
        us = Force(hand="SN", counters={"SN": 5})
        de = Force(counters={"RB": 5, "SB": 5}, bare=True, supply="RB SB", goal=50)
        oracle = position(("SN", "attack"), "RB", us=us, de=de, dice=[HIT, 1, 1], pin_ends_game=mode)
        assert end_of(oracle) == end


def test_ruling_9_a_pin_goal_wins_even_if_pinned_oneself() -> None:
    us, de = side("pin", riflemen=False), side(5, (3,), riflemen=False)
    assert after_a_play(us, de, points=POINTS, marker=1) == ("pin", 0)


def test_ruling_9_points_come_before_a_pin() -> None:
    us, de = side(3, (3,), riflemen=False), side("pin")
    assert after_a_play(us, de, points=POINTS) == ("points", 0)
    us, de = side("pin"), side(3, (3,), riflemen=False)
    assert after_a_play(us, de, points=POINTS) == ("points", 1)


@pytest.mark.parametrize("marker", [0, 1])
def test_two_pin_goals_one_met_wins_and_both_met_go_by_points(marker: int) -> None:
    """No scenario of the box has two: the general order of ruling 9 decides."""
    assert after_a_play(side("pin"), side("pin", riflemen=False), points=POINTS) == ("pin", 0)
    us, de = side("pin", (1,), riflemen=False), side("pin", (2,), riflemen=False)
    assert after_a_play(us, de, points=POINTS, marker=marker) == ("both pinned", 1)


# --- U28: both pinned ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["always", "goal"])
@pytest.mark.parametrize("marker", [0, 1])
def test_u28_the_side_with_more_points_wins_and_a_tie_goes_to_the_marker(mode: str, marker: int) -> None:
    for mine, theirs, winner in (((1,), (2,), 1), ((2, 1), (), 0), ((), (), marker), ((4,), (8,), marker)):
        us, de = side(8, mine, riflemen=False), side(8, theirs, riflemen=False)
        more = {"points": POINTS, "marker": marker, "pin_ends_game": mode}
        assert after_a_play(us, de, **more) == ("both pinned", winner)


# --- U29, ruling 10: beyond all hope -------------------------------------------------------------------

CARDS = {"none": "", "rifleman": "RB", "scout": "SC", "both": "RB SC"}
REACH = {"none": 1, "rifleman": 1 + 2, "scout": 1, "both": 1 + 2 + 3 + 10}


@pytest.mark.parametrize("place", ["hand", "deck", "discard", "supply"])
@pytest.mark.parametrize("left", CARDS)
def test_ruling_10_reachable_points(left: str, place: str) -> None:
    """Controlled; own-scouted with a Rifleman card; the others with a Scout card too, wherever they lie."""
    us = side(50, (1,), supply="GA PS SLA SN FOW", scouted=[2])
    setattr(us, place, f"{getattr(us, place)} {CARDS[left]}")
    oracle = position(us=us, de=side(50, (3,)), points=POINTS)
    assert oracle.reachable(0) == REACH[left]


def test_ruling_10_cards_of_the_play_area_are_left_and_removed_ones_are_not() -> None:
    us = side(50, (1,), supply="", scouted=[2], played="RA SA")
    assert position(us=us, de=side(50), points=POINTS).reachable(0) == 16
    us = side(
        50, (1,), supply="SA", scouted=[2], counters={"MO": 0, "RA": 3}, target=3, played="RA", hand="MO"
    )
    oracle = position(("MO", "blast"), ..., us=us, de=side(50), points=POINTS, dice=[HIT])
    turn(oracle)
    assert oracle.sides[0].removed == {"RA": 1}
    assert oracle.reachable(0) == 1  # the counter alone controls nothing


@pytest.mark.parametrize(("goal", "hopeless"), [(16, False), (17, True)])
def test_u29_no_hope_is_less_than_the_goal(goal: int, hopeless: bool) -> None:
    oracle = position(us=side(goal, (1,)), de=side(5), points=POINTS)
    assert oracle.hopeless(0) == hopeless


def test_u29_a_side_whose_goal_is_a_pin_never_is() -> None:
    assert not position(us=side("pin", supply=""), de=side(5), points=POINTS).hopeless(0)


def hopeless(controlled: tuple[int, ...] = (), **more: Any) -> Force:
    """A side that can reach no more than it has."""
    return side(8, controlled, supply="SA", **more)


@pytest.mark.parametrize("mode", ["always", "goal"])
def test_u29_no_hope_counts_as_pinned_for_a_pin_goal(mode: str) -> None:
    """Even ahead in points."""
    end = after_a_play(side("pin"), hopeless((3,)), points=POINTS, pin_ends_game=mode)
    assert end == ("no hope", 0)
    end = after_a_play(hopeless((3,)), side("pin"), points=POINTS, pin_ends_game=mode)
    assert end == ("no hope", 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "end"),
    [
        ((1,), (2,), ("no hope", 1)),
        ((2,), (1,), (None, None)),
        ((), (), (None, None)),
        ((4,), (8,), (None, None)),
    ],
)
def test_u29_against_a_points_goal_it_loses_once_the_other_side_controls_more(
    mine: tuple[int, ...], theirs: tuple[int, ...], end: End
) -> None:
    more = {"points": POINTS, "pin_ends_game": "goal"}
    assert after_a_play(hopeless(mine), side(8, theirs), **more) == end
    other = end[0], None if end[1] is None else 1 - end[1]
    assert after_a_play(side(8, theirs), hopeless(mine), **more) == other


def test_ruling_9_with_always_no_hope_loses_at_once() -> None:
    more = {"points": POINTS, "pin_ends_game": "always"}
    assert after_a_play(hopeless((2,)), side(8, (1,)), **more) == ("no hope", 1)
    assert after_a_play(side(8, (1,)), hopeless((2,)), **more) == ("no hope", 0)


def test_ruling_9_with_goal_no_hope_loses_only_behind() -> None:
    more = {"points": POINTS, "pin_ends_game": "goal"}
    assert after_a_play(hopeless((2,)), side(8, (1,)), **more) == (None, None)
    assert after_a_play(hopeless(), side(8), **more) == (None, None)
    assert after_a_play(hopeless((1,)), side(8, (2,)), **more) == ("no hope", 1)


@pytest.mark.parametrize("mode", ["always", "goal"])
@pytest.mark.parametrize("marker", [0, 1])
def test_u29_one_pinned_and_one_without_hope_are_both_out(mode: str, marker: int) -> None:
    more = {"points": POINTS, "pin_ends_game": mode, "marker": marker}
    pinned = side(8, (2,), riflemen=False)
    assert after_a_play(pinned, hopeless((1,)), **more) == ("both pinned", 0)
    assert after_a_play(hopeless((1,)), pinned, **more) == ("both pinned", 1)
    assert after_a_play(hopeless(), hopeless(), **more) == ("both pinned", marker)


def test_u29_pinned_and_without_hope_is_a_pin_where_a_pin_ends_the_game() -> None:
    for mode, end in (("always", "pin"), ("goal", "no hope")):
        out = hopeless((), riflemen=False)
        assert after_a_play(side(8, (1,)), out, points=POINTS, pin_ends_game=mode) == (end, 0)
        out = hopeless((), riflemen=False)
        assert after_a_play(side("pin"), out, points=POINTS, pin_ends_game=mode) == ("pin", 0)


# --- U30, ruling 11: the radio -------------------------------------------------------------------------


def radio(seat: int, marker: str, **more: Any) -> Oracle:
    """A Rifleman of a seat on the radio, tile 5, worth 1."""
    own = Force(hand="RA RA", counters={"RA": 5}, **{marker: [5]}, **more)  # type: ignore[arg-type]
    forces = [own, Force()] if seat == 0 else [Force(), own]
    return position(..., us=forces[0], de=forces[1], seat=seat, radio=5, points={5: 1, 6: 50})


def test_u30_every_further_us_control_adds_a_point() -> None:
    oracle = radio(0, "scouted")
    oracle.use("RA", "control")
    assert (oracle.score(0), oracle.snapshot()["radio"]) == (1, 1)  # the first one takes the tile
    oracle.use("RA", "control")
    assert (oracle.score(0), oracle.snapshot()["radio"]) == (2, 2)
    oracle.sides[0].hand.append("RA")
    oracle.use("RA", "control")
    assert (oracle.score(0), oracle.snapshot()["radio"]) == (3, 3)
    assert oracle.snapshot()["controlled"] == [[5], []]


def test_ruling_11_only_us_and_only_the_radio_tile() -> None:
    assert "control" in plays(radio(0, "controlled"), "RA")
    assert "control" not in plays(radio(1, "controlled"), "RA")
    assert "control" in plays(radio(1, "scouted"), "RA")
    us = Force(hand="RA", counters={"RA": 4}, controlled=[4])
    assert "control" not in plays(position(us=us, radio=5), "RA")


def test_u30_enemies_on_the_radio_stop_control_there_too() -> None:
    us = Force(hand="RA", counters={"RA": 5}, controlled=[5])
    assert "control" not in plays(position(us=us, de=Force(counters={"SA": 5}), radio=5), "RA")


def test_ruling_11_the_value_stays_for_both_sides() -> None:
    us = Force(hand="RA RA", counters={"RA": 5}, controlled=[5])
    oracle = position(us=us, de=Force(scouted=[5]), radio=5, points={5: 1, 6: 50})
    oracle.use("RA", "control")
    oracle.use("RA", "control")
    assert oracle.score(0) == 3
    # DE takes the tile: worth 3 to it, and the US marker turns to scouted
    oracle.seat, oracle.sides[0].counters["RA"] = 1, 0
    oracle.sides[0].play_area.clear()
    oracle.sides[1].hand, oracle.sides[1].counters["RB"] = ["RB"], 5
    oracle.use("RB", "control")
    assert [oracle.score(seat) for seat in (0, 1)] == [0, 3]
    assert oracle.sides[0].markers[5] == "scouted"
    # US takes it back: that adds nothing
    oracle.seat, oracle.sides[1].counters["RB"], oracle.sides[0].counters["RA"] = 0, 11, 5
    oracle.sides[0].hand = ["RA"]
    oracle.use("RA", "control")
    assert [oracle.score(seat) for seat in (0, 1)] == [3, 0]


@pytest.mark.parametrize(
    ("marker", "cards", "hopeless"),
    [
        ("controlled", "RA", False),
        ("controlled", "SA", True),
        ("scouted", "RA", False),
        ("scouted", "SA", True),
        (None, "RA", True),
        (None, "RA SA", False),
    ],
)
def test_ruling_10_the_radio_makes_points_unlimited_for_us(
    marker: str | None, cards: str, hopeless: bool
) -> None:
    held = {marker: [5]} if marker else {}
    for seat in (0, 1):
        own = Force(goal=90, bare=True, counters={"RA": 5}, supply=cards, **held)  # type: ignore[arg-type]
        forces = [own, side(5)] if seat == 0 else [side(5), own]
        oracle = position(us=forces[0], de=forces[1], radio=5, points={5: 1, 6: 50})
        assert oracle.hopeless(seat) == (hopeless or seat == 1)


def test_u30_the_points_of_the_radio_win_the_game() -> None:
    us = Force(hand="RA RA RA", counters={"RA": 5}, controlled=[5], goal=3)
    oracle = position(("RA", "control"), ("RA", "control"), us=us, radio=5, points={5: 1, 6: 50})
    assert end_of(oracle) == ("points", 0)


# --- U31: the round limit ------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("marker", [0, 1])
@pytest.mark.parametrize(
    ("mine", "theirs", "winner"), [((1,), (2,), 1), ((3,), (2,), 0), ((), (), None), ((1, 2), (3,), None)]
)
def test_u31_after_the_last_round_more_points_win_and_a_tie_is_a_draw(
    mine: tuple[int, ...], theirs: tuple[int, ...], winner: int | None, marker: int, limit: int
) -> None:
    us, de = side(8, mine, deck="FOW"), side(8, theirs, deck="FOW")
    oracle = position(us=us, de=de, seat=None, marker=marker, points=POINTS, round_limit=limit)
    assert sum(what == "turn" for what in oracle.steps()) == 2 * limit
    assert (oracle.end, oracle.winner) == ("round limit", winner)
    outcome = oracle.outcome()
    assert (outcome.rounds, outcome.end, outcome.winner) == (limit, "round limit", winner)
    assert oracle.snapshot()["over"]


def test_u31_an_end_in_the_last_round_comes_first() -> None:
    us = Force(deck="FOW RA", counters={"RA": 5}, scouted=[5], goal=1)
    answers = "FOW", ("RA", "control")  # in the last turn
    oracle = position(*answers, us=us, de=Force(deck="SN"), seat=None, points={5: 1, 6: 50}, round_limit=1)
    rounds(oracle)
    assert (oracle.end, oracle.winner) == ("points", 0)


def test_u31_sixty_rounds() -> None:
    oracle = position(us=side(8, deck="FOW"), de=side(8, deck="FOW"), seat=None, points=POINTS)
    assert oracle.play().rounds == 60
