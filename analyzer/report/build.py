"""A report out of Results: tables, charts, page, terminal. Knows no game: the game's own module supplies
them."""

from __future__ import annotations

import importlib
import re
import shlex
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import copies
from analyzer.disk import is_plain, own_folder, write_whole
from analyzer.errors import UserError
from analyzer.report import charts, no_collection, notes, page, tables
from analyzer.report.parts import Chart
from analyzer.sim.results import Results

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from analyzer.report.series import SeriesReport
    from analyzer.studies.study import Study


def game_module(game: str) -> Any:
    """The report module of a game, analyzer.games.<game>.report; UserError if there is none by that name."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game):
        raise UserError(f"{game!r} is no name of a game.")
    name = f"analyzer.games.{game}.report"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise UserError(f"There is no report for a game named {game!r}.") from error


@dataclass
class Report:
    """Everything a report shows, computed once from the Results and shared by page, files and terminal."""

    results: Results
    # How far from fair a balanced win rate may lie; None: as the run was given, and without one no verdicts.
    tolerance: float | None = None

    def __post_init__(self) -> None:
        if self.tolerance is None:
            self.tolerance = self.results.tolerance

    @cached_property
    def module(self) -> Any:
        return game_module(str(self.results.meta["game"]))

    @cached_property
    def has_module(self) -> bool:
        """Whether the game has a report of its own; a series can do without."""
        try:
            return self.module is not None
        except UserError:
            return False

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        frames: dict[str, pd.DataFrame] = self.module.tables(self.results)
        return {**frames, **notes.tables(self.results, self.tolerance)}

    @cached_property
    def charts(self) -> list[Chart]:
        found: list[Chart] = self.module.charts(self.results, self.tables)
        return found

    @cached_property
    def words(self) -> list[str]:
        said: list[str] = self.module.words(self.results, self.tables)
        if self.results.n < notes.LEAST:
            said = [said[0], notes.who_won(self.results), notes.few(self.results)]
        return [*said, *self.notes]

    @cached_property
    def notes(self) -> list[str]:
        """What is said of every game alike: verdicts, and what the intervals rest on."""
        return notes.notes(self.results, self.tables)

    @cached_property
    def footer(self) -> str:
        """What every chart says about where it comes from."""
        meta = self.results.meta
        n, players = self.results.n, self.results.players
        games, seats = "game" if n == 1 else "games", "player" if players == 1 else "players"
        parts = [f"n = {n:,} {games}", f"{players} {seats}", f"seed {meta['seed']}"]
        if meta.get("digest"):
            parts.append(f"config {str(meta['digest'])[:8]}")
        return f"{meta['game']}: " + " · ".join(parts)

    @property
    def paragraph(self) -> str:
        """The first findings as one paragraph."""
        told = self.words[:5]
        return " ".join([*told, *(note for note in self.notes if note not in told)])

    def write(self, folder: str | Path, plots: bool = True, helpers: int = 0) -> Path:
        """As `write_report`."""
        return write_report(self, folder, plots, helpers)

    def replays(self) -> list[tuple[str, str]]:
        """(which game, the command that tells it step by step)."""
        frame = self.tables.get("games_to_replay")
        if frame is None:
            return []
        meta, folder = self.results.meta, self.results.folder
        return [(str(row["which"]), replay_command(meta, int(row["game"]), folder))
                for row in frame.to_dict("records")]  # fmt: skip


# Options of a run that say how it is carried out, not what is played; True: a value follows.
CARRIED_OUT = {"--n": True, "-n": True, "--jobs": True, "--backend": True, "--scheduler": True,
               "--out": True, "--no-plots": False, "--json": False, "--tolerance": True, "--precision": True,
               "--max-n": True}  # fmt: skip


def replay_command(meta: dict[str, Any], game: int, folder: Path | None = None) -> str:
    """The command that replays one game of a run: the run's own options, without how many and whereto.

    folder: of the run, which stands for its options where no command made it.
    """
    try:
        words = shlex.split(str(meta.get("command") or ""))
    except ValueError:
        words = []
    if words[1:2] != ["run"] and folder is not None:
        return shlex.join(["analyze", "replay", str(folder), "--game", str(game)])
    if words[1:2] != ["run"]:
        policies = ",".join(map(str, meta["policies"]))
        words = ["analyze", "run", str(meta["game"]), "--players", str(meta["players"]),
                 "--policies", policies, "--seed", str(meta["seed"])]  # fmt: skip
    kept: list[str] = []
    rest = iter([words[0], "replay", *words[2:]])
    for word in rest:
        name, _, value = word.partition("=")
        if name not in CARRIED_OUT:
            kept.append(word)
        elif CARRIED_OUT[name] and not value:
            next(rest, None)
    if not any(word.partition("=")[0] == "--seed" for word in kept):
        kept += ["--seed", str(meta["seed"])]
    return shlex.join([*kept, "--game", str(game)])


def write_report(results: Results | Report, folder: str | Path, plots: bool = True, helpers: int = 0) -> Path:
    """Write tables/*.csv, plots/*.png|svg and report.html into a folder; returns the path of the page.

    Without plots there are tables and a page without charts. Give the Report instead of its Results to share
    its tables with the terminal. helpers: copies of this process that help to draw, where that is safe.
    UserError if the folder cannot be written.
    """
    report = results if isinstance(results, Report) else Report(results)
    return write_files(report, Path(folder), plots, helpers, page.PAGE)


def write_files(
    report: Report | SeriesReport | Study, folder: Path, plots: bool, helpers: int, template: str
) -> Path:
    """As `write_report`, with a template of one's own. Page and tables are written while copies draw."""
    path, text = folder / "report.html", ""
    drawn = report.charts if plots else []  # all that is computed, before copies are made
    files = [f"tables/{name}.csv" for name in report.tables]
    files += [f"plots/{chart.name}.{kind}" for chart in drawn for kind in ("png", "svg")]
    before = page.listed(path)

    def write_rest() -> None:
        nonlocal text
        for name, frame in report.tables.items():
            write_whole(folder / "tables" / f"{name}.csv", tables.csv(frame).encode(), sync=False)
        places = {chart.name: page.place(chart.name) for chart in drawn}
        text = page.render(report, places, template, files)

    try:
        with no_collection():
            for name in ("tables", "plots") if plots else ("tables",):
                own_folder(folder / name)
            write = partial(_write_chart, report.footer, folder / "plots")
            for chart, drawing in copies.share(write, drawn, helpers, write_rest):
                text = text.replace(page.place(chart.name), drawing)
            write_whole(path, text.encode())
        for name in set(before) - set(files):  # of a page that had more; nothing else is ever removed
            if is_plain(folder / name) and not (folder / name).parent.is_symlink():
                (folder / name).unlink()
    except OSError as error:
        raise UserError(f"The report cannot be written to {folder}: {error}") from error
    return path


def _write_chart(footer: str, folder: Path, chart: Chart) -> str:
    figure = charts.figure(chart, footer)
    write_whole(folder / f"{chart.name}.png", charts.png(figure), sync=False)
    text = charts.svg(figure)
    write_whole(folder / f"{chart.name}.svg", text.encode(), sync=False)
    return charts.inline(text, chart)


def figures(results: Results) -> dict[str, Figure]:
    """Every chart as a matplotlib Figure, by name."""
    report = Report(results)
    return {chart.name: charts.figure(chart, report.footer) for chart in report.charts}


def paragraph(results: Results) -> str:
    """The main findings as one paragraph."""
    return Report(results).paragraph


def notebook(results: Results) -> str:
    """The results as a notebook shows them: what was played, the paragraph, who wins, the key chart."""
    report = Report(results)
    chart = report.charts[0]
    drawing = charts.inline(charts.svg(charts.figure(chart, report.footer)), chart)
    return page.snippet(report, drawing)
