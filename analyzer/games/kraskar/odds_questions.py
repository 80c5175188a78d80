"""What players of Kraskar ask at the table: how many hits, of which attack, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.answers import Answer, Column, Heat
from analyzer.errors import UserError, argument
from analyzer.games.kraskar import odds
from analyzer.games.kraskar.attacks import CAUSES, ONLY
from analyzer.questions import Choice, Flag, Number, Question

if TYPE_CHECKING:
    from analyzer.games.kraskar.model import KraskarRules, Unit

ALL = "all"
WIDE = 8  # more targets are headed by their numbers


def _unit(rules: KraskarRules, name: str) -> Unit:
    return next(one for one in rules.units if one.name == name)


def _group(rules: KraskarRules, name: str) -> list[Unit]:
    """The units of a deck, a country, a troop type, all of them, or one."""
    for deck in rules.named_decks:
        if deck.name == name:
            return [_unit(rules, one) for one in deck.units]
    return [one for one in rules.units if name in (ALL, one.name, one.country, one.troop)]


def _reckoned(rules: KraskarRules) -> str:
    formula = {
        "difference": f"{rules.damage_base} + force dealt - force of the target, at least 1",
        "plain": "the force dealt",
        "ratio": "force dealt / force of the target, rounded down, at least 1",
    }[rules.damage]
    return (
        f"Exact, there is no chance in a blow: a hit takes {formula} (K21), a strike power x wit / wit "
        "of the target; "
        f"a fresh unit has {rules.hit_points} hit points."
    )


# ---------------------------------------------------------------- every unit against every unit


def hits(
    rules: KraskarRules, *, attack: str, attackers: str | None, targets: str | None, hit_points: int | None
) -> Answer:
    """Hits until each target retreats, for each attacker that has the attack."""
    points = rules.hit_points if hit_points is None else hit_points
    one, other = attackers or rules.decks[0], targets or rules.decks[1]
    able = [unit for unit in _group(rules, one) if attack != odds.STRIKE or _strikes(rules, unit)]
    able = [unit for unit in able if ONLY.get(attack, unit.troop) == unit.troop]
    foes = [unit for unit in _group(rules, other) if attack != odds.INTERCEPTION or unit.troop == "cavalry"]
    if not able:
        raise UserError(f"{argument('attack')}: nobody of {one} has a {attack}; {_who(attack)}.")
    if not foes:
        raise UserError(
            f"{argument('targets')}: {other} has no cavalry, and only cavalry is intercepted (K16)."
        )
    numbered = len(foes) > WIDE
    rows: list[tuple[Any, ...]] = []
    for unit in able:
        losses = [odds.loss(rules, odds.kind_of(attack), unit, foe) or 0 for foe in foes]
        rows.append((unit.name, *(odds.hits_left(points, loss) for loss in losses)))
    cells = {(row[0], foe.name): row[1 + k] for row in rows for k, foe in enumerate(foes) if row[1 + k]}
    heads = [Column(foe.name, heading=str(k) if numbered else foe.name) for k, foe in enumerate(foes, 1)]
    legend = f" Targets: {', '.join(f'{k} {foe.name}' for k, foe in enumerate(foes, 1))}." if numbered else ""
    never = " -: never." if len(cells) < len(rows) * len(foes) else ""
    stopped = attack == "charge" and any(foe.troop == "spearman" for foe in foes)
    intercepted = " A charge into spearmen that are not exhausted does nothing (K16)." if stopped else ""
    if cells:
        (quick, least), (slow, most) = (pick(cells.items(), key=lambda one: one[1]) for pick in (min, max))
        article = "An" if attack[0] in "aeiou" else "A"
        finding = (
            f"{article} {attack} takes {least} to {most} hits: {list(cells.values()).count(least)} of "
            f"{len(rows) * len(foes)} "
            f"pairings are over in {least} ({quick[0]} at {quick[1]} for one), {slow[0]} at {slow[1]} "
            f"take {most}."
        )
        if least == most:
            finding = f"Every {attack} of these takes {least} {'hit' if least == 1 else 'hits'}."
    else:
        finding = f"No {attack} of these ever brings a target down."
    return Answer(
        (Column("attacker", "text", attack), *heads),
        tuple(rows),
        f"Hits until a unit with {points} hit points retreats: {attack} of {one} against {other}",
        finding,
        f"{_reckoned(rules)}{intercepted}{never}{legend}",
        Heat("attacker", tuple(foe.name for foe in foes), "target · hits until it retreats", few=True),
        given={"attackers": one, "targets": other, "hit_points": points},
    )


def _strikes(rules: KraskarRules, unit: Unit) -> bool:
    return odds.loss(rules, odds.STRIKE, unit, unit) is not None


def _who(attack: str) -> str:
    return f"only {ONLY[attack]} has" if attack in ONLY else "only units that carry a strike"


# ---------------------------------------------------------------- one against one


def duel(
    rules: KraskarRules,
    *,
    unit: str | None,
    target: str | None,
    bonus: int,
    target_bonus: int,
    besieging: bool,
    target_besieging: bool,
    hit_points: int | None,
    target_hit_points: int | None,
) -> Answer:
    """Every attack of two units on each other, with their conditions."""
    first = _unit(rules, unit or _first(rules, 0, target))
    second = _unit(rules, target or _first(rules, 1, first.name))
    state = {
        0: (first, bonus, besieging, rules.hit_points if hit_points is None else hit_points),
        1: (
            second,
            target_bonus,
            target_besieging,
            rules.hit_points if target_hit_points is None else target_hit_points,
        ),
    }
    names = _apart(first, second)
    rows: list[tuple[Any, ...]] = []
    quick: dict[int, tuple[int, str]] = {}
    for side in (0, 1):
        attacker, more, halved, _ = state[side]
        foe, foe_more, foe_halved, left = state[1 - side]
        for attack in CAUSES:
            loss = odds.loss(
                rules, odds.kind_of(attack), attacker, foe,
                besieging=halved, target_besieging=foe_halved, bonus=more, target_bonus=foe_more,
            ) if odds.has(attack, attacker, foe) else None  # fmt: skip
            if loss is None:
                continue
            number = odds.hits_left(left, loss)
            if number is not None and attack != odds.INTERCEPTION:
                quick[side] = min(quick.get(side, (number, attack)), (number, attack), key=lambda one: one[0])
            tires = "yes" if odds.exhausts(attack, foe) else "no"
            rows.append((f"{attack} of {names[side]}", names[1 - side], loss, number, tires))
    return Answer(
        (
            Column("attack", "text"), Column("target", "text"),
            Column("loss", heading="hit points lost"), Column("hits", heading="hits until it retreats"),
            Column("exhausts", "text"),
        ),
        tuple(rows),
        f"{_told(first, names[0], bonus, besieging)} against "
        f"{_told(second, names[1], target_bonus, target_besieging)}",
        " ".join(_quickest(names[side], names[1 - side], quick.get(side)) for side in (0, 1)),
        f"{_back(first, second)} {_reckoned(rules)}",
        Heat("attack", ("hits",), few=True),
        given={"unit": first.name, "target": second.name, "hit_points": state[0][3],
               "target_hit_points": state[1][3]},
    )  # fmt: skip


def _first(rules: KraskarRules, seat: int, other: str | None) -> str:
    """The first unit of the deck of a seat that is not the other one."""
    return next(unit.name for unit in _group(rules, rules.decks[seat]) if unit.name != other)


def _apart(first: Unit, second: Unit) -> tuple[str, str]:
    """Names that tell two units apart: both decks may have the same one."""
    return first.name, second.name if second.name != first.name else f"the enemy {second.name}"


def _told(unit: Unit, name: str, bonus: int, besieging: bool) -> str:
    extras = [f"force {unit.force}{f' {bonus:+d}' if bonus else ''}", f"wit {unit.wit}"]
    return f"{name} ({unit.troop}, {', '.join([*extras, *(['besieging'] if besieging else [])])})"


def _quickest(unit: str, foe: str, found: tuple[int, str] | None) -> str:
    sentence = f"{unit[0].upper()}{unit[1:]}"
    if found is None:
        return f"{sentence} never bring {foe} down."
    hits = "1 hit" if found[0] == 1 else f"{found[0]} hits"
    return f"{sentence} need {hits} ({found[1]}) to bring {foe} down."


def _back(first: Unit, second: Unit) -> str:
    """What strikes back (K12, K16)."""
    for rider, spears in ((first, second), (second, first)):
        if (rider.troop, spears.troop) == ("cavalry", "spearman"):
            return (
                f"The only counterattack: a charge of {rider.name} into {spears.name} that are not "
                "exhausted does "
                "nothing and is intercepted (K16); there is none in a melee (K12)."
            )
    return "No attack of one on the other is answered by a counterattack (K12, K16)."


# ---------------------------------------------------------------- the questions


def _units(rules: Any) -> list[str]:
    return [one.name for one in rules.units]


def _groups(rules: Any) -> dict[str, tuple[str, ...]]:
    names = [*(deck.name for deck in rules.named_decks), *(unit.country for unit in rules.units)]
    names += [unit.troop for unit in rules.units]
    return dict.fromkeys(dict.fromkeys([*names, *_units(rules), ALL]), ())


def _attacks(_: Any) -> tuple[str, ...]:
    return CAUSES


QUESTIONS = (
    Question(
        "hits", "hits to kill, every unit against every unit, for each kind of attack", hits,
        (Choice("attack", f"kind of attack: {', '.join(CAUSES)}", "melee", names=_attacks),
         Choice("attackers", "a deck, a country, a troop type, a unit, or all [default: the deck of seat 1]",
                names=_groups, what="group of attackers"),
         Choice("targets", "the same [default: the deck of seat 2]", names=_groups, what="group of targets"),
         Number("hit-points", "hit points the targets have left [default: all]", low=1, high=60)),
        "--attack charge --attackers cavalry --targets 'Archer Line'",
    ),
    Question(
        "duel", "two units: every attack on each other, exhaustion and counterattacks", duel,
        (Choice("unit", "one unit", names=_units), Choice("target", "the other", names=_units, what="unit"),
         Number("bonus", "force the unit has more (boost, rally) or less (weaken)", 0, low=-30, high=30),
         Number("target-bonus", "force the other has more or less", 0, low=-30, high=30),
         Flag("besieging", "the unit has sieged: force and wit are halved (K14)"),
         Flag("target-besieging", "the other has sieged"),
         Number("hit-points", "hit points the unit has left [default: all]", low=1, high=60),
         Number("target-hit-points", "hit points the other has left [default: all]", low=1, high=60)),
        "--unit 'Storm Riders' --target 'Hedge Spears' --bonus 3",
    ),
)  # fmt: skip
