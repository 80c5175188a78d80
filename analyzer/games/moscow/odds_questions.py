"""What players of Moscow ask at the table: will this attack do, when, against whom, with how few cards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer.answers import Answer, Column, Heat, Lines, exactly, listed
from analyzer.errors import UserError, argument
from analyzer.games.moscow import odds
from analyzer.questions import Choice, Flag, Number, Numbers, Question, Share

if TYPE_CHECKING:
    from analyzer.games.moscow.model import MoscowRules

STRONGEST = 30  # of a card, as in the model
ARMY, MONTH = 8, "june"


@dataclass(frozen=True)
class Target:
    """What is attacked: a Red Army before the player, or Moscow with or without one."""

    rules: MoscowRules
    army: int
    general: bool
    river: bool
    moscow: bool

    def total(self, month: str) -> int:
        """What the attack must reach (M21)."""
        if self.moscow:
            return odds.moscow_total(self.rules, self.army, self.general)
        return odds.red_total(self.rules, self.army, month, self.general, self.river)

    def chance(self, attack: int, month: str, times: int = 1) -> Fraction:
        """The chance that cards of this sum reach the total, or `times` it (M22)."""
        return odds.chance(self.rules, [attack], month, times * self.total(month))

    def __str__(self) -> str:
        own = f"a Red Army of {self.army}" if self.army else ""
        extras = [name for name, there in (("a general", self.general), ("a river", self.river)) if there]
        own += f" with {' and '.join(extras)}" if extras else ""
        if not self.moscow:
            return own
        return f"Moscow and {own}" if own else "Moscow"


def _target(rules: MoscowRules, army: int | None, general: bool, river: bool, moscow: bool) -> Target:
    """Raises UserError for what cannot stand there."""
    if moscow and river:
        raise UserError(f"{argument('river')}: no river is placed on Moscow (M12).")
    if moscow and general and not army:
        raise UserError(
            f"{argument('general')}: on Moscow a Red general stands on an army only (M12); give "
            f"{argument('army')} too."
        )
    if not moscow and army == 0:
        raise UserError(
            f"{argument('army')}: '0' is not allowed; before a player an army of 1 to {STRONGEST}."
        )
    return Target(rules, (0 if moscow else ARMY) if army is None else army, general, river, moscow)


def _attack(cards: tuple[int, ...] | None, attack: int | None) -> int | None:
    """The sum of the cards, however it was given."""
    if cards is None:
        return attack
    if attack is not None and attack != sum(cards):
        raise UserError(
            f"{argument('cards')} make a sum of {sum(cards)}, {argument('attack')} says {attack}; give one "
            "of them."
        )
    return sum(cards)


def _sum_in_words(rules: MoscowRules, attack: int, month: str) -> str:
    return f"Cards of {attack} in {month.capitalize()} ({_modifier(rules, month):+d})"


def _modifier(rules: MoscowRules, month: str) -> int:
    return next(one.attack for one in rules.months if one.name == month)


def _reckoned(rules: MoscowRules) -> str:
    return (
        f"Exact: sum of the cards + month + one die (1 to {rules.die_sides}) must reach the total (M21); "
        "twice over is what an extra advance card needs (M22)."
    )


# ---------------------------------------------------------------- one fight


def fight(
    rules: MoscowRules,
    *,
    cards: tuple[int, ...] | None,
    attack: int | None,
    month: str,
    army: int | None,
    general: bool,
    river: bool,
    moscow: bool,
) -> Answer:
    """The chance of one fight, with what a stronger or weaker attack would do."""
    target, attack = _target(rules, army, general, river, moscow), _attack(cards, attack)
    total, last = target.total(month), rules.die_sides
    sure = odds.sum_needed(rules, month, total, last)
    rows: list[tuple[Any, ...]] = []
    asked = None
    for points in _of_interest(target, month, attack):
        if points == attack:
            asked = len(rows)
        twice = None if moscow else target.chance(points, month, 2)
        rows.append((points, target.chance(points, month), twice))
    against = f"{target} (total {total})"
    if attack is None:
        even = max(1, odds.sum_needed(rules, month, total, -(-last // 2)))
        finding = (
            f"Against {against} in {month.capitalize()}, cards of {even} win with "
            f"{exactly(target.chance(even, month))}, cards of {max(1, sure)} cannot fail."
        )
    else:
        finding = (
            f"{_sum_in_words(rules, attack, month)} beat {against}: {exactly(target.chance(attack, month))}"
        )
        finding += "." if moscow else f"; twice over: {exactly(target.chance(attack, month, 2))}."
    columns = [Column("sum", heading="sum of cards"), Column("beat", "chance")]
    columns += [] if moscow else [Column("twice", "chance", "twice over")]
    return Answer(
        tuple(columns),
        tuple(row[: len(columns)] for row in rows),
        f"Attack on {against}, {month.capitalize()}",
        finding,
        _reckoned(rules),
        Lines("sum", tuple(one.name for one in columns[1:]), "sum of the cards", "chance"),
        asked,
        given={"army": target.army} | ({} if attack is None else {"attack": attack}),
    )


def _of_interest(target: Target, month: str, attack: int | None) -> list[int]:
    """The sums of cards at which chances change, from hopeless to sure, and the one that was asked for."""
    total, last = target.total(month), target.rules.die_sides
    spans = [total] if target.moscow else [total, 2 * total]
    found = {attack} if attack is not None else set()
    for goal in spans:
        low = odds.sum_needed(target.rules, month, goal, 1) - 1
        found |= set(range(low, low + last + 1))
    return sorted(points for points in found if points >= 1) or [1]


# ---------------------------------------------------------------- when, and against whom


def months(
    rules: MoscowRules,
    *,
    cards: tuple[int, ...] | None,
    attack: int | None,
    army: int | None,
    general: bool,
    river: bool,
    moscow: bool,
) -> Answer:
    """The same attack in every month."""
    target, points = _target(rules, army, general, river, moscow), _attack(cards, attack)
    points = target.total(MONTH) if points is None else points
    rows: list[tuple[Any, ...]] = []
    for one in rules.months:
        twice = None if moscow else target.chance(points, one.name, 2)
        total = target.total(one.name)
        rows.append((one.name.capitalize(), one.attack, total, target.chance(points, one.name), twice))
    chances = [row[3] for row in rows]
    best, worst = chances.index(max(chances)), chances.index(min(chances))
    told = f"with {exactly(chances[best])} in {rows[best][0]}, {exactly(chances[worst])} in {rows[worst][0]}"
    if chances[best] == chances[worst]:
        told = f"with {exactly(chances[best])} in every month"
    columns = (
        Column("month", "text"), Column("modifier"), Column("total"), Column("beat", "chance"),
        Column("twice", "chance", "twice over"),
    )  # fmt: skip
    return Answer(
        columns[:-1] if moscow else columns,
        tuple(row[:-1] if moscow else row for row in rows),
        f"Cards of {points} against {target}, month by month",
        f"Cards of {points} beat {target} {told}.",
        f"{_reckoned(rules)} Rivers count through {rules.rivers_until.capitalize()}.",
        Lines("month", ("beat",) if moscow else ("beat", "twice"), "month", "chance"),
        given={"attack": points, "army": target.army},
    )


def armies(rules: MoscowRules, *, cards: tuple[int, ...] | None, attack: int | None, month: str) -> Answer:
    """One attack against every Red Army of the deck, with what may stand on it, and against Moscow."""
    points = _attack(cards, attack)
    points = ARMY if points is None else points
    boosts = ((False, False), (True, False), (False, True), (True, True))
    rows: list[tuple[Any, ...]] = []
    for card in rules.cards.red_army:
        found = [Target(rules, card.strength, *both, False) for both in boosts]
        rows.append(
            (
                f"army {card.strength}",
                *(one.chance(points, month) for one in found),
                found[0].chance(points, month, 2),
            )
        )
    city = [
        Target(rules, strength, False, False, True)
        for strength in (0, *(a.strength for a in rules.cards.red_army))
    ]
    rows += [
        (
            f"Moscow with army {one.army}" if one.army else "Moscow",
            one.chance(points, month),
            None,
            None,
            None,
            None,
        )
        for one in city
    ]
    sure = [row[0] for row in rows if row[1] == 1]
    even = [row[0] for row in rows if 1 > row[1] >= Fraction(1, 2)]
    told = [f"cannot fail against {listed(sure)}"] if sure else []
    told += [f"is even or better against {listed(even)}"] if even else []
    finding = "; it ".join(told) if told else "is worse than even against everything"
    columns = ("beat", "with_general", "with_river", "with_both", "twice")
    return Answer(
        (Column("target", "text"), *(Column(name, "chance") for name in columns)),
        tuple(rows),
        f"Cards of {points} in {month.capitalize()} ({_modifier(rules, month):+d})",
        f"{_sum_in_words(rules, points, month)}: the attack {finding}.",
        f"{_reckoned(rules)} twice: against the army alone.",
        Heat("target", columns, "the army alone, with what stands on it, and twice over"),
        given={"attack": points},
    )


# ---------------------------------------------------------------- the smallest set of cards


def fewest(
    rules: MoscowRules,
    *,
    want: Fraction,
    divisions: tuple[int, ...] | None,
    luftwaffe: tuple[int, ...] | None,
    generals: tuple[int, ...] | None,
    month: str,
    army: int | None,
    general: bool,
    river: bool,
    moscow: bool,
    twice: bool,
) -> Answer:
    """The fewest cards for each chance, out of a hand, or out of the deck where none is given."""
    target = _target(rules, army, general, river, moscow)
    if moscow and twice:
        raise UserError(
            f"{argument('twice')}: an attack on Moscow has nothing to win by twice its strength (M22)."
        )
    any_hand = divisions is None and luftwaffe is None and generals is None
    hand = _deck(rules) if any_hand else (divisions or (), luftwaffe or (), generals or ())
    total = target.total(month) * (2 if twice else 1)
    rows: list[tuple[Any, ...]] = []
    for faces in range(1, rules.die_sides + 1):
        needed = max(1, odds.sum_needed(rules, month, total, faces))
        found = odds.fewest_cards(needed, *hand)
        # A weak die's needs may be met by one card more than well: the chance of the cards that are taken.
        chance = odds.chance(rules, [found.sum], month, total) if found else None
        rows.append((Fraction(faces, rules.die_sides), needed, *_cells(found, chance)))
    asked = next(k for k, row in enumerate(rows) if row[0] >= want)
    cards, chance = rows[asked][3], rows[asked][5]
    what = f"beat {target} {'twice over ' if twice else ''}(total {total}) in {month.capitalize()}"
    if chance is None:
        possible = [row for row in rows if row[5] is not None]
        none = "there is no chance" if hand[0] else "without a division there is no fight (M20)"
        best = f"at most {exactly(possible[-1][5])}: {possible[-1][3]}" if possible else none
        finding = f"These cards cannot {what} with a chance of {exactly(want)}; {best}."
    else:
        finding = (
            f"To {what} with at least {exactly(want)}: {cards}, a sum of {rows[asked][4]}, {exactly(chance)}."
        )
    columns = (
        Column("wanted", "chance", "at least"), Column("needed", heading="sum needed"),
        Column("cards", heading="cards"), Column("set", "text", "fewest cards"),
        Column("sum", heading="their sum"), Column("chance", "chance", "their chance"),
    )  # fmt: skip
    source = "out of the whole deck" if any_hand else "out of the cards given"
    return Answer(
        columns,
        tuple(rows),
        f"The fewest cards to {what}",
        finding,
        f"Fewest cards {source}, of equally many the weakest, for all are discarded (M23); one division "
        "at least, "
        "one general at most (M20).",
        Lines("wanted", ("cards",), "chance wanted", "fewest cards", steps=True, asked=want),
        asked,
        given={"army": target.army}
        | {name: tuple(one) for name, one in zip(("divisions", "luftwaffe", "generals"), hand, strict=True)},
    )


def _cells(found: odds.Cards | None, chance: Fraction | None) -> tuple[Any, ...]:
    if found is None:
        return None, "cannot be reached", None, chance
    return found.size, str(found), found.sum, chance


def _deck(rules: MoscowRules) -> tuple[list[int], list[int], list[int]]:
    """Strengths of all divisions, Luftwaffe cards and generals of the deck."""
    kinds = (rules.cards.division, rules.cards.luftwaffe, rules.cards.german_general)
    men, planes, generals = ([card.strength for card in kind for _ in range(card.count)] for kind in kinds)
    return men, planes, generals


# ---------------------------------------------------------------- the questions


def _months(rules: Any) -> list[str]:
    return [one.name for one in rules.months]


MONTH_OF = Choice("month", "the month; a name", MONTH, names=_months)
CARDS = Numbers("cards", "strengths of the cards used", low=1, high=STRONGEST)
ATTACK = Number("attack", "their sum instead", low=1, high=200)
HERE = (
    Number("army", "strength of the Red Army [default: 8; on Moscow none]", low=0, high=STRONGEST),
    Flag("general", "a Red general stands on it"),
    Flag("river", "a great river lies on it"),
    Flag("moscow", "an attack on Moscow, with --army on it if given"),
)
HAND = (
    Numbers(
        "divisions", "strengths of the divisions in hand [default: the whole deck]", low=1, high=STRONGEST
    ),
    Numbers("luftwaffe", "strengths of the Luftwaffe cards in hand", low=1, high=STRONGEST),
    Numbers("generals", "strengths of the German generals in hand", low=1, high=STRONGEST),
)
QUESTIONS = (
    Question(
        "fight", "the chance to beat a Red Army, or Moscow, and to beat it twice over", fight,
        (CARDS, ATTACK, MONTH_OF, *HERE), "--cards 3+4+5 --army 8 --general --month september",
    ),
    Question(
        "fewest", "the smallest set of cards for a wanted chance", fewest,
        (Share("want", "the chance wanted: 0.8, 4/5, 80%", Fraction(4, 5)), *HAND, MONTH_OF, *HERE,
         Flag("twice", "to beat it twice over")), "--want 0.8 --army 12 --divisions 2+3+3+5 --generals 4",
    ),
    Question(
        "armies", "one attack against every army, and against Moscow", armies, (CARDS, ATTACK, MONTH_OF),
        "--attack 12 --month october",
    ),
    Question(
        "months", "one attack in every month", months, (CARDS, ATTACK, *HERE), "--attack 14 --army 6 --river",
    ),
)  # fmt: skip
