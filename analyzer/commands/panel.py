"""`analyze panel`: does the verdict depend on who plays?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import AXIS, GameCommand, Share, Whole, command_line, output, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@setup
@click.option("--n", type=Whole(2, 10**8), default=10_000, show_default=True, help="Games a policy.")
@click.option(
    "--tolerance",
    type=Share(1e-4, 0.5),
    default="2%",
    show_default=True,
    help="A difference that still is balance.",
)
@output
def panel(
    game: str,
    n: int,
    tolerance: float,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Repeat the verdicts on the seats of GAME (is one favoured? by how much?) with each policy of a panel in
    all seats, and mark those that flip. --policy is put to the test, --policies are the panel.

    \b
    Examples:
      analyze panel moscow --players 4
      analyze panel undaunted --scenario 1 --tolerance 3%
      analyze panel kraskar --policy siege --policies hunter,defender,balanced:noise=6 --n 4000
    """
    from functools import partial

    from analyzer import output as shown
    from analyzer import report
    from analyzer.sim import workers
    from analyzer.studies import panel as study

    axes = {name.removeprefix(AXIS): value for name, value in setup.items() if name.startswith(AXIS)}
    asked = study.members(
        game,
        setup["policies"],
        setup["players"],
        n,
        setup["policy"],
        setup["seed"],
        setup["settings"],
        setup["config"],
        setup["block"],
        axes,
        tolerance,
    )
    meanwhile = None if no_plots else partial(report.preload, game)
    with shown.progress(sum(one.n for one in asked.requests)) as progress:
        found = study.play(asked, jobs, progress, meanwhile)
    workers.dismiss()
    tell(found.study(command_line()), out, no_plots, as_json, jobs)
