"""What ends at the head of a turn in Kraskar, looked at in every turn around its end: exhaustion (K20, R10),
halving (K14, R4), the return gauge (K8, K22) and stratagems (R11).

Turn 0 is the turn in which the thing happens. `at_head` is the state at the first question of each turn.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.kraskar import PASS, Oracle
from tests.oracle.kraskar_script import (
    archer,
    cavalry,
    infantry,
    losses,
    position,
    script,
    spearman,
    turns,
)

MELEE, FORWARD = ("melee", 0, "forward"), ("move", 0, "forward")


def at_head(oracle: Oracle, last: int) -> list[dict[str, Any]]:
    """The state after the head of every turn up to the last; each must ask something."""
    return [script(oracle).head(turn) for turn in range(last + 1)]


def each(snapshots: list[dict[str, Any]], name: str, seat: int, unit: int = 0) -> list[Any]:
    return [snapshot[name][seat][unit] for snapshot in snapshots]


# --- exhaustion -----------------------------------------------------------------------------------


def test_k20_hit_in_turn_t_disabled_in_t_1_free_at_the_head_of_t_2() -> None:
    oracle = position([infantry((2, 2))], [infantry((3, 2), 9)], MELEE, ...)
    ends = turns(oracle, 4)
    assert each(ends, "exhausted", 1) == [True, True, False, False]
    assert each(at_head(oracle, 3), "exhausted", 1) == [False, True, False, False]


@pytest.mark.parametrize("side", [0, 1])
def test_k20_the_clock_runs_for_either_seat(side: int) -> None:
    pieces = [[infantry((2, 2), 9)], [infantry((3, 2), 9)]]
    oracle = position(*pieces, MELEE, ..., first=side)
    assert each(turns(oracle, 4), "exhausted", 1 - side) == [True, True, False, False]
    assert not any(each(turns_of(oracle), "exhausted", side))


def turns_of(oracle: Oracle) -> list[dict[str, Any]]:
    return [look for *_, look in script(oracle).looks]


@pytest.mark.parametrize(("make", "what"), [(cavalry, "charge"), (archer, "shoot"), (spearman, "thrust")])
def test_k20_its_own_turn_t_1_is_lost_and_turn_t_3_is_not(make: Any, what: str) -> None:
    oracle = position([infantry((2, 2))], [make((3, 2), 9)], MELEE, ...)
    turns(oracle, 4)
    may = {
        look["turn"]: what in {a[0] for a in legal} for _, seat, legal, look in script(oracle).looks if seat
    }
    assert may == {1: False, 3: True}


def charge_after(hit_in: int | None, charge_in: int) -> list[tuple[str, int, int]]:
    """Seat 0 hits a spearman in one of its turns and charges it in one: the losses of the charge."""
    mine = [infantry((2, 2), 1), cavalry((2, 2), 5)]
    answers: list[Any] = []
    for turn in range(0, charge_in + 1, 2):
        answers += [MELEE] if turn == hit_in else []
        answers += [("charge", 1, "forward")] if turn == charge_in else []
        answers += [PASS, PASS]  # the end of this turn, and the enemy's
    oracle = position(mine, [spearman((3, 2), 4)], *answers)
    turns(oracle, charge_in + 2)
    return [hit for hit in losses(oracle) if hit[0] != "melee"]


def test_k20_a_spearman_is_ready_again_to_intercept_in_turn_t_2() -> None:
    intercepted, charged = [("interception", 1, 8 + 8 - 5)], [("charge", 0, 9)]
    assert charge_after(None, 0) == intercepted
    assert charge_after(0, 0) == charged
    assert charge_after(0, 2) == intercepted
    assert charge_after(2, 2) == charged
    assert charge_after(0, 4) == intercepted


def test_r10_a_new_hit_restarts_it() -> None:
    oracle = position([infantry((2, 2), 1)], [infantry((3, 2), 9)], MELEE, PASS, PASS, MELEE, ...)
    assert each(turns(oracle, 6), "exhausted", 1) == [True, True, True, True, False, False]
    assert each(at_head(oracle, 5), "exhausted", 1) == [False, True, False, True, False, False]


def test_r10_it_ends_before_the_draw_and_the_recovery_of_the_enemy() -> None:
    mine = [infantry((2, 2)), infantry(None, gauge=2)]
    oracle = position(mine, [infantry((3, 2), 9)], MELEE, PASS, PASS, 0, PASS)
    chips: list[tuple[bool, list[int]]] = []
    draw = oracle._draw
    oracle._draw = lambda: (chips.append((oracle.units[1][0].exhausted, list(oracle.chips))), draw())[1]  # type: ignore[method-assign]
    turns(oracle, 3)
    assert chips == [(False, [0, 0]), (True, [1, 1]), (False, [2, 2])]
    asked = next(look for kind, _, _, look in script(oracle).looks if kind == "deploy")
    assert asked["turn"] == 2
    assert asked["exhausted"][1] == [False]


def test_k20_hit_twice_in_one_turn_ends_once() -> None:
    mine = [infantry((2, 2), 1), infantry((2, 2), 1)]
    oracle = position(mine, [infantry((3, 2), 9)], MELEE, ("melee", 1, "forward"), ...)
    assert each(turns(oracle, 4), "exhausted", 1) == [True, True, False, False]


# --- halving --------------------------------------------------------------------------------------


def test_k14_half_force_and_wit_this_turn_and_the_enemys_next() -> None:
    mine = [infantry((3, 0), 7, wit=5)]
    oracle = position(mine, [infantry((4, 4))], FORWARD, ...)
    ends = turns(oracle, 4)
    assert each(ends, "besieging", 0) == [True, True, False, False]
    assert each(ends, "force", 0) == [3, 3, 7, 7]
    assert each(at_head(oracle, 3), "force", 0) == [7, 3, 7, 7]


def test_r4_a_new_siege_restarts_it_and_halving_never_doubles() -> None:
    mine = [infantry((3, 0), 9)]
    oracle = position(mine, [infantry((4, 4))], FORWARD, FORWARD, PASS, FORWARD, ...)
    ends = turns(oracle, 6)
    assert each(ends, "force", 0) == [4, 4, 4, 4, 9, 9]
    assert each(at_head(oracle, 5), "force", 0) == [9, 4, 9, 4, 9, 9]


@pytest.mark.parametrize("charge_in", [1, 3])
def test_r4_an_interception_in_the_enemys_turn_uses_half_force_if_halved(charge_in: int) -> None:
    mine, theirs = [spearman((3, 2), 7), infantry((0, 0))], [cavalry((1, 2), 5)]
    charge = [("charge", 0, "back"), PASS]
    answers = [FORWARD, PASS, *charge] if charge_in == 1 else [FORWARD, PASS, PASS, PASS, *charge]
    oracle = position(mine, theirs, *answers, hit_points=30)
    turns(oracle, charge_in + 1)
    force = 3 if charge_in == 1 else 7
    assert losses(oracle) == [("interception", 0, 8 + 2 * force - 5)]


def test_r4_modifiers_first_then_half_then_the_factor_of_the_attack() -> None:
    mine = [archer((3, 2), 4, stratagem="boost")]
    answers = [("stratagem", 0, None), FORWARD, ("shoot", 0, 0), PASS]
    oracle = position(mine, [infantry((4, 4), 6)], *answers, chips=[2, 0])
    turns(oracle)
    assert losses(oracle) == [("shot", 0, 8 + (4 + 3) // 2 - 6)]
    # A snipe by a halved archer is not possible in the turn of the siege; an interception with a factor is.
    theirs = [spearman((3, 1), 7)]
    oracle = position([cavalry((3, 0), 5)], theirs, ("move", 0, "forward"), ("charge", 0, "east"), PASS)
    oracle.units[1][0].besieging_until = 1
    oracle.units[1][0].modifiers["weaken"] = (2, 1)
    turns(oracle)
    assert losses(oracle) == [("interception", 0, 8 + 2 * ((7 - 2) // 2) - 5 // 2)]


def test_k14_an_exhausting_hit_and_a_siege_keep_their_own_clocks() -> None:
    mine = [spearman((3, 2), 7)]
    oracle = position(mine, [infantry((2, 2), 1)], FORWARD, PASS, ("melee", 0, "back"), ...)
    ends = turns(oracle, 4)
    assert each(ends, "besieging", 0) == [True, True, False, False]
    assert each(ends, "exhausted", 0) == [False, True, True, False]


# --- the return gauge -----------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_k22_retreat_in_the_enemys_turn_misses_three_own_turns_and_acts_in_the_fourth(side: int) -> None:
    down = [infantry((2, 2)), infantry((3, 4))]  # the unit that falls, and one that keeps its side in play
    up = [infantry((2, 1)), infantry((1, 0))]
    down[0] = down[0]._replace(hit_points=1)
    pieces = (up, down) if side == 0 else (down, up)
    answers = [("melee", 0, "east"), *[PASS] * 7, 3, ("move", 0, "forward"), PASS, PASS]
    oracle = position(*pieces, *answers, first=side)
    ends = turns(oracle, 9)
    assert each(ends, "gauge", 1 - side) == [0, 1, 1, 2, 2, 3, 3, 0, 0]
    gone = [square is None for square in each(ends, "square", 1 - side)]
    assert gone == [True] * 7 + [False] * 2
    assert ends[7]["square"][1 - side][0] == ((1, 3) if side else (3, 3))
    assert script(oracle).looks[8][3]["turn"] == 7


def test_k22_retreat_in_the_own_turn_counts_from_the_next_own_turn() -> None:
    mine = [cavalry((1, 2), hit_points=1), infantry((0, 0))]
    answers = [("charge", 0, "forward"), *[PASS] * 8, 2, ("charge", 0, "east"), PASS, PASS]
    oracle = position(mine, [spearman((2, 2))], *answers)
    ends = turns(oracle, 10)
    assert each(ends, "gauge", 0) == [0, 0, 1, 1, 2, 2, 3, 3, 0, 0]
    assert [s["square"][0][0] for s in ends[7:9]] == [None, (0, 4)]


def test_k22_a_second_retreat_starts_again_at_zero() -> None:
    mine = [infantry((0, 2), hit_points=1), infantry((0, 4))]
    hit, ready = ("melee", 0, "forward"), [PASS] * 2
    answers = [PASS, hit, *[PASS] * 7, 2, PASS, hit, *ready, *ready]
    oracle = position(mine, [infantry((1, 2), 9)], *answers, hit_points=4)
    ends = turns(oracle, 13)
    assert each(ends, "gauge", 0) == [0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2]
    assert [square is None for square in each(ends, "square", 0)] == [False] + [True] * 7 + [False] + [
        True
    ] * 4
    assert each(ends, "hit_points", 0)[8] == 4  # full again, and down again in turn 9


# --- stratagems -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("wit", "rounds"), [(0, 1), (3, 1), (4, 2), (7, 2), (8, 3), (12, 4)])
@pytest.mark.parametrize("kind", ["boost", "rally"])
def test_r11_boost_and_rally_end_at_the_head_of_turn_t_plus_2k(kind: str, wit: int, rounds: int) -> None:
    mine = [infantry((0, 0), wit=wit, stratagem=kind)]
    end = 2 * rounds
    oracle = position(mine, [infantry((4, 4))], ("stratagem", 0, None), ..., chips=[4, 0])
    ends = turns(oracle, end + 2)
    amount = {"boost": 3, "rally": 2}[kind]
    assert each(ends, kind, 0) == [amount] * end + [0, 0]
    assert each(at_head(oracle, end + 1), "force", 0) == [5] + [5 + amount] * (end - 1) + [5, 5]


@pytest.mark.parametrize(
    ("own", "theirs", "rounds"),
    [(0, 0, 1), (5, 4, 1), (6, 4, 2), (11, 4, 2), (12, 4, 3), (6, 1, 3), (6, 0, 3)],
)
def test_r11_a_weaken_ends_at_the_head_of_turn_t_plus_2k(own: int, theirs: int, rounds: int) -> None:
    mine, enemy = [infantry((0, 0), wit=own, stratagem="weaken")], [infantry((4, 4), 9, wit=theirs)]
    end = 2 * rounds
    oracle = position(mine, enemy, ("stratagem", 0, 0), ..., chips=[3, 0])
    ends = turns(oracle, end + 2)
    assert each(ends, "weaken", 1) == [4] * end + [0, 0]
    assert each(at_head(oracle, end + 1), "force", 1) == [9] + [5] * (end - 1) + [9, 9]


@pytest.mark.parametrize("per_round", [1, 3, 4, 6])
def test_the_wit_of_a_boost_round_is_a_setting(per_round: int) -> None:
    for kind in ("boost", "rally"):
        mine = [infantry((0, 0), wit=6, stratagem=kind)]
        end = 2 * (1 + 6 // per_round)
        answers = [("stratagem", 0, None), ...]
        oracle = position(mine, [infantry((4, 4))], *answers, chips=[4, 0], boost_wit=per_round)
        assert [bool(n) for n in each(turns(oracle, end + 1), kind, 0)] == [True] * end + [False]


@pytest.mark.parametrize("base", [1, 2, 4])
def test_the_wit_of_a_weaken_round_is_a_setting(base: int) -> None:
    mine, enemy = [infantry((0, 0), wit=9, stratagem="weaken")], [infantry((4, 4), wit=2)]
    end = 2 * (1 + 9 // (base + 2))
    oracle = position(mine, enemy, ("stratagem", 0, 0), ..., chips=[3, 0], weaken_wit=base)
    assert [bool(n) for n in each(turns(oracle, end + 1), "weaken", 1)[: end + 1]] == [True] * end + [False]


def test_r11_wit_is_read_at_casting() -> None:
    """A siege before the casting shortens a stratagem, a siege after it does not."""
    siege, cast = FORWARD, ("stratagem", 0, None)
    for kind in ("boost", "rally"):
        lasts = []
        for order in ([siege, cast], [cast, siege]):
            mine = [infantry((3, 0), wit=4, stratagem=kind)]
            oracle = position(mine, [infantry((4, 4))], *order, ..., chips=[4, 0])
            lasts.append(sum(n > 0 for n in each(turns(oracle, 4), kind, 0)))
        assert lasts == [2, 4]
    lasts = []
    weaken = ("stratagem", 0, 0)
    for order in ([siege, weaken], [weaken, siege]):
        mine = [infantry((3, 0), wit=6, stratagem="weaken")]
        oracle = position(mine, [infantry((4, 4), wit=4)], *order, ..., chips=[3, 0])
        lasts.append(sum(n > 0 for n in each(turns(oracle, 4), "weaken", 1)))
    assert lasts == [2, 4]


def test_r11_the_wit_of_a_besieging_target_is_halved_too() -> None:
    theirs = [infantry((1, 0), wit=5)]
    mine = [infantry((0, 4), wit=4, stratagem="weaken")]
    answers = [FORWARD, PASS, ("stratagem", 0, 0), ...]
    oracle = position(mine, theirs, *answers, chips=[3, 0], first=1)
    assert each(turns(oracle, 6), "weaken", 1) == [0, 4, 4, 4, 4, 0]  # 1 + 4 // (2 + 2), not 1 + 4 // (2 + 5)


def test_wit_zero_counts_as_one_for_a_halved_target() -> None:
    theirs = [infantry((1, 0), wit=1)]
    mine = [infantry((0, 4), wit=2, stratagem="weaken")]
    answers = [FORWARD, PASS, ("stratagem", 0, 0), ...]
    oracle = position(mine, theirs, *answers, chips=[3, 0], first=1)
    assert each(turns(oracle, 4), "weaken", 1) == [0, 4, 4, 0]  # 1 + 2 // (2 + 1), not 1 + 2 // (2 + 0)


def test_r11_within_a_kind_the_newest_counts_with_its_own_clock() -> None:
    """Of two rallies the later one counts, even if it is smaller and shorter."""
    mine = [infantry((0, 0), wit=8, stratagem="rally 3"), infantry((0, 1), wit=0, stratagem="rally")]
    answers = [("stratagem", 0, None), PASS, PASS, ("stratagem", 1, None), ...]
    oracle = position(mine, [infantry((4, 4))], *answers, chips=[10, 0])
    assert each(turns(oracle, 6), "rally", 0) == [3, 3, 2, 2, 0, 0]


def test_r11_a_boost_cast_again_starts_again() -> None:
    mine = [infantry((0, 0), wit=4, stratagem="boost")]
    cast = ("stratagem", 0, None)
    oracle = position(mine, [infantry((4, 4))], cast, PASS, PASS, cast, ..., chips=[4, 0])
    ends = turns(oracle, 8)
    assert each(ends, "boost", 0) == [3] * 6 + [0, 0]
    assert each(ends, "force", 0) == [8] * 6 + [5, 5]


def test_r11_of_two_weakens_the_newest_counts() -> None:
    mine = [infantry((0, 0), stratagem="weaken", wit=9), infantry((0, 1), stratagem="weaken 2", wit=1)]
    answers = [("stratagem", 0, 0), ("stratagem", 1, 0), ...]
    oracle = position(mine, [infantry((4, 4), 9, wit=1)], *answers, chips=[5, 0])
    assert each(turns(oracle, 4), "weaken", 1) == [2, 2, 0, 0]
