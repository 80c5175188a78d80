"""Kraskar's tables: tallies in, tidy frames with intervals out. No chart, no game object.

There is no chance in these rules but the start, so games repeat. Every interval here rests on the number of
DISTINCT games (`Sample`), never on repeats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analyzer.games.kraskar import odds
from analyzer.games.kraskar.attacks import CAUSES
from analyzer.games.kraskar.model import KraskarRules
from analyzer.report import wins
from analyzer.report.parts import MIDDLE, TENTHS, limited, titled
from analyzer.sim import outcomes as sim_outcomes
from analyzer.sim.results import FEW, Results
from analyzer.stats import counts, intervals

WHO = wins.WHO
WHEN, CASTLE = "How and when do games end?", "What brings a castle down?"
UNITS, CHIPS, HITS = "Where and how do units fall?", "Who wastes chips?", "How many hits does a unit take?"
FELL = "castle fell"
TROOPS = ("cavalry", "archer", "spearman", "infantry")


@dataclass(frozen=True)
class Sample:
    """How many games there are, and how many of them are distinct; intervals by the latter."""

    n: int
    distinct: int

    @property
    def weight(self) -> float:
        """The part of a game that each game counts for in an interval; 0: no interval at all."""
        if self.distinct == self.n:
            return 1.0
        return self.distinct / self.n if self.distinct >= FEW else 0.0

    def rate(self, wins: Any, n: Any) -> intervals.Interval:
        """A share of games, with limits by distinct games."""
        wins, n = np.asarray(wins, np.float64), np.asarray(n, np.float64)
        found = intervals.wilson(wins * self.weight, n * self.weight)
        value = np.divide(wins, n, out=np.full(np.shape(wins), np.nan), where=n > 0)
        return self._limited(found, value)

    def mean(self, values: Any, n: Any) -> intervals.Interval:
        """The mean of a histogram, with limits by distinct games."""
        moments = [x * self.weight for x in counts.moments(values, n)]
        value = np.asarray(np.average(np.asarray(values, float), weights=np.asarray(n, float)))
        return self._limited(intervals.mean(*moments), value)

    def per_game(self, events: Any, games: Any) -> intervals.Interval:
        """Events a game, with limits as if events came independently, by distinct games."""
        events, games = np.asarray(events, np.float64), np.asarray(games, np.float64)
        return self._limited(intervals.poisson(events * self.weight, games * self.weight), events / games)

    def share(self, part: Any, whole: Any) -> intervals.Interval:
        """What part of all events are of a kind: `part` of `whole`, both float64[..., batch].

        Events of one game depend on each other, so the unit is a batch of games (a game, where there are
        fewer games than batches): the interval of a ratio over them, wider where games repeat.
        """
        part, whole = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
        sums = (x.sum(axis=-1) for x in (part, whole, part**2, part * whole, whole**2))
        found = intervals.ratio(min(part.shape[-1], self.n), *sums)
        by = 1 / math.sqrt(self.weight or 1.0)
        low, high = (found.value + by * (limit - found.value) for limit in (found.low, found.high))
        return self._limited(intervals.Interval(found.value, low.clip(0, 1), high.clip(0, 1)), found.value)

    def _limited(self, found: intervals.Interval, value: Any) -> intervals.Interval:
        if self.weight:
            return intervals.Interval(value, found.low, found.high)
        nothing = np.full(np.shape(value), np.nan)
        return intervals.Interval(value, nothing, nothing)


def sample(results: Results) -> Sample:
    """The games of a run and the distinct ones among them."""
    return Sample(results.n, results.distinct)


@lru_cache(maxsize=8)
def _rules_of(text: str) -> KraskarRules:
    return KraskarRules.model_validate_json(text)


def rules_of(results: Results) -> KraskarRules:
    """The rules a run was played by, out of its saved config."""
    import json

    config = {key: value for key, value in results.meta["config"].items() if key != "game"}
    return _rules_of(json.dumps(config))


def decks(results: Results) -> list[str]:
    """The decks of seat 1 and seat 2."""
    return [str(name) for name in results.meta["config"]["decks"]]


# ---- who wins --------------------------------------------------------------------------------------------


def by_seat(results: Results) -> pd.DataFrame:
    """Win rate by seat, with the seat's deck."""
    frame = wins.by_seat(results)
    frame.insert(1, "deck", decks(results))
    return frame


def by_order(results: Results, found: Sample) -> pd.DataFrame:
    """Win rate by seat and by who moved first (K5): who, n, wins, win_rate, low, high."""
    tally = results.tallies["ends"].groupby(["first", "winner"])["n"].sum().unstack(fill_value=0)
    wins = tally.reindex(index=[1, 2], columns=[0, 1, 2], fill_value=0).to_numpy()
    games = wins.sum(axis=1)
    rows = [
        ("moved first", games.sum(), wins[0, 1] + wins[1, 2]),
        ("moved second", games.sum(), wins[0, 2] + wins[1, 1]),
        ("seat 1, moved first", games[0], wins[0, 1]),
        ("seat 1, moved second", games[1], wins[1, 1]),
        ("seat 2, moved first", games[1], wins[1, 2]),
        ("seat 2, moved second", games[0], wins[0, 2]),
    ]
    frame = pd.DataFrame([row for row in rows if row[1]], columns=["who", "n", "wins"])
    rate = found.rate(frame["wins"], frame["n"])
    about = "A draw is nobody's win."
    if results.duplicate and len(results.rotations) > 1:
        rate = _by_deals(results, found, rate, [str(who) for who in frame["who"]])
        about += " Intervals rest on deals."
    frame = frame.assign(win_rate=rate.value, low=rate.low, high=rate.high)
    return titled(frame, "Win rate by who moved first", WHO, about)


def _by_deals(
    results: Results, found: Sample, rate: intervals.Interval, names: Sequence[str]
) -> intervals.Interval:
    """The rates of `by_order` with limits by deals: the games of one deal have one start and one first mover,
    and hang together. Where all or none are won the limits stay those of games."""
    sums, deals = np.zeros((5, len(names))), 0
    for rank, games in sim_outcomes.deals(results, ["first", "winner"]):
        won, n = np.zeros((2, len(names), len(rank)))
        for row, name in enumerate(names):
            seat, _, how = name.rpartition(", ")
            mover = games["first"] if how == "moved first" else 3 - games["first"]
            there = mover == int(seat.removeprefix("seat ") or 0) if seat else np.ones(mover.shape, bool)
            n[row], won[row] = there.sum(axis=0), (there & (games["winner"] == mover)).sum(axis=0)
        deals += len(rank)
        sums += np.stack([x.sum(axis=1) for x in (won, n, won**2, won * n, n**2)])
    clustered = intervals.ratio(deals * found.weight, *(sums * found.weight))
    certain = ~((rate.value > 0) & (rate.value < 1) & np.isfinite(rate.low))
    low, high = (np.clip(limit, 0.0, 1.0) for limit in (clustered.low, clustered.high))
    return intervals.Interval(
        rate.value, np.where(certain, rate.low, low), np.where(certain, rate.high, high)
    )


# ---- how and when games end ------------------------------------------------------------------------------


def outcomes(results: Results, found: Sample) -> pd.DataFrame:
    """How games end: outcome, n, share, low, high."""
    tally = results.tallies["ends"]
    fell = tally["end"] == FELL
    ends = {
        "a castle falls": tally["n"][fell].sum(),
        "more castle life at the turn limit": tally["n"][~fell & (tally["winner"] > 0)].sum(),
        "a draw": tally["n"][tally["winner"] == 0].sum(),
    }
    n = np.array(list(ends.values()))
    rate = found.rate(n, np.full(3, results.n))
    columns = {"outcome": list(ends), "n": n, "share": rate.value, "low": rate.low, "high": rate.high}
    return titled(pd.DataFrame(columns), "How games end", WHEN)


def distinct(found: Sample) -> pd.DataFrame:
    """Games and distinct games: n, distinct, share."""
    row = {"n": [found.n], "distinct": [found.distinct], "share": [found.distinct / found.n]}
    about = (
        "There is no chance in these rules but the start, so games repeat. Games are the same that start "
        "alike and stand alike after every turn; intervals in this report rest on the distinct ones."
    )
    return titled(pd.DataFrame(row), "Distinct games", WHEN, about)


def length(results: Results, found: Sample) -> pd.DataFrame:
    """Length of games: measure, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    turns = results.tallies["turns"]
    mean = found.mean(turns["turns"], turns["n"])
    middle = counts.quantiles(turns["turns"], turns["n"], MIDDLE)
    rows = [("turns", results.n, *(float(x) for x in mean), *middle)]
    names = ["measure", "n", "mean", "mean_low", "mean_high", *TENTHS]
    frame = titled(pd.DataFrame(rows, columns=names), "Length of a game", WHEN, "A turn is one side's turn.")
    limited(frame, [counts.quantile_limits(turns["turns"], turns["n"], MIDDLE, found.weight)], TENTHS)
    return frame


def turns(results: Results, found: Sample) -> pd.DataFrame:
    """How many games last how many turns: turns, n, share, low, high."""
    tally = results.tallies["turns"].groupby("turns", as_index=False)["n"].sum()
    rate = found.rate(tally["n"], np.full(len(tally), results.n))
    frame = tally.assign(share=rate.value, low=rate.low, high=rate.high)
    return titled(frame, "Games by length", WHEN)


def life_left(results: Results, found: Sample) -> pd.DataFrame:
    """Castle life at the end: seat, result, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    tally = results.tallies["life_left"].groupby(["seat", "won", "life"], as_index=False)["n"].sum()
    rows, limits = [], []
    for (seat, won), part in tally.groupby(["seat", "won"]):
        mean = found.mean(part["life"], part["n"])
        middle = counts.quantiles(part["life"], part["n"], MIDDLE)
        limits.append(counts.quantile_limits(part["life"], part["n"], MIDDLE, found.weight))
        result = "won" if won else "lost or drew"
        rows.append((f"seat {seat}", result, int(part["n"].sum()), *(float(x) for x in mean), *middle))
    names = ["seat", "result", "n", "mean", "mean_low", "mean_high", *TENTHS]
    frame = titled(pd.DataFrame(rows, columns=names), "Castle life left", WHEN)
    limited(frame, limits, TENTHS)
    return frame


# ---- what brings a castle down ---------------------------------------------------------------------------


def castle_damage(results: Results, found: Sample) -> pd.DataFrame:
    """Castle damage by troop type, at the gate and at the wall.

    Columns: troop, at, sieges, n (games), a_game, mean_low, mean_high (sieges a game), life (taken),
    share (of all life taken), share_low, share_high.
    """
    sieges = _sum(results.tallies["sieges"], ["troop", "at"])
    life = _sum(results.tallies["damage"], ["troop", "at"])
    places = pd.MultiIndex.from_product([TROOPS, ("gate", "wall")], names=["troop", "at"])
    frame = pd.DataFrame({"sieges": sieges, "life": life}).reindex(places).fillna(0).astype(np.int64)
    frame = frame[frame["sieges"] > 0].reset_index()
    rate = found.per_game(frame["sieges"], np.full(len(frame), results.n))
    batches = _batches(results.tallies["damage_by_batch"], ["troop", "at"])
    mine = batches.reindex(pd.MultiIndex.from_frame(frame[["troop", "at"]])).to_numpy(np.float64)
    share = found.share(mine, batches.to_numpy(np.float64).sum(axis=0))
    frame = frame.assign(n=results.n, a_game=rate.value, mean_low=rate.low, mean_high=rate.high)
    frame = frame.assign(share=share.value, share_low=share.low, share_high=share.high)
    order = ["troop", "at", "n", "sieges", "a_game", "mean_low", "mean_high", "life", *SHARE]
    about = "share: of all castle life taken; a game: sieges of both sides together."
    return titled(frame[order], "Castle damage by troop type", CASTLE, about)


def castle_life(results: Results, found: Sample) -> pd.DataFrame:
    """Who takes castle life, and how much falls at the gate: part, n (games), life, share, low, high."""
    places = pd.MultiIndex.from_product([TROOPS, ("gate", "wall")], names=["troop", "at"])
    batches = _batches(results.tallies["damage_by_batch"], ["troop", "at"]).reindex(places, fill_value=0)
    parts = {troop: batches.xs(troop, level="troop") for troop in TROOPS}
    parts["at the gate"] = batches.xs("gate", level="at")
    life = np.stack([part.to_numpy(np.float64).sum(axis=0) for part in parts.values()])
    share = found.share(life, batches.to_numpy(np.float64).sum(axis=0))
    columns = {"part": list(parts), "n": results.n, "life": life.sum(axis=1).astype(np.int64)}
    frame = pd.DataFrame({**columns, "share": share.value, "low": share.low, "high": share.high})
    about = "share: of all castle life taken; troop types add up to the whole, the gate is a part of it."
    return titled(frame[frame["life"] > 0].reset_index(drop=True), "Castle life taken", CASTLE, about)


def units(results: Results, found: Sample) -> pd.DataFrame:
    """Every unit of both decks: seat, unit, troop, n, sieges, life, retreats, and each a game."""
    keys = ["seat", "unit", "troop"]
    columns = {
        "sieges": _sum(results.tallies["sieges"], keys),
        "life": _sum(results.tallies["damage"], keys),
        "retreats": _sum(results.tallies["retreats"], keys),
    }
    rules = rules_of(results)
    every = [(s + 1, unit.name, unit.troop) for s in (0, 1) for unit in rules.deck_units(s)]
    frame = pd.DataFrame(columns).reindex(pd.MultiIndex.from_tuples(every, names=keys))
    frame = frame.fillna(0).astype(np.int64).reset_index()
    frame.insert(3, "n", results.n)
    for name, events in (("sieges", frame["sieges"]), ("retreats", frame["retreats"])):
        rate = found.per_game(events, frame["n"])
        frame[f"{name} a game"], frame[f"{name} low"], frame[f"{name} high"] = rate
    about = "life: castle life taken; low and high: 95 % limits of the number before them."
    return titled(frame, "Units of both decks", CASTLE, about)


SHARE = ("share", "share_low", "share_high")


def _batches(tally: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The counts of a tally by batch of games: one row for each of `keys`, one column a batch."""
    return tally.groupby([*keys, "batch"])["n"].sum().unstack("batch", fill_value=0)


def _sum(tally: pd.DataFrame, keys: list[str]) -> pd.Series:
    return tally.groupby(keys)["n"].sum()


# ---- where and how units fall ----------------------------------------------------------------------------


def retreats(results: Results, found: Sample) -> pd.DataFrame:
    """Retreats by seat and cause: seat, cause, n (games), retreats, a_game, mean_low, mean_high, share and
    its limits."""
    places = pd.MultiIndex.from_product([(1, 2), CAUSES], names=["seat", "cause"])
    frame = _sum(results.tallies["retreats"], ["seat", "cause"]).reindex(places).fillna(0).astype(np.int64)
    rows = frame.rename("retreats").reset_index()
    rate = found.per_game(rows["retreats"], np.full(len(rows), results.n))
    batches = _batches(results.tallies["retreats_by_batch"], ["seat", "cause"]).reindex(places, fill_value=0)
    share = found.share(batches, batches.groupby("seat").transform("sum"))
    rows = rows.assign(n=results.n, a_game=rate.value, mean_low=rate.low, mean_high=rate.high)
    rows = rows.assign(**dict(zip(SHARE, share, strict=True)))
    rows = rows[rows["retreats"] > 0]
    about = "seat: whose units had to retreat; share: of that seat's retreats."
    order = ["seat", "cause", "n", "retreats", "a_game", "mean_low", "mean_high", *SHARE]
    return titled(rows[order].reset_index(drop=True), "Retreats by cause", UNITS, about)


def causes(results: Results, found: Sample) -> pd.DataFrame:
    """What makes units of both seats retreat, most often first: cause, n (games), retreats, share, low,
    high."""
    batches = _batches(results.tallies["retreats_by_batch"], ["cause"])
    share = found.share(batches, batches.sum(axis=0))
    columns = {"cause": batches.index, "n": results.n, "retreats": batches.sum(axis=1).to_numpy()}
    frame = pd.DataFrame({**columns, "share": share.value, "low": share.low, "high": share.high})
    frame = frame[frame["retreats"] > 0].sort_values("retreats", ascending=False, kind="stable")
    return titled(frame.reset_index(drop=True), "What makes units retreat", UNITS, "Both seats together.")


def fallen(results: Results, found: Sample) -> pd.DataFrame:
    """Retreats by square: seat, row, column, n (games), retreats, a_game, mean_low, mean_high."""
    rules = rules_of(results)
    places = pd.MultiIndex.from_product(
        [(1, 2), range(1, rules.rows + 1), range(1, rules.columns + 1)], names=["seat", "row", "column"]
    )
    tally = _sum(results.tallies["fallen"], ["seat", "row", "column"]).reindex(places).fillna(0)
    frame = tally.astype(np.int64).rename("retreats").reset_index()
    rate = found.per_game(frame["retreats"], np.full(len(frame), results.n))
    frame = frame.assign(n=results.n, a_game=rate.value, mean_low=rate.low, mean_high=rate.high)
    about = "Where units of a seat had to retreat. Row 1 is seat 1's nearest row, the last row seat 2's."
    order = ["seat", "row", "column", "n", "retreats", "a_game", "mean_low", "mean_high"]
    return titled(frame[order], "Retreats by square", UNITS, about)


# ---- chips -----------------------------------------------------------------------------------------------


def wasted(results: Results, found: Sample) -> pd.DataFrame:
    """Chips not taken at the cap: seat, deck, countries, cap, n, mean, mean_low, mean_high, median."""
    rules, rows, limits = rules_of(results), [], []
    tally = results.tallies["wasted"].groupby(["seat", "wasted"], as_index=False)["n"].sum()
    for seat in (0, 1):
        part = tally[tally["seat"] == seat + 1]
        mean = found.mean(part["wasted"], part["n"])
        middle = float(counts.quantiles(part["wasted"], part["n"], (0.5,))[0])
        limits.append(counts.quantile_limits(part["wasted"], part["n"], (0.5,), found.weight))
        known = (f"seat {seat + 1}", rules.decks[seat], rules.countries(seat), rules.chip_cap(seat))
        rows.append((*known, int(part["n"].sum()), *(float(x) for x in mean), middle))
    names = ["seat", "deck", "countries", "cap", "n", "mean", "mean_low", "mean_high", "median"]
    about = "Chips a game that a seat could not take because it was at its cap."
    frame = titled(pd.DataFrame(rows, columns=names), "Chips wasted at the cap", CHIPS, about)
    limited(frame, limits, ("median",))
    return frame


def actions(results: Results, found: Sample) -> pd.DataFrame:
    """What units did: seat, unit, action, n (games), times, a_game, mean_low, mean_high."""
    frame = _sum(results.tallies["actions"], ["seat", "unit", "action"]).rename("times").reset_index()
    rate = found.per_game(frame["times"], np.full(len(frame), results.n))
    frame.insert(3, "n", results.n)
    frame = frame.assign(a_game=rate.value, mean_low=rate.low, mean_high=rate.high)
    return titled(frame, "What units did", UNITS, "boost: boosts and rallies.")


# ---- exact -----------------------------------------------------------------------------------------------


def hits_to_kill(results: Results) -> pd.DataFrame:
    """Every unit against every unit, exact: attack, attacker, target, loss, hits (empty: never)."""
    rows = [
        (one.kind, one.attacker, one.target, one.loss, one.hits or np.nan)
        for one in odds.every_hit(rules_of(results))
    ]
    about = (
        "Exact, from the config: hit points lost to one hit, and hits until a fresh unit retreats. blow: "
        "melee, charge, shot or thrust; interception: by a ready spearman."
    )
    frame = pd.DataFrame(rows, columns=["attack", "attacker", "target", "loss", "hits"])
    return titled(frame, "Hits to kill", HITS, about)


def to_replay(results: Results) -> pd.DataFrame:
    """Games worth a look: which, game, turns, end."""
    if not results.has_games:
        return pd.DataFrame()
    first = next(results.iter_games(["game", "turns", "end", "castle_1", "castle_2"]))
    left = first[["castle_1", "castle_2"]].max(axis=1)
    fell = first["end"] == FELL
    wanted = {
        "the shortest": int(first["turns"].to_numpy().argmin()),
        "the longest that ended by a fallen castle": int(first["turns"].where(fell, -1).to_numpy().argmax()),
        "the closest that ended by a fallen castle": int(left.where(fell, 999).to_numpy().argmin()),
    }
    games = first.to_dict("records")
    rows = [(which, games[k]["game"], games[k]["turns"], games[k]["end"]) for which, k in wanted.items()]
    frame = pd.DataFrame(rows, columns=["which", "game", "turns", "end"])
    return titled(frame.drop_duplicates("game"), "Games to replay", "")
