"""The report as one HTML page: self-contained, offline, light and dark, readable on a phone and in print."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.disk import is_plain
from analyzer.report import fit, tables
from analyzer.report.parts import Chart

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup
    from pandas import DataFrame

    from analyzer.report.build import Report
    from analyzer.report.series import SeriesReport
    from analyzer.studies.study import Study

LONG = 12  # tables with more rows start folded
MOST = 200  # rows of a table on the page; the CSV file holds them all


@dataclass(frozen=True)
class ShownTable:
    """A table on the page. more: further columns of it, as tables with the same rows."""

    name: str
    title: str
    about: str
    columns: list[tables.Column]
    rows: list[list[tuple[str, Any, bool, str]]]
    total: int
    folded: bool
    style: str = ""
    more: tuple[ShownTable, ...] = ()

    @property
    def left(self) -> int:
        """How many columns stand in `more`."""
        seen = {id(column) for column in self.columns}
        return len({id(column) for one in self.more for column in one.columns} - seen)


@dataclass(frozen=True)
class Section:
    """One question with its charts and tables."""

    anchor: str
    question: str
    charts: list[tuple[Chart, str, list[ShownTable]]]
    tables: list[ShownTable]


PAGE = "page.html.j2"


def render(
    report: Report | SeriesReport | Study,
    drawings: dict[str, str],
    template: str = PAGE,
    files: Sequence[str] = (),
) -> str:
    """The whole page; `drawings` are the inline SVGs by chart name (none: a page without charts).

    files: what is written beside the page, so that the next one knows what to remove (`listed`)."""
    meta = getattr(report, "meta", None) or report.results.meta
    return _environment().get_template(template).render(
        report=report, results=report.results, meta=meta, versions=dict(meta.get("versions") or {}),
        sections=sections(report, drawings), assumptions=assumptions(meta), files=files,
    )  # fmt: skip


_FILES = re.compile(r'<meta name="files" content="([^"<>]*)">')
_OURS = re.compile(r"(?:tables/[^\W/][\w ,.-]*\.csv|plots/[^\W/][\w ,.-]*\.(?:png|svg))")


def listed(path: Path) -> list[str]:
    """The tables and plots that a page says were written beside it; none if there is no such page.

    Only names of the form that reports have, one folder deep: a page may have been tampered with.
    """
    if not is_plain(path):
        return []
    with path.open(encoding="utf-8", errors="replace") as file:
        found = _FILES.search(file.read(100_000))
    names = html.unescape(found[1]).split("|") if found else []
    return [name for name in names if _OURS.fullmatch(name) and ".." not in name]


def place(chart: str) -> str:
    """What stands for a drawing in a page until it is drawn. No text of others is like it: `<` is escaped."""
    return f"<!-- {chart} -->"


def prepare() -> None:
    """Compile the page's template, which takes a tenth of a second."""
    _environment().get_template(PAGE)


def snippet(report: Report, drawing: str) -> str:
    """A short HTML piece for a notebook."""
    frame = report.tables[
        "win_rate_by_policy" if "win_rate_by_policy" in report.tables else "win_rate_by_seat"
    ]
    return _environment().get_template("snippet.html.j2").render(
        report=report, drawing=drawing, table=shown("win_rates", frame)
    )  # fmt: skip


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=PackageLoader("analyzer.report", "."), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, autoescape=select_autoescape(default=True, default_for_string=True),
        finalize=whole_numbers,
    )  # fmt: skip
    made.filters["breakable"] = breakable
    return made


_UNIT = re.compile(r"(?<=\d) (?=(?:%|points?\b|km\b|s\b|±\d))")


def whole_numbers(shown: Any) -> Any:
    """What the page shows, with no line end between a number and its unit or its ±."""
    return _UNIT.sub("\u00a0", shown) if type(shown) is str and " " in shown else shown


def sections(report: Report | SeriesReport | Study, drawings: dict[str, str]) -> list[Section]:
    """Charts and tables by the question they answer; a table stands below the first chart that names it."""
    left = dict(getattr(report, "page_tables", report.tables))
    left.pop("games_to_replay", None)
    found: dict[str, Section] = {}

    def section(question: str) -> Section:
        anchor = "".join(c if c.isalnum() else "-" for c in question.lower()).strip("-")
        return found.setdefault(question, Section(anchor, question, [], []))

    for chart in report.charts:
        mine = [shown(name, left.pop(name)) for name in chart.tables if name in left]
        section(chart.question).charts.append((chart, drawings.get(chart.name, ""), mine))
    for name, frame in left.items():
        section(str(frame.attrs.get("question") or "More tables")).tables.append(shown(name, frame))
    return list(found.values())


def shown(name: str, frame: DataFrame) -> ShownTable:
    """A frame made ready for the page; columns for which the page has no room stand in tables of their own.

    `frame.attrs["keys"]`: how many columns name a row (see `fit.layout`).
    """
    columns = tables.columns(frame.head(MOST))
    layout = fit.layout(columns, frame.attrs.get("keys"))
    title = str(frame.attrs.get("title") or name)
    first, *more = (
        ShownTable(
            name, title, "", some, _rows(some, min(len(frame), MOST)), len(frame), len(frame) > LONG,
            layout.style,
        )
        for some in ([columns[k] for k in part] for part in layout.parts)
    )  # fmt: skip
    return replace(first, about=tables.about(frame), more=tuple(more))


def _rows(columns: Sequence[tables.Column], many: int) -> list[list[tuple[str, Any, bool, str]]]:
    return [
        [
            (column.cells[i], column.keys[i], column.number, column.hints[i] if column.hints else "")
            for column in columns
        ]
        for i in range(many)
    ]


def breakable(text: str) -> Markup:
    """A text as HTML in which a long name may be broken behind its marks."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(map(escape, fit.BREAKS.sub("\\1\n", str(whole_numbers(text))).split("\n")))


def plain(value: Any) -> str:
    """A value of a config as a reader has it: lists and tables without the marks of a program."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {plain(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value))
    return str(value)


def assumptions(meta: dict[str, Any]) -> list[dict[str, Any]]:
    """The run's assumptions as shown: values as text, and whether each was moved from its default."""
    rows = []
    for entry in meta.get("assumptions") or []:
        allowed = entry.get("range")
        choices = entry.get("options")
        text = f"{allowed[0]} to {allowed[1]}" if allowed else ", ".join(map(plain, choices or []))
        rows.append({
            "key": entry.get("key", ""), "value": plain(entry.get("value", "")),
            "default": plain(entry.get("default", "")),
            "mark": entry.get("mark") or "", "allowed": text, "rule": entry.get("rule") or "",
            "about": entry.get("about") or "", "moved": entry.get("value") != entry.get("default"),
        })  # fmt: skip
    return sorted(rows, key=lambda row: not row["moved"])
