"""Moscow's findings in words, computed from the tables: what is clear of chance is said, the rest is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.games.moscow import report_frames as frames
from analyzer.report import cards, wins
from analyzer.report.cards import FEW
from analyzer.report.draw import percent
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    Tables = Mapping[str, pd.DataFrame]

LONE = "takes Moscow in"  # what a single player does


def words(results: Results, tables: Tables) -> list[str]:
    """The findings, a sentence each, the most important first."""
    said = [
        wins.setting(results),
        end_finding(tables),
        wins.seat_finding(results, tables, LONE) if results.players > 1 else "",
        wins.policy_finding(tables) if "win_rate_by_policy" in tables else "",
        wins.both_finding(tables, results.seats) if "win_rate_by_policy_and_seat" in tables else "",
        race_finding(results, tables) if "km_by_round" in tables else "",
        arrival_finding(tables) if "arrivals" in tables else "",
        blocked_finding(tables) if "blocked" in tables else "",
        hinder_finding(tables) if "hindering" in tables else "",
        cards.card_finding(tables) if "cards" in tables else "",
        held_finding(tables) if "cards" in tables else "",
        odds_finding(tables) if "fight_odds" in tables else "No fight was fought.",
    ]
    return [f"{sentence.rstrip('.')}." for sentence in said if sentence]


def end_finding(tables: Tables) -> str:
    """How often Moscow falls, and when mostly."""
    fell = tables["outcomes"].iloc[0]
    if fell["n"] == 0:
        return "Moscow never falls: nobody wins a single game"
    month = tables["ends_by_month"]
    months = month[month["end"] == frames.FELL]
    top = wins.leaders(months, "n", "low", "high")["month"]
    total = int(tables["outcomes"]["n"].sum())
    often = f"Moscow falls in {percent(fell['share'])} of the games"
    if total < 100:  # per cent would claim more than so few games can tell
        often = f"Moscow falls in {fell['n']} of {total} game{'' if total == 1 else 's'}"
    when = wins.either([str(month).capitalize() for month in top])
    often = f"{often}, most often in {when}" if when else often
    length = tables["length"]
    round_ = length[length["measure"] == "round of the fall"]["median"].iloc[0]
    return f"{often} (median round {round_:.0f})"


def race_finding(results: Results, tables: Tables) -> str:
    """Where the middle of the field stands, in the last round that nearly all games reach."""
    frame, goal = tables["km_by_round"], frames.goal_km(results)
    by = str(frame.columns[0])
    last = frames.common_round(frame)
    at = frame[frame["round"] == last]
    best, worst = wins.most(at, "median"), wins.least(at, "median")
    when = f"in round {last}, which nine games in ten reach"
    if by == "policy" and len(at) > 1 and at["n"].min() >= FEW and best["median"] > worst["median"]:
        first, last_ones = (
            wins.listed([str(name) for name in at[at["median"] == one["median"]][by]])
            for one in (best, worst)
        )
        verb = "are" if (at["median"] == best["median"]).sum() > 1 else "is"
        ahead = f"{first} {verb} ahead {when}: {best['median']:,.0f} km"
        return f"{ahead}, {last_ones} {worst['median']:,.0f} km (medians)"
    km = f"{worst['median']:,.0f}"
    if best["median"] > worst["median"]:
        km += f" to {best['median']:,.0f}"
    who = "the player" if results.players == 1 else "the median seat"
    return f"{when[0].upper()}{when[1:]}, {who} stands at {km} of {goal:,} km"


def arrival_finding(tables: Tables) -> str:
    """What arriving first is worth."""
    frame = tables["arrivals"]
    rates = {
        row["arrived"]: f"{percent(row['win_rate'])} ({percent(row['low'])} to {percent(row['high'])})"
        for row in frame.to_dict("records")
    }
    if "1st" not in rates:
        return "No seat ever arrived before Moscow"
    if "2nd" not in rates:
        return f"Who arrives first wins {rates['1st']} of these games"
    return f"Who arrives first wins {rates['1st']} of the time, who arrives second {rates['2nd']}"


def held_finding(tables: Tables) -> str:
    """What mostly lies unplayed at the end, and how much."""
    text = cards.held_finding(tables)
    if "hands_at_the_end" in tables:
        hands = tables["hands_at_the_end"]
        out = hands[hands["end"] == frames.RAN_OUT]
        if len(out) and text.startswith("Most"):
            text += f"; {out.iloc[0]['mean']:.1f} cards a hand when the deck runs out"
    return text


def odds_finding(tables: Tables) -> str:
    """Whether the simulated fights keep the exact odds, judged together (false alarm: one run in 1000)."""
    frame = tables["fight_odds"]
    found = intervals.wilson(frame["won"], frame["n"], intervals.joint_level(0.999, len(frame)))
    off = frame[(found.low > frame["exact"] + 1e-12) | (found.high < frame["exact"] - 1e-12)]
    if off.empty:
        many = f"{frame['n'].sum():,} fights at {len(frame)} odds"
        return f"Simulated fights keep their exact odds: {many}, all within chance"
    row = off.iloc[0]
    chance = f"{percent(row['simulated'])} won where {percent(row['exact'])} is exact"
    return f"Fights do NOT keep their exact odds: {row['target']}, {chance}; look into the rules"


def blocked_finding(tables: Tables) -> str:
    """How much is blocked, and who most."""
    frame = tables["blocked"]
    seats = frame[frame["who"].str.startswith("seat ")]
    others = frame[~frame["who"].str.startswith("seat ")]
    share = seats["blocked"].sum() / max(1, seats["turns"].sum())
    who, whose = ("Seats stand", "their") if len(seats) > 1 else ("The player stands", "the")
    text = f"{who} blocked in {percent(share)} of {whose} turns"
    part = others if len(others) > 1 else seats
    if len(part) > 1:
        most, least = wins.most(part, "share"), wins.least(part, "share")
        first, last = (f"{one['who']} {{}}({percent(one['share'])})" for one in (most, least))
        lone = len(wins.leaders(part, "share", "low", "high")) == 1
        lowest = (part[part["who"] != least["who"]]["low"] > least["high"]).all()
        if lone and lowest:
            text += f": {first.format('most ')}, {last.format('least ')}"
        elif most["low"] > least["high"]:
            text += f": {first.format('')} more than {last.format('')}"
    return text


def hinder_finding(tables: Tables) -> str:
    """Who hinders most, and whom."""
    frame = tables["hindering"]
    if frame["actions"].sum() == 0:
        return "Nobody ever hinders another"
    total = frame.groupby("by", sort=False)[["actions", "a_game"]].sum().reset_index()
    who, games = wins.most(total, "a_game")["by"], frame["actions"].sum() / frame["a_game"].sum()
    found = intervals.poisson(total["actions"], games, intervals.joint_level(0.95, len(total)))
    first = (total["by"] == who).to_numpy()
    often = float(found.value[first][0])
    if len(total) > 1 and (found.low[first][0] <= found.high[~first]).any():
        kind = "seat" if who.startswith("seat ") else "policy"
        return (
            f"No {kind} hinders clearly more than all others: {total['a_game'].mean():.1f} times a game each"
        )
    mine = frame[frame["by"] == who].reset_index(drop=True)
    top = wins.most(mine, "a_game")
    rest = mine[mine["against"] != top["against"]]
    name = who[0].upper() + who[1:] if who.startswith("seat ") else who
    target = len(rest) and (top["mean_low"] > rest["mean_high"]).all()
    return f"{name} hinders most: {often:.1f} times a game" + (
        f", {top['against']} most of all" if target else ""
    )
