"""The default rules of Kraskar as plain data, written down from the rules page and its roster.

They do not come from the config file: the two must agree, and a test compares them.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

# name, kind, chips, amount
MODIFIERS: list[tuple[str, str, int, int]] = [
    ("second wind", "boost", 2, 2),
    ("battle fury", "boost", 3, 3),
    ("iron will", "boost", 4, 5),
    ("last stand", "boost", 6, 8),
    ("war drums", "rally", 4, 2),
    ("great banner", "rally", 6, 3),
    ("royal command", "rally", 8, 5),
    ("taunt", "weaken", 2, 2),
    ("false order", "weaken", 3, 4),
    ("fog of rumour", "weaken", 5, 7),
]
# name, chips, power, distance
STRIKES: list[tuple[str, int, int, int]] = [
    ("fire trap", 4, 5, 2),
    ("flood", 6, 7, 2),
    ("thunder", 7, 10, 1),
]
# country: name, troop, cost, force, wit, stratagem
ROSTER: dict[str, list[tuple[str, str, float, int, int, str]]] = {
    "Ashmark": [
        ("Plains Outriders", "cavalry", 1, 3, 4, "none"),
        ("Young Lancers", "cavalry", 1, 2, 7, "second wind"),
        ("Border Levy", "infantry", 1, 2, 6, "taunt"),
        ("Red Sashes", "cavalry", 1.5, 5, 5, "none"),
        ("Hedge Spears", "spearman", 1.5, 5, 4, "none"),
        ("Storm Riders", "cavalry", 2, 8, 4, "battle fury"),
        ("Bow Scouts", "archer", 1.5, 4, 7, "none"),
        ("Marshal's Guard", "cavalry", 3, 10, 5, "great banner"),
    ],
    "Brennhold": [
        ("Hill Pikes", "spearman", 1, 4, 3, "none"),
        ("Gate Watch", "spearman", 1, 2, 7, "taunt"),
        ("Quarry Hands", "infantry", 1, 3, 3, "none"),
        ("Oak Spears", "spearman", 1.5, 5, 6, "none"),
        ("Valley Slingers", "archer", 1.5, 4, 6, "none"),
        ("Long Wall Guard", "spearman", 2, 8, 5, "iron will"),
        ("Snow Riders", "cavalry", 2, 7, 5, "none"),
        ("Old King's Spears", "spearman", 2.5, 9, 5, "war drums"),
    ],
    "Corvale": [
        ("Reed Bows", "archer", 1, 2, 6, "none"),
        ("Marsh Watch", "archer", 1, 1, 9, "false order"),
        ("Ferry Spears", "spearman", 1, 3, 4, "none"),
        ("Green Hoods", "archer", 1.5, 4, 8, "fire trap"),
        ("Lake Sword-bearers", "infantry", 1.5, 6, 4, "none"),
        ("Tower Bows", "archer", 2, 6, 6, "none"),
        ("River Lancers", "cavalry", 2, 7, 7, "none"),
        ("Silver Bows", "archer", 2.5, 8, 7, "flood"),
    ],
    "Dunmere": [
        ("Tin Miners", "infantry", 1, 4, 5, "war drums"),
        ("Goat Herders", "archer", 1, 2, 6, "none"),
        ("Salt Porters", "infantry", 1, 5, 1, "none"),
        ("Ram Crew", "infantry", 1.5, 6, 3, "battle fury"),
        ("Moor Spears", "spearman", 1.5, 4, 7, "fog of rumour"),
        ("Iron Column", "infantry", 2, 9, 4, "second wind"),
        ("Dusk Riders", "cavalry", 2, 7, 7, "false order"),
        ("Champion's Company", "infantry", 3, 10, 2, "last stand"),
    ],
}
# name, plan, units, their columns at the start counted from 1
DECKS: list[tuple[str, str, list[str], list[int]]] = [
    (
        "Cavalry Rush",
        "one country, horse first: through the gaps and back again",
        ["Marshal's Guard", "Storm Riders", "Red Sashes", "Hedge Spears"],
        [3, 2, 4, 5],
    ),
    (
        "Spear Wall",
        "one country, hold the line, let them run onto the spears",
        ["Old King's Spears", "Long Wall Guard", "Oak Spears", "Hill Pikes", "Gate Watch"],
        [3, 2, 4, 1, 5],
    ),
    (
        "Archer Line",
        "one country, shoot without moving from the second row",
        ["Silver Bows", "Tower Bows", "Green Hoods", "Reed Bows", "Marsh Watch"],
        [3, 2, 4, 1, 5],
    ),
    (
        "Siege Train",
        "many cheap feet that count double at the wall",
        ["Iron Column", "Ram Crew", "Green Hoods", "Tin Miners", "Salt Porters", "Ferry Spears"],
        [3, 2, 4, 1, 5, 3],
    ),
    (
        "Two Banners",
        "two countries, every troop type, one of each answer",
        ["Old King's Spears", "Storm Riders", "Valley Slingers", "Plains Outriders", "Gate Watch"],
        [3, 2, 4, 5, 1],
    ),
    (
        "Four Crowns",
        "four countries, the strongest units whatever the flag",
        ["Storm Riders", "Long Wall Guard", "Ram Crew", "Green Hoods", "Salt Porters"],
        [2, 3, 4, 5, 1],
    ),
]


def stratagem(
    name: str,
    kind: str,
    chips: int,
    amount: int | None = None,
    power: int | None = None,
    distance: int | None = None,
) -> dict[str, Any]:
    """One row of the table of stratagems."""
    return {
        "name": name,
        "kind": kind,
        "chips": chips,
        "amount": amount,
        "power": power,
        "distance": distance,
    }


def unit(
    name: str, country: str, troop: str, force: int, wit: int = 5, stratagem: str = "none", cost: float = 1
) -> dict[str, Any]:
    """One row of the table of units."""
    return {
        "name": name,
        "country": country,
        "troop": troop,
        "cost": cost,
        "force": force,
        "wit": wit,
        "stratagem": stratagem,
    }


RULES: dict[str, Any] = {
    "decks": ["Two Banners", "Two Banners"],
    "columns": 5,
    "rows": 5,
    "castle_life": 36,
    "start_columns": "random",
    "first_player": "random",
    "turn_limit": 60,
    "deck_cost": 8,
    "chip_caps": [12, 8, 4, 4],
    "start_chips": 0,
    "return_gauge": 4,
    "movement_points": 2,
    "siege_damage": {"cavalry": 1, "archer": 2, "spearman": 2, "infantry": 2},
    "gate_bonus": 1,
    "charge_squares": 2,
    "interception_factor": 2,
    "shot_range": 2,
    "snipe_factor": 2,
    "hit_points": 16,
    "damage": "difference",
    "damage_base": 8,
    "boost_wit": 4,
    "weaken_wit": 2,
    "stratagems": [stratagem(name, kind, chips, amount) for name, kind, chips, amount in MODIFIERS]
    + [stratagem(name, "strike", chips, None, power, reach) for name, chips, power, reach in STRIKES],
    "units": [
        unit(name, country, troop, force, wit, stratagem_name, cost)
        for country, cards in ROSTER.items()
        for name, troop, cost, force, wit, stratagem_name in cards
    ],
    "named_decks": [
        {"name": name, "plan": plan, "units": units, "columns": columns}
        for name, plan, units, columns in DECKS
    ],
}


def default_rules(**changes: Any) -> dict[str, Any]:
    """A fresh copy of the default rules, with top-level keys replaced by `changes`."""
    rules = copy.deepcopy(RULES)
    unknown = set(changes) - set(rules)
    if unknown:
        raise KeyError(f"no such rule: {sorted(unknown)}")
    rules.update(changes)
    return rules


def rules_of(decks: Sequence[Sequence[dict[str, Any]]], **changes: Any) -> dict[str, Any]:
    """The default rules with one's own units and decks; decks[seat] lists rows of the table of units."""
    rows = {row["name"]: row for deck in decks for row in deck}
    named = [
        {"name": f"deck {seat + 1}", "plan": "", "units": [row["name"] for row in deck], "columns": []}
        for seat, deck in enumerate(decks)
    ]
    return default_rules(
        units=list(rows.values()),
        named_decks=named,
        decks=[deck["name"] for deck in named],
        **changes,
    )
