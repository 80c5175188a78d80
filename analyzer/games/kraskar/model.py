"""The numbers of Kraskar (クラスカール戦乱記): one frozen model of everything a config may set.

No rule stands here and nothing of the simulator is imported: a config can be read and checked without it.
Rule ids (K1, ...) are those of the rules page beside this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from analyzer.axes import Axis
from analyzer.errors import UserError, nearest

MIN_PLAYERS, MAX_PLAYERS = 2, 2
MIN_UNITS, MAX_UNITS = 3, 8  # of a deck (K4)

Troop = Literal["cavalry", "archer", "spearman", "infantry"]
TROOPS: tuple[Troop, ...] = ("cavalry", "archer", "spearman", "infantry")
StratagemKind = Literal["boost", "rally", "weaken", "strike"]
NO_STRATAGEM = "none"
COSTS = (1, 1.5, 2, 2.5, 3)

# Strict: a bool is no int, 6.0 is no 6. Literals are strict by themselves.
Name = Annotated[str, Field(strict=True, min_length=1, max_length=40)]
Force = Annotated[int, Field(strict=True, ge=1, le=15, description="force (武力)")]
Wit = Annotated[int, Field(strict=True, ge=0, le=15, description="wit (知力)")]
Damage = Annotated[int, Field(strict=True, ge=0, le=9, description="life a siege takes from the castle")]
Factor = Annotated[int, Field(strict=True, ge=1, le=3)]
Cap = Annotated[int, Field(strict=True, ge=0, le=40, description="most morale chips")]


class _Frozen(BaseModel):
    """Frozen all through (tuples, no lists), so that a config can be hashed, shared and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Stratagem(_Frozen):
    """What chips buy (計略): boost, rally and weaken have an amount, a strike has power and distance."""

    name: Name
    kind: StratagemKind
    chips: Annotated[int, Field(strict=True, ge=0, le=20, description="morale chips it costs")]
    amount: Annotated[int, Field(strict=True, ge=1, le=15, description="force it gives or takes")] | None = (
        None
    )
    power: Annotated[int, Field(strict=True, ge=1, le=20, description="strength of a strike")] | None = None
    distance: Annotated[int, Field(strict=True, ge=1, le=6, description="squares to the target")] | None = (
        None
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Stratagem:
        needed = ("power", "distance") if self.kind == "strike" else ("amount",)
        for field in ("amount", "power", "distance"):
            if (getattr(self, field) is not None) != (field in needed):
                raise ValueError(f"{self.name}: a {self.kind} needs {' and '.join(needed)}, and nothing else")
        return self


def _printed_cost(cost: float) -> float:
    if cost not in COSTS:
        raise ValueError(f"{cost:g} is no cost of a unit; 1, 1.5, 2, 2.5 or 3 (K4)")
    return cost


class Unit(_Frozen):
    """One unit card (K4)."""

    name: Name
    country: Name
    troop: Troop
    cost: Annotated[float, Field(strict=True), AfterValidator(_printed_cost)]
    force: Force
    wit: Wit
    stratagem: Name = NO_STRATAGEM


class Deck(_Frozen):
    """A deck (K4): its units by name, and the column of each at the start, counted from 1 (K3)."""

    name: Name
    plan: Annotated[str, Field(strict=True, max_length=200)] = ""
    units: Annotated[tuple[Name, ...], Field(min_length=MIN_UNITS, max_length=MAX_UNITS)]
    columns: tuple[Annotated[int, Field(strict=True, ge=1, le=7)], ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Deck:
        twice = sorted({unit for unit in self.units if self.units.count(unit) > 1})
        if twice:
            raise ValueError(f"{twice[0]!r} stands in this deck twice; each unit only once (K4)")
        if self.columns and len(self.columns) != len(self.units):
            raise ValueError(f"{len(self.columns)} columns for {len(self.units)} units; one for each unit")
        return self


class SiegeDamage(_Frozen):
    """What entering a siege square takes from the castle, by troop type (K13)."""

    cavalry: Damage
    archer: Damage
    spearman: Damage
    infantry: Damage


class KraskarRules(_Frozen):
    """Everything about Kraskar that is a number or an option."""

    decks: Annotated[tuple[Name, Name], Field(description="decks of seat 1 and seat 2, out of named_decks")]
    columns: Annotated[int, Field(strict=True, ge=3, le=7, description="an odd number of columns")]
    rows: Annotated[int, Field(strict=True, ge=3, le=7)]
    castle_life: Annotated[int, Field(strict=True, ge=1, le=100)]
    start_columns: Literal["random", "deck"]
    first_player: Literal["random", 1, 2]
    turn_limit: Annotated[int, Field(strict=True, ge=1, le=200)]
    deck_cost: Annotated[float, Field(ge=3, le=24)]
    chip_caps: Annotated[
        tuple[Cap, Cap, Cap, Cap], Field(description="for one, two, three, four or more countries")
    ]
    start_chips: Annotated[int, Field(strict=True, ge=0, le=40)]
    return_gauge: Annotated[int, Field(strict=True, ge=1, le=20)]
    movement_points: Annotated[int, Field(strict=True, ge=1, le=4)]
    siege_damage: SiegeDamage
    gate_bonus: Damage
    charge_squares: Annotated[int, Field(strict=True, ge=1, le=6)]
    interception_factor: Factor
    shot_range: Annotated[int, Field(strict=True, ge=1, le=6)]
    snipe_factor: Factor
    hit_points: Annotated[int, Field(strict=True, ge=1, le=60)]
    damage: Literal["difference", "plain", "ratio"]
    damage_base: Annotated[int, Field(strict=True, ge=0, le=20)]
    boost_wit: Annotated[int, Field(strict=True, ge=1, le=20)]
    weaken_wit: Annotated[int, Field(strict=True, ge=1, le=20)]
    stratagems: tuple[Stratagem, ...]
    units: Annotated[tuple[Unit, ...], Field(min_length=MIN_UNITS, max_length=200)]
    named_decks: Annotated[tuple[Deck, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _fits_together(self) -> KraskarRules:
        if self.columns % 2 == 0:
            raise ValueError(
                f"{self.columns} columns have no central gate square; an odd number is needed (K1)"
            )
        if self.start_chips > min(self.chip_caps):
            raise ValueError(
                f"{self.start_chips} chips at the start are more than a cap of {min(self.chip_caps)} (K7)"
            )
        tables: dict[str, Sequence[Unit | Stratagem | Deck]] = {
            "unit": self.units,
            "stratagem": self.stratagems,
            "deck": self.named_decks,
        }
        for what, table in tables.items():
            names = [one.name for one in table]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"there are two {what}s named {twice[0]!r}")
        _check_names(self)
        for name in self.decks:
            _check_deck(self, self.deck(name))
        return self

    def unit(self, name: str) -> Unit:
        """The unit of this name. Raises UserError if there is none."""
        return _named(self.units, name, "unit")

    def stratagem(self, name: str) -> Stratagem | None:
        """The stratagem of this name; None for "none", and for any name where the table is empty."""
        if name == NO_STRATAGEM or not self.stratagems:
            return None
        return _named(self.stratagems, name, "stratagem")

    def deck(self, name: str) -> Deck:
        """The deck of this name. Raises UserError if there is none."""
        return _named(self.named_decks, name, "deck")

    def deck_units(self, seat: int) -> tuple[Unit, ...]:
        """The units of a seat (0-based), in deck order."""
        return tuple(self.unit(name) for name in self.deck(self.decks[seat]).units)

    def countries(self, seat: int) -> int:
        """How many countries the deck of a seat (0-based) has (K7; ruling 1: by the deck list)."""
        return len({unit.country for unit in self.deck_units(seat)})

    def chip_cap(self, seat: int) -> int:
        """The most chips a seat (0-based) may hold (K7)."""
        return self.chip_caps[min(self.countries(seat), 4) - 1]

    def check_players(self, players: int) -> None:
        """Refuse any number of players but two."""
        if players != MAX_PLAYERS:
            raise UserError(f"Kraskar is for 2 players, not {players}.")


T = TypeVar("T", Unit, Stratagem, Deck)


def _named(table: tuple[T, ...], name: str, what: str) -> T:
    for one in table:
        if one.name == name:
            return one
    raise nearest(name, [one.name for one in table], what)


def _check_names(rules: KraskarRules) -> None:
    """Every name that a unit or a deck uses must be in its table."""
    try:
        for unit in rules.units:
            rules.stratagem(unit.stratagem)
        for name in rules.decks:
            rules.deck(name)
        for deck in rules.named_decks:
            for name in deck.units:
                rules.unit(name)
    except UserError as error:
        raise ValueError(str(error).rstrip(".")) from None


def _check_deck(rules: KraskarRules, deck: Deck) -> None:
    """K3, K4: a deck that plays must be affordable, and have a column of the board for every unit."""
    cost = sum(rules.unit(name).cost for name in deck.units)
    if cost > rules.deck_cost:
        raise ValueError(
            f"the deck {deck.name!r} costs {cost:g}, more than the {rules.deck_cost:g} allowed (K4)"
        )
    if rules.start_columns == "deck":
        if not deck.columns:
            raise ValueError(f"the deck {deck.name!r} gives no columns to start at (K3)")
        if max(deck.columns) > rules.columns:
            raise ValueError(
                f"the deck {deck.name!r} starts in column {max(deck.columns)} of {rules.columns} (K3)"
            )


RULES = KraskarRules
AXES = (
    Axis(
        "decks",
        "decks that meet: all, A,B (every pairing of them) or A:B (that pairing)",
        names=lambda config: [deck.name for deck in config.rules.named_decks],
        overrides=lambda one, two: {"decks": [one, two]},
        each=2,
    ),
)
