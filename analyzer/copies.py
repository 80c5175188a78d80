"""Short work shared with forked copies of this process. A copy knows at once all that this process knows,
while a new process needs a second to import it; so runs of a few seconds, and charts, are shared this way.

Only where it is safe: see `may_copy`. Everywhere else the work is done by this process alone.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST = 256  # things that can be shared: each is claimed by one byte


def may_copy() -> bool:
    """Only on Linux, and only a process with a single Python thread: a copy lacks the other threads, and
    would wait for ever for a lock that one of them holds."""
    # Counted by their frames: `threading` does not know the threads that others start.
    return sys.platform == "linux" and len(sys._current_frames()) == 1


def share(
    work: Callable[[T], R],
    items: Sequence[T],
    copies: int,
    meanwhile: Callable[[], None] | None = None,
) -> Iterator[tuple[T, R]]:
    """`work` on every item, as (item, result) in the order they get ready; who is free takes the next one.

    items: at most MOST of them. copies: processes beside this one; none are made if `may_copy` says no.
    meanwhile: done here first, while the copies work already. Raises what `work` raises, in a copy or here.
    A copy that is killed costs time only: what it had taken is done here.
    """
    claims = _Claims(len(items))
    team: list[_Copy] = []
    try:
        if copies and len(items) > 1 and may_copy():
            team.extend(_Copy.start(work, items, claims) for _ in range(min(copies, len(items) - 1)))
        if meanwhile is not None:
            meanwhile()
        done = set()
        for number in claims:
            done.add(number)
            yield items[number], work(items[number])
        for one in team:
            for number, result in one.results():
                done.add(number)
                yield items[number], result
        for number in sorted(set(range(len(items))) - done):
            yield items[number], work(items[number])
    finally:
        for one in team:
            one.end()
        claims.close()


class _Claims:
    """Numbers 0, 1, ... that several processes take from, each number going to one of them."""

    def __init__(self, count: int) -> None:
        self.numbers, into = os.pipe()  # reading a byte of a pipe is one step: no two get the same one
        os.write(into, bytes(range(count)))
        os.close(into)

    def __iter__(self) -> Iterator[int]:
        while one := os.read(self.numbers, 1):
            yield one[0]

    def close(self) -> None:
        os.close(self.numbers)


@dataclass
class _Copy:
    process: int
    told: int  # where its results can be read, as one pickle of its own making

    @classmethod
    def start(cls, work: Callable[[T], Any], items: Sequence[T], claims: _Claims) -> _Copy:
        told, into = os.pipe()
        parent = os.getpid()
        if (process := os.fork()) == 0:
            os.close(told)
            _work_and_end(work, items, claims, into, parent)
        os.close(into)
        return cls(process, told)

    def results(self) -> list[tuple[int, Any]]:
        """(number of an item, its result), none if the copy was killed. Raises what its work raised."""
        with open(self.told, "rb", closefd=False) as pipe:
            text = pipe.read()
        try:
            found, error = pickle.loads(text)
        except (EOFError, pickle.UnpicklingError):
            return []
        if error is not None:
            raise error
        return list(found)

    def end(self) -> None:
        os.close(self.told)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)  # it has told all, or nobody wants to know any more
        os.waitpid(self.process, 0)


def end_with(parent: int) -> None:
    """Be killed when the copied process ends, even if it is killed itself: nobody would want the work."""
    import ctypes

    ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(0)


def _work_and_end(
    work: Callable[[T], Any], items: Sequence[T], claims: _Claims, into: int, parent: int
) -> NoReturn:
    """In a copy: work, tell, and end without any of what this process itself does at its end."""
    try:
        end_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that was copied to answer
        found, error = [], None
        try:
            for number in claims:
                found.append((number, work(items[number])))
        except BaseException as raised:
            error = raised
        text = pickle.dumps((found, error))
        with open(into, "wb", closefd=False) as pipe:
            pipe.write(text)
    finally:
        os._exit(0)
