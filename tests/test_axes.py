"""Axes: what a value selects, what is said of a wrong one, and what a setting of it is made of."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer import config, config_layers, registry
from analyzer.axes import Axis, select, several
from analyzer.errors import UserError
from analyzer.games.moscow import model as moscow
from analyzer.sim import settings
from analyzer.sim.request import build
from analyzer.testing import ContractError, check_game
from tests.toy import model as toy

DECKS = Axis("decks", "decks", names=lambda _: ["Iron Wall", "raiders", "7"], each=2)
PLACES = Axis("place", "places", names=lambda _: {"La Raye": ("1",), "Canal": ("2", "ditch"), "Hill": ("3",)})


def names(axis: Axis, wanted: object) -> list[str]:
    return [":".join(one) for one in select(axis, wanted, None)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("all", ["La Raye", "Canal", "Hill"]),
        ("la-raye", ["La Raye"]),
        ("LA_RAYE", ["La Raye"]),
        (" la  raye ", ["La Raye"]),
        ("1", ["La Raye"]),
        (1, ["La Raye"]),
        ("ditch,1", ["Canal", "La Raye"]),
        ("1,2,1,canal", ["La Raye", "Canal"]),
        ("2-3", ["Canal", "Hill"]),
        ("3,all", ["Hill", "La Raye", "Canal"]),
        (["1", "hill"], ["La Raye", "Hill"]),
        (range(2, 4), ["Canal", "Hill"]),
        (("1-2", 3), ["La Raye", "Canal", "Hill"]),
    ],
)
def test_a_value_selects_its_settings_in_order_and_once(wanted: object, found: list[str]) -> None:
    assert names(PLACES, wanted) == found


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("raiders:iron-wall", ["raiders:Iron Wall"]),
        ("7", ["7:7"]),
        ("raiders,7", ["raiders:raiders", "raiders:7", "7:raiders", "7:7"]),
        ("7:raiders,7:7", ["7:raiders", "7:7"]),
        ("7:raiders,raiders", ["7:raiders", "raiders:raiders"]),
        (["iron wall:7"], ["Iron Wall:7"]),
    ],
)
def test_names_of_a_pairing_meet_each_other(wanted: object, found: list[str]) -> None:
    assert names(DECKS, wanted) == found


def test_all_pairings_and_each_once() -> None:
    assert len(names(DECKS, "all")) == 9
    once = Axis("decks", "decks", names=DECKS.names, each=2, ordered=False)
    assert names(once, "all") == [
        "Iron Wall:Iron Wall", "Iron Wall:raiders", "Iron Wall:7", "raiders:raiders", "raiders:7", "7:7",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "wanted", "said"),
    [
        (PLACES, "la-ray", "Did you mean 'La Raye'"),
        (PLACES, "dich", "Did you mean 'Canal'"),
        (PLACES, "nowhere", "--place: this game has no 'nowhere'. Known: La Raye, Canal, Hill, or all."),
        (PLACES, "1-4", "has no '4'"),
        (PLACES, "3-1", "runs backwards; write 1-3"),
        (PLACES, "1,,2", "empty place"),
        (PLACES, "", "empty place"),
        (PLACES, [], "empty place"),
        (PLACES, "1:2", "has no '1:2'"),
        (DECKS, "7:raiders:7", "must name 2, as Iron Wall:raiders"),
        (DECKS, "7:raider", "Did you mean 'raiders'"),
        (DECKS, "7:", "has no ''"),
    ],
)
def test_a_wrong_value_is_told_with_the_nearest_right_one(axis: Axis, wanted: object, said: str) -> None:
    with pytest.raises(UserError) as caught:
        select(axis, wanted, None)
    assert said in str(caught.value)


def test_a_list_asks_for_a_series_and_a_text_does_not() -> None:
    assert several([2])
    assert several(range(2, 3))
    assert not several("2-3")
    assert not several(2)


# ---------------------------------------------------------------- plans


def test_players_are_an_axis_of_every_game() -> None:
    for game in registry.game_names():
        counts = registry.player_counts(game)
        planned = settings.plan(game, "all", 10)
        assert [one.players for one in planned.requests] == list(counts)


@pytest.mark.parametrize("players", ["7", 7, "2-7", "2-x", "x", 0, -1, 2.5, True, "4.0"])
def test_wrong_numbers_of_players(players: object) -> None:
    with pytest.raises(UserError, match="moscow is for 1 to 6 players, not"):
        settings.plan("moscow", players)


def test_one_value_is_a_run_and_the_same_as_without_axes() -> None:
    planned = settings.plan("moscow", "3", 100, seed=5, settings=["moscow_strength=14"])
    assert not planned.many
    assert planned.single() == planned.only
    assert planned.only.key == build("moscow", 3, 100, seed=5, settings=["moscow_strength=14"]).key
    assert settings.plan("moscow", [3], 100).many


def test_every_setting_is_the_request_of_a_run_alone() -> None:
    planned = settings.plan("moscow", "2,4,6", 100, policies="racer,balanced", seed=9)
    assert [one.name for one in planned.settings] == ["2 players", "4 players", "6 players"]
    for one, players in zip(planned.requests, (2, 4, 6), strict=True):
        assert one.key == build("moscow", players, 100, policies="racer,balanced", seed=9).key


def test_policies_that_do_not_fit_one_setting_are_refused_at_once() -> None:
    with pytest.raises(UserError, match="dealt out evenly to 3 seats"):
        settings.plan("moscow", "2-4", policies="racer,balanced")


def test_values_become_settings_of_the_config(dice_race: str) -> None:
    axes = {"loads": "0,chest", "race_length": "short,9"}
    planned = settings.plan(dice_race, 3, 10, settings=["rounds=12", "goal=99"], axes=axes)
    found = [
        (
            one.config.rules.load_1,
            one.config.rules.load_2,
            one.config.rules.goal,
            one.config.rules.rounds,
            one.players,
        )
        for one in planned.requests
    ]
    pairs = [
        ("nothing", "nothing"),
        ("nothing", "Big Trunk"),
        ("Big Trunk", "nothing"),
        ("Big Trunk", "Big Trunk"),
    ]
    assert found == [(*pair, goal, 12, 3) for pair in pairs for goal in (10, 20)]
    assert planned.settings[1].name == "nothing : nothing · middle race"
    assert planned.settings[3].values == {
        "players": ("3",), "loads": ("nothing", "Big Trunk"), "race-length": ("middle",),
    }  # fmt: skip
    assert len({one.folder for one in planned.settings}) == len({one.name for one in planned.settings}) == 8


def test_an_axis_lies_over_what_the_user_set(dice_race: str) -> None:
    for given in (["goal=99"], "goal=99", {"goal": "99"}):
        planned = settings.plan(dice_race, settings=given, axes={"race_length": "short"})
        assert planned.only.config.rules.goal == 10


@pytest.fixture
def with_loads(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The race with an axis of lengths that brings the loads along."""
    loads, lengths = toy.AXES
    along = (("loads", "nothing,a bag"),)
    monkeypatch.setattr(toy, "AXES", (loads, replace(lengths, along=along)))
    return dice_race


def test_several_values_of_an_axis_bring_another_along(with_loads: str) -> None:
    def axes_of(**axes: object) -> list[str]:
        return [one.name for one in settings.plan(with_loads, None, 10, axes=axes).settings]

    pairs = ["nothing : nothing", "nothing : a bag", "a bag : nothing", "a bag : a bag"]
    both = [f"{length} race · {pair}" for length in ("short", "long") for pair in pairs]
    assert axes_of(race_length="short,long") == both
    assert axes_of(race_length="short") == ["short race"]  # one value: nothing to compare
    assert axes_of(race_length="short,long", loads="chest:chest") == ["short race", "long race"]  # given


def test_an_axis_that_came_along_stands_in_the_command_of_a_setting(with_loads: str) -> None:
    planned = settings.plan(with_loads, 2, 10, axes={"race_length": "short,long"})
    words = ["analyze", "run", with_loads, "--race-length", "short,long", "--seed", "3", "--out", "x"]
    told = settings.single_words(words, planned.axes, planned.settings[1])
    assert told == [*words[:3], "--race-length", "short", "--seed", "3", "--players", "2",
                    "--loads", "nothing:a bag"]  # fmt: skip


def test_unknown_axes_are_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match="Did you mean 'players'"):
        analyzer.run("moscow", plyers=3)
    with pytest.raises(UserError, match=r"axis of moscow, 'scenario'"):
        analyzer.run("moscow", scenario="all")


def test_too_many_settings_are_refused(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MAX_SETTINGS", 8)
    with pytest.raises(UserError, match="9 settings; at most 8"):
        settings.plan(dice_race, axes={"loads": "all"})


def test_a_config_that_is_made_takes_players_only(dice_race: str) -> None:
    made = registry.game_config("moscow", overrides=["moscow_strength=14"])
    assert [one.config for one in settings.plan("moscow", "2,3", config=made).requests] == [made, made]
    toys = registry.game_config(dice_race)
    with pytest.raises(UserError, match="takes no further axis"):
        settings.plan(dice_race, config=toys, axes={"loads": "all"})


# ---------------------------------------------------------------- values with a config of their own


@pytest.fixture
def scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two scenarios of Moscow, as shipped configs of their own."""
    folder = tmp_path / "configs"
    shutil.copytree(config.config_dir(), folder)
    (folder / "moscow").mkdir()
    (folder / "moscow/short-way.yaml").write_text("base: moscow\ngame: moscow\ngoal_km: 500\n")
    (folder / "moscow/strong-city.yaml").write_text("base: moscow\ngame: moscow\nmoscow_strength: 20\n")
    monkeypatch.setattr(config_layers, "config_dir", lambda: folder)
    axis = Axis(
        "scenario",
        "scenarios",
        names=lambda _: {"Short Way": ("1",), "Strong City": ("2",)},
        config=lambda name: f"moscow/{name.lower().replace(' ', '-')}",
    )
    monkeypatch.setattr(moscow, "AXES", (axis,), raising=False)
    return tmp_path


def test_a_value_may_be_a_shipped_config(scenarios: Path) -> None:
    planned = settings.plan("moscow", 2, 10, settings=["opening_hand=5"], axes={"scenario": "all"})
    rules = [one.config.rules for one in planned.requests]
    assert [(one.goal_km, one.moscow_strength, one.opening_hand) for one in rules] == [
        (500, 15, 5),
        (1000, 20, 5),
    ]
    assert [one.config.name for one in planned.requests] == ["moscow/short-way", "moscow/strong-city"]


def test_a_users_file_lies_over_the_shipped_config(scenarios: Path) -> None:
    file = scenarios / "mine.yaml"
    file.write_text("game: moscow\nopening_hand: 7\n")
    planned = settings.plan("moscow", config=file, axes={"scenario": "short-way"})
    assert (planned.only.config.rules.goal_km, planned.only.config.rules.opening_hand) == (500, 7)
    file.write_text("base: moscow/strong-city\nopening_hand: 7\n")
    with pytest.raises(UserError, match="cannot be laid over 'moscow/short-way'"):
        settings.plan("moscow", config=file, axes={"scenario": "short-way"})


def test_the_config_of_one_value(scenarios: Path) -> None:
    assert settings.config_of("moscow", (), None, {"scenario": "2"}).rules.moscow_strength == 20
    with pytest.raises(UserError, match="Which of these 2 settings"):
        settings.config_of("moscow", (), None, {"scenario": "all"})


# ---------------------------------------------------------------- the contract

FAULTS: list[tuple[str, Any]] = [
    ("its name is taken", Axis("seed", "x", names=lambda _: ["a"])),
    ("not in small letters", Axis("Deck Choice", "x", names=lambda _: ["a"])),
    ("goal", Axis("goals", "x", names=lambda _: ["a"], overrides=lambda name: {"goal": 10_000})),
    ("two settings the same: 'one'", Axis("goals", "x", names=lambda _: ["a", "b"], label=lambda _: "one")),
]


@pytest.mark.parametrize(("said", "axis"), FAULTS)
def test_a_faulty_axis_is_found(
    dice_race: str, monkeypatch: pytest.MonkeyPatch, said: str, axis: Axis
) -> None:
    monkeypatch.setattr(toy, "AXES", (axis,))
    with pytest.raises((ContractError, ValueError)) as caught:
        check_game(dice_race, players=2)
    assert said in str(caught.value)
