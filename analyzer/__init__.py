"""Monte Carlo strategy analyzer for tabletop war games: the whole Python API on one screen.

    import analyzer

    results = analyzer.run("moscow", players=4, n=100_000, policies=["balanced", "racer", "blocker", "racer"])
    results.win_rates()              # a DataFrame: win rate by seat, with intervals and fair share
    results.win_rates("policy")      # ... by policy
    results.games, results.tallies   # one row a game; additive counts
    print(results.summary())         # the main findings in words

    print(analyzer.replay("moscow", game_index=17))   # one game of that very run, step by step

    series = analyzer.run("moscow", players="2-6")    # several settings, one run each
    series.table()                                    # one row a setting
    analyzer.run("moscow", matchups="all").matrix()   # each policy against each, two players

    analyzer.side_by_side("reports/a", "reports/b")   # saved runs held against the first: tables, words, page
    analyzer.rebuild("reports/a")                     # the page of a saved run again, nothing is simulated

    print(analyzer.odds("moscow", attack=12, army=8, general=True))   # exact, by the rules alone

Heavy imports happen inside the functions: `import analyzer` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from analyzer.answers import Answer
    from analyzer.games.base import Policy
    from analyzer.series import Series, Setting
    from analyzer.sim.replay import Replay
    from analyzer.sim.results import Results
    from analyzer.studies.study import Study

__version__ = "0.1.0"
__all__ = ["games", "load", "load_series", "odds", "policies", "rebuild", "replay", "run", "side_by_side"]

Settings = Mapping[str, object] | Iterable[str]


@overload
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
) -> Results: ...
@overload
def run(
    game: str,
    players: int | str | Iterable[int] | None = None,
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
    **axes: object,
) -> Results | Series: ...
def run(
    game: str,
    players: int | str | Iterable[int] | None = None,
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
    **axes: object,
) -> Results | Series:
    """Play `n` games and return their Results. The same arguments give the same results, bit by bit.

    players: default 4, or one for each of `policies`.
    policies: one for each seat, rotated through all seats; `policy`: the same in all seats. A policy is a
        line ("balanced", "balanced:courage=0.5", "mymodule:Name", "path/to/file.py:Name"), a class or an
        object; `policies` may also be one text with commas.
    set: settings by dotted key, {"moscow_strength": 14} or ["moscow_strength=14"]; config: a YAML file.
    jobs: processes (default: one a core), without influence on the results; block: games in lockstep.
    out: a folder to keep the run in; without it, the results live in memory (or in a temporary folder).
    progress: called with games done and games in all.
    axes: what else the game can be run over (`scenario=`, `decks=`; see `analyze run GAME --help`). Where two
        can play, `matchups="all"` lets each policy meet each.

    Several values on an axis (players="2-6", players=[2, 4], decks="all") make a Series instead: n games of
    each setting, the same as if it were run alone. A list always makes one.

    Raises analyzer.errors.UserError for anything wrong in the arguments or in a policy.
    """
    from analyzer.errors import UserError
    from analyzer.sim import runner, settings

    if out is not None and not str(out).strip():
        raise UserError(f"out: {out!r} is the name of no folder.")
    planned = settings.plan(game, players, n, policies, policy, seed, set, config, block, axes)
    if out is not None and not str(out).strip():
        raise UserError(f"out: {out!r} is the name of no folder.")
    folder = Path(out) if out is not None else None

    def shown(setting: Setting | None) -> str:
        given: dict[str, object] = {"players": players, **axes}
        if setting is not None:
            given |= {axis.keyword: ":".join(setting.values[axis.name]) for axis in planned.axes}
        elif not planned.many:
            given["players"] = planned.only.players
        told = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return f"analyzer.run({', '.join([repr(game), *told, f'n={n}', f'seed={seed}'])})"

    if planned.many:
        return settings.play(planned, folder, jobs, progress, shown)
    return runner.run(planned.only, folder, jobs, progress, shown(None))


def load(folder: Path | str) -> Results:
    """The Results of a run kept in a folder. Raises UserError if the folder holds none."""
    from analyzer.sim.results import Results

    return Results.load(folder)


def load_series(folder: Path | str) -> Series:
    """The Series kept in a folder. Raises UserError if the folder holds none."""
    from analyzer.series import Series

    return Series.load(folder)


def rebuild(folder: Path | str, out: Path | str | None = None, plots: bool = True) -> Path:
    """Make page, tables and plots of a saved run or series again, in its folder or in `out`; the page's path.

    Raises UserError if the folder holds no run, is damaged, or cannot be written.
    """
    from analyzer.report.again import rebuild

    return rebuild(folder, out, plots)[1]


def side_by_side(*runs: Path | str | Results | Series) -> Study:
    """Two or more runs of one game, each held against the first: `tables`, `words`, `write("folder")`.

    runs: folders or Results; of a series every setting is a run. They may differ in players, policies,
    settings, seed and games. Raises UserError for a damaged folder, different games, or the same run twice.
    """
    from analyzer.report.beside import side_by_side

    return side_by_side(*runs)


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
    **axes: object,
) -> Replay:
    """One game of the run with these arguments, told step by step: `print` it, or read its `events`.

    game_index: the game's number in the run (column `game`), 0-based. axes: as in `run`, one value each.
    """
    from analyzer.sim import replay as replays
    from analyzer.sim import settings

    planned = settings.plan(game, players, 1, policies, policy, seed, set, config, block, axes)
    return replays.replay(planned.single(), game_index)


def odds(
    game: str,
    question: str | None = None,
    *,
    set: Settings = (),
    config: Path | str | None = None,
    **parameters: object,
) -> Answer:
    """The exact answer to a question of a game: `print` it, or take `table`, `finding`, `words`, `figure()`.

    question: see `analyze odds GAME`; without one, the first that has all the parameters given.
    set, config: as in `run`; the odds follow them (other dice, other strengths).
    parameters: those of the question; texts as in the command, or values such as cards=[3, 4, 5] and
        germans={"tiger": 1}.

    Raises analyzer.errors.UserError for anything wrong in them: the nearest right name, or what is allowed.
    """
    from analyzer import questions

    return questions.ask(game, question, parameters, set, config)


def games() -> list[str]:
    """The names of all games."""
    from analyzer import registry

    return registry.game_names()


def policies(game: str) -> dict[str, type[Policy]]:
    """The policies of a game by name; their fields are their parameters."""
    from analyzer import registry

    return registry.policies_of(game)
