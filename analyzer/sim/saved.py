"""Reading a run's folder that anybody may have made: its record, its tallies and its parts, checked.

Whatever the files hold, there is a UserError in one line or what was expected: no link is followed, nothing
is read that is far larger than anything of ours, no number is believed that cannot be.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.disk import is_plain
from analyzer.errors import UserError, clip

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1  # of the folder; raised when an older reader could misread a newer run
NEEDED = ("game", "players", "policies", "rotations", "seed", "n")
KINDS = ("complete", "partial", "unfinished")

MAX_JSON = 2**24  # bytes of a record
MAX_GROUP = 2**20  # rows of a row group of games: pyarrow's own limit is this
MAX_GROUP_BYTES = 2**30  # of a row group, unpacked
MAX_TALLY = 2**23  # rows of a tally
MAX_TALLIES = 1000
MAX_SEATS = 100
MAX_GAMES = 10**12
ANEW = "Remove the folder, or run anew into another one."
MEND = "`analyze resume` with this folder plays again what is damaged."


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises UserError if it is none, too large, too deep, or has NaN in it."""
    if not is_plain(path):
        raise UserError(f"{path} is no ordinary file.")
    try:
        if path.stat().st_size > MAX_JSON:
            raise ValueError(f"more than {MAX_JSON:,} bytes")
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be written again
    except (OSError, ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UserError(f"{path} is damaged ({why}). {ANEW}") from error
    if not isinstance(found, dict):
        raise UserError(f"{path} is damaged (it is no JSON object). {ANEW}")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def resume_command(folder: Path) -> str:
    """The command that goes on with a run (or a series) that was stopped."""
    return shlex.join(["analyze", "resume", str(folder)])


# ---------------------------------------------------------------- the record


def read_meta(folder: Path) -> dict[str, Any]:
    """What run.json tells of a run. Raises UserError if it is none, or not of this version's format."""
    path = folder / "run.json"
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.")
    if not path.exists() and not path.is_symlink():
        raise UserError(f"{folder} is not the folder of a run: it holds no run.json.")
    meta = read_json(path)
    if any(key not in meta for key in NEEDED):
        raise UserError(f"{path} does not describe a run; it needs {', '.join(NEEDED)}.")
    version = meta.pop("format", None)
    if type(version) is not int or version != FORMAT:
        raise UserError(f"{path} has format {version!r}; this version of the program reads format {FORMAT}.")
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,60}", str(meta["game"])):
        raise UserError(f"{path} names no game: {meta['game']!r}.")
    check_types(path, meta)
    if any(len(row) != meta["players"] for row in meta["rotations"]):
        raise UserError(f"{path} is damaged: rotations name no policy for some seat.")
    return meta


def check_types(path: Path, meta: Mapping[str, Any]) -> None:
    """Raise UserError if a part of a record is of another type than it can be."""
    for name, right in _RIGHT.items():
        if name in meta and not right(meta[name]):
            raise UserError(f"{path} is damaged: {name} cannot be {_short(meta[name])}. {ANEW}")


def _whole(value: Any, low: int = 0, high: int = 2**63) -> bool:
    return type(value) is int and low <= value < high


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _assumption(value: Any) -> bool:
    """Whether it is one as a config tells them: a setting with its value, and what it may be."""
    if not isinstance(value, dict) or not {"key", "value", "default"} <= value.keys():
        return False
    allowed, choices = value.get("range"), value.get("options")
    texts = [value["key"], *(value.get(name) or "" for name in ("mark", "rule", "about"))]
    numbers = allowed is None or (
        isinstance(allowed, list) and len(allowed) == 2 and all(type(one) in (int, float) for one in allowed)
    )
    return _texts(texts) and numbers and (choices is None or isinstance(choices, list))


def _precision(value: Any) -> bool:
    """Whether it is what a run until a precision tells of that."""
    if not isinstance(value, dict) or not {"half", "plan", "looks"} <= value.keys():
        return False
    numbers = all(_whole(value.get(name, 1), 1, MAX_GAMES) for name in ("max_n", "plan", "looks"))
    return numbers and isinstance(value["half"], float) and 0 < value["half"] <= 0.5


_RIGHT: dict[str, Callable[[Any], bool]] = {
    "players": lambda value: _whole(value, 1, MAX_SEATS),
    "game": lambda value: isinstance(value, str),
    "axes": lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
    "policies": lambda value: _texts(value) and bool(value),
    "policy_digests": _texts,
    "rotations": lambda value: isinstance(value, list) and bool(value) and all(map(_texts, value)),
    "seed": _whole,
    "n": lambda value: _whole(value, 1, MAX_GAMES),
    "block": lambda value: _whole(value, 1, MAX_GAMES),
    "config": lambda value: isinstance(value, dict),
    "digest": lambda value: isinstance(value, str),
    "key": lambda value: isinstance(value, str),
    "engine": lambda value: isinstance(value, str),
    "command": lambda value: isinstance(value, str),
    "kind": lambda value: value in KINDS,
    "decisions": _whole,
    "wall_seconds": lambda value: type(value) in (int, float) and value >= 0,
    "versions": lambda value: isinstance(value, dict),
    "tallies": _texts,
    "precision": _precision,
    "assumptions": lambda value: isinstance(value, list) and all(map(_assumption, value)),
}


def seconds_of(meta: Mapping[str, Any]) -> float:
    """The seconds that a saved run took so far, 0 if it does not tell."""
    seconds = meta.get("wall_seconds")
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 1e9 else 0.0


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


# ---------------------------------------------------------------- tallies


def read_tallies(
    folder: Path, meta: Mapping[str, Any], named: Sequence[str] | None = None
) -> dict[str, pd.DataFrame]:
    """The tallies of a run by name. Raises UserError if one is none, or is not of the run of `meta`.

    named: those that the run has, as its record tells; what else lies there is none of it. None: all.
    """
    paths = sorted(_inside(folder, "tallies").glob("*.parquet"))
    if named is not None:
        paths = [path for path in paths if path.stem in named]
    if len(paths) > MAX_TALLIES:
        raise UserError(f"{folder} is damaged: it holds {len(paths):,} tallies.")
    for path in paths:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,60}", path.stem):
            raise UserError(f"{folder} is damaged: no tally is called {clip(path.stem)!r}.")
    tallies = {path.stem: _read_tally(path, meta) for path in paths}
    for name, needed in (("games", ()), ("shares", ("seat", "winners"))):
        if name not in tallies:
            raise UserError(f"{folder} is damaged: tallies/{name}.parquet is missing. {ANEW}")
        frame = tallies[name]
        for column in needed:
            values = frame.get(column)
            if (
                values is None
                or values.dtype.kind not in "iu"
                or not values.between(1, meta["players"]).all()
            ):
                raise UserError(f"{folder} is damaged: tallies/{name}.parquet has no right column {column}.")
    return tallies


def _inside(folder: Path, name: str) -> Path:
    """A folder in the run's folder. Raises UserError if it is a link."""
    if (folder / name).is_symlink():
        raise UserError(f"{folder / name} is a link; the folder of a run holds files of its own only.")
    return folder / name


def _read_tally(path: Path, meta: Mapping[str, Any]) -> pd.DataFrame:
    with _opened(path) as file:
        _check_groups(path, file, MAX_TALLY)
        names = file.schema_arrow.names
        if names[:1] != ["rotation"] or names[-1:] != ["n"] or len(set(names)) < len(names):
            raise UserError(f"{path} is no tally: its columns are {_short(', '.join(names))}.")
        frame: pd.DataFrame = _read(path, file)
    for name in names:
        kind = frame[name].dtype.kind
        if kind not in "iub" and (name in ("rotation", "n") or kind not in "fO"):
            raise UserError(f"{path} is no tally: {name} is of the type {frame[name].dtype}.")
        if frame[name].isna().any():
            raise UserError(f"{path} is damaged: {name} has empty places.")
    if not frame["rotation"].between(0, len(meta["rotations"]) - 1).all():
        raise UserError(f"{path} is damaged: it and run.json differ in their rotations.")
    if not frame["n"].between(0, 2**62 // max(len(frame), 1)).all():
        raise UserError(f"{path} is damaged: n cannot be {frame['n'].min()} or {frame['n'].max()}.")
    return frame


# ---------------------------------------------------------------- parts


def part_paths(folder: Path) -> list[Path]:
    """The Parquet files of the games, in order. Raises UserError for a link."""
    paths = sorted(_inside(folder, "games").glob("part-*.parquet"))
    for path in paths:
        if not re.fullmatch(r"part-\d{5,12}(-\d{2,12})?", path.stem):
            raise UserError(f"{folder} is damaged: no part of its games is called {clip(path.stem)!r}.")
    return paths


def rows_of(paths: Sequence[Path]) -> int:
    """The games in these parts together. Raises UserError if one is damaged or unlike the first."""
    rows, schema = 0, None
    for path in paths:
        with _opened(path) as file:
            _check_groups(path, file, MAX_GAMES)
            found = file.schema_arrow
            if schema is None:
                schema = found
                _check_columns(path, found)
            if not found.equals(schema):
                raise UserError(f"{path} is damaged: its columns are not those of {paths[0].name}.")
            rows += file.metadata.num_rows
    return rows


def _check_columns(path: Path, schema: Any) -> None:
    import pyarrow.types as types

    if len(set(schema.names)) < len(schema.names):
        raise UserError(f"{path} is damaged: two of its columns have the same name.")
    for column in schema:
        kind = column.type.value_type if types.is_dictionary(column.type) else column.type
        number = types.is_integer(kind) or types.is_boolean(kind) or types.is_floating(kind)
        if not (number or types.is_string(kind) or types.is_large_string(kind)):
            raise UserError(
                f"{path} is no part of a run: {_short(column.name)} is of the type {column.type}."
            )
    for name in ("game", "rotation"):
        if name not in schema.names or not types.is_integer(schema.field(name).type):
            raise UserError(f"{path} is no part of a run: it has no column {name} of whole numbers.")


def read_groups(path: Path, columns: Sequence[str] | None) -> Iterator[pd.DataFrame]:
    """The games of a part, a row group at a time. Raises UserError if it is damaged or lacks a column."""
    with _opened(path) as file:
        _check_groups(path, file, MAX_GAMES)
        for name in columns or ():
            if name not in file.schema_arrow.names:
                raise UserError(f"{path} has no column {name}. {ANEW}")
        for group in range(file.num_row_groups):
            yield _read(path, file, group, columns)


def _opened(path: Path) -> Any:
    """A Parquet file. Raises UserError if it is none, or no ordinary file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not is_plain(path):
        raise UserError(f"{path} is damaged (it is no ordinary file). {MEND}")
    try:
        return pq.ParquetFile(path)
    except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
        raise UserError(f"{path} is damaged ({_line(error)}). {MEND}") from error


def _check_groups(path: Path, file: Any, rows: int) -> None:
    """Raise UserError if the file is not made of row groups that can be read one by one."""
    found = file.metadata
    groups = [found.row_group(place) for place in range(found.num_row_groups)]
    sizes = [group.num_rows for group in groups]
    if found.num_rows > rows or sum(sizes) != found.num_rows or min(sizes, default=0) < 0:
        raise UserError(f"{path} is damaged: it cannot have {found.num_rows:,} rows. {MEND}")
    if max(sizes, default=0) > MAX_GROUP or any(not 0 <= g.total_byte_size < MAX_GROUP_BYTES for g in groups):
        raise UserError(f"{path} is damaged: a row group is far too large. {MEND}")


def _read(path: Path, file: Any, group: int | None = None, columns: Sequence[str] | None = None) -> Any:
    import pyarrow as pa

    wanted = None if columns is None else list(columns)
    try:
        table = file.read() if group is None else file.read_row_group(group, columns=wanted)
        expected = file.metadata.num_rows if group is None else file.metadata.row_group(group).num_rows
        if table.num_rows != expected:
            raise ValueError(f"it has {table.num_rows:,} rows, not {expected:,}")
        return table.to_pandas()
    except (OSError, ValueError, MemoryError, TypeError, KeyError, pa.ArrowException) as error:
        raise UserError(f"{path} is damaged ({_line(error)}). {MEND}") from error


def _line(error: BaseException) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
