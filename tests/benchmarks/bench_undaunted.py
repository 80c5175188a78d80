"""How fast is the engine? Undaunted, one policy in both seats, beside the plain oracle.

python -m tests.benchmarks.bench_undaunted [--scenario NAME] [--policy NAME] [--games N] [--block N]

The engine; the plain Python rules of some of the very same games (their decisions are read off a list, so
that only the rules run); the plain rules with a plain player; and the plain rules with the same policy, which
decides as the fast one does. All in turn; then the stages of the engine.
"""

from __future__ import annotations

import argparse
import platform
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.undaunted import cards, counting, ends, fight, play, reach, rules
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.policies import POLICIES
from analyzer.games.undaunted.rules import Undaunted
from analyzer.games.undaunted.state import UndauntedState, start
from analyzer.sim import engine as lockstep
from analyzer.sim import noise
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Asker, Played
from analyzer.sim.request import DEFAULT_BLOCK
from tests.benchmarks.measure import Runner, compare_speeds, cpu_name, peak_memory
from tests.benchmarks.stages import profile
from tests.oracle.compare_undaunted import Recorder, Replayer, numbers
from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_choosers import play_plain
from tests.oracle.undaunted_solo import WEIGHTS, play_solo
from tests.oracle.undaunted_table import Luck

ORACLE_GAMES = 24
TWIN_GAMES = 100  # their lengths differ; so many of them are as long as the engine's
MOST = 4000  # numbers of luck a game may use

STAGES = {
    "start": [(Undaunted, "start")],
    "draws": [(cards, "draw")],
    "bids": [(Undaunted, "_round"), (Undaunted, "_bid"), (Undaunted, "_reveal")],
    "copies of the lanes": [(Field, "__init__"), (Field, "keep"), (Field, "save")],
    "legal": [(rules, "legal_plays")],
    "noise": [(noise.Noise, "__call__")],
    "choose": [(Asker, "ask")],
    "best": [(lockstep, "_find_best")],
    "plays": [(play.Plays, "carry_out"), (play.Plays, "_lay_down"), (play.Plays, "_choose")],
    "walks": [(play.Plays, "_walks"), (play.Plays, "_enter")],
    "fights": [(play.Plays, "_fights"), (fight, "attack"), (fight, "blast")],
    "casualties": [(fight, "casualty")],
    "cards taken": [(play.Plays, "_bolsters"), (play.Plays, "_inspires"), (play, "_draw")],
    "ends": [(rules, "check_ends"), (ends, "_judge")],
    "end of turn": [(Undaunted, "_end_turn")],
    "compaction": [(UndauntedState, "take")],
    "total defences": [(reach, "total"), (reach, "spot")],
    "tallies in play": [(counting, name) for name in ("plays", "attacks", "bids", "round_end")],
    "tallies at the end": [(Undaunted, "outcome"), (Undaunted, "tallies")],
}


class Engine:
    """The engine as a run uses it: blocks of games, their tallies added up."""

    def __init__(self, scenario: str, policy: str, block: int) -> None:
        config = load_config(scenario)
        self.rules, self.block, self.policy = config.as_dict(), block, POLICIES[policy]
        self.game, self.policies = Undaunted(config.rules, 2), [POLICIES[policy]()] * 2

    def luck(self, seed: int, number: int, games: int) -> BlockLuck:
        return BlockLuck("undaunted", seed, number, games, np.arange(games))

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
        tables = engine.game.tables
        recorder = Recorder(tables)
        engine.play(seed, 0, games, recorder)
        fresh = start(tables, engine.luck(seed, 0, games))
        self.rules = engine.rules
        self.games: list[tuple[Luck, list[Any]]] = []
        for row in range(games):
            draws = [list(islice(numbers(int(fresh.draw_key[seat][row])), MOST)) for seat in (0, 1)]
            faces = self.rules["die_faces"]
            dice = list(islice(numbers(int(fresh.dice_key[row]), faces), MOST))
            chance, answers = (int(fresh.first[row]), draws, dice), []
            replayer = Replayer(tables, recorder, row)

            def note(*question: Any, to: list[Any] = answers, ask: Replayer = replayer) -> Any:
                to.append(ask(*question))
                return to[-1]

            Oracle(self.rules, 2, _luck(chance), note, checked=False).play()
            self.games.append((chance, answers))

    def run(self, games: int, seed: int) -> None:
        """Always the same recorded games."""
        for chance, answers in self.games:
            answer = iter(answers)
            Oracle(self.rules, 2, _luck(chance), lambda *_, it=answer: next(it), checked=False).play()

    def run_same(self, games: int, seed: int, policy: str) -> None:
        """Other games, with the same policy in both seats, in plain Python."""
        for game in range(games):
            play_solo(self.rules, 2, 1000 * seed + game, policy)

    def run_plain(self, games: int, seed: int) -> None:
        """Other games, with the plain player in both seats."""
        for game in range(games):
            play_plain(self.rules, 2, 1000 * seed + game)


def _luck(chance: Any) -> Luck:
    first, draws, dice = chance
    return Luck(first, [iter(draws[0]), iter(draws[1])], iter(dice))


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of Undaunted's engine beside the plain oracle.")
    parser.add_argument("--scenario", default="undaunted", help="name of a shipped config")
    parser.add_argument("--policy", default="solo" if "solo" in POLICIES else "greedy")
    parser.add_argument(
        "--games", type=int, default=DEFAULT_BLOCK, help="a measurement, rounded up to whole blocks"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--block", type=int, default=DEFAULT_BLOCK)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = -(-args.games // args.block) * args.block
    print(f"{cpu_name()}; Python {platform.python_version()}, numpy {np.__version__}")
    engine = Engine(args.scenario, args.policy, args.block)
    print(f"\n{args.scenario}, {args.policy} in both seats, blocks of {args.block}")
    oracle = PlainOracle(engine, args.seed)
    runners = [
        Runner("engine", engine.run, games),
        Runner("plain oracle, no decisions", oracle.run, ORACLE_GAMES),
        Runner("plain oracle, plain player", oracle.run_plain, ORACLE_GAMES),
    ]
    if args.policy in WEIGHTS:
        same = partial(oracle.run_same, policy=args.policy)
        runners.append(Runner("plain oracle, the same policy", same, TWIN_GAMES))
    compare_speeds(runners, args.repeats, args.seed)
    print(f"peak memory {peak_memory():.0f} MiB\n\nThe engine's time by stage")
    scores = {"view and scores": [(engine.policy, kind) for kind in ("play", "step", "attack", "bid")]}
    for name, share in profile({**STAGES, **scores}, partial(engine.run, games, args.seed)).items():
        print(f"{name:20}{share:7.1%}")


if __name__ == "__main__":
    main()
