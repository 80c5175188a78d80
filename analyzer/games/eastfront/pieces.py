"""The kinds of play cards of Eastfront 1944, and where their numbers stand in the config."""

from __future__ import annotations

from analyzer.games.declared import Piece, count_at
from analyzer.games.eastfront.model import EastfrontRules


def pieces(rules: EastfrontRules) -> list[Piece]:
    """Every type of play card, named as in the tally `cards`."""
    return [
        Piece(card.title, card.count, count_at("cards", card.kind, card.index, "count"))
        for card in rules.card_types()
    ]
