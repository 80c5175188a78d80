"""Paired differences and clusters of rotations: against scipy, and by their coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.stats import paired
from analyzer.stats.paired import Clusters, Pairs

Floats = NDArray[np.float64]
RUNS = 4000
NEAR = 3.5 * math.sqrt(0.05 * 0.95 / RUNS)  # of a share of misses, Monte Carlo error


def missed(low: Floats, high: Floats, truth: float) -> float:
    return float(((low > truth) | (high < truth)).mean())


def twins(p: float, q: float, same: float, n: int, runs: int = RUNS, seed: int = 1) -> tuple[Floats, Floats]:
    """Wins float64[run, game] of two settings with rates p and q; a share `same` of the luck is common."""
    rng = np.random.default_rng(seed)
    u = rng.random((runs, n))
    v = np.where(rng.random((runs, n)) < same, u, rng.random((runs, n)))
    return (u < p).astype(float), (v < q).astype(float)


def test_the_difference_is_students_paired_interval() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(5, 2, (3, 50))
    b = a + rng.normal(0.3, 1, (3, 50))
    ours = paired.compare(Pairs.of(a, b))
    theirs = stats.ttest_rel(a, b, axis=1).confidence_interval(0.95)
    np.testing.assert_allclose(ours.low, theirs.low, atol=2e-4)
    np.testing.assert_allclose(ours.high, theirs.high, atol=2e-4)
    np.testing.assert_allclose(ours.correlation, [np.corrcoef(x, y)[0, 1] for x, y in zip(a, b, strict=True)])


def test_sums_of_blocks_add_up_to_the_sums_of_all() -> None:
    a, b = twins(0.3, 0.4, 0.8, 60, runs=2)
    whole = Pairs.of(a, b)
    parts = Pairs.of(a[:, :25], b[:, :25]) + Pairs.of(a[:, 25:], b[:, 25:])
    for one, other in zip(whole.arrays(), parts.arrays(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("p", "q", "same"), [(0.25, 0.27, 0.9), (0.5, 0.5, 0.0), (0.02, 0.03, 0.8), (0.3, 0.3, 0.97)]
)
def test_paired_intervals_cover_at_the_nominal_rate(p: float, q: float, same: float) -> None:
    a, b = twins(p, q, same, 400)
    found = paired.compare(Pairs.of(a, b), step=1.0)
    assert missed(found.low, found.high, p - q) <= 0.05 + NEAR
    assert missed(found.low, found.high, p - q) >= 0.005  # nor much too wide


def test_negative_control_without_added_units_equal_games_pass_for_certainty() -> None:
    a, b = twins(0.02, 0.03, 0.98, 100)
    bare, guarded = paired.compare(Pairs.of(a, b)), paired.compare(Pairs.of(a, b), step=1.0)
    assert missed(bare.low, bare.high, -0.01) > 0.15
    assert missed(guarded.low, guarded.high, -0.01) <= 0.05 + NEAR


def test_the_factor_tells_how_many_games_common_luck_saves() -> None:
    a, b = twins(0.4, 0.4, 0.9, 400)
    found = paired.compare(Pairs.of(a, b))
    apart = a.mean(1) - np.random.default_rng(9).permutation(b).mean(1)  # differences of strangers
    real = apart.var() / found.value.var()
    assert float(np.median(found.factor)) == pytest.approx(real, rel=0.1)
    assert real == pytest.approx(10, rel=0.1)  # 1 / (1 - correlation)


def test_without_common_luck_nothing_is_gained() -> None:
    a, b = twins(0.4, 0.4, 0.0, 20_000, runs=1)
    assert float(paired.compare(Pairs.of(a, b)).factor[0]) == pytest.approx(1.0, abs=0.03)


def test_settings_that_never_differ_have_no_factor_but_an_interval() -> None:
    a, _ = twins(0.4, 0.4, 0.0, 200, runs=1)
    found = paired.compare(Pairs.of(a, a), step=1.0)
    assert np.isnan(found.factor[0])
    assert found.value[0] == 0.0
    assert -0.03 < found.low[0] < 0 < found.high[0] < 0.03


def test_one_unit_tells_nothing_of_its_error() -> None:
    found = paired.compare(Pairs.of([[1.0]], [[0.0]]))
    assert found.value[0] == 1.0
    assert np.isnan(found.low[0])


def test_unequal_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="one shape"):
        Pairs.of([1.0, 2.0], [1.0])


def test_the_smallest_effect_is_seen_with_the_told_power() -> None:
    deviation, n = 1.3, 500
    effect = float(paired.smallest_effect(deviation / math.sqrt(n)))
    x = np.random.default_rng(3).normal(effect, deviation, (RUNS, n))
    found = paired.compare(Pairs.of(x, np.zeros_like(x)))
    assert float((found.low > 0).mean()) == pytest.approx(0.8, abs=0.025)
    assert paired.units_needed(deviation, effect) == pytest.approx(n, abs=1)


@pytest.mark.parametrize("power", [0.0, 1.0])
def test_power_lies_between_0_and_1(power: float) -> None:
    with pytest.raises(ValueError, match="power"):
        paired.smallest_effect(1.0, power=power)


def test_no_number_of_games_shows_nothing() -> None:
    with pytest.raises(ValueError, match="effect of 0"):
        paired.units_needed(1.0, 0.0)


# ---- clusters --------------------------------------------------------------------------------------------


def deals(n: int, runs: int, seed: int = 1) -> Floats:
    """Wins of a policy float64[run, rotation, deal]: the deal favours one of four seats by chance."""
    rng = np.random.default_rng(seed)
    lucky = rng.integers(0, 4, (runs, n))
    heeded = rng.random((runs, n)) < 0.7
    seat = np.arange(4)[:, None]
    at_random = rng.random((runs, 4, n)) < 0.25
    return np.where(heeded[:, None], lucky[:, None] == seat, at_random).astype(float)


def test_clusters_cover_and_are_narrower_than_single_games() -> None:
    x = deals(150, 2000)
    found = paired.duplicate(Clusters.of(x), step=1.0)
    assert 0.03 < missed(found.low, found.high, 0.25) < 0.07
    single = x.reshape(2000, -1)
    real = single[:, :].var(axis=1).mean() / 4 / x.mean(axis=1).var(axis=1).mean()
    assert float(np.median(found.factor)) == pytest.approx(real, rel=0.05)
    assert real > 3


def test_negative_control_games_of_one_deal_counted_singly_miss_when_they_agree() -> None:
    # All rotations of a deal end alike: four games are worth one.
    same = np.repeat((np.random.default_rng(2).random((2000, 1, 100)) < 0.25), 4, axis=1).astype(float)
    singly = paired.compare(Pairs.of(same.reshape(2000, -1), np.zeros((2000, 400))))
    whole = paired.duplicate(Clusters.of(same))
    assert missed(singly.low, singly.high, 0.25) > 0.2
    assert missed(whole.low, whole.high, 0.25) < 0.08
    assert float(np.median(whole.factor)) == pytest.approx(0.25, rel=0.02)


def test_clusters_of_blocks_add_up() -> None:
    x = deals(50, 2)
    whole, parts = Clusters.of(x), Clusters.of(x[..., :20]) + Clusters.of(x[..., 20:])
    for one, other in zip(paired.duplicate(whole), paired.duplicate(parts), strict=True):
        np.testing.assert_allclose(one, other)


def test_clusters_of_a_frame_leave_out_what_is_incomplete() -> None:
    means, numbers = paired.clusters([1, 0, 0, 1, 1, 0], [7, 3, 7, 5, 3, 5], 2)
    assert numbers.tolist() == [3, 5, 7]
    assert means.tolist() == [0.5, 0.5, 0.5]
    means, numbers = paired.clusters([1, 0, 1], [4, 4, 6], 2)
    assert numbers.tolist() == [4]
    with pytest.raises(ValueError, match="more than 1"):
        paired.clusters([1, 0, 1], [4, 4, 6], 1)


def test_one_cluster_tells_nothing_of_its_error() -> None:
    found = paired.duplicate(Clusters.of(np.ones((4, 1))))
    assert float(found.value) == 1.0
    assert np.isnan(found.low)
