"""What is left to play, and how much of it whoever is free takes at once.

Large pieces are played fastest; but who takes a large one at the end lets all others wait for it. So whole
blocks are handed out as long as there are plenty, and of the last ones each takes its fair share: all that
is not played yet, divided by those who play (guided self-scheduling; Polychronopoulos and Kuck, 1987).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.sim import parts, workers

if TYPE_CHECKING:
    from analyzer.sim.crew import Task
    from analyzer.sim.seating import Block

LARGE = 100_000  # games of a piece that gains nothing by being larger
SMALL = 50_000  # games of the smallest piece that a short run is cut into
SHARES = 5  # pieces a process, at least, that a short run is cut into if they do not get too small


@dataclass
class Pile:
    """The tasks that nobody has taken yet, and those that are being played."""

    jobs: int  # blocks at a time
    tasks: deque[Task] = field(default_factory=deque)
    games: int = 0  # of all these tasks
    _out: dict[tuple[int, Block], float] = field(default_factory=dict)  # those being played: taken when
    _played: int = 0  # games
    _seconds: float = 0.0  # that those took who played them

    def add(self, tasks: Iterable[Task]) -> None:
        """Put these below all others."""
        for task in tasks:
            self.tasks.append(task)
            self.games += task.block.games

    def __len__(self) -> int:
        return len(self.tasks)

    @property
    def most(self) -> int:
        """So many can play at once, at most."""
        if len(self) >= self.jobs:
            return self.jobs
        return min(self.jobs, sum(len(parts.files_of(task.block)) for task in self.tasks))

    @property
    def playing(self) -> int:
        """How many tasks are taken and neither done nor put back."""
        return len(self._out)

    @property
    def seconds_a_game(self) -> float:
        """What a game takes one process, about."""
        return self._seconds / self._played if self._played else workers.FIRST_GUESS

    def take(self) -> Task | None:
        """The next task, or the first piece of it; None if none is left."""
        if not self.tasks:
            return None
        share = self._share()
        task = self.tasks.popleft()
        first, *rest = _cut(task.block, share)
        if rest:
            self.tasks.appendleft(replace(task, block=rest[0]))
        taken = replace(task, block=first)
        self.games -= first.games
        self._out[taken.run, taken.block] = time.perf_counter()
        return taken

    def done(self, task: Task, seconds: float) -> None:
        """It was played, in so many seconds."""
        self._out.pop((task.run, task.block), None)
        self._played += task.block.games
        self._seconds += seconds

    def put_back(self, task: Task) -> None:
        """It is to be played again."""
        self._out.pop((task.run, task.block), None)
        self.tasks.appendleft(task)
        self.games += task.block.games

    def clear(self) -> None:
        """Nothing more is to be played."""
        self.tasks.clear()
        self.games = 0

    def pieces(self) -> list[Task]:
        """All tasks as pieces to be shared out where nobody can tell how far the others are."""
        fair = max(self.games // (SHARES * self.jobs) // SMALL * SMALL, SMALL)
        return [
            replace(task, block=piece)
            for task in self.tasks
            for piece in (_halves(task.block, self.jobs) if len(self) == 1 else task.block.cut(fair))
        ]

    def _share(self) -> float:
        """How many games the one who asks should take, at most."""
        if self.jobs == 1:
            return float("inf")
        fair = (self.games + sum(self._still())) / self.jobs
        return max(fair / 2, min(fair, LARGE))

    def _still(self) -> Iterator[float]:
        """How many games of each task that is being played are still to come, about."""
        now, pace = time.perf_counter(), self.seconds_a_game
        for (_, block), since in self._out.items():
            yield max(block.games - (now - since) / pace, 0.0)


def _cut(block: Block, games: float) -> list[Block]:
    """The block in two where a file ends, the first of about so many games; or the whole of it."""
    if block.games <= games:
        return [block]
    size = parts.PART
    end = max(int(block.first + games) // size, block.first // size + 1) * size
    return block.split([end])


def _halves(block: Block, jobs: int) -> list[Block]:
    """All that is left of a run: half of it for the helpers at once, the rest by files for whoever is free
    (the calling process has other things to do first)."""
    helpers, size = jobs - 1, parts.PART
    share = block.games // 2 // helpers // size * size if helpers else 0
    start = block.first // size * size
    first = [start + share * (helper + 1) for helper in range(helpers)] if share else []
    return block.split([*first, *range((first[-1] if first else start) + size, block.end, size)])
