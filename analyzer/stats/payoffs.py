"""From the tables of a tournament to payoffs with their errors, as `meta` wants them.

Input are sums by seating, which add up over blocks: who sat where, how many games, each seat's win credits.
Every seating of the same policies weighs the same, so that no policy owes its payoff to its seats.

Source: Cochran, W. G. (1977), Sampling Techniques, section 5.6: the error of a stratified mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Seatings:
    """Sums by seating. members: int64[seating, seat], the policy in each seat; credits, squares:
    float64[seating, seat], sums of win credits and of their squares; games: float64[seating]."""

    members: Ints
    credits: Floats
    squares: Floats
    games: Floats

    def __post_init__(self) -> None:
        shapes = {np.shape(x) for x in (self.members, self.credits, self.squares)}
        if len(shapes) != 1 or np.shape(self.games) != np.shape(self.members)[:1]:
            raise ValueError("members, credits and squares want one shape [seating, seat], games [seating]")

    def merged(self) -> Seatings:
        """The same with one row a seating."""
        known, place = np.unique(np.asarray(self.members, np.int64), axis=0, return_inverse=True)
        row = place.ravel()
        sums = []
        for each in (self.credits, self.squares, self.games):
            total = np.zeros((len(known), *np.shape(each)[1:]))
            np.add.at(total, row, np.asarray(each, np.float64))
            sums.append(total)
        return Seatings(known, *sums)


class Payoffs(NamedTuple):
    """Payoffs and standard errors, float64[policy, policy] or [policy, policy, count]; games: how many stand
    behind each. NaN where the two never met."""

    value: Floats
    error: Floats
    games: Floats


def duels(sums: Seatings, policies: int) -> Payoffs:
    """What the row scores a game against the column at tables of two, float64[policy, policy].

    A win scores 1, a game that both or none of them win 1/2, so that row and column share 1. The diagonal is
    1/2 without error.
    """
    table = sums.merged()
    if table.members.shape[1] != 2:
        raise ValueError(f"duels are for tables of two, not of {table.members.shape[1]}; see by_count")
    # A shared win leaves credit - credit^2 = 1/4 on each side, which is the product of the two credits.
    ahead = table.credits[:, 0] - table.credits[:, 1]
    both = table.credits[:, 0] - table.squares[:, 0]
    second = table.squares.sum(axis=1) - 2.0 * both
    mean, variance = _moments(ahead, second, table.games)
    first, other = table.members.T
    apart = first != other
    found = _Strata(policies, 1)
    for row, column, sign in ((first, other, 0.5), (other, first, -0.5)):
        values = 0.5 + sign * mean[apart]
        found.add(row[apart], column[apart], 0, values, variance[apart] / 4.0, table.games[apart])
    value, error, games = (x[:, :, 0] for x in found.payoffs())
    np.fill_diagonal(value, 0.5)
    np.fill_diagonal(error, 0.0)
    return Payoffs(value, error, games)


def by_count(sums: Seatings, policies: int) -> Payoffs:
    """Win rates at tables of two policies, float64[policy, policy, count], the last axis as long as a table.

    [i, j, c]: the mean credit of one seat of i where c + 1 seats play i and all others j; [i, j, last] and
    [i, i, any]: a table of i alone. [:, :, 0] is one against all others. Tables of three policies or more
    are left out.
    """
    table = sums.merged()
    seats = table.members.shape[1]
    found = _Strata(policies, seats)
    for policy in range(policies):
        held = table.members == policy
        count = held.sum(axis=1)
        rest = np.where(held, -1, table.members)
        other = rest.max(axis=1)
        plain = (count > 0) & np.all(held | (rest == other[:, None]), axis=1)
        size = np.maximum(count, 1)
        won = (table.credits * held).sum(axis=1)
        # Several seats of one policy together win a game at most: the square of their credit is no larger.
        square = np.where(count > 1, won, (table.squares * held).sum(axis=1))
        mean, variance = _moments(won / size, square / size**2, table.games)
        mixed = plain & (count < seats)
        row, rate, spread = np.full(mixed.sum(), policy), mean[mixed], variance[mixed]
        found.add(row, other[mixed], count[mixed] - 1, rate, spread, table.games[mixed])
        for opponent in range(policies):
            alone = plain & (count == seats)
            row, column = np.full(alone.sum(), policy), np.full(alone.sum(), opponent)
            found.add(row, column, seats - 1, mean[alone], variance[alone], table.games[alone])
    told = found.payoffs()
    for each in told:
        for policy in range(policies):
            each[policy, policy] = each[policy, policy, -1]
    return told


def _moments(total: Floats, second: Floats, games: Floats) -> tuple[Floats, Floats]:
    """Mean of each seating, and the variance of that mean; four games of the largest spread are added."""
    n = np.where(games > 0, games, np.nan)
    mean = total / n
    spread = np.maximum(second - n * mean**2, 0.0) + 4.0 * 0.25
    return mean, spread / (n + 4.0) / n


class _Strata:
    """Payoffs as means over seatings of equal weight."""

    def __init__(self, policies: int, counts: int) -> None:
        shape = (policies, policies, counts)
        self.total, self.variance, self.games, self.many = (np.zeros(shape) for _ in range(4))

    def add(self, row: Ints, column: Ints, count: Ints | int, mean: Floats, variance: Floats,
            games: Floats) -> None:  # fmt: skip
        """One more seating for each (row, column, count)."""
        played = games > 0
        cell = tuple(axis[played] for axis in np.broadcast_arrays(row, column, count))
        for place, each in ((self.total, mean), (self.variance, variance), (self.games, games)):
            np.add.at(place, cell, each[played])
        np.add.at(self.many, cell, 1.0)

    def payoffs(self) -> Payoffs:
        """NaN where there was no seating."""
        many = np.where(self.many > 0, self.many, np.nan)
        return Payoffs(self.total / many, np.sqrt(self.variance) / many, self.games)
