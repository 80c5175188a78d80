"""Shapes that many charts need, drawn on given axes: intervals in rows, heat maps, direct labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from analyzer.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def intervals_in_rows(
    ax: Axes,
    value: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    colours: Sequence[str],
    show: Callable[[float], str] | None = None,
    keep: Sequence[float] = (),
    room: float = 0.16,
) -> None:
    """A dot with its interval in each row, its number behind it; `keep` are further x to stay in sight.

    `room`: what the numbers take, as a part of the width. Sets the x limits; missing limits are not drawn.
    """
    x, a, b = (np.asarray(v, np.float64) for v in (value, low, high))
    a, b = np.where(np.isfinite(a), a, x), np.where(np.isfinite(b), b, x)
    rows = np.arange(len(x))
    ax.hlines(rows, a, b, colors=list(colours), linewidths=2.4)
    ax.scatter(x, rows, s=34, c=list(colours), zorder=3, edgecolors=style.PAPER, linewidths=0.8)
    left, right = min([*a, *keep], default=0.0), max([*b, *keep], default=1.0)
    span = (right - left) or max(abs(right), 1e-3)
    ax.set_xlim(left - 0.06 * span, right + (room if show else 0.06) * span)
    if show:
        moved = style.offset(ax, ax.transData, 7, 0)
        for row, (at, end) in enumerate(zip(x, b, strict=True)):
            ax.text(end, row, show(float(at)), transform=moved, va="center", size=9)


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


def key(ax: Axes, entries: Sequence[tuple[str, str]], x: float = 0.015, y: float = 0.95) -> None:
    """Names in their colours, below each other from (x, y) in axes units: a legend without its box."""
    for i, (name, colour) in enumerate(entries):
        ax.text(x, y, name, transform=style.offset(ax, ax.transAxes, 0, -13.5 * i), color=colour, size=9,
                weight="bold", va="top")  # fmt: skip


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
    return f"{100 * x:.{digits}f} %"
