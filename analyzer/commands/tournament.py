"""`analyze tournament`: which strategy should I fear?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analyzer.commands.options import AXIS, GameCommand, Whole, command_line, options, output, tell

setup = options(
    click.option("--players", metavar="K", help="Seats at a table. [default: 4, or 2 where decks meet]"),
    click.option(
        "--policies",
        metavar="P1,P2,...",
        help="Who takes part. [default: all policies of the game; where things are paired off, its own]",
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


@click.command(cls=GameCommand)
@click.argument("game")
@setup
@click.option(
    "--n", type=Whole(2, 10**8), default=4000, show_default=True, help="Games a pairing or line-up."
)
@click.option(
    "--mixed",
    type=Whole(0, 2000),
    default=60,
    show_default=True,
    help="For more than two players: line-ups of many policies at most (a balanced sample).",
)
@output
def tournament(
    game: str,
    players: str | None,
    policies: str | None,
    settings: tuple[str, ...],
    config: Path | None,
    seed: int,
    block: int | None,
    n: int,
    mixed: int,
    jobs: int | None,
    out: Path | None,
    no_plots: bool,
    as_json: bool,
    **axes: Any,
) -> None:
    """Everybody against everybody in GAME: payoffs, ratings, cycles, equilibrium, dominated policies.

    Two players: every pairing, in both seats. More: line-ups in which the policies take turns in all seats.

    \b
    Examples:
      analyze tournament moscow --players 2
      analyze tournament moscow --players 4 --policies balanced,racer,blocker,balanced:noise=5
      analyze tournament kraskar --decks all --n 1000
      analyze tournament undaunted --scenario 1 --policies rush,block,my_policy.py:Sniper
    """
    from functools import partial

    from analyzer import output as shown
    from analyzer import report
    from analyzer.sim import workers
    from analyzer.studies import lineups
    from analyzer.studies import tournament as study

    wanted = {name.removeprefix(AXIS): value for name, value in axes.items()}
    field = lineups.field(game, players, n, policies, seed, settings, config, block, wanted, mixed)
    meanwhile = None if no_plots else partial(report.preload, game)
    with shown.progress(sum(one.n for one in field.requests)) as progress:
        found = study.play(field, jobs, progress, meanwhile)
    workers.dismiss()
    tell(found.study(command_line()), out, no_plots, as_json, jobs)
