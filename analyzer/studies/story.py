"""The story of a game: when it is decided, how often the lead changes, who comes back, who can do nothing.

All from the score of every seat at the end of every round, which a game declares (`games.declared.Course`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.errors import UserError, argument
from analyzer.report.draw import percent
from analyzer.report.parts import titled
from analyzer.report.wins import listed
from analyzer.sim import runner
from analyzer.sim.watch import CourseWatch, watched
from analyzer.stats import contest, intervals, pacing
from analyzer.studies import games, story_charts, story_words
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    from analyzer.games.declared import Course
    from analyzer.sim.request import Request
    from analyzer.sim.results import Results
    from analyzer.stats.intervals import Interval

Floats = NDArray[np.float64]
DEFAULT_N = 20_000
LEAST, MOST = 20, 50_000  # games: the score of every round is held in memory
EARLY, HALF = 1 / 3, 0.5  # shares of a game at which leaders and losers are looked at
BINS = 10  # of deficits
FOLDS, MANY = (10, 3), 4000  # parts of the games, each judged by all others: many of few games, fewer of MANY
FINE = 1000  # steps of a strength in one unit of log odds
DECIDED_BY, DECIDED_AFTER = "decided, half of the games by round", "decided, half of the games after"
OPEN, KINGS = "decided in the last round only", "a seat without hope among others with some"
WHEN, LEAD, BACK, IDLE, HOW = (
    "When is it decided?", "Who leads?", "Who comes back?", "Who can do nothing?", "How sure is this?"
)  # fmt: skip


def story(
    request: Request,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    command: str = "",
) -> Study:
    """Play the run, keep the score by round, and tell its story.

    Raises UserError where the game declares no course, for a single seat, and for too few or too many games.
    """
    check(request)
    since = time.perf_counter()
    results = runner.run(watched(request, CourseWatch), None, jobs, progress)
    meta = meta_of("story", [request], command, results.n)
    meta["wall_seconds"] = round(time.perf_counter() - since, 3)
    found = Told(results, request.make_game(), request.room.part("course").COURSE)
    tables = found.tables()
    return Study(
        "story",
        meta,
        tables,
        story_charts.charts(found, tables),
        story_words.words(found),
        facts=[f"{results.players} players", ", ".join(results.policies), f"score: {found.course.score}"],
        shown=["story", "idle", "comebacks"],
    )


def check(request: Request) -> None:
    """Raise UserError if no story can be told of this run."""
    if not request.room.has("course"):
        raise UserError(f"{request.game} does not declare what its score is (a module `course`): no story.")
    if request.players < 2:
        raise UserError("A story needs two seats or more: alone nobody leads and nobody comes back.")
    if not LEAST <= request.n <= MOST:
        raise UserError(
            f"{argument('n')} must be from {LEAST} to {MOST:,} here: every round of every game is kept."
        )


@dataclass
class Measure:
    """One number of the story, NaN where there are too few games for it.

    unit: what it counts; share: whether it is a share, shown in per cent.
    """

    name: str
    value: float
    low: float
    high: float
    n: int
    unit: str
    share: bool = True

    def silent(self) -> Measure:
        """The same without a value: there are too few games for one."""
        unit = f"(too few games: {story_words.FEW} with one winner are needed)"
        return Measure(self.name, math.nan, math.nan, math.nan, self.n, unit, self.share)

    def wider(self, by: float) -> Measure:
        """The same with limits further away, where games repeat each other."""
        low, high = (self.value + by * (limit - self.value) for limit in (self.low, self.high))
        low, high = max(low, 0.0), min(high, 1.0) if self.share else high
        return Measure(self.name, self.value, low, high, self.n, self.unit, self.share)


class Told:
    """All that is computed of the games of a run: arrays as in `stats.pacing`, measures, tables."""

    def __init__(self, results: Results, game: object, course: Course) -> None:
        self.results, self.course = results, course
        rounds = course.rounds(game)
        frame = results.games
        length = frame["rounds"].to_numpy(np.int64)
        rounds = min(rounds, int(length.max()))
        score = games.by_round(results, "score", rounds, np.int64)
        self.free = games.by_round(results, "free", rounds, bool)
        self.told = pacing.story(score, games.credits(frame, results.players), length)
        self.sole = self.told.credit.max(axis=0) == 1.0
        self.chance, self.weights = self._chances()

    def _chances(self) -> tuple[Floats, contest.Fit]:
        """(every seat's chance by round, weights of the score and the signs by round): what tells best who
        wins is one strength a seat, and how likely a lead in it wins is read off the games."""
        score, rounds = self.told.score, self.told.score.shape[1]
        each = [
            games.by_round(self.results, f"sign_{k}", rounds, np.int64)
            for k in range(1, len(self.course.signs) + 1)
        ]
        every = np.stack([score, *each]).astype(np.float64)
        _, weights = contest.strength(every, _winner(self.told), self.told.alive)
        return chances(self.told, every), weights

    @property
    def signs(self) -> list[str]:
        """What the chances are told by: the score and the other signs, in words."""
        return [self.course.score, *self.course.signs]

    @cached_property
    def widen(self) -> float:
        """How much wider intervals are because games repeat each other: 1 where they do not."""
        return 1.0 / np.sqrt(self.results.weight or 1.0)

    @cached_property
    def decided(self) -> Floats:
        """The round from whose end on the winner's chance stays high, of games with a sole winner."""
        found: Floats = pacing.decided(self.told, self.chance)[self.sole]
        return found

    @property
    def few(self) -> bool:
        """Whether there are too few games with one winner to say anything of chances and decisions."""
        return len(self.decided) < story_words.FEW

    @cached_property
    def changes(self) -> NDArray[np.int64]:
        """int64[game]: how often the lead changes."""
        return pacing.lead_changes(self.told)

    @cached_property
    def part(self) -> Floats:
        """The share of its length after which each game with a sole winner is decided."""
        return self.decided / self.told.length[self.sole]

    # ---- measures --------------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """The numbers of the story by name, limits widened where games repeat each other."""
        n, sole = self.results.n, int(self.sole.sum())
        found = [
            _of("games with one winner", intervals.wilson(sole, n), n, "of games"),
            *(self._decision() if sole else []),
            _mean("lead changes", self.changes, "a game"),
            _of("games without a lead change", intervals.wilson((self.changes == 0).sum(), n), n, "of games"),
            *self._leaders(),
            *self._kings(),
        ]
        return {one.name: one.wider(self.widen) for one in found}

    def _decision(self) -> list[Measure]:
        last = int((self.decided >= self.told.length[self.sole]).sum())
        n = len(self.decided)
        found = [
            Measure(DECIDED_BY, *quantile(self.decided, 0.5), n, "round", share=False),
            Measure(DECIDED_AFTER, *quantile(self.part, 0.5), n, "of their length"),
            _of(OPEN, intervals.wilson(last, n), n, "of games with one winner"),
        ]
        return [one.silent() for one in found] if self.few else found

    def _leaders(self) -> list[Measure]:
        early = pacing.runaway(self.told, EARLY)
        behind = self.behind
        total, n = behind["wins"].sum(), int(behind["n"].sum())
        return [
            _of("the leader after a third wins", early.rate, early.n, "of games with a leader then"),
            _of("a seat behind at half-time wins", intervals.wilson(total, n), n, "of such seats"),
        ]

    def _kings(self) -> list[Measure]:
        if self.results.players < 3:
            return []
        kings, n = pacing.kingmaking(self.told, self.chance), self.results.n
        found = [
            _of(KINGS, kings.games, n, "of games"),
            _of("... in rounds", kings.rounds, n, "of rounds"),
        ]
        return [one.silent() for one in found] if self.few else found

    # ---- tables ----------------------------------------------------------------------------------------

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables, the numbers of the story first; none on decisions where there are too few games."""
        pace = {"decided": self._decided_by_round(), "chances": self._chances_by_round()}
        return {
            "story": self._story(),
            **({} if self.few else pace),
            "lead_changes": self._lead_changes(),
            "comebacks": self._comebacks(),
            "idle": self._idle(),
            "calibration": self._calibration(),
            "signs": self._signs(),
        }

    def _story(self) -> pd.DataFrame:
        rows = []
        for one in self.measures.values():
            scale = 100.0 if one.share else 1.0
            value, low, high = (scale * x for x in (one.value, one.low, one.high))
            per_cent = one.share and math.isfinite(value)
            rows.append((one.name, value, low, high, f"% {one.unit}" if per_cent else one.unit, one.n))
        frame = pd.DataFrame(rows, columns=["measure", "value", "low", "high", "unit", "n"])
        frame.attrs["kinds"] = {"low": "number"}
        about = (
            f"{self.course.about} A game is decided once its winner has a chance of "
            f"{percent(pacing.DECIDED, 0)} or more to the end, as told by {listed(self.signs)}; without "
            f"hope: below {percent(pacing.OUT, 0)}."
        )
        kept = titled(frame, "The story of the game", WHEN, about)
        return kept

    def _decided_by_round(self) -> pd.DataFrame:
        rounds = np.arange(1, self.told.score.shape[1] + 1)
        by = (self.decided[None] <= rounds[:, None]).sum(axis=1)
        over = (self.told.length[self.sole][None] <= rounds[:, None]).sum(axis=1)
        n = np.full(len(rounds), len(self.decided))
        share = self._wider(intervals.wilson(by, n))
        frame = pd.DataFrame({"round": rounds, "n": n, "share": share.value, "low": share.low})
        frame["high"], frame["over"] = share.high, over / np.maximum(n, 1)
        frame.attrs["kinds"] = {"over": "share"}
        about = (
            "share: games decided by the end of the round, of those with one winner; over: games at an end."
        )
        return titled(frame, "Games decided by round", WHEN, about)

    def _chances_by_round(self) -> pd.DataFrame:
        told, rows = self.told, []
        winner = told.credit.argmax(axis=0)
        for now in range(told.score.shape[1]):
            there = np.flatnonzero(told.alive[now] & self.sole)
            if len(there) < LEAST:
                break
            p = self.chance[winner[there], now, there]
            mean = self._wider(intervals.mean(len(p), p.sum(), (p**2).sum()))
            rows.append((now + 1, len(p), *map(float, mean), *np.quantile(p, [0.1, 0.5, 0.9]).tolist()))
        names = ["round", "n", "chance", "low", "high", "lowest_tenth", "median", "highest_tenth"]
        frame = pd.DataFrame(rows, columns=names)
        frame.attrs["kinds"] = dict.fromkeys(("chance", *names[-3:]), "share")
        return titled(frame, "Chance of the later winner by round", WHEN, f"As told by {listed(self.signs)}.")

    def _lead_changes(self) -> pd.DataFrame:
        count, n = np.bincount(self.changes), self.results.n
        share = self._wider(intervals.wilson(count, np.full(len(count), n)))
        frame = pd.DataFrame({"changes": range(len(count)), "n": count, "share": share.value})
        frame["low"], frame["high"] = share.low, share.high
        return titled(frame, "Games by lead changes", LEAD)

    @cached_property
    def behind(self) -> pd.DataFrame:
        """Seats behind at half-time by deficit, in at most `BINS` groups: from, to, n, wins."""
        back = pacing.comebacks(self.told, HALF)
        there = back.deficit > 0
        deficit, n = back.deficit[there], back.n[there]
        wins = back.rate.value[there] * n
        group = np.minimum((np.cumsum(n) - n) * BINS // max(1, n.sum()), BINS - 1)
        rows = [
            (
                deficit[group == g].min(),
                deficit[group == g].max(),
                n[group == g].sum(),
                wins[group == g].sum(),
            )
            for g in np.unique(group)
        ]
        return pd.DataFrame(rows, columns=["from", "to", "n", "wins"])

    def _comebacks(self) -> pd.DataFrame:
        frame = self.behind.copy()
        rate = self._wider(intervals.wilson(frame["wins"], frame["n"]))
        frame["win_rate"], frame["low"], frame["high"] = rate.value, rate.low, rate.high
        about = f"Seats behind the best other one at half-time, by how far, in {self.course.score}."
        return titled(frame.drop(columns="wins"), "Come-backs by deficit", BACK, about)

    def _idle(self) -> pd.DataFrame:
        """Rounds (before the last one) in which a seat had no choice of an act."""
        whole = np.arange(1, self.free.shape[1] + 1)[:, None] < self.told.length
        all_rounds = whole.sum(axis=0).astype(float)
        rows = []
        for seat, free in zip(self.results.seats, self.free, strict=True):
            idle = (whole & ~free).sum(axis=0).astype(float)
            squares = ((idle**2).sum(), (idle * all_rounds).sum(), (all_rounds**2).sum())
            found = intervals.ratio(len(idle), idle.sum(), all_rounds.sum(), *squares)
            found = self._wider(found)
            rows.append((seat, int(all_rounds.sum()), *map(float, found), idle.mean()))
        frame = pd.DataFrame(rows, columns=["seat", "n", "share", "low", "high", "a_game"])
        about = "Turns before the last round in which a seat had no act to choose. n: turns; a game: of them."
        return titled(frame, "Turns in which a seat could do nothing", IDLE, about)

    def _calibration(self) -> pd.DataFrame:
        found = pacing.calibration(self.told, self.chance)
        real = self._wider(found.real)
        frame = pd.DataFrame({"told": found.told, "win_rate": real.value, "low": real.low})
        frame["high"], frame["n"] = real.high, found.n
        frame.attrs["kinds"] = {"told": "share"}
        about = (
            "The told chance, and how often such seats won, over all rounds. "
            f"Mean squared error {found.brier:.3f}."
        )
        return titled(frame, "Do the chances mean what they say?", HOW, about)

    def _signs(self) -> pd.DataFrame:
        """What one unit more of each sign is worth by round, in log odds of winning."""
        weights, error = self.weights
        alive = (self.told.alive & self.sole).sum(axis=1)
        frame = pd.DataFrame({"round": np.arange(1, len(weights) + 1), "n": alive})
        half = self.widen * intervals.z_value(0.95) * error
        for name, values, by in zip(self.signs, weights.T, half.T, strict=True):
            frame[name], frame[f"{name} low"], frame[f"{name} high"] = values, values - by, values + by
        frame.attrs["kinds"] = dict.fromkeys(self.signs, "number")
        about = (
            "Log odds of winning for one more, all else alike (conditional logit), with 95 % intervals; "
            "below 0: it hurts. n: games with one winner that are still on; where they are too few for "
            "a fit, the weights are those of the round before, without intervals."
        )
        return titled(frame, "What tells who wins, by round", HOW, about)

    def _wider(self, found: Interval) -> Interval:
        low, high = (found.value + self.widen * (limit - found.value) for limit in (found.low, found.high))
        return intervals.Interval(found.value, np.maximum(low, 0.0), np.minimum(high, 1.0))


def _winner(told: pacing.Story) -> NDArray[np.int64]:
    """int64[game]: the seat that wins alone, -1 where none does."""
    return np.where(told.credit.max(axis=0) == 1.0, told.credit.argmax(axis=0), -1)


def chances(told: pacing.Story, signs: Floats) -> Floats:
    """Every seat's chance to win by round, float64[seat, round, game], as signs float64[sign, seat, round,
    game] tell it. What they are worth, and how likely a lead then wins, is learnt from other games only: with
    few games chances would be bold else."""
    winner, games = _winner(told), told.score.shape[2]
    fold = np.arange(games) % min(FOLDS[games >= MANY], games // 2)
    found = np.full(told.score.shape, np.nan)
    for part in range(int(fold.max()) + 1):
        inside = fold == part
        strength, _ = contest.strength(signs, np.where(inside, -1, winner), told.alive)
        fine = np.rint(FINE * strength).astype(np.int64)
        found[..., inside] = pacing.chances_of(told._replace(score=fine), inside)
    return found


def quantile(values: Floats, share: float) -> tuple[float, float, float]:
    """A quantile with its interval: the order statistics that enclose it with 95 % (binomial)."""
    x = np.sort(values)
    half = intervals.z_value(0.95) * np.sqrt(len(x) * share * (1 - share))
    places = np.array([share * len(x), share * len(x) - half, share * len(x) + half])
    at = np.clip(np.ceil(places) - 1 + [0, 0, 1], 0, len(x) - 1).astype(int)
    return tuple(x[at].tolist())


def _of(name: str, found: Interval, n: int, unit: str) -> Measure:
    return Measure(name, float(found.value), float(found.low), float(found.high), n, unit)


def _mean(name: str, values: NDArray[np.int64], unit: str) -> Measure:
    x = values.astype(float)
    found = intervals.mean(len(x), x.sum(), (x**2).sum())
    value, low, high = map(float, found)
    return Measure(name, value, low, high, len(x), unit, share=False)
