"""The contracts of games and policies as callable checks, for the project's tests and for plug-in authors.

    from analyzer.testing import check_policy
    check_policy("my_policies.py:Sprinter", game="moscow")

A check returns nothing if all is well, and raises ContractError with everything it found, in words.
"""

from __future__ import annotations

import copy
import dataclasses
import difflib
import inspect
import random
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import analyzer
from analyzer import axes, registry
from analyzer.errors import PolicyError, UserError
from analyzer.policy_api import kinds
from analyzer.sim import engine, settings
from analyzer.sim.chance import Luck
from analyzer.sim.engine import Played
from analyzer.sim.request import Request, build
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Policy

GAMES = 48  # games a check plays at once: enough for every rule to come up, few enough to be quick
ROWS = (0, 17, GAMES - 1)  # games that are also played alone
SEED = 20_240_229


class ContractError(UserError):
    """A policy or a game does not keep its contract; the text lists all that was found."""

    def __init__(self, what: str, faults: Sequence[str]) -> None:
        self.faults = list(dict.fromkeys(faults))
        super().__init__(
            "\n".join([f"{what} does not keep its contract:", *(f"- {one}" for one in self.faults)])
        )


# ---------------------------------------------------------------- policies


def check_policy(
    policy: str | Policy | type[Policy],
    game: str = "moscow",
    players: int | Iterable[int] | None = None,
) -> None:
    """Check a policy: legal answers of the right shape, finite scores, and nothing but view and parameters.

    policy: a line ("path/to/file.py:Name:courage=0.5"), a class or an object. players: one number or
    several; by default the fewest, the most and the usual. Raises UserError if
    it cannot be found, ContractError with all faults else. What the game makes of its games (columns and
    tallies) is looked at, too.
    """
    chosen = registry.choose(policy, game)
    found = chosen.load(game)
    faults = _misnamed(type(found), registry.game_class(game).policy_base)
    counts = _counts(game, players)
    for count in counts:
        alike = [chosen] * count
        faults += _play_faults(_table(game, count, alike), thorough=count == counts[-1])
        if "random" in registry.policies_of(game) and not faults:
            mixed = [chosen, *[registry.choose("random", game)] * (count - 1)]
            if mixed != alike:
                faults += _play_faults(_table(game, count, mixed), thorough=False)
        if faults:
            break  # the same again with other numbers of players would only repeat it
    if faults:
        raise ContractError(f"Policy {chosen.label}", faults)


def _table(game: str, count: int, seats: Sequence[registry.Chosen]) -> Request:
    table = build(game, count, GAMES, policy=registry.default_policy(game), seed=SEED, block=GAMES)
    return dataclasses.replace(table, policies=tuple(seats))


def _counts(game: str, players: int | Iterable[int] | None) -> list[int]:
    allowed = registry.player_counts(game)
    # The fewest, the most and the usual number show what there is to see; others on request.
    some = sorted({allowed[0], min(4, allowed[-1]), allowed[-1]})
    wanted = some if players is None else [players] if isinstance(players, int) else list(players)
    wrong = [count for count in wanted if count not in allowed]
    if wrong:
        raise UserError(f"{game} is for {registry.players_in_words(game)}, not {wrong[0]}.")
    return list(wanted)


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


def _play_faults(request: Request, thorough: bool) -> list[str]:
    """What goes wrong when policies play; `thorough`: also against the same game alone, and again."""
    faults: list[str] = []
    try:
        with _GlobalRandomness(faults):
            first = play_rows(request, watch=faults.append, seed=1)
        faults += _column_faults(request, first) or _tally_faults(request, first)
        if faults or not thorough:
            return faults
        kept = _kept(request)
        if _repeats(request, first, kept):
            return _independence_faults(request, first, kept, "it")
    except PolicyError as error:
        return [*faults, str(error)]
    return [
        "it plays differently the second time with the same seed: let it use nothing but the view and its "
        "parameters (random choices: equal scores, or the parameter `noise`)."
    ]


class _GlobalRandomness:
    """Notes a fault if the state of a global random generator has changed."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults

    def __enter__(self) -> None:
        self.before = self._states()

    def __exit__(self, *_: object) -> None:
        if self._states() != self.before:
            self.faults.append(
                "it draws from a global random generator (random or numpy.random); a run could not be "
                "repeated. Equal scores are decided at random by the engine, and the parameter `noise` adds "
                "seeded noise."
            )

    @staticmethod
    def _states() -> tuple[Any, ...]:
        kind, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002  looked at, not drawn from
        return random.getstate(), kind, np.asarray(keys).tobytes(), *rest


# ---------------------------------------------------------------- games


def check_game(
    game: str, players: int | Iterable[int] | None = None, policies: Iterable[str] | None = None
) -> None:
    """Check a game's rules, columns and tallies with its policies, for several numbers of players.

    players: as in `check_policy`. policies: names, by default all. Of them the first and the default one
    are also played alone, again, and in halves.

    Raises UserError if there is no such game, ContractError with all faults.
    """
    faults = _axis_faults(game)
    closely = most_telling(game)
    for count in _counts(game, players):
        for name in registry.policies_of(game) if policies is None else policies:
            request = _table(game, count, [registry.choose(name, game)] * count)
            found = _game_faults(request, thorough=name in closely)
            faults += [f"{count} players, {name}: {fault}" for fault in found]
    if faults:
        raise ContractError(f"The game {game}", faults)


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


def _game_faults(request: Request, thorough: bool) -> list[str]:
    faults: list[str] = []
    try:
        with _GlobalRandomness(faults):
            whole = play_rows(request, watch=faults.append)
    except PolicyError as error:
        return [*faults, str(error)]
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return [
            *faults,
            f"playing it raised {type(error).__name__}: {error} ({last.filename}:{last.lineno}).",
        ]
    faults += _column_faults(request, whole)
    faults += _tally_faults(request, whole)
    if faults or not thorough:
        return faults
    kept = _kept(request)
    if not _repeats(request, whole, kept):
        faults.append("the same seed gives another result the second time.")
    faults += _independence_faults(request, whole, kept, "a game")
    halves = [play_rows(request, np.arange(*ends)) for ends in ((0, GAMES // 2), (GAMES // 2, GAMES))]
    for name, tally in whole.tallies.items():
        if not np.array_equal(tally.counts, halves[0].tallies[name].counts + halves[1].tallies[name].counts):
            faults.append(f"the tally {name!r} of all games is not the sum of the tallies of two halves.")
    return faults


def _column_faults(request: Request, played: Played) -> list[str]:
    faults = []
    for name in ("winner", "end", "turns", "rounds"):
        if name not in played.columns:
            faults.append(f"its outcome lacks {name!r}.")
    for name, values in played.columns.items():
        if values.shape not in ((GAMES,), (request.players, GAMES)):
            faults.append(f"the measure {name!r} has shape {values.shape}; [game] or [seat, game] is needed.")
        if values.dtype.kind not in "iu":
            faults.append(f"the measure {name!r} is {values.dtype}; whole numbers are needed.")
    if faults:
        return faults
    game = request.make_game()
    winner, turns = played.columns["winner"], played.columns["turns"]
    if winner.min() < -1 or winner.max() > request.players:
        faults.append(f"a winner is not -1 (shared), 0 (nobody) or a seat 1 to {request.players}.")
    if turns.min() < 1 or turns.max() > game.max_turns:
        faults.append(f"a number of turns is not within 1 to {game.max_turns}.")
    if not np.array_equal(played.columns["rounds"], -(-turns.astype(int) // request.players)):
        faults.append("rounds is not turns / players, rounded up.")
    for name, labels in getattr(game, "labels", {}).items():
        if played.columns[name].max() >= len(labels):
            faults.append(f"a code of {name!r} has no label.")
    return faults


def _tally_faults(request: Request, played: Played) -> list[str]:
    faults = [
        f"the tally {name!r} is not a Tally of whole numbers from 0 on."
        for name, tally in played.tallies.items()
        if not isinstance(tally, Tally) or tally.counts.dtype.kind not in "iu" or tally.counts.min() < 0
    ]
    if "shares" not in played.tallies:
        return [*faults, "it lacks the tally 'shares' (seat, winners)."]
    shares = played.tallies["shares"]
    if list(shares.axes) != ["seat", "winners"]:
        return [*faults, f"the tally 'shares' has the axes {list(shares.axes)}; seat, winners are needed."]
    credit = (shares.counts / np.asarray(shares.axes["winners"])).sum()
    won = np.count_nonzero(played.columns["winner"])
    if not np.isclose(credit, won):
        faults.append(f"the tally 'shares' gives {credit} wins, the column 'winner' {won}.")
    return faults


# ---------------------------------------------------------------- playing, and comparing what was played


def play_rows(
    request: Request,
    rows: NDArray[np.intp] | None = None,
    compact_below: float = engine.COMPACT_BELOW,
    watch: Callable[[str], None] | None = None,
    seed: int = 0,
) -> Played:
    """Play these rows of the request's first block (all: None); `seed` sets the global generators before."""
    rows = np.arange(GAMES) if rows is None else rows
    block = request.blocks()[0]
    luck = Luck(game=request.game, seed=request.seed, block=block.number, size=block.size, rows=rows)
    policies = [one.load(request.game) for one in request.policies]
    if watch is not None:
        policies = [_watched(policy, watch) for policy in policies]
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        if watch is None:
            random.seed(seed)
            np.random.seed(seed)  # noqa: NPY002  to find out whether anybody uses it
        with mock.patch.object(engine, "COMPACT_BELOW", compact_below):
            return engine.play(request.make_game(), policies, luck, block.indices())
    finally:
        if watch is None:
            random.setstate(states[0])
            np.random.set_state(states[1])  # noqa: NPY002


def _same(one: Played, other: Played) -> bool:
    return all(np.array_equal(values, other.columns[name]) for name, values in one.columns.items()) and all(
        np.array_equal(tally.counts, other.tallies[name].counts) for name, tally in one.tallies.items()
    )


def _kept(request: Request) -> Played:
    """The same games once more, finished ones kept in the block, the global generators in another state."""
    return play_rows(request, seed=2, compact_below=0.0)


def _repeats(request: Request, first: Played, kept: Played) -> bool:
    """Whether the same seed gives the same again; if `kept` differs, what is kept may be the reason."""
    return _same(first, kept) or _same(first, play_rows(request, seed=2))


def _independence_faults(request: Request, whole: Played, kept: Played, who: str) -> list[str]:
    """Does a game go the same way alone, and whether or not finished games are taken out?"""
    faults = []
    for row in ROWS:
        alone = play_rows(request, np.array([row]))
        if any(
            not np.array_equal(alone.columns[name][..., 0], v[..., row]) for name, v in whole.columns.items()
        ):
            faults.append(
                f"{who} goes differently alone than among other games: every game (last axis) must depend on "
                "itself only, so no sums, maxima or sorting over the last axis."
            )
            break
    if not (_same(whole, kept) and _same(whole, play_rows(request, compact_below=1.0))):
        faults.append(f"{who} goes differently when finished games are taken out of the block.")
    return faults


def _watched(policy: Policy, watch: Callable[[str], None]) -> Policy:
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


def arrays_of(thing: Any, depth: int = 3) -> list[tuple[str, NDArray[Any]]]:
    """All arrays that are attributes of a view, or of what its attributes are; not the engine's own.

    Each once, with the name of an attribute that has it.
    """
    found: dict[int, tuple[str, NDArray[Any]]] = {}
    level = [("view", thing)]
    for last in [False] * depth + [True]:
        below: list[tuple[str, Any]] = []
        for name, one in level:
            if isinstance(one, np.ndarray):
                found.setdefault(id(one), (name, one))
            elif not last and _may_have_arrays(one):
                below += getattr(one, "__dict__", {}).items()
        level = below
    return [*found.values()]


def _may_have_arrays(thing: Any) -> bool:
    """Whether its attributes are looked at: those of a game's own things, not the engine's."""
    source = type(thing).__module__.partition(".")[0]
    return source not in ("builtins", "numpy", "pydantic") and not isinstance(thing, engine.Asker)
