"""What never changes in a game of Eastfront 1944: card type ids, action codes and number tables.

Exchanges (E12 to E16) hang on few things: which German types stand on the table (a bit mask, their
*presence*), their fire together (their *force*), and the Soviet card. So victims and beaten cards are looked
up in tables made once from the rules.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from analyzer.games.eastfront.model import EastfrontRules

Array = NDArray[Any]
U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
U64 = NDArray[np.uint64]
ANSWERS = {"keep": 0, "play": 1}  # of a reaction
SOVIET, VICTIM, NEED, LEFT, FIRE, FIRST, SILENT, LOST = range(8)  # the values of an `Exchange`


@lru_cache(maxsize=64)
def yes_or_no(rows: int) -> U8:
    """uint8[2, row]: keeping and playing a card are both legal. Not to be written to."""
    legal = np.ones((2, rows), np.uint8)
    legal.flags.writeable = False
    return legal


class Tables:
    """Ids, codes and numbers for `players` seats under `rules`; nothing of it ever changes.

    Card type ids follow `rules.card_types()`; the slices cut a hand `[type, game]`. The action codes of a
    turn are the German types (reinforce), then the cards that hinder, then `nothing`.
    """

    def __init__(self, rules: EastfrontRules, players: int) -> None:
        self.rules, self.players = rules, players
        cards = rules.cards
        self.germans, self.soviets = len(cards.german), len(cards.soviet)
        self.supports, self.hinders = len(cards.support), len(rules.hinders)
        self.german = slice(0, self.germans)
        self.support = slice(self.german.stop, self.german.stop + self.supports)
        self.hinder = slice(self.support.stop, self.support.stop + self.hinders)
        self.cover, self.pillbox = self.hinder.stop, self.hinder.stop + 1
        self.types = self.pillbox + 1
        self.stacks, self.height = rules.stacks, -(-rules.soviets // rules.stacks)
        self.nothing = self.germans + self.hinders
        self.no_stack = self.stacks  # the code for no attack, and for an attack that ends
        self.dealt = players * rules.opening_hand

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """Titles of the play card types."""
        return tuple(card.title for card in self.rules.card_types())

    @cached_property
    def deck(self) -> U8:
        """uint8[card]: the type ids of all play cards."""
        return _repeated([card.count for card in self.rules.card_types()])

    @cached_property
    def soviet_deck(self) -> U8:
        """uint8[card]: the types of all Soviet cards."""
        return _repeated([card.count for card in self.rules.cards.soviet])

    @cached_property
    def friend_deck(self) -> U8:
        """uint8[card]: the places in `friend_points` of all friend cards."""
        return _repeated([card.count for card in self.rules.cards.friends])

    @cached_property
    def friend_points(self) -> NDArray[np.int16]:
        """int16[kind of friend]."""
        return np.array([card.points for card in self.rules.cards.friends], np.int16)

    @cached_property
    def max_turns(self) -> int:
        """One turn a card that is left after the deal (E6, E10)."""
        return len(self.deck) - self.dealt

    @cached_property
    def heights(self) -> U8:
        """uint8[stack]: cards in each stack at the start (E2)."""
        return np.bincount(np.arange(self.rules.soviets) % self.stacks, minlength=self.stacks).astype(
            np.uint8
        )

    @cached_property
    def seats_clockwise(self) -> NDArray[np.intp]:
        """intp[seat, k]: the other seats clockwise from each, and itself last."""
        seats = np.arange(self.players)
        return np.asarray((seats[:, None] + 1 + seats) % self.players)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """intp[stack, 1]: 0, 1, 2, ..."""
        return np.arange(self.stacks)[:, None]

    @cached_property
    def codes_down(self) -> U8:
        """uint8[stack, 1]: the codes of the stacks: 0, 1, 2, ..."""
        return np.arange(self.stacks, dtype=np.uint8)[:, None]

    # -- names of the blocks of scores ------------------------------------------------------------
    @cached_property
    def act_blocks(self) -> dict[str, slice | int]:
        hinder = slice(self.germans, self.nothing)
        return {"reinforce": self.german, "hinder": hinder, "nothing": self.nothing}

    @cached_property
    def stack_blocks(self) -> dict[str, slice | int]:
        return {"stack": slice(0, self.stacks), "stop": self.no_stack}

    @cached_property
    def support_blocks(self) -> dict[str, slice | int]:
        return {"play": slice(0, self.supports), "stop": self.supports}

    @cached_property
    def card_blocks(self) -> dict[str, slice | int]:
        """A hand's card types."""
        names = ("german", "support", "hinder", "cover", "pillbox")
        return {name: getattr(self, name) for name in names}

    # -- numbers of the cards ---------------------------------------------------------------------
    @cached_property
    def german_fire(self) -> U8:
        return np.array([card.fire for card in self.rules.cards.german], np.uint8)

    @cached_property
    def german_defence(self) -> U8:
        return np.array([card.defence for card in self.rules.cards.german], np.uint8)

    @cached_property
    def soviet_fire(self) -> U8:
        return np.array([card.fire for card in self.rules.cards.soviet], np.uint8)

    @cached_property
    def soviet_defence(self) -> U8:
        return np.array([card.defence for card in self.rules.cards.soviet], np.uint8)

    @cached_property
    def pillbox_defence(self) -> int:
        return self.rules.cards.reaction[1].defence

    @cached_property
    def pillbox_more(self) -> U8:
        """uint8[]: the same as an array, quicker to add."""
        return np.array(self.pillbox_defence, np.uint8)

    @cached_property
    def support_fire(self) -> U8:
        return np.array([card.fire for card in self.rules.cards.support], np.uint8)

    @cached_property
    def support_first(self) -> U8:
        """uint8[support]: 1 where the Germans fire first (ambush)."""
        return np.array([card.germans_first for card in self.rules.cards.support], np.uint8)

    @cached_property
    def support_silent(self) -> U8:
        """uint8[support]: 1 where the Soviets do not fire (smoke)."""
        return np.array([card.soviets_silent for card in self.rules.cards.support], np.uint8)

    @cached_property
    def hinder_fire(self) -> U8:
        """uint8[hinder]: the fire of a Soviet attack; 255 for a card that destroys whatever it names."""
        return np.array([_fire(card) for card in self.rules.hinders], np.uint8)

    @cached_property
    def effects(self) -> tuple[str, ...]:
        """The effect of every card that hinders."""
        return tuple(card.effect for card in self.rules.hinders)

    @cached_property
    def hinder_against(self) -> U16:
        """uint16[hinder]: the German types it may name, as bits; 0 for a card that names none."""
        bits = [
            sum(1 << g for g, german in enumerate(self.rules.cards.german) if _allows(card, german))
            for card in self.rules.hinders
        ]
        return np.array(bits, np.uint16)

    @cached_property
    def support_effects(self) -> U8:
        """uint8[5, support]: fire added; 1 where the Germans fire first; 1 where the Soviets do not fire; and
        the factors (0 or 1) of what the Soviets destroy, and of what they destroy before the Germans fire."""
        first, silent = self.support_first, self.support_silent
        return np.stack([self.support_fire, first, silent, 1 - silent, (1 - first) * (1 - silent)])

    @cached_property
    def support_columns(self) -> tuple[U8, U8]:
        """uint8[support, 1] twice: 1 where the Germans fire first; 1 where the Soviets do not fire."""
        return self.support_first[:, None], self.support_silent[:, None]

    @cached_property
    def support_bits(self) -> U8:
        """uint8[support, 1]: the bit of each support card among those held."""
        return np.left_shift(1, np.arange(self.supports)).astype(np.uint8)[:, None]

    @cached_property
    def support_legal(self) -> U8:
        """0/1 uint8[support or stop, cards held as bits]: what may be played."""
        held = np.arange(256, dtype=np.uint8) & self.support_bits
        return np.concatenate([held > 0, np.ones((1, 256), bool)]).astype(np.uint8)

    @cached_property
    def fire_with(self) -> NDArray[np.intp]:
        """intp[support]: which value of an exchange is the German fire with it, without what it adds."""
        return np.where(self.support_effects[4], LEFT, FIRE).astype(np.intp)

    @cached_property
    def need_with(self) -> U8:
        """uint8[support, need]: what that fire must exceed, with what the card adds (0: any fire will do)."""
        return np.maximum(np.arange(256) - self.support_fire[:, None].astype(int), 0).astype(np.uint8)

    @cached_property
    def is_discard(self) -> NDArray[np.bool_]:
        """bool[hinder]: it costs the target a card of its hand."""
        return np.array([effect == "discard" for effect in self.effects], bool)

    @cached_property
    def defence_of_named(self) -> U8:
        """uint8[256]: the defence of a named German card; 255 (never beaten) where none is named."""
        defence = np.full(256, 255, np.uint8)
        defence[: self.germans] = self.german_defence
        return defence

    # -- exchanges ----------------------------------------------------------------------------------
    @cached_property
    def bits(self) -> U16:
        """uint16[german]: the bit of each German type in a presence."""
        return np.left_shift(1, np.arange(self.germans)).astype(np.uint16)

    @cached_property
    def bits_down(self) -> U16:
        """uint16[german, 1]: the same, to be met with the presences of many games."""
        return self.bits[:, None]

    @cached_property
    def presences(self) -> int:
        """How many presences there are."""
        return 1 << self.germans

    @cached_property
    def worth(self) -> NDArray[np.int16]:
        """int16[german]: a strict order of the German types, by fire, then defence, then place in the list.

        What a shooter takes first, and a player keeps longest.
        """
        order = np.lexsort((np.arange(self.germans), self.german_defence, self.german_fire))
        ranks = np.empty(self.germans, np.int16)
        ranks[order] = np.arange(self.germans)
        return ranks

    @cached_property
    def hinder_worth(self) -> U8:
        """uint8[hinder, 1]: a strict order of the cards that hinder: the surer and the more they destroy."""
        first = ("discard", "halt", "recall", "fire", "destroy")
        keys = [(first.index(card.effect), card.fire, place) for place, card in enumerate(self.rules.hinders)]
        ranks = np.empty((len(keys), 1), np.uint8)
        ranks[[place for *_, place in sorted(keys)], 0] = np.arange(len(keys))
        return ranks

    def victims(self, fires: U8) -> tuple[U8, U8]:
        """Whom each fire takes out of each presence: (German type, fire that is lost), uint8[fire, presence].

        The best card that it can destroy (`worth`); if there is none, the least of all and 0 lost. Type 255
        for an empty table.
        """
        there = (np.arange(self.presences)[:, None] >> np.arange(self.germans) & 1).astype(bool)
        victim = np.full((len(fires), self.presences), 255, np.uint8)
        lost = np.zeros((len(fires), self.presences), np.uint8)
        by_worth = np.argsort(self.worth)
        for k, fire in enumerate(fires):
            for g in by_worth[::-1]:  # least worth last: what cannot be destroyed is named then
                victim[k, there[:, g]] = g
            for g in by_worth:
                if self.german_defence[g] < fire:
                    victim[k, there[:, g]] = g
                    lost[k, there[:, g]] = self.german_fire[g]
        return victim, lost

    @cached_property
    def shot(self) -> tuple[U8, U8]:
        """`victims` of the Soviet cards, flat uint8[soviet * presences + presence]."""
        victim, lost = self.victims(self.soviet_fire)
        return victim.reshape(-1), lost.reshape(-1)

    @cached_property
    def hindered(self) -> U8:
        """The victim of every card that hinders, flat uint8[hinder * presences + presence].

        The best card that it may name and can hurt.
        """
        victim = np.empty((self.hinders, self.presences), np.uint8)
        for h, against in enumerate(self.hinder_against):
            allowed = np.arange(self.presences) & int(against)
            victim[h] = self.victims(self.hinder_fire[h : h + 1])[0][0, allowed]
        return victim.reshape(-1)

    @cached_property
    def beats(self) -> U8:
        """Which Soviet cards a table beats in its next exchange, flat uint8[force * presences + presence].

        Bit s is set if the force left after the Soviet card took its victim exceeds the defence of card s
        (E13, E15): the exact outcome without support and pillbox against a neighbour who shoots well.
        """
        most = 1 + sum(card.fire * card.count for card in self.rules.cards.german)
        force = np.arange(most)[:, None]
        lost = self.shot[1].reshape(self.soviets, self.presences)
        beats = np.zeros((most, self.presences), np.uint8)
        for s in range(self.soviets):
            beats |= (force - lost[s] > int(self.soviet_defence[s])).astype(np.uint8) << s
        return beats.reshape(-1)

    @cached_property
    def full_stacks(self) -> U8:
        """uint8[stack, 1]: the byte of a stack that nobody has begun."""
        return (self.heights << np.uint8(4))[:, None]

    @cached_property
    def byte_after(self) -> U8:
        """uint8[256]: the byte of a stack when its top card is destroyed."""
        left = (np.arange(256) >> 4) - 1
        return np.where(left > 0, left << 4, 15).astype(np.uint8)

    @cached_property
    def percents(self) -> U8:
        """uint8[hits * 256 + total]: whole percent of hits in total, rounded down; 0 of nothing is 0."""
        most = self.rules.soviets + 1
        hits, total = np.arange(most)[:, None], np.maximum(np.arange(256), 1)
        return np.minimum(hits * 100 // total, 100).astype(np.uint8).reshape(-1)

    @cached_property
    def one_unseen(self) -> U64:
        """uint64[soviet]: one card of each type, in bytes."""
        return np.left_shift(np.uint64(1), np.arange(self.soviets, dtype=np.uint64) * np.uint64(8))

    @cached_property
    def all_unseen(self) -> np.uint64:
        """All Soviet cards, a byte a type."""
        counts = np.bincount(self.soviet_deck, minlength=self.soviets).astype(np.uint64)
        return np.uint64((counts * self.one_unseen).sum())

    @cached_property
    def bytes_of_bits(self) -> U64:
        """uint64[256]: a full byte for every bit: which Soviet cards, as a mask of `unseen`."""
        set_bits = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.uint8)
        return (set_bits * np.uint8(255)).view("<u8")[:, 0].astype(np.uint64)


def _repeated(counts: list[int]) -> U8:
    return np.repeat(np.arange(len(counts), dtype=np.uint8), counts)


def _fire(card: Any) -> int:
    return 255 if card.effect in ("destroy", "recall") else int(card.fire)


def _allows(card: Any, german: Any) -> bool:
    return bool(card.names_a_card and card.against in ("any", german.unit))
