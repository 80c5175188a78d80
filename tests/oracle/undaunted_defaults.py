"""The default rules of Undaunted as plain data, written down from the rules page.

They do not come from the config file: the two must agree, and a test compares them. Only the scenarios are
read from their configs.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from analyzer.config import load_config

SCENARIOS = (
    "01-la-raye",
    "02-montmartin-en-graignes",
    "03-raid-across-the-canal",
    "04-behind-enemy-lines",
    "05-crossing-the-vire",
    "06-desperate-withdrawal",
    "07-la-huberderie",
    "08-streets-of-tessy-sur-vire",
    "09-reinforcements",
    "10-critical-intelligence",
    "11-hill-314",
    "12-mortain",
)
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


@lru_cache
def _config(name: str) -> dict[str, Any]:
    return load_config(f"undaunted/{name}").as_dict()


def scenario(number: int) -> dict[str, Any]:
    """One of the twelve scenarios, from its config."""
    board: dict[str, Any] = copy.deepcopy(_config(SCENARIOS[number - 1])["scenario"])
    return board


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
