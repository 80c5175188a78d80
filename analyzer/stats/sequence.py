"""Confidence sequences: intervals of a mean that hold at every look, however often one looks.

An interval of `intervals` holds for a number of games fixed in advance. Who looks after every block and stops
when the result pleases is wrong far more often than 1 - level. The intervals here enclose the truth at all
looks together with probability `level`, so that a run may stop at any of them for any reason. A look that was
made stays one: whoever goes on with a run repeats the looks of its blocks in order.

All take sums that add up over blocks: how many units there are (`n`), their `total` and the sum of their
`squares`. A unit is one game, or one cluster of games that share their luck, whose value is then the mean of
the cluster. Arrays broadcast; results are float64 of that shape. `plan` is the number of units at which the
interval shall be narrowest; it must be chosen before the first game is seen (see `units_needed`), costs
little when it is wrong by a factor of ten, and never touches the validity.

    exact       values in [lowest, highest], from n and total; supposes the largest variance the mean allows
    bernstein   the same, but learns the variance: needs the sums of all looks so far
    asymptotic  values without bounds, from n, total and squares; only after a few hundred units

`Watch` puts them to work: look after every block, stop when the intervals are narrow enough.

Sources:
  Howard, S., Ramdas, A., McAuliffe, J., Sekhon, J. (2021), Ann. Stat. 49, 1055-1080 ("HRMS"): uniform
    boundaries; propositions 5 (normal), 7 (beta-binomial) and 9 (gamma-exponential mixture), theorem 4
    (empirical Bernstein).
  Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E., Ramdas, A. (2024), Ann. Stat. 52, 2613-2640
    ("WASKR"): asymptotic confidence sequences and the choice of their parameter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import Interval

Floats = NDArray[np.float64]
STEPS = 45  # halvings of a bisection: as fine as the rounding of the sums
PLAN = 10_000


def tuning(plan: float, level: float = 0.95) -> float:
    """rho^2 of a normal mixture that is narrowest after `plan` units of variance 1 (WASKR, appendix B)."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    if plan <= 0:
        raise ValueError(f"the planned number of units must be positive, not {plan}")
    rare = -2.0 * math.log(1.0 - level)
    return (rare + math.log(rare + 1.0)) / plan


def width_factor(level: float = 0.95, late: float = 1.0) -> float:
    """Half width of a confidence sequence in standard errors, after `late` times the planned units.

    3.04 for 0.95 at the planned number: what it costs to look at any time, beside 1.96 for one look.
    """
    u = tuning(1.0, level) * late
    return math.sqrt(2.0 * (1.0 + 1.0 / u) * math.log(math.sqrt(1.0 + u) / (1.0 - level)))


def half_width(n: ArrayLike, deviation: ArrayLike, level: float = 0.95, plan: float = PLAN) -> Floats:
    """The half width to expect after n units of this standard deviation, float64[shape of n]."""
    n = np.asarray(n, np.float64)
    u = n * tuning(plan, level)
    return np.asarray(deviation) * np.sqrt(2 * (1 + 1 / u) * np.log(np.sqrt(1 + u) / (1 - level)) / n)


def units_needed(half: float, deviation: float, level: float = 0.95) -> int:
    """About how many units give this half width; the natural `plan` of a run that shall reach it.

    `deviation` is the standard deviation of one unit, for whole wins sqrt(p (1 - p)), 1/2 at most.
    """
    if half <= 0:
        raise ValueError(f"a half width is positive, not {half}")
    return max(1, math.ceil((width_factor(level) * deviation / half) ** 2))


# ---- means without bounds --------------------------------------------------------------------------------


def asymptotic(n: ArrayLike, total: ArrayLike, squares: ArrayLike, level: float = 0.95,
               plan: float = PLAN) -> Interval:  # fmt: skip
    """The asymptotic confidence sequence of a mean (WASKR, theorem 2.2), for any values of finite variance.

    It holds in the limit of late first looks: not below some hundred units, and with rare events not before
    some dozens of them were seen. Limits are NaN for fewer than two units.
    """
    n, total, squares = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
    safe = np.maximum(n, 1.0)
    value = np.where(n > 0, total / safe, np.nan)
    variance = np.maximum(squares - total**2 / safe, 0.0) / np.maximum(n - 1.0, 1.0)
    half = np.where(n > 1, half_width(safe, np.sqrt(variance), level, plan), np.nan)
    return Interval(value, value - half, value + half)


# ---- means of values between bounds ----------------------------------------------------------------------


def evidence(mean: ArrayLike, n: ArrayLike, total: ArrayLike, level: float = 0.95,
             plan: float = PLAN) -> Floats:  # fmt: skip
    """log e-value against `mean` being the true mean of values in [0, 1], float64[broadcast shape].

    The e-process is the beta-binomial mixture around the mean in question (HRMS, proposition 7): its expected
    value is at most 1 at any time one may stop, also for values between 0 and 1, because the likelihood
    ratio of a coin is convex in the value. So exp(-largest evidence so far) is a p-value at every look.
    0 < mean < 1.
    """
    from scipy.special import betaln

    m, n, total = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (mean, n, total)))
    # The variance of the beta distribution is m (1 - m) rho^2.
    size = max(1.0 / tuning(plan, level) - 1.0, 1.0)
    a, b, lost = size * m, size * (1.0 - m), n - total
    found: Floats = betaln(a + total, b + lost) - betaln(a, b) - total * np.log(m) - lost * np.log1p(-m)
    return found


def exact(n: ArrayLike, total: ArrayLike, level: float = 0.95, plan: float = PLAN,
          bounds: tuple[float, float] = (0.0, 1.0)) -> Interval:  # fmt: skip
    """The confidence sequence of the mean of values within `bounds`: all means without `evidence` against.

    It holds at every look from the first unit on, for whole and shared wins and for means of clusters. Whole
    wins make it as narrow as `asymptotic`; where values vary less it is wider than needed (`bernstein`).
    """
    n, total = np.broadcast_arrays(np.asarray(n, np.float64), np.asarray(total, np.float64))
    n, total, _ = _scaled(n, total, total, bounds)
    value = np.divide(total, n, out=np.full(n.shape, 0.5), where=n > 0)
    limit = -math.log(1.0 - level)

    def kept(m: Floats) -> NDArray[np.bool_]:
        return evidence(m, n, total, level, plan) < limit

    tiny = np.full(n.shape, 1e-12)
    middle = np.clip(value, tiny, 1 - tiny)
    low, high = _border(kept, middle, tiny), _border(kept, middle, 1 - tiny)
    low, high = np.where(low <= 1e-12, 0.0, low), np.where(high >= 1 - 1e-12, 1.0, high)
    return _unscaled(value, np.minimum(low, value), np.maximum(high, value), bounds)


def evidence_bernstein(mean: ArrayLike, n: ArrayLike, total: ArrayLike, squares: ArrayLike,
                       level: float = 0.95, plan: float = PLAN, bounds: tuple[float, float] = (0.0, 1.0),
                       guess: float | None = None, deviation: float | None = None) -> Floats:  # fmt: skip
    """log e-value against `mean` behind `bernstein` at each look, float64[..., look]; arguments as there.

    exp(-the largest so far) is a p-value at every look: of "no difference" for paired differences, mean 0.
    """
    sums = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
    learner = _Learner(level, plan, bounds, guess, deviation)
    units, moved, spent = learner.learn(*sums)
    m = (np.asarray(mean, np.float64) - bounds[0]) / (bounds[1] - bounds[0])
    return _gamma_evidence(np.abs(moved - units * m), spent, learner.rho) - math.log(2.0)


def bernstein(n: ArrayLike, total: ArrayLike, squares: ArrayLike, level: float = 0.95, plan: float = PLAN,
              bounds: tuple[float, float] = (0.0, 1.0), guess: float | None = None,
              deviation: float | None = None) -> Interval:  # fmt: skip
    """The empirical Bernstein confidence sequence of the mean of values within `bounds`.

    The sums are cumulative with the looks on the LAST axis, all looks from the first on; limits come for each
    look. It holds from the first unit on and learns the variance, so that shared wins, clusters of rotations
    and paired differences (bounds -1 and 1) earn the narrow interval they deserve. `guess` (half way between
    the bounds unless given) stands for the mean until the first look, `deviation` for the standard deviation
    of a unit when the plan was made (that of a coin with mean `guess` unless given); bad ones only widen.
    (HRMS, theorem 4, with the mean up to the last look as prediction, and proposition 9.)
    """
    n, total, squares = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
    return _Learner(level, plan, bounds, guess, deviation).limits(n, total, squares)


@dataclass
class _Learner:
    """What `bernstein` knows after each look; looks may come one by one."""

    level: float
    plan: float
    bounds: tuple[float, float]
    guess: float | None
    deviation: float | None
    last: tuple[Floats, Floats, Floats] | None = None
    spent: Floats | float = 0.0

    def __post_init__(self) -> None:
        low, high = self.bounds
        self.start = 0.5 if self.guess is None else (self.guess - low) / (high - low)
        coin = math.sqrt(max(self.start * (1.0 - self.start), 0.0))
        spread = coin if self.deviation is None else self.deviation / (high - low)
        if not 0 < self.start < 1 or not spread > 0:
            told = f"not {self.guess} and {self.deviation}"
            raise ValueError(f"guess lies between the bounds, deviation above 0; {told}")
        self.rho = max(1.0 / tuning(max(self.plan, 1.0) * spread**2, self.level), 1e-3)

    def limits(self, n: Floats, total: Floats, squares: Floats) -> Interval:
        """The limits at the next looks, on the last axis; cumulative sums."""
        n, total, spent = self.learn(n, total, squares)
        value = np.where(n > 0, total / np.maximum(n, 1.0), 0.5)
        half = np.where(n > 0, _gamma_bound(spent, self.rho, self.level) / np.maximum(n, 1.0), 1.0)
        return _unscaled(value, np.maximum(value - half, 0.0), np.minimum(value + half, 1.0), self.bounds)

    def learn(self, n: Floats, total: Floats, squares: Floats) -> tuple[Floats, Floats, Floats]:
        """(n, total moved to [0, 1], the sum of (value - prediction)^2 up to each look), float64[..., look].

        The prediction of all units of a look is the mean up to the look before, `start` counting as one unit.
        """
        n, total, squares = _scaled(n, total, squares, self.bounds)
        old = self.last or tuple(np.zeros_like(n[..., :1]) for _ in range(3))
        pairs = zip((n, total, squares), old, strict=True)
        seen, gained, gained2 = (np.diff(now, axis=-1, prepend=then) for now, then in pairs)
        told = np.clip((total - gained + self.start) / (n - seen + 1.0), 0.0, 1.0)
        step = np.maximum(gained2 - 2 * told * gained + seen * told**2, 0.0)
        spent: Floats = self.spent + np.cumsum(step, axis=-1)
        self.last = (n[..., -1:], total[..., -1:], squares[..., -1:])
        self.spent = spent[..., -1:]
        return n, total, spent


def _gamma_evidence(apart: Floats, spent: Floats, rho: float) -> Floats:
    """log e-value when total exceeds n * mean by `apart` at intrinsic time `spent` (HRMS, proposition 9)."""
    from scipy.special import gammainc, gammaln

    size, point = spent + rho, apart + spent + rho
    start = rho * math.log(rho) - gammaln(rho) - np.log(gammainc(rho, rho))
    now = gammaln(size) + np.log(gammainc(size, point)) - size * np.log(point)
    return np.asarray(start + now + apart + spent)


def _gamma_bound(spent: Floats, rho: float, level: float) -> Floats:
    """How far total and n * mean may part, either way, at intrinsic time `spent`."""
    limit = math.log(2.0 / (1.0 - level))

    def kept(apart: Floats) -> NDArray[np.bool_]:
        return _gamma_evidence(apart, spent, rho) < limit

    far = np.sqrt(spent + 1.0)
    while kept(far).any():
        far = np.where(kept(far), far * 2.0, far)
    return _border(kept, np.zeros_like(far), far)


# ---- stopping at a precision -----------------------------------------------------------------------------


@dataclass
class Watch:
    """Several means watched over the blocks of a run until the widest interval has the half width `half`.

    `deviation` is the expected standard deviation of one unit (1/2, a coin's, is the most there is between 0
    and 1); it only sets the plan. `guess` stands for the means until the first look, best the fair share: a
    large first block is judged by it. `whole`: units are single games won or lost (`exact`); else clusters,
    shared wins or differences (`bernstein`). With `together`, all means hold at once (Bonferroni).

        watch = Watch(half=0.005)
        while not watch.reached and more_games: watch.look(n, total, squares)    # cumulative sums
    """

    half: float
    level: float = 0.95
    deviation: float = 0.5
    guess: float | None = None
    bounds: tuple[float, float] = (0.0, 1.0)
    whole: bool = False
    together: bool = False
    n: float = field(default=0.0, init=False)
    found: Interval | None = field(default=None, init=False, repr=False)
    _learner: _Learner | None = field(default=None, init=False, repr=False)

    def look(self, n: ArrayLike, total: ArrayLike, squares: ArrayLike) -> Interval:
        """The intervals after the games so far, from cumulative sums, each float64[mean] (n or a number)."""
        n, total, squares = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (n, total, squares)))
        if np.max(n) < self.n:
            raise ValueError("the sums of a later look must include those of the earlier ones")
        self.n = float(np.max(n))
        level = 1.0 - (1.0 - self.level) / (max(total.size, 1) if self.together else 1)
        plan = units_needed(self.half, self.deviation, level)
        if self.whole:
            self.found = exact(n, total, level, plan, self.bounds)
            return self.found
        if self._learner is None:
            self._learner = _Learner(level, plan, self.bounds, self.guess, self.deviation)
        each = self._learner.limits(n[..., None], total[..., None], squares[..., None])
        self.found = Interval(*(x[..., 0] for x in each))
        return self.found

    @property
    def width(self) -> float:
        """Half the width of the widest interval; infinite before the first look."""
        if self.found is None:
            return math.inf
        return float(np.max(self.found.high - self.found.low)) / 2.0

    @property
    def reached(self) -> bool:
        """Whether the widest interval is narrow enough."""
        return self.width <= self.half

    @property
    def needed(self) -> int:
        """About how many units will have been needed in all, judged by what was seen so far."""
        if self.found is None:
            return units_needed(self.half, self.deviation, self.level)
        return max(1, math.ceil(self.n * (self.width / self.half) ** 2))


# ---- helpers ---------------------------------------------------------------------------------------------


def _border(kept: Callable[[Floats], NDArray[np.bool_]], inside: Floats, outside: Floats) -> Floats:
    """Where `kept` ends between a point inside and one further out, by bisection: the first point outside."""
    near, far = inside.copy(), outside.copy()
    near = np.where(kept(far), far, near)
    for _ in range(STEPS):
        middle = (near + far) / 2.0
        good = kept(middle)
        near, far = np.where(good, middle, near), np.where(good, far, middle)
    return np.asarray(far)


def _scaled(n: Floats, total: Floats, squares: Floats,
            bounds: tuple[float, float]) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """The sums of values moved from `bounds` to [0, 1]; ValueError if some value cannot have lain there."""
    low, high = bounds
    if not low < high:
        raise ValueError(f"bounds must rise, not {bounds}")
    total, squares = total - n * low, squares - 2 * low * total + n * low**2
    total, squares = total / (high - low), squares / (high - low) ** 2
    if np.any(total < -1e-9 * (n + 1)) or np.any(total > n + 1e-9 * (n + 1)):
        raise ValueError(f"some mean lies outside the bounds {bounds}")
    return n, np.clip(total, 0.0, n), squares


def _unscaled(value: Floats, low: Floats, high: Floats, bounds: tuple[float, float]) -> Interval:
    width = bounds[1] - bounds[0]
    return Interval(*(bounds[0] + width * x for x in (value, low, high)))
