"""The default rules of Undaunted as plain data, written down from the rules page; and scenarios for tests.

They do not come from the config files: the two must agree, and a test compares them.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.oracle.undaunted_table import SIDES

FACTS = Path("/work/shared/data/undaunted_scenarios.json")
CARDS: dict[str, dict[str, Any]] = {
    "PS": {"initiative": 9, "actions": {"bolster": 3, "command": 2}},
    "PG": {"initiative": 8, "actions": {"bolster": 1, "guide": 1}},
    "SL": {"initiative": 7, "actions": {"bolster": 2, "inspire": 1}},
    "S": {"initiative": 6, "actions": {"scout": 2, "attack": 1, "recon": 1, "conceal": 1}, "defence": 5},
    "R": {"initiative": 5, "actions": {"move": 1, "attack": 1, "control": 1}, "defence": 4},
    "SN": {"initiative": 4, "actions": {"stalk": 1, "attack": 3}, "defence": 6},
    "G": {"initiative": 3, "actions": {"move": 1, "attack": 2, "suppress": 4}, "defence": 4},
    "MO": {"initiative": 2, "actions": {"move": 1, "blast": 1, "target": 1}, "defence": 4},
    "FOW": {"initiative": 1, "actions": {}},
}
SPAWNS = {**{squad: [kind + squad for kind in "RSG"] for squad in "ABC"}, "SN": ["SN"], "MO": ["MO"]}


def scenario(number: int) -> dict[str, Any]:
    """A scenario of the box in the form of the config, from the facts."""
    facts = json.loads(FACTS.read_text(encoding="utf-8"))[str(number)]
    tiles = []
    for name, tile in facts["tiles"].items():
        marks = dict(mark.split() for mark in tile.get("markers", []))
        hill = isinstance(tile["cover"], list)
        tiles.append(
            {
                "name": name,
                "at": tile["xy"],
                "cover": tile["cover"][0] if hill else tile["cover"],
                "points": tile["points"],
                "hill": hill,
                "radio": tile.get("radio", False),
                "markers": {side: marks.get(side) for side in SIDES},
                "spawn": {side: _units(tile.get("spawn", {}).get(side, [])) for side in SIDES},
                "counters": {side: tile.get("counters", {}).get(side, []) for side in SIDES},
                "adj": tile["adj"],
            }
        )
    return {
        "name": facts["name"],
        "number": number,
        "goal": facts["goal"],
        "initiative": facts["initiative"],
        "decks": facts["decks"],
        "tiles": tiles,
    }


def _units(codes: list[str]) -> list[str]:
    return [unit for code in codes for unit in SPAWNS[code]]


def default_rules(number: int = 1, **changes: Any) -> dict[str, Any]:
    """The default rules with one of the twelve scenarios."""
    rules = {
        "scenario": scenario(number),
        "cards": copy.deepcopy(CARDS),
        "hand_size": 4,
        "pin_ends_game": "always",
        "round_limit": 60,
    }
    return {**rules, **changes}


def rules_of(board: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """The default rules with a scenario of one's own."""
    return {**default_rules(), "scenario": board, **changes}
