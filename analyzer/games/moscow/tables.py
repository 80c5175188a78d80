"""What never changes in a game of Moscow: card type ids, action codes and number tables, from the rules."""

from __future__ import annotations

from functools import cached_property, reduce
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from analyzer.games.moscow.model import MoscowRules

Array = NDArray[Any]
ORDERS = ("km", "division_1", "division_2", "general")


class Tables:
    """Ids, codes and numbers for `players` seats under `rules`; nothing of it ever changes.

    Card type ids follow `rules.card_types()`; the slices cut a hand `[type, game]`. The action codes of a
    turn start with the card types `0 .. order_general` (play that card), then come `moscow_army` (one a
    Red Army type), `moscow_general`, `fight`, `attack` and `nothing`.
    """

    def __init__(self, rules: MoscowRules, players: int) -> None:
        self.rules, self.players = rules, players
        kinds = [card.kind for card in rules.card_types()]

        def cut(kind: str) -> slice:
            return slice(kinds.index(kind), len(kinds) - kinds[::-1].index(kind))

        self.advance, self.red_army = cut("advance"), cut("red_army")
        self.division, self.luftwaffe = cut("division"), cut("luftwaffe")
        self.german_general = cut("german_general")
        self.red_general, self.great_river = kinds.index("red_general"), kinds.index("great_river")
        self.orders = slice(kinds.index("order_km"), kinds.index("order_general") + 1)
        self.reorganise, self.time = kinds.index("reorganise"), kinds.index("time")
        self.out_of_supply = kinds.index("out_of_supply")

    @cached_property
    def types(self) -> int:
        """How many card types there are; the last two (time, out of supply) are never in a hand."""
        return len(self.rules.card_types())

    @cached_property
    def hand_types(self) -> int:
        return self.types - 2

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.rules.card_types())

    @cached_property
    def deck(self) -> NDArray[np.uint8]:
        """uint8[card]: the type ids of all cards of the draw deck."""
        counts = [card.count for card in self.rules.card_types()]
        return np.repeat(np.arange(len(counts), dtype=np.uint8), counts)

    @cached_property
    def fighting(self) -> slice:
        """Divisions, Luftwaffe and German generals: the cards used in a fight."""
        return slice(self.division.start, self.german_general.stop)

    # -- action codes -----------------------------------------------------------------------------
    @cached_property
    def targeted(self) -> slice:
        """Codes of cards put before, or played on, a player: armies, general, river, orders."""
        return slice(self.red_army.start, self.orders.stop)

    @cached_property
    def moscow_army(self) -> slice:
        return slice(self.orders.stop, self.orders.stop + self.red_army.stop - self.red_army.start)

    @cached_property
    def moscow_general(self) -> int:
        return self.moscow_army.stop

    @cached_property
    def fight(self) -> int:
        return self.moscow_general + 1

    @cached_property
    def attack(self) -> int:
        return self.moscow_general + 2

    @cached_property
    def nothing(self) -> int:
        return self.moscow_general + 3

    @cached_property
    def actions(self) -> int:
        return self.nothing + 1

    @cached_property
    def blocks(self) -> dict[str, slice | int]:
        """The named blocks of the scores of `act`."""
        return {
            "advance": self.advance,
            "army": self.red_army,
            "general": self.red_general,
            "river": self.great_river,
            "order": self.orders,
            "moscow_army": self.moscow_army,
            "moscow_general": self.moscow_general,
            "fight": self.fight,
            "attack": self.attack,
            "nothing": self.nothing,
        }

    @cached_property
    def card_blocks(self) -> dict[str, slice | int]:
        """The named blocks of the scores of `discard`: a hand's card types."""
        return {
            **{name: getattr(self, name) for name in ("advance", "division", "luftwaffe", "german_general")},
            "army": self.red_army,
            "general": self.red_general,
            "river": self.great_river,
            "order": self.orders,
            "reorganise": self.reorganise,
        }

    # -- numbers ----------------------------------------------------------------------------------
    @cached_property
    def goal_km(self) -> int:
        """M19; ruling 13 for one player."""
        return self.rules.goal_km_many if self.players >= self.rules.many_players else self.rules.goal_km

    @cached_property
    def km_unit(self) -> int:
        """Greatest common divisor of all distances: km are counted in it, to fit small integers."""
        kms = [card.km for card in self.rules.card_types() if card.km]
        return reduce(gcd, [*kms, self.goal_km])

    @cached_property
    def km_dtype(self) -> Any:
        """The smallest unsigned type that holds every distance a player can reach."""
        driving = [card for card in self.rules.card_types() if card.kind in ("advance", "red_army")]
        most = sum(card.km * card.count for card in driving) // self.km_unit
        # One value is left for "no distance" in tallies.
        return np.uint8 if most < 255 and self.goal_km // self.km_unit < 255 else np.uint16

    def km(self, amount: int) -> int:
        return amount // self.km_unit

    @cached_property
    def advance_km(self) -> Array:
        return np.array([c.km // self.km_unit for c in self.rules.cards.advance], self.km_dtype)

    @cached_property
    def army_km(self) -> Array:
        """[army + 1]: the km of a beaten army; place 0 is no army."""
        return np.array([0, *(c.km // self.km_unit for c in self.rules.cards.red_army)], self.km_dtype)

    @cached_property
    def army_strength(self) -> NDArray[np.uint8]:
        """uint8[army + 1]: place 0 is no army."""
        return np.array([0, *(c.strength for c in self.rules.cards.red_army)], np.uint8)

    @cached_property
    def lost_cards(self) -> NDArray[np.intp]:
        """intp[card]: the types an order takes, weakest first: divisions, then German generals (M27, M28)."""
        return np.r_[self.division, self.german_general]

    @cached_property
    def lost_kinds(self) -> list[str]:
        """The kind of each of `lost_cards`."""
        return ["division" if card < self.division.stop else "general" for card in self.lost_cards]

    @cached_property
    def order_divisions(self) -> NDArray[np.uint8]:
        """uint8[order]: how many divisions each of ORDERS takes."""
        return np.array([0, 1, 2, 0], np.uint8)

    @cached_property
    def order_generals(self) -> NDArray[np.uint8]:
        """uint8[order]: how many generals each of ORDERS takes."""
        return np.array([0, 0, 0, 1], np.uint8)

    @cached_property
    def strengths(self) -> NDArray[np.int16]:
        """int16[fighting type]: the strength of divisions, Luftwaffe and German generals."""
        cards = self.rules.cards
        return np.array(
            [c.strength for c in (*cards.division, *cards.luftwaffe, *cards.german_general)], np.int16
        )

    @cached_property
    def power_dtype(self) -> Any:
        """The smallest type that holds the strength of any hand.

        A hand never holds more than the larger of the opening hand and the hand limits, and two cards
        more: the one drawn, and a division that comes back.
        """
        most = max(self.rules.opening_hand, *(month.hand_limit for month in self.rules.months)) + 2
        return np.uint8 if most * int(self.strengths.max()) < 256 else np.int16

    @cached_property
    def power(self) -> Array:
        """[fighting type, 1]: `strengths` in `power_dtype`."""
        return self.strengths.astype(self.power_dtype)[:, None]

    @cached_property
    def ranks(self) -> NDArray[np.uint8]:
        """uint8[8, 1]: 0, 1, 2, ... for the cards of a kind (at most 8)."""
        return np.arange(8, dtype=np.uint8)[:, None]

    @cached_property
    def modifiers(self) -> NDArray[np.int16]:
        return np.array([month.attack for month in self.rules.months], np.int16)

    @cached_property
    def limits(self) -> NDArray[np.uint8]:
        return np.array([month.hand_limit for month in self.rules.months], np.uint8)

    @cached_property
    def rivers_count(self) -> NDArray[np.uint8]:
        """uint8[month]: 1 while great rivers count (M21)."""
        months = [month.name for month in self.rules.months]
        return (np.arange(len(months)) <= months.index(self.rules.rivers_until)).astype(np.uint8)

    @cached_property
    def seats_clockwise(self) -> NDArray[np.intp]:
        """intp[seat, k]: the other seats clockwise from each, and itself last."""
        seats = np.arange(self.players)
        return np.asarray((seats[:, None] + 1 + seats) % self.players)

    @cached_property
    def targets(self) -> int:
        """How many places a targeted card has: all others, and oneself last where armies may go there."""
        return self.players - 1 + (1 if self.rules.army_on_self else 0) if self.players > 1 else 0

    @cached_property
    def max_turns(self) -> int:
        return len(self.deck)
