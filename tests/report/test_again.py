"""`analyze report`: the page of a saved run or series again; several runs side by side."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.errors import UserError
from analyzer.report.again import rebuild
from analyzer.report.beside import side_by_side
from analyzer.report.build import Report
from tests import synthetic

N = 200


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runs a (seed 1), b (seed 2), c (3 players, another setting), and a series."""
    home = tmp_path_factory.mktemp("saved")
    analyzer.run("moscow", n=N, jobs=1, out=home / "a")
    analyzer.run("moscow", n=N, jobs=1, seed=2, out=home / "b")
    analyzer.run("moscow", n=N, jobs=1, players=3, set={"moscow_strength": 20}, out=home / "c")
    analyzer.run("moscow", players=[2, 3], n=60, jobs=1, out=home / "series")
    return home


def invoke(*words: object) -> Result:
    return CliRunner().invoke(cli.main, ["report", *map(str, words)])


def test_the_page_of_a_saved_run_is_that_of_the_run(saved: Path, tmp_path: Path) -> None:
    first = Report(analyzer.load(saved / "a")).write(tmp_path / "first")
    result = invoke(saved / "a", "--out", tmp_path / "again", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "Win rate by seat" in result.output
    for path in (p for p in first.parent.rglob("*") if p.is_file()):
        again = tmp_path / "again" / path.relative_to(first.parent)
        assert again.read_bytes() == path.read_bytes(), path.name
    assert sorted(p.name for p in (tmp_path / "again").iterdir()) == ["plots", "report.html", "tables"]


def test_a_run_gets_its_page_in_its_own_folder_and_stays_as_it_is(saved: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(saved / "a", tmp_path / "run"))
    before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
    assert analyzer.rebuild(run, plots=False) == run / "report.html"
    assert "made without charts" in (run / "report.html").read_text(encoding="utf-8")
    assert all(path.read_bytes() == data for path, data in before.items())


def test_a_series_gets_its_pages_again(saved: Path, tmp_path: Path) -> None:
    _, page = rebuild(saved / "series", tmp_path, plots=False)
    made = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("report.html"))
    assert made == ["01-players-2/report.html", "02-players-3/report.html", "report.html"]
    assert "2 settings" in page.read_text(encoding="utf-8")


# ---- side by side ----------------------------------------------------------------------------------------


def test_differences_are_those_of_the_runs(saved: Path) -> None:
    study = analyzer.side_by_side(saved / "a", saved / "b")
    rates = [analyzer.load(saved / name).win_rates()["win_rate"].to_numpy() for name in "ab"]
    frame = study.tables["differences"].set_index("number")
    for seat in range(4):
        row = frame.loc[f"seat {seat + 1} wins"]
        assert row["difference"] == pytest.approx(rates[1][seat] - rates[0][seat])
        assert row["difference low"] < row["difference"] < row["difference high"]
        assert row["run"] == "seed 2"
    assert study.words[0].startswith("2 runs of moscow side by side: seed 1 (200 games), seed 2 (200 games)")
    assert "They differ in seed." in study.words


def test_equal_runs_differ_in_nothing_and_unlike_ones_clearly() -> None:
    """The first pair has one law and two seeds; in the second Moscow falls in every game or in none."""
    same = side_by_side(synthetic.make(2000, seed=1), synthetic.make(2000, seed=2))
    assert "No number differs clearly" in same.words[1]
    unlike = side_by_side(synthetic.make(2000), synthetic.make(2000, attack=0.0, seed=2))
    assert "differ clearly from the first run" in unlike.words[1]
    frame = unlike.tables["differences"].set_index("number")
    assert frame.loc["nobody", "judged together"] == "clear of chance"


@pytest.mark.slow
def test_chance_is_called_a_difference_as_seldom_as_promised() -> None:
    """95 % for all numbers of a comparison together: among 60 pairs of one law some 3 are false alarms."""
    false = 0
    for seed in range(60):
        pair = [synthetic.make(400, seed=1000 + 2 * seed + k, fights=False) for k in (0, 1)]
        false += "No number differs clearly" not in side_by_side(*pair).words[1]
    assert false <= 9


def test_what_differs_in_the_setup_is_told(saved: Path) -> None:
    study = analyzer.side_by_side(saved / "a", saved / "c")
    setup = study.tables["setup"].set_index("what")
    assert [*setup.loc["players"]] == ["4", "3"]
    assert [*setup.loc["moscow_strength"]] == ["15", "20"]
    assert "They differ in players, moscow_strength." in study.words
    numbers = study.tables["differences"]["number"].tolist()
    assert (
        "seat 1 above its fair share" in numbers
    )  # with other numbers of players a rate means another thing
    assert not any("seat 4" in name for name in numbers)


def test_settings_of_a_series_count_as_runs(saved: Path, tmp_path: Path) -> None:
    result = invoke(saved / "a", saved / "series", "--out", tmp_path / "both", "--no-plots")
    assert result.exit_code == 0, result.output
    assert "3 runs of moscow side by side" in result.output
    assert (tmp_path / "both" / "tables" / "differences.csv").is_file()


def test_every_number_of_the_page_is_finite_or_empty(saved: Path) -> None:
    study = analyzer.side_by_side(saved / "a", saved / "b", saved / "c")
    assert not any("nan" in word for word in study.words)
    frame = study.tables["differences"]
    assert np.isfinite(frame["difference"]).all()


# ---- mistakes --------------------------------------------------------------------------------------------


def test_the_same_run_twice_is_refused(saved: Path) -> None:
    result = invoke(saved / "a", saved / "a")
    assert result.exit_code == 2
    assert "a and a hold the same run" in result.output


def test_runs_of_different_games_are_refused(saved: Path) -> None:
    other = synthetic.make(50)
    other.meta["game"] = "eastfront"
    with pytest.raises(UserError, match="Only runs of one game"):
        side_by_side(saved / "a", other)


@pytest.mark.parametrize("with_another", [False, True], ids=["alone", "side by side"])
@pytest.mark.parametrize(
    "name", ["", "run.json", "tallies/games.parquet", "tallies/shares.parquet", "tallies"]
)
@pytest.mark.parametrize("how", ["missing", "cut", "empty"])
def test_a_damaged_folder_is_told_in_one_line(
    how: str, name: str, with_another: bool, saved: Path, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(saved / "a", tmp_path / "run"))
    target = run / name
    if target.is_dir():
        shutil.rmtree(target)
    elif how == "missing":
        target.unlink()
    else:
        target.write_bytes(target.read_bytes()[:50] if how == "cut" else b"")
    result = invoke(run, *([saved / "b"] if with_another else []), "--out", tmp_path / "out", "--no-plots")
    assert result.exit_code == 2, result.output
    assert result.output.startswith("Error: ")
    assert len(result.output.strip().splitlines()) == 1


def test_a_tally_of_a_game_that_is_missing_is_a_damaged_folder(saved: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(saved / "a", tmp_path / "run"))
    for path in (run / "tallies").glob("*.parquet"):
        if path.stem not in ("games", "shares"):
            path.unlink()
    result = invoke(run, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert "is damaged" in result.output
    assert len(result.output.strip().splitlines()) == 1


@pytest.mark.parametrize("gone", ["games", "tallies/cards"])
def test_what_is_missing_in_a_saved_run_is_named(saved: Path, tmp_path: Path, gone: str) -> None:
    run = Path(shutil.copytree(saved / "a", tmp_path / "run"))
    whole = invoke(run, "--no-plots", "--jobs", "1")
    assert "is missing in" not in whole.output
    if gone == "games":
        shutil.rmtree(run / "games")
    else:
        (run / f"{gone}.parquet").unlink()
    result = invoke(run, "--no-plots", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert f"{gone} is missing in" in " ".join(result.output.split())
    page = (run / "report.html").read_text(encoding="utf-8")
    assert f"Not in the folder of this run any more: {gone}." in page


def test_a_config_that_is_wrong_in_a_saved_run_is_told_in_one_line(tmp_path: Path) -> None:
    analyzer.run("undaunted", n=4, jobs=1, out=tmp_path / "run", scenario="1")
    told = json.loads((tmp_path / "run" / "run.json").read_text())
    told["config"]["scenario"]["tiles"][5]["name"] = False
    told["config"]["scenario"]["tiles"][6]["name"] = 7
    (tmp_path / "run" / "run.json").write_text(json.dumps(told))
    result = invoke(tmp_path / "run", "--no-plots")
    assert result.exit_code == 2
    assert len(result.output.strip().splitlines()) == 1
    assert "(config: scenario.tiles.5.name: Input should be a valid string)" in result.output
