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
MOST_WIDE = 6  # tiles beside each other
LETTER = 0.0105  # inches of a letter for each point of its size
CORNERS = np.array([[-0.96, -0.47], [0.96, -0.47], [0.96, 0.47], [-0.96, 0.47]])


def places(frame: pd.DataFrame) -> np.ndarray:
    """Where tiles lie, float64[tile, xy]: a tile is 2 wide and 1 high, rows are half a tile apart (U1)."""
    x, y = frame["x"].to_numpy(float), frame["y"].to_numpy(float)
    upright, lying = (np.stack([2 * a - b, b], axis=1) for a, b in ((x, y), (y, x)))
    # A map too wide for the page is turned: neighbours stay neighbours when x and y change places.
    turned = np.ptp(upright[:, 0]) / 2 + 1 > MOST_WIDE and np.ptp(lying[:, 0]) < np.ptp(upright[:, 0])
    found = lying if turned else upright
    return np.asarray(found - found.min(axis=0))


def tile_map(results: Results, tables: Tables) -> Chart:
    """The map with shares of control and falls."""
    frame = tables["tiles"]
    at = places(frame)
    shades = draw.blend((frame["US rounds"] - frame["DE rounds"] + 1) / 2, ENDS)
    ink = draw.letters_on(shades)
    fallen = frame["US fallen"] + frame["DE fallen"]
    wide = (style.WIDTH - 0.2) / (at[:, 0].max() / 2 + 1)  # inches of a tile
    lines = [_control(frame), [f"falls {x:.2f}" for x in fallen]]
    longest = max(len(text) for line in lines for text in line)
    size = min(8.5, wide / (longest * LETTER))
    lines = [_names(results, int(wide / (size * LETTER * 1.15))), *lines]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        ax.add_areas([*(at[:, None, :] + CORNERS)], [*shades])
        for line, texts in enumerate(lines):
            up = LINE * size / 8.5 * (1 - line)
            ax.add_labels(at, texts, ink, size, ha="center", shift=(0, up), bold=not line)
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


def _names(results: Results, letters: int) -> list[str]:
    """Name, points and cover of each tile in so many letters: "5B 3p c1"."""
    told = []
    for tile in frames.rules_of(results).scenario.tiles:
        rest = f" {tile.points}p" if tile.points else ""
        rest += f" {'h' if tile.hill else 'c'}{tile.cover}{' radio' if tile.radio else ''}"
        told.append(style.shorten(tile.name, max(2, letters - len(rest))) + rest)
    return told


def _control(frame: pd.DataFrame) -> list[str]:
    pairs = zip(frame["US rounds"], frame["DE rounds"], strict=True)
    return ["" if max(us, de) < 0.005 else f"US {100 * us:.0f} DE {100 * de:.0f}" for us, de in pairs]
