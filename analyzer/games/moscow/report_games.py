"""Moscow's measures that need single games: one pass over them, piece by piece, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.games.moscow.report_frames import FELL, RAN_OUT
from analyzer.report.cards import FEW
from analyzer.report.parts import titled
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals


@dataclass
class GameSums:
    """What needs single games, as sums over one pass in bounded memory; empty arrays without games.

    blocks: float64[rotation, seat, 7]: games, blocked, turns, blocked^2, blocked * turns, turns^2, games
    blocked for half of the turns. arrivals: float64[place, 2]: seat-games and wins by order of arrival,
    place 0 = never.
    hands: {(end, who): (n, sum, sum of squares)} of cards in hand. first: {end: {turns: first game number}};
    lengths: {end: {turns: games}}.
    """

    blocks: NDArray[np.float64]
    arrivals: NDArray[np.float64]
    hands: dict[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    first: dict[str, dict[int, int]] = field(default_factory=dict)
    lengths: dict[str, dict[int, int]] = field(default_factory=dict)


def game_sums(results: Results) -> GameSums:
    """Read the games once, piece by piece."""
    k = results.players
    if not results.has_games:
        return GameSums(np.zeros(0), np.zeros(0))
    sums = GameSums(np.zeros((len(results.rotations), k, 7)), np.zeros((k + 1, 2)))
    wanted = ["game", "rotation", "winner", "turns"]
    wanted += [f"{name}_{s}" for name in ("arrived", "blocked", "held") for s in range(1, k + 1)]
    for piece in results.iter_games(wanted):
        _add_piece(sums, piece, k)
    return sums


def _add_piece(sums: GameSums, piece: pd.DataFrame, k: int) -> None:
    rotation, winner, turns = (piece[c].to_numpy() for c in ("rotation", "winner", "turns"))
    arrived, stuck, held = (
        np.stack([piece[f"{name}_{s}"].to_numpy() for s in range(1, k + 1)])
        for name in ("arrived", "blocked", "held")
    )
    for r in np.unique(rotation):  # mostly one: a block of games has one seating
        rows = slice(None) if rotation[0] == rotation[-1] and (rotation == r).all() else rotation == r
        sums.blocks[r] += _blocked(stuck[:, rows], turns[rows])
    # A seat's place of arrival: one more than the seats that arrived on an earlier turn; 0 if it never did.
    when = np.where(arrived > 0, arrived, np.iinfo(arrived.dtype).max)
    ends = {(FELL, "others"): winner > 0, (RAN_OUT, "all"): winner == 0}
    for s in range(k):
        place = np.where(arrived[s] > 0, (when < when[s]).sum(axis=0, dtype=np.uint8) + 1, 0)
        mine = winner == s + 1
        sums.arrivals[:, 0] += np.bincount(place, minlength=k + 1)
        sums.arrivals[:, 1] += np.bincount(place[mine], minlength=k + 1)
        _add_hands(sums, (FELL, "winner"), held[s][mine])
        for key, rows in ends.items():
            _add_hands(sums, key, held[s][rows & ~mine])
    game = piece["game"].to_numpy()
    for end, rows in ((FELL, winner > 0), (RAN_OUT, winner == 0)):
        _add_lengths(sums, end, turns[rows], game[rows])


def _blocked(stuck: NDArray[np.integer], turns: NDArray[np.integer]) -> NDArray[np.float64]:
    """What `GameSums.blocks` holds of some games of one rotation, float64[seat, 7]; stuck[seat, game]."""
    k, t = len(stuck), turns.astype(np.int64)
    mine = (t - np.arange(k)[:, None] - 1) // k + 1
    half = ((2 * stuck.astype(np.int64) >= mine) & (mine > 0)).sum(axis=1)
    b, t = stuck.astype(np.float64), mine.astype(np.float64)
    products = ((b * b).sum(axis=1), (b * t).sum(axis=1), (t * t).sum(axis=1))
    games = np.full(k, b.shape[1], np.float64)
    return np.stack([games, b.sum(axis=1), t.sum(axis=1), *products, half], axis=1)


def _add_hands(sums: GameSums, key: tuple[str, str], held: NDArray[np.integer]) -> None:
    many = np.bincount(held)
    x = np.arange(len(many))
    old = sums.hands.get(key, np.zeros(3))
    sums.hands[key] = old + np.array([many.sum(), (many * x).sum(), (many * x * x).sum()])


def _add_lengths(sums: GameSums, end: str, turns: NDArray[np.integer], game: NDArray[np.integer]) -> None:
    """Count games by their length, and keep the first of each."""
    many = np.bincount(turns)
    first = np.zeros(len(many), np.int64)
    first[turns[::-1]] = game[::-1]  # what is assigned last stays
    lengths, firsts = sums.lengths.setdefault(end, {}), sums.first.setdefault(end, {})
    for value in np.flatnonzero(many).tolist():
        lengths[value] = lengths.get(value, 0) + int(many[value])
        firsts[value] = min(firsts.get(value, int(first[value])), int(first[value]))


def arrivals(results: Results, sums: GameSums) -> pd.DataFrame:
    """Order of arrival against winning: arrived ("1st" ... "never"), n (seat-games), wins, win_rate,
    low, high."""
    if not sums.arrivals.size or results.players < 2:
        return pd.DataFrame()
    order = [*range(1, results.players + 1), 0]
    n, wins = sums.arrivals[order].T
    found = intervals.wilson(wins, n)
    frame = pd.DataFrame({
        "arrived": [f"{i}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(i, 'th')}" if i else "never" for i in order],
        "n": n.astype(np.int64), "wins": wins.astype(np.int64),
        "win_rate": found.value, "low": found.low, "high": found.high,
    })  # fmt: skip
    about = "n: seats that arrived at that place; a seat that never arrived cannot win."
    return titled(
        frame[frame["n"] > 0].reset_index(drop=True), "Arrival and winning", "How does the race run?", about
    )


def hands(sums: GameSums) -> pd.DataFrame:
    """Cards in hand when the game ended: end, who, n (hands), mean, mean_low, mean_high."""
    rows = [
        (end, who, int(s[0]), *(float(x) for x in intervals.mean(*s)))
        for (end, who), s in sums.hands.items()
        if s[0] > 0
    ]
    frame = pd.DataFrame(rows, columns=["end", "who", "n", "mean", "mean_low", "mean_high"])
    return titled(frame, "Cards in hand at the end", "Which cards win?")


def to_replay(sums: GameSums) -> pd.DataFrame:
    """Games worth a look: which, game (its number), turns, end."""
    rows = []
    for end, wanted in (
        (FELL, (("the earliest fall", 0.0), ("a typical fall", 0.5), ("the latest fall", 1.0))),
        (RAN_OUT, (("a game that nobody won", 0.5),)),
    ):
        lengths = sums.lengths.get(end, {})
        if not lengths:
            continue
        turns = counts.quantiles(list(lengths), list(lengths.values()), [q for _, q in wanted])
        rows += [
            (which, sums.first[end][int(t)], int(t), end) for (which, _), t in zip(wanted, turns, strict=True)
        ]
    frame = pd.DataFrame(rows, columns=["which", "game", "turns", "end"])
    return titled(frame.drop_duplicates("game"), "Games to replay", "")


def _limits(interval: intervals.Interval) -> tuple[float, float]:
    """The ends of a share's interval, within 0 and 1."""
    return max(0.0, float(interval.low)), min(1.0, float(interval.high))


def blocked(results: Results, sums: GameSums) -> pd.DataFrame:
    """Turns blocked by a Red Army, by seat and by policy.

    Columns: who, n (seat-games), turns, blocked, share, low, high, half (share of games blocked in half
    of the seat's turns or more), supply, nothing (shares of turns lost to supply or passed), each with its
    interval. With single games at hand (30 or more) the game is the unit of the interval of `share`; else,
    and of the turns lost or passed, each seat-game counts as one observation, which makes the interval too
    wide rather than too narrow.
    """
    tally = results.tallies.get("idle", pd.DataFrame())
    if tally.empty:
        return pd.DataFrame()
    what = ["turns", "blocked", "lost to supply", "nothing"]
    idle = np.zeros((len(results.rotations), results.players, 4))
    kind = np.array([what.index(w) for w in tally["what"].tolist()])
    at = (tally["rotation"].to_numpy(), tally["seat"].to_numpy() - 1, kind)
    np.add.at(idle, at, tally["n"].to_numpy())
    labels = np.array(results.rotations, dtype=object)
    seats = np.broadcast_to(np.arange(results.players), labels.shape)
    masks = {f"seat {s + 1}": seats == s for s in range(results.players)}
    if len(results.policies) > 1:
        masks |= {label: labels == label for label in results.policies}
    rows = []
    for who, mask in masks.items():
        turns, stuck, supply, nothing = idle[mask].sum(axis=0)
        n = float((results.rotation_games[:, None] * mask).sum())
        if turns <= 0 or n <= 0:
            continue
        found = [intervals.wilson(part / turns * n, n) for part in (stuck, supply, nothing)]
        half = (float("nan"),) * 3
        if sums.blocks.size:
            m = sums.blocks[mask].sum(axis=0)
            half = (m[6] / n, *_limits(intervals.wilson(m[6], n)))
            found[0] = intervals.ratio(*m[:6]) if n >= FEW else found[0]
        row: list[object] = [who, int(n), int(turns), int(stuck), stuck / turns, *_limits(found[0]), *half]
        for part, interval in zip((supply, nothing), found[1:], strict=True):
            row += [part / turns, *_limits(interval)]
        rows.append(row)
    names = ["who", "n", "turns", "blocked", "share", "low", "high"]
    names += [f"{name}{limit}" for name in ("half", "supply", "nothing") for limit in ("", "_low", "_high")]
    about = (
        "share: of its turns that began with a Red Army before it; half: games in which that was so for half "
        "of its turns or more; supply, nothing: turns lost to supply or passed; n: seat-games."
    )
    return titled(pd.DataFrame(rows, columns=names), "Turns blocked", "Who hinders whom?", about)
