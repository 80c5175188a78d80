"""One game of a run, played again by itself and told step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from analyzer.sim.request import MAX_N, Request, check_number
from analyzer.sim.seating import locate
from analyzer.sim.trace import Trace


@dataclass(frozen=True)
class Replay:
    """A game told again. `policies` by seat; `events` in order; `outcome` as in the games frame, by column.

    `lines` are the events in words; seats are 1-based there and in `events`.
    """

    game: str
    index: int
    rotation: int
    seed: int
    policies: list[str]
    events: list[dict[str, Any]]
    lines: list[str]
    outcome: dict[str, Any]

    def __str__(self) -> str:
        seats = ", ".join(f"{seat} {label}" for seat, label in enumerate(self.policies, 1))
        head = (
            f"Game {self.index} of {self.game}, seed {self.seed}, rotation {self.rotation}. Seats: {seats}."
        )
        end = ", ".join(f"{name} {value}" for name, value in self.outcome.items())
        return "\n".join([head, "", *self.lines, "", f"Outcome: {end}."])

    def records(self) -> list[dict[str, Any]]:
        """The events, with a first one that names the game and a last one for its outcome."""
        head = {"what": "game", "name": self.game, "game": self.index, "rotation": self.rotation}
        head |= {"seed": self.seed, "policies": self.policies}
        return [head, *self.events, {"what": "outcome", **self.outcome}]


def replay(request: Request, index: int) -> Replay:
    """Play game number `index` (0-based) of the run again. It need not be below the request's n."""
    check_number("game", index, 0, MAX_N)
    block, row = locate(index, request.block, len(request.rotations))
    game = request.make_game()
    policies = [one.load(request.game) for one in request.policies]
    luck = Luck(
        game=request.game,
        seed=request.seed,
        block=block.number,
        size=block.size,
        rows=np.array([row], np.intp),
    )
    teller = request.room.part("tell").Teller(game, luck) if request.room.has("tell") else Trace(game, luck)
    played = play(game, request.seated(policies, block.rotation), luck, block.indices(), recorder=teller)
    labels = getattr(game, "labels", {})
    outcome = {name: _outcome(values[..., 0], labels.get(name)) for name, values in played.columns.items()}
    by_seat = [request.labels[place] for place in request.rotations[block.rotation]]
    lines = [line for line in map(teller.words, teller.events) if line]
    return Replay(request.game, index, block.rotation, request.seed, by_seat, teller.events, lines, outcome)


def _outcome(value: Any, labels: Any) -> Any:
    return labels[int(value)] if labels else value.tolist()
