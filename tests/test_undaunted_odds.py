"""Exact chances of Undaunted against the rules' own table, against every throw counted out, and the maps."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files
from itertools import product

import pytest

from analyzer.config import load_config
from analyzer.games.undaunted import odds
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.scenario import UNITS


def rules_of(*options: str, scenario: str = "undaunted") -> UndauntedRules:
    rules: UndauntedRules = load_config(scenario, overrides=options).rules
    return rules


TABLE = {
    4: ("0.7", "0.91", "0.973", "0.9919"),
    8: ("0.3", "0.51", "0.657", "0.7599"),
    10: ("0.1", "0.19", "0.271", "0.3439"),
    11: ("0.1", "0.19", "0.271", "0.3439"),
    17: ("0.1", "0.19", "0.271", "0.3439"),
}
"""Total defence -> the chances of 1 to 4 dice, as the rules have them."""


@pytest.mark.parametrize("defence", TABLE)
def test_the_rules_table_to_the_last_digit(defence: int) -> None:
    """U22: equal as fractions, so no digit is left to differ."""
    found = [odds.hit(rules_of(), defence, dice) for dice in (1, 2, 3, 4)]
    assert found == [Fraction(text) for text in TABLE[defence]]


def test_the_closed_formula() -> None:
    """p = min(1, max(1, 11 - v) / 10) for one die, 1 - (1 - p)^n for n."""
    rules = rules_of()
    for defence in range(25):
        one = min(Fraction(1), Fraction(max(1, 11 - defence), 10))
        for dice in range(1, 7):
            assert odds.hit(rules, defence, dice) == 1 - (1 - one) ** dice
    assert {v: row[1] for v, row in odds.table(rules).items()} == {
        v: odds.hit(rules, v, 2) for v in range(1, 11)
    }


@pytest.mark.parametrize(("faces", "zero"), [(10, True), (10, False), (6, True), (6, False), (12, True)])
def test_every_throw_is_counted_out(faces: int, zero: bool) -> None:
    """Brute force over all throws of 1 to 3 dice, with other dice and without the hit by 0, too."""
    rules = rules_of(f"die_faces={faces}", f"zero_hits={str(zero).lower()}")
    for defence in range(faces + 3):
        for dice in (1, 2, 3):
            throws = list(product(range(faces), repeat=dice))
            hits = sum(any(face >= defence or (zero and face == 0) for face in throw) for throw in throws)
            assert odds.hit(rules, defence, dice) == Fraction(hits, len(throws))


def test_a_zero_hits_whatever_the_defence() -> None:
    """U22: a 0 always hits; without that rule a defence of 10 cannot be hit."""
    assert odds.die(rules_of(), 99) == Fraction(1, 10)
    assert odds.die(rules_of("zero_hits=false"), 10) == 0


def test_u22_to_u24_dice_by_card() -> None:
    rules = rules_of()
    known = {
        (unit, action): odds.dice(rules, unit, action)
        for unit in ("RA", "SB", "GC", "SN", "MO")
        for action in odds.ACTIONS
    }
    assert {key: count for key, count in known.items() if count} == {
        ("RA", "attack"): 1,
        ("SB", "attack"): 1,
        ("GC", "attack"): 2,
        ("GC", "suppress"): 4,
        ("SN", "attack"): 3,
        ("MO", "blast"): 1,
    }


def test_u3_u22_total_defence() -> None:
    """Base + cover + distance; a hill counts 1 from a hill and against a Blast, which has no distance."""
    rules = rules_of()
    assert [odds.total_defence(rules, unit) for unit in ("RA", "SA", "GA", "SN", "MO")] == [4, 5, 4, 6, 4]
    assert odds.total_defence(rules, "SC", 2, 3) == 5 + 2 + 3
    assert odds.total_defence(rules, "RB", 3, 2, hill=True) == 4 + 3 + 2
    assert odds.total_defence(rules, "RB", 3, 2, hill=True, from_hill=True) == 4 + 1 + 2
    assert odds.total_defence(rules, "RB", 3, 2, from_hill=True) == 4 + 3 + 2  # cover 3 that is no hill
    assert odds.total_defence(rules, "RB", 3, 2, hill=True, action="blast") == 4 + 1
    assert odds.total_defence(rules, "RB", 2, 5, action="blast") == 4 + 2
    other = rules_of("hill_cover_from_hill=2", "cards.rifleman.defence=7")
    assert odds.total_defence(other, "RB", 3, 1, hill=True, from_hill=True) == 7 + 2 + 1


def test_on_the_map_of_hill_314() -> None:
    """From 2A (hill) to 9A (hill, next to it) and to 3A (no hill), and back from there."""
    rules = rules_of(scenario="undaunted/11-hill-314")
    number = {name: i for i, name in enumerate(rules.scenario.names)}
    assert odds.on_the_map(rules, number["2A"], number["9A"], "RA") == 4 + 1 + 1
    assert (
        odds.on_the_map(rules, number["3A"], number["2A"], "SN")
        == 6 + 3 + rules.scenario.distances[number["3A"]][number["2A"]]
    )
    assert odds.on_the_map(rules, number["2A"], number["2A"], "RA") == 4 + 1
    assert odds.on_the_map(rules, number["2A"], number["16A"], "RA", "blast") == 4 + 1


def test_every_chance_is_the_sum_of_its_parts() -> None:
    rules = rules_of()
    found = list(odds.every_chance(rules))
    assert len(found) == 5 * 4 * (5 * 7 + 1)  # 5 targets, 4 covers; 5 actions at 7 distances, and the Blast
    assert {one.attacker for one in found} == {"RA", "SA", "GA", "SN", "MO"}
    for one in found:
        assert one.attacker in UNITS
        assert one.defence == rules.defence(one.target) + one.cover + one.distance
        assert one.chance == odds.hit(rules, one.defence, one.dice)


def test_the_rules_page_has_the_exact_table() -> None:
    page = files("analyzer.games.undaunted").joinpath("rules.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\d+)(?: and more)? \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE
    )
    assert len(rows) == 3
    for defence, *told in rows:
        assert [Fraction(text) for text in told] == [
            odds.hit(rules_of(), int(defence), n) for n in range(1, 5)
        ]


def test_the_rules_page_names_every_rule() -> None:
    page = files("analyzer.games.undaunted").joinpath("rules.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\*\*(U\d+)\*\*", page)) == {f"U{k}" for k in range(1, 32)}
    assert [int(k) for k in re.findall(r"^(\d+)\. ", page, re.MULTILINE)] == list(range(1, 13))
