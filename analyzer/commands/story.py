"""`analyze story GAME`: when a game is decided, who leads, who comes back, who can do nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import GameCommand, Whole, command_line, options, output, plan_of, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@options(
    setup,
    click.option("--n", type=Whole(1, 10**9), default=20_000, show_default=True, help="Games, 20 to 50,000."),
    output,
)
def story(
    game: str, n: int, jobs: int | None, out: Path | None, no_plots: bool, as_json: bool, **setup: Any
) -> None:
    """Tell the story of GAME: when it is decided, lead changes, come-backs, idle turns.

    The score of every seat at the end of every round tells who leads, and out of the games themselves how
    likely a lead wins. What counts as the score is declared by the game; the report says it.

    \b
    Examples:
      analyze story moscow --players 4
      analyze story moscow --policies balanced,racer,blocker,spoiler --n 50000
      analyze story kraskar --policies siege,defender
    """
    from analyzer import output as shown
    from analyzer.sim import workers
    from analyzer.studies.story import check
    from analyzer.studies.story import story as told

    request = plan_of(game, n, setup).single()
    check(request)
    with shown.progress(request.n) as progress:
        study = told(request, jobs, progress, command_line())
    workers.dismiss()
    tell(study, out, no_plots, as_json, jobs)
