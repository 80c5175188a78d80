"""The kinds of cards of Moscow, and where their numbers stand in the config."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.declared import Forcing, Piece, count_at
from analyzer.games.moscow.model import CardType, MoscowRules
from analyzer.sim.forced import into_hands
from analyzer.sim.without import Dealt

if TYPE_CHECKING:
    from analyzer.games.moscow.state import MoscowState

_LISTS = ("advance", "red_army", "division", "luftwaffe", "german_general")  # several cards of one kind
_ORDERS = {"order_km": "km", "order_division_1": "division_1", "order_division_2": "division_2",
           "order_general": "general"}  # fmt: skip


def pieces(rules: MoscowRules) -> list[Piece]:
    """Every card type, named as in the tally `cards`."""
    return list(_pieces(rules.card_types()))


def _pieces(types: tuple[CardType, ...]) -> Iterator[Piece]:
    seen: dict[str, int] = {}
    for card in types:
        place = seen.setdefault(card.kind, 0)
        seen[card.kind] += 1
        path: tuple[str | int, ...] = ("cards", card.kind, "count")
        if card.kind in _LISTS:
            path = ("cards", card.kind, place, "count")
        elif card.kind in _ORDERS:
            path = ("cards", "hitler_order", _ORDERS[card.kind], "count")
        yield Piece(card.name, card.count, count_at(*path))


def _refuses(game: Any, piece: Piece) -> str:
    t = game.tables
    card = t.names.index(piece.name)
    if card >= t.hand_types:
        return "no hand keeps it: it goes back into the deck (M2)"
    if game.players == 1 and t.targeted.start <= card < t.targeted.stop:
        return "alone there is nobody to play it on: it goes back into the deck (ruling 13)"
    return "" if piece.count else "there is none"


def _force(
    game: Any, state: MoscowState, card: str, seat: NDArray[np.intp], bits: NDArray[np.uint64]
) -> None:
    """M1: as if it had been dealt; the deck and the other hands give it."""
    into_hands(state.hand, state.deck, game.tables.names.index(card), seat, bits)
    state.opening = tuple(state.hand.copy())


FORCED = Forcing(_force, _refuses)


def _without(
    game: Any, state: MoscowState, old: Any, before: MoscowState, card: str, key: NDArray[np.uint64]
) -> None:
    """M1, M2: the hands and the deck of the game with the card, without it."""
    t = old.tables
    kept = np.arange(len(t.names)) < t.hand_types
    if game.players == 1:  # ruling 13
        kept[t.targeted] = False
    dealt = Dealt(before.hand, before.deck, before.deck_size, kept, old.rules.opening_hand, key)
    dealt.without(t.names.index(card))
    state.hand, state.deck, state.deck_size = dealt.hand, dealt.deck[: int(dealt.size.max())], dealt.size
    state.size = np.add.reduce(state.hand, axis=1, dtype=np.uint8)
    state.opening = tuple(state.hand.copy())


WITHOUT = _without
