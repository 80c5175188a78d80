"""Plausible Moscow results without a simulator: a toy race with the right columns, for tests of the report.

The toy keeps what a report must be able to rely on: tallies add up to the games, die rolls follow the
faces, a fall has one winner. It is not the game; nothing about Moscow's balance can be learnt from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analyzer.sim.results import Results

MONTHS = ("june", "july", "august", "september", "october", "november", "december")
ENDS = ["moscow fell", "deck ran out"]
CARDS = {
    "advance 50": 20, "advance 100": 20, "advance 150": 10, "advance 200": 6,
    "army 4/50": 5, "army 6/50": 4, "army 8/100": 3, "army 10/100": 1, "army 12/150": 1,
    "red general": 4, "great river": 4,
    "order -200 km": 3, "order -1 division": 2, "order -2 divisions": 1, "order -general": 2,
    "division 2": 9, "division 3": 11, "division 4": 8, "division 5": 3,
    "luftwaffe 2": 4, "luftwaffe 3": 2, "german general 3": 4, "german general 4": 2, "reorganise": 4,
    "time": 6, "out of supply": 3,
}  # fmt: skip
HINDER = (
    ("army", "army 4/50"), ("army", "army 8/100"), ("general", "red general"), ("river", "great river"),
    ("order -200 km", "order -200 km"),
)  # fmt: skip


class Tally:
    """Counts over named axes, filled by labels' positions and read as a tidy frame."""

    def __init__(self, **axes: Sequence[Any]) -> None:
        self.axes = {name: list(labels) for name, labels in axes.items()}
        self.shape = tuple(len(labels) for labels in self.axes.values())
        self.counts = np.zeros(int(np.prod(self.shape)), np.int64)

    def add(self, *codes: Any) -> None:
        flat = np.ravel_multi_index(np.broadcast_arrays(*codes), self.shape)
        self.counts += np.bincount(np.ravel(flat), minlength=self.counts.size)

    def frame(self) -> pd.DataFrame:
        used = np.flatnonzero(self.counts)
        codes = np.unravel_index(used, self.shape)
        columns = {
            name: np.array(labels)[code]
            for (name, labels), code in zip(self.axes.items(), codes, strict=True)
        }
        return pd.DataFrame({**columns, "n": self.counts[used]})


def rotations_of(policies: Sequence[str]) -> list[list[str]]:
    k = len(policies)
    turns = [[policies[(s + r) % k] for s in range(k)] for r in range(k)]
    period = next(r for r in range(1, k + 1) if r == k or turns[r] == turns[0])
    return turns[:period]


def make(
    n: int = 4000,
    players: int = 4,
    policies: Sequence[str] = ("balanced",),
    seed: int = 1,
    attack: float = 0.35,
    fights: bool = True,
    games: bool = True,
    seat_bonus: float = 0.03,
) -> Results:
    """n toy games; `attack` 0 makes nobody ever win, `fights` False leaves the fights tally empty."""
    rng = np.random.default_rng([seed, 99])
    policies = [policies[s % len(policies)] for s in range(players)] if len(policies) < players else policies
    rotations = rotations_of(policies)
    labels = sorted(set(policies))
    index = np.arange(n)
    rotation = index % len(rotations)
    skill = np.array([[labels.index(p) for p in row] for row in rotations]) / max(1, len(labels) - 1) - 0.5
    skill = skill[rotation] if len(labels) > 1 else np.zeros((n, players))
    goal = 800 if players >= 5 else 1000
    last = 142 - 6 * players
    rounds = -(-last // players)
    seats, turn_of = range(1, players + 1), np.sort(rng.integers(1, last + 1, (n, 6)), axis=1)
    rot = range(len(rotations))
    t = {
        "shares": Tally(rotation=rot, seat=seats, winners=[1]),
        "games": Tally(rotation=rot),
        "ends": Tally(rotation=rot, end=ENDS, month=MONTHS, round=range(1, rounds + 1)),
        "turns": Tally(rotation=rot, turns=range(1, last + 1)),
        "km": Tally(rotation=rot, seat=seats, round=range(1, rounds + 1), km=range(0, goal + 400, 50)),
        "fights": Tally(rotation=rot, seat=seats, target=["front", "moscow"], faces=range(7), won=[0, 1]),
        "actions": Tally(
            rotation=rot, seat=seats,
            action=["nothing", "advance", "fight", "attack", *dict.fromkeys(a for a, _ in HINDER)],
            card=["", *CARDS], target=range(players + 1),
        ),
        "cards": Tally(
            rotation=rot, seat=seats, stat=["opening", "drawn", "played", "held"], card=list(CARDS)[:-2],
            count=range(40), won=[0, 1],
        ),
        "idle": Tally(rotation=rot, seat=seats, what=["turns", "blocked", "lost to supply", "nothing"]),
    }  # fmt: skip
    km, blocked = np.zeros((n, players), np.int64), np.zeros((n, players), bool)
    arrived, stuck = np.zeros((n, players), np.int64), np.zeros((n, players), np.int64)
    winner, turns = np.zeros(n, np.int64), np.full(n, last)
    names = list(CARDS)
    actions = t["actions"].axes["action"]

    def act(rows: np.ndarray, s: int, action: str, card: Any, target: Any = 0) -> None:
        code = card if isinstance(card, np.ndarray) else (0 if card == "" else names.index(card) + 1)
        t["actions"].add(rotation[rows], s, actions.index(action), code, target)

    for turn in range(1, last + 1):
        s, rnd = (turn - 1) % players, (turn - 1) // players
        live = np.flatnonzero(winner == 0)
        if not live.size:
            break
        u, v = rng.random(live.size), rng.random(live.size)
        t["idle"].add(rotation[live], s, 0)
        lost = u < 0.02
        t["idle"].add(rotation[live[lost]], s, 2)
        held = blocked[live, s]
        t["idle"].add(rotation[live[held]], s, 1)
        stuck[live[held], s] += 1
        go, u, v, held = live[~lost], (u[~lost] - 0.02) / 0.98, v[~lost], held[~lost]
        month = (turn_of[go] <= turn).sum(axis=1)
        faces = np.clip(np.round(rng.normal(3.5 - month * 0.3, 1.6, go.size) + skill[go, s]), 0, 6).astype(
            int
        )
        won = rng.integers(1, 7, go.size) <= faces
        there = km[go, s] >= goal
        front = held & (u < 0.45)
        moscow = ~held & there & (u < attack)
        drive = ~held & ~there & (u < 0.62 + 0.15 * skill[go, s] + seat_bonus * (s == 0))
        rest = ~(front | moscow | drive)
        hinder = rest & (v < 0.33 + 0.2 * skill[go, s]) & (players > 1)
        idle = rest & ~hinder
        if fights:
            t["fights"].add(rotation[go[front]], s, 0, faces[front], won[front].astype(int))
            t["fights"].add(rotation[go[moscow]], s, 1, np.maximum(faces[moscow] - 2, 0), 0)
            hit = moscow & (rng.integers(1, 7, go.size) <= np.maximum(faces - 2, 0))
            _move(t["fights"], rotation[go[hit]], s, np.maximum(faces[hit] - 2, 0))
        else:
            hit = moscow & (v < 0.3)
        act(go[front], s, "fight", "")
        act(go[moscow], s, "attack", "")
        blocked[go[front & won], s] = False
        km[go[front & won], s] += 50
        step = rng.choice([0, 1, 2, 3], go.size, p=[0.36, 0.36, 0.18, 0.1])
        km[go[drive], s] += (step[drive] + 1) * 50
        act(go[drive], s, "advance", step[drive] + 1)
        first = (km[go, s] >= goal) & (arrived[go, s] == 0)
        arrived[go[first], s] = turn
        if players > 1:
            kind = rng.integers(0, len(HINDER), go.size)
            target = (s + rng.integers(1, players, go.size)) % players
            for code, (action, card) in enumerate(HINDER):
                rows = hinder & (kind == code)
                act(go[rows], s, action, card, target[rows] + 1)
                if action == "army":
                    blocked[go[rows], target[rows]] = True
                if action.startswith("order"):
                    km[go[rows], target[rows]] = np.maximum(km[go[rows], target[rows]] - 200, 0)
        act(go[idle], s, "nothing", "")
        t["idle"].add(rotation[go[idle]], s, 3)
        t["km"].add(rotation[live], s, rnd, np.minimum(km[live, s] // 50, t["km"].shape[3] - 1))
        winner[go[hit]], turns[go[hit]] = s + 1, turn
    month = np.minimum((turn_of <= turns[:, None]).sum(axis=1), 6)
    length = (turns - 1) // players
    t["games"].add(rotation)
    t["ends"].add(rotation, np.where(winner > 0, 0, 1), month, length)
    t["turns"].add(rotation, turns - 1)
    some = winner > 0
    t["shares"].add(rotation[some], winner[some] - 1, 0)
    hands = _cards(rng, t["cards"], rotation, winner, turns, players)
    frame = pd.DataFrame({
        "game": index, "rotation": rotation, "winner": winner,
        "end": pd.Categorical.from_codes((winner == 0).astype(int), ENDS),
        "turns": turns, "rounds": length + 1, "month": month + 1,
    })  # fmt: skip
    for s in range(players):
        frame[f"km_{s + 1}"], frame[f"arrived_{s + 1}"] = km[:, s], arrived[:, s]
        frame[f"blocked_{s + 1}"], frame[f"held_{s + 1}"] = stuck[:, s], hands[s]
    return Results(_meta(n, players, list(policies), rotations, seed, goal),
                   {name: tally.frame() for name, tally in t.items()}, frame if games else None)  # fmt: skip


def _move(tally: Tally, rotation: np.ndarray, s: int, faces: np.ndarray) -> None:
    """Attacks on Moscow counted as lost become won."""
    lost = np.ravel_multi_index(np.broadcast_arrays(rotation, s, 1, faces, 0), tally.shape)
    np.add.at(tally.counts, lost, -1)
    np.add.at(tally.counts, lost + 1, 1)


def _cards(
    rng: np.random.Generator,
    tally: Tally,
    rotation: np.ndarray,
    winner: np.ndarray,
    turns: np.ndarray,
    players: int,
) -> list[np.ndarray]:
    hands = []
    for s in range(players):
        won = (winner == s + 1).astype(int)
        mine = (turns - s - 1) // players + 1
        hand = np.zeros(len(winner), np.int64)
        for code, (name, count) in enumerate(list(CARDS.items())[:-2]):
            opening = rng.binomial(6, count / 142, len(winner))
            luck = 0.8 * won if name.startswith(("division", "german")) else 0.0
            drawn = rng.poisson(np.maximum(mine, 0) * count / 142 + luck)
            played = rng.binomial(opening + drawn, 0.75)
            held = np.minimum(opening + drawn - played, 2)
            hand += held
            for stat, counts in enumerate((opening, drawn, played, held)):
                tally.add(rotation, s, stat, code, np.minimum(counts, 39), won)
        hands.append(hand)
    return hands


def _meta(
    n: int, players: int, policies: list[str], rotations: list[list[str]], seed: int, goal: int
) -> dict[str, Any]:
    option = "--policy balanced" if len(set(policies)) == 1 else "--policies " + ",".join(policies)
    return {
        "game": "moscow", "players": players, "policies": policies, "rotations": rotations,
        "seed": seed, "n": n,
        "config": {"goal_km": 1000, "goal_km_many": 800, "many_players": 5, "die_sides": 6,
                   "moscow_strength": 16},
        "digest": "3f2a9c0d" * 8, "block": 16384, "wall_seconds": 1.84, "kind": "complete",
        "versions": {"analyzer": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
        "command": f"analyze run moscow --players {players} --n {n} {option} --seed {seed}",
        "assumptions": [
            {"key": "moscow_strength", "value": 16, "default": 15, "mark": "A", "range": [12, 20],
             "rule": "M21", "about": "Strength of the city without a Red Army on it"},
            {"key": "opening_hand", "value": 6, "default": 6, "mark": "A", "range": [5, 7], "rule": "M1",
             "about": "Cards dealt to each player"},
            {"key": "boosts", "value": "multiply", "default": "multiply", "mark": "A",
             "options": ["multiply", "add"],
             "rule": "M21", "about": "How a general and a river together double an army"},
        ],
    }  # fmt: skip
