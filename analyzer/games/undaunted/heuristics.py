"""What the named policies think about: objectives, the ways to them, whom to shoot at, what is short.

A `Ground` belongs to one view and works its answers out when they are first asked for. Numbers are uint8,
the game is the last axis. Worths of tiles are half points above `FLOOR`, so that sums never wrap around.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import lazy
from analyzer.games.undaunted.legal import rows_of
from analyzer.games.undaunted.model import KIND_OF
from analyzer.games.undaunted.tables import Board
from analyzer.games.undaunted.view import BidView, PlayView, TargetView

U8 = NDArray[np.uint8]
Index = NDArray[np.intp]
Near = tuple[tuple[int, ...], ...]
View = BidView | PlayView | TargetView

KINDS = ("rifleman", "scout", "sniper", "gunner", "mortar", "sergeant", "guide", "leader", "fog")
RIFLEMAN, SCOUT, SNIPER, GUNNER, MORTAR, SERGEANT, GUIDE, LEADER, FOG = range(9)
# Whom to shoot first, by what the enemy needs.
AGAINST_POINTS = (RIFLEMAN, SCOUT, SNIPER, GUNNER, MORTAR)
AGAINST_PIN = (SNIPER, GUNNER, MORTAR, RIFLEMAN, SCOUT)
EASIER = np.uint8(2)  # how much easier a target of lower priority must be to go first
NOBODY = 128  # an aim from here on: there is no target
FLOOR = 64  # worth of a tile from which no objective is in reach
PRIZE = 30  # worth of an objective of no points above the floor
STEP = 2  # a step towards an objective costs a point
UNMARKED = 2  # and one more where a Scout has to go first
_MOST = 6  # points of a tile above which it is worth no more
_ONE = np.uint8(1)


@lru_cache(maxsize=64)
def kinds_of(codes: tuple[str, ...]) -> Index:
    """intp[code]: the kind of each card or unit, as a place in `KINDS`."""
    return np.array([KINDS.index(KIND_OF[code]) for code in codes], np.intp)


@lru_cache(maxsize=64)
def _near(board: Board) -> Near:
    """The neighbours of each tile."""
    return tuple(tuple(row.nonzero()[0].tolist()) for row in board.neighbours)


# Row by row: an array of all neighbours of all tiles would be several times the field, and leave the cache.


def best_beside(worth: U8, near: Near, tiles: Sequence[int] | None = None) -> U8:
    """uint8[tile, game]: the highest worth beside each of these tiles (None: of all)."""
    rows = list(worth)
    wanted = near if tiles is None else [near[tile] for tile in tiles]
    found = np.empty((len(wanted), worth.shape[1]), np.uint8)
    for best, (first, *others) in zip(found, wanted, strict=True):
        best[:] = rows[first]
        for tile in others:
            np.maximum(best, rows[tile], out=best)
    return found


def spread(worth: U8, near: Near, cost: U8 | np.uint8) -> U8:
    """uint8[tile, game]: the most worth in reach of each tile, less the `cost` of every tile entered.

    cost: of entering a tile, [tile, game] or the same for all. Worths are `FLOOR` or more, and may fall below
    it by less than its value.
    """
    found = worth.copy()
    rows, left = list(found), np.empty(worth.shape[1], np.uint8)
    costs = list(cost) if isinstance(cost, np.ndarray) else [cost] * len(rows)
    for tile in _sweeps(len(rows)):
        np.subtract(rows[tile], costs[tile], out=left)
        for other in near[tile]:
            np.maximum(rows[other], left, out=rows[other])
    return found


def flow(start: U8, near: Near, cost: U8) -> U8:
    """uint8[tile, game]: the most of `start` that arrives at each tile, less the `cost` [tile, game] of all
    tiles entered."""
    found = start.copy()
    rows, best = list(found), np.empty(start.shape[1], np.uint8)
    for tile in _sweeps(len(rows)):
        first, *others = near[tile]
        best[:] = rows[first]
        for other in others:
            np.maximum(best, rows[other], out=best)
        best -= cost[tile]
        np.maximum(rows[tile], best, out=rows[tile])
    return found


def _sweeps(tiles: int) -> Iterator[int]:
    """All tiles in order, back, and in order again. They are numbered across the map, so that this finds the
    best ways in 98 of 100 positions of the twelve maps and more, and else ways a point or two worse."""
    return chain(range(tiles), reversed(range(tiles)), range(tiles))


def at(field: U8, tile: U8) -> U8:
    """uint8 in the shape of `tile` [.., game]: the field [tile, game] on these tiles."""
    games = field.shape[1]
    return field.reshape(-1).take(tile * np.intp(games) + np.arange(games), mode="clip")


class Ground:
    """The map and the counters as the own side judges them in one view."""

    def __init__(self, view: View) -> None:
        self.view, self._board = view, view._board
        self.near = _near(self._board)
        self.kinds = kinds_of(view.cards)
        self.foe_kinds = kinds_of(view.enemies)

    # -- objectives -----------------------------------------------------------------------------------
    @lazy
    def prizes(self) -> Index:
        """intp[prize]: the tiles that are worth points."""
        return np.asarray(self._board.points.nonzero()[0])

    @lazy
    def objectives(self) -> U8:
        """uint8[tile, game]: the worth of each tile that a Rifleman should go to, `FLOOR` for the others.

        With a goal of points: its points where the own side does not control it (the radio always), less 2
        where an enemy stands, 1 where one controls and is beside it, half a point where one has scouted it.
        To pin the enemy: the tiles it needs and where no own counter stands, those it controls before others.
        """
        view, tiles = self.view, self.prizes
        worth = np.full((len(view.tiles), view.games), FLOOR, np.uint8)
        if not tiles.size:
            return worth
        bits, points = self._board.bit[tiles], self._points()
        want = np.uint8(PRIZE) + np.uint8(2) * points
        if view.goal is None:
            free = view.small_own_on[tiles] ^ _ONE
            want = want + np.uint8(6) * rows_of(view._foe_marks[1], bits)
        else:
            free = rows_of(view._own_marks[1], bits) ^ _ONE
            if view.radio is not None and view.seat == 0:
                free[tiles == view.radio] = 1
            stands = view.small_enemies_on[tiles]
            beside = best_beside(view.small_enemies_on, self.near, tiles.tolist())
            want = want - np.uint8(4) * stands
            want -= np.uint8(2) * (rows_of(view._foe_marks[1], bits) & beside & (stands ^ _ONE))
            want -= rows_of(view._foe_marks[0], bits)
        worth[tiles] += want * free
        return worth

    def _points(self) -> U8:
        """uint8[prize, game or 1]: points of the prizes; for US those of the radio it controls count as 1."""
        view = self.view
        points = np.minimum(self.points_now, np.uint8(_MOST))
        if view.radio is not None and view.seat == 0:
            row = self.prizes == view.radio
            points[row] = np.where(view.controlled[view.radio], _ONE, points[row])
        return points

    @lazy
    def points_now(self) -> U8:
        """uint8[prize, game or 1]: points of the prizes as they are now: those of the radio grow."""
        view, tiles = self.view, self.prizes
        points = self._board.points[tiles, None]
        if view.radio is not None:
            points = np.repeat(points, view.games, axis=1)
            points[tiles == view.radio] = view.radio_points
        return points

    @lazy
    def entering(self) -> U8:
        """uint8[tile, game]: what it costs to enter a tile on the way to an objective."""
        return np.uint8(STEP + UNMARKED) - np.uint8(UNMARKED) * self.view.small_marked

    @lazy
    def pull(self) -> U8:
        """uint8[tile, game]: the best objective in reach of each tile, less the way to it."""
        return spread(self.objectives, self.near, self.entering)

    @lazy
    def onward(self) -> U8:
        """uint8[tile, game]: 1 where a marked tile beside this one is nearer to an objective."""
        marked = self.view.small_marked
        nearer = (best_beside(self.pull * marked, self.near) > self.pull).view(np.uint8)
        if self.view.goal is None:  # who stands where the enemy needs to go stays there
            nearer[self.prizes] = 0
        return nearer

    # -- paths that must be scouted ---------------------------------------------------------------------
    @lazy
    def needed(self) -> U8:
        """uint8[tile, game]: 1 where a tile without an own marker lies on a good way of a Rifleman."""
        view = self.view
        start = np.full((len(view.tiles), view.games), FLOOR, np.uint8)
        ids = np.arange(len(view.tiles), dtype=np.uint8)[:, None]
        for tile in view.small_tile[view.riflemen]:
            start |= (ids == tile).view(np.uint8) << np.uint8(5)
        through = flow(start, self.near, self.entering) + self.pull
        best = np.maximum.reduce(through, axis=0)
        good = (through + np.uint8(3) >= best).view(np.uint8)
        good &= (best > 2 * FLOOR).view(np.uint8)
        good &= self.view.small_marked ^ _ONE
        return good

    @lazy
    def scouting(self) -> U8:
        """uint8[tile, game]: how near the tiles are that a Scout should mark: 3 less a step."""
        return spread(FLOOR + np.uint8(PRIZE) * self.needed, self.near, np.uint8(3))

    # -- enemies ------------------------------------------------------------------------------------------
    @lazy
    def closeness(self) -> U8:
        """uint8[tile, game]: how near enemy counters are: 2 less a step."""
        worth = FLOOR + np.uint8(PRIZE) * self.view.small_enemies_on
        return spread(worth, self.near, np.uint8(2))

    @lazy
    def closer(self) -> U8:
        """uint8[tile, game]: 1 where a marked tile beside this one is nearer to an enemy."""
        marked = self.view.small_marked
        return (best_beside(self.closeness * marked, self.near) > self.closeness).view(np.uint8)

    @lazy
    def order(self) -> list[slice]:
        """The enemy's units by kind, those to shoot first before others."""
        order = AGAINST_PIN if self.view.enemy_goal is None else AGAINST_POINTS
        kinds = self.foe_kinds.tolist()  # units of a kind stand side by side
        return [
            slice(kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in order if kind in kinds
        ]

    def prime(self, defence: U8) -> tuple[U8, U8]:
        """Whom to shoot at, out of total defences uint8[.., enemy, game] (`NOBODY` to 250: not this one).

        Gives the total defence of the target and its group's place in `order`. A group of lower priority goes
        first if it is at least 2 easier than all before it.
        """
        least = [np.minimum.reduce(defence[..., group, :], axis=-2) for group in self.order]
        low, aim, chosen = least[0].copy(), least[0].copy(), np.zeros(least[0].shape, np.uint8)
        for place, one in enumerate(least[1:], 1):
            first = one + EASIER <= low
            np.copyto(aim, one, where=first)
            np.copyto(chosen, np.uint8(place), where=first)
            np.minimum(low, one, out=low)
        return aim, chosen

    @lazy
    def aims(self) -> tuple[U8, U8]:
        """uint8[unit, game] twice: total defence of the target of each unit, to attack and to suppress;
        `NOBODY` or more without one."""
        view = self.view
        away = view._foes("away")
        down = away | view._foes("down") << np.uint8(7)
        guns = view.cards_of("suppress")
        attack = np.full((len(view.units), view.games), NOBODY, np.uint8)
        suppress = attack.copy()
        for part, defence in view._reach.parts():
            attack[:, part] = self.prime(defence | away[:, part])[0]
            if guns.size:
                suppress[guns, part] = self.prime(defence[guns] | down[:, part])[0]
        return attack, suppress

    @lazy
    def worth_blasting(self) -> U8:
        """uint8[game]: 1 where more enemy than own counters stand on the own target marker's tile."""
        view = self.view
        target = view._my("target")
        enemies = np.add.reduce(view._foe_place == target, axis=0, dtype=np.uint8)
        own = np.add.reduce(view._place == target, axis=0, dtype=np.uint8)
        return (enemies > own).view(np.uint8)

    # -- standing in the enemy's way ------------------------------------------------------------------------
    @lazy
    def threats(self) -> U8:
        """uint8[tile, game]: 1 and its points (at most 6) for each tile the enemy is about to control: worth
        points, scouted by it, one of its Riflemen there or beside it; 8 more where it wins the game by it."""
        view, tiles = self.view, self.prizes
        worth = np.zeros((len(view.tiles), view.games), np.uint8)
        goal = view.enemy_goal
        if goal is None or not tiles.size:
            return worth
        there, ids = np.zeros_like(worth), np.arange(len(view.tiles), dtype=np.uint8)[:, None]
        for tile in view.small_enemy_tile[view.enemy_riflemen]:
            there |= ids == tile
        near = (there | best_beside(there, self.near))[tiles]
        near &= view.enemy_scouted[tiles].view(np.uint8)
        points = self.points_now
        wins = (view.enemy_points + points >= goal).view(np.uint8)
        worth[tiles] = near * (_ONE + np.minimum(points, np.uint8(_MOST)) + np.uint8(8) * wins)
        return worth

    @lazy
    def open_threats(self) -> U8:
        """uint8[tile, game]: those of them where no own counter stands yet."""
        return self.threats * (self.view.small_own_on ^ _ONE)

    @lazy
    def held_threats(self) -> U8:
        """uint8[tile, game]: 1 where one own counter alone keeps the enemy from taking control."""
        alone = np.zeros_like(self.threats)
        ids = np.arange(len(alone), dtype=np.uint8)[:, None]
        for tile in self.view._place:
            alone += ids == tile
        return ((alone == 1) & (self.threats > 0)).view(np.uint8)

    def holds(self, units: Index) -> U8:
        """uint8[unit, game]: 1 where one of these own units alone keeps the enemy from taking control."""
        view = self.view
        on_board = (view._my("away")[units] == 0).view(np.uint8)
        return on_board & at(self.held_threats, view.small_tile[units])

    # -- own units ----------------------------------------------------------------------------------------
    @lazy
    def takes(self) -> U8:
        """uint8[rifleman, game]: 1 where it stands on a scouted tile worth points without an enemy."""
        view = self.view
        tile = view.small_tile[view.riflemen]
        worth = rows_of(view._own_marks[0], self._board.bit)
        worth *= view.small_enemies_on ^ _ONE
        worth *= (self._board.points > 0)[:, None]
        return at(worth, tile)

    @lazy
    def guided(self) -> U8:
        """uint8[rifleman, game]: 1 where a Guide can bring it nearer to an objective (and it takes none)."""
        view = self.view
        onward = at(self.onward, view.small_tile[view.riflemen])
        onward &= self.takes ^ _ONE
        shut = view._my("away") | view._my("down")
        onward &= (shut[view.riflemen] == 0).view(np.uint8)
        return onward

    def short(self, extra: int) -> U8:
        """uint8[unit, game]: 1 where the deck has fewer cards of a unit than it should (or than `extra` more)
        and the supply has one."""
        units = len(self.view.units)
        want = _stock(self.view.units) + np.uint8(extra)
        few = (self.view.small_in_play[:units] < want).view(np.uint8)
        few &= (self.view.small_supply[:units] > 0).view(np.uint8)
        return few


@lru_cache(maxsize=64)
def _stock(units: tuple[str, ...]) -> U8:
    """uint8[unit, 1]: how many cards of a unit the deck should have."""
    wanted = {RIFLEMAN: 3, SCOUT: 2, SNIPER: 1, GUNNER: 2, MORTAR: 1}
    return np.array([[wanted[kind]] for kind in kinds_of(units).tolist()], np.uint8)
