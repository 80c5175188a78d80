"""Payoffs of tournaments: by hand, by simulation, and as food for alpha-rank."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats import meta, payoffs
from analyzer.stats.payoffs import Seatings

Floats = NDArray[np.float64]


def of(rows: list[tuple[list[int], list[float], list[float], float]]) -> Seatings:
    return Seatings(*(np.array(x, float if i else np.int64) for i, x in enumerate(zip(*rows, strict=True))))


def test_a_duel_is_averaged_over_both_seats_whatever_their_number_of_games() -> None:
    sums = of([([0, 1], [80, 20], [80, 20], 100), ([1, 0], [5, 5], [5, 5], 10)])
    found = payoffs.duels(sums, 2)
    assert found.value[0, 1] == pytest.approx((0.8 + 0.5) / 2)
    assert found.value[1, 0] == pytest.approx(1 - found.value[0, 1])
    assert found.value[0, 0] == 0.5
    assert found.error[0, 0] == 0.0
    assert found.games[0, 1] == 110
    assert np.isnan(payoffs.duels(sums, 3).value[0, 2])


def test_shared_and_lost_games_are_half_for_both() -> None:
    # 10 games: 4 won by seat 1, 2 by seat 2, 2 shared, 2 lost by both.
    found = payoffs.duels(of([([0, 1], [5, 3], [4.5, 2.5], 10)]), 2)
    assert found.value[0, 1] == pytest.approx((4 + 0.5 * 4) / 10)
    # Squares of differences: 6 games won by one alone; mean difference 0.2; four games of variance 1/4 added.
    assert found.error[0, 1] == pytest.approx(np.sqrt((6 - 10 * 0.2**2 + 1) / 14 / 10) / 2)


def test_rows_of_one_seating_are_added_before_seatings_are_averaged() -> None:
    parts = of([([0, 1], [8, 2], [8, 2], 10), ([0, 1], [9, 81], [9, 81], 90), ([1, 0], [5, 5], [5, 5], 10)])
    assert payoffs.duels(parts, 2).value[0, 1] == pytest.approx((0.17 + 0.5) / 2)


def test_errors_of_duels_cover_at_the_nominal_rate() -> None:
    rng = np.random.default_rng(1)
    wrong, values, errors = [], [], []
    for _ in range(1000):
        rows = []
        for seats, odds, n in (([0, 1], [0.5, 0.2, 0.2, 0.1], 100), ([1, 0], [0.3, 0.4, 0.2, 0.1], 60)):
            a, b, shared, _ = rng.multinomial(n, odds)
            rows.append((seats, [a + shared / 2, b + shared / 2], [a + shared / 4, b + shared / 4], n))
        found = payoffs.duels(of(rows), 2)
        truth = 0.5 + ((0.5 - 0.2) / 2 + (0.4 - 0.3) / 2) / 2
        wrong.append(abs(found.value[0, 1] - truth) > 1.96 * found.error[0, 1])
        values.append(found.value[0, 1])
        errors.append(found.error[0, 1])
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.022)
    assert np.std(values) == pytest.approx(np.mean(errors), rel=0.06)


def tables(k: int, games: int, strength: list[float], seed: int = 1) -> Seatings:
    """Every seating of k seats; a seat wins with its share of the strengths."""
    rng = np.random.default_rng(seed)
    members = np.array(list(product(range(len(strength)), repeat=k)))
    power = np.array(strength)[members]
    won = rng.multinomial(games, power / power.sum(1, keepdims=True)).astype(float)
    return Seatings(members, won, won, np.full(len(members), float(games)))


def test_win_rates_by_count_are_those_of_one_seat() -> None:
    found = payoffs.by_count(tables(3, 20_000, [3.0, 1.0]), 2)
    told = [3 / 5, 3 / 7, 1 / 3]  # one strong seat of three, two, three
    np.testing.assert_allclose(found.value[0, 1], told, atol=0.01)
    np.testing.assert_allclose(found.value[1, 0], [1 / 7, 1 / 5, 1 / 3], atol=0.01)
    assert found.games[0, 1].tolist() == [60_000, 60_000, 20_000]


def test_errors_by_count_cover() -> None:
    wrong, values, errors = [], [], []
    for seed in range(300):
        found = payoffs.by_count(tables(3, 200, [3.0, 1.0], seed), 2)
        values.append(found.value[0, 1, :2])
        errors.append(found.error[0, 1, :2])
        wrong.append(np.abs(found.value[0, 1] - [3 / 5, 3 / 7, 1 / 3]) > 1.96 * found.error[0, 1])
    wrong_by_count = np.mean(wrong, axis=0)
    assert wrong_by_count[0] == pytest.approx(0.05, abs=0.035)
    assert (wrong_by_count <= 0.08).all()
    np.testing.assert_allclose(np.std(values, axis=0), np.mean(errors, axis=0), rtol=0.12)


def test_tables_of_three_policies_are_left_out() -> None:
    with_third = payoffs.by_count(tables(3, 100, [3.0, 1.0, 2.0]), 3)
    assert with_third.games[0, 1].tolist() == [300, 300, 100]


def test_payoffs_feed_alpha_rank() -> None:
    found = payoffs.by_count(tables(3, 2000, [1.0, 4.0, 2.0]), 3)
    assert meta.alpha_rank(found.value).argmax() == 1
    drawn = meta.alpha_rank_chance(found.value, found.error, total=None, alpha=20, draws=30)
    assert drawn.weight[1] > 0.9
    assert meta.cycle_chance(found.value[:, :, 0], found.error[:, :, 0], even=1 / 3, total=None)[0] == 0.0
    duels = payoffs.duels(tables(2, 2000, [1.0, 4.0, 2.0]), 3)
    assert meta.nash(duels.value).rows.tolist() == [0, 1, 0]
    assert {(one.worse, one.better) for one in meta.dominated(duels.value, duels.error)} == {
        (0, 1),
        (0, 2),
        (2, 1),
    }


def test_impossible_sums_are_refused() -> None:
    with pytest.raises(ValueError, match="one shape"):
        Seatings(np.zeros((2, 2), int), np.zeros((2, 3)), np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(ValueError, match="tables of two"):
        payoffs.duels(tables(3, 10, [1.0, 1.0]), 2)
    with pytest.raises(ValueError, match="give None"):
        meta.alpha_rank_chance(np.zeros((2, 2, 3)), np.zeros((2, 2, 3)))
