"""Ways to spoil the folder of a run: records, journal, Parquet files, and what stands in a file's place."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from analyzer.sim import journal
from tests.fuzz import hostile

Tell = Callable[[str], object]
Spoiler = Callable[[Path, Path, Random], str]

ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        100,
        2**31,
        2**63,
        2**64,
        -(2**63),
        10**30,
        10**400,
        0.5,
        1e308,
        -0.0,
    ),
    *("", "x", "0" * 64, "complete", "partial", "unfinished", "../..", "/etc/passwd", "a/b", "x" * 5000),
    *("=1", "\0", "\n", "\x1b[2J", "\u202e", "\ud800", "<b>", "moscow", "kraskar", "os", "analyzer.games"),
    *(
        [],
        {},
        [[]],
        [{}],
        [None],
        ["a"],
        [1, 2, 3],
        {"": 1},
        {"a": {"b": []}},
        [["balanced"] * 4],
        list(range(200)),
    ),
]


def _files(folder: Path) -> list[Path]:
    """All ordinary files of a folder that are not huge, in a fixed order."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return [path for path in found if path.stat().st_size < 2**24]


def _some(folder: Path, rng: Random, *ends: str) -> Path:
    found = [path for path in _files(folder) if path.name.endswith(ends)]
    # Records decide most: they come up as often as all other files together.
    records = [path for path in found if path.name in ("run.json", "series.json", "journal.jsonl")]
    return rng.choice(records if records and rng.random() < 0.5 else found)


# ---------------------------------------------------------------- JSON


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*at, key)
            yield from _places(part, (*at, key))


def _change(told: Any, outside: Path, rng: Random) -> str:
    """Change, remove or add one value somewhere in JSON data."""
    places = list(_places(told))
    # What stands at the top of a record is as likely as all that is deep in its config.
    top = [place for place in places if len(place) <= 2]
    place = rng.choice(top if rng.random() < 0.6 else places)
    holder = told
    for step in place[:-1]:
        holder = holder[step]
    match rng.random():
        case less if less < 0.1:
            del holder[place[-1]]
            return f"without {place}"
        case less if less < 0.2 and isinstance(holder, list):
            holder.append(holder[place[-1]])
            return f"{place} twice"
        case less if less < 0.25:
            evil = str(outside / "evil.py")
            holder[place[-1]] = rng.choice([f"{evil}:Evil", [f"{evil}:Evil"] * 4, "evil:Evil", str(outside)])
        case less if less < 0.45 and type(holder[place[-1]]) in (int, float):
            old = holder[place[-1]]
            holder[place[-1]] = rng.choice([old + 1, old - 1, -old, old * 2, old * 10**6, old / 2])
        case less if less < 0.55:
            other = told
            for step in rng.choice(places):
                other = other[step]
            holder[place[-1]] = json.loads(json.dumps(other))
        case _:
            holder[place[-1]] = rng.choice(ODD)
    return f"{place} is {str(holder[place[-1]])[:60]!r}"


def record(folder: Path, outside: Path, rng: Random) -> str:
    """Other values in run.json or series.json."""
    path = rng.choice([path for path in _files(folder) if path.name in ("run.json", "series.json")])
    told = json.loads(path.read_text())
    what = [_change(told, outside, rng) for _ in range(rng.choice([1, 1, 1, 2, 4]))]
    path.write_bytes(json.dumps(told).encode("utf-8", "surrogatepass"))
    return f"{path.name}: {'; '.join(what)}"


def text(folder: Path, outside: Path, rng: Random) -> str:
    """The text of a record changed, so that it may be JSON no more."""
    path = _some(folder, rng, ".json", ".jsonl")
    found = path.read_text()
    start = rng.randint(0, len(found))
    end = min(len(found), start + rng.choice([0, 0, 1, 5, 100]))
    more = [
        hostile.value(rng),
        '{"a":' * 2000,
        "[" * 100_000,
        "NaN",
        "1" * 5000,
        '"\\ud800"',
        "1e999",
        found[:200],
        "",
    ]
    path.write_bytes((found[:start] + rng.choice(more) + found[end:]).encode("utf-8", "surrogatepass"))
    return f"{path.name} at {start}"


def line(folder: Path, outside: Path, rng: Random) -> str:
    """A line of the journal changed, with the checksum that it needs: everybody can compute it."""
    paths = [path for path in _files(folder) if path.name == "journal.jsonl"]
    path = rng.choice(paths)
    record = rng.choice([one for one in _files(path.parent) if one == path.parent / "run.json"])
    key = json.loads(record.read_text())["key"]
    lines = [one for one in path.read_bytes().split(b"\n") if one]
    number = rng.randrange(len(lines))
    told = json.loads(lines[number][journal.CHECK + 1 :])
    what = _change(told, outside, rng)
    raw = json.dumps(told).encode("utf-8", "surrogatepass")
    lines[number] = journal._checksum(key, raw) + b" " + raw
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    path.write_bytes(b"\n".join(lines) + b"\n")
    return f"line {number}: {what}"


# ---------------------------------------------------------------- bytes, Parquet


def raw(folder: Path, outside: Path, rng: Random) -> str:
    """Bytes of any file changed, cut off, or more of them."""
    path = _some(folder, rng, "")
    found = bytearray(path.read_bytes())
    for _ in range(rng.choice([0, 1, 1, 3, 20])):
        if found:
            found[rng.randrange(len(found))] = rng.randrange(256)
    if rng.random() < 0.3:
        found = found[: rng.randint(0, len(found))]
    if rng.random() < 0.1:
        found += rng.randbytes(50)
    path.write_bytes(found)
    return path.name


def table(folder: Path, outside: Path, rng: Random) -> str:
    """A Parquet file with other columns, types or numbers."""
    path = _some(folder, rng, ".parquet")
    found = pq.read_table(path)
    names, rows = found.column_names, found.num_rows
    where = rng.randrange(len(names))
    what = rng.choice(["drop", "rename", "add", "type", "value", "value", "value", "rows", "nulls", "twice"])
    match what:
        case "drop":
            found = found.drop_columns([names[where]])
        case "rename":
            found = found.rename_columns(
                [
                    rng.choice(["x", "=1", "\x1b[2J", "n", ""]) if i == where else n
                    for i, n in enumerate(names)
                ]
            )
        case "add":
            found = found.append_column(
                rng.choice(["x", "<b>", "seat"]),
                pa.array(rng.choice([[0], ["a"], [0.5], [None], [[1]], [b"x"]]) * rows),
            )
        case "twice":
            found = found.append_column(names[where], found.column(where))
        case "rows":
            found = rng.choice(
                [found.slice(0, rows // 2), found.slice(0, 0), pa.concat_tables([found, found])]
            )
        case "nulls":
            found = found.set_column(where, names[where], pa.array([None] * rows, found.schema.types[where]))
        case "type":
            kind = rng.choice([pa.int8(), pa.float64(), pa.string(), pa.bool_(), pa.int64(), pa.binary()])
            try:
                found = found.set_column(where, names[where], found.column(where).cast(kind))
            except pa.ArrowException:
                what = "nothing"
        case _:
            values = found.column(where).to_pylist()
            odd = rng.choice(
                [-1, 0, 1, 3, 99, 127, 2**31, 2**62, -(2**63), float("nan"), 1e300, "=x", "\x1b", None]
            )
            if values:
                values[rng.randrange(len(values))] = odd
            try:
                found = found.set_column(where, names[where], pa.array(values))
            except (pa.ArrowException, OverflowError):
                what = "nothing"
    pq.write_table(found, path, row_group_size=rng.choice([1, 3, 2**20]))
    return f"{path.parent.name}/{path.name}: {what} {names[where]}"


def swap(folder: Path, outside: Path, rng: Random) -> str:
    """A file of ours in the place of another one."""
    one, other = rng.choice(_files(folder)), rng.choice(_files(folder))
    one.write_bytes(other.read_bytes())
    return f"{other.name} in the place of {one.name}"


# ---------------------------------------------------------------- what stands in a file's place


def place(folder: Path, outside: Path, rng: Random) -> str:
    """Nothing, a link, a pipe, a folder, or a file of a terabyte in the place of something."""
    everything = sorted(path for path in folder.rglob("*") if not path.is_symlink())
    path = rng.choice(everything)
    what = rng.choice(
        ["gone", "link out", "link out", "link to nothing", "loop", "pipe", "folder", "huge", "up", "empty"]
    )
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    match what:
        case "link out":
            path.symlink_to(rng.choice([outside, outside / "run.json", outside / "part-000000-00.parquet"]))
        case "link to nothing":
            path.symlink_to(outside / "nothing")
        case "loop":
            path.symlink_to(path)
        case "up":
            path.symlink_to("..")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "empty":
            path.write_bytes(b"")
        case "huge":
            with open(path, "wb") as file:
                file.truncate(2**40)
    return f"{path.name}: {what}"


def more(folder: Path, outside: Path, rng: Random) -> str:
    """Something else in the folder, under a hostile name."""
    below = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    inside = rng.choice([folder, *below])
    names = [
        *("x.parquet", "=1.parquet", "\x1b[2J.parquet", "\u202e.parquet", "a\nb.parquet", ".lock", "x.py"),
        *("part-000000-99.parquet", "part-999999-00.parquet", ".run.json.1.tmp", "study.json", "series.json"),
        *("report.html", "tables"),
    ]
    path = inside / rng.choice(names)
    if path.exists():
        return "nothing"
    match rng.randrange(4):
        case 0:
            path.write_bytes(rng.choice(_files(folder)).read_bytes())
        case 1:
            path.symlink_to(outside)
        case 2:
            path.mkdir()
        case _:
            path.write_bytes(rng.randbytes(20))
    return f"{path.name} in {inside.name}"


WAYS: list[Spoiler] = [record, record, record, text, line, line, raw, table, table, swap, place, place, more]


def spoil(folder: Path, outside: Path, rng: Random, tell: Tell = lambda _: None) -> str:
    """Spoil the folder in one way or several; the name of the first."""
    first = ""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        way = rng.choice(WAYS)
        try:
            tell(f"{way.__name__}: {way(folder, outside, rng)}")
        except (
            OSError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            MemoryError,
            RecursionError,
            ArithmeticError,
            pa.ArrowException,
        ) as error:
            tell(
                f"{way.__name__}: nothing more can be spoiled ({type(error).__name__})"
            )  # by what came before
        first = first or way.__name__
    return first
