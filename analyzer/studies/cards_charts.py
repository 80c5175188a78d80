"""The chart of cards: correlation and effect side by side, a row a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analyzer.report import draw, style
from analyzer.report.parts import Chart
from analyzer.stats import intervals
from analyzer.studies import cards_words

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel
    from analyzer.studies.cards import Compared

    Tables = Mapping[str, pd.DataFrame]

TITLES = {
    "opening": ("opening", "points a card"),
    "played": ("played", "points a play"),
    "its owner wins": ("effect", "points of win rate"),
    "won by anybody": ("won at all", "points of games"),
    "rounds": ("length", "rounds"),
    "dealt it": ("dealt it", "points"),
}

MOST = 4  # panels that have room


def charts(found: Compared, tables: Tables) -> list[Chart]:
    """One chart with a panel a column of the side by side; and what policies or seats win without a card."""
    frame = tables["cards"]
    panels = [name for name in TITLES if name in frame]
    if len(panels) > MOST:  # the length has its place in the table
        panels.remove("rounds")
    order = "its owner wins" if found.owned else "opening" if "opening" in frame else panels[0]
    frame = frame.sort_values(order, ascending=found.owned, kind="stable").reset_index(drop=True)
    names = [
        style.shorten(f"{card} x{n}", 24) for card, n in zip(frame["card"], frame["copies"], strict=True)
    ]
    wider = intervals.z_value(intervals.joint_level(0.95, len(frame))) / intervals.z_value(0.95)

    def paint(axes: Sequence[Panel]) -> None:
        style.rows_axis(axes[0], names)
        for ax, name in zip(axes, panels, strict=True):
            title, label = TITLES[name]
            text = style.number_text if name == "rounds" else style.points_text
            _panel(ax, frame, name, wider)
            style.panel_title(ax, title)
            style.x_scale(ax, label, text, most=4)

    dealt = " and for who is dealt it" * bool(found.dealt)
    note = (
        f"Left: what holding and playing the card goes with. Right: what changes {cards_words.less(found)}"
        f"{dealt}, on the same luck. Blue: more; orange: less; grey: may be chance when all cards are judged "
        "together."
    )
    return [
        Chart(
            "cards",
            tables["cards"].attrs["question"],
            cards_words.headline(found),
            paint,
            "For each card: correlation with winning and effect of changing it, with 95 % intervals.",
            ("cards", "effects"),
            note,
            height=0.1 + 0.19 * len(frame),
            cols=len(panels),
            left=style.label_room(names),
            gap=(0.22, 0.3),
            top=0.3,
        )
    ]


def _panel(ax: Panel, frame: pd.DataFrame, name: str, wider: float) -> None:
    """Dots with intervals in rows around zero."""
    ax.set_ylim(len(frame) - 0.5, -0.5)
    part = frame.assign(row=range(len(frame))).dropna(subset=[name, f"{name} low", f"{name} high"])
    if part.empty:
        draw.empty(ax, "too few games")
        return
    x, low, high = (part[column].to_numpy(np.float64) for column in (name, f"{name} low", f"{name} high"))
    sure = x + wider * (low - x), x + wider * (high - x)
    colours = [
        style.BLUE if a > 0 else style.RED if b < 0 else style.GREY for a, b in zip(*sure, strict=True)
    ]
    # Wide intervals of rare cards may run out of the panel rather than squeeze the others.
    span = max(1.2 * float(np.abs(x).max()), float(np.quantile(np.abs(np.r_[low, high]), 0.9)), 1e-4)
    ax.set_xlim(-1.05 * span, 1.05 * span)
    ax.add_lines([[(0, 0), (0, 1)]], style.MUTED, 1.0, "x")
    draw.spans(ax, part["row"], low, high, colours, 2.0)
    ax.add_dots(draw.pairs(x, part["row"]), colours, 5.2)
