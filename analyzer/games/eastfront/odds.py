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
from math import perm
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import UserError, nearest

if TYPE_CHECKING:
    from analyzer.games.eastfront.model import EastfrontRules

Counts = tuple[int, ...]
End = tuple[int, Counts]  # Soviet cards destroyed, German cards left


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
    attack, table, hidden, height, first = _ready(rules, germans, cards, seen, face_up)
    return [attack.chance(table, hidden, first, k) for k in range(1, height + 1)]


def destroys(
    rules: EastfrontRules,
    germans: Mapping[str, int],
    number: int,
    seen: Mapping[str, int] | None = None,
) -> Fraction:
    """The chance that one attack destroys so many cards of a stack that lies face down."""
    attack, table, hidden, _, _ = _ready(rules, germans, number, seen, None)
    return attack.chance(table, hidden, None, number)


class Outcome(NamedTuple):
    """One way an attack may end: Soviet cards destroyed, German cards lost by name, and its chance."""

    destroyed: int
    lost: dict[str, int]
    chance: Fraction


def outcomes(
    rules: EastfrontRules,
    germans: Mapping[str, int],
    cards: int | None = None,
    seen: Mapping[str, int] | None = None,
    face_up: str | None = None,
) -> list[Outcome]:
    """Every way an attack on a stack may end, with what it costs; arguments as in `clears`."""
    attack, table, hidden, height, first = _ready(rules, germans, cards, seen, face_up)
    ends = attack.ends(table, hidden, height, first)
    names = [card.name for card in rules.cards.german]
    return [
        Outcome(
            k,
            {name: had - has for name, had, has in zip(names, table, left, strict=True) if had > has},
            chance,
        )
        for (k, left), chance in sorted(ends.items())
    ]


class Exchange(NamedTuple):
    """What one exchange does (E13, E15): the German card lost (None: none is hurt), and whether it is won."""

    lost: str | None
    fire: int
    won: bool


def exchange(rules: EastfrontRules, germans: Mapping[str, int], soviet: str) -> Exchange:
    """One exchange of these German cards with a Soviet card; `fire` is what is left against its defence."""
    attack, table, _, _, first = _ready(rules, germans, 1, None, soviet)
    left, won = attack.exchange(table, first or 0)
    names = [card.name for card in rules.cards.german]
    lost = next((name for name, had, has in zip(names, table, left, strict=True) if had > has), None)
    return Exchange(lost, attack.fire(left), won)


def next_card(
    rules: EastfrontRules, germans: Mapping[str, int], seen: Mapping[str, int] | None = None
) -> Fraction:
    """The chance that an attack destroys the next card of a stack that lies face down."""
    return clears(rules, germans, 1, seen)[0]


def _ready(
    rules: EastfrontRules,
    germans: Mapping[str, int],
    cards: int | None,
    seen: Mapping[str, int] | None,
    face_up: str | None,
) -> tuple[_Attack, Counts, Counts, int, int | None]:
    """The attack, the table, what lies face down, the stack's height, and which card is up."""
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
    return _Attack(rules), table, tuple(hidden.values()), height, first


def _known(name: str, known: object, what: str) -> str:
    names = list(known)  # type: ignore[call-overload]
    if name not in names:
        raise nearest(name, names, what)
    return name


class _Attack:
    """The recursion: one exchange after the other, over the types of the next card.

    Orders of the face-down cards are counted in whole numbers; only the last step makes fractions of them.
    """

    def __init__(self, rules: EastfrontRules) -> None:
        self.german, self.soviet = rules.cards.german, rules.cards.soviet
        self.best_first = sorted(
            range(len(self.german)),
            key=lambda g: (self.german[g].fire, self.german[g].defence, g),
            reverse=True,
        )
        self.exchange = cache(self._exchange)
        self.winning = cache(self._winning)
        self.orders = cache(self._orders)

    def chance(self, table: Counts, hidden: Counts, first: int | None, k: int) -> Fraction:
        """The chance of at least k cards."""
        if first is not None and k:
            table, won = self.exchange(table, first)
            if not won:
                return Fraction(0)
            k -= 1
        return Fraction(self.winning(table, hidden, k), perm(sum(hidden), k))

    def ends(self, table: Counts, hidden: Counts, height: int, first: int | None) -> dict[End, Fraction]:
        """How likely each end of the attack is (E16, E17)."""
        every, won = perm(sum(hidden), height - (first is not None)), 0
        if first is not None:
            table, beaten = self.exchange(table, first)
            if not beaten:
                return {(0, table): Fraction(1)}
            height, won = height - 1, 1
        orders = self.orders(table, hidden, height)
        return {(k + won, left): Fraction(number, every) for (k, left), number in orders.items()}

    def fire(self, table: Counts) -> int:
        """The fire of German cards together (E15)."""
        return sum(n * german.fire for n, german in zip(table, self.german, strict=True))

    def _exchange(self, table: Counts, soviet: int) -> tuple[Counts, bool]:
        """The German cards left, and whether the Soviet card is destroyed (E13, E15)."""
        card, left = self.soviet[soviet], list(table)
        hit = next((g for g in self.best_first if left[g] and self.german[g].defence < card.fire), None)
        if hit is not None:
            left[hit] -= 1
        return tuple(left), self.fire(tuple(left)) > card.defence

    def _winning(self, table: Counts, hidden: Counts, k: int) -> int:
        """In how many orders of k of the face-down cards all are destroyed, one after the other."""
        if k == 0:
            return 1
        found = 0
        for s, n in enumerate(hidden):
            if n:
                left, won = self.exchange(table, s)
                if won:
                    found += n * self.winning(left, _without(hidden, s), k - 1)
        return found

    def _orders(self, table: Counts, hidden: Counts, height: int) -> dict[End, int]:
        """How many orders of `height` of the face-down cards lead to each end of the attack."""
        if height == 0 or not any(table):  # ruling 4: without a German card there is no attack
            return {(0, table): perm(sum(hidden), height)}
        rest = perm(sum(hidden) - 1, height - 1)  # orders of the cards after the next one
        ends: dict[End, int] = {}
        for s, n in enumerate(hidden):
            if not n:
                continue
            left, won = self.exchange(table, s)
            after = self.orders(left, _without(hidden, s), height - 1) if won else {(-1, left): rest}
            for (k, last), number in after.items():
                ends[k + 1, last] = ends.get((k + 1, last), 0) + n * number
        return ends


def _without(hidden: Counts, s: int) -> Counts:
    return (*hidden[:s], hidden[s] - 1, *hidden[s + 1 :])
