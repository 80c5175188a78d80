"""The dice race for a whole block of games at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Decision, State, Turn
from analyzer.sim.tally import Tally
from tests.toy.model import LOADS, DiceRules
from tests.toy.policies import DicePolicy

ACTIONS = ("safe", "bold")
BLOCKS = {"safe": 0, "bold": 1}


@dataclass(eq=False)
class DiceState(State):
    steps: NDArray[np.uint8]  # [seat, game]
    winner: NDArray[np.uint8]  # [game], 1-based, 0 nobody
    turns: NDArray[np.uint8]  # [game]


@dataclass(eq=False)
class DiceView:
    """What a seat sees: `mine` uint8[game], `best` (the best of the others) uint8[game], `goal`."""

    mine: NDArray[np.uint8]
    best: NDArray[np.uint8]
    goal: int

    def bind(self, asker: Any, decision: Decision) -> None:
        """Nothing here needs the engine."""


class DiceRace:
    """The race under `rules` for `players` seats."""

    name = "dice_race"
    policy_base = DicePolicy
    view = DiceView
    labels: ClassVar[dict[str, tuple[str, ...]]] = {"end": ("finish", "time ran out")}

    def __init__(self, rules: DiceRules, players: int) -> None:
        rules.check_players(players)
        self.rules, self.players = rules, players
        self.max_turns = rules.rounds * players
        loads = [rules.load_1, rules.load_2] + ["nothing"] * players
        self.slow = [LOADS[load] for load in loads[:players]]  # by seat
        self._chosen = np.zeros((players, 2), np.int64)

    def start(self, luck: Any) -> DiceState:
        n = len(luck.rows)
        bits = luck.deal_bits(luck.stream(1), 1)[:, 0]
        steps = np.zeros((self.players, n), np.uint8)
        steps[0] = bits & 1  # the deal: seat 1 has a head start of one step in half of the games
        self._chosen = np.zeros((self.players, 2), np.int64)
        zeros = np.zeros(n, np.uint8)
        return DiceState(luck.rows.copy(), zeros.copy(), steps, zeros.copy(), zeros.copy())

    def turn(self, state: DiceState, turn: int, luck: Any) -> Turn:
        seat = turn % self.players
        dice = np.stack([luck.dice(6, turn, slot, state.rows) for slot in range(2)])
        alive = state.over ^ 1
        others = np.delete(state.steps, seat, axis=0).max(axis=0)
        view = DiceView(state.steps[seat].copy(), others, self.rules.goal)
        legal = np.ones((2, len(state.rows)), np.uint8)
        code = yield Decision("act", seat, view, legal, BLOCKS, asked=alive)
        bold = (code == 1).view(np.uint8)
        lucky = (dice.min(axis=0) > 1).view(np.uint8)
        gain = np.where(bold, dice.sum(axis=0, dtype=np.uint8) * lucky, dice[0]) * alive
        self._chosen[seat] += [int((alive & (bold ^ 1)).sum()), int((alive & bold).sum())]
        state.steps[seat] += np.where(gain > self.slow[seat], gain - self.slow[seat], 0).astype(np.uint8)
        won = (alive & (state.steps[seat] >= self.rules.goal)).view(np.uint8)
        state.winner[won == 1] = seat + 1
        state.turns += alive
        state.over |= won | np.uint8(turn + 1 == self.max_turns)

    def outcome(self, state: DiceState, lanes: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        winner, turns = state.winner[lanes], state.turns[lanes]
        return {
            "winner": winner,
            "end": (winner == 0).astype(np.uint8),
            "turns": turns,
            "rounds": (turns + np.uint8(self.players - 1)) // np.uint8(self.players),
            "steps": state.steps[:, lanes],
        }

    def tallies(self, state: DiceState, columns: dict[str, NDArray[Any]]) -> dict[str, Tally]:
        seats = range(1, self.players + 1)
        wins = np.bincount(columns["winner"], minlength=self.players + 1)[1:, None].astype(np.int64)
        turns = np.bincount(columns["turns"], minlength=self.max_turns + 1).astype(np.int64)
        return {
            "shares": Tally({"seat": seats, "winners": (1,)}, wins),
            "turns": Tally({"turns": range(self.max_turns + 1)}, turns),
            "actions": Tally({"seat": seats, "action": ACTIONS}, self._chosen.copy()),
        }


GAME = DiceRace
