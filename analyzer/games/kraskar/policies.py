"""The policies of Kraskar: one small class a heuristic, its parameters as fields.

Their scores are small whole numbers (uint8, around 128) for speed; a policy of your own leaves `score_dtype`
at float32 and uses any finite numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Policy, Score
from analyzer.games.kraskar.tables import BACK, EAST, FORWARD, WEST
from analyzer.games.kraskar.view import ActView, DeployView

U8 = NDArray[np.uint8]


@dataclass(frozen=True)
class KraskarPolicy(Policy):
    """Base of all Kraskar policies. `act` scores the actions of the main phase, again after each of them,
    until pass is the best; `deploy` scores the columns for a unit that returns."""

    def act(self, view: ActView, score: Score) -> Array | None:
        """The next action of the main phase. Blocks: move and melee [direction, unit, game] (directions
        forward, back, west, east), charge [direction, cavalry, game], shoot [archer, enemy, game], thrust
        [spearman, enemy, game], boost [carrier, game] (boosts and rallies), weaken [carrier, enemy, game],
        strike [carrier, enemy, game] (the first enemy unit of the square), pass_ [game]."""
        raise NotImplementedError("a policy of Kraskar needs at least the method act(view, score)")

    def deploy(self, view: DeployView, score: Score) -> Array | None:
        """Where a unit returns. Block: column [column, game]. Default: before an enemy at the wall, else
        where fewest enemies stand."""
        score.column += 4 * view.enemies_at_the_wall
        score.column -= view.enemies_in_column
        return None


@dataclass(frozen=True)
class Random(KraskarPolicy):
    """Any legal action with equal chances, pass among them."""

    score_dtype: ClassVar[Any] = np.uint8

    def act(self, view: ActView, score: Score) -> None:
        """Uniform: all scores are equal."""

    def deploy(self, view: DeployView, score: Score) -> None:
        """Uniform."""


@dataclass(frozen=True)
class Heuristic(KraskarPolicy):
    """The common play of the named policies; they differ in their parameters alone.

    With noise 0 they play alike in equal positions. Scores are steps on one ladder, pass at 0: a stratagem
    that helps an attack above the attacks that cost nothing, these above melee and siege (which of the two
    is a parameter), these above walking on.
    """

    score_dtype: ClassVar[Any] = np.uint8
    steady: ClassVar[bool] = True
    noise: float = 2.0  # points; one step of the ladder is 10 to 20
    siege: int = 40  # points for a siege, and 4 more for each life it takes
    melee: int = 45  # points for a melee blow, and 1 more for each hit point taken, 8 for a kill
    advance: int = 12  # points for a step towards the enemy castle
    hold: int = 0  # rows it does not leave while it has no more units on the field than the enemy (0: none)
    hunt: int = 0  # points for a step towards the nearest enemy
    guard: int = 20  # points for a step towards the enemy's foremost unit, once it is in the own half
    distance: bool = False  # archers with an enemy in range stand still, and step back from one beside them
    caution: bool = True  # no last step that ends beside an enemy
    save: int = 0  # chips it keeps when it uses a stratagem
    press: float = 1.0  # share of the turn limit after which it presses on (1: never)

    def act(self, view: ActView, score: Score) -> None:
        """Attack where it costs nothing, then melee and siege, then walk on; pass when nothing is left."""
        self._score_attacks(view, score)
        self._score_charges(view, score)
        self._score_moves(view, score)
        self._score_stratagems(view, score)

    def _score_attacks(self, view: ActView, score: Score) -> None:
        """Melee, shots and thrusts, by what they do."""
        melee = score.melee
        melee += np.uint8(self.melee)
        melee += view.small_melee_gain
        if len(view.archers):
            shoot = score.shoot
            shoot += _FREE
            shoot += view.small_snipe_gain
        if len(view.spearmen):
            thrust = score.thrust
            thrust += _FREE
            thrust += view.small_gain[view.spearmen]

    def _score_charges(self, view: ActView, score: Score) -> None:
        """A charge that hits, one that ends in a siege, one that only runs; never into ready spearmen."""
        if not len(view.cavalry):
            return
        gain, bad, siege = view.small_charges
        charge = score.charge
        charge += (_FREE + gain) * (gain > 0).view(np.uint8)
        charge -= _NEVER * bad
        ahead = charge[FORWARD]
        ahead += np.uint8(self.siege + 10) * siege
        if self.hold == 0:
            ahead += np.uint8(self.advance) * (gain[FORWARD] == 0).view(np.uint8)
        for direction in (BACK, WEST, EAST):
            other = charge[direction]
            other -= _RATHER_NOT * (gain[direction] == 0).view(np.uint8)

    def _score_moves(self, view: ActView, score: Score) -> None:
        """Siege; forward; aside where the way ahead is barred and the one beside is free."""
        move = score.move
        forward, wall = move[FORWARD], view.small_at_the_wall
        beyond = view.small_beyond
        forward += np.uint8(self.advance)
        forward += wall * view.small_siege_score(self.siege - self.advance)
        if self.caution:
            last = (view.small_points == 1).view(np.uint8)
            forward -= _NO_CONTACT * (last & beyond[0])
        barred = view.small_beside[FORWARD]
        for place, direction in ((1, WEST), (2, EAST)):
            aside = move[direction]
            aside -= _RATHER_NOT
            aside += (_RATHER_NOT + np.uint8(max(self.advance - 2, 1))) * (barred & (beyond[place] ^ _ONE))
        back = move[BACK]
        back -= _RATHER_NOT
        if self.hold:
            stay = (view.small_row >= self.hold - 1).view(np.uint8) * view.small_not_more
            forward -= np.uint8(self.advance + 10) * (stay & (wall ^ _ONE))
        if self.distance and len(view.archers):
            archers = view.archers
            in_range = np.bitwise_or.reduce(view.small_in_range, axis=1)
            forward[archers] -= np.uint8(self.advance + 5) * (in_range & (wall[archers] ^ _ONE))
            back[archers] += (_RATHER_NOT + np.uint8(6)) * barred[archers]
        if self.hunt:
            self._score_steps(move, self.hunt, view.small_towards_nearest)
        self._score_pressing(view, forward)
        if self.guard:
            self._score_guard(view, move)

    def _score_pressing(self, view: ActView, forward: U8) -> None:
        """Towards the limit of turns a siege is worth more than a blow that kills nobody."""
        if self._may_press(view):
            forward += _PRESS * (view.small_at_the_wall & self._presses(view))

    def _score_guard(self, view: ActView, move: U8) -> None:
        """Steps towards the enemy's foremost unit; who presses turns back no more."""
        towards = view.small_towards_foremost
        if self._may_press(view):
            towards = towards * (self._presses(view) ^ _ONE)
        self._score_steps(move, self.guard, towards)

    def _may_press(self, view: ActView) -> bool:
        """Can any game be far enough? (In its turn `view.turn` of the block, from 0, none is farther on.)"""
        return view.turn + 1 > self.press * view.rules.turn_limit

    def _presses(self, view: ActView) -> U8:
        """uint8[game]: 1 where the game is far enough."""
        return (view.small_length > self.press * view.rules.turn_limit).view(np.uint8)

    @staticmethod
    def _score_steps(move: U8, points: int, towards: U8) -> None:
        """Steps towards an enemy, into any direction."""
        move += np.uint8(points) * towards
        for direction in (BACK, WEST, EAST):
            other = move[direction]
            other += _RATHER_NOT * towards[direction]

    def _score_stratagems(self, view: ActView, score: Score) -> None:
        """A boost where the unit can strike, a rally where two can; the strongest enemy beside an own unit is
        weakened; a strike where it takes enough."""
        for block in ("boost", "weaken", "strike"):
            if view.carriers(block):
                part = getattr(score, block)
                for carrier, points in enumerate(view.small_use(block, self.save)):
                    part[carrier] += points

    def deploy(self, view: DeployView, score: Score) -> None:
        """Before an enemy at the wall; else where fewest enemies stand."""
        column = score.column
        column += np.uint8(8) * view.enemies_at_the_wall.astype(np.uint8)
        column -= np.uint8(2) * view.enemies_in_column.astype(np.uint8)


# The ladder (uint8 around 128, pass at 128). Gains of one blow are at most 60.
_ONE = np.uint8(1)
_FREE, _NEVER, _RATHER_NOT, _NO_CONTACT = np.uint8(45), np.uint8(60), np.uint8(30), np.uint8(30)
_PRESS = np.uint8(20)


@dataclass(frozen=True)
class Siege(Heuristic):
    """Rushes: walks on and sieges before it fights (突撃 and 攻城 first)."""

    siege: int = 70
    melee: int = 8
    guard: int = 0
    caution: bool = False


@dataclass(frozen=True)
class Defender(Heuristic):
    """Holds its own two rows, strikes what comes near, and goes over to the attack when it has more units."""

    hold: int = 2


@dataclass(frozen=True)
class Hunter(Heuristic):
    """Kills first: goes for the nearest enemy and sieges when there is nobody to strike."""

    siege: int = 24
    hunt: int = 10
    guard: int = 0
    advance: int = 6


@dataclass(frozen=True)
class Skirmisher(Heuristic):
    """Its archers keep their distance and snipe; the others fight at their side."""

    distance: bool = True
    guard: int = 10


@dataclass(frozen=True)
class Balanced(Heuristic):
    """Strikes where it can, sieges where the wall is open, and turns back to guard its own castle; after a
    third of the turns a game may last it presses on: it sieges before it fights and guards no more."""

    press: float = 1 / 3


POLICIES: dict[str, type[KraskarPolicy]] = {
    "random": Random,
    "siege": Siege,
    "defender": Defender,
    "hunter": Hunter,
    "skirmisher": Skirmisher,
    "balanced": Balanced,
}
