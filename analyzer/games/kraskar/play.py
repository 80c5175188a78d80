"""What an action of the main phase does (K11 to K22, the stratagems), in the lanes that chose it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar import counting, damage
from analyzer.games.kraskar.field import Field, Rows, pick
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
    refresh_force(field, unit, at)
    fell = field.castle[lanes] == 0
    field.acting[lanes[fell]] = 0
    counting.sieges(field, unit, gate, taken)


def refresh_force(field: Field, unit: Index | int, at: Index) -> None:
    """Work out the current force of the own units at `at` again (ruling 4)."""
    base, bonus = field.own.force[unit, 0], field.bonus.reshape(-1)[at]
    field.force.reshape(-1)[at] = damage.current_force(base + bonus, field.besieging.reshape(-1)[at])


# -- K12, K15 to K19: attacks -------------------------------------------------------------------------
def _melee(field: Field, lanes: Rows, code: U8) -> None:
    """K12: one point; force damage to every enemy in the square."""
    at = _places(field, lanes, field.own.unit_of[code])
    points = field.points.reshape(-1)
    points[at] -= 1
    field.fought.reshape(-1)[at] = 1
    target = field.square.reshape(-1)[at] + field.own.shift_of[code]
    hit = pick(field.foe_square, lanes) == target
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
        hit = pick(field.foe_square, lanes) == ahead
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
    ready = hit[spearmen] & (pick(field.foe_exhausted[spearmen], lanes) == 0)
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
    force = pick(field.foe_force[field.foe.spearmen], lanes).astype(np.int16)
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
    force = pick(field.foe_force, lanes)
    lost = damage.loss(field.tables.rules, force_damage, force)
    whom = _EXHAUSTS[cause]
    exhausted = hit if whom == _ANY else hit & (field.foe.troop == whom)[:, None]
    _exhaust(field, lanes, exhausted)
    _wound(field, lanes, hit, lost, cause)


def _exhaust(field: Field, lanes: Rows, which: NDArray[np.bool_]) -> None:
    """K20: these enemies bool[enemy, lane] are exhausted."""
    unit, lane = which.nonzero()
    field.foe_exhausted.reshape(-1)[unit * field.lanes + lanes[lane]] = 1


def _wound(field: Field, lanes: Rows, hit: NDArray[np.bool_], lost: NDArray[np.int16], cause: int) -> None:
    """Take the losses int16[enemy, lane] of the enemies that are hit; K22: at 0 hit points they retreat."""
    unit, lane = hit.nonzero()  # few enemies of each lane
    at = unit * field.lanes + lanes[lane]
    hit_points = field.foe_hit_points.reshape(-1)
    left = hit_points[at] - lost[unit, lane]
    hit_points[at] = left * (left > 0)
    dead = (left <= 0).nonzero()[0]
    if dead.size:
        fallen = lanes[lane[dead]]
        field.foe_retreats += np.bincount(fallen, minlength=field.lanes).astype(np.uint16)
        _foe_retreat(field, fallen, unit[dead], cause)


# -- K22: retreat -------------------------------------------------------------------------------------
# What lies on a retreated unit ends with the turn (`Kraskar._end_turn`); until then nothing asks for it.
def _foe_retreat(field: Field, lanes: Rows, unit: Index, cause: int) -> None:
    """K22: an enemy unit goes to its castle."""
    at = _places(field, lanes, unit)
    square = field.foe_square.reshape(-1)
    counting.retreats(field, 1 - field.seat, unit, square[at], cause)
    square[at] = field.foe.away


def _own_retreat(field: Field, lanes: Rows, unit: Index) -> None:
    """K22: the own cavalry, intercepted."""
    at = _places(field, lanes, unit)
    square = field.square.reshape(-1)
    counting.retreats(field, field.seat, unit, square[at], INTERCEPTION)
    square[at] = field.own.away
    field.points.reshape(-1)[at] = 0
    field.own_retreats[lanes] += 1


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
    for trick, there, _, wit in _by_trick(field, "boost", lanes, code):
        rounds = damage.boost_rounds(field.tables.rules, wit).astype(np.uint8)
        rally = trick.what.kind == "rally"
        for unit in range(field.own.size) if rally else (trick.unit,):
            on = (field.square[unit, there] < field.own.away).nonzero()[0]
            rows, kind = field.rows[there[on]], RALLY if rally else BOOST
            amount = _modify(field, field.seat, kind, unit, rows, trick, rounds[on])
            field.bonus[unit, there[on]] = amount[BOOST] + amount[RALLY] - amount[WEAKEN]
            refresh_force(field, unit, unit * field.lanes + there[on])


def _modify(
    field: Field, seat: int, kind: int, unit: Index | int, rows: Rows, trick: Trick, rounds: U8
) -> NDArray[np.int8]:
    """Put a modifier on a unit of each row of the state (ruling 11: the newest of a kind counts).

    Returns all three modifiers of the unit, int8[boost rally weaken, row].
    """
    amount, left = field.state.amount[seat], field.state.rounds[seat]
    amount[kind][unit, rows] = trick.what.amount or 0
    left[kind][unit, rows] = rounds
    return np.stack([amount[one][unit, rows] for one in (BOOST, RALLY, WEAKEN)])


def _weaken(field: Field, lanes: Rows, code: U8) -> None:
    """One enemy unit loses force for some rounds."""
    state, foe_seat = field.state, 1 - field.seat
    for trick, there, enemy, wit in _by_trick(field, "weaken", lanes, code):
        rows = field.rows[there]
        besieging = state.besieging[foe_seat][enemy, rows]
        target = damage.current_wit(field.foe.wit[enemy], besieging)
        rounds = damage.weaken_rounds(field.tables.rules, wit, target).astype(np.uint8)
        amount = _modify(field, foe_seat, WEAKEN, enemy, rows, trick, rounds)
        force = field.foe.force[enemy, 0] + amount[BOOST] + amount[RALLY] - amount[WEAKEN]
        field.foe_force[enemy, there] = damage.current_force(force, besieging)


def _strike(field: Field, lanes: Rows, code: U8) -> None:
    """Every enemy in one square loses hit points by the two wits (ruling 11: nobody is exhausted)."""
    for trick, there, enemy, wit in _by_trick(field, "strike", lanes, code):
        squares = pick(field.foe_square, there)
        hit = squares == squares[enemy, np.arange(there.size)]
        besieging = pick(field.state.besieging[1 - field.seat, : field.foe.size], field.rows[there])
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
