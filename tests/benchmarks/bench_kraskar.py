"""How fast is the engine? Kraskar, both seats `balanced` or `random`, beside the plain oracle.

python -m tests.benchmarks.bench_kraskar [--games N] [--repeats N] [--block N] [--seed N]

For each policy: the engine, and the plain Python rules of some of the very same games (their decisions are
read off a list, so that only the rules run), in turn; then the engine's time by stage.
"""

from __future__ import annotations

import argparse
import platform
from functools import partial
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.kraskar import counting, play, rules
from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.policies import POLICIES
from analyzer.games.kraskar.rules import Kraskar
from analyzer.games.kraskar.state import KraskarState, draw
from analyzer.sim import engine as lockstep
from analyzer.sim import noise
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Asker, Played
from analyzer.sim.request import DEFAULT_BLOCK
from tests.benchmarks.measure import Runner, compare_speeds, cpu_name, peak_memory
from tests.benchmarks.stages import profile
from tests.oracle.compare_kraskar import Recorder, Replayer
from tests.oracle.kraskar import Oracle
from tests.oracle.kraskar_table import Luck

ORACLE_GAMES = 100

STAGES = {
    "start": [(Kraskar, "start")],
    "head of the turn": [(Kraskar, "_conditions_end"), (Kraskar, "_draw")],
    "recovery": [(Kraskar, "_recovery")],
    "copies of the lanes": [(Field, "__init__"), (Field, "keep"), (Field, "save")],
    "legal": [(rules, "legal_actions")],
    "noise": [(noise.Noise, "__call__")],
    "choose": [(Asker, "ask")],
    "best": [(lockstep, "_find_best")],
    "moves": [(rules, "carry_out"), (play, "_moves")],
    "sieges": [(play, "_siege")],
    "attacks": [(play, "_attacks"), (play, "_charge"), (play, "_wound")],
    "stratagems": [(play, "_stratagems")],
    "end of turn": [(Kraskar, "_end_turn")],
    "compaction": [(KraskarState, "take")],
    "tallies in play": [(counting, name) for name in ("actions", "sieges", "retreats")],
    "tallies at the end": [(Kraskar, "outcome"), (Kraskar, "tallies")],
}


class Engine:
    """The engine as a run uses it: blocks of games, their tallies added up."""

    def __init__(self, policy: str, block: int) -> None:
        config = load_config("kraskar")
        self.rules, self.block, self.policy = config.as_dict(), block, POLICIES[policy]
        self.game, self.policies = Kraskar(config.rules, 2), [POLICIES[policy]()] * 2

    def luck(self, seed: int, number: int, games: int) -> BlockLuck:
        return BlockLuck("kraskar", seed, number, games, np.arange(games))

    def play(self, seed: int, number: int, games: int, recorder: Any = None) -> Played:
        luck = self.luck(seed, number, games)
        return lockstep.play(self.game, self.policies, luck, np.arange(games) + number * games, recorder)

    def run(self, games: int, seed: int) -> int:
        """Whole blocks; the number of decisions."""
        decisions, tallies = 0, None
        for number in range(games // self.block):
            played = self.play(seed, number, self.block)
            decisions += played.decisions
            new = played.tallies
            tallies = new if tallies is None else {name: tallies[name] + new[name] for name in new}
        return decisions


class PlainOracle:
    """The plain Python rules of a few of the engine's games."""

    def __init__(self, engine: Engine, seed: int, games: int = ORACLE_GAMES) -> None:
        recorder, game = Recorder(), engine.game
        engine.play(seed, 0, games, recorder)
        first, columns = draw(game.tables, engine.luck(seed, 0, games))
        self.rules = engine.rules
        self.games: list[tuple[Luck, list[Any]]] = []
        for row in range(games):
            given = [columns[seat, : side.size, row].tolist() for seat, side in enumerate(game.tables.sides)]
            chance, answers = Luck(int(first[row]), given), []
            replayer = Replayer(game, recorder, row, chance.first)

            def note(*question: Any, to: list[Any] = answers, ask: Replayer = replayer) -> Any:
                to.append(ask(*question))
                return to[-1]

            Oracle(self.rules, 2, chance, note, checked=False).play()
            self.games.append((chance, answers))

    def run(self, games: int, seed: int) -> None:
        """Always the same recorded games."""
        for chance, answers in self.games:
            answer = iter(answers)
            Oracle(self.rules, 2, chance, lambda *_, it=answer: next(it), checked=False).play()


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of Kraskar's engine beside the plain oracle.")
    parser.add_argument(
        "--games", type=int, default=DEFAULT_BLOCK, help="a measurement, rounded up to whole blocks"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--block", type=int, default=DEFAULT_BLOCK)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = -(-args.games // args.block) * args.block
    print(f"{cpu_name()}; Python {platform.python_version()}, numpy {np.__version__}")
    for policy in ("balanced", "random"):
        engine = Engine(policy, args.block)
        print(f"\nkraskar, {policy} in both seats, blocks of {args.block}")
        oracle = PlainOracle(engine, args.seed)
        runners = [
            Runner("engine", engine.run, games),
            Runner("plain Python oracle, no decisions", oracle.run, ORACLE_GAMES),
        ]
        compare_speeds(runners, args.repeats, args.seed)
        print(f"peak memory {peak_memory():.0f} MiB\n\nThe engine's time by stage")
        scores = {"view and scores": [(engine.policy, "act"), (engine.policy, "deploy")]}
        for name, share in profile({**STAGES, **scores}, partial(engine.run, games, args.seed)).items():
            print(f"{name:20}{share:7.1%}")


if __name__ == "__main__":
    main()
