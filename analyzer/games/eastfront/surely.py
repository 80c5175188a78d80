"""Which changes of settings surely fit together: what can be told without the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

MAX_DECK = 250  # card totals and counts stay inside one unsigned byte
MAX_FIRE = 240  # all German fire together stays inside one unsigned byte
MAX_HEIGHT = 12  # cards of a stack
MAX_FRIENDS = 24
PLAY = ("german", "support", "soviet_attack", "misfortune", "reaction")  # the kinds of the play deck
TIED = (".name", ".effect", ".points")  # must differ, or be there, within a kind


def fit_together(rules: Any, changed: Iterable[str]) -> bool:
    """Whether changed settings (keys), each allowed by itself, surely make rules that the model accepts.

    Numbers of cards, all fire together, and the stacks' heights stay inside their limits (E1, E2, E7).
    """
    cards = rules.cards
    fire = sum(card.fire * card.count for card in cards.german)
    fire += sum(getattr(card, "fire", 0) * card.count for card in cards.support)
    return (
        not any(key.endswith(TIED) for key in changed)
        and 1 <= _count(cards.friends) <= MAX_FRIENDS
        and 1 <= sum(_count(getattr(cards, kind)) for kind in PLAY) <= MAX_DECK
        and fire <= MAX_FIRE
        and rules.stacks <= _count(cards.soviet) <= rules.stacks * MAX_HEIGHT
    )


def _count(kind: Iterable[Any]) -> int:
    return sum(card.count for card in kind)
