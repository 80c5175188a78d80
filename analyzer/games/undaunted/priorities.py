"""The named policies of Undaunted: one list of priorities, each with its own weights."""

from __future__ import annotations

from dataclasses import dataclass
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
)
from analyzer.games.undaunted.policy_base import UndauntedPolicy
from analyzer.games.undaunted.view import BidView, PlayView, TargetView

U8 = NDArray[np.uint8]
_ONE = np.uint8(1)


@dataclass(frozen=True)
class Priorities(UndauntedPolicy):
    """The common play of the named policies; they differ in their parameters alone."""

    score_dtype: ClassVar[Any] = np.uint8
    steady: ClassVar[bool] = True
    noise: float = 2.0  # points

    def play(self, view: PlayView, score: Score) -> None:
        ground = Ground(view)
        for name in ("control", "move", "scout", "stalk", "attack", "suppress", "blast", "target"):
            if view.has(name):
                getattr(self, "_" + name)(view, ground, getattr(score, name), ground.kinds[view.cards_of(name)])
        self._cards(view, ground, score)
        rally = score.rally
        rally += np.uint8(30)
        rally[view.riflemen] += np.uint8(18)
        score.hunker -= np.uint8(90)
        score.stop -= np.uint8(50)

    def _control(self, view, ground, block, kinds):
        points = view.small_points_here[view.cards_of("control")]
        useful = (points > 0).view(np.uint8)
        if view.goal is None:
            useful &= at(view.enemy_controlled.view(np.uint8), ground.tile[view.cards_of("control")])
        block -= np.uint8(80)
        block += useful * (np.uint8(155) + np.uint8(3) * np.minimum(points, np.uint8(6)))

    def _move(self, view, ground, block, kinds):
        cards = view.cards_of("move")
        block -= np.uint8(70)
        rifles = kinds == RIFLEMAN
        if rifles.any():
            which = rifles.nonzero()[0]
            block[which] += np.uint8(110) * at(ground.onward, ground.tile[cards[which]])
        which = (kinds == GUNNER).nonzero()[0]
        if which.size:
            far = (ground.aims[0][cards[which]] >= 10).view(np.uint8)
            block[which] += np.uint8(96) * (at(ground.closer, ground.tile[cards[which]]) & far)

    def _scout(self, view, ground, block, kinds):
        near = at(ground.scouting, ground.tile[view.cards_of("scout")])
        block -= np.uint8(70)
        block += np.uint8(116) * (near >= FLOOR + PRIZE - 9).view(np.uint8)

    def _stalk(self, view, ground, block, kinds):
        far = (ground.aims[0][view.cards_of("stalk")] >= 10).view(np.uint8)
        block -= np.uint8(70)
        block += np.uint8(98) * far

    def _attack(self, view, ground, block, kinds):
        aims = ground.aims[0][view.cards_of("attack")]
        for row, kind, card, aim in zip(block, kinds, view.cards_of("attack"), aims, strict=True):
            good, high, low = _FIRE.get(int(kind), (9, 16, 16))
            row += np.uint8(low)
            row += np.uint8(high - low) * (aim <= good).view(np.uint8)
            row -= aim & np.uint8(15)

    def _suppress(self, view, ground, block, kinds):
        aims = ground.aims[1][view.cards_of("suppress")]
        block += np.uint8(24) + np.uint8(19) * (aims <= 9).view(np.uint8)
        block -= aims & np.uint8(15)

    def _blast(self, view, ground, block, kinds):
        enemies, own = self._on_target(view, ground)
        block -= np.uint8(70)
        block += np.uint8(110) * (enemies > own).view(np.uint8)

    def _target(self, view, ground, block, kinds):
        enemies, own = self._on_target(view, ground)
        block -= np.uint8(70)
        block += np.uint8(94) * (enemies <= own).view(np.uint8)

    def _on_target(self, view, ground):
        target = view.target_tile
        lies = (target >= 0).view(np.uint8)
        tile = (target * lies).astype(np.uint8)
        return (at(view.enemies_on.astype(np.uint8), tile) * lies, at(view.own_on.astype(np.uint8), tile) * lies)

    def _cards(self, view, ground, score):
        short = np.maximum.reduce(ground.short, axis=0)
        if view.has("bolster"):
            block, kinds = score.bolster, ground.kinds[view.cards_of("bolster")]
            for row, kind in zip(block, kinds, strict=True):
                row += np.uint8(10)
                if kind == SERGEANT:
                    row += np.uint8(52) * short
        for name, worth in (("command", 60), ("recon", 44), ("conceal", 18)):
            if view.has(name):
                block = getattr(score, name)
                block += np.uint8(worth)
        takes = ground.takes
        if view.has("guide"):
            onward = at(ground.onward, ground.tile[view.riflemen])
            onward &= takes ^ _ONE
            onward *= (view._mine[view._own.away] | view._mine[view._own.down])[view.riflemen] == 0
            guide = score.guide
            guide -= np.uint8(70)
            guide += np.uint8(113) * np.maximum.reduce(onward, axis=0)
        if view.has("inspire"):
            for row, card in zip(score.inspire, view.cards_of("inspire"), strict=True):
                squad = view.squad(int(card))
                mine = np.isin(view.riflemen, squad)
                row += np.uint8(5)
                if mine.any():
                    again = takes[mine] * (view.small_played[view.riflemen[mine]] > 0)
                    row += np.uint8(52) * np.maximum.reduce(again, axis=0)

    def bid(self, view: BidView, score: Score) -> None:
        ground = Ground(view)
        card = score.card
        decisive = ground.takes * (view.small_hand[view.riflemen] > 0)
        high = np.maximum.reduce(decisive, axis=0)
        for row, kind, initiative in zip(card, ground.kinds, view.initiative, strict=True):
            row -= np.uint8(_USE[int(kind)])
            row += np.uint8(_USE[int(kind)] + 6 * int(initiative)) * high
        card[view.riflemen] -= np.uint8(70) * decisive

    def step(self, view: TargetView, score: Score) -> None:
        ground = Ground(view)
        kind = ground.kinds[view.unit]
        tile, stay, here = score.tile, score.stay, view.small_here
        scouts = view.doing("scout").view(np.uint8)
        rifles = (kind == RIFLEMAN).view(np.uint8) & (scouts ^ _ONE)
        others = (rifles | scouts) ^ _ONE
        floor = np.uint8(FLOOR)
        for mask, field in ((rifles, "pull"), (others, "closeness"), (scouts, "scouting")):
            if mask.any():
                worth = (getattr(ground, field) - floor) * mask
                tile += worth
                stay += at(worth, here)
        if scouts.any():
            unmarked = (view.small_marked ^ _ONE) * scouts
            tile -= np.uint8(2) * unmarked
            tile += np.uint8(10) * (ground.needed * scouts)

    def attack(self, view: TargetView, score: Score) -> None:
        ground = Ground(view)
        defence = view.small_total_defence
        chosen = ground.prime(defence | (np.asarray(view.legal, np.uint8) ^ _ONE) << np.uint8(7))[1]
        unit = score.unit
        unit -= np.uint8(2) * (defence & np.uint8(31))
        for place, group in enumerate(ground.order):
            unit[group] += np.uint8(80) * (chosen == place).view(np.uint8)

    def guide(self, view: TargetView, score: Score) -> None:
        ground = Ground(view)
        unit = score.unit
        onward = at(ground.onward, ground.tile[view.riflemen])
        unit[view.riflemen] += np.uint8(30) * (onward & (ground.takes ^ _ONE))

    def target(self, view: TargetView, score: Score) -> None:
        tile = score.tile
        tile += np.uint8(6) * view.enemies_on.astype(np.uint8)
        tile -= np.uint8(8) * view.own_on.astype(np.uint8)

    def bolster(self, view: TargetView, score: Score) -> None:
        ground = Ground(view)
        card = score.card
        for row, kind in zip(card, ground.kinds, strict=True):
            row += np.uint8(_RECRUITS[int(kind)])
        units = len(view.units)
        card[:units] -= np.uint8(4) * view.small_in_play[:units]
        card[:units] += np.uint8(12) * ground.short
        score.enough -= np.uint8(60)

    def inspire(self, view: TargetView, score: Score) -> None:
        ground = Ground(view)
        card = score.card
        for row, kind in zip(card, ground.kinds, strict=True):
            row += np.uint8(_USE[int(kind)])
        card[view.riflemen] += np.uint8(40) * ground.takes


_FIRE = {RIFLEMAN: (9, 32, 20), SCOUT: (6, 38, 16), GUNNER: (7, 46, 18), SNIPER: (9, 50, 20)}
_USE = {FOG: 0, LEADER: 14, GUIDE: 12, SERGEANT: 30, RIFLEMAN: 26, SCOUT: 20, SNIPER: 24, GUNNER: 24, MORTAR: 16}
_RECRUITS = {FOG: 0, LEADER: 14, GUIDE: 8, SERGEANT: 10, RIFLEMAN: 40, SCOUT: 28, SNIPER: 30, GUNNER: 32, MORTAR: 20}


@dataclass(frozen=True)
class Solo(Priorities):
    """The priorities of a published solo opponent."""
