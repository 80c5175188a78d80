"""Undaunted's findings in words, computed from the tables: what is clear of chance is said, no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.undaunted import report_frames as frames
from analyzer.games.undaunted.scenario import SIDES
from analyzer.report import wins
from analyzer.report.draw import percent
from analyzer.report.parts import points
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    Tables = Mapping[str, pd.DataFrame]

OFTEN = 0.1  # of the ends of rounds that both sides must control a tile at to call it fought over
TOO_LONG = 0.02  # games at the round limit above which a reader is warned


def words(results: Results, tables: Tables) -> list[str]:
    """The findings, a sentence each, the most important first."""
    said = [
        setting(results),
        side_finding(results, tables),
        initiative_finding(tables),
        wins.policy_finding(tables) if "win_rate_by_policy" in tables else "",
        end_finding(tables),
        length_finding(tables),
        limit_finding(tables),
        tile_finding(tables),
        casualty_finding(tables),
        odds_finding(tables) if "hit_rates" in tables else "Nobody ever attacked",
        fog_finding(tables) if "fog" in tables else "",
    ]
    return [f"{sentence.rstrip('.')}." for sentence in said if sentence]


def setting(results: Results) -> str:
    """What was played."""
    rules = frames.rules_of(results)
    names = results.policies
    who = (
        f"{names[0]} on both sides" if len(names) == 1 else f"{wins.listed(names)} taking turns on the sides"
    )
    if len(names) > 1 and len(results.rotations) == 1:
        who = f"{names[0]} against {names[-1]}"
    goals = " and ".join(f"{frames.goal_words(rules.scenario.goal_of(side))} for {side}" for side in SIDES)
    many = "game" if results.n == 1 else "games"
    pin = "a pin always ends the game" if rules.pin_ends_game == "always" else "a pin ends it only as a goal"
    return f"{results.n:,} {many} of {rules.scenario.name} ({goals}; {pin}): {who}"


def side_finding(results: Results, tables: Tables) -> str:
    """Which side wins more."""
    us, de = tables["win_rate_by_seat"].to_dict("records")
    best, other = (us, de) if us["win_rate"] >= de["win_rate"] else (de, us)
    name = frames.rules_of(results).scenario.name
    rates = f"{percent(best['win_rate'])} against {percent(other['win_rate'])}"
    if best["edge_low"] > 0:
        return f"{name} favours {best['side']}: it wins {rates} of the games"
    return f"{name}: neither side is clearly favoured ({us['side']} {percent(us['win_rate'])})"


def initiative_finding(tables: Tables) -> str:
    """What the marker before round 1 is worth, where both sides had it."""
    frame = tables["win_rate_by_initiative"]
    both = frame[frame["first"] == "either"]
    if both.empty:
        return ""
    us, de = frame[(frame["side"] == "US") & (frame["first"] != "either")].to_dict("records")
    gap = intervals.difference(_interval(us), _interval(de))
    rates = f"US wins {percent(us['win_rate'])} with it and {percent(de['win_rate'])} without it"
    if gap.low > 0 or gap.high < 0:
        word = "helps" if gap.value > 0 else "hurts"
        return f"The first initiative {word}: {rates} ({points(abs(float(gap.value)))} apart)"
    return f"The first initiative makes no clear difference: {rates}"


def _interval(row: Any) -> intervals.Interval:
    return intervals.Interval(*(np.float64(row[name]) for name in ("win_rate", "low", "high")))  # type: ignore[arg-type]


def end_finding(tables: Tables) -> str:
    """How and when games end."""
    shares = tables["end_shares"].sort_values("share", ascending=False)
    told = [f"{percent(row['share'])} by {_END[row['end']]}" for _, row in shares.iterrows() if row["n"]]
    share, end = told[0].split(" by ", 1)
    return f"{share} of the games end by {end}" + (f", {', '.join(told[1:3])}" if told[1:] else "")


def length_finding(tables: Tables) -> str:
    """How long games are."""
    row = tables["length"].iloc[0]
    few, middle, many = (f"{row[name]:.0f}" for name in ("10 %", "median", "90 %"))
    return f"Half of the games are over after {middle} rounds; eight in ten last {few} to {many}"


_END = {
    "points": "points",
    "pin": "a pin",
    "both pinned": "both sides being out",
    "no hope": "a goal out of reach",
    "round limit": "the round limit",
}


def limit_finding(tables: Tables) -> str:
    """A warning where the round limit decides more than a few games."""
    frame = tables["end_shares"]
    share = float(frame[frame["end"] == "round limit"]["share"].sum())
    if share <= TOO_LONG:
        return ""
    return f"The round limit ends {percent(share)} of the games: these policies do not finish them"


def tile_finding(tables: Tables) -> str:
    """The tile with points that both sides hold most alike, and where most counters fall."""
    frame = tables["tiles"]
    fallen = frame["US fallen"] + frame["DE fallen"]
    worth = frame[frame["points"] > 0]
    if worth.empty:
        return ""
    fought = worth[["US rounds", "DE rounds"]].min(axis=1)
    row = worth.iloc[int(fought.argmax())]
    said = "Each side keeps its own tiles: none with points changes hands often"
    if fought.max() >= OFTEN:
        said = (
            f"{row['tile']} is fought over most: US controls it at {percent(row['US rounds'])} of the ends "
            f"of rounds, DE at {percent(row['DE rounds'])}"
        )
    if fallen.max() > 0:
        most = frame.iloc[int(fallen.argmax())]
        said += f"; most counters fall on {most['tile']} ({fallen.max():.2f} a game)"
    return said


def unit_words(code: str) -> str:
    """A unit's code in words: Rifleman A."""
    return {"SN": "Sniper", "MO": "Mortar"}.get(code) or f"{_UNITS[code[0]]} {code[1]}"


_UNITS = {"R": "Rifleman", "S": "Scout", "G": "Gunner"}


def casualty_finding(tables: Tables) -> str:
    """Which side suffers more, and who."""
    frame = tables["casualties"]
    total = frame.groupby("side")["a_game"].sum().reindex(list(SIDES), fill_value=0.0)
    if not total.sum():
        return "Nobody ever suffers a casualty"
    top = wins.leaders(frame, "a_game", "mean_low", "mean_high")
    who = wins.either([
        f"{row['side']}'s {unit_words(str(row['unit']))} ({row['a_game']:.1f})" for _, row in top.iterrows()
    ])  # fmt: skip
    text = f"US suffers {total['US']:.1f} casualties a game, DE {total['DE']:.1f}"
    return f"{text}; most of all {who}" if who else text


def odds_finding(tables: Tables) -> str:
    """Whether the simulated throws keep the exact odds, judged together (false alarm: one run in 1000)."""
    frame = tables["hit_rates"]
    found = intervals.wilson(frame["hits"], frame["n"], intervals.joint_level(0.999, len(frame)))
    off = frame[(found.low > frame["exact"] + 1e-12) | (found.high < frame["exact"] - 1e-12)]
    if off.empty:
        many = f"{frame['n'].sum():,} throws at {len(frame)} kinds of odds"
        return f"Simulated throws keep their exact odds: {many}, all within chance"
    row = off.iloc[0]
    throw = f"{row['action']} with {row['dice']:.0f} dice against {row['defence']:.0f}"
    chance = f"{percent(row['simulated'])} hit where {percent(row['exact'])} is exact"
    return f"Throws do NOT keep their exact odds: {throw}, {chance}; look into the rules"


def points_finding(results: Results, tables: Tables) -> str:
    """Where the points stand in the middle of a game."""
    frame = tables["points"]
    middle = int(tables["length"].iloc[0]["median"])
    there = frame[frame["round"] <= middle]
    last = there[there["round"] == there["round"].max()].set_index("side")["mean"]
    goals = frames.rules_of(results).scenario
    us, de = (f"{last[side]:.1f}{_of(goals.goal_of(side))}" for side in SIDES)
    return f"After round {int(there['round'].max())} US has {us}, DE {de}"


def _of(goal: Any) -> str:
    return f" of {frames.goal_words(goal)}" if isinstance(goal, int) else " points"


def fog_finding(tables: Tables) -> str:
    """How Fog of War gathers until the middle of a game."""
    frame = tables["fog"]
    there = frame[frame["round"] <= max(1, int(tables["length"].iloc[0]["median"]))]
    first, last = (
        there[there["round"] == number].set_index("side")["mean"]
        for number in (there["round"].min(), there["round"].max())
    )
    told = [f"{side} holds {first[side]:.1f} and {last[side]:.1f}" for side in SIDES]
    return f"Fog of War after rounds 1 and {int(there['round'].max())}: {told[0]}, {told[1]}"
