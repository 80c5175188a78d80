"""The answers of Undaunted against icepool's dice, and against what policies and reports reckon with."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import icepool
import pytest

import analyzer
from analyzer.answers import exactly
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.undaunted import chances, odds

BASE = {"rifleman": 4, "scout": 5, "sniper": 6, "gunner": 4, "mortar": 4}
DICE = {
    ("rifleman", "attack"): 1, ("scout", "attack"): 1, ("sniper", "attack"): 3, ("gunner", "attack"): 2,
    ("gunner", "suppress"): 4, ("mortar", "blast"): 1,
}  # fmt: skip


def one_die(defence: int, faces: int = 10, zero_hits: bool = True) -> Any:
    """A die of 1 (hit) and 0."""
    return icepool.z(faces).map(lambda face: int(face >= defence or (zero_hits and face == 0)))


def by_icepool(dice: int, defence: int, faces: int = 10, zero_hits: bool = True) -> Fraction:
    return (dice @ one_die(defence, faces, zero_hits) >= 1).probability(True)


def test_u22_dice_by_defence_equal_icepool() -> None:
    answer = analyzer.odds("undaunted", "dice", dice=5)
    assert answer.column("defence") == list(range(1, 11))
    for defence, *found in answer.rows:
        assert found == [by_icepool(n, defence) for n in range(1, 6)]
    hard = analyzer.odds("undaunted", "dice", dice=2, defence=14)
    assert hard.asked == 9
    assert "19.0 % (19/100)" in hard.finding


def test_other_dice_by_the_config() -> None:
    answer = analyzer.odds("undaunted", "dice", set={"die_faces": 8, "zero_hits": False})
    for defence, *found in answer.rows:
        assert found == [by_icepool(n, defence, 8, False) for n in range(1, 5)]
    assert "or a 0" not in answer.words


@pytest.mark.parametrize(("unit", "action"), DICE)
def test_u3_u22_u24_every_attack_equals_icepool(unit: str, action: str) -> None:
    for target in BASE:
        answer = analyzer.odds(
            "undaunted", "attack", unit=unit, target=target, action=action, distance=2, cover=1
        )
        assert answer.column("distance") == ([0] if action == "blast" else list(range(7)))
        for distance, *found in answer.rows:
            far = 0 if action == "blast" else distance
            defences = [BASE[target] + cover + far for cover in (0, 1, 2, 3, 1)]
            assert found == [by_icepool(DICE[unit, action], defence) for defence in defences]
        asked = by_icepool(DICE[unit, action], BASE[target] + 1 + (0 if action == "blast" else 2))
        assert f"{float(asked):.1%}".replace("%", " %") in answer.finding


@pytest.mark.parametrize(
    ("place", "defence"),
    [
        ({"hill": True}, 4 + 3 + 1),
        ({"hill": True, "from_hill": True}, 4 + 1 + 1),
        ({"from_hill": True}, 4 + 1),
    ],
)
def test_u3_hills(place: dict[str, Any], defence: int) -> None:
    answer = analyzer.odds("undaunted", "attack", **place)
    assert f"a total defence of {defence}:" in answer.finding


def test_every_unit_against_every_unit_is_what_the_report_has() -> None:
    rules = load_config("undaunted").rules
    known = {
        (one.attacker, one.action, one.target, one.cover, one.distance): one.chance
        for one in odds.every_chance(rules)
    }
    code = {"rifleman": "RA", "scout": "SA", "sniper": "SN", "gunner": "GA", "mortar": "MO"}
    for cover, distance in itertools.product(range(4), (0, 3, 6)):
        answer = analyzer.odds("undaunted", "units", cover=cover, distance=distance)
        assert len(answer.rows) == len(DICE)
        for (unit, action), row in zip(DICE, answer.rows, strict=True):
            assert row[1] == DICE[unit, action]
            far = 0 if action == "blast" else distance
            assert row[2:] == tuple(known[code[unit], action, code[target], cover, far] for target in BASE)


def test_policies_reckon_with_the_same_chances() -> None:
    for defence, *found in analyzer.odds("undaunted", "dice").rows:
        for n, chance in enumerate(found, 1):
            assert float(chances.hit_chance(10, True, n, defence)) == pytest.approx(float(chance), abs=1e-6)


@pytest.mark.parametrize("cards", [0, 1, 3])
def test_u25_removal_equals_icepool(cards: int) -> None:
    """So many hits as there are cards, and one more for the counter."""
    answer = analyzer.odds(
        "undaunted", "remove", unit="gunner", target="scout", cover=1, distance=2, cards=cards
    )
    defence = 5 + 1 + 2
    hit = one_die(defence).map({0: 0, 1: 1})
    throw = (2 @ hit).map(lambda hits: int(hits > 0))
    down = (4 @ hit).map(lambda hits: int(hits > 0))
    for actions, *casualty, removed, suppressed in answer.rows[:7]:
        assert casualty == ([(actions @ throw >= 1).probability(True)] if cards else [])
        assert removed == (actions @ throw >= cards + 1).probability(True)
        assert suppressed == (actions @ down >= 1).probability(True)
    assert answer.column("removed")[-1] >= Fraction(99, 100)
    mean = (cards + 1) / by_icepool(2, defence)
    takes = f"({cards + 1} hits)" if cards else "(1 hit) takes"
    assert f"to remove the counter {takes} {float(mean):.2f}" in answer.finding
    assert odds.expected_actions(by_icepool(2, defence), cards + 1) == mean


def test_the_expected_actions_are_the_sum_over_all_numbers_of_actions() -> None:
    """E = sum of P(not yet removed after n actions), summed far out."""
    chance = Fraction(3, 10)
    total = sum(float(1 - odds.within(chance, 4, n)) for n in range(400))
    assert total == pytest.approx(float(odds.expected_actions(chance, 4) or 0), rel=1e-9)


def test_removal_by_those_who_do_not_suppress_and_by_default_cards() -> None:
    answer = analyzer.odds("undaunted", "remove", unit="RB", target="SN")
    assert [one.name for one in answer.columns] == ["actions", "casualty", "removed"]
    assert "a sniper with 3 cards" in answer.title
    assert "(4 hits)" in answer.finding
    blast = analyzer.odds("undaunted", "remove", unit="mortar", distance=5)
    assert "50.0 %" not in blast.finding
    assert "60.0 % (3/5)" in blast.finding  # 4 + cover 1: a Blast does not count the distance


def test_an_action_that_a_unit_does_not_have() -> None:
    with pytest.raises(UserError, match="the rifleman has no suppress; it has attack"):
        analyzer.odds("undaunted", "attack", action="suppress")


@pytest.mark.parametrize("cards", [0, 1, 3])
def test_u23_a_question_about_suppression_is_answered_by_it(cards: int) -> None:
    """Suppression first, in title, table and sentence; the removal by attack stands beside it."""
    given = {"unit": "gunner", "target": "scout", "cover": 1, "distance": 2, "cards": cards}
    answer = analyzer.odds("undaunted", "remove", action="suppress", **given)
    hit = one_die(5 + 1 + 2).map({0: 0, 1: 1})
    down = (4 @ hit).map(lambda hits: int(hits > 0))
    assert answer.title == "Gunner (suppress) until a scout is suppressed (cover 1, distance 2)"
    assert [one.name for one in answer.columns] == ["actions", "suppressed"]
    for actions, suppressed in answer.rows:
        assert suppressed == (actions @ down >= 1).probability(True)
    assert answer.rows[-1][1] >= Fraction(99, 100) > answer.rows[-2][1]
    chance = by_icepool(4, 8)
    assert f"suppresses a scout with {exactly(chance)}: {float(1 / chance):.2f} actions" in answer.finding
    assert f"{float((cards + 1) / by_icepool(2, 8)):.2f}." in answer.finding
    with pytest.raises(UserError, match="the rifleman has no suppress; it has attack"):
        analyzer.odds("undaunted", "remove", action="suppress")


def test_what_only_suppresses_removes_nothing() -> None:
    answer = analyzer.odds("undaunted", "remove", unit="gunner", set=["cards.gunner.actions.attack=0"])
    assert [one.name for one in answer.columns] == ["actions", "suppressed"]
    assert "remove" not in answer.finding


def test_what_never_hits_is_said_so() -> None:
    far = {"unit": "gunner", "distance": 20, "set": ["zero_hits=false"]}
    assert analyzer.odds("undaunted", "remove", **far).finding == "The gunner's attack never hits a rifleman."
    down = analyzer.odds("undaunted", "remove", action="suppress", **far)
    assert down.finding == "The gunner's suppress never hits a rifleman."
    assert down.rows[-1][1:] == (0,)


def test_u3_a_hill_has_cover_3_and_a_unit_no_more_cards_than_the_box() -> None:
    assert analyzer.odds("undaunted", "attack", hill=True, cover=3).finding == (
        analyzer.odds("undaunted", "attack", hill=True).finding
    )
    with pytest.raises(UserError, match=r"cover: 1 is not allowed with hill; a hill has cover 3 \(U3\)"):
        analyzer.odds("undaunted", "attack", hill=True, cover=1)
    assert "a rifleman with 5 cards" in analyzer.odds("undaunted", "remove", cards=5).title
    with pytest.raises(UserError, match="cards: 6 is not allowed; a rifleman has 0 to 5 cards in the box"):
        analyzer.odds("undaunted", "remove", cards=6)


def test_units_tell_every_pair_that_hits_as_surely() -> None:
    """Suppressing a rifleman, a gunner or a mortar needs the same throw: none of them alone is the surest."""
    told = analyzer.odds("undaunted", "units", cover=1, distance=2)
    best = max(chance for row in told.rows for chance in row[2:])
    surest = [row for row in told.rows if best in row[2:]]
    assert [row[0] for row in surest] == ["gunner (suppress)"]
    assert [row[2:].count(best) for row in surest] == [3]
    assert "as surely as gunner (suppress) at rifleman, gunner or mortar: 87.0 %" in told.finding
