"""Playing some games for a check, and comparing what was played: again, alone, in halves, with others."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from analyzer import registry
from analyzer.errors import UserError
from analyzer.policy_api import kinds
from analyzer.sim import engine
from analyzer.sim.causes import Cause, generators, why
from analyzer.sim.chance import Luck
from analyzer.sim.engine import Played
from analyzer.sim.patience import Patience
from analyzer.sim.request import Request, build
from analyzer.sim.steady import arrays_of

if TYPE_CHECKING:
    from analyzer.games.base import Policy

GAMES = 48  # games a check plays at once: enough for every rule to come up, few enough to be quick
ROWS = (0, GAMES - 1)  # games that are also played alone
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
    untouched = generators(seed) if note is None else nullcontext()
    with untouched, mock.patch.object(engine, "COMPACT_BELOW", compact_below):
        return engine.play(request.make_game(), policies, luck, first.indices(), watch)


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
                    at = f"{cls.__name__}.{kind}"
                    watch(f"its method {at} changes the view ({name.lstrip('_')}); a view is to look at.")
            return answer

        return method

    spied = type(cls.__name__, (cls,), {kind: wrap(kind) for kind in kinds(cls)})
    twin = copy.copy(policy)
    object.__setattr__(twin, "__class__", spied)
    return twin


def same(one: Played, other: Played) -> bool:
    """Whether all columns and tallies are the same."""
    return all(np.array_equal(values, other.columns[name]) for name, values in one.columns.items()) and all(
        np.array_equal(tally.counts, other.tallies[name].counts) for name, tally in one.tallies.items()
    )


def pieces(request: Request, watch: Patience) -> list[Played]:
    """The block in two pieces, cut where nobody would expect it, and with all else as different as it may be:
    in the first finished games are never taken out, in the second always; the global generators differ."""
    return [
        play_rows(request, np.arange(CUT), seed=2, compact_below=0.0, watch=watch),
        play_rows(request, np.arange(CUT, GAMES), seed=3, compact_below=1.0, watch=watch),
    ]


def fit(request: Request, whole: Played, parts: Sequence[Played], watch: Patience) -> bool:
    """Whether the games of the block go the same way in pieces (of `pieces`), and some of them alone.

    So they do if nothing is wrong; else `variations` tell what is.
    """
    if not _same_columns(whole, joined(parts)):
        return False
    return all(
        _same_columns(play_rows(request, np.array([row]), watch=watch), whole, np.array([row]))
        for row in ROWS
    )


def joined(parts: Sequence[Played]) -> Played:
    """The columns of games that were played in pieces."""
    names = parts[0].columns
    columns = {name: np.concatenate([one.columns[name] for one in parts], axis=-1) for name in names}
    return Played(columns, {}, 0)


def _same_columns(few: Played, many: Played, rows: Any = slice(None)) -> bool:
    """Whether a game's columns are those of these rows of others."""
    return all(np.array_equal(values, many.columns[name][..., rows]) for name, values in few.columns.items())


@dataclass(frozen=True)
class Variation:
    """Another way to play a block, by which nothing may change."""

    seen: str  # what is to be said if something does
    play: Callable[[Sequence[Policy] | None, int], Played]  # policies (None: the request's), seed
    row: int | None = None  # the only game of the block that it plays
    company: bool = True  # whether it is the games beside a game that are others

    def alike(self, whole: Played, varied: Played) -> bool:
        """Whether they go as they do in the whole block."""
        if self.row is not None:
            return _same_columns(varied, whole, np.array([self.row]))
        return same(whole, varied) if varied.tallies else _same_columns(varied, whole)


def plain(request: Request, watch: Patience) -> Variation:
    """The block as it is, with another state of the global generators."""
    return Variation(
        "it plays differently the second time with the same seed.",
        lambda policies, seed: play_rows(request, policies=policies, seed=seed, watch=watch),
        company=False,
    )


def variations(request: Request, watch: Patience) -> Iterator[Variation]:
    """All ways to play a block otherwise, from that which tells most on."""
    yield plain(request, watch)
    for row in ROWS:
        yield Variation(
            "it goes differently alone than among other games.",
            lambda policies, seed, row=row: play_rows(  # type: ignore[misc]
                request, np.array([row]), policies=policies, seed=seed, watch=watch
            ),
            row,
        )
    yield Variation(
        "it goes differently when its block is cut in two.",
        lambda policies, seed: joined(
            [
                play_rows(request, np.arange(*ends), policies=policies, seed=seed, watch=watch)
                for ends in ((0, CUT), (CUT, GAMES))
            ]
        ),
    )
    for share in (0.0, 1.0):
        yield Variation(
            "it goes differently when finished games are taken out of the block.",
            lambda policies, seed, share=share: play_rows(  # type: ignore[misc]
                request, compact_below=share, policies=policies, seed=seed, watch=watch
            ),
            company=False,
        )


def faults(request: Request, whole: Played, watch: Patience, who: str) -> list[str]:
    """What is wrong with games that do not `fit`, and why, as far as the policies are to blame.

    who: in whose name it is said, as "it" (a policy: copies of it tell why) or "a game".
    """
    found: list[str] = []
    for one in variations(request, watch):
        if one.alike(whole, one.play(None, 2)):
            continue
        seen = one.seen.replace("it", who, 1)
        if who != "it":
            return [f"{seen} {ITSELF}" if one.company else seen]
        causes = why(request, plain(request, watch).play, one.play, same, one.alike)
        if not found:
            found.append(f"{seen} {' '.join(causes)}")
        elif Cause.BATCH in causes:
            found.append(f"{seen} {Cause.BATCH}")
        if one.company or causes != [Cause.MEMORY]:
            break  # who remembers may also look at other games: the next one tells
    if found:
        return found
    return [
        f"{who} goes differently in one play than in another, if not in every: nothing but the view and "
        "the parameters of a policy may decide."
    ]


ITSELF = (
    "Every game (last axis) must depend on itself only, so no sums, means, maxima or sorting over the last "
    "axis."
)
