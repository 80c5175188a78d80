"""Which changes of settings surely fit together: what can be told without the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Names that others go by, and what must fit a kind or a list beside it.
TIED = (".name", ".stratagem", ".kind", ".cost", ".units", ".columns")


def fit_together(rules: Any, changed: Iterable[str]) -> bool:
    """Whether changed settings (keys), each allowed by itself, surely make rules that the model accepts.

    The tables keep their names; there is a gate (K1), chips fit under the caps (K7), and the decks that play
    are known and affordable (K4). Starting in the columns of a deck (K3) is left to the model.
    """
    return (
        not any(key.endswith(TIED) for key in changed)
        and rules.columns % 2 == 1
        and rules.start_chips <= min(rules.chip_caps)
        and rules.start_columns == "random"
        and all(_affordable(rules, deck) for deck in rules.decks)
    )


def _affordable(rules: Any, name: str) -> bool:
    cost = {unit.name: unit.cost for unit in rules.units}
    price = {deck.name: sum(cost[unit] for unit in deck.units) for deck in rules.named_decks}
    return name in price and price[name] <= rules.deck_cost
