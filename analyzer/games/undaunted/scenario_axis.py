"""The scenarios of the box as an axis: `--scenario 1`, `la-raye`, `"La Raye"`, `1,3-5`, `all`.

They are the shipped configs `undaunted/<number>-<name>`: a file more there is a scenario more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.axes import Axis


def _files() -> dict[str, str]:
    """Shipped scenario configs: "1 La Raye" -> "undaunted/01-la-raye", in the order of their numbers."""
    from analyzer.config import find_configs, load_config

    found = {}
    for name in find_configs():
        if name.startswith("undaunted/"):
            number = name.removeprefix("undaunted/").partition("-")[0]
            found[f"{int(number)} {load_config(name).rules.scenario.name}"] = name
    return found


def scenario_names(_: Any = None) -> Mapping[str, Sequence[str]]:
    """Each scenario with the other ways to write it: its number, its name, and the name of its file."""
    names: dict[str, Sequence[str]] = {}
    for label, file in _files().items():
        number, _, name = label.partition(" ")
        stem = file.removeprefix("undaunted/")
        names[label] = (number, name, stem, stem.partition("-")[2])
    return names


SCENARIO_AXIS = Axis(
    "scenario",
    "scenarios: all, or numbers and names (1, la-raye, 1,3-5)",
    names=scenario_names,
    config=lambda label: _files()[label],
)
