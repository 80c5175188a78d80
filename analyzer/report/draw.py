"""Shapes that many charts need, drawn on given axes: intervals in rows, heat maps, direct labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from analyzer.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NUMBER_ROOM = 0.58  # inches for the numbers at the right end of rows


def intervals_in_rows(
    ax: Axes,
    value: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    colours: Sequence[str],
    show: Callable[[float], str],
    keep: Sequence[float] = (),
) -> None:
    """A dot with its interval in each row, its number at the right end; `keep` are further x to stay in
    sight.

    Sets the x limits so that nothing runs into the numbers; missing limits are not drawn.
    """
    x, a, b = (np.asarray(v, np.float64) for v in (value, low, high))
    a, b = np.where(np.isfinite(a), a, x), np.where(np.isfinite(b), b, x)
    rows = np.arange(len(x))
    ax.hlines(rows, a, b, colors=list(colours), linewidths=2.4)
    ax.scatter(x, rows, s=34, c=list(colours), zorder=3, edgecolors=style.PAPER, linewidths=0.8)
    left, right = min([*a, *keep], default=0.0), max([*b, *keep], default=1.0)
    row_numbers(ax, [show(float(v)) for v in x], left, right)


def row_numbers(ax: Axes, texts: Sequence[str], left: float, right: float) -> None:
    """A column of numbers at the right end of the rows, with x limits that keep the data clear of it."""
    span = (right - left) or max(abs(right), 1e-3)
    room = NUMBER_ROOM / (style.WIDTH * ax.get_position().width)
    low = left - 0.05 * span
    ax.set_xlim(low, low + 1.1 * span / max(1.0 - room, 0.2))
    for row, text in enumerate(texts):
        ax.text(1, row, text, transform=ax.get_yaxis_transform(), ha="right", va="center", size=9)


def heat(
    ax: Axes,
    cells: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    text: Sequence[Sequence[str]],
    diverging: bool = False,
) -> None:
    """A matrix as coloured cells with a text in each; NaN cells stay empty. Diverging: 0 is neutral."""
    from matplotlib.collections import PolyCollection

    x = np.asarray(cells, np.float64)
    top = float(np.nanmax(np.abs(x))) if np.isfinite(x).any() else 1.0
    top = top or 1.0
    ends = ("#c26a1a", "#f6f3ee", "#00609a") if diverging else ("#eef3f7", "#8fb8d6", "#00609a")
    shade = blend((x + top) / (2 * top) if diverging else x / top, ends)
    i, j = np.nonzero(np.isfinite(x))
    square = np.array([[-0.48, -0.46], [0.48, -0.46], [0.48, 0.46], [-0.48, 0.46]])
    corners = np.stack([j, i], axis=1)[:, None, :] + square
    ax.add_collection(PolyCollection(list(corners), facecolors=shade[i, j], edgecolors="none"), autolim=False)
    for row, column in zip(i.tolist(), j.tolist(), strict=True):
        dark = float(shade[row, column] @ [0.299, 0.587, 0.114]) < 0.6
        ax.text(column, row, text[row][column], ha="center", va="center", size=9,
                color="#ffffff" if dark else "#15191f")  # fmt: skip
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    style.x_scale(ax, at=range(len(columns)), names=columns, grid=False)
    style.y_scale(ax, at=range(len(rows)), names=rows, grid=False)


def blend(x: ArrayLike, ends: tuple[str, str, str]) -> np.ndarray:
    """Colours between three, float64[..., 3], for x from 0 to 1; NaN gives the middle one."""
    places = np.nan_to_num(np.asarray(x, np.float64), nan=0.5)
    rgb = np.array([[int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)] for colour in ends])
    return np.stack([np.interp(places, [0.0, 0.5, 1.0], rgb[:, channel]) for channel in range(3)], axis=-1)


def key(ax: Axes, entries: Sequence[tuple[str, str]]) -> None:
    """Names in their colours, side by side above the axes at the right: a legend without its box."""
    right = 0.0
    for name, colour in reversed(entries):
        ax.text(1, 1, name, transform=style.offset(ax, ax.transAxes, right, 5), color=colour, size=9,
                weight="bold", ha="right", va="bottom")  # fmt: skip
        right -= len(name) * 6.8 + 10


def upright(ax: Axes, at: float, text: str) -> None:
    """A dashed line at x, named above the axes."""
    across = ax.get_xaxis_transform()
    ax.plot(
        [at, at], [0, 1], transform=across, color=style.INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1
    )
    ax.text(at, 1, text, transform=style.offset(ax, across, 0, 4), ha="center", va="bottom", size=8.5,
            color=style.MUTED)  # fmt: skip


def empty(ax: Axes, text: str) -> None:
    """Say that there is nothing to draw."""
    ax.text(0.5, 0.5, text, ha="center", va="center", size=9, color=style.MUTED, transform=ax.transAxes)


def percent(x: float, digits: int = 1) -> str:
    """A share as per cent: 24.8 %."""
    return f"{100 * x:.{digits}f}\u00a0%"  # never broken between number and sign
