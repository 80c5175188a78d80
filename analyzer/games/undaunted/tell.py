"""One game of Undaunted told step by step: cards, dice, sums and what came of them, as plain facts.

The game does not know that it is told, but for the log of its attacks. The teller takes a picture of the
table at every decision and at every turn's end; what happened is the difference between two pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Decision
from analyzer.games.undaunted import tell_words
from analyzer.games.undaunted.scenario import SIDES
from analyzer.games.undaunted.state import BEGINS, FIRST, UndauntedState
from analyzer.games.undaunted.tables import ACTIONS, NO_TILE, OFF, Side
from analyzer.sim.chance import Luck
from analyzer.sim.trace import Event, is_asked

if TYPE_CHECKING:
    from analyzer.games.undaunted.rules import Undaunted

PILES = ("play area", "hand", "discard pile", "deck")  # where a casualty is taken from, in order (U25)
RESULTS = {0: "missed", 1: "card", 2: "counter"}
WALKS = ("move", "guide", "scout", "stalk")


@dataclass(frozen=True)
class Picture:
    """The table at one moment, in plain numbers; lists [seat]."""

    cards: list[Array]  # uint8[row] of `Side`: piles, counters, target marker
    scouted: list[int]  # bits of tiles
    controlled: list[int]
    points: list[int]
    holder: int
    stage: int
    rounds: int
    drawn: list[int]  # cards drawn so far
    bids: int  # cards bid so far, by both sides
    attacks: int  # throws so far

    def pile(self, side: Side, name: str) -> Array:
        """uint8[type]: hand, in_deck, discard, played or in_supply of a side."""
        found: Array = self.cards[side.seat][getattr(side, name)]
        return found

    def at(self, side: Side, unit: int) -> int | None:
        """The tile of a unit; None off the board."""
        rows = self.cards[side.seat]
        return None if rows[side.away][unit] & OFF else int(rows[side.at][unit])


def take_picture(state: UndauntedState) -> Picture:
    """A copy of what the only lane of the state holds."""
    assert state.log is not None
    return Picture(
        cards=[rows[:, 0].copy() for rows in state.side],
        scouted=[int(marks[0, 0]) for marks in state.marks],
        controlled=[int(marks[1, 0]) for marks in state.marks],
        points=state.score[:2, 0].tolist(),
        holder=int(state.holder[0]),
        stage=int(state.stage[0]),
        rounds=int(state.rounds[0]),
        drawn=[int(one[0]) for one in state.drawn],
        bids=int(state.counted["bids"].sum()),
        attacks=len(state.log),
    )


class Teller:
    """The recorder of one game. Events have `turn` (the round, 1-based, 0 before it) and `seat` (1-based;
    0: both sides).

    Cards and units go by their codes, tiles by their names; what both sides have is [US, DE]. By `what`:
      start        scenario, goal, pin_ends_game, first (side with the marker), tiles, deck, supply (code ->
                   count), and what a round has
      round        points, counters (unit -> tile), suppressed (units), scouted, controlled (tiles)
      draw         cards, shuffled (whether the discard pile became the deck); of both sides
      bids         cards (null: no card), initiative, holder (side), changed
      turn         side, policy, hand (code -> count), points
      play         card, action, unit, placed (its spawn tile, or null), others (how many other plays were
                   allowed), what the action did (see below), points
      end of turn  fog (Fog of War in hand, deck and discard pile)
      end          end, winner (a side or null), points
    A play has what its action needs: path (tiles), scouted (tiles newly marked), fog (cards of it taken);
    throws; cards (bolster, inspire, command, recon), shuffled; controlled (a tile), lost (whether the enemy
    controlled it); target (a tile). A throw: target, side (whose), tile, base, cover, hill, distance,
    defence, dice (faces), hit, result (missed, card, counter, suppressed), pile (where the card was).
    """

    def __init__(self, game: Undaunted, luck: Luck, labels: Sequence[str]) -> None:
        if len(luck.rows) != 1:
            raise ValueError(f"a teller tells one game, not {len(luck.rows)}")
        self.game, self.labels, self.rules = game, labels, game.rules
        self.sides, self.board = game.tables.sides, game.tables.board
        self.events: list[Event] = []
        self._round, self._seat = 0, -1
        self._play: _Play | None = None  # a play whose effect is not known yet
        self._begun = False  # whether the present turn of a side has been told
        self._bid: NDArray[np.int64] = np.zeros(0, np.int64)
        self._fog = [0, 0]  # Fog of War in each hand after the bids

    # -- the recorder -----------------------------------------------------------------------------
    def start(self, state: UndauntedState) -> None:
        """The setup of the scenario."""
        state.log = []
        self._bid = state.counted["bids"].copy()
        self._now = take_picture(state)
        scenario = self.rules.scenario
        goals = [scenario.goal_of(side) for side in SIDES]
        piles = {"deck": "in_deck", "supply": "in_supply"}
        facts = {
            name: [_codes(side, self._now.pile(side, pile)) for side in self.sides]
            for name, pile in piles.items()
        }
        self._add(
            "start",
            scenario=scenario.name,
            goal=goals,
            pin_ends_game=self.rules.pin_ends_game,
            first=SIDES[self._now.holder],
            tiles=[
                {
                    "name": tile.name,
                    **{"at": list(tile.at), "cover": tile.cover, "points": tile.points},
                    **{"hill": tile.hill, "radio": tile.radio},
                }
                for tile in scenario.tiles
            ],
            **facts,
            **self._table(self._now),
        )

    def decision(self, state: UndauntedState, turn: int, decision: Decision, answer: Array) -> None:
        """Tell what came of the last decision, then keep what was decided now."""
        if not is_asked(decision):
            return
        if decision.kind == "bid":
            return  # told, with the cards drawn before it, when the bids are revealed
        self._look(state)
        code = int(answer[0])
        if decision.kind != "play":
            assert self._play is not None
            self._play.choose(decision.kind, code, self._now)
            return
        self._finish()
        self._begin(decision.seat)
        own = self.sides[decision.seat]
        if code != own.stop:
            others = int(np.count_nonzero(decision.legal[:, 0])) - 1
            self._play = _Play(own, code, others, self._now)

    def turn_end(self, state: UndauntedState, turn: int) -> None:
        """Tell what came of the last play, and how the turn, and perhaps the game, ended."""
        before = self._now
        self._look(state)
        self._finish()
        now = self._now
        # Where the game stands if nobody was on turn: at its first side, once a round has begun.
        stage = FIRST if before.stage == BEGINS else before.stage
        over = bool(state.over[0])
        if now.stage != stage or over:
            seat = now.holder if stage == FIRST else 1 - now.holder
            side = self.sides[seat]
            fog = self._fog[seat]  # all it can have in hand if it had nothing to play
            self._begin(seat, {side.codes[side.fog]: fog} if fog else {})
            piles = ("hand", "in_deck", "discard", "played")
            fog = sum(int(now.pile(side, name)[side.fog]) for name in piles)
            self._add("end of turn", fog=fog)
            self._begun = False
        if over:
            winner = int(state.winner[0])
            end = self.game.labels["end"][int(state.end[0])]
            self._add("end", end=end, winner=SIDES[winner - 1] if winner else None, points=now.points)

    def lines(self) -> list[str]:
        """The game in words, round by round."""
        return tell_words.lines(self.events, self.labels)

    # -- pieces -----------------------------------------------------------------------------------
    def _add(self, what: str, **facts: Any) -> Event:
        self.events.append({"turn": self._round, "seat": self._seat + 1, "what": what, **facts})
        return self.events[-1]

    def _table(self, picture: Picture) -> dict[str, Any]:
        """What lies on the map, [US, DE]."""
        counters, suppressed = [], []
        for side in self.sides:
            places = ((unit, picture.at(side, k)) for k, unit in enumerate(side.units))
            counters.append({unit: self.board.names[tile] for unit, tile in places if tile is not None})
            down = picture.cards[side.seat][side.down]
            suppressed.append([unit for k, unit in enumerate(side.units) if down[k]])
        return {
            "points": picture.points,
            "counters": counters,
            "suppressed": suppressed,
            "scouted": list(map(self._tiles, picture.scouted)),
            "controlled": list(map(self._tiles, picture.controlled)),
        }

    def _tiles(self, bits: int) -> list[str]:
        return [name for tile, name in enumerate(self.board.names) if bits >> tile & 1]

    def _look(self, state: UndauntedState) -> None:
        """A new picture; a round that has begun since the last one is told."""
        before, self._now = self._now, take_picture(state)
        self._log = state.log or []
        if self._now.bids > before.bids:
            self._head(state, before)

    def _head(self, state: UndauntedState, before: Picture) -> None:
        """U5, U6: a new round: what both sides drew and bid."""
        now = self._now
        self._round = now.rounds
        self._seat = -1
        self._add("round", **self._table(before))
        hands = []
        for side in self.sides:
            self._seat = side.seat
            cards, shuffled = drawn(side, before, now)
            hands.append(cards)
            self._add("draw", cards=cards, shuffled=shuffled)
        new = state.counted["bids"] - self._bid
        self._bid = state.counted["bids"].copy()
        places = [int(row.argmax()) for row in new]
        self._fog = [
            cards.count(side.codes[side.fog]) - (place == side.fog)
            for side, cards, place in zip(self.sides, hands, places, strict=True)
        ]
        bid = [
            side.codes[place] if place < side.types else None
            for side, place in zip(self.sides, places, strict=True)
        ]
        values = [int(side.initiative[place]) for side, place in zip(self.sides, places, strict=True)]
        self._seat = -1
        self._add(
            "bids",
            cards=bid,
            initiative=values,
            holder=SIDES[now.holder],
            changed=now.holder != before.holder,
        )

    def _begin(self, seat: int, hand: dict[str, int] | None = None) -> None:
        """The heading of a side's turn, once a turn; `hand` where it is discarded already."""
        if self._begun:
            return
        self._begun, self._seat, now = True, seat, self._now
        side = self.sides[seat]
        self._add(
            "turn",
            side=side.name,
            policy=self.labels[seat],
            hand=_codes(side, now.pile(side, "hand")) if hand is None else hand,
            points=now.points,
        )

    # -- plays ------------------------------------------------------------------------------------
    def _finish(self) -> None:
        """Tell the play that has been carried out since."""
        if self._play is None:
            return
        play, self._play = self._play, None
        before, now, side = play.before, self._now, play.side
        foe = self.sides[1 - side.seat]
        facts: dict[str, Any] = {"card": play.card, "action": play.action, "unit": None, "placed": None}
        unit = play.unit(now)
        if unit is not None:
            facts["unit"] = side.units[unit]
            if before.at(side, unit) is None and play.action not in ("hunker", "guide"):
                facts["placed"] = self.board.names[int(side.spawn[unit])]
        if play.action in WALKS and unit is not None:
            facts |= self._walk(play, unit)
        elif play.action in ("attack", "suppress", "blast"):
            facts["throws"] = [self._throw(entry, before, side) for entry in self._log[before.attacks :]]
        elif play.action in ("bolster", "inspire"):
            facts["cards"] = play.taken(now)
        elif play.action in ("command", "recon"):
            facts["cards"], facts["shuffled"] = drawn(side, before, now)
        elif play.action == "control":
            facts |= self._control(play, foe)
        elif play.action == "target":
            facts["target"] = self.board.names[int(now.cards[side.seat][side.target])]
        self._seat = side.seat
        self._add("play", **facts, others=play.others, points=now.points)

    def _walk(self, play: _Play, unit: int) -> dict[str, Any]:
        """Where a counter goes, what it marks, and the Fog of War that brings."""
        before, now, side = play.before, self._now, play.side
        begin = before.at(side, unit)
        path = [int(side.spawn[unit]) if begin is None else begin, *play.path(unit, now)]
        marked = now.scouted[side.seat] & ~before.scouted[side.seat]
        fog = before.pile(side, "in_supply")[side.fog] - now.pile(side, "in_supply")[side.fog]
        had, has = (int(one.cards[side.seat][side.target]) for one in (before, now))
        names = [self.board.names[tile] for tile in path]
        return {
            "path": names,
            "scouted": self._tiles(marked),
            "fog": int(fog),
            "target_gone": had != NO_TILE and has == NO_TILE,
        }

    def _control(self, play: _Play, foe: Side) -> dict[str, Any]:
        before, now, seat = play.before, self._now, play.side.seat
        unit = play.unit(now)
        assert unit is not None
        tile = now.at(play.side, unit)
        assert tile is not None
        return {
            "tile": self.board.names[tile],
            "lost": bool(before.controlled[foe.seat] >> tile & 1),
            "radio": bool(before.controlled[seat] >> tile & 1),
        }

    def _throw(self, entry: dict[str, Any], before: Picture, side: Side) -> dict[str, Any]:
        """One entry of the log with its sum: base + cover + distance = total defence."""
        whose = self.sides[int(entry["foe"])]
        target, action = int(entry["target"][0]), ACTIONS[int(entry["action"][0])]
        defence, dice = int(entry["defence"][0]), int(entry["dice"][0])
        tile = before.at(whose, target)
        if action == "blast":
            tile = int(before.cards[side.seat][side.target])
        base = int(whose.defence[target])
        distance: int | None = None
        if action != "blast":
            unit = int(entry["unit"][0])
            there = before.at(side, unit)
            origin = int(side.spawn[unit]) if there is None else there
            distance = int(self.board.distance[origin][tile])
        lost = int(entry["lost"][0])
        hit = bool(entry["hit"][0])
        result = "suppressed" if action == "suppress" and hit else RESULTS[lost]
        return {
            "target": whose.units[target],
            "side": whose.name,
            "tile": self.board.names[int(tile)] if tile is not None else None,
            "base": base,
            "cover": defence - base - (distance or 0),
            "distance": distance,
            "defence": defence,
            "dice": [int(face[0]) for face in entry["faces"][:dice]],
            "hit": hit,
            "result": result,
            "pile": self._pile_of(whose, target, before, side) if result == "card" else None,
        }

    @staticmethod
    def _is_played(side: Side, unit: int) -> bool:
        """Whether the card just played, which lies in the play area by now, is one of this unit."""
        return side.units[unit] == "MO"  # only a mortar's Blast hits its own side

    def _pile_of(self, whose: Side, target: int, before: Picture, side: Side) -> str:
        """U25: where the card that a casualty costs is taken from."""
        own = whose.seat == side.seat
        names = ("played", "hand", "discard", "in_deck")
        for pile, name in zip(PILES, names, strict=True):
            there = int(before.pile(whose, name)[target])
            if name == "played" and own and self._is_played(side, target):
                there += 1
            if there and (own or name != "played"):
                return pile
        return "deck"


class _Play:
    """One play from its choice on: what was chosen on the way, until its effect can be told."""

    def __init__(self, side: Side, code: int, others: int, before: Picture) -> None:
        self.side, self.others, self.before = side, others, before
        self._card = int(side.card_of[code])
        self.card, self.action = side.codes[self._card], ACTIONS[int(side.action_of[code])]
        self._guided: int | None = None
        self._seen: list[Picture] = []  # the table before each step that was asked for

    def choose(self, kind: str, code: int, now: Picture) -> None:
        """A further choice of this play."""
        if kind == "guide":
            self._guided = code
        elif kind == "step":
            self._seen.append(now)

    def unit(self, now: Picture) -> int | None:
        """The own unit that acts; a Guide's is the one that was chosen or, without a choice, that moved."""
        if self.action != "guide":
            return self._card if self._card < self.side.size else None
        if self._guided is not None:
            return self._guided
        moved = [k for k in range(self.side.size) if self.before.at(self.side, k) != now.at(self.side, k)]
        return moved[0] if moved else None

    def path(self, unit: int, now: Picture) -> list[int]:
        """The tiles entered, in order."""
        begin = self.before.at(self.side, unit)
        last = int(self.side.spawn[unit]) if begin is None else begin
        found: list[int] = []
        for picture in (*self._seen, now):
            tile = picture.at(self.side, unit)
            if tile is not None and tile != last:
                found.append(tile)
                last = tile
        return found

    def taken(self, now: Picture) -> list[str]:
        """Bolster: cards that came out of the supply. Inspire: cards that left the play area for the hand."""
        if self.action == "bolster":
            gone = self.before.pile(self.side, "in_supply").astype(int) - now.pile(self.side, "in_supply")
        else:
            gone = self.before.pile(self.side, "played").astype(int) - now.pile(self.side, "played")
            gone[self._card] += 1  # it has come to lie there itself
        return _listed(self.side, gone)


def drawn(side: Side, before: Picture, now: Picture) -> tuple[list[str], bool]:
    """The cards a side has drawn between two pictures, and whether its discard pile became the deck (U5).

    What lies in hand afterwards may be discarded already; what is left in the deck tells as much.
    """
    many = now.drawn[side.seat] - before.drawn[side.seat]
    cards = before.pile(side, "in_deck").astype(int)
    shuffled = many > cards.sum()
    if shuffled:
        cards = cards + before.pile(side, "discard")
    return _listed(side, cards - now.pile(side, "in_deck")), bool(shuffled)


def _codes(side: Side, counts: Array) -> dict[str, int]:
    return {code: int(n) for code, n in zip(side.codes, counts, strict=True) if n}


def _listed(side: Side, counts: Array) -> list[str]:
    return [code for code, n in zip(side.codes, counts, strict=True) for _ in range(int(n))]
