"""YAML to plain data that knows its lines; refuses all of YAML that a config does not need.

A config is data from a stranger: no anchors, tags, second documents, duplicate keys, deep nesting or huge
files. Events are read one by one, so that nothing big is built before it is refused.
"""

from __future__ import annotations

import difflib
import math
import numbers
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from analyzer.errors import UserError, clip, plain_text, seen

MAX_BYTES = 1 << 20
MAX_DEPTH = 20
MAX_DIGITS = 15
MAX_SHOWN = 10
MAX_NAMES = 40
MAX_TEXT = 1000  # characters of a text, such as what `about` says
MAX_KEY = 200

# libyaml where PyYAML was built with it: some ten times faster, the same events.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Scalar: TypeAlias = str | int | float | bool | None

# The scalars of YAML 1.2: `no`, `on`, `010` and `1:30` are text here, not surprises.
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def hint(name: str, known: Iterable[str]) -> str:
    """ " Did you mean ...?", or nothing where no known name is close."""
    close = difflib.get_close_matches(clip(name, 200), list(known), n=1, cutoff=0.6)
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(name: str, known: Iterable[str], near: str = "") -> str:
    """The words for a wrong key: the nearest right one (or what the caller says), then those there are."""
    names = list(known)
    if not names:
        return "unknown key; there is nothing below this setting."
    more = ", ..." if len(names) > MAX_NAMES else ""
    return f"unknown key.{near or hint(name, names)} Known here: {', '.join(names[:MAX_NAMES])}{more}."


class Given(str):
    """An override `key=value` (or its value alone) that did not come by `set`: `option` did it."""

    option = "set"

    @classmethod
    def by(cls, option: str, text: str) -> Given:
        """The text, given by this option."""
        found = cls(text)
        found.option = option
        return found


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was given: a file and its line, or another source such as `--set` with no line."""

    source: str
    line: int | None = None

    def __str__(self) -> str:
        source = plain_text(self.source)
        return source if self.line is None else f"{source}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where, which key, what is wrong and what is allowed."""

    place: Place
    key: str
    text: str

    def __str__(self) -> str:
        key = f", key {clip(self.key, 120)!r}" if self.key else ""
        return f"{self.place}{key}: {self.text}"


class ConfigError(UserError):
    """All mistakes found in a config, up to ten of them in its text; `problems` has them one by one."""

    def __init__(self, problems: Sequence[Problem], total: int | None = None) -> None:
        self.problems = tuple(problems[:MAX_SHOWN])
        self.total = max(total or 0, len(problems))
        super().__init__(self.problems, self.total)  # so that the error survives pickling

    def __str__(self) -> str:
        more = self.total - len(self.problems)
        return "\n".join([*map(str, self.problems), *([f"... and {more} more."] if more else [])])


@dataclass(frozen=True, slots=True)
class Located:
    """A value with its place: a scalar, a dict of Located by key, or a list of Located."""

    data: Scalar | dict[str, Located] | list[Located]
    place: Place


def scalar(text: str) -> Scalar:
    """A plain YAML scalar as the value it stands for.

    Raises ValueError, saying why, for numbers no config can mean: not finite, or absurdly long.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        if len(text.lstrip("+-")) > MAX_DIGITS:
            raise ValueError(f"{clip(text, 24)} has more than {MAX_DIGITS} digits")
        return int(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not allowed; only finite numbers")
    if _FLOAT.fullmatch(text):
        if not math.isfinite(value := float(text)):
            raise ValueError(f"{clip(text, 24)} is too big a number")
        return value
    return one_line(text)


_BREAK = re.compile(r"[ \t]*[\t\n][ \t\n]*")


def one_line(text: str) -> str:
    """A text in one line, without tabs. Raises ValueError, saying why, for what no reader could see in it."""
    if "\n" in text or "\t" in text:
        text = _BREAK.sub(" ", text).strip()
    if not text.isprintable() and (odd := [sign for sign in text if not seen(sign)]):
        raise ValueError(f"{clip(text)!r} holds U+{ord(odd[0]):04X}, a sign that nobody sees; leave it out")
    if len(text) > MAX_TEXT:
        raise ValueError(f"a text of {len(text):,} characters; at most {MAX_TEXT:,}")
    return text


class _Reader:
    """Builds Located values from the event stream of one document."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)

    def place(self, event: Any) -> Place:
        return Place(self.source, event.start_mark.line + 1)

    def fail(self, event: Any, key: str, text: str) -> ConfigError:
        """A mistake after which the rest of the file cannot be read sensibly."""
        return ConfigError([*self.problems, Problem(self.place(event), key, text)])

    def document(self) -> Located | None:
        """The one document of the text, or None if there is nothing in it."""
        next(self.events)  # the stream begins
        if isinstance(event := next(self.events), yaml.StreamEndEvent):
            return None
        value = self.value(next(self.events), "", 0)
        next(self.events)  # the document ends
        if not isinstance(event := next(self.events), yaml.StreamEndEvent):
            raise self.fail(event, "", "a second document begins; one file holds one config.")
        if self.problems:
            raise ConfigError(self.problems)
        return value

    def value(self, event: Any, key: str, depth: int) -> Located:
        """The value that begins with this event."""
        self.refuse(event, key, depth)
        if isinstance(event, yaml.MappingStartEvent):
            return Located(self.mapping(key, depth), self.place(event))
        if isinstance(event, yaml.SequenceStartEvent):
            return Located(self.sequence(key, depth), self.place(event))
        return Located(self.scalar(event, key), self.place(event))

    def refuse(self, event: Any, key: str, depth: int) -> None:
        """Raise for what YAML offers and a config does not need."""
        if isinstance(event, yaml.AliasEvent):
            raise self.fail(event, key, f"alias '*{clip(event.anchor)}' is not allowed; write the value out.")
        if event.anchor is not None:
            raise self.fail(event, key, f"anchor '&{clip(event.anchor)}' is not allowed; write values out.")
        if event.tag is not None:
            raise self.fail(event, key, f"tag {clip(event.tag)!r} is not allowed; write the plain value.")
        if depth > MAX_DEPTH:
            raise self.fail(event, key, f"nested more than {MAX_DEPTH} levels deep.")

    def scalar(self, event: Any, key: str) -> Scalar:
        try:
            if event.style not in (None, ""):  # quoted or a block: always text
                return one_line(str(event.value))
            return scalar(event.value)
        except ValueError as error:
            self.problems.append(Problem(self.place(event), key, f"{error}."))
            return None

    def sequence(self, key: str, depth: int) -> list[Located]:
        items: list[Located] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.value(event, f"{key}.{len(items) + 1}".lstrip("."), depth + 1))
        return items

    def mapping(self, key: str, depth: int) -> dict[str, Located]:
        entries: dict[str, Located] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            self.refuse(event, key, depth)
            if not isinstance(event, yaml.ScalarEvent) or not event.value:
                raise self.fail(event, key, "a key must be a plain word or number.")
            name = str(event.value)
            if (wrong := _wrong_key(name)) is not None:
                raise self.fail(event, key, wrong)
            whole = f"{key}.{name}" if key else name
            place = self.place(event)
            found = self.value(next(self.events), whole, depth + 1)
            if name in entries:
                first = entries[name].place.line
                self.problems.append(Problem(place, whole, f"given twice; first in line {first}."))
            entries[name] = Located(found.data, place)  # the line of the key, where one looks for it
        return entries


def _wrong_key(name: str) -> str | None:
    """What is wrong with a key, None if it could be one."""
    if len(name) > MAX_KEY:
        return f"a key of {len(name):,} characters; at most {MAX_KEY}."
    return (
        None if name.isprintable() else f"the key {clip(name)!r} holds a sign that nobody sees; leave it out."
    )


def read_text(text: str, source: str) -> Located | None:
    """One YAML document as located values; None for an empty text. Raises ConfigError."""
    try:
        return _Reader(text, source).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(source, mark.line + 1 if mark else None)
        raise ConfigError(
            [Problem(place, "", f"not valid YAML: {clip(error.problem or '?', 200)}.")]
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        place = Place(source, _line_of(text, getattr(error, "position", None)))
        raise ConfigError([Problem(place, "", "not valid YAML: a character that is not allowed.")]) from None


def _line_of(text: str, position: int | None) -> int | None:
    return None if position is None else text.count("\n", 0, position) + 1


def read_file(path: Path, source: str) -> Located | None:
    """One config file as located values, named `source` in errors. Raises ConfigError."""
    return read_text(_text_of(path, source), source)


def _text_of(path: Path, source: str) -> str:
    place = Place(source)
    try:
        if not path.is_file():
            what = "is a folder, not a file" if path.is_dir() else "there is no such file"
            if os.path.lexists(path) and not path.is_dir():
                what = "is no ordinary file"
            raise ConfigError([Problem(place, "", f"{what}.")])
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError([Problem(place, "", f"cannot be read ({clip(reason)}).")]) from None
    if len(raw) > MAX_BYTES:
        raise ConfigError([Problem(place, "", f"more than {MAX_BYTES // 1024} KiB; no config is that big.")])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            [Problem(Place(source, line), "", "not UTF-8 text; save the file as UTF-8.")]
        ) from None


def locate(value: object, place: Place, key: str = "", depth: int = 0) -> Located:
    """Plain Python data (dict, list, scalars) as located values, all at one place. Raises ConfigError."""
    if depth > MAX_DEPTH:
        raise ConfigError([Problem(place, key, f"nested more than {MAX_DEPTH} levels deep.")])
    if isinstance(value, Mapping):
        for wrong in filter(None, (_wrong_key(str(name)) for name in value)):
            raise ConfigError([Problem(place, key, wrong)])
        inner = {str(k): locate(v, place, f"{key}.{k}".lstrip("."), depth + 1) for k, v in value.items()}
        return Located(inner, place)
    if isinstance(value, list | tuple):
        items = [locate(v, place, f"{key}.{i}".lstrip("."), depth + 1) for i, v in enumerate(value, 1)]
        return Located(items, place)
    if value is None or isinstance(value, bool):
        return Located(value, place)
    if isinstance(value, str):
        try:
            return Located(one_line(value), place)
        except ValueError as error:
            raise ConfigError([Problem(place, key, f"{error}.")]) from None
    if isinstance(value, numbers.Integral) and abs(int(value)) < 10**MAX_DIGITS:  # numpy's integers too
        return Located(int(value), place)
    if isinstance(value, float) and math.isfinite(value):
        return Located(float(value), place)
    # The number itself is not printed: of an absurdly long one Python refuses to.
    what = "a number like this" if isinstance(value, int | float) else f"a {type(value).__name__}"
    text = f"{what} is not allowed; plain values, finite and of at most {MAX_DIGITS} digits."
    raise ConfigError([Problem(place, key, text)])
