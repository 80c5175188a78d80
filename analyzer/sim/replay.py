"""One game of a run, played again by itself and told step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.errors import UserError
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from analyzer.sim.request import MAX_BLOCKS, MAX_N, Request, check_number
from analyzer.sim.seating import locate
from analyzer.sim.trace import Event, Teller, Trace, wrapped


@dataclass(frozen=True)
class Replay:
    """A game told again. `policies` by seat; `events` in order; `outcome` as in the games frame, by column.

    `lines` are the events in words, at most 100 columns wide; seats are 1-based there and in `events`.
    A measure by seat is a list in `outcome`, where the games frame has a column a seat.
    """

    game: str
    index: int
    rotation: int
    seed: int
    policies: list[str]
    events: list[Event]
    lines: list[str]
    outcome: dict[str, Any]

    def __str__(self) -> str:
        seats = ", ".join(f"{seat} {label}" for seat, label in enumerate(self.policies, 1))
        head = (
            f"Game {self.index} of {self.game}, seed {self.seed}, rotation {self.rotation}. Seats: {seats}."
        )
        end = ", ".join(f"{name} {value}" for name, value in self.outcome.items())
        return "\n".join([*wrapped(head), "", *self.lines, "", *wrapped(f"Outcome: {end}.")])

    def records(self) -> list[Event]:
        """The events, with a first one that names the game and a last one for its outcome."""
        head = {"what": "game", "name": self.game, "game": self.index, "rotation": self.rotation}
        head |= {"seed": self.seed, "policies": self.policies}
        return [head, *self.events, {"what": "outcome", **self.outcome}]


def of_run(folder: Path) -> Request:
    """The request of a saved run. Raises UserError if it is none, or cannot be played again as it was."""
    from analyzer.sim import resume

    found = resume.find(folder).plan
    if found.many:
        raise UserError(f"{folder} is a series; its runs stand in folders of their own in it.")
    return found.only


def replay(request: Request, index: int) -> Replay:
    """Play game number `index` (0-based) of the run again. It need not be below the request's n.

    Raises UserError for an index that no run can have.
    """
    last = min(MAX_N, (MAX_BLOCKS + 1) * request.block - 1) - 1  # of the longest run in such blocks
    index = check_number("game", index, 0, last)
    block, row = locate(index, request.block, len(request.rotations), request.shares_luck)
    game = request.make_game()
    policies = [one.load(request.game) for one in request.policies]
    luck = replace(request.luck(block), rows=np.array([row], np.intp))
    by_seat = [request.labels[place] for place in request.rotations[block.rotation]]
    teller = make_teller(request, game, luck, by_seat)
    played = play(game, request.seated(policies, block.rotation), luck, block.indices(), teller)
    labels = getattr(game, "labels", {})
    outcome = {name: _outcome(values[..., 0], labels.get(name)) for name, values in played.columns.items()}
    told = teller.lines()
    return Replay(request.game, index, block.rotation, request.seed, by_seat, teller.events, told, outcome)


def make_teller(request: Request, game: Any, luck: Luck, labels: list[str]) -> Teller:
    """The teller of the game's room, or the plain one; `labels`: the policy of each seat."""
    make = request.room.part("tell").Teller if request.room.has("tell") else Trace
    teller: Teller = make(game, luck, labels)
    return teller


def _outcome(value: Any, labels: Any) -> Any:
    return labels[int(value)] if labels else value.tolist()
