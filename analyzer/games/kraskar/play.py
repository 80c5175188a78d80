"""What an action of the main phase does (K11 to K22, the stratagems), in the lanes that chose it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar import counting, damage
from analyzer.games.kraskar.field import Field, Rows
from analyzer.games.kraskar.state import U8
from analyzer.games.kraskar.tables import (
    ARCHER,
    BOOST,
    CAVALRY,
    CHARGE,
    INTERCEPTION,
    MELEE,
    RALLY,
    SHOT,
    SNIPE,
    SPEARMAN,
    STRIDE,
    STRIKE,
    THRUST,
    WEAKEN,
    Trick,
)

Index = NDArray[np.intp]
_ANY = 255
# Whom each attack exhausts: a troop type, or anybody (K12, K15, K17, K19).
_EXHAUSTS = {MELEE: _ANY, CHARGE: ARCHER, SHOT: SPEARMAN, SNIPE: SPEARMAN, THRUST: CAVALRY}


def carry_out(field: Field, code: U8) -> None:
    """Carry out the chosen action of every lane that acts, in place; the others' code is that of pass."""
    own = field.own
    field.acting &= (code != own.pass_).view(np.uint8)
    counting.actions(field, code)
    for name, act in _ACTS.items():
        part = own.part(name)
        if part.start == part.stop:
            continue
        # One comparison finds start <= code < stop: smaller codes wrap around to large ones.
        lanes = (code - np.uint8(part.start) < part.stop - part.start).nonzero()[0]
        if lanes.size:
            act(field, lanes, code[lanes])


def _places(field: Field, lanes: Rows, unit: Index) -> Index:
    """Flat places of `unit` of each lane in an array [unit, lane]."""
    return unit * field.lanes + lanes


# -- K11, K13, K14: movement and siege ----------------------------------------------------------------
def _move(field: Field, lanes: Rows, code: U8) -> None:
    """K11: one point, one square."""
    unit = field.own.unit_of[code]
    at = _places(field, lanes, unit)
    points, square = field.points.reshape(-1), field.square.reshape(-1)
    points[at] -= 1
    field.moved.reshape(-1)[at] = 1
    before = square[at]
    after = before + field.own.shift_of[code]
    square[at] = after
    siege = _in_siege_area(field, after).nonzero()[0]
    if siege.size:
        _siege(field, lanes[siege], unit[siege], before[siege])


def _in_siege_area(field: Field, square: U8) -> NDArray[np.bool_]:
    """K2: bool[lane], is the square in the enemy's nearest row?"""
    return np.asarray(square - np.uint8(field.own.siege_row * STRIDE) < STRIDE)


def _siege(field: Field, lanes: Rows, unit: Index, back: U8) -> None:
    """K13: the castle loses life and the unit goes back to the square `back`; K14: it is halved."""
    rules, at = field.tables.rules, _places(field, lanes, unit)
    gate = ((back & np.uint8(STRIDE - 1)) == field.tables.gate).view(np.uint8)
    taken = np.minimum(field.own.siege[unit] + gate * np.uint8(rules.gate_bonus), field.castle[lanes])
    field.castle[lanes] -= taken
    field.sieges[lanes] += 1
    field.square.reshape(-1)[at] = back
    field.besieging.reshape(-1)[at] = 1
    refresh_force(field, lanes, unit)
    fell = field.castle[lanes] == 0
    field.acting[lanes[fell]] = 0
    counting.sieges(field, unit, gate, taken)


def refresh_force(field: Field, lanes: Rows, unit: Index) -> None:
    """Work out the current force of one own unit of each lane again (ruling 4)."""
    amount = field.state.amount[field.seat, :, unit, field.rows[lanes]].T
    at = _places(field, lanes, unit)
    base, besieging = field.own.force[unit, 0], field.besieging.reshape(-1)[at]
    field.force.reshape(-1)[at] = damage.current_force(base, amount, besieging)


# -- K12, K15 to K19: attacks -------------------------------------------------------------------------
def _melee(field: Field, lanes: Rows, code: U8) -> None:
    """K12: one point; force damage to every enemy in the square."""
    at = _places(field, lanes, field.own.unit_of[code])
    points = field.points.reshape(-1)
    points[at] -= 1
    field.fought.reshape(-1)[at] = 1
    target = field.square.reshape(-1)[at] + field.own.shift_of[code]
    hit = field.foe_square.take(lanes, axis=1) == target
    _attack(field, lanes, hit, field.force.reshape(-1)[at].astype(np.int16), MELEE)


def _charge(field: Field, lanes: Rows, code: U8) -> None:
    """K15: run (ruling 6), siege, or strike what it meets; K16: unless it is intercepted."""
    unit, step = field.own.unit_of[code], field.own.shift_of[code]
    field.done.reshape(-1)[_places(field, lanes, unit)] = 1
    for _ in range(field.tables.rules.charge_squares):
        at = _places(field, lanes, unit)
        square = field.square.reshape(-1)
        before = square[at]
        ahead = before + step
        hit = field.foe_square.take(lanes, axis=1) == ahead
        met = np.logical_or.reduce(hit, axis=0)
        stopped = met.nonzero()[0]
        if stopped.size:
            _charge_home(field, lanes[stopped], unit[stopped], hit[:, stopped])
        on = (~met & _on_board(field, before, ahead)).nonzero()[0]
        if not on.size:
            return
        lanes, unit, step = lanes[on], unit[on], step[on]
        at, before, ahead = at[on], before[on], ahead[on]
        square[at] = ahead
        field.moved.reshape(-1)[at] = 1
        siege = _in_siege_area(field, ahead)
        if siege.any():
            _siege(field, lanes[siege], unit[siege], before[siege])
            lanes, unit, step = lanes[~siege], unit[~siege], step[~siege]


def _on_board(field: Field, before: U8, ahead: U8) -> NDArray[np.bool_]:
    """Is the square `ahead` of the square `before` on the board? bool[lane]."""
    rules, column = field.tables.rules, ahead & np.uint8(STRIDE - 1)
    return np.asarray((ahead < rules.rows * STRIDE) & (column < rules.columns))


def _charge_home(field: Field, lanes: Rows, unit: Index, hit: NDArray[np.bool_]) -> None:
    """A charge meets enemies: its damage, or the interception of the ready spearmen there (K16, ruling 7)."""
    field.moved.reshape(-1)[_places(field, lanes, unit)] = 1
    spearmen = field.foe.spearmen
    ready = hit[spearmen] & (field.foe_exhausted[spearmen].take(lanes, axis=1) == 0)
    stopped = np.logical_or.reduce(ready, axis=0)
    home = (~stopped).nonzero()[0]
    if home.size:
        force = field.force.reshape(-1)[_places(field, lanes[home], unit[home])]
        _attack(field, lanes[home], hit[:, home], force.astype(np.int16), CHARGE)
    stop = stopped.nonzero()[0]
    if stop.size:
        _intercept(field, lanes[stop], unit[stop], ready[:, stop])


def _intercept(field: Field, lanes: Rows, unit: Index, ready: NDArray[np.bool_]) -> None:
    """K16: every ready spearman deals its damage to the cavalry; nobody is exhausted."""
    rules, at = field.tables.rules, _places(field, lanes, unit)
    force = field.foe_force[field.foe.spearmen].take(lanes, axis=1).astype(np.int16)
    each = damage.loss(rules, force * np.int16(rules.interception_factor), field.force.reshape(-1)[at])
    taken = np.add.reduce(each * ready, axis=0, dtype=np.int16)
    hit_points = field.hit_points.reshape(-1)
    left = hit_points[at] - taken
    dead = left <= 0
    hit_points[at] = left * ~dead
    fallen = dead.nonzero()[0]
    if fallen.size:
        _own_retreat(field, lanes[fallen], unit[fallen])


def _shoot(field: Field, lanes: Rows, code: U8) -> None:
    """K17, K18: one enemy unit; a snipe if the archer has not moved, and then it stays where it is."""
    rules = field.tables.rules
    at = _places(field, lanes, field.own.unit_of[code])
    field.done.reshape(-1)[at] = 1
    field.fought.reshape(-1)[at] = 1
    still = field.moved.reshape(-1)[at] == 0
    force = field.force.reshape(-1)[at].astype(np.int16)
    hit = _aim(field, code)
    for cause, factor, which in ((SHOT, 1, ~still), (SNIPE, rules.snipe_factor, still)):
        chosen = which.nonzero()[0]
        if chosen.size:
            _attack(field, lanes[chosen], hit[:, chosen], force[chosen] * np.int16(factor), cause)
    field.points.reshape(-1)[at[still]] = 0


def _thrust(field: Field, lanes: Rows, code: U8) -> None:
    """K19: one enemy unit in a neighbour square."""
    at = _places(field, lanes, field.own.unit_of[code])
    field.done.reshape(-1)[at] = 1
    _attack(field, lanes, _aim(field, code), field.force.reshape(-1)[at].astype(np.int16), THRUST)


def _aim(field: Field, code: U8) -> NDArray[np.bool_]:
    """bool[enemy, lane]: the enemy unit that each code is aimed at."""
    return np.asarray(np.arange(field.foe.size, dtype=np.uint8)[:, None] == field.own.enemy_of[code])


def _attack(
    field: Field, lanes: Rows, hit: NDArray[np.bool_], force_damage: NDArray[np.int16], cause: int
) -> None:
    """K21: force damage int16[lane] to the enemies that are hit; all losses first, then who retreats."""
    force = field.foe_force.take(lanes, axis=1)
    lost = damage.loss(field.tables.rules, force_damage, force)
    whom = _EXHAUSTS[cause]
    exhausted = hit if whom == _ANY else hit & (field.foe.troop == whom)[:, None]
    now = field.foe_exhausted.take(lanes, axis=1)
    now |= exhausted.view(np.uint8)
    field.foe_exhausted[:, lanes] = now
    _wound(field, lanes, hit, lost, cause)


def _wound(field: Field, lanes: Rows, hit: NDArray[np.bool_], lost: NDArray[np.int16], cause: int) -> None:
    """Take the losses int16[enemy, lane] of the enemies that are hit; K22: at 0 hit points they retreat."""
    left = field.foe_hit_points.take(lanes, axis=1).astype(np.int16)
    left -= lost * hit
    dead = (left <= 0) & hit
    field.foe_hit_points[:, lanes] = left * (left > 0)
    field.foe_retreats[lanes] += np.add.reduce(dead, axis=0, dtype=np.uint16)
    unit, which = dead.nonzero()
    if unit.size:
        _foe_retreat(field, lanes[which], unit, cause)


# -- K22: retreat -------------------------------------------------------------------------------------
def _foe_retreat(field: Field, lanes: Rows, unit: Index, cause: int) -> None:
    """K22, ruling 8: an enemy unit goes to its castle, and its own conditions end."""
    counting.retreats(field, 1 - field.seat, unit, field.foe_square[unit, lanes], cause)
    for values, nothing in (
        (field.foe_square, field.foe.away),
        (field.foe_force, field.foe.force[unit, 0]),
        (field.foe_exhausted, 0),
    ):
        values[unit, lanes] = nothing
    _clear(field, 1 - field.seat, unit, field.rows[lanes])


def _own_retreat(field: Field, lanes: Rows, unit: Index) -> None:
    """K22: the own cavalry, intercepted."""
    counting.retreats(field, field.seat, unit, field.square[unit, lanes], INTERCEPTION)
    for values, nothing in (
        (field.square, field.own.away),
        (field.force, field.own.force[unit, 0]),
        (field.besieging, 0),
        (field.points, 0),
    ):
        values[unit, lanes] = nothing
    field.own_retreats[lanes] += 1
    _clear(field, field.seat, unit, field.rows[lanes])


def _clear(field: Field, seat: int, unit: Index, rows: Rows) -> None:
    """Gauge 0, and no modifier or halving on a unit that has retreated, in the state."""
    state = field.state
    state.gauge[seat, unit, rows] = 0
    state.besieging[seat, unit, rows] = 0
    state.amount[seat, :, unit, rows] = 0
    state.rounds[seat, :, unit, rows] = 0


# -- stratagems ---------------------------------------------------------------------------------------
def _by_trick(field: Field, name: str, lanes: Rows, code: U8) -> list[tuple[Trick, Rows, Index, damage.I16]]:
    """The stratagems of a kind chosen now: (which, lanes, enemy aimed at, current wit of the caster)."""
    chosen = []
    for trick in field.own.tricks[name]:
        which = (code - np.uint8(trick.code) < trick.targets).nonzero()[0]
        if which.size:
            there, enemy = lanes[which], (code[which] - np.uint8(trick.code)).astype(np.intp)
            field.chips[there] -= np.uint8(trick.what.chips)
            field.tried[trick.unit, there] = 1
            wit = damage.current_wit(field.own.wit[trick.unit], field.besieging[trick.unit, there])
            chosen.append((trick, there, enemy, wit))
    return chosen


def _boost(field: Field, lanes: Rows, code: U8) -> None:
    """A boost gives force to the unit itself, a rally to all own units on the field."""
    state, seat = field.state, field.seat
    for trick, there, _, wit in _by_trick(field, "boost", lanes, code):
        rows = field.rows[there]
        rounds = damage.boost_rounds(field.tables.rules, wit).astype(np.uint8)
        rally = trick.what.kind == "rally"
        for unit in range(field.own.size) if rally else (trick.unit,):
            on = (field.square[unit, there] < field.own.away).nonzero()[0]
            kind = RALLY if rally else BOOST
            state.amount[seat, kind, unit, rows[on]] = trick.what.amount or 0
            state.rounds[seat, kind, unit, rows[on]] = rounds[on]
            refresh_force(field, there[on], np.full(on.size, unit))


def _weaken(field: Field, lanes: Rows, code: U8) -> None:
    """One enemy unit loses force for some rounds."""
    state, foe_seat = field.state, 1 - field.seat
    for trick, there, enemy, wit in _by_trick(field, "weaken", lanes, code):
        rows = field.rows[there]
        besieging = state.besieging[foe_seat, enemy, rows]
        target = damage.current_wit(field.foe.wit[enemy], besieging)
        rounds = damage.weaken_rounds(field.tables.rules, wit, target)
        state.amount[foe_seat, WEAKEN, enemy, rows] = trick.what.amount or 0
        state.rounds[foe_seat, WEAKEN, enemy, rows] = rounds.astype(np.uint8)
        amount = state.amount[foe_seat, :, enemy, rows].T
        base = field.foe.force[enemy, 0]
        field.foe_force[enemy, there] = damage.current_force(base, amount, besieging)


def _strike(field: Field, lanes: Rows, code: U8) -> None:
    """Every enemy in one square loses hit points by the two wits (ruling 11: nobody is exhausted)."""
    for trick, there, enemy, wit in _by_trick(field, "strike", lanes, code):
        squares = field.foe_square.take(there, axis=1)
        hit = squares == squares[enemy, np.arange(there.size)]
        besieging = field.state.besieging[1 - field.seat, : field.foe.size].take(field.rows[there], axis=1)
        target = damage.current_wit(field.foe.wit[:, None], besieging)
        _wound(field, there, hit, damage.strike_loss(trick.what.power or 0, wit, target), STRIKE)


_ACTS = {
    "move": _move,
    "melee": _melee,
    "charge": _charge,
    "shoot": _shoot,
    "thrust": _thrust,
    "boost": _boost,
    "weaken": _weaken,
    "strike": _strike,
}
