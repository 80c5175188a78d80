"""Moscow's part of a report: its tables, its charts, its findings in words. Needs Results only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from analyzer.games.moscow import report_charts, report_frames, report_games, report_words
from analyzer.report import cards, wins
from analyzer.report.parts import Chart, Measure
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

# The tables that the terminal shows, in this order, with the columns that fit into its 80 characters.
WINS = ("wins", "win_rate", "low", "high", "fair_share", "edge")
TERMINAL: dict[str, tuple[str, ...]] = {
    "win_rate_by_seat": ("seat", *WINS),
    "win_rate_by_policy": ("policy", *WINS),
    "outcomes": ("outcome", "n", "share", "low", "high"),
    "length": ("measure", "mean", "mean_low", "mean_high", "10 %", "median", "90 %"),
    "fight_odds": ("target", "faces", "exact", "n", "simulated", "low", "high"),
}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Every table, name -> frame (title and notes in `attrs`); tables without content are left out."""
    sums = report_games.game_sums(results)
    frames = {
        "outcomes": report_frames.outcomes(results),
        "win_rate_by_seat": wins.by_seat(results),
        "win_rate_by_policy": wins.by_policy(results),
        "win_rate_by_policy_and_seat": wins.by_both(results),
        "length": report_frames.length(results),
        "ends_by_month": report_frames.ends(results, "month"),
        "ends_by_round": report_frames.ends(results, "round"),
        "km_by_round": report_frames.km_by_round(results),
        "arrivals": report_games.arrivals(results, sums),
        "fight_odds": report_frames.fight_odds(results),
        "cards": cards.cards(results),
        "cards_by_count": cards.cards_by_count(results),
        "hands_at_the_end": report_games.hands(sums),
        "blocked": report_games.blocked(results, sums),
        "hindering": report_frames.hindering(results),
        "games_to_replay": report_games.to_replay(sums),
    }
    return {name: frame for name, frame in frames.items() if len(frame)}


def series_measures(_: Results, frames: Mapping[str, pd.DataFrame]) -> list[Measure]:
    """What a table over several settings shows of one run: when Moscow falls, how much is blocked."""
    name = "round of the fall"
    falls = frames["length"][frames["length"]["measure"] == name]
    means = falls[["mean", "mean_low", "mean_high"]].to_numpy(float).tolist()
    found = [Measure(name, mean, low, high, "number", True, f"the mean {name}") for mean, low, high in means]
    if "blocked" in frames:
        seats = frames["blocked"][frames["blocked"]["who"].str.startswith("seat ")]
        # All seats together, as if those of one game were blocked together: the limits are rather too wide.
        share, low, high = (
            float(np.average(seats[name], weights=seats["turns"])) for name in ("share", "low", "high")
        )
        found.append(Measure("turns blocked", share, low, high, "share"))
    return found


def charts(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[Chart]:
    """Every chart the tables have content for, key chart first."""
    return report_charts.charts(results, tables(results) if frames is None else frames)


def words(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[str]:
    """The findings, a sentence each: what was played, the main finding (the page's headline), then the
    rest."""
    return report_words.words(results, tables(results) if frames is None else frames)
