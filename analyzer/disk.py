"""Files that are whole or absent, and a folder for one process at a time.

Knows nothing of runs. What is written goes to a draft beside it first, so that a process killed at any moment
leaves the old file or the new one, and perhaps a draft, which nobody reads (`draft_of`).
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from analyzer.errors import DiskError, UserError

LOCK = ".lock"  # its content tells whose the folder is
PATIENCE = 0.3  # seconds until a folder in use is refused: its owner may be about to end
_DRAFT = re.compile(r"\.(.+)\.\d+\.tmp")


def write_whole(path: Path, data: bytes | memoryview | Iterable[bytes], sync: bool = True) -> None:
    """Write a file so that it is whole or not there (with `sync` even if the machine stops meanwhile).

    Raises OSError. A link in the file's place is replaced, never followed.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.unlink(missing_ok=True)  # of a killed process with our number
        with open(draft, "xb") as file:
            file.writelines([data] if isinstance(data, bytes | memoryview) else data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def draft_of(name: str) -> str:
    """The name of the file that a draft of this name was to become, "" if it is none.

    A process that was killed leaves drafts behind.
    """
    found = _DRAFT.fullmatch(name)
    return found[1] if found else ""


def is_plain(path: Path) -> bool:
    """Whether this is an ordinary file: no link, no folder, nothing that one would wait for."""
    with suppress(OSError):
        return stat.S_ISREG(path.lstat().st_mode)
    return False


def own_folder(path: Path) -> None:
    """Make a folder if it is not there. Raises OSError, and UserError for a link, which may lead anywhere."""
    if path.is_symlink():
        raise UserError(f"{path} is a link; the folder of a run holds files of its own only.")
    path.mkdir(parents=True, exist_ok=True)


def refused(folder: Path, error: OSError) -> DiskError:
    """The words for a folder that cannot be written to."""
    return DiskError(f"The folder {folder} cannot be written: {error.strerror or error}.")


# ---------------------------------------------------------------- one process at a time


class Lock:
    """A folder held by this process. The operating system ends the hold with the process, however it ends."""

    def __init__(self, path: Path, file: int, token: str) -> None:
        self.path, self.file, self.token = path, file, token
        _held.add(self)

    def release(self) -> None:
        """Let others have the folder; the lock's file goes, too. Within `keeping` this waits for its end."""
        if self in _held and _kept is not None:
            if self not in _kept:
                _kept.append(self)
        elif self in _held:
            _held.discard(self)
            with suppress(OSError):
                self.path.unlink()
            os.close(self.file)


_held: set[Lock] = set()
_kept: list[Lock] | None = None  # those that are released, but held until the end of `keeping`


@contextmanager
def keeping() -> Iterator[None]:
    """Within it, a folder that a run releases stays held, so that its report can be written, too.

    Another run of this process may have it meanwhile.
    """
    global _kept
    before, _kept = _kept, []
    try:
        yield
    finally:
        found, _kept = _kept, before
        for lock in found:
            lock.release()


def _taken_up(path: Path) -> Lock | None:
    """The lock of this process that is kept for a folder and that nobody uses."""
    for lock in _kept or ():
        if os.path.abspath(lock.path) == os.path.abspath(path):
            assert _kept is not None
            _kept.remove(lock)
            return lock
    return None


def _forget() -> None:
    """In a copy of this process: let go of what the copied one holds, or the copy would hold on after it."""
    if _kept is not None:
        _kept.clear()
    for lock in _held:
        with suppress(OSError):
            os.close(lock.file)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def hold(folder: Path) -> Lock:
    """Hold a folder that is there. Raises UserError if another process does, DiskError if it cannot."""
    path = folder / LOCK
    if (ours := _taken_up(path)) is not None:
        return ours
    until = time.monotonic() + PATIENCE
    while True:
        try:
            if (file := _try(path)) is not None:
                token = f"{os.getpid()} {time.time_ns():x}"
                os.truncate(file, 0)
                os.write(file, token.encode())
                return Lock(path, file, token)
        except OSError as error:
            raise refused(folder, error) from error
        if time.monotonic() > until:
            owner = owner_of(path).partition(" ")[0]
            who = f" (process {owner})" if owner.isdecimal() else ""
            raise UserError(
                f"{folder} is in use by another run{who}; wait for its end, or choose another folder."
            )
        time.sleep(0.02)


def _try(path: Path) -> int | None:
    """The lock's file, open and locked by us; None if somebody else has it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.open(path, flags, 0o644)
    try:
        _lock(file)
        # Between opening and locking its owner may have removed it: then ours is no longer in the folder.
        if os.path.samestat(os.fstat(file), os.stat(path, follow_symlinks=False)):
            return file
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(file)
        raise
    os.close(file)
    return None


def _locker() -> Callable[[int], None]:
    """What locks an open file for this process alone, or raises BlockingIOError."""
    try:
        import fcntl
    except ImportError:  # Windows: a byte far behind what the file holds, so that others may read it
        import msvcrt

        def lock(file: int) -> None:
            os.lseek(file, 2**30, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            except OSError as error:
                raise BlockingIOError from error
            os.lseek(file, 0, os.SEEK_SET)

        return lock
    return lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_lock = _locker()


def owner_of(path: Path) -> str:
    """The token in a lock's file, "" if there is none."""
    with suppress(OSError, ValueError):
        if is_plain(path):
            with open(path, "rb") as file:
                return file.read(100).decode("ascii")
    return ""
