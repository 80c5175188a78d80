"""Who plays the blocks: this process, forked copies of it, or a team of helpers, from one queue.

The calling process plays blocks itself and the others help it: nobody waits for a pool to start, and a short
run never starts one. (Where helpers may stand on other machines it only hands out and writes.) Every block is
a function of the request and its number alone, so it does not matter who plays what when, nor how often: what
a helper was at when it died is played again.
"""

from __future__ import annotations

import platform
import queue
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import __version__
from analyzer.copies import MOST, may_copy, share
from analyzer.disk import owner_of
from analyzer.errors import TeamError, UserError, argument
from analyzer.registry import bring, register_room, see_folder, sources_of
from analyzer.sim import journal, parts, sources, workers
from analyzer.sim.engine import Played, play
from analyzer.sim.pile import Pile
from analyzer.sim.request import Request
from analyzer.sim.seating import Block, plan
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Game, Policy
    from analyzer.sim.workers import Team

PLENTY = 8  # blocks left a process from which nobody minds who gets the next one
SHORT = 200_000  # games up to which copies of this process help, not workers: no start, no progress told

LOOK = 5.0  # seconds of waiting after which is looked whether there is still somebody to wait for
MOST_LOSSES = 3  # helpers that may die at one and the same block


@dataclass
class Done:
    """What a played block hands back: its tallies, and its games if they are kept in memory."""

    block: Block
    tallies: dict[str, Tally]
    decisions: int
    columns: parts.Columns | None
    seconds: float = 0.0  # that it took


# ---------------------------------------------------------------- one block


@dataclass(frozen=True)
class Job:
    """What a process needs to play blocks of a run; it travels with every block."""

    request: Request
    folder: Path | None  # where parts go; None: games are handed back
    owner: tuple[Path, str] | None = None  # the file and the token of the lock under which they are written

    def load(self) -> tuple[Game, list[Policy]]:
        """The game and the policies by seat at rotation 0, loaded once a process."""
        if _loaded.key != self.request.key:
            policies = [one.load(self.request.game) for one in self.request.policies]
            _loaded.pair, _loaded.key = (self.request.make_game(), policies), self.request.key
        return _loaded.pair


class _Loaded(threading.local):
    """The game and the policies of the last run, for each thread its own; nothing that changes a result."""

    key: str = ""
    pair: tuple[Game, list[Policy]]


_loaded = _Loaded()


def play_block(job: Job, block: Block) -> Done:
    """Play a block, write its parts and note it in the journal. Raises PolicyError if a policy breaks its
    contract, and DiskError."""
    since = time.perf_counter()
    played = _play(job.request, *job.load(), block)
    columns = parts.game_columns(block, played.columns)
    done = _keep(job, Done(block, played.tallies, played.decisions, columns))
    return replace(done, seconds=time.perf_counter() - since)


def _keep(job: Job, done: Done) -> Done:
    """Write the games of a block and note it in the journal, if the run has a folder."""
    if job.folder is None or done.columns is None:
        return done
    if job.owner is not None and owner_of(job.owner[0]) != job.owner[1]:
        # The run's own process was killed, and another one may have gone on with the run.
        raise UserError(f"The run in {job.folder} is no longer going on.")
    files = parts.write_parts(job.folder, done.block, done.columns, labels_of(job.load()[0]))
    journal.append(job.folder, job.request.key, done.block, done.decisions, done.tallies, files)
    return replace(done, columns=None)


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


def _play_apart(job: Job, policies: Mapping[str, bytes], version: str, block: Block) -> Done:
    """`play_block` in a process that may stand on another machine: games are handed back, and policies of
    the caller's own files come with the block. Raises UserError if another version stands there."""
    bring(policies)
    register_room(job.request.room)
    if version != (here := _version(job)):
        raise UserError(f"A worker on {platform.node()} has analyzer {here}, this machine {version}.")
    return play_block(job, block)


def _version(job: Job) -> str:
    """The version of the program, with the digest of the sources that decide how the run's game is played."""
    return f"{__version__} ({sources.digest_of(job.request.room)})"


# ---------------------------------------------------------------- many blocks


@dataclass(frozen=True)
class Task:
    """One block of one of the runs, `run` their number."""

    run: int
    job: Job
    block: Block


def _play_task(task: Task) -> Done:
    return play_block(task.job, task.block)


@dataclass(frozen=True)
class Lost:
    """A helper died while it was at a block, or before it had handed it back."""

    task: Task
    error: BaseException


@dataclass
class Crew:
    """Plays the blocks of some runs, with the help of a team if that pays."""

    left: Pile  # by so many as play at a time, this process among them if it plays
    team: Team
    asked: bool = True  # whether the user gave the number of jobs
    meanwhile: Callable[[], None] | None = None  # done here while the others play their first blocks
    results: queue.Queue[tuple[Task, Done] | Lost | BaseException] = field(default_factory=queue.Queue)
    given: int = 0  # blocks handed to helpers whose result has not been taken yet
    helped: bool = False  # whether helpers stand
    waited: bool = False  # whether it was told that all helpers are busy with something else
    losses: Counter[Block] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self) -> Iterator[tuple[Task, Done]]:
        """Every block with its result, in the order they get ready."""
        if self._short():
            tasks = self.left.pieces()
            self.left.clear()
            yield from share(_play_task, tasks, self.left.jobs - 1, self.meanwhile)
            return
        self._call_help(workers.FIRST_GUESS)
        while len(self.left) or self.given:
            if self.helped and not self.given and self.team.broken():
                self._call_help()
            if self.results.empty() and (task := self._own()) is not None:
                done = play_block(task.job, task.block)
                self._played(task, done)
                yield task, done
                if not self.helped:
                    self._call_help(self.left.seconds_a_game)
            elif (found := self._taken()) is not None:
                yield found

    def _short(self) -> bool:
        """Whether it is over before new processes would be of much help, and copies of this one may help."""
        few = self.left.games <= SHORT and len(self.left.pieces()) <= MOST
        return self.team.lazy and few and may_copy() and not workers.standing()

    def stop(self) -> None:
        """Play no further block, and end what the helpers are at, if that can be done at once."""
        with self.lock:
            self.left.clear()
        if self.helped:
            self.team.kill()

    def _own(self) -> Task | None:
        """The next block to be played by this process."""
        return self._next() if self.team.plays else None

    def _next(self, for_helper: bool = False) -> Task | None:
        with self.lock:
            task = self.left.take()
            self.given += for_helper and task is not None
            return task

    def _plenty(self) -> bool:
        return len(self.left) > PLENTY * self.left.jobs

    def _played(self, task: Task, done: Done) -> None:
        with self.lock:
            self.left.done(task, done.seconds)

    def _taken(self) -> tuple[Task, Done] | None:
        """The next result of a helper, waited for; None if the helper died, and its block waits again."""
        result = self._waited()
        if isinstance(result, BaseException):
            raise result
        with self.lock:
            self.given -= 1
        if isinstance(result, Lost):
            self._again(result)
            return None
        task, done = result
        return task, _keep(task.job, done)

    def _waited(self) -> tuple[Task, Done] | Lost | BaseException:
        while True:
            with suppress(queue.Empty):
                return self.results.get(timeout=LOOK)
            self.team.check()
            if not self.waited and (whose := self.team.waits_for()):
                self.waited = True
                text = f"Waiting for a free worker of {whose}: all are busy with something else."
                print(text, file=sys.stderr, flush=True)

    def _again(self, lost: Lost) -> None:
        """Put a block that was lost back into the queue. A block that is lost again and again is no accident.
        Raises TeamError then."""
        block = lost.task.block
        self.losses[block] += 1
        if self.losses[block] >= MOST_LOSSES or isinstance(lost.error, self.team.hopeless):
            told = " ".join(str(lost.error).split())[:200]
            raise TeamError(
                f"Workers died again and again over block {block.number}, for want of memory perhaps; try a "
                f"smaller {argument('block')} or fewer {argument('jobs')}. ({told})"
            ) from lost.error
        with self.lock:
            self.left.put_back(lost.task)
        if not self.team.broken():
            self._give()

    def _call_help(self, seconds_a_game: float | None = None) -> None:
        """Let helpers stand ready and hand out blocks; of lazy ones only if what is left takes longer than
        they need to start. seconds_a_game: about; None: they stood already, and broke."""
        helpers, most = self.left.jobs - self.team.plays, self.left.most
        if not most or helpers < 1 or (self.team.plays and most < 2):
            return
        if self.team.lazy and seconds_a_game is not None:
            if seconds_a_game * self.left.games < workers.WORTH_START:
                return
            if not self.asked:
                helpers = min(self.left.jobs, workers.cores()) - 1
        helpers = min(helpers, most)
        if helpers > 0:
            first, self.helped = not self.helped, True
            self.left.jobs = helpers + self.team.plays
            with workers.no_ctrl_c():
                self.team.start(helpers)
                for _ in range(helpers):
                    self._give()
                while self.given < 2 * helpers and self._plenty():
                    self._give()  # one more to go on with at once, while nobody will miss it at the end
            if first and self.meanwhile is not None:
                self.meanwhile()

    def _give(self) -> None:
        """Hand the next block to a helper; when it is done, another one (then in the pool's own thread)."""
        task = self._next(for_helper=True)
        if task is None:
            return
        try:
            work = self.team.submit(*self._call(task))
            work.add_done_callback(partial(self._got, task))
        except BaseException as error:
            self._failed(task, error)

    def _call(self, task: Task) -> tuple[Any, ...]:
        """The call by which a helper plays a block: the function, then its arguments."""
        if self.team.threads:
            return play_block, task.job, task.block
        if not self.team.apart:
            return _play_in_worker, task.job, str(Path.cwd()), task.block
        there = replace(task.job, folder=None, owner=None)
        return _play_apart, there, sources_of(task.job.request.policies), _version(there), task.block

    def _got(self, task: Task, work: Any) -> None:
        try:
            done = work.result()
        except BaseException as error:  # the caller's thread raises it again
            self._failed(task, error)
            return
        self._played(task, done)
        self.results.put((task, done))
        if self.left.playing < self.left.jobs or self._plenty():
            self._give()

    def _failed(self, task: Task, error: BaseException) -> None:
        self.results.put(Lost(task, error) if self.team.lost(error) else error)


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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.pressed and kind is not None and issubclass(kind, ImportError | SystemError):
            raise KeyboardInterrupt  # in the middle of an import: a library made another error of it

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
