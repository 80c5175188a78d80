"""The errors a user can meet. Everything else that escapes is a fault of ours (exit code 1)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_typed: ContextVar[bool] = ContextVar("typed", default=False)


@contextmanager
def typed() -> Iterator[None]:
    """Within it, arguments came by a command line: `argument` names them as they are typed."""
    before = _typed.set(True)
    try:
        yield
    finally:
        _typed.reset(before)


def argument(name: str) -> str:
    """An argument as whoever gave it writes it: `--policy-b` on a command line, `policy_b` in Python."""
    return f"--{name.replace('_', '-')}" if _typed.get() else name.replace("-", "_")


class UserError(Exception):
    """A mistake in what the user gave (exit code 2). Its text says what, where and what to do.

    Nothing in a name that was given (of a file, say) reaches the terminal as a command: see `plain_text`.
    """

    def __str__(self) -> str:
        return "\n".join(_shortened(plain_text(line)) for line in super().__str__().split("\n"))


class Halted(UserError):
    """A run had to end for a reason outside of it. `games`: how many it has kept, to go on with."""

    games = 0


class DiskError(Halted):
    """A file or folder cannot be written: no room, no right."""


class TeamError(Halted):
    """There is nobody to play any more: helpers died, or the scheduler is gone."""


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


class Suspected(PolicyError):
    """The same, found by what stands in for a policy and asks it: the text names the policy."""


MAX_LINE = 1000  # characters of a line of an error: enough for any list of names


def _shortened(line: str) -> str:
    """A line that is far too long without its middle: what to do stands at the end."""
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 300]} ... {line[-290:]}"


def plain_text(text: str) -> str:
    """The text with a question mark for every sign that one cannot see: controls, marks of direction, ..."""
    return text if text.isprintable() else "".join(sign if seen(sign) else "?" for sign in text)


def seen(sign: str) -> bool:
    """Whether a sign is one that a reader sees, or a space; of the latter two are wide or do not break."""
    return sign.isprintable() or sign in "\u3000\xa0"


def words_of(error: BaseException) -> str:
    """Kind and text of an exception that code of the user's own raised; its text may not even be had."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return f"{type(error).__name__} (its text cannot be had)"


def clip(text: str | None, length: int = 60) -> str:
    """A text short enough, and plain enough, to stand in an error."""
    text = text or ""
    plain = plain_text(text[: length + 1])
    return plain if len(text) <= length else plain[: length - 3] + "..."


def nearest(name: str, known: Iterable[str], what: str) -> UserError:
    """The error for a wrong name: the nearest right one first, then all of them."""
    names, name = sorted(set(known)), clip(name, 100)
    close = closest(name, names)
    hint = f" Did you mean {close!r}?" if close else ""
    return UserError(f"Unknown {what} {name!r}.{hint} Known: {', '.join(names)}.")


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that a wrong one was probably meant to be, "" if none is near."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.55)), "")
