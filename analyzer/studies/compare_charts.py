"""The charts of a comparison: differences with their intervals, both sides, the course of a sequential
test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.report import draw, style
from analyzer.report.parts import Chart
from analyzer.studies.compare_words import signed

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel
    from analyzer.studies.compare_words import Told

QUESTION = "What changes?"


def charts(told: Told) -> list[Chart]:
    """Differences first, then both sides, then the test if there was one."""
    found = [differences(told), both(told)]
    return [*found, course(told)] if "test" in told.frames else found


def differences(told: Told) -> Chart:
    """B less A in rows, with intervals."""
    frame = told.differences
    names = [str(name) for name in frame["wins"]]
    labels = [style.shorten(name, 30) for name in names]
    colours = [
        {"more": style.BLUE, "less": style.RED}.get(str(finding), style.GREY) for finding in frame["finding"]
    ]

    def drawn(ax: Panel) -> None:
        low, high = (frame[f"difference {end}"] for end in ("low", "high"))
        draw.intervals_in_rows(ax, frame["difference"], low, high, colours, _points, [0.0])
        style.rows_axis(ax, labels)
        style.x_scale(ax, "B less A, in points, with 95 % intervals", style.points_text)
        draw.upright(ax, 0.0, "no difference")

    return Chart(
        "differences", QUESTION, told.answer(), lambda axes: drawn(axes[0]),
        "Differences of win rates, B less A, with 95 % intervals.", ("differences",),
        "Both sides played the same luck. Blue and orange: clear of chance, all rows judged together; grey: "
        "it may be chance.",
        height=0.15 + 0.34 * len(frame), left=style.label_room(labels), top=0.25,
    )  # fmt: skip


def both(told: Told) -> Chart:
    """Win rates of A and of B with their intervals, one above the other."""
    frame = told.differences
    labels = [style.shorten(str(name), 30) for name in frame["wins"]]

    def drawn(ax: Panel) -> None:
        ends: list[float] = []
        for side, colour, shift in (("A", style.GREY, -0.16), ("B", style.BLUE, 0.16)):
            rows = np.arange(len(frame)) + shift
            rate = frame[side].to_numpy(np.float64)
            low, high = (frame[f"{side} {end}"].fillna(frame[side]) for end in ("low", "high"))
            draw.spans(ax, rows, low, high, colour, 2.0)
            ax.add_dots(draw.pairs(rate, rows), colour, 6.0, edge=style.PAPER)
            ends += [float(low.min()), float(high.max())]
        span = max(ends) - min(ends) or 0.01
        ax.set_xlim(max(min(ends) - 0.08 * span, 0.0), min(max(ends) + 0.08 * span, 1.0))
        style.rows_axis(ax, labels)
        style.x_scale(ax, "games won, with 95 % intervals", style.percent_text)
        draw.key(ax, [("A", style.GREY), ("B", style.BLUE)])

    return Chart(
        "both_sides", QUESTION, _apart(told), lambda axes: drawn(axes[0]),
        "Win rates of A and B side by side, with 95 % intervals.", ("differences", "lengths"),
        "Grey: A; blue: B. The rates of one side are less exact than their difference, which is on the "
        "chart above.",
        height=0.15 + 0.36 * len(frame), left=style.label_room(labels), top=0.25,
    )  # fmt: skip


def _apart(told: Told) -> str:
    frame = told.differences
    row = frame.iloc[int(np.argmax(np.abs(frame["difference"].to_numpy(np.float64))))]
    return (
        f"Furthest apart: {row['wins']}, {draw.percent(float(row['A']))} under A and "
        f"{draw.percent(float(row['B']))} under B"
    )


def course(told: Told) -> Chart:
    """The log likelihood ratio over the games, between its two bounds."""
    frame, test = told.frames["test"], told.question.test
    assert test is not None
    games, llr = (frame[name].to_numpy(np.float64) for name in ("games", "log likelihood ratio"))
    low, high = (f"{signed(x)} points" for x in (test.d0, test.d1))

    def drawn(ax: Panel) -> None:
        ax.set_xlim(0.0, float(games.max()) * 1.02)
        ends = [float(llr.min()), float(llr.max()), test.lower, test.upper]
        room = 0.14 * (max(ends) - min(ends))
        ax.set_ylim(min(ends) - room, max(ends) + room)
        style.x_scale(ax, "games a side")
        style.y_scale(ax, "log likelihood ratio")
        for at, name, va in (
            (test.upper, f"{high} accepted", "bottom"),
            (test.lower, f"{low} accepted", "top"),
        ):
            ax.add_lines([[[0, at], [1, at]]], style.INK, 1.0, "y", dashes=(4, 3))
            ax.add_labels(
                [[0.01, at]], [name], style.MUTED, 8.5, "y", va=va, shift=(0, 3 if va == "bottom" else -3)
            )
        draw.line(ax, [0.0, *games], [0.0, *llr], style.BLUE, 1.8)
        ax.add_dots([[games[-1], llr[-1]]], style.BLUE, 6.5, edge=style.PAPER)

    return Chart(
        "sequential_test", "When is it decided?", told.main(), lambda axes: drawn(axes[0]),
        "The log likelihood ratio over the games, with its two bounds.", ("test",),
        "The line rises as the games speak for the upper bound, and falls as they speak for the lower one; "
        "the test ends where it meets a dashed line.",
        left=0.8, height=2.6,
    )  # fmt: skip


def _points(x: float) -> str:
    return f"{100 * x:+.2f}"
