"""A run that goes on until its win rates are known to a precision, or until so many games.

    results = analyzer.run("moscow", precision=0.005, max_n=2_000_000)

The run looks at its intervals after fixed numbers of games, whoever played them, and stops when the widest
one is narrow enough. Its intervals hold at every look (see `stats.sequence`), so stopping does not spoil
them. The games are those of a run with that n, and stand in its folder: each look adds some to those that are
there.
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

LOOK = 25_000  # games between two looks at least; looks come after whole multiples of it
FASTER = 4  # the next look comes after at most so many times the games
MARGIN = 1.02  # a little more than what the widest interval asks for, so that it is the last one
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
    step = -(-LOOK // rotations) * rotations
    most = max(request.n // rotations, 1) * rotations
    asked = {"half": half, "plan": plan(request, half), "looks": 0}
    temporary = tempfile.TemporaryDirectory(prefix="analyzer-") if out is None else None
    place = Path(temporary.name) if temporary is not None else out
    n, before = min(max(_there(place, request), step), most), 0
    while True:
        asked["looks"] += 1
        more = {**(told or {}), "precision": dict(asked)}
        results = runner.run(replace(request, n=n), place, jobs, progress, command, meanwhile, more)
        meanwhile = None
        widest = results.widest()
        if widest <= half or n >= most or results.distinct <= before:
            break
        before = results.distinct if results.distinct < results.n else 0
        n = min(_next(n, step, widest, half), most)
    if temporary is not None:
        weakref.finalize(results, temporary.cleanup)
    return results


def plan(request: Request, half: float) -> int:
    """The units (games, or deals) after which the intervals shall be narrowest: those that +-half needs if
    all seats win alike, and at most those there can be."""
    fair = 1.0 / max(request.players, 2)
    games = min(sequence.units_needed(half, math.sqrt(fair * (1.0 - fair))), request.n)
    return max(games // len(request.rotations), 1) if request.shares_luck else games


def _next(n: int, step: int, widest: float, half: float) -> int:
    """The games of the next look: what the widest interval asks for, a multiple of `step`."""
    wanted = n * (widest / half) ** 2 * MARGIN if math.isfinite(widest) else math.inf
    return max(math.ceil(min(wanted, FASTER * n) / step), n // step + 1) * step


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
