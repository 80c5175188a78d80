"""Undaunted's report: every number against the games it comes from, the exact odds, and the odd runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer.games.undaunted import odds, report_frames, report_words
from analyzer.games.undaunted.report import TERMINAL
from analyzer.games.undaunted.report_map import places
from analyzer.games.undaunted.scenario import SIDES
from analyzer.report import charts, page
from analyzer.report.build import Report, write_report
from analyzer.report.series import SeriesReport
from analyzer.series import Series
from analyzer.sim.results import Results
from analyzer.stats import intervals
from tests.report.test_charts import outside, overlaps

CASES: dict[str, dict[str, Any]] = {
    "both first": {"n": 400, "scenario": "10", "policy": "greedy", "set": ["first_initiative=both"]},
    "two policies": {"n": 40, "scenario": "4", "policies": ["greedy", "random"], "set": ["round_limit=12"]},
    "one game": {"n": 1, "scenario": "11", "policy": "greedy"},
    "over at once": {"n": 20, "policy": "random", "set": ["round_limit=1"]},
    "nobody attacks": {"n": 20, "policy": "greedy", "set": ["round_limit=1", "hand_size=1"]},
    "goal of a pin": {"n": 60, "scenario": "6", "policy": "greedy", "set": ["pin_ends_game=goal"]},
}


@cache
def results_of(name: str) -> Results:
    found = analyzer.run("undaunted", jobs=1, **CASES[name])
    assert isinstance(found, Results)
    return found


@cache
def report_of(name: str) -> Report:
    return Report(results_of(name))


@pytest.mark.parametrize("name", CASES)
def test_every_run_can_be_reported(name: str) -> None:
    """All tables, charts without overlapping texts, and sentences."""
    report = report_of(name)
    for chart in report.charts:
        drawn = charts.figure(chart, report.footer)
        assert len(charts.png(drawn)) > 1000
        assert overlaps(drawn) == [], chart.name
        assert outside(drawn) == [], chart.name
        assert len(charts.headline(chart)) <= 3
        assert set(chart.tables) - set(report.tables) <= {"attackers", "throws"}
    for sentence in report.words:
        assert sentence.endswith(".")
        assert "nan" not in sentence.lower().split()
    for frame in report.tables.values():
        assert frame.attrs["title"]
    for table, columns in TERMINAL.items():
        assert table not in report.tables or set(columns) <= set(report.tables[table])


def test_the_page_of_a_run(tmp_path: Path) -> None:
    text = write_report(report_of("over at once"), tmp_path).read_text()
    for word in ("undaunted", "La Raye", "The map, tile by tile", "Exact chances to hit"):
        assert word in text, word
    assert (tmp_path / "plots" / "map.png").stat().st_size > 1000
    assert (tmp_path / "tables" / "tiles.csv").read_text().startswith("tile,x,y,cover,points,n,US,US low")


def test_wins_are_those_of_the_games() -> None:
    games, tables = results_of("both first").games, report_of("both first").tables
    sides = tables["win_rate_by_seat"].set_index("side")
    for seat, side in enumerate(SIDES, 1):
        assert sides.loc[side, "wins"] == (games["winner"] == seat).sum()
    first = tables["win_rate_by_initiative"].set_index(["first", "side"])
    for begin, which in enumerate(SIDES, 1):
        part = games[games["first"] == begin]
        assert len(part) == 200
        for seat, side in enumerate(SIDES, 1):
            assert first.loc[(which, side), "n"] == 200
            assert first.loc[(which, side), "wins"] == (part["winner"] == seat).sum()
    with_marker = (games["winner"] == games["first"]).sum()
    assert first.loc[("either", "with the marker"), "wins"] == with_marker
    ends = tables["ends"].set_index(["end", "winner"])["n"]
    for (end, winner), part in games.groupby(["end", "winner"]):
        assert ends.loc[(end, ("nobody", *SIDES)[winner])] == len(part)
    assert tables["end_shares"]["share"].sum() == pytest.approx(1)
    length = tables["length"].set_index("games")
    assert length.loc["all games", "mean"] == pytest.approx(games["rounds"].mean())
    assert (
        length.loc["US wins", "median"]
        == np.sort(games[games["winner"] == 1]["rounds"])[(int((games["winner"] == 1).sum()) - 1) // 2]
    )
    by_length = tables["rounds"].groupby("rounds")["n"].sum()
    assert by_length.to_dict() == games["rounds"].value_counts().to_dict()


def test_losses_and_tiles_are_those_of_the_games() -> None:
    results = results_of("both first")
    games, tables = results.games, report_of("both first").tables
    n = len(games)
    lost = tables["casualties"].groupby("side")[["cards", "counters"]].sum()
    tiles = tables["tiles"]
    for seat, side in enumerate(SIDES, 1):
        assert lost.loc[side].sum() == games[f"casualties_{seat}"].sum()
        assert lost.loc[side, "counters"] == games[f"removed_{seat}"].sum()
        assert tiles[f"{side} fallen"].sum() * n == pytest.approx(games[f"removed_{seat}"].sum())
        assert tiles[f"{side} hits"].sum() * n == pytest.approx(games[f"casualties_{seat}"].sum())
        plays = tables["actions"]
        assert plays[plays["side"] == side]["times"].sum() == games[f"plays_{seat}"].sum()
    # Points at the end are those of the tiles controlled at the end, where no radio adds to them.
    other = report_of("goal of a pin")
    games, tiles = other.results.games, other.tables["tiles"]
    for seat, side in enumerate(SIDES, 1):
        held = (tiles[side] * tiles["points"]).sum() * len(games)
        assert held == pytest.approx(games[f"points_{seat}"].sum())
    assert ((tiles["US"] + tiles["DE"]) <= 1 + 1e-12).all()


def test_what_changes_from_round_to_round() -> None:
    games, tables = results_of("both first").games, report_of("both first").tables
    for name in ("points", "fog"):
        frame = tables[name].set_index(["side", "round"])
        for number in (1, 4):
            assert frame.loc[("US", number), "n"] == (games["rounds"] >= number).sum()
    assert (tables["initiative"].set_index("round")["n"].loc[1]) == len(games)
    assert tables["bids"].groupby("side")["share"].sum().tolist() == pytest.approx([1, 1])
    one = report_of("one game")
    game = one.results.games.iloc[0]
    last = one.tables["fog"].set_index(["side", "round"])
    for seat, side in enumerate(SIDES, 1):
        assert last.loc[(side, game["rounds"]), "mean"] == game[f"fog_{seat}"]
    points = one.tables["points"].set_index(["side", "round"])
    assert points.loc[("US", game["rounds"]), "mean"] == game["points_1"]


# ---------------------------------------------------------------- exact odds

LEVEL = 0.9999


@cache
def throws() -> pd.DataFrame:
    return report_of("both first").tables["hit_rates"]


def inside(frame: pd.DataFrame, exact: Any) -> list[bool]:
    found = intervals.wilson(frame["hits"], frame["n"], LEVEL)
    return [bool(a <= e <= b) for a, e, b in zip(found.low, exact, found.high, strict=True)]


def test_simulated_hit_rates_lie_around_the_exact_odds() -> None:
    """U22: every kind of throw of the run, at a fixed seed."""
    frame, rules = throws(), report_frames.rules_of(results_of("both first"))
    exact = [float(odds.hit(rules, v, n)) for v, n in zip(frame["defence"], frame["dice"], strict=True)]
    assert frame["exact"].tolist() == exact
    assert frame[frame["n"] > 200]["dice"].nunique() >= 2
    assert all(inside(frame, exact))
    assert "keep their exact odds" in " ".join(report_of("both first").words)


@pytest.mark.parametrize("wrong", ["zero_hits=false", "a defence more", "a die less"])
def test_negative_control_wrong_odds_do_not_fit(wrong: str) -> None:
    """Odds without the 0, against a defence one higher, or with a die fewer are found out."""
    from analyzer.config import load_config

    frame = throws()
    rules = load_config("undaunted", overrides=["zero_hits=false"] if "=" in wrong else []).rules
    more, less = wrong == "a defence more", wrong == "a die less"
    exact = [
        float(odds.hit(rules, v + more, n - less))
        for v, n in zip(frame["defence"], frame["dice"], strict=True)
    ]
    assert not all(inside(frame, exact))
    told = frame.assign(exact=exact)
    assert "do NOT keep" in report_words.odds_finding({"hit_rates": told})


# ---------------------------------------------------------------- the map

LINE = """
base: undaunted/_rules
scenario:
  name: A long road
  initiative: US
  goal: {US: 4, DE: 4}
  decks:
    US: {deck: [PS, SLA, 2 RA, SA, FOW], supply: [3 RA]}
    DE: {deck: [PS, SLA, 2 RA, SA, FOW], supply: [3 RA]}
  tiles:
"""


def road(tiles: int, step: str) -> str:
    """A scenario whose tiles lie in one row ("row"), or in one column ("column")."""
    own = {0: "US", tiles - 1: "DE"}
    text = LINE
    for k in range(tiles):
        at = f"[{k}, 0]" if step == "row" else f"[0, {k}]"
        more = f", spawn: {{{own[k]}: [A]}}, counters: {{{own[k]}: [RA, SA]}}" if k in own else ""
        text += f"    - {{name: Milestone number {k}, at: {at}, cover: {k % 4}, points: 1{more}}}\n"
    return text


@pytest.mark.parametrize(("tiles", "step"), [(18, "row"), (18, "column"), (7, "row"), (2, "row")])
def test_any_map_fits_the_page(tmp_path: Path, tiles: int, step: str) -> None:
    """A map of the most tiles in one line, either way, with long names."""
    file = tmp_path / "road.yaml"
    file.write_text(road(tiles, step).replace("4, DE: 4", "2, DE: 2") if tiles == 2 else road(tiles, step))
    results = analyzer.run("undaunted", n=20, jobs=1, config=file, policy="greedy", set=["round_limit=4"])
    report = Report(results)
    chart = next(chart for chart in report.charts if chart.name == "map")
    drawn = charts.figure(chart, report.footer)
    assert overlaps(drawn) == []
    assert outside(drawn) == []


def test_tiles_lie_as_they_touch() -> None:
    """U1: neighbours are drawn beside each other, half a tile apart in the rows above and below."""
    scenario = report_frames.rules_of(results_of("both first")).scenario
    at = places(report_of("both first").tables["tiles"])
    for tile, near in enumerate(scenario.neighbours):
        for other in range(len(scenario.tiles)):
            apart = np.abs(at[tile] - at[other])
            touches = tuple(apart) in {(2.0, 0.0), (1.0, 1.0)}
            assert touches == (other in near)


# ---------------------------------------------------------------- all scenarios


@pytest.fixture(scope="module")
def series() -> Series:
    found = analyzer.run("undaunted", n=30, jobs=1, scenario="1,10", policy="greedy", set=["round_limit=15"])
    assert isinstance(found, Series)
    return found


def test_the_table_of_scenarios_has_both_readings_side_by_side(series: Series) -> None:
    report = SeriesReport(series)
    frame = report.tables["scenarios"].set_index("scenario")
    assert list(frame.index) == ["1 La Raye", "10 Critical Intelligence"]
    assert frame["goals"].tolist() == ["5 / 5", "5 / 5"]
    ends = report.tables["scenario_ends"].set_index("scenario")
    for name in frame.index:
        for reading in ("always", "goal"):
            games = series[f"{name} · pin {reading}"].games
            assert series[f"{name} · pin {reading}"].meta["config"]["pin_ends_game"] == reading
            won = games["winner"] == 1
            assert frame.loc[name, f"US wins ({reading})"] == pytest.approx(won.mean())
            by_first = [won[games["first"] == seat].mean() for seat in (1, 2)]
            columns = [f"US wins, {side} first ({reading})" for side in SIDES]
            assert frame.loc[name, columns].tolist() == pytest.approx(by_first)
            worth = frame.loc[name, f"initiative ({reading})"]
            assert worth == pytest.approx(by_first[0] - by_first[1])
            assert ends.loc[name, f"rounds ({reading})"] == pytest.approx(games["rounds"].mean())
            limit = (games["end"] == "round limit").mean()
            assert ends.loc[name, f"ends by limit ({reading})"] == pytest.approx(limit)
    text = report.terminal_tables()[-1]
    assert text["scenario"].tolist() == list(frame.index)
    assert {"US % (always)", "US % (goal)"} <= set(text)
    assert "All scenarios" in page.render(report, {}, "series.html.j2")
    drawn = {chart.name: charts.figure(chart, report.footer) for chart in report.charts}
    for name in ("scenarios", "ends_by_scenario"):
        assert len(charts.png(drawn[name])) > 2000
    assert all("nan" not in sentence.lower().split() for sentence in report.words)


def test_other_series_have_no_table_of_scenarios() -> None:
    first = analyzer.run("undaunted", n=10, jobs=1, first_initiative="US,DE", set=["round_limit=2"])
    assert isinstance(first, Series)
    assert "scenarios" not in SeriesReport(first).tables
    one = analyzer.run(
        "undaunted", n=10, jobs=1, scenario="1,2", pin_ends_game="goal", first_initiative="US",
        set=["round_limit=2"],
    )  # fmt: skip
    frame = SeriesReport(one).tables["scenarios"]
    assert "US wins (goal)" in frame
    assert not any("always" in column or "DE first" in column for column in frame)


def test_shares_of_bids_and_of_rounds_have_intervals_that_rest_on_games() -> None:
    """Rounds of one game are alike: the intervals are wider than those of as many independent rounds."""
    name = next(iter(CASES))
    results, frames = results_of(name), report_of(name).tables
    worth = report_frames.rounds_worth(results)
    assert 0 < worth <= results.n
    bids = frames["bids"]
    assert ((bids["low"] <= bids["share"]) & (bids["share"] <= bids["high"])).all()
    alone = intervals.wilson(bids["n"], bids.groupby("side")["n"].transform("sum"))
    assert (bids["high"] - bids["low"] > alone.high - alone.low).all()
    tiles = frames["tiles"]
    for side in SIDES:
        share, low, high = (tiles[f"{side} rounds{end}"] for end in ("", " low", " high"))
        assert ((low <= share) & (share <= high) & (high - low > 0)).all()
