"""The luck budget: how much of who wins is the deal's, the dice's, the seat's, the policy's.

The same games are played crossed: every deal with every dice, every lot of the players' own, in every seat,
by every policy of the line-up. What is left of the outcome's variance at each stage is that factor's part.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer import registry
from analyzer.errors import UserError, argument
from analyzer.games.declared import Chance
from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart, titled
from analyzer.report.wins import listed
from analyzer.sim import runner
from analyzer.sim.crossed import KINDS, crossed
from analyzer.stats import intervals, variance
from analyzer.studies.games import credits
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel
    from analyzer.sim.request import Request
    from analyzer.sim.results import Results
    from analyzer.stats.intervals import Interval
    from analyzer.stats.variance import Budget, Part

Floats = NDArray[np.float64]
DEFAULT_N = 100_000
MOST = 2_000_000  # games: the outcome of each is held in memory
SMALL = 1e-12  # less is rounding
LEAST = 30  # batches below which no interval is worth its name
SEAT, POLICY, FIT = "seat", "policy", "policy in its seat"
QUESTION = "Luck or skill?"
RANDOM = "random"
ABOUT = {
    SEAT: "the order of play, whatever the luck",
    POLICY: "who plays how, whatever the luck and the seat",
    FIT: "policies that do better in one seat than in another",
    "together": "luck of several kinds that decides only in combination",
}
CHOICES = Chance(
    "choices",
    "lots of the players",
    "what players decide by lot between equally good actions, and their noise",
)
ANY = {  # of a game that does not tell what its chance is
    "deal": Chance("deal", "deals", "the cards as they were dealt and lie, the start"),
    "dice": Chance("dice", "throws of the dice", "dice, and cards drawn by chance during play"),
}


def chances(request: Request) -> dict[str, Chance]:
    """The kinds of chance of a game by their name in KINDS, those of its players last."""
    declared = request.room.part("course") if request.room.has("course") else None
    return {**getattr(declared, "CHANCE", ANY), "choices": CHOICES}


def luck(
    request: Request,
    levels: Mapping[str, int] | None = None,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    command: str = "",
) -> Study:
    """Play a crossed design of about `request.n` games in all and share out the outcome's variance.

    levels: how many levels each kind of chance has in a batch, by its name in KINDS (2 each unless given);
    a kind that the game does not have is left out.
    Raises UserError for too few or too many games.
    """
    wanted = {**dict.fromkeys(KINDS, 2), **(levels or {})}
    sizes = {kind: wanted[kind] for kind in KINDS if kind in chances(request)}
    cells = [dict(zip(sizes, cell, strict=True)) for cell in product(*map(range, sizes.values()))]
    batches = check(request, len(cells))
    asked = [crossed(request, batches, cell) for cell in cells]
    since = time.perf_counter()
    played: dict[int, Cell] = {}

    def keep(number: int, results: Results) -> None:
        played[number] = Cell.of(results)

    runner.run_all([runner.Ask(one) for one in asked], keep, jobs, progress)
    meta = meta_of("luck", asked, command, levels=sizes)
    meta["wall_seconds"] = round(time.perf_counter() - since, 3)
    labels = [request.labels[place] for place in range(len(request.rotations))]
    found = Shared(request, labels, sizes, [played[number] for number in range(len(cells))])
    return found.study(meta)


def line_up(game: str, players: Any = None) -> list[str]:
    """The policies that take turns if nobody names any: the game's own and others of it, as many as there are
    seats (or a number that divides them); none that plays at random."""
    default = registry.default_policy(game)
    others = [name for name in registry.policies_of(game) if name not in (default, RANDOM)]
    names = [default, *others]
    try:
        seats = int(players) if players is not None else min(4, max(registry.player_counts(game)))
    except ValueError:
        return names[:1]  # several numbers of players: the plan will tell
    many = max((k for k in range(1, min(seats, len(names)) + 1) if seats % k == 0), default=1)
    return names[:many]


def check(request: Request, cells: int) -> int:
    """The number of batches that n games make. Raises UserError if that is too few, or too many games."""
    each = cells * len(request.rotations)
    if request.n < 2 * each or request.n > MOST:
        raise UserError(
            f"{argument('n')} must be from {2 * each:,} (two batches of {each} games) to {MOST:,} here, not "
            f"{request.n:,}."
        )
    return request.n // each


@dataclass
class Cell:
    """The games of one cell of the design: win credits float32[batch, seat, rotation], and what tells whether
    two cells are the same games."""

    credit: NDArray[np.float32]
    digest: str

    @classmethod
    def of(cls, results: Results) -> Cell:
        """Out of a run of whole ranks."""
        frame = results.games
        every = credits(frame, results.players)  # [seat, game], in the order of the game's number
        shaped = every.reshape(results.players, -1, len(results.rotations)).transpose(1, 0, 2)
        told = hashlib.sha256()
        for name in frame:
            told.update(np.ascontiguousarray(_plain(frame[name])).tobytes())
        return cls(shaped.astype(np.float32), told.hexdigest())


def _plain(column: pd.Series) -> NDArray[Any]:
    return (column.cat.codes if hasattr(column, "cat") else column).to_numpy()


class Shared:
    """The budget of a design, and what is told of it."""

    def __init__(
        self, request: Request, labels: Sequence[str], sizes: Mapping[str, int], cells: Sequence[Cell]
    ) -> None:
        self.request, self.labels, self.sizes = request, list(labels), dict(sizes)
        shape = tuple(sizes.values())
        digests = np.array([cell.digest for cell in cells], object).reshape(shape)
        y: Floats = np.stack([cell.credit for cell in cells], axis=1).astype(np.float64)
        y = y.reshape(len(y), *shape, *y.shape[2:])  # [batch, deal, dice, choices, seat, rotation]
        self.chances = [chances(request)[kind] for kind in sizes]
        felt = [not _same(digests, axis) for axis in range(len(sizes))]
        self.kinds = [one.name for one, does in zip(self.chances, felt, strict=True) if does]
        for axis in reversed(range(len(sizes))):
            if not felt[axis]:
                y = np.asarray(np.take(y, 0, axis=axis + 1))
        y = np.asarray(_by_policy(y), np.float64)
        self.factors = [*self.kinds, SEAT]
        if len(self.labels) > 1:
            self.factors.append(POLICY)
        else:
            y = y[..., 0]
        self.y = y
        fixed = [name for name in (SEAT, POLICY) if name in self.factors]
        self.budget: Budget = variance.budget(y, self.factors, fixed)

    @property
    def batches(self) -> int:
        return len(self.y)

    @property
    def groups(self) -> dict[str, list[Part]]:
        """What is told: the kinds of luck, each with all it does to seats and policies; seat; policy."""
        found: dict[str, list[Part]] = {name: [] for name in (*self.kinds, "together", SEAT, POLICY, FIT)}
        for part in self.budget.parts:
            lucks = [kind for kind in self.kinds if kind in part]
            name = lucks[0] if len(lucks) == 1 else "together" if lucks else part[-1]
            if not self.impossible(part):
                found[FIT if part == (SEAT, POLICY) else name].append(part)
        return {name: parts for name, parts in found.items() if parts}

    def impossible(self, part: Part) -> bool:
        """Whether this part is 0 whatever the games are, as somebody wins each of them: no luck favours all
        seats alike, and of two policies in two seats one loses what the other wins."""
        both = {SEAT, POLICY} <= set(part) and self.y.shape[-2:] == (2, 2)
        column = self.budget.sums[0][:, self.budget.parts.index(part)]
        return bool((both or not {SEAT, POLICY} & set(part)) and (np.abs(column) < SMALL).all())

    def share(self, parts: Collection[Part]) -> Interval:
        """The share of several parts, with limits that are honest where no batch shows any of it (or all
        show nothing else): three of all batches might (rule of three, 95 %)."""
        return self._honest(within(self.budget.of(parts)))

    def _honest(self, found: Interval) -> Interval:
        alike = np.abs(found.high - found.low) < SMALL
        none, all_ = (alike & (np.abs(found.value - end) < SMALL) for end in (0.0, 1.0))
        few = self.few
        return intervals.Interval(
            found.value, np.where(all_, 1.0 - few, found.low), np.where(none, few, found.high)
        )

    @property
    def few(self) -> float:
        """The most of a share of which no batch shows anything."""
        return min(3.0 / self.batches, 1.0)

    @property
    def all_luck(self) -> Interval:
        """The share of all luck."""
        parts = [part for part in self.budget.parts if set(part) & set(self.kinds)]
        return self.share(parts)

    # ---- tables ----------------------------------------------------------------------------------------

    def tables(self) -> dict[str, pd.DataFrame]:
        """The budget in plain shares, all its parts, and win rates by policy."""
        found = {"luck": self._plain_shares(), "parts": self._parts()}
        if POLICY in self.factors:
            found["policies"] = self._policies()
        return found

    def _plain_shares(self) -> pd.DataFrame:
        meaning = {**ABOUT, **{one.name: one.about for one in self.chances}}
        rows = []
        for name, parts in self.groups.items():
            involved = within(self.budget.involved(name)) if name in self.kinds else UNKNOWN
            shares = (*map(float, self.share(parts)), *map(float, involved))
            rows.append((name, *shares, self.batches, meaning[name]))
        names = ["source", "share", "low", "high", "involved", "involved low", "involved high"]
        frame = pd.DataFrame(rows, columns=[*names, "batches", "what_it_is"])
        frame.attrs["kinds"] = {"involved": "share"}
        each = self.y.size // self.batches
        about = (
            "Shares of the variance of a seat's result (1 for a win), estimated without bias: one that is "
            "too small to see may come out below 0, and none is told as more than all of it; where no batch "
            "shows any, the interval is that of the rule of three (3 batches of all). involved: what "
            "it has a hand in, alone or with others; all of it would be gone if this luck were the same in "
            "all "
            "games. "
            f"batches: of {each} results each."
        )
        return titled(frame, "What decides who wins", QUESTION, about)

    def _parts(self) -> pd.DataFrame:
        budget, share = self.budget, self._honest(within(self.budget.share))
        measured = np.array([not self.impossible(part) for part in budget.parts])
        frame = pd.DataFrame(
            {
                "factors": [" x ".join(part) for part in budget.parts],
                "share": share.value,
                "low": np.where(measured, share.low, np.nan),
                "high": np.where(measured, share.high, np.nan),
                "variance": budget.variance.value,
                "variance_low": budget.variance.low,
                "variance_high": budget.variance.high,
                "batches": self.batches,
            }
        )
        about = (
            f"The variance of one result is {float(budget.total.value):.4f}. A set of factors stands for "
            "what only all of them together decide: deal x seat is a deal that favours a seat. Without an "
            "interval: 0 in any games, as one seat loses what another wins."
        )
        return titled(frame, "All parts of the variance", QUESTION, about)

    def _policies(self) -> pd.DataFrame:
        each = self.y.mean(axis=tuple(range(1, self.y.ndim - 1)))  # [batch, policy]
        mean = intervals.mean(len(each), each.sum(axis=0), (each**2).sum(axis=0))
        frame = pd.DataFrame({"policy": self.labels, "win_rate": mean.value, "low": mean.low})
        frame["high"], frame["batches"] = mean.high, self.batches
        about = "Per seat held, on the same luck in every seat."
        return titled(frame, "Win rate by policy", QUESTION, about)

    # ---- words, chart, page ----------------------------------------------------------------------------

    def missing(self) -> list[str]:
        """What this design cannot or need not share out."""
        games = self.batches * len(self.labels)
        said = [
            f"Other {one.many} changed none of {games:,} games: they decide nothing here, or at most about "
            f"{100 * self.few:.1f} % of the games (rule of three: 3 of {self.batches:,} batches)."
            for one in self.chances
            if one.name not in self.kinds
        ]
        if (SEAT, POLICY) in self.budget.parts and FIT not in self.groups:
            said.append(
                "Whether a policy does better in one seat than in another, two policies in two seats cannot "
                "tell: one loses what the other wins."
            )
        if POLICY not in self.factors:
            said.append(
                f"All seats play {self.labels[0]}, so nothing is said of skill: give several "
                f"{argument('policies')}."
            )
        return said

    def words(self) -> list[str]:
        """What was played, what decides, what is missing."""
        games = self.request.players
        who = f"{listed(self.labels)} in turn in every seat"
        if len(self.labels) == 1:
            who = f"{self.labels[0]} in every seat"
        many = [f"{size} {one.many}" for size, one in zip(self.sizes.values(), self.chances, strict=True)]
        said = [
            f"{self.batches:,} batches with {games} players ({who}), seed {self.request.seed}; in each batch "
            f"every combination of {listed(many)} is played."
        ]
        said.append(f"{self.finding()}.")
        if self.batches < LEAST:
            said.append(f"Only {self.batches} batches: the intervals are not to be trusted below {LEAST}.")
        shares = [f"{name} {_told(self.share(parts))}" for name, parts in self.groups.items() if parts]
        said.append(f"Shares of the variance of a seat's result: {', '.join(shares)}.")
        hands = [f"the {kind} in {_told(self.budget.involved(kind))}" for kind in self.kinds]
        if len(hands) > 1:
            said.append(f"Alone or together they have a hand in more: {listed(hands)}.")
        if POLICY in self.factors:
            said.append(
                "The share of the policy holds for this line-up: policies that play alike leave all to luck, "
                "and a bad one among them makes any game one of skill."
            )
            if float(within(self.budget.of(self.groups[POLICY])).low) <= 0:
                said.append(
                    "No visible share is not to say that all policies win alike: a share goes with the "
                    "square of a difference (in a game for two, 5 points "
                    "above and below the average make 1 %), so "
                    "the table of win rates shows smaller differences."
                )
        return [*said, *self.missing()]

    def finding(self) -> str:
        """The main finding, without its full stop."""
        total = float(self.budget.total.value)
        if total <= 0:
            return "All results are alike: there is nothing to share out"
        lucky = self.all_luck
        text = f"Luck decides {_told(lucky)} of who wins"
        groups = self.groups
        kinds = [name for name in (*self.kinds, "together") if name in groups]
        if kinds:
            most = max(kinds, key=lambda name: float(self.budget.of(groups[name]).value))
            name = "luck of several kinds together" if most == "together" else f"the {most}"
            text += f", {name} most of all"
        if POLICY in groups:
            text += f"; the policy {_told(self.share(groups[POLICY]))}"
        return text

    def chart(self) -> Chart:
        """The plain shares in rows."""
        frame = self.tables()["luck"]
        labels = [str(name) for name in frame["source"]]
        skill = {SEAT: style.ORANGE, POLICY: style.GREEN, FIT: style.PINK}
        colours = [skill.get(name, style.BLUE) for name in labels]

        def paint(axes: Sequence[Panel]) -> None:
            ax = axes[0]
            involved = frame["involved"].fillna(0.0).to_numpy()
            _bars(ax, involved, colours, 0.12)
            _bars(ax, frame["share"], colours, 0.4)
            rows, least, most = np.arange(len(frame)), frame["involved low"], frame["involved high"]
            draw.spans(ax, rows + 0.24, least, most, colours, 1.0)
            keep = [0.0, float(np.nanmax([*involved, *most]))]
            draw.intervals_in_rows(ax, frame["share"], frame["low"], frame["high"], colours, _percent, keep)
            style.rows_axis(ax, labels)
            style.x_scale(ax, "share of the variance of a seat's result, with 95 % intervals",
                          style.percent_text)  # fmt: skip
            draw.key(ax, [("luck", style.BLUE), *((name, skill[name]) for name in skill if name in labels)])

        return Chart(
            "luck",
            QUESTION,
            self.finding(),
            paint,
            "Shares of the outcome's variance by source, in rows with intervals.",
            ("luck", "parts"),
            "Dark: what each kind of luck decides by itself, with all it does to seats and policies; light: "
            "what it has a hand in; together: what several kinds decide only in combination. Below 0: chance "
            "alone, for what decides nothing is estimated a little above 0 as often as below.",
            height=0.15 + 0.36 * len(frame),
            left=style.label_room(labels),
            top=0.3,
        )

    def study(self, meta: dict[str, Any]) -> Study:
        """Everything for the page."""
        facts = [f"{self.request.players} players", ", ".join(dict.fromkeys(self.labels))]
        shown = ["luck", "policies"] if POLICY in self.factors else ["luck"]
        return Study("luck", meta, self.tables(), [self.chart()], self.words(), facts, shown)


def _same(digests: NDArray[Any], axis: int) -> bool:
    """Whether all levels of this axis gave the same games."""
    first = np.take(digests, [0], axis=axis)
    return bool((digests == first).all())


def _by_policy(y: Floats) -> Floats:
    """[..., seat, rotation] -> [..., seat, place in the line-up]: seat s of rotation r has place (s + r)."""
    seats, rotations = y.shape[-2:]
    seat = np.arange(seats)[:, None]
    rotation = (np.arange(rotations)[None] - seat) % rotations
    return np.asarray(y[..., seat, rotation])


UNKNOWN = intervals.Interval(*(np.asarray(np.nan),) * 3)


def within(found: Interval) -> Interval:
    """A share with its limits as they are told, in words and tables alike: none is more than all."""
    return intervals.Interval(*(np.minimum(x, 1.0) for x in found))


def _told(found: Interval) -> str:
    value, low, high = (100 * float(x) for x in within(found))
    if np.isfinite(low) and low <= 0:
        return f"no visible share (at most {max(high, 0.0):.1f} %)"
    return f"{value:.1f} % ({low:.1f} to {high:.1f})" if np.isfinite(low) else f"{value:.1f} %"


def _percent(share: float) -> str:
    return percent(round(share, 3) + 0.0)  # no -0.0 %


def _bars(ax: Panel, values: Any, colours: Sequence[str], alpha: float) -> None:
    """Bars from 0 along the rows."""
    for row, (value, colour) in enumerate(zip(values, colours, strict=True)):
        low, high = row - 0.32, row + 0.32
        ax.add_areas([[[0, low], [value, low], [value, high], [0, high]]], [colour], alpha=alpha)
