"""Means over duplicate deals from moments that add up: one deal in all rotations is one unit.

A unit's vector x float64[part] holds what the games of one deal gave: the win credit of each seat in each
rotation. Every rate of a report, and every difference from a fair share, is a weighted sum of its parts, so
the sums of x and of x x' are all that is needed. The intervals are those of `paired`.

Source: Cochran, W. G. (1977), Sampling Techniques, 3rd ed., section 9.2: one-stage cluster samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats import sequence
from analyzer.stats.intervals import Interval
from analyzer.stats.paired import Clusters, Duplicate, duplicate

Floats = NDArray[np.float64]
RARE = 50  # wins below which a confidence sequence must not lean on its estimated variance


@dataclass(frozen=True)
class Moments:
    """Sums over deals. n: deals; first: float64[part], sums of x; second: float64[part, part], of x x'."""

    n: float
    first: Floats
    second: Floats

    @classmethod
    def of(cls, values: ArrayLike) -> Moments:
        """The sums of values float64[part, deal]."""
        x = np.asarray(values, np.float64)
        return cls(float(x.shape[1]), x.sum(axis=1), x @ x.T)

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.n + other.n, self.first + other.first, self.second + other.second)

    def scaled(self, weight: float) -> Moments:
        """As if there were `weight` times as many deals."""
        return Moments(weight * self.n, weight * self.first, weight * self.second)

    def sums(self, weights: ArrayLike) -> tuple[float, float]:
        """(total, squares) of the weighted sum of the parts, weights float64[part]."""
        w = np.asarray(weights, np.float64)
        return float(w @ self.first), max(float(w @ self.second @ w), 0.0)


def mean(moments: Moments, weights: ArrayLike, level: float = 0.95, step: float = 0.0) -> Duplicate:
    """The mean over deals of the weighted sum of the parts: weights float64[rotation, part of a rotation].

    Numbers as in `paired.duplicate`. step: the least by which a game changes its rotation's sum, if that sum
    stood alone with the weights that the average over the rotations has taken out (1 for whole wins).
    """
    w = np.asarray(weights, np.float64)
    used = np.flatnonzero(np.any(w != 0, axis=1))
    used = used if len(used) else np.arange(len(w))
    each = np.zeros((len(used), *w.shape))
    each[np.arange(len(used)), used] = w[used] * len(used)
    each = each.reshape(len(used), -1)
    alone = np.array([moments.sums(one) for one in each])
    total, squares = moments.sums(each.mean(axis=0))
    sums = Clusters(moments.n, np.asarray(total), np.asarray(squares), alone[:, 0], alone[:, 1])
    return duplicate(sums, level, step)


def lasting(moments: Moments, weights: ArrayLike, plan: float, bounds: tuple[float, float],
            level: float = 0.95) -> Interval:  # fmt: skip
    """As `mean`, an interval that holds at every look (see `sequence`); `bounds` of one deal's sum.

    Asymptotic, but while less than RARE of what the bounds allow was seen: exact then, and wider.
    """
    total, squares = moments.sums(np.asarray(weights, np.float64).reshape(-1))
    low, high = bounds
    span = high - low
    seen = min(total - moments.n * low, moments.n * high - total) / span
    if seen < RARE or moments.n < RARE:
        return sequence.exact(moments.n, total, level, plan, bounds)
    return sequence.asymptotic(moments.n, total, squares, level, plan)
