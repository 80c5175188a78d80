"""Undaunted's charts: each a finding computed from the tables and a function that draws it on given axes.

US is blue and DE orange in every chart. The map stands in `report_map`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.undaunted import report_combat as combat
from analyzer.games.undaunted import report_frames as frames
from analyzer.games.undaunted import report_map
from analyzer.games.undaunted import report_words as say
from analyzer.games.undaunted.scenario import SIDES
from analyzer.report import draw, style, wins
from analyzer.report.parts import Chart
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Tables = Mapping[str, pd.DataFrame]

COLOURS = {"US": style.BLUE, "DE": style.ORANGE, "nobody": style.GREY}
SIDE_KEY = [(side, COLOURS[side]) for side in SIDES]
WINNER_KEY = [("US wins", style.BLUE), ("DE wins", style.ORANGE), ("draw", style.GREY)]
DICE_COLOURS = {1: style.BLUE, 2: style.ORANGE, 3: style.GREEN, 4: style.RED, 5: style.PINK, 6: style.INK}
ENOUGH = 30  # throws of a kind for a dot


def charts(results: Results, tables: Tables) -> list[Chart]:
    """The charts whose tables have content, in the order of the report."""
    makers: tuple[tuple[str, Callable[[Results, Tables], Chart]], ...] = (
        ("win_rate_by_seat", sides),
        ("win_rate_by_initiative", initiative),
        ("win_rate_by_policy", wins.policies),
        ("win_rate_by_policy_and_seat", wins.policy_by_seat),
        ("ends", endings),
        ("rounds", lengths),
        ("tiles", report_map.tile_map),
        ("points", points_over_rounds),
        ("fog", fog_over_rounds),
        ("casualties", casualties),
        ("hit_rates", hit_rates),
        ("hit_rates", exact),
        ("actions", uses),
    )
    made = [make(results, tables) for name, make in makers if name in tables]
    # Where one side always begins with the marker, that chart would tell what the first one tells.
    return [
        chart for chart in made if chart.name != "win_rate_by_initiative" or say.initiative_finding(tables)
    ]


# ---- who wins --------------------------------------------------------------------------------------------


def _rates(ax: Panel, frame: pd.DataFrame, labels: list[str], fair: Sequence[float]) -> None:
    """Win rates in rows, in the colours of the sides (grey: of neither)."""
    colours = [COLOURS.get(side, style.GREY) for side in frame["side"]]
    draw.intervals_in_rows(ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, fair)
    style.rows_axis(ax, labels)
    style.x_scale(ax, "games won, with 95 % intervals", style.percent_text)
    rows = np.arange(len(fair))
    draw.spans(ax, fair, rows - 0.38, rows + 0.38, style.INK, 1.2, upright=True, dashes=(3.7, 1.6))


_FAIR = "Dashed: half of the games that anybody won; an interval that reaches it may be chance."


def sides(results: Results, tables: Tables) -> Chart:
    """Win rate by side."""
    frame = tables["win_rate_by_seat"]
    labels = [f"{row['side']} ({row['goal']})" for _, row in frame.iterrows()]
    fair = frame["fair_share"].tolist()
    finding = say.side_finding(results, tables)
    return Chart(
        "win_rate_by_seat", frames.WHO, finding, lambda axes: _rates(axes[0], frame, labels, fair),
        "Win rate of both sides with 95 % intervals.", ("win_rate_by_seat",), _FAIR,
        height=0.2 + 0.34 * len(frame), left=style.label_room(labels), top=0.1,
    )  # fmt: skip


def initiative(results: Results, tables: Tables) -> Chart:
    """Win rate by who began with the marker."""
    frame = tables["win_rate_by_initiative"]
    labels = [
        row["side"] if row["first"] == "either" else f"{row['side']}, {row['first']} first"
        for _, row in frame.iterrows()
    ]
    won = frame.groupby("first")["wins"].transform("sum") / frame["n"] / 2
    finding = say.initiative_finding(tables)
    note = "US first: US held the initiative marker before round 1. " + _FAIR
    return Chart(
        "win_rate_by_initiative", frames.WHO, finding,
        lambda axes: _rates(axes[0], frame, labels, won.tolist()),
        "Win rate by side and by who began with the initiative marker, with 95 % intervals.",
        ("win_rate_by_initiative",), note,
        height=0.2 + 0.34 * len(frame), left=style.label_room(labels), top=0.1,
    )  # fmt: skip


# ---- how and when games end ------------------------------------------------------------------------------


def endings(results: Results, tables: Tables) -> Chart:
    """Ends, and who wins by them."""
    shares = tables["end_shares"]
    shares = shares[shares["n"] > 0]
    table = tables["ends"].pivot_table(
        index="end", columns="winner", values="share", aggfunc="sum", fill_value=0.0
    )
    labels = shares["end"].tolist()

    def paint(axes: Sequence[Panel]) -> None:
        ax, rows, left = axes[0], np.arange(len(labels)), np.zeros(len(labels))
        for winner, colour in COLOURS.items():
            if winner in table:
                width = table[winner].reindex(labels, fill_value=0.0).to_numpy()
                draw.spans(ax, rows, left, left + width, colour, 13)
                left = left + width
        draw.spans(ax, rows, shares["low"], shares["high"], style.INK, 1.2)
        draw.row_numbers(
            ax, [draw.percent(float(x)) for x in shares["share"]], 0, float(shares["high"].max())
        )
        style.rows_axis(ax, labels)
        style.x_scale(ax, "games, with 95 % intervals of the whole bar", style.percent_text)
        draw.key(ax, WINNER_KEY if "nobody" in table else WINNER_KEY[:2])

    note = (
        "pin: the loser has no Rifleman on the map. no hope: the loser can no longer reach its points. both "
        "pinned: both sides are out, points decide."
    )
    return Chart(
        "ends", frames.WHEN, say.end_finding(tables), paint, "Games by how they end and who wins.",
        ("ends", "end_shares"), note,
        height=0.2 + 0.4 * len(labels), left=style.label_room(labels), top=0.25,
    )  # fmt: skip


def lengths(results: Results, tables: Tables) -> Chart:
    """Games by length, and who wins them."""
    frame = tables["rounds"]
    table = frame.pivot_table(index="rounds", columns="winner", values="share", aggfunc="sum", fill_value=0.0)
    x = table.index.to_numpy()
    whole = intervals.wilson(frame.groupby("rounds")["n"].sum(), results.n)

    def paint(axes: Sequence[Panel]) -> None:
        ax, low = axes[0], np.zeros(len(x))
        for winner, colour in COLOURS.items():
            if winner in table:
                part = table[winner].to_numpy()
                draw.bars(ax, x, low, low + part, 0.86, colour)
                low = low + part
        draw.spans(ax, x, whole.low, whole.high, style.INK, 0.9, upright=True)
        ax.set_xlim(x.min() - 0.8, x.max() + 0.8)
        ax.set_ylim(0, float(whole.high.max()) * 1.06)
        style.x_scale(ax, "rounds", grid=False, at=_whole(ax.get_xlim()))
        style.y_scale(ax, "games", style.percent_text)
        style.baseline(ax)
        draw.key(ax, WINNER_KEY if "nobody" in table else WINNER_KEY[:2])

    finding = say.length_finding(tables)
    note = "Share of all games that end in each round, with 95 % intervals of the whole bar."
    return Chart(
        "rounds", frames.WHEN, finding, paint, "Games by length in rounds and by winner.",
        ("length", "rounds"), note, height=2.2, left=0.8, top=0.25,
    )  # fmt: skip


def _whole(limits: tuple[float, float]) -> list[float]:
    return [tick for tick in style.ticks(limits, 8) if tick >= 1 and tick % 1 == 0]


# ---- from round to round ---------------------------------------------------------------------------------


def points_over_rounds(results: Results, tables: Tables) -> Chart:
    """Points of both sides over the rounds, with their goals."""
    scenario = frames.rules_of(results).scenario
    goals: dict[str, object] = {side: scenario.goal_of(side) for side in SIDES}
    note = "Means with 95 % intervals, and the middle eight tenths of the games. " + _RUNNING
    note += " Dotted: a goal of points."
    finding = say.points_finding(results, tables)
    return _over_rounds("points", finding, tables["points"], "points", note, goals)


def fog_over_rounds(results: Results, tables: Tables) -> Chart:
    """Fog of War among the own cards over the rounds."""
    note = "Means with 95 % intervals, and the middle eight tenths of the games. " + _RUNNING
    note += " Counted: hand, deck, discard pile and play area."
    return _over_rounds("fog", say.fog_finding(tables), tables["fog"], "Fog of War cards", note, {})


_RUNNING = "At each round: the games that had it, so later rounds tell of the long games only."


def _over_rounds(
    name: str, finding: str, frame: pd.DataFrame, what: str, note: str, goals: Mapping[str, object]
) -> Chart:
    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        last, top = max(2, int(frame["round"].max())), float(frame["90 %"].max())
        for side in SIDES:
            part = frame[frame["side"] == side]
            x = part["round"].to_numpy()
            draw.band(ax, x, part["10 %"], part["90 %"], COLOURS[side], 0.16)
            some = np.isfinite(part["mean_low"].to_numpy())
            draw.spans(ax, x[some], part["mean_low"][some], part["mean_high"][some], COLOURS[side], 2.2,
                       upright=True)  # fmt: skip
            draw.line(ax, x, part["mean"], COLOURS[side], 2.0)
            if len(x) == 1:
                ax.add_dots(draw.pairs(x, part["mean"]), COLOURS[side], 6)
        for place, (whose, goal) in enumerate(goals.items()):
            if isinstance(goal, int):
                top = max(top, goal)
                both = len(set(goals.values())) == 1
                colour = style.INK if both else COLOURS[whose]
                draw.line(ax, [1, last], [goal, goal], colour, 1.2, dashes=(1.5, 2))
                if not (both and place):
                    text = "goal" if both else f"goal of {whose}"
                    ax.add_labels([[1, goal]], [text], style.MUTED, 8.5, va="bottom", shift=(3, 2))
        ax.set_xlim(1, last)
        ax.set_ylim(0, max(top, 1e-9) * 1.14)
        style.x_scale(ax, "round", grid=False, at=_whole(ax.get_xlim()))
        style.y_scale(ax, what)
        style.baseline(ax)
        draw.key(ax, SIDE_KEY)

    return Chart(
        name, frames.ROUNDS, finding, paint, f"{what} of both sides over the rounds.", (name,), note,
        height=2.3, left=0.8, top=0.25,
    )  # fmt: skip


# ---- combat ----------------------------------------------------------------------------------------------


def _two_bars(ax: Panel, frame: pd.DataFrame, by: str, names: Sequence[str], what: str) -> None:
    """A row a name, in it a bar a side with its interval."""
    for side, up in (("US", -0.17), ("DE", 0.17)):
        part = frame[frame["side"] == side].set_index(by)
        part = part.reindex([name for name in names if name in part.index])
        rows = np.array([names.index(name) for name in part.index]) + up
        draw.spans(ax, rows, np.zeros(len(rows)), part["a_game"], COLOURS[side], 5)
        draw.spans(ax, rows, part["mean_low"], part["mean_high"], style.INK, 1.2)
    ax.set_xlim(0, max(float(frame["mean_high"].max()), 1e-9) * 1.05)
    style.x_scale(ax, what)
    draw.key(ax, SIDE_KEY)


def casualties(results: Results, tables: Tables) -> Chart:
    """Casualties a game by unit and side."""
    frame = tables["casualties"]
    units = list(dict.fromkeys(frame["unit"]))
    labels = [say.unit_words(unit) for unit in units]

    def paint(axes: Sequence[Panel]) -> None:
        style.rows_axis(axes[0], labels)
        _two_bars(axes[0], frame, "unit", units, "casualties a game, with 95 % intervals")

    note = "Cards lost and counters removed together; a row without a bar: the side has no such unit."
    return Chart(
        "casualties", combat.LOSSES, say.casualty_finding(tables), paint,
        "Casualties a game by unit and side.", ("casualties",), note,
        height=0.2 + 0.32 * len(units), left=style.label_room(labels), top=0.25,
    )  # fmt: skip


def hit_rates(results: Results, tables: Tables) -> Chart:
    """Simulated hit rates on the exact curves."""
    frame = tables["hit_rates"]
    seen = frame.groupby(["dice", "defence"], as_index=False)[["n", "hits"]].sum()
    seen = seen[seen["n"] >= min(ENOUGH, int(seen["n"].max()))]
    exact = frame.groupby(["dice", "defence"])["exact"].first()
    found = combat.wilson(seen)

    def paint(axes: Sequence[Panel]) -> None:
        top, low = axes
        count = sorted(seen["dice"].unique())
        for place, dice in enumerate(count):
            here = (seen["dice"] == dice).to_numpy()
            x = seen["defence"].to_numpy()[here]
            shift = (place - (len(count) - 1) / 2) * 0.12
            colour = DICE_COLOURS[int(dice)]
            curve = exact.loc[dice].reindex(x)
            if len(x) == 1:  # a curve of one point is none
                draw.spans(top, curve, x - 0.3, x + 0.3, colour, 1.0, dashes=(3, 2))
            draw.line(top, x, curve, colour, 1.0, dashes=(3, 2))
            draw.spans(top, x + shift, found.low[here], found.high[here], colour, 2.0, upright=True)
            top.add_dots(draw.pairs(x + shift, found.value[here]), colour, 5.0, edge=style.PAPER)
            a_game = seen["n"].to_numpy()[here] / max(1, results.n)
            draw.bars(low, x + 1.6 * shift, 0, a_game, 0.17, colour)
        left, right = float(seen["defence"].min()), float(seen["defence"].max())
        for ax in axes:
            ax.set_xlim(left - 0.6, right + 0.6)
        top.set_ylim(0, 1.04)
        low.set_ylim(0, float(seen["n"].max()) / max(1, results.n) * 1.08)
        at = [float(v) for v in range(int(left), int(right) + 1)]
        style.x_scale(top, at=at, labels=False)
        style.x_scale(low, "total defence (base + cover + distance)", at=at, grid=False)
        style.y_scale(top, "throws that hit", style.percent_text)
        style.y_scale(low, "throws a game", most=3)
        style.baseline(low)
        key = [(f"{dice} {'die' if dice == 1 else 'dice'}", DICE_COLOURS[int(dice)]) for dice in count]
        draw.key(top, key)

    note = (
        "Dashed: the exact chance by the rules; dots: throws of this run with 95 % intervals. Attack, "
        "Suppress and Blast together; the table has them apart, and the throws made fewer than "
        f"{ENOUGH} times, too."
    )
    return Chart(
        "hit_rates", combat.FIGHTS, say.odds_finding(tables), paint,
        "Share of throws that hit by total defence and number of dice, against the exact chance.",
        ("throws", "hit_rates", "attackers"), note,
        height=3.6, rows=2, ratios=(2.4, 1.0), gap=(0.3, 0.18), left=0.85, top=0.25,
    )  # fmt: skip


def exact(results: Results, tables: Tables) -> Chart:
    """Exact chances by dice and total defence."""
    from analyzer.games.undaunted import odds

    rules = frames.rules_of(results)
    users = combat.users(rules)
    defences = list(range(4, rules.die_faces + 1))
    cells = [[float(odds.hit(rules, defence, dice)) for defence in defences] for dice in users]
    text = [[f"{100 * x:.1f}".removesuffix(".0") for x in row] for row in cells]
    labels = [f"{dice} {'die' if dice == 1 else 'dice'}: {who}" for dice, who in users.items()]
    names = [*map(str, defences[:-1]), f"{defences[-1]}+"]

    def paint(axes: Sequence[Panel]) -> None:
        draw.heat(axes[0], np.array(cells), labels, names, text)
        style.x_scale(axes[0], "total defence", at=[], grid=False)

    one = float(odds.hit(rules, 5, 1))
    finding = f"Against a total defence of 5 one die hits {draw.percent(one)} of the time"
    return Chart(
        "exact_chances", combat.FIGHTS, finding, paint, "Exact chances to hit by dice and total defence.",
        ("chances",), "Exact chances in per cent, from the rules alone; the table has every digit.",
        height=0.1 + 0.36 * len(labels), left=style.label_room(labels), bottom=0.5,
    )  # fmt: skip


def uses(results: Results, tables: Tables) -> Chart:
    """What cards are used for, by side."""
    frame = combat.by_action(results, tables["actions"])
    names = list(dict.fromkeys(frame.sort_values("a_game", ascending=False)["action"]))

    def paint(axes: Sequence[Panel]) -> None:
        style.rows_axis(axes[0], names)
        _two_bars(axes[0], frame, "action", names, "cards played for it a game, with 95 % intervals")

    told = [f"{action}" for action in names[:3]]
    finding = f"Cards are mostly played for {wins.listed(told)}"
    return Chart(
        "actions", combat.USES, finding, paint, "Cards played a game by action and side.", ("actions",),
        "rally: a suppressed unit turned ready; hunker: back to the supply.",
        height=0.2 + 0.3 * len(names), left=style.label_room(names), top=0.25,
    )  # fmt: skip
