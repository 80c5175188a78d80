"""`analyze compare`: does a change matter?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.commands.options import (
    AXES,
    AXIS,
    GameCommand,
    Whole,
    command_line,
    duplicate,
    output,
    setup,
    tell,
    tolerance,
)

if TYPE_CHECKING:
    from analyzer.axes import Axis


class CompareCommand(GameCommand):
    """It has the options of the game's axes twice: for both sides, and (`--scenario-b`) for B alone."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        found: list[Axis] = ctx.meta.get(AXES, [])
        twins: list[click.Parameter] = [
            click.Option(
                [f"--{axis.name}-b", f"{AXIS}{axis.keyword}_b"], metavar="V", help=f"B: {axis.about}."
            )
            for axis in found
        ]
        return [*super().get_params(ctx), *twins]


class Bounds(click.ParamType[tuple[float, float]] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """Two shares, written 0%,2% or 0,0.02."""

    name = "bounds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        from analyzer.studies.compare import bounds

        return bounds(value)


@click.command(cls=CompareCommand)
@click.argument("game")
@setup
@duplicate
@click.option(
    "--set-b", "set_b", multiple=True, metavar="KEY=VALUE", help="B: change a setting (repeatable)."
)
@click.option("--config-b", type=click.Path(path_type=Path), metavar="FILE", help="B: a config file (YAML).")
@click.option("--policy-b", metavar="P", help="B: the policy of all seats (or, with --one-seat, of one).")
@click.option("--policies-b", metavar="P1,P2,...", help="B: policies by seat.")
@click.option(
    "--one-seat", is_flag=True, help="B: only one seat changes to --policy-b; each seat in its turn."
)
@click.option(
    "--n",
    type=Whole(1, 10**9),
    default=100_000,
    show_default=True,
    help="Games a side; with --sprt, at most.",
)
@click.option(
    "--sprt",
    type=Bounds(),
    metavar="LOW,HIGH",
    help="Stop when the difference is told to be LOW rather than HIGH (0%,2%), or the other way round: games "
    "come in pieces, 2,000 a side at first, then twice as many. Not with --tolerance: its verdicts hold "
    "for a number of games fixed before.",
)
@click.option(
    "--measure",
    default="",
    metavar="ROW",
    help="The main row: 'seat 1', 'nobody wins', ... [default: the first]",
)
@tolerance
@output
def compare(
    game: str,
    set_b: Sequence[str],
    config_b: Path | None,
    policy_b: str | None,
    policies_b: str | None,
    one_seat: bool,
    n: int,
    sprt: tuple[float, float] | None,
    measure: str,
    tolerance: float | None,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Compare A with B on the same luck: does a rule matter, or a policy?

    A is what the options without -b say. B is the same but for what the options with -b say: a setting, a
    config, a policy in all seats or (--one-seat) in one seat while the others keep theirs, through all seats.
    Both play the same deals and dice, so that few games show small differences.

    \b
    Examples:
      analyze compare moscow --set-b moscow_strength=14
      analyze compare moscow --config my.yaml --config-b yours.yaml --tolerance 2%
      analyze compare moscow --policy balanced --policy-b racer
      analyze compare moscow --policy balanced --policy-b racer --one-seat
      analyze compare moscow --policy balanced --policy-b racer --one-seat --sprt 0%,1% --n 1e6
      analyze compare moscow --policies balanced,racer --set-b deck.reorganise=8 --measure racer
    """
    from analyzer import output as shown
    from analyzer.sim import workers
    from analyzer.studies import compare as study

    axes = {name.removeprefix(AXIS): value for name, value in setup.items() if name.startswith(AXIS)}
    question = study.ask(
        game,
        players=setup["players"],
        n=n,
        policies=setup["policies"],
        policy=setup["policy"],
        seed=setup["seed"],
        settings=setup["settings"],
        config=setup["config"],
        block=setup["block"],
        duplicate=setup["duplicate"],
        set_b=set_b,
        config_b=config_b,
        policy_b=policy_b,
        policies_b=policies_b,
        one_seat=one_seat,
        sprt=sprt,
        measure=measure,
        tolerance=tolerance,
        axes=axes,
    )
    with shown.progress(question.n) as told:
        found = study.run(question, jobs, told, command_line())
    workers.dismiss()
    tell(found, out, no_plots, as_json, jobs)
