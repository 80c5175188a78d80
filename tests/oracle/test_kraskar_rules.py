"""Every rule K1 to K23 of Kraskar, and the rulings that belong to them, tested on the scalar oracle.

Seat 0 is at row 0 and goes forward to higher rows. Most tests start from a hand-made position, answer every
decision from a script and look at what changed. What ends at the head of a turn, and stratagems, have files
of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.kraskar import DIRECTIONS, PASS, IllegalChoice, Oracle
from tests.oracle.kraskar_defaults import ROSTER, default_rules
from tests.oracle.kraskar_script import (
    TROOPS,
    Piece,
    Script,
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
from tests.oracle.kraskar_table import Luck

FAR = [infantry((4, 4))]  # an enemy out of everybody's way
AROUND = {(3, 2): "forward", (1, 2): "back", (2, 1): "west", (2, 3): "east"}  # of (2, 2), for seat 0


def started(*answers: Any, at: Any = None, first: int = 0, **changes: Any) -> Oracle:
    """A new game with the default decks; all units start in column 1 if nothing else is said."""
    return Oracle(default_rules(**changes), 2, Luck(first, at or [[1] * 5] * 2), Script(*answers))


def hit_points(oracle: Oracle) -> list[list[int]]:
    points: list[list[int]] = oracle.snapshot()["hit_points"]
    return points


# --- board and setup ------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (3, 4), (5, 5), (5, 7), (7, 4), (7, 7)])
def test_k1_the_board_lies_between_two_castles(columns: int, rows: int) -> None:
    oracle = started(columns=columns, rows=rows)
    last, right = rows - 1, columns - 1
    assert oracle.snapshot()["square"] == [[(0, 1)] * 5, [(last, 1)] * 5]
    near = {to: oracle.step(0, (0, 0), to) for to in DIRECTIONS}
    assert near == {"forward": (1, 0), "back": None, "west": None, "east": (0, 1)}
    far = {to: oracle.step(0, (last, right), to) for to in DIRECTIONS}
    assert far == {"forward": None, "back": (last - 1, right), "west": (last, right - 1), "east": None}
    theirs = {to: oracle.step(1, (last, right), to) for to in DIRECTIONS}
    assert theirs == {"forward": (last - 1, right), "back": None, "west": (last, right - 1), "east": None}


@pytest.mark.parametrize("rows", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("side", [0, 1])
def test_k2_the_siege_area_is_the_enemys_nearest_row(rows: int, side: int) -> None:
    before = (rows - 2, 1)[side]  # the row before the siege area, from either side
    far = [infantry((0, 2))], [infantry((rows - 1, 2))]
    forward = ("move", 0, "forward")
    oracle = position(*_sides(side, [infantry((before, 0))], far), forward, PASS, first=side, rows=rows)
    turns(oracle)
    (siege,) = oracle.records("siege")
    assert (siege["seat"], siege["gate"]) == (side, False)
    if rows > 3:
        behind = before + (-1, 1)[side]
        oracle = position(*_sides(side, [infantry((behind, 0))], far), forward, PASS, first=side, rows=rows)
        turns(oracle)
        assert not oracle.records("siege")


def _sides(side: int, pieces: list[Piece], other: tuple[list[Piece], list[Piece]]) -> list[list[Piece]]:
    """Pieces for one seat, and the other seat's own."""
    return [pieces, other[1]] if side == 0 else [other[0], pieces]


@pytest.mark.parametrize("columns", [3, 5, 7])
def test_k2_the_gate_is_the_central_square(columns: int) -> None:
    gates = []
    for column in range(columns):
        oracle = position(
            [infantry((3, column))], FAR[:0], ("move", 0, "forward"), columns=columns, movement_points=1
        )
        turns(oracle)
        gates.append(oracle.records("siege")[0]["gate"])
    assert gates == [column == columns // 2 for column in range(columns)]


def test_k2_an_enemy_in_the_siege_area_blocks_it() -> None:
    mine, theirs = [infantry((3, 2)), cavalry((3, 2))], [infantry((4, 2))]
    oracle = position(mine, theirs, ("charge", 1, "forward"), PASS)
    assert ("move", 0, "forward") not in legal_now(position(mine, theirs), "move")
    turns(oracle)
    assert oracle.castle == [36, 36]
    assert losses(oracle) == [("charge", 0, 8)]


@pytest.mark.parametrize("life", [12, 36, 48])
def test_k3_castle_life(life: int) -> None:
    assert started(castle_life=life).castle == [life, life]


def test_k3_start_columns_are_those_of_the_luck_and_may_be_shared() -> None:
    at = [[0, 4, 2, 2, 2], [1, 1, 3, 0, 4]]
    squares = started(at=at).snapshot()["square"]
    assert squares == [[(0, c) for c in at[0]], [(4, c) for c in at[1]]]


def test_k3_start_columns_of_the_deck_are_absolute_for_both() -> None:
    own = [2, 1, 3, 4, 0]  # Two Banners: 3, 2, 4, 5, 1, counted from 1
    squares = started(at=[own, own], start_columns="deck").snapshot()["square"]
    assert squares == [[(0, c) for c in own], [(4, c) for c in own]]
    with pytest.raises(AssertionError):
        started(at=[own, own[::-1]], start_columns="deck")


def test_k4_a_deck_gives_the_units_and_the_table_their_numbers() -> None:
    oracle = started(at=[[0] * 4, [0] * 6], decks=["Cavalry Rush", "Siege Train"])
    mine = ["Marshal's Guard", "Storm Riders", "Red Sashes", "Hedge Spears"]
    assert [u.name for u in oracle.units[0]] == mine
    assert [u.name for u in oracle.units[1]][::5] == ["Iron Column", "Ferry Spears"]
    guard = oracle.units[0][0]
    assert (guard.country, guard.troop, guard.base_force, guard.base_wit) == ("Ashmark", "cavalry", 10, 5)
    assert guard.stratagem == {
        "name": "great banner",
        "kind": "rally",
        "chips": 6,
        "amount": 3,
        "power": None,
        "distance": None,
    }
    assert oracle.units[0][2].stratagem is None


def test_k4_the_roster_has_32_units_of_four_countries_and_decks_within_the_cost() -> None:
    rules = default_rules()
    cost = {row["name"]: row["cost"] for row in rules["units"]}
    assert [len(units) for units in ROSTER.values()] == [8, 8, 8, 8]
    assert len(cost) == 32
    for deck in rules["named_decks"]:
        assert sum(cost[name] for name in deck["units"]) <= rules["deck_cost"]
        assert 3 <= len(set(deck["units"])) == len(deck["units"]) <= 8


@pytest.mark.parametrize("first", [0, 1])
def test_k5_the_first_player_moves_first_and_sides_alternate(first: int) -> None:
    oracle = started(*[PASS] * 5, first=first)
    assert [(s["turn"], s["seat"]) for s in turns(oracle, 5)] == [(t, (first + t) % 2) for t in range(5)]
    assert oracle.outcome().first == first


def test_only_two_can_play() -> None:
    with pytest.raises(ValueError, match="2"):
        Oracle(default_rules(), 3, Luck(0, [[0] * 5] * 3), Script())


# --- chips ----------------------------------------------------------------------------------------


def test_k6_both_sides_take_a_chip_at_the_head_of_every_turn() -> None:
    oracle = started(*[PASS] * 4)
    assert [s["chips"] for s in turns(oracle, 4)] == [[1, 1], [2, 2], [3, 3], [4, 4]]


def test_r1_the_second_mover_holds_two_chips_at_its_first_main_phase() -> None:
    oracle = started(PASS, PASS)
    turns(oracle, 2)
    assert [(seat, look["chips"][seat]) for _, seat, _, look in script(oracle).looks] == [(0, 1), (1, 2)]


@pytest.mark.parametrize(("countries", "cap"), [(1, 12), (2, 8), (3, 4), (4, 4), (5, 4)])
def test_k7_the_cap_depends_on_the_countries_of_the_deck(countries: int, cap: int) -> None:
    mine = [infantry((0, 0), country=f"land {k % countries}") for k in range(6)]
    oracle = position(mine, FAR, *[PASS] * 15)
    snapshots = turns(oracle, 15)
    assert [s["chips"][0] for s in snapshots] == [min(t + 1, cap) for t in range(15)]
    assert [s["wasted"][0] for s in snapshots] == [max(0, t + 1 - cap) for t in range(15)]
    assert snapshots[-1]["wasted"][1] == 3  # the other side counts its own countries
    assert oracle.outcome().wasted == [15 - cap, 3]


def test_k7_the_caps_and_the_chips_at_the_start_are_settings() -> None:
    mine = [infantry((0, 0), country=c) for c in "ab"]
    oracle = position(mine, FAR, *[PASS] * 5, chip_caps=[9, 5, 3, 2], start_chips=2)
    assert [s["chips"] for s in turns(oracle, 5)] == [[3, 3], [4, 4], [5, 5], [5, 6], [5, 7]]
    for countries, cap in ((3, 3), (4, 2), (6, 2)):
        mine = [infantry((0, 0), country=str(k)) for k in range(countries)]
        assert position(mine, FAR, chip_caps=[9, 5, 3, 2]).caps == [cap, 9]


def test_r1_countries_are_counted_on_the_deck_list_retreated_units_too() -> None:
    mine = [infantry((0, 0), country="a"), infantry(None, country="b"), infantry(None, country="c")]
    assert position(mine, FAR).caps == [4, 12]


# --- recovery -------------------------------------------------------------------------------------


def test_k8_the_gauge_of_the_active_side_only_grows() -> None:
    mine, theirs = [infantry(None), infantry((0, 0))], [infantry(None, gauge=1), infantry((4, 4))]
    oracle = position(mine, theirs, *[PASS] * 4)
    gauges = [(s["gauge"][0][0], s["gauge"][1][0]) for s in turns(oracle, 4)]
    assert gauges == [(1, 1), (1, 2), (2, 2), (2, 3)]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("column", range(5))
def test_k8_at_four_it_returns_to_any_square_of_the_nearest_row(column: int, side: int) -> None:
    pieces = [[infantry(None, gauge=3), infantry((1, 1))], [infantry(None, gauge=3), infantry((3, 3))]]
    oracle = position(*pieces, column, PASS, first=side)
    (snapshot,) = turns(oracle)
    assert script(oracle).looks[0][:3] == ("deploy", side, [0, 1, 2, 3, 4])
    assert snapshot["square"][side][0] == ((0, 4)[side], column)
    assert (snapshot["gauge"][side][0], snapshot["hit_points"][side][0]) == (0, 16)  # with full hit points
    assert snapshot["square"][1 - side][0] is None


@pytest.mark.parametrize("columns", [3, 5, 7])
def test_k8_the_whole_row_is_open_and_the_chip_of_the_turn_is_there(columns: int) -> None:
    theirs = [infantry((4, columns - 1))]
    oracle = position([infantry(None, gauge=3)], theirs, columns - 1, PASS, columns=columns)
    turns(oracle)
    _, _, legal, look = script(oracle).looks[0]
    assert legal == list(range(columns))
    assert look["chips"] == [1, 1]  # K6 comes before K8


@pytest.mark.parametrize("column", [-1, 5, None])
def test_k8_no_other_square(column: Any) -> None:
    oracle = position([infantry(None, gauge=3)], FAR)
    oracle.choose = lambda kind, seat, legal, game: column
    with pytest.raises(IllegalChoice):
        next(oracle.steps())


@pytest.mark.parametrize("gauge", [1, 2, 4, 6])
def test_k8_the_length_of_the_gauge_is_a_setting(gauge: int) -> None:
    oracle = position([infantry(None), infantry((0, 0))], FAR, return_gauge=gauge)
    script(oracle).left = [PASS] * (2 * gauge - 2) + [3, PASS]
    snapshots = turns(oracle, 2 * gauge - 1)
    assert [s["gauge"][0][0] for s in snapshots[::2]] == [*range(1, gauge), 0]
    assert [s["square"][0][0] for s in snapshots] == [None] * (2 * gauge - 2) + [(0, 3)]


def test_k8_a_unit_that_returns_can_act_and_r3_goes_in_deck_order() -> None:
    mine = [infantry(None, gauge=3), infantry((0, 2)), infantry(None, gauge=3), infantry(None, gauge=2)]
    oracle = position(mine, FAR, 4, 0, ("move", 2, "forward"), ("move", 0, "west"), PASS)
    (snapshot,) = turns(oracle)
    first, second = script(oracle).looks[:2]
    assert script(oracle).deploying == [0, 2]
    assert first[3]["gauge"][0] == [4, 0, 3, 2]  # gauge and return, unit by unit
    assert second[3]["gauge"][0] == [0, 0, 4, 2]
    assert snapshot["square"][0] == [(0, 3), (0, 2), (1, 0), None]
    assert snapshot["gauge"][0][3] == 3


# --- movement -------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_k9_every_unit_gets_its_points_each_turn_and_the_rest_is_lost(points: int) -> None:
    mine = [infantry((2, 0)), infantry((2, 2))]
    to_and_fro = [("move", 1, to) for to in ("east", "west", "east", "west")][:points]
    oracle = position(mine, FAR, PASS, PASS, *to_and_fro, PASS, movement_points=points)
    snapshots = turns(oracle, 3)
    assert [u.points for u in oracle.units[0]] == [0, 0]
    assert snapshots[2]["square"][0][1] == ((2, 3) if points % 2 else (2, 2))
    legal = script(oracle).legal()
    assert ("move", 0, "forward") in legal  # the other unit has its own
    assert not [a for a in legal if a[1:2] == (1,)]  # what was left in turn 0 does not count


def test_k9_a_unit_that_has_just_returned_gets_points_too() -> None:
    oracle = position([infantry(None, gauge=3)], FAR, 1, ("move", 0, "forward"), ("move", 0, "forward"))
    assert turns(oracle)[0]["square"][0] == [(2, 1)]


def test_k10_units_act_in_any_order_until_the_side_passes() -> None:
    mine = [infantry((0, 0)), infantry((0, 2))]
    answers = [("move", 1, "forward"), ("move", 0, "forward"), ("move", 1, "west"), PASS]
    oracle = position(mine, FAR, *answers, ("move", 0, "forward"), PASS)
    first, second = turns(oracle, 2)
    assert first["square"] == [[(1, 0), (1, 1)], [(4, 4)]]
    assert second["square"] == [[(1, 0), (1, 1)], [(3, 4)]]
    assert {a[1] for legal in script(oracle).looks[:1] for a in legal[2] if a != PASS} == {0, 1}


def test_r2_with_only_pass_left_nobody_is_asked() -> None:
    oracle = position([infantry((0, 0))], FAR, ("move", 0, "forward"), ("move", 0, "forward"))
    turns(oracle)
    assert len(script(oracle).looks) == 2
    oracle = position([infantry(None)], FAR, PASS)
    assert [s["seat"] for s in turns(oracle, 2)] == [0, 1]
    assert [seat for _, seat, _, _ in script(oracle).looks] == [1]


@pytest.mark.parametrize(
    "answer", [("move", 0, "back"), ("move", 1, "forward"), ("fly", 0, None), "pass", None]
)
def test_an_answer_that_is_not_legal_is_refused(answer: Any) -> None:
    oracle = position([infantry((0, 0))], FAR)
    oracle.choose = lambda kind, seat, legal, game: answer
    with pytest.raises(IllegalChoice):
        next(oracle.steps())


@pytest.mark.parametrize(
    ("square", "directions"),
    [
        ((2, 2), "forward back west east"),
        ((0, 0), "forward east"),
        ((0, 4), "forward west"),
        ((3, 0), "forward back east"),
        ((2, 4), "forward back west"),
    ],
)
def test_k11_moves_are_orthogonal_and_stay_on_the_board(square: Any, directions: str) -> None:
    moves = legal_now(position([infantry(square)], [infantry((4, 2))]), "move")
    assert {to for _, _, to in moves} == set(directions.split())


def test_k11_a_move_costs_one_point_and_goes_one_square() -> None:
    oracle = position([infantry((2, 2))], FAR, ("move", 0, "east"), ("move", 0, "back"))
    assert turns(oracle)[0]["square"][0] == [(1, 3)]
    for to, square in (("forward", (3, 2)), ("back", (1, 2)), ("west", (2, 1)), ("east", (2, 3))):
        assert turns(position([infantry((2, 2))], FAR, ("move", 0, to), PASS))[0]["square"][0] == [square]
        ahead = {"forward": (1, 2), "back": (3, 2)}.get(to, square)  # r3: columns are absolute
        oracle = position(FAR[:0], [infantry((2, 2))], ("move", 0, to), PASS, first=1)
        assert turns(oracle)[0]["square"][1] == [ahead]


def test_k11_allies_may_stack_and_enemies_may_not() -> None:
    mine = [infantry((2, 2)), infantry((2, 1)), infantry((1, 2))]
    oracle = position(mine, [infantry((2, 3)), infantry((3, 2))])
    assert {to for _, u, to in legal_now(oracle, "move") if u == 0} == {"west", "back"}


# --- melee ----------------------------------------------------------------------------------------


def test_k12_melee_hits_every_enemy_in_the_square_with_the_whole_force() -> None:
    theirs = [infantry((3, 2), 5), archer((3, 2), 3), spearman((3, 2), 9), cavalry((3, 3), 5)]
    oracle = position([infantry((2, 2), 6)], theirs, ("melee", 0, "forward"), PASS)
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("melee", 0, 9), ("melee", 1, 11), ("melee", 2, 5)]
    assert snapshot["hit_points"] == [[16], [7, 5, 11, 16]]  # no damage back, not divided


def test_k12_melee_exhausts_every_troop_type() -> None:
    theirs = [make((3, 2)) for make in TROOPS.values()] + [cavalry((4, 2))]
    (snapshot,) = turns(position([infantry((2, 2))], theirs, ("melee", 0, "forward"), PASS))
    assert snapshot["exhausted"] == [[False], [True] * 4 + [False]]


@pytest.mark.parametrize("troop", TROOPS)
def test_k12_every_troop_type_may_melee_in_every_direction(troop: str) -> None:
    theirs = [infantry(square) for square in AROUND] + [infantry((3, 3)), infantry((4, 2))]
    melees = legal_now(position([TROOPS[troop]((2, 2))], theirs), "melee")
    assert {to for _, _, to in melees} == set(DIRECTIONS)  # adjacent, not diagonal
    assert legal_now(position([TROOPS[troop]((2, 2))], theirs[4:]), "melee") == []


def test_k12_melee_is_once_a_turn_and_costs_a_point() -> None:
    mine, theirs = [infantry((2, 2)), infantry((2, 2))], [infantry((3, 2), 9), infantry((2, 3), 9)]
    oracle = position(mine, theirs, ("melee", 0, "forward"), ("move", 0, "west"), ("melee", 1, "east"), PASS)
    turns(oracle)
    asked = [legal for _, _, legal, _ in script(oracle).looks]
    assert not [a for a in asked[1] if a[:2] == ("melee", 0)]
    assert ("melee", 1, "east") in asked[1]  # a unit each
    assert not [a for a in asked[2] if a[1:2] == (0,)]  # move and melee were its two points
    spent = position(mine[:1], theirs, ("move", 0, "west"), ("move", 0, "east"))
    turns(spent)  # no point left for a melee: nobody is asked
    script(oracle).left = [PASS, ("melee", 0, "east"), PASS]
    next(oracle.steps())  # and in the next turn again


def test_k12_a_melee_is_no_move() -> None:
    mine, theirs = [archer((2, 2)), spearman((2, 1))], [infantry((2, 3), 9)]
    oracle = position(mine, theirs, ("melee", 0, "east"), ("move", 0, "west"), PASS)
    assert turns(oracle)[0]["square"][0] == [(2, 1), (2, 1)]


# --- siege ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("troop", "damage"), [("cavalry", 1), ("archer", 2), ("spearman", 2), ("infantry", 2)]
)
@pytest.mark.parametrize("column", range(5))
@pytest.mark.parametrize("side", [0, 1])
def test_k13_damage_by_troop_type_and_one_more_at_the_gate(
    troop: str, damage: int, column: int, side: int
) -> None:
    before = (3, 1)[side]
    far = [infantry((1, (column + 1) % 5))], [infantry((3, (column + 1) % 5))]
    pieces = _sides(side, [TROOPS[troop]((before, column))], far)
    oracle = position(*pieces, ("move", 0, "forward"), PASS, first=side)
    (snapshot,) = turns(oracle)
    expected = damage + (column == 2)
    assert snapshot["castle"][1 - side] == 36 - expected
    assert snapshot["castle"][side] == 36
    assert snapshot["square"][side] == [(before, column)]  # back one square
    outcome = oracle.outcome()
    assert outcome.siege_damage[side] == [[0, expected] if column == 2 else [expected, 0]]
    assert outcome.sieges[side] == [1]
    assert outcome.sieges[1 - side] == [0]


def test_k13_damage_and_gate_bonus_are_settings() -> None:
    damage = {"cavalry": 4, "archer": 5, "spearman": 6, "infantry": 7}
    mine = [make((3, k)) for k, make in enumerate(TROOPS.values())]
    answers = [("move", k, "forward") for k in range(4)]
    oracle = position(mine, FAR, *answers, PASS, siege_damage=damage, gate_bonus=3)
    assert turns(oracle)[0]["castle"] == [36, 36 - 4 - 5 - 6 - 7 - 3]


def test_k13_several_sieges_in_one_turn_by_one_unit_and_by_several() -> None:
    mine = [cavalry((3, 2)), infantry((3, 0))]
    forward = [
        ("move", 0, "forward"),
        ("charge", 0, "forward"),
        ("move", 1, "forward"),
        ("move", 0, "forward"),
    ]
    oracle = position(mine, FAR, *forward, PASS)
    (snapshot,) = turns(oracle)
    assert snapshot["castle"] == [36, 36 - 2 - 2 - 2 - 2]
    assert [e["left"] for e in oracle.records("siege")] == [34, 32, 30, 28]
    assert oracle.outcome().sieges == [[3, 1], [0]]


def test_r5_after_a_siege_a_unit_has_moved_and_keeps_its_other_points() -> None:
    mine, theirs = [archer((3, 2), 6)], [infantry((2, 2), 5)]
    oracle = position(mine, theirs, ("move", 0, "forward"), ("shoot", 0, 0), ("move", 0, "west"))
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("shot", 0, 8 + 3 - 5)]  # no snipe, and half force (K14)
    assert snapshot["square"][0] == [(3, 1)]


def test_k14_a_unit_that_has_sieged_fights_at_half_force_rounded_down() -> None:
    mine, theirs = [infantry((3, 0), 7, wit=5)], [infantry((2, 0), 2)]
    answers = [("move", 0, "forward"), ("melee", 0, "back"), ("melee", 0, "back"), PASS]
    oracle = position(mine, theirs, *answers)
    steps = oracle.steps()
    snapshot = next(steps)
    assert snapshot["besieging"] == [[True], [False]]
    assert snapshot["force"] == [[3], [2]]
    assert oracle.units[0][0].wit == 2
    next(steps)
    # This turn it deals half, in the enemy's next it resists with half.
    assert [(hit["dealt"], hit["force"], hit["loss"]) for hit in oracle.records("hit")] == [
        (3, 2, 9),
        (2, 3, 7),
    ]


# --- charge ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("troop", TROOPS)
def test_k15_only_cavalry_charges(troop: str) -> None:
    charges = legal_now(position([TROOPS[troop]((2, 2))], FAR), "charge")
    assert {to for _, _, to in charges} == (set(DIRECTIONS) if troop == "cavalry" else set())


def test_k15_a_charge_needs_a_square_of_the_board_before_it() -> None:
    assert {to for _, _, to in legal_now(position([cavalry((0, 0))], FAR), "charge")} == {"forward", "east"}
    corner = position([cavalry((3, 4))], [infantry((4, 0))])
    assert {to for _, _, to in legal_now(corner, "charge")} == {"forward", "back", "west"}


@pytest.mark.parametrize(
    ("start", "to", "end"),
    [
        ((0, 2), "forward", (2, 2)),
        ((2, 2), "back", (0, 2)),
        ((2, 2), "west", (2, 0)),
        ((2, 2), "east", (2, 4)),
        ((2, 3), "east", (2, 4)),  # the edge
        ((1, 3), "back", (0, 3)),
    ],
)
def test_k15_a_charge_runs_two_squares_in_one_direction(start: Any, to: str, end: Any) -> None:
    oracle = position(
        [cavalry(start), infantry((1, 2))], FAR, ("charge", 0, to), PASS
    )  # r6: allies are passed
    assert turns(oracle)[0]["square"][0][0] == end
    assert not oracle.records("hit")


@pytest.mark.parametrize("reach", [1, 2, 3, 4])
@pytest.mark.parametrize("enemy", [1, 2, 3, 4, 5])
def test_k15_it_stops_before_an_enemy_it_meets_and_deals_melee_damage(enemy: int, reach: int) -> None:
    theirs = [infantry((enemy, 0), 3), cavalry((enemy, 0), 5)]
    oracle = position(
        [cavalry((0, 0), 6)], theirs, ("charge", 0, "forward"), PASS, charge_squares=reach, rows=7
    )
    (snapshot,) = turns(oracle)
    met = enemy <= reach
    assert snapshot["square"][0] == [(enemy - 1 if met else reach, 0)]
    assert losses(oracle) == ([("charge", 0, 11), ("charge", 1, 9)] if met else [])
    assert snapshot["hit_points"] == ([[16], [5, 7]] if met else [[16], [16, 16]])


def test_k15_a_charge_exhausts_archers_only() -> None:
    theirs = [infantry((2, 2)), archer((2, 2)), cavalry((2, 2)), archer((3, 2))]
    (snapshot,) = turns(position([cavalry((1, 2))], theirs, ("charge", 0, "forward"), PASS))
    assert snapshot["exhausted"][1] == [False, True, False, False]
    assert snapshot["hit_points"][1] == [8, 8, 8, 16]


def test_k15_a_charge_comes_once_a_turn_besides_two_points_and_a_melee() -> None:
    answers = [("charge", 0, "forward"), ("melee", 0, "forward"), ("move", 0, "west")]
    oracle = position([cavalry((1, 2)), cavalry((1, 0))], [infantry((3, 2), 9)], *answers, PASS)
    (snapshot,) = turns(oracle)
    assert snapshot["square"][0] == [(2, 1), (1, 0)]
    assert losses(oracle) == [("charge", 0, 4), ("melee", 0, 4)]
    later = [legal for _, _, legal, _ in script(oracle).looks[1:]]
    assert not [a for legal in later for a in legal if a[:2] == ("charge", 0)]
    assert all(("charge", 1, "back") in legal for legal in later)


def test_k15_a_charge_needs_no_point_and_comes_again_next_turn() -> None:
    answers = [
        ("move", 0, "west"),
        ("move", 0, "east"),
        ("charge", 0, "back"),
        PASS,
        ("charge", 0, "east"),
        PASS,
    ]
    oracle = position([cavalry((2, 2))], FAR, *answers)
    assert [s["square"][0][0] for s in turns(oracle, 3)] == [(0, 2), (0, 2), (0, 4)]


@pytest.mark.parametrize(("start", "back"), [(2, 3), (3, 3)])
@pytest.mark.parametrize("reach", [2, 4])
def test_r6_a_charge_into_the_siege_area_is_one_siege_and_ends_there(
    start: int, back: int, reach: int
) -> None:
    oracle = position([cavalry((start, 2), 7)], FAR, ("charge", 0, "forward"), PASS, charge_squares=reach)
    (snapshot,) = turns(oracle)
    assert snapshot["castle"] == [36, 34]
    assert snapshot["square"][0] == [(back, 2)]
    assert snapshot["besieging"][0] == [True]
    assert snapshot["force"][0] == [3]


def test_r6_a_charge_counts_as_moved() -> None:
    oracle = position([cavalry((1, 2))], [infantry((2, 2))], ("charge", 0, "forward"), PASS)
    turns(oracle)
    assert oracle.units[0][0].moved


def test_r6_a_charge_along_the_own_side_of_the_siege_area_is_none() -> None:
    oracle = position([cavalry((3, 0))], FAR, ("charge", 0, "east"), PASS)
    assert turns(oracle)[0]["castle"] == [36, 36]


def test_r8_a_castle_that_falls_in_the_middle_of_a_charge_ends_the_game_at_once() -> None:
    oracle = position([cavalry((2, 2)), infantry((3, 0))], FAR, ("charge", 0, "forward"), castle=[5, 2])
    (snapshot,) = turns(oracle)  # neither a pass nor another action was asked for
    assert (snapshot["over"], snapshot["winner"], snapshot["castle"]) == (True, 0, [5, 0])
    assert list(oracle.steps()) == []
    outcome = oracle.outcome()
    assert (outcome.winner, outcome.end, outcome.turns, outcome.castle) == (0, "castle fell", 1, [5, 0])


# --- interception ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "stop"), [((1, 2), (1, 2)), ((0, 2), (1, 2))])
def test_k16_a_ready_spearman_intercepts(start: Any, stop: Any) -> None:
    theirs = [archer((2, 2), 2), spearman((2, 2), 4)]
    oracle = position([cavalry(start, 9)], theirs, ("charge", 0, "forward"), ("move", 0, "west"), PASS)
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("interception", 0, 8 + 2 * 4 - 9)]
    assert snapshot["hit_points"] == [[9], [16, 16]]  # the charge deals no damage, to nobody
    assert snapshot["exhausted"] == [[False], [False, False]]  # r7: the cavalry neither
    assert snapshot["square"][0] == [(stop[0], 1)]  # r7: it stayed in front, with its points
    assert oracle.records("hit")[0]["by"] == 1


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_k16_the_factor_is_a_setting(factor: int) -> None:
    oracle = position(
        [cavalry((1, 2), 9)],
        [spearman((2, 2), 5)],
        ("charge", 0, "forward"),
        PASS,
        interception_factor=factor,
    )
    turns(oracle)
    assert losses(oracle) == [("interception", 0, 8 + factor * 5 - 9)]


def test_k16_only_a_charge_is_intercepted() -> None:
    oracle = position([cavalry((1, 2), 6)], [spearman((2, 2), 5)], ("melee", 0, "forward"), PASS)
    turns(oracle)
    assert losses(oracle) == [("melee", 0, 9)]


def test_r7_every_ready_spearman_in_the_square_deals_its_damage() -> None:
    theirs = [spearman((2, 2), 2), infantry((2, 2)), spearman((2, 2), 3), spearman((3, 2), 9)]
    oracle = position([cavalry((1, 2), 8)], theirs, ("charge", 0, "forward"), PASS)
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("interception", 0, 4), ("interception", 0, 6)]
    assert [hit["by"] for hit in oracle.records("hit")] == [0, 2]
    assert snapshot["hit_points"] == [[6], [16] * 4]


def test_r7_exhausted_spearmen_neither_stop_a_charge_nor_add_to_an_interception() -> None:
    theirs = [spearman((2, 2), 5), spearman((2, 3), 5)]
    mine = [infantry((1, 2)), cavalry((1, 2), 6), infantry((2, 4))]
    melee, charge = ("melee", 0, "forward"), ("charge", 1, "forward")
    oracle = position(mine, theirs, melee, charge, PASS)
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("melee", 0, 8), ("charge", 0, 9)]
    assert snapshot["square"][1] == [None, (2, 3)]
    one = position(
        [archer((0, 2)), cavalry((2, 4), 9)],
        [spearman((2, 2), 5), spearman((2, 2), 4)],
        ("shoot", 0, 0),
        ("charge", 1, "west"),
        PASS,
    )
    turns(one)
    assert losses(one) == [("snipe", 0, 13), ("interception", 1, 8 + 8 - 9)]
    assert one.records("hit")[1]["by"] == 1


def test_k22_a_cavalry_that_dies_in_an_interception_retreats_in_its_own_turn() -> None:
    mine, theirs = [cavalry((1, 2), 5, hit_points=3), infantry((0, 0))], [spearman((2, 2), 5)]
    oracle = position(mine, theirs, ("charge", 0, "forward"), PASS)
    (snapshot,) = turns(oracle)
    assert snapshot["square"][0] == [None, (0, 0)]
    assert not [a for a in script(oracle).legal() if a[1:2] == (0,)]
    assert oracle.outcome().retreats == [[0, 0, 0, 0, 0, 1, 0], [0] * 7]


# --- shots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("troop", TROOPS)
def test_k17_only_archers_shoot(troop: str) -> None:
    assert bool(legal_now(position([TROOPS[troop]((2, 4))], FAR), "shoot")) == (troop == "archer")


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_k17_range_counts_a_diagonal_step_as_one_and_needs_no_line_of_sight(reach: int) -> None:
    squares = [(row, column) for row in range(1, 6) for column in range(7) if (row, column) != (3, 3)]
    theirs = [infantry(square) for square in squares] + [infantry(None)]
    oracle = position([archer((3, 3)), cavalry((3, 3))], theirs, rows=7, columns=7, shot_range=reach)
    targets = {squares[e] for _, _, e in legal_now(oracle, "shoot")}
    assert targets == {(r, c) for r, c in squares if abs(r - 3) <= reach and abs(c - 3) <= reach}


def test_k17_a_shot_hits_one_unit_of_a_square_and_exhausts_spearmen_only() -> None:
    for k, make in enumerate(TROOPS.values()):
        theirs = [make((3, 2), 6), spearman((3, 2), 6), make((3, 2), 6)]
        answers = [("move", 0, "west"), ("shoot", 0, 2), PASS]
        oracle = position([archer((2, 2), 4)], theirs, *answers)
        (snapshot,) = turns(oracle)
        assert losses(oracle) == [("shot", 2, 6)]
        assert snapshot["exhausted"][1] == [False, False, k == 2]
        assert snapshot["hit_points"] == [[16], [16, 16, 10]]


def test_k17_once_a_turn_at_no_point_and_moving_on_is_allowed() -> None:
    answers = [("move", 0, "west"), ("shoot", 0, 0), ("move", 0, "west"), PASS, ("shoot", 0, 0), PASS]
    oracle = position([archer((2, 2), 3), archer((0, 2))], [infantry((3, 0), 6), infantry((3, 1))], *answers)
    steps = oracle.steps()
    assert next(steps)["square"][0][0] == (2, 0)
    after = script(oracle).looks[2:4]
    assert not [a for _, _, legal, _ in after for a in legal if a[:2] == ("shoot", 0)]
    assert [[a[2] for a in legal if a[:2] == ("shoot", 1)] for _, _, legal, _ in after] == [[], []]
    script(oracle).left = [PASS, ("shoot", 0, 0), PASS]
    next(steps), next(steps)
    assert losses(oracle) == [("shot", 0, 5), ("snipe", 0, 8)]
    spent = [("move", 0, "west"), ("move", 0, "east"), ("shoot", 0, 0)]
    oracle = position([archer((2, 2), 3)], [infantry((3, 2), 6)], *spent)
    turns(oracle)
    assert losses(oracle) == [("shot", 0, 5)]


def test_k17_no_shot_after_a_melee_and_no_melee_after_a_shot() -> None:
    mine, theirs = [archer((2, 2)), archer((2, 4))], [infantry((3, 2), 9), infantry((2, 0), 9)]
    oracle = position(mine, theirs, ("melee", 0, "forward"), ("shoot", 1, 0), PASS)
    turns(oracle)
    legal = script(oracle).legal(1)
    assert not [a for a in legal if a[:2] == ("shoot", 0)]
    assert ("shoot", 1, 0) in legal
    oracle = position(mine, theirs, ("move", 0, "west"), ("shoot", 0, 0), PASS)
    turns(oracle)
    assert ("melee", 0, "west") in script(oracle).legal(1)
    legal = script(oracle).legal(2)
    assert ("move", 0, "back") in legal  # it has a point left
    assert not [a for a in legal if a[0] == "melee"]


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_k18_an_archer_that_has_not_moved_snipes(factor: int) -> None:
    theirs = [spearman((3, 2), 6), infantry((2, 0), 6)]
    oracle = position([archer((2, 2), 3)], theirs, ("shoot", 0, 0), snipe_factor=factor)
    (snapshot,) = turns(oracle)  # it may not move or melee afterwards: nobody is asked
    assert losses(oracle) == [("snipe", 0, 8 + 3 * factor - 6)]
    assert snapshot["exhausted"][1] == [True, False]  # a shot too
    assert oracle.records("hit")[0]["dealt"] == 3 * factor


@pytest.mark.parametrize("troop", TROOPS)
def test_k18_a_snipe_is_a_shot_and_exhausts_spearmen_only(troop: str) -> None:
    oracle = position([archer((2, 2), 3)], [TROOPS[troop]((3, 2), 6)], ("shoot", 0, 0))
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("snipe", 0, 8)]
    assert snapshot["exhausted"][1] == [troop == "spearman"]


@pytest.mark.parametrize(
    "before", [[("move", 0, "west")], [("move", 0, "west"), ("move", 0, "east")], [("move", 0, "forward")]]
)
def test_k18_any_move_this_turn_spoils_the_snipe(before: list[Any]) -> None:
    oracle = position([archer((2, 2), 3)], [infantry((4, 2), 6)], *before, ("shoot", 0, 0))
    script(oracle).left += [PASS] * (2 - len(before))
    turns(oracle)
    assert losses(oracle) == [("shot", 0, 5)]


def test_r9_a_sniper_has_no_points_left_but_its_side_goes_on() -> None:
    mine = [archer((2, 2), 9), infantry((0, 0))]
    oracle = position(mine, [infantry((3, 2))], ("shoot", 0, 0), ("move", 1, "forward"), PASS)
    turns(oracle)
    assert {a[1] for a in script(oracle).legal(1) if a != PASS} == {1}


def test_r3_an_archer_that_has_just_returned_snipes() -> None:
    oracle = position([archer(None, 3, gauge=3)], [infantry((1, 3), 6)], 2, ("shoot", 0, 0))
    turns(oracle)
    assert losses(oracle) == [("snipe", 0, 8)]


# --- thrust ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("troop", TROOPS)
def test_k19_only_spearmen_thrust_at_adjacent_units(troop: str) -> None:
    theirs = [infantry(square) for square in AROUND] + [infantry((3, 3)), infantry((4, 2)), infantry((3, 2))]
    thrusts = legal_now(position([TROOPS[troop]((2, 2))], theirs), "thrust")
    assert {e for _, _, e in thrusts} == ({0, 1, 2, 3, 6} if troop == "spearman" else set())


def test_k19_a_thrust_hits_one_unit_and_exhausts_cavalry_only() -> None:
    for k, make in enumerate(TROOPS.values()):
        theirs = [make((3, 2), 6), cavalry((3, 2), 6), make((3, 2), 6)]
        oracle = position([spearman((2, 2), 4)], theirs, ("thrust", 0, 2), PASS)
        (snapshot,) = turns(oracle)
        assert losses(oracle) == [("thrust", 2, 6)]
        assert snapshot["exhausted"][1] == [False, False, k == 0]
        assert snapshot["hit_points"] == [[16], [16, 16, 10]]


def test_k19_once_a_turn_besides_movement_and_melee() -> None:
    answers = [
        ("move", 0, "west"),
        ("melee", 0, "forward"),
        ("thrust", 0, 0),
        PASS,
        PASS,
        ("thrust", 0, 0),
        PASS,
    ]
    mine = [spearman((2, 2)), spearman((1, 1)), infantry((0, 0))]
    oracle = position(mine, [infantry((3, 1), 9)], *answers)
    steps = oracle.steps()
    next(steps)
    assert losses(oracle) == [("melee", 0, 4), ("thrust", 0, 4)]
    assert not [a for a in script(oracle).legal() if a[0] == "thrust"]
    next(steps), next(steps)
    assert losses(oracle)[2:] == [("thrust", 0, 4)]


def test_k19_a_thrust_costs_no_point() -> None:
    answers = [("thrust", 0, 0), ("move", 0, "west"), ("move", 0, "west")]
    oracle = position([spearman((2, 2))], [infantry((3, 2), 9)], *answers)
    assert turns(oracle)[0]["square"][0] == [(2, 0)]


# --- exhaustion (the clock has a file of its own) --------------------------------------------------


@pytest.mark.parametrize(
    ("make", "gone"), [(cavalry, "charge"), (archer, "shoot"), (spearman, "thrust"), (infantry, None)]
)
def test_k20_what_an_exhausted_unit_cannot_do(make: Any, gone: str | None) -> None:
    free = position([infantry((2, 2))], [make((3, 2), 9)], PASS, PASS)
    turns(free, 2)
    tired = position([infantry((2, 2))], [make((3, 2), 9)], ("melee", 0, "forward"), PASS, PASS)
    turns(tired, 2)
    before, after = ({a[0] for a in script(game).legal()} for game in (free, tired))
    assert before - after == ({gone} if gone else set())  # it moves and melees all the same
    assert {"move", "melee"} <= after


# --- damage and retreat ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "dealt", "force", "loss"),
    [
        ("difference", 5, 5, 8),
        ("difference", 9, 4, 13),
        ("difference", 1, 7, 2),
        ("difference", 1, 8, 1),
        ("difference", 1, 12, 1),
        ("difference", 0, 3, 5),
        ("plain", 5, 9, 5),
        ("plain", 0, 9, 0),
        ("ratio", 9, 4, 2),
        ("ratio", 8, 4, 2),
        ("ratio", 3, 4, 1),
        ("ratio", 0, 4, 1),
        ("ratio", 7, 0, 7),
    ],
)
def test_k21_loss_of_hit_points(damage: str, dealt: int, force: int, loss: int) -> None:
    assert started(damage=damage).loss(dealt, force) == loss


@pytest.mark.parametrize("base", [6, 8, 10])
def test_k21_the_base_of_the_difference_is_a_setting(base: int) -> None:
    assert started(damage_base=base).loss(4, 7) == base - 3


@pytest.mark.parametrize(("damage", "left"), [("difference", 1), ("plain", 3), ("ratio", 9)])
def test_k21_each_model_in_play(damage: str, left: int) -> None:
    answers = [("melee", 0, "forward"), PASS]
    oracle = position([infantry((2, 2), 7)], [infantry((3, 2), 6)], *answers, damage=damage, hit_points=10)
    assert turns(oracle)[0]["hit_points"][1] == [left]


@pytest.mark.parametrize("points", [12, 16, 30])
def test_k21_hit_points_are_a_setting(points: int) -> None:
    assert hit_points(started(hit_points=points)) == [[points] * 5] * 2


@pytest.mark.parametrize(("left", "gone"), [(7, True), (8, True), (9, False)])
def test_k22_a_unit_at_zero_hit_points_retreats(left: int, gone: bool) -> None:
    theirs = [cavalry((3, 2), hit_points=left), infantry((4, 4))]
    oracle = position([infantry((2, 2))], theirs, ("melee", 0, "forward"), PASS)
    (snapshot,) = turns(oracle)
    assert snapshot["square"][1] == [None if gone else (3, 2), (4, 4)]
    assert snapshot["hit_points"][1][0] == (0 if gone else 1)
    assert snapshot["gauge"][1] == [0, 0]
    assert snapshot["force"][1][0] == (0 if gone else 5)
    assert snapshot["exhausted"][1][0] == (not gone)  # r8
    assert oracle.outcome().retreats == [[0] * 7, [int(gone)] + [0] * 6]


def test_k22_a_retreated_unit_is_out_of_reach_and_its_square_is_free() -> None:
    theirs = [infantry((3, 2), hit_points=1), infantry((4, 4))]
    answers = [("melee", 0, "forward"), ("move", 0, "forward"), ("move", 1, "east"), PASS]
    oracle = position([infantry((2, 2)), archer((2, 1))], theirs, *answers, PASS)
    turns(oracle, 2)
    assert ("shoot", 1, 0) in script(oracle).legal(0)
    assert not [a for a in script(oracle).legal(1) if a[0] == "shoot"]
    assert {a[1] for a in script(oracle).legal(4) if a != PASS} == {1}  # nor does it act


@pytest.mark.parametrize(
    ("cause", "mine", "action"),
    [
        ("melee", infantry((2, 2)), ("melee", 0, "forward")),
        ("charge", cavalry((2, 2)), ("charge", 0, "forward")),
        ("snipe", archer((2, 2)), ("shoot", 0, 0)),
        ("thrust", spearman((2, 2)), ("thrust", 0, 0)),
        ("strike", infantry((2, 2), stratagem="strike"), ("stratagem", 0, (3, 2))),
    ],
)
def test_k22_retreats_are_counted_by_cause(cause: str, mine: Any, action: Any) -> None:
    oracle = position([mine, infantry((0, 0))], [archer((3, 2), hit_points=1)], action, PASS, chips=[4, 0])
    turns(oracle)
    causes = ["melee", "charge", "shot", "snipe", "thrust", "interception", "strike"]
    assert oracle.outcome().retreats == [[0] * 7, [int(c == cause) for c in causes]]


def test_k22_a_retreat_by_a_shot_is_not_one_by_a_snipe() -> None:
    theirs = [infantry((3, 2), hit_points=1)]
    turns(oracle := position([archer((2, 2))], theirs, ("move", 0, "west"), ("shoot", 0, 0), PASS))
    assert oracle.outcome().retreats[1] == [0, 0, 1, 0, 0, 0, 0]


# --- simultaneous losses --------------------------------------------------------------------------


def test_r8_units_of_one_square_fall_together() -> None:
    theirs = [
        infantry((3, 2), hit_points=3),
        infantry((3, 2), 12, hit_points=3),
        archer((3, 2), hit_points=8),
    ]
    oracle = position([infantry((2, 2))], theirs, ("melee", 0, "forward"), PASS)
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("melee", 0, 8), ("melee", 1, 1), ("melee", 2, 8)]
    assert snapshot["square"][1] == [None, (3, 2), None]
    assert snapshot["hit_points"][1] == [0, 2, 0]
    assert oracle.outcome().retreats[1][0] == 2


def test_r8_all_losses_of_an_interception_are_fixed_before_any_is_taken() -> None:
    # The first spearman's damage is enough; the cavalry's siege and boost still count for the second.
    theirs = [spearman((2, 2), 4), spearman((2, 2), 5)]
    mine = [cavalry((3, 2), 4, stratagem="boost", hit_points=2), infantry((0, 0))]
    answers = [("stratagem", 0, None), ("move", 0, "forward"), ("charge", 0, "back"), PASS]
    oracle = position(mine, theirs, *answers, chips=[2, 0])
    (snapshot,) = turns(oracle)
    force = (4 + 3) // 2
    assert [hit["force"] for hit in oracle.records("hit")] == [force, force]
    assert losses(oracle) == [("interception", 0, 8 + 8 - force), ("interception", 0, 8 + 10 - force)]
    assert oracle.outcome().retreats[0] == [0, 0, 0, 0, 0, 1, 0]  # once
    assert len(oracle.records("retreat")) == 1
    assert snapshot["hit_points"][0] == [0, 16]


def test_r8_a_retreat_clears_the_units_own_conditions() -> None:
    """Exhausted, halved, boosted, rallied and weakened it leaves, and comes back with none of it."""
    mine = [cavalry((3, 2), 6, stratagem="boost"), infantry((0, 0), stratagem="rally")]
    theirs = [infantry((2, 2), 9, stratagem="weaken"), spearman((2, 2), 9)]
    own = [("stratagem", 0, None), ("stratagem", 1, None), ("move", 0, "forward"), PASS]
    enemy = [("stratagem", 0, 0), ("thrust", 1, 0), ("melee", 0, "back"), PASS]
    oracle = position(mine, theirs, *own, *enemy, *[PASS] * 6, 1, PASS, chips=[8, 3])
    snapshots = turns(oracle, 9)
    conditions = ("exhausted", "besieging", "boost", "rally", "weaken", "force")
    before, after, returned = script(oracle).looks[6][3], snapshots[1], snapshots[8]
    assert [before[name][0][0] for name in conditions] == [True, True, 3, 2, 4, 3]
    assert [after[name][0][0] for name in conditions] == [False, False, 0, 0, 0, 0]
    assert [returned[name][0][0] for name in conditions] == [False, False, 0, 0, 0, 6]
    assert after["square"][0] == [None, (0, 0)]
    assert returned["square"][0] == [(0, 1), (0, 0)]
    assert after["rally"][0][1] == 2  # what others have stays


def test_r8_what_a_unit_cast_on_others_stays_when_it_retreats() -> None:
    mine = [infantry((2, 2), stratagem="rally", wit=8, hit_points=1), infantry((0, 0))]
    oracle = position(
        mine, [infantry((3, 2))], ("stratagem", 0, None), PASS, ("melee", 0, "forward"), PASS, chips=[4, 0]
    )
    snapshots = turns(oracle, 2)
    assert snapshots[1]["square"][0] == [None, (0, 0)]
    assert snapshots[1]["rally"][0] == [0, 2]


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("life", "over"), [(2, True), (3, True), (4, False)])
@pytest.mark.parametrize("side", [0, 1])
def test_k23_a_castle_at_zero_loses_at_once(life: int, over: bool, side: int) -> None:
    castle = [life, life]
    castle[side] = 1
    pieces = [infantry((3, 2)), infantry((3, 0))], [infantry((1, 2)), infantry((1, 0))]
    oracle = position(*pieces, ("move", 0, "forward"), first=side, castle=castle)
    if not over:
        script(oracle).left.append(PASS)
    (snapshot,) = turns(oracle)
    assert snapshot["over"] == over
    assert snapshot["winner"] == (side if over else None)
    assert snapshot["castle"][1 - side] == max(0, life - 3)
    outcome = oracle.outcome()
    assert outcome.siege_damage[side][0] == [0, min(3, life)]  # what the castle had left at most
    assert (outcome.winner, outcome.turns) == ((side if over else None), 1)
    if over:
        assert (outcome.end, list(oracle.steps())) == ("castle fell", [])


@pytest.mark.parametrize("limit", [1, 5, 40, 60])
@pytest.mark.parametrize(("castle", "winner"), [([9, 8], 0), ([8, 9], 1), ([9, 9], None)])
def test_k23_after_the_turn_limit_more_castle_life_wins(
    limit: int, castle: list[int], winner: int | None
) -> None:
    mine = [infantry((0, 0))]
    oracle = position(mine, FAR, *[PASS] * limit, castle=castle, turn_limit=limit)
    snapshots = list(oracle.steps())
    assert len(snapshots) == limit
    assert [s["over"] for s in snapshots] == [False] * (limit - 1) + [True]
    assert snapshots[-1]["winner"] == winner
    assert all(s["winner"] is None for s in snapshots[:-1])
    outcome = oracle.outcome()
    assert (outcome.winner, outcome.end, outcome.turns) == (winner, "turn limit", limit)


def test_k23_a_castle_that_falls_in_the_last_turn_has_fallen() -> None:
    oracle = position([infantry((3, 0))], FAR, ("move", 0, "forward"), castle=[1, 2], turn=59)
    oracle.first = 1
    (snapshot,) = turns(oracle)
    assert (snapshot["winner"], oracle.outcome().end, oracle.outcome().turns) == (0, "castle fell", 60)


# --- ruling 12 ------------------------------------------------------------------------------------


def test_r12_plain_damage_may_be_zero_and_still_exhausts() -> None:
    answers = [("move", 0, "forward"), ("melee", 0, "back")]
    oracle = position([infantry((3, 0), 1)], [archer((2, 0))], *answers, damage="plain")
    (snapshot,) = turns(oracle)
    assert losses(oracle) == [("melee", 0, 0)]
    assert (snapshot["hit_points"][1], snapshot["exhausted"][1]) == ([16], [True])


def test_r12_in_ratio_a_force_of_zero_counts_as_one() -> None:
    answers = [("move", 0, "forward"), PASS, ("melee", 0, "back"), PASS]
    oracle = position([infantry((3, 0), 1)], [infantry((2, 0), 5)], *answers, damage="ratio")
    assert turns(oracle, 2)[1]["hit_points"][0] == [11]
