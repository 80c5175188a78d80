"""Kraskar's report: every number against the games it comes from, and the odd runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.games.kraskar import report_frames as frames
from analyzer.games.kraskar.policies import POLICIES
from analyzer.report import charts
from analyzer.report.build import Report, write_report
from analyzer.sim.results import Results
from analyzer.stats import intervals

STILL = {"policy": "balanced:noise=0", "set": ["start_columns=deck"]}
CASES: dict[str, dict[str, Any]] = {
    "plain": {"n": 300},
    "two policies": {
        "n": 300,
        "policies": ["balanced", "siege"],
        "set": ["decks=[Siege Train, Archer Line]"],
    },
    "one game": {"n": 1},
    "all alike": {"n": 200, **STILL},
    "over at once": {"n": 50, "set": ["turn_limit=1"]},
    "no stratagems, big board": {
        "n": 60,
        "set": ["stratagems=[]", "columns=7", "rows=7"],
        "policy": "random",
    },
    "plain damage": {"n": 60, "set": ["damage=plain", "decks=[Cavalry Rush, Spear Wall]", "first_player=1"]},
}


@cache
def results_of(name: str) -> Results:
    return analyzer.run("kraskar", jobs=1, **CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_every_run_can_be_reported(name: str, tmp_path: Path) -> None:
    report = Report(results_of(name))
    page = write_report(report, tmp_path)
    text = page.read_text()
    assert "kraskar" in text
    for chart in report.charts:
        assert (tmp_path / "plots" / f"{chart.name}.png").stat().st_size > 1000
        assert len(charts.headline(chart)) <= 3
    for sentence in report.words:
        assert sentence.endswith(".")
        assert "nan" not in sentence.lower().split()
    for frame in report.tables.values():
        assert frame.attrs["title"]


def test_numbers_are_those_of_the_games() -> None:
    results = results_of("two policies")
    games, tables = results.games, Report(results).tables
    n = len(games)
    order = tables["win_rate_by_order"].set_index("who")
    assert order.loc["moved first", "wins"] == (games["winner"] == games["first"]).sum()
    two = games[games["first"] == 2]
    assert order.loc["seat 2, moved first", "n"] == len(two)
    assert order.loc["seat 2, moved first", "wins"] == (two["winner"] == 2).sum()
    assert tables["length"]["mean"][0] == pytest.approx(games["turns"].mean())
    fell = tables["outcomes"].set_index("outcome").loc["a castle falls", "n"]
    assert fell == (games["end"] == "castle fell").sum()
    assert tables["castle_damage"]["sieges"].sum() == games[["sieges_1", "sieges_2"]].to_numpy().sum()
    lost = 2 * n * 36 - games[["castle_1", "castle_2"]].to_numpy().sum()
    assert tables["castle_damage"]["life"].sum() == lost == tables["units"]["life"].sum()
    assert tables["castle_damage"]["share"].sum() == pytest.approx(1)
    retreats = games[["retreats_1", "retreats_2"]].sum()
    by_seat = tables["retreats"].groupby("seat")["retreats"].sum()
    assert by_seat.tolist() == retreats.tolist()
    assert tables["fallen"].groupby("seat")["retreats"].sum().tolist() == retreats.tolist()
    assert tables["wasted_chips"]["mean"].tolist() == pytest.approx(
        games[["wasted_1", "wasted_2"]].mean().tolist()
    )
    assert tables["wasted_chips"]["countries"].tolist() == [2, 1]
    life = tables["life_left"].set_index(["seat", "result"]).loc[("seat 1", "won"), "mean"]
    assert life == pytest.approx(games[games["winner"] == 1]["castle_1"].mean())
    replay = tables["games_to_replay"].set_index("which")
    assert replay.loc["the shortest", "turns"] == games["turns"].min()


def test_duplicate_deals_are_the_units_of_who_moved_first() -> None:
    """Both games of a deal have one start and one first mover: they are no two independent games."""
    results = analyzer.run("kraskar", n=300, jobs=1, policies=["balanced", "siege"], duplicate=True)
    found = Report(results).tables["win_rate_by_order"].set_index("who")
    games = results.games
    won = (games["winner"] == games["first"]).to_numpy().reshape(-1, 2).mean(axis=1)
    assert (games["first"].to_numpy().reshape(-1, 2).std(axis=1) == 0).all()
    row = found.loc["moved first"]
    assert row["win_rate"] == pytest.approx(won.mean())
    expected = intervals.mean(len(won), won.sum(), (won**2).sum())
    assert [row["low"], row["high"]] == pytest.approx([float(expected.low), float(expected.high)])
    one = games[games["first"] == 1]["winner"].to_numpy().reshape(-1, 2)
    mean = intervals.mean(len(one), (one == 1).mean(axis=1).sum(), ((one == 1).mean(axis=1) ** 2).sum())
    seat = found.loc["seat 1, moved first"]
    assert seat["high"] - seat["low"] == pytest.approx(float(mean.high - mean.low), rel=0.03)
    assert "Intervals rest on deals" in Report(results).tables["win_rate_by_order"].attrs["about"]


def test_intervals_rest_on_distinct_games() -> None:
    """The warning of the rules: repeats are no evidence."""
    results = results_of("all alike")
    tables = Report(results).tables
    row = tables["distinct_games"].iloc[0]
    assert (row["n"], row["distinct"]) == (200, 2)
    assert results.games["fingerprint"].nunique() == 2
    for name in ("win_rate_by_seat", "win_rate_by_order", "outcomes", "turns"):
        assert np.isnan(tables[name][["low", "high"]].to_numpy()).all(), name
    assert np.isnan(tables["length"]["mean_low"]).all()
    assert np.isnan(tables["castle_damage"]["mean_low"]).all()
    assert "Only 2 of 200 games are distinct" in " ".join(Report(results).words)


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "random"])
def test_without_noise_and_luck_every_heuristic_repeats_two_games(name: str) -> None:
    """Noise 0 and fixed columns: one game for each first mover, whatever n is."""
    results = analyzer.run("kraskar", n=100, jobs=1, policy=f"{name}:noise=0", set=["start_columns=deck"])
    assert frames.sample(results) == frames.Sample(100, 2)


def test_a_sample_widens_its_intervals() -> None:
    half = frames.Sample(1000, 500)
    got, known = half.rate(300, 1000), intervals.wilson(150, 500)
    assert [float(x) for x in got] == pytest.approx([0.3, float(known.low), float(known.high)])
    values, n = np.arange(3), np.array([200, 500, 300])
    wide, narrow = half.mean(values, n), frames.Sample(1000, 1000).mean(values, n)
    assert float(wide.value) == float(narrow.value) == pytest.approx(1.1)
    ratio = (wide.high - wide.low) / (narrow.high - narrow.low)
    assert float(ratio) == pytest.approx(2**0.5, rel=0.01)
    assert not np.isfinite(frames.Sample(1000, 29).per_game(50, 1000).low)
    assert np.isfinite(frames.Sample(1000, 30).per_game(50, 1000).low)


@pytest.mark.parametrize("name", ["plain", "two policies", "one game"])
def test_batches_add_up_to_all_games(name: str) -> None:
    results = results_of(name)
    for whole, batches, keys in (
        ("damage", "damage_by_batch", ["troop", "at"]),
        ("retreats", "retreats_by_batch", ["seat", "cause"]),
    ):
        told = results.tallies[whole].groupby(keys)["n"].sum()
        assert told[told > 0].equals(results.tallies[batches].groupby(keys)["n"].sum()[told[told > 0].index])
        assert results.tallies[batches]["n"].sum() == results.tallies[whole]["n"].sum()
    if results.n > 32:
        assert results.tallies["damage_by_batch"]["batch"].nunique() == 32


def test_shares_have_limits_and_add_up() -> None:
    tables = Report(results_of("plain")).tables
    for name, low, high in (
        ("castle_damage", "share_low", "share_high"),
        ("castle_life", "low", "high"),
        ("retreats", "share_low", "share_high"),
        ("causes_of_retreat", "low", "high"),
    ):
        frame = tables[name]
        assert ((frame[low] < frame["share"]) & (frame["share"] < frame[high])).all(), name
    life = tables["castle_life"].set_index("part")["share"]
    assert life.drop("at the gate").sum() == pytest.approx(1)
    assert tables["castle_damage"]["share"].sum() == pytest.approx(1)
    at_gate = tables["castle_damage"].set_index("at").loc["gate", "share"].sum()
    assert life["at the gate"] == pytest.approx(at_gate)
    assert tables["retreats"].groupby("seat")["share"].sum().tolist() == pytest.approx([1, 1])


def test_limits_of_a_share_hold_the_truth_where_events_of_a_game_hang_together() -> None:
    """Games of one kind or the other: an interval by events would be far too narrow."""
    rng, truth, hits = np.random.default_rng(5), 0.4, 0
    by_events = 0
    for _ in range(1000):
        kinds = rng.random(320) < truth
        events = rng.poisson(12, 320)
        part, whole = ((events * mask).reshape(32, 10).sum(axis=1) for mask in (kinds, 1))
        found = frames.Sample(320, 320).share(part, whole)
        hits += bool(found.low <= truth <= found.high)
        naive = intervals.wilson(part.sum(), whole.sum())
        by_events += bool(naive.low <= truth <= naive.high)
    assert 0.93 <= hits / 1000 <= 0.97
    assert by_events < 700


def test_a_share_without_distinct_games_has_no_limits() -> None:
    part, whole = np.full(32, 3.0), np.full(32, 10.0)
    found = frames.Sample(320, 2).share(part, whole)
    assert found.value == pytest.approx(0.3)
    assert np.isnan([found.low, found.high]).all()
    noisy = part + np.arange(32) % 2
    all_games, few = frames.Sample(320, 320).share(noisy, whole), frames.Sample(320, 80).share(noisy, whole)
    assert few.high - few.low == pytest.approx(2 * (all_games.high - all_games.low))
