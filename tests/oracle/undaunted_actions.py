"""The actions of the cards in the scalar oracle of Undaunted: what each may be aimed at, and what it does.

Rule ids (U8 to U25) and rulings are those of `analyzer/games/undaunted/rules.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.oracle.undaunted_table import CODES, CONTROLLED, FOG, MORTAR, SCOUTED, UNITS, Luck, Side, Table

Choose = Callable[[str, int, Any, Any], Any]
STOP = None  # the answer that ends a Scout's path or a Bolster
NOTHING = [None]  # the targets of an action that needs none and may be done


class IllegalChoice(Exception):
    """The chooser gave an answer the rules do not allow."""


class Play(NamedTuple):
    """A card used for an action of strength n; at: its unit's tile; placed: it comes on the board now."""

    card: str
    action: str
    n: int
    at: int | None
    placed: bool


class Actions(Table):
    """The table with everything a card can do. `choose` is asked for targets (see `Oracle`)."""

    def __init__(self, rules: Mapping[str, Any], luck: Luck, choose: Choose, checked: bool = True) -> None:
        super().__init__(rules, luck, checked)
        self.choose = choose
        self.playing: Play | None = None
        # action: (what it may be aimed at, what it does)
        self.handlers: dict[str, tuple[Callable[[Play], list[Any]], Callable[[Play], None]]] = {
            "move": (self._moves, self._move),
            "stalk": (self._stalks, self._stalk),
            "guide": (self._guides, self._guide),
            "scout": (self._first_steps, self._scout),
            "bolster": (self._bolsters, self._bolster),
            "command": (self._commands, self._command),
            "conceal": (self._conceals, self._conceal),
            "control": (self._controls, self._control),
            "inspire": (self._inspires, self._inspire),
            "recon": (self._recons, self._recon),
            "target": (self._aims, self._aim),
            "attack": (self._attacks, self._attack),
            "suppress": (self._suppressions, self._suppress),
            "blast": (self._blasts, self._blast),
        }

    @property
    def own(self) -> Side:
        assert self.seat is not None
        return self.sides[self.seat]

    @property
    def enemy(self) -> Side:
        assert self.seat is not None
        return self.sides[1 - self.seat]

    def ask(self, kind: str, legal: Sequence[Any], seat: int | None = None) -> Any:
        """The chooser's answer; not asked where there is only one."""
        if len(legal) == 1:
            return legal[0]
        seat = self.seat if seat is None else seat
        assert seat is not None
        answer = self.choose(kind, seat, legal, self)
        if answer not in legal:
            raise IllegalChoice(f"{kind} {answer!r} by seat {seat} in round {self.round}, not of {legal}")
        return answer

    # --- a card and its actions --------------------------------------------------------------------------

    def plan(self, card: str, action: str) -> Play:
        """U9: a unit off the board acts from its spawn tile."""
        n = self.cards[card].actions[action]
        if card not in UNITS:
            return Play(card, action, n, None, False)
        at = self.own.counters[card]
        return Play(card, action, n, self.own.spawn[card] if at is None else at, at is None)

    def possible(self, card: str) -> list[str]:
        """What a card of the own hand may be used for, in the order of the card; Hunker Down last."""
        if card == FOG:
            return []  # U8
        if card in self.own.suppressed:
            return ["rally", "hunker"]  # U10, ruling 8
        printed = [a for a in self.cards[card].actions if self.handlers[a][0](self.plan(card, a))]  # ruling 2
        return [*printed, "hunker"]

    def use(self, card: str, action: str) -> None:
        """U7: one card of the hand for one of its actions, or for Hunker Down."""
        own = self.own
        own.hand.remove(card)
        self.note("play", card=card, action=action)
        if action == "hunker":
            own.supply[card] += 1  # U8: no counter is placed or turned ready
            return
        own.play_area.append(card)  # ruling 2: before it resolves
        if action == "rally":
            own.suppressed.remove(card)  # U10
            return
        play = self.plan(card, action)
        if play.placed:
            own.counters[card] = play.at  # U9; ruling 1: this is not entering
            self.note("placed", unit=card, tile=play.at)
        self.playing = play
        self.handlers[action][1](play)
        self.playing = None

    def draw(self, seat: int, n: int) -> None:
        """U5, ruling 5: a short deck is filled up with the shuffled discard pile."""
        side = self.sides[seat]
        for _ in range(n):
            if not side.deck:
                if not side.discard:
                    return
                side.deck, side.discard = self.luck.shuffled(seat, side.discard), []
                self.note("shuffle", owner=seat, cards=list(side.deck))
            side.hand.append(side.deck.pop(0))

    # --- walking -----------------------------------------------------------------------------------------

    def _ways(self, play: Play, own: Side | None) -> list[int]:
        """The tiles a unit may go to; ruling 3: its own tile only if it has just been placed."""
        assert play.at is not None
        reached = self.within(play.at, play.n, own)
        return sorted(reached | {play.at} if play.placed else reached)

    def _go(self, unit: str, tile: int) -> None:
        if unit == MORTAR and tile != self.own.counters[unit]:
            self.own.target = None  # U21, ruling 6
        self.own.counters[unit] = tile

    def _moves(self, play: Play) -> list[Any]:
        return self._ways(play, self.own)  # U11

    def _move(self, play: Play) -> None:
        self._go(play.card, self.ask("tile", self._moves(play)))

    def _stalks(self, play: Play) -> list[Any]:
        return self._ways(play, None)  # U14

    def _stalk(self, play: Play) -> None:
        self._go(play.card, self.ask("tile", self._stalks(play)))

    def _guided(self, unit: str, n: int) -> list[int]:
        tile = self.own.counters[unit]
        assert tile is not None
        return sorted(self.within(tile, n, self.own))  # U12

    def _guides(self, play: Play) -> list[Any]:
        """U10, ruling 6: only a ready counter that is on the board."""
        own = self.own
        return [u for u in own.on_board() if u not in own.suppressed and self._guided(u, play.n)]

    def _guide(self, play: Play) -> None:
        unit = self.ask("own unit", self._guides(play))
        self._go(unit, self.ask("tile", self._guided(unit, play.n)))

    def _steps(self, play: Play, taken: int) -> list[Any]:
        """U13, ruling 3: anywhere, back too; a scout that is on the board takes at least one step."""
        here = self.own.counters[play.card] if taken else play.at
        assert here is not None
        onward = list(self.tiles[here].neighbours) if taken < play.n else []
        return [STOP, *onward] if taken or play.placed else onward

    def _first_steps(self, play: Play) -> list[Any]:
        return self._steps(play, 0)

    def _scout(self, play: Play) -> None:
        for taken in range(play.n):
            tile = self.ask("step", self._steps(play, taken))
            if tile is STOP:
                return
            self.own.counters[play.card] = tile
            if self.own.markers[tile] is None:
                self.own.markers[tile] = SCOUTED
                self._take_fog(self.own)  # U13

    def _take_fog(self, side: Side) -> bool:
        """One Fog of War from a side's supply to its discard pile, if there is any."""
        if not side.supply[FOG]:
            return False
        side.supply[FOG] -= 1
        side.discard.append(FOG)
        return True

    # --- cards -------------------------------------------------------------------------------------------

    def _bolsters(self, play: Play) -> list[Any]:
        """U15, ruling 4: never Fog of War; a Squad Leader only its own letter."""
        squad = self.cards[play.card].squad
        return [
            code
            for code in CODES
            if self.own.supply[code] and code != FOG and squad in ("", self.cards[code].squad)
        ]

    def _bolster(self, play: Play) -> None:
        for taken in range(play.n):
            left = self._bolsters(play)
            if not left:
                return
            code = self.ask("pick", [STOP, *left] if taken else left)  # ruling 4: at least one
            if code is STOP:
                return
            self.own.supply[code] -= 1
            self.own.discard.append(code)

    def _commands(self, play: Play) -> list[Any]:
        return NOTHING if self.own.deck or self.own.discard else []  # ruling 5

    def _command(self, play: Play) -> None:
        assert self.seat is not None
        self.draw(self.seat, play.n)  # U16

    def _conceals(self, play: Play) -> list[Any]:
        return NOTHING if self.enemy.supply[FOG] else []

    def _conceal(self, play: Play) -> None:
        self._take_fog(self.enemy)  # U17

    def _inspires(self, play: Play) -> list[Any]:
        """U19: cards of the squad played before; the Leader itself is still in the hand, or left out."""
        played = Counter(self.own.play_area)
        if self.playing is not None:
            played[play.card] -= 1
        squad = self.cards[play.card].squad
        return [code for code in CODES if played[code] > 0 and self.cards[code].squad == squad]

    def _inspire(self, play: Play) -> None:
        for _ in range(play.n):
            again = self._inspires(play)
            if not again:
                return
            code = self.ask("again", again)
            self.own.play_area.remove(code)
            self.own.hand.append(code)

    def _recons(self, play: Play) -> list[Any]:
        return NOTHING if FOG in self.own.hand else []  # U20

    def _recon(self, play: Play) -> None:
        assert self.seat is not None
        self.own.hand.remove(FOG)
        self.own.removed[FOG] += 1
        self.draw(self.seat, 1)

    # --- control -----------------------------------------------------------------------------------------

    def _controls(self, play: Play) -> list[Any]:
        """U18; U30, ruling 11: the radio may be controlled again, by US only."""
        assert self.seat is not None
        assert play.at is not None
        if self.counters_on(1 - self.seat, play.at):
            return []
        again = self.seat == 0 and self.tiles[play.at].radio
        marker = self.own.markers[play.at]
        return NOTHING if marker == SCOUTED or (marker == CONTROLLED and again) else []

    def _control(self, play: Play) -> None:
        tile = play.at
        assert tile is not None
        if self.own.markers[tile] == CONTROLLED:
            self.points[tile] += 1  # U30
        self.own.markers[tile] = CONTROLLED
        if self.enemy.markers[tile] == CONTROLLED:
            self.enemy.markers[tile] = SCOUTED

    # --- fire --------------------------------------------------------------------------------------------

    def _aims(self, play: Play) -> list[Any]:
        """U21: far from the mortar; where the marker lies already it would change nothing."""
        assert play.at is not None
        away, least = self.distances[play.at], self.rules["target_distance"]
        return [k for k in range(len(self.tiles)) if away[k] >= least and k != self.own.target]

    def _aim(self, play: Play) -> None:
        self.own.target = self.ask("tile", self._aims(play))

    def _attacks(self, play: Play) -> list[Any]:
        return self.enemy.on_board()  # U22, U2: anywhere

    def _attack(self, play: Play) -> None:
        assert self.seat is not None
        unit = self.ask("enemy unit", self._attacks(play))
        if self._fire(play, 1 - self.seat, unit):
            self._casualty(1 - self.seat, unit)

    def _suppressions(self, play: Play) -> list[Any]:
        """U23: no effect on a suppressed one."""
        return [unit for unit in self.enemy.on_board() if unit not in self.enemy.suppressed]

    def _suppress(self, play: Play) -> None:
        assert self.seat is not None
        unit = self.ask("enemy unit", self._suppressions(play))
        if self._fire(play, 1 - self.seat, unit):
            self.enemy.suppressed.add(unit)

    def _victims(self) -> list[tuple[int, str]]:
        """U24, ruling 7: every counter on the target marker's tile, the enemy's first."""
        assert self.seat is not None
        tile = self.own.target
        if tile is None:
            return []
        return [(seat, unit) for seat in (1 - self.seat, self.seat) for unit in self.counters_on(seat, tile)]

    def _blasts(self, play: Play) -> list[Any]:
        return NOTHING if self._victims() else []

    def _blast(self, play: Play) -> None:
        for seat, unit in self._victims():
            if self._fire(play, seat, unit):
                self._casualty(seat, unit)

    def defence(self, play: Play, seat: int, unit: str) -> int:
        """U22, U24: total defence of a counter on the board."""
        tile = self.sides[seat].counters[unit]
        base = self.cards[unit].defence
        assert tile is not None
        assert base is not None
        if play.action == "blast":
            return base + self.cover(tile, None)
        assert play.at is not None
        return base + self.cover(tile, play.at) + self.distances[play.at][tile]

    def _fire(self, play: Play, seat: int, unit: str) -> bool:
        """U22: whether a roll hits a counter of a seat."""
        assert self.seat is not None
        defence = self.defence(play, seat, unit)
        dice = self.luck.roll(self.seat, play.n)
        hit = any(face >= defence or (face == 0 and self.rules["zero_hits"]) for face in dice)
        self.note("roll", play=play, owner=seat, unit=unit, defence=defence, dice=dice, hit=hit)
        return hit

    def _casualty(self, seat: int, unit: str) -> None:
        """U25: one card of the unit leaves the game, or the counter leaves the board."""
        side = self.sides[seat]
        for name in ("play_area", "hand", "discard", "deck"):
            place: list[str] = getattr(side, name)
            if unit in place:
                place.remove(unit)
                side.removed[unit] += 1
                self.casualties[seat][unit] += 1
                self.note("casualty", owner=seat, unit=unit, place=name)
                if place is side.deck:
                    side.deck = self.luck.shuffled(seat, side.deck)
                return
        side.counters[unit] = None
        side.suppressed.discard(unit)  # ruling 1
        side.counters_lost[unit] += 1
        if unit == MORTAR and not self.rules["target_outlives_mortar"]:
            side.target = None  # U21
        self.note("casualty", owner=seat, unit=unit, place="board")
