"""Moscow's tables: tallies in, tidy frames with intervals out. No chart, no game object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.report import wins
from analyzer.report.cards import FEW
from analyzer.report.parts import MIDDLE, TENTHS, limited, titled
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals

MONTHS = ("june", "july", "august", "september", "october", "november", "december")
FELL, RAN_OUT = "moscow fell", "deck ran out"
HINDERING = ("army", "general", "river", "order")
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


# ---- who wins --------------------------------------------------------------------------------------------


def outcomes(results: Results) -> pd.DataFrame:
    """How often Moscow falls and how often nobody wins: outcome, n, share, low, high."""
    nobody = results.nobody()
    rows = [
        ("Moscow falls", nobody.n - nobody.hits, 1 - nobody.rate, 1 - nobody.high, 1 - nobody.low),
        ("nobody wins", nobody.hits, nobody.rate, nobody.low, nobody.high),
    ]
    frame = pd.DataFrame(rows, columns=["outcome", "n", "share", "low", "high"])
    return titled(frame, "How games end", "How and when do games end?")


# ---- how and when games end ------------------------------------------------------------------------------


def ends(results: Results, by: str) -> pd.DataFrame:
    """by (month or round), end, n, share of all games, low, high; only what occurs."""
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
    frame = frame[frame["n"] > 0].reset_index(drop=True)
    title = f"How games end, by {by}"
    return titled(frame, title, "How and when do games end?", "Shares are of all games.")


def length(results: Results) -> pd.DataFrame:
    """Length of games in turns and rounds: measure, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    turns = results.tallies["turns"]
    tally = results.tallies["ends"]
    fell = tally[tally["end"] == FELL]
    rows, limits = [], []
    for measure, values, n in (
        ("turns", turns["turns"], turns["n"]),
        ("rounds", tally["round"], tally["n"]),
        ("round of the fall", fell["round"], fell["n"]),
    ):
        if not len(n):
            continue
        mean = intervals.mean(*counts.moments(values, n))
        limits.append(counts.quantile_limits(values, n, MIDDLE))
        middle = counts.quantiles(values, n, MIDDLE)
        rows.append((measure, int(n.sum()), *(float(x) for x in mean), *middle))
    names = ["measure", "n", "mean", "mean_low", "mean_high", *TENTHS]
    frame = titled(pd.DataFrame(rows, columns=names), "Length of a game", "How and when do games end?")
    limited(frame, limits, TENTHS)
    return frame


def km_by_round(results: Results) -> pd.DataFrame:
    """Distance after each round, games still running: group, round, n, running, 10 % ... 90 % (km).

    Rounds that fewer than 1 % of the seats (or fewer than 30, in a run large enough) ever reach are left out.
    """
    tally = results.tallies["km"]
    if tally.empty:
        return pd.DataFrame()
    names, code = wins.group_names(results), wins.codes(results, tally)
    km, rounds, n = (tally[c].to_numpy() for c in ("km", "round", "n"))
    order = np.lexsort((km, rounds, code))
    key = (code * 1000 + rounds)[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    rows: list[tuple[Any, ...]] = []
    limits: list[list[tuple[float, float]]] = []
    full: dict[int, float] = {}
    for start, stop in zip(starts, np.r_[starts[1:], len(key)], strict=True):
        part = order[start:stop]
        who, many = int(code[part[0]]), float(n[part].sum())
        full[who] = max(full.get(who, 0.0), many)
        if many < max(0.01 * full[who], min(FEW, 0.5 * full[who])):
            continue
        q = counts.quantiles(km[part], n[part], QUANTILES)
        limits.append(counts.quantile_limits(km[part], n[part], QUANTILES))
        rows.append((names[who], int(rounds[part[0]]), int(many), many / full[who], *q))
    labels = ["10 %", "25 %", "median", "75 %", "90 %"]
    frame = pd.DataFrame(rows, columns=[wins.groups(results)[0], "round", "n", "share", *labels])
    about = "Kilometres at the end of the seat's turn; share: of its games that are still running."
    frame = titled(frame, "Distance by round", "How does the race run?", about)
    limited(frame, limits, labels)
    return frame


def common_round(frame: pd.DataFrame) -> int:
    """The last round of `km_by_round` that nine in ten games of every group reach. Later rounds tell of the
    games that happened to last."""
    least = frame.groupby("round")["share"].min()
    return int(least.index[least >= 0.9].max()) if (least >= 0.9).any() else int(frame["round"].min())


# ---- fights ----------------------------------------------------------------------------------------------


def fight_odds(results: Results) -> pd.DataFrame:
    """Fights by target and odds: target, faces, exact, n, won, simulated, low, high, a_game.

    `exact` is the chance by the rules (M21): how many faces of the die win, by the sides of the die.
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
    about = (
        f"winning faces: how many of the die's {sides} win the fight, by its strengths and the month; exact "
        "odds: their share; simulated: fights won in this run; n: fights."
    )
    return titled(frame, "Fights: simulated against exact odds", "Do fights keep their odds?", about)


# ---- cards -----------------------------------------------------------------------------------------------


# ---- hindering -------------------------------------------------------------------------------------------


def hindering(results: Results) -> pd.DataFrame:
    """Hindering actions a game: by, against, n (games), actions, a_game, mean_low, mean_high, then army,
    general, river and order, each a game with _low and _high."""
    tally = results.tallies.get("actions", pd.DataFrame())
    if tally.empty or results.players < 2:
        return pd.DataFrame()
    kind = np.array([str(action).partition(" ")[0] for action in tally["action"].tolist()])
    used = np.isin(kind, HINDERING) & (tally["target"] > 0) & (tally["target"] != tally["seat"])
    part = tally[used]
    names = wins.group_names(results)
    cells = np.zeros((len(names), len(names), len(HINDERING)))
    how = np.array([HINDERING.index(k) for k in kind[used]], np.int64)
    at = (wins.codes(results, part), wins.codes(results, part, "target"), how)
    np.add.at(cells, at, part["n"].to_numpy())
    held = {name: sum(name == label for label in wins.groups(results)[1][0]) for name in names}
    rows = []
    for i, by in enumerate(names):
        for j, against in enumerate(names):
            if i == j and held[by] == 1:
                continue
            found = intervals.poisson(cells[i, j].sum(), results.n)
            each = np.column_stack(intervals.poisson(cells[i, j], results.n)).ravel()
            rows.append((by, against, results.n, int(cells[i, j].sum()), *(float(x) for x in found),
                         *(float(x) for x in each)))  # fmt: skip
    kinds = [f"{kind}{end}" for kind in HINDERING for end in ("", "_low", "_high")]
    frame = pd.DataFrame(
        rows, columns=["by", "against", "n", "actions", "a_game", "mean_low", "mean_high", *kinds]
    )
    about = (
        "Red Armies, generals, rivers and Hitler orders played against another seat; n: games; a game: all "
        "kinds together, then of each kind, with intervals for so many independent actions."
    )
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
