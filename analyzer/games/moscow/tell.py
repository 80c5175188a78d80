"""One game of Moscow told step by step: what was drawn, done, thrown and summed, as plain facts.

The game does not know that it is told. The teller takes a picture of the table at every decision and at
every turn's end; what happened is the difference between two pictures. The sums of a fight are those of
`combat`, and the die is asked for again: it is keyed by turn and slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array, Decision
from analyzer.games.moscow import combat, tell_words
from analyzer.games.moscow.state import MoscowState, deal_bits, first_shuffle
from analyzer.games.moscow.tables import Tables
from analyzer.sim.chance import Luck
from analyzer.sim.trace import Event, is_asked

if TYPE_CHECKING:
    from analyzer.games.moscow.rules import Moscow

Hand = dict[str, int]  # card name -> count


@dataclass(frozen=True)
class Picture:
    """The table at one moment, in plain numbers: seats 0-based, armies as index + 1 (0 none), km in km."""

    hands: list[list[int]]  # [seat][card type]
    km: list[int]
    front: list[int]
    general: list[int]
    river: list[int]
    moscow_army: int
    moscow_general: int
    month: int
    shown: list[int]
    arrived: list[int]
    winner: int  # seat + 1, 0 nobody
    over: int


def take_picture(tables: Tables, state: MoscowState) -> Picture:
    """A copy of what the only lane of the state holds."""

    def by_seat(name: str) -> list[int]:
        values: list[int] = getattr(state, name)[:, 0].tolist()
        return values

    def alone(name: str) -> int:
        return int(getattr(state, name)[0])

    return Picture(
        hands=state.hand[..., 0].tolist(),
        km=[km * tables.km_unit for km in by_seat("km")],
        front=by_seat("front"),
        general=by_seat("general"),
        river=by_seat("river"),
        moscow_army=alone("moscow_army"),
        moscow_general=alone("moscow_general"),
        month=alone("month"),
        shown=by_seat("shown"),
        arrived=by_seat("arrived"),
        winner=alone("winner"),
        over=alone("over"),
    )


class Teller:
    """The recorder of one game. Events have `turn`, `round` and `seat` (all 1-based; 0 before the game).

    What an event is, by `what`:
      deal        hand, cards, back (cards of the deal that went back into the deck, M2)
      turn        policy, month, km, hand, front (see `_front`, None without an army), moscow, at_moscow
      draw        card, left (cards in the deck), kept (in the hand); month, moved, modifier, limit for a time
                  card; lost_turn and lost (cards) for out of supply; put ("front", "moscow", "discarded") for
                  a Red card drawn alone (M30)
      act         action and card as in the tally `actions`, target (0 none), others (how many other actions
                  were allowed); km, front or moscow as they are after it
      order       card, target, wanted and lost (cards), km_before, km (of the target), left_moscow (it was
                  before it and is no more), showed (its hand), hand if so
      fight       target ("front", "moscow"), cards, sum, month, modifier, die, attack, front or moscow (what
                  stood there), total (what must be reached), needs (the least face that wins, may be
                  below 1 or above sides), sides, faces, chance, won, doubled, gained (km), km
      reorganise  played, card (the division that came back)
      exploit     played, card, km
      discard     cards, limit
      end of turn km, cards (in hand), arrived (for the first time), fell (Moscow)
      end         end, winner (seat, 0 nobody), km (by seat), month, goal
    """

    def __init__(self, game: Moscow, luck: Luck, labels: Sequence[str]) -> None:
        if len(luck.rows) != 1:
            raise ValueError(f"a teller tells one game, not {len(luck.rows)}")
        self.game, self.luck, self.labels, self.t = game, luck, labels, game.tables
        self.events: list[Event] = []
        self._turn = -1
        self._seat = -1
        self._then: Callable[[Picture, Picture], None] | None = None  # told when the next picture is there
        self._others = self._card = (
            0  # of the action: other legal ones, and its card until its target is known
        )
        self._asked: dict[str, Callable[[Decision, Any], None]] = {
            "act": self._act,
            "target": self._target,
            "commit": self._fight,
            "reorganise": self._reorganise,
            "exploit": self._exploit,
            "discard": self._discard,
        }

    # -- the recorder -----------------------------------------------------------------------------
    def start(self, state: MoscowState) -> None:
        """M1, M2: who was dealt what, and what of it went back."""
        self._deck = state.deck[:, 0].tolist()
        self._deck_size = int(state.deck_size[0])
        self._now = take_picture(self.t, state)
        back = self._back()
        for seat in range(self.game.players):
            self._seat, hand = seat, self._hand(self._now, seat)
            self._add("deal", hand=hand, cards=sum(hand.values()), back=back[seat])

    def decision(self, state: MoscowState, turn: int, decision: Decision, answer: Array) -> None:
        """Tell what came of the last decision, then what was decided now."""
        self._look(state, turn)
        if is_asked(decision):
            self._asked[decision.kind](decision, answer[..., 0].tolist())

    def turn_end(self, state: MoscowState, turn: int) -> None:
        """Tell what came of the last decision and how the turn, and perhaps the game, ended."""
        self._look(state, turn)
        now, seat = self._now, self._seat
        self._add(
            "end of turn",
            km=now.km[seat],
            cards=sum(now.hands[seat]),
            arrived=now.arrived[seat] == turn + 1,
            fell=now.winner > 0,
        )
        if now.over:
            end = self.game.labels["end"][0 if now.winner else 1]
            facts = {"km": now.km, "month": self._month(now), "goal": self.t.goal_km}
            self._add("end", end=end, winner=now.winner, **facts)

    def lines(self) -> list[str]:
        """The game in words, turn by turn."""
        return tell_words.lines(self.events, self.labels)

    def _look(self, state: MoscowState, turn: int) -> None:
        before, self._now = self._now, take_picture(self.t, state)
        if turn != self._turn:
            self._turn, self._seat = turn, turn % self.game.players
            self._begin(before, self._now)
        elif self._then is not None:
            then, self._then = self._then, None
            then(before, self._now)

    def _add(self, what: str, **facts: Any) -> Event:
        turn = self._turn + 1
        event = {"turn": turn, "round": -(-turn // self.game.players), "seat": self._seat + 1, "what": what}
        self.events.append({**event, **facts})
        return self.events[-1]

    # -- names ------------------------------------------------------------------------------------
    def _hand(self, picture: Picture, seat: int) -> Hand:
        return self._cards(picture.hands[seat])

    def _cards(self, counts: Sequence[int], first: int = 0) -> Hand:
        return {self.t.names[first + k]: int(n) for k, n in enumerate(counts) if n}

    def _lost(self, before: Picture, after: Picture, seat: int) -> Hand:
        pairs = zip(before.hands[seat], after.hands[seat], strict=True)
        return self._cards([max(was - now, 0) for was, now in pairs])

    def _month(self, picture: Picture) -> str:
        return self.game.rules.months[picture.month].name

    def _army(self, army: int) -> dict[str, Any]:
        name = self.t.names[self.t.red_army.start + army - 1] if army else ""
        return {"army": name, "strength": int(self.t.army_strength[army])}

    def _front(self, picture: Picture, seat: int) -> dict[str, Any] | None:
        """The Red Army before a seat: army, strength, general, river, river_counts, boosts (rule), total."""
        t, army = self.t, picture.front[seat]
        if not army:
            return None
        facts = self._army(army)
        general, river = picture.general[seat], picture.river[seat]
        counts = int(t.rivers_count[picture.month])
        total = combat.red_total(t, *(_one(x) for x in (facts["strength"], general, river, counts)))
        facts |= {"general": bool(general), "river": bool(river), "river_counts": bool(counts)}
        return facts | {"boosts": self.game.rules.boosts, "total": int(total[0])}

    def _moscow(self, picture: Picture) -> dict[str, Any]:
        """Moscow: own (its strength), army ("" none), strength (of the army), general, total."""
        army, general = picture.moscow_army, picture.moscow_general
        total = combat.moscow_total(self.t, _one(army), _one(general))
        facts = {"own": self.game.rules.moscow_strength, **self._army(army), "general": bool(general)}
        return facts | {"total": int(total[0])}

    # -- the deal and the draw --------------------------------------------------------------------
    def _back(self) -> list[list[str]]:
        """M2: by seat, the cards of the deal that no hand may keep."""
        t, players = self.t, self.game.players
        order = first_shuffle(t, deal_bits(t, self.luck))[:, 0]
        back: list[list[str]] = []
        for seat in range(players):
            kept = list(self._now.hands[seat])
            names = []
            for k in range(seat, players * self.game.rules.opening_hand, players):
                card = int(t.deck[order[k]])
                if card < t.hand_types and kept[card]:
                    kept[card] -= 1
                else:
                    names.append(t.names[card])
            back.append(names)
        return back

    def _begin(self, before: Picture, after: Picture) -> None:
        """The turn's heading, then M5 to M7 and M30: what the card drawn did."""
        t, seat, card = self.t, self._seat, self._deck[self._turn]
        facts = {"policy": self.labels[seat], "month": self._month(before), "km": before.km[seat]}
        facts |= {"hand": self._hand(before, seat), "front": self._front(before, seat)}
        at_moscow = before.km[seat] >= t.goal_km
        self._add("turn", **facts, moscow=self._moscow(before), at_moscow=at_moscow)
        drawn = self._add("draw", card=t.names[card], left=self._deck_size - self._turn - 1)
        drawn["kept"] = after.hands[seat][card] > before.hands[seat][card] if card < t.hand_types else False
        if card == t.time:
            month = self.game.rules.months[after.month]
            drawn |= {"month": month.name, "moved": after.month != before.month}
            drawn |= {"modifier": month.attack, "limit": month.hand_limit}
        elif card == t.out_of_supply:
            drawn["lost_turn"] = self.game.rules.out_of_supply == "lose_turn"
            drawn["lost"] = self._lost(before, after, seat)
        elif self.game.players == 1 and t.targeted.start <= card < t.orders.start:
            drawn |= self._put(before, after)
        elif self.game.players == 1 and t.orders.start <= card < t.orders.stop:
            self._obeyed(card, seat, before, after)

    def _put(self, before: Picture, after: Picture) -> dict[str, Any]:
        """M30: where a Red card drawn alone went."""
        if (before.front, before.general, before.river) != (after.front, after.general, after.river):
            return {"put": "front", "front": self._front(after, 0)}
        if before.moscow_army != after.moscow_army:
            return {"put": "moscow", "moscow": self._moscow(after)}
        return {"put": "discarded"}

    # -- actions ----------------------------------------------------------------------------------
    def _act(self, decision: Decision, code: int) -> None:
        """M8 to M16. A card on a player is told when its target is known, a fight with its own event too."""
        t = self.t
        self._others = int(np.count_nonzero(decision.legal[:, 0])) - 1
        if t.targeted.start <= code < t.targeted.stop:
            self._card = code
            return
        event = self._acted(code)
        if code < t.targeted.start:
            self._then = lambda _, after: event.update(km=after.km[self._seat])
        elif t.moscow_army.start <= code <= t.moscow_general:
            self._then = lambda _, after: event.update(moscow=self._moscow(after))

    def _acted(self, code: int, target: int = 0) -> Event:
        action, card = self._action(code)
        return self._add("act", action=action, card=card, target=target, others=self._others)

    def _action(self, code: int) -> tuple[str, str]:
        """(action, card) of an action code, as in the tally `actions`."""
        t = self.t
        if t.orders.start <= code < t.orders.stop:
            return t.names[code], t.names[code]
        if t.moscow_army.start <= code < t.moscow_army.stop:
            return "moscow army", t.names[code - t.moscow_army.start + t.red_army.start]
        if code == t.moscow_general:
            return "moscow general", t.names[t.red_general]
        places = [(p if isinstance(p, slice) else slice(p, p + 1), name) for name, p in t.blocks.items()]
        name = next(name for place, name in places if place.start <= code < place.stop)
        return name, t.names[code] if code < t.orders.stop else ""

    def _target(self, decision: Decision, place: int) -> None:
        """M11, M15: whom the card of the action is for."""
        target, card = int(self.t.seats_clockwise[self._seat][place]), self._card
        event = self._acted(card, target + 1)
        if card >= self.t.orders.start:
            self._then = lambda before, after: self._obeyed(card, target, before, after)
        else:
            self._then = lambda _, after: event.update(front=self._front(after, target))

    def _obeyed(self, card: int, target: int, before: Picture, after: Picture) -> None:
        """M26 to M28, R2: what an order did to its target."""
        wanted = (0, 1, 2, 1)[card - self.t.orders.start]
        lost = self._lost(before, after, target)
        showed = wanted > 0 and bool(after.shown[target])
        event = self._add("order", card=self.t.names[card], target=target + 1, lost=lost, wanted=wanted)
        event |= {"km_before": before.km[target], "km": after.km[target], "showed": showed}
        event["left_moscow"] = before.km[target] >= self.t.goal_km > after.km[target]
        if showed:
            event["hand"] = self._hand(after, target)

    # -- fights -----------------------------------------------------------------------------------
    def _fight(self, decision: Decision, used: list[int]) -> None:
        """M20 to M23: the cards, the die, the sums."""
        t, now, seat, sides = self.t, self._now, self._seat, self.game.rules.die_sides
        target = "moscow" if self.events[-1]["action"] == "attack" else "front"
        die = self.luck.dice(sides, self._turn, decision.slot, self.luck.rows)
        total = (self._moscow(now) if target == "moscow" else self._front(now, seat) or {})["total"]
        cards = int(np.dot(used, t.strengths))
        modifier = int(t.modifiers[now.month])
        attack = cards + modifier + int(die[0])
        faces = int(combat.winning_faces(sides, np.array([cards + modifier]), np.array([total]))[0])
        event = self._add("fight", target=target, cards=self._cards(used, t.fighting.start), sum=cards)
        event |= {"month": self._month(now), "modifier": modifier, "die": int(die[0]), "attack": attack}
        event |= {"front": self._front(now, seat)} if target == "front" else {"moscow": self._moscow(now)}
        event |= {"total": total, "needs": total - cards - modifier, "sides": sides, "faces": faces}
        event |= {"chance": faces / sides, "won": attack >= total, "doubled": attack >= 2 * total}
        self._then = lambda before, after: event.update(
            gained=after.km[seat] - before.km[seat], km=after.km[seat]
        )

    def _reorganise(self, decision: Decision, yes: int) -> None:
        """M24: does a division come back, and which?"""
        event = self._add("reorganise", played=bool(yes), card="")
        if yes:
            seat = self._seat
            self._then = lambda before, after: event.update(card=next(iter(self._lost(after, before, seat))))

    def _exploit(self, decision: Decision, code: int) -> None:
        """M22: the extra advance card of a double victory."""
        played = code != decision.blocks["none"]
        event = self._add("exploit", played=played, card=self.t.names[code] if played else "")
        self._then = lambda _, after: event.update(km=after.km[self._seat])

    def _discard(self, decision: Decision, given: list[int]) -> None:
        """M17: down to the month's hand limit."""
        self._add("discard", cards=self._cards(given), limit=int(self.t.limits[self._now.month]))


def _one(value: int) -> Any:
    return np.array([value], np.uint8)
