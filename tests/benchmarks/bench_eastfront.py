"""How fast is the engine? Eastfront, four players, all `balanced`, beside the same game compiled with numba.

python -m tests.benchmarks.bench_eastfront [--games N] [--repeats N] [--block N] [--seed N]

First the check that engine and yardstick play the same games and count the same; then both and the plain
oracle in turn; then the engine's time by stage.
"""

from __future__ import annotations

import argparse
import platform
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.eastfront import counting
from analyzer.games.eastfront.attack import Attack
from analyzer.games.eastfront.hinder import Hindering
from analyzer.games.eastfront.model import BLOCK
from analyzer.games.eastfront.policies import Balanced
from analyzer.games.eastfront.rules import Eastfront
from analyzer.games.eastfront.state import EastfrontState, shuffle
from analyzer.sim.chance import TIES
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Asker, Played, play
from tests.benchmarks.measure import Runner, compare_speeds, cpu_name, peak_memory
from tests.benchmarks.stages import profile
from tests.oracle.compare_eastfront import Recorder, Replayer, all_luck
from tests.oracle.eastfront import Luck, Oracle

PLAYERS = 4
CHECKED_GAMES = 2500
ORACLE_GAMES = 60

STAGES = {
    "deal": [(Eastfront, "start")],
    "opening": [(Eastfront, "_deploy")],
    "draw": [(Eastfront, "_draw")],
    "legal": [(Eastfront, "legal")],
    "view and scores": [
        (Balanced, name)
        for name in (
            *("deploy", "act", "target", "name", "cover", "attack", "support", "pillbox", "shoot"),
            *("go_on", "discard"),
        )
    ],
    "choose": [(Asker, "ask")],
    "reinforce": [(Eastfront, "_reinforce")],
    "hinder": [(Hindering, "run")],
    "reveal": [(Attack, "_reveal")],
    "support": [(Attack, "_support")],
    "pillbox": [(Attack, "_pillbox")],
    "fire": [(Attack, "_exchange"), (Attack, "_soviet_fire")],
    "go on": [(Attack, "_go_on")],
    "discard": [(Eastfront, "_discard")],
    "end of turn": [(Eastfront, "_end_turn")],
    "compaction": [(EastfrontState, "take")],
    "tallies in play": [
        (counting, name)
        for name in ("turn_begins", "actions", "attacks", "hindered", "reaction", "exchanges")
    ],
    "tallies at the end": [(Eastfront, "outcome"), (Eastfront, "tallies")],
}


class Engine:
    """The engine as a run uses it: blocks of games, their tallies added up."""

    def __init__(self, block: int) -> None:
        config = load_config("eastfront")
        self.rules, self.block = config.as_dict(), block
        self.game, self.policies = Eastfront(config.rules, PLAYERS), [Balanced()] * PLAYERS

    def luck(self, seed: int, number: int, games: int) -> BlockLuck:
        return BlockLuck("eastfront", seed, number, games, np.arange(games))

    def play(self, seed: int, number: int, games: int, recorder: Any = None) -> Played:
        luck = self.luck(seed, number, games)
        return play(self.game, self.policies, luck, np.arange(games) + number * games, recorder)

    def run(self, games: int, seed: int) -> int:
        """Whole blocks; the number of decisions."""
        decisions, tallies = 0, None
        for number in range(games // self.block):
            played = self.play(seed, number, self.block)
            decisions += played.decisions
            new = played.tallies
            tallies = new if tallies is None else {name: tallies[name] + new[name] for name in new}
        return decisions


class Yardstick:
    """The same game and policy one game at a time, compiled with numba."""

    def __init__(self, engine: Engine, counting: bool) -> None:
        from tests.benchmarks import eastfront_numba as m  # not before the engine's memory is measured

        self.m, self.tables = m, engine.game.tables
        self.compiled, self.table = m.make_engine(counting), m.make_table()
        self.rules = m.make_rules(self.tables, engine.policies[0])

    def run(self, games: int, seed: int) -> None:
        """Games with luck of its own."""
        packs = (self.tables.deck, self.tables.soviet_deck, self.tables.friend_deck)
        results = self.m.make_results(games, PLAYERS)
        self.compiled.seeded(self.rules, self.table, self.m.make_counts(), results, *packs, seed, games)

    def replay(self, luck: BlockLuck, shapes: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Results and tallies of the games with this luck."""
        order, turns = shuffle(self.tables, luck), range(self.tables.max_turns)
        bits = np.stack([luck.pick(2**32, turn, 0, luck.rows) for turn in turns], axis=1).astype(np.uint32)
        packs = [np.ascontiguousarray(pack.T) for pack in (order.deck, order.soviet, order.friend)]
        results, counts = self.m.make_results(luck.size, PLAYERS), self.m.make_counts()
        self.compiled.given(self.rules, self.table, counts, results, *packs, bits, luck.keys(TIES))
        return results, self.m.tallies(self.rules, counts, shapes)


def check_same(engine: Engine, yardstick: Yardstick, seed: int, games: int = CHECKED_GAMES) -> None:
    """Assert that both play the same games, and count the same, given the same luck."""
    played = engine.play(seed, 0, games)
    shapes = {name: tally.counts.shape for name, tally in played.tallies.items()}
    results, tallies = yardstick.replay(engine.luck(seed, 0, games), shapes)
    for name in results._fields:
        assert (played.columns[name] == getattr(results, name).T).all(), name
    for name, tally in played.tallies.items():
        assert np.array_equal(tally.counts, tallies[name]), f"tally {name}"
    print(f"Same games: {games}, and {len(tallies)} tallies, ==")


class PlainOracle:
    """The plain Python rules of a few games; the answers are read off a list, so that only the rules run."""

    def __init__(self, engine: Engine, seed: int, games: int = ORACLE_GAMES) -> None:
        recorder, luck = Recorder(engine.game), engine.luck(seed, 0, games)
        engine.play(seed, 0, games, recorder)
        self.rules = engine.rules
        self.games: list[tuple[Luck, list[Any]]] = []
        for row, chance in enumerate(all_luck(engine.game, luck)):
            answers: list[Any] = []
            replayer = Replayer(engine.game, recorder, row)

            def note(*question: Any, to: list[Any] = answers, ask: Replayer = replayer) -> Any:
                to.append(ask(*question))
                return to[-1]

            Oracle(self.rules, PLAYERS, chance, note, checked=False).play()
            self.games.append((chance, answers))

    def run(self, games: int, seed: int) -> None:
        """Always the same recorded games."""
        for chance, answers in self.games:
            answer = iter(answers)
            Oracle(self.rules, PLAYERS, chance, lambda *_, it=answer: next(it), checked=False).play()


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of Eastfront's engine beside a compiled program.")
    parser.add_argument("--games", type=int, default=BLOCK, help="rounded up to whole blocks")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--block", type=int, default=BLOCK)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = -(-args.games // args.block) * args.block

    engine = Engine(args.block)
    engine.run(args.block, args.seed)
    memory = peak_memory()
    counted, bare = (Yardstick(engine, counting) for counting in (True, False))
    from numba import __version__ as numba

    print(f"{cpu_name()}; Python {platform.python_version()}, numpy {np.__version__}, numba {numba}")
    print(
        f"eastfront, {PLAYERS} x balanced, blocks of {args.block}; the engine's peak memory {memory:.0f} MiB"
    )
    check_same(engine, counted, args.seed)
    for yardstick in (counted, bare):
        yardstick.run(100, args.seed)  # compiles
    oracle = PlainOracle(engine, args.seed)
    runners = [
        Runner("engine", engine.run, games),
        Runner("compiled yardstick, same tallies", counted.run, games),
        Runner("compiled yardstick, no tallies", bare.run, games),
        Runner("plain Python oracle, no decisions", oracle.run, ORACLE_GAMES),
    ]
    compare_speeds(runners, args.repeats, args.seed)
    print(f"peak memory with yardstick and compiler: {peak_memory():.0f} MiB")

    print("\nThe engine's time by stage")
    for name, share in profile(STAGES, lambda: engine.run(games, args.seed)).items():
        print(f"{name:20}{share:7.1%}")


if __name__ == "__main__":
    main()
