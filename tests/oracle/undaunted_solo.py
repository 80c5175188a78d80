"""The named policies of Undaunted for one game, in plain Python.

They are the twins of `analyzer.games.undaunted.priorities` and take nothing from it; all numbers are written
down again. `Solo.scores` gives the score of every legal answer, `Solo.best` the best of them. What they think
of the map is in `undaunted_ground`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from tests.oracle.undaunted import PASS, Choose, Oracle
from tests.oracle.undaunted_choosers import random_luck
from tests.oracle.undaunted_ground import FLOOR, KIND, PRIZE, Ground
from tests.oracle.undaunted_noise import Noise
from tests.oracle.undaunted_table import CODES, FOG, RIFLEMEN, UNITS, Outcome


class Weights(NamedTuple):
    """The parameters of a policy, in points."""

    walk: int = 40
    path: int = 46
    fire: int = 32
    recruit: int = 62
    draw: int = 60
    recon: int = 44
    conceal: int = 18
    extra: int = 0
    guns: int = 0
    sure: int = 0
    guard: int = 0


WEIGHTS = {
    "solo": Weights(),
    "block": Weights(guard=66),
    "rush": Weights(walk=60, path=64, fire=24, recruit=30),
    "firepower": Weights(fire=56, guns=12, sure=2),
    "engine": Weights(recruit=69, recon=66, conceal=50, extra=2),
}
NOISE = 2.0

STOP, NO, HUNKER, LOW, FAR = -40, -60, -80, 10, 10
GLADLY = {"rifleman": (9, 0), "scout": (6, 6), "gunner": (7, 14), "sniper": (9, 18)}
SUPPRESSES = 9
USE = {"fog": 0, "guide": 12, "leader": 14, "mortar": 16, "scout": 20, "gunner": 24, "sniper": 24}
USE |= {"rifleman": 26, "sergeant": 30}
WANTED = {"guide": 8, "sergeant": 10, "leader": 14, "mortar": 20, "scout": 28, "sniper": 30, "gunner": 32}
WANTED |= {"fog": 0, "rifleman": 40}
GUNS = ("gunner", "sniper", "mortar")
PRINTED = ("move", "guide", "scout", "stalk", "bolster", "command", "conceal", "control", "inspire", "recon")
PRINTED += ("target", "attack", "suppress", "blast")
ALIKE = ("play", "bid", "bolster", "inspire")  # of equally good answers the last one


class Solo:
    """One of the policies. `noise` None: without noise."""

    def __init__(self, weights: Weights | None = None, noise: Noise | None = None) -> None:
        self.weights, self.noise = weights or Weights(), noise
        self._places: dict[tuple[str, int], dict[Any, int]] = {}

    def scores(self, kind: str, seat: int, legal: Sequence[Any], oracle: Oracle) -> list[int]:
        """The score of every legal answer, without noise."""
        return _Decision(self.weights, Ground(oracle, seat)).rate(kind, legal)

    def best(self, kind: str, seat: int, legal: Sequence[Any], oracle: Oracle) -> list[Any]:
        """The best answers with the noise: all of them, or the last where their order means nothing."""
        return self.best_of(self.scores(kind, seat, legal, oracle), kind, seat, legal, oracle)

    def best_of(
        self, scores: Sequence[int], kind: str, seat: int, legal: Sequence[Any], oracle: Oracle
    ) -> list[Any]:
        """`best` with the scores given."""
        places = self.places(kind, seat, oracle)
        if self.noise is not None:
            noise, now = self.noise, oracle.round + 1
            pairs = zip(legal, scores, strict=True)
            scores = [score + noise.of(kind, seat, now, places[answer]) for answer, score in pairs]
        most = max(scores)
        found = [answer for answer, score in zip(legal, scores, strict=True) if score == most]
        return [max(found, key=places.__getitem__)] if kind in ALIKE else found

    def places(self, kind: str, seat: int, oracle: Oracle) -> dict[Any, int]:
        """Where each answer stands among all that a kind of decision may have in this game."""
        if (kind, seat) not in self._places:
            every = _answers(kind, seat, oracle)
            self._places[kind, seat] = {answer: place for place, answer in enumerate(every)}
        return self._places[kind, seat]


def _answers(kind: str, seat: int, oracle: Oracle) -> list[Any]:
    """All answers in order: cards and units by their codes, plays by action; stay, enough and stop last."""
    codes = [code for code in CODES if oracle.sides[seat].start[code] or code == FOG]
    units = [code for code in codes if code in UNITS]
    if kind == "play":
        printed = [(c, action) for action in PRINTED for c in codes if action in oracle.cards[c].actions]
        turned = [*((unit, "rally") for unit in units), *((code, "hunker") for code in codes if code != FOG)]
        return [*printed, *turned, PASS]
    if kind in ("step", "target"):
        return [*range(len(oracle.tiles)), None]
    if kind == "attack":
        return [unit for unit in UNITS if oracle.sides[1 - seat].start[unit]]
    return units if kind == "guide" else [*codes, None]


class _Decision:
    """One decision: the score of an answer by its kind, of a play by its action."""

    def __init__(self, weights: Weights, ground: Ground) -> None:
        self.weights, self.ground = weights, ground
        self.oracle, self.own = ground.oracle, ground.own

    def rate(self, kind: str, legal: Sequence[Any]) -> list[int]:
        score = getattr(self, f"_{kind}")
        return [score(answer) for answer in legal]

    # --- plays -------------------------------------------------------------------------------------------

    def _play(self, play: tuple[str, str | None]) -> int:
        card, action = play
        if action is None:
            return STOP
        if action == "hunker":
            return HUNKER
        if action == "rally":
            return 48 if card in RIFLEMEN else 30
        score: int = getattr(self, f"_play_{action}")(card)
        return score

    def _play_control(self, card: str) -> int:
        """A tile worth points; to pin the enemy only one that it controls."""
        tile = self.ground.where(card)
        points = self.oracle.points[tile]
        useful = self.own.goal is not None or self.ground.foe.markers[tile] == "controlled"
        return 68 + 3 * min(points, 6) if points and useful else NO

    def _play_move(self, card: str) -> int:
        """A Rifleman towards its objective, a Machine Gunner towards an enemy that is too far."""
        kept = self._kept(card, only_marked=True)
        if kept is not None:
            return kept
        ground, tile = self.ground, self.ground.where(card)
        if KIND[card] == "rifleman" and ground.onward(tile):
            return self.weights.walk
        if KIND[card] == "gunner" and ground.aim(card) >= FAR and ground.closer(tile):
            return 26
        return NO

    def _kept(self, card: str, only_marked: bool) -> int | None:
        """Points of a step onto a tile the enemy is about to control, or off it; None: it is neither."""
        ground = self.ground
        tile = ground.where(card)
        if not self.weights.guard:
            return None
        if self.own.counters[card] is not None and ground.holds(tile):
            return NO
        free = [near for near in ground.near[tile] if ground.marked[near] or not only_marked]
        threat = max((ground.open_threats[near] for near in free), default=0)
        return self.weights.guard + threat if threat else None

    def _play_scout(self, card: str) -> int:
        """Within three steps of a tile that must be marked."""
        kept = self._kept(card, only_marked=False)
        if kept is not None:
            return kept
        near = self.ground.scouting[self.ground.where(card)]
        return self.weights.path if near >= FLOOR + PRIZE - 9 else NO

    def _play_stalk(self, card: str) -> int:
        """Closer where every target is too far."""
        kept = self._kept(card, only_marked=False)
        if kept is not None:
            return kept
        return 28 if self.ground.aim(card) >= FAR else NO

    def _play_attack(self, card: str) -> int:
        """Each kind up to its own total defence; beyond it for want of anything better."""
        aim = self.ground.aim(card)
        good, above = GLADLY.get(KIND[card], (9, 0))
        if KIND[card] == "rifleman":
            good -= self.weights.sure
        return (self.weights.fire + above if aim <= good else LOW + 8) - aim

    def _play_suppress(self, card: str) -> int:
        """Where an attack would be too hard."""
        aim = self.ground.aim(card, suppress=True)
        return (self.weights.fire + 11 if aim <= SUPPRESSES else LOW + 14) - aim

    def _play_blast(self, card: str) -> int:
        """Where more enemies than own counters stand on the target."""
        return self.weights.fire + 8 if self.ground.worth_blasting() else NO

    def _play_target(self, card: str) -> int:
        """Where the marker does not lie well."""
        return NO if self.ground.worth_blasting() else 24

    def _play_bolster(self, card: str) -> int:
        """A Sergeant while a unit is short; the others for want of anything better."""
        ground = self.ground
        if KIND[card] == "sergeant" and any(ground.short(unit, self.weights.extra) for unit in ground.units):
            return self.weights.recruit
        return LOW

    def _play_command(self, card: str) -> int:
        return self.weights.draw

    def _play_recon(self, card: str) -> int:
        return self.weights.recon

    def _play_conceal(self, card: str) -> int:
        return self.weights.conceal

    def _play_guide(self, card: str) -> int:
        """A Rifleman to its objective."""
        ground = self.ground
        return self.weights.walk + 3 if any(ground.guided(unit) for unit in ground.riflemen) else NO

    def _play_inspire(self, card: str) -> int:
        """A Rifleman that has been played and can control."""
        squad, cards = self.oracle.cards[card].squad, self.oracle.cards
        mine = [unit for unit in self.ground.riflemen if squad and cards[unit].squad == squad]
        again = any(unit in self.own.play_area and self.ground.takes(unit) for unit in mine)
        return LOW // 2 + (52 if again else 0)

    # --- the bid -----------------------------------------------------------------------------------------

    @cached_property
    def _decisive(self) -> list[str]:
        """Riflemen in hand that can control."""
        return [unit for unit in self.ground.riflemen if unit in self.own.hand and self.ground.takes(unit)]

    def _bid(self, card: str) -> int:
        """The least useful; the highest where a Rifleman in hand can control, but not that Rifleman."""
        high = bool(self._decisive)
        if self.weights.guard and max(self.ground.open_threats) > 8:
            high = True
        score = 6 * self.oracle.cards[card].initiative if high else -USE[KIND[card]]
        return score + (NO if card in self._decisive else 0)

    # --- targets -----------------------------------------------------------------------------------------

    def _step(self, answer: int | None) -> int:
        """Riflemen towards their objective, Scouts towards what must be marked, others towards enemies."""
        ground, unit, acting = self.ground, self.oracle.mover, self.oracle.acting
        assert unit is not None
        assert acting is not None
        scouts = acting[2] == "scout"
        tile = ground.where(unit) if answer is None else answer
        if scouts:
            score = ground.scouting[tile] - FLOOR
        elif KIND[unit] == "rifleman":
            score = ground.pull[tile] - FLOOR
        else:
            score = ground.closeness[tile] - FLOOR
        if answer is None:
            return score + (30 if self.weights.guard and ground.holds(tile) else 0)
        if scouts:
            score += 10 * ground.needed[tile] - (0 if ground.marked[tile] else 2)
        if self.weights.guard and ground.open_threats[tile]:
            score += 24 + ground.open_threats[tile]
        return score

    @cached_property
    def _prey(self) -> str:
        """The kind of enemy to shoot at first."""
        ground, acting = self.ground, self.oracle.acting
        assert acting is not None
        enemies = [
            u for u in ground.foe.on_board() if acting[2] == "attack" or u not in ground.foe.suppressed
        ]
        here = ground.where(acting[1])
        return ground.prime({unit: ground.defence(here, unit) for unit in enemies})[1]

    def _attack(self, unit: str) -> int:
        acting = self.oracle.acting
        assert acting is not None
        defence = self.ground.defence(self.ground.where(acting[1]), unit)
        return (80 if KIND[unit] == self._prey else 0) - 2 * defence

    def _guide(self, unit: str) -> int:
        """A Rifleman that comes nearer to its objective."""
        return 30 if unit in RIFLEMEN and self.ground.guided(unit) else 0

    def _target(self, tile: int) -> int:
        """Where most enemies and fewest own counters stand."""
        return 6 * self.ground.theirs[tile] - 7 * self.ground.mine[tile]

    def _bolster(self, card: str | None) -> int:
        """Units that are short first, Riflemen before others, those of which the deck has fewest."""
        if card is None:
            return NO
        score = WANTED[KIND[card]] + (self.weights.guns if KIND[card] in GUNS else 0)
        if card in UNITS:
            score -= 4 * min(self.ground.in_play(card), 8)
            score += 12 if self.ground.short(card, self.weights.extra) else 0
        return score

    def _inspire(self, card: str) -> int:
        """A Rifleman that can control, else the most useful card."""
        return USE[KIND[card]] + (40 if card in RIFLEMEN and self.ground.takes(card) else 0)


def solo_choice(rng: random.Random, name: str = "solo", scale: float = NOISE) -> Choose:
    """One of the policies in both seats, with noise of this standard deviation; ties are broken at random."""
    player = Solo(WEIGHTS[name], Noise(rng.getrandbits(64), scale) if scale else None)
    return lambda kind, seat, legal, oracle: rng.choice(player.best(kind, seat, legal, oracle))


def play_solo(
    rules: Mapping[str, Any], players: int, seed: int, name: str = "solo", checked: bool = False
) -> Outcome:
    """One game with one of the policies in both seats: the entry of benchmarks."""
    rng = random.Random(seed)
    return Oracle(rules, players, random_luck(rng, rules), solo_choice(rng, name), checked).play()
