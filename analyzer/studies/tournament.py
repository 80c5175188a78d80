"""Which strategy should I fear? Everybody meets everybody; ratings, cycles, equilibria, dominated policies.

    found = play(lineups.field("moscow", players=2))
    study = found.study()

Only sums by line-up are held, whatever the number of games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer import seats
from analyzer.sim import runner
from analyzer.stats import intervals, meta, payoffs, ratings
from analyzer.stats.payoffs import Floats, Ints, Payoffs, Seatings
from analyzer.studies.lineups import Field, LineUp
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    from analyzer.sim.results import Results

PRIOR = 0.01  # of the ratings: keeps those finite that lost or won everything
DRAWS = 200  # resampled tournaments


def play(
    field: Field,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Tournament:
    """Play all line-ups with one crew."""
    started = time.perf_counter()
    sums: dict[int, Seatings] = {}
    distinct: dict[int, float] = {}

    def ready(number: int, results: Results) -> None:
        sums[number], distinct[number] = sums_of(results, field.lineups[number]), results.weight

    runner.run_all([runner.Ask(one) for one in field.requests], ready, jobs, progress, meanwhile)
    found = tuple(sums[i] for i in range(len(field.lineups)))
    repeated = sum(weight < 1.0 for weight in distinct.values())
    return Tournament(field, found, repeated, time.perf_counter() - started)


def sums_of(results: Results, lineup: LineUp) -> Seatings:
    """The sums of one line-up, a row a rotation. Repeated games count as one (see `Results.weight`)."""
    credits, squares = results.credits()
    games = results.rotation_games.astype(np.float64)
    worth = results.distinct / max(results.n, 1)
    return Seatings(lineup.members, credits * worth, squares * worth, games * worth)


def joined(sums: tuple[Seatings, ...]) -> Seatings:
    """All rows below each other."""
    rows = ((one.members, one.credits, one.squares, one.games) for one in sums)
    parts = zip(*rows, strict=True)
    return Seatings(*(np.concatenate(part) for part in parts))


@dataclass(frozen=True)
class Tournament:
    """A tournament that was played. sums: by line-up, in their order; repeated: line-ups in which games
    repeated themselves; seconds: how long it took."""

    field: Field
    sums: tuple[Seatings, ...]
    repeated: int
    seconds: float

    @property
    def size(self) -> int:
        """Number of entrants."""
        return len(self.field.entrants)

    @property
    def players(self) -> int:
        """Seats at a table."""
        return self.field.players

    @cached_property
    def all(self) -> Seatings:
        """The sums of all line-ups, a row a seating."""
        return joined(self.sums)

    # ---- payoffs ---------------------------------------------------------------------------------------

    @cached_property
    def counted(self) -> Payoffs | None:
        """At tables for more than two: payoffs by how many play the row's policy, see `payoffs.by_count`."""
        return payoffs.by_count(self.all, self.size) if self.players > 2 else None

    @cached_property
    def payoffs(self) -> Payoffs:
        """Each against each, float64[entrant, entrant]; see `meta`."""
        if self.counted is None:
            return payoffs.duels(self.all, self.size)
        return Payoffs(*(each[:, :, 0] for each in self.counted))

    @cached_property
    def scores(self) -> intervals.Interval:
        """`payoffs` with the 95 % interval of each cell alone, float64[entrant, entrant]: Wilson's where the
        other one would pass 0 or 1."""
        return self._scores(0.95)

    def _scores(self, level: float) -> intervals.Interval:
        value, error, games = self.payoffs
        half = intervals.z_value(level) * error
        low, high = value - half, value + half
        beyond = (low < 0) | (high > 1)
        share = np.clip(np.nan_to_num(value), 0.0, 1.0)  # of cells that nobody played, too: they stay NaN
        near = intervals.wilson(share * games, games, level)
        return intervals.Interval(value, np.where(beyond, near.low, low), np.where(beyond, near.high, high))

    @cached_property
    def fair(self) -> Floats:
        """What each cell of `payoffs` is held against, float64[entrant, entrant]: 1/2 for two seats, for more
        an equal part of the games that anybody won at that table."""
        if self.counted is None:
            return np.full((self.size, self.size), 0.5)
        total, games = np.zeros((self.size, self.size)), np.zeros((self.size, self.size))
        for row, one in self._alone:
            won = (self.all.credits[one].sum(axis=1) / self.all.games[one].clip(1e-12)).mean()
            i, j = row
            total[i, j], games[i, j] = won / self.players, 1
        return np.where(games > 0, total, np.nan)

    @property
    def _alone(self) -> list[tuple[tuple[int, int], Any]]:
        """((row, column), which seatings) of the tables where one row meets columns only."""
        found = []
        members = self.all.members
        for i in range(self.size):
            for j in range(self.size):
                own, other = (members == i).sum(axis=1), (members == j).sum(axis=1)
                rows = own == self.players if i == j else (own == 1) & (other == self.players - 1)
                if rows.any():
                    found.append(((i, j), rows))
        return found

    @cached_property
    def edges(self) -> intervals.Interval:
        """How far each cell lies above its fair value, with limits that hold together over all pairings,
        float64[entrant, entrant]; NaN on the diagonal."""
        size = self.size
        pairs = size * (size - 1) // (2 if self.players == 2 else 1)
        found = self._scores(intervals.joint_level(0.95, pairs))
        fair = self.fair.copy()
        fair[np.diag_indices(size)] = np.nan
        return intervals.Interval(*(np.asarray(part) - fair for part in found))

    @cached_property
    def beaten(self) -> Any:
        """Whether the row clearly beats the column (wins more than its share among columns)."""
        return meta.beats(np.nan_to_num(self.edges.low, nan=-1.0), 0.0)

    # ---- who is strong ---------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> ratings.Tables:
        """The seatings at which different entrants met, for ratings."""
        mixed = (self.all.members != self.all.members[:, :1]).any(axis=1)
        return ratings.Tables(self.all.members[mixed], self.all.credits[mixed])

    @cached_property
    def ratings(self) -> ratings.Ratings:
        """Ratings of entrants and seats from all tables (Bradley-Terry; Luce for more than two seats)."""
        return ratings.rate(self.tables, self.size, seats=True, prior=PRIOR)

    @cached_property
    def resampled(self) -> Floats:
        """Ratings of resampled tournaments, float64[draw, entrant]: intervals that need no model."""
        return ratings.bootstrap(self.tables, self.size, True, PRIOR, DRAWS)

    @cached_property
    def elo(self) -> intervals.Interval:
        """Ratings in Elo points against the average of all who won and lost, with the errors of resampled
        tournaments.

        Who never won has an upper limit alone, who never lost a lower one (one-sided, 95 %): the other limit
        is infinite, and the value rests on the prior.
        """
        both = self.one_sided == 0
        both = both if both.any() else np.ones(self.size, bool)
        average = self.ratings.rating[both].mean()
        drawn = self.resampled - self.resampled[:, both].mean(axis=1, keepdims=True)
        value = ratings.ELO * (self.ratings.rating - average)
        half = intervals.z_value(0.95) * ratings.ELO * drawn.std(axis=0, ddof=1)
        low, high = value - half, value + half
        for entrant in np.flatnonzero(self.one_sided).tolist():
            limit = ratings.ELO * (ratings.limit(self.ratings, self.tables, entrant) - average)
            never_won = self.one_sided[entrant] < 0
            low[entrant], high[entrant] = (-np.inf, limit) if never_won else (limit, np.inf)
        return intervals.Interval(value, low, high)

    @cached_property
    def one_sided(self) -> Ints:
        """Who never won (-1) or never lost (+1), int64[entrant]: no rating can tell how weak or strong."""
        return ratings.one_sided(self.tables, self.size)

    @cached_property
    def best(self) -> Floats:
        """In which share of resampled tournaments each one is rated highest, float64[entrant]."""
        return np.bincount(self.resampled.argmax(axis=1), minlength=self.size) / len(self.resampled)

    @cached_property
    def against_all(self) -> tuple[intervals.Interval, intervals.Interval, Floats]:
        """(win rate of one seat, the same above a fair share, games) of each entrant over all line-ups with
        another one in them, each line-up weighing the same; float64[entrant]."""
        rate, edge, variance, many, games = (np.zeros(self.size) for _ in range(5))
        for one in self.sums:
            who = np.unique(one.members)
            if len(who) < 2:
                continue
            for entrant in who.tolist():
                value, above, error = _of_one(one, entrant)
                rate[entrant] += value
                edge[entrant] += above
                variance[entrant] += error**2
                many[entrant] += 1
                games[entrant] += one.games[(one.members == entrant).any(axis=1)].sum()
        half = intervals.z_value(0.95) * np.sqrt(variance) / many
        rate, edge = rate / many, edge / many
        return (
            intervals.Interval(rate, np.maximum(rate - half, 0.0), np.minimum(rate + half, 1.0)),
            intervals.Interval(
                edge,
                np.maximum(edge - half, -1 / self.players),
                np.minimum(edge + half, 1 - 1 / self.players),
            ),
            games,
        )

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats, by place."""
        return seats.names(self.field.game, self.players)

    @cached_property
    def seats(self) -> tuple[intervals.Interval, intervals.Interval]:
        """(win rate, the same above a fair share) of each seat over all seatings, each of the same weight;
        float64[seat]."""
        sums = self.all
        games = np.broadcast_to(sums.games[:, None], sums.credits.shape)
        won = np.broadcast_to(sums.credits.sum(axis=1)[:, None], sums.credits.shape)
        rate = intervals.average_credit(sums.credits, sums.squares, games, axis=0)
        edge = intervals.edge(sums.credits, sums.squares, won, games, 1 / self.players, axis=0)
        return rate, edge

    # ---- what it means ---------------------------------------------------------------------------------

    @cached_property
    def cycles(self) -> list[tuple[int, ...]]:
        """Clear cycles: each beats the next, the last the first."""
        return meta.cycles(self.beaten)

    @cached_property
    def cycle_chance(self) -> tuple[float, dict[tuple[int, ...], float]]:
        """How likely there is any cycle of three, given the errors; see `meta.cycle_chance`."""
        if self.players == 2:
            return meta.cycle_chance(self.payoffs.value, self.payoffs.error)
        value = np.nan_to_num(self.payoffs.value - self.fair)
        return meta.cycle_chance(value, np.nan_to_num(self.payoffs.error), 0.0, None)

    @cached_property
    def nash(self) -> tuple[Floats, meta.Support] | None:
        """(equilibrium, its uncertainty); for two seats only."""
        if self.players > 2:
            return None
        support = meta.nash_chance(self.payoffs.value, self.payoffs.error, draws=DRAWS)
        return meta.nash(self.payoffs.value).rows, support

    @cached_property
    def alpha_rank(self) -> tuple[Floats, meta.Support]:
        """(the share of time evolution spends at each entrant, its uncertainty)."""
        if self.counted is None:
            value, error, total = self.payoffs.value, self.payoffs.error, 1.0
            return meta.alpha_rank(value), meta.alpha_rank_chance(value, error, total, draws=DRAWS)
        value, error = self.counted.value, self.counted.error
        return meta.alpha_rank(value), meta.alpha_rank_chance(value, error, None, draws=DRAWS)

    @cached_property
    def dominated(self) -> list[meta.Dominance]:
        """Who is clearly worse than some other one against every opponent."""
        return meta.dominated(self.payoffs.value, self.payoffs.error)

    @cached_property
    def misfit(self) -> tuple[int, int, float, float, float]:
        """(row, column, played, told by the ratings, z): the table of two that the ratings miss most. A large
        z says that one number an entrant does not tell who beats whom."""
        worst: tuple[int, int, float, float, float] = (0, 1, 0.0, 0.0, 0.0)
        for i, j in zip(*np.nonzero(~np.eye(self.size, dtype=bool)), strict=True):
            seatings = np.where(np.eye(self.players, dtype=bool), i, j)
            told = float(self.ratings.expected(seatings)[np.diag_indices(self.players)].mean())
            share = self.fair[i, j] * self.players  # of the games that anybody won
            scale = 1.0 if self.players == 2 else share
            value, error = self.payoffs.value[i, j], self.payoffs.error[i, j]
            if self.players == 2:
                # A game that nobody won counts as half a win of each.
                won = self._decided[i, j]
                told = 0.5 + (told - 0.5) * won
            z = (value - told * scale) / max(error, 1e-12)
            if abs(z) > abs(worst[4]):
                worst = int(i), int(j), float(value), told * scale, float(z)
        return worst

    @cached_property
    def _decided(self) -> Floats:
        """At tables of two: the share of games that anybody won, float64[entrant, entrant]."""
        won, games = (np.zeros((self.size, self.size)) for _ in range(2))
        first, second = self.all.members.T
        for a, b in ((first, second), (second, first)):
            np.add.at(won, (a, b), self.all.credits.sum(axis=1))
            np.add.at(games, (a, b), self.all.games)
        return won / np.where(games > 0, games, 1.0)

    # ---- the study -------------------------------------------------------------------------------------

    def study(self, command: str = "") -> Study:
        """Tables, charts and findings."""
        from analyzer.studies import tournament_charts, tournament_tables, tournament_words

        frames = tournament_tables.tables(self)
        asked: dict[str, Any] = {"entrants": self.field.names, "axis": self.field.axis}
        told = meta_of("tournament", self.field.requests, command, **asked)
        told["seed"] = self.field.seed  # the line-ups have seeds of their own
        told["wall_seconds"] = round(self.seconds, 3)
        kinds = "pairings" if self.players == 2 else "line-ups"
        return Study(
            "tournament",
            told,
            frames,
            tournament_charts.charts(self, frames),
            tournament_words.words(self),
            facts=[f"{self.size} entrants", f"{self.players} players", f"{len(self.sums)} {kinds}"],
            shown=["standings", "matrix_shown", "meaning"],
        )


def _of_one(sums: Seatings, entrant: int) -> tuple[float, float, float]:
    """(win rate of one seat, the same above a fair share, standard error) of an entrant in one line-up."""
    held = sums.members == entrant
    count = held.sum(axis=1)
    rows = (count > 0) & (sums.games > 0)
    held, count, games = held[rows], count[rows], sums.games[rows]
    mine = (sums.credits[rows] * held).sum(axis=1)
    # Of several seats of one policy it is not known which of them shared a win: the largest spread is taken.
    squares = np.where(count > 1, mine, (sums.squares[rows] * held).sum(axis=1))
    won = sums.credits[rows].sum(axis=1)
    fair = count / held.shape[1]
    edge = intervals.edge(mine, squares, won, games, fair)
    error = float(edge.high - edge.low) / 2 / intervals.z_value(0.95)
    seats = float(count.mean())
    return float((mine / games).mean()) / seats, float(edge.value) / seats, error / seats


__all__ = ["Ints", "Tournament", "joined", "play", "sums_of"]
