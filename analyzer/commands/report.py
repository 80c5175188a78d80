"""`analyze report`: pages of saved runs, without a simulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.commands.options import Command, Folder, command_line, tell

if TYPE_CHECKING:
    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport


@click.command(cls=Command)
@click.argument("runs", metavar="RUN [RUN2 ...]", nargs=-1, required=True, type=Folder(path_type=Path))
@click.option(
    "--out",
    type=Folder(path_type=Path),
    metavar="FOLDER",
    help="Where to write. [default: one RUN: its own folder; several: reports/report-<game>-...]",
)
@click.option("--jobs", type=click.IntRange(1, 1024), help="1: draw in one process only. [default: two]")
@click.option("--no-plots", is_flag=True, help="Write tables and a page without charts.")
@click.option("--json", "as_json", is_flag=True, help="Print meta and all tables as JSON, and nothing else.")
def report(runs: tuple[Path, ...], out: Path | None, jobs: int | None, no_plots: bool, as_json: bool) -> None:
    """Make the page of a saved RUN again, or set several side by side. Nothing is simulated.

    RUN is the folder of a run or of a series. Several runs must be of the same game; what differs in them
    (players, policies, settings, seed, games) is told, and every number is held against the first run.
    Of a series among several every setting counts as a run.

    \b
    Examples:
      analyze report reports/moscow-4p-1f0a2b
      analyze report reports/moscow-4p-1f0a2b --out page --no-plots
      analyze report reports/before reports/after
      analyze report reports/seed1 reports/seed2 reports/seed3 --out side-by-side
    """
    if len(runs) == 1:
        from analyzer.report.again import rebuild

        found, page = rebuild(runs[0], out, not no_plots, helpers=0 if jobs == 1 else 1)
        _show(found, page, as_json)
    else:
        from analyzer.report.beside import side_by_side

        tell(side_by_side(*runs, command=command_line()), out, no_plots, as_json, jobs)


def _show(found: Report | SeriesReport, page: Path, as_json: bool) -> None:
    from analyzer import output
    from analyzer.report.build import Report

    if isinstance(found, Report):
        from analyzer.report import terminal

        if as_json:
            click.echo(output.as_json(found, page))
        else:
            terminal.show(found, page, output.console())
    elif as_json:
        click.echo(output.series_as_json(found, page))
    else:
        output.show_series(found, page)
