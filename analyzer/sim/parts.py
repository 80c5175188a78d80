"""The games of a run on disk: one Parquet part a block, written whole by the process that played it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import UserError
from analyzer.sim.seating import Block

RUN, GAMES = "run.json", "games"
_OURS = (GAMES, "tallies", "tables", "plots", "report.html", RUN)  # all that a run's folder may hold

TOLD = ("game", "players", "n", "seed")  # what an error says of another run

Columns = dict[str, NDArray[Any]]
PART = 25_000  # games in a file; a piece of a block begins where a file does


def game_columns(block: Block, played: Columns) -> Columns:
    """The columns of the games frame, each [game]: index, rotation, measures, then measures by seat.

    A measure [seat, game] named `km` becomes km_1, km_2, ...: the measures of a seat stand together.
    """
    columns: Columns = {
        "game": block.indices(),
        "rotation": np.full(block.games, block.rotation, np.uint8),
    }
    columns |= {name: values for name, values in played.items() if values.ndim == 1}
    by_seat = {name: values for name, values in played.items() if values.ndim == 2}
    for seat in range(max((len(values) for values in by_seat.values()), default=0)):
        columns |= {f"{name}_{seat + 1}": values[seat] for name, values in by_seat.items()}
    return columns


def part_path(folder: Path, part: Block) -> Path:
    """The file of at most PART games. Names sort in the order of the blocks (up to a million of them)."""
    return folder / GAMES / f"part-{part.number:06d}-{part.first // PART:02d}.parquet"


def write_parts(folder: Path, block: Block, columns: Columns, labels: dict[str, Iterable[str]]) -> None:
    """Write a block's games, PART to a file: the files are the same in whatever pieces it was played.

    block: whole, or a piece that begins where a file does.
    """
    for part in block.cut(PART):
        there = slice(part.first - block.first, part.first - block.first + part.games)
        write_part(part_path(folder, part), {name: values[there] for name, values in columns.items()}, labels)


def write_part(path: Path, columns: Columns, labels: dict[str, Iterable[str]]) -> None:
    """Write a file of games: whole or not at all. Code columns in `labels` are stored as words."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {
        name: pa.DictionaryArray.from_arrays(_numbers(values.astype(np.int8)), _words(labels[name]))
        if name in labels
        else _numbers(values)
        for name, values in columns.items()
    }
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(draft, "wb") as file:
            pq.write_table(pa.table(arrays), file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        draft.unlink(missing_ok=True)


# `pyarrow.array` would import pandas, to see whether it is given a frame: half a second in every worker.


def _numbers(values: NDArray[Any]) -> Any:
    """A pyarrow array of numbers or truth values (which pyarrow packs eight to a byte)."""
    import pyarrow as pa

    packed = np.packbits(values, bitorder="little") if values.dtype == bool else values
    buffer = pa.py_buffer(np.ascontiguousarray(packed))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, buffer])


def _words(words: Iterable[str]) -> Any:
    """A pyarrow array of words."""
    import pyarrow as pa

    texts = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(texts)))


def keep_parts(folder: Path, blocks: Iterable[Block]) -> None:
    """Remove every part but those of these blocks (or pieces), and every draft."""
    wanted = {part_path(folder, part).name for block in blocks for part in block.cut(PART)}
    for path in (folder / GAMES).iterdir():
        if path.name not in wanted:
            path.unlink(missing_ok=True)


def as_frame_columns(parts: Iterable[Columns], labels: dict[str, Iterable[str]]) -> dict[str, Any]:
    """The columns of all blocks, joined in the order of the game's index; code columns are categorical."""
    import pandas as pd

    listed = list(parts)
    order = np.argsort(np.concatenate([part["game"] for part in listed]), kind="stable")
    joined = {name: np.concatenate([part[name] for part in listed])[order] for name in listed[0]}
    return {
        name: pd.Categorical.from_codes(values.astype(np.int8), categories=pd.Index(list(labels[name])))
        if name in labels
        else values
        for name, values in joined.items()
    }


# ---------------------------------------------------------------- the folder of a run


def claim(
    folder: Path, key: str, meta: dict[str, Any], record: str = RUN, ours: Sequence[str] = _OURS
) -> None:
    """Make `folder` ready for the run (or series) with this key, before anything is played.

    record: the file that tells what the folder holds; ours: all that the folder may hold.
    A folder is taken if it is new, empty, or holds the same run, which is then replaced;
    what a stopped run has kept is not.
    Raises UserError if it holds something else or cannot be written.
    """
    check(folder, key, record, ours)
    try:
        for name in ours:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        if GAMES in ours:
            (folder / GAMES).mkdir(parents=True, exist_ok=True)
        text = json.dumps({**meta, "kind": "unfinished"}, default=str)
        (folder / record).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_writable(folder, error) from error


def check(folder: Path, key: str, record: str = RUN, ours: Sequence[str] = _OURS) -> None:
    """Raise UserError if this folder cannot take the run with this key. Nothing in it is changed."""
    try:
        if folder.is_symlink() and not folder.exists():
            raise UserError(f"{folder} is a link to {folder.readlink()}, which is not there.")
        if folder.exists():
            _check_content(folder, key, record, ours)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _not_writable(folder, error) from error


def _check_content(folder: Path, key: str, record: str, ours: Sequence[str]) -> None:
    if not folder.is_dir():
        raise UserError(f"{folder} is a file; the output needs a folder of its own.")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return
    other = f"{folder} holds something else ({', '.join(sorted(names)[:4])}); choose a new or empty folder."
    if record not in names or names - set(ours):
        raise UserError(other)
    try:
        found = json.loads((folder / record).read_text(encoding="utf-8"))
        held = found["key"]
    except (ValueError, TypeError, KeyError):
        raise UserError(other) from None
    if held != key:
        told = ", ".join(f"{name} {found[name]}" for name in TOLD if name in found)
        raise UserError(f"{folder} holds another run ({told}); choose a new or empty folder, or remove it.")
    if found.get("kind") == "partial":
        raise UserError(
            f"{folder} holds the finished games of this very run, which was stopped; they would be lost. "
            "Choose another folder, or remove this one."
        )


def _not_writable(folder: Path, error: OSError) -> UserError:
    return UserError(f"The folder {folder} cannot be written: {error.strerror or error}.")


def discard(folder: Path, ours: Sequence[str] = _OURS) -> None:
    """Remove what a run that failed has left; the folder too, if nothing else is in it."""
    for name in ours:
        path = folder / name
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
