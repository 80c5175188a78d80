"""The charts of every series: win rates and measures over the settings; for a pairing, each against each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from analyzer.report import draw, series_words, style, wins
from analyzer.report.parts import Chart, Measure

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel
    from analyzer.series import Series

    Tables = Mapping[str, pd.DataFrame]

WHO, WHAT, WHOM = "Who wins?", "What changes?", "Who beats whom?"
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PINK, style.SKY, style.INK)
MOST_ROWS = 40  # rows of a chart; with more settings there is the table
PART = 21  # letters of a part of a setting's name, where whole names are too long
WIDEST = 12  # names of a pairing that fit into a heat map


def charts(series: Series, tables: Tables) -> list[Chart]:
    """The charts that this series has content for, key chart first."""
    found: list[Chart] = []
    if "matrix" in tables:
        found += matrices(tables["matrix"], tables)
        found += [totals(tables)] if "against_all" in tables else []
    if len(series) <= MOST_ROWS and "matrix" not in tables:
        found += seats(series, tables)
    if len(series) <= MOST_ROWS:
        found += [policies(series, tables)] if "win_rate_by_policy" in tables else []
        named = series_words.measures(series).items()
        found += [measure(series, name, ones, i == 0 and not found) for i, (name, ones) in enumerate(named)]
    return found


def short(series: Series) -> Callable[[str], str]:
    """How a part of the names of these settings is shortened in every chart of them: the same everywhere."""
    fits = all(len(name) <= style.LONGEST for name in series)
    return lambda part: style.shorten(part, style.LONGEST if fits else PART)


def _labels(series: Series) -> list[str]:
    """The names of the settings, short enough for a chart."""
    part = short(series)
    return [style.shorten(" · ".join(map(part, name.split(" · "))), style.LONGEST) for name in series]


# ---- win rates over the settings -------------------------------------------------------------------------


def seats(series: Series, tables: Tables) -> list[Chart]:
    """Win rates of the seats in every setting: of the first one where there are two, else of all."""
    rows = [series.row(name).by_seat for name in series]
    if max(len(row) for row in rows) < 2:
        return []
    finding = series_words.seats_finding(series, tables).text
    if all(len(row) == 2 for row in rows):
        return [_first_seat(series, rows, finding)]
    key = [("seat 1", style.BLUE), ("last seat", style.ORANGE), ("seats between", style.GREY)]
    groups = []
    for row in rows:
        last = len(row) - 1
        shades = [style.BLUE, *[style.GREY] * (last - 1), style.ORANGE][: last + 1]
        groups.append((row, shades))
    note = (
        "Games won above or below the fair share (an equal part of the games that anybody won), with 95 % "
        "intervals, each by itself; in each setting the seats stand below each other in the order of play. "
        "What is called clear above is clear with all of them judged together."
    )
    return [_edges(series, "win_rate_by_seat", finding, groups, key, note)]


def _first_seat(series: Series, rows: Sequence[pd.DataFrame], finding: str) -> Chart:
    """Two seats: the win rate of the first tells both."""
    labels = _labels(series)
    value, low, high, fair, edge, down, up = (
        np.array([float(row.iloc[0][name]) for row in rows])
        for name in ("win_rate", "low", "high", "fair_share", "edge", "edge_low", "edge_high")
    )
    colours = wins.shades(edge, down, up, sum(map(len, rows)))
    who = series.seats[0]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        draw.intervals_in_rows(ax, value, low, high, colours, draw.percent, [*fair])
        style.rows_axis(ax, labels)
        style.x_scale(ax, f"games won by {who}, with 95 % intervals", style.percent_text)
        _fair_shares(ax, fair)

    note = f"Dashed: the fair share, half of the games that anybody won. {wins.TOGETHER}"
    return _rows("win_rate_by_seat", WHO, finding, paint, labels, 0.34, ("win_rate_by_seat",), note)


def _fair_shares(ax: Panel, fair: ArrayLike) -> None:
    """A dashed line in each row."""
    places = np.arange(np.size(fair))
    draw.spans(ax, fair, places - 0.38, places + 0.38, style.INK, 1.2, upright=True, dashes=(4, 3))


def policies(series: Series, tables: Tables) -> Chart:
    """Every policy against its fair share in every setting."""
    rows = [series.row(name).by_policy for name in series]
    names = list(dict.fromkeys(str(label) for row in rows for label in row["policy"]))
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    groups = [(row, [colour[str(label)] for label in row["policy"]]) for row in rows]
    key = [(style.shorten(name, 14), colour[name]) for name in names]
    note = (
        "Games won above or below the fair share, with 95 % intervals. A policy's fair share is the part of "
        "the seats it held of all games that anybody won. What is called clear above is clear with all of "
        "them judged together."
    )
    finding = series_words.policies_finding(series, tables).text
    return _edges(series, "win_rate_by_policy", finding, groups, key, note)


def _edges(
    series: Series,
    name: str,
    finding: str,
    groups: Sequence[tuple[pd.DataFrame, Sequence[str]]],
    key: Sequence[tuple[str, str]],
    note: str,
) -> Chart:
    """Differences from the fair share: a band a setting, in it a dot with its interval for each row."""
    labels = _labels(series)
    deepest = max(len(frame) for frame, _ in groups)

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        for place, (frame, shades) in enumerate(groups):
            at = place + (np.arange(len(frame)) - (len(frame) - 1) / 2) * 0.8 / deepest
            draw.spans(ax, at, frame["edge_low"], frame["edge_high"], list(shades), 1.8)
            ax.add_dots(draw.pairs(frame["edge"], at), list(shades), 4.2, edge=style.PAPER)
        left = min(0.0, *(float(frame["edge_low"].min()) for frame, _ in groups))
        right = max(0.0, *(float(frame["edge_high"].max()) for frame, _ in groups))
        slack = 0.05 * ((right - left) or 0.01)
        ax.set_xlim(left - slack, right + slack)
        style.rows_axis(ax, labels)
        style.x_scale(ax, "difference from the fair share in points, with 95 % intervals", style.points_text)
        draw.spans(ax, np.arange(1, len(groups)) - 0.5, 0, 1, style.GRID, 0.8, where="y", zorder=0)
        draw.spans(ax, [0], 0, 1, style.INK, 1.0, upright=True, where="x", zorder=1)
        draw.key(ax, key)

    return _rows(name, WHO, finding, paint, labels, max(0.3, 0.1 + 0.105 * deepest), (name,), note)


def _rows(
    name: str, question: str, finding: str, paint: Any, labels: list[str], high: float,
    tables: tuple[str, ...], note: str,
) -> Chart:  # fmt: skip
    alt = "One row for each, with 95 % intervals."
    return Chart(
        name, question, finding, paint, alt, tables, note,
        height=0.15 + high * len(labels), left=style.label_room(labels), top=0.25,
    )  # fmt: skip


# ---- measures over the settings --------------------------------------------------------------------------

TEXTS = {"share": style.percent_text, "points": style.points_text, "number": style.number_text}


def measure(series: Series, name: str, ones: Sequence[Measure], with_table: bool) -> Chart:
    """One measure over the settings."""
    labels, kind = _labels(series), ones[0].kind
    value, low, high = (np.array([getattr(one, part) for one in ones]) for part in ("value", "low", "high"))

    def paint(axes: Sequence[Panel]) -> None:
        ax, there = axes[0], np.isfinite(value)
        at = np.flatnonzero(there)
        a, b = np.where(np.isfinite(low), low, value), np.where(np.isfinite(high), high, value)
        draw.spans(ax, at, a[there], b[there], style.BLUE, 2.4)
        ax.add_dots(draw.pairs(value[there], at), style.BLUE, 5.8, edge=style.PAPER)
        keep = [0.0] if kind == "share" or value[there].min() < 0.5 * value[there].max() else []
        texts = [series_words.show(kind, float(v)) if np.isfinite(v) else "" for v in value]
        left, right = min([*a[there], *keep]), max([*b[there], *keep])
        draw.row_numbers(ax, texts, left, right)
        style.rows_axis(ax, labels)
        title = f"{ones[0].phrase or name}, with 95 % intervals"
        style.x_scale(ax, title, TEXTS[kind], at=style.ticks((left, right), 6))

    slug = "".join(c if c.isalnum() else "_" for c in name.lower())
    finding = series_words.measure_finding(series, name).text
    return _rows(f"by_setting_{slug}", WHAT, finding, paint, labels, 0.34, ("settings",), ones[0].about)


# ---- each against each -----------------------------------------------------------------------------------


def matrices(frame: pd.DataFrame, tables: Tables) -> list[Chart]:
    """A heat map of a pairing; with further axes, one for each of their combinations."""
    others = [str(column) for column in frame.columns[: list(frame.columns).index("row")]]
    if frame["row"].nunique() > WIDEST:
        return []
    finding = series_words.matrix_finding(tables).text
    if not others:
        return [_matrix("matrix", finding, frame)]
    parts = enumerate(frame.groupby(others, sort=False), 1)
    return [_matrix(f"matrix_{i}", " · ".join(map(str, which)), part) for i, (which, part) in parts]


def _matrix(name: str, finding: str, frame: pd.DataFrame) -> Chart:
    order = list(dict.fromkeys(frame["row"]))
    wide = frame.assign(half=(frame["high"] - frame["low"]) / 2).set_index(["row", "column"])
    edge, rate, half = (
        wide[c].unstack("column").reindex(index=order, columns=order).to_numpy(np.float64)
        for c in ("edge", "win_rate", "half")
    )
    text = [
        [f"{100 * r:.1f}\n±{100 * h:.1f}" if np.isfinite(r) else "" for r, h in zip(*pair, strict=True)]
        for pair in zip(rate, half, strict=True)
    ]
    rows = [style.shorten(one) for one in order]
    left = style.label_room(rows)
    room = int((style.WIDTH - left - 0.2) / len(order) / 0.085)  # letters that fit below a column
    columns = [style.shorten(one, max(room, 3)) for one in order]
    return Chart(
        name, WHOM, finding, partial(_heat, edge, rows, columns, text),
        "Win rate in per cent of the row against the column, for each pairing.", ("matrix",),
        "Games the row wins against the column in per cent, with half the width of the 95 % interval, "
        "averaged over both seatings where both were played. Blue lies above an equal share, orange below "
        "it; on the diagonal: the first seat of two equals.",
        height=0.1 + 0.48 * len(order), left=left, bottom=0.35,
    )  # fmt: skip


def _heat(edge: Any, rows: list[str], columns: list[str], text: Any, axes: Sequence[Panel]) -> None:
    draw.heat(axes[0], edge, rows, columns, text, diverging=True)


def totals(tables: Tables) -> Chart:
    """Each of a pairing against all others."""
    frame = tables["against_all"]
    labels = [style.shorten(str(name), 30) for name in frame["row"]]
    fair = frame["win_rate"] - frame["edge"]
    colours = wins.shades(frame["edge"], frame["edge_low"], frame["edge_high"])

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        draw.intervals_in_rows(
            ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [*fair]
        )
        style.rows_axis(ax, labels)
        style.x_scale(ax, "games won against all others, with 95 % intervals", style.percent_text)
        _fair_shares(ax, fair)

    note = "Every opponent weighs the same. Dashed: an equal share of the games that anybody won. "
    note += wins.TOGETHER
    finding = series_words.totals_finding(tables).text
    return _rows("against_all", WHOM, finding, paint, labels, 0.34, ("against_all",), note)
