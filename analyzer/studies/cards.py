"""Cards and units: what goes with winning, and what changes without them, side by side.

What winners held and played is a correlation: a card may be played because one is winning. So the same games
are played again without the card (dealt as they were, see `sim.without`), or with a copy less or more, and
with the card forced into an opening hand (`sim.forced`); the differences are the card's effect. Games declare
their cards, and how a config with another number of them is made.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.errors import UserError, argument, nearest
from analyzer.games.declared import Forcing
from analyzer.registry import changed_config
from analyzer.report import cards as counted
from analyzer.report.parts import titled
from analyzer.sim import runner
from analyzer.sim.forced import forced
from analyzer.sim.outcomes import column_names, credits, won_columns
from analyzer.sim.watch import PlaysWatch, watched
from analyzer.sim.without import without
from analyzer.stats import intervals, paired
from analyzer.studies import cards_charts, cards_words
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    from analyzer.games.declared import Piece
    from analyzer.sim.request import Request
    from analyzer.sim.results import Results

Floats = NDArray[np.float64]
DEFAULT_N = 20_000
LEAST, MOST = 20, 2_000_000  # games a setting: a few bytes of each are held in memory
QUESTION = "Is this card too strong?"
ANYBODY, ROUNDS, OWNER, FORCED = "won by anybody", "rounds", "its owner wins", "dealt it"
NO_FORCING = Forcing(why="The game does not tell how a card comes into an opening hand.")
STATS = ("opening", "drawn", "played")


def cards(
    request: Request,
    change: int | None = None,
    only: Sequence[str] = (),
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    command: str = "",
    force: bool = True,
) -> Study:
    """Play `request.n` games as they are, and as many on the same luck for each card that is changed.

    change: how many copies more (negative: less) of a card; None: none at all. only: names of the cards
    (all unless given). force: play also games in which the card is forced into an opening hand, its owner's
    or that of each seat in turn. Raises UserError where the game declares no cards, and for a wrong name or
    number.
    """
    wanted, refused = settings(request, change, only)
    rotations = len(request.rotations)
    base = replace(request, n=request.n // rotations * rotations)
    own = getattr(request.room.part("pieces"), "WATCHED", None) is not None
    asks = [watched(base, PlaysWatch) if own else base]
    changed = [(piece, replace(base, config=config)) for piece, config in wanted]
    asks += [without(one, base, piece.name) if change is None else one for piece, one in changed]
    since = time.perf_counter()
    pieces = [piece for piece, _ in wanted]
    forcing = Forcible.of(base, pieces) if force else Forcible()
    asks += [forced(base, piece.name, piece.seat) for piece in forcing.pieces]
    found = Compared(base, change, pieces, refused, forcing)
    runner.run_all([runner.Ask(ask) for ask in asks], found.add, jobs, progress)
    meta = meta_of("cards", asks, command, change=change, cards=[piece.name for piece in pieces], force=force)
    meta["wall_seconds"] = round(time.perf_counter() - since, 3)
    return found.study(meta)


def settings(
    request: Request, change: int | None, only: Sequence[str]
) -> tuple[list[tuple[Piece, Any]], dict[str, str]]:
    """(card and config for each that can be changed, card and reason for each that cannot)."""
    if not request.room.has("pieces"):
        raise UserError(f"{request.game} does not declare its cards (a module `pieces`).")
    if not max(LEAST, len(request.rotations)) <= request.n <= MOST:
        raise UserError(f"{argument('n')} must be from {LEAST} to {MOST:,} here, not {request.n:,}.")
    if change == 0:
        raise UserError(f"{argument('copies')}: 0 changes nothing; give -1, +1 or the like.")
    pieces = {one.name: one for one in request.room.part("pieces").pieces(request.config.rules)}
    for name in only:
        if name not in pieces:
            raise nearest(name, pieces, f"card of {request.game}:")
    wanted: list[tuple[Piece, Any]] = []
    refused: dict[str, str] = {}
    for piece in (pieces[name] for name in only or pieces):
        count = 0 if change is None else piece.count + change
        if not 0 <= count <= piece.most or count == piece.count:
            refused[piece.name] = f"there are {piece.count}, and at most {piece.most}"
            continue
        try:
            config = changed_config(request.config, partial(piece.put, count=count))
            replace(request, config=config)  # the game may refuse the number of players
        except UserError as error:
            refused[piece.name] = str(error).splitlines()[-1].strip()
            continue
        wanted.append((piece, config))
    if not wanted:
        reason = next(iter(refused.values()), "there are no cards")
        raise UserError(f"None of these cards can be changed so: {reason}.")
    return wanted, refused


@dataclass(frozen=True)
class Forcible:
    """The cards that are forced, and why others are not, by name. why: why none is, "" else."""

    pieces: Sequence[Piece] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    why: str = ""

    @classmethod
    def of(cls, request: Request, pieces: Sequence[Piece]) -> Forcible:
        """Those of the pieces of a game that can be forced."""
        forcing: Forcing = getattr(request.room.part("pieces"), "FORCED", NO_FORCING)
        if forcing.why:
            return cls(why=forcing.why)
        game = request.make_game()
        reasons = {piece.name: forcing.refuses(game, piece) for piece in pieces}
        return cls(
            [piece for piece in pieces if not reasons[piece.name]],
            {name: why for name, why in reasons.items() if why},
        )


@dataclass
class Outcomes:
    """What is kept of the games of a setting: credit by group float32[group, game] and by seat
    float32[seat, game], rounds, and the seat that was forced (from 1, 0 nobody)."""

    credit: NDArray[np.float32]
    by_seat: NDArray[np.float32]
    rounds: NDArray[np.uint16]
    forced: NDArray[np.uint8]

    @classmethod
    def of(cls, results: Results, groups: Sequence[NDArray[np.intp]]) -> Outcomes:
        """groups: for each group, whether the seat of a rotation belongs to it, bool[rotation, seat]."""
        seats, n = results.players, results.n
        names = column_names(results)
        extra = [name for name in ("forced",) if name in names]
        found = cls(
            np.zeros((len(groups), n), np.float32),
            np.zeros((seats, n), np.float32),
            np.zeros(n, np.uint16),
            np.zeros(n, np.uint8),
        )
        wanted = ["game", "rotation", "rounds", *won_columns(results, names), *extra]
        for part in results.iter_games(wanted):
            at, rotation = part["game"].to_numpy(), part["rotation"].to_numpy()
            credit = credits(part, seats)
            for row, group in zip(found.credit, groups, strict=True):
                row[at] = (credit * group[rotation].T).sum(axis=0)
            found.by_seat[:, at] = credit
            found.rounds[at] = part["rounds"].to_numpy()
            for name in extra:
                found.forced[at] = part[name].to_numpy()
        return found


class Compared:
    """The games as they are, and the difference each changed card makes."""

    def __init__(
        self,
        request: Request,
        change: int | None,
        pieces: Sequence[Piece],
        refused: dict[str, str],
        forcing: Forcible,
    ) -> None:
        self.forcing = forcing
        self.request, self.change, self.pieces, self.refused = request, change, list(pieces), refused
        labels = np.array([[request.labels[i] for i in row] for row in request.rotations], object)
        names = list(dict.fromkeys(request.labels))
        self.owned = any(piece.seat is not None for piece in pieces)
        seats = np.arange(request.players)
        if len(names) > 1 and not self.owned:
            self.groups = {f"{name} wins": labels == name for name in names}
        else:
            whole = np.broadcast_to(seats, labels.shape)
            self.groups = {f"{name} wins": whole == seat for seat, name in enumerate(request.seats)}
        self.base: Results | None = None
        self.games: Outcomes | None = None
        self.waiting: dict[int, Outcomes] = {}
        self.pairs: dict[int, list[tuple[Any, ...]]] = {}
        self.dealt: dict[str, tuple[Any, ...]] = {}  # by card that was forced

    def add(self, number: int, results: Results) -> None:
        """A finished run: number 0 are the games as they are. They may come in any order."""
        outcomes = Outcomes.of(results, list(self.groups.values()))
        if number == 0:
            self.base, self.games = results, outcomes
        else:
            self.waiting[number] = outcomes
        if self.games is not None:
            for place in list(self.waiting):
                other, piece = self.waiting.pop(place), place - 1
                if piece < len(self.pieces):
                    self.pairs[piece] = self._differences(other)
                else:
                    name = self.forcing.pieces[piece - len(self.pieces)].name
                    self.dealt[name] = self._of_the_dealt(other)

    def _differences(self, other: Outcomes) -> list[tuple[Any, ...]]:
        """(measure, before, after, comparison) of every measure of a changed setting."""
        assert self.games is not None
        before, after = self.games, other
        rows = []
        for name, a, b in (
            *zip(self.groups, after.credit, before.credit, strict=True),
            (ANYBODY, after.credit.sum(axis=0), before.credit.sum(axis=0)),
            (ROUNDS, after.rounds, before.rounds),
        ):
            step = 0.0 if name == ROUNDS else 1.0
            found = paired.compare(paired.Pairs.of(a, b), step=step)
            rows.append((name, _mean(b), _mean(a), found))
        return rows

    def _of_the_dealt(self, other: Outcomes) -> tuple[float, float, paired.Comparison]:
        """(before, after, comparison) of the wins of whoever is dealt the card."""
        assert self.games is not None
        seat, game = other.forced.astype(np.intp) - 1, np.arange(len(other.forced))
        before, after = (one.by_seat[seat, game] for one in (self.games, other))
        found = paired.compare(paired.Pairs.of(after, before), step=1.0)
        return _mean(before), _mean(after), found

    # ---- tables ----------------------------------------------------------------------------------------

    @cached_property
    def results(self) -> Results:
        """The games as they are."""
        assert self.base is not None
        return self.base

    def measures(self, piece: Piece) -> tuple[str, ...]:
        """What is shown of a card first: how often its owner wins, else what the card does to the game."""
        return (f"{self.request.seats[piece.seat]} wins",) if piece.seat is not None else (ANYBODY, ROUNDS)

    @cached_property
    def claims(self) -> int:
        """How many effects are judged together."""
        return sum(len(self.measures(piece)) for piece in self.pieces)

    @cached_property
    def effects(self) -> pd.DataFrame:
        """One row a card and measure: copies before and after, the measure before and after, its change."""
        widen = 1.0 / np.sqrt(self.results.weight or 1.0)
        joint = intervals.z_value(intervals.joint_level(0.95, self.claims)) / intervals.z_value(0.95)
        rows = []
        for place, piece in enumerate(self.pieces):
            for name, before, after, found in self.pairs[place]:
                value, low, high = (float(x) for x in (found.value, found.low, found.high))
                low, high = value + widen * (low - value), value + widen * (high - value)
                sure = (value + joint * (low - value), value + joint * (high - value))
                clear = bool(sure[0] > 0 or sure[1] < 0) and name in self.measures(piece)
                copies = (piece.name, piece.count, self._count(piece))
                worth = (float(found.factor), float(found.smallest), self.results.n)
                rows.append((*copies, name, before, after, value, low, high, clear, *worth))
        names = ["card", "copies", "changed_to", "measure", "before", "after", "change", "low", "high",
                 "clear", "factor", "smallest", "n"]  # fmt: skip
        frame = pd.DataFrame(rows, columns=names)
        frame.attrs["kinds"] = {"low": "number"}
        about = (
            "change: after less before, on the same luck, with its 95 % interval; "
            f"clear: whether it is clear of 0 when all {self.claims} effects that are judged are judged "
            "together, empty for the others; "
            "factor: how many times as many games independent runs would need; smallest: the smallest true "
            "change that so many games see four times in five."
        )
        return titled(frame, "What changes without the card", QUESTION, about)

    @cached_property
    def forced(self) -> pd.DataFrame:
        """One row a card that was forced: how often its holder wins as it is and with it, and the change."""
        widen = 1.0 / np.sqrt(self.results.weight or 1.0)
        claims = len(self.forcing.pieces)
        joint = intervals.z_value(intervals.joint_level(0.95, claims)) / intervals.z_value(0.95)
        rows = []
        for piece in self.forcing.pieces:
            before, after, found = self.dealt[piece.name]
            value, low, high = (float(x) for x in (found.value, found.low, found.high))
            low, high = value + widen * (low - value), value + widen * (high - value)
            clear = value + joint * (low - value) > 0 or value + joint * (high - value) < 0
            worth = (float(found.factor), float(found.smallest), self.results.n)
            rows.append((piece.name, piece.count, before, after, value, low, high, clear, *worth))
        names = [
            "card",
            "copies",
            "before",
            "after",
            "change",
            "low",
            "high",
            "clear",
            "factor",
            "smallest",
            "n",
        ]
        frame = pd.DataFrame(rows, columns=names)
        shares, gaps = ("before", "after"), ("change", "smallest")
        frame.attrs["kinds"] = dict.fromkeys(shares, "share") | dict.fromkeys(gaps, "points")
        frame = frame.rename(columns={"low": "change low", "high": "change high"})
        whose = "its owner's" if self.owned else "that of each seat in turn, game by game"
        about = (
            f"The card is forced into an opening hand ({whose}): where it was not dealt, a random card of "
            "the "
            "hand changes places with a random copy of it, and all else stays. before, after: how often that "
            "seat wins as the games are, and with the card; change: after less before, on the same luck, "
            "with "
            f"its 95 % interval; clear: clear of 0 when all {claims} are judged together; factor, "
            "smallest: as "
            "for the effects."
        )
        return titled(frame, "What changes for whoever is dealt the card", QUESTION, about)

    def _count(self, piece: Piece) -> int:
        return 0 if self.change is None else piece.count + self.change

    @cached_property
    def correlations(self) -> pd.DataFrame:
        """As `report.cards.cards`, of the games as they are."""
        return counted.cards(self.results)

    @cached_property
    def side_by_side(self) -> pd.DataFrame:
        """One row a card: what it goes with when held and when played, and what its absence changes."""
        held = self.correlations
        rows = []
        for piece in self.pieces:
            row: dict[str, Any] = {"card": piece.name, "copies": piece.count, "to": self._count(piece)}
            for stat in STATS:
                there = held[(held["card"] == piece.name) & (held["stat"] == stat)] if len(held) else held
                one: Any = there.iloc[0] if len(there) else {}
                for name, column in (("", "effect"), (" low", "effect_low"), (" high", "effect_high")):
                    row[stat + name] = float(one.get(column, np.nan))
            effects = self.effects[self.effects["card"] == piece.name].set_index("measure")
            for measure in self.measures(piece):
                name = OWNER if piece.seat is not None else measure
                row[name], row[f"{name} low"], row[f"{name} high"] = (
                    effects.loc[measure, column] for column in ("change", "low", "high")
                )
            if piece.name in self.dealt:
                one = self.forced.set_index("card").loc[piece.name]
                for name, column in ((FORCED, "change"), (f"{FORCED} low", "change low"),
                                     (f"{FORCED} high", "change high")):  # fmt: skip
                    row[name] = one[column]
            rows.append(row)
        frame = pd.DataFrame(rows)
        frame = frame.drop(columns=[name for name in frame if frame[name].isna().all()])
        kinds = {name: "points" for name in (*STATS, OWNER, ANYBODY, FORCED) if name in frame}
        frame.attrs["kinds"] = kinds | ({ROUNDS: "number"} if ROUNDS in frame else {})
        less = "without it" if self.change is None else f"with {self.change:+d} copies"
        stats = ", ".join(stat for stat in STATS if stat in frame)
        told = "points of win rate" if self.owned else "points of games that anybody wins, and rounds"
        about = (
            f"{stats}: what one more of the card in the opening hand, drawn or played goes with, in points "
            "of win rate (a correlation, within seat and policy); "
        ) * bool(stats)
        about += f"then what changes {less}, in the same {self.results.n:,} games on the same luck: {told}."
        if FORCED in frame:
            about += (
                f" {FORCED}: what changes for a seat if it is made sure that its opening hand holds the card."
            )
        return titled(frame, "Correlation and effect", QUESTION, about)

    def _changes(self, rounds: bool) -> pd.DataFrame:
        """The effects as they are shown: shares in per cent, or the rounds; yes, no, or nothing where none is
        judged."""
        frame = self.effects
        judged = {(piece.name, measure) for piece in self.pieces for measure in self.measures(piece)}
        told = [
            ("yes" if clear else "no") if (card, measure) in judged else ""
            for card, measure, clear in zip(frame["card"], frame["measure"], frame["clear"], strict=True)
        ]
        shown = frame.assign(clear=told)[(frame["measure"] == ROUNDS) == rounds].reset_index(drop=True)
        gaps = dict.fromkeys(("change", "low", "smallest"), "points")
        shown.attrs["kinds"] = {"low": "number"} if rounds else {"before": "share", "after": "share"} | gaps
        title = "What changes in the length of the game" if rounds else str(frame.attrs["title"])
        return titled(shown, title, QUESTION, str(frame.attrs["about"]))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Side by side first, then everything behind it."""
        found = {"cards": self.side_by_side, "effects": self._changes(False), "length": self._changes(True)}
        if len(self.correlations):
            found["correlations"] = self.correlations
            found["win_rates"] = with_and_without(self.results)
            found["by_count"] = counted.cards_by_count(self.results)
        if self.dealt:
            sure = self.forced["clear"].astype(bool).map({True: "yes", False: "no"})
            found["forced"] = self.forced.assign(clear=sure)
        if self.forcing.refused:
            frame = pd.DataFrame(list(self.forcing.refused.items()), columns=["card", "why"])
            found["not_forced"] = titled(frame, "Cards that could not be forced into a hand", QUESTION)
        if self.refused:
            frame = pd.DataFrame(list(self.refused.items()), columns=["card", "why"])
            found["not_changed"] = titled(frame, "Cards that could not be changed", QUESTION)
        return found

    def study(self, meta: dict[str, Any]) -> Study:
        """Everything for the page."""
        results, tables = self.results, self.tables()
        what = "removed" if self.change is None else f"{self.change:+d} copies"
        facts = [
            f"{results.players} players",
            ", ".join(results.policies),
            f"{len(self.pieces)} cards {what}",
        ]
        charts = cards_charts.charts(self, tables)
        narrow = [name for name in map(str, tables["cards"]) if not name.startswith(("drawn", ROUNDS))]
        return Study("cards", meta, tables, charts, cards_words.words(self), facts, columns={"cards": narrow})


def with_and_without(results: Results) -> pd.DataFrame:
    """Win rate of seats that held a card at the start, drew it, played it, and of those that did not.

    Columns: card, stat, n and win_rate with low and high (at least one), n_without and without with its
    limits (none). Out of the tally `cards`.
    """
    tally = results.tallies["cards"]
    some = tally.assign(some=tally["count"] > 0, wins=tally["n"] * tally["won"])
    sums = some.groupby(["card", "stat", "some"], sort=False)[["n", "wins"]].sum().reset_index()
    found = {tuple(key): (int(n), int(wins)) for *key, n, wins in sums.itertuples(index=False)}
    rows = []
    for card, stat in dict.fromkeys(zip(tally["card"], tally["stat"], strict=True)):
        row: list[Any] = [card, stat]
        for there in (True, False):
            n, wins = found.get((card, stat, there), (0, 0))
            rate = intervals.wilson(wins, n) if n else intervals.Interval(*(np.full((), np.nan),) * 3)
            row += [n, *map(float, rate)]
        rows.append(row)
    names = [
        "card",
        "stat",
        "n",
        "win_rate",
        "low",
        "high",
        "n_without",
        "without",
        "without low",
        "without high",
    ]
    frame = pd.DataFrame(rows, columns=names)
    frame.attrs["kinds"] = {"without": "share"}
    about = "Seats with at least one of the card, and seats without; n: seats of games."
    return titled(frame, "Win rate with and without a card", QUESTION, about)


def _mean(values: NDArray[np.float32]) -> float:
    """The mean to all digits of a float: the sums of many float32 would have lost some."""
    return float(values.mean(dtype=np.float64))
