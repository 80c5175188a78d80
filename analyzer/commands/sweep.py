"""`analyze sweep`: how does the game change with a setting, or with a policy's parameter?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import AXIS, GameCommand, Whole, command_line, output, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@click.option(
    "--over",
    multiple=True,
    required=True,
    metavar="KEY=VALUES",
    help="Key and values: from:to:step or value,value,...; once, or twice for a grid.",
)
@setup
@click.option("--n", type=Whole(2, 10**8), default=10_000, show_default=True, help="Games a point.")
@output
def sweep(
    game: str,
    over: tuple[str, ...],
    n: int,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Play GAME at many values of a setting, on the same deals and dice: curves, or a heat map for two keys.

    A key is a setting (`analyze show GAME` lists them) or `policy.` and a parameter of the policy
    (`analyze list`): of all seats with --policy, of the first one with --policies.

    \b
    Examples:
      analyze sweep moscow --over moscow_strength=12:20:2
      analyze sweep moscow --over moscow_strength=12:20:4 --over out_of_supply=lose_turn,lose_division
      analyze sweep moscow --policies balanced,racer --over policy.courage=0.3:0.9:0.1
      analyze sweep kraskar --policies balanced,balanced --over policy.press=0:1:0.25 --n 4000
    """
    from functools import partial

    from analyzer import output as shown
    from analyzer import report
    from analyzer.sim import workers
    from analyzer.studies import grid
    from analyzer.studies import sweep as study

    axes = {name.removeprefix(AXIS): value for name, value in setup.items() if name.startswith(AXIS)}
    asked = grid.grid(
        game,
        over,
        setup["players"],
        n,
        setup["policies"],
        setup["policy"],
        setup["seed"],
        setup["settings"],
        setup["config"],
        setup["block"],
        axes,
    )
    meanwhile = None if no_plots else partial(report.preload, game)
    with shown.progress(asked.base.n + sum(one.n for one in asked.requests)) as progress:
        found = study.play(asked, jobs, progress, meanwhile)
    workers.dismiss()
    tell(found.study(command_line()), out, no_plots, as_json, jobs)
