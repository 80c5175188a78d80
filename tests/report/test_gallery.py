"""The gallery: one small committed run of each game, up to date in kind, and what README shows of it."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from analyzer import registry

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "reports" / "gallery"


@pytest.fixture(scope="module")
def script() -> Any:
    """The script that makes the gallery, as a module."""
    spec = importlib.util.spec_from_file_location("make_gallery", GALLERY / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def outline(page: Path) -> list[str]:
    """The questions of a page, and the headings of its tables: what does not depend on how many games."""
    return re.findall(r'<h2 id="([^"]+)"', page.read_text(encoding="utf-8"))


def head(table: Path) -> str:
    """The columns of a table."""
    return table.read_text(encoding="utf-8").partition("\n")[0]


def test_every_game_is_in_it_and_it_is_small(script: Any) -> None:
    assert set(script.RUNS) == set(registry.game_names())
    assert sum(path.stat().st_size for path in GALLERY.rglob("*") if path.is_file()) < 3_000_000


@pytest.mark.parametrize("game", registry.game_names())
def test_it_is_up_to_date_in_kind(game: str, script: Any, tmp_path: Path) -> None:
    """A run of a few games of the same setup makes the same files, questions and columns."""
    page = script.make(game, 300, tmp_path)
    kept, made = GALLERY / game, tmp_path / game
    assert files(kept) == files(made)
    assert outline(kept / "report.html") == outline(page)
    for path in (made / "tables").glob("*.csv"):
        assert head(kept / "tables" / path.name) == head(path), path.name
    told, new = (json.loads((folder / "run.json").read_text(encoding="utf-8")) for folder in (kept, made))
    assert told["digest"] == new["digest"]
    assert told["policies"] == new["policies"]
    assert told["n"] == script.RUNS[game][0]["n"]


def test_readme_shows_pictures_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert len(shown) >= len(registry.game_names())
    assert all((ROOT / path).is_file() for path in shown)
