"""Kraskar's charts: each a finding computed from the tables and a function that draws it on given axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.kraskar import report_frames as frames
from analyzer.games.kraskar import report_words as say
from analyzer.games.kraskar.attacks import CAUSES
from analyzer.report import draw, style, wins
from analyzer.report.parts import Chart
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

    Tables = Mapping[str, pd.DataFrame]


def charts(results: Results, tables: Tables) -> list[Chart]:
    """The charts whose tables have content, in the order of the report."""
    makers: tuple[tuple[str, Callable[[Results, Tables], Chart]], ...] = (
        ("win_rate_by_seat", decks),
        ("win_rate_by_order", order),
        ("win_rate_by_policy", wins.policies),
        ("win_rate_by_policy_and_seat", wins.policy_by_seat),
        ("turns", lengths),
        ("life_left", life),
        ("castle_damage", damage),
        ("retreats", causes),
        ("fallen", squares),
        ("hits_to_kill", hits),
    )
    return [make(results, tables) for name, make in makers if name in tables]


# ---- who wins --------------------------------------------------------------------------------------------


def _rates(ax: Panel, frame: pd.DataFrame, labels: list[str], fair: float) -> None:
    """Win rates in rows, coloured where they are clear of the fair share."""
    edge, low, high = (
        frame[f"edge{end}"] if "edge" in frame else frame[name] - fair
        for end, name in (("", "win_rate"), ("_low", "low"), ("_high", "high"))
    )
    colours = wins.shades(edge, low, high, together=1)  # of two seats one tells both
    draw.intervals_in_rows(ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [fair])
    style.rows_axis(ax, labels)
    style.x_scale(ax, "games won, with 95 % intervals", style.percent_text)
    draw.upright(ax, fair, f"fair share {draw.percent(fair)}")


def _rows_chart(
    name: str, finding: str, frame: pd.DataFrame, labels: list[str], fair: float, note: str
) -> Chart:
    return Chart(
        name,
        frames.WHO,
        finding,
        lambda axes: _rates(axes[0], frame, labels, fair),
        "Win rates with 95 % intervals and the fair share.",
        (name,),
        note,
        height=0.2 + 0.34 * len(frame),
        left=style.label_room(labels),
        top=0.25,
    )


_COLOURS = (
    "Blue and orange: clear of the dashed line; grey: it may be chance. Intervals rest on distinct games."
)


def decks(results: Results, tables: Tables) -> Chart:
    """Win rate by seat and deck."""
    frame = tables["win_rate_by_seat"]
    labels = [f"seat {row['seat']}: {style.shorten(str(row['deck']))}" for _, row in frame.iterrows()]
    fair = float(frame["fair_share"].iloc[0])
    return _rows_chart("win_rate_by_seat", say.deck_finding(results, tables), frame, labels, fair, _COLOURS)


def order(results: Results, tables: Tables) -> Chart:
    """Win rate by who moved first, apart from the seat."""
    frame = tables["win_rate_by_order"]
    note = "Seat and first move apart: with different decks a seat's rate is its deck's. " + _COLOURS
    labels = frame["who"].tolist()
    fair = float((frame["wins"].iloc[0] + frame["wins"].iloc[1]) / (2 * frame["n"].iloc[0]))
    return _rows_chart("win_rate_by_order", say.order_finding(tables), frame, labels, fair, note)


# ---- how and when games end ------------------------------------------------------------------------------


def lengths(results: Results, tables: Tables) -> Chart:
    """Games by length."""
    frame = tables["turns"]

    def draw_it(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        x, share = frame["turns"].to_numpy(), frame["share"].to_numpy()
        draw.bars(ax, x, np.zeros(len(x)), share, 0.82, style.BLUE)
        if np.isfinite(frame["low"]).all():
            draw.spans(ax, x, frame["low"], frame["high"], style.INK, 0.9, upright=True)
        ax.set_xlim(x.min() - 1, x.max() + 1)
        ax.set_ylim(0, max(share.max(), np.nanmax([*frame["high"], 0.0])) * 1.06)
        style.x_scale(ax, "turns (one side's turn each)", grid=False)
        style.y_scale(ax, "games", style.percent_text)
        style.baseline(ax)

    note = "Share of all games that end with each turn, with 95 % intervals."
    if frame["turns"].max() >= frames.rules_of(results).turn_limit:
        note += " The last bar is the turn limit."
    return Chart(
        "turns",
        frames.WHEN,
        say.end_finding(tables),
        draw_it,
        "Games by length in turns.",
        ("turns", "length", "outcomes"),
        note,
        height=2.2,
        left=0.8,
    )


def life(results: Results, tables: Tables) -> Chart:
    """Castle life left to those who won."""
    frame = tables["life_left"]
    won = frame[frame["result"] == "won"]
    full = frames.rules_of(results).castle_life
    labels = won["seat"].tolist()

    def draw_it(axes: Sequence[Panel]) -> None:
        ax, rows = axes[0], np.arange(len(won))
        draw.spans(ax, rows, won["10 %"], won["90 %"], style.SKY, 7)
        draw.spans(ax, rows, won["mean_low"], won["mean_high"], style.INK, 1.6)
        ax.add_dots(draw.pairs(won["median"], rows), style.BLUE, 6.4)
        draw.row_numbers(ax, [f"{m:.1f}" for m in won["mean"]], 0, full)
        style.rows_axis(ax, labels)
        style.x_scale(ax, "castle life of the winner at the end")

    note = (
        "Dot: the median; bar: eight games in ten, without the lowest and highest tenth; at the right: the "
        "mean; dark line: its 95 % interval."
    )
    told = " and ".join(f"{row['mean']:.1f} ({say.limits(row)})" for row in won.to_dict("records"))
    finding = "Nobody won a game, so no winner has any castle life left"
    if len(won):
        seats = wins.listed(labels)
        finding = f"The winner has on average {told} of {full} castle life left ({seats})"
    return Chart(
        "life_left", frames.WHEN, finding, draw_it, "Castle life left to winners.", ("life_left",), note,
        height=0.2 + 0.36 * max(1, len(won)), left=style.label_room(labels),
    )  # fmt: skip


# ---- castles and units -----------------------------------------------------------------------------------


def damage(results: Results, tables: Tables) -> Chart:
    """Castle life taken by troop type, gate and wall."""
    frame = tables["castle_damage"]
    table = frame.pivot_table(index="troop", columns="at", values="share", fill_value=0.0)
    troops = [troop for troop in frames.TROOPS if troop in table.index]
    whole = tables["castle_life"].set_index("part").reindex(troops)

    def draw_it(axes: Sequence[Panel]) -> None:
        ax, left = axes[0], np.zeros(len(troops))
        for at, colour in (("gate", style.ORANGE), ("wall", style.BLUE)):
            width = table[at].reindex(troops).to_numpy() if at in table else np.zeros(len(troops))
            draw.spans(ax, np.arange(len(troops)), left, left + width, colour, 14)
            left = left + width
        draw.spans(ax, np.arange(len(troops)), whole["low"], whole["high"], style.INK, 1.2)
        far = np.nanmax([*left, *whole["high"]])
        draw.row_numbers(ax, [draw.percent(float(x)) for x in left], 0, float(far))
        style.rows_axis(ax, troops)
        style.x_scale(ax, "share of all castle life taken, with 95 % intervals", style.percent_text)
        draw.key(ax, [("gate", style.ORANGE), ("wall", style.BLUE)])

    note = "Both sides together. Sieges a game with their intervals stand in the table."
    return Chart(
        "castle_damage", frames.CASTLE, say.damage_finding(tables), draw_it, "Castle life by troop type.",
        ("castle_damage", "castle_life", "units"), note,
        height=0.2 + 0.36 * len(troops), left=style.label_room(troops), top=0.25,
    )  # fmt: skip


def causes(results: Results, tables: Tables) -> Chart:
    """Retreats a game by cause and seat."""
    frame = tables["retreats"]
    names = [cause for cause in CAUSES if (frame["cause"] == cause).any()]

    def draw_it(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        for seat, colour, up in ((1, style.BLUE, -0.16), (2, style.ORANGE, 0.16)):
            part = frame[frame["seat"] == seat].set_index("cause").reindex(names).fillna(0)
            rows = np.arange(len(names)) + up
            draw.spans(ax, rows, np.zeros(len(rows)), part["a_game"], colour, 5)
            draw.spans(ax, rows, part["mean_low"], part["mean_high"], style.INK, 1.2)
        ax.set_xlim(0, max(frame["a_game"].max(), np.nanmax([*frame["mean_high"], 0])) * 1.05)
        style.rows_axis(ax, names)
        style.x_scale(ax, "retreats a game, with 95 % intervals")
        draw.key(ax, [("seat 1's units", style.BLUE), ("seat 2's units", style.ORANGE)])

    note = "Whose units retreated, and what took their last hit points."
    return Chart(
        "retreats", frames.UNITS, say.retreat_finding(tables), draw_it, "Retreats a game by cause and seat.",
        ("retreats", "causes_of_retreat"), note,
        height=0.2 + 0.4 * len(names), left=style.label_room(names), top=0.25,
    )  # fmt: skip


def squares(results: Results, tables: Tables) -> Chart:
    """The board: where units of each seat have to retreat."""
    frame, rules = tables["fallen"], frames.rules_of(results)
    boards = {seat: _board(frame, seat) for seat in (1, 2)}
    finding = say.square_finding(frame)

    def draw_it(axes: Sequence[Panel]) -> None:
        for ax, (seat, board) in zip(axes, boards.items(), strict=True):
            text = [[f"{x:.2f}" for x in line] for line in board]
            rows = [f"row {r}" for r in range(rules.rows, 0, -1)]
            columns = [
                f"gate {c}" if c == rules.columns // 2 + 1 else str(c) for c in range(1, rules.columns + 1)
            ]
            names = rows if seat == 1 else [""] * len(rows)
            draw.heat(ax, board, names, columns, text, hints=_hints(frame, seat, rules.rows))
            style.panel_title(ax, f"seat {seat}'s units")

    note = (
        "Retreats a game in each square. Row 1 lies before seat 1's castle, the highest row before seat 2's."
    )
    return Chart(
        "fallen", frames.UNITS, finding, draw_it, "Retreats a game by square, a board a seat.", ("fallen",),
        note, height=0.36 * rules.rows, cols=2, left=0.6, bottom=0.35, top=0.3, gap=(0.15, 0.5),
    )  # fmt: skip


def _board(frame: pd.DataFrame, seat: int) -> Any:
    """Retreats a game, float64[row, column], seat 2's castle at the top."""
    part = frame[frame["seat"] == seat].pivot(index="row", columns="column", values="a_game")
    return part.sort_index(ascending=False).to_numpy()


def _hints(frame: pd.DataFrame, seat: int, rows: int) -> dict[tuple[int, int], str]:
    """What the board tells where the pointer rests: retreats a game, with limits and games."""
    return {
        (rows - int(one["row"]), int(one["column"]) - 1): draw.told(
            "{:.3f} a game".format, one["a_game"], one["mean_low"], one["mean_high"], one["n"]
        )
        for one in frame[frame["seat"] == seat].to_dict("records")
    }


def hits(results: Results, tables: Tables) -> Chart:
    """Blows until a fresh unit retreats, between the two decks."""
    frame, rules = tables["hits_to_kill"], frames.rules_of(results)
    blows = frame[frame["attack"] == "blow"].set_index(["attacker", "target"])["hits"]
    names = [[unit.name for unit in rules.deck_units(seat)] for seat in (0, 1)]
    ways = [(0, 1), (1, 0)] if names[0] != names[1] else [(0, 1)]
    tables_of = [blows.unstack().reindex(index=names[a], columns=names[b]).to_numpy() for a, b in ways]
    least = np.nanmin([np.nanmin(cells) for cells in tables_of]) if np.isfinite(blows).any() else 0
    labels = [style.shorten(name, 20) for way in ways for name in names[way[0]]]

    def draw_it(axes: Sequence[Panel]) -> None:
        for ax, (a, b), cells in zip(axes, ways, tables_of, strict=True):
            text = [["-" if np.isnan(x) else f"{x:.0f}" for x in line] for line in cells]
            short = [name.replace(" ", "\n", 1).replace(" ", "\n") for name in names[b]]
            draw.heat(ax, 1 / cells, names[a], short, text)
            style.panel_title(ax, f"{rules.decks[a]} strikes {rules.decks[b]}")

    note = (
        "Blows (melee, charge, shot, thrust) of the unit at the left until a fresh unit of the column "
        "retreats: exact. Snipes, interceptions and strikes stand in the table, with all units of the roster."
    )
    return Chart(
        "hits_to_kill", frames.HITS, f"A unit stands at least {least:.0f} blows of a fresh enemy", draw_it,
        "Hits to kill, unit against unit.", ("hits_to_kill",), note,
        height=sum(0.3 * len(names[a]) for a, _ in ways) + 0.9 * (len(ways) - 1), rows=len(ways),
        left=style.label_room(labels), bottom=0.6, top=0.3, gap=(0.3, 0.9),
    )  # fmt: skip
