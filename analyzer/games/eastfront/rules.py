"""Eastfront 1944: the turn as the rule book tells it, for a whole block of games at once.

Rule ids (E6, ...) and rulings (R1, ...) are those of rules.md beside this file. Whole lanes are computed with
0/1 masks (uint8); what few games do (hindering, exchanges, discards) runs on the rows concerned.
"""

from __future__ import annotations

from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, Turn
from analyzer.games.eastfront import counting
from analyzer.games.eastfront.attack import Attack
from analyzer.games.eastfront.hinder import Hindering
from analyzer.games.eastfront.model import EastfrontRules
from analyzer.games.eastfront.policies import EastfrontPolicy
from analyzer.games.eastfront.state import CLEARED, EastfrontState, start
from analyzer.games.eastfront.tables import U8, U16, Tables
from analyzer.games.eastfront.view import EastfrontView
from analyzer.sim import cards
from analyzer.sim.chance import Luck

Rows = NDArray[np.intp]
_ONE = np.uint8(1)
PART = 1 << 15  # games asked at a time what all are asked, so that what is worked out stays in the cache


class Eastfront:
    """Break through the Soviet corps and rescue encircled friends (俺のケツをなめろ).

    The game under `rules` for `players` seats. Raises UserError for a number it is not for.
    """

    name = "eastfront"
    policy_base = EastfrontPolicy
    labels = {"end": ("all rescued", "deck ran out")}  # noqa: RUF012  the game's data, never changed

    def __init__(self, rules: EastfrontRules, players: int) -> None:
        rules.check_players(players)
        self.rules, self.players = rules, players
        self.tables = Tables(rules, players)
        self.max_turns = self.tables.max_turns

    def start(self, luck: Luck) -> EastfrontState:
        state = start(self.tables, luck)
        state.counted = counting.empty(self.tables)
        return state

    def turn(self, state: EastfrontState, turn: int, luck: Luck) -> Turn:
        """E6 to E9: draw, reinforce or hinder, attack, discard to the limit; E4 before the first."""
        seat = turn % self.players
        if turn == 0:
            yield from self._deploy(state)
        self._draw(state, seat, turn)
        alive = state.over ^ _ONE
        counting.turn_begins(state, seat, alive)
        hindered = yield from self._act(state, seat, turn, alive, luck)
        yield from self._attack(state, seat, turn, alive & (hindered ^ _ONE))
        halted = state.halted[seat]
        halted *= state.over  # R6: to the end of this turn
        yield from self._discard(state, seat, turn)
        self._end_turn(state, turn)

    # -- E4: the opening ---------------------------------------------------------------------------
    def _deploy(self, state: EastfrontState) -> Any:
        """Every player puts down any number of German cards; R1: all at once, unseen."""
        t = self.tables
        answers = []
        for seat in range(self.players):
            legal = state.hand[seat, t.german].copy()
            some = cards.some(np.bitwise_or.reduce(legal, axis=0))
            if not some.any():
                continue
            view = EastfrontView(self, state, seat, -1)
            down = yield Decision(
                "deploy", seat, view, legal, {"german": t.german}, asked=some, form="amounts"
            )
            answers.append((seat, down))
        for seat, down in answers:
            self._put_down(state, seat, down)

    def _put_down(self, state: EastfrontState, seat: int, down: U8) -> None:
        """Cards `down` [german, game] go from the hand to the table, which is empty."""
        t = self.tables
        hand, size = state.hand[seat, t.german], state.size[seat]
        standing, presence = state.standing[seat], state.presence[seat]
        hand -= down
        size -= np.add.reduce(down, axis=0, dtype=np.uint8)
        state.table[seat] = down
        for row, fire, bit in zip(down, t.german_fire, t.bits, strict=True):
            standing += row * fire
            presence |= cards.some(row) * bit

    # -- E6: the draw -------------------------------------------------------------------------------
    def _draw(self, state: EastfrontState, seat: int, turn: int) -> None:
        """One play card each. `game_end: at_once` ends the game with the last one (E10)."""
        alive = state.over ^ _ONE
        state.length += alive
        cards.put_in(state.hand[seat], state.deck[turn] | state.dead)
        size = state.size[seat]
        size += alive
        if turn + 1 == self.max_turns and self.rules.game_end == "at_once":
            state.over[:] = 1

    def _ask_all(
        self,
        kind: str,
        state: EastfrontState,
        seat: int,
        turn: int,
        legal: U8,
        blocks: Any,
        asked: U8,
        idle: int,
    ) -> Any:
        """Ask this in all games, part by part: the codes, uint8[game]."""
        lanes, code = np.arange(asked.size), np.empty(asked.size, np.uint8)
        for part in cards.chunks(asked.size, PART):
            view, rows = EastfrontView(self, state, seat, turn, lanes[part], part), lanes[part]
            code[part] = yield Decision(
                kind, seat, view, legal[:, part], blocks, rows, asked=asked[part], idle=idle
            )
        return code

    # -- E7: reinforce, hinder or nothing --------------------------------------------------------------
    def _act(self, state: EastfrontState, seat: int, turn: int, alive: U8, luck: Luck) -> Any:
        """Ask for it and carry it out; 0/1 [game] where a card that hinders was played (no attack then)."""
        t = self.tables
        legal = self.legal(state, seat)
        code = yield from self._ask_all("act", state, seat, turn, legal, t.act_blocks, alive, t.nothing)
        counting.actions(state, seat, code, alive)
        self._reinforce(state, seat, code)
        hinders = ((code >= t.germans) & (code < t.nothing)).view(np.uint8)
        rows = hinders.view(bool).nonzero()[0]
        if rows.size:
            yield from Hindering(self, state, seat, turn, luck).run(rows, code[rows] - np.uint8(t.germans))
        return hinders

    def legal(self, state: EastfrontState, seat: int) -> U8:
        """0/1 [action, game]: what E7 allows this seat now."""
        t = self.tables
        legal = np.empty((t.nothing + 1, state.over.size), np.uint8)
        np.greater(state.hand[seat, t.german], 0, out=legal[t.german].view(bool))
        np.greater(state.hand[seat, t.hinder], 0, out=legal[t.germans : t.nothing].view(bool))
        others = t.seats_clockwise[seat, :-1].tolist()
        there = reduce(np.bitwise_or, [state.presence[other] for other in others])
        for h, (effect, against) in enumerate(zip(t.effects, t.hinder_against, strict=True)):
            row = legal[t.germans + h]
            if effect == "discard":
                row &= cards.some(reduce(np.bitwise_or, [state.size[other] for other in others]))
            elif effect == "halt":
                row &= reduce(np.bitwise_and, [state.halted[other] for other in others]) ^ _ONE
            else:
                row &= ((there & against) > 0).view(np.uint8)
        legal[t.nothing] = 1
        return legal

    def _reinforce(self, state: EastfrontState, seat: int, code: U8) -> None:
        """E7 A: exactly one German card is put down."""
        t = self.tables
        cards.take_out(state.hand[seat, t.german], code, state.table[seat])
        standing, presence, size = state.standing[seat], state.presence[seat], state.size[seat]
        standing += self._fire_of_code.take(code)
        presence |= self._bit_of_code.take(code)
        size -= (code < t.germans).view(np.uint8)

    @cached_property
    def _fire_of_code(self) -> U16:
        return np.append(self.tables.german_fire, np.zeros(self.tables.hinders + 1)).astype(np.uint16)

    @cached_property
    def _bit_of_code(self) -> U16:
        return np.append(self.tables.bits, np.zeros(self.tables.hinders + 1)).astype(np.uint16)

    def remove(self, state: EastfrontState, at: Rows, there: Rows, german: U8) -> None:
        """One card `german` [row] leaves a table: flat places, each once; `there` by seat, type and game."""
        t = self.tables
        table, presence, standing = (a.reshape(-1) for a in (state.table, state.presence, state.standing))
        left = table.take(there)
        left -= _ONE
        table[there] = left
        standing[at] -= t.german_fire.take(german)
        last = (left == 0).nonzero()[0]
        presence[at.take(last)] ^= t.bits.take(german.take(last))

    # -- E8: the attack ---------------------------------------------------------------------------------
    def _attack(self, state: EastfrontState, seat: int, turn: int, free: U8) -> Any:
        """An attack may be made with a German card on the table (R4), unless out of fuel (R6)."""
        t = self.tables
        legal = np.empty((t.stacks + 1, state.over.size), np.uint8)
        can = free & (state.presence[seat] > 0).view(np.uint8) & (state.halted[seat] ^ _ONE)
        np.multiply((state.stack != CLEARED).view(np.uint8), can, out=legal[:-1])
        legal[-1] = 1
        asked = np.bitwise_or.reduce(legal[:-1], axis=0)
        code = yield from self._ask_all("attack", state, seat, turn, legal, t.stack_blocks, asked, t.no_stack)
        rows = (code < t.no_stack).nonzero()[0]
        counting.attacks(state, seat, asked, rows.size)
        yield from Attack(self, state, seat, turn).run(rows, code[rows])

    # -- E9, E10: the end of a turn ---------------------------------------------------------------------
    def _discard(self, state: EastfrontState, seat: int, turn: int) -> Any:
        """E9: down to the hand limit, at one's own turn end only (R9)."""
        t, limit = self.tables, np.uint8(self.rules.hand_limit)
        rows = ((state.size[seat] > limit).view(np.uint8) > state.over).nonzero()[0]
        if not rows.size:
            return
        need = state.size[seat].take(rows) - limit
        view = EastfrontView(self, state, seat, turn, rows)
        held = state.hand[seat].take(rows, axis=1)
        given = yield Decision(
            "discard", seat, view, held, t.card_blocks, rows=rows, form="amounts", need=need
        )
        flat = given.reshape(-1)
        some = (flat > 0).nonzero()[0]  # one or a few types a row
        kind = some // rows.size
        hand, shed = state.hand[seat].reshape(-1), state.shed[seat].reshape(-1)
        there, number = rows.take(some - kind * rows.size) + kind * state.over.size, flat.take(some)
        hand[there] -= number
        shed[there] += number
        state.size[seat][rows] = limit

    def _end_turn(self, state: EastfrontState, turn: int) -> None:
        """E10: over when the friend pile or the deck is empty, the turn finished."""
        state.over |= (state.rescued == self.rules.friends).view(np.uint8)
        if turn + 1 == self.max_turns:
            state.over[:] = 1
        np.multiply(state.over, np.uint8(255), out=state.dead)

    # -- results ----------------------------------------------------------------------------------------
    def outcome(self, state: EastfrontState, lanes: Rows) -> dict[str, Array]:
        """Measures of finished games: see `counting.outcome`."""
        return counting.outcome(self.tables, state, lanes)

    def tallies(self, state: EastfrontState, columns: dict[str, Array]) -> dict[str, Any]:
        """All tallies of the block: see `counting`."""
        return counting.tallies(self.tables, state, columns)


GAME = Eastfront
