"""Questions about a game that have an exact answer: a game declares them as data, `analyze odds` asks them.

    QUESTIONS = (
        Question("fight", "the chance to beat a Red Army", answer=fight, example="--attack 12 --army 8",
                 parameters=(Number("attack", "sum of the cards", low=1, high=200), Flag("river", "..."))),
    )

in the module `odds_questions` of a room gives `analyze odds GAME fight --attack 12 --river` and
`analyzer.odds(GAME, "fight", attack=12, river=True)`. Nothing heavy is imported here or there: an answer at
the table must not wait for NumPy. `answer(rules, **values)` gives an `answers.Answer`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry
from analyzer.axes import key_of
from analyzer.errors import UserError, argument, closest, nearest

if TYPE_CHECKING:
    from analyzer.answers import Answer

MODULE = "odds_questions"  # of a game's room
# What the command and the function have for every game; no parameter may be called so.
RESERVED = frozenset({"game", "question", "set", "config", "json", "csv", "plot", "out", "help"})

Names = Callable[[Any], Sequence[str] | Mapping[str, Sequence[str]]]


# ---------------------------------------------------------------- parameters


@dataclass(frozen=True)
class Parameter:
    """Something a question depends on: an option `--name`, a keyword `name`.

    name: lower case, words joined by dashes. about: one line for the help. default: a value as `read` gives
    it; None is "not given".
    """

    name: str
    about: str
    default: Any = None

    metavar = "VALUE"

    @property
    def keyword(self) -> str:
        """The name as Python has it."""
        return self.name.replace("-", "_")

    def read(self, given: object, rules: Any) -> Any:
        """The value of what was given, a text or a value of Python. Raises UserError if it is none."""
        raise NotImplementedError

    def wrong(self, given: object, allowed: str) -> UserError:
        """The error for a value that is not allowed."""
        return UserError(f"{argument(self.name)}: {_shown(given)} is not allowed; {allowed}.")


@dataclass(frozen=True)
class Number(Parameter):
    """A whole number in a range; `most` reads its upper end from the rules instead."""

    low: int = 0
    high: int = 100
    most: Callable[[Any], int] | None = None

    metavar = "N"

    def read(self, given: object, rules: Any) -> int:
        """As in the base class."""
        high = self.high if self.most is None else self.most(rules)
        value = _whole(given)
        if value is None or not self.low <= value <= high:
            raise self.wrong(given, f"a whole number from {self.low} to {high}")
        return value


@dataclass(frozen=True)
class Share(Parameter):
    """A chance above 0, at most 1: 0.8, 4/5 or 80%."""

    metavar = "CHANCE"

    def read(self, given: object, rules: Any) -> Fraction:
        """As in the base class."""
        text = str(given).strip()
        try:
            value = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
        except (ValueError, ZeroDivisionError, OverflowError):
            value = Fraction(0)
        if not 0 < value <= 1:
            raise self.wrong(given, "a chance above 0 and at most 1, such as 0.8, 4/5 or 80%")
        return value


@dataclass(frozen=True)
class Flag(Parameter):
    """Something that is so or not."""

    default: bool = False

    def read(self, given: object, rules: Any) -> bool:
        """As in the base class."""
        if not isinstance(given, bool):
            raise self.wrong(given, "True or False")
        return given


@dataclass(frozen=True)
class Choice(Parameter):
    """One of the names that the rules know; as a mapping, name -> other ways to write it.

    Case, spaces, dashes and underscores make no difference.
    """

    names: Names = lambda _: ()
    what: str = ""

    metavar = "NAME"

    def read(self, given: object, rules: Any) -> str:
        """As in the base class."""
        return _named(str(given), self.names(rules), self.what or self.name)


@dataclass(frozen=True)
class Numbers(Parameter):
    """Several whole numbers in a range, joined by + or commas: 3+4+5."""

    low: int = 0
    high: int = 100
    most: int = 30

    metavar = "N+N+..."

    def read(self, given: object, rules: Any) -> tuple[int, ...]:
        """As in the base class."""
        parts = re.split(r"[+,]", given) if isinstance(given, str) else _listed(given)
        values = [_whole(part) for part in parts]
        if not values or len(values) > self.most or any(v is None for v in values):
            raise self.wrong(given, f"1 to {self.most} whole numbers joined by +, such as 3+4+5")
        found = tuple(v for v in values if v is not None)
        if not all(self.low <= v <= self.high for v in found):
            raise self.wrong(given, f"each a whole number from {self.low} to {self.high}")
        return found


@dataclass(frozen=True)
class Counts(Parameter):
    """How many of each: `panther:2,pak_40` (2 and 1), in Python also {"panther": 2, "pak_40": 1}.

    most: name -> how many there are, from the rules; without it any up to `high`.
    """

    names: Names = lambda _: ()
    what: str = ""
    high: int = 30
    most: Callable[[Any], Mapping[str, int]] | None = None

    metavar = "NAME:N,..."

    def read(self, given: object, rules: Any) -> dict[str, int]:
        """As in the base class."""
        pairs = given.items() if isinstance(given, Mapping) else map(self._pair, self._parts(given))
        limits = {} if self.most is None else self.most(rules)
        found: dict[str, int] = {}
        for name, count in pairs:
            known, number = _named(str(name), self.names(rules), self.what or self.name), _whole(count)
            high = limits.get(known, self.high)
            before = found.get(known, 0)
            if number is None or number < 0 or before + number > high:
                told = f"{before} + {count}" if before else count  # named more than once: added up
                raise self.wrong(told, f"of {known}: a whole number from 0 to {high}")
            found[known] = before + number
        return found

    def _parts(self, given: object) -> list[str]:
        parts = given.split(",") if isinstance(given, str) else [str(part) for part in _listed(given)]
        if not all(part.strip() for part in parts):
            raise self.wrong(given, "NAME:N, several joined by commas")
        return parts

    def _pair(self, part: str) -> tuple[str, str]:
        name, _, count = part.partition(":")
        return name, count if count.strip() else "1"


def _whole(given: object) -> int | None:
    """A whole number, None if it is none."""
    if isinstance(given, bool):
        return None
    text = str(given).strip()
    return int(text) if re.fullmatch(r"[-+]?\d{1,9}", text) else None


def _listed(given: object) -> list[Any]:
    return list(given) if isinstance(given, Iterable) else [given]


def _named(text: str, known: Sequence[str] | Mapping[str, Sequence[str]], what: str) -> str:
    """The name that a text stands for; its beginning is enough if no other name begins so.

    Raises UserError with the nearest right name.
    """
    written = {key_of(name): name for name in known}
    if isinstance(known, Mapping):
        written |= {key_of(other): name for name, others in known.items() for other in others}
    key = key_of(text)
    begun = {name for other, name in written.items() if key and other.startswith(key)}
    if key in written or len(begun) == 1:
        return written.get(key) or begun.pop()
    if begun:
        raise UserError(f"Which {what}? {text.strip()!r} may be {' or '.join(sorted(begun))}.")
    words = {other.split("-")[0]: name for other, name in written.items()}
    close = (words | written).get(closest(key, words | written), "")
    hint = f" Did you mean {close!r}?" if close else ""
    raise UserError(f"Unknown {what} {text.strip()!r}.{hint} Known: {', '.join(known)}.")


def _shown(given: object) -> str:
    text = str(given)
    return repr(text if len(text) <= 40 else text[:37] + "...")


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class Question:
    """A question with an exact answer.

    name: one word. about: the question in a line. answer: called with the rules and a value for every
    parameter by keyword. example: options as a player would give them.
    """

    name: str
    about: str
    answer: Callable[..., Answer]
    parameters: tuple[Parameter, ...]
    example: str = ""

    def values(self, given: Mapping[str, object], rules: Any) -> dict[str, Any]:
        """A value for each parameter, by keyword: what was given, read, or the default.

        Raises UserError for a parameter the question does not have and for values that are not allowed.
        """
        known = {one.keyword: one for one in self.parameters}
        for name in given:
            if name not in known:
                had = ", ".join(argument(one.name) for one in self.parameters)
                raise UserError(f"The question {self.name!r} has no {argument(name)}. It has {had}.")
        return {
            name: one.read(given[name], rules) if given.get(name) is not None else one.default
            for name, one in known.items()
        }


def questions(game: str) -> tuple[Question, ...]:
    """The questions of a game. Raises UserError if there is no such game, or it declares none."""
    room = registry.room(game)
    if not room.has(MODULE):
        raise UserError(f"The game {game!r} has no questions with exact answers (no module {MODULE}).")
    found: tuple[Question, ...] = room.part(MODULE).QUESTIONS
    return found


def choose(game: str, name: str | None, given: Iterable[str]) -> Question:
    """The question of that name; without one, the first that has all parameters that are given."""
    known = {one.name: one for one in questions(game)}
    if name is not None:
        if name not in known:
            raise nearest(name, known, f"question of {game}")
        return known[name]
    wanted = set(given)
    every = {one.keyword for question in known.values() for one in question.parameters}
    for unknown in wanted - every:
        raise nearest(unknown, every, f"parameter of the questions of {game}:")
    for question in known.values():
        if wanted <= {one.keyword for one in question.parameters}:
            return question
    told = ", ".join(argument(one) for one in sorted(wanted))
    raise UserError(f"No question of {game} has all of {told}; see: analyze odds {game} --help.")


def ask(
    game: str,
    question: str | None = None,
    given: Mapping[str, object] | None = None,
    settings: Any = (),
    config: Path | str | None = None,
) -> Answer:
    """The answer of a question under a config.

    question: its name; without one, the first question of the game that has all the parameters given.
    given: keyword of a parameter -> text or value; None is as good as not given.
    Raises UserError for anything wrong in them.
    """
    found = {name: value for name, value in (given or {}).items() if value is not None}
    asked = choose(game, question, found)
    rules, notes = rules_of(game, settings, config)
    values = asked.values(found, rules)
    answer = asked.answer(rules, **values)
    known = {name: value for name, value in values.items() if value is not None}
    taken = dict(answer.given) | known  # what is not given depends on the rest: the answer tells what it took
    shown = {name: taken[name] for name in values if name in taken}
    return dataclasses.replace(answer, game=game, question=asked.name, given=shown, warnings=notes)


def rules_of(game: str, settings: Any = (), config: Path | str | None = None) -> tuple[Any, tuple[str, ...]]:
    """The rules of a game to ask about, and where they are not plausible.

    Settings are read without the model wherever they are surely right: that is most of an answer's time.
    """
    if registry.room(game).shipped:
        if not settings and config is None:
            from analyzer.config_layers import shipped_values

            return shipped_values(game), ()
        from analyzer.config_light import light_config

        light = light_config(game, config, settings)
        if light is not None:
            return light.rules, tuple(light.warnings)
    found = registry.game_config(game, config, settings)
    return found.rules, tuple(found.warnings())
