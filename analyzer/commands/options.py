"""What commands have in common: kinds of options, the options of a game's setup, the axes of a game."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from analyzer.errors import UserError

if TYPE_CHECKING:
    from analyzer.axes import Axis
    from analyzer.sim.settings import Plan
    from analyzer.studies.study import Study

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.ParamType[int] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """A whole number in a range, written 1000000, 1_000_000 or 1e6."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from decimal import Decimal, InvalidOperation

        allowed = f"a whole number from {self.low} to {self.high:,}"
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            self.fail(f"{value!r} is not {allowed}.", param, ctx)
        if not number.is_finite() or not self.low <= number <= self.high or number != int(number):
            self.fail(f"{value!r} is not {allowed}.", param, ctx)
        return int(number)


class Share(click.ParamType[float] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """A share in a range, written 2% or 0.02."""

    name = "share"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from analyzer.specs import share

        name = "the share" if param is None else f"--{param.name}"
        return share(value, name, self.low, self.high)


class FileName(click.Path):
    """A file to write to. An empty name is none: it would be taken for the present folder."""

    what = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail(f"{str(value)!r} is the name of no {self.what}.", param, ctx)
        return super().convert(value, param, ctx)


class Folder(FileName):
    """A folder to write to, as `FileName`."""

    what = "folder"


class Command(click.Command):
    """A command that refuses an option given twice, where only one of the values would count."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        met = set()
        for one in given:
            if isinstance(one, click.Option) and not (one.multiple or one.is_flag or one.count):
                if one.name in met:
                    raise UserError(f"{one.opts[0]} is given twice; give it once.")
                met.add(one.name)
        return super().parse_args(ctx, args)


class GameCommand(Command):
    """A command on a GAME: it has the options of that game's own axes, too (`--scenario`, `--decks`) and
    those that every game for two has (`--matchups`)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[AXES] = self._axes(args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, then one option an axis of the game that was named."""
        found: list[Axis] = ctx.meta.get(AXES, [])
        own: list[click.Parameter] = [
            click.Option(
                [f"--{axis.name}", f"{AXIS}{axis.keyword}"], metavar="V1,V2,...", help=f"{axis.about}."
            )
            for axis in found
        ]
        return [*super().get_params(ctx), *own]

    def _axes(self, args: list[str]) -> list[Axis]:
        """The axes of the game named in these words, without its players: they are an option anyway."""
        game = self._game(args)
        from analyzer import registry

        if not game or registry.names_folder(game):
            return []
        return [axis for axis in registry.axes(game) if axis.name != registry.PLAYERS]

    def _game(self, args: list[str]) -> str:
        """The first word that is neither an option nor the value of one, "" if there is none."""
        flags = {"--help", "-h"}
        for param in self.params:
            flags.update(param.opts if isinstance(param, click.Option) and param.is_flag else ())
        words = iter(args)
        for word in words:
            if not word.startswith("-"):
                return word
            if word not in flags and "=" not in word:
                next(words, None)
        return ""


AXES, AXIS = "analyzer.axes", "axis_"  # key in a context's meta; what the names of axis parameters begin with


def options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order in the help."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


setup = options(
    click.option(
        "--players", metavar="K", help="Number of players, or 2-6 or 2,4. [default: 4, or one a policy]"
    ),
    click.option("--policy", metavar="P", help="The policy of all seats. [default: the game's own]"),
    click.option(
        "--policies", metavar="P1,P2,...", help="Policies by seat; they are rotated through all seats."
    ),
    click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting (repeatable)."
    ),
    click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A config file (YAML)."),
    click.option(
        "--seed", type=Whole(0, 2**63 - 1), default=1, show_default=True, help="Seed of all chance."
    ),
    click.option("--block", type=Whole(1, 2**18), help="Games in lockstep. [default: mostly 100000]"),
)

duplicate = click.option(
    "--duplicate", is_flag=True, help="Play each deal, with its dice, in all rotations of the policies."
)


def plan_of(game: str, n: int, setup: dict[str, Any]) -> Plan:
    """What was asked for with the options of `setup` and of the game's axes. Raises UserError."""
    from analyzer.sim.settings import plan

    axes = {name.removeprefix(AXIS): value for name, value in setup.items() if name.startswith(AXIS)}
    return plan(
        game,
        setup["players"],
        n,
        setup["policies"],
        setup["policy"],
        setup["seed"],
        setup["settings"],
        setup["config"],
        setup["block"],
        axes,
        setup.get("duplicate", False),
    )


def _backend(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Play by the backend that was asked for, once both options of it are known, until the command ends."""
    asked = ctx.meta.setdefault(BACKEND, {})
    asked[param.name] = value
    if len(asked) < 2 or not any(asked.values()):
        return
    from analyzer.sim import backends

    if asked["backend"] is None:
        raise UserError("--scheduler is of a backend; give --backend dask or --backend ray, too.")
    ctx.with_resource(backends.use(asked["backend"], asked["scheduler"]))


BACKEND = "analyzer.backend"  # key in a context's meta

crew = options(
    click.option(
        "--jobs", type=Whole(1, 1024), help="Processes; no influence on results. [default: one a core]"
    ),
    click.option(
        "--backend",
        metavar="loky|threading|dask|ray",
        expose_value=False,
        callback=_backend,
        help="Who plays: processes, threads, a cluster's workers; no influence on results. [default: loky]",
    ),
    click.option(
        "--scheduler",
        metavar="HOST:PORT",
        expose_value=False,
        callback=_backend,
        help="Address of a dask scheduler or ray cluster (see: analyzer/sim/backends.md).",
    ),
)

tolerance = click.option(
    "--tolerance",
    type=Share(1e-4, 0.5),
    metavar="SHARE",
    help="Say of each seat and policy whether it is balanced: within 2 points (2%) of its fair share, say.",
)

output = options(
    crew,
    click.option(
        "--out", type=Folder(path_type=Path), metavar="FOLDER", help="[default: reports/<command>-<game>-...]"
    ),
    click.option("--no-plots", is_flag=True, help="Write tables and a page without charts."),
    click.option(
        "--json", "as_json", is_flag=True, help="Print meta and all tables as JSON, and nothing else."
    ),
)


def tell(study: Study, out: Path | None, no_plots: bool, as_json: bool, jobs: int | None = None) -> None:
    """Write the study's page and files, and print what it found."""
    from analyzer import output as shown

    folder = out if out is not None else Path("reports") / study.folder_name()
    page = study.write(folder, not no_plots, helpers=0 if jobs == 1 else 1)
    if as_json:
        click.echo(shown.study_as_json(study, page))
    else:
        shown.show_study(study, page)


def command_line() -> str:
    """This command as it was typed, for reports."""
    return shlex.join(["analyze", *sys.argv[1:]])
