"""The report of a series: one page over all settings, in the look of the page of a run. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.errors import UserError
from analyzer.report import build, page, series_charts, series_words
from analyzer.report.parts import Chart, titled
from analyzer.series import Row, Series, Setting
from analyzer.sim.results import Results, write_whole

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class SettingReports:
    """Writes the report of each setting as soon as its run is finished, and keeps its row for the series."""

    folder: Path
    plots: bool = True
    rows: dict[str, Row] = field(default_factory=dict)

    def add(self, setting: Setting, results: Results) -> None:
        """Write the report of a setting. What was stopped gets none."""
        if results.meta.get("kind", "complete") != "complete":
            return
        report = build.Report(results)
        report.write(self.folder / setting.folder, self.plots)
        self.rows[setting.name] = Row.of(report)


@dataclass
class SeriesReport:
    """Everything the report of a series shows, computed once; `page.render` takes it as it takes a Report."""

    series: Series

    @cached_property
    def results(self) -> Series:
        """What the report is about."""
        return self.series

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """settings, win_rate_by_seat, win_rate_by_policy and matrix where they apply, then the game's own."""
        series = self.series
        frames = {"settings": series.table(), "win_rate_by_seat": series.win_rates("seat")}
        if any(len(series.row(name).by_policy) > 1 for name in series):
            frames["win_rate_by_policy"] = series.win_rates("policy")
        if 2 in series.axes.values():
            frames["matrix"] = series.matrix()
            frames["against_all"] = against_all(frames["matrix"])
            frames = {name: frame for name, frame in frames.items() if len(frame)}
        own: Mapping[str, pd.DataFrame] = self._ask("series_tables", dict)(series, frames)
        return {name: frame for name, frame in {**frames, **own}.items() if len(frame)}

    @cached_property
    def charts(self) -> list[Chart]:
        """The charts of every series, then the game's own."""
        own: list[Chart] = self._ask("series_charts", list)(self.series, self.tables)
        return [*series_charts.charts(self.series, self.tables), *own]

    @cached_property
    def words(self) -> list[str]:
        """The findings, a sentence each: what was played, the main finding, the rest, the game's own."""
        own: list[str] = self._ask("series_words", list)(self.series, self.tables)
        return [f"{one.rstrip('.')}." for one in (*series_words.words(self.series, self.tables), *own)]

    def _ask(self, name: str, nothing: Callable[[], Any]) -> Callable[..., Any]:
        """A function of the game's report module, or one that has nothing to add."""
        try:
            module = build.game_module(str(self.series.meta["game"]))
        except UserError:  # a game may do without a report of its own
            module = None
        found: Callable[..., Any] = getattr(module, name, lambda *_: nothing())
        return found

    @cached_property
    def footer(self) -> str:
        """What every chart says about where it comes from."""
        meta = self.series.meta
        parts = [f"{len(self.series)} settings", f"n = {meta['n']:,} games each", f"seed {meta['seed']}"]
        return f"{meta['game']}: " + " · ".join(parts)

    @property
    def paragraph(self) -> str:
        """The first findings as one paragraph."""
        return " ".join(self.words[:6])

    @cached_property
    def meta(self) -> dict[str, Any]:
        """What all settings have in common, for the page: a setting that differs says so."""
        metas = [self.series.row(name).meta for name in self.series]
        first = metas[0]
        entries = {entry["key"]: dict(entry) for entry in first.get("assumptions") or []}
        for meta in metas[1:]:
            values = {entry["key"]: entry["value"] for entry in meta.get("assumptions") or []}
            for key, entry in entries.items():
                if values.get(key) != entry["value"]:
                    entry["value"] = "differs between settings"
        return {
            **self.series.meta,
            "assumptions": list(entries.values()),
            "policies": first["policies"] if len({tuple(meta["policies"]) for meta in metas}) == 1 else [],
            "block": first.get("block"),
            "versions": first.get("versions"),
        }

    def links(self) -> list[tuple[str, str]]:
        """(setting, path of its page from the page of the series)."""
        return [(setting.name, f"{setting.folder}/report.html") for setting in self.series.settings]

    def write(self, folder: str | Path, plots: bool = True) -> Path:
        """Write tables, plots and page into the folder of the series; returns the path of the page.

        Settings whose own page is missing get it, too. UserError if the folder cannot be written.
        """
        folder = Path(folder)
        rest = SettingReports(folder, plots, self.series.rows)
        for setting in self.series.settings:
            if not (folder / setting.folder / "report.html").is_file():
                rest.add(setting, self.series[setting.name])
        try:
            drawings = build.write_parts(self, folder, plots)
            path = folder / "report.html"
            write_whole(path, page.render(self, drawings, "series.html.j2").encode())
        except OSError as error:
            raise UserError(f"The report cannot be written to {folder}: {error}") from error
        return path

    # ---- tables for readers; the files hold the long ones ----------------------------------------------

    def short_tables(self) -> list[pd.DataFrame]:
        """What a terminal shows: each against each, win rates by setting, then all else by setting."""
        return list(self._short.values())

    @cached_property
    def page_tables(self) -> dict[str, pd.DataFrame]:
        """What the page shows: short tables in the place of long ones."""
        return {**self.tables, **self._short}

    @cached_property
    def _short(self) -> dict[str, pd.DataFrame]:
        frames = {
            "matrix": self._cross(),
            "win_rate_by_seat": self._wins("seat"),
            "win_rate_by_policy": self._wins("policy"),
            "settings": self._rest(),
        }
        return {name: frame for name, frame in frames.items() if frame is not None}

    def _wins(self, by: str) -> pd.DataFrame | None:
        """One row a setting, one column a seat or policy: `24.8 ±0.4`."""
        frame = self.tables.get(f"win_rate_by_{by}")
        if frame is None:
            return None
        import pandas as pd

        records = []
        for setting in self.series.settings:
            row = self.series.row(setting.name)
            rates = row.by_seat if by == "seat" else row.by_policy
            names = self.series.seats if by == "seat" else [str(label) for label in rates["policy"]]
            cells = [rate_text(*cell) for cell in rates[["win_rate", "low", "high"]].to_numpy(float).tolist()]
            records.append({"setting": setting.name, **dict(zip(names, cells, strict=False))})
        title = f"Win rate by setting and {by}, in per cent with half the 95 % interval"
        return titled(pd.DataFrame(records).fillna(""), title, str(frame.attrs["question"]))

    def _rest(self) -> pd.DataFrame:
        """The table of the settings without its win rates."""
        frame = self.tables["settings"]
        seats = {f"{seat}{end}" for seat in self.series.seats for end in ("", " low", " high")}
        left = frame[[column for column in frame if column not in seats]]
        left.attrs.update(frame.attrs)
        return left

    def _cross(self) -> pd.DataFrame | None:
        """The matrix of a pairing with `±`, if there is one and only one."""
        frame = self.tables.get("matrix")
        if frame is None or frame.duplicated(["row", "column"]).any():
            return None
        texts = [rate_text(*cell) for cell in frame[["win_rate", "low", "high"]].to_numpy(float).tolist()]
        order = list(dict.fromkeys(frame["row"]))
        wide = frame.assign(text=texts).pivot(index="row", columns="column", values="text")
        wide = wide.reindex(index=order, columns=order).fillna("").reset_index()
        title = f"{frame.attrs['title']}, in per cent with half the 95 % interval"
        return titled(wide, title, str(frame.attrs["question"]), str(frame.attrs["about"]))


def rate_text(rate: float, low: float, high: float) -> str:
    """A win rate in per cent with half the width of its interval: 24.8 ±0.4."""
    return f"{100 * rate:.1f} ±{50 * (high - low):.1f}"


def against_all(matrix: pd.DataFrame) -> pd.DataFrame:
    """Each of a pairing axis against all others, every opponent weighing the same: as `matrix`, without
    `column` and the other axes."""
    import pandas as pd

    from analyzer.series import RATE, average

    others = matrix[matrix["row"] != matrix["column"]]
    records = [(name, *average(list(part.itertuples()))) for name, part in others.groupby("row", sort=False)]
    frame = pd.DataFrame(records, columns=["row", "n", *RATE])
    about = "Averages over all opponents with equal weight; pairings with itself are left out."
    return titled(frame, "Win rate against all others", "Who beats whom?", about)
