"""Policies for the numba yardstick, each with its plain Python twin for the oracle.

`racer` is a simple deterministic player (a stand-in until the real `balanced` is ported, see `BALANCED`).
`hashed` plays any legal action, chosen by a hash of the game's number and a counter: it goes through every
rule, so that equality with the oracle means something.
"""

from __future__ import annotations

from typing import Any

from tests.benchmarks import moscow_numba as m
from tests.benchmarks.moscow_numba import Policy, compiled
from tests.oracle.moscow import Choose, Oracle

MASK = 0xFFFFFFFF

# --- racer, compiled ----------------------------------------------------------------------------------


@compiled
def best_general(r, t, seat):
    """Type id of the strongest German general held, or -1."""
    for k in range(r.reorganise - 1, r.german - 1, -1):
        if t.hand[seat, k] > 0:
            return k
    return -1


@compiled
def full_force(r, t, seat):
    """Attack without the die if everything usable is used."""
    force = r.months[t.game[m.MONTH], 0]
    for k in range(r.division, r.german):
        force += t.hand[seat, k] * r.value[k]
    general = best_general(r, t, seat)
    return force if general < 0 else force + r.value[general]


@compiled
def strongest_army(r, t, seat):
    """Index of the strongest Red Army held, or -1."""
    for k in range(r.general - 1, r.army - 1, -1):
        if t.hand[seat, k] > 0:
            return k - r.army
    return -1


@compiled
def racer_act(r, t, seat):
    """Take Moscow or fight at even chances, else drive, else hinder whoever leads."""
    able = m.divisions(r, t, seat) > 0
    if able:
        force = full_force(r, t, seat)
        if m.may_attack(r, t, seat) and force + 4 >= m.red_total(r, t, seat, True):
            return m.ATTACK, -1, -1
        if t.seats[seat, m.ARMY] >= 0 and force + 4 >= m.red_total(r, t, seat, False):
            return m.FIGHT, -1, -1
    if t.seats[seat, m.ARMY] < 0 and t.seats[seat, m.KM] < r.goal:
        for k in range(r.army - 1, r.advance - 1, -1):
            if t.hand[seat, k] > 0:
                return m.ADVANCE, k - r.advance, -1
    if r.players == 1:
        return m.NOTHING, -1, -1
    leader = -1
    for d in range(1, r.players):
        o = (seat + d) % r.players
        if leader < 0 or t.seats[o, m.KM] > t.seats[leader, m.KM]:
            leader = o
    army = strongest_army(r, t, seat)
    if t.seats[leader, m.ARMY] < 0:
        if army >= 0:
            return m.PUT_ARMY, army, leader
    else:
        if t.hand[seat, r.general] > 0 and t.seats[leader, m.GENERAL] == 0:
            return m.PUT_GENERAL, -1, leader
        if t.hand[seat, r.river] > 0 and t.seats[leader, m.RIVER] == 0:
            return m.PUT_RIVER, -1, leader
    for j in range(4):
        if t.hand[seat, r.order + j] > 0:
            return m.ORDER, j, leader
    if t.game[m.MOSCOW_ARMY] < 0:
        if army >= 0 and t.seats[seat, m.KM] < r.goal:
            return m.MOSCOW_PUT_ARMY, army, -1
    elif t.hand[seat, r.general] > 0 and t.game[m.MOSCOW_GENERAL] == 0 and t.seats[seat, m.KM] < r.goal:
        return m.MOSCOW_PUT_GENERAL, -1, -1
    return m.NOTHING, -1, -1


@compiled
def use_everything(r, t, seat, on_moscow):
    """All divisions and Luftwaffe, and the strongest general."""
    for k in range(r.division, r.german):
        t.pick[k] = t.hand[seat, k]
    general = best_general(r, t, seat)
    if general >= 0:
        t.pick[general] = 1


@compiled
def always(r, t, seat, won):
    return True


@compiled
def longest_advance(r, t, seat):
    """Index of the longest advance card held."""
    for k in range(r.army - 1, r.advance - 1, -1):
        if t.hand[seat, k] > 0:
            return k - r.advance
    return -1


@compiled
def lowest_types_first(r, t, seat, excess):
    """Discard by type id, the shortest advance cards first."""
    for k in range(r.n_types):
        n = min(excess, t.hand[seat, k])
        t.pick[k] = n
        excess -= n


RACER = Policy(racer_act, use_everything, always, longest_advance, lowest_types_first)

# --- racer, in plain Python ---------------------------------------------------------------------------


def racer_choice() -> Choose:
    """The twin of RACER for the oracle, written over its lists of legal answers."""

    def general(o: Oracle, cards: dict[int, int]) -> int | None:
        return max((k for k in cards if o.types[k].kind == "german_general"), default=None)

    def everything(o: Oracle, usable: dict[int, int]) -> dict[int, int]:
        best = general(o, usable)
        cards = {k: n for k, n in usable.items() if o.types[k].kind != "german_general"}
        return cards if best is None else {**cards, best: 1}

    def act(seat: int, legal: list[tuple[Any, ...]], o: Oracle) -> tuple[Any, ...]:
        cards = everything(o, o.held(seat, ("division", "luftwaffe", "german_general")))
        force = sum(o.types[k].value * n for k, n in cards.items()) + o.rules["months"][o.month]["attack"]
        for name, target in (("attack", "moscow"), ("fight", "front")):
            if (name,) in legal and force + 4 >= o.red_total(seat, target):
                return (name,)
        advances = [a for a in legal if a[0] == "advance"]
        if advances and o.km[seat] < o.goal:
            return advances[-1]
        if o.players == 1:
            return ("nothing",)
        leader = max(o.clockwise(seat), key=lambda other: o.km[other])
        for kind in ("army", "general", "river"):
            found = [a for a in legal if a[0] == kind and a[-1] == leader]
            if found:
                return found[-1]
        orders = [a for a in legal if a[0] == "order" and a[2] == leader]
        if orders:
            return orders[0]
        moscow = [a for a in legal if a[0] in ("moscow_army", "moscow_general")]
        return moscow[-1] if moscow and o.km[seat] < o.goal else ("nothing",)

    def discard(held: dict[int, int], excess: int) -> dict[int, int]:
        cards: dict[int, int] = {}
        for k in sorted(held):
            cards[k] = min(held[k], excess)
            excess -= cards[k]
        return cards

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answers = {
            "act": lambda: act(seat, legal, oracle),
            "commit": lambda: everything(oracle, legal),
            "reorganise": lambda: True,
            "exploit": lambda: legal[-1],
            "discard": lambda: discard(*legal),
        }
        return answers[kind]()

    return choose


# --- hashed play, compiled ----------------------------------------------------------------------------


@compiled
def mix(salt, counter):
    """A 32-bit hash of two small numbers."""
    x = (salt * 2654435761 + counter * 40503 + 12345) & MASK
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & MASK
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & MASK
    return x ^ (x >> 16)


@compiled
def chance(t, n):
    """The next hashed number 0..n-1 of a game."""
    t.game[m.DECISION] += 1
    return mix(t.game[m.SALT], t.game[m.DECISION]) % n


@compiled
def hashed_act(r, t, seat):
    n = m.legal_actions(r, t, seat)
    k = chance(t, n)
    if chance(t, 2) == 0:  # half of the time the last way to drive, fight or attack
        for a in range(n):
            if t.options[a, 0] in (m.ADVANCE, m.FIGHT, m.ATTACK):
                k = a
    return t.options[k, 0], t.options[k, 1], t.options[k, 2]


@compiled
def hashed_commit(r, t, seat, on_moscow):
    found = False
    weakest = -1
    for k in range(r.division, r.german):
        held = t.hand[seat, k]
        if held > 0:
            t.pick[k] = chance(t, held + 1)
            if k < r.luftwaffe:
                found = found or t.pick[k] > 0
                if weakest < 0:
                    weakest = k
    if not found:
        t.pick[weakest] = 1
    for k in range(r.german, r.reorganise):
        if t.hand[seat, k] > 0 and chance(t, 2) == 0:
            t.pick[k] = 1
            break


@compiled
def hashed_reorganise(r, t, seat, won):
    return chance(t, 2) == 1


@compiled
def hashed_exploit(r, t, seat):
    for k in range(r.advance, r.army):
        if t.hand[seat, k] > 0 and chance(t, 2) == 0:
            return k - r.advance
    return -1


@compiled
def hashed_discard(r, t, seat, excess):
    k = chance(t, r.n_types)
    while excess > 0:
        n = min(excess, t.hand[seat, k])
        t.pick[k] = n
        excess -= n
        k = (k + 1) % r.n_types


HASHED = Policy(hashed_act, hashed_commit, hashed_reorganise, hashed_exploit, hashed_discard)

# --- hashed play, in plain Python ---------------------------------------------------------------------


def hashed_choice(salt: int) -> Choose:
    """The twin of HASHED for game number `salt` of a batch."""
    counter = 0

    def chance(n: int) -> int:
        nonlocal counter
        counter += 1
        return mix.py_func(salt, counter) % n

    def act(legal: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        k = chance(len(legal))
        forward = [a for a in legal if a[0] in ("advance", "fight", "attack")]
        return forward[-1] if chance(2) == 0 and forward else legal[k]

    def commit(o: Oracle, usable: dict[int, int]) -> dict[int, int]:
        kind = {k: o.types[k].kind for k in usable}
        cards = {k: chance(usable[k] + 1) for k in sorted(usable) if kind[k] != "german_general"}
        if not any(n for k, n in cards.items() if kind[k] == "division"):
            cards[min(k for k in usable if kind[k] == "division")] = 1
        general = next((k for k in sorted(usable) if kind[k] == "german_general" and chance(2) == 0), None)
        return cards if general is None else {**cards, general: 1}

    def discard(n_types: int, held: dict[int, int], excess: int) -> dict[int, int]:
        cards: dict[int, int] = {}
        k = chance(n_types)
        while excess > 0:
            cards[k] = min(excess, held.get(k, 0))
            excess -= cards[k]
            k = (k + 1) % n_types
        return cards

    def choose(kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answers = {
            "act": lambda: act(legal),
            "commit": lambda: commit(oracle, legal),
            "reorganise": lambda: chance(2) == 1,
            "exploit": lambda: next((i for i in legal[1:] if chance(2) == 0), None),
            "discard": lambda: discard(len(oracle.types), *legal),
        }
        return answers[kind]()

    return choose


# --- balanced -----------------------------------------------------------------------------------------

# The place for the port of the real `balanced`: write its five functions like those of RACER and name them
# here; `moscow_numba_check.main` then measures it, and compares it once a twin stands in TWINS.
BALANCED: Policy | None = None

POLICIES: dict[str, Policy] = {"racer": RACER, "hashed": HASHED}
if BALANCED is not None:
    POLICIES["balanced"] = BALANCED
TWINS: dict[str, Any] = {"racer": lambda salt: racer_choice(), "hashed": hashed_choice}
