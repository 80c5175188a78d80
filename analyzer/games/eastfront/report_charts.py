"""Eastfront's charts: each a finding computed from the tables and a function that draws it on given axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.eastfront import report_frames as frames
from analyzer.games.eastfront import report_words as say
from analyzer.report import cards, draw, style, wins
from analyzer.report.parts import Chart
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Tables = Mapping[str, pd.DataFrame]

COLOURS = (style.BLUE, style.GREEN, style.ORANGE, style.RED, style.PINK, style.GREY)
FEW = 10  # exchanges of a cell below which nothing is shown


def charts(results: Results, tables: Tables) -> list[Chart]:
    """The charts whose tables have content, in the order of the report."""
    makers: tuple[tuple[str, Callable[[Results, Tables], Chart]], ...] = (
        ("win_rate_by_seat", wins.seats),
        ("win_rate_by_policy", wins.policies),
        ("win_rate_by_policy_and_seat", wins.policy_by_seat),
        ("rescued", rescued),
        ("points", points),
        ("rescues", rescues),
        ("exchanges", exchanges),
        ("exact_odds", exact_odds),
        ("stalls", stalls),
        ("cards", lambda _, tables: cards.card_effects(tables)),
        ("cards_by_count", lambda _, tables: cards.card_counts(tables)),
        ("cards", lambda _, tables: cards.cards_held(tables, cards.held_finding(tables))),
        ("hindering", hindering),
    )
    return [make(results, tables) for name, make in makers if name in tables]


def rescued(results: Results, tables: Tables) -> Chart:
    """How many friends are rescued in a game."""
    frame = tables["rescued"]

    def paint(axes: Sequence[Panel]) -> None:
        ax, below = axes[0], np.zeros(int(frame["rescued"].max()) + 1)
        for end, colour in ((frames.RAN_OUT, style.GREY), (frames.ALL, style.BLUE)):
            part = frame[frame["end"] == end]
            x, share = part["rescued"].to_numpy(), part["share"].to_numpy()
            draw.bars(ax, x, below[x], below[x] + share, 0.72, colour)
            below[x] += share
        x = np.arange(len(below))
        whole = intervals.wilson(frame.groupby("rescued")["n"].sum().reindex(x, fill_value=0), results.n)
        draw.spans(ax, x, whole.low, whole.high, style.INK, 0.9, upright=True)
        ax.set_xlim(-0.6, len(below) - 0.4)
        ax.set_ylim(0, max(float(whole.high.max()), 1e-9) * 1.2)
        ax.add_labels(
            draw.pairs(x, whole.high),
            [draw.percent(share) for share in below],
            style.MUTED,
            8.5,
            ha="center",
            va="bottom",
            shift=(0, 3),
        )
        style.y_scale(ax, "games", style.percent_text, most=4)
        style.x_scale(ax, "friends rescued", at=x.tolist(), grid=False)
        style.baseline(ax)
        draw.key(ax, [("deck ran out", style.GREY), ("all rescued", style.BLUE)])

    return Chart(
        "rescued",
        frames.ENDS,
        say.end_finding(tables),
        paint,
        "Share of games by number of friends rescued, and whether the deck ran out.",
        ("rescued", "outcomes"),
        "The game ends when the last friend is rescued or the play deck is empty. Lines: 95 % intervals of "
        "the whole bar.",
        height=2.3,
        left=0.85,
        top=0.25,
    )


def points(results: Results, tables: Tables) -> Chart:
    """Points, and games without a friend, by seat or policy."""
    frame = tables["points"]
    labels = [style.shorten(str(name)) for name in frame.iloc[:, 0]]
    colours = [style.BLUE] * len(frame)

    def paint(axes: Sequence[Panel]) -> None:
        draw.intervals_in_rows(
            axes[0], frame["points"], frame["mean_low"], frame["mean_high"], colours, "{:.2f}".format
        )
        style.rows_axis(axes[0], labels)
        style.panel_title(axes[0], "points a game")
        style.x_scale(axes[0], "mean, with 95 % intervals", most=4)
        draw.intervals_in_rows(axes[1], frame["share"], frame["low"], frame["high"], colours, draw.percent)
        style.panel_title(axes[1], "without a friend")
        axes[1].set_ylim(len(frame) - 0.5, -0.5)
        style.x_scale(axes[1], "games, with 95 % intervals", style.percent_text, most=4)

    return Chart(
        "points",
        frames.RESCUES,
        say.points_finding(tables),
        paint,
        "Mean points a game and share of games without a friend.",
        ("points",),
        "Nobody knows what a friend is worth before the end; a seat without a friend has no points.",
        height=0.1 + 0.3 * len(frame),
        cols=2,
        left=style.label_room(labels),
        gap=(0.35, 0.3),
        top=0.25,
    )


def rescues(results: Results, tables: Tables) -> Chart:
    """Friends rescued by round."""
    frame = tables["rescues"]

    def paint(axes: Sequence[Panel]) -> None:
        ax, x = axes[0], frame["round"].to_numpy()
        draw.bars(ax, x, 0, frame["a_game"], 0.8, style.SKY)
        draw.spans(ax, x, frame["mean_low"], frame["mean_high"], style.BLUE, 1.6, upright=True)
        ax.set_xlim(x[0] - 0.6, x[-1] + 0.6)
        ax.set_ylim(0, float(frame["mean_high"].max()) * 1.08)
        style.y_scale(ax, "friends a game", most=4)
        style.x_scale(ax, "round", at=[t for t in style.ticks((0, int(x[-1])), 8) if t >= 1], grid=False)
        style.baseline(ax)

    return Chart(
        "rescues",
        frames.RESCUES,
        say.rescue_finding(tables),
        paint,
        "Friends rescued a game in each round, with 95 % intervals.",
        ("rescues",),
        "A friend is rescued whenever a stack is cleared. Lines: 95 % intervals.",
        height=2.0,
        left=0.85,
    )


def exchanges(results: Results, tables: Tables) -> Chart:
    """Share of exchanges won by German fire and Soviet card."""
    frame = tables["exchanges"]
    shown = frame[frame["n"] >= FEW]
    rows = [str(s) for s in dict.fromkeys(shown["soviet"])]
    steps = sorted(set(shown["fire"]))
    wide = shown.set_index(["soviet", "fire"])["share"].unstack("fire").reindex(index=rows, columns=steps)
    cells = wide.to_numpy()
    text = [[f"{100 * x:.0f}" if np.isfinite(x) else "" for x in row] for row in cells]
    names = dict(zip(frame["soviet"], frame["card"], strict=True))
    labels = [f"{row} {names[row]}" for row in rows]
    hints = {
        (rows.index(str(one["soviet"])), steps.index(one["fire"])): draw.told(
            draw.percent, one["share"], one["low"], one["high"], one["n"]
        )
        for one in shown.to_dict("records")
    }

    def paint(axes: Sequence[Panel]) -> None:
        if not rows:
            draw.empty(axes[0], "too few exchanges")
            return
        draw.heat(axes[0], cells, labels, [f"{step}+" for step in steps], text, hints=hints)
        style.x_scale(axes[0], "German fire before the Soviet card fires", at=[], grid=False)

    return Chart(
        "exchanges",
        frames.EXCHANGES,
        say.exchange_finding(tables),
        paint,
        "Share of exchanges in which the Soviet card is destroyed, by German fire and Soviet card.",
        ("exchanges", "attack_length"),
        f"In per cent of the exchanges. 4+ means 4 to {4 + frames.STEP - 1}; beside a Soviet card: "
        "fire/defence. The fire must be greater than the defence after one German card has been shot at.",
        height=0.1 + 0.3 * max(1, len(rows)),
        left=style.label_room(labels),
    )


def exact_odds(results: Results, tables: Tables) -> Chart:
    """Exact chances against a full stack that nobody knows, by size and kind of the attack."""
    frame = tables["exact_odds"]
    kinds = list(dict.fromkeys(frame["german"]))
    numbers = sorted(set(frame["destroyed"]))

    def paint(axes: Sequence[Panel]) -> None:
        for place, (ax, kind) in enumerate(zip(axes, kinds, strict=False)):
            ax.set_xlim(0.5, frames.SIZES + 0.5)
            ax.set_ylim(0, 1.04)
            for number, colour in zip(numbers, COLOURS, strict=False):
                part = frame[(frame["german"] == kind) & (frame["destroyed"] == number)]
                draw.line(ax, part["cards"], part["exact"], colour, 1.8)
                ax.add_dots(draw.pairs(part["cards"], part["exact"]), colour, 4.5)
            style.panel_title(ax, kind)
            style.x_scale(ax, style.shorten(f"{kind} cards"), at=range(1, frames.SIZES + 1), grid=False)
            style.y_scale(ax, "chance" if not place else "", style.percent_text, labels=not place, most=4)
        last = numbers[-1]
        names = [f"{number}+" if number < last else f"all {number}" for number in numbers]
        draw.key(axes[-1], list(zip(names, COLOURS, strict=False)), 21)

    return Chart(
        "exact_odds",
        frames.EXCHANGES,
        say.odds_finding(tables),
        paint,
        "Exact chance to destroy at least 1, 2, ... cards of an unseen stack, by number of German cards.",
        ("exact_odds",),
        "By enumeration over all orders of the face-down Soviet cards, for a full stack of which nothing is "
        "known. In colour, 1+ and so on: at least so many of its cards are destroyed; all of them: it is "
        "cleared.",
        height=1.9,
        cols=max(1, len(kinds)),
        left=0.85,
        gap=(0.22, 0.3),
        top=0.48,
    )


def stalls(results: Results, tables: Tables) -> Chart:
    """How long Soviet cards lie face up, and how many are never destroyed."""
    frame = tables["stalls"]
    labels = [f"{soviet} {card}" for soviet, card in zip(frame["soviet"], frame["card"], strict=True)]
    colours = [style.BLUE] * len(frame)

    def paint(axes: Sequence[Panel]) -> None:
        draw.intervals_in_rows(
            axes[0], frame["turns"], frame["mean_low"], frame["mean_high"], colours, "{:.1f}".format, [0.0]
        )
        style.rows_axis(axes[0], labels)
        style.panel_title(axes[0], "turns it lies open")
        style.x_scale(axes[0], "mean, with 95 % intervals", most=4)
        draw.intervals_in_rows(
            axes[1], frame["share"], frame["low"], frame["high"], colours, draw.percent, [0.0]
        )
        axes[1].set_ylim(len(frame) - 0.5, -0.5)
        style.panel_title(axes[1], "still open at the end")
        style.x_scale(axes[1], "cards turned up, with 95 % intervals", style.percent_text, most=4)

    return Chart(
        "stalls",
        frames.STALL,
        say.stall_finding(tables),
        paint,
        "Mean number of turns each Soviet card lies face up, and share of them still open at the end.",
        ("stalls",),
        "From the turn a card is turned up to the turn it is destroyed, or the end of the game. Beside the "
        "name: fire/defence.",
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
        frames.HINDER,
        say.hinder_finding(tables),
        paint,
        "Cards that hinder a game, from row to column.",
        ("hindering", "hinder_cards"),
        "Soviet attacks and misfortunes a game, from the row against the column.",
        height=0.1 + 0.42 * len(names),
        left=style.label_room(labels),
    )
