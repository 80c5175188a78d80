"""The conditional logit: weights come back, and agree with a fit by another package."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.stats import contest


def drawn(games: int = 6000, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Signs [sign, seat, game] with true weights 0.8, -0.5, 0 and the winners they make."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(3, 4, games))
    strength = 0.8 * x[0] - 0.5 * x[1]
    return x, (strength + rng.gumbel(size=strength.shape)).argmax(axis=0)


def test_true_weights_come_back() -> None:
    assert contest.weights(*drawn()) == pytest.approx([0.8, -0.5, 0.0], abs=0.06)


def test_another_unit_of_a_sign_changes_its_weight_only() -> None:
    x, who = drawn(2000)
    plain, scaled = contest.weights(x, who), contest.weights(x * np.array([10, 1, 1])[:, None, None], who)
    assert scaled * [10, 1, 1] == pytest.approx(plain, rel=1e-6)


def test_two_seats_are_a_logistic_regression() -> None:
    """The same likelihood maximised by scipy on the differences."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(4)
    x = rng.normal(size=(2, 2, 3000))
    who = (x[0] - 0.3 * x[1] + rng.gumbel(size=(2, 3000))).argmax(axis=0)
    apart = (x[:, 0] - x[:, 1]) * np.where(who == 0, 1, -1)
    best = minimize(lambda b: np.log1p(np.exp(-(b @ apart))).sum(), [0.0, 0.0]).x
    assert contest.weights(x, who) == pytest.approx(best, abs=2e-3)


def test_what_all_seats_share_says_nothing_and_nothing_breaks() -> None:
    x, who = drawn(500)
    x[2] = 7.0
    assert contest.weights(x, who)[2] == 0
    assert contest.weights(np.ones((2, 3, 40)), np.zeros(40)).tolist() == [0, 0]


def test_rounds_with_few_games_take_the_weights_before() -> None:
    x, who = drawn(400)
    alive = np.ones((3, 400), bool)
    alive[2, 20:] = False
    strength, (kept, error) = contest.strength(
        np.stack([x, x, x], axis=2), np.where(np.arange(400) % 9, who, -1), alive
    )
    assert np.array_equal(kept[2], kept[1])
    assert np.isfinite(error[:2]).all()
    assert np.isnan(error[2]).all()
    assert strength.shape == (4, 3, 400)
    assert strength[:, 0] == pytest.approx(np.einsum("k,ksg->sg", kept[0], x))


def test_intervals_of_the_weights_cover_the_truth() -> None:
    """95 % of 300 fits of each of three weights: 900, of which 45 miss; more than 70 or fewer than 25 have a
    chance below 0.1 %."""
    missed = 0
    for seed in range(300):
        weights, error = contest.fit(*drawn(200, seed))
        missed += int((np.abs(weights - [0.8, -0.5, 0.0]) > 1.96 * error).sum())
    assert 25 <= missed <= 70


def test_errors_of_weights_that_are_too_small_would_be_found() -> None:
    """The control: with half the error the same test fails by far."""
    missed = sum(
        int((np.abs(weights - [0.8, -0.5, 0.0]) > 0.98 * error).sum())
        for weights, error in (contest.fit(*drawn(200, seed)) for seed in range(60))
    )
    assert missed > 30
