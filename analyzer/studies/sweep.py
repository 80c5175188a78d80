"""How does the game change with a setting, or with a policy's parameter? One run a point, all on one luck."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.seats import numbered
from analyzer.sim import outcomes as games
from analyzer.sim import runner
from analyzer.stats import intervals, paired
from analyzer.studies.grid import Grid
from analyzer.studies.outcomes import Outcome, common, outcomes
from analyzer.studies.pairing import LENGTHS
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.sim.request import Request
    from analyzer.sim.results import Results

Values = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Change:
    """How far an outcome at a point lies from that without the sweep, with its standard error; paired: on the
    same luck, game by game."""

    value: float
    error: float
    paired: bool

    def limits(self, claims: int = 1) -> tuple[float, float]:
        """The 95 % interval, wider where it has to hold together with others."""
        half = intervals.z_value(intervals.joint_level(0.95, claims)) * self.error
        return self.value - half, self.value + half


def play(
    grid: Grid,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Sweep:
    """Play the base and then all points with one crew; one game's values of the base are held, of the points
    only their sums."""
    started = time.perf_counter()
    total = grid.base.n + sum(one.n for one in grid.requests)
    held: list[tuple[list[Outcome], Values]] = []
    points: dict[int, list[Outcome]] = {}
    changes: dict[int, dict[str, Change]] = {}

    def first(_: int, results: Results) -> None:
        held.append((outcomes(results, grid.base, grid.places), values_of(results, grid.base, grid.places)))

    def ready(number: int, results: Results) -> None:
        asked = grid.requests[number]
        points[number] = outcomes(results, asked, grid.places)
        changes[number] = _changes(results, asked, grid, held[0], points[number])

    def told(offset: int) -> runner.Progress | None:
        return None if progress is None else lambda done, _: progress(offset + done, total)

    runner.run_all([runner.Ask(grid.base)], first, jobs, told(0), meanwhile)
    runner.run_all([runner.Ask(one) for one in grid.requests], ready, jobs, told(grid.base.n))
    order = range(len(grid.requests))
    seconds = time.perf_counter() - started
    return Sweep(grid, held[0][0], [points[i] for i in order], [changes[i] for i in order], seconds)


# ---- game by game ----------------------------------------------------------------------------------------


def values_of(results: Results, request: Request, places: Sequence[str]) -> Values:
    """What one game adds to the outcomes that single games tell, float32[game] each, in the order of the
    games: edges of seats and places, whether nobody won, turns and rounds."""
    names = games.column_names(results)
    lengths = [name for name in LENGTHS if name in names]
    wanted = [*games.won_columns(results, names), *lengths]
    parts: list[Values] = []
    for _, column in games.chunks(results, wanted):
        won = games.credits(column, results.players).astype(np.float32)
        parts.append(_one_part(won, column, results.players, request, places, lengths))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _one_part(
    won: NDArray[np.float32],
    column: dict[str, Any],
    players: int,
    request: Request,
    places: Sequence[str],
    lengths: Sequence[str],
) -> Values:
    """won: float32[seat, game], the win credits."""
    some = won.sum(axis=0)
    found: Values = {numbered(seat): won[seat] - some / players for seat in range(players)}
    held = np.array(request.rotations) % max(len(places), 1)  # [rotation, seat]: the place that sits there
    for place, name in enumerate(places):
        mine = (held == place)[column["rotation"].astype(np.intp)].T  # [seat, game]
        found[f"place {name}"] = (won * mine).sum(axis=0) - some * mine.mean(axis=0)
    found["nobody"] = 1 - some
    return {**found, **{name: column[name].astype(np.float32) for name in lengths}}


def _key(name: str, number: int, places: Sequence[str]) -> str:
    """The name in `Values` of an outcome: seats come first, in order, then places."""
    place = name.removesuffix(": edge")
    return f"place {place}" if place in places else numbered(number) if place != name else name


def _changes(
    results: Results,
    asked: Request,
    grid: Grid,
    held: tuple[list[Outcome], Values],
    there: list[Outcome],
) -> dict[str, Change]:
    """Every outcome against the base, on the same luck where single games tell it."""
    base = {one.name: one for one in held[0]}
    # Where policies have become equal their rotations fall together: other games, nothing to pair.
    same = len(asked.rotations) == len(grid.base.rotations) and results.weight == 1.0
    values = values_of(results, asked, grid.places) if same else {}
    found = {}
    for number, one in enumerate(there):
        if one.name not in base:
            continue
        key = _key(one.name, number, grid.places)
        if key in values and len(values[key]) == len(held[1][key]):
            step = 0.0 if one.kind == "number" else 1.0
            pair = paired.compare(paired.Pairs.of(values[key], held[1][key]), step=step)
            found[one.name] = Change(one.value - base[one.name].value, float(pair.error), True)
        else:
            error = math.hypot(one.error, base[one.name].error)
            found[one.name] = Change(one.value - base[one.name].value, error, False)
    return found


# ---- what it shows ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sweep:
    """A sweep that was played. base, points: outcomes without it and at every point; changes: by outcome, of
    every point."""

    grid: Grid
    base: list[Outcome]
    points: list[list[Outcome]]
    changes: list[dict[str, Change]]
    seconds: float

    @cached_property
    def names(self) -> list[str]:
        """The outcomes that all points have: first those of the policies that meet, then seats, then the
        rest."""
        found = common([self.base, *self.points])
        first = [f"{name}: edge" for name in self.grid.places]
        return sorted(found, key=lambda name: name not in first)

    def of(self, name: str) -> list[Outcome]:
        """One outcome at every point."""
        return [next(one for one in there if one.name == name) for there in self.points]

    def at_base(self, name: str) -> Outcome:
        """One outcome without the sweep."""
        return next(one for one in self.base if one.name == name)

    @property
    def claims(self) -> int:
        """How many differences are judged together: every outcome with an interval at every point."""
        return sum(
            math.isfinite(change.error) and change.error > 0
            for at in self.changes
            for name, change in at.items()
            if name in self.names
        )

    def clear(self, name: str) -> list[int]:
        """The points at which an outcome is clearly another than without the sweep."""
        found = []
        for number, at in enumerate(self.changes):
            low, high = at[name].limits(self.claims)
            if low > 0 or high < 0:
                found.append(number)
        return found

    def label(self, number: int) -> str:
        """A point in words: courage 0.5, moscow_strength 12."""
        pairs = zip(self.grid.ways, self.grid.cells[number], strict=True)
        return ", ".join(f"{way.key} {_written(value)}" for way, value in pairs)

    @property
    def label_now(self) -> str:
        """The game without the sweep in the same words: moscow_strength 15."""
        return ", ".join(f"{way.key} {_written(way.now)}" for way in self.grid.ways)

    def tables(self) -> dict[str, pd.DataFrame]:
        """sweep: a row a point; changes: a row a point and outcome."""
        from analyzer.studies import sweep_report

        return sweep_report.tables(self)

    def study(self, command: str = "") -> Study:
        """Tables, curves and findings."""
        from analyzer.studies import sweep_report

        requests = [*([self.grid.base] if self.grid.fresh else []), *self.grid.requests]
        over = {way.key: list(way.values) for way in self.grid.ways}
        told = meta_of("sweep", [self.grid.base, *self.grid.requests], command, over=over)
        told["n"] = self.grid.base.n + sum(one.n for one in self.grid.requests)
        told["wall_seconds"] = round(self.seconds, 3)
        frames = self.tables()
        return Study(
            "sweep",
            told,
            frames,
            sweep_report.charts(self),
            sweep_report.words(self),
            facts=[f"{len(requests)} settings", f"{self.grid.base.players} players"],
            shown=["sweep"],
            columns={"sweep": sweep_report.short(self, frames["sweep"])},
            headline=sweep_report.headline(self),
        )


def _written(value: Any) -> str:
    from analyzer.studies.grid import word

    return word(value)
