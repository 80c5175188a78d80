"""Who wins: tables, charts and findings by seat and by policy, for every game alike. Needs Results only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart, limited, points, titled
from analyzer.seats import capital, numbered
from analyzer.sim.results import By, Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel

Ints = NDArray[np.int64]
Tables = Mapping[str, pd.DataFrame]
WHO = "Who wins?"
FAIR = (
    "fair share: an equal part, by seats held, of the games that anybody won; difference: win rate less fair "
    "share, in points."
)


# ---- tables ----------------------------------------------------------------------------------------------


def by_seat(results: Results) -> pd.DataFrame:
    """Win rate by seat."""
    about = FAIR if results.players > 1 else ""
    return titled(_rates_of(results, "seat"), "Win rate by seat", WHO, about)


def by_policy(results: Results) -> pd.DataFrame:
    """Win rate by policy; empty when all seats play the same one."""
    if len(results.policies) == 1:
        return pd.DataFrame()
    return titled(_rates_of(results, "policy"), "Win rate by policy", WHO, FAIR)


def by_both(results: Results) -> pd.DataFrame:
    """Win rate by policy and seat; empty unless policies changed seats."""
    if len(results.policies) == 1 or len(results.rotations) == 1:
        return pd.DataFrame()
    return titled(_rates_of(results, "policy", "seat"), "Win rate by policy and seat", WHO, FAIR)


def _rates_of(results: Results, *by: By) -> pd.DataFrame:
    """`Results.win_rates`, with the limits of the fair shares kept for the page: those of the games that
    anybody won, by the part of the seats that is held."""
    frame, nobody = results.win_rates(by), results.nobody()
    if nobody.rate < 1:
        low, high = ((1 - end) / (1 - nobody.rate) for end in (nobody.high, nobody.low))
        limited(frame, [[(share * low, share * high)] for share in frame["fair_share"]], ["fair_share"])
    return frame


def groups(results: Results) -> tuple[str, list[list[str]]]:
    """("policy" or "seat", the label of each [rotation][seat]): policies where there are several."""
    if len(results.policies) > 1:
        return "policy", results.rotations
    return "seat", [list(results.seats) for _ in results.rotations]


def group_names(results: Results) -> list[str]:
    """The labels of `groups`, in reading order."""
    kind, labels = groups(results)
    return results.policies if kind == "policy" else labels[0]


def codes(results: Results, frame: pd.DataFrame, seat: str = "seat") -> Ints:
    """Position in `group_names` of each row's (rotation, seat), int64[row]."""
    names = group_names(results)
    table = np.array([[names.index(label) for label in row] for row in groups(results)[1]], np.int64)
    found: Ints = table[frame["rotation"].to_numpy(np.int64), frame[seat].to_numpy(np.int64) - 1]
    return found


# ---- charts ----------------------------------------------------------------------------------------------


def seats(results: Results, tables: Tables, lone: str = "wins") -> Chart:
    """Win rate by order of play."""
    frame = tables["win_rate_by_seat"]
    labels = list(results.seats)
    first = capital(results.seats[0])
    note = f"{first} moved first. The fair share is an equal part of the games that anybody won. {TOGETHER}"
    alt = "Win rate by seat with 95 % intervals and the fair share."
    if results.players == 1:
        note, alt = "Games won by the one player.", "Win rate with its 95 % interval."
    return _rows_chart("win_rate_by_seat", seat_finding(results, tables, lone), frame, labels, note, alt)


def policies(results: Results, tables: Tables) -> Chart:
    """Win rate by policy."""
    frame = tables["win_rate_by_policy"]
    labels = [style.shorten(str(p)) for p in frame["policy"]]
    note = (
        "Each policy sat in every seat equally often, so that no seat's advantage is left in its rate. The "
        "dashed line is the fair share: the part of the seats it held of all games that anybody won. "
        + TOGETHER
    )
    if len(results.rotations) == 1:
        note = "Policies did not change seats in this run: part of a difference may belong to the seat."
    alt = "Win rate by policy with 95 % intervals and fair shares."
    return _rows_chart("win_rate_by_policy", policy_finding(tables), frame, labels, note, alt)


def policy_by_seat(results: Results, tables: Tables) -> Chart:
    """Heat map of policy and seat: does a policy owe its wins to where it sits?"""
    frame = tables["win_rate_by_policy_and_seat"]
    names = results.policies
    wide = frame.assign(half=(frame["high"] - frame["low"]) / 2).set_index(["policy", "seat"])
    edge, rate, half = (
        wide[c].unstack("seat").reindex(index=names).to_numpy() for c in ("edge", "win_rate", "half")
    )
    gap = " " if results.players <= 4 else "\n"
    text = [
        [f"{100 * r:.1f}{gap}±{100 * h:.1f}" if np.isfinite(r) else "" for r, h in zip(*pair, strict=True)]
        for pair in zip(rate, half, strict=True)
    ]
    labels = [style.shorten(n) for n in names]
    columns = list(results.seats)
    return Chart(
        "win_rate_by_policy_and_seat",
        WHO,
        both_finding(tables, results.seats),
        lambda axes: draw.heat(axes[0], edge, labels, columns, text, diverging=True),
        "Win rate in per cent for every policy in every seat.",
        ("win_rate_by_policy_and_seat",),
        "Games won in per cent, with half the width of the 95 % interval. Blue lies above the fair share, "
        "orange below it.",
        height=0.1 + (0.42 if results.players <= 4 else 0.48) * len(names),
        left=style.label_room(labels),
        bottom=0.3,
    )


def _rows_chart(
    name: str, finding: str, frame: pd.DataFrame, labels: list[str], note: str, alt: str
) -> Chart:
    return Chart(
        name,
        WHO,
        finding,
        lambda axes: _rates(frame, labels, axes[0]),
        alt,
        (name,),
        note,
        height=0.15 + 0.34 * len(frame),
        left=style.label_room(labels),
        top=0.25,
    )


def _rates(frame: pd.DataFrame, labels: list[str], ax: Panel) -> None:
    """Win rates in rows against the fair share of each row."""
    fair = frame["fair_share"].to_numpy()
    colours = shades(frame["edge"], frame["edge_low"], frame["edge_high"])
    draw.intervals_in_rows(ax, frame["win_rate"], frame["low"], frame["high"], colours, draw.percent, [*fair])
    style.rows_axis(ax, labels)
    style.x_scale(ax, "games won, with 95 % intervals", style.percent_text)
    if len(frame) == 1:
        return  # alone, any share is fair
    if np.allclose(fair, fair[0]):
        draw.upright(ax, fair[0], f"fair share {draw.percent(fair[0])}")
    else:
        rows = np.arange(len(frame))
        draw.spans(ax, fair, rows - 0.38, rows + 0.38, style.INK, 1.2, upright=True, dashes=(3.7, 1.6))


# ---- findings --------------------------------------------------------------------------------------------


def setting(results: Results) -> str:
    """What was played."""
    names = results.policies
    everywhere = names[0] if results.players == 1 else f"{names[0]} in every seat"
    who = everywhere if len(names) == 1 else f"{listed(names)} taking turns in the seats"
    if len(names) > 1 and len(results.rotations) == 1:
        who = f"{listed(names)}, each in its own seat"
    many = "game" if results.n == 1 else "games"
    seats = "1 player" if results.players == 1 else f"{results.players} players"
    return f"{results.n:,} {many} with {seats}: {who}"


def seat_finding(results: Results, tables: Tables, lone: str = "wins") -> str:
    """Which seat wins more or less than its fair share; `lone`: what a single player does."""
    frame = tables["win_rate_by_seat"]
    if results.players == 1:
        row = frame.iloc[0]
        return f"The lone player {lone} {percent(row['win_rate'])} of the games"
    if frame["wins"].sum() == 0:
        return "Nobody won a game, so nothing can be said about seats"
    clear = clearly(frame)
    if clear.empty:
        widest = float((frame["edge_high"] - frame["edge_low"]).max()) / 2
        return f"No seat differs clearly from its fair share (intervals of ±{points(widest)})"
    best, worst = most(clear, "edge"), least(clear, "edge")
    first, last = (results.seats[int(row["seat"]) - 1] for row in (best, worst))
    if best["edge"] > 0 > worst["edge"]:
        return f"{capital(first)} wins {_above(best['edge'])}, {last} {points(-worst['edge'])} less"
    return (
        f"{capital(first)} wins {_above(best['edge'])}"
        if best["edge"] > 0
        else (f"{capital(last)} wins {_above(worst['edge'])}")
    )


def policy_finding(tables: Tables) -> str:
    """Which policy wins most, against its fair share."""
    frame = tables["win_rate_by_policy"]
    if frame["wins"].sum() == 0:
        return "No policy won a game"
    clear = clearly(frame)
    if clear.empty:
        return "No policy differs clearly from its fair share"
    best, worst = most(clear, "edge"), least(clear, "edge")
    if best["edge"] > 0 > worst["edge"]:
        more, less = points(best["edge"]), points(-worst["edge"])
        return f"{best['policy']} wins {more} more than its fair share, {worst['policy']} {less} less"
    row = best if best["edge"] > 0 else worst
    return f"{row['policy']} wins {_above(row['edge'])}"


def both_finding(tables: Tables, names: Sequence[str] = ()) -> str:
    """Does the best policy win in every seat? names: of the seats, by place, where they have any."""
    frame = tables["win_rate_by_policy_and_seat"]
    if frame["wins"].sum() == 0:
        return "No policy won from any seat"
    if clearly(frame).empty:
        return "No policy differs clearly from its fair share in any seat"
    each = frame.assign(part=frame["win_rate"] - frame["fair_share"])
    by = wider(len(each))
    each = each.assign(
        floor=each["part"] - by * (each["win_rate"] - each["low"]),
        ceiling=each["part"] + by * (each["high"] - each["win_rate"]),
    )
    best = each.loc[each.groupby("seat")["part"].idxmax()]
    others = each.drop(best.index).groupby("seat")["ceiling"].max()
    top = most(each, "part")
    rates = each[each["policy"] == top["policy"]]["win_rate"]
    between = f"from {percent(rates.min())} to {percent(rates.max())}"
    is_ahead = (best.set_index("seat")["floor"] > others.reindex(best["seat"].to_numpy())).all()
    if best["policy"].nunique() == 1 and len(best) > 1 and is_ahead:
        return f"{top['policy']} does best in every seat, {between}"
    above = clearly(frame)
    above = above[above["edge"] > 0]
    seats = int(frame["seat"].nunique())
    count = above["policy"].value_counts(sort=False)
    if len(count):
        told = [f"{name} in {'every seat' if n == seats else _seats_of(above, name, names)}"
                for name, n in count.items()]  # fmt: skip
        return f"Clearly above the fair share: {listed(told)}"
    worst = least(clearly(frame), "edge")
    where = names[int(worst["seat"]) - 1] if names else f"seat {worst['seat']}"
    return f"{worst['policy']} in {where} wins {_above(worst['edge'])}; no policy clearly more"


def _seats_of(frame: pd.DataFrame, policy: Any, names: Sequence[str] = ()) -> str:
    """The seats of a policy's rows, in words: seats 1 and 3, or by their own names."""
    rows = frame[frame["policy"] == policy]["seat"]
    if names and any(name != numbered(place) for place, name in enumerate(names)):
        return listed([names[int(seat) - 1] for seat in rows])
    found = [str(seat) for seat in rows]
    return f"{'seat' if len(found) == 1 else 'seats'} {listed(found)}"


def _above(edge: float) -> str:
    return f"{points(abs(edge))} {'more' if edge > 0 else 'less'} than its fair share"


def wider(count: int) -> float:
    """How much wider intervals must be for `count` of them to hold together."""
    return intervals.z_value(intervals.joint_level(0.95, count)) / intervals.z_value(0.95)


def clearly(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows whose edge stays clear of zero when all of them are judged together (wider intervals)."""
    by = wider(len(frame))
    low = frame["edge"] - by * (frame["edge"] - frame["edge_low"])
    high = frame["edge"] + by * (frame["edge_high"] - frame["edge"])
    return frame[(low > 0) | (high < 0)]


def shades(value: ArrayLike, low: ArrayLike, high: ArrayLike, together: int | None = None) -> list[str]:
    """Colours of differences as the words judge them: blue above zero, orange below, grey where it may be
    chance with all of them judged together (`together`: if these are only some of those that are judged)."""
    x, a, b = (np.asarray(part, np.float64) for part in (value, low, high))
    by = wider(together or len(x))
    above, below = x - by * (x - a) > 0, x + by * (b - x) < 0
    return [style.BLUE if up else style.RED if down else style.GREY
            for up, down in zip(above, below, strict=True)]  # fmt: skip


TOGETHER = (
    "Blue and orange: clear of chance with all rows judged together, which asks for more than one interval "
    "clear of the line; grey: it may be chance."
)


def most(frame: pd.DataFrame, column: str) -> Any:
    """The row with the largest value of a column (the first of them)."""
    return frame.iloc[int(np.argmax(frame[column].to_numpy(np.float64)))]


def least(frame: pd.DataFrame, column: str) -> Any:
    """The row with the smallest value of a column (the first of them)."""
    return frame.iloc[int(np.argmin(frame[column].to_numpy(np.float64)))]


def leaders(frame: pd.DataFrame, column: str, low: str, high: str) -> pd.DataFrame:
    """The row with the largest value and all that may be as large: their intervals reach its own."""
    top = most(frame, column)
    floor = top[low] if np.isfinite(top[low]) else -np.inf
    ceiling = frame[high].where(np.isfinite(frame[high].astype(float)), np.inf)
    return frame[(ceiling >= floor) | (frame[column] == top[column])]


def either(names: Sequence[str]) -> str:
    """The names of `leaders` in a sentence: a or b; nothing where there are more than two."""
    return " or ".join(names) if len(names) <= 2 else ""


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
