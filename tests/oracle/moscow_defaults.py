"""The default rules of Moscow as plain data, written down from the rules page and not from the config file.

The two must agree; a test of the config compares them.
"""

from __future__ import annotations

import copy
from typing import Any

MONTHS = [
    ("june", "6月", 2, 8),
    ("july", "7月", 2, 8),
    ("august", "8月", 1, 8),
    ("september", "9月", 0, 7),
    ("october", "10月", -1, 6),
    ("november", "11月", -3, 5),
    ("december", "12月", -4, 5),
]

RULES: dict[str, Any] = {
    "opening_hand": 6,
    "actions_per_turn": 1,
    "out_of_supply": "lose_turn",
    "army_on_self": False,
    "front_must_be_clear": True,
    "boosts": "multiply",
    "goal_km": 1000,
    "goal_km_many": 800,
    "many_players": 5,
    "moscow_strength": 15,
    "die_sides": 6,
    "rivers_until": "september",
    "months": [{"name": n, "japanese": j, "attack": a, "hand_limit": h} for n, j, a, h in MONTHS],
    "cards": {
        "advance": [{"km": k, "count": n} for k, n in ((50, 20), (100, 20), (150, 10), (200, 6))],
        "red_army": [
            {"strength": s, "km": k, "count": n}
            for s, k, n in ((4, 50, 5), (6, 50, 4), (8, 100, 3), (10, 100, 1), (12, 150, 1))
        ],
        "red_general": {"count": 4},
        "great_river": {"count": 4},
        "hitler_order": {
            "km": {"amount": 200, "count": 3},
            "division_1": {"count": 2},
            "division_2": {"count": 1},
            "general": {"count": 2},
        },
        "division": [{"strength": s, "count": n} for s, n in ((2, 9), (3, 11), (4, 8), (5, 3))],
        "luftwaffe": [{"strength": s, "count": n} for s, n in ((2, 4), (3, 2))],
        "german_general": [{"strength": s, "count": n} for s, n in ((3, 4), (4, 2))],
        "reorganise": {"count": 4},
        "time": {"count": 6},
        "out_of_supply": {"count": 3},
    },
}


def default_rules(**changes: Any) -> dict[str, Any]:
    """A fresh copy of the default rules, with top-level keys replaced by `changes`."""
    rules = copy.deepcopy(RULES)
    unknown = set(changes) - set(rules)
    if unknown:
        raise KeyError(f"no such rule: {sorted(unknown)}")
    rules.update(changes)
    return rules
