"""What a scenario of Undaunted: Normandy is made of: sides, codes of units and cards, piles, tiles.

Side US is seat 0, side DE seat 1. Rule ids (U1, ...) are those of the rules page beside this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from analyzer.config_read import hint
from analyzer.config_tree import shown
from analyzer.games.undaunted.codes import CODES, SQUADS, UNITS

RIFLEMEN = UNITS[:3]
PIN: Literal["pin"] = "pin"
MAX_TILES = 18  # tables of targets by tile are made for so many
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))  # U1

# Strict: a bool is no int, 6.0 is no 6. Literals are strict by themselves.
TileName = Annotated[
    str, Field(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9 '_-]{0,19}$", description="a tile")
]
Place = Annotated[int, Field(strict=True, ge=-50, le=50)]
Copies = Annotated[int, Field(strict=True, ge=0, le=60, description="copies of a card")]
Text = Annotated[str, Field(strict=True, min_length=1, max_length=60)]


def _goal(given: Any) -> Any:
    if given == PIN or (isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= 100):
        return given
    raise ValueError(f"{shown(given)} is not allowed; a whole number of points from 1 to 100, or {PIN!r}")


Goal = Annotated[int | Literal["pin"], BeforeValidator(_goal)]


class Frozen(BaseModel):
    """Frozen all through (tuples, no lists), so that a config can be hashed, shared and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Pile(Frozen):
    """Cards by code: how many copies. Written as a list, `[PS, SLA, 4 RA, 8 FOW]`, or as `{PS: 1, RA: 4}`."""

    RA: Copies = 0
    RB: Copies = 0
    RC: Copies = 0
    SA: Copies = 0
    SB: Copies = 0
    SC: Copies = 0
    GA: Copies = 0
    GB: Copies = 0
    GC: Copies = 0
    SN: Copies = 0
    MO: Copies = 0
    PS: Copies = 0
    PG: Copies = 0
    SLA: Copies = 0
    SLB: Copies = 0
    SLC: Copies = 0
    FOW: Copies = 0

    @model_validator(mode="before")
    @classmethod
    def _of_a_list(cls, given: Any) -> Any:
        if not isinstance(given, list | tuple):
            return given
        counts: dict[str, int] = {}
        for one in given:
            found = re.fullmatch(r"(?:(\d{1,3})\s+)?(\S{1,20})", str(one).strip())
            if found is None or found[2] not in CODES:
                text = str(one)[:40]
                code = found[2] if found else text
                raise ValueError(f"{text!r} is no card.{hint(code, CODES)} Cards: {', '.join(CODES)}")
            counts[found[2]] = counts.get(found[2], 0) + int(found[1] or 1)
        return counts

    def count(self, code: str) -> int:
        """Copies of the card of this code."""
        return int(getattr(self, code))

    @property
    def total(self) -> int:
        """All cards of the pile."""
        return sum(map(self.count, CODES))


class SideCards(Frozen):
    """The cards of one side: the deck it begins with, and the supply it may take from (U15)."""

    deck: Pile
    supply: Pile

    def count(self, code: str) -> int:
        """Copies of a card in deck and supply together."""
        return self.deck.count(code) + self.supply.count(code)


class Decks(Frozen):
    """The cards of both sides."""

    US: SideCards
    DE: SideCards


class Goals(Frozen):
    """What each side must reach: so many points, or "pin": no Rifleman of the enemy left on the map."""

    US: Goal
    DE: Goal


class Units(Frozen):
    """Codes of each side: units, or in `spawn` also a squad's letter for its R, S and G."""

    US: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    DE: Annotated[tuple[str, ...], Field(max_length=20)] = ()


class Markers(Frozen):
    """The marker of each side on a tile at the start (U4)."""

    US: Literal["scouted", "controlled"] | None = None
    DE: Literal["scouted", "controlled"] | None = None


class Tile(Frozen):
    """One tile. `at`: axial x, y (U1). hill: its cover is 1 if the attacker is on one too, or blasts (U3)."""

    name: TileName
    at: tuple[Place, Place]
    cover: Annotated[int, Field(strict=True, ge=0, le=3, description="cover")]
    points: Annotated[int, Field(strict=True, ge=0, le=9, description="points of whoever controls it")] = 0
    hill: Annotated[bool, Field(strict=True)] = False
    radio: Annotated[bool, Field(strict=True, description="the radio (U30)")] = False
    markers: Markers = Markers()
    spawn: Units = Units()
    counters: Units = Units()
    adj: Annotated[tuple[TileName, ...], Field(max_length=MAX_TILES)] | None = None


def expand(codes: tuple[str, ...]) -> Iterator[str]:
    """Unit codes with every squad's letter written out as its Rifleman, Scout and Machine Gunner."""
    for code in codes:
        yield from (f"{kind}{code}" for kind in "RSG") if code in SQUADS else (code,)
