"""The pile of what is left to play: everything is taken once, large pieces first, and nobody waits long."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sim import parts, pile, workers
from analyzer.sim.crew import Task
from analyzer.sim.pile import Pile
from analyzer.sim.seating import Block, plan


def pile_of(blocks: Iterable[Block], jobs: int, job: Any = None) -> Pile:
    """A pile of these blocks of one run. (It does not look at the job.)"""
    left = Pile(jobs)
    left.add(Task(0, job, block) for block in blocks)
    return left


def blocks_of(n: int, size: int) -> list[Block]:
    return plan(n, size, 1)


@given(st.integers(1, 3_000_000), st.integers(60_000, 400_000), st.integers(1, 9), st.integers(0, 99))
def test_every_game_is_taken_once_and_pieces_end_where_files_do(
    n: int, size: int, jobs: int, seed: int
) -> None:
    rng = random.Random(seed)
    left = pile_of(blocks_of(n, size), jobs)
    taken: list[Block] = []
    playing: list[Task] = []
    while (task := left.take()) is not None or playing:
        assert left.games == sum(one.block.games for one in left.tasks)
        if task is not None:
            playing.append(task)
        if task is None or (len(playing) >= jobs and rng.random() < 0.5):
            done = playing.pop(rng.randrange(len(playing)))
            if rng.random() < 0.1:
                left.put_back(done)
            else:
                left.done(done, 9 * rng.random())
                taken.append(done.block)
    taken.sort(key=lambda one: (one.number, one.first))
    whole = {block.number: block for block in blocks_of(n, size)}
    for number, block in whole.items():
        pieces = [one for one in taken if one.number == number]
        assert (pieces[0].first, pieces[-1].end) == (0, block.games)
        assert all(a.end == b.first and b.first % parts.PART == 0 for a, b in pairwise(pieces))
    assert len(left) == left.games == left.playing == 0


def test_one_process_gets_whole_blocks() -> None:
    blocks = blocks_of(2_000_000, 400_000)
    left = pile_of(blocks, 1)
    assert [left.take().block for _ in blocks] == blocks  # type: ignore[union-attr]


class Clock:
    """The time as the pile sees it."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


def wait(n: int, size: int, speeds: list[float], monkeypatch: pytest.MonkeyPatch) -> float:
    """How much longer the last player is at it than if all ended together, in the time that the slowest takes
    for a file of games.

    speeds: games a second of each.
    """
    clock = Clock()
    monkeypatch.setattr(pile, "time", clock)
    left = pile_of(blocks_of(n, size), len(speeds))
    ends: list[tuple[float, int, Task | None]] = [(0.0, player, None) for player in range(len(speeds))]
    last = 0.0
    while ends:
        clock.now, player, done = heapq.heappop(ends)
        if done is not None:
            left.done(done, done.block.games / speeds[player])
            last = clock.now
        if (task := left.take()) is not None:
            heapq.heappush(ends, (clock.now + task.block.games / speeds[player], player, task))
    return (last - n / sum(speeds)) / (parts.PART / min(speeds))


CASES = [
    (n, [50_000.0 * (slow if player % 2 else 1.0) for player in range(jobs)])
    for jobs, n in [(2, 1_000_000), (2, 1_050_000), (3, 1_000_000), (8, 5_000_000)]
    for slow in (1.0, 0.9, 0.7, 0.5)
]


@pytest.mark.parametrize(("n", "speeds"), CASES)
def test_the_last_one_is_not_waited_for_long(
    n: int, speeds: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wait(n, 100_000, speeds, monkeypatch) < 1


def test_where_whole_blocks_are_taken_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above."""
    monkeypatch.setattr(Pile, "_share", lambda _: float("inf"))
    waits = [wait(n, 100_000, speeds, monkeypatch) for n, speeds in CASES]
    assert max(waits) > 3


@pytest.mark.parametrize(("later", "games"), [(0.0, 50_000), (1.0, 75_000), (2.0, 100_000)])
def test_what_is_being_played_counts_by_what_is_still_to_come(
    later: float, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes, one block left: who comes takes as much as lets both end together."""
    clock = Clock()
    monkeypatch.setattr(pile, "time", clock)
    left = pile_of(blocks_of(300_000, 100_000), 2)
    first = left.take()
    clock.now = later
    left.take()
    clock.now = 2.0
    assert first is not None
    left.done(first, 2.0)  # 50,000 games a second; the other one began later, or at the same time
    last = left.take()
    assert last is not None
    assert last.block.games == games


def test_a_short_run_is_cut_beforehand() -> None:
    whole = pile_of(blocks_of(200_000, 100_000), 2)
    assert [task.block.games for task in whole.pieces()] == [50_000] * 4
    one = pile_of(blocks_of(100_000, 100_000), 2)
    assert [task.block.games for task in one.pieces()] == [50_000, 25_000, 25_000]


def test_the_pace_is_what_those_who_played_needed() -> None:
    left = pile_of(blocks_of(300_000, 100_000), 2)
    assert left.seconds_a_game == workers.FIRST_GUESS
    for seconds in (5.0, 1.0):
        task = left.take()
        assert task is not None
        left.done(task, seconds)
    assert left.seconds_a_game == pytest.approx(6.0 / 200_000)
