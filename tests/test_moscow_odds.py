"""Exact odds of M21 against the oracle, by enumeration, and against simulated fights."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import analyzer
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.moscow import odds
from analyzer.stats.intervals import wilson
from tests.oracle.moscow import Oracle

LEVEL = 0.9999  # of each interval: two dozen of them are looked at


def test_m21_odds_equal_the_oracles_by_enumeration() -> None:
    rng = random.Random(4)
    for _ in range(400):
        boosts = rng.choice(["multiply", "add"])
        config = load_config("moscow", overrides=[f"boosts={boosts}", f"die_sides={rng.choice([4, 6, 10])}"])
        rules, plain = config.rules, config.as_dict()
        month = rng.choice(rules.months)
        army, general, river = rng.choice(rules.cards.red_army), rng.random() < 0.5, rng.random() < 0.5
        cards = [rng.choice([2, 3, 4, 5]) for _ in range(rng.randint(1, 5))]
        oracle = Oracle.at_position(
            plain,
            2,
            lambda *_: ("nothing",),
            hands=[{}, {}],
            deck=[],
            dice=[],
            army=[f"army {army.strength}/{army.km}", None],
            general=[general, False],
            river=[river, False],
            moscow_army=f"army {army.strength}/{army.km}",
            moscow_general=general,
            month=month.name,
        )
        totals = {
            "front": odds.red_total(rules, army.strength, month.name, general, river),
            "moscow": odds.moscow_total(rules, army.strength, general),
        }
        for target, total in totals.items():
            assert total == oracle.red_total(0, target)
            wins = [sum(cards) + month.attack + die >= total for die in range(1, rules.die_sides + 1)]
            assert odds.chance(rules, cards, month.name, total) == Fraction(sum(wins), rules.die_sides)


def simulated(seed: int = 12) -> list[tuple[int, int, int]]:
    """(winning faces, fights, won) by target and faces, of games in which everybody fights at any odds."""
    results = analyzer.run("moscow", policy="random", players=3, n=4000, seed=seed, jobs=1)
    fights = results.tallies["fights"].groupby(["target", "faces", "won"])["n"].sum().unstack(fill_value=0)
    return [(faces, int(row.sum()), int(row[1])) for (_, faces), row in fights.iterrows()]


def inside(rows: list[tuple[int, int, int]], sides: int) -> list[bool]:
    found = []
    for faces, n, won in rows:
        _, low, high = wilson(won, n, LEVEL)
        found.append(bool(low <= faces / sides <= high))
    return found


def test_m21_exact_odds_lie_in_the_simulated_intervals() -> None:
    rows = simulated()
    assert {faces for faces, n, _ in rows if n > 100} == set(range(7)), "every chance is tried often"
    assert all(inside(rows, 6))


def test_negative_control_a_seven_sided_die_does_not_fit() -> None:
    assert not all(inside(simulated(), 7))


def test_m20_and_wrong_months_are_refused() -> None:
    rules = load_config("moscow").rules
    with pytest.raises(UserError, match="at least one division"):
        odds.chance(rules, [], "june", 8)
    with pytest.raises(UserError, match="Did you mean 'june'"):
        odds.chance(rules, [3], "jun", 8)
