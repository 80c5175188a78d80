"""The cards of both sides of Undaunted: with more or fewer of them, and what to watch of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.declared import Forcing, Piece, Plays
from analyzer.games.undaunted.model import UndauntedRules
from analyzer.games.undaunted.scenario import CODES, SIDES
from analyzer.games.undaunted.tables import STOP
from analyzer.sim.forced import exchange


def label(side: str, code: str) -> str:
    """How a card is named here: both sides have cards of one code."""
    return f"{side} {code}"


def pieces(rules: UndauntedRules) -> list[Piece]:
    """Every card of US, then of DE; the number is that of deck and supply together."""
    return [
        Piece(label(side, code), count, _with(side, code), seat, most=rules.cards.card(code).copies)
        for seat, side in enumerate(SIDES)
        for code in CODES
        if (count := rules.scenario.cards(side).count(code))
    ]


def _with(side: str, code: str) -> Callable[[dict[str, Any], int], None]:
    """So many copies of the card, the supply first to grow or shrink; without any, its counter goes too."""

    def put(values: dict[str, Any], count: int) -> None:
        scenario = values["scenario"]
        piles = scenario["decks"][side]
        deck = min(piles["deck"][code], count)
        piles["deck"][code], piles["supply"][code] = deck, count - deck
        if count:
            return
        for tile in scenario["tiles"]:
            counters = tile["counters"]
            counters[side] = [unit for unit in counters[side] if unit != code]

    return put


def _names(game: Any) -> list[list[str]]:
    return [[label(side.name, code) for code in side.codes] for side in game.tables.sides]


def _card_of(game: Any, seat: int) -> NDArray[np.intp]:
    side = game.tables.sides[seat]
    found = side.card_of.astype(np.intp)
    found[side.action_of == STOP] = -1
    return found


def _hand(game: Any, state: Any, seat: int) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = state.side[seat][game.tables.sides[seat].hand]
    return found


WATCHED = Plays(_names, "play", _card_of, _hand)


def _refuses(game: Any, piece: Piece) -> str:
    side = game.tables.sides[piece.seat]
    card = side.codes.index(piece.name.partition(" ")[2])
    return "" if side.deck[card] else "its side has it in the supply only, not in the first deck (U5)"


def _force(game: Any, state: Any, card: str, seat: NDArray[np.intp], bits: NDArray[np.uint64]) -> None:
    """U5: as if the side had drawn it in the first round; its deck gives it."""
    name, _, code = card.partition(" ")
    owner = SIDES.index(name)
    side = game.tables.sides[owner]
    kind, first = side.codes.index(code), int(state.rows[0])
    wanted = bits.copy()

    def drawn(state: Any, begins: NDArray[np.uint8]) -> None:
        cards = state.side[owner]
        hand, deck = cards[side.hand], cards[side.in_deck]
        lanes = ((begins == 1) & (state.rounds == 1) & (hand[kind] == 0)).nonzero()[0]
        places = state.rows[lanes] - first
        given, _ = exchange(hand[:, lanes], deck[kind, lanes][None], wanted[places].T)
        done = (given >= 0).nonzero()[0]
        lanes, given = lanes[done], given[done]
        hand[kind, lanes] += 1
        hand[given, lanes] -= 1
        deck[kind, lanes] -= 1
        deck[given, lanes] += 1

    game.on_hands = drawn


FORCED = Forcing(_force, _refuses)
