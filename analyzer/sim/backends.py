"""The other backends of joblib, as teams: threads, a dask scheduler's workers, a ray cluster.

A backend is asked for by `use` (the option --backend), or as for every other program that plays through
joblib: `with joblib.parallel_config(backend="dask"): ...`. joblib makes it; blocks are handed to what stands
behind it one by one, since a block whose helper dies is played again (joblib.Parallel would give up there).
No result depends on it.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any

from analyzer.errors import TeamError, UserError, argument, nearest
from analyzer.sim.workers import Loky, Team

CONNECT = 10  # seconds to find the scheduler, and then a worker
ANSWER = 5  # seconds for an answer to what is only told
GONE = 60  # seconds without any worker after which a run ends
ADDRESS = re.compile(r"(?:[a-z]{2,6}://)?[\w.\-\[\]:%]{1,255}:\d{1,5}|auto")


class Threads(Team):
    """Threads of the calling process: they share its memory, and take turns where Python is at work."""

    name = "threading"
    threads = True

    def start(self, helpers: int) -> None:
        self.close()
        self.pool = ThreadPoolExecutor(helpers, thread_name_prefix="analyzer")

    def kill(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=True, cancel_futures=True)  # a thread ends with the block it is at

    close = kill


class Dask(Team):
    """The workers of a dask scheduler. joblib's backend of that name holds the client."""

    name = "dask"
    plays, apart = False, True

    def __init__(self, scheduler: str | None = None, backend: Any = None) -> None:
        super().__init__()
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        self.unseen = (CommClosedError, CancelledError, FutureCancelledError)
        self.hopeless = (KilledWorker,)  # dask has tried it several times by then
        # What happens to the cluster is told in our own words, when it matters.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self.address, self.ours = scheduler or "the client that stands", backend is None
        self.client = (backend or self._connected(scheduler)).client
        self.seen = time.monotonic()

    @staticmethod
    def _connected(scheduler: str | None) -> Any:
        import dask
        from joblib.parallel import get_active_backend, parallel_config

        try:
            times = {"distributed.comm.timeouts.connect": f"{CONNECT}s"}
            with dask.config.set(times), parallel_config("dask", scheduler_host=scheduler):
                return get_active_backend()[0]
        except (OSError, ValueError, TimeoutError) as error:
            if scheduler is None:
                raise UserError(
                    f"The backend dask needs an address ({argument('scheduler')}); a scheduler is started "
                    "by: dask scheduler"
                ) from None
            raise UserError(f"No dask scheduler answers at {scheduler}: {_line(error)}") from error

    def size(self, jobs: int | None) -> int:
        with suppress(TimeoutError):
            self.client.wait_for_workers(1, timeout=CONNECT)
        cores = sum(self.client.ncores().values())
        if not cores:
            raise UserError(
                f"The dask scheduler at {self.address} has no worker, even after {CONNECT} seconds; "
                f"start some with: dask worker {self.client.scheduler.address}"
            )
        return min(cores, jobs or self.jobs or cores)

    def start(self, helpers: int) -> None:
        self.pool = self.client.get_executor(pure=False)

    def check(self) -> None:
        if self.client.status in ("closing", "closed"):  # dask itself has tried to find it again
            raise TeamError(f"The dask scheduler at {self.address} is gone.")
        with suppress(Exception):
            if self.client.status == "running" and self.client.ncores():
                self.seen = time.monotonic()
                return
        if time.monotonic() - self.seen > GONE:
            raise TeamError(f"No worker of {self.address} has been there for {GONE} seconds.")

    def waits_for(self) -> str:
        with suppress(Exception):  # it is only told, and only if it is sure
            keys = [one.key for one in self.pool._futures if not one.done()]
            ask = self.client.scheduler.call_stack  # of our blocks, those that somebody is at
            if keys and not self.client.sync(ask, keys=keys, callback_timeout=ANSWER):
                return f"the dask scheduler at {self.address}"
        return ""

    def kill(self) -> None:
        with suppress(Exception):
            self.pool.shutdown(wait=False)  # cancels what is left; a worker ends with the block it is at

    def close(self) -> None:
        if self.ours:
            with suppress(Exception):
                self.client.close()


class Ray(Team):
    """The workers of a ray cluster, or of one that is started on this machine for the while."""

    name = "ray"
    plays, apart = False, True

    def __init__(self, scheduler: str | None = None) -> None:
        super().__init__()
        import ray

        self.ray, self.ours = ray, not ray.is_initialized()
        self.unseen = (ray.exceptions.RaySystemError, CancelledError)
        self.hopeless = (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError)
        if self.ours:
            try:
                ray.init(address=scheduler or "local", log_to_driver=False, logging_level="ERROR")
            except (OSError, ValueError, RuntimeError) as error:
                raise UserError(f"No ray cluster answers at {scheduler}: {_line(error)}") from error
        # A worker that dies costs its blocks' time: ray itself begins these again.
        self.remote = ray.remote(num_cpus=1, max_retries=3)(_call)

    def size(self, jobs: int | None) -> int:
        cores = int(self.ray.cluster_resources().get("CPU", 0))
        if not cores:
            raise UserError("The ray cluster has no CPU to play on.")
        return min(cores, jobs or self.jobs or cores)

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        return self.remote.remote(function, *args).future()

    def waits_for(self) -> str:
        with suppress(Exception):  # it is only told, and only if it is sure
            from ray.util.state import list_tasks

            job = self.ray.get_runtime_context().get_job_id()
            running = [("job_id", "=", job), ("state", "=", "RUNNING")]
            if not list_tasks(filters=running, timeout=ANSWER):
                return "the ray cluster"
        return ""

    def close(self) -> None:
        if self.ours:
            self.ray.shutdown()

    kill = close


def _call(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


# ---------------------------------------------------------------- which one

LIBRARIES = {"dask": "distributed", "ray": "ray"}  # backend -> the library without which it is not there
BACKENDS: dict[str, Callable[[str | None], Team]] = {
    "loky": lambda _: Loky(),
    "threading": lambda _: Threads(),
    "dask": Dask,
    "ray": Ray,
}
_asked: list[Callable[[], Team]] = []  # of `use`, the innermost last


@contextmanager
def use(backend: str, scheduler: str | None = None) -> Iterator[None]:
    """Play everything within by this backend: `loky`, `threading`, `dask` or `ray`. It is called up when the
    first block is played, and stands until the end.

    scheduler: for dask (needed, unless a client stands already) and ray (without: on this machine alone), the
    address `host:port`, with a protocol in front of it if it needs one (`tls://`, `ray://`).
    Raises UserError for an unknown backend, a library that is not installed, or a scheduler that is none.
    """
    made: list[Team] = []
    _check(backend, scheduler)

    def called() -> Team:
        if not made:
            made.append(BACKENDS[backend](scheduler))
        return made[0]

    _asked.append(called)
    try:
        yield
    finally:
        _asked.remove(called)
        for one in made:
            one.close()


def _check(backend: str, scheduler: str | None) -> None:
    if backend not in BACKENDS:
        raise nearest(backend, BACKENDS, "backend")
    library = LIBRARIES.get(backend)
    if library is None and scheduler is not None:
        raise UserError(f"The backend {backend} has no scheduler; only {', '.join(LIBRARIES)} has one.")
    if library is not None and find_spec(library) is None:
        raise UserError(f"The backend {backend} is not installed: pip install 'wargame-analyzer[{backend}]'")
    if scheduler is not None and not ADDRESS.fullmatch(scheduler):
        raise UserError(
            f"{scheduler!r} is no address of a scheduler; host:port, such as tcp://127.0.0.1:8786."
        )


@contextmanager
def team() -> Iterator[Team]:
    """The team to play with: what `use` asked for, else what joblib's own configuration says, else loky."""
    if _asked:
        yield _asked[-1]()
        return
    found = _of_joblib() if "joblib" in sys.modules else Loky()
    try:
        yield found
    finally:
        found.close()


def _of_joblib() -> Team:
    """The team of a `joblib.parallel_config` that the caller's program stands in, with its `n_jobs`."""
    from joblib.parallel import get_active_backend

    backend, jobs = get_active_backend()
    found = KINDS.get(type(backend).__name__)
    if found is None:
        raise UserError(
            f"joblib is set to the backend {type(backend).__name__}, by which no games can be played. "
            f"Known: {', '.join(BACKENDS)}."
        )
    made = found(backend)
    if jobs is not None and jobs > 0:
        made.jobs = int(jobs)
    return made


# joblib's class -> the team that stands for it
KINDS: dict[str, Callable[[Any], Team]] = {
    "LokyBackend": lambda _: Loky(),
    "SequentialBackend": lambda _: Loky(jobs=1),
    "ThreadingBackend": lambda _: Threads(),
    "DaskDistributedBackend": lambda backend: Dask(backend=backend),
    "RayBackend": lambda _: Ray(),
}
