"""Panels: verdicts that hold, flip or cannot be told under other policies; text and mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.studies import panel

SLOW = [pytest.param(one, marks=pytest.mark.slow) for one in ("kraskar", "moscow", "undaunted")]
REAL = ["eastfront", *SLOW]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def analyze(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def invented(*rates: float, n: int = 20_000, tolerance: float = 0.02) -> panel.Panel:
    """Members under which seat 1 of two wins these shares."""
    names = tuple(f"p{i}" for i in range(len(rates)))
    sums = []
    for rate in rates:
        won = np.array([rate, 1 - rate]) * n
        sums.append([won, won, np.full(2, n), np.full(2, n)])
    return panel.Panel(panel.Members(names, (), tolerance), ("seat 1", "seat 2"), np.array(sums), [], 1.0)


def test_verdicts_hold_flip_or_cannot_be_told() -> None:
    found = invented(0.55, 0.56, 0.44, 0.5, 0.51, n=6000)
    assert found.tally(0) == {"holds": ["p1"], "flips": ["p2", "p3"], "unclear": ["p4"]}
    assert [found.said(i, 0) for i in range(5)] == [
        "favoured", "favoured", "at a disadvantage", "balanced", "too few games to tell"
    ]  # fmt: skip
    assert invented(0.5, 0.501).tally(0)["holds"] == ["p1"]
    assert invented(0.5, 0.501, n=200).tally(0)["unclear"] == ["p1"]


def test_a_tolerance_is_told_against_the_fair_share() -> None:
    """Where hardly anybody wins everything lies within two points of fair; the text says so."""
    found = invented(0.55, 0.5, n=6000)
    sums = found.sums.copy()
    sums[1, :3] /= 1000  # under p1 one game in a thousand has a winner
    rare = panel.Panel(_members(found, 2), found.seats, sums, [[], []], 1.0)
    assert rare.said(1, 0) == "balanced"
    assert rare.tables()["members"]["fair_share"].tolist() == pytest.approx([0.5, 0.0005])
    told = " ".join(rare.words())
    assert "2.0\xa0points is more than a third of the fair share under p1 (0.1\xa0%)" in told
    assert "(+5.0 points from fair, +" in told  # with sign and interval
    fair = panel.Panel(_members(found, 2), found.seats, found.sums, [[], []], 1.0)
    assert "a third" not in " ".join(fair.words())


def test_a_policy_without_a_verdict_has_none_that_flips() -> None:
    few = invented(0.51, 0.56, n=6000)
    told = panel.Panel(_members(few, 2), few.seats, few.sums, [[], []], 1.0)
    assert told.words()[1] == "p0 itself has no verdict with this many games, so none can hold or flip."
    needed = told.tables()["members"]["games needed"][0]
    digits = needed.removeprefix("about ").replace(",", "")
    assert len(digits.rstrip("0")) <= 2  # a guess, as everywhere


def _members(found: panel.Panel, many: int) -> panel.Members:
    from analyzer.sim.request import build

    request = build("moscow", 2, 10, "balanced")
    return panel.Members(found.asked.names, (request,) * many, found.asked.tolerance)


def test_numbers_and_their_halves_have_as_many_decimals() -> None:
    from analyzer.studies.outcomes import Outcome

    def told(kind: Any, value: float, half: float) -> str:
        return panel._with_half(Outcome("x", "x", kind, value, value - half, value + half))

    assert told("number", 119.2, 0.29) == "119.2 ±0.3"
    assert told("number", 50.0, 0.0) == "50.0 ±0.0"
    assert told("number", 1.5, 0.25) == "1.50 ±0.25"
    assert told("share", 0.004, 0.002) == "0.40\xa0% ±0.20"


def test_where_the_first_verdict_is_not_told_those_of_the_others_are() -> None:
    """Whether it holds is unclear then, which is not to say that the others cannot be told."""
    found = invented(0.51, 0.5, 0.56, n=6000)
    assert found.tally(0)["unclear"] == ["p1", "p2"]
    assert [found.said(i, 0) for i in range(3)] == ["too few games to tell", "balanced", "favoured"]
    said = found._sentence(0)
    assert said.endswith("so it is not told whether it holds under p1 (balanced) and p2 (favoured)")
    assert "cannot be told" not in said
    assert "cannot be told under p1" in invented(0.55, 0.51, n=6000)._sentence(0)


def test_equal_members_are_rarely_said_to_flip() -> None:
    rng = np.random.default_rng(2)
    wrong = sum(
        bool(invented(*(rng.binomial(20_000, 0.535, 4) / 20_000)).tally(0)["flips"]) for _ in range(200)
    )
    assert wrong == 0  # both seats would have to be shown favoured and balanced


def test_one_policy_in_all_seats_is_the_same_run(dice_race: str) -> None:
    asked = panel.members(dice_race, "random", 2, 200, "gambler", seed=5)
    found = panel.play(asked, jobs=1)
    for member, name in enumerate(("gambler", "random")):
        alone = analyzer.run(dice_race, 2, 200, policy=name, seed=5, jobs=1)
        assert found.verdicts.value[member, 0] == pytest.approx(alone.win_rates()["edge"][0])
    assert found.asked.names == ("gambler", "random")


def test_a_side_with_a_load_loses_whoever_plays(dice_race: str) -> None:
    study = analyzer.panel(
        dice_race, "random,gambler:patience=0", 2, 600, "gambler", loads="chest:nothing", jobs=1
    )
    assert study.words[1] == "Every verdict of gambler holds, whoever plays."
    row = study.tables["verdicts"].iloc[0]
    assert row["under gambler"] == "at a disadvantage"
    assert row["holds"] == "random, gambler:patience=0"


def test_the_number_of_processes_changes_nothing(dice_race: str) -> None:
    one, two = (analyzer.panel(dice_race, players=3, n=60, jobs=jobs) for jobs in (1, 2))
    assert all(frame.equals(two.tables[name]) for name, frame in one.tables.items())
    assert one.words == two.words


def test_the_command_prints_verdicts_and_writes_a_page(dice_race: str) -> None:
    words = ["panel", dice_race, "--players", "3", "--n", "80", "--jobs", "1"]
    told = analyze(*words, "--out", "out")
    assert told.exit_code == 0, told.output
    assert "Verdicts over the panel" in told.output
    assert Path("out/plots/panel.png").is_file()
    record = json.loads(analyze(*words, "--no-plots", "--json").output)
    assert len(record["tables"]["members"]) == 6


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--tolerance", "0"], "from 0.01% to 50%"),
        (["--tolerance", "much"], "must be a share"),
        (["--policy", "gambler", "--policies", "gambler"], "beside the one"),
        (["--policies", "gambla"], "Did you mean 'gambler'?"),
        (["--players", "2-3"], "Which of these 2 settings?"),
    ],
)
def test_mistakes_are_told_in_one_line(dice_race: str, words: list[str], text: str) -> None:
    told = analyze("panel", dice_race, *words)
    assert told.exit_code == 2
    assert text in told.output
    assert len(told.output.strip().splitlines()) == 1


def test_a_lone_player_has_no_share_to_be_fair_about() -> None:
    told = analyze("panel", "moscow", "--players", "1")
    assert told.exit_code == 2
    assert "--players must be 2" in told.output


@pytest.mark.parametrize("game", REAL)
def test_every_game_has_panels(game: str) -> None:
    study = analyzer.panel(game, "random", 2, 8, jobs=1)
    assert len(study.tables["verdicts"]) == 1
    assert study.write("out", plots=False).is_file()
