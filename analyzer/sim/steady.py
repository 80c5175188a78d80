"""Does a policy of the user's own answer the same question alike? Tried for a moment before a run is played.

A policy that draws its own random numbers, keeps something between its calls, changes what it is shown, or
looks at other games than the one it is asked about makes a run that nobody can repeat: the result would
depend on which process played which block. What is seen only late is tried again at the end of the run.
`analyze check` looks more closely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.apart import Ended, apart
from analyzer.copies import may_copy
from analyzer.errors import PolicyError, Suspected
from analyzer.games.base import Array, Decision, Policy, Score
from analyzer.sim.causes import Stand, generators, named_as, why
from analyzer.sim.chance import Luck
from analyzer.sim.engine import Asker, play
from analyzer.sim.request import Request
from analyzer.sim.surroundings import Surroundings

GAMES = 16  # played at once, the first of the run
DECISIONS = 160  # asked in all: several rounds, and a small part of a second

COMPANY = 40  # ... and with others beside them

_tried: dict[str, Diary] = {}  # key of a run that was tried -> what was answered then
_steady: set[tuple[str, str, str]] = set()  # game, line and digest of policies that were tried already


class _Enough(Exception):
    """Enough decisions were tried."""


class _TwoAnswers(Suspected):
    """A question was answered in two ways. The text says by whom."""


class Diary:
    """Notes what is answered in the first games of a block, and ends the play after some decisions.

    told: for each game, its answers in order: (turn, decision, seat, answer).
    """

    def __init__(self, games: int = GAMES, decisions: int = DECISIONS) -> None:
        self.told: list[list[tuple[int, str, int, bytes]]] = [[] for _ in range(games)]
        self.left = decisions

    def start(self, state: Any) -> None:
        """Nothing to do."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """Note one answer to every game that was really asked."""
        rows = state.rows if decision.rows is None else state.rows[decision.rows]
        for place in np.flatnonzero(rows < len(self.told)):
            if decision.asked is None or decision.asked[place]:
                own = answer[..., place].astype(np.int64).tobytes()
                self.told[rows[place]].append((turn, decision.kind, decision.seat, own))
        self.left -= 1
        if not self.left:
            raise _Enough

    def turn_end(self, state: Any, turn: int) -> None:
        """Nothing to do."""

    def first_other(self, other: Diary) -> tuple[int, int, str, int] | None:
        """(game, turn, decision, seat) of the first answer that differs, as far as both were played.

        The turns may differ: in some games one waits for others, so that it depends on these when it goes on.
        """
        for game, (one, two) in enumerate(zip(self.told, other.told, strict=False)):
            for here, there in zip(one, two, strict=False):
                if here[1:] != there[1:]:
                    return game, *here[:3]
        return None


class _Heard(Stand):
    """Notes the scores and the answer of every decision: (decision, scores, answer)."""

    def __init__(self, policy: Any, heard: list[tuple[str, bytes, bytes]]) -> None:
        super().__init__(policy)
        self._heard = heard

    def decide(self, name: str, part: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def method(view: Any, score: Any) -> Any:
            answer = part(view, score)
            told = answer.tobytes() if isinstance(answer, np.ndarray) else b""
            self._heard.append((name, b"" if told else score.values.tobytes(), told))
            return answer

        return method


class _Twice(Stand):
    """Asks a policy every question twice, and compares."""

    def __init__(self, policy: Any, label: str) -> None:
        super().__init__(policy)
        self._label = label

    def decide(self, name: str, part: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def method(view: Any, score: Any) -> Any:
            again, asker = Score(score.values.copy(), score.blocks), getattr(view, "_asker", None)
            shown = [(name, values, values.tobytes()) for name, values in arrays_of(view)]
            before = None if asker is None else asker.ties.state.copy()
            answer = part(view, score)
            for array, values, was in shown:
                if values.tobytes() != was:
                    raise Suspected(
                        f"Policy {self._label} changes the view ({array.lstrip('_')}, at decision {name!r}); "
                        "a view is to look at."
                    )
            if (
                asker is not None
            ):  # what it draws by `view.draw` can be repeated: it shall draw the same again
                asker.ties.state[:] = before
            other = part(view, again)
            if not (_same(score.values, again.values) and _same(answer, other)):
                raise _TwoAnswers(
                    f"Policy {self._label} answers the same question (decision {name!r}) differently when it "
                    "is asked twice."
                )
            return answer

        return method


def _same(one: Any, other: Any) -> bool:
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return type(one) is type(other)  # the engine refuses them
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def arrays_of(thing: Any, depth: int = 3) -> list[tuple[str, Array]]:
    """All arrays that are attributes of a view, or of what its attributes are; not the engine's own.

    Each once, with the name of an attribute that has it.
    """
    found: dict[int, tuple[str, Array]] = {}
    level = [("view", thing)]
    for last in [False] * depth + [True]:
        below: list[tuple[str, Any]] = []
        for name, one in level:
            if isinstance(one, np.ndarray):
                found.setdefault(id(one), (name, one))
            elif not last and _may_have_arrays(type(one)):  # type: ignore[arg-type]
                below += getattr(one, "__dict__", {}).items()
        level = below
    return [*found.values()]


@lru_cache
def _may_have_arrays(kind: type[Any]) -> bool:
    """Whether attributes of such things are looked at: those of a game's own, not the engine's."""
    source = kind.__module__.partition(".")[0]
    return source not in ("builtins", "numpy", "pydantic") and not issubclass(kind, Asker)


# ---------------------------------------------------------------- before a run, and at its end


def check_steady(request: Request) -> None:
    """Raise PolicyError if a policy of the user's own answers one question in two ways, changes what it is
    shown, or answers for a game by the games beside it."""
    keys = [(request.game, one.spec, one.digest) for one in request.policies]
    new = [bool(one.digest) and key not in _steady for one, key in zip(request.policies, keys, strict=True)]
    if not any(new):
        return
    _tried[request.key] = _try_apart(request, new)
    _steady.update(keys)


def _try_apart(request: Request, new: Sequence[bool]) -> Diary:
    """The same as `try_out`, in a copy of this process if one can be made: who ends it is told."""
    if not may_copy():
        return try_out(request, new)
    try:
        return apart(lambda _: try_out(request, new), lambda *_: None)
    except Ended as ended:
        raise PolicyError(
            f"Policy {_suspects(request, new)} ended the process that it was tried in ({ended.how}). "
            "Whatever happens, it must return or raise an exception."
        ) from None


def try_out(request: Request, new: Sequence[bool]) -> Diary:
    """What is answered in the first games of a run. new: which policies to try, by asking them twice.

    Raises PolicyError if one does what `check_steady` tells.
    """
    policies: list[Any] = [one.load(request.game) for one in request.policies]
    twice = list(policies)
    for seat, (one, tried) in enumerate(zip(request.policies, new, strict=True)):
        if tried:
            twice[seat] = named_as(policies[seat], _Twice)(policies[seat], one.label)
    surroundings = Surroundings()
    try:
        first = _begin(request, twice, GAMES)
    except _TwoAnswers as error:
        raise PolicyError(f"{error} {_why_twice(request)}") from None
    finally:
        if wrong := surroundings.changed():
            raise PolicyError(
                f"Policy {_suspects(request, new)} {wrong[0]}; a policy may look at the view and its "
                "parameters only."
            ) from None
    beside = first.first_other(_begin(request, policies, COMPANY))
    if beside is not None:
        raise PolicyError(
            f"Policy {_who(request, beside)} answers otherwise when other games are played beside: "
            f"{_where(beside)}. {_why_beside(request)}"
        )
    return first


def check_still_steady(request: Request, policies: Sequence[Policy]) -> None:
    """Raise PolicyError if `policies`, having played the run, answer its first games otherwise than before.

    Only for a run whose policies were tried before it in this process.
    """
    first = _tried.pop(request.key, None)
    if first is None:
        return
    other = first.first_other(_begin(request, policies, GAMES))
    if other is not None:
        raise PolicyError(
            f"Policy {_who(request, other)} answers otherwise after the run than before it: {_where(other)}. "
            "It keeps something between its calls, so that the result depends on which process played what, "
            "and is refused. "
            "Let the policy use nothing but the view and its parameters."
        )


def _begin(request: Request, policies: Sequence[Policy], games: int) -> Diary:
    """Play the beginning of the run's first games; what is answered in the first GAMES of them."""
    block, diary = request.blocks()[0], Diary()
    rows = np.arange(min(games, block.size))
    luck = Luck(game=request.game, seed=request.seed, block=block.luck, size=block.size, rows=rows)
    numbers = replace(block, games=block.size).numbers()
    with suppress(_Enough):
        play(request.make_game(), request.seated(policies, block.rotation), luck, numbers, diary)
    return diary


def _suspects(request: Request, new: Sequence[bool]) -> str:
    labels = [one.label for one, tried in zip(request.policies, new, strict=True) if tried]
    return " or ".join(dict.fromkeys(labels))


def _why_beside(request: Request) -> str:
    """Why the first games go otherwise with others beside."""

    def begin(policies: Sequence[Any], seed: int, games: int = GAMES) -> Diary:
        with generators(seed):
            return _begin(request, policies, games)

    def beside(policies: Sequence[Any], seed: int) -> Diary:
        return begin(policies, seed, COMPANY)

    return " ".join(why(request, begin, beside, lambda here, there: here.first_other(there) is None))


def _why_twice(request: Request) -> str:
    """Why a question is answered in two ways: scores count, too, which may differ without another action."""

    def begin(policies: Sequence[Any], seed: int) -> list[tuple[str, bytes, bytes]]:
        heard: list[tuple[str, bytes, bytes]] = []
        with generators(seed):
            listeners: list[Any] = [named_as(one, _Heard)(one, heard) for one in policies]
            _begin(request, listeners, GAMES)
        return heard

    return " ".join(why(request, begin, begin, lambda here, there: here == there))


def _who(request: Request, other: tuple[int, int, str, int]) -> str:
    block = request.blocks()[0]
    return request.policies[request.rotations[block.rotation][other[3]]].label


def _where(other: tuple[int, int, str, int]) -> str:
    game, turn, kind, seat = other
    return f"decision {kind!r} of turn {turn + 1}, game {game}, seat {seat + 1}"
