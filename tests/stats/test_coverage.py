"""Every kind of interval that a study shows holds the truth at its rate, on simulated data of known truth.

Those with such a test of their own are not repeated here: averages over rotations, shared wins, edges, means,
ratios and events a game (test_intervals), pairs and clusters of a comparison (test_paired), confidence
sequences (test_sequence), duels and ratings (test_payoffs, test_ratings), variance shares of luck
(test_variance), sensitivity (test_sensitivity), weights of signs (test_contest), batches of tallies
(tests/report/test_kraskar_report).

With 2000 experiments a coverage of 0.95 has a standard error of 0.005. Each kind has a control: what is too
narrow, or counts the wrong unit, is seen.
"""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.stats import clusters, counts, pacing
from analyzer.stats import intervals as iv

RUNS = 2000


def covered(low: np.ndarray, high: np.ndarray, truth: float | np.ndarray) -> float:
    return float(((low <= truth) & (truth <= high)).mean())


@pytest.mark.parametrize(("p", "n"), [(0.5, 60), (0.25, 400), (0.06, 400), (0.01, 2000)])
def test_wilson(p: float, n: int) -> None:
    found = iv.wilson(np.random.default_rng(1).binomial(n, p, RUNS), n)
    assert 0.93 <= covered(found.low, found.high, p) <= 0.975


def test_control_the_plain_normal_interval_misses_rare_events() -> None:
    p, n = 0.01, 200
    rate = np.random.default_rng(1).binomial(n, p, RUNS) / n
    half = 1.96 * np.sqrt(rate * (1 - rate) / n)
    assert covered(rate - half, rate + half, p) < 0.9


@pytest.mark.parametrize(("p", "q", "n"), [(0.3, 0.25, 200), (0.05, 0.02, 300), (0.5, 0.5, 50)])
def test_differences_of_independent_runs(p: float, q: float, n: int) -> None:
    rng = np.random.default_rng(2)
    a, b = (iv.wilson(rng.binomial(n, one, RUNS), n) for one in (p, q))
    found = iv.difference(a, b)
    assert 0.935 <= covered(found.low, found.high, p - q) <= 0.98
    half = iv.Interval(found.value, (found.value + found.low) / 2, (found.value + found.high) / 2)
    assert covered(half.low, half.high, p - q) < 0.8


def test_several_intervals_hold_together() -> None:
    rng = np.random.default_rng(3)
    n, rates = 400, np.array([0.2, 0.25, 0.3, 0.15, 0.1])
    wins = rng.binomial(n, rates, (RUNS, 5))
    for level, low, high in ((iv.joint_level(0.95, 5), 0.935, 0.975), (0.95, 0.0, 0.85)):
        found = iv.wilson(wins, n, level)
        whole = ((found.low <= rates) & (rates <= found.high)).all(axis=1).mean()
        assert low <= whole <= high


def deals(rng: np.random.Generator, games: int, same: float) -> np.ndarray:
    """Wins 0/1 [run, deal, rotation] at 0.3; with chance `same` a deal decides for all its rotations."""
    common = rng.random((RUNS, games, 1)) < 0.3
    own = rng.random((RUNS, games, 4)) < 0.3
    return np.where(rng.random((RUNS, games, 1)) < same, common, own).astype(float)


def test_a_side_of_a_comparison_by_deals() -> None:
    """The mean over a deal's rotations is its unit; games counted singly are the control."""
    won = deals(np.random.default_rng(4), 120, 0.6)
    unit = won.mean(axis=2)
    found = iv.credit(unit.sum(axis=1), (unit**2).sum(axis=1), 120)
    assert 0.935 <= covered(found.low, found.high, 0.3) <= 0.975
    singly = iv.wilson(won.sum(axis=(1, 2)), 480)
    assert covered(singly.low, singly.high, 0.3) < 0.8


def test_duplicate_deals_by_moments() -> None:
    won = deals(np.random.default_rng(5), 100, 0.5)[:600]
    found = [clusters.mean(clusters.Moments.of(one.T), np.full((4, 1), 0.25), step=1.0) for one in won]
    low, high = (np.array([float(getattr(one, end)) for one in found]) for end in ("low", "high"))
    assert 0.93 <= covered(low, high, 0.3) <= 0.975
    half = (high - low) / 4
    assert covered(low + half, high - half, 0.3) < 0.8


def test_what_a_card_in_the_hand_goes_with() -> None:
    """The slope of winning on copies held within two seats of other win rates: 0.04 a copy."""
    rng = np.random.default_rng(6)
    low, high = np.empty(600), np.empty(600)
    for run in range(600):
        seat, copies = rng.integers(0, 2, 800), rng.binomial(5, 0.2, 800)
        won = rng.random(800) < 0.2 + 0.2 * seat + 0.04 * copies
        value, error = counts.slope(copies, won, np.ones(800), seat)
        low[run], high[run] = value - 1.96 * error, value + 1.96 * error
    assert 0.925 <= covered(low, high, 0.04) <= 0.975
    half = (high - low) / 4
    assert covered(low + half, high - half, 0.04) < 0.8


# ---------------------------------------------------------------- the story of a game


def races(rng: np.random.Generator, games: int) -> pacing.Story:
    """Three runners over 6 to 9 rounds; the furthest wins, or the first of equals."""
    score = rng.integers(0, 4, (3, 9, games)).cumsum(axis=1)
    length = rng.integers(6, 10, games)
    last = score[:, length - 1, np.arange(games)] + rng.random((3, games))
    return pacing.story(score, last == last.max(axis=0), length)


@pytest.fixture(scope="module")
def many() -> pacing.Story:
    return races(np.random.default_rng(7), 200_000)


@pytest.fixture(scope="module")
def some() -> list[pacing.Story]:
    rng = np.random.default_rng(8)
    return [races(rng, 250) for _ in range(400)]


def test_what_an_early_lead_is_worth(many: pacing.Story, some: list[pacing.Story]) -> None:
    truth = float(pacing.runaway(many).rate.value)
    found = [pacing.runaway(one).rate for one in some]
    low, high = (np.array([float(getattr(one, end)) for one in found]) for end in ("low", "high"))
    assert 0.92 <= covered(low, high, truth) <= 0.985
    half = (high - low) / 4
    assert covered(low + half, high - half, truth) < 0.8


def test_come_backs_of_seats_behind(many: pacing.Story, some: list[pacing.Story]) -> None:
    """Of the seats of a game one wins at most: the limits of all seats behind are rather too wide."""

    def total(told: pacing.Story) -> tuple[float, int]:
        back = pacing.comebacks(told)
        there = back.deficit > 0
        return float((back.rate.value * back.n)[there].sum()), int(back.n[there].sum())

    wins, n = total(many)
    found = [iv.wilson(*total(one)) for one in some]
    low, high = (np.array([float(getattr(one, end)) for one in found]) for end in ("low", "high"))
    assert covered(low, high, wins / n) >= 0.935
    half = (high - low) / 3
    assert covered(low + half, high - half, wins / n) < 0.9


def test_real_win_rates_beside_told_chances(many: pacing.Story, some: list[pacing.Story]) -> None:
    """Chances told by a rule: what they are really worth lies within the limits, bin by bin. Rounds of
    one game counted singly are the control."""

    def told(one: pacing.Story) -> np.ndarray:
        lead = pacing.leads(one.score)
        return np.where(one.alive, np.clip(0.35 + 0.06 * lead, 0.0, 1.0), np.nan)

    real = pacing.calibration(many, told(many))
    inside, singly, seen = 0, 0, 0
    for one in some[:150]:
        found = pacing.calibration(one, told(one))
        place = [int(np.argmin(np.abs(real.told - x))) for x in found.told]
        truth, used = real.real.value[place], found.n > 300
        plain = iv.wilson(found.real.value * found.n, found.n)
        inside += int(((found.real.low <= truth) & (truth <= found.real.high))[used].sum())
        singly += int(((plain.low <= truth) & (truth <= plain.high))[used].sum())
        seen += int(used.sum())
    assert seen > 300
    assert 0.92 <= inside / seen <= 0.985
    assert singly / seen < 0.9
