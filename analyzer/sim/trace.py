"""Telling one game step by step: what a teller is, a plain one for every game, and the layout of its lines.

A teller is a recorder (see `analyzer.sim.engine`) of ONE game. A game's room may have a module `tell` with a
class `Teller(game, luck, labels)` that knows the game; without it the decisions are listed by `Trace`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from analyzer import seats
from analyzer.games.base import Array, Decision, Grid

Event = dict[str, Any]
WIDTH = 100  # columns of the told lines
GLUE = "\u00a0"  # in a text for `wrapped`: a space at which no line is broken


class Teller(Protocol):
    """A recorder of one game with something to say: facts in `events`, words in `lines()`.

    An event is a mapping of plain values (numbers, texts, lists, mappings): `turn` (1-based), `seat`
    (1-based), `what` happened, and the facts of it.
    """

    events: list[Event]

    def start(self, state: Any) -> None:
        """Called once, after setup."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """Called after every answer, before it is carried out (turn 0-based)."""

    def turn_end(self, state: Any, turn: int) -> None:
        """Called at the end of every turn (0-based)."""

    def lines(self) -> list[str]:
        """The game in words, no line wider than WIDTH."""


class Trace:
    """The teller of a game that has none of its own: every decision with its kind, seat and answer.

    `labels`: the policy of each seat.
    """

    def __init__(self, game: Any, luck: Any, labels: Sequence[str]) -> None:
        self.labels = labels
        self.seats = seats.names(game.name, game.players)
        self.events: list[Event] = []

    def start(self, state: Any) -> None:
        """Nothing is known of this game's setup."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """Keep a decision that was really asked."""
        if not is_asked(decision):
            return
        given = answer[..., 0].tolist()
        name = code_name(decision.blocks, given) if decision.form == "choice" else ""
        facts = {"kind": decision.kind, "slot": decision.slot, "answer": given, "name": name}
        self.events.append({"turn": turn + 1, "seat": decision.seat + 1, "what": "decision", **facts})

    def turn_end(self, state: Any, turn: int) -> None:
        """Nothing to keep."""

    def lines(self) -> list[str]:
        """A heading for every turn of a seat, and a line for each of its decisions."""
        told: list[str] = []
        last = None
        for event in self.events:
            heading = (event["turn"], event["seat"])
            if heading != last:
                name, label = (names[event["seat"] - 1] for names in (self.seats, self.labels))
                told += ["", f"Turn {event['turn']}, {name} ({label}):"]
                last = heading
            answer = f"{event['name']} (code {event['answer']})" if event["name"] else event["answer"]
            told += wrapped(f"{event['kind']}: {answer}", 2)
        return told[1:]


def is_asked(decision: Decision) -> bool:
    """Whether the only game of the block is really asked (and not just one of the arrays' places)."""
    if decision.rows is not None and not decision.rows.size:
        return False
    return decision.asked is None or bool(decision.asked[0])


def code_name(blocks: Mapping[str, slice | int | Grid], code: int) -> str:
    """The name of an action code by the blocks of its scores: "fight", "advance 2"; "" if it is in none."""
    for name, block in blocks.items():
        place = block.place if isinstance(block, Grid) else block
        if isinstance(place, slice):
            first, stop = place.start or 0, place.stop
            if code >= first and (stop is None or code < stop):
                return f"{name} {code - first + 1}"
        elif place == code:
            return name
    return ""


def wrapped(text: str, indent: int = 0) -> list[str]:
    """The text as lines of at most WIDTH columns, indented; what goes on is indented by 4 more."""
    start = " " * indent
    broken = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=start + " " * 4,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(GLUE, " ") for line in broken]
