"""Exact odds of a fight (M20 to M23), from the rules alone: one die, so every chance is faces / sides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

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


def sum_needed(rules: MoscowRules, month: str, total: int, faces: int) -> int:
    """The least sum of cards that wins on at least so many faces of the die (1 to all of them) (M21)."""
    return total - rules.months[_month(rules, month)].attack - (rules.die_sides + 1 - faces)


class Cards(NamedTuple):
    """Cards of one fight (M20), strongest first within a kind."""

    divisions: tuple[int, ...] = ()
    luftwaffe: tuple[int, ...] = ()
    general: int | None = None

    @property
    def size(self) -> int:
        """How many cards they are."""
        return len(self.divisions) + len(self.luftwaffe) + (self.general is not None)

    @property
    def sum(self) -> int:
        """Their strengths together."""
        return sum(self.divisions) + sum(self.luftwaffe) + (self.general or 0)

    def __str__(self) -> str:
        kinds = (("division", self.divisions), ("Luftwaffe", self.luftwaffe))
        parts = [f"{kind} {'+'.join(map(str, values))}" for kind, values in kinds if values]
        return ", ".join([*parts, *([f"general {self.general}"] if self.general is not None else [])])


def fewest_cards(
    needed: int, divisions: Sequence[int], luftwaffe: Sequence[int] = (), generals: Sequence[int] = ()
) -> Cards | None:
    """The fewest cards out of these that make a sum of `needed` and may fight together (M20).

    Of sets of equally many cards the weakest is taken, for all cards used are discarded (M23); of equally
    strong ones that with the most divisions, then Luftwaffe. None if all together do not reach it.
    """
    men, planes = sorted(divisions, reverse=True), sorted(luftwaffe, reverse=True)
    rest = sorted([*men[1:], *planes, *sorted(generals)[-1:]], reverse=True)
    strongest = accumulate([*men[:1], *rest]) if men else ()
    size = next((n for n, total in enumerate(strongest, 1) if total >= needed), None)
    if size is None:
        return None
    of_men, of_planes = _sums(men, size), _sums(planes, size)
    sets = (
        Cards(some, more, general)
        for general in (None, *sorted(set(generals)))
        for more in of_planes.values()
        for some in of_men.values()
        if some and len(some) + len(more) + (general is not None) == size
    )
    return min((one for one in sets if one.sum >= needed), key=_rank)


def _rank(cards: Cards) -> tuple[int, ...]:
    return cards.sum, -len(cards.divisions), -len(cards.luftwaffe)


def _sums(values: Sequence[int], most: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """(number, sum) -> cards of these strengths, strongest first; up to `most` cards."""
    found: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    for value in values:
        for (number, total), cards in list(found.items()):
            if number < most:
                found.setdefault((number + 1, total + value), (*cards, value))
    return found
