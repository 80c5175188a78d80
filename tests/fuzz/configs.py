"""Hostile configs in bulk: each is refused in clean words, or it is one that can be played.

python -m tests.fuzz.configs --n 200000 --seed 1
python -m tests.fuzz.configs --seed 1 --only 4711   # one case again, shown
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from analyzer.config import Config, ConfigError, config_of, load_config
from analyzer.errors import UserError, plain_text, seen
from analyzer.registry import Chosen, choose, default_policy, player_counts, policies_of
from analyzer.sim import runner
from analyzer.sim.request import Request
from tests.fuzz import guard, hostile, mutate

LOAD_SECONDS = 2.0  # of this process, for a file of a mebibyte at most
PLAY_SECONDS = 60.0
PLAY_EVERY = 50  # configs that load, of which one is played
LOOK_EVERY = 10  # ... of which all that is told is looked at
GAMES = 8


class Fault(Exception):
    """A config did what none may do."""


def check_words(error: UserError, source: str) -> None:
    """Raise Fault unless the error is one a user can read: clean lines, each naming its source."""
    if wrong := guard.unclean(str(error), guard.MOST_LINES):
        raise Fault(f"the error is not clean: {wrong}: {str(error)[:300]!r}")
    if not isinstance(error, ConfigError):
        raise Fault(f"the error names no file: {error}")
    for problem in error.problems:
        if plain_text(source) not in str(problem):
            raise Fault(f"the error does not name {source!r}: {problem}")
        if problem.place.line is None and problem.place.source != "set" and problem.key not in ("", "game"):
            raise Fault(f"the error names no line: {problem}")


def check_config(config: Config) -> None:
    """Raise Fault unless everything that is told of a config can be written and read again."""
    told = [*config.warnings(), *(word for row in config.describe() for word in row.values())]
    if not "".join(told).isprintable() and (odd := [text for text in told if not all(map(seen, text))]):
        raise Fault(f"what is told of the config holds signs that nobody sees: {odd[0]!r}")
    json.dumps(config.records(), ensure_ascii=False, allow_nan=False).encode()
    if config_of(config.as_dict()).digest != config.digest:
        raise Fault("as_dict makes another config")


def check_games(config: Config, play: Random | None) -> bool:
    """Build the game for all numbers of players; `play`: a few games with some policy. Whether any is for it.

    A number of players that this deck does not serve is refused by a UserError.
    """
    fit = []
    for players in player_counts(config.game):
        try:
            fit.append(Request(config, players, (_policy(config.game, ""),) * players, GAMES, block=GAMES))
        except UserError as error:
            if wrong := guard.unclean(str(error)):
                raise Fault(f"refusing {players} players is not clean: {wrong}") from error
    if fit and play is not None:
        asked = play.choice(fit)
        policy = _policy(config.game, play.choice(sorted(policies_of(config.game))))
        asked = replace(asked, policies=(policy,) * asked.players, seed=play.randrange(99))
        began = time.process_time()
        with guard.limit(PLAY_SECONDS):
            if runner.run(asked, jobs=1).n < GAMES:
                raise Fault("games are missing")
        longest[0] = max(longest[0], time.process_time() - began)
    return bool(fit)


longest = [0.0]  # seconds of the longest play


@lru_cache
def _policy(game: str, name: str) -> Chosen:
    return choose(name or default_policy(game), game)


@dataclass(frozen=True)
class Case:
    """A hostile config: its kind, the source that errors must name, how to load it, and what it is."""

    kind: str
    source: str
    load: Callable[[], Config]
    shown: object


def case_of(rng: Random, folder: Path) -> Case:
    """Make a case; a file of it is written to the folder."""
    if rng.random() < 0.08:
        game = mutate.some_seed(rng).game
        given = _overrides(game, rng)
        return Case("overrides", "set", lambda: load_config(game, overrides=given), (game, given))
    kind, raw = mutate.mutant(rng)
    path = folder / (rng.choice(hostile.FILES) if rng.random() < 0.02 else "fuzz.yaml")
    path.write_bytes(raw)
    return Case(kind, str(path), lambda: load_config(file=path), raw[:5000])


def loaded(case: Case) -> Config | None:
    """The config of a case; None if it is refused in clean words."""
    try:
        with guard.limit(LOAD_SECONDS):
            return case.load()
    except UserError as error:
        check_words(error, case.source)
        return None


def _overrides(game: str, rng: Random) -> Any:
    keys = [key for one in mutate.seeds() if one.game == game for key, _, _ in one.ranges]

    def key() -> str:
        steps = rng.choice(keys).split(".")
        if rng.random() < 0.3:
            steps.insert(rng.randint(0, len(steps)), hostile.name(rng))
        return ".".join(steps[: rng.randint(1, len(steps))] if rng.random() < 0.3 else steps)

    if rng.random() < 0.5:
        return [f"{key()}={hostile.value(rng)}" for _ in range(rng.randint(1, 3))]
    return {key(): hostile.plain(rng) for _ in range(rng.randint(1, 3))}


def run(n: int, seed: int, play_every: int = PLAY_EVERY, first: int = 0, tell: bool = False) -> guard.Count:
    """Try n cases; what happened. Each case follows from seed and number alone."""
    count, accepted = guard.Count(), 0
    mutate.seeds()
    with guard.stoppable(), tempfile.TemporaryDirectory(prefix="fuzz", dir=guard.quick_folder()) as home:
        folder = Path(home)
        for case in range(first, first + n):
            rng = Random(f"{seed}/{case}")
            kind = "?"
            try:
                made = case_of(rng, folder)
                kind = made.kind
                began = time.process_time()
                config = loaded(made)
                count.timed(time.process_time() - began, case, kind)
                count.counts[kind, "refused" if config is None else "accepted"] += 1
                if config is not None:
                    accepted += 1
                    played = accepted % play_every == 0
                    if accepted % LOOK_EVERY == 0:
                        check_config(config)
                    fit = check_games(config, rng if played else None)
                    count.counts[kind, "for nobody"] += not fit
                    count.counts[kind, "played"] += fit and played
            except (Exception, guard.Hung):
                count.faults.append(f"case {case} ({kind}): {traceback.format_exc(limit=-4)}")
            if tell and case % 2000 == 1999:
                print(
                    f"{case + 1:,} cases, {len(count.faults)} faults, {guard.peak():,.0f} MB", file=sys.stderr
                )
    return count


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n", type=int, default=20_000, help="cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument(
        "--play-every", type=int, default=PLAY_EVERY, help="of the configs that load, play one in so many"
    )
    parser.add_argument("--only", type=int, help="show and try this case alone")
    asked = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if asked.only is not None:
        with tempfile.TemporaryDirectory(prefix="fuzz", dir=guard.quick_folder()) as home:
            made = case_of(Random(f"{asked.seed}/{asked.only}"), Path(home))
            print(f"{made.kind}: {made.shown!r}")
            print("refused" if loaded(made) is None else "accepted")
        return
    count = run(asked.n, asked.seed, asked.play_every, asked.first, tell=True)
    print(f"{count}; longest play of {GAMES} games {longest[0]:.1f} s")
    for fault in count.faults[:20]:
        print(fault)
    sys.exit(bool(count.faults))


if __name__ == "__main__":
    main()
