"""The report on the terminal: the tables that matter most, the findings in a paragraph, where the rest is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.report import tables
from analyzer.report.build import Report
from analyzer.sim.results import Results

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import Console, JustifyMethod
    from rich.table import Table


TEXT_WIDTH = 18  # letters that a column of words keeps, however many numbers stand beside it


def show(results: Results | Report, page: Path | None = None, console: Console | None = None) -> None:
    """Print tables, paragraph and the path of the page (None: no report was written).

    Give the Report that was used to write the page, if there is one: its tables are computed only once.
    """
    from rich.console import Console
    from rich.text import Text

    report = results if isinstance(results, Report) else Report(results)
    out = console or Console()
    for name, columns in report.module.TERMINAL.items():
        if name in report.tables:
            frame = report.tables[name]
            # A single seat has no share to be fair about.
            wanted = [c for c in columns if report.results.players > 1 or c not in ("fair_share", "edge")]
            out.print(table(frame[wanted], str(frame.attrs.get("title", ""))))
            if about := tables.about(frame, wanted):
                out.print(Text(f"{about}\n", style="dim"))
    if "verdicts" in report.tables:
        frame = report.tables["verdicts"]
        out.print(table(frame, str(frame.attrs["title"])))
        out.print(Text(f"{frame.attrs['about']}\n", style="dim"))
    out.print(Text(filled(report.paragraph, out)), soft_wrap=True)
    if page is not None:
        # Unwrapped and in one piece, so that it can be clicked or copied.
        out.print(Text(f"\nReport: {page}"), soft_wrap=True)


def filled(text: str, console: Console) -> str:
    """A paragraph broken into lines, never between a number and its unit (rich breaks at every kind of
    space)."""
    import textwrap

    return "\n".join(textwrap.wrap(text, console.width, break_long_words=False, break_on_hyphens=False))


def table(frame: DataFrame, title: str = "") -> Table:
    """A frame as a rich table; names are shown literally, whatever markup they hold."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD,
                  title_style="bold", pad_edge=False)  # fmt: skip
    columns = tables.columns(frame)
    for column in columns:
        side: JustifyMethod = "right" if column.number else "left"
        least = None if column.number else min(max(map(len, [column.heading, *column.cells])), TEXT_WIDTH)
        shown.add_column(
            Text(column.heading), justify=side, no_wrap=column.number, overflow="fold", min_width=least
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        shown.add_row(*(Text(cell) for cell in row))
    return shown
