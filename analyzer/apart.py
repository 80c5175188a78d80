"""Work that may end its process, done in another one: what it has to say comes back, or how it ended.

Code of the user's own may call `os._exit`, crash in a library, or be killed for the memory it takes. Where
that happens in a copy of this process, this one is there to tell. A copy costs some milliseconds.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from analyzer.copies import end_with, may_copy
from analyzer.errors import PolicyError, UserError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

R = TypeVar("R")
Tell = Callable[[str, int, int], object]  # is told what is being done, how many steps are done, of how many

TICK = 0.2  # seconds after which `tell` is told the same again
GRACE = 2.0  # seconds that the process gets to end by itself, and to answer an interruption


class Ended(Exception):
    """The process ended without a word. how: by what, in words; at: the last step that it told."""

    def __init__(self, how: str, at: str) -> None:
        self.how, self.at = how, at
        super().__init__(f"{how}, at: {at}")


def apart(work: Callable[[Tell], R], tell: Tell) -> R:
    """The result of `work(tell)`, worked out in another process if one can be made (see `_maker`).

    tell: is told what the work tells, and the same again every TICK seconds; in this process.
    Raises what the work raises, and Ended if its process ends before that.
    """
    maker = _maker()
    if maker is None:
        return work(tell)
    hears, speaks = maker.Pipe(duplex=False)
    process: BaseProcess = maker.Process(target=_work, args=(work, speaks, os.getpid()))  # type: ignore[attr-defined]
    process.start()
    speaks.close()
    try:
        return _Listener(process, hears, tell).answer()
    finally:
        process.join(GRACE)  # threads that were left running may keep it
        with suppress(ProcessLookupError):
            process.kill()
        process.join()
        hears.close()


def _maker() -> BaseContext | None:
    """What makes the process: a copy where that is safe; a new one on other systems; else none."""
    if may_copy():
        return multiprocessing.get_context("fork")
    return None if sys.platform == "linux" else multiprocessing.get_context("spawn")


class _Listener:
    """Hears what the process says, until it has its answer."""

    def __init__(self, process: BaseProcess, hears: Connection[Any, Any], tell: Tell) -> None:
        self.process, self.hears, self.tell = process, hears, tell
        self.last: tuple[str, int, int] | None = None

    def answer(self) -> Any:
        """The result. Raises the error that was said, or Ended."""
        kind: str = ""
        said: Any = ()
        try:
            kind, said = self._listen(None)
            if kind == "stopped":
                time.sleep(GRACE / 4)  # a terminal interrupts both: if it was one, this is, too
                raise PolicyError(f"KeyboardInterrupt was raised, though nobody interrupts it: {said[0]}")
        except KeyboardInterrupt:  # the other process knows what it was at
            with suppress(ProcessLookupError, Ended):
                if kind != "stopped":
                    kind, said = self._listen(GRACE / 4) or (kind, said)
                if not kind:
                    os.kill(int(self.process.pid or 0), signal.SIGINT)
                    kind, said = self._listen(GRACE) or (kind, said)
            raise KeyboardInterrupt(*(said if kind == "stopped" else ())) from None
        if kind == "error":
            raise said
        return said

    def _listen(self, seconds: float | None) -> Any:
        """The last word (kind, what). seconds: None is as long as it takes; else at most so many, and
        nothing is told. Then () if none came."""
        left = 1 if seconds is None else max(1, round(seconds / TICK))
        while left:
            if self.hears.poll(TICK):
                kind, said = self._said()
                if kind != "step":
                    return kind, said
                self.last = said
            elif not self.process.is_alive() and not self.hears.poll():
                raise self._ended()
            if seconds is None and self.last is not None:
                self.tell(*self.last)
            left -= seconds is not None
        return ()

    def _said(self) -> tuple[str, Any]:
        try:
            found: tuple[str, Any] = self.hears.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        return found

    def _ended(self) -> Ended:
        self.process.join(GRACE)
        code, at = self.process.exitcode, self.last[0] if self.last else "its start"
        if code is None:
            return Ended("it closed the files of its process", at)
        if code >= 0:
            return Ended(f"exit code {code}", at)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        memory = "; perhaps it took too much memory" if name == "SIGKILL" else ""
        return Ended(f"signal {name}{memory}", at)


def _work(work: Callable[[Tell], Any], speaks: Connection[Any, Any], parent: int) -> NoReturn:
    """In the other process: work, say the result, and end without waiting for anything."""
    from analyzer.sim.patience import Patience, hung

    if sys.platform == "linux":
        end_with(parent)
    said_last = staticmethod(lambda told: _say(speaks, "error", PolicyError(told)))
    Patience.last_words = said_last  # type: ignore[method-assign]
    try:
        _say(speaks, "result", work(lambda *step: _say(speaks, "step", step)))
    except KeyboardInterrupt as stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _say(speaks, "stopped", hung(stop))
    except BaseException as error:
        if not isinstance(error, UserError):
            error.add_note(traceback.format_exc())  # which does not travel
        _say(speaks, "error", error)
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(0)


def _say(speaks: Connection[Any, Any], kind: str, said: Any) -> None:
    try:
        pickle.loads(pickle.dumps(said))
    except Exception:  # an error with arguments of its own
        told = str(said) if isinstance(said, UserError) else f"{type(said).__name__}: {said}"
        said = UserError(told) if isinstance(said, UserError) else RuntimeError(told)
    with suppress(OSError):  # the other end is gone
        speaks.send((kind, said))
