"""Results: rates from tallies, ties, rotations, folders that are whole, damaged or something else,
merging."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer.errors import UserError
from analyzer.sim.results import Results, add_tallies
from analyzer.stats import intervals
from tests import synthetic


def tallied(rotations: list[list[str]], n: list[int], wins: dict[tuple[int, int], Any]) -> Results:
    """Results of given wins by (rotation, seat): a number, or {winners: games}."""
    players = len(rotations[0])
    rows = [
        (r, s, k, count)
        for (r, s), value in wins.items()
        for k, count in (value if isinstance(value, dict) else {1: value}).items()
    ]
    tallies = {
        "games": pd.DataFrame({"rotation": range(len(n)), "n": n}),
        "shares": pd.DataFrame(rows, columns=["rotation", "seat", "winners", "n"]),
    }
    meta = {"game": "moscow", "players": players, "policies": rotations[0], "rotations": rotations, "seed": 1,
            "n": sum(n)}  # fmt: skip
    return Results(meta, tallies)


def test_seat_rates_of_one_rotation_are_wilsons() -> None:
    results = tallied([["a", "a"]], [100], {(0, 1): 30, (0, 2): 20})
    frame = results.win_rates()
    assert frame[["seat", "n", "wins"]].to_numpy().tolist() == [[1, 100, 30], [2, 100, 20]]
    expected = intervals.wilson([30, 20], 100)
    np.testing.assert_allclose(frame[["win_rate", "low", "high"]].T, expected)
    np.testing.assert_allclose(frame["fair_share"], 0.25)  # half of the half that anybody won
    np.testing.assert_allclose(frame["edge"], [0.05, -0.05])


def test_rotations_weigh_alike_whatever_their_games() -> None:
    results = tallied(
        [["a", "b"], ["b", "a"]], [100, 400], {(0, 1): 50, (0, 2): 50, (1, 1): 100, (1, 2): 300}
    )
    seats, policies = results.win_rates("seat"), results.win_rates("policy")
    np.testing.assert_allclose(seats["win_rate"], [(0.5 + 0.25) / 2, (0.5 + 0.75) / 2])
    np.testing.assert_allclose(policies["win_rate"], [(0.5 + 0.75) / 2, (0.5 + 0.25) / 2])
    assert policies["policy"].tolist() == ["a", "b"]
    both = results.win_rates(["policy", "seat"])
    assert both[["policy", "seat", "wins", "n"]].to_numpy().tolist() == [
        ["a", 1, 50, 100], ["a", 2, 300, 400], ["b", 1, 100, 400], ["b", 2, 50, 100],
    ]  # fmt: skip


def test_a_seat_effect_does_not_look_like_a_policy_effect() -> None:
    """Seat 1 always wins: policies come out equal, the seat does not."""
    results = tallied([["a", "b"], ["b", "a"]], [50, 50], {(0, 1): 50, (1, 1): 50})
    np.testing.assert_allclose(results.win_rates("policy")["win_rate"], 0.5)
    np.testing.assert_allclose(results.win_rates("seat")["win_rate"], [1, 0])


def test_a_policy_in_two_seats_is_one_policy_with_both() -> None:
    rotations = [["a", "a", "b"], ["a", "b", "a"], ["b", "a", "a"]]
    wins = {(r, s + 1): 10 for r in range(3) for s in range(3)}
    frame = tallied(rotations, [30] * 3, wins).win_rates("policy").set_index("policy")
    np.testing.assert_allclose(frame["win_rate"], [2 / 3, 1 / 3])
    np.testing.assert_allclose(frame["fair_share"], [2 / 3, 1 / 3])
    assert frame["wins"].tolist() == [60, 30]
    assert frame["n"].tolist() == [90, 90]


def test_shared_wins_count_in_parts() -> None:
    results = tallied([["a", "a"]], [40], {(0, 1): {1: 10, 2: 10}, (0, 2): {2: 10}})
    frame = results.win_rates()
    assert frame["wins"].tolist() == [15, 5]
    assert results.nobody().hits == 20
    narrow = frame["high"] - frame["low"]
    whole = intervals.wilson(frame["wins"], 40)
    assert (narrow.to_numpy() < whole.high - whole.low).all()


def test_nobody_is_the_rest() -> None:
    results = tallied([["a", "a"]], [100], {(0, 1): 30, (0, 2): 20})
    rate = results.nobody()
    assert (rate.hits, rate.n, rate.rate) == (50, 100, 0.5)
    assert (rate.low, rate.high) == pytest.approx([float(x) for x in intervals.wilson(50, 100)[1:]])


def test_rates_where_nobody_ever_wins_are_zero_with_an_interval() -> None:
    frame = tallied([["a", "a"]], [100], {}).win_rates()
    assert frame["win_rate"].tolist() == [0, 0]
    assert (frame["high"] > 0.01).all()
    assert frame["fair_share"].tolist() == [0, 0]


@pytest.mark.parametrize("by", ["player", ["seat", "seat"], [], ["policy", "x"]])
def test_rates_by_something_else_are_refused(by: Any) -> None:
    with pytest.raises(UserError, match="by seat, by policy"):
        tallied([["a"]], [1], {}).win_rates(by)


def test_coverage_of_seat_rates_over_rotations() -> None:
    """95 % intervals of a seat hold the truth in about 95 % of 400 runs; half as wide ones do not."""
    rng = np.random.default_rng(17)
    rotations, truth = [["a", "b"], ["b", "a"]], (0.1, 0.4)
    inside = half = 0
    for _ in range(400):
        wins = rng.binomial([60, 61], truth)
        row = tallied(rotations, [60, 61], {(0, 1): wins[0], (1, 1): wins[1]}).win_rates().iloc[0]
        inside += row["low"] <= 0.25 <= row["high"]
        half += abs(row["win_rate"] - 0.25) <= (row["high"] - row["low"]) / 4
    assert 0.92 <= inside / 400 <= 0.98
    assert half / 400 < 0.8


# ---- on disk ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [{"n": 300}, {"n": 1}, {"n": 60, "fights": False}, {"n": 80, "games": False},
                                  {"n": 90, "policies": ("<b>", "=x", "é", "$")}])  # fmt: skip
def test_save_and_load_give_the_same_back(case: dict[str, Any], tmp_path: Path) -> None:
    before = synthetic.make(**case)
    after = Results.load(before.save(tmp_path / "run"))
    assert after.meta == before.meta
    assert set(after.tallies) == set(before.tallies)
    for name, frame in before.tallies.items():
        pd.testing.assert_frame_equal(after.tallies[name], frame, check_dtype=False)
    if before.has_games:
        pd.testing.assert_frame_equal(after.games, before.games, check_dtype=False, check_categorical=False)
    pd.testing.assert_frame_equal(after.win_rates(), before.win_rates())
    assert after.summary() == before.summary()


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (synthetic.make(100).save(tmp_path / name) for name in ("a", "b"))
    names = [p.relative_to(first) for p in first.rglob("*") if p.is_file()]
    assert len(names) == 11
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_a_loaded_run_can_be_saved_elsewhere_and_in_place(tmp_path: Path) -> None:
    loaded = Results.load(synthetic.make(100).save(tmp_path / "a"))
    again = Results.load(loaded.save(tmp_path / "b"))
    assert again.games["winner"].tolist() == loaded.games["winner"].tolist()
    assert Results.load(again.save(tmp_path / "b")).n == 100


def test_games_are_read_in_pieces_and_columns(tmp_path: Path) -> None:
    whole = synthetic.make(100)
    folder = whole.save(tmp_path)
    whole.games.iloc[60:].to_parquet(folder / "games" / "part-00001.parquet", index=False)
    whole.games.iloc[:60].to_parquet(folder / "games" / "part-00000.parquet", index=False)
    loaded = Results.load(folder)
    pieces = list(loaded.iter_games(["game", "winner"]))
    assert [len(p) for p in pieces] == [60, 40]
    assert pd.concat(pieces)["game"].tolist() == list(range(100))
    assert list(pieces[0].columns) == ["game", "winner"]


def spoil_json(folder: Path) -> None:
    (folder / "run.json").write_text("{", encoding="utf-8")


def drop(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


def rewrite(**changes: Any) -> Any:
    def change(folder: Path) -> None:
        meta = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        (folder / "run.json").write_text(json.dumps({**meta, **changes}), encoding="utf-8")

    return change


def cut(name: str) -> Any:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:100])


def no_tally(folder: Path) -> None:
    pd.DataFrame({"a": [1]}).to_parquet(folder / "tallies" / "shares.parquet")


def short_games(folder: Path) -> None:
    path = folder / "games" / "part-00000.parquet"
    pd.read_parquet(path).head(10).to_parquet(path)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (drop("run.json"), "not the folder of a run"),
        (spoil_json, "run.json is damaged"),
        (drop("tallies/shares.parquet"), "shares.parquet is missing"),
        (cut("tallies/shares.parquet"), "shares.parquet is damaged"),
        (cut("games/part-00000.parquet"), "part-00000.parquet is damaged"),
        (no_tally, "is no tally"),
        (short_games, "holds 10 games"),
        (rewrite(n=999), "speaks of 999 games"),
        (rewrite(format=99), "format 99"),
        (rewrite(game="../x"), "names no game"),
        (rewrite(rotations=[["a"]]), "no policy for some seat"),
        (rewrite(rotations=[]), "damaged"),
    ],
)
def test_damaged_folders_are_refused_in_words(harm: Any, message: str, tmp_path: Path) -> None:
    folder = synthetic.make(50).save(tmp_path)
    harm(folder)
    with pytest.raises(UserError, match=message):
        Results.load(folder)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder"):
        Results.load(tmp_path / "nowhere")


def test_a_stopped_run_may_hold_fewer_games(tmp_path: Path) -> None:
    folder = synthetic.make(50).save(tmp_path)
    rewrite(n=1000, kind="partial")(folder)
    assert Results.load(folder).n == 50


def test_meta_must_be_complete() -> None:
    with pytest.raises(ValueError, match="players"):
        Results({"game": "moscow"}, {})


# ---- merging ---------------------------------------------------------------------------------------------


def halves(n: int = 200) -> tuple[Results, Results, Results]:
    """A run and its two halves, the tallies of which are made from rows by weight."""
    whole = synthetic.make(n)
    parts = []
    for rows in (slice(0, n // 2), slice(n // 2, n)):
        games = whole.games.iloc[rows].reset_index(drop=True)
        won = games[games["winner"] > 0].groupby("winner").size()
        tallies = {
            "games": pd.DataFrame({"rotation": [0], "n": [len(games)]}),
            "shares": pd.DataFrame({"rotation": 0, "seat": won.index, "winners": 1, "n": won.to_numpy()}),
        }
        parts.append(Results({**whole.meta, "n": len(games), "wall_seconds": 1.0}, tallies, games))
    return whole, parts[0], parts[1]


def test_merged_halves_are_the_whole() -> None:
    whole, a, b = halves()
    merged = b.merge(a)
    pd.testing.assert_frame_equal(merged.win_rates(), whole.win_rates())
    pd.testing.assert_frame_equal(merged.games, whole.games)
    assert merged.meta["n"] == 200
    assert merged.meta["wall_seconds"] == 2.0


def test_merging_refuses_the_same_games_and_other_runs() -> None:
    _, a, b = halves()
    with pytest.raises(UserError, match="count twice"):
        a.merge(a)
    b.meta["seed"] = 2
    with pytest.raises(UserError, match="differ in seed"):
        a.merge(b)


def test_tallies_add_row_by_row() -> None:
    a = pd.DataFrame({"rotation": [0, 0], "seat": [2, 1], "n": [3, 4]})
    b = pd.DataFrame({"rotation": [0, 1], "seat": [1, 1], "n": [5, 6]})
    assert add_tallies([a, b]).to_numpy().tolist() == [[0, 1, 9], [0, 2, 3], [1, 1, 6]]


def test_results_show_what_they_are() -> None:
    assert repr(synthetic.make(20)) == "<Results: 20 games of moscow, 4 players, seed 1>"


# ---------------------------------------------------------------- games that repeat


@pytest.mark.parametrize(("kinds", "weight"), [(100, 1.0), (50, 0.5), (30, 0.3), (29, 0.0), (1, 0.0)])
def test_repeated_games_are_no_evidence(kinds: int, weight: float) -> None:
    """Intervals rest on the distinct games; with hardly any there is none."""
    plain = synthetic.make(n=100, players=2, policies=("a", "a"))
    marked = Results(plain.meta, plain.tallies, plain.games.assign(fingerprint=np.arange(100) % kinds))
    assert (plain.distinct, plain.weight) == (100, 1.0)
    assert (marked.distinct, marked.weight) == (kinds, pytest.approx(weight))
    before, after = plain.win_rates("seat"), marked.win_rates("seat")
    assert after["win_rate"].tolist() == pytest.approx(before["win_rate"].tolist())
    spread = [frame["high"] - frame["low"] for frame in (before, after)]
    if weight == 0:
        assert after[["low", "high", "edge_low", "edge_high"]].isna().all(axis=None)
        assert np.isnan([marked.nobody().low, marked.nobody().high]).all()
    else:
        assert (spread[1] >= spread[0]).all()
        known = intervals.wilson(before["wins"] * weight, 100 * weight)
        assert after["low"].tolist() == pytest.approx(known.low.tolist())
