"""What one run says, as named numbers with errors: what a sweep draws, what assumptions move, what a panel
judges. Every game has who wins, nobody's share and the length; a game's report may add measures of its own.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer import report
from analyzer.report.draw import percent
from analyzer.report.parts import Kind, points
from analyzer.series import Row
from analyzer.stats.intervals import z_value

if TYPE_CHECKING:
    from analyzer.sim.request import Request
    from analyzer.sim.results import Results


@dataclass(frozen=True)
class Outcome:
    """One number of one run.

    name: short, as in tables; phrase: what it is, in a sentence. value, low, high: with its 95 % interval,
    NaN limits where it has none. claim: what a positive value means ("seat 1 wins more than its fair share"),
    "" where the sign means nothing; against: what a negative one means.
    """

    name: str
    phrase: str
    kind: Kind
    value: float
    low: float
    high: float
    claim: str = ""
    against: str = ""

    @property
    def error(self) -> float:
        """The standard error, NaN if it is not known."""
        return (self.high - self.low) / 2 / z_value(0.95)

    def shown(self, value: float | None = None) -> str:
        """A value of this kind as text (its own if none is given)."""
        return show(self.kind, self.value if value is None else value)


def show(kind: str, x: float) -> str:
    """A value as text; differences of shares carry their sign."""
    if not math.isfinite(x):
        return "unknown"
    if kind == "share":
        return percent(x, 2 if 0 < x < 0.01 else 1)
    if kind == "points":
        x = x if abs(x) >= 0.0005 else 0.0
        return f"{'+' if x > 0 else ''}{points(x)}"
    return f"{x:,.2f}" if abs(x) < 10 else f"{x:,.1f}"


def outcomes(results: Results, request: Request | None = None, places: Sequence[str] = ()) -> list[Outcome]:
    """The outcomes of a run: who wins beyond a fair share, by seat and by policy; then all measures.

    places: names of the policies by their place in the line-up of `request`, where these must keep their
    names while their parameters change; without them policies go by label.
    """
    row = Row.of(report.of(results))
    found = _seats(row) + (_by_place(results, request, places) if request and places else _policies(results))
    for one in row.measures:
        if math.isfinite(one.value):
            phrase = one.phrase or one.name
            sign = (f"{phrase} is above 0", f"{phrase} is below 0") if one.kind == "points" else ("", "")
            found.append(Outcome(one.name, phrase, one.kind, one.value, one.low, one.high, *sign))
    return found


def _edge(name: str, value: float, low: float, high: float) -> Outcome:
    told = [f"{name} wins {word} than its fair share" for word in ("more", "less")]
    phrase = f"what {name} wins beyond its fair share"
    return Outcome(f"{name}: edge", phrase, "points", value, low, high, *told)


def _seats(row: Row) -> list[Outcome]:
    """The edge of every seat; of two seats one tells both, a single one has nobody to beat."""
    frame = row.by_seat
    many = len(row.seats) if len(row.seats) != 2 else 1
    if len(row.seats) == 1:
        rate = frame.iloc[0]
        told = (float(rate["win_rate"]), float(rate["low"]), float(rate["high"]))
        return [Outcome("wins", "the share of games won", "share", *told)]
    return [
        _edge(name, float(edge), float(low), float(high))
        for name, edge, low, high in zip(
            row.seats[:many], frame["edge"], frame["edge_low"], frame["edge_high"], strict=False
        )
    ]


def _policies(results: Results) -> list[Outcome]:
    """The edge of every policy where several meet; of two one tells both."""
    if len(results.policies) < 2:
        return []
    frame = results.win_rates("policy")
    rows = zip(frame["policy"], frame["edge"], frame["edge_low"], frame["edge_high"], strict=True)
    found = [_edge(str(name), float(edge), float(low), float(high)) for name, edge, low, high in rows]
    return found if len(found) > 2 else found[:1]


def _by_place(results: Results, request: Request, places: Sequence[str]) -> list[Outcome]:
    """As `_policies`, by place. Policies that have become one and the same share what it wins."""
    labels = request.labels[: len(places)]
    rows = {str(row["policy"]): row for row in results.win_rates("policy").to_dict("records")}
    found = []
    for name, label in zip(places, labels, strict=True):
        row, many = rows[label], labels.count(label)
        alone = many == len(labels)  # whoever wins: it is one of them, and none is above its share
        limits = [0.0 if alone else float(row[part]) / many for part in ("edge", "edge_low", "edge_high")]
        found.append(_edge(name, *limits))
    return found if len(found) > 2 else found[:1]


def stem(label: str) -> str:
    """A policy's label without its parameters."""
    head, colon, tail = label.rpartition(":")
    return head if colon and "=" in tail else label


def column(name: str, keys: Collection[str]) -> str:
    """The column of an outcome beside columns of settings: none may have the name of another."""
    return f"{name} (outcome)" if name in keys else name


def common(points_: Sequence[Sequence[Outcome]]) -> list[str]:
    """The names that all runs have, in the order of the first."""
    sets = [{one.name for one in found} for found in points_]
    return [one.name for one in points_[0] if all(one.name in names for names in sets)] if points_ else []
