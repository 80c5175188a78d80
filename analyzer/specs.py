"""How a policy is written in one line, and how its parameters become the values of its fields.

balanced                           a policy of the game
balanced:courage=0.5,noise=10      ... with parameters
mymodule:Sprinter                  a class of a module (of this folder, or installed)
path/to/file.py:Sprinter           a class of a file
path/to/file.py:Sprinter:courage=0.5
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

from analyzer.errors import UserError, nearest

FORMS = "name, name:parameter=value, module:Class, or path/to/file.py:Class"
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Spec:
    """A policy's line taken apart. `source` is "" for a policy of the game, else a module or a .py file."""

    source: str
    name: str
    params: Mapping[str, str]

    @property
    def is_file(self) -> bool:
        """Whether the source is a Python file rather than an importable module."""
        return self.source.endswith(".py")


def parse(text: str) -> Spec:
    """Take a policy's line apart. Raises UserError if it has none of the known forms."""
    head, params = text.strip(), {}
    before, colon, tail = head.rpartition(":")
    if colon and before and "=" in tail and not tail.endswith(".py"):
        head, params = before, _params(tail, text)
    if head.endswith(".py"):
        return Spec(head, "", params)
    source, colon, name = head.rpartition(":")
    if not name or (colon and not source):
        raise UserError(f"{text!r} is not a policy. A policy is written as {FORMS}.")
    if ".py:" in source:
        raise UserError(f"{name!r} in the policy {text!r} has no value; write {name}=value.")
    return Spec(source, name, params)


def _params(text: str, spec: str) -> dict[str, str]:
    params: dict[str, str] = {}
    for part in text.split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name and not value:
            raise UserError(f"{name!r} in the policy {spec!r} has no value; write {name}=value.")
        if not sign or not name:
            raise UserError(f"{part!r} in the policy {spec!r} is not a parameter; write name=value.")
        if name in params:
            raise UserError(f"The policy {spec!r} sets {name} twice.")
        params[name] = value
    return params


def names_in(names: str | Iterable[str]) -> list[str]:
    """Names, or one text with commas, as a list without empty places."""
    parts = names.split(",") if isinstance(names, str) else names
    return [one.strip() for one in parts if one.strip()]


def split_list(text: str) -> list[str]:
    """The policies of a comma-separated list; `a:x=1,y=2,b` has two, since `y=2` goes on with a's parameters.

    Raises UserError for an empty place in the list.
    """
    specs: list[str] = []
    for part in text.split(","):
        if not part.strip():
            raise UserError(f"{text!r} has an empty place; write policies as P1,P2,...")
        if specs and "=" in part and ":" not in part.partition("=")[0]:
            specs[-1] += f",{part.strip()}"
        else:
            specs.append(part.strip())
    return specs


def fields_of(cls: type[Any]) -> dict[str, dataclasses.Field[Any]]:
    """The parameters of a policy class (a dataclass) by name."""
    return {field.name: field for field in dataclasses.fields(cls) if field.init}


def convert_all(cls: type[Any], params: Mapping[str, str]) -> dict[str, Any]:
    """Parameters as the values that the class's fields take.

    Raises UserError with the nearest right name for an unknown one, and for a value of the wrong type.
    """
    known, hints = fields_of(cls), type_hints(cls)
    values = {}
    for name, text in params.items():
        if name not in known:
            raise nearest(name, known, f"parameter of policy {cls.__name__}")
        value = convert(text, hints.get(name, Any), f"{name} of policy {cls.__name__}")
        values[name] = within(value, known[name], f"{name} of policy {cls.__name__}")
    return values


def type_hints(cls: type[Any]) -> dict[str, Any]:
    """The types of a class's fields; the types of the defaults where annotations cannot be read."""
    try:
        return typing.get_type_hints(cls)
    except Exception:  # an annotation that names what is not there; the default's type tells as much
        return {name: type(field.default) for name, field in fields_of(cls).items()}


def within(value: Any, field: dataclasses.Field[Any], where: str) -> Any:
    """The value, if it lies in the `range` (lowest, highest) of the field's metadata, if that has one."""
    low, high = field.metadata.get("range", (-math.inf, math.inf))
    if isinstance(value, int | float) and not low <= value <= high:
        raise UserError(f"{where}: {value} is not allowed; {low} to {high}.")
    return value


def convert(text: str, hint: Any, where: str) -> Any:
    """A text as a value of the type `hint`: bool, int, float (also 2/3), str, Literal, Enum, or a union."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return convert(text, options[0], where)
    if origin is Literal:
        return _one_of(text, {str(option): option for option in options}, where)
    if origin in (typing.Union, types.UnionType):
        return _first_fitting(text, options, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of(text, {member.name: member for member in hint}, where)
    if hint is bool:
        return _one_of(text.lower(), {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}, where)
    if hint is type(None):
        return _one_of(text.lower(), {"none": None}, where)
    if hint is int:
        return _number(text, where, whole=True)
    if hint is float:
        return _number(text, where, whole=False)
    if hint in (str, Any, object):
        return text
    raise UserError(
        f"{where} cannot be set by a text: its type {hint} is none of bool, int, float, str, Literal."
    )


def _one_of(text: str, known: Mapping[str, Any], where: str) -> Any:
    if text not in known:
        raise nearest(text, known, f"value for {where}:")
    return known[text]


def _first_fitting(text: str, hints: tuple[Any, ...], where: str) -> Any:
    # None first, text last: "none" and "3" are rarely meant as texts.
    for hint in sorted(hints, key=lambda hint: (hint is not type(None), hint is str)):
        try:
            return convert(text, hint, where)
        except UserError as error:
            last = error
    raise last


def _number(text: str, where: str, whole: bool) -> int | float:
    try:
        over, slash, under = text.partition("/")
        value = float(over) / float(under) if slash else float(over)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value) or (whole and value != int(value)):
        raise UserError(f"{where}: {text!r} is not a {'whole ' if whole else ''}number.")
    return int(value) if whole else value


def absolute(spec: Spec) -> Spec:
    """The spec with the file's full path, so that it means the same from any folder."""
    return (
        dataclasses.replace(spec, source=str(Path(spec.source).expanduser().resolve()))
        if spec.is_file
        else spec
    )


def share(value: object, name: str, low: float, high: float) -> float:
    """A share given as 0.02 or as "2%". Raises UserError unless it lies between low and high."""
    allowed = f"a share from {100 * low:g}% to {100 * high:g}%, written 2% or 0.02"
    text = str(value).strip()
    try:
        number = float(text[:-1]) / 100.0 if text.endswith("%") else float(text)
    except ValueError:
        raise UserError(f"{name} must be {allowed}, not {value!r}.") from None
    if isinstance(value, bool) or not low <= number <= high:
        raise UserError(f"{name} must be {allowed}, not {value!r}.")
    return number
