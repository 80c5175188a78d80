"""The Eastfront engine against the scalar oracle, game by game and step by step, with ==."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.config import load_config
from analyzer.games.base import Decision
from analyzer.games.eastfront import attack, counting, hinder, model
from analyzer.games.eastfront import rules as fast
from analyzer.games.eastfront.policies import POLICIES, EastfrontPolicy
from analyzer.games.eastfront.state import EastfrontState, shuffle
from analyzer.games.eastfront.tables import Tables
from analyzer.policy_api import kinds
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play
from tests.oracle.compare_eastfront import Recorder, compare
from tests.oracle.eastfront import IllegalChoice

NAMES = sorted(POLICIES)
OTHER_OPTIONS = [
    "go_on=any",
    "support_limit=one",
    "game_end=at_once",
    "tie=nobody",
    "cards.friends.2.count=0",
    "cards.friends.1.points=-1",
    "cards.misfortune.breakdown.against=any",
]


def _whole(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


SETTINGS: dict[str, st.SearchStrategy[str]] = {
    "opening_hand": _whole(0, 7),
    "hand_limit": _whole(1, 9),
    "stacks": _whole(2, 8),
    "go_on": st.sampled_from(["same_then_any", "any", "same"]),
    "support_limit": st.sampled_from(["any", "one"]),
    "game_end": st.sampled_from(["finish_turn", "at_once"]),
    "tie": st.sampled_from(["shared", "nobody"]),
    "cards.friends.1.points": _whole(-2, 1),
    "cards.friends.2.count": _whole(0, 5),
    "cards.friends.3.count": _whole(0, 5),
    "cards.soviet.rifles.count": _whole(2, 20),
    "cards.soviet.rifles.fire": _whole(0, 3),
    "cards.soviet.t34_85.defence": _whole(0, 12),
    "cards.soviet.is_2.count": _whole(0, 9),
    "cards.soviet.bunker.fire": _whole(0, 9),
    "cards.german.grenadiers.fire": _whole(0, 2),
    "cards.german.grenadiers.count": _whole(3, 12),
    "cards.german.pak_40.defence": _whole(0, 5),
    "cards.german.pak_40.unit": st.sampled_from(["gun", "vehicle"]),
    "cards.german.panther.count": _whole(0, 9),
    "cards.support.ambush.count": _whole(0, 12),
    "cards.support.ambush.fire": _whole(0, 4),
    "cards.support.artillery.count": _whole(0, 9),
    "cards.support.artillery.soviets_silent": st.sampled_from(["true", "false"]),
    "cards.support.smoke.count": _whole(0, 9),
    "cards.soviet_attack.raid.count": _whole(0, 12),
    "cards.soviet_attack.raid.against": st.sampled_from(["any", "infantry", "gun", "vehicle"]),
    "cards.soviet_attack.air_attack.fire": _whole(0, 9),
    "cards.soviet_attack.partisans.count": _whole(0, 9),
    "cards.misfortune.breakdown.against": st.sampled_from(["vehicle", "any"]),
    "cards.misfortune.out_of_fuel.count": _whole(0, 9),
    "cards.misfortune.recall.count": _whole(0, 9),
    "cards.misfortune.recall.effect": st.sampled_from(["recall", "halt", "discard", "destroy"]),
    "cards.reaction.cover.count": _whole(0, 12),
    "cards.reaction.pillbox.count": _whole(0, 12),
    "cards.reaction.pillbox.defence": _whole(0, 9),
}


@st.composite
def configs(draw: st.DrawFn) -> list[str]:
    keys = draw(st.lists(st.sampled_from(sorted(SETTINGS)), unique=True, max_size=12))
    return [f"{key}={draw(SETTINGS[key])}" for key in keys]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    overrides=configs(),
    seats=st.lists(st.sampled_from(NAMES), min_size=2, max_size=6),
    seed=st.integers(0, 2**40),
)
def test_engine_equals_oracle(overrides: list[str], seats: list[str], seed: int) -> None:
    """Any deck that deals 6 seats: at least 3 + 30 cards that these settings cannot take away."""
    compare([POLICIES[name]() for name in seats], 5, seed, overrides)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("options", [[], OTHER_OPTIONS], ids=["defaults", "other options"])
def test_random_legal_play_equals_oracle(players: int, options: list[str]) -> None:
    compare([POLICIES["random"]()] * players, 12, 5, options)


@pytest.mark.parametrize("name", NAMES)
def test_every_policy_equals_oracle(name: str) -> None:
    compare([POLICIES[name]()] * 4, 12, 6)


def test_policies_with_noise_and_parameters_equal_oracle() -> None:
    cls = POLICIES["balanced"]
    seats = [
        cls(noise=30.0),
        cls(whom="next"),
        cls(hinder="always", whom="strongest"),
        cls(courage=0.1, muster=9),
    ]
    compare(seats, 20, 11)


def test_games_do_not_depend_on_the_parts_they_are_asked_in(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [
        POLICIES["balanced"](noise=8.0),
        POLICIES["random"](),
        POLICIES["vulture"](),
        POLICIES["saboteur"](),
    ]
    whole = compare(seats, 40, 17)
    monkeypatch.setattr(fast, "PART", 9)
    parts = compare(seats, 40, 17)
    assert parts.decisions == whole.decisions
    assert all(np.array_equal(parts.columns[name], whole.columns[name]) for name in whole.columns)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_slow_100_000_games_equal_oracle(part: int) -> None:
    """1,000 games a part: 2 to 8 players, every policy alone and mixed, all options."""
    rng = np.random.default_rng([20_26, part])
    players = 2 + part % 7
    mixed = part % 4 == 3
    seats = (
        [NAMES[int(k)] for k in rng.integers(len(NAMES), size=players)]
        if mixed
        else [NAMES[part % len(NAMES)]] * players
    )
    options = [text for text in OTHER_OPTIONS if rng.random() < 0.4]
    options.append(f"hand_limit={rng.integers(4, 7)}")
    options.append(f"cards.soviet_attack.raid.count={rng.integers(2, 10)}")
    for chunk in range(4):
        compare([POLICIES[name]() for name in seats], 250, 1000 * part + chunk, options, checked_every=25)


def _patched(owner: Any, name: str, change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda monkeypatch: monkeypatch.setattr(owner, name, change(getattr(owner, name)))


def _nothing(_: Any) -> Any:
    return lambda *args: iter(())


def _late_reveal(old: Any) -> Any:
    """E12: the second card of a stack instead of the top one."""

    def reveal(self: attack.Attack, *args: Any) -> Any:
        self.state.soviet = self.state.soviet[::-1].copy()
        found = old(self, *args)
        self.state.soviet = self.state.soviet[::-1].copy()
        return found

    return reveal


def _two_friends(old: Any) -> Any:
    def rescue(self: attack.Attack, rows: Any) -> None:
        old(self, rows)
        old(self, rows)

    return rescue


def _any_stack(old: Any) -> Any:
    return lambda self, rows, stack, cleared, now: old(self, rows, stack, cleared * 0 + 1, now)


FAULTS = {
    "E4 nothing put down": _patched(fast.Eastfront, "_put_down", lambda old: lambda *args: None),
    "E7 force not counted": _patched(
        fast.Eastfront, "_fire_of_code", lambda old: property(lambda self: np.zeros(99, np.uint8))
    ),
    "E9 no hand limit": _patched(fast.Eastfront, "_discard", _nothing),
    "E12 another card turned up": _patched(attack.Attack, "_reveal", _late_reveal),
    "E17 any stack after each card": _patched(attack.Attack, "_legal_to_go_on", _any_stack),
    "E18 two friends for a stack": _patched(attack.Attack, "_rescue", _two_friends),
    "E20 no pillbox offered": _patched(attack.Attack, "_pillbox", _nothing),
    "R7 cover not offered": _patched(
        hinder.Hindering, "_cover", lambda old: lambda self, rows, *args: _give(np.zeros(rows.size, np.uint8))
    ),
    "R6 out of fuel without effect": lambda monkeypatch: monkeypatch.setitem(
        hinder._EFFECTS, "halt", lambda *args: None
    ),
}


def _give(value: Any) -> Any:
    yield from ()
    return value


class TestNegativeControls:
    """The comparison fails when the engine breaks a rule (one seeded fault a rule group)."""

    def fails(self, *options: str, policy: str = "random", players: int = 4, games: int = 25) -> None:
        with pytest.raises((AssertionError, IllegalChoice, StopIteration, RuntimeError)):
            compare([POLICIES[policy]()] * players, games, 3, options)

    @pytest.mark.parametrize("fault", FAULTS)
    def test_a_broken_rule(self, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
        FAULTS[fault](monkeypatch)
        self.fails()

    @pytest.mark.parametrize("table", ["soviet_fire", "soviet_defence", "german_defence", "pillbox_defence"])
    def test_e13_e15_a_number_that_is_one_too_high(self, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
        old = getattr(Tables, table).func
        monkeypatch.setattr(Tables, table, property(lambda self: old(self) + 1))
        self.fails("cards.reaction.pillbox.count=12")

    def test_e11_the_fewest_points_win(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = counting.best_points
        monkeypatch.setattr(counting, "best_points", lambda t, points, rescued: old(t, -points, rescued))
        self.fails(policy="balanced")

    @pytest.mark.parametrize("option", OTHER_OPTIONS)
    def test_an_option_changes_the_games(self, option: str) -> None:
        def play_of(*options: str) -> Any:
            rules = load_config("eastfront", overrides=options).rules
            game = fast.Eastfront(rules, 3)
            rows = np.arange(300)
            return play(game, [POLICIES["random"]()] * 3, Luck("eastfront", 5, 0, 300, rows), rows)

        one, other = (
            play_of("cards.support.artillery.count=9"),
            play_of("cards.support.artillery.count=9", option),
        )
        assert any(not np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)


@pytest.mark.parametrize("number", [0, 5, 10, 20, 40])
def test_the_axis_of_hindering_keeps_the_deck(number: int) -> None:
    """So many cards that hinder, German cards make up the difference; 20 is the shipped config."""
    counts = model.hinder_counts(f"{number} cards")
    rules = load_config("eastfront", overrides=[f"{key}={n}" for key, n in counts.items()]).rules
    assert sum(card.count for card in rules.hinders) == number
    assert rules.deck_size == 70
    assert number != 20 or rules == load_config("eastfront").rules


def test_the_shuffles_are_uniform_enough() -> None:
    """E1 to E3: each type lies at each place as often as its share."""
    tables = Tables(load_config("eastfront").rules, 4)
    n = 40_000
    order = shuffle(tables, Luck("eastfront", 8, 0, n, np.arange(n)))
    for pack, cards in (
        (tables.deck, order.deck),
        (tables.soviet_deck, order.soviet),
        (tables.friend_deck, order.friend),
    ):
        share = np.bincount(pack) / len(pack)
        for place in (0, len(pack) // 2, len(pack) - 1):
            seen = np.bincount(cards[place], minlength=share.size) / n
            spread = np.sqrt(share * (1 - share) / n)
            assert (np.abs(seen - share) < 4.5 * spread + 1e-9).all()


def test_every_policy_decides_every_kind() -> None:
    assert set(kinds(EastfrontPolicy)) == {
        *(
            "deploy",
            "act",
            "target",
            "name",
            "cover",
            "attack",
            "support",
            "pillbox",
            "shoot",
            "go_on",
            "discard",
        )
    }
    assert all(issubclass(cls, EastfrontPolicy) for cls in POLICIES.values())


def test_a_view_counts_what_is_known_and_hides_what_is_not() -> None:
    """R10: at every decision a view's numbers agree with the state; what is hidden changes nothing in it."""
    seen: set[str] = set()

    class Watcher(Recorder):
        def decision(self, state: EastfrontState, turn: int, decision: Decision, answer: np.ndarray) -> None:
            view, seat = decision.view, decision.seat
            lanes = np.arange(len(state.over)) if decision.rows is None else decision.rows
            seen.add(decision.kind)
            assert (view.hand == state.hand[seat][:, lanes]).all()
            others = [(seat + k) % 4 for k in (1, 2, 3)]
            assert (view.rival_table == state.table[others][..., lanes]).all()
            assert (view.rival_hand_size == state.hand[others].sum(axis=1)[:, lanes]).all()
            assert (view.discards >= 0).all()
            assert ((view.open_card >= 0) == (state.top[:, lanes] > 0)).all()
            assert view.odds.min() >= 0
            assert view.odds.max() <= 1
            assert (np.floor(view.odds * 100 + 1e-4) == view.small_odds).all()
            known = public(view)
            hide(state, seat, lanes)
            again = type(view)(game, state, seat, view.turn, decision.rows)
            assert all(np.array_equal(one, other) for one, other in zip(known, public(again), strict=True))

    def public(view: Any) -> list[Any]:
        return [
            *(
                view.hand,
                view.table,
                view.rival_table,
                view.unseen,
                view.odds,
                view.open_card,
                view.friends_left,
            ),
            *(view.rival_hand_size, view.rival_friends, view.rival_ranks, view.stack_left, view.deck_left),
        ]

    def hide(state: EastfrontState, seat: int, lanes: Any) -> None:
        """Put other cards where the seat cannot see: other hands, the deck, the stacks, the friends."""
        rng = np.random.default_rng(1)
        saved = (
            state.hand.copy(),
            state.deck.copy(),
            state.soviet.copy(),
            state.friend.copy(),
            state.points.copy(),
        )
        for other in range(4):
            if other != seat:
                state.hand[other] = rng.permutation(state.hand[other])
        state.deck, state.soviet, state.friend = state.deck[::-1], state.soviet * 0, state.friend[::-1]
        state.points = state.points + 1
        undo.append(saved)

    undo: list[Any] = []

    class Restoring(Watcher):
        def decision(self, state: EastfrontState, turn: int, decision: Decision, answer: np.ndarray) -> None:
            super().decision(state, turn, decision, answer)
            state.hand[:], state.deck, state.soviet, state.friend, state.points = undo.pop()

    game = fast.Eastfront(load_config("eastfront").rules, 4)
    names = ["random", "balanced", "saboteur", "vulture"]
    policies = [POLICIES[name]() for name in names]
    play(game, policies, Luck("eastfront", 3, 0, 40, np.arange(40)), np.arange(40), Restoring(game))
    assert seen == set(kinds(EastfrontPolicy))
