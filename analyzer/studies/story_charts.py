"""The charts of the story of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart
from analyzer.stats import pacing
from analyzer.studies import story_words

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel
    from analyzer.studies.story import Told

    Tables = Mapping[str, pd.DataFrame]


def charts(found: Told, tables: Tables) -> list[Chart]:
    """When it is decided first, then leads, come-backs, idle turns, how far the chances can be trusted."""
    made = [] if found.few else [_decided(found, tables)]
    made += [_lead_changes(found, tables)]
    made += [_comebacks(found, tables)] if len(tables["comebacks"]) else []
    return [*made, _idle(found, tables), _calibration(tables)]


def _decided(found: Told, tables: Tables) -> Chart:
    """Games decided by round, and the chance of the later winner."""
    by, chance = tables["decided"], tables["chances"]
    last = int(by.loc[by["over"] > 0.999, "round"].min()) if (by["over"] > 0.999).any() else len(by)
    by, chance = by[by["round"] <= last], chance[chance["round"] <= last]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        ax.set_xlim(0.5, max(last, 2) + 0.5)
        ax.set_ylim(0, 1.02)
        draw.band(ax, chance["round"], chance["lowest_tenth"], chance["highest_tenth"], style.ORANGE, 0.18)
        draw.line(ax, chance["round"], chance["chance"], style.ORANGE, 1.8)
        draw.spans(ax, chance["round"], chance["low"], chance["high"], style.ORANGE, 1.6, upright=True)
        draw.band(ax, by["round"], by["low"], by["high"], style.SKY, 0.5)
        draw.line(ax, by["round"], by["share"], style.BLUE, 1.8)
        draw.line(ax, by["round"], by["over"], style.GREY, 1.2, dashes=(4, 3))
        names = [("decided", style.BLUE), ("at an end", style.GREY), ("winner's chance", style.ORANGE)]
        draw.key(ax, names)
        style.x_scale(ax, "round", most=10)
        style.y_scale(ax, "games, or chance", style.percent_text)

    about = tables["decided"].attrs["question"]
    return Chart(
        "decided",
        about,
        story_words.headline(found),
        paint,
        "Share of games decided by round, share of games at an end, mean chance of the later winner.",
        ("decided", "chances"),
        f"Blue: games in which the winner has a chance of {percent(pacing.DECIDED, 0)} or more from then on. "
        "Orange: the chance of the later winner, mean and middle 80 % of the games still on.",
        top=0.3,
        height=2.9,
    )


def _lead_changes(found: Told, tables: Tables) -> Chart:
    frame = tables["lead_changes"]
    none = found.measures["games without a lead change"]
    changes = found.measures["lead changes"]
    shown = frame[frame["share"] >= 0.002] if len(frame) > 25 else frame

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        ax.set_xlim(-0.6, max(float(shown["changes"].max()), 1.0) + 0.6)
        ax.set_ylim(0, float(shown["high"].max()) * 1.08)
        draw.bars(ax, shown["changes"], np.zeros(len(shown)), shown["share"], 0.75, style.SKY)
        draw.spans(ax, shown["changes"], shown["low"], shown["high"], style.INK, 1.2, upright=True)
        style.baseline(ax)
        most = int(shown["changes"].max())
        style.x_scale(ax, "lead changes in a game", at=range(0, most + 1, 1 + most // 13), grid=False)
        style.y_scale(ax, "games", style.percent_text)

    return Chart(
        "lead_changes",
        frame.attrs["question"],
        f"The lead changes {changes.value:.1f} times a game; never in {percent(none.value)} of the games",
        paint,
        "Share of games by number of lead changes.",
        ("lead_changes",),
        "A change: another seat than the last sole leader leads alone at the end of a round. 95 % intervals.",
        height=2.2,
    )


def _comebacks(found: Told, tables: Tables) -> Chart:
    frame = tables["comebacks"]
    labels = [
        f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"
        for low, high in zip(frame["from"], frame["to"], strict=True)
    ]
    fair = float(found.told.credit.mean())

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        colours = [style.BLUE] * len(frame)
        draw.intervals_in_rows(
            ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [0, fair]
        )
        style.rows_axis(ax, labels)
        style.x_scale(ax, "games won in the end, with 95 % intervals", style.percent_text)
        draw.upright(ax, fair, f"any seat {percent(fair)}")

    return Chart(
        "comebacks",
        frame.attrs["question"],
        story_words.comeback(found),
        paint,
        "Win rate of seats behind at half-time, by deficit.",
        ("comebacks",),
        f"Rows: how far behind the best other seat at half-time, in {found.course.score}.",
        height=0.15 + 0.28 * len(frame),
        left=style.label_room(labels),
        top=0.25,
    )


def _idle(found: Told, tables: Tables) -> Chart:
    frame = tables["idle"]
    labels = [str(seat) for seat in frame["seat"]]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        colours = [style.BLUE] * len(frame)
        draw.intervals_in_rows(ax, frame["share"], frame["low"], frame["high"], colours, draw.percent, [0])
        style.rows_axis(ax, labels)
        style.x_scale(ax, "turns without an act to choose, with 95 % intervals", style.percent_text)

    return Chart(
        "idle",
        frame.attrs["question"],
        story_words.idle(found),
        paint,
        "Share of turns in which each seat could do nothing.",
        ("idle",),
        "Turns before the last round, in which at most one answer was legal.",
        height=0.15 + 0.34 * len(frame),
        left=style.label_room(labels),
    )


def _calibration(tables: Tables) -> Chart:
    frame = tables["calibration"]
    off = float(np.average((frame["told"] - frame["win_rate"]).abs(), weights=frame["n"]))

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.02)
        draw.line(ax, [0, 1], [0, 1], style.GREY, 1.0, dashes=(4, 3))
        draw.spans(ax, frame["told"], frame["low"], frame["high"], style.BLUE, 1.6, upright=True)
        ax.add_dots(draw.pairs(frame["told"], frame["win_rate"]), style.BLUE, 5)
        style.x_scale(ax, "told chance", style.percent_text)
        style.y_scale(ax, "games won", style.percent_text)

    return Chart(
        "calibration",
        frame.attrs["question"],
        f"The told chances are off by {100 * off:.1f} points on average{story_words.misses(frame)}",
        paint,
        "Told chance against the share of games won.",
        ("calibration",),
        "On the dashed line a chance means what it says. 95 % intervals, every game counted once.",
        height=2.6,
    )
