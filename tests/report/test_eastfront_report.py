"""The report of Eastfront: its tables say what the games of the run say; charts draw; words are sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer.games.eastfront import odds, report, report_frames
from analyzer.sim.results import Results

POLICIES = ["balanced", "raider", "saboteur"]


@pytest.fixture(scope="module")
def results() -> Results:
    return analyzer.run("eastfront", policies=POLICIES, n=1500, seed=3, jobs=1)


@pytest.fixture(scope="module")
def frames(results: Results) -> dict[str, pd.DataFrame]:
    return report.tables(results)


@pytest.fixture(scope="module")
def games(results: Results) -> pd.DataFrame:
    return results.games


def _row(frame: pd.DataFrame, **where: Any) -> Any:
    for name, value in where.items():
        frame = frame[frame[name] == value]
    return frame.iloc[0]


def test_ends_and_rescues_are_those_of_the_games(frames: dict[str, Any], games: pd.DataFrame) -> None:
    n = frames["outcomes"].set_index("outcome")["n"]
    assert n["all friends rescued"] == (games["end"] == "all rescued").sum()
    assert n["deck ran out"] == (games["end"] == "deck ran out").sum()
    assert n["at most 1 friend rescued"] == (games["rescued"] <= 1).sum()
    assert n["no friend rescued"] == n["nobody wins"] == (games["winner"] == 0).sum()
    assert n["win shared"] == (games["winner"] == -1).sum()
    for (rescued, end), part in games.groupby(["rescued", "end"]):
        assert _row(frames["rescued"], rescued=rescued, end=end)["n"] == len(part)
    assert frames["rescued"]["share"].sum() == pytest.approx(1)
    assert frames["rescues"]["n"].sum() == games["rescued"].sum()
    length = frames["length"].set_index("measure")
    assert length.loc["friends rescued", "mean"] == pytest.approx(games["rescued"].mean())
    assert length.loc["turns", "mean"] == pytest.approx(games["turns"].mean())


def test_points_by_policy_are_those_of_its_seats(
    results: Results, frames: dict[str, Any], games: pd.DataFrame
) -> None:
    for place, name in enumerate(POLICIES):
        values, friends = [], []
        for rotation, part in games.groupby("rotation"):
            seat = results.rotations[rotation].index(name) + 1
            values += part[f"points_{seat}"].tolist()
            friends += part[f"friends_{seat}"].tolist()
        row = frames["points"].iloc[place]
        assert row["policy"] == name
        assert row["points"] == pytest.approx(np.mean(values))
        assert row["friends"] == pytest.approx(np.mean(friends))
        assert row["share"] == pytest.approx(np.mean(np.array(friends) == 0))


def test_wins_are_the_highest_points_and_shared_alike(results: Results, games: pd.DataFrame) -> None:
    points = games[[f"points_{seat}" for seat in (1, 2, 3)]].to_numpy()
    won = (points == points.max(axis=1, keepdims=True)) & (games["rescued"].to_numpy() > 0)[:, None]
    assert (won == games[[f"won_{seat}" for seat in (1, 2, 3)]].to_numpy()).all()
    credit = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    assert results.win_rates("seat")["wins"].tolist() == pytest.approx(credit.sum(axis=0))


def test_exchanges_stalls_and_hindering_add_up(results: Results, frames: dict[str, Any]) -> None:
    depth = results.tallies["depth"]
    assert frames["exchanges"]["n"].sum() == depth["n"].sum()
    assert frames["exchanges"]["won"].sum() == depth[depth["won"] == 1]["n"].sum()
    turned_up = results.tallies["stalls"]
    assert turned_up[turned_up["beaten"] == 1]["n"].sum() == depth[depth["won"] == 1]["n"].sum()
    assert frames["stalls"]["n"].sum() == turned_up["n"].sum()
    actions = results.tallies["actions"]
    hindered = actions[actions["action"] == "hinder"]["n"].sum()
    assert frames["hindering"]["n"].sum() == frames["hinder_cards"]["n"].sum() == hindered
    raider = frames["hindering"]
    assert raider[raider["by"] == "raider"]["n"].sum() == 0
    reactions = results.tallies["reactions"]
    covered = results.tallies["hindered"]
    played = reactions[(reactions["card"] == "cover") & (reactions["played"] == 1)]["n"].sum()
    assert covered[covered["covered"] == 1]["n"].sum() == played
    attacks = frames["attack_length"]
    assert attacks["n"].iloc[0] == depth[depth["exchange"] == 1]["n"].sum()
    assert (np.diff(attacks["share"]) <= 0).all()


def test_exact_odds_are_those_of_the_rules(results: Results, frames: dict[str, Any]) -> None:
    rules = report_frames.rules(results)
    row = _row(frames["exact_odds"], german="Panther", cards=3, destroyed=4)
    assert row["exact"] == pytest.approx(float(odds.clears(rules, {"panther": 3})[3]))


def test_the_variance_of_winning_is_taken_apart(results: Results, frames: dict[str, Any]) -> None:
    share = frames["luck"].set_index("source")["share"]
    assert share["policy and seat"] + share["luck of the cards"] == pytest.approx(1)
    assert share["policy"] > share["seat"] >= 0
    assert (frames["luck"]["low"] <= frames["luck"]["share"]).all()
    assert (frames["luck"]["share"] <= frames["luck"]["high"]).all()
    # By hand, from the games: the mean of each policy's credit.
    games, labels = results.games, np.array(results.rotations, dtype=object)
    won = games[[f"won_{seat}" for seat in (1, 2, 3)]].to_numpy()
    credit = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    who = labels[games["rotation"].to_numpy()]
    between = sum((credit[who == p].mean() - credit.mean()) ** 2 * (who == p).sum() for p in POLICIES)
    assert share["policy"] == pytest.approx(between / ((credit - credit.mean()) ** 2).sum())


def test_every_chart_draws_and_every_finding_is_a_sentence(results: Results) -> None:
    figures = results.figures()
    assert {"rescued", "points", "exchanges", "exact_odds", "stalls", "hindering"} <= set(figures)
    words = report.words(results)
    assert all(one.endswith(".") and "nan" not in one for one in words)
    assert any("friends are rescued a game" in one for one in words[:2])


@pytest.mark.parametrize("n", [1, 7])
def test_a_report_of_few_games_has_no_holes(n: int) -> None:
    few = analyzer.run("eastfront", players=8, n=n, seed=2, jobs=1)
    assert few.figures()
    assert all("nan" not in one for one in report.words(few))


def test_no_mean_stands_without_its_interval(frames: dict[str, Any]) -> None:
    named = {
        "rescues": ("so_far",), "exchanges": ("losses",), "stalls": ("a_game", "at_once"),
        "hinder_cards": ("a_game", "leader"), "points": ("friends",),
    }  # fmt: skip
    for table, columns in named.items():
        frame = frames[table]
        for column in columns:
            low, value, high = (frame[f"{column}{end}"].to_numpy(float) for end in ("_low", "", "_high"))
            known = np.isfinite(low)
            assert known.any(), (table, column)
            assert (low[known] <= value[known]).all(), (table, column)
            assert (value[known] <= high[known]).all(), (table, column)
