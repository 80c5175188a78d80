"""Exact odds of a fight (M20 to M23), from the rules alone: one die, so every chance is faces / sides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from analyzer.errors import UserError, nearest

if TYPE_CHECKING:
    from analyzer.games.moscow.model import MoscowRules


def red_total(
    rules: MoscowRules, strength: int, month: str, general: bool = False, river: bool = False
) -> int:
    """What an attack must reach against a Red Army of this strength before a player (M21).

    A river counts until `rules.rivers_until`; `rules.boosts` says how general and river go together.
    """
    names = [one.name for one in rules.months]
    flows = river and _month(rules, month) <= names.index(rules.rivers_until)
    boosts = int(general) + int(flows)
    return strength * (2**boosts if rules.boosts == "multiply" else 1 + boosts)


def moscow_total(rules: MoscowRules, strength: int = 0, general: bool = False) -> int:
    """What an attack on Moscow must reach, with a Red Army of this strength on it (0: none) (M21)."""
    return rules.moscow_strength + strength * (2 if general else 1)


def chance(rules: MoscowRules, cards: Sequence[int], month: str, total: int) -> Fraction:
    """The chance that cards of these strengths with month and die reach `total` (M21, M22).

    Twice the Red total, for the extra advance card (M22), is `chance(..., 2 * total)`.
    Raises UserError without a card (M20) and for an unknown month.
    """
    if not cards:
        raise UserError("A fight needs at least one division (M20).")
    attack = sum(cards) + rules.months[_month(rules, month)].attack
    wins = sum(attack + face >= total for face in range(1, rules.die_sides + 1))
    return Fraction(wins, rules.die_sides)


def _month(rules: MoscowRules, month: str) -> int:
    names = [one.name for one in rules.months]
    if month not in names:
        raise nearest(month, names, "month")
    return names.index(month)
