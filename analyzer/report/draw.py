"""Shapes that many charts need, drawn on given axes: intervals in rows, heat maps, direct labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.report import style

if TYPE_CHECKING:
    from analyzer.report.marks import Colours
    from analyzer.report.renderers import Panel


NUMBER_ROOM = 0.58  # inches for the numbers at the right end of rows
PALE = 0.15  # of its colour that a cell keeps which may be chance
WIDE = 4.0  # times the middle width of intervals: from here on one does not stretch the scale
ARROW = 0.025  # of the scale: the length of an arrowhead
LINE = 11.0  # points between the lines of a cell


def intervals_in_rows(
    ax: Panel,
    value: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    colours: Sequence[str],
    show: Callable[[float], str],
    keep: Sequence[float] = (),
    within: tuple[float, float] | None = None,
) -> None:
    """A dot with its interval in each row, its number at the right end; `keep` are further x to stay in
    sight.

    Sets the x limits so that nothing runs into the numbers; missing limits are not drawn. The page tells the
    limits where the pointer rests on the dot. within: what of the scale is shown (see `readable`); an
    interval that goes on beyond it ends in an arrow, and a dot beyond it is not drawn.
    """
    x, a, b = (np.asarray(v, np.float64) for v in (value, low, high))
    rows = np.arange(len(x))
    hints = [told(show, *one) for one in zip(x, a, b, strict=True)]
    numbers = [_number(show, *one) for one in zip(x.tolist(), a.tolist(), b.tolist(), strict=True)]
    if within is None:
        a, b = np.where(np.isfinite(a), a, x), np.where(np.isfinite(b), b, x)
        left, right = min([*a, *keep], default=0.0), max([*b, *keep], default=1.0)
    else:
        left, right = min([within[0], *keep]), max([within[1], *keep])
        _arrows(ax, rows, (a, b), (left, right), colours)
        a, b = np.clip(a, left, right), np.clip(b, left, right)
    spans(ax, rows, a, b, colours, 2.4)
    there = (x >= left) & (x <= right)
    shades = [colour for colour, seen in zip(colours, there, strict=True) if seen]
    ax.add_dots(pairs(x, rows)[there], shades, 5.8, edge=style.PAPER)
    ax.add_hints(pairs(np.clip(x, left, right), rows), hints)
    row_numbers(ax, numbers, left, right)


def _number(show: Callable[[float], str], value: float, low: float, high: float) -> str:
    """A number at the end of its row; where one end of its interval is all that is known, this end."""
    if low == -np.inf:
        return f"<\u00a0{show(high)}"
    return f">\u00a0{show(low)}" if high == np.inf else show(value)


def readable(value: ArrayLike, low: ArrayLike, high: ArrayLike) -> tuple[float, float] | None:
    """What of a scale must be seen to read most of these intervals; None if that is all of it.

    An interval that has no end, or is WIDE times as wide as the middle one of them, does not stretch the
    scale. Of it the value is kept in sight, or the one end that is known where the other has no end, unless
    it lies farther off than all the others together are wide.
    """
    x, a, b = (np.asarray(v, np.float64) for v in (value, low, high))
    ended = np.isfinite(a) & np.isfinite(b)
    if not ended.any():
        return None
    wide = ~ended | (b - a > WIDE * np.median((b - a)[ended]))
    if not wide.any() or wide.all():
        return None
    left, right = float(a[~wide].min()), float(b[~wide].max())
    known = np.where(np.isfinite(a), a, b)
    kept = np.where(ended, x, known)[wide]
    kept = np.clip(kept[np.isfinite(kept)], 2 * left - right, 2 * right - left)
    return min([left, *kept.tolist()]), max([right, *kept.tolist()])


def _arrows(ax: Panel, rows: NDArray[Any], ends: tuple[ArrayLike, ArrayLike], limits: tuple[float, float],
            colours: Sequence[str]) -> None:  # fmt: skip
    """Arrowheads where intervals go on beyond the limits of the scale."""
    long = ARROW * (limits[1] - limits[0])
    for end, limit, away in zip(ends, limits, (-1, 1), strict=True):
        beyond = np.flatnonzero(away * (np.asarray(end, np.float64) - limit) > 0)
        shapes = [
            np.array([[limit + away * long, row], [limit, row - 0.2], [limit, row + 0.2]])
            for row in rows[beyond]
        ]
        ax.add_areas(shapes, [colours[row] for row in beyond.tolist()], zorder=2.0)


def told(show: Callable[[float], str], value: float, low: float, high: float, n: float | None = None) -> str:
    """A number with its 95 % interval and what it rests on, for a hint."""
    rests = "" if n is None else f", n = {n:,.0f}"
    if low == -np.inf or high == np.inf:
        one = f"below {show(float(high))}" if low == -np.inf else f"above {show(float(low))}"
        return f"{one} (95\u00a0%, one-sided){rests}"
    if not low < high:
        return f"{show(float(value))}{rests}"
    return f"{show(float(value))} (95\u00a0% interval {show(float(low))} to {show(float(high))}){rests}"


def row_numbers(ax: Panel, texts: Sequence[str], left: float, right: float) -> None:
    """A column of numbers at the right end of the rows, with x limits that keep the data clear of it."""
    span = (right - left) or max(abs(right), 1e-3)
    room = NUMBER_ROOM / (style.WIDTH * ax.get_position().width)
    low = left - 0.05 * span
    ax.set_xlim(low, low + 1.1 * span / max(1.0 - room, 0.2))
    ax.add_labels([(1, row) for row in range(len(texts))], texts, style.INK, 9, "y", ha="right")


def heat(
    ax: Panel,
    cells: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    text: Sequence[Sequence[str]],
    diverging: bool = False,
    hints: Mapping[tuple[int, int], str] | None = None,
    clear: ArrayLike = True,
) -> None:
    """A matrix as coloured cells with a text (of one line or more) in each; NaN cells stay empty.

    Diverging: 0 is neutral. clear: bool[row, column], the others are pale, however large.
    hints: by (row, column), what a page tells where the pointer rests.
    """
    x = np.asarray(cells, np.float64)
    top = float(np.nanmax(np.abs(x))) if np.isfinite(x).any() else 1.0
    top = top or 1.0
    ends = ("#c26a1a", "#f6f3ee", "#00609a") if diverging else ("#eef3f7", "#8fb8d6", "#00609a")
    x = np.where(clear, x, PALE * x)
    shade = blend((x + top) / (2 * top) if diverging else x / top, ends)
    i, j = np.nonzero(np.isfinite(x))
    square = np.array([[-0.48, -0.46], [0.48, -0.46], [0.48, 0.46], [-0.48, 0.46]])
    corners = np.stack([j, i], axis=1)[:, None, :] + square
    shades = shade[i, j]
    ax.add_areas([*corners], [*shades])
    ink = letters_on(shades)
    told = [text[row][column].split("\n") for row, column in zip(i.tolist(), j.tolist(), strict=True)]
    lines = max(map(len, told), default=0)
    for line in range(lines):
        up = LINE * ((lines - 1) / 2 - line)
        part = [cell[line] if line < len(cell) else "" for cell in told]
        ax.add_labels(pairs(j, i), part, ink, 9, ha="center", shift=(0, up))
    if hints:
        ax.add_hints([(column, row) for row, column in hints], hints.values(), 14)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    room = 72 * ax.get_position().width * style.WIDTH / max(1, len(columns)) - 3
    short = [
        "\n".join(style.fitted(line, room, style.SMALL) for line in name.split("\n")) for name in columns
    ]
    style.x_scale(ax, at=range(len(columns)), names=short, grid=False)
    style.rows_axis(ax, list(rows))


def blend(x: ArrayLike, ends: tuple[str, str, str]) -> np.ndarray:
    """Colours between three, float64[..., 3], for x from 0 to 1; NaN gives the middle one."""
    places = np.nan_to_num(np.asarray(x, np.float64), nan=0.5)
    rgb = np.array([[int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)] for colour in ends])
    return np.stack([np.interp(places, [0.0, 0.5, 1.0], rgb[:, channel]) for channel in range(3)], axis=-1)


def letters_on(shades: ArrayLike) -> list[str]:
    """White or black, whichever stands out more on each of these colours, float64[colour, rgb] from 0 to 1.

    By the relative luminance L of WCAG 2.2: white where 1.05 / (L + 0.05) is above (L + 0.05) / 0.0517.
    """
    rgb = np.asarray(shades, np.float64)[:, :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    dark = (linear @ [0.2126, 0.7152, 0.0722] + 0.05) ** 2 < 1.05 * 0.0517
    return ["#ffffff" if one else "#040609" for one in dark.tolist()]


def key(ax: Panel, entries: Sequence[tuple[str, str]], up: float = 5) -> None:
    """Names in their colours, side by side, `up` points above the axes at the right: a legend without its
    box."""
    right = 0.0
    for name, colour in reversed(entries):
        ax.add_labels(
            [[1, 1]], [name], colour, 9, "axes", ha="right", va="bottom", shift=(right, up), bold=True
        )
        right -= len(name) * 6.8 + 10


def upright(ax: Panel, at: float, text: str) -> None:
    """A dashed line at x, named above the axes."""
    ax.add_lines([[[at, 0], [at, 1]]], style.INK, 1.0, "x", clip=False, dashes=(4, 3), zorder=1)
    ax.add_labels([[at, 1]], [text], style.MUTED, 8.5, "x", ha="center", va="bottom", shift=(0, 4))


def empty(ax: Panel, text: str) -> None:
    """Say that there is nothing to draw."""
    ax.add_labels([[0.5, 0.5]], [text], style.MUTED, 9, "axes", "empty", ha="center")


def pairs(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Points float64[point, xy] of their coordinates."""
    return np.stack(np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64)), axis=-1)


def line(ax: Panel, x: ArrayLike, y: ArrayLike, colour: str, width: float, **how: Any) -> None:
    """A line through points."""
    ax.add_lines([pairs(x, y)], colour, width, **how)


def spans(ax: Panel, at: ArrayLike, low: ArrayLike, high: ArrayLike, colours: Colours, width: float,
          upright: bool = False, **how: Any) -> None:  # fmt: skip
    """Lines from low to high: across, at these y, or upright, at these x."""
    ends = (pairs(at, end) if upright else pairs(end, at) for end in (low, high))
    ax.add_lines([*np.stack([*ends], axis=1)], colours, width, **how)


def band(ax: Panel, x: ArrayLike, low: ArrayLike, high: ArrayLike, colour: str, alpha: float = 1.0) -> None:
    """The area between two lines over the same x."""
    ax.add_areas([np.concatenate([pairs(x, low), pairs(x, high)[::-1]])], colour, alpha=alpha)


def bars(ax: Panel, at: ArrayLike, low: ArrayLike, high: ArrayLike, width: float, colour: str) -> None:
    """Upright bars of a width around each x."""
    x, a, b = (np.asarray(v, np.float64) for v in (at, low, high))
    left, right = x - width / 2, x + width / 2
    corners = np.stack([pairs(left, a), pairs(left, b), pairs(right, b), pairs(right, a)], axis=1)
    ax.add_areas([*corners], colour)


def percent(x: float, digits: int = 1) -> str:
    """A share as per cent: 24.8 %."""
    return f"{100 * x:.{digits}f}\u00a0%"  # never broken between number and sign
