"""Who meets whom in a tournament: entrants, and the line-ups that they play.

An entrant is a policy, or, where an axis of the game pairs things off (decks that meet), one of those in the
hands of a policy. Every line-up has luck of its own: the payoffs of two line-ups then are independent, as
ratings, equilibria and averages over opponents need them to be. (On common luck an average over opponents
would look more certain than it is.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer import registry
from analyzer.axes import Axis, select
from analyzer.errors import UnknownArgument, UserError, argument
from analyzer.registry import Chosen, choose, default_policy, player_counts, policies_of
from analyzer.sim import request
from analyzer.sim.chance import MAX_SEED
from analyzer.sim.request import Request
from analyzer.sim.settings import config_of
from analyzer.specs import split_list

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.stats.payoffs import Ints

MAX_LINEUPS = 2000
MIXED = 60  # line-ups of many policies at tables for more than two, if there are more


@dataclass(frozen=True)
class Entrant:
    """Who takes part. name: in tables; policy; thing: what it plays with, on the axis that pairs things off
    ("" without one)."""

    name: str
    policy: Chosen
    thing: str = ""


@dataclass(frozen=True)
class LineUp:
    """One run of a tournament. members: int64[rotation, seat], the number of the entrant in each seat."""

    request: Request
    members: Ints

    @property
    def names(self) -> tuple[int, ...]:
        """The entrants at the table, each as often as it holds a seat, in ascending order (rotation 0)."""
        return tuple(sorted(self.members[0].tolist()))


@dataclass(frozen=True)
class Field:
    """The entrants and all line-ups. axis: the name of the axis that pairs things off, "" without one; left:
    how many line-ups of many policies were left out, of how many."""

    game: str
    players: int
    seed: int
    entrants: tuple[Entrant, ...]
    lineups: tuple[LineUp, ...]
    axis: str = ""
    left: tuple[int, int] = (0, 0)

    @property
    def names(self) -> list[str]:
        """The entrants by name."""
        return [one.name for one in self.entrants]

    @property
    def requests(self) -> list[Request]:
        """One run a line-up."""
        return [one.request for one in self.lineups]


def field(
    game: str,
    players: object = None,
    n: int = 4000,
    policies: str | Sequence[Any] | None = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    axes: Mapping[str, object] | None = None,
    mixed: int = MIXED,
) -> Field:
    """The field of a tournament: n games a line-up (a pairing, where two meet).

    policies: those that take part, default all of the game; one policy, where things are paired off.
    mixed: at tables for more than two, line-ups of many policies at most. Raises UserError.
    """
    pairing, things, fixed = _things(game, settings, config, axes or {})
    chosen = _chosen(game, policies, alone=bool(things))
    entrants = _entrants(chosen, things)
    if len(entrants) < 2:
        raise UserError("A tournament needs two or more to take part; it has one.")
    seats = _seats(game, players, bool(things))
    n = request.check_number("n", n, 2, request.MAX_N)
    seed = request.check_number("seed", seed, 0, MAX_SEED)
    if pairing is not None:
        made = _paired(game, n, seed, settings, config, block, fixed, pairing, chosen, things)
        return Field(game, seats, seed, entrants, tuple(made), pairing.name)
    known = config_of(game, settings, config, fixed)
    tables, left = tables_of(len(entrants), seats, mixed, seed)
    _few(len(tables))
    lines = tuple(_plain(known, table, entrants, n, seed, block) for table in tables)
    return Field(game, seats, seed, entrants, lines, left=left)


def _seats(game: str, players: object, pairs: bool) -> int:
    counts = player_counts(game)
    if players is None:
        return 2 if pairs else min(4, max(counts))
    try:
        seats = int(str(players))
    except ValueError:
        raise UserError(f"A tournament is for one number of players, not {players}.") from None
    request.check_players(game, seats)
    if seats < 2 or (pairs and seats != 2):
        raise UserError(f"This tournament is for {'2' if pairs else '2 or more'} players, not {seats}.")
    return seats


def _things(
    game: str, settings: Any, config: Any, axes: Mapping[str, object]
) -> tuple[Axis | None, list[str], dict[str, object]]:
    """(the axis that pairs things off, what takes part on it, all other axes as they were given)."""
    given = {name: value for name, value in axes.items() if value is not None}
    known = {axis.keyword: axis for axis in registry.axes(game)}
    for name in given:
        if name not in known:
            raise UnknownArgument(name, known, game)
        if known[name].seated:
            raise UserError(
                f"A tournament is of policies anyway: give {argument('policies')}, not {argument(name)}."
            )
    base = config_of(game, settings, config, {}) if given else None
    for name, value in given.items():
        axis = known[name]
        if axis.each == 2:
            things = list(dict.fromkeys(thing for pair in select(axis, value, base) for thing in pair))
            return axis, things, {key: one for key, one in given.items() if key != name}
    return None, [], given


def _chosen(game: str, policies: str | Sequence[Any] | None, alone: bool) -> list[Chosen]:
    if policies is None:
        lines: list[Any] = [default_policy(game)] if alone else list(policies_of(game))
    else:
        lines = split_list(policies) if isinstance(policies, str) else list(policies)
    if [str(one).strip() for one in lines] == ["all"]:
        lines = list(policies_of(game))
    found = [choose(one, game) for one in lines]
    return list({(one.spec, one.digest): one for one in found}.values())


def _entrants(policies: Sequence[Chosen], things: Sequence[str]) -> tuple[Entrant, ...]:
    labels = [one.label for one in policies]
    names = [
        one.label if labels.count(one.label) == 1 else one.spec for one in policies
    ]  # two files may call theirs the same
    if not things:
        return tuple(Entrant(name, one) for name, one in zip(names, policies, strict=True))
    if len(policies) == 1:
        return tuple(Entrant(thing, policies[0], thing) for thing in things)
    pairs = product(things, zip(names, policies, strict=True))
    return tuple(Entrant(f"{thing} · {name}", one, thing) for thing, (name, one) in pairs)


def _few(count: int) -> None:
    if count > MAX_LINEUPS:
        raise UserError(
            f"These are {count:,} line-ups; at most {MAX_LINEUPS:,} make a tournament. Name fewer entrants."
        )


# ---- tables of policies ----------------------------------------------------------------------------------


def tables_of(
    entrants: int, seats: int, mixed: int, seed: int
) -> tuple[list[tuple[int, ...]], tuple[int, int]]:
    """(line-ups as ascending numbers of entrants, (how many were left out, of how many mixed ones)).

    Two seats: every pairing. More: every table of one policy, every table of two in every proportion (what
    alpha-rank asks for), and tables of as many policies as there are seats, a balanced sample of them.
    """
    if seats == 2:
        return list(combinations(range(entrants), 2)), (0, 0)
    found = [(one,) * seats for one in range(entrants)]
    for i, j in combinations(range(entrants), 2):
        found += [(i,) * count + (j,) * (seats - count) for count in range(seats - 1, 0, -1)]
    many = min(seats, entrants)
    full = [
        tuple(sorted((*kinds, *more)))
        for kinds in combinations(range(entrants), many)
        for more in combinations_with_replacement(kinds, seats - many)
    ]
    full = [table for table in dict.fromkeys(full) if table not in set(found)]
    kept = balanced(full, entrants, mixed, seed)
    return found + kept, (len(full) - len(kept), len(full))


def balanced(tables: Sequence[tuple[int, ...]], entrants: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """At most so many of the tables, in which policies meet each other about equally often.

    Greedy: always the table whose pairs have met least, the first of them in an order by lot.
    """
    if len(tables) <= most:
        return list(tables)
    order = np.random.default_rng([seed, 0x7AB1E]).permutation(len(tables))
    seated = np.array([np.bincount(tables[i], minlength=entrants) for i in order])
    pairs = np.einsum("ti,tj->tij", seated, seated)[:, *np.triu_indices(entrants)].astype(np.int64)
    met = np.zeros(pairs.shape[1], np.int64)
    free = np.ones(len(tables), bool)
    chosen = []
    for _ in range(most):
        cost = np.where(free, pairs @ (2 * met) + (pairs * pairs).sum(axis=1), np.iinfo(np.int64).max)
        best = int(cost.argmin())
        free[best] = False
        met += pairs[best]
        chosen.append(int(order[best]))
    return [tables[i] for i in sorted(chosen)]


def _plain(
    config: Config, table: tuple[int, ...], entrants: Sequence[Entrant], n: int, seed: int, block: int | None
) -> LineUp:
    """A line-up of policies alone: they take turns in all seats."""
    seated = [entrants[i].policy for i in _spread(table)]
    asked = _request(config, seated, n, seed, block)
    members = np.array([[_spread(table)[index] for index in seats] for seats in asked.rotations], np.int64)
    return LineUp(asked, members)


def _spread(table: tuple[int, ...]) -> list[int]:
    """Equal policies as far from each other as they can sit: A A B B is played as A B A B."""
    ranked = [
        ((rank + 0.5) / table.count(one), one)
        for one in sorted(set(table), key=lambda one: (-table.count(one), one))
        for rank in range(table.count(one))
    ]
    return [one for _, one in sorted(ranked)]


def _request(
    config: Config, seated: Sequence[Chosen], n: int, seed: int, block: int | None, mark: str = ""
) -> Request:
    own = own_seed(seed, mark, *(f"{one.spec} {one.digest}" for one in seated))
    size = request.default_block(config.game) if block is None else block
    return Request(config, len(seated), tuple(seated), n, own, size)


def own_seed(seed: int, *names: str) -> int:
    """The seed of a line-up: from that of the tournament and who sits there, so that its games stay the same
    whoever else takes part."""
    told = "\n".join([str(seed), *names])
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "little") % MAX_SEED


# ---- things that are paired off --------------------------------------------------------------------------


def _paired(
    game: str, n: int, seed: int, settings: Any, config: Any, block: int | None, fixed: Mapping[str, object],
    axis: Axis, policies: Sequence[Chosen], things: Sequence[str],
) -> Iterator[LineUp]:  # fmt: skip
    """Every pairing of entrants in both orders: the axis says what sits where, so each order is a run of its
    own, and the policies take turns in it."""
    count = len(policies)
    runs = len(things) ** 2 * count * (count + 1) // 2
    _few(runs)
    for (a, first), (b, second) in product(enumerate(things), repeat=2):
        known = config_of(game, settings, config, {**fixed, axis.keyword: f"{first}:{second}"})
        for p, q in combinations_with_replacement(range(count), 2):
            if a == b and p == q:
                continue
            seated = [policies[p], policies[q]]
            # Of two different policies each order of the things is two pairings, half of a run each.
            games = n if p != q else max(1, n // 2)
            asked = _request(known, seated, games, seed, block, f"{first} : {second}")
            places = [[(p, q)[index] for index in seats] for seats in asked.rotations]
            members = np.array([[a * count + x, b * count + y] for x, y in places], np.int64)
            yield LineUp(asked, members)
