"""The luck budget: on functions with known variances, against statsmodels, and its coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from analyzer.stats import variance

Floats = NDArray[np.float64]


def games(
    batches: int, seed: int, deals: int = 2, dice: int = 2, both: float = 1.0, noise: float = 0.0
) -> Floats:
    """Deal has variance 4, dice 1, both together `both`: float64[batch, deal, dice]."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0, 2, (batches, deals, 1)), rng.normal(0, 1, (batches, 1, dice))
    c = rng.normal(0, np.sqrt(both), (batches, deals, dice))
    return a + b + c + rng.normal(0, noise, (batches, deals, dice)) if noise else a + b + c


def test_variances_are_found_without_bias() -> None:
    found = variance.budget(games(20_000, 1), ("deal", "dice"))
    assert found.parts == (("deal",), ("dice",), ("deal", "dice"))
    np.testing.assert_allclose(found.variance.value, [4, 1, 1], atol=0.1)
    np.testing.assert_allclose(found.share.value, [4 / 6, 1 / 6, 1 / 6], atol=0.01)
    assert float(found.total.value) == pytest.approx(6, abs=0.1)
    assert float(found.involved("dice").value) == pytest.approx(2 / 6, abs=0.01)
    assert float(found.alone("dice").value) == pytest.approx(1 / 6, abs=0.01)


def test_intervals_of_shares_cover_at_the_nominal_rate() -> None:
    truth, missed = np.array([4, 1, 1]) / 6, []
    whole = games(400 * 150, 2).reshape(400, 150, 2, 2)
    for run in whole:
        share = variance.budget(run, ("deal", "dice")).share
        missed.append((share.low > truth) | (share.high < truth))
    assert np.mean(missed) == pytest.approx(0.05, abs=0.025)


def test_negative_control_games_counted_as_independent_are_covered_far_too_rarely() -> None:
    """The naive variance of a mean over crossed games, as if they were independent, is wrong."""
    whole = games(1000, 3, deals=8, dice=8)
    naive = 1.96 * np.sqrt(whole.var(axis=(1, 2), ddof=1) / 64)
    assert (np.abs(whole.mean(axis=(1, 2))) > naive).mean() > 0.3


def test_mean_squares_are_statsmodels() -> None:
    y = games(1, 4, deals=5, dice=4)[0]
    deal, dice = np.indices(y.shape)
    frame = pd.DataFrame({"y": y.ravel(), "deal": deal.ravel(), "dice": dice.ravel()})
    told = anova_lm(ols("y ~ C(deal) + C(dice)", frame).fit())["mean_sq"]
    found = variance.budget(y[None], ("deal", "dice")).variance.value
    rest = told["Residual"]
    expected = [(told["C(deal)"] - rest) / 4, (told["C(dice)"] - rest) / 5, rest]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_repeated_games_part_chance_within_a_cell_from_both_factors_together() -> None:
    rng = np.random.default_rng(5)
    y = games(8000, 5)[..., None] + rng.normal(0, 1.5, (8000, 2, 2, 3))
    found = variance.budget(y, ("deal", "dice"))
    assert found.parts[-1] == ("rest",)
    np.testing.assert_allclose(found.variance.value, [4, 1, 1, 2.25], atol=0.15)


def test_a_fixed_factor_is_all_there_is() -> None:
    """Three seats worth -1, 0, 1: their variance is 2/3, whichever deals came; seat and deal together 1."""
    rng = np.random.default_rng(6)
    seat = np.array([-1.0, 0.0, 1.0])
    deal = rng.normal(0, 2, (4000, 3, 1))
    both = rng.normal(0, 1, (4000, 3, 3))
    both -= both.mean(axis=2, keepdims=True)  # a deal favours one seat at the cost of others
    found = variance.budget(seat + deal + both, ("deal", "seat"), fixed=("seat",))
    np.testing.assert_allclose(found.variance.value, [4, 2 / 3, 2 / 3], atol=0.12)
    # The total is the variance of a game picked at random.
    assert float(found.total.value) == pytest.approx((seat + deal + both).var(), rel=0.03)


def test_shares_of_wins_of_a_known_game() -> None:
    """The deal gives the win to a seat at random; with chance 1/2 the dice give it to a random seat anew."""
    rng = np.random.default_rng(7)
    b = 20_000
    dealt, rolled = rng.random((b, 2, 1)) < 0.5, rng.random((b, 1, 2)) < 0.5
    again = rng.random((b, 1, 2)) < 0.5
    win = np.where(again, rolled, dealt).astype(float)
    found = variance.budget(win, ("deal", "dice"))
    # Var E[win | deal] = 1/4 * 1/4, Var E[win | dice] = 1/2 * 1/4; the rest of 1/4 is both together.
    np.testing.assert_allclose(found.variance.value, [1 / 16, 1 / 8, 1 / 16], atol=0.005)
    assert float(found.total.value) == pytest.approx(0.25, abs=0.003)


def test_three_factors() -> None:
    rng = np.random.default_rng(8)
    b = 6000
    y = rng.normal(0, 1, (b, 2, 1, 1)) + rng.normal(0, 2, (b, 1, 2, 2)) + rng.normal(0, 0.5, (b, 2, 2, 2))
    found = variance.budget(y, ("deal", "dice", "policy"))
    told = dict(zip(found.parts, found.variance.value, strict=True))
    assert told["deal",] == pytest.approx(1, abs=0.1)
    assert told["dice", "policy"] == pytest.approx(4, abs=0.15)
    assert told["deal", "dice", "policy"] == pytest.approx(0.25, abs=0.05)
    for part in (("dice",), ("policy",), ("deal", "dice"), ("deal", "policy")):
        assert told[part] == pytest.approx(0, abs=0.12)


def test_one_batch_has_no_interval() -> None:
    found = variance.budget(games(1, 9, deals=6, dice=6), ("deal", "dice"))
    assert np.isfinite(found.share.value).all()
    assert np.isnan(found.share.low).all()


@pytest.mark.parametrize(
    ("shape", "factors", "fixed", "words"),
    [
        ((3, 2, 2), ("deal",), ("dice",), "fixed"),
        ((3, 2), ("deal", "dice"), (), "axes"),
        ((3, 2, 1), ("deal", "dice"), (), "two levels"),
        ((3, 2, 2), ("deal", "deal"), (), "different names"),
    ],
)
def test_impossible_designs_are_refused(
    shape: tuple[int, ...], factors: tuple[str, ...], fixed: tuple[str, ...], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        variance.budget(np.zeros(shape), factors, fixed)


def test_an_unknown_factor_is_refused() -> None:
    with pytest.raises(ValueError, match="no such factor"):
        variance.budget(games(3, 1), ("deal", "dice")).alone("seat")
