"""When a game ends (U26 to U31, rulings 9 and 10); checked after every play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analyzer.games.undaunted.counting import BOTH, NO_HOPE, PINNED, POINTS
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.legal import rows_of
from analyzer.games.undaunted.state import U8, Rows, pick
from analyzer.games.undaunted.tables import Side

Bool = NDArray[np.bool_]


def check_ends(field: Field) -> None:
    """End the games of the lanes that act and are decided, in place."""
    doubtful = np.zeros(field.lanes, bool)
    for seat, side in enumerate(field.tables.sides):
        rows = field.mine if seat == field.seat else field.theirs
        doubtful |= rows[side.rifle_counters] == 0
        if side.goal is not None:
            doubtful |= field.score[seat] >= side.goal
            # With Riflemen and Scouts left all points of the map are within reach (ruling 10).
            doubtful |= rows[side.rifles_left] == 0
            doubtful |= rows[side.scouts_left] == 0
    doubtful &= field.acting.view(bool)
    lanes = doubtful.nonzero()[0]
    if lanes.size:
        winner, end = _judge(field, lanes)
        field.winner[lanes], field.end[lanes] = winner, end
        over = (winner > 0).view(np.uint8)
        field.over[lanes] = over
        field.acting[lanes] ^= over


def _judge(field: Field, lanes: Rows) -> tuple[U8, U8]:
    """Ruling 9: winner (seat + 1, 0 nobody yet) and end of each lane."""
    sides, always = field.tables.sides, field.tables.always
    points = pick(field.score[:2], lanes)
    winner, end = np.zeros(len(lanes), np.uint8), np.zeros(len(lanes), np.uint8)
    pinned, hopeless = [], []
    for seat, side in enumerate(sides):
        rows = field.mine if seat == field.seat else field.theirs
        pinned.append(rows[side.rifle_counters][lanes] == 0)
        hopeless.append(_hopeless(field, lanes, seat, side, rows))
    out = [one | other for one, other in zip(pinned, hopeless, strict=True)]

    def decide(here: Bool, seat: int, how: NDArray[np.uint8] | int) -> None:
        now = here & (winner == 0)
        winner[now] = seat + 1
        end[now] = how if isinstance(how, int) else how[now]

    def why(seat: int) -> U8:
        return np.where(pinned[seat], np.uint8(PINNED), np.uint8(NO_HOPE))

    for seat in (field.seat, 1 - field.seat):  # U26
        goal = sides[seat].goal
        if goal is not None:
            decide(points[seat] >= goal, seat, POINTS)
    both = out[0] & out[1]
    for seat in (0, 1):  # U27: even if pinned itself, but for two sides that must pin each other
        if sides[seat].goal is None:
            also = both if sides[1 - seat].goal is None else np.zeros_like(both)
            decide(out[1 - seat] & ~also, seat, why(1 - seat))
    ahead = points[0] - points[1]  # U28
    holder = pick(field.holder, lanes)
    for seat, lead in ((0, ahead > 0), (1, ahead < 0)):
        decide(both & (lead | ((ahead == 0) & (holder == seat))), seat, BOTH)
    for seat in (0, 1):  # U27, U29: one side is out
        behind = (ahead > 0) if seat == 0 else (ahead < 0)
        decide(pinned[1 - seat] & always, seat, PINNED)
        decide(hopeless[1 - seat] & (always | behind), seat, NO_HOPE)
    return winner, end


def _hopeless(field: Field, lanes: Rows, seat: int, side: Side, rows: U8) -> Bool:
    """U29, ruling 10: bool[lane], the goal of points is out of reach for good."""
    if side.goal is None:
        return np.zeros(len(lanes), bool)
    board = field.tables.board
    scouted, controlled = pick(field.own_marks if seat == field.seat else field.foe_marks, lanes)
    rifles, scouts = rows[side.rifles_left][lanes] > 0, rows[side.scouts_left][lanes] > 0
    worth = np.repeat(board.points[:, None].astype(np.int32), len(lanes), axis=1)
    if board.radio >= 0:
        worth[board.radio] = field.score[2, lanes]
    others = ~(rows_of(controlled, board.bit).view(bool))
    known = rows_of(scouted, board.bit).view(bool)
    within = others & (known | scouts) & rifles
    reach = field.score[seat, lanes] + np.add.reduce(worth * within, axis=0, dtype=np.int32)
    if board.radio >= 0 and seat == 0:
        unlimited = (within[board.radio] | ~others[board.radio]) & rifles
        reach = reach + unlimited * np.int32(10_000)
    hopeless: Bool = reach < side.goal
    return hopeless
