"""The errors a user can meet. Everything else that escapes is a fault of ours (exit code 1)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """A mistake in what the user gave (exit code 2). Its text says what, where and what to do."""


class DiskError(UserError):
    """A file or folder cannot be written: no room, no right. `games`: how many a stopped run has kept."""

    games = 0


class NoPolicyOf(UserError):
    """There is no policy of this game where one was looked for."""


class UnknownArgument(UserError):
    """A keyword that is neither an argument of a function nor an axis of the game. `known`: the axes."""

    def __init__(self, name: str, known: Iterable[str], game: str) -> None:
        self.name, self.known, self.game = name, list(known), game
        super().__init__(str(nearest(name, self.known, f"argument or axis of {game}:")))

    def __reduce__(self) -> tuple[type[UnknownArgument], tuple[str, list[str], str]]:
        return UnknownArgument, (self.name, self.known, self.game)


class PolicyError(UserError):
    """A policy broke its contract: it raised, returned a wrong shape or chose an illegal action."""


def nearest(name: str, known: Iterable[str], what: str) -> UserError:
    """The error for a wrong name: the nearest right one first, then all of them."""
    names = sorted(known)
    close = closest(name, names)
    hint = f" Did you mean {close!r}?" if close else ""
    return UserError(f"Unknown {what} {name!r}.{hint} Known: {', '.join(names)}.")


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that a wrong one was probably meant to be, "" if none is near."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.55)), "")
