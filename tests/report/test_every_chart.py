"""Every chart of every game, series and study looks as a chart should: see `looks` for what is checked.

A share of the cases is always looked at, all the others with `-m slow`. The checks are tested themselves,
each on a figure that is wrong in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer.report import charts, draw, style
from analyzer.report.parts import Chart
from tests.report import every_chart, looks

ALWAYS = {
    ("run", "moscow"), ("run", "eastfront"), ("one game", "kraskar"), ("one game", "undaunted"),
    ("series", "moscow"), ("luck", "moscow"), ("compare", "moscow"), ("sweep", "moscow"),
}  # fmt: skip
CASES = [
    pytest.param(kind, game, marks=[] if (kind, game) in ALWAYS else pytest.mark.slow, id=f"{kind}, {game}")
    for kind in every_chart.MAKERS
    for game in every_chart.GAMES
    if (kind, game) not in every_chart.NOT_PLAYED
]


@pytest.mark.parametrize(("kind", "game"), CASES)
def test_every_chart_looks_right(kind: str, game: str) -> None:
    report = every_chart.MAKERS[kind](game)
    assert report.charts
    wrong = {}
    for chart in report.charts:
        found = looks.faults(chart, charts.figure(chart, report.footer), report.tables)
        if found:
            wrong[chart.name] = found
    assert wrong == {}


def test_all_kinds_of_reports_are_looked_at() -> None:
    """A game or a study that is new has to be put on the list."""
    from analyzer.cli import main

    without_charts = {"list", "show", "check", "replay", "resume", "odds", "run", "report"}
    studies = set(main.commands) - without_charts
    assert {kind.partition(",")[0] for kind in every_chart.MAKERS} >= studies
    assert set(every_chart.RUNS) == set(every_chart.SERIES) == set(every_chart.GAMES)


# ---- the checks are able to fail -------------------------------------------------------------------------

ROWS = pd.DataFrame(
    {"who": ["a", "b", "c"], "share": [0.2, 0.3, 0.5], "low": [0.1, 0.2, 0.4], "high": [0.3, 0.4, 0.6]}
)
TABLES = {"shares": ROWS}


def good(axes: Sequence[Any]) -> None:
    """What nothing is wrong with."""
    colours = [style.BLUE] * 3
    draw.intervals_in_rows(axes[0], ROWS["share"], ROWS["low"], ROWS["high"], colours, draw.percent)
    style.rows_axis(axes[0], [*ROWS["who"]])
    style.x_scale(axes[0], "games won", style.percent_text)


def chart(
    paint: Callable[[Sequence[Any]], None] = good, finding: str = "c wins half of all games", **how: Any
) -> Chart:
    kept: dict[str, Any] = {"tables": ("shares",), "height": 1.2, **how}
    return Chart("shares", "Who wins?", finding, paint, "Shares of games won.", **kept)


def found(one: Chart, fig: Any = None) -> list[str]:
    return looks.faults(one, charts.figure(one, "footer") if fig is None else fig, TABLES)


def with_good(more: Callable[[Sequence[Any]], None]) -> Callable[[Sequence[Any]], None]:
    def paint(axes: Sequence[Any]) -> None:
        good(axes)
        more(axes)

    return paint


def _dots_only(axes: Sequence[Any]) -> None:
    axes[0].add_dots(draw.pairs(ROWS["share"], range(3)), style.BLUE, 5)
    axes[0].set_xlim(0, 1)
    style.rows_axis(axes[0], [*ROWS["who"]])
    style.x_scale(axes[0], "games won", style.percent_text)


def _no_name(axes: Sequence[Any]) -> None:
    good(axes)
    axes[0]._children = [one for one in axes[0]._children if one.role != "x-name"]


def _text(place: tuple[float, float], text: str, where: str) -> Callable[[Sequence[Any]], None]:
    return with_good(lambda axes: axes[0].add_labels([place], [text], "black", 9, where))


def _twice(axes: Sequence[Any]) -> None:
    axes[0].add_labels([[1, 0], [1, 0.1]], ["one text", "another"], "black", 9, "y")


def _over(axes: Sequence[Any]) -> None:
    good(axes[1:])
    axes[0].add_labels([[1, 0.8]], ["  over there "], "black", 9, "axes")


def _named(axes: Sequence[Any]) -> None:
    style.panel_title(axes[1], "nothing here")


def _scaled(axes: Sequence[Any]) -> None:
    style.x_scale(axes[1], "n")


LOST = "share of table shares is drawn without its intervals"
OUTSIDE = "goes on outside"
BAD: dict[str, tuple[Chart, str]] = {
    "an empty chart": (chart(lambda axes: None), "nothing is drawn"),
    "axes without data": (chart(with_good(_named), cols=2), "axes 1 have no data"),
    "only a grid": (chart(with_good(_scaled), cols=2), "axes 1 have no data"),
    "two texts": (chart(with_good(_twice)), "'one text' and 'another' overlap"),
    "a text over the edge": (chart(_text((1, 0.02), OUTSIDE, "axes")), f"'{OUTSIDE}' is cut by the edge"),
    "a text over a panel": (chart(with_good(_over), cols=2, gap=(0.05, 0.1)), "stands over axes 1"),
    "a noun for a title": (chart(finding="Games won"), "the title only names what is drawn"),
    "a question for a title": (chart(finding="Who wins?"), "the title only names what is drawn"),
    "a name for a title": (chart(finding="Win rates, all"), "the title is no sentence"),
    "a title without number": (chart(finding="c wins nan % of games"), "the title tells nothing"),
    "a number without interval": (chart(_dots_only), LOST),
    "a scale without name": (chart(_no_name), "the x scale of axes 0 has no name"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_figure_is_seen(name: str) -> None:
    bad, told = BAD[name]
    assert [fault for fault in found(bad) if told in fault], found(bad)


def test_a_good_figure_passes() -> None:
    assert found(chart()) == []


def test_a_title_wider_than_the_figure_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    one = chart(finding="c wins half of all games " + "W" * 60)
    assert not any("the headline is too wide" in fault for fault in found(one))  # even one word is broken
    with monkeypatch.context() as patched:
        patched.setattr(charts, "wrapped", lambda text, *_: [text])
        assert any("the headline is too wide" in fault for fault in found(one))
    other = charts.figure(chart(), "footer")
    assert "the headline is not the finding" in found(chart(finding="a wins half of all games"), other)


def test_limits_of_a_table_are_found_by_their_names() -> None:
    names = [
        "edge",
        "edge_low",
        "edge_high",
        "mean",
        "mean_low",
        "mean_high",
        "US",
        "US low",
        "US high",
        "low",
    ]
    frame = pd.DataFrame([[0.1, 0.0, 0.2, 1.0, 0.5, 1.5, 0.5, 0.4, 0.6, np.nan]], columns=names)
    assert [one[0] for one in looks.limits_of(frame)] == ["edge", "mean", "US"]
