"""What happened in one game, event by event. A game adds events while it plays."""

from __future__ import annotations

from typing import Any


class Trace:
    """The events of one game in order: mappings with `turn` (1-based), `what`, and the facts of the event."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.turn = 1

    def add(self, what: str, **facts: Any) -> None:
        """Add an event of the current turn. Facts are plain numbers, texts and lists."""
        self.events.append({"turn": self.turn, "what": what, **facts})

    def decision(self, state: Any, turn: int, decision: Any, answer: Any) -> None:
        """Called by the engine after every decision; the game tells what came of it."""

    def turn_end(self, state: Any, turn: int) -> None:
        """Called by the engine at the end of every turn (0-based)."""
        self.turn = turn + 2
