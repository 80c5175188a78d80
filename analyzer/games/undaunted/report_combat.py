"""Undaunted's tables of combat and of what cards are used for: tallies in, tidy frames with intervals out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analyzer.games.undaunted import odds
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.report_frames import rules_of, side_of, summed
from analyzer.games.undaunted.scenario import SIDES, UNITS
from analyzer.report.parts import titled
from analyzer.sim.results import Results
from analyzer.stats import intervals

FIGHTS, LOSSES, USES = "Do hits keep their odds?", "Who suffers casualties?", "What are cards used for?"


def casualties(results: Results) -> pd.DataFrame:
    """Casualties a game by unit: side, unit, n (games), cards, counters, a_game and its limits, suppressed.

    cards, counters: what the hits cost in all games; a_game: both together in a game; suppressed: times a
    game the unit was turned to its suppressed side.
    """
    scenario = rules_of(results).scenario
    every = [
        (seat, unit)
        for seat, side in enumerate(SIDES, 1)
        for unit in UNITS
        if scenario.cards(side).count(unit)
    ]
    index = pd.MultiIndex.from_tuples(every, names=["seat", "unit"])
    lost = summed(results, "casualties", ["seat", "unit", "result"])
    table = lost.pivot_table(
        index=["seat", "unit"], columns="result", values="n", aggfunc="sum", fill_value=0
    )
    table = table.reindex(index=index, columns=["card", "counter"], fill_value=0).astype(np.int64)
    down = summed(results, "suppressions", ["seat", "unit"]).set_index(["seat", "unit"])["n"]
    found = intervals.poisson(table.sum(axis=1), results.n)
    frame = pd.DataFrame(
        {
            "side": side_of(index.get_level_values("seat")),
            "unit": index.get_level_values("unit"),
            "n": results.n,
            "cards": table["card"].to_numpy(),
            "counters": table["counter"].to_numpy(),
            "a_game": found.value,
            "mean_low": found.low,
            "mean_high": found.high,
            "suppressed": down.reindex(index, fill_value=0).to_numpy() / max(1, results.n),
        }
    )
    about = (
        "cards: hits that cost a card of the unit; counters: hits that removed its counter; a game: both "
        "together; suppressed: times a game it was turned to its suppressed side."
    )
    return titled(frame, "Casualties by unit", LOSSES, about)


def hit_rates(results: Results) -> pd.DataFrame:
    """Every throw: action, dice, defence (total), exact, n, hits, simulated, low, high, a_game.

    `exact` is the chance by the rules (U22). Limits are Wilson's.
    """
    tally = summed(results, "attacks", ["action", "defence", "dice", "hit"])
    if tally.empty:
        return pd.DataFrame()
    table = tally.pivot_table(
        index=["action", "dice", "defence"], columns="hit", values="n", aggfunc="sum", fill_value=0
    )
    table = table.reindex(columns=[0, 1], fill_value=0)
    frame = table.index.to_frame(index=False)
    n, hits = table.sum(axis=1).to_numpy(np.int64), table[1].to_numpy(np.int64)
    rules = rules_of(results)
    chances = zip(frame["defence"], frame["dice"], strict=True)
    frame["exact"] = [float(odds.hit(rules, int(defence), int(dice))) for defence, dice in chances]
    rate = intervals.wilson(hits, n)
    frame = frame.assign(n=n, hits=hits, simulated=rate.value, low=rate.low, high=rate.high)
    frame["a_game"] = frame["n"] / max(1, results.n)
    order = {action: place for place, action in enumerate(odds.ACTIONS)}
    frame = frame.sort_values(
        ["action", "dice", "defence"], key=lambda c: c.map(order) if c.name == "action" else c
    )
    about = (
        "A throw of so many dice against a total defence (base, cover and distance). exact odds: by the "
        "rules; simulated: throws of this run that hit; n: throws. A Blast throws once at every counter."
    )
    return titled(frame.reset_index(drop=True), "Throws: simulated against exact odds", FIGHTS, about)


def throws(results: Results) -> pd.DataFrame:
    """Throws in all, by action: action, n, hits, simulated, low, high, exact (the mean chance), a_game."""
    single = hit_rates(results)
    if single.empty:
        return single
    rows = []
    for action in odds.ACTIONS:
        part = single[single["action"] == action]
        n, hits = int(part["n"].sum()), int(part["hits"].sum())
        if n:
            rate = intervals.wilson(hits, n)
            exact = float((part["exact"] * part["n"]).sum() / n)
            rows.append((action, n, hits, *(float(x) for x in rate), exact, n / max(1, results.n)))
    names = ["action", "n", "hits", "simulated", "low", "high", "exact", "a_game"]
    about = "exact odds: the mean of the chances that the throws had by the rules."
    return titled(pd.DataFrame(rows, columns=names), "Throws in all", FIGHTS, about)


def attackers(results: Results) -> pd.DataFrame:
    """Throws by attacking unit: side, unit, action, n (throws), hits, simulated, low, high, a_game."""
    tally = summed(results, "attacks_by", ["seat", "unit", "action", "hit"])
    if tally.empty:
        return pd.DataFrame()
    table = tally.pivot_table(
        index=["seat", "unit", "action"], columns="hit", values="n", aggfunc="sum", fill_value=0
    )
    table = table.reindex(columns=[0, 1], fill_value=0)
    frame = table.index.to_frame(index=False)
    n, hits = table.sum(axis=1).to_numpy(np.int64), table[1].to_numpy(np.int64)
    rate = intervals.wilson(hits, n)
    frame = frame.assign(n=n, hits=hits, simulated=rate.value, low=rate.low, high=rate.high)
    frame.insert(0, "side", side_of(frame.pop("seat")))
    frame["a_game"] = frame["n"] / max(1, results.n)
    return titled(frame, "Throws by attacking unit", FIGHTS)


def actions(results: Results) -> pd.DataFrame:
    """What cards were played for: side, card, action, n (games), times, a_game, mean_low, mean_high."""
    frame = summed(results, "actions", ["seat", "card", "action"]).rename(columns={"n": "times"})
    found = intervals.poisson(frame["times"], results.n)
    frame.insert(0, "side", side_of(frame.pop("seat")))
    frame.insert(3, "n", results.n)
    frame = frame.assign(a_game=found.value, mean_low=found.low, mean_high=found.high)
    about = "rally: a suppressed unit turned ready; hunker: the card went back to the supply (待機)."
    return titled(frame, "What cards were played for", USES, about)


def chances(results: Results) -> pd.DataFrame:
    """Exact, from the rules: attacker, action, dice, target, cover, distance, defence, exact."""
    rows = [(*one[:7], float(one.chance)) for one in odds.every_chance(rules_of(results))]
    columns = ["attacker", "action", "dice", "target", "cover", "distance", "defence", "exact"]
    about = (
        "Exact, from the config. Units stand for their kind (RA: every Rifleman). cover 3 here is no hill's: "
        "from a hill at a hill, or by a Blast at a hill, it counts as in the row of cover 1."
    )
    return titled(pd.DataFrame(rows, columns=columns), "Exact chances to hit", FIGHTS, about)


def by_action(results: Results, actions: pd.DataFrame) -> pd.DataFrame:
    """`actions` over all cards: side, action, times, a_game, mean_low, mean_high."""
    frame = actions.groupby(["side", "action"], as_index=False)["times"].sum()
    found = intervals.poisson(frame["times"], results.n)
    return frame.assign(a_game=found.value, mean_low=found.low, mean_high=found.high)


def wilson(frame: pd.DataFrame) -> intervals.Interval:
    """Wilson's intervals of `hits` among `n`."""
    return intervals.wilson(frame["hits"], frame["n"])


def users(rules: UndauntedRules) -> dict[int, str]:
    """Numbers of dice that the cards give -> which kinds of units throw them, and for what."""
    found: dict[int, list[str]] = {}
    for kind in ("rifleman", "scout", "gunner", "sniper", "mortar"):
        for action in odds.ACTIONS:
            count = int(getattr(getattr(rules.cards, kind).actions, action))
            if count:
                found.setdefault(count, []).append(kind if action == odds.ATTACK else f"{kind} ({action})")
    return {count: ", ".join(who) for count, who in sorted(found.items())}
