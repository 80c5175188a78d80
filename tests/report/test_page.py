"""The page: offline, escaped, complete; the folder, the words and the terminal."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure
from rich.console import Console

from analyzer.errors import UserError
from analyzer.report import build, charts, page, tables, terminal
from analyzer.report.build import Report, replay_command, write_report
from analyzer.sim.results import Results
from tests import synthetic

VOID = {"meta", "wbr", "link", "br", "img", "input", "hr"}


class Strict(HTMLParser):
    """Collects tags and refuses what is not properly nested."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def rendered(report: Report) -> str:
    return page.render(report, {chart.name: "<svg></svg>" for chart in report.charts})


def parsed(text: str) -> Strict:
    parser = Strict()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


def test_page_is_well_formed_and_offline(case: tuple[Report, dict[str, Figure]]) -> None:
    report, figures = case
    drawn = {chart.name: charts.inline(charts.svg(figures[chart.name]), chart) for chart in report.charts}
    text = page.render(report, drawn)
    found = parsed(text)
    assert "http" not in text.lower()
    assert not re.search(r"""(src|href|action)\s*=\s*["'](?!#)""", text)
    assert "@import" not in text
    assert not [tag for tag, _ in found.tags if tag in ("link", "img", "iframe", "object")]
    ids = [attrs["id"] for _, attrs in found.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    anchors = {attrs["href"][1:] for tag, attrs in found.tags if tag == "a" and attrs.get("href")}
    assert anchors <= set(ids)
    drawings = [attrs for tag, attrs in found.tags if tag == "svg"]
    assert len(drawings) == len(report.charts)
    assert all(attrs.get("role") == "img" and len(attrs.get("aria-label") or "") > 30 for attrs in drawings)


def test_names_are_escaped_everywhere(odd_names: Report, tmp_path: Path) -> None:
    text = write_report(odd_names, tmp_path).read_text(encoding="utf-8")
    found = parsed(text)
    assert "<script>alert" not in text
    assert sum(tag == "script" for tag, _ in found.tags) == 1
    assert any("<script>alert(1)</script>" in word for word in found.words)


def test_every_finding_and_every_table_is_on_the_page(report: Report) -> None:
    words = " ".join(" ".join(parsed(rendered(report)).words).split())
    for chart in report.charts:
        assert " ".join(chart.finding.split()) in words
    for sentence in report.words[1:]:
        assert " ".join(sentence.split()) in words
    for name, frame in report.tables.items():
        if name != "games_to_replay":
            assert str(frame.attrs["title"]) in words


def test_page_tells_assumptions_seed_command_and_games_to_replay(rotated: Report) -> None:
    text = rendered(rotated)
    words = " ".join(" ".join(parsed(text).words).split())
    assert "<code>moscow_<wbr>strength</code>" in text  # breaks there and nowhere else
    assert "16 (moved)" in words
    assert "12 to 20" in words
    assert "6 (moved)" not in words.replace("16 (moved)", "")
    assert rotated.results.meta["digest"] in words
    assert rotated.results.meta["command"] in words
    assert "analyze replay moscow --players 4" in words
    assert text.index("(moved)") < text.index("opening_<wbr>hand")  # the moved one first


def test_a_stopped_run_says_so() -> None:
    results = synthetic.make(50)
    results.meta.update(kind="partial", n=1000)
    assert "50 of 1,000 games" in rendered(Report(results))
    assert "stopped before its end" not in rendered(Report(synthetic.make(50)))


def test_folder_holds_tables_plots_and_page(rotated: Report, tmp_path: Path) -> None:
    path = write_report(rotated, tmp_path / "new" / "run")
    assert path == tmp_path / "new" / "run" / "report.html"
    made = {p.relative_to(path.parent).as_posix() for p in path.parent.rglob("*") if p.is_file()}
    assert made == {
        "report.html",
        *(f"tables/{name}.csv" for name in rotated.tables),
        *(f"plots/{chart.name}.{kind}" for chart in rotated.charts for kind in ("png", "svg")),
    }


def test_a_page_with_fewer_charts_and_tables_leaves_none_of_the_old(tmp_path: Path) -> None:
    """What the page before listed goes, and nothing else: neither other files nor what a link leads to."""
    write_report(synthetic.make(200, policies=("balanced", "racer", "blocker", "hoarder")), tmp_path)
    kept = [tmp_path / "tables" / "mine.csv", tmp_path / "plots" / "mine.svg", tmp_path / "notes.txt"]
    for path in kept:
        path.write_text("mine")
    linked = tmp_path / "tables" / "win_rate_by_policy.csv"
    linked.unlink()
    linked.symlink_to(kept[0])
    report = Report(synthetic.make(200))
    write_report(report, tmp_path)
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert made - {path.relative_to(tmp_path).as_posix() for path in [*kept, linked]} == {
        "report.html", *page.listed(tmp_path / "report.html"),
    }  # fmt: skip
    assert all(path.read_text() == "mine" for path in [*kept, linked])
    write_report(report, tmp_path, plots=False)
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["mine.svg"]


@pytest.mark.parametrize(
    "name",
    [
        "../run.json",
        "tables/../run.csv",
        "run.json",
        "tables/a/b.csv",
        "/etc/a.csv",
        "tables/.a.csv",
        "plots/a.exe",
    ],
)
def test_a_page_cannot_ask_for_other_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(f'<meta name="files" content="{name}|tables/a.csv">')
    assert page.listed(tmp_path / "report.html") == ["tables/a.csv"]


def test_report_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_report(synthetic.make(200), tmp_path / name)
    for path in (tmp_path / "a").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes(), (
            path.name
        )


def test_without_plots_the_page_has_tables_only(rotated: Report, tmp_path: Path) -> None:
    text = write_report(rotated, tmp_path, plots=False).read_text(encoding="utf-8")
    assert "<svg" not in text
    assert "made without charts" in text
    assert not (tmp_path / "plots").exists()


def test_a_folder_that_cannot_be_written_is_the_users_error(rotated: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="cannot be written"):
        write_report(rotated, tmp_path / "file")


@pytest.mark.parametrize("game", ["chess", "../moscow", "moscow.report", "Moscow", "os", ""])
def test_unknown_games_have_no_report(game: str) -> None:
    with pytest.raises(UserError):
        build.game_module(game)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "analyze run moscow --players 4 --n 1e6 --seed 7 --jobs 2 --out x --no-plots --set a=1",
            "analyze replay moscow --players 4 --seed 7 --set a=1 --game 5",
        ),
        ("analyze run moscow --n=100 --out=y --json", "analyze replay moscow --seed 3 --game 5"),
        ("", "analyze replay moscow --players 2 --policies 'a b,c' --seed 3 --game 5"),
        ("unclosed 'quote", "analyze replay moscow --players 2 --policies 'a b,c' --seed 3 --game 5"),
    ],
)
def test_replay_command_keeps_what_was_played(command: str, expected: str) -> None:
    meta = {"game": "moscow", "players": 2, "policies": ["a b", "c"], "seed": 3, "command": command}
    assert replay_command(meta, 5) == expected


# ---- words -----------------------------------------------------------------------------------------------


def test_words_say_what_was_put_in() -> None:
    """A seat with a large bonus and the best policy must be named; the same without both must not be."""
    words = Report(synthetic.make(6000, seat_bonus=0.3)).words
    assert any(w.startswith("Seat 1 wins") and "more than its fair share" in w for w in words)
    words = Report(synthetic.make(3000, policies=("balanced", "racer"), players=2)).words
    assert any(w.startswith("racer wins") for w in words)


def test_few_games_claim_nothing() -> None:
    text = " ".join(Report(synthetic.make(3, policies=("a", "b", "c", "d"))).words)
    assert "Of 3 games no more can be said" in text
    text = " ".join(Report(synthetic.make(12, policies=("a", "b", "c", "d"))).words)
    assert "No seat differs clearly" in text
    assert "No policy differs clearly" in text
    assert "No card type tells" in text


def test_false_odds_are_called_out() -> None:
    results = synthetic.make(2000)
    fights = results.tallies["fights"].copy()
    fights.loc[(fights["faces"] == 3) & (fights["won"] == 1), "n"] *= 2
    results.tallies["fights"] = fights
    assert any("do NOT keep their exact odds" in w for w in Report(results).words)
    assert any("keep their exact odds:" in w and "NOT" not in w for w in Report(synthetic.make(2000)).words)


def test_nobody_and_solo_are_worded_for_themselves() -> None:
    assert "Moscow never falls" in Report(synthetic.make(200, attack=0.0)).paragraph
    alone = Report(synthetic.make(200, players=1))
    said = " ".join(alone.words)
    assert said.startswith("200 games with 1 player: balanced. Moscow falls in")
    assert said.count("99.5") == 1  # that the one player wins when Moscow falls goes without saying
    assert "seat" not in said.lower()
    assert "The player stands blocked" in said
    assert alone.charts[0].finding.startswith("The lone player takes Moscow in")
    assert "fair share" not in alone.charts[0].note


def test_the_race_is_told_where_nearly_all_games_still_run(rotated: Report) -> None:
    frame = rotated.tables["km_by_round"]
    (finding,) = (chart.finding for chart in rotated.charts if chart.name == "km_by_round")
    told = int(re.search(r"in round (\d+), which nine games in ten reach", finding)[1])  # type: ignore[index]
    shares = frame.groupby("round")["share"].min()
    assert shares[told] >= 0.9 > shares[told + 1]


def test_sentences_end_once(report: Report) -> None:
    assert all(w.endswith(".") and not w.endswith("..") and "nan" not in w for w in report.words)


# ---- terminal and notebook -------------------------------------------------------------------------------


def test_terminal_shows_tables_paragraph_and_path_in_80_columns(report: Report) -> None:
    console = Console(width=80, record=True, force_terminal=False)
    terminal.show(
        report,
        Path("/somewhere/quite/far/away/in/a/folder/of/many/runs/with/a/long/name/report.html"),
        console,
    )
    text = console.export_text()
    assert "Win rate by seat" in text
    assert ("fair share: an equal part" in text) == (report.results.players > 1)
    assert "winning faces" in text or "fight_odds" not in report.tables
    assert not re.search(r"\b[A-Z]\d+\b", text)  # the ids of rules mean nothing here
    assert "…" not in text
    assert "/somewhere/quite/far/away/in/a/folder/of/many/runs/with/a/long/name/report.html" in text
    assert " ".join(report.paragraph.split()) in " ".join(text.split())


def test_terminal_shows_markup_literally(odd_names: Report) -> None:
    console = Console(width=100, record=True)
    terminal.show(odd_names, console=console)
    assert "[bold]a & b" in console.export_text()


def test_notebook_piece_is_well_formed_and_escaped(odd_names: Report) -> None:
    text = odd_names.results._repr_html_()
    parsed(text)
    assert "<script" not in text
    assert "http" not in text
    assert "win rate" in text


def test_results_speak_for_themselves(rotated: Report) -> None:
    results: Results = rotated.results
    assert results.summary() == rotated.paragraph
    assert set(results.figures()) == {chart.name for chart in rotated.charts}


def test_a_table_explains_only_the_columns_it_shows() -> None:
    frame = pd.DataFrame({"seat": [1], "win_rate": [0.5], "fair_share": [0.5], "low": [0.4]})
    frame.attrs["about"] = (
        "fair share, low: an equal part; win rate: games won; seat: its number. Other: kept."
    )
    assert tables.about(frame, ["seat", "win_rate"]) == "win rate: games won; seat: its number. Other: kept."
    assert tables.about(frame, ["win_rate"]) == "win rate: games won. Other: kept."
    assert tables.about(frame[["seat"]]) == "seat: its number. Other: kept."
    frame.attrs["about"] = "fair_share: an equal part."
    assert tables.about(frame, ["seat"]) == ""


def test_a_note_names_columns_as_they_are_headed_and_none_that_is_not_there() -> None:
    """A table may be narrowed, or a column left out of it, after its text was written."""
    frame = pd.DataFrame(
        {"unit": ["a"], "at_once": [0.5], "life": [2], "n": [9], "low": [0.1], "high": [0.2]}
    )
    frame.attrs["about"] = (
        "at_once: in the same turn; drawn: what goes with drawing it; life, sieges: of the castle; low and "
        "high: limits. All of 0.5: its own sentence; US, DE: sides."
    )
    shown = "at once: in the same turn; life: of the castle. All of 0.5: its own sentence; US, DE: sides."
    assert tables.about(frame) == shown
    assert page.shown("units", frame).about == shown
    frame.attrs["about"] = "rounds: of all."
    assert tables.about(frame) == ""
    assert tables.about(frame.rename(columns={"life": "US rounds"})) == "rounds: of all."


def test_columns_without_room_stand_in_tables_of_their_own_with_the_names_of_the_rows() -> None:
    wide = pd.DataFrame({"setting": ["one of a long name", "two"], "goals": ["points", "none"]})
    for k in range(9):
        wide[f"measure {k}"], wide[f"measure {k} low"], wide[f"measure {k} high"] = 0.5 + k, 0.25, 1234.125
    found = page.shown("wide", wide)
    parts = [found, *found.more]
    assert len(parts) > 1
    headings = [[column.heading for column in part.columns] for part in parts]
    assert all(one[:2] == ["setting", "goals"] for one in headings)
    for one in headings:
        assert one[2::2] == [name for name in one[2:] if name.startswith("measure")]
        assert set(one[3::2]) == {"95 % interval"}
    assert sum(len(one[2:]) for one in headings) == 18
    assert found.left == 18 - len(headings[0][2:])
    assert all(len(part.rows) == 2 for part in parts)
    narrow = page.shown("narrow", wide[["setting", "measure 1"]])
    assert (narrow.more, narrow.left, narrow.style) == ((), 0, "")


def test_every_chart_on_the_page_is_headed_by_its_finding(rotated: Report) -> None:
    heads = re.findall(r"<h3>(.*?)</h3>", rendered(rotated))
    told = [" ".join(html.unescape(head).split()) for head in heads]
    assert told[: len(rotated.charts)] == [" ".join(chart.finding.split()) for chart in rotated.charts]


def test_the_page_counts_one_more_finding_as_one() -> None:
    report = Report(synthetic.make(n=100))
    page_words = report.words
    report.words = page_words[:7]
    assert "<summary>1 more finding</summary>" in rendered(report)
    report.words = page_words[:8]
    assert "<summary>2 more findings</summary>" in rendered(report)


def test_in_print_titles_stay_with_what_they_head_and_nothing_scrolls(rotated: Report) -> None:
    text = rendered(rotated)
    rules = text[text.index("@media print") : text.index("</style>")]
    assert "h2, h3, caption { break-after: avoid; }" in rules
    assert ".scroll { overflow: visible; }" in rules
    assert "dotted line below it" in text
