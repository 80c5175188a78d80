"""Moscow's charts: each a finding computed from the tables and a function that draws it on given axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.moscow import report_frames as frames
from analyzer.games.moscow import report_words as say
from analyzer.report import draw, style
from analyzer.report.parts import Chart
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Tables = Mapping[str, pd.DataFrame]

WHO, WHEN, RACE = "Who wins?", "How and when do games end?", "How does the race run?"
FIGHTS, CARDS, HINDER = "Do fights keep their odds?", "Which cards win?", "Who hinders whom?"


def charts(results: Results, tables: Tables) -> list[Chart]:
    """The charts whose tables have content, in the order of the report."""
    makers: tuple[tuple[str, Callable[[Results, Tables], Chart]], ...] = (
        ("win_rate_by_seat", seats),
        ("win_rate_by_policy", policies),
        ("win_rate_by_policy_and_seat", policy_by_seat),
        ("ends_by_month", endings),
        ("km_by_round", race),
        ("arrivals", arrival),
        ("fight_odds", odds),
        ("cards", card_effects),
        ("cards_by_count", card_counts),
        ("cards", cards_held),
        ("blocked", blocked),
        ("hindering", hindering),
    )
    return [make(results, tables) for name, make in makers if name in tables]


# ---- who wins --------------------------------------------------------------------------------------------


def _rates(frame: pd.DataFrame, labels: list[str], ax: Panel) -> None:
    """Win rates in rows against the fair share of each row."""
    fair = frame["fair_share"].to_numpy()
    clear = (frame["edge_low"] > 0) | (frame["edge_high"] < 0)
    colours = [
        style.GREY if not c else style.BLUE if e > 0 else style.RED
        for c, e in zip(clear, frame["edge"], strict=True)
    ]
    draw.intervals_in_rows(ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [*fair])
    style.rows_axis(ax, labels)
    style.x_scale(ax, "games won, with 95 % intervals", style.percent_text)
    if len(frame) == 1:
        return  # alone, any share is fair
    if np.allclose(fair, fair[0]):
        draw.upright(ax, fair[0], f"fair share {draw.percent(fair[0])}")
    else:
        rows = np.arange(len(frame))
        draw.spans(ax, fair, rows - 0.38, rows + 0.38, style.INK, 1.2, upright=True, dashes=(3.7, 1.6))


def _rows_chart(
    name: str, finding: str, frame: pd.DataFrame, labels: list[str], note: str, alt: str
) -> Chart:
    return Chart(
        name,
        WHO,
        finding,
        lambda axes: _rates(frame, labels, axes[0]),
        alt,
        (name,),
        note,
        height=0.15 + 0.34 * len(frame),
        left=style.label_room(labels),
        top=0.25,
    )


def seats(results: Results, tables: Tables) -> Chart:
    """Win rate by order of play."""
    frame = tables["win_rate_by_seat"]
    labels = [f"seat {s}" for s in frame["seat"]]
    note = (
        "Seat 1 moved first. The fair share is an equal part of the games that anybody won. Blue and red: "
        "the difference from it is clear of zero; grey: it may be chance."
    )
    alt = "Win rate by seat with 95 % intervals and the fair share."
    return _rows_chart("win_rate_by_seat", say.seat_finding(results, tables), frame, labels, note, alt)


def policies(results: Results, tables: Tables) -> Chart:
    """Win rate by policy."""
    frame = tables["win_rate_by_policy"]
    labels = [style.shorten(str(p)) for p in frame["policy"]]
    note = (
        "Each policy sat in every seat equally often, so that no seat's advantage is left in its rate. The "
        "dashed line is the fair share: the part of the seats it held of all games that anybody won."
    )
    if len(results.rotations) == 1:
        note = "Policies did not change seats in this run: part of a difference may belong to the seat."
    alt = "Win rate by policy with 95 % intervals and fair shares."
    return _rows_chart("win_rate_by_policy", say.policy_finding(tables), frame, labels, note, alt)


def policy_by_seat(results: Results, tables: Tables) -> Chart:
    """Heat map of policy and seat: does a policy owe its wins to where it sits?"""
    frame = tables["win_rate_by_policy_and_seat"]
    names = results.policies
    wide = frame.assign(half=(frame["high"] - frame["low"]) / 2).set_index(["policy", "seat"])
    edge, rate, half = (
        wide[c].unstack("seat").reindex(index=names).to_numpy() for c in ("edge", "win_rate", "half")
    )
    gap = " " if results.players <= 4 else "\n"
    text = [
        [f"{100 * r:.1f}{gap}±{100 * h:.1f}" if np.isfinite(r) else "" for r, h in zip(*pair, strict=True)]
        for pair in zip(rate, half, strict=True)
    ]
    labels = [style.shorten(n) for n in names]
    columns = [f"seat {s}" for s in range(1, results.players + 1)]
    return Chart(
        "win_rate_by_policy_and_seat",
        WHO,
        say.both_finding(tables),
        lambda axes: draw.heat(axes[0], edge, labels, columns, text, diverging=True),
        "Win rate in per cent for every policy in every seat.",
        ("win_rate_by_policy_and_seat",),
        "Games won in per cent, with half the width of the 95 % interval. Blue lies above the fair share, "
        "orange below it.",
        height=0.1 + (0.42 if results.players <= 4 else 0.48) * len(names),
        left=style.label_room(labels),
        bottom=0.3,
    )


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
        "Shares of all games. Nobody wins when the deck runs out before Moscow has fallen.",
        height=3.7,
        rows=2,
        gap=(0.3, 0.6),
        ratios=(1.15, 1.0),
        left=0.8,
        top=0.25,
    )


def _stack(ax: Panel, frame: pd.DataFrame, by: str) -> None:
    """Falls below, games without a winner on top; the total above each month."""
    fell = frame[frame["end"] == frames.FELL]["share"].to_numpy()
    out = frame[frame["end"] == frames.RAN_OUT]["share"].to_numpy()
    x = np.arange(len(fell)) + (1 if by == "round" else 0)
    width = 1.0 if by == "round" else 0.72
    draw.bars(ax, x, 0, fell, width, style.BLUE)
    draw.bars(ax, x, fell, fell + out, width, style.GREY)
    top = max(float((fell + out).max()), 1e-9)
    ax.set_xlim(x[0] - 0.6, x[-1] + 0.6)
    ax.set_ylim(0, top * (1.06 if by == "round" else 1.2))
    style.baseline(ax)
    style.panel_title(ax, f"by {by}")
    style.y_scale(ax, "games", style.percent_text, most=4)
    if by == "round":
        style.x_scale(
            ax, "round", grid=False, at=[t for t in style.ticks(ax.get_xlim(), 8) if t >= 1 and t % 1 == 0]
        )
        return
    style.x_scale(ax, at=list(x), names=[month[:3].capitalize() for month in frames.MONTHS], grid=False)
    shown = [(place, share) for place, share in zip(x.tolist(), (fell + out).tolist(), strict=True)
             if share >= 0.0005]  # fmt: skip
    told = [draw.percent(share) for _, share in shown]
    ax.add_labels(shown, told, style.MUTED, 8.5, ha="center", va="bottom", shift=(0, 3))


# ---- the race --------------------------------------------------------------------------------------------


def race(results: Results, tables: Tables) -> Chart:
    """Distance by round with quantile bands, a panel a seat or policy."""
    frame, goal = tables["km_by_round"], frames.goal_km(results)
    by = str(frame.columns[0])
    names = [n for n in frames.group_names(results) if (frame[by] == n).any()]
    cols = {1: 1, 2: 2, 4: 2}.get(len(names), 3)
    rows = -(-len(names) // cols)

    def paint(axes: Sequence[Panel]) -> None:
        top, last = max(float(frame["90 %"].max()), goal) * 1.08, max(2, int(frame["round"].max()))
        for i, (ax, name) in enumerate(zip(axes, names, strict=False)):
            part = frame[frame[by] == name]
            x = part["round"].to_numpy()
            draw.band(ax, x, part["10 %"], part["90 %"], style.SKY, 0.35)
            draw.band(ax, x, part["25 %"], part["75 %"], style.SKY, 0.6)
            draw.line(ax, x, part["median"], style.BLUE, 2.0)
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
        "Line: median. Bands: the middle half and the middle eight tenths of the games still running. Games "
        "end when Moscow falls, so late rounds show those in which the race went badly.",
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
        style.x_scale(
            low, "exact chance to win (M21)", lambda x: f"{100 * x:.0f} %", at=at.tolist(), grid=False
        )
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

# stat, column, title, unit, shown in points
EFFECTS = (
    ("opening", "effect", "opening hand", "points a card", True),
    ("drawn", "surplus", "drawn", "surplus, cards", False),
    ("played", "surplus", "played", "surplus, cards", False),
)


def card_effects(results: Results, tables: Tables) -> Chart:
    """What winners were dealt, drew and played."""
    frame = tables["cards"]
    drawn = frame[frame["stat"] == "drawn"].dropna(subset=["surplus"])
    names = [str(c) for c in drawn.sort_values("surplus", ascending=False, kind="stable")["card"]]
    names = names or list(dict.fromkeys(map(str, frame["card"])))

    def paint(axes: Sequence[Panel]) -> None:
        style.rows_axis(axes[0], names)
        for ax, (stat, column, title, label, in_points) in zip(axes, EFFECTS, strict=True):
            _effects(ax, frame[frame["stat"] == stat].set_index("card").reindex(names), column)
            style.panel_title(ax, title)
            style.x_scale(ax, label, style.points_text if in_points else style.number_text, most=4)

    return Chart(
        "cards",
        CARDS,
        say.card_finding(tables),
        paint,
        "For each card type: effect in the opening hand, and the winners' surplus of cards drawn and played.",
        ("cards",),
        "Blue: more of it goes with winning; red: with losing; grey: may be chance. Opening hand: points of "
        "win rate for one card more; dealt at random, so a cause. Surplus: cards the winners had beyond the "
        "others' mix.",
        height=0.1 + 0.178 * len(names),
        cols=3,
        left=style.label_room(names),
        gap=(0.22, 0.3),
        top=0.25,
    )


def _effects(ax: Panel, part: pd.DataFrame, column: str) -> None:
    ax.set_ylim(len(part) - 0.5, -0.5)
    part = part.assign(row=range(len(part)), low=part[f"{column}_low"], high=part[f"{column}_high"])
    part = part.dropna(subset=[column, "low", "high"])
    if part.empty:
        draw.empty(ax, "too few games")
        return
    colours = [
        style.GREY if wins < frames.FEW or low <= 0 <= high else style.BLUE if low > 0 else style.RED
        for wins, low, high in zip(part["wins"], part["low"], part["high"], strict=True)
    ]
    # Wide intervals of rare cards may run out of the panel rather than squeeze the others.
    span = 1.2 * float(part[column].abs().max())
    ends = float(np.quantile(np.r_[part["low"].abs(), part["high"].abs()], 0.9))
    span = max(span, ends, 1e-4)
    ax.set_xlim(-span * 1.05, span * 1.05)
    ax.add_lines([[(0, 0), (0, 1)]], style.MUTED, 1.0, "x")
    draw.spans(ax, part["row"], part["low"], part["high"], colours, 2.0)
    ax.add_dots(draw.pairs(part[column], part["row"]), colours, 5.2)


def card_counts(results: Results, tables: Tables) -> Chart:
    """Win rate by number of cards played, for the types that tell most."""
    counts, cards = tables["cards_by_count"], tables["cards"]
    played = cards[cards["stat"] == "played"].dropna(subset=["effect"])
    strength = (played["surplus"].abs() / (played["surplus_high"] - played["surplus_low"])).fillna(0)
    names = [str(c) for c in played.assign(strength=strength).nlargest(6, "strength")["card"]]
    part = counts[(counts["stat"] == "played") & counts["card"].isin(names)]
    total = part.groupby("card")["n"].transform("sum")
    part = part[part["n"] >= np.minimum(np.maximum(frames.FEW, 0.0005 * total), 0.02 * total)]
    cols = min(3, max(1, len(names)))

    def paint(axes: Sequence[Panel]) -> None:
        top = float(part["high"].max()) * 1.08 if len(part) else 1.0
        if not names:
            draw.empty(axes[0], "no card was played in enough games")
        for i, (ax, name) in enumerate(zip(axes, names, strict=False)):
            one = part[part["card"] == name]
            draw.band(ax, one["count"], one["low"], one["high"], style.SKY, 0.45)
            draw.line(ax, one["count"], one["win_rate"], style.BLUE, 1.6)
            ax.add_dots(draw.pairs(one["count"], one["win_rate"]), style.BLUE, 5)
            most = int(one["count"].max())
            ax.set_xlim(-0.3, most + 0.3)
            ax.set_ylim(0, top)
            style.panel_title(ax, name)
            label = "cards played" if i + cols >= len(names) else ""
            style.x_scale(
                ax, label, at=range(0, most + 1, 1 if most <= 7 else 2 if most < 14 else 4), grid=False
            )
            first = i % cols == 0
            style.y_scale(ax, "games won" if first else "", style.percent_text, labels=first, most=4)

    return Chart(
        "cards_by_count",
        CARDS,
        say.count_finding(tables, names),
        paint,
        "Win rate by number of cards played, for the six card types that tell winners from others best.",
        ("cards_by_count",),
        "Win rate of seats that played so many of a card, with 95 % intervals. Long games see more cards "
        "and fewer winners, so a falling line need not mean a bad card.",
        height=1.4 * max(1, -(-len(names) // cols)) + 0.5,
        rows=max(1, -(-len(names) // cols)),
        cols=cols,
        left=0.85,
        gap=(0.25, 0.6),
        top=0.25,
    )


def cards_held(results: Results, tables: Tables) -> Chart:
    """What lay unplayed in the hands when the game ended."""
    frame = tables["cards"]
    held = frame[frame["stat"] == "held"].sort_values("others", ascending=False, kind="stable")
    names = [str(c) for c in held["card"]]

    def paint(axes: Sequence[Panel]) -> None:
        ax, rows = axes[0], np.arange(len(held))
        low, high = held[["winners", "others"]].min(axis=1), held[["winners", "others"]].max(axis=1)
        top = float(np.nanmax([*held["winners"], *held["others"], 0.1]))
        ax.set_xlim(-0.02 * top, 1.08 * top)
        style.rows_axis(ax, names)
        style.x_scale(ax, "cards in hand at the end of the game, mean")
        draw.spans(ax, rows, low, high, style.GREY, 1.5, alpha=0.6)
        for who, colour in (("others", style.GREY), ("winners", style.BLUE)):
            ax.add_dots(draw.pairs(held[who], rows), colour, 6)
        draw.key(ax, [("winners", style.BLUE), ("all others", style.GREY)])

    return Chart(
        "cards_held",
        CARDS,
        say.held_finding(tables),
        paint,
        "Mean number of each card in hand at the end, for winners and for the others.",
        ("hands_at_the_end",),
        "Cards that often stay in hand are dead weight, or come too late.",
        top=0.25,
        height=0.1 + 0.178 * max(1, len(names)),
        left=style.label_room(names),
    )


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
        rows = np.arange(len(frame))
        axes[1].set_ylim(len(frame) - 0.5, -0.5)
        draw.row_numbers(
            axes[1], [draw.percent(share) for share in frame["half"]], 0, float(frame["half"].max())
        )
        draw.spans(axes[1], rows, 0, frame["half"], colours, 9)
        style.x_scale(axes[1], "games", style.percent_text, most=4)

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
    names = frames.group_names(results)
    wide = tables["hindering"].set_index(["by", "against"])["a_game"].unstack("against")
    cells = wide.reindex(index=names, columns=names).to_numpy()
    text = [[f"{x:.2f}" if np.isfinite(x) else "" for x in row] for row in cells]
    labels = [style.shorten(n) for n in names]
    columns = [style.shorten(n, 14 if len(names) <= 4 else 8) for n in names]

    def paint(axes: Sequence[Panel]) -> None:
        draw.heat(axes[0], cells, labels, columns, text)
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
