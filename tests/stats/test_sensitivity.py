"""Designs over ranges, shares of variance, regression, PAWN, and which findings hold everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.api import OLS, add_constant

from analyzer.stats import sensitivity as sn
from analyzer.stats.sensitivity import Range

Floats = NDArray[np.float64]
THREE = [Range("a"), Range("b"), Range("c")]


def linear(x: Floats) -> Floats:
    """Variances 9, 4 and 0 in twelfths."""
    return np.asarray(3 * x[:, 0] - 2 * x[:, 1])


# ---- designs ---------------------------------------------------------------------------------------------


def test_a_latin_hypercube_has_one_point_in_every_part_of_every_range() -> None:
    design = sn.latin_hypercube(THREE, 40)
    parts = np.sort((design.points * 40).astype(int), axis=0)
    np.testing.assert_array_equal(parts, np.tile(np.arange(40)[:, None], 3))


def test_a_design_is_the_same_for_the_same_seed_only() -> None:
    one, same, other = (sn.latin_hypercube(THREE, 16, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.points, same.points)
    assert not np.array_equal(one.points, other.points)
    one, same = (sn.sobol_design(THREE, 16, 5) for _ in range(2))
    np.testing.assert_array_equal(one.points, same.points)


def test_settings_are_real_numbers_whole_numbers_and_choices() -> None:
    ranges = [
        Range("odds", 0.2, 0.6),
        Range("cards", 3, 5, "whole"),
        Range("rule", kind="choice", choices=("x", None)),
    ]
    design = sn.latin_hypercube(ranges, 60)
    assert all(0.2 <= one["odds"] <= 0.6 for one in design.settings)
    assert [sum(one["cards"] == k for one in design.settings) for k in (3, 4, 5)] == [20, 20, 20]
    assert all(type(one["cards"]) is int for one in design.settings)
    assert sum(one["rule"] is None for one in design.settings) == 30
    assert ranges[1].values([0.0, 0.999, 1.0]) == [3, 5, 5]


def test_a_sobol_design_changes_one_parameter_at_a_time() -> None:
    points = sn.sobol_design(THREE, 8).points.reshape(5, 8, 3)
    for parameter in range(3):
        differ = points[2 + parameter] != points[0]
        assert differ[:, parameter].all()
        assert not np.delete(differ, parameter, axis=1).any()
        np.testing.assert_array_equal(points[2 + parameter][:, parameter], points[1][:, parameter])


# ---- shares of variance ----------------------------------------------------------------------------------


def test_sobol_of_a_sum_is_the_share_of_each_term() -> None:
    design = sn.sobol_design(THREE, 512)
    found = sn.sobol(design, linear(design.points))
    np.testing.assert_allclose(found.first.value, [9 / 13, 4 / 13, 0], atol=0.01)
    np.testing.assert_allclose(found.total.value, [9 / 13, 4 / 13, 0], atol=0.01)
    assert found.variance == pytest.approx(13 / 12, rel=0.01)
    assert np.all(found.first.low <= found.first.value + 1e-9)
    assert np.all(found.total.value <= found.total.high + 1e-9)


def test_sobol_is_scipys() -> None:
    design = sn.sobol_design(THREE, 64)
    y = linear(design.points) + 2 * design.points[:, 0] * design.points[:, 2]
    parts = y.reshape(5, 64)
    told = stats.sobol_indices(
        func={"f_A": parts[None, 0], "f_B": parts[None, 1], "f_AB": parts[2:, None]}, n=64
    )
    found = sn.sobol(design, y, draws=9)
    np.testing.assert_allclose(found.first.value, np.ravel(told.first_order), atol=1e-9)
    np.testing.assert_allclose(found.total.value, np.ravel(told.total_order), atol=1e-9)


def test_intervals_of_sobol_indices_cover() -> None:
    missed = []
    for seed in range(40):
        design = sn.sobol_design(THREE, 64, seed)
        y = linear(design.points) + 2 * design.points[:, 0] * design.points[:, 2]
        found = sn.sobol(design, y, draws=199, seed=seed)
        missed.append((found.total.low > TOTAL) | (found.total.high < TOTAL))
    assert np.mean(missed) <= 0.12  # low-discrepancy points are better than the bootstrap knows


def _total() -> Floats:
    u = (np.arange(60) + 0.5) / 60
    a, b, c = np.meshgrid(u, u, u, indexing="ij")
    y = 3 * a - 2 * b + 2 * a * c
    return np.array([y.var(axis=axis).mean() / y.var() for axis in range(3)])


TOTAL = _total()


def test_noise_is_taken_out() -> None:
    design = sn.sobol_design(THREE, 2048)
    noisy = linear(design.points) + np.random.default_rng(1).normal(0, 1, len(design.points))
    raw, clean = sn.sobol(design, noisy), sn.sobol(design, noisy, noise=1.0)
    np.testing.assert_allclose(clean.total.value, [9 / 13, 4 / 13, 0], atol=0.1)
    np.testing.assert_allclose(clean.first.value, [9 / 13, 4 / 13, 0], atol=0.1)
    assert raw.total.value[2] > 0.35  # negative control: a parameter without effect seems to have one
    assert clean.variance == pytest.approx(13 / 12, rel=0.1)


def test_an_outcome_that_never_changes_has_no_shares() -> None:
    design = sn.sobol_design(THREE, 16)
    found = sn.sobol(design, np.full(80, 0.25))
    assert np.isnan(found.first.value).all()
    assert found.variance == 0.0


# ---- cheap designs ---------------------------------------------------------------------------------------


def test_regression_is_statsmodels() -> None:
    design = sn.latin_hypercube(THREE, 50)
    y = linear(design.points) + np.random.default_rng(2).normal(0, 0.5, 50)
    found = sn.regression(design, y)
    z = (design.points - design.points.mean(0)) / design.points.std(0)
    told = OLS((y - y.mean()) / y.std(), add_constant(z)).fit()
    np.testing.assert_allclose(found.coefficient.value, told.params[1:], atol=1e-9)
    np.testing.assert_allclose(found.coefficient.low, told.conf_int()[1:, 0], atol=2e-4)
    assert found.explained == pytest.approx(told.rsquared)


def test_intervals_of_regression_cover_at_the_nominal_rate() -> None:
    missed = []
    rng = np.random.default_rng(3)
    for seed in range(300):
        design = sn.latin_hypercube(THREE, 30, seed)
        noise = rng.normal(0, 1.0, 30)
        found = sn.regression(design, noise)
        missed.append((found.coefficient.low > 0) | (found.coefficient.high < 0))
    assert np.mean(missed) == pytest.approx(0.05, abs=0.025)


def test_ranks_straighten_what_rises_steadily() -> None:
    design = sn.latin_hypercube(THREE, 200)
    y = np.exp(12 * design.points[:, 0])
    straight, ranked = sn.regression(design, y), sn.regression(design, y, ranks=True)
    assert straight.explained < 0.6
    assert ranked.explained > 0.999
    assert ranked.coefficient.value[0] == pytest.approx(1.0, abs=1e-3)


def test_a_parameter_that_never_varies_has_no_coefficient() -> None:
    design = sn.latin_hypercube(THREE, 20)
    design.points[:, 1] = 0.5
    found = sn.regression(design, linear(design.points))
    assert np.isnan(found.coefficient.value).tolist() == [False, True, False]
    assert sn.regression(design, np.ones(20)).explained == 0.0


def test_pawn_finds_what_bends_and_leaves_out_what_does_nothing() -> None:
    design = sn.latin_hypercube(THREE, 400)
    found = sn.pawn(design, np.cos(2 * math.pi * design.points[:, 1]))  # no slope at all
    assert abs(sn.regression(design, np.cos(2 * math.pi * design.points[:, 1])).coefficient.value[1]) < 0.1
    assert found.index[1] > 0.4
    assert found.index[0] < 1.5 * found.chance
    assert found.index[2] < 1.5 * found.chance


def test_without_effect_pawn_exceeds_its_chance_level_in_5_percent() -> None:
    rng = np.random.default_rng(4)
    over = []
    for seed in range(30):
        found = sn.pawn(
            sn.latin_hypercube(THREE, 60, seed), rng.normal(size=60), slices=5, draws=60, seed=seed
        )
        over.append(found.index > found.chance)
    assert np.mean(over) == pytest.approx(0.05, abs=0.05)


def test_a_curve_follows_its_parameter() -> None:
    design = sn.latin_hypercube(THREE, 800)
    found = sn.curve(design, linear(design.points), "a", parts=4)
    np.testing.assert_allclose(found.mean.value, 3 * found.centre - 1, atol=0.1)
    assert found.n.tolist() == [200] * 4
    assert (found.mean.low < 3 * found.centre - 1).all()
    with pytest.raises(ValueError, match="not in"):
        sn.curve(design, linear(design.points), "z")


# ---- what holds everywhere -------------------------------------------------------------------------------


def test_a_finding_holds_flips_or_is_unclear() -> None:
    assert sn.finding([0.1, 0.2], 0.01, 1).words == "holds in all 2"
    assert sn.finding([-0.1, -0.2], 0.01, -1).words == "holds in all 2"
    found = sn.finding([0.1, -0.2, 0.01, -0.3], 0.02, 1)
    assert (found.held, found.flipped, found.unclear) == (1, 2, 1)
    assert found.words == "flips in 2 of 4, unclear in 1 of 4"
    assert found.where.tolist() == [1, 3]


def test_by_chance_alone_a_finding_flips_in_at_most_5_percent() -> None:
    noise = np.random.default_rng(5).normal(0, 0.01, (2000, 50))
    flips = [sn.finding(row, 0.01, 1).flipped > 0 for row in noise]
    assert np.mean(flips) <= 0.05
    naive = (noise < -1.96 * 0.01).any(axis=1)
    assert naive.mean() > 0.5  # negative control: without correction


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sn.latin_hypercube([], 5), "a parameter"),
        (lambda: sn.latin_hypercube([Range("a"), Range("a")], 5), "same name"),
        (lambda: sn.sobol_design(THREE, 12), "power of 2, such as 8"),
        (lambda: sn.sobol(sn.sobol_design(THREE, 8), np.zeros(7)), "40 outcomes"),
        (lambda: sn.regression(sn.latin_hypercube(THREE, 4), np.zeros(4)), "at least 5 points"),
        (lambda: sn.pawn(sn.latin_hypercube(THREE, 4), np.zeros(4)), "at least 40 points"),
        (lambda: sn.finding([1.0], 1.0, 0), "sign"),
        (lambda: Range("a", 2, 1), "must rise"),
        (lambda: Range("a", kind="choice"), "no choices"),
    ],
)
def test_impossible_requests_are_refused(call: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()  # type: ignore[operator]
