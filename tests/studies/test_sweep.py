"""Sweeps: points, one luck everywhere, differences game by game, curves and heat maps, text, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.errors import UserError
from analyzer.studies import grid, sweep, sweep_report
from tests.toy import policies

REAL = {
    "eastfront": {"go_on": ["same_then_any", "any"]},
    "kraskar": {"castle_life": [24, 36]},
    "moscow": {"moscow_strength": [12, 15]},
    "undaunted": {"round_limit": [40, 60]},
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def analyze(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# ---------------------------------------------------------------- points


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("12:20:4", (12, 16, 20)),
        ("0.3:0.5:0.1", (0.3, 0.4, 0.5)),
        ("1:2:0.5", (1.0, 1.5, 2.0)),
        ("any,one", ("any", "one")),
        ("true,false", (True, False)),
        ("5,7,5", (5, 7)),
    ],
)
def test_values_are_ranges_or_lists(text: str, values: tuple[object, ...]) -> None:
    assert grid.values_of("key", text) == values
    assert [type(one) for one in grid.values_of("key", text)] == [type(one) for one in values]


def test_two_keys_make_a_grid_and_a_parameter_belongs_to_the_first_policy(dice_race: str) -> None:
    found = grid.grid(dice_race, ["policy.patience=0:2:1", "goal=20,30"], 2, 10, policies="gambler,random")
    assert found.cells == [(0, 20), (0, 30), (1, 20), (1, 30), (2, 20), (2, 30)]
    assert [way.now for way in found.ways] == [3, 30]
    assert found.requests[0].labels == ["gambler:patience=0", "random"]
    assert found.requests[0].config.rules.goal == 20
    everybody = grid.grid(dice_race, "policy.patience=0,1", 3, 10, policy="gambler")
    assert everybody.requests[0].labels == ["gambler:patience=0"] * 3


# ---------------------------------------------------------------- what it finds


def test_every_point_is_the_run_of_that_setting_on_the_same_luck(dice_race: str) -> None:
    found = sweep.play(grid.grid(dice_race, {"goal": [20, 30]}, 2, 200, policy="gambler", seed=3), jobs=1)
    for goal, there in zip((20, 30), found.points, strict=True):
        alone = analyzer.run(dice_race, 2, 200, policy="gambler", seed=3, set={"goal": str(goal)}, jobs=1)
        edge = next(one for one in there if one.name == "seat 1: edge")
        assert edge.value == pytest.approx(alone.win_rates()["edge"][0])
    same = found.changes[1]["seat 1: edge"]  # 30 is the game as it is: the very same games
    assert same.paired
    assert same.value == 0
    assert not found.clear("seat 1: edge") or 1 not in found.clear("seat 1: edge")


def test_a_known_change_is_found_and_a_setting_without_effect_is_not(dice_race: str) -> None:
    found = sweep.play(grid.grid(dice_race, {"goal": [20, 40]}, 2, 300, policy="gambler"), jobs=1)
    assert found.clear("rounds") == [0, 1]
    told = next(
        text for text in found.study().words if text.startswith("The mean length of a game in rounds")
    )
    assert told.count("95 % interval") == 3  # the least, the most, and the game as it is
    assert told.endswith("clearly different from that at both points.")
    assert "The game as it is (goal 30)" in found.tables()["sweep"].attrs["about"]
    shown = sweep_report.short(found, found.tables()["sweep"])  # what is told first is shown
    assert [name for name in shown if name in found.names][:2] == ["turns", "rounds"]
    # Nobody takes 40 rounds: a later limit changes no game at all.
    nothing = sweep.play(grid.grid(dice_race, {"rounds": [40, 45, 50]}, 2, 300, policy="gambler"), jobs=1)
    assert all(nothing.clear(name) == [] for name in nothing.names)
    study = nothing.study()
    assert study.words[1] == "Nothing differs between the points."
    assert {"rounds", "rounds (outcome)"} <= set(study.tables["sweep"])


def test_pairing_makes_differences_narrower(dice_race: str) -> None:
    found = sweep.play(grid.grid(dice_race, {"goal": [28]}, 2, 500, policy="gambler"), jobs=1)
    paired = found.changes[0]["seat 1: edge"]
    apart = np.hypot(found.points[0][0].error, found.base[0].error)
    assert paired.error < 0.9 * apart


def test_the_swept_policy_keeps_its_name_and_is_fair_against_itself(dice_race: str) -> None:
    found = sweep.play(
        grid.grid(dice_race, {"policy.patience": [0, 3, 6]}, 2, 600, policies="gambler,gambler"), jobs=1
    )
    name = "gambler (1): edge"
    assert found.names[0] == name
    first, same, last = found.of(name)
    assert first.low > 0
    assert (same.value, same.low, same.high) == (0, 0, 0)
    assert last.high < 0
    assert "its sign turns" in found.study().words[1]


def test_the_number_of_processes_changes_nothing(dice_race: str) -> None:
    one, two = (
        sweep.play(grid.grid(dice_race, {"goal": [20, 25]}, 3, 60, policy="gambler"), jobs=jobs).study()
        for jobs in (1, 2)
    )
    assert all(frame.equals(two.tables[name]) for name, frame in one.tables.items())
    assert one.words == two.words


# ---------------------------------------------------------------- the command


def test_one_key_draws_curves_two_a_heat_map(dice_race: str) -> None:
    words = ["--players", "2", "--policy", "gambler", "--n", "60", "--jobs", "1"]
    one = analyze("sweep", dice_race, "--over", "goal=20:30:5", *words, "--out", "one")
    assert one.exit_code == 0, one.output
    assert "The game by goal" in one.output
    assert (Path("one/plots/by_goal_rounds.png")).is_file()
    two = analyze(
        "sweep", dice_race, "--over", "goal=20,30", "--over", "policy.patience=0,5", *words, "--out", "two"
    )
    assert two.exit_code == 0, two.output
    assert (Path("two/plots/by_goal_policy_patience_rounds.svg")).is_file()
    told = json.loads(
        analyze("sweep", dice_race, "--over", "goal=20,30", *words, "--no-plots", "--json").output
    )
    assert [row["goal"] for row in told["tables"]["sweep"]] == [20, 30]
    assert told["meta"]["n"] == 180


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--over", "goal"], "key=from:to:step"),
        (["--over", "goal=30:20:1"], "rising"),
        (["--over", "goal=1:9:0"], "step above 0"),
        (["--over", "policy.patienc=1,2"], "Did you mean 'patience'?"),
        (["--over", "goal=20,30", "--over", "goal=20,30"], "twice"),
        (["--over", "goal=1,2", "--over", "rounds=1,2", "--over", "load_1=nothing"], "one key or two"),
        (["--over", "goal=1:100000:1"], "at most 1,000"),
        (["--over", "goal=10,20", "--race-length", "long"], "makes no difference"),
        (["--over", "goal=20,30", "--players", "2-4"], "Which of these 3 settings?"),
    ],
)
def test_mistakes_are_told_in_one_line(dice_race: str, words: list[str], text: str) -> None:
    told = analyze(
        "sweep",
        dice_race,
        *words,
        *([] if "--players" in words else ["--players", "2"]),
        "--policy",
        "gambler",
    )
    assert told.exit_code == 2
    assert text in told.output
    assert len(told.output.strip().splitlines()) == 1


def test_a_wrong_setting_names_the_nearest_right_one() -> None:
    told = analyze("sweep", "moscow", "--over", "moscow_strenth=12,15")
    assert told.exit_code == 2
    assert "moscow_strength" in told.output


def test_a_policy_without_a_line_cannot_be_swept(dice_race: str) -> None:
    class Mine(policies.Gambler):
        """Made in the caller's own program."""

    with pytest.raises(UserError, match="line of text"):
        grid.grid(dice_race, {"policy.patience": [1, 2]}, 2, 4, policies=[Mine])


SLOW = [pytest.param(one, marks=pytest.mark.slow) for one in ("eastfront", "moscow", "undaunted")]


@pytest.mark.parametrize("game", ["kraskar", *SLOW])
def test_every_game_can_be_swept(game: str) -> None:
    study = analyzer.sweep(game, REAL[game], 2, 8, policy="random", jobs=1)
    assert len(study.tables["sweep"]) == 2
    assert study.write("out", plots=False).is_file()


def test_the_headline_is_short_and_the_whole_sentence_stands_below_it(dice_race: str, tmp_path: Path) -> None:
    found = sweep.play(grid.grid(dice_race, {"goal": [20, 40]}, 2, 300, policy="gambler"), jobs=1)
    study = found.study()
    assert "interval" not in study.headline
    assert study.words[1].startswith(study.headline.rstrip(".").split(":")[0])
    text = study.write(tmp_path / "page", plots=False).read_text()
    assert f"<h1>{study.headline}</h1>".replace("'", "&#39;") in text
    assert "<li>" + study.words[1].split(" (")[0].replace("'", "&#39;") in text
