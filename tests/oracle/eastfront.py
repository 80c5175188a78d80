"""The scalar oracle of Eastfront 1944: one game in plain Python, in the order of the rules.

It is the slow, obvious twin that a fast engine is compared with, step by step and with `==`. It takes plain
data (a nested dict of rules, the luck of one game, a function that chooses) and imports nothing of the
analyzer. Rule ids (E1 to E20) and rulings (R1 to R12) are those of `analyzer/games/eastfront/rules.md`.

Every card lies in exactly one place. A play card: a hand, the draw deck, a table, in play (a support,
reaction or hinder card that is being resolved) or the discard pile. A Soviet card: its stack or the beaten
ones. A friend card: the pile or a player. `conserve` adds them up after every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

KINDS = ("german", "support", "soviet_attack", "misfortune", "reaction")  # the order of the type ids
AT_A_CARD = ("fire", "destroy", "recall")  # effects that name one German card on the target's table (R5)

Choice = Any
Choose = Callable[[str, int, Any, "Oracle"], Choice]
Action = tuple[Any, ...]


class IllegalChoice(Exception):
    """The chooser gave an answer the rules do not allow."""


class CardType(NamedTuple):
    """One type of play card; `index` counts within the kind, `text` is what the config says of it."""

    name: str
    kind: str
    index: int
    text: Mapping[str, Any]
    count: int


class Luck(NamedTuple):
    """All chance of one game.

    deck: the type id of every play card in shuffled order (E3, E6).
    soviet: the Soviet type of every card in shuffled order (E2).
    friends: the points of every friend card in the order in which they are taken (E1, R8).
    bits: bits[turn], 0 .. 2**32 - 1: the card of a hand that is lost at random in that turn (R5).
    """

    deck: Sequence[int]
    soviet: Sequence[int]
    friends: Sequence[int]
    bits: Sequence[int]


class Outcome(NamedTuple):
    """How a game ended: winners are seats (0-based, ascending), none if nobody won."""

    winners: tuple[int, ...]
    end: str
    turns: int
    points: tuple[int, ...]
    friends: tuple[int, ...]

    def share(self, seat: int) -> float:
        """The part of the game that a seat has won: each of k winners 1/k (E11), all 0 for nobody (R8)."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


class Exchange:
    """One exchange of fire as far as it has come."""

    def __init__(self, stack: int, soviet: int) -> None:
        self.stack, self.soviet = stack, soviet
        self.support: list[int] = []  # places in cards.support, in the order played
        self.pillbox: int | None = None  # who played one
        self.target: int | None = None  # the German card the left neighbour named
        self.fire: int | None = None  # German fire, None if no German card fired
        self.defence = 0
        self.lost = False
        self.destroyed = False

    def record(self) -> dict[str, Any]:
        """A copy for the events."""
        return {**vars(self), "support": list(self.support)}


def card_types(cards: Mapping[str, Any]) -> list[CardType]:
    """The types of play cards in the order of their ids: kind by kind, as the config has them."""
    return [
        CardType(text["name"], kind, index, text, text["count"])
        for kind in KINDS
        for index, text in enumerate(cards[kind])
    ]


def play(
    rules: Mapping[str, Any],
    players: int,
    luck: Luck,
    choose: Choose,
    after_turn: Callable[[dict[str, Any]], None] | None = None,
) -> Outcome:
    """Play one game to the end; `after_turn` gets the snapshot after every turn."""
    return Oracle(rules, players, luck, choose).play(after_turn)


class Oracle:
    """One game of Eastfront 1944.

    choose(kind, seat, legal, oracle) answers every decision, each asked only where it is a real one:
      "deploy"   legal: {type: held} of German cards    -> {type: count}, any number (E4, R1)
      "act"      legal: list of action tuples           -> one of them (E7):
                 ("nothing",) ("reinforce", g) ("hinder", h, target seat, g or None), where g is a German type
                 and h counts the cards that hinder, Soviet attacks first
      "cover"    legal: [False, True]; of the target    -> one of them (R7)
      "attack"   legal: [None, stack, ...]              -> one of them (E8, E12)
      "support"  legal: [None, place in cards.support, ...] -> one of them, None to stop (E14, R2)
      "pillbox"  legal: [False, True]; of another player -> one of them (E20, R2)
      "shoot"    legal: [g, ...]; of the left neighbour -> one of them (E13, R4)
      "go_on"    legal: [None, stack, ...]              -> one of them (E17)
      "discard"  legal: ({type: held}, excess)          -> {type: count}, exactly the excess (E9)

    State: turn, seat, hands[seat][type], tables[seat][German type], deck (next card first), discards[type],
    in_play[type], stacks[stack] (Soviet types, top first), face_up[stack] (its top card),
    beaten[Soviet type], friend_pile (points, next first), friends[seat] (points), halted[seat] (out of fuel),
    over, events; `exchange` is the one being decided, None outside an attack.
    """

    def __init__(
        self, rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose, checked: bool = True
    ) -> None:
        self._clear(rules, players, choose)
        self.checked = checked  # False leaves out the card count after every step, for long runs
        cards = rules["cards"]
        self.bits = luck.bits
        self.full = (
            [t.count for t in self.types],
            [s["count"] for s in self.soviet],
            sorted(f["points"] for f in cards["friends"] for _ in range(f["count"])),
        )
        self._set_up(luck)
        self._deploy()

    @classmethod
    def at_position(
        cls,
        rules: Mapping[str, Any],
        players: int,
        choose: Choose,
        *,
        hands: Sequence[Mapping[str, int]],
        deck: Sequence[str],
        tables: Sequence[Mapping[str, int]] = (),
        stacks: Sequence[Sequence[str]] = (),
        face_up: Sequence[int] = (),
        friend_pile: Sequence[int] = (1,),
        friends: Sequence[Sequence[int]] = (),
        halted: Sequence[int] = (),
        bits: Sequence[int] = (0,) * 100,
        discards: Mapping[str, int] | None = None,
        turn: int = 0,
    ) -> Oracle:
        """A game that starts in the middle; cards are given by name, and just these are all there are.

        `face_up` lists stacks, `halted` seats.
        """
        self = cls.__new__(cls)
        self._clear(rules, players, choose)
        self.bits = bits
        self.deck = [self.type_id(name) for name in deck]
        given = [(self.discards, discards or {})]
        given += [(self.hands[seat], cards) for seat, cards in enumerate(hands)]
        given += [(self.tables[seat], cards) for seat, cards in enumerate(tables)]
        for pile, cards in given:
            for name, n in cards.items():
                pile[self.type_id(name)] += n
        self.stacks = [[self.soviet_id(name) for name in stack] for stack in stacks]
        self.face_up = [stack in face_up for stack in range(len(stacks))]
        self.friend_pile = list(friend_pile)
        for seat, points in enumerate(friends):
            self.friends[seat] = list(points)
        self.halted = [seat in halted for seat in range(players)]
        self.turn, self.seat = turn, turn % players
        self.full = self._all_cards()
        return self

    def _clear(self, rules: Mapping[str, Any], players: int, choose: Choose) -> None:
        self.checked = True
        if not 2 <= players <= 8:  # E5
            raise ValueError(f"players must be 2 to 8, not {players}")
        self.rules, self.players, self.choose = rules, players, choose
        self.types = card_types(rules["cards"])
        self.soviet: Sequence[Mapping[str, Any]] = rules["cards"]["soviet"]
        self.ids = {t.name: k for k, t in enumerate(self.types)}
        self.german = [k for k, t in enumerate(self.types) if t.kind == "german"]
        self.support = [k for k, t in enumerate(self.types) if t.kind == "support"]
        self.hinder = [k for k, t in enumerate(self.types) if t.kind in ("soviet_attack", "misfortune")]
        self.cover, self.pillbox = (k for k, t in enumerate(self.types) if t.kind == "reaction")
        self.turn = self.seat = 0  # R12: "seat" is order of play, seat 0 moves first (E5)
        self.turns_played = 0
        n = len(self.types)
        self.hands = [[0] * n for _ in range(players)]
        self.tables = [[0] * len(self.german) for _ in range(players)]
        self.deck: list[int] = []
        self.discards, self.in_play = [0] * n, [0] * n
        self.stacks: list[list[int]] = []
        self.face_up: list[bool] = []
        self.beaten = [0] * len(self.soviet)
        self.friend_pile: list[int] = []
        self.friends: list[list[int]] = [[] for _ in range(players)]
        self.halted = [False] * players
        self.exchange: Exchange | None = None
        self.over = False
        self.bits: Sequence[int] = ()
        self.full: tuple[list[int], list[int], list[int]] = ([], [], [])
        self.events: list[dict[str, Any]] = []

    # --- words -------------------------------------------------------------------------------------------

    def type_id(self, name: str) -> int:
        """The id of a type of play card by its name, such as "panther"."""
        return self.ids[name]

    def soviet_id(self, name: str) -> int:
        """The id of a type of Soviet card by its name, such as "t34_85"."""
        return [s["name"] for s in self.soviet].index(name)

    def _note(self, what: str, **fields: Any) -> None:
        self.events.append({"what": what, "turn": self.turn, "seat": self.seat, **fields})

    def records(self, what: str) -> list[dict[str, Any]]:
        """The events of one sort: deploy, draw, act, hinder, loss, exchange, friend, discard."""
        return [e for e in self.events if e["what"] == what]

    def clockwise(self, seat: int) -> list[int]:
        """The other seats, the left neighbour first."""
        return [(seat + d) % self.players for d in range(1, self.players)]

    # --- cards -------------------------------------------------------------------------------------------

    def _move(self, card: int, source: list[int], pile: list[int]) -> None:
        """One card from a hand, table or pile to another."""
        assert source[card] > 0
        source[card] -= 1
        pile[card] += 1
        self.conserve()

    def _spend(self) -> None:
        """The cards in play go to the discard pile."""
        for card, n in enumerate(self.in_play):
            for _ in range(n):
                self._move(card, self.in_play, self.discards)

    def held(self, pile: Sequence[int], types: Sequence[int] | None = None) -> dict[int, int]:
        """{type: count} of the cards of a hand or table, of some types or of all."""
        return {k: n for k, n in enumerate(pile) if n and (types is None or k in types)}

    def _all_cards(self) -> tuple[list[int], list[int], list[int]]:
        cards = list(map(sum, zip(*self.hands, self.discards, self.in_play, strict=True)))
        for table in self.tables:
            for card, n in enumerate(table):
                cards[card] += n
        for card in self.deck:
            cards[card] += 1
        soviet = list(self.beaten)
        for stack in self.stacks:
            for card in stack:
                soviet[card] += 1
        return cards, soviet, sorted(sum(self.friends, self.friend_pile))

    def conserve(self) -> None:
        """Assert that every card is somewhere, once."""
        if not self.checked:
            return
        assert self._all_cards() == self.full, "cards do not add up"
        assert min(map(min, (*self.hands, *self.tables, self.discards, self.in_play, self.beaten))) >= 0

    # --- decisions ---------------------------------------------------------------------------------------

    def _ask(self, kind: str, seat: int, legal: Sequence[Any]) -> Any:
        """One of a list of answers."""
        answer = self.choose(kind, seat, legal, self)
        if answer not in legal:
            raise IllegalChoice(f"{kind} {answer!r} by seat {seat} on turn {self.turn}")
        return answer

    def _ask_cards(self, kind: str, seat: int, held: Mapping[int, int], legal: Any) -> dict[int, int]:
        """A choice of cards as {type: count > 0}, checked against what is held."""
        cards = {int(k): int(n) for k, n in self.choose(kind, seat, legal, self).items() if n != 0}
        for card, n in cards.items():
            if not 0 < n <= held.get(card, 0):
                raise IllegalChoice(f"{kind}: {n} of card type {card}, held {held.get(card, 0)}")
        return cards

    # --- setup -------------------------------------------------------------------------------------------

    def _set_up(self, luck: Luck) -> None:
        self.friend_pile = list(luck.friends)  # E1: no decision ever looks at it
        stacks = self.rules["stacks"]
        self.stacks = [list(luck.soviet[k::stacks]) for k in range(stacks)]  # E2: dealt out one by one
        self.face_up = [False] * stacks
        dealt = self.players * self.rules["opening_hand"]
        assert dealt < len(luck.deck), "the deck is too small to deal"
        for place, card in enumerate(luck.deck[:dealt]):  # E3
            self.hands[place % self.players][card] += 1
        self.deck = list(luck.deck[dealt:])
        assert self._all_cards() == self.full, "the shuffles are not the cards of the game"

    def _deploy(self) -> None:
        """E4, R1: all decide at once, so no card is put down before everybody has chosen."""
        chosen: list[dict[int, int]] = []
        for seat in range(self.players):
            held = self.held(self.hands[seat], self.german)
            chosen.append(self._ask_cards("deploy", seat, held, dict(held)) if held else {})
        for seat, cards in enumerate(chosen):
            self._note("deploy", owner=seat, cards=cards)
            for card, n in cards.items():
                for _ in range(n):
                    self._move(card, self.hands[seat], self.tables[seat])

    # --- the turn ----------------------------------------------------------------------------------------

    def play(self, after_turn: Callable[[dict[str, Any]], None] | None = None) -> Outcome:
        """Play to the end; `after_turn` gets the snapshot after every turn."""
        for snapshot in self.steps():
            if after_turn is not None:
                after_turn(snapshot)
        return self.outcome()

    def steps(self) -> Iterator[dict[str, Any]]:
        """Play turn by turn, yielding the snapshot after each; its `turn` and `seat` are those played."""
        while not self.over:
            self.seat = self.turn % self.players  # E5
            self._turn()
            self.turns_played += 1
            self.over = self._run_out()  # E10, R9: after the whole turn
            yield self.snapshot()
            self.turn += 1

    def _run_out(self) -> bool:
        """E10: the friend pile or the play deck is empty; the deck is never shuffled again (R9)."""
        return not self.friend_pile or not self.deck

    def _ends_at_once(self) -> bool:
        """E10 with `game_end: at_once`: the rest of the turn is not played."""
        return self.rules["game_end"] == "at_once" and self._run_out()

    def _turn(self) -> None:
        seat = self.seat
        self._draw(seat)
        if self._ends_at_once():
            return
        act = tuple(self._ask("act", seat, self.legal_actions(seat)))  # E7
        self._note("act", act=act)
        if act[0] == "reinforce":  # A
            self._move(act[1], self.hands[seat], self.tables[seat])
        elif act[0] == "hinder":  # B
            self._hinder(seat, *act[1:])
        if act[0] != "hinder":  # E7, E8; R7: covered or not
            self._attack(seat)
        if self._ends_at_once():
            return
        self.halted[seat] = False  # R6: it lasted to the end of this turn
        self._hand_limit(seat)

    def _draw(self, seat: int) -> None:
        card = self.deck.pop(0)  # E6
        self.hands[seat][card] += 1
        self._note("draw", card=card)
        self.conserve()

    def _hand_limit(self, seat: int) -> None:
        """E9, R9: down to exactly the limit, and only at the end of one's own turn."""
        excess = sum(self.hands[seat]) - self.rules["hand_limit"]
        if excess <= 0:
            return
        held = self.held(self.hands[seat])
        cards = self._ask_cards("discard", seat, held, (dict(held), excess))
        if sum(cards.values()) != excess:
            raise IllegalChoice(f"discard {cards!r}: {excess} cards are due")
        self._note("discard", cards=cards)
        for card, n in cards.items():
            for _ in range(n):
                self._move(card, self.hands[seat], self.discards)

    # --- hindering ---------------------------------------------------------------------------------------

    def legal_actions(self, seat: int) -> list[Action]:
        """Every legal action (E7) in a fixed order: by card, targets clockwise, then by the card named."""
        hand = self.hands[seat]
        legal: list[Action] = [("nothing",)]  # C
        legal += [("reinforce", g) for g in self.german if hand[g]]  # A: exactly one card
        for h, card in enumerate(self.hinder):  # B
            if hand[card]:
                for other in self.clockwise(seat):
                    legal += [("hinder", h, other, g) for g in self._may_name(self.types[card].text, other)]
        return legal

    def _may_name(self, text: Mapping[str, Any], other: int) -> list[int | None]:
        """What may be named with a hinder card against a player: German cards, or just None (R5)."""
        if text["effect"] == "discard":  # not against an empty hand
            return [None] if any(self.hands[other]) else []
        if text["effect"] == "halt":  # R6: it does not add up
            return [] if self.halted[other] else [None]
        assert text["effect"] in AT_A_CARD
        against = text["against"]
        fits = [against in ("any", self.types[g].text["unit"]) for g in self.german]
        return [g for g in self.german if self.tables[other][g] and fits[g]]

    def _hinder(self, seat: int, h: int, target: int, named: int | None) -> None:
        card = self.hinder[h]
        self._move(card, self.hands[seat], self.in_play)
        covered = self._covered(target)
        self._note("hinder", card=card, target=target, named=named, covered=covered)
        if not covered:
            self._befall(self.types[card].text, target, named)
        self._spend()

    def _covered(self, target: int) -> bool:
        """R7: only the target may cover, when all is named; both cards are spent."""
        if not self.hands[target][self.cover] or not self._ask("cover", target, [False, True]):
            return False
        self._move(self.cover, self.hands[target], self.in_play)
        return True

    def _befall(self, text: Mapping[str, Any], target: int, named: int | None) -> None:
        """What a hinder card does to its target (E7 B)."""
        effects: dict[str, Callable[[], None]] = {
            "fire": lambda: self._shelled(text["fire"], target, named),
            "destroy": lambda: self._lose(target, named),
            "recall": lambda: self._recall(target, named),
            "halt": lambda: self._halt(target),
            "discard": lambda: self._rob(target),
        }
        effects[text["effect"]]()

    def _shelled(self, fire: int, target: int, named: Any) -> None:
        if self._hits(fire, named):
            self._lose(target, named)

    def _hits(self, fire: int, german: int) -> bool:
        """E13: strictly greater than its defence."""
        return fire > self.types[german].text["defence"]

    def _lose(self, owner: int, german: Any) -> None:
        """A German card on a table is destroyed."""
        self._note("loss", owner=owner, card=german, source="table")
        self._move(german, self.tables[owner], self.discards)

    def _recall(self, target: int, named: Any) -> None:
        """Back to its owner's hand, which may pass the limit until his next turn end (E9, E19)."""
        self._move(named, self.tables[target], self.hands[target])

    def _halt(self, target: int) -> None:
        self.halted[target] = True  # R6

    def _rob(self, target: int) -> None:
        """R5: uniform over the cards of the hand."""
        hand = [k for k, n in enumerate(self.hands[target]) for _ in range(n)]
        lost = hand[self.bits[self.turn] * len(hand) >> 32]
        self._note("loss", owner=target, card=lost, source="hand")
        self._move(lost, self.hands[target], self.discards)

    # --- the attack --------------------------------------------------------------------------------------

    def open_stacks(self) -> list[int]:
        """The stacks with a Soviet card left."""
        return [k for k, stack in enumerate(self.stacks) if stack]

    def _attack(self, seat: int) -> None:
        """E8, E12 to E18: exchange after exchange."""
        stacks = self.open_stacks()
        if self.halted[seat] or not any(self.tables[seat]) or not stacks:  # R6, R4
            return
        stack = self._ask("attack", seat, [None, *stacks])
        while stack is not None and self._exchange(seat, stack):  # E16: not destroyed ends the attack
            if self._ends_at_once():
                return
            stack = self._go_on(seat, stack)

    def _go_on(self, seat: int, stack: int) -> int | None:
        """E17: the stack to go on with, None to stop."""
        assert any(self.tables[seat])  # R4: a Soviet card is destroyed by cards that are left
        rule = self.rules["go_on"]
        stacks = [stack] if self.stacks[stack] else []
        if rule == "any" or (rule == "same_then_any" and not stacks):
            stacks = self.open_stacks()
        return self._ask("go_on", seat, [None, *stacks]) if stacks else None

    def _exchange(self, seat: int, stack: int) -> bool:
        """One exchange with the top card of a stack, in the order of R2; whether it was destroyed."""
        self.face_up[stack] = True  # E12; naming a stack commits (R2)
        x = self.exchange = Exchange(stack, self.stacks[stack][0])
        self._play_support(seat, x)
        self._offer_pillbox(seat, x)
        if self._effect(x, "germans_first"):  # R3, E19: once, first; a card that survives still fires
            self._germans_fire(seat, x)
            if not x.destroyed:
                self._soviets_fire(seat, x)
        else:  # E14
            self._soviets_fire(seat, x)
            self._germans_fire(seat, x)
        self._note("exchange", **x.record())
        self._spend()
        self.exchange = None
        if x.destroyed:
            self._destroy(seat, stack)
        return x.destroyed

    def _effect(self, x: Exchange, effect: str) -> bool:
        """Whether a support card with an effect was played in this exchange."""
        return any(self.types[self.support[i]].text[effect] for i in x.support)

    def _play_support(self, seat: int, x: Exchange) -> None:
        """E14, R2: support cards one by one, any number (or one), until the attacker stops."""
        limit = 1 if self.rules["support_limit"] == "one" else sum(self.hands[seat])
        while len(x.support) < limit:
            held = [i for i, card in enumerate(self.support) if self.hands[seat][card]]
            i = self._ask("support", seat, [None, *held]) if held else None
            if i is None:
                return
            x.support.append(i)
            self._move(self.support[i], self.hands[seat], self.in_play)

    def _offer_pillbox(self, seat: int, x: Exchange) -> None:
        """E20, R2: offered to the others, the left neighbour first, until one is played."""
        for other in self.clockwise(seat):
            if self.hands[other][self.pillbox] and self._ask("pillbox", other, [False, True]):
                x.pillbox = other
                self._move(self.pillbox, self.hands[other], self.in_play)
                return

    def _soviets_fire(self, seat: int, x: Exchange) -> None:
        """E13: at the card the left neighbour names, hurt by it or not (R4); under smoke not at all (R2).

        R2 has the card named before any fire. After an ambush it is asked here: support and pillbox are known
        by then, so whether the Soviet card will fire is known too, and if not the name changes nothing.
        """
        if self._effect(x, "soviets_silent"):
            return
        x.target = self._ask("shoot", self.clockwise(seat)[0], list(self.held(self.tables[seat])))
        x.lost = self._hits(self.soviet[x.soviet]["fire"], x.target)
        if x.lost:
            self._lose(seat, x.target)

    def _germans_fire(self, seat: int, x: Exchange) -> None:
        """E15: all cards that are left, together (E12); artillery counts only with one of them (R2)."""
        left = self.held(self.tables[seat])
        if not left:
            return
        support = sum(self.types[self.support[i]].text["fire"] for i in x.support)
        x.fire = sum(self.types[g].text["fire"] * n for g, n in left.items()) + support
        pillbox = 0 if x.pillbox is None else self.types[self.pillbox].text["defence"]
        x.defence = self.soviet[x.soviet]["defence"] + pillbox
        x.destroyed = x.fire > x.defence

    def _destroy(self, seat: int, stack: int) -> None:
        """The top card of a stack is destroyed; the last one is worth a friend card (E18)."""
        self.beaten[self.stacks[stack].pop(0)] += 1
        self.face_up[stack] = False  # the card below is turned up when it is attacked (E12)
        if not self.stacks[stack] and self.friend_pile:
            self.friends[seat].append(self.friend_pile.pop(0))  # R8: they are alike face down
            self._note("friend", stack=stack, points=self.friends[seat][-1])
        self.conserve()

    # --- the end -----------------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """The result so far (final once `over`): E10, E11, R8."""
        points = tuple(sum(taken) for taken in self.friends)  # R8: 0 without a friend
        friends = tuple(len(taken) for taken in self.friends)
        winners: tuple[int, ...] = ()
        if any(friends):  # R8: else nobody wins
            winners = tuple(seat for seat in range(self.players) if points[seat] == max(points))
        if len(winners) > 1 and self.rules["tie"] == "nobody":
            winners = ()
        end = "deck ran out" if self.friend_pile else "all rescued"
        return Outcome(winners, end, self.turns_played, points, friends)

    def snapshot(self) -> dict[str, Any]:
        """The state after a turn as plain copies, to be compared with ==."""
        return {
            "turn": self.turn,
            "seat": self.seat,
            "hands": [list(hand) for hand in self.hands],
            "tables": [list(table) for table in self.tables],
            "stacks": [[len(stack), up] for stack, up in zip(self.stacks, self.face_up, strict=True)],
            "halted": list(self.halted),
            "friends": [len(taken) for taken in self.friends],
            "points": [sum(taken) for taken in self.friends],
            "discards": list(self.discards),
            "beaten": list(self.beaten),
            "deck_left": len(self.deck),
            "over": self.over,
        }

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know (R10)."""
        tops = [stack[0] if up else None for stack, up in zip(self.stacks, self.face_up, strict=True)]
        return {
            "hand": list(self.hands[seat]),
            "hand_sizes": [sum(hand) for hand in self.hands],
            "tables": [list(table) for table in self.tables],
            "tops": tops,
            "heights": [len(stack) for stack in self.stacks],
            "beaten": list(self.beaten),
            "halted": list(self.halted),
            "discards": list(self.discards),
            "in_play": list(self.in_play),
            "deck_left": len(self.deck),
            "friends": [len(taken) for taken in self.friends],
            "friends_left": len(self.friend_pile),
        }
