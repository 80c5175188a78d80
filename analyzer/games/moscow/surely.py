"""Which changes of settings surely fit together: what can be told without the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

MAX_DECK = 250  # card totals and counts stay inside one unsigned byte


def fit_together(rules: Any, changed: Iterable[str]) -> bool:
    """Whether changed settings (keys), each allowed by itself, surely make rules that the model accepts.

    The months keep their names, cards of a kind their order, and the deck is not too big (M1).
    """
    cards = rules.cards
    return (
        not any(key.startswith("months.") and key.endswith(".name") for key in changed)
        and _ascending([card.km for card in cards.advance])
        and all(
            _ascending([card.strength for card in kind])
            for kind in (cards.red_army, cards.division, cards.luftwaffe, cards.german_general)
        )
        and 1 <= _cards(cards) <= MAX_DECK
    )


def _ascending(values: Sequence[int]) -> bool:
    return all(low < high for low, high in pairwise(values))


def _cards(group: Any) -> int:
    """All cards of a group: the sum of the counts in it."""
    if isinstance(group, tuple):
        return sum(map(_cards, group))
    if not isinstance(group, SimpleNamespace):
        return 0
    inner = vars(group)
    return int(inner["count"]) if "count" in inner else sum(map(_cards, inner.values()))
