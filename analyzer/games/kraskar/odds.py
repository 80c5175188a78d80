"""How many hits a unit takes: exact, from the rules alone, for there is no chance in a blow (K12 to K21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from analyzer.games.kraskar import damage
from analyzer.games.kraskar.attacks import EXHAUSTS, ONLY

if TYPE_CHECKING:
    from analyzer.games.kraskar.model import KraskarRules, Unit

BLOW, SNIPE, INTERCEPTION, STRIKE = "blow", "snipe", "interception", "strike"
KINDS = (BLOW, SNIPE, INTERCEPTION, STRIKE)


class Hits(NamedTuple):
    """One kind of attack of one unit on another: hit points lost to a hit, and hits until it retreats.

    `hits` is 0 where the attack never brings the target down (a loss of 0).
    """

    kind: str
    attacker: str
    target: str
    loss: int
    hits: int


def loss(
    rules: KraskarRules,
    kind: str,
    attacker: Unit,
    target: Unit,
    *,
    besieging: bool = False,
    target_besieging: bool = False,
    bonus: int = 0,
    target_bonus: int = 0,
) -> int | None:
    """Hit points lost to one hit; None where the attacker cannot attack like that.

    kind: "blow" (melee, charge, shot, thrust), "snipe" (archers), "interception" (a ready spearman against
    cavalry), "strike" (units that carry one). bonus: force given by boost and rally less what a weaken took.
    """
    if kind == STRIKE:
        return _strike(rules, attacker, target, besieging, target_besieging)
    factor = {BLOW: 1, SNIPE: rules.snipe_factor, INTERCEPTION: rules.interception_factor}[kind]
    if kind == SNIPE and attacker.troop != ONLY[SNIPE]:
        return None
    if kind == INTERCEPTION and (attacker.troop, target.troop) != ("spearman", "cavalry"):
        return None
    force = max(0, attacker.force + bonus) >> besieging
    against = max(0, target.force + target_bonus) >> target_besieging
    return int(damage.loss(rules, factor * force, against))


def _strike(rules: KraskarRules, attacker: Unit, target: Unit, besieging: bool, halved: bool) -> int | None:
    power = next(
        (one.power for one in rules.stratagems if one.name == attacker.stratagem and one.kind == STRIKE), None
    )
    if power is None:
        return None
    own, other = damage.current_wit(attacker.wit, besieging), damage.current_wit(target.wit, halved)
    return int(damage.strike_loss(power, own, other))


def kind_of(attack: str) -> str:
    """The kind of damage of an attack: melee, charge, shot and thrust are blows."""
    return attack if attack in KINDS else BLOW


def has(attack: str, attacker: Unit, target: Unit) -> bool:
    """Whether a troop type has an attack (K12 to K19); a charge into a ready spearman is stopped (K16)."""
    if attack == INTERCEPTION and target.troop != "cavalry":
        return False
    return ONLY.get(attack, attacker.troop) == attacker.troop


def exhausts(attack: str, target: Unit) -> bool:
    """Whether a hit exhausts its target (K12, K15, K17, K19)."""
    return target.troop in EXHAUSTS.get(attack, ())


def hits_left(hit_points: int, loss: int) -> int | None:
    """Hits until a unit with so many hit points retreats (K22); None if it never does."""
    return -(-hit_points // loss) if loss else None


def hits(rules: KraskarRules, kind: str, attacker: Unit, target: Unit) -> Hits | None:
    """The hits of one kind between two fresh units as printed; None where there is no such attack."""
    lost = loss(rules, kind, attacker, target)
    if lost is None:
        return None
    return Hits(kind, attacker.name, target.name, lost, hits_left(rules.hit_points, lost) or 0)


def every_hit(rules: KraskarRules) -> Iterator[Hits]:
    """Every unit of the roster against every unit, for each kind of attack that it has."""
    for kind in KINDS:
        for attacker in rules.units:
            for target in rules.units:
                found = hits(rules, kind, attacker, target)
                if found is not None:
                    yield found
