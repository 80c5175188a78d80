"""The numbers of Moscow, General Winter (モスクワ冬将軍): one frozen model of everything a config may set.

No rule stands here and nothing of the simulator is imported: a config can be read and checked without it.
Rule ids (M1, ...) are those of the rules page beside this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from analyzer.errors import UserError
from analyzer.games.moscow.surely import MAX_DECK

MIN_PLAYERS, MAX_PLAYERS = 1, 6

MonthName = Literal["june", "july", "august", "september", "october", "november", "december"]
MONTH_NAMES: tuple[MonthName, ...] = (
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

# Strict: a bool is no int, 6.0 is no 6. Literals are strict by themselves.
Count = Annotated[int, Field(strict=True, ge=0, le=60, description="cards of this kind in the deck")]
Strength = Annotated[int, Field(strict=True, ge=1, le=30, description="strength in a fight")]
Km = Annotated[int, Field(strict=True, ge=1, le=1000, description="distance in km")]
Goal = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Flag = Annotated[bool, Field(strict=True)]


class _Frozen(BaseModel):
    """Frozen all through (tuples, no lists), so that a config can be hashed, shared and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Month(_Frozen):
    """One calendar card (M3, M6): what it does to every attack (M21) and to hands (M17)."""

    name: MonthName
    japanese: Annotated[str, Field(strict=True, max_length=20, description="the month in Japanese")] = ""
    attack: Annotated[
        int, Field(strict=True, ge=-30, le=30, description="added to every German attack this month")
    ]
    hand_limit: Annotated[
        int, Field(strict=True, ge=1, le=20, description="cards a player may keep at the end of a turn")
    ]


def _calendar(months: tuple[Month, ...]) -> tuple[Month, ...]:
    names = tuple(month.name for month in months)
    if names != MONTH_NAMES:
        missing = [name for name in MONTH_NAMES if name not in names]
        told = f"{', '.join(missing)} missing; " if missing else ""
        raise ValueError(f"{told}the months must be {', '.join(MONTH_NAMES)}, in this order")
    return months


class Counted(_Frozen):
    """A kind of card with no number printed on it."""

    count: Count


class Advance(_Frozen):
    """An advance card (進撃, M9)."""

    km: Km
    count: Count


class RedArmy(_Frozen):
    """A Red Army card (レッドアーミー, M11): its strength, and the km it is worth once beaten (M22)."""

    strength: Strength
    km: Km
    count: Count


class Fighter(_Frozen):
    """A German card that fights (M20): a division (師団), a Luftwaffe card (ドイツ空軍) or a general."""

    strength: Strength
    count: Count


class OrderKm(_Frozen):
    """The order that throws a player back (M26)."""

    amount: Km
    count: Count


class HitlerOrder(_Frozen):
    """Hitler's orders (ヒトラー命令, M26 to M28)."""

    km: OrderKm
    division_1: Counted
    division_2: Counted
    general: Counted


T = TypeVar("T", Advance, RedArmy, Fighter)


def _ascending(value: Callable[[T], int]) -> Callable[[tuple[T, ...]], tuple[T, ...]]:
    """A validator: cards sorted by what is printed on them, which must differ within a kind."""

    def order(cards: tuple[T, ...]) -> tuple[T, ...]:
        values = [value(card) for card in cards]
        twice = sorted({one for one in values if values.count(one) > 1})
        if twice:
            raise ValueError(
                f"{twice[0]} stands here more than once; each value of a kind only once, with its count"
            )
        return tuple(sorted(cards, key=value))

    return order


def _by_km(card: Advance) -> int:
    return card.km


def _by_army_strength(card: RedArmy) -> int:
    return card.strength


def _by_strength(card: Fighter) -> int:
    return card.strength


AdvanceCards = Annotated[
    tuple[Advance, ...], Field(min_length=1, max_length=8), AfterValidator(_ascending(_by_km))
]
ArmyCards = Annotated[
    tuple[RedArmy, ...], Field(min_length=1, max_length=8), AfterValidator(_ascending(_by_army_strength))
]
FighterCards = Annotated[
    tuple[Fighter, ...], Field(min_length=1, max_length=8), AfterValidator(_ascending(_by_strength))
]


class Cards(_Frozen):
    """The draw deck (M1), by kind."""

    advance: AdvanceCards
    red_army: ArmyCards
    red_general: Counted
    great_river: Counted
    hitler_order: HitlerOrder
    division: FighterCards
    luftwaffe: FighterCards
    german_general: FighterCards
    reorganise: Counted
    time: Counted
    out_of_supply: Counted

    @model_validator(mode="after")
    def _deck_size(self) -> Cards:
        total = sum(card.count for card in _card_types(self))
        if not 1 <= total <= MAX_DECK:
            raise ValueError(f"the deck has {total} cards; 1 to {MAX_DECK} cards in all")
        return self


@dataclass(frozen=True, slots=True)
class CardType:
    """One type of card; its place in `MoscowRules.card_types()` is the type id used everywhere.

    `value` is the strength of a card that fights and the number of cards an order takes, else 0;
    `km` is the distance of an advance card, of a Red Army beaten, or taken by an order, else 0.
    """

    name: str
    kind: str
    value: int
    km: int
    count: int

    @property
    def in_hand(self) -> bool:
        """False for the two kinds that are never kept in a hand (M6, M7)."""
        return self.kind not in ("time", "out_of_supply")


def _order_types(order: HitlerOrder) -> Iterator[CardType]:
    yield CardType(f"order -{order.km.amount} km", "order_km", 0, order.km.amount, order.km.count)
    yield CardType("order -1 division", "order_division_1", 1, 0, order.division_1.count)
    yield CardType("order -2 divisions", "order_division_2", 2, 0, order.division_2.count)
    yield CardType("order -general", "order_general", 1, 0, order.general.count)


def _card_types(cards: Cards) -> Iterator[CardType]:
    """Every type of card, those with a count of 0 too, so that ids do not move when a count does."""
    for advance in cards.advance:
        yield CardType(f"advance {advance.km}", "advance", 0, advance.km, advance.count)
    for army in cards.red_army:
        name = f"army {army.strength}/{army.km}"
        yield CardType(name, "red_army", army.strength, army.km, army.count)
    yield CardType("red general", "red_general", 0, 0, cards.red_general.count)
    yield CardType("great river", "great_river", 0, 0, cards.great_river.count)
    yield from _order_types(cards.hitler_order)
    for kind in ("division", "luftwaffe", "german_general"):
        for card in getattr(cards, kind):
            yield CardType(f"{kind.replace('_', ' ')} {card.strength}", kind, card.strength, 0, card.count)
    yield CardType("reorganise", "reorganise", 0, 0, cards.reorganise.count)
    yield CardType("time", "time", 0, 0, cards.time.count)
    yield CardType("out of supply", "out_of_supply", 0, 0, cards.out_of_supply.count)


class MoscowRules(_Frozen):
    """Everything about Moscow that is a number or an option."""

    opening_hand: Annotated[int, Field(strict=True, ge=0, le=12)]
    actions_per_turn: Annotated[int, Field(strict=True, ge=1, le=2)]
    out_of_supply: Literal["lose_turn", "lose_division"]
    army_on_self: Flag
    front_must_be_clear: Flag
    boosts: Literal["multiply", "add"]
    goal_km: Goal
    goal_km_many: Goal
    many_players: Annotated[int, Field(strict=True, ge=2, le=MAX_PLAYERS + 1)]
    moscow_strength: Strength
    die_sides: Annotated[int, Field(strict=True, ge=2, le=20)]
    rivers_until: MonthName
    months: Annotated[tuple[Month, ...], AfterValidator(_calendar)]
    cards: Cards

    @cached_property
    def _types(self) -> tuple[CardType, ...]:
        return tuple(_card_types(self.cards))

    def card_types(self) -> tuple[CardType, ...]:
        """All card types in the order of their ids 0..N-1; the last two are never in a hand."""
        return self._types

    def hand_types(self) -> tuple[CardType, ...]:
        """The card types a hand can hold: all but the last two."""
        return self._types[:-2]

    @property
    def deck_size(self) -> int:
        """Cards in the draw deck before the deal (M1)."""
        return sum(card.count for card in self._types)

    def goal(self, players: int) -> int:
        """Km to Moscow for this number of players (M19)."""
        return self.goal_km_many if players >= self.many_players else self.goal_km

    def check_players(self, players: int) -> None:
        """Refuse a number of players the game or this deck cannot serve (M1).

        Raises UserError unless 1 to 6 play and every one has an opening hand and a card to draw.
        """
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise UserError(f"Moscow is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")
        needed = players * (self.opening_hand + 1)
        if self.deck_size < needed:
            raise UserError(
                f"A deck of {self.deck_size} cards is too small for {players} player{'s' * (players > 1)} "
                f"with an opening hand "
                f"of {self.opening_hand}: at least {needed} (each hand, and one card each to draw)."
            )


RULES = MoscowRules
