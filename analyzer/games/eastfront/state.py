"""The arrays of a block of Eastfront games, and how they begin. The game (lane) is the last axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import State
from analyzer.games.eastfront.tables import U8, U16, Tables
from analyzer.sim import cards
from analyzer.sim.chance import DEAL, Luck

CHUNK = 2048  # games dealt at a time, so that their keys stay in the cache


@dataclass(eq=False)
class EastfrontState(State):
    """Fields by the words of the rules; `force`, `presence` and `size` follow from tables and hands."""

    deck: U8  # [card, game]: the play deck from the top, without the cards dealt
    hand: U8  # [seat, type, game]: counts
    size: U8  # [seat, game]: cards in hand
    table: U8  # [seat, german, game]: German cards put down, counts
    force: U8  # [seat, game]: their fire together
    presence: U16  # [seat, game]: which German types they are, as bits
    soviet: U8  # [depth, stack, game]: the stacks from the top, types
    left: U8  # [stack, game]: cards left in each stack
    open: U8  # [stack, game]: the bit of the Soviet card that lies face up on top, 0 for none
    opened: U8  # [stack, game]: the turn (from 1) in which it was turned up
    unseen: U8  # [soviet, game]: Soviet cards that lie face down
    friend: U8  # [place, game]: the friend cards in the order they will be taken, kinds
    rescued: U8  # [game]: friend cards taken
    friends: U8  # [seat, game]: friend cards taken by each
    points: NDArray[np.int16]  # [seat, game]: nobody knows them before the end (E1)
    halted: U8  # [seat, game]: 1 while a player may not attack in the next turn (ruling 6)
    dead: U8  # [game]: 255 once the game is over, else 0 (a mask)
    length: U8  # [game]: turns played
    opening: U8  # [seat, type, game]: the opening hand
    drawn: U8  # [seat, type, game]: cards drawn into the hand since
    played: U8  # [seat, type, game]: cards put down, played or spent
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play
    finished: list[Any] = field(default_factory=list)  # cards of the games taken out: counting.outcome


def start(tables: Tables, luck: Luck) -> EastfrontState:
    """E1 to E3: shuffle friends, Soviet and play cards; six stacks; five cards each."""
    games, players = len(luck.rows), tables.players
    order = shuffle(tables, luck)
    hand = deal(tables, order.deck[: tables.dealt])

    def zeros(*shape: int, dtype: Any = np.uint8) -> NDArray[Any]:
        return np.zeros((*shape, games), dtype)

    def each(values: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(values[:, None], games, axis=1)

    return EastfrontState(
        rows=np.arange(games) if games == luck.size else luck.rows.copy(),
        over=zeros(),
        deck=order.deck[tables.dealt :],
        hand=hand,
        size=np.full((players, games), tables.rules.opening_hand, np.uint8),
        table=zeros(players, tables.germans),
        force=zeros(players),
        presence=zeros(players, dtype=np.uint16),
        soviet=stacked(tables, order.soviet),
        left=each(tables.heights),
        open=zeros(tables.stacks),
        opened=zeros(tables.stacks),
        unseen=each(np.bincount(tables.soviet_deck, minlength=tables.soviets).astype(np.uint8)),
        friend=order.friend,
        rescued=zeros(),
        friends=zeros(players),
        points=zeros(players, dtype=np.int16),
        halted=zeros(players),
        dead=zeros(),
        length=zeros(),
        opening=hand.copy(),
        drawn=zeros(players, tables.types),
        played=zeros(players, tables.types),
    )


@dataclass(frozen=True, eq=False)
class Order:
    """The shuffled cards of every game, the first on top: uint8[card, game]."""

    deck: U8
    soviet: U8
    friend: U8


def shuffle(tables: Tables, luck: Luck) -> Order:
    """All play cards, Soviet cards and friend cards in random order."""
    games = len(luck.rows)
    packs = (tables.deck, tables.soviet_deck, tables.friend_deck)
    bits = luck.deal_bits(luck.stream(DEAL), sum(len(pack) for pack in packs))
    orders = [np.empty((len(pack), games), np.uint8) for pack in packs]
    for low in range(0, games, CHUNK):
        part, first = slice(low, min(low + CHUNK, games)), 0
        for pack, order in zip(packs, orders, strict=True):
            keys = cards.pack(bits[part, first : first + len(pack)], pack)
            keys.sort(axis=1)
            keys &= cards.TYPE_MASK
            order[:, part] = keys.astype(np.uint8).T
            first += len(pack)
    return Order(*orders)


def deal(tables: Tables, dealt: U8) -> U8:
    """Hands uint8[seat, type, game]: card k of those dealt goes to seat k % players (E3)."""
    games = dealt.shape[1]
    hand = np.zeros((tables.players, tables.types, games), np.uint8)
    for part in cards.chunks(games):
        for k, card in enumerate(dealt):
            held = hand[k % tables.players][..., part]
            held += cards.one_hot(tables.types, card[part])
    return hand


def stacked(tables: Tables, soviet: U8) -> U8:
    """Stacks uint8[depth, stack, game]: Soviet card k lies in stack k % stacks at depth k // stacks (E2)."""
    full = np.zeros((tables.height * tables.stacks, soviet.shape[1]), np.uint8)
    full[: len(soviet)] = soviet
    return full.reshape(tables.height, tables.stacks, -1)


def discard_pile(tables: Tables, state: EastfrontState, turn: int) -> U8:
    """uint8[type, game]: all play cards that are not undrawn, in a hand or on a table."""
    everything = np.bincount(tables.deck, minlength=tables.types).astype(np.uint8)
    pile = np.repeat(everything[:, None], state.over.size, axis=1)
    pile -= np.add.reduce(state.hand, axis=0, dtype=np.uint8)
    pile[tables.german] -= np.add.reduce(state.table, axis=0, dtype=np.uint8)
    for card in state.deck[turn + 1 :]:
        pile -= cards.one_hot(tables.types, card)
    return pile
