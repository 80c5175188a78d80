"""Eastfront's findings in words, from the tables: what is clear of chance is said, the rest is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from analyzer.report import cards, wins
from analyzer.report.draw import percent
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    Tables = Mapping[str, pd.DataFrame]

SURE = 0.5  # a chance from which an attack is called likely


def words(results: Results, tables: Tables) -> list[str]:
    """The findings, a sentence each, the most important first."""
    said = [
        wins.setting(results),
        end_finding(tables),
        wins.seat_finding(results, tables),
        wins.policy_finding(tables) if "win_rate_by_policy" in tables else "",
        wins.both_finding(tables, results.seats) if "win_rate_by_policy_and_seat" in tables else "",
        rescue_finding(tables) if "rescues" in tables else "",
        points_finding(tables),
        exchange_finding(tables) if "exchanges" in tables else "",
        odds_finding(tables),
        stall_finding(tables) if "stalls" in tables else "",
        hinder_finding(tables) if "hindering" in tables else "",
        cover_finding(tables) if "hinder_cards" in tables else "",
        cards.card_finding(tables) if "cards" in tables else "",
        cards.held_finding(tables) if "cards" in tables else "",
        luck_finding(tables) if "luck" in tables else "",
    ]
    return [f"{sentence.rstrip('.')}." for sentence in said if sentence]


def _outcome(tables: Tables, name: str) -> pd.Series:
    frame = tables["outcomes"]
    return frame[frame["outcome"].str.startswith(name)].iloc[0]


def end_finding(tables: Tables) -> str:
    """How many friends are rescued, and how games end."""
    length = tables["length"].set_index("measure")["mean"]
    few, out = _outcome(tables, "at most"), _outcome(tables, "deck")
    text = f"{length['friends rescued']:.1f} friends are rescued a game; {percent(out['share'])} of the games"
    text += f" end with the deck and {percent(few['share'])} with {few['outcome'].removesuffix(' rescued')}"
    nobody = _outcome(tables, "nobody")
    return f"{text} ({percent(nobody['share'])} without a winner)" if nobody["n"] else text


def rescue_finding(tables: Tables) -> str:
    """In which part of the game friends are rescued."""
    frame = tables["rescues"]
    total = frame["a_game"].sum()
    half = frame["round"].max() // 2
    late = frame[frame["round"] > half]["a_game"].sum() / total
    top = wins.leaders(frame, "a_game", "mean_low", "mean_high")["round"]
    text = f"{percent(late, 0)} of the friends are rescued after round {half}"
    when = wins.either([f"{one:.0f}" for one in top])
    return f"{text}, most in round {when}" if when else text


def points_finding(tables: Tables) -> str:
    """Who takes most points."""
    frame = tables["points"]
    by = str(frame.columns[0])
    best, worst = wins.most(frame, "points"), wins.least(frame, "points")
    without = float((frame["share"] * frame["n"]).sum() / frame["n"].sum())
    none = f"{percent(without, 0)} of the seats take no friend"
    if best["mean_low"] <= worst["mean_high"]:
        return f"No {by} takes clearly more points than another; {none}"
    who = str(best[by])
    who = who.capitalize() if who.startswith("seat ") else who
    text = f"{who} takes most points, {best['points']:.2f} a game, {worst[by]} {worst['points']:.2f}"
    return f"{text}; {none}"


def exchange_finding(tables: Tables) -> str:
    """Which Soviet card holds most."""
    frame = tables["exchanges"]
    sums = frame.groupby("soviet", sort=False)[["n", "won"]].sum()
    n, won = int(sums["n"].sum()), int(sums["won"].sum())
    found = intervals.wilson(sums["won"], sums["n"])
    worst = int(np.argmin(found.high))
    text = f"{percent(won / max(n, 1), 0)} of {n:,} exchanges destroy the Soviet card"
    if (np.delete(found.low, worst) <= found.high[worst]).any():
        return text
    return f"{text}; {sums.index[worst]} holds most often ({percent(1 - float(found.value[worst]), 0)})"


def odds_finding(tables: Tables) -> str:
    """How many cards of a kind it takes to clear a stack nobody knows."""
    frame = tables["exact_odds"]
    whole = frame[frame["destroyed"] == frame["destroyed"].max()]
    enough = whole[whole["exact"] >= SURE].drop_duplicates("german")
    if enough.empty:
        best = wins.most(whole, "exact")
        often = percent(best["exact"])
        return f"Even {best['cards']} {best['german']} clear an unseen stack in only {often} of the cases"
    text = [f"{row['cards']} {row['german']}" for _, row in enough.iterrows()]
    return f"An unseen stack is cleared at even odds by {' or '.join(text)} (exact)"


def stall_finding(tables: Tables) -> str:
    """Whether the strongest Soviet cards stop the game."""
    frame = tables["stalls"]
    strong, weak = frame.iloc[-1], frame.iloc[0]
    worst = wins.most(frame, "share")
    text = f"{strong['soviet']} lies open for {strong['turns']:.1f} turns on average"
    if strong["mean_low"] > weak["mean_high"]:
        text += f", {weak['soviet']} for {weak['turns']:.1f}"
    return f"{text}; {percent(worst['share'], 0)} of {worst['soviet']} turned up still lie there at the end"


def hinder_finding(tables: Tables) -> str:
    """Who hinders most, and how often in all."""
    frame = tables["hindering"]
    total = frame.groupby("by", sort=False)["a_game"].sum()
    text = f"{total.sum():.1f} cards a game hinder another player"
    sums = frame.groupby("by", sort=False)["n"].sum()
    games = frame["n"].sum() / max(frame["a_game"].sum(), 1e-12)
    found = intervals.poisson(sums, games, intervals.joint_level(0.95, len(sums)))
    first = int(np.argmax(found.value))
    others = [float(x) for k, x in enumerate(found.high) if k != first]
    if others and float(found.low[first]) > max(others):
        return f"{text}, most of them played by {sums.index[first]} ({float(found.value[first]):.1f})"
    return text


def cover_finding(tables: Tables) -> str:
    """How much cover cancels, and whether leaders are hit."""
    frame = tables["hinder_cards"]
    n = frame["n"].sum()
    covered, leader = ((frame[c] * frame["n"]).sum() / n for c in ("share", "leader"))
    return (
        f"Cover cancels {percent(covered, 0)} of them; {percent(leader, 0)} are played on a leader in friends"
    )


def luck_finding(tables: Tables) -> str:
    """How much of the result is luck."""
    share = tables["luck"].set_index("source")["share"]
    text = f"{percent(share['luck of the cards'])} of what decides who wins is the luck of the cards"
    return f"{text}, {percent(share['policy'], 2)} the policy and {percent(share['seat'], 2)} the seat"
