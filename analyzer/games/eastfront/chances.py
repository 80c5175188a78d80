"""Exact chances of attacks on stacks that lie face down, by enumeration, for many games at once.

An attack of given German cards goes on as long as it can; every exchange takes the best German card that the
Soviet card can destroy (E13; a neighbour who shoots well), then the fire that is left must exceed the defence
(E15). Only the order of the face-down cards is chance: every order of those that are unseen is as likely.
No support cards, no pillbox. `odds` tells the same for one attack in exact fractions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array
from analyzer.games.eastfront.tables import Tables


def clear(tables: Tables, table: Array, unseen: Array, top: Array, left: Array) -> NDArray[np.float64]:
    """float64[k, game]: the chance to destroy at least k + 1 cards of a stack in one attack.

    table int[german, game]; unseen int[soviet, game]: all cards that lie face down; top int[game]: the type
    of the card that lies face up on the stack, -1 for none; left int[game]: its cards.
    """
    games = table.shape[1]
    out = np.zeros((tables.height, games))
    # Branches: one a game and a sequence of Soviet cards destroyed so far, with its probability.
    game = np.flatnonzero(left > 0)
    weight = np.ones(game.size)
    force, hidden = table[:, game].astype(np.int64), unseen[:, game].astype(np.int64)
    for k in range(tables.height):
        known = top[game] if k == 0 else np.full(game.size, -1)
        parts = [_one_type(tables, s, known, force, hidden) for s in range(tables.soviets)]
        where = np.concatenate([part[0] for part in parts])
        weight = weight[where] * np.concatenate([part[1] for part in parts])
        force = np.concatenate([part[2] for part in parts], axis=1)
        hidden = np.concatenate([part[3] for part in parts], axis=1)
        game = game[where]
        out[k] = np.bincount(game, weight, games)
        on = left[game] > k + 1
        game, weight, force, hidden = game[on], weight[on], force[:, on], hidden[:, on]
    return out


def _one_type(tables: Tables, s: int, known: Array, force: Array, hidden: Array) -> tuple[Array, ...]:
    """The branches in which the next card is of type `s` and is destroyed.

    Returns their places, the chance of such a card, and what is left of German and of unseen cards.
    """
    total = hidden.sum(axis=0)
    chance: Array = np.asarray(np.where(known >= 0, known == s, hidden[s] / np.maximum(total, 1)))
    killable = tables.german_defence < tables.soviet_fire[s]
    worth = np.where((force > 0) & killable[:, None], tables.worth[:, None] + 1, 0)
    victim = worth.argmax(axis=0)
    some: Array = worth.max(axis=0) > 0
    fire = tables.german_fire.astype(np.int64) @ force
    fire -= some * tables.german_fire[victim]
    where = np.flatnonzero((chance > 0) & (fire > tables.soviet_defence[s]))
    force, hidden = force[:, where].copy(), hidden[:, where].copy()
    force[victim[where], np.arange(where.size)] -= some[where]
    hidden[s] -= (known < 0)[where]
    return where, chance[where], force, hidden
