"""Plays a block with the fast policies, then asks their plain twins about every decision of every game.

Compared with `==` are the scores of all legal answers and, with the noise, which of them was taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy, Score
from analyzer.games.undaunted.policies import POLICIES
from analyzer.games.undaunted.rules import Undaunted
from analyzer.games.undaunted.state import UndauntedState, start
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import play
from tests.oracle.compare_undaunted import Question, Recorder, Replayer, numbers, words
from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_noise import MOST, Noise
from tests.oracle.undaunted_solo import WEIGHTS, Solo, Weights
from tests.oracle.undaunted_table import Luck

ZERO = 128  # the score 0 of the fast one


class Watched:
    """A policy that shows the scores it gave (without noise), and may leave the answer to a `player`."""

    def __init__(self, judge: Policy, player: Policy | None = None) -> None:
        self.judge, self.player = judge, player
        self.score_dtype, self.steady = np.uint8, False
        self.noise = (player or judge).noise
        self.seen: Any = None  # uint8[action, place]: of the last question

    def __getattr__(self, kind: str) -> Any:
        def ask(view: Any, score: Score) -> None:
            assert getattr(self.judge, kind)(view, score) is None
            self.seen = score.values.copy()
            if self.player is not None:
                score.values.fill(ZERO)
                object.__setattr__(score, "alike", False)
                assert getattr(self.player, kind)(view, score) is None

        return ask


@dataclass
class ScoreRecorder(Recorder):
    """Keeps the scores beside the questions."""

    policies: Sequence[Watched] = ()
    scores: dict[int, list[Any]] = field(default_factory=dict)

    def decision(self, state: UndauntedState, turn: int, decision: Decision, answer: Any) -> None:
        super().decision(state, turn, decision, answer)
        assert decision.rows is not None
        seen = self.policies[decision.seat].seen
        assert seen.shape == decision.legal.shape
        asked = slice(None) if decision.asked is None else np.flatnonzero(decision.asked)
        rows = state.rows[decision.rows[asked]].tolist()
        for row, column in zip(rows, seen[:, asked].T, strict=True):
            self.scores.setdefault(row, []).append(column)


class Checker(Replayer):
    """The oracle's chooser: replays the engine's answers and has the plain twins judge them."""

    def __init__(self, recorder: ScoreRecorder, row: int, twins: Sequence[Solo], free: bool) -> None:
        super().__init__(recorder.tables, recorder, row)
        self.twins, self.free = twins, free
        self.waiting = list(zip(recorder.questions[row], recorder.scores[row], strict=True))[::-1]
        self.counts: Counter[str] = Counter()

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answer = super().__call__(kind, seat, legal, oracle)
        (question, k), scores = self.waiting.pop()
        twin = self.twins[seat]
        rated = twin.scores(kind, seat, legal, oracle)
        plain, fast = dict(zip(legal, rated, strict=True)), self._fast(question, k, scores, seat)
        assert fast == plain, (kind, seat, {a: (fast[a], plain[a]) for a in plain if fast[a] != plain[a]})
        assert all(MOST < ZERO + score < 256 - MOST for score in rated), "no room for noise"
        if not self.free:
            best = twin.best_of(rated, kind, seat, legal, oracle)
            assert answer in best, (kind, seat, answer, best)
        name = oracle.acting[2] if kind == "step" and oracle.acting else kind
        self.counts[name] += 1
        return answer

    def _fast(self, question: Question, k: int, scores: Any, seat: int) -> dict[Any, int]:
        """The fast scores of the legal answers in the oracle's words."""
        side, foe = self.tables.sides[seat], self.tables.sides[1 - seat]
        codes = np.flatnonzero(question.legal[:, k]).tolist()
        return {words(side, foe, question, k, code): int(scores[code]) - ZERO for code in codes}


def compare_policies(
    policies: Sequence[Policy],
    names: Sequence[str | Weights],
    games: int,
    seed: int,
    config_name: str = "undaunted",
    overrides: Sequence[str] = (),
    file: Path | None = None,
    player: str | None = None,
) -> Counter[str]:
    """Compare every decision of `games` games with the twins (by name or weights); how many of each kind.

    player: the policy that plays instead in both seats; those that are compared only judge its positions.
    """
    config = load_config(None if file else config_name, file, overrides)
    game = Undaunted(config.rules, 2)
    watched = [Watched(policy, POLICIES[player]() if player else None) for policy in policies]
    recorder = ScoreRecorder(game.tables, policies=watched)

    def luck() -> BlockLuck:
        return BlockLuck("undaunted", seed, 0, games, np.arange(games))

    play(game, watched, luck(), np.arange(games), recorder)  # type: ignore[arg-type]
    fresh = start(game.tables, luck())
    rules, counts = config.as_dict(), Counter[str]()
    for row in range(games):
        draws = [numbers(int(fresh.draw_key[seat][row])) for seat in (0, 1)]
        dice = numbers(int(fresh.dice_key[row]), config.rules.die_faces)
        key = int(fresh.noise_key[row])
        noises = [Noise(key, policy.noise) if policy.noise else None for policy in policies]
        weights = [WEIGHTS[name] if isinstance(name, str) else name for name in names]
        twins = [Solo(*pair) for pair in zip(weights, noises, strict=True)]
        checker = Checker(recorder, row, twins, player is not None)
        Oracle(rules, 2, Luck(int(fresh.first[row]), draws, dice), checker, checked=False).play()
        assert not checker.waiting, "the engine asked more than the oracle"
        counts += checker.counts
    return counts
