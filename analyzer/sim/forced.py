"""Games in which a card is forced into an opening hand, on the luck of the games as they are.

Where a seat was not dealt the card, a random card of its opening hand changes places with a random copy of
the card, wherever that lies; all else stays. So the games are as those in which chance dealt the card, and
what follows from it is the card's own doing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.registry import Room
from analyzer.sim.chance import DEAL, U64, below, digest_words
from analyzer.sim.request import Request
from analyzer.sim.watch import Watched

U8 = NDArray[np.uint8]


def exchange(own: U8, others: U8, bits: U64) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which card a hand gives, and from where it gets a copy of another: (type, place), intp[lane] each.

    own: uint8[type, lane], hands without the card; others: uint8[place, lane], copies of it by place. Both
    are drawn evenly by bits uint64[2, lane]. -1 where there is nothing to give or to get.
    """
    sizes = [np.add.reduce(counts, axis=0, dtype=np.uint16) for counts in (own, others)]
    fit = np.logical_and(*(size > 0 for size in sizes))
    drawn = []
    for counts, size, digits in zip((own, others), sizes, bits, strict=True):
        digit = below(digits.copy(), size).astype(np.uint16)
        place = (np.cumsum(counts, axis=0, dtype=np.uint16) <= digit).sum(axis=0, dtype=np.intp)
        drawn.append(np.where(fit, place, -1))
    return drawn[0], drawn[1]


def into_hands(hand: U8, deck: U8, card: int, seat: NDArray[np.intp], bits: U64) -> None:
    """Force a card into the hands of `seat` intp[lane] where all draw from one deck, in place.

    hand: uint8[seat, type, lane], counts; deck: uint8[place, lane], types; bits uint64[lane, 2].
    """
    lanes = (hand[seat, card, np.arange(len(seat))] == 0).nonzero()[0]
    seat, own = seat[lanes], hand[seat[lanes], :, lanes].T
    copies = np.concatenate([hand[:, card, lanes], (deck[:, lanes] == card).view(np.uint8)])
    given, place = exchange(own, copies, bits[lanes].T)
    done = (given >= 0).nonzero()[0]
    lanes, seat, given, place = lanes[done], seat[done], given[done], place[done]
    hand[seat, card, lanes] += 1
    hand[seat, given, lanes] -= 1
    seats = len(hand)
    held = (place < seats).nonzero()[0]
    hand[place[held], card, lanes[held]] -= 1
    hand[place[held], given[held], lanes[held]] += 1
    lies = (place >= seats).nonzero()[0]
    deck[place[lies] - seats, lanes[lies]] = given[lies]


class Forced(Watched):
    """A game with a card forced into an opening hand: that of `seat`, or of each seat in turn, row by row.

    Column `forced` uint8[game]: the seat (from 1).
    """

    def __init__(self, game: Any, room: Room, card: str, seat: int | None) -> None:
        super().__init__(game, room)
        self.card, self.seat = card, seat
        self.forcing = room.part("pieces").FORCED

    def start(self, luck: Any) -> Any:
        state = super().start(luck)
        words = luck.stream(DEAL, *digest_words("forced")[:1])
        bits = words.integers(0, 2**64, size=(luck.size, 2), dtype=np.uint64)[luck.rows]
        every = luck.rows % self.players if self.seat is None else np.full(len(luck.rows), self.seat)
        self.seats = np.zeros(self.size, np.uint8)
        self.seats[luck.rows - self.first] = every + 1
        self.forcing.put(self.game, state, self.card, every.astype(np.intp), bits)
        return state

    def columns(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        return {"forced": self.seats.take(rows)}


@dataclass(frozen=True)
class ForcedRequest(Request):
    """A run with a card forced into an opening hand: that of `seat` (0-based), None: each seat in turn."""

    card: str = ""
    seat: int | None = None

    def make_game(self) -> Any:
        """The game under these rules, with the card forced."""
        return Forced(super().make_game(), self.room, self.card, self.seat)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """As of the run, and what is forced."""
        return {**super().identity, "forced": [self.card, self.seat]}


def forced(request: Request, card: str, seat: int | None) -> ForcedRequest:
    """The same run with the card forced into an opening hand."""
    return ForcedRequest(**request.given(), card=card, seat=seat)
