"""The luck budget: which share of the outcome's variance is the deal's, the dice's, the seats', the policy's.

The games are played crossed: every deal with every dice, in every seat, by every policy. The outcome then is
a sum of effects, one for each set of factors (deal, dice, deal with dice, ...), whose variances add up to the
variance of the outcome. They are estimated without bias by equating mean squares with their expectations.

A factor is random (deals and dice: the levels played are a sample of infinitely many) or fixed (seats and
policies: all there are). Many small designs, such as 2 deals x 2 dice in a thousand batches, tell more than
one large one, and only batches give intervals.

Sources:
  Cornfield, J., Tukey, J. W. (1956), Ann. Math. Stat. 27, 907-949: expected mean squares of crossed designs
    with samples of finite or infinite populations of levels.
  Searle, S. R., Casella, G., McCulloch, C. E. (1992), Variance Components, chapter 4: the estimators.
  Cochran, W. G. (1977), Sampling Techniques, section 6.4: the interval of a ratio.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats import intervals
from analyzer.stats.intervals import Interval

Floats = NDArray[np.float64]
Part = tuple[str, ...]
REST: Part = ("rest",)  # what varies between repeated games of one cell


@dataclass(frozen=True)
class Budget:
    """Variances by set of factors, and their shares of the whole.

    parts: the sets, single factors first, ("rest",) last if cells were repeated; variance and share:
    float64[part] with limits (NaN with a single batch); total: the variance of one outcome; batches: their
    number. Unbiased estimates may lie below 0: then the variance is too small to see.
    """

    parts: tuple[Part, ...]
    variance: Interval
    share: Interval
    total: Interval
    batches: int
    sums: tuple[Floats, Floats]
    level: float

    def alone(self, factor: str) -> Interval:
        """The share of one factor by itself, whatever the others are."""
        return self._share([part == (factor,) for part in self.parts])

    def involved(self, factor: str) -> Interval:
        """The share of all sets that hold the factor: what would be gone if it were fixed."""
        return self._share([factor in part for part in self.parts])

    def of(self, parts: Collection[Part]) -> Interval:
        """The share of several sets of factors together."""
        return self._share([part in parts for part in self.parts])

    def _share(self, chosen: Sequence[bool]) -> Interval:
        if not any(chosen):
            raise ValueError(
                f"no such factor; there are {', '.join(' x '.join(part) for part in self.parts)}"
            )
        each, total = self.sums
        return _ratio(each[:, np.array(chosen)].sum(axis=1), total, self.level)


def budget(
    values: ArrayLike, factors: Sequence[str], fixed: Collection[str] = (), level: float = 0.95
) -> Budget:
    """The luck budget of outcomes float64[batch, factor 1, factor 2, ...] or [..., repeat].

    factors: the names of the axes after the first, e.g. ("deal", "dice", "seat"); with one axis more than
    names, the last one are repeated games of a cell. fixed: the factors whose levels are all there are. Every
    factor needs two levels or more. Batches must be independent: other deals, other dice.
    """
    y = np.asarray(values, np.float64)
    repeated = y.ndim == len(factors) + 2
    if y.ndim - repeated != len(factors) + 1 or not factors:
        raise ValueError(f"{len(factors)} factors need that many axes after the batches, not {y.ndim - 1}")
    if set(fixed) - set(factors) or len(set(factors)) < len(factors):
        raise ValueError(f"factors have different names, and the fixed ones are among {', '.join(factors)}")
    if min(y.shape[1:]) < 2:
        raise ValueError("every factor (and the repeats) needs two levels or more")
    rest = y.var(axis=-1, ddof=1).mean(axis=tuple(range(1, y.ndim - 1))) if repeated else None
    cells = y.mean(axis=-1) if repeated else y
    found = _components(cells, [name in fixed for name in factors])
    sets = list(found)
    if rest is not None:
        found[sets[-1]] = found[sets[-1]] - rest / y.shape[-1]
    columns = [found[s] * _spread(s, cells.shape[1:], [name in fixed for name in factors]) for s in sets]
    parts = [tuple(factors[axis] for axis in s) for s in sets]
    if rest is not None:
        columns.append(rest)
        parts.append(REST)
    each = np.stack(columns, axis=1)
    total = each.sum(axis=1)
    shares = [_ratio(each[:, i], total, level) for i in range(len(parts))]
    return Budget(
        tuple(parts),
        _mean(each, level),
        Interval(*(np.array([getattr(one, name) for one in shares]) for name in Interval._fields)),
        _mean(total, level),
        len(y),
        (each, total),
        level,
    )


def _components(y: Floats, fixed: Sequence[bool]) -> dict[tuple[int, ...], Floats]:
    """Axes of a set of factors (0-based, without the batches) -> its variance component, float64[batch]."""
    sizes, axes = y.shape[1:], range(y.ndim - 1)
    sets = [s for size in range(1, y.ndim) for s in combinations(axes, size)]
    found: dict[tuple[int, ...], Floats] = {}
    for s in reversed(sets):  # larger sets first: their variance is in the mean squares of the smaller ones
        left = _mean_square(y, s)
        for t, component in found.items():
            if set(s) < set(t) and not any(fixed[axis] for axis in t if axis not in s):
                left = left - component * _product(sizes, t)
        found[s] = left / _product(sizes, s)
    return {s: found[s] for s in sets}


def _mean_square(y: Floats, s: tuple[int, ...]) -> Floats:
    """The mean square of one set of factors, float64[batch]: its effects by inclusion and exclusion."""
    effect = np.zeros_like(y)
    for size in range(len(s) + 1):
        for kept in combinations(s, size):
            away = tuple(axis + 1 for axis in range(y.ndim - 1) if axis not in kept)
            effect = effect + (-1.0) ** (len(s) - size) * y.mean(axis=away, keepdims=True)
    squares = (effect**2).sum(axis=tuple(range(1, y.ndim)))
    freedom = np.prod([y.shape[axis + 1] - 1 for axis in s])
    return np.asarray(squares / freedom)


def _product(sizes: Sequence[int], without: tuple[int, ...]) -> float:
    return float(np.prod([size for axis, size in enumerate(sizes) if axis not in without]))


def _spread(s: tuple[int, ...], sizes: Sequence[int], fixed: Sequence[bool]) -> float:
    """From a component to what it adds to the variance of an outcome: (N - 1) / N for each fixed factor."""
    return float(np.prod([1.0 - 1.0 / sizes[axis] for axis in s if fixed[axis]]))


def _mean(each: Floats, level: float) -> Interval:
    return intervals.mean(len(each), each.sum(axis=0), (each**2).sum(axis=0), level)


def _ratio(top: Floats, bottom: Floats, level: float) -> Interval:
    """sum(top) / sum(bottom) over batches with its interval."""
    squares = ((top**2).sum(), (top * bottom).sum(), (bottom**2).sum())
    return intervals.ratio(len(top), top.sum(), bottom.sum(), *squares, level)
