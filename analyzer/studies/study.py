"""What a study gives: tables, charts and findings in words, written as a run's report is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.parts import Chart
    from analyzer.sim.request import Request

TEMPLATE = "study.html.j2"
STUDY, PAGE = "study.json", ("tables", "plots", "report.html")  # all that a study's folder holds


@dataclass
class Study:
    """The answer to a question about a game.

    name: the command that asks it. meta: see `meta_of`; more of the study's own may stand beside it.
    tables: tidy frames (`parts.titled`), the first one the most important. words: findings, a sentence each,
    the first one what was played, the second one the main finding. headline: a shorter main finding, for the
    page's title (default: none, the second of the words). facts: the line above the page's title.
    shown: names of the tables for the terminal, in order (default: the first); `columns`: of which only these
    columns are shown there.
    """

    name: str
    meta: dict[str, Any]
    tables: dict[str, pd.DataFrame]
    charts: list[Chart]
    words: list[str]
    facts: Sequence[str] = ()
    shown: Sequence[str] = ()
    columns: dict[str, list[str]] = field(default_factory=dict)
    headline: str = ""

    @property
    def results(self) -> Study:
        """What the page is about."""
        return self

    @property
    def n(self) -> int:
        """Games played in all."""
        return int(self.meta["n"])

    @property
    def footer(self) -> str:
        """What every chart says about where it comes from."""
        meta = self.meta
        parts = [f"n = {self.n:,} games in all", f"seed {meta['seed']}"]
        if meta.get("digest"):
            parts.append(f"config {str(meta['digest'])[:8]}")
        return f"{meta['game']}: " + " · ".join(parts)

    @property
    def paragraph(self) -> str:
        """The first findings as one paragraph."""
        return " ".join(self.words[:6])

    def terminal_tables(self) -> list[pd.DataFrame]:
        """What a terminal shows, as far as there is such a table."""
        from analyzer.report import tables

        found = []
        for name in self.shown or list(self.tables)[:1]:
            frame = self.tables.get(name)
            if frame is None:  # nothing to tell: an empty table is left out
                continue
            if name in self.columns:
                short = frame[self.columns[name]]
                short.attrs |= {**frame.attrs, "about": tables.about(frame, self.columns[name])}
                frame = short
            found.append(frame)
        return found

    def write(self, folder: str | Path, plots: bool = True, helpers: int = 0) -> Path:
        """Write tables/*.csv, plots/*.png|svg, report.html and study.json into a folder; returns the path of
        the page. UserError if the folder cannot be written, or holds something else."""
        from analyzer.disk import refused, write_whole
        from analyzer.report import build
        from analyzer.sim import folder as folders

        folder = Path(folder)
        _, locks = folders.take(folder, self.meta, STUDY, (*PAGE, STUDY))
        try:
            folders.begin(folder, self.meta, STUDY, PAGE)
            page = build.write_files(self, folder, plots, helpers, TEMPLATE)
            text = json.dumps({**self.meta, "kind": "complete"}, indent=1, ensure_ascii=False, default=str)
            write_whole(folder / STUDY, (text + "\n").encode())
        except OSError as error:
            raise refused(folder, error) from error
        finally:
            for lock in locks:
                lock.release()
        return page

    @property
    def key(self) -> str:
        """sha256 (hex) of what was asked."""
        return str(self.meta["key"])

    def folder_name(self) -> str:
        """The name of the study's own folder: command, game, and a piece of `key`."""
        return f"{self.name}-{self.meta['game']}-{self.key[:10]}"


def meta_of(
    name: str, requests: Sequence[Request], command: str = "", n: int | None = None, **asked: Any
) -> dict[str, Any]:
    """What a study tells about itself: game, seed, n (games in all), digest, versions, assumptions (of the
    first request), command, key (of name, requests and whatever else was `asked`), and `asked` itself."""
    first = requests[0].meta()
    told = json.dumps([name, [one.key for one in requests], asked], sort_keys=True, default=str)
    kept = {
        key: first[key] for key in ("game", "players", "seed", "digest", "versions", "assumptions", "block")
    }
    games = sum(one.n for one in requests) if n is None else n
    key = hashlib.sha256(told.encode()).hexdigest()
    return {**kept, "study": name, "n": games, "command": command, "key": key, "asked": asked}
