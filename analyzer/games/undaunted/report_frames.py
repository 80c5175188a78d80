"""Undaunted's tables: tallies in, tidy frames with intervals out. No chart, no game object.

Who wins, how games end, what changes from round to round, and the map. Combat stands in `report_combat`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.scenario import PIN, SIDES
from analyzer.report import wins
from analyzer.report.parts import MIDDLE, TENTHS, limited, titled
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals

WHO = wins.WHO
WHEN, ROUNDS, MAP = "How and when do games end?", "What changes from round to round?", "Where is it decided?"
END_WORDS = {
    "points": "a goal of points is reached",
    "pin": "a side is pinned",
    "both pinned": "both sides are out",
    "no hope": "a goal is out of reach",
    "round limit": "the last round is over, and more points decide",
}
# What is said of intervals of shares of rounds, which are not independent within a game; see `rounds_worth`.
ONE = (
    "Rounds of one game are alike: the intervals count each game once, which makes them too wide rather than "
    "too narrow."
)
FEW = 0.02  # rounds that fewer games reach are left out of what changes from round to round


@lru_cache(maxsize=32)
def _rules_of(text: str) -> UndauntedRules:
    return UndauntedRules.model_validate_json(text)


def rules_of(results: Results) -> UndauntedRules:
    """The rules a run was played by, out of its saved config."""
    config = {key: value for key, value in results.meta["config"].items() if key != "game"}
    return _rules_of(json.dumps(config))


def side_of(seats: Iterable[int]) -> list[str]:
    """The sides of seats counted from 1."""
    return [SIDES[int(seat) - 1] for seat in seats]


def goal_words(goal: Any) -> str:
    """A goal in words: "5 points", "pin the enemy"."""
    if goal == PIN:
        return "pin the enemy"
    return "1 point" if goal == 1 else f"{goal} points"


def summed(results: Results, name: str, keys: list[str]) -> pd.DataFrame:
    """A tally over all rotations, by these of its columns: keys, n."""
    found: pd.DataFrame = results.tallies[name].groupby(keys)[["n"]].sum().reset_index()
    return found


# ---- who wins --------------------------------------------------------------------------------------------


def by_side(results: Results) -> pd.DataFrame:
    """Win rate by seat, with the side and its goal."""
    frame, scenario = wins.by_seat(results), rules_of(results).scenario
    frame.insert(1, "side", side_of(frame["seat"]))
    frame.insert(2, "goal", [goal_words(scenario.goal_of(side)) for side in SIDES])
    return titled(frame, "Win rate by side", WHO, wins.FAIR)


def by_initiative(results: Results) -> pd.DataFrame:
    """Win rate by who held the initiative marker at the start: first, side, n, wins, win_rate, low, high.

    first: the side that began with the marker; "either" stands for all games, where `side` is "with the
    marker" or "without it".
    """
    tally = summed(results, "ends", ["first", "winner"])
    table = tally.pivot_table(index="first", columns="winner", values="n", aggfunc="sum", fill_value=0)
    won = table.reindex(index=[1, 2], columns=[0, 1, 2], fill_value=0).to_numpy()
    games = won.sum(axis=1)
    rows: list[tuple[str, str, int, int]] = [
        (SIDES[first], SIDES[seat], int(games[first]), int(won[first, seat + 1]))
        for first in (0, 1)
        for seat in (0, 1)
        if games[first]
    ]
    if games.all():
        with_it = int(won[0, 1] + won[1, 2])
        without = int(won[0, 2] + won[1, 1])
        rows += [("either", "with the marker", int(games.sum()), with_it)]
        rows += [("either", "without it", int(games.sum()), without)]
    frame = pd.DataFrame(rows, columns=["first", "side", "n", "wins"])
    rate = intervals.wilson(frame["wins"], frame["n"])
    frame = frame.assign(win_rate=rate.value, low=rate.low, high=rate.high)
    about = (
        "first: the side that held the initiative marker before round 1. A draw is nobody's win. Limits are "
        "Wilson's for so many independent games; in the win rates by side all seatings of the policies weigh "
        "the same and repeated games or deals count once, so limits of the same rate may differ a little."
    )
    return titled(frame, "Win rate by who begins with the initiative", WHO, about)


# ---- how and when games end ------------------------------------------------------------------------------


def ends(results: Results) -> pd.DataFrame:
    """Games by how they ended and who won: end, winner (a side or nobody), n, share, low, high."""
    tally = summed(results, "ends", ["end", "winner"])
    tally["order"] = [list(END_WORDS).index(end) for end in tally["end"]]
    tally = tally.sort_values(["order", "winner"]).drop(columns="order").reset_index(drop=True)
    rate = intervals.wilson(tally["n"], results.n)
    tally["winner"] = [("nobody", *SIDES)[int(winner)] for winner in tally["winner"]]
    frame = tally.assign(share=rate.value, low=rate.low, high=rate.high)
    about = "; ".join(f"{end}: {words}" for end, words in END_WORDS.items())
    return titled(frame, "How games end", WHEN, f"{about}. Shares are of all games.")


def end_shares(results: Results) -> pd.DataFrame:
    """Games by how they ended, whoever won: end, n, share, low, high; every end, even one that never came."""
    n = summed(results, "ends", ["end"]).set_index("end")["n"].reindex(list(END_WORDS), fill_value=0)
    rate = intervals.wilson(n, results.n)
    frame = pd.DataFrame({"end": list(END_WORDS), "n": n.to_numpy(np.int64)})
    frame = frame.assign(share=rate.value, low=rate.low, high=rate.high)
    return titled(frame, "Ends of all games", WHEN)


def length(results: Results) -> pd.DataFrame:
    """Rounds of a game, by winner: games, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    tally = summed(results, "rounds", ["rounds", "winner"])
    rows, limits = [], []
    parts = [("all games", tally)]
    parts += [(f"{side} wins", tally[tally["winner"] == seat]) for seat, side in enumerate(SIDES, 1)]
    for name, part in parts:
        if part["n"].sum():
            mean = intervals.mean(*counts.moments(part["rounds"], part["n"]))
            middle = counts.quantiles(part["rounds"], part["n"], MIDDLE)
            limits.append(counts.quantile_limits(part["rounds"], part["n"], MIDDLE))
            rows.append((name, int(part["n"].sum()), *(float(x) for x in mean), *middle))
    names = ["games", "n", "mean", "mean_low", "mean_high", *TENTHS]
    frame = titled(pd.DataFrame(rows, columns=names), "Rounds of a game", WHEN)
    limited(frame, limits, TENTHS)
    return frame


def rounds(results: Results) -> pd.DataFrame:
    """How many games last how many rounds, and who wins them: rounds, winner, n, share, low, high."""
    tally = summed(results, "rounds", ["rounds", "winner"])
    rate = intervals.wilson(tally["n"], results.n)
    tally["winner"] = [("nobody", *SIDES)[int(winner)] for winner in tally["winner"]]
    frame = tally.assign(share=rate.value, low=rate.low, high=rate.high)
    return titled(frame, "Games by length in rounds", WHEN, "Shares are of all games.")


# ---- from round to round ---------------------------------------------------------------------------------


def over_rounds(results: Results, name: str) -> pd.DataFrame:
    """A number of each side after each round: side, round, n, mean, mean_low, mean_high, 10 %, median, 90 %.

    name: the tally, `points` or `fog`. n: games that had this round. A game that ended in a round counts in
    it as it stood then, and in no later one. Rounds that fewer than 2 % of the games reach are left out.
    """
    tally = summed(results, name, ["seat", "round", name])
    rows, limits = [], []
    for (seat, number), part in _parts(tally, "seat", "round"):
        games = int(part["n"].sum())
        if games < FEW * results.n:
            continue
        mean = intervals.mean(*counts.moments(part[name], part["n"]))
        middle = counts.quantiles(part[name], part["n"], MIDDLE)
        limits.append(counts.quantile_limits(part[name], part["n"], MIDDLE))
        rows.append((SIDES[int(seat) - 1], int(number), games, *(float(x) for x in mean), *middle))
    names = ["side", "round", "n", "mean", "mean_low", "mean_high", *TENTHS]
    titles = {
        "points": "Points at the end of each round",
        "fog": "Fog of War among a side's own cards at the end of each round",
    }
    about = "n: games that had this round; rounds that fewer than 2 % of the games reach are left out."
    frame = titled(pd.DataFrame(rows, columns=names), titles[name], ROUNDS, about)
    limited(frame, limits, TENTHS)
    return frame


def _parts(frame: pd.DataFrame, *by: str) -> Iterator[tuple[tuple[int, ...], pd.DataFrame]]:
    """The parts of a frame by whole numbers in these columns, in their order."""
    frame = frame.sort_values(list(by))
    keys = frame[list(by)].to_numpy(np.int64)
    ends = [*(np.flatnonzero((keys[1:] != keys[:-1]).any(axis=1)) + 1).tolist(), len(keys)]
    for start, stop in zip([0, *ends], ends, strict=False):
        if stop > start:
            yield tuple(keys[start].tolist()), frame.iloc[start:stop]


def initiative(results: Results) -> pd.DataFrame:
    """Who holds the marker after the bids of each round: round, n, US, low, high (share of US)."""
    tally = summed(results, "initiative", ["round", "seat"])
    table = tally.pivot_table(index="round", columns="seat", values="n", aggfunc="sum", fill_value=0)
    table = table.reindex(columns=[1, 2], fill_value=0)
    n = table.sum(axis=1)
    rate = intervals.wilson(table[1], n)
    frame = pd.DataFrame({"round": table.index, "n": n.to_numpy(np.int64), "share": rate.value})
    frame = frame.assign(low=rate.low, high=rate.high)[(n >= FEW * results.n).to_numpy()]
    about = "share: of the games in which US holds the initiative marker after the bids of the round."
    return titled(frame.reset_index(drop=True), "US holds the initiative", ROUNDS, about)


def rounds_worth(results: Results) -> float:
    """How many independent games a share of all rounds is worth, if all rounds of a game were alike.

    Games of many rounds weigh more in it: by Kish (1965), n games are worth (sum of rounds)^2 / sum of
    squares. The true worth lies above it, for the rounds of a game differ.
    """
    n, total, squares = counts.moments(
        *(summed(results, "rounds", ["rounds"])[one] for one in ("rounds", "n"))
    )
    return float(total**2 / squares) if squares else float(n)


def bids(results: Results) -> pd.DataFrame:
    """Cards bid: side, card, n, share (of the side's bids), low, high; see ONE."""
    tally = summed(results, "bids", ["seat", "card"])
    share = tally["n"] / tally.groupby("seat")["n"].transform("sum")
    games = rounds_worth(results)
    rate = intervals.wilson(share * games, games)
    frame = tally.assign(side=side_of(tally["seat"]), share=rate.value, low=rate.low, high=rate.high)
    about = f"n: bids; share: of the bids of the side. {ONE}"
    return titled(
        frame[["side", "card", "n", "share", "low", "high"]], "Cards bid for the initiative", ROUNDS, about
    )


# ---- the map ---------------------------------------------------------------------------------------------


def tiles(results: Results) -> pd.DataFrame:
    """Every tile: tile, x, y, cover, points, n (games), who controls it at the end and over rounds, losses.

    US, DE: share of the games in which the side controls the tile at the end, each with low and high;
    "US rounds", "DE rounds": share of all ends of rounds, see ONE; "US fallen", "DE fallen": counters of the
    side removed there a game; "US hits", "DE hits": casualties there a game. Each has low and high.
    """
    scenario = rules_of(results).scenario
    names = list(scenario.names)
    frame = pd.DataFrame(
        {
            "tile": names,
            "x": [tile.at[0] for tile in scenario.tiles],
            "y": [tile.at[1] for tile in scenario.tiles],
            "cover": [tile.cover for tile in scenario.tiles],
            "points": [tile.points for tile in scenario.tiles],
            "n": results.n,
        }
    )
    for suffix, tally in (("", "control"), (" rounds", "control_rounds")):
        table = _by_tile(results, tally, "state", names, ["nobody", *SIDES])
        total = table.sum(axis=1)
        for side in SIDES:
            share, games = table[side] / total.clip(lower=1), rounds_worth(results) if suffix else results.n
            rate = intervals.wilson(share * games, games)
            name = f"{side}{suffix}"
            frame[name], frame[f"{name} low"], frame[f"{name} high"] = rate.value, rate.low, rate.high
    for what, tally in (("fallen", "fallen"), ("hits", "hits")):
        table = _by_tile(results, tally, "seat", names, [1, 2])
        for seat, side in enumerate(SIDES, 1):
            found = intervals.poisson(table[seat], results.n)
            frame[f"{side} {what}"] = found.value
            frame[f"{side} {what} low"], frame[f"{side} {what} high"] = found.low, found.high
    about = (
        "US, DE: games in which the side controls the tile at the end; rounds: ends of rounds in which it "
        f"does; fallen: counters of the side removed there a game; hits: casualties there a game. {ONE}"
    )
    frame = titled(frame, "The map, tile by tile", MAP, about)
    shares = [f"{side}{suffix}" for side in SIDES for suffix in ("", " rounds")]
    numbers = [f"{side} {what}" for side in SIDES for what in ("fallen", "hits")]
    frame.attrs["kinds"] = {**dict.fromkeys(shares, "share"), **dict.fromkeys(numbers, "number")}
    return frame


def _by_tile(results: Results, tally: str, by: str, names: list[str], columns: list[Any]) -> pd.DataFrame:
    """Counts [tile, by], 0 where nothing was counted."""
    found = summed(results, tally, ["tile", by])
    table = found.pivot_table(index="tile", columns=by, values="n", aggfunc="sum", fill_value=0)
    return table.reindex(index=names, columns=columns, fill_value=0)


# ---- games worth a look ----------------------------------------------------------------------------------


def to_replay(results: Results) -> pd.DataFrame:
    """Games worth a look: which, game, rounds, end."""
    if not results.has_games:
        return pd.DataFrame()
    first = next(results.iter_games(["game", "rounds", "end", "casualties_1", "casualties_2"]))
    length, lost = first["rounds"].to_numpy(), (first["casualties_1"] + first["casualties_2"]).to_numpy()
    decided = (first["end"] != "round limit").to_numpy()
    wanted = {
        "the shortest": int(length.argmin()),
        "the longest that was decided": int(np.where(decided, length, -1).argmax()),
        "the bloodiest": int(lost.argmax()),
    }
    games = first.to_dict("records")
    rows = [(which, games[k]["game"], games[k]["rounds"], games[k]["end"]) for which, k in wanted.items()]
    frame = pd.DataFrame(rows, columns=["which", "game", "rounds", "end"])
    return titled(frame.drop_duplicates("game"), "Games to replay", "")
