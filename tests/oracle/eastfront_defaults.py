"""The default rules of Eastfront 1944 as plain data, written down from the rules page, not from the config.

The two must agree; a test of the config compares them.
"""

from __future__ import annotations

import copy
from typing import Any

FRIENDS = [(1, 2), (2, 2), (3, 2)]  # points, count

SOVIET = [  # name, fire, defence, count
    ("rifles", 1, 2, 6),
    ("anti_tank_gun", 3, 3, 4),
    ("t34_76", 4, 6, 5),
    ("t34_85", 5, 9, 4),
    ("kv", 6, 12, 2),
    ("is_2", 8, 17, 2),
    ("bunker", 6, 14, 1),
]

GERMAN = [  # name, unit, fire, defence, count
    ("grenadiers", "infantry", 1, 1, 6),
    ("machine_gun", "infantry", 1, 2, 3),
    ("pak_40", "gun", 3, 1, 5),
    ("stug_iii", "vehicle", 3, 3, 5),
    ("panzer_iv", "vehicle", 3, 3, 7),
    ("panther", "vehicle", 5, 5, 5),
    ("jagdpanther", "vehicle", 6, 4, 1),
    ("tiger", "vehicle", 6, 6, 3),
    ("king_tiger", "vehicle", 7, 7, 1),
]

SUPPORT = [  # name, fire, germans_first, soviets_silent, count
    ("ambush", 0, True, False, 3),
    ("artillery", 3, False, False, 3),
    ("smoke", 0, False, True, 2),
]

SOVIET_ATTACK = [  # name, effect, against, fire, count
    ("raid", "fire", "any", 4, 6),
    ("air_attack", "fire", "any", 6, 4),
    ("partisans", "discard", "any", 0, 2),
]

MISFORTUNE = [
    ("breakdown", "destroy", "vehicle", 0, 4),
    ("out_of_fuel", "halt", "any", 0, 2),
    ("recall", "recall", "any", 0, 2),
]

REACTION = [("cover", "cover", 0, 4), ("pillbox", "pillbox", 4, 2)]  # name, effect, defence, count


def _cards(keys: str, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(keys.split(), row, strict=True)) for row in rows]


RULES: dict[str, Any] = {
    "opening_hand": 5,
    "hand_limit": 5,
    "stacks": 6,
    "go_on": "same_then_any",
    "support_limit": "any",
    "game_end": "finish_turn",
    "tie": "shared",
    "cards": {
        "friends": _cards("points count", FRIENDS),
        "soviet": _cards("name fire defence count", SOVIET),
        "german": _cards("name unit fire defence count", GERMAN),
        "support": _cards("name fire germans_first soviets_silent count", SUPPORT),
        "soviet_attack": _cards("name effect against fire count", SOVIET_ATTACK),
        "misfortune": _cards("name effect against fire count", MISFORTUNE),
        "reaction": _cards("name effect defence count", REACTION),
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
