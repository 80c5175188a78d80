"""Moscow's charts: each a finding computed from the tables and a function that draws it on given axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.moscow import report_frames as frames
from analyzer.games.moscow import report_words as say
from analyzer.report import cards, draw, style, wins
from analyzer.report.parts import Chart
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Tables = Mapping[str, pd.DataFrame]

WHEN, RACE = "How and when do games end?", "How does the race run?"
FIGHTS, HINDER = "Do fights keep their odds?", "Who hinders whom?"
COUNT_NOTE = "Long games see more cards and fewer winners, so a falling line need not mean a bad card."


def charts(results: Results, tables: Tables) -> list[Chart]:
    """The charts whose tables have content, in the order of the report."""
    makers: tuple[tuple[str, Callable[[Results, Tables], Chart]], ...] = (
        ("win_rate_by_seat", lambda results, tables: wins.seats(results, tables, say.LONE)),
        ("win_rate_by_policy", wins.policies),
        ("win_rate_by_policy_and_seat", wins.policy_by_seat),
        ("ends_by_month", endings),
        ("km_by_round", race),
        ("arrivals", arrival),
        ("fight_odds", odds),
        ("cards", lambda _, tables: cards.card_effects(tables)),
        ("cards_by_count", lambda _, tables: cards.card_counts(tables, COUNT_NOTE)),
        ("cards", lambda _, tables: cards.cards_held(tables, say.held_finding(tables), "hands_at_the_end")),
        ("blocked", blocked),
        ("hindering", hindering),
    )
    return [make(results, tables) for name, make in makers if name in tables]


# ---- who wins --------------------------------------------------------------------------------------------


# ---- how and when ----------------------------------------------------------------------------------------


def endings(results: Results, tables: Tables) -> Chart:
    """Ends by month and by round."""

    def paint(axes: Sequence[Panel]) -> None:
        _stack(axes[0], tables["ends_by_month"], "month")
        _stack(axes[1], tables["ends_by_round"], "round")
        draw.key(axes[0], [("Moscow falls", style.BLUE), ("nobody wins", style.GREY)])

    return Chart(
        "ends",
        WHEN,
        say.end_finding(tables),
        paint,
        "Share of all games that end in each month and round, by fall of Moscow and by the deck running out.",
        ("outcomes", "length", "ends_by_month", "ends_by_round"),
        "Shares of all games; dark lines: 95 % intervals. Nobody wins when the deck runs out before Moscow "
        "has fallen.",
        height=3.7,
        rows=2,
        gap=(0.3, 0.6),
        ratios=(1.15, 1.0),
        left=0.8,
        top=0.25,
    )


def _stack(ax: Panel, frame: pd.DataFrame, by: str) -> None:
    """Falls below, games without a winner on top, each with its interval; the total above each month."""
    steps = list(frames.MONTHS) if by == "month" else list(range(1, int(frame["round"].max()) + 1))
    place = {step: i for i, step in enumerate(steps, start=int(by == "round"))}
    x = np.array([*place.values()])
    width = 1.0 if by == "round" else 0.72
    below, tops = np.zeros(len(x)), np.zeros(len(x))
    for end, colour in ((frames.FELL, style.BLUE), (frames.RAN_OUT, style.GREY)):
        part = frame[frame["end"] == end]
        rows = np.array([place[step] for step in part[by].tolist()], int) - x[0]
        share, low, high = (part[column].to_numpy() for column in ("share", "low", "high"))
        under = below[rows]
        draw.bars(ax, x[rows], under, under + share, width, colour)
        draw.spans(ax, x[rows], under + low, under + high, style.INK, 1.0, upright=True)
        tops[rows] = under + high
        below[rows] += share
    ax.set_xlim(x[0] - 0.6, x[-1] + 0.6)
    ax.set_ylim(0, max(float(tops.max()), 1e-9) * (1.06 if by == "round" else 1.2))
    style.baseline(ax)
    style.panel_title(ax, f"by {by}")
    style.y_scale(ax, "games", style.percent_text, most=4)
    if by == "round":
        whole = [tick for tick in style.ticks(ax.get_xlim(), 8) if tick >= 1 and tick % 1 == 0]
        style.x_scale(ax, "round", grid=False, at=whole)
        return
    style.x_scale(ax, at=list(x), names=[month[:3].capitalize() for month in frames.MONTHS], grid=False)
    some = below >= 0.0005
    told = [draw.percent(share) for share in below[some].tolist()]
    ax.add_labels(draw.pairs(x, tops)[some], told, style.MUTED, 8.5, ha="center", va="bottom", shift=(0, 3))


# ---- the race --------------------------------------------------------------------------------------------


def race(results: Results, tables: Tables) -> Chart:
    """Distance by round with quantile bands, a panel a seat or policy."""
    frame, goal = tables["km_by_round"], frames.goal_km(results)
    by = str(frame.columns[0])
    names = [n for n in wins.group_names(results) if (frame[by] == n).any()]
    cols = {1: 1, 2: 2, 4: 2}.get(len(names), 3)
    rows = -(-len(names) // cols)

    common = frames.common_round(frame)

    def paint(axes: Sequence[Panel]) -> None:
        top, last = max(float(frame["90 %"].max()), goal) * 1.08, max(2, int(frame["round"].max()))
        for i, (ax, name) in enumerate(zip(axes, names, strict=False)):
            part = frame[frame[by] == name]
            x = part["round"].to_numpy()
            draw.band(ax, x, part["10 %"], part["90 %"], style.SKY, 0.35)
            draw.band(ax, x, part["25 %"], part["75 %"], style.SKY, 0.6)
            early = x <= common
            draw.line(ax, x[early], part["median"][early], style.BLUE, 2.0)
            late = x >= common
            draw.line(ax, x[late], part["median"][late], style.BLUE, 1.4, dashes=(2.0, 1.5))
            if len(x) == 1:
                ax.add_dots(draw.pairs(x, part["median"]), style.BLUE, 6)
            draw.line(ax, [1, last], [goal, goal], style.INK, 1.0, dashes=(4, 3))
            ax.set_xlim(1, last)
            ax.set_ylim(0, top)
            style.panel_title(ax, style.shorten(str(name), 44 // cols))
            bottom = i + cols >= len(names)
            at = [t for t in style.ticks((0, last), 5) if t >= 1]
            style.x_scale(ax, "round" if bottom else "", at=at, labels=bottom, grid=False)
            style.y_scale(ax, "km" if i % cols == 0 else "", labels=i % cols == 0)
        axes[0].add_labels([(1, goal)], ["Moscow"], style.MUTED, 8.5, va="top", shift=(4, -3))

    return Chart(
        "km_by_round",
        RACE,
        say.race_finding(results, tables),
        paint,
        f"Kilometres by round with quantile bands, one panel a {by}.",
        ("km_by_round",),
        "Line: median. Bands: the middle half and the middle eight tenths of the games still running. "
        "Dashed: rounds that fewer than nine in ten games reach. Games end when Moscow falls, so these show "
        "the races that went badly.",
        height=1.6 * rows + 0.3 * (rows - 1),
        rows=rows,
        cols=cols,
        left=0.8,
        gap=(0.22, 0.36),
        top=0.25,
    )


def arrival(results: Results, tables: Tables) -> Chart:
    """Order of arrival against winning."""
    frame = tables["arrivals"]
    labels = [f"arrived {a}" if a != "never" else "never arrived" for a in frame["arrived"]]

    def paint(axes: Sequence[Panel]) -> None:
        colours = [style.BLUE] * len(frame)
        draw.intervals_in_rows(
            axes[0], frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [0.0]
        )
        style.rows_axis(axes[0], labels)
        style.x_scale(
            axes[0], "games won by the seat that arrived at this place, 95 % intervals", style.percent_text
        )

    return Chart(
        "arrivals",
        RACE,
        say.arrival_finding(tables),
        paint,
        "Win rate by order of arrival before Moscow.",
        ("arrivals",),
        "A seat arrives when it first reaches the distance to Moscow.",
        height=0.1 + 0.32 * len(frame),
        left=style.label_room(labels),
    )


# ---- fights ----------------------------------------------------------------------------------------------


def odds(results: Results, tables: Tables) -> Chart:
    """Simulated odds on the diagonal of the exact ones, and how often each was tried."""
    frame = tables["fight_odds"]

    def paint(axes: Sequence[Panel]) -> None:
        top, low = axes
        draw.line(top, [0, 1], [0, 1], style.MUTED, 1.0, dashes=(4, 3))
        for target, colour, shift in (("front", style.BLUE, -0.012), ("moscow", style.RED, 0.012)):
            part = frame[frame["target"] == target]
            if part.empty:
                continue
            x = part["exact"].to_numpy() + shift
            draw.spans(top, x, part["low"], part["high"], colour, 2.0, upright=True)
            top.add_dots(draw.pairs(x, part["simulated"]), colour, 5.8, edge=style.PAPER)
            draw.bars(low, x + shift, 0, part["a_game"], 0.04, colour)
        for ax in axes:
            ax.set_xlim(-0.07, 1.07)
        top.set_ylim(-0.06, 1.06)
        low.set_ylim(0, float(frame["a_game"].max()) * 1.08)
        at = np.unique(frame["exact"])
        style.x_scale(top, at=at.tolist(), labels=False)
        style.y_scale(top, "fights won", style.percent_text, at=[0, 0.25, 0.5, 0.75, 1.0])
        style.x_scale(low, "exact chance to win", lambda x: f"{100 * x:.0f} %", at=at.tolist(), grid=False)
        style.y_scale(low, "fights a game", most=3)
        style.baseline(low)
        draw.key(top, [("front", style.BLUE), ("Moscow", style.RED)])

    return Chart(
        "fight_odds",
        FIGHTS,
        say.odds_finding(tables),
        paint,
        "Share of fights won against the exact chance, for the front and for Moscow, with 95 % intervals.",
        ("fight_odds",),
        "Every fight is counted under the exact chance it had when the die was cast. Points on the dashed "
        "line keep their odds.",
        height=3.9,
        top=0.25,
        rows=2,
        ratios=(2.4, 1.0),
        gap=(0.3, 0.18),
        left=0.85,
    )


# ---- cards -----------------------------------------------------------------------------------------------

# ---- hindering -------------------------------------------------------------------------------------------


def blocked(results: Results, tables: Tables) -> Chart:
    """Share of turns that began with a Red Army in the way."""
    frame = tables["blocked"]
    labels = [style.shorten(str(w)) for w in frame["who"]]
    colours = [style.BLUE if str(w).startswith("seat ") else style.RED for w in frame["who"]]

    def paint(axes: Sequence[Panel]) -> None:
        draw.intervals_in_rows(
            axes[0], frame["share"], frame["low"], frame["high"], colours, draw.percent, [0.0]
        )
        style.rows_axis(axes[0], labels)
        style.panel_title(axes[0], "turns blocked")
        style.x_scale(axes[0], "turns, with 95 % intervals", style.percent_text, most=4)
        style.panel_title(axes[1], "blocked half the game")
        if not frame["half"].notna().all():
            draw.empty(axes[1], "single games were not kept")
            return
        axes[1].set_ylim(len(frame) - 0.5, -0.5)
        draw.intervals_in_rows(
            axes[1], frame["half"], frame["half_low"], frame["half_high"], colours, draw.percent, [0.0]
        )
        style.x_scale(axes[1], "games, with 95 % intervals", style.percent_text, most=4)

    return Chart(
        "blocked",
        HINDER,
        say.blocked_finding(tables),
        paint,
        "Share of turns that began with a Red Army before the seat, and of games blocked for half of them.",
        ("blocked",),
        "A seat is blocked when its turn begins with a Red Army before it; it cannot advance then.",
        height=0.1 + 0.3 * len(frame),
        cols=2,
        left=style.label_room(labels),
        gap=(0.35, 0.3),
        top=0.25,
    )


def hindering(results: Results, tables: Tables) -> Chart:
    """Who hinders whom, a game."""
    names = wins.group_names(results)
    wide = tables["hindering"].set_index(["by", "against"])["a_game"].unstack("against")
    cells = wide.reindex(index=names, columns=names).to_numpy()
    text = [[f"{x:.2f}" if np.isfinite(x) else "" for x in row] for row in cells]
    labels = [style.shorten(n) for n in names]
    columns = [style.shorten(n, 14 if len(names) <= 4 else 8) for n in names]

    def paint(axes: Sequence[Panel]) -> None:
        draw.heat(axes[0], cells, labels, columns, text, hints=cards.hints(tables["hindering"], names))
        style.x_scale(axes[0], "against", at=[], grid=False)

    return Chart(
        "hindering",
        HINDER,
        say.hinder_finding(tables),
        paint,
        "Hindering actions a game, from row to column.",
        ("hindering",),
        "Red Armies, generals, rivers and Hitler orders a game, from the row against the column.",
        height=0.1 + 0.42 * len(names),
        left=style.label_room(labels),
    )
