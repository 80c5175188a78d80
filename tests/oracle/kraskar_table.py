"""What lies on the table in the scalar oracle of Kraskar: units, board, castles, chips, and their books.

Seats, units (places in a deck), columns, rows and turns are counted from 0. Row 0 is the nearest row of
seat 0, the last row is the nearest row of seat 1; columns are the same for both (R3). A unit is either on the
field, in one square and with hit points, or retreated, with a return gauge. `conserve` checks the books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

DIRECTIONS = ("forward", "back", "west", "east")  # as the owner of the unit sees them
CAUSES = ("melee", "charge", "shot", "snipe", "thrust", "interception", "strike")

Square = tuple[int, int]


class Luck(NamedTuple):
    """All chance of one game: the first mover (K5), and columns[seat][unit] to start at (K3)."""

    first: int
    columns: Sequence[Sequence[int]]


class Outcome(NamedTuple):
    """How a game ended.

    winner: a seat or None for a draw. end: "castle fell" or "turn limit". turns: those begun. first: who
    moved first. castle[seat]: life left. siege_damage[seat][unit][gate]: life that unit took from the other
    castle, at the wall (0) and at the gate (1). sieges[seat][unit]: how often. retreats[seat][cause] of the
    units of that seat, causes in the order of CAUSES. wasted[seat]: chips not taken because of the cap.
    """

    winner: int | None
    end: str
    turns: int
    first: int
    castle: list[int]
    siege_damage: list[list[list[int]]]
    sieges: list[list[int]]
    retreats: list[list[int]]
    wasted: list[int]


@dataclass
class Unit:
    """One unit of a deck; `*_until` is the turn at whose head a condition ends, None without it."""

    seat: int
    index: int
    name: str
    country: str
    troop: str
    base_force: int
    base_wit: int
    stratagem: Mapping[str, Any] | None
    hit_points: int
    square: Square | None
    gauge: int = 0
    points: int = 0
    exhausted_until: int | None = None
    besieging_until: int | None = None
    modifiers: dict[str, tuple[int, int]] = field(default_factory=dict)  # kind -> (amount, until)
    # What it has done this turn.
    moved: bool = False
    meleed: bool = False
    charged: bool = False
    shot: bool = False
    thrusted: bool = False
    cast: bool = False

    @property
    def exhausted(self) -> bool:
        return self.exhausted_until is not None

    @property
    def besieging(self) -> bool:
        return self.besieging_until is not None

    def amount(self, kind: str) -> int:
        """The modifier of a kind now in force, 0 without one."""
        return self.modifiers.get(kind, (0, 0))[0]

    @property
    def force(self) -> int:
        """R4: base and modifiers, not below 0, then halved if it has sieged (K14)."""
        force = max(0, self.base_force + self.amount("boost") + self.amount("rally") - self.amount("weaken"))
        return force // 2 if self.besieging else force

    @property
    def wit(self) -> int:
        """K14: halved if it has sieged; wit 0 counts as 1."""
        return max(1, self.base_wit // 2 if self.besieging else self.base_wit)

    def fresh_turn(self, points: int) -> None:
        """K9: points for a unit on the field; nothing done yet."""
        self.points = points if self.square is not None else 0
        self.moved = self.meleed = self.charged = self.shot = self.thrusted = self.cast = False


def distance(a: Square, b: Square) -> int:
    """K17: a diagonal step counts 1."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


class Table:
    """The state of one game, without the rules of its turns.

    Public: turn, seat (active), first, units[seat][unit], castle[seat], chips[seat], wasted[seat],
    spent[seat], draws, caps[seat], siege_damage[seat][unit][gate], sieges[seat][unit], retreats[seat][cause],
    winner (None so far), over, events.
    """

    def __init__(self, rules: Mapping[str, Any], luck: Luck, checked: bool = True) -> None:
        self.rules, self.checked = rules, checked
        self.rows: int = rules["rows"]
        self.columns: int = rules["columns"]
        self.first = luck.first  # K5
        self.turn, self.seat = 0, luck.first
        self.turns_played = 0
        self.castle = [rules["castle_life"]] * 2  # K3
        self.chips = [rules["start_chips"]] * 2  # K7
        self.wasted, self.spent, self.draws = [0, 0], [0, 0], 0
        self.start_castle, self.start_chips = list(self.castle), list(self.chips)
        self.winner: int | None = None
        self.over = False
        self.events: list[dict[str, Any]] = []
        self.units = [self._deck(seat, luck.columns[seat]) for seat in (0, 1)]
        self.caps = [self._cap(seat) for seat in (0, 1)]
        self.siege_damage = [[[0, 0] for _ in deck] for deck in self.units]
        self.sieges = [[0 for _ in deck] for deck in self.units]
        self.retreats = [Counter(dict.fromkeys(CAUSES, 0)) for _ in (0, 1)]
        self.conserve()

    # --- setup -------------------------------------------------------------------------------------------

    def _deck(self, seat: int, columns: Sequence[int]) -> list[Unit]:
        """K4, K3: the units of a seat in their nearest row, several to a square allowed."""
        deck = deck_of(self.rules, seat)
        assert len(columns) == len(deck["units"]), "a start column for every unit"
        assert all(0 <= column < self.columns for column in columns)
        if self.rules["start_columns"] == "deck":
            assert list(columns) == [column - 1 for column in deck["columns"]], "the deck gives the columns"
        units = []
        for index, (name, column) in enumerate(zip(deck["units"], columns, strict=True)):
            card = _named(self.rules["units"], name)
            table = self.rules["stratagems"]  # an empty table turns them off
            stratagem = _named(table, card["stratagem"]) if table and card["stratagem"] != "none" else None
            units.append(
                Unit(
                    seat=seat,
                    index=index,
                    name=name,
                    country=card["country"],
                    troop=card["troop"],
                    base_force=card["force"],
                    base_wit=card["wit"],
                    stratagem=stratagem,
                    hit_points=self.rules["hit_points"],
                    square=(self.home_row(seat), column),
                )
            )
        return units

    def _cap(self, seat: int) -> int:
        """K7, R1: by the countries on the deck list."""
        caps = self.rules["chip_caps"]
        cap: int = caps[min(len({unit.country for unit in self.units[seat]}), len(caps)) - 1]
        return cap

    # --- the board ---------------------------------------------------------------------------------------

    def home_row(self, seat: int) -> int:
        """K1: the nearest row of a seat."""
        return 0 if seat == 0 else self.rows - 1

    def siege_row(self, seat: int) -> int:
        """K2: the siege area of a seat is the nearest row of its enemy."""
        return self.home_row(1 - seat)

    @property
    def gate(self) -> int:
        """K2: the central column."""
        return self.columns // 2

    def step(self, seat: int, square: Square, direction: str) -> Square | None:
        """The square next to a square in a direction of a seat, None off the board (K11: orthogonal)."""
        ahead = 1 if seat == 0 else -1
        rows, columns = {"forward": (ahead, 0), "back": (-ahead, 0), "west": (0, -1), "east": (0, 1)}[
            direction
        ]
        row, column = square[0] + rows, square[1] + columns
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def on_field(self, seat: int) -> list[Unit]:
        """The units of a seat on the field, in deck order."""
        return [unit for unit in self.units[seat] if unit.square is not None]

    def enemies_at(self, seat: int, square: Square | None) -> list[Unit]:
        """The enemies of a seat in a square, in deck order; none off the board."""
        return [unit for unit in self.units[1 - seat] if square is not None and unit.square == square]

    # --- the books ---------------------------------------------------------------------------------------

    def _note(self, what: str, **fields: Any) -> None:
        self.events.append({"what": what, "turn": self.turn, "seat": self.seat, **fields})

    def records(self, what: str) -> list[dict[str, Any]]:
        """The events of one sort: turn, deploy, main, siege, charge, hit, retreat, cast."""
        return [e for e in self.events if e["what"] == what]

    def conserve(self) -> None:
        """Assert that every unit is in one place only, and that castles and chips add up."""
        if not self.checked:
            return
        rules = self.rules
        for seat in (0, 1):
            for unit in self.units[seat]:
                self._conserve_unit(unit)
            lost = sum(sum(by_gate) for by_gate in self.siege_damage[1 - seat])
            assert self.castle[seat] == self.start_castle[seat] - lost >= 0
            assert 0 <= self.chips[seat] <= self.caps[seat]
            got = self.start_chips[seat] + self.draws - self.wasted[seat]
            assert self.chips[seat] == got - self.spent[seat]
        mine, theirs = ({unit.square for unit in self.on_field(seat)} for seat in (0, 1))
        assert not mine & theirs, "friend and foe in one square"  # K11
        assert self.over == (self.winner is not None or self.turns_played >= rules["turn_limit"])

    def _conserve_unit(self, unit: Unit) -> None:
        assert 0 <= unit.points <= self.rules["movement_points"]
        assert not (unit.meleed and unit.shot)  # K17
        if unit.square is None:
            assert unit.hit_points == 0
            assert 0 <= unit.gauge < self.rules["return_gauge"]
            assert (unit.exhausted_until, unit.besieging_until, unit.modifiers) == (None, None, {})  # R8
            assert unit.points == 0
            return
        row, column = unit.square
        assert 0 <= row < self.rows
        assert 0 <= column < self.columns
        assert row != self.siege_row(unit.seat), "a unit stays in the siege area"  # K13
        assert 0 < unit.hit_points <= self.rules["hit_points"]
        assert unit.gauge == 0
        ends = [unit.exhausted_until, unit.besieging_until, *(until for _, until in unit.modifiers.values())]
        assert all(until is None or until > self.turn for until in ends)

    def outcome(self) -> Outcome:
        """The result so far (final once `over`)."""
        return Outcome(
            winner=self.winner,
            end="castle fell" if 0 in self.castle else "turn limit",
            turns=self.turns_played,
            first=self.first,
            castle=list(self.castle),
            siege_damage=[[list(by_gate) for by_gate in deck] for deck in self.siege_damage],
            sieges=[list(deck) for deck in self.sieges],
            retreats=[[by_cause[cause] for cause in CAUSES] for by_cause in self.retreats],
            wasted=list(self.wasted),
        )

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain copies, to be compared with ==; all of it lies open."""

        def each(of: Callable[[Unit], Any]) -> list[list[Any]]:
            return [[of(unit) for unit in deck] for deck in self.units]

        return {
            "turn": self.turn,
            "seat": self.seat,
            "castle": list(self.castle),
            "chips": list(self.chips),
            "wasted": list(self.wasted),
            "square": each(lambda unit: unit.square),
            "hit_points": each(lambda unit: unit.hit_points),
            "gauge": each(lambda unit: unit.gauge),
            "exhausted": each(lambda unit: unit.exhausted),
            "besieging": each(lambda unit: unit.besieging),
            "force": each(lambda unit: 0 if unit.square is None else unit.force),
            "boost": each(lambda unit: unit.amount("boost")),
            "rally": each(lambda unit: unit.amount("rally")),
            "weaken": each(lambda unit: unit.amount("weaken")),
            "winner": self.winner,
            "over": self.over,
        }


def _named(table: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    (one,) = [row for row in table if row["name"] == name]
    return one


def deck_of(rules: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    """The deck a seat plays with: name, units, columns counted from 1."""
    return _named(rules["named_decks"], rules["decks"][seat])
