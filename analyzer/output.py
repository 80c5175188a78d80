"""What the command line prints: results, games, settings, progress. Tables by rich, on the terminal only."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry

if TYPE_CHECKING:
    from rich.console import Console

    from analyzer.apart import Tell
    from analyzer.config import Config
    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport
    from analyzer.studies.study import Study

EVERY = 30.0  # seconds from one line on the progress to the next, where there is no terminal
STEP_EVERY = 5.0  # the same for a check, which is shorter
PIPE_WIDTH = 160  # columns of a table that does not go to a terminal


def console(stderr: bool = False) -> Console:
    """A rich console, wide enough where nobody's window sets the width."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else PIPE_WIDTH, highlight=False)


@contextmanager
def progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """A progress bar with games a second on stderr; where that is no terminal, a line now and then."""
    if not sys.stderr.isatty():
        yield told_in_lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.completed:,} of {task.total:,} games"),
        BarColumn(),
        TextColumn("{task.fields[rate]:,.0f} games/s"),
        TimeRemainingColumn(),
    )
    # No refresh thread: it would compete with the simulation for the interpreter.
    with Progress(*columns, console=console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=total, rate=0.0)

        first: list[tuple[int, float]] = []  # what was told first: games that were there already do not count

        def report(done: int, planned: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            if not first:
                first.append((done, elapsed))
            rate = (done - first[0][0]) / max(elapsed - first[0][1], 1e-9)
            bar.update(task, completed=done, total=planned, rate=rate, refresh=True)

        bar.refresh()
        yield report


def told_in_lines(clock: Callable[[], float] = time.monotonic) -> Callable[[int, int], None]:
    """Progress for a log: nothing of what is short, else a line on stderr every EVERY seconds."""
    first: list[tuple[int, float]] = []
    last = clock()

    def report(done: int, planned: int) -> None:
        nonlocal last
        now = clock()
        if not first:
            first.append((done, now))
        if now - last < EVERY or done >= planned:
            return
        last = now
        rate = (done - first[0][0]) / max(now - first[0][1], 1e-9)
        speed = (
            f", {games_a_second(rate)}, about {(planned - done) / rate / 60:.0f} min left" if rate > 0 else ""
        )
        text = f"{done:,} of {planned:,} games{speed}"
        print(text, file=sys.stderr, flush=True)

    return report


# ---------------------------------------------------------------- results


def show_results(report: Report, page: Path) -> None:
    """The terminal's report of a run: its main tables, a paragraph in words, the report's path, the speed."""
    from analyzer.report import terminal

    out, results = console(), report.results
    terminal.show(report, page, out)
    out.print(f"{played(results.n, results.kept, results.seconds)} Seed {results.meta['seed']}.")


def played(games: int, kept: int, seconds: float) -> str:
    """How many games were played, and how fast; `kept` of them were there already."""
    if kept == games:
        return f"Nothing was played: {_there(games)}. The report was made anew."
    speed = games_a_second((games - kept) / max(seconds, 1e-9))
    before = f" {_there(kept)}." if kept else ""
    return f"{_games(games - kept)} played in {seconds:.1f} s, {speed}.{before}"


def games_a_second(rate: float) -> str:
    """A speed: 12,300 games/s, 0.4 games/s."""
    return f"{rate:,.0f} games/s" if rate >= 9.95 else f"{rate:.1f} games/s"


def _games(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def _there(games: int) -> str:
    return f"{_games(games)} {'was' if games == 1 else 'were'} there already"


def as_json(report: Report, page: Path) -> str:
    """Meta and all tables of a run as one JSON object; tables are lists of records."""
    results = report.results
    record = {
        "meta": results.meta,
        "kept": results.kept,
        "win_rates": results.win_rates(["seat", "policy"]).to_dict("records"),
        "nobody": results.nobody()._asdict(),
        "tables": {name: frame.to_dict("records") for name, frame in report.tables.items()},
        "summary": report.paragraph,
        "report": str(page),
    }
    return json.dumps(plain(record), ensure_ascii=False, indent=1, allow_nan=False)


def show_series(report: SeriesReport, page: Path) -> None:
    """The terminal's report of a series: win rates by setting, other columns, words, path, speed."""
    from rich.text import Text

    from analyzer.report import terminal

    out, series = console(), report.series
    for frame in report.terminal_tables():
        out.print(terminal.table(frame, str(frame.attrs.get("title", ""))))
    out.print(Text(terminal.filled(report.paragraph, out)), soft_wrap=True)
    out.print(Text(f"\nReport: {page}"), soft_wrap=True)
    new, seconds = series.n - series.kept, series.seconds
    if not new:
        out.print(f"{len(series)} settings. {played(series.n, series.kept, seconds)}")
        return
    before = f" {_there(series.kept)}." if series.kept else ""
    seed = series[series.settings[0].name].meta["seed"]
    out.print(
        f"{len(series)} settings, {_games(new)} in {seconds:.1f} s (reports of the settings included), "
        f"{games_a_second(new / max(seconds, 1e-9))}.{before} Seed {seed}."
    )


def series_as_json(report: SeriesReport, page: Path) -> str:
    """Meta and all tables of a series as one JSON object; tables are lists of records."""
    settings = [
        {"name": setting.name, "values": setting.values, "folder": str(page.parent / setting.folder)}
        for setting in report.series.settings
    ]
    record = {
        "meta": report.series.meta,
        "kept": report.series.kept,
        "settings": settings,
        "tables": {name: frame.to_dict("records") for name, frame in report.tables.items()},
        "summary": report.paragraph,
        "report": str(page),
    }
    return json.dumps(plain(record), ensure_ascii=False, indent=1, allow_nan=False)


def plain(value: Any) -> Any:
    """A value as JSON has it: no NumPy numbers, and null where a number is not finite."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


# ---------------------------------------------------------------- games and settings


def show_games() -> None:
    """All games with their players, and the policies of each with its parameters."""
    out = console()
    for name in registry.game_names():
        out.print(
            f"[bold]{name}[/bold]: {registry.players_in_words(name)}. {_about(registry.game_class(name))}"
        )
        for policy, cls in registry.policies_of(name).items():
            out.print(f"  {policy:12} {_about(cls)} {_parameters(cls)}", soft_wrap=True, markup=False)


def _about(cls: type[Any]) -> str:
    """The first sentence about a class, however many lines it takes."""
    text = " ".join((inspect.getdoc(cls) or "").partition("\n\n")[0].split())
    first, stop, _ = text.partition(". ")
    return first + stop.strip()


def _parameters(cls: type[Any]) -> str:
    made = registry.make(cls, {})
    given = ", ".join(f"{field.name}={getattr(made, field.name)}" for field in dataclasses.fields(cls))
    return f"({given})"


def show_config(config: Config, json_only: bool) -> None:
    """The settings of a config as a table, or as JSON."""
    if json_only:
        print(json.dumps(config.records(), ensure_ascii=False, indent=1))
        return
    rows = config.describe()
    from rich.table import Table

    out = console()
    table = Table(title=f"{config.game}: settings", title_justify="left")
    for name in rows[0]:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row.values()))
    out.print(table, markup=False)
    for warning in config.warnings():
        out.print(f"Note: {warning}", markup=False)
    out.print("mark: R the rules, P a public source, A an assumption of ours.")
    for axis in registry.axes(config.game):
        if axis.name != registry.PLAYERS:
            out.print(f"--{axis.name}: {', '.join(axis.names(config))}", soft_wrap=True, markup=False)
    for name, cls in registry.policies_of(config.game).items():
        out.print(f"policy {name}: {_about(cls)} {_parameters(cls)}", soft_wrap=True, markup=False)


# ---------------------------------------------------------------- checks


@contextmanager
def steps() -> Iterator[Tell]:
    """A bar on stderr that tells what is being checked; where that is no terminal, a line now and then."""
    if not sys.stderr.isatty():
        yield steps_in_lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("Check {task.completed} of {task.total}"),
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(text: str, done: int, of: int) -> None:
            bar.update(task, description=text, completed=done, total=of, refresh=True)

        yield tell


def steps_in_lines(clock: Callable[[], float] = time.monotonic) -> Tell:
    """What is being checked for a log: nothing of what is short, else a line on stderr every STEP_EVERY
    seconds."""
    start = last = clock()

    def tell(text: str, done: int, of: int) -> None:
        nonlocal last
        now = clock()
        if now - last >= STEP_EVERY:
            last = now
            print(
                f"{done} of {of} checks made in {now - start:.0f} s, now: {text}", file=sys.stderr, flush=True
            )

    return tell


# ---------------------------------------------------------------- studies


def show_study(study: Study, page: Path | None) -> None:
    """The terminal's report of a study: its main tables, the findings, the page's path, what was played."""
    from rich.text import Text

    from analyzer.report import terminal

    out = console()
    for frame in study.terminal_tables():
        out.print(terminal.table(frame, str(frame.attrs.get("title", ""))))
        if about := frame.attrs.get("about"):
            out.print(Text(f"{about}\n", style="dim"))
    out.print(Text(terminal.filled(study.paragraph, out)), soft_wrap=True)
    if page is not None:
        out.print(Text(f"\nReport: {page}"), soft_wrap=True)
    seconds = study.meta.get("wall_seconds")
    if seconds:
        seed = f" Seed {study.meta['seed']}." if "seed" in study.meta else ""
        speed = games_a_second(study.n / seconds)
        out.print(f"{_games(study.n)} played in {seconds:.1f} s, {speed}.{seed}")


def study_as_json(study: Study, page: Path | None) -> str:
    """Meta and all tables of a study as one JSON object; tables are lists of records."""
    record = {
        "meta": study.meta,
        "tables": {name: frame.to_dict("records") for name, frame in study.tables.items()},
        "words": study.words,
        "report": None if page is None else str(page),
    }
    return json.dumps(plain(record), ensure_ascii=False, indent=1, allow_nan=False)
