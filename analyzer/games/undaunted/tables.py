"""What never changes while one set of rules is played: the map as tables, each side's cards and play codes.

A side has only the cards of its scenario: `codes` are their types in the order of `scenario.CODES`, Fog of
War always last. Units come first, so that a unit's place among the units is its card's place among the types.
A play is a code: action by action, and within an action card by card; then rallies, hunkering, stop.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted.model import SQUAD_OF, UndauntedRules, UnitCard
from analyzer.games.undaunted.scenario import CODES, FOG, PIN, SIDES, UNITS, Scenario, SideName

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]

ACTIONS = (
    "move",
    "guide",
    "scout",
    "stalk",
    "bolster",
    "command",
    "conceal",
    "control",
    "inspire",
    "recon",
    "target",
    "attack",
    "suppress",
    "blast",
    "rally",
    "hunker",
    "stop",
)
MOVE, GUIDE, SCOUT, STALK, BOLSTER, COMMAND, CONCEAL, CONTROL, INSPIRE, RECON, TARGET = range(11)
ATTACK, SUPPRESS, BLAST, RALLY, HUNKER, STOP = range(11, 17)

OFF = 128  # what `off` holds for a unit whose counter is off the board; no tile has such a number
NO_TILE = 255  # where a target marker is that does not lie
_NONE = np.empty(0, np.intp)
PILES = ("hand", "deck", "discard", "played", "supply")


@dataclass(eq=False)
class Board:
    """The map: `tiles` tiles, 0-based in the scenario's order. A tile's bit is `1 << tile`."""

    names: tuple[str, ...]
    tiles: int
    near: U32  # [tile]: bits of the neighbours
    neighbours: NDArray[np.bool_]  # [tile, tile]
    distance: U8  # [tile, tile]: steps (U1)
    far: U32  # [tile]: bits of the tiles at a mortar's distance or more (U21)
    cover: U8  # [tile]
    hill: NDArray[np.bool_]  # [tile]
    shield: U8  # [attacker's tile, tile]: cover there against this attacker, and the distance (U3, U22)
    shelter: U8  # [tile]: cover against Blast (U24)
    spots: tuple[NDArray[np.int8], ...]  # x, y, hill (0/1), number [tile]: see `reach`
    plain: bool  # every distance is max(|dx|, |dy|, |dx - dy|)
    drop: int  # cover a hill loses against an attacker on a hill; 0: there are no hills
    points: U8  # [tile]: at the start
    radio: int  # the radio's tile; -1: there is none
    bit: U32  # [tile]


def _board(rules: UndauntedRules) -> Board:
    scenario = rules.scenario
    count = len(scenario.tiles)
    bit = np.uint32(1) << np.arange(count, dtype=np.uint32)
    distance = np.array(scenario.distances, np.uint8)
    neighbours = np.zeros((count, count), bool)
    for tile, near in enumerate(scenario.neighbours):
        neighbours[tile, list(near)] = True
    cover = np.array([tile.cover for tile in scenario.tiles], np.uint8)
    hill = np.array([tile.hill for tile in scenario.tiles])
    low = np.where(hill, np.uint8(rules.hill_cover_from_hill), cover).astype(np.uint8)
    x, y = np.array([tile.at for tile in scenario.tiles]).T
    dx, dy = x[:, None] - x, y[:, None] - y
    steps = np.maximum(np.maximum(np.abs(dx), np.abs(dy)), np.abs(dx - dy))
    spots = (x - x.min(), y - y.min(), hill, np.arange(count))
    radios = [number for number, tile in enumerate(scenario.tiles) if tile.radio]
    return Board(
        names=scenario.names,
        tiles=count,
        near=_bits(neighbours, bit),
        neighbours=neighbours,
        distance=distance,
        far=_bits(distance >= rules.target_distance, bit),
        cover=cover,
        hill=hill,
        shield=np.where(hill[:, None], low, cover).astype(np.uint8) + distance,
        shelter=low,
        spots=tuple(part.astype(np.int8) for part in spots),
        plain=bool((steps == distance).all()),
        drop=int((cover - low.astype(int)).max()) if hill.any() else 0,
        points=np.array([tile.points for tile in scenario.tiles], np.uint8),
        radio=radios[0] if radios else -1,
        bit=bit,
    )


def _bits(mask: NDArray[np.bool_], bit: U32) -> U32:
    """[tile]: the bits of the tiles that the mask [tile, tile] names."""
    found: U32 = np.where(mask, bit, 0).sum(axis=1, dtype=np.uint32)
    return found


class Side:
    """One side's cards, units and codes of plays, and the rows of its uint8[row, game] array in a state.

    Rows: five piles of counts by card type; tile (the spawn tile while off the board), off (0 or OFF) and
    suppressed (0/1) by unit; the tile of the target marker; cards left of Riflemen and of Scouts, in any
    pile; Riflemen's counters on the board.
    """

    def __init__(self, rules: UndauntedRules, seat: int) -> None:
        scenario, self.seat = rules.scenario, seat
        self.name: SideName = SIDES[seat]
        cards = scenario.cards(self.name)
        self.codes = tuple(code for code in CODES if cards.count(code) or code == FOG)
        self.units = tuple(code for code in self.codes if code in UNITS)
        self.types, self.size, self.fog = len(self.codes), len(self.units), len(self.codes) - 1
        self.initiative = _u8([rules.cards.card(code).initiative for code in self.codes] + [0])
        self.deck = _u8([cards.deck.count(code) for code in self.codes])
        self.supply = _u8([cards.supply.count(code) for code in self.codes])
        self.defence = _u8([rules.defence(unit) for unit in self.units])
        goal = scenario.goal_of(self.name)
        self.goal = None if goal == PIN else int(goal)
        self._board(scenario)
        self._squads()
        self._plays(rules)
        self._rows()

    def _board(self, scenario: Scenario) -> None:
        spawns, start = scenario.spawns(self.name), scenario.counters(self.name)
        self.spawn = _u8([spawns[unit] for unit in self.units])
        self.tile = _u8([start.get(unit, spawns[unit]) for unit in self.units])
        self.off = _u8([0 if unit in start else OFF for unit in self.units])
        marks = [scenario.marker(self.name, tile) for tile in range(len(scenario.tiles))]
        self.scouted = sum(1 << tile for tile, mark in enumerate(marks) if mark == "scouted")
        self.controlled = sum(1 << tile for tile, mark in enumerate(marks) if mark == "controlled")
        self.points = scenario.start_points(self.name)

    def _squads(self) -> None:
        """Which cards and units belong together."""
        self.riflemen = _places(self.units, "R")
        self.scouts = _places(self.units, "S", without="SN")
        self.mortar = self.units.index("MO") if "MO" in self.units else -1
        # 0/1 [card, type]: what a card may bolster (U15) and inspire (U19).
        self.may_bolster = np.zeros((self.types, self.types), np.uint8)
        self.squad = np.zeros((self.types, self.types), np.uint8)
        for card, code in enumerate(self.codes):
            for other, name in enumerate(self.codes[: self.fog]):
                same = SQUAD_OF.get(code) == SQUAD_OF.get(name) and code in SQUAD_OF
                self.squad[card, other] = same
                self.may_bolster[card, other] = same or not code.startswith("SL")

        self.bolsters = [row.nonzero()[0].tolist() for row in self.may_bolster]
        self.inspires = [row.nonzero()[0].tolist() for row in self.squad]
        self.is_rifleman, self.is_scout = np.zeros((2, self.size), np.uint8)
        self.is_rifleman[self.riflemen] = 1
        self.is_scout[self.scouts] = 1

    def _plays(self, rules: UndauntedRules) -> None:
        """The codes of plays: which card, which action, how much of it."""
        printed = [
            rules.cards.card(code).actions.model_dump() if code != FOG else {}  # type: ignore[union-attr]
            for code in self.codes
        ]
        plays: list[tuple[int, int, int]] = []
        self.blocks: dict[str, slice | int] = {}
        for action, name in enumerate(ACTIONS[:RALLY]):
            able = [(card, action, on[name]) for card, on in enumerate(printed) if on.get(name)]
            self._block(name, able, plays)
        self._block("rally", [(unit, RALLY, 1) for unit in range(self.size)], plays)
        self._block("hunker", [(card, HUNKER, 1) for card in range(self.fog)], plays)
        self.stop = len(plays)
        self.blocks["stop"] = self.stop
        plays.append((self.types, STOP, 0))
        self.plays = len(plays)
        self._cards_of = {
            name: np.array([card for card, _, _ in plays[block]], np.intp)
            for name, block in self.blocks.items()
            if isinstance(block, slice)
        }
        self.card_of, self.action_of, self.times_of = (_u8(column) for column in zip(*plays, strict=True))

    def _block(
        self, name: str, plays: list[tuple[int, int, int]], all_plays: list[tuple[int, int, int]]
    ) -> None:
        if plays:
            self.blocks[name] = slice(len(all_plays), len(all_plays) + len(plays))
            all_plays += plays

    def part(self, name: str) -> slice:
        """The codes of an action; an empty slice if no card of this side has it."""
        found = self.blocks.get(name, slice(0, 0))
        assert isinstance(found, slice)
        return found

    def cards_of(self, name: str) -> NDArray[np.intp]:
        """intp[card]: the card types that can be played for this action, in the order of its codes."""
        return self._cards_of.get(name, _NONE)

    def _rows(self) -> None:
        """Where the rows of the state's array lie."""
        ends = np.add.accumulate([self.types] * 5 + [self.size] * 3 + [1] * 4).tolist()
        starts = [0, *ends]
        spans = [slice(first, end) for first, end in zip(starts, ends, strict=False)]
        self.hand, self.in_deck, self.discard, self.played, self.in_supply = spans[:5]
        self.at, self.away, self.down = spans[5:8]
        self.target, self.rifles_left, self.scouts_left, self.rifle_counters = starts[8:12]
        self.rows = ends[-1]


def _u8(values: list[int] | tuple[int, ...]) -> U8:
    return np.array(values, np.uint8)


def _places(units: tuple[str, ...], letter: str, without: str = "") -> NDArray[np.intp]:
    return np.array([k for k, unit in enumerate(units) if unit[0] == letter and unit != without], np.intp)


class Tables:
    """All tables of one set of rules."""

    def __init__(self, rules: UndauntedRules) -> None:
        self.rules = rules
        self.board = _board(rules)
        self.sides = (Side(rules, 0), Side(rules, 1))
        self.always = rules.pin_ends_game == "always"
        self.max_turns = 1000 * rules.round_limit  # passes: far more than there can be


def defences(rules: UndauntedRules) -> dict[str, int]:
    """The base defence of every kind of counter."""
    kinds = {name: getattr(rules.cards, name) for name in type(rules.cards).model_fields}
    return {name: card.defence for name, card in kinds.items() if isinstance(card, UnitCard)}
