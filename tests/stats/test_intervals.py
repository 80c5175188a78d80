"""Intervals against statsmodels and scipy, against each other, and by their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from analyzer.stats import intervals as iv


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_wilson_is_statsmodels_wilson(level: float) -> None:
    n = np.repeat([1, 2, 7, 50, 1000, 10**6], 5)
    wins = (n * np.tile([0, 0.1, 0.5, 0.93, 1], 6)).astype(int)
    ours = iv.wilson(wins, n, level)
    low, high = proportion_confint(wins, n, alpha=1 - level, method="wilson")
    np.testing.assert_allclose(ours.low, low, atol=1e-12)
    np.testing.assert_allclose(ours.high, high, atol=1e-12)


def test_wilson_without_observations_says_nothing_is_known() -> None:
    assert [float(x) for x in iv.wilson(0, 0)] == [0.5, 0.0, 1.0]


@pytest.mark.parametrize(("wins", "n"), [(-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(wins: int, n: int) -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        iv.wilson(wins, n)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 95])
def test_a_level_must_lie_between_0_and_1(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        iv.z_value(level)


def test_limits_enclose_the_value_and_stay_in_0_1() -> None:
    n = np.arange(1, 400)[:, None]
    wins = np.minimum(np.arange(400)[None, :], n)
    value, low, high = iv.wilson(wins, n)
    assert (low <= value).all()
    assert (value <= high).all()
    assert low.min() == 0.0
    assert high.max() == 1.0


def test_credit_without_ties_is_wilson() -> None:
    wins, n = np.array([0, 3, 10, 50]), np.array([5, 20, 10, 1000])
    for ours, theirs in zip(iv.credit(wins, wins, n), iv.wilson(wins, n), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_credit_of_shared_wins_is_narrower_but_never_a_point() -> None:
    whole, shared = iv.wilson(500, 1000), iv.credit(500, 250, 1000)  # every game shared by two
    assert 0 < shared.high - shared.low < whole.high - whole.low


def test_an_average_of_one_part_is_that_part() -> None:
    for ours, theirs in zip(iv.average_rate([30], [100]), iv.wilson(30, 100), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_an_average_weighs_parts_alike_and_leaves_empty_ones_out() -> None:
    assert float(iv.average_rate([10, 900], [100, 1000]).value) == pytest.approx(0.5)  # not 910 / 1100
    assert float(iv.average_rate([10, 0], [100, 0]).value) == pytest.approx(0.1)
    assert [float(x) for x in iv.average_rate([0, 0], [0, 0])] == [0.5, 0.0, 1.0]


def test_difference_is_newcombe() -> None:
    ours = iv.difference(iv.wilson(56, 70), iv.wilson(48, 80))
    low, high = confint_proportions_2indep(56, 70, 48, 80, method="newcomb")
    assert [float(ours.low), float(ours.high)] == pytest.approx([low, high], abs=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 100, 10**6])
def test_t_value_is_students(freedom: int) -> None:
    assert float(iv.t_value(0.95, freedom)) == pytest.approx(stats.t.ppf(0.975, freedom), rel=3e-3)


def test_mean_is_students_interval() -> None:
    x = np.random.default_rng(5).gamma(2.0, 3.0, 40)
    ours = iv.mean(x.size, x.sum(), (x**2).sum())
    low, high = stats.t.interval(0.95, x.size - 1, loc=x.mean(), scale=stats.sem(x))
    assert [float(v) for v in ours] == pytest.approx([x.mean(), low, high], rel=1e-4)


def test_one_observation_has_no_interval() -> None:
    value, low, high = iv.mean(1, 7, 49)
    assert float(value) == 7
    assert np.isnan(low)
    assert np.isnan(high)


def test_joint_level_makes_all_hold_together() -> None:
    assert iv.joint_level(0.95, 4) ** 4 == pytest.approx(0.95)
    assert iv.joint_level(0.95, 0) == 0.95


# Coverage: how often the interval holds the truth, over 4000 experiments with a fixed seed: a coverage
# of 0.95 has a standard error of 0.0034 then, and Wilson's own coverage swings by 0.02 where few games
# are won. The negative controls show that a too narrow interval is seen.


def covered(interval: iv.Interval, truth: float) -> float:
    return float(((interval.low <= truth) & (truth <= interval.high)).mean())


@pytest.mark.parametrize(
    "rates", [(0.25,) * 4, (0.05, 0.1, 0.6, 0.3), (0.01, 0.02, 0.02, 0.01), (0.0, 0.0, 0.3, 0.1)]
)
def test_coverage_of_the_average_over_rotations(rates: tuple[float, ...]) -> None:
    n = np.array([100, 101, 250, 400])
    wins = np.random.default_rng(11).binomial(n, rates, (4000, 4))
    assert 0.93 <= covered(iv.average_rate(wins, n), np.mean(rates)) <= 0.99


def test_coverage_control_pooling_unequal_rotations_fails() -> None:
    n, rates = np.array([100, 101, 250, 400]), (0.05, 0.1, 0.6, 0.3)
    wins = np.random.default_rng(11).binomial(n, rates, (4000, 4))
    assert covered(iv.wilson(wins.sum(1), n.sum()), float(np.mean(rates))) < 0.7


def draw_credits(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """4000 experiments of n games: the seat wins alone 20 %, shares with one 20 %, with two 10 %."""
    counts = rng.multinomial(n, [0.2, 0.2, 0.1, 0.5], 4000)
    return counts @ [1, 1 / 2, 1 / 3, 0], counts @ [1, 1 / 4, 1 / 9, 0]


@pytest.mark.parametrize("n", [20, 200, 2000])
def test_coverage_of_shared_credits(n: int) -> None:
    total, squares = draw_credits(np.random.default_rng(3), n)
    assert 0.94 <= covered(iv.credit(total, squares, n), 0.2 + 0.1 + 0.1 / 3) <= 0.975


def test_coverage_control_half_the_interval_is_seen() -> None:
    total, squares = draw_credits(np.random.default_rng(3), 200)
    value, low, high = iv.credit(total, squares, 200)
    half = iv.Interval(value, (value + low) / 2, (value + high) / 2)
    assert covered(half, 0.2 + 0.1 + 0.1 / 3) < 0.75


@pytest.mark.parametrize("probabilities", [(0.125, 0.375, 0.5), (0.3, 0.3, 0.4), (0.02, 0.1, 0.88)])
def test_coverage_of_the_edge(probabilities: tuple[float, float, float]) -> None:
    """Seat wins, another seat wins, nobody wins; a quarter of the won games is fair."""
    counts = np.random.default_rng(8).multinomial(800, probabilities, (4000, 2))
    wins, won = counts[..., 0], counts[..., :2].sum(-1)
    found = iv.edge(wins, wins, won, np.full(wins.shape, 800), 0.25)
    truth = probabilities[0] - 0.25 * (1 - probabilities[2])
    assert 0.935 <= covered(found, truth) <= 0.98


def test_edge_where_nobody_ever_wins_is_zero() -> None:
    assert [float(x) for x in iv.edge([0], [0], [0], [50], 0.25)] == [0.0, 0.0, 0.0]


def test_coverage_of_the_mean_and_of_the_ratio() -> None:
    rng = np.random.default_rng(21)
    x = rng.normal(3.0, 2.0, (4000, 5))
    assert 0.935 <= covered(iv.mean(5, x.sum(1), (x**2).sum(1)), 3.0) <= 0.965
    turns = rng.integers(20, 36, (4000, 60)).astype(float)
    shares = rng.beta(2, 3, (4000, 60))  # each game has its own share: turns of one game go together
    blocked = rng.binomial(turns.astype(int), shares).astype(float)
    sums = (
        60,
        blocked.sum(1),
        turns.sum(1),
        (blocked**2).sum(1),
        (blocked * turns).sum(1),
        (turns**2).sum(1),
    )
    assert 0.93 <= covered(iv.ratio(*sums), 0.4) <= 0.965
    # Negative control: turns taken for independent give an interval far too narrow.
    assert covered(iv.wilson(blocked.sum(1), turns.sum(1)), 0.4) < 0.6


def test_coverage_of_events_a_game_and_control() -> None:
    events = np.random.default_rng(4).poisson(0.03 * 200, 4000)
    found = iv.poisson(events, 200)
    assert 0.935 <= covered(found, 0.03) <= 0.97
    assert covered(iv.Interval(found.value, (found.low + found.value) / 2, found.high), 0.03) < 0.87
