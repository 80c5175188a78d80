"""Playing some games for a check, and comparing what was played: again, alone, in halves, with others."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from analyzer import registry
from analyzer.errors import UserError
from analyzer.policy_api import kinds
from analyzer.sim import engine
from analyzer.sim.chance import Luck
from analyzer.sim.engine import Played
from analyzer.sim.patience import Patience
from analyzer.sim.request import Request, build
from analyzer.sim.steady import arrays_of

if TYPE_CHECKING:
    from analyzer.games.base import Policy

GAMES = 48  # games a check plays at once: enough for every rule to come up, few enough to be quick
ROWS = (0, 17, GAMES - 1)  # games that are also played alone
CUT = 31  # where a block is cut in two to see whether a game minds
SEED = 20_240_229


def table(game: str, count: int, seats: Sequence[registry.Chosen]) -> Request:
    """A run of one block of GAMES games; seats: who plays (none: the game's default policy)."""
    usual = build(game, count, GAMES, policy=registry.default_policy(game), seed=SEED, block=GAMES)
    return dataclasses.replace(usual, policies=tuple(seats)) if seats else usual


def counts(game: str, players: int | Iterable[int] | None) -> list[int]:
    """The numbers of players to check. Raises UserError if the game is not for them."""
    allowed = registry.player_counts(game)
    # The fewest, the most and the usual number show what there is to see; others on request.
    some = sorted({allowed[0], min(4, allowed[-1]), allowed[-1]})
    wanted = some if players is None else [players] if isinstance(players, int) else list(players)
    wrong = [count for count in wanted if count not in allowed]
    if wrong:
        raise UserError(f"{game} is for {registry.players_in_words(game)}, not {wrong[0]}.")
    return list(wanted)


def play_rows(
    request: Request,
    rows: NDArray[np.intp] | None = None,
    compact_below: float = engine.COMPACT_BELOW,
    note: Callable[[str], None] | None = None,
    seed: int = 0,
    watch: engine.Recorder | None = None,
    policies: Sequence[Policy] | None = None,
    block: int = 0,
) -> Played:
    """Play these rows of a block of the request (all: None).

    seed: sets the global generators before. note: is told what changes the view. policies: who plays, if not
    the request's loaded anew. block: whose luck it is.
    """
    first = request.blocks()[0]
    first = dataclasses.replace(first, games=first.size)
    rows = np.arange(first.size) if rows is None else rows
    luck = Luck(game=request.game, seed=request.seed, block=block, size=first.size, rows=rows)
    if policies is None:
        policies = [one.load(request.game) for one in request.policies]
    if note is not None:
        policies = [watched(policy, note) for policy in policies]
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        if note is None:
            random.seed(seed)
            np.random.seed(seed)  # noqa: NPY002  to find out whether anybody uses it
        with mock.patch.object(engine, "COMPACT_BELOW", compact_below):
            return engine.play(request.make_game(), policies, luck, first.indices(), watch)
    finally:
        if note is None:
            random.setstate(states[0])
            np.random.set_state(states[1])  # noqa: NPY002


def watched(policy: Policy, watch: Callable[[str], None]) -> Policy:
    """A copy of the policy that notes when one of its methods changes the view."""
    cls = type(policy)

    def wrap(kind: str) -> Callable[..., Any]:
        def method(self: Any, view: Any, score: Any) -> Any:
            # Bytes: views have a hundred small arrays, and NumPy takes ten times as long to compare two.
            before = [(name, values, values.tobytes()) for name, values in arrays_of(view)]
            answer = getattr(cls, kind)(self, view, score)
            for name, values, was in before:
                if values.tobytes() != was:
                    watch(f"its method {kind!r} changes the view ({name.lstrip('_')}); a view is to look at.")
            return answer

        return method

    spied = type(cls.__name__, (cls,), {kind: wrap(kind) for kind in kinds(cls)})
    twin = copy.copy(policy)
    object.__setattr__(twin, "__class__", spied)
    return twin


def halves(request: Request, watch: Patience) -> list[Played]:
    """The block in two pieces, cut where nobody would expect it."""
    return [play_rows(request, np.arange(*ends), watch=watch) for ends in ((0, CUT), (CUT, GAMES))]


def same(one: Played, other: Played) -> bool:
    """Whether all columns and tallies are the same."""
    return all(np.array_equal(values, other.columns[name]) for name, values in one.columns.items()) and all(
        np.array_equal(tally.counts, other.tallies[name].counts) for name, tally in one.tallies.items()
    )


ITSELF = (
    "Every game (last axis) must depend on itself only, so no sums, means, maxima or sorting over the last "
    "axis."
)


def kept(request: Request, watch: Patience) -> Played:
    """The same games once more, finished ones kept in the block, the global generators in another state."""
    return play_rows(request, seed=2, compact_below=0.0, watch=watch)


def repeats(request: Request, first: Played, again: Played, watch: Patience) -> bool:
    """Whether the same seed gives the same again; if `again` (of `kept`) differs, what is kept may be why."""
    return same(first, again) or same(first, play_rows(request, seed=2, watch=watch))


def independence_faults(
    request: Request, whole: Played, again: Played, who: str, watch: Patience
) -> list[str]:
    """Does a game go the same way alone, in other company, whether or not finished games are taken out?"""
    faults = []
    for row in ROWS:
        alone = play_rows(request, np.array([row]), watch=watch)
        if any(
            not np.array_equal(alone.columns[name][..., 0], v[..., row]) for name, v in whole.columns.items()
        ):
            faults.append(f"{who} goes differently alone than among other games. {ITSELF}")
            break
    else:
        two = halves(request, watch)
        if any(
            not np.array_equal(np.concatenate([one.columns[name] for one in two], axis=-1), v)
            for name, v in whole.columns.items()
        ):
            faults.append(f"{who} goes differently when its block is cut in two. {ITSELF}")
    if not (same(whole, again) and same(whole, play_rows(request, compact_below=1.0, watch=watch))):
        faults.append(f"{who} goes differently when finished games are taken out of the block.")
    return faults
