"""Attack, Suppress, Blast (U22 to U24) and casualties (U25), in the lanes that do it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted import counting
from analyzer.games.undaunted.cards import bits
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.state import U8, Rows, pick
from analyzer.games.undaunted.tables import ATTACK, BLAST, NO_TILE, OFF, SUPPRESS, Side
from analyzer.sim.chance import below

Index = NDArray[np.intp]
Hits = NDArray[np.bool_]


def total_defence(field: Field, tile: U8, target: Index, target_tile: U8) -> U8:
    """U22, U3: base, cover and distance of the enemy units `target`, attacked from `tile`."""
    board = field.tables.board
    place = tile * np.intp(board.tiles) + target_tile
    return np.asarray(field.foe.defence[target] + board.shield.reshape(-1)[place])


def attack(field: Field, lanes: Rows, unit: Index, dice: U8, action: U8, target: Index) -> None:
    """U22, U23: one attack in each lane; `action` uint8[lane] is ATTACK or SUPPRESS."""
    at = target * field.lanes + lanes
    target_tile = field.foe_tile.reshape(-1)[at]
    tile = field.tile.reshape(-1)[unit * field.lanes + lanes]
    defence = total_defence(field, tile, target, target_tile)
    hit, faces = roll(field, lanes, dice, defence)
    wounds = hit & (action == ATTACK)
    field.foe_down.reshape(-1)[at] |= (hit & (action == SUPPRESS)).view(np.uint8)
    lost = np.zeros(len(lanes), np.uint8)
    struck = wounds.nonzero()[0]
    if struck.size:
        lost[struck] = casualty(field, 1 - field.seat, lanes[struck], target[struck], False)
    counting.attacks(field, lanes, unit, action, dice, defence, target, hit, lost, faces, enemy=True)


def blast(field: Field, lanes: Rows, unit: Index, dice: U8) -> None:
    """U24, ruling 7: a roll against every counter on the target marker's tile, the enemy's first."""
    tile = pick(field.target, lanes)
    shelter = field.tables.board.shelter[tile]
    action = np.full(len(lanes), BLAST, np.uint8)
    victims = [(1 - field.seat, field.foe, pick(field.foe_tile | field.foe_off, lanes) == tile)]
    victims.append((field.seat, field.own, pick(field.tile | field.off, lanes) == tile))
    for seat, side, there in victims:
        for victim in range(side.size):
            which = there[victim].nonzero()[0]
            if not which.size:
                continue
            here, thrown = lanes[which], dice[which]
            target = np.full(len(which), victim, np.intp)
            defence = side.defence[victim] + shelter[which]
            hit, faces = roll(field, here, thrown, defence)
            lost = np.zeros(len(which), np.uint8)
            struck = hit.nonzero()[0]
            if struck.size:
                lost[struck] = casualty(field, seat, here[struck], target[struck], seat == field.seat)
            enemy = seat != field.seat
            by, how = unit[which], action[which]
            counting.attacks(field, here, by, how, thrown, defence, target, hit, lost, faces, enemy=enemy)


def roll(field: Field, lanes: Rows, dice: U8, defence: U8) -> tuple[Hits, U8]:
    """U22: bool[lane], does any of the dice show the total defence or more, or 0? All dice are thrown.

    Also gives the faces uint8[die, lane]; those from `dice` on mean nothing.
    """
    rules = field.tables.rules
    hit = np.zeros(len(lanes), bool)
    keys, number = pick(field.dice_key, lanes), pick(field.thrown, lanes)
    faces = np.empty((int(dice.max()), len(lanes)), np.uint8)
    for k, face in enumerate(faces):
        face[:] = below(bits(keys, number + np.uint32(k)), rules.die_faces)
        good = face >= defence
        if rules.zero_hits:
            good |= face == 0
        hit |= good & (dice > k)
    field.thrown[lanes] = number + dice
    return hit, faces


def casualty(field: Field, seat: int, lanes: Rows, unit: Index, own_blast: bool) -> U8:
    """U25: a card of this unit leaves the game, or its counter the board. Lanes differ.

    Returns uint8[lane]: 1 a card is lost, 2 the counter.
    """
    side = field.tables.sides[seat]
    rows = field.mine if seat == field.seat else field.theirs
    flat, width = rows.reshape(-1), field.lanes
    place = unit * width + lanes
    counting.fallen(field, seat, lanes, unit, flat[place + side.at.start * width])
    field.casualties[seat, lanes] += 1
    left = np.ones(len(lanes), bool)
    for pile in ((side.played,) if own_blast else ()) + (side.hand, side.discard, side.in_deck):
        at = place + pile.start * width
        count = flat[at]
        have = (count > 0) & left
        flat[at] = count - have.view(np.uint8)
        left &= ~have
    lost = (~left).view(np.uint8)
    _count_left(side, rows, lanes, unit, lost)
    gone = left.nonzero()[0]
    if gone.size:
        _remove(field, side, rows, lanes[gone], unit[gone])
    return np.uint8(2) - lost


def _count_left(side: Side, rows: U8, lanes: Rows, unit: Index, lost: U8) -> None:
    for is_one, row in ((side.is_rifleman, side.rifles_left), (side.is_scout, side.scouts_left)):
        rows[row][lanes] -= is_one[unit] & lost


def _remove(field: Field, side: Side, rows: U8, lanes: Rows, unit: Index) -> None:
    """The counter leaves the board; it will come back ready, on its spawn tile (U9, ruling 1)."""
    flat, width = rows.reshape(-1), field.lanes
    place = unit * width + lanes
    counting.removed(field, side, lanes, unit, flat[place + side.at.start * width])
    field.put(side.seat, lanes, unit, side.spawn[unit])
    flat[place + side.away.start * width] = OFF
    flat[place + side.down.start * width] = 0
    field.removed[side.seat, lanes] += 1
    rows[side.rifle_counters][lanes] -= side.is_rifleman[unit]
    if side.mortar >= 0 and not field.tables.rules.target_outlives_mortar:  # U21
        rows[side.target][lanes[unit == side.mortar]] = NO_TILE
