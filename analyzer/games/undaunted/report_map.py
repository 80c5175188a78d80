"""The map of a scenario, drawn as tiles: who controls them, how often, and how many counters fall there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.undaunted import report_frames as frames
from analyzer.games.undaunted import report_words as say
from analyzer.report import draw, style
from analyzer.report.parts import Chart

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel
    from analyzer.sim.results import Results

    Tables = Mapping[str, pd.DataFrame]

ENDS = ("#d98a2b", "#f6f3ee", "#2f7fb5")  # DE, nobody, US
ROW, LINE = 0.72, 10.5  # inches from row to row; points from line to line
CORNERS = np.array([[-0.96, -0.47], [0.96, -0.47], [0.96, 0.47], [-0.96, 0.47]])


def places(frame: pd.DataFrame) -> np.ndarray:
    """Where tiles lie, float64[tile, xy]: a tile is 2 wide and 1 high, rows are half a tile apart (U1)."""
    found = np.stack([2.0 * frame["x"] - frame["y"], frame["y"].astype(float)], axis=1)
    return found - found.min(axis=0)


def tile_map(results: Results, tables: Tables) -> Chart:
    """The map with shares of control and falls."""
    frame = tables["tiles"]
    at = places(frame)
    shades = draw.blend((frame["US rounds"] - frame["DE rounds"] + 1) / 2, ENDS)
    ink = ["#ffffff" if light < 0.55 else "#15191f" for light in shades @ [0.299, 0.587, 0.114]]
    fallen = frame["US fallen"] + frame["DE fallen"]
    lines = [_names(results), _control(frame), [f"falls {x:.2f}" for x in fallen]]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        ax.add_areas([*(at[:, None, :] + CORNERS)], [*shades])
        for line, texts in enumerate(lines):
            ax.add_labels(
                at, texts, ink, 8.5 if line else 9, ha="center", shift=(0, LINE * (1 - line)), bold=not line
            )
        ax.set_xlim(-1.05, at[:, 0].max() + 1.05)
        ax.set_ylim(at[:, 1].max() + 0.55, -0.55)
        draw.key(ax, [("US controls", style.BLUE), ("DE controls", style.ORANGE)])

    note = (
        "Tiles as they lie, each with its name, points (p) and cover (c, h: a hill). Second line and colour: "
        "ends of rounds at which US and DE control it, in per cent. falls: counters of both sides removed "
        "there a game."
    )
    return Chart(
        "map", frames.MAP, say.tile_finding(tables), paint,
        "The map with how often each side controls each tile and how many counters fall there.",
        ("tiles",), note,
        height=ROW * (at[:, 1].max() + 1), left=0.1, right=0.1, bottom=0.1, top=0.25,
    )  # fmt: skip


def _names(results: Results) -> list[str]:
    """Name, points and cover of each tile: "5B 3p c1"."""
    return [
        f"{style.shorten(tile.name, 10)} {f'{tile.points}p ' if tile.points else ''}"
        f"{'h' if tile.hill else 'c'}{tile.cover}{' radio' if tile.radio else ''}"
        for tile in frames.rules_of(results).scenario.tiles
    ]


def _control(frame: pd.DataFrame) -> list[str]:
    pairs = zip(frame["US rounds"], frame["DE rounds"], strict=True)
    return ["" if max(us, de) < 0.005 else f"US {100 * us:.0f} DE {100 * de:.0f}" for us, de in pairs]
