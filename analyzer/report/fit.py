"""Which columns of a table stand side by side on the page: what is too wide goes into tables below.

A page must not have to be moved sideways to be read. How wide a column will be is told from its letters, with
the wider of common fonts, so that what fits here fits everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.report.tables import Column

ROOM = 976.0  # CSS pixels of the page's column, less a little
# The style of a table -> the size of its letters and what stands left and right of each cell, in CSS pixels.
STYLES = {"": (14.0, 16.0), "dense": (12.0, 11.0)}
LETTER, NARROW, BOLD = 0.645, 0.34, 1.12  # widths in ems (DejaVu Sans); headings are bold
LEAST = 56.0  # CSS pixels of a column of words
WORDS = 18  # letters of a column of words that are kept on one line where there is room
MOST_KEYS = 3  # columns that name a row, repeated in each part

BREAKS = re.compile(r"(?<=[A-Za-z0-9\]])([_.:=/])(?=[A-Za-z\[])")  # a long name may be broken behind these


class Layout(NamedTuple):
    """The style of a table, and the numbers of the columns of each of its parts; the first one is shown."""

    style: str
    parts: list[list[int]]


def layout(columns: Sequence[Column], keys: int | None = None) -> Layout:
    """How these columns are shown: in the first style in which all fit, else in parts that do.

    keys: how many columns name a row and stand in each part (default: the first, and all of words behind it).
    """
    every = list(range(len(columns)))
    for style in STYLES:
        if sum(width(one, style) for one in columns) <= ROOM:
            return Layout(style, [every])
    style = list(STYLES)[-1]
    named = _keys(columns) if keys is None else keys
    head, rest = every[:named], every[named:]
    room = ROOM - sum(width(columns[k], style) for k in head)
    parts: list[list[int]] = []
    used = 0.0
    for group in _groups(columns, rest):
        wide = sum(width(columns[k], style) for k in group)
        if not parts or used + wide > room:
            parts.append([*head])
            used = 0.0
        parts[-1] += group
        used += wide
    return Layout(style, parts or [every])


def _keys(columns: Sequence[Column]) -> int:
    words = 1
    while words < min(len(columns) - 1, MOST_KEYS) and not columns[words].number:
        words += 1
    return words


def _groups(columns: Sequence[Column], numbers: Sequence[int]) -> list[list[int]]:
    """The columns with those that must stand behind them: an interval behind its number."""
    found: list[list[int]] = []
    for k in numbers:
        if found and columns[k].interval:
            found[-1].append(k)
        else:
            found.append([k])
    return found


def width(column: Column, style: str) -> float:
    """CSS pixels that a column takes: numbers on one line, words broken where that is possible."""
    size, beside = STYLES[style]
    heading = BOLD * max(map(ems, pieces(column.heading)), default=0.0)
    if column.number:
        return size * max([heading, *map(ems, column.cells)]) + beside
    longest = max((ems(piece) for cell in column.cells for piece in pieces(cell)), default=0.0)
    whole = max(map(ems, column.cells), default=0.0)
    return max(size * max(heading, longest, min(whole, LETTER * WORDS)) + beside, LEAST)


def pieces(text: str) -> list[str]:
    """What cannot be broken in a text."""
    return BREAKS.sub(r"\1 ", text).split(" ")


def ems(text: str) -> float:
    """The width of a text on one line, in ems."""
    narrow = sum(text.count(one) for one in " \u00a0.,:;|'ilj")
    return NARROW * narrow + LETTER * (len(text) - narrow)
