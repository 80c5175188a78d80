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


def test_slopes_are_those_of_each_table() -> None:
    rng = np.random.default_rng(3)
    x, y, group, table = (rng.integers(0, top, 400) for top in (6, 2, 4, 3))
    n = rng.integers(1, 50, 400)
    value, error = counts.slopes(x, y, n, group, table, 4)
    for one in range(3):
        mine = table == one
        expected = counts.slope(x[mine], y[mine], n[mine], group[mine])
        assert (value[one], error[one]) == pytest.approx(expected)
    assert np.isnan(value[3])
    assert np.isnan(error[3])


def test_grouped_rows_in_order_of_appearance() -> None:
    rows, codes = counts.grouped(np.array(["b", "a", "b", "b"], object), [1, 2, 1, 3])
    assert rows == [("b", 1), ("a", 2), ("b", 3)]
    assert codes.tolist() == [0, 1, 0, 2]
    assert counts.grouped([], [])[0] == []
