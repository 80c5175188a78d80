"""A game may name its seats; tables and sentences of every study then have these names, and no numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import analyzer
from analyzer import seats
from analyzer.report.build import Report
from analyzer.sim.results import Results
from analyzer.studies.study import Study
from tests.studies.conftest import analyze, asked

NUMBERED = re.compile(r"seat \d", re.IGNORECASE)


@pytest.fixture
def named_race(dice_race: str, named_seats: Callable[..., None]) -> str:
    """The race with names for two seats: North, South."""
    named_seats("North", "South")
    return dice_race


def all_that_is_said(found: Study | Report) -> str:
    """Words, tables and charts' findings of a study."""
    frames = found.tables.values()
    told = [*found.words, *(f"{frame.to_csv()} {frame.attrs.get('about', '')}" for frame in frames)]
    return "\n".join([*told, *(f"{chart.finding} {chart.note}" for chart in found.charts)])


STUDIES: dict[str, Callable[[str], Any]] = {
    "compare": lambda game: analyzer.compare(
        game, 2, n=80, jobs=1, set_b=["load_1=Big Trunk"], tolerance=0.02
    ),
    "one seat": lambda game: analyzer.compare(
        game, 2, n=80, jobs=1, policy="random", policy_b="gambler", one_seat=True
    ),
    "tournament": lambda game: analyzer.tournament(game, players=2, n=60, jobs=1, set=["load_1=Big Trunk"]),
    "sweep": lambda game: analyzer.sweep(game, {"rounds": [10, 20]}, players=2, n=60, jobs=1),
    "panel": lambda game: analyzer.panel(game, players=2, n=60, jobs=1, set=["load_1=Big Trunk"]),
    "luck": lambda game: analyzer.luck(game, players=2, n=200, jobs=1),
    "story": lambda game: analyzer.story(game, players=2, n=100, jobs=1),
    "cards": lambda game: analyzer.cards(game, players=2, n=60, jobs=1),
}


@pytest.mark.parametrize("study", STUDIES)
def test_no_study_numbers_a_seat_that_has_a_name(study: str, named_race: str) -> None:
    said = all_that_is_said(STUDIES[study](named_race))
    assert not NUMBERED.search(said), NUMBERED.search(said)
    if study not in ("luck",):  # it does not tell seats apart
        assert "North" in said


def test_without_names_seats_are_numbered(dice_race: str) -> None:
    assert seats.names("dice_race", 3) == ("seat 1", "seat 2", "seat 3")
    assert "seat 1" in all_that_is_said(STUDIES["compare"](dice_race))
    assert seats.names("a game of long ago", 1) == ("seat 1",)


def test_names_are_for_as_many_seats_as_they_are(named_race: str) -> None:
    assert seats.names(named_race, 2) == ("North", "South")
    assert seats.names(named_race, 1) == ("North",)
    assert seats.names(named_race, 3) == ("seat 1", "seat 2", "seat 3")


def test_a_run_of_a_game_with_sides_says_the_sides_as_its_tables_do() -> None:
    results = analyzer.run("undaunted", n=40, jobs=1, policies="block,random", set=["round_limit=4"],
                           tolerance=0.02, duplicate=True)  # fmt: skip
    assert isinstance(results, Results)
    assert results.seats == ("US", "DE")
    assert list(results.verdicts()["claim"]) == ["US", "DE", "policy block", "policy random"]
    report = Report(results)
    said = all_that_is_said(report)
    assert not NUMBERED.search(said), NUMBERED.search(said)


def test_the_main_row_may_be_named_either_way() -> None:
    for name in ("US", "seat 1"):
        found = analyze("compare", "undaunted", "--n", "4", "--set-b", "round_limit=2", "--measure", name,
                        "--jobs", "1", "--json")  # fmt: skip
        assert found.exit_code == 0, found.output
        assert '"measure": "US"' in found.output
    wrong = analyze("compare", "undaunted", "--n", "4", "--set-b", "round_limit=2", "--measure", "UK")
    assert "Known: DE, US, nobody wins" in wrong.output
    assert asked("undaunted", 4).seats == ("US", "DE")
