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
    moscow_army: U8  # [game]
    moscow_general: U8  # [game]
    month: U8  # [game]: 0 June .. 6 December
    modifier: NDArray[np.int16]  # [game]: the month's attack modifier
    limit: U8  # [game]: the month's hand limit
    rivers_count: U8  # [game]: 1 while great rivers count
    dead: U8  # [game]: 255 once the game is over, else 0 (a mask)
    winner: U8  # [game]: seat + 1, 0 nobody
    length: U8  # [game]: turns played
    arrived: U8  # [seat, game]: the turn (from 1) of the first arrival, 0 never
    blocked: U8  # [seat, game]: turns with a Red Army before one
    opening: U8  # [seat, type, game]: the opening hand
    drawn: U8  # [seat, type, game]: cards drawn into the hand since
    played: U8  # [seat, type, game]: cards played or used
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play


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
        moscow_army=zeros(),
        moscow_general=zeros(),
        month=zeros(),
        modifier=np.full(games, tables.modifiers[0], np.int16),
        limit=np.full(games, tables.limits[0], np.uint8),
        rivers_count=np.full(games, tables.rivers_count[0], np.uint8),
        dead=zeros(),
        winner=zeros(),
        length=zeros(),
        arrived=zeros(players),
        blocked=zeros(players),
        opening=hand.copy(),
        drawn=zeros(players, types),
        played=zeros(players, types),
    )


def shuffles(tables: Tables, luck: Luck) -> tuple[U8, NDArray[np.uint32]]:
    """The luck of the deal: the first shuffle uint8[game, card] and the keys uint32[game, card] of the second.

    The second shuffle orders the cards that are not kept in a hand by their keys (with the card type in the
    low bits).
    """
    rng = luck.stream(DEAL)
    total = len(tables.deck)
    bits = luck.deal_bits(rng, 2 * total)
    first = cards.shuffle(bits[:, :total], tables.deck)
    return first, cards.pack(bits[:, total:], first)


def deal(tables: Tables, luck: Luck) -> tuple[U8, U8, U8]:
    """M1, M2: hands uint8[seat, type, game], decks uint8[card, game] and their sizes uint8[game].

    Card k of the first shuffle goes to seat k % players. Cards that no hand may keep go back, and what is
    left of the deck is shuffled again.
    """
    first, keys = shuffles(tables, luck)
    dealt = tables.players * tables.rules.opening_hand
    hand = np.zeros((tables.players, tables.hand_types, len(first)), np.uint8)
    back = np.zeros((len(first), dealt), bool)
    for seat in range(tables.players):
        own = first[:, seat : dealt : tables.players]
        hand[seat] = cards.counts(own, tables.types)[: tables.hand_types]
    back = first[:, :dealt] >= tables.hand_types
    if tables.players == 1:  # ruling 13: nobody to play them on
        targeted = (first[:, :dealt] >= tables.targeted.start) & (first[:, :dealt] < tables.targeted.stop)
        back |= targeted
        hand[:, tables.targeted] = 0
    keys[:, :dealt][~back] = np.uint32(2**32 - 1)  # kept cards sort below the end of the deck
    keys.sort(axis=1)
    size = len(tables.deck) - dealt + np.add.reduce(back, axis=1, dtype=np.intp)
    deck = (keys & cards.TYPE_MASK).astype(np.uint8)
    deck[np.arange(len(tables.deck)) >= size[:, None]] = cards.NO_CARD
    longest = int(size.max())
    return hand, np.ascontiguousarray(deck[:, :longest].T), size.astype(np.uint8)
