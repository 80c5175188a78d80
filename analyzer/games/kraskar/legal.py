"""What the side to move may do in its main phase: K11 to K20 and the stratagems, for every lane at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.state import U8
from analyzer.games.kraskar.tables import BACK, EAST, STRIDE, WEST

_COLUMN = np.uint8(STRIDE - 1)  # square & _COLUMN is the column


def legal_actions(field: Field) -> U8:
    """0/1 [action, lane], in the order of `Side` codes; pass is always legal."""
    own = field.own
    legal = np.empty((own.actions, field.lanes), np.uint8)
    square, shape = field.square, (4, own.size, field.lanes)
    on_board = inside(field)
    enemy = field.beside = enemies_beside(field, square)
    can_move = (field.points > 0).view(np.uint8)
    # K11: never into a square with an enemy.
    np.greater(on_board * can_move, enemy, out=legal[own.part("move")].reshape(shape).view(bool))
    # K12, K17: once a turn, and no melee after a shot.
    can_melee = (field.points > field.fought * np.uint8(255)).view(np.uint8)
    np.multiply(enemy, can_melee, out=legal[own.part("melee")].reshape(shape))
    _charges(field, on_board, legal)
    _shots(field, legal)
    _thrusts(field, legal)
    _stratagems(field, legal)
    legal[own.pass_] = 1
    return legal


def inside(field: Field) -> U8:
    """0/1 [direction, unit, lane]: is there a square of the board? (Forward always: see K13.)"""
    column = field.square & _COLUMN
    out = np.ones((4, *column.shape), np.uint8)
    home = field.own.home_row * STRIDE
    np.greater(field.square - np.uint8(home), STRIDE - 1, out=out[BACK].view(bool))
    np.not_equal(column, 0, out=out[WEST].view(bool))
    np.not_equal(column, field.tables.rules.columns - 1, out=out[EAST].view(bool))
    return out


def enemies_beside(field: Field, square: U8) -> U8:
    """0/1 [direction, ..., lane]: does an enemy stand in the neighbour of `square` [..., lane]?"""
    shift = field.own.shift.reshape(4, *(1,) * square.ndim)
    beside = square + shift
    found = beside == field.foe_square[0]
    for foe in field.foe_square[1:]:
        found |= beside == foe
    return found.view(np.uint8)


def _ready(field: Field, units: NDArray[np.intp]) -> U8:
    """0/1 [unit of `units`, lane]: on the field, not exhausted, and not yet used this turn (K20)."""
    ready = field.square[units] < field.own.away
    ready &= (field.exhausted[units] | field.done[units]) == 0
    return ready.view(np.uint8)


def _charges(field: Field, on_board: U8, legal: U8) -> None:
    """K15: wherever there is a square ahead, to run into or to strike at."""
    own = field.own
    if len(own.cavalry):
        block = legal[own.part("charge")].reshape(4, len(own.cavalry), -1)
        np.multiply(on_board[:, own.cavalry], _ready(field, own.cavalry), out=block)


def near(field: Field, unit: Any, distance: int) -> U8:
    """0/1 [enemy, lane]: within this distance of the unit, a diagonal step counting 1; nobody far away."""
    square = field.square[unit]
    reach = np.uint8(distance)
    rows = (field.foe_square >> 3) - (square >> 3) + reach
    columns = (field.foe_square & _COLUMN) - (square & _COLUMN) + reach
    found = rows <= 2 * distance
    found &= columns <= 2 * distance
    return found.view(np.uint8)


def _shots(field: Field, legal: U8) -> None:
    """K17: an archer that has neither shot nor meleed, one enemy unit in range."""
    own = field.own
    if not len(own.archers):
        return
    block = legal[own.part("shoot")].reshape(len(own.archers), own.enemies, -1)
    ready = _ready(field, own.archers) & (field.fought[own.archers] == 0).view(np.uint8)
    for k, unit in enumerate(own.archers):
        np.multiply(near(field, unit, field.tables.rules.shot_range), ready[k], out=block[k])


def _thrusts(field: Field, legal: U8) -> None:
    """K19: a spearman, one enemy unit in a neighbour square."""
    own = field.own
    if not len(own.spearmen):
        return
    block = legal[own.part("thrust")].reshape(len(own.spearmen), own.enemies, -1)
    ready = _ready(field, own.spearmen)
    for k, unit in enumerate(own.spearmen):
        away = field.foe_square - field.square[unit]
        found = away == own.shift[0]
        for step in own.shift[1:]:
            found |= away == step
        np.multiply(found.view(np.uint8), ready[k], out=block[k])


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
