"""Play runs: plan -> blocks -> processes -> parts on disk -> Results.

Several runs share one crew of processes: their blocks stand in one queue, and a run is finished when its last
block is. The calling process plays blocks itself and worker processes help it: nobody waits for a pool to
start, and a short run never starts one. Every block is a function of the request and its number alone, and
tallies are integers that add up in any order, so nothing in a result depends on who played what when.
"""

from __future__ import annotations

import os
import queue
import signal
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.copies import MOST, may_copy, share
from analyzer.registry import register_room, see_folder
from analyzer.sim import parts, workers
from analyzer.sim.engine import Played, play
from analyzer.sim.request import Request, check_number
from analyzer.sim.seating import Block
from analyzer.sim.steady import check_steady
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Game, Policy
    from analyzer.series import Series
    from analyzer.sim.results import Results

MAX_JOBS = 1024
MEMORY_GAMES = 1_000_000  # runs up to this size keep their games in memory when no folder is given
PLENTY = 8  # blocks left a process from which nobody minds who gets the next one
SHORT = 200_000  # games up to which copies of this process help, not workers: no start, no progress told
PIECE = 50_000  # games of the smallest piece of a block that is worth playing by itself
SHARES = 5  # pieces a process, at least, that a run is cut into if they do not get too small

Progress = Callable[[int, int], None]  # games done, games in all


class Interrupted(KeyboardInterrupt):
    """The user stopped. `results` holds what was finished (of a run, or of a series), None if nothing was."""

    def __init__(self, results: Results | Series | None) -> None:
        super().__init__("stopped")
        self.results = results


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
    """Play a block and write its part. Raises PolicyError if a policy breaks its contract."""
    game, policies = job.load()
    request = job.request
    seated = request.seated(policies, block.rotation)
    played: Played = play(game, seated, request.luck(block), block.numbers())
    columns = parts.game_columns(block, played.columns)
    if job.folder is None:
        return Done(block, played.tallies, played.decisions, columns)
    parts.write_parts(job.folder, block, columns, labels_of(game))
    return Done(block, played.tallies, played.decisions, None)


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


# ---------------------------------------------------------------- runs


@dataclass
class Sum:
    """The finished blocks of a run, added up: tallies with their rotation as the first axis."""

    rotations: int
    tallies: dict[str, Tally] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    columns: list[parts.Columns] = field(default_factory=list)
    decisions: int = 0
    games: int = 0

    def add(self, done: Done) -> None:
        """Add a block's result."""
        for name, tally in {**done.tallies, "games": Tally({}, np.array(done.block.games, np.int64))}.items():
            if name not in self.tallies:
                axes = {"rotation": range(self.rotations), **tally.axes}
                shape = (self.rotations, *tally.counts.shape)
                self.tallies[name] = Tally(axes, np.zeros(shape, np.int64))
            total = self.tallies[name]
            if list(total.axes)[1:] != list(tally.axes) or total.counts.shape[1:] != tally.counts.shape:
                raise RuntimeError(
                    f"the tally {name!r} of block {done.block.number} has other axes than before"
                )
            total.counts[done.block.rotation] += tally.counts
        self.blocks.append(done.block)
        if done.columns is not None:
            self.columns.append(done.columns)
        self.decisions += done.decisions
        self.games += done.block.games


@dataclass
class Run:
    """One of the runs on the way: what was asked for, where its parts go, and what is finished of it."""

    request: Request
    command: str
    folder: Path | None
    temporary: tempfile.TemporaryDirectory[str] | None
    total: Sum
    finished: bool = False

    @classmethod
    def prepare(cls, request: Request, out: Path | None, command: str) -> Run:
        """Claim the folder. Raises UserError if it cannot be used."""
        folder, temporary = _place(request, out)
        return cls(request, command, folder, temporary, Sum(len(request.rotations)))

    def finish(self, seconds: float) -> Results:
        """The results of the blocks added so far; afterwards nothing of them is held here."""
        kind = "complete" if self.total.games == self.request.n else "partial"
        meta = {**self.request.meta(), "command": self.command, "kind": kind}
        meta |= {"decisions": self.total.decisions, "wall_seconds": round(seconds, 3)}
        results = _results(self.request, self.total, meta, self.folder, self.temporary)
        self.total, self.finished = Sum(len(self.request.rotations)), True
        return results


@dataclass(frozen=True)
class Ask:
    """A run asked for: its request, the folder it is kept in (None: memory), the command to show for it."""

    request: Request
    out: Path | None = None
    command: str = ""


def run(
    request: Request,
    out: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    command: str = "",
    meanwhile: Callable[[], None] | None = None,
) -> Results:
    """Play a run and return its results; with `out`, the folder holds run.json, games and tallies.

    As `run_all`; Interrupted holds the finished part.
    """
    found: list[Results] = []

    def ready(_: int, results: Results) -> None:
        found.append(results)

    try:
        run_all([Ask(request, out, command)], ready, jobs, progress, meanwhile)
    except Interrupted:
        raise Interrupted(found[0] if found else None) from None
    return found[0]


def run_all(
    asks: Sequence[Ask],
    ready: Callable[[int, Results], None],
    jobs: int | None = None,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> None:
    """Play several runs with one crew and hand out the results of each as soon as it is finished.

    ready: called with the number of a finished run and its results, which nobody else holds; workers go on
    meanwhile. Runs get finished about in their order, not strictly so.
    jobs: processes in all (None: one a core). It changes the time a run takes and nothing else.
    progress: called with games done and games in all (of all runs), after every block.
    meanwhile: called once if worker processes are started, while these play (say, to import what is slow).

    Raises UserError before anything is played if a folder cannot be used, and PolicyError if a policy breaks
    its contract. If the user stops it, runs with finished blocks are handed out as partial ones, then
    Interrupted (a KeyboardInterrupt) is raised.
    """
    if jobs is not None:
        jobs = check_number("jobs", jobs, 1, MAX_JOBS)
    since = time.perf_counter()
    runs: list[Run] = []
    crew = Crew(deque(), jobs, meanwhile=meanwhile)

    def finish(number: int) -> None:
        nonlocal since
        now = time.perf_counter()
        results, since = runs[number].finish(now - since), now
        ready(number, results)

    try:
        for ask in asks:
            check_steady(ask.request)
            runs.append(Run.prepare(ask.request, ask.out, ask.command))
        crew.left.extend(_tasks(runs, jobs))
        with CtrlC() as ctrl_c:
            _play(crew, runs, ctrl_c, finish, progress)
    except KeyboardInterrupt:
        crew.stop()
        for number, one in enumerate(runs):
            if one.total.blocks:
                finish(number)
            elif not one.finished:
                _clean(one.folder)
        raise Interrupted(None) from None
    except BaseException:
        crew.stop()
        for one in runs:
            if not one.finished:
                _clean(one.folder)
        raise


def _tasks(runs: Sequence[Run], jobs: int | None) -> Iterator[Task]:
    """The blocks of all runs, in order; cut into pieces where there are too few of them to share out well."""
    games, jobs = sum(one.request.n for one in runs), jobs or os.cpu_count() or 1
    fair = max(games // (SHARES * jobs) // PIECE * PIECE, PIECE)
    for number, one in enumerate(runs):
        # A worker may have been started in another folder than this process is in now.
        job = Job(one.request, None if one.folder is None else one.folder.absolute())
        for block in one.request.blocks():
            pieces = [block]
            if jobs > 1:
                pieces = block.split(_shares(games, jobs)) if block.games == games else block.cut(fair)
            yield from (Task(number, job, piece) for piece in pieces)


def _shares(games: int, jobs: int) -> list[int]:
    """Sizes of the pieces of a run's only block: half of it for the helpers at once, the rest by files for
    whoever is free (the calling process has other things to do first)."""
    helpers, size = jobs - 1, parts.PART
    share = games // 2 // helpers // size * size
    first = [share] * helpers if share else []
    left = games - sum(first)
    return [*first, *[size] * (left // size), *[left % size] * (left % size > 0)]


def _play(
    crew: Crew,
    runs: Sequence[Run],
    ctrl_c: CtrlC,
    finish: Callable[[int], None],
    progress: Progress | None,
) -> None:
    """Add up the blocks as they get ready; finish each run with its last one."""
    games, planned = 0, sum(one.request.n for one in runs)
    for task, done in crew.play():
        one = runs[task.run]
        with ctrl_c.hold():
            one.total.add(done)
        games += done.block.games
        if progress is not None:
            progress(games, planned)
        if one.total.games == one.request.n:
            finish(task.run)


def _place(request: Request, out: Path | None) -> tuple[Path | None, tempfile.TemporaryDirectory[str] | None]:
    """Where parts go: the user's folder, memory (None), or a folder that lives as long as the results."""
    if out is not None:
        parts.claim(out, request.key, request.meta())
        return out, None
    if request.n <= MEMORY_GAMES:
        return None, None
    temporary = tempfile.TemporaryDirectory(prefix="analyzer-")
    parts.claim(Path(temporary.name), request.key, request.meta())
    return Path(temporary.name), temporary


def _clean(folder: Path | None) -> None:
    if folder is not None:
        parts.discard(folder)


def _results(
    request: Request,
    total: Sum,
    meta: dict[str, Any],
    folder: Path | None,
    temporary: tempfile.TemporaryDirectory[str] | None,
) -> Results:
    from analyzer.sim.results import Results

    tallies = {name: tally.frame() for name, tally in total.tallies.items()}
    if folder is None:
        games = parts.as_frame_columns(total.columns, labels_of(request.make_game()))
        return Results(meta, tallies, games=games)
    parts.keep_parts(folder, total.blocks)
    results = Results(meta, tallies, folder=folder)
    results.save(folder)
    if temporary is not None:
        weakref.finalize(results, temporary.cleanup)
    return results
