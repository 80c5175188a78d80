"""Does a policy of the user's own answer the same question alike? Tried for a moment before a run is played.

A policy that draws its own random numbers, or keeps something between its calls, makes a run that nobody can
repeat: the result would depend on which process played which block. `analyze check` looks more closely.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from analyzer.errors import PolicyError
from analyzer.games.base import Array, Decision, Policy, Score
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from analyzer.sim.request import Request

GAMES = 16  # played at once, the first of the run
DECISIONS = 160  # asked in all: several rounds, and a small part of a second

_steady: set[tuple[str, str, str]] = set()  # game, line and digest of policies that were tried already


class _Enough(Exception):
    """Enough decisions were tried."""


class _Counter:
    """Ends the play after some decisions."""

    left = DECISIONS

    def start(self, state: Any) -> None:
        """Nothing to do."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """One decision less."""
        self.left -= 1
        if not self.left:
            raise _Enough

    def turn_end(self, state: Any, turn: int) -> None:
        """Nothing to do."""


class _Twice:
    """Stands in for a policy: asks it every question twice, and compares."""

    def __init__(self, policy: Policy, label: str) -> None:
        self._policy, self._label = policy, label

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._policy, name)
        if name in ("score_dtype", "noise", "label") or not callable(part):
            return part

        def method(view: Any, score: Any) -> Any:
            again, asker = Score(score.values.copy(), score.blocks), getattr(view, "_asker", None)
            before = None if asker is None else asker.ties.state.copy()
            answer = part(view, score)
            if (
                asker is not None
            ):  # what it draws by `view.draw` can be repeated: it shall draw the same again
                asker.ties.state[:] = before
            other = part(view, again)
            if not (_same(score.values, again.values) and _same(answer, other)):
                raise PolicyError(
                    f"Policy {self._label} answers the same question (decision {name!r}) differently when it "
                    "is asked twice: it draws random numbers of its own, or keeps something between calls. "
                    "Its parameter `noise` is randomness that can be repeated."
                )
            return answer

        return method


def _same(one: Any, other: Any) -> bool:
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return (one is None and other is None) or bool(np.all(one == other))
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def check_steady(request: Request) -> None:
    """Raise PolicyError if a policy of the user's own answers one question in two ways."""
    keys = [(request.game, one.spec, one.digest) for one in request.policies]
    new = [bool(one.digest) and key not in _steady for one, key in zip(request.policies, keys, strict=True)]
    if not any(new):
        return
    policies: list[Any] = [one.load(request.game) for one in request.policies]
    for seat, (one, tried) in enumerate(zip(request.policies, new, strict=True)):
        if tried:
            named = type(type(policies[seat]).__name__, (_Twice,), {})  # the engine names it in its errors
            policies[seat] = named(policies[seat], one.label)
    block = request.blocks()[0]
    rows = np.arange(min(GAMES, block.games))
    luck = Luck(game=request.game, seed=request.seed, block=block.luck, size=block.size, rows=rows)
    with suppress(_Enough):
        play(request.make_game(), policies, luck, block.indices(), _Counter())
    _steady.update(keys)
