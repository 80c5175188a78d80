"""Series: the same games as alone, one crew, bounded memory; table, matrix, folder, report, command line."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.errors import UserError
from analyzer.report import series_charts, series_tables
from analyzer.report.parts import Chart, Measure, titled
from analyzer.report.series import SeriesReport
from analyzer.series import Series
from analyzer.sim import crew, runner, settings, workers
from analyzer.sim.results import Results
from analyzer.stats import intervals


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def loads(dice_race: str) -> Series:
    """Every pairing of the toy's loads."""
    found = analyzer.run(dice_race, 2, 300, policy="gambler", loads="all", jobs=1)
    assert isinstance(found, Series)
    return found


def analyze(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def files(folder: Path, pattern: str = "*.parquet") -> dict[str, str]:
    found = sorted(path for path in folder.rglob(pattern) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


# ---------------------------------------------------------------- the games


def test_a_settings_games_are_the_same_as_alone(tmp_path: Path) -> None:
    series = analyzer.run("moscow", "2,3", 60, policies=["racer"], seed=4, block=16, jobs=1, out="x")
    assert isinstance(series, Series)
    for players in (2, 3):
        alone = analyzer.run(
            "moscow", players, 60, ["racer"], seed=4, block=16, jobs=1, out=f"alone{players}"
        )
        assert files(Path("x") / f"0{players - 1}-players-{players}") == files(Path(f"alone{players}"))
        mine = series[f"{players} players"]
        assert mine.meta["key"] == alone.meta["key"]
        pd.testing.assert_frame_equal(mine.win_rates(), alone.win_rates())
    assert series["2 players"].meta["key"] != series["3 players"].meta["key"]


def test_workers_change_nothing(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTH_START", 0.0)
    for jobs in (1, 2):
        analyzer.run(dice_race, "2-4", 500, policy="gambler", block=64, jobs=jobs, out=str(jobs))
    assert len(files(Path("1"))) > 20
    assert files(Path("1")) == files(Path("2"))


def test_one_crew_plays_all_settings(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool is asked for once, and one progress runs over all settings."""
    from joblib.externals import loky

    monkeypatch.setattr(workers, "WORTH_START", 0.0)
    for module in (crew, workers):
        monkeypatch.setattr(module, "may_copy", lambda: False)
    really, started = loky.get_reusable_executor, []

    def start(**more: Any) -> Any:
        started.append(more)
        return really(**more)

    monkeypatch.setattr(loky, "get_reusable_executor", start)
    told: list[tuple[int, int]] = []
    analyzer.run(dice_race, "2-4", 200, block=50, jobs=2, progress=lambda done, of: told.append((done, of)))
    assert len(started) == 1
    assert [done for done, _ in told] == [50 * k for k in range(1, 13)]
    assert {of for _, of in told} == {600}


def test_finished_settings_are_handed_out_while_others_play(dice_race: str) -> None:
    planned = settings.plan(dice_race, "2-4", 100)
    seen: list[tuple[str, int]] = []
    games: list[int] = []
    settings.play(
        planned, Path("x"), 1, lambda done, _: games.append(done),
        ready=lambda setting, results: seen.append((setting.name, games[-1])),
    )  # fmt: skip
    assert seen == [("2 players", 100), ("3 players", 200), ("4 players", 300)]


def test_runs_in_a_folder_are_not_held_in_memory(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import gc
    import weakref

    refs: list[Any] = []
    planned = settings.plan(dice_race, "2-4", 100)
    alive: list[int] = []

    def ready(_: Any, results: Any) -> None:
        gc.collect()
        alive.append(sum(ref() is not None for ref in refs))
        refs.append(weakref.ref(results))

    series = settings.play(planned, Path("x"), 1, ready=ready)
    assert alive == [0, 0, 0]
    assert series["3 players"] is not series["3 players"]
    monkeypatch.setattr(runner, "MEMORY_GAMES", 250)
    kept = analyzer.run(dice_race, "2-4", 100, jobs=1)
    folder = kept.folder
    assert folder is not None
    assert kept["4 players"].n == 100  # type: ignore[index]
    del kept
    gc.collect()
    assert not folder.exists()


# ---------------------------------------------------------------- what comes back


def test_several_values_or_a_list_make_a_series(dice_race: str) -> None:
    kinds = {
        "2-3": Series, "2": analyzer.sim.results.Results, 2: analyzer.sim.results.Results,
        "all": Series, (2,): Series, (2, 4): Series, None: analyzer.sim.results.Results,
    }  # fmt: skip
    for players, kind in kinds.items():
        assert type(analyzer.run(dice_race, players, 5, jobs=1)) is kind, players  # type: ignore[call-overload]
    one = analyzer.run(dice_race, 2, 5, jobs=1, loads="0:chest")
    assert one.meta["config"]["load_2"] == "Big Trunk"
    assert "loads='0:chest'" in one.meta["command"]


def test_a_series_is_an_ordered_mapping(dice_race: str) -> None:
    series = analyzer.run(dice_race, "4,2", 30, jobs=1)
    assert list(series) == ["4 players", "2 players"]
    assert [results.players for results in series.values()] == [4, 2]
    assert series.n == 60
    assert repr(series) == "<Series: 2 settings of dice_race: 4 players, 2 players>"
    with pytest.raises(KeyError):
        series["3 players"]  # type: ignore[index]


def test_the_table_has_one_row_a_setting_with_the_results_own_numbers(dice_race: str) -> None:
    series = analyzer.run(dice_race, "2-4", 400, policy="gambler", jobs=1)
    table = series.table()
    assert table["players"].tolist() == [2, 3, 4]
    assert table["n"].tolist() == [400] * 3
    assert list(table.columns[2:8]) == [
        "seat 1", "seat 1 low", "seat 1 high", "seat 2", "seat 2 low", "seat 2 high",
    ]  # fmt: skip
    for row, results in zip(table.to_dict("records"), series.values(), strict=True):
        rates = results.win_rates()
        for seat in range(1, 5):
            mine = [row[f"seat {seat}{end}"] for end in ("", " low", " high")]
            if seat > results.players:
                assert all(map(math.isnan, mine))
            else:
                assert mine == rates.loc[seat - 1, ["win_rate", "low", "high"]].tolist()
        nobody = results.nobody()
        assert [row["nobody"], row["nobody low"], row["nobody high"]] == [
            nobody.rate,
            nobody.low,
            nobody.high,
        ]
        games = results.games
        assert row["turns"] == pytest.approx(games["turns"].mean(), rel=1e-12)
        assert row["rounds"] == pytest.approx(games["rounds"].mean(), rel=1e-12)
        assert row["turns low"] < row["turns"] < row["turns high"]


def test_win_rates_of_all_settings(dice_race: str) -> None:
    series = analyzer.run(dice_race, "2,4", 200, policies=["random", "gambler"], jobs=1)
    seats = series.win_rates("seat")
    assert list(zip(seats["players"], seats["seat"], strict=True)) == [
        (players, f"seat {seat}") for players in (2, 4) for seat in range(1, players + 1)
    ]
    by_policy = series.win_rates("policy")
    assert by_policy["policy"].tolist() == ["random", "gambler"] * 2
    assert by_policy["win_rate"].tolist()[2:] == series["4 players"].win_rates("policy")["win_rate"].tolist()
    with pytest.raises(UserError, match="by seat or by policy"):
        series.win_rates("deck")


# ---------------------------------------------------------------- pairings


def test_the_matrix_averages_both_seatings(loads: Series) -> None:
    matrix = loads.matrix().set_index(["row", "column"])
    assert len(matrix) == 9
    ab, ba = loads["nothing : Big Trunk"].win_rates(), loads["Big Trunk : nothing"].win_rates()
    cell = matrix.loc[("nothing", "Big Trunk")]
    assert cell["n"] == 600
    assert cell["win_rate"] == pytest.approx((ab["win_rate"][0] + ba["win_rate"][1]) / 2)
    down = math.hypot(ab["win_rate"][0] - ab["low"][0], ba["win_rate"][1] - ba["low"][1]) / 2
    assert cell["low"] == pytest.approx(cell["win_rate"] - down)
    assert matrix.loc[("a bag", "a bag"), "win_rate"] == loads["a bag : a bag"].win_rates()["win_rate"][0]
    assert matrix.loc[("a bag", "a bag"), "n"] == 300
    # The lighter one wins: the matrix is the right way round.
    assert cell["edge_low"] > 0 > matrix.loc[("Big Trunk", "nothing"), "edge_high"]


def test_limits_of_the_matrix_cover_the_truth() -> None:
    """Two seatings of known rates: the average's interval holds the truth at about its level."""
    from analyzer.series import average

    rng = np.random.default_rng(7)
    truth, n, hits = (0.3, 0.55), 200, 0
    for _ in range(2000):
        rates = []
        for p in truth:
            found = intervals.wilson(rng.binomial(n, p), n)
            value, low, high = (float(x) for x in found)
            rates.append(SimpleNamespace(n=n, win_rate=value, low=low, high=high, edge=value, edge_low=low, edge_high=high))  # fmt: skip # noqa: E501
        _, _, low, high, *_ = average(rates)
        hits += low <= sum(truth) / 2 <= high
    assert 0.94 <= hits / 2000 <= 0.965


def test_each_against_all_others(loads: Series) -> None:
    report = SeriesReport(loads)
    totals, matrix = report.tables["against_all"].set_index("row"), report.tables["matrix"]
    others = matrix[(matrix["row"] == "nothing") & (matrix["column"] != "nothing")]
    assert totals.loc["nothing", "win_rate"] == pytest.approx(others["win_rate"].mean())
    assert totals.loc["nothing", "n"] == others["n"].sum() == 1200
    assert totals["win_rate"].is_monotonic_decreasing  # nothing, a bag, Big Trunk


def test_unordered_pairings_tell_both_sides(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    from tests.toy import model as toy

    monkeypatch.setattr(toy, "AXES", (dataclasses.replace(toy.AXES[0], ordered=False),))
    series = analyzer.run(dice_race, 2, 200, loads="0,1", jobs=1)
    assert list(series) == ["nothing : nothing", "nothing : a bag", "a bag : a bag"]
    matrix = series.matrix().set_index(["row", "column"])["win_rate"]
    rates = series["nothing : a bag"].win_rates()["win_rate"]
    assert (matrix["nothing", "a bag"], matrix["a bag", "nothing"]) == (rates[0], rates[1])


def test_policies_meet_each_other_in_both_seats(dice_race: str) -> None:
    """The axis of every game for two: one run a pairing, the two take turns in the seats."""
    series = analyzer.run(dice_race, n=200, matchups="gambler,random", jobs=1)
    assert list(series) == ["gambler : gambler", "gambler : random", "random : random"]
    assert {one.players for one in series.values()} == {2}
    matrix = series.matrix().set_index(["row", "column"])
    rates = series["gambler : random"].win_rates("policy").set_index("policy")
    for row, column in (("gambler", "random"), ("random", "gambler")):
        assert matrix.loc[(row, column), "n"] == 200
        for name in ("win_rate", "low", "high", "edge", "edge_low", "edge_high"):
            assert matrix.loc[(row, column), name] == rates.loc[row, name]
    equals = series["random : random"].win_rates("seat")
    assert matrix.loc[("random", "random"), "win_rate"] == equals["win_rate"][0]
    alone = analyzer.run(dice_race, n=200, policies="gambler,random", jobs=1)
    assert (alone.games == series["gambler : random"].games).all(axis=None)


def test_matchups_have_a_matrix_in_the_report_and_after_loading(dice_race: str, reported: Any) -> None:
    reported()
    words = ["run", dice_race, "--matchups", "all", "--n", "120", "--jobs", "1", "--out", "met"]
    shown = analyze(*words)
    assert shown.exit_code == 0
    assert "Win rate of the row" in shown.output
    loaded = analyzer.load_series("met")
    assert loaded.seated == "matchups"
    tables = SeriesReport(loaded).tables
    assert "win_rate_by_policy" not in tables  # the matrix tells it
    assert tables["matrix"].attrs["title"] == "Win rate of each of the policies against each"
    assert set(tables["against_all"]["row"]) == set(analyzer.policies(dice_race))
    assert (Path("met") / "plots" / "matrix.png").is_file()


def test_one_matchup_is_a_plain_run(dice_race: str) -> None:
    found = analyzer.run(dice_race, n=40, matchups="gambler:random", jobs=1)
    assert isinstance(found, Results)
    assert found.meta["policies"] == ["gambler", "random"]


def test_matchups_and_policies_do_not_go_together(dice_race: str) -> None:
    for given in ({"policies": "gambler,random"}, {"policy": "gambler"}):
        with pytest.raises(UserError, match="either matchups or the policies of the seats, not both"):
            analyzer.run(dice_race, n=40, matchups="all", jobs=1, **given)
    with pytest.raises(UserError, match=r"this game has no 'gamblr'\. Did you mean 'gambler'"):
        analyzer.run(dice_race, n=40, matchups="gamblr,random", jobs=1)


def test_only_a_pairing_has_a_matrix(dice_race: str, loads: Series) -> None:
    with pytest.raises(UserError, match="no axis of this series is a pairing"):
        analyzer.run(dice_race, "2,3", 10, jobs=1).matrix()
    with pytest.raises(UserError, match="'loads' is"):
        loads.matrix("load")


def test_further_axes_give_a_matrix_each(dice_race: str, reported: Any) -> None:
    reported()
    series = analyzer.run(dice_race, 2, 40, loads="0,1", race_length="short,long", jobs=1)
    assert len(series) == 8
    matrix = series.matrix()
    assert list(matrix.columns[:4]) == ["race-length", "row", "column", "n"]
    assert len(matrix) == 8
    report = SeriesReport(series)
    names = [chart.name for chart in report.charts]
    assert names[:2] == ["matrix_1", "matrix_2"]
    assert report.write("y").is_file()


# ---------------------------------------------------------------- on disk


def test_save_and_load(loads: Series) -> None:
    loads.save("kept")
    again = analyzer.load_series("kept")
    assert list(again) == list(loads)
    pd.testing.assert_frame_equal(again.table(), loads.table())
    pd.testing.assert_frame_equal(again.matrix(), loads.matrix())
    assert again.settings == loads.settings
    assert again.meta == {**loads.meta}
    pd.testing.assert_frame_equal(
        analyzer.load(Path("kept") / again.settings[2].folder).win_rates(),
        loads["nothing : Big Trunk"].win_rates(),
    )
    again.save("copy")
    assert files(Path("copy")) == files(Path("kept"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "holds no series.json"),
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"format": 9}', "damaged"),
        ('{"format": 1, "game": "moscow"}', "damaged"),
        (
            '{"format": 1, "game": "m", "axes": [], "n": 1, "seed": 1,'
            ' "settings": [{"name": "a", "values": {}, "folder": "../x"}]}',
            "no folder inside",
        ),
    ],
)
def test_a_damaged_series_is_told(text: str | None, said: str) -> None:
    Path("bad").mkdir()
    if text is not None:
        Path("bad/series.json").write_text(text)
    with pytest.raises(UserError, match=said):
        analyzer.load_series("bad")


def test_a_folder_takes_the_same_series_again_and_nothing_else(dice_race: str) -> None:
    for _ in range(2):
        analyzer.run(dice_race, "2,3", 20, jobs=1, out="x")
    before = files(Path("x"), "*")
    with pytest.raises(UserError, match=r"holds another run \(.*; it differs in seed\)"):
        analyzer.run(dice_race, "2,3", 20, seed=2, jobs=1, out="x")
    with pytest.raises(UserError, match="more than 19 games of this very run"):
        analyzer.run(dice_race, "2,3", 19, jobs=1, out="x")
    with pytest.raises(UserError, match="holds something else"):
        analyzer.run(dice_race, "2,4", 20, jobs=1, out="x")
    with pytest.raises(UserError, match="holds something else"):
        analyzer.run(dice_race, 2, 20, jobs=1, out="x")
    Path("x/notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"notes\.txt|something else"):
        analyzer.run(dice_race, "2,3", 20, jobs=1, out="x")
    Path("x/notes.txt").unlink()
    assert files(Path("x"), "*") == before


def test_a_policy_that_fails_leaves_nothing(dice_race: str) -> None:
    Path("bad.py").write_text(
        "from tests.toy.policies import DicePolicy\n\n\nclass Bad(DicePolicy):\n"
        "    def act(self, view, score):\n        assert view.goal < 30\n"
    )
    with pytest.raises(UserError, match="AssertionError"):
        analyzer.run(dice_race, 2, 20, policy="bad.py:Bad", race_length="short,long", jobs=1, out="x")
    assert not Path("x").exists()


def stop_after(monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    really, played = crew.play_block, []

    def play(job: Any, block: Any) -> Any:
        if len(played) == blocks:
            raise KeyboardInterrupt
        played.append(block)
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", play)


def test_ctrl_c_keeps_what_is_finished(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(monkeypatch, 3)
    with pytest.raises(runner.Interrupted) as caught:
        analyzer.run(dice_race, "2-4", 100, block=50, jobs=1, out="x")
    series = caught.value.results
    assert isinstance(series, Series)
    assert (series.meta["kind"], series.n, list(series)) == ("partial", 150, ["2 players", "3 players"])
    assert [results.meta["kind"] for results in series.values()] == ["complete", "partial"]
    assert sorted(path.name for path in Path("x").iterdir()) == [
        "01-players-2",
        "02-players-3",
        "03-players-4",
        "series.json",
    ]
    assert analyzer.load_series("x").n == 150


def test_ctrl_c_before_anything_is_finished(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(monkeypatch, 0)
    with pytest.raises(runner.Interrupted) as caught:
        analyzer.run(dice_race, "2-4", 100, jobs=1, out="x")
    assert caught.value.results is None
    assert not Path("x").exists()


# ---------------------------------------------------------------- the report


def toy_report(**more: Any) -> SimpleNamespace:
    """A report module of the toy with everything a game may add to a series."""
    parts: dict[str, Any] = {
        "TERMINAL": {"win_rate_by_seat": ("seat", "win_rate")},
        "tables": lambda results: {"win_rate_by_seat": titled(results.win_rates(), "Win rate by seat")},
        "charts": lambda results, frames: [],
        "words": lambda results, frames: ["A run.", "Its finding.", "More."],
    }
    return SimpleNamespace(**{**parts, **more})


@pytest.fixture
def reported(dice_race: str, monkeypatch: pytest.MonkeyPatch, named_seats: Callable[..., None]) -> Any:
    def use(**more: Any) -> None:
        named_seats("Reds", "Blues", "Greens", "Greys")
        monkeypatch.setitem(sys.modules, "analyzer.games.dice_race.report", toy_report(**more))

    return use


def test_a_game_adds_seats_measures_tables_charts_and_words(dice_race: str, reported: Any) -> None:
    def measures(results: Any, frames: Any) -> list[Measure]:
        assert list(frames) == ["win_rate_by_seat"]
        steps = results.games["steps_1"]
        return [
            Measure(
                "steps", float(steps.mean()), float(steps.mean()) - 1, float(steps.mean()) + 1, chart=True
            ),
            Measure("rounds", 7.0),
            Measure("bold share", 0.25, kind="share"),
        ]

    chart = Chart("own", "Own?", "An own finding", lambda axes: axes[0].plot([0, 1]), "alt")
    reported(
        series_measures=measures,
        series_tables=lambda series, frames: {"own": pd.DataFrame({"settings": [len(frames["settings"])]})},
        series_charts=lambda series, frames: [chart],
        series_words=lambda series, frames: ["An own sentence."],
    )
    series = analyzer.run(dice_race, 2, 50, race_length="short,long", jobs=1)
    table = series.table()
    assert list(table.columns) == [
        "players", "race-length", "n", "Reds", "Reds low", "Reds high", "Blues", "Blues low", "Blues high",
        "nobody", "nobody low", "nobody high", "turns", "turns low", "turns high",
        "steps", "steps low", "steps high", "rounds", "bold share",
    ]  # fmt: skip
    assert table["rounds"].tolist() == [7.0, 7.0]
    assert table["steps"][0] == pytest.approx(series["short race"].games["steps_1"].mean())
    report = SeriesReport(series)
    page = report.write("x").read_text()
    assert Path("x/tables/own.csv").read_text() == "settings\n2\n"
    for name in ("own", "by_setting_steps", "win_rate_by_seat"):
        assert Path(f"x/plots/{name}.png").stat().st_size > 2000
    for word in (
        "An own sentence.",
        "An own finding",
        "Steps: from",
        "games won by Reds",
        "bold share",
        "25.0\u00a0%",
    ):
        assert word in page, word


def test_a_game_may_show_tables_of_its_own(dice_race: str, reported: Any) -> None:
    """In the place of the terminal's tables, and on the page in the place of the plain ones."""
    reported(
        series_tables=lambda series, frames: {"own": pd.DataFrame({"plain": [0.25]})},
        series_terminal=lambda series, frames: [frames["own"]],
        series_page=lambda series, frames: {"own": pd.DataFrame({"shown": ["a quarter"]})},
    )
    report = SeriesReport(analyzer.run(dice_race, 2, 50, race_length="short,long", jobs=1))
    assert [list(frame) for frame in report.terminal_tables()] == [["plain"]]
    page = report.write("x", plots=False).read_text()
    assert Path("x/tables/own.csv").read_text() == "plain\n0.25\n"
    assert "a quarter" in page


def test_long_names_of_settings_keep_all_their_parts(dice_race: str) -> None:
    series = analyzer.run(dice_race, 2, 10, race_length="short,long", loads="2:1,0:0", jobs=1)
    assert series_charts._labels(series) == [
        "Big Trunk : a bag · short race", "Big Trunk : a bag · long race",
        "nothing : nothing · short race", "nothing : nothing · long race",
    ]  # fmt: skip


def test_the_report_of_a_series_of_moscow() -> None:
    words = ["run", "moscow", "--players", "2-4", "--n", "300", "--jobs", "1"]
    result = analyze(*words, "--out", "x")
    assert result.exit_code == 0, result.output
    for word in (
        "Win rate by seat in per cent",
        "3 players",
        "round of the fall",
        "Report: x/report.html",
        "3 settings",
    ):
        assert word in result.output, word
    page = Path("x/report.html").read_text()
    for folder in ("01-players-2", "02-players-3", "03-players-4"):
        assert f'href="{folder}/report.html"' in page
        single = Path("x", folder, "report.html").read_text()
        assert "Replay a game" in single
        assert Path("x", folder, "run.json").is_file()
    assert "<svg" in page
    assert not re.search(r"""(?:src|href)=["']https?:""", page)
    assert {"win_rate_by_seat.png", "by_setting_nobody.svg", "by_setting_rounds.png"} <= {
        path.name for path in Path("x/plots").iterdir()
    }
    table = pd.read_csv("x/tables/settings.csv")
    assert table["players"].tolist() == [2, 3, 4]
    assert "round of the fall low" in table


def test_single_reports_name_their_own_command(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [
        "run",
        "moscow",
        "--players=2,3",
        "--n",
        "60",
        "--seed",
        "3",
        "--no-plots",
        "--out",
        "x",
        "--jobs",
        "1",
    ]
    monkeypatch.setattr(sys, "argv", ["analyze", *words])
    assert analyze(*words).exit_code == 0
    command = analyzer.load("x/02-players-3").meta["command"]
    assert command == "analyze run moscow --players 3 --n 60 --seed 3 --no-plots --jobs 1"
    assert analyzer.load_series("x").meta["command"] == "analyze " + " ".join(words)
    replays = re.findall(r"<pre>(analyze replay .*?)</pre>", Path("x/02-players-3/report.html").read_text())
    assert replays
    game = analyzer.load("x/02-players-3").games.set_index("game")
    told = analyze(*replays[0].split()[1:])
    assert told.exit_code == 0, told.output
    assert f"turns {game.loc[int(replays[0].split()[-1]), 'turns']}" in told.output


def test_json_is_all_that_is_printed() -> None:
    words = ["run", "moscow", "--players", "2,3", "--n", "40", "--jobs", "1", "--no-plots", "--json"]
    result = CliRunner().invoke(cli.main, words)
    told = json.loads(result.stdout)
    assert [row["players"] for row in told["tables"]["settings"]] == [2, 3]
    assert told["tables"]["settings"][0]["seat 3"] is None
    assert [one["values"] for one in told["settings"]] == [{"players": ["2"]}, {"players": ["3"]}]
    assert all(Path(one["folder"], "run.json").is_file() for one in told["settings"])
    assert re.fullmatch(r"moscow-players-[0-9a-f]{10}", Path(told["report"]).parent.name)


def test_differences_are_told_only_where_they_are_clear(loads: Series, dice_race: str) -> None:
    words = SeriesReport(loads).words
    assert "9 settings of dice_race" in words[0]
    assert "3 of 3 pairings are clearly one-sided, most of all nothing against Big Trunk" in words[1]
    equal = SeriesReport(analyzer.run(dice_race, "3,4", 4, jobs=1))
    assert "In no setting does a seat differ clearly from its fair share" in " ".join(equal.words)


def test_two_seats_are_told_by_the_first(dice_race: str, reported: Any) -> None:
    reported()
    said = SeriesReport(analyzer.run(dice_race, 2, 2000, race_length="short,long", jobs=1)).words[1]
    table = analyzer.run(dice_race, 2, 2000, race_length="short,long", jobs=1).table()["Reds"]
    assert said == (
        f"Reds wins {100 * table[1]:.1f}\u00a0% (long race) to {100 * table[0]:.1f}\u00a0% (short race); "
        "clearly more than its fair share in 1 of 2 settings."
    )


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ((0.248, 0.244, 0.252, "share"), "24.8 ±0.4"),
        ((0.0032, 0.002, 0.0052, "share"), "0.32 ±0.16"),
        ((0.0, 0.0, 0.002, "share"), "0.0 ±0.1"),
        ((-0.021, -0.031, -0.011, "points"), "-2.1 ±1.0"),
        ((1234.56, 1230, 1240, "number"), "1,234.6 ±5.0"),
        ((7.1234, math.nan, math.nan, "number"), "7.12"),
        ((math.nan, math.nan, math.nan, "share"), ""),
    ],
)
def test_a_number_with_half_its_interval(number: tuple[Any, ...], shown: str) -> None:
    assert series_tables.text(*number) == shown


def test_extreme_series_have_a_report(dice_race: str, reported: Any) -> None:
    reported()
    for number, more in enumerate((
        {"players": [2], "n": 1},
        {"players": "2-4", "n": 1, "set": {"rounds": "1"}},  # nobody can win
        {"players": 2, "n": 3, "loads": "1"},
        {"players": 2, "n": 3, "loads": ["1:1"]},
        {"players": 3, "n": 9, "policies": "random,gambler,gambler:patience=9", "race_length": "all"},
    )):  # fmt: skip
        found = analyzer.run(dice_race, jobs=1, **more)  # type: ignore[arg-type]
        if isinstance(found, Series):
            assert found.report(f"x{number}").is_file()
            assert found.summary()


# ---------------------------------------------------------------- the command line


def test_the_options_of_a_games_axes(dice_race: str) -> None:
    told = analyze("run", dice_race, "--help").output
    assert re.search(r"--loads V1,V2,\.\.\. +loads that race against each other\.", told)
    assert "--race-length" in told
    assert "--loads" not in analyze("run", "moscow", "--help").output
    assert "--loads" not in analyze("run", "--help").output
    assert "--loads" in analyze("replay", dice_race, "--help").output
    # The game is found behind options and their values, too.
    assert "--loads" in analyze("run", "--n", "5", "--no-plots", "--loads", "all", dice_race, "--help").output


BAD = [
    (["run", "moscow", "--players", "2-7"], "moscow is for 1 to 6 players, not 7."),
    (["run", "moscow", "--players", "4-2"], "write 2-4"),
    (["run", "moscow", "--players", "2,,3"], "empty place"),
    (["run", "moscow", "--players", "2-3", "--policies", "racer,balanced"], "dealt out evenly to 3 seats"),
    (["run", "moscow", "--scenario", "1"], "No such option"),
    (["run", "dice_race", "--loads", "trunk"], "Did you mean 'Big Trunk'"),
    (["run", "dice_race", "--load", "all"], "--loads"),
    (["run", "dice_race", "--loads"], "requires an argument"),
    (["replay", "dice_race", "--loads", "all", "--game", "1"], "Which of these 9 settings?"),
    (["replay", "moscow", "--players", "2-3", "--game", "1"], "Give one: 2 players, 3 players."),
    (["show", "dice_race", "--loads", "all"], "Which of these 9 settings?"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_exit_2_with_the_right_word(dice_race: str, words: list[str], said: str) -> None:
    result = analyze(*words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert not Path("reports").exists()


def test_one_value_of_an_axis_is_a_plain_run(dice_race: str, reported: Any) -> None:
    reported()
    words = ["--loads", "0:chest", "--race-length", "short", "--players", "2"]
    result = analyze("run", dice_race, *words, "--n", "20", "--jobs", "1", "--no-plots", "--out", "x")
    assert result.exit_code == 0, result.output
    results = analyzer.load("x")
    assert (results.meta["config"]["load_2"], results.meta["config"]["goal"]) == ("Big Trunk", 10)
    told = analyze("replay", dice_race, *words, "--game", "3")
    assert f"turns {results.games.set_index('game').loc[3, 'turns']}" in told.output
    assert "Big Trunk" in analyze("show", dice_race, "--loads", "0:chest", "--json").output


def test_a_stopped_series_tells_what_was_kept(
    dice_race: str, reported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported()
    words = ["run", dice_race, "--players", "2-4", "--n", "100", "--block", "50", "--jobs", "1", "--out", "x"]
    with monkeypatch.context() as patched:
        stop_after(patched, 3)
        result = analyze(*words)
    assert result.exit_code == 130
    assert (
        "The 150 games finished so far are in x (marked partial); go on with: analyze resume x"
        in result.stderr
    )
    assert Path("x/01-players-2/report.html").is_file()
    assert json.loads(Path("x/series.json").read_text())["kind"] == "partial"
    again = analyze("resume", "x", "--jobs", "1")
    assert again.exit_code == 0, again.output
    assert "3 settings, 150 games in" in again.output
    assert "150 games were there already." in again.output
    assert json.loads(Path("x/series.json").read_text())["kind"] == "complete"
