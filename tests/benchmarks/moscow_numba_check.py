"""Is the numba yardstick the same game as the oracle, and how fast is it?

python -m tests.benchmarks.moscow_numba_check
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.benchmarks import moscow_numba as m
from tests.benchmarks.moscow_numba_policies import POLICIES, TWINS
from tests.oracle.choosers import random_luck
from tests.oracle.moscow import Luck, Oracle
from tests.oracle.moscow_defaults import default_rules

OPTIONS: list[dict[str, Any]] = [
    {},
    {"actions_per_turn": 2, "army_on_self": True, "boosts": "add", "goal_km": 300, "goal_km_many": 300},
    {"out_of_supply": "lose_division", "front_must_be_clear": False, "opening_hand": 7},
    {
        "goal_km": 250,
        "goal_km_many": 200,
        "moscow_strength": 12,
        "front_must_be_clear": False,
        "die_sides": 8,
    },
]


def oracle_end(o: Oracle) -> dict[str, Any]:
    """The end of an oracle's game in the words both sides share."""
    return {
        "winner": o.winner,
        "turns": o.turns_played,
        "month": o.month,
        "hands": o.hands,
        "km": o.km,
        "army": o.army,
        "general": [int(x) for x in o.general],
        "river": [int(x) for x in o.river],
        "moscow": [o.moscow_army, int(o.moscow_general)],
        "discards": o.discards,
        "shown": [int(x) for x in o.shown],
        "arrived": o.arrived_turn,
        "blocked": [
            sum(e["blocked"] and e["seat"] == s for e in o.records("turn")) for s in range(o.players)
        ],
        "deck_left": len(o.deck),
    }


def numba_end(t: np.void, players: int, n_types: int, unit: int) -> dict[str, Any]:
    """The end of the last game of a batch, read off its table."""
    seats, game = t["seats"][:players], t["game"]
    return {
        "winner": int(game[m.WINNER]),
        "turns": int(game[m.TURN]),
        "month": int(game[m.MONTH]),
        "hands": t["hand"][:players, :n_types].tolist(),
        "km": (seats[:, m.KM] * unit).tolist(),
        "army": seats[:, m.ARMY].tolist(),
        "general": seats[:, m.GENERAL].tolist(),
        "river": seats[:, m.RIVER].tolist(),
        "moscow": [int(game[m.MOSCOW_ARMY]), int(game[m.MOSCOW_GENERAL])],
        "discards": t["discards"][:n_types].tolist(),
        "shown": seats[:, m.SHOWN].tolist(),
        "arrived": seats[:, m.ARRIVED].tolist(),
        "blocked": seats[:, m.BLOCKED].tolist(),
        "deck_left": int(game[m.DECK_LEFT]),
    }


def arrays_of(luck: Luck) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One game's luck as a batch of one: uint8[1, card], int64[1, card], int8[1, turn, action]."""
    first = np.array([luck.first], np.uint8)
    return first, np.array([luck.second], np.int64), np.array([luck.dice], np.int8)


def check_equal_to_oracle(name: str, engine: m.Engine, games: int = 100, seed: int = 0) -> int:
    """Play the same games with the oracle and with numba, 1 to 6 players and all OPTIONS; how many.

    Raises AssertionError naming the first game whose end differs in any field.
    """
    n = 0
    for changes in OPTIONS:
        rules = default_rules(**changes)
        for players in range(1, 7):
            r = m.make_rules(rules, players)
            t, c = m.make_table(), m.make_counts()
            out = m.make_results(1, players)
            for game in range(games):
                # A string seeds `Random` the same way in every process.
                luck = random_luck(random.Random(f"{seed}/{players}/{game}"), rules)
                oracle = Oracle(rules, players, luck, TWINS[name](game))
                oracle.play()
                keys = np.array([game], np.uint64)
                wrong = engine.given(r, t, c, out, *arrays_of(luck), keys, game)
                where = f"{name}, {changes}, {players} players, game {game}"
                assert wrong == 0, f"illegal choice: {where}"
                expected, got = (
                    oracle_end(oracle),
                    numba_end(t[0], players, len(oracle.types), int(r["unit"][0])),
                )
                different = {key: (expected[key], got[key]) for key in expected if expected[key] != got[key]}
                assert not different, f"{where}: {different}"
                assert (out.winner[0], out.turns[0]) == (oracle.winner, oracle.turns_played)
                n += 1
    return n


def games_per_second(
    engine: m.Engine, rules: Mapping[str, Any], players: int, games: int = 50_000
) -> tuple[float, m.Results]:
    """Games per second of one core's time (best of three, compiled before), and the last batch's results."""
    r = m.make_rules(rules, players)
    deck = m.full_deck(rules)
    t, c = m.make_table(), m.make_counts()
    engine.seeded(r, t, c, m.make_results(10, players), deck, 1, 10)
    best = 0.0
    for repeat in range(3):
        out = m.make_results(games, players)
        begin = time.process_time()  # other work on the machine does not count
        wrong = engine.seeded(r, t, c, out, deck, 100 + repeat, games)
        best = max(best, games / (time.process_time() - begin))
        assert wrong == 0
    return best, out


def main() -> None:
    """Check every policy that has a twin, then measure every policy."""
    for name, policy in POLICIES.items():
        engine = m.make_engine(policy)
        begin = time.perf_counter()
        if name in TWINS:
            n = check_equal_to_oracle(name, engine)
            print(f"{name}: {n} games equal to the oracle ({time.perf_counter() - begin:.0f} s)")
        for players in (1, 2, 4, 6):
            speed, out = games_per_second(engine, default_rules(), players)
            fell = float((out.winner >= 0).mean())
            print(f"{name}: {players} players, {speed:,.0f} games/s, Moscow falls in {fell:.1%}")


if __name__ == "__main__":
    main()
