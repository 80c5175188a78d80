"""What a report says of every game alike: verdicts of balance, and what its intervals rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from analyzer.report.parts import points, titled
from analyzer.report.wins import listed
from analyzer.seats import capital
from analyzer.stats import equivalence

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.sim.results import Results


def tables(results: Results, tolerance: float | None) -> dict[str, pd.DataFrame]:
    """The verdicts if a tolerance is given; what duplicate deals were worth."""
    found = {}
    if tolerance is not None:
        found["verdicts"] = results.verdicts(tolerance)
    if results.duplicate and len(results.rotations) > 1:
        about = (
            "variance ratio: the variance of as many independent games over that of the deals; 2 means that "
            "half as many games do. Below 1 the deals tell less: games on one deal favour the same seat."
        )
        found["duplicate_deals"] = titled(
            results.duplicate_gains(), "What duplicate deals were worth", "Who wins?", about
        )
    return {name: frame for name, frame in found.items() if len(frame)}


def notes(results: Results, frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """The findings of these tables, and the course of a run until a precision, a sentence each."""
    found = [missing(results)]
    if "verdicts" in frames:
        found.append(balance_sentence(frames["verdicts"]))
    if "duplicate_deals" in frames:
        found.append(_duplicate(results, frames["duplicate_deals"]))
    if results.meta.get("precision"):
        found.append(_precision(results))
    return [f"{one.rstrip('.')}." for one in found if one]


LEAST = 10  # games; of fewer nothing is said but who won them


def who_won(results: Results) -> str:
    """Who won each of a few games: Seat 2 won it; seat 1 won 2, nobody 1."""
    won = results.credits()[0].sum(axis=0)
    nobody = results.n - won.sum()
    found = [(name, float(wins)) for name, wins in zip(results.seats, won, strict=True) if wins > 0]
    if results.n == 1:
        names = [name for name, _ in found]
        return (
            f"{capital(listed(names))} won it{' together' * (len(names) > 1)}." if names else "Nobody won it."
        )
    told = [f"{name} won {wins:.3g}" for name, wins in found]
    told += [f"nobody won {nobody:.3g}"] if nobody > 1e-9 else []
    return f"{capital(', '.join(told))}."


def few(results: Results) -> str:
    """That so few games tell no more."""
    if results.n == 1:
        return "One game tells nothing of chances, lengths or balance; analyze replay tells it step by step."
    return f"Of {results.n} games no more can be said; chances, lengths and balance take hundreds."


def missing(results: Results) -> str:
    """What is not in the folder of a saved run any more, and so not in its report; "" if all is there."""
    if not results.missing:
        return ""
    verb = "is" if len(results.missing) == 1 else "are"
    gone = f"{', '.join(results.missing)} {verb} missing in {results.folder}"
    return f"{gone}: tables and charts that need what was there are left out"


def _duplicate(results: Results, frame: pd.DataFrame) -> str:
    rotations = len(results.rotations)
    told = []
    is_seat = frame["of"].isin(results.seats)
    for name, rows in (("policies", frame[~is_seat]), ("seats", frame[is_seat])):
        ratios = rows["variance_ratio"].dropna()
        if len(ratios):
            low, high = (f"{x:.2f}" for x in (ratios.min(), ratios.max()))
            told.append(f"{low if low == high else f'{low} to {high}'} for {name}")
    gain = f" (variance of independent games over theirs: {', '.join(told)})" if told else ""
    deals = f"{results.n // rotations:,} deals was played in all {rotations} rotations"
    rest = "intervals of win rates rest on deals, those of other tables on single games"
    return f"Each of {deals}, so {rest}{gain}"


def _precision(results: Results) -> str:
    asked = results.meta["precision"]
    looks = int(asked["looks"])
    times = "one look" if looks == 1 else f"{looks} looks"
    half = results.widest()
    widest = f"±{points(half, 2)}"
    hold = "intervals of win rates hold at every look, the others for a number of games fixed beforehand"
    if not half < 1.0:
        return f"Only {results.distinct:,} games differ: more would not make intervals narrower ({times})"
    wanted = f"±{points(float(asked['half']), 2)}"
    if half <= float(asked["half"]):
        until = f"Played until every win rate was known to {wanted}"
        return f"{until}: the widest interval is {widest} after {times}; {hold}"
    few = f", of which {results.distinct:,} differ" if results.distinct < results.n else ""
    return (
        f"{wanted} was not reached with {results.n:,} games{few} ({times}): the widest interval is {widest}; "
        f"{hold}"
    )


def balance_sentence(found: pd.DataFrame) -> str:
    """The verdicts in words."""
    if not len(found):
        return ""
    allowed = 100 * float(found.attrs["tolerance"])
    many = f"{allowed:g} point{'' if allowed == 1 else 's'}"
    names = found["claim"] if "setting" not in found else found["claim"] + " (" + found["setting"] + ")"
    told = []
    for word in (equivalence.UNBALANCED, equivalence.BALANCED, equivalence.TOO_FEW):
        rows = found["verdict"] == word
        if rows.any():
            told.append(f"{word}: {_listed(list(names[rows]))}{_needed(found[rows])}")
    claims = int(found.attrs["claims"])
    together = f", {claims} claims judged together" if claims > 1 else ""
    return f"With a tolerance of {many}{together}: {'; '.join(told)}"


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _needed(rows: pd.DataFrame) -> str:
    needed = rows["games_needed"].dropna()
    return f" (about {needed.max():,.0f} games needed)" if len(needed) else ""
