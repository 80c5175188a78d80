"""What a game may declare as data, so that studies can ask about it without knowing it.

A room's module `course` has `COURSE`, a `Course`: what its score is, for the story of the game; and may have
`CHANCE`, a `Chance` for each kind of chance that the game has, by its name in `sim.crossed.KINDS`. Its module
`pieces` has a function `pieces(rules)`: the kinds of cards or units whose number a config sets; `FORCED`, a
`Forcing`: how one comes into an opening hand, or why the game has no such thing; where the game can be dealt
alike with and without one, a function `WITHOUT` (see `Without`); and, where the game's own
tally `cards` does not tell what was held and played, `WATCHED`, a `Plays`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array


@dataclass(frozen=True)
class Course:
    """How a game stands at any time.

    score: what the seats compare, in words ("km"); about: a sentence on it.
    points(game, state): int[seat, lane], the score now, higher is better.
    rounds(game): most rounds a game can have.
    round_of(game, state, turn): the round (0-based) that each lane plays at this turn of the engine, int or
        int[lane].
    acts: the kinds of decisions by which a seat does something in its own turn.
    signs: what else tells who is strong, in words; also(game, state): int[sign, seat, lane].
    """

    score: str
    about: str
    points: Callable[[Any, Any], Array]
    rounds: Callable[[Any], int]
    round_of: Callable[[Any, Any, int], Any]
    acts: tuple[str, ...] = ("act",)
    signs: tuple[str, ...] = ()
    also: Callable[[Any, Any], Array] | None = None


def rounds_of_turns(game: Any) -> int:
    """Most rounds where a turn of the engine is a turn of one seat."""
    return int(-(-game.max_turns // game.players))


def round_of_turns(game: Any, state: Any, turn: int) -> int:
    """The round of a turn where all games have their turns together, seat by seat."""
    return int(turn // game.players)


@dataclass(frozen=True)
class Chance:
    """A kind of chance of a game, in words: "dice", "throws of the dice", what it is."""

    name: str
    many: str
    about: str


@dataclass(frozen=True)
class Piece:
    """A kind of card or unit: how many there are, and how a config with another number of them is made.

    name: as in the tally `cards`. put(values, count): changes the plain values of a config in place.
    seat: whose it is (0-based); None: it lies in a deck that all draw from.
    most: the largest number that makes sense.
    """

    name: str
    count: int
    put: Callable[[dict[str, Any], int], None]
    seat: int | None = None
    most: int = 60


def count_at(*path: str | int) -> Callable[[dict[str, Any], int], None]:
    """A `Piece.put` for a number that stands at one place of the config's plain values."""

    def put(values: dict[str, Any], count: int) -> None:
        there: Any = values
        for step in path[:-1]:
            there = there[step]
        there[path[-1]] = count

    return put


@dataclass(frozen=True)
class Plays:
    """What to watch where a game does not count by itself what winners held and played.

    names(game): by seat, the names of the pieces it can hold or play.
    kind: the decision by which pieces are played; piece_of(game, seat): intp[code], the place in `names` of
        the piece that an answer plays, -1 for none.
    hand(game, state, seat): uint8[piece, lane], the cards held at the first decision; None: there are no
        hands.
    """

    names: Callable[[Any], list[list[str]]]
    kind: str
    piece_of: Callable[[Any, int], NDArray[np.intp]]
    hand: Callable[[Any, Any, int], NDArray[np.uint8]] | None = None


@dataclass(frozen=True)
class Forcing:
    """How a card is forced into an opening hand (see `sim.forced`).

    put(game, state, card, seat, bits): do it, or see to it that it is done when hands are drawn: to the seat
        intp[lane], by random bits uint64[lane, 2].
    refuses(game, piece): why this piece cannot be forced, "" if it can.
    why: why none can be: the game has no such thing; put is never called then.
    """

    put: Callable[[Any, Any, str, NDArray[np.intp], NDArray[np.uint64]], None] | None = None
    refuses: Callable[[Any, Piece], str] = lambda game, piece: ""
    why: str = ""


# Without(game, state, game before, state before, card, key): change the state of the game without the card in
# place, so that all else is dealt as in the state before; key: uint64[lane], for random numbers.
Without = Callable[[Any, Any, Any, Any, str, NDArray[np.uint64]], None]
