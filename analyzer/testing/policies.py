"""The contract of a policy."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer import registry
from analyzer.apart import Tell
from analyzer.errors import PolicyError
from analyzer.policy_api import kinds
from analyzer.sim import engine, steady
from analyzer.sim.causes import Cause, why
from analyzer.sim.engine import Played
from analyzer.sim.patience import SECONDS, Patience
from analyzer.sim.request import Request
from analyzer.testing import playing
from analyzer.testing.effects import GlobalRandomness, Unchanged, Writing
from analyzer.testing.faults import ContractError
from analyzer.testing.outcomes import column_faults, tally_faults
from analyzer.testing.playing import GAMES, play_rows

if TYPE_CHECKING:
    from analyzer.games.base import Policy

CROWD = 2048  # games beside which the first GAMES are played, too
LATE = 2400  # decisions after which the first games are played again
FEW = np.arange(8)  # these games


def check_policy(
    policy: str | Policy | type[Policy],
    game: str = "moscow",
    players: int | Iterable[int] | None = None,
    patience: float = SECONDS,
    thorough: bool = True,
    tell: Tell = lambda *_: None,
) -> None:
    """Check a policy: legal answers of the right shape, finite scores, and nothing but view and parameters.

    policy: a line ("path/to/file.py:Name:courage=0.5"), a class or an object. players: one number or
    several; by default the fewest, the most and the usual. patience: seconds that it may take for an answer.
    thorough: also among thousands of games, and after more than a thousand decisions. Raises UserError if
    it cannot be found, PolicyError if it hangs, ContractError with all faults else. What the game makes of
    its games (columns and tallies) is looked at, too. tell: is told of each check: what, how many are done,
    of how many. A policy that ends its process ends this one; only `analyze check` plays in another.
    """
    with Patience(patience, "the policy") as watch:
        chosen = registry.choose(policy, game)
        found = chosen.load(game)
        faults = _misnamed(type(found), registry.game_class(game).policy_base)
        counts = playing.counts(game, players)
        usual = playing.table(game, min(4, counts[-1]) if players is None else counts[-1], ())
        usual = dataclasses.replace(usual, policies=(chosen,) * usual.players)
        tables = _tables(chosen, game, counts)
        steps = len(tables) + 3 * thorough
        late = None
        if thorough and not faults:
            tell(f"{chosen.label} as it begins", 0, steps)
            with Unchanged(faults):
                late = _Late(usual, watch)
        for done, (name, table, closely) in enumerate([] if faults else tables, int(thorough)):
            tell(name, done, steps)
            faults += _play_faults(table, closely, watch)
            if faults:
                break  # the same again with other numbers of players would only repeat it
        if late is not None and not faults:
            tell(f"{chosen.label} among {CROWD:,} games", steps - 2, steps)
            faults += _crowd_faults(usual, watch)
            tell(f"{chosen.label} after {LATE:,} decisions", steps - 1, steps)
            faults += late.faults()
    if faults:
        raise ContractError(f"Policy {chosen.label}", faults)


def _tables(chosen: registry.Chosen, game: str, counts: list[int]) -> list[tuple[str, Request, bool]]:
    """The tables it plays at: name, in all seats or against random, whether to look at it closely."""
    tables = []
    for count in counts:
        alike = playing.table(game, count, [chosen] * count)
        tables.append((f"{chosen.label} in all {count} seats", alike, count == counts[-1]))
        if "random" in registry.policies_of(game):
            mixed = playing.table(game, count, [chosen, *[registry.choose("random", game)] * (count - 1)])
            if mixed.policies != alike.policies:
                tables.append((f"{chosen.label} against random, {count} players", mixed, False))
    return tables


def _misnamed(cls: type[Any], base: type[Any]) -> list[str]:
    """Methods that look like a decision's but are not called like one."""
    known, faults = kinds(base), []
    for name in kinds(cls).keys() - known.keys():
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
        if close:
            faults.append(f"its method {name!r} is never called; did you mean {close[0]!r}?")
    for name, method in kinds(cls).items():
        if name in known and len(inspect.signature(method).parameters) != 3:
            faults.append(f"its method {name!r} must take (self, view, score).")
    return sorted(faults)


def _play_faults(request: Request, thorough: bool, watch: Patience) -> list[str]:
    """What goes wrong when policies play; `thorough`: also against the same game alone, and again."""
    faults: list[str] = []
    try:
        first = None
        with Unchanged(faults), GlobalRandomness(faults), Writing(faults):
            first = play_rows(request, note=faults.append, seed=1, watch=watch)
        if first is None:
            return faults
        faults += column_faults(request, first) or tally_faults(request, first)
        if faults or not thorough:
            return faults
        if not playing.fit(request, first, playing.pieces(request, watch), watch):
            return playing.faults(request, first, watch, "it")
        watch.beat()
        steady.try_out(request, [True] * request.players)  # other scores, even if they change no action
        return []
    except PolicyError as error:
        return [*faults, str(error)]


def _crowd_faults(request: Request, watch: Patience) -> list[str]:
    """Does a game go the same way among thousands of others?"""
    request = dataclasses.replace(request, n=CROWD, block=CROWD)

    def play(games: int) -> Callable[[Sequence[Policy] | None, int], Played]:
        return lambda policies, seed: play_rows(
            request, np.arange(games), policies=policies, seed=seed, watch=watch
        )

    def alike(one: Played, other: Played) -> bool:
        return all(
            np.array_equal(values[..., :GAMES], other.columns[name][..., :GAMES])
            for name, values in one.columns.items()
        )

    few, many = play(GAMES), play(CROWD)
    try:
        if alike(few(None, 0), many(None, 0)):
            return []
        causes = why(request, few, many, alike)
    except PolicyError as error:
        return [str(error)]
    return [f"it plays a game differently among {CROWD:,} games than among {GAMES}. {' '.join(causes)}"]


class _Late:
    """Does a policy still play the same after many decisions, in several blocks? Begins before other checks,
    with an object that nobody else asks, and goes on after them."""

    def __init__(self, request: Request, watch: Patience) -> None:
        self.request, self.watch = request, watch
        # One for all seats: what it keeps on itself fills the sooner.
        self.policies = [request.policies[0].load(request.game)] * request.players
        self.first = self._play(watch)

    def _play(self, watch: engine.Recorder, block: int = 0) -> Played | str:
        """Some games, or what is wrong."""
        try:
            return play_rows(self.request, FEW, policies=self.policies, watch=watch, block=block)
        except PolicyError as error:
            return str(error)

    def faults(self) -> list[str]:
        """Go on, and play the first games again."""
        counted, block = _Counted(self.watch), 0
        while counted.decisions < LATE:
            block += 1
            if isinstance(wrong := self._play(counted, block), str):
                return [wrong]
        again = self._play(self.watch)
        if isinstance(again, str) or isinstance(self.first, str):
            return [one for one in (self.first, again) if isinstance(one, str)]
        if playing.same(self.first, again):
            return []
        return [f"it plays the same games differently after {counted.decisions:,} decisions. {Cause.MEMORY}"]


class _Counted:
    """Counts the decisions of a play, and lets the watch know of them."""

    def __init__(self, watch: Patience) -> None:
        self.watch, self.decisions = watch, 0
        self.start, self.turn_end = watch.start, watch.turn_end

    def decision(self, state: Any, turn: int, decision: Any, answer: Any) -> None:
        """One more."""
        self.decisions += 1
        self.watch.beat()
