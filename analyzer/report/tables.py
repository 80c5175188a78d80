"""Tables as CSV (plain values, for programs) and as text cells (for the page and the terminal)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.cells import cell
from analyzer.report.parts import LIMITS, POINTS, SHARES

if TYPE_CHECKING:
    import pandas as pd

HEADINGS = {
    "win_rate": "win rate", "fair_share": "fair share", "edge": "difference", "n": "n", "a_game": "a game",
    "half": "blocked half the game", "supply": "lost to supply", "simulated": "simulated",
    "exact": "exact odds", "faces": "winning faces", "share": "share",
    "effect": "effect a card", "low": "95 % interval",
}  # fmt: skip
SHARE_COLUMNS = SHARES | {"half", "supply", "at_once", "leader", "losses"}


@dataclass(frozen=True)
class Column:
    """One column as shown: heading, text cells, sort keys (numbers where they are numbers), and its side."""

    heading: str
    cells: list[str]
    keys: list[Any]
    number: bool


def csv(frame: pd.DataFrame) -> str:
    """The frame as CSV. Texts that a spreadsheet would take for a formula are quoted with an apostrophe."""
    safe = frame.rename(columns=lambda name: cell(str(name)))
    for column in (
        safe.columns[[kind.kind not in "biuf" for kind in safe.dtypes]] if len(safe.columns) else []
    ):
        safe[column] = [cell(str(value)) for value in safe[column].tolist()]
    return str(safe.to_csv(index=False, lineterminator="\n"))


def columns(frame: pd.DataFrame) -> list[Column]:
    """The frame as it is shown: shares in per cent, limits as one column behind their value."""
    lows = {low: high for low, high in LIMITS if low in frame and high in frame}
    kinds: dict[str, str] = dict(frame.attrs.get("kinds", {}))  # column -> "share" or "points"
    lows |= {f"{name} low": f"{name} high" for name in kinds if f"{name} low" in frame}
    kinds |= {low: kinds[low.removesuffix(" low")] for low in lows if low.removesuffix(" low") in kinds}
    shown = []
    for name in map(str, frame.columns):
        values = frame[name].tolist()
        if name in lows:
            high = frame[lows[name]].tolist()
            cells = [_interval(a, b, name, kinds) for a, b in zip(values, high, strict=True)]
            shown.append(Column(HEADINGS["low"], cells, _keys(values), True))
        elif name not in lows.values():
            number = frame[name].dtype.kind in "iuf"
            cells = [_number(value, name, kinds) if number else str(value) for value in values]
            shown.append(Column(HEADINGS.get(name, name.replace("_", " ")), cells, _keys(values), number))
    return shown


def _keys(values: list[Any]) -> list[Any]:
    return ["" if isinstance(v, float) and math.isnan(v) else v for v in values]


def _kind(name: str, kinds: Mapping[str, str]) -> str:
    """Whether a column holds shares, differences of shares in points, or plain numbers."""
    return kinds.get(name, "share" if name in SHARE_COLUMNS else "points" if name in POINTS else "number")


def _number(value: Any, name: str, kinds: Mapping[str, str]) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    if _kind(name, kinds) == "share":
        return _percent(value) + " %"
    if _kind(name, kinds) == "points":
        return f"{100 * value:+.2f}"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"


def _percent(value: float) -> str:
    """Two digits where a rate is small, so that a rare event is not rounded away."""
    return f"{100 * value:.2f}" if 0 < value < 0.1 or 0.9 < value < 1 else f"{100 * value:.1f}"


def _interval(low: Any, high: Any, name: str, kinds: Mapping[str, str]) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    if _kind(name, kinds) == "share":
        return f"{100 * low:.2f} – {100 * high:.2f}"
    if _kind(name, kinds) == "points":
        return f"{100 * low:+.2f} – {100 * high:+.2f}"
    return f"{low:,.3f} – {high:,.3f}" if abs(high) < 10 else f"{low:,.1f} – {high:,.1f}"
