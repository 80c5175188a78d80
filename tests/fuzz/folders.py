"""Hostile folders of runs and series in bulk: each is refused in one clean line, or it can be used.

    python -m tests.fuzz.folders --n 20000 --seed 1
    python -m tests.fuzz.folders --seed 1 --only 4711   # one case again, with what was changed

Whatever a folder holds, nothing outside of it is written, removed, or carried out as code.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

import analyzer
from analyzer import registry
from analyzer.errors import UserError
from analyzer.report.again import load, rebuild
from analyzer.series import Series
from analyzer.sim import resume
from tests.fuzz import guard
from tests.fuzz.spoil import spoil

LOAD_SECONDS = 5.0
PLAY_SECONDS = 60.0
LOOK_EVERY = 16
RESUME_EVERY, REPORT_EVERY = 40, 400  # cases
GAMES = 6
REAL = ("moscow", "eastfront", "undaunted", "kraskar")

EVIL = """
from pathlib import Path
Path({marker!r}).write_text("carried out")
from analyzer.games.moscow.policies import MoscowPolicy
class Evil(MoscowPolicy): ...
"""


class Fault(Exception):
    """A folder did what none may do."""


class Ground:
    """Real small runs to spoil, the place of the case, and what lies outside of it and must stay as it is."""

    def __init__(self, home: Path, games: Sequence[str]) -> None:
        self.home, self.case, self.seeds = home, home / "case", home / "seeds"
        self.seeds.mkdir()
        registry.register_room(registry.Room("dice_race", "tests.toy"))  # small, so that it is quick
        for game in games:
            analyzer.run(game, n=GAMES, block=4, seed=1, jobs=1, out=self.seeds / game)
        if games:
            analyzer.run(games[0], "2,3", GAMES, jobs=1, out=self.seeds / "series")
        analyzer.run("dice_race", n=GAMES, block=4, jobs=1, out=self.seeds / "toy")
        analyzer.run("dice_race", "2,3", GAMES, jobs=1, out=self.seeds / "toys")
        self.choices = [*sorted(self.seeds.iterdir()), *[self.seeds / "toy"] * 8, *[self.seeds / "toys"] * 3]
        self.outside = home / "outside"
        (self.outside / "tables").mkdir(parents=True)
        (self.outside / "part-000000-00.parquet").write_bytes(b"mine")
        (self.outside / "run.json").write_bytes((self.seeds / "toy" / "run.json").read_bytes())
        (self.outside / "evil.py").write_text(EVIL.format(marker=str(home / "carried_out")))
        self.before = self._state()

    def fresh(self, rng: Random) -> Path:
        """A copy of one of the runs, where it can be spoiled."""
        shutil.rmtree(self.case, ignore_errors=True)
        return Path(shutil.copytree(rng.choice(self.choices), self.case))

    def _state(self) -> tuple[Any, ...]:
        names = sorted(path.name for path in self.home.iterdir() if path.name != "case")
        files = [(path, path.stat()) for path in sorted(self.outside.rglob("*"))]
        return names, [(str(path), told.st_size, told.st_mtime_ns) for path, told in files]

    def check(self) -> None:
        """Raise Fault if anything outside has changed."""
        if (now := self._state()) != self.before:
            raise Fault(f"something outside has changed: {self.before} became {now}")


def one_line(use: Callable[[], Any]) -> Any:
    """What `use` gives, None if it refuses in one clean line."""
    try:
        return use()
    except UserError as error:
        if wrong := guard.unclean(str(error)):
            raise Fault(f"the error is not clean: {wrong}: {str(error)[:300]!r}") from error
        return None


def look(folder: Path, tables: bool = True) -> bool:
    """Look at what a folder tells, as far as no game is needed; True if it is right."""
    found = load(folder)
    if not tables:
        return True
    for one in [found] if not isinstance(found, Series) else [found[each.name] for each in found.settings]:
        one.win_rates(["seat", "policy"]), one.nobody(), repr(one)
        if len(one.games) != one.n and one.parts():
            raise Fault("other games than tallies")
    if isinstance(found, Series):
        found.table()
    return True


def use(folder: Path, case: int, report_every: int = REPORT_EVERY) -> str:
    """Use the folder as the commands do; what happened."""
    with guard.limit(LOAD_SECONDS):
        right = one_line(lambda: look(folder, tables=case % LOOK_EVERY == 0))
        goes_on = one_line(lambda: resume.find(folder))
    with guard.limit(PLAY_SECONDS):
        if right and case % report_every == 0:
            one_line(lambda: rebuild(folder, plots=False))
        if case % RESUME_EVERY == 0 and one_line(lambda: analyzer.resume(folder, jobs=1)) is not None:
            if goes_on is None:
                raise Fault("it went on where nothing was found")
            if not one_line(lambda: look(folder)):
                raise Fault("it went on, and cannot be read")
    return "accepted" if right else "goes on" if goes_on is not None else "refused"


def run(
    n: int,
    seed: int,
    first: int = 0,
    tell: bool = False,
    games: Sequence[str] = REAL,
    report_every: int = REPORT_EVERY,
) -> guard.Count:
    """Try n cases; what happened. Each case follows from seed and number alone.

    games: whose runs are spoilt, beside those of the toy.
    report_every: of so many cases, one makes its page anew.
    """
    count = guard.Count()
    pa.set_cpu_count(1)  # handing tables this small to other threads takes longer than reading them
    with guard.stoppable(), tempfile.TemporaryDirectory(prefix="fuzz", dir=guard.quick_folder()) as home:
        ground = Ground(Path(home), games)
        for case in range(first, first + n):
            rng, kind = Random(f"{seed}/{case}"), "?"
            try:
                folder = ground.fresh(rng)
                kind = spoil(folder, ground.outside, rng)
                began = time.process_time()
                happened = use(folder, case, report_every)
                count.timed(time.process_time() - began, case, kind)
                count.counts[kind, happened] += 1
                ground.check()
            except (Exception, guard.Hung):
                count.faults.append(f"case {case} ({kind}): {traceback.format_exc(limit=-5)}")
                if tell:
                    print(count.faults[-1], file=sys.stderr, flush=True)
            if tell and case % 500 == 499:
                print(
                    f"{case + 1:,} cases, {len(count.faults)} faults, {guard.peak():,.0f} MB", file=sys.stderr
                )
    return count


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n", type=int, default=2000, help="cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--report-every", type=int, default=REPORT_EVERY, help="cases for one page")
    parser.add_argument("--only", type=int, help="try this case alone, and tell what was changed")
    asked = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if asked.only is not None:
        with tempfile.TemporaryDirectory(prefix="fuzz") as home:
            ground, rng = Ground(Path(home), REAL), Random(f"{asked.seed}/{asked.only}")
            folder = ground.fresh(rng)
            print(spoil(folder, ground.outside, rng, tell=print))
            print(use(folder, asked.only, asked.report_every))
            ground.check()
        return
    count = run(asked.n, asked.seed, asked.first, tell=True, report_every=asked.report_every)
    print(count)
    for fault in count.faults[:20]:
        print(fault)
    sys.exit(bool(count.faults))


if __name__ == "__main__":
    main()
