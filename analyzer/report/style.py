"""One look for every chart: colours, type and the few rules of layout.

The colours are the set of Okabe and Ito (2008), told apart with any common colour blindness. Ink, paper
and grid are named too: the page swaps them for CSS variables, so one drawing is readable on light and on
dark paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel

INK, MUTED, GRID, PAPER = "#1c2330", "#5a6473", "#dfe3e9", "#fefefe"
BLUE, ORANGE, GREEN, RED = "#0072b2", "#e69f00", "#009e73", "#d55e00"
SKY, PINK, YELLOW, GREY = "#56b4e9", "#cc79a7", "#f0e442", "#7f8a99"

# CSS variable of each named colour, for drawings inside the page.
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper", BLUE: "blue", ORANGE: "orange",
             GREEN: "green", RED: "red", SKY: "sky", PINK: "pink", GREY: "grey"}  # fmt: skip

WIDTH = 6.0  # inches, all charts
DPI = 130
SMALL = 9.0  # points: ticks and labels
LONGEST = 34  # letters of a row's name; tables keep the whole one
LETTER = 0.078  # inches that a letter takes, more or less
EDGE = 5.0  # points that texts keep from the figure's edge
BETWEEN = 16.0  # points of the gap between two panels that the name of an axis may take
RC: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "text.color": INK,
    "axes.facecolor": "none",
    "axes.xmargin": 0.0,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "path.simplify": True,
    "text.parse_math": False,  # a policy may be called "$x"
}


def percent_text(x: float) -> str:
    """A tick of a share: 25 %."""
    return f"{x * 100:.4g} %"


def points_text(x: float) -> str:
    """A tick of a difference of shares, in points: +2."""
    return f"{x * 100:+.4g}" if abs(x) > 1e-12 else "0"


def number_text(x: float) -> str:
    """A tick of a plain number."""
    return f"{x:,.4g}" if abs(x) > 1e-12 else "0"


# matplotlib's own axes make five objects a tick and lay each out twice, most of a chart's time. The
# charts here switch them off (Axes.set_axis_off) and have marks instead: one for the grid, one for the ticks.


def x_scale(
    ax: Panel,
    label: str = "",
    text: Callable[[float], str] = number_text,
    at: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    grid: bool = True,
    most: int = 6,
    labels: bool = True,
) -> None:
    """Grid, tick labels (below) and name of the x axis; call it when the limits are set."""
    places = np.array(_places(ax.get_xlim(), most, text) if at is None else [*at], np.float64)
    told = names or [text(place) for place in places.tolist()]
    _scale(ax, "x", places, told if labels else [], names is not None, grid,
           ha="center", va="top", shift=(0, -5))  # fmt: skip
    if label:
        _x_name(ax, label, -20 if labels else -5)


def _x_name(ax: Panel, label: str, down: float) -> None:
    """The name of the x axis below its middle; moved aside where the figure's edge would cut it, and on as
    many lines as it needs where it is too wide for its panel (`charts.figure` makes room for them)."""
    from analyzer.report.renderers import text_width

    at = ax.get_position()
    figure = ax.get_figure()
    beside = [other.get_position() for other in (figure.axes if figure else ()) if other is not ax]
    alone = not any(abs(other.y0 - at.y0) < 1e-6 for other in beside)
    whole = 72 * WIDTH
    room = whole - 2 * EDGE if alone else whole * at.width + BETWEEN
    lines = _lines(label, room)
    middle = whole * (at.x0 + at.x1) / 2
    half = max(text_width(line, SMALL) for line in lines) / 2
    aside = max(min(middle, whole - EDGE - half), EDGE + half) - middle
    for row, line in enumerate(lines):
        ax.add_labels([[0.5, 0]], [line], MUTED, SMALL, "axes", "x-name", ha="center", va="top",
                      shift=(aside, down - 11 * row))  # fmt: skip


def _lines(label: str, room: float) -> list[str]:
    """A label on lines that are not wider than `room` points: broken at a comma if that is enough, else at
    spaces, in a long name behind its marks, and at last anywhere."""
    from analyzer.report.renderers import text_width

    def fits(line: str) -> bool:
        return text_width(line, SMALL) <= room

    if fits(label):
        return [label]
    first, comma, rest = label.partition(", ")
    if comma and fits(f"{first},") and fits(rest):
        return [f"{first},", rest]
    lines = [""]
    for piece in re.findall(r"[^ _.]+[ _.]?|[ _.]", label):
        if lines[-1] and not fits((lines[-1] + piece).rstrip()):
            lines.append("")
        lines[-1] += piece
        while not fits(lines[-1].rstrip()) and len(lines[-1]) > 1:
            most = max(1, next(k for k in range(len(lines[-1]), 0, -1) if k == 1 or fits(lines[-1][:k])))
            lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return [line.rstrip() for line in lines if line.strip()]


def y_scale(
    ax: Panel,
    label: str = "",
    text: Callable[[float], str] = number_text,
    at: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    grid: bool = True,
    most: int = 5,
    labels: bool = True,
) -> None:
    """Grid, tick labels and name of the y axis, at the left; call it when the limits are set."""
    places = np.array(_places(ax.get_ylim(), most, text) if at is None else [*at], np.float64)
    told = names or [text(place) for place in places.tolist()]
    _scale(ax, "y", places, told if labels else [], names is not None, grid,
           ha="right", va="center", shift=(-6, 0))  # fmt: skip
    if label:
        ax.add_labels([[0, 0.5]], [label], MUTED, SMALL, "axes", "y-name", ha="center", shift=(-42, 0),
                      angle=90)  # fmt: skip


def _scale(ax: Panel, along: str, places: NDArray[np.float64], told: Sequence[str], named: bool, grid: bool,
           **how: Any) -> None:  # fmt: skip
    """Grid lines and tick labels at `places` along an axis, "x" or "y"."""
    axis = "xy".index(along)
    at = np.zeros((len(places), 2, 2))  # [tick, end, xy]: the lines run from 0 to 1 of the other axis
    at[:, :, axis] = places[:, None]
    at[:, 1, 1 - axis] = 1
    if grid:
        ax.add_lines([*at], GRID, 0.8, along, clip=False, zorder=0)
    if told:
        ax.add_labels(at[:, 0], told, INK if named else MUTED, SMALL, along, f"{along}-ticks", **how)


def _places(limits: tuple[float, float], most: int, text: Callable[[float], str]) -> list[float]:
    """Where ticks stand: at round numbers, for shares none above 100 %."""
    found = ticks(limits, most)
    return [tick for tick in found if tick <= 1 + 1e-9] if text is percent_text else found


def ticks(limits: tuple[float, float], most: int) -> list[float]:
    """Round numbers inside the limits, at most about so many, at least two."""
    low, high = sorted(limits)
    slack = (high - low) * 1e-6
    rough = max((high - low) / most, 1e-300)
    unit = 10.0 ** math.floor(math.log10(rough))
    steps = [unit * step for step in (0.5, 1, 2, 2.5, 5, 10)]
    for step in reversed([step for step in steps if step < rough] + [min(s for s in steps if s >= rough)]):
        first, last = math.ceil((low - slack) / step), math.floor((high + slack) / step)
        if last > first:
            break
    return [place * step for place in range(first, last + 1)]


def baseline(ax: Panel) -> None:
    """The line on which bars stand."""
    ax.add_lines([[[0, 0], [1, 0]]], MUTED, 0.9, "axes", clip=False, zorder=4)


def panel_title(ax: Panel, text: str) -> None:
    """The name of one panel, above it at the left."""
    room = 72 * ax.get_position().width * WIDTH
    ax.add_labels([[0, 1]], [fitted(text, room, 9.5)], INK, 9.5, "axes", va="bottom", shift=(0, 5))


def rows_axis(ax: Panel, labels: list[str]) -> None:
    """Horizontal rows, the first on top, with their names at the left."""
    ax.set_ylim(len(labels) - 0.5, -0.5)
    room = 72 * ax.get_position().x0 * WIDTH - 6 - EDGE / 2
    names = [fitted(shorten(label, LONGEST), room, SMALL) for label in labels]
    y_scale(ax, at=range(len(labels)), names=names, grid=False)


def label_room(labels: list[str], size: float = 9.0) -> float:
    """Inches that the longest of these labels takes, with a margin."""
    return 0.18 + min(max((len(label) for label in labels), default=0), LONGEST) * size * 0.0092


def shorten(label: str, most: int = 22) -> str:
    """A label short enough for a chart; tables keep the whole one."""
    return label if len(label) <= most else label[: most - 1] + "…"


def fitted(label: str, room: float, size: float) -> str:
    """A label that takes no more than `room` points, by the width of its own letters."""
    from analyzer.report.renderers import text_width

    most = len(label)
    while most > 1 and text_width(shorten(label, most), size) > room:
        most -= 1
    return shorten(label, most)
