"""What the side to move may do in its main phase: K11 to K20 and the stratagems, for every lane at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.state import U8
from analyzer.games.kraskar.tables import BACK, EAST, FORWARD, STRIDE, WEST

_COLUMN = np.uint8(STRIDE - 1)  # square & _COLUMN is the column
_ROW = ~_COLUMN  # square & _ROW is the row times STRIDE


def legal_actions(field: Field) -> U8:
    """0/1 [action, lane], in the order of `Side` codes; pass is always legal.

    Leaves in the field where enemies stand: `there`, `beside` and `touches`.
    """
    own = field.own
    legal = np.empty((own.actions, field.lanes), np.uint8)
    find_enemies(field)
    enemy, shape = field.beside, field.beside.shape
    on_board = inside(field)
    can_move = (field.points > 0).view(np.uint8)
    # K11: never into a square with an enemy.
    np.greater(on_board * can_move, enemy, out=legal[own.part("move")].reshape(shape).view(bool))
    # K12, K17: once a turn, and no melee after a shot.
    can_melee = (field.points > field.fought * np.uint8(255)).view(np.uint8)
    np.multiply(enemy, can_melee, out=legal[own.part("melee")].reshape(shape))
    ready = _ready(field)
    _charges(field, on_board, ready, legal)
    _shots(field, ready, legal)
    _thrusts(field, ready, legal)
    _stratagems(field, legal)
    legal[own.pass_] = 1
    return legal


def find_enemies(field: Field) -> None:
    """Where enemies stand beside own units: fills `field.there`, `beside` and `touches`."""
    target = field.square + field.own.shift[:, None, None]
    field.there = np.equal(field.foe_square[:, None, None], target).view(np.uint8)
    field.beside = np.bitwise_or.reduce(field.there, axis=0)
    field.touches = np.bitwise_or.reduce(field.there, axis=1)


def inside(field: Field) -> U8:
    """0/1 [direction, unit, lane]: is there a square of the board? (Forward always: see K13.)"""
    column = field.square & _COLUMN
    out = np.empty((4, *column.shape), np.uint8)
    out[FORWARD] = 1
    home = field.own.home_row * STRIDE
    np.greater(field.square - np.uint8(home), STRIDE - 1, out=out[BACK].view(bool))
    np.not_equal(column, 0, out=out[WEST].view(bool))
    np.not_equal(column, field.tables.rules.columns - 1, out=out[EAST].view(bool))
    return out


def _ready(field: Field) -> U8:
    """0/1 [unit, lane]: on the field, not exhausted (K20), and not yet used this turn."""
    ready = field.square < field.own.away
    ready &= (field.exhausted | field.done) == 0
    return ready.view(np.uint8)


def _charges(field: Field, on_board: U8, ready: U8, legal: U8) -> None:
    """K15: wherever there is a square ahead, to run into or to strike at."""
    own = field.own
    if len(own.cavalry):
        block = legal[own.part("charge")].reshape(4, len(own.cavalry), -1)
        np.multiply(on_board[:, own.cavalry], ready[own.cavalry], out=block)


def near(field: Field, units: Any, distance: int) -> U8:
    """0/1 [unit of `units`, enemy, lane]: within this distance? A diagonal step counts 1."""
    square, reach = field.square[units][..., None, :], np.uint8(distance)
    foe = field.foe_square
    far = reach * np.uint8(STRIDE)
    found = ((foe & _ROW) + far) - (square & _ROW) <= 2 * far
    found &= ((foe & _COLUMN) + reach) - (square & _COLUMN) <= 2 * reach
    return found.view(np.uint8)


def _shots(field: Field, ready: U8, legal: U8) -> None:
    """K17: an archer that has neither shot nor meleed, one enemy unit in range."""
    own = field.own
    if len(own.archers):
        block = legal[own.part("shoot")].reshape(len(own.archers), own.enemies, -1)
        can = ready[own.archers] > field.fought[own.archers]
        in_range = near(field, own.archers, field.tables.rules.shot_range)
        np.multiply(in_range, can[:, None].view(np.uint8), out=block)


def _thrusts(field: Field, ready: U8, legal: U8) -> None:
    """K19: a spearman, one enemy unit in a neighbour square."""
    own = field.own
    if len(own.spearmen):
        block = legal[own.part("thrust")].reshape(len(own.spearmen), own.enemies, -1)
        np.multiply(field.touches[:, own.spearmen].swapaxes(0, 1), ready[own.spearmen][:, None], out=block)


def _stratagems(field: Field, legal: U8) -> None:
    """Once a turn for its chips; a weaken any enemy on the field, a strike a square within its distance."""
    own, tricks = field.own, field.own.tricks
    for name in ("boost", "weaken", "strike"):
        for trick in tricks[name]:
            can = (field.square[trick.unit] < own.away) & (field.chips >= trick.what.chips)
            can &= field.tried[trick.unit] == 0
            block = legal[trick.code : trick.code + trick.targets]
            block[:] = can
            if name == "weaken":
                block *= (field.foe_square < field.foe.away).view(np.uint8)
            elif name == "strike":
                block *= near(field, trick.unit, trick.what.distance or 0)
                block *= first_in_square(field.foe_square)


def first_in_square(square: U8) -> U8:
    """0/1 [unit, lane]: no unit before it in the deck stands in its square (a strike is aimed at squares)."""
    first = np.ones_like(square)
    for place in range(1, len(square)):
        for before in square[:place]:
            first[place] &= (square[place] != before).view(np.uint8)
    return first
