"""Which seat wins, by its signs of strength: the conditional logit of one winner among several seats.

A seat's strength is a weighted sum of its signs (points, cards, units); the chance to win is
exp(strength) / the sum over seats. The weights are the likeliest ones, so the strength is the one number that
tells best who wins. It is a yardstick for `pacing.chances`, which makes calibrated chances of it.

Sources:
  McFadden, D. (1974), in Zarembka (ed.), Frontiers in Econometrics, 105-142: the model.
  Hoerl, A. E., Kennard, R. W. (1970), Technometrics 12, 55-67: a small ridge for signs that hardly vary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
STEPS, CLOSE, RIDGE = 30, 1e-8, 1.0


def weights(signs: ArrayLike, winner: ArrayLike) -> Floats:
    """The weight of each sign, float64[sign], in log odds a unit.

    signs: float64[sign, seat, game]; winner: int[game], the seat (0-based). Newton's method on standardised
    signs with a ridge of one game's worth; a sign that never differs between seats gets 0.
    """
    x = np.asarray(signs, np.float64)
    who = np.asarray(winner, np.int64)
    x = x - x.mean(axis=1, keepdims=True)  # what all seats have alike says nothing
    games = x.shape[2]
    scale = np.sqrt((x**2).mean(axis=(1, 2))) if games else np.zeros(len(x))
    safe = np.where(scale > 0, scale, 1.0)
    z = x / safe[:, None, None]
    beta = np.zeros(len(x))
    won = z[:, who, np.arange(games)].sum(axis=1)
    for _ in range(STEPS):
        p = _chances(np.einsum("k,ksg->sg", beta, z))
        mean = np.einsum("sg,ksg->kg", p, z)
        slope = won - mean.sum(axis=1) - RIDGE * beta
        curve = np.einsum("sg,ksg,jsg->kj", p, z, z) - mean @ mean.T + RIDGE * np.eye(len(x))
        step = np.linalg.solve(curve, slope)
        beta = beta + step
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    return np.asarray(np.where(scale > 0, beta / safe, 0.0))


def _chances(strength: Floats) -> Floats:
    """Softmax over seats, float64[seat, game]."""
    raised = np.exp(strength - strength.max(axis=0, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=0, keepdims=True))


def strength(signs: ArrayLike, winner: ArrayLike, alive: ArrayLike, least: int = 50) -> tuple[Floats, Floats]:
    """(strength float64[seat, round, game], weights float64[round, sign]), fitted round by round.

    signs: float64[sign, seat, round, game]; winner: int[game], -1 without a sole one (such games get a
    strength, but take no part in the fit); alive: bool[round, game]. Rounds with fewer than `least` games
    take the weights of the round before (0 at first).
    """
    x, there = np.asarray(signs, np.float64), np.asarray(alive, bool)
    who = np.asarray(winner, np.int64)
    rounds = x.shape[2]
    found, kept = np.zeros(x.shape[1:]), np.zeros((rounds, len(x)))
    for now in range(rounds):
        use = there[now] & (who >= 0)
        if np.count_nonzero(use) >= least:
            kept[now] = weights(x[:, :, now, use], who[use])
        elif now:
            kept[now] = kept[now - 1]
        found[:, now] = np.einsum("k,ksg->sg", kept[now], x[:, :, now])
    return found, kept
