"""Undaunted: Normandy: rounds and turns as the rules tell them, for a whole block of games at once.

Rule ids (U5, ...) and rulings are those of rules.md beside this file. The engine's turns are passes. A pass
begins new rounds where they are due, then plays on in the games where one seat is on turn: the seat that more
games wait for. When few of them go on with their turn the pass ends, and they go on in a later one. So games
drift apart by rounds, and none waits for the longest of the others; what a game does depends on itself alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from analyzer.games.base import Array, Decision, Turn
from analyzer.games.undaunted import cards, counting
from analyzer.games.undaunted.ends import check_ends
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.legal import legal_plays
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.play import Plays, hidden
from analyzer.games.undaunted.policies import UndauntedPolicy
from analyzer.games.undaunted.state import BEGINS, FIRST, SECOND, U8, Rows, UndauntedState, start
from analyzer.games.undaunted.tables import Tables
from analyzer.games.undaunted.view import BidView, PlayView
from analyzer.sim.chance import Luck

KEEP_BELOW = 0.5  # share of acting lanes below which they are taken out of the others
LEAVE_BELOW = 0.25  # share of the lanes on turn below which those that go on are left for a later pass
_ONE = np.uint8(1)


class Undaunted:
    """Two platoons, their decks and one scenario's map. Always two players.

    The game under `rules`. Raises UserError for another number of players.
    """

    name = "undaunted"
    policy_base = UndauntedPolicy
    labels = {"end": counting.ENDS}  # noqa: RUF012  the game's data, never changed

    def __init__(self, rules: UndauntedRules, players: int) -> None:
        rules.check_players(players)
        self.rules, self.players = rules, players
        self.tables = Tables(rules)
        self.max_turns = self.tables.max_turns
        # What a study does with hands once they are drawn, (state, 0/1 [lane] where they are); see pieces.
        self.on_hands: Callable[[UndauntedState, U8], None] | None = None

    def start(self, luck: Luck) -> UndauntedState:
        state = start(self.tables, luck)
        state.counted = counting.empty(self.tables)
        return state

    def turn(self, state: UndauntedState, turn: int, luck: Luck) -> Turn:
        """One pass: new rounds where one is due, then plays of the seat that is on turn in more games."""
        playing = state.over ^ _ONE
        begins = (state.stage == BEGINS).view(np.uint8) & playing
        if begins.any():
            yield from self._round(state, turn, begins)
        de_is_on = state.holder ^ (state.stage == SECOND)
        counts = np.bincount(de_is_on, weights=playing, minlength=2)
        seat = int(counts[1] > counts[0])
        on_turn = (de_is_on == seat).view(np.uint8) & playing
        done = yield from self._turn_of(state, turn, seat, on_turn)
        self._end_turn(state, seat, done)

    # -- the head of a round ----------------------------------------------------------------------------
    def _round(self, state: UndauntedState, turn: int, begins: U8) -> Any:
        """U5, U6: both sides draw, bid and reveal."""
        state.rounds += begins
        state.stage += begins * np.uint8(FIRST - BEGINS)
        for seat, side in enumerate(self.tables.sides):
            for _ in range(self.rules.hand_size):
                cards.draw(side, state.side[seat], state.drawn[seat], state.draw_key[seat], begins)
        if self.on_hands is not None:
            self.on_hands(state, begins)
        lanes = begins.nonzero()[0]
        bids = []
        for seat in (0, 1):
            bids.append((yield from self._bid(state, turn, seat, lanes)))
        self._reveal(state, lanes, bids[0], bids[1])

    def _bid(self, state: UndauntedState, turn: int, seat: int, lanes: Rows) -> Any:
        """U6: the card type each lane bids; the number of types stands for a side without a card."""
        side = self.tables.sides[seat]
        options = (state.side[seat][side.hand].take(lanes, axis=1, mode="clip") > 0).view(np.uint8)
        kinds = np.add.reduce(options, axis=0, dtype=np.uint8)
        ids = np.arange(side.types, dtype=np.uint8)[:, None]
        bid = np.maximum.reduce(options * ids, axis=0)
        bid[kinds == 0] = side.types
        asked = (kinds > 1).nonzero()[0]
        if asked.size:
            rows = lanes[asked]
            bid[asked] = yield Decision(
                "bid",
                seat,
                BidView(self.tables, state, seat, turn, rows),
                options.take(asked, axis=1, mode="clip"),
                {"card": slice(None)},
                rows=rows,
                noise=hidden("bid", seat, state.noise_key[rows], state.rounds[rows], side.types),
            )
        return bid

    def _reveal(self, state: UndauntedState, lanes: Rows, us: U8, de: U8) -> None:
        """U6: the higher initiative takes the marker, a tie leaves it; both cards are discarded."""
        values = []
        for seat, bid in enumerate((us, de)):
            side, rows = self.tables.sides[seat], state.side[seat]
            values.append(side.initiative[bid])
            has = (bid < side.types).nonzero()[0]
            place = bid[has] * np.intp(state.over.size) + lanes[has]
            rows[side.hand].reshape(-1)[place] -= _ONE
            rows[side.discard].reshape(-1)[place] += _ONE
        before = state.holder[lanes]
        holder = before * (values[0] <= values[1]) | (values[0] < values[1])
        state.holder[lanes] = holder
        state.changes[lanes] += holder != before
        counting.bids(state, (us, de), lanes)

    # -- a side's turn ------------------------------------------------------------------------------------
    def _turn_of(self, state: UndauntedState, turn: int, seat: int, on_turn: U8) -> Any:
        """U7: plays, one at a time, while many lanes go on. Returns 0/1 [game]: its turn has ended.

        A lane's turn ends when it stops, has nothing left to play, or its game is over.
        """
        field = Field(self.tables, state, seat, on_turn.copy())
        own, slot, noise = field.own, 0, None
        few = max(int(LEAVE_BELOW * np.count_nonzero(on_turn)), 1)
        while True:
            count = np.count_nonzero(field.acting)
            if slot and count < few:
                break
            if count < KEEP_BELOW * field.lanes:
                which = field.acting.nonzero()[0]
                field.keep(which)
                if noise is not None:
                    noise.keep(which)
            legal = legal_plays(field)
            field.acting &= np.maximum.reduce(legal[: own.stop], axis=0)
            if not field.acting.any():
                break
            if noise is None:
                noise = hidden("play", seat, field.noise_key, field.rounds, own.plays)
            code = yield Decision(
                "play",
                seat,
                PlayView(field, turn),
                legal,
                own.blocks,
                rows=field.rows,
                asked=field.acting,
                idle=own.stop,
                slot=slot,
                noise=noise,
            )
            yield from Plays(field, turn).carry_out(code)
            check_ends(field)
            slot += 1
        done = on_turn.copy()
        done[field.rows] -= field.acting
        field.save()
        return done

    def _end_turn(self, state: UndauntedState, seat: int, played: U8) -> None:
        """U7: hand and play area are discarded. After the second turn of a round: U31."""
        side, rows = self.tables.sides[seat], state.side[seat]
        done = played & (state.over ^ _ONE)
        for pile in (rows[side.hand], rows[side.played]):
            gone = pile * done
            rows[side.discard] += gone
            pile -= gone
        second = (state.stage == SECOND).view(np.uint8)
        state.stage += done * (second * np.uint8(256 + BEGINS - SECOND - 1) + _ONE)
        ended = played & (second | state.over)
        counting.round_end(self.tables, state, ended.nonzero()[0])
        late = (done & second & (state.rounds == self.rules.round_limit)).nonzero()[0]
        if late.size:
            one, two = state.score[:2, late]
            state.winner[late] = (one > two) + np.uint8(2) * (two > one)
            state.end[late] = counting.LIMIT
            state.over[late] = 1

    # -- results ------------------------------------------------------------------------------------------
    def outcome(self, state: UndauntedState, lanes: Rows) -> dict[str, Array]:
        """Measures of finished games: see `counting.outcome`."""
        return counting.outcome(self.tables, state, lanes)

    def tallies(self, state: UndauntedState, columns: dict[str, Array]) -> dict[str, Any]:
        """All tallies of the block: see `counting`."""
        return counting.tallies(self.tables, state, columns)


GAME = Undaunted
