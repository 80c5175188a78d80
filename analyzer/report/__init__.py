"""The report of a run: tables, plots, page, terminal. Imports what is slow only where it is used."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport, SettingReports
    from analyzer.series import Row, Series
    from analyzer.sim.results import Results


def of(results: Results, tolerance: float | None = None) -> Report:
    """The report of a run: tables, charts and words, computed once for page, files and terminal.

    tolerance: how far from its fair share a balanced win rate may lie; None: no verdicts."""
    from analyzer.report.build import Report

    return Report(results, tolerance)


def of_series(series: Series, rows: Mapping[str, Row], tolerance: float | None = None) -> SeriesReport:
    """The report of a series; `rows`: those that are known already, by setting."""
    from analyzer.report.series import SeriesReport

    series.rows.update(rows)
    return SeriesReport(series, tolerance)


def of_settings(folder: Path, plots: bool, tolerance: float | None = None) -> SettingReports:
    """Writes the report of each setting of a series while the next ones are played."""
    from analyzer.report.series import SettingReports

    return SettingReports(folder, plots, tolerance=tolerance)


def preload(game: str) -> None:
    """Import what the report of a game needs, at a time when somebody else works."""
    with no_collection():
        import jinja2  # noqa: F401
        import matplotlib.backends.backend_agg
        import matplotlib.backends.backend_svg
        import matplotlib.figure  # noqa: F401
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401
        import rich.console
        import rich.table  # noqa: F401

        import analyzer.report.renderers
        import analyzer.report.terminal  # noqa: F401
        from analyzer.errors import UserError
        from analyzer.report import build, page

        page.prepare()
        with suppress(UserError):  # told when the report is made
            build.game_module(game)


@contextmanager
def no_collection() -> Iterator[None]:
    """No garbage collection meanwhile. Libraries and figures are full of cycles that live on: looking through
    them again and again takes a fifth of the time of importing and of drawing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
