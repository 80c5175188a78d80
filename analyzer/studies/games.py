"""What studies need of single games: who won, and numbers by seat and round as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.sim.outcomes import credits
from analyzer.sim.results import Results

__all__ = ["by_round", "credits"]


def by_round(results: Results, name: str, rounds: int, dtype: Any) -> NDArray[Any]:
    """The columns `name_<round>_<seat>` of all games as one array [seat, round, game]."""
    frame = results.games
    found = np.empty((results.players, rounds, len(frame)), dtype)
    for seat in range(results.players):
        for now in range(rounds):
            found[seat, now] = frame[f"{name}_{now + 1}_{seat + 1}"].to_numpy()
    return found
