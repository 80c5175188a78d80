"""The policies of Moscow: one small class a heuristic, its parameters as fields.

Their scores are small whole numbers (uint8, -127 to 127 around 128) for speed; a policy of your own leaves
`score_dtype` at float32 and uses any finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import ZERO_UINT8, Array, Policy, Score
from analyzer.games.moscow.view import MoscowView

Hinder = Literal["never", "stuck", "threat", "always"]
Whom = Literal["leader", "next", "anyone"]
Amounts = NDArray[np.uint8]


@dataclass(frozen=True)
class MoscowPolicy(Policy):
    """Base of all Moscow policies, with a sensible default for every decision but the action of the turn.

    `act` scores what to do this turn, `target` whom a card is for, `commit` gives the cards of a fight,
    `reorganise` and `exploit` follow a fight, `discard` scores what to give up (the highest goes first).
    """

    def act(self, view: MoscowView, score: Score) -> Array | None:
        """The action of the turn. Blocks: advance [card, game], army [card, game], general, river,
        order [order, game], moscow_army [card, game], moscow_general, fight, attack, nothing [game]."""
        raise NotImplementedError("a policy of Moscow needs at least the method act(view, score)")

    def target(self, view: MoscowView, score: Score) -> Array | None:
        """Whom the card is for. Block: player [other player clockwise, game]. Default: the leader."""
        score.player[: view.players - 1] += view.rival_ranks
        return None

    def commit(self, view: MoscowView, score: Score) -> Amounts:
        """The cards of a fight, uint8[fighting type, game]. Default: all at Moscow; else the weakest
        divisions that are sure to win, or all of them if none is."""
        sure = view.defence - view.modifier - 1
        return view.muster(np.where(view.at_moscow, 30000, sure))

    def reorganise(self, view: MoscowView, score: Score) -> Array | None:
        """Play a reorganise card? Blocks: play, keep [game]. Default: yes."""
        return np.ones(score.play.shape, np.uint8)  # an answer instead of scores: code 1 is "play"

    def exploit(self, view: MoscowView, score: Score) -> Array | None:
        """The extra advance card of a double victory. Blocks: advance [card, game], none [game].
        Default: the longest, until one has arrived."""
        score.advance += view.advance_ranks
        score.none += np.uint8(101) * view.arrived
        score.none -= np.uint8(1)
        return None

    def discard(self, view: MoscowView, score: Score) -> Array | None:
        """What to give up first at the hand limit. Blocks by card: advance, army, general, river, order,
        division, luftwaffe, german_general, reorganise. Default: what fights least."""
        score.advance += np.uint8(2) + np.uint8(8) * view.arrived
        score.order += 6
        score.army += 4
        score.general += 5
        score.river += 7
        score.division -= view.division_ranks
        return None


@dataclass(frozen=True)
class Random(MoscowPolicy):
    """Any legal play with equal chances (ruling 11): over kind, card value and target together."""

    score_dtype: ClassVar[Any] = np.uint8

    def act(self, view: MoscowView, score: Score) -> Array:
        """Uniform over distinct (kind, card value, target): a card on players counts once a target."""
        weight = view.target_counts()
        total = np.add.reduce(weight, axis=0, dtype=np.int16)
        pick = view.draw(total)
        return np.add.reduce(np.add.accumulate(weight, axis=0, dtype=np.int16) <= pick, axis=0, dtype=np.intp)

    def target(self, view: MoscowView, score: Score) -> None:
        """Uniform: all scores are equal."""

    def commit(self, view: MoscowView, score: Score) -> Amounts:
        """Uniform over distinct sets: some division, any Luftwaffe, no or one general."""
        return view.random_commitment()

    def reorganise(self, view: MoscowView, score: Score) -> None:
        """One half."""

    def exploit(self, view: MoscowView, score: Score) -> None:
        """Uniform over card values and none."""

    def discard(self, view: MoscowView, score: Score) -> Amounts:
        """A uniform sample of the cards in hand."""
        return view.random_cards()


@dataclass(frozen=True)
class Heuristic(MoscowPolicy):
    """The common play of the named policies; they differ in their parameters alone.

    The scores are steps on one ladder: an attack on Moscow above a fight, that above hindering one who
    threatens to win, that above driving, that above hindering one who is merely ahead, that above waiting.
    """

    score_dtype: ClassVar[Any] = np.uint8
    courage: float = 0.6  # least chance at which it fights a Red Army or attacks Moscow
    hinder: Hinder = "threat"  # when it hinders others: never, when stuck, when one gets ahead, always
    whom: Whom = "leader"  # whom it hinders: the leader, the next player clockwise, anyone
    save: int = 0  # attack it keeps for Moscow before it spends cards on a Red Army before itself
    spoil: bool = False  # does it strengthen Moscow when another is ahead and it is not there?
    hinder_first: bool = False  # hinder before driving on?

    def act(self, view: MoscowView, score: Score) -> None:
        """Take Moscow; clear the road; drive; hinder; else wait."""
        # Faces of the die that win = sides + 1 + attack - Red total: at least `least` of them.
        least = max(1, int(np.ceil(self.courage * view.die_sides - 1e-9)))
        reach = view.small_strength + view.small_modifier
        reach += np.int16(view.die_sides + 1 - least)
        red = view.small_red_total
        fights = (reach >= red).view(np.uint8)
        if self.save:
            fights &= view.small_strength >= red + np.int16(self.save)
        arrived = view.arrived.view(np.uint8)
        # A block is named once and changed in place, by a pass over its cards where there are several.
        nothing, attack, fight, advance = score.nothing, score.attack, score.fight, score.advance
        nothing += _ONE
        attack += _ATTACK * (reach >= view.small_moscow_total).view(np.uint8)
        fight += _FIGHT * fights
        # Once arrived a card is worth more in the hand than on the road.
        np.add(_NEUTRAL + _ADVANCE - _DOUBLE_ADVANCE * arrived, view.advance_ranks, out=advance)
        if self.hinder != "never":
            self._score_hindering(view, score)
        if self.spoil:
            spoil = _SPOIL * (view.rival_ahead & ~view.arrived).view(np.uint8)
            score.moscow_army += spoil
            score.moscow_general += spoil

    def _score_hindering(self, view: MoscowView, score: Score) -> None:
        wanted = self._wants_to_hinder(view)
        value = (_HINDER_FIRST if self.hinder_first else _HINDER) * wanted
        if self.hinder == "threat":
            value += _THREAT * (view.rival_threatens.view(np.uint8) & wanted)
        if self.hinder != "always":
            value -= _UNWANTED * (wanted ^ _ONE)
        base = value + _NEUTRAL
        army, order, general, river = score.army, score.order, score.general, score.river
        np.add(base, view.army_ranks, out=army)
        np.add(base, view.order_ranks + _ORDER, out=order)
        general += value + _GENERAL
        river += (value + _RIVER) * view.rivers_flow

    def _wants_to_hinder(self, view: MoscowView) -> Amounts:
        """uint8[game]: 1 where it hinders if it can."""
        if self.hinder == "always":
            return np.ones(view.games, np.uint8)
        wanted = view.stuck if self.hinder == "stuck" else view.rival_free_ahead
        return wanted.view(np.uint8)

    def target(self, view: MoscowView, score: Score) -> None:
        """Whom to hinder. An army before oneself is never wanted."""
        others = view.players - 1
        if self.whom == "leader":
            score.player[:others] += view.rival_ranks
        elif self.whom == "next":
            score.player[0] += _ONE
        score.player[others:] -= _ONE

    def discard(self, view: MoscowView, score: Score) -> None:
        """Keep fighting cards for Moscow, one German general, and on the road three cards that drive.

        No two cards ever score the same: which of two is given up is not left to chance.
        """
        score.river += np.uint8(40)
        order, army, advance = score.order, score.army, score.advance
        order += np.uint8(36) - view.order_ranks
        score.general += np.uint8(27)
        army += np.uint8(25) - np.uint8(2) * view.army_ranks
        many = (view.advances > _ENOUGH_ADVANCES).view(np.uint8)
        advance += _SPARE_ADVANCE * many + _NO_ROAD * view.arrived.view(np.uint8)
        advance -= np.uint8(2) + np.uint8(4) * view.advance_ranks
        score.reorganise += np.uint8(1)
        division, luftwaffe, generals = score.division, score.luftwaffe, score.german_general
        division -= np.uint8(4) * view.division_ranks
        luftwaffe -= np.uint8(5) + np.uint8(2) * view.luftwaffe_ranks
        generals += _SPARE_GENERAL * (view.generals > 1).view(np.uint8)
        generals -= _KEPT_GENERAL + view.general_ranks


# The ladder of scores (uint8 around 128). Ranks within a block are at most 8.
_NEUTRAL = ZERO_UINT8  # the score 0
_ONE = np.uint8(1)
_ATTACK, _FIGHT = np.uint8(110), np.uint8(90)
_THREAT, _HINDER_FIRST, _ADVANCE, _HINDER = np.uint8(30), np.uint8(40), np.uint8(25), np.uint8(8)
_DOUBLE_ADVANCE = np.uint8(2 * _ADVANCE)
_RIVER, _ORDER, _GENERAL, _SPOIL = np.uint8(6), np.uint8(9), np.uint8(13), np.uint8(20)
_UNWANTED = np.uint8(40)  # takes any card on players below waiting
# What is given up at the hand limit, around 128 too.
_ENOUGH_ADVANCES, _SPARE_ADVANCE, _NO_ROAD = 3, np.uint8(28), np.uint8(66)
_SPARE_GENERAL, _KEPT_GENERAL = np.uint8(99), np.uint8(40)  # a fight takes only one (M20)


@dataclass(frozen=True)
class Racer(Heuristic):
    """Drives first and never hinders anyone."""

    hinder: Hinder = "never"


@dataclass(frozen=True)
class Blocker(Heuristic):
    """Hinders the leader before anything else."""

    hinder: Hinder = "always"
    hinder_first: bool = True


@dataclass(frozen=True)
class Hoarder(Heuristic):
    """Saves a fighting hand for Moscow: spends little on the road and attacks when it is nearly sure."""

    courage: float = 0.8
    hinder: Hinder = "stuck"
    save: int = 6


@dataclass(frozen=True)
class Balanced(Heuristic):
    """Drives, clears its road at fair odds, and hinders whoever threatens to win."""


@dataclass(frozen=True)
class Spoiler(Heuristic):
    """When stuck, blocks: others' roads, and Moscow itself when another gets there first."""

    hinder: Hinder = "stuck"
    spoil: bool = True


POLICIES: dict[str, type[MoscowPolicy]] = {
    "random": Random,
    "racer": Racer,
    "blocker": Blocker,
    "hoarder": Hoarder,
    "balanced": Balanced,
    "spoiler": Spoiler,
}
