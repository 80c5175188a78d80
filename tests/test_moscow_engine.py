"""The Moscow engine against the scalar oracle, game by game and step by step, with ==."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analyzer.config import load_config
from analyzer.games.base import Decision
from analyzer.games.moscow import rules as fast
from analyzer.games.moscow.policies import POLICIES, MoscowPolicy
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from tests.oracle.compare_moscow import compare
from tests.oracle.moscow import IllegalChoice

NAMES = sorted(POLICIES)
OTHER_OPTIONS = [
    "actions_per_turn=2",
    "out_of_supply=lose_division",
    "army_on_self=true",
    "front_must_be_clear=false",
    "boosts=add",
]


def _whole(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


SETTINGS: dict[str, st.SearchStrategy[str]] = {
    "opening_hand": _whole(0, 9),
    "actions_per_turn": _whole(1, 2),
    "out_of_supply": st.sampled_from(["lose_turn", "lose_division"]),
    "army_on_self": st.sampled_from(["true", "false"]),
    "front_must_be_clear": st.sampled_from(["true", "false"]),
    "boosts": st.sampled_from(["multiply", "add"]),
    "goal_km": _whole(150, 1200),
    "goal_km_many": _whole(100, 900),
    "many_players": _whole(2, 7),
    "moscow_strength": _whole(5, 25),
    "die_sides": st.sampled_from(["4", "6", "8", "10", "20"]),
    "rivers_until": st.sampled_from(["june", "september", "december"]),
    "months.june.attack": _whole(-3, 6),
    "months.july.hand_limit": _whole(1, 12),
    "months.august.attack": _whole(-5, 3),
    "months.september.hand_limit": _whole(1, 9),
    "months.december.attack": _whole(-12, 0),
    "cards.advance.50.count": _whole(0, 30),
    "cards.advance.200.km": _whole(170, 333),
    "cards.red_army.4.count": _whole(0, 15),
    "cards.red_army.12.strength": _whole(11, 30),
    "cards.red_general.count": _whole(0, 9),
    "cards.great_river.count": _whole(0, 9),
    "cards.hitler_order.km.count": _whole(0, 8),
    "cards.hitler_order.km.amount": _whole(50, 500),
    "cards.hitler_order.division_2.count": _whole(0, 8),
    "cards.hitler_order.general.count": _whole(0, 8),
    "cards.division.5.strength": _whole(5, 12),
    "cards.division.2.count": _whole(0, 15),
    "cards.german_general.3.count": _whole(0, 8),
    "cards.reorganise.count": _whole(0, 10),
    "cards.time.count": _whole(0, 12),
    "cards.out_of_supply.count": _whole(0, 12),
}


@st.composite
def configs(draw: st.DrawFn) -> list[str]:
    keys = draw(st.lists(st.sampled_from(sorted(SETTINGS)), unique=True, max_size=12))
    return [f"{key}={draw(SETTINGS[key])}" for key in keys]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    overrides=configs(),
    seats=st.lists(st.sampled_from(NAMES), min_size=1, max_size=6),
    seed=st.integers(0, 2**40),
)
def test_engine_equals_oracle(overrides: list[str], seats: list[str], seed: int) -> None:
    compare([POLICIES[name]() for name in seats], 6, seed, overrides)


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("options", [[], OTHER_OPTIONS], ids=["defaults", "other options"])
def test_random_legal_play_equals_oracle(players: int, options: list[str]) -> None:
    compare([POLICIES["random"]()] * players, 20, 5, options)


def test_policies_with_noise_and_parameters_equal_oracle() -> None:
    cls = POLICIES["balanced"]
    seats = [cls(noise=30.0), cls(whom="next"), cls(hinder="always", whom="anyone"), cls(courage=0.1, save=9)]
    compare(seats, 20, 11)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(200))
def test_slow_200_000_games_equal_oracle(part: int) -> None:
    """1,000 games a part: 1 to 6 players, every policy alone and mixed, all options."""
    rng = np.random.default_rng([20_26, part])
    players = 1 + part % 6
    mixed = part % 7 == 6
    seats = (
        [NAMES[int(k)] for k in rng.integers(len(NAMES), size=players)]
        if mixed
        else [NAMES[part % 6 - 1]] * players
    )
    options = [text for text in OTHER_OPTIONS if rng.random() < 0.4]
    options.append(f"opening_hand={rng.integers(5, 8)}")
    options.append(f"moscow_strength={rng.integers(12, 21)}")
    for chunk in range(4):
        compare([POLICIES[name]() for name in seats], 250, 1000 * part + chunk, options, checked_every=25)


class TestNegativeControls:
    """The comparison fails when the engine breaks a rule (one seeded fault a rule group)."""

    def fails(self, *options: str, policy: str = "random", players: int = 4, games: int = 30) -> None:
        with pytest.raises((AssertionError, IllegalChoice)):
            compare([POLICIES[policy]()] * players, games, 3, options)

    def test_m6_a_month_that_does_not_count_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = fast.Moscow._next_month

        def late(self: fast.Moscow, state: fast.MoscowState, rows: fast.Rows) -> None:
            limit = state.limit.copy()
            old(self, state, rows)
            state.limit[:] = limit

        monkeypatch.setattr(fast.Moscow, "_next_month", late)
        self.fails()

    def test_m21_a_die_that_is_one_too_high(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = fast.combat.resolve
        monkeypatch.setattr(fast.combat, "resolve", lambda *args: old(*args[:-1], args[-1] + 1))
        self.fails()

    def test_m27_the_strongest_division_given_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def strongest_first(self: fast.Tables) -> NDArray[np.intp]:
            return np.r_[self.division, self.german_general][::-1]

        monkeypatch.setattr(fast.Tables, "lost_cards", property(strongest_first))
        self.fails()

    def test_m17_no_hand_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fast.Moscow, "_discard", lambda self, state, seat, turn, present: iter(()))
        self.fails()


def test_the_first_and_second_shuffle_are_uniform_enough() -> None:
    """M1, M2: each type turns up at the top of the deck, and in the opening hands, as often as it should."""
    from analyzer.games.moscow.state import deal
    from analyzer.games.moscow.tables import Tables

    tables = Tables(load_config("moscow").rules, 4)
    n = 40_000
    hand, deck, size = deal(tables, Luck("moscow", 8, 0, n, np.arange(n)))
    full = np.bincount(tables.deck, minlength=tables.types)
    # A type's mean in the hands: 24 of 142 cards are dealt, kept types only.
    kept = hand.sum(axis=0).mean(axis=1)
    expected = full[: tables.hand_types] * 24 / 142
    spread = np.sqrt(full[: tables.hand_types] * (24 / 142) * (118 / 142) / n)
    assert (np.abs(kept - expected) < 4.5 * spread + 1e-9).all()
    assert size.min() >= 118
    # Time cards: all six are in the deck, spread evenly over it (mean place in the middle).
    places = np.nonzero(deck == tables.time)[0].reshape(-1)
    assert len(places) == 6 * n
    middle = ((size.astype(float) - 1) / 2).mean()
    assert abs(places.mean() - middle) < 4.5 * 35 / np.sqrt(6 * n)


def test_every_policy_decides_every_kind() -> None:
    kinds = ("act", "target", "commit", "reorganise", "exploit", "discard")
    for cls in POLICIES.values():
        assert all(callable(getattr(cls, kind)) for kind in kinds)
        assert issubclass(cls, MoscowPolicy)


def test_a_view_counts_what_is_known_and_hides_what_is_not() -> None:
    """Ruling 12: at every decision a view's numbers agree with the state, hidden hands are not in it."""
    seen: dict[str, int] = {}

    class Watcher:
        def start(self, state: fast.MoscowState) -> None:
            self.cards = np.bincount(game.tables.deck, minlength=game.tables.types)[: game.tables.hand_types]

        def decision(
            self, state: fast.MoscowState, turn: int, decision: Decision, answer: np.ndarray
        ) -> None:
            view, lanes = (
                decision.view,
                np.arange(len(state.over)) if decision.rows is None else decision.rows,
            )
            seen[decision.kind] = seen.get(decision.kind, 0) + len(lanes)
            assert (view.hand == state.hand[decision.seat][:, lanes]).all()
            assert (view.deck_left == state.deck_size[lanes].astype(int) - turn - 1).all()
            others = [(decision.seat + k) % 4 for k in (1, 2, 3)]
            hidden = state.shown[others][:, lanes] == 0
            assert (view.rival_hand.sum(axis=1)[hidden] == 0).all()
            assert ((view.fight_odds > 0) <= view.blocked).all()
            # Own hand, discards, table and hidden cards add up to no more than the deck has of each type.
            assert (view.discards >= 0).all()
            assert (view.hand + view.discards <= self.cards[:, None]).all()

        def turn_end(self, state: fast.MoscowState, turn: int) -> None:
            """Nothing to see."""

    game = fast.Moscow(load_config("moscow").rules, 4)
    names = ["random", "balanced", "blocker", "spoiler"]
    policies = [POLICIES[name]() for name in names]
    play(game, policies, Luck("moscow", 3, 0, 60, np.arange(60)), np.arange(60), Watcher())
    assert set(seen) == {"act", "target", "commit", "reorganise", "exploit", "discard"}
