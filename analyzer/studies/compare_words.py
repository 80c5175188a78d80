"""A comparison in words: what the two sides are, what changes, and what so many games can see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.report.draw import percent
from analyzer.report.notes import balance_sentence
from analyzer.report.parts import points
from analyzer.seats import capital
from analyzer.stats.equivalence import TOO_FEW
from analyzer.studies.pairing import NOBODY, SWITCHING, Pairing

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from analyzer.studies.compare import Asked, Found

MOST = 4  # changed settings that are listed


# ---- the two sides ---------------------------------------------------------------------------------------


def sides(pairing: Pairing) -> dict[str, str]:
    """What A and B are, as far as they differ."""
    a, b = pairing.a, pairing.b
    told: dict[str, list[str]] = {"A": [], "B": []}
    if a.labels != b.labels or pairing.one_seat:
        told["A"].append(_seats(a.labels))
        told["B"].append(_seats(b.labels))
    before, after = _flat(a.config.as_dict()), _flat(b.config.as_dict())
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    for key in changed[:MOST]:
        told["A"].append(f"{key} = {_short(before.get(key))}")
        told["B"].append(f"{key} = {_short(after.get(key))}")
    if len(changed) > MOST:
        told["B"].append(f"and {len(changed) - MOST} more settings changed")
    return {side: ", ".join(parts) or "as A in all but the names" for side, parts in told.items()}


def _seats(labels: list[str]) -> str:
    if len(set(labels)) == 1:
        return f"{labels[0]} in every seat" if len(labels) > 1 else labels[0]
    first, rest = labels[0], set(labels[1:])
    if len(rest) == 1 and len(labels) > 2:
        return f"{first} in one seat, {rest.pop()} in the others"
    return ", ".join(labels)


def _flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Nested values by dotted key."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{before}{key}"
        found |= _flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return found


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


# ---- what was found --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """The question, what was played, and the tables made of it."""

    question: Asked
    found: Found
    frames: Mapping[str, pd.DataFrame]

    @property
    def pairing(self) -> Pairing:
        """How the games were paired."""
        return self.question.pairing

    @property
    def differences(self) -> pd.DataFrame:
        """The table of the shares."""
        return self.frames["differences"]

    def words(self) -> list[str]:
        """The findings, a sentence each: what was played, the main one, the rest."""
        found = [self.setting(), self.main(), *self.verdicts(), self.luck(), *self.others()]
        found += [self.lengths(), self.sight()]
        return [f"{one.rstrip('.')}." for one in found if one]

    def setting(self) -> str:
        """What was played against what."""
        told, pairing = sides(self.pairing), self.pairing
        n = int(self.differences["n"].iloc[0])
        per = "1 pair of games" if n == 1 else f"{n:,} pairs of games"
        if pairing.by_deal:
            a, b = len(pairing.a.rotations), len(pairing.b.rotations)
            per = f"{n:,} deals, each played {_times(a)} by A and {_times(b)} by B"
        players = "1 player" if pairing.a.players == 1 else f"{pairing.a.players} players"
        return f"{pairing.a.game} with {players}, {per} on the same luck. A: {told['A']}. B: {told['B']}"

    def main(self) -> str:
        """The answer: that of the sequential test if there was one."""
        if self.found.course is not None:
            return self._tested(self.differences.iloc[self.question.watched])
        return self.answer()

    def answer(self) -> str:
        """What the differences say."""
        row = self.differences.iloc[self.question.watched]
        if self._chosen:
            return self._of(row)
        clear = self.differences[self.differences["finding"].isin(["more", "less"])]
        if clear.empty:
            if self._few or not float(self.differences["smallest"].max()) < 1.0:
                return f"Too few different games ({self._games}) to tell any difference from chance"
            largest = points(float(self.differences["smallest"].max()))
            return (
                f"No difference between A and B in who wins is clear of chance; one of {largest} would have "
                "been seen in 4 of 5 such studies"
            )
        best = clear.iloc[int(np.argmax(np.abs(clear["difference"].to_numpy(np.float64))))]
        return self._of(best)

    @property
    def _chosen(self) -> bool:
        """Whether one difference is what was asked for: that of the policy that changed, or one named."""
        first = self.pairing.measures[self.question.watched]
        return bool(self.question.measure) or "→" in first.name

    @property
    def _few(self) -> bool:
        return bool((self.differences["finding"] == "too few games").all())

    @property
    def _games(self) -> str:
        return f"{self.found.games:,} played"

    def _of(self, row: pd.Series[Any]) -> str:
        name, gap = str(row["wins"]), float(row["difference"])
        if row["finding"] == "too few games":
            return f"Too few different games ({self._games}) to tell a difference from chance for {name}"
        low, high = (100 * float(row[f"difference {end}"]) for end in ("low", "high"))
        limits = f"95 % interval {low:+.2f} to {high:+.2f}"
        rates = f"{percent(float(row['A']))} to {percent(float(row['B']))}"
        if row["finding"] == "not clear":
            seen = points(float(row["smallest"]))
            alone = low > 0 or high < 0
            rows = self.found.claims(self.pairing)
            together = f" when all {rows} rows are judged together" if alone else ""
            return (
                f"{capital(_subject(name))} {_does(name, gap)} ({limits}{' by itself' if alone else ''}), "
                f"which is not clear of chance{together}; {seen} would have been seen in 4 of 5 such studies"
            )
        return f"{capital(_subject(name))} {_does(name, gap)} ({rates}; {limits})"

    def others(self) -> list[str]:
        """The other clear differences, and how a change goes from seat to seat."""
        told = []
        if self.pairing.one_seat:
            seats = self.differences[self.differences["wins"].str.startswith(SWITCHING)]
            best, worst = (
                seats.iloc[int(at(seats["difference"].to_numpy()))] for at in (np.argmax, np.argmin)
            )
            told.append(
                f"By seat the switch is worth from {_signed(worst['difference'])} points "
                f"({_seat(worst['wins'])}) to {_signed(best['difference'])} ({_seat(best['wins'])})"
            )
        clear = self.differences[self.differences["finding"].isin(["more", "less"])]
        said = self.answer().lower()
        names = [
            f"{name} {_signed(gap)}"
            for name, gap in zip(map(str, clear["wins"]), clear["difference"], strict=True)
            if not name.startswith(SWITCHING)
            and not (self.found.course is None and said.startswith(_subject(name).lower()))
        ]
        if names and self.found.course is not None:
            told.append(f"Clear of chance, in points: {', '.join(names)}")
        elif names:
            told.append(f"Clear of chance, too, in points: {', '.join(names)}")
        return told

    def lengths(self) -> str:
        """How much longer a game is."""
        row = self.frames["lengths"].iloc[0]
        gap, low, high = (float(row[f"difference{end}"]) for end in ("", " low", " high"))
        a, b = float(row["A"]), float(row["B"])
        if row["finding"] in ("more", "less"):
            how = "longer" if gap > 0 else "shorter"
            return (
                f"A game under B is {abs(gap):.2f} rounds {how} ({a:.1f} to {b:.1f}; 95 % interval of the "
                f"difference {low:+.2f} to {high:+.2f})"
            )
        if row["finding"] == "too few games":
            return ""
        return f"The length of a game does not differ clearly ({a:.1f} and {b:.1f} rounds)"

    def verdicts(self) -> list[str]:
        """What the verdicts say, if a tolerance was given."""
        if "verdicts" not in self.frames:
            return []
        frame = self.frames["verdicts"]
        allowed = 100 * float(frame.attrs["tolerance"])
        told, open_ = [], ""
        for word in dict.fromkeys(frame["verdict"]):
            rows = frame[frame["verdict"] == word]
            needed = rows["games_needed"].dropna()
            more = f" (about {needed.max():,.0f} games a side needed)" if len(needed) else ""
            names = ", ".join(map(str, rows["wins"]))
            if word == TOO_FEW:
                open_ = f"too few games to tell of {names}{more}"
            else:
                told.append(f"{word}: {names}{more}")
        sides = f", A and B are {'; '.join([*told, *filter(None, [open_])])}" if told else f": {open_}"
        said = [
            f"With a tolerance of {allowed:g} point{'' if allowed == 1 else 's'}, {frame.attrs['claims']} "
            f"claims judged together{sides}"
        ]
        if "balance" in self.frames:
            rest = balance_sentence(self.frames["balance"]).partition(": ")[2]
            said.append(f"Within each side: {rest}")
        return said

    def sight(self) -> str:
        """The smallest effect that so many games can see."""
        small = self.differences["smallest"].to_numpy(np.float64)
        small = small[small < 1.0]  # a share cannot change by more
        if not np.isfinite(small).any() or self.found.course is not None:
            return ""
        low, high = points(float(np.nanmin(small))), points(float(np.nanmax(small)))
        much = low if low == high else f"{low.split(chr(160))[0]} to {high} (according to the row)"
        return f"So many games would see a difference of {much} in 4 of 5 such studies"

    def luck(self) -> str:
        """What the common luck was worth."""
        ratios = self.differences["variance_ratio"].to_numpy(np.float64)
        ratios = ratios[np.isfinite(ratios)]
        if not len(ratios):
            return ""
        main = float(self.differences["variance_ratio"].iloc[self.question.watched])
        name = str(self.differences["wins"].iloc[self.question.watched])
        own = f" ({main:.2f} for {name})" if np.isfinite(main) and len(ratios) > 1 else ""
        low, high = f"{ratios.min():.2f}", f"{ratios.max():.2f}"
        return (
            "On the same luck the variance of two independent runs of as many games shrinks by a factor of "
            f"{low}{f' to {high}{own}' if low != high else ''}"
        )

    def _tested(self, row: pd.Series[Any]) -> str:
        """What the sequential test decided."""
        course, test = self.found.course, self.question.test
        assert course is not None
        assert test is not None
        low, high = (signed(x) for x in (test.d0, test.d1))
        name, gap = _subject(str(row["wins"])), float(row["difference"])
        limits = " to ".join(f"{100 * float(row[f'difference {end}']):+.2f}" for end in ("low", "high"))
        value = f"found: {_signed(gap)} points, {limits} at every look"
        if course.stop < 0:
            return f"{capital(name)}: {low} or {high} points? The test is not decided ({value})"
        n = int(self.frames["test"]["games"].iloc[-1])
        taken, left = (high, low) if str(course.decision) == "d1" else (low, high)
        many = int(row["n"]) * self.pairing.games
        played = f", {many:,} played" if many > n else ""
        return (
            f"{capital(name)}: rather {taken} than {left} points, decided after {n:,} games a side{played} "
            f"({value})"
        )


def _times(rotations: int) -> str:
    return "once" if rotations == 1 else f"in {rotations} rotations"


def _subject(name: str) -> str:
    """A row of the table as the subject of a sentence."""
    if "→" in name:
        before, _, after = name.partition(" → ")
        return f"switching from {before} to {after}"
    return "nobody" if name == NOBODY else name


def _does(name: str, gap: float) -> str:
    """What the subject does under B: "wins 2.0 points more often under B"."""
    many = points(abs(gap))
    if "→" in name or name.startswith(SWITCHING):
        return f"{'gains' if gap > 0 else 'loses'} {many} of win rate"
    more = "more" if gap > 0 else "less"
    return f"{'win' if name.startswith('the others') else 'wins'} {many} {more} often under B"


def signed(x: float) -> str:
    """A bound in points: +2, 0, -0.5."""
    return f"{100 * x:+g}" if x else "0"


def _signed(gap: float) -> str:
    return f"{100 * float(gap):+.1f}"


def _seat(name: object) -> str:
    return str(name).removeprefix(SWITCHING)
