"""Which changes of settings surely fit together: what can be told without the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from analyzer.games.undaunted.codes import KIND_OF


def fit_together(rules: Any, changed: Iterable[str]) -> bool:
    """Whether changed settings (keys), each allowed by itself, surely make rules that the model accepts.

    A scenario is a whole, left to the model, and the box must have its cards; all other numbers stand for
    themselves.
    """
    keys = tuple(changed)
    if any(key.startswith("scenario.") for key in keys):
        return False
    return not any(key.endswith(".copies") for key in keys) or _box_has(rules)


def _box_has(rules: Any) -> bool:
    """Whether the box has the cards of both sides' decks and supplies, written as lists (`4 RA`)."""
    for side in vars(rules.scenario.decks).values():
        if not (isinstance(side.deck, tuple) and isinstance(side.supply, tuple)):
            return False
        needed: Counter[str] = Counter()
        for text in (*side.deck, *side.supply):
            number, _, code = str(text).rpartition(" ")
            needed[code] += int(number or 1)
        if any(count > getattr(rules.cards, KIND_OF[code]).copies for code, count in needed.items()):
            return False
    return True
