"""Exact odds of an attack on a stack (E12 to E18), from the rules alone, by enumeration, as fractions.

The attacker goes on as long as it can with the same stack; the left neighbour shoots the best German card
that the Soviet card can destroy (most fire, then most defence); no support cards and no pillbox. What is
chance is only which Soviet cards lie face down: every order of those that are unseen is as likely.
`chances.clear` is the same for many games at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from analyzer.errors import UserError, nearest

if TYPE_CHECKING:
    from analyzer.games.eastfront.model import EastfrontRules

Counts = tuple[int, ...]


def unseen(rules: EastfrontRules, seen: Mapping[str, int] | None = None) -> dict[str, int]:
    """Soviet cards by name that lie face down when these (name -> count) are destroyed or lie face up.

    Raises UserError for an unknown name and for more cards than there are.
    """
    left = {card.name: card.count for card in rules.cards.soviet}
    for name, count in (seen or {}).items():
        left[_known(name, left, "Soviet card")] -= count
        if count < 0 or left[name] < 0:
            raise UserError(f"There are not {count} cards {name!r} among the Soviet cards.")
    return left


def clears(
    rules: EastfrontRules,
    germans: Mapping[str, int],
    cards: int | None = None,
    seen: Mapping[str, int] | None = None,
    face_up: str | None = None,
) -> list[Fraction]:
    """The chances that one attack destroys at least 1, 2, ... cards of a stack with `cards` cards.

    germans: name -> count on the table. cards: of the stack, by default a full one. seen: Soviet cards that
    lie face up anywhere or are destroyed. face_up: the card that lies on this stack (it counts as seen by
    itself). The last chance is that of clearing the stack. Raises UserError for names and numbers that cannot
    be.
    """
    height = -(-sum(card.count for card in rules.cards.soviet) // rules.stacks) if cards is None else cards
    known = {card.name for card in rules.cards.soviet}
    if face_up is not None:
        seen = dict(seen or {})
        seen[_known(face_up, known, "Soviet card")] = seen.get(face_up, 0) + 1
    hidden = unseen(rules, seen)
    if height < 1 or height - (face_up is not None) > sum(hidden.values()):
        raise UserError(f"A stack of {height} cards cannot be: {sum(hidden.values())} cards lie face down.")
    table = tuple(int(germans.get(card.name, 0)) for card in rules.cards.german)
    for name in germans:
        _known(name, {card.name for card in rules.cards.german}, "German card")
    first = None if face_up is None else [card.name for card in rules.cards.soviet].index(face_up)
    return _Attack(rules).chances(table, tuple(hidden.values()), height, first)


def next_card(
    rules: EastfrontRules, germans: Mapping[str, int], seen: Mapping[str, int] | None = None
) -> Fraction:
    """The chance that an attack destroys the next card of a stack that lies face down."""
    return clears(rules, germans, 1, seen)[0]


def _known(name: str, known: object, what: str) -> str:
    names = list(known)  # type: ignore[call-overload]
    if name not in names:
        raise nearest(name, names, what)
    return name


class _Attack:
    """The recursion: one exchange after the other, over the types of the next card."""

    def __init__(self, rules: EastfrontRules) -> None:
        self.german, self.soviet = rules.cards.german, rules.cards.soviet
        self.best_first = sorted(
            range(len(self.german)),
            key=lambda g: (self.german[g].fire, self.german[g].defence, g),
            reverse=True,
        )
        self.at_least = cache(self._at_least)

    def chances(self, table: Counts, hidden: Counts, height: int, first: int | None) -> list[Fraction]:
        """The chance of at least k cards, k = 1 .. height."""
        if first is None:
            return [self.at_least(table, hidden, k) for k in range(1, height + 1)]
        left = self.exchange(table, first)
        if left is None:
            return [Fraction(0)] * height
        return [self.at_least(left, hidden, k) for k in range(height)]

    def exchange(self, table: Counts, soviet: int) -> Counts | None:
        """The German cards left after the Soviet card is destroyed; None if it is not (E13, E15)."""
        card, left = self.soviet[soviet], list(table)
        hit = next((g for g in self.best_first if left[g] and self.german[g].defence < card.fire), None)
        if hit is not None:
            left[hit] -= 1
        fire = sum(n * german.fire for n, german in zip(left, self.german, strict=True))
        return tuple(left) if fire > card.defence else None

    def _at_least(self, table: Counts, hidden: Counts, k: int) -> Fraction:
        """The chance to destroy k face-down cards one after the other."""
        if k == 0:
            return Fraction(1)
        total, chance = sum(hidden), Fraction(0)
        for s, n in enumerate(hidden):
            left = self.exchange(table, s) if n else None
            if left is not None:
                rest = (*hidden[:s], n - 1, *hidden[s + 1 :])
                chance += Fraction(n, total) * self.at_least(left, rest, k - 1)
        return chance
