"""A against B: pairs of games on one luck, all four games, verdicts that hold, the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.errors import UserError
from analyzer.sim import outcomes, runner
from analyzer.sim.request import build
from analyzer.sim.results import Results
from analyzer.stats import intervals, paired
from analyzer.studies import compare
from analyzer.studies.pairing import NOBODY
from tests.toy.config import toy_config

ROOT = Path(__file__).parents[2]
TOY: dict[str, Any] = {"players": 3, "n": 600, "block": 128, "jobs": 1}


@pytest.fixture(autouse=True)
def _known(dice_race: str) -> None:
    """The dice race is a game of these tests."""


def row(study: Any, name: str, table: str = "differences") -> Any:
    frame = study.tables[table]
    return frame[frame[frame.columns[0]] == name].iloc[0]


# ---------------------------------------------------------------- the numbers


def test_differences_are_those_of_the_single_games() -> None:
    """Rule against rule, game by game, by an independent way to the same number."""
    study = analyzer.compare("dice_race", policy="gambler", set_b={"goal": 25}, **TOY)
    sides = [
        runner.run(build("dice_race", 3, 600, "gambler", block=128, config=toy_config(given)), jobs=1).games
        for given in ((), ("goal=25",))
    ]
    a, b = (outcomes.credits(games, 3)[1] for games in sides)
    expected = paired.compare(paired.Pairs.of(b, a), step=1.0)
    found = row(study, "seat 2")
    for column, value in (("difference", "value"), ("difference low", "low")):
        assert found[column] == pytest.approx(float(getattr(expected, value)))
    together = paired.compare(paired.Pairs.of(b, a), intervals.joint_level(0.95, 6), step=1.0)
    assert found["smallest"] == pytest.approx(float(together.smallest))  # found as the finding is: together
    assert found["variance_ratio"] == pytest.approx(float(expected.factor))
    longer = row(study, "turns", "lengths")
    assert longer["difference"] == pytest.approx((sides[1]["turns"].astype(int) - sides[0]["turns"]).mean())
    assert longer["finding"] == "less"


def test_one_seat_changes_and_the_others_keep_theirs() -> None:
    """A plays each deal once, B in all seatings; the gain is that of the seat that changes."""
    study = analyzer.compare("dice_race", policy="gambler", policy_b="random", one_seat=True, **TOY)
    a = runner.run(build("dice_race", 3, 200, "gambler", block=128, config=toy_config()), jobs=1).games
    mixed = ["random", "gambler", "gambler"]
    b = runner.run(
        build("dice_race", 3, 600, mixed, block=128, config=toy_config(), duplicate=True), jobs=1
    ).games
    before = outcomes.credits(a, 3)  # [seat, deal]
    after = outcomes.credits(b, 3).reshape(3, -1, 3)  # [seat, deal, rotation]
    gains = np.stack([after[-r % 3, :, r] - before[-r % 3] for r in range(3)])  # [rotation, deal]
    found = row(study, "gambler → random")
    assert found["n"] == 200
    assert study.n == 800
    assert found["difference"] == pytest.approx(gains.mean())
    for rotation in range(3):
        by_seat = row(study, f"switching in seat {-rotation % 3 + 1}")
        assert by_seat["difference"] == pytest.approx(gains[rotation].mean())
    error = gains.mean(axis=0).std(ddof=1) / np.sqrt(200)
    assert (found["difference high"] - found["difference low"]) / 2 == pytest.approx(1.96 * error, rel=0.05)


def test_runs_with_as_many_rotations_are_paired_game_by_game_or_by_deals() -> None:
    asked: dict[str, Any] = {
        **TOY,
        "policies": ["random", "gambler", "gambler:patience=9"],
        "set_b": ["goal=25"],
    }
    games, deals = (
        analyzer.compare("dice_race", duplicate=duplicate, **asked) for duplicate in (False, True)
    )
    assert row(games, "random")["n"] == 600
    assert row(deals, "random")["n"] == 200
    for study in (games, deals):
        assert study.tables["differences"]["wins"].tolist()[:3] == ["random", "gambler", "gambler:patience=9"]
        assert study.n == 1200


def test_jobs_change_nothing() -> None:
    one, two = (
        analyzer.compare("dice_race", policy="gambler", policy_b="random", **{**TOY, "jobs": jobs})
        for jobs in (1, 2)
    )
    assert one.words == two.words
    for name, frame in one.tables.items():
        assert frame.equals(two.tables[name])


def test_games_of_which_hardly_any_differ_get_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No interval, no finding, no verdict, and it says so."""
    monkeypatch.setattr(Results, "distinct", 20)
    study = analyzer.compare("dice_race", policy="gambler", policy_b="random", tolerance=0.02, **TOY)
    frame = study.tables["differences"]
    assert frame[["difference low", "difference high", "smallest"]].isna().all(axis=None)
    assert (frame["finding"] == "too few games").all()
    assert (study.tables["verdicts"]["verdict"] == "too few games to tell").all()
    assert "Too few different games" in study.words[1]


# ---------------------------------------------------------------- findings that hold


def test_where_there_is_no_difference_few_are_found() -> None:
    """Random play by ties or by noise is the same in distribution, on other luck: at most 5 % of studies err.

    60 studies, 5 % of them 3; more than 8 have a chance of 0.4 %.
    """
    wrong = equal = 0
    for seed in range(60):
        study = analyzer.compare(
            "dice_race", 2, n=120, policy="random", policy_b="random:noise=1", seed=seed, jobs=1, block=120,
            tolerance=0.3,
        )  # fmt: skip
        wrong += bool((study.tables["differences"]["finding"] != "not clear").any())
        equal += bool((study.tables["verdicts"]["verdict"] == "different").any())
    assert wrong <= 8
    assert equal <= 8


def test_a_mirror_is_no_claim_and_a_joint_finding_says_so() -> None:
    """Two policies, nobody wins nothing: what one gains the other loses. An interval that is clear of 0 by
    itself is not told as chance without the reason."""
    study = analyzer.compare(
        "dice_race", 2, n=600, policy="gambler", policy_b="gambler:patience=9", one_seat=True, jobs=1,
        tolerance=0.02,
    )  # fmt: skip
    gaps = study.tables["differences"]["difference"]
    assert gaps[0] == pytest.approx(-gaps[1])
    assert "6 rows of this table and the next" in study.tables["differences"].attrs["about"]
    assert study.tables["verdicts"].attrs["claims"] == 4 + 6  # 6: seats and policies within A and B
    few = analyzer.compare(
        "dice_race", 2, n=2000, seed=12, policy="gambler", policy_b="random", one_seat=True, jobs=1
    )
    found = few.tables["differences"].iloc[0]
    assert found["difference low"] > 0
    assert found["finding"] == "not clear"
    assert "by itself), which is not clear of chance when all 6 rows are judged together" in few.words[1]


def test_a_known_difference_is_found() -> None:
    study = analyzer.compare(
        "dice_race", 2, n=2000, policy="gambler", policy_b="random", one_seat=True, tolerance=0.02, jobs=1
    )
    found = row(study, "gambler → random")
    assert found["finding"] == "more"
    assert row(study, "gambler → random", "verdicts")["verdict"] == "different"
    assert "witching from gambler to random gains" in study.words[1]


def test_equal_sides_are_shown_to_be_equal() -> None:
    """Two names of one way to play end alike on the same luck: "equal", with very few games."""
    study = analyzer.compare(
        "dice_race", 2, n=800, policy="gambler", policy_b="gambler:noise=0.000001", tolerance=0.02, jobs=1
    )
    verdicts = study.tables["verdicts"]
    assert (verdicts["verdict"] == "equal").all()
    assert "No difference between A and B in who wins is clear of chance" in study.words[1]
    few = analyzer.compare("dice_race", 2, n=20, policy="gambler", policy_b="random", tolerance=0.02, jobs=1)
    assert (few.tables["verdicts"]["verdict"] == "too few games to tell").all()
    assert few.tables["verdicts"]["games_needed"].max() > 20


# ---------------------------------------------------------------- the sequential test


def test_a_sequential_test_stops_early_and_plays_the_same_games() -> None:
    asked: dict[str, Any] = {
        "players": 2,
        "policy": "gambler",
        "policy_b": "random",
        "one_seat": True,
        "jobs": 1,
    }
    whole = analyzer.compare("dice_race", n=100_000, sprt="0%,3%", **asked)
    assert whole.n < 50_000
    test = whole.tables["test"]
    assert test["says"].iloc[-1] == "+3 points"
    assert (test["says"].iloc[:-1] == "go on").all()
    assert "rather +3 than 0 points" in whole.words[1]
    decided, played = (
        int(test["games"].iloc[-1]),
        whole.tables["differences"]["n"].iloc[0] * 2,
    )  # a deal twice
    assert decided <= played < 2 * decided + compare.FIRST  # little more is played than told, and it is told
    assert (f"after {decided:,} games a side, {played:,} played" in whole.words[1]) == (played > decided)
    assert [chart.name for chart in whole.charts][-1] == "sequential_test"
    fixed = analyzer.compare("dice_race", n=played, **asked)
    found, once = row(whole, "gambler → random"), row(fixed, "gambler → random")
    assert found["difference"] == once["difference"]
    assert found["difference low"] < once["difference low"]  # it holds at every look


def test_looks_come_after_fixed_numbers_of_units_however_they_come_in() -> None:
    from analyzer.studies.pairing import Sums

    rng = np.random.default_rng(3)
    a, b = (rng.random((2, 1000)) < 0.5 for _ in range(2))
    whole, pieces = Sums(1, 64), Sums(1, 64)
    whole.add(a.astype(float), b.astype(float))
    for part in np.array_split(np.arange(1000), [1, 63, 64, 200, 456]):
        pieces.add(a[:, part].astype(float), b[:, part].astype(float))
    assert whole.looks == pieces.looks
    assert [n for n, _, _ in whole.looks] == list(range(64, 1001, 64))
    gap = (b.astype(float) - a)[1, :128]
    assert whole.looks[1] == (128, gap.sum(), (gap**2).sum())


# ---------------------------------------------------------------- four games, and what they are asked


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("moscow", {"n": 60, "set_b": ["moscow_strength=14"], "policies": ["balanced", "racer"], "players": 4}),
    ("eastfront", {"n": 40, "policy": "builder", "policy_b": "raider", "one_seat": True, "players": 3}),
    ("undaunted", {"n": 20, "policy": "greedy", "policy_b": "rush", "tolerance": "2%"}),
    ("kraskar", {"n": 40, "policy": "siege", "policy_b": "defender", "one_seat": True}),
]


@pytest.mark.parametrize(("game", "asked"), GAMES, ids=[game for game, _ in GAMES])
def test_it_works_for_every_game(game: str, asked: dict[str, Any], tmp_path: Path) -> None:
    study = analyzer.compare(game, jobs=1, **asked)
    page = study.write(tmp_path, plots=False)
    assert study.words[1][:40] in page.read_text().replace("&#39;", "'")
    frame = study.tables["differences"]
    assert NOBODY in frame["wins"].tolist()
    known = frame["difference low"].notna()
    assert (frame["difference low"][known] <= frame["difference"][known] + 1e-12).all()
    assert "on the same luck" in study.words[0]


def test_the_page_has_its_charts(tmp_path: Path) -> None:
    study = analyzer.compare("dice_race", policy="gambler", set_b={"goal": 25}, **TOY)
    page = study.write(tmp_path).read_text()
    assert page.count("<svg") == 2
    assert {path.name for path in (tmp_path / "plots").iterdir()} >= {"differences.png", "both_sides.png"}
    with pytest.raises(UserError, match="holds another"):
        analyzer.compare("dice_race", policy="gambler", set_b={"goal": 26}, **TOY).write(tmp_path)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "A and B are the same"),
        ({"set_b": ["moscow_strenght=14"]}, "moscow_strength"),
        ({"policy_b": "racr"}, "Did you mean 'racer'"),
        ({"policy_b": "racer", "measure": "saet 1"}, "Did you mean 'seat 1'"),
        ({"one_seat": True, "set_b": ["moscow_strength=14"]}, "one_seat needs one policy"),
        ({"policy_b": "racer", "sprt": "1%"}, "two bounds"),
        ({"policy_b": "racer", "sprt": "1%,1%"}, "must differ"),
        ({"policy_b": "racer", "sprt": "0%,1%", "tolerance": "2%"}, "not both"),
        ({"policy_b": "racer", "tolerance": "2"}, "2% or 0.02"),
        ({"players": "2-3", "policy_b": "racer"}, "Which of these 2 settings"),
        ({"policy_b": "racer", "scenario_b": "1"}, "scenario"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)) as error:
        analyzer.compare("moscow", n=10, jobs=1, **asked)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- the command line


def analyze(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "analyzer.cli", *words],
        cwd=cwd, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_line(tmp_path: Path) -> None:
    words = [
        "compare",
        "moscow",
        "--n",
        "40",
        "--players",
        "2",
        "--set-b",
        "moscow_strength=14",
        "--no-plots",
    ]
    told = analyze(*words, "--jobs", "1", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "n: pairs of games, of A and of B." in " ".join(
        told.stdout.split()
    )  # what is hidden there is not explained
    assert "B: moscow_strength = 14" in told.stdout
    folders = list((tmp_path / "reports").iterdir())
    assert [folder.name[:15] for folder in folders] == ["compare-moscow-"]
    record = analyze(*words, "--tolerance", "2%", "--json", "--out", "there", cwd=tmp_path)
    found = json.loads(record.stdout)
    assert found["meta"]["seed"] == 1
    assert found["meta"]["asked"]["tolerance"] == 0.02
    assert {"differences", "lengths", "verdicts", "balance"} <= set(found["tables"])
    assert found["tables"]["balance"][0]["verdict"] in ("balanced", "unbalanced", "too few games to tell")
    assert (tmp_path / "there" / "study.json").is_file()
    wrong = analyze(*words, "--policy-b", "racr", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.count("\n") == 1
    help_ = analyze("compare", "undaunted", "--help", cwd=tmp_path).stdout
    assert "--scenario-b" in help_
    assert "analyze compare moscow --set-b moscow_strength=14" in help_


def test_the_question_of_two_requests_needs_one_luck() -> None:
    a = build("dice_race", 2, 40, "random", config=toy_config())
    for other in ({"n": 41}, {"seed": 2}):
        more: dict[str, Any] = {"n": 40, **other}
        with pytest.raises(UserError, match="same luck"):
            compare.asked(a, build("dice_race", 2, policy="gambler", config=toy_config(), **more))


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("compare moscow --set-b moscow_strenght=14", "--set-b"),
        ("compare moscow --set moscow_strenght=14 --set-b die_sides=8", "--set"),
        ("compare moscow --set-b moscow_strength", "--set-b"),
        ("sweep moscow --over moscow_strenght=13:15:1", "--over"),
        ("run moscow --set moscow_strenght=14", "--set"),
    ],
)
def test_a_wrong_setting_is_told_by_the_option_it_came_with(words: str, option: str, tmp_path: Path) -> None:
    from tests.studies.conftest import analyze as in_process

    found = in_process(*words.split())
    assert found.exit_code == 2
    assert found.output.startswith(f"Error: {option}{',' if 'strenght' in words else ':'}")
    assert found.output.count("\n") == 1
    with pytest.raises(UserError, match=r"^set_b, key"):
        analyzer.compare("moscow", set_b={"moscow_strenght": 14}, n=10)


def test_both_sides_have_intervals_that_are_those_of_their_games() -> None:
    study = analyzer.compare("dice_race", policy="gambler", set_b={"goal": 25}, **TOY)
    games = runner.run(build("dice_race", 3, 600, "gambler", block=128, config=toy_config()), jobs=1).games
    won = outcomes.credits(games, 3)[0]
    expected = intervals.wilson(won.sum(), 600)
    found = row(study, "seat 1")
    assert [found[name] for name in ("A", "A low", "A high")] == pytest.approx([float(x) for x in expected])
    for name in ("differences", "lengths"):
        frame = study.tables[name]
        assert (frame["A low"] <= frame["A"]).all()
        assert (frame["B"] <= frame["B high"]).all()
        assert (frame["n"] == 600).all()
    rounds, mean = row(study, "rounds", "lengths"), games["rounds"].mean()
    assert rounds["A"] == pytest.approx(mean)
    assert rounds["A low"] < mean < rounds["A high"]
