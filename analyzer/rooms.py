"""The rooms in which games live: found by looking, or told by other packages; what a game says of itself.

A game is a *room*: a package with the modules `rules` (GAME), `policies` (POLICIES) and `model` (RULES). The
rooms below `analyzer.games` are found by looking; other packages add rooms through the entry point group
`analyzer.games` (`mygame = "mypackage.mygame"`). Two games of one name are an error, never a choice.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.axes import Axis
from analyzer.errors import UserError, nearest
from analyzer.installed import entry_points
from analyzer.policy_source import broken

if TYPE_CHECKING:
    from analyzer.config import Config

PLAYERS = "players"  # the axis that every game has
MATCHUPS = "matchups"  # the axis of every game for two
GAMES = "analyzer.games"  # the entry point group, and our own package


@dataclass(frozen=True, slots=True)
class Room:
    """Where a game lives: its name and the package of its modules."""

    name: str
    package: str

    def part(self, module: str) -> ModuleType:
        """A module of the room. Raises UserError if the room lacks it."""
        name = f"{self.package}.{module}"
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name in (name, self.package):
                told = f"The game {self.name!r} is not complete: there is no module {name}."
                raise UserError(told) from None
            if self.shipped:
                raise
            raise broken(name, error) from error
        except (Exception, SystemExit) as error:
            if self.shipped:
                raise
            raise broken(name, error) from error

    @property
    def shipped(self) -> bool:
        """Whether it is a game of this package, with a shipped config of its name."""
        return self.package == f"{GAMES}.{self.name}"

    def has(self, module: str) -> bool:
        """Whether the room has this module (it is not imported)."""
        return importlib.util.find_spec(f"{self.package}.{module}") is not None


_extra: dict[str, Room] = {}  # rooms told by `register_room`: tests, and worker processes


def register_room(room: Room) -> None:
    """Make a room known in this process. Raises UserError if its name is taken by another one."""
    known = rooms().get(room.name)
    if known is not None and known != room:
        raise UserError(f"Two games are called {room.name!r}: {known.package} and {room.package}.")
    _extra[room.name] = room


def forget_room(name: str) -> None:
    """Undo `register_room`."""
    _extra.pop(name, None)


def rooms() -> dict[str, Room]:
    """All games by name. Raises UserError if two have the same name."""
    return {**_installed_rooms(), **_extra}


@cache
def _installed_rooms() -> dict[str, Room]:
    root = Path(__file__).parent / "games"
    ours = sorted(path.parent.name for path in root.glob("*/rules.py"))
    found = [(name, f"{GAMES}.{name}") for name in ours]
    found += [(point.name, point.value) for point in entry_points(GAMES)]
    return {name: Room(name, package) for name, package in unique(found, "games").items()}


def unique(found: Iterable[tuple[str, str]], what: str) -> dict[str, str]:
    """The pairs as a dict. Raises UserError if a name stands for two different things."""
    unique: dict[str, str] = {}
    for name, value in found:
        if unique.setdefault(name, value) != value:
            raise UserError(f"Two {what} are called {name!r}: {unique[name]} and {value}.")
    return unique


def game_names() -> list[str]:
    """The names of all games."""
    return sorted(rooms())


def names_folder(game: str) -> bool:
    """Whether this names no game, but the folder of a saved run or series. Names of games go first: a folder
    may be called like one."""
    saved = any((Path(game) / record).is_file() for record in ("run.json", "series.json"))
    return saved and game not in rooms()


def room(name: str) -> Room:
    """The room of a game. Raises UserError with the nearest right name."""
    known = rooms()
    if name not in known:
        wrong = nearest(name, known, "game")
        if name.lower().endswith((".yaml", ".yml")):
            raise UserError(f"{wrong} A config is given by --config: analyze run GAME --config {name}")
        raise wrong
    return known[name]


def game_class(name: str) -> Any:
    """The class of a game: `game_class(name)(rules, players)` is a `games.base.Game`."""
    return room(name).part("rules").GAME


def player_counts(name: str) -> range:
    """How many players the game is for."""
    model = room(name).part("model")
    return range(model.MIN_PLAYERS, model.MAX_PLAYERS + 1)


def players_in_words(name: str) -> str:
    """For how many players the game is: `2 to 6 players`, `2 players`."""
    counts = player_counts(name)
    return f"{counts[0]} to {counts[-1]} players" if len(counts) > 1 else f"{counts[0]} players"


def axes(name: str) -> tuple[Axis, ...]:
    """What the game can be run over: its players, its policies against each other where two can play, then
    the AXES of its `model`, if it has any."""

    from analyzer.policy_choice import policies_of  # which knows rooms

    def refused(value: str) -> UserError:
        return UserError(f"{name} is for {players_in_words(name)}, not {value}.")

    players = Axis(
        PLAYERS,
        "numbers of players",
        names=lambda _: [str(count) for count in player_counts(name)],
        label=lambda count: "1 player" if count == "1" else f"{count} players",
        wrong=refused,
    )
    matchups = Axis(
        MATCHUPS,
        "policies that meet, in both seats in turn: all, A,B (every pairing of them) or A:B (that pairing)",
        names=lambda _: list(policies_of(name)),
        each=2,
        ordered=False,
        seated=True,
    )
    general = [players, matchups] if 2 in player_counts(name) else [players]
    return *general, *getattr(room(name).part("model"), "AXES", ())


def game_config(name: str, file: Path | str | None = None, overrides: Any = (), base: str = "") -> Config:
    """The config of a game: its shipped file, the user's file, overrides `key=value` (see analyzer.config).

    base: another shipped config of the game to build on, such as a scenario.
    A room of another package brings its own `load_config(file, overrides)` in its `model`.
    """
    own = getattr(room(name).part("model"), "load_config", None)
    if own is not None:
        return own(file, overrides)
    from analyzer.config import load_config

    found = load_config(base or name, file, overrides)
    if base and found.name != base:
        raise UserError(f"{file} stands on the config {found.name!r}; it cannot be laid over {base!r}.")
    return found


def changed_config(config: Config, change: Callable[[dict[str, Any]], None]) -> Config:
    """The config with its plain values (`Config.as_dict`) changed in place by `change`. Raises UserError if
    the game does not allow it."""
    values = copy.deepcopy(config.as_dict())
    change(values)
    own = getattr(room(config.game).part("model"), "load_config", None)
    if own is not None:
        return own(None, {key: json.dumps(value) for key, value in values.items() if key != "game"})
    from analyzer.config import config_of

    return config_of(values)
