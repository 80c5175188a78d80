"""Monte Carlo strategy analyzer for tabletop war games: the whole Python API on one screen.

    import analyzer

    results = analyzer.run("moscow", players=4, n=100_000, policies=["balanced", "racer", "blocker", "racer"])
    results.win_rates()              # a DataFrame: win rate by seat, with intervals and fair share
    results.win_rates("policy")      # ... by policy
    results.games, results.tallies   # one row a game; additive counts
    print(results.summary())         # the main findings in words

    print(analyzer.replay("moscow", game_index=17))   # one game of that very run, step by step

Heavy imports happen inside the functions: `import analyzer` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.games.base import Policy
    from analyzer.sim.replay import Replay
    from analyzer.sim.results import Results

__version__ = "0.1.0"
__all__ = ["games", "load", "policies", "replay", "run"]

Settings = Mapping[str, object] | Iterable[str]


def run(
    game: str,
    players: int | None = None,
    n: int = 100_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    out: Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Play `n` games and return their Results. The same arguments give the same results, bit by bit.

    players: default 4, or one for each of `policies`.
    policies: one for each seat, rotated through all seats; `policy`: the same in all seats. A policy is a
        line ("balanced", "balanced:courage=0.5", "mymodule:Name", "path/to/file.py:Name"), a class or an
        object; `policies` may also be one text with commas.
    set: settings by dotted key, {"moscow_strength": 14} or ["moscow_strength=14"]; config: a YAML file.
    jobs: processes (default: one a core), without influence on the results; block: games in lockstep.
    out: a folder to keep the run in; without it, the results live in memory (or in a temporary folder).
    progress: called with games done and games in all.

    Raises analyzer.errors.UserError for anything wrong in the arguments or in a policy.
    """
    from analyzer.errors import UserError
    from analyzer.sim import request, runner

    asked = request.build(game, players, n, policies, policy, seed, set, config, block)
    shown = f"analyzer.run({game!r}, players={asked.players}, n={n}, seed={seed})"
    if out is not None and not str(out).strip():
        raise UserError(f"out: {out!r} is the name of no folder.")
    return runner.run(asked, Path(out) if out is not None else None, jobs, progress, shown)


def load(folder: Path | str) -> Results:
    """The Results of a run kept in a folder. Raises UserError if the folder holds none."""
    from analyzer.sim.results import Results

    return Results.load(folder)


def replay(
    game: str,
    players: int | None = None,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    block: int | None = None,
    *,
    game_index: int = 0,
) -> Replay:
    """One game of the run with these arguments, told step by step: `print` it, or read its `events`.

    game_index: the game's number in the run (column `game`), 0-based.
    """
    from analyzer.sim import replay as replays
    from analyzer.sim import request

    return replays.replay(
        request.build(game, players, 1, policies, policy, seed, set, config, block), game_index
    )


def games() -> list[str]:
    """The names of all games."""
    from analyzer import registry

    return registry.game_names()


def policies(game: str) -> dict[str, type[Policy]]:
    """The policies of a game by name; their fields are their parameters."""
    from analyzer import registry

    return registry.policies_of(game)
