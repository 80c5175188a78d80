"""Eastfront 1944, one game at a time, compiled with numba: the yardstick a vectorised engine must beat.

The rules of `tests/oracle/eastfront.py` over one preallocated record and without a Python object in the loop;
all seats play the analyzer's `balanced` with its default parameters, decision for decision and tie for tie
(SplitMix64 in `t.random`), so that both play the same games. With `counting=True` it keeps the tallies that
the analyzer keeps of every game; without, it reports each game's outcome only. Only the default options of
the rules are played (`go_on: same_then_any`, `support_limit: any`, `game_end: finish_turn`, `tie: shared`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit

compiled = njit(error_model="numpy")  # leaves the tests for division by zero out

SEATS, TYPES, GERMANS, SOVIETS, STACKS, CARDS, FRIENDS = 8, 40, 12, 8, 8, 256, 24
FIRES, COUNT = 64, 16
FIRE, DISCARD, DESTROY, HALT, RECALL = range(5)
EFFECTS = {"fire": FIRE, "discard": DISCARD, "destroy": DESTROY, "halt": HALT, "recall": RECALL}
OPENING, DRAWN, PLAYED = range(3)
GONE = 255

NUMBERS = """
    players germans supports hinders types soviets stacks height friends cover pillbox pillbox_defence
    opening_hand hand_limit cards courage onward patience finish thrift last_turns
"""
RULES = np.dtype(
    [(name, np.int32) for name in NUMBERS.split()]
    + [
        ("fire", np.int32, GERMANS),
        ("defence", np.int32, GERMANS),
        ("worth", np.int32, GERMANS),  # rank
        ("best_first", np.int32, GERMANS),
        ("soviet_fire", np.int32, SOVIETS),
        ("soviet_defence", np.int32, SOVIETS),
        ("support_fire", np.int32, 8),
        ("support_first", np.int32, 8),
        ("support_silent", np.int32, 8),
        ("effect", np.int32, 16),
        ("hinder_fire", np.int32, 16),
        ("hinder_worth", np.int32, 16),
        ("against", np.uint8, (16, GERMANS)),
        ("left", np.int32, STACKS),
        ("points", np.int32, 16),
    ]
)

TABLE = np.dtype(
    [
        ("hand", np.uint8, (SEATS, TYPES)),
        ("table", np.uint8, (SEATS, GERMANS)),
        ("size", np.int32, SEATS),
        ("force", np.int32, SEATS),
        ("units", np.int32, SEATS),
        ("halted", np.uint8, SEATS),
        ("friends", np.int32, SEATS),
        ("points", np.int32, SEATS),
        ("soviet", np.uint8, CARDS),
        ("left", np.int32, STACKS),
        ("open", np.int32, STACKS),  # type + 1, 0 for none
        ("opened", np.int32, STACKS),
        ("unseen", np.int32, SOVIETS),
        ("hidden", np.int32),
        ("rescued", np.int32),
        ("deck", np.uint8, CARDS),
        ("friend", np.uint8, FRIENDS),
        ("bits", np.uint32, CARDS),
        ("turn", np.int32),
        ("random", np.uint64),
        ("options", np.int32, 64),
        ("seen", np.uint8, (3, SEATS, TYPES)),
        ("odds", np.int32),  # of a face-down card, in percent
        # the exchange
        ("soviet_now", np.int32),
        ("need", np.int32),
        ("bonus", np.int32),
        ("first", np.int32),
        ("silent", np.int32),
    ]
)

COUNTS = np.dtype(
    [
        ("cards", np.int64, (SEATS, 4, TYPES, COUNT, 2)),
        ("actions", np.int64, (SEATS, 32)),
        ("hindered", np.int64, (SEATS, 16, SEATS, 2, 2)),
        ("reactions", np.int64, (SEATS, 2, 2)),
        ("turns_of", np.int64, (SEATS, 4)),
        ("exchanges", np.int64, (FIRES, SOVIETS, 2, 2)),
        ("depth", np.int64, (SEATS, 64, 2)),
        ("rescues", np.int64, (SEATS, CARDS)),
        ("stalls", np.int64, (SOVIETS, CARDS, 2)),
        ("ends", np.int64, (2, FRIENDS + 1, CARDS)),
        ("turns", np.int64, CARDS),
        ("points", np.int64, (SEATS, 128)),
        ("friends", np.int64, (SEATS, FRIENDS + 1)),
        ("shares", np.int64, (SEATS, SEATS)),
    ]
)


class Results(NamedTuple):
    """What a batch reports of every game."""

    turns: np.ndarray  # int16[game]
    rescued: np.ndarray  # int8[game]
    points: np.ndarray  # int16[game, seat]
    friends: np.ndarray  # int8[game, seat]
    held: np.ndarray  # int8[game, seat]
    force: np.ndarray  # int16[game, seat]


class Engine(NamedTuple):
    """The compiled batches; r, t and c are RULES[1], TABLE[1] and COUNTS[1] (added to).

    given(r, t, c, out, deck, soviet, friend uint8[game, card], bits uint32[game, turn], keys uint64[game])
    seeded(r, t, c, out, deck, soviet, friend uint8[card], seed, games): shuffles by itself
    """

    given: Callable[..., None]
    seeded: Callable[..., None]


def make_rules(tables: Any, policy: Any) -> np.ndarray:
    """RULES[1] of a game and the parameters of `balanced`; `tables` are those of the analyzer's game."""
    rules = tables.rules
    r = np.zeros(1, RULES)
    percent = {name: round(100 * getattr(policy, name)) for name in ("courage", "onward", "patience")}
    values = {
        "players": tables.players,
        "cards": len(tables.deck),
        "friends": rules.friends,
        "finish": policy.finish,
        "thrift": policy.thrift,
        "last_turns": 10,
        **percent,
    }
    for name in (
        "germans",
        "supports",
        "hinders",
        "types",
        "soviets",
        "stacks",
        "height",
        "cover",
        "pillbox",
    ):
        values[name] = getattr(tables, name)
    values |= {"pillbox_defence": tables.pillbox_defence, "opening_hand": rules.opening_hand}
    values["hand_limit"] = rules.hand_limit
    for name, value in values.items():
        r[name] = value
    columns = {
        "fire": tables.german_fire,
        "defence": tables.german_defence,
        "worth": tables.worth,
        "best_first": np.argsort(tables.worth)[::-1],
        "soviet_fire": tables.soviet_fire,
        "soviet_defence": tables.soviet_defence,
        "support_fire": tables.support_fire,
        "support_first": tables.support_first,
        "support_silent": tables.support_silent,
        "effect": [EFFECTS[effect] for effect in tables.effects],
        "hinder_fire": tables.hinder_fire,
        "hinder_worth": tables.hinder_worth[:, 0],
        "left": tables.heights,
        "points": tables.friend_points,
    }
    for name, column in columns.items():
        r[name][0, : len(column)] = column
    bits = tables.hinder_against[:, None] >> np.arange(tables.germans) & 1
    r["against"][0, : len(bits), : tables.germans] = bits
    return r


# --- small things -------------------------------------------------------------------------------------

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@compiled
def draw(t):
    """The next 64 random bits of this game."""
    t.random = t.random + GAMMA
    z = t.random
    z ^= z >> S30
    z *= MIX_1
    z ^= z >> S27
    z *= MIX_2
    z ^= z >> S31
    return z


@compiled
def tie(t, n):
    """One of n equal options."""
    if n == 1:
        return 0
    return np.int64(((draw(t) >> S32) * np.uint64(n)) >> S32)


@compiled
def victim(r, t, seat, fire):
    """The best German card of a table that this fire destroys; -1 if there is none."""
    for k in range(r.germans):
        g = r.best_first[k]
        if t.table[seat, g] > 0 and r.defence[g] < fire:
            return g
    return -1


@compiled
def least(r, t, seat):
    """The least German card of a table."""
    for k in range(r.germans - 1, -1, -1):
        g = r.best_first[k]
        if t.table[seat, g] > 0:
            return g
    return -1


@compiled
def beats(r, t, seat, soviet):
    """Whether the table wins an exchange without support against the best shot."""
    g = victim(r, t, seat, r.soviet_fire[soviet])
    lost = 0 if g < 0 else r.fire[g]
    return t.force[seat] - lost > r.soviet_defence[soviet]


@compiled
def odds_unseen(r, t, seat):
    """The chance to beat a face-down card, in percent."""
    if t.hidden == 0:
        return 0
    hits = 0
    for s in range(r.soviets):
        if t.unseen[s] > 0 and beats(r, t, seat, s):
            hits += t.unseen[s]
    return hits * 100 // t.hidden


@compiled
def odds_of(r, t, seat, stack, unseen):
    if t.left[stack] == 0:
        return 0
    if t.open[stack] == 0:
        return unseen
    return 100 if beats(r, t, seat, t.open[stack] - 1) else 0


@compiled
def remove(r, t, seat, g):
    t.table[seat, g] -= 1
    t.force[seat] -= r.fire[g]
    t.units[seat] -= 1


@compiled
def spend(t, seat, k, step):
    t.hand[seat, k] -= 1
    t.size[seat] -= 1
    if step:
        t.seen[PLAYED, seat, k] += 1


@compiled
def standing(t, seat):
    return (t.friends[seat] << 8) + t.force[seat]


# --- hindering ----------------------------------------------------------------------------------------


@compiled
def may_hinder(r, t, h, other):
    """Whether a card may be played on a player (R5, R6)."""
    effect = r.effect[h]
    if effect == DISCARD:
        return t.size[other] > 0
    if effect == HALT:
        return t.halted[other] == 0
    for g in range(r.germans):  # noqa: SIM110  numba knows no generators
        if t.table[other, g] > 0 and r.against[h, g]:
            return True
    return False


@compiled
def named_card(r, t, h, other):
    """The best card it can hurt, else the least that it may name."""
    last = -1
    for k in range(r.germans):
        g = r.best_first[k]
        if t.table[other, g] > 0 and r.against[h, g]:
            if r.defence[g] < r.hinder_fire[h]:
                return g
            last = g
    return last


@compiled
def play_hinder(r, t, c, seat, h, counting):
    """E7 B: whom, at which card, cover, effect."""
    best, n = -1, 0
    for d in range(1, r.players):
        other = (seat + d) % r.players
        if not may_hinder(r, t, h, other):
            continue
        rank = standing(t, other)
        if rank > best:
            best, n = rank, 0
        if rank == best:
            t.options[n] = other
            n += 1
    target = t.options[tie(t, n)]
    effect = r.effect[h]
    named = -1
    if effect != DISCARD and effect != HALT:
        named = named_card(r, t, h, target)
    spend(t, seat, r.germans + r.supports + h, True)
    leads = 1
    for o in range(r.players):
        if o != seat and t.friends[o] > t.friends[target]:
            leads = 0
    covered = 0
    if t.hand[target, r.cover] > 0:
        if effect != FIRE or r.hinder_fire[h] > r.defence[named]:
            covered = 1
            spend(t, target, r.cover, True)
        if counting:
            c.reactions[target, 0, covered] += 1
    if counting:
        c.hindered[seat, h, target, leads, covered] += 1
    if covered:
        return
    if effect == DISCARD:
        size = t.size[target]
        if size > 0:
            pick = np.int64((np.uint64(t.bits[t.turn]) * np.uint64(size)) >> S32)
            for k in range(r.types):
                pick -= t.hand[target, k]
                if pick < 0:
                    spend(t, target, k, False)
                    break
    elif effect == HALT:
        t.halted[target] = 1
    elif effect == RECALL:
        remove(r, t, target, named)
        t.hand[target, named] += 1
        t.size[target] += 1
    elif r.defence[named] < r.hinder_fire[h]:
        remove(r, t, target, named)


@compiled
def act(r, t, c, seat, counting):
    """E7; whether a card that hinders was played."""
    code = r.germans + r.hinders
    hand = t.hand
    for k in range(r.germans):
        if hand[seat, r.best_first[k]] > 0:
            code = r.best_first[k]
            break
    best = -1
    for h in range(r.hinders):
        if hand[seat, r.germans + r.supports + h] > 0 and (
            best < 0 or r.hinder_worth[h] > r.hinder_worth[best]
        ):
            possible = False
            for o in range(r.players):
                if o != seat and may_hinder(r, t, h, o):
                    possible = True
                    break
            if possible:
                best = h
    if best >= 0:
        unseen = odds_unseen(r, t, seat)
        weak = True
        for k in range(r.stacks):
            if odds_of(r, t, seat, k, unseen) >= r.courage:
                weak = False
                break
        if weak:
            own, ahead = standing(t, seat), False
            for o in range(r.players):
                if o != seat and standing(t, o) > own:
                    ahead = True
            if ahead or code == r.germans + r.hinders:
                code = r.germans + best
    if counting:
        c.actions[seat, code] += 1
    if code < r.germans:
        spend(t, seat, code, True)
        t.table[seat, code] += 1
        t.force[seat] += r.fire[code]
        t.units[seat] += 1
    elif code < r.germans + r.hinders:
        play_hinder(r, t, c, seat, code - r.germans, counting)
        return True
    return False


# --- the attack ---------------------------------------------------------------------------------------


@compiled
def choose_stack(r, t, seat, courage, only):
    """The best stack that is good enough; only >= 0: this one or none. -1 to stop."""
    unseen = -1
    own_turns = max(0, r.cards - r.players * r.opening_hand - t.turn - 1) // r.players
    fresh = int(np.ceil(courage + r.patience * min(1.0, own_turns / r.last_turns) - 1e-9))
    best, found = 2, -1
    for k in range(r.stacks):
        if t.left[k] == 0 or (only >= 0 and k != only):
            continue
        if t.open[k] == 0 and unseen < 0:
            unseen = odds_unseen(r, t, seat)
        odds = odds_of(r, t, seat, k, unseen)
        begun = t.left[k] < r.left[k] or t.open[k] > 0
        if odds < courage or not (begun or odds >= fresh):
            continue
        value = odds + r.finish * (r.height - t.left[k])
        if value >= best:  # the last of equal ones: they are alike
            best, found = value, k
    return found


@compiled
def wins(r, fire, first, lost, need, force):
    left = fire - (0 if first else lost)
    return left > need and (force > lost or first)


@compiled
def play_support(r, t, seat):
    """E14: what turns a loss into a win, or saves a good card."""
    s = t.soviet_now
    while True:
        held = False
        for i in range(r.supports):
            if t.hand[seat, r.germans + i] > 0:
                held = True
        if not held:
            return
        g = victim(r, t, seat, r.soviet_fire[s])
        shot = 0 if g < 0 else r.fire[g]
        lost = 0 if t.silent else shot
        fire, force = t.force[seat] + t.bonus, t.force[seat]
        now = wins(r, fire, t.first, lost, t.need, force)
        best, n = 1, 0
        for i in range(r.supports):
            if t.hand[seat, r.germans + i] == 0:
                continue
            first = t.first or r.support_first[i]
            then_lost = 0 if r.support_silent[i] else lost
            then = wins(r, fire + r.support_fire[i], first, then_lost, t.need, force)
            value = 0
            if then and not now:
                value = 3
            elif ((first and then) or r.support_silent[i]) and lost >= r.thrift:
                value = 2
            if value > best:
                best, n = value, 0
            if value == best and value > 1:
                t.options[n] = i
                n += 1
        if n == 0:
            return
        i = t.options[tie(t, n)]
        spend(t, seat, r.germans + i, True)
        t.bonus += r.support_fire[i]
        t.first |= r.support_first[i]
        t.silent |= r.support_silent[i]


@compiled
def offer_pillbox(r, t, c, seat, counting):
    """E20: played where it turns a win into a failure."""
    s = t.soviet_now
    for d in range(1, r.players):
        other = (seat + d) % r.players
        if t.hand[other, r.pillbox] == 0:
            continue
        g = victim(r, t, seat, r.soviet_fire[s])
        lost = 0 if g < 0 or t.silent else r.fire[g]
        fire, force = t.force[seat] + t.bonus, t.force[seat]
        yes = wins(r, fire, t.first, lost, t.need, force) and not wins(
            r, fire, t.first, lost, t.need + r.pillbox_defence, force
        )
        if counting:
            c.reactions[other, 1, 1 if yes else 0] += 1
        if yes:
            spend(t, other, r.pillbox, True)
            t.need += r.pillbox_defence
            return


@compiled
def exchange(r, t, c, seat, stack, number, counting):
    """E12 to E16; whether the Soviet card was destroyed."""
    if t.open[stack] == 0:
        s = t.soviet[(r.left[stack] - t.left[stack]) * r.stacks + stack]
        t.open[stack] = s + 1
        t.opened[stack] = t.turn + 1
        t.unseen[s] -= 1
        t.hidden -= 1
    s = t.open[stack] - 1
    t.soviet_now, t.need = s, r.soviet_defence[s]
    t.bonus, t.first, t.silent = 0, 0, 0
    play_support(r, t, seat)
    offer_pillbox(r, t, c, seat, counting)
    fire = t.force[seat] + t.bonus
    beaten, lost = False, 0
    if t.first:
        beaten = fire > t.need
    if not beaten and not t.silent:
        g = victim(r, t, seat, r.soviet_fire[s])
        if g >= 0:
            remove(r, t, seat, g)
            lost = 1
    if not t.first and t.units[seat] > 0:
        beaten = t.force[seat] + t.bonus > t.need
    if counting:
        c.exchanges[min(fire, FIRES - 1), s, 1 if beaten else 0, lost] += 1
        c.depth[seat, number, 1 if beaten else 0] += 1
        if beaten:
            c.stalls[s, t.turn + 1 - t.opened[stack], 1] += 1
    return beaten


@compiled
def attack(r, t, c, seat, counting):
    """E8, E12 to E18."""
    stacks = 0
    for k in range(r.stacks):
        stacks += t.left[k] > 0
    if t.halted[seat] or t.units[seat] == 0 or stacks == 0:
        return
    stack = choose_stack(r, t, seat, r.courage, -1)
    if counting:
        c.turns_of[seat, 2] += 1
        c.turns_of[seat, 3] += stack >= 0
    number = 0
    while stack >= 0 and exchange(r, t, c, seat, stack, number, counting):
        number += 1
        t.open[stack] = 0
        t.left[stack] -= 1
        only = stack
        if t.left[stack] == 0:
            only = -1
            stacks -= 1
            if t.rescued < r.friends:
                t.friends[seat] += 1
                t.points[seat] += r.points[t.friend[t.rescued]]
                t.rescued += 1
                if counting:
                    c.rescues[seat, t.turn // r.players] += 1
        if stacks == 0:
            return
        stack = choose_stack(r, t, seat, r.onward, only)


# --- the turn -----------------------------------------------------------------------------------------


@compiled
def give_up(r, k):
    """What discarding a card is worth: the highest goes first."""
    if k < r.germans:
        return -r.worth[k]
    if k < r.germans + r.supports:
        return -20 - (k - r.germans)
    if k < r.cover:
        return 40 - r.hinder_worth[k - r.germans - r.supports]
    return 4 if k == r.cover else 10


@compiled
def discard(r, t, seat):
    while t.size[seat] > r.hand_limit:
        best, card = -1000, -1
        for k in range(r.types):
            if t.hand[seat, k] > 0 and give_up(r, k) > best:
                best, card = give_up(r, k), k
        spend(t, seat, card, False)


@compiled
def play_game(r, t, c, counting):
    """One game with the cards in t; the number of turns."""
    players, dealt = r.players, r.players * r.opening_hand
    t.hand[:] = 0
    t.table[:] = 0
    t.seen[:] = 0
    t.halted[:] = 0
    t.unseen[:] = 0
    t.open[:] = 0
    for seat in range(players):
        t.size[seat] = r.opening_hand
        t.force[seat] = t.units[seat] = t.friends[seat] = t.points[seat] = 0
    for k in range(dealt):
        t.hand[k % players, t.deck[k]] += 1
    t.hidden = 0
    for k in range(r.stacks):
        t.left[k] = r.left[k]
        t.hidden += r.left[k]
    for k in range(t.hidden):
        t.unseen[t.soviet[k]] += 1
    t.rescued = 0
    for seat in range(players):
        for k in range(r.types):
            t.seen[OPENING, seat, k] = t.hand[seat, k]
        for g in range(r.germans):
            n = t.hand[seat, g]
            t.table[seat, g] = n
            t.seen[PLAYED, seat, g] = n
            t.hand[seat, g] = 0
            t.size[seat] -= n
            t.force[seat] += n * r.fire[g]
            t.units[seat] += n
    last = r.cards - dealt
    for turn in range(last):
        t.turn = turn
        seat = turn % players
        card = t.deck[dealt + turn]
        t.hand[seat, card] += 1
        t.seen[DRAWN, seat, card] += 1
        t.size[seat] += 1
        if not act(r, t, c, seat, counting):
            attack(r, t, c, seat, counting)
        t.halted[seat] = 0
        discard(r, t, seat)
        if t.rescued == r.friends:
            return turn + 1
    return last


@compiled
def count_game(r, t, c, turns, low):
    """The tallies that are kept of a finished game."""
    players = r.players
    most = t.points[0]
    for seat in range(1, players):
        most = max(most, t.points[seat])
    winners = 0
    for seat in range(players):
        winners += t.rescued > 0 and t.points[seat] == most
    c.turns[turns] += 1
    c.ends[1 if t.rescued < r.friends else 0, t.rescued, (turns + players - 1) // players - 1] += 1
    for k in range(r.stacks):
        if t.open[k] > 0:
            c.stalls[t.open[k] - 1, turns - t.opened[k], 0] += 1
    for seat in range(players):
        won = 1 if t.rescued > 0 and t.points[seat] == most else 0
        if won:
            c.shares[seat, winners - 1] += 1
        c.points[seat, t.points[seat] - low] += 1
        c.friends[seat, t.friends[seat]] += 1
        c.turns_of[seat, 0] += (turns - seat + players - 1) // players
        for k in range(r.types):
            for stat in range(3):
                c.cards[seat, stat, k, min(t.seen[stat, seat, k], COUNT - 1), won] += 1
            c.cards[seat, 3, k, min(t.hand[seat, k], COUNT - 1), won] += 1


def make_engine(counting: bool = True) -> Engine:
    """Batches with or without tallies."""

    @compiled
    def finish(r, t, c, out, game, turns, low):
        if counting:
            count_game(r, t, c, turns, low)
        out.turns[game], out.rescued[game] = turns, t.rescued
        for seat in range(r.players):
            out.points[game, seat], out.friends[game, seat] = t.points[seat], t.friends[seat]
            out.held[game, seat], out.force[game, seat] = t.size[seat], t.force[seat]

    @compiled
    def lowest(r):
        low = 0
        for k in range(len(r.points)):
            low = min(low, r.points[k])
        return low * FRIENDS

    @njit(error_model="numpy")
    def given(rs, ts, cs, out, deck, soviet, friend, bits, keys):
        r, t, c = rs[0], ts[0], cs[0]
        low = lowest(r)
        for game in range(len(keys)):
            t.random = keys[game]
            for k in range(deck.shape[1]):
                t.deck[k] = deck[game, k]
            for k in range(soviet.shape[1]):
                t.soviet[k] = soviet[game, k]
            for k in range(friend.shape[1]):
                t.friend[k] = friend[game, k]
            for k in range(bits.shape[1]):
                t.bits[k] = bits[game, k]
            finish(r, t, c, out, game, play_game(r, t, c, counting), low)

    @compiled
    def shuffle(t, pack, source):
        for k in range(len(source)):
            other = np.int64(((draw(t) >> S32) * np.uint64(k + 1)) >> S32)
            pack[k] = pack[other]
            pack[other] = source[k]

    @njit(error_model="numpy")
    def seeded(rs, ts, cs, out, deck, soviet, friend, seed, games):
        r, t, c = rs[0], ts[0], cs[0]
        low = lowest(r)
        t.random = np.uint64(seed)
        for game in range(games):
            shuffle(t, t.deck, deck)
            shuffle(t, t.soviet, soviet)
            shuffle(t, t.friend, friend)
            for k in range(len(deck)):
                t.bits[k] = np.uint32(draw(t) >> S32)
            finish(r, t, c, out, game, play_game(r, t, c, counting), low)

    return Engine(given, seeded)


def make_table() -> np.ndarray:
    """TABLE[1]: room for one game at a time."""
    return np.zeros(1, TABLE)


def make_counts() -> np.ndarray:
    """COUNTS[1]: nothing counted yet."""
    return np.zeros(1, COUNTS)


def make_results(games: int, players: int) -> Results:
    """Empty results of a batch."""
    return Results(
        np.zeros(games, np.int16),
        np.zeros(games, np.int8),
        np.zeros((games, players), np.int16),
        np.zeros((games, players), np.int8),
        np.zeros((games, players), np.int8),
        np.zeros((games, players), np.int16),
    )


def tallies(r: np.ndarray, c: np.ndarray, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """What was counted, in the names and shapes of the analyzer's tallies of Eastfront."""
    counts, rules = c[0], r[0]
    found = {
        name: counts[name][tuple(slice(size) for size in shape)].copy() for name, shape in shapes.items()
    }
    nothing = int(rules["germans"] + rules["hinders"])
    found["turns_of"][:, 1] = found["actions"][:, nothing]
    return found
