"""Rules U15 to U17, U19 and U20 of Undaunted: what cards do to cards; and their rulings."""

from __future__ import annotations

import pytest

from tests.oracle.undaunted import PASS
from tests.oracle.undaunted_script import LAST, Force, cards, plays, position, script, table, targets, turn
from tests.oracle.undaunted_table import CODES, FOG

# --- U15: Bolster ---------------------------------------------------------------------------------------

EVERYTHING = " ".join(CODES)


@pytest.mark.parametrize(
    ("card", "takes"),
    [
        ("PS", [code for code in CODES if code != FOG]),
        ("PG", [code for code in CODES if code != FOG]),
        ("SLA", ["RA", "SA", "GA", "SLA"]),
        ("SLB", ["RB", "SB", "GB", "SLB"]),
        ("SLC", ["RC", "SC", "GC", "SLC"]),
    ],
)
def test_ruling_4_what_a_bolster_may_take(card: str, takes: list[str]) -> None:
    us = Force(hand=card, supply=EVERYTHING, counters={"RC": 0}, bare=True)
    assert targets(position(us=us), card, "bolster") == takes


@pytest.mark.parametrize(("card", "most"), [("PS", 3), ("SLA", 2), ("PG", 1)])
def test_u15_up_to_n_cards_go_to_the_discard_pile(card: str, most: int) -> None:
    for n in range(1, most + 1):
        us = Force(hand=card, supply="RA RA RA RA SN SA", deck="FOW")
        answers = ["RA"] * n + [None] * (n < most)
        oracle = turn(position((card, "bolster"), *answers, us=us))
        assert cards(oracle.sides[0].discard) == " ".join([*["RA"] * n, card])
        assert oracle.sides[0].supply["RA"] == 4 - n
        assert oracle.sides[0].deck == [FOG]


def test_ruling_4_at_least_one_card_one_by_one() -> None:
    us = Force(hand="PS", supply="RA RA SN", counters={"RC": 0}, bare=True)
    oracle = turn(position(("PS", "bolster"), "RA", "SN", None, us=us))
    picks = [script(oracle).legal("bolster", k) for k in range(3)]
    assert picks == [["RA", "SN"], [None, "RA", "SN"], [None, "RA"]]
    assert script(oracle).looks[-1][3]["discards"][0] == {"RA": 1, "SN": 1}
    assert cards(oracle.sides[0].discard) == "RA SN PS"


def test_u15_a_bolster_ends_with_the_supply() -> None:
    us = Force(hand="PS", supply="SN", counters={"RC": 0}, bare=True)
    oracle = turn(position(("PS", "bolster"), us=us))
    assert cards(oracle.sides[0].discard) == "SN PS"
    assert [kind for kind, *_ in script(oracle).looks] == ["play"]


# --- U16, U17, U19, U20: Command, Conceal, Inspire, Recon -----------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 4])
def test_u16_command_draws_cards_that_are_played_this_turn(n: int) -> None:
    us = Force(hand="PS", deck="RA RB SA SB SN", discard="FOW")
    oracle = position(("PS", "command"), PASS, us=us, cards=table("sergeant", command=n))
    turn(oracle)
    _, _, legal, look = script(oracle).looks[1]
    assert look["hands"][0] == dict.fromkeys(["RA", "RB", "SA", "SB"][:n], 1)
    assert {code for code, _ in legal if code != "stop"} == set(look["hands"][0])


def test_u16_two_is_the_sergeants_command_and_the_discard_pile_helps() -> None:
    us = Force(hand="PS", deck="RA", discard="SA SB FOW")
    oracle = turn(position(("PS", "command"), PASS, us=us, draws=[0, LAST]))
    assert script(oracle).looks[1][3]["hands"][0] == {"RA": 1, "FOW": 1}
    assert oracle.sides[0].deck == ["SA", "SB"]


def test_ruling_5_command_needs_a_card_and_draws_fewer() -> None:
    oracle = turn(position(("PS", "command"), PASS, us=Force(hand="PS", discard="RA")))
    assert script(oracle).looks[1][3]["hands"][0] == {"RA": 1}
    assert plays(position(us=Force(hand="PS RA SA", played="RB")), "PS") == ["bolster", "hunker"]


@pytest.mark.parametrize("n", [1, 2])
def test_u17_conceal_gives_the_enemy_one_fog(n: int) -> None:
    oracle = position(
        ("SA", "conceal"),
        us=Force(hand="SA", counters={"SA": 4}, supply="FOW"),
        de=Force(supply=" ".join(["FOW"] * n), discard="RA"),
    )
    turn(oracle)
    us, de = oracle.sides
    assert (de.discard, de.supply[FOG]) == (["RA", FOG], n - 1)
    assert (us.discard, us.supply[FOG]) == (["SA"], 1)


def test_u19_inspire_takes_a_card_of_the_squad_back_into_the_hand() -> None:
    us = Force(hand="SLA", played="RA RB SA GA SN PS", counters={"RA": 5, "SA": 5, "GA": 5})
    assert targets(position(us=us), "SLA", "inspire") == ["RA", "SA", "GA"]
    oracle = turn(
        position(("SLA", "inspire"), "RA", ("RA", "attack"), "RC", us=us, de=Force(counters={"MO": 5}))
    )
    assert len(oracle.records("play")) == 2  # it was played once more
    assert cards(oracle.sides[0].discard) == "RA RB SA GA SN PS SLA"


def test_u19_inspire_never_takes_the_card_that_is_being_played() -> None:
    us = Force(hand="SLA", played="RB")
    assert plays(position(us=us), "SLA") == ["hunker"]
    us = Force(hand="SLA SLA", played="RA")
    oracle = turn(position(("SLA", "inspire"), ("SLA", "inspire"), PASS, us=us))
    # the second copy could not take itself back, but it took the first one
    assert script(oracle).looks[-1][3]["hands"][0] == {"RA": 1, "SLA": 1}
    assert script(oracle).looks[-1][3]["played"][0] == {"SLA": 1}


def test_u19_inspire_n_takes_all_there_are() -> None:
    us = Force(hand="SLB", played="RB SB RA", counters={"RB": 5, "SB": 5}, supply="FOW")
    oracle = position(("SLB", "inspire"), "SB", PASS, us=us, cards=table("leader", inspire=3))
    turn(oracle)
    assert script(oracle).legal("inspire") == ["RB", "SB"]
    assert script(oracle).looks[-1][3]["hands"][0] == {"RB": 1, "SB": 1}


def test_u20_recon_removes_a_fog_of_the_hand_from_the_game_and_draws() -> None:
    us = Force(hand="SA FOW FOW", deck="RB SN", discard="FOW", counters={"SA": 5})
    oracle = turn(position(("SA", "recon"), ("RB", "hunker"), us=us))
    side = oracle.sides[0]
    assert side.removed == {FOG: 1}
    assert script(oracle).looks[1][3]["hands"][0] == {"RB": 1, "FOW": 1}
    assert cards(side.discard) == "SA FOW FOW"
    assert side.owned()[FOG] == 2


def test_u20_recon_with_no_card_left_to_draw() -> None:
    oracle = turn(position(("SA", "recon"), us=Force(hand="SA FOW")))
    assert oracle.sides[0].removed == {FOG: 1}
    assert oracle.sides[0].discard == ["SA"]


def test_u20_the_drawn_card_may_be_the_fog_of_the_discard_pile_but_not_the_removed_one() -> None:
    us = Force(hand="SA FOW", discard="RA FOW")
    oracle = turn(position(("SA", "recon"), us=us, draws=[LAST]))
    assert script(oracle).looks[1:] == []
    assert cards(oracle.sides[0].discard) == "SA FOW"
    assert oracle.sides[0].deck == ["RA"]
