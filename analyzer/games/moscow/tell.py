"""One game of Moscow told step by step: every draw, action, card, die, sum and threshold, with its rule.

A recorder that watches the engine play one row; the rules do not know of it. What a decision brings about
(an order obeyed, a hand shown) is told at the next step, when it has happened.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.games.base import Array, Decision
from analyzer.games.moscow import combat
from analyzer.games.moscow.rules import Moscow
from analyzer.games.moscow.state import MoscowState
from analyzer.sim.chance import Luck
from analyzer.sim.trace import Trace

ROW = np.zeros(1, np.intp)


class Teller(Trace):
    """Events: deal, draw, act, target, obey, fight, reorganise, exploit, discard; table ends every turn."""

    def __init__(self, game: Moscow, luck: Luck) -> None:
        super().__init__(game, luck)
        self.tables = game.tables
        self.drawn = -1  # the last turn whose draw has been told
        self.card = 0  # the card of the last `act`
        self.used: Array = np.zeros(0, np.uint8)  # the cards of the last fight
        self.ordered: dict[str, Any] | None = None  # an order played, not yet told to be obeyed
        self.before: dict[str, Array] = {}  # the state after the turn before

    # -- what the engine reports ------------------------------------------------------------------
    def start(self, state: MoscowState) -> None:
        """M1, M2: the opening hands."""
        hands = [self._cards(state.hand[seat, :, 0]) for seat in range(self.game.players)]
        self.add(-1, -1, "deal", hands=hands, deck=int(state.deck_size[0]), month=self._month(state))
        self._remember(state)

    def decision(self, state: MoscowState, turn: int, decision: Decision, answer: Array) -> None:
        """A decision that was really asked, with what can be said before it is carried out."""
        self._told_so_far(state, turn)
        if decision.asked is None or decision.asked[0]:
            getattr(self, f"_{decision.kind}")(state, turn, decision, answer[..., 0])

    def turn_end(self, state: MoscowState, turn: int) -> None:
        """The table as all see it, and how many cards everybody holds."""
        self._told_so_far(state, turn)
        unit, seats = self.tables.km_unit, range(self.game.players)
        self.add(
            turn,
            turn % self.game.players,
            "table",
            km=[int(km) * unit for km in state.km[:, 0]],
            before=[self._army(state.front[s, 0], state.general[s, 0], state.river[s, 0]) for s in seats],
            moscow=self._army(state.moscow_army[0], state.moscow_general[0], 0),
            hand=state.size[:, 0].tolist(),
            deck=int(state.deck_size[0]) - turn - 1,
        )
        self._remember(state)

    # -- the steps --------------------------------------------------------------------------------
    def _told_so_far(self, state: MoscowState, turn: int) -> None:
        """The turn's draw, and the order that has been obeyed since the step before."""
        seat = turn % self.game.players
        if self.drawn < turn:
            self.drawn = turn
            card = int(state.deck[turn, 0])
            self.add(turn, seat, "draw", card=self.tables.names[card], month=self._month(state))
            if card == self.tables.out_of_supply or self.game.players == 1:
                self._lost(
                    state, turn, seat, {"hand": self.before["hand"][seat], "km": self.before["km"][seat]}
                )
        if self.ordered is not None:
            ordered, self.ordered = self.ordered, None
            self._lost(state, turn, ordered["target"], ordered, always=True)

    def _lost(
        self, state: MoscowState, turn: int, target: int, was: dict[str, Any], always: bool = False
    ) -> None:
        """M7, M26 to M28: cards and km that this seat has lost since `was`."""
        gone = np.maximum(was["hand"].astype(int) - state.hand[target, :, 0], 0)
        km = (int(was["km"]) - int(state.km[target, 0])) * self.tables.km_unit
        if always or gone.any() or km > 0:
            shows = bool(state.shown[target, 0])
            self.add(turn, target, "obey", lost=self._cards(gone), km=max(km, 0), shows_hand=shows)

    def _act(self, state: MoscowState, turn: int, decision: Decision, code: int) -> None:
        t, self.card = self.tables, int(code)
        name = next(
            kind for kind, place in t.blocks.items() if code in range(t.actions)[_slice(place)]
        ).replace("_", " ")
        card = t.names[code] if code < t.orders.stop else ""
        if code in range(t.actions)[t.moscow_army]:
            card = t.names[code - t.moscow_army.start + t.red_army.start]
        elif code == t.moscow_general:
            card = t.names[t.red_general]
        self.add(turn, decision.seat, "act", action=name, card=card)

    def _target(self, state: MoscowState, turn: int, decision: Decision, place: int) -> None:
        target = int(self.tables.seats_clockwise[decision.seat, place])
        self.add(turn, decision.seat, "target", card=self.tables.names[self.card], target=target + 1)
        if self.card >= self.tables.orders.start:
            self.ordered = {
                "target": target,
                "hand": state.hand[target, :, 0].copy(),
                "km": state.km[target, 0],
            }

    def _commit(self, state: MoscowState, turn: int, decision: Decision, used: Array) -> None:
        t, seat, self.used = self.tables, decision.seat, used.copy()
        at_moscow = np.array([self.card == t.attack])
        die = self.luck.dice(t.rules.die_sides, turn, decision.slot, state.rows)
        result = combat.resolve(t, state, seat, ROW, at_moscow, used[:, None], die)
        sums = result.explain(0)
        army = state.moscow_army[0] if at_moscow[0] else state.front[seat, 0]
        boosts = (
            (state.moscow_general[0], 0) if at_moscow[0] else (state.general[seat, 0], state.river[seat, 0])
        )
        km = 0 if at_moscow[0] or not sums["won"] else int(t.army_km[army]) * t.km_unit
        self.add(
            turn,
            seat,
            "fight",
            against="moscow" if at_moscow[0] else "front",
            army=self._army(army, *boosts),
            used=self._cards(used, t.fighting.start),
            month=self._month(state),
            attack=sums["cards"] + sums["modifier"] + sums["die"],
            needs=sums["red"] - sums["cards"] - sums["modifier"],
            km=km,
            **sums,
        )

    def _reorganise(self, state: MoscowState, turn: int, decision: Decision, yes: int) -> None:
        t = self.tables
        strongest = (
            int(np.flatnonzero(self.used[: t.division.stop - t.division.start])[-1]) + t.division.start
        )
        self.add(turn, decision.seat, "reorganise", played=bool(yes), division=t.names[strongest])

    def _exploit(self, state: MoscowState, turn: int, decision: Decision, code: int) -> None:
        card = self.tables.names[code] if code < self.tables.advance.stop else ""
        self.add(turn, decision.seat, "exploit", card=card)

    def _discard(self, state: MoscowState, turn: int, decision: Decision, given: Array) -> None:
        self.add(turn, decision.seat, "discard", cards=self._cards(given), limit=int(state.limit[0]))

    # -- names ------------------------------------------------------------------------------------
    def _cards(self, counts: Array, first: int = 0) -> dict[str, int]:
        return {self.tables.names[first + i]: int(counts[i]) for i in np.flatnonzero(counts)}

    def _army(self, army: Any, general: Any, river: Any) -> str:
        """The Red Army with what lies on it, "" for none."""
        if not army:
            return ""
        name = str(self.tables.names[self.tables.red_army.start + int(army) - 1])
        return name + " + general" * bool(general) + " + river" * bool(river)

    def _month(self, state: MoscowState) -> str:
        return str(self.game.rules.months[int(state.month[0])].name)

    def _remember(self, state: MoscowState) -> None:
        self.before = {"hand": state.hand[..., 0].copy(), "km": state.km[..., 0].copy()}

    # -- in words ---------------------------------------------------------------------------------
    def words(self, event: dict[str, Any]) -> str:
        """An event as a line of words."""
        text: str = getattr(self, f"_say_{event['what']}")(event)
        if event["what"] == "draw":
            return f"Turn {event['turn']}, seat {event['seat']}: {text}"
        return text if event["what"] == "deal" or not text else f"    {text}"

    @staticmethod
    def _say_deal(e: dict[str, Any]) -> str:
        hands = [f"Seat {seat} is dealt {_listed(hand)}." for seat, hand in enumerate(e["hands"], 1)]
        return "\n".join([*hands, f"{e['deck']} cards are left to draw; it is {e['month'].title()}."])

    @staticmethod
    def _say_draw(e: dict[str, Any]) -> str:
        month = (
            f"; it is {e['month'].title()} now (M6)" if e["card"] == "time" else f" in {e['month'].title()}"
        )
        return f"draws {e['card']}{month}" + (" (M7)" if e["card"] == "out of supply" else "")

    @staticmethod
    def _say_act(e: dict[str, Any]) -> str:
        said = {
            "advance": f"drives on with {e['card']} (M9)",
            "moscow army": f"puts {e['card']} on Moscow (M12)",
            "moscow general": "puts a red general on Moscow (M12)",
            "fight": "fights the Red Army before it (M13)",
            "attack": "attacks Moscow (M14)",
            "nothing": "does nothing (M16)",
        }
        return said.get(e["action"], "")  # of a card on a player `target` tells

    @staticmethod
    def _say_target(e: dict[str, Any]) -> str:
        return (
            f"plays {e['card']} on seat {e['target']} ({'M15' if e['card'].startswith('order') else 'M11'})"
        )

    @staticmethod
    def _say_obey(e: dict[str, Any]) -> str:
        lost = [f"{e['km']} km"] * bool(e["km"]) + [_listed(e["lost"])] * bool(e["lost"])
        shows = "; it cannot comply in full, all know its hand now" if e["shows_hand"] else ""
        return f"seat {e['seat']} loses {' and '.join(lost) or 'nothing'}{shows} (M26 to M28)"

    @staticmethod
    def _say_fight(e: dict[str, Any]) -> str:
        whom = "Moscow" + f" with {e['army']}" * bool(e["army"]) if e["against"] == "moscow" else e["army"]
        end = "beaten" if e["won"] else "not beaten"
        more = (", twice its strength" if e["doubled"] else "") + (f", {e['km']} km" if e["km"] else "")
        sums = f"{e['cards']} {e['modifier']:+d} ({e['month'].title()}) + die {e['die']} = {e['attack']}"
        odds = f"{e['faces']} faces of the die would do"
        return (
            f"uses {_listed(e['used'])}: {sums} against {e['red']} of {whom} ({odds}): {end}{more} (M21, M22)"
        )

    @staticmethod
    def _say_reorganise(e: dict[str, Any]) -> str:
        return f"takes back {e['division']} (M24)" if e["played"] else "keeps its reorganise card (M24)"

    @staticmethod
    def _say_exploit(e: dict[str, Any]) -> str:
        return f"drives on with {e['card']} at once (M22)" if e["card"] else "does not drive on (M22)"

    @staticmethod
    def _say_discard(e: dict[str, Any]) -> str:
        return f"discards {_listed(e['cards'])} down to {e['limit']} cards (M17)"

    @staticmethod
    def _say_table(e: dict[str, Any]) -> str:
        seats = [
            f"{seat}: {km} km" + f", {army}" * bool(army) + f", {hand} cards"
            for seat, (km, army, hand) in enumerate(zip(e["km"], e["before"], e["hand"], strict=True), 1)
        ]
        moscow = f" | Moscow: {e['moscow']}" if e["moscow"] else ""
        return f"[{' | '.join(seats)}{moscow} | {e['deck']} to draw]"


def _slice(place: slice | int) -> slice:
    return place if isinstance(place, slice) else slice(place, place + 1)


def _listed(cards: dict[str, int]) -> str:
    return (
        ", ".join(name if count == 1 else f"{count} x {name}" for name, count in cards.items()) or "nothing"
    )
