"""A sweep's tables, curves, heat maps and sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.report import draw, style
from analyzer.report.parts import Chart, points, titled
from analyzer.studies.grid import Way
from analyzer.studies.outcomes import Outcome, column, show

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel
    from analyzer.studies.sweep import Sweep

WHAT = "What changes?"
TEXTS = {"share": style.percent_text, "points": style.points_text, "number": style.number_text}
MOST_CHARTS = 8


def tables(found: Sweep) -> dict[str, pd.DataFrame]:
    """sweep: a row a point, every outcome with its interval; changes: a row a point and outcome."""
    kinds: dict[str, str] = {}
    rows, changed = [], []
    for number, cell in enumerate(found.grid.cells):
        where = {way.key: value for way, value in zip(found.grid.ways, cell, strict=True)}
        row: dict[str, Any] = {**where, "n": found.grid.requests[number].n}
        for name in found.names:
            one = found.of(name)[number]
            shown = column(name, list(where))
            kinds[shown] = one.kind
            row |= {shown: one.value, f"{shown} low": one.low, f"{shown} high": one.high}
            change = found.changes[number][name]
            low, high = change.limits()
            wide = change.limits(found.claims)
            changed.append({
                **where, "n": row["n"], "outcome": name,
                "kind": "number" if one.kind == "number" else "points", "change": change.value,
                "low_limit": low, "high_limit": high, "clear": "yes" if wide[0] > 0 or wide[1] < 0 else "",
                "same luck": "yes" if change.paired else "",
            })  # fmt: skip
        rows.append(row)
    frame = pd.DataFrame(rows)
    for name in kinds:
        if frame[f"{name} low"].isna().all():
            frame = frame.drop(columns=[f"{name} low", f"{name} high"])
    frame.attrs |= {"kinds": kinds, "keys": len(found.grid.ways), "literal": [w.key for w in found.grid.ways]}
    keys = ", ".join(way.key for way in found.grid.ways)
    titled(frame, f"The game by {keys}", WHAT, _about(found))
    changes = pd.DataFrame(changed)
    changes.attrs["literal"] = frame.attrs["literal"]
    changes.attrs["by_row"] = dict.fromkeys(("change", "low_limit", "high_limit"), changes["kind"].tolist())
    more = titled(
        changes,
        "Against the game without the sweep",
        WHAT,
        "change: of shares in points, else in the unit of the outcome; low limit, high limit: of its 95 % "
        "interval; "
        f"clear: not zero, with all {found.claims} differences judged together; same luck: game by game.",
    )
    return {"sweep": frame, "changes": more}


def short(found: Sweep, frame: pd.DataFrame) -> list[str]:
    """The columns for a terminal: the keys, n, then at most four outcomes, what clearly changes first."""
    kept = [*(way.key for way in found.grid.ways), "n"]
    for name in _told_first(found)[:4]:
        shown = column(name, [way.key for way in found.grid.ways])
        kept += [one for one in (shown, f"{shown} low", f"{shown} high") if one in frame]
    return kept


def _told_first(found: Sweep) -> list[str]:
    """The outcomes in the order of the sentences: those that are clear of chance first."""
    return sorted(_charted(found), key=lambda name: not found.clear(name))


def _about(found: Sweep) -> str:
    """What stands below the table: what an edge is, and the game as it is (it may be no point)."""
    told = ["Every point plays the same deals and dice."]
    if any(name.endswith(": edge") for name in found.names):
        told.append("edge: wins above or below a fair share, in points.")
    ones = [found.at_base(name) for name in _told_first(found)[:4]]
    if ones:
        shown = (f"{x.name} {x.shown()} ({x.shown(x.low)} to {x.shown(x.high)})" for x in ones)
        told.append(f"The game as it is ({found.label_now}), with 95 % intervals: {'; '.join(shown)}.")
    return " ".join(told)


def _charted(found: Sweep) -> list[str]:
    """The outcomes with a chart: those with limits that vary at all."""
    names = []
    for name in found.names:
        ones = found.of(name)
        varies = len({one.value for one in ones}) > 1
        if varies and all(math.isfinite(one.low) for one in ones):
            names.append(name)
    return names[:MOST_CHARTS]


# ---- words -----------------------------------------------------------------------------------------------


def words(found: Sweep) -> list[str]:
    """What was played, then a sentence an outcome, those that are clear of chance first."""
    grid = found.grid
    keys = " and ".join(f"{way.key} ({way.texts[0]} to {way.texts[-1]})" for way in grid.ways)
    who = ", ".join(dict.fromkeys(grid.base.labels))
    first = (
        f"{len(grid.requests)} points of {grid.base.game} by {keys}, {grid.base.n:,} games each on the same "
        f"deals and dice, {grid.base.players} players ({who})"
    )
    rest = [sentence(found, name) for name in _told_first(found)]
    if not rest:
        rest = ["Nothing differs between the points"]
    return [f"{one}." for one in (first, *rest)]


def headline(found: Sweep) -> str:
    """The main finding without its numbers' intervals, for the title of the page."""
    told = _told_first(found)
    return f"{_finding(found, told[0])}." if told else ""


def _finding(found: Sweep, name: str) -> str:
    """An outcome in short: from where to where, or that it does not clearly change."""
    return sentence(found, name, False).split("; as it is")[0].split(" (from")[0]


def sentence(found: Sweep, name: str, limits: bool = True) -> str:
    """How an outcome runs over the points, and whether it clearly differs from the game as it is; with its
    95 % intervals, unless for a chart that draws them."""
    ones, base = found.of(name), found.at_base(name)
    values = np.array([one.value for one in ones])
    least, most = int(values.argmin()), int(values.argmax())
    phrase = base.phrase[0].upper() + base.phrase[1:]

    def told(one: Outcome, where: str = "") -> str:
        inside = [where, f"95 % interval {one.shown(one.low)} to {one.shown(one.high)}" if limits else ""]
        more = "; ".join(part for part in inside if part)
        return f"{one.shown()} ({more})" if more else one.shown()

    span = (
        f"from {told(ones[least], found.label(least))} to {told(ones[most], found.label(most))}; "
        f"as it is {told(base, found.label_now if limits else '')}"
    )
    clear = found.clear(name)
    if not clear:
        wide = max(
            at[name].limits(found.claims)[1] - at[name].limits(found.claims)[0] for at in found.changes
        )
        size = points(wide / 2) if base.kind != "number" else f"{wide / 2:.2g}"
        return f"{phrase}: no clear change ({span}; changes of up to {size} may hide)"
    return f"{phrase}: {span}; clearly different from that at {_many(len(clear), len(ones))}{_flip(ones)}"


def _many(some: int, every: int) -> str:
    """some of every points, in words."""
    if some < every:
        return f"{some} of {every} points"
    return {1: "the one point", 2: "both points"}.get(every, f"all {every} points")


def _flip(ones: Sequence[Outcome]) -> str:
    """Whether the sign clearly turns."""
    if not ones[0].claim:
        return ""
    up, down = any(one.low > 0 for one in ones), any(one.high < 0 for one in ones)
    return ": its sign turns" if up and down else ""


# ---- charts ----------------------------------------------------------------------------------------------


def charts(found: Sweep) -> list[Chart]:
    """A chart an outcome: a curve for one key, a heat map for two."""
    make = curve if len(found.grid.ways) == 1 else heat
    return [make(found, name, i == 0) for i, name in enumerate(_charted(found))]


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name.lower())


def curve(found: Sweep, name: str, first: bool = False) -> Chart:
    """An outcome over the values of one key."""
    way, ones, base = found.grid.ways[0], found.of(name), found.at_base(name)
    at = np.array(way.values, np.float64) if way.numbers else np.arange(len(way.values), dtype=np.float64)
    value, low, high = (np.array([getattr(one, part) for one in ones]) for part in ("value", "low", "high"))
    order = np.argsort(at, kind="stable")
    zero = [0.0] if base.claim else []

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        left, right = float(at.min()), float(at.max())
        slack = 0.04 * ((right - left) or 1.0)
        ax.set_xlim(left - slack, right + slack)
        bottom, top = min([*low, base.value, *zero]), max([*high, base.value, *zero])
        room = 0.06 * ((top - bottom) or 0.01)
        ax.set_ylim(bottom - room, top + room)
        draw.spans(ax, [base.value], 0, 1, style.MUTED, 1.0, where="y", dashes=(4, 3), zorder=1)
        if zero:
            draw.spans(ax, [0.0], 0, 1, style.INK, 0.9, where="y", zorder=1)
        if way.numbers:
            draw.line(ax, at[order], value[order], style.BLUE, 1.6)
        draw.spans(ax, at, low, high, style.BLUE, 2.0, upright=True)
        ax.add_dots(draw.pairs(at, value), style.BLUE, 5.0, edge=style.PAPER)
        style.y_scale(ax, scale_name(base), TEXTS[base.kind])
        if way.numbers and len(at) > 8:
            style.x_scale(ax, way.key)
        else:
            style.x_scale(ax, way.key, at=at.tolist(), names=[style.shorten(t, 14) for t in way.texts])

    line = " Dashed: the game as it is." + (" Solid line: nobody is favoured." if zero else "")
    return Chart(
        f"by_{_slug(way.key)}_{_slug(name)}",
        WHAT,
        _finding(found, name),
        paint,
        f"{base.phrase} at each value of {way.key}, with 95 % intervals.",
        ("sweep", "changes") if first else (),
        f"{base.phrase[0].upper()}{base.phrase[1:]}, with 95 % intervals; every point plays the same "
        "deals and "
        f"dice.{line}",
        height=2.4,
        left=0.85,
    )


def scale_name(base: Outcome) -> str:
    """What a scale of this outcome is called; upright, so it must be short."""
    name = base.name.replace(": edge", ", beyond fair share")
    return style.shorten(f"{name}, points" if base.kind == "points" else name, 34)


def heat(found: Sweep, name: str, first: bool = False) -> Chart:
    """An outcome over two keys."""
    down, across = found.grid.ways
    base = found.at_base(name)
    shape = (len(down.values), len(across.values))
    value, low, high = (
        np.array([getattr(one, part) for one in found.of(name)]).reshape(shape)
        for part in ("value", "low", "high")
    )
    half = (high - low) / 2
    text = [
        [f"{_short(base.kind, v)}\n±{_short(base.kind, h).lstrip('+')}" for v, h in zip(*pair, strict=True)]
        for pair in zip(value, half, strict=True)
    ]
    zero = 0.0 if base.claim or base.kind == "points" else base.value
    shade, clear = value - zero, (low > zero) | (high < zero)
    rows, columns = _headings(down), _headings(across)
    left = style.label_room([*rows, style.shorten(down.key)])
    return Chart(
        f"by_{_slug(down.key)}_{_slug(across.key)}_{_slug(name)}",
        WHAT,
        _finding(found, name),
        partial(_heat, shade, clear, rows, columns, text, down.key, across.key),
        f"{base.phrase} for each pair of {down.key} and {across.key}.",
        ("sweep", "changes") if first else (),
        f"Down: {down.key}; across: {across.key}. {base.phrase[0].upper()}{base.phrase[1:]} with half of the "
        "95 % interval. Blue: " + ("above 0" if base.claim else f"above {base.shown()}, the game as it is")
        + "; orange: below; pale: the interval holds both.",
        height=0.2 + 0.46 * len(rows),
        left=left,
        bottom=0.55,
        top=0.25,
    )  # fmt: skip


def _headings(way: Way) -> list[str]:
    return [style.shorten(text, 16) for text in way.texts]


def _short(kind: str, x: float) -> str:
    if kind == "points":
        return f"{100 * x:+.1f}"
    return f"{100 * x:.1f}" if kind == "share" else show(kind, x)


def _heat(
    shade: Any,
    clear: Any,
    rows: list[str],
    columns: list[str],
    text: Any,
    down: str,
    across: str,
    axes: Sequence[Panel],
) -> None:
    draw.heat(axes[0], shade, rows, columns, text, diverging=True, clear=clear)
    how: Any = {"ha": "center", "va": "top", "shift": (0, -20)}
    axes[0].add_labels([[0.5, 0]], [across], style.MUTED, style.SMALL, "axes", "x-name", **how)
    how = {"ha": "right", "va": "bottom", "shift": (-6, 4)}
    axes[0].add_labels([[0, 1]], [style.shorten(down)], style.MUTED, style.SMALL, "axes", "y-name", **how)
