"""What a tournament means: cycles, equilibria, evolutionary ranks and dominated policies of a payoff matrix.

A payoff matrix holds what the row's policy wins against the column's, float64[policy, policy], as `payoffs`
makes it: for two seats the score a game (a win 1, a game that both or none win 1/2), averaged over both
seats, so that row and column share 1; for more seats the win rate of one row among columns in all other
seats, whose fair value is 1 / seats and where row against column says nothing of column against row. `error`
holds the standard errors. Equilibria (`nash`) are for two seats, alpha-rank for any number.

Nothing here is certain when the matrix is not: functions named *_chance repeat the question for matrices
drawn within the errors and tell how often the answer holds.

Sources:
  von Neumann, J. (1928), Math. Ann. 100, 295-320: two-person zero-sum games; solved as a linear program.
  Omidshafiei, S. et al. (2019), Sci. Rep. 9, 9937: alpha-rank; Moran process with selection alpha.
  Nowak, M. A., Sasaki, A., Taylor, C., Fudenberg, D. (2004), Nature 428, 646-650: chance of fixation.
  Gokhale, C. S., Traulsen, A. (2010), PNAS 107, 5500-5504: the same for games of more than two.
  Grassmann, W., Taksar, M., Heyman, D. (1985), Oper. Res. 33, 1107-1116: stationary distributions.
  Berger, R. L. (1982), Technometrics 24, 295-300: intersection-union tests (dominance).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import z_value

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
FAINT = -600.0  # log probability below which a transition is as good as impossible, but keeps the chain whole
STRONGEST = 1e6  # selection beyond which alpha-rank no longer changes for win rates


# ---- who beats whom --------------------------------------------------------------------------------------


def beats(low: ArrayLike, even: float = 0.5) -> Bools:
    """Whether the row clearly beats the column, bool[policy, policy], from lower limits of its payoffs.

    The limits should hold together (`intervals.joint_level` over the pairs).
    """
    found = np.asarray(low, np.float64) > even
    np.fill_diagonal(found, False)
    return found


def cycles(beaten: ArrayLike, longest: int = 4) -> list[tuple[int, ...]]:
    """All cycles of 3 to `longest` policies each of which beats the next, the last the first.

    Each begins with its smallest number; in order of length. A tournament without any can be ranked.
    """
    beat = np.asarray(beaten, bool)
    found: list[tuple[int, ...]] = []

    def walk(path: tuple[int, ...]) -> None:
        if len(path) >= 3 and beat[path[-1], path[0]]:
            found.append(path)
        if len(path) < longest:
            for after in np.flatnonzero(beat[path[-1]]).tolist():
                if after > path[0] and after not in path:
                    walk((*path, after))

    for first in range(len(beat)):
        walk((first,))
    return sorted(found, key=len)


def tops(beaten: ArrayLike) -> list[int]:
    """The policies that nobody outside their circle beats: the smallest sets that beat whatever beats them.

    The sinks of the graph "loses to", as strongly connected components; where no pair is clear, everybody.
    """
    from scipy.sparse.csgraph import connected_components

    beat = np.asarray(beaten, bool)
    many, part = connected_components(beat, connection="strong")
    safe = [c for c in range(many) if not beat[np.ix_(part != c, part == c)].any()]
    return [int(policy) for policy in np.flatnonzero(np.isin(part, safe))]


def cycle_chance(payoff: ArrayLike, error: ArrayLike, even: float = 0.5, total: float | None = 1.0,
                 draws: int = 2000, seed: int = 1) -> tuple[float, dict[tuple[int, ...], float]]:  # fmt: skip
    """(how likely there is any cycle of three, how likely each is), for draws within the errors.

    `even`: the payoff of equals; `total`: what row and column share, None where they share nothing (more than
    two seats). Among two seats there is a cycle if and only if there is one of three. Cycles that never came
    are left out.
    """
    drawn = _drawn(payoff, error, total, draws, seed)
    win = drawn > even
    size = win.shape[1]
    some = np.zeros(draws, bool)
    each: dict[tuple[int, ...], float] = {}
    for i, j, k in product(range(size), repeat=3):
        if i < j and i < k and j != k:
            there = win[:, i, j] & win[:, j, k] & win[:, k, i]
            if there.any():
                each[i, j, k] = float(there.mean())
                some |= there
    return float(some.mean()), dict(sorted(each.items(), key=lambda item: -item[1]))


class Dominance(NamedTuple):
    """Policy `worse` does worse than `better` against every opponent; by at least `least` (an estimate)."""

    worse: int
    better: int
    least: float


def dominated(payoff: ArrayLike, error: ArrayLike, level: float = 0.95) -> list[Dominance]:
    """The policies that are clearly worse than some other one whoever the opponents are.

    payoff, error: float64[policy, opponent], errors independent. All opponents must show it, so each is
    tested at the full level (Berger 1982); over the pairs of policies the level is corrected (Bonferroni).
    """
    value, spread = np.asarray(payoff, np.float64), np.asarray(error, np.float64)
    size = len(value)
    z = z_value(1.0 - 2.0 * (1.0 - level) / max(1, size * (size - 1)))
    found = []
    for worse, better in product(range(size), repeat=2):
        if worse == better:
            continue
        ahead = value[better] - value[worse]
        if np.all(ahead - z * np.hypot(spread[better], spread[worse]) > 0):
            found.append(Dominance(worse, better, float(ahead.min())))
    return found


# ---- equilibrium of two ----------------------------------------------------------------------------------


class Equilibrium(NamedTuple):
    """How often to play each row, float64[row], and column, float64[column], and what the row then wins."""

    rows: Floats
    columns: Floats
    value: float


def nash(payoff: ArrayLike) -> Equilibrium:
    """An equilibrium of a zero-sum game: payoff float64[row, column] of the row's player, the column's is its
    negative (or, for win rates, its complement). Where several exist it is one of them."""
    from scipy.optimize import linprog

    a = np.asarray(payoff, np.float64)
    if a.ndim != 2 or a.size == 0 or not np.isfinite(a).all():
        raise ValueError("a payoff matrix has rows, columns and finite numbers")

    def solve(m: Floats) -> tuple[Floats, float]:
        """The mixture of rows of m with the largest guaranteed value."""
        rows, columns = m.shape
        found = linprog(
            np.r_[np.zeros(rows), -1.0],
            A_ub=np.c_[-m.T, np.ones(columns)],
            b_ub=np.zeros(columns),
            A_eq=np.r_[np.ones(rows), 0.0][None],
            b_eq=[1.0],
            bounds=[(0, None)] * rows + [(None, None)],
            method="highs",
        )
        if found.status != 0:
            raise ValueError(f"the equilibrium was not found: {found.message}")
        weight = np.maximum(found.x[:-1], 0.0)
        return weight / weight.sum(), float(found.x[-1])

    rows, value = solve(a)
    columns, _ = solve(-a.T)
    return Equilibrium(rows, columns, value)


class Support(NamedTuple):
    """Per policy, over draws: how often it is played at all, and its weight; float64[policy] each."""

    chance: Floats
    weight: Floats
    low: Floats
    high: Floats


def nash_chance(payoff: ArrayLike, error: ArrayLike, total: float = 1.0, level: float = 0.95,
                draws: int = 500, seed: int = 1) -> Support:  # fmt: skip
    """Equilibria of symmetric zero-sum matrices drawn within the errors.

    `total`: what row and column share, 1 for win rates, 0 for differences.
    """
    return _support(lambda m: nash(m).rows, _drawn(payoff, error, total, draws, seed), level)


# ---- alpha-rank ------------------------------------------------------------------------------------------


def alpha_rank(payoff: ArrayLike, alpha: float | None = None, population: int = 50) -> Floats:
    """The share of time that evolution spends at each policy, float64[policy] (Omidshafiei et al. 2019).

    payoff: float64[policy, policy] of a symmetric game of two, or float64[i, j, count] of a symmetric game of
    k = last axis seats: what a policy i wins at a table where count + 1 seats play i, the others j (the last
    entry, a table of i alone, does not depend on j). In a population of one policy a mutant appears and
    takes over or dies out by selection of strength `alpha`; large alpha ranks by who beats whom, small
    by how much. Without alpha it is doubled until the ranking settles.
    """
    table = np.asarray(payoff, np.float64)
    if table.ndim == 2:
        own = np.broadcast_to(np.diag(table)[:, None], table.shape)
        table = np.stack([table, own], axis=-1)
    if table.ndim != 3 or table.shape[0] != table.shape[1] or not np.isfinite(table).all():
        raise ValueError(
            f"payoffs want the shape [policy, policy] or [policy, policy, count], not {table.shape}"
        )
    ahead = _ahead(table, population)
    return _settled(lambda strength: _flow(_fixation(ahead * strength)), alpha)


def alpha_rank_roles(
    payoffs: Sequence[ArrayLike], alpha: float | None = None, population: int = 50
) -> Floats:
    """Alpha-rank where seats differ: one population a seat, float64[policy of seat 1, policy of seat 2, ...].

    payoffs: one array a seat, of that same shape: what the seat wins under each profile of policies.
    """
    tables = [np.asarray(table, np.float64) for table in payoffs]
    shape = tables[0].shape
    if len(tables) != len(shape) or any(table.shape != shape for table in tables):
        raise ValueError("alpha_rank_roles wants one array a seat, each with one axis a seat")
    profiles = list(product(*(range(size) for size in shape)))

    def flow(strength: float) -> Floats:
        rate = np.full((len(profiles), len(profiles)), -np.inf)
        for i, now in enumerate(profiles):
            for j, after in enumerate(profiles):
                moved = [seat for seat in range(len(shape)) if now[seat] != after[seat]]
                if len(moved) == 1:
                    table = tables[moved[0]]
                    ahead = np.full(population - 1, strength * (table[after] - table[now]))
                    rate[i, j] = _fixation(ahead)
        return _flow(rate.T).reshape(shape)

    return _settled(flow, alpha)


def alpha_rank_chance(payoff: ArrayLike, error: ArrayLike, total: float | None = 1.0,
                      alpha: float | None = None, population: int = 50, level: float = 0.95,
                      draws: int = 200, seed: int = 1) -> Support:  # fmt: skip
    """Alpha-rank of payoffs drawn within the errors; see `alpha_rank` for their shape, `cycle_chance` for
    `total`: None for payoffs by count."""
    drawn = _drawn(payoff, error, total, draws, seed)
    return _support(lambda m: alpha_rank(m, alpha, population), drawn, level)


def _ahead(table: Floats, population: int) -> Floats:
    """How much fitter i is than j while 1, 2, ... of the population play i, float64[i, j, number].

    The other players of a table are drawn from the rest of the population (hypergeometric).
    """
    from scipy.stats import hypergeom

    seats = table.shape[-1]
    if population < seats:
        raise ValueError(f"a population of {population} cannot fill {seats} seats")
    mutants = np.arange(1, population)
    others = np.arange(seats)
    # Companions of i that play i, too: population - 1 others, of whom mutants - 1 play i; and so for j.
    with_i = hypergeom.pmf(others[None], population - 1, mutants[:, None] - 1, seats - 1)
    with_j = hypergeom.pmf(others[None], population - 1, population - mutants[:, None] - 1, seats - 1)
    return np.asarray(np.einsum("ijc,mc->ijm", table, with_i) - np.einsum("jic,mc->ijm", table, with_j))


def _fixation(ahead: Floats) -> Floats:
    """log chance that one mutant takes over, float64[...]; ahead: float64[..., number of mutants]."""
    from scipy.special import logsumexp

    steps = np.concatenate([np.zeros_like(ahead[..., :1]), -np.cumsum(ahead, axis=-1)], axis=-1)
    return np.asarray(-logsumexp(steps, axis=-1))


def _flow(rate: Floats) -> Floats:
    """The stationary distribution of moves to row from column at log rates float64[to, from] (GTH)."""
    size = len(rate)
    step = np.exp(np.maximum(rate, FAINT).T)
    step[np.isneginf(rate.T)] = 0.0
    np.fill_diagonal(step, 0.0)
    for k in range(size - 1, 0, -1):
        step[:k, k] /= step[k, :k].sum()
        step[:k, :k] += np.outer(step[:k, k], step[k, :k])
    weight = np.ones(size)
    for k in range(1, size):
        weight[k] = weight[:k] @ step[:k, k]
        weight /= weight.sum() if weight.sum() > 1e200 else 1.0
    return weight / weight.sum()


def _settled(solve: Callable[[float], Floats], alpha: float | None) -> Floats:
    """The distribution at this selection, or where doubling it changes no share by 1e-4 any more."""
    if alpha is not None:
        if alpha < 0:
            raise ValueError(f"selection is 0 or more, not {alpha}")
        return solve(alpha)
    strength, found, calm = 1.0, solve(1.0), 0
    while calm < 3 and strength < STRONGEST:
        strength *= 2.0
        again = solve(strength)
        calm = calm + 1 if np.abs(again - found).max() < 1e-4 else 0
        found = again
    return found


# ---- draws within the errors -----------------------------------------------------------------------------


def _drawn(payoff: ArrayLike, error: ArrayLike, total: float | None, draws: int, seed: int) -> Floats:
    """Payoffs float64[draw, policy, policy(, count)] with normal errors.

    Row and column share `total`; with None all entries are drawn apart.
    """
    value, spread = np.asarray(payoff, np.float64), np.asarray(error, np.float64)
    if value.ndim < 2 or value.shape[0] != value.shape[1] or spread.shape != value.shape:
        raise ValueError("payoffs and errors want one square shape [policy, policy]")
    if value.ndim > 2 and total is not None:
        raise ValueError("payoffs by count share no total: give None")
    noise = np.random.default_rng([seed, 0xD0A7]).standard_normal((draws, *value.shape))
    if total is None:
        return np.asarray(value + spread * noise)
    upper = np.triu(np.ones(value.shape, bool), 1)
    drawn = np.where(upper, value + spread * noise, 0.0)
    lower = np.where(upper, total - drawn, 0.0)
    found: Floats = drawn + np.swapaxes(lower, 1, 2) + np.eye(len(value)) * total / 2.0
    return found


def _support(solve: Callable[[Floats], Floats], drawn: Floats, level: float) -> Support:
    weights = np.array([solve(matrix) for matrix in drawn])
    low, high = np.quantile(weights, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Support((weights > 1e-6).mean(axis=0), weights.mean(axis=0), low, high)
