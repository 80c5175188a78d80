"""What the side on turn may play (U7 to U24, rulings 2, 6, 8) and at what, for every lane at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.state import U8, U32, pick
from analyzer.games.undaunted.tables import NO_TILE, OFF

_ONE = np.uint8(1)


def legal_plays(field: Field) -> U8:
    """0/1 [code, lane] in the order of `Side.plays`; stop is always legal."""
    own, hand = field.own, field.hand
    legal = np.empty((own.plays, field.lanes), np.uint8)
    held = (hand > 0).view(np.uint8)
    ready = held[: own.size] * (field.down ^ _ONE)  # U10, ruling 8: a suppressed unit can only rally
    for name, block in own.blocks.items():
        if isinstance(block, int):
            continue
        part, cards = legal[block], own.cards_of(name)
        if name == "hunker":
            part[:] = held[: own.fog]  # U8: never Fog of War
        elif name == "rally":
            np.multiply(held[: own.size], field.down, out=part)
        else:
            can = _CAN[name](field, cards)
            np.multiply(ready[cards] if cards[0] < own.size else held[cards], can, out=part)
    legal[own.stop] = 1
    return legal


def _always(field: Field, cards: NDArray[np.intp]) -> U8:
    """U13, U14: every tile has a neighbour."""
    return np.ones(field.lanes, np.uint8)


def can_move(field: Field, units: NDArray[np.intp]) -> U8:
    """U11, 0/1 [unit, lane]: off the board (it deploys), or beside a tile with an own marker."""
    near = field.tables.board.near.take(field.tile[units], mode="clip")
    near &= own_marked(field)
    return ((near != 0) | (field.off[units] != 0)).view(np.uint8)


def can_be_guided(field: Field, lanes: NDArray[np.intp]) -> U8:
    """U12, ruling 6, 0/1 [unit, lane of `lanes`]: on the board, ready, beside a tile with an own marker."""
    near = field.tables.board.near.take(pick(field.tile, lanes), mode="clip")
    near &= own_marked_in(field, lanes)
    can = (near != 0).view(np.uint8)
    can *= (pick(field.off, lanes) | pick(field.down, lanes)) == 0
    return can


def own_marked(field: Field) -> U32:
    """uint32[lane]: bits of the tiles with an own marker, scouted or controlled."""
    scouted, controlled = field.own_marks
    return scouted | controlled


def _guide(field: Field, cards: NDArray[np.intp]) -> U8:
    found = np.zeros(field.lanes, np.uint8)
    holds = np.logical_or.reduce(field.hand[cards], axis=0).nonzero()[0]  # few do
    if holds.size:
        found[holds] = np.maximum.reduce(can_be_guided(field, holds), axis=0)
    return found


def may_take(field: Field, cards: NDArray[np.intp]) -> U8:
    """U15, ruling 4, 0/1 [card, lane]: is there a card in the supply that this one may take?"""
    return np.stack([_some_of(field.supply, field.own.bolsters[card]) for card in cards.tolist()])


def _some_of(counts: U8, kinds: Sequence[int] = ()) -> U8:
    """0/1 [lane]: is there a card of these types (none given: of any)?"""
    if not kinds:
        any_card = np.bitwise_or.reduce(counts, axis=0)
    else:
        any_card = counts[kinds[0]]
        for kind in kinds[1:]:
            any_card = any_card | counts[kind]
    found: U8 = (any_card > 0).view(np.uint8)
    return found


def _command(field: Field, cards: NDArray[np.intp]) -> U8:
    """U16, ruling 5: a card to draw."""
    deck_and_discard = slice(field.own.in_deck.start, field.own.discard.stop)
    return _some_of(field.mine[deck_and_discard])


def _conceal(field: Field, cards: NDArray[np.intp]) -> U8:
    """U17."""
    return (field.foe_supply[field.foe.fog] > 0).view(np.uint8)


def can_control(field: Field, units: NDArray[np.intp]) -> U8:
    """U18, U30, 0/1 [unit, lane]: own scouted marker (or US's radio) on its tile, and no enemy counter."""
    tile, board = field.tile[units], field.tables.board
    markable = field.own_marks[0]
    if board.radio >= 0 and field.seat == 0:
        markable = markable | (field.own_marks[1] & board.bit[board.radio])
    can = ((markable >> tile) & np.uint32(1)).astype(np.uint8)
    can *= no_enemy_on(field, tile)
    return can


def no_enemy_on(field: Field, tile: U8) -> U8:
    """0/1 in the shape of `tile` [.., lane]: no enemy counter stands on that tile."""
    there = field.foe_tile | field.foe_off
    met = np.equal(there[0], tile)
    for foe in there[1:]:
        met |= np.equal(foe, tile)
    return np.logical_not(met, out=met).view(np.uint8)


def _inspire(field: Field, cards: NDArray[np.intp]) -> U8:
    """U19: a card of the squad in the play area."""
    return np.stack([_some_of(field.played, field.own.inspires[card]) for card in cards.tolist()])


def _recon(field: Field, cards: NDArray[np.intp]) -> U8:
    """U20: Fog of War in the hand."""
    return (field.hand[field.own.fog] > 0).view(np.uint8)


def target_tiles(field: Field, units: NDArray[np.intp]) -> U32:
    """U21, uint32[unit, lane]: bits of the tiles the marker may be put on; not where it lies already."""
    far = field.tables.board.far.take(field.tile[units], mode="clip")
    far &= ~target_bit(field.target)
    return far


def target_bit(target: U8) -> U32:
    """uint32[lane]: the bit of the tile of a target marker; 0 where none lies."""
    lies = (target != NO_TILE).astype(np.uint32)
    return lies << (target & np.uint8(31))


def _target(field: Field, cards: NDArray[np.intp]) -> U8:
    return (target_tiles(field, cards) != 0).view(np.uint8)


def _attack(field: Field, cards: NDArray[np.intp]) -> U8:
    """U22: an enemy counter anywhere."""
    return (np.minimum.reduce(field.foe_off, axis=0) == 0).view(np.uint8)


def _suppress(field: Field, cards: NDArray[np.intp]) -> U8:
    """U23, ruling 2: an enemy counter that is not suppressed yet."""
    return (np.minimum.reduce(field.foe_off | field.foe_down, axis=0) == 0).view(np.uint8)


def _blast(field: Field, cards: NDArray[np.intp]) -> U8:
    """U24, ruling 2: a counter of either side on the own target marker's tile."""
    met = np.zeros(field.lanes, bool)
    for tile, off in ((field.foe_tile, field.foe_off), (field.tile, field.off)):
        met |= np.logical_or.reduce(np.equal(tile | off, field.target), axis=0)
    return met.view(np.uint8)


_CAN = {
    "move": can_move,
    "guide": _guide,
    "scout": _always,
    "stalk": _always,
    "bolster": may_take,
    "command": _command,
    "conceal": _conceal,
    "control": can_control,
    "inspire": _inspire,
    "recon": _recon,
    "target": _target,
    "attack": _attack,
    "suppress": _suppress,
    "blast": _blast,
}


# -- targets of a play in the lanes that chose it ------------------------------------------------------
def steps(field: Field, lanes: NDArray[np.intp], tile: U8, free: U8, stay: U8) -> U8:
    """0/1 [tile, or stay, lane]: where a counter on `tile` may step; `free`: 1 if markers do not matter.

    stay: 1 where it may stay.
    """
    board = field.tables.board
    near = board.near.take(tile, mode="clip")
    near &= own_marked_in(field, lanes) | (np.uint32(0) - free)
    legal = np.empty((board.tiles + 1, len(lanes)), np.uint8)
    legal[:-1] = rows_of(near, board.bit)
    legal[-1] = stay
    return legal


def own_marked_in(field: Field, lanes: NDArray[np.intp]) -> U32:
    """`own_marked` in some lanes."""
    scouted, controlled = pick(field.own_marks, lanes)
    return scouted | controlled


def rows_of(bits: U32, bit: U32) -> U8:
    """0/1 [tile, lane] of the bits uint32[lane]."""
    return ((bits & bit[:, None]) != 0).view(np.uint8)


assert OFF > 31  # an off-board unit shares no number with a tile
