"""Sequential tests of a mean difference between two bounds: stop as soon as one of them is refuted.

Wald's sequential probability ratio test (SPRT) of "the mean is d0" against "the mean is d1", generalised to
values of any distribution, as chess engines are tested: the log likelihood ratio (LLR) is that of the
likeliest distributions with these means. At or above `upper` the test accepts d1, at or below `lower` d0; it
is wrong with a probability of at most about alpha if d0 is true, and beta if d1 is. It may look after every
unit or every block: looking less often makes no more errors.

A unit is a paired difference of one game (compare) or the mean of a cluster of rotations. Its values need not
be normal. Two forms, equal for many units:

    llr_normal  from the sums n, total, squares that every comparison keeps; any values
    llr_counts  from counts of each value, exact: empirical likelihood with the mean held at d0 and at d1

Sources:
  Wald, A. (1945), Ann. Math. Stat. 16, 117-186: bounds, error rates and expected numbers.
  Van den Bergh, M. (2019), "A practical introduction to the GSPRT": the likeliest distribution with a given
    mean (proposition 1.1), as used by fishtest and fastchess.
  Owen, A. B. (1988), Biometrika 75, 237-249: empirical likelihood of a mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Decision = Literal["d0", "d1", "go on"]
EMPTY = 1e-3  # the count of a value that was not seen, as fishtest has it: no value is impossible


@dataclass(frozen=True)
class Test:
    """Is the mean d1 rather than d0? alpha: error if d0 is true; beta: error if d1 is true.

    Bounds are in the unit of the values: for win rates 0.01 is one point in a hundred.
    """

    __test__ = False  # it is no test of pytest

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.d0 == self.d1:
            raise ValueError(f"the two bounds must differ, not both be {self.d0}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError(
                f"alpha and beta are positive and add up to less than 1, not {self.alpha}, {self.beta}"
            )

    @property
    def lower(self) -> float:
        """At or below this LLR d0 is accepted (Wald 1945)."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this LLR d1 is accepted (Wald 1945)."""
        return math.log((1.0 - self.beta) / self.alpha)

    def decide(self, llr: float) -> Decision:
        """What one LLR says."""
        return "d1" if llr >= self.upper else "d0" if llr <= self.lower else "go on"

    # ---- what to expect ------------------------------------------------------------------------------

    def chance_of_d1(self, mean: float) -> float:
        """The probability that d1 is accepted if the true mean is this (Wald 1945)."""
        h = self._tilt(mean)
        if abs(h) < 1e-9:
            return -self.lower / (self.upper - self.lower)
        low, high = math.exp(-h * self.lower), math.exp(-h * self.upper)
        return (1.0 - low) / (high - low)

    def units_needed(self, mean: float, deviation: float) -> float:
        """The average number of units until a decision if the true mean is this (Wald 1945).

        `deviation` is the standard deviation of one unit.
        """
        if deviation <= 0:
            raise ValueError(f"a standard deviation is positive, not {deviation}")
        step = ((self.d1 - self.d0) / deviation) ** 2
        h, p = self._tilt(mean), self.chance_of_d1(mean)
        if abs(h) < 1e-9:
            return -self.lower * self.upper / step
        return (p * self.upper + (1 - p) * self.lower) / (h * step / 2.0)

    def _tilt(self, mean: float) -> float:
        """The drift of the LLR in halves of its variance: -1 at d0, 1 at d1."""
        return (2.0 * mean - self.d0 - self.d1) / (self.d1 - self.d0)


# ---- log likelihood ratios -------------------------------------------------------------------------------


def llr_normal(test: Test, n: ArrayLike, total: ArrayLike, squares: ArrayLike, step: float = 0.0) -> Floats:
    """LLR of d1 against d0 from sums, float64[broadcast shape]: (d1 - d0)(2 mean - d0 - d1) n / (2 variance).

    `step` > 0, for values that jump (1 for whole wins and their differences, 1/k for the mean of a cluster of
    k games): two units that lie +-step off are added to the variance, so that equal games do not pass for
    certainty. 0 while nothing varies.
    """
    n, total, squares = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
    safe = np.maximum(n, 1.0)
    mean = total / safe
    spread = np.maximum(squares - total * mean, 0.0) + (2.0 * step**2 if step > 0 else 0.0)
    variance = spread / (safe + (2.0 if step > 0 else 0.0))
    top = (test.d1 - test.d0) * (2.0 * mean - test.d0 - test.d1) * n / 2.0
    return np.divide(top, variance, out=np.zeros(n.shape), where=(variance > 1e-15) & (n > 0))


def llr_counts(test: Test, values: ArrayLike, counts: ArrayLike) -> float:
    """LLR of d1 against d0 from how often each value came: values and counts float64[value].

    The ratio of the empirical likelihoods with mean d1 and mean d0. Both bounds must lie between the smallest
    and the largest value. Values that were not seen count EMPTY.
    """
    x, count = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if x.shape != count.shape or x.ndim != 1 or np.any(count < 0):
        raise ValueError("llr_counts wants one count of 0 or more a value")
    if not x.min() < min(test.d0, test.d1) <= max(test.d0, test.d1) < x.max():
        raise ValueError(f"the bounds {test.d0} and {test.d1} must lie between {x.min():g} and {x.max():g}")
    count = np.where(count > 0, count, EMPTY)
    share = count / count.sum()
    ratio = _likeliest(x - test.d1, share) / _likeliest(x - test.d0, share)
    return float((count * np.log(ratio)).sum())


def _likeliest(off: Floats, share: Floats) -> Floats:
    """The likeliest probabilities with mean offset 0: share / (1 + theta off), where theta solves
    sum(share off / (1 + theta off)) = 0. One root lies between the poles, -1 / off.max and -1 / off.min."""
    from scipy.optimize import brentq

    low, high = -1.0 / off.max(), -1.0 / off.min()
    edge = 1e-12 * (high - low)
    theta = brentq(
        lambda t: float((share * off / (1.0 + t * off)).sum()), low + edge, high - edge, xtol=1e-14
    )
    found: Floats = share / (1.0 + theta * off)
    return found


# ---- over the looks of a run -----------------------------------------------------------------------------


class Course(NamedTuple):
    """A test over its looks; see `course`. stop: the deciding look or -1; decision: what it says there."""

    llr: Floats
    stop: NDArray[np.int64]
    decision: NDArray[np.str_]


def course(test: Test, n: ArrayLike, total: ArrayLike, squares: ArrayLike, step: float = 0.0) -> Course:
    """The test at every look of one or many runs, from cumulative sums with the looks on the LAST axis.

    llr float64[..., look]; stop int64[...]: the first look at which the test decides, -1 if none does;
    decision str[...]: "d0", "d1" or "go on".
    """
    llr = llr_normal(test, n, total, squares, step)
    over = (llr >= test.upper) | (llr <= test.lower)
    first = over.argmax(axis=-1)
    stop = np.where(over.any(axis=-1), first, -1)
    last = np.take_along_axis(llr, first[..., None], axis=-1)[..., 0]
    decision = np.where(stop < 0, "go on", np.where(last >= test.upper, "d1", "d0"))
    return Course(llr, stop.astype(np.int64), decision)


def win_rate_of_elo(elo: ArrayLike) -> Floats:
    """The expected score of the stronger of two, 1 / (1 + 10^(-elo / 400)); 0.5 at 0."""
    return np.asarray(1.0 / (1.0 + 10.0 ** (-np.asarray(elo, np.float64) / 400.0)))
