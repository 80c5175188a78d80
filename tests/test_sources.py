"""A run goes on only with the sources that began it; what decides no game may change as it likes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import analyzer
from analyzer import registry
from analyzer.errors import UserError
from analyzer.sim import runner, sources
from tests.test_runner import request

ROOT = Path(analyzer.__file__).parent


def test_everything_that_the_rules_and_policies_of_a_game_import_counts() -> None:
    program = (
        "import sys\nfrom analyzer import registry\nfrom analyzer.sim import engine\n"
        "for name in registry.game_names():\n"
        "    for part in ('rules', 'policies', 'model'):\n        registry.room(name).part(part)\n"
        "ours = ('analyzer.sim', 'analyzer.games')\n"
        "found = [m for m in list(sys.modules.values()) if m.__name__.startswith(ours)]\n"
        "print(*(m.__file__ for m in found if m.__file__))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {Path(one) for one in told.stdout.split()}
    counted = {path for name in registry.game_names() for _, path in sources._files(registry.room(name))}
    besides = {path.relative_to(ROOT).as_posix() for path in loaded - counted}
    # Packages without content, and what settings a series is made of.
    assert besides == {"games/__init__.py", "sim/__init__.py", "games/undaunted/axes.py"}
    assert not {path for path in counted if path.name.startswith(("report", "tell", "odds"))}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> registry.Room:
    """A game's folder of its own."""
    folder = tmp_path / "pkg" / "sub"
    folder.mkdir(parents=True)
    for name in ("__init__", "rules", "report", "tell_words", "odds"):
        (folder / f"{name}.py").write_text(f"# {name}\n\nx = 1\n")
    (folder / "rules.md").write_text("rules")
    monkeypatch.syspath_prepend(tmp_path / "pkg")
    sources.digest_of.cache_clear()
    return registry.Room("sub", "sub")


def changed(room: registry.Room, name: str, text: str) -> bool:
    """Whether the digest is another one with this text in a file."""
    before = sources.digest_of(room)
    assert sources.digest_of(room) == before
    path = next(Path(one) for one in sys.path if (Path(one) / "sub").is_dir()) / "sub" / name
    path.write_bytes(text.encode())
    sources.digest_of.cache_clear()
    return sources.digest_of(room) != before


@pytest.mark.parametrize("name", ["rules.py", "state.py", "deeper/cards.py", "__init__.py"])
def test_what_decides_play_counts(room: registry.Room, tmp_path: Path, name: str) -> None:
    (tmp_path / "pkg" / "sub" / "deeper").mkdir()
    assert changed(room, name, "x = 2\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("report.py", "x = 2"), ("report_charts.py", "x"), ("tell_words.py", ""), ("odds.py", "y = 3")),
        *(
            ("rules.md", "other"),
            ("rules.py", "# another comment\n# two\nx = 1\n"),
            ("rules.py", "\r\nx = 1\r\n"),
        ),
    ],
)
def test_what_changes_no_game_does_not_count(room: registry.Room, name: str, text: str) -> None:
    assert not changed(room, name, text)


def test_a_run_of_other_sources_is_refused_in_one_line_that_says_what_to_do(
    dice_race: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(60, 20)
    runner.run(asked, tmp_path / "run", 1)
    monkeypatch.setattr(sources, "digest_of", lambda _: "0" * 16)
    with pytest.raises(
        UserError, match=r"another state of the program .* was changed since.* run anew"
    ) as caught:
        analyzer.resume(tmp_path / "run")
    assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match=r"differs in the program's own source.*choose a new or empty folder"):
        runner.run(replace(asked), tmp_path / "run", 1)
