"""Every chart of every case: something is drawn, no text covers another or leaves the figure, same bytes
twice."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from analyzer.report import cards, charts, draw, series_charts, style
from analyzer.report.build import Report
from analyzer.report.marks import LINE, Areas, Dots, Labels, Lines, Mark
from analyzer.report.parts import Chart
from analyzer.report.renderers import Canvas

SLACK = 2.0  # pixels above and below: the box of a line has room for accents that the charts do not use


def texts(fig: Figure) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every visible text with its box in pixels, a little smaller than it is (touching is no overlap)."""
    renderer = fig.canvas.get_renderer()  # type: ignore[attr-defined]
    found = [
        (artist.get_text(), artist.get_window_extent(renderer))
        for artist in fig.findobj(Text)
        if artist.get_visible()
    ]
    for labels in fig.findobj(Labels):
        found += zip(labels.texts, labels.boxes(renderer), strict=True)
    return [
        (text, (box.x0 + 0.5, box.y0 + SLACK, box.x1 - 0.5, box.y1 - SLACK))
        for text, box in found
        if text.strip()
    ]


def overlaps(fig: Figure) -> list[tuple[str, str]]:
    return [
        (a, b)
        for (a, p), (b, q) in combinations(texts(fig), 2)
        if p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]
    ]


def outside(fig: Figure) -> list[str]:
    width, height = fig.canvas.get_width_height()
    return [t for t, b in texts(fig) if b[0] < 0 or b[1] < 0 or b[2] > width or b[3] > height]


def drawn_points(fig: Figure) -> int:
    """Finite data points of all marks that are data, not grid (grids lie below, at zorder 0)."""
    artists = [artist for ax in fig.axes for artist in ax.get_children() if artist.get_zorder() > 0]
    return sum(artist.points() for artist in artists if isinstance(artist, Mark))


def test_texts_neither_overlap_nor_leave_the_figure(case: tuple[Report, dict[str, Figure]]) -> None:
    for name, fig in case[1].items():
        assert overlaps(fig) == [], name
        assert outside(fig) == [], name


def test_the_overlap_check_sees_overlaps() -> None:
    """Negative control of the two tests above."""

    def paint(axes: object) -> None:
        ax = axes[0]  # type: ignore[index]
        ax.text(0.5, 0.5, "one text")
        ax.add_labels([[0.52, 0.52]], ["another"], "black", 9)
        ax.add_labels([[1.0, 0.1]], ["runs out of the figure at the right side"], "black", 9)

    fig = charts.figure(Chart("x", "Why?", "A finding", paint, "", height=2), "footer")
    assert overlaps(fig) == [("one text", "another")]
    assert outside(fig) == ["runs out of the figure at the right side"]


def test_every_chart_shows_data(case: tuple[Report, dict[str, Figure]]) -> None:
    report, drawn = case
    assert len(drawn) == len(report.charts)
    for name, fig in drawn.items():
        if report.results.n >= 100 or not name.startswith("cards"):  # few games tell nothing about cards
            assert drawn_points(fig) >= (3 if report.results.n >= 100 else 1), name  # a dot and its interval


def test_an_empty_chart_is_seen_as_empty() -> None:
    assert drawn_points(charts.figure(Chart("x", "", "f", lambda axes: None, ""), "")) == 0


def test_the_charts_that_a_report_must_show(rotated: Report) -> None:
    assert [chart.name for chart in rotated.charts] == [
        "win_rate_by_seat", "win_rate_by_policy", "win_rate_by_policy_and_seat", "ends", "km_by_round",
        "arrivals", "fight_odds", "cards", "cards_by_count", "cards_held", "blocked", "hindering",
    ]  # fmt: skip


def test_drawn_win_rates_are_those_of_the_table(rotated: Report) -> None:
    fig = charts.figure(rotated.charts[0], "")
    (dots,) = fig.findobj(Dots)
    rates = rotated.tables["win_rate_by_seat"]["win_rate"]
    np.testing.assert_allclose(dots.places[:, 0], rates)


def test_every_bar_of_the_ends_has_its_interval(rotated: Report) -> None:
    chart = next(chart for chart in rotated.charts if chart.name == "ends")
    fig = charts.figure(chart, "")
    for ax, by in zip(fig.axes, ("month", "round"), strict=True):
        frame = rotated.tables[f"ends_by_{by}"]
        marks = [mark for mark in ax.get_children() if isinstance(mark, Lines) and style.INK in mark.items]
        lengths = np.concatenate([np.diff(mark.paths[style.INK].vertices[:, 1])[::2] for mark in marks])
        expected = (frame["high"] - frame["low"]).to_numpy()
        np.testing.assert_allclose(np.sort(lengths), np.sort(expected))


def test_png_and_svg_are_whole_and_the_same_each_time(rotated: Report) -> None:
    for chart in rotated.charts:
        first, second = (charts.figure(chart, rotated.footer) for _ in range(2))
        picture = charts.png(first)
        assert picture.startswith(b"\x89PNG")
        assert picture == charts.png(second)
        text = charts.svg(first)
        assert text == charts.svg(second)
        ElementTree.fromstring(text)


@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("place", ["left", "center", "right"])
def test_png_text_is_where_agg_would_put_it(angle: int, place: str) -> None:
    """Pillow sets the text; its ink must lie where matplotlib's own renderer lays it, within two pixels."""
    boxes = []
    for canvas in (Canvas, FigureCanvasAgg):
        fig = Figure(figsize=(4, 4), dpi=100)
        drawn = canvas(fig)
        fig.text(0.5, 0.4, "division gy 5", size=14, rotation=angle, ha=place, va="center")
        drawn.draw()
        ink = np.argwhere(np.asarray(drawn.buffer_rgba())[..., 0] < 128)
        boxes.append([*ink.min(axis=0), *ink.max(axis=0)])
    np.testing.assert_allclose(boxes[0], boxes[1], atol=2)


def test_marks_are_drawn_by_any_renderer(rotated: Report) -> None:
    """A figure of the report saved by matplotlib itself, as a notebook does."""
    for chart in rotated.charts[:3]:
        fig = charts.figure(chart, rotated.footer)
        for kind in ("pdf", "svg", "png"):
            out = io.BytesIO()
            fig.savefig(out, format=kind)
            assert len(out.getvalue()) > 3000
        assert fig.findobj()  # and everything in it can be looked through


def test_empty_lines_are_left_out() -> None:
    lines = Lines([np.zeros((0, 2)), [[0, 0], [1, 1]], [], [[2, 2], [3, 3]], []], "black", 1.0)
    path = lines.paths["black"]
    assert path.vertices.tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]
    assert path.codes.tolist() == [1, 2, 1, 2]  # type: ignore[union-attr]  the pen is lifted between them
    assert Lines([], "black", 1.0).paths == {}


def test_lines_of_a_turned_label_run_upwards() -> None:
    labels = Labels([[100, 100]], ["a long name"], "black", 10, "center", angle=90)
    fig = Figure(figsize=(3, 3), dpi=72)
    renderer = Canvas(fig).get_renderer()
    labels.set_transform(IdentityTransform())
    (box,) = labels.boxes(renderer)
    assert box.height > 4 * box.width
    assert (box.y0 + box.y1) / 2 == pytest.approx(100)
    assert (box.x0 + box.x1) / 2 == pytest.approx(100, abs=0.1)


def test_inline_svg_is_self_contained(odd_names: Report) -> None:
    chart = odd_names.charts[1]
    text = charts.inline(charts.svg(charts.figure(chart, odd_names.footer)), chart)
    root = ElementTree.fromstring(text)
    assert "http" not in text
    assert root.get("aria-label", "").startswith(chart.finding)
    assert chart.finding[:20] not in "".join(node.text or "" for node in root.iter("text"))
    names = re.findall(r'\bid="([^"]+)"', text)
    assert len(names) == len(set(names))
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
    assert {a or b for a, b in used} <= set(names)
    assert all(name.startswith(f"{chart.name}-") for name in names)
    assert "var(--ink)" in text


def test_a_long_finding_is_broken_not_cut() -> None:
    chart = Chart("x", "", "word " * 40, lambda axes: None, "")
    assert " ".join(charts.headline(chart)) == ("word " * 40).strip()
    assert outside(charts.figure(chart, "")) == []


@pytest.mark.parametrize("name", ["win_rate_by_seat", "km_by_round", "hindering"])
def test_titles_state_a_finding_with_a_number(rotated: Report, name: str) -> None:
    chart = next(c for c in rotated.charts if c.name == name)
    assert re.search(r"\d", chart.finding)


def test_a_label_of_several_lines_is_drawn_line_under_line() -> None:
    mark = Labels([[50, 50], [20, 50]], ["Old\nKing's\nSpears", "Gate"], ["red", "blue"], 10.0, va="top")
    mark.set_transform(IdentityTransform())
    figure = Figure()
    tops = [box.y1 for box in mark.boxes(Canvas(figure).get_renderer())]
    assert mark.texts == ["Old", "King's", "Spears", "Gate"]
    assert np.allclose(np.diff(tops[:3]), -LINE * 10.0 * figure.dpi / 72)
    assert np.isclose(tops[3], tops[0])


def test_names_of_scales_and_panels_keep_clear_of_the_rows_of_panels_below(rotated: Report) -> None:
    names = {name: f"{name}: a long name of a card" for name in rotated.tables["cards"]["card"]}
    tables = {
        name: rotated.tables[name].assign(card=rotated.tables[name]["card"].map(names))
        for name in ("cards", "cards_by_count")
    }
    fig = charts.figure(cards.card_counts(tables), "footer")
    assert overlaps(fig) == []
    assert outside(fig) == []
    scale = max(box[1] for text, box in texts(fig) if text == "cards played")
    title = max(box[3] for text, box in texts(fig) if ": a long" in text and box[3] < scale + SLACK)
    assert scale - title > 0.1 * style.DPI


@pytest.mark.parametrize("letter", ["W", "N", "i"])
@pytest.mark.parametrize("cols", [1, 2])
def test_long_names_of_rows_and_scales_are_neither_cut_nor_cover_each_other(letter: str, cols: int) -> None:
    names = [letter * 199, "short"]

    def paint(axes: Sequence[Any]) -> None:
        for ax in axes:
            colours = [style.BLUE] * 2
            draw.intervals_in_rows(ax, [0.2, 0.4], [0.1, 0.3], [0.3, 0.5], colours, draw.percent)
            style.panel_title(ax, "A panel with a name that is long, too")
            style.x_scale(ax, "cards turned up, with 95 % intervals", style.percent_text, most=2)
        style.rows_axis(axes[0], names)

    left = style.label_room(names)
    one = Chart("x", "Why?", "A finding", paint, "", height=1, cols=cols, left=left, top=0.25)
    fig = charts.figure(one, "footer")
    assert overlaps(fig) == []
    assert outside(fig) == []


LONG_NAME = (
    "a measure that nobody has named shorter than this, with 95 % intervals, and policy.of_a_very_long_name"
)


@pytest.mark.parametrize("label", [LONG_NAME, LONG_NAME * 2, "x" * 150])
@pytest.mark.parametrize("cols", [1, 3])
def test_the_name_of_a_scale_is_nowhere_cut_however_many_lines_it_needs(label: str, cols: int) -> None:
    """The figure grows at its foot, and so does the drawing in the page."""

    def paint(axes: Sequence[Any]) -> None:
        for ax in axes:
            draw.intervals_in_rows(ax, [0.5, 0.25], [0.5, 0.2], [0.75, 0.375], [style.BLUE] * 2, str)
            style.rows_axis(ax, ["a", "b"])
            style.x_scale(ax, label if ax is axes[0] else "n")

    one = Chart("long", "Who wins?", "Nobody wins a game here", paint, "Two rows.", cols=cols, bottom=0.1)
    fig = charts.figure(one, "a footer")
    assert outside(fig) == []
    renderer: Any = fig.canvas.get_renderer()  # type: ignore[attr-defined]
    marks = [mark for mark in fig.findobj(Labels) if mark.role == "x-name"]
    lowest = min(box.y0 for mark in marks for box in mark.boxes(renderer))
    (footer,) = [mark for mark in fig.findobj(Labels) if mark.get_gid() == "footer"]
    assert lowest >= footer.boxes(renderer)[0].y1 - 1
    told = "".join(text for mark in marks for text in mark.texts if mark.axes is fig.axes[0])
    assert told.replace(" ", "") == label.replace(" ", "")
    view = re.search(r'viewBox="0 ([\d.]+) [\d.]+ ([\d.]+)"', charts.inline(charts.svg(fig), one))
    assert view is not None
    whole = 72 * fig.get_figheight()
    assert float(view[1]) + float(view[2]) >= whole - 72 * lowest / fig.dpi - 1


def test_an_interval_without_measure_does_not_stretch_the_scale() -> None:
    value, low, high = [120.0, 40.0, 10.0], [80.0, 0.0, -30.0], [160.0, 80.0, 50.0]
    assert draw.readable(value, low, high) is None  # all of it is readable
    left, right = draw.readable([*value, -90.0], [*low, -2500.0], [*high, 700.0]) or (0, 0)
    assert (left, right) == (-90.0, 160.0)  # the value stays in sight
    left, right = draw.readable([*value, -1300.0], [*low, -np.inf], [*high, -200.0]) or (0, 0)
    assert (left, right) == (-200.0, 160.0)  # of an open interval the end that is known
    left, right = draw.readable([*value, -5000.0], [*low, -9000.0], [*high, -1000.0]) or (0, 0)
    assert (left, right) == (-220.0, 160.0)  # far off: not farther than the others are wide


def test_a_cut_interval_ends_in_an_arrow_and_an_open_one_is_told_by_its_end() -> None:
    value, low, high = [40.0, 10.0, -1300.0], [0.0, -30.0, -np.inf], [80.0, 50.0, -60.0]
    within = draw.readable(value, low, high)
    assert within == (-60.0, 80.0)

    def paint(axes: Sequence[Any]) -> None:
        draw.intervals_in_rows(axes[0], value, low, high, [style.BLUE] * 3, "{:+.0f}".format, [], within)
        style.rows_axis(axes[0], ["a", "b", "c"])
        style.x_scale(axes[0], "rating")

    fig = charts.figure(Chart("cut", "Who wins?", "Nobody wins a game here", paint, "Rows."), "footer")
    (arrows,) = [mark for mark in fig.findobj(Areas) if mark.points()]
    assert arrows.points() == 3  # the corners of one arrowhead
    (dots,) = fig.findobj(Dots)
    assert dots.places[:, 0].tolist() == [40.0, 10.0]
    assert "<\u00a0-60" in [text for mark in fig.findobj(Labels) for text in mark.texts]
    assert draw.told("{:+.0f}".format, -1300, -np.inf, -60) == "below -60 (95\u00a0%, one-sided)"


def test_a_setting_is_shortened_alike_whatever_stands_beside_it() -> None:
    place = "2 Montmartin-en-Graignes"
    names: Any = dict.fromkeys([f"{place} · pin always", f"{place} · pin goal", "11 Hill 314 · pin goal"])
    first, second, third = (label.split(" · ")[0] for label in series_charts._labels(names))
    assert first == second == series_charts.short(names)(place)
    assert first.endswith("…")
    assert third == "11 Hill 314"
    alone: Any = dict.fromkeys([place, "11 Hill 314"])
    assert series_charts._labels(alone) == [*alone]  # where whole names fit, they stand everywhere
    assert series_charts.short(alone)(place) == place
