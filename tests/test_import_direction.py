"""Which part of the package may import which: read from the sources, and seen in fresh interpreters."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "analyzer"
NO_REPORT = ("analyzer.games", "analyzer.registry", "analyzer.rooms", "analyzer.policy", "analyzer.config")
ANALYSING = ("pandas", "pyarrow", "matplotlib", "rich", "jinja2", "click", "scipy", "statsmodels")


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """(module, at the top level?) of every import that is carried out at run time; a file is parsed once."""
    return [*_imports(path)]


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    tree = ast.parse(path.read_text())
    top = {id(node) for node in tree.body}
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, id(node) in top
            yield from ((f"{node.module}.{alias.name}", id(node) in top) for alias in node.names)


def sources(*parts: str) -> list[Path]:
    found = sorted(path for part in parts for path in (PACKAGE / part).rglob("*.py"))
    assert found
    return found


def users_of(library: str) -> set[str]:
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in sources(".")
        if any(name.split(".")[0] == library for name, _ in imports(path))
    }


def test_the_simulator_names_no_game() -> None:
    games = [path.name for path in (PACKAGE / "games").iterdir() if path.is_dir() and path.name[0] != "_"]
    assert games
    shared = [path for path in sources(".") if "games" not in path.relative_to(PACKAGE).parts[:-1]]
    for path in [*shared, PACKAGE / "games" / "base.py"]:
        for name, _ in imports(path):
            assert not any(name.startswith(f"analyzer.games.{game}") for game in games), (path, name)


def test_each_library_has_its_place() -> None:
    assert {place for place in users_of("click") if not place.startswith("commands/")} == {"cli.py"}
    assert users_of("joblib") == {"sim/workers.py", "sim/backends.py"}
    for library in ("matplotlib", "jinja2"):
        places = users_of(library)
        allowed = {place for place in places if place.startswith("report/") or "/report" in place}
        assert places == allowed, library


def test_games_import_no_other_game_and_no_analysis() -> None:
    for path in sources("games"):
        own = path.relative_to(PACKAGE / "games").parts[0]
        for name, _ in imports(path):
            parts = name.split(".")
            if parts[:2] == ["analyzer", "games"] and len(parts) > 2 and parts[2] not in ("base", "declared"):
                assert parts[2] == own, (path, name)
            if not path.name.startswith("report"):
                assert parts[0] not in ANALYSING, (path, name)
                assert parts[:2] not in (["analyzer", "report"], ["analyzer", "stats"]), (path, name)


def test_the_analysing_half_needs_no_game() -> None:
    for path in sources("stats", "report"):
        for name, _ in imports(path):
            assert not name.startswith(NO_REPORT), (
                path,
                name,
            )
            assert not name.startswith("analyzer.sim.") or name.startswith("analyzer.sim.results"), (
                path,
                name,
            )


def loaded_after(code: str) -> set[str]:
    """Top-level names of the modules that a fresh interpreter has loaded after running `code`."""
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*{{n.partition('.')[0] for n in sys.modules}})"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(told.stdout.splitlines()[-1].split())


PLAY = """
from analyzer import registry
from analyzer.sim import crew
from analyzer.sim.request import build
asked = build("moscow", 2, 4, block=4)
done = crew.play_block(crew.Job(asked, None), asked.blocks()[0])
assert done.tallies
"""


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import analyzer", {"numpy", "click", *ANALYSING}),
        (
            "from analyzer.cli import main\nmain(['--help'], standalone_mode=False)",
            {"numpy", "rich", "pandas"},
        ),
        (PLAY, set(ANALYSING) | {"joblib"}),
    ],
    ids=["import", "help", "play"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str, unwanted: set[str]) -> None:
    loaded = loaded_after(code)
    assert not loaded & unwanted
    assert "analyzer" in loaded
