"""Other backends: threads, dask, ray. Whoever plays, and whoever dies meanwhile, the bytes are the same."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import joblib
import pytest

import analyzer
from analyzer import policy_source, registry
from analyzer.errors import TeamError, UserError
from analyzer.sim import backends, crew, runner, workers
from analyzer.sim.request import Request, build
from tests.test_resume import left_by, uninterrupted
from tests.test_runner import request

ROOT = Path(__file__).parents[1]

# A policy file: whoever plays with it dies, unless it is the process that asks, or MARK is there already.
FATAL = """
import os, signal
from pathlib import Path
from tests.toy.policies import DicePolicy

class Fatal(DicePolicy):
    def act(self, view, score):
        mark = Path({mark!r})
        if os.getpid() != {caller} and not mark.exists():
            {once}mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        score.bold += 1
"""


@pytest.fixture(autouse=True)
def _known(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(workers, "WORTH_START", 0.0)
    for module in (crew, workers):
        monkeypatch.setattr(module, "may_copy", lambda: False)
    workers.kill()
    yield
    workers.kill()


def fatal(folder: Path, once: bool) -> Request:
    path = folder / "fatal.py"
    told = {"mark": str(folder / "mark"), "caller": os.getpid(), "once": "" if once else "# "}
    path.write_text(FATAL.format(**told))
    return request(2000, block=100, seats=[f"{path}:Fatal", "random"])


# ---------------------------------------------------------------- on this machine


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_processes_and_threads_write_the_same_bytes(backend: str, tmp_path: Path) -> None:
    with backends.use(backend):
        runner.run(request(), tmp_path / "x", 3)
    assert left_by(tmp_path / "x") == uninterrupted(request(), tmp_path / "alone")


def test_a_worker_that_dies_costs_its_blocks_only(tmp_path: Path) -> None:
    asked = fatal(tmp_path, once=True)
    runner.run(asked, tmp_path / "x", 3)
    assert (tmp_path / "mark").exists()
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "alone")


def test_a_block_that_kills_every_worker_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    asked = fatal(tmp_path, once=False)
    slow = Slow(monkey := pytest.MonkeyPatch(), 0.05)  # so that the workers get their turn
    with (
        slow,
        pytest.raises(UserError, match=r"Workers died again and again over block \d+,"),
    ):
        runner.run(asked, tmp_path / "x", 3)
    monkey.undo()
    (tmp_path / "mark").touch()
    found = runner.Run.prepare(runner.Ask(asked, tmp_path / "x"))
    assert found.kept
    found.release()


COPIES = """
import os, subprocess, sys
from pathlib import Path
from analyzer import registry
from analyzer.sim import crew, runner, workers
from analyzer.sim.request import build
from tests.test_resume import left_by
from tests.toy.config import toy_config

registry.register_room(registry.Room("dice_race", "tests.toy"))
crew.SHORT, workers.FIRST_GUESS = 0, 1.0
home = Path(sys.argv[1])
path = home / "fatal.py"
path.write_text(path.read_text().replace("CALLER", str(os.getpid())))
teams = []
really = workers.copies
workers.copies = lambda helpers: teams.append(really(helpers)) or teams[-1]
from analyzer.sim import steady
steady.may_copy = lambda: False  # it dies in every process but this
asked = build("dice_race", 2, 2000, [f"{path}:Fatal", "random"], block=100, config=toy_config())
runner.run(asked, home / "x", 3)
assert (home / "mark").exists(), "no copy died"
assert len(teams) == 2, "the copies that died were not followed by others"
assert not workers.standing(), "workers of loky were started"
found = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "comm="], capture_output=True, text=True)
assert [one for one in found.stdout.split() if one != "ps"] == [], "copies outlive their run"
runner.run(asked, home / "alone", 1)
assert left_by(home / "x") == left_by(home / "alone")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes copies")
def test_a_copy_that_dies_costs_its_blocks_only(tmp_path: Path) -> None:
    """In a process of its own, with a single thread: others may not be copied."""
    told = {"mark": str(tmp_path / "mark"), "caller": "CALLER", "once": ""}
    (tmp_path / "fatal.py").write_text(FATAL.format(**told))
    child = subprocess.run(
        [sys.executable, "-c", COPIES, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert child.returncode == 0, child.stdout + child.stderr


class Slow:
    """This process plays a block only every so many seconds."""

    def __init__(self, monkey: pytest.MonkeyPatch, seconds: float) -> None:
        self.monkey, self.seconds, self.really = monkey, seconds, crew.play_block

    def __enter__(self) -> None:
        def play(job: Any, block: Any) -> Any:
            time.sleep(self.seconds)
            return self.really(job, block)

        self.monkey.setattr(crew, "play_block", play)

    def __exit__(self, *_: object) -> None:
        self.monkey.undo()


def test_joblibs_own_configuration_is_heeded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sizes: list[int] = []
    really = backends.Threads.start

    def start(self: Any, helpers: int) -> None:
        sizes.append(helpers)
        really(self, helpers)

    monkeypatch.setattr(backends.Threads, "start", start)
    with joblib.parallel_config("threading", n_jobs=4):
        runner.run(request(), tmp_path / "x")
    assert sizes == [3]
    assert left_by(tmp_path / "x") == uninterrupted(request(), tmp_path / "alone")


def test_a_policys_error_in_a_thread_is_the_users(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(
        "from tests.toy.policies import DicePolicy\n\nclass Broken(DicePolicy):\n"
        "    def act(self, view, score):\n        raise ValueError('no idea')\n"
    )
    with backends.use("threading"), pytest.raises(UserError, match=r"no idea.*broken\.py, line 5"):
        runner.run(request(seats=[f"{path}:Broken", "random"]), tmp_path / "x", 2)
    assert not (tmp_path / "x").exists()


# ---------------------------------------------------------------- what is not there


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("lokky", None), r"Unknown backend 'lokky'\. Did you mean 'loky'\?"),
        (("threading", "tcp://127.0.0.1:8786"), "has no scheduler"),
        (("dask", "somewhere"), r"no address of a scheduler; host:port"),
        (("dask", "tcp://1.2.3.4:80/../x"), "no address"),
    ],
)
def test_wrong_words_get_the_right_ones(words: tuple[str, str | None], told: str) -> None:
    with pytest.raises(UserError, match=told), backends.use(*words):
        pass


def test_a_backend_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    told = r"The backend ray is not installed: pip install 'wargame-analyzer\[ray\]'"
    with pytest.raises(UserError, match=told), backends.use("ray"):
        pass


def test_joblibs_backends_that_cannot_play_are_told() -> None:
    told = "MultiprocessingBackend, by which no games can be played"
    with joblib.parallel_config("multiprocessing"), pytest.raises(UserError, match=told):
        runner.run(request())


def analyze(*words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    code = "import sys; sys.argv[0] = 'analyze'; from analyzer.cli import main; main()"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, timeout=300)


def test_the_command_line_tells_a_scheduler_without_a_backend(tmp_path: Path) -> None:
    found = analyze("run", "moscow", "--n", "10", "--scheduler", "127.0.0.1:1", folder=tmp_path)
    assert found.returncode == 2
    assert found.stderr == (
        "Error: --scheduler is of a backend; give --backend dask or --backend ray, too.\n"
    )


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(backends, "CONNECT", 1)
    with (
        backends.use("dask", f"127.0.0.1:{free_port()}"),
        pytest.raises(UserError, match=r"No dask scheduler answers at 127\.0\.0\.1"),
    ):
        runner.run(request(), tmp_path / "x")
    assert not (tmp_path / "x").exists()
    with backends.use("dask"), pytest.raises(UserError, match=r"needs an address \(scheduler\)"):
        runner.run(request(), tmp_path / "x")


# ---------------------------------------------------------------- policies on their way


def test_a_policys_source_travels_with_its_blocks(tmp_path: Path) -> None:
    """A process that never saw the file plays with it: as a worker on another machine does."""
    path = tmp_path / "sprinter.py"
    path.write_text(
        "from tests.toy.policies import DicePolicy\n\nclass Sprinter(DicePolicy):\n"
        "    def act(self, view, score):\n        score.bold += 1\n"
    )
    asked = request(100, seats=[f"{path}:Sprinter", "random"])
    travelling = registry.sources_of(asked.policies)
    assert travelling == {str(path): path.read_bytes()}
    expected = runner.run(asked, jobs=1).games
    job, block = crew.Job(asked, None), asked.blocks()[0]
    path.unlink()
    crew._loaded.key = ""
    sys.modules.pop(next(name for name in sys.modules if name.startswith("policy_file_sprinter")))
    with pytest.raises(UserError, match="cannot be read"):
        crew.play_block(job, block)
    try:
        there = crew._play_apart(job, travelling, crew._version(job), block)
    finally:
        policy_source._brought.clear()
    assert there.columns is not None
    whole = expected.set_index("game").loc[there.columns["game"]]
    assert (there.columns["winner"] == whole["winner"].to_numpy()).all()


def test_a_worker_of_another_version_does_not_play() -> None:
    asked = request(100)
    with pytest.raises(UserError, match=r"has analyzer 0\.1\.0 \(\w{16}\), this machine 9\.9"):
        crew._play_apart(crew.Job(asked, None), {}, "9.9", asked.blocks()[0])


# ---------------------------------------------------------------- dask


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def start(*words: str, folder: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    log = open(folder / "log.txt", "ab")  # noqa: SIM115
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words], cwd=folder, env=env, stdout=log, stderr=log
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, Callable[[int], list[subprocess.Popen[bytes]]]]]:
    """A scheduler on loopback, and a function that starts workers of it."""
    distributed = pytest.importorskip("distributed")
    address, processes = f"tcp://127.0.0.1:{free_port()}", []
    (tmp_path / "dask").mkdir()
    quiet = ("--no-dashboard",)
    processes.append(start("scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], *quiet,
                           folder=tmp_path / "dask"))  # fmt: skip

    def more(count: int) -> list[subprocess.Popen[bytes]]:
        own = ("--nthreads", "1", "--no-nanny", *quiet)
        new = [start("worker", address, *own, folder=tmp_path / "dask") for _ in range(count)]
        processes.extend(new)
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(len(processes) - 1, timeout=60)
        return new

    yield address, more
    for one in processes:
        one.kill()
    for one in processes:
        one.wait()


def test_dask_with_a_worker_that_dies_gives_the_same_bytes(cluster: Any, tmp_path: Path) -> None:
    address, more = cluster
    victim, _ = more(2)
    asked = build("moscow", 4, 12_000, "balanced,racer", block=500)
    games: list[int] = []

    def progress(done: int, _: int) -> None:
        games.append(done)
        if len(games) == 5:
            victim.send_signal(signal.SIGKILL)
            victim.wait()

    with analyzer.backend("dask", address):
        found = runner.run(asked, tmp_path / "x", progress=progress)
    assert len(games) == 24
    assert found.meta["kind"] == "complete"
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "alone")


def test_dask_whose_workers_are_busy_with_something_else_is_waited_for_in_so_many_words(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Told once, and only while nobody is at a block of ours."""
    import distributed

    address, more = cluster
    more(1)
    monkeypatch.setattr(crew, "LOOK", 0.5)
    asked = build("moscow", 2, 2_000, block=1_000)
    with distributed.Client(address, set_as_default=False) as other:
        busy = other.submit(time.sleep, 5, pure=False)
        with analyzer.backend("dask", address):
            assert runner.run(asked).n == 2_000
        assert busy.done()
    told = f"Waiting for a free worker of the dask scheduler at {address}: all are busy with something else."
    assert capfd.readouterr().err.count(told) == 1
    with analyzer.backend("dask", address), backends.team() as team:
        team.start(1)
        ours = team.submit(time.sleep, 4)
        time.sleep(1.5)
        assert team.waits_for() == ""  # somebody is at what is ours
        ours.result()


def test_dask_whose_workers_are_all_gone_keeps_what_is_finished(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """... and the run goes on without it."""
    address, more = cluster
    (only,) = more(1)
    monkeypatch.setattr(backends, "GONE", 0.5)
    monkeypatch.setattr(crew, "LOOK", 0.2)
    asked = build("moscow", 4, 4_000, "balanced,racer", block=500)

    def progress(done: int, _: int) -> None:
        if done == 1000:
            only.kill()

    with (
        analyzer.backend("dask", address),
        pytest.raises(
            TeamError, match=r"No worker of .* 0\.5 seconds\. The .* games finished so far are kept"
        ),
    ):
        runner.run(asked, tmp_path / "x", progress=progress)
    kept = analyzer.load(tmp_path / "x")
    assert kept.meta["kind"] == "partial"
    assert kept.n >= 1000
    runner.run(asked, tmp_path / "x", 1)
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "alone")


# ---------------------------------------------------------------- ray


@pytest.mark.slow
def test_ray_with_a_worker_that_dies_gives_the_same_bytes(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    asked = build("moscow", 4, 12_000, "balanced,racer", block=500)
    killed: list[int] = []

    def progress(done: int, _: int) -> None:
        if done >= 2500 and not killed:
            pids = [pid for pid, name in processes() if name.startswith("ray::_call")]
            killed.extend(pids[:1])
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    with analyzer.backend("ray"):
        runner.run(asked, tmp_path / "x", progress=progress)
    assert killed
    assert not ray.is_initialized()
    assert left_by(tmp_path / "x") == uninterrupted(asked, tmp_path / "alone")


def processes() -> Iterator[tuple[int, str]]:
    for path in Path("/proc").glob("[0-9]*"):
        try:
            yield int(path.name), (path / "cmdline").read_bytes().decode().strip("\0")
        except OSError:
            continue
