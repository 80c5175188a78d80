"""The Undaunted engine against the scalar oracle, game by game and step by step, with ==."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.config import find_configs, load_config
from analyzer.games.base import Policy
from analyzer.games.undaunted import cards, ends, fight, legal, play
from analyzer.games.undaunted import rules as fast
from analyzer.games.undaunted.policies import POLICIES
from analyzer.games.undaunted.state import UndauntedState
from analyzer.games.undaunted.tables import Side, Tables
from analyzer.sim import engine
from analyzer.sim.chance import Luck
from tests.oracle.compare_undaunted import compare
from tests.oracle.undaunted import IllegalChoice

NAMES = sorted(POLICIES)
SCENARIOS = [name for name in find_configs() if name.startswith("undaunted/")]
LA_RAYE, WITHDRAWAL = "undaunted/01-la-raye", "undaunted/06-desperate-withdrawal"


def _whole(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


SETTINGS: dict[str, st.SearchStrategy[str]] = {
    "first_initiative": st.sampled_from(["scenario", "US", "DE", "both"]),
    "pin_ends_game": st.sampled_from(["always", "goal"]),
    "hand_size": _whole(1, 6),
    "die_faces": _whole(6, 12),
    "zero_hits": st.sampled_from(["true", "false"]),
    "hill_cover_from_hill": _whole(0, 3),
    "target_distance": _whole(0, 4),
    "target_outlives_mortar": st.sampled_from(["true", "false"]),
    "cards.rifleman.actions.move": _whole(1, 3),
    "cards.rifleman.actions.stalk": _whole(0, 2),
    "cards.rifleman.actions.suppress": _whole(0, 2),
    "cards.rifleman.defence": _whole(2, 6),
    "cards.scout.actions.scout": _whole(1, 3),
    "cards.scout.actions.control": _whole(0, 1),
    "cards.gunner.actions.target": _whole(0, 1),
    "cards.gunner.actions.blast": _whole(0, 2),
    "cards.sniper.actions.recon": _whole(0, 1),
    "cards.mortar.actions.blast": _whole(1, 3),
    "cards.sergeant.actions.command": _whole(0, 5),
    "cards.sergeant.actions.guide": _whole(0, 2),
    "cards.guide.actions.guide": _whole(1, 3),
    "cards.leader.actions.inspire": _whole(0, 3),
    "cards.leader.actions.bolster": _whole(0, 3),
    "cards.leader.initiative": _whole(1, 9),
}


@st.composite
def configs(draw: st.DrawFn) -> list[str]:
    keys = draw(st.lists(st.sampled_from(sorted(SETTINGS)), unique=True, max_size=8))
    return [f"round_limit={draw(st.integers(1, 8))}", *(f"{key}={draw(SETTINGS[key])}" for key in keys)]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    scenario=st.sampled_from(SCENARIOS),
    overrides=configs(),
    seats=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    seed=st.integers(0, 2**40),
)
def test_engine_equals_oracle(scenario: str, overrides: list[str], seats: tuple[str, str], seed: int) -> None:
    compare([POLICIES[name]() for name in seats], 2, seed, scenario, overrides)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_equals_oracle(scenario: str) -> None:
    compare([POLICIES["random"](), POLICIES["greedy"]()], 2, 8, scenario, ["round_limit=12"])


@pytest.mark.parametrize("name", NAMES)
def test_every_policy_equals_oracle(name: str) -> None:
    options = ["round_limit=15", "first_initiative=both"]
    compare([POLICIES[name](), POLICIES[name]()], 3, 5, "undaunted/10-critical-intelligence", options)


RING = """
game: undaunted
base: undaunted/_rules
scenario:
  name: Ring
  initiative: DE
  goal: {US: pin, DE: GOAL}
  borders: written
  decks:
    US: {deck: [PS, PG, SLA, 2 RA, SA, GA, MO, FOW], supply: [2 RA, 2 MO, 3 FOW]}
    DE: {deck: [SLB, 2 RB, 2 SB, SN, 2 MO, FOW], supply: [2 RB, SB, 2 FOW]}
  tiles:
    - {name: A1, at: [0, 0], cover: 3, points: 2, hill: true, radio: true, markers: {US: controlled},
       spawn: {US: [A, MO]},
       counters: {US: [RA, SA]}, adj: [A2, A6]}
    - {name: A2, at: [1, 0], cover: 1, points: 1, markers: {US: scouted, DE: scouted}, adj: [A1, A3]}
    - {name: A3, at: [2, 0], cover: 3, points: 0, adj: [A2, A4]}
    - {name: A4, at: [3, 0], cover: 3, points: 3, hill: true, markers: {DE: controlled}, spawn: {DE: [B, SN]},
       counters: {DE: [RB, SB]}, adj: [A3, A5]}
    - {name: A5, at: [4, 0], cover: 2, points: 1, spawn: {DE: [MO]}, markers: {DE: scouted}, adj: [A4, A6]}
    - {name: A6, at: [5, 0], cover: 0, points: 1, markers: {US: scouted}, adj: [A1, A5]}
"""


@pytest.mark.parametrize("goal", ["pin", "6"])
def test_a_map_with_borders_of_its_own_equals_oracle(tmp_path: Path, goal: str) -> None:
    """Distances that no arithmetic gives, a radio on a hill, two sides that must pin each other."""
    path = tmp_path / "ring.yaml"
    path.write_text(RING.replace("GOAL", goal))
    board = Tables(load_config(file=path).rules).board
    assert not board.plain
    assert board.drop == 2
    options = [
        "round_limit=15",
        "target_distance=2",
        f"pin_ends_game={'always' if goal == 'pin' else 'goal'}",
    ]
    for names in (("random", "greedy"), ("greedy", "random")):
        compare([POLICIES[name]() for name in names], 2, 6, overrides=options, file=path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(200))
def test_slow_20_000_games_equal_oracle(part: int) -> None:
    """100 games a part: every scenario, policies alone and mixed, both readings of a pin."""
    rng = np.random.default_rng([20_26, part])
    scenario = SCENARIOS[part % len(SCENARIOS)]
    one, two = (NAMES[int(k)] for k in rng.integers(len(NAMES), size=2))
    names = (one, two) if part % 2 else (NAMES[part // 2 % len(NAMES)],) * 2
    options = [
        f"pin_ends_game={('always', 'goal')[part // 12 % 2]}",
        f"first_initiative={('scenario', 'both')[part % 3 == 0]}",
    ]
    options += [text for text in ("hand_size=5", "die_faces=8", "target_distance=2") if rng.random() < 0.1]
    compare([POLICIES[name]() for name in names], 100, 1000 + part, scenario, options, checked_every=10)


# ---------------------------------------------------------------- one seed, other ways to play it


def _play(
    names: Sequence[str | Policy],
    games: int = 24,
    seed: int = 9,
    scenario: str = "undaunted/05-crossing-the-vire",
    overrides: Sequence[str] = ("round_limit=6",),
    rows: Sequence[int] | None = None,
) -> engine.Played:
    game = fast.Undaunted(load_config(scenario, overrides=overrides).rules, 2)
    policies = [POLICIES[name]() if isinstance(name, str) else name for name in names]
    picked = np.arange(games) if rows is None else np.array(rows)
    return engine.play(game, policies, Luck("undaunted", seed, 0, games, picked), picked)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_when_lanes_are_put_back_changes_nothing(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    whole = _play(["greedy", "random"])
    monkeypatch.setattr(fast, "KEEP_BELOW", share)
    monkeypatch.setattr(fast, "LEAVE_BELOW", share)
    parts = _play(["greedy", "random"])
    for name, values in whole.columns.items():
        assert (values == parts.columns[name]).all(), name
    for name, tally in whole.tallies.items():
        assert (tally.counts == parts.tallies[name].counts).all(), name


def test_a_game_is_the_same_alone_as_among_others() -> None:
    whole = _play(["greedy", "greedy"])
    for row in (0, 17, 23):
        alone = _play(["greedy", "greedy"], rows=[row])
        for name, values in whole.columns.items():
            assert (values[..., row] == alone.columns[name][..., 0]).all(), name


def test_the_first_initiative_alternates() -> None:
    both = _play(["greedy", "greedy"], overrides=["first_initiative=both", "round_limit=6"])
    assert both.columns["first"].tolist() == [1, 2] * 12
    for seat, name in enumerate(("US", "DE")):
        fixed = _play(["greedy", "greedy"], overrides=[f"first_initiative={name}", "round_limit=6"])
        for column in ("winner", "end", "rounds"):
            assert (fixed.columns[column][seat::2] == both.columns[column][seat::2]).all()


# ---------------------------------------------------------------- negative controls


class TestNegativeControls:
    """The comparison fails when the engine breaks a rule (one seeded fault a rule)."""

    def fails(self, *options: str, scenario: str = LA_RAYE, games: int = 2, limit: int = 30) -> None:
        policies = [POLICIES[name]() for name in ("greedy", "random")]
        with pytest.raises((AssertionError, IllegalChoice, StopIteration, RuntimeError, KeyError)):
            compare(policies, games, 3, scenario, [f"round_limit={limit}", *options])

    def test_the_control_of_the_controls(self) -> None:
        compare([POLICIES[n]() for n in ("greedy", "random")], 2, 3, LA_RAYE, ["round_limit=30"])

    @pytest.mark.parametrize(
        ("rule", "module", "name", "wrap"),
        [
            ("U5", cards, "_pour", lambda old: lambda side, rows, lanes: None),
            ("U15", legal, "may_take", lambda old: lambda f, c: np.ones((len(c), f.lanes), np.uint8)),
            ("U18", legal, "no_enemy_on", lambda old: lambda f, tile: np.ones_like(tile)),
            ("U11", legal, "can_move", lambda old: lambda f, u: old(f, u) * np.uint8(f.seat)),
            (
                "U12",
                legal,
                "can_be_guided",
                lambda old: lambda f, lanes: (f.off[:, lanes] == 0).view(np.uint8),
            ),
            ("U17", play, "_conceal", lambda old: lambda f, lanes: None),
            ("U18", play, "_control", lambda old: lambda f, lanes, unit: None),
            ("U16", play, "_draw", lambda old: lambda f, lanes, times: old(f, lanes, times * 0 + 1)),
            ("U22", fight, "total_defence", lambda old: lambda f, t, g, w: old(f, t, g, w) + np.uint8(1)),
            ("U25", fight, "_remove", lambda old: lambda *args: None),
            ("U26", ends, "check_ends", lambda old: lambda f: None),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_broken_function_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, rule: str, module: Any, name: str, wrap: Callable[..., Any]
    ) -> None:
        broken = wrap(getattr(module, name))
        monkeypatch.setattr(module, name, broken)
        if module is ends:
            monkeypatch.setattr(fast, name, broken)
        if rule == "U11":
            monkeypatch.setitem(legal._CAN, "move", broken)
        if rule == "U15":
            monkeypatch.setitem(legal._CAN, "bolster", broken)
        self.fails(scenario=WITHDRAWAL if rule == "U12" else LA_RAYE)

    def test_u30_a_radio_that_never_grows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = play._control

        def silent(field: Any, lanes: Any, unit: Any) -> None:
            before = field.score[2].copy()
            old(field, lanes, unit)
            field.score[2] = before

        monkeypatch.setattr(play, "_control", silent)
        self.fails(scenario="undaunted/10-critical-intelligence", games=12)

    def test_u6_a_tie_that_moves_the_marker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = fast.Undaunted._reveal

        def always_us(self: Any, state: UndauntedState, lanes: Any, us: Any, de: Any) -> None:
            old(self, state, lanes, us, de)
            sides = self.tables.sides
            ties = sides[0].initiative[us] == sides[1].initiative[de]
            state.holder[lanes[ties]] = 0

        monkeypatch.setattr(fast.Undaunted, "_reveal", always_us)
        self.fails()

    def test_u7_hands_that_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = fast.Undaunted._end_turn

        def keep(self: Any, state: UndauntedState, seat: int, on_turn: Any) -> None:
            side: Side = self.tables.sides[seat]
            hand = state.side[seat][side.hand].copy()
            old(self, state, seat, on_turn)
            state.side[seat][side.hand] = hand

        monkeypatch.setattr(fast.Undaunted, "_end_turn", keep)
        self.fails()
