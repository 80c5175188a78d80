"""The games of a run on disk: Parquet parts, each written whole by the process that played its last game."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.disk import draft_of, is_plain, refused, write_whole
from analyzer.errors import DiskError, UserError
from analyzer.sim.seating import Block

GAMES = "games"  # the folder of the parts
PART = 25_000  # games in a file: rows 0 to 24,999 of a block, and so on
MAX_BYTES = 2**30  # of a file

Columns = dict[str, NDArray[Any]]
_PART = re.compile(r"part-\d{5,}(-\d\d+)?\.parquet")


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
    return path_of(folder, part.number, part.first // PART)


def path_of(folder: Path, block: int, file: int) -> Path:
    """The file-th file of a block."""
    return folder / GAMES / f"part-{block:06d}-{file:02d}.parquet"


def files_of(block: Block) -> list[Block]:
    """The games of a block (or of a piece) by file: each but the last ends where a file does."""
    return block.cut(PART)


def write_parts(folder: Path, block: Block, columns: Columns, labels: dict[str, Iterable[str]]) -> list[str]:
    """Write a block's games: the files are the same in whatever pieces it was played. Returns their digests.

    block: whole, or a piece. If it begins within a file, this file must hold the games before it, and is
    written anew with both. Raises DiskError if there is no room, UserError if that file is damaged.
    """
    digests = []
    for part in files_of(block):
        there = slice(part.first - block.first, part.first - block.first + part.games)
        path, games = part_path(folder, part), {name: values[there] for name, values in columns.items()}
        if before := part.first % PART:
            games = _joined(_read_part(path, before, games, labels), games)
        digests.append(write_part(path, games, labels))
    return digests


def write_part(path: Path, columns: Columns, labels: dict[str, Iterable[str]]) -> str:
    """Write a file of games: whole or not at all; returns the digest of its bytes (see `digest`).

    Code columns in `labels` are stored as words.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {
        name: pa.DictionaryArray.from_arrays(_numbers(values.astype(np.int8)), _words(labels[name]))
        if name in labels
        else _numbers(values)
        for name, values in columns.items()
    }
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays), sink, compression="zstd")
    data = memoryview(sink.getvalue())
    try:
        write_whole(path, data)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror or error}.") from error
    return hashlib.sha256(data).hexdigest()


def digest(path: Path) -> str:
    """sha256 (hex) of a part's bytes, "" if it is not there, no ordinary file, or larger than any part."""
    with suppress(OSError):
        if is_plain(path) and path.stat().st_size <= MAX_BYTES:
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    return ""


def _read_part(path: Path, games: int, like: Columns, labels: dict[str, Iterable[str]]) -> Columns:
    """The columns of a file of so many games as they were written, in the types of `like`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        if table.num_rows != games or table.column_names != list(like):
            raise ValueError("it holds other games")
        return {
            name: _codes(table[name], labels[name]).astype(values.dtype)
            if name in labels
            else table[name].to_numpy().astype(values.dtype)
            for name, values in like.items()
        }
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise UserError(f"{path} is damaged ({error}); repeat the command.") from error


def _codes(words: Any, labels: Iterable[str]) -> NDArray[np.int8]:
    """The code of each word."""
    codes = {word: code for code, word in enumerate(labels)}
    found = words.combine_chunks()
    place = np.array([codes[word] for word in found.dictionary.to_pylist()], np.int8)
    return place[found.indices.to_numpy()]


def _joined(before: Columns, after: Columns) -> Columns:
    return {name: np.concatenate([before[name], values]) for name, values in after.items()}


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
    """Remove every part but those of these blocks (or pieces), and every draft. Raises DiskError."""
    wanted = {part_path(folder, part).name for block in blocks for part in files_of(block)}
    try:
        for path in (folder / GAMES).iterdir():
            ours = (_PART.fullmatch(path.name) or draft_of(path.name)) and not path.is_dir()
            if ours and path.name not in wanted:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise refused(folder / GAMES, error) from error


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
