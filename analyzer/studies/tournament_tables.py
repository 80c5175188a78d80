"""The tables of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.report.parts import titled

if TYPE_CHECKING:
    from analyzer.stats.intervals import Interval
    from analyzer.stats.meta import Support
    from analyzer.studies.tournament import Tournament

STRONG, WHOM, MEANS = "Which strategy is strong?", "Who beats whom?", "What does it mean?"

INTERVAL = "± is half of the 95 % interval; in brackets stands the whole of it, where it is lopsided."


def tables(found: Tournament) -> dict[str, pd.DataFrame]:
    """standings, matrix (a row a cell) and matrix_shown (each against each), meaning, cycles, seats,
    line_ups."""
    frames = {
        "standings": standings(found),
        "matrix_shown": cross(found),
        "meaning": meaning(found),
        "seats": seats(found),
        "cycles": cycles(found),
        "matrix": matrix(found),
        "line_ups": line_ups(found),
    }
    return {name: frame for name, frame in frames.items() if len(frame)}


def order(found: Tournament) -> np.ndarray:
    """The entrants from the strongest to the weakest, by rating."""
    return np.argsort(-found.ratings.rating, kind="stable")


def standings(found: Tournament) -> pd.DataFrame:
    """One row an entrant, the strongest first."""
    rate, edge, games = found.against_all
    elo, names = found.elo, found.field.names
    rows = []
    for i in order(found).tolist():
        rows.append({
            "entrant": names[i], "n": round(games[i]),
            "win_rate": rate.value[i], "low": rate.low[i], "high": rate.high[i],
            "edge": edge.value[i], "edge_low": edge.low[i], "edge_high": edge.high[i],
            "Elo": elo.value[i], "Elo low": elo.low[i], "Elo high": elo.high[i],
            "rated first": found.best[i],
            "beats": int(found.beaten[i].sum()), "is beaten by": int(found.beaten[:, i].sum()),
        })  # fmt: skip
    frame = pd.DataFrame(rows)
    frame.attrs["kinds"] = {"Elo": "number", "rated first": "share"}
    what = "a pairing" if found.players == 2 else "a line-up with others in it"
    return titled(
        frame,
        "Standings",
        STRONG,
        f"n: games; win rate: of one seat, every opponent (as {what}) weighing the same; difference: above a "
        "fair share of the games that anybody won; Elo: rating against the average entrant (400 "
        "points are 10 to 1"
        + (
            "; of those that won and lost; who never did either has one limit only"
            if found.one_sided.any()
            else ""
        )
        + "); rated first: in which share of resampled tournaments; beats, is beaten by: how many "
        "opponents, "
        "clear of chance with all pairings judged together.",
    )


def _limits(cells: Interval, i: int, j: int) -> dict[str, float]:
    return {"edge": cells.value[i, j], "edge_low": cells.low[i, j], "edge_high": cells.high[i, j]}


def matrix(found: Tournament) -> pd.DataFrame:
    """One row a cell: of `row` against `column`."""
    names, cell, score = found.field.names, found.payoffs, found.scores
    rows = []
    for i in range(found.size):
        for j in range(found.size):
            if i == j:
                continue
            rows.append({
                "row": names[i], "column": names[j], "n": round(cell.games[i, j]),
                "score": cell.value[i, j], "score low": score.low[i, j], "score high": score.high[i, j],
                **_limits(found.edges, i, j), "clear": _clear(found, i, j),
            })  # fmt: skip
    frame = pd.DataFrame(rows)
    frame.attrs["kinds"] = {"score": "share"}
    if found.players == 2:
        about = "score: wins of the row against the column, a game that nobody or both won counting half"
    else:
        about = f"score: win rate of one row among {found.players - 1} of the column"
    return titled(
        frame,
        "Each against each",
        WHOM,
        f"{about}; its 95 % interval holds for the cell alone; difference: above a fair share, its interval "
        "holds together with all others.",
    )


def _clear(found: Tournament, i: int, j: int) -> str:
    if found.beaten[i, j]:
        return "wins"
    return "loses" if found.edges.high[i, j] < 0 else "unclear"


def cell_text(found: Tournament, i: int, j: int, between: str = " ") -> str:
    """A cell in per cent with its interval: half of it, near 0 and 100 from where to where."""
    value, low, high = (100 * part[i, j] for part in found.scores)
    even = abs((high - value) - (value - low)) < 0.05
    near = f"±{high - value:.1f}" if even else f"({low:.1f}–{high:.1f})"
    return f"{value:.1f}{between}{near}"


def cross(found: Tournament) -> pd.DataFrame:
    """Each against each as a square of texts, in the order of the standings."""
    names, rank = found.field.names, order(found).tolist()

    def text(i: int, j: int) -> str:
        return "–" if i == j else cell_text(found, i, j)

    rows: list[dict[str, Any]] = [
        {"row against column": names[i], **{names[j]: text(i, j) for j in rank}} for i in rank
    ]
    even = "50" if found.players == 2 else f"{100 / found.players:.3g} of the games that anybody won"
    return titled(
        pd.DataFrame(rows),
        "Each against each, in per cent",
        WHOM,
        (
            f"Equal strength: {even}. {INTERVAL}"
            if found.players == 2
            else f"One of the row among {found.players - 1} of the column. Equal strength: {even}. {INTERVAL}"
        ),
    )


def meaning(found: Tournament) -> pd.DataFrame:
    """One row an entrant: equilibrium, alpha-rank, by whom it is dominated."""
    names = found.field.names
    better = {one.worse: names[one.better] for one in reversed(found.dominated)}
    rows, parts = [], {"alpha-rank": found.alpha_rank}
    if found.nash is not None:
        parts = {"equilibrium": found.nash, **parts}
    for i in order(found).tolist():
        row: dict[str, Any] = {"entrant": names[i]}
        for name, (weight, support) in parts.items():
            row |= {
                name: weight[i],
                f"{name} low": support.low[i],
                f"{name} high": support.high[i],
                f"in {name}": support.chance[i],
            }
        rows.append({**row, "dominated by": better.get(i, "")})
    frame = pd.DataFrame(rows)
    frame.attrs["kinds"] = dict.fromkeys(
        ("equilibrium", "alpha-rank", "in equilibrium", "in alpha-rank"), "share"
    )
    wide = any(unknown(support).any() for _, support in parts.values())
    told = (
        "equilibrium: how often a player plays it whom no opponent can out-guess (two players); "
        if found.nash is not None
        else ""
    )
    return titled(
        frame,
        "Equilibrium and evolution",
        MEANS,
        f"{told}alpha-rank: share of time that evolution by imitation spends at it; in ...: share of payoffs "
        "drawn within their errors in which it plays a part; the intervals are of the same draws; dominated "
        "by: one that is clearly better against every opponent." + (f" {UNKNOWN}" if wide else ""),
    )


UNKNOWN = (
    "An interval from 0 to 100 % tells nothing: within the errors it may be played always or never, and only "
    "more games (--n) can tell; one from 100 to 100 % says that it is the best answer whatever the errors."
)


def unknown(support: Support) -> np.ndarray:
    """Whose weight may be all or nothing within the errors, bool[entrant]."""
    return np.asarray((support.low < 0.005) & (support.high > 0.995))


def cycles(found: Tournament) -> pd.DataFrame:
    """Cycles of three and how likely each is, given the errors; those clear of chance are marked."""
    names = found.field.names
    clear = set(found.cycles)
    rows = [
        {"cycle": " > ".join(names[i] for i in (*which, which[0])), "chance": chance,
         "clear": "yes" if which in clear else ""}
        for which, chance in list(found.cycle_chance[1].items())[:20]
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["cycle", "chance", "clear"])
    frame.attrs["kinds"] = {"chance": "share"}
    return titled(
        frame,
        "Cycles",
        WHOM,
        "chance: share of payoffs drawn within their errors in which each beats the next; clear: every link "
        "is clear of chance, with all pairings judged together.",
    )


def seats(found: Tournament) -> pd.DataFrame:
    """Win rate by seat over all line-ups."""
    rate, edge = found.seats
    frame = pd.DataFrame({
        "seat": found.seat_names, "n": round(float(found.all.games.sum())),
        "win_rate": rate.value, "low": rate.low, "high": rate.high,
        "edge": edge.value, "edge_low": edge.low, "edge_high": edge.high,
    })  # fmt: skip
    about = "Everybody sat in every seat equally often, so that this is the seat and not who sat there."
    return titled(frame, "Win rate by seat, over all line-ups", "Is a seat favoured?", about)


def line_ups(found: Tournament) -> pd.DataFrame:
    """One row a run: who sat where in the first rotation, games, seed of its own, shares nobody won."""
    rows = []
    for lineup, sums in zip(found.field.lineups, found.sums, strict=True):
        asked = lineup.request
        seated = " | ".join(found.field.names[i] for i in lineup.members[0])
        won = float(sums.credits.sum() / max(sums.games.sum(), 1e-12))
        rows.append({"line_up": seated, "n": asked.n, "seed": str(asked.seed), "nobody": max(0.0, 1 - won)})
    frame = pd.DataFrame(rows)
    frame.attrs["kinds"] = {"nobody": "share"}
    about = "Each line-up has luck of its own: `analyze run` with its seed, n and policies plays its games."
    return titled(frame, "Line-ups", "What was played?", about)
