"""Exact chances to hit (U3, U22 to U24), from the rules alone, as fractions.

One die hits on faces of at least the total defence and, with `zero_hits`, on a 0. n dice hit if any does.
Nothing here knows the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from analyzer.games.undaunted.codes import KIND_OF, SQUADS, UNITS

if TYPE_CHECKING:
    from analyzer.games.undaunted.model import UndauntedRules, UnitCard
    from analyzer.games.undaunted.scenario import Scenario

ATTACK, SUPPRESS, BLAST = "attack", "suppress", "blast"
ACTIONS = (ATTACK, SUPPRESS, BLAST)


def die(rules: UndauntedRules, defence: int) -> Fraction:
    """The chance that one die hits a total defence (U22)."""
    hits = sum(face >= defence or (rules.zero_hits and face == 0) for face in range(rules.die_faces))
    return Fraction(hits, rules.die_faces)


def hit(rules: UndauntedRules, defence: int, dice: int) -> Fraction:
    """The chance that at least one of `dice` dice hits a total defence."""
    return 1 - (1 - die(rules, defence)) ** dice


def dice(rules: UndauntedRules, unit: str, action: str) -> int:
    """How many dice a unit (code) rolls for an action; 0 if its card does not have it."""
    return int(getattr(_card(rules, unit).actions, action, 0))


def _card(rules: UndauntedRules, unit: str) -> UnitCard:
    found: UnitCard = getattr(rules.cards, KIND_OF[unit])
    return found


def total_defence(
    rules: UndauntedRules,
    target: str,
    cover: int = 0,
    distance: int = 0,
    *,
    hill: bool = False,
    from_hill: bool = False,
    action: str = ATTACK,
) -> int:
    """Total defence of a unit (code) on a tile of this cover (U3, U22, U24).

    hill: the tile is a hill, whose cover is lower against an attacker on one (`from_hill`) and against a
    Blast. A Blast does not count the distance.
    """
    lower = hill and (from_hill or action == BLAST)
    worth = rules.hill_cover_from_hill if lower else cover
    return _card(rules, target).defence + worth + (0 if action == BLAST else distance)


def on_the_map(rules: UndauntedRules, attacker: int, tile: int, target: str, action: str = ATTACK) -> int:
    """Total defence of a unit on a tile against an attacker on another (numbers of the scenario's tiles)."""
    scenario: Scenario = rules.scenario
    there = scenario.tiles[tile]
    return total_defence(
        rules,
        target,
        there.cover,
        scenario.distances[attacker][tile],
        hill=there.hill,
        from_hill=scenario.tiles[attacker].hill,
        action=action,
    )


class Chance(NamedTuple):
    """One attack: who, with how many dice, at whom, and the chance to hit."""

    attacker: str
    action: str
    dice: int
    target: str
    cover: int
    distance: int
    defence: int
    chance: Fraction


def every_chance(rules: UndauntedRules, far: int = 6) -> Iterator[Chance]:
    """Every kind of unit that can attack against every kind, in each cover, at each distance up to `far`.

    Squads are alike; units stand for their kind by the code of squad A. A Blast has no distance: it is told
    once, at distance 0.
    """
    kinds = [code for code in UNITS if code[-1] == SQUADS[0] or code in ("SN", "MO")]
    for attacker in kinds:
        for action in ACTIONS:
            count = dice(rules, attacker, action)
            for target in kinds if count else ():
                for cover in range(4):
                    for distance in range(1 if action == BLAST else far + 1):
                        defence = total_defence(rules, target, cover, distance, action=action)
                        chance = hit(rules, defence, count)
                        yield Chance(attacker, action, count, target, cover, distance, defence, chance)


def table(rules: UndauntedRules, most_dice: int = 4) -> dict[int, list[Fraction]]:
    """Total defence -> the chances of 1, 2, ... dice, from the defence that any face hits to the hardest.

    Above the last row nothing gets harder: only a 0 hits.
    """
    return {v: [hit(rules, v, n) for n in range(1, most_dice + 1)] for v in range(1, rules.die_faces + 1)}


def within(chance: Fraction, hits: int, actions: int) -> Fraction:
    """The chance of at least so many hits in so many actions of this chance each."""
    missed = sum(
        comb(actions, k) * chance**k * (1 - chance) ** (actions - k) for k in range(min(hits, actions + 1))
    )
    return 1 - Fraction(missed)


def expected_actions(chance: Fraction, hits: int) -> Fraction | None:
    """The actions that so many hits take on average; None if they never come."""
    return hits / chance if chance else None


def hits_to_remove(cards: int) -> int:
    """Hits until a counter leaves the board: a card of the unit goes first, while there is one (U25)."""
    return cards + 1
