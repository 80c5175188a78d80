"""Confidence sequences: they hold at every look, are as narrow as told, and say when to stop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats

from analyzer.stats import intervals as iv
from analyzer.stats import sequence as sq

RUNS, LOOKS, BLOCK = 2000, 60, 100
N = np.arange(1, LOOKS + 1) * float(BLOCK)
Floats = NDArray[np.float64]


def coins(p: float, seed: int = 1) -> Floats:
    """Cumulative wins float64[run, look]."""
    return np.random.default_rng(seed).binomial(BLOCK, p, (RUNS, LOOKS)).cumsum(1).astype(float)


def ever_wrong(found: iv.Interval, truth: float) -> float:
    """The share of runs whose interval misses the truth at some look."""
    return float(((found.low > truth) | (found.high < truth)).any(axis=1).mean())


def ever_against(p: float, wins: Floats) -> float:
    """As `ever_wrong` for `exact`, without the search for its limits."""
    return float((sq.evidence(p, N, wins) >= math.log(20)).any(axis=1).mean())


@pytest.mark.parametrize("p", [0.0005, 0.01, 0.25, 0.5, 0.9, 0.9995])
def test_exact_misses_the_truth_at_any_look_in_at_most_5_percent_of_runs(p: float) -> None:
    assert ever_against(p, coins(p)) <= 0.05


@pytest.mark.parametrize("p", [0.01, 0.5, 0.9])
def test_the_limits_of_exact_are_where_the_evidence_ends(p: float) -> None:
    wins = coins(p)[:50]
    found = sq.exact(N, wins)
    wrong = (found.low > p) | (found.high < p)
    np.testing.assert_array_equal(wrong, sq.evidence(p, N, wins) >= math.log(20))
    inner = (found.low > 0) & (found.high < 1)
    for limit in (found.low[inner], found.high[inner]):
        n = np.broadcast_to(N, wins.shape)[inner]
        np.testing.assert_allclose(sq.evidence(limit, n, wins[inner]), math.log(20), atol=1e-3)


def ever_against_bernstein(truth: float, total: Floats, squares: Floats, **how: Any) -> float:
    """As `ever_wrong` for `bernstein`, without the search for its limits."""
    found = sq.evidence_bernstein(truth, N, total, squares, **how)
    return float((found >= math.log(20)).any(axis=1).mean())


@pytest.mark.parametrize("p", [0.0005, 0.01, 0.25, 0.5, 0.9, 0.9995])
def test_bernstein_misses_the_truth_at_any_look_in_at_most_5_percent_of_runs(p: float) -> None:
    wins = coins(p)
    assert ever_against_bernstein(p, wins, wins) <= 0.05
    assert ever_against_bernstein(p, wins, wins, guess=p, deviation=math.sqrt(p * (1 - p))) <= 0.05


def test_the_limits_of_bernstein_are_where_the_evidence_ends() -> None:
    total, squares = shared(7, 60)
    found = sq.bernstein(N, total, squares)
    wrong = (found.low > 0.255) | (found.high < 0.255)
    np.testing.assert_array_equal(wrong, sq.evidence_bernstein(0.255, N, total, squares) >= math.log(20))
    at_limit = sq.evidence_bernstein(found.high, N, total, squares)
    np.testing.assert_allclose(at_limit, math.log(20), atol=1e-3)


def test_asymptotic_holds_for_common_events() -> None:
    wins = coins(0.25)
    assert ever_wrong(sq.asymptotic(N, wins, wins), 0.25) <= 0.05


def test_negative_control_an_interval_for_one_look_fails_when_looked_at_often() -> None:
    wins = coins(0.25)
    assert ever_wrong(iv.wilson(wins, N), 0.25) > 0.2


def test_negative_control_asymptotic_fails_for_rare_events_and_few_games() -> None:
    wins = coins(0.0005)
    assert ever_wrong(sq.asymptotic(N, wins, wins), 0.0005) > 0.2


def test_negative_control_a_false_mean_is_found_out() -> None:
    assert ever_against(0.26, coins(0.3)) > 0.95


def shared(seed: int, runs: int) -> tuple[Floats, Floats]:
    """Sums and sums of squares float64[run, look] of credits 0, 1/4, 1/2, 1 with mean 1/4."""
    at, odds = np.array([0, 0.25, 0.5, 1]), np.array([0.55, 0.2, 0.1, 0.15])
    assert at @ odds == pytest.approx(0.25)
    counts = np.random.default_rng(seed).multinomial(BLOCK, odds, (runs, LOOKS)).cumsum(1)
    return counts @ at, counts @ at**2


def test_shared_wins_are_covered_by_all_three() -> None:
    total, squares = shared(3, RUNS)
    assert ever_against(0.25, total) <= 0.05
    assert ever_against_bernstein(0.25, total, squares) <= 0.05
    assert ever_wrong(sq.asymptotic(N, total, squares), 0.25) <= 0.05


def test_clusters_of_rotations_earn_a_narrow_interval_and_are_covered() -> None:
    # Four rotations of one deal: mostly one win in four, so that the mean of a cluster hardly varies.
    counts = np.random.default_rng(4).multinomial(BLOCK, [0.1, 0.8, 0.1], (RUNS, LOOKS)).cumsum(1)
    at = np.array([0, 1, 2]) / 4
    total, squares = counts @ at, counts @ at**2
    assert ever_against_bernstein(0.25, total, squares, deviation=0.11) <= 0.05
    found = sq.bernstein(N, total[:5], squares[:5], deviation=0.11)
    wide = sq.exact(N[-1], total[:5, -1])
    assert np.all((found.high - found.low)[:, -1] < 0.35 * (wide.high - wide.low))


def test_differences_have_bounds_minus_1_and_1() -> None:
    rng = np.random.default_rng(5)
    counts = rng.multinomial(BLOCK, [0.1, 0.75, 0.15], (RUNS, LOOKS)).cumsum(1)
    at = np.array([-1, 0, 1])
    total, squares = counts @ at, counts @ at**2
    assert ever_against_bernstein(0.05, total, squares, bounds=(-1, 1)) <= 0.05
    assert ever_against_bernstein(0.0, total, squares, bounds=(-1, 1)) > 0.95  # and no difference is refuted
    found = sq.bernstein(N, total[:9], squares[:9], bounds=(-1, 1))
    np.testing.assert_allclose(found.value, total[:9] / N)


def test_sums_outside_the_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="outside the bounds"):
        sq.exact(10, 11)
    with pytest.raises(ValueError, match="must rise"):
        sq.exact(10, 1, bounds=(1, 0))


def test_evidence_is_the_mixture_integral() -> None:
    m, n, total, plan = 0.3, 40, 17.5, 100.0
    size = 1 / sq.tuning(plan) - 1
    prior = stats.beta(size * m, size * (1 - m))
    value, _ = integrate.quad(
        lambda t: prior.pdf(t) * (t / m) ** total * ((1 - t) / (1 - m)) ** (n - total), 0, 1
    )
    assert float(sq.evidence(m, n, total, plan=plan)) == pytest.approx(math.log(value), rel=1e-6)


def test_the_gamma_bound_is_the_mixture_integral() -> None:
    v, plan = 30.0, 50.0
    rho = 1 / sq.tuning(plan)
    s = float(sq._gamma_bound(np.array([v]), rho, 0.95)[0])
    # The mixing density of lambda: exp(rho (log(1 - lambda) + lambda)) / (1 - lambda), but for a factor.
    weight = lambda x: np.exp(rho * (np.log1p(-x) + x)) / (1 - x)  # noqa: E731
    norm, _ = integrate.quad(weight, 0, 1)
    mixed, _ = integrate.quad(lambda x: weight(x) * np.exp(x * s + v * (np.log1p(-x) + x)), 0, 1)
    assert mixed / norm == pytest.approx(40, rel=1e-5)


def test_the_told_width_is_the_real_one() -> None:
    wins = coins(0.4)[:20]
    found = sq.asymptotic(N[-1], wins[:, -1], wins[:, -1])
    told = float(sq.half_width(N[-1], math.sqrt(0.24)))
    np.testing.assert_allclose((found.high - found.low) / 2, told, rtol=0.01)
    needed = sq.units_needed(0.01, 0.5)
    assert float(sq.half_width(needed, 0.5, plan=needed)) == pytest.approx(0.01, rel=1e-3)
    assert float(sq.half_width(needed, 0.5, plan=10 * needed)) > 0.0105  # the plan is the best one


@pytest.mark.parametrize("whole", [True, False])
def test_a_watch_stops_near_the_number_of_games_it_told(whole: bool) -> None:
    rng = np.random.default_rng(6)
    watch = sq.Watch(half=0.02, deviation=math.sqrt(0.25 * 0.75), whole=whole)
    told, n, wins = watch.needed, 0, np.zeros(4)
    assert watch.width == math.inf
    while not watch.reached:
        n, wins = n + 200, wins + rng.multinomial(200, [0.25] * 4)
        watch.look(n, wins, wins)
    assert watch.found is not None
    assert watch.found.value.shape == (4,)
    assert 0.8 * told < n < 1.4 * told
    assert 0.8 * n < watch.needed <= n


def test_a_watch_gives_the_limits_of_bernstein() -> None:
    wins, watch = coins(0.3)[:7, :9], sq.Watch(0.01)
    for look in range(9):
        watch.look(N[look], wins[:, look], wins[:, look])
    plan = sq.units_needed(0.01, 0.5)
    together = sq.bernstein(N[:9], wins, wins, plan=plan)
    assert watch.found is not None
    np.testing.assert_allclose(watch.found.low, together.low[:, -1])
    np.testing.assert_allclose(watch.found.high, together.high[:, -1])


def test_a_good_guess_narrows_the_first_look() -> None:
    blind, told = sq.Watch(0.01, deviation=0.35), sq.Watch(0.01, deviation=0.35, guess=0.15)
    for watch in (blind, told):
        watch.look(4000, [560.0], [560.0])
    assert told.width < 0.75 * blind.width


def test_a_watch_over_several_means_together_is_wider() -> None:
    alone, joint = sq.Watch(0.02, whole=True), sq.Watch(0.02, whole=True, together=True)
    for watch in (alone, joint):
        watch.look(1000, [250, 250, 250], [250, 250, 250])
    assert joint.width > 1.1 * alone.width


def test_a_watch_wants_cumulative_sums() -> None:
    watch = sq.Watch(0.1)
    watch.look(100, [30.0], [30.0])
    with pytest.raises(ValueError, match="must include"):
        watch.look(50, [10.0], [10.0])
