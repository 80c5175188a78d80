"""The scalar oracle of Kraskar: one game in plain Python, in the order of the rules.

It is the slow, obvious twin that a fast engine is compared with, step by step and with `==`. It takes plain
data (a nested dict of rules, the luck of one game, a function that chooses) and imports nothing of the
analyzer. Rule ids (K1 to K23) and rulings (R1 to R12) are those of `analyzer/games/kraskar/rules.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.oracle.kraskar_table import Luck, Outcome, Square, Table, Unit, distance

DIRECTIONS = ("forward", "back", "west", "east")
Choice = Any
Choose = Callable[[str, int, Any, "Oracle"], Choice]
# Troop types that an attack exhausts, if the unit stays on the field.
EXHAUSTS: Mapping[str, frozenset[str]] = {
    "melee": frozenset({"cavalry", "archer", "spearman", "infantry"}),  # K12
    "charge": frozenset({"archer"}),  # K15
    "shot": frozenset({"spearman"}),  # K17
    "snipe": frozenset({"spearman"}),  # K18
    "thrust": frozenset({"cavalry"}),  # K19
    "interception": frozenset(),  # R7
    "strike": frozenset(),  # R11
}
PASS = ("pass",)


class IllegalChoice(Exception):
    """The chooser gave an answer the rules do not allow."""


class Oracle(Table):
    """One game of Kraskar.

    choose(kind, seat, legal, oracle) answers every decision:
      "deploy"  legal: list of columns; `deploying` is the unit that returns (K8)         -> one of them
      "main"    legal: list of actions, ("pass",) first; asked while there is another one -> one of them
        ("move", u, direction) ("melee", u, direction) ("charge", u, direction) ("shoot", u, e)
        ("thrust", u, e) ("stratagem", u, None) ("stratagem", u, e) ("stratagem", u, (row, column)) ("pass",)
    """

    def __init__(
        self, rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose, checked: bool = True
    ) -> None:
        if players != 2:
            raise ValueError(f"players must be 2, not {players}")
        super().__init__(rules, luck, checked)
        self.choose = choose
        self.deploying: int | None = None

    @classmethod
    def at_position(
        cls,
        rules: Mapping[str, Any],
        choose: Choose,
        squares: Sequence[Sequence[Square | None]],
        *,
        first: int = 0,
        turn: int = 0,
        castle: Sequence[int] | None = None,
        chips: Sequence[int] | None = None,
        hit_points: Mapping[tuple[int, int], int] | None = None,
        gauge: Mapping[tuple[int, int], int] | None = None,
    ) -> Oracle:
        """A game before the head of a turn; squares[seat][unit], None for a retreated unit.

        hit_points and gauge are given by (seat, unit) where they are not full, or not 0.
        """
        luck = Luck(first, [[0 if square is None else square[1] for square in deck] for deck in squares])
        self = cls(rules, 2, luck, choose)
        self.turn = self.turns_played = turn
        self.castle = list(castle or self.castle)
        self.chips = list(chips or self.chips)
        self.start_castle, self.start_chips = list(self.castle), list(self.chips)
        for seat, deck in enumerate(squares):
            for unit, square in zip(self.units[seat], deck, strict=True):
                key = (seat, unit.index)
                unit.square = square
                unit.hit_points = 0 if square is None else (hit_points or {}).get(key, unit.hit_points)
                unit.gauge = (gauge or {}).get(key, 0)
        self.conserve()
        return self

    # --- the game ----------------------------------------------------------------------------------------

    def play(self, after_turn: Callable[[dict[str, Any]], None] | None = None) -> Outcome:
        """Play to the end; `after_turn` gets the snapshot after every turn."""
        for snapshot in self.steps():
            if after_turn is not None:
                after_turn(snapshot)
        return self.outcome()

    def steps(self) -> Iterator[dict[str, Any]]:
        """Play turn by turn, yielding the snapshot after each; its `turn` and `seat` are those played."""
        while not self.over:
            self.seat = self.first if self.turn % 2 == 0 else 1 - self.first  # K10
            self._turn()
            self.turns_played += 1
            if not self.over and self.turns_played >= self.rules["turn_limit"]:
                self._time_is_up()
            self.conserve()
            yield self.snapshot()
            self.turn += 1

    def _time_is_up(self) -> None:
        """K23: more castle life wins, equal is a draw."""
        self.over = True
        if self.castle[0] != self.castle[1]:
            self.winner = 0 if self.castle[0] > self.castle[1] else 1

    # --- the turn ----------------------------------------------------------------------------------------

    def _turn(self) -> None:
        self._note("turn")
        self._end_conditions()  # R10: before the draw
        self._draw()
        self._recover()
        for unit in self.units[self.seat]:  # K9: those that have just returned too
            unit.fresh_turn(self.rules["movement_points"])
        self.conserve()
        self._main()
        for unit in self.units[self.seat]:
            unit.points = 0  # K9: what is left is lost

    def _end_conditions(self) -> None:
        """K20 and R10, K14 and R4, R11: what ends at the head of this turn."""
        for unit in (*self.units[0], *self.units[1]):
            if unit.exhausted_until == self.turn:
                unit.exhausted_until = None
            if unit.besieging_until == self.turn:
                unit.besieging_until = None
            unit.modifiers = {k: (n, until) for k, (n, until) in unit.modifiers.items() if until != self.turn}

    def _draw(self) -> None:
        """K6, R1: both sides, in the first turn too."""
        self.draws += 1
        for seat in (0, 1):
            if self.chips[seat] < self.caps[seat]:
                self.chips[seat] += 1
            else:
                self.wasted[seat] += 1

    def _recover(self) -> None:
        """K8, R3: gauge and return, unit by unit in deck order; active side only."""
        for unit in self.units[self.seat]:
            if unit.square is not None:
                continue
            unit.gauge += 1
            if unit.gauge >= self.rules["return_gauge"]:
                self._deploy(unit)

    def _deploy(self, unit: Unit) -> None:
        legal = list(range(self.columns))
        self.deploying = unit.index
        column = self.choose("deploy", self.seat, legal, self)
        self.deploying = None
        if column not in legal:
            raise IllegalChoice(f"deploy {column!r} by seat {self.seat} on turn {self.turn}")
        unit.square = (self.home_row(self.seat), column)
        unit.gauge, unit.hit_points = 0, self.rules["hit_points"]
        self._note("deploy", unit=unit.index, column=column)

    def _main(self) -> None:
        """K10: in any order, until the active side passes."""
        while not self.over:
            legal = self.legal_actions()
            if legal == [PASS]:
                return  # R2
            action = self.choose("main", self.seat, legal, self)
            if action not in legal:
                raise IllegalChoice(f"main {action!r} by seat {self.seat} on turn {self.turn}")
            self._note("main", action=action)
            if action == PASS:
                return
            self._apply(*action)
            self.conserve()

    # --- what is legal -----------------------------------------------------------------------------------

    def legal_actions(self) -> list[tuple[Any, ...]]:
        """Every legal action of the active side."""
        legal: list[tuple[Any, ...]] = [PASS]
        for unit in self.on_field(self.seat):
            legal += self._moves(unit)
            legal += self._melees(unit)
            legal += self._charges(unit)
            legal += self._shots(unit)
            legal += self._thrusts(unit)
            legal += self._casts(unit)
        return legal

    def _around(self, unit: Unit) -> Iterator[tuple[str, Square, list[Unit]]]:
        """(direction, square, enemies there) of the squares of the board next to a unit."""
        assert unit.square is not None
        for direction in DIRECTIONS:
            square = self.step(unit.seat, unit.square, direction)
            if square is not None:
                yield direction, square, self.enemies_at(unit.seat, square)

    def _moves(self, unit: Unit) -> list[tuple[Any, ...]]:
        """K11."""
        if not unit.points:
            return []
        return [("move", unit.index, to) for to, _, enemies in self._around(unit) if not enemies]

    def _melees(self, unit: Unit) -> list[tuple[Any, ...]]:
        """K12; K17: not after a shot."""
        if not unit.points or unit.meleed or unit.shot:
            return []
        return [("melee", unit.index, to) for to, _, enemies in self._around(unit) if enemies]

    def _charges(self, unit: Unit) -> list[tuple[Any, ...]]:
        """K15, K20; R6: an adjacent enemy may be charged without a run."""
        if unit.troop != "cavalry" or unit.charged or unit.exhausted:
            return []
        return [("charge", unit.index, to) for to, _, _ in self._around(unit)]

    def _shots(self, unit: Unit) -> list[tuple[Any, ...]]:
        """K17, K20; R9: no line of sight."""
        if unit.troop != "archer" or unit.shot or unit.meleed or unit.exhausted:
            return []
        targets = self._within(unit, self.rules["shot_range"])
        return [("shoot", unit.index, enemy.index) for enemy in targets]

    def _within(self, unit: Unit, reach: int) -> list[Unit]:
        """The enemies within a distance of a unit, in deck order."""
        assert unit.square is not None
        enemies = self.on_field(1 - unit.seat)
        return [e for e in enemies if e.square is not None and distance(unit.square, e.square) <= reach]

    def _thrusts(self, unit: Unit) -> list[tuple[Any, ...]]:
        """K19, K20."""
        if unit.troop != "spearman" or unit.thrusted or unit.exhausted:
            return []
        near = [enemy.index for _, _, enemies in self._around(unit) for enemy in enemies]
        return [("thrust", unit.index, enemy) for enemy in sorted(near)]

    def _casts(self, unit: Unit) -> list[tuple[Any, ...]]:
        """Stratagems: once a turn, for chips; with no target there is nothing to cast at."""
        s = unit.stratagem
        if s is None or unit.cast or self.chips[unit.seat] < s["chips"]:
            return []
        targets: list[Any] = [None]  # boost, rally
        if s["kind"] == "weaken":
            targets = [enemy.index for enemy in self.on_field(1 - unit.seat)]  # R11: any on the field
        elif s["kind"] == "strike":
            targets = list(dict.fromkeys(enemy.square for enemy in self._within(unit, s["distance"])))
        return [("stratagem", unit.index, target) for target in targets]

    # --- actions -----------------------------------------------------------------------------------------

    def _apply(self, what: str, index: int, target: Any) -> None:
        unit = self.units[self.seat][index]
        handlers: dict[str, Callable[[Unit, Any], None]] = {
            "move": self._move,
            "melee": self._melee,
            "charge": self._charge,
            "shoot": self._shoot,
            "thrust": self._thrust,
            "stratagem": self._cast,
        }
        handlers[what](unit, target)

    def _ahead(self, unit: Unit, direction: str) -> Square | None:
        assert unit.square is not None
        return self.step(unit.seat, unit.square, direction)

    def _move(self, unit: Unit, direction: str) -> None:
        """K11."""
        unit.points -= 1
        square = self._ahead(unit, direction)
        assert square is not None
        self._enter(unit, square)

    def _enter(self, unit: Unit, square: Square) -> bool:
        """A unit comes into a square; whether that was a siege (K13)."""
        unit.square, unit.moved = square, True
        if square[0] != self.siege_row(unit.seat):
            return False
        self._siege(unit)
        return True

    def _siege(self, unit: Unit) -> None:
        """K13: damage to the castle, and one square back; K14: halved until the head of turn t+2 (R4)."""
        assert unit.square is not None
        seat, column = unit.seat, unit.square[1]
        gate = column == self.gate
        due = self.rules["siege_damage"][unit.troop] + (self.rules["gate_bonus"] if gate else 0)
        taken = min(due, self.castle[1 - seat])
        self.castle[1 - seat] -= taken
        self.siege_damage[seat][unit.index][int(gate)] += taken
        self.sieges[seat][unit.index] += 1
        unit.square = self.step(seat, unit.square, "back")
        unit.besieging_until = self.turn + 2
        self._note(
            "siege", unit=unit.index, gate=gate, column=column, taken=taken, left=self.castle[1 - seat]
        )
        if self.castle[1 - seat] == 0:
            self.winner, self.over = seat, True  # K23, R8: at once

    def _melee(self, unit: Unit, direction: str) -> None:
        """K12: every enemy in the square takes the whole force."""
        unit.points -= 1
        unit.meleed = True
        enemies = self.enemies_at(unit.seat, self._ahead(unit, direction))
        self._blows("melee", [(unit, enemy, unit.force) for enemy in enemies])

    def _charge(self, unit: Unit, direction: str) -> None:
        """K15, R6: run until an enemy, the edge, a siege or the end of the run."""
        unit.charged = unit.moved = True
        self._note("charge", unit=unit.index, start=unit.square, direction=direction)
        for _ in range(self.rules["charge_squares"]):
            square = self._ahead(unit, direction)
            if square is None:
                return
            if self.enemies_at(unit.seat, square):
                self._clash(unit, square)
                return
            if self._enter(unit, square):
                return

    def _clash(self, unit: Unit, square: Square) -> None:
        """K16, R7: spearmen that are ready stop the charge; else K15: melee damage to every enemy there."""
        enemies = self.enemies_at(unit.seat, square)
        ready = [enemy for enemy in enemies if enemy.troop == "spearman" and not enemy.exhausted]
        if ready:
            factor = self.rules["interception_factor"]
            self._blows("interception", [(enemy, unit, factor * enemy.force) for enemy in ready])
        else:
            self._blows("charge", [(unit, enemy, unit.force) for enemy in enemies])

    def _shoot(self, unit: Unit, target: int) -> None:
        """K17; K18, R9: a snipe if the archer has not moved, and then it stays where it is."""
        snipe = not unit.moved
        unit.shot = True
        force = unit.force
        if snipe:
            unit.points = 0
            force *= self.rules["snipe_factor"]
        enemy = self.units[1 - unit.seat][target]
        self._blows("snipe" if snipe else "shot", [(unit, enemy, force)])

    def _thrust(self, unit: Unit, target: int) -> None:
        """K19."""
        unit.thrusted = True
        self._blows("thrust", [(unit, self.units[1 - unit.seat][target], unit.force)])

    # --- damage ------------------------------------------------------------------------------------------

    def loss(self, dealt: int, force: int) -> int:
        """K21, R12: hit points lost to force damage, by a target with this current force."""
        if self.rules["damage"] == "plain":
            return dealt
        if self.rules["damage"] == "ratio":
            return max(1, dealt // max(1, force))
        base: int = self.rules["damage_base"]
        return max(1, base + dealt - force)

    def _blows(self, cause: str, blows: Sequence[tuple[Unit, Unit, int]]) -> None:
        """One attack, (who, target, force damage); R8: all losses are fixed before any is taken."""
        losses = []
        for who, target, dealt in blows:
            loss = self.loss(dealt, target.force)
            self._note(
                "hit",
                cause=cause,
                by=who.index,
                target=target.index,
                dealt=dealt,
                force=target.force,
                loss=loss,
            )
            losses.append((target, loss))
        self._take(cause, losses)

    def _take(self, cause: str, losses: Sequence[tuple[Unit, int]]) -> None:
        """Take the losses of one attack, then exhaust and retreat."""
        targets = list({id(target): target for target, _ in losses}.values())
        for target, loss in losses:
            target.hit_points -= loss
        for target in targets:
            if target.hit_points <= 0:
                self._retreat(target, cause)
            elif target.troop in EXHAUSTS[cause]:
                target.exhausted_until = self.turn + 2  # K20, R10: a new hit restarts it

    def _retreat(self, unit: Unit, cause: str) -> None:
        """K22: back to the castle with gauge 0; R8: its own conditions end, what it cast on others stays."""
        unit.square, unit.hit_points, unit.gauge, unit.points = None, 0, 0, 0
        unit.exhausted_until = unit.besieging_until = None
        unit.modifiers = {}
        self.retreats[unit.seat][cause] += 1
        self._note("retreat", owner=unit.seat, unit=unit.index, cause=cause)

    # --- stratagems --------------------------------------------------------------------------------------

    def _cast(self, unit: Unit, target: Any) -> None:
        s = unit.stratagem
        assert s is not None
        unit.cast = True
        self.chips[unit.seat] -= s["chips"]
        self.spent[unit.seat] += s["chips"]
        self._note("cast", unit=unit.index, name=s["name"], target=target)
        handlers: dict[str, Callable[[Unit, Mapping[str, Any], Any], None]] = {
            "boost": self._boost,
            "rally": self._rally,
            "weaken": self._weaken,
            "strike": self._strike,
        }
        handlers[s["kind"]](unit, s, target)

    def _modify(self, unit: Unit, kind: str, amount: int, rounds: int) -> None:
        """R11: a round is 2 turns; kinds add up, and within a kind the newest counts."""
        unit.modifiers[kind] = (amount, self.turn + 2 * rounds)

    def _boost(self, unit: Unit, s: Mapping[str, Any], target: None) -> None:
        self._modify(unit, "boost", s["amount"], 1 + unit.wit // self.rules["boost_wit"])

    def _rally(self, unit: Unit, s: Mapping[str, Any], target: None) -> None:
        rounds = 1 + unit.wit // self.rules["boost_wit"]  # R11: as long as a boost
        for own in self.on_field(unit.seat):
            self._modify(own, "rally", s["amount"], rounds)

    def _weaken(self, unit: Unit, s: Mapping[str, Any], target: int) -> None:
        enemy = self.units[1 - unit.seat][target]
        rounds = 1 + unit.wit // (self.rules["weaken_wit"] + enemy.wit)
        self._modify(enemy, "weaken", s["amount"], max(1, rounds))

    def _strike(self, unit: Unit, s: Mapping[str, Any], target: Square) -> None:
        """To every enemy in the square; R11: it exhausts nobody and may do 0."""
        losses = []
        for enemy in self.enemies_at(unit.seat, target):
            loss = s["power"] * unit.wit // enemy.wit
            self._note("hit", cause="strike", by=unit.index, target=enemy.index, loss=loss)
            losses.append((enemy, loss))
        self._take("strike", losses)


def play(rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose) -> Outcome:
    """One whole game."""
    return Oracle(rules, players, luck, choose).play()
