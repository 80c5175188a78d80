"""What a series shows, in sentences: only what is clear of chance with all settings judged together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.report.draw import percent
from analyzer.report.parts import Measure, points
from analyzer.report.wins import clearly, leaders, wider

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.series import Series

    Tables = Mapping[str, pd.DataFrame]


def words(series: Series, tables: Tables) -> list[str]:
    """The findings, a sentence each: what was played, the main finding, the rest."""
    found = [matrix_finding(tables)] if "matrix" in tables else []
    found += [totals_finding(tables)] if "against_all" in tables else []
    # Where different things meet, a seat's win rate tells what sits there rather than where it sits.
    found += [seats_finding(series, tables)] if "against_all" not in tables else []
    found += [policies_finding(series, tables)] if "win_rate_by_policy" in tables else []
    found += [measure_finding(series, name) for name in measures(series)]
    # Where nothing is clear of chance comes last: the first sentence is the headline of the page.
    found.sort(key=lambda one: not one.clear)
    told = [one.text for one in found if one.text]
    return [_setting(series), *(told or ["There is nothing to compare"])]


class Finding(NamedTuple):
    """A sentence without its stop, and whether it tells something that is clear of chance."""

    text: str
    clear: bool = True


def kind_of(series: Series) -> str:
    """What stands side by side: settings, or runs that were saved each by itself."""
    return "run" if "run" in series.axes else "setting"


NOTHING = Finding("", clear=False)  # there is nothing to say


def _setting(series: Series) -> str:
    rows = [series.row(name) for name in series]
    policies = list(dict.fromkeys(label for row in rows for label in map(str, row.by_policy["policy"])))
    who = f"{policies[0]} in every seat" if len(policies) == 1 else ", ".join(policies)
    names = list(series)
    listed = ", ".join(names) if len(names) <= 6 else f"{names[0]} to {names[-1]}"
    games = f"{series.meta['n']:,} games each"
    return f"{len(names)} settings of {series.meta['game']} ({listed}), {games}: {who}"


def measures(series: Series) -> dict[str, list[Measure]]:
    """The measures that get a chart, name -> one a setting, in order; those that never vary are left out."""
    found: dict[str, list[Measure]] = {}
    for name in series:
        for one in series.row(name).measures:
            if one.chart:
                found.setdefault(one.name, []).append(one)
    return {
        name: ones
        for name, ones in found.items()
        if len(ones) == len(series) and len({one.value for one in ones}) > 1
    }


def _top(frame: pd.DataFrame, by: pd.Series[float]) -> Any:
    """The row with the largest value of `by` (the first of them)."""
    return frame.iloc[int(np.argmax(by.to_numpy(np.float64)))]


def _of(edge: float) -> str:
    return f"{points(abs(edge))} {'more' if edge > 0 else 'less'} than its fair share"


def seats_finding(series: Series, tables: Tables) -> Finding:
    """Where the order of play (or the side) matters."""
    frame = by_setting(series, tables["win_rate_by_seat"])
    frame = frame[frame.groupby("setting")["seat"].transform("size") > 1]  # a lone seat has nobody to beat
    if frame.empty or frame["wins"].sum() == 0:
        return NOTHING if frame.empty else Finding("Nobody won a game")
    found = clearly(frame)
    many = len(series)
    if found.empty:
        widest = wider(len(frame)) * float((frame["edge_high"] - frame["edge_low"]).max()) / 2
        said = (
            f"In no {kind_of(series)} does a seat differ clearly from its fair share "
            f"(±{points(widest)}, with all {len(frame)} judged together)"
        )
        return Finding(said, clear=False)
    if all(len(series.row(name).seats) == 2 for name in series):
        return _two_seats(series, frame, found)
    top = _top(found, found["edge"].abs())
    where = found["setting"].nunique()
    share = f"every {kind_of(series)}" if where == many else f"{where} of {many} {kind_of(series)}s"
    return Finding(
        f"In {share} a seat differs clearly from its fair share, most of all {top['seat']} "
        f"({top['setting']}): it wins {_of(float(top['edge']))}"
    )


def _two_seats(series: Series, frame: pd.DataFrame, found: pd.DataFrame) -> Finding:
    """The first of two seats: from where to where, and in how many settings it is clearly favoured."""
    rates, who = frame[::2], series.seats[0]
    most, least = _top(rates, rates["win_rate"]), _top(rates, -rates["win_rate"])
    span = f"{percent(most['win_rate'])} of the games"
    if len(rates) > 1:
        low, high = percent(least["win_rate"]), percent(most["win_rate"])
        span = f"{low} ({least['setting']}) to {high} ({most['setting']})"
    edges = found[found.index % 2 == 0]["edge"]
    counted = (("more", int((edges > 0).sum())), ("less", int((edges < 0).sum())))
    told = [f"clearly {word} than its fair share in {n} of {len(rates)}" for word, n in counted if n]
    return Finding(f"{who[0].upper()}{who[1:]} wins {span}; {', '.join(told)} {kind_of(series)}s")


def by_setting(series: Series, frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of `Series.win_rates` with the setting's name in a column."""
    key = [tuple(row) for row in frame[series.columns].astype(str).to_numpy()]
    names = {
        tuple(name for axis in series.axes for name in setting.values[axis]): setting.name
        for setting in series.settings
    }
    return frame.assign(setting=[names[one] for one in key])


def policies_finding(series: Series, tables: Tables) -> Finding:
    """Which policy wins more than its share, and in how many settings."""
    frame = by_setting(series, tables["win_rate_by_policy"])
    found = clearly(frame)
    if found.empty:
        return Finding(
            f"In no {kind_of(series)} does a policy differ clearly from its fair share", clear=False
        )
    above = found[found["edge"] > 0]
    if above.empty:
        row = _top(found, -found["edge"])
        return Finding(f"{row['policy']} wins {_of(float(row['edge']))} ({row['setting']})")
    often = above.groupby("policy")["setting"].nunique()
    best = str(often.idxmax())
    many = len(series)
    share = (
        f"every {kind_of(series)}" if often.max() == many else f"{often.max()} of {many} {kind_of(series)}s"
    )
    return Finding(f"{best} wins clearly more than its fair share in {share}")


def totals_finding(tables: Tables) -> Finding:
    """Who wins more than its share against all others."""
    found = clearly(tables["against_all"])
    above = found[found["edge"] > 0].sort_values("edge", ascending=False)
    if above.empty:
        return Finding("None wins clearly more than an equal share against all others", clear=False)
    three = above.head(3)
    told = [f"{name} ({percent(rate)})" for name, rate in zip(three["row"], three["win_rate"], strict=True)]
    more = f" and {len(above) - 3} more" if len(above) > 3 else ""
    return Finding(f"More than an equal share against all others: {', '.join(told)}{more}")


def matrix_finding(tables: Tables) -> Finding:
    """The most one-sided pairing."""
    cells = tables["matrix"]
    others = cells[cells["row"] != cells["column"]]
    if others.empty:
        return NOTHING
    found = clearly(others)
    if found.empty:
        return Finding("No pairing is clearly one-sided", clear=False)
    top = _top(found, found["edge"])
    sided = int((found["edge"] > 0).sum())
    pairings = len(others) // 2
    alone = len(leaders(found, "edge", "edge_low", "edge_high")) == 1
    first = "most of all" if alone or sided == 1 else "among them"
    return Finding(
        f"{sided} of {pairings} pairings {'is' if sided == 1 else 'are'} clearly one-sided, {first} "
        f"{top['row']} against {top['column']} ({percent(top['win_rate'])} won)"
    )


def measure_finding(series: Series, name: str) -> Finding:
    """From where to where a measure runs over the settings."""
    ones = measures(series)[name]
    value, low, high = (np.array([getattr(one, part) for one in ones]) for part in ("value", "low", "high"))
    names = list(series)
    phrase = ones[0].phrase or name
    phrase = phrase[0].upper() + phrase[1:]
    if not np.isfinite(value).all():
        known = np.flatnonzero(np.isfinite(value))
        value, low, high, names = value[known], low[known], high[known], [names[k] for k in known]
        if len(known) < 2:
            return NOTHING
    least, most = int(value.argmin()), int(value.argmax())
    first, last = (show(ones[0].kind, float(value[k])) for k in (least, most))
    by = wider(len(value))
    gap = (value[most] - by * (value[most] - low[most])) - (value[least] + by * (high[least] - value[least]))
    if np.isfinite(gap) and gap <= 0:
        said = f"{phrase}: not clearly different between the {kind_of(series)}s ({first} to {last})"
        return Finding(said, clear=False)
    return Finding(f"{phrase}: from {first} ({names[least]}) to {last} ({names[most]})")


def show(kind: str, value: float) -> str:
    """A value of a measure as text."""
    if kind == "share":
        return percent(value, 2 if 0 < value < 0.01 else 1)
    if kind == "points":
        return points(value)
    return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"
