"""An exact answer: a tidy table, a sentence, and what to draw. Chances are fractions; all imports are light.

What a game's question returns is an `Answer` of columns, rows and words; printing it, JSON, CSV, the data
frame and the figure follow from that. Chances are shown in per cent with enough digits to tell them from 0
and 1, and as the exact fraction where it is short.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from analyzer.cells import cell
from analyzer.errors import UserError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Kind = Literal["chance", "number", "text"]
SHORT = 100  # a fraction is shown up to this denominator
ALMOST = Fraction(1, 10_000)  # what is nearer to 1 is only said to be
FEW = 2  # so many columns of chances leave room for exact fractions
SUFFIXES = (".png", ".svg")


@dataclass(frozen=True)
class Column:
    """A column of an answer. name: in CSV, JSON and frames; heading: as shown.

    kind: "chance" (a Fraction from 0 to 1), "number" (int, or a Fraction: an expected value) or "text".
    None in a cell: there is nothing to tell.
    """

    name: str
    kind: Kind = "number"
    heading: str = ""

    @property
    def shown(self) -> str:
        """The heading."""
        return self.heading or self.name.replace("_", " ")


@dataclass(frozen=True)
class Lines:
    """To draw: columns of the answer as lines over the column `x`.

    steps: a value holds from the point before it, for numbers that have nothing between them. asked: the x
    that was asked for, where that of the row is another.
    """

    x: str
    lines: tuple[str, ...]
    x_label: str
    y_label: str
    steps: bool = False
    asked: Fraction | None = None


@dataclass(frozen=True)
class Heat:
    """To draw: the answer as a matrix of coloured cells, the columns `cells` in rows named by `label`.

    few: the fewer the darker (hits until a unit falls). asked: the column that was asked for, if one was.
    """

    label: str
    cells: tuple[str, ...]
    x_label: str = ""
    few: bool = False
    asked: str = ""


@dataclass(frozen=True)
class Answer:
    """What is asked, as a table and in words.

    rows: cells in the order of `columns`. title: what the table is. finding: the answer in one sentence, with
    numbers; the title of the chart. words: what else to say, and how it is reckoned. asked: the row that was
    asked for, if one was. given: what was taken for parameters without a default that were not given;
    `questions.ask` adds the others, and fills in game, question and warnings.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str
    finding: str
    words: str
    plot: Lines | Heat
    asked: int | None = None
    game: str = ""
    question: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @cached_property
    def table(self) -> pd.DataFrame:
        """The rows as a data frame; chances as float64, None as NaN. `records` has the exact fractions."""
        import pandas as pd

        names = [one.name for one in self.columns]
        frame = pd.DataFrame([[_plain(cell) for cell in row] for row in self.rows], columns=names)
        frame.attrs.update(title=self.title, about=self.words)
        return frame

    def column(self, name: str) -> list[Any]:
        """The cells of a column, chances as Fractions."""
        place = [one.name for one in self.columns].index(name)
        return [row[place] for row in self.rows]

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts of plain values; beside each chance `x` stands `x_exact`, such as "5/6"."""
        return [
            {
                name: value
                for cell, one in zip(row, self.columns, strict=True)
                for name, value in _told(cell, one)
            }
            for row in self.rows
        ]

    def as_json(self) -> str:
        """The whole answer as JSON."""
        told = {
            "game": self.game,
            "question": self.question,
            "parameters": {name: _given(value) for name, value in self.given.items()},
            "exact": True,
            "finding": self.finding,
            "words": self.words,
            "warnings": list(self.warnings),
            "asked": self.asked,
            "table": self.records(),
        }
        return json.dumps(told, ensure_ascii=False, indent=1)

    def as_csv(self) -> str:
        """The table as CSV; chances as decimals, and exact in a column of their own."""
        import csv
        import io

        out = io.StringIO()
        records = self.records()
        names = [name for one in self.columns for name, _ in _told(None, one)]
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _guarded(value) for name, value in record.items()} for record in records)
        return out.getvalue()

    def __str__(self) -> str:
        return f"{self.title}\n\n{self.text_table()}\n\n{self.finding} {self.words}"

    def text_table(self) -> str:
        """The table as lines of text; > stands before the row that was asked for."""
        shown = [part for place, one in enumerate(self.columns) for part in self._shown(place, one)]
        lines = [[head for head, _, _ in shown], *zip(*(cells for _, cells, _ in shown), strict=True)]
        widths = [max(len(line[k]) for line in lines) for k in range(len(shown))]
        sides = [right for _, _, right in shown]
        lead = "  " if self.asked is not None else ""
        texts = []
        for number, line in enumerate(lines):
            cells = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, sides, strict=True)
            ]
            mark = "> " if number - 1 == self.asked else lead
            texts.append((mark + "  ".join(cells)).rstrip())
        rule = lead + "-" * (sum(widths) + 2 * len(widths) - 2)
        return "\n".join([texts[0], rule, *texts[1:]])

    def _shown(self, place: int, one: Column) -> list[tuple[str, list[str], bool]]:
        """(heading, cells, flushed right?) of a column; exact fractions, if short, beside the chances."""
        cells = [row[place] for row in self.rows]
        if one.kind == "text":
            return [(one.shown, ["" if cell is None else str(cell) for cell in cells], False)]
        if one.kind == "number":
            return [(one.shown, [number(cell) for cell in cells], True)]
        found = [(one.shown, ["" if cell is None else percent(cell) for cell in cells], True)]
        if self._fractions_fit and any(map(short, cells)):
            found.append(("exact", [short(cell) for cell in cells], False))
        return found

    @cached_property
    def _fractions_fit(self) -> bool:
        """Whether exact fractions stand beside the chances: there is room, and all are short."""
        places = [k for k, one in enumerate(self.columns) if one.kind == "chance"]
        cells = [row[k] for row in self.rows for k in places]
        return len(places) <= FEW and all(one in (None, 0, 1) or short(one) for one in cells)

    def figure(self) -> Figure:
        """The chart, in the style of all reports."""
        from analyzer.report import answer_charts

        return answer_charts.figure(self)

    def write_figure(self, path: Path | str) -> Path:
        """Write the chart as .png or .svg. Raises UserError for another kind of file, or if it cannot be."""
        path = chart_file(path)
        from analyzer.report import charts

        drawn = self.figure()
        data = charts.png(drawn) if path.suffix.lower() == ".png" else charts.svg(drawn).encode()
        return written(path, data)

    def write(self, folder: Path | str) -> list[Path]:
        """Write table (CSV), answer (JSON) and chart (PNG, SVG) to a folder, named by game and question."""
        name = f"{self.game}-{self.question}"
        folder = Path(folder)
        found = [
            written(folder / f"{name}.csv", self.as_csv().encode()),
            written(folder / f"{name}.json", self.as_json().encode()),
        ]
        return found + [self.write_figure(folder / f"{name}{suffix}") for suffix in SUFFIXES]


def chart_file(path: Path | str) -> Path:
    """The path of a chart. Raises UserError unless it ends in .png or .svg."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"{str(path)!r} is no file for a chart; it must end in {' or '.join(SUFFIXES)}.")
    return path


def written(path: Path, data: bytes) -> Path:
    """Write a file, with the folder it stands in. Raises UserError if that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{str(path)!r} cannot be written: {reason}.") from None
    return path


# ---------------------------------------------------------------- numbers in words


def percent(chance: Fraction) -> str:
    """A chance in per cent: 83.3 %; with digits enough that only 0 and 1 look like 0 and 1."""
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    if 1 - chance < ALMOST:
        return f"> {float(100 - 100 * ALMOST):.2f} %"
    rest = float(100 * min(chance, 1 - chance))
    digits = 1
    while digits < 12 and rest < 10.0 ** (1 - digits):
        digits += 1
    return f"{float(100 * chance):.{digits}f} %"


def short(chance: Fraction | None) -> str:
    """The exact fraction, 5/6; nothing for 0, 1 and fractions that are long."""
    if chance is None or chance in (0, 1) or chance.denominator > SHORT:
        return ""
    return f"{chance.numerator}/{chance.denominator}"


def exactly(chance: Fraction) -> str:
    """A chance for a sentence: 83.3 % (5/6)."""
    return f"{percent(chance)} ({short(chance)})" if short(chance) else percent(chance)


def number(value: int | Fraction | None) -> str:
    """A number in a table: 12, or 3.33 for a fraction."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) or value.denominator == 1 else f"{float(value):.2f}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: A, B and C."""
    return " ".join([", ".join(names[:-1]), last, names[-1]]) if len(names) > 1 else "".join(names)


def _told(cell: Any, one: Column) -> list[tuple[str, Any]]:
    """The name and plain value of a cell; for what may be a fraction, the exact one beside it."""
    if one.kind != "chance":
        return [(one.name, _plain(cell))]
    return [(one.name, _plain(cell)), (f"{one.name}_exact", None if cell is None else str(cell))]


def _plain(cell: Any) -> Any:
    return float(cell) if isinstance(cell, Fraction) else cell


def _given(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _guarded(value: Any) -> Any:
    """A text as a cell that is no formula; anything else as it is."""
    return cell(value) if isinstance(value, str) else value
