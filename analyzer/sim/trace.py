"""One game told step by step: a recorder that watches the engine play a single row.

A game's room may have a module `tell` with a class `Teller(Trace)` that tells more than the decisions: what
was drawn, thrown and moved, with names for codes. `events` are plain data, one mapping a line of JSON.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.games.base import Array, Decision
from analyzer.sim.chance import Luck


class Trace:
    """The events of one game in order: mappings with `turn` and `seat` (from 1 on), `what`, and the facts."""

    def __init__(self, game: Any, luck: Luck) -> None:
        self.game, self.luck = game, luck
        self.events: list[dict[str, Any]] = []

    def add(self, turn: int, seat: int, what: str, **facts: Any) -> None:
        """Add an event; `turn` and `seat` are 0-based, as in the engine. Facts are plain data."""
        self.events.append({"turn": turn + 1, "seat": seat + 1, "what": what, **facts})

    def start(self, state: Any) -> None:
        """Called after setup."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """Called after every answer, before it is carried out."""
        if decision.asked is not None and not decision.asked[0]:
            return
        if decision.form == "choice" and decision.blocks:
            self.add(turn, decision.seat, decision.kind, chosen=chosen_name(decision, int(answer[0])))
        else:
            self.add(turn, decision.seat, decision.kind, chosen=np.asarray(answer)[..., 0].tolist())

    def turn_end(self, state: Any, turn: int) -> None:
        """Called at the end of every turn."""

    def words(self, event: dict[str, Any]) -> str:
        """An event as a line of words."""
        facts = [f"{name} {value}" for name, value in event.items() if name not in ("turn", "seat", "what")]
        return f"turn {event['turn']}, seat {event['seat']}: {event['what']}: {', '.join(facts)}"


def chosen_name(decision: Decision, code: int) -> str:
    """The name of an action: its block of scores, with its place in a block of several."""
    for name, place in decision.blocks.items():
        if isinstance(place, int):
            if place == code:
                return name
        elif code in range(len(decision.legal))[place]:
            return f"{name} {code - range(len(decision.legal))[place].start}"
    return str(code)
