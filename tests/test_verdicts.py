"""Verdicts of balance: three words, corrected for the number of claims, for runs, series, page and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import analyzer
from analyzer import report
from analyzer.cli import main
from analyzer.errors import UserError
from analyzer.series import Series
from analyzer.sim.results import Results
from analyzer.stats import equivalence

WORDS = {"balanced", "unbalanced", "too few games to tell"}


def results_of(wins: list[int], n: int) -> Results:
    """Results of one policy in all seats, whole wins by seat."""
    rows = [(0, seat, 1, count) for seat, count in enumerate(wins, 1)]
    tallies = {
        "games": pd.DataFrame({"rotation": [0], "n": [n]}),
        "shares": pd.DataFrame(rows, columns=["rotation", "seat", "winners", "n"]),
    }
    seats = ["a"] * len(wins)
    meta = {
        "game": "moscow",
        "players": len(wins),
        "policies": seats,
        "rotations": [seats],
        "seed": 1,
        "n": n,
    }
    return Results(meta, tallies)


def verdicts(wins: list[int], n: int, tolerance: float = 0.02) -> list[str]:
    return list(results_of(wins, n).verdicts(tolerance)["verdict"])


def test_the_three_verdicts() -> None:
    assert verdicts([25_000] * 4, 100_000) == ["balanced"] * 4
    assert verdicts([30_000, 20_000], 50_000) == ["unbalanced"] * 2
    assert verdicts([52, 48], 100) == ["too few games to tell"] * 2
    assert verdicts([6, 4], 10) == ["too few games to tell"] * 2


def test_verdicts_are_those_of_the_statistics_corrected_for_all_claims() -> None:
    results = results_of([5_100, 4_900], 10_000)
    expected = equivalence.rate([5_100, 4_900], 10_000, 0.5, 0.02)
    frame = results.verdicts(0.02)
    assert list(frame["verdict"]) == list(expected.verdict)
    np.testing.assert_allclose(frame["edge_low"], expected.low)
    assert frame.attrs["claims"] == 2
    assert "2 claims" in frame.attrs["about"]


def test_how_many_games_are_needed_is_told_and_is_enough() -> None:
    frame = results_of([2_032, 1_968], 4_000).verdicts(0.02)
    assert list(frame["verdict"]) == ["too few games to tell"] * 2
    needed = frame["games_needed"].max()
    assert 4_000 < needed < 100_000
    grown = int(needed)
    assert verdicts([round(0.508 * grown), grown - round(0.508 * grown)], grown) == ["balanced"] * 2


def test_the_chance_of_a_false_verdict_is_that_promised() -> None:
    """2,000 fair runs with 4 seats: hardly any may be called unbalanced; with a true edge of just the
    tolerance hardly any balanced. 5 % of 2,000 are 100, 139 with Monte Carlo error (4 standard errors)."""
    rng = np.random.default_rng(7)
    fair = rng.multinomial(3_000, [0.25] * 4, size=2_000)
    uneven = rng.multinomial(3_000, [0.27, 0.25, 0.24, 0.24], size=2_000)
    false = equivalence.rate(fair, 3_000, 0.25, 0.02, claims=4).verdict == equivalence.UNBALANCED
    assert false.any(axis=1).sum() <= 139
    wrong = equivalence.rate(uneven, 3_000, 0.25, 0.02, claims=4).verdict[:, 0] == equivalence.BALANCED
    assert wrong.sum() <= 139


def test_games_of_which_hardly_any_differ_give_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Results, "distinct", 20)
    for wins in ([500, 500], [900, 100]):
        assert verdicts(wins, 1000) == ["too few games to tell"] * 2


def test_seats_and_policies_are_claims_of_every_game_with_duplicates_too() -> None:
    for game, names in (("moscow", ["balanced", "racer"]), ("undaunted", ["greedy", "rush"])):
        for duplicate in (False, True):
            results = analyzer.run(game, 2, 40, names, duplicate=duplicate, jobs=1)
            frame = results.verdicts("5%")
            assert list(frame["claim"]) == [*results.seats, *(f"policy {name}" for name in names)]
            assert set(frame["verdict"]) <= WORDS
            edges = pd.concat([results.win_rates(by)["edge"] for by in ("seat", "policy")])
            np.testing.assert_allclose(frame["edge"], edges, atol=1e-9)


def test_a_series_judges_all_its_settings_together(tmp_path: Path) -> None:
    series = analyzer.run("moscow", players=[2, 3], n=60, jobs=1)
    assert isinstance(series, Series)
    frame = series.verdicts(0.02)
    assert list(frame["setting"]) == ["2 players"] * 2 + ["3 players"] * 3
    assert frame.attrs["claims"] == 5
    found = report.of_series(series, {}, 0.02)
    assert found.tables["verdicts"].equals(frame)
    assert any("5 claims judged together" in one for one in found.words)


def test_terminal_page_and_json_tell_them(tmp_path: Path) -> None:
    words = ["run", "moscow", "--players", "2", "--n", "60", "--no-plots", "--jobs", "1", "--tolerance", "2%"]
    told = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "out")])
    assert told.exit_code == 0, told.output
    assert "Verdicts with a tolerance of 2 points" in told.output
    page = (tmp_path / "out" / "report.html").read_text()
    assert "too few games to tell" in page
    assert "Is it balanced?" in page
    record = CliRunner().invoke(main, [*words, "--json", "--out", str(tmp_path / "out")])
    rows: list[dict[str, Any]] = json.loads(record.output)["tables"]["verdicts"]
    assert {row["verdict"] for row in rows} <= WORDS
    assert rows[0]["games_needed"] > 60
    plain = CliRunner().invoke(main, [*words[:-2], "--out", str(tmp_path / "out")])
    assert "Verdicts" not in plain.output


@pytest.mark.parametrize("wrong", ["2", "-1%", "0", "60%", "two"])
def test_a_wrong_tolerance_is_a_mistake_of_the_user(wrong: str) -> None:
    with pytest.raises(UserError, match=r"2% or 0\.02"):
        results_of([1, 1], 2).verdicts(wrong)  # type: ignore[arg-type]
    told = CliRunner().invoke(main, ["run", "moscow", "--n", "2", "--tolerance", wrong])
    assert (told.exit_code, told.output.count("\n")) == (2, 1)
