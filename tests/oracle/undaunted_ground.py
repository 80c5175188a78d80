"""The map as one seat judges it at one decision of the scalar oracle of Undaunted: plain whole numbers.

It is the slow, obvious twin of `analyzer.games.undaunted.heuristics`, for `undaunted_solo`, and takes nothing
from it. Worths of tiles are half points above `FLOOR`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_table import (
    CODES,
    CONTROLLED,
    KIND_OF,
    RIFLEMEN,
    SCOUTED,
    SQUADS,
    UNITS,
    Side,
)

KIND = {code: KIND_OF.get(code) or KIND_OF[code.rstrip(SQUADS)] for code in CODES}
AGAINST_POINTS = ("rifleman", "scout", "sniper", "gunner", "mortar")
AGAINST_PIN = ("sniper", "gunner", "mortar", "rifleman", "scout")
STOCK = {"rifleman": 3, "scout": 2, "sniper": 1, "gunner": 2, "mortar": 1}  # cards a deck should have
EASIER = 2
NOBODY = 128  # an aim without a target
FLOOR, PRIZE, MOST = 64, 30, 6
STEP, UNMARKED = 2, 2
HERE = 32  # what a way of a Rifleman starts with


def sweeps(tiles: int) -> Iterator[int]:
    """All tiles in order, back, and in order again."""
    yield from range(tiles)
    yield from reversed(range(tiles))
    yield from range(tiles)


class Ground:
    """What a seat makes of the table; each answer is worked out when it is first asked for."""

    def __init__(self, oracle: Oracle, seat: int) -> None:
        self.oracle, self.seat = oracle, seat
        self.own, self.foe = oracle.sides[seat], oracle.sides[1 - seat]
        self.near = [tile.neighbours for tile in oracle.tiles]
        self.tiles = range(len(oracle.tiles))
        self.units = [unit for unit in UNITS if self.own.start[unit]]
        self.riflemen = [unit for unit in self.units if unit in RIFLEMEN]
        self.radios = [tile.radio for tile in oracle.tiles]
        self.printed: list[int] = [tile["points"] for tile in oracle.rules["scenario"]["tiles"]]
        self.marked = [marker is not None for marker in self.own.markers]

    # --- counters ----------------------------------------------------------------------------------------

    def where(self, unit: str, side: Side | None = None) -> int:
        """The tile a unit is on, or would be placed on."""
        side = side or self.own
        at = side.counters[unit]
        return side.spawn[unit] if at is None else at

    def _counted(self, side: Side) -> list[int]:
        found = [0 for _ in self.tiles]
        for tile in side.counters.values():
            if tile is not None:
                found[tile] += 1
        return found

    @cached_property
    def mine(self) -> list[int]:
        """Own counters on each tile."""
        return self._counted(self.own)

    @cached_property
    def theirs(self) -> list[int]:
        return self._counted(self.foe)

    # --- ways over the map -------------------------------------------------------------------------------

    def spread(self, worth: Sequence[int], cost: Sequence[int]) -> list[int]:
        """The most worth in reach of each tile, less the cost of every tile entered."""
        found = list(worth)
        for tile in sweeps(len(found)):
            left = found[tile] - cost[tile]
            for other in self.near[tile]:
                if left > found[other]:
                    found[other] = left
        return found

    def flow(self, start: Sequence[int], cost: Sequence[int]) -> list[int]:
        """The most of `start` that arrives at each tile, less the cost of all tiles entered."""
        found = list(start)
        for tile in sweeps(len(found)):
            found[tile] = max(found[tile], max(found[other] for other in self.near[tile]) - cost[tile])
        return found

    def beside(self, worth: Sequence[int], tile: int) -> int:
        """The most worth beside a tile."""
        return max(worth[other] for other in self.near[tile])

    def closer_by(self, worth: Sequence[int], tile: int) -> bool:
        """Whether a marked tile beside this one is worth more."""
        return any(self.marked[other] and worth[other] > worth[tile] for other in self.near[tile])

    # --- objectives --------------------------------------------------------------------------------------

    @cached_property
    def objectives(self) -> list[int]:
        """The worth of each tile that a Rifleman should go to."""
        return [FLOOR + (self._want(tile) if self.printed[tile] else 0) for tile in self.tiles]

    def _want(self, tile: int) -> int:
        own, foe = self.own.markers[tile], self.foe.markers[tile]
        want = PRIZE + 2 * self._points(tile)
        if self.own.goal is None:  # to pin the enemy: stand where it needs to go
            return 0 if self.mine[tile] else want + (6 if foe == CONTROLLED else 0)
        if own == CONTROLLED and not (self.radios[tile] and self.seat == 0):
            return 0
        if self.theirs[tile]:
            want -= 4
        elif foe == CONTROLLED and self.beside(self.theirs, tile):
            want -= 2
        return want - (1 if foe == SCOUTED else 0)

    def _points(self, tile: int) -> int:
        """Those of a radio that US controls already count as 1: so much one more Control gives."""
        if self.radios[tile] and self.seat == 0 and self.own.markers[tile] == CONTROLLED:
            return 1
        return min(self.oracle.points[tile], MOST)

    @cached_property
    def entering(self) -> list[int]:
        """What it costs to enter each tile on the way to an objective."""
        return [STEP if marked else STEP + UNMARKED for marked in self.marked]

    @cached_property
    def pull(self) -> list[int]:
        """The best objective in reach of each tile, less the way to it."""
        return self.spread(self.objectives, self.entering)

    def onward(self, tile: int) -> bool:
        """Whether a Rifleman there has a step towards an objective; it keeps a tile the enemy must take."""
        if self.own.goal is None and self.printed[tile]:
            return False
        return self.closer_by(self.pull, tile)

    @cached_property
    def needed(self) -> list[bool]:
        """Whether each tile has no own marker and lies on a good way of a Rifleman."""
        start = [FLOOR for _ in self.tiles]
        for unit in self.riflemen:
            start[self.where(unit)] = FLOOR + HERE
        arrives = self.flow(start, self.entering)
        through = [arrives[tile] + self.pull[tile] for tile in self.tiles]
        best = max(through)
        return [
            best > 2 * FLOOR and through[tile] >= best - 3 and not self.marked[tile] for tile in self.tiles
        ]

    @cached_property
    def scouting(self) -> list[int]:
        """How near the tiles are that a Scout should mark."""
        worth = [FLOOR + PRIZE * needed for needed in self.needed]
        return self.spread(worth, [3 for _ in self.tiles])

    # --- enemies -----------------------------------------------------------------------------------------

    @cached_property
    def closeness(self) -> list[int]:
        """How near enemy counters are."""
        worth = [FLOOR + PRIZE * bool(counters) for counters in self.theirs]
        return self.spread(worth, [2 for _ in self.tiles])

    def closer(self, tile: int) -> bool:
        """Whether there is a step towards an enemy."""
        return self.closer_by(self.closeness, tile)

    @cached_property
    def order(self) -> list[str]:
        """The kinds of the enemy's units, those to shoot first before others."""
        order = AGAINST_PIN if self.foe.goal is None else AGAINST_POINTS
        there = {KIND[unit] for unit in UNITS if self.foe.start[unit]}
        return [kind for kind in order if kind in there]

    def defence(self, here: int, unit: str) -> int:
        """U22: total defence of an enemy on the board against an attack from a tile."""
        tile, base = self.foe.counters[unit], self.oracle.cards[unit].defence
        assert tile is not None
        assert base is not None
        return base + self.oracle.cover(tile, here) + self.oracle.distances[here][tile]

    def prime(self, defences: dict[str, int]) -> tuple[int, str]:
        """Total defence of the target out of these enemies, and its kind. A kind of lower priority goes first
        if it is 2 easier than all before it."""
        least = dict.fromkeys(self.order, 10 * NOBODY)
        for unit, defence in defences.items():
            least[KIND[unit]] = min(least[KIND[unit]], defence)
        first = self.order[0]
        low, aim, chosen = least[first], least[first], first
        for kind in self.order[1:]:
            if least[kind] + EASIER <= low:
                aim, chosen = least[kind], kind
            low = min(low, least[kind])
        return aim, chosen

    def aim(self, unit: str, suppress: bool = False) -> int:
        """Total defence of the target of an own unit; `NOBODY` or more without one."""
        here = self.where(unit)
        enemies = [foe for foe in self.foe.on_board() if not (suppress and foe in self.foe.suppressed)]
        return self.prime({foe: self.defence(here, foe) for foe in enemies})[0]

    def worth_blasting(self) -> bool:
        """Whether more enemies than own counters stand on the own target marker's tile."""
        target = self.own.target
        return target is not None and self.theirs[target] > self.mine[target]

    # --- in the enemy's way ------------------------------------------------------------------------------

    @cached_property
    def threats(self) -> list[int]:
        """1 and its points for each tile the enemy is about to control; 8 more where it wins by that."""
        return [self._threat(tile) for tile in self.tiles]

    def _threat(self, tile: int) -> int:
        points, goal = self.oracle.points[tile], self.foe.goal
        if goal is None or not points or self.foe.markers[tile] != SCOUTED:
            return 0
        rifles = [self.where(unit, self.foe) for unit in RIFLEMEN if self.foe.start[unit]]
        if not any(rifle == tile or rifle in self.near[tile] for rifle in rifles):
            return 0
        wins = self.oracle.score(1 - self.seat) + points >= goal
        return 1 + min(points, MOST) + (8 if wins else 0)

    @cached_property
    def open_threats(self) -> list[int]:
        """Those where no own counter stands yet."""
        return [0 if self.mine[tile] else threat for tile, threat in enumerate(self.threats)]

    def holds(self, tile: int) -> bool:
        """Whether one own counter alone keeps the enemy from taking control there."""
        return self.threats[tile] > 0 and self.mine[tile] == 1

    # --- own units ---------------------------------------------------------------------------------------

    def takes(self, unit: str) -> bool:
        """Whether a Rifleman is on a scouted tile worth points without an enemy."""
        tile = self.where(unit)
        return self.own.markers[tile] == SCOUTED and self.printed[tile] > 0 and not self.theirs[tile]

    def guided(self, unit: str) -> bool:
        """Whether a Guide can bring a Rifleman nearer to an objective."""
        own = self.own
        if own.counters[unit] is None or unit in own.suppressed or self.takes(unit):
            return False
        return self.onward(self.where(unit))

    def in_play(self, code: str) -> int:
        """All own cards of a code but the supply."""
        own = self.own
        return sum(pile.count(code) for pile in (own.hand, own.deck, own.discard, own.play_area))

    def short(self, unit: str, extra: int) -> bool:
        """Whether the deck has fewer cards of a unit than it should, and the supply has one."""
        return self.own.supply[unit] > 0 and self.in_play(unit) < STOCK[KIND[unit]] + extra
