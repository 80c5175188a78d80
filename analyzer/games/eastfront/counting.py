"""What is counted while Eastfront 1944 is played (additive integers), and the measures of finished games."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analyzer.games.base import Array
from analyzer.games.eastfront.state import EastfrontState, drawn
from analyzer.games.eastfront.tables import U8, Tables
from analyzer.sim.card_counts import PLACES, histograms
from analyzer.sim.tally import Tally, histogram

TURNS = ("turns", "nothing", "could attack", "attacked")
STATS = ("opening", "drawn", "played", "held")
REACTIONS = ("cover", "pillbox")
COVER, PILLBOX = 0, 1
RESCUED, RAN_OUT = 0, 1
FIRES = 64  # German fire of 63 and more is counted together
SHARED = -1  # in the column `winner`: several seats share the win


def empty(tables: Tables) -> dict[str, NDArray[np.int64]]:
    """The counters of a block, by name, with the shapes that `tallies` names the axes of."""
    t, seats = tables, tables.players
    shapes = {
        "actions": (seats, t.nothing + 1),
        "hindered": (seats, t.hinders, seats, 2, 2),
        "reactions": (seats, len(REACTIONS), 2),
        "turns_of": (seats, len(TURNS)),
        "exchanges": (FIRES, t.soviets, 2, 2),
        "depth": (seats, t.rules.soviets, 2),
        "rescues": (seats, _rounds(t)),
        "stalls": (t.soviets, t.max_turns + 1, 2),
    }
    return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}


def _rounds(tables: Tables) -> int:
    return -(-tables.max_turns // tables.players)


def _add(counted: NDArray[np.int64], key: Array) -> None:
    counted += np.bincount(key, minlength=counted.size).reshape(counted.shape)


def turn_begins(state: EastfrontState, seat: int, alive: U8) -> None:
    """Turns of each seat."""
    state.counted["turns_of"][seat, 0] += np.count_nonzero(alive.view(bool))


def actions(state: EastfrontState, seat: int, code: U8, alive: U8) -> None:
    """Every action by seat."""
    counted = state.counted["actions"][seat]
    seen = np.bincount(code, minlength=len(counted))
    seen[-1] -= alive.size - np.count_nonzero(alive.view(bool))  # "nothing" of games that are over
    counted += seen
    state.counted["turns_of"][seat, 1] += seen[-1]


def attacks(state: EastfrontState, seat: int, asked: U8, made: int) -> None:
    """Turns in which an attack was possible, and in which it was made."""
    state.counted["turns_of"][seat, 2:] += np.array([np.count_nonzero(asked.view(bool)), made])


def hindered(state: EastfrontState, seat: int, card: U8, target: Array, leads: U8, covered: U8) -> None:
    """Cards that hinder by target, whether it led in friends, and whether cover cancelled them."""
    counted = state.counted["hindered"][seat]
    seats = counted.shape[1]
    _add(counted, ((card * np.intp(seats) + target) * 2 + leads) * 2 + covered)


def reaction(state: EastfrontState, seat: int, which: int, offered: int, used: int) -> None:
    """Reactions offered, by whether they were played."""
    counted = state.counted["reactions"][seat, which]
    counted[0] += offered - used
    counted[1] += used


@dataclass(slots=True)
class Fought:
    """The exchanges of one turn, kept to be counted at once: arrays of each exchange, [row]."""

    fire: list[U8] = field(default_factory=list)  # German fire before the Soviet card fired
    soviet: list[U8] = field(default_factory=list)
    result: list[U8] = field(default_factory=list)  # 2 for a Soviet card destroyed, 1 for a German one
    won: list[tuple[int, int]] = field(default_factory=list)  # exchanges lost and won
    destroyed: list[U8] = field(default_factory=list)  # Soviet cards
    opened: list[U8] = field(default_factory=list)  # the turn in which each of them was turned up
    rescued: int = 0  # friend cards

    def exchange(self, soviet: U8, fire: U8, beaten: U8, lost: U8, won: int) -> None:
        """One exchange of some games; the arrays must not change any more."""
        self.fire.append(fire)
        self.soviet.append(soviet)
        self.result.append(beaten + beaten + lost)
        self.won.append((fire.size - won, won))

    def beaten(self, soviet: U8, opened: U8) -> None:
        """Soviet cards destroyed."""
        self.destroyed.append(soviet)
        self.opened.append(opened)


def exchanges(state: EastfrontState, seat: int, turn: int, fought: Fought) -> None:
    """Exchanges by German fire, Soviet card, result and loss, and by their number in the attack; Soviet cards
    destroyed, by how many turns they had lain face up (0: turned up in the same turn); friend cards taken."""
    counted = state.counted["exchanges"]
    fire = np.concatenate(fought.fire)
    if int(fire.max()) >= FIRES:
        fire = np.minimum(fire, np.uint8(FIRES - 1))
    key = np.multiply(fire, 4 * counted.shape[1], dtype=np.intp)
    key += np.concatenate(fought.soviet) * np.uint8(4)
    key += np.concatenate(fought.result)
    _add(counted, key)
    state.counted["depth"][seat, : len(fought.won)] += np.array(fought.won)
    if fought.destroyed:
        stalls = state.counted["stalls"]
        key = np.multiply(np.concatenate(fought.destroyed), stalls.shape[1], dtype=np.intp)
        key += np.uint8(turn + 1) - np.concatenate(fought.opened)
        _add(stalls[..., 1], key)
    state.counted["rescues"][seat, turn // len(state.standing)] += fought.rescued


def outcome(tables: Tables, state: EastfrontState, lanes: NDArray[np.intp]) -> dict[str, Array]:
    """Measures of the finished games in `lanes`, [game] or [seat, game]; keeps their cards for `tallies`.

    winner int8 (seat from 1, 0 nobody, -1 shared), winners uint8 (how many share), end uint8 (label code),
    turns, rounds, rescued uint8; points int16, friends, won (0/1), held uint8 (cards in hand), force uint8.
    """

    def cut(values: Array) -> Array:
        return values if lanes.size == values.shape[-1] else values.take(lanes, axis=-1)

    turns, rescued, points = cut(state.length), cut(state.rescued), cut(state.points)
    won = best_points(tables, points, rescued)
    winners = np.add.reduce(won, axis=0, dtype=np.uint8)
    seats = np.arange(1, tables.players + 1, dtype=np.int8)
    winner = np.where(winners > 1, np.int8(SHARED), (seats[:, None] * won).max(axis=0))
    opening, hand, taken = cut(state.opening), cut(state.hand), drawn(tables, cut(state.deck), turns)
    played = opening + taken  # put down, played or spent: all that came in and is gone
    played -= hand
    played -= cut(state.shed)
    state.finished.append((won > 0, opening, taken, played, hand))
    _still_open(state.counted["stalls"], cut(state.top), cut(state.opened), turns)
    return {
        "winner": winner,
        "winners": winners,
        "end": (rescued < tables.rules.friends).astype(np.uint8),
        "turns": turns,
        "rounds": -(-turns.astype(np.int16) // tables.players).astype(np.int16).astype(np.uint8),
        "rescued": rescued,
        "points": points,
        "friends": cut(state.friends),
        "won": won,
        "held": cut(state.size),
        "force": cut(state.force),
    }


def best_points(tables: Tables, points: Array, rescued: U8) -> NDArray[np.int8]:
    """0/1 int8[seat, game]: who has the most points (E11); nobody if no friend was taken (R8)."""
    won = (points == np.maximum.reduce(points, axis=0)) & (rescued > 0)
    if tables.rules.tie == "nobody":
        won &= np.add.reduce(won, axis=0, dtype=np.uint8) == 1
    return won.astype(np.int8)


def _still_open(counted: Array, top: U8, opened: U8, length: U8) -> None:
    """Soviet cards that lie face up at the end, by the turns they have lain so: [stack, game], [game]."""
    top, turns = top.reshape(-1), (length - opened).reshape(-1)  # of no meaning where no card lies open
    there = top.astype(bool).nonzero()[0]
    key = np.multiply(top.take(there) - np.uint8(1), counted.shape[1], dtype=np.intp)
    key += turns.take(there)
    _add(counted[..., 0], key)


def tallies(tables: Tables, state: EastfrontState, columns: dict[str, Array]) -> dict[str, Tally]:
    """All tallies of a block; `columns` are the outcomes of its games."""
    t, counted = tables, state.counted
    seats = tuple(range(1, t.players + 1))
    rounds, cards = tuple(range(1, _rounds(t) + 1)), t.titles
    hinders = tuple(card.title for card in t.rules.hinders)
    soviets = tuple(card.title for card in t.rules.cards.soviet)
    parts = [_joined(part) for part in zip(*state.finished, strict=True)]
    yes_no = (0, 1)
    return {
        "shares": _shares(columns, seats),
        "ends": histogram(
            {"end": ("all rescued", "deck ran out"), "rescued": _upto(t.rules.friends), "round": rounds},
            columns["end"],
            columns["rescued"],
            columns["rounds"] - 1,
        ),
        "turns": histogram({"turns": _upto(t.max_turns)}, columns["turns"]),
        "points": _by_seat("points", _point_values(t), columns["points"], seats),
        "friends": _by_seat("friends", _upto(t.rules.friends), columns["friends"], seats),
        "actions": Tally({"seat": seats, "action,card": _action_labels(t)}, counted["actions"]),
        "hindered": Tally(
            {"seat": seats, "card": hinders, "target": seats, "leader": yes_no, "covered": yes_no},
            counted["hindered"],
        ),
        "reactions": Tally({"seat": seats, "card": REACTIONS, "played": yes_no}, counted["reactions"]),
        "turns_of": Tally({"seat": seats, "what": TURNS}, counted["turns_of"]),
        "exchanges": Tally(
            {"fire": tuple(range(FIRES)), "soviet": soviets, "won": yes_no, "lost": yes_no},
            counted["exchanges"],
        ),
        "depth": Tally(
            {"seat": seats, "exchange": tuple(range(1, t.rules.soviets + 1)), "won": yes_no}, counted["depth"]
        ),
        "rescues": Tally({"seat": seats, "round": rounds}, counted["rescues"]),
        "stalls": Tally(
            {"soviet": soviets, "turns": _upto(t.max_turns), "beaten": yes_no}, counted["stalls"]
        ),
        "cards": Tally(
            {"seat": seats, "stat": STATS, "card": cards, "count": tuple(range(PLACES)), "won": yes_no},
            histograms(parts[0], parts[1:]),
        ),
    }


def _joined(parts: tuple[Array, ...]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)


def _upto(most: int) -> tuple[int, ...]:
    return tuple(range(most + 1))


def _shares(columns: dict[str, Array], seats: tuple[int, ...]) -> Tally:
    """Wins by seat and by how many share them."""
    counts = np.stack(
        [np.bincount(columns["winners"][won > 0], minlength=len(seats) + 1)[1:] for won in columns["won"]]
    )
    return Tally({"seat": seats, "winners": seats}, counts)


def _point_values(tables: Tables) -> tuple[int, ...]:
    """All points a seat can have, from the least to the most."""
    points = [card.points * card.count for card in tables.rules.cards.friends]
    return tuple(range(sum(p for p in points if p < 0), sum(p for p in points if p > 0) + 1))


def _by_seat(name: str, labels: tuple[int, ...], values: Array, seats: tuple[int, ...]) -> Tally:
    """Seat-games by the value of a measure [seat, game]."""
    counts = [np.bincount(row.astype(np.intp) - labels[0], minlength=len(labels)) for row in values]
    return Tally({"seat": seats, name: labels}, np.stack(counts))


def _action_labels(tables: Tables) -> list[tuple[str, str]]:
    """(action, card) of every action code."""
    labels = [("reinforce", card.title) for card in tables.rules.cards.german]
    labels += [("hinder", card.title) for card in tables.rules.hinders]
    return [*labels, ("nothing", "")]
