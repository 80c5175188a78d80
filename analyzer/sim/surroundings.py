"""What a policy may not change around itself, because others rely on it: NumPy, this package, the process."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from analyzer.sim import cards, chance, engine

MODULES: tuple[ModuleType, ...] = (np, np.random, engine, cards, chance)


def _modules() -> dict[str, dict[str, Any]]:
    return {one.__name__: dict(vars(one)) for one in MODULES}


def _put_modules(before: dict[str, dict[str, Any]]) -> None:
    for one in MODULES:
        vars(one).update(before[one.__name__])


def _environment() -> dict[str, str]:
    return dict(os.environ)


def _put_environment(before: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _streams() -> list[Any]:
    return [sys.stdout, sys.stderr, *(one.closed for one in (sys.stdout, sys.stderr) if one is not None)]


def _put_streams(before: list[Any]) -> None:
    sys.stdout, sys.stderr = (
        usual if one.closed else one
        for one, usual in zip(before[:2], (sys.__stdout__, sys.__stderr__), strict=True)
    )


def _handlers() -> dict[Any, Any]:
    in_main = threading.current_thread() is threading.main_thread()
    return {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)} if in_main else {}


def _put_handlers(before: dict[Any, Any]) -> None:
    for one, handler in before.items():
        signal.signal(one, handler)


_LIMIT = "the limit of recursion (sys.setrecursionlimit)"

# What is looked at, in words; and how to see it, and to put it back as it was.
_PARTS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "the working folder (os.chdir)": (os.getcwd, os.chdir),
    "environment variables (os.environ)": (_environment, _put_environment),
    "how NumPy treats errors (numpy.seterr)": (np.geterr, lambda before: np.seterr(**before)),
    "how NumPy prints (numpy.set_printoptions)": (
        np.get_printoptions,
        lambda before: np.set_printoptions(**before),
    ),
    _LIMIT: (sys.getrecursionlimit, sys.setrecursionlimit),
    "what is done on a signal (signal.signal)": (_handlers, _put_handlers),
    "the output of the program (sys.stdout, sys.stderr)": (_streams, _put_streams),
}


class Surroundings:
    """As they are when it is made; `changed` says what was changed since, and puts it back."""

    def __init__(self, threads: bool = False) -> None:
        """threads: whether to look for those, too; only where nobody else starts any."""
        self._before = {words: see() for words, (see, _) in _PARTS.items()}
        self._modules = _modules()
        self._threads = set(sys._current_frames()) if threads else None

    def changed(self) -> list[str]:
        """What a policy did: "changes the working folder (os.chdir)", ... The first is told best."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(self._before[_LIMIT])  # or this would not come far
        found = [f"changes {_LIMIT}"] if limit != self._before[_LIMIT] else []
        for name, before in self._modules.items():
            now = vars(sys.modules[name])
            other = [key for key, one in before.items() if now.get(key, _GONE) is not one]
            found += [f"changes {name}.{key}" for key in other if key != "COMPACT_BELOW"]
        _put_modules(self._modules)
        for words, (see, put) in _PARTS.items():
            if see() != self._before[words]:
                put(self._before[words])
                found.append(f"changes {words}")
        if self._threads is not None and set(sys._current_frames()) - self._threads:
            found.append("leaves threads running")
        return found


_GONE = object()
