"""Moments and quantiles of values that come with counts (histograms), as tallies hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def quantile_limits(
    values: ArrayLike, counts: ArrayLike, at: Sequence[float], weight: float = 1.0
) -> list[tuple[float, float]]:
    """95 % intervals of `quantiles`, (low, high) each: the values at the ranks between which so many of n
    independent values fall (binomial order statistics, by the normal approximation).

    weight: the part of a value that each counts for, below 1 where some are copies of others; 0: NaN limits.
    """
    total = float(np.asarray(counts, np.float64).sum()) * weight
    if not total:
        return [(np.nan, np.nan)] * len(at)
    q = np.asarray(at, np.float64)
    half = 1.96 * np.sqrt(q * (1 - q) / total)
    low = quantiles(values, counts, [*(q - half).clip(0, 1)])
    high = quantiles(values, counts, [*(q + half + 1 / total).clip(0, 1)])
    return [*zip(low.tolist(), high.tolist(), strict=True)]


def grouped(*columns: ArrayLike) -> tuple[list[tuple[Any, ...]], NDArray[np.intp]]:
    """The different rows of some columns, in order of first appearance, and which of them each row is.

    For small frames of words this is many times faster than a data frame's groupby.
    """
    values = [np.asarray(column, object).tolist() for column in columns]
    places: dict[tuple[Any, ...], int] = {}
    codes = [places.setdefault(row, len(places)) for row in zip(*values, strict=True)]
    return list(places), np.array(codes, np.intp)


def slope(x: ArrayLike, y: ArrayLike, counts: ArrayLike, group: ArrayLike) -> tuple[float, float]:
    """`slopes` of one table."""
    group = np.asarray(group, np.intp)
    value, error = slopes(x, y, counts, group, np.zeros(len(group), np.intp), 1)
    return float(value[0]), float(error[0])


def slopes(x: ArrayLike, y: ArrayLike, counts: ArrayLike, group: ArrayLike, table: ArrayLike,
           tables: int) -> tuple[Floats, Floats]:  # fmt: skip
    """The change of y per unit of x within groups, and its standard error, each float64[table].

    Least squares with a constant for each group (0-based codes), from cells of equal (x, y, group) with
    counts, apart for each `table` (0-based codes); NaN where x never varies. The error is White's (1980,
    Econometrica 48, 817-838), which needs no equal variances.
    """
    x, y, n = (np.asarray(v, np.float64) for v in (x, y, counts))
    part, inner = np.asarray(table, np.intp), np.asarray(group, np.intp)
    g = part * (inner.max(initial=0) + 1) + inner
    size = np.bincount(g, n)
    size[size == 0] = 1.0
    dx, dy = x - (np.bincount(g, n * x) / size)[g], y - (np.bincount(g, n * y) / size)[g]
    spread = np.bincount(part, n * dx * dx, tables).astype(np.float64)  # of nothing, it would be integers
    spread[spread <= 1e-9] = np.nan
    value = np.bincount(part, n * dx * dy, tables) / spread
    error = np.bincount(part, n * dx**2 * (dy - value[part] * dx) ** 2, tables)
    return value, np.sqrt(error) / spread
