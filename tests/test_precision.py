"""A run until a precision: the games of a run with that n, looks at fixed numbers, intervals that hold."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import analyzer
from analyzer.cli import main
from analyzer.errors import UserError
from analyzer.report import notes
from analyzer.sim import crew, precision, rates, runner
from analyzer.sim.results import Results
from analyzer.stats import sequence
from tests.test_resume import left_by, stop_after

SEATS = ["random", "gambler", "gambler:patience=6"]


@pytest.fixture(autouse=True)
def _known(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "REPEATS", 500)


def until(half: float = 0.04, **more: Any) -> Results:
    asked: dict[str, Any] = {"policies": SEATS, "block": 400, "max_n": 20_000, "jobs": 1, **more}
    found = analyzer.run("dice_race", precision=half, **asked)
    assert isinstance(found, Results)
    return found


@pytest.mark.parametrize("duplicate", [False, True])
def test_it_stops_where_the_widest_interval_is_narrow_enough(duplicate: bool) -> None:
    results = until(duplicate=duplicate)
    assert results.widest() <= 0.04
    assert 500 < results.n < 5000
    assert results.meta["precision"]["looks"] > 1
    assert results.n % 3 == 0  # looks come after whole rounds of the seatings


def test_a_coarse_goal_needs_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look comes early, and none after more than twice the games of the one before."""
    seen: list[int] = []
    really = precision.runner.run

    def run(request: Any, *more: Any) -> Results:
        seen.append(request.n)
        return really(request, *more)

    monkeypatch.setattr(runner, "run", run)
    assert until(0.09).n == seen[-1] == 501
    seen.clear()
    fine = until(0.02)
    assert seen[0] == 501
    assert len(seen) == fine.meta["precision"]["looks"] > 3
    assert all(a < b <= 2 * a for a, b in itertools.pairwise(seen))
    needed = fine.n * (fine.widest() / 0.02) ** 2
    assert fine.n < 1.15 * needed


@pytest.mark.parametrize("blocks", [1, 2, 3, 5, 8])
def test_a_stopped_run_goes_on_to_its_precision(
    blocks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `resume`, as by the same call again."""
    whole = until(0.02, out=tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(blocks))
        with pytest.raises(runner.Interrupted) as caught:
            until(0.02, out=tmp_path / "x")
    kept = caught.value.results
    assert kept is not None
    assert 0 < kept.n < whole.n
    results = analyzer.resume(tmp_path / "x", jobs=1)
    assert isinstance(results, Results)
    assert (results.n, results.widest()) == (whole.n, whole.widest())
    found, expected = left_by(tmp_path / "x"), left_by(tmp_path / "whole")
    for one in (found, expected):
        del one["run.json"]["precision"]["looks"]
    assert found == expected
    again = analyzer.resume(tmp_path / "x", jobs=1)
    assert isinstance(again, Results)
    assert again.n == again.kept == whole.n  # nothing is left to do
    more = analyzer.resume(tmp_path / "x", n=whole.n + 900, jobs=1)
    assert isinstance(more, Results)
    assert more.n == whole.n + 900


def test_the_most_games_of_a_stopped_run_are_heeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(crew, "play_block", stop_after(2))
        with pytest.raises(runner.Interrupted):
            until(0.001, out=tmp_path / "x", max_n=2100)
    results = analyzer.resume(tmp_path / "x", jobs=1)
    assert isinstance(results, Results)
    assert results.n == 2100


def test_the_games_are_those_of_a_run_with_that_n(tmp_path: Path) -> None:
    results = until(out=tmp_path / "a")
    plain = analyzer.run("dice_race", policies=SEATS, block=400, n=results.n, jobs=1)
    assert plain.games.equals(results.games.sort_values("game").reset_index(drop=True))
    assert results.win_rates()["win_rate"].to_list() == pytest.approx(plain.win_rates()["win_rate"].to_list())
    wider = results.win_rates()["high"] - results.win_rates()["low"]
    assert (wider > plain.win_rates()["high"] - plain.win_rates()["low"]).all()
    assert Results.load(tmp_path / "a").win_rates().equals(results.win_rates())


def test_jobs_and_a_folder_that_has_some_of_the_games_change_nothing(tmp_path: Path) -> None:
    one, two = until(out=tmp_path / "1"), until(out=tmp_path / "2", jobs=2)
    assert one.n == two.n
    assert one.win_rates("policy").equals(two.win_rates("policy"))
    assert one.kept == 0
    again = until(out=tmp_path / "1", progress=None)
    assert again.kept == again.n == one.n
    finer = until(0.03, out=tmp_path / "1")
    assert finer.n > one.n
    assert finer.win_rates()["win_rate"].equals(until(0.03).win_rates()["win_rate"])


def test_max_n_ends_it_and_it_says_so() -> None:
    results = until(0.001, max_n=1600)
    assert results.n == 1599  # whole rounds of three seatings
    told = notes.notes(results, {})[0].replace("\xa0", " ")
    assert "±0.10 points was not reached with 1,599 games" in told
    assert results.widest() < 0.05  # the intervals are narrowest where the run ends


def test_games_that_repeat_each_other_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If only 20 games differ, more of the same bring no precision."""
    monkeypatch.setattr(Results, "distinct", 20)
    results = until()
    assert (results.n, results.meta["precision"]["looks"]) == (1002, 2)
    assert notes.notes(results, {})[0].startswith("Only 20 games differ")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"precision": "3"}, "0.5%|50%"),
        ({"precision": "half"}, "written 2% or 0.02"),
        ({"max_n": 100}, "give precision, too"),
        ({"precision": 0.01, "players": "2-3"}, "one setting"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        analyzer.run("moscow", **asked)


def test_the_command_line(tmp_path: Path) -> None:
    words = ["run", "moscow", "--players", "2", "--no-plots", "--jobs", "1", "--out", str(tmp_path / "out")]
    told = CliRunner().invoke(main, [*words, "--precision", "9%", "--max-n", "1000"])
    assert told.exit_code == 0, told.output
    assert "Played until every win rate was known to ±9.00" in told.output.replace("\n", " ")
    for more in (["--precision", "1%", "--n", "10"], ["--max-n", "10"], ["--precision", "x"]):
        wrong = CliRunner().invoke(main, [*words, *more])
        assert wrong.exit_code == 2
        assert wrong.output.count("\n") == 1


# ---------------------------------------------------------------- the intervals hold at every look


def results_of(total: np.ndarray, n: int, plan: int) -> Results:
    """Results with these wins [rotation, seat] of n games in each rotation."""
    rotations = [["a", "b"], ["b", "a"]]
    rows = [(r, s + 1, 1, int(total[r, s])) for r in range(2) for s in range(2)]
    tallies = {
        "games": pd.DataFrame({"rotation": [0, 1], "n": [n, n]}),
        "shares": pd.DataFrame(rows, columns=["rotation", "seat", "winners", "n"]),
    }
    meta = {"game": "dice_race", "players": 2, "policies": ["a", "b"], "rotations": rotations, "seed": 1,
            "n": 2 * n, "precision": {"half": 0.05, "plan": plan, "looks": 1}}  # fmt: skip
    return Results(meta, tallies)


def test_intervals_hold_at_every_look_though_seatings_differ() -> None:
    """150 runs of two seatings with quite different chances, a fifth of the games won by nobody; 8 looks
    each.

    At most 5 % may ever exclude the truth: 7.5 of 150, 15 with Monte Carlo error (3 standard errors).
    """
    rng = np.random.default_rng(5)
    chance = np.array([[0.7, 0.1], [0.2, 0.6]])  # [rotation, seat]; policy a sits in seats 1 and 2 by turns
    cells = np.eye(2, dtype=bool)
    truth = np.array([(0.7 + 0.6) / 2, 0.65 - 0.4])  # win rate and edge of a
    missed = np.zeros(2)
    looks = np.unique(np.geomspace(20, 3000, 8).astype(int))
    for _ in range(150):
        wins, before, out = np.zeros((2, 2)), 0, np.zeros(2, bool)
        for n in looks:
            for r in range(2):
                wins[r] += rng.multinomial(n - before, [*chance[r], 1 - chance[r].sum()])[:2]
            before = n
            found = rates.of(results_of(wins, int(n), 1000), cells, 0.95)
            out |= [not one.low <= true <= one.high for one, true in zip(found, truth, strict=True)]
        missed += out
    assert (missed <= 15).all()


def test_an_ordinary_interval_would_not_hold_at_every_look() -> None:
    """The negative control: the same looks with Wilson's interval err far more often than 5 %."""
    from analyzer.stats import intervals

    rng = np.random.default_rng(6)
    looks = np.unique(np.geomspace(20, 4000, 12).astype(int))
    wins = np.cumsum(rng.random((1000, 4000)) < 0.5, axis=1)[:, looks - 1]
    once = intervals.wilson(wins, looks)
    lasting = sequence.exact(looks, wins, plan=2000)
    for found, most, least in ((once, 1.0, 0.15), (lasting, 0.07, 0.0)):
        ever = ((found.low > 0.5) | (found.high < 0.5)).any(axis=1).mean()
        assert least <= ever <= most
