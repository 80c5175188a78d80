"""Who helps the calling process to play: `Team`, and the one that stands by itself, this machine's processes.

Other teams stand in `backends`. joblib is imported late: it takes longer than a short run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer.copies import end_with, may_copy

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

FIRST_GUESS = 3e-5  # seconds a game, until the first block has told
WORTH_START = 0.6  # seconds of play left from which worker processes pay for their start
IDLE = 60  # seconds after which worker processes without work end

# Seconds the pool's own thread has to take up what was just submitted: killed before, it dies of a KeyError.
TAKEN_UP = 0.1

_standing: dict[str, Any] = {}  # "pool": the workers that stand ready, if there are any; "size": how many


class Team:
    """Helpers that play blocks, wherever they stand. A crew hands them blocks and takes results, no more."""

    name: ClassVar[str]
    plays: ClassVar[bool] = True  # whether the calling process plays blocks, too
    threads: ClassVar[bool] = False  # whether they are threads of the calling process
    apart: ClassVar[bool] = False  # whether they may stand on other machines: they hand their games back
    lazy: ClassVar[bool] = False  # whether they are called only when it pays, and short runs go without them

    # What tells that a helper died, and nothing of what it was at.
    unseen: tuple[type[BaseException], ...] = (BrokenExecutor,)
    # ... and that several did, so that it is no use to try again.
    hopeless: tuple[type[BaseException], ...] = ()

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs  # blocks at a time if nobody asks for a number
        self.pool: Any = None

    def size(self, jobs: int | None) -> int:
        """How many blocks are played at a time if `jobs` are asked for (None: as many as there is room for).
        Raises UserError if there is nobody to play."""
        return jobs or self.jobs or os.cpu_count() or 1

    def start(self, helpers: int) -> None:
        """Let so many helpers stand ready; some or all may do so already. Called again when they broke."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """A future with `add_done_callback` and `result` of the call, carried out by a helper."""
        return self.pool.submit(function, *args)

    def broken(self) -> bool:
        """Whether nobody takes anything any more until `start` is called."""
        return False

    def lost(self, error: BaseException) -> bool:
        """Whether this error means that a helper died: what it was at can be done again, perhaps."""
        return isinstance(error, self.unseen + self.hopeless)

    def check(self) -> None:
        """Called now and then while all wait for results. Raises TeamError if none can come any more."""

    def waits_for(self) -> str:
        """Whose helpers are all busy with something else, so that nobody is at a block of ours; "" if
        somebody is, or if it cannot be told."""
        return ""

    def kill(self) -> None:
        """End what the helpers are at, at once if that can be done."""

    def close(self) -> None:
        """Let go of everything; nothing is played afterwards."""


class Loky(Team):
    """Processes of this machine: copies of the calling one where that is safe (see `copies`), which play at
    once and end with the run; else workers of joblib's own pool, which outlive it, for the next one."""

    name = "loky"
    lazy = True
    copies: ProcessPoolExecutor | None = None

    def start(self, helpers: int) -> None:
        self.close()
        if may_copy() and not standing():
            self.pool = self.copies = copies(helpers)
        else:
            self.pool = pool(helpers)

    def broken(self) -> bool:
        return bool(self.pool._flags.broken if self.copies is None else self.copies._broken)

    def kill(self) -> None:
        if self.copies is None:
            kill()
        else:
            for process in list((self.copies._processes or {}).values()):
                process.kill()
            self.close()

    def close(self) -> None:
        if self.copies is not None:
            self.copies.shutdown(wait=True, cancel_futures=True)
            self.copies = None


def copies(size: int) -> ProcessPoolExecutor:
    """A pool of copies of this process. They are made when it gets its first work."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("fork")
    return ProcessPoolExecutor(size, context, initializer=end_with, initargs=(os.getpid(),))


def cores() -> int:
    """How many processes can run at once: what a run uses if it is not told."""
    from joblib import cpu_count

    return int(cpu_count())


def pool(size: int) -> Any:
    """The worker processes that stand, or new ones if these are not `size` at least, or broken."""
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
