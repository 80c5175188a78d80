"""Axes: what may take several values in one command, one run a value. A game declares its own as data.

    AXES = (Axis("decks", "decks that meet", names=lambda config: list(config.rules.decks),
                 overrides=lambda a, b: {"deck_1": a, "deck_2": b}, each=2),)

in the game's `model` gives `analyze run GAME --decks all` and `analyzer.run(GAME, decks="all")`. Nothing
heavy is imported here: a model is read to show the help of a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from analyzer.errors import UserError, closest

ALL, PAIR = "all", ":"

Names = tuple[str, ...]  # what one setting takes from one axis: a name, or the names of a pairing


def _nothing(*_: str) -> dict[str, object]:
    return {}


def _plainly(*names: str) -> str:
    return f" {PAIR} ".join(names)


@dataclass(frozen=True)
class Axis:
    """Something a game can be run over: an option `--name`, a keyword `name`.

    name: lower case, words joined by dashes. about: one line for the help.
    names: the values it can take under a config, in order, as shown; as a mapping, name -> other ways to
        write it. Case, spaces, dashes and underscores make no difference when a value is looked up.
    overrides: the settings (dotted key -> value) that go with the names of one setting of the series.
    config: the shipped config that goes with them, for values that are a config file of their own.
    each: how many names one setting takes; 2 makes it a pairing, A:B. ordered: whether A:B and B:A differ.
    seated: whether the names are policies, which take turns in the seats; then A:B is B:A.
    label: how the names of one setting are written in tables and charts.
    wrong: the error for a value that is none of `names`; by default it tells the nearest right one.
    along: (name of another axis, what is wanted of it) pairs that come along where this axis has several
        values, so that one command compares both; not where the user gave that axis or moved its settings.
    """

    name: str
    about: str
    names: Callable[[Any], Sequence[str] | Mapping[str, Sequence[str]]]
    overrides: Callable[..., Mapping[str, object]] = _nothing
    config: Callable[..., str] | None = None
    each: int = 1
    ordered: bool = True
    seated: bool = False
    label: Callable[..., str] = _plainly
    wrong: Callable[[str], UserError] | None = None
    along: tuple[tuple[str, str], ...] = ()

    @property
    def keyword(self) -> str:
        """The name as Python has it."""
        return self.name.replace("-", "_")


def select(axis: Axis, wanted: object, config: Any) -> list[Names]:
    """The settings of an axis that a value asks for, each once, in the order they were asked for.

    wanted: a text (`all`, `A`, `A,B`, `2-6`, `A:B` for a pairing), a number, or several of them.
    config: the config the axis stands on. Raises UserError for a value the axis does not have.
    """
    known = axis.names(config)
    names = list(known)
    written = {key_of(name): name for name in names}
    if isinstance(known, Mapping):
        written |= {key_of(other): name for name, others in known.items() for other in others}
    pool: list[str] = []
    found: list[Names] = []
    for part in _parts(axis, wanted):
        if PAIR in part and axis.each > 1:
            pair = tuple(_find(axis, one, written, names) for one in part.split(PAIR))
            if len(pair) != axis.each:
                raise UserError(f"--{axis.name}: {part!r} must name {axis.each}, as {_example(axis, names)}.")
            found.append(pair)
        elif part == ALL:
            pool += names
        else:
            pool += _several(axis, part, written, names)
    pool = list(dict.fromkeys(pool))
    if axis.each == 1:
        combined: Iterable[Names] = ((name,) for name in pool)
    else:
        combined = (
            product(pool, repeat=axis.each)
            if axis.ordered
            else combinations_with_replacement(pool, axis.each)
        )
    return list(dict.fromkeys([*found, *combined]))


def several(wanted: object) -> bool:
    """Whether a value is a list, which asks for a series even if it names one setting only."""
    return isinstance(wanted, Iterable) and not isinstance(wanted, str)


def _parts(axis: Axis, wanted: object) -> list[str]:
    """The single values of what was asked for; a list may hold what a text may."""
    given = [str(one) for one in wanted] if several(wanted) else [str(wanted)]  # type: ignore[attr-defined]
    parts = [part.strip() for text in given for part in text.split(",")]
    if not parts or "" in parts:
        raise UserError(f"--{axis.name}: {','.join(given)!r} has an empty place; write V1,V2,... or {ALL}.")
    return parts


def _several(axis: Axis, part: str, written: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """The names of one value: itself, or a range of whole numbers such as 2-6."""
    span = re.fullmatch(r"(\d{1,4})\s*-\s*(\d{1,4})", part)
    if span is None or key_of(part) in written:
        return [_find(axis, part, written, names)]
    low, high = int(span[1]), int(span[2])
    if low > high:
        raise UserError(f"--{axis.name}: {part!r} runs backwards; write {high}-{low}.")
    return [_find(axis, str(number), written, names) for number in range(low, high + 1)]


def _find(axis: Axis, text: str, written: Mapping[str, str], names: Sequence[str]) -> str:
    found = written.get(key_of(text))
    if found is not None:
        return found
    if axis.wrong is not None:
        raise axis.wrong(text)
    close = written.get(closest(key_of(text), written), "")
    hint = f" Did you mean {close!r}?" if close else ""
    raise UserError(
        f"--{axis.name}: this game has no {text.strip()!r}.{hint} Known: {', '.join(names)}, or {ALL}."
    )


def key_of(text: str) -> str:
    """How a name is looked up: case, spaces, dashes and underscores make no difference."""
    return re.sub(r"[\s_-]+", "-", text.strip().casefold())


def _example(axis: Axis, names: Sequence[str]) -> str:
    return PAIR.join((list(names) * axis.each)[: axis.each])
