"""The chart of an exact answer, in the style of all reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.answers import Answer, Column, Heat, Lines, number, percent
from analyzer.report import charts, draw, style
from analyzer.report.parts import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.report.renderers import Panel

COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PINK, style.SKY, style.RED)
MOST_TICKS = 14
FOOT_LINE = 0.14  # inches of a line of the footer
WORD = 0.035  # of the width: how much a word takes that stands upright
UPS = (0.5, 0.14, 0.86, 0.32, 0.68)  # where it may stand, in parts of the height, the best first
HALF = 0.45  # of a step left and right of points with names, for the names
CROWDED = 16  # columns of a heat map without room for two digits
LONG = 34  # letters of a name beside a row
NARROW = 11  # letters of a name below a column


def figure(answer: Answer) -> Figure:
    """Headline (the finding), the drawing, and a line or more that say what it rests on."""
    lines = footer(answer)
    made = chart(answer)
    made = replace(made, bottom=made.bottom + FOOT_LINE * (len(lines) - 1))
    return charts.figure(made, "\n".join(lines))


def footer(answer: Answer) -> list[str]:
    """What is told and by which right, broken into lines that fit the figure's width."""
    told = f"{answer.game}: {answer.title} ·\u00a0exact,\u00a0by\u00a0the\u00a0rules"
    return charts.wrapped(told, charts.FOOT_SIZE)


def chart(answer: Answer) -> Chart:
    """The answer as a chart."""
    made = _lines if isinstance(answer.plot, Lines) else _heat
    found = made(answer, answer.plot)  # type: ignore[arg-type]
    return replace(found, finding=answer.finding.replace(" %", "\u00a0%"))  # no line ends within 80 %


def _column(answer: Answer, name: str) -> Column:
    return next(one for one in answer.columns if one.name == name)


# ---------------------------------------------------------------- lines


def _lines(answer: Answer, plot: Lines) -> Chart:
    places, names = _x(answer, plot.x)
    columns = [_column(answer, name) for name in plot.lines]
    shares = columns[0].kind == "chance"
    highest = [cell for one in columns for cell in answer.column(one.name) if cell is not None]
    top = 1.0 if shares else float(max([*highest, 1]))
    key = [(one.shown, colour) for one, colour in zip(columns, COLOURS, strict=False)]
    points = [_points(places, answer.column(one.name)) for one in columns]
    curves = [_steps(one) if plot.steps else one for one in points]

    def paint(axes: Sequence[Panel]) -> None:
        (ax,) = axes
        beside = 0.03 * ((max(places) - min(places)) or 1) if names is None else HALF
        ax.set_xlim(min(places) - beside, max(places) + beside)
        ax.set_ylim(-0.02 * top, 1.04 * top)
        if answer.asked is not None:
            at = places[answer.asked] if plot.asked is None else float(plot.asked)
            ax.add_lines([[[at, 0], [at, 1]]], style.INK, 1.0, "x", clip=False, dashes=(4, 3), zorder=1)
            up = _free(at, (min(places), max(places)), [curve / np.array([1.0, top]) for curve in curves])
            ax.add_labels([[at, up]], ["asked"], style.MUTED, 8.5, "x", ha="center", va="bottom",
                          shift=(-4, 0), angle=90)  # fmt: skip
        for x_y, curve, colour in zip(points, curves, COLOURS, strict=False):
            if len(x_y):
                draw.line(ax, curve[:, 0], curve[:, 1], colour, 1.8)
                ax.add_dots(x_y, colour, 5.0, edge=style.PAPER)
        if names is not None:
            style.x_scale(ax, plot.x_label, at=places, names=names, grid=False)
        elif _column(answer, plot.x).kind == "chance":
            style.x_scale(ax, plot.x_label, style.percent_text, grid=False)
        else:
            style.x_scale(ax, plot.x_label, at=_ticks(places), grid=False)
        if shares:
            style.y_scale(ax, plot.y_label, style.percent_text, at=[0, 0.25, 0.5, 0.75, 1.0])
        else:
            whole = [tick for tick in style.ticks((0, top), 6) if tick == int(tick)]
            style.y_scale(ax, plot.y_label, at=whole)
        if len(key) > 1:
            draw.key(ax, key)

    lines = max((name.count("\n") for name in names or ()), default=0)
    return Chart(
        answer.question or "odds", answer.title, answer.finding, paint, answer.title,
        height=3.0, left=0.85, top=0.3, bottom=0.5 + 0.16 * lines,
    )  # fmt: skip


def _points(places: Sequence[float], cells: Sequence[Any]) -> np.ndarray:
    """The points of a column that has something to tell, float64[point, 2]."""
    found = [(x, float(y)) for x, y in zip(places, cells, strict=True) if y is not None]
    return np.array(found, np.float64).reshape(-1, 2)


def _steps(points: np.ndarray) -> np.ndarray:
    """A line that keeps the value of a point from the one before it up to it, float64[corner, 2]."""
    x, y = points.T
    return np.stack([np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]], axis=1)


def _free(at: float, ends: tuple[float, float], curves: Sequence[np.ndarray]) -> float:
    """How far up, as a share of the height, a word stands left of `at` farthest from all curves.

    curves: float64[corner, 2] each, its heights from 0 to 1.
    """
    across = np.linspace(at - WORD * (ends[1] - ends[0]), at, 9)
    heights = [np.interp(across, *curve.T) for curve in curves if len(curve)]
    if not heights:
        return 0.5
    away = [min(float(np.abs(height - up).min()) for height in heights) for up in UPS]
    return UPS[int(np.argmax(away))]


def _x(answer: Answer, name: str) -> tuple[list[float], list[str] | None]:
    """Where the points stand, and their names where the column holds texts."""
    cells = answer.column(name)
    if _column(answer, name).kind == "text":
        return [float(k) for k in range(len(cells))], [_broken(str(cell)) for cell in cells]
    known = [cell for cell in cells if cell is not None]
    return [float(cell) if cell is not None else float(max(known, default=0)) for cell in cells], None


def _ticks(places: Sequence[float]) -> list[float]:
    """The places themselves while they are few; else round numbers."""
    found = sorted(set(places))
    if len(found) <= MOST_TICKS and found[-1] - found[0] <= 2 * MOST_TICKS:
        return found
    return style.ticks((found[0], found[-1]), 8)


# ---------------------------------------------------------------- heat maps


def _heat(answer: Answer, plot: Heat) -> Chart:
    label = _column(answer, plot.label)
    before = "" if label.kind == "text" else f"{label.shown} "
    named = [style.shorten(f"{before}{cell}", LONG) for cell in answer.column(plot.label)]
    left = style.label_room(named)
    rows = [_fitting(name, left) for name in named]
    heads = [_column(answer, name) for name in plot.cells]
    cells = [answer.column(one.name) for one in heads]
    text = [
        [_cell(column[row], one) for column, one in zip(cells, heads, strict=True)]
        for row in range(len(rows))
    ]
    long = len(heads) > CROWDED and any(len(cell) > 1 for line in text for cell in line)
    if long:
        text = [[cell if len(cell) == 1 else "" for cell in line] for line in text]
    values = np.array(
        [[_value(column[row], plot) for column in cells] for row in range(len(rows))], np.float64
    )
    # Where the table had no room for a name its heading is a number.
    told = [one.name if one.shown.isdecimal() else one.shown for one in heads]
    broken = [_broken(name) for name in told]
    room = (style.WIDTH - left) / len(heads)  # inches of a column
    upright = max(style.label_room([line]) for name in broken for line in name.split("\n")) > room + 0.1
    names = [""] * len(heads) if upright else broken
    unit = "chance in %" if heads[0].kind == "chance" else ""
    below = " · ".join(filter(None, [plot.x_label, unit, "empty: 10 or more" if long else ""]))
    deep = 0.16 * max(name.count("\n") for name in names)
    if upright:
        told = [style.shorten(name, LONG) for name in told]
        deep = 0.85 * style.label_room(told) - 0.12

    def paint(axes: Sequence[Panel]) -> None:
        (ax,) = axes
        draw.heat(ax, values, rows, names, text)
        if answer.asked is not None and plot.asked:
            here = np.array([plot.cells.index(plot.asked), answer.asked])
            ring = np.array([[-0.48, -0.46], [0.48, -0.46], [0.48, 0.46], [-0.48, 0.46], [-0.48, -0.46]])
            around = here + ring
            draw.line(ax, around[:, 0], around[:, 1], style.ORANGE, 2.0)
        for k, name in enumerate(told if upright else ()):
            ax.add_labels([[k, 0]], [name], style.INK, style.SMALL, "x", ha="right", va="center",
                          shift=(0, -4), angle=90)  # fmt: skip
        if below:
            drop = 72 * deep + 8 if upright else 20 + 69 * deep
            ax.add_labels([[0.5, 0]], [below], style.MUTED, style.SMALL, "axes", ha="center", va="top",
                          shift=(0, -drop))  # fmt: skip

    return Chart(
        answer.question or "odds", answer.title, answer.finding, paint, answer.title,
        height=max(0.6, 0.28 * len(rows)), left=left, bottom=0.5 + deep, top=0.1,
    )  # fmt: skip


def _fitting(name: str, room: float) -> str:
    """A name of a row shortened to so many inches: some letters are wider than `label_room` reckons."""
    from analyzer.report.renderers import text_width

    while len(name) > 2 and text_width(name, style.SMALL) > 72 * (room - 0.1):
        name = style.shorten(name, len(name) - 1)
    return name


def _cell(cell: Any, one: Column) -> str:
    if cell is None:
        return "-"
    if one.kind != "chance":
        return number(cell)
    return percent(cell).removesuffix(" %") if cell in (0, 1) else f"{float(100 * cell):.0f}"


def _value(cell: Any, plot: Heat) -> float:
    """How dark a cell is: by its number, or, where fewer is more, by one over it."""
    if cell is None:
        return 0.0
    return float(Fraction(1) / cell) if plot.few else float(cell)


def _broken(name: str) -> str:
    """A name broken into short lines at its spaces."""
    lines: list[str] = []
    for word in style.shorten(name, 30).split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= NARROW:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)
