"""Entry points of other packages: found wherever they may stand, and not looked for where none can be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import installed

GROUP = "analyzer.games"


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    # Libraries that other tests import may have brought finders of their own.
    own = [one for one in sys.meta_path if getattr(one, "__name__", "") == "PathFinder"]
    others = [one for one in sys.meta_path if not hasattr(one, "find_distributions")]
    monkeypatch.setattr(sys, "meta_path", [*others, *own])
    installed.entry_points.cache_clear()
    installed._all.cache_clear()


def package(folder: Path, kind: str = "dist-info", text: str = f"[{GROUP}]\nchess = chess.room\n") -> Path:
    info = folder / f"chess-1.0.{kind}"
    info.mkdir(parents=True)
    name = "PKG-INFO" if kind == "egg-info" else "METADATA"
    (info / name).write_text("Metadata-Version: 2.1\nName: chess\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(text)
    return folder


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_a_package_in_a_folder_of_the_path_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.syspath_prepend(package(tmp_path, kind))
    assert [(one.name, one.value) for one in installed.entry_points(GROUP)] == [("chess", "chess.room")]


def test_other_groups_and_odd_folders_offer_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, text="[console_scripts]\nchess = chess:main\n")
    (tmp_path / "old-1.0.egg-info").write_text("a file, as distutils wrote it")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none")])
    assert not installed.maybe_offered(GROUP.encode())
    assert installed.entry_points(GROUP) == ()
    assert installed.maybe_offered(b"console_scripts")


def test_where_packages_may_stand_elsewhere_it_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zip on the path, an egg, a finder of somebody else's: no short cut."""
    archive = tmp_path / "some.zip"
    archive.write_bytes(b"PK")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert installed.maybe_offered(b"x")
    (tmp_path / "old-1.0-py3.egg").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert installed.maybe_offered(b"x")

    class Finder:
        def find_spec(self, *_: object) -> None:
            return None

        def find_distributions(self, *_: object) -> list[object]:
            return []

    monkeypatch.setattr(sys, "path", [])
    assert not installed.maybe_offered(b"x")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert installed.maybe_offered(b"x")


def test_a_game_of_another_package_is_in_the_list(tmp_path: Path) -> None:
    """In a fresh interpreter, as a user has it."""
    folder = str(package(tmp_path))
    code = f"import sys, analyzer\nsys.path.insert(0, {folder!r})\nprint(*analyzer.games())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "chess" in done.stdout.split()
