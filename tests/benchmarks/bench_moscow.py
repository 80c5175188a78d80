"""How fast is the engine? Moscow, four players, all `balanced`, beside the same game compiled with numba.

python -m tests.benchmarks.bench_moscow [--games N] [--repeats N] [--block N] [--seed N]

First the check that engine and yardstick play the same games and count the same; then both and the plain
oracle in turn; then the engine's time by stage; then the start-up time of the command line.
"""

from __future__ import annotations

import argparse
import platform
from typing import Any

import numpy as np

from analyzer.config import load_config
from analyzer.games.moscow import counting
from analyzer.games.moscow.policies import Balanced
from analyzer.games.moscow.rules import Moscow
from analyzer.games.moscow.state import MoscowState, deal_bits, first_shuffle, second_keys
from analyzer.sim.chance import TIES
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import Asker, Played, play
from analyzer.sim.request import DEFAULT_BLOCK
from tests.benchmarks.measure import Runner, compare_speeds, cpu_name, peak_memory, start_up
from tests.benchmarks.stages import profile
from tests.oracle.compare_moscow import Recorder, Replayer, all_dice
from tests.oracle.moscow import Luck, Oracle

PLAYERS = 4
CHECKED_GAMES = 2500
ORACLE_GAMES = 100

STAGES = {
    "deal": [(Moscow, "start")],
    "draw": [(Moscow, "_draw")],
    "legal": [(Moscow, "legal")],
    "view and scores": [(Balanced, name) for name in ("act", "target", "commit", "exploit", "discard")],
    "choose": [(Asker, "ask")],
    "apply cards": [(Moscow, "_play_card")],
    "targets": [(Moscow, "_play_on"), (Moscow, "legal_targets")],
    "fights": [(Moscow, name) for name in ("_fight", "_reorganise", "_exploit")],
    "discard": [(Moscow, "_discard")],
    "end of turn": [(Moscow, "_end_turn")],
    "compaction": [(MoscowState, "take")],
    "tallies in play": [
        (counting, name)
        for name in ("turn_begins", "lost_to_supply", "actions", "targets", "fights", "turn_ends")
    ],
    "tallies at the end": [(Moscow, "outcome"), (Moscow, "tallies")],
}


class Engine:
    """The engine as a run uses it: blocks of games, their tallies added up."""

    def __init__(self, block: int) -> None:
        config = load_config("moscow")
        self.rules, self.block = config.as_dict(), block
        self.game, self.policies = Moscow(config.rules, PLAYERS), [Balanced()] * PLAYERS

    def luck(self, seed: int, number: int, games: int) -> BlockLuck:
        return BlockLuck("moscow", seed, number, games, np.arange(games))

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

    def __init__(self, rules: dict[str, Any], counting: bool) -> None:
        from tests.benchmarks import moscow_numba as m  # not before the engine's memory is measured
        from tests.benchmarks.moscow_numba_balanced import BALANCED

        self.m, self.engine = m, m.make_engine(BALANCED, counting=counting)
        self.rules, self.deck = m.make_rules(rules, PLAYERS), m.full_deck(rules)
        self.table = m.make_table()

    def run(self, games: int, seed: int) -> None:
        """Games with luck of its own."""
        results = self.m.make_results(games, PLAYERS)
        wrong = self.engine.seeded(
            self.rules, self.table, self.m.make_counts(), results, self.deck, seed, games
        )
        assert wrong == 0

    def replay(self, first: Any, second: Any, dice: Any, keys: Any) -> tuple[Any, dict[str, Any]]:
        """Results and tallies of the games with this luck."""
        results, counts = self.m.make_results(len(keys), PLAYERS), self.m.make_counts()
        wrong = self.engine.given(
            self.rules, self.table, counts, results, first, second, dice.astype(np.int8), keys, 0
        )
        assert wrong == 0
        return results, self.m.tallies(self.rules, counts)


def shuffles(engine: Engine, luck: BlockLuck) -> tuple[Any, Any]:
    """Cards by place uint8[game, card] and their keys int64[game, card]: a block's luck, game by game."""
    tables = engine.game.tables
    bits = deal_bits(tables, luck)
    order, keys = first_shuffle(tables, bits), second_keys(tables, bits)
    second = np.take_along_axis(keys, order.T.astype(np.intp), axis=1).astype(np.int64)
    return np.ascontiguousarray(tables.deck[order].T), second


def check_same(engine: Engine, yardstick: Yardstick, seed: int, games: int = CHECKED_GAMES) -> None:
    """Assert that both play the same games, and count the same, given the same luck."""
    played, luck = engine.play(seed, 0, games), engine.luck(seed, 0, games)
    dice = np.ascontiguousarray(all_dice(engine.game, luck).transpose(2, 0, 1))
    results, tallies = yardstick.replay(*shuffles(engine, luck), dice, luck.keys(TIES))
    c = played.columns
    for name, theirs in (("winner", results.winner + 1), ("month", results.month + 1)):
        assert (c[name] == theirs).all(), name
    for name in ("turns", "km", "held", "arrived", "blocked"):
        assert (c[name] == getattr(results, name).T).all(), name
    assert set(tallies) == set(played.tallies)
    for name, tally in played.tallies.items():
        assert np.array_equal(tally.counts, tallies[name]), f"tally {name}"
    print(f"Same games: {games}, and {len(tallies)} tallies, ==")


class PlainOracle:
    """The plain Python rules of a few games; the answers are read off a list, so that only the rules run."""

    def __init__(self, engine: Engine, seed: int, games: int = ORACLE_GAMES) -> None:
        recorder, luck = Recorder(engine.game), engine.luck(seed, 0, games)
        engine.play(seed, 0, games, recorder)
        first, second = shuffles(engine, luck)
        dice = all_dice(engine.game, luck)
        self.rules = engine.rules
        self.games: list[tuple[Luck, list[Any]]] = []
        for row in range(games):
            chance = Luck(first[row].tolist(), second[row].tolist(), dice[:, :, row].tolist())
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
    parser = argparse.ArgumentParser(description="Speed of Moscow's engine beside a compiled scalar program.")
    parser.add_argument("--games", type=int, default=50_000, help="a measurement, rounded up to whole blocks")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--block", type=int, default=DEFAULT_BLOCK)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = -(-args.games // args.block) * args.block

    engine = Engine(args.block)
    engine.run(args.block, args.seed)
    memory = peak_memory()
    counted, bare = (Yardstick(engine.rules, counting=counting) for counting in (True, False))
    from numba import __version__ as numba

    print(f"{cpu_name()}; Python {platform.python_version()}, numpy {np.__version__}, numba {numba}")
    print(f"moscow, {PLAYERS} x balanced, blocks of {args.block}; the engine's peak memory {memory:.0f} MiB")
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

    python, analyze = start_up()
    more = analyze - python
    print(f"\nStart-up: `analyze --help` {analyze:.0f} ms, bare Python {python:.0f} ms: {more:.0f} ms more")


if __name__ == "__main__":
    main()
