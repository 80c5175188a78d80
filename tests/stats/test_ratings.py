"""Ratings: recovered from simulated games, covered by their intervals, refused where there are none."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats import ratings as rt
from analyzer.stats.ratings import Tables

Floats = NDArray[np.float64]
TRUE = np.array([0.6, 0.1, 0.0, -0.7])


def round_robin(
    games: int, seed: int, strength: Floats = TRUE, seat: tuple[float, ...] = (0, 0, 0)
) -> Tables:
    """Every ordering of three of four policies at a table, so many games each."""
    rng = np.random.default_rng(seed)
    members = np.array(list(permutations(range(4), 3)))
    power = np.exp(strength[members] + np.array(seat))
    return Tables(members, rng.multinomial(games, power / power.sum(1, keepdims=True)).astype(float))


def test_ratings_of_tables_of_three_cover_the_truth() -> None:
    wrong = []
    for seed in range(200):
        found = rt.rate(round_robin(40, seed), 4).interval()
        wrong.append((found.low > TRUE) | (found.high < TRUE))
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.025)


def test_an_advantage_of_a_seat_is_kept_apart_from_the_policies() -> None:
    tables = round_robin(20_000, 1, seat=(0.5, 0.0, -0.5))
    found = rt.rate(tables, 4, seats=True)
    np.testing.assert_allclose(found.rating, TRUE, atol=0.02)
    np.testing.assert_allclose(found.seat, [0.5, 0, -0.5], atol=0.02)
    spread = found.seats()
    assert spread.low[0] > 0 > spread.high[2]
    members = np.array([0, 1, 3])
    power = np.exp(TRUE[members] + [0.5, 0, -0.5])
    np.testing.assert_allclose(found.expected(members), power / power.sum(), atol=0.01)


def test_ratings_have_mean_0_and_order_of_policies_does_not_matter() -> None:
    tables = round_robin(50, 3)
    found = rt.rate(tables, 4)
    assert found.rating.sum() == pytest.approx(0, abs=1e-12)
    turned = rt.rate(Tables(3 - tables.members, tables.credits), 4)
    np.testing.assert_allclose(turned.rating[::-1], found.rating, atol=1e-9)


def test_the_error_of_a_difference_is_not_the_sum_of_errors() -> None:
    found = rt.rate(round_robin(50, 3), 4)
    apart = found.differences()
    assert apart.value[0, 3] == pytest.approx(found.rating[0] - found.rating[3])
    assert apart.high[0, 0] == apart.low[0, 0] == 0.0
    draws = rt.bootstrap(round_robin(50, 3), 4, prior=1e-6, draws=200)
    spread = (draws[:, 0] - draws[:, 3]).std()
    assert (apart.high - apart.low)[0, 3] / 2 / 1.96 == pytest.approx(spread, rel=0.16)


def test_robust_errors_are_fishers_when_the_model_is_true_and_rows_are_games() -> None:
    tables = round_robin(60, 5)
    row, seat = np.nonzero(tables.credits)
    many = np.repeat(row, tables.credits[row, seat].astype(int))
    won = np.zeros((len(many), 3))
    won[np.arange(len(many)), np.repeat(seat, tables.credits[row, seat].astype(int))] = 1.0
    single = Tables(tables.members[many], won)
    np.testing.assert_allclose(rt.rate(single, 4).rating, rt.rate(tables, 4).rating, atol=1e-9)
    np.testing.assert_allclose(rt.rate(single, 4, robust=True).error, rt.rate(tables, 4).error, rtol=0.1)


def test_robust_errors_see_that_games_counted_twice_are_one() -> None:
    members = np.tile([[0, 1]], (200, 1))
    won = np.repeat([[1.0, 0.0], [0.0, 1.0]], [120, 80], axis=0)
    single, twice = rt.rate(Tables(members, won), 2), Tables(members, 2 * won)
    assert rt.rate(twice, 2).error[0] == pytest.approx(single.error[0] / math.sqrt(2))
    assert rt.rate(twice, 2, robust=True).error[0] == pytest.approx(single.error[0], rel=1e-6)


def test_shared_wins_count_in_parts() -> None:
    half = rt.rate(rt.from_matrix([[0, 15.5], [4.5, 0]]), 2)
    assert half.rating[0] - half.rating[1] == pytest.approx(math.log(15.5 / 4.5))


def test_elo_of_ten_to_one_is_400() -> None:
    found = rt.rate(rt.from_matrix([[0, 1000], [100, 0]]), 2).elo()
    assert found.value[0] - found.value[1] == pytest.approx(400.0)


def test_a_policy_that_won_everything_needs_a_prior() -> None:
    wins = [[0, 10, 10], [0, 0, 5], [0, 5, 0]]
    with pytest.raises(ValueError, match="prior"):
        rt.rate(rt.from_matrix(wins), 3)
    found = rt.rate(rt.from_matrix(wins), 3, prior=0.1)
    assert 1 < found.rating[0] < 10
    assert found.rating[1] == pytest.approx(found.rating[2])


def test_policies_that_never_met_need_a_prior() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 5
    with pytest.raises(ValueError, match="prior"):
        rt.rate(rt.from_matrix(wins), 4)


def test_the_chance_to_be_best_follows_the_error() -> None:
    sure = rt.best_chance(rt.rate(round_robin(2000, 1), 4))
    assert sure[0] > 0.999
    even = rt.best_chance(rt.rate(rt.from_matrix([[0, 50], [50, 0]]), 2))
    assert even[0] == pytest.approx(0.5, abs=0.02)
    assert even.sum() == pytest.approx(1.0)


def test_a_ranking_is_a_sequence_of_choices() -> None:
    tables = rt.from_rankings([[2, 0, 1], [1, 0, -1]], [5, 3])
    assert tables.members.tolist() == [[2, 0, 1], [1, 0, -1], [0, 1, -1]]
    assert tables.credits.tolist() == [[5, 0, 0], [3, 0, 0], [5, 0, 0]]


@pytest.mark.parametrize(
    ("members", "credits", "words"),
    [
        ([[0, 1]], [[1.0]], "one shape"),
        ([[0, 5]], [[1.0, 0.0]], "numbered"),
        ([[0, -1]], [[1.0, 1.0]], "empty seat"),
    ],
)
def test_impossible_tables_are_refused(
    members: list[list[int]], credits: list[list[float]], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        rt.rate(Tables(np.array(members), np.array(credits)), 2)
