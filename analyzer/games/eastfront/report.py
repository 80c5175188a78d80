"""Eastfront's part of a report: its tables, its charts, its findings in words. Needs Results only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.games.eastfront import report_charts, report_frames, report_words
from analyzer.report import cards, wins
from analyzer.report.parts import Chart, Measure, titled
from analyzer.sim.results import Results
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

# The tables that the terminal shows, in this order, with the columns that fit into its 80 characters.
WINS = ("wins", "win_rate", "low", "high", "fair_share", "edge")
TERMINAL: dict[str, tuple[str, ...]] = {
    "win_rate_by_seat": ("seat", *WINS),
    "win_rate_by_policy": ("policy", *WINS),
    "outcomes": ("outcome", "n", "share", "low", "high"),
    "length": ("measure", "mean", "mean_low", "mean_high", "10 %", "median", "90 %"),
    "stalls": ("soviet", "card", "a_game", "turns", "mean_low", "mean_high", "share"),
}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Every table, name -> frame (title and notes in `attrs`); tables without content are left out."""
    frames = {
        "outcomes": report_frames.outcomes(results),
        "win_rate_by_seat": titled(results.win_rates("seat"), "Win rate by seat", "Who wins?"),
        "win_rate_by_policy": wins.by_policy(results),
        "win_rate_by_policy_and_seat": wins.by_both(results),
        "luck": report_frames.luck(results),
        "length": report_frames.length(results),
        "rescued": report_frames.rescued(results),
        "points": report_frames.points(results),
        "rescues": report_frames.rescues(results),
        "exchanges": report_frames.exchanges(results),
        "attack_length": report_frames.attack_length(results),
        "exact_odds": report_frames.exact_odds(results),
        "stalls": report_frames.stalls(results),
        "cards": cards.cards(results),
        "cards_by_count": cards.cards_by_count(results),
        "hindering": report_frames.hindering(results),
        "hinder_cards": report_frames.hinder_cards(results),
        "games_to_replay": report_frames.to_replay(results),
    }
    return {name: frame for name, frame in frames.items() if len(frame)}


def charts(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[Chart]:
    """Every chart the tables have content for, key chart first."""
    return report_charts.charts(results, tables(results) if frames is None else frames)


def words(results: Results, frames: Mapping[str, pd.DataFrame] | None = None) -> list[str]:
    """The findings, a sentence each: what was played, the main finding (the page's headline), then the
    rest."""
    return report_words.words(results, tables(results) if frames is None else frames)


def series_measures(results: Results, frames: Mapping[str, pd.DataFrame]) -> list[Measure]:
    """What a table over several settings shows of one run: rescues, and how games end."""

    def measure(name: str, table: str, row: str, columns: list[str], **how: Any) -> Measure:
        frame = frames[table]
        values = frame[frame.iloc[:, 0] == row][columns].to_numpy(float)[0].tolist()
        return Measure(name, *values, **how)

    means, shares = ["mean", "mean_low", "mean_high"], ["share", "low", "high"]
    rescued, few = "the mean number of friends rescued a game", "the share of games with at most 1 friend"
    found = [
        measure("friends rescued", "length", "friends rescued", means, chart=True, about=rescued),
        measure("deck ran out", "outcomes", "deck ran out", shares, kind="share"),
        measure(
            "at most 1 friend",
            "outcomes",
            "at most 1 friend rescued",
            shares,
            kind="share",
            chart=True,
            about=f"{few} rescued",
        ),
    ]
    if "hinder_cards" in frames:
        played = float(frames["hinder_cards"]["n"].sum())
        mean, low, high = map(float, intervals.poisson(played, results.n))
        found.append(Measure("cards that hinder", mean, low, high))
    return found
