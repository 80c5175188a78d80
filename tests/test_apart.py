"""Policies that end their process: `analyze check` plays them in another one, and tells what became of it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import apart, cli, copies
from analyzer.errors import PolicyError, UserError
from analyzer.sim import steady
from analyzer.sim.patience import Patience, hung
from analyzer.testing import ContractError
from tests.test_copies import no_child_left
from tests.test_misbehaving import odd

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes copies")
SILENT = lambda *_: None  # noqa: E731


@pytest.fixture(autouse=True)
def _copies_may_be_made(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test runner has threads of its own, which the work here knows nothing of."""
    for module in (apart, copies, steady):
        monkeypatch.setattr(module, "may_copy", lambda: True)
    yield
    assert no_child_left()


def check(line: str, *more: str) -> Result:
    return CliRunner().invoke(cli.main, ["check", line, "--game", "dice_race", *more])


ENDS = {
    "os._exit": ("import os; os._exit(3)", "exit code 3"),
    "os._exit as if all were well": ("import os; os._exit(0)", "exit code 0"),
    "a kill": (
        "import os; os.kill(os.getpid(), 9)",
        "signal SIGKILL; perhaps it took too much memory",
    ),
    "a crash in a library": (
        "import ctypes, faulthandler, resource\nfaulthandler.disable()\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\nctypes.string_at(0)",
        "signal SIGSEGV",
    ),
    "the end of a process of its own that hears on": (
        "import os\nif os.fork():\n    os._exit(4)\ntime.sleep(3)\nos._exit(0)",
        "exit code 4",
    ),
}


@pytest.mark.parametrize("what", ENDS)
def test_a_policy_that_ends_its_process_is_told_by_name_and_how(
    dice_race: str, tmp_path: Path, what: str
) -> None:
    body, how = ENDS[what]
    line = odd(tmp_path, body)
    result = check(line)
    assert result.exit_code == 2, result.output
    assert result.stderr == (
        f"Error: The policy {line} ended the process that it was checked in ({how}), at: Odd as it begins. "
        "Whatever happens, it must return or raise an exception.\n"
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("what", ["os._exit as if all were well", "a kill"])
def test_a_run_tells_of_a_policy_that_ends_its_process_at_once(
    dice_race: str, tmp_path: Path, what: str, jobs: int
) -> None:
    body, how = ENDS[what]
    with pytest.raises(PolicyError) as caught:
        analyzer.run(dice_race, 2, 400, policy=odd(tmp_path, body), jobs=jobs, out=tmp_path / "out")
    assert str(caught.value).startswith(f"Policy Odd ended the process that it was tried in ({how}).")
    assert not (tmp_path / "out").exists()


def test_a_file_that_ends_the_process_when_it_is_loaded_is_told(dice_race: str, tmp_path: Path) -> None:
    result = check(odd(tmp_path, "pass", head="import os; os._exit(5)"))
    assert result.exit_code == 2
    assert "(exit code 5), at: looking for the policy." in result.stderr


def test_what_is_found_in_the_other_process_is_told_as_it_is(dice_race: str, tmp_path: Path) -> None:
    result = check(odd(tmp_path, "view.mine[:] = 3"))
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "Error: Policy Odd does not keep its contract:\n- its method Odd.act changes"
    )
    result = check("gambler")
    assert result.exit_code == 0
    assert result.stdout == "The policy gambler is right for dice_race.\n"


def test_code_that_heeds_no_interruption_is_ended_and_told_once(
    dice_race: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.sim.patience.GRACE", 0.3)
    line = odd(
        tmp_path, "while True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass"
    )
    result = check(line, "--patience", "0.5")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: There was no answer within 0.5 seconds: the policy heeds no interruption.\n"
    )
    assert Patience.last_words.__name__ == "last_words"  # of this process


# ---------------------------------------------------------------- what comes back


def test_results_steps_and_errors_come_back() -> None:
    told: list[Any] = []

    def work(tell: apart.Tell) -> int:
        tell("one", 0, 2)
        return os.getpid()

    assert apart.apart(work, lambda *step: told.append(step)) != os.getpid()
    assert set(told) == {("one", 0, 2)}

    class OfItsOwn(UserError):
        def __init__(self, one: int, two: int) -> None:
            super().__init__(f"{one}, {two}")

    for error, kind, words in (
        (PolicyError("so"), PolicyError, "so"),
        (ContractError("It", ["a", "b"]), ContractError, "It does not keep its contract:\n- a\n- b"),
        (OfItsOwn(1, 2), UserError, "1, 2"),
        (ZeroDivisionError("x"), ZeroDivisionError, "x"),
    ):

        def fail(_: Any, error: BaseException = error) -> None:
            raise error

        with pytest.raises(kind) as caught:
            apart.apart(fail, SILENT)
        assert str(caught.value) == words
    assert "in fail" in caught.value.__notes__[0]  # where it was: for `--debug`


def test_threads_that_were_left_running_keep_nobody() -> None:
    def work(_: Any) -> int:
        threading.Thread(target=time.sleep, args=(60,)).start()
        return 7

    assert apart.apart(work, SILENT) == 7


def test_ctrl_c_comes_back_with_what_the_other_process_was_at() -> None:
    def work(tell: apart.Tell) -> None:
        tell("asleep", 0, 1)
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("a policy slept", 60.0) from None

    def interrupt(*_: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            apart.apart(work, interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert hung(caught.value) == ("a policy slept", 60.0)


def test_a_policy_that_raises_what_ctrl_c_does_is_told_as_its_fault(dice_race: str, tmp_path: Path) -> None:
    result = check(odd(tmp_path, "raise KeyboardInterrupt"))
    assert result.exit_code == 2
    assert "KeyboardInterrupt was raised, though nobody interrupts it: Policy Odd (seat 1)" in result.stderr


def test_the_work_is_done_here_where_no_copy_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "may_copy", lambda: False)
    assert apart.apart(lambda _: os.getpid(), SILENT) == os.getpid()


@pytest.mark.slow
def test_a_new_process_does_the_work_where_systems_make_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "may_copy", lambda: False)
    monkeypatch.setattr(apart.sys, "platform", "darwin")
    assert apart.apart(_process, SILENT) != os.getpid()


def _process(_: apart.Tell) -> int:
    return os.getpid()
