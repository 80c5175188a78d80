"""Exact odds of a fight (M20 to M23), from the rules alone: one die, so every chance is faces / sides."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
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


Sums = dict[int, tuple[int, ...]]  # sum -> cards that make it


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
    of_men, of_planes = _sums(tuple(men)), _sums(tuple(planes))
    found: list[Cards] = []
    for general in (None, *sorted(set(generals))):
        others = size - (general is not None)
        for number in range(1, min(others, len(men)) + 1):
            if others - number <= len(planes):
                more = of_planes[others - number]
                found += _weakest(needed, of_men[number], more, general)
    return min(found, key=_rank)


def _weakest(needed: int, men: Sums, planes: Sums, general: int | None) -> list[Cards]:
    """For each sum of the divisions the weakest Luftwaffe cards that make it enough, if any do."""
    sums = list(planes)
    found = []
    for total, some in men.items():
        place = bisect_left(sums, needed - total - (general or 0))
        if place < len(sums):
            found.append(Cards(some, planes[sums[place]], general))
    return found


def _rank(cards: Cards) -> tuple[int, ...]:
    return cards.sum, -len(cards.divisions), -len(cards.luftwaffe)


@lru_cache(maxsize=16)
def _sums(values: tuple[int, ...]) -> list[Sums]:
    """For each number of cards: their sum, ascending -> cards of these strengths, strongest first."""
    found: list[Sums] = [{0: ()}, *({} for _ in values)]
    for k, value in enumerate(values):
        for number in range(k, -1, -1):  # downwards: a card is used once
            more = found[number + 1]
            for total, cards in found[number].items():
                if total + value not in more:
                    more[total + value] = (*cards, value)
    return [dict(sorted(sums.items())) for sums in found]
