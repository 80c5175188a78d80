"""Moscow, one game at a time, compiled with numba: the yardstick a vectorised engine must beat.

The same rules as `tests/oracle/moscow.py`, over preallocated flat arrays and without a Python object in the
loop. With `counting=True` it keeps the tallies that the analyzer keeps of every game (`Counts`, handed over
in the analyzer's shapes by `tallies`); without, it only reports each game's outcome.

A policy is five njit functions (`Policy`); `make_engine(policy)` compiles a game around them. All seats play
the same policy. `moscow_numba_policies` holds policies, `moscow_numba_check` compares with the oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tests.oracle.moscow import ORDERS, card_types

# Columns of `Table.seats`, int32[seat, 8].
KM, ARMY, GENERAL, RIVER, SHOWN, ARRIVED, SIZE, BLOCKED = range(8)
# Places of `Table.game`, int32[10]. SALT is the number of the game, DECISION counts for hashed play.
MONTH, MOSCOW_ARMY, MOSCOW_GENERAL, DECK_LEFT, TURN, ACTION, WINNER, SALT, DECISION, NEXT = range(10)
# Kinds of action: what `Policy.act` returns first, then an index within the kind, then the target seat.
NOTHING, ADVANCE, PUT_ARMY, PUT_GENERAL, PUT_RIVER, MOSCOW_PUT_ARMY, MOSCOW_PUT_GENERAL = range(7)
FIGHT, ATTACK, ORDER = range(7, 10)

compiled = njit(error_model="numpy")  # leaves the tests for division by zero out

MAX_SEATS, MAX_TYPES, MAX_CARDS, MAX_MONTHS, MAX_ACTIONS, MAX_FACES = 6, 32, 256, 12, 256, 32
# Statistics of cards, and the number of their counts told apart (the last is "that many or more").
OPENING, DRAWN, PLAYED, STATS, MAX_COUNT = 0, 1, 2, 4, 16

# Rules and table are one record each and not tuples of arrays: a record is passed as one bare pointer, while
# every array in a call costs a reference counted up and down (games ran at a sixth of the speed).
NUMBERS = """
    players n_types n_cards advance army general river order division luftwaffe german reorganise time supply
    opening_hand actions lose_turn army_on_self front_must_be_clear multiply goal moscow_strength die_sides
    last_month last_river_month unit
"""
RULES = np.dtype(
    [(name, np.int32) for name in NUMBERS.split()]
    + [
        ("value", np.int32, MAX_TYPES),  # strength, km or amount of a type
        ("km", np.int32, MAX_TYPES),
        ("code", np.int32, ORDER + 1),  # the analyzer's action code of a kind's first action
        ("months", np.int32, (MAX_MONTHS, 2)),  # attack modifier, hand limit
    ]
)
"""The rules for a number of players. Type ids of a kind are contiguous: advance .. army-1, army .. general-1,
general, river, order .. order+3, division .. luftwaffe-1, luftwaffe .. german-1, german .. reorganise-1.
Distances are counted in `unit` km."""

TABLE = np.dtype(
    [
        ("hand", np.uint8, (MAX_SEATS, MAX_TYPES)),
        ("seats", np.int32, (MAX_SEATS, 8)),
        ("game", np.int32, 10),
        ("discards", np.uint8, MAX_TYPES),
        ("pick", np.uint8, MAX_TYPES),  # how a policy hands over a set of cards
        ("deck", np.uint8, MAX_CARDS),  # top first
        ("dice", np.int8, (MAX_CARDS, 2)),  # turn, action
        ("random", np.uint64),  # state of the generator of seeded games
        ("keys", np.int64, MAX_CARDS),  # scratch of the second shuffle
        ("options", np.int32, (MAX_ACTIONS, 3)),  # scratch of `legal_actions`
        ("seen", np.uint8, (STATS - 1, MAX_SEATS, MAX_TYPES)),  # cards of opening hands, drawn, played
    ]
)
"""The state of the one game being played, used again for every game of a batch."""

COUNTS = np.dtype(
    [
        ("cards", np.int64, (MAX_SEATS, STATS, MAX_TYPES, MAX_COUNT, 2)),  # count 0 is left out
        ("km", np.int64, (MAX_SEATS, MAX_CARDS, 256)),  # seat, round, km in units
        ("actions", np.int64, (MAX_SEATS, MAX_TYPES, MAX_SEATS + 1)),  # seat, action code, target (0 none)
        ("fights", np.int64, (MAX_SEATS, 2, MAX_FACES, 2)),  # seat, front or Moscow, winning faces, won
        ("idle", np.int64, (MAX_SEATS, 2)),  # turns begun behind a Red Army, turns lost to supply
        ("ends", np.int64, (2, MAX_MONTHS, MAX_CARDS)),  # nobody won, month, round
        ("turns", np.int64, MAX_CARDS),
        ("winners", np.int64, MAX_SEATS + 1),  # the last place, -1, is nobody
    ]
)
"""What is counted over all games of a batch."""


class Results(NamedTuple):
    """What a batch reports of every game."""

    winner: np.ndarray  # int8[game], -1 nobody
    turns: np.ndarray  # int16[game]
    month: np.ndarray  # int8[game]
    km: np.ndarray  # int16[game, seat], in km
    arrived: np.ndarray  # int16[game, seat], 1-based turn, 0 never
    blocked: np.ndarray  # int16[game, seat], turns begun behind a Red Army
    held: np.ndarray  # int16[game, seat], cards in hand at the end


class Policy(NamedTuple):
    """Five njit functions.

    act(r, t, seat) -> (kind, index, target); index and target -1 where the kind has none
    commit(r, t, seat, on_moscow) -> None; fills t.pick (zeroed) with the cards used
    reorganise(r, t, seat, won) -> bool
    exploit(r, t, seat) -> index of an advance card, or -1
    discard(r, t, seat, excess) -> None; fills t.pick (zeroed)
    """

    act: Any
    commit: Any
    reorganise: Any
    exploit: Any
    discard: Any


class Engine(NamedTuple):
    """The compiled batches.

    given(r, t, c, out, first uint8[game, card], second int64[game, card], dice int8[game, turn, action],
        keys uint64[game], salt): plays the luck handed over; keys start the games' random streams (ties)
    seeded(r, t, c, out, deck uint8[card], seed, games): shuffles and throws by itself
    r, t and c are RULES[1], TABLE[1] and COUNTS[1] (added to; untouched by an engine without counting); salt
    is added to the number of the game. Both return the number of games with an illegal choice (always 0 for
    a correct policy).
    """

    given: Callable[..., int]
    seeded: Callable[..., int]


def make_rules(rules: Mapping[str, Any], players: int) -> np.ndarray:
    """RULES[1]: the rules dict for a number of players as numbers and tables."""
    types = card_types(rules["cards"])
    start: dict[str, int] = {}
    for k, t in enumerate(types):
        start.setdefault(t.kind, k)
    names = [m["name"] for m in rules["months"]]
    many = players > 1 and players >= rules["many_players"]
    values: dict[str, Any] = {
        "players": players,
        "n_types": len(types),
        "n_cards": sum(t.count for t in types),
        "army": start["red_army"],
        "general": start["red_general"],
        "river": start["great_river"],
        "german": start["german_general"],
        "supply": start["out_of_supply"],
        "actions": rules["actions_per_turn"],
        "lose_turn": rules["out_of_supply"] == "lose_turn",
        "multiply": rules["boosts"] == "multiply",
        "last_month": len(names) - 1,
        "last_river_month": names.index(rules["rivers_until"]),
    }
    for key in ("advance", "order", "division", "luftwaffe", "reorganise", "time"):
        values[key] = start[key]
    for key in ("opening_hand", "army_on_self", "front_must_be_clear", "moscow_strength", "die_sides"):
        values[key] = rules[key]
    goal, order_km = rules["goal_km_many"] if many else rules["goal_km"], types[start["order"]].value
    unit = reduce(gcd, [goal, order_km, *(t.km for t in types)])
    values |= {"goal": goal // unit, "unit": unit}
    r = np.zeros(1, RULES)
    for key, value in values.items():
        r[key] = value
    r["value"][0, : len(types)] = [t.value for t in types]
    r["value"][0, start["order"]] = order_km // unit
    r["km"][0, : len(types)] = [t.km // unit for t in types]
    after = start["division"]  # the codes after those of the cards played as such
    armies = start["red_general"] - start["red_army"]
    r["code"][0] = [
        after + armies + 3,
        start["advance"],
        start["red_army"],
        start["red_general"],
        start["great_river"],
        after,
        after + armies,
        after + armies + 1,
        after + armies + 2,
        start["order"],
    ]
    r["months"][0, : len(names)] = [[m["attack"], m["hand_limit"]] for m in rules["months"]]
    assert values["n_cards"] <= MAX_CARDS
    assert sum(t.km * t.count for t in types) // unit < 255, "a distance does not fit COUNTS"
    assert max(len(types), r["code"].max() + 1) <= MAX_TYPES
    return r


def full_deck(rules: Mapping[str, Any]) -> np.ndarray:
    """uint8[card]: the type id of every card, sorted."""
    types = card_types(rules["cards"])
    return np.repeat(np.arange(len(types)), [t.count for t in types]).astype(np.uint8)


def make_table() -> np.ndarray:
    """TABLE[1]: room for one game at a time."""
    return np.zeros(1, TABLE)


def make_counts() -> np.ndarray:
    """COUNTS[1]: nothing counted yet."""
    return np.zeros(1, COUNTS)


def tallies(r: np.ndarray, c: np.ndarray) -> dict[str, np.ndarray]:
    """What was counted, in the names and shapes of the analyzer's tallies of Moscow."""
    rules, counts = r[0], c[0]
    players, hand_types = int(rules["players"]), int(rules["n_types"]) - 2
    rounds, nothing = -(-int(rules["n_cards"]) // players), int(rules["code"][NOTHING])
    months, sides = int(rules["last_month"]) + 1, int(rules["die_sides"])
    cards = counts["cards"][:players, :, :hand_types].copy()
    won = counts["winners"][:players]
    games = np.stack([counts["winners"].sum() - won, won], axis=-1)  # [seat, won]
    cards[..., 0, :] = games[:, None, None] - cards.sum(axis=3)  # the rest had none of the card
    km, actions = counts["km"][:players, :rounds], counts["actions"][:players, : nothing + 1, : players + 1]
    idle = [km.sum(axis=(1, 2)), *counts["idle"][:players].T, actions[:, nothing, 0]]
    return {
        "shares": won[:, None],
        "ends": counts["ends"][:, :months, :rounds],
        "turns": counts["turns"][: int(rules["n_cards"]) + 1],
        "km": km[..., :255],
        "fights": counts["fights"][:players, :, : sides + 1],
        "actions": actions,
        "cards": cards,
        "idle": np.stack(idle, axis=-1),
    }


def make_results(games: int, players: int) -> Results:
    """Empty results of a batch."""
    return Results(
        np.zeros(games, np.int8),
        np.zeros(games, np.int16),
        np.zeros(games, np.int8),
        *(np.zeros((games, players), np.int16) for _ in range(4)),
    )


# --- what may be done ---------------------------------------------------------------------------------


@compiled
def divisions(r, t, seat):
    """Number of divisions in a hand."""
    n = 0
    for k in range(r.division, r.luftwaffe):
        n += t.hand[seat, k]
    return n


@compiled
def may_attack(r, t, seat):
    """M14 without the division: arrived, and the front clear or not asked for (R5)."""
    clear = t.seats[seat, ARMY] < 0 or not r.front_must_be_clear
    return clear and t.seats[seat, KM] >= r.goal


@compiled
def is_legal(r, t, seat, kind, i, o):
    """Whether one action is legal (M9 to M16); far cheaper than the list of all."""
    if kind == NOTHING:
        return True
    if kind == ADVANCE:
        return 0 <= i < r.army - r.advance and t.hand[seat, r.advance + i] > 0 and t.seats[seat, ARMY] < 0
    if kind == FIGHT:
        return t.seats[seat, ARMY] >= 0 and divisions(r, t, seat) > 0
    if kind == ATTACK:
        return may_attack(r, t, seat) and divisions(r, t, seat) > 0
    if kind == MOSCOW_PUT_ARMY:
        return 0 <= i < r.general - r.army and t.hand[seat, r.army + i] > 0 and t.game[MOSCOW_ARMY] < 0
    if kind == MOSCOW_PUT_GENERAL:
        return t.hand[seat, r.general] > 0 and t.game[MOSCOW_ARMY] >= 0 and t.game[MOSCOW_GENERAL] == 0
    if o < 0 or o >= r.players:
        return False
    if kind == PUT_ARMY:
        other = o != seat or r.army_on_self
        return other and 0 <= i < r.general - r.army and t.hand[seat, r.army + i] > 0 and t.seats[o, ARMY] < 0
    if o == seat:
        return False
    if kind == PUT_GENERAL:
        return t.hand[seat, r.general] > 0 and t.seats[o, ARMY] >= 0 and t.seats[o, GENERAL] == 0
    if kind == PUT_RIVER:
        return t.hand[seat, r.river] > 0 and t.seats[o, ARMY] >= 0 and t.seats[o, RIVER] == 0
    return kind == ORDER and 0 <= i < 4 and t.hand[seat, r.order + i] > 0


@compiled
def legal_actions(r, t, seat):
    """Fill t.options with every legal (kind, index, target) in the fixed order; how many there are."""
    n = 0
    for kind in range(ORDER + 1):
        indices = 1
        if kind == ADVANCE:
            indices = r.army - r.advance
        elif kind in (PUT_ARMY, MOSCOW_PUT_ARMY):
            indices = r.general - r.army
        elif kind == ORDER:
            indices = 4
        targets = 1
        if kind in (PUT_ARMY, PUT_GENERAL, PUT_RIVER, ORDER):
            targets = r.players
        for i in range(indices):
            for d in range(1, targets + 1):
                o = (seat + d) % r.players
                if is_legal(r, t, seat, kind, i, o):
                    t.options[n, 0], t.options[n, 1], t.options[n, 2] = kind, i, o
                    n += 1
    return n


@compiled
def red_total(r, t, seat, on_moscow):
    """The number an attack must reach (M21)."""
    game = t.game
    if on_moscow:
        if game[MOSCOW_ARMY] < 0:
            return r.moscow_strength
        return r.moscow_strength + r.value[r.army + game[MOSCOW_ARMY]] * (1 + game[MOSCOW_GENERAL])
    boosts = t.seats[seat, GENERAL]
    if game[MONTH] <= r.last_river_month:
        boosts += t.seats[seat, RIVER]
    factor = 1 << boosts if r.multiply else 1 + boosts
    return r.value[r.army + t.seats[seat, ARMY]] * factor


# --- what happens -------------------------------------------------------------------------------------


@compiled
def spend(t, seat, card, n):
    """n cards of a type go from a hand to the discard pile."""
    t.hand[seat, card] -= n
    t.discards[card] += n
    t.seats[seat, SIZE] -= n
    t.seats[seat, SHOWN] = 0


@compiled
def lay(t, seat, card):
    """A card goes from a hand to the table."""
    t.hand[seat, card] -= 1
    t.seats[seat, SIZE] -= 1
    t.seats[seat, SHOWN] = 0


@compiled
def drive(r, t, seat, km):
    """M9, M19, M22."""
    t.seats[seat, KM] += km
    if t.seats[seat, KM] >= r.goal and t.seats[seat, ARRIVED] == 0:
        t.seats[seat, ARRIVED] = t.game[TURN] + 1


@compiled
def surrender(t, seat, lo, hi, n):
    """Discard the n weakest cards of the types lo..hi-1; how many it was (M7, M27, M28)."""
    gave = 0
    for k in range(lo, hi):
        m = min(n - gave, t.hand[seat, k])
        if m > 0:
            spend(t, seat, k, m)
            gave += m
        if gave == n:
            break
    return gave


@compiled
def obey(r, t, j, o):
    """M26 to M28, R2."""
    if j == 0:
        t.seats[o, KM] = max(0, t.seats[o, KM] - r.value[r.order])
        return
    if j == 3:
        due, gave = 1, surrender(t, o, r.german, r.reorganise, 1)
    else:
        due, gave = j, surrender(t, o, r.division, r.luftwaffe, j)
    if gave < due:
        t.seats[o, SHOWN] = 1


@compiled
def solo_draw(r, t, card):
    """M30, R13: a Red card or an order drawn by the only player."""
    seats, game = t.seats, t.game
    if r.army <= card < r.general and seats[0, ARMY] < 0:
        seats[0, ARMY] = card - r.army
    elif r.army <= card < r.general and game[MOSCOW_ARMY] < 0:
        game[MOSCOW_ARMY] = card - r.army
    elif card == r.general and seats[0, ARMY] >= 0 and seats[0, GENERAL] == 0:
        seats[0, GENERAL] = 1
    elif card == r.river and seats[0, ARMY] >= 0 and seats[0, RIVER] == 0:
        seats[0, RIVER] = 1
    else:
        t.discards[card] += 1
        if card >= r.order:
            obey(r, t, card - r.order, 0)


@compiled
def draw(r, t, seat):
    """M5 to M7; False if the turn is lost."""
    game = t.game
    card = t.deck[game[NEXT]]
    game[NEXT] += 1
    game[DECK_LEFT] -= 1
    if card == r.time:
        if game[MONTH] < r.last_month:
            game[MONTH] += 1
    elif card == r.supply:
        if r.lose_turn:
            return False
        surrender(t, seat, r.division, r.luftwaffe, 1)
    elif r.players == 1 and r.army <= card < r.division:
        solo_draw(r, t, card)
    else:
        t.hand[seat, card] += 1
        t.seats[seat, SIZE] += 1
        t.seats[seat, SHOWN] = 0
    return True


@compiled
def start(r, t, n_deck, salt):
    """Everything but hands and deck as it is before the first turn (M3)."""
    t.seats[:] = 0
    t.seats[:, ARMY] = -1
    for seat in range(r.players):
        n = 0
        for k in range(r.n_types):
            n += t.hand[seat, k]
        t.seats[seat, SIZE] = n
    t.discards[:] = 0
    t.game[:] = 0
    t.game[MOSCOW_ARMY] = -1
    t.game[WINNER] = -1
    t.game[DECK_LEFT] = n_deck
    t.game[SALT] = salt


@compiled
def goes_back(r, card):
    """M2, R13: whether a card dealt returns to the deck."""
    return card == r.time or card == r.supply or (r.players == 1 and r.army <= card < r.division)


@compiled
def deal_given(r, t, first, second):
    """M1, M2 from a given shuffle and given keys; the size of the draw deck."""
    t.hand[:] = 0
    n = 0
    dealt = r.players * r.opening_hand
    for place in range(first.shape[0]):
        card = first[place]
        if place < dealt and not goes_back(r, card):
            t.hand[place % r.players, card] += 1
        else:
            t.keys[n] = (second[place] << 8) | card
            n += 1
    t.keys[:n].sort()
    for k in range(n):
        t.deck[k] = t.keys[k] & 255
    return n


@compiled
def below(t, n):
    """A random integer 0..n-1 by xorshift64* (bias below 2**-24 for the sizes used here)."""
    x = t.random
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    t.random = x
    return np.int64((((x * np.uint64(2685821657736338717)) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compiled
def deal_seeded(r, t, cards):
    """M1, M2 with the game's own shuffle. Only the dealt cards and the final deck are ever shuffled."""
    n = cards.shape[0]
    deck = t.deck
    for k in range(n):
        deck[k] = cards[k]
    t.hand[:] = 0
    dealt = r.players * r.opening_hand
    back = 0
    for place in range(dealt):  # the dealt cards gather at the front, those that go back stay there
        pick = place + below(t, n - place)
        card = deck[pick]
        deck[pick] = deck[place]
        if goes_back(r, card):
            deck[place] = deck[back]
            deck[back] = card
            back += 1
        else:
            deck[place] = card
            t.hand[place % r.players, card] += 1
    left = n - dealt
    for k in range(left):
        deck[back + k] = deck[dealt + k]
    left += back
    for k in range(left - 1, 0, -1):
        pick = below(t, k + 1)
        deck[k], deck[pick] = deck[pick], deck[k]
    return left


# --- what is counted ----------------------------------------------------------------------------------


@compiled
def begin_counting(r, t):
    """Before the first turn: the opening hands, and nothing drawn or played."""
    for seat in range(r.players):
        for k in range(r.n_types):
            t.seen[OPENING, seat, k] = t.hand[seat, k]
            t.seen[DRAWN, seat, k] = 0
            t.seen[PLAYED, seat, k] = 0


@compiled
def count_action(r, t, c, seat, kind, i, o):
    """An action by code and target, and its card as played."""
    code = r.code[kind] + max(i, 0)
    targeted = kind in (PUT_ARMY, PUT_GENERAL, PUT_RIVER, ORDER)
    c.actions[seat, code, o + 1 if targeted else 0] += 1
    if code < r.division:
        t.seen[PLAYED, seat, code] += 1
    elif kind == MOSCOW_PUT_ARMY:
        t.seen[PLAYED, seat, r.army + i] += 1
    elif kind == MOSCOW_PUT_GENERAL:
        t.seen[PLAYED, seat, r.general] += 1


@compiled
def count_fight(r, c, seat, on_moscow, attack, total, won):
    """A fight by the faces of the die that win it; `attack` is the sum before the die."""
    faces = min(max(r.die_sides + 1 + attack - total, 0), r.die_sides)
    c.fights[seat, np.int64(on_moscow), faces, np.int64(won)] += 1


@compiled
def count_game(r, t, c):
    """After the last turn: how the game ended, and every hand's cards by type."""
    game = t.game
    winner, turns = game[WINNER], game[TURN]
    c.winners[winner] += 1
    c.turns[turns] += 1
    c.ends[np.int64(winner < 0), game[MONTH], (turns - 1) // r.players] += 1
    for seat in range(r.players):
        won = np.int64(winner == seat)
        c.idle[seat, 0] += t.seats[seat, BLOCKED]
        for k in range(r.n_types - 2):  # the last two types are never in a hand
            for stat in range(STATS - 1):
                n = t.seen[stat, seat, k]
                if n > 0:
                    c.cards[seat, stat, k, min(n, MAX_COUNT - 1), won] += 1
            n = t.hand[seat, k]
            if n > 0:
                c.cards[seat, STATS - 1, k, min(n, MAX_COUNT - 1), won] += 1


def make_engine(policy: Policy, checked: bool = True, counting: bool = False) -> Engine:
    """Compile a game around a policy; `checked` keeps the test of every choice in, `counting` the tallies."""
    act, commit, reorganise, exploit, discard = policy

    @compiled
    def fight(r, t, c, seat, on_moscow):
        """M20 to M25, R1; False for an illegal choice."""
        t.pick[:] = 0
        commit(r, t, seat, on_moscow)
        base, strongest, generals = 0, -1, 0
        for k in range(r.n_types):
            n = t.pick[k]
            if n == 0:
                continue
            if checked and (n > t.hand[seat, k] or k < r.division or k >= r.reorganise):
                return False
            base += n * r.value[k]
            if k < r.luftwaffe:
                strongest = k
            if k >= r.german:
                generals += n
            spend(t, seat, k, n)
            if counting:
                t.seen[PLAYED, seat, k] += n
        if checked and (strongest < 0 or generals > 1):
            return False
        total = red_total(r, t, seat, on_moscow)
        base += r.months[t.game[MONTH], 0]
        attack = base + t.dice[t.game[TURN], t.game[ACTION]]
        won = attack >= total
        if counting:
            count_fight(r, c, seat, on_moscow, base, total, won)
        if won and on_moscow:
            t.game[WINNER] = seat
            return True
        if won:
            card = r.army + t.seats[seat, ARMY]
            t.discards[card] += 1
            t.discards[r.general] += t.seats[seat, GENERAL]
            t.discards[r.river] += t.seats[seat, RIVER]
            t.seats[seat, ARMY] = -1
            t.seats[seat, GENERAL] = 0
            t.seats[seat, RIVER] = 0
            drive(r, t, seat, r.km[card])
        if t.hand[seat, r.reorganise] > 0 and reorganise(r, t, seat, won):
            spend(t, seat, r.reorganise, 1)
            if counting:
                t.seen[PLAYED, seat, r.reorganise] += 1
            t.discards[strongest] -= 1
            t.hand[seat, strongest] += 1
            t.seats[seat, SIZE] += 1
        if won and attack >= 2 * total:
            held = 0
            for k in range(r.advance, r.army):
                held += t.hand[seat, k]
            if held > 0:
                i = exploit(r, t, seat)
                if i >= 0:
                    if checked and (i >= r.army - r.advance or t.hand[seat, r.advance + i] == 0):
                        return False
                    spend(t, seat, r.advance + i, 1)
                    if counting:
                        t.seen[PLAYED, seat, r.advance + i] += 1
                    drive(r, t, seat, r.km[r.advance + i])
        return True

    @compiled
    def apply(r, t, c, seat, kind, i, o):
        """One action; False for an illegal choice."""
        if kind == NOTHING:
            return True
        if kind == ADVANCE:
            spend(t, seat, r.advance + i, 1)
            drive(r, t, seat, r.km[r.advance + i])
        elif kind == FIGHT:
            return fight(r, t, c, seat, False)
        elif kind == ATTACK:
            return fight(r, t, c, seat, True)
        elif kind == PUT_ARMY:
            lay(t, seat, r.army + i)
            t.seats[o, ARMY] = i
        elif kind == PUT_GENERAL:
            lay(t, seat, r.general)
            t.seats[o, GENERAL] = 1
        elif kind == PUT_RIVER:
            lay(t, seat, r.river)
            t.seats[o, RIVER] = 1
        elif kind == MOSCOW_PUT_ARMY:
            lay(t, seat, r.army + i)
            t.game[MOSCOW_ARMY] = i
        elif kind == MOSCOW_PUT_GENERAL:
            lay(t, seat, r.general)
            t.game[MOSCOW_GENERAL] = 1
        else:
            spend(t, seat, r.order + i, 1)
            obey(r, t, i, o)
        return True

    @compiled
    def hand_limit(r, t, seat):
        """M17; False for an illegal choice."""
        excess = t.seats[seat, SIZE] - r.months[t.game[MONTH], 1]
        if excess <= 0:
            return True
        t.pick[:] = 0
        discard(r, t, seat, excess)
        n = 0
        for k in range(r.n_types):
            if t.pick[k] > 0:
                if checked and t.pick[k] > t.hand[seat, k]:
                    return False
                n += t.pick[k]
                spend(t, seat, k, t.pick[k])
        return n == excess

    @compiled
    def play(r, t, c):
        """From the first turn to the end (M5 to M29); False for an illegal choice."""
        game = t.game
        seat, turns_round = 0, 0
        if counting:
            begin_counting(r, t)
        while game[DECK_LEFT] > 0:
            t.seats[seat, BLOCKED] += t.seats[seat, ARMY] >= 0
            if counting:
                card = t.deck[game[NEXT]]
                t.seen[DRAWN, seat, card] += not goes_back(r, card)
            if draw(r, t, seat):
                for action in range(r.actions):
                    game[ACTION] = action
                    kind, i, o = act(r, t, seat)
                    if checked and not is_legal(r, t, seat, kind, i, o):
                        return False
                    if counting:
                        count_action(r, t, c, seat, kind, i, o)
                    if kind == NOTHING:
                        break
                    if not apply(r, t, c, seat, kind, i, o):
                        return False
                    if game[WINNER] >= 0:
                        break
                if game[WINNER] < 0 and not hand_limit(r, t, seat):
                    return False
            elif counting:
                c.idle[seat, 1] += 1
            game[TURN] += 1
            if counting:
                c.km[seat, turns_round, t.seats[seat, KM]] += 1
            if game[WINNER] >= 0:
                break
            seat += 1
            if seat == r.players:
                seat = 0
                turns_round += 1
        if counting:
            count_game(r, t, c)
        return True

    @compiled
    def report(r, t, out, g):
        out.winner[g] = t.game[WINNER]
        out.turns[g] = t.game[TURN]
        out.month[g] = t.game[MONTH]
        for seat in range(r.players):
            out.km[g, seat] = t.seats[seat, KM] * r.unit
            out.arrived[g, seat] = t.seats[seat, ARRIVED]
            out.blocked[g, seat] = t.seats[seat, BLOCKED]
            out.held[g, seat] = t.seats[seat, SIZE]

    @compiled
    def given(rules, table, counts, out, first, second, dice, keys, salt):
        r, t, c = rules[0], table[0], counts[0]
        wrong = 0
        for g in range(first.shape[0]):
            n = deal_given(r, t, first[g], second[g])
            for turn in range(n):
                for action in range(r.actions):
                    t.dice[turn, action] = dice[g, turn, action]
            t.random = keys[g]
            start(r, t, n, salt + g)
            wrong += not play(r, t, c)
            report(r, t, out, g)
        return wrong

    @compiled
    def seeded(rules, table, counts, out, cards, seed, games):
        r, t, c = rules[0], table[0], counts[0]
        t.random = np.uint64(seed) * np.uint64(2) + np.uint64(0x9E3779B97F4A7C15)
        wrong = 0
        for g in range(games):
            n = deal_seeded(r, t, cards)
            for turn in range(n):
                for action in range(r.actions):
                    t.dice[turn, action] = 1 + below(t, r.die_sides)
            start(r, t, n, g)
            wrong += not play(r, t, c)
            report(r, t, out, g)
        return wrong

    return Engine(given, seeded)


assert ORDERS == ("km", "division_1", "division_2", "general")  # `obey` counts on this order
