"""An answer as text, JSON, CSV, data frame and chart: the same numbers, none rounded to what it is not."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import analyzer
from analyzer import questions
from analyzer.answers import Answer, Column, Heat, Lines, exactly, listed, number, percent, short
from analyzer.errors import UserError
from analyzer.questions import Question
from analyzer.report import answer_charts, charts, marks
from tests.odds.test_questions import every_question, example
from tests.report.test_charts import drawn_points, outside, overlaps


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (Fraction(0), "0 %"), (Fraction(1), "100 %"), (Fraction(5, 6), "83.3 %"), (Fraction(1, 2), "50.0 %"),
        (Fraction(1, 1000), "0.10 %"), (Fraction(1, 70_000), "0.0014 %"), (Fraction(999, 1000), "99.90 %"),
        (1 - Fraction(1, 5000), "99.980 %"), (1 - Fraction(1, 10**9), "> 99.99 %"), (0, "0 %"), (1, "100 %"),
    ],
)  # fmt: skip
def test_per_cent_never_rounds_to_never_or_always(chance: Fraction, told: str) -> None:
    assert percent(chance) == told


def test_numbers_in_words() -> None:
    assert exactly(Fraction(5, 6)) == "83.3 % (5/6)"
    assert exactly(Fraction(1234, 9999)) == "12.3 %"
    assert [short(x) for x in (None, Fraction(0), Fraction(1), Fraction(99, 100), Fraction(1, 101))] == [
        "",
        "",
        "",
        "99/100",
        "",
    ]
    assert [number(x) for x in (None, 7, Fraction(4, 2), Fraction(10, 3))] == ["-", "7", "2", "3.33"]
    assert [listed(list(names)) for names in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]


def answer(**changed: object) -> Answer:
    told = {
        "columns": (Column("name", "text"), Column("hits"), Column("beat", "chance", "beaten")),
        "rows": (("=cmd()", 3, Fraction(1, 3)), ("two", None, Fraction(1)), ("three", 1, None)),
        "title": "A title", "finding": "A finding.", "words": "Exact.", "asked": 1,
        "plot": Lines("name", ("beat",), "name", "chance"), "game": "toy", "question": "toys",
    }  # fmt: skip
    return Answer(**{**told, **changed})  # type: ignore[arg-type]


def test_text_marks_the_row_that_was_asked_for() -> None:
    assert answer().text_table().splitlines() == [
        "  name    hits  beaten  exact",
        "  ---------------------------",
        "  =cmd()     3  33.3 %  1/3",
        "> two        -   100 %",
        "  three      1",
    ]
    assert answer(asked=None).text_table().splitlines()[2] == "=cmd()     3  33.3 %  1/3"


def test_fractions_stand_only_where_they_are_short_and_there_is_room() -> None:
    long = answer(rows=(("a", 1, Fraction(100, 777)), ("b", 1, Fraction(1, 2))))
    assert "exact" not in long.text_table()
    many = analyzer.odds("moscow", "armies")
    assert "exact" not in many.text_table()


def test_json_has_decimals_and_exact_fractions() -> None:
    told = json.loads(answer().as_json())
    assert told["exact"] is True
    assert told["asked"] == 1
    assert told["table"][0] == {"name": "=cmd()", "hits": 3, "beat": 1 / 3, "beat_exact": "1/3"}
    assert told["table"][2]["beat"] is None
    given = json.loads(analyzer.odds("moscow", "fewest", want="80%", divisions="3+4").as_json())["parameters"]
    assert given["want"] == "4/5"
    assert given["divisions"] == [3, 4]


def test_csv_is_read_back_exactly_and_holds_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(answer().as_csv())))
    assert rows[0] == {"name": "'=cmd()", "hits": "3", "beat": str(1 / 3), "beat_exact": "1/3"}
    found = analyzer.odds("undaunted", "dice")
    for row, told in zip(found.rows, csv.DictReader(io.StringIO(found.as_csv())), strict=True):
        assert [Fraction(told[f"dice_{n}_exact"]) for n in range(1, 5)] == list(row[1:])


def test_the_frame_has_floats_and_knows_its_title() -> None:
    frame = answer().table
    assert frame["beat"].dtype == np.float64
    assert frame["beat"].isna().tolist() == [False, False, True]
    assert frame.attrs["title"] == "A title"
    fight = analyzer.odds("moscow").table
    assert list(fight.columns) == ["sum", "beat", "twice"]
    assert fight["sum"].dtype.kind == "i"


@every_question
def test_charts_show_data_and_no_text_covers_another(game: str, question: Question) -> None:
    for given in ({}, example(question)):
        drawn = analyzer.odds(game, question.name, **given).figure()
        assert isinstance(drawn, Figure)
        assert overlaps(drawn) == []
        assert outside(drawn) == []
        assert drawn_points(drawn) >= 2


def test_the_widest_chart_is_readable() -> None:
    drawn = analyzer.odds("kraskar", "hits", attackers="all", targets="all", set=["hit_points=60"]).figure()
    assert overlaps(drawn) == []
    assert outside(drawn) == []


def test_files_are_written_and_charts_only_as_png_or_svg(tmp_path: Path) -> None:
    found = analyzer.odds("moscow", "months", attack=14)
    files = found.write(tmp_path / "new" / "folder")
    assert [path.name for path in files] == [
        f"moscow-months.{ending}" for ending in ("csv", "json", "png", "svg")
    ]
    assert files[0].read_text() == found.as_csv()
    assert files[2].read_bytes().startswith(b"\x89PNG")
    ElementTree.fromstring(files[3].read_text())
    with pytest.raises(UserError, match=r"must end in .png or .svg"):
        found.write_figure(tmp_path / "chart.gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        found.write(tmp_path / "file" / "folder")


def test_answers_are_equal_if_they_tell_the_same() -> None:
    assert questions.ask("moscow", None, {"army": "6"}) == questions.ask("moscow", "fight", {"army": 6})


@pytest.mark.parametrize(
    ("game", "given"),
    [
        (
            "kraskar",
            {"question": "hits", "targets": "spearman"},
        ),  # eight names too long to stand side by side
        (
            "kraskar",
            {"question": "hits", "attack": "charge", "attackers": "cavalry", "targets": "Archer Line"},
        ),
        ("kraskar", {"unit": "Champion's Company", "target": "Champion's Company", "bonus": -30}),
        (
            "eastfront",
            {"question": "losses", "germans": "tiger:3,panther:5,stug_iii:5,grenadiers:6,pak_40:5"},
        ),
        ("undaunted", {"question": "remove", "action": "suppress", "unit": "gunner", "cards": 1}),
        ("moscow", {"question": "fewest", "army": 30, "general": True, "river": True, "twice": True}),
    ],
)
def test_the_charts_of_long_names_and_titles_are_whole(game: str, given: dict[str, Any]) -> None:
    told = analyzer.odds(game, **given)
    drawn = told.figure()
    assert overlaps(drawn) == []
    assert outside(drawn) == []
    foot = " ".join(answer_charts.footer(told)).replace("\u00a0", " ")
    assert foot == f"{game}: {told.title} · exact, by the rules"
    assert "80.0 %" not in answer_charts.chart(told).finding  # no line ends within a number


def test_a_name_wider_than_the_figure_is_broken_into_lines() -> None:
    long = answer(title=f"Chance of {199 * 'N'}", finding=f"{150 * 'W'} beats {40 * 'W'}: 10 %.")
    drawn = long.figure()
    assert overlaps(drawn) == []
    assert outside(drawn) == []
    rows = replace(answer(rows=((40 * "W", 1, Fraction(1)),)), plot=Heat("name", ("beat",)))
    assert outside(rows.figure()) == []
    lines = charts.headline(answer_charts.chart(long))
    assert "".join(lines).count("W") == 190
    assert 3 < len(lines) < 10
    assert charts.wrapped("", 12) == []
    assert charts.wrapped("two words", 12) == ["two words"]


def test_the_dice_asked_for_are_among_the_lines() -> None:
    told = analyzer.odds("undaunted", "dice", dice=12)
    assert isinstance(told.plot, Lines)
    assert told.plot.lines == ("dice_1", "dice_2", "dice_3", "dice_4", "dice_12")
    assert len(told.columns) == 13


def test_a_line_of_steps_keeps_a_value_up_to_the_point_that_has_it() -> None:
    """Cards for a chance wanted: 1 up to 1/3, then 2: nothing in between."""
    x, y = answer_charts._steps(np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 2.0]])).T
    assert x.tolist() == [1, 1, 2, 2, 4]
    assert y.tolist() == [1, 1, 1, 2, 2]


def test_the_line_of_what_is_asked_stands_at_what_was_asked() -> None:
    """80 % are wanted; the row that serves has 83.3 %."""
    drawn = analyzer.odds("moscow", "fewest", want="0.8").figure().axes[0]
    dashed = [one for one in drawn.get_children() if isinstance(one, marks.Lines) and one.dashes]
    assert [path.vertices.tolist() for one in dashed for path in one.paths.values()] == [[[0.8, 0], [0.8, 1]]]


def test_the_word_asked_stands_off_the_curves() -> None:
    """In the middle, unless a curve passes there."""
    flat, half = np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([[0.0, 0.5], [1.0, 0.5]])
    assert answer_charts._free(0.5, (0.0, 1.0), [half]) == 0.14
    assert answer_charts._free(0.5, (0.0, 1.0), [half, flat]) == 0.14
    assert answer_charts._free(0.5, (0.0, 1.0), []) == 0.5


def test_json_holds_what_was_taken_where_nothing_was_given() -> None:
    def given(*words: str, **values: Any) -> dict[str, Any]:
        told = json.loads(analyzer.odds(*words, **values).as_json())["parameters"]
        assert isinstance(told, dict)
        return told

    assert given("moscow", "fight", cards="3+4+5") == {
        "cards": [3, 4, 5], "attack": 12, "month": "june", "army": 8, "general": False, "river": False,
        "moscow": False,
    }  # fmt: skip
    assert given("moscow", "fewest", divisions="3+4")["luftwaffe"] == []
    assert len(given("moscow", "fewest")["divisions"]) > 20
    assert given("undaunted", "attack", hill=True)["cover"] == 3
    assert given("undaunted", "remove")["action"] == "attack"
    assert given("eastfront", "stack")["germans"] == {"tiger": 2}
    assert given("kraskar", "duel", hit_points=5)["target_hit_points"] == 16


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ({"cover": 2}, "cover_2"),
        ({"hill": True}, "cover_3"),
        ({"hill": True, "from_hill": True}, "hill_to_hill"),
        ({"unit": "mortar", "hill": True}, "hill_to_hill"),
    ],
)
def test_the_cell_of_an_attack_that_is_asked_for_says_what_the_sentence_says(
    given: dict[str, Any], column: str
) -> None:
    told = analyzer.odds("undaunted", "attack", **{"unit": "sniper", "distance": 3, **given})
    assert isinstance(told.plot, Heat)
    assert told.plot.asked == column
    assert told.asked is not None
    assert told.finding.endswith(f"{exactly(told.column(column)[told.asked])}.")
    rings = [one for one in told.figure().axes[0].get_children() if isinstance(one, marks.Lines)]
    corners = next(iter(rings[-1].paths.values())).vertices
    assert corners[:4].mean(axis=0).tolist() == [told.plot.cells.index(column), told.asked]
