"""The arrays of a block of Kraskar games. The game (lane) is the last axis everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import State
from analyzer.games.kraskar.model import MAX_UNITS
from analyzer.games.kraskar.tables import AWAY, STRIDE, Tables
from analyzer.sim.chance import DEAL, Luck, mix

U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_BYTE, _HALF = np.uint64(8), np.uint64(32)


@dataclass(eq=False)
class KraskarState(State):
    """Fields by the words of the rules; squares as in `tables`. Seats with fewer units leave places empty."""

    first: U8  # [game]: the seat that moves first
    length: U8  # [game]: turns begun
    square: U8  # [seat, unit, game]; AWAY[seat] while retreated
    hit_points: U8  # [seat, unit, game]; 0 while retreated
    force: NDArray[np.int8]  # [seat, unit, game]: the current one (ruling 4)
    gauge: U8  # [seat, unit, game]: the return gauge
    exhausted: U8  # [seat, unit, game]: 0/1
    besieging: U8  # [seat, unit, game]: 0/1, force and wit halved (K14)
    amount: NDArray[np.int8]  # [seat, boost rally weaken, unit, game]: force given or taken
    rounds: U8  # [seat, boost rally weaken, unit, game]: rounds that are left of it
    chips: U8  # [seat, game]
    wasted: NDArray[np.uint16]  # [seat, game]: chips not taken at the cap
    castle: U8  # [seat, game]: life left
    sieges: NDArray[np.uint16]  # [seat, game]: sieges by this seat
    retreats: NDArray[np.uint16]  # [seat, game]: units of this seat that had to retreat
    winner: U8  # [game]: seat + 1, 0 nobody
    fingerprint: U64  # [game]: a hash of the start and of the position after every turn
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play


def start(tables: Tables, luck: Luck) -> KraskarState:
    """K3, K5, K7: who moves first, where units start; full castles, no chips but the first ones."""
    games, units, rules = len(luck.rows), tables.units, tables.rules

    def zeros(*shape: int, dtype: type = np.uint8) -> NDArray:  # type: ignore[type-arg]
        return np.zeros((*shape, games), dtype)

    first, columns = draw(tables, luck)
    square, force, hit_points = zeros(2, units), zeros(2, units, dtype=np.int8), zeros(2, units)
    for seat, side in enumerate(tables.sides):
        square[seat] = AWAY[seat]
        square[seat, : side.size] = columns[seat, : side.size] + np.uint8(side.home_row * STRIDE)
        force[seat, : side.size] = side.force
        hit_points[seat, : side.size] = rules.hit_points
    return KraskarState(
        rows=np.arange(games) if games == luck.size else luck.rows.copy(),
        over=zeros(),
        first=first,
        length=zeros(),
        square=square,
        hit_points=hit_points,
        force=force,
        gauge=zeros(2, units),
        exhausted=zeros(2, units),
        besieging=zeros(2, units),
        amount=zeros(2, 3, units, dtype=np.int8),
        rounds=zeros(2, 3, units),
        chips=np.full((2, games), rules.start_chips, np.uint8),
        wasted=zeros(2, dtype=np.uint16),
        castle=np.full((2, games), rules.castle_life, np.uint8),
        sieges=zeros(2, dtype=np.uint16),
        retreats=zeros(2, dtype=np.uint16),
        winner=zeros(),
        fingerprint=mix(first.astype(np.uint64)),
    )


def draw(tables: Tables, luck: Luck) -> tuple[U8, U8]:
    """K5, K3: the first mover uint8[game], and the start columns uint8[seat, unit, game].

    Columns are drawn for the side that moves first and for the other one, whatever seats they have: with
    equal decks, swapping the seats mirrors the game.
    """
    rules = tables.rules
    bits = luck.deal_bits(luck.stream(DEAL), 1 + 2 * MAX_UNITS).T
    first = (bits[0] >> np.uint32(31)).astype(np.uint8)
    if rules.first_player != "random":
        first[:] = rules.first_player - 1
    if rules.start_columns == "deck":
        columns = np.zeros((2, tables.units, len(first)), np.uint8)
        for seat in range(2):
            given = rules.deck(rules.decks[seat]).columns
            columns[seat, : len(given)] = np.array(given, np.uint8)[:, None] - np.uint8(1)
        return first, columns
    drawn = (bits[1:].astype(np.uint64) * np.uint64(rules.columns) >> np.uint64(32)).astype(np.uint8)
    by_role = drawn.reshape(2, MAX_UNITS, -1)[:, : tables.units]
    columns = by_role ^ (by_role ^ by_role[::-1]) * first
    for seat, side in enumerate(tables.sides):
        columns[seat, side.size :] = 0
    return first, columns


def stamp(state: KraskarState, playing: U8) -> None:
    """Work the position after this turn into the fingerprint of the games that played it.

    A multiplicative hash over words of eight bytes: squares, hit points, castles and chips of both seats.
    """
    value = state.fingerprint
    stamped = value.copy()
    rows = [*state.square.reshape(-1, value.size), *state.hit_points.reshape(-1, value.size)]
    rows += [*state.castle, *state.chips]
    for first in range(0, len(rows), 8):
        word = np.zeros_like(value)
        for row in rows[first : first + 8]:
            word <<= _BYTE
            word |= row
        stamped ^= word
        stamped *= _PRIME
    stamped ^= stamped >> _HALF  # the product carries upwards only
    value += (stamped - value) * playing
