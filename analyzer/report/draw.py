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
LINE = 11.0  # points between the lines of a cell


def intervals_in_rows(
    ax: Panel,
    value: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    colours: Sequence[str],
    show: Callable[[float], str],
    keep: Sequence[float] = (),
) -> None:
    """A dot with its interval in each row, its number at the right end; `keep` are further x to stay in
    sight.

    Sets the x limits so that nothing runs into the numbers; missing limits are not drawn. The page tells the
    limits where the pointer rests on the dot.
    """
    x, a, b = (np.asarray(v, np.float64) for v in (value, low, high))
    a, b = np.where(np.isfinite(a), a, x), np.where(np.isfinite(b), b, x)
    rows = np.arange(len(x))
    spans(ax, rows, a, b, colours, 2.4)
    ax.add_dots(pairs(x, rows), colours, 5.8, edge=style.PAPER)
    ax.add_hints(pairs(x, rows), [told(show, *one) for one in zip(x, a, b, strict=True)])
    left, right = min([*a, *keep], default=0.0), max([*b, *keep], default=1.0)
    row_numbers(ax, [show(float(v)) for v in x], left, right)


def told(show: Callable[[float], str], value: float, low: float, high: float, n: float | None = None) -> str:
    """A number with its 95 % interval and what it rests on, for a hint."""
    rests = "" if n is None else f", n = {n:,.0f}"
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
