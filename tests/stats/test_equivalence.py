"""Verdicts of balance: against statsmodels, and how often they are wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.proportion import proportions_ztest
from statsmodels.stats.weightstats import DescrStatsW

from analyzer.stats import equivalence as eq
from analyzer.stats import intervals as iv

RUNS = 4000


def test_tost_is_statsmodels() -> None:
    x = np.random.default_rng(1).normal(0.05, 1, 3000)
    data = DescrStatsW(x)
    p, _, _ = data.ztost_mean(-0.1, 0.1) if hasattr(data, "ztost_mean") else data.ttost_mean(-0.1, 0.1)
    assert float(eq.tost(x.mean(), data.std_mean, 0.1)) == pytest.approx(p, rel=5e-3)


def test_difference_is_the_z_test() -> None:
    _, p = proportions_ztest(550, 1000, 0.5)
    error = math.sqrt(0.55 * 0.45 / 1000)
    assert float(eq.difference(0.05, error)) == pytest.approx(p, rel=1e-9)


def seats(rates: list[float], n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    return np.random.default_rng(seed).multinomial(n, rates, RUNS).astype(float), np.array(rates)


def any_verdict(word: str, rates: list[float], n: int, tolerance: float, margin: float = 0.0) -> np.ndarray:
    """Whether each seat got this verdict, bool[run, seat]."""
    wins, _ = seats(rates, n)
    found = eq.rate(wins, n, 1 / len(rates), tolerance, claims=len(rates), margin=margin)
    return np.asarray(found.verdict == word)


NEAR = 3.5 * math.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize("n", [100, 1000, 20_000])
def test_fair_seats_are_called_unbalanced_in_at_most_5_percent_of_runs(n: int) -> None:
    wrong = any_verdict(eq.UNBALANCED, [0.25] * 4, n, 0.02)
    assert wrong.any(axis=1).mean() <= 0.05 + NEAR


@pytest.mark.parametrize("n", [300, 3000, 30_000])
def test_seats_off_by_the_tolerance_are_called_balanced_in_at_most_5_percent_of_runs(n: int) -> None:
    wrong = any_verdict(eq.BALANCED, [0.27, 0.23, 0.27, 0.23], n, 0.02)
    assert wrong.any(axis=1).mean() <= 0.05 + NEAR


def test_negative_control_without_correction_many_claims_are_wrong_too_often() -> None:
    wins, _ = seats([0.05] * 20, 1500)
    alone = eq.rate(wins, 1500, 0.05, 0.01, claims=1)
    assert (alone.verdict == eq.UNBALANCED).any(axis=1).mean() > 0.3
    joint = eq.rate(wins, 1500, 0.05, 0.01, claims=20)
    assert (joint.verdict == eq.UNBALANCED).any(axis=1).mean() <= 0.05 + NEAR


def test_with_a_margin_an_imbalance_must_exceed_it() -> None:
    small = [0.26, 0.24, 0.26, 0.24]
    assert any_verdict(eq.UNBALANCED, small, 8000, 0.02).any(axis=1).mean() > 0.15
    assert any_verdict(eq.UNBALANCED, small, 8000, 0.02, margin=0.01).any(axis=1).mean() <= 0.05 + NEAR


def test_the_three_verdicts() -> None:
    found = eq.verdicts([0.0, 0.05, 0.01, 0.008], [0.004, 0.01, 0.02, 0.001], 1000, 0.02)
    assert found.verdict.tolist() == [eq.BALANCED, eq.UNBALANCED, eq.TOO_FEW, eq.BALANCED]
    assert found.p_difference[3] < found.alpha  # a real deviation, but smaller than the tolerance
    assert found.needed[:2].tolist() == [1000, 1000]
    assert found.needed[2] > 1000
    assert found.alpha == pytest.approx(0.0125)


def test_the_number_of_games_told_gives_a_verdict_as_often_as_told() -> None:
    n = float(eq.units_needed(0.0, math.sqrt(0.25 * 0.75), 0.02))
    share = (np.random.default_rng(2).binomial(int(n), 0.25, RUNS)[:, None]).astype(float)
    found = eq.rate(share, n, 0.25, 0.02, claims=1)
    assert (found.verdict == eq.BALANCED).mean() == pytest.approx(0.8, abs=0.025)
    n = float(eq.units_needed(0.03, math.sqrt(0.28 * 0.72), 0.02))
    share = (np.random.default_rng(2).binomial(int(n), 0.28, RUNS)[:, None]).astype(float)
    found = eq.rate(share, n, 0.25, 0.02, claims=1)
    assert (found.verdict == eq.UNBALANCED).mean() == pytest.approx(0.8, abs=0.025)


def test_at_the_tolerance_with_an_equal_margin_no_number_of_games_tells() -> None:
    assert float(eq.units_needed(0.02, 0.4, 0.02, margin=0.02)) == math.inf


def test_few_equal_games_are_no_certainty() -> None:
    assert eq.rate([5.0], 5, 0.5, 0.02).verdict[0] == eq.TOO_FEW
    assert eq.rate([0.0, 0.0], 29, 0.1, 0.3).verdict.tolist() == [eq.TOO_FEW] * 2
    assert eq.rate([0.0], 200, 0.01, 0.001).verdict[0] == eq.TOO_FEW


def test_the_fair_share_is_one_of_the_games_that_somebody_won() -> None:
    # 1,000 games, 600 won, two seats: each fair at 300; shared wins count half.
    found = eq.deviation([300, 350], [250, 350], 600, 1000, 0.5)
    np.testing.assert_allclose(found.value, [0.0, 0.05])
    assert found.error[0] < found.error[1]


def test_the_error_of_a_deviation_is_that_of_its_sum_over_games() -> None:
    rng = np.random.default_rng(3)
    won = rng.random((RUNS, 500)) < 0.6
    credit = won * rng.choice([0, 0.5, 1], (RUNS, 500), p=[0.4, 0.2, 0.4])
    found = eq.deviation(credit.sum(1), (credit**2).sum(1), won.sum(1), 500, 0.5)
    assert float(found.value.std()) == pytest.approx(float(found.error.mean()), rel=0.04)


def test_the_interval_of_a_rate_is_wilsons_and_agrees_with_the_verdict() -> None:
    wins, _ = seats([0.05, 0.95], 300)
    found = eq.rate(wins, 300, [0.05, 0.95], 0.01, claims=2)
    wilson = iv.wilson(wins, 300, 0.975)
    np.testing.assert_allclose(found.low, wilson.low - np.array([0.05, 0.95]), atol=1e-9)
    np.testing.assert_allclose(found.high, wilson.high - np.array([0.05, 0.95]), atol=1e-9)
    clear = (found.low > 0) | (found.high < 0)
    np.testing.assert_array_equal(clear, found.verdict == eq.UNBALANCED)


def test_verdicts_of_intervals() -> None:
    words = eq.judged([-0.01, 0.01, -0.05, 0.001, -0.09], [0.01, 0.05, 0.01, 0.01, -0.03], 0.02)
    assert words.tolist() == [eq.BALANCED, eq.UNBALANCED, eq.TOO_FEW, eq.BALANCED, eq.UNBALANCED]


def test_an_index_of_imbalance_comes_with_what_chance_alone_would_give() -> None:
    wins, _ = seats([0.25] * 4, 400)
    found = [eq.evenness(row) for row in wins[:500]]
    mean_square = np.mean([one.rms**2 for one in found])
    assert math.sqrt(mean_square) == pytest.approx(found[0].by_chance, rel=0.05)
    assert np.mean([one.p < 0.05 for one in found]) == pytest.approx(0.05, abs=0.035)
    uneven = eq.evenness([4000, 3000, 2000, 1000])
    assert uneven.p < 1e-100
    assert uneven.clean == pytest.approx(math.sqrt(0.0125), rel=0.01)


@pytest.mark.parametrize("bad", [{"tolerance": 0.0}, {"tolerance": 0.01, "margin": 0.02}])
def test_impossible_tolerances_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        eq.verdicts([0.0], [0.1], 10, **bad)


def test_evenness_without_wins_is_refused() -> None:
    with pytest.raises(ValueError, match="some wins"):
        eq.evenness([0, 0])
