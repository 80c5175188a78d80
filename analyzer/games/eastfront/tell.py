"""One game of Eastfront 1944 told step by step: what was drawn, played, fired and summed, as plain facts.

The game does not know that it is told. The teller takes a picture of the table at every decision and at every
turn's end; what happened is the difference between two pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.base import Array, Decision
from analyzer.games.eastfront import tell_words
from analyzer.games.eastfront.state import EastfrontState
from analyzer.sim.chance import Luck
from analyzer.sim.trace import Event, is_asked

if TYPE_CHECKING:
    from analyzer.games.eastfront.rules import Eastfront

Cards = dict[str, int]  # card title -> count


@dataclass(frozen=True)
class Picture:
    """The table at one moment, in plain numbers; seats and stacks 0-based."""

    hands: list[list[int]]  # [seat][card type]
    tables: list[list[int]]  # [seat][German type]
    left: list[int]  # [stack]
    open: list[int]  # [stack]: the Soviet type that lies face up, -1 for none
    halted: list[int]
    friends: list[int]
    points: list[int]
    over: int


def take_picture(state: EastfrontState) -> Picture:
    """A copy of what the only lane of the state holds."""
    plain = {
        name: getattr(state, name)[..., 0].tolist()
        for name in ("left", "halted", "friends", "points", "over")
    }
    open_cards = [top - 1 for top in state.top[:, 0].tolist()]
    return Picture(state.hand[..., 0].tolist(), state.table[..., 0].tolist(), open=open_cards, **plain)


class Teller:
    """The recorder of one game. Events have `turn`, `round` and `seat` (all 1-based; 0 before the game).

    What an event is, by `what`:
      deal        hand, cards
      deploy      cards (put down), fire (all on the table)
      turn        policy, hand, table, fire, friends, halted, stacks (see `_stacks`)
      draw        card, left (cards in the deck)
      act         action ("reinforce", "hinder", "nothing"), card, others (how many other actions were
                  allowed); fire after it for "reinforce"
      hinder      card, effect, target (seat), named (German card, "" none), fire and defence for a shot,
                  cover ("" not held, "kept", "played"), result ("covered", "destroyed", "held", "recalled",
                  "halted", "discarded"), lost (the card discarded at random)
      attack      stack (1-based, 0 for none)
      exchange    number, stack, soviet, face_up (before), fire and defence of the Soviet card, germans (cards
                  before it), support (titles), bonus (fire of the support), first, silent, pillbox (seat, 0
                  none), pillbox_defence, refused (seats that kept one), target (the German card fired at, ""
                  if the Soviet card did not fire), target_defence, lost, firing (German cards that fired),
                  sum (of their fire and the bonus; 0 if none fired), needs (what the sum must exceed), won,
                  left (cards left in the stack), friend (taken)
      go on       stack (0: the attack is broken off)
      discard     cards, limit
      end of turn cards (in hand), fire, friends
      end         end, winners (seats), points, friends (by seat)
    """

    def __init__(self, game: Eastfront, luck: Luck, labels: Sequence[str]) -> None:
        if len(luck.rows) != 1:
            raise ValueError(f"a teller tells one game, not {len(luck.rows)}")
        self.game, self.labels, self.t = game, labels, game.tables
        self.cards = game.rules.cards
        self.events: list[Event] = []
        self._turn = self._seat = -1
        self._open: Event | None = None  # an event that is not over: hinder or exchange
        self._before: Picture  # the picture at its beginning
        self._asked: dict[str, Callable[[Decision, Any], None]] = {
            kind: getattr(self, f"_{kind}")
            for kind in ("deploy", "act", "target", "name", "cover", "attack", "support", "pillbox", "shoot")
        } | {"go_on": self._go_on, "discard": self._discard}

    # -- the recorder -----------------------------------------------------------------------------
    def start(self, state: EastfrontState) -> None:
        """E3: who was dealt what."""
        self._deck = state.deck[:, 0].tolist()
        self._stack_cards = state.soviet[:, :, 0].tolist()
        self._now = take_picture(state)
        for seat, hand in enumerate(self._now.hands):
            self._seat = seat
            self._add("deal", hand=self._titles(hand), cards=sum(hand))

    def decision(self, state: EastfrontState, turn: int, decision: Decision, answer: Array) -> None:
        """Tell what came of the last decision, then what was decided now."""
        if not is_asked(decision):
            return
        if decision.kind != "deploy":
            self._look(state, turn, goes_on=decision.kind in _PARTS)
        self._asked[decision.kind](decision, answer[..., 0].tolist())

    def turn_end(self, state: EastfrontState, turn: int) -> None:
        """Tell what came of the last decision and how the turn, and perhaps the game, ended."""
        self._look(state, turn, goes_on=False)
        now, seat = self._now, self._seat
        facts: dict[str, Any] = {"fire": self._fire(now.tables[seat]), "friends": now.friends[seat]}
        self._add("end of turn", cards=sum(now.hands[seat]), **facts)
        if now.over:
            columns = self.game.outcome(state, np.arange(1))
            winners = (np.flatnonzero(columns["won"][:, 0]) + 1).tolist()
            end = self.game.labels["end"][int(columns["end"][0])]
            self._add("end", end=end, winners=winners, points=now.points, friends=now.friends)

    def lines(self) -> list[str]:
        """The game in words, turn by turn."""
        return tell_words.lines(self.events, self.labels)

    def _look(self, state: EastfrontState, turn: int, goes_on: bool) -> None:
        self._now = take_picture(state)
        if turn != self._turn:
            self._turn, self._seat = turn, turn % self.game.players
            self._begin()
        if self._open is not None and not goes_on:
            event, self._open = self._open, None
            (self._hindered if event["what"] == "hinder" else self._fired)(event)

    def _add(self, what: str, **facts: Any) -> Event:
        turn = self._turn + 1
        event = {"turn": turn, "round": -(-turn // self.game.players), "seat": self._seat + 1, "what": what}
        self.events.append({**event, **facts})
        return self.events[-1]

    # -- names ------------------------------------------------------------------------------------
    def _titles(self, counts: Sequence[int]) -> Cards:
        return {self.t.titles[k]: int(n) for k, n in enumerate(counts) if n}

    def _fire(self, table: Sequence[int]) -> int:
        return int(np.dot(table, self.t.german_fire.astype(int)))

    def _stacks(self) -> list[dict[str, Any]]:
        """By stack: left (cards), face_up (title of the Soviet card on top, "" if it lies face down)."""
        titles = [card.title for card in self.cards.soviet]
        pairs = zip(self._now.left, self._now.open, strict=True)
        return [{"left": left, "face_up": titles[top] if top >= 0 else ""} for left, top in pairs]

    # -- opening, draw, action ----------------------------------------------------------------------
    def _deploy(self, decision: Decision, down: list[int]) -> None:
        """E4: told before the first turn."""
        self._seat = decision.seat
        self._add("deploy", cards=self._titles(down), fire=self._fire(down))

    def _begin(self) -> None:
        """The turn's heading and E6."""
        now, seat, card = self._now, self._seat, self._deck[self._turn]
        hand = list(now.hands[seat])
        hand[card] -= 1
        table = now.tables[seat]
        facts: dict[str, Any] = {
            "policy": self.labels[seat],
            "hand": self._titles(hand),
            "table": self._titles(table),
        }
        facts |= {"fire": self._fire(table), "friends": now.friends[seat], "halted": bool(now.halted[seat])}
        self._add("turn", **facts, stacks=self._stacks())
        self._add("draw", card=self.t.titles[card], left=len(self._deck) - self._turn - 1)

    def _act(self, decision: Decision, code: int) -> None:
        """E7."""
        t, others = self.t, int(np.count_nonzero(decision.legal[:, 0])) - 1
        if code == t.nothing:
            self._add("act", action="nothing", card="", others=others)
        elif code < t.germans:
            fire = self._fire(self._now.tables[self._seat]) + int(t.german_fire[code])
            self._add("act", action="reinforce", card=t.titles[code], others=others, fire=fire)
        else:
            title = t.titles[code - t.germans + t.hinder.start]
            self._add("act", action="hinder", card=title, others=others)
            self._card = self.game.rules.hinders[code - t.germans]

    # -- hindering ----------------------------------------------------------------------------------
    def _target(self, decision: Decision, place: int) -> None:
        target = int(self.t.seats_clockwise[self._seat][place])
        facts = {"effect": self._card.effect, "target": target + 1, "named": "", "cover": ""}
        self._open, self._before = self._add("hinder", card=self._card.title, **facts), self._now

    def _name(self, decision: Decision, german: int) -> None:
        assert self._open is not None
        self._open["named"] = self.cards.german[german].title
        if self._card.effect == "fire":
            self._open |= {"fire": self._card.fire, "defence": self.cards.german[german].defence}

    def _cover(self, decision: Decision, yes: int) -> None:
        assert self._open is not None
        self._open["cover"] = "played" if yes else "kept"

    def _hindered(self, event: Event) -> None:
        """What the card did: the difference the target sees."""
        target, before, after = event["target"] - 1, self._before, self._now
        event["result"], event["lost"] = "covered", ""
        if event["cover"] == "played":
            return
        gone = before.tables[target] != after.tables[target]
        results = {"fire": "destroyed" if gone else "held", "destroy": "destroyed", "recall": "recalled"}
        event["result"] = {**results, "halt": "halted", "discard": "discarded"}[event["effect"]]
        if event["effect"] == "discard":
            pairs = zip(before.hands[target], after.hands[target], strict=True)
            event["lost"] = next(iter(self._titles([was - now for was, now in pairs])), "")

    # -- attacks --------------------------------------------------------------------------------------
    def _attack(self, decision: Decision, stack: int) -> None:
        """E12."""
        none = stack == self.t.no_stack
        self._add("attack", stack=0 if none else stack + 1)
        self._number = 0
        if not none:
            self._exchange(stack)

    def _go_on(self, decision: Decision, stack: int) -> None:
        """E17."""
        none = stack == self.t.no_stack
        self._add("go on", stack=0 if none else stack + 1)
        if not none:
            self._exchange(stack)

    def _exchange(self, stack: int) -> None:
        now = self._now
        self._number += 1
        soviet = self.cards.soviet[self._stack_cards[self.t.heights[stack] - now.left[stack]][stack]]
        facts: dict[str, Any] = {"soviet": soviet.title, "face_up": now.open[stack] >= 0}
        facts |= {"fire": soviet.fire, "defence": soviet.defence}
        facts |= {"germans": self._titles(now.tables[self._seat]), "support": [], "bonus": 0}
        facts |= {"first": False, "silent": False, "pillbox": 0, "pillbox_defence": 0, "refused": []}
        facts |= {"target": "", "target_defence": 0}
        self._open = self._add("exchange", number=self._number, stack=stack + 1, **facts)
        self._before = now

    def _support(self, decision: Decision, place: int) -> None:
        """E14."""
        if place == self.t.supports:
            return
        card, event = self.cards.support[place], self._open
        assert event is not None
        event["support"].append(card.title)
        event["bonus"] += card.fire
        event["first"] |= card.germans_first
        event["silent"] |= card.soviets_silent

    def _pillbox(self, decision: Decision, yes: int) -> None:
        """E20."""
        assert self._open is not None
        if yes:
            self._open |= {"pillbox": decision.seat + 1, "pillbox_defence": self.t.pillbox_defence}
        else:
            self._open["refused"].append(decision.seat + 1)

    def _shoot(self, decision: Decision, german: int) -> None:
        """E13."""
        assert self._open is not None
        card = self.cards.german[german]
        self._open |= {"target": card.title, "target_defence": card.defence}

    def _fired(self, event: Event) -> None:
        """E13, E15, E18: the sums of an exchange."""
        seat, stack, before, after = self._seat, event["stack"] - 1, self._before, self._now
        event["lost"] = before.tables[seat] != after.tables[seat]
        firing = before.tables[seat] if event["first"] else after.tables[seat]
        event["firing"] = self._titles(firing)
        event["sum"] = self._fire(firing) + event["bonus"] if any(firing) else 0
        event["needs"] = event["defence"] + event["pillbox_defence"]
        event["won"] = after.left[stack] < before.left[stack]
        event["left"] = after.left[stack]
        event["friend"] = after.friends[seat] > before.friends[seat]

    # -- the end of a turn ------------------------------------------------------------------------------
    def _discard(self, decision: Decision, given: list[int]) -> None:
        """E9."""
        self._add("discard", cards=self._titles(given), limit=self.game.rules.hand_limit)


_PARTS = ("name", "cover", "support", "pillbox", "shoot")  # decisions inside a hindering or an exchange
