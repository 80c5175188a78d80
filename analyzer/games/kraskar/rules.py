"""Kraskar: the turn as the rules tell it, for a whole block of games at once.

Rule ids (K6, ...) and rulings are those of rules.md beside this file. In every turn of the block the same
seat is to move in all games (see `Tables.drawn`); its main phase runs on a `Field`, chunk by chunk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision, Turn
from analyzer.games.kraskar import counting, damage
from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.legal import legal_actions
from analyzer.games.kraskar.model import KraskarRules
from analyzer.games.kraskar.noise import Drawn
from analyzer.games.kraskar.play import carry_out
from analyzer.games.kraskar.policies import KraskarPolicy
from analyzer.games.kraskar.state import U8, KraskarState, stamp, start
from analyzer.games.kraskar.tables import BOOST, RALLY, STRIDE, WEAKEN, Tables
from analyzer.games.kraskar.view import ActView, DeployView
from analyzer.sim.chance import Luck

Rows = NDArray[np.intp]
CHUNK = 1 << 16  # lanes whose main phase runs together
KEEP_BELOW = 0.5  # share of acting lanes below which the others are put back


class Kraskar:
    """Two decks on a grid, each trying to bring the other's castle down (クラスカール戦乱記).

    The game under `rules`; always two players. Raises UserError for another number.
    """

    name = "kraskar"
    policy_base = KraskarPolicy
    labels = {"end": counting.ENDS}  # noqa: RUF012  the game's data, never changed

    def __init__(self, rules: KraskarRules, players: int) -> None:
        rules.check_players(players)
        self.rules, self.players = rules, players
        self.tables = Tables(rules)
        self.max_turns = self.tables.max_turns

    def start(self, luck: Luck) -> KraskarState:
        state = start(self.tables, luck)
        state.counted = counting.empty(self.tables)
        return state

    def seat_of(self, turn: int) -> int:
        """The seat to move in turn `turn` of the block (0-based)."""
        return (turn + self.tables.opens) % 2

    def turn(self, state: KraskarState, turn: int, luck: Luck) -> Turn:
        """K6 to K10: draw, recovery, main phase; then the other side."""
        seat = self.seat_of(turn)
        playing = (state.over == 0).view(np.uint8)
        if turn == 0 and self.tables.drawn:
            playing &= state.first ^ np.uint8(1)
        state.length += playing
        self._conditions_end(state, seat)
        self._draw(state, playing)
        yield from self._recovery(state, seat, turn, playing, luck)
        yield from self._main(state, seat, turn, playing, luck)
        self._end_turn(state, playing)

    # -- the head of a turn -----------------------------------------------------------------------
    def _conditions_end(self, state: KraskarState, seat: int) -> None:
        """K14, K20, rulings 4, 10, 11: what ends at the head of this turn; forces anew.

        A siege halves for this turn and the enemy's next one, so it ends with the own next turn. Exhaustion
        was inflicted in the own last turn, and is over now. Rounds count down in turns of the caster.
        """
        foe = 1 - seat
        state.exhausted[foe] = 0
        state.besieging[seat] = 0
        for owner, kind in ((seat, BOOST), (seat, RALLY), (foe, WEAKEN)):
            rounds, amount = state.rounds[owner, kind], state.amount[owner, kind]
            rounds -= (rounds > 0).view(np.uint8)
            amount *= rounds > 0
        for owner, side in enumerate(self.tables.sides):
            units = slice(0, side.size)
            boost, rally, weaken = state.amount[owner, :, units]
            force = side.force + boost + rally - weaken
            state.force[owner, units] = damage.current_force(force, state.besieging[owner, units])

    def _draw(self, state: KraskarState, playing: U8) -> None:
        """K6, K7: both sides take a chip, unless at the cap."""
        for seat, side in enumerate(self.tables.sides):
            chips, wasted = state.chips[seat], state.wasted[seat]
            room = (chips < side.cap).view(np.uint8)
            chips += room & playing
            wasted += (room ^ np.uint8(1)) & playing

    def _recovery(self, state: KraskarState, seat: int, turn: int, playing: U8, luck: Luck) -> Any:
        """K8, ruling 3: gauges and returns, unit by unit in deck order."""
        side = self.tables.sides[seat]
        for unit in range(side.size):
            retreated = (state.square[seat, unit] == side.away).view(np.uint8) & playing
            gauge = state.gauge[seat, unit]
            gauge += retreated
            rows = (gauge == self.rules.return_gauge).nonzero()[0]
            if rows.size:
                gauge[rows] = 0
                yield from self._deploy(state, seat, turn, unit, rows, luck)

    def _deploy(self, state: KraskarState, seat: int, turn: int, unit: int, rows: Rows, luck: Luck) -> Any:
        """K8: back to any square of the own nearest row, with full hit points."""
        side = self.tables.sides[seat]
        view = DeployView(self.tables, state, seat, turn, rows, unit)
        legal = np.ones((self.rules.columns, rows.size), np.uint8)
        blocks: dict[str, slice | int] = {"column": slice(None)}
        noise = Drawn(luck, "deploy", turn, unit, len(legal)).of(state.rows[rows])
        column = yield Decision("deploy", seat, view, legal, blocks, rows=rows, slot=unit, noise=noise)
        state.square[seat, unit, rows] = column + np.uint8(side.home_row * STRIDE)
        state.hit_points[seat, unit, rows] = self.rules.hit_points

    # -- K10: the main phase ----------------------------------------------------------------------
    def _main(self, state: KraskarState, seat: int, turn: int, playing: U8, luck: Luck) -> Any:
        """The main phase of every game that plays this turn, some of them at a time."""
        rows = playing.nonzero()[0]
        drawn = Drawn(luck, "act", turn, 0, self.tables.sides[seat].actions)
        for low in range(0, rows.size, CHUNK):
            yield from self._main_of(state, seat, turn, rows[low : low + CHUNK], drawn)

    def _main_of(self, state: KraskarState, seat: int, turn: int, rows: Rows, drawn: Drawn) -> Any:
        """Ask for actions and carry them out until all of these games have passed."""
        field = Field(self.tables, state, seat, rows)
        noise = drawn.of(state.rows[rows])
        own, slot = field.own, 0
        while True:
            count = np.count_nonzero(field.acting.view(bool))
            if count < KEEP_BELOW * field.lanes:
                which = field.acting.nonzero()[0]
                field.keep(which)
                noise.keep(which)
            if not count:
                break
            legal = legal_actions(field)
            # Ruling 2: with only pass left a side passes without being asked.
            acting = field.acting
            acting &= np.maximum.reduce(legal[: own.pass_], axis=0)
            count = np.count_nonzero(acting.view(bool))
            view = ActView(self.tables, field, turn)
            asked = None if count == field.lanes else acting
            code = yield Decision(
                "act",
                seat,
                view,
                legal,
                own.blocks,
                rows=field.rows,
                asked=asked,
                idle=own.pass_,
                slot=slot,
                noise=noise,
            )
            carry_out(field, code)
            slot += 1
        field.save()

    def _end_turn(self, state: KraskarState, playing: U8) -> None:
        """K23: a castle at 0 ends the game at once, and the last turn ends it for the longer castle life."""
        _clear_retreated(state)
        stamp(state, playing)
        one, two = state.castle
        fallen = (one == 0) | (two == 0)
        ends = (fallen | (state.length == self.rules.turn_limit)).view(np.uint8) & playing
        state.winner += ends * ((one > two) + np.uint8(2) * (two > one))
        state.over |= ends

    # -- results ----------------------------------------------------------------------------------
    def outcome(self, state: KraskarState, lanes: Rows) -> dict[str, Array]:
        """Measures of finished games: see `counting.outcome`."""
        return counting.outcome(self.tables, state, lanes)

    def tallies(self, state: KraskarState, columns: dict[str, Array]) -> dict[str, Any]:
        """All tallies of the block: see `counting`."""
        return counting.tallies(self.tables, state, columns)


def _clear_retreated(state: KraskarState) -> None:
    """Ruling 8: a retreat clears a unit's own conditions."""
    on_field = (state.square < STRIDE * STRIDE).view(np.uint8)
    for values in (state.exhausted, state.besieging):
        values *= on_field
    state.amount *= on_field[:, None].view(np.int8)
    state.rounds *= on_field[:, None]


GAME = Kraskar
