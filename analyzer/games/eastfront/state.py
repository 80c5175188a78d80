"""The arrays of a block of Eastfront games, and how they begin. The game (lane) is the last axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import State
from analyzer.games.eastfront.tables import U8, U16, U64, Tables
from analyzer.sim import cards
from analyzer.sim.chance import DEAL, Luck

TOP, HALF = np.uint8(15), np.uint8(4)  # the low half of a stack's byte, and where the high half begins
CLEARED = np.uint8(15)
FRIEND = np.uint16(256)  # one friend card more in a standing
_BYTE = np.uint16(8)
# Games at a time, so that what is worked on stays in the cache: keys of a shuffle, and hands of a seat.
SHUFFLED, DEALT = 4096, 16_384


@dataclass(eq=False)
class EastfrontState(State):
    """Fields by the words of the rules; `standing`, `presence` and `size` follow from tables and hands.

    A stack is one byte: its cards left in the high half, and the Soviet card that lies face up on it in the
    low half: 0 for none, else its type + 1; CLEARED when there is nothing left.
    """

    deck: U8  # [card, game]: the play deck from the top, without the cards dealt
    hand: U8  # [seat, type, game]: counts
    size: U8  # [seat, game]: cards in hand
    table: U8  # [seat, german, game]: German cards put down, counts
    presence: U16  # [seat, game]: which German types they are, as bits
    standing: U16  # [seat, game]: friend cards taken in the high byte, fire of the table in the low byte
    soviet: U8  # [depth, stack, game]: the stacks from the top, types
    stack: U8  # [stack, game]: see above
    opened: U8  # [stack, game]: the turn (from 1) in which the card on top was turned up
    unseen: U64  # [game]: Soviet cards that lie face down, a byte a type
    friend: U8  # [place, game]: the friend cards in the order they will be taken, kinds
    rescued: U8  # [game]: friend cards taken
    points: NDArray[np.int16]  # [seat, game]: nobody knows them before the end (E1)
    halted: U8  # [seat, game]: 1 while a player may not attack in the next turn (ruling 6)
    dead: U8  # [game]: 255 once the game is over, else 0 (a mask)
    length: U8  # [game]: turns played
    opening: U8  # [seat, type, game]: the opening hand
    shed: U8  # [seat, type, game]: cards that left the hand unplayed, less those that came back (wraps)
    counted: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # tallies kept during play
    finished: list[Any] = field(default_factory=list)  # cards of the games taken out: counting.outcome

    @property
    def force(self) -> U8:
        """uint8[seat, game]: the fire of all German cards of each player (a copy)."""
        return self.standing.astype(np.uint8)

    @property
    def friends(self) -> U8:
        """uint8[seat, game]: friend cards taken by each (a copy)."""
        return (self.standing >> _BYTE).astype(np.uint8)

    @property
    def left(self) -> U8:
        """uint8[stack, game]: cards left in each stack (a copy)."""
        return self.stack >> HALF

    @property
    def top(self) -> U8:
        """uint8[stack, game]: the Soviet card that lies face up, its type + 1, 0 for none (a copy)."""
        low = self.stack & TOP
        return low * (low != CLEARED)


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
        presence=zeros(players, dtype=np.uint16),
        standing=zeros(players, dtype=np.uint16),
        soviet=stacked(tables, order.soviet),
        stack=each(tables.heights << HALF),
        opened=zeros(tables.stacks),
        unseen=np.full(games, tables.all_unseen, np.uint64),
        friend=order.friend,
        rescued=zeros(),
        points=zeros(players, dtype=np.int16),
        halted=zeros(players),
        dead=zeros(),
        length=zeros(),
        opening=hand.copy(),
        shed=zeros(players, tables.types),
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
    orders = [np.empty((len(pack), games), np.uint8) for pack in packs]
    for part, bits in luck.deal_parts(luck.stream(DEAL), sum(len(pack) for pack in packs), SHUFFLED):
        first = 0
        for pack, order in zip(packs, orders, strict=True):
            keys = cards.pack(bits[:, first : first + len(pack)], pack)
            keys.sort(axis=1)
            keys &= cards.TYPE_MASK
            order[:, part] = keys.astype(np.uint8).T
            first += len(pack)
    return Order(*orders)


def deal(tables: Tables, dealt: U8) -> U8:
    """Hands uint8[seat, type, game]: card k of those dealt goes to seat k % players (E3)."""
    games = dealt.shape[1]
    hand = np.zeros((tables.players, tables.types, games), np.uint8)
    for part in cards.chunks(games, DEALT):
        for k, card in enumerate(dealt):
            cards.put_in(hand[k % tables.players][..., part], card[part])
    return hand


def drawn(tables: Tables, deck: U8, turns: U8) -> U8:
    """uint8[seat, type, game]: the cards that each seat drew after the deal.

    `deck` uint8[card, game] from the top, `turns` uint8[game]: how many turns were played.
    """
    games = turns.size
    drawn = np.zeros((tables.players, tables.types, games), np.uint8)
    for part in cards.chunks(games, DEALT):
        for turn, card in enumerate(deck):
            never = (turns[part] <= np.uint8(turn)).view(np.uint8)
            cards.put_in(
                drawn[turn % tables.players][..., part], card[part] | never * np.uint8(cards.NO_CARD)
            )
    return drawn


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
