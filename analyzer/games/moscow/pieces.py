"""The kinds of cards of Moscow, and where their numbers stand in the config."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.games.declared import Piece, count_at
from analyzer.games.moscow.model import CardType, MoscowRules

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
