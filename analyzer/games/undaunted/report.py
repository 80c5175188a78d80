"""Undaunted's part of a report: its tables, its charts, its findings in words. Needs Results only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.games.undaunted import report_charts, report_series, report_words
from analyzer.games.undaunted import report_combat as combat
from analyzer.games.undaunted import report_frames as frames
from analyzer.report import wins
from analyzer.report.parts import Chart
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

# The tables that the terminal shows, in this order, with the columns that fit into its 80 characters.
TERMINAL: dict[str, tuple[str, ...]] = {
    "win_rate_by_seat": ("side", "goal", "n", "wins", "win_rate", "low", "high"),
    "win_rate_by_initiative": ("first", "side", "n", "wins", "win_rate", "low", "high"),
    "win_rate_by_policy": ("policy", "n", "wins", "win_rate", "low", "high"),
    "ends": ("end", "winner", "n", "share", "low", "high"),
    "length": ("games", "n", "mean", "mean_low", "mean_high", "10 %", "median", "90 %"),
    "throws": ("action", "n", "simulated", "low", "high", "exact", "a_game"),
}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Every table, name -> frame (title and notes in `attrs`); tables without content are left out."""
    made = {
        "win_rate_by_seat": frames.by_side(results),
        "win_rate_by_initiative": frames.by_initiative(results),
        "win_rate_by_policy": wins.by_policy(results),
        "win_rate_by_policy_and_seat": wins.by_both(results),
        "ends": frames.ends(results),
        "end_shares": frames.end_shares(results),
        "length": frames.length(results),
        "rounds": frames.rounds(results),
        "tiles": frames.tiles(results),
        "points": frames.over_rounds(results, "points"),
        "fog": frames.over_rounds(results, "fog"),
        "initiative": frames.initiative(results),
        "bids": frames.bids(results),
        "casualties": combat.casualties(results),
        "throws": combat.throws(results),
        "hit_rates": combat.hit_rates(results),
        "attackers": combat.attackers(results),
        "chances": combat.chances(results),
        "actions": combat.actions(results),
        "games_to_replay": frames.to_replay(results),
    }
    return {name: frame for name, frame in made.items() if len(frame)}


def charts(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[Chart]:
    """Every chart the tables have content for, key chart first."""
    return report_charts.charts(results, tables(results) if frames is None else frames)


def words(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[str]:
    """The findings, a sentence each: what was played, the main one (the page's headline), then the rest."""
    return report_words.words(results, tables(results) if frames is None else frames)


series_measures = report_series.measures
series_tables = report_series.tables
series_charts = report_series.charts
series_words = report_series.words
series_terminal = report_series.terminal
series_page = report_series.page
