"""The frame of a study: what it shows."""

from __future__ import annotations

import pandas as pd

from analyzer.studies.study import Study


def test_a_terminal_shows_the_tables_there_are() -> None:
    """A study leaves out an empty table: the terminal does without it, too."""
    frame = pd.DataFrame({"one": [1], "two": [2]})
    study = Study(
        "any",
        {},
        {"first": frame, "second": frame},
        [],
        [],
        shown=["first", "none"],
        columns={"first": ["one"]},
    )
    shown = study.terminal_tables()
    assert [list(one.columns) for one in shown] == [["one"]]
