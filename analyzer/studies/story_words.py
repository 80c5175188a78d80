"""The story of a game in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.report.draw import percent
from analyzer.report.wins import listed, setting
from analyzer.stats import pacing

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.studies.story import Measure, Told

FEW = 400  # games with one winner below which the pace is not told


def words(found: Told) -> list[str]:
    """What was played, when it is decided, who leads and comes back, and how far this can be trusted."""
    results = found.results
    said = [f"{setting(results)}, seed {results.meta['seed']}.", f"{decision(found)}."]
    measures = found.measures
    changes, none = measures["lead changes"], measures["games without a lead change"]
    said.append(
        f"The lead changes {changes.value:.1f} times a game ({changes.low:.1f} to {changes.high:.1f}); in "
        f"{share(none)} of the games it never does."
    )
    said.append(f"{leader(found)}. {comeback(found)}.")
    said.append(f"{idle(found)}.")
    kings = measures.get("a seat without hope among others with some")
    if kings is not None and not found.few:
        said.append(
            f"In {share(kings)} of the games a seat without hope (chance below {percent(pacing.OUT, 0)}) "
            "still plays while the others are not decided, and may choose who wins."
        )
    if results.weight < 1.0:
        said.append(
            f"Only {results.distinct:,} of the {results.n:,} games differ; the intervals rest on those."
        )
    said.append(
        f"Chances are told by {listed(found.signs)}, as these games show what they are worth; what is left "
        "out may decide a game earlier."
    )
    return said


def decision(found: Told) -> str:
    """When the games are decided: the main finding, without its full stop."""
    n = len(found.decided)
    if found.few:
        return (
            f"Only {n:,} games have one winner: too few to tell when they are decided "
            f"(at least {FEW} are needed)"
        )
    by, part = (found.measures[f"decided, half of the games {what}"] for what in ("by round", "after"))
    last = found.measures["decided in the last round only"]
    return (
        f"Half of the games are decided by the end of round {by.value:.0f} ({by.low:.0f} to {by.high:.0f}), "
        f"after {share(part)} of their length; {share(last)} are open until the last round"
    )


def headline(found: Told) -> str:
    """The main finding, short enough for a chart."""
    if found.few:
        return "Too few games have one winner to tell when they are decided"
    by, part = (found.measures[f"decided, half of the games {what}"] for what in ("by round", "after"))
    last = found.measures["decided in the last round only"]
    if part.value >= 1.0:
        return f"{percent(last.value)} of the games are open until their last round, as far as can be told"
    return (
        f"Half of the games are decided by round {by.value:.0f}, after {percent(part.value)} of their length"
    )


def leader(found: Told) -> str:
    """What an early lead is worth."""
    one, fair = found.measures["the leader after a third wins"], pacing.runaway(found.told).fair
    if not one.n:
        return "After a third of the game nobody leads alone"
    return (
        f"Who leads after a third of the game wins {share(one)} of these games (a seat wins {percent(fair)})"
    )


def comeback(found: Told) -> str:
    """What a seat behind can hope for."""
    one = found.measures["a seat behind at half-time wins"]
    if not one.n:
        return "At half-time nobody is behind"
    return f"A seat behind at half-time still wins {share(one)} of the time"


def misses(calibration: pd.DataFrame) -> str:
    """The end of a sentence: where told chances clearly miss, the largest miss; "" where none does."""
    told, won = calibration["told"], calibration["win_rate"]
    clear = calibration[(told < calibration["low"]) | (told > calibration["high"])]
    if clear.empty:
        return ""
    worst = clear.iloc[int((told - won).abs()[clear.index].to_numpy().argmax())]
    return (
        f"; {len(clear)} of {len(calibration)} groups clearly miss, most of all "
        f"{percent(worst['told'])} told, {percent(worst['win_rate'])} won"
    )


def idle(found: Told) -> str:
    """How often a seat can do nothing."""
    frame = found.tables()["idle"]
    most, least = frame.iloc[int(frame["share"].argmax())], frame.iloc[int(frame["share"].argmin())]
    low, high = percent(most["low"]), percent(most["high"])
    text = f"A seat can do nothing in {percent(frame['share'].mean())} of its turns"
    if not most["low"] > least["high"]:  # nor if there are no limits
        return f"{text}; no seat clearly more often than another"
    return f"{text}; most often {most['seat']}, in {percent(most['share'])} ({low} to {high})"


def share(one: Measure) -> str:
    """A share with its interval: 42.0 % (41.2 to 42.8)."""
    return f"{percent(one.value)} ({100 * one.low:.1f} to {100 * one.high:.1f})"
