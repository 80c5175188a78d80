"""What may be wrong with a drawn chart, found with the renderer's own boxes: each check gives what it found.

`faults` makes all checks. They are tested on charts that are wrong on purpose, in test_every_chart.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.text import Text

from analyzer.report import charts
from analyzer.report.marks import Areas, Dots, Labels, Lines, Mark, Shapes
from analyzer.report.parts import LIMITS, Chart

SLACK = 2.0  # pixels above and below: the box of a line has room for accents that the charts do not use
HINTED = 0.01  # of the width: letters set on whole pixels are a little wider than they were measured
NUMBER = re.compile(r"[-+−]?[\d,.]+( ?%)?\+?")
FEWEST_WORDS = 4  # of a finding
VALUES = {"low": ("share", "win_rate", "simulated"), "edge_low": ("edge",), "effect_low": ("effect",),
          "difference_low": ("difference",), "surplus_low": ("surplus",)}  # fmt: skip


class Box(NamedTuple):
    """A text, its box in pixels (left, bottom, right, top), and the number of its axes, -1 without any."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    axes: int = -1

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )


def texts(fig: Figure) -> list[Box]:
    """Every visible text, its box a little smaller than it is (touching is no overlap)."""
    renderer = fig.canvas.get_renderer()  # type: ignore[attr-defined]
    found = []
    for artist in fig.findobj(lambda one: isinstance(one, Text | Labels)):
        if not artist.get_visible():
            continue
        place = fig.axes.index(artist.axes) if artist.axes in fig.axes else -1
        several = isinstance(artist, Labels)
        told = artist.texts if several else [artist.get_text()]
        boxes = artist.boxes(renderer) if several else [artist.get_window_extent(renderer)]
        found += [
            Box(text, box.x0 + 0.5, box.y0 + SLACK, box.x1 - 0.5, box.y1 - SLACK, place)
            for text, box in zip(told, boxes, strict=True)
            if text.strip()
        ]
    return found


def marks(fig: Figure, place: int) -> list[Mark]:
    """The marks on one of the axes that are data, not grid (grids lie below, at zorder 0)."""
    return [one for one in fig.axes[place].get_children() if isinstance(one, Mark) and one.get_zorder() > 0]


def drawn_points(fig: Figure) -> int:
    """Finite data points of all marks that are data."""
    return sum(mark.points() for place in range(len(fig.axes)) for mark in marks(fig, place))


# ---- the checks ------------------------------------------------------------------------------------------


def empty_axes(chart: Chart, fig: Figure) -> Iterator[str]:
    """Axes that something stands on, but no data, and no word that there are none; and charts without any."""
    for place, ax in enumerate(fig.axes):
        there = marks(fig, place)
        said = any(mark.role == "empty" for mark in there)
        blank = not any(isinstance(child, Mark) for child in ax.get_children())
        if not (said or blank or any(mark.points() for mark in there if mark.get_zorder() < 4)):
            yield f"axes {place} have no data"
        if said and any(mark.points() for mark in there):
            yield f"axes {place} say that they are empty and have data"
    if all(not any(isinstance(child, Mark) for child in ax.get_children()) for ax in fig.axes):
        yield "nothing is drawn"


def overlaps(chart: Chart, fig: Figure) -> Iterator[str]:
    """Texts that cover each other."""
    for a, b in combinations(texts(fig), 2):
        if a.meets(b):
            yield f"{a.text!r} and {b.text!r} overlap"


def cut(chart: Chart, fig: Figure) -> Iterator[str]:
    """Texts that the figure's edge cuts."""
    width, height = fig.canvas.get_width_height()
    for one in texts(fig):
        if one.left < 0 or one.bottom < 0 or one.right > width or one.top > height:
            yield f"{one.text!r} is cut by the edge"


def title_fits(chart: Chart, fig: Figure) -> Iterator[str]:
    """The headline is there as a whole, inside the margins."""
    (head,) = [one for one in fig.findobj(Labels) if one.get_gid() == "headline"]
    if "".join(" ".join(head.texts).split()) != "".join(chart.finding.split()):
        yield "the headline is not the finding"
    margin, width = charts.MARGIN * fig.dpi, fig.canvas.get_width_height()[0]
    for line, box in zip(head.texts, head.boxes(fig.canvas.get_renderer()), strict=True):  # type: ignore[attr-defined]
        if box.x0 < margin - 1 or box.x1 > width - margin + HINTED * width:
            yield f"the headline is too wide: {line!r}"


def over_panels(chart: Chart, fig: Figure) -> Iterator[str]:
    """Texts that reach over axes that are not their own."""
    for place, ax in enumerate(fig.axes):
        if not any(isinstance(child, Mark) for child in ax.get_children()):
            continue
        at = ax.get_window_extent()
        panel = Box("", at.x0 + 1, at.y0 + 1, at.x1 - 1, at.y1 - 1)
        for one in texts(fig):
            if one.axes != place and one.meets(panel):
                yield f"{one.text!r} stands over axes {place}"


def bare_titles(chart: Chart, fig: Figure) -> Iterator[str]:
    """A title that only names what is drawn: a question, a name, a scale's name, the words for the blind."""
    told = chart.finding.strip()
    drawn = {one.text.casefold() for one in texts(fig) if one.axes >= 0}
    named = {chart.name.replace("_", " "), chart.question, chart.alt, *drawn}
    if told.casefold().rstrip(".") in {name.casefold().rstrip(".") for name in named}:
        yield f"the title only names what is drawn: {told!r}"
    elif len(told.split()) < FEWEST_WORDS:
        yield f"the title is no sentence: {told!r}"
    elif told.endswith("?") or re.search(r"\bnan\b|-0\.0+\b(?!\d)|\binf\b", told):
        yield f"the title tells nothing: {told!r}"


def unnamed_scales(chart: Chart, fig: Figure) -> Iterator[str]:
    """Scales of numbers without a name: what is counted or measured."""
    for place, ax in enumerate(fig.axes):
        there = {
            mark.role: mark for mark in ax.get_children() if isinstance(mark, Labels) and mark.role
        }  # the last of each
        for along in "xy":
            ticks = there.get(f"{along}-ticks")
            named = f"{along}-name" in there
            numbers = (
                ticks is not None
                and any(ticks.texts)
                and all(NUMBER.fullmatch(text.strip()) for text in ticks.texts if text)
            )
            if numbers and not named:
                yield f"the {along} scale of axes {place} has no name"


def lost_intervals(chart: Chart, fig: Figure, tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Numbers drawn from a table that has their limits, without them."""
    told = " ".join(one.text for one in texts(fig))
    all_marks = [mark for place in range(len(fig.axes)) for mark in marks(fig, place)]
    ends = _coordinates([mark for mark in all_marks if isinstance(mark, Lines | Areas)])
    values = _coordinates([mark for mark in all_marks if isinstance(mark, Areas | Dots | Shapes)])
    for name in chart.tables:
        frame = tables.get(name)
        if frame is None or "of the whole bar" in chart.note:  # stacks: the parts have none of their own
            continue
        for column, low, high in limits_of(frame):
            some = frame[[column, low, high]].dropna()
            some = some[(some[low] < some[high]) & ((some[column] - some[column].round()).abs() > 1e-9)]
            if len(some) < 2:
                continue
            shown = _among(some[column], values)
            if shown.mean() < 0.9:
                continue
            if "±" in told:
                continue
            here = some[shown]
            inside = np.minimum(_among(here[low], ends) + (here[low] <= 0), 1)  # a bar may begin there
            if inside.mean() < 0.5 or _among(here[high], ends).mean() < 0.5:
                yield f"{column} of table {name} is drawn without its intervals"


def limits_of(frame: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """(column, its low limit, its high limit) of all numbers of a table that have limits."""
    columns = list(map(str, frame.columns))
    for low, high in (*LIMITS, *((f"{name} low", f"{name} high") for name in columns)):
        if low not in columns or high not in columns:
            continue
        value = low.removesuffix(" low") if low.endswith(" low") else ""
        named = [one for one in VALUES.get(low, ()) if one in columns]
        value = value or (named[0] if named else columns[columns.index(low) - 1])
        if value in columns and frame[value].dtype.kind == "f" and frame[low].dtype.kind == "f":
            yield value, low, high


def _coordinates(found: list[Mark]) -> np.ndarray:
    parts = [np.zeros(0)]
    for mark in found:
        if isinstance(mark, Dots):
            parts.append(mark.places.ravel())
        elif isinstance(mark, Shapes):
            parts += [np.asarray(path.vertices).ravel() for path in mark.paths.values()]
    every = np.concatenate(parts)
    return np.unique(every[np.isfinite(every)])


def _among(values: pd.Series, known: np.ndarray) -> np.ndarray:
    """Which of the values are among the coordinates."""
    if not len(known):
        return np.zeros(len(values), bool)
    x = values.to_numpy(np.float64)
    near = known[np.clip(np.searchsorted(known, x), 0, len(known) - 1)]
    before = known[np.clip(np.searchsorted(known, x) - 1, 0, len(known) - 1)]
    return np.asarray(np.minimum(np.abs(near - x), np.abs(before - x)) <= 1e-9 * np.maximum(1, np.abs(x)))


CHECKS: tuple[Callable[[Chart, Figure], Iterator[str]], ...] = (
    empty_axes, overlaps, cut, title_fits, over_panels, bare_titles, unnamed_scales,
)  # fmt: skip


def faults(chart: Chart, fig: Figure, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """All that is wrong with a drawn chart."""
    found = [fault for check in CHECKS for fault in check(chart, fig)]
    return [*found, *lost_intervals(chart, fig, tables)]
