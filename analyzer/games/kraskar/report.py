"""Kraskar's part of a report: its tables, its charts, its findings in words. Needs Results only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.games.kraskar import report_charts, report_words
from analyzer.games.kraskar import report_frames as frames
from analyzer.report import draw, wins
from analyzer.report.parts import Chart, Measure
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd

MOSTLY = 0.99  # share of distinct games from which a few repeats are not worth a sentence
# The tables that the terminal shows, in this order, with the columns that fit into its 80 characters.
TERMINAL: dict[str, tuple[str, ...]] = {
    "win_rate_by_seat": ("seat", "deck", "n", "wins", "win_rate", "low", "high"),
    "win_rate_by_order": ("who", "n", "wins", "win_rate", "low", "high"),
    "win_rate_by_policy": ("policy", "n", "wins", "win_rate", "low", "high"),
    "outcomes": ("outcome", "n", "share", "low", "high"),
    "length": ("measure", "mean", "mean_low", "mean_high", "10 %", "median", "90 %"),
    "castle_life": ("part", "n", "life", "share", "low", "high"),
}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Every table, name -> frame (title and notes in `attrs`); tables without content are left out."""
    found = frames.sample(results)
    made = {
        "win_rate_by_seat": frames.by_seat(results),
        "win_rate_by_order": frames.by_order(results, found),
        "win_rate_by_policy": wins.by_policy(results),
        "win_rate_by_policy_and_seat": wins.by_both(results),
        "distinct_games": frames.distinct(found),
        "outcomes": frames.outcomes(results, found),
        "length": frames.length(results, found),
        "turns": frames.turns(results, found),
        "life_left": frames.life_left(results, found),
        "castle_damage": frames.castle_damage(results, found),
        "castle_life": frames.castle_life(results, found),
        "units": frames.units(results, found),
        "retreats": frames.retreats(results, found),
        "causes_of_retreat": frames.causes(results, found),
        "fallen": frames.fallen(results, found),
        "actions": frames.actions(results, found),
        "wasted_chips": frames.wasted(results, found),
        "hits_to_kill": frames.hits_to_kill(results),
        "games_to_replay": frames.to_replay(results),
    }
    return {name: frame for name, frame in made.items() if len(frame)}


def charts(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[Chart]:
    """Every chart the tables have content for, key chart first."""
    return report_charts.charts(results, tables(results) if frames is None else frames)


def series_measures(results: Results, tables: Mapping[str, pd.DataFrame]) -> list[Measure]:
    """What the table of a series tells of one pairing of decks, besides who wins."""
    first = tables["win_rate_by_order"].iloc[0]
    fell = tables["outcomes"].iloc[0]
    known = tables["distinct_games"].iloc[0]
    return [
        Measure(
            "first mover wins", float(first["win_rate"]), float(first["low"]), float(first["high"]), "share"
        ),
        Measure("a castle falls", float(fell["share"]), float(fell["low"]), float(fell["high"]), "share"),
        Measure("distinct games", float(known["share"]), kind="share", about="of all games of the setting"),
    ]


def series_words(series: Any, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """The warning of a series that repeats games."""
    part = "distinct games"
    frame = tables["settings"]
    if part not in frame or frame[part].min() > MOSTLY:
        return []
    least = draw.percent(float(frame[part].min()))
    return [
        f"In some settings only {least} of the games are distinct; the intervals rest on the distinct ones."
    ]


def words(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[str]:
    """The findings, a sentence each: what was played, the main one (the page's headline), then the rest."""
    return report_words.words(results, tables(results) if frames is None else frames)
