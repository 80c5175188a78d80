"""Cycles, equilibria, evolutionary ranks, dominance: known games, and uncertain ones."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.stats import meta

RPS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])  # paper, scissors, rock lose to the next
ORDER = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]])


def test_rock_paper_scissors_is_one_cycle_and_an_order_none() -> None:
    assert meta.cycles(meta.beats(RPS)) == [(0, 2, 1)]
    assert meta.cycles(meta.beats(ORDER)) == []


def test_cycles_of_four_are_found_and_told_once() -> None:
    beat = np.zeros((5, 5), bool)
    for i, j in ((1, 2), (2, 3), (3, 4), (4, 1), (0, 1)):
        beat[i, j] = True
    assert meta.cycles(beat) == [(1, 2, 3, 4)]
    assert meta.cycles(beat, longest=3) == []


def test_a_pair_that_is_not_clear_beats_nobody() -> None:
    assert not meta.beats(np.full((3, 3), 0.49)).any()


def test_the_tops_are_those_that_nobody_outside_beats() -> None:
    four = np.full((4, 4), 0.5)
    four[:3, :3], four[:3, 3], four[3, :3] = RPS, 0.9, 0.1
    assert meta.tops(meta.beats(four)) == [0, 1, 2]
    assert meta.tops(meta.beats(ORDER)) == [0]
    assert meta.tops(np.zeros((3, 3), bool)) == [0, 1, 2]


def test_a_cycle_within_the_errors_is_uncertain_and_a_clear_one_is_sure() -> None:
    sure, each = meta.cycle_chance(RPS, np.full((3, 3), 0.05))
    assert sure == 1.0
    assert each == {(0, 2, 1): 1.0}
    # Of three fair coins, two of eight outcomes are cycles.
    even, each = meta.cycle_chance(np.full((3, 3), 0.5), np.full((3, 3), 0.05))
    assert even == pytest.approx(0.25, abs=0.04)
    assert set(each) == {(0, 1, 2), (0, 2, 1)}
    assert meta.cycle_chance(ORDER, np.full((3, 3), 0.01))[0] == 0.0


# ---- dominance -------------------------------------------------------------------------------------------


def test_a_policy_that_does_worse_against_everybody_is_dominated() -> None:
    found = meta.dominated(ORDER, np.full((3, 3), 0.01))
    assert {(one.worse, one.better) for one in found} == {(1, 0), (2, 0), (2, 1)}
    assert found[0].least == pytest.approx(0.1)
    assert meta.dominated(ORDER, np.full((3, 3), 0.2)) == []
    assert meta.dominated(RPS, np.full((3, 3), 0.01)) == []


def test_equal_policies_are_called_dominated_in_at_most_5_percent_of_runs() -> None:
    rng = np.random.default_rng(1)
    error = np.full((4, 2), 0.01)
    wrong = [bool(meta.dominated(rng.normal(0.5, 0.01, (4, 2)), error)) for _ in range(1000)]
    assert np.mean(wrong) <= 0.05
    one = np.full((4, 1), 0.01)  # with a single opponent the test has its full size
    wrong = [bool(meta.dominated(rng.normal(0.5, 0.01, (4, 1)), one)) for _ in range(1000)]
    assert 0.015 < np.mean(wrong) <= 0.07


# ---- equilibrium -----------------------------------------------------------------------------------------


def test_nash_of_rock_paper_scissors_is_a_third_each() -> None:
    found = meta.nash(RPS)
    np.testing.assert_allclose(found.rows, 1 / 3, atol=1e-9)
    np.testing.assert_allclose(found.columns, 1 / 3, atol=1e-9)
    assert found.value == pytest.approx(0.5)


def test_nash_of_an_order_is_its_best() -> None:
    assert meta.nash(ORDER).rows.tolist() == [1, 0, 0]


def test_at_an_equilibrium_nobody_gains_by_another_policy() -> None:
    a = np.random.default_rng(2).normal(size=(6, 4))
    found = meta.nash(a)
    assert (a @ found.columns).max() == pytest.approx(found.value)
    assert (found.rows @ a).min() == pytest.approx(found.value)


def test_the_support_is_as_uncertain_as_the_matrix() -> None:
    sure = meta.nash_chance(ORDER, np.full((3, 3), 0.01), draws=20)
    assert sure.chance.tolist() == [1, 0, 0]
    close = np.array([[0.5, 0.5, 0.7], [0.5, 0.5, 0.7], [0.3, 0.3, 0.5]])
    unsure = meta.nash_chance(close, np.full((3, 3), 0.01), draws=80)
    assert unsure.chance[:2] == pytest.approx([0.5, 0.5], abs=0.17)
    assert unsure.chance[2] == 0
    assert unsure.low[0] == 0
    assert unsure.high[0] == 1


def test_a_matrix_with_holes_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        meta.nash([[0.5, np.nan], [0.5, 0.5]])


# ---- alpha-rank ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.1, 5.0, None])
def test_alpha_rank_of_rock_paper_scissors_is_a_third_each(alpha: float | None) -> None:
    np.testing.assert_allclose(meta.alpha_rank(RPS, alpha), 1 / 3, atol=1e-9)


def test_alpha_rank_of_an_order_settles_at_its_best() -> None:
    found = meta.alpha_rank(ORDER)
    assert found[0] > 0.999
    weak = meta.alpha_rank(ORDER, alpha=0.1)
    assert weak[0] > weak[1] > weak[2] > 0.1


def test_without_selection_all_are_equal() -> None:
    np.testing.assert_allclose(meta.alpha_rank(ORDER, alpha=0.0), 1 / 3)


def test_a_game_of_two_given_by_counts_is_the_same_game() -> None:
    a = np.random.default_rng(3).random((4, 4))
    counts = np.stack([a, np.broadcast_to(np.diag(a)[:, None], a.shape)], axis=-1)
    np.testing.assert_allclose(meta.alpha_rank(a, 0.3), meta.alpha_rank(counts, 0.3))


def test_four_seats_in_which_only_the_number_of_one_s_kind_matters() -> None:
    # Four seats; a bold one wins alone among the timid, but bold ones among themselves lose to the timid.
    payoff = np.zeros((2, 2, 4))
    payoff[0, 1] = [0.7, 0.2, 0.1, 0.25]  # bold, by how many are bold
    payoff[1, 0] = [0.7, 0.4, 0.1, 0.25]  # timid, by how many are timid
    payoff[0, 0], payoff[1, 1] = 0.25, 0.25
    found = meta.alpha_rank(payoff, alpha=1.0, population=30)
    assert 0 < found[0] < 1
    # The chance of fixation by brute force: a birth-death chain with Fermi selection.
    m, k = 30, 4
    from scipy.stats import hypergeom

    def ahead(i: int) -> float:
        bold = sum(hypergeom.pmf(c, m - 1, i - 1, k - 1) * payoff[0, 1, c] for c in range(k))
        timid = sum(hypergeom.pmf(c, m - 1, m - i - 1, k - 1) * payoff[1, 0, c] for c in range(k))
        return float(bold - timid)

    up = np.array([1 / (1 + np.exp(-ahead(i))) for i in range(1, m)])
    chain = np.eye(m - 1) - np.diag(up[:-1], 1) - np.diag((1 - up)[1:], -1)
    reach = np.linalg.solve(chain, np.r_[np.zeros(m - 2), up[-1]])
    into_bold, into_timid = reach[0], 1 - reach[-1]
    assert found[0] == pytest.approx(into_bold / (into_bold + into_timid), rel=1e-6)


def test_seats_with_different_roles_each_have_a_population() -> None:
    pennies = [np.array([[1.0, -1], [-1, 1]]), np.array([[-1.0, 1], [1, -1]])]
    np.testing.assert_allclose(meta.alpha_rank_roles(pennies, alpha=0.1, population=20), 0.25)
    dilemma = [np.array([[3.0, 0], [5, 1]]), np.array([[3.0, 5], [0, 1]])]
    assert meta.alpha_rank_roles(dilemma)[1, 1] > 0.999


def test_draws_of_alpha_rank_follow_the_error() -> None:
    sure = meta.alpha_rank_chance(ORDER, np.full((3, 3), 0.01), alpha=50, draws=40)
    assert sure.weight[0] > 0.99
    close = np.array([[0.5, 0.5], [0.5, 0.5]])
    unsure = meta.alpha_rank_chance(close, np.full((2, 2), 0.05), alpha=50, draws=200)
    assert unsure.weight[0] == pytest.approx(0.5, abs=0.15)
    assert unsure.low[0] < 0.01 < 0.99 < unsure.high[0]


def test_impossible_payoffs_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        meta.alpha_rank(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="population"):
        meta.alpha_rank(np.zeros((2, 2, 4)), population=3)
    with pytest.raises(ValueError, match="one array a seat"):
        meta.alpha_rank_roles([np.zeros((2, 2))])
    with pytest.raises(ValueError, match="square"):
        meta.cycle_chance(RPS, np.zeros((2, 2)))
