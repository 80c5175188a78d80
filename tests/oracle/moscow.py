"""The scalar oracle of Moscow, General Winter: one game in plain Python, in the order of the rules.

It is the slow, obvious twin that a fast engine is compared with, step by step and with `==`. It takes plain
data (a nested dict of rules, the luck of one game, a function that chooses) and imports nothing of the
analyzer. Rule ids (M1 to M30) and rulings (R1 to R13) are those of `analyzer/games/moscow/rules.md`.

Every card lies in exactly one place: a hand, the draw deck, the discard pile, on the table (before a player
or on Moscow), in play (committed to the fight that is being resolved), or out of the game. `conserve` adds
them up after every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

ORDERS = ("km", "division_1", "division_2", "general")  # j of ("order", j, target)
FIGHTERS = ("division", "luftwaffe", "german_general")  # M20
RED = ("red_army", "red_general", "great_river")
NOT_IN_HAND = ("time", "out_of_supply")  # M2, M6, M7
KINDS = ("advance", *RED, "order", *FIGHTERS, "reorganise", *NOT_IN_HAND)

Choice = Any
Choose = Callable[[str, int, Any, "Oracle"], Choice]


class IllegalChoice(Exception):
    """The chooser gave an answer the rules do not allow."""


class CardType(NamedTuple):
    """One type of card; `index` counts within the kind (army i), `value` is strength, km or amount."""

    name: str
    kind: str
    index: int
    value: int
    km: int
    count: int


class Luck(NamedTuple):
    """All chance of one game.

    first: the type id of every card in the order of the first shuffle (M1).
    second: the sort key of the card at the same place of `first`, for the second shuffle (M2).
    dice: dice[turn][action], 1..die_sides; turns counted from 0 over the whole game.
    """

    first: Sequence[int]
    second: Sequence[int]
    dice: Sequence[Sequence[int]]


class Outcome(NamedTuple):
    """How a game ended: winner is a seat (0-based) or None, month 0..6, turns the number of turns played."""

    winner: int | None
    end: str
    turns: int
    month: int


def card_types(cards: Mapping[str, Any]) -> list[CardType]:
    """The types of a deck in the order that makes their ids: kind by kind, ascending within a kind."""
    types: list[CardType] = []

    def add(kind: str, index: int, name: str, value: int, km: int, count: int) -> None:
        types.append(CardType(name, kind, index, value, km, count))

    for i, c in enumerate(sorted(cards["advance"], key=lambda c: c["km"])):
        add("advance", i, f"advance {c['km']}", c["km"], c["km"], c["count"])
    for i, c in enumerate(sorted(cards["red_army"], key=lambda c: (c["strength"], c["km"]))):
        add("red_army", i, f"army {c['strength']}/{c['km']}", c["strength"], c["km"], c["count"])
    add("red_general", 0, "red general", 0, 0, cards["red_general"]["count"])
    add("great_river", 0, "great river", 0, 0, cards["great_river"]["count"])
    orders = cards["hitler_order"]
    amount = orders["km"]["amount"]
    names = (f"order -{amount} km", "order -1 division", "order -2 divisions", "order -general")
    for j, (which, name, value) in enumerate(zip(ORDERS, names, (amount, 1, 2, 1), strict=True)):
        add("order", j, name, value, 0, orders[which]["count"])
    for kind in FIGHTERS:
        for i, c in enumerate(sorted(cards[kind], key=lambda c: c["strength"])):
            name = f"{kind.replace('_', ' ')} {c['strength']}"
            add(kind, i, name, c["strength"], 0, c["count"])
    for kind in ("reorganise", *NOT_IN_HAND):
        add(kind, 0, kind.replace("_", " "), 0, 0, cards[kind]["count"])
    return types


class Oracle:
    """One game of Moscow.

    choose(kind, seat, legal, oracle) answers every decision:
      "act"        legal: list of action tuples            -> one of them
      "commit"     legal: {type id: held} of fighting cards -> {type id: count} (M20)
      "reorganise" legal: [False, True]                     -> one of them (M24)
      "exploit"    legal: [None, i, ...] advance indices    -> one of them (M22)
      "discard"    legal: ({type id: held}, excess)         -> {type id: count}, exactly the excess (M17)

    Public state: turn, seat, hands[seat][type], km, army (-1 none), general, river, moscow_army (-1 none),
    moscow_general, month, deck (next card first), discards[type], removed[type], in_play[type], shown,
    arrived_turn, winner (-1 none), over, action (0-based within the turn), target ("front" or "moscow" while
    a fight is decided), events.
    """

    def __init__(
        self, rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose, checked: bool = True
    ) -> None:
        self._clear(rules, players, choose)
        self.checked = checked  # False leaves out the card count after every step, for long runs
        self.dice = luck.dice
        self.full = [t.count for t in self.types]
        self._deal(luck)
        self.conserve()

    @classmethod
    def at_position(
        cls,
        rules: Mapping[str, Any],
        players: int,
        choose: Choose,
        *,
        hands: Sequence[Mapping[str, int]],
        deck: Sequence[str],
        dice: Sequence[Sequence[int]],
        km: Sequence[int] | None = None,
        army: Sequence[str | None] | None = None,
        general: Sequence[bool] | None = None,
        river: Sequence[bool] | None = None,
        moscow_army: str | None = None,
        moscow_general: bool = False,
        month: str | None = None,
        turn: int = 0,
        discards: Mapping[str, int] | None = None,
        removed: Mapping[str, int] | None = None,
        shown: Sequence[bool] | None = None,
    ) -> Oracle:
        """A game that starts in the middle; cards are given by name, and just these are the full deck."""
        self = cls.__new__(cls)
        self._clear(rules, players, choose)
        self.dice = dice
        for seat, hand in enumerate(hands):
            for name, n in hand.items():
                self.hands[seat][self.type_id(name)] += n
        self.deck = [self.type_id(name) for name in deck]
        if km is not None:
            self.km = list(km)
        self.arrived_turn = [turn if k >= self.goal else 0 for k in self.km]
        self.army = [self._army_index(name) for name in army or [None] * players]
        self.general = list(general or [False] * players)
        self.river = list(river or [False] * players)
        self.moscow_army = self._army_index(moscow_army)
        self.moscow_general = moscow_general
        if month is not None:
            self.month = self.month_names.index(month)
        self.turn = turn
        self.seat = turn % players
        for pile, given in ((self.discards, discards), (self.removed, removed)):
            for name, n in (given or {}).items():
                pile[self.type_id(name)] += n
        self.shown = list(shown or [False] * players)
        self.full = self._all_cards()
        return self

    def _clear(self, rules: Mapping[str, Any], players: int, choose: Choose) -> None:
        self.checked = True
        if not 1 <= players <= 6:
            raise ValueError(f"players must be 1 to 6, not {players}")
        self.rules, self.players, self.choose = rules, players, choose
        self.types = card_types(rules["cards"])
        self.ids = {t.name: k for k, t in enumerate(self.types)}
        self.kinds: dict[str, list[int]] = {}
        for k, t in enumerate(self.types):
            self.kinds.setdefault(t.kind, []).append(k)
        self.kinds = {kind: self.kinds.get(kind, []) for kind in KINDS}
        self.month_names = [m["name"] for m in rules["months"]]
        self.last_river_month = self.month_names.index(rules["rivers_until"])
        many = players > 1 and players >= rules["many_players"]  # M19; R13: alone it is always the long way
        self.goal: int = rules["goal_km_many"] if many else rules["goal_km"]
        n = len(self.types)
        self.turn = self.seat = self.action = 0  # M4: "seat" is order of play (R10), seat 0 moves first
        self.turns_played = 0
        self.hands = [[0] * n for _ in range(players)]
        self.deck: list[int] = []
        self.discards, self.removed, self.in_play = [0] * n, [0] * n, [0] * n
        self.km = [0] * players
        self.army, self.general, self.river = [-1] * players, [False] * players, [False] * players
        self.moscow_army, self.moscow_general = -1, False
        self.month = 0  # M3
        self.shown = [False] * players
        self.arrived_turn = [0] * players
        self.winner, self.over = -1, False
        self.target: str | None = None
        self.dice: Sequence[Sequence[int]] = ()
        self.events: list[dict[str, Any]] = []

    # --- words -------------------------------------------------------------------------------------------

    def type_id(self, name: str) -> int:
        """The id of a card type by its name, such as "division 2"."""
        return self.ids[name]

    def ids_of(self, kind: str) -> list[int]:
        """The type ids of a kind, ascending by value."""
        return self.kinds[kind]

    def _army_index(self, name: str | None) -> int:
        return -1 if name is None else self.types[self.type_id(name)].index

    def _note(self, what: str, **fields: Any) -> None:
        self.events.append({"what": what, "turn": self.turn, "seat": self.seat, **fields})

    def records(self, what: str) -> list[dict[str, Any]]:
        """The events of one sort: opening, turn, draw, act, fight, reorganise, exploit, order, discard."""
        return [e for e in self.events if e["what"] == what]

    # --- cards -------------------------------------------------------------------------------------------

    def _take(self, seat: int, card: int) -> None:
        """A card comes into a hand; what others saw of that hand is out of date (R2)."""
        self.hands[seat][card] += 1
        self.shown[seat] = False

    def _give(self, seat: int, card: int, pile: list[int]) -> None:
        """A card leaves a hand for a pile."""
        assert self.hands[seat][card] > 0
        self.hands[seat][card] -= 1
        self.shown[seat] = False
        pile[card] += 1

    def _lay(self, seat: int, card: int) -> None:
        """A card leaves a hand for the table."""
        assert self.hands[seat][card] > 0
        self.hands[seat][card] -= 1
        self.shown[seat] = False

    def _piles(self) -> list[list[int]]:
        return [*self.hands, self.discards, self.removed, self.in_play]

    def _all_cards(self) -> list[int]:
        total = list(map(sum, zip(*self._piles(), strict=True)))
        armies, generals, rivers = (self.ids_of(kind) for kind in RED)
        for i in (*self.army, self.moscow_army):
            if i >= 0:
                total[armies[i]] += 1
        total[generals[0]] += sum(self.general) + self.moscow_general
        total[rivers[0]] += sum(self.river)
        for card, n in Counter(self.deck).items():
            total[card] += n
        return total

    def conserve(self) -> None:
        """Assert that every card is somewhere, once, and that the table holds together (M10, M11)."""
        if not self.checked:
            return
        assert self._all_cards() == self.full, "cards do not add up"
        assert min(map(min, self._piles())) >= 0
        for seat in range(self.players):
            assert self.army[seat] >= 0 or not (self.general[seat] or self.river[seat])
            assert self.km[seat] >= 0
        assert self.moscow_army >= 0 or not self.moscow_general
        for card in (*self.ids_of("time"), *self.ids_of("out_of_supply")):
            assert not any(hand[card] for hand in self.hands)

    # --- setup -------------------------------------------------------------------------------------------

    def _deal(self, luck: Luck) -> None:
        counts = Counter(luck.first)
        assert [counts[k] for k in range(len(self.types))] == self.full, "the shuffle is not the deck"
        assert len(luck.second) == len(luck.first)
        dealt = self.players * self.rules["opening_hand"]
        assert dealt <= len(luck.first), "the deck is too small to deal"
        back = set(NOT_IN_HAND) if self.players > 1 else {*NOT_IN_HAND, *RED, "order"}  # M2; R13
        rest: list[tuple[int, int]] = []
        for place, card in enumerate(luck.first):
            if place < dealt and self.types[card].kind not in back:
                self.hands[place % self.players][card] += 1  # M1
            else:
                rest.append((luck.second[place], card))
        self.deck = [card for _, card in sorted(rest)]  # M2: shuffled again, the player has fewer cards
        for seat in range(self.players):
            self._note("opening", owner=seat, hand=self.held(seat))

    def held(self, seat: int, kinds: Sequence[str] | None = None) -> dict[int, int]:
        """{type id: count} of the cards in a hand, of some kinds or of all."""
        return {
            card: n
            for card, n in enumerate(self.hands[seat])
            if n and (kinds is None or self.types[card].kind in kinds)
        }

    # --- the turn ----------------------------------------------------------------------------------------

    def play(self, after_turn: Callable[[dict[str, Any]], None] | None = None) -> Outcome:
        """Play to the end; `after_turn` gets the snapshot after every turn."""
        for snapshot in self.steps():
            if after_turn is not None:
                after_turn(snapshot)
        return self.outcome()

    def outcome(self) -> Outcome:
        """The result so far (final once `over`)."""
        if self.winner >= 0:
            return Outcome(self.winner, "moscow fell", self.turns_played, self.month)
        return Outcome(None, "deck ran out", self.turns_played, self.month)

    def steps(self) -> Iterator[dict[str, Any]]:
        """Play turn by turn, yielding the snapshot after each; its `turn` and `seat` are those played."""
        while not self.over:
            if not self.deck:  # M29, R9: only after the turn of the last card; no reshuffle
                self.over = True
                break
            self.seat = self.turn % self.players  # M18
            self._turn()
            self.turns_played += 1
            if not self.deck:
                self.over = True  # M29, R9
            yield self.snapshot()
            self.turn += 1

    def snapshot(self) -> dict[str, Any]:
        """The whole public and hidden state as plain copies, to be compared with ==."""
        return {
            "turn": self.turn,
            "seat": self.seat,
            "hands": [list(hand) for hand in self.hands],
            "km": list(self.km),
            "army": list(self.army),
            "general": list(self.general),
            "river": list(self.river),
            "moscow_army": self.moscow_army,
            "moscow_general": self.moscow_general,
            "month": self.month,
            "discards": list(self.discards),
            "removed": list(self.removed),
            "deck_left": len(self.deck),
            "shown": list(self.shown),
            "arrived_turn": list(self.arrived_turn),
            "winner": self.winner,
            "over": self.over,
        }

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know (R12); hands that were shown stand under their seat."""
        return {
            "hand": list(self.hands[seat]),
            "hand_sizes": [sum(hand) for hand in self.hands],
            "shown_hands": {o: list(self.hands[o]) for o in range(self.players) if self.shown[o]},
            "km": list(self.km),
            "army": list(self.army),
            "general": list(self.general),
            "river": list(self.river),
            "moscow_army": self.moscow_army,
            "moscow_general": self.moscow_general,
            "month": self.month,
            "discards": list(self.discards),
            "deck_left": len(self.deck),
        }

    def _turn(self) -> None:
        seat = self.seat
        self.action = 0
        blocked = self.army[seat] >= 0
        goes_on = self._draw()  # M5
        self.conserve()
        self._note("turn", blocked=blocked, lost=not goes_on)
        if not goes_on:
            return  # M7, R3: the turn is over at once, without M17
        for action in range(self.rules["actions_per_turn"]):  # M8, R7
            self.action = action
            legal = self.legal_actions(seat)
            act = self.choose("act", seat, legal, self)
            if act not in legal:
                raise IllegalChoice(f"act {act!r} by seat {seat} on turn {self.turn}")
            act = tuple(act)
            self._note("act", act=act, action=self.action)
            self._apply(seat, act)
            self.conserve()
            if self.over:
                return  # M25
            if act == ("nothing",):
                break  # M16, R7
        self._hand_limit(seat)  # M17

    def _draw(self) -> bool:
        """Draw one card (M5); False if the turn is lost to supply (M7)."""
        seat = self.seat
        card = self.deck.pop(0)
        kind = self.types[card].kind
        self._note("draw", card=card)
        if kind == "time":  # M6: counts at once (R4), December stays, no other card, out of the game
            self.removed[card] += 1
            self.month = min(self.month + 1, len(self.month_names) - 1)
            return True
        if kind == "out_of_supply":  # M7, R3
            self.removed[card] += 1
            if self.rules["out_of_supply"] == "lose_turn":
                return False
            self._surrender(seat, "division", 1)
            return True
        if self.players == 1 and kind in (*RED, "order"):
            self._solo(card)  # M30
            return True
        self._take(seat, card)
        return True

    def _hand_limit(self, seat: int) -> None:
        limit = self.rules["months"][self.month]["hand_limit"]  # R4: the month as it is now
        excess = sum(self.hands[seat]) - limit
        if excess <= 0:
            return
        held = self.held(seat)
        choice = self._counts("discard", self.choose("discard", seat, (dict(held), excess), self), held)
        if sum(choice.values()) != excess:
            raise IllegalChoice(f"discard {choice!r}: {excess} cards are due")
        for card, n in choice.items():
            for _ in range(n):
                self._give(seat, card, self.discards)
        self._note("discard", cards=choice)
        self.conserve()

    def _counts(self, kind: str, choice: Mapping[int, int], held: Mapping[int, int]) -> dict[int, int]:
        """A choice of cards as {type id: count > 0}, checked against what is held."""
        cards = {int(card): int(n) for card, n in choice.items() if n != 0}
        for card, n in cards.items():
            if n < 0 or n > held.get(card, 0):
                raise IllegalChoice(f"{kind} {choice!r}: {n} of card type {card}, held {held.get(card, 0)}")
        return cards

    # --- actions -----------------------------------------------------------------------------------------

    def clockwise(self, seat: int) -> list[int]:
        """The other seats, the next player first."""
        return [(seat + d) % self.players for d in range(1, self.players)]

    def legal_actions(self, seat: int) -> list[tuple[Any, ...]]:
        """Every legal action, in the fixed order of the kinds; targets clockwise, oneself last."""
        hand, others = self.hands[seat], self.clockwise(seat)
        armies, advances = self.ids_of("red_army"), self.ids_of("advance")
        general, river = self.ids_of("red_general")[0], self.ids_of("great_river")[0]
        divisions = sum(hand[k] for k in self.ids_of("division"))
        clear = self.army[seat] < 0
        legal: list[tuple[Any, ...]] = [("nothing",)]  # M16
        if clear:  # M9; legal after arrival too (R5)
            legal += [("advance", i) for i, k in enumerate(advances) if hand[k]]
        before = [*others, seat] if self.rules["army_on_self"] else others
        for i, k in enumerate(armies):  # M11; at most one army before a player (M10)
            legal += [("army", i, o) for o in before if hand[k] and self.army[o] < 0]
        if hand[general]:  # M11: needs an army; at most one (M10)
            legal += [("general", o) for o in others if self.army[o] >= 0 and not self.general[o]]
        if hand[river]:  # M11, R6: any month
            legal += [("river", o) for o in others if self.army[o] >= 0 and not self.river[o]]
        if self.moscow_army < 0:  # M12, M10
            legal += [("moscow_army", i) for i, k in enumerate(armies) if hand[k]]
        if hand[general] and self.moscow_army >= 0 and not self.moscow_general:  # M12; no river there
            legal.append(("moscow_general",))
        if divisions and not clear:  # M13, M20
            legal.append(("fight",))
        may_attack = clear or not self.rules["front_must_be_clear"]  # R5
        if divisions and self.km[seat] >= self.goal and may_attack:  # M14, M19, M20
            legal.append(("attack",))
        for j, k in enumerate(self.ids_of("order")):  # M15; may be wasted (M28)
            if hand[k]:
                legal += [("order", j, o) for o in others]
        return legal

    def _apply(self, seat: int, act: tuple[Any, ...]) -> None:
        handlers: dict[str, Callable[..., None]] = {
            "nothing": lambda: None,
            "advance": lambda i: self._advance(seat, i),
            "army": lambda i, o: self._put_army(seat, i, o),
            "general": lambda o: self._put_general(seat, o),
            "river": lambda o: self._put_river(seat, o),
            "moscow_army": lambda i: self._put_army(seat, i, None),
            "moscow_general": lambda: self._put_general(seat, None),
            "fight": lambda: self._fight(seat, "front"),
            "attack": lambda: self._fight(seat, "moscow"),
            "order": lambda j, o: self._order(seat, j, o),
        }
        handlers[act[0]](*act[1:])

    def _advance(self, seat: int, i: int) -> None:
        card = self.ids_of("advance")[i]
        self._give(seat, card, self.discards)
        self._drive(seat, self.types[card].km)  # M9

    def _drive(self, seat: int, km: int) -> None:
        self.km[seat] += km  # M19: past the goal is allowed
        if self.km[seat] >= self.goal and not self.arrived_turn[seat]:
            self.arrived_turn[seat] = self.turn + 1

    def _put_army(self, seat: int, i: int, target: int | None) -> None:
        self._lay(seat, self.ids_of("red_army")[i])
        if target is None:
            self.moscow_army = i  # M12
        else:
            self.army[target] = i  # M11

    def _put_general(self, seat: int, target: int | None) -> None:
        self._lay(seat, self.ids_of("red_general")[0])
        if target is None:
            self.moscow_general = True  # M12
        else:
            self.general[target] = True  # M11

    def _put_river(self, seat: int, target: int) -> None:
        self._lay(seat, self.ids_of("great_river")[0])
        self.river[target] = True  # M11

    # --- Hitler's orders ---------------------------------------------------------------------------------

    def _order(self, seat: int, j: int, target: int) -> None:
        self._give(seat, self.ids_of("order")[j], self.discards)
        self._obey(j, target)

    def _obey(self, j: int, target: int) -> None:
        """M26 to M28: what an order does to the player it hits."""
        value = self.types[self.ids_of("order")[j]].value
        if ORDERS[j] == "km":  # M26: km only, arrival may be lost (M19)
            self.km[target] = max(0, self.km[target] - value)
            self._note("order", order=j, target=target, gave=0, showed=False)
            return
        kind = "german_general" if ORDERS[j] == "general" else "division"  # M28, M27
        gave = self._surrender(target, kind, value)
        if gave < value:
            self.shown[target] = True  # R2: it could not comply in full
        self._note("order", order=j, target=target, gave=gave, showed=gave < value)

    def _surrender(self, seat: int, kind: str, n: int) -> int:
        """Discard the n weakest cards of a kind, as many as there are; how many it was (M27, R2)."""
        gave = 0
        for card in self.ids_of(kind):  # ascending strength
            while gave < n and self.hands[seat][card]:
                self._give(seat, card, self.discards)
                gave += 1
        return gave

    # --- combat ------------------------------------------------------------------------------------------

    def red_total(self, seat: int, target: str) -> int:
        """The number to reach (M21): of the army before a seat, or of Moscow."""
        armies = self.ids_of("red_army")
        if target == "moscow":  # a general doubles the army only, there is no river
            army = 0 if self.moscow_army < 0 else self.types[armies[self.moscow_army]].value
            return self.rules["moscow_strength"] + army * (2 if self.moscow_general else 1)
        river = self.river[seat] and self.month <= self.last_river_month  # R6
        boosts = int(self.general[seat]) + int(river)
        factor = 1 + boosts if self.rules["boosts"] == "add" else 2**boosts  # R8
        return self.types[armies[self.army[seat]]].value * factor

    def _commit(self, seat: int) -> dict[int, int]:
        usable = self.held(seat, FIGHTERS)
        cards = self._counts("commit", self.choose("commit", seat, dict(usable), self), usable)
        used = Counter(dict.fromkeys(FIGHTERS, 0))
        for card, n in cards.items():
            used[self.types[card].kind] += n
        if used["division"] < 1 or used["german_general"] > 1:  # M20
            raise IllegalChoice(f"commit {cards!r}: at least one division, at most one general")
        return cards

    def _fight(self, seat: int, target: str) -> None:
        """M13 and M14: cards first, then the die, then what follows."""
        self.target = target
        cards = self._commit(seat)
        for card, n in cards.items():
            for _ in range(n):
                self._give(seat, card, self.in_play)
        total = self.red_total(seat, target)
        modifier = self.rules["months"][self.month]["attack"]
        base = sum(self.types[card].value * n for card, n in cards.items()) + modifier
        die = self.dice[self.turn][self.action]
        sides = self.rules["die_sides"]
        assert 1 <= die <= sides
        attack = base + die  # M21; no floor (R8)
        won = attack >= total  # M22
        doubled = attack >= 2 * total
        self._note(
            "fight",
            target=target,
            cards=dict(cards),
            modifier=modifier,
            die=die,
            attack=attack,
            total=total,
            won=won,
            faces=sum(base + face >= total for face in range(1, sides + 1)),
            doubled=doubled,
        )
        for card, n in cards.items():  # M23: discarded, win or lose
            self.in_play[card] -= n
            self.discards[card] += n
        self.conserve()
        if won and target == "moscow":
            self.winner, self.over = seat, True  # M25: at once
        else:
            if won:
                self._beaten(seat)  # R1: first the km,
            self._reorganise(seat, cards)  # then reorganise, won or lost,
            if won and doubled:
                self._exploit(seat)  # then the extra advance (never after Moscow)
        self.target = None

    def _beaten(self, seat: int) -> None:
        """M22: the army's km go to the victor; army, general and river to the discard pile."""
        card = self.ids_of("red_army")[self.army[seat]]
        self.discards[card] += 1
        self.discards[self.ids_of("red_general")[0]] += self.general[seat]
        self.discards[self.ids_of("great_river")[0]] += self.river[seat]
        self.army[seat], self.general[seat], self.river[seat] = -1, False, False
        self._drive(seat, self.types[card].km)

    def _reorganise(self, seat: int, cards: Mapping[int, int]) -> None:
        """M24, R1: at most one a fight; the strongest division used comes back."""
        card = self.ids_of("reorganise")[0]
        if not self.hands[seat][card]:
            return
        choice = self.choose("reorganise", seat, [False, True], self)
        if choice not in (False, True):
            raise IllegalChoice(f"reorganise {choice!r}")
        if not choice:
            return
        self._give(seat, card, self.discards)
        back = max(k for k in cards if self.types[k].kind == "division")  # ids ascend with strength
        self.discards[back] -= 1
        self._take(seat, back)
        self._note("reorganise", card=back)
        self.conserve()

    def _exploit(self, seat: int) -> None:
        """M22: after twice the total the victor may play one advance card from hand."""
        held = [i for i, k in enumerate(self.ids_of("advance")) if self.hands[seat][k]]
        if not held:
            return
        choice = self.choose("exploit", seat, [None, *held], self)
        if choice is None:
            return
        if choice not in held:
            raise IllegalChoice(f"exploit {choice!r}")
        self._advance(seat, choice)
        self._note("exploit", card=self.ids_of("advance")[choice])

    # --- solo --------------------------------------------------------------------------------------------

    def _solo(self, card: int) -> None:
        """M30: Red cards and orders drawn take effect at once; R13: a card with no place is discarded."""
        kind, index = self.types[card].kind, self.types[card].index
        if kind == "red_army" and self.army[0] < 0:
            self.army[0] = index
        elif kind == "red_army" and self.moscow_army < 0:
            self.moscow_army = index
        elif kind == "red_general" and self.army[0] >= 0 and not self.general[0]:
            self.general[0] = True
        elif kind == "great_river" and self.army[0] >= 0 and not self.river[0]:
            self.river[0] = True
        else:
            self.discards[card] += 1
            if kind == "order":
                self._obey(index, 0)
