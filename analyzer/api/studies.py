"""Studies from Python: questions beyond one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.api.arguments import Settings, tells_its_arguments

if TYPE_CHECKING:
    from analyzer.games.base import Policy
    from analyzer.sim.request import Request
    from analyzer.studies.study import Study


@tells_its_arguments
def compare(
    game: str,
    players: int | None = None,
    n: int = 100_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    duplicate: bool = False,
    *,
    set_b: Settings = (),
    config_b: Path | str | None = None,
    policy_b: str | Policy | type[Policy] | None = None,
    policies_b: str | Sequence[str | Policy | type[Policy]] | None = None,
    one_seat: bool = False,
    sprt: tuple[float, float] | str | None = None,
    measure: str = "",
    tolerance: float | str | None = None,
    **axes: object,
) -> Study:
    """A against B on the same deals and dice: does a rule matter, or a policy? n games of each.

    A is what the arguments without `_b` say, as in `run`; B is the same but for those with `_b` (axes too:
    `scenario_b=`). set_b is laid over `set`.
    one_seat: B changes to `policy_b` in one seat only, in each seat in its turn: the gain of switching.
    sprt: (low, high), stop as soon as the difference is rather one than the other; n is the most then.
    measure: the row that is tested and told first ("seat 1", "nobody wins", ...).
    tolerance: differences up to this (0.02: 2 points) count as none; brings verdicts. Not with sprt: their
        errors hold for games whose number was fixed before.

    The Study has tables "differences" and "lengths" (B less A, with intervals, what the common luck was
    worth, and the smallest effect so many games can see), words and charts; `study.write(folder)` makes the
    page. Raises analyzer.errors.UserError for anything wrong in the arguments or in a policy.
    """
    from analyzer.studies import compare as study

    question = study.ask(
        game, players=players, n=n, policies=policies, policy=policy, seed=seed, settings=set, config=config,
        block=block, duplicate=duplicate, set_b=set_b, config_b=config_b, policy_b=policy_b,
        policies_b=policies_b, one_seat=one_seat, sprt=sprt, measure=measure, tolerance=tolerance, axes=axes,
    )  # fmt: skip
    return study.run(question, jobs, progress)


@tells_its_arguments
def tournament(
    game: str,
    players: int | None = None,
    n: int = 4000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    mixed: int = 60,
    **axes: object,
) -> Study:
    """Everybody against everybody: payoffs, ratings, cycles, equilibrium, dominated policies.

    n: games a pairing (two players) or a line-up. policies: who takes part (default: all of the game; where
    `axes` pair things off, as decks="all" does, its own policy alone). mixed: for more than two players,
    line-ups of many policies at most. Everything else as in `run`.
    """
    from analyzer.studies import lineups
    from analyzer.studies import tournament as study

    field = lineups.field(game, players, n, policies, seed, set, config, block, axes, mixed)
    return study.play(field, jobs, progress).study()


@tells_its_arguments
def sweep(
    game: str,
    over: Mapping[str, object] | Iterable[str],
    players: int | None = None,
    n: int = 10_000,
    policies: str | Sequence[str] | None = None,
    policy: str | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """The game at many values of one setting or two, on the same deals and dice.

    over: key -> values, {"moscow_strength": "12:20:2"}, {"policy.courage": [0.3, 0.6]}; `policy.` is the
    first of `policies`, or the one in all seats. n: games a point. Everything else as in `run`.
    """
    from analyzer.studies import grid
    from analyzer.studies import sweep as study

    asked = grid.grid(game, over, players, n, policies, policy, seed, set, config, block, axes)
    return study.play(asked, jobs, progress).study()


@tells_its_arguments
def assumptions(
    game: str,
    samples: int = 64,
    players: int | None = None,
    n: int = 2000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    only: str | Sequence[str] = (),
    design: str = "latin",
    **axes: object,
) -> Study:
    """All assumptions of a game varied together over their plausible ranges, on the same luck: which findings
    hold everywhere, which turn, which assumption drives what.

    samples: points of a Latin hypercube (design="sobol": a power of 2, times assumptions + 2); n: games each;
    only: keys to vary, or what they begin with. Everything else as in `run`.
    """
    from analyzer.studies import assumptions as study
    from analyzer.studies import guesses

    asked = guesses.samples(
        game, samples, players, n, policies, policy, seed, set, config, block, axes, only, design
    )
    return study.play(asked, jobs, progress).study()


@tells_its_arguments
def panel(
    game: str,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    players: int | None = None,
    n: int = 10_000,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    tolerance: float | str = 0.02,
    **axes: object,
) -> Study:
    """The verdicts on the seats under `policy`, repeated with each of `policies` (default: all of the game)
    in all seats; those that flip are marked. n: games a policy. Everything else as in `run`."""
    from analyzer.studies import panel as study

    asked = study.members(game, policies, players, n, policy, seed, set, config, block, axes, tolerance)
    return study.play(asked, jobs, progress).study()


@tells_its_arguments
def cards(
    game: str,
    players: int | None = None,
    n: int = 20_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    cards: str | Sequence[str] = (),
    copies: int | None = None,
    force: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """What goes with each card or unit of a game, and what changes without it, on the same luck.

    n: games of each setting. cards: their names (or one text with commas), all unless given. copies: how many
    more (or, negative, less) of each; without it, none at all. force: also games in which the card is forced
    into an opening hand. All else as in `run`.
    """
    from analyzer.specs import names_in
    from analyzer.studies.cards import cards as study

    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    command = f"analyzer.cards({game!r}, n={n}, seed={seed})"
    return study(asked, copies, names_in(cards), jobs, progress, command, force)


@tells_its_arguments
def luck(
    game: str,
    players: int | None = None,
    n: int = 100_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    deals: int = 2,
    dice: int = 2,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """Which part of who wins is the deal's, the dice's, the seat's, the policy's.

    n: games in all, about. deals, dice: how many of each are crossed in a batch. Without policies, as many of
    the game's as there are seats take turns. All else as in `run`.
    """
    from analyzer.studies.luck import line_up
    from analyzer.studies.luck import luck as study

    if policies is None and policy is None and "matchups" not in axes:
        policies = line_up(game, players)
    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    levels = {"deal": deals, "dice": dice}
    return study(asked, levels, jobs, progress, f"analyzer.luck({game!r}, n={n}, seed={seed})")


@tells_its_arguments
def story(
    game: str,
    players: int | None = None,
    n: int = 20_000,
    policies: str | Sequence[str | Policy | type[Policy]] | None = None,
    policy: str | Policy | type[Policy] | None = None,
    seed: int = 1,
    set: Settings = (),
    config: Path | str | None = None,
    jobs: int | None = None,
    block: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **axes: object,
) -> Study:
    """When a game is decided, how often the lead changes, who comes back, who can do nothing; as `run`."""
    from analyzer.studies.story import story as study

    asked = _single(game, players, n, policies, policy, seed, set, config, block, axes)
    return study(asked, jobs, progress, f"analyzer.story({game!r}, n={n}, seed={seed})")


def _single(
    game: str,
    players: object,
    n: int,
    policies: object,
    policy: object,
    seed: int,
    set: Settings,
    config: object,
    block: int | None,
    axes: Mapping[str, object],
) -> Request:
    """The request of these arguments, which must ask for one setting only."""
    from analyzer.sim import settings

    return settings.plan(game, players, n, policies, policy, seed, set, config, block, axes).single()
