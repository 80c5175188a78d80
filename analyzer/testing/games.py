"""The contract of a game."""

from __future__ import annotations

import inspect
import os
import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

import analyzer
from analyzer import axes, copies, registry
from analyzer.apart import Tell
from analyzer.errors import PolicyError, UserError
from analyzer.sim import settings
from analyzer.sim.patience import SECONDS, Patience
from analyzer.sim.request import Request
from analyzer.testing import playing
from analyzer.testing.effects import GlobalRandomness
from analyzer.testing.faults import ContractError
from analyzer.testing.outcomes import column_faults, tally_faults
from analyzer.testing.playing import play_rows


def check_game(
    game: str,
    players: int | Iterable[int] | None = None,
    policies: Iterable[str] | None = None,
    patience: float = SECONDS,
    tell: Tell = lambda *_: None,
) -> None:
    """Check a game's rules, columns and tallies with its policies, for several numbers of players.

    players: as in `check_policy`. policies: names, by default all. Of them the first and the default one
    are also played alone, again, and in halves. patience: seconds that it may take from one decision to the
    next. tell: is told of each check that is made: what, how many are done, of how many.
    Raises UserError if there is no such game, PolicyError if it hangs, ContractError with all faults.
    """
    tell("axes", 0, 1)
    with Patience(patience, "the game"):
        faults = _axis_faults(game)
        names = list(registry.policies_of(game) if policies is None else policies)
        closely = most_telling(game)
    tables = _tables(names, closely, playing.counts(game, players))
    found: dict[_Table, list[str]] = {}

    def look(table: _Table) -> list[str]:
        seats = [registry.choose(table.names[seat % len(table.names)], game) for seat in range(table.players)]
        request = playing.table(game, table.players, seats)
        with Patience(patience, "the game") as watch:
            return _game_faults(request, table.closely, watch)

    tell(f"games of {', '.join(names)}", 0, len(tables))
    for table, wrong in copies.share(look, tables, (os.cpu_count() or 1) - 1):
        found[table] = wrong
        tell(f"{table}: {'faults' if wrong else 'right'}", len(found), len(tables))
    faults += [f"{table}: {fault}" for table in tables for fault in found[table]]
    if faults:
        raise ContractError(f"The game {game}", faults)


@dataclass(frozen=True)
class _Table:
    players: int
    names: tuple[str, ...]  # the policies at it, one a seat, over again if there are more seats
    closely: bool

    def __str__(self) -> str:
        return f"{self.players} player{'s' * (self.players > 1)}, {', '.join(self.names)}"


def _tables(names: list[str], closely: list[str], counts: list[int]) -> list[_Table]:
    """Every policy plays with every number of players: one to be looked at closely in all seats, the others
    together. What takes long comes first, for the tables are shared."""
    others = [name for name in names if name not in closely]
    alone = [_Table(count, (name,), True) for count in counts for name in names if name in closely]
    return alone + [
        _Table(count, tuple(others[first : first + count]), False)
        for count in counts
        for first in range(0, len(others), count)
    ]


def most_telling(game: str) -> list[str]:
    """The policies a game is checked closely with: its first, `random` in ours, and its default one."""
    return list(dict.fromkeys([next(iter(registry.policies_of(game))), registry.default_policy(game)]))


def _axis_faults(game: str) -> list[str]:
    """What is wrong with the axes the game declares: names, and the config of every value."""
    taken = {*inspect.signature(analyzer.run).parameters, "json", "no-plots", "help", "game", "policy-api"}
    faults = []
    for axis in registry.axes(game):
        if axis.name in taken - {registry.PLAYERS} or not re.fullmatch(r"[a-z]+(-[a-z]+)*", axis.name):
            faults.append(
                f"the axis {axis.name!r} cannot be an option; its name is taken or not in small letters."
            )
            continue
        taken.add(axis.name)
        try:
            planned = settings.plan(game, n=1, axes={axis.keyword: axes.ALL})
        except UserError as error:
            faults.append(f"the axis {axis.name!r}: {error}")
            continue
        labels = [setting.name for setting in planned.settings]
        same = {label for label in labels if labels.count(label) > 1}
        faults += [
            f"the axis {axis.name!r} writes two settings the same: {label!r}." for label in sorted(same)
        ]
    return faults


def _game_faults(request: Request, thorough: bool, watch: Patience) -> list[str]:
    faults: list[str] = []
    try:
        with GlobalRandomness(faults):
            whole = play_rows(request, note=faults.append, watch=watch)
    except PolicyError as error:
        return [*faults, str(error)]
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return [
            *faults,
            f"playing it raised {type(error).__name__}: {error} ({last.filename}:{last.lineno}).",
        ]
    faults += column_faults(request, whole)
    faults += tally_faults(request, whole)
    if faults or not thorough:
        return faults
    parts = playing.pieces(request, watch)
    if not playing.fit(request, whole, parts, watch):
        faults += playing.faults(request, whole, watch, "a game")
    for name, tally in whole.tallies.items():
        if not np.array_equal(tally.counts, parts[0].tallies[name].counts + parts[1].tallies[name].counts):
            faults.append(f"the tally {name!r} of all games is not the sum of the tallies of two halves.")
    return faults
