"""The policies of Moscow: one small class a heuristic, its parameters as fields.

Scores are whole numbers (int16, between -16000 and 16000) for speed; a policy of your own may leave
`score_dtype` at float32 and use any finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Policy, Score
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
        score.player[: view.players - 1] += view.rival_km.astype(score.values.dtype)
        return None

    def commit(self, view: MoscowView, score: Score) -> Amounts:
        """The cards of a fight, uint8[fighting type, game]. Default: all at Moscow; else the weakest
        divisions that are sure to win, or all of them if none is."""
        sure = view.defence - view.modifier - 1
        return view.muster(np.where(view.at_moscow, np.int16(30000), sure))

    def reorganise(self, view: MoscowView, score: Score) -> Array | None:
        """Play a reorganise card? Blocks: play, keep [game]. Default: yes."""
        score.play += 1
        return None

    def exploit(self, view: MoscowView, score: Score) -> Array | None:
        """The extra advance card of a double victory. Blocks: advance [card, game], none [game].
        Default: the longest, until one has arrived."""
        score.advance += view.km_of_card.astype(score.values.dtype)
        score.none += view.arrived * 10000
        return None

    def discard(self, view: MoscowView, score: Score) -> Array | None:
        """What to give up first at the hand limit. Blocks by card: advance, army, general, river, order,
        division, luftwaffe, german_general, reorganise. Default: what fights least."""
        score.advance += 2 + 8 * view.arrived
        score.order += 6
        score.army += 4
        score.general += 5
        score.river += 7
        score.division -= np.arange(len(score.division))[:, None].astype(score.values.dtype)
        return None


@dataclass(frozen=True)
class Random(MoscowPolicy):
    """Any legal play with equal chances (ruling 11): over kind, card value and target together."""

    score_dtype: ClassVar[Any] = np.int16

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
    """The common play of the named policies; they differ in their parameters alone."""

    score_dtype: ClassVar[Any] = np.int16
    courage: float = 0.6  # least chance at which it fights a Red Army or attacks Moscow
    hinder: Hinder = "threat"  # when it hinders others: never, when stuck, when one threatens to win, always
    whom: Whom = "leader"  # whom it hinders: the leader, the next player clockwise, anyone
    save: int = 0  # attack it keeps for Moscow before it spends cards on a Red Army before itself
    spoil: bool = False  # does it strengthen Moscow when another has arrived and it has not?
    hinder_first: bool = False  # hinder before driving on?

    def act(self, view: MoscowView, score: Score) -> None:
        """Take Moscow; clear the road; drive; hinder; else wait."""
        # Faces of the die that win = sides + 1 + attack - Red total: at least `least` of them.
        reach = view.strength + view.modifier
        reach += np.int16(view.die_sides + 1 - self._least_faces(view))
        arrived = view.arrived
        red = view.red_total
        fights = reach >= red
        if self.save:
            fights &= view.strength >= red + np.int16(self.save)
        score.attack += np.int16(8000) * (reach >= view.moscow_total)
        score.fight += np.int16(4000) * fights
        values = score.values
        values -= np.int16(1)
        score.nothing += np.int16(1)
        # Once arrived a card is worth more in the hand than on the road.
        score.advance += np.int16(2000) - np.int16(4000) * arrived
        score.advance += view.advance_steps
        if self.hinder != "never":
            self._score_hindering(view, score)
        if self.spoil:
            spoil = np.int16(1500) * (view.rival_ahead & ~arrived)
            score.moscow_army += spoil
            score.moscow_general += spoil

    def _least_faces(self, view: MoscowView) -> int:
        return max(1, int(np.ceil(self.courage * view.die_sides - 1e-9)))

    def _score_hindering(self, view: MoscowView, score: Score) -> None:
        value = self._hinder_value(view)
        score.army += value
        score.army += view.army_ranks
        score.general += value + np.int16(20)
        score.river += value * view.rivers_flow
        score.order += value + np.int16(10)

    def _hinder_value(self, view: MoscowView) -> Array:
        """int16[game]: what hindering is worth: above driving when one threatens to win."""
        base = np.int16(3000 if self.hinder_first else 1000)
        if self.hinder == "always":
            return np.full(view.hand_size.shape, base, np.int16)
        if self.hinder == "stuck":
            return base * view.stuck
        return base * view.rival_free_ahead + np.int16(2500) * view.rival_threatens

    def target(self, view: MoscowView, score: Score) -> None:
        """Whom to hinder. An army before oneself is never wanted."""
        others = view.players - 1
        if self.whom == "leader":
            score.player[:others] += view.rival_steps
        elif self.whom == "next":
            score.player[0] += np.int16(1)
        score.player[others:] -= 1

    def discard(self, view: MoscowView, score: Score) -> None:
        """Keep fighting cards for Moscow, and while on the road the cards that drive."""
        arrived = view.arrived
        score.advance += np.int16(40) * arrived + view.advance_ranks
        score.army += np.int16(20)
        score.general += np.int16(22)
        score.river += np.int16(30)
        score.order += np.int16(24)
        score.division += view.division_ranks
        score.luftwaffe += np.int16(4)
        score.reorganise += np.int16(6)


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
