"""What the functions of the Python API have in common: kinds of arguments, and words for those they lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

Settings = Mapping[str, object] | Iterable[str]
P = ParamSpec("P")
T = TypeVar("T")


def tells_its_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """A keyword that the function has not got is told with all that it has, not only the game's axes."""

    @wraps(function)
    def told(*given: P.args, **named: P.kwargs) -> T:
        from analyzer.errors import UnknownArgument, UserError, nearest

        try:
            return function(*given, **named)
        except UnknownArgument as error:
            from inspect import Parameter, signature

            parameters = signature(function).parameters.values()
            own = [one.name for one in parameters if one.kind is not Parameter.VAR_KEYWORD]
            what = f"argument of analyzer.{function.__name__}, or axis of {error.game},"
            raise UserError(str(nearest(error.name, [*own, *error.known], what))) from None

    return told
