"""What single games tell about who won, and games that share their luck side by side. Flat in memory.

The columns are those of every game (see the contract): `winner` (a seat from 1, 0 nobody, -1 shared),
`rounds`, `turns`, and `won_1`, `won_2`, ... (0/1) where wins can be shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import UserError

if TYPE_CHECKING:
    from analyzer.sim.results import Results

Floats = NDArray[np.float64]
SHARED = -1  # in the column `winner`


def won_columns(results: Results, names: Sequence[str]) -> list[str]:
    """The columns among `names` that tell who won: `winner`, or one a seat where wins can be shared."""
    by_seat = [f"won_{seat}" for seat in range(1, results.players + 1)]
    return by_seat if set(by_seat) <= set(names) else ["winner"]


def credits(games: Any, players: int) -> Floats:
    """The win credit of every seat in every game, float64[seat, game]: a win shared by k seats counts 1/k.

    games: columns [game] by name, or a frame of them.
    Raises UserError if a win was shared and the columns do not tell by whom.
    """
    if "won_1" in games:
        won = np.stack([np.asarray(games[f"won_{seat}"], np.float64) for seat in range(1, players + 1)])
        return won / np.maximum(won.sum(axis=0), 1.0)
    winner = np.asarray(games["winner"], np.int64)
    if np.any(winner == SHARED):
        raise UserError(
            "The games tell that wins were shared, not by which seats (columns won_1, won_2, ...)."
        )
    return (winner == np.arange(1, players + 1)[:, None]).astype(np.float64)


def column_names(results: Results) -> list[str]:
    """The columns of the games. Raises UserError if the run kept none."""
    if not results.has_games:
        raise UserError("This run kept no single games; repeat it.")
    return list(next(results.iter_games()).columns)


def chunks(results: Results, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, NDArray[Any]]]]:
    """The games chunk by chunk: all rotations of the same rows, as (number of the chunk, columns), in the
    order of their index; `game` and `rotation` are always there.

    A chunk is `block` games of each rotation; no more than one of them is held at a time.
    """
    wanted = list(dict.fromkeys(["game", "rotation", *columns]))
    size = int(results.meta.get("block") or max(results.n, 1)) * len(results.rotations)
    held: list[dict[str, NDArray[Any]]] = []
    now = 0
    for frame in results.iter_games(wanted):
        number = frame["game"].to_numpy(np.int64) // size
        # A file holds games of one chunk; games in memory stand in order.
        for chunk in np.unique(number):
            if held and chunk != now:
                yield now, _joined(held)
                held = []
            now = int(chunk)
            here = number == chunk
            held.append({name: frame[name].to_numpy()[here] for name in wanted})
    if held:
        yield now, _joined(held)


def _joined(parts: Sequence[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    order = np.argsort(np.concatenate([part["game"] for part in parts]), kind="stable")
    return {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}


def deals(
    results: Results, columns: Sequence[str]
) -> Iterator[tuple[NDArray[np.int64], dict[str, NDArray[Any]]]]:
    """The complete deals chunk by chunk: (rank int64[deal], name -> values [rotation, deal]).

    The rank of a game is game // rotations. Ranks that lack a rotation (a run that was stopped) are left out.
    """
    rotations = len(results.rotations)
    for _, found in chunks(results, columns):
        rank = found["game"] // rotations
        # In the order of the index the games of a rank stand side by side.
        first = np.flatnonzero(np.diff(rank, prepend=rank[:1] - 1))
        whole = first[np.diff(first, append=len(rank)) == rotations]
        place = whole[None, :] + np.arange(rotations)[:, None]
        yield rank[whole], {name: values[place] for name, values in found.items()}
