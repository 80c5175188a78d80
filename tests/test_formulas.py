"""Names from strangers in what we write: no cell of a CSV is a formula, no text is HTML of its own."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pandas as pd
import pytest

import analyzer
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.report import tables
from tests import synthetic

STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\u00a0=", "＝", "＋", "－", "＠", "\u200b=", "\ufeff="]
FORMULA = "1+cmd|' /C calc'!A0"


def cells(text: str) -> list[list[str]]:
    """The cells of a CSV as a spreadsheet reads them."""
    return list(csv.reader(io.StringIO(text, newline="")))


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet may take a cell for a formula, by what it begins with once blanks are trimmed."""
    bare = cell.lstrip("\t\r\n ?\u00a0\u3000\u200b\ufeff")
    return bare[:1] in tuple("=+-@＝＋－＠") and not _is_number(cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("start", STARTS)
def test_no_text_of_a_table_is_a_formula(start: str) -> None:
    name = start + FORMULA
    frame = pd.DataFrame({name: [name, "plain"], "n": [-1, 2], "x": [-0.5, 1.5]})
    frame["kind"] = pd.Categorical([name, "b"])
    frame["mixed"] = pd.Series([name, -3], dtype=object)
    found = cells(tables.csv(frame))
    assert not [cell for row in found for cell in row if is_formula(cell)]
    assert found[1][1:3] == ["-1", "-0.5"]  # numbers stay numbers
    assert found[0][0].endswith(FORMULA)
    assert len(found) == 3


def test_an_index_or_an_empty_table_is_written_too() -> None:
    assert tables.csv(pd.DataFrame()) == "\n"
    assert tables.csv(pd.DataFrame({"=a": []})).startswith("'=a")


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_labels_of_policies_do_not_reach_a_csv_as_formulas(tmp_path: Path, start: str) -> None:
    """A run of a stranger may name its policies as it likes."""
    from analyzer.report.build import write_report

    results = synthetic.make(60)
    evil = f"{start}{FORMULA}<script>alert(1)</script>"
    results.meta["rotations"] = [[evil, *row[1:]] for row in results.meta["rotations"]]
    results.meta["policies"] = [evil, *results.meta["policies"][1:]]
    page = write_report(results, tmp_path, plots=False)
    written = sorted((tmp_path / "tables").glob("*.csv"))
    assert written
    named = 0
    for path in written:
        for row in cells(path.read_text(encoding="utf-8")):
            assert not [cell for cell in row if is_formula(cell)], path
            named += sum(FORMULA in cell for cell in row)
    assert named
    assert "<script>alert(1)" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["=1+1", "@x", "+x", "-x", "a\tb", "<b>"])
def test_a_policy_and_its_parameters_have_names_that_are_no_formulas(
    dice_race: str, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UserError):
        analyzer.run(dice_race, 2, 4, policy=name, jobs=1)
    with pytest.raises(UserError):
        analyzer.run(dice_race, 2, 4, policy=f"gambler:{name}=1", jobs=1)


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "-x", "\\t=1"])
def test_what_a_config_says_of_a_setting_is_no_formula(tmp_path: Path, text: str) -> None:
    """`about`, `rule` and names of a user's config are told in tables."""
    file = tmp_path / "my.yaml"
    told = f'{{value: 14, rule: "{text}", about: "{text}<b>"}}'
    file.write_text(f"game: moscow\nmoscow_strength: {told}\n", encoding="utf-8")
    rows = pd.DataFrame(load_config(file=file).describe())
    assert "<b>" in tables.csv(rows)
    assert not [cell for row in cells(tables.csv(rows)) for cell in row if is_formula(cell)]


def test_a_carriage_return_in_a_config_is_refused(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text('game: moscow\nmoscow_strength: {value: 14, about: "\\r=1"}\n')
    with pytest.raises(UserError, match=r"U\+000D, a sign that nobody sees"):
        load_config(file=tmp_path / "my.yaml")


def test_every_csv_of_the_program_guards_its_cells() -> None:
    root = Path(analyzer.__file__).parent
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")
    }
    writers = {name for name, text in texts.items() if re.search(r"to_csv|csv\.(Dict)?[wW]riter", text)}
    assert writers == {"report/tables.py", "answers.py"}
    assert all("from analyzer.cells import cell" in texts[name] for name in writers)


def test_the_csv_of_odds_guards_its_cells() -> None:
    from analyzer.answers import _guarded

    assert _guarded(" =1+1") == "' =1+1"
    assert _guarded(-1) == -1
