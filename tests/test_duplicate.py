"""Duplicate deals: the same luck in all rotations, intervals that rest on deals, and nothing else changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.sim import outcomes, runner
from analyzer.sim.request import Request, build
from analyzer.sim.results import Results
from analyzer.stats import paired
from tests.toy.config import toy_config

SEATS = ["random", "gambler", "gambler:patience=6"]
TWINS = ["gambler", "gambler:noise=0.000001"]  # two names of one way to play


def request(n: int = 900, block: int = 128, seats: Any = SEATS, **more: Any) -> Request:
    more = {"duplicate": True, **more}
    return build("dice_race", len(seats), n, list(seats), block=block, config=toy_config(), **more)


@pytest.fixture(autouse=True)
def _known(dice_race: str) -> None:
    """The dice race is a game of these tests."""


def test_a_deal_is_the_same_in_all_rotations() -> None:
    """Who plays alike under several names ends alike in every rotation; without duplicates it does not."""
    same = runner.run(request(600, 64, TWINS), jobs=1).games["winner"].to_numpy().reshape(-1, 2)
    assert (same[:, 0] == same[:, 1]).all()
    other = runner.run(request(600, 64, TWINS, duplicate=False), jobs=1).games
    apart = other["winner"].to_numpy().reshape(-1, 2)
    assert (apart[:, 0] != apart[:, 1]).mean() > 0.2


def test_without_it_a_run_keeps_its_key_and_one_rotation_has_nothing_to_share() -> None:
    plain, shared = request(duplicate=False), request()
    assert "duplicate" not in plain.identity
    assert plain.key != shared.key
    alone = request(seats=["gambler"] * 3)
    assert alone.key == replace(alone, duplicate=False).key
    assert not alone.shares_luck


def test_n_is_raised_to_whole_deals() -> None:
    assert request(100).n == 102
    assert request(100, duplicate=False).n == 100


def test_jobs_and_blocks_written_in_pieces_change_nothing(tmp_path: Path) -> None:
    one = runner.run(request(), tmp_path / "1", 1)
    two = runner.run(request(), tmp_path / "2", 2)
    assert one.games.sort_values("game").equals(two.games.sort_values("game"))
    assert one.win_rates("policy").equals(two.win_rates("policy"))
    again = Results.load(tmp_path / "1")
    assert again.duplicate
    assert again.win_rates("policy").equals(one.win_rates("policy"))


def test_a_replayed_game_is_the_game_of_the_run() -> None:
    games = analyzer.run(
        "moscow", n=8, policies=["balanced", "racer"], players=2, duplicate=True, jobs=1
    ).games
    for index in (0, 1, 5):
        told = analyzer.replay("moscow", 2, ["balanced", "racer"], duplicate=True, game_index=index)
        assert told.outcome["turns"] == games["turns"][index]
        assert told.outcome["winner"] == games["winner"][index]


@pytest.mark.parametrize("kept", ["memory", "folder"])
def test_intervals_rest_on_deals(kept: str, tmp_path: Path) -> None:
    """Against the formula on single games, over several chunks of blocks."""
    results = runner.run(request(1500), tmp_path if kept == "folder" else None, jobs=1)
    games = results.games.sort_values("game")
    credit = outcomes.credits(games, 3).reshape(3, -1, 3)  # [seat, deal, rotation]
    seats = paired.duplicate(paired.Clusters.of(credit.transpose(0, 2, 1)), step=1.0)
    frame = results.win_rates("seat")
    np.testing.assert_allclose(frame["win_rate"], seats.value)
    np.testing.assert_allclose(frame["low"], np.clip(seats.low, 0, 1))
    np.testing.assert_allclose(frame["high"], np.clip(seats.high, 0, 1))
    own = np.stack([credit[(0 - r) % 3, :, r] for r in range(3)])  # of the first policy, [rotation, deal]
    first = paired.duplicate(paired.Clusters.of(own), step=1.0)
    row = results.win_rates("policy").iloc[0]
    assert row["low"] == pytest.approx(float(first.low))
    assert row["high"] == pytest.approx(float(first.high))
    gains = results.duplicate_gains().set_index("of")["variance_ratio"]
    assert gains["policy random"] == pytest.approx(float(first.factor))
    some = credit.sum(axis=0).mean(axis=1)
    assert results.nobody().rate == pytest.approx(1 - some.mean())


def test_deals_that_lack_a_rotation_are_left_out() -> None:
    whole = runner.run(request(300), jobs=1)
    games = whole.games[whole.games["game"] != 4]
    part = Results(whole.meta, whole.tallies, games=games)
    assert part.moments.n == 99
    assert whole.moments.n == 100


def test_shared_wins_count_as_the_tallies_count_them() -> None:
    names = list(analyzer.policies("eastfront"))[:4]
    results = analyzer.run("eastfront", n=120, policies=names, duplicate=True, jobs=1)
    assert (results.games["winner"] == outcomes.SHARED).any()
    total = outcomes.credits(results.games, 4).sum(axis=1)
    np.testing.assert_allclose(total, results.credits()[0].sum(axis=0))
    np.testing.assert_allclose(results.moments.first.reshape(4, 4), results.credits()[0])


def test_the_report_says_what_duplicates_were_worth(tmp_path: Path) -> None:
    from analyzer import report

    names = ["balanced", "racer"]
    found = report.of(analyzer.run("moscow", players=2, n=200, policies=names, duplicate=True, jobs=1))
    assert list(found.tables["duplicate_deals"]["of"]) == [
        "policy balanced",
        "policy racer",
        "seat 1",
        "seat 2",
    ]
    assert "Each of 100 deals was played in all 2 rotations" in found.paragraph
    assert "rest on deals" in found.write(tmp_path, plots=False).read_text()
