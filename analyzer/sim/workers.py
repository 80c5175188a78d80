"""The worker processes that help the calling one. The only module that imports joblib, and that late."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FIRST_GUESS = 3e-5  # seconds a game, until the first block has told
WORTH_START = 0.6  # seconds of play left from which worker processes pay for their start
IDLE = 60  # seconds after which worker processes without work end

# Seconds the pool's own thread has to take up what was just submitted: killed before, it dies of a KeyError.
TAKEN_UP = 0.1

_standing: dict[str, Any] = {}  # "pool": the workers that stand ready, if there are any; "size": how many


def cores() -> int:
    """How many processes can run at once: what a run uses if it is not told."""
    from joblib import cpu_count

    return int(cpu_count())


def pool(size: int) -> Any:
    """The worker processes that stand, or new ones if these are not `size` at least."""
    # joblib.Parallel itself never starts a single worker, which is all the help two cores need.
    from joblib.externals.loky import get_reusable_executor

    size = max(size, _standing.get("size", 0))
    found = get_reusable_executor(max_workers=size, timeout=IDLE)
    _standing.update(pool=found, size=size)
    return found


def standing() -> bool:
    """Whether worker processes stand ready, of an earlier run."""
    return bool(_standing)


def dismiss() -> None:
    """Let idle worker processes end now, in the background. Without it they wait a while for another run of
    this process, and its end has to wait for theirs."""
    if (found := _standing.pop("pool", None)) is not None:
        found.shutdown(wait=False)
    _standing.clear()


def kill() -> None:
    """End all worker processes at once, whatever they are at."""
    if (found := _standing.pop("pool", None)) is not None:
        time.sleep(TAKEN_UP)
        found.shutdown(wait=True, kill_workers=True)
    _standing.clear()


@contextmanager
def no_ctrl_c() -> Iterator[None]:
    """Ignore SIGINT for a moment. Processes started meanwhile always do: Ctrl-C reaches the whole group of a
    terminal, and only the calling process shall answer it. (loky undoes a signal mask, but not this.)"""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
