"""The report of what was saved: page, tables and plots of a run or a series, without a simulation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import UserError, clip
from analyzer.series import SERIES, Series
from analyzer.sim.results import Results

if TYPE_CHECKING:
    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport

STUDY = "study.json"


def load(folder: str | Path) -> Results | Series:
    """What a folder holds, a run or a series. UserError if it is neither, or damaged."""
    folder = Path(folder)
    if (folder / SERIES).is_file():
        return Series.load(folder)
    if (folder / STUDY).is_file() and not (folder / "run.json").is_file():
        raise UserError(f"{folder} holds a study, not a run: repeat its command to make its page again.")
    return Results.load(folder).verified()


def rebuild(
    folder: str | Path, out: str | Path | None = None, plots: bool = True, helpers: int = 0
) -> tuple[Report | SeriesReport, Path]:
    """Make page, tables and plots of a saved run or series anew; the report, and the path of its page.

    out: the folder to write to (default: where the run is). helpers: copies of this process that help to
    draw.
    UserError if the folder holds no run, is damaged, or cannot be written.
    """
    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport, SettingReports

    folder = Path(folder)
    found, to = load(folder), folder if out is None else Path(out)
    with readable(folder):
        if isinstance(found, Results):
            report = Report(found)
            return report, report.write(to, plots, helpers)
        singles = SettingReports(to, plots, found.rows)
        for setting in found.settings:
            singles.add(setting, found[setting.name].verified())
        series = SeriesReport(found)
        return series, series.write(to, plots, helpers)


@contextmanager
def readable(folder: str | Path) -> Iterator[None]:
    """What does not fit in the tables of a saved run is a damaged folder, no fault of the program."""
    try:
        yield
    except UserError:
        raise
    except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        raise UserError(
            f"{folder} is damaged, or of another version of the program ({_told(error)}). "
            "Remove the folder, or run anew into another one."
        ) from error


def _told(error: Exception) -> str:
    """What an error says, in one line; of a config that is wrong in several places, the first."""
    if callable(wrong := getattr(error, "errors", None)):
        first = wrong()[0]
        return clip(f"config: {'.'.join(map(str, first['loc']))}: {first['msg']}", 300)
    return clip(f"{type(error).__name__}: {' '.join(str(error).split())}", 300)
