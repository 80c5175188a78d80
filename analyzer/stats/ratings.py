"""Ratings of policies from who beat whom: Bradley-Terry for two seats, Luce's choice model for more.

A policy has a strength exp(rating); of those at a table each wins with the probability of its share of the
strengths. Seats may have an advantage of their own, in the same unit. With two at the table this is
Bradley-Terry; the winner of a larger table is Luce's first choice; a whole ranking is a sequence of choices
(Plackett-Luce). Input are counts, so that a million games are a few rows:

    members  int[table, seat]  the policy in each seat, -1 for an empty one
    credits  float64[table, seat]  wins of each seat (shared wins in parts); games nobody won say nothing here

Ratings are in natural units with mean 0 over the policies; `elo` turns them into Elo's (a difference of 400
is 10 to 1). Existing packages (choix) take single games and give no errors, hence this small Newton method.

Sources:
  Bradley, R. A., Terry, M. E. (1952), Biometrika 39, 324-345.
  Luce, R. D. (1959), Individual Choice Behavior; Plackett, R. L. (1975), Appl. Stat. 24, 193-202.
  Hunter, D. R. (2004), Ann. Stat. 32, 384-406: when the estimate exists (strong connection).
  Firth, D. (2005), J. Stat. Softw. 12(1): quasi-variances; contrasts rather than a reference policy.
  Clopper, C. J., Pearson, E. S. (1934), Biometrika 26, 404-413: limits where nothing was won or lost.
  White, H. (1982), Econometrica 50, 1-25: errors that hold when the model is only an approximation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import Interval, z_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ELO = 400.0 / math.log(10.0)


class Tables(NamedTuple):
    """Who sat where and who won; see the module. members int64[table, seat], credits float64[table, seat]."""

    members: Ints
    credits: Floats


@dataclass(frozen=True)
class Ratings:
    """Ratings and their joint error.

    rating: float64[policy], mean 0; seat: float64[seat], mean 0 (all 0 unless asked for); covariance:
    float64[policy + seat, policy + seat]; games: games with a winner; ties: how much prior was added.
    """

    rating: Floats
    seat: Floats
    covariance: Floats
    games: float

    @property
    def error(self) -> Floats:
        """Standard errors of `rating`, float64[policy]."""
        return np.sqrt(np.maximum(np.diag(self.covariance)[: len(self.rating)], 0.0))

    def interval(self, level: float = 0.95) -> Interval:
        """Ratings against the average policy, float64[policy]."""
        half = z_value(level) * self.error
        return Interval(self.rating, self.rating - half, self.rating + half)

    def elo(self, level: float = 0.95) -> Interval:
        """The same in Elo points."""
        return Interval(*(ELO * x for x in self.interval(level)))

    def seats(self, level: float = 0.95) -> Interval:
        """Advantages of the seats against the average seat, float64[seat]."""
        inner = slice(len(self.rating), None)
        half = z_value(level) * np.sqrt(np.maximum(np.diag(self.covariance)[inner], 0.0))
        return Interval(self.seat, self.seat - half, self.seat + half)

    def differences(self, level: float = 0.95) -> Interval:
        """Rating of row less rating of column, float64[policy, policy]."""
        k = len(self.rating)
        inner = self.covariance[:k, :k]
        spread = np.diag(inner)[:, None] + np.diag(inner)[None, :] - 2.0 * inner
        value, half = (
            self.rating[:, None] - self.rating[None, :],
            z_value(level) * np.sqrt(np.maximum(spread, 0)),
        )
        return Interval(value, value - half, value + half)

    def expected(self, members: ArrayLike) -> Floats:
        """The model's win rate of each seat at a table of these policies, float64[..., seat]."""
        who = np.asarray(members, np.int64)
        return _chances(self.rating[who] + self.seat[: who.shape[-1]], who >= 0)


def from_matrix(wins: ArrayLike) -> Tables:
    """Tables of two from wins float64[policy, policy]: row beat column so often. The diagonal is left out."""
    won = np.asarray(wins, np.float64)
    if won.ndim != 2 or won.shape[0] != won.shape[1]:
        raise ValueError(f"a matrix of wins is square, not of shape {won.shape}")
    i, j = np.triu_indices(len(won), 1)
    return Tables(np.stack([i, j], 1).astype(np.int64), np.stack([won[i, j], won[j, i]], 1))


def from_rankings(rankings: ArrayLike, counts: ArrayLike | None = None) -> Tables:
    """Plackett-Luce tables from rankings int[ranking, place], the best first, -1 after the last one ranked.

    A ranking is a choice among all, then among the rest, and so on; each becomes one table. Seats have no
    meaning in them.
    """
    order = np.asarray(rankings, np.int64)
    count = np.ones(len(order)) if counts is None else np.asarray(counts, np.float64)
    members, credits = [], []
    for first in range(order.shape[1] - 1):
        left = np.full_like(order, -1)
        left[:, : order.shape[1] - first] = order[:, first:]
        real = (left >= 0).sum(axis=1) > 1
        won = np.zeros(order.shape)
        won[:, 0] = count
        members.append(left[real])
        credits.append(won[real])
    return Tables(np.concatenate(members), np.concatenate(credits))


def rate(
    tables: Tables, policies: int, seats: bool = False, prior: float = 0.0, robust: bool = False
) -> Ratings:
    """The likeliest ratings of `policies` policies, and their covariance.

    `seats`: estimate the seats' own advantages, too. `prior`: a penalty prior / 2 * rating^2, which keeps
    ratings finite where a policy has won or lost everything (0.01 to 1 do; its bias is told by the size of
    the ratings); without it such tables are a ValueError. `robust`: White's errors, which hold when the model
    is only an approximation, provided that a row is one independent game (see `bootstrap`).
    """
    members, credits = _checked(tables, policies)
    places = members.shape[1] if seats else 0
    design = _design(members, policies, places)
    free = _contrasts(policies, places)
    design = design @ free
    x = np.zeros(free.shape[1])
    if prior <= 0:
        _connected(members, credits, policies)
    for _ in range(100):
        gradient, information = _slope(design, members >= 0, credits, x)
        gradient, information = gradient - prior * x, information + prior * np.eye(len(x))
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        size = np.abs(step).max(initial=0.0)
        x = x + step * min(1.0, 2.0 / max(size, 1e-300))
        if size < 1e-10:
            break
    else:
        raise ValueError("the ratings do not settle: the seats' advantages cannot be told from the policies'")
    covariance = np.linalg.pinv(information)
    if robust:
        scores = _scores(design, members >= 0, credits, x)
        covariance = covariance @ (scores.T @ scores) @ covariance
    found, wide = free @ x, free @ covariance @ free.T
    seat = found[policies:] if seats else np.zeros(members.shape[1])
    return Ratings(found[:policies], seat, wide, float(credits.sum()))


def bootstrap(tables: Tables, policies: int, seats: bool = False, prior: float = 0.01, draws: int = 200,
              seed: int = 1) -> Floats:  # fmt: skip
    """Ratings of resampled games, float64[draw, policy]: every table's games are drawn again (multinomial).

    For intervals without the model's curvature, and for anything computed from ratings, such as the chance
    that a policy is the best.
    """
    members, credits = _checked(tables, policies)
    rng = np.random.default_rng([seed, 0x5EED])
    total = credits.sum(axis=1)
    share = credits / np.where(total > 0, total, 1.0)[:, None]
    found = np.empty((draws, policies))
    for draw in range(draws):
        again = rng.multinomial(np.round(total).astype(np.int64), share).astype(np.float64)
        found[draw] = rate(Tables(members, again), policies, seats, prior).rating
    return found


def best_chance(ratings: Ratings, draws: int = 20_000, seed: int = 1) -> Floats:
    """How likely each policy is the strongest, given the error of all ratings, float64[policy]."""
    k = len(ratings.rating)
    rng = np.random.default_rng([seed, 0xBE57])
    drawn = rng.multivariate_normal(ratings.rating, ratings.covariance[:k, :k], draws, method="eigh")
    return np.bincount(drawn.argmax(axis=1), minlength=k) / draws


def one_sided(tables: Tables, policies: int) -> Ints:
    """Which policies have no rating but a limit, int64[policy]: -1 never won, +1 never lost, 0 both happened.

    Where nobody won any game of a policy, both limits are missing; it counts as 0.
    """
    members, credits = _checked(tables, policies)
    found = np.zeros(policies, np.int64)
    for policy in range(policies):
        mine = members == policy
        there = mine.any(axis=1)
        won, lost = credits[mine].sum(), credits[there].sum() - credits[mine].sum()
        found[policy] = int(lost <= 0) - int(won <= 0)
    return found


def limit(ratings: Ratings, tables: Tables, policy: int, level: float = 0.95) -> float:
    """The upper limit of the rating of a policy that never won, or the lower one of one that never lost.

    One-sided, by the exact limit of its win share (Clopper and Pearson 1934: of n games without a win
    1 - (1 - level)^(1/n)), with all others as they are rated.
    """
    mine = tables.members == policy
    there = mine.any(axis=1)
    members, mine = tables.members[there], mine[there]
    games = tables.credits[there].sum(axis=1)
    won = tables.credits[there][mine].sum()
    total = games.sum()
    rare = 1.0 - (1.0 - level) ** (1.0 / total)
    share = rare if won <= 0 else 1.0 - rare
    strength = ratings.rating[members] + ratings.seat[: members.shape[1]] - mine * ratings.rating[policy]
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2.0
        expected = (_chances(strength + mine * middle, members >= 0) * mine).sum(axis=1) @ games / total
        low, high = (middle, high) if expected < share else (low, middle)
    return (low + high) / 2.0


# ---- the likelihood --------------------------------------------------------------------------------------


def _checked(tables: Tables, policies: int) -> tuple[Ints, Floats]:
    members, credits = np.asarray(tables.members, np.int64), np.asarray(tables.credits, np.float64)
    if members.ndim != 2 or members.shape != credits.shape:
        raise ValueError(
            f"members and credits need one shape [table, seat], not {members.shape}, {credits.shape}"
        )
    if members.size and (members.max() >= policies or members.min() < -1):
        raise ValueError(f"policies are numbered 0 to {policies - 1}")
    if np.any(credits < 0) or np.any(credits[members < 0] != 0):
        raise ValueError("credits are 0 or more, and 0 for an empty seat")
    return members, credits


def _design(members: Ints, policies: int, places: int) -> Floats:
    """float64[table, seat, parameter]: 1 where a seat's log strength has this policy or this place."""
    table = np.zeros((*members.shape, policies + places))
    row, seat = np.nonzero(members >= 0)
    table[row, seat, members[row, seat]] = 1.0
    if places:
        table[row, seat, policies + seat] = 1.0
    return table


def _contrasts(policies: int, places: int) -> Floats:
    """Parameters with mean 0 over policies and over places from free ones: orthonormal columns."""
    blocks = []
    for size in (policies, places):
        if size:
            centred = np.eye(size) - 1.0 / size
            blocks.append(np.linalg.svd(centred)[0][:, : size - 1])
    whole = np.zeros((policies + places, sum(b.shape[1] for b in blocks)))
    row = column = 0
    for block in blocks:
        whole[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return whole


def _chances(strength: Floats, seated: NDArray[np.bool_]) -> Floats:
    """Softmax over the seats that are taken, float64[..., seat]."""
    top = np.where(seated, strength, -np.inf)
    power = np.exp(top - top.max(axis=-1, keepdims=True))
    return np.asarray(power / power.sum(axis=-1, keepdims=True))


def _scores(design: Floats, seated: NDArray[np.bool_], credits: Floats, x: Floats) -> Floats:
    """The gradient of each table's log likelihood, float64[table, parameter]."""
    chance = _chances(design @ x, seated)
    return np.einsum("ts,tsp->tp", credits - credits.sum(axis=1, keepdims=True) * chance, design)


def _slope(design: Floats, seated: NDArray[np.bool_], credits: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Gradient float64[p] and information float64[p, p] of the log likelihood."""
    chance = _chances(design @ x, seated)
    games = credits.sum(axis=1)
    gradient = np.einsum("ts,tsp->p", credits - games[:, None] * chance, design)
    mean = np.einsum("ts,tsp->tp", chance, design)
    weight = games[:, None] * chance
    second = np.einsum("ts,tsp,tsq->pq", weight, design, design)
    return gradient, second - np.einsum("t,tp,tq->pq", games, mean, mean)


def _connected(members: Ints, credits: Floats, policies: int) -> None:
    """ValueError unless every policy has, through others, beaten every other one (Hunter 2004)."""
    from scipy.sparse.csgraph import connected_components

    beat = np.zeros((policies, policies))
    for winner in range(members.shape[1]):
        for loser in range(members.shape[1]):
            real = (credits[:, winner] > 0) & (members[:, winner] >= 0) & (members[:, loser] >= 0)
            np.add.at(beat, (members[real, winner], members[real, loser]), 1.0)
    if connected_components(beat, connection="strong")[0] > 1:
        raise ValueError(
            "some policies never lost to, or never met, the others: ratings need a prior above 0"
        )
