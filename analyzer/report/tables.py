"""Tables as CSV (plain values, for programs) and as text cells (for the page and the terminal)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.cells import cell
from analyzer.report.parts import POINTS, SHARES

if TYPE_CHECKING:
    import pandas as pd

HEADINGS = {
    "win_rate": "win rate", "fair_share": "fair share", "edge": "difference", "n": "n", "a_game": "a game",
    "half": "blocked half the game", "supply": "lost to supply", "simulated": "simulated",
    "exact": "exact odds", "faces": "winning faces", "share": "share",
    "effect": "effect a card", "low": "95 % interval",
}  # fmt: skip
SHARE_COLUMNS = SHARES | {"half", "supply", "at_once", "leader", "losses"}


@dataclass(frozen=True)
class Column:
    """One column as shown: heading, text cells, sort keys (numbers where they are numbers), and its side."""

    heading: str
    cells: list[str]
    keys: list[Any]
    number: bool
    hints: list[str] = field(default_factory=list)  # a cell's interval and n, for the page
    interval: bool = False  # of the column before it


def csv(frame: pd.DataFrame) -> str:
    """The frame as CSV. Texts that a spreadsheet would take for a formula are quoted with an apostrophe."""
    safe = frame.rename(columns=lambda name: cell(str(name)))
    for column in (
        safe.columns[[kind.kind not in "biuf" for kind in safe.dtypes]] if len(safe.columns) else []
    ):
        safe[column] = [cell(str(value)) for value in safe[column].tolist()]
    return str(safe.to_csv(index=False, lineterminator="\n"))


def columns(frame: pd.DataFrame) -> list[Column]:
    """The frame as it is shown: shares in per cent, limits as one column behind their value.

    All numbers of a column have as many decimals; a value has those of its interval.
    """
    kinds: dict[str, str] = dict(frame.attrs.get("kinds", {}))  # column -> "share" or "points"
    lows, literal = limits(frame), set(frame.attrs.get("literal", ()))  # headed by their very names: settings
    kinds |= {low: kinds[base] for low in lows if (base := low[:-4]) in kinds}
    by_row: dict[str, list[str]] = dict(frame.attrs.get("by_row", {}))  # column -> the kind of each row
    names, shown = list(map(str, frame.columns)), []
    for place, name in enumerate(names):
        values = frame[name].tolist()
        if name in lows:
            high = frame[lows[name]].tolist()
            digits = _digits([*values, *high], name, kinds)
            cells = [_interval(a, b, name, kinds, digits) for a, b in zip(values, high, strict=True)]
            shown.append(Column(HEADINGS["low"], cells, _keys(values), True, interval=True))
        elif name not in lows.values():
            number = frame[name].dtype.kind in "iuf"
            if name in by_row:
                cells = _by_row(values, by_row[name][: len(values)])
                shown.append(Column(heading(name), cells, _keys(values), number=True))
                continue
            digits = _digits(values, name, kinds) if number else 0
            after = names[place + 1] if place + 1 < len(names) else ""
            if number and after in lows and _kind(name, kinds) == "number" and frame[name].dtype.kind == "f":
                digits = _digits([*frame[after].tolist(), *frame[lows[after]].tolist()], after, kinds, digits)
            cells = [_number(value, name, kinds, digits) if number else str(value) for value in values]
            hints = _hints(frame, name, kinds, digits)
            head = name if name in literal else heading(name)
            shown.append(Column(head, cells, _keys(values), number, hints))
    return shown


def _by_row(values: Sequence[Any], kinds: Sequence[str]) -> list[str]:
    """Numbers of different kinds below each other, each with its unit; numbers of a kind have as many
    decimals."""
    digits = {
        kind: _digits([value for value, of in zip(values, kinds, strict=True) if of == kind], "", {"": kind})
        for kind in set(kinds)
    }
    cells = [_number(value, "", {"": kind}, digits[kind]) for value, kind in zip(values, kinds, strict=True)]
    return [
        f"{cell}\u00a0points" if cell and kind == "points" else cell
        for cell, kind in zip(cells, kinds, strict=True)
    ]


def heading(name: str) -> str:
    """What a column is called where it is shown."""
    return HEADINGS.get(name, name.replace("_", " "))


_PART = re.compile(r"(?<=[;.]) (?=\S)")  # between the parts of a text about a table
_NAMES = re.compile(r"([^:;.()]{1,80}): ")  # the columns that a part is about
_AND = re.compile(r", and |, | and ")
PROSE = 5  # words: what has as many in front of its colon is no name of a column


def about(frame: pd.DataFrame, wanted: Sequence[str] | None = None) -> str:
    """What is said about a table, only of what it shows, and by the names that stand over its columns.

    Such texts are written `column, other column: what they are; word in a cell: ...`, beginning with a small
    letter unless the column has a capital one; other sentences are kept. wanted: the columns that are shown
    (default: all, limits as one column behind their value).
    """
    names = list(map(str, frame.columns))
    pairs = limits(frame)
    collapsed = {*pairs, *pairs.values()}
    there = [heading(one) for one in names if one not in collapsed and (wanted is None or one in wanted)]
    there += [HEADINGS["low"]] * bool(collapsed & set(names if wanted is None else wanted))
    shown = [f" {one.casefold()} " for one in there]
    hidden = {heading(one) for one in names} | {one.replace("_", " ") for one in names}
    for one in names if wanted is None else wanted:
        if frame[one].dtype.kind not in "biuf":
            shown += [f" {str(cell).casefold()} " for cell in frame[one].unique()]

    def called(name: str) -> str:
        return heading(name) if name in names and name not in collapsed else name.replace("_", " ")

    def is_shown(name: str) -> bool:
        return any(f" {name.casefold()} " in one for one in shown)

    kept: list[str] = []
    for part in _PART.split(str(frame.attrs.get("about") or "")):
        found = _NAMES.match(part)
        told = [called(one.strip()) for one in _AND.split(found[1])] if found else []
        if found and all(_is_name(one) and (one in hidden or one[:1].islower()) for one in told):
            left = [one for one in told if is_shown(one)]
            if not left:
                if part.endswith(".") and kept:
                    kept[-1] = f"{kept[-1].rstrip(';.')}."
                continue
            part = f"{', '.join(left)}: {part[found.end() :]}"
        kept.append(part)
    text = " ".join(part for part in kept if part)
    return f"{text[:-1]}." if text.endswith(";") else text


def _is_name(text: str) -> bool:
    """Whether what stands in front of a colon may be the name of a column or of a thing, not prose."""
    return len(text.split()) < PROSE and not any(letter.isdigit() for letter in text.replace("95 %", ""))


def limits(frame: pd.DataFrame) -> dict[str, str]:
    """The columns of lower limits, each with that of its upper limit: low and high, x_low and x_high."""
    names = set(map(str, frame.columns))
    pairs = {
        name: f"{name[:-3]}high" for name in map(str, frame.columns) if name[-4:] in ("low", "_low", " low")
    }
    return {low: high for low, high in pairs.items() if high in names}


def _hints(frame: pd.DataFrame, name: str, kinds: Mapping[str, str], digits: int) -> list[str]:
    """What a cell tells where the pointer rests: the limits kept for it in `frame.attrs["limits"]`."""
    kept = dict(frame.attrs.get("limits", {})).get(name)
    if kept is None:
        return []
    if _kind(name, kinds) == "number":
        return [f"95 % interval {low:,g} to {high:,g}" if low <= high else "" for low, high in kept]
    digits = max(digits, 2)
    return [
        f"95 % interval {_number(low, name, kinds, digits)} to {_number(high, name, kinds, digits)}"
        if low <= high
        else ""
        for low, high in kept
    ]


def _keys(values: list[Any]) -> list[Any]:
    return ["" if isinstance(v, float) and math.isnan(v) else v for v in values]


def _kind(name: str, kinds: Mapping[str, str]) -> str:
    """Whether a column holds shares, differences of shares in points, or plain numbers."""
    if name in kinds:
        return kinds[name]
    base = name[:-4] if name.endswith(("_low", "_high", " low", " high")) else name
    base = name[:-5] if name.endswith(("_high", " high")) else base
    if {name, base} & SHARE_COLUMNS:
        return "share"
    return "points" if {name, base} & POINTS else "number"


def _digits(values: Sequence[Any], name: str, kinds: Mapping[str, str], least: int = 0) -> int:
    """Decimals for all numbers of a column."""
    known = [abs(float(value)) for value in values if math.isfinite(value)]
    kind = _kind(name, kinds)
    if kind == "points":
        return 2
    if kind == "share":  # two digits where a rate is small, so that a rare event is not rounded away
        return 2 if any(0 < value < 0.1 or 0.9 < value < 1 for value in known) else 1
    if all(value.is_integer() for value in known):
        return least
    if all((2 * value).is_integer() for value in known):
        return max(least, 1)  # medians
    return max(least, 3 if max(known) < 10 else 1 if max(known) >= 100 else 2)


def _number(value: Any, name: str, kinds: Mapping[str, str], digits: int) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    kind = _kind(name, kinds)
    if kind == "share":
        return f"{fixed(100 * value, digits)}\u00a0%"
    if kind == "points":
        return fixed(100 * value, digits, "+")
    return fixed(value, digits, ",")


def fixed(value: float, digits: int, form: str = "") -> str:
    """A number with so many decimals; what is rounded to nothing has no sign."""
    text = f"{value:{form}.{digits}f}"
    return text if text.strip("+-0.,") else text.lstrip("+-")


def _interval(low: Any, high: Any, name: str, kinds: Mapping[str, str], digits: int) -> str:
    kind = _kind(name, kinds)
    if kind == "number" and low == -math.inf and math.isfinite(high):
        return f"below {fixed(high, digits, ',')}"
    if kind == "number" and high == math.inf and math.isfinite(low):
        return f"above {fixed(low, digits, ',')}"
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    if kind == "number":
        return f"{fixed(low, digits, ',')} – {fixed(high, digits, ',')}"
    form = "+" if kind == "points" else ""
    return f"{fixed(100 * low, 2, form)} – {fixed(100 * high, 2, form)}"
