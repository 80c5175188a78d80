"""The default rules of Undaunted as plain data, written down from the rules page; and scenarios for tests.

They do not come from the config files: the two must agree, and a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.oracle.undaunted_table import CODES, SIDES

FACTS = Path("/work/shared/data/undaunted_scenarios.json")
# kind: initiative, copies, base defence (None: no counter), actions
CARDS: dict[str, tuple[int, int, int | None, dict[str, int]]] = {
    "sergeant": (9, 1, None, {"bolster": 3, "command": 2}),
    "guide": (8, 1, None, {"bolster": 1, "guide": 1}),
    "leader": (7, 1, None, {"bolster": 2, "inspire": 1}),
    "scout": (6, 3, 5, {"scout": 2, "attack": 1, "recon": 1, "conceal": 1}),
    "rifleman": (5, 5, 4, {"move": 1, "attack": 1, "control": 1}),
    "sniper": (4, 3, 6, {"stalk": 1, "attack": 3}),
    "gunner": (3, 3, 4, {"move": 1, "attack": 2, "suppress": 4}),
    "mortar": (2, 3, 4, {"move": 1, "blast": 1, "target": 1}),
    "fog": (1, 10, None, {}),
}
NAMES = ("move", "scout", "stalk", "attack", "suppress", "blast", "target", "control", "recon", "conceal")
COMMANDS = {"leader": ("bolster", "inspire"), "fog": ()}  # else bolster, command, guide


def card_rows() -> dict[str, dict[str, Any]]:
    """The card table as the config has it, with a 0 for what a card cannot do."""
    table: dict[str, dict[str, Any]] = {}
    for kind, (initiative, copies, defence, actions) in CARDS.items():
        row: dict[str, Any] = {"initiative": initiative, "copies": copies}
        if defence is not None:
            row["defence"] = defence
        names = NAMES if defence is not None else COMMANDS.get(kind, ("bolster", "command", "guide"))
        if names:
            row["actions"] = {name: actions.get(name, 0) for name in names}
        table[kind] = row
    return table


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
                "spawn": {side: tile.get("spawn", {}).get(side, []) for side in SIDES},
                "counters": {side: tile.get("counters", {}).get(side, []) for side in SIDES},
                "adj": tile["adj"],
            }
        )
    decks = {
        side: {
            place: {code: facts["decks"][side][place].get(code, 0) for code in CODES}
            for place in ("deck", "supply")
        }
        for side in SIDES
    }
    return {
        "name": facts["name"],
        "initiative": facts["initiative"],
        "goal": facts["goal"],
        "borders": "written",
        "decks": decks,
        "tiles": tiles,
    }


def default_rules(number: int = 1, **changes: Any) -> dict[str, Any]:
    """The default rules with one of the twelve scenarios."""
    return rules_of(scenario(number), **changes)


def rules_of(board: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """The default rules with any scenario."""
    rules = {
        "scenario": board,
        "first_initiative": "scenario",
        "pin_ends_game": "always",
        "round_limit": 60,
        "hand_size": 4,
        "die_faces": 10,
        "zero_hits": True,
        "hill_cover_from_hill": 1,
        "target_distance": 3,
        "target_outlives_mortar": False,
        "cards": card_rows(),
    }
    assert changes.keys() <= rules.keys()
    return {**rules, **changes}
