"""The sums of a fight (M20 to M23): attack, Red total, faces of the die that win."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array
from analyzer.games.moscow.tables import Tables

I16 = NDArray[np.int16]
U8 = NDArray[np.uint8]


def red_total(tables: Tables, strength: U8, general: U8, river: U8, rivers_count: U8) -> U8:
    """uint8[...]: the Red Army's strength with its boosts (M21); 0 where none stands (at most 4 x 30).

    `boosts: multiply` doubles for each of general and river, `add` adds the strength once for each.
    """
    boosts = (river & rivers_count) + general
    if tables.rules.boosts == "multiply":
        return strength << boosts
    return strength * (boosts + np.uint8(1))


def moscow_total(tables: Tables, army: U8, general: U8) -> U8:
    """uint8[...]: Moscow's strength and that of the army on it (index + 1, 0 none).

    A general there doubles the army only (M21).
    """
    return (tables.army_strength.take(army) << general) + np.uint8(tables.rules.moscow_strength)


def winning_faces(sides: int, attack: Array, red: Array) -> Array:
    """int16 or wider [...]: faces of the die that reach the Red total; `attack` is the sum before it."""
    faces = np.int16(sides + 1) + attack - red
    return np.minimum(np.maximum(faces, np.int16(0)), np.int16(sides))


def illegal_commitment(tables: Tables) -> Callable[[Array], Array]:
    """The check of M20: bool[row] where no division or more than one German general is used."""
    divisions = tables.division.stop - tables.division.start
    generals = tables.german_general.start - tables.fighting.start

    def check(used: Array) -> Array:
        some = np.maximum.reduce(used[:divisions], axis=0) > 0
        return ~some | (np.add.reduce(used[generals:], axis=0, dtype=np.uint16) > 1)

    return check


@dataclass(frozen=True, eq=False)
class Result:
    """Fights of some rows: all arrays [row]."""

    at_moscow: NDArray[np.bool_]
    cards: I16
    modifier: I16
    die: NDArray[np.uint8]
    red: I16
    faces: I16
    won: NDArray[np.bool_]
    doubled: NDArray[np.bool_]

    def explain(self, row: int) -> dict[str, Any]:
        """One row's arithmetic as plain numbers."""
        names = ("cards", "modifier", "die", "red", "faces")
        numbers = {name: int(getattr(self, name)[row]) for name in names}
        return {**numbers, "won": bool(self.won[row]), "doubled": bool(self.doubled[row])}


def resolve(
    tables: Tables,
    modifier: I16,
    red: U8,
    at_moscow: NDArray[np.bool_],
    used: NDArray[np.uint8],
    die: NDArray[np.uint8],
) -> Result:
    """M21, M22: sum of cards + month (`modifier`) + die against the Red total; `at_moscow` stays as it is."""
    cards = np.add.reduce(used * tables.power, axis=0, dtype=np.int16)
    before_die, total = cards + modifier, red.astype(np.int16)
    attack = before_die + die
    faces = winning_faces(tables.rules.die_sides, before_die, total)
    return Result(at_moscow, cards, modifier, die, total, faces, attack >= total, attack >= total + total)
