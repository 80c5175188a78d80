"""A series: several settings of one game, one run each, read together.

    series = analyzer.run("moscow", players="2-6", n=50_000)
    series.table()                    # one row a setting: win rates with intervals, nobody, length, ...
    series["3 players"].win_rates()   # the Results of one setting
    series.report("folder")           # one page over all settings, with links to the pages of the single runs

Needs saved runs only, no game, and holds a few numbers a setting: runs in a folder are read one at a time.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.axes import Names
from analyzer.disk import refused, write_whole
from analyzer.errors import UserError, closest
from analyzer.seats import numbered
from analyzer.sim import saved
from analyzer.sim.results import By, Results
from analyzer.stats import counts, intervals

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.build import Report
    from analyzer.report.parts import Measure
    from analyzer.sim.balance import Balance

FORMAT = 1  # of series.json; raised when an older reader could misread a newer series
SERIES = "series.json"
PAGE = ("tables", "plots", "report.html")  # what the report of a series writes into its folder
NEEDED = ("game", "axes", "settings", "n", "seed")


@dataclass(frozen=True)
class Setting:
    """One setting of a series: its name in tables, its names on every axis that was given, its folder."""

    name: str
    values: Mapping[str, Names]
    folder: str


@dataclass(frozen=True)
class Row:
    """What one setting gives to the tables of a series: small, whatever the number of games.

    meta: of the run. seats: names of the seats. by_seat, by_policy: as `Results.win_rates`. measures: in the
    order shown. balance: its claims of balance.
    """

    meta: Mapping[str, Any]
    n: int
    seats: tuple[str, ...]
    by_seat: pd.DataFrame
    by_policy: pd.DataFrame
    measures: tuple[Measure, ...]
    balance: Balance

    @classmethod
    def of(cls, report: Report) -> Row:
        """The row of a run; its game's report module may add measures of its own."""
        results = report.results
        own: Sequence[Measure] = ()
        if report.has_module and hasattr(report.module, "series_measures"):
            own = report.module.series_measures(results, report.tables)
        given = {one.name for one in own}
        measures = [*(one for one in _measures(results) if one.name not in given), *own]
        by_seat, by_policy = results.win_rates("seat"), results.win_rates("policy")
        return cls(results.meta, results.n, results.seats, by_seat, by_policy, tuple(measures),
                   results.balance())  # fmt: skip


def _measures(results: Results) -> list[Measure]:
    """What every game has: how often nobody wins, and how long a game is (from its tally `turns`)."""
    from analyzer.report.parts import Measure

    nobody = results.nobody()
    phrase = "the share of games that nobody wins"
    found = [Measure("nobody", nobody.rate, nobody.low, nobody.high, "share", True, phrase)]
    turns = results.tallies.get("turns")
    if turns is not None and len(turns):
        long, n = turns["turns"].to_numpy(np.int64), turns["n"]
        rounds = -(-long // results.players)
        lengths = {"turns": long, "rounds": rounds}
        for name, values in lengths.items():
            found_mean = intervals.mean(*counts.moments(values, n * (results.weight or 1.0)))
            mean, low, high = (float(x) for x in found_mean)
            if not results.weight:
                low = high = float("nan")
            phrase = f"the mean length of a game in {name}"
            found.append(Measure(name, mean, low, high, "number", name == "rounds", phrase))
    return found


class Series(Mapping[str, Results]):
    """An ordered mapping, name of a setting -> its Results; those in a folder are loaded when asked for.

    meta: game, axes [{name, each, seated}], n (games a setting, as planned), seed, key, command, kind
    ("complete" | "partial"), wall_seconds.
    """

    def __init__(
        self,
        meta: Mapping[str, Any],
        settings: Sequence[Setting],
        folder: str | Path | None = None,
        results: Mapping[str, Results] | None = None,
    ) -> None:
        self.meta: dict[str, Any] = dict(meta)
        self.settings = list(settings)
        self.folder = None if folder is None else Path(folder)
        self.kept = 0  # games that were there before the run that made this object
        self.seconds = 0.0  # that it took
        self.tolerance: float | None = None  # of balance, if verdicts were asked for
        self.rows: dict[str, Row] = {}  # filled when asked for, or by whoever has a run's report at hand
        self._held = dict(results or {})
        self._named = {setting.name: setting for setting in self.settings}

    # ---- the runs --------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Results:
        if name in self._held:
            return self._held[name]
        if name not in self._named or self.folder is None:
            raise KeyError(name)
        return Results.load(self.folder / self._named[name].folder)

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self.settings)

    @property
    def n(self) -> int:
        """Games of all settings together."""
        return sum(self.row(name).n for name in self)

    @property
    def axes(self) -> dict[str, int]:
        """Name of each axis that was given -> how many names a setting takes from it (2: a pairing)."""
        return {str(axis["name"]): int(axis["each"]) for axis in self.meta["axes"]}

    @property
    def seated(self) -> str:
        """The axis whose names are policies, "" if there is none."""
        return next((str(axis["name"]) for axis in self.meta["axes"] if axis.get("seated")), "")

    @property
    def varying(self) -> list[str]:
        """The axes on which the settings differ."""
        return [name for name in self.axes if len({one.values[name] for one in self.settings}) > 1]

    def row(self, name: str) -> Row:
        """What one setting gives to the tables, computed once."""
        if name not in self.rows:
            from analyzer import report
            from analyzer.report.again import readable

            with readable(self.folder or "the series"):
                self.rows[name] = Row.of(report.of(self[name]))
        return self.rows[name]

    # ---- tables ----------------------------------------------------------------------------------------

    def table(self) -> pd.DataFrame:
        """One row a setting.

        Columns: the axes, n (games), then win rate by seat and every measure, each followed by its limits
        `... low` and `... high` (95 %) where it has any; NaN where a setting does not have it.
        `attrs["kinds"]` tells which are shares and which are differences of shares.
        """
        import pandas as pd

        kinds: dict[str, str] = dict.fromkeys(self.seats, "share")
        records = []
        for setting in self.settings:
            row = self.row(setting.name)
            record: dict[str, Any] = {**self._values(setting), "n": row.n}
            for name, rate in zip(self.seats, row.by_seat.itertuples(), strict=False):
                record |= {name: rate.win_rate, f"{name} low": rate.low, f"{name} high": rate.high}
            for one in row.measures:
                kinds[one.name] = one.kind
                record |= {one.name: one.value, f"{one.name} low": one.low, f"{one.name} high": one.high}
            records.append(record)
        found = pd.DataFrame(records)
        frame = found[[*self.columns, "n"]].copy()
        for name in kinds:
            limits = [f"{name} low", f"{name} high"]
            shown = [name] if found[limits].isna().all(axis=None) else [name, *limits]
            frame[shown] = found[shown]
        frame.attrs.update(title="The settings", kinds=kinds, question="What changes?")
        return frame

    def verdicts(self, tolerance: float | None = None, level: float = 0.95) -> pd.DataFrame:
        """As `Results.verdicts`, with a column `setting`: the claims of all settings judged together."""
        from analyzer.sim import balance
        from analyzer.sim.results import TOLERANCE
        from analyzer.specs import share

        asked = self.tolerance or TOLERANCE if tolerance is None else tolerance
        allowed = share(asked, "tolerance", 1e-4, 0.5)
        rows = [self.row(name).balance for name in self]
        return balance.frame(rows, allowed, level, list(self))

    @cached_property
    def seats(self) -> list[str]:
        """The name of each seat, by place; where settings name a seat differently it is `seat 1`, ..."""
        rows = [self.row(name).seats for name in self]
        found = []
        for place in range(max(map(len, rows), default=0)):
            names = {seats[place] for seats in rows if place < len(seats)}
            found.append(names.pop() if len(names) == 1 else numbered(place))
        return found

    @property
    def columns(self) -> list[str]:
        """The columns that tell a setting: one an axis, several (`decks_1`, `decks_2`) for a pairing."""
        return [column for name, each in self.axes.items() for column in _columns(name, each)]

    def _values(self, setting: Setting) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, each in self.axes.items():
            values |= dict(zip(_columns(name, each), map(_plain, setting.values[name]), strict=True))
        return values

    def win_rates(self, by: By = "seat") -> pd.DataFrame:
        """Win rates of all settings, by seat or by policy: the axes, then as `Results.win_rates` has it."""
        import pandas as pd

        if by not in ("seat", "policy"):
            raise UserError(f"Win rates of a series go by seat or by policy, not by {by!r}.")
        frames = []
        for setting in self.settings:
            row = self.row(setting.name)
            frame = row.by_seat if by == "seat" else row.by_policy
            frame = frame.assign(**{"seat": row.seats}) if by == "seat" else frame
            left = pd.DataFrame([self._values(setting)] * len(frame))
            frames.append(pd.concat([left, frame.reset_index(drop=True)], axis=1))
        frame = pd.concat(frames, ignore_index=True)
        frame.attrs.update(title=f"Win rate by setting and {by}", question="Who wins?")
        return frame

    def matrix(self, axis: str | None = None) -> pd.DataFrame:
        """Each against each on a pairing axis (the only one, if not told).

        Columns: the other axes that vary, row, column, n (games), win_rate, low, high, edge, edge_low,
        edge_high: of `row` against `column`, from either seat; where both seatings were played they weigh the
        same. `edge`: above an equal part of the games that anybody won. On the diagonal the first of two
        equals counts.
        Limits of an average of two rates by Zou and Donner (2008), see `stats.intervals`.
        """
        import pandas as pd

        axis = self._pairing(axis)
        others = [name for name in self.varying if name != axis]
        cells: dict[tuple[Any, ...], list[Any]] = {}
        for setting in self.settings:
            first, second = setting.values[axis]
            rest = tuple(" : ".join(setting.values[name]) for name in others)
            rates = self._sides(setting, axis)
            cells.setdefault((*rest, first, second), []).append(rates[0])
            if first != second:
                cells.setdefault((*rest, second, first), []).append(rates[1])
        records = [(*cell, *average(rates)) for cell, rates in cells.items()]
        frame = pd.DataFrame(records, columns=[*others, "row", "column", "n", *RATE])
        title = f"Win rate of each of the {'policies' if axis == self.seated else axis} against each"
        about = (
            "Averaged over both seatings where both were played; in a pairing with itself: the first seat."
        )
        frame.attrs.update(title=title, question="Who beats whom?", about=about)
        return frame

    def _sides(self, setting: Setting, axis: str) -> list[Any]:
        """The rates of the two that meet: of their seats, or of the policies that take turns there."""
        row, met = self.row(setting.name), setting.values[axis]
        if axis != self.seated or len(set(met)) == 1:
            return list(row.by_seat.itertuples())
        rates = {str(rate.policy): rate for rate in row.by_policy.itertuples()}
        return [rates[name] for name in met]

    def _pairing(self, axis: str | None) -> str:
        found = [name for name, each in self.axes.items() if each == 2]
        if not found:
            raise UserError("There is no matrix: no axis of this series is a pairing.")
        if axis is None or axis in found:
            return axis or found[0]
        near = closest(axis, found)
        raise UserError(f"{axis!r} is no pairing of this series; {near or found[0]!r} is.")

    # ---- words and pages -------------------------------------------------------------------------------

    def summary(self) -> str:
        """The main findings, a paragraph in words."""
        from analyzer.report.series import SeriesReport

        return SeriesReport(self).paragraph

    def report(self, folder: str | Path, plots: bool = True) -> Path:
        """Save the series to a folder and write its page there, with those of all runs; returns the path."""
        from analyzer.report.series import SeriesReport

        self.save(folder)
        return SeriesReport(self).write(folder, plots)

    def __repr__(self) -> str:
        return f"<Series: {len(self)} settings of {self.meta['game']}: {', '.join(self)}>"

    # ---- on disk ---------------------------------------------------------------------------------------

    def save(self, folder: str | Path) -> Path:
        """Write series.json and the folder of every run (as `Results.save`)."""
        folder = Path(folder)
        for setting in self.settings:
            if self.folder is None or self.folder.resolve() != folder.resolve():
                self[setting.name].save(folder / setting.folder)
        return self.save_meta(folder)

    def save_meta(self, folder: Path) -> Path:
        """Write series.json alone."""
        told = {"format": FORMAT, **self.meta, "settings": [setting_told(one) for one in self.settings]}
        text = json.dumps(told, indent=1, ensure_ascii=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / SERIES, (text + "\n").encode())
        except OSError as error:
            raise refused(folder, error) from error
        return folder

    @classmethod
    def load(cls, folder: str | Path) -> Series:
        """Read the folder of a series; UserError if it is none or damaged. Its runs are read when needed."""
        folder = Path(folder)
        meta, settings, _ = read_series(folder)
        if meta.get("kind") == "unfinished":
            command = saved.resume_command(folder)
            raise UserError(f"{folder} holds a series that was not finished; go on with: {command}")
        if not settings:
            raise UserError(f"{folder / SERIES} is damaged (it names no setting); repeat the series.")
        return cls(meta, settings, folder)


def setting_told(setting: Setting) -> dict[str, Any]:
    """A setting as series.json has it."""
    return {"name": setting.name, "values": dict(setting.values), "folder": setting.folder}


RATE = ("win_rate", "low", "high", "edge", "edge_low", "edge_high")


def average(rates: Sequence[Any]) -> tuple[float, ...]:
    """n, and the averages of win rates and edges with their limits: distances add in squares."""
    n = sum(int(rate.n) for rate in rates)
    found: list[float] = []
    for value, low, high in (("win_rate", "low", "high"), ("edge", "edge_low", "edge_high")):
        x = np.array([[getattr(rate, name) for name in (value, low, high)] for rate in rates])
        middle = float(x[:, 0].mean())
        down, up = (math.sqrt(((x[:, k] - x[:, 0]) ** 2).sum()) / len(rates) for k in (1, 2))
        found += [middle, middle - down, middle + up]
    return n, *found


def read_series(folder: Path) -> tuple[dict[str, Any], list[Setting], list[Setting]]:
    """What series.json tells: meta, the settings that are finished, and all that were planned.

    Raises UserError if it is missing or damaged, or if a setting has a folder outside.
    """
    path = folder / SERIES
    if not path.exists() and not path.is_symlink():
        raise UserError(f"{folder} is not the folder of a series: it holds no {SERIES}.")
    meta = saved.read_json(path)
    try:
        if meta.pop("format") != FORMAT or any(key not in meta for key in NEEDED):
            raise ValueError(f"it needs format {FORMAT} and {', '.join(NEEDED)}")
        settings = _settings(folder, meta, meta.pop("settings"))
        planned = _settings(folder, meta, meta.pop("planned")) if "planned" in meta else settings
        saved.check_types(path, meta)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} is damaged ({error}); repeat the series.") from error
    return meta, settings, planned


def _settings(folder: Path, meta: Mapping[str, Any], told: Any) -> list[Setting]:
    """The settings of a saved series. Raises ValueError (or alike) if they do not fit its axes."""
    found = [_setting(one) for one in told]
    axes = {str(axis["name"]): int(axis["each"]) for axis in meta["axes"]}
    for one in found:
        if (folder / one.folder).is_symlink():
            raise ValueError(f"{one.folder} is a link")
        if {name: len(names) for name, names in one.values.items()} != axes:
            raise ValueError(f"the setting {one.name!r} does not fit the axes")
    for what in ("name", "folder"):
        if len({getattr(one, what) for one in found}) < len(found):
            raise ValueError(f"two settings have the same {what}")
    return found


def _setting(told: Mapping[str, Any]) -> Setting:
    """A setting of a saved series; its folder must lie inside."""
    folder = str(told["folder"])
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z_-]{0,100}", folder) or folder in PAGE:
        raise ValueError(f"{folder!r} is no folder inside")
    values = {str(name): tuple(map(str, names)) for name, names in told["values"].items()}
    return Setting(str(told["name"]), values, folder)


def _columns(name: str, each: int) -> list[str]:
    return [name] if each == 1 else [f"{name}_{place}" for place in range(1, each + 1)]


def _plain(name: str) -> int | str:
    return int(name) if name.isdecimal() else name
