"""Means over duplicate deals from moments: the same numbers as from the single games."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.stats import clusters, paired
from analyzer.stats.clusters import Moments


def games(deals: int = 400, seed: int = 1) -> np.ndarray:
    """Values [rotation, seat, deal] that share a deal's luck."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(size=deals)
    return (luck + rng.normal(size=(3, 2, deals)) > 0.3).astype(float)


def moments(values: np.ndarray) -> Moments:
    return Moments.of(values.reshape(-1, values.shape[-1]))


@pytest.mark.parametrize("step", [0.0, 1.0])
def test_a_weighted_mean_is_that_of_the_single_games(step: float) -> None:
    values = games()
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]) / 3
    found = clusters.mean(moments(values), weights, step=step)
    each = np.einsum("rsd,rs->rd", values, weights * 3)
    expected = paired.duplicate(paired.Clusters.of(each), step=step)
    for name in ("value", "low", "high", "error", "factor", "n"):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(expected, name)))


def test_moments_add_up_over_blocks() -> None:
    values = games()
    both = moments(values[..., :100]) + moments(values[..., 100:])
    np.testing.assert_allclose(both.second, moments(values).second)
    assert both.n == 400
    np.testing.assert_allclose(both.scaled(0.5).first, moments(values).first / 2)


def test_rotations_without_weight_do_not_count() -> None:
    values = games()
    weights = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    found = clusters.mean(moments(values), weights, step=1.0)
    alone = paired.duplicate(paired.Clusters.of(values[:1, 0]), step=1.0)
    assert float(found.high) == pytest.approx(float(alone.high))
    assert float(found.factor) == pytest.approx(1.0)


def test_common_luck_shows_in_the_factor() -> None:
    shared = np.repeat(games()[:1], 3, axis=0)  # all rotations end alike: three games tell as much as one
    found = clusters.mean(moments(shared), np.array([[1.0, 0.0]] * 3) / 3)
    assert float(found.factor) == pytest.approx(1 / 3)


def test_few_wins_get_the_wide_interval_that_holds_at_every_look() -> None:
    rng = np.random.default_rng(2)
    weights = np.array([[0.5], [0.5]])
    rare = Moments.of((rng.random((2, 2000)) < 0.01).astype(float))
    common = Moments.of((rng.random((2, 2000)) < 0.4).astype(float))
    for sums, exact in ((rare, True), (common, False)):
        found = clusters.lasting(sums, weights, 1000.0, (0.0, 1.0))
        once = clusters.mean(sums, weights, step=1.0)
        assert float(found.low) < float(once.low) < float(once.high) < float(found.high)
        assert float(found.low) >= 0
        asymmetric = abs(float(found.high + found.low) / 2 - float(found.value)) > 1e-9
        assert asymmetric == exact
