"""One look for every chart: colours, type and the few rules of layout.

The colours are the set of Okabe and Ito (2008), told apart with any common colour blindness. Ink, paper
and grid are named too: the page swaps them for CSS variables, so one drawing is readable on light and on
dark paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, GRID, PAPER = "#1c2330", "#5a6473", "#dfe3e9", "#fefefe"
BLUE, ORANGE, GREEN, RED = "#0072b2", "#e69f00", "#009e73", "#d55e00"
SKY, PINK, YELLOW, GREY = "#56b4e9", "#cc79a7", "#f0e442", "#7f8a99"

# CSS variable of each named colour, for drawings inside the page.
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper", BLUE: "blue", ORANGE: "orange",
             GREEN: "green", RED: "red", SKY: "sky", PINK: "pink", GREY: "grey"}  # fmt: skip

WIDTH = 6.0  # inches, all charts
DPI = 130
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
    return f"{x * 100:.3g} %"


def points_text(x: float) -> str:
    """A tick of a difference of shares, in points: +2."""
    return f"{x * 100:+.3g}" if abs(x) > 1e-12 else "0"


def number_text(x: float) -> str:
    """A tick of a plain number."""
    return f"{x:,.4g}" if abs(x) > 1e-12 else "0"


# matplotlib's own axes make five objects a tick and lay each out twice, most of a chart's time. The
# charts here switch them off (Axes.set_axis_off) and draw one collection of grid lines and one text a
# tick instead.


def x_scale(
    ax: Axes,
    label: str = "",
    text: Callable[[float], str] = number_text,
    at: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    grid: bool = True,
    most: int = 6,
    labels: bool = True,
) -> None:
    """Grid, tick labels (below) and name of the x axis; call it when the limits are set."""
    places = ticks(ax.get_xlim(), most) if at is None else list(at)
    across = ax.get_xaxis_transform()
    if grid:
        ax.vlines(places, 0, 1, transform=across, colors=GRID, linewidths=0.8, zorder=0)
    if labels:
        for place, name in zip(places, names or [text(p) for p in places], strict=True):
            ax.text(place, 0, name, transform=offset(ax, across, 0, -5), ha="center", va="top", size=9,
                    color=INK if names else MUTED)  # fmt: skip
    if label:
        down = -(20 if labels else 5)
        ax.text(
            0.5,
            0,
            label,
            transform=offset(ax, ax.transAxes, 0, down),
            ha="center",
            va="top",
            size=9,
            color=MUTED,
        )


def y_scale(
    ax: Axes,
    label: str = "",
    text: Callable[[float], str] = number_text,
    at: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    grid: bool = True,
    most: int = 5,
    labels: bool = True,
) -> None:
    """Grid, tick labels (at the left) and, above them, the name of the y axis; call it when limits are
    set."""
    places = ticks(ax.get_ylim(), most) if at is None else list(at)
    along = ax.get_yaxis_transform()
    if grid:
        ax.hlines(places, 0, 1, transform=along, colors=GRID, linewidths=0.8, zorder=0)
    if labels:
        for place, name in zip(places, names or [text(p) for p in places], strict=True):
            ax.text(0, place, name, transform=offset(ax, along, -6, 0), ha="right", va="center", size=9,
                    color=INK if names else MUTED)  # fmt: skip
    if label:
        ax.text(0, 0.5, label, transform=offset(ax, ax.transAxes, -42, 0), ha="center", va="center", size=9,
                color=MUTED, rotation=90)  # fmt: skip


def ticks(limits: tuple[float, float], most: int) -> list[float]:
    """Round numbers inside the limits, at most about so many."""
    from matplotlib.ticker import MaxNLocator

    low, high = sorted(limits)
    slack = (high - low) * 1e-6
    found = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    return [float(x) for x in found if low - slack <= x <= high + slack]


def offset(ax: Axes, base: Any, dx: float, dy: float) -> Any:
    """A transform moved by so many points."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    return base + ScaledTranslation(dx / 72, dy / 72, figure.dpi_scale_trans)


def baseline(ax: Axes) -> None:
    """The line on which bars stand."""
    ax.plot([0, 1], [0, 0], transform=ax.transAxes, color=MUTED, linewidth=0.9, clip_on=False, zorder=4)


def panel_title(ax: Axes, text: str) -> None:
    """The name of one panel, above it at the left."""
    ax.text(0, 1, text, transform=offset(ax, ax.transAxes, 0, 5), va="bottom", size=9.5, color=INK)


def rows_axis(ax: Axes, labels: list[str]) -> None:
    """Horizontal rows, the first on top, with their names at the left."""
    ax.set_ylim(len(labels) - 0.5, -0.5)
    y_scale(ax, at=range(len(labels)), names=labels, grid=False)


def label_room(labels: list[str], size: float = 9.0) -> float:
    """Inches that the longest of these labels takes, with a margin."""
    return 0.18 + max((len(label) for label in labels), default=0) * size * 0.0092


def shorten(label: str, most: int = 22) -> str:
    """A label short enough for a chart; tables keep the whole one."""
    return label if len(label) <= most else label[: most - 1] + "…"
