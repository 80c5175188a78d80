"""Cards and winning: what winners were dealt, drew, played and held. Needs the tally `cards` only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart, points, titled
from analyzer.report.wins import listed, most
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel

Floats = NDArray[np.float64]
Tables = Mapping[str, pd.DataFrame]
CARDS = "Which cards win?"
STATS = ("opening", "drawn", "played", "held")
FEW = 30  # below so many observations a point says nothing and is not drawn

# stat, column, title, unit, shown in points
EFFECTS = (
    ("opening", "effect", "opening hand", "points a card", True),
    ("drawn", "surplus", "drawn", "surplus, cards", False),
    ("played", "surplus", "played", "surplus, cards", False),
)


# ---- tables ----------------------------------------------------------------------------------------------


def cards(results: Results) -> pd.DataFrame:
    """What one more card of a type goes with, by stat.

    Columns: card, stat, n (seat-games), wins (those that won), winners (mean), others (mean), difference and
    surplus and effect, each with _low and _high. Where games that somebody wins are shorter, winners draw
    fewer cards of every kind: the surplus takes that out by comparing with the others' mix, scaled to the
    winners' number of cards. The effect is the slope of winning on the number of cards within seat and
    policy, in points of win rate a card. The opening hand is dealt at random, so its effect is a cause; cards
    drawn, played or held also depend on how long the game took.
    """
    tally = results.tallies.get("cards", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    kinds, kind = counts.grouped(tally["stat"], tally["card"])
    x, won, n, rotation, seat = (tally[c].to_numpy() for c in ("count", "won", "n", "rotation", "seat"))
    sums = [np.bincount(2 * kind + won, n * x**power, 2 * len(kinds)).reshape(-1, 2).T for power in range(3)]
    others, winners = (intervals.mean(*(each[k] for each in sums)) for k in (0, 1))
    gap = intervals.difference(winners, others)
    scale = _scale([stat for stat, _ in kinds], winners.value, others.value)
    extra = intervals.difference(winners, intervals.Interval(*(scale * v for v in others)))
    cell = rotation * results.players + seat - 1
    value, error = counts.slopes(x, won, n, cell, kind, len(kinds))
    z = intervals.z_value(0.95)
    means = (winners.value, others.value, *gap, *extra, value, value - z * error, value + z * error)
    total = sums[0].astype(np.int64)
    rows = [
        (card, stat, *numbers)
        for (stat, card), *numbers in zip(kinds, total.sum(axis=0).tolist(), total[1].tolist(),
                                          *(v.tolist() for v in means), strict=True)
    ]  # fmt: skip
    names = ["card", "stat", "n", "wins", "winners", "others", "difference", "difference_low",
             "difference_high", "surplus", "surplus_low", "surplus_high", "effect", "effect_low",
             "effect_high"]  # fmt: skip
    about = (
        "winners, others: mean cards a seat; surplus: cards the winners had beyond the others' mix of as "
        "many cards; effect: points of win rate for one card more, within seat and policy. Only the opening "
        "hand is pure luck; cards drawn, played or held also depend on the length of the game."
    )
    return titled(pd.DataFrame(rows, columns=names), "Cards and winning", "Which cards win?", about)


def _scale(
    stats: list[str], winners: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Cards of all types that winners had for one of the others, by the stat of each type, float64[type]."""
    place = [STATS.index(stat) for stat in stats]
    mine, theirs = (np.bincount(place, np.nan_to_num(means), len(STATS)) for means in (winners, others))
    found: Floats = (mine / np.maximum(theirs, 1e-12))[place]
    return found


def cards_by_count(results: Results) -> pd.DataFrame:
    """Win rate by number of cards: stat, card, count, n (seat-games), wins, win_rate, low, high."""
    tally = results.tallies.get("cards", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    kinds, kind = counts.grouped(tally["stat"], tally["card"], tally["count"])
    seen, won = tally["n"].to_numpy(), tally["won"].to_numpy()
    n, wins = (np.bincount(kind, seen * part).astype(np.int64) for part in (1, won))
    order = sorted(range(len(kinds)), key=kinds.__getitem__)
    frame = pd.DataFrame([kinds[i] for i in order], columns=["stat", "card", "count"])
    frame["n"], frame["wins"] = n[order], wins[order]
    found = intervals.wilson(frame["wins"], frame["n"])
    frame["win_rate"], frame["low"], frame["high"] = found.value, found.low, found.high
    return titled(frame, "Win rate by number of cards", "Which cards win?")


# ---- charts ----------------------------------------------------------------------------------------------


def card_effects(tables: Tables) -> Chart:
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
        card_finding(tables),
        paint,
        "For each card type: effect in the opening hand, and the winners' surplus of cards drawn and played.",
        ("cards",),
        "Blue: more of it goes with winning; orange: with losing; grey: may be chance. Opening hand: "
        "points of win rate for one card more; dealt at random, so a cause. Surplus: cards the winners had "
        "beyond the others' mix.",
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
        style.GREY if wins < FEW or low <= 0 <= high else style.BLUE if low > 0 else style.RED
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


def card_counts(tables: Tables, note: str = "") -> Chart:
    """Win rate by number of cards played, for the types that tell most."""
    counts, cards = tables["cards_by_count"], tables["cards"]
    played = cards[cards["stat"] == "played"].dropna(subset=["effect"])
    strength = (played["surplus"].abs() / (played["surplus_high"] - played["surplus_low"])).fillna(0)
    names = [str(c) for c in played.assign(strength=strength).nlargest(6, "strength")["card"]]
    part = counts[(counts["stat"] == "played") & counts["card"].isin(names)]
    total = part.groupby("card")["n"].transform("sum")
    part = part[part["n"] >= np.minimum(np.maximum(FEW, 0.0005 * total), 0.02 * total)]
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
            label = "cards played"
            style.x_scale(
                ax, label, at=range(0, most + 1, 1 if most <= 7 else 2 if most < 14 else 4), grid=False
            )
            first = i % cols == 0
            style.y_scale(ax, "games won" if first else "", style.percent_text, labels=first, most=4)

    return Chart(
        "cards_by_count",
        CARDS,
        count_finding(tables, names),
        paint,
        "Win rate by number of cards played, for the six card types that tell winners from others best.",
        ("cards_by_count",),
        f"Win rate of seats that played so many of a card, with 95 % intervals. {note}".strip(),
        height=1.4 * max(1, -(-len(names) // cols)) + 0.65,
        rows=max(1, -(-len(names) // cols)),
        cols=cols,
        left=0.85,
        gap=(0.25, 0.78),
        top=0.25,
    )


def cards_held(tables: Tables, finding: str, shown: str = "cards") -> Chart:
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
        finding,
        paint,
        "Mean number of each card in hand at the end, for winners and for the others.",
        (shown,),
        "Cards that often stay in hand are dead weight, or come too late.",
        top=0.25,
        height=0.1 + 0.178 * max(1, len(names)),
        left=style.label_room(names),
    )


def hints(frame: pd.DataFrame, names: Sequence[str]) -> dict[tuple[int, int], str]:
    """What a matrix of who hinders whom tells where the pointer rests: a game, with limits and games."""
    return {
        (names.index(one["by"]), names.index(one["against"])): draw.told(
            "{:.2f} a game".format, one["a_game"], one["mean_low"], one["mean_high"], one.get("n")
        )
        for one in frame.to_dict("records")
    }


# ---- findings --------------------------------------------------------------------------------------------


def _telling(tables: Tables, stat: str, column: str) -> pd.DataFrame:
    """Cards whose measure stays clear of zero when all types are judged together, the largest first."""
    part = tables["cards"]
    part = part[(part["stat"] == stat) & (part["wins"] >= FEW)]
    part = part.dropna(subset=[column, f"{column}_low", f"{column}_high"])
    wider = intervals.z_value(intervals.joint_level(0.95, len(part))) / intervals.z_value(0.95)
    low = part[column] - wider * (part[column] - part[f"{column}_low"])
    high = part[column] + wider * (part[f"{column}_high"] - part[column])
    return part[(low > 0) | (high < 0)].sort_values(column, ascending=False)


def card_finding(tables: Tables) -> str:
    """Which card in the opening hand helps, which cards winners drew."""
    drawn, dealt = _telling(tables, "drawn", "surplus"), _telling(tables, "opening", "effect")
    more = drawn[drawn["surplus"] > 0].head(2)
    lead = ""
    if len(more):
        what = listed([f"{row['card']} (+{row['surplus']:.2f}\u00a0cards)" for _, row in more.iterrows()])
        lead = f"Winners drew more {what} than the others' mix"
    if len(dealt):
        row = most(dealt.assign(size=dealt["effect"].abs()), "size")
        luck = f"one {row['card']} in the opening hand {'adds' if row['effect'] > 0 else 'costs'}"
        luck = f"{luck} {points(abs(row['effect']))} of win rate"
        return f"{lead}; {luck}" if lead else luck[0].upper() + luck[1:]
    return lead or "No card type tells winners from the others beyond chance"


def count_finding(tables: Tables, names: Sequence[str]) -> str:
    """How the win rate moves with the number of the most telling card played."""
    part = tables["cards_by_count"]
    if not names:
        return "Win rate by number of cards played"
    one = part[(part["stat"] == "played") & (part["card"] == names[0])]
    one = one[one["n"] >= max(FEW, 0.01 * one["n"].sum())]
    if len(one) < 2:
        return "Too few games to tell how the win rate moves with the cards played"
    a, b = one.iloc[0], one.iloc[-1]
    first = "none" if a["count"] == 0 else f"{a['count']:.0f}"
    won = f"{percent(a['win_rate'])} of games won with {first}"
    return (
        f"{names[0][0].upper() + names[0][1:]} played: {won}, {percent(b['win_rate'])} with {b['count']:.0f}"
    )


def held_finding(tables: Tables) -> str:
    """What mostly lies unplayed at the end."""
    frame = tables["cards"]
    held = frame[frame["stat"] == "held"].dropna(subset=["others"]).nlargest(2, "others")
    if held.empty or held["others"].max() == 0:
        return "No card is left in hand at the end"
    left = listed([f"{row['card']} ({row['others']:.1f})" for _, row in held.iterrows()])
    return f"Most often left in hand at the end: {left}"
