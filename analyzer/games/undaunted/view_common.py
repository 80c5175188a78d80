"""What all views of Undaunted have in common: the table as one seat sees it (see `view`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, lazy
from analyzer.games.undaunted.chances import hit_chance, percents
from analyzer.games.undaunted.legal import rows_of
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.reach import Reach
from analyzer.games.undaunted.state import U8, U32, Rows
from analyzer.games.undaunted.tables import NO_TILE, Board, Side, Tables

I32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
F32 = NDArray[np.float32]


class View:
    """What all kinds of view have in common."""

    def __init__(self, tables: Tables, seat: int, turn: int, rows: Rows) -> None:
        self._tables, self._rows = tables, rows
        self._own: Side = tables.sides[seat]
        self._foe: Side = tables.sides[1 - seat]
        self._board: Board = tables.board
        self.seat, self.turn = seat, turn

    def _my(self, name: str) -> U8:
        """uint8[row, game]: rows of the own side's array by their name in `Side`."""
        raise NotImplementedError

    def _foes(self, name: str) -> U8:
        """The same of the other side."""
        raise NotImplementedError

    _own_marks: U32  # [scouted controlled, game]
    _foe_marks: U32
    _score: NDArray[np.int16]  # [points of US, of DE, of the radio, game]
    _holder: U8
    _round: U8

    def bind(self, asker: Any, decision: Decision) -> None:
        """Called by the engine: where random draws come from, and what is legal."""
        self._asker, self.legal = asker, decision.legal

    def draw(self, count: Array | int) -> NDArray[np.intp]:
        """intp[game]: a uniform number 0..count-1 of every game, from the game's own random stream."""
        return self._asker.digit(count, self._rows).astype(np.intp)

    # -- what never changes ---------------------------------------------------------------------------
    @property
    def games(self) -> int:
        """How many games this decision is asked in."""
        return len(self._rows)

    @property
    def rules(self) -> UndauntedRules:
        """All numbers and options of the game."""
        return self._tables.rules

    @property
    def cards(self) -> tuple[str, ...]:
        """The codes of the own card types in order: units, command, Fog of War."""
        return self._own.codes

    @property
    def units(self) -> tuple[str, ...]:
        """The codes of the own units; they are the first card types."""
        return self._own.units

    @property
    def enemies(self) -> tuple[str, ...]:
        """The codes of the enemy's units."""
        return self._foe.units

    @property
    def enemy_cards(self) -> tuple[str, ...]:
        """The codes of the enemy's card types."""
        return self._foe.codes

    @property
    def fog(self) -> int:
        """Which own card type is Fog of War: the last one."""
        return self._own.fog

    @property
    def riflemen(self) -> NDArray[np.intp]:
        """intp[]: which own units are Riflemen."""
        return self._own.riflemen

    @property
    def scouts(self) -> NDArray[np.intp]:
        """intp[]: which own units are Scouts."""
        return self._own.scouts

    @property
    def enemy_riflemen(self) -> NDArray[np.intp]:
        """intp[]: which of the enemy's units are Riflemen."""
        return self._foe.riflemen

    @property
    def initiative(self) -> I32:
        """int32[type]: the initiative of each own card as a bid."""
        return self._own.initiative[:-1].astype(np.int32)

    @property
    def goal(self) -> int | None:
        """The points the own side needs; None: it must pin the enemy."""
        return self._own.goal

    @property
    def enemy_goal(self) -> int | None:
        """The points the enemy needs; None: it must pin the own side."""
        return self._foe.goal

    @property
    def tiles(self) -> tuple[str, ...]:
        """The names of the tiles."""
        return self._board.names

    @property
    def distance(self) -> I32:
        """int32[tile, tile]: steps from tile to tile."""
        return self._board.distance.astype(np.int32)

    @property
    def neighbours(self) -> Bool:
        """bool[tile, tile]: do the two tiles touch?"""
        return self._board.neighbours

    @property
    def cover(self) -> I32:
        """int32[tile]: cover (a hill gives less against an attacker on a hill: see `defence`)."""
        return self._board.cover.astype(np.int32)

    @property
    def tile_points(self) -> I32:
        """int32[tile]: points of each tile at the start; the radio's grow (`radio_points`)."""
        return self._board.points.astype(np.int32)

    @property
    def radio(self) -> int | None:
        """The radio's tile, or None."""
        return None if self._board.radio < 0 else self._board.radio

    def cards_of(self, action: str) -> NDArray[np.intp]:
        """intp[card]: the own card types that can be played for this action: the rows of its block."""
        return self._own.cards_of(action)

    def has(self, action: str) -> bool:
        """Whether any card of the own side can be played for this action."""
        return action in self._own.blocks

    def squad(self, card: int) -> NDArray[np.intp]:
        """intp[]: the card types of the squad of this card type (itself among them); empty for others."""
        return np.asarray(self._own.squad[card].nonzero()[0])

    # -- cards ----------------------------------------------------------------------------------------
    @lazy
    def hand(self) -> I32:
        """int32[type, game]: own cards in hand."""
        return self.small_hand.astype(np.int32)

    @lazy
    def deck(self) -> I32:
        """int32[type, game]: what is in the own deck (its order is nobody's to know)."""
        return self._my("in_deck").astype(np.int32)

    @lazy
    def discard(self) -> I32:
        """int32[type, game]: the own discard pile."""
        return self._my("discard").astype(np.int32)

    @lazy
    def played(self) -> I32:
        """int32[type, game]: the own play area."""
        return self._my("played").astype(np.int32)

    @lazy
    def supply(self) -> I32:
        """int32[type, game]: the own supply."""
        return self.small_supply.astype(np.int32)

    @lazy
    def enemy_supply(self) -> I32:
        """int32[enemy type, game]: the enemy's supply; it lies open."""
        return self._foes("in_supply").astype(np.int32)

    @lazy
    def enemy_in_play(self) -> I32:
        """int32[enemy type, game]: all cards of the enemy but its supply: hand, deck and discard pile
        together. (Every card that came or went did so openly.)"""
        piles = [self._foes(name) for name in ("hand", "in_deck", "discard", "played")]
        return np.add.reduce(piles, axis=0, dtype=np.int32)

    @lazy
    def enemy_hand_size(self) -> I32:
        """int32[game]: how many cards the enemy holds."""
        return np.add.reduce(self._foes("hand"), axis=0, dtype=np.int32)

    # -- counters -------------------------------------------------------------------------------------
    @lazy
    def on_board(self) -> Bool:
        """bool[unit, game]: is the counter on the board?"""
        return self._my("away") == 0

    @lazy
    def tile(self) -> I32:
        """int32[unit, game]: its tile; its spawn tile while it is off the board."""
        return self._my("at").astype(np.int32)

    @lazy
    def suppressed(self) -> Bool:
        """bool[unit, game]: is the counter suppressed?"""
        return self._my("down") > 0

    @lazy
    def enemy_on_board(self) -> Bool:
        """bool[enemy, game]: is the counter on the board?"""
        return self._foes("away") == 0

    @lazy
    def enemy_tile(self) -> I32:
        """int32[enemy, game]: its tile; its spawn tile while it is off the board."""
        return self._foes("at").astype(np.int32)

    @lazy
    def enemy_suppressed(self) -> Bool:
        """bool[enemy, game]: is the counter suppressed?"""
        return self._foes("down") > 0

    @lazy
    def own_on(self) -> I32:
        """int32[tile, game]: own counters on each tile."""
        return _counters(self._place, self._board.tiles)

    @lazy
    def enemies_on(self) -> I32:
        """int32[tile, game]: enemy counters on each tile."""
        return _counters(self._foe_place, self._board.tiles)

    @lazy
    def defence(self) -> I32:
        """int32[unit, enemy, game]: total defence of each enemy against an attack by each own unit from where
        it is or would be placed: base, cover and distance (U22)."""
        return self.small_defence.astype(np.int32)

    def hit_chance(self, dice: Array | int, defence: Array) -> F32:
        """float32: the chance that some of `dice` dice hits a total defence; arrays that fit together."""
        return hit_chance(self.rules.die_faces, self.rules.zero_hits, dice, defence)

    def dice_of(self, action: str) -> I32:
        """int32[card]: the dice of each card that can be played for `attack`, `suppress` or `blast`."""
        return self._own.times_of[self._own.part(action)].astype(np.int32)

    # -- markers and points ---------------------------------------------------------------------------
    @lazy
    def scouted(self) -> Bool:
        """bool[tile, game]: an own scouted marker."""
        return rows_of(self._own_marks[0], self._board.bit).view(bool)

    @lazy
    def controlled(self) -> Bool:
        """bool[tile, game]: the own side controls the tile."""
        return rows_of(self._own_marks[1], self._board.bit).view(bool)

    @lazy
    def enemy_scouted(self) -> Bool:
        """bool[tile, game]: a scouted marker of the enemy."""
        return rows_of(self._foe_marks[0], self._board.bit).view(bool)

    @lazy
    def enemy_controlled(self) -> Bool:
        """bool[tile, game]: the enemy controls the tile."""
        return rows_of(self._foe_marks[1], self._board.bit).view(bool)

    @lazy
    def points(self) -> I32:
        """int32[game]: own points."""
        return self._score[self.seat].astype(np.int32)

    @lazy
    def enemy_points(self) -> I32:
        """int32[game]: the enemy's points."""
        return self._score[1 - self.seat].astype(np.int32)

    @lazy
    def radio_points(self) -> I32:
        """int32[game]: what the radio's tile is worth now (0 without a radio)."""
        return self._score[2].astype(np.int32)

    @lazy
    def target_tile(self) -> I32:
        """int32[game]: the tile of the own target marker; -1 where it does not lie."""
        return _tile_or_none(self._my("target"))

    @lazy
    def enemy_target_tile(self) -> I32:
        """int32[game]: the tile of the enemy's target marker; -1 where it does not lie."""
        return _tile_or_none(self._foes("target"))

    @lazy
    def holds_initiative(self) -> Bool:
        """bool[game]: the own side holds the initiative marker."""
        return self._holder == self.seat

    @lazy
    def round(self) -> I32:
        """int32[game]: the round, from 1."""
        return self._round.astype(np.int32)

    # -- few bits, for speed --------------------------------------------------------------------------
    @property
    def small_hand(self) -> U8:
        """uint8[type, game]: own cards in hand."""
        return _shut(self._my("hand"))

    @property
    def small_supply(self) -> U8:
        """uint8[type, game]: the own supply."""
        return _shut(self._my("in_supply"))

    @property
    def small_tile(self) -> U8:
        """uint8[unit, game]: the tile of each own unit; its spawn tile while it is off the board."""
        return _shut(self._my("at"))

    @property
    def small_enemy_tile(self) -> U8:
        """uint8[enemy, game]: the same of the enemy's."""
        return _shut(self._foes("at"))

    @lazy
    def small_marked(self) -> U8:
        """uint8[tile, game]: 1 where the tile carries an own marker, scouted or controlled."""
        return rows_of(self._own_marks[0] | self._own_marks[1], self._board.bit)

    @lazy
    def small_in_play(self) -> U8:
        """uint8[type, game]: all own cards but the supply: hand, deck, discard pile and play area."""
        total: U8 = self._my("hand") + self._my("in_deck")
        total += self._my("discard")
        total += self._my("played")
        return total

    @property
    def small_played(self) -> U8:
        """uint8[type, game]: the own play area."""
        return _shut(self._my("played"))

    @lazy
    def _place(self) -> U8:
        """uint8[unit, game]: the tile; a large number off the board."""
        return self._my("at") | self._my("away")

    @lazy
    def _foe_place(self) -> U8:
        return self._foes("at") | self._foes("away")

    @lazy
    def small_defence(self) -> U8:
        """uint8[unit, enemy, game]: total defence (see `defence`)."""
        return self._reach.defences()

    @property
    def _reach(self) -> Reach:
        return Reach(self._board, self._my("at"), self._foes("at"), self._foe.defence)

    @lazy
    def small_least_defence(self) -> U8:
        """uint8[unit, game]: the least total defence of an enemy on the board; above 127 if there is none."""
        return self._reach.least(np.arange(self._own.size), self._foes("away"))

    def small_percent(self, action: str) -> U8:
        """uint8[card, game]: hundredths of the chance that the card's `attack` (or `suppress`) hits the enemy
        that is easiest to hit (for suppress: of those not suppressed); 0 if there is none."""
        cards, shut = self.cards_of(action), self._foes("away")
        if action == "suppress":
            shut = shut | self._foes("down") << np.uint8(7)  # 128 where off the board or suppressed
        least = self._reach.least(cards, shut)
        for row, dice in zip(least, self.dice_of(action).tolist(), strict=True):
            row[:] = self.percents(dice).take(row, mode="clip")
        return least

    def percents(self, dice: int) -> U8:
        """uint8[defence 0..127, and 0 above]: hundredths of the chance that one of `dice` dice hits (U22)."""
        return percents(self.rules.die_faces, self.rules.zero_hits, dice)

    @lazy
    def small_enemies_on(self) -> U8:
        """uint8[tile, game]: 1 where an enemy counter stands on the tile."""
        return _occupied(self._foe_place, self._board.tiles)

    @lazy
    def small_own_on(self) -> U8:
        """uint8[tile, game]: 1 where an own counter stands on the tile."""
        return _occupied(self._place, self._board.tiles)

    @lazy
    def small_points_here(self) -> U8:
        """uint8[unit, game]: points of the tile that each own unit is on or would be placed on."""
        points = self._board.points.take(self._my("at"), mode="clip")
        if self._board.radio >= 0:
            at_radio = self._my("at") == self._board.radio
            points += at_radio * (self._score[2].astype(np.uint8) - self._board.points[self._board.radio])
        return points

    @lazy
    def small_pull(self) -> U8:
        """uint8[tile, game]: how much each tile draws a Rifleman: 16 and 2 a point for a tile worth points
        that the own side does not control, 2 less for each step to it; of several the most, 0 for none."""
        board, reach = self._board, np.zeros((self._board.tiles, self.games), np.uint8)
        for tile in board.points.nonzero()[0]:
            want = np.maximum(16 + 2 * int(board.points[tile]) - 2 * board.distance[:, tile].astype(int), 0)
            free = (self._own_marks[1] & board.bit[tile]) == 0
            np.maximum(reach, want.astype(np.uint8)[:, None] * free, out=reach)
        return reach


def _shut(values: Array) -> Array:
    """A view of the array that cannot be written to: a policy must not change the game."""
    seen = values.view()
    seen.flags.writeable = False
    return seen


def _counters(place: U8, tiles: int) -> I32:
    found = np.zeros((tiles, place.shape[1]), np.int32)
    for row in place:
        found += np.arange(tiles, dtype=np.uint8)[:, None] == row
    return found


def _occupied(place: U8, tiles: int) -> U8:
    ids = np.arange(tiles, dtype=np.uint8)[:, None]
    found = ids == place[0]
    for row in place[1:]:
        found |= ids == row
    return found.view(np.uint8)


def _tile_or_none(tile: U8) -> I32:
    found = tile.astype(np.int32)
    found[tile == NO_TILE] = -1
    return found
