"""Balance as claims: each seat, and each policy, against its fair share, every one with a verdict.

A claim is "this win rate is no further than the tolerance from its fair share". Its verdict is one of
"balanced", "unbalanced" and "too few games to tell" (see `stats.equivalence`); all claims made together are
corrected for their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.sim import rates
from analyzer.stats import clusters, equivalence
from analyzer.stats.equivalence import Deviation, Floats, Verdicts

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.sim.results import Results

LEAST = 10  # games; fewer are no ground for a guess at how many it takes


@dataclass(frozen=True)
class Balance:
    """The claims of a run and what its games say of them: small, whatever the number of games.

    names: "seat 1", "policy racer". found: their deviations, of single games. value, error: the same of
    deals, where these are the units. games: of one unit; n: games in all.
    """

    names: tuple[str, ...]
    found: Deviation
    value: Floats
    error: Floats
    games: int
    n: int

    def verdicts(self, tolerance: float, level: float = 0.95, claims: int | None = None) -> Verdicts:
        """The verdict on each claim; `claims`: how many are made together. `needed` is in games."""
        if self.games == 1:
            return self.found.verdicts(tolerance, level, claims)
        units = self.found.n / self.games
        judged = equivalence.verdicts(self.value, self.error, units, tolerance, level, claims)
        return judged._replace(needed=judged.needed * self.games)


def of(results: Results) -> Balance:
    """The claims of a run: every seat if there are several, every policy if there are several."""
    cells = _claims(results)
    weight = results.weight
    sums = [[float(part.sum()) for part in rates.sums_of(results, cell)[:4]] for cell in cells.values()]
    fair = [float(cell.sum(axis=1).max()) / results.players for cell in cells.values()]
    total, squares, won, n = np.array(sums, np.float64).reshape(-1, 4).T * weight
    found = equivalence.deviation(total, squares, won, n, fair)
    nothing = np.zeros(len(cells))
    if not (results.duplicate and len(results.rotations) > 1):
        return Balance(tuple(cells), found, nothing, nothing, 1, results.n)
    moments, rotations = results.moments.scaled(weight or 1.0), len(results.rotations)
    each = [clusters.mean(moments, rates.weights(results, cell)[1], step=1.0) for cell in cells.values()]
    value, error = (np.array([float(getattr(one, name)) for one in each]) for name in ("value", "error"))
    return Balance(tuple(cells), found, value, error, rotations, results.n)


def _claims(results: Results) -> dict[str, rates.Cells]:
    found: dict[str, rates.Cells] = {}
    if results.players > 1:
        found |= {results.seats[seat - 1]: mask for (seat,), mask in results.cells("seat").items()}
    if len(results.policies) > 1:
        found |= {f"policy {label}": mask for (label,), mask in results.cells("policy").items()}
    return found


def frame(
    balances: Sequence[Balance],
    tolerance: float,
    level: float = 0.95,
    settings: Sequence[str] = (),
    beside: int = 0,
) -> pd.DataFrame:
    """All claims judged together (and with `beside` more that are made elsewhere), a row each.

    Columns: (setting,) claim, n, edge, edge_low, edge_high (intervals that hold together), verdict,
    games_needed (about; NaN where there is a verdict, or where no number of games would bring one).
    """
    claims = sum(len(one.names) for one in balances) + beside
    parts = [
        _rows(one.names, one.verdicts(tolerance, level, claims), one.n, setting)
        for one, setting in zip(balances, settings or [""] * len(balances), strict=True)
    ]
    return _titled([row for part in parts for row in part], tolerance, level, claims)


def lasting(results: Results, tolerance: float, level: float = 0.95) -> pd.DataFrame:
    """As `frame`, of a run until a precision: by its intervals that hold at every look."""
    cells = _claims(results)
    joint = 1.0 - (1.0 - level) / max(len(cells), 1)
    edges = [rates.of(results, cell, joint).edge for cell in cells.values()]
    value, low, high = (
        np.array([float(getattr(one, name)) for one in edges]) for name in ("value", "low", "high")
    )
    words = equivalence.judged(low, high, tolerance)
    share = np.array([float(rates.of(results, cell, joint).rate.value) for cell in cells.values()])
    spread = np.sqrt(share * (1.0 - share))
    more = equivalence.units_needed(value, spread, tolerance, level, len(cells))
    needed = np.where(words == equivalence.TOO_FEW, np.maximum(more, results.n + 1), results.n)
    nothing = np.zeros(len(cells))
    judged = Verdicts(words, value, low, high, nothing, nothing, 1.0 - joint, needed)
    return _titled(_rows(tuple(cells), judged, results.n, ""), tolerance, level, len(cells))


def _rows(names: Sequence[str], judged: Verdicts, n: int, setting: str) -> list[dict[str, Any]]:
    found = []
    for place, name in enumerate(names):
        word, needed = str(judged.verdict[place]), float(judged.needed[place])
        open_ = word == equivalence.TOO_FEW and np.isfinite(needed) and n >= LEAST
        found.append(
            {
                **({"setting": setting} if setting else {}),
                "claim": name,
                "n": n,
                "edge": float(judged.value[place]),
                "edge_low": float(judged.low[place]),
                "edge_high": float(judged.high[place]),
                "verdict": word,
                "games_needed": round_up(needed) if open_ else np.nan,
            }
        )
    return found


def round_up(number: float) -> float:
    """The number with two digits, rounded up: a guess should not look like more."""
    unit = 10.0 ** max(np.floor(np.log10(max(number, 1.0))) - 1, 0)
    return float(np.ceil(number / unit) * unit)


def _titled(rows: Sequence[dict[str, Any]], tolerance: float, level: float, claims: int) -> pd.DataFrame:
    import pandas as pd

    made = pd.DataFrame(rows)
    points = f"{100 * tolerance:g} point{'' if tolerance == 0.01 else 's'}"
    made.attrs.update(
        title=f"Verdicts with a tolerance of {points}",
        question="Is it balanced?",
        about=(
            f"balanced: within {points} of the fair share, shown by two one-sided tests; unbalanced: a "
            f"difference is shown. Corrected for {claims} claim{'' if claims == 1 else 's'} made together "
            f"(wrong in {100 * (1 - level):g} % at most of all such tables); so are the intervals. games "
            "needed: about how many in all would bring a verdict, if the truth is near what was found."
        ),
        tolerance=tolerance,
        claims=claims,
    )
    return made
