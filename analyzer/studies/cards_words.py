"""What cards do, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.report.parts import points
from analyzer.report.wins import listed, setting
from analyzer.stats import intervals

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.studies.cards import Compared

NAMED = 3  # cards named in a sentence


def words(found: Compared) -> list[str]:
    """What was played, the main effect, what only looks strong, and how little so many games can see."""
    results = found.results
    dealt = f", and {len(found.dealt)} forced into an opening hand" if found.dealt else ""
    said = [
        f"{setting(results)}, seed {results.meta['seed']}; and as many games for each of "
        f"{len(found.pieces)} cards {less(found)}{dealt}, on the same luck.",
        f"{effect_finding(found)}.",
        f"{correlation_finding(found)}.",
    ]
    said += [f"{one}." for one in (*forced_finding(found), *only_looks(found))]
    said.append(f"{smallest(found)}.")
    if results.weight < 1.0:
        said.append(f"Only {results.distinct:,} of the {results.n:,} games differ; intervals rest on those.")
    if not found.owned:
        said.append(
            "All draw from one deck: fewer cards also make it shorter, and that is part of the effect. The "
            "opening hand is dealt by chance, so what it goes with is the card's own doing."
        )
    if found.refused:
        said.append(f"Not changed: {listed(list(found.refused))} (see the table).")
    return said


def less(found: Compared) -> str:
    """What was done to a card."""
    return "without it" if found.change is None else f"with {found.change:+d} of it"


def what(found: Compared) -> str:
    """What a card without an owner can change, and one with."""
    return "who wins" if found.owned else "how often anybody wins"


def main(found: Compared) -> pd.DataFrame:
    """The effects that are judged: of each card those on its measures."""
    measures = {piece.name: found.measures(piece) for piece in found.pieces}
    frame = found.effects
    return frame[[m in measures[card] for card, m in zip(frame["card"], frame["measure"], strict=True)]]


def change(row: Any) -> str:
    """One effect with its interval: -4.2 points (-5.0 to -3.4)."""
    value, low, high = row["change"], row["low"], row["high"]
    if row["measure"] == "rounds":
        return f"{value:+.2f} rounds ({low:+.2f} to {high:+.2f})"
    return f"{'+' if value > 0 else ''}{points(value)} ({100 * low:+.1f} to {100 * high:+.1f})"


def effect_finding(found: Compared) -> str:
    """The card whose absence changes most, by the first measure of each card."""
    frame = main(found)
    first = frame[~(frame["measure"] == "rounds")]
    clear = first[first["clear"]]
    if clear.empty:
        all_of = f"when all {found.claims} effects are judged together"
        return f"No card {less(found)} clearly changes {what(found)}, {all_of}"
    top = clear.iloc[np.argsort(-clear["change"].abs().to_numpy())[:NAMED]]
    told = [f"{row['card']}: {row['measure']} {change(row)}" for _, row in top.iterrows()]
    many, of = clear["card"].nunique(), len(found.pieces)
    return f"{many} of {of} cards clearly change {what(found)}; {less(found)}, most of all {'; '.join(told)}"


def headline(found: Compared) -> str:
    """The main effect, short enough for a chart."""
    frame = main(found)
    first = frame[(frame["measure"] != "rounds") & frame["clear"]]
    if first.empty:
        return f"No card {less(found)} clearly changes {what(found)}"
    row = first.iloc[int(np.argmax(first["change"].abs()))]
    many, of = first["card"].nunique(), len(found.pieces)
    change = f"{100 * row['change']:+.1f} points"
    return (
        f"{many} of {of} cards clearly change {what(found)}; most {row['card']} ({row['measure']}: {change})"
    )


def forced_finding(found: Compared) -> list[str]:
    """The card that helps or hurts most whoever is dealt it, or why none was forced."""
    if not found.dealt:
        return [found.forcing.why.rstrip(".")] if found.forcing.why else []
    frame, of = found.forced, len(found.dealt)
    clear = frame[frame["clear"].astype(bool)]
    if clear.empty:
        return [
            f"Forced into an opening hand, none of {of} cards clearly changes how often its holder wins, "
            "when "
            "all are judged together"
        ]
    top = clear.iloc[np.argsort(-clear["change"].abs().to_numpy())[:NAMED]]
    told = [
        f"{row['card']} {100 * row['change']:+.1f} points "
        f"({100 * row['change low']:+.1f} to {100 * row['change high']:+.1f})"
        for _, row in top.iterrows()
    ]
    return [
        f"Forced into an opening hand, {len(clear)} of {of} cards clearly change how often its holder wins: "
        f"{'; '.join(told)}"
    ]


def _clear_correlations(found: Compared, stat: str) -> pd.DataFrame:
    """Rows of the side by side whose correlation is clear when all cards are judged together."""
    frame = found.side_by_side
    if stat not in frame:
        return frame.iloc[:0]
    wider = intervals.z_value(intervals.joint_level(0.95, len(frame))) / intervals.z_value(0.95)
    low = frame[stat] + wider * (frame[f"{stat} low"] - frame[stat])
    high = frame[stat] + wider * (frame[f"{stat} high"] - frame[stat])
    return frame[(low > 0) | (high < 0)]


def _helps(found: Compared, stat: str) -> list[str]:
    """The cards whose correlation with winning is clear and positive."""
    clear = _clear_correlations(found, stat)
    if clear.empty:
        return []
    return [str(card) for card, value in zip(clear["card"], clear[stat], strict=True) if value > 0]


def correlation_finding(found: Compared) -> str:
    """The card that goes with winning (or losing) most, held or played."""
    told: dict[bool, list[str]] = {True: [], False: []}  # by whether it goes with winning
    for stat, doing in (("opening", "one more in the opening hand"), ("played", "one more play")):
        clear = _clear_correlations(found, stat)
        if len(clear):
            row = clear.iloc[int(np.argmax(clear[stat].abs()))]
            low, high = 100 * row[f"{stat} low"], 100 * row[f"{stat} high"]
            told[bool(row[stat] > 0)].append(
                f"{row['card']}, {doing}: {100 * row[stat]:+.1f} points ({low:+.1f} to {high:+.1f})"
            )
    if not any(told.values()):
        return "Neither holding nor playing any card goes clearly with winning, or with losing"
    return ". ".join(
        f"What goes with {'winning' if wins else 'losing'} most: {'; '.join(cards)}"
        for wins, cards in told.items()
        if cards
    )


def only_looks(found: Compared) -> list[str]:
    """Cards that are played by winners, but do not make them win."""
    if not found.owned:
        return _looks_of_shared(found)
    frame = main(found)
    clear = frame["clear"].to_numpy(bool)
    better = set(frame.loc[clear & (frame["change"] > 0).to_numpy(), "card"])
    looks, known = _helps(found, "played"), set(frame.loc[clear, "card"])
    idle = [card for card in looks if card not in known]
    worse = [card for card in looks if card in better]
    said = []
    if idle:
        said.append(f"Playing {listed(idle)} goes with winning, but {less(found)} no clear change is seen")
    if worse:
        said.append(f"Playing {listed(worse)} goes with winning, yet its side wins more {less(found)}")
    return said


def _looks_of_shared(found: Compared) -> list[str]:
    """The opening hand is dealt by chance: where it says nothing of a card that winners play, or the
    contrary, winners play it because they are winning (or live long enough)."""
    if "opening" not in found.side_by_side:
        return []
    dealt = _clear_correlations(found, "opening")
    known = {str(card): float(x) for card, x in zip(dealt["card"], dealt["opening"], strict=True)}
    looks = _helps(found, "played")
    unclear, hurts = [x for x in looks if x not in known], [x for x in looks if known.get(x, 0.0) < 0]
    said = []
    if unclear:
        said.append(
            f"Playing {listed(unclear)} goes with winning, being dealt it not clearly: it is played by those "
            "who win anyway, or needs other cards"
        )
    if hurts:
        said.append(f"Playing {listed(hurts)} goes with winning, but who is dealt it wins less")
    return said


def smallest(found: Compared) -> str:
    """What so many games can see."""
    frame = main(found)
    seen = frame.loc[frame["measure"] != "rounds", "smallest"]
    return (
        f"With {found.results.n:,} games a setting, a change of {points(float(seen.median()))} is seen four "
        "times in five (for a single card); smaller ones may be missed"
    )
