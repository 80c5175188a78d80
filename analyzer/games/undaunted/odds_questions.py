"""What players of Undaunted ask at the table: does this attack hit, and when are they rid of a unit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer.answers import Answer, Column, Heat, Lines, exactly, listed, number
from analyzer.errors import UserError
from analyzer.games.undaunted import odds
from analyzer.questions import Choice, Flag, Number, Question

if TYPE_CHECKING:
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
        raise UserError(f"--unit: the {unit} has no dice at all under this config.")
    if action is not None and action not in able:
        raise UserError(f"--action: the {unit} has no {action}; it has {listed(able)}.")
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
        Lines("defence", tuple(f"dice_{n}" for n in numbers), "total defence", "chance to hit"),
        asked,
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
    worth = (HILL if hill else 0) if cover is None else cover
    defence = odds.total_defence(rules, code, worth, distance, hill=hill, from_hill=from_hill, action=action)
    far = "" if action == odds.BLAST else f" at distance {distance}"
    place = ("on a hill, attacked from a hill" if from_hill else "on a hill") if hill else f"in cover {worth}"
    return Answer(
        (
            Column("distance"),
            *(Column(f"cover_{worth}", "chance") for worth in COVERS),
            Column("hill_to_hill", "chance", "hill at hill" if action == odds.BLAST else "hill to hill"),
        ),
        rows,
        f"{unit.capitalize()} at {target}: {action} with {count} {'die' if count == 1 else 'dice'}",
        f"The {unit}'s {action} at a {target} {place}{far}, {_throw(rules, count, defence)}.",
        _reckoned(rules)
        + (" A Blast does not count the distance (U24)." if action == odds.BLAST else "")
        + (" A hit suppresses: no casualty, but the target's next card only turns it ready (U10, U23)."
           if action == odds.SUPPRESS else ""),
        Heat("distance", (*(f"cover_{worth}" for worth in COVERS), "hill_to_hill"), "cover of the target"),
        0 if action == odds.BLAST else distance,
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
    best = max(
        ((row[0], name, row[2 + k]) for row in rows for k, name in enumerate(CODE)), key=lambda one: one[2]
    )
    return Answer(
        (Column("attacker", "text"), Column("dice"), *(Column(name, "chance") for name in CODE)),
        tuple(rows),
        f"Chance to hit in cover {cover} at distance {distance}",
        f"In cover {cover} at distance {distance} nothing hits as surely as {best[0]} at {best[1]}: "
        f"{exactly(best[2])}.",
        f"{_reckoned(rules)} A Blast does not count the distance.",
        Heat("attacker", tuple(CODE), "target"),
    )


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
    wanted = action if action in (None, odds.BLAST) else odds.ATTACK
    action, count = _dice(rules, unit, wanted)
    defence = odds.total_defence(rules, CODE[target], cover, distance, action=action)
    chance = odds.hit(rules, defence, count)
    cards = int(getattr(rules.cards, target).copies) if cards is None else cards
    hits = odds.hits_to_remove(cards)
    many = odds.dice(rules, CODE[unit], odds.SUPPRESS)
    down = odds.hit(
        rules, odds.total_defence(rules, CODE[target], cover, distance, action=odds.SUPPRESS), many
    )
    rows: list[tuple[Any, ...]] = []
    for actions in STEPS:
        row = (actions, odds.within(chance, 1, actions), odds.within(chance, hits, actions))
        rows.append((*row, odds.within(down, 1, actions)) if many else row)
        if row[2] >= ENOUGH:
            break
    first, gone = odds.expected_actions(chance, 1), odds.expected_actions(chance, hits)
    words = (
        f"Each hit takes one of the {cards} cards of the unit (hand, discard pile, deck), the last one "
        "the counter (U25)."
        if cards
        else "No card of the unit is left: the first hit takes the counter (U25)."
    )
    if many:
        words += (
            f" Suppression removes nothing and makes no later hit easier: one takes "
            f"{number(odds.expected_actions(down, 1))} "
            f"actions on average ({many} dice, {exactly(down)}) and costs the enemy one card of the unit "
            "to turn it "
            "ready (U10, U23)."
        )
    columns = (
        Column("actions"), Column("casualty", "chance", "a casualty"), Column("removed", "chance"),
        *((Column("suppressed", "chance"),) if many else ()),
    )  # fmt: skip
    far = "" if action == odds.BLAST else f", distance {distance}"
    return Answer(
        columns,
        tuple(rows),
        f"{unit.capitalize()} ({action}) until a {target} with {cards} cards is removed (cover {cover}{far})",
        f"The {unit}'s {action} hits a {target} with {exactly(chance)}: a casualty takes {number(first)} "
        "actions on "
        f"average, to remove the counter ({hits} {'hit' if hits == 1 else 'hits'}) {number(gone)}.",
        f"{words} {_reckoned(rules)}",
        Lines("actions", tuple(one.name for one in columns[1:]), "actions of the attacker", "chance by then"),
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
