"""The folder of a run (or of a series): what may be in it, who may write to it, how it begins and is cleared.

A folder is taken if it is new, empty, or holds the same run, which then goes on. Nothing outside it is ever
written or removed: a link in the place of something of ours is refused.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from analyzer.disk import LOCK, Lock, draft_of, hold, is_plain, refused, write_whole
from analyzer.errors import UserError, clip
from analyzer.sim import saved
from analyzer.sim.journal import JOURNAL
from analyzer.sim.parts import GAMES

RUN, SERIES = "run.json", "series.json"
MADE = ("tallies", "tables", "plots", "report.html")  # made of the games and the journal, whenever wanted
OURS = (GAMES, *MADE, JOURNAL, RUN)  # all that a run's folder may hold

TOLD = ("game", "players", "n", "seed")  # what an error says of another run
DIFFERENT = {  # what makes it another one, in words
    "game": "game",
    "axes": "axes",
    "players": "players",
    "policies": "policies",
    "policy_digests": "the policies' source",
    "digest": "settings",
    "seed": "seed",
    "block": "block",
    "duplicate": "duplicate deals",
    "engine": "the program's own source, which decides how the game is played",
}


def take(
    folder: Path,
    meta: Mapping[str, Any],
    record: str = RUN,
    ours: Sequence[str] = OURS,
    owner: Lock | None = None,
) -> tuple[dict[str, Any] | None, list[Lock]]:
    """Hold the folder for the run (or series) of `meta`, before anything is played.

    record: the file that tells what the folder holds; ours: all that the folder may hold. owner: the lock of
    the series that the run belongs to; then it needs none of its own.
    Returns what the record tells if the same run is there already (None if the folder is new or empty), and
    the locks, to be released at the end.
    Raises UserError if the folder holds something else, is in use, or cannot be written; nothing in it is
    changed then.
    """
    _same(folder, meta, record, ours)
    locks: list[Lock] = []
    new = not folder.exists()
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(folder, error) from error
        if owner is None:
            if record == RUN and (folder.absolute().parent / SERIES).is_file():
                locks.append(hold(folder.absolute().parent))  # a setting: its series may be going on
            locks.append(hold(folder))
        found = _same(folder, meta, record, ours)  # nobody else changes it from now on
        _clear_drafts(folder, ours)
    except BaseException:
        for lock in locks:
            lock.release()
        if new:
            with suppress(OSError):
                folder.rmdir()
        raise
    return found, locks


def begin(folder: Path, meta: Mapping[str, Any], record: str = RUN, made: Sequence[str] = MADE) -> None:
    """Mark the run as not finished, and remove what was made of the games it had. Raises DiskError."""
    text = json.dumps({"format": saved.FORMAT, **meta, "kind": "unfinished"}, default=str, ensure_ascii=False)
    try:
        write_whole(folder / record, text.encode())
        for name in made:
            _remove(folder / name)
        if record == RUN:
            (folder / GAMES).mkdir(exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error


def discard(folder: Path, ours: Sequence[str] = OURS) -> None:
    """Remove what a run that failed has left; the folder too, if nothing else is in it."""
    if folder.is_symlink() and not folder.exists():
        return
    with suppress(OSError):
        _clear_drafts(folder, ours)
        for name in ours:
            _remove(folder / name)
        if {path.name for path in folder.iterdir()} <= {LOCK}:
            (folder / LOCK).unlink(missing_ok=True)
            folder.rmdir()


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def _same(folder: Path, meta: Mapping[str, Any], record: str, ours: Sequence[str]) -> dict[str, Any] | None:
    """What the record tells of the same run; None if the folder is new or empty. Raises UserError else."""
    try:
        if folder.is_symlink() and not folder.exists():
            raise UserError(f"{folder} is a link to {folder.readlink()}, which is not there.")
        if not folder.exists():
            return None
        if not folder.is_dir():
            raise UserError(f"{folder} is a file; the output needs a folder of its own.")
        names = sorted(_content(folder, ours))
    except OSError as error:
        raise refused(folder, error) from error
    if not names:
        return None
    told = ", ".join(map(clip, names[:4]))
    other = f"{folder} holds something else ({told}); choose a new or empty folder."
    if record not in names or set(names) - set(ours):
        raise UserError(other)
    for name in names:
        if (folder / name).is_symlink():
            raise UserError(f"{folder / name} is a link; the folder of a run holds files of its own only.")
        if not is_plain(folder / name) and not (folder / name).is_dir():
            raise UserError(f"{folder / name} is no ordinary file. Remove it, or choose another folder.")
    found = saved.read_json(folder / record)
    if "key" not in found:
        raise UserError(other)
    if found["key"] != meta["key"]:
        told = ", ".join(f"{name} {found[name]}" for name in TOLD if name in found)
        wrong = [word for name, word in DIFFERENT.items() if found.get(name) != meta.get(name)]
        why = f"; it differs in {', '.join(wrong)}" if wrong else ""
        raise UserError(
            f"{folder} holds another run ({told}{why}); choose a new or empty folder, or remove it."
        )
    return found


def _content(folder: Path, ours: Sequence[str]) -> Iterator[str]:
    """The names in a folder, but for the lock and the drafts of ours."""
    for path in folder.iterdir():
        if path.name != LOCK and draft_of(path.name) not in ours:
            yield path.name


def _clear_drafts(folder: Path, ours: Sequence[str]) -> None:
    """Remove what a killed process had begun to write."""
    for path in folder.iterdir():
        if draft_of(path.name) in ours and not path.is_dir():
            path.unlink(missing_ok=True)
    for name in ours:
        if (folder / name).is_dir():
            for path in (folder / name).iterdir():
                if draft_of(path.name) and not path.is_dir():  # a folder is no draft of ours
                    path.unlink(missing_ok=True)
