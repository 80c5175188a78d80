"""The table of scenarios: a row a scenario, both readings of a pin and both first sides side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.undaunted.scenario import SIDES
from analyzer.report import draw, series_charts, series_tables, style
from analyzer.report.parts import Chart, Measure, points, titled
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel
    from analyzer.series import Series
    from analyzer.sim.results import Results

    Tables = Mapping[str, pd.DataFrame]

SCENARIO, PIN_AXIS, FIRST_AXIS = "scenario", "pin-ends-game", "first-initiative"
US_FIRST, DE_FIRST = "US wins, US first", "US wins, DE first"
ENDS = {
    "points": "points",
    "pin": "pin",
    "both pinned": "both out",
    "no hope": "no hope",
    "round limit": "limit",
}
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PINK, style.GREY)
READINGS = {"always": style.BLUE, "goal": style.ORANGE}
WHO, WHEN = "Who wins?", "How and when do games end?"
NOWHERE = (math.nan, math.nan, math.nan)


def measures(results: Results, tables: Tables) -> list[Measure]:
    """What a series tells of one setting, besides who wins: by first initiative, rounds, ends."""
    frame = tables["win_rate_by_initiative"]
    by_first = {
        row["first"]: (row["win_rate"], row["low"], row["high"])
        for row in frame.to_dict("records")
        if row["side"] == "US"
    }
    long = tables["length"].iloc[0]
    limits = (float(long["mean_low"]), float(long["mean_high"]))
    found = [
        Measure(US_FIRST, *by_first.get("US", NOWHERE), "share"),
        Measure(DE_FIRST, *by_first.get("DE", NOWHERE), "share"),
        Measure("rounds", float(long["mean"]), *limits, "number", True, "the mean length in rounds"),
    ]
    nobody = results.nobody()
    found.append(Measure("nobody", nobody.rate, nobody.low, nobody.high, "share"))
    for row in tables["end_shares"].to_dict("records"):
        name = f"ends by {ENDS[row['end']]}"
        found.append(Measure(name, row["share"], row["low"], row["high"], "share"))
    return found


# ---- the table -------------------------------------------------------------------------------------------


Rows = dict[str, dict[str, dict[str, Any]]]


def _rows(series: Series) -> Rows:
    """Scenario -> reading of a pin -> what its setting tells: `rate` (of US), `edge`, and every measure.

    Where scenarios are combined with more than a reading of a pin (with several first initiatives, or numbers
    of something else) there is no such table: empty.
    """
    if SCENARIO not in series.axes or set(series.varying) - {SCENARIO, PIN_AXIS}:
        return {}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for setting in series.settings:
        row = series.row(setting.name)
        config = row.meta["config"]
        us = row.by_seat.iloc[0]
        cell: dict[str, Any] = {one.name: (one.value, one.low, one.high) for one in row.measures}
        cell["rate"] = tuple(float(us[name]) for name in ("win_rate", "low", "high"))
        cell["edge"] = tuple(float(us[name]) for name in ("edge", "edge_low", "edge_high"))
        cell["config"], cell["n"] = config, row.n
        found.setdefault(setting.values[SCENARIO][0], {})[str(config["pin_ends_game"])] = cell
    return found


def _effect(cell: Mapping[str, Any]) -> tuple[float, float, float]:
    """What the first initiative is worth to US: its win rate with the marker less that without it."""
    return _gap(cell[US_FIRST], cell[DE_FIRST])


def _gap(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """The difference of two rates (value, low, high), with its limits."""
    a, b = (intervals.Interval(*(np.asarray(part, np.float64) for part in rate)) for rate in (one, other))
    value, low, high = (float(part) for part in intervals.difference(a, b))
    return value, low, high


def _readings(rows: Rows) -> list[str]:
    """The readings of a pin that were played."""
    return [name for name in READINGS if any(name in cells for cells in rows.values())]


def tables(series: Series, _: Tables) -> dict[str, pd.DataFrame]:
    """`scenarios` (who wins) and `scenario_ends`: a row a scenario, its numbers for each reading of a pin."""
    rows = _rows(series)
    if not rows:
        return {}
    about = (
        "(always): a pin ends every game; (goal): only where it is the goal. n: games a setting. initiative: "
        "US win rate with the marker before round 1 less that without it, in points."
    )
    return {
        "scenarios": titled(_wide(rows, _wins), "All scenarios", WHO, about),
        "scenario_ends": titled(_wide(rows, _ends_of), "Ends and rounds of all scenarios", WHEN),
    }


Numbers = list[tuple[str, tuple[float, float, float], str]]  # column, (value, low, high), kind


def _wins(cell: Mapping[str, Any]) -> Numbers:
    return [
        ("US wins", cell["rate"], "share"),
        (US_FIRST, cell[US_FIRST], "share"),
        (DE_FIRST, cell[DE_FIRST], "share"),
        ("initiative", _effect(cell), "points"),
    ]


def _ends_of(cell: Mapping[str, Any]) -> Numbers:
    names = (f"ends by {end}" for end in ENDS.values())
    return [("rounds", cell["rounds"], "number"), *((name, cell[name], "share") for name in names)]


def _wide(rows: Rows, numbers: Callable[[Mapping[str, Any]], Numbers]) -> pd.DataFrame:
    """A row a scenario, and for each reading of a pin its numbers, each with its limits."""
    import pandas as pd

    records, kinds = [], {}
    for name, cells in rows.items():
        record = _head(name, cells)
        for reading, cell in cells.items():
            for what, (value, low, high), kind in numbers(cell):
                column = f"{what} ({reading})"
                kinds[column] = kind
                record |= {column: value, f"{column} low": low, f"{column} high": high}
        records.append(record)
    frame = pd.DataFrame(records).dropna(axis="columns", how="all")
    frame.attrs["kinds"] = {column: kind for column, kind in kinds.items() if column in frame}
    return frame


def _head(name: str, cells: Mapping[str, Any]) -> dict[str, Any]:
    some = next(iter(cells.values()))
    scenario = some["config"]["scenario"]
    goals = [str(scenario["goal"][side]) for side in SIDES]
    record = {"scenario": name, "goals": f"{goals[0]} / {goals[1]}", "begins": scenario["initiative"]}
    return {**record, "n": some["n"]}


def page(series: Series, found: Tables) -> dict[str, pd.DataFrame]:
    """The tables of scenarios as the page shows them: each number with half its interval, as text."""
    rows, shown = _rows(series), {}
    for name, numbers in (("scenarios", _wins), ("scenario_ends", _ends_of)):
        if name in found:
            shown[name] = _text(rows, numbers)
            shown[name].attrs.update({**found[name].attrs, "kinds": {}})
            shown[name].attrs["title"] += f": per cent, {series_tables.HALF}"
    return shown


def _text(rows: Rows, numbers: Callable[[Mapping[str, Any]], Numbers]) -> pd.DataFrame:
    import pandas as pd

    records = []
    for name, cells in rows.items():
        record = _head(name, cells)
        for reading, cell in cells.items():
            for what, number, kind in numbers(cell):
                record[f"{what} ({reading})"] = series_tables.text(*number, kind)
        records.append(record)
    return pd.DataFrame(records)


def terminal(series: Series, found: Tables) -> list[pd.DataFrame]:
    """The same in few columns, for a terminal."""
    import pandas as pd

    records = []
    for name, cells in _rows(series).items():
        record = _head(name, cells)
        for reading, cell in cells.items():
            record[f"US % ({reading})"] = series_tables.text(*cell["rate"])
            record[f"initiative ({reading})"] = series_tables.text(*_effect(cell), "points")
        long = (series_tables.text(cell["rounds"][0], kind="number") for cell in cells.values())
        limit = (series_tables.text(cell["ends by limit"][0]) for cell in cells.values())
        records.append({**record, "rounds": " / ".join(long), "limit %": " / ".join(limit)})
    if not records:
        return []
    title = (
        f"All scenarios, {series_tables.HALF}. (always): a pin ends every game; (goal): only where it is the "
        "goal. initiative: US wins with it less without it, in points"
    )
    return [titled(pd.DataFrame(records).drop(columns="n"), title)]


# ---- charts ----------------------------------------------------------------------------------------------


def charts(series: Series, found: Tables) -> list[Chart]:
    """Balance of all scenarios, and how their games end."""
    rows = _rows(series)
    part = series_charts.short(series)
    return [_balance(rows, found, part), _ends(rows, found, part)] if len(rows) > 1 else []


def _balance(rows: Rows, found: Tables, part: Callable[[str], str]) -> Chart:
    """US win rates under each reading of a pin, and what the first initiative is worth."""
    names, readings = list(rows), _readings(rows)
    labels = [part(name) for name in names]
    both = any(np.isfinite(_effect(cells[reading])[0]) for cells in rows.values() for reading in cells)

    def dots(ax: Panel, value_of: Any) -> None:
        low, high = [0.0], [0.0]
        for k, reading in enumerate(readings):
            at = np.arange(len(names)) + (k - (len(readings) - 1) / 2) * 0.3
            cells = np.array(
                [value_of(rows[name][reading]) if reading in rows[name] else NOWHERE for name in names]
            )
            draw.spans(ax, at, cells[:, 1], cells[:, 2], READINGS[reading], 2.2)
            ax.add_dots(draw.pairs(cells[:, 0], at), READINGS[reading], 5, edge=style.PAPER)
            low.append(float(np.nanmin(cells[:, 1], initial=0.0)))
            high.append(float(np.nanmax(cells[:, 2], initial=0.0)))
        slack = 0.05 * (max(high) - min(low) or 0.01)
        ax.set_xlim(min(low) - slack, max(high) + slack)
        ax.set_ylim(len(names) - 0.5, -0.5)

    def paint(axes: Sequence[Panel]) -> None:
        dots(axes[0], lambda cell: cell["rate"])
        axes[0].set_xlim(-0.02, 1.02)
        style.rows_axis(axes[0], labels)
        style.x_scale(axes[0], "games won by US", style.percent_text, at=[0, 0.5, 1])
        draw.spans(axes[0], [0.5], 0, 1, style.INK, 1.0, upright=True, where="x", dashes=(4, 3))
        if both:
            dots(axes[1], _effect)
            style.x_scale(axes[1], "initiative, points for US", style.points_text, most=4)
            draw.spans(axes[1], [0.0], 0, 1, style.INK, 1.0, upright=True, where="x", zorder=1)
        draw.key(axes[-1], [(f"pin {reading}", READINGS[reading]) for reading in readings])

    note = "Left: win rate of US; dashed: half. "
    if both:
        note += "Right: US win rate with the marker before round 1 less that without it. "
    note += "With 95 % intervals. pin always: a pin ends every game; pin goal: only where it is the goal."
    return Chart(
        "scenarios", WHO, balance_finding(found), paint, "Win rates of US and worth of the initiative.",
        ("scenarios",), note, height=0.2 + 0.34 * len(names), cols=1 + both,
        left=style.label_room(labels), top=0.3, gap=(0.35, 0.3),
    )  # fmt: skip


def _ends(rows: Rows, found: Tables, part: Callable[[str], str]) -> Chart:
    """How the games of each scenario end, a panel a reading of a pin."""
    names, readings = list(rows), _readings(rows)
    labels = [part(name) for name in names]

    def paint(axes: Sequence[Panel]) -> None:
        for ax, reading in zip(axes, readings, strict=True):
            left = np.zeros(len(names))
            for end, colour in zip(ENDS.values(), COLOURS, strict=True):
                width = np.array(
                    [rows[name].get(reading, {}).get(f"ends by {end}", (0.0,))[0] for name in names]
                )
                draw.spans(ax, np.arange(len(names)), left, left + width, colour, 10)
                left = left + width
            ax.set_xlim(0, 1)
            style.rows_axis(ax, labels if ax is axes[0] else [""] * len(names))
            style.x_scale(ax, f"games, pin {reading}", style.percent_text, at=[0, 0.5, 1])
        draw.key(axes[-1], list(zip(ENDS.values(), COLOURS, strict=True)))

    note = (
        "points: a goal of points is reached; pin: the loser has no Rifleman on the map; no hope: the loser "
        "can no longer reach its goal; both out: points decide; limit: the round limit."
    )
    return Chart(
        "ends_by_scenario", WHEN, ends_finding(rows), paint, "How games end in each scenario.",
        ("scenarios",), note, height=0.2 + 0.28 * len(names), cols=len(readings),
        left=style.label_room(labels), right=0.3, top=0.3, gap=(0.5, 0.3),
    )  # fmt: skip


# ---- words -----------------------------------------------------------------------------------------------


def words(series: Series, found: Tables) -> list[str]:
    """The findings over all scenarios."""
    rows = _rows(series)
    if len(rows) < 2:
        return []
    said = [balance_finding(found), pin_finding(rows), initiative_finding(rows), limit_finding(rows)]
    return [one for one in said if one]


def balance_finding(found: Tables) -> str:
    """The most even and the most one-sided scenario, under the first reading of a pin that was played."""
    frame = found["scenarios"]
    reading = next(one for one in READINGS if f"US wins ({one})" in frame)
    column, several = f"US wins ({reading})", all(f"US wins ({one})" in frame for one in READINGS)
    where = f"With a pin read as {reading!r} " if several else ""
    away = (frame[column] - 0.5).abs()
    even, sided = frame.iloc[int(away.argmin())], frame.iloc[int(away.argmax())]
    side = "US" if sided[column] > 0.5 else "DE"
    rate = max(sided[column], 1 - sided[column]) if side == "US" else 1 - sided[column]
    return (
        f"{where}{even['scenario']} is the most even scenario "
        f"(US wins {draw.percent(float(even[column]))}), "
        f"{sided['scenario']} the most one-sided ({side} {draw.percent(float(rate))})"
    )


def pin_finding(rows: Rows) -> str:
    """Where it matters whether a pin always ends the game."""
    gaps = {}
    for name, cells in rows.items():
        if len(cells) == 2:
            value, low, high = _gap(cells["goal"]["rate"], cells["always"]["rate"])
            if low > 0 or high < 0:
                gaps[name] = value
    if not any(len(cells) == 2 for cells in rows.values()):
        return ""
    if not gaps:
        return "Whether a pin always ends the game makes no clear difference in any scenario"
    most = max(gaps, key=lambda name: abs(gaps[name]))
    verb = "more" if gaps[most] > 0 else "less"
    return (
        f"Whether a pin always ends the game matters in {len(gaps)} of {len(rows)} scenarios, most in "
        f"{most}: if only as the goal, US wins {points(abs(gaps[most]))} {verb}"
    )


def initiative_finding(rows: Rows) -> str:
    """Where the first initiative matters."""
    worth = {name: _effect(next(iter(cells.values()))) for name, cells in rows.items()}
    if not any(math.isfinite(one[0]) for one in worth.values()):
        return ""
    clear = {name: one[0] for name, one in worth.items() if one[1] > 0 or one[2] < 0}
    if not clear:
        return "The first initiative makes no clear difference in any scenario"
    most = max(clear, key=lambda name: abs(clear[name]))
    return (
        f"The first initiative matters clearly in {len(clear)} of {len(rows)} scenarios, most in {most} "
        f"({points(abs(clear[most]))} of US's win rate)"
    )


def limit_finding(rows: Rows) -> str:
    """The scenario whose games most often reach the round limit."""
    limits = {
        f"{name} (pin {reading})": cell["ends by limit"][0]
        for name, cells in rows.items()
        for reading, cell in cells.items()
    }
    most = max(limits, key=lambda name: limits[name])
    if not limits[most]:
        return "No game reaches the round limit"
    return f"The round limit ends at most {draw.percent(limits[most], 2)} of the games, in {most}"


def ends_finding(rows: Rows) -> str:
    """What ends most games, over all scenarios under the first reading."""
    total = dict.fromkeys(ENDS.values(), 0.0)
    for cells in rows.values():
        for end in total:
            total[end] += next(iter(cells.values()))[f"ends by {end}"][0] / len(rows)
    first, second = sorted(total, key=lambda end: -total[end])[:2]
    return (
        f"Over all scenarios {draw.percent(total[first])} of the games end by {first}, "
        f"{draw.percent(total[second])} by {second}"
    )
