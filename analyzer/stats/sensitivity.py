"""Which guesses matter: designs over the ranges of assumptions, and what drives an outcome.

A design is a set of points; every point is one setting of all parameters, and one run (or a few games) there
gives one outcome, for example the edge of seat 1. Parameters are handled as u in [0, 1], float64[point,
parameter], so that real numbers, whole numbers and choices are alike.

    latin_hypercube  n points, every parameter evenly spread: for `regression`, `pawn`, `curve` and `findings`
    sobol_design     n (k + 2) points for k parameters: for `sobol`, the shares of variance

Sources:
  McKay, M. D., Beckman, R. J., Conover, W. J. (1979), Technometrics 21, 239-245: Latin hypercubes.
  Saltelli, A. et al. (2010), Comput. Phys. Commun. 181, 259-270: estimators of Sobol' indices.
  Saltelli, A. et al. (2008), Global Sensitivity Analysis: The Primer, section 1.2.5: regression coefficients.
  Pianosi, F., Wagener, T. (2018), Environ. Model. Softw. 108, 197-207: PAWN from one sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats import intervals
from analyzer.stats.intervals import Interval, t_value, z_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Range:
    """A parameter and the values it may have: real numbers from low to high, whole numbers, or choices."""

    name: str
    low: float = 0.0
    high: float = 1.0
    kind: Literal["real", "whole", "choice"] = "real"
    choices: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if self.kind == "choice" and not self.choices:
            raise ValueError(f"{self.name} has no choices")
        if self.kind != "choice" and not self.low <= self.high:
            raise ValueError(f"{self.name}: the range {self.low} to {self.high} must rise")

    def values(self, u: ArrayLike) -> list[Any]:
        """The values at u in [0, 1): all whole numbers or choices are equally likely."""
        x = np.asarray(u, np.float64)
        if self.kind == "real":
            return [float(v) for v in self.low + x * (self.high - self.low)]
        size = len(self.choices) if self.kind == "choice" else int(self.high) - int(self.low) + 1
        steps = np.minimum((x * size).astype(np.int64), size - 1)
        if self.kind == "choice":
            return [self.choices[i] for i in steps]
        return [int(self.low) + int(i) for i in steps]


class Design(NamedTuple):
    """Points float64[point, parameter] in [0, 1], and the settings there: one dictionary a point."""

    names: tuple[str, ...]
    points: Floats
    settings: list[dict[str, Any]]


def latin_hypercube(ranges: Sequence[Range], n: int, seed: int = 1) -> Design:
    """n points; each parameter has one point in each n-th part of its range."""
    from scipy.stats import qmc

    _check(ranges, n)
    rng = np.random.default_rng([seed, 0x1A71])
    return _design(ranges, qmc.LatinHypercube(len(ranges), rng=rng).random(n))


def sobol_design(ranges: Sequence[Range], n: int, seed: int = 1) -> Design:
    """n (k + 2) points for `sobol`: n base points, n others, and for each parameter the base with the other's
    value of it. n is a power of 2."""
    from scipy.stats import qmc

    _check(ranges, n)
    if n & (n - 1):
        raise ValueError(f"n must be a power of 2, such as {1 << max(1, n.bit_length() - 1)}, not {n}")
    k = len(ranges)
    both = qmc.Sobol(2 * k, rng=np.random.default_rng([seed, 0x50B0])).random(n)
    base, other = both[:, :k], both[:, k:]
    mixed = [np.where(np.arange(k) == parameter, other, base) for parameter in range(k)]
    return _design(ranges, np.concatenate([base, other, *mixed]))


def _check(ranges: Sequence[Range], n: int) -> None:
    if not ranges or n < 2:
        raise ValueError("a design needs a parameter and two points or more")
    if len({one.name for one in ranges}) < len(ranges):
        raise ValueError("two parameters of a design have the same name")


def _design(ranges: Sequence[Range], points: Floats) -> Design:
    names = tuple(one.name for one in ranges)
    columns = [one.values(points[:, i]) for i, one in enumerate(ranges)]
    return Design(names, points, [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)])


# ---- shares of variance ----------------------------------------------------------------------------------


class Effects(NamedTuple):
    """Sobol' indices, float64[parameter] with limits: the share of the outcome's variance that a parameter
    makes by itself (first) and with all others (total). variance: of the outcome over the ranges."""

    names: tuple[str, ...]
    first: Interval
    total: Interval
    variance: float


def sobol(design: Design, outcomes: ArrayLike, noise: float = 0.0, level: float = 0.95, draws: int = 500,
          seed: int = 1) -> Effects:  # fmt: skip
    """First-order and total Sobol' indices from the outcomes at a `sobol_design`, float64[point].

    `noise`: the mean square error of an outcome, where every point was played with luck of its own. It is
    taken out: it would add to every total index and to the variance. (Points on the same luck have common
    errors, which cancel; leave it 0 then.) Limits by the bootstrap over base points.
    """
    k, y = len(design.names), np.asarray(outcomes, np.float64)
    n = len(design.points) // (k + 2)
    if y.shape != (n * (k + 2),):
        raise ValueError(f"{n} base points and {k} parameters have {n * (k + 2)} outcomes, not {y.shape}")
    weight = np.random.default_rng([seed, 0xB007]).multinomial(n, np.full(n, 1.0 / n), draws) / n
    whole = np.full((1, n), 1.0 / n)
    parts = (y - y[: 2 * n].mean()).reshape(k + 2, n)
    again = _indices(parts, weight, noise)
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    first, total, spread = _indices(parts, whole, noise)
    limits = [np.quantile(each, tails, axis=0) for each in again[:2]]
    return Effects(
        design.names,
        Interval(first[0], *limits[0]),
        Interval(total[0], *limits[1]),
        float(max(spread[0], 0.0)),
    )


def _indices(parts: Floats, weight: Floats, noise: float) -> tuple[Floats, Floats, Floats]:
    """(first, total, variance) by weights of the base points [draw, n]: [draw, parameter] twice, [draw].

    parts: outcomes float64[k + 2, n] less the mean of the first two rows. Saltelli et al. 2010, table 2, (b)
    and (f). NaN where nothing but noise varies.
    """
    base, other, mixed = parts[0], parts[1], parts[2:]
    mean = weight @ (base + other) / 2.0
    spread = weight @ (base**2 + other**2) / 2.0 - mean**2 - noise
    tiny = 1e-12 * (1.0 + np.abs(parts).max(initial=0.0)) ** 2
    real = np.where(spread > tiny, spread, np.nan)[:, None]
    first = weight @ (other * (mixed - base)).T / real
    total = (weight @ ((base - mixed) ** 2).T / 2.0 - noise) / real
    return first, total, spread


# ---- cheap designs ---------------------------------------------------------------------------------------


class Slopes(NamedTuple):
    """Standardised regression coefficients, float64[parameter] with limits, and the share of the variance
    that a straight line explains: where it is low, the coefficients say little."""

    names: tuple[str, ...]
    coefficient: Interval
    explained: float


def regression(design: Design, outcomes: ArrayLike, level: float = 0.95, ranks: bool = False) -> Slopes:
    """By how many standard deviations the outcome rises per standard deviation of each parameter.

    Least squares on all parameters; `ranks` for outcomes that rise steadily but not straight. Limits are
    Student's. Parameters that never vary have NaN. Choices are taken in their given order.
    """
    from scipy.stats import rankdata

    x, y = design.points, np.asarray(outcomes, np.float64)
    n, k = x.shape
    if y.shape != (n,) or n < k + 2:
        raise ValueError(
            f"a regression on {k} parameters needs at least {k + 2} points and an outcome for each"
        )
    if ranks:
        x, y = rankdata(x, axis=0), rankdata(y)
    varies = x.std(axis=0) > 0
    if y.std() == 0:
        nothing = np.where(varies, 0.0, np.nan)
        return Slopes(design.names, Interval(nothing, nothing, nothing), 0.0)
    z = (x[:, varies] - x[:, varies].mean(axis=0)) / x[:, varies].std(axis=0)
    w = (y - y.mean()) / y.std()
    inverse = np.linalg.pinv(z.T @ z)
    found = inverse @ z.T @ w
    rest = float(((w - z @ found) ** 2).sum())
    freedom = n - int(varies.sum()) - 1
    half = t_value(level, freedom) * np.sqrt(np.diag(inverse) * rest / freedom)
    whole = [np.full(k, np.nan) for _ in range(3)]
    for place, each in zip(whole, (found, found - half, found + half), strict=True):
        place[varies] = each
    return Slopes(design.names, Interval(*whole), 1.0 - rest / n)


@dataclass(frozen=True)
class Pawn:
    """PAWN indices, float64[parameter]: how much the distribution of outcomes changes with a parameter (the
    median over slices of the largest difference of distributions, 0 to 1); `chance`: the value that a
    parameter without any effect exceeds in 5 of 100 cases."""

    names: tuple[str, ...]
    index: Floats
    chance: float


def pawn(design: Design, outcomes: ArrayLike, slices: int = 10, draws: int = 200, seed: int = 1) -> Pawn:
    """How much each parameter matters at all, straight or not, from any design: a filter for the rest.

    Each parameter's range is cut into slices of equal width; `chance` comes from shuffled parameters.
    """
    y = np.asarray(outcomes, np.float64)
    n = len(y)
    if design.points.shape[0] != n or n < 4 * slices:
        raise ValueError(f"{slices} slices need at least {4 * slices} points and an outcome for each")
    order = np.argsort(y, kind="stable")
    ranks = np.searchsorted(y[order], y, side="right") / n
    index = [_pawn(design.points[:, i], ranks, slices) for i in range(design.points.shape[1])]
    rng = np.random.default_rng([seed, 0xDA3])
    even = (np.arange(n) + 0.5) / n
    by_chance = [_pawn(rng.permutation(even), ranks, slices) for _ in range(draws)]
    return Pawn(design.names, np.array(index), float(np.quantile(by_chance, 0.95)))


def _pawn(u: Floats, ranks: Floats, slices: int) -> float:
    """The median over slices of the Kolmogorov-Smirnov distance between outcomes there and all outcomes.

    ranks: the distribution function of all outcomes at each outcome, float64[point].
    """
    place = np.minimum((u * slices).astype(np.int64), slices - 1)
    levels = np.unique(ranks)
    far = []
    for part in range(slices):
        inside = np.sort(ranks[place == part])
        if inside.size:
            far.append(np.abs(np.searchsorted(inside, levels, side="right") / inside.size - levels).max())
    return float(np.median(far))


class Curve(NamedTuple):
    """The mean outcome in each part of a parameter's range; centre, mean (Interval), n: [part]."""

    centre: Floats
    mean: Interval
    n: Ints


def curve(design: Design, outcomes: ArrayLike, name: str, parts: int = 8, level: float = 0.95) -> Curve:
    """The outcome over one parameter's range (u from 0 to 1), whatever the others are; no empty parts."""
    u, y = design.points[:, design.names.index(name)], np.asarray(outcomes, np.float64)
    place = np.minimum((u * parts).astype(np.int64), parts - 1)
    n, total, squares = (np.bincount(place, weight, parts) for weight in (np.ones_like(y), y, y * y))
    some = n > 0
    mean = intervals.mean(n[some], total[some], squares[some], level)
    return Curve((np.arange(parts)[some] + 0.5) / parts, mean, n[some].astype(np.int64))


# ---- what holds everywhere -------------------------------------------------------------------------------


class Finding(NamedTuple):
    """Does the sign of an outcome hold over all points? held, flipped, unclear: how many of `points`; words:
    "holds in all 64", "flips in 3 of 64", "unclear in 5 of 64" ...; where: the points that flip."""

    held: int
    flipped: int
    unclear: int
    points: int
    words: str
    where: Ints


def finding(value: ArrayLike, error: ArrayLike, sign: int, level: float = 0.95) -> Finding:
    """Whether an outcome has this sign (+1 or -1) at every point, from estimates and standard errors [point].

    A point holds or flips only if its interval is clear of 0, corrected for the number of points
    (Bonferroni); all others are unclear.
    """
    if sign not in (-1, 1):
        raise ValueError(f"a sign is +1 or -1, not {sign}")
    value, error = np.broadcast_arrays(np.asarray(value, np.float64), np.asarray(error, np.float64))
    m = value.size
    far = z_value(1.0 - (1.0 - level) / max(1, m)) * error
    held, flipped = value * sign > far, value * sign < -far
    counts = int(held.sum()), int(flipped.sum())
    unclear = m - sum(counts)
    told = [f"flips in {counts[1]} of {m}"] if counts[1] else []
    told += [f"unclear in {unclear} of {m}"] if unclear else []
    words = ", ".join(told) or f"holds in all {m}"
    return Finding(*counts, unclear, m, words, np.flatnonzero(flipped).astype(np.int64))
