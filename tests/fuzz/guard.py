"""What all fuzzing watches: a limit of time for every case, peak memory, errors in clean lines."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

from analyzer.errors import MAX_LINE, seen

MOST_LINES = 11  # up to ten problems, and how many more there are
MEGABYTE = 1 << 20


class Hung(BaseException):
    """A case took longer than it may. No Exception: nothing that is looked at shall catch it."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise Hung after so many seconds of this process's own time."""

    def ring(_: int, frame: FrameType | None) -> None:
        raise Hung(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C (also of a process in the background) ends this block, and no more: what was counted is told."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGINT, before)


def quick_folder() -> str | None:
    """A folder in memory, if this system has one; None: the usual place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def peak() -> float:
    """The most memory this process has had so far, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (MEGABYTE if sys.platform == "darwin" else 1024)


def unclean(text: str, lines: int = 1) -> str:
    """What is wrong with the text of an error, "" if it is right."""
    found = text.split("\n")
    if not text.strip() or not all(found):
        return "it says nothing"
    if len(found) > lines:
        return f"it has {len(found)} lines"
    for line in found:
        if len(line) > MAX_LINE:
            return f"a line of {len(line)} characters"
        odd = [sign for sign in line if not seen(sign)]
        if odd:
            return f"it holds {odd[0]!r}"
    return ""


@dataclass
class Count:
    """What happened to the cases: how many by kind, the slowest, and what went wrong."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # (kind, what happened)
    slowest: tuple[float, int, str] = (0.0, -1, "")  # seconds of this process, case, kind
    faults: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    def timed(self, seconds: float, case: int, kind: str) -> None:
        """Note how long a case took."""
        self.slowest = max(self.slowest, (seconds, case, kind))

    def __str__(self) -> str:
        kinds = sorted({kind for kind, _ in self.counts})
        happened = sorted({what for _, what in self.counts})
        rows = [f"{'':12}" + "".join(f"{what:>12}" for what in happened)]
        for kind in [*kinds, "all"]:
            chosen = [
                sum(n for (k, w), n in self.counts.items() if w == what and kind in (k, "all"))
                for what in happened
            ]
            rows.append(f"{kind:12}" + "".join(f"{n:12,}" for n in chosen))
        seconds, case, kind = self.slowest
        rows.append(
            f"{sum(n for (_, w), n in self.counts.items() if w in ('accepted', 'refused')):,} cases in "
            f"{time.perf_counter() - self.began:,.0f} s; "
            f"slowest {seconds * 1e3:,.0f} ms (case {case}, {kind}); "
            f"peak memory {peak():,.0f} MB; {len(self.faults)} faults"
        )
        return "\n".join(rows)
