"""Rules U1 to U4 and U9 of Undaunted, and the rulings on counters, on the scalar oracle.

Most tests start from a hand-made position, answer every decision from a script and look at what changed.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.undaunted import PASS, IllegalChoice, Oracle
from tests.oracle.undaunted_defaults import default_rules, rules_of
from tests.oracle.undaunted_script import (
    LAST,
    TILES,
    Force,
    Script,
    plays,
    position,
    scenario_of,
    targets,
    turn,
)
from tests.oracle.undaunted_table import SIDES, UNITS, Luck

NEAR = {0: (1, 4, 5), 5: (0, 1, 4, 6, 9, 10), 3: (2, 7), 7: (2, 3, 6, 11), 8: (4, 9), 11: (6, 7, 10)}


def start(number: int, **changes: Any) -> Oracle:
    return Oracle(default_rules(number, **changes), 2, Luck(0, [[], []], []), Script())


def hit_from(at: int, on: int, **more: Any) -> int:
    """The total defence of a Rifleman against one that attacks."""
    oracle = position(
        ("RA", "attack"),
        "RB",
        us=Force(hand="RA", counters={"RA": at}),
        de=Force(supply="RB", counters={"RB": on}),
        **more,
    )
    return turn(oracle).attacks[-1].defence


# --- U1: the board -------------------------------------------------------------------------------------


def test_u1_neighbours_are_those_of_the_hex_topology() -> None:
    oracle = position()
    for tile, near in NEAR.items():
        assert oracle.tiles[tile].neighbours == near
        assert oracle.within(tile, 1) == set(near)
    for tile, there in enumerate(oracle.tiles):
        assert all(tile in oracle.tiles[other].neighbours for other in there.neighbours)


@pytest.mark.parametrize("number", range(1, 13))
def test_u1_distances_on_all_maps(number: int) -> None:
    oracle = start(number)
    places = [tile["at"] for tile in oracle.rules["scenario"]["tiles"]]
    for one, (x, y) in enumerate(places):
        for other, (u, v) in enumerate(places):
            dx, dy = u - x, v - y
            steps = max(abs(dx), abs(dy)) if dx * dy >= 0 else abs(dx) + abs(dy)
            assert oracle.distances[one][other] == steps


def test_u1_borders_that_are_written_count_alone() -> None:
    board = scenario_of(Force(), Force())
    ring = [tile["name"] for tile in board["tiles"]]
    for k, tile in enumerate(board["tiles"]):
        tile["adj"] = [ring[k - 1], ring[(k + 1) % TILES]]
    oracle = Oracle(rules_of(board), 2, Luck(0, [[], []], []), Script())
    assert oracle.tiles[5].neighbours == (4, 6)
    assert oracle.distances[0] == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_u1_distance_adds_to_the_defence() -> None:
    assert [hit_from(4, tile) for tile in (4, 5, 6, 7, 9, 1, 3)] == [4, 5, 6, 7, 5, 6, 8][:7]


# --- U2, U3: fire and cover ------------------------------------------------------------------------------


def test_u2_everything_on_the_board_can_be_attacked_from_anywhere() -> None:
    far = {"RA": 11, "SB": 0, "MO": 7}
    oracle = position(
        us=Force(hand="SN", counters={"SN": 3}), de=Force(hand="RA SB MO", counters=far, bare=True)
    )
    assert targets(oracle, "SN", "attack") == ["RA", "SB", "MO"]


def test_u2_no_stacking_limit_and_both_sides_share_a_tile() -> None:
    everybody = dict.fromkeys(UNITS, 5)
    oracle = position(
        ("RB", "move"),
        us=Force(hand="RB", counters={**everybody, "RB": 4}, scouted=[5]),
        de=Force(counters=everybody),
    )
    turn(oracle)
    assert oracle.sides[0].counters == everybody
    assert len(oracle.counters_on(0, 5)) == len(oracle.counters_on(1, 5)) == 11


@pytest.mark.parametrize("cover", [0, 1, 2, 3])
def test_u3_cover_adds_to_the_defence(cover: int) -> None:
    assert hit_from(4, 5, cover={5: cover}) == 4 + cover + 1
    assert hit_from(4, 5, cover={4: cover}) == 4 + 1  # the attacker's own does not


def test_u3_a_hill_gives_3_but_1_against_an_attacker_on_a_hill() -> None:
    assert hit_from(4, 5, hills=[5]) == 4 + 3 + 1
    assert hit_from(4, 5, hills=[4, 5]) == 4 + 1 + 1
    assert hit_from(5, 5, hills=[5]) == 4 + 1  # on the same hill
    assert hit_from(4, 5, hills=[4], cover={5: 2}) == 4 + 2 + 1


def test_u3_cover_3_that_is_no_hill_stays_3() -> None:
    assert hit_from(4, 5, hills=[4], cover={5: 3}) == 4 + 3 + 1
    assert hit_from(4, 5, hills=[5], cover={4: 3}) == 4 + 3 + 1


def blast_defence(**more: Any) -> int:
    oracle = position(
        ("MO", "blast"),
        us=Force(hand="MO", counters={"MO": 0}, target=3),
        de=Force(supply="RB", counters={"RB": 3}),
        **more,
    )
    return turn(oracle).attacks[-1].defence


def test_u3_a_hill_gives_1_against_blast_and_other_cover_all() -> None:
    assert [blast_defence(cover={3: cover}) for cover in range(4)] == [4, 5, 6, 7]
    assert blast_defence(hills=[3]) == 5
    assert blast_defence(hills=[0, 3]) == 5


@pytest.mark.parametrize("less", [0, 1, 2, 3])
def test_u3_the_cover_of_a_hill_from_a_hill_is_a_setting(less: int) -> None:
    assert hit_from(4, 5, hills=[4, 5], hill_cover_from_hill=less) == 4 + less + 1
    assert hit_from(4, 5, hills=[5], hill_cover_from_hill=less) == 4 + 3 + 1
    assert blast_defence(hills=[3], hill_cover_from_hill=less) == 4 + less


def test_u3_hills_of_the_box_are_not_all_tiles_of_cover_3() -> None:
    hills = {number: [tile.name for tile in start(number).tiles if tile.hill] for number in range(1, 13)}
    assert {number: names for number, names in hills.items() if names} == {
        8: ["16A", "2A", "9A"],
        9: ["9A", "2A", "16A"],
        11: ["2A", "9A", "16A"],
        12: ["16A", "2A"],
    }
    assert any(tile.cover == 3 and not tile.hill for tile in start(12).tiles)


# --- U4: markers and points ------------------------------------------------------------------------------


def test_u4_the_score_is_the_points_of_controlled_tiles() -> None:
    points = {k: 1 + k for k in range(TILES)}
    oracle = position(
        us=Force(controlled=[1, 2], scouted=[3, 9]), de=Force(controlled=[9], scouted=[1, 4]), points=points
    )
    assert oracle.snapshot()["points"] == [2 + 3, 10]
    assert oracle.snapshot()["scouted"] == [[3, 9], [1, 4]]  # both may have a marker on one tile
    assert oracle.snapshot()["controlled"] == [[1, 2], [9]]


def test_u4_only_one_side_controls_a_tile() -> None:
    with pytest.raises(AssertionError):
        position(us=Force(controlled=[4]), de=Force(controlled=[4]))


def test_setup_is_that_of_the_scenario() -> None:
    oracle = start(7)
    us, de = oracle.sides
    assert (us.counters["RA"], us.counters["RB"], us.counters["SA"], us.counters["SB"]) == (0, 3, 0, 3)
    assert us.on_board() == ["RA", "RB", "SA", "SB"]
    assert (us.spawn["GA"], us.spawn["RC"], us.spawn["SN"], us.spawn["GB"]) == (0, 2, 2, 3)
    assert [oracle.tiles[k].name for k in us.spawn.values()][:3] == ["13B", "13B", "13B"]
    assert oracle.tiles[de.spawn["SN"]].name == "7A"
    assert us.deck == ["RA", "RB", "SA", "SB", "PS", "SLA", "SLB", "FOW", "FOW"]
    assert (us.supply["RC"], us.supply["FOW"], us.goal, de.goal) == (5, 8, 10, 10)
    assert oracle.snapshot()["points"] == [2, 3]
    assert [start(n).marker for n in (1, 3)] == [0, 1]
    assert (start(2).sides[1].goal, start(11).sides[0].goal) == (None, None)


@pytest.mark.parametrize("number", range(1, 13))
def test_setup_no_more_cards_than_the_box_holds(number: int) -> None:
    oracle = start(number)
    box = {"R": 5, "S": 3, "G": 3, "P": 1, "F": 10, "M": 3}
    for side in oracle.sides:
        for code, n in side.start.items():
            assert n <= (1 if code.startswith("SL") else box[code[0]])
        assert side.start["FOW"] == 10


def test_only_two_can_play() -> None:
    with pytest.raises(ValueError, match="2"):
        Oracle(default_rules(), 3, Luck(0, [[], []], []), Script())


@pytest.mark.parametrize("answer", [("RA", "scout"), ("RB", "move"), ("FOW", "hunker"), None, "stop"])
def test_an_answer_that_is_not_legal_is_refused(answer: Any) -> None:
    oracle = position(answer, us=Force(hand="RA FOW", counters={"RA": 0}))
    with pytest.raises(IllegalChoice):
        turn(oracle)


# --- U9, ruling 1: counters come and go ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "action", "answers"),
    [
        ("RA", "attack", ["SB"]),
        ("RA", "control", []),
        ("SA", "scout", [None]),
        ("SA", "recon", []),
        ("SA", "conceal", []),
        ("GB", "suppress", ["SB"]),
        ("SN", "stalk", [None]),
        ("MO", "target", [3]),
        ("MO", "move", [None]),
    ],
)
def test_u9_a_unit_off_the_board_is_placed_and_then_acts(card: str, action: str, answers: list[Any]) -> None:
    oracle = position(
        (card, action),
        *answers,
        PASS,
        us=Force(hand=f"{card} FOW RB", spawn={card: 4}, scouted=[4, 8], deck="RB"),
        de=Force(supply="FOW SB", counters={"SB": 5}),
    )
    assert oracle.sides[0].counters[card] is None
    assert action in plays(oracle, card)
    turn(oracle)
    assert oracle.snapshot()["counters"][0][card] == [4, False]
    if oracle.attacks:
        assert oracle.attacks[-1].defence == 5 + 1  # from the spawn tile


def test_u9_hunker_down_places_nothing() -> None:
    oracle = turn(position(("RA", "hunker"), us=Force(hand="RA", scouted=[0])))
    assert oracle.sides[0].counters["RA"] is None


def test_u9_a_unit_on_the_board_stays_where_it_is() -> None:
    oracle = turn(position(("SA", "attack"), us=Force(hand="SA", counters={"SA": 6}), cover={11: 3}))
    assert oracle.sides[0].counters["SA"] == 6
    assert oracle.attacks[-1].defence == 4 + 3 + 1


def test_ruling_1_placing_is_not_entering_and_asks_for_no_marker() -> None:
    oracle = position(
        ("SA", "scout"),
        None,
        us=Force(hand="SA", spawn={"SA": 5}, supply="FOW"),
        de=Force(counters={"RA": 5}),
    )
    turn(oracle)
    assert oracle.counters_on(0, 5) == ["SA"]  # among enemies
    assert oracle.snapshot()["scouted"] == [[], []]
    assert oracle.sides[0].discard == ["SA"]  # no fog
    assert oracle.sides[0].supply["FOW"] == 1


def test_ruling_1_every_unit_has_one_spawn_tile() -> None:
    board = scenario_of(Force(), Force())
    board["tiles"][4]["spawn"]["US"] = ["RA"]
    with pytest.raises(AssertionError, match="spawn"):
        Oracle(rules_of(board), 2, Luck(0, [[], []], []), Script())
    for number in range(1, 13):
        for side in start(number).sides:
            units = {code for code in side.start if code in UNITS and side.start[code]}
            assert units <= set(side.spawn), SIDES


def test_ruling_1_a_removed_counter_comes_back_ready() -> None:
    oracle = position(
        ("SN", "attack"),
        "SA",
        us=Force(hand="SN", counters={"SN": 5}),
        de=Force(counters={"SA": 5}, suppressed="SA", supply="SA"),
        dice=[9, 9, 9],
    )
    turn(oracle)
    de = oracle.sides[1]
    assert (de.counters["SA"], de.suppressed) == (None, set())
    de.supply["SA"] -= 1
    de.hand = ["SA"]
    oracle.seat, oracle.choose = 1, Script(("SA", "scout"), None)
    assert plays(oracle, "SA") == ["scout", "attack", "hunker"]
    turn(oracle)
    assert oracle.snapshot()["counters"][1]["SA"] == [11, False]


def test_the_last_card_of_a_deck_can_be_drawn_too() -> None:
    oracle = position(us=Force(deck="RA RA SN FOW", hand=""), draws=[LAST, LAST, 0, 0])
    oracle.draw(0, 3)
    assert oracle.sides[0].hand == ["FOW", "SN", "RA"]
