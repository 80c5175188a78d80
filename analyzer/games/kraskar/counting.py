"""What is counted while Kraskar is played (additive integers), and the measures of finished games."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array, Grid
from analyzer.games.kraskar.model import TROOPS
from analyzer.games.kraskar.tables import CAUSES, STRIDE, Side, Tables
from analyzer.sim.tally import Tally, histogram

if TYPE_CHECKING:
    from analyzer.games.kraskar.field import Field
    from analyzer.games.kraskar.state import U8, KraskarState

ENDS = ("castle fell", "turn limit")
WALLS = ("wall", "gate")
SQUARES = STRIDE * STRIDE
BATCHES = 32  # games are counted in so many batches, too, by their number: what a share's interval rests on


def empty(tables: Tables) -> dict[str, NDArray[np.int64]]:
    """The counters of a block, by name, with the shapes that `tallies` names the axes of."""
    units = tables.units

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return {
        "actions": zeros(2, max(side.actions for side in tables.sides)),
        "sieges": zeros(2, units, 2),
        "damage": zeros(2, units, 2, BATCHES),
        "retreats": zeros(2, units, len(CAUSES), BATCHES),
        "fallen": zeros(2, SQUARES),
    }


def actions(field: Field, code: U8) -> None:
    """Every action by its code. (Pass stands for lanes that are not asked, too: the tally leaves it out.)"""
    counted = field.state.counted["actions"][field.seat]
    counted += np.bincount(code, minlength=len(counted))


def sieges(field: Field, lanes: NDArray[np.intp], unit: NDArray[np.intp], gate: U8, taken: U8) -> None:
    """Sieges by unit and at the gate or not, and the castle life they took (K13), this by batch of games."""
    sieges, damage = (field.state.counted[name][field.seat] for name in ("sieges", "damage"))
    life = np.arange(field.tables.most_siege + 1)
    shape = (*damage.shape, life.size)
    key = ((unit * 2 + gate) * BATCHES + field.batch[lanes]) * life.size + taken
    by_life = np.bincount(key, minlength=math.prod(shape)).reshape(shape)
    sieges += by_life.sum(axis=(2, 3))
    damage += by_life @ life


def retreats(
    field: Field, seat: int, lanes: NDArray[np.intp], unit: NDArray[np.intp], square: U8, cause: U8
) -> None:
    """Units of `seat` that had to retreat, by cause and batch of games, and the squares where it happened
    (K22)."""
    counted = field.state.counted
    by_unit = counted["retreats"][seat]
    key = (unit * by_unit.shape[1] + cause) * BATCHES + field.batch[lanes]
    by_unit += np.bincount(key, minlength=by_unit.size).reshape(by_unit.shape)
    counted["fallen"][seat] += np.bincount(square, minlength=SQUARES)


def outcome(tables: Tables, state: KraskarState, lanes: NDArray[np.intp]) -> dict[str, Array]:
    """Measures of the finished games in `lanes`, [game] or [seat, game].

    winner uint8 (seat from 1, 0 nobody), end uint8 (label code), turns, rounds, first uint8 (the seat from 1
    that moved first), castle uint8 (life left), sieges, retreats, wasted uint16 (chips not taken at the cap),
    fingerprint int64 (a hash of the start and of the position after every turn: equal games share one).
    """

    def cut(name: str) -> Array:
        values = getattr(state, name)
        return values if lanes.size == values.shape[-1] else values.take(lanes, axis=-1)

    turns, castle = cut("length"), cut("castle")
    return {
        "winner": cut("winner"),
        "end": np.minimum.reduce(castle > 0, axis=0).astype(np.uint8),
        "turns": turns,
        "rounds": (turns >> 1) + (turns & 1),
        "first": cut("first") + np.uint8(1),
        "castle": castle,
        "sieges": cut("sieges"),
        "retreats": cut("retreats"),
        "wasted": cut("wasted"),
        "fingerprint": cut("fingerprint").view(np.int64),
    }


def tallies(tables: Tables, state: KraskarState, columns: dict[str, Array]) -> dict[str, Tally]:
    """All tallies of a block; `columns` are the outcomes of its games."""
    counted, seats = state.counted, (1, 2)
    rules = tables.rules
    winner, first = columns["winner"], columns["first"]
    turns = tuple(range(rules.turn_limit + 1))
    units = _unit_labels(tables)
    shares = np.bincount(winner, minlength=3)[1:, None]
    return {
        "shares": Tally({"seat": seats, "winners": (1,)}, shares),
        "ends": histogram(
            {"end": ENDS, "winner": (0, 1, 2), "first": seats}, columns["end"], winner, first - 1
        ),
        "turns": histogram({"turns": turns}, columns["turns"]),
        "damage": Tally(
            {"seat,unit,troop": units, "at": WALLS}, _flat(tables, counted["damage"]).sum(axis=2)
        ),
        "damage_by_batch": _damage_by_batch(tables, counted["damage"]),
        "sieges": Tally({"seat,unit,troop": units, "at": WALLS}, _flat(tables, counted["sieges"])),
        "retreats": Tally(
            {"seat,unit,troop": units, "cause": CAUSES}, _flat(tables, counted["retreats"]).sum(axis=2)
        ),
        "retreats_by_batch": Tally(
            {"seat": seats, "cause": CAUSES, "batch": tuple(range(BATCHES))}, counted["retreats"].sum(axis=1)
        ),
        "fallen": Tally({"seat": seats, "row,column": _square_labels()}, counted["fallen"]),
        "actions": _action_tally(tables, counted["actions"]),
        "wasted": _by_seat("wasted", columns["wasted"], rules.turn_limit),
        "life_left": _life_left(columns, rules.castle_life),
    }


def _by_seat(name: str, values: Array, most: int) -> Tally:
    """How many games had each value [seat, game] of a measure, by seat."""
    seats, axis = np.array([[0], [1]]), tuple(range(most + 1))
    places = np.broadcast_to(seats, values.shape)
    return histogram({"seat": (1, 2), name: axis}, places.reshape(-1), values.reshape(-1))


def _life_left(columns: dict[str, Array], most: int) -> Tally:
    """Castle life at the end, by seat and by whether the seat won (0 no, 1 yes)."""
    life, seats = columns["castle"], np.array([[0], [1]])
    won = columns["winner"] == seats + 1
    places = np.broadcast_to(seats, life.shape)
    axes = {"seat": (1, 2), "won": (0, 1), "life": tuple(range(most + 1))}
    return histogram(axes, places.reshape(-1), won.reshape(-1), life.reshape(-1))


def _unit_labels(tables: Tables) -> list[tuple[int, str, str]]:
    """(seat, unit, troop type) of every unit of both decks."""
    return [(seat, unit.name, unit.troop) for seat, side in enumerate(tables.sides, 1) for unit in side.units]


def _flat(tables: Tables, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[seat, unit, ...] -> [unit of both decks, ...], without the places of units that are not there."""
    return np.concatenate([counts[seat, : side.size] for seat, side in enumerate(tables.sides)])


def _damage_by_batch(tables: Tables, damage: NDArray[np.int64]) -> Tally:
    """Castle life taken by troop type, at the gate or the wall, and batch of games; both seats together."""
    by_troop = np.zeros((len(TROOPS), *damage.shape[2:]), np.int64)
    for seat, side in enumerate(tables.sides):
        np.add.at(by_troop, side.troop, damage[seat, : side.size])
    return Tally({"troop": TROOPS, "at": WALLS, "batch": tuple(range(BATCHES))}, by_troop)


def _square_labels() -> list[tuple[int, int]]:
    """(row, column) from 1 of every square code; row 1 is seat 1's nearest."""
    return [(code // STRIDE + 1, code % STRIDE + 1) for code in range(SQUARES)]


def _action_tally(tables: Tables, counts: NDArray[np.int64]) -> Tally:
    """How often each unit did what, by seat, unit and kind of action (pass is not kept)."""
    labels: list[tuple[int, str, str]] = []
    totals: list[int] = []
    for seat, side in enumerate(tables.sides):
        for name, unit, part in _kinds(side):
            labels.append((seat + 1, side.units[unit].name, name))
            totals.append(int(counts[seat, part].sum()))
    return Tally({"seat,unit,action": labels}, np.array(totals, np.int64))


def _kinds(side: Side) -> list[tuple[str, int, NDArray[np.intp]]]:
    """(kind of action, unit, its codes) for all codes of a side but pass."""
    kinds = []
    for name, block in side.blocks.items():
        if not isinstance(block, Grid):
            continue
        codes = np.arange(side.actions)[block.place]
        for unit in np.unique(side.unit_of[codes]):
            kinds.append((name, int(unit), codes[side.unit_of[codes] == unit]))
    return kinds
