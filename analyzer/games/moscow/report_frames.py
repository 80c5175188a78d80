"""Moscow's tables: tallies in, tidy frames with intervals out. No chart, no game object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.report.parts import titled
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals

MONTHS = ("june", "july", "august", "september", "october", "november", "december")
FELL, RAN_OUT = "moscow fell", "deck ran out"
HINDERING = ("army", "general", "river", "order")
STATS = ("opening", "drawn", "played", "held")
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
FEW = 30  # below so many observations a point says nothing and is not drawn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


# ---- who wins --------------------------------------------------------------------------------------------


def by_policy(results: Results) -> pd.DataFrame:
    """Win rate by policy; empty when all seats play the same one."""
    if len(results.policies) == 1:
        return pd.DataFrame()
    return titled(results.win_rates("policy"), "Win rate by policy", "Who wins?")


def by_both(results: Results) -> pd.DataFrame:
    """Win rate by policy and seat; empty unless policies changed seats."""
    if len(results.policies) == 1 or len(results.rotations) == 1:
        return pd.DataFrame()
    return titled(results.win_rates(["policy", "seat"]), "Win rate by policy and seat", "Who wins?")


def outcomes(results: Results) -> pd.DataFrame:
    """How often Moscow falls and how often nobody wins: outcome, n, share, low, high."""
    nobody = results.nobody()
    rows = [
        ("Moscow falls", nobody.n - nobody.hits, 1 - nobody.rate, 1 - nobody.high, 1 - nobody.low),
        ("nobody wins", nobody.hits, nobody.rate, nobody.low, nobody.high),
    ]
    frame = pd.DataFrame(rows, columns=["outcome", "n", "share", "low", "high"])
    return titled(frame, "How games end", "How and when do games end?")


def groups(results: Results) -> tuple[str, list[list[str]]]:
    """("policy" or "seat", the label of each [rotation][seat]): policies where there are several."""
    if len(results.policies) > 1:
        return "policy", results.rotations
    return "seat", [[f"seat {s + 1}" for s in range(results.players)] for _ in results.rotations]


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


# ---- how and when games end ------------------------------------------------------------------------------


def ends(results: Results, by: str) -> pd.DataFrame:
    """by (month or round), end, n, share of all games, low, high; every month, only rounds that occur."""
    tally = results.tallies["ends"]
    if tally.empty:
        return pd.DataFrame()
    steps: list[Any] = list(MONTHS) if by == "month" else list(range(1, int(tally["round"].max()) + 1))
    place = {step: i for i, step in enumerate(steps)}
    kinds = [FELL, RAN_OUT]
    n = np.zeros((len(steps), 2, len(results.rotations)))
    when = np.array([place[v] for v in tally[by].tolist()])
    how = np.array([kinds.index(v) for v in tally["end"].tolist()])
    np.add.at(n, (when, how, tally["rotation"].to_numpy()), tally["n"].to_numpy())
    share = intervals.average_rate(n, np.broadcast_to(results.rotation_games, n.shape))
    frame = pd.DataFrame({
        by: np.repeat(np.array(steps, dtype=object), 2), "end": kinds * len(steps),
        "n": n.sum(axis=-1).astype(np.int64).ravel(), "share": share.value.ravel(),
        "low": share.low.ravel(), "high": share.high.ravel(),
    })  # fmt: skip
    title = f"How games end, by {by}"
    return titled(frame, title, "How and when do games end?", "Shares are of all games.")


def length(results: Results) -> pd.DataFrame:
    """Length of games in turns and rounds: measure, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    turns = results.tallies["turns"]
    tally = results.tallies["ends"]
    fell = tally[tally["end"] == FELL]
    rows = []
    for measure, values, n in (
        ("turns", turns["turns"], turns["n"]),
        ("rounds", tally["round"], tally["n"]),
        ("round of the fall", fell["round"], fell["n"]),
    ):
        if not len(n):
            continue
        mean = intervals.mean(*counts.moments(values, n))
        low, middle, high = counts.quantiles(values, n, (0.1, 0.5, 0.9))
        rows.append((measure, int(n.sum()), *(float(x) for x in mean), low, middle, high))
    names = ["measure", "n", "mean", "mean_low", "mean_high", "10 %", "median", "90 %"]
    return titled(pd.DataFrame(rows, columns=names), "Length of a game", "How and when do games end?")


def km_by_round(results: Results) -> pd.DataFrame:
    """Distance after each round, games still running: group, round, n, running, 10 % ... 90 % (km).

    Rounds that fewer than 1 % of the seats (or fewer than 30, in a run large enough) ever reach are left out.
    """
    tally = results.tallies["km"]
    if tally.empty:
        return pd.DataFrame()
    names, code = group_names(results), codes(results, tally)
    km, rounds, n = (tally[c].to_numpy() for c in ("km", "round", "n"))
    order = np.lexsort((km, rounds, code))
    key = (code * 1000 + rounds)[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    rows: list[tuple[Any, ...]] = []
    full: dict[int, float] = {}
    for start, stop in zip(starts, np.r_[starts[1:], len(key)], strict=True):
        part = order[start:stop]
        who, many = int(code[part[0]]), float(n[part].sum())
        full[who] = max(full.get(who, 0.0), many)
        if many < max(0.01 * full[who], min(FEW, 0.5 * full[who])):
            continue
        q = counts.quantiles(km[part], n[part], QUANTILES)
        rows.append((names[who], int(rounds[part[0]]), int(many), many / full[who], *q))
    labels = ["10 %", "25 %", "median", "75 %", "90 %"]
    frame = pd.DataFrame(rows, columns=[groups(results)[0], "round", "n", "share", *labels])
    about = "Kilometres at the end of the seat's turn; share: of its games that are still running."
    return titled(frame, "Distance by round", "How does the race run?", about)


# ---- fights ----------------------------------------------------------------------------------------------


def fight_odds(results: Results) -> pd.DataFrame:
    """Fights by target and odds: target, faces, exact, n, won, simulated, low, high, a_game.

    `exact` is M21's chance: how many faces of the die win, by the sides of the die.
    """
    tally = results.tallies.get("fights", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    sides = int(setting(results, "die_sides", 6))
    kinds, kind = counts.grouped(tally["target"], tally["faces"])
    n, won = (np.bincount(kind, tally["n"] * part).astype(np.int64) for part in (1, tally["won"]))
    order = sorted(range(len(kinds)), key=kinds.__getitem__)
    frame = pd.DataFrame([kinds[i] for i in order], columns=["target", "faces"])
    frame["n"], frame["wins"] = n[order], won[order]
    found = intervals.wilson(frame["wins"], frame["n"])
    frame.insert(2, "exact", frame["faces"] / sides)
    frame = frame.rename(columns={"wins": "won"})
    frame["simulated"], frame["low"], frame["high"] = found.value, found.low, found.high
    frame["a_game"] = frame["n"] / max(1, results.n)
    about = "exact: faces of the die that win (M21); simulated: fights won in this run; n: fights."
    return titled(frame, "Fights: simulated against exact odds", "Do fights keep their odds?", about)


# ---- cards -----------------------------------------------------------------------------------------------


def cards(results: Results) -> pd.DataFrame:
    """What one more card of a type goes with, by stat.

    Columns: card, stat, n (seat-games), wins (those that won), winners (mean), others (mean), difference and
    surplus and effect, each with _low and _high. Games with a fall are shorter, so winners draw fewer cards
    of every kind: the surplus takes that out by comparing with the others' mix, scaled to the winners' number
    of cards. The effect is the slope of winning on the number of cards within seat and policy, in points of
    win rate a card. The opening hand is dealt at random, so its effect is a cause; cards drawn, played or
    held also depend on how long the game took.
    """
    tally = results.tallies.get("cards", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    kinds, kind = counts.grouped(tally["stat"], tally["card"])
    x, won, n, rotation, seat = (tally[c].to_numpy() for c in ("count", "won", "n", "rotation", "seat"))
    sums = [np.bincount(2 * kind + won, n * x**power, 2 * len(kinds)).reshape(-1, 2).T for power in range(3)]
    others, winners = (intervals.mean(*(each[k] for each in sums)) for k in (0, 1))
    gap = intervals.difference(winners, others)
    scale = _scale([stat for stat, _ in kinds], winners.value, others.value)
    extra = intervals.difference(winners, intervals.Interval(*(scale * v for v in others)))
    cell = rotation * results.players + seat - 1
    value, error = counts.slopes(x, won, n, cell, kind, len(kinds))
    z = intervals.z_value(0.95)
    means = (winners.value, others.value, *gap, *extra, value, value - z * error, value + z * error)
    total = sums[0].astype(np.int64)
    rows = [
        (card, stat, *numbers)
        for (stat, card), *numbers in zip(kinds, total.sum(axis=0).tolist(), total[1].tolist(),
                                          *(v.tolist() for v in means), strict=True)
    ]  # fmt: skip
    names = ["card", "stat", "n", "wins", "winners", "others", "difference", "difference_low",
             "difference_high", "surplus", "surplus_low", "surplus_high", "effect", "effect_low",
             "effect_high"]  # fmt: skip
    about = (
        "winners, others: mean cards a seat; surplus: cards the winners had beyond the others' mix of as "
        "many cards; effect: points of win rate for one card more, within seat and policy. Only the opening "
        "hand is pure luck; cards drawn, played or held also depend on the length of the game."
    )
    return titled(pd.DataFrame(rows, columns=names), "Cards and winning", "Which cards win?", about)


def _scale(
    stats: list[str], winners: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Cards of all types that winners had for one of the others, by the stat of each type, float64[type]."""
    place = [STATS.index(stat) for stat in stats]
    mine, theirs = (np.bincount(place, np.nan_to_num(means), len(STATS)) for means in (winners, others))
    found: Floats = (mine / np.maximum(theirs, 1e-12))[place]
    return found


def cards_by_count(results: Results) -> pd.DataFrame:
    """Win rate by number of cards: stat, card, count, n (seat-games), wins, win_rate, low, high."""
    tally = results.tallies.get("cards", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    kinds, kind = counts.grouped(tally["stat"], tally["card"], tally["count"])
    seen, won = tally["n"].to_numpy(), tally["won"].to_numpy()
    n, wins = (np.bincount(kind, seen * part).astype(np.int64) for part in (1, won))
    order = sorted(range(len(kinds)), key=kinds.__getitem__)
    frame = pd.DataFrame([kinds[i] for i in order], columns=["stat", "card", "count"])
    frame["n"], frame["wins"] = n[order], wins[order]
    found = intervals.wilson(frame["wins"], frame["n"])
    frame["win_rate"], frame["low"], frame["high"] = found.value, found.low, found.high
    return titled(frame, "Win rate by number of cards", "Which cards win?")


# ---- hindering -------------------------------------------------------------------------------------------


def hindering(results: Results) -> pd.DataFrame:
    """Hindering actions a game: by, against, actions, army, general, river, order, a_game, mean_low,
    mean_high."""
    tally = results.tallies.get("actions", pd.DataFrame())
    if tally.empty or results.players < 2:
        return pd.DataFrame()
    kind = np.array([str(action).partition(" ")[0] for action in tally["action"].tolist()])
    used = np.isin(kind, HINDERING) & (tally["target"] > 0) & (tally["target"] != tally["seat"])
    part = tally[used]
    names = group_names(results)
    cells = np.zeros((len(names), len(names), len(HINDERING)))
    how = np.array([HINDERING.index(k) for k in kind[used]], np.int64)
    at = (codes(results, part), codes(results, part, "target"), how)
    np.add.at(cells, at, part["n"].to_numpy())
    held = {name: sum(name == label for label in groups(results)[1][0]) for name in names}
    rows = []
    for i, by in enumerate(names):
        for j, against in enumerate(names):
            if i == j and held[by] == 1:
                continue
            found = intervals.poisson(cells[i, j].sum(), results.n)
            rows.append((by, against, int(cells[i, j].sum()), *cells[i, j] / max(1, results.n),
                         *(float(x) for x in found)))  # fmt: skip
    frame = pd.DataFrame(
        rows, columns=["by", "against", "actions", *HINDERING, "a_game", "mean_low", "mean_high"]
    )
    about = "Red Armies, generals, rivers and Hitler orders played against another seat, a game."
    return titled(frame, "Who hinders whom", "Who hinders whom?", about)


def setting(results: Results, key: str, default: Any) -> Any:
    """A value of the run's config, wherever it stands in it."""
    config = results.meta.get("config") or {}
    for place in (config, config.get("rules") or {}):
        if key in place:
            return place[key]
    return default


def goal_km(results: Results) -> int:
    """The distance to Moscow (M19)."""
    many = results.players >= int(setting(results, "many_players", 5))
    return int(setting(results, "goal_km_many", 800) if many else setting(results, "goal_km", 1000))
