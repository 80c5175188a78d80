"""Runs that go on: stopped, killed, damaged, or asked for more games, they end as if nothing had happened."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import analyzer
from analyzer import cli
from analyzer.errors import PolicyError, UserError
from analyzer.sim import crew, parts, runner, workers
from analyzer.sim.request import Request
from tests.test_runner import SEATS, request

ROOT = Path(__file__).parents[1]
TIMES = ("wall_seconds", "command", "versions")  # what may differ between two runs of the same games


@pytest.fixture(autouse=True)
def _known(dice_race: str) -> None:
    pass


@pytest.fixture(autouse=True)
def _small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", 50)


def left_by(folder: Path) -> dict[str, Any]:
    """Everything that a run has left: the bytes of its Parquet files, and run.json without times."""
    found: dict[str, Any] = {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))
    }
    told = json.loads((folder / "run.json").read_text())
    return {**found, "run.json": {name: value for name, value in told.items() if name not in TIMES}}


def uninterrupted(asked: Request, folder: Path) -> dict[str, Any]:
    runner.run(asked, folder, 1)
    return left_by(folder)


def stop_after(blocks: int) -> Callable[[crew.Job, Any], crew.Done]:
    """A `play_block` that is stopped by Ctrl-C after so many blocks."""
    really, played = crew.play_block, []

    def play(job: crew.Job, block: Any) -> crew.Done:
        if len(played) == blocks:
            raise KeyboardInterrupt
        played.append(block)
        return really(job, block)

    return play


def count_games(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Games played from now on, a number a block."""
    really, played = crew.play_block, []

    def play(job: crew.Job, block: Any) -> crew.Done:
        played.append(block.games)
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", play)
    return played


# ---------------------------------------------------------------- going on after Ctrl-C


@pytest.mark.parametrize("blocks", [1, 2, 5, 8])
def test_a_stopped_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    asked = request(1000, 120)
    expected = uninterrupted(asked, tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(blocks))
        with pytest.raises(runner.Interrupted) as caught:
            runner.run(asked, tmp_path / "x", 1)
    partial = caught.value.results
    assert partial is not None
    assert partial.meta["kind"] == "partial"
    played = count_games(monkeypatch)
    results = analyzer.resume(tmp_path / "x", jobs=1)
    assert sum(played) == 1000 - partial.n == 1000 - results.kept
    assert left_by(tmp_path / "x") == expected
    assert not (tmp_path / "x" / ".lock").exists()


def test_progress_begins_with_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(2))
        with pytest.raises(runner.Interrupted):
            runner.run(request(300, 60), tmp_path, 1)
    told: list[tuple[int, int]] = []
    runner.run(request(300, 60), tmp_path, 1, lambda done, total: told.append((done, total)))
    assert told[0] == (120, 300)
    assert told[-1] == (300, 300)


def test_a_resumed_run_may_be_stopped_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = request(1000, 120)
    expected = uninterrupted(asked, tmp_path / "whole")
    for games in (120, 240, 360, 480):
        with monkeypatch.context() as patched:
            patched.setattr(crew, "play_block", stop_after(1))
            with pytest.raises(runner.Interrupted) as caught:
                runner.run(asked, tmp_path / "x", 1)
        assert caught.value.results is not None
        assert caught.value.results.n == analyzer.load(tmp_path / "x").n == games
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(0))
        with pytest.raises(runner.Interrupted) as caught:
            runner.run(asked, tmp_path / "x", 1)  # nothing new, and nothing lost
    assert caught.value.results is not None
    assert caught.value.results.n == 480
    runner.run(asked, tmp_path / "x", 1)
    assert left_by(tmp_path / "x") == expected


def test_a_finished_run_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = request(300, 70)
    expected = uninterrupted(asked, tmp_path / "x")
    seconds = json.loads((tmp_path / "x" / "run.json").read_text())["wall_seconds"]
    monkeypatch.setattr(crew, "play_block", None)
    results = runner.run(asked, tmp_path / "x", 1)
    assert (results.kept, results.n, results.meta["kind"]) == (300, 300, "complete")
    assert results.meta["wall_seconds"] == seconds
    assert left_by(tmp_path / "x") == expected


def test_a_series_goes_on_setting_by_setting(
    dice_race: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(out: Path, **more: Any) -> Any:
        return analyzer.run(dice_race, "2-4", 100, policy="gambler", block=50, jobs=1, out=out, **more)

    play(tmp_path / "whole")
    monkeypatch.chdir(tmp_path)
    for blocks in (3, 2):
        with monkeypatch.context() as patched:
            patched.setattr(crew, "play_block", stop_after(blocks))
            with pytest.raises(runner.Interrupted):
                play(Path("x")) if blocks == 3 else analyzer.resume("x", jobs=1)
    played = count_games(monkeypatch)
    series = analyzer.resume("x", jobs=1)
    assert (sum(played), series.kept, series.meta["kind"]) == (50, 250, "complete")
    for folder in ("01-players-2", "02-players-3", "03-players-4"):
        assert left_by(Path("x", folder)) == left_by(Path("whole", folder))
    told, whole = (json.loads(Path(name, "series.json").read_text()) for name in ("x", "whole"))
    assert {**told, "wall_seconds": 0, "command": ""} == {**whole, "wall_seconds": 0, "command": ""}

    analyzer.resume("x", n=150, jobs=1)
    play(tmp_path / "more")
    analyzer.run(dice_race, "2-4", 150, policy="gambler", block=50, jobs=1, out="more")
    analyzer.run(dice_race, "2-4", 150, policy="gambler", block=50, jobs=1, out="new")
    for folder in ("01-players-2", "02-players-3", "03-players-4"):
        assert left_by(Path("x", folder)) == left_by(Path("new", folder)) == left_by(Path("more", folder))


def test_one_setting_of_a_series_goes_on_alone(dice_race: str, tmp_path: Path) -> None:
    analyzer.run(dice_race, "2,3", 100, jobs=1, out=tmp_path / "x")
    results = analyzer.resume(tmp_path / "x" / "01-players-2", n=150, jobs=1)
    assert (results.n, results.kept) == (150, 100)
    with pytest.raises(UserError, match="more than 100 games"):
        analyzer.resume(tmp_path / "x", jobs=1)
    assert analyzer.resume(tmp_path / "x", n=150, jobs=1).kept == 250


# ---------------------------------------------------------------- more games


@pytest.mark.parametrize(
    ("seats", "block"), [(SEATS, 70), (["gambler"] * 3, 120), (["random", "gambler"], 999)]
)
def test_games_can_be_added(tmp_path: Path, seats: list[str], block: int) -> None:
    for n in (1, 77, 150, 151, 420):
        results = runner.run(request(n, block, seats), tmp_path / "x", 1)
        assert results.n == n
        assert left_by(tmp_path / "x") == uninterrupted(request(n, block, seats), tmp_path / str(n))


def test_games_can_be_added_by_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", 25_000)  # as the workers have it
    monkeypatch.setattr(workers, "WORTH_START", 0.0)
    for n in (30_000, 75_000):
        runner.run(request(n, 40_000, ["gambler"] * 2), tmp_path / "x", 2)
    assert left_by(tmp_path / "x") == uninterrupted(request(75_000, 40_000, ["gambler"] * 2), tmp_path / "1")


def test_added_games_are_all_that_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where a file of games was not full: it is made anew of what it held and what is new."""
    runner.run(request(333, 120), tmp_path, 1)
    played = count_games(monkeypatch)
    runner.run(request(777, 120), tmp_path, 1)
    assert sum(played) == 777 - 333


def test_fewer_games_would_lose_some(tmp_path: Path) -> None:
    expected = uninterrupted(request(300, 70), tmp_path / "x")
    with pytest.raises(UserError, match="holds more than 299 games of this very run"):
        runner.run(request(299, 70), tmp_path / "x", 1)
    assert left_by(tmp_path / "x") == expected


def test_a_stopped_run_may_end_with_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(3))
        with pytest.raises(runner.Interrupted):
            runner.run(request(900, 100), tmp_path / "x", 1)
    analyzer.resume(tmp_path / "x", n=300, jobs=1)
    assert left_by(tmp_path / "x") == uninterrupted(request(300, 100), tmp_path / "whole")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("analyze run moscow --n 100 --seed 3", "analyze run moscow --seed 3 --n 250"),
        ("analyze run moscow --n=1e2 --set a='b c'", "analyze run moscow --set 'a=b c' --n 250"),
        ("analyze run moscow", "analyze run moscow --n 250"),
        ("analyzer.run('moscow', n=100, seed=1)", "analyzer.run('moscow', n=250, seed=1)"),
        ("something 'else", "something 'else"),
    ],
)
def test_the_command_shown_has_the_new_number(command: str, shown: str) -> None:
    from analyzer.sim.resume import with_n

    assert with_n(command, 250) == shown
    assert with_n(command, None) == command


# ---------------------------------------------------------------- damage


def flip(path: Path, place: float = 0.5) -> None:
    """Change one byte."""
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 0x55
    path.write_bytes(data)


def drop_line(path: Path, number: int) -> None:
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    path.write_bytes(b"".join(line + b"\n" for line in lines[:number] + lines[number + 1 :]))


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "a part has another byte": lambda folder: flip(folder / "games" / "part-000001-01.parquet"),
    "a part is missing": lambda folder: (folder / "games" / "part-000000-00.parquet").unlink(),
    "a part is empty": lambda folder: (folder / "games" / "part-000002-00.parquet").write_bytes(b""),
    "a part is another one": lambda folder: shutil.copy(
        folder / "games" / "part-000002-00.parquet", folder / "games" / "part-000001-00.parquet"
    ),
    "the journal has another byte": lambda folder: flip(folder / "journal.jsonl", 0.4),
    "the journal ends early": lambda folder: os.truncate(
        folder / "journal.jsonl", (folder / "journal.jsonl").stat().st_size - 20
    ),
    "the journal lacks a line": lambda folder: drop_line(folder / "journal.jsonl", 2),
    "the journal is missing": lambda folder: (folder / "journal.jsonl").unlink(),
    "the journal is nonsense": lambda folder: (folder / "journal.jsonl").write_bytes(os.urandom(999)),
    "all games are missing": lambda folder: shutil.rmtree(folder / "games"),
    "a tally is damaged": lambda folder: flip(folder / "tallies" / "turns.parquet"),
    "a tally is missing": lambda folder: (folder / "tallies" / "shares.parquet").unlink(),
    "drafts are left": lambda folder: [
        (folder / name).write_bytes(b"x")
        for name in (".run.json.77.tmp", "games/.part-000000-00.parquet.77.tmp", "tallies/.a.parquet.7.tmp")
    ],
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_is_damaged_is_found_and_played_again(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(500, 100)
    expected = uninterrupted(asked, tmp_path / "x")
    DAMAGE[what](tmp_path / "x")
    played = count_games(monkeypatch)
    runner.run(asked, tmp_path / "x", 1)
    assert left_by(tmp_path / "x") == expected
    games = sum(played)
    if what.startswith(("a tally", "drafts")):
        assert games == 0  # made anew of the journal
    elif "missing" not in what.removeprefix("a part") and "nonsense" not in what:
        assert games in (66, 67, 100)  # one piece
    assert not list((tmp_path / "x").rglob("*.tmp"))


def test_a_line_of_another_run_is_none_of_this_one(tmp_path: Path) -> None:
    runner.run(request(300, 100, seed=2), tmp_path / "other", 1)
    expected = uninterrupted(request(300, 100), tmp_path / "x")
    shutil.copy(tmp_path / "other" / "journal.jsonl", tmp_path / "x" / "journal.jsonl")
    results = runner.run(request(300, 100), tmp_path / "x", 1)
    assert results.kept == 0
    assert left_by(tmp_path / "x") == expected


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_history_ends_the_same(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Growing, stopping and damage in any order: at the end stands what one run would have left."""
    seats = data.draw(st.sampled_from([SEATS, ["gambler"] * 2, ["random", "gambler"]]))
    block = data.draw(st.integers(20, 160))
    folder, n = tmp_path_factory.mktemp("run"), 0
    for _ in range(data.draw(st.integers(1, 4))):
        n += data.draw(st.integers(0 if n else 1, 150))
        stop = data.draw(st.none() | st.integers(0, 3))
        with pytest.MonkeyPatch.context() as patched:
            if stop is not None:
                patched.setattr(crew, "play_block", stop_after(stop))
            with suppress(runner.Interrupted):
                runner.run(request(n, block, seats), folder, 1)
        there = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
        if there and data.draw(st.booleans()):
            path = data.draw(st.sampled_from(there))
            data.draw(st.sampled_from([Path.unlink, flip]))(path)
    runner.run(request(n, block, seats), folder, 1)
    whole = tmp_path_factory.mktemp("whole")
    assert left_by(folder) == uninterrupted(request(n, block, seats), whole)
    shutil.rmtree(folder), shutil.rmtree(whole)


# ---------------------------------------------------------------- what it was is read from the folder

MINE = "from tests.toy.policies import DicePolicy\n\n\nclass Mine(DicePolicy):\n    liking: float = 1.0\n\n"
MINE += "    def act(self, view, score):\n        score.bold += self.liking\n"


def test_a_policy_file_must_be_the_one_that_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "mine.py"
    source.write_text(MINE)
    asked = request(300, 100, [f"{source}:Mine:liking=-1", "random", "gambler"])
    runner.run(asked, tmp_path / "x", 1)
    analyzer.resume(tmp_path / "x", n=400, jobs=1)
    expected = request(400, 100, [f"{source}:Mine:liking=-1", "random", "gambler"])
    assert left_by(tmp_path / "x") == uninterrupted(expected, tmp_path / "whole")
    source.write_text("raise SystemExit('this must not be carried out')\n")
    with pytest.raises(UserError, match=r"mine\.py:Mine:liking=-1\.0' of .* is missing or was changed"):
        analyzer.resume(tmp_path / "x", n=500)
    source.unlink()
    with pytest.raises(UserError, match=r"is missing or was changed"):
        analyzer.resume(tmp_path / "x", n=500)
    source.write_text(MINE)
    assert analyzer.resume(tmp_path / "x", n=500, jobs=1).kept == 400


def test_a_policy_module_must_be_the_one_that_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_module.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    runner.run(request(300, 100, ["mine_module:Mine"] * 3), tmp_path / "x", 1)
    assert analyzer.resume(tmp_path / "x", n=400, jobs=1).kept == 300
    (tmp_path / "mine_module.py").write_text(MINE + "# another\n")
    with pytest.raises(UserError, match=r"mine_module:Mine' of .* is missing or was changed"):
        analyzer.resume(tmp_path / "x", n=500)


@pytest.mark.parametrize("place", ["inside", "relative"])
def test_code_that_comes_with_a_folder_is_not_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)
    runner.run(request(300, 100, ["mine.py:Mine"] * 3), Path("x"), 1)
    told = json.loads(Path("x/run.json").read_text())
    source = "mine.py"
    if place == "inside":
        shutil.copy("mine.py", "x/tables.py")
        source = str(Path("x/tables.py").absolute())
    told["policies"] = [f"{source}:Mine"] * 3
    Path("x/run.json").write_text(json.dumps(told))
    with pytest.raises(UserError, match="lies in no place of your own"):
        analyzer.resume("x", n=400)


def test_a_policy_made_in_a_program_cannot_be_found_again(tmp_path: Path) -> None:
    from tests.toy.policies import DicePolicy

    class Here(DicePolicy):
        def act(self, view: Any, score: Any) -> None:
            score.bold += 1

    asked = request(300, 100, [Here] * 3)
    runner.run(asked, tmp_path, 1)
    with pytest.raises(UserError, match="missing or was changed"):
        analyzer.resume(tmp_path)
    assert runner.run(request(400, 100, [Here] * 3), tmp_path, 1).kept == 300  # but by that program


def test_another_config_or_version_cannot_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner.run(request(100, 100), tmp_path / "x", 1)
    whole = (tmp_path / "x" / "run.json").read_text()
    told = json.loads(whole)
    told["config"]["goal"] = 31
    (tmp_path / "x" / "run.json").write_text(json.dumps(told))
    with pytest.raises(UserError, match="by other rules"):
        analyzer.resume(tmp_path / "x")
    (tmp_path / "x" / "run.json").write_text(whole)
    told = json.loads(whole)
    (tmp_path / "x" / "run.json").write_text(json.dumps({**told, "seed": told["seed"] + 1}))
    with pytest.raises(UserError, match="was changed since it was written"):
        analyzer.resume(tmp_path / "x")
    (tmp_path / "x" / "run.json").write_text(whole)
    monkeypatch.setattr(analyzer, "__version__", "99.0")
    with pytest.raises(
        UserError, match=rf"was played by version {told['versions']['analyzer']} of the program"
    ):
        analyzer.resume(tmp_path / "x")
    with pytest.raises(UserError, match="There is no folder"):
        analyzer.resume(tmp_path / "nowhere")


def test_a_policy_that_fails_later_leaves_what_was_there(tmp_path: Path) -> None:
    """A run that began here is removed; one that went on stays as it was."""
    source = tmp_path / "late.py"
    source.write_text(
        "from tests.toy.policies import DicePolicy\n\n\nclass Late(DicePolicy):\n"
        "    def act(self, view, score):\n        assert len(view.mine) < 80\n"
    )

    def asked(n: int) -> Request:
        return request(n, 100, [f"{source}:Late"] * 3)

    with pytest.raises(PolicyError, match="AssertionError"):
        runner.run(asked(150), tmp_path / "new", 1)
    assert not (tmp_path / "new").exists()
    runner.run(asked(70), tmp_path / "x", 1)
    with pytest.raises(PolicyError, match="AssertionError"):
        runner.run(asked(190), tmp_path / "x", 1)
    assert runner.run(asked(100), tmp_path / "x", 1).kept == 100  # the first 30 of the 120 more went well


# ---------------------------------------------------------------- the command line


def analyze(*words: str) -> Any:
    return CliRunner().invoke(cli.main, list(words))


MOSCOW = ["run", "moscow", "--players", "2", "--policies", "balanced,racer", "--jobs", "1", "--no-plots"]


def test_the_default_folder_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for n, said in (
        (60, "60 games played in"),
        (60, "Nothing was played: 60 games were there already."),
        (90, "30 games played in"),
        (20, "20 games played in"),  # in a folder of its own
    ):
        result = analyze(*MOSCOW, "--n", str(n))
        assert result.exit_code == 0, result.output
        assert said in result.output
    first, second = sorted(path.name for path in Path("reports").iterdir())
    assert second == f"{first}-n20"
    analyze(*MOSCOW, "--n", "90", "--out", "whole")
    assert left_by(Path("reports", first)) == left_by(Path("whole"))
    for path in Path("whole/tables").iterdir():
        assert path.read_bytes() == Path("reports", first, "tables", path.name).read_bytes()
    told = analyze("resume", f"reports/{first}", "whole", "--n", "100", "--jobs", "1", "--no-plots", "--json")
    assert told.exit_code == 0
    assert told.output.count('"kept": 90') == 2


@pytest.mark.parametrize(
    "words",
    [
        ["run", "moscow", "--config", "mine.yaml", "--n", "20"],
        pytest.param(["run", "undaunted", "--scenario", "2", "--n", "4"], marks=pytest.mark.slow),
        pytest.param(["run", "eastfront", "--n", "4", "--policy", "random"], marks=pytest.mark.slow),
        pytest.param(["run", "kraskar", "--n", "4", "--policy", "random"], marks=pytest.mark.slow),
    ],
)
def test_the_config_of_a_saved_run_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A scenario of a game, a user's file that says more of a setting: run.json stays the same."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(
        "game: moscow\nmoscow_strength: {value: 14, mark: A, range: [9, 30], about: as we play it}\n"
    )
    assert analyze(*words, "--jobs", "1", "--no-plots", "--out", "x").exit_code == 0
    before = left_by(Path("x"))
    (Path("x") / "games" / "part-000000-00.parquet").unlink()
    result = analyze("resume", "x", "--jobs", "1", "--no-plots")
    assert result.exit_code == 0, result.output
    assert left_by(Path("x")) == before


def test_a_stopped_run_tells_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(2))
        result = analyze(*MOSCOW, "--n", "60", "--block", "10", "--out", "my run")
    assert result.exit_code == 130
    said = "The 20 games finished so far are in my run (marked partial); go on with: analyze resume 'my run'"
    assert said in result.stderr
    assert analyze("resume", "my run", "--jobs", "1", "--no-plots").exit_code == 0
    assert analyzer.load("my run").n == 60


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["resume"], "Missing argument 'FOLDER...'"),
        (["resume", "nowhere"], "There is no folder nowhere."),
        (["resume", "."], "is not the folder of a run: it holds no run.json"),
        (["resume", "x", "--n", "0"], "whole number from 1"),
        (["resume", ""], "is the name of no folder"),
    ],
)
def test_bad_input_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = analyze(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_help_says_that_runs_go_on() -> None:
    assert "goes on when the same command is given again" in " ".join(analyze("run", "--help").output.split())
    told = analyze("resume", "--help").output
    assert "analyze resume my_run --n 2e6" in told
    assert "resume" in analyze("--help").output


def test_a_run_that_is_killed_has_told_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def play(job: crew.Job, block: Any) -> crew.Done:
        told.append(json.loads((tmp_path / "x" / "run.json").read_text())["command"])
        raise KeyboardInterrupt

    monkeypatch.setattr(crew, "play_block", play)
    with pytest.raises(runner.Interrupted):
        runner.run(request(), tmp_path / "x", 1, command="analyze run it")
    assert told == ["analyze run it"]
