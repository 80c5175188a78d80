"""Force and what it does to hit points (K14, K21, the stratagems): plain arithmetic, used everywhere.

Functions take NumPy arrays of small integers and give int16 arrays, or take and give plain numbers: a teller,
the tables of exact hits and the odds use the same ones as the game. NumPy itself is not needed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analyzer.games.kraskar.model import KraskarRules

    I16 = NDArray[np.int16]


def current_force(force: Any, besieging: Any) -> NDArray[np.int8]:
    """Ruling 4: the printed force with its modifiers int8[...], not below 0, halved if besieging (K14)."""
    force = force * (force > 0)
    return (force >> besieging).astype("int8")


def current_wit(wit: Any, besieging: Any) -> Any:
    """K14: wit, halved (rounded down) if besieging; wit 0 counts as 1."""
    return _at_least_one(_wide(wit) >> _wide(besieging))


def loss(rules: KraskarRules, damage: Any, force: Any) -> Any:
    """K21: hit points lost by a unit of current force `force` to the force damage `damage`."""
    damage, force = _wide(damage), _wide(force)
    if rules.damage == "plain":
        return damage + 0 * force
    if rules.damage == "ratio":
        return _at_least_one(damage // _at_least_one(force))
    return _at_least_one(damage - force + rules.damage_base)


def strike_loss(power: Any, wit: Any, target_wit: Any) -> Any:
    """Hit points lost to a strike; both wits are the current ones."""
    return _wide(power) * wit // target_wit


def boost_rounds(rules: KraskarRules, wit: Any) -> Any:
    """Rounds that a boost or a rally lasts, by the current wit of its caster."""
    return _wide(wit) // rules.boost_wit + 1


def weaken_rounds(rules: KraskarRules, wit: Any, target_wit: Any) -> Any:
    """Rounds that a weaken lasts, by the current wits of caster and target."""
    return _wide(wit) // (_wide(target_wit) + rules.weaken_wit) + 1


def _wide(values: Any) -> Any:
    """An array with room for the sums (int16); a plain number as it is."""
    return values.astype("int16", copy=False) if hasattr(values, "astype") else values


def _at_least_one(values: Any) -> Any:
    return values + (values < 1) * (1 - values)
