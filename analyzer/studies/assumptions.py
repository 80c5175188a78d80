"""Which of my guesses matter? The findings of a game over samples of all its assumptions, on one luck."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.sim import runner
from analyzer.sim.results import Results
from analyzer.stats import intervals, sensitivity
from analyzer.stats.intervals import Interval
from analyzer.stats.sensitivity import Design
from analyzer.studies.guesses import SOBOL, Samples
from analyzer.studies.outcomes import Outcome, common, outcomes
from analyzer.studies.study import Study, meta_of

Floats = NDArray[np.float64]
SPARE = 30  # samples beyond the number of assumptions from which all are judged in one regression


def play(
    samples: Samples,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Assumptions:
    """Play the game as it is and every sample with one crew; only outcomes are held."""
    started = time.perf_counter()
    requests = [samples.base, *samples.requests]
    found: dict[int, list[Outcome]] = {}

    def ready(number: int, results: Results) -> None:
        found[number] = outcomes(results)

    runner.run_all([runner.Ask(one) for one in requests], ready, jobs, progress, meanwhile)
    points = [found[number] for number in range(1, len(requests))]
    return Assumptions(samples, found[0], points, time.perf_counter() - started)


class Verdict(NamedTuple):
    """A finding over all samples. claim: in words, as the game is (or, where that is not clear, as most of
    the clear samples have it); settled: whether it is clear of chance as it is; holds, flips, unclear:
    numbers of samples; words; where: the samples that flip."""

    name: str
    claim: str
    settled: bool
    sign: int
    holds: int
    flips: int
    unclear: int
    words: str
    where: list[int]

    @property
    def turns(self) -> bool:
        """Whether it depends on the guesses: what is clear nowhere cannot be turned round."""
        return self.flips > 0 and (self.settled or self.holds > 0)


class Drivers(NamedTuple):
    """What drives an outcome: the effect of each assumption in standard deviations of the outcome per
    standard deviation of it (for a Sobol design: its total share of the variance), with limits that hold
    together over all assumptions.

    apart: each is judged by itself, for want of samples; low_end, high_end: mean outcome in the lowest and
    the highest part of its range.
    """

    effect: Interval
    clear: NDArray[np.bool_]
    low_end: Floats
    high_end: Floats
    apart: bool
    explained: float

    @property
    def order(self) -> list[int]:
        """The assumptions, the strongest first."""
        size = np.abs(np.nan_to_num(self.effect.value))
        return [int(i) for i in np.argsort(-size, kind="stable")]


@dataclass(frozen=True)
class Assumptions:
    """A study of assumptions that was played. base, points: outcomes as the game is, and of the samples."""

    samples: Samples
    base: list[Outcome]
    points: list[list[Outcome]]
    seconds: float

    @property
    def design(self) -> Design:
        """The points, in [0, 1] by assumption, and their settings."""
        return self.samples.design

    @cached_property
    def names(self) -> list[str]:
        """The outcomes that all samples have."""
        return common([self.base, *self.points])

    def at_base(self, name: str) -> Outcome:
        """An outcome of the game as it is."""
        return next(one for one in self.base if one.name == name)

    def of(self, name: str) -> list[Outcome]:
        """An outcome of every sample."""
        return [next(one for one in there if one.name == name) for there in self.points]

    def values(self, name: str) -> Floats:
        """An outcome of every sample, float64[sample]."""
        return np.array([one.value for one in self.of(name)])

    def errors(self, name: str) -> Floats:
        """Its standard errors; infinite where they are not known."""
        found = np.array([one.error for one in self.of(name)])
        return np.where(np.isfinite(found), found, math.inf)

    @cached_property
    def claims(self) -> list[str]:
        """The outcomes whose sign is a finding."""
        return [name for name in self.names if self.at_base(name).claim]

    @cached_property
    def driven(self) -> list[str]:
        """The outcomes that vary over the samples: first those with a sign, then those with an interval."""
        varying = [name for name in self.names if self.values(name).std() > 1e-12]
        return sorted(varying, key=lambda name: (name not in self.claims, not self._limited(name)))

    def _limited(self, name: str) -> bool:
        return all(math.isfinite(one.low) for one in self.of(name))

    # ---- does it hold? ---------------------------------------------------------------------------------

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """Every finding with a sign; where several seats or policies meet, who wins the most, too."""
        return [self._verdict(name) for name in self.claims] + self._leaders()

    def _verdict(self, name: str) -> Verdict:
        base = self.at_base(name)
        settled = base.low > 0 or base.high < 0
        values, errors = self.values(name), self.errors(name)
        sign = 1 if base.value >= 0 else -1
        if not settled:
            up = sensitivity.finding(values, errors, 1)
            if up.held != up.flipped:  # else as the game is, however unclear: the chart shows it so
                sign = 1 if up.held > up.flipped else -1
        claim = base.claim if sign > 0 else base.against
        return self._judged(name, claim, settled, sign, values, errors)

    def _judged(
        self, name: str, claim: str, settled: bool, sign: int, values: Floats, errors: Floats
    ) -> Verdict:
        found = sensitivity.finding(values, errors, sign)
        if found.held == 0 and found.flipped == 0:
            told = f"unclear in all {found.points}"
        elif not settled and found.held < found.points:
            sides = [(found.held, "clear"), (found.flipped, "clear the other way")]
            told = "not clear as it is; " + ", ".join(f"{how} in {many}" for many, how in sides if many)
            told += f" of {found.points} samples"
        else:
            told = found.words if found.held == found.points else f"holds in {found.held}, {found.words}"
        where = [int(i) for i in found.where]
        return Verdict(name, claim, settled, sign, found.held, found.flipped, found.unclear, told, where)

    def _leaders(self) -> list[Verdict]:
        """Who wins the most of its fair share, among three or more: ahead of everybody else?"""
        edges = [name for name in self.claims if name.endswith(": edge")]
        seats = min(len(edges), self.samples.base.players if self.samples.base.players > 2 else 1)
        found = []
        for group in (edges[:seats], edges[seats:]):
            if len(group) < 3:
                continue
            base = np.array([self.at_base(name).value for name in group])
            top = int(base.argmax())
            values = np.array([self.values(name) for name in group])
            errors = np.array([self.errors(name) for name in group])
            rest = [i for i in range(len(group)) if i != top]
            second = np.array(rest)[values[rest].argmax(axis=0)]
            at = np.arange(values.shape[1])
            ahead = values[top] - values[second, at]
            spread = lead_error(errors[top], errors[second, at], len(group))
            runner_up = rest[int(base[rest].argmax())]
            own = [self.at_base(group[i]) for i in (top, runner_up)]
            lead = own[0].value - own[1].value
            settled = lead > 1.96 * float(lead_error(own[0].error, own[1].error, len(group)))
            who = group[top].removesuffix(": edge")
            found.append(
                self._judged(f"{who}: lead", f"{who} wins the most", bool(settled), 1, ahead, spread)
            )
        return found

    # ---- what drives it? -------------------------------------------------------------------------------

    def drivers(self, name: str) -> Drivers:
        """What drives one outcome; computed once."""
        if name not in self._drivers:
            self._drivers[name] = self._sobol(name) if self.samples.kind == SOBOL else self._slopes(name)
        return self._drivers[name]

    @cached_property
    def _drivers(self) -> dict[str, Drivers]:
        return {}

    @property
    def level(self) -> float:
        """At which each interval holds so that all of one outcome hold together with 95 %."""
        return intervals.joint_level(0.95, len(self.design.names))

    def _slopes(self, name: str) -> Drivers:
        y, design = self.values(name), self.design
        apart = len(y) < len(design.names) + 2 + SPARE
        if not apart:
            whole = sensitivity.regression(design, y, self.level)
            effect, explained = whole.coefficient, whole.explained
        else:
            singles = [
                sensitivity.regression(Design((key,), design.points[:, [i]], []), y, self.level).coefficient
                for i, key in enumerate(design.names)
            ]
            parts = (np.array([getattr(one, part)[0] for one in singles]) for part in Interval._fields)
            effect, explained = Interval(*parts), math.nan
        clear = ((effect.low > 0) | (effect.high < 0)) & (np.abs(effect.value) > self._by_chance(name))
        return Drivers(effect, clear, *self._ends(y), apart, explained)

    def _sobol(self, name: str) -> Drivers:
        y = self.values(name)
        found = sensitivity.sobol(self.design, y, level=self.level)
        effect = Interval(*(np.nan_to_num(part) for part in found.total))
        # Luck may make its share of the variance through any assumption that changes which games are played.
        noise = self.noise(name)
        clear = effect.low > (noise if math.isfinite(noise) else 0.0)
        return Drivers(effect, clear, *self._ends(y), False, math.nan)

    def _by_chance(self, name: str) -> Floats:
        """The effect that the luck of a finite number of games may make alone, float64[assumption].

        On one luck, samples that an assumption leaves alike are the same games and agree, so that the rest of
        a regression says nothing of luck. Samples of one value share their luck here: with two values only,
        one at each end, the effect has the error of two runs, however many samples there are. Where the
        samples vary no more than luck alone may make them vary, nothing is clear.
        """
        noise, y = self.noise(name), self.values(name)
        if not math.isfinite(noise):
            return np.zeros(len(self.design.names))
        from scipy.stats import chi2

        n = len(y)
        if noise >= (n - 1) / float(chi2.ppf(0.95, n - 1)):
            return np.full(len(self.design.names), math.inf)
        u = self.design.points
        spread = u.std(axis=0)
        z = (u - u.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        _, group = np.unique(np.round(y, 12), return_inverse=True)
        together = np.zeros((int(group.max()) + 1, z.shape[1]))
        np.add.at(together, group.ravel(), z)
        error = np.sqrt(noise * (together**2).sum(axis=0)) / n
        return np.asarray(intervals.z_value(self.level) * error)

    def _ends(self, y: Floats) -> tuple[Floats, Floats]:
        """Mean outcome in the lowest and the highest third of every range (of the first and last choice)."""
        low, high = [], []
        for one in self.samples.ranges:
            parts = len(one.choices) if one.kind == "choice" else 3
            found = sensitivity.curve(self.design, y, one.name, max(2, parts))
            low.append(float(found.mean.value[0]))
            high.append(float(found.mean.value[-1]))
        return np.array(low), np.array(high)

    def noise(self, name: str) -> float:
        """Which share of an outcome's variance over the samples the finite number of games makes, at most."""
        errors = self.errors(name)
        spread = float(self.values(name).var(ddof=1))
        if not np.isfinite(errors).all() or spread <= 0:
            return math.nan
        return min(1.0, float((errors**2).mean()) / spread)

    @property
    def seen(self) -> float:
        """The share of an outcome's variance that an assumption must make to be seen at all."""
        n, k = len(self.points), len(self.design.names)
        free = n - 2 if n < k + 2 + SPARE else n - k - 1
        t = float(intervals.t_value(self.level, free))
        return t * t / (t * t + free)

    # ---- the study -------------------------------------------------------------------------------------

    def study(self, command: str = "") -> Study:
        """Tables, charts and findings."""
        from analyzer.studies import assumptions_report as told

        one = self.samples
        asked: dict[str, Any] = {"kind": one.kind, "assumptions": list(self.design.names)}
        meta = meta_of("assumptions", [one.base, *one.requests], command, **asked)
        meta["wall_seconds"] = round(self.seconds, 3)
        return Study(
            "assumptions",
            meta,
            told.tables(self),
            told.charts(self),
            told.words(self),
            facts=[f"{len(one.requests)} samples of {len(one.ranges)} assumptions"],
            shown=["findings", "ranges", "drivers_shown"],
        )


def lead_error(a: Floats | float, b: Floats | float, many: int) -> Floats:
    """The standard error of the difference of two of `many` shares of the same wins: what one wins the others
    do not, so that their errors go against each other (correlation -1 / (many - 1))."""
    x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return np.sqrt(x * x + y * y + 2 * x * y / max(many - 1, 1))
