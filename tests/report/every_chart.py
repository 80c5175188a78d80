"""Every chart that the program can draw, from small runs: of each game a run, a series, every study.

A case is its name and what it is made of. Those that take a second or more are told apart (`SLOW`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import analyzer
from analyzer import registry
from analyzer.report.build import Report
from analyzer.report.series import SeriesReport

GAMES = registry.game_names()
RUNS: dict[str, dict[str, Any]] = {
    "moscow": {"policies": "balanced,racer,blocker,spoiler"},
    "eastfront": {"policies": "balanced,builder,raider,saboteur"},
    "kraskar": {"policies": "balanced,siege"},
    "undaunted": {},
}
OTHER_POLICIES = {"moscow": "balanced,racer", "eastfront": "balanced,raider", "kraskar": "siege,defender",
                  "undaunted": "rush,block"}  # fmt: skip
SERIES: dict[str, dict[str, Any]] = {
    "moscow": {"players": "all"},
    "eastfront": {"players": [2, 3, 4]},
    "kraskar": {"decks": "all"},
    "undaunted": {"scenario": "all"},
}
OTHERS: dict[str, dict[str, Any]] = {  # the second side of a comparison
    "moscow": {"set_b": ["moscow_strength=14"]},
    "eastfront": {"policy_b": "raider"},
    "kraskar": {"policy_b": "siege"},
    "undaunted": {"policy_b": "solo"},
}
OVER = {"moscow": "moscow_strength=13:17:2", "eastfront": "go_on=any,same",
        "kraskar": "policy.press=0:1:0.5", "undaunted": "hand_size=3,4,5"}  # fmt: skip
SECOND = {"moscow": "opening_hand=5,6", "eastfront": "policy.noise=0,0.5", "kraskar": "turn_limit=12,16",
          "undaunted": "policy.noise=0,0.5"}  # fmt: skip


# Settings that make games short: what is looked at is the chart, not the game.
SHORT: dict[str, list[str]] = {
    "moscow": [], "eastfront": [], "kraskar": ["turn_limit=14"], "undaunted": ["round_limit=4"],
}  # fmt: skip


def _compare(game: str, **how: Any) -> Any:
    return analyzer.compare(game, n=100, jobs=1, set=SHORT[game], **OTHERS[game], **how)


def _beside(game: str) -> Any:
    first, how = analyzer.run(game, n=100, jobs=1, set=SHORT[game]), {"policies": OTHER_POLICIES[game]}
    return analyzer.side_by_side(first, analyzer.run(game, n=120, jobs=1, set=SHORT[game], **how))


MAKERS: dict[str, Callable[[str], Any]] = {
    "run": lambda game: Report(analyzer.run(game, n=150, jobs=1, **RUNS[game])),
    "one game": lambda game: Report(analyzer.run(game, n=1, jobs=1)),
    "verdicts": lambda game: Report(analyzer.run(game, n=40, jobs=1), tolerance=0.02),
    "duplicate": lambda game: Report(
        analyzer.run(game, n=60, jobs=1, set=SHORT[game], duplicate=True, policies=OTHER_POLICIES[game])
    ),
    "series": lambda game: SeriesReport(analyzer.run(game, n=60, jobs=1, set=SHORT[game], **SERIES[game])),
    "matchups": lambda game: SeriesReport(
        analyzer.run(game, players=2, n=60, jobs=1, set=SHORT[game], matchups=OTHER_POLICIES[game])
    ),
    "side by side": _beside,
    "compare": _compare,
    "compare, sequential": lambda game: _compare(game, sprt=(0.0, 0.05)),
    "tournament": lambda game: analyzer.tournament(
        game, n=40, jobs=1, set=SHORT[game], mixed=2, policies=f"{OTHER_POLICIES[game]},random"
    ),
    "sweep": lambda game: analyzer.sweep(game, [OVER[game]], n=30, jobs=1, set=SHORT[game]),
    "sweep of two": lambda game: analyzer.sweep(
        game, [OVER[game], SECOND[game]], n=40, jobs=1, set=SHORT[game]
    ),
    "assumptions": lambda game: analyzer.assumptions(game, samples=8, n=40, jobs=1, set=SHORT[game]),
    "panel": lambda game: analyzer.panel(game, n=60, jobs=1, set=SHORT[game]),
    "cards": lambda game: analyzer.cards(game, n=60, jobs=1, set=SHORT[game]),
    "luck": lambda game: analyzer.luck(game, n=128, jobs=1, set=SHORT[game]),
    "story": lambda game: analyzer.story(game, n=100, jobs=1, set=SHORT[game]),
}
NOT_PLAYED: set[tuple[str, str]] = set()  # (kind, game) that a game has no such thing for
