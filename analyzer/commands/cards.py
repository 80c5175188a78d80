"""`analyze cards GAME`: what a card goes with, and what changes without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import GameCommand, Whole, command_line, options, output, plan_of, setup, tell


@click.command(cls=GameCommand)
@click.argument("game")
@options(
    setup,
    click.option("--n", type=Whole(1, 10**9), default=20_000, show_default=True, help="Games a setting."),
    click.option(
        "--cards", "named", default="", metavar="C1,C2,...", help="Only these cards. [default: all]"
    ),
    click.option(
        "--copies",
        type=int,
        metavar="K",
        help="Copies more (+1) or less (-1) of each card. [default: without it]",
    ),
    click.option(
        "--force/--no-force",
        default=True,
        show_default=True,
        help="Play each card also forced into an opening hand: half of the time.",
    ),
    output,
)
def cards(
    game: str,
    n: int,
    named: str,
    copies: int | None,
    force: bool,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **setup: Any,
) -> None:
    """Set beside each other what a card of GAME goes with and what changes without it.

    Winners may play a card because they win. So the same games are played again on the same luck, without
    each card (or with a copy more or less), and with the card forced into an opening hand: the differences
    are what the card does.

    \b
    Examples:
      analyze cards moscow --players 4
      analyze cards moscow --cards "advance 200,reorganise" --copies -1
      analyze cards undaunted --cards "US SLA,DE SLA" --n 5000
    """
    from analyzer import output as shown
    from analyzer.sim import workers
    from analyzer.specs import names_in
    from analyzer.studies.cards import cards as compared

    request = plan_of(game, n, setup).single()
    with shown.progress(request.n) as progress:
        study = compared(request, copies, names_in(named), jobs, progress, command_line(), force)
    workers.dismiss()
    tell(study, out, no_plots, as_json, jobs)
