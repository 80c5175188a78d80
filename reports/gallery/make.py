"""Makes the gallery again: one small run of each game, its page, tables and charts. In the project's folder:

    python reports/gallery/make.py [GAME ...]

Keeps what is small and fit to be looked at: run.json, report.html, tables/*.csv, plots/*.svg and the pictures
of README as PNG. The runs are determined by their commands; only what a change of the program changes is new.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import analyzer
from analyzer.report.build import Report

HERE = Path(__file__).parent
KEPT = ("run.json", "report.html", "tables", "plots")

# Game -> the options of `analyze run`, and the pictures that README shows.
RUNS: dict[str, tuple[dict[str, str | int], tuple[str, ...]]] = {
    "moscow": (
        {"policies": "balanced,racer,blocker,spoiler", "n": 10_000, "seed": 1},
        ("ends", "win_rate_by_policy_and_seat"),
    ),
    "eastfront": ({"policies": "balanced,builder,raider,saboteur", "n": 10_000, "seed": 1}, ("exchanges",)),
    "kraskar": ({"policies": "balanced,siege", "n": 10_000, "seed": 1}, ("castle_damage",)),
    "undaunted": ({"n": 10_000, "seed": 1}, ("map",)),
}


def command(game: str) -> list[str]:
    """The command that plays the same."""
    options = [word for key, value in RUNS[game][0].items() for word in (f"--{key}", str(value))]
    return ["analyze", "run", game, *options]


def make(game: str, n: int | None = None, to: Path = HERE) -> Path:
    """Play a game's run and write its folder; returns the path of the page. n: fewer games, for tests."""
    options, pictures = RUNS[game]
    folder = to / game
    for name in KEPT:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as draft:
        asked = {**options, "n": n or options["n"]}
        results = analyzer.run(game, out=Path(draft) / game, **asked)  # type: ignore[arg-type]
        results.meta |= {"command": shlex.join(command(game)), "wall_seconds": None}
        page = Report(results).write(folder)
        meta = json.dumps({"format": 1, **results.meta}, indent=1, ensure_ascii=False)
        (folder / "run.json").write_text(meta + "\n", encoding="utf-8")
    for picture in (folder / "plots").glob("*.png"):
        if picture.stem not in pictures:
            picture.unlink()
    return page


if __name__ == "__main__":
    for name in sys.argv[1:] or RUNS:
        print(make(name))
