"""Exact odds of attacks on face-down stacks: by hand, by brute force, against simulated games and views."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.base import Decision
from analyzer.games.eastfront import chances, odds
from analyzer.games.eastfront.policies import POLICIES, Raider
from analyzer.games.eastfront.rules import Eastfront
from analyzer.games.eastfront.tables import Tables
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from analyzer.stats.intervals import wilson

RULES = load_config("eastfront").rules
GERMANS = [card.name for card in RULES.cards.german]
SMALL = load_config(  # few cards, so that every order of them can be tried
    "eastfront",
    overrides=[
        f"cards.soviet.{name}.count={n}"
        for name, n in zip(
            ("rifles", "anti_tank_gun", "t34_76", "t34_85", "kv", "is_2", "bunker"),
            (2, 1, 1, 1, 1, 0, 0),
            strict=True,
        )
    ]
    + ["stacks=2"],
).rules


def test_by_hand() -> None:
    """E13, E15: strictly greater, both ways. A lone Panther (5/5) beats rifles, guns and nothing more."""
    assert odds.next_card(RULES, {"panther": 1}) == Fraction(6 + 4, 24)
    # T-34/76 (4/6): 5 is not greater than 6. With a Grenadier (1/1): 6 - 1 (it falls) is not either.
    assert odds.next_card(RULES, {"panther": 1, "grenadiers": 1}) == Fraction(10, 24)
    assert odds.clears(RULES, {"panther": 2}, face_up="t34_76", cards=1) == [1]
    # T-34/85 (5/9): Panthers hold (5 is not greater than 5), 10 > 9.
    assert odds.clears(RULES, {"panther": 2}, face_up="t34_85", cards=1) == [1]
    assert odds.clears(RULES, {"panther": 2}, face_up="kv", cards=1) == [0]
    # What lies open is not drawn any more.
    assert odds.next_card(RULES, {"panther": 1}, {"rifles": 6}) == Fraction(4, 18)
    assert odds.clears(RULES, {}) == [0] * 4


@pytest.mark.parametrize(
    ("germans", "seen"),
    [({"panther": 1}, {"rifles": 7}), ({"panter": 1}, {}), ({"panther": 1}, {"rifle": 1}), ({}, {"kv": -1})],
)
def test_wrong_names_and_numbers_are_errors(germans: dict[str, int], seen: dict[str, int]) -> None:
    with pytest.raises(UserError):
        odds.clears(RULES, germans, seen=seen)


def _destroyed(rules: Any, table: dict[str, int], stack: Any) -> int:
    """How many cards of a stack one attack destroys: played card by card, the best target searched anew."""
    cards = [card for card in rules.cards.german for _ in range(table.get(card.name, 0))]
    for k, soviet in enumerate(stack):
        hit = [card for card in cards if soviet.fire > card.defence]
        if hit:
            cards.remove(max(hit, key=lambda card: (card.fire, card.defence, GERMANS.index(card.name))))
        if sum(card.fire for card in cards) <= soviet.defence:
            return k
    return len(stack)


tables = st.dictionaries(st.sampled_from(GERMANS), st.integers(1, 3), max_size=5)


@settings(max_examples=40, deadline=None)
@given(table=tables, height=st.integers(1, 3))
def test_equals_brute_force_over_all_orders(table: dict[str, int], height: int) -> None:
    cards = [card for card in SMALL.cards.soviet for _ in range(card.count)]
    orders = list(itertools.permutations(cards, height))
    counts = [_destroyed(SMALL, table, order) for order in orders]
    brute = [Fraction(sum(n >= k for n in counts), len(orders)) for k in range(1, height + 1)]
    assert odds.clears(SMALL, table, height) == brute


@settings(max_examples=40, deadline=None)
@given(table=tables, seen=st.integers(0, 10), height=st.integers(1, 4), top=st.integers(-1, 6))
def test_many_at_once_equal_the_fractions(table: dict[str, int], seen: int, height: int, top: int) -> None:
    t = Tables(RULES, 4)
    names = [card.name for card in RULES.cards.soviet]
    rng = np.random.default_rng(seen)
    gone = np.bincount(rng.permutation(t.soviet_deck)[:seen], minlength=len(names))
    left = np.bincount(t.soviet_deck) - gone
    if top >= 0 and left[top] == 0:
        top = -1
    face_up = None if top < 0 else names[top]
    exact = odds.clears(RULES, table, height, dict(zip(names, gone.tolist(), strict=True)), face_up)
    if top >= 0:
        left[top] -= 1
    counts = np.array([table.get(name, 0) for name in GERMANS])
    found = chances.clear(t, counts[:, None], left[:, None], np.array([top]), np.array([height]))
    assert np.allclose(found[:, 0], [*map(float, exact), *[0.0] * (t.height - height)])
    # And the table of beaten cards that fast policies use.
    key = int(counts @ t.german_fire) * t.presences + int((counts > 0) @ t.bits.astype(int))
    beaten = [bool(t.beats[key] >> s & 1) for s in range(len(names))]
    assert beaten == [odds.clears(RULES, table, 1, face_up=name) == [1] for name in names]


class _Watch:
    """First exchanges with a face-down stack, without support cards and pillbox: chances, and what came."""

    def __init__(self) -> None:
        self.expected: list[float] = []
        self.won: list[bool] = []
        self._open: list[tuple[Any, ...]] = []

    def start(self, state: Any) -> None:
        """Nothing yet."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Any) -> None:
        if decision.kind == "attack":
            rows = np.flatnonzero(answer < len(state.left))
            stack = answer[rows]
            hidden = state.top[stack, rows] == 0
            rows, stack = rows[hidden], stack[hidden]
            odds_of_stack = decision.view.odds[stack, rows]
            self._open = [(rows, stack, odds_of_stack, state.left[stack, rows].copy())]

    def turn_end(self, state: Any, turn: int) -> None:
        for rows, stack, expected, left in self._open:
            self.expected += expected.tolist()
            self.won += (state.left[stack, rows] < left).tolist()
        self._open = []


def _simulated(shoot: Any = None) -> _Watch:
    rules = load_config(
        "eastfront",
        overrides=[f"cards.support.{name}.count=0" for name in ("ambush", "artillery", "smoke")]
        + ["cards.reaction.pillbox.count=0"],
    ).rules
    policy: Any = Raider(courage=0.2)
    if shoot is not None:
        policy = type("Odd", (Raider,), {"shoot": shoot})(courage=0.2)
    watch, games = _Watch(), 4000
    game, rows = Eastfront(rules, 4), np.arange(games)
    play(game, [policy] * 4, Luck("eastfront", 17, 0, games, rows), rows, watch)
    return watch


def _misses(watch: _Watch) -> list[tuple[float, float]]:
    """Bins of chances whose mean lies outside the interval of the wins in it (99.9 %)."""
    expected, won = np.array(watch.expected), np.array(watch.won)
    out = []
    for low in np.arange(0, 1, 0.1):
        inside = (expected >= low) & (expected < low + 0.1)
        if inside.sum() >= 100:
            found = wilson(won[inside].sum(), inside.sum(), 0.999)
            mean = expected[inside].mean()
            if not found.low <= mean <= found.high:
                out.append((mean, float(found.value)))
    return out


def test_simulated_attacks_lie_in_the_intervals() -> None:
    watch = _simulated()
    assert len(watch.won) > 5_000
    assert not _misses(watch)


def test_a_neighbour_who_shoots_badly_is_noticed() -> None:
    """Negative control: the odds are those against the best shot, not against the worst."""

    def shoot(self: Any, view: Any, score: Any) -> None:
        score.german -= view.worth

    assert _misses(_simulated(shoot))


def test_odds_from_too_few_cards_are_noticed() -> None:
    """Negative control: chances that forget what lies open do not lie in the intervals."""
    watch = _simulated()
    watch.expected = [min(1.0, one + 0.03) for one in watch.expected]
    assert _misses(watch)


def test_a_view_gives_the_chance_to_clear() -> None:
    """`view.clear_odds` at a decision: its first row is `view.odds`, and it falls with every card more."""
    seen = []

    class Planner(POLICIES["raider"]):  # type: ignore[misc]
        def attack(self, view: Any, score: Any) -> None:
            every = view.clear_odds(2)
            assert np.allclose(every[0], view.odds[2], atol=1e-6)
            assert (np.diff(every, axis=0) <= 1e-12).all()
            seen.append(every.shape)
            super().attack(view, score)

    rows = np.arange(30)
    play(Eastfront(RULES, 3), [Planner()] * 3, Luck("eastfront", 1, 0, 30, rows), rows)
    assert seen
