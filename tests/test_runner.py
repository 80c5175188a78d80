"""The runner: workers, block order and n change nothing in any game; parts, folders, failures, stops."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer.errors import PolicyError, UserError
from analyzer.sim import crew, parts, runner, workers
from analyzer.sim.request import Request, build
from analyzer.sim.seating import Block
from tests.test_pile import pile_of
from tests.toy.config import toy_config

ROOT = Path(__file__).parents[1]
SEATS = ["random", "gambler", "gambler:patience=6"]


def request(n: int = 1000, block: int = 128, seats: Any = SEATS, **more: Any) -> Request:
    return build("dice_race", len(seats), n, list(seats), block=block, config=toy_config(), **more)


@pytest.fixture(autouse=True)
def _known(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTH_START", 0.0)  # workers help even with the shortest run


def files(folder: Path) -> dict[str, str]:
    """Digest of every data file of a run's folder."""
    found = sorted(path for path in folder.rglob("*.parquet"))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


# ---------------------------------------------------------------- what does not matter


def test_one_process_or_several_write_the_same_bytes(tmp_path: Path) -> None:
    for jobs in (1, 2, 3):
        runner.run(request(), tmp_path / str(jobs), jobs)
    assert len(files(tmp_path / "1")) > 5
    assert files(tmp_path / "1") == files(tmp_path / "2") == files(tmp_path / "3")


def test_workers_do_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, the test above would prove nothing: with two jobs, other processes play blocks, too."""
    here: list[int] = []
    really = crew.play_block

    def slow(job: crew.Job, block: Block) -> crew.Done:
        here.append(block.number)
        time.sleep(0.2)
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", slow)
    asked = request(3000, 100)
    job = crew.Job(asked, None)
    team = crew.Crew(pile_of(asked.blocks(), 2, job), workers.Loky())
    played = [done.block.number for _, done in team.play()]
    assert sorted(played) == [block.number for block in asked.blocks()]
    assert 0 < len(here) < len(played)


def test_blocks_are_shared_out_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many blocks as processes: nobody gets two, so that the caller plays as long as its helpers."""
    here: list[int] = []
    really = crew.play_block

    def noted(job: crew.Job, block: Block) -> crew.Done:
        here.append(block.number)
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", noted)
    monkeypatch.setattr(workers, "FIRST_GUESS", 1.0)
    asked = request(3 * 128, 128)
    job = crew.Job(asked, None)
    team = crew.Crew(pile_of(asked.blocks(), 3, job), workers.Loky())
    assert len(team.left) == 3
    assert len(list(team.play())) == 3
    assert len(here) == 1


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_blocks_adds_up_to_the_same(seed: int) -> None:
    asked = request()
    job, blocks = crew.Job(asked, None), asked.blocks()
    sums = []
    for order in (np.arange(len(blocks)), np.random.default_rng(seed).permutation(len(blocks))):
        total = runner.Sum(len(asked.rotations))
        for place in order:
            total.add(crew.play_block(job, blocks[place]))
        sums.append(total)
    assert sums[0].games == sums[1].games == 1000
    for name, tally in sums[0].tallies.items():
        assert np.array_equal(tally.counts, sums[1].tallies[name].counts), name
    frames = [pd.DataFrame(parts.as_frame_columns(total.columns, {})) for total in sums]
    pd.testing.assert_frame_equal(*frames)


@pytest.mark.parametrize(
    ("seats", "block"), [(SEATS, 64), (["gambler"] * 3, 50), (["random", "gambler"] * 2, 70)]
)
def test_a_game_is_the_same_whatever_n_is(seats: list[str], block: int) -> None:
    long = runner.run(request(700, block, seats), jobs=1).games
    for n in (1, 2, 3, 49, 64, 65, 341):
        short = runner.run(request(n, block, seats), jobs=1).games
        pd.testing.assert_frame_equal(short, long.head(n))


def test_more_workers_than_blocks() -> None:
    asked = request(5, 2)
    pd.testing.assert_frame_equal(runner.run(asked, jobs=8).games, runner.run(asked, jobs=1).games)


# ---------------------------------------------------------------- what comes out


def test_tallies_agree_with_games(tmp_path: Path) -> None:
    results = runner.run(request(999), tmp_path / "run", 1)
    games = results.games
    assert games["game"].tolist() == sorted(games["game"]) or len(games) == 999
    assert set(games["game"]) == set(range(999))
    assert (games["rotation"] == games["game"] % 3).all()
    shares = results.tallies["shares"]
    for rotation in range(3):
        own = games[games["rotation"] == rotation]
        for seat in (1, 2, 3):
            counted = shares[(shares["rotation"] == rotation) & (shares["seat"] == seat)]["n"].sum()
            assert counted == (own["winner"] == seat).sum()
    assert results.tallies["games"]["n"].tolist() == [333, 333, 333]


def test_the_games_frame(tmp_path: Path) -> None:
    kept = runner.run(request(300, 128), tmp_path / "run", 1).games.sort_values("game").reset_index(drop=True)
    memory = runner.run(request(300, 128), jobs=1).games
    names = ["game", "rotation", "winner", "end", "turns", "rounds", "steps_1", "steps_2", "steps_3"]
    assert list(kept.columns) == list(memory.columns) == names
    for frame in (kept, memory):
        assert str(frame["end"].dtype) == "category"
        assert set(frame["end"].unique()) <= {"finish", "time ran out"}
        assert frame["game"].dtype == np.int64
        assert all(frame[name].dtype == np.uint8 for name in names if name not in ("game", "end"))
    kept["end"], memory["end"] = kept["end"].astype(str), memory["end"].astype(str)
    pd.testing.assert_frame_equal(kept, memory)


def test_a_long_run_without_a_folder_lives_in_a_temporary_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MEMORY_GAMES", 100)
    results = runner.run(request(101), jobs=1)
    folder = results.folder
    assert folder is not None
    assert len(results.games) == 101
    del results
    assert not folder.exists()


def test_meta_tells_what_was_run() -> None:
    meta = runner.run(request(10, seed=5), jobs=1, command="this").meta
    assert (meta["game"], meta["players"], meta["n"], meta["seed"], meta["block"]) == (
        "dice_race",
        3,
        10,
        5,
        128,
    )
    assert meta["policies"] == SEATS
    assert meta["rotations"] == [[SEATS[(seat + r) % 3] for seat in range(3)] for r in range(3)]
    assert (meta["kind"], meta["command"]) == ("complete", "this")
    assert meta["config"]["goal"] == 30


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    runner.run(request(300, 128), jobs=1, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (300, 300)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_the_key_holds_all_that_determines_a_result(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    source = "from tests.toy.policies import DicePolicy\nclass P(DicePolicy):\n    pass\n"
    path.write_text(source)
    keys = [request().key, request(seed=2).key, request(block=127).key]
    keys += [request(seats=["random"] * 3).key, request(seats=["random"] * 4).key]
    keys += [request(seats=[f"{path}:P"] * 3).key]
    keys += [build("dice_race", 3, 1000, SEATS, block=128, config=toy_config(["goal=31"])).key]
    path.write_text(source + "    # another\n")
    keys += [request(seats=[f"{path}:P"] * 3).key]
    assert len(set(keys)) == len(keys)
    assert request().key == request(1001).key == keys[0]  # a longer run begins with the same games


# ---------------------------------------------------------------- policies from elsewhere, in workers


def test_a_policy_file_plays_in_workers(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from tests.toy.policies import DicePolicy\n\n\nclass Mine(DicePolicy):\n    liking: float = 1.0\n\n"
        "    def act(self, view, score):\n        score.bold += self.liking\n"
    )
    asked = request(seats=[f"{path}:Mine:liking=-1", "random", "gambler"])
    one, two = runner.run(asked, tmp_path / "1", 1), runner.run(asked, tmp_path / "2", 2)
    assert files(tmp_path / "1") == files(tmp_path / "2")
    bold = one.tallies["actions"].query("action == 'bold'")
    played_by_mine = {(r, s + 1) for r in range(3) for s in range(3) if (s + r) % 3 == 0}
    assert not played_by_mine & set(zip(bold["rotation"], bold["seat"], strict=True))
    assert two.meta["rotations"][0] == ["Mine:liking=-1.0", "random", "gambler"]


def test_an_object_of_the_callers_plays_in_workers() -> None:
    from tests.toy.policies import DicePolicy

    class Here(DicePolicy):
        liking: int = 1

        def act(self, view: Any, score: Any) -> None:
            score.bold += self.liking

    asked = request(seats=[Here] * 3)
    pd.testing.assert_frame_equal(runner.run(asked, jobs=1).games, _sorted(runner.run(asked, jobs=2).games))


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values("game").reset_index(drop=True)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "raise ValueError('no idea')",
            r"Bad \(seat [123]\) raised ValueError: no idea \(bad.py, line 7: raise ValueError",
        ),
        ("return np.full(len(view.mine), 7)", r"chose an illegal answer: 7"),
        ("return np.zeros(3, int)", r"an array of whole numbers of shape"),
        ("score.bold += np.nan", r"not a finite number"),
        ("score.bald += 1", r"no block 'bald' of scores here; there are: safe, bold"),
    ],
)
def test_a_policy_that_breaks_its_contract_stops_the_run(
    tmp_path: Path, jobs: int, body: str, said: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "import numpy as np\nfrom tests.toy.policies import DicePolicy\n\n\nclass Bad(DicePolicy):\n"
        f"    def act(self, view, score):\n        {body}\n"
    )
    with pytest.raises(PolicyError, match=said) as caught:
        runner.run(request(seats=["random", "gambler", f"{path}:Bad"]), tmp_path / "out", jobs)
    assert "decision 'act'" in str(caught.value)
    assert "game " in str(caught.value)
    assert not (tmp_path / "out").exists()


# ---------------------------------------------------------------- numbers and folders


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("n", 0),
        ("n", -5),
        ("n", 10**12),
        ("block", 0),
        ("block", 10**9),
        ("seed", -1),
        ("n", 1.5),
        ("n", True),
    ],
)
def test_numbers_out_of_range_are_refused(what: str, value: Any) -> None:
    with pytest.raises(UserError, match=f"{what} must be"):
        build("dice_race", 3, config=toy_config(), **{what: value})  # type: ignore[arg-type]


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(UserError, match="block: at least"):
        request(10**9, 1)


@pytest.mark.parametrize("jobs", [0, -1, 10**6])
def test_jobs_out_of_range_are_refused(jobs: int) -> None:
    with pytest.raises(UserError, match="jobs must be"):
        runner.run(request(), jobs=jobs)


def test_the_number_of_policies_must_fit() -> None:
    with pytest.raises(UserError, match="give 1 or 2 or 4"):
        build("dice_race", 4, policies=SEATS, config=toy_config())
    assert build("dice_race", policies=SEATS, config=toy_config()).players == 3
    two = build("dice_race", 4, policies="random,gambler", config=toy_config())
    assert (two.labels, len(two.rotations)) == (["random", "gambler"] * 2, 2)
    with pytest.raises(UserError, match="not both"):
        build("dice_race", policies="random", policy="random", config=toy_config())


def test_different_policies_of_one_name_keep_different_labels(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(
            "from tests.toy.policies import DicePolicy as D\nclass P(D): ...\n"
        )
    asked = request(seats=[f"{tmp_path}/a.py:P", f"{tmp_path}/b.py:P", "random"])
    assert len(set(asked.labels)) == 3


def test_the_same_run_again_leaves_the_same_files(tmp_path: Path) -> None:
    runner.run(request(), tmp_path / "x", 1)
    first = files(tmp_path / "x")
    runner.run(request(), tmp_path / "x", 1)
    assert files(tmp_path / "x") == first


@pytest.mark.parametrize("content", ["file", "other run", "something", "run and more"])
def test_a_folder_that_holds_something_else_is_refused_before_play(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "x"
    if content == "file":
        folder.write_text("mine")
    elif content == "something":
        folder.mkdir()
        (folder / "thesis.txt").write_text("mine")
    else:
        runner.run(request(seed=9 if content == "other run" else 1), folder, 1)
        if content == "run and more":
            (folder / "thesis.txt").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(crew, "play_block", None)  # nothing may be played
    with pytest.raises(UserError, match=r"holds|is a file"):
        runner.run(request(), folder, 1)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        runner.run(request(), tmp_path / "file" / "x", 1)


def test_a_link_to_nowhere_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(UserError, match=r"is a link to .*gone, which is not there"):
        runner.run(request(), tmp_path / "link", 1)
    (tmp_path / "gone").mkdir()
    assert runner.run(request(10), tmp_path / "link", 1).n == 10


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir(mode=0o500)
    with pytest.raises(UserError, match="cannot be written"):
        runner.run(request(), tmp_path / "x", 1)


# ---------------------------------------------------------------- stopping


def test_an_interrupted_run_keeps_what_was_finished(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 384:
            raise KeyboardInterrupt

    with pytest.raises(runner.Interrupted) as caught:
        runner.run(request(), tmp_path / "x", 1, stop)
    results = caught.value.results
    assert results is not None
    assert results.n == len(results.games) == 384
    told = json.loads((tmp_path / "x" / "run.json").read_text())
    assert (told["kind"], told["n"]) == ("partial", 1000)
    assert analyzer.load(tmp_path / "x").n == 384


def test_ctrl_c_in_the_middle_of_adding_up_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = runner.Tally.__post_init__

    def press(self: runner.Tally) -> None:
        add(self)
        if "rotation" in self.axes:  # the sum's own tally, made while the first block is being added
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(runner.Tally, "__post_init__", press)
    with pytest.raises(runner.Interrupted) as caught:
        runner.run(request(), tmp_path / "x", 1)
    results = caught.value.results
    assert results is not None
    assert results.n == 128
    assert results.tallies["turns"]["n"].sum() == len(results.games) == 128
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_run_interrupted_before_anything_was_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(job: crew.Job, block: Block) -> crew.Done:
        raise KeyboardInterrupt

    monkeypatch.setattr(crew, "play_block", stop)
    with pytest.raises(runner.Interrupted) as caught:
        runner.run(request(), tmp_path / "x", 1)
    assert caught.value.results is None
    assert not (tmp_path / "x").exists()


def test_ctrl_c_in_the_middle_of_an_import_is_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries in C make an ImportError of it."""
    really, played = crew.play_block, []

    def stop(job: crew.Job, block: Block) -> crew.Done:
        if len(played) == 2:
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            raise ImportError("initialization failed")
        played.append(block)
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", stop)
    with pytest.raises(runner.Interrupted) as caught:
        runner.run(request(), tmp_path / "x", 1)
    assert caught.value.results is not None
    assert caught.value.results.n == sum(block.games for block in played)

    def broken(job: crew.Job, block: Block) -> crew.Done:
        raise ImportError("no such library")

    monkeypatch.setattr(crew, "play_block", broken)
    with pytest.raises(ImportError, match="no such library"):
        runner.run(request(), tmp_path / "y", 1)


SCRIPT = """
import sys
from pathlib import Path
from analyzer import registry
from analyzer.sim import runner, workers
from analyzer.sim.request import build
from tests.toy.config import toy_config

registry.register_room(registry.Room("dice_race", "tests.toy"))
workers.WORTH_START = 0.0
if sys.argv[2] == "loky":
    workers.may_copy = lambda: False
asked = build("dice_race", 3, 10**7, ["gambler"] * 3, block=1024, config=toy_config())
try:
    runner.run(asked, Path(sys.argv[1]), 2, lambda done, total: print(done, flush=True))
except runner.Interrupted as stop:
    print("kept", stop.results.n)
    sys.exit(130)
"""


@pytest.mark.parametrize("who", ["copies", "loky"])
def test_ctrl_c_stops_workers_too(tmp_path: Path, who: str) -> None:
    """As a terminal sends it: the signal reaches the whole group of processes."""
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "x"), who],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    while int(child.stdout.readline()) < 15 * 1024:
        pass
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    kept = int(out.rpartition("kept ")[2])
    assert sum(pd.read_parquet(path).shape[0] for path in (tmp_path / "x" / "games").iterdir()) == kept


def test_dismissed_workers_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "SHORT", 0)
    monkeypatch.setattr(workers, "FIRST_GUESS", 1.0)
    monkeypatch.setattr(workers, "may_copy", lambda: False)
    expected = runner.run(request(300, 64), jobs=1).games
    runner.run(request(300, 64), jobs=2)
    processes = list(workers._standing["pool"]._processes)
    assert processes
    workers.dismiss()
    until = time.monotonic() + 20
    while any(alive(process) for process in processes):
        assert time.monotonic() < until, "a dismissed worker goes on"
        time.sleep(0.05)
    workers.dismiss()  # nobody is there any more
    pd.testing.assert_frame_equal(runner.run(request(300, 64), jobs=2).games, expected)  # new ones come


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_whole_numbers_may_be_written_as_floats() -> None:
    one, other = (
        request(3, 2),
        dataclasses.replace(request(3, 2), n=3.0, block=np.int64(2), seed=np.float64(1)),
    )  # type: ignore[arg-type]
    assert (other.n, other.block) == (one.n, one.block)
    assert all(type(number) is int for number in (other.n, other.block, other.seed))
    for wrong in (1.5, float("nan"), float("inf"), True, "3", 0.0):
        with pytest.raises(UserError, match="n must be"):
            dataclasses.replace(one, n=wrong)  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(runner.run(one, jobs=1).games, runner.run(one, jobs=1.0).games)  # type: ignore[arg-type]
