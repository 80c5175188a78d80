"""Where a block's time goes: wraps the functions of each stage and keeps the time spent in them alone."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

REST = "rest"  # what runs in no stage: the loop itself and the measuring
Place = tuple[Any, str]  # a module or class, and the name of its function


class Clock:
    """CPU seconds by stage; a stage called by another one is not counted in the outer one."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._stages = [REST]
        self._since = time.process_time_ns()

    def _charge(self) -> None:
        now = time.process_time_ns()
        self.seconds[self._stages[-1]] += (now - self._since) / 1e9
        self._since = now

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._charge()
        self._stages.append(name)
        try:
            yield
        finally:
            self._charge()
            self._stages.pop()

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed; a generator is timed while it runs and not while it waits for an answer."""

        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.stage(name):
                return function(*args, **kwargs)

        @wraps(function)
        def timed_generator(*args: Any, **kwargs: Any) -> Any:
            steps, answer = function(*args, **kwargs), None
            while True:
                with self.stage(name):
                    try:
                        question = steps.send(answer)
                    except StopIteration as end:
                        return end.value
                answer = yield question

        return timed_generator if inspect.isgeneratorfunction(function) else timed


def profile(stages: Mapping[str, Sequence[Place]], run: Callable[[], Any]) -> dict[str, float]:
    """Share of the CPU time of `run()` by stage, and in none of them (`REST`); they add up to 1."""
    clock, undo = Clock(), []
    for name, places in stages.items():
        for owner, attribute in places:
            undo.append((owner, attribute, attribute in vars(owner), vars(owner).get(attribute)))
            setattr(owner, attribute, clock.wrap(name, getattr(owner, attribute)))
    try:
        with clock.stage(REST):
            run()
    finally:
        for owner, attribute, own, before in reversed(undo):
            setattr(owner, attribute, before) if own else delattr(owner, attribute)
    total = sum(clock.seconds.values())
    return {name: clock.seconds[name] / total for name in (*stages, REST)}
