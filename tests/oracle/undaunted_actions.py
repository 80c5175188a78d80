"""The actions of the cards in the scalar oracle of Undaunted: what each may be aimed at, and what it does.

Rule ids (U8 to U25) and rulings are those of `analyzer/games/undaunted/rules.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.oracle.undaunted_table import (
    CODES,
    CONTROLLED,
    FOG,
    MORTAR,
    ORDER,
    SCOUTED,
    UNITS,
    Attack,
    Luck,
    Side,
    Table,
)

Choose = Callable[[str, int, Any, Any], Any]
STAY = ENOUGH = None  # the answers that end a walk, or a Bolster
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
        self.acting: tuple[int, str, str] | None = None  # (seat, card, action) that is carried out
        self.mover: str | None = None  # the unit that takes a step
        # action: (what it may be aimed at, what it does)
        self.handlers: dict[str, tuple[Callable[[Play], list[Any]], Callable[[Play], None]]] = {
            "move": (self._walks, self._walk),
            "stalk": (self._walks, self._walk),
            "scout": (self._walks, self._walk),
            "guide": (self._guides, self._guide),
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
        assert legal, f"nothing to answer to {kind}"
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
        self.counts["play", self.seat, card, action] += 1
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
        assert self.seat is not None
        self.acting = (self.seat, card, action)
        self.handlers[action][1](play)
        self.acting = None

    def draw(self, seat: int, n: int) -> None:
        """U5, ruling 5: a short deck is filled up with the shuffled discard pile."""
        side = self.sides[seat]
        for _ in range(n):
            if not side.deck:
                if not side.discard:
                    return
                side.deck, side.discard = sorted(side.discard, key=ORDER.__getitem__), []
                self.note("refilled", owner=seat, cards=list(side.deck))
            side.hand.append(self.pick(seat))

    # --- walking -----------------------------------------------------------------------------------------

    def _onward(self, unit: str, here: int, action: str) -> list[int]:
        """U11, U12: a tile to move to carries an own marker; U13, U14: Scout and Stalk go anywhere."""
        near = self.tiles[here].neighbours
        if action in ("scout", "stalk"):
            return list(near)
        return [tile for tile in near if self.own.markers[tile] is not None]

    def _walks(self, play: Play) -> list[Any]:
        """Ruling 3: a unit that has just been placed may stay, another one takes a step."""
        assert play.at is not None
        onward = self._onward(play.card, play.at, play.action)
        return [STAY, *onward] if play.placed else onward

    def _walk(self, play: Play) -> None:
        self._go(play.card, play)

    def _go(self, unit: str, play: Play) -> None:
        """Up to n steps, one after the other; the way back is no other than the way there (ruling 3)."""
        own = self.own
        self.mover = unit
        for taken in range(play.n):
            here = own.counters[unit]
            assert here is not None
            onward = self._onward(unit, here, play.action)
            tile = self.ask("step", [STAY, *onward] if taken or play.placed else onward)
            if tile is STAY:
                break
            own.counters[unit] = tile
            if unit == MORTAR:
                own.target = None  # U21, ruling 6
            if play.action == "scout" and own.markers[tile] is None:
                own.markers[tile] = SCOUTED
                self._take_fog(own)  # U13, ruling 3
        self.mover = None

    def _guides(self, play: Play) -> list[Any]:
        """U12; U10, ruling 6: only a ready counter that is on the board."""
        own = self.own
        where = {unit: own.counters[unit] for unit in own.on_board() if unit not in own.suppressed}
        return [u for u, tile in where.items() if tile is not None and self._onward(u, tile, "guide")]

    def _guide(self, play: Play) -> None:
        self._go(self.ask("guide", self._guides(play)), play)

    def _take_fog(self, side: Side) -> None:
        """One Fog of War from a side's supply to its discard pile, if there is any."""
        if side.supply[FOG]:
            side.supply[FOG] -= 1
            side.discard.append(FOG)

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
            code = self.ask("bolster", [ENOUGH, *left] if taken else left)  # ruling 4: at least one
            if code is ENOUGH:
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
        if self.acting is not None:
            played[play.card] -= 1
        squad = self.cards[play.card].squad
        return [code for code in CODES if played[code] > 0 and self.cards[code].squad == squad]

    def _inspire(self, play: Play) -> None:
        for _ in range(play.n):
            again = self._inspires(play)
            if not again:
                return
            code = self.ask("inspire", again)
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
        self.own.target = self.ask("target", self._aims(play))

    def _attacks(self, play: Play) -> list[Any]:
        return self.enemy.on_board()  # U22, U2: anywhere

    def _attack(self, play: Play) -> None:
        assert self.seat is not None
        self._fire(play, 1 - self.seat, self.ask("attack", self._attacks(play)), self._casualty)

    def _suppressions(self, play: Play) -> list[Any]:
        """U23: no effect on a suppressed one."""
        return [unit for unit in self.enemy.on_board() if unit not in self.enemy.suppressed]

    def _suppress(self, play: Play) -> None:
        assert self.seat is not None
        self._fire(play, 1 - self.seat, self.ask("attack", self._suppressions(play)), self._silence)

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
            self._fire(play, seat, unit, self._casualty)

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

    def _fire(self, play: Play, seat: int, unit: str, harm: Callable[[int, str], str]) -> None:
        """U22: a roll against a counter of a seat; `harm` is what a hit does, one at most."""
        assert self.seat is not None
        tile = self.sides[seat].counters[unit]
        defence = self.defence(play, seat, unit)
        dice = self.roll(play.n)
        hit = any(face >= defence or (face == 0 and self.rules["zero_hits"]) for face in dice)
        result = harm(seat, unit) if hit else "missed"
        self.attacks.append(
            Attack(self.seat, play.card, play.action, seat, unit, defence, play.n, hit, result)
        )
        self.note("roll", attack=self.attacks[-1], faces=dice)
        if result in ("card", "counter"):
            self.counts["hit", tile, seat] += 1
        if result == "counter":
            self.counts["fallen", tile, seat] += 1

    def _silence(self, seat: int, unit: str) -> str:
        """U23."""
        self.sides[seat].suppressed.add(unit)
        self.counts["suppressed", seat, unit] += 1
        return "suppressed"

    def _casualty(self, seat: int, unit: str) -> str:
        """U25: one card of the unit leaves the game, or the counter leaves the board."""
        place = self._place_of(seat, unit)
        result = "counter" if place == "board" else "card"
        self.counts["casualty", seat, unit, result] += 1
        self.note("casualty", owner=seat, unit=unit, place=place)
        side = self.sides[seat]
        if place != "board":
            getattr(side, place).remove(unit)
            side.removed[unit] += 1
            return result
        side.counters[unit] = None
        side.suppressed.discard(unit)  # ruling 1
        if unit == MORTAR and not self.rules["target_outlives_mortar"]:
            side.target = None  # U21
        return result

    def _place_of(self, seat: int, unit: str) -> str:
        """U25: where the card that is lost lies, or "board". Only the active side has a play area."""
        side = self.sides[seat]
        places = {"play_area": side.play_area, "hand": side.hand, "discard": side.discard, "deck": side.deck}
        return next((name for name, cards in places.items() if unit in cards), "board")
