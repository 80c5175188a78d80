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

    study = analyzer.compare("moscow", set_b={"moscow_strength": 14})   # A against B on the same luck
    study.words, study.tables                         # findings in words; tables by name

    analyzer.run("moscow", out="kept"); analyzer.resume("kept", n=1_000_000)   # more games of the same run

    analyzer.tournament("moscow", players=2).words    # which strategy should I fear?
    analyzer.sweep("moscow", {"moscow_strength": "12:20:2"}).tables["sweep"]
    analyzer.assumptions("moscow", samples=64)        # which of my guesses matter?
    analyzer.panel("moscow", players=4).write("out")  # does the verdict depend on who plays?
    study = analyzer.cards("moscow", cards="advance 200")   # what goes with a card, and what it does
    study.tables["cards"], study.words, study.write("somewhere")
    analyzer.luck("moscow", policies="balanced,racer")       # deal, dice, seat, policy: what decides
    analyzer.story("moscow")                                 # when it is decided, who comes back
    analyzer.side_by_side("reports/a", "reports/b")   # saved runs held against the first: tables, words, page
    analyzer.rebuild("reports/a")                     # the page of a saved run again, nothing is simulated

    with analyzer.backend("dask", "tcp://127.0.0.1:8786"):   # everything within on a cluster's workers
        analyzer.run("moscow", n=10**8, out="large")

    print(analyzer.odds("moscow", attack=12, army=8, general=True))   # exact, by the rules alone

Heavy imports happen inside the functions: `import analyzer` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from analyzer.answers import Answer
    from analyzer.games.base import Policy
    from analyzer.series import Series, Setting
    from analyzer.sim.replay import Replay
    from analyzer.sim.request import Request
    from analyzer.sim.results import Results
    from analyzer.studies.study import Study

__version__ = "0.1.0"
__all__ = [
    "assumptions",
    "backend",
    "cards",
    "compare",
    "games",
    "load",
    "load_series",
    "luck",
    "odds",
    "panel",
    "policies",
    "rebuild",
    "replay",
    "resume",
    "run",
    "side_by_side",
    "story",
    "sweep",
    "tournament",
]

Settings = Mapping[str, object] | Iterable[str]
P = ParamSpec("P")
T = TypeVar("T")


def _tells_its_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """A keyword that the function has not got is told with all that it has, not only the game's axes."""

    @wraps(function)
    def told(*given: P.args, **named: P.kwargs) -> T:
        from analyzer.errors import UnknownArgument, UserError, nearest

        try:
            return function(*given, **named)
        except UnknownArgument as error:
            from inspect import Parameter, signature

            parameters = signature(function).parameters.values()
            own = [one.name for one in parameters if one.kind is not Parameter.VAR_KEYWORD]
            what = f"argument of analyzer.{function.__name__}, or axis of {error.game},"
            raise UserError(str(nearest(error.name, [*own, *error.known], what))) from None

    return told


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
@_tells_its_arguments
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


@_tells_its_arguments
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

    game_index: the game's number in the run (column `game`), 0-based. axes: as in `run`, one value each.
    """
    from analyzer.sim import replay as replays
    from analyzer.sim import settings

    planned = settings.plan(game, players, 1, policies, policy, seed, set, config, block, axes, duplicate)
    return replays.replay(planned.single(), game_index)


@_tells_its_arguments
def compare(
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
    progress: Callable[[int, int], None] | None = None,
    duplicate: bool = False,
    *,
    set_b: Settings = (),
    config_b: Path | str | None = None,
    policy_b: str | Policy | type[Policy] | None = None,
    policies_b: str | Sequence[str | Policy | type[Policy]] | None = None,
    one_seat: bool = False,
    sprt: tuple[float, float] | str | None = None,
    measure: str = "",
    tolerance: float | str | None = None,
    **axes: object,
) -> Study:
    """A against B on the same deals and dice: does a rule matter, or a policy? n games of each.

    A is what the arguments without `_b` say, as in `run`; B is the same but for those with `_b` (axes too:
    `scenario_b=`). set_b is laid over `set`.
    one_seat: B changes to `policy_b` in one seat only, in each seat in its turn: the gain of switching.
    sprt: (low, high), stop as soon as the difference is rather one than the other; n is the most then.
    measure: the row that is tested and told first ("seat 1", "nobody wins", ...).
    tolerance: differences up to this (0.02: 2 points) count as none; brings verdicts. Not with sprt: their
        errors hold for games whose number was fixed before.

    The Study has tables "differences" and "lengths" (B less A, with intervals, what the common luck was
    worth, and the smallest effect so many games can see), words and charts; `study.write(folder)` makes the
    page. Raises analyzer.errors.UserError for anything wrong in the arguments or in a policy.
    """
    from analyzer.studies import compare as study

    question = study.ask(
        game, players=players, n=n, policies=policies, policy=policy, seed=seed, settings=set, config=config,
        block=block, duplicate=duplicate, set_b=set_b, config_b=config_b, policy_b=policy_b,
        policies_b=policies_b, one_seat=one_seat, sprt=sprt, measure=measure, tolerance=tolerance, axes=axes,
    )  # fmt: skip
    return study.run(question, jobs, progress)


@_tells_its_arguments
def cards(
    game: str,
    players: int | None = None,
    n: int = 20_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    cards: str | Sequence[str] = (),
    copies: int | None = None,
    force: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """What goes with each card or unit of a game, and what changes without it, on the same luck.

    n: games of each setting. cards: their names (or one text with commas), all unless given. copies: how many
    more (or, negative, less) of each; without it, none at all. force: also games in which the card is forced
    into an opening hand. All else as in `run`.
    """
    from analyzer.specs import names_in
    from analyzer.studies.cards import cards as study

    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    command = f"analyzer.cards({game!r}, n={n}, seed={seed})"
    return study(asked, copies, names_in(cards), jobs, progress, command, force)


@_tells_its_arguments
def luck(
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
    deals: int = 2,
    dice: int = 2,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """Which part of who wins is the deal's, the dice's, the seat's, the policy's.

    n: games in all, about. deals, dice: how many of each are crossed in a batch. Without policies, as many of
    the game's as there are seats take turns. All else as in `run`.
    """
    from analyzer.studies.luck import line_up
    from analyzer.studies.luck import luck as study

    if policies is None and policy is None and "matchups" not in axes:
        policies = line_up(game, players)
    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    levels = {"deal": deals, "dice": dice}
    return study(asked, levels, jobs, progress, f"analyzer.luck({game!r}, n={n}, seed={seed})")


@_tells_its_arguments
def story(
    game: str,
    players: int | None = None,
    n: int = 20_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """When a game is decided, how often the lead changes, who comes back, who can do nothing; as `run`."""
    from analyzer.studies.story import story as study

    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    return study(asked, jobs, progress, f"analyzer.story({game!r}, n={n}, seed={seed})")


def _single(
    game: str,
    players: object,
    n: int,
    policies: object,
    policy: object,
    seed: int,
    set: Settings,
    config: object,
    block: int | None,
    axes: Mapping[str, object],
) -> Request:
    """The request of these arguments, which must ask for one setting only."""
    from analyzer.sim import settings

    return settings.plan(game, players, n, policies, policy, seed, set, config, block, axes).single()


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


# ---------------------------------------------------------------- studies: questions beyond one run


@_tells_its_arguments
def tournament(
    game: str,
    players: int | None = None,
    n: int = 4000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    mixed: int = 60,
    **axes: object,
) -> Study:
    """Everybody against everybody: payoffs, ratings, cycles, equilibrium, dominated policies.

    n: games a pairing (two players) or a line-up. policies: who takes part (default: all of the game; where
    `axes` pair things off, as decks="all" does, its own policy alone). mixed: for more than two players,
    line-ups of many policies at most. Everything else as in `run`.
    """
    from analyzer.studies import lineups
    from analyzer.studies import tournament as study

    field = lineups.field(game, players, n, policies, seed, set, config, block, axes, mixed)
    return study.play(field, jobs, progress).study()


@_tells_its_arguments
def sweep(
    game: str,
    over: Mapping[str, object] | Iterable[str],
    players: int | None = None,
    n: int = 10_000,
    policies: str | Sequence[str] | None = None,
    policy: str | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """The game at many values of one setting or two, on the same deals and dice.

    over: key -> values, {"moscow_strength": "12:20:2"}, {"policy.courage": [0.3, 0.6]}; `policy.` is the
    first of `policies`, or the one in all seats. n: games a point. Everything else as in `run`.
    """
    from analyzer.studies import grid
    from analyzer.studies import sweep as study

    asked = grid.grid(game, over, players, n, policies, policy, seed, set, config, block, axes)
    return study.play(asked, jobs, progress).study()


@_tells_its_arguments
def assumptions(
    game: str,
    samples: int = 64,
    players: int | None = None,
    n: int = 2000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    only: str | Sequence[str] = (),
    design: str = "latin",
    **axes: object,
) -> Study:
    """All assumptions of a game varied together over their plausible ranges, on the same luck: which findings
    hold everywhere, which turn, which assumption drives what.

    samples: points of a Latin hypercube (design="sobol": a power of 2, times assumptions + 2); n: games each;
    only: keys to vary, or what they begin with. Everything else as in `run`.
    """
    from analyzer.studies import assumptions as study
    from analyzer.studies import guesses

    asked = guesses.samples(
        game, samples, players, n, policies, policy, seed, set, config, block, axes, only, design
    )
    return study.play(asked, jobs, progress).study()


@_tells_its_arguments
def panel(
    game: str,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    players: int | None = None,
    n: int = 10_000,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    tolerance: float | str = 0.02,
    **axes: object,
) -> Study:
    """The verdicts on the seats under `policy`, repeated with each of `policies` (default: all of the game)
    in all seats; those that flip are marked. n: games a policy. Everything else as in `run`."""
    from analyzer.studies import panel as study

    asked = study.members(game, policies, players, n, policy, seed, set, config, block, axes, tolerance)
    return study.play(asked, jobs, progress).study()


def backend(name: str, scheduler: str | None = None) -> AbstractContextManager[None]:
    """Play all that stands in this `with` by `loky`, `threading`, `dask` or `ray`; no result depends on it.

    scheduler: address `host:port` of a dask scheduler (needed) or of a ray cluster (without: this machine).
    A `joblib.parallel_config` around a call is heeded, too. Raises UserError for what is not there.
    """
    from analyzer.sim import backends

    return backends.use(name, scheduler)
