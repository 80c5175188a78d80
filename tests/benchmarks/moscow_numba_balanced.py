"""The policy `balanced` for the numba yardstick, decision for decision the one of the analyzer.

Scores, their order and the tie-breaking numbers (SplitMix64 in `t.random`) are those of
`analyzer.games.moscow.policies.Balanced` with its default parameters, so that both play the same games.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks import moscow_numba as m
from tests.benchmarks.moscow_numba import Policy, compiled
from tests.benchmarks.moscow_numba_policies import always, longest_advance

COURAGE_FACES = {6: 4}  # ceil(0.6 x sides) for the dice in use

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@compiled
def tie(t, n):
    """The next tie-breaking number 0..n-1 of this game."""
    t.random = t.random + GAMMA
    z = t.random
    z ^= z >> S30
    z *= MIX_1
    z ^= z >> S27
    z *= MIX_2
    z ^= z >> S31
    return np.int64(((z >> S32) * np.uint64(n)) >> S32)


@compiled
def force(r, t, seat):
    """Strength of all usable fighting cards, without month and die."""
    total = 0
    for k in range(r.division, r.german):
        total += t.hand[seat, k] * r.value[k]
    for k in range(r.reorganise - 1, r.german - 1, -1):
        if t.hand[seat, k] > 0:
            return total + r.value[k]
    return total


@compiled
def offer(t, best, ties, score, kind, i):
    """Note an action of this score; returns the best score and how many have it (kept in t.options)."""
    if score > best:
        best, ties = score, 0
    if score == best:
        t.options[ties, 0], t.options[ties, 1] = kind, i
        ties += 1
    return best, ties


@compiled
def act(r, t, seat):
    seats, hand = t.seats, t.hand
    clear = seats[seat, m.ARMY] < 0
    own = seats[seat, m.KM]
    arrived = own >= r.goal
    best, ties = -30000, 0
    if clear:
        for k in range(r.advance, r.army):
            if hand[seat, k] > 0:
                score = -1 + 25 - 50 * arrived + k - r.advance
                best, ties = offer(t, best, ties, score, m.ADVANCE, k - r.advance)
    open_army, open_general, open_river, free = False, False, False, 0
    for o in range(r.players):
        if o == seat:
            continue
        if seats[o, m.ARMY] < 0:
            open_army = True
            free = max(free, seats[o, m.KM] + 1)
        else:
            open_general |= seats[o, m.GENERAL] == 0
            open_river |= seats[o, m.RIVER] == 0
    wanted = free > own
    value = (8 + 30 * (free > r.goal - r.km[r.army - 1])) * wanted
    if open_army:
        for k in range(r.army, r.general):
            if hand[seat, k] > 0:
                best, ties = offer(t, best, ties, value - 1 + (k - r.army) * wanted, m.PUT_ARMY, k - r.army)
    if open_general and hand[seat, r.general] > 0:
        best, ties = offer(t, best, ties, value - 1 + 13 * wanted, m.PUT_GENERAL, -1)
    if open_river and hand[seat, r.river] > 0:
        flows = t.game[m.MONTH] <= r.last_river_month
        best, ties = offer(t, best, ties, (value + 6 * wanted) * flows - 1, m.PUT_RIVER, -1)
    if r.players > 1:
        for j in range(4):
            if hand[seat, r.order + j] > 0:
                best, ties = offer(t, best, ties, value - 1 + (9 + j) * wanted, m.ORDER, j)
    # Cards on Moscow (score -1) never beat "nothing" (score 0).
    if m.divisions(r, t, seat) > 0:
        reach = force(r, t, seat) + r.months[t.game[m.MONTH], 0] + r.die_sides + 1 - 4
        if not clear:
            wins = reach >= m.red_total(r, t, seat, False)
            best, ties = offer(t, best, ties, 90 * wins - 1, m.FIGHT, -1)
        if m.may_attack(r, t, seat):
            wins = reach >= m.red_total(r, t, seat, True)
            best, ties = offer(t, best, ties, 110 * wins - 1, m.ATTACK, -1)
    best, ties = offer(t, best, ties, 0, m.NOTHING, -1)
    pick = tie(t, ties) if ties > 1 else 0
    kind, i = t.options[pick, 0], t.options[pick, 1]
    if kind == m.PUT_ARMY or kind == m.PUT_GENERAL or kind == m.PUT_RIVER or kind == m.ORDER:
        return kind, i, whom(r, t, seat, kind)
    return kind, i, -1


@compiled
def whom(r, t, seat, kind):
    """The leader among those the card may be for, ties by chance."""
    best, ties = -1, 0
    for d in range(1, r.players):
        o = (seat + d) % r.players
        there = t.seats[o, m.ARMY] >= 0
        if kind == m.PUT_ARMY and there:
            continue
        if kind == m.PUT_GENERAL and (not there or t.seats[o, m.GENERAL] != 0):
            continue
        if kind == m.PUT_RIVER and (not there or t.seats[o, m.RIVER] != 0):
            continue
        if t.seats[o, m.KM] > best:
            best, ties = t.seats[o, m.KM], 0
        if t.seats[o, m.KM] == best:
            t.options[ties, 2] = o
            ties += 1
    return t.options[tie(t, ties) if ties > 1 else 0, 2]


@compiled
def commit(r, t, seat, on_moscow):
    """Everything at Moscow; else the weakest cards that are sure to win, the strongest general last."""
    left = 30000
    if not on_moscow:
        left = m.red_total(r, t, seat, False) - r.months[t.game[m.MONTH], 0] - 1
    any_division = False
    for k in range(r.division, r.german):
        if left <= 0:
            break
        n = min(t.hand[seat, k], (left + r.value[k] - 1) // r.value[k])
        t.pick[k] = n
        left -= n * r.value[k]
        any_division |= n > 0 and k < r.luftwaffe
    if not any_division:
        for k in range(r.division, r.luftwaffe):
            if t.hand[seat, k] > 0:
                t.pick[k] = 1
                break
    if left > 0:
        for k in range(r.reorganise - 1, r.german - 1, -1):
            if t.hand[seat, k] > 0:
                t.pick[k] = 1
                break


@compiled
def exploit(r, t, seat):
    return -1 if t.seats[seat, m.KM] >= r.goal else longest_advance(r, t, seat)


@compiled
def give_up(r, k, arrived, many, generals):
    """What discarding a card is worth: the highest goes first."""
    if k < r.army:
        return 28 * many + 66 * arrived - 2 - 4 * (k - r.advance)
    if k < r.general:
        return 25 - 2 * (k - r.army)
    if k == r.general:
        return 27
    if k == r.river:
        return 40
    if k < r.division:
        return 36 - (k - r.order)
    if k < r.luftwaffe:
        return 4 * (r.division - k)
    if k < r.german:
        return 2 * (r.luftwaffe - k) - 5
    if r.german <= k < r.reorganise:
        return 99 * (generals > 1) - 40 - (k - r.german)
    return 1 if k == r.reorganise else 0


@compiled
def discard(r, t, seat, excess):
    arrived = t.seats[seat, m.KM] >= r.goal
    many, generals = 0, 0
    for k in range(r.advance, r.army):
        many += t.hand[seat, k]
    for k in range(r.german, r.reorganise):
        generals += t.hand[seat, k]
    for _ in range(excess):
        best, ties = -100, 0
        for k in range(r.advance, r.time):
            if t.hand[seat, k] > t.pick[k]:
                best, ties = offer(t, best, ties, give_up(r, k, arrived, many > 3, generals), k, -1)
        t.pick[t.options[tie(t, ties) if ties > 1 else 0, 0]] += 1


BALANCED = Policy(act, commit, always, exploit, discard)
