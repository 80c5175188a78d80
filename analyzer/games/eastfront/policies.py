"""The policies of Eastfront 1944: one small class a heuristic, its parameters as fields.

Their scores are small whole numbers (uint8, -127 to 127 around 128) for speed; a policy of your own leaves
`score_dtype` at float32 and uses any finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Policy, Score
from analyzer.games.eastfront.view import EastfrontView

When = Literal["never", "idle", "threat", "always"]
Whom = Literal["leader", "strongest", "next", "anyone"]
Amounts = NDArray[np.uint8]

_ONE = np.array(1, np.uint8)  # quicker than a scalar on few rows
_SPARE_HINDER, _KEPT_SUPPORT = np.uint8(40), np.uint8(20)  # of discards


@dataclass(frozen=True)
class EastfrontPolicy(Policy):
    """Base of all Eastfront policies, with a sensible default for every decision but the action of the turn.

    `deploy` is asked once, before the first draw; `act`, `attack`, `support`, `go_on` and `discard` in the
    own turn, `target` and `name` for a card that hinders; `shoot`, `cover` and `pillbox` in others' turns.
    """

    def deploy(self, view: EastfrontView, score: Score) -> Amounts:
        """The opening deployment, uint8[german, game]. Default: every German card in hand."""
        return view.legal

    def act(self, view: EastfrontView, score: Score) -> Array | None:
        """The action of the turn. Blocks: reinforce [german, game], hinder [card, game], nothing [game]."""
        raise NotImplementedError("a policy of Eastfront needs at least the method act(view, score)")

    def target(self, view: EastfrontView, score: Score) -> Array | None:
        """Whom the card is for. Block: player [other player clockwise, game]. Default: who is ahead."""
        score.player += view.leads
        return None

    def name(self, view: EastfrontView, score: Score) -> Array | None:
        """Which German card of the target. Block: german [german, game]. Default: the best it can hurt."""
        return view.best_named

    def cover(self, view: EastfrontView, score: Score) -> Array | None:
        """Cancel a card just played on oneself? Blocks: keep, play [game]. Default: if it hurts."""
        return view.hurts.view(np.uint8)

    def attack(self, view: EastfrontView, score: Score) -> Array | None:
        """Attack, and which stack. Blocks: stack [stack, game], stop [game]. Default: at even odds."""
        score.stack += view.small_odds
        score.stop += 50
        return None

    def support(self, view: EastfrontView, score: Score) -> Array | None:
        """Support cards, one by one. Blocks: play [support, game], stop [game].

        Default: one that turns a lost exchange into a win, or saves a card of 3 fire or more.
        """
        _support(view, score, 3)
        return None

    def pillbox(self, view: EastfrontView, score: Score) -> Array | None:
        """Strengthen the Soviet card another player attacks? Blocks: keep, play [game].

        Default: if the attack then fails that would have won.
        """
        return (view.wins > view.wins_against_pillbox).view(np.uint8)

    def shoot(self, view: EastfrontView, score: Score) -> Array | None:
        """Which card of the attacker the Soviets fire at (as its left neighbour).

        Block: german [german, game].

        Default: the best that can be destroyed.
        """
        return view.victim

    def go_on(self, view: EastfrontView, score: Score) -> Array | None:
        """Go on after a card was destroyed, and where. Blocks: stack [stack, game], stop [game].

        Default: at even odds.
        """
        score.stack += view.small_odds
        score.stop += 50
        return None

    def discard(self, view: EastfrontView, score: Score) -> Array | None:
        """What to give up first at the hand limit. Blocks by card: german, support, hinder, cover, pillbox.

        Default: cards that hinder, reactions, then the weakest German cards; support last.
        """
        german, hinder, support = score.german, score.hinder, score.support
        german -= view.worth
        hinder += _SPARE_HINDER
        hinder -= view.hinder_worth
        score.cover += 4
        score.pillbox += 10
        support -= _KEPT_SUPPORT
        support -= view.support_worth
        return None


def _support(view: EastfrontView, score: Score, thrift: int) -> None:
    """Play what turns a loss into a win (3); else what saves a card of `thrift` fire (2); else stop (1)."""
    rescue = (view.wins_with > view.wins).view(np.uint8)
    value = (view.saves_with & (view.small_lost >= thrift)).view(np.uint8)
    value |= rescue
    value += value
    value += rescue
    play, stop = score.play, score.stop
    play += value
    stop += _ONE


@dataclass(frozen=True)
class Random(EastfrontPolicy):
    """Any legal play with equal chances at each decision (ruling 11)."""

    score_dtype: ClassVar[Any] = np.uint8

    def deploy(self, view: EastfrontView, score: Score) -> Amounts:
        """Card by card: a type that is left, or stop."""
        return view.random_deployment()

    def act(self, view: EastfrontView, score: Score) -> Array:
        """Uniform over (card, target, named card) as one choice."""
        return _weighted(view, view.ways())

    def target(self, view: EastfrontView, score: Score) -> Array:
        """Each player as often as cards may be named there."""
        return _weighted(view, view.ways_by_target())

    def name(self, view: EastfrontView, score: Score) -> None:
        """Uniform: all scores are equal, as for all that follow."""

    def cover(self, view: EastfrontView, score: Score) -> None:
        """One half."""

    def attack(self, view: EastfrontView, score: Score) -> None:
        """Uniform over stacks and none."""

    def support(self, view: EastfrontView, score: Score) -> None:
        """Uniform over the cards held and stop."""

    def pillbox(self, view: EastfrontView, score: Score) -> None:
        """One half."""

    def shoot(self, view: EastfrontView, score: Score) -> None:
        """Uniform over the attacker's kinds of cards."""

    def go_on(self, view: EastfrontView, score: Score) -> None:
        """Uniform over stacks and stop."""

    def discard(self, view: EastfrontView, score: Score) -> None:
        """Card by card, uniform over the kinds held."""


def _weighted(view: EastfrontView, weight: Array) -> NDArray[np.intp]:
    """A code of every game, drawn with these whole weights."""
    upto = np.add.accumulate(weight, axis=0, dtype=np.intp)
    return np.add.reduce(upto <= view.draw(upto[-1]), axis=0, dtype=np.intp)


@dataclass(frozen=True)
class Heuristic(EastfrontPolicy):
    """The common play of the named policies; they differ in their parameters alone.

    The scores of an action are steps on one ladder: hindering one who is a threat above putting down the best
    German card, that above hindering without need, that above nothing.
    """

    score_dtype: ClassVar[Any] = np.uint8
    courage: float = 0.6  # least chance to destroy the first card at which it attacks
    onward: float = 0.6  # least chance to destroy the next card at which it goes on
    muster: int = 0  # fire it gathers on the table before it attacks a face-down stack
    hinder: When = "threat"  # never; idle: when nothing else to do; threat: one is ahead; always
    whom: Whom = "leader"  # whom it hinders: who leads, the strongest table, the next player, anyone
    finish: int = 5  # how much a stack gains for every card already gone (in percent)
    patience: float = 0.0  # how much better the chance must be on a stack nobody has begun, early on
    thrift: int = 3  # fire of a card that is worth a support card to save

    def act(self, view: EastfrontView, score: Score) -> None:
        """Hinder if there is reason; else put down the best German card."""
        reinforce, hinder, nothing = score.reinforce, score.hinder, score.nothing
        nothing += _ONE
        reinforce += view.worth
        reinforce += _REINFORCE
        if self.hinder != "never":
            will = self._will_to_hinder(view)
            hinder += will
            hinder += view.hinder_worth * (will > 0)
        if not self.noise:
            score.ties_are_alike()  # there are none: each kind of card has ranks and a step of its own

    def _will_to_hinder(self, view: EastfrontView) -> Amounts:
        """uint8[game]: what a card that hinders is worth now."""
        if self.hinder == "always":
            return np.full(view.games, _HINDER, np.uint8)
        weak = (view.best_odds < _percent(self.courage)).view(np.uint8)
        if self.hinder == "idle":
            return _IDLE * weak
        return _IDLE * weak + (_HINDER - _IDLE) * (weak & view.rival_ahead.view(np.uint8))

    def target(self, view: EastfrontView, score: Score) -> None:
        """Whom to hinder."""
        if self.whom == "leader":
            score.player += view.leads
        elif self.whom == "strongest":
            score.player += view.force_ranks
        elif self.whom == "next":
            score.player[0] += _ONE

    def attack(self, view: EastfrontView, score: Score) -> None:
        """The stack with the best chance, if it is good enough."""
        self._score_stacks(view, score, self.courage, self.muster)

    def go_on(self, view: EastfrontView, score: Score) -> None:
        """The same with what is left."""
        self._score_stacks(view, score, self.onward, 0)

    def _score_stacks(self, view: EastfrontView, score: Score, courage: float, muster: int) -> None:
        """Stacks that are good enough, by chance and by what is gone of them; equal ones are alike."""
        odds, left = view.small_odds, view.small_left
        good = odds >= _percent(courage)
        if muster:
            good &= (view.small_force >= np.uint8(muster)) | (odds == np.uint8(100))
        if self.patience:
            # It fades over the last own turns, so that waiting never becomes the whole game.
            left_over = min(1.0, view.own_turns_left / _LAST_TURNS)
            patient = odds >= _percent(courage + self.patience * left_over)
            patient |= view.begun
            good &= patient
        value = np.uint8(view.stack_height) - left
        value *= np.uint8(min(self.finish, _MOST_FINISH // max(1, view.stack_height - 1)))
        value += odds
        value *= good.view(np.uint8)
        stack, stop = score.stack, score.stop
        stack += value
        stop += _ONE
        score.ties_are_alike()

    def support(self, view: EastfrontView, score: Score) -> None:
        """Win the exchange, or save a good card."""
        _support(view, score, self.thrift)


@lru_cache(maxsize=256)
def _percent(chance: float) -> NDArray[np.uint8]:
    """uint8[]: a threshold in percent, at least 2: a stack without a chance is never attacked."""
    return np.array(min(max(2, int(np.ceil(chance * 100 - 1e-9))), 101), np.uint8)


_LAST_TURNS = 10
_MOST_FINISH = 27  # with a chance of 100 the scores stay within uint8
# The ladder of scores (uint8 around 128). Ranks within a kind of card are at most 16.
_REINFORCE, _HINDER, _IDLE = np.uint8(25), np.uint8(60), np.uint8(5)


@dataclass(frozen=True)
class Builder(Heuristic):
    """Gathers force before it attacks, and hinders only when it has nothing to put down."""

    courage: float = 0.75
    muster: int = 15
    hinder: When = "idle"


@dataclass(frozen=True)
class Raider(Heuristic):
    """Attacks and goes on whenever the odds are fair; never hinders."""

    courage: float = 0.45
    onward: float = 0.4
    hinder: When = "never"


@dataclass(frozen=True)
class Saboteur(Heuristic):
    """Hinders the leader before anything else."""

    hinder: When = "always"


@dataclass(frozen=True)
class Balanced(Heuristic):
    """Builds up, attacks at good odds, and hinders who is ahead when it cannot attack well itself."""

    patience: float = 0.3


@dataclass(frozen=True)
class Vulture(Heuristic):
    """Waits for stacks that others have begun and takes them over at poor odds; opens one only if sure."""

    courage: float = 0.4
    onward: float = 0.4
    hinder: When = "idle"
    finish: int = 9
    patience: float = 0.5


POLICIES: dict[str, type[EastfrontPolicy]] = {
    "random": Random,
    "builder": Builder,
    "raider": Raider,
    "saboteur": Saboteur,
    "balanced": Balanced,
    "vulture": Vulture,
}
