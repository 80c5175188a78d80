"""Runs from Python: play, go on, read again, set side by side, tell one game, and by whom it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, overload

from analyzer.api.arguments import Settings, tells_its_arguments

if TYPE_CHECKING:
    from analyzer.games.base import Policy
    from analyzer.series import Series, Setting
    from analyzer.sim.replay import Replay
    from analyzer.sim.results import Results
    from analyzer.studies.study import Study


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
    duplicate: bool = False,
    precision: float | str | None = None,
    max_n: int | None = None,
    tolerance: float | str | None = None,
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
    duplicate: bool = False,
    precision: float | str | None = None,
    max_n: int | None = None,
    tolerance: float | str | None = None,
    **axes: object,
) -> Results | Series: ...
@tells_its_arguments
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
    duplicate: bool = False,
    precision: float | str | None = None,
    max_n: int | None = None,
    tolerance: float | str | None = None,
    **axes: object,
) -> Results | Series:
    """Play `n` games and return their Results. The same arguments give the same results, bit by bit.

    players: default 4, or one for each of `policies`.
    policies: one for each seat, rotated through all seats; `policy`: the same in all seats. A policy is a
        line ("balanced", "balanced:courage=0.5", "mymodule:Name", "path/to/file.py:Name"), a class or an
        object; `policies` may also be one text with commas.
    set: settings by dotted key, {"moscow_strength": 14} or ["moscow_strength=14"]; config: a YAML file.
    jobs: processes (default: one a core), without influence on the results; block: games in lockstep.
    out: a folder to keep the run in; without it, the results live in memory (or in a temporary folder). If it
        holds this run already, finished or stopped, its games are kept and only the others are played: so
        games can be added to a run, and the results are those of one run of `n` games.
    progress: called with games done and games in all.
    duplicate: play each deal, with its dice, in all rotations of the policies; intervals then rest on deals.
    precision: play until every win rate by seat and policy is known to +-0.005 (or "0.5%"), instead of `n`
        games (at most `max_n`); the intervals hold although one looks again and again. For one setting: of
        a series each setting has as many games, so that they can be held against each other.
    tolerance: how far from its fair share a balanced win rate may lie (0.02 or "2%"): the verdicts stand in
        `summary()`, `report()` and `verdicts()`.
    axes: what else the game can be run over (`scenario=`, `decks=`; see `analyze run GAME --help`). Where two
        can play, `matchups="all"` lets each policy meet each.

    Several values on an axis (players="2-6", players=[2, 4], decks="all") make a Series instead: n games of
    each setting, the same as if it were run alone. A list always makes one.

    Raises analyzer.errors.UserError for anything wrong in the arguments or in a policy.
    """
    from analyzer.errors import UserError
    from analyzer.sim import runner, settings
    from analyzer.specs import share

    if out is not None and not str(out).strip():
        raise UserError(f"out: {out!r} is the name of no folder.")
    allowed = None if tolerance is None else share(tolerance, "tolerance", 1e-4, 0.5)
    half = None
    if precision is not None:
        from analyzer.sim import precision as until

        half, n = share(precision, "precision", 1e-5, 0.5), until.MAX_N if max_n is None else max_n
    elif max_n is not None:
        raise UserError("max_n is the limit of a run until a precision; give precision, too, or n.")
    planned = settings.plan(game, players, n, policies, policy, seed, set, config, block, axes, duplicate)
    if half is not None and planned.many:
        raise UserError(f"precision: {settings.ONE_PRECISION}")
    folder = Path(out) if out is not None else None

    def shown(setting: Setting | None) -> str:
        given: dict[str, object] = {"players": players, **({"duplicate": True} if duplicate else {}), **axes}
        if setting is not None:
            given |= {axis.keyword: ":".join(setting.values[axis.name]) for axis in planned.axes}
        elif not planned.many:
            given["players"] = planned.only.players
        told = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        many = f"n={n}" if half is None else f"precision={half}, max_n={n}"
        return f"analyzer.run({', '.join([repr(game), *told, many, f'seed={seed}'])})"

    found: Results | Series
    if planned.many:
        found = settings.play(planned, folder, jobs, progress, shown)
    elif half is not None:
        found = until.run(planned.only, half, folder, jobs, progress, shown(None))
    else:
        found = runner.run(planned.only, folder, jobs, progress, shown(None))
    found.tolerance = allowed
    return found


def resume(
    folder: Path | str,
    n: int | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    tolerance: float | str | None = None,
) -> Results | Series:
    """Go on with the run (or series) kept in a folder: what is missing or damaged is played.

    n: games in all (of each setting), to add some to what it has; default: as many as were asked for.
    tolerance: as in `run`.
    The results are those of one run that was never stopped, bit by bit.

    Raises analyzer.errors.UserError if the folder holds no run, if another version of the program played it,
    or if the source of one of its policies is missing or was changed.
    """
    from analyzer.sim.resume import resume as go_on
    from analyzer.specs import share

    allowed = None if tolerance is None else share(tolerance, "tolerance", 1e-4, 0.5)
    found = go_on(Path(folder), n, jobs, progress)
    found.tolerance = allowed
    return found


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


@tells_its_arguments
def replay(
    game: str,
    players: int | None = None,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    block: int | None = None,
    duplicate: bool = False,
    *,
    game_index: int = 0,
    **axes: object,
) -> Replay:
    """One game of the run with these arguments, told step by step: `print` it, or read its `events`.

    game: its name, or the folder of a saved run, which tells all other arguments itself.
    game_index: the game's number in the run (column `game`), 0-based. axes: as in `run`, one value each.
    """
    from analyzer import registry
    from analyzer.sim import replay as replays
    from analyzer.sim import settings

    if registry.names_folder(game):
        return replays.replay(replays.of_run(Path(game)), game_index)
    planned = settings.plan(game, players, 1, policies, policy, seed, set, config, block, axes, duplicate)
    return replays.replay(planned.single(), game_index)


def backend(name: str, scheduler: str | None = None) -> AbstractContextManager[None]:
    """Play all that stands in this `with` by `loky`, `threading`, `dask` or `ray`; no result depends on it.

    scheduler: address `host:port` of a dask scheduler (needed) or of a ray cluster (without: this machine).
    A `joblib.parallel_config` around a call is heeded, too. Raises UserError for what is not there.
    """
    from analyzer.sim import backends

    return backends.use(name, scheduler)
