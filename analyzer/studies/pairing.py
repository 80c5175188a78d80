"""Two runs on the same luck, unit by unit: what is compared, and the sums over the pairs. Flat in memory.

Game i of both runs has the same deal and dice if both have as many rotations. With duplicate deals it is the
deal that is common: all games of one rank, in whatever rotations either run has. So a run with one rotation
can be paired with one that has four.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.sim import outcomes
from analyzer.sim.request import Request
from analyzer.sim.results import Results
from analyzer.stats.paired import Pairs

Floats = NDArray[np.float64]
LENGTHS = ("rounds", "turns")
NOBODY = "nobody wins"
SWITCHING = "switching in "  # and the name of a seat


@dataclass(frozen=True)
class Measure:
    """One thing that is compared. share: a share of games (else a number a game).

    slots: of these policies (by seat at rotation 0) any wins; seat: who wins sits here (0-based); rotation:
    only games of this rotation count (None: all); column: a column of the games.
    """

    name: str
    share: bool = True
    slots: tuple[int, ...] = ()
    seat: int | None = None
    rotation: int | None = None
    column: str = ""
    nobody: bool = False


@dataclass(frozen=True)
class Pairing:
    """How the games of a and b are paired. rotations: games of a whole unit; by_deal: units are deals."""

    a: Request
    b: Request
    one_seat: bool = False

    @property
    def rotations(self) -> int:
        """Rotations until both runs are back at their first one."""
        return math.lcm(len(self.a.rotations), len(self.b.rotations))

    @property
    def by_deal(self) -> bool:
        """Whether the unit is a deal (in all rotations) and not a game."""
        return self.a.shares_luck or self.b.shares_luck

    @property
    def games(self) -> int:
        """Games of a unit on the side that plays more."""
        return max(len(self.a.rotations), len(self.b.rotations)) if self.by_deal else 1

    @property
    def step(self) -> float:
        """The least by which one game changes a unit's share."""
        return 1.0 / self.rotations if self.by_deal else 1.0

    @property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """Name -> policies by seat at rotation 0 that are the same on both sides, or change the same way."""
        found: dict[str, list[int]] = {}
        for slot, (x, y) in enumerate(zip(self.a.labels, self.b.labels, strict=True)):
            name = x if x == y else f"{x} → {y}"
            if self.one_seat and x == y:
                name = f"the others ({x})"
            found.setdefault(name, []).append(slot)
        return {name: tuple(slots) for name, slots in found.items()}

    @property
    def measures(self) -> list[Measure]:
        """What is compared; the first one is the main one."""
        players, groups = self.a.players, self.groups
        found = []
        if len(groups) > 1:
            changed = sorted(groups.items(), key=lambda one: "→" not in one[0])
            found += [Measure(name, slots=slots) for name, slots in changed]
        if self.one_seat:
            found += [
                Measure(f"{SWITCHING}{name}", slots=(0,), rotation=-seat % players)
                for seat, name in enumerate(self.a.seats)
            ]
        else:
            found += [Measure(name, seat=seat) for seat, name in enumerate(self.a.seats)]
        found.append(Measure(NOBODY, nobody=True))
        return [*found, *(Measure(name, share=False, column=name) for name in LENGTHS)]

    @property
    def mirrors(self) -> int:
        """Measures that only mirror another one where games without a winner are the same on both sides: the
        second of two policies, and of two seats."""
        seats = sum(one.seat is not None for one in self.measures)
        return (len(self.groups) == 2) + (seats == 2)

    # ---- sums over the pairs ---------------------------------------------------------------------------

    def units(self, a: Results, b: Results) -> Iterator[tuple[Floats, Floats]]:
        """The values of all measures on both sides, float64[measure, unit] each, chunk by chunk."""
        yield from zip(self._side(a), self._side(b), strict=True)

    def _side(self, results: Results) -> Iterator[Floats]:
        names = outcomes.column_names(results)
        columns = [*outcomes.won_columns(results, names), *LENGTHS]
        if self.by_deal:
            every = np.arange(self.rotations)
            for _, found in outcomes.deals(results, columns):
                place = every % len(results.rotations)  # one rotation stands for all that seat alike
                yield self._values({name: values[place] for name, values in found.items()}, every[:, None])
            return
        for _, found in outcomes.chunks(results, columns):
            games = {name: values[None] for name, values in found.items()}
            yield self._values(games, games["rotation"].astype(np.int64))

    def _values(self, games: dict[str, NDArray[Any]], rotation: NDArray[np.int64]) -> Floats:
        """The measures, float64[measure, unit], of games [rotation, unit]."""
        shape, players = games["game"].shape, self.a.players
        flat = {name: values.reshape(-1) for name, values in games.items()}
        credit = outcomes.credits(flat, players).reshape(players, *shape)
        found = np.empty((len(self.measures), shape[1]))
        for row, one in enumerate(self.measures):
            found[row] = self._value(one, games, credit, np.broadcast_to(rotation, shape))
        return found

    def _value(
        self, one: Measure, games: dict[str, NDArray[Any]], credit: Floats, rotation: NDArray[np.int64]
    ) -> Floats:
        players = self.a.players
        each: Floats = np.zeros(credit.shape[1:])
        if one.column:
            each = games[one.column].astype(np.float64)
        elif one.nobody:
            each = 1.0 - credit.sum(axis=0)
        elif one.seat is not None:
            each = credit[one.seat]
        for slot in one.slots:
            seat = (slot - rotation) % players
            each = each + np.take_along_axis(credit, seat[None], axis=0)[0]
        return each[one.rotation] if one.rotation is not None else each.mean(axis=0)


@dataclass
class Sums:
    """Sums over the pairs of two runs, b first so that differences are b - a.

    looks: [n, total, squares] of the difference of measure `watched` after each `every` units.
    """

    watched: int = 0
    every: int = 0
    pairs: Pairs | None = None
    looks: list[tuple[float, float, float]] = field(default_factory=list)
    _carry: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def add(self, a: Floats, b: Floats) -> None:
        """Add units, float64[measure, unit] of either side."""
        found = Pairs.of(b, a)
        self.pairs = found if self.pairs is None else self.pairs + found
        if self.every:
            self._look(b[self.watched] - a[self.watched])

    def _look(self, difference: Floats) -> None:
        n, total, squares = self._carry
        sums, second = np.cumsum(difference), np.cumsum(difference**2)
        first = int(self.every - 1 - n % self.every)
        for place in range(first, len(difference), self.every):
            self.looks.append((n + place + 1, total + float(sums[place]), squares + float(second[place])))
        if len(difference):
            self._carry = (n + len(difference), total + float(sums[-1]), squares + float(second[-1]))


def sums(pairing: Pairing, a: Results, b: Results, watched: int = 0, every: int = 0) -> Sums:
    """All sums over the pairs of two finished runs."""
    found = Sums(watched, every)
    for one, other in pairing.units(a, b):
        found.add(one, other)
    return found
