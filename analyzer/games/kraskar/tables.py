"""What never changes in a game of Kraskar: squares, decks, action codes and number tables, from the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Grid
from analyzer.games.kraskar.attacks import CAUSES, EXHAUSTS
from analyzer.games.kraskar.model import MAX_UNITS, TROOPS

if TYPE_CHECKING:
    from analyzer.games.kraskar.model import KraskarRules, Stratagem

Array = NDArray[Any]
U8 = NDArray[np.uint8]

# A square is row * 8 + column, rows and columns from 0, row 0 next to seat 1's castle. A board has at most
# seven columns, so that the neighbour of an edge square is never a square of the board.
STRIDE = 8
AWAY = np.array([128, 192], np.uint8)  # [seat]: where a retreated unit is; next to no square
DIRECTIONS = ("forward", "back", "west", "east")  # as the owner looks; west is column - 1 for both (ruling 3)
FORWARD, BACK, WEST, EAST = range(4)
MELEE, CHARGE, SHOT, SNIPE, THRUST, INTERCEPTION, STRIKE = range(7)
CAVALRY, ARCHER, SPEARMAN, INFANTRY = range(4)
NOBODY = np.uint8(255)  # no unit, and no square
BOOST, RALLY, WEAKEN = range(3)  # the modifiers of force (stratagems)


def shift(seat: int) -> U8:
    """uint8[direction]: what each direction adds to a square, for the owner `seat` (modulo 256)."""
    ahead = STRIDE if seat == 0 else -STRIDE
    return (np.array([ahead, -ahead, -1, 1]) % 256).astype(np.uint8)


@dataclass(frozen=True)
class Trick:
    """A unit that carries a stratagem: which unit of the deck, what it may do, and its first action code."""

    unit: int
    what: Stratagem
    code: int
    targets: int  # 1 for a boost or a rally, else the enemy units


class Side:
    """One seat's deck and its action codes against the other deck; nothing of it ever changes.

    The codes of the main phase, in this order: `move` and `melee` [direction, unit], `charge`
    [direction, cavalry], `shoot` [archer, enemy], `thrust` [spearman, enemy], `boost` (boosts and rallies)
    [carrier], `weaken` [carrier, enemy], `strike` [carrier, enemy: the first one in the square], `pass_`.
    """

    def __init__(self, rules: KraskarRules, seat: int) -> None:
        self.rules, self.seat = rules, seat
        self.units = rules.deck_units(seat)
        self.size, self.enemies = len(self.units), len(rules.deck_units(1 - seat))
        self.shift = shift(seat)
        self.away = AWAY[seat]
        self.cap = rules.chip_cap(seat)
        self.home_row = 0 if seat == 0 else rules.rows - 1
        self.siege_row = rules.rows - 1 - self.home_row
        troops = [TROOPS.index(unit.troop) for unit in self.units]
        self.troop = np.array(troops, np.uint8)
        self.cavalry, self.archers, self.spearmen = (
            np.flatnonzero(self.troop == kind) for kind in (CAVALRY, ARCHER, SPEARMAN)
        )
        self._number()

    def _number(self) -> None:
        """Give every action its code."""
        self.blocks: dict[str, slice | int | Grid] = {}
        self._next = 0
        self._block("move", len(DIRECTIONS), self.size)
        self._block("melee", len(DIRECTIONS), self.size)
        self._block("charge", len(DIRECTIONS), len(self.cavalry))
        self._block("shoot", len(self.archers), self.enemies)
        self._block("thrust", len(self.spearmen), self.enemies)
        tricks = [
            (place, what)
            for place, unit in enumerate(self.units)
            if (what := self.rules.stratagem(unit.stratagem)) is not None
        ]
        self.tricks: dict[str, list[Trick]] = {}
        for name, kinds in (("boost", ("boost", "rally")), ("weaken", ("weaken",)), ("strike", ("strike",))):
            carriers = [one for one in tricks if one[1].kind in kinds]
            targets = 1 if name == "boost" else self.enemies
            self.tricks[name] = [
                Trick(place, what, self._next + k * targets, targets)
                for k, (place, what) in enumerate(carriers)
            ]
            shape = (len(carriers),) if name == "boost" else (len(carriers), targets)
            self._block(name, *shape)
        self.pass_ = self._next
        self.blocks["pass_"] = self.pass_
        self.actions = self._next + 1

    def _block(self, name: str, *shape: int) -> None:
        first, self._next = self._next, self._next + int(np.prod(shape))
        self.blocks[name] = Grid(slice(first, self._next), shape)

    def part(self, name: str) -> slice:
        """The codes of a block of actions."""
        block = self.blocks[name]
        assert isinstance(block, Grid)
        return block.place

    # -- tables by action code ----------------------------------------------------------------------
    @cached_property
    def unit_of(self) -> NDArray[np.intp]:
        """intp[action]: the unit that acts; 0 for pass."""
        every = np.arange(self.size)
        parts = [np.tile(every, 4), np.tile(every, 4), np.tile(self.cavalry, 4)]
        parts += [np.repeat(group, self.enemies) for group in (self.archers, self.spearmen)]
        parts += [np.full(trick.targets, trick.unit) for tricks in self.tricks.values() for trick in tricks]
        return np.concatenate([*parts, [0]]).astype(np.intp)

    @cached_property
    def small_unit_of(self) -> U8:
        """uint8[action]: `unit_of` in few bits; 255 for pass."""
        out = self.unit_of.astype(np.uint8)
        out[self.pass_] = NOBODY
        return out

    def _marked(self, *names: str) -> U8:
        """uint8[action]: 1 for the actions of these blocks."""
        out = np.zeros(self.actions, np.uint8)
        for name in names:
            out[self.part(name)] = 1
        return out

    @cached_property
    def costs_point(self) -> U8:
        """uint8[action]: 1 where it costs a movement point (K11, K12)."""
        return self._marked("move", "melee")

    @cached_property
    def is_fight(self) -> U8:
        """uint8[action]: 1 where no melee may follow (K12, K17)."""
        return self._marked("melee", "shoot")

    @cached_property
    def is_special(self) -> U8:
        """uint8[action]: 1 for what a troop type may do once a turn (K15, K17, K19)."""
        return self._marked("charge", "shoot", "thrust")

    @cached_property
    def strikes(self) -> slice:
        """The codes of melee, charge, shoot and thrust."""
        return slice(self.part("melee").start, self.part("thrust").stop)

    @cached_property
    def tricks_from(self) -> int:
        """The first code of a stratagem."""
        return self.part("boost").start

    @cached_property
    def cause_of(self) -> U8:
        """uint8[action]: what makes its target retreat, as in CAUSES (a snipe is found out later)."""
        out = np.full(self.actions, NOBODY, np.uint8)
        for name, cause in (("melee", MELEE), ("charge", CHARGE), ("shoot", SHOT), ("thrust", THRUST)):
            out[self.part(name)] = cause
        return out

    @cached_property
    def exhausts(self) -> U8:
        """uint8[unit, cause]: 1 where such a hit exhausts this unit (K12, K15, K17, K19)."""
        whom = [[TROOPS.index(troop) for troop in EXHAUSTS.get(cause, ())] for cause in CAUSES]
        by_cause = [np.isin(self.troop, troops) for troops in whom]
        return np.stack(by_cause, axis=1).astype(np.uint8)

    @cached_property
    def enemy_of(self) -> U8:
        """uint8[action]: the enemy unit aimed at (shoot, thrust, weaken, strike); 255 where there is none."""
        out = np.full(self.actions, NOBODY, np.uint8)
        for name in ("shoot", "thrust", "weaken", "strike"):
            codes = np.arange(self.actions)[self.part(name)]
            out[codes] = (codes - self.part(name).start) % self.enemies
        return out

    @cached_property
    def shift_of(self) -> U8:
        """uint8[action]: what the direction of a move, melee or charge adds to a square; 0 for the others."""
        out = np.zeros(self.actions, np.uint8)
        for name, size in (("move", self.size), ("melee", self.size), ("charge", len(self.cavalry))):
            out[self.part(name)] = np.repeat(self.shift, size)
        return out

    # -- numbers by unit ----------------------------------------------------------------------------
    @cached_property
    def force(self) -> NDArray[np.int8]:
        """int8[unit, 1]: force as printed."""
        return np.array([unit.force for unit in self.units], np.int8)[:, None]

    @cached_property
    def wit(self) -> U8:
        """uint8[unit]: wit as printed."""
        return np.array([unit.wit for unit in self.units], np.uint8)

    @cached_property
    def siege(self) -> U8:
        """uint8[unit]: castle life taken by a siege, without the gate (K13)."""
        damage = self.rules.siege_damage
        return np.array([getattr(damage, unit.troop) for unit in self.units], np.uint8)


class Tables:
    """The board and both sides under `rules`."""

    def __init__(self, rules: KraskarRules) -> None:
        self.rules = rules
        self.sides = (Side(rules, 0), Side(rules, 1))
        self.units = max(side.size for side in self.sides)
        self.gate = rules.columns // 2
        # Games in which seat 2 moves first sit out the first turn of the block, so that one seat is to move
        # in all of them; where seat 2 always moves first, the block begins with it.
        self.drawn = rules.first_player == "random"
        self.opens = 1 if rules.first_player == 2 else 0
        self.max_turns = rules.turn_limit + self.drawn

    @cached_property
    def most_siege(self) -> int:
        """Most castle life that one siege can take (K13)."""
        return max(int(side.siege.max()) for side in self.sides) + self.rules.gate_bonus

    @cached_property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The unit names of both seats, in deck order."""
        return tuple(tuple(unit.name for unit in side.units) for side in self.sides)  # type: ignore[return-value]


__all__ = ["AWAY", "CAUSES", "DIRECTIONS", "MAX_UNITS", "STRIDE", "Side", "Tables", "Trick"]
