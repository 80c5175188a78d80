"""The story of a game: on small games worked by hand, and on a race whose chances are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from analyzer.stats import pacing
from analyzer.stats.pacing import Story

ROUNDS = 8


def race(games: int, seats: int = 2, seed: int = 1, head: int = 0) -> Story:
    """Each round a seat gains 0 to 9; the highest after eight wins, ties share; seat 1 starts `head` up."""
    step = np.random.default_rng(seed).integers(0, 10, (seats, ROUNDS, games))
    score = step.cumsum(axis=1)
    score[0] += head
    best = score[:, -1] == score[:, -1].max(axis=0)
    return pacing.story(score, best / best.sum(axis=0), np.full(games, ROUNDS))


def by_hand() -> Story:
    """Four games of up to four rounds, two seats."""
    first = [[1, 2, 3, 4], [1, 2, 2, 2], [2, 2, 2, 0], [1, 1, 1, 1]]
    second = [[0, 1, 2, 3], [0, 3, 2, 4], [1, 1, 4, 0], [1, 1, 1, 1]]
    score = np.array([first, second]).transpose(0, 2, 1)
    credit = np.array([[1, 0, 0, 0.5], [0, 1, 1, 0.5]])
    return pacing.story(score, credit, [4, 4, 3, 4])


def test_leads_are_over_the_best_other_seat() -> None:
    lead = pacing.leads(np.array([[[5]], [[3]], [[5]]]))
    assert lead.ravel().tolist() == [0, -2, 0]
    assert pacing.leads(np.array([[[7]], [[3]], [[5]]])).ravel().tolist() == [2, -4, -2]


def test_changes_of_the_lead_are_counted_between_sole_leaders() -> None:
    assert pacing.lead_changes(by_hand()).tolist() == [0, 1, 1, 0]
    assert pacing.leaders(by_hand())[:, 1].tolist() == [0, 1, -1, 1]
    assert pacing.leaders(by_hand())[:, 2].tolist() == [0, 0, 1, -1]  # the game is over


def test_a_game_is_decided_when_the_winners_chance_stays_high() -> None:
    told = by_hand()
    p = np.array([[0.9, 0.7, 0.9, 0.95], [0.5, 0.1, 0.3, 0.1], [0.9, 0.1, 0.05, 0.5], [0.5, 0.5, 0.5, 0.5]]).T
    found = pacing.decided(told, np.stack([p, 1 - p]))
    # Game 1: below 0.8 after round 2. Game 2: seat 2 wins, at 0.7 after round 3. Game 3 ends after round 3.
    assert found[:3].tolist() == [3, 4, 2]
    assert np.isnan(found[3])


def test_what_is_never_clear_is_decided_in_the_last_round() -> None:
    told = by_hand()
    assert pacing.decided(told, np.full((2, 4, 4), 0.5))[:3].tolist() == [4, 4, 3]


def test_chances_are_those_of_the_race() -> None:
    told = race(20_000)
    p = pacing.chances(told)
    np.testing.assert_allclose(p.sum(axis=0).mean(axis=1), 1.0, atol=0.01)
    lead = pacing.leads(told.score)
    for after in (1, 3, 5):
        left = ROUNDS - after
        for ahead in (-6, 0, 8):
            rows = lead[0, after - 1] == ahead
            spread = np.sqrt(left * 2 * 8.25)
            assert p[0, after - 1, rows].mean() == pytest.approx(norm.cdf(ahead / spread), abs=0.035)
    assert np.nanmax(np.abs(p[:, -1] - told.credit)) < 0.05  # after the last round all is known


def test_seats_may_have_chances_of_their_own() -> None:
    told = race(8000, head=6)
    own, pooled = pacing.chances(told), pacing.chances(told, by_seat=False)
    assert own[0, 0].mean() > 0.6
    assert pacing.calibration(told, own).brier <= pacing.calibration(told, pooled).brier + 1e-3


def test_chances_are_calibrated_though_no_game_judges_itself() -> None:
    told = race(4000, seats=4, seed=3)
    found = pacing.calibration(told, pacing.chances(told))
    inside = (found.real.low <= found.told + 0.005) & (found.told - 0.005 <= found.real.high)
    assert inside.mean() >= 0.9
    np.testing.assert_allclose(found.told, found.real.value, atol=0.035)
    assert found.n.sum() == 4 * ROUNDS * 4000
    assert found.brier < 0.15


def test_negative_control_chances_turned_round_are_not_calibrated() -> None:
    told = race(4000, seed=3)
    p = pacing.chances(told)
    found = pacing.calibration(told, p[::-1])
    assert ((found.real.low > found.told) | (found.real.high < found.told)).mean() > 0.7


def test_chances_of_pure_luck_tell_nothing() -> None:
    """The score has no say in the outcome: chances that judged their own games would seem to know it."""
    seen = []
    for seed in range(60):
        told = race(60, seed=seed)
        luck = np.random.default_rng(1000 + seed).random(60) < 0.5
        unrelated = pacing.story(told.score, np.stack([luck, ~luck]).astype(float), told.length)
        p = pacing.chances(unrelated)
        seen.append(np.where(luck, p[0], p[1]).mean())
    assert np.mean(seen) <= 0.505


def test_games_nobody_won_lower_all_chances() -> None:
    told = race(2000)
    lost = np.arange(2000) % 5 == 0
    some = pacing.story(told.score, np.where(lost, 0.0, told.credit), told.length)
    np.testing.assert_allclose(pacing.chances(some).sum(axis=0).mean(axis=1), 0.8, atol=0.02)
    assert np.isnan(pacing.decided(some, pacing.chances(some))[lost]).all()


def test_come_backs_by_deficit() -> None:
    found = pacing.comebacks(by_hand(), share=0.5)
    # After half of four rounds (two of three): leads +1, -1, +1, 0 of seat 1.
    assert found.deficit.tolist() == [0, 1]
    assert found.n.tolist() == [5, 3]
    assert found.rate.value.tolist() == pytest.approx([(1 + 1 + 0 + 0.5 + 0.5) / 5, 1 / 3])


def test_come_backs_get_rarer_with_the_deficit_and_are_covered() -> None:
    found = pacing.comebacks(race(20_000), share=0.5)
    deep = found.n > 300
    assert np.all(np.diff(found.rate.value[deep]) < 0.02)
    real = norm.cdf(-found.deficit / np.sqrt(4 * 2 * 8.25))
    inside = (found.rate.low - 0.01 <= real) & (real <= found.rate.high + 0.01)
    assert inside[deep][1:].mean() >= 0.9


def test_the_share_of_a_game_is_a_round() -> None:
    told = pacing.story(np.zeros((2, 9, 3)), np.full((2, 3), 0.5), [9, 4, 1])
    assert pacing.at_share(told, 1 / 3).tolist() == [2, 1, 0]
    assert pacing.at_share(told, 1.0).tolist() == [8, 3, 0]


def test_runaway_is_how_often_the_early_leader_wins() -> None:
    found = pacing.runaway(by_hand(), share=0.25)
    assert found.n == 3
    assert found.led == 0.75
    assert float(found.rate.value) == pytest.approx(1 / 3)
    early, late = (pacing.runaway(race(5000, seats=4), share=s) for s in (1 / 8, 7 / 8))
    assert early.fair == pytest.approx(0.25)
    assert 0.25 < float(early.rate.value) < float(late.rate.value) < 1


def test_kingmaking_needs_an_open_game_with_a_seat_out_of_it() -> None:
    score = np.zeros((3, 3, 2), int)
    told = pacing.story(score, np.array([[1, 0], [0, 1], [0, 0]]), [3, 3])
    p = np.zeros((3, 3, 2))
    p[:, :, 0] = [[0.4, 0.5, 1], [0.3, 0.49, 0], [0.3, 0.01, 0]]  # open, but not for seat 3, after round 2
    p[:, :, 1] = [[0.2, 0.02, 0], [0.5, 0.95, 1], [0.3, 0.03, 0]]  # decided when two are out
    found = pacing.kingmaking(told, p)
    assert float(found.games.value) == 0.5
    assert float(found.rounds.value) == 0.25
    both = pacing.chances(race(500))
    assert float(pacing.kingmaking(race(500), both).games.value) == 0.0


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        pacing.story(np.zeros((2, 3, 4)), np.zeros((2, 5)), np.ones(4))
    with pytest.raises(ValueError, match="lengths"):
        pacing.story(np.zeros((2, 3, 4)), np.zeros((2, 4)), np.full(4, 9))
    with pytest.raises(ValueError, match="two seats"):
        pacing.leads(np.zeros((1, 3, 4)))
    with pytest.raises(ValueError, match="share"):
        pacing.runaway(by_hand(), share=0.0)
    with pytest.raises(ValueError, match="folds"):
        pacing.chances(by_hand(), folds=3)


def test_rounds_after_the_end_hold_nothing() -> None:
    told = race(50)
    short = pacing.story(told.score, told.credit, np.full(50, 4))
    p = pacing.chances(short)
    assert np.isnan(p[:, 4:]).all()
    assert np.isfinite(p[:, :4]).all()
    changed: NDArray[np.int64] = told.score.copy()
    changed[:, 4:] = 99
    other = pacing.story(changed, told.credit, np.full(50, 4))
    np.testing.assert_array_equal(pacing.lead_changes(short), pacing.lead_changes(other))
    np.testing.assert_array_equal(p, pacing.chances(other))
