"""The kinds of play cards of Eastfront 1944, and where their numbers stand in the config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.declared import Forcing, Piece, count_at
from analyzer.games.eastfront.model import EastfrontRules
from analyzer.sim.forced import into_hands
from analyzer.sim.without import Dealt

if TYPE_CHECKING:
    from analyzer.games.eastfront.state import EastfrontState


def pieces(rules: EastfrontRules) -> list[Piece]:
    """Every type of play card, named as in the tally `cards`."""
    return [
        Piece(card.title, card.count, count_at("cards", card.kind, card.index, "count"))
        for card in rules.card_types()
    ]


def _refuses(game: Any, piece: Piece) -> str:
    return "" if piece.count else "there is none"


def _force(
    game: Any, state: EastfrontState, card: str, seat: NDArray[np.intp], bits: NDArray[np.uint64]
) -> None:
    """E3: as if it had been dealt; the deck and the other hands give it."""
    into_hands(state.hand, state.deck, game.tables.titles.index(card), seat, bits)
    state.opening = state.hand.copy()


FORCED = Forcing(_force, _refuses)


def _without(
    game: Any, state: EastfrontState, old: Any, before: EastfrontState, card: str, key: NDArray[np.uint64]
) -> None:
    """E2, E3: hands, deck, friends and Soviet stacks of the game with the card, without it."""
    kept = np.ones(old.tables.types, bool)
    deck = before.deck.copy()
    size = np.full(deck.shape[1], len(deck), np.uint8)
    dealt = Dealt(before.hand, deck, size, kept, old.rules.opening_hand, key)
    dealt.without(old.tables.titles.index(card))
    state.hand, state.deck = dealt.hand, dealt.deck[: len(state.deck)]
    state.opening = state.hand.copy()
    state.soviet, state.friend = before.soviet, before.friend


WITHOUT = _without
