"""Who plays the blocks: this process, forked copies of it, or worker processes, from one queue.

The calling process plays blocks itself and the others help it: nobody waits for a pool to start, and a short
run never starts one. Every block is a function of the request and its number alone, so it does not matter who
plays what when.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.copies import MOST, may_copy, share
from analyzer.disk import owner_of
from analyzer.errors import UserError
from analyzer.registry import register_room, see_folder
from analyzer.sim import journal, parts, workers
from analyzer.sim.engine import Played, play
from analyzer.sim.request import Request
from analyzer.sim.seating import Block, plan
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Game, Policy

PLENTY = 8  # blocks left a process from which nobody minds who gets the next one
SHORT = 200_000  # games up to which copies of this process help, not workers: no start, no progress told


@dataclass
class Done:
    """What a played block hands back: its tallies, and its games if they are kept in memory."""

    block: Block
    tallies: dict[str, Tally]
    decisions: int
    columns: parts.Columns | None


# ---------------------------------------------------------------- one block


@dataclass(frozen=True)
class Job:
    """What a process needs to play blocks of a run; it travels with every block."""

    request: Request
    folder: Path | None  # where parts go; None: games are handed back
    owner: tuple[Path, str] | None = None  # the file and the token of the lock under which they are written

    def load(self) -> tuple[Game, list[Policy]]:
        """The game and the policies by seat at rotation 0, loaded once a process."""
        key = self.request.key
        if key not in _loaded:
            _loaded.clear()
            policies = [one.load(self.request.game) for one in self.request.policies]
            _loaded[key] = (self.request.make_game(), policies)
        return _loaded[key]


_loaded: dict[str, tuple[Game, list[Policy]]] = {}  # of the last run; nothing that changes a result


def play_block(job: Job, block: Block) -> Done:
    """Play a block, write its parts and note it in the journal. Raises PolicyError if a policy breaks its
    contract, and DiskError."""
    game, policies = job.load()
    played = _play(job.request, game, policies, block)
    columns = parts.game_columns(block, played.columns)
    if job.folder is None:
        return Done(block, played.tallies, played.decisions, columns)
    if job.owner is not None and owner_of(job.owner[0]) != job.owner[1]:
        # The run's own process was killed, and another one may have gone on with the run.
        raise UserError(f"The run in {job.folder} is no longer going on.")
    files = parts.write_parts(job.folder, block, columns, labels_of(game))
    journal.append(job.folder, job.request.key, block, played.decisions, played.tallies, files)
    return Done(block, played.tallies, played.decisions, None)


def _play(request: Request, game: Game, policies: list[Policy], block: Block) -> Played:
    return play(game, request.seated(policies, block.rotation), request.luck(block), block.numbers())


def tallies_of(request: Request) -> dict[str, Tally]:
    """The tallies of the run's first game: the names and axes that all its tallies have."""
    game, policies = Job(request, None).load()
    first = plan(1, request.block, len(request.rotations))[0]
    return _play(request, game, policies, first).tallies


def labels_of(game: Game) -> dict[str, Any]:
    """The words of the code columns: column -> labels by code."""
    return dict(getattr(game, "labels", {}))


def _play_in_worker(job: Job, folder: str, block: Block) -> Done:
    """`play_block` in a worker process, which first learns what the caller's process knows."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # for a process that somebody else's pool started
    see_folder(folder)
    register_room(job.request.room)
    return play_block(job, block)


# ---------------------------------------------------------------- many blocks


@dataclass(frozen=True)
class Task:
    """One block of one of the runs, `run` their number."""

    run: int
    job: Job
    block: Block


def _play_task(task: Task) -> Done:
    return play_block(task.job, task.block)


@dataclass
class Crew:
    """Plays the blocks of some runs, with the help of worker processes if that pays."""

    left: deque[Task]
    jobs: int | None  # processes in all, this one among them; None: as many as there are cores
    results: queue.Queue[tuple[Task, Done] | BaseException] = field(default_factory=queue.Queue)
    given: int = 0  # blocks handed to workers whose result has not been taken yet
    workers: Any = None  # the pool, once it is worth one
    meanwhile: Callable[[], None] | None = None  # done here while the workers play their first blocks
    lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self) -> Iterator[tuple[Task, Done]]:
        """Every block with its result, in the order they get ready."""
        if self._short():
            tasks, copies = list(self.left), (self.jobs or os.cpu_count() or 1) - 1
            self.left.clear()
            yield from share(_play_task, tasks, copies, self.meanwhile)
            return
        self._call_help(workers.FIRST_GUESS)
        while self.left or self.given:
            try:
                yield self._taken(self.results.get_nowait())
                continue
            except queue.Empty:
                task = self._next()
            if task is None:
                yield self._taken(self.results.get())
                continue
            start = time.perf_counter()
            done = play_block(task.job, task.block)
            seconds = time.perf_counter() - start
            yield task, done
            if self.workers is None:
                self._call_help(seconds / task.block.games)

    def _short(self) -> bool:
        """Whether it is over before new processes would be of much help, and copies of this one may help."""
        games = sum(task.block.games for task in self.left)
        return may_copy() and games <= SHORT and len(self.left) <= MOST and not workers.standing()

    def stop(self) -> None:
        """Play no further block, and end the worker processes of this run at once."""
        with self.lock:
            self.left.clear()
        if self.workers is not None:
            workers.kill()

    def _next(self, for_worker: bool = False) -> Task | None:
        with self.lock:
            if not self.left:
                return None
            self.given += for_worker
            return self.left.popleft()

    def _taken(self, result: tuple[Task, Done] | BaseException) -> tuple[Task, Done]:
        if isinstance(result, BaseException):
            raise result
        with self.lock:
            self.given -= 1
        return result

    def _call_help(self, seconds_a_game: float) -> None:
        """Start worker processes if what is left takes longer than they need to start."""
        if self.jobs == 1 or len(self.left) < 2:
            return
        if seconds_a_game * sum(task.block.games for task in self.left) < workers.WORTH_START:
            return
        self.jobs = self.jobs or workers.cores()
        helpers = min(self.jobs - 1, len(self.left))
        if helpers > 0:
            self.workers = workers.pool(helpers)
            with workers.no_ctrl_c():
                for _ in range(helpers):
                    self._give()
                while self.given < 2 * helpers and len(self.left) > PLENTY * self.jobs:
                    self._give()  # one more to go on with at once, while nobody will miss it at the end
            if self.meanwhile is not None:
                self.meanwhile()

    def _give(self) -> None:
        """Hand the next block to a worker; when it is done, another one (then in the pool's own thread)."""
        task = self._next(for_worker=True)
        if task is None:
            return
        try:
            work = self.workers.submit(_play_in_worker, task.job, str(Path.cwd()), task.block)
            work.add_done_callback(partial(self._got, task))
        except Exception as error:
            self.results.put(error)

    def _got(self, task: Task, work: Any) -> None:
        try:
            self.results.put((task, work.result()))
        except BaseException as error:  # the caller's thread raises it again
            self.results.put(error)
        else:
            self._give()


class CtrlC:
    """Ctrl-C while a run goes on: heeded at once, but not in the middle of adding up (`hold`)."""

    def __init__(self) -> None:
        self.held = self.pressed = self.ours = False

    def __enter__(self) -> CtrlC:
        here = threading.current_thread() is threading.main_thread()
        self.ours = here and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.ours:
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self.ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _press(self, *_: object) -> None:
        self.pressed = True
        if not self.held:
            raise KeyboardInterrupt

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Put Ctrl-C off until the end of this block."""
        self.held = True
        yield
        self.held = False
        if self.pressed:
            raise KeyboardInterrupt
