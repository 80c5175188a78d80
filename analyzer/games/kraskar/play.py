"""What an action of the main phase does (K11 to K22, the stratagems), in the lanes that chose it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.kraskar import counting, damage
from analyzer.games.kraskar.field import Field, Rows, pick
from analyzer.games.kraskar.state import U8
from analyzer.games.kraskar.tables import (
    BOOST,
    CHARGE,
    INTERCEPTION,
    NOBODY,
    RALLY,
    SHOT,
    SNIPE,
    STRIDE,
    STRIKE,
    WEAKEN,
    Trick,
)

Index = NDArray[np.intp]
_IDS = np.arange(8, dtype=np.uint8)[:, None]


def carry_out(field: Field, code: U8) -> None:
    """Carry out the chosen action of every lane that acts, in place; the others' code is that of pass."""
    own = field.own
    field.acting &= (code != own.pass_).view(np.uint8)
    counting.actions(field, code)
    who = np.equal(_IDS[: own.size], own.small_unit_of[code]).view(np.uint8)  # 0/1 [unit, lane]
    # Whole lanes at once: what an action costs and marks stands in tables by its code.
    field.points -= who * own.costs_point[code]
    field.fought |= who * own.is_fight[code]
    field.done |= who * own.is_special[code]
    _moves(field, code, who)
    strikes = (code - np.uint8(own.strikes.start) < own.strikes.stop - own.strikes.start).nonzero()[0]
    if strikes.size:
        _attacks(field, strikes, code[strikes])
    if own.tricks_from < own.pass_:
        lanes = (code - np.uint8(own.tricks_from) < own.pass_ - own.tricks_from).nonzero()[0]
        if lanes.size:
            _stratagems(field, lanes, code[lanes])


def _places(field: Field, lanes: Rows, unit: Index) -> Index:
    """Flat places of `unit` of each lane in an array [unit, lane]."""
    return unit * field.lanes + lanes


def _marked(mask: NDArray[np.bool_]) -> tuple[Index, Rows]:
    """Where a mask [unit, lane] is true: units and lanes. (`nonzero` of two axes is twenty times as slow.)"""
    unit, lane = np.divmod(mask.reshape(-1).nonzero()[0], mask.shape[1])
    return unit, lane


# -- K11, K13, K14: movement and siege ----------------------------------------------------------------
def _moves(field: Field, code: U8, who: U8) -> None:
    """K11: one square; into the siege area it is a siege."""
    moves = (code < field.own.part("move").stop).view(np.uint8)
    step = field.own.shift_of[code] * moves
    field.square += who * step
    field.moved |= who * moves
    unit, lanes = _marked(_in_siege_area(field, field.square))
    if lanes.size:
        at = _places(field, lanes, unit)
        _siege(field, lanes, unit, field.square.reshape(-1)[at] - step[lanes])


def _in_siege_area(field: Field, square: U8) -> NDArray[np.bool_]:
    """K2: bool[..., lane], is the square in the enemy's nearest row?"""
    return np.asarray(square - np.uint8(field.own.siege_row * STRIDE) < STRIDE)


def _siege(field: Field, lanes: Rows, unit: Index, back: U8) -> None:
    """K13: the castle loses life and the unit goes back to the square `back`; K14: it is halved."""
    rules, at = field.tables.rules, _places(field, lanes, unit)
    gate = ((back & np.uint8(STRIDE - 1)) == field.tables.gate).view(np.uint8)
    castle = field.castle[lanes]
    taken = np.minimum(field.own.siege[unit] + gate * np.uint8(rules.gate_bonus), castle)
    castle -= taken
    field.castle[lanes] = castle
    field.sieges[lanes] += 1
    field.square.reshape(-1)[at] = back
    field.besieging.reshape(-1)[at] = 1
    refresh_force(field, unit, at)
    field.acting &= (field.castle > 0).view(np.uint8)
    counting.sieges(field, lanes, unit, gate, taken)


def refresh_force(field: Field, unit: Index | int, at: Index) -> None:
    """Work out the current force of the own units at `at` again (ruling 4)."""
    base, bonus = field.own.force[unit, 0], field.bonus.reshape(-1)[at]
    field.force.reshape(-1)[at] = damage.current_force(base + bonus, field.besieging.reshape(-1)[at])


# -- K12, K15 to K19: attacks -------------------------------------------------------------------------
def _attacks(field: Field, lanes: Rows, code: U8) -> None:
    """All attacks of this step: whom they hit, with which force damage; then their losses."""
    own, rules = field.own, field.tables.rules
    unit = own.unit_of[code]
    at = _places(field, lanes, unit)
    cause = own.cause_of[code]
    target = field.square.reshape(-1)[at] + own.shift_of[code]  # of melee; others have no direction
    charges = (cause == CHARGE).nonzero()[0]
    if charges.size:
        target[charges] = _charge(field, lanes[charges], unit[charges], own.shift_of[code[charges]])
    single = own.enemy_of[code]
    hit = np.equal(pick(field.foe_square, lanes), target | (single != NOBODY) * NOBODY)
    hit |= np.equal(_IDS[: field.foe.size], single)
    force = field.force.reshape(-1)[at].astype(np.int16)
    snipes = ((cause == SHOT) & (field.moved.reshape(-1)[at] == 0)).nonzero()[0]
    if snipes.size:  # K18: an archer that has not moved, and may not afterwards
        cause[snipes] = SNIPE
        force[snipes] *= np.int16(rules.snipe_factor)
        field.points.reshape(-1)[at[snipes]] = 0
    enemy, which = _marked(hit)
    aim = _places(field, lanes[which], enemy)
    lost = damage.loss(rules, force[which], field.foe_force.reshape(-1)[aim])
    exhausted = field.foe_exhausted.reshape(-1)
    exhausted[aim] |= field.foe.exhausts[enemy, cause[which]]
    _wound(field, lanes[which], enemy, lost, cause[which])


def _charge(field: Field, lanes: Rows, unit: Index, step: U8) -> U8:
    """K15: run (ruling 6), and siege; K16: an interception.

    Returns the square that each charge strikes, uint8[lane]; NOBODY where it strikes none.
    """
    struck, place = np.full(lanes.size, NOBODY, np.uint8), np.arange(lanes.size)
    for _ in range(field.tables.rules.charge_squares):
        at = _places(field, lanes, unit)
        square = field.square.reshape(-1)
        before = square[at]
        ahead = before + step
        hit = np.equal(pick(field.foe_square, lanes), ahead)
        met = np.logical_or.reduce(hit, axis=0)
        stopped = met.nonzero()[0]
        if stopped.size:
            free = _intercept(field, lanes[stopped], unit[stopped], hit[:, stopped])
            struck[place[stopped[free]]] = ahead[stopped[free]]
        on = (~met & _on_board(field, ahead)).nonzero()[0]
        if not on.size:
            break
        lanes, unit, step, place = lanes[on], unit[on], step[on], place[on]
        at, before, ahead = at[on], before[on], ahead[on]
        square[at] = ahead
        field.moved.reshape(-1)[at] = 1
        siege = _in_siege_area(field, ahead)
        if siege.any():
            _siege(field, lanes[siege], unit[siege], before[siege])
            lanes, unit, step, place = lanes[~siege], unit[~siege], step[~siege], place[~siege]
    return struck


def _on_board(field: Field, square: U8) -> NDArray[np.bool_]:
    """Is this neighbour of a square of the board on the board too? bool[lane]."""
    rules, column = field.tables.rules, square & np.uint8(STRIDE - 1)
    return np.asarray((square < rules.rows * STRIDE) & (column < rules.columns))


def _intercept(field: Field, lanes: Rows, unit: Index, hit: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """K16, ruling 7: every ready spearman in the square deals its damage to the cavalry, which stops.

    Returns where nobody does, bool[lane].
    """
    spearmen = field.foe.spearmen
    ready = hit[spearmen] & (pick(field.foe_exhausted[spearmen], lanes) == 0)
    stopped = np.logical_or.reduce(ready, axis=0)
    stop = stopped.nonzero()[0]
    if not stop.size:
        return ~stopped
    lanes, unit, ready = lanes[stop], unit[stop], ready[:, stop]
    rules, at = field.tables.rules, _places(field, lanes, unit)
    force = pick(field.foe_force[spearmen], lanes).astype(np.int16)
    each = damage.loss(rules, force * np.int16(rules.interception_factor), field.force.reshape(-1)[at])
    taken = np.add.reduce(each * ready, axis=0, dtype=np.int16)
    hit_points = field.hit_points.reshape(-1)
    left = hit_points[at] - taken
    dead = left <= 0
    hit_points[at] = left * ~dead
    fallen = dead.nonzero()[0]
    if fallen.size:
        _own_retreat(field, lanes[fallen], unit[fallen])
    return ~stopped


def _wound(field: Field, lanes: Rows, enemy: Index, lost: NDArray[np.int16], cause: U8) -> None:
    """Take the losses of one enemy unit a lane (a lane may come several times); K22: at 0 it retreats."""
    at = _places(field, lanes, enemy)
    hit_points = field.foe_hit_points.reshape(-1)
    left = hit_points[at] - lost
    hit_points[at] = left * (left > 0)
    dead = (left <= 0).nonzero()[0]
    if dead.size:
        fallen = lanes[dead]
        field.foe_retreats += np.bincount(fallen, minlength=field.lanes).astype(np.uint16)
        _foe_retreat(field, fallen, enemy[dead], cause[dead])


# -- K22: retreat -------------------------------------------------------------------------------------
# What lies on a retreated unit ends with the turn (`Kraskar._end_turn`); until then nothing asks for it.
def _foe_retreat(field: Field, lanes: Rows, unit: Index, cause: U8) -> None:
    """K22: an enemy unit goes to its castle."""
    at = _places(field, lanes, unit)
    square = field.foe_square.reshape(-1)
    counting.retreats(field, 1 - field.seat, lanes, unit, square[at], cause)
    square[at] = field.foe.away


def _own_retreat(field: Field, lanes: Rows, unit: Index) -> None:
    """K22: the own cavalry, intercepted."""
    at = _places(field, lanes, unit)
    square = field.square.reshape(-1)
    cause = np.full(lanes.size, INTERCEPTION, np.uint8)
    counting.retreats(field, field.seat, lanes, unit, square[at], cause)
    square[at] = field.own.away
    field.points.reshape(-1)[at] = 0
    field.own_retreats[lanes] += 1


# -- stratagems ---------------------------------------------------------------------------------------
def _stratagems(field: Field, lanes: Rows, code: U8) -> None:
    """Use the stratagems chosen now, kind by kind."""
    for name, act in (("boost", _boost), ("weaken", _weaken), ("strike", _strike)):
        if field.own.tricks[name]:
            act(field, lanes, code)


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
    besieging = field.state.besieging[1 - field.seat]
    for trick, there, enemy, wit in _by_trick(field, "strike", lanes, code):
        squares = pick(field.foe_square, there)
        hit, which = _marked(squares == squares[enemy, np.arange(there.size)])
        target = damage.current_wit(field.foe.wit[hit], besieging[hit, field.rows[there[which]]])
        lost = damage.strike_loss(trick.what.power or 0, wit[which], target)
        _wound(field, there[which], hit, lost, np.full(hit.size, STRIKE, np.uint8))
