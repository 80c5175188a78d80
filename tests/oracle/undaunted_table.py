"""What lies on the table in the scalar oracle of Undaunted: cards, counters, tiles, markers, and their books.

Seats: 0 is US, 1 is DE. Tiles are counted from 0 in the order of the scenario's list. A card is its code
("RA", "PS", "FOW"); a unit has the code of its cards. Each side's cards lie in six places: deck,
hand, discard pile, play area, supply, and out of the game. `conserve` checks the books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

SIDES = ("US", "DE")
SQUADS = "ABC"
UNITS = ("RA", "RB", "RC", "SA", "SB", "SC", "GA", "GB", "GC", "SN", "MO")
RIFLEMEN, SCOUTS = UNITS[0:3], UNITS[3:6]
CODES = (*UNITS, "PS", "PG", "SLA", "SLB", "SLC", "FOW")
MORTAR = "MO"
FOG = "FOW"
SCOUTED, CONTROLLED = "scouted", "controlled"


ORDER = {code: k for k, code in enumerate(CODES)}
BITS = 32  # of a number that draws a card


class Luck(NamedTuple):
    """All chance of one game.

    first: who holds the initiative at the start, if the rules leave it open. draws[seat]: a 32-bit number for
    each card that seat draws, in order. dice: the faces (from 0) of all dice, in the order they are thrown.
    """

    first: int
    draws: Sequence[Iterable[int]]
    dice: Iterable[int]


class Attack(NamedTuple):
    """A roll of a unit against a counter. dice: how many. result: card, counter, suppressed or missed."""

    seat: int
    unit: str
    action: str
    target_seat: int
    target: str
    defence: int
    dice: int
    hit: bool
    result: str


class Card(NamedTuple):
    """A line of the card table. squad: its letter or "". defence: of its counter, None without one."""

    code: str
    initiative: int
    actions: Mapping[str, int]
    squad: str
    defence: int | None


class Tile(NamedTuple):
    """A tile as the scenario has it; neighbours are tile numbers."""

    name: str
    cover: int
    hill: bool
    radio: bool
    neighbours: tuple[int, ...]


class Outcome(NamedTuple):
    """How a game ended.

    winner: a seat or None for a draw. end: "points", "pin", "both pinned", "no hope" or "round limit".
    rounds: those begun. first: who held the marker at the start. points[seat]. casualties[seat]: hits that
    cost that seat a card or a counter; removed[seat]: the counters among them. attacks: every roll, in order.
    """

    winner: int | None
    end: str
    rounds: int
    first: int
    points: list[int]
    casualties: list[int]
    removed: list[int]
    attacks: list[Attack]


@dataclass
class Side:
    """All that belongs to one side."""

    goal: int | None  # points, or None: to pin the enemy
    spawn: Mapping[str, int]
    deck: list[str]
    supply: Counter[str]
    start: Counter[str]
    markers: list[str | None]  # of each tile
    counters: dict[str, int | None]  # unit -> tile, None off the board
    suppressed: set[str] = field(default_factory=set)
    target: int | None = None  # the tile of the target marker
    hand: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    play_area: list[str] = field(default_factory=list)
    removed: Counter[str] = field(default_factory=Counter)

    def on_board(self) -> list[str]:
        """The units whose counters are on the board."""
        return [unit for unit in UNITS if self.counters[unit] is not None]

    def has_any(self, codes: Sequence[str]) -> bool:
        """Whether a card of these is still in the game, wherever it lies."""
        places = (self.deck, self.discard, self.hand, self.play_area)
        return any(self.supply[c] or any(c in place for place in places) for c in codes)

    def owned(self) -> Counter[str]:
        """All cards still in the game, wherever they lie."""
        return self.supply + Counter(self.deck + self.hand + self.discard + self.play_area)


class Table:
    """The state of one game, without the rules of its turns.

    Public: round (from 0), seat (active, None outside turns), marker (who holds the initiative), sides[seat],
    tiles, points[tile], winner, end (None so far), over, attacks, counts, events (only if checked).
    counts[key] adds up, with the keys ("play", seat, card, action), ("bid", seat, card),
    ("initiative", round, seat), ("hit", tile, seat) and ("fallen", tile, seat) with the seat that suffers,
    ("casualty", seat, unit, "card" or "counter"), ("suppressed", seat, unit).
    """

    def __init__(self, rules: Mapping[str, Any], luck: Luck, checked: bool = True) -> None:
        self.rules, self.checked = rules, checked
        self._draws, self._dice = [iter(bits) for bits in luck.draws], iter(luck.dice)
        self.cards = card_table(rules)
        scenario = rules["scenario"]
        listed = scenario["tiles"]
        near = neighbours(listed)
        self.tiles = [
            Tile(t["name"], t["cover"], t["hill"], t["radio"], near[k]) for k, t in enumerate(listed)
        ]
        self.points: list[int] = [tile["points"] for tile in listed]  # U30: the radio's grow
        self.distances = [self._distances_from(k) for k in range(len(listed))]
        self.round = 0
        self.seat: int | None = None
        self.marker = self.first = self._first(scenario, luck.first)
        self.winner: int | None = None
        self.end: str | None = None
        self.events: list[dict[str, Any]] = []
        self.attacks: list[Attack] = []
        self.counts: Counter[tuple[Any, ...]] = Counter()
        self.sides = [self._side(seat, scenario) for seat in (0, 1)]
        aiming = [code for code, card in self.cards.items() if "target" in card.actions]
        self._only_mortars_aim = aiming in ([], [MORTAR]) and not rules["target_outlives_mortar"]
        self.conserve()

    # --- setup -------------------------------------------------------------------------------------------

    def _first(self, scenario: Mapping[str, Any], drawn: int) -> int:
        """U6: who holds the marker at the start."""
        first = self.rules["first_initiative"]
        if first == "both":
            return drawn
        return SIDES.index(scenario["initiative"] if first == "scenario" else first)

    def _side(self, seat: int, scenario: Mapping[str, Any]) -> Side:
        name = SIDES[seat]
        goal = scenario["goal"][name]
        deck = Counter(scenario["decks"][name]["deck"])
        supply = Counter(scenario["decks"][name]["supply"])
        tiles = scenario["tiles"]
        spawns = [(u, k) for k, tile in enumerate(tiles) for c in tile["spawn"][name] for u in units_of(c)]
        assert len(dict(spawns)) == len(spawns), "one spawn tile a unit"  # ruling 1
        counters: dict[str, int | None] = dict.fromkeys(UNITS)
        for k, tile in enumerate(tiles):
            counters.update(dict.fromkeys(tile["counters"][name], k))
        return Side(
            goal=None if goal == "pin" else goal,
            spawn=dict(spawns),
            deck=[code for code in CODES for _ in range(deck[code])],
            supply=supply,
            start=deck + supply,  # without the zeros
            markers=[tile["markers"][name] for tile in tiles],
            counters=counters,
        )

    @property
    def over(self) -> bool:
        return self.end is not None

    # --- chance ------------------------------------------------------------------------------------------

    def pick(self, seat: int) -> str:
        """The next card of a seat's deck. The deck lies in the order of codes: any card may be the next."""
        deck = self.sides[seat].deck
        return deck.pop(next(self._draws[seat]) * len(deck) >> BITS)

    def roll(self, dice: int) -> list[int]:
        """The faces of some dice."""
        return [next(self._dice) for _ in range(dice)]

    # --- the board ---------------------------------------------------------------------------------------

    def _distances_from(self, start: int) -> list[int]:
        """U1: the least number of tile steps to every tile."""
        steps = {start: 0}
        queue = [start]
        for tile in queue:
            for other in self.tiles[tile].neighbours:
                if other not in steps:
                    steps[other] = steps[tile] + 1
                    queue.append(other)
        return [steps[k] for k in range(len(self.tiles))]

    def within(self, start: int, steps: int, own: Side | None = None) -> set[int]:
        """The tiles 1 to `steps` steps from a tile; with `own`, over tiles with a marker of that side."""
        reached = {start}
        for _ in range(steps):
            near = {other for tile in reached for other in self.tiles[tile].neighbours}
            reached |= {tile for tile in near if own is None or own.markers[tile] is not None}
        return reached - {start}

    def counters_on(self, seat: int, tile: int) -> list[str]:
        """The units of a seat on a tile."""
        counters = self.sides[seat].counters
        return [unit for unit in UNITS if counters[unit] == tile]

    def score(self, seat: int) -> int:
        """U4: the points of the tiles the side controls."""
        markers = self.sides[seat].markers
        return sum(p for p, marker in zip(self.points, markers, strict=True) if marker == CONTROLLED)

    def cover(self, tile: int, attacker: int | None) -> int:
        """U3: of a tile against an attacker on a tile; None: against a Blast."""
        there = self.tiles[tile]
        if there.hill and (attacker is None or self.tiles[attacker].hill):
            return int(self.rules["hill_cover_from_hill"])
        return there.cover

    # --- the books ---------------------------------------------------------------------------------------

    def note(self, what: str, **fields: Any) -> None:
        """Keep an event for tests."""
        if self.checked:
            self.events.append({"what": what, "round": self.round, "seat": self.seat, **fields})

    def records(self, what: str) -> list[dict[str, Any]]:
        """The events of one sort: bids, play, placed, refilled, roll, casualty."""
        return [e for e in self.events if e["what"] == what]

    def conserve(self, between: bool = False) -> None:
        """Assert that no card is lost or made, and that what lies on the board may lie there.

        between: a round has just come to its end.
        """
        if not self.checked:
            return
        for seat, side in enumerate(self.sides):
            assert side.owned() + side.removed == side.start, f"cards of seat {seat}"
            assert min(side.supply.values(), default=0) >= 0
            lost = {code: self.counts["casualty", seat, code, "card"] for code in UNITS}
            assert side.removed == Counter({**lost, FOG: side.removed[FOG]}), f"cards lost by seat {seat}"
            assert side.deck == sorted(side.deck, key=ORDER.__getitem__)
            assert self.seat == seat or not side.play_area, "a play area outlives its turn"  # U7
            assert not (between and (side.hand or side.play_area)), "cards outlive their round"  # U7
            for unit, tile in side.counters.items():
                assert tile is None or 0 <= tile < len(self.tiles)
                assert tile is not None or unit not in side.suppressed  # ruling 1
            if side.target is not None and self._only_mortars_aim:
                mortar = side.counters[MORTAR]
                assert mortar is not None  # U21
                assert self.distances[mortar][side.target] >= self.rules["target_distance"]  # U21
        for pair in zip(*(side.markers for side in self.sides), strict=True):
            assert pair != (CONTROLLED, CONTROLLED)  # U4
        assert (self.end is None) <= (self.winner is None)

    def outcome(self) -> Outcome:
        """The result so far (final once `end` is set)."""
        suffered = [[a for a in self.attacks if a.target_seat == seat] for seat in (0, 1)]
        return Outcome(
            winner=self.winner,
            end=self.end or "",
            rounds=self.round + 1,
            first=self.first,
            points=[self.score(seat) for seat in (0, 1)],
            casualties=[sum(a.result in ("card", "counter") for a in rolls) for rolls in suffered],
            removed=[sum(a.result == "counter" for a in rolls) for rolls in suffered],
            attacks=list(self.attacks),
        )

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain copies, to be compared with ==; `radio`: the points of its tile now."""

        def counts(cards: Iterable[str]) -> dict[str, int]:
            return dict(Counter(cards))

        def marked(side: Side, marker: str) -> list[int]:
            return [k for k, own in enumerate(side.markers) if own == marker]

        sides = self.sides
        radio = [points for tile, points in zip(self.tiles, self.points, strict=True) if tile.radio]
        return {
            "round": self.round,
            "holder": self.marker,
            "hands": [counts(side.hand) for side in sides],
            "decks": [counts(side.deck) for side in sides],
            "discards": [counts(side.discard) for side in sides],
            "played": [counts(side.play_area) for side in sides],
            "supplies": [counts(side.supply.elements()) for side in sides],
            "counters": [
                {u: [side.counters[u], u in side.suppressed] for u in side.on_board()} for side in sides
            ],
            "scouted": [marked(side, SCOUTED) for side in sides],
            "controlled": [marked(side, CONTROLLED) for side in sides],
            "target": [side.target for side in sides],
            "points": [self.score(seat) for seat in (0, 1)],
            "radio": radio[0] if radio else None,
            "over": self.over,
            "winner": self.winner,
        }


def units_of(spawn: str) -> list[str]:
    """The units of a spawn code: a squad's letter is its Rifleman, Scout and Machine Gunner."""
    return [kind + spawn for kind in "RSG"] if spawn in SQUADS else [spawn]


def neighbours(tiles: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    """U1: the neighbours of every tile, as the scenario names them or else by the places."""
    number = {tile["name"]: k for k, tile in enumerate(tiles)}
    place = {tuple(tile["at"]): k for k, tile in enumerate(tiles)}
    near = []
    for tile in tiles:
        x, y = tile["at"]
        around = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))]
        if tile["adj"] is None:
            near.append(tuple(sorted(place[at] for at in around if at in place)))
        else:
            near.append(tuple(sorted(number[name] for name in tile["adj"])))
    return near


KIND_OF = {"R": "rifleman", "S": "scout", "G": "gunner", "SN": "sniper", "MO": "mortar"}
KIND_OF |= {"PS": "sergeant", "PG": "guide", "SL": "leader", "FOW": "fog"}


def card_table(rules: Mapping[str, Any]) -> dict[str, Card]:
    """The card of every code; an action of strength 0 is none."""
    cards = {}
    for code in CODES:
        squad = code[-1] if code not in KIND_OF else ""
        row = rules["cards"][KIND_OF[code.removesuffix(squad)]]
        actions = {name: n for name, n in row.get("actions", {}).items() if n}
        cards[code] = Card(code, row["initiative"], actions, squad, row.get("defence"))
    return cards
