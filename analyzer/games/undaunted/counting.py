"""What is counted while Undaunted is played (additive integers), and the measures of finished games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array
from analyzer.games.undaunted.state import FIRST
from analyzer.games.undaunted.tables import ACTIONS, ATTACK, BLAST, SUPPRESS, Side, Tables
from analyzer.sim.tally import Tally, histogram

if TYPE_CHECKING:
    from analyzer.games.undaunted.field import Field
    from analyzer.games.undaunted.state import U8, Rows, UndauntedState

ENDS = ("points", "pin", "both pinned", "no hope", "round limit")
POINTS, PINNED, BOTH, NO_HOPE, LIMIT = range(5)
RESULTS = ("card", "counter")  # what a casualty cost
FIGHTS = ("attack", "suppress", "blast")
MARKED = ("nobody", "US", "DE")  # who controls a tile
DEFENCES, DICE, FOG, MOST_POINTS = 36, 7, 61, 101  # sizes of axes, one more than the largest value
Index = NDArray[np.intp]


def empty(tables: Tables) -> dict[str, NDArray[np.int64]]:
    """The counters of a block, by name, with the shapes that `tallies` names the axes of."""
    units, tiles = max(side.size for side in tables.sides), tables.board.tiles
    types, rounds = max(side.types for side in tables.sides), tables.rules.round_limit

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return {
        "plays": zeros(2, max(side.plays for side in tables.sides)),
        "attacks": zeros(2, len(FIGHTS), DEFENCES, DICE, 2),
        "attackers": zeros(2, units, len(FIGHTS), 2),
        "casualties": zeros(2, units, len(RESULTS)),
        "suppressions": zeros(2, units),
        "hits": zeros(2, tiles),
        "fallen": zeros(2, tiles),
        "points": zeros(2, rounds, MOST_POINTS),
        "fog": zeros(2, rounds, FOG),
        "control_rounds": zeros(tiles, len(MARKED)),
        "control": zeros(tiles, len(MARKED)),
        "initiative": zeros(rounds, 2),
        "bids": zeros(2, types + 1),
    }


def _add(into: NDArray[np.int64], *places: Array) -> None:
    """Count combinations of places, in place."""
    key = places[0].astype(np.intp)
    for size, place in zip(into.shape[1:], places[1:], strict=True):
        key = key * size + place
    flat = into.reshape(-1)
    flat += np.bincount(key, minlength=flat.size)


# -- during a turn ------------------------------------------------------------------------------------
def plays(field: Field, codes: U8) -> None:
    """Every play by its code. (Stop stands for lanes that do not act, too: the tally leaves it out.)"""
    _add(field.state.counted["plays"][field.seat], codes)
    played = field.plays[field.seat]
    played += codes != field.own.stop


def attacks(
    field: Field,
    lanes: Rows,
    unit: Index,
    action: U8,
    dice: U8,
    defence: U8,
    target: Index,
    hit: NDArray[np.bool_],
    lost: U8,
    faces: U8,
    enemy: bool,
) -> None:
    """One attack a lane: who attacked, with how many dice, against what, and what it did.

    lost: 0 nothing, 1 a card, 2 the counter. faces [die, lane]. enemy: the target is the other side's.
    """
    counted, seat = field.state.counted, field.seat
    foe = 1 - seat if enemy else seat
    kind = action - np.uint8(ATTACK)
    _add(counted["attacks"][seat], kind, np.minimum(defence, DEFENCES - 1), dice, hit)
    _add(counted["attackers"][seat], unit, kind, hit)
    cost = lost > 0
    _add(counted["casualties"][foe], target[cost], lost[cost] - 1)
    _add(counted["suppressions"][foe], target[hit & (action == SUPPRESS)])
    if field.state.log is not None:
        field.state.log.append(
            {
                "rows": field.state.rows[field.rows[lanes]],
                "seat": seat,
                "foe": foe,
                **{"unit": unit, "action": action, "dice": dice, "defence": defence, "target": target},
                **{"hit": hit, "lost": lost, "faces": faces},
            }
        )


def fallen(field: Field, seat: int, lanes: Rows, unit: Index, tile: U8) -> None:
    """Casualties of `seat`, and the tiles where they happened (U25)."""
    _add(field.state.counted["hits"][seat], tile)


def removed(field: Field, side: Side, lanes: Rows, unit: Index, tile: U8) -> None:
    """Counters that leave the board, and the tiles where they stood."""
    _add(field.state.counted["fallen"][side.seat], tile)


# -- between turns ------------------------------------------------------------------------------------
def bids(state: UndauntedState, bid: tuple[U8, U8], lanes: Rows) -> None:
    """Cards bid, and who then holds the marker (U6)."""
    counted = state.counted
    for seat, one in enumerate(bid):
        _add(counted["bids"][seat], one)
    _add(counted["initiative"], state.rounds[lanes] - 1, state.holder[lanes])


def round_end(tables: Tables, state: UndauntedState, lanes: Rows) -> None:
    """The table at the end of a round: points, Fog of War among a side's cards, who controls what."""
    if not lanes.size:
        return
    counted, round_ = state.counted, state.rounds[lanes] - 1
    for seat, side in enumerate(tables.sides):
        points = np.minimum(state.score[seat, lanes], MOST_POINTS - 1)
        _add(counted["points"][seat], round_, points)
        _add(counted["fog"][seat], round_, np.minimum(fog(side, state.side[seat], lanes), FOG - 1))
    _control(tables, state, lanes, counted["control_rounds"])


def fog(side: Side, rows: U8, lanes: Rows) -> U8:
    """uint8[lane]: Fog of War in hand, deck, discard pile and play area."""
    piles = (side.hand, side.in_deck, side.discard, side.played)
    total = np.zeros(len(lanes), np.uint8)
    for pile in piles:
        total += rows[pile][side.fog][lanes]
    return total


def _control(tables: Tables, state: UndauntedState, lanes: Rows, into: NDArray[np.int64]) -> None:
    us, de = (state.marks[seat][1, lanes] for seat in (0, 1))
    for tile, bit in enumerate(tables.board.bit):
        by = [np.count_nonzero(us & bit), np.count_nonzero(de & bit)]
        into[tile] += [len(lanes) - sum(by), *by]


# -- results ------------------------------------------------------------------------------------------
def outcome(tables: Tables, state: UndauntedState, lanes: Rows) -> dict[str, Array]:
    """Measures of the finished games in `lanes`, [game] or [seat, game].

    winner uint8 (seat from 1, 0 nobody), end uint8 (label code), rounds and turns uint8 (those begun; two
    turns a round), first uint8 (the seat from 1 that held the initiative marker at the start), points int16,
    casualties, removed, plays uint16, fog uint8 (Fog of War among the own cards at the end), changes uint8
    (how often the marker changed hands).
    """
    _control(tables, state, lanes, state.counted["control"])

    def cut(values: Array) -> Array:
        return values.take(lanes, axis=-1)

    return {
        "winner": cut(state.winner),
        "end": cut(state.end),
        "turns": cut(np.uint8(2) * state.rounds - (state.stage == FIRST)),
        "rounds": cut(state.rounds),
        "first": cut(state.first) + np.uint8(1),
        "points": cut(state.score[:2]),
        "casualties": cut(state.casualties),
        "removed": cut(state.removed),
        "plays": cut(state.plays),
        "fog": np.stack([fog(side, state.side[seat], lanes) for seat, side in enumerate(tables.sides)]),
        "changes": cut(state.changes),
    }


def tallies(tables: Tables, state: UndauntedState, columns: dict[str, Array]) -> dict[str, Tally]:
    """All tallies of a block; `columns` are the outcomes of its games."""
    counted, seats, rules = state.counted, (1, 2), tables.rules
    winner, first, length = columns["winner"], columns["first"], columns["rounds"]
    rounds = tuple(range(1, rules.round_limit + 1))
    tiles = tables.board.names
    units = _labels(tables, "units")
    at_seats = {"seat": seats, "round": rounds}
    by_unit = {name: _flat(tables, counted[name]) for name in ("casualties", "suppressions", "attackers")}
    attack_axes = {"seat": seats, "action": FIGHTS, "defence": tuple(range(DEFENCES))}
    return {
        "shares": Tally({"seat": seats, "winners": (1,)}, np.bincount(winner, minlength=3)[1:, None]),
        "ends": histogram(
            {"end": ENDS, "winner": (0, 1, 2), "first": seats}, columns["end"], winner, first - 1
        ),
        "rounds": histogram(
            {"rounds": (0, *rounds), "first": seats, "winner": (0, 1, 2)}, length, first - 1, winner
        ),
        "points": Tally({**at_seats, "points": tuple(range(MOST_POINTS))}, counted["points"]),
        "fog": Tally({**at_seats, "fog": tuple(range(FOG))}, counted["fog"]),
        "casualties": Tally({"seat,unit": units, "result": RESULTS}, by_unit["casualties"]),
        "suppressions": Tally({"seat,unit": units}, by_unit["suppressions"]),
        "attacks": Tally({**attack_axes, "dice": tuple(range(DICE)), "hit": (0, 1)}, counted["attacks"]),
        "attacks_by": Tally({"seat,unit": units, "action": FIGHTS, "hit": (0, 1)}, by_unit["attackers"]),
        "actions": _action_tally(tables, counted["plays"]),
        "control": Tally({"tile": tiles, "state": MARKED}, counted["control"]),
        "control_rounds": Tally({"tile": tiles, "state": MARKED}, counted["control_rounds"]),
        "hits": Tally({"seat": seats, "tile": tiles}, counted["hits"]),
        "fallen": Tally({"seat": seats, "tile": tiles}, counted["fallen"]),
        "initiative": Tally({"round": rounds, "seat": seats}, counted["initiative"]),
        "bids": _bid_tally(tables, counted["bids"]),
    }


def _labels(tables: Tables, what: str) -> list[tuple[int, str]]:
    """(seat, code) of every unit of both sides."""
    return [(seat, code) for seat, side in enumerate(tables.sides, 1) for code in getattr(side, what)]


def _flat(tables: Tables, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[seat, unit, ...] -> [unit of both sides, ...], without the places of units that are not there."""
    return np.concatenate([counts[seat, : side.size] for seat, side in enumerate(tables.sides)])


def _action_tally(tables: Tables, counts: NDArray[np.int64]) -> Tally:
    """How often each card was played for what, by seat, card and action (stop is not kept)."""
    labels: list[tuple[int, str, str]] = []
    totals: list[Any] = []
    for seat, side in enumerate(tables.sides):
        for code in range(side.stop):
            labels.append((seat + 1, side.codes[side.card_of[code]], ACTIONS[side.action_of[code]]))
            totals.append(counts[seat, code])
    return Tally({"seat,card,action": labels}, np.array(totals, np.int64))


def _bid_tally(tables: Tables, counts: NDArray[np.int64]) -> Tally:
    """Which cards were bid, by seat ("none": a side without a card)."""
    labels = [(seat, code) for seat, side in enumerate(tables.sides, 1) for code in (*side.codes, "none")]
    totals = [counts[seat, : side.types + 1] for seat, side in enumerate(tables.sides)]
    return Tally({"seat,card": labels}, np.concatenate(totals))


assert (ATTACK, SUPPRESS, BLAST) == (ATTACK, ATTACK + 1, ATTACK + 2)  # the order of FIGHTS
