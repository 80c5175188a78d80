"""The numbers of Eastfront 1944 (俺のケツをなめろ): one frozen model of everything a config may set.

No rule stands here and nothing of the simulator is imported: a config can be read and checked without it.
Rule ids (E1, ...) are those of the rules page beside this module. What a card does is data: a support card
carries its effects on an exchange, a card that hinders names its effect and what it may be played against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from analyzer.axes import Axis
from analyzer.errors import UserError
from analyzer.games.eastfront.surely import MAX_DECK, MAX_FIRE, MAX_FRIENDS, MAX_HEIGHT

MIN_PLAYERS, MAX_PLAYERS = 2, 8
MAX_STACKS = 8
MAX_TYPES = 60  # types of play cards: a type must fit beside the random bits of a shuffle's keys

# Strict: a bool is no int, 6.0 is no 6. Literals are strict by themselves.
Count = Annotated[int, Field(strict=True, ge=0, le=60, description="cards of this kind")]
Fire = Annotated[int, Field(strict=True, ge=0, le=30, description="fire of a card")]
Defence = Annotated[int, Field(strict=True, ge=0, le=60, description="defence of a card")]
Flag = Annotated[bool, Field(strict=True)]
Name = Annotated[str, Field(strict=True, pattern=r"^[a-z0-9][a-z0-9_]{0,29}$", description="name of a card")]
Text = Annotated[str, Field(strict=True, max_length=200, description="a text")]
UnitClass = Literal["infantry", "gun", "vehicle"]
Against = Literal["any", "infantry", "gun", "vehicle"]
Effect = Literal["fire", "discard", "destroy", "halt", "recall"]


class _Frozen(BaseModel):
    """Frozen all through (tuples, no lists), so that a config can be hashed, shared and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Friend(_Frozen):
    """A friend card (友軍, E1)."""

    points: Annotated[int, Field(strict=True, ge=-5, le=20, description="points of a friend")]
    count: Count


class _Card(_Frozen):
    """What every named card has: `name` in keys, `title` in words, `japanese` beside it."""

    name: Name
    title: Text
    japanese: Text = ""
    count: Count
    text: Text = ""


class Soviet(_Card):
    """A Soviet card in a stack (E2, E13, E15)."""

    fire: Fire
    defence: Defence


class German(_Card):
    """A German card (E4, E7 A, E12)."""

    unit: UnitClass
    fire: Fire
    defence: Defence


class Support(_Card):
    """An attack support card (E14): what it changes in the exchange it is played in."""

    fire: Annotated[Fire, Field(description="added to the German fire")] = 0
    germans_first: Flag = False
    soviets_silent: Flag = False


class Hinder(_Card):
    """A card that hinders another player (E7 B, rulings 5 to 7).

    effect: fire (`fire` at a German card of the target), discard (a card of the target's hand at random),
    destroy (a German card of the target), halt (no attack in the target's next turn), recall (a German card
    of the target goes back to its hand). `against`: which German cards it may name.
    """

    effect: Effect
    against: Against = "any"
    fire: Fire = 0

    @property
    def names_a_card(self) -> bool:
        """Whether it is played at one German card on the target's table."""
        return self.effect in ("fire", "destroy", "recall")


class Reaction(_Card):
    """A card played in another player's turn (E20): cover, or a pillbox with its `defence`."""

    effect: Literal["cover", "pillbox"]
    defence: Annotated[Defence, Field(description="added to the Soviet defence")] = 0


C = TypeVar("C", bound=_Card)


def _unlike(cards: tuple[C, ...]) -> tuple[C, ...]:
    """A validator: names within a kind must differ."""
    names = [card.name for card in cards]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice[0]} stands here more than once; each card of a kind once, with its count")
    return cards


def _one_of_each_points(cards: tuple[Friend, ...]) -> tuple[Friend, ...]:
    values = [card.points for card in cards]
    if len(set(values)) < len(values):
        raise ValueError("each number of points only once, with its count")
    return tuple(sorted(cards, key=lambda card: card.points))


def _one_of_each_effect(cards: tuple[Reaction, ...]) -> tuple[Reaction, ...]:
    effects = [card.effect for card in cards]
    if sorted(effects) != ["cover", "pillbox"]:
        raise ValueError("there must be one cover card and one pillbox card (their count may be 0)")
    return tuple(sorted(cards, key=lambda card: card.effect))


Germans = Annotated[tuple[German, ...], Field(min_length=1, max_length=12), AfterValidator(_unlike)]
Supports = Annotated[tuple[Support, ...], Field(max_length=8), AfterValidator(_unlike)]
Hinders = Annotated[tuple[Hinder, ...], Field(max_length=8), AfterValidator(_unlike)]


class Cards(_Frozen):
    """All cards, by kind. The play deck is german + support + soviet_attack + misfortune + reaction."""

    friends: Annotated[
        tuple[Friend, ...], Field(min_length=1, max_length=10), AfterValidator(_one_of_each_points)
    ]
    soviet: Annotated[tuple[Soviet, ...], Field(min_length=1, max_length=8), AfterValidator(_unlike)]
    german: Germans
    support: Supports
    soviet_attack: Hinders
    misfortune: Hinders
    reaction: Annotated[
        tuple[Reaction, ...], Field(min_length=2, max_length=2), AfterValidator(_one_of_each_effect)
    ]

    @model_validator(mode="after")
    def _totals(self) -> Cards:
        friends = sum(card.count for card in self.friends)
        if not 1 <= friends <= MAX_FRIENDS:
            raise ValueError(f"there are {friends} friend cards; 1 to {MAX_FRIENDS} in all")
        total = sum(card.count for card in _play_types(self))
        if not 1 <= total <= MAX_DECK:
            raise ValueError(f"the play deck has {total} cards; 1 to {MAX_DECK} cards in all")
        fire = sum(card.fire * card.count for card in self.german)
        fire += sum(card.fire * card.count for card in self.support)
        if fire > MAX_FIRE:
            raise ValueError(
                f"all German and support cards together have a fire of {fire}; at most {MAX_FIRE}"
            )
        return self


@dataclass(frozen=True, slots=True)
class CardType:
    """One type of play card; its place in `EastfrontRules.card_types()` is the type id used everywhere.

    kind: german | support | soviet_attack | misfortune | reaction; `index` counts within the kind.
    """

    name: str
    title: str
    kind: str
    index: int
    count: int


def _play_types(cards: Cards) -> Iterator[CardType]:
    """Every type of play card, those with a count of 0 too, so that ids do not move when a count does."""
    for kind in ("german", "support", "soviet_attack", "misfortune", "reaction"):
        for index, card in enumerate(getattr(cards, kind)):
            yield CardType(card.name, card.title, kind, index, card.count)


class EastfrontRules(_Frozen):
    """Everything about Eastfront 1944 that is a number or an option."""

    opening_hand: Annotated[int, Field(strict=True, ge=0, le=12)]
    hand_limit: Annotated[int, Field(strict=True, ge=1, le=20)]
    stacks: Annotated[int, Field(strict=True, ge=1, le=MAX_STACKS)]
    go_on: Literal["same_then_any", "any", "same"]
    support_limit: Literal["any", "one"]
    game_end: Literal["finish_turn", "at_once"]
    tie: Literal["shared", "nobody"]
    cards: Cards

    @model_validator(mode="after")
    def _stack_heights(self) -> EastfrontRules:
        soviets = sum(card.count for card in self.cards.soviet)
        if not self.stacks <= soviets <= self.stacks * MAX_HEIGHT:
            raise ValueError(
                f"there are {soviets} Soviet cards for {self.stacks} stacks; "
                f"1 to {MAX_HEIGHT} cards a stack are needed"
            )
        return self

    @cached_property
    def _types(self) -> tuple[CardType, ...]:
        return tuple(_play_types(self.cards))

    def card_types(self) -> tuple[CardType, ...]:
        """All types of play cards in the order of their ids 0..N-1."""
        return self._types

    @cached_property
    def hinders(self) -> tuple[Hinder, ...]:
        """The cards that hinder, in the order of their type ids: Soviet attacks, then misfortunes."""
        return (*self.cards.soviet_attack, *self.cards.misfortune)

    @property
    def deck_size(self) -> int:
        """Play cards in all, before the deal."""
        return sum(card.count for card in self._types)

    @property
    def friends(self) -> int:
        """Friend cards in all (E1)."""
        return sum(card.count for card in self.cards.friends)

    @property
    def soviets(self) -> int:
        """Soviet cards in all (E2)."""
        return sum(card.count for card in self.cards.soviet)

    def check_players(self, players: int) -> None:
        """Refuse a number of players the game or this deck cannot serve.

        Raises UserError unless 2 to 8 play and every one has an opening hand and a card to draw.
        """
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise UserError(f"Eastfront 1944 is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")
        needed = players * (self.opening_hand + 1)
        if self.deck_size < needed:
            raise UserError(
                f"A play deck of {self.deck_size} cards is too small for {players} players with an opening "
                f"hand of {self.opening_hand}: at least {needed} (each hand, and one card each to draw)."
            )


RULES = EastfrontRules


def hinder_names(_: Any) -> dict[str, tuple[str, ...]]:
    """Numbers of cards that hinder, as values of the axis `hindering`: from none to twice as many."""
    now = sum(card.count for card in _shipped().hinders)
    return {f"{round(part * now)} cards": (str(round(part * now)),) for part in HINDER_PARTS}


def hinder_counts(name: str) -> dict[str, int]:
    """The counts of cards that hinder for a number of them in all, the German cards making up the difference.

    Both groups keep their proportions (largest remainders) and their sum, those of the shipped config, so
    that the play deck and the length of the game stay as they are.
    """
    cards = _shipped().cards
    hinder = [("soviet_attack", card) for card in cards.soviet_attack]
    hinder += [("misfortune", card) for card in cards.misfortune]
    german = [("german", card) for card in cards.german]
    wanted = int(name.split()[0])
    rest = sum(card.count for _, card in hinder + german) - wanted
    counts: dict[str, int] = {}
    for group, total in ((hinder, wanted), (german, rest)):
        shares = _shared_out(total, [card.count for _, card in group])
        for (kind, card), count in zip(group, shares, strict=True):
            counts[f"cards.{kind}.{card.name}.count"] = count
    return counts


def _shipped() -> EastfrontRules:
    from analyzer.config import load_config

    rules: EastfrontRules = load_config("eastfront").rules
    return rules


def _shared_out(total: int, parts: list[int]) -> list[int]:
    """`total` shared out in proportion to the parts, by largest remainders."""
    exact = [total * part / sum(parts) for part in parts]
    shares = [int(one) for one in exact]
    by_rest = sorted(range(len(parts)), key=lambda k: exact[k] - shares[k], reverse=True)
    for k in by_rest[: total - sum(shares)]:
        shares[k] += 1
    return shares


HINDER_PARTS = (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)
BLOCK = 200_000  # attacks ask a thousand times a block, of few games each
AXES = (
    Axis(
        "hindering",
        "numbers of cards that hinder (German cards make up the difference): all, 0,10,20 or 0-20",
        names=hinder_names,
        overrides=hinder_counts,
    ),
    Axis(
        "go-on",
        "how an attack may go on (E17): all, same_then_any, any, same",
        names=lambda config: ["same_then_any", "any", "same"],
        overrides=lambda value: {"go_on": value},
    ),
)
