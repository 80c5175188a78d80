"""Confidence intervals of rates and means, from counts and sums alone.

Everything here takes numbers or arrays and returns float64 arrays of the broadcast shape; nothing needs
single games, so intervals can be computed from additive tallies. `level` is two-sided, 0 < level < 1.

Sources:
  Wilson, E. B. (1927), J. Am. Stat. Assoc. 22, 209-212: the score interval of one proportion.
  Newcombe, R. G. (1998), Stat. Med. 17, 873-890 (method 10), and Zou, G. Y., Donner, A. (2008), Stat. Med.
    27, 1693-1702: sums and differences of rates by combining the distances of the single limits.
  Kish, L. (1965), Survey Sampling, section 8.2: the effective number of observations.
  Cochran, W. G. (1977), Sampling Techniques, sections 5.6 and 6.4: stratified means, ratios.
  Abramowitz, M., Stegun, I. A. (1964), 26.7.5: quantiles of Student's t from those of the normal.
  Sidak, Z. (1967), J. Am. Stat. Assoc. 62, 626-633: one level for several intervals at once.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate with its lower and upper limit; three float64 arrays of one shape."""

    value: Floats
    low: Floats
    high: Floats


def unknown(found: Interval) -> Interval:
    """The value without limits (NaN): where what there is says nothing of its error."""
    nothing = np.full(np.shape(found.value), np.nan)
    return Interval(found.value, nothing, nothing)


def z_value(level: float) -> float:
    """The normal quantile of a two-sided level: 1.96 for 0.95."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    return NormalDist().inv_cdf(0.5 + level / 2.0)


def joint_level(level: float, comparisons: int) -> float:
    """The level each of several intervals needs for all of them to hold together with `level` (Sidak)."""
    return float(level ** (1.0 / max(1, comparisons)))


def wilson(wins: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Wilson's score interval of the rate wins / n (Wilson 1927).

    `wins` may be a fraction of a count (shared wins), `n` an effective number. Without any observation the
    rate is unknown: the interval is [0, 1] and its value 1/2 by convention.
    """
    wins, n = np.broadcast_arrays(np.asarray(wins, np.float64), np.asarray(n, np.float64))
    if np.any(wins < 0) or np.any(wins > n * (1 + 1e-12)):
        raise ValueError("wins must lie between 0 and n")
    z2 = z_value(level) ** 2
    rate = np.divide(wins, n, out=np.full(wins.shape, 0.5), where=n > 0)
    scale = n + z2
    centre = (n * rate + z2 / 2.0) / scale
    half = np.sqrt(z2 * (n * rate * (1.0 - rate) + z2 / 4.0)) / scale
    # At the borders the formula gives 0 and 1 but for rounding: the limit must never pass the rate itself.
    low = np.where(rate <= 0.0, 0.0, np.clip(centre - half, 0.0, rate))
    high = np.where(rate >= 1.0, 1.0, np.clip(centre + half, rate, 1.0))
    empty = n <= 0
    return Interval(rate, np.where(empty, 0.0, low), np.where(empty, 1.0, high))


def credit(total: ArrayLike, squares: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """The interval of a mean credit in [0, 1], where a win shared by k counts 1/k.

    `total` is the sum of the credits (sum of n_k / k), `squares` the sum of their squares (sum of n_k / k^2).
    The interval is Wilson's with the effective number n * p(1-p) / variance (Kish 1965): shared wins vary
    less than whole ones. The variance is shrunk towards p(1-p) by z^2 observations so that a few equal
    credits do not pass for certainty. Without ties (squares == total) it is Wilson's interval.
    """
    total, squares, n = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (total, squares, n)))
    safe = np.where(n > 0, n, 1.0)
    size = n * _gain(total / safe, squares / safe, n, z_value(level) ** 2)
    return wilson(total / safe * size, size, level)


def _gain(rate: Floats, second: Floats, n: Floats, z2: float) -> Floats:
    """How many whole wins one credit is worth: p(1-p) / variance, at least 1; 1 where nothing varies."""
    binary = rate * (1.0 - rate)
    variance = np.clip(second - rate**2, 0.0, binary)
    shrunk = (n * variance + z2 * binary) / (n + z2)
    return np.divide(binary, shrunk, out=np.ones_like(binary), where=shrunk > 0)


def average_rate(wins: ArrayLike, n: ArrayLike, level: float = 0.95, axis: int = -1) -> Interval:
    """The average over `axis` (rotations) of the rates wins / n, each with equal weight, with its interval.

    Parts without a game are left out. Limits stay in [0, 1]. With no part at all: (1/2, 0, 1).
    """
    wins = np.asarray(wins, np.float64)
    return average_credit(wins, wins, n, level, axis)


def average_credit(
    total: ArrayLike, squares: ArrayLike, n: ArrayLike, level: float = 0.95, axis: int = -1
) -> Interval:
    """As `average_rate`, for credits with ties (see `credit`).

    Wilson's interval with the effective number p(1-p) / variance, where p is the average and the variance
    that of a stratified sample, sum of v_r / n_r / R^2 (Cochran 1977, section 5.6). Each rotation's rate
    is shrunk towards the average by z^2 games for the variance, so that small rotations without a win do
    not pass for certainty. With one rotation this is `credit`.
    """
    total, squares, n = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (total, squares, n)))
    used = n > 0
    safe, many = np.where(used, n, 1.0), np.maximum(used.sum(axis=axis, keepdims=True), 1)
    rate = np.where(used, total / safe, 0.0)
    centre = rate.sum(axis=axis, keepdims=True) / many
    z2 = z_value(level) ** 2
    near = (n * rate + z2 * centre) / (n + z2)
    spread = near * (1.0 - near) / _gain(rate, squares / safe, n, z2)
    variance = (np.where(used, spread / safe, 0.0)).sum(axis=axis) / many.squeeze(axis) ** 2
    even = many.squeeze(axis) ** 2 / np.where(used, 1.0 / safe, 0.0).sum(axis=axis).clip(1e-300)
    value = centre.squeeze(axis)
    size = np.where(variance > 0, value * (1.0 - value) / np.where(variance > 0, variance, 1.0), even)
    size = np.where(used.any(axis=axis), size, 0.0)
    return wilson(np.minimum(value * size, size), size, level)


def difference(a: Interval, b: Interval) -> Interval:
    """The interval of a - b for independent estimates (Newcombe 1998, method 10; Zou and Donner 2008)."""
    value = a.value - b.value
    low = value - np.sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    high = value + np.sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    return Interval(value, low, high)


def edge(total: ArrayLike, squares: ArrayLike, won: ArrayLike, n: ArrayLike, fair: ArrayLike,
         level: float = 0.95, axis: int = -1) -> Interval:  # fmt: skip
    """How far a seat's win rate lies above its fair share of the games that anybody won.

    `won` games out of `n` had a winner; the fair share is fair * won / n with fair = seats held / seats.
    The edge is q (c - fair) with q = won / n and c = total / won; both factors carry their own error, and
    the distances of their limits add in squares (Zou and Donner 2008). Averaged over `axis` (rotations) with
    equal weights. Where nobody won anything it is 0.
    """
    arrays = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (total, squares, won, n, fair)))
    total, squares, won, n, fair = arrays
    share, some = credit(total, squares, won, level), wilson(won, n, level)
    known = won > 0
    above = np.where(known, share.value - fair, 0.0)
    rate = np.where(n > 0, some.value, 0.0)
    # The error of q: a wider q makes a positive edge larger and a negative one smaller.
    q_up, q_down = some.high - some.value, some.value - some.low
    up_q = np.where(above >= 0, above * q_up, -above * q_down)
    down_q = np.where(above >= 0, above * q_down, -above * q_up)
    up = np.where(known, np.hypot(rate * (share.high - share.value), up_q), 0.0)
    down = np.where(known, np.hypot(rate * (share.value - share.low), down_q), 0.0)
    many = np.maximum((n > 0).sum(axis=axis), 1)
    value = (rate * above).sum(axis=axis) / many
    return Interval(
        value,
        value - np.sqrt((down**2).sum(axis=axis)) / many,
        value + np.sqrt((up**2).sum(axis=axis)) / many,
    )


def poisson(counts: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """The score interval of a number of events a game, counts / n, as if events came independently.

    The same inversion as Wilson's with the Poisson variance: (x + z^2/2 -+ z sqrt(x + z^2/4)) / n.
    """
    x, games = np.broadcast_arrays(np.asarray(counts, np.float64), np.asarray(n, np.float64))
    z = z_value(level)
    safe = np.where(games > 0, games, 1.0)
    half = z * np.sqrt(x + z * z / 4.0)
    return Interval(x / safe, np.maximum(x + z * z / 2.0 - half, 0.0) / safe, (x + z * z / 2.0 + half) / safe)


def t_value(level: float, freedom: ArrayLike) -> Floats:
    """Student's two-sided quantile: exact for 1 and 2 degrees of freedom, else Abramowitz-Stegun 26.7.5."""
    v = np.maximum(np.asarray(freedom, np.float64), 1.0)
    z, p = z_value(level), 0.5 + level / 2.0
    terms = (
        (z**3 + z) / 4.0,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96.0,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384.0,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160.0,
    )
    series = z + sum(term / v ** (i + 1) for i, term in enumerate(terms))
    one, two = np.tan(np.pi * (p - 0.5)), (2 * p - 1) / np.sqrt(2 * p * (1 - p))
    return np.asarray(np.where(v <= 1, one, np.where(v <= 2, two, series)), np.float64)


def mean(n: ArrayLike, total: ArrayLike, squares: ArrayLike, level: float = 0.95) -> Interval:
    """Student's interval of a mean from the number, the sum and the sum of squares of the observations.

    One observation tells nothing about its error: the limits are NaN then, and so is everything without any.
    """
    n, total, squares = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
    safe = np.where(n > 0, n, 1.0)
    value = np.where(n > 0, total / safe, np.nan)
    spread = np.maximum(squares - total**2 / safe, 0.0) / np.maximum(n - 1.0, 1.0)
    half = np.where(n > 1, t_value(level, np.maximum(n - 1.0, 1.0)) * np.sqrt(spread / safe), np.nan)
    return Interval(value, value - half, value + half)


def ratio(n: ArrayLike, top: ArrayLike, bottom: ArrayLike, top2: ArrayLike, cross: ArrayLike,
          bottom2: ArrayLike, level: float = 0.95) -> Interval:  # fmt: skip
    """The interval of sum(top) / sum(bottom) over n independent games (Cochran 1977, section 6.4).

    For shares of turns: turns of one game depend on each other, so the game is the unit, not the turn. Takes
    the sums of top, bottom, top^2, top * bottom and bottom^2. Limits are NaN for a single game.
    """
    n, top, bottom, top2, cross, bottom2 = np.broadcast_arrays(
        *(np.asarray(x, np.float64) for x in (n, top, bottom, top2, cross, bottom2))
    )
    safe = np.where(bottom > 0, bottom, 1.0)
    value = np.where(bottom > 0, top / safe, 0.0)
    residual = np.maximum(top2 - 2 * value * cross + value**2 * bottom2, 0.0)
    error = np.sqrt(residual * n / np.maximum(n - 1.0, 1.0)) / safe
    half = np.where(n > 1, t_value(level, np.maximum(n - 1.0, 1.0)) * error, np.nan)
    return Interval(value, value - half, value + half)
