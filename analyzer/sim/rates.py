"""The limits of a run's win rates: of single games, of duplicate deals, or such as hold at every look.

`cells` bool[rotation, seat] are the seats whose wins count; what is asked of them is linear in their credits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.sim import outcomes
from analyzer.stats import clusters, intervals, paired, sequence
from analyzer.stats.clusters import Moments
from analyzer.stats.intervals import Interval
from analyzer.stats.paired import Duplicate

if TYPE_CHECKING:
    from analyzer.sim.results import Results

Cells = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Rates(NamedTuple):
    """A win rate and its distance from the fair share, each with limits."""

    rate: Interval
    edge: Interval


def moments_of(results: Results) -> Moments:
    """The sums over the complete deals of a run: the part rotation * seats + seat is the credit of a seat."""
    columns = outcomes.won_columns(results, outcomes.column_names(results))
    rotations, players = len(results.rotations), results.players
    parts = rotations * players
    found = Moments(0.0, np.zeros(parts), np.zeros((parts, parts)))
    for _, values in outcomes.deals(results, columns):
        flat = {name: values[name].reshape(-1) for name in columns}
        each = outcomes.credits(flat, players).reshape(players, rotations, -1)
        found = found + Moments.of(each.transpose(1, 0, 2).reshape(parts, -1))
    return found


def of(results: Results, cells: Cells, level: float) -> Rates:
    """The rate of these cells as the run allows: see `Results.win_rates`."""
    lasting, by_deal = bool(results.meta.get("precision")), results.duplicate and rotated(cells)
    found = (_deals(results, cells, level, lasting) if by_deal else
             _lasting(results, cells, level) if lasting else _games(results, cells, level))  # fmt: skip
    if not results.weight:
        return Rates(intervals.unknown(found.rate), intervals.unknown(found.edge))
    return found


def rotated(cells: Cells) -> bool:
    """Whether these cells lie in several rotations."""
    return int(cells.any(axis=1).sum()) > 1


class Sums(NamedTuple):
    """Sums of cells by rotation, float64[rotation]: credits, their squares, games anybody won, games,
    seats."""

    total: Floats
    squares: Floats
    won: Floats
    n: Floats
    held: Floats


def sums_of(results: Results, cells: Cells) -> Sums:
    """The sums of these cells; rotations without any are 0."""
    held = cells.sum(axis=1)
    n = np.where(held > 0, results.rotation_games, 0)
    total, squares = results.credits()
    won = np.where(held > 0, total.sum(axis=1), 0.0)
    mine = np.minimum((total * cells).sum(axis=1), n)
    # Which seats shared a win is not tallied: with several seats the variance is taken at its largest.
    second = np.where(held > 1, mine, (squares * cells).sum(axis=1))
    return Sums(mine, second, won, n.astype(np.float64), held.astype(np.float64))


def _games(results: Results, cells: Cells, level: float) -> Rates:
    found = sums_of(results, cells)
    total, squares, won, n = (part * (results.weight or 1.0) for part in found[:4])
    fair = found.held / results.players
    return Rates(
        intervals.average_credit(total, squares, n, level),
        intervals.edge(total, squares, won, n, fair, level),
    )


def _lasting(results: Results, cells: Cells, level: float) -> Rates:
    # The seatings take turns, and the chance to win may differ between them. The evidence against a mean is a
    # mixture of exponentials in the number of wins, so convex in it: over one game of each seating it grows
    # at most as it would if all had the mean chance (Hoeffding 1956). Looks come after whole rounds of them.
    found = sums_of(results, cells)
    weight = results.weight or 1.0
    n, total, won = (float(part.sum()) * weight for part in (found.n, found.total, found.won))
    fair = float(found.held.max()) / results.players
    part = 1.0 if results.duplicate else n / max(results.n * weight, 1.0)  # of the units of the plan
    plan = max(_plan(results) * part, 1.0)
    return Rates(
        sequence.exact(n, total, level, plan),
        sequence.exact(n, total - fair * won, level, plan, (-fair, 1.0 - fair)),
    )


def _deals(results: Results, cells: Cells, level: float, lasting: bool) -> Rates:
    moments, (rate, edge) = results.moments.scaled(results.weight or 1.0), weights(results, cells)
    if lasting:
        fair, plan = float(cells.sum(axis=1).max()) / results.players, _plan(results)
        return Rates(
            clusters.lasting(moments, rate, plan, (0.0, 1.0), level),
            clusters.lasting(moments, edge, plan, (-fair, 1.0 - fair), level),
        )
    share, above = (clusters.mean(moments, each, level, step=1.0) for each in (rate, edge))
    return Rates(_within(share), paired.interval(above))


def weights(results: Results, cells: Cells) -> tuple[Floats, Floats]:
    """The weights of a deal's credits, float64[rotation, seat] each: of the rate, and of the edge."""
    held = cells.sum(axis=1, keepdims=True)
    used = np.maximum((held > 0).sum(), 1)
    return cells / used, (cells - held / results.players) / used


def gains(results: Results) -> list[tuple[str, float]]:
    """(whose win rate, the variance of independent games over that of the deals); policies first."""
    found = []
    for by in ("policy", "seat"):
        for (name,), cells in results.cells(by).items():
            if rotated(cells):
                rate, _ = weights(results, cells)
                of = f"policy {name}" if by == "policy" else results.seats[name - 1]
                found.append((of, float(clusters.mean(results.moments, rate).factor)))
    return found


def _within(found: Duplicate) -> Interval:
    return Interval(*(np.clip(x, 0.0, 1.0) for x in paired.interval(found)))


def nobody(results: Results, level: float) -> Interval:
    """How often no seat won, every rotation weighing the same."""
    n = results.rotation_games
    none = np.clip(n - np.round(results.credits()[0].sum(axis=1)), 0, n)
    weight = results.weight or 1.0
    lasting = bool(results.meta.get("precision"))
    every = np.ones((len(results.rotations), results.players), np.bool_)
    if results.duplicate and rotated(every):
        moments, each = results.moments.scaled(weight), every / len(every)
        if lasting:
            some = clusters.lasting(moments, each, _plan(results), (0.0, 1.0), level)
        else:
            some = _within(clusters.mean(moments, each, level, step=1.0))
        found = Interval(1.0 - some.value, 1.0 - some.high, 1.0 - some.low)
    elif lasting:
        found = sequence.exact(n.sum() * weight, none.sum() * weight, level, _plan(results))
    else:
        found = intervals.average_rate(none * weight, n * weight, level)
    return found if results.weight else intervals.unknown(found)


def _plan(results: Results) -> float:
    """The number of units at which intervals that hold at every look shall be narrowest."""
    return float(results.meta["precision"]["plan"])
