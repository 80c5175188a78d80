"""Verdicts of balance: "balanced", "unbalanced", or "too few games to tell".

A rate that does not differ significantly is not thereby balanced: few games never differ. Balance is shown by
two one-sided tests (TOST): the deviation from fair is above -tolerance and below +tolerance. Imbalance is
shown by a test of no deviation (or, with `margin`, of a deviation no larger than the margin).

Correction for the number of claims: Bonferroni over the claims, not over the tests. Each claim has two null
hypotheses, "no deviation" and "a deviation of the tolerance or more"; at most one of them can be true, so
that alpha / claims for each test bounds the chance of any false verdict among all claims by alpha. Where both
are refuted the deviation is real but smaller than the tolerance: "balanced".

Sources:
  Schuirmann, D. J. (1987), J. Pharmacokinet. Biopharm. 15, 657-680: two one-sided tests.
  Wellek, S. (2010), Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd ed., chapter 3.
  Agresti, A. (2013), Categorical Data Analysis, 3rd ed., section 1.5: Pearson's test of given shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import z_value

Floats = NDArray[np.float64]

BALANCED, UNBALANCED, TOO_FEW = "balanced", "unbalanced", "too few games to tell"
FEW = 30  # units below which no verdict is given
MOST = 10**12  # units; more are told as infinity


class Verdicts(NamedTuple):
    """One verdict a claim; arrays of the claims' shape.

    verdict: str[claim]; value: the deviation; low, high: its interval at which the difference test decides
    (joint over the claims); p_difference, p_equivalence: uncorrected p-values, to be held against `alpha`,
    which is corrected; needed: about how many units in all a verdict needs (those at hand where there is one,
    inf where no feasible number does).
    """

    verdict: NDArray[np.str_]
    value: Floats
    low: Floats
    high: Floats
    p_difference: Floats
    p_equivalence: Floats
    alpha: float
    needed: Floats


def tost(value: ArrayLike, error: ArrayLike, tolerance: ArrayLike, upper: ArrayLike | None = None) -> Floats:
    """p-value of the two one-sided tests that |true value| < tolerance, float64[broadcast shape].

    `error`: the standard error; where it depends on the true value, that at -tolerance, and `upper` that at
    +tolerance.
    """
    value, below = np.asarray(value, np.float64), _positive(error)
    above = below if upper is None else _positive(upper)
    wide = np.asarray(tolerance, np.float64)
    if np.any(wide <= 0):
        raise ValueError("a tolerance is positive")
    return np.maximum(_tail((value + wide) / below), _tail((wide - value) / above))


def difference(value: ArrayLike, error: ArrayLike, margin: ArrayLike = 0.0) -> Floats:
    """Two-sided p-value against |true value| <= margin, float64[broadcast shape]: the test at its border.

    `error`: the standard error; where it depends on the true value, that at the border on the value's side.
    """
    value, error = np.abs(np.asarray(value, np.float64)), _positive(error)
    border = np.asarray(margin, np.float64)
    return np.minimum(_tail((value - border) / error) + _tail((value + border) / error), 1.0)


def verdicts(value: ArrayLike, error: ArrayLike, n: ArrayLike, tolerance: float, level: float = 0.95,
             claims: int | None = None, margin: float = 0.0, power: float = 0.8,
             error_at: Callable[[ArrayLike], Floats] | None = None) -> Verdicts:  # fmt: skip
    """The verdict of every claim "this deviation is 0" from its estimate and standard error after n units.

    `claims`: how many are made together (those given here unless said). `margin` > 0 asks that an imbalance
    exceed it, not merely that it exist; it may be as large as the tolerance, not larger. Estimates are taken
    to be normal: below FEW units every verdict is "too few games to tell". `error_at`: the standard error if
    the true deviation were x, for score tests (rates near 0 or 1 need them).
    """
    if not 0 <= margin <= tolerance:
        raise ValueError(f"the margin lies between 0 and the tolerance {tolerance}, not at {margin}")
    value, error, n = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (value, error, n)))
    count = max(1, value.size if claims is None else claims)
    alpha = (1.0 - level) / count
    at = error_at or (lambda _: error)
    unequal = difference(value, at(np.sign(value) * margin), margin)
    equal = tost(value, at(-tolerance), tolerance, at(tolerance))
    words = np.where(equal <= alpha, BALANCED, np.where(unequal <= alpha, UNBALANCED, TOO_FEW))
    words = np.where(n < FEW, TOO_FEW, words)
    low, high = (_limit(value, side * z_value(1.0 - alpha), at) for side in (-1.0, 1.0))
    wanted = units_needed(value, error * np.sqrt(n), tolerance, level, count, margin, power)
    needed = np.where(words == TOO_FEW, np.maximum(wanted, n + 1), n)
    return Verdicts(words, value, low, high, unequal, equal, alpha, needed)


def _limit(value: Floats, z: float, at: Callable[[ArrayLike], Floats]) -> Floats:
    """The furthest x on one side whose own standard error still reaches the value: x - value = z at(x)."""
    near, far = value, value + 2.0 * np.sign(z)
    for _ in range(40):
        x = (near + far) / 2.0
        reached = np.abs(x - value) <= abs(z) * at(x)
        near, far = np.where(reached, x, near), np.where(reached, far, x)
    return near


def units_needed(value: ArrayLike, deviation: ArrayLike, tolerance: float, level: float = 0.95,
                 claims: int = 1, margin: float = 0.0, power: float = 0.8) -> Floats:  # fmt: skip
    """About how many units show one or the other if the truth is `value`, with probability `power` each.

    `deviation`: standard deviation of one unit. The smaller of what equivalence and difference need; inf at
    a value where neither can be shown.
    """
    value, deviation = np.abs(np.asarray(value, np.float64)), np.asarray(deviation, np.float64)
    normal, alpha = NormalDist(), (1.0 - level) / max(1, claims)
    # A deviation near 0 must pass both one-sided tests: the power of each is higher than that of the pair.
    both = normal.inv_cdf((1.0 + power) / 2.0)
    inside = np.maximum(tolerance - value, 0.0)
    outside = np.maximum(value - margin, 0.0)
    equal = _squared((normal.inv_cdf(1.0 - alpha) + both) * deviation, inside)
    unequal = _squared((z_value(1.0 - alpha) + normal.inv_cdf(power)) * deviation, outside)
    found = np.ceil(np.minimum(equal, unequal))
    return np.where(found > MOST, math.inf, np.maximum(found, FEW))


def judged(low: ArrayLike, high: ArrayLike, tolerance: float) -> NDArray[np.str_]:
    """The verdict of intervals of deviations, str[shape]: inside the tolerance, clear of 0, or neither.

    For intervals that hold at every look (`sequence`) the verdicts may be asked for at every look, too.
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    inside = (low > -tolerance) & (high < tolerance)
    return np.where(inside, BALANCED, np.where((low > 0) | (high < 0), UNBALANCED, TOO_FEW))


# ---- seats against their fair share ----------------------------------------------------------------------


@dataclass(frozen=True)
class Deviation:
    """Rates less their fair share; float64 arrays of one shape. `error`: standard error of `value`."""

    value: Floats
    n: Floats
    fair: Floats
    won: Floats
    worth: Floats

    def error_at(self, x: ArrayLike) -> Floats:
        """The standard error if the true deviation were x: that of c = fair + x / won within games that
        anybody won, and of how many such games there are."""
        c = np.clip(self.fair + np.asarray(x) / np.maximum(self.won, 1e-12), 0.0, 1.0)
        within = self.won * c * (1.0 - c) / self.worth
        between = self.won * (1.0 - self.won) * (c - self.fair) ** 2
        return np.sqrt((within + between) / np.maximum(self.n, 1.0))

    @property
    def error(self) -> Floats:
        """The standard error as estimated, four fair games added."""
        return self.error_at(self.value * self.n / (self.n + 4.0))

    def verdicts(self, tolerance: float, level: float = 0.95, claims: int | None = None,
                 margin: float = 0.0) -> Verdicts:  # fmt: skip
        """The verdict on each, by score tests: the errors are those under the hypothesis in question."""
        return verdicts(
            self.value, self.error, self.n, tolerance, level, claims, margin, error_at=self.error_at
        )


def deviation(total: ArrayLike, squares: ArrayLike, won: ArrayLike, n: ArrayLike,
              fair: ArrayLike) -> Deviation:  # fmt: skip
    """A seat's win rate less its fair share of the games that anybody won.

    total, squares: sums of the seat's win credits and of their squares; won: games with a winner; n: games;
    fair: seats held / seats. Shared wins vary less than whole ones; how much less is judged with four whole
    wins or losses added, and never by more than the credits show.
    """
    arrays = (total, squares, won, n, fair)
    total, squares, won, n, fair = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in arrays))
    some, games = np.maximum(won, 1.0), np.maximum(n, 1.0)
    c = (total + 4.0 * fair) / (some + 4.0)
    second = (squares + 4.0 * fair) / (some + 4.0)
    whole, real = c * (1.0 - c), np.clip(second - c**2, 0.0, None)
    worth = np.maximum(np.divide(whole, real, out=np.ones_like(whole), where=real > 0), 1.0)
    return Deviation((total - fair * won) / games, n, fair, won / games, worth)


def rate(wins: ArrayLike, n: ArrayLike, fair: ArrayLike, tolerance: float, level: float = 0.95,
         claims: int | None = None, margin: float = 0.0) -> Verdicts:  # fmt: skip
    """Verdicts on rates wins / n of whole wins against a fair share, one claim a rate."""
    return deviation(wins, wins, n, n, fair).verdicts(tolerance, level, claims, margin)


class Evenness(NamedTuple):
    """How far shares lie from given ones, and how far they would by chance alone.

    `rms`: root mean square deviation of the observed shares; `by_chance`: what it is on average when all is
    fair; `clean`: the same with chance taken out (0 if less than chance); `p`: Pearson's test of fairness.
    """

    rms: float
    by_chance: float
    clean: float
    p: float


def evenness(counts: ArrayLike, fair: ArrayLike | None = None) -> Evenness:
    """Are whole wins shared out fairly among seats? counts: float64[seat]; fair: shares (equal unless given).

    An index of imbalance means nothing without its distribution under fairness, so both come together.
    """
    from scipy import stats

    won = np.asarray(counts, np.float64)
    share = np.full(won.shape, 1.0 / won.size) if fair is None else np.asarray(fair, np.float64)
    n = won.sum()
    if n <= 0 or not np.isclose(share.sum(), 1.0):
        raise ValueError("evenness needs some wins, and fair shares that add up to 1")
    square = float(((won / n - share) ** 2).mean())
    chance = float((share * (1.0 - share)).mean() / n)
    p = float(stats.chisquare(won, n * share).pvalue)
    return Evenness(math.sqrt(square), math.sqrt(chance), math.sqrt(max(square - chance, 0.0)), p)


# ---- helpers ---------------------------------------------------------------------------------------------


def _positive(error: ArrayLike) -> Floats:
    return np.maximum(np.asarray(error, np.float64), 1e-300)


def _tail(z: ArrayLike) -> Floats:
    """The normal probability above z."""
    from scipy.special import ndtr

    return np.asarray(ndtr(-np.asarray(z, np.float64)))


def _squared(top: Floats, bottom: Floats) -> Floats:
    return np.divide(top, bottom, out=np.full(np.broadcast(top, bottom).shape, np.inf), where=bottom > 0) ** 2
