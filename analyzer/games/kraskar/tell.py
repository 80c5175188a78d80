"""One game of Kraskar told step by step: what was done, added up and lost, as plain facts.

The game does not know that it is told. The teller takes a picture of the table at every decision and at
every turn's end; what happened is the difference between two pictures. Sums are those of `damage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array, Decision
from analyzer.games.kraskar import damage, tell_words
from analyzer.games.kraskar.field import Field
from analyzer.games.kraskar.state import KraskarState
from analyzer.games.kraskar.tables import DIRECTIONS, STRIDE, Side
from analyzer.sim.chance import Luck
from analyzer.sim.trace import Event

if TYPE_CHECKING:
    from analyzer.games.kraskar.rules import Kraskar

Place = list[int] | None  # [row, column] from 1, row 1 nearest to seat 1; None: retreated
MODIFIERS = ("boost", "rally", "weaken")
LETTERS = tell_words.LETTERS


@dataclass(frozen=True)
class Picture:
    """The table at one moment, in plain numbers, lists [seat][unit] and [seat]."""

    square: list[list[int]]
    hit_points: list[list[int]]
    force: list[list[int]]
    exhausted: list[list[int]]
    besieging: list[list[int]]
    gauge: list[list[int]]
    amount: list[list[list[int]]]  # [seat][boost rally weaken][unit]
    rounds: list[list[list[int]]]
    chips: list[int]
    castle: list[int]
    sieges: list[int]
    winner: int
    over: int


def take_picture(state: KraskarState, sides: Sequence[Side], field: Field | None = None) -> Picture:
    """A copy of what the only lane of the state holds; in a main phase the field knows it better."""

    def by_unit(name: str) -> list[list[int]]:
        values = [getattr(state, name)[side.seat, : side.size, 0].tolist() for side in sides]
        if field is not None:
            for seat, prefix in ((field.seat, ""), (1 - field.seat, "foe_")):
                newer = getattr(field, prefix + name, None)
                if newer is not None:
                    values[seat] = newer[:, 0].tolist()
        return values

    chips, castle, sieges = (x[:, 0].tolist() for x in (state.chips, state.castle, state.sieges))
    if field is not None:
        chips[field.seat], castle[1 - field.seat] = int(field.chips[0]), int(field.castle[0])
        sieges[field.seat] = int(field.sieges[0])
    return Picture(
        square=by_unit("square"),
        hit_points=by_unit("hit_points"),
        force=by_unit("force"),
        exhausted=by_unit("exhausted"),
        besieging=by_unit("besieging"),
        gauge=by_unit("gauge"),
        amount=state.amount[..., 0].tolist(),
        rounds=state.rounds[..., 0].tolist(),
        chips=chips,
        castle=castle,
        sieges=sieges,
        winner=int(state.winner[0]),
        over=int(state.over[0]),
    )


class Teller:
    """The recorder of one game. Events have `turn` (of the game, 1-based, 0 before it) and `seat` (1-based).

    Units are named; places are [row, column] from 1, row 1 nearest to seat 1's castle, null when retreated.
    What an event is, by `what`:
      start        first (the seat that moves first), decks, units (see `_units`), columns, rows, castle
      turn         policy, chips (of both seats, after the draw), castle (of both), units
      deploy       unit, to
      act          action (move, melee, charge, shoot, snipe, thrust, boost, rally, weaken, strike), unit,
                   from, to, target (a place or a unit), others (how many other actions were allowed), hits,
                   siege
      pass         others
      end of turn  castle (of both), chips
      end          end, winner (seat, 0 nobody), castle
    A hit: unit, seat, by, force, factor, damage (force damage), against (force of the target), loss, left
    (hit points), retreats, exhausted. A strike's has power, wit and against (wit of the target) instead.
    Letters (`letter`, `target_letter`, `by_letter`) are those of the units on the told board.
    A siege: gate, taken, castle (life left).
    """

    def __init__(self, game: Kraskar, luck: Luck, labels: Sequence[str]) -> None:
        if len(luck.rows) != 1:
            raise ValueError(f"a teller tells one game, not {len(luck.rows)}")
        self.game, self.labels, self.rules = game, labels, game.rules
        self.sides = game.tables.sides
        self.events: list[Event] = []
        self._turn = self._seat = -1
        self._waiting: tuple[Event, Side, int, bool] | None = None  # an action whose effect is not known yet

    # -- the recorder -----------------------------------------------------------------------------
    def start(self, state: KraskarState) -> None:
        """K3, K5: who moves first, and where units start."""
        self._now = take_picture(state, self.sides)
        self._late = int(state.first[0]) if self.game.tables.drawn else 0
        rules = self.rules
        facts = {"decks": list(rules.decks), "columns": rules.columns, "rows": rules.rows}
        self._seat = int(state.first[0])
        self._add("start", first=self._seat + 1, **facts, castle=rules.castle_life, units=self._units())

    def decision(self, state: KraskarState, turn: int, decision: Decision, answer: Array) -> None:
        """Tell what came of the last decision, then what was decided now."""
        field = decision.view._field if decision.kind == "act" else None
        self._look(state, turn, field)
        self._begin(turn)
        code = int(answer[0])
        if decision.kind == "deploy":
            side = self.sides[decision.seat]
            place = [side.home_row + 1, code + 1]
            unit = decision.view.unit
            self._add("deploy", unit=side.units[unit].name, letter=LETTERS[side.seat][unit], to=place)
            return
        assert field is not None
        others = int(np.count_nonzero(decision.legal[:, 0])) - 1
        if code == field.own.pass_:
            self._add("pass", others=others)
        else:
            self._act(field, code, others)

    def turn_end(self, state: KraskarState, turn: int) -> None:
        """Tell what came of the last decision and how the turn, and perhaps the game, ended."""
        self._look(state, turn)
        if turn < self._late:
            return  # the other seat moves first
        self._begin(turn)
        now = self._now
        self._add("end of turn", castle=now.castle, chips=now.chips)
        if now.over:
            end = self.game.labels["end"][0 if 0 in now.castle else 1]
            self._add("end", end=end, winner=now.winner, castle=now.castle)

    def lines(self) -> list[str]:
        """The game in words, turn by turn."""
        return tell_words.lines(self.events, self.labels)

    # -- pieces -----------------------------------------------------------------------------------
    def _add(self, what: str, **facts: Any) -> Event:
        self.events.append({"turn": self._turn + 1, "seat": self._seat + 1, "what": what, **facts})
        return self.events[-1]

    def _look(self, state: KraskarState, turn: int, field: Field | None = None) -> None:
        before, self._now = self._now, take_picture(state, self.sides, field)
        if self._waiting is not None:
            event, side, code, moved = self._waiting
            self._waiting = None
            self._effect(event, side, code, moved, before, self._now)

    def _begin(self, turn: int) -> None:
        """The turn's heading, once a turn."""
        if turn - self._late == self._turn:
            return
        self._turn, self._seat = turn - self._late, self.game.seat_of(turn)
        now, policy = self._now, self.labels[self._seat]
        self._add("turn", policy=policy, chips=now.chips, castle=now.castle, units=self._units())

    def _units(self) -> list[list[dict[str, Any]]]:
        """[seat][unit]: name, troop, at, hit_points, force, gauge, and what is on it (conditions)."""
        now = self._now
        return [
            [
                {
                    "name": unit.name,
                    "troop": unit.troop,
                    "at": _place(now.square[seat][k]),
                    "hit_points": now.hit_points[seat][k],
                    "force": now.force[seat][k],
                    "gauge": now.gauge[seat][k],
                    "exhausted": bool(now.exhausted[seat][k]),
                    "besieging": bool(now.besieging[seat][k]),
                    **{name: now.amount[seat][kind][k] for kind, name in enumerate(MODIFIERS)},
                }
                for k, unit in enumerate(side.units)
            ]
            for seat, side in enumerate(self.sides)
        ]

    # -- actions ----------------------------------------------------------------------------------
    def _act(self, field: Field, code: int, others: int) -> None:
        """What a unit does; what comes of it is told when the next picture is there."""
        side, foe = field.own, field.foe
        unit = int(side.unit_of[code])
        name = next(n for n in side.blocks if n != "pass_" and side.part(n).start <= code < side.part(n).stop)
        moved = bool(field.moved[unit, 0])
        at = self._now.square[side.seat][unit]
        facts: dict[str, Any] = {"action": name, "unit": side.units[unit].name, "from": _place(at)}
        facts["letter"] = LETTERS[side.seat][unit]
        if name == "shoot" and not moved:
            facts["action"] = "snipe"
        if name in ("move", "melee", "charge"):
            step = code - side.part(name).start
            facts["direction"] = DIRECTIONS[step // (len(side.cavalry) if name == "charge" else side.size)]
            facts["target"] = _place((at + int(side.shift_of[code])) % 256)
        elif name == "strike":
            facts["target"] = _place(self._now.square[1 - side.seat][int(side.enemy_of[code])])
        elif name != "boost":
            enemy = int(side.enemy_of[code])
            facts |= {"target": foe.units[enemy].name, "target_letter": LETTERS[foe.seat][enemy]}
        stratagem = self.rules.stratagem(side.units[unit].stratagem)
        if name in ("boost", "weaken", "strike") and stratagem is not None:
            facts |= {"action": stratagem.kind, "stratagem": stratagem.name, "chips": stratagem.chips}
            facts["amount"] = stratagem.amount or stratagem.power
        self._waiting = (self._add("act", **facts, others=others), side, code, moved)

    def _effect(
        self, event: Event, side: Side, code: int, moved: bool, before: Picture, after: Picture
    ) -> None:
        """What came of an action: where the unit is now, hits, a siege, rounds of a stratagem."""
        seat, unit = side.seat, int(side.unit_of[code])
        event["to"] = _place(after.square[seat][unit])
        event["hits"] = self._hits(event, side, unit, before, after)
        event["siege"] = None
        taken = before.castle[1 - seat] - after.castle[1 - seat]
        if after.sieges[seat] > before.sieges[seat]:
            gate = after.square[seat][unit] % STRIDE == self.game.tables.gate
            event["siege"] = {"gate": gate, "taken": taken, "castle": after.castle[1 - seat]}
        if event["action"] in ("boost", "rally"):
            event["rounds"] = after.rounds[seat][MODIFIERS.index(event["action"])][unit]
            event["force"] = after.force[seat][unit]
        if event["action"] == "weaken":
            target = int(side.enemy_of[code])
            event["rounds"] = after.rounds[1 - seat][2][target]
            event["force"] = after.force[1 - seat][target]

    def _hits(
        self, event: Event, side: Side, unit: int, before: Picture, after: Picture
    ) -> list[dict[str, Any]]:
        """Every loss of hit points, with its sum."""
        action, seat = event["action"], side.seat
        hits = []
        for foe_seat, by in ((1 - seat, [unit]), (seat, self._interceptors(event, side, before, after))):
            for k, was in enumerate(before.hit_points[foe_seat]):
                lost = was - after.hit_points[foe_seat][k]
                if lost:
                    hits += [self._hit(action, seat, one, foe_seat, k, before, after) for one in by]
        return hits

    def _interceptors(self, event: Event, side: Side, before: Picture, after: Picture) -> list[int]:
        """K16: the ready spearmen in the square that a charge ran into."""
        if event["action"] != "charge":
            return []
        unit = [u.name for u in side.units].index(event["unit"])
        if before.hit_points[side.seat][unit] == after.hit_points[side.seat][unit]:
            return []
        foe = 1 - side.seat
        step, square = int(side.shift[DIRECTIONS.index(event["direction"])]), before.square[side.seat][unit]
        for _ in range(self.rules.charge_squares):
            square = (square + step) % 256
            if square in before.square[foe]:
                break
        return [
            int(k)
            for k in self.sides[foe].spearmen
            if before.square[foe][k] == square and not before.exhausted[foe][k]
        ]

    def _hit(
        self, action: str, seat: int, unit: int, foe_seat: int, target: int, before: Picture, after: Picture
    ) -> dict[str, Any]:
        rules, own = self.rules, foe_seat == seat
        by_seat = 1 - seat if own else seat
        facts: dict[str, Any] = {"unit": self.sides[foe_seat].units[target].name, "seat": foe_seat + 1}
        facts |= {"by": self.sides[by_seat].units[unit].name, "cause": "interception" if own else action}
        facts |= {"letter": LETTERS[foe_seat][target], "by_letter": LETTERS[by_seat][unit]}
        if action == "strike":
            wits = [
                int(damage.current_wit(self.sides[s].units[k].wit, before.besieging[s][k]))
                for s, k in ((seat, unit), (foe_seat, target))
            ]
            power = rules.stratagem(self.sides[seat].units[unit].stratagem)
            facts |= {"power": power.power if power else 0, "wit": wits[0], "against": wits[1]}
            facts["loss"] = int(damage.strike_loss(facts["power"], *wits))
        else:
            factor = {"snipe": rules.snipe_factor}.get(action, 1) if not own else rules.interception_factor
            force, against = before.force[by_seat][unit], before.force[foe_seat][target]
            facts |= {"force": force, "factor": factor, "damage": factor * force, "against": against}
            facts |= {"loss": int(damage.loss(rules, factor * force, against)), "base": rules.damage_base}
            facts["model"] = rules.damage
        facts["left"] = after.hit_points[foe_seat][target]
        facts["retreats"] = facts["left"] == 0
        facts["exhausted"] = bool(after.exhausted[foe_seat][target] > before.exhausted[foe_seat][target])
        return facts


def _place(square: int) -> Place:
    return [square // STRIDE + 1, square % STRIDE + 1] if square < STRIDE * STRIDE else None
