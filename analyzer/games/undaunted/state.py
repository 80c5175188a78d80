"""The arrays of a block of Undaunted games. The game (lane) is the last axis everywhere.

Decks have no order: a draw takes a random card of what is in the deck, which is the same as the top card of a
shuffled one. So all cards are counts by type, and "shuffle the discard pile into the deck" is an addition.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import State
from analyzer.games.undaunted.tables import NO_TILE, Side, Tables
from analyzer.sim.chance import DEAL, DICE, NOISE, Luck

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
Rows = NDArray[np.intp]

# Where a game stands: a new round begins, the first or the second side is on turn.
BEGINS, FIRST, SECOND = 0, 1, 2


def pick(values: NDArray[Any], lanes: Rows) -> NDArray[Any]:
    """The lanes of an array [..., lane]; all of them are there. (Told so, NumPy is seven times as fast.)"""
    return values.take(lanes, axis=-1, mode="clip")


@dataclass(eq=False)
class UndauntedState(State):
    """Fields by the words of the rules; tuples have one array a seat, `side` with the rows of its `Side`."""

    side: tuple[U8, U8]  # [row, game]: cards and counters of each seat
    marks: tuple[U32, U32]  # [scouted controlled, game]: bits of the tiles
    score: NDArray[np.int16]  # [points of US, of DE, of the radio, game]
    holder: U8  # [game]: the seat that holds the initiative marker
    first: U8  # [game]: the seat that held it at the start
    stage: U8  # [game]: BEGINS, FIRST or SECOND
    rounds: U8  # [game]: rounds begun
    drawn: tuple[U32, U32]  # [game]: cards each seat has drawn
    thrown: U32  # [game]: dice thrown
    draw_key: tuple[U64, U64]  # [game]: the key of each seat's draws
    dice_key: U64  # [game]
    noise_key: U64  # [game]
    winner: U8  # [game]: seat + 1, 0 nobody
    end: U8  # [game]: place in `counting.ENDS`
    casualties: NDArray[np.uint16]  # [seat, game]: hits that cost a card or a counter
    removed: NDArray[np.uint16]  # [seat, game]: counters that were removed
    plays: NDArray[np.uint16]  # [seat, game]: cards played or hunkered down
    changes: U8  # [game]: how often the initiative marker changed hands
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play
    log: list[dict[str, Any]] | None = None  # attacks one by one, if somebody wants them (see `fight`)

    def take(self, keep: Rows) -> None:
        """Keep only these lanes (compaction), in place."""
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, np.ndarray):
                setattr(self, f.name, pick(value, keep))
            elif isinstance(value, tuple):
                setattr(self, f.name, tuple(pick(one, keep) for one in value))


def start(tables: Tables, luck: Luck) -> UndauntedState:
    """Setup: decks, supplies, counters and markers as the scenario has them."""
    games, sides = len(luck.rows), tables.sides

    def zeros(*shape: int, dtype: Any = np.uint8) -> NDArray[Any]:
        return np.zeros((*shape, games), dtype)

    keys = luck.stream(DEAL).integers(0, 2**64, size=(luck.size, 2), dtype=np.uint64)[luck.rows]
    first = _first_holder(tables, luck)
    score = zeros(3, dtype=np.int16)
    score[:2] = np.array([[side.points] for side in sides])
    if tables.board.radio >= 0:
        score[2] = tables.board.points[tables.board.radio]
    return UndauntedState(
        rows=np.arange(games) if games == luck.size else luck.rows.copy(),
        over=zeros(),
        side=(_side(sides[0], games), _side(sides[1], games)),
        marks=(_marks(sides[0], games), _marks(sides[1], games)),
        score=score,
        holder=first.copy(),
        first=first,
        stage=zeros(),
        rounds=zeros(),
        drawn=(zeros(dtype=np.uint32), zeros(dtype=np.uint32)),
        thrown=zeros(dtype=np.uint32),
        draw_key=(keys[:, 0].copy(), keys[:, 1].copy()),
        dice_key=luck.keys(DICE)[luck.rows],
        noise_key=luck.keys(NOISE)[luck.rows],
        winner=zeros(),
        end=zeros(),
        casualties=zeros(2, dtype=np.uint16),
        removed=zeros(2, dtype=np.uint16),
        plays=zeros(2, dtype=np.uint16),
        changes=zeros(),
    )


def _first_holder(tables: Tables, luck: Luck) -> U8:
    """U6: the seat that holds the marker first; with `both`, US and DE in turn, game by game."""
    asked = tables.rules.first_initiative
    if asked == "both":
        return (luck.rows & 1).astype(np.uint8)
    name = tables.rules.scenario.initiative if asked == "scenario" else asked
    return np.full(len(luck.rows), [side.name for side in tables.sides].index(name), np.uint8)


def _side(side: Side, games: int) -> U8:
    column = np.zeros(side.rows, np.uint8)
    column[side.in_deck], column[side.in_supply] = side.deck, side.supply
    column[side.at], column[side.away] = side.tile, side.off
    column[side.target] = NO_TILE
    total = (side.deck + side.supply)[: side.size]
    column[side.rifles_left] = total[side.riflemen].sum()
    column[side.scouts_left] = total[side.scouts].sum()
    column[side.rifle_counters] = np.count_nonzero(side.off[side.riflemen] == 0)
    return np.repeat(column[:, None], games, axis=1)


def _marks(side: Side, games: int) -> U32:
    return np.repeat(np.array([[side.scouted], [side.controlled]], np.uint32), games, axis=1)
