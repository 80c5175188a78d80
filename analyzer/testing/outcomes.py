"""What is wrong with the columns and tallies that a game makes of its games."""

from __future__ import annotations

import numpy as np

from analyzer.sim.engine import Played
from analyzer.sim.request import Request
from analyzer.sim.tally import Tally
from analyzer.testing.playing import GAMES


def column_faults(request: Request, played: Played) -> list[str]:
    faults = []
    for name in ("winner", "end", "turns", "rounds"):
        if name not in played.columns:
            faults.append(f"its outcome lacks {name!r}.")
    for name, values in played.columns.items():
        if values.shape not in ((GAMES,), (request.players, GAMES)):
            faults.append(f"the measure {name!r} has shape {values.shape}; [game] or [seat, game] is needed.")
        if values.dtype.kind not in "iu":
            faults.append(f"the measure {name!r} is {values.dtype}; whole numbers are needed.")
    if faults:
        return faults
    game = request.make_game()
    winner, turns = played.columns["winner"], played.columns["turns"]
    if winner.min() < -1 or winner.max() > request.players:
        faults.append(f"a winner is not -1 (shared), 0 (nobody) or a seat 1 to {request.players}.")
    if turns.min() < 1 or turns.max() > game.max_turns:
        faults.append(f"a number of turns is not within 1 to {game.max_turns}.")
    if not np.array_equal(played.columns["rounds"], -(-turns.astype(int) // request.players)):
        faults.append("rounds is not turns / players, rounded up.")
    for name, labels in getattr(game, "labels", {}).items():
        if played.columns[name].max() >= len(labels):
            faults.append(f"a code of {name!r} has no label.")
    return faults


def tally_faults(request: Request, played: Played) -> list[str]:
    faults = [
        f"the tally {name!r} is not a Tally of whole numbers from 0 on."
        for name, tally in played.tallies.items()
        if not isinstance(tally, Tally) or tally.counts.dtype.kind not in "iu" or tally.counts.min() < 0
    ]
    if "shares" not in played.tallies:
        return [*faults, "it lacks the tally 'shares' (seat, winners)."]
    shares = played.tallies["shares"]
    if list(shares.axes) != ["seat", "winners"]:
        return [*faults, f"the tally 'shares' has the axes {list(shares.axes)}; seat, winners are needed."]
    credit = (shares.counts / np.asarray(shares.axes["winners"])).sum()
    won = np.count_nonzero(played.columns["winner"])
    if not np.isclose(credit, won):
        faults.append(f"the tally 'shares' gives {credit} wins, the column 'winner' {won}.")
    return faults
