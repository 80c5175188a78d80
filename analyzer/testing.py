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
import os
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import analyzer
from analyzer import axes, copies, registry
from analyzer.errors import PolicyError, UserError
from analyzer.policy_api import kinds
from analyzer.sim import engine, settings
from analyzer.sim.chance import Luck
from analyzer.sim.engine import Played
from analyzer.sim.patience import SECONDS, Patience
from analyzer.sim.request import Request, build
from analyzer.sim.steady import arrays_of
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Policy

GAMES = 48  # games a check plays at once: enough for every rule to come up, few enough to be quick
ROWS = (0, 17, GAMES - 1)  # games that are also played alone
CUT = 31  # where a block is cut in two to see whether a game minds
CROWD = 2048  # games beside which the first GAMES are played, too
LATE = 1200  # decisions of every seat after which the first games are played again
FEW = np.arange(8)  # these games
SEED = 20_240_229

Tell = Callable[[str], object]  # is told of each check before it is made


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
    patience: float = SECONDS,
    thorough: bool = True,
    tell: Tell = lambda _: None,
) -> None:
    """Check a policy: legal answers of the right shape, finite scores, and nothing but view and parameters.

    policy: a line ("path/to/file.py:Name:courage=0.5"), a class or an object. players: one number or
    several; by default the fewest, the most and the usual. patience: seconds that it may take for an answer.
    thorough: also among thousands of games, and after more than a thousand decisions. Raises UserError if
    it cannot be found, PolicyError if it hangs, ContractError with all faults else. What the game makes of
    its games (columns and tallies) is looked at, too.
    """
    with Patience(patience, "the policy") as watch:
        chosen = registry.choose(policy, game)
        found = chosen.load(game)
        faults = _misnamed(type(found), registry.game_class(game).policy_base)
        counts = _counts(game, players)
        usual = _table(game, min(4, counts[-1]) if players is None else counts[-1], ())
        usual = dataclasses.replace(usual, policies=(chosen,) * usual.players)
        late = _Late(usual, watch) if thorough and not faults else None
        for count in counts:
            tell(f"{chosen.label} in all {count} seats")
            alike = [chosen] * count
            faults += _play_faults(_table(game, count, alike), count == counts[-1], watch)
            random_ones = "random" in registry.policies_of(game) and not faults
            mixed = [chosen, *[registry.choose("random", game)] * (count - 1)] if random_ones else alike
            if mixed != alike:
                tell(f"{chosen.label} against random, {count} players")
                faults += _play_faults(_table(game, count, mixed), False, watch)
            if faults:
                break  # the same again with other numbers of players would only repeat it
        if late is not None and not faults:
            tell(f"{chosen.label} among {CROWD:,} games")
            faults += _crowd_faults(usual, watch)
            tell(f"{chosen.label} after {LATE:,} decisions of each seat")
            faults += late.faults()
    if faults:
        raise ContractError(f"Policy {chosen.label}", faults)


def _table(game: str, count: int, seats: Sequence[registry.Chosen]) -> Request:
    """A run of one block of GAMES games; seats: who plays (none: the game's default policy)."""
    table = build(game, count, GAMES, policy=registry.default_policy(game), seed=SEED, block=GAMES)
    return dataclasses.replace(table, policies=tuple(seats)) if seats else table


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


def _play_faults(request: Request, thorough: bool, watch: Patience) -> list[str]:
    """What goes wrong when policies play; `thorough`: also against the same game alone, and again."""
    faults: list[str] = []
    try:
        with _GlobalRandomness(faults), _Writing(faults):
            first = play_rows(request, note=faults.append, seed=1, watch=watch)
        faults += _column_faults(request, first) or _tally_faults(request, first)
        if faults or not thorough:
            return faults
        kept = _kept(request, watch)
        if _repeats(request, first, kept, watch):
            return _independence_faults(request, first, kept, "it", watch)
    except PolicyError as error:
        return [*faults, str(error)]
    return [
        "it plays differently the second time with the same seed: let it use nothing but the view and its "
        "parameters (random choices: equal scores, or the parameter `noise`)."
    ]


def _crowd_faults(request: Request, watch: Patience) -> list[str]:
    """Does a game go the same way among thousands of others?"""
    request = dataclasses.replace(request, n=CROWD, block=CROWD)
    try:
        few, many = (
            play_rows(request, np.arange(GAMES), watch=watch),
            play_rows(request, np.arange(CROWD), watch=watch),
        )
    except PolicyError as error:
        return [str(error)]
    same = all(np.array_equal(few.columns[name], many.columns[name][..., :GAMES]) for name in few.columns)
    return (
        [] if same else [f"it plays a game differently among {CROWD:,} games than among {GAMES}. {_ITSELF}"]
    )


class _Late:
    """Does a policy still play the same after many decisions, in several blocks? Begins before other checks,
    with policies that nobody else asks, and goes on after them."""

    def __init__(self, request: Request, watch: Patience) -> None:
        self.request, self.watch = request, watch
        self.policies = [one.load(request.game) for one in request.policies]
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
        while counted.decisions < LATE * self.request.players:
            block += 1
            if isinstance(wrong := self._play(counted, block), str):
                return [wrong]
        again = self._play(self.watch)
        if isinstance(again, str) or isinstance(self.first, str):
            return [one for one in (self.first, again) if isinstance(one, str)]
        if _same(self.first, again):
            return []
        return [
            f"it plays the same games differently after {counted.decisions:,} decisions: it keeps something "
            "between its calls. Let it use nothing but the view and its parameters."
        ]


class _Counted:
    """Counts the decisions of a play, and lets the watch know of them."""

    def __init__(self, watch: Patience) -> None:
        self.watch, self.decisions = watch, 0
        self.start, self.turn_end = watch.start, watch.turn_end

    def decision(self, state: Any, turn: int, decision: Any, answer: Any) -> None:
        """One more."""
        self.decisions += 1
        self.watch.beat()


class _Writing:
    """Notes a fault if a file is opened to be written, or a process or a connection is started."""

    _noting: ClassVar[list[list[str]]] = []  # the one that listens now; a hook cannot be taken off again
    _hooked = False

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults

    def __enter__(self) -> None:
        if not _Writing._hooked:
            _Writing._hooked = True
            sys.addaudithook(_Writing._heard)
        self._noting.append(self.faults)

    def __exit__(self, *_: object) -> None:
        self._noting.remove(self.faults)

    @staticmethod
    def _heard(event: str, given: tuple[Any, ...]) -> None:
        if not _Writing._noting:
            return
        what = ""
        if (
            event == "open"
            and (given[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            and ".pyc" not in str(given[0])
        ):
            what = f"it opens the file {str(given[0])!r} to write"
        elif event in ("subprocess.Popen", "os.system", "os.remove", "socket.connect"):
            what = f"it does more than decide ({event})"
        if what:
            _Writing._noting[-1].append(f"{what}; a policy may look at the view and its parameters only.")


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
    game: str,
    players: int | Iterable[int] | None = None,
    policies: Iterable[str] | None = None,
    patience: float = SECONDS,
    tell: Tell = lambda _: None,
) -> None:
    """Check a game's rules, columns and tallies with its policies, for several numbers of players.

    players: as in `check_policy`. policies: names, by default all. Of them the first and the default one
    are also played alone, again, and in halves. patience: seconds that it may take from one decision to the
    next. tell: is told of each check.
    Raises UserError if there is no such game, PolicyError if it hangs, ContractError with all faults.
    """
    tell("axes")
    with Patience(patience, "the game"):
        faults = _axis_faults(game)
        names = list(registry.policies_of(game) if policies is None else policies)
        closely = most_telling(game)
    tables = [(count, name) for count in _counts(game, players) for name in names]
    found: dict[tuple[int, str], list[str]] = {}

    def look(table: tuple[int, str]) -> list[str]:
        count, name = table
        request = _table(game, count, [registry.choose(name, game)] * count)
        with Patience(patience, "the game") as watch:
            return _game_faults(request, name in closely, watch)

    tell(f"{tables[0][0]} players, {tables[0][1]}, and {len(tables) - 1} more")
    for (count, name), wrong in copies.share(look, tables, (os.cpu_count() or 1) - 1):
        found[count, name] = wrong
        tell(f"{count} players, {name}: {'faults' if wrong else 'right'}; {len(tables) - len(found)} more")
    for count, name in tables:
        faults += [f"{count} players, {name}: {fault}" for fault in found[count, name]]
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


def _game_faults(request: Request, thorough: bool, watch: Patience) -> list[str]:
    faults: list[str] = []
    try:
        with _GlobalRandomness(faults):
            whole = play_rows(request, note=faults.append, watch=watch)
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
    kept = _kept(request, watch)
    if not _repeats(request, whole, kept, watch):
        faults.append("the same seed gives another result the second time.")
    faults += _independence_faults(request, whole, kept, "a game", watch)
    halves = _halves(request, watch)
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
        policies = [_watched(policy, note) for policy in policies]
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


def _halves(request: Request, watch: Patience) -> list[Played]:
    """The block in two pieces, cut where nobody would expect it."""
    return [play_rows(request, np.arange(*ends), watch=watch) for ends in ((0, CUT), (CUT, GAMES))]


def _same(one: Played, other: Played) -> bool:
    return all(np.array_equal(values, other.columns[name]) for name, values in one.columns.items()) and all(
        np.array_equal(tally.counts, other.tallies[name].counts) for name, tally in one.tallies.items()
    )


_ITSELF = (
    "Every game (last axis) must depend on itself only, so no sums, means, maxima or sorting over the last "
    "axis."
)


def _kept(request: Request, watch: Patience) -> Played:
    """The same games once more, finished ones kept in the block, the global generators in another state."""
    return play_rows(request, seed=2, compact_below=0.0, watch=watch)


def _repeats(request: Request, first: Played, kept: Played, watch: Patience) -> bool:
    """Whether the same seed gives the same again; if `kept` differs, what is kept may be the reason."""
    return _same(first, kept) or _same(first, play_rows(request, seed=2, watch=watch))


def _independence_faults(
    request: Request, whole: Played, kept: Played, who: str, watch: Patience
) -> list[str]:
    """Does a game go the same way alone, in other company, whether or not finished games are taken out?"""
    faults = []
    for row in ROWS:
        alone = play_rows(request, np.array([row]), watch=watch)
        if any(
            not np.array_equal(alone.columns[name][..., 0], v[..., row]) for name, v in whole.columns.items()
        ):
            faults.append(f"{who} goes differently alone than among other games. {_ITSELF}")
            break
    else:
        two = _halves(request, watch)
        if any(
            not np.array_equal(np.concatenate([one.columns[name] for one in two], axis=-1), v)
            for name, v in whole.columns.items()
        ):
            faults.append(f"{who} goes differently when its block is cut in two. {_ITSELF}")
    if not (_same(whole, kept) and _same(whole, play_rows(request, compact_below=1.0, watch=watch))):
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
