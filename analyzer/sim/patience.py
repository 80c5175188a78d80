"""An end to waiting for a policy or a game that does not answer: whoever waits is told where it hangs."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from types import TracebackType
from typing import Any

from analyzer.errors import PolicyError

SECONDS = 30.0  # for one decision of a few dozen games; ours take a few milliseconds
GRACE = 5.0  # seconds that code which heeds no interruption gets before the program ends


def hung(error: BaseException | None) -> tuple[str, float]:
    """Which policy a Ctrl-C broke off, where, and how many seconds it had been at it; ("", 0.0) if none.

    The engine tells it in the interruption itself, which may have led to others.
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt) and len(error.args) == 2:
            return str(error.args[0]), float(error.args[1])
        error = error.__cause__ or error.__context__
    return "", 0.0


class Patience:
    """While it is entered, `SECONDS` without an answer break off what goes on, by a PolicyError.

    Watches by itself as the recorder of a play (`analyzer.sim.engine.Recorder`); `beat` tells it of other
    progress. Only in the main thread, which alone can be interrupted. Code that heeds no interruption ends
    the program (exit code 2), for nothing else would.
    """

    def __init__(self, seconds: float = SECONDS, what: str = "it") -> None:
        self.seconds, self.what = seconds, what
        self.over = threading.Event()
        self.fired = False
        self.beat()

    def beat(self) -> None:
        """Something was answered."""
        self.last = time.monotonic()

    def start(self, state: Any) -> None:
        """A play begins."""
        self.beat()

    def decision(self, state: Any, turn: int, decision: Any, answer: Any) -> None:
        """A decision was answered."""
        self.beat()

    def turn_end(self, state: Any, turn: int) -> None:
        """A turn is over."""
        self.beat()

    def __enter__(self) -> Patience:
        self.beat()
        self.watched = threading.current_thread() is threading.main_thread()
        if self.watched:
            self.before = signal.signal(signal.SIGINT, signal.default_int_handler)
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.watched:
            return
        self.over.set()
        try:
            self.thread.join()
        except KeyboardInterrupt as late:  # it fired just when the answer came
            error = error or late
        signal.signal(signal.SIGINT, self.before)
        if self.fired and isinstance(error, KeyboardInterrupt):
            where = hung(error)[0] or f"{self.what} ({_last_line(trace)})"
            raise PolicyError(f"There was no answer within {self.seconds:g} seconds: {where}") from None

    @staticmethod
    def last_words(told: str) -> None:
        """Tell why the program is ended."""
        print(f"Error: {told}", file=sys.stderr, flush=True)

    def _watch(self) -> None:
        import _thread

        while not self.over.wait(min(0.2, self.seconds / 5)):
            if time.monotonic() - self.last < self.seconds:
                continue
            self.fired = True
            _thread.interrupt_main()
            if self.over.wait(GRACE):
                return
            told = f"There was no answer within {self.seconds:g} seconds: {self.what} heeds no interruption."
            self.last_words(told)
            os._exit(2)


def _last_line(trace: TracebackType | None) -> str:
    """File and line where an interruption came."""
    found = traceback.extract_tb(trace)
    return (
        f"{os.path.basename(found[-1].filename)}, line {found[-1].lineno}: {found[-1].line}" if found else "?"
    )
