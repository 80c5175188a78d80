"""Moments and quantiles of values that come with counts (histograms), as tallies hold them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def moments(values: ArrayLike, counts: ArrayLike) -> tuple[float, float, float]:
    """(n, sum, sum of squares) of a histogram; what `intervals.mean` takes."""
    x, n = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    return float(n.sum()), float((n * x).sum()), float((n * x * x).sum())


def quantiles(values: ArrayLike, counts: ArrayLike, at: Sequence[float]) -> Floats:
    """Quantiles of a histogram, float64[len(at)]: the smallest value with at least that share at or
    below it."""
    x, n = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    order = np.argsort(x, kind="stable")
    below = np.cumsum(n[order])
    place = np.searchsorted(below, np.asarray(at) * below[-1] * (1 - 1e-12), side="left")
    found: Floats = x[order][np.minimum(place, len(x) - 1)]
    return found


def slope(x: ArrayLike, y: ArrayLike, counts: ArrayLike, group: ArrayLike) -> tuple[float, float]:
    """The change of y per unit of x within groups, and its standard error; (nan, nan) if x never varies.

    Least squares with a constant for each group (0-based codes), from cells of equal (x, y, group) with
    counts; the error is White's (1980, Econometrica 48, 817-838), which needs no equal variances.
    """
    x, y, n = (np.asarray(v, np.float64) for v in (x, y, counts))
    g = np.asarray(group, np.int64)
    if not n.size:
        return float("nan"), float("nan")
    size = np.bincount(g, n)
    size[size == 0] = 1.0
    dx, dy = x - (np.bincount(g, n * x) / size)[g], y - (np.bincount(g, n * y) / size)[g]
    spread = float((n * dx * dx).sum())
    if spread <= 1e-9:
        return float("nan"), float("nan")
    value = float((n * dx * dy).sum()) / spread
    return value, float(np.sqrt((n * dx**2 * (dy - value * dx) ** 2).sum())) / spread
