"""Why a policy answers in two ways: found out with copies of it that know nothing of one another.

A copy is its source carried out once more, so that it shares neither an object nor a class nor a module with
the other copies. Copies that are asked the same in the same order differ by chance only; a copy for every
single answer remembers nothing; and what these forgetful ones answer depends on the question alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np

from analyzer.games.base import Policy
from analyzer.registry import Chosen
from analyzer.sim.request import Request
from analyzer.specs import parse

R = TypeVar("R")
Play = Callable[[Sequence[Any], int], R]  # what these policies play after global generators got this seed


class Cause(StrEnum):
    """What a policy does, and shall do instead."""

    GLOBAL = (
        "It draws from a global random generator (random or numpy.random). Randomness that can be repeated: "
        "equal scores, decided by the engine, and the parameter `noise`."
    )
    CHANCE = (
        "A new copy of it that is asked the same in the same order answers otherwise: it draws random "
        "numbers of its own, reads the clock, or keeps something outside of its module. Randomness that "
        "can be repeated: equal scores, decided by the engine, and the parameter `noise`."
    )
    MEMORY = (
        "It keeps something between its calls (on itself, on its class or in its module; a random generator "
        "of its own is such a thing). Let it use nothing but the view and its parameters."
    )
    BATCH = (
        "It answers for a game by the games beside it. Every game (last axis) must depend on itself only, so "
        "no sums, means, maxima or sorting over the last axis."
    )
    UNKNOWN = (
        "It keeps something between its calls, draws random numbers, or answers for a game by the games "
        "beside it (sums, means, maxima or sorting over the last axis); which, can be told of a policy in a "
        "file or module of its own. Let it use nothing but the view and its parameters, each game by itself."
    )


def why(
    request: Request,
    one: Play[R],
    other: Play[R],
    alike: Callable[[R, R], bool],
    fits: Callable[[R, R], bool] | None = None,
) -> list[Cause]:
    """Why the policies of a request play differently in `one` and in `other`.

    one, other: called several times, with copies of the policies in their seats. alike: whether `one` went
    the same way twice; fits: whether `other` went as `one` did (the same question, if it is not given).
    """
    fits = fits or alike
    if not all(_can_be_copied(policy) for policy in request.policies if policy.digest):
        return [Cause.UNKNOWN]
    first, second = one(_copies(request), 2), one(_copies(request), 3)
    if not alike(first, second):
        # In this order, for what is kept may have a period.
        seeded = alike(second, one(_copies(request), 3)) and alike(first, one(_copies(request), 2))
        return [Cause.GLOBAL if seeded else Cause.CHANCE]
    forgetful = one(_forgetful(request), 2)
    found = [Cause.BATCH] if not fits(forgetful, other(_forgetful(request), 2)) else []
    # Whoever does the same without a memory as with one, and by the question alone, remembers other plays.
    return [Cause.MEMORY, *found] if not found or not alike(first, forgetful) else found


def _can_be_copied(policy: Chosen) -> bool:
    return policy.given is None and bool(parse(policy.spec).source)


def _copies(request: Request) -> list[Policy]:
    return [one.load_anew(request.game) if one.digest else one.load(request.game) for one in request.policies]


def _forgetful(request: Request) -> list[Any]:
    found: list[Any] = []
    for one in request.policies:
        policy = one.load(request.game)
        found.append(named_as(policy, _Forgetful)(policy, one, request.game) if one.digest else policy)
    return found


class Stand:
    """Stands in for a policy: has all that it has, and is asked in its stead."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._policy, name)
        if name in ("score_dtype", "noise", "label") or not callable(part):
            return part
        return self.decide(name, part)

    def decide(self, name: str, part: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """What is called with view and score for the decision `name`; the policy has `part`."""
        raise NotImplementedError


S = TypeVar("S", bound=Stand)


def named_as(policy: Any, stand: type[S]) -> type[S]:
    """The class with the name of the policy's own, by which the engine names it in its errors."""
    return type(type(policy).__name__, (stand,), {})


class _Forgetful(Stand):
    """Lets a new copy of the policy answer every question."""

    def __init__(self, policy: Any, chosen: Chosen, game: str) -> None:
        super().__init__(policy)
        self._chosen, self._game = chosen, game

    def decide(self, name: str, part: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def method(view: Any, score: Any) -> Any:
            return getattr(self._chosen.load_anew(self._game), name)(view, score)

        return method


@contextmanager
def generators(seed: int) -> Iterator[None]:
    """Meanwhile the global random generators start at a seed, to find out whether anybody uses them."""
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
