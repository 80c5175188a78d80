"""Kraskar's findings in words, computed from the tables: what is clear of chance is said, the rest is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.kraskar import report_frames as frames
from analyzer.report import wins
from analyzer.report.draw import percent
from analyzer.sim.results import FEW, Results

if TYPE_CHECKING:
    import pandas as pd

    Tables = Mapping[str, pd.DataFrame]


def words(results: Results, tables: Tables) -> list[str]:
    """The findings, a sentence each, the most important first."""
    said = [
        _setting(results),
        deck_finding(results, tables),
        distinct_finding(tables),
        order_finding(tables),
        wins.policy_finding(tables) if "win_rate_by_policy" in tables else "",
        end_finding(tables),
        damage_finding(tables) if "castle_damage" in tables else "No castle was ever besieged.",
        retreat_finding(tables) if "retreats" in tables else "No unit ever had to retreat.",
        chip_finding(tables),
    ]
    return [f"{sentence.rstrip('.')}." for sentence in said if sentence]


def _setting(results: Results) -> str:
    one, two = frames.decks(results)
    names = results.policies
    who = f"{names[0]} in both seats" if len(names) == 1 else " against ".join(names)
    many = "game" if results.n == 1 else "games"
    return f"{results.n:,} {many}, {one} (seat 1) against {two} (seat 2): {who}"


def distinct_finding(tables: Tables) -> str:
    """How many distinct games the run holds: the measure of what its intervals rest on."""
    row = tables["distinct_games"].to_dict("records")[0]
    if row["n"] == row["distinct"]:
        return f"All {row['n']:,.0f} games are distinct"
    text = f"Only {row['distinct']:,.0f} of {row['n']:,.0f} games are distinct"
    if row["distinct"] < FEW:
        return f"{text}: the others repeat them, so no interval is given"
    return f"{text}; the intervals rest on these"


def _clear(row: Any) -> bool:
    return bool(row["edge_low"] > 0 or row["edge_high"] < 0)


def deck_finding(results: Results, tables: Tables) -> str:
    """Which seat, and so which deck, wins."""
    frame = tables["win_rate_by_seat"]
    one, two = frame.to_dict("records")
    best = one if one["win_rate"] >= two["win_rate"] else two
    other = two if best is one else one
    rates = f"{percent(best['win_rate'])} against {percent(other['win_rate'])}"
    if one["deck"] == two["deck"]:
        if _clear(best):
            return f"With equal decks seat {best['seat']} wins {rates}"
        return f"With equal decks neither seat is clearly better ({rates})"
    if _clear(best):
        return f"{best['deck']} beats {other['deck']}: it wins {percent(best['win_rate'])} of the games"
    return f"Neither {one['deck']} nor {two['deck']} is clearly better ({rates})"


def order_finding(tables: Tables) -> str:
    """What moving first is worth."""
    first, second = tables["win_rate_by_order"].to_dict("records")[:2]
    rate = percent(first["win_rate"])
    if not np.isfinite(first["low"]):
        return f"The side that moves first wins {rate} of the games"
    if first["low"] > second["high"] or first["high"] < second["low"]:
        word = "an advantage" if first["win_rate"] > second["win_rate"] else "a disadvantage"
        between = f"{percent(first['low'])} to {percent(first['high'])}"
        return f"Moving first is {word}: that side wins {rate} of the games ({between})"
    return f"Moving first makes no clear difference: that side wins {rate} of the games"


def end_finding(tables: Tables) -> str:
    """How and when games end."""
    fell, turns = tables["outcomes"].iloc[0], tables["length"].iloc[0]
    return (
        f"A castle falls in {percent(fell['share'])} of the games; half of all games are over after "
        f"{turns['median']:.0f} turns, nine in ten after {turns['90 %']:.0f}"
    )


_TAKES = {
    "cavalry": "Cavalry takes",
    "archer": "Archers take",
    "spearman": "Spearmen take",
    "infantry": "Infantry takes",
}


def damage_finding(tables: Tables) -> str:
    """Which troop type takes castles, and where."""
    frame = tables["castle_life"].set_index("part")
    troops = frame.drop("at the gate", errors="ignore")
    top = troops.iloc[int(troops["share"].to_numpy().argmax())]
    most = f"{_TAKES[str(top.name)]} {_with_limits(top)} of all castle life"
    gate = _with_limits(frame.loc["at the gate"]) if "at the gate" in frame.index else "nothing"
    return f"{most}; {gate} falls at the gate"


def _with_limits(row: Any) -> str:
    """A share, and its limits where it has any."""
    if not row["low"] <= row["high"]:
        return percent(row["share"])
    return f"{percent(row['share'])} ({percent(row['low'])} to {percent(row['high'])})"


def retreat_finding(tables: Tables) -> str:
    """What makes units retreat."""
    told = [(row["cause"], _with_limits(row)) for _, row in tables["causes_of_retreat"].head(2).iterrows()]
    rest = f", {told[1][0]} for {told[1][1]}" if len(told) > 1 else ""
    parts = tables["retreats"]
    value, half = parts["a_game"].sum(), np.sqrt(((parts["mean_high"] - parts["mean_low"]) ** 2).sum()) / 2
    between = f" (±{half:.1f})" if half > 0 else ""
    most = f"{told[0][0]} accounts for {told[0][1]}"
    return f"Units retreat {value:.1f}{between} times a game; {most}{rest}"


def square_finding(frame: pd.DataFrame) -> str:
    """Where most units of both sides fall, if that is clear."""
    parts = frame.assign(square_of_half=((frame["mean_high"] - frame["mean_low"]) / 2) ** 2)
    kept = ["a_game", "square_of_half"]
    total = parts.groupby(["row", "column"])[kept].sum(min_count=2).reset_index()
    half = np.sqrt(total["square_of_half"])
    total = total.assign(low=total["a_game"] - half, high=total["a_game"] + half)
    top = wins.leaders(total, "a_game", "low", "high")
    often = f"{top['a_game'].max():.2f} a game"
    where = wins.either([f"row {one['row']:.0f}, column {one['column']:.0f}" for _, one in top.iterrows()])
    if where:
        return f"Most units fall in {where}: {often}"
    return f"No single square sees clearly most units fall: at most {often} in one"


def limits(row: Any) -> str:
    """The 95 % interval of a mean in words."""
    low, high = row["mean_low"], row["mean_high"]
    return f"{low:.1f} to {high:.1f}" if low <= high else "no interval"


def chip_finding(tables: Tables) -> str:
    """How many chips are wasted."""
    frame = tables["wasted_chips"]
    told = [
        f"{row['deck']} ({row['countries']} {'country' if row['countries'] == 1 else 'countries'}, cap "
        f"{row['cap']}) {row['mean']:.1f} ({limits(row)})"
        for _, row in frame.iterrows()
    ]
    if frame["deck"].nunique() == 1:
        told = told[:1]
    return f"Chips wasted at the cap in a game: {', '.join(told)}"
