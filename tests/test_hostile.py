"""Folders from strangers: whatever they hold, there is an error in one line, and nothing outside changes."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import analyzer
from analyzer import registry
from analyzer.errors import UserError
from analyzer.series import Series
from analyzer.sim import journal, resume, runner
from analyzer.sim.results import Results
from tests.test_runner import request


@pytest.fixture(autouse=True)
def _known(dice_race: str) -> None:
    pass


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, and a series."""
    registry.register_room(registry.Room("dice_race", "tests.toy"))
    home = tmp_path_factory.mktemp("good")
    runner.run(request(60, 20), home / "run", 1)
    analyzer.run("dice_race", "2,3", 20, jobs=1, out=home / "series")
    return home


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good / "run", tmp_path / "run"))


def refused(use: Callable[[], Any]) -> bool:
    """Whether it is refused; by a UserError in one line, or not at all."""
    said = ""
    try:
        use()
    except UserError as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 1500
    return bool(said)


def look(folder: Path) -> None:
    """Everything one does with a saved run that needs no game."""
    results = Results.load(folder).verified()
    results.win_rates(["seat", "policy"]), results.nobody(), results.n, repr(results), results.distinct
    assert len(results.games) == results.n or not results.parts()


def use(folder: Path) -> tuple[bool, bool]:
    """Whether it is refused to load the folder, and to go on with it."""
    return refused(lambda: look(folder)), refused(lambda: analyzer.resume(folder, jobs=1))


def rewrite(path: Path, **more: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **more}))


# ---------------------------------------------------------------- run.json

NO_JSON = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "half": b'{"game": "moscow", ',
    "a list": b"[]",
    "nested": b'{"game":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "nan": b'{"n": NaN}',
    "infinite": b'{"n": -Infinity}',
    "long number": b'{"n": ' + b"9" * 5000 + b"}",
    "half a character": b'{"game": "\\ud800"}',
    "huge": b" " * (2**24 + 1),
}


@pytest.mark.parametrize("name", NO_JSON)
@pytest.mark.parametrize("record", ["run.json", "series.json"])
def test_what_is_no_record_is_refused(good: Path, tmp_path: Path, record: str, name: str) -> None:
    kind = record.removesuffix(".json")
    folder = shutil.copytree(good / kind, tmp_path / kind)
    (folder / record).write_bytes(NO_JSON[name])
    assert refused(lambda: analyzer.resume(folder))
    assert refused(lambda: Results.load(folder) if kind == "run" else Series.load(folder))
    if kind == "run":
        assert refused(lambda: runner.run(request(60, 20), folder, 1))


KEYS = [
    *("game", "players", "config", "digest", "policies", "policy_digests", "rotations", "seed", "n"),
    *("block", "key", "versions", "assumptions", "kind", "command", "wall_seconds", "decisions", "format"),
]
ODD = [None, True, -1, 10**30, "../../x", [], ["a"], {"a": 1}, [["a"] * 3]]


@pytest.mark.parametrize("key", KEYS)
def test_a_record_with_another_value(folder: Path, key: str) -> None:
    whole = (folder / "run.json").read_text()
    for value in ODD:
        (folder / "run.json").write_text(whole)
        rewrite(folder / "run.json", **{key: value})
        use(folder)
    told = json.loads(whole)
    del told[key]
    (folder / "run.json").write_text(json.dumps(told))
    use(folder)


NO_ASSUMPTIONS = [
    *({}, {"key": "a"}, {"key": "a", "value": 1}, {"key": 1, "value": 1, "default": 1}),
    *({"key": "a", "value": 1, "default": 1, "range": odd} for odd in (7, [1], ["a", "b"], {"a": 1})),
    *({"key": "a", "value": 1, "default": 1, name: 5} for name in ("options", "mark", "rule", "about")),
]


@pytest.mark.parametrize("entry", NO_ASSUMPTIONS, ids=str)
def test_what_is_no_assumption_is_refused(folder: Path, entry: dict[str, Any]) -> None:
    rewrite(folder / "run.json", assumptions=[{"key": "b", "value": 2, "default": 1, "range": [1, 2]}])
    assert not refused(lambda: look(folder))
    rewrite(folder / "run.json", assumptions=[entry])
    assert refused(lambda: look(folder))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=3))
def test_any_record(good: Path, tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]) -> None:
    home = tmp_path_factory.mktemp("any")
    folder = shutil.copytree(good / "run", home / "run")
    rewrite(folder / "run.json", **changes)
    use(folder)
    assert [path.name for path in home.iterdir()] == ["run"]
    shutil.rmtree(home)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.dictionaries(
        st.sampled_from(["game", "axes", "settings", "planned", "n", "seed", "key", "kind"]), JSON, min_size=1
    )
)
@example(changes={"settings": []})
def test_any_series(good: Path, tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]) -> None:
    home = tmp_path_factory.mktemp("any")
    folder = shutil.copytree(good / "series", home / "run")
    rewrite(folder / "series.json", **changes)
    refused(lambda: Series.load(folder).table())
    refused(lambda: analyzer.resume(folder, jobs=1))
    assert [path.name for path in home.iterdir()] == ["run"]
    shutil.rmtree(home)


@pytest.mark.parametrize(
    "name", ["..", ".", "", "a/b", "/tmp", "../other", ".hidden", "tables", "x\0y", "a" * 300]
)
def test_a_setting_outside_its_series_is_refused(good: Path, tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(good / "series", tmp_path / "x")
    told = json.loads((folder / "series.json").read_text())
    told["settings"][0]["folder"] = name
    (folder / "series.json").write_text(json.dumps(told))
    with pytest.raises(UserError, match=r"series\.json is damaged"):
        analyzer.load_series(folder)
    with pytest.raises(UserError, match=r"series\.json is damaged"):
        analyzer.resume(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


# ---------------------------------------------------------------- links, pipes


@pytest.mark.parametrize(
    "name", ["games", "tallies", "tables", "plots", "report.html", "run.json", "journal.jsonl", ".lock"]
)
@pytest.mark.parametrize("to", ["folder", "file", "nowhere", "pipe"])
def test_a_link_in_the_folder_is_not_followed(folder: Path, tmp_path: Path, name: str, to: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine")
    (outside / "part-000000-00.parquet").write_text("mine")
    os.mkfifo(outside / "pipe")
    if (folder / name).is_dir():
        shutil.rmtree(folder / name)
    else:
        (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside if to == "folder" else outside / to)
    before = sorted(path.name for path in outside.iterdir())
    with pytest.raises(UserError, match=r"is a link|no ordinary file|Too many levels|cannot be written"):
        runner.run(request(90, 20), folder, 1)
    assert refused(lambda: analyzer.resume(folder, n=90, jobs=1))
    if name in ("games", "tallies", "run.json"):
        assert refused(lambda: look(folder))
    assert sorted(path.name for path in outside.iterdir()) == before
    assert (outside / "file").read_text() == (outside / "part-000000-00.parquet").read_text() == "mine"


@pytest.mark.parametrize("name", ["tables", "plots"])
def test_a_report_does_not_leave_its_folder(good: Path, tmp_path: Path, name: str) -> None:
    from analyzer.report.build import write_report
    from tests import synthetic

    (tmp_path / "outside").mkdir()
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / name).symlink_to(tmp_path / "outside")
    with pytest.raises(UserError, match="is a link"):
        write_report(synthetic.make(50), tmp_path / "x")
    assert not list((tmp_path / "outside").iterdir())


def test_a_part_that_is_a_link_is_played_again(folder: Path, tmp_path: Path) -> None:
    path = folder / "games" / "part-000000-00.parquet"
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    before = (tmp_path / "outside").read_bytes()
    assert refused(lambda: look(folder))
    assert analyzer.resume(folder, jobs=1).kept == 40  # type: ignore[union-attr]
    assert path.read_bytes() == before == (tmp_path / "outside").read_bytes()
    assert not path.is_symlink()


@pytest.mark.parametrize("name", ["run.json", "games/part-000000-00.parquet", "tallies/shares.parquet"])
@pytest.mark.parametrize("what", ["pipe", "folder"])
def test_nobody_waits_for_a_pipe(folder: Path, name: str, what: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name) if what == "pipe" else (folder / name).mkdir()
    assert refused(lambda: look(folder))
    refused(lambda: analyzer.resume(folder, jobs=1))


@pytest.mark.parametrize("what", ["pipe", "folder"])
def test_nothing_is_written_into_what_is_no_journal(folder: Path, what: str) -> None:
    (folder / "journal.jsonl").unlink()
    os.mkfifo(folder / "journal.jsonl") if what == "pipe" else (folder / "journal.jsonl").mkdir()
    assert refused(lambda: analyzer.resume(folder, n=90, jobs=1))
    os.rmdir(folder / "journal.jsonl") if what == "folder" else os.unlink(folder / "journal.jsonl")
    assert not refused(lambda: analyzer.resume(folder, n=90, jobs=1))


@pytest.mark.parametrize("name", ["run.json", "journal.jsonl", "games/part-000000-00.parquet"])
def test_nobody_reads_a_file_without_end(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terabyte of zeros takes no room on the disk, and hours to read."""
    with open(folder / name, "wb") as file:
        file.truncate(2**40)
    read: list[int] = []
    really = open

    class Counted(io.FileIO):
        def readinto(self, buffer: Any) -> int:
            read.append(super().readinto(buffer) or 0)
            assert sum(read) < 2**28, "it is read on and on"
            return read[-1]

    def opened(path: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
        plain = mode == "rb" and Path(path).is_relative_to(folder)
        return io.BufferedReader(Counted(path)) if plain else really(path, mode, *more, **options)

    monkeypatch.setattr("builtins.open", opened)
    first = refused(lambda: Results.load(folder).verified())
    assert refused(lambda: resume.find(folder)) is (name == "run.json")
    assert first is (name != "journal.jsonl")
    assert bool(read) is (name == "journal.jsonl")
    assert refused(lambda: analyzer.resume(folder, jobs=1)) is (name == "run.json")  # or it is played again


def test_other_things_in_a_folder_are_left(folder: Path) -> None:
    (folder / "games" / "thesis.txt").write_text("mine")
    analyzer.resume(folder, n=90, jobs=1)
    assert (folder / "games" / "thesis.txt").read_text() == "mine"
    (folder / "tallies" / "part-1.parquet").write_text("mine")
    analyzer.resume(folder, jobs=1)
    assert (folder / "tallies" / "part-1.parquet").read_text() == "mine"
    assert "part-1" not in Results.load(folder).tallies
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="holds something else"):
        analyzer.resume(folder)
    assert (folder / "thesis.txt").read_text() == "mine"
    (folder / "thesis.txt").unlink()
    for name in (".run.json.1.tmp", "games/.run.json.1.tmp", "games/part-000000-99.parquet"):
        (folder / name).mkdir()  # they are called like ours
    analyzer.resume(folder, n=120, jobs=1)
    assert (folder / "games" / ".run.json.1.tmp").is_dir()
    (folder / "a\nb.txt").write_text("mine")
    assert refused(lambda: analyzer.resume(folder))  # in one line


# ---------------------------------------------------------------- Parquet


def parts_with(**columns: Any) -> pa.Table:
    return pa.table({"game": np.arange(20), "rotation": np.zeros(20, np.uint8), **columns})


def shares(**columns: Any) -> pa.Table:
    return pa.table({"rotation": [0, 1], "seat": [1, 1], "winners": [1, 1], "n": [20, 20], **columns})


TABLES: dict[str, Callable[[], pa.Table]] = {
    "no columns": lambda: pa.table({}),
    "no game": lambda: pa.table({"x": [1, 2]}),
    "words for numbers": lambda: pa.table({"game": ["a"], "rotation": ["b"], "n": ["c"]}),
    "floats": lambda: pa.table({"rotation": [0.5], "seat": [1.5], "winners": [float("nan")], "n": [0.1]}),
    "nulls": lambda: shares(rotation=pa.array([0, None]), n=[1, None]),
    "lists": lambda: parts_with(x=[[1]] * 20),
    "structs": lambda: parts_with(x=[{"a": 1}] * 20),
    "times": lambda: parts_with(x=pa.array([0] * 20, pa.timestamp("s"))),
    "bytes": lambda: parts_with(x=[b"x"] * 20),
    "same names": lambda: pa.table([pa.array([1])] * 3, names=["game", "rotation", "game"]),
    "other columns": lambda: parts_with(y=np.arange(20)),
    "no rows": lambda: parts_with().slice(0, 0),
    "seats beyond": lambda: shares(seat=[1, 99]),
    "nobody": lambda: shares(winners=[1, 0]),
    "rotation beyond": lambda: shares(rotation=[0, -1]),
    "less than none": lambda: shares(n=[60, -60]),
    "more than all": lambda: shares(n=[2**63 - 1] * 2),
    "large group": lambda: pa.table({name: np.zeros(2**20 + 1, np.int8) for name in ("game", "rotation")}),
    "many rows": lambda: pa.table({name: np.zeros(2**23 + 1, np.int8) for name in ("rotation", "n")}),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "name",
    [
        "games/part-000000-00",
        "tallies/shares",
        pytest.param("tallies/games", marks=pytest.mark.slow),
        pytest.param("tallies/other", marks=pytest.mark.slow),
    ],
)
def test_other_tables_in_the_place_of_ours(folder: Path, name: str, table: str) -> None:
    pq.write_table(TABLES[table](), folder / f"{name}.parquet", row_group_size=2**24)
    assert refused(lambda: look(folder)) or (name == "tallies/other" and table in ("nobody", "seats beyond"))
    if name.startswith("games"):
        assert analyzer.resume(folder, jobs=1).kept == 40  # type: ignore[union-attr]
        look(folder)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_bytes_in_any_file(
    good: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    home = tmp_path_factory.mktemp("bytes")
    folder = shutil.copytree(good / "run", home / "run")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
    path = data.draw(st.sampled_from(files))
    found = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        found[data.draw(st.integers(0, len(found) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(found[: data.draw(st.none() | st.integers(0, len(found)))])
    refused(lambda: look(folder))
    assert analyzer.resume(folder, jobs=1).n == 60
    look(folder)
    shutil.rmtree(home)


# ---------------------------------------------------------------- the journal

BOMB = base64.b64encode(zlib.compress(bytes(10**8), 9)).decode()
LINES: dict[str, Any] = {
    "no object": [],
    "a block beyond": {"block": 10**9},
    "before the first row": {"first": -20},
    "a huge number": {"first": 10**40},
    "no games": {"games": 0},
    "words": {"block": "0", "games": "20"},
    "truth": {"block": True},
    "no files": {"files": []},
    "many files": {"files": ["0" * 64] * 1000},
    "a path for a digest": {"files": ["../../etc/passwd"]},
    "no tallies": {"tallies": None},
    "tallies of zeros without end": {"tallies": BOMB},
    "tallies too short": {"tallies": base64.b64encode(zlib.compress(b"12345678")).decode()},
    "no packed tallies": {"tallies": "%%%"},
    "other signs": {"tallies": "\u202e"},
    "nested": {"files": json.loads("[" * 500 + "]" * 500)},
}


@pytest.mark.parametrize("what", LINES)
def test_lines_that_a_stranger_made(folder: Path, what: str) -> None:
    """With the right checksum: everybody can compute it."""
    path, key = folder / "journal.jsonl", request(60, 20).key
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    told, more = json.loads(lines[0][journal.CHECK + 1 :]), LINES[what]
    text = json.dumps({**told, **more} if isinstance(more, dict) else more).encode()
    lines[0] = journal._checksum(key, text) + b" " + text
    path.write_bytes(b"\n".join(lines) + b"\n")
    if not refused(lambda: analyzer.resume(folder, jobs=1)):
        assert look(folder) is None
