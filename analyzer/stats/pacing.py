"""The story of a game: when it is decided, how often the lead changes, who comes back, who runs away.

All from the games themselves. Arrays have the game on the LAST axis:

    score   int[seat, round, game]  what the seats compare (points, distance, units) at the end of each round;
                                    rounds after a game's end are ignored, whatever they hold
    credit  float64[seat, game]     win credits: 1, a part of a shared win, 0
    length  int[game]               rounds played, 1 or more

A lead is a seat's score less the best of the others. Scores that count down (losses) should come negated.
Games nobody won stay in: they count as decided never, and as lost by every leader.

Sources:
  Barlow, R. E. et al. (1972), Statistical Inference under Order Restrictions, chapter 1: isotonic regression.
  Zadrozny, B., Elkan, C. (2002), KDD, 694-699: calibrated chances by isotonic regression.
  Brier, G. W. (1950), Mon. Weather Rev. 78, 1-3: the score of a forecast.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats import intervals
from analyzer.stats.intervals import Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
DECIDED = 0.8  # a game is decided once the winner's chance stays at or above this
OUT = 0.05  # a seat below this chance has no hope left


class Story(NamedTuple):
    """What all functions here take: score, credit and length, checked; alive: bool[round, game]."""

    score: Ints
    credit: Floats
    length: Ints
    alive: Bools


def story(score: ArrayLike, credit: ArrayLike, length: ArrayLike) -> Story:
    """The arrays of the module's head, checked; ValueError with the shape that is wrong."""
    points, won, rounds = np.asarray(score), np.asarray(credit, np.float64), np.asarray(length, np.int64)
    if (
        points.ndim != 3
        or won.shape != (points.shape[0], points.shape[2])
        or rounds.shape != points.shape[2:]
    ):
        raise ValueError(
            "score [seat, round, game], credit [seat, game] and length [game] do not fit: "
            f"{points.shape}, {won.shape}, {rounds.shape}"
        )
    if rounds.size and (rounds.min() < 1 or rounds.max() > points.shape[1]):
        raise ValueError(f"lengths lie between 1 and the {points.shape[1]} rounds of score")
    alive = np.arange(points.shape[1])[:, None] < rounds
    return Story(points.astype(np.int64), won, rounds, alive)


def leads(score: ArrayLike) -> Ints:
    """Every seat's score less the best of the others, int64[seat, round, game]."""
    points = np.asarray(score, np.int64)
    if len(points) < 2:
        raise ValueError("a lead needs two seats or more")
    order = np.sort(points, axis=0)
    best, second = order[-1], order[-2]
    return np.where(points == best, points - second, points - best)


# ---- chances to win by round -----------------------------------------------------------------------------


def chances(told: Story, by_seat: bool = True, folds: int = 2) -> Floats:
    """Every seat's chance to win as its lead at the end of a round tells it, float64[seat, round, game].

    For each round (and seat, for seats may differ) the mean credit by lead, made rising with the lead
    (isotonic regression) and pulled towards the seat's mean by one game in all. A game's own
    outcome takes no part in its chances: it is judged by the games of the other folds. Each chance is
    calibrated by itself (`calibration`), so that those of one game add up to 1 only about. NaN after the end.
    """
    games = told.score.shape[2]
    if folds < 2 or games < 2 * folds:
        raise ValueError(f"chances need two folds or more, and some games in each, not {games} in {folds}")
    fold, found = np.arange(games) % folds, np.full(told.score.shape, np.nan)
    for part in range(folds):
        inside = fold == part
        found[..., inside] = chances_of(told, inside, by_seat)
    return found


def chances_of(told: Story, inside: Bools, by_seat: bool = True) -> Floats:
    """The chances of the games `inside` (bool[game]), told by all others, float64[seat, round, inside]."""
    seats, rounds, _ = told.score.shape
    lead = leads(told.score)
    found = np.full((seats, rounds, int(inside.sum())), np.nan)
    groups = [[seat] for seat in range(seats)] if by_seat else [list(range(seats))]
    for now, group in product(range(rounds), groups):
        others, there = told.alive[now] & ~inside, told.alive[now, inside]
        x, y = lead[group, now], told.credit[group]
        mean = float(y[:, ~inside].mean())
        for seat, at in zip(group, x, strict=True):
            known = _by_lead(x[:, others].ravel(), y[:, others].ravel(), at[inside][there], mean)
            found[seat, now, there] = known
    return found


def _by_lead(lead: Ints, credit: Floats, at: Ints, prior: float) -> Floats:
    """The rising mean of credit by lead, evaluated at other leads; between known leads it is linear."""
    from scipy.optimize import isotonic_regression

    if not lead.size:
        return np.full(at.shape, prior)
    known, place = np.unique(lead, return_inverse=True)
    pull = 1.0 / len(known)
    n = np.bincount(place, minlength=len(known)) + pull
    mean = (np.bincount(place, credit, len(known)) + prior * pull) / n
    return np.interp(at, known, isotonic_regression(mean, weights=n).x)


class Calibration(NamedTuple):
    """Told chance and real win rate by bins of the told one, float64[bin]; `brier`: mean squared error."""

    told: Floats
    real: Interval
    n: Ints
    brier: float


def calibration(told: Story, chance: ArrayLike, bins: int = 10, level: float = 0.95) -> Calibration:
    """Do the chances mean what they say? Empty bins are left out.

    Rounds of one game hang together: the limits count every game once, however many rounds fall into a bin.
    """
    p = np.asarray(chance, np.float64)
    known = np.isfinite(p)
    place = np.clip((np.where(known, p, 0) * bins).astype(np.int64), 0, bins - 1)
    credit = np.broadcast_to(told.credit[:, None], p.shape)
    rows = []
    for b in range(bins):
        inside = known & (place == b)
        size = inside.sum(axis=(0, 1)).astype(float)  # float64[game]
        if size.any():
            sums = (p * inside).sum(where=known, axis=(0, 1)), (credit * inside).sum(axis=(0, 1))
            rows.append((size, *sums))
    real = [_ratio(won, size, level) for size, _, won in rows]
    return Calibration(
        np.array([float(p_sum.sum() / size.sum()) for size, p_sum, _ in rows]),
        Interval(*(np.array([float(getattr(one, name)) for one in real]) for name in Interval._fields)),
        np.array([int(size.sum()) for size, _, _ in rows]),
        float(((p - credit)[known] ** 2).mean()),
    )


def _ratio(top: Floats, bottom: Floats, level: float) -> Interval:
    """sum(top) / sum(bottom) over games."""
    squares = ((top**2).sum(), (top * bottom).sum(), (bottom**2).sum())
    return intervals.ratio(len(top), top.sum(), bottom.sum(), *squares, level)


def decided(told: Story, chance: ArrayLike, threshold: float = DECIDED) -> Floats:
    """The round (1-based) from whose end on the winner's chance stays at `threshold` or more, float64[game].

    The last round where it never does; NaN for games without a sole winner.
    """
    sole = told.credit.max(axis=0) == 1.0
    winner = told.credit.argmax(axis=0)
    of_winner = np.asarray(chance, np.float64)[winner, :, np.arange(len(winner))].T  # [round, game]
    open_still = told.alive & ~(of_winner >= threshold)
    rounds = np.arange(1, len(open_still) + 1)[:, None]
    last_open = np.where(open_still, rounds, 0).max(axis=0)
    return np.where(sole, np.minimum(last_open + 1, told.length), np.nan)


# ---- leaders ---------------------------------------------------------------------------------------------


def leaders(told: Story) -> Ints:
    """The seat that leads alone at the end of each round, int64[round, game]; -1: a tie, or over."""
    lead = leads(told.score)
    return np.where((lead.max(axis=0) > 0) & told.alive, lead.argmax(axis=0), -1)


def lead_changes(told: Story) -> Ints:
    """How often another seat than the last sole leader takes the lead, int64[game]; ties change nothing."""
    who = leaders(told)
    last, changes = np.full(who.shape[1], -1), np.zeros(who.shape[1], np.int64)
    for now in who:
        changes += (now >= 0) & (last >= 0) & (now != last)
        last = np.where(now >= 0, now, last)
    return changes


def at_share(told: Story, share: float) -> Ints:
    """The round (0-based) at whose end this share of a game is played, int64[game]: 1/3 of 9 is the third."""
    if not 0.0 < share <= 1.0:
        raise ValueError(f"a share of the game lies above 0 and is at most 1, not {share}")
    return np.maximum(np.ceil(told.length * share - 1e-9).astype(np.int64), 1) - 1


class Comeback(NamedTuple):
    """By deficit (int64[row], 0 for the leaders and ties): seats that stood so, and how often they won."""

    deficit: Ints
    rate: Interval
    n: Ints


def comebacks(told: Story, share: float = 0.5, level: float = 0.95) -> Comeback:
    """How often a seat wins by how far it lies behind the best other one after this share of the game."""
    now = at_share(told, share)
    lead = leads(told.score)[:, now, np.arange(len(now))]
    deficit, place = np.unique(np.maximum(-lead, 0), return_inverse=True)
    place = place.ravel()
    n = np.bincount(place, minlength=len(deficit))
    won, squares = (np.bincount(place, x.ravel(), len(deficit)) for x in (told.credit, told.credit**2))
    return Comeback(deficit, intervals.credit(won, squares, n, level), n)


class Runaway(NamedTuple):
    """How often the leader after a share of the game wins; `n`: games with a sole leader then; `fair`: how
    often a seat wins; `led`: the share of games with a sole leader."""

    rate: Interval
    fair: float
    led: float
    n: int


def runaway(told: Story, share: float = 1 / 3, level: float = 0.95) -> Runaway:
    """Does whoever leads early win anyway?"""
    now = at_share(told, share)
    who = leaders(told)[now, np.arange(len(now))]
    led = np.flatnonzero(who >= 0)
    won = told.credit[who[led], led]
    rate = intervals.credit(won.sum(), (won**2).sum(), len(led), level)
    return Runaway(rate, float(told.credit.mean()), len(led) / max(1, len(now)), len(led))


class Kingmaking(NamedTuple):
    """Games and rounds in which a hopeless seat still plays among others who are not decided."""

    games: Interval
    rounds: Interval


def kingmaking(told: Story, chance: ArrayLike, out: float = OUT, threshold: float = DECIDED,
               level: float = 0.95) -> Kingmaking:  # fmt: skip
    """How often a seat without hope may choose the winner.

    A round counts when at its end, before the last, some seat's chance lies below `out` while no seat's
    reaches `threshold`: the game is open, but not for everybody. games: the share of games with such a round;
    rounds: the share of rounds, over games. It measures the opportunity; what is made of it shows only when
    the hopeless seat's policy is changed on the same luck. With two seats it never happens.
    """
    p = np.asarray(chance, np.float64)
    before_end = told.alive & (np.arange(1, p.shape[1] + 1)[:, None] < told.length)
    filled = np.where(np.isfinite(p), p, 0.5)
    made = before_end & (filled.min(axis=0) < out) & (filled.max(axis=0) < threshold)
    some = made.any(axis=0)
    games = intervals.wilson(some.sum(), len(some), level)
    return Kingmaking(
        games, _ratio(made.sum(axis=0).astype(float), before_end.sum(axis=0).astype(float), level)
    )
