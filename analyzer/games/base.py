"""What a game and a policy must offer. The engine (`analyzer.sim.engine`) knows nothing else of them.

A game is written as its rule book reads: `turn` is a generator that changes the state in place and yields a
`Decision` wherever a player decides; the engine asks the policy of that seat and sends the answer back.
All games of a block run through the same turn together; arrays have the game as their LAST axis.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# The score 0 of uint8 scores: legal ones stay positive, illegal ones are masked to 0.
ZERO_UINT8 = np.uint8(128)


class Grid(NamedTuple):
    """A block of actions with several axes: where it stands among the codes, and its shape without games."""

    place: slice
    shape: tuple[int, ...]


class lazy(cached_property[Any]):
    """A `cached_property` without the lock that Python 3.11 takes: views are made for every decision."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self.attrname] = self.func(instance)
        return value


class Score:
    """The flat scores `values[action, game]` of one decision, handed out as named blocks.

    `score.fight += 200 * (view.fight_odds >= 0.5)` adds to the block named `fight`. A block of several
    actions is `[action, game]`, a block of one action is `[game]`, a `Grid` has its own axes before the
    game's. Scores start at 0; the best legal one is taken and ties are broken by the game's own random
    stream.
    """

    __slots__ = ("_make", "_parts", "alike", "blocks", "values")
    _make: Callable[[], Array]
    _parts: dict[str, Array]
    alike: bool
    blocks: Mapping[str, slice | int | Grid]
    values: Array

    def __init__(self, values: Array | Callable[[], Array], blocks: Mapping[str, slice | int | Grid]) -> None:
        """`values` [action, game]: the scores, or what makes them (only if they are used)."""
        put = object.__setattr__
        if callable(values):
            put(self, "_make", values)
        else:
            put(self, "values", values)
        put(self, "blocks", blocks)
        put(self, "_parts", {})
        put(self, "alike", False)

    def ties_are_alike(self) -> None:
        """Say that actions of equal score are alike: the last of them is taken, without a random draw.

        Only where the numbers of the actions mean nothing, as those of shuffled stacks do; never for players.
        """
        object.__setattr__(self, "alike", True)

    def __getattr__(self, name: str) -> Array:
        if name == "values":  # not made yet
            values = self._make()
            object.__setattr__(self, name, values)
            return values
        part = self._parts.get(name)
        if part is None:
            blocks = self.blocks
            if name not in blocks:
                raise AttributeError(f"no block {name!r} of scores here; there are: {', '.join(blocks)}")
            block = blocks[name]
            if isinstance(block, Grid):
                part = self.values[block.place].reshape(*block.shape, self.values.shape[-1])
            else:
                part = self.values[block]
            self._parts[name] = part
        return part

    def __setattr__(self, name: str, value: Any) -> None:
        # `score.block += x` has changed the block in place before it comes here.
        part = getattr(self, name)
        if part is not value:
            part[...] = value


@dataclass(eq=False, slots=True)
class Decision:
    """A question to one seat in every game of a block, or in `rows` of it.

    form "choice": the policy scores actions; the answer is a code `uint8[row]` out of the legal ones.
    form "amounts": the answer is how many cards of each type, `uint8[type, row]`.
    """

    kind: str  # the name of the policy's method
    seat: int
    view: Any
    legal: NDArray[np.uint8]  # choice: 0/1 [action, row]; amounts: cards held [type, row]
    blocks: Mapping[str, slice | int | Grid] = field(default_factory=dict)
    rows: NDArray[np.intp] | None = None  # None: all rows of the block
    asked: NDArray[np.uint8] | None = None  # 0/1 [row]: where it is a real question; None: everywhere
    idle: int = 0  # the code that stands where the question is not asked; it must be legal there
    form: str = "choice"
    slot: int = 0  # which of the turn's decisions of this kind, the same in every game
    need: NDArray[np.uint8] | None = None  # amounts: how many cards each row must give; None: free
    check: Callable[[Array], Array] | None = None  # amounts: bool[row] of answers the rules forbid
    # amounts that the engine chose by score: (type, place in `rows`) of the cards, round by round, one a row
    picks: list[tuple[Array, Array]] | None = None
    # Adds noise of a standard deviation to the scores, in place; None: the engine does it.
    noise: Callable[[Array, float], None] | None = None


Turn = Generator[Decision, Array, None]


@dataclass(eq=False)
class State:
    """The arrays of a block of games; every ndarray field has the game as its last axis."""

    rows: NDArray[np.intp]  # [game]: row of the block each lane plays
    over: NDArray[np.uint8]  # [game]: 1 when this game has ended

    def take(self, keep: NDArray[np.intp]) -> None:
        """Keep only these lanes (compaction), in place."""
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, np.ndarray):
                setattr(self, f.name, value.take(keep, axis=-1))


@dataclass(frozen=True)
class Policy:
    """Base of all policies: a frozen dataclass whose fields are its parameters.

    One method per kind of decision, `method(view, score)`; see the game's own base class for their list.
    """

    score_dtype: ClassVar[Any] = np.float32
    label: ClassVar[str] = ""
    steady: ClassVar[bool] = False  # of equally good actions always the last one: no chance but `noise`
    noise: float = 0.0  # standard deviation of seeded normal noise added to the scores of every choice


class Game(Protocol):
    """One game under one set of rules with a number of players. Pure of seeds, policies and reports."""

    name: str
    players: int
    max_turns: int
    policy_base: type[Policy]

    def start(self, luck: Any) -> Any:
        """The state of the block after setup."""

    def turn(self, state: Any, turn: int, luck: Any) -> Turn:
        """One turn of every game: yields decisions, gets answers, sets `state.over`."""

    def outcome(self, state: Any, lanes: NDArray[np.intp]) -> dict[str, Array]:
        """Measures of the finished games in `lanes`: name -> array with the game last."""

    def tallies(self, state: Any, columns: dict[str, Array]) -> dict[str, Any]:
        """Additive integer tallies of the block, from what the state counted and the finished games."""
