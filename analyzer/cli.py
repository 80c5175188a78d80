"""The command line: parse, call the API, print. Nothing heavy is imported before a command needs it.

Exit codes: 0 done, 2 a mistake in what was given, 1 a fault of this program, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import shlex
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer import __version__
from analyzer.commands.options import (
    AXIS,
    Command,
    Folder,
    GameCommand,
    Share,
    Whole,
    crew,
    duplicate,
    plan_of,
    setup,
    tolerance,
)
from analyzer.errors import UserError, nearest, plain_text, typed

if TYPE_CHECKING:
    from analyzer.sim.resume import Found

# Commands that stand in a module of their own, imported when they are named (or listed).
COMMANDS: dict[str, str] = {
    "odds": "analyzer.commands.odds",
    "compare": "analyzer.commands.compare",
    "tournament": "analyzer.commands.tournament",
    "sweep": "analyzer.commands.sweep",
    "assumptions": "analyzer.commands.assumptions",
    "panel": "analyzer.commands.panel",
    "cards": "analyzer.commands.cards",
    "luck": "analyzer.commands.luck",
    "story": "analyzer.commands.story",
    "report": "analyzer.commands.report",
}

LONG = 5.0  # seconds without an answer from which a policy that Ctrl-C broke off is named


class Program(click.Group):
    """The group of commands; turns what goes wrong into a short text and the right exit code."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Those of this module, in their order, then the others."""
        return [*self.commands, *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name; None if there is none."""
        if cmd_name not in COMMANDS:
            return self.commands.get(cmd_name)
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a wrong name gets the nearest right one."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            raise nearest(name, self.list_commands(ctx), "command")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with typed():
                done = super().invoke(ctx)
            sys.stdout.flush()
            return done
        except BrokenPipeError:  # who reads it has seen enough (`| head`): nobody's mistake
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except UserError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2)
        except click.BadParameter as error:  # in one line, as all other mistakes
            click.echo(f"Error: {plain_text(error.format_message())}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt as stop:
            click.echo(f"Stopped. {_kept(stop)}{_hung(stop)}", err=True)
            ctx.exit(130)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            click.echo(
                f"This is a fault of the program ({type(error).__name__}: {error}). "
                f"Please report it, with what `analyze --debug {shlex.join(sys.argv[1:])}` prints.",
                err=True,
            )
            ctx.exit(1)


def _hung(stop: KeyboardInterrupt) -> str:
    """Which policy had been asked for long without an answer, if one had."""
    from analyzer.sim.patience import hung

    where, seconds = hung(stop)
    return f"\nFor {seconds:.0f} seconds there had been no answer: {where}" if seconds >= LONG else ""


def _kept(stop: KeyboardInterrupt) -> str:
    results = getattr(stop, "results", None)
    if results is None or results.folder is None:
        return "Nothing new was finished: games are kept block by block (a smaller --block keeps more often)."
    marked = " (marked partial)" if results.meta["kind"] == "partial" else ""
    command = shlex.join(["analyze", "resume", str(results.folder)])
    games = (
        "The game finished so far is" if results.n == 1 else f"The {results.n:,} games finished so far are"
    )
    return f"{games} in {results.folder}{marked}; go on with: {command}"


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="analyze")
@click.option("--debug", is_flag=True, help="Show the full traceback of a fault of this program.")
def main(debug: bool) -> None:
    """Monte Carlo strategy analyzer for tabletop war games: win rates, combat odds, balance.

    \b
    Examples:
      analyze run moscow --players 4 --n 100000
      analyze run moscow --policies balanced,racer,blocker,spoiler
      analyze run moscow --players 2-6
      analyze resume reports/moscow-4p-0123456789
      analyze odds moscow --cards 3+4+5 --army 8
      analyze report reports/before reports/after
      analyze list
      analyze show moscow --policy-api
      analyze replay moscow --seed 1 --game 17
    """


@main.command(cls=GameCommand)
@click.argument("game")
@setup
@duplicate
@click.option("--n", type=Whole(1, 10**9), default=100_000, show_default=True, help="Games; 1e6 works.")
@click.option(
    "--precision",
    type=Share(1e-5, 0.5),
    metavar="SHARE",
    help="Instead of --n: play until every win rate is known to ±0.5 points (0.5%), say. For one setting: in "
    "a series each has as many games.",
)
@click.option("--max-n", type=Whole(1, 10**9), help="With --precision: at most so many games. [default: 1e7]")
@tolerance
@crew
@click.option(
    "--out",
    type=Folder(path_type=Path),
    metavar="FOLDER",
    help="[default: reports/<game>-<players>p-<digest>]",
)
@click.option("--no-plots", is_flag=True, help="Write tables and a page without charts.")
@click.option("--json", "as_json", is_flag=True, help="Print meta and all tables as JSON, and nothing else.")
def run(
    game: str,
    n: int,
    precision: float | None,
    max_n: int | None,
    tolerance: float | None,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Simulate GAME and report who wins, when, and why.

    \b
    A policy is written as
      balanced                          a policy of the game (see: analyze show GAME)
      balanced:courage=0.5,noise=10     ... with parameters
      mymodule:Name                     a class in a module
      path/to/file.py:Name              a class in a file

    \b
    Several values (2-6, A,B, all) make a series: n games of each setting, a report over all of them and
    one for each. What else than --players a game can be run over: analyze run GAME --help. In every game
    for two --matchups lets each policy meet each.

    A run that was stopped (Ctrl-C, or worse) goes on when the same command is given again, or by analyze
    resume FOLDER. What is finished is kept, and --n raised adds games to it; the result is that of one run
    that was never stopped.

    \b
    Examples:
      analyze run moscow --players 4 --n 1e6 --seed 7
      analyze run moscow --players 2-6 --n 50000
      analyze run moscow --matchups all --n 20000
      analyze run moscow --policies balanced,racer,blocker,spoiler:noise=5
      analyze run moscow --precision 0.5% --max-n 2e6
      analyze run moscow --policies balanced,racer --duplicate --tolerance 2%
      analyze run moscow --policy my_policies.py:Sprinter --set moscow_strength=14
    """
    # NumPy is used for small integers only: the threads of its linear algebra would cost their start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from dataclasses import replace

    from analyzer.sim.resume import Found
    from analyzer.sim.settings import ONE_PRECISION, single_words

    plan = plan_of(game, _most(n, precision, max_n), setup)
    if precision is not None and plan.many:
        raise UserError(f"--precision: {ONE_PRECISION}")
    folder = out if out is not None else plan.default_folder(Path("reports"))
    for warning in plan.warnings():
        click.echo(f"Note: {warning}", err=True)
    words = ["analyze", *sys.argv[1:]]
    found = Found(folder, plan, ({},) * len(plan.requests), {}, shlex.join(words), precision)
    if plan.many:
        singles = {one.name: single_words(words, plan.axes, one) for one in plan.settings}
        found = replace(found, commands={name: shlex.join(one) for name, one in singles.items()})
    _play(found, jobs, not no_plots, as_json, tolerance)


@main.command()
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=Folder(path_type=Path))
@click.option("--n", type=Whole(1, 10**9), help="Games in all, to add some. [default: as asked for before]")
@tolerance
@crew
@click.option("--no-plots", is_flag=True, help="Write tables and a page without charts.")
@click.option("--json", "as_json", is_flag=True, help="Print meta and all tables as JSON, and nothing else.")
def resume(
    folders: tuple[Path, ...],
    n: int | None,
    tolerance: float | None,
    jobs: int | None,
    no_plots: bool,
    as_json: bool,
) -> None:
    """Go on with the run (or series) in each FOLDER, or add games to it, and report on it.

    What is finished is kept, as far as its files are whole; the rest is played by the config, policies and
    seed that the folder tells. The result is that of one run that was never stopped, bit by bit. A policy of
    one's own must be where it was, unchanged.

    \b
    Examples:
      analyze resume reports/moscow-4p-0123456789
      analyze resume my_run --n 2e6
      analyze resume reports/*
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from analyzer.sim.resume import find

    for found in [find(folder, n) for folder in folders]:
        _play(found, jobs, not no_plots, as_json, tolerance)


def _most(n: int, precision: float | None, max_n: int | None) -> int:
    """How many games at most. Raises UserError if what was given does not go together."""
    from click.core import ParameterSource

    given = click.get_current_context().get_parameter_source("n") == ParameterSource.COMMANDLINE
    if precision is None:
        if max_n is not None:
            raise UserError(
                "--max-n is the limit of a run until a --precision; give --precision, too, or --n."
            )
        return n
    if given:
        raise UserError("Give either --n or --precision (with --max-n for the most games), not both.")
    from analyzer.sim.precision import MAX_N

    return MAX_N if max_n is None else max_n


def _play(found: Found, jobs: int | None, plots: bool, as_json: bool, tolerance: float | None) -> None:
    """Play what is left of a run or of a series, and report on it."""
    from analyzer.disk import keeping

    with keeping():  # nobody else may have the folder before its report is written
        (_series if found.plan.many else _single)(found, jobs, plots, as_json, tolerance)
    gc.freeze()  # at its end Python would look through every object of the libraries for cycles: 0.3 seconds


def _single(asked: Found, jobs: int | None, plots: bool, as_json: bool, tolerance: float | None) -> None:
    """Play one setting and report on it."""
    from analyzer import output, report
    from analyzer.sim import runner, workers

    plan, folder = asked.plan, asked.folder
    meanwhile = partial(report.preload, plan.game) if plots else None
    with output.progress(plan.n) as told:
        more = (jobs, told, asked.command, meanwhile, asked.told[0])
        if asked.precision is None:
            results = runner.run(plan.only, folder, *more)
        else:
            from analyzer.sim import precision

            results = precision.run(plan.only, asked.precision, folder, *more)
    workers.dismiss()
    found = report.of(results, tolerance)
    page = found.write(folder, plots, helpers=0 if jobs == 1 else 1)
    if as_json:
        click.echo(output.as_json(found, page))
    else:
        output.show_results(found, page)


def _series(asked: Found, jobs: int | None, plots: bool, as_json: bool, tolerance: float | None) -> None:
    """Play several settings and report on all of them, and on each as soon as it is finished."""
    from analyzer import output, report
    from analyzer.sim import settings, workers

    plan, folder = asked.plan, asked.folder
    singles = report.of_settings(folder, plots, tolerance)
    meanwhile = partial(report.preload, plan.game) if plots else None
    with output.progress(plan.n) as told:
        series = settings.play(plan, folder, jobs, told, asked.command_of, meanwhile, singles.add, asked.told)
    workers.dismiss()
    found = report.of_series(series, singles.rows, tolerance)
    page = found.write(folder, plots, helpers=0 if jobs == 1 else 1)
    if as_json:
        click.echo(output.series_as_json(found, page))
    else:
        output.show_series(found, page)


@main.command("list")
def list_() -> None:
    """List the games and their policies."""
    from analyzer import output

    output.show_games()


@main.command(cls=GameCommand)
@click.argument("game")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting (repeatable).")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A config file (YAML).")
@click.option("--policy-api", is_flag=True, help="What a policy of this game is asked, sees and scores.")
@click.option("--json", "as_json", is_flag=True, help="Print the settings as JSON.")
def show(
    game: str, settings: tuple[str, ...], config: Path | None, policy_api: bool, as_json: bool, **axes: Any
) -> None:
    """Show the settings of GAME: value, what it rests on (R rules, P published, A assumed), and range.

    \b
    Examples:
      analyze show moscow
      analyze show moscow --set moscow_strength=20
      analyze show moscow --policy-api
    """
    from analyzer import output
    from analyzer.policy_api import policy_api as told
    from analyzer.sim.settings import config_of

    if policy_api:
        click.echo(told(game))
        return
    wanted = {name.removeprefix(AXIS): value for name, value in axes.items()}
    output.show_config(config_of(game, settings, config, wanted), as_json)


@main.command()
@click.argument("what", metavar="FILE")
@click.option(
    "--game", default=None, metavar="GAME", help="The game a policy is for. [default: the only one]"
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 86_400),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a policy or a game may take for one answer before it counts as hanging.",
)
def check(what: str, game: str | None, patience: float) -> None:
    """Check a config FILE (.yaml), or a policy (file.py:Name, module:Name), or a whole game by its name.

    A policy must give legal answers by nothing but what it is shown: asked again, alone, among thousands of
    other games and after thousands of decisions it must play the same. One that hangs is named, and so is
    one that ends its process: it plays in another one.

    \b
    Examples:
      analyze check my_moscow.yaml
      analyze check my_policies.py:Sprinter --game moscow
      analyze check moscow
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in `run`
    from analyzer import checks, output

    with output.steps() as tell:
        found = checks.check(what, game, patience, tell)
    for line in found:
        click.echo(line)


@main.command(cls=GameCommand)
@click.argument("game")
@click.option(
    "--game", "index", type=Whole(0, 10**9), required=True, metavar="I", help="The game's number (0-based)."
)
@setup
@duplicate
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line: every draw, action, die and sum."
)
def replay(game: str, index: int, as_json: bool, **setup: Any) -> None:
    """Tell game number I of a run step by step; players, policies, settings and seed as in the run.

    GAME: the name of a game, or the folder of a saved run, which tells all that itself.

    \b
    Examples:
      analyze replay moscow --seed 1 --game 17
      analyze replay moscow --policies balanced,racer --players 4 --game 3 --json
      analyze replay reports/moscow-4p-0123456789 --game 17
    """
    import json

    from analyzer import registry
    from analyzer.sim.replay import of_run
    from analyzer.sim.replay import replay as play_again

    if registry.names_folder(game):
        _tells_itself(game, setup)
        request = of_run(Path(game))
    else:
        request = plan_of(game, 1, setup).single()
    told = play_again(request, index)
    if as_json:
        for record in told.records():
            click.echo(json.dumps(record, ensure_ascii=False))
    else:
        click.echo(str(told))


def _tells_itself(folder: str, setup: dict[str, Any]) -> None:
    """Raise UserError if an option was given that a saved run tells itself."""
    context = click.get_current_context()
    for param in context.command.get_params(context):
        source = context.get_parameter_source(str(param.name))
        if param.name in setup and source is click.core.ParameterSource.COMMANDLINE:
            raise UserError(
                f"{param.opts[0]} is for the name of a game; {folder} tells itself what was played."
            )


if __name__ == "__main__":
    main()
