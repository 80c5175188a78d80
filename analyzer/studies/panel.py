"""Does a verdict of balance depend on who plays? Every verdict of a run again, under each of a panel of
policies in all seats; those that flip are marked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.errors import UserError, argument
from analyzer.registry import choose, policies_of
from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart, points, titled
from analyzer.report.wins import listed
from analyzer.seats import capital
from analyzer.sim import runner
from analyzer.sim.balance import round_up
from analyzer.sim.request import Request
from analyzer.sim.settings import plan
from analyzer.specs import share, split_list
from analyzer.stats.equivalence import BALANCED, TOO_FEW, Verdicts, deviation
from analyzer.studies.outcomes import Outcome, common, outcomes, show
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel as Axes
    from analyzer.sim.results import Results
    from analyzer.stats.equivalence import Floats

WHO, WHAT = "Does the verdict depend on who plays?", "What else depends on who plays?"
HOLDS, FLIPS, UNCLEAR = "holds", "flips", "unclear"


@dataclass(frozen=True)
class Members:
    """The panel as asked for: a request a policy, the first one that whose verdicts are put to the test."""

    names: tuple[str, ...]
    requests: tuple[Request, ...]
    tolerance: float


def members(
    game: str,
    policies: str | Sequence[Any] | None = None,
    players: object = None,
    n: int = 10_000,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    axes: dict[str, object] | None = None,
    tolerance: float | str = 0.02,
) -> Members:
    """The panel. policy: whose verdicts are put to the test (default: the game's own); policies: the panel
    (default: all of the game). tolerance: the difference from a fair share that still is balance. Raises
    UserError."""
    allowed = share(tolerance, argument("tolerance"), 1e-4, 0.5)
    base = plan(game, players, n, None, policy, seed, settings, config, block, axes).single()
    if base.players < 2:
        raise UserError(
            f"A single player has no share to be fair about; {argument('players')} must be 2 or more."
        )
    lines: Sequence[Any] = list(policies_of(game))
    if policies is not None:
        lines = split_list(policies) if isinstance(policies, str) else list(policies)
    chosen = [base.policies[0], *(choose(one, game) for one in lines)]
    chosen = list({(one.spec, one.digest): one for one in chosen}.values())
    if len(chosen) < 2:
        raise UserError("A panel needs a policy beside the one whose verdicts are put to the test.")
    labels = [one.label for one in chosen]
    names = tuple(one.label if labels.count(one.label) == 1 else one.spec for one in chosen)
    requests = tuple(replace(base, policies=(one,) * base.players) for one in chosen)
    return Members(names, requests, allowed)


def play(
    asked: Members,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Panel:
    """Play all members with one crew, on the same deals and dice; only sums and outcomes are held."""
    started = time.perf_counter()
    sums: dict[int, tuple[Floats, ...]] = {}
    found: dict[int, tuple[list[Outcome], tuple[str, ...]]] = {}

    def ready(number: int, results: Results) -> None:
        sums[number] = sums_of(results)
        found[number] = outcomes(results), results.seats

    runner.run_all([runner.Ask(one) for one in asked.requests], ready, jobs, progress, meanwhile)
    order = range(len(asked.requests))
    each = np.array([sums[i] for i in order])
    seconds = time.perf_counter() - started
    return Panel(asked, found[0][1], each, [found[i][0] for i in order], seconds)


def sums_of(results: Results) -> tuple[Floats, ...]:
    """(credits, squares, games won by anybody, games) by seat, each float64[seat]; repeats count as one."""
    total, squares = (each.sum(axis=0) for each in results.credits())
    worth = results.distinct / max(results.n, 1)
    won, n = np.full_like(total, total.sum()), np.full_like(total, float(results.n))
    return total * worth, squares * worth, won * worth, n * worth


@dataclass(frozen=True)
class Panel:
    """A panel that was played. seats: their names; sums: float64[member, 4, seat], see `sums_of`; outcomes of
    every member."""

    asked: Members
    seats: tuple[str, ...]
    sums: Floats
    outcomes: list[list[Outcome]]
    seconds: float

    @property
    def judged(self) -> int:
        """How many seats are judged: of two seats one tells both."""
        return 1 if len(self.seats) == 2 else len(self.seats)

    @cached_property
    def verdicts(self) -> Verdicts:
        """On every seat under every member, arrays [member, seat], corrected for all of them together."""
        total, squares, won, n = (self.sums[:, part, : self.judged] for part in range(4))
        found = deviation(total, squares, won, n, 1 / len(self.seats))
        return found.verdicts(self.asked.tolerance)

    def against(self, member: int, seat: int) -> str:
        """Whether a member bears out the verdict of the first one: holds, flips or unclear."""
        words, value = self.verdicts.verdict[:, seat], self.verdicts.value[:, seat]
        if TOO_FEW in (words[0], words[member]):
            return UNCLEAR
        same = words[0] == words[member] and (words[0] == BALANCED or value[0] * value[member] > 0)
        return HOLDS if same else FLIPS

    def tally(self, seat: int) -> dict[str, list[str]]:
        """holds, flips, unclear: the names of the members, of one seat."""
        found: dict[str, list[str]] = {HOLDS: [], FLIPS: [], UNCLEAR: []}
        for member in range(1, len(self.asked.names)):
            found[self.against(member, seat)].append(self.asked.names[member])
        return found

    def fair(self, member: int) -> float:
        """The fair share under a member: an equal part of the games that anybody won."""
        _, _, won, n = self.sums[member, :, 0]
        return float(won / n) / len(self.seats) if n else 0.0

    @property
    def coarse(self) -> list[int]:
        """The members under which the tolerance is more than a third of the fair share."""
        return [i for i in range(len(self.asked.names)) if 3 * self.asked.tolerance > self.fair(i) + 1e-12]

    def said(self, member: int, seat: int) -> str:
        """A verdict in words: balanced, favoured, at a disadvantage, too few games to tell."""
        word = str(self.verdicts.verdict[member, seat])
        if word in (BALANCED, TOO_FEW):
            return word
        return "favoured" if self.verdicts.value[member, seat] > 0 else "at a disadvantage"

    # ---- tables ----------------------------------------------------------------------------------------

    def tables(self) -> dict[str, pd.DataFrame]:
        """verdicts: a row a seat; members: a row a member and seat; others: a row an outcome."""
        frames = {"verdicts": self._verdicts(), "members": self._members(), "others": self._others()}
        return {name: frame for name, frame in frames.items() if len(frame)}

    def _verdicts(self) -> pd.DataFrame:
        rows = []
        for seat in range(self.judged):
            tally = self.tally(seat)
            row = {"seat": self.seats[seat], f"under {self.asked.names[0]}": self.said(0, seat)}
            rows.append({**row, **{word: ", ".join(names) or "–" for word, names in tally.items()}})
        about = (
            "holds, flips, unclear: under which of the other policies (in all seats) the verdict is "
            "the same, "
            "is another one, or cannot be told; a difference of less than "
            f"{points(self.asked.tolerance)} from a "
            "fair share counts as balanced."
        )
        return titled(pd.DataFrame(rows), "Verdicts over the panel", WHO, about)

    def _members(self) -> pd.DataFrame:
        found, rows = self.verdicts, []
        for member, name in enumerate(self.asked.names):
            for seat in range(self.judged):
                at = member, seat
                needed = found.needed[at]
                too_few = found.verdict[at] == TOO_FEW
                rows.append({
                    "policy": name, "seat": self.seats[seat], "n": round(self.sums[member, 3, seat]),
                    "fair_share": self.fair(member),
                    "edge": found.value[at], "edge_low": found.low[at], "edge_high": found.high[at],
                    "verdict": self.said(*at), "against the first": "" if not member else self.against(*at),
                    "games needed": (
                        f"about {round_up(needed):,.0f}" if too_few and math.isfinite(needed) else ""
                    ),
                })  # fmt: skip
        about = (
            "fair share: an equal part of the games that anybody won; "
            f"difference: from a fair share; its limits hold together over all {found.value.size} "
            "verdicts; games "
            "needed: about how many a verdict takes."
        )
        return titled(pd.DataFrame(rows), "Every seat under every policy", WHO, about)

    @cached_property
    def other_names(self) -> list[str]:
        """Outcomes that are not edges of seats."""
        return [name for name in common(self.outcomes) if not name.endswith(": edge")]

    def of(self, name: str) -> list[Outcome]:
        """One outcome under every member."""
        return [next(one for one in there if one.name == name) for there in self.outcomes]

    def _others(self) -> pd.DataFrame:
        rows = []
        for name in self.other_names:
            ones = self.of(name)
            texts = {who: _with_half(one) for who, one in zip(self.asked.names, ones, strict=True)}
            rows.append({"outcome": ones[0].phrase, **texts})
        about = "± is half of the 95 % interval."
        return titled(pd.DataFrame(rows), "The rest of the game under every policy", WHAT, about)

    # ---- words and charts ------------------------------------------------------------------------------

    def words(self) -> list[str]:
        """What was played, which verdicts hold and flip, what else changes."""
        first, n = self.asked.names[0], self.asked.requests[0].n
        told = [
            f"{len(self.asked.names)} policies of {self.asked.requests[0].game}, each in all "
            f"{len(self.seats)} seats, "
            f"{n:,} games each on the same deals and dice: {listed(list(self.asked.names))}"
        ]
        said = [self._sentence(seat) for seat in range(self.judged)]
        flips = [text for seat, text in enumerate(said) if self.tally(seat)[FLIPS]]
        if flips:
            told.append(f"{len(flips)} of {self.judged} verdicts of {first} depend on who plays")
        elif all(self.verdicts.verdict[0] == TOO_FEW):
            told.append(f"{first} itself has no verdict with this many games, so none can hold or flip")
        elif any(self.tally(seat)[UNCLEAR] for seat in range(self.judged)):
            told.append(f"No verdict of {first} flips, but not all can be told with this many games")
        else:
            told.append(f"Every verdict of {first} holds, whoever plays")
        told += flips + [text for text in said if text not in flips]
        if self.coarse:
            names = listed([f"{self.asked.names[i]} ({percent(self.fair(i))})" for i in self.coarse])
            told.append(
                f"The tolerance of {points(self.asked.tolerance)} is more than a third of the fair share "
                f"under {names}: to be balanced says little there"
            )
        told += [_range(self.of(name), self.asked.names) for name in self.other_names[:3]]
        return [f"{one}." for one in told]

    def _sentence(self, seat: int) -> str:
        first, tally = self.asked.names[0], self.tally(seat)
        name = capital(self.seats[seat])
        found = self.verdicts
        value, low, high = (100 * float(part[0, seat]) for part in (found.value, found.low, found.high))
        gap = f"{value:+.1f} points from fair, {low:+.1f} to {high:+.1f}"
        text = f"{name}: {self.said(0, seat)} ({gap}) under {first}"
        parts = []
        if tally[FLIPS]:
            flips = [
                f"{who} ({self.said(i, seat)}, {self.verdicts.value[i, seat] * 100:+.1f})"
                for i, who in enumerate(self.asked.names)
                if who in tally[FLIPS]
            ]
            parts.append(f"flips under {listed(flips)}")
        if tally[HOLDS]:
            parts.append(f"holds under {listed(tally[HOLDS])}")
        if tally[UNCLEAR]:
            parts.append(self._unclear(seat, tally[UNCLEAR]))
        return f"{text}; {'; '.join(parts)}"

    def _unclear(self, seat: int, names: list[str]) -> str:
        """Why it is not told whether a verdict holds: the first one is not told, or that of the others."""
        if self.said(0, seat) == TOO_FEW:
            ones = [f"{name} ({self.said(self.asked.names.index(name), seat)})" for name in names]
            return f"so it is not told whether it holds under {listed(ones)}"
        return f"cannot be told under {listed(names)}"

    def charts(self) -> list[Chart]:
        """Edges of the seats under every member."""
        found, names = self.verdicts, [style.shorten(name, 26) for name in self.asked.names]
        shades = (
            style.BLUE,
            style.ORANGE,
            style.GREEN,
            style.RED,
            style.PINK,
            style.SKY,
            style.INK,
            style.GREY,
        )
        return [
            Chart(
                "panel",
                WHO,
                self.words()[1].rstrip("."),
                partial(_paint, found, names, [shades[i % len(shades)] for i in range(self.judged)],
                        [style.shorten(one, 14) for one in self.seats[: self.judged]], self.asked.tolerance),
                "A band a policy, a dot with its interval a seat.",
                ("verdicts", "members"),
                "Wins above or below a fair share where the same policy sits in all seats; intervals "
                "that hold "
                f"together over all {found.value.size} verdicts. Between the dashed lines: balanced.",
                height=0.2 + len(names) * max(0.3, 0.1 + 0.115 * self.judged),
                left=style.label_room(names),
                top=0.25,
            )
        ]  # fmt: skip

    def study(self, command: str = "") -> Study:
        """Tables, chart and findings."""
        asked: dict[str, Any] = {"panel": list(self.asked.names), "tolerance": self.asked.tolerance}
        meta = meta_of("panel", self.asked.requests, command, **asked)
        meta["wall_seconds"] = round(self.seconds, 3)
        facts = [f"{len(self.asked.names)} policies", f"{len(self.seats)} players"]
        frames = self.tables()
        return Study("panel", meta, frames, self.charts(), self.words(), facts, list(frames))


def _with_half(one: Outcome) -> str:
    if not math.isfinite(one.low):
        return one.shown()
    half = (one.high - one.low) / 2
    if one.kind == "number":
        return f"{one.shown()} ±{half:,.{2 if abs(one.value) < 10 else 1}f}"
    return f"{one.shown()} ±{100 * half:.{2 if one.kind == 'share' and 0 < one.value < 0.01 else 1}f}"


def _range(ones: Sequence[Outcome], names: Sequence[str]) -> str:
    values = np.array([one.value for one in ones])
    least, most = int(values.argmin()), int(values.argmax())
    phrase, kind = ones[0].phrase, ones[0].kind
    return (
        f"{phrase[0].upper()}{phrase[1:]}: {show(kind, values[least])} ({names[least]}) to "
        f"{show(kind, values[most])} ({names[most]})"
    )


def _paint(
    found: Verdicts, names: list[str], shades: Sequence[str], seats: Sequence[str], tolerance: float,
    axes: Sequence[Axes],
) -> None:  # fmt: skip
    ax, deepest = axes[0], len(seats)
    low, high = float(np.min(found.low)), float(np.max(found.high))
    left, right = min(low, -tolerance), max(high, tolerance)
    slack = 0.05 * (right - left)
    ax.set_xlim(left - slack, right + slack)
    style.rows_axis(ax, names)
    for member in range(len(names)):
        at = member + (np.arange(deepest) - (deepest - 1) / 2) * 0.8 / deepest
        draw.spans(ax, at, found.low[member], found.high[member], list(shades), 1.8)
        ax.add_dots(draw.pairs(found.value[member], at), list(shades), 4.2, edge=style.PAPER)
    style.x_scale(ax, "difference from a fair share in points, with intervals", style.points_text)
    draw.spans(ax, [0.0], 0, 1, style.INK, 1.0, upright=True, where="x", zorder=1)
    draw.spans(
        ax, [-tolerance, tolerance], 0, 1, style.MUTED, 0.9, upright=True, where="x", dashes=(4, 3), zorder=1
    )
    draw.key(ax, list(zip(seats, shades, strict=True)))
