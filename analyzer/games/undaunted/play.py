"""What a play does (U8 to U24), and the further questions it asks, in the lanes that chose it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision
from analyzer.games.undaunted import cards, counting, fight, legal
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.state import U8, U64, Rows, pick
from analyzer.games.undaunted.tables import (
    ATTACK,
    BLAST,
    BOLSTER,
    COMMAND,
    CONCEAL,
    CONTROL,
    GUIDE,
    HUNKER,
    INSPIRE,
    MOVE,
    NO_TILE,
    OFF,
    RALLY,
    RECON,
    SCOUT,
    STALK,
    STOP,
    SUPPRESS,
    TARGET,
)
from analyzer.games.undaunted.view import TargetView
from analyzer.sim.chance import GAMMA
from analyzer.sim.noise import Noise, hashed_bytes

Index = NDArray[np.intp]
Asking = Generator[Decision, Array, Any]
_KINDS = ("bid", "play", "step", "attack", "guide", "target", "bolster", "inspire")
_PLACES = 256  # words of noise that one kind of decision may use in a round
_ROUND = np.uint64(2 * len(_KINDS) * _PLACES * GAMMA % 2**64)
_IDS = np.arange(64, dtype=np.uint8)[:, None]
_ONE = np.uint8(1)


class Plays:
    """Carries out one play in every lane of a field, and asks for its targets. `codes` uint8[lane]."""

    def __init__(self, field: Field, turn: int) -> None:
        self.field, self.turn = field, turn
        self.slot = 0

    def carry_out(self, codes: U8) -> Asking:
        """Every lane's play in place; a lane that stops is left alone."""
        field = self.field
        own = field.own
        counting.plays(field, codes)
        field.acting &= (codes != own.stop).view(np.uint8)
        fresh = self._lay_down(codes)
        lanes = field.acting.nonzero()[0]
        code = codes[lanes]
        action, unit, times = own.action_of[code], own.card_of[code].astype(np.intp), own.times_of[code]
        order = np.argsort(action, kind="stable")
        ends = np.add.accumulate(np.bincount(action, minlength=STOP + 1)).tolist()
        by_action = {a: order[ends[a - 1] if a else 0 : ends[a]] for a in range(RALLY)}

        none = (lanes[:0], unit[:0], times[:0], lanes[:0])

        def those(*actions: int) -> tuple[Rows, Index, U8, Rows]:
            parts = [by_action[a] for a in actions if by_action[a].size]
            if not parts:
                return none
            which = parts[0] if len(parts) == 1 else np.concatenate(parts)
            return lanes[which], unit[which], times[which], which

        yield from self._walks(those, action, fresh)
        yield from self._fights(those, action)
        if by_action[BLAST].size:
            where, who, dice, _ = those(BLAST)
            fight.blast(field, where, who, dice)
        yield from self._targets(*those(TARGET)[:2])
        yield from self._bolsters(*those(BOLSTER)[:3])
        yield from self._inspires(*those(INSPIRE)[:3])
        _control(field, *those(CONTROL)[:2])
        _conceal(field, those(CONCEAL)[0])
        field.hand[own.fog][those(RECON)[0]] -= _ONE  # U20: it leaves the game
        draws = those(RECON, COMMAND)
        _draw(field, draws[0], draws[2])

    def _lay_down(self, codes: U8) -> U8:
        """Ruling 2, U8 to U10: the card goes to the play area or back to the supply; its unit is placed or
        turned ready. Returns 0/1 [lane]: this play has placed its unit."""
        field, own = self.field, self.field.own
        card, action = own.card_of[codes], own.action_of[codes]
        one = np.equal(_IDS[: own.types], card).view(np.uint8)
        one *= field.acting
        hand, played, supply = field.hand, field.played, field.supply
        hand -= one
        hunkers = (action == HUNKER).view(np.uint8)
        supply += one * hunkers
        one *= hunkers ^ _ONE
        played += one
        who = one[: own.size]
        off, down = field.off, field.down
        down &= (who * (action == RALLY).view(np.uint8)) ^ _ONE
        placed = off & (who * np.uint8(OFF))
        off ^= placed
        placed >>= np.uint8(7)
        if own.riflemen.size:
            counters = field.rifle_counters
            counters += np.add.reduce(placed[own.riflemen], axis=0, dtype=np.uint8)
        found: U8 = np.maximum.reduce(placed, axis=0)
        return found

    # -- questions ------------------------------------------------------------------------------------
    def _choose(self, kind: str, options: U8, lanes: Rows, blocks: Any, **facts: Any) -> Asking:
        """The answer uint8[lane] of each lane; only lanes with more than one option are asked."""
        field = self.field
        count = np.add.reduce(options, axis=0, dtype=np.uint8)
        codes: U8 = np.maximum.reduce(options * _IDS[: len(options)], axis=0)
        asked = (count > 1).nonzero()[0]
        if asked.size:
            every = asked.size == lanes.size
            where = lanes if every else lanes[asked]
            facts = facts if every else {name: fact[asked] for name, fact in facts.items()}
            rows = field.rows[where]
            keys, rounds = pick(field.noise_key, where), pick(field.rounds, where)
            noise = hidden(kind, field.seat, keys, rounds, len(options))
            answer = yield Decision(
                kind,
                field.seat,
                TargetView(field, self.turn, where, facts),
                options if every else pick(options, asked),
                blocks,
                rows=rows,
                slot=self.slot,
                noise=noise,
            )
            codes[asked] = answer
        self.slot += 1
        return codes

    # -- U11 to U14: movement -------------------------------------------------------------------------
    def _walks(self, those: Any, action: U8, fresh: U8) -> Asking:
        """Moves, scouts, stalks and guides of this step, all together."""
        field = self.field
        lanes, unit, times, which = those(MOVE, SCOUT, STALK)
        kind = action[which]
        guides, _, how_far, _ = those(GUIDE)
        if guides.size:
            options = legal.can_be_guided(field, guides)
            moved = yield from self._choose("guide", options, guides, {"unit": slice(None)})
            lanes, unit = np.concatenate([lanes, guides]), np.concatenate([unit, moved.astype(np.intp)])
            times = np.concatenate([times, how_far])
            kind = np.concatenate([kind, np.full(guides.size, GUIDE, np.uint8)])
        stay = fresh[lanes] * (kind != GUIDE).view(np.uint8)
        step, tiles = 0, field.tables.board.tiles
        blocks = {"tile": slice(0, tiles), "stay": tiles}
        while lanes.size:
            place = unit * field.lanes + lanes
            free = ((kind == SCOUT) | (kind == STALK)).view(np.uint8)
            options = legal.steps(field, lanes, field.tile.reshape(-1)[place], free, stay)
            code = yield from self._choose(
                "step", options, lanes, blocks, unit=unit, action=kind, left=times - np.uint8(step)
            )
            goes = (np.maximum.reduce(options[:-1], axis=0) > (code == tiles)).nonzero()[0]
            lanes, unit, times, kind, code = _cut(goes, lanes, unit, times, kind, code)
            self._enter(lanes, unit, kind, code)
            step += 1
            on = (times > step).nonzero()[0]
            lanes, unit, times, kind = _cut(on, lanes, unit, times, kind)
            stay = np.ones(lanes.size, np.uint8)

    def _enter(self, lanes: Rows, unit: Index, kind: U8, tile: U8) -> None:
        """The counter enters the tile; a Scout marks it (U13), a mortar's target marker goes (U21)."""
        field, own = self.field, self.field.own
        field.put(field.seat, lanes, unit, tile)
        if own.mortar >= 0:
            field.target[lanes[unit == own.mortar]] = NO_TILE
        scouts = (kind == SCOUT).nonzero()[0]
        if not scouts.size:
            return
        lanes, bit = lanes[scouts], field.tables.board.bit[tile[scouts]]
        new = (legal.own_marked_in(field, lanes) & bit) == 0
        field.own_marks[0, lanes] |= bit * new
        stock = field.supply[own.fog]
        fog = new.view(np.uint8) & (stock[lanes] > 0).view(np.uint8)
        stock[lanes] -= fog
        field.discard[own.fog][lanes] += fog

    # -- U22, U23 -------------------------------------------------------------------------------------
    def _fights(self, those: Any, action: U8) -> Asking:
        field = self.field
        lanes, unit, dice, which = those(ATTACK, SUPPRESS)
        if not lanes.size:
            return
        kind = action[which]
        shut = field.foe_off | field.foe_down
        options = (pick(field.foe_off, lanes) == 0).view(np.uint8)
        options *= (pick(shut, lanes) == 0) | (kind == ATTACK)
        blocks = {"unit": slice(None)}
        code = yield from self._choose("attack", options, lanes, blocks, unit=unit, action=kind, dice=dice)
        fight.attack(field, lanes, unit, dice, kind, code.astype(np.intp))

    def _targets(self, lanes: Rows, unit: Index) -> Asking:
        """U21: where the target marker goes."""
        if lanes.size:
            field = self.field
            board = field.tables.board
            tile = field.tile.reshape(-1)[unit * field.lanes + lanes]
            far = board.far[tile] & ~legal.target_bit(pick(field.target, lanes))
            options = legal.rows_of(far, board.bit)
            field.target[lanes] = yield from self._choose(
                "target", options, lanes, {"tile": slice(None)}, unit=unit
            )

    # -- U15, U19 -------------------------------------------------------------------------------------
    def _bolsters(self, lanes: Rows, card: Index, times: U8) -> Asking:
        """U15, ruling 4: cards of the supply into the discard pile, one by one."""
        field, own = self.field, self.field.own
        blocks = {"card": slice(0, own.types), "enough": own.types}
        taken = 0
        while lanes.size:
            options = np.empty((own.types + 1, lanes.size), np.uint8)
            options[:-1] = (pick(field.supply, lanes) > 0) * own.may_bolster[card].T
            options[-1] = taken > 0
            code = yield from self._choose(
                "bolster", options, lanes, blocks, card=card, left=times - np.uint8(taken)
            )
            takes = (np.maximum.reduce(options[:-1], axis=0) > (code == own.types)).nonzero()[0]
            lanes, card, times, code = _cut(takes, lanes, card, times, code)
            place = code * np.intp(field.lanes) + lanes
            field.supply.reshape(-1)[place] -= _ONE
            field.discard.reshape(-1)[place] += _ONE
            taken += 1
            on = (times > taken).nonzero()[0]
            lanes, card, times = _cut(on, lanes, card, times)

    def _inspires(self, lanes: Rows, card: Index, times: U8) -> Asking:
        """U19: cards of the squad from the play area to the hand; never the one being played."""
        field, own = self.field, self.field.own
        taken = 0
        while lanes.size:
            lying = pick(field.played, lanes)
            lying -= np.equal(_IDS[: own.types], card).view(np.uint8)
            options = (lying > 0) * own.squad[card].T
            code = yield from self._choose("inspire", options, lanes, {"card": slice(None)}, card=card)
            takes = np.maximum.reduce(options, axis=0).nonzero()[0]
            lanes, card, times, code = _cut(takes, lanes, card, times, code)
            place = code * np.intp(field.lanes) + lanes
            field.played.reshape(-1)[place] -= _ONE
            field.hand.reshape(-1)[place] += _ONE
            taken += 1
            on = (times > taken).nonzero()[0]
            lanes, card, times = _cut(on, lanes, card, times)


def hidden(kind: str, seat: int, keys: U64, rounds: U8, actions: int) -> Noise:
    """The noise on the scores of a kind of decision: the same for a seat all round long."""

    def draw() -> U8:
        place = rounds.astype(np.uint64)
        place *= _ROUND
        place += np.uint64((seat * len(_KINDS) + _KINDS.index(kind)) * _PLACES * GAMMA % 2**64)
        place += keys
        return hashed_bytes(place, actions)

    return Noise(draw)


def _cut(which: Rows, *values: Array) -> tuple[Array, ...]:
    """These lanes of each array [lane]."""
    return tuple(value[which] for value in values)


def _control(field: Field, lanes: Rows, unit: Index) -> None:
    """U18: scouted turns to controlled, the enemy's controlled to scouted. U30: the radio gives one more."""
    if not lanes.size:
        return
    board, seat, score = field.tables.board, field.seat, field.score
    tile = field.tile.reshape(-1)[unit * field.lanes + lanes]
    bit, points = board.bit[tile], board.points[tile].astype(np.int16)
    if board.radio >= 0:
        at_radio = tile == board.radio
        again = lanes[at_radio & ((field.own_marks[1, lanes] & bit) != 0)]
        score[2, again] += 1
        points[at_radio] = score[2, lanes[at_radio]]
    before = (field.own_marks[1, lanes] & bit) != 0
    theirs = (field.foe_marks[1, lanes] & bit) != 0
    field.own_marks[0, lanes] &= ~bit
    field.own_marks[1, lanes] |= bit
    field.foe_marks[0, lanes] |= bit * theirs
    field.foe_marks[1, lanes] &= ~bit
    score[seat, lanes] += np.where(before, np.int16(1), points)
    score[1 - seat, lanes] -= points * theirs


def _conceal(field: Field, lanes: Rows) -> None:
    """U17: Fog of War from the enemy's supply to its discard pile."""
    fog = field.foe.fog
    field.foe_supply[fog][lanes] -= _ONE
    field.foe_discard[fog][lanes] += _ONE


def _draw(field: Field, lanes: Rows, times: U8) -> None:
    """U16, U20: draw cards in these lanes."""
    if not lanes.size:
        return
    piles = slice(0, field.own.discard.stop)  # hand, deck and discard pile lie first
    some, drawn = pick(field.mine[piles], lanes), pick(field.drawn, lanes)
    keys = pick(field.draw_key, lanes)
    for k in range(int(times.max())):
        cards.draw(field.own, some, drawn, keys, (times > k).view(np.uint8))
    for row, values in zip(field.mine[piles], some, strict=True):
        row[lanes] = values
    field.drawn[lanes] = drawn
