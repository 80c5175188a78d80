"""What makes a scenario impossible, each mistake with its place in the file and its reason.

Every check takes a Scenario whose single values are right already (names, whole numbers, bounds).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.config_read import hint
from analyzer.games.undaunted.codes import SIDES, SQUADS, UNITS, SideName
from analyzer.games.undaunted.scenario_parts import PIN, RIFLEMEN, STEPS, Tile, expand

if TYPE_CHECKING:
    from analyzer.games.undaunted.scenario import Scenario

Loc = tuple[int | str, ...]
Mistake = tuple[Loc, str]  # where (as pydantic names places) and what is wrong


def mistakes(scenario: Scenario) -> list[Mistake]:
    """Everything that makes the scenario impossible; empty if it can be played.

    The map comes first: what follows from a wrong map is not told on top of it.
    """
    names = list(_names(scenario))
    map_ = names or [*_neighbours(scenario)] or list(_connected(scenario))
    found = [*map_, *_tiles(scenario)]
    for side in SIDES:
        found += [*_units(scenario, side), *_goal(scenario, side)]
    return found


def _tile(number: int, *below: str) -> Loc:
    return ("tiles", number, *below)


# ---------------------------------------------------------------- the map


def _names(scenario: Scenario) -> Iterator[Mistake]:
    """Two tiles of one name or at one place, and neighbours that are no tile of the map."""
    first: dict[object, Tile] = {}
    for i, tile in enumerate(scenario.tiles):
        if tile.name in first:
            yield _tile(i, "name"), f"there are two tiles {tile.name}"
        if tile.at in first:
            yield _tile(i, "at"), f"{tile.name} lies at {list(tile.at)}, where {first[tile.at].name} is"
        first.setdefault(tile.name, tile)
        first.setdefault(tile.at, tile)
        for near in tile.adj or ():
            if near not in scenario.names:
                yield (
                    _tile(i, "adj"),
                    f"{tile.name} names {near!r} as its neighbour; there is no such tile."
                    f"{hint(near, scenario.names)} Tiles: {', '.join(scenario.names)}",
                )


def _neighbours(scenario: Scenario) -> Iterator[Mistake]:
    """Neighbours as written: both ways, and (unless `borders: written`) those of the places (U1)."""
    tiles = {tile.name: tile for tile in scenario.tiles}
    given = [tile for tile in scenario.tiles if tile.adj is not None]
    if len(given) < len(tiles) and (given or scenario.borders == "written"):
        for i, tile in enumerate(scenario.tiles):
            if tile.adj is None:
                yield (
                    _tile(i),
                    f"{tile.name} names no neighbours (`adj`); every tile of this map must, or with "
                    "`borders: hex` none",
                )
        return
    for i, tile in enumerate(scenario.tiles):
        written = Counter(tile.adj or ())
        for near, times in written.items():
            if near == tile.name or times > 1:
                what = "itself" if near == tile.name else f"{near} twice"
                yield _tile(i, "adj"), f"{tile.name} names {what} as its neighbour"
            elif tile.name not in (tiles[near].adj or ()):
                yield (
                    _tile(i, "adj"),
                    f"{tile.name} names {near} as its neighbour, but {near} does not name {tile.name}",
                )
            elif scenario.borders == "hex" and not _touch(tile, tiles[near]):
                yield (
                    _tile(i, "adj"),
                    f"{tile.name} at {list(tile.at)} names {near} at {list(tiles[near].at)} as its "
                    "neighbour, but their places do not touch (U1); `borders: written` would allow it",
                )
        if scenario.borders == "hex" and given:
            for other in scenario.tiles:
                if _touch(tile, other) and other.name not in written and tile.name not in (other.adj or ()):
                    yield (
                        _tile(i, "adj"),
                        f"{tile.name} at {list(tile.at)} does not name {other.name} at {list(other.at)}, "
                        "which touches it (U1); `borders: written` would allow it",
                    )


def _touch(one: Tile, other: Tile) -> bool:
    return (other.at[0] - one.at[0], other.at[1] - one.at[1]) in STEPS


def _connected(scenario: Scenario) -> Iterator[Mistake]:
    for i, steps in enumerate(scenario.distances[0]):
        if steps < 0:
            yield (
                _tile(i),
                f"there is no way from {scenario.names[0]} to {scenario.names[i]}; a map must be connected",
            )


def _tiles(scenario: Scenario) -> Iterator[Mistake]:
    """Tiles that contradict themselves, and a second radio."""
    radios = 0
    for i, tile in enumerate(scenario.tiles):
        if tile.markers.US == tile.markers.DE == "controlled":
            yield _tile(i, "markers"), f"both sides control {tile.name}; only one can (U4)"
        if tile.hill and tile.cover != 3:
            yield _tile(i, "hill"), f"{tile.name} is a hill with cover {tile.cover}; a hill has 3 (U3)"
        radios += tile.radio
        if tile.radio and radios > 1:
            yield _tile(i, "radio"), f"{tile.name} is a second radio; a map has one at most (U30)"


# ---------------------------------------------------------------- units and cards


def _units(scenario: Scenario, side: SideName) -> Iterator[Mistake]:
    """Spawn tiles and counters of a side, against its cards (U9)."""
    cards = scenario.cards(side)
    if not cards.deck.total:
        yield ("decks", side, "deck"), f"{side} begins without a card"
    for what, known in (("spawn", (*SQUADS, *UNITS)), ("counters", UNITS)):
        seen: dict[str, str] = {}
        for i, tile in enumerate(scenario.tiles):
            loc = _tile(i, what, side)
            for code in getattr(getattr(tile, what), side):
                if code not in known:
                    yield loc, f"{code!r} is no unit.{hint(code, known)} Units here: {', '.join(known)}"
                    continue
                for unit in expand((code,)):
                    if unit in seen:
                        yield loc, _twice(side, unit, what, seen[unit], tile.name)
                    seen.setdefault(unit, tile.name)
                if what == "counters" and not cards.count(code):
                    yield loc, f"{side}'s counter {code} stands on {tile.name}, but {side} has no {code} card"
    spawned = scenario.spawns(side)
    for unit in UNITS:
        if cards.count(unit) and unit not in spawned:
            pile = "deck" if cards.deck.count(unit) else "supply"
            yield (
                ("decks", side, pile),
                f"{side} has {unit} cards, but no tile has spawn: {{{side}: [{unit}]}} (U9)",
            )


def _twice(side: SideName, unit: str, what: str, first: str, second: str) -> str:
    where = f"on {first}, twice" if first == second else f"on {first} and on {second}"
    if what == "spawn":
        return f"{side}'s {unit} has its spawn {where}; a unit has one"
    return f"{side}'s counter {unit} stands {where}; there is one"


# ---------------------------------------------------------------- goals


def _goal(scenario: Scenario, side: SideName) -> Iterator[Mistake]:
    """A goal that cannot be reached, or is reached before the first card is played."""
    goal, loc = scenario.goal_of(side), ("goal", side)
    enemy = SIDES[1 - SIDES.index(side)]
    if goal == PIN:
        if not set(scenario.counters(enemy)) & set(RIFLEMEN):
            yield (
                loc,
                f"{side} must pin {enemy}, which begins without a Rifleman on the map (U27)",
            )
        return
    begins = scenario.start_points(side)
    if begins >= goal:
        yield loc, f"{side} begins with {begins} of the {goal} points it needs; the game is over at once"
    rifles = any(scenario.cards(side).count(unit) for unit in RIFLEMEN)
    if not rifles and begins < goal:
        yield loc, f"{side} cannot reach {goal} points: only Riflemen control tiles, and it has none (U18)"
    on_map = sum(tile.points for tile in scenario.tiles)
    unlimited = side == "US" and any(tile.radio for tile in scenario.tiles)  # U30
    if rifles and on_map < goal and not unlimited:
        yield loc, f"{side} cannot reach {goal} points: the tiles of the map hold {on_map} together"
