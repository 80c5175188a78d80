"""Play runs: plan -> blocks -> processes -> parts on disk -> Results.

Several runs share one crew of processes: their blocks stand in one queue, and a run is finished when its last
block is. Tallies are integers that add up in any order: nothing in a result depends on who played what when.
"""

from __future__ import annotations

import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.disk import Lock
from analyzer.errors import Halted, PolicyError, UserError
from analyzer.sim import backends, folder, journal, parts, saved, workers
from analyzer.sim.crew import Crew, CtrlC, Done, Job, Task, labels_of, tallies_of
from analyzer.sim.pile import Pile
from analyzer.sim.request import Request, check_number
from analyzer.sim.seating import Block
from analyzer.sim.steady import check_steady, check_still_steady
from analyzer.sim.tally import Tally

if TYPE_CHECKING:
    from analyzer.games.base import Policy
    from analyzer.series import Series
    from analyzer.sim.results import Results

MAX_JOBS = 1024
MEMORY_GAMES = 1_000_000  # runs up to this size keep their games in memory when no folder is given

Progress = Callable[[int, int], None]  # games done, games in all


class Interrupted(KeyboardInterrupt):
    """The user stopped. `results` holds what was finished (of a run, or of a series), None if nothing was."""

    def __init__(self, results: Results | Series | None) -> None:
        super().__init__("stopped")
        self.results = results


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


@dataclass(frozen=True)
class Ask:
    """A run asked for: its request, the folder it is kept in (None: memory), the command to show for it.

    owner: the lock of the series whose folder holds the run's. told: what a saved run tells of itself that
    its request does not know (where its config's settings come from).
    """

    request: Request
    out: Path | None = None
    command: str = ""
    owner: Lock | None = None
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Run:
    """One of the runs on the way: what was asked for, where its parts go, and what is finished of it."""

    ask: Ask
    folder: Path | None = None
    temporary: tempfile.TemporaryDirectory[str] | None = None
    locks: list[Lock] = field(default_factory=list)
    fresh: bool = True  # whether it began here, and did not go on
    kept: list[journal.Kept] = field(default_factory=list)  # what was there already
    before: float = 0.0  # seconds that were played before
    left: list[Block] = field(default_factory=list)  # to play
    total: Sum = field(init=False)
    finished: bool = False

    def __post_init__(self) -> None:
        self.total = Sum(len(self.request.rotations))

    @property
    def request(self) -> Request:
        """What was asked for."""
        return self.ask.request

    @property
    def there(self) -> int:
        """Games that were there already."""
        return sum(one.block.games for one in self.kept)

    @property
    def games(self) -> int:
        """Games that are finished."""
        return self.there + self.total.games

    @classmethod
    def prepare(cls, ask: Ask) -> Run:
        """Take the folder and see what it has. Raises UserError if it cannot be used."""
        one = cls(ask, *_place(ask))
        if one.folder is None:
            one.left = ask.request.blocks()
            return one
        there, one.locks = folder.take(one.folder, one.meta, owner=ask.owner)
        try:
            if there is not None:
                one.before, one.fresh = saved.seconds_of(there), False
                one.kept = journal.find(one.folder, ask.request)
            one.left = journal.gaps(ask.request, one.kept)
        except BaseException:
            one.release()
            raise
        return one

    @property
    def meta(self) -> dict[str, Any]:
        """What the run tells about itself, before it is played."""
        return {**self.request.meta(), **self.ask.told}

    def begin(self) -> None:
        """Make the folder ready, if anything is left to play."""
        if self.folder is not None and self.left:
            folder.begin(self.folder, {**self.meta, "command": self.ask.command})
            self.kept = journal.tidy(self.folder, self.kept)

    @property
    def owner(self) -> tuple[Path, str] | None:
        """What the processes that play look at before they write: the lock's file and its token."""
        lock = self.ask.owner or (self.locks[-1] if self.locks else None)
        return None if lock is None else (lock.path.absolute(), lock.token)

    def look_again(self) -> None:
        """After a stop: what is finished is what the journal tells. Helpers may have got further."""
        if self.folder is not None:
            there = self.there
            self.kept = journal.find(self.folder, self.request, verify=False)
            self.total = Sum(len(self.request.rotations))
            self.fresh = self.fresh and not there

    def finish(self, seconds: float) -> Results:
        """The results of the games there are; afterwards nothing of them is held here."""
        kind = "complete" if self.games == self.request.n else "partial"
        there, played = self.there, self.total.games
        self._add_kept()
        meta = {**self.meta, "command": self.ask.command, "kind": kind}
        took = self.before + (seconds if played or not there else 0.0)
        meta |= {"decisions": self.total.decisions, "wall_seconds": round(took, 3)}
        results = _results(self.request, self.total, meta, self.folder, self.temporary)
        results.kept, results.seconds = there, seconds
        self.total, self.finished = Sum(len(self.request.rotations)), True
        self.release()
        return results

    def _add_kept(self) -> None:
        if self.folder is None or not self.kept:
            return
        like = tallies_of(self.request)
        for one, tallies in journal.tallies(self.folder, self.request.key, self.kept, like):
            self.total.add(Done(one.block, tallies, one.decisions, None))

    def release(self) -> None:
        """Let others have the folder."""
        for lock in self.locks:
            lock.release()
        self.locks.clear()

    def played_by(self) -> list[Policy]:
        """The very policies that played here, by seat at rotation 0."""
        return Job(self.request, None).load()[1]

    def discard(self) -> None:
        """Remove the folder of a run that began here, and has come to nothing."""
        if self.folder is not None and self.fresh:
            folder.discard(self.folder)


def run(
    request: Request,
    out: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    command: str = "",
    meanwhile: Callable[[], None] | None = None,
    told: Mapping[str, Any] | None = None,
) -> Results:
    """Play a run and return its results; with `out`, the folder holds run.json, games and tallies.

    A folder that holds games of this run already keeps them, and only the others are played.
    As `run_all`; Interrupted holds the finished part.
    """
    found: list[Results] = []

    def ready(_: int, results: Results) -> None:
        found.append(results)

    try:
        run_all([Ask(request, out, command, told=told or {})], ready, jobs, progress, meanwhile)
    except Interrupted:
        raise Interrupted(found[0] if found else None) from None
    except Halted as error:
        raise with_hint(error, out) from error
    return found[0]


def with_hint(error: Halted, out: Path | None) -> Halted:
    """The error with the command that goes on with what was kept, if anything was."""
    if not error.games or out is None:
        return error
    kept = "The game" if error.games == 1 else f"The {error.games:,} games"
    kept += " finished so far " + ("is" if error.games == 1 else "are") + " kept"
    found = type(error)(f"{error} {kept}; when that is mended, go on with: {saved.resume_command(out)}")
    found.games = error.games
    return found


def run_all(
    asks: Sequence[Ask],
    ready: Callable[[int, Results], None],
    jobs: int | None = None,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
    begin: Callable[[], None] | None = None,
) -> None:
    """Play several runs with one crew and hand out the results of each as soon as it is finished.

    ready: called with the number of a finished run and its results, which nobody else holds; workers go on
    meanwhile. Runs get finished about in their order, not strictly so.
    jobs: processes in all (None: one a core, or what the backend has, see `backends`). It changes the time a
    run takes and nothing else.
    progress: called with games done and games in all (of all runs), after every block, and before the first
    one if games were there already.
    meanwhile: called once if worker processes are started, while these play (say, to import what is slow).
    begin: called once all folders are found to be right, before what is in them is changed.

    Raises UserError before anything is played if a folder cannot be used, PolicyError if a policy breaks its
    contract, and Halted (with `games`, how many are kept) if there is no room, or nobody to play. If the user
    stops it, runs with finished blocks are handed out as partial ones, then Interrupted (a KeyboardInterrupt)
    is raised.
    """
    if jobs is not None:
        jobs = check_number("jobs", jobs, 1, MAX_JOBS)
    with backends.team() as team:
        crew = Crew(Pile(team.size(jobs)), team, jobs is not None, meanwhile)
        _run_all(crew, asks, ready, progress, begin)


def _run_all(
    crew: Crew,
    asks: Sequence[Ask],
    ready: Callable[[int, Results], None],
    progress: Progress | None,
    begin: Callable[[], None] | None,
) -> None:
    since = time.perf_counter()
    runs: list[Run] = []

    def finish(number: int) -> None:
        nonlocal since
        check_still_steady(runs[number].request, runs[number].played_by())
        now = time.perf_counter()
        results, since = runs[number].finish(now - since), now
        ready(number, results)

    try:
        for ask in asks:
            check_steady(ask.request)
            runs.append(Run.prepare(ask))
        if begin is not None:
            begin()
        for one in runs:
            one.begin()
        crew.left.add(_tasks(runs))
        with CtrlC() as ctrl_c:
            _play(crew, runs, ctrl_c, finish, progress)
    except KeyboardInterrupt:
        with workers.no_ctrl_c():  # pressed again, it would lose what there is
            crew.stop()
            _keep(runs, finish, _finished(runs))
        raise Interrupted(None) from None
    except PolicyError:
        crew.stop()
        for one in runs:
            if not one.finished:
                one.discard()
        raise
    except BaseException as error:
        crew.stop()
        games = _finished(runs)
        with suppress(UserError):  # what cannot be written now is made of the journal later
            _keep(runs, lambda number: runs[number].finish(time.perf_counter() - since), games)
        if isinstance(error, Halted):
            error.games = games
        raise
    finally:
        for one in runs:
            one.release()


def _finished(runs: Sequence[Run]) -> int:
    """How many games of runs that are stopped are finished."""
    for one in runs:
        if not one.finished:
            one.look_again()
    return sum(one.request.n if one.finished else one.games for one in runs)


def _keep(runs: Sequence[Run], finish: Callable[[int], object], games: int) -> None:
    """Keep what is finished of runs that are stopped, as partial ones; if there are no games, nothing."""
    for number, one in enumerate(runs):
        if not one.finished and one.games:
            finish(number)
        elif not one.finished and not games:
            one.discard()


def _tasks(runs: Sequence[Run]) -> Iterator[Task]:
    """What is left of all runs, in order."""
    for number, one in enumerate(runs):
        # A worker may have been started in another folder than this process is in now.
        job = Job(one.request, None if one.folder is None else one.folder.absolute(), one.owner)
        yield from (Task(number, job, block) for block in one.left)
        one.left = []


def _play(
    crew: Crew,
    runs: Sequence[Run],
    ctrl_c: CtrlC,
    finish: Callable[[int], None],
    progress: Progress | None,
) -> None:
    """Add up the blocks as they get ready; finish each run with its last one."""
    games, planned = sum(one.games for one in runs), sum(one.request.n for one in runs)
    if progress is not None and games:
        progress(games, planned)
    for number, one in enumerate(runs):
        if one.games == one.request.n:  # nothing was left to play
            finish(number)
    for task, done in crew.play():
        one = runs[task.run]
        with ctrl_c.hold():
            one.total.add(done)
        games += done.block.games
        if progress is not None:
            progress(games, planned)
        if one.games == one.request.n:
            finish(task.run)


def _place(ask: Ask) -> tuple[Path | None, tempfile.TemporaryDirectory[str] | None]:
    """Where parts go: the user's folder, memory (None), or a folder that lives as long as the results."""
    if ask.out is not None or ask.request.n <= MEMORY_GAMES:
        return ask.out, None
    temporary = tempfile.TemporaryDirectory(prefix="analyzer-")
    return Path(temporary.name), temporary


def _results(
    request: Request,
    total: Sum,
    meta: dict[str, Any],
    place: Path | None,
    temporary: tempfile.TemporaryDirectory[str] | None,
) -> Results:
    from analyzer.sim.results import Results

    tallies = {name: tally.frame() for name, tally in total.tallies.items()}
    if place is None:
        games = parts.as_frame_columns(total.columns, labels_of(request.make_game()))
        return Results(meta, tallies, games=games)
    parts.keep_parts(place, total.blocks)
    results = Results(meta, tallies, folder=place)
    results.save(place)
    if temporary is not None:
        weakref.finalize(results, temporary.cleanup)
    return results
