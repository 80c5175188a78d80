"""`analyze luck GAME`: which part of who wins is the deal's, the dice's, the seat's, the policy's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import GameCommand, Whole, command_line, options, output, plan_of, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@options(
    setup,
    click.option(
        "--n", type=Whole(1, 10**9), default=100_000, show_default=True, help="Games in all, about."
    ),
    click.option("--deals", type=Whole(2, 20), default=2, show_default=True, help="Deals in a batch."),
    click.option("--dice", type=Whole(2, 20), default=2, show_default=True, help="Dice in a batch."),
    output,
)
def luck(
    game: str,
    n: int,
    deals: int,
    dice: int,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Share out what decides who wins GAME: deal, dice, the players' own lots, seat, policy.

    Every deal is played with every dice, in every seat, by every policy of the line-up: what then still
    varies belongs to one of them, or to several together. Many small batches tell more than a few large ones.
    Without --policy or --policies as many of the game's policies as there are seats take turns.

    \b
    Examples:
      analyze luck moscow --players 4
      analyze luck moscow --policies balanced,racer
      analyze luck undaunted --policies rush,block --deals 3 --dice 3
    """
    from analyzer import output as shown
    from analyzer.sim import workers
    from analyzer.studies.luck import line_up
    from analyzer.studies.luck import luck as shared_out

    if setup["policy"] is None and setup["policies"] is None and not setup.get("axis_matchups"):
        setup["policies"] = ",".join(line_up(game, setup["players"]))
    request = plan_of(game, n, setup).single()
    with shown.progress(request.n) as progress:
        study = shared_out(request, {"deal": deals, "dice": dice}, jobs, progress, command_line())
    workers.dismiss()
    tell(study, out, no_plots, as_json, jobs)
