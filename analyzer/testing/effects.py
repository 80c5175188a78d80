"""What a policy does besides deciding: draws from global generators, opens files, starts processes."""

from __future__ import annotations

import os
import random
import sys
from typing import Any, ClassVar

import numpy as np

from analyzer.sim.causes import Cause
from analyzer.sim.surroundings import Surroundings


class Writing:
    """Notes a fault if a file is opened to be written, or a process or a connection is started."""

    _noting: ClassVar[list[list[str]]] = []  # the one that listens now; a hook cannot be taken off again
    _hooked = False

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults

    def __enter__(self) -> None:
        if not Writing._hooked:
            Writing._hooked = True
            sys.addaudithook(Writing._heard)
        self._noting.append(self.faults)

    def __exit__(self, *_: object) -> None:
        self._noting.remove(self.faults)

    @staticmethod
    def _heard(event: str, given: tuple[Any, ...]) -> None:
        if not Writing._noting:
            return
        what = ""
        if (
            event == "open"
            and (given[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            and ".pyc" not in str(given[0])
        ):
            what = f"it opens the file {str(given[0])!r} to write"
        elif event in ("subprocess.Popen", "os.system", "os.remove", "socket.connect"):
            what = f"it does more than decide ({event})"
        if what:
            Writing._noting[-1].append(f"{what}; a policy may look at the view and its parameters only.")


class Unchanged:
    """Notes a fault for what was changed around the policy (see `Surroundings`), and puts it back."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults

    def __enter__(self) -> None:
        self.before = Surroundings(threads=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        wrong = self.before.changed()
        self.faults += [f"it {one}; a policy may look at the view and its parameters only." for one in wrong]
        # What went wrong because of that would only confuse.
        return bool(wrong) and isinstance(error, Exception)


class GlobalRandomness:
    """Notes a fault if the state of a global random generator has changed."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults

    def __enter__(self) -> None:
        self.before = self._states()

    def __exit__(self, *_: object) -> None:
        if self._states() != self.before:
            self.faults.append(f"{Cause.GLOBAL[0].lower()}{Cause.GLOBAL[1:]}")

    @staticmethod
    def _states() -> tuple[Any, ...]:
        kind, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002  looked at, not drawn from
        return random.getstate(), kind, np.asarray(keys).tobytes(), *rest
