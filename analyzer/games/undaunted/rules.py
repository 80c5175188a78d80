"""Undaunted: Normandy: rounds and turns as the rules tell them, for a whole block of games at once.

Rule ids (U5, ...) and rulings are those of rules.md beside this file. The engine's turns are passes: in pass
p the games of the block in which seat p % 2 is on turn play that side's whole turn. Games drift apart by
rounds, so that none waits for the longest round of the others; what a game does depends on itself alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.games.base import Array, Decision, Turn
from analyzer.games.undaunted import cards, counting
from analyzer.games.undaunted.ends import check_ends
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.legal import legal_plays
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.play import NoiseOf, Plays
from analyzer.games.undaunted.policies import UndauntedPolicy
from analyzer.games.undaunted.state import BEGINS, FIRST, SECOND, U8, Rows, UndauntedState, start
from analyzer.games.undaunted.tables import Tables
from analyzer.games.undaunted.view import BidView, PlayView
from analyzer.sim.chance import Luck
from analyzer.sim.noise import Drawn

KEEP_BELOW = 0.6  # share of acting lanes below which the others are put back
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

    def start(self, luck: Luck) -> UndauntedState:
        state = start(self.tables, luck)
        state.counted = counting.empty(self.tables)
        return state

    def turn(self, state: UndauntedState, turn: int, luck: Luck) -> Turn:
        """One pass: new rounds where one is due, then the turn of seat `turn % 2` where it is on."""
        noise = _noise_of(luck, turn)
        begins = ((state.stage == BEGINS) & (state.over == 0)).view(np.uint8)
        if begins.any():
            yield from self._round(state, turn, begins, noise)
        seat = turn % 2
        on_turn = ((state.holder ^ np.uint8(seat)) == (state.stage == SECOND)).view(np.uint8)
        on_turn &= state.over ^ _ONE
        if on_turn.any():
            yield from self._turn_of(state, turn, seat, on_turn, noise)
            self._end_turn(state, seat, on_turn)

    # -- the head of a round ----------------------------------------------------------------------------
    def _round(self, state: UndauntedState, turn: int, begins: U8, noise: NoiseOf) -> Any:
        """U5, U6: both sides draw, bid and reveal."""
        state.rounds += begins
        state.stage += begins * np.uint8(FIRST - BEGINS)
        for seat, side in enumerate(self.tables.sides):
            for _ in range(self.rules.hand_size):
                cards.draw(side, state.side[seat], state.drawn[seat], state.draw_key[seat], begins)
        lanes = begins.nonzero()[0]
        bids = []
        for seat in (0, 1):
            bids.append((yield from self._bid(state, turn, seat, lanes, noise)))
        self._reveal(state, lanes, bids[0], bids[1])

    def _bid(self, state: UndauntedState, turn: int, seat: int, lanes: Rows, noise: NoiseOf) -> Any:
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
                noise=noise("bid", seat, side.types).of(state.rows[rows]),
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
    def _turn_of(self, state: UndauntedState, turn: int, seat: int, on_turn: U8, noise: NoiseOf) -> Any:
        """U7: plays, one at a time, until every lane has stopped, has nothing left to play, or is over."""
        field = Field(self.tables, state, seat, on_turn.copy())
        own, drawn = field.own, noise("play", seat, field.own.plays)
        slot, hidden = 0, None
        while True:
            count = np.count_nonzero(field.acting)
            if not count:
                break
            if count < KEEP_BELOW * field.lanes:
                which = field.acting.nonzero()[0]
                field.keep(which)
                hidden = drawn.of(state.rows[field.rows])
            legal = legal_plays(field)
            field.acting &= np.maximum.reduce(legal[: own.stop], axis=0)
            if not field.acting.any():
                break
            hidden = hidden or drawn.of(state.rows[field.rows])
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
                noise=hidden,
            )
            yield from Plays(field, turn, noise).carry_out(code)
            check_ends(field)
            slot += 1
        field.save()

    def _end_turn(self, state: UndauntedState, seat: int, on_turn: U8) -> None:
        """U7: hand and play area are discarded. After the second turn of a round: U31."""
        side, rows = self.tables.sides[seat], state.side[seat]
        done = on_turn & (state.over ^ _ONE)
        for pile in (rows[side.hand], rows[side.played]):
            gone = pile * done
            rows[side.discard] += gone
            pile -= gone
        second = (state.stage == SECOND).view(np.uint8)
        state.stage += done * (second * np.uint8(256 + BEGINS - SECOND - 1) + _ONE)
        ended = on_turn & (second | state.over)
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


def _noise_of(luck: Luck, turn: int) -> NoiseOf:
    """The noise of one pass by kind of decision and seat, drawn for the whole block when first wanted."""
    drawn: dict[tuple[str, int], Drawn] = {}

    def of(kind: str, seat: int, actions: int) -> Drawn:
        key = (kind, seat)
        if key not in drawn:
            drawn[key] = Drawn(luck, kind, turn, seat, actions)
        return drawn[key]

    return of


GAME = Undaunted
