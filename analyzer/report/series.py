"""The report of a series: one page over all settings, in the look of the page of a run. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.errors import UserError
from analyzer.report import build, series_charts, series_tables, series_words
from analyzer.report.notes import balance_sentence
from analyzer.report.parts import Chart
from analyzer.series import Row, Series, Setting
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class SettingReports:
    """Writes the report of each setting as soon as its run is finished, and keeps its row for the series."""

    folder: Path
    plots: bool = True
    rows: dict[str, Row] = field(default_factory=dict)
    tolerance: float | None = None

    def add(self, setting: Setting, results: Results) -> None:
        """Write the report of a setting. What was stopped gets none; one that is there already is left."""
        if results.meta.get("kind", "complete") != "complete":
            return
        report, folder = build.Report(results, self.tolerance), self.folder / setting.folder
        old = results.kept == results.n and (folder / "report.html").is_file()
        if not old or self.tolerance is not None or (self.plots and not (folder / "plots").is_dir()):
            report.write(folder, self.plots)
        self.rows[setting.name] = Row.of(report)


@dataclass
class SeriesReport:
    """Everything the report of a series shows, computed once; `page.render` takes it as it takes a Report."""

    series: Series
    # How far from fair a balanced win rate may lie; None: as the series was given, without one no verdicts.
    tolerance: float | None = None

    def __post_init__(self) -> None:
        if self.tolerance is None:
            self.tolerance = self.series.tolerance

    @cached_property
    def results(self) -> Series:
        """What the report is about."""
        return self.series

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """settings, win_rate_by_seat, win_rate_by_policy and matrix where they apply, then the game's own."""
        series = self.series
        frames = {"settings": series.table(), "win_rate_by_seat": series.win_rates("seat")}
        met = series.seated in series.varying  # then the matrix tells it, and better
        if not met and any(len(series.row(name).by_policy) > 1 for name in series):
            frames["win_rate_by_policy"] = series.win_rates("policy")
        if 2 in series.axes.values():
            frames["matrix"] = series.matrix()
            frames["against_all"] = series_tables.against_all(frames["matrix"])
            frames = {name: frame for name, frame in frames.items() if len(frame)}
        if self.tolerance is not None:
            frames["verdicts"] = series.verdicts(self.tolerance)
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
        verdicts = [balance_sentence(self.tables["verdicts"])] if "verdicts" in self.tables else []
        said = (*series_words.words(self.series, self.tables), *verdicts, *own)
        return [f"{one.rstrip('.')}." for one in said]

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

    def write(self, folder: str | Path, plots: bool = True, helpers: int = 0) -> Path:
        """Write tables, plots and page into the folder of the series; returns the path of the page.

        Settings whose own page is missing get it, too. helpers: copies of this process that help to draw,
        where that is safe. UserError if the folder cannot be written.
        """
        folder = Path(folder)
        rest = SettingReports(folder, plots, self.series.rows, self.tolerance)
        for setting in self.series.settings:
            if not (folder / setting.folder / "report.html").is_file():
                rest.add(setting, self.series[setting.name])
        return build.write_files(self, folder, plots, helpers, "series.html.j2")

    # ---- tables for readers; the files hold the long ones ----------------------------------------------

    def terminal_tables(self) -> list[pd.DataFrame]:
        """What a terminal shows: each against each, or win rates by seat; by policy; then all the rest.

        A game may have tables of its own in their place (`series_terminal`).
        """
        own: list[pd.DataFrame] = self._ask("series_terminal", list)(self.series, self.tables)
        found = [series_tables.cross(self.tables["matrix"])] if "matrix" in self.tables else []
        found += [] if found or own else [series_tables.wins(self.series, "seat")]
        found += [series_tables.wins(self.series, "policy")] if "win_rate_by_policy" in self.tables else []
        found += own or [series_tables.compact(self.series)]
        return [*found, self.tables["verdicts"]] if "verdicts" in self.tables else found

    @cached_property
    def page_tables(self) -> dict[str, pd.DataFrame]:
        """What the page shows: one row a setting wherever that is possible; the game's own as it likes them
        (`series_page`)."""
        frames = {**self.tables, "win_rate_by_seat": series_tables.wins(self.series, "seat")}
        if "win_rate_by_policy" in frames:
            frames["win_rate_by_policy"] = series_tables.wins(self.series, "policy")
        frames["settings"] = series_tables.without_seats(self.series, frames["settings"])
        own: Mapping[str, pd.DataFrame] = self._ask("series_page", dict)(self.series, self.tables)
        return {**frames, **own}
