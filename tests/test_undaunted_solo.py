"""The named policies of Undaunted against their plain twins: every score of every decision, with ==."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.config import find_configs
from analyzer.games.base import Policy
from analyzer.games.undaunted import heuristics, priorities
from analyzer.games.undaunted.policies import POLICIES
from analyzer.sim import engine
from tests.oracle.compare_undaunted_solo import compare_policies
from tests.oracle.undaunted_solo import NOISE, WEIGHTS, Weights
from tests.test_undaunted_engine import RING

SCENARIOS = [name for name in find_configs() if name.startswith("undaunted/")]
NAMES = sorted(WEIGHTS)
KINDS = {"play", "bid", "attack", "bolster", "inspire", "guide", "target", "move", "scout", "stalk"}


def _compare(seats: Sequence[str], games: int, scenario: int, *overrides: str, **more: Any) -> Counter[str]:
    """Games of two policies in a scenario by its number; without noise unless `noise` says otherwise."""
    noise, seed = more.pop("noise", 0.0), more.pop("seed", 7)
    policies = [POLICIES[name](noise=noise) for name in seats]
    return compare_policies(policies, seats, games, seed, SCENARIOS[scenario - 1], overrides, **more)


@pytest.mark.parametrize("name", NAMES)
def test_the_twins_have_the_parameters_of_the_policies(name: str) -> None:
    assert asdict(POLICIES[name]()) == {**WEIGHTS[name]._asdict(), "noise": NOISE}


@pytest.mark.parametrize("seats", [("solo", "block"), ("block", "solo")])
@pytest.mark.parametrize("scenario", [1, 2, 8, 12])
def test_solo_and_block_equal_their_twins(scenario: int, seats: tuple[str, str]) -> None:
    assert _compare(seats, 3, scenario, "round_limit=12")["play"] > 100


@pytest.mark.parametrize(
    ("seats", "scenario"), [(("rush", "firepower"), 5), (("engine", "block"), 9), (("solo", "engine"), 6)]
)
def test_with_noise_they_take_the_same_answers(seats: tuple[str, str], scenario: int) -> None:
    assert _compare(seats, 2, scenario, "round_limit=10", noise=6.0)["play"] > 30


@pytest.mark.parametrize("scenario", [7, 10, 11])
def test_they_judge_positions_of_random_play_alike(scenario: int) -> None:
    counts = _compare(("block", "engine"), 3, scenario, "round_limit=10", player="random")
    assert {"play", "bid", "attack", "bolster", "move", "scout"} <= counts.keys()


@pytest.mark.parametrize("goal", ["pin", "6"])
def test_they_agree_on_a_map_with_borders_of_its_own(tmp_path: Path, goal: str) -> None:
    """A radio on a hill, two sides that must pin each other."""
    path = tmp_path / "ring.yaml"
    path.write_text(RING.replace("GOAL", goal))
    for player in ("random", None):
        policies = [POLICIES[name](noise=0.0) for name in ("solo", "block")]
        options = ["round_limit=10", "target_distance=2"]
        compare_policies(policies, ("solo", "block"), 3, 6, overrides=options, file=path, player=player)


def test_the_highest_total_defences_count_in_full() -> None:
    """Beyond 15, which no shipped scenario has."""
    options = [f"cards.{kind}.defence=12" for kind in ("rifleman", "scout", "gunner", "sniper", "mortar")]
    _compare(("solo", "firepower"), 2, 8, "round_limit=8", "die_faces=20", *options, player="random")


@pytest.mark.parametrize("end", [0, 1])
def test_at_the_ends_of_their_ranges_the_parameters_leave_room_for_noise(end: int) -> None:
    ends = {f.name: f.metadata["range"][end] for f in fields(priorities.Block) if f.name != "noise"}
    policies, twins = [priorities.Block(noise=0.0, **ends)] * 2, [Weights(**ends)] * 2
    for scenario in (8, 12):
        name = SCENARIOS[scenario - 1]
        compare_policies(policies, twins, 2, 4, name, ["round_limit=8"], player="random")


def test_no_kind_of_decision_is_left_out() -> None:
    counts = _compare(("solo", "solo"), 8, 8, "round_limit=8", player="random")
    counts += _compare(("solo", "solo"), 8, 7, "round_limit=8", player="random")
    assert counts.keys() == KINDS


# ---------------------------------------------------------------- more of it

OPTIONS = (
    "hand_size=6",
    "hill_cover_from_hill=3",
    "target_distance=1",
    "target_outlives_mortar=true",
    "cards.rifleman.actions.move=2",
    "cards.rifleman.actions.stalk=1",
    "cards.scout.actions.scout=3",
    "cards.scout.actions.control=1",
    "cards.gunner.actions.target=1",
    "cards.sniper.actions.recon=1",
    "cards.sniper.actions.move=1",
    "cards.sergeant.actions.guide=2",
    "cards.leader.actions.inspire=2",
    "cards.leader.initiative=3",
)
PARTS = 60


def slow_part(part: int) -> Counter[str]:
    """10 games of each scenario in turn: alone, mixed with noise, judging random and greedy play."""
    rng = np.random.default_rng([20_26, part])
    seats = [NAMES[int(k)] for k in rng.integers(len(NAMES), size=2)]
    how = part // len(SCENARIOS)
    if how == 0:
        seats = ["solo", "block"][:: 1 - 2 * (part % 2)]
    options = [text for text in OPTIONS if how >= 3 and rng.random() < 0.3]
    more = {"noise": 0.0 if how in (0, 3) else 2.0, "player": (None, None, "random", "random", "greedy")[how]}
    return _compare(seats, 10, part % len(SCENARIOS) + 1, *options, seed=part, **more)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_slow_600_games_equal_their_twins(part: int) -> None:
    assert slow_part(part)["play"] > 0


# ---------------------------------------------------------------- negative controls


class TestNegativeControls:
    """The comparison fails when the fast policy has another number or another rule (one fault each)."""

    SEATS = ("block", "block")

    def fails(self, policies: Sequence[Policy] | None = None) -> None:
        with pytest.raises(AssertionError):
            self.compare(policies or [POLICIES["block"](noise=0.0)] * 2)

    def compare(self, policies: Sequence[Policy]) -> None:
        for scenario, player in ((8, "random"), (1, None)):
            name, options = SCENARIOS[scenario - 1], ["round_limit=8"]
            compare_policies(policies, self.SEATS, 3, 5, name, options, player=player)

    def test_the_control_of_the_controls(self) -> None:
        self.compare([POLICIES["block"](noise=0.0)] * 2)

    @pytest.mark.parametrize("name", WEIGHTS["block"]._fields)
    def test_another_weight_is_noticed(self, name: str) -> None:
        more = {**WEIGHTS["block"]._asdict(), "noise": 0.0}
        self.fails([priorities.Block(**{**more, name: more[name] + 1})] * 2)

    @pytest.mark.parametrize("name", ["EASIER", "STEP", "UNMARKED", "PRIZE", "AGAINST_POINTS"])
    def test_another_number_of_the_map_is_noticed(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        old = getattr(heuristics, name)
        monkeypatch.setattr(heuristics, name, old[::-1] if isinstance(old, tuple) else old - type(old)(1))
        self.fails()

    @pytest.mark.parametrize(
        ("name", "kind"),
        [("_USE", heuristics.SCOUT), ("_WANTED", heuristics.LEADER), ("_USE", heuristics.SERGEANT)],
    )
    def test_another_number_of_a_card_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, name: str, kind: int
    ) -> None:
        old = getattr(priorities, name)
        monkeypatch.setattr(priorities, name, {**old, kind: old[kind] + 1})
        self.fails()

    def test_a_way_that_is_not_followed_to_its_end_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(heuristics, "_sweeps", range)
        self.fails()

    def test_another_of_equally_good_answers_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = engine._find_last
        monkeypatch.setattr(
            engine,
            "_find_last",
            lambda v, legal: len(v) - 1 - old(v[::-1], np.ascontiguousarray(legal[::-1])),
        )
        self.fails()
