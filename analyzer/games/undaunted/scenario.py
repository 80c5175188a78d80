"""One scenario of Undaunted: Normandy: map, decks, goals and start, as a config gives them, checked.

A scenario is data: `configs/undaunted/*.yaml` hold the twelve of the box, a file of a user's own holds one of
theirs (see the end of rules.md). Everything wrong with one is told at once, each with its own line.
Rule ids (U1, ...) are those of the rules page beside this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from analyzer.games.undaunted.codes import CODES, COMMAND, FOG, SIDES, SQUADS, UNITS, SideName
from analyzer.games.undaunted.scenario_check import Mistake, mistakes
from analyzer.games.undaunted.scenario_parts import (
    MAX_TILES,
    PIN,
    RIFLEMEN,
    STEPS,
    Decks,
    Frozen,
    Goals,
    SideCards,
    Text,
    Tile,
    expand,
)

__all__ = [
    "CODES",
    "COMMAND",
    "FOG",
    "PIN",
    "RIFLEMEN",
    "SIDES",
    "SQUADS",
    "UNITS",
    "Scenario",
    "SideName",
    "Tile",
    "check_box",
    "expand",
    "refuse",
]


class Scenario(Frozen):
    """One scenario. Tiles keep the order of the file; their numbers (0-based) go by it everywhere."""

    name: Text
    initiative: Annotated[SideName, Field(description="who holds the initiative marker at the start")]
    goal: Goals
    decks: Decks
    borders: Literal["hex", "written"] = "hex"
    tiles: Annotated[tuple[Tile, ...], Field(min_length=2, max_length=MAX_TILES)]

    @model_validator(mode="after")
    def _possible(self) -> Scenario:
        refuse("Scenario", mistakes(self))
        return self

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tiles in order."""
        return tuple(tile.name for tile in self.tiles)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the tiles next to each tile, ascending (U1)."""
        if self.borders == "hex":
            number = {tile.at: i for i, tile in enumerate(self.tiles)}
            near = [[number.get((x + dx, y + dy)) for dx, dy in STEPS] for x, y in (t.at for t in self.tiles)]
            return tuple(tuple(sorted(i for i in one if i is not None)) for one in near)
        return tuple(tuple(sorted(map(self.names.index, tile.adj or ()))) for tile in self.tiles)

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The least number of steps from each tile to each; -1 where there is no way (U1)."""
        return tuple(_steps_from(start, self.neighbours) for start in range(len(self.tiles)))

    def cards(self, side: SideName) -> SideCards:
        """Deck and supply of a side."""
        found: SideCards = getattr(self.decks, side)
        return found

    def goal_of(self, side: SideName) -> int | Literal["pin"]:
        """A side's goal: its points, or "pin"."""
        found: int | Literal["pin"] = getattr(self.goal, side)
        return found

    def marker(self, side: SideName, tile: int) -> str | None:
        """The marker of a side on a tile (number) at the start: "scouted", "controlled" or None."""
        found: str | None = getattr(self.tiles[tile].markers, side)
        return found

    def spawns(self, side: SideName) -> dict[str, int]:
        """Unit code -> number of its spawn tile, with squads written out (U9)."""
        return {unit: i for i, tile in enumerate(self.tiles) for unit in expand(getattr(tile.spawn, side))}

    def counters(self, side: SideName) -> dict[str, int]:
        """Unit code -> number of the tile its counter begins on."""
        return {unit: i for i, tile in enumerate(self.tiles) for unit in getattr(tile.counters, side)}

    def start_points(self, side: SideName) -> int:
        """The points of the tiles a side controls at the start (U4)."""
        return sum(t.points for i, t in enumerate(self.tiles) if self.marker(side, i) == "controlled")


def _steps_from(start: int, neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    steps = [-1] * len(neighbours)
    steps[start] = 0
    reached = [start]
    for tile in reached:
        for near in neighbours[tile]:
            if steps[near] < 0:
                steps[near] = steps[tile] + 1
                reached.append(near)
    return tuple(steps)


def refuse(title: str, found: list[Mistake]) -> None:
    """Raise one ValidationError that holds every mistake at its own place; nothing if there is none."""
    if found:
        details = [
            InitErrorDetails(
                type=PydanticCustomError("value_error", "{error}", {"error": text}), loc=where, input=None
            )
            for where, text in found
        ]
        raise ValidationError.from_exception_data(title, details)


def check_box(scenario: Scenario, copies: Mapping[str, int]) -> list[Mistake]:
    """Cards a side has more of, deck and supply together, than the box holds of them a side.

    copies: card code -> copies a side, of the card table. Places begin at `scenario`.
    """
    found: list[Mistake] = []
    for side in SIDES:
        for code in CODES:
            count, most = scenario.cards(side).count(code), copies[code]
            if count > most:
                text = f"{side} has {count} {code} in deck and supply; the box holds {most} a side"
                found.append((("scenario", "decks", side, "supply"), text))
    return found
