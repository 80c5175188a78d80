"""What is counted while Moscow is played (additive integers), and the measures of finished games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array
from analyzer.games.moscow.combat import Result
from analyzer.games.moscow.state import U8, MoscowState
from analyzer.games.moscow.tables import Tables
from analyzer.sim.tally import Tally, histogram

IDLE = ("turns", "blocked", "lost to supply", "nothing")
STATS = ("opening", "drawn", "played", "held")
FELL, RAN_OUT = 0, 1
COUNT_BITS = 4  # card counts of 15 and more are counted together


def empty(tables: Tables) -> dict[str, NDArray[np.int64]]:
    """The counters of a block, by name, with the shapes that `tallies` names the axes of."""
    seats, sides = tables.players, tables.rules.die_sides

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return {
        "actions": zeros(seats, tables.actions, seats + 1),
        "fights": zeros(seats, 2, sides + 1, 2),
        "km": zeros(seats, _rounds(tables), 256),
        "idle": zeros(seats, len(IDLE)),
    }


def _count(mask: U8) -> int:
    """How many are 1 in a 0/1 mask; counting truth values is several times faster than counting bytes."""
    return int(np.count_nonzero(mask.view(bool)))


def _rounds(tables: Tables) -> int:
    return -(-tables.max_turns // tables.players)


def turn_begins(state: MoscowState, seat: int, alive: U8) -> None:
    """Turns, and turns that begin with a Red Army before one."""
    blocked = (state.front[seat] > 0).view(np.uint8)
    blocked &= alive
    total = state.blocked[seat]
    total += blocked
    state.counted["idle"][seat, :2] += (_count(alive), _count(blocked))


def lost_to_supply(state: MoscowState, seat: int, alive: U8, present: U8) -> None:
    """Turns lost to an out-of-supply card."""
    lost = _count(alive) - _count(present)
    state.counted["idle"][seat, IDLE.index("lost to supply")] += lost


def actions(state: MoscowState, seat: int, code: U8, acting: U8) -> None:
    """Every action by seat (targets of cards on players are added by `targets`)."""
    counted = state.counted["actions"][seat]
    seen = np.bincount(code, minlength=len(counted))
    seen[-1] -= acting.size - _count(acting)  # "nothing" of those who were not asked
    counted[:, 0] += seen
    state.counted["idle"][seat, IDLE.index("nothing")] += seen[-1]


def targets(state: MoscowState, seat: int, card: U8, target: Array) -> None:
    """Move the counts of cards on players from target 0 to the player they hit."""
    counted = state.counted["actions"][seat]
    seats = counted.shape[1]
    hits = np.bincount(card * np.intp(seats) + target + 1, minlength=counted.size).reshape(counted.shape)
    counted += hits
    counted[:, 0] -= hits.sum(axis=1)


def fights(state: MoscowState, seat: int, result: Result) -> None:
    """Fights by target, winning faces of the die, and result."""
    counted = state.counted["fights"][seat]
    key = (result.at_moscow * np.intp(counted.shape[1]) + result.faces) * 2 + result.won
    counted += np.bincount(key, minlength=counted.size).reshape(counted.shape)


def turn_ends(state: MoscowState, seat: int, turn: int) -> None:
    """Km at the end of the turn, of the games that played it (`dead` is that of its beginning)."""
    km = state.km[seat]
    key = km | state.dead if km.dtype == np.uint8 else np.minimum(km >> _km_shift(km.dtype), 254) | state.dead
    state.counted["km"][seat, turn // len(state.km)] += np.bincount(key, minlength=256)


def _km_shift(dtype: Any) -> int:
    return 0 if dtype == np.uint8 else 8


def outcome(tables: Tables, state: MoscowState, lanes: NDArray[np.intp]) -> dict[str, Array]:
    """Measures of the finished games in `lanes`, [game] or [seat, game]; keeps their cards for `tallies`.

    winner uint8 (seat from 1, 0 nobody), end uint8 (label code), turns, rounds, month uint8 (1 June),
    km uint32, arrived uint8 (turn from 1, 0 never), blocked uint8 (turns), held uint8 (cards).
    """

    def cut(values: Array) -> Array:
        return values if lanes.size == values.shape[-1] else values.take(lanes, axis=-1)

    winner, turns = cut(state.winner), cut(state.length)
    won = winner == np.arange(1, tables.players + 1, dtype=np.uint8)[:, None]
    state.finished.append((won, *(cut(stat) for stat in (state.drawn, state.played, state.hand))))
    return {
        "winner": winner,
        "end": (winner == 0).astype(np.uint8),
        "turns": turns,
        "rounds": -(-turns.astype(np.int16) // tables.players).astype(np.int16).astype(np.uint8),
        "month": cut(state.month) + np.uint8(1),
        "km": cut(state.km).astype(np.uint32) * np.uint32(tables.km_unit),
        "arrived": cut(state.arrived),
        "blocked": cut(state.blocked),
        "held": cut(state.size),
    }


def _count_cards(tables: Tables, state: MoscowState, winner: U8) -> NDArray[np.int64]:
    """int64[seat, stat, type, count, won]: histograms of the card counts of all finished games.

    `winner` uint8[block row] belongs to the opening hands; the other counts lie in `state.finished`.
    """
    wins, *stats = (np.concatenate(part, axis=-1) for part in zip(*state.finished, strict=True))
    out = np.zeros((tables.players, len(STATS), tables.hand_types, 1 << COUNT_BITS, 2), np.int64)
    for seat, won in enumerate(wins):
        out[seat, 0] = _histograms(winner == seat + 1, state.opening[seat])
        for stat, counts in enumerate(stats, 1):
            out[seat, stat] = _histograms(won, counts[seat])
    return out


def _histograms(won: NDArray[np.bool_], counts: U8) -> NDArray[np.int64]:
    """int64[type, count, won] of `won` [game] and `counts` uint8[type, game].

    Three types share one 13-bit key (4 bits a count, 1 bit for the result): one pass counts all three.
    """
    places, bits = 1 << COUNT_BITS, np.uint16(COUNT_BITS)
    if counts.max(initial=0) >= places:
        counts = np.minimum(counts, np.uint8(places - 1))
    result = won.astype(np.uint16) << (bits * np.uint16(3))
    out = np.zeros((len(counts), places, 2), np.int64)
    for first in range(0, len(counts), 3):
        key = result.copy()
        for k, row in enumerate(counts[first : first + 3]):
            key |= row.astype(np.uint16) << (bits * np.uint16(k))
        joint = np.bincount(key, minlength=2 * places**3).reshape(2, places, places, places)
        pairs = joint.sum(axis=1)
        margins = (pairs.sum(axis=1), pairs.sum(axis=2), joint.sum(axis=(2, 3)))
        for k, margin in enumerate(margins[: len(counts) - first]):
            out[first + k] = margin.T
    return out


def tallies(tables: Tables, state: MoscowState, columns: dict[str, Array]) -> dict[str, Tally]:
    """All tallies of a block; `columns` are the outcomes of its games."""
    counted, seats = state.counted, tuple(range(1, tables.players + 1))
    months = tuple(month.name for month in tables.rules.months)
    rounds = tuple(range(1, _rounds(tables) + 1))
    step = tables.km_unit << _km_shift(tables.km_dtype)
    ends = {"end": ("moscow fell", "deck ran out"), "month": months, "round": rounds}
    turns = {"turns": tuple(range(tables.max_turns + 1))}
    winner = columns["winner"]
    shares = np.bincount(winner, minlength=tables.players + 1)[1:, None]
    hand = tables.names[: tables.hand_types]
    return {
        "shares": Tally({"seat": seats, "winners": (1,)}, shares),
        "ends": histogram(ends, columns["end"], columns["month"] - 1, columns["rounds"] - 1),
        "turns": histogram(turns, columns["turns"]),
        "km": Tally(
            {"seat": seats, "round": rounds, "km": [k * step for k in range(255)]}, counted["km"][..., :255]
        ),
        "fights": Tally(
            {
                "seat": seats,
                "target": ("front", "moscow"),
                "faces": tuple(range(tables.rules.die_sides + 1)),
                "won": (0, 1),
            },
            counted["fights"],
        ),
        "actions": Tally(
            {"seat": seats, "action,card": _action_labels(tables), "target": (0, *seats)}, counted["actions"]
        ),
        "cards": Tally(
            {
                "seat": seats,
                "stat": STATS,
                "card": hand,
                "count": tuple(range(1 << COUNT_BITS)),
                "won": (0, 1),
            },
            _count_cards(tables, state, winner),
        ),
        "idle": Tally({"seat": seats, "what": IDLE}, counted["idle"]),
    }


def _action_labels(tables: Tables) -> list[tuple[str, str]]:
    """(action, card) of every action code."""
    kinds = ("advance", "army", "general", "river")
    labels = []
    for code, card in enumerate(tables.rules.card_types()[: tables.orders.stop]):
        kind = (
            next((k for k in kinds if card.kind.endswith(k)), card.name)
            if code < tables.orders.start
            else card.name
        )
        labels.append((kind, card.name))
    labels += [("moscow army", name) for name in tables.names[tables.red_army]]
    labels.append(("moscow general", "red general"))
    return [*labels, ("fight", ""), ("attack", ""), ("nothing", "")]
