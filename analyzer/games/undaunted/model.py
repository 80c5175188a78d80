"""The numbers of Undaunted: Normandy: one frozen model of everything a config may set.

No rule stands here and nothing of the simulator is imported: a config can be read and checked without it.
Rule ids (U1, ...) are those of the rules page beside this module. What is true of one scenario only stands in
`scenario.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from analyzer.errors import UserError
from analyzer.games.undaunted.axes import AXES
from analyzer.games.undaunted.codes import CODES, KIND_OF, SQUAD_OF, UNITS
from analyzer.games.undaunted.scenario import Scenario, check_box, refuse

MIN_PLAYERS, MAX_PLAYERS = 2, 2

Tiles = Annotated[int, Field(strict=True, ge=0, le=3, description="most tiles; 0: the card cannot do it")]
Dice = Annotated[int, Field(strict=True, ge=0, le=6, description="dice rolled; 0: the card cannot do it")]
Cards = Annotated[int, Field(strict=True, ge=0, le=6, description="most cards; 0: the card cannot do it")]
Once = Annotated[int, Field(strict=True, ge=0, le=1, description="1: the card can do it; 0: it cannot")]
Initiative = Annotated[
    int, Field(strict=True, ge=1, le=20, description="initiative of the card as a bid (U6)")
]
Copies = Annotated[int, Field(strict=True, ge=0, le=20, description="copies a side (a squad) in the box")]
Defence = Annotated[int, Field(strict=True, ge=0, le=12, description="base defence of the counter (U22)")]


class _Frozen(BaseModel):
    """Frozen all through (tuples, no lists), so that a config can be hashed, shared and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class UnitActions(_Frozen):
    """What a unit's card may be played for, and how much of it."""

    move: Tiles = 0
    scout: Tiles = 0
    stalk: Tiles = 0
    attack: Dice = 0
    suppress: Dice = 0
    blast: Dice = 0
    target: Once = 0
    control: Once = 0
    recon: Once = 0
    conceal: Once = 0


class CommandActions(_Frozen):
    """What a card of the platoon's command may be played for, and how much of it."""

    bolster: Cards = 0
    command: Cards = 0
    guide: Tiles = 0


class LeaderActions(_Frozen):
    """What a Squad Leader may be played for; both for the own squad only."""

    bolster: Cards = 0
    inspire: Cards = 0


class UnitCard(_Frozen):
    """The cards and the counter of a kind of unit."""

    initiative: Initiative
    copies: Copies
    defence: Defence
    actions: UnitActions


class CommandCard(_Frozen):
    """A card of the platoon's command; it has no counter."""

    initiative: Initiative
    copies: Copies
    actions: CommandActions


class LeaderCard(_Frozen):
    """The Squad Leader of each squad; it has no counter."""

    initiative: Initiative
    copies: Copies
    actions: LeaderActions


class FogCard(_Frozen):
    """Fog of War: good for a bid only."""

    initiative: Initiative
    copies: Copies


Card = UnitCard | CommandCard | LeaderCard | FogCard


class CardTable(_Frozen):
    """The kinds of cards, the same for both sides and for every squad."""

    rifleman: UnitCard
    scout: UnitCard
    gunner: UnitCard
    sniper: UnitCard
    mortar: UnitCard
    sergeant: CommandCard
    guide: CommandCard
    leader: LeaderCard
    fog: FogCard

    def card(self, code: str) -> Card:
        """The card of a code such as RA, SLB or FOW."""
        found: Card = getattr(self, KIND_OF[code])
        return found


class UndauntedRules(_Frozen):
    """All numbers and options of Undaunted: Normandy. Defaults, marks and ranges stand in the config."""

    scenario: Scenario
    first_initiative: Literal["scenario", "US", "DE", "both"]
    pin_ends_game: Literal["always", "goal"]
    round_limit: Annotated[int, Field(strict=True, ge=1, le=120)]
    hand_size: Annotated[int, Field(strict=True, ge=1, le=8)]
    die_faces: Annotated[int, Field(strict=True, ge=2, le=20)]
    zero_hits: Annotated[bool, Field(strict=True)]
    hill_cover_from_hill: Annotated[int, Field(strict=True, ge=0, le=3)]
    target_distance: Annotated[int, Field(strict=True, ge=0, le=6)]
    target_outlives_mortar: Annotated[bool, Field(strict=True)]
    cards: CardTable

    @model_validator(mode="after")
    def _fits_the_box(self) -> UndauntedRules:
        copies = {code: self.cards.card(code).copies for code in CODES}
        refuse("UndauntedRules", check_box(self.scenario, copies))
        return self

    def defence(self, unit: str) -> int:
        """The base defence of the counter of a unit code (U22)."""
        card = self.cards.card(unit)
        assert isinstance(card, UnitCard), unit
        return card.defence

    def check_players(self, players: int) -> None:
        """Refuse any number of players but two."""
        if players != MAX_PLAYERS:
            raise UserError(f"Undaunted: Normandy is for 2 players, not {players}.")


__all__ = ["AXES", "KIND_OF", "MAX_PLAYERS", "MIN_PLAYERS", "RULES", "SQUAD_OF", "UNITS", "UndauntedRules"]
RULES = UndauntedRules
