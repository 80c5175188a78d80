"""Which seat wins, by its signs of strength: the conditional logit of one winner among several seats.

A seat's strength is a weighted sum of its signs (points, cards, units); the chance to win is
exp(strength) / the sum over seats. The weights are the likeliest ones, so the strength is the one number that
tells best who wins. It is a yardstick for `pacing.chances`, which makes calibrated chances of it.

Sources:
  McFadden, D. (1974), in Zarembka (ed.), Frontiers in Econometrics, 105-142: the model.
  Hoerl, A. E., Kennard, R. W. (1970), Technometrics 12, 55-67: a small ridge for signs that hardly vary.
  White, H. (1982), Econometrica 50, 1-25: errors that hold though the model is not quite true (sandwich).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
STEPS, CLOSE, RIDGE = 30, 1e-8, 1.0


class Fit(NamedTuple):
    """The weight of each sign in log odds a unit, and its standard error, float64[sign] each."""

    weights: Floats
    error: Floats


def fit(signs: ArrayLike, winner: ArrayLike) -> Fit:
    """The likeliest weights. A sign that never differs between seats gets 0, without an error (NaN).

    signs: float64[sign, seat, game]; winner: int[game], the seat (0-based). Newton's method on standardised
    signs with a ridge of one game's worth; the errors are White's.
    """
    x = np.asarray(signs, np.float64)
    who = np.asarray(winner, np.int64)
    x = x - x.mean(axis=1, keepdims=True)  # what all seats have alike says nothing
    games = x.shape[2]
    scale = np.sqrt((x**2).mean(axis=(1, 2))) if games else np.zeros(len(x))
    safe = np.where(scale > 0, scale, 1.0)
    z = x / safe[:, None, None]
    won = z[:, who, np.arange(games)]
    beta = np.zeros(len(x))
    for _ in range(STEPS):
        slopes, curve = _slopes(z, won, beta)
        step = np.linalg.solve(curve, slopes.sum(axis=1) - RIDGE * beta)
        beta = beta + step
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    slopes, curve = _slopes(z, won, beta)
    bread = np.linalg.inv(curve)
    error = np.sqrt(np.clip(np.diag(bread @ (slopes @ slopes.T) @ bread), 0.0, None))
    used = scale > 0
    return Fit(np.where(used, beta / safe, 0.0), np.where(used, error / safe, np.nan))


def _slopes(z: Floats, won: Floats, beta: Floats) -> tuple[Floats, Floats]:
    """(each game's slope of the log likelihood float64[sign, game], its curvature float64[sign, sign])."""
    p = _chances(np.einsum("k,ksg->sg", beta, z))
    mean = np.einsum("sg,ksg->kg", p, z)
    curve = np.einsum("sg,ksg,jsg->kj", p, z, z) - mean @ mean.T + RIDGE * np.eye(len(z))
    return won - mean, np.asarray(curve)


def weights(signs: ArrayLike, winner: ArrayLike) -> Floats:
    """The weights of `fit` alone, float64[sign]."""
    return fit(signs, winner).weights


def _chances(strength: Floats) -> Floats:
    """Softmax over seats, float64[seat, game]."""
    raised = np.exp(strength - strength.max(axis=0, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=0, keepdims=True))


def strength(signs: ArrayLike, winner: ArrayLike, alive: ArrayLike, least: int = 50) -> tuple[Floats, Fit]:
    """(strength float64[seat, round, game], weights and errors float64[round, sign]), fitted round by round.

    signs: float64[sign, seat, round, game]; winner: int[game], -1 without a sole one (such games get a
    strength, but take no part in the fit); alive: bool[round, game]. Rounds with fewer than `least` games
    take the weights of the round before (0 at first), without errors.
    """
    x, there = np.asarray(signs, np.float64), np.asarray(alive, bool)
    who = np.asarray(winner, np.int64)
    rounds = x.shape[2]
    kept, error = np.zeros((rounds, len(x))), np.full((rounds, len(x)), np.nan)
    for now in range(rounds):
        use = there[now] & (who >= 0)
        if np.count_nonzero(use) >= least:
            kept[now], error[now] = fit(x[:, :, now, use], who[use])
        elif now:
            kept[now] = kept[now - 1]
    return np.asarray(np.einsum("rk,ksrg->srg", kept, x)), Fit(kept, error)
