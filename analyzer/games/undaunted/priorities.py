"""The named policies of Undaunted: one list of priorities, each policy with its own weights.

Their scores are points on one ladder around 0 (uint8, 128 is 0; at most 87 either way, so that noise fits
beside them). What a card is best for decides among its own actions; the ladder also orders the cards: what
brings cards first, then the Scouts that open a path, shots, Riflemen that walk. Whatever scores less than
stop is not played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Score
from analyzer.games.undaunted.heuristics import (
    FLOOR,
    FOG,
    GUIDE,
    GUNNER,
    LEADER,
    MORTAR,
    PRIZE,
    RIFLEMAN,
    SCOUT,
    SERGEANT,
    SNIPER,
    Ground,
    at,
    best_beside,
    kinds_of,
)
from analyzer.games.undaunted.policy_base import UndauntedPolicy
from analyzer.games.undaunted.view import BidView, PlayView, TargetView

U8 = NDArray[np.uint8]
Index = NDArray[np.intp]

_ONE = np.uint8(1)
_STOP, _NO, _HUNKER = np.uint8(40), np.uint8(60), np.uint8(80)  # below 0: stop, useless plays, hunker down
_TOTAL = np.uint8(127)  # what of an aim is the total defence; the rest says that there is no target
_LOW = 10  # points of a play that is better than none
_FAR = 10  # total defence from which a Machine Gunner or a Sniper goes closer first
# Up to which total defence each kind attacks gladly, and its points then, above a Rifleman's.
_GLADLY = {RIFLEMAN: (9, 0), SCOUT: (6, 6), GUNNER: (7, 14), SNIPER: (9, 18)}
_SUPPRESSES = 9  # the same for suppression
# How useful a card is this turn, when one has to be bid; and how much a deck wants another one of a kind.
_USE = {FOG: 0, LEADER: 14, GUIDE: 12, SERGEANT: 30, RIFLEMAN: 26}
_USE |= {SCOUT: 20, SNIPER: 24, GUNNER: 24, MORTAR: 16}
_WANTED = {FOG: 0, LEADER: 14, GUIDE: 8, SERGEANT: 10, RIFLEMAN: 40}
_WANTED |= {SCOUT: 28, SNIPER: 30, GUNNER: 32, MORTAR: 20}
_GUNS = dict.fromkeys(_USE, 0) | {GUNNER: 1, SNIPER: 1, MORTAR: 1}


# How far the parameters may go, so that no score is more than 87 away from 0.
_RANGES = {"walk": (0, 84), "path": (0, 87), "fire": (18, 69), "recruit": (10, 87), "draw": (0, 87)}
_RANGES |= {"recon": (0, 87), "conceal": (0, 87), "extra": (0, 20), "guns": (0, 43), "sure": (0, 9)}
_RANGES |= {"guard": (0, 72)}


def _within(name: str, default: int) -> Any:
    """A parameter with its range."""
    return field(default=default, metadata={"range": _RANGES[name]})


def _by_kind(points: dict[int, int], cards: tuple[str, ...]) -> U8:
    """uint8[type, 1]: the points of each card type by its kind."""
    return np.array([[points[kind]] for kind in kinds_of(cards).tolist()], np.uint8)


@dataclass(frozen=True)
class Priorities(UndauntedPolicy):
    """The common play of the named policies; they differ in their parameters alone."""

    score_dtype: ClassVar[Any] = np.uint8
    noise: float = 2.0  # points
    walk: int = _within("walk", 40)  # points for a Rifleman's step towards an objective
    path: int = _within("path", 46)  # points for a Scout that opens a path a Rifleman needs
    fire: int = _within("fire", 32)  # points for a Rifleman's attack; the other units' are up to 18 above
    recruit: int = _within("recruit", 62)  # points for a Sergeant that bolsters a unit that is short
    draw: int = _within("draw", 60)  # points for a Sergeant that commands
    recon: int = _within("recon", 44)  # points for a Scout that removes Fog of War
    conceal: int = _within("conceal", 18)  # points for a Scout that gives the enemy Fog of War
    extra: int = _within("extra", 0)  # cards beyond the usual that the deck should have of each unit
    guns: int = _within("guns", 0)  # points that Machine Gunners, Snipers and Mortars are wanted more
    sure: int = _within("sure", 0)  # by how much easier a Rifleman's shot must be to be taken gladly
    guard: int = _within("guard", 0)  # points for a step onto a tile the enemy is about to control; 0: none

    # -- plays ------------------------------------------------------------------------------------------
    def play(self, view: PlayView, score: Score) -> None:
        """Each action by its own priorities; the highest goes first."""
        ground = Ground(view)
        for name, judge in _JUDGES.items():
            if view.has(name):
                cards = view.cards_of(name)
                judge(self, ground, getattr(score, name), cards, ground.kinds[cards])
        rally, hunker, stop = score.rally, score.hunker, score.stop
        rally += np.uint8(30)
        rally[view.riflemen] += np.uint8(18)
        hunker -= _HUNKER
        stop -= _STOP
        score.ties_are_alike()

    def _control(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """A tile worth points; to pin the enemy only one that it controls."""
        view = ground.view
        points = view.small_points_here[cards]
        useful = (points > 0).view(np.uint8)
        if view.goal is None:
            useful &= at(view.enemy_controlled.view(np.uint8), view.small_tile[cards])
        block -= _NO
        block += useful * (_NO + np.uint8(68) + np.uint8(3) * np.minimum(points, np.uint8(6)))

    def _move(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """A Rifleman towards its objective, a Machine Gunner towards an enemy that is too far."""
        tile = ground.view.small_tile
        block -= _NO
        for row, kind, card in zip(block, kinds.tolist(), cards.tolist(), strict=True):
            if kind == RIFLEMAN:
                row += (_NO + np.uint8(self.walk)) * at(ground.onward, tile[card])
            elif kind == GUNNER:
                far = (ground.aims[0][card] >= _FAR).view(np.uint8)
                row += (_NO + np.uint8(26)) * (at(ground.closer, tile[card]) & far)
        if self.guard:
            self._keep(ground, block, cards, ground.view.small_marked)

    def _keep(self, ground: Ground, block: U8, cards: Index, free: U8 | None) -> None:
        """A step onto a tile the enemy is about to control, and none off it; `free`: where one may go."""
        tile, threats = ground.view.small_tile[cards], ground.open_threats
        beside = best_beside(threats if free is None else threats * free, ground.near)
        there = at(beside, tile)
        stays = ground.holds(cards)
        goes = (there > 0).view(np.uint8) * (stays ^ _ONE)
        np.copyto(block, np.uint8(128 + self.guard) + there, where=goes.view(bool))
        np.copyto(block, np.uint8(128) - _NO, where=stays.view(bool))

    def _scout(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Within three steps of a tile that must be marked."""
        near = at(ground.scouting, ground.view.small_tile[cards])
        block -= _NO
        block += (_NO + np.uint8(self.path)) * (near >= FLOOR + PRIZE - 9).view(np.uint8)
        if self.guard:
            self._keep(ground, block, cards, None)

    def _stalk(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Closer where every target is too far."""
        block -= _NO
        block += (_NO + np.uint8(28)) * (ground.aims[0][cards] >= _FAR).view(np.uint8)
        if self.guard:
            self._keep(ground, block, cards, None)

    def _attack(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Each kind up to its own total defence; beyond it only for want of anything better."""
        aims = ground.aims[0]
        for row, kind, card in zip(block, kinds.tolist(), cards.tolist(), strict=True):
            good, above = _GLADLY.get(kind, (9, 0))
            row += np.uint8(_LOW + 8)
            row += np.uint8(self.fire + above - _LOW - 8) * (
                aims[card] <= good - self.sure * (kind == RIFLEMAN)
            ).view(np.uint8)
            row -= aims[card] & _TOTAL

    def _suppress(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Where an attack would be too hard."""
        aims = ground.aims[1][cards]
        block += np.uint8(_LOW + 14)
        block += np.uint8(self.fire - _LOW - 3) * (aims <= _SUPPRESSES).view(np.uint8)
        block -= aims & _TOTAL

    def _blast(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Where more enemies than own counters stand on the target."""
        block -= _NO
        block += (_NO + np.uint8(self.fire + 8)) * ground.worth_blasting

    def _target(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """Where the marker does not lie well."""
        block -= _NO
        block += (_NO + np.uint8(24)) * (ground.worth_blasting ^ _ONE)

    def _bolster(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """A Sergeant while a unit is short; the others for want of anything better."""
        block += np.uint8(_LOW)
        for row, kind in zip(block, kinds.tolist(), strict=True):
            if kind == SERGEANT:
                short = np.maximum.reduce(ground.short(self.extra), axis=0)
                row += np.uint8(self.recruit - _LOW) * short

    def _command(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """At once: what it draws can be played."""
        block += np.uint8(self.draw)

    def _recon(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        block += np.uint8(self.recon)

    def _conceal(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        block += np.uint8(self.conceal)

    def _guide(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """A Rifleman to its objective."""
        block -= _NO
        block += (_NO + np.uint8(self.walk + 3)) * np.maximum.reduce(ground.guided, axis=0)

    def _inspire(self, ground: Ground, block: U8, cards: Index, kinds: Index) -> None:
        """A Rifleman that has been played and can control."""
        view = ground.view
        block += np.uint8(_LOW // 2)
        for row, card in zip(block, cards.tolist(), strict=True):
            mine = np.isin(view.riflemen, view.squad(card)).nonzero()[0]
            if mine.size:
                again = ground.takes[mine] * (view.small_played[view.riflemen[mine]] > 0)
                row += np.uint8(52) * np.maximum.reduce(again, axis=0)

    # -- the bid ------------------------------------------------------------------------------------------
    def bid(self, view: BidView, score: Score) -> None:
        """The least useful card; the highest where a Rifleman in hand can control, but not that Rifleman.

        With `guard` the highest where the enemy is about to win, too.
        """
        ground = Ground(view)
        card = score.card
        decisive = ground.takes * (view.small_hand[view.riflemen] > 0)
        high = np.maximum.reduce(decisive, axis=0)
        if self.guard:
            high |= (np.maximum.reduce(ground.open_threats, axis=0) > 8).view(np.uint8)
        use, first = _by_kind(_USE, view.cards), view.initiative.astype(np.uint8)[:, None]
        card -= use
        card += (use + np.uint8(6) * first) * high
        card[view.riflemen] -= _NO * decisive
        score.ties_are_alike()

    # -- targets ------------------------------------------------------------------------------------------
    def step(self, view: TargetView, score: Score) -> None:
        """Riflemen towards their objective, Scouts towards what must be marked, others towards enemies."""
        ground = Ground(view)
        kind, here = ground.kinds[view.unit], view.small_here
        tile, stay = score.tile, score.stay
        scouts = view.doing("scout").view(np.uint8)
        rifles = (kind == RIFLEMAN).view(np.uint8) & (scouts ^ _ONE)
        for mask, name in ((rifles, "pull"), (scouts, "scouting"), ((rifles | scouts) ^ _ONE, "closeness")):
            if mask.any():
                worth = (getattr(ground, name) - np.uint8(FLOOR)) * mask
                tile += worth
                stay += at(worth, here)
        if scouts.any():
            tile -= (np.uint8(2) * scouts) * (view.small_marked ^ _ONE)  # Fog of War for nothing
            tile += (np.uint8(10) * scouts) * ground.needed
        if self.guard:
            way = ground.open_threats
            tile += way + np.uint8(24) * (way > 0)
            stay += np.uint8(30) * at(ground.held_threats, here)

    def attack(self, view: TargetView, score: Score) -> None:
        """By what the enemy needs: see `Ground.prime`."""
        ground = Ground(view)
        defence = view.small_total_defence
        shut = (np.asarray(view.legal, np.uint8) ^ _ONE) << np.uint8(7)
        chosen = ground.prime(defence | shut)[1]
        unit = score.unit
        unit -= np.uint8(2) * (defence & np.uint8(63))
        for place, group in enumerate(ground.order):
            unit[group] += np.uint8(80) * (chosen == place).view(np.uint8)

    def guide(self, view: TargetView, score: Score) -> None:
        """A Rifleman that comes nearer to its objective."""
        unit = score.unit
        unit[view.riflemen] += np.uint8(30) * Ground(view).guided

    def target(self, view: TargetView, score: Score) -> None:
        """Where most enemies and fewest own counters stand."""
        tile = score.tile
        tile += np.uint8(6) * view.enemies_on.astype(np.uint8)
        tile -= np.uint8(7) * view.own_on.astype(np.uint8)

    def bolster(self, view: TargetView, score: Score) -> None:
        """Units that are short first, Riflemen before others, those of which the deck has fewest."""
        card, units, enough = score.card, len(view.units), score.enough
        card += _by_kind(_WANTED, view.cards)
        if self.guns:
            card += np.uint8(self.guns) * _by_kind(_GUNS, view.cards)
        card[:units] -= np.uint8(4) * np.minimum(view.small_in_play[:units], np.uint8(8))
        card[:units] += np.uint8(12) * Ground(view).short(self.extra)
        enough -= np.uint8(60)
        score.ties_are_alike()

    def inspire(self, view: TargetView, score: Score) -> None:
        """A Rifleman that can control, else the most useful card."""
        ground, card = Ground(view), score.card
        card += _by_kind(_USE, view.cards)
        card[view.riflemen] += np.uint8(40) * ground.takes
        score.ties_are_alike()


_JUDGES = {
    "control": Priorities._control,
    "move": Priorities._move,
    "scout": Priorities._scout,
    "stalk": Priorities._stalk,
    "attack": Priorities._attack,
    "suppress": Priorities._suppress,
    "blast": Priorities._blast,
    "target": Priorities._target,
    "bolster": Priorities._bolster,
    "command": Priorities._command,
    "recon": Priorities._recon,
    "conceal": Priorities._conceal,
    "guide": Priorities._guide,
    "inspire": Priorities._inspire,
}


@dataclass(frozen=True)
class Rush(Priorities):
    """Objectives first: paths and steps before all else, shots for want of anything better."""

    walk: int = _within("walk", 60)
    path: int = _within("path", 64)
    fire: int = _within("fire", 24)
    recruit: int = _within("recruit", 30)


@dataclass(frozen=True)
class Firepower(Priorities):
    """Attacks first: shoots wherever it can hit, walks when it cannot, and wants guns in its deck."""

    fire: int = _within("fire", 56)
    guns: int = _within("guns", 12)
    sure: int = _within("sure", 2)


@dataclass(frozen=True)
class Engine(Priorities):
    """The deck first: bolsters, removes its Fog of War and gives the enemy more, before it does the rest."""

    recruit: int = _within("recruit", 69)
    recon: int = _within("recon", 66)
    conceal: int = _within("conceal", 50)
    extra: int = _within("extra", 2)


@dataclass(frozen=True)
class Solo(Priorities):
    """The priorities of a published solo opponent, as they are."""


@dataclass(frozen=True)
class Block(Solo):
    """Solo that also stands in the enemy's way: on tiles the enemy is about to control."""

    guard: int = _within("guard", 66)
