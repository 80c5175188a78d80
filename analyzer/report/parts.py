"""What a game's report module hands over: charts to draw, and what the columns of its tables mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

Kind = Literal["share", "points", "number"]

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Draw = Callable[[Sequence[Panel]], None]


@dataclass(frozen=True)
class Chart:
    """One chart: its finding in a sentence, and a function that draws it on given axes.

    name: file name and anchor. question: the section it answers. finding: the title, computed from the data.
    draw: draws on the axes it is given, rows * cols of them in reading order. alt: what is seen, for
    readers who do not see it. tables: names of the tables that hold its numbers. note: how to read it,
    one or two sentences.
    height: inches of the drawing itself. left, right, bottom, top: inches left for labels; gap: between
    panels (across, down). ratios: relative heights of the rows of panels.
    """

    name: str
    question: str
    finding: str
    draw: Draw
    alt: str
    tables: tuple[str, ...] = ()
    note: str = ""
    height: float = 2.6
    rows: int = 1
    cols: int = 1
    left: float = 0.7
    right: float = 0.2
    bottom: float = 0.5
    top: float = 0.05
    gap: tuple[float, float] = (0.3, 0.5)
    ratios: tuple[float, ...] = ()


@dataclass(frozen=True)
class Measure:
    """One number of a run, for the tables of a series: a column, and a chart over the settings if wanted.

    name: the column, in words. kind: "share" (0 to 1), "points" (a difference of shares) or "number".
    low, high: limits of its 95 % interval, NaN without one. phrase: what it is, in a sentence (default: its
    name). about: one line below its chart.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    kind: Kind = "number"
    chart: bool = False
    phrase: str = ""
    about: str = ""


def titled(frame: pd.DataFrame, title: str, question: str = "", about: str = "") -> pd.DataFrame:
    """Name a table for the page and the terminal; the words travel in `frame.attrs`."""
    frame.attrs.update(title=title, question=question, about=about)
    return frame


def limited(
    frame: pd.DataFrame, limits: Sequence[Sequence[tuple[float, float]]], columns: Sequence[str]
) -> None:
    """Keep 95 % limits for numbers that have no columns for them, `limits[row][column]`; pages show them
    where the pointer rests."""
    kept = dict(frame.attrs.get("limits", {}))
    for place, column in enumerate(columns):
        kept[column] = [row[place] for row in limits]
    frame.attrs["limits"] = kept


MIDDLE, TENTHS = (0.1, 0.5, 0.9), ("10 %", "median", "90 %")

# How columns are shown, by name; any other number is shown as it is. CSV files hold the plain values.
SHARES = frozenset({"win_rate", "low", "high", "fair_share", "share", "exact", "simulated"})
POINTS = frozenset({"edge", "edge_low", "edge_high", "effect", "effect_low", "effect_high"})
# A pair of limits is shown as one column behind its value: (low, high) -> heading.
LIMITS = (("low", "high"), ("edge_low", "edge_high"), ("effect_low", "effect_high"),
          ("mean_low", "mean_high"),
          ("difference_low", "difference_high"), ("surplus_low", "surplus_high"))  # fmt: skip


def points(x: float, digits: int = 1) -> str:
    """A difference of shares in points: 2.1 points."""
    text = f"{100 * x:.{digits}f}"
    return f"{text}\u00a0point" if text == f"{1:.{digits}f}" else f"{text}\u00a0points"
