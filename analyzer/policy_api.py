"""What the author of a policy may use, in words, out of the docstrings of the game's policy base and view."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from functools import cached_property
from typing import Any

from analyzer import registry


def kinds(base: type[Any]) -> dict[str, Callable[..., Any]]:
    """The kinds of decision a game asks for: the public methods of its policy base class."""
    return {
        name: value
        for one in reversed(base.__mro__)
        for name, value in vars(one).items()
        if inspect.isfunction(value) and not name.startswith("_")
    }


def policy_api(game: str) -> str:
    """What a policy of the game is asked, what its view holds, which blocks of scores there are."""
    base = registry.game_class(game).policy_base
    registry.prepare(base)
    lines = [
        f"A policy of {game} is a class that extends {base.__name__} (from {base.__module__} import "
        f"{base.__name__}).",
        "Annotated names are its parameters. Each decision is a method (view, score): add to the blocks of",
        "`score`, and the best legal action is taken, ties at random. Or return the answer yourself.",
        "",
        inspect.getdoc(base) or "",
        "",
        "DECISIONS",
    ]
    for name, method in kinds(base).items():
        lines += [f"  {name}(view, score)", *_indented(method)]
    lines += ["", "THE VIEW"]
    for view in _views(base):
        lines += _indented(view, "  ")
        lines += [line for name, value in _members(view) for line in _member(name, value)]
    parameters = [f"  {field.name} = {field.default!r}" for field in dataclasses.fields(base)]
    return "\n".join([*lines, "", "PARAMETERS OF EVERY POLICY", *parameters])


def _indented(thing: Any, by: str = "      ") -> list[str]:
    return [f"{by}{line}" for line in (inspect.getdoc(thing) or "").splitlines()]


def _views(base: type[Any]) -> list[type[Any]]:
    """The classes that the decisions' `view` parameters are annotated with, after what they extend."""
    found = (typing.get_type_hints(method).get("view") for method in kinds(base).values())
    views = [view for view in found if isinstance(view, type)]
    every = dict.fromkeys(one for view in views for one in view.__mro__[-2::-1])
    return [one for one in every if one in views or _members(one)]


def _members(view: type[Any]) -> list[tuple[str, Any]]:
    public = [
        (name, value) for name, value in vars(view).items() if not name.startswith("_") and name != "bind"
    ]
    return [pair for pair in public if callable(pair[1]) or isinstance(pair[1], property | cached_property)]


def _member(name: str, value: Any) -> list[str]:
    text = " ".join((inspect.getdoc(value) or "").split())
    if not inspect.isfunction(value):
        return [f"  {name}: {text}"]
    names = [str(one) for one in inspect.signature(value).parameters.values() if one.name != "self"]
    return [f"  {name}({', '.join(one.partition(':')[0] for one in names)}): {text}"]
