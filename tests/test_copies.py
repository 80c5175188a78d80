"""Work shared with forked copies: everything is done once, whoever fails, whatever is pressed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer import copies
from analyzer.copies import share
from tests.test_series import files

HERE = os.getpid()
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes copies")


@pytest.fixture(autouse=True)
def _copies_may_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runner has threads of its own, which the work here knows nothing of."""
    monkeypatch.setattr(copies, "may_copy", lambda: True)


def no_child_left() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return True


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


@pytest.mark.parametrize(("count", "helpers"), [(0, 1), (1, 3), (2, 1), (7, 1), (9, 3), (3, 8)])
def test_everything_is_done_once(count: int, helpers: int) -> None:
    found = list(share(square, range(count), helpers))
    assert sorted(item for item, _ in found) == list(range(count))
    assert all(result == item * item for item, (result, _) in found)
    assert no_child_left()


def test_copies_work_while_this_process_does_something_else(tmp_path: Path) -> None:
    def work(number: int) -> int:
        (tmp_path / str(number)).touch()
        return os.getpid()

    processes = dict(share(work, range(4), 1, lambda: wait(lambda: (tmp_path / "3").exists())))
    assert HERE not in processes.values()
    assert len(set(processes.values())) == 1


def test_big_results_come_through() -> None:
    assert {item: len(text) for item, text in share(lambda k: "x" * 10**6, range(6), 1)} == dict.fromkeys(
        range(6), 10**6
    )


def test_what_a_copy_raises_is_raised_here() -> None:
    def work(number: int) -> None:
        if os.getpid() != HERE:
            raise LookupError(f"no {number}")
        time.sleep(0.05)

    with pytest.raises(LookupError, match="no"):
        list(share(work, range(4), 1))
    assert no_child_left()


def test_a_killed_copy_costs_time_only() -> None:
    def work(number: int) -> int:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.05)
        return -number

    assert sorted(share(work, range(5), 2)) == [(k, -k) for k in range(5)]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_copies_end_when_this_process_stops(stop: type[BaseException]) -> None:
    def interrupted() -> None:
        raise stop

    since = time.monotonic()
    with pytest.raises(stop):
        list(share(lambda _: time.sleep(30), range(4), 2, interrupted))
    assert time.monotonic() - since < 20
    assert no_child_left()


def test_no_copy_of_a_process_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(os, "fork", None)
    until = threading.Event()
    thread = threading.Thread(target=until.wait)
    thread.start()
    try:
        assert not copies.may_copy()
        assert [result[0] for _, result in share(square, range(3), 2)] == [0, 1, 4]
    finally:
        until.set()
        thread.join()


# ---------------------------------------------------------------- as a command uses them

RUN = ["run", "moscow", "--players", "2", "--policies", "balanced,racer", "--out"]


def start(words: list[str], where: Path) -> subprocess.Popen[str]:
    code = "import sys; sys.argv[0] = 'analyze'; from analyzer.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(Path(copies.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_a_run_with_copies_writes_the_same_files(tmp_path: Path) -> None:
    told: dict[str, dict[str, str]] = {}
    for jobs in ("1", "3"):
        child = start([*RUN, jobs, "--jobs", jobs, "--n", "6000"], tmp_path)
        _, err = child.communicate(timeout=300)
        assert child.returncode == 0, err
        told[jobs] = files(tmp_path / jobs)
    assert len(told["1"]) > 10
    assert told["1"] == told["3"]


def test_ctrl_c_ends_copies_too(tmp_path: Path) -> None:
    child = start([*RUN, "x", "--n", "200000"], tmp_path)
    wait(lambda: (tmp_path / "x" / "games").is_dir())
    time.sleep(0.3)
    os.killpg(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=300)
    assert child.returncode == 130, err
    assert "Stopped" in err
    assert "Traceback" not in err
    wait(lambda: not alive(child.pid))


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 100
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)
