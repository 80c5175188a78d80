"""What Undaunted can be run over: its scenarios, both readings of a pin, who begins with the initiative.

The scenarios of the box (`--scenario 1`, `la-raye`, `"La Raye"`, `1,3-5`, `all`) are the shipped configs
`undaunted/<number>-<name>`: a file more there is a scenario more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.axes import Axis
from analyzer.config import find_configs, load_config

_FOLDER = "undaunted/"


def _files() -> dict[int, str]:
    """Number of a scenario -> its shipped config, in order."""
    names = [name for name in find_configs() if name.startswith(_FOLDER)]
    return {int(name.removeprefix(_FOLDER).partition("-")[0]): name for name in names}


def scenario_names(_: Any = None) -> Mapping[str, Sequence[str]]:
    """Each scenario ("1 La Raye") with the other ways to write it: its number, its name, its file's name."""
    names: dict[str, Sequence[str]] = {}
    for number, file in _files().items():
        title = load_config(file).rules.scenario.name
        stem = file.removeprefix(_FOLDER)
        names[f"{number} {title}"] = (str(number), title, stem, stem.partition("-")[2])
    return names


def scenario_config(label: str) -> str:
    """The shipped config of a scenario as the axis names it."""
    return _files()[int(label.partition(" ")[0])]


AXES = (
    # Several scenarios are compared under both readings of a pin, and either side begins half of the games.
    Axis(
        "scenario",
        "scenarios: all, or numbers and names (1, la-raye, 1,3-5)",
        names=scenario_names,
        config=scenario_config,
        along=(("pin-ends-game", "all"), ("first-initiative", "both")),
    ),
    Axis(
        "pin-ends-game",
        "readings of a pin (U27): all, always or goal",
        names=lambda _: ["always", "goal"],
        overrides=lambda value: {"pin_ends_game": value},
        label=lambda value: f"pin {value}",
    ),
    Axis(
        "first-initiative",
        "who holds the marker at the start (U6): all, scenario, US, DE or both (in turn)",
        names=lambda _: ["scenario", "US", "DE", "both"],
        overrides=lambda value: {"first_initiative": value},
        label=lambda value: f"first {value}",
    ),
)
