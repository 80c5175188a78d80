"""Moscow's findings in words, computed from the tables: what is clear of chance is said, the rest is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.moscow import report_frames as frames
from analyzer.report.draw import percent
from analyzer.report.parts import points
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    Tables = Mapping[str, pd.DataFrame]


def words(results: Results, tables: Tables) -> list[str]:
    """The findings, a sentence each, the most important first."""
    said = [
        _setting(results),
        end_finding(tables),
        seat_finding(results, tables),
        policy_finding(tables) if "win_rate_by_policy" in tables else "",
        both_finding(tables) if "win_rate_by_policy_and_seat" in tables else "",
        race_finding(results, tables) if "km_by_round" in tables else "",
        arrival_finding(tables) if "arrivals" in tables else "",
        blocked_finding(tables) if "blocked" in tables else "",
        hinder_finding(tables) if "hindering" in tables else "",
        card_finding(tables) if "cards" in tables else "",
        held_finding(tables) if "cards" in tables else "",
        odds_finding(tables) if "fight_odds" in tables else "No fight was fought.",
    ]
    return [f"{sentence.rstrip('.')}." for sentence in said if sentence]


def _setting(results: Results) -> str:
    names = results.policies
    who = f"{names[0]} in every seat" if len(names) == 1 else f"{_list(names)} taking turns in the seats"
    if len(names) > 1 and len(results.rotations) == 1:
        who = f"{_list(names)}, each in its own seat"
    many = "game" if results.n == 1 else "games"
    seats = "1 player" if results.players == 1 else f"{results.players} players"
    return f"{results.n:,} {many} with {seats}: {who}"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _clear(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows whose edge stays clear of zero when all of them are judged together (wider intervals)."""
    wider = intervals.z_value(intervals.joint_level(0.95, len(frame))) / intervals.z_value(0.95)
    low = frame["edge"] - wider * (frame["edge"] - frame["edge_low"])
    high = frame["edge"] + wider * (frame["edge_high"] - frame["edge"])
    return frame[(low > 0) | (high < 0)]


def _most(frame: pd.DataFrame, column: str) -> Any:
    """The row with the largest value of a column (the first of them)."""
    return frame.iloc[int(np.argmax(frame[column].to_numpy(np.float64)))]


def _least(frame: pd.DataFrame, column: str) -> Any:
    """The row with the smallest value of a column (the first of them)."""
    return frame.iloc[int(np.argmin(frame[column].to_numpy(np.float64)))]


def _above(edge: float) -> str:
    return f"{points(abs(edge))} {'more' if edge > 0 else 'less'} than its fair share"


def seat_finding(results: Results, tables: Tables) -> str:
    """Which seat wins more or less than its fair share."""
    frame = tables["win_rate_by_seat"]
    if results.players == 1:
        row = frame.iloc[0]
        return f"The lone player takes Moscow in {percent(row['win_rate'])} of the games"
    if frame["wins"].sum() == 0:
        return "Nobody won a game, so nothing can be said about seats"
    clear = _clear(frame)
    if clear.empty:
        widest = float((frame["edge_high"] - frame["edge_low"]).max()) / 2
        return f"No seat differs clearly from its fair share (intervals of ±{points(widest)})"
    best, worst = _most(clear, "edge"), _least(clear, "edge")
    if best["edge"] > 0 > worst["edge"]:
        less = f"seat {worst['seat']:.0f} {points(-worst['edge'])} less"
        return f"Seat {best['seat']:.0f} wins {_above(best['edge'])}, {less}"
    row = best if best["edge"] > 0 else worst
    return f"Seat {row['seat']:.0f} wins {_above(row['edge'])}"


def policy_finding(tables: Tables) -> str:
    """Which policy wins most, against its fair share."""
    frame = tables["win_rate_by_policy"]
    if frame["wins"].sum() == 0:
        return "No policy won a game"
    clear = _clear(frame)
    if clear.empty:
        return "No policy differs clearly from its fair share"
    best, worst = _most(clear, "edge"), _least(clear, "edge")
    if best["edge"] > 0 > worst["edge"]:
        more, less = points(best["edge"]), points(-worst["edge"])
        return f"{best['policy']} wins {more} more than its fair share, {worst['policy']} {less} less"
    row = best if best["edge"] > 0 else worst
    return f"{row['policy']} wins {_above(row['edge'])}"


def both_finding(tables: Tables) -> str:
    """Does the best policy win in every seat?"""
    frame = tables["win_rate_by_policy_and_seat"]
    if frame["wins"].sum() == 0:
        return "No policy won from any seat"
    if _clear(frame).empty:
        return "No policy differs clearly from its fair share in any seat"
    each = frame.assign(part=frame["win_rate"] - frame["fair_share"])
    best = each.loc[each.groupby("seat")["part"].idxmax()]
    top = _most(each, "part")
    if best["policy"].nunique() == 1 and len(best) > 1:
        rates = each[each["policy"] == top["policy"]]["win_rate"]
        return (
            f"{top['policy']} does best in every seat, from {percent(rates.min())} to {percent(rates.max())}"
        )
    return f"{top['policy']} in seat {top['seat']} does best: {percent(top['win_rate'])} of its games"


def end_finding(tables: Tables) -> str:
    """How often Moscow falls, and when mostly."""
    fell = tables["outcomes"].iloc[0]
    if fell["n"] == 0:
        return "Moscow never falls: nobody wins a single game"
    month = tables["ends_by_month"]
    months = month[month["end"] == frames.FELL]
    top = _most(months, "n")
    total = int(tables["outcomes"]["n"].sum())
    often = f"Moscow falls in {percent(fell['share'])} of the games"
    if total < 100:  # per cent would claim more than so few games can tell
        often = f"Moscow falls in {fell['n']} of {total} game{'' if total == 1 else 's'}"
    often = f"{often}, most often in {str(top['month']).capitalize()}"
    length = tables["length"]
    round_ = length[length["measure"] == "round of the fall"]["median"].iloc[0]
    return f"{often} (median round {round_:.0f})"


def race_finding(results: Results, tables: Tables) -> str:
    """When the middle of the field reaches the goal, or who is ahead half way."""
    frame, goal = tables["km_by_round"], frames.goal_km(results)
    by = str(frame.columns[0])
    half = int(frame["round"].max() + 1) // 2
    at = frame[frame["round"] == half]
    if by == "policy" and len(at) > 1 and at["n"].min() >= frames.FEW:
        best, worst = _most(at, "median"), _least(at, "median")
        if best["median"] > worst["median"]:
            ahead = f"{best[by]} is ahead half way: {best['median']:,.0f} km in round {half}"
            return f"{ahead}, {worst[by]} {worst['median']:,.0f} km (medians)"
    there = frame[frame["median"] >= goal]
    if there.empty:
        far = frame[frame["share"] >= 0.05]["median"].max()
        return f"Half of the seats never come closer than {max(0, goal - far):.0f} km to Moscow"
    reached = there.groupby(by)["round"].min()
    first, last = int(reached.min()), int(reached.max())
    when = f"round {first}" if first == last else f"rounds {first} to {last}"
    return f"The median seat still in the race reaches {goal:,} km in {when}"


def arrival_finding(tables: Tables) -> str:
    """What arriving first is worth."""
    frame = tables["arrivals"]
    rates = dict(zip(frame["arrived"], frame["win_rate"], strict=True))
    if "1st" not in rates:
        return "No seat ever arrived before Moscow"
    rate = rates["1st"]
    if "2nd" not in rates:
        return f"Who arrives first wins {percent(rate)} of these games"
    second = percent(rates["2nd"])
    return f"Who arrives first wins {percent(rate)} of the time, who arrives second {second}"


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


def _telling(tables: Tables, stat: str, column: str) -> pd.DataFrame:
    """Cards whose measure stays clear of zero when all types are judged together, the largest first."""
    part = tables["cards"]
    part = part[(part["stat"] == stat) & (part["wins"] >= frames.FEW)]
    part = part.dropna(subset=[column, f"{column}_low", f"{column}_high"])
    wider = intervals.z_value(intervals.joint_level(0.95, len(part))) / intervals.z_value(0.95)
    low = part[column] - wider * (part[column] - part[f"{column}_low"])
    high = part[column] + wider * (part[f"{column}_high"] - part[column])
    return part[(low > 0) | (high < 0)].sort_values(column, ascending=False)


def card_finding(tables: Tables) -> str:
    """Which card in the opening hand helps, which cards winners drew."""
    drawn, dealt = _telling(tables, "drawn", "surplus"), _telling(tables, "opening", "effect")
    more = drawn[drawn["surplus"] > 0].head(2)
    lead = ""
    if len(more):
        what = _list([f"{row['card']} (+{row['surplus']:.2f})" for _, row in more.iterrows()])
        lead = f"Winners drew more {what} than the others' mix"
    if len(dealt):
        row = _most(dealt.assign(size=dealt["effect"].abs()), "size")
        luck = f"one {row['card']} in the opening hand {'adds' if row['effect'] > 0 else 'costs'}"
        luck = f"{luck} {points(abs(row['effect']))} of win rate"
        return f"{lead}; {luck}" if lead else luck[0].upper() + luck[1:]
    return lead or "No card type tells winners from the others beyond chance"


def count_finding(tables: Tables, names: Sequence[str]) -> str:
    """How the win rate moves with the number of the most telling card played."""
    part = tables["cards_by_count"]
    if not names:
        return "Win rate by number of cards played"
    one = part[(part["stat"] == "played") & (part["card"] == names[0])]
    one = one[one["n"] >= max(frames.FEW, 0.01 * one["n"].sum())]
    if len(one) < 2:
        return "Too few games to tell how the win rate moves with the cards played"
    a, b = one.iloc[0], one.iloc[-1]
    first = "none" if a["count"] == 0 else f"{a['count']:.0f}"
    won = f"{percent(a['win_rate'])} of games won with {first}"
    return (
        f"{names[0][0].upper() + names[0][1:]} played: {won}, {percent(b['win_rate'])} with {b['count']:.0f}"
    )


def held_finding(tables: Tables) -> str:
    """What mostly lies unplayed at the end."""
    frame = tables["cards"]
    held = frame[frame["stat"] == "held"].dropna(subset=["others"]).nlargest(2, "others")
    if held.empty or held["others"].max() == 0:
        return "No card is left in hand at the end"
    left = _list([f"{row['card']} ({row['others']:.1f})" for _, row in held.iterrows()])
    text = f"Most often left in hand at the end: {left}"
    if "hands_at_the_end" in tables:
        hands = tables["hands_at_the_end"]
        out = hands[hands["end"] == frames.RAN_OUT]
        if len(out):
            text += f"; {out.iloc[0]['mean']:.1f} cards a hand when the deck runs out"
    return text


def blocked_finding(tables: Tables) -> str:
    """How much is blocked, and who most."""
    frame = tables["blocked"]
    seats = frame[frame["who"].str.startswith("seat ")]
    others = frame[~frame["who"].str.startswith("seat ")]
    share = seats["blocked"].sum() / max(1, seats["turns"].sum())
    text = f"Seats stand blocked in {percent(share)} of their turns"
    part = others if len(others) > 1 else seats
    if len(part) > 1:
        most, least = _most(part, "share"), _least(part, "share")
        if most["low"] > least["high"]:
            text += f": {most['who']} most ({percent(most['share'])})"
            text += f", {least['who']} least ({percent(least['share'])})"
    return text


def hinder_finding(tables: Tables) -> str:
    """Who hinders most, and whom."""
    frame = tables["hindering"]
    if frame["actions"].sum() == 0:
        return "Nobody ever hinders another"
    total = frame.groupby("by", sort=False)[["actions", "a_game"]].sum().reset_index()
    who, games = _most(total, "a_game")["by"], frame["actions"].sum() / frame["a_game"].sum()
    found = intervals.poisson(total["actions"], games, intervals.joint_level(0.95, len(total)))
    first = (total["by"] == who).to_numpy()
    often = float(found.value[first][0])
    if len(total) > 1 and (found.low[first][0] <= found.high[~first]).any():
        kind = "seat" if who.startswith("seat ") else "policy"
        return (
            f"No {kind} hinders clearly more than all others: {total['a_game'].mean():.1f} times a game each"
        )
    mine = frame[frame["by"] == who].reset_index(drop=True)
    top = _most(mine, "a_game")
    rest = mine[mine["against"] != top["against"]]
    name = who[0].upper() + who[1:] if who.startswith("seat ") else who
    target = len(rest) and (top["mean_low"] > rest["mean_high"]).all()
    return f"{name} hinders most: {often:.1f} times a game" + (
        f", {top['against']} most of all" if target else ""
    )
