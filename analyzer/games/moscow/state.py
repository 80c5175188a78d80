"""The arrays of a block of Moscow games. The game (lane) is the last axis everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import State
from analyzer.games.moscow.tables import Tables
from analyzer.sim import cards
from analyzer.sim.chance import DEAL, Luck

U8 = NDArray[np.uint8]


@dataclass(eq=False)
class MoscowState(State):
    """Fields by the words of the rules; km are counted in `Tables.km_unit`, armies as index + 1 (0 none)."""

    deck: U8  # [card, game]: the draw deck from the top, NO_CARD below its end
    deck_size: U8  # [game]
    hand: U8  # [seat, type, game]: counts
    size: U8  # [seat, game]: cards in hand
    shown: U8  # [seat, game]: 1 while all know this hand (ruling 2)
    km: NDArray[Any]  # [seat, game]
    front: U8  # [seat, game]: the Red Army before a player
    general: U8  # [seat, game]: 1 with a Red general on it
    river: U8  # [seat, game]: 1 with a great river on it
    strength: U8  # [seat, game]: of the Red Army before a player, without boosts (0 none)
    moscow_army: U8  # [game]
    moscow_general: U8  # [game]
    moscow: U8  # [game]: what an attack on Moscow must reach
    month: U8  # [game]: 0 June .. 6 December
    modifier: NDArray[np.int16]  # [game]: the month's attack modifier
    limit: U8  # [game]: the month's hand limit
    rivers_count: U8  # [game]: 1 while great rivers count
    dead: U8  # [game]: 255 once the game is over, else 0 (a mask)
    winner: U8  # [game]: seat + 1, 0 nobody
    length: U8  # [game]: turns played
    arrived: U8  # [seat, game]: the turn (from 1) of the first arrival, 0 never
    blocked: U8  # [seat, game]: turns with a Red Army before one
    drawn: U8  # [seat, type, game]: cards drawn into the hand since
    played: U8  # [seat, type, game]: cards played or used
    opening: tuple[U8, ...]  # a seat, [type, block row]: the opening hands, of all games to the end
    turns_begun: int = 0  # cards of the deck above this place are drawn, and not kept
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play
    finished: list[Any] = field(default_factory=list)  # cards of the games taken out: counting.outcome

    def take(self, keep: NDArray[np.intp]) -> None:
        """Keep only these lanes (compaction), in place; of the deck what is left of it."""
        deck, drawn = self.deck, self.turns_begun
        self.deck = np.empty((len(deck), keep.size), np.uint8)
        deck[drawn:].take(keep, axis=1, out=self.deck[drawn:])
        rest, self.deck = self.deck, self.deck[:0, :0]  # not to be cut again
        super().take(np.asarray(keep))
        self.deck = rest


def start(tables: Tables, luck: Luck) -> MoscowState:
    """M1 to M3: shuffle, deal, cards that go back are shuffled in again; June."""
    games, players, types = len(luck.rows), tables.players, tables.hand_types
    hand, deck, deck_size = deal(tables, luck)

    def zeros(*shape: int, dtype: Any = np.uint8) -> NDArray[Any]:
        return np.zeros((*shape, games), dtype)

    size = np.add.reduce(hand, axis=1, dtype=np.uint8)
    return MoscowState(
        rows=np.arange(games) if len(luck.rows) == luck.size else luck.rows.copy(),
        over=zeros(),
        deck=deck,
        deck_size=deck_size,
        hand=hand,
        size=size,
        shown=zeros(players),
        km=zeros(players, dtype=tables.km_dtype),
        front=zeros(players),
        general=zeros(players),
        river=zeros(players),
        strength=zeros(players),
        moscow_army=zeros(),
        moscow_general=zeros(),
        moscow=np.full(games, tables.rules.moscow_strength, np.uint8),
        month=zeros(),
        modifier=np.full(games, tables.modifiers[0], np.int16),
        limit=np.full(games, tables.limits[0], np.uint8),
        rivers_count=np.full(games, tables.rivers_count[0], np.uint8),
        dead=zeros(),
        winner=zeros(),
        length=zeros(),
        arrived=zeros(players),
        blocked=zeros(players),
        opening=tuple(hand.copy()),
        drawn=zeros(players, types),
        played=zeros(players, types),
    )


CHUNK = 2048  # games dealt at a time, so that their keys stay in the cache


def deal(tables: Tables, luck: Luck) -> tuple[U8, U8, U8]:
    """M1, M2: hands uint8[seat, type, game], decks uint8[card, game] and their sizes uint8[game].

    Card k of the first shuffle goes to seat k % players. Cards that no hand may keep go back, and what is
    left of the deck is shuffled again.
    """
    players, games = tables.players, len(luck.rows)
    hand = np.empty((players, tables.hand_types, games), np.uint8)
    deck = np.empty((len(tables.deck), games), np.uint8)
    size = np.empty(games, np.uint8)
    for part, bits in luck.deal_parts(luck.stream(DEAL), words_dealt(tables), CHUNK):
        _deal_part(tables, bits, hand[..., part], deck[:, part], size[part])
    return hand, deck[: int(size.max())], size


def deal_bits(tables: Tables, luck: Luck) -> NDArray[np.uint32]:
    """uint32[game, word]: one word a card dealt (first shuffle), then one a card of the deck (second)."""
    return luck.deal_bits(luck.stream(DEAL), words_dealt(tables))


def words_dealt(tables: Tables) -> int:
    """How many random words the deal of a game takes."""
    return tables.players * tables.rules.opening_hand + len(tables.deck)


def first_shuffle(tables: Tables, bits: NDArray[np.uint32]) -> U8:
    """uint8[card, game]: places in `Tables.deck`; the cards to be dealt first, in order (Fisher-Yates)."""
    dealt, total, games = tables.players * tables.rules.opening_hand, len(tables.deck), len(bits)
    order = np.repeat(np.arange(total, dtype=np.uint8)[:, None], games, axis=1)
    # Card k changes places with one of those from k on.
    step = np.arange(dealt)[:, None]
    others = bits[:, :dealt].T.astype(np.uint64)
    others *= (total - step).astype(np.uint64)
    others >>= np.uint64(32)
    places = (others.astype(np.intp) + step) * games + np.arange(games)
    flat = order.reshape(-1)
    for k, other in enumerate(places):
        card = flat.take(other)
        flat[other] = order[k]
        order[k] = card
    return order


def second_keys(tables: Tables, bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """uint32[game, place in `Tables.deck`]: the key of every card, by which the deck is ordered after M2."""
    return cards.pack(bits[:, tables.players * tables.rules.opening_hand :], tables.deck)


def _deal_part(tables: Tables, bits: NDArray[np.uint32], hand: U8, deck: U8, size: U8) -> None:
    """Deal some games: fill `hand`, `deck` and `size`, which are their lanes of the block's arrays."""
    total, dealt, games = len(tables.deck), tables.players * tables.rules.opening_hand, len(bits)
    places = first_shuffle(tables, bits)[:dealt]
    card = tables.deck.take(places)
    back = card >= tables.hand_types
    if tables.players == 1:  # ruling 13: nobody to play them on
        back |= (card >= tables.targeted.start) & (card < tables.targeted.stop)
    card[back] = cards.NO_CARD
    ids = np.arange(tables.hand_types, dtype=np.uint8)[:, None]
    dealt_to = np.zeros(hand.shape, np.uint8)
    for k, one in enumerate(card):
        own = dealt_to[k % tables.players]
        own += np.equal(ids, one).view(np.uint8)
    hand[:] = dealt_to
    keys = second_keys(tables, bits)
    # Cards kept in a hand sort below the end of the deck.
    flat, at = keys.reshape(-1), places + np.arange(games, dtype=np.intp) * total
    at_back = at[back]
    key_back = flat.take(at_back)
    flat[at] = np.uint32(2**32 - 1)
    flat[at_back] = key_back
    keys.sort(axis=1)
    size[:] = np.add.reduce(back, axis=0, dtype=np.uint8) + np.uint8(total - dealt)
    keys &= cards.TYPE_MASK
    deck[:] = keys.astype(np.uint8).T
    below = np.arange(total - dealt, total)[:, None] >= size
    deck[total - dealt :][below] = cards.NO_CARD
