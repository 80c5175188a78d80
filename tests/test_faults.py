"""Runs that something happens to: killed, out of room, not allowed to write, two into one folder at once."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer import disk
from analyzer.errors import DiskError, UserError
from analyzer.sim import crew, parts, runner
from tests.test_resume import left_by, uninterrupted
from tests.test_runner import request

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _known(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", 50)  # games in a file


# ---------------------------------------------------------------- killed

KILLS = """
import os, random, signal, sys, time
from pathlib import Path
from analyzer import registry
from analyzer.sim import crew, runner, workers
from analyzer.sim.request import build
from tests.test_resume import left_by
from tests.toy.config import toy_config

registry.register_room(registry.Room("dice_race", "tests.toy"))
home, kills, seed, who = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
if who != "short":
    crew.SHORT, workers.WORTH_START = 0, 0.0
if who == "loky":
    workers.may_copy = lambda: False
seats = ["random", "gambler", "gambler:patience=6"]
asked = build("dice_race", 3, 40_000, seats, block=1500, config=toy_config())
since = time.monotonic()
runner.run(asked, home / "whole", 1)
took = time.monotonic() - since
expected = left_by(home / "whole")
rng = random.Random(seed)
fewer = 0
for kill in range(kills):
    folder = home / f"x{kill}"
    child = os.fork()
    if child == 0:
        os.setsid()
        runner.run(asked, folder, 2)
        os._exit(0)
    time.sleep(rng.uniform(0, took + (who == "loky")))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    results = runner.run(asked, folder, 1 + kill % 2)
    assert left_by(folder) == expected, kill
    assert not (folder / ".lock").exists(), kill
    assert not list(folder.rglob("*.tmp")), kill
    fewer += 0 < results.kept < asked.n
    print(kill, results.kept, flush=True)
    del results
    workers.dismiss()
print("stopped in the middle:", fewer)
"""


def kill_many(home: Path, kills: int, seed: int, who: str) -> int:
    """Kill runs at random moments, resume each, compare; how many were in the middle."""
    child = subprocess.run(
        [sys.executable, "-c", KILLS, str(home), str(kills), str(seed), who],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert child.returncode == 0, child.stdout + child.stderr
    return int(child.stdout.rpartition(":")[2])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes copies")
@pytest.mark.parametrize(("kills", "who"), [(5, "short"), (3, "copies")])
def test_a_killed_run_goes_on(tmp_path: Path, kills: int, who: str) -> None:
    assert kill_many(tmp_path, kills, 1, who) > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes copies")
@pytest.mark.parametrize("who", ["short", "copies", "loky"])
def test_fifty_killed_runs_go_on(tmp_path: Path, who: str) -> None:
    assert kill_many(tmp_path, 50, 2, who) > 10


# ---------------------------------------------------------------- disk full, no right to write


def full_after(monkeypatch: pytest.MonkeyPatch, files: int) -> None:
    """From now on there is room for so many files, and no more."""
    really, written = os.replace, []

    def replace(draft: Any, path: Any) -> None:
        if len(written) >= files:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        really(draft, path)

    monkeypatch.setattr(os, "replace", replace)


@pytest.mark.parametrize("files", [1, 2, 3, 13, 14])
def test_a_full_disk_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    """One after the other: run.json, 12 parts, the tallies, run.json."""
    asked = request(500, 100)
    with monkeypatch.context() as patched:
        full_after(patched, files)
        with pytest.raises(DiskError, match=r"^[^\n]* No space left on device[^\n]*$") as caught:
            runner.run(asked, tmp_path / "x", 1)
    if files > 2:  # so many for the first piece
        told = f"go on with: analyze resume {tmp_path / 'x'}"
        assert told in str(caught.value)
        assert caught.value.games > 0
        with pytest.raises(UserError, match="not finished; go on with"):
            analyzer.load(tmp_path / "x")
    results = runner.run(asked, tmp_path / "x", 1)
    assert (results.kept > 0) == (files > 2)
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "whole")


def test_a_full_disk_under_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of which only a part was written is none, and the next one stands for itself."""
    asked, really = request(500, 100), os.write

    def write(file: int, data: Any) -> int:
        return really(file, data[:100]) if len(data) > 200 else really(file, data)

    runner.run(request(100, 100), tmp_path / "x", 1)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        with pytest.raises(DiskError, match=r"No space left on device\. The 66 games .* kept"):
            runner.run(asked, tmp_path / "x", 1)  # the file of the other 34 was already written with more
    assert runner.run(asked, tmp_path / "x", 1).kept == 66
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "whole")


def test_a_full_disk_in_a_series(dice_race: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play() -> Any:
        return analyzer.run(dice_race, "2-4", 100, block=50, jobs=1, out=tmp_path / "x")

    with monkeypatch.context() as patched:
        full_after(patched, 20)
        with pytest.raises(DiskError, match=f"are kept; .* analyze resume {tmp_path / 'x'}$"):
            play()
    assert play().kept > 0
    assert analyzer.load_series(tmp_path / "x").n == 300


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to mount")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    size = ["-o", "size=200k"]
    if subprocess.run(["mount", "-t", "tmpfs", *size, "none", str(tmp_path / "small")]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        out = tmp_path / "small" / "x"
        with pytest.raises(DiskError, match="No space left on device") as caught:
            runner.run(request(6_000, 1000), out, 1)
        assert caught.value.games > 0
        shutil.copytree(out, tmp_path / "roomy")
    finally:
        subprocess.run(["umount", str(tmp_path / "small")], check=True)
    assert runner.run(request(6_000, 1000), tmp_path / "roomy", 1).kept == caught.value.games


NOBODY = """
import os, sys
from pathlib import Path
from analyzer import registry
from analyzer.errors import UserError
from analyzer.sim import runner
from tests.test_runner import request
registry.register_room(registry.Room("dice_race", "tests.toy"))
first, *others = sys.argv[1:]
runner.run(request(10, 100), Path(first), 1)  # everything is imported: nobody else may read it
os.setegid(65534), os.seteuid(65534)
for out in others:
    try:
        runner.run(request(200, 100), Path(out), 1)
    except UserError as error:
        print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="changes who the process is")
def test_folders_that_are_read_only_are_refused_in_one_line(tmp_path: Path) -> None:
    """Another user's: a finished run, a stopped one, and a folder to make one in."""
    (tmp_path / "none").mkdir()
    expected = uninterrupted(request(200, 100), tmp_path / "finished")
    runner.run(request(100, 100), tmp_path / "shorter", 1)
    first = tmp_path / "first"
    before = sorted(tmp_path.rglob("*"))
    for path in [*tmp_path.parents][:4]:
        path.chmod(path.stat().st_mode | 0o055)
    folders = [tmp_path / "finished", tmp_path / "shorter", tmp_path / "none" / "new", tmp_path / "none"]
    child = subprocess.run(
        [sys.executable, "-c", NOBODY, str(first), *map(str, folders)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    shutil.rmtree(first)
    assert lines == [f"The folder {folder} cannot be written: Permission denied." for folder in folders]
    assert sorted(tmp_path.rglob("*")) == before
    assert left_by(tmp_path / "finished") == expected


# ---------------------------------------------------------------- two at once

HOLDER = """
import sys, time
from pathlib import Path
from analyzer import registry
from analyzer.sim import parts, runner
from tests.test_runner import request
registry.register_room(registry.Room("dice_race", "tests.toy"))
parts.PART = 50
def told(done, total):
    print(done, flush=True)
    time.sleep(100)
runner.run(request(300, 100), Path(sys.argv[1]), 1, told)
"""


def test_a_second_run_into_a_folder_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    expected = uninterrupted(request(300, 100), tmp_path / "whole")
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "x")], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "100\n"
        for _ in range(2):
            with pytest.raises(
                UserError, match=rf"^\S+ is in use by another run \(process {child.pid}\); wait"
            ):
                runner.run(request(300, 100), tmp_path / "x", 1)
            with pytest.raises(UserError, match="is in use by another run"):
                analyzer.resume(tmp_path / "x")
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    results = runner.run(request(300, 100), tmp_path / "x", 1)
    assert results.kept == 100
    assert left_by(tmp_path / "x") == expected


def test_a_setting_is_refused_while_its_series_goes_on(dice_race: str, tmp_path: Path) -> None:
    seen = []

    def told(done: int, total: int) -> None:
        if done == 200:
            with pytest.raises(UserError, match=r"x is in use by another run") as caught:
                analyzer.resume(tmp_path / "x" / "01-players-2", n=500)
            seen.append(caught.value)

    analyzer.run(dice_race, "2,3", 100, block=50, jobs=1, out=tmp_path / "x", progress=told)
    assert seen
    assert analyzer.resume(tmp_path / "x" / "01-players-2", n=500, jobs=1).n == 500


def test_a_copy_of_a_process_does_not_hold_its_lock(tmp_path: Path) -> None:
    """Copies that play may live a moment longer than the process that was killed."""
    held = disk.hold(tmp_path)
    into, told = os.pipe()
    if (child := os.fork()) == 0:
        os.read(into, 1)
        os._exit(0)
    held.release()
    disk.hold(tmp_path).release()
    os.write(told, b"x")
    os.waitpid(child, 0)
    os.close(into), os.close(told)


def test_a_lock_that_is_released_while_it_is_being_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is removed between opening and locking: what was locked is no longer in the folder."""
    held, really = disk.hold(tmp_path), disk._lock
    tried = []

    def lock(file: int) -> None:
        if not tried:
            tried.append(file)
            held.release()
        really(file)

    monkeypatch.setattr(disk, "_lock", lock)
    found = disk.hold(tmp_path)
    assert disk.owner_of(tmp_path / disk.LOCK) == found.token
    with pytest.raises(UserError, match="in use"):
        disk.hold(tmp_path)
    found.release()


def test_a_process_whose_run_is_no_longer_going_on_writes_nothing(tmp_path: Path) -> None:
    """A worker outlives a killed run for a moment, when another one may go on with it."""
    asked = request(100, 100)
    (tmp_path / parts.GAMES).mkdir()
    held = disk.hold(tmp_path)
    job = crew.Job(asked, tmp_path, (held.path, held.token))
    crew.play_block(job, asked.blocks()[0])
    held.release()
    before = sorted(tmp_path.rglob("*"))
    for _ in range(2):
        with pytest.raises(UserError, match="no longer going on"):
            crew.play_block(job, asked.blocks()[1])
        other = disk.hold(tmp_path)
        with pytest.raises(UserError, match="no longer going on"):
            crew.play_block(job, asked.blocks()[1])
        other.release()
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("players", ["2", "2,3"])
def test_a_second_run_is_refused_until_the_first_has_written_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: str
) -> None:
    from click.testing import CliRunner

    from analyzer import cli
    from analyzer.report import build

    words = [
        "run",
        "moscow",
        "--players",
        players,
        "--n",
        "20",
        "--jobs",
        "1",
        "--no-plots",
        "--out",
        str(tmp_path / "x"),
    ]
    second, really = [], build.write_whole

    def write(path: Path, *more: Any, **how: Any) -> None:
        if path == tmp_path / "x" / "report.html":
            second.append(
                subprocess.run(
                    [sys.executable, "-m", "analyzer.cli", *words],
                    cwd=ROOT,
                    capture_output=True,
                    text=True,
                    check=False,
                )
            )
        really(path, *more, **how)

    monkeypatch.setattr(build, "write_whole", write)
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    assert [one.returncode for one in second] == [2]
    assert f"x is in use by another run (process {os.getpid()}); wait" in second[0].stderr
    assert not (tmp_path / "x" / ".lock").exists()
    assert not disk._held
    disk.hold(tmp_path / "x").release()


def test_what_is_kept_can_be_taken_up_by_this_process_alone_and_once(tmp_path: Path) -> None:
    with disk.keeping():
        held = disk.hold(tmp_path)
        with pytest.raises(UserError, match="in use"):  # it is not released yet
            disk.hold(tmp_path)
        held.release()
        held.release()
        assert (tmp_path / ".lock").exists()
        assert disk.hold(tmp_path) is held
        with pytest.raises(UserError, match="in use"):
            disk.hold(tmp_path)
        held.release()
    assert not (tmp_path / ".lock").exists()
    with suppress(RuntimeError), disk.keeping():
        disk.hold(tmp_path).release()
        raise RuntimeError
    assert not (tmp_path / ".lock").exists()


# ---------------------------------------------------------------- damage that only a digest shows


def test_a_report_is_not_made_of_games_that_changed(tmp_path: Path) -> None:
    from analyzer.report import again

    runner.run(request(300, 100), tmp_path / "x", 1)
    assert again.load(tmp_path / "x").meta["n"] == 300
    part = sorted((tmp_path / "x" / "games").iterdir())[1]
    data = bytearray(part.read_bytes())
    data[len(data) // 3] ^= 0x55
    part.write_bytes(data)
    with pytest.raises(UserError, match=rf"{part.name} changed since it was written"):
        again.load(tmp_path / "x")
    runner.run(request(300, 100), tmp_path / "x", 1)
    again.load(tmp_path / "x")
