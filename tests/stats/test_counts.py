"""Histogram statistics against the same statistics of the unrolled values."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from analyzer.stats import counts


def test_moments_and_quantiles_are_those_of_the_unrolled_values() -> None:
    rng = np.random.default_rng(2)
    values, n = rng.permutation(30)[:12], rng.integers(1, 9, 12)
    flat = np.repeat(values, n).astype(float)
    assert counts.moments(values, n) == pytest.approx((flat.size, flat.sum(), (flat**2).sum()))
    at = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)
    np.testing.assert_array_equal(
        counts.quantiles(values, n, at), np.quantile(flat, at, method="inverted_cdf")
    )


def test_slope_is_least_squares_with_group_constants_and_white_errors() -> None:
    rng = np.random.default_rng(6)
    x, group, n = rng.integers(0, 4, 60), rng.integers(0, 3, 60), rng.integers(1, 5, 60)
    y = (rng.random(60) < 0.2 + 0.1 * x).astype(float)
    flat = [np.repeat(v, n) for v in (x, y, group)]
    design = np.column_stack([flat[0], *(flat[2] == g for g in range(3))]).astype(float)
    fit = sm.OLS(flat[1], design).fit(cov_type="HC0")
    assert counts.slope(x, y, n, group) == pytest.approx((fit.params[0], fit.bse[0]))


def test_slope_without_variation_is_unknown() -> None:
    assert np.isnan(counts.slope([1, 1], [0, 1], [3, 4], [0, 0])).all()
    assert np.isnan(counts.slope([], [], [], [])).all()
