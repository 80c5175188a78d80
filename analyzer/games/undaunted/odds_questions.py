"""What players of Undaunted ask at the table: does this attack hit, and when are they rid of a unit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer.answers import Answer, Column, Heat, Lines, exactly, listed, number
from analyzer.errors import UserError, argument
from analyzer.games.undaunted import odds
from analyzer.questions import Choice, Flag, Number, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.games.undaunted.model import UndauntedRules

# Squads are alike: a unit stands for its kind, by the code of squad A.
CODE = {"rifleman": "RA", "scout": "SA", "sniper": "SN", "gunner": "GA", "mortar": "MO"}
KINDS = {
    "rifleman": ("R", "RA", "RB", "RC", "riflemen"),
    "scout": ("S", "SA", "SB", "SC", "scouts"),
    "sniper": ("SN", "snipers"),
    "gunner": ("G", "GA", "GB", "GC", "machine gunner", "gunners"),
    "mortar": ("MO", "mortars"),
}
HILL = 3  # the cover of a hill (U3)
FAR = 6
COVERS = range(4)
STEPS = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 75, 100)  # numbers of actions that are told
ENOUGH = Fraction(99, 100)


def _dice(rules: UndauntedRules, unit: str, action: str | None) -> tuple[str, int]:
    """The action, by default the first that the unit has, and its dice. Raises UserError if it has it not."""
    has = {one: odds.dice(rules, CODE[unit], one) for one in odds.ACTIONS}
    able = [one for one, count in has.items() if count]
    if not able:
        raise UserError(f"{argument('unit')}: the {unit} has no dice at all under this config.")
    if action is not None and action not in able:
        raise UserError(f"{argument('action')}: the {unit} has no {action}; it has {listed(able)}.")
    return action or able[0], has[action or able[0]]


def _throw(rules: UndauntedRules, count: int, defence: int) -> str:
    dice = "1 die" if count == 1 else f"{count} dice"
    return f"{dice} against a total defence of {defence}: {exactly(odds.hit(rules, defence, count))}"


def _reckoned(rules: UndauntedRules) -> str:
    zero = ", or a 0," if rules.zero_hits else ""
    return (
        f"Exact: any die (faces 0 to {rules.die_faces - 1}) that shows the total defence or more{zero} hits; "
        "total defence = base + cover + distance (U22)."
    )


# ---------------------------------------------------------------- does it hit


def dice(rules: UndauntedRules, *, dice: int | None, defence: int | None) -> Answer:
    """Every number of dice against every total defence."""
    known = odds.table(rules, max(4, dice or 0))
    asked = None if defence is None else min(defence, rules.die_faces) - 1
    numbers = range(1, max(4, dice or 0) + 1)
    drawn = sorted({1, 2, 3, 4, dice or 1})  # more lines than that cannot be told apart
    rows = tuple((value, *chances) for value, chances in known.items())
    if dice is not None or defence is not None:
        finding = f"{_throw(rules, dice or 1, defence or 8)}."
    else:
        finding = f"{_throw(rules, 1, 4)}; {_throw(rules, 4, 8)}."
    return Answer(
        (
            Column("defence", heading="total defence"),
            *(Column(f"dice_{n}", "chance", "1 die" if n == 1 else f"{n} dice") for n in numbers),
        ),
        rows,
        "Chance to hit, by total defence and dice",
        finding,
        f"{_reckoned(rules)} Above {rules.die_faces} nothing gets harder.",
        Lines("defence", tuple(f"dice_{n}" for n in drawn), "total defence", "chance to hit"),
        asked,
        given={} if dice is None and defence is None else {"dice": dice or 1, "defence": defence or 8},
    )


def attack(
    rules: UndauntedRules,
    *,
    unit: str,
    target: str,
    action: str | None,
    cover: int | None,
    distance: int,
    hill: bool,
    from_hill: bool,
) -> Answer:
    """One kind of unit against another, at every distance and in every cover."""
    action, count = _dice(rules, unit, action)
    code, steps = CODE[target], range(1 if action == odds.BLAST else max(FAR, distance) + 1)

    def chance(tiles: int, worth: int, lower: bool = False) -> Fraction:
        defence = odds.total_defence(rules, code, worth, tiles, hill=lower, from_hill=lower, action=action)
        return odds.hit(rules, defence, count)

    rows = tuple((d, *(chance(d, worth) for worth in COVERS), chance(d, HILL, True)) for d in steps)
    if hill and cover not in (None, HILL):
        raise UserError(
            f"{argument('cover')}: {cover} is not allowed with {argument('hill')}; a hill has cover {HILL} "
            "(U3)."
        )
    worth = (HILL if hill else 0) if cover is None else cover
    defence = odds.total_defence(rules, code, worth, distance, hill=hill, from_hill=from_hill, action=action)
    far = "" if action == odds.BLAST else f" at distance {distance}"
    lower = hill and (from_hill or action == odds.BLAST)  # as in the last column
    place = ("on a hill, attacked from a hill" if from_hill else "on a hill") if hill else f"in cover {worth}"
    return Answer(
        (
            Column("distance"),
            *(Column(f"cover_{worth}", "chance") for worth in COVERS),
            Column("hill_to_hill", "chance", "hill" if action == odds.BLAST else "hill to hill"),
        ),
        rows,
        f"{unit.capitalize()} at {target}: {action} with {count} {'die' if count == 1 else 'dice'}",
        f"The {unit}'s {action} at a {target} {place}{far}, {_throw(rules, count, defence)}.",
        _reckoned(rules)
        + (" A Blast does not count the distance (U24)." if action == odds.BLAST else "")
        + (" A hit suppresses: no casualty, but the target's next card only turns it ready (U10, U23)."
           if action == odds.SUPPRESS else ""),
        Heat("distance", (*(f"cover_{worth}" for worth in COVERS), "hill_to_hill"), "cover of the target",
             asked="hill_to_hill" if lower else f"cover_{worth}"),
        0 if action == odds.BLAST else distance,
        given={"action": action, "cover": worth},
    )  # fmt: skip


def units(rules: UndauntedRules, *, cover: int, distance: int) -> Answer:
    """Every kind of unit with every action against every kind."""
    rows: list[tuple[Any, ...]] = []
    for name, code in CODE.items():
        for action in odds.ACTIONS:
            count = odds.dice(rules, code, action)
            if count:
                totals = [
                    odds.total_defence(rules, other, cover, distance, action=action)
                    for other in CODE.values()
                ]
                label = name if action == odds.ATTACK else f"{name} ({action})"
                rows.append((label, count, *(odds.hit(rules, total, count) for total in totals)))
    best = max(chance for row in rows for chance in row[2:])
    return Answer(
        (Column("attacker", "text"), Column("dice"), *(Column(name, "chance") for name in CODE)),
        tuple(rows),
        f"Chance to hit in cover {cover} at distance {distance}",
        f"In cover {cover} at distance {distance} nothing hits as surely as {_surest(rows, best)}: "
        f"{exactly(best)}.",
        f"{_reckoned(rules)} A Blast does not count the distance.",
        Heat("attacker", tuple(CODE), "target"),
    )


def _surest(rows: Sequence[tuple[Any, ...]], best: Fraction) -> str:
    """All who hit with the highest chance, each with the targets that they hit so."""
    found = {
        row[0]: [name for name, chance in zip(CODE, row[2:], strict=True) if chance == best] for row in rows
    }
    told = [
        f"{attacker} at {'anything' if len(hit) == len(CODE) else listed(hit, 'or')}"
        for attacker, hit in found.items()
        if hit
    ]
    return "; or ".join(told)


# ---------------------------------------------------------------- how long it takes


def remove(
    rules: UndauntedRules,
    *,
    unit: str,
    target: str,
    action: str | None,
    cover: int,
    distance: int,
    cards: int | None,
) -> Answer:
    """How many actions it takes to remove a counter, which loses its cards first; and to suppress it."""
    action, _ = _dice(rules, unit, action)
    cards = _cards(rules, target, cards)
    hits = odds.hits_to_remove(cards)
    chances = {
        one: odds.hit(rules, odds.total_defence(rules, CODE[target], cover, distance, action=one), count)
        for one in odds.ACTIONS
        if (count := odds.dice(rules, CODE[unit], one))
    }
    down = chances.get(odds.SUPPRESS)
    goals: list[tuple[Column, Fraction, int]] = []  # each: the chance of an action, and how many must hit
    if action != odds.SUPPRESS:
        goals = [(Column("casualty", "chance", "a casualty"), chances[action], 1)] if cards else []
        goals.append((Column("removed", "chance"), chances[action], hits))
    asked = len(goals)  # the column of what is asked about
    if down is not None:
        goals.append((Column("suppressed", "chance"), down, 1))
    rows: list[tuple[Any, ...]] = []
    for actions in STEPS:
        rows.append((actions, *(odds.within(chance, many, actions) for _, chance, many in goals)))
        if rows[-1][asked or 1] >= ENOUGH:
            break
    place = f"cover {cover}{'' if action == odds.BLAST else f', distance {distance}'}"
    told = (unit, target, cards)
    if action == odds.SUPPRESS:
        title = f"{unit.capitalize()} (suppress) until a {target} is suppressed ({place})"
        other = next((one for one in chances if one != action), None)
        finding = _suppressing(told, chances[action], other, None if other is None else chances[other])
        words = _SUPPRESSED + (f" {_losses(cards)}" if other else "")
    else:
        title = f"{unit.capitalize()} ({action}) until a {target} with {_counted(cards)} is removed ({place})"
        finding = _removing(told, action, chances[action])
        words = _losses(cards) + ("" if down is None else f" {_beside(rules, unit, down)}")
    return Answer(
        (Column("actions"), *(column for column, _, _ in goals)),
        tuple(rows),
        title,
        finding,
        f"{words} {_reckoned(rules)}",
        Lines("actions", tuple(one.name for one, _, _ in goals), "actions of the attacker", "chance by then"),
        given={"action": action, "cards": cards},
    )


_SUPPRESSED = (
    "Suppression removes nothing and makes no later hit easier; it costs the enemy one card of the unit to "
    "turn it ready (U10, U23)."
)


def _cards(rules: UndauntedRules, target: str, given: int | None) -> int:
    """The cards of a target still to be lost. Raises UserError for more than the box has of it."""
    most = int(getattr(rules.cards, target).copies)
    if given is not None and given > most:
        raise UserError(
            f"{argument('cards')}: {given} is not allowed; a {target} has 0 to {most} cards in the box."
        )
    return most if given is None else given


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _losses(cards: int) -> str:
    """Why it takes more hits than one (U25)."""
    if not cards:
        return "No card of the unit is left: the first hit takes the counter (U25)."
    if cards == 1:
        where = "(hand, discard pile, deck)"
        return f"The first hit takes the card of the unit {where}, the second the counter (U25)."
    return (
        f"Each hit takes one of the {cards} cards of the unit (hand, discard pile, deck), the last one the "
        "counter (U25)."
    )


def _removing(told: tuple[str, str, int], action: str, chance: Fraction) -> str:
    unit, target, cards = told
    first, hits = odds.expected_actions(chance, 1), odds.hits_to_remove(cards)
    if first is None:
        return f"The {unit}'s {action} never hits a {target}."
    if not cards:
        return (
            f"The {unit}'s {action} hits a {target} with {exactly(chance)}: to remove the counter (1 hit) "
            f"takes {number(first)} actions on average."
        )
    return (
        f"The {unit}'s {action} hits a {target} with {exactly(chance)}: a casualty takes {number(first)} "
        f"actions on average, to remove the counter ({hits} {'hit' if hits == 1 else 'hits'}) "
        f"{number(odds.expected_actions(chance, hits))}."
    )


def _suppressing(
    told: tuple[str, str, int], chance: Fraction, removing: str | None, hit: Fraction | None
) -> str:
    unit, target, cards = told
    takes = odds.expected_actions(chance, 1)
    if takes is None:
        return f"The {unit}'s suppress never hits a {target}."
    found = f"The {unit} suppresses a {target} with {exactly(chance)}: {number(takes)} actions on average"
    gone = odds.expected_actions(hit, odds.hits_to_remove(cards)) if hit is not None else None
    if gone is None:
        return f"{found}."
    return f"{found}; to remove it by {removing} ({_counted(cards)} and the counter) takes {number(gone)}."


def _beside(rules: UndauntedRules, unit: str, down: Fraction) -> str:
    """What suppression would take instead."""
    many = odds.dice(rules, CODE[unit], odds.SUPPRESS)
    takes = odds.expected_actions(down, 1)
    dice = "1 die" if many == 1 else f"{many} dice"
    return (
        f"{_SUPPRESSED} It takes {number(takes)} actions on average ({dice}, {exactly(down)})."
        if takes is not None
        else f"{_SUPPRESSED} It never hits."
    )


# ---------------------------------------------------------------- the questions

UNIT = Choice("unit", "who attacks: rifleman, scout, sniper, gunner, mortar (or a code, RA)", "rifleman",
              names=lambda _: KINDS)  # fmt: skip
TARGET = Choice("target", "whom: the same names", "rifleman", names=lambda _: KINDS, what="target")
ACTION = Choice("action", "attack, suppress or blast [default: the unit's own]", names=lambda _: odds.ACTIONS)
DISTANCE = Number("distance", "tiles between them", 1, low=0, high=20)
QUESTIONS = (
    Question(
        "dice", "the chance to hit by number of dice and total defence", dice,
        (Number("dice", "dice thrown", low=1, high=12),
         Number("defence", "total defence: base + cover + distance", low=1, high=40)), "--dice 2 --defence 7",
    ),
    Question(
        "attack", "the chance to hit by unit, target, distance and cover", attack,
        (UNIT, TARGET, ACTION,
         Number("cover", "cover of the target's tile [default: 0; on a hill 3]", low=0, high=3),
         DISTANCE, Flag("hill", "the target stands on a hill"),
         Flag("from-hill", "the attacker stands on a hill, too")),
        "--unit sniper --target gunner --cover 2 --distance 3",
    ),
    Question(
        "units", "every unit against every unit", units,
        (Number("cover", "cover of the targets", 1, low=0, high=3), DISTANCE), "--cover 1 --distance 2",
    ),
    Question(
        "remove", "the actions it takes to remove a unit, or to suppress it", remove,
        (UNIT, TARGET, ACTION, Number("cover", "cover of the target's tile", 1, low=0, high=3), DISTANCE,
         Number("cards", "cards of the target still to be lost [default: all copies]", low=0, high=20)),
        "--unit gunner --target scout --cover 1 --cards 2",
    ),
)  # fmt: skip
