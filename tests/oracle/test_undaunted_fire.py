"""Rules U22 to U25 of Undaunted: Attack, Suppress, Blast and casualties; and their rulings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from tests.oracle.undaunted import PASS, Oracle
from tests.oracle.undaunted_defaults import card_rows
from tests.oracle.undaunted_script import HIT, MISS, Force, cards, plays, position, script, targets, turn
from tests.oracle.undaunted_table import UNITS, Attack

BASE = {"R": 4, "S": 5, "G": 4, "SN": 6, "MO": 4}
DICE = {("RA", "attack"): 1, ("SA", "attack"): 1, ("SN", "attack"): 3, ("GA", "attack"): 2}
DICE |= {("GA", "suppress"): 4}


def base_of(unit: str) -> int:
    return BASE.get(unit) or BASE[unit[0]]


def fire(card: str, action: str, faces: list[int], *, cover: int = 0, **more: object) -> Attack:
    """One roll from tile 4 against RB on tile 5, whose base defence and distance make 5."""
    us = Force(hand=card, counters={card: 4})
    de = Force(counters={"RB": 5}, supply="RB")
    oracle = position((card, action), "RB", us=us, de=de, dice=faces, cover={5: cover}, **more)  # type: ignore[arg-type]
    return turn(oracle).attacks[-1]


# --- U22: Attack ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_u22_total_defence_is_base_and_cover_and_distance(unit: str) -> None:
    for at, on, cover in product((0, 4, 8), (4, 6, 9), (0, 2)):
        us = Force(hand="RA", counters={"RA": at})
        de = Force(counters={"SC": 3, unit: on}, supply=unit)
        oracle = position(("RA", "attack"), unit, us=us, de=de, cover={on: cover})
        attack = turn(oracle).attacks[-1]
        assert attack.defence == base_of(unit) + cover + oracle.distances[at][on]
        assert (attack.target_seat, attack.target, attack.unit, attack.seat) == (1, unit, "RA", 0)


def test_u22_base_defences_are_those_of_the_card_table() -> None:
    table = card_rows()
    table["rifleman"]["defence"] = 9
    assert fire("SN", "attack", [1, 2, 3], cards=table).defence == 9 + 1


@pytest.mark.parametrize(("play", "n"), DICE.items())
def test_u22_number_of_dice(play: tuple[str, str], n: int) -> None:
    attack = fire(*play, [MISS] * n)  # neither more nor less
    assert (attack.dice, attack.action, attack.result) == (n, play[1], "missed")


@pytest.mark.parametrize("cover", [0, 1, 2, 3])
def test_u22_a_face_hits_from_the_total_defence_up_and_a_0_always(cover: int) -> None:
    for face in range(10):
        assert fire("RA", "attack", [face], cover=cover).hit == (face == 0 or face >= 5 + cover)


def test_u22_a_total_defence_above_9_is_hit_by_a_0_only() -> None:
    us, de = Force(hand="RA", counters={"RA": 0}), Force(counters={"SN": 3}, supply="SN")
    for face in range(10):
        oracle = position(("RA", "attack"), "SN", us=us, de=de, dice=[face], cover={3: 3})
        attack = turn(oracle).attacks[-1]
        assert (attack.defence, attack.hit) == (12, face == 0)


@pytest.mark.parametrize("faces", [[5, 1, 1], [1, 9, 1], [1, 1, 0], [9, 9, 9], [4, 4, 4]])
def test_u22_any_die_hits_and_there_is_one_hit_at_most(faces: list[int]) -> None:
    us, de = Force(hand="SN", counters={"SN": 4}), Force(counters={"RB": 5}, hand="RB RB RB")
    oracle = turn(position(("SN", "attack"), "RB", us=us, de=de, dice=faces))
    hit = max(faces) >= 5 or 0 in faces
    assert oracle.attacks[-1].hit == hit
    assert len(oracle.sides[1].hand) == 3 - hit


@pytest.mark.parametrize(("defence", "chances"), [(4, "7000 9100 9730 9919"), (8, "3000 5100 6570 7599")])
def test_u22_chances_are_those_of_the_page(defence: int, chances: str) -> None:
    """Every face against a total defence: 10 of the 10,000 throws of four dice, and so on."""
    cover = defence - 4
    hits = [fire_at_home(face, cover) for face in range(10)]
    p = Fraction(sum(hits), 10)
    assert [int((1 - (1 - p) ** n) * 10_000) for n in (1, 2, 3, 4)] == [int(c) for c in chances.split()]


def fire_at_home(face: int, cover: int) -> bool:
    """Against RB on the tile of the attacker; the total defence is 4 and cover (here also above 3)."""
    us, de = Force(hand="RA", counters={"RA": 4}), Force(counters={"RB": 4}, supply="RB")
    return turn(position(("RA", "attack"), "RB", us=us, de=de, dice=[face], cover={4: cover})).attacks[-1].hit


def test_u22_faces_and_the_0_are_settings() -> None:
    assert not fire("RA", "attack", [0], zero_hits=False).hit
    assert fire("RA", "attack", [5], zero_hits=False).hit
    assert fire("RA", "attack", [17], die_faces=20).hit


def test_u22_a_casualty_does_not_move_anybody() -> None:
    us, de = Force(hand="RA", counters={"RA": 4}), Force(counters={"RB": 5, "SB": 5}, hand="RB SB")
    oracle = turn(position(("RA", "attack"), "RB", us=us, de=de, dice=[HIT]))
    assert (oracle.sides[0].counters["RA"], oracle.sides[1].counters["RB"]) == (4, 5)
    assert oracle.sides[1].hand == ["SB"]


# --- U23: Suppress ---------------------------------------------------------------------------------------


def test_u23_a_hit_suppresses_instead_of_a_casualty() -> None:
    us, de = Force(hand="GA", counters={"GA": 4}), Force(counters={"RB": 5}, hand="RB")
    oracle = turn(position(("GA", "suppress"), "RB", us=us, de=de, dice=[1, 1, 5, 1]))
    assert oracle.snapshot()["counters"][1]["RB"] == [5, True]
    assert oracle.sides[1].hand == ["RB"]
    assert oracle.attacks[-1].result == "suppressed"
    oracle = turn(position(("GA", "suppress"), "RB", us=us, de=de, dice=[1, 4, 4, 1]))
    assert oracle.snapshot()["counters"][1]["RB"] == [5, False]


def test_u23_the_same_roll_as_an_attack() -> None:
    for cover, face in product(range(4), range(10)):
        attack = fire("GA", "suppress", [face, 1, 1, 1], cover=cover)
        assert (attack.defence, attack.hit) == (5 + cover, face == 0 or face >= 5 + cover)


def test_u23_a_suppressed_counter_is_no_target_of_suppress_but_of_attack() -> None:
    us = Force(hand="GA", counters={"GA": 4})
    de = Force(counters={"RB": 5, "SA": 5, "MO": 5}, suppressed="SA RC", supply="RB SA MO")
    assert targets(position(us=us, de=de), "GA", "suppress") == ["RB", "MO"]
    assert targets(position(us=us, de=de), "GA", "attack") == ["RB", "RC", "SA", "MO"]


def test_u23_a_suppressed_counter_that_is_hit_stays_suppressed() -> None:
    us, de = Force(hand="GA", counters={"GA": 4}), Force(counters={"RB": 5}, suppressed="RB", hand="RB")
    oracle = turn(position(("GA", "attack"), "RB", us=us, de=de, dice=[HIT, 1]))
    assert oracle.snapshot()["counters"][1]["RB"] == [5, True]


# --- U24, ruling 7: Blast ---------------------------------------------------------------------------------


def blast(dice: list[int], n: int = 1, **more: object) -> Oracle:
    """On tile 3, where two counters of each side stand."""
    us = Force(hand="MO SB", counters={"MO": 0, "SB": 3, "RA": 3}, target=3, discard="RA", supply="SB")
    de = Force(hand="SN", counters={"GA": 3, "SN": 3, "RB": 7}, discard="GA")
    table = card_rows()
    table["mortar"]["actions"]["blast"] = n
    oracle = position(("MO", "blast"), ..., us=us, de=de, dice=dice, cards=table, **more)  # type: ignore[arg-type]
    return turn(oracle)


def test_u24_one_roll_against_every_counter_on_the_target_the_enemys_first() -> None:
    oracle = blast([9, 5, 0, 1])
    rolls = [(a.target_seat, a.target, a.defence, a.dice, a.hit) for a in oracle.attacks]
    assert rolls == [
        (1, "GA", 4, 1, True),
        (1, "SN", 6, 1, False),
        (0, "RA", 4, 1, True),
        (0, "SB", 5, 1, False),
    ]
    assert (oracle.sides[1].discard, oracle.sides[1].hand) == ([], ["SN"])
    assert cards(oracle.sides[0].discard) == "SB MO"
    assert oracle.sides[0].removed == {"RA": 1}


def test_u24_neither_distance_nor_other_tiles_count() -> None:
    oracle = blast([1] * 4, cover={3: 2, 0: 1})
    assert [a.defence for a in oracle.attacks] == [6, 8, 6, 7]
    assert len(oracle.attacks) == 4  # RB on 7 is not among them


def test_u24_blast_n_rolls_n_dice_for_each() -> None:
    oracle = blast([1, 1, 9, 1, 6, 1, 1, 1, 1, 5, 1, 1], 3)
    assert [a.hit for a in oracle.attacks] == [True, True, False, True]
    assert {a.dice for a in oracle.attacks} == {3}
    assert [event["faces"] for event in oracle.records("roll")][1] == [1, 6, 1]


def test_u24_a_hill_gives_1() -> None:
    assert [a.defence for a in blast([1] * 4, hills=[3]).attacks] == [5, 7, 5, 6]
    assert [a.defence for a in blast([1] * 4, hills=[0, 3]).attacks] == [5, 7, 5, 6]


def test_u24_without_a_target_marker_or_counters_there_is_no_blast() -> None:
    us = Force(hand="MO", counters={"MO": 0}, target=3)
    assert "blast" not in plays(position(us=us, de=Force(counters={"RA": 7})), "MO")
    assert "blast" in plays(position(us=us, de=Force(counters={"RA": 3})), "MO")
    us.target = None
    assert "blast" not in plays(position(us=us, de=Force(counters={"RA": 3})), "MO")


def test_u24_the_enemys_target_marker_is_no_use() -> None:
    us, de = Force(hand="MO", counters={"MO": 0}), Force(counters={"MO": 8, "RA": 3}, target=3)
    assert "blast" not in plays(position(us=us, de=de), "MO")


def test_ruling_7_the_ends_are_checked_after_the_whole_blast() -> None:
    """Each side loses its last Rifleman to one Blast: both are pinned, not only the first hit."""
    us = Force(hand="MO", counters={"MO": 0, "RA": 3}, target=3, goal=60, controlled=[6], bare=True)
    de = Force(counters={"RB": 3}, goal=60, bare=True, supply="RA SA")
    oracle = position(
        ("MO", "blast"), us=us, de=de, dice=[HIT, HIT], points={6: 7, 1: 90}, marker=1, pin_ends_game="always"
    )
    turn(oracle)
    assert len(oracle.attacks) == 2
    assert (oracle.end, oracle.winner) == ("both pinned", 0)


def test_ruling_7_the_victims_are_fixed_at_the_start() -> None:
    """The counter that leaves the board is not looked for again, and none is skipped after it."""
    us = Force(hand="MO", counters={"MO": 0}, target=3)
    de = Force(counters=dict.fromkeys(UNITS[:5], 3))
    oracle = turn(position(("MO", "blast"), us=us, de=de, dice=[HIT, MISS] * 2 + [HIT]))
    assert [a.target for a in oracle.attacks] == list(UNITS[:5])
    assert oracle.sides[1].on_board() == ["RB", "SA"]


# --- U25: casualties -------------------------------------------------------------------------------------


def hit(de: Force, unit: str = "RB", seat: int = 0) -> Oracle:
    us = Force(hand="SN", counters={"SN": 5})
    return turn(position(("SN", "attack"), unit, us=us, de=de, dice=[HIT, 1, 1]))


def test_u25_a_card_of_the_unit_leaves_hand_then_discard_pile_then_deck_then_the_counter() -> None:
    de = Force(
        hand="RA RB", discard="RB RB SB", deck="RB GB", supply="RB RB", counters={"RB": 6, "RA": 6, "SB": 6}
    )
    piles = []
    for _ in range(5):
        oracle = hit(de)
        side = oracle.sides[1]
        piles.append([cards(side.hand), cards(side.discard), cards(side.deck), side.counters["RB"]])
        assert side.supply["RB"] == 2  # never
        de.hand, de.discard, de.deck = cards(side.hand), cards(side.discard), cards(side.deck)
    assert piles == [
        ["RA", "RB RB SB", "RB GB", 6],
        ["RA", "RB SB", "RB GB", 6],
        ["RA", "SB", "RB GB", 6],
        ["RA", "SB", "GB", 6],
        ["RA", "SB", "GB", None],
    ]


@pytest.mark.parametrize("unit", UNITS)
def test_u25_exactly_that_unit(unit: str) -> None:
    """Neither another squad's nor another type's nor a command card; the counter goes if there is none."""
    others = " ".join(code for code in (*UNITS, "PS", "SLA", "SLB", "FOW") if code != unit)
    de = Force(hand=others, discard=others, deck=others, counters={unit: 5, "RA": 5}, supply=f"{unit} RC")
    oracle = hit(de, unit)
    side = oracle.sides[1]
    assert side.counters[unit] is None
    assert (cards(side.hand), cards(side.discard), cards(side.deck)) == (others, others, others)
    assert side.removed == {}
    assert oracle.outcome().removed == [0, 1]
    de = Force(deck=f"{others} {unit}", counters={unit: 5, "RA": 5})
    oracle = hit(de, unit)
    assert (oracle.sides[1].counters[unit], oracle.sides[1].removed) == (5, {unit: 1})
    assert (oracle.outcome().removed, oracle.outcome().casualties) == ([0, 0], [0, 1])


def test_u25_the_own_play_area_comes_first_where_the_own_blast_hits() -> None:
    us = Force(
        hand="MO RA", played="RA", discard="RA", deck="RA", counters={"MO": 0, "RA": 3}, target=3, supply="RA"
    )
    oracle = turn(position(("MO", "blast"), PASS, us=us, dice=[HIT]))
    side = oracle.sides[0]
    assert oracle.records("casualty")[0]["place"] == "play_area"
    assert script(oracle).looks[-1][3]["played"][0] == {"MO": 1}
    assert cards(side.discard) == "RA RA MO"
    assert (side.deck, side.supply["RA"]) == (["RA"], 1)


def test_u25_the_card_of_the_mortar_that_fires_is_in_the_play_area() -> None:
    """With a shorter target distance the mortar may hit itself: the card just played is lost (ruling 2)."""
    us = Force(hand="MO MO", counters={"MO": 3}, target=3)
    oracle = turn(position(("MO", "blast"), PASS, us=us, dice=[HIT], target_distance=0))
    assert oracle.records("casualty")[0]["place"] == "play_area"
    assert cards(oracle.sides[0].discard) == "MO"
    assert oracle.sides[0].counters["MO"] == 3


def test_u25_a_casualty_of_the_other_side_in_its_hand_is_not_played_any_more() -> None:
    us = Force(deck="PS SN RA SA", counters={"SN": 5})
    de = Force(deck="FOW RB", counters={"RB": 5})
    oracle = position("PS", "FOW", ("SN", "attack"), "RB", PASS, us=us, de=de, seat=None, dice=[HIT, 1, 1])
    steps = oracle.steps()
    while next(steps) != "turn":
        pass
    assert oracle.sides[1].hand == []
    assert next(steps) == "turn"
    assert oracle.counts["casualty", 1, "RB", "card"] == 1
    assert oracle.counts["hit", 5, 1] == 1
    assert oracle.counts["fallen", 5, 1] == 0
