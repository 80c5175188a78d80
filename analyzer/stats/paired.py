"""Differences on the same luck, and means over games that share their luck (duplicate deals).

When two settings play the same deals and dice, their results rise and fall together, and the difference
varies less than that of two independent runs. When one deal is played in all seat rotations, the cluster of
these games is the unit, not the game. All of it follows from sums that add up over blocks.

Sources:
  Law, A. M. (2015), Simulation Modeling and Analysis, 5th ed., section 11.2: common random numbers.
  Cochran, W. G. (1977), Sampling Techniques, section 9.2: one-stage cluster samples.
  Bonett, D. G., Price, R. M. (2012), J. Educ. Behav. Stat. 37, 479-488: adjusted interval of a difference of
    paired proportions; one more discordant pair of each kind.
  Cohen, J. (1988), Statistical Power Analysis, section 2.5: the smallest effect that a study can see.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import Interval, t_value, z_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Pairs:
    """Sums over units that two settings, a and b, have played on the same luck; they add up over blocks.

    n: units; a, b: sums of their values; aa, bb, ab: sums of squares and products. Numbers, or float64 arrays
    of one shape (a row a measure). A unit is a game or the mean of a cluster.
    """

    n: ArrayLike
    a: ArrayLike
    b: ArrayLike
    aa: ArrayLike
    bb: ArrayLike
    ab: ArrayLike

    @classmethod
    def of(cls, a: ArrayLike, b: ArrayLike) -> Pairs:
        """The sums of values float64[..., unit] of the two settings, unit by unit on the same luck."""
        x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if x.shape != y.shape:
            raise ValueError(f"paired values need one shape, not {x.shape} and {y.shape}")
        n = np.full(x.shape[:-1], x.shape[-1], np.float64)
        return cls(n, x.sum(-1), y.sum(-1), (x * x).sum(-1), (y * y).sum(-1), (x * y).sum(-1))

    def __add__(self, other: Pairs) -> Pairs:
        """The sums over the units of both."""
        return Pairs(*(np.add(x, y) for x, y in zip(astuple(self), astuple(other), strict=True)))

    def arrays(self) -> tuple[Floats, ...]:
        """All six as float64 arrays of one shape."""
        return tuple(np.broadcast_arrays(*(np.asarray(x, np.float64) for x in astuple(self))))

    @property
    def differences(self) -> tuple[Floats, Floats, Floats]:
        """(n, total, squares) of a - b, as confidence sequences and sequential tests want them."""
        n, a, b, aa, bb, ab = self.arrays()
        return n, a - b, np.maximum(aa + bb - 2.0 * ab, 0.0)


class Comparison(NamedTuple):
    """The mean of a - b on the same luck, and what the pairing was worth; float64 arrays of one shape.

    `error`: standard error of `value`. `factor`: variance of the difference of two independent runs of as
    many games, divided by that on the same luck (2 = half as many games do); NaN where nothing varies.
    `correlation`: of a and b. `smallest`: the smallest true difference that would be seen with `power`.
    """

    value: Floats
    low: Floats
    high: Floats
    error: Floats
    factor: Floats
    correlation: Floats
    smallest: Floats
    n: Floats


def compare(pairs: Pairs, level: float = 0.95, step: float = 0.0, power: float = 0.8) -> Comparison:
    """The mean difference a - b with its interval, from paired sums.

    `step`: for values that jump, the least by which one game changes a unit: 1 for whole wins, 1/k for the
    mean of a cluster of k games. Two units that differ by +step and -step are added, so that "no game
    differed" does not pass for certainty (Bonett and Price 2012). 0 for lengths and the like: Student's
    interval. Limits are NaN for fewer than two units.
    """
    n, a, b, aa, bb, _ = pairs.arrays()
    _, total, squares = pairs.differences
    extra = 2.0 if step > 0 else 0.0
    value, centre, error = _centred(n, total, squares, extra, step)
    half = np.where(n > 1, t_value(level, np.maximum(n + extra - 1.0, 1.0)) * error, np.nan)
    var_a, var_b = _variance(n, a, aa), _variance(n, b, bb)
    paired = _variance(n, total, squares)
    shared = np.sqrt(var_a * var_b)
    covariance = (var_a + var_b - paired) / 2.0
    return Comparison(
        value,
        np.minimum(centre - half, value),
        np.maximum(centre + half, value),
        error,
        np.divide(var_a + var_b, paired, out=np.full(n.shape, np.nan), where=paired > 1e-12 * (1 + var_a)),
        np.divide(covariance, shared, out=np.full(n.shape, np.nan), where=shared > 0),
        smallest_effect(error, level, power),
        n,
    )


def _centred(n: Floats, total: Floats, squares: Floats, extra: float,
             step: float) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """(mean, middle of the interval, standard error); the latter two with `extra` units of +-step added."""
    value = np.divide(total, n, out=np.full(n.shape, np.nan), where=n > 0)
    more = n + extra
    centre = np.divide(total, more, out=np.full(n.shape, np.nan), where=more > 0)
    variance = _variance(more, total, squares + extra * step**2)
    return value, centre, np.sqrt(variance / np.maximum(more, 1.0))


def _variance(n: Floats, total: Floats, squares: Floats) -> Floats:
    spread = squares - total**2 / np.maximum(n, 1.0)
    return np.maximum(spread, 0.0) / np.maximum(n - 1.0, 1.0)


# ---- how much a number of games can see ------------------------------------------------------------------


def smallest_effect(error: ArrayLike, level: float = 0.95, power: float = 0.8) -> Floats:
    """The smallest true difference that a two-sided test at `level` sees with `power`: 2.80 errors."""
    return np.asarray((z_value(level) + _quantile(power)) * np.asarray(error, np.float64))


def units_needed(deviation: float, effect: float, level: float = 0.95, power: float = 0.8) -> int:
    """Units needed to see a mean of `effect` with `power`, when one unit has this standard deviation.

    For a comparison the unit's value is the difference: deviation = error * sqrt(n) of a `Comparison`.
    """
    if effect == 0:
        raise ValueError("no number of games shows an effect of 0")
    return max(2, math.ceil(((z_value(level) + _quantile(power)) * deviation / effect) ** 2))


def _quantile(power: float) -> float:
    if not 0.0 < power < 1.0:
        raise ValueError(f"power lies between 0 and 1, not {power}")
    return z_value(2.0 * power - 1.0) if power > 0.5 else -z_value(1.0 - 2.0 * power) if power < 0.5 else 0.0


# ---- clusters: one deal in all rotations -----------------------------------------------------------------


def clusters(values: ArrayLike, cluster: ArrayLike, size: int) -> tuple[Floats, Ints]:
    """(means float64[cluster], their numbers int64[cluster]) of the clusters that are complete.

    values: float64[game]; cluster: int64[game], the number of the luck a game was played on; size: games of a
    whole cluster. Clusters with fewer games (a run that was stopped) are left out, for their rotations
    would not weigh alike.
    """
    x, numbers = np.asarray(values, np.float64), np.asarray(cluster, np.int64)
    known, place, count = np.unique(numbers, return_inverse=True, return_counts=True)
    if np.any(count > size):
        raise ValueError(f"some cluster holds more than {size} games")
    means = np.bincount(place, x, len(known)) / size
    whole = count == size
    return means[whole], known[whole]


@dataclass(frozen=True)
class Clusters:
    """Sums over clusters of rotations; they add up over blocks. n: clusters; total, squares: sums of the
    clusters' means and of their squares, float64[...]; totals, second: sums of single games and of their
    squares by rotation, float64[..., rotation]."""

    n: float
    total: Floats
    squares: Floats
    totals: Floats
    second: Floats

    @classmethod
    def of(cls, values: ArrayLike) -> Clusters:
        """The sums of values float64[..., rotation, cluster]."""
        x = np.asarray(values, np.float64)
        means = x.mean(axis=-2)
        return cls(float(x.shape[-1]), means.sum(-1), (means**2).sum(-1), x.sum(-1), (x**2).sum(-1))

    def __add__(self, other: Clusters) -> Clusters:
        """The sums over the clusters of both."""
        return Clusters(*(x + y for x, y in zip(astuple(self), astuple(other), strict=True)))


class Duplicate(NamedTuple):
    """A mean over duplicate deals; see `duplicate`."""

    value: Floats
    low: Floats
    high: Floats
    error: Floats
    factor: Floats
    n: int


def duplicate(sums: Clusters, level: float = 0.95, step: float = 0.0) -> Duplicate:
    """The mean over clusters of rotations with its interval, and how much narrower the duplication made it.

    `factor`: the variance that the same number of independent games (as many in every rotation) would have
    had, divided by that of the clusters. `step` as in `compare`, for a single game; n: clusters.
    """
    rotations, shape = sums.totals.shape[-1], np.shape(sums.total)
    n, total = np.full(shape, sums.n), np.asarray(sums.total)
    extra, jump = (2.0, step / rotations) if step > 0 else (0.0, 0.0)
    value, centre, error = _centred(n, total, sums.squares, extra, jump)
    nothing = np.full(shape, np.nan)
    if sums.n < 2:
        return Duplicate(value, nothing, nothing, nothing, nothing, int(sums.n))
    half = t_value(level, n + extra - 1.0) * error
    apart = _variance(n[..., None], sums.totals, sums.second).mean(axis=-1) / rotations
    together = _variance(n, total, sums.squares)
    factor = np.divide(apart, together, out=nothing, where=together > 1e-15)
    low, high = np.minimum(centre - half, value), np.maximum(centre + half, value)
    return Duplicate(value, low, high, error, factor, int(sums.n))


def interval(found: Comparison | Duplicate) -> Interval:
    """Value and limits alone."""
    return Interval(found.value, found.low, found.high)
