"""Sequential tests: their bounds, error rates and expected numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats import sequential as sq
from analyzer.stats.sequential import Test

RUNS = 2000
NEAR = 3.5 * math.sqrt(0.05 * 0.95 / RUNS)
Floats = NDArray[np.float64]


def differences(mean: float, block: int, looks: int, seed: int = 1, share: float = 0.3) -> tuple[Floats, ...]:
    """Cumulative n[look], total, squares [run, look] of differences -1, 0, 1, of which `share` are not 0."""
    odds = [(share - mean) / 2, 1 - share, (share + mean) / 2]
    counts = np.random.default_rng(seed).multinomial(block, odds, (RUNS, looks)).cumsum(1)
    n = np.arange(1, looks + 1) * float(block)
    return n, (counts[..., 2] - counts[..., 0]).astype(float), (counts[..., 2] + counts[..., 0]).astype(float)


@pytest.mark.parametrize("block", [50, 500])
def test_errors_are_as_asked_for(block: int) -> None:
    test = Test(0.0, 0.05)
    for truth, wrong in ((0.0, "d1"), (0.05, "d0")):
        found = sq.course(test, *differences(truth, block, 12_000 // block), step=1.0)
        assert (found.decision == wrong).mean() <= 0.05 + NEAR
        assert (found.decision == "go on").mean() < 0.01


def test_unequal_errors_are_kept_apart() -> None:
    test = Test(0.0, 0.05, alpha=0.01, beta=0.2)
    wrong = (sq.course(test, *differences(0.0, 50, 200), step=1.0).decision == "d1").mean()
    assert wrong <= 0.01 + 0.008
    missed = (sq.course(test, *differences(0.05, 50, 200), step=1.0).decision == "d0").mean()
    assert 0.12 < missed <= 0.2 + 0.03


def test_negative_control_a_single_test_looked_at_often_is_wrong_too_often() -> None:
    _, total, squares = differences(0.0, 50, 200)
    z = total / np.sqrt(np.maximum(squares, 1))
    assert (z > 1.645).any(axis=1).mean() > 0.25


def test_the_average_number_of_units_is_walds() -> None:
    test = Test(0.0, 0.05)
    for truth in (-0.02, 0.025, 0.05):
        n, *sums = differences(truth, 10, 400)
        found = sq.course(test, n, *sums, step=1.0)
        taken = np.where(found.stop >= 0, n[found.stop], n[-1]).mean()
        deviation = math.sqrt(0.3 - truth**2)
        assert taken == pytest.approx(test.units_needed(truth, deviation), rel=0.12)
        chance = (found.decision == "d1").mean()
        assert chance == pytest.approx(test.chance_of_d1(truth), abs=0.03)


def test_it_needs_fewer_games_than_a_test_of_fixed_size() -> None:
    test = Test(0.0, 0.05)
    fixed = (2 * 1.645 / 0.05) ** 2 * 0.3
    assert test.units_needed(0.05, math.sqrt(0.3)) < 0.55 * fixed


def test_at_its_bounds_the_chances_are_alpha_and_beta() -> None:
    test = Test(0.01, 0.03, 0.1, 0.02)
    assert test.chance_of_d1(0.01) == pytest.approx(0.1)
    assert test.chance_of_d1(0.03) == pytest.approx(0.98)


def test_counts_and_sums_agree_for_many_units() -> None:
    test = Test(0.0, 0.01)
    counts = np.array([2900, 14_000, 3100])
    exact = sq.llr_counts(test, [-1, 0, 1], counts)
    rough = float(sq.llr_normal(test, counts.sum(), 200, 6000))
    assert exact == pytest.approx(rough, rel=0.02)


def test_bounds_may_be_turned_round() -> None:
    n, total, squares = differences(-0.05, 50, 200)
    falling = sq.course(Test(0.0, -0.05), n, total, squares)
    rising = sq.course(Test(0.0, 0.05), n, -total, squares)
    np.testing.assert_allclose(falling.llr, rising.llr)
    assert (falling.decision == "d1").mean() > 0.9


def test_a_course_stops_at_the_first_look_beyond_a_bound() -> None:
    found = sq.course(Test(0.0, 0.05), *differences(0.05, 50, 240), step=1.0)
    test = Test(0.0, 0.05)
    for run in range(40):
        stop = found.stop[run]
        assert all(test.decide(x) == "go on" for x in found.llr[run, :stop])
        assert test.decide(found.llr[run, stop]) == found.decision[run]


def test_equal_games_decide_nothing_early() -> None:
    assert float(sq.llr_normal(Test(0.0, 0.05), 20, 0.0, 0.0)) == 0.0
    # Two units off by one are added: variance 2 / 22, so that 20 equal games say -0.05 * 0.05 * 20 / 2 * 11.
    assert float(sq.llr_normal(Test(0.0, 0.05), 20, 0.0, 0.0, step=1.0)) == pytest.approx(-0.275)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((0.1, 0.1), "must differ"), ((0, 0.1, 0.0), "positive"), ((0, 0.1, 0.6, 0.5), "less than 1")],
)
def test_impossible_tests_are_refused(arguments: tuple[float, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Test(*arguments)


def test_counts_need_bounds_within_the_values() -> None:
    with pytest.raises(ValueError, match="must lie between"):
        sq.llr_counts(Test(0.0, 1.5), [-1, 0, 1], [1, 1, 1])
    with pytest.raises(ValueError, match="one count"):
        sq.llr_counts(Test(0.0, 0.5), [-1, 0, 1], [1, 1])
