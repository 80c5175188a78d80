"""`analyze assumptions`: which of my guesses matter?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import AXIS, GameCommand, Whole, command_line, output, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@setup
@click.option(
    "--samples", type=Whole(8, 4096), default=64, show_default=True, help="Samples of all assumptions."
)
@click.option("--n", type=Whole(2, 10**8), default=2000, show_default=True, help="Games a sample.")
@click.option(
    "--only", default="", metavar="KEY,...", help="Vary only these assumptions (or what begins so)."
)
@click.option(
    "--design",
    default="latin",
    show_default=True,
    metavar="latin|sobol",
    help="sobol plays samples x (assumptions + 2) and gives shares of variance.",
)
@output
def assumptions(
    game: str,
    samples: int,
    n: int,
    only: str,
    design: str,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Vary all assumptions of GAME ([A] in `analyze show GAME`) over their plausible ranges, together: which
    findings hold everywhere, which turn, and which guess drives what. The same deals and dice everywhere.

    \b
    Examples:
      analyze assumptions moscow
      analyze assumptions moscow --samples 256 --n 4000 --players 4
      analyze assumptions eastfront --only cards.german,go_on
      analyze assumptions undaunted --scenario 1 --design sobol --samples 16
    """
    from functools import partial

    from analyzer import output as shown
    from analyzer import report
    from analyzer.sim import workers
    from analyzer.studies import assumptions as study
    from analyzer.studies import guesses

    axes = {name.removeprefix(AXIS): value for name, value in setup.items() if name.startswith(AXIS)}
    asked = guesses.samples(
        game,
        samples,
        setup["players"],
        n,
        setup["policies"],
        setup["policy"],
        setup["seed"],
        setup["settings"],
        setup["config"],
        setup["block"],
        axes,
        only,
        design,
    )
    meanwhile = None if no_plots else partial(report.preload, game)
    with shown.progress(n * (len(asked.requests) + 1)) as progress:
        found = study.play(asked, jobs, progress, meanwhile)
    workers.dismiss()
    tell(found.study(command_line()), out, no_plots, as_json, jobs)
