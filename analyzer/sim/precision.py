"""A run that goes on until its win rates are known to a precision, or until so many games.

    results = analyzer.run("moscow", precision=0.005, max_n=2_000_000)

The run looks at its intervals after fixed numbers of games, whoever played them: soon for the first time,
then after twice the games at most, and closer where it may end; it stops when the widest one is narrow
enough. Its intervals hold at every look (see `stats.sequence`), so stopping does not spoil them. The games
are those of a run with that n, and stand in its folder: each look adds some to those that are there.
"""

from __future__ import annotations

import math
import tempfile
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analyzer.errors import UserError
from analyzer.sim import runner, saved
from analyzer.sim.folder import RUN
from analyzer.sim.request import Request
from analyzer.sim.results import Results
from analyzer.stats import sequence

FIRST = 500  # games before the first look
FINE = 8  # looks are possible after FIRST games and after 2 ** (1 / FINE) times as many, again and again
EARLY = 0.9  # of the games that the widest interval asks for: from there on no look is left out
REPEATS = 25_000  # games from which on it counts that a look brought no game that was not there before
MAX_N = 10_000_000


def run(
    request: Request,
    half: float,
    out: Path | None = None,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    command: str = "",
    meanwhile: Callable[[], None] | None = None,
    told: Mapping[str, Any] | None = None,
) -> Results:
    """Play until the widest interval of the win rates by seat and by policy is no wider than +-`half`.

    `request.n` is the most. Everything else as in `runner.run`; progress is told the games until the next
    look. Games that a folder holds already count. meta["precision"]: half, plan (of the intervals), looks.
    """
    rotations = len(request.rotations)
    most = max(request.n // rotations, 1) * rotations
    asked = {"half": half, "max_n": request.n, "plan": plan(request, half), "looks": 0}
    temporary = tempfile.TemporaryDirectory(prefix="analyzer-") if out is None else None
    place = Path(temporary.name) if temporary is not None else out
    there, before = _there(place, request), 0
    look = _look_from(there, rotations)
    n = min(there or _games(look, rotations), most)
    results: Results | None = None
    kept, seconds = None, 0.0
    while True:
        asked["looks"] += 1
        more = {**(told or {}), "precision": dict(asked)}
        try:
            results = runner.run(replace(request, n=n), place, jobs, progress, command, meanwhile, more)
        except KeyboardInterrupt as stop:
            if getattr(stop, "results", None) is None and results is not None:
                raise runner.Interrupted(results) from None  # of the look before
            raise
        meanwhile, seconds = None, seconds + results.seconds
        kept = results.kept if kept is None else kept
        widest = results.widest()
        if widest <= half or n >= most or results.distinct <= before:
            break
        before = results.distinct if REPEATS <= results.n > results.distinct else 0
        wanted = n * (widest / half) ** 2 if math.isfinite(widest) else math.inf
        look = max(look + 1, _look_from(min(EARLY * wanted, _games(look + FINE, rotations)), rotations))
        n = min(_games(look, rotations), most)
    results.kept, results.seconds = kept, seconds  # of all looks, not of the last one
    if temporary is not None:
        weakref.finalize(results, temporary.cleanup)
    return results


def plan(request: Request, half: float) -> int:
    """The units (games, or deals) after which the intervals shall be narrowest: those that +-half needs if
    all seats win alike, and at most those there can be."""
    fair = 1.0 / max(request.players, 2)
    games = min(sequence.units_needed(half, math.sqrt(fair * (1.0 - fair))), request.n)
    return max(games // len(request.rotations), 1) if request.shares_luck else games


def _games(look: int, rotations: int) -> int:
    """The games of a look, 0-based: whole rounds of the seatings."""
    return math.ceil(FIRST * 2.0 ** (look / FINE) / rotations) * rotations


def _look_from(games: float, rotations: int) -> int:
    """The first look after so many games or more."""
    look = max(int(FINE * math.log2(max(games / FIRST, 1.0))) - 1, 0)
    while _games(look, rotations) < games:
        look += 1
    return look


def _there(place: Path | None, request: Request) -> int:
    """How many games of this run its folder holds, as far as its record tells."""
    if place is None or not (place / RUN).is_file():
        return 0
    try:
        record = saved.read_json(place / RUN)
    except UserError:  # told when the folder is taken
        return 0
    n = record.get("n")
    return n if record.get("key") == request.key and isinstance(n, int) else 0
