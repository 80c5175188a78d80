"""Force and what it does to hit points (K14, K21, the stratagems): plain arithmetic, used everywhere.

Functions take NumPy arrays or plain numbers alike and give int16 arrays; a teller and the tables of exact
hits use the same ones as the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar.model import KraskarRules

I16 = NDArray[np.int16]


def current_force(force: Any, besieging: Any) -> NDArray[np.int8]:
    """Ruling 4: the printed force with its modifiers int8[...], not below 0, halved if besieging (K14)."""
    force = force * (force > 0)
    return (force >> besieging).astype(np.int8)


def current_wit(wit: Any, besieging: Any) -> I16:
    """K14: wit, halved (rounded down) if besieging; wit 0 counts as 1."""
    return _at_least_one(np.asarray(wit, np.int16) >> np.asarray(besieging, np.int16))


def loss(rules: KraskarRules, damage: Any, force: Any) -> I16:
    """K21: hit points lost by a unit of current force `force` to the force damage `damage`."""
    damage, force = np.asarray(damage, np.int16), np.asarray(force, np.int16)
    if rules.damage == "plain":
        return damage + np.zeros_like(force)
    if rules.damage == "ratio":
        return _at_least_one(damage // _at_least_one(force))
    return _at_least_one(damage - force + np.int16(rules.damage_base))


def strike_loss(power: Any, wit: Any, target_wit: Any) -> I16:
    """Hit points lost to a strike; both wits are the current ones."""
    return np.asarray(power, np.int16) * wit // target_wit


def boost_rounds(rules: KraskarRules, wit: Any) -> I16:
    """Rounds that a boost or a rally lasts, by the current wit of its caster."""
    return np.asarray(wit, np.int16) // np.int16(rules.boost_wit) + np.int16(1)


def weaken_rounds(rules: KraskarRules, wit: Any, target_wit: Any) -> I16:
    """Rounds that a weaken lasts, by the current wits of caster and target."""
    return np.asarray(wit, np.int16) // (
        np.asarray(target_wit, np.int16) + np.int16(rules.weaken_wit)
    ) + np.int16(1)


def _at_least_one(values: Any) -> I16:
    values = np.asarray(values, np.int16)
    return values + (values < 1) * (np.int16(1) - values)
