"""What the options of the command line are made of: numbers, folders, and those that a game brings along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from analyzer.axes import Axis

F = TypeVar("F", bound=Callable[..., Any])

AXES, AXIS = "analyzer.axes", "axis_"  # key in a context's meta; what the names of axis parameters begin with


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


class Folder(click.Path):
    """A folder to write to. An empty name is none: it would be taken for the present folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail(f"{str(value)!r} is the name of no folder.", param, ctx)
        return super().convert(value, param, ctx)


class GameCommand(click.Command):
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
        if not game:
            return []
        from analyzer import registry

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


def options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order in the help."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add
