"""What is known without playing, from Python: games, their policies, exact odds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.api.arguments import Settings

if TYPE_CHECKING:
    from analyzer.answers import Answer
    from analyzer.games.base import Policy


def games() -> list[str]:
    """The names of all games."""
    from analyzer import registry

    return registry.game_names()


def policies(game: str) -> dict[str, type[Policy]]:
    """The policies of a game by name; their fields are their parameters."""
    from analyzer import registry

    return registry.policies_of(game)


def odds(
    game: str,
    question: str | None = None,
    *,
    set: Settings = (),
    config: Path | str | None = None,
    **parameters: object,
) -> Answer:
    """The exact answer to a question of a game: `print` it, or take `table`, `finding`, `words`, `figure()`.

    question: see `analyze odds GAME`; without one, the first that has all the parameters given.
    set, config: as in `run`; the odds follow them (other dice, other strengths).
    parameters: those of the question; texts as in the command, or values such as cards=[3, 4, 5] and
        germans={"tiger": 1}.

    Raises analyzer.errors.UserError for anything wrong in them: the nearest right name, or what is allowed.
    """
    from analyzer import questions

    return questions.ask(game, question, parameters, set, config)
