"""Tables: finite numbers, right values in small hand-made tallies, safe CSV."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

from analyzer.games.moscow import report_frames as frames
from analyzer.games.moscow import report_games
from analyzer.report import cards, page, tables
from analyzer.report.build import Report
from analyzer.sim.results import Results
from analyzer.stats import counts
from tests import synthetic


def hand_made(**tallies: pd.DataFrame) -> Results:
    """Two seats, ten games, one policy; six won by seat 1, two by seat 2."""
    base = {
        "games": pd.DataFrame({"rotation": [0], "n": [10]}),
        "shares": pd.DataFrame({"rotation": 0, "seat": [1, 2], "winners": 1, "n": [6, 2]}),
    }
    meta = {
        "game": "moscow",
        "players": 2,
        "policies": ["a", "a"],
        "rotations": [["a", "a"]],
        "seed": 1,
        "n": 10,
    }
    return Results(meta, {**base, **tallies})


def test_every_number_is_finite_where_there_is_something_to_tell(report: Report) -> None:
    """Only what few games cannot tell may be missing: limits of single observations, effects without
    variation."""
    may_lack = (
        "_low",
        "_high",
        "low",
        "high",
        "effect",
        "winners",
        "others",
        "difference",
        "surplus",
        "half",
    )
    big = report.results.n >= 200
    for name, frame in report.tables.items():
        assert len(frame) > 0, name
        for column in frame.select_dtypes("number"):
            lacking = ~np.isfinite(frame[column].to_numpy(float))
            if not lacking.any():
                continue
            assert str(column).endswith(may_lack), f"{name}.{column}"
            if big and name not in ("cards", "hands_at_the_end") and report.results.has_games:
                pytest.fail(f"{name}.{column} is not finite")


def test_limits_enclose_their_value(report: Report) -> None:
    pairs = (("win_rate", "low", "high"), ("share", "low", "high"), ("simulated", "low", "high"),
             ("edge", "edge_low", "edge_high"), ("mean", "mean_low", "mean_high"))  # fmt: skip
    for name, frame in report.tables.items():
        for value, low, high in pairs:
            if {value, low, high} <= set(frame.columns):
                known = frame.dropna(subset=[low, high])
                assert (known[low] <= known[value] + 1e-12).all(), name
                assert (known[value] <= known[high] + 1e-12).all(), name


def test_outcomes_add_up(report: Report) -> None:
    outcomes = report.tables["outcomes"]
    assert outcomes["n"].sum() == report.results.n
    assert outcomes["share"].sum() == pytest.approx(1)
    assert report.tables["ends_by_month"]["n"].sum() == report.results.n
    assert report.tables["ends_by_round"]["n"].sum() == report.results.n


def test_tables_of_ends_have_no_empty_rows(report: Report) -> None:
    for by in ("month", "round"):
        frame = report.tables[f"ends_by_{by}"]
        assert (frame["n"] > 0).all()
        assert frame["n"].sum() == report.results.n


def test_exact_odds_are_faces_by_sides(rotated: Report) -> None:
    odds = rotated.tables["fight_odds"]
    np.testing.assert_allclose(odds["exact"], odds["faces"] / 6)
    tally = rotated.results.tallies["fights"]
    assert odds["n"].sum() == tally["n"].sum()
    assert odds["won"].sum() == tally[tally["won"] == 1]["n"].sum()


def test_km_quantiles_by_hand() -> None:
    km = pd.DataFrame({"rotation": 0, "seat": 1, "round": 1, "km": [0, 50, 100, 400], "n": [10, 40, 40, 10]})
    frame = frames.km_by_round(hand_made(km=km))
    assert frame[["10 %", "25 %", "median", "75 %", "90 %"]].to_numpy().tolist() == [[0, 50, 50, 100, 100]]


def test_hindering_by_hand_leaves_out_actions_on_oneself_and_others() -> None:
    actions = pd.DataFrame(
        [(0, 1, "army", "army 4/50", 2, 30), (0, 1, "order -200 km", "order -200 km", 2, 5),
         (0, 2, "general", "red general", 1, 10), (0, 2, "army", "army 4/50", 2, 99),
         (0, 1, "moscow army", "army 4/50", 0, 99), (0, 1, "advance", "advance 50", 0, 99)],
        columns=["rotation", "seat", "action", "card", "target", "n"],
    )  # fmt: skip
    frame = frames.hindering(hand_made(actions=actions))
    assert frame[["by", "against", "actions", "a_game"]].to_numpy().tolist() == [
        ["seat 1", "seat 2", 35, 3.5],
        ["seat 2", "seat 1", 10, 1.0],
    ]
    assert frame[["army", "general", "river", "order"]].to_numpy().tolist() == [
        [3.0, 0, 0, 0.5],
        [0, 1.0, 0, 0],
    ]


def test_card_surplus_takes_the_length_of_games_out() -> None:
    """Winners drew half as many cards of both kinds: no surplus, though the difference is large."""
    rows = [(0, 1, "drawn", card, count, won, 500)
            for card, mean in (("advance 50", 4), ("division 2", 8))
            for won in (0, 1)
            for count in ((mean - 1, mean + 1) if won == 0 else (mean // 2 - 1, mean // 2 + 1))]  # fmt: skip
    columns = ["rotation", "seat", "stat", "card", "count", "won", "n"]
    frame = cards.cards(hand_made(cards=pd.DataFrame(rows, columns=columns))).set_index("card")
    assert frame["difference"].to_dict() == {"advance 50": -2.0, "division 2": -4.0}
    np.testing.assert_allclose(frame["surplus"], 0, atol=1e-12)
    assert (frame["effect"] < 0).all()


def test_arrival_order_and_blocked_turns_by_hand() -> None:
    games = pd.DataFrame({
        "game": [0, 1, 2], "rotation": 0, "winner": [1, 2, 0], "turns": [10, 11, 12],
        "arrived_1": [3, 9, 0], "arrived_2": [4, 2, 8], "blocked_1": [1, 3, 6], "blocked_2": [0, 5, 0],
        "held_1": [5, 4, 3], "held_2": [2, 2, 2],
    })  # fmt: skip
    base = hand_made()
    sums = report_games.game_sums(Results(base.meta, base.tallies, games))
    assert sums.arrivals.tolist() == [[1, 0], [3, 2], [2, 0]]  # never, first, second: seats and wins
    assert sums.blocks[0, 0].tolist() == [3, 10, 5 + 6 + 6, 1 + 9 + 36, 5 + 18 + 36, 25 + 36 + 36, 2]
    assert sums.blocks[0, 1].tolist() == [3, 5, 5 + 5 + 6, 25, 25, 25 + 25 + 36, 1]
    replay = report_games.to_replay(sums)
    assert dict(zip(replay["which"], replay["game"], strict=True)) == {
        "the earliest fall": 0, "the latest fall": 1, "a game that nobody won": 2,
    }  # fmt: skip


def test_one_pass_in_pieces_gives_the_sums_of_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    results = synthetic.make(300)
    whole = report_games.game_sums(results)
    parts = [results.games.iloc[i : i + 70] for i in range(0, 300, 70)]
    monkeypatch.setattr(Results, "iter_games", lambda self, columns: iter(parts))
    pieces = report_games.game_sums(results)
    np.testing.assert_allclose(pieces.blocks, whole.blocks)
    np.testing.assert_array_equal(pieces.arrivals, whole.arrivals)
    assert pieces.first == whole.first
    assert pieces.lengths == whole.lengths


def test_csv_guards_formulas_but_not_numbers() -> None:
    frame = pd.DataFrame({"=name": ["=1+1", "+a", "-b", "@c", "\td", "plain"], "x": [-1.5, 2, 3, 4, 5, 6]})
    rows = list(csv.reader(io.StringIO(tables.csv(frame))))
    assert [row[0] for row in rows] == ["'=name", "'=1+1", "'+a", "'-b", "'@c", " d", "plain"]
    assert rows[1][1] == "-1.5"


def test_csv_keeps_full_precision(rotated: Report) -> None:
    frame = rotated.tables["win_rate_by_seat"]
    read = pd.read_csv(io.StringIO(tables.csv(frame)))
    np.testing.assert_array_equal(read["win_rate"], frame["win_rate"])


def test_shown_columns_join_limits_and_use_per_cent() -> None:
    frame = pd.DataFrame({"seat": [1], "n": [12345], "win_rate": [0.25], "low": [0.2], "high": [0.3]})
    shown = {column.heading: column.cells[0] for column in tables.columns(frame)}
    assert shown == {"seat": "1", "n": "12,345", "win rate": "25.0\u00a0%", "95 % interval": "20.00 – 30.00"}


def test_shown_cells_leave_the_unknown_blank() -> None:
    frame = pd.DataFrame({"mean": [2.0], "mean_low": [np.nan], "mean_high": [np.nan], "half": [np.nan]})
    assert [column.cells[0] for column in tables.columns(frame)] == ["2", "", ""]


def test_quantile_limits_hold_the_true_quantile_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    for q, true in ((0.1, 10), (0.5, 50), (0.9, 90)):
        held = 0
        for _ in range(400):
            values, n = np.unique(rng.integers(1, 101, 300), return_counts=True)
            ((low, high),) = counts.quantile_limits(values, n, (q,))
            held += low <= true <= high
        assert 0.92 <= held / 400 <= 1.0, q


def test_quantile_limits_are_wider_where_games_repeat() -> None:
    values, n = np.arange(100), np.full(100, 10)
    ((low, high),), ((wide_low, wide_high),) = (
        counts.quantile_limits(values, n, (0.5,), weight) for weight in (1.0, 0.1)
    )
    assert wide_low < low < 50 < high < wide_high
    assert np.isnan(counts.quantile_limits(values, n, (0.5,), 0.0)).all()


def test_nothing_has_no_sign_and_columns_have_equal_decimals() -> None:
    frame = pd.DataFrame({"a_game": [-0.00001, 2.5], "mean_low": [-0.0004, 2.0], "mean_high": [0.0004, 3.25]})
    value, limits = tables.columns(frame)
    assert value.cells == ["0.000", "2.500"]
    assert limits.cells == ["0.000 – 0.000", "2.000 – 3.250"]
    edge = tables.columns(pd.DataFrame({"edge": [-0.00001, 0.02]}))[0]
    assert edge.cells == ["0.00", "+2.00"]
    share = tables.columns(pd.DataFrame({"share": [0.5, 0.05]}))[0]
    assert share.cells == ["50.00\u00a0%", "5.00\u00a0%"]


def test_a_cell_without_columns_of_limits_tells_them_where_the_pointer_rests(rotated: Report) -> None:
    frame = rotated.tables["length"]
    (median,) = [column for column in tables.columns(frame) if column.heading == "median"]
    low, high = frame.attrs["limits"]["median"][0]
    assert low <= frame["median"].iloc[0] <= high
    assert median.hints[0] == f"95 % interval {low:,g} to {high:,g}"
    assert median.hints[0] in page.render(rotated, {}).replace("\u00a0", " ")


def test_a_setting_is_headed_by_its_very_name() -> None:
    frame = pd.DataFrame({"hand_size": [3], "at_once": [0.5]})
    frame.attrs["literal"] = ["hand_size"]
    assert [column.heading for column in tables.columns(frame)] == ["hand_size", "at once"]


def test_a_hint_tells_a_share_in_per_cent() -> None:
    frame = pd.DataFrame({"fair_share": [0.25], "median": [3.0]})
    frame.attrs["limits"] = {"fair_share": [(0.2, 0.25)], "median": [(2.0, 4.0)]}
    first, second = tables.columns(frame)
    assert first.hints == ["95 % interval 20.00\u00a0% to 25.00\u00a0%"]
    assert second.hints == ["95 % interval 2 to 4"]


def test_fair_shares_have_limits_where_anybody_may_fail_to_win() -> None:
    found = columns_of(synthetic.make(400), "win_rate_by_seat", "fair_share")
    assert all(hint.startswith("95 % interval") for hint in found.hints)


def columns_of(results: Results, table: str, column: str) -> tables.Column:
    frame = Report(results).tables[table]
    heading = tables.heading(column)
    return next(one for one in tables.columns(frame) if one.heading == heading)


def test_numbers_of_different_kinds_below_each_other_have_their_units() -> None:
    frame = pd.DataFrame({"outcome": ["a", "b", "c"], "kind": ["points", "number", "number"],
                          "change": [0.0125, 3.0, -1.25]})  # fmt: skip
    frame.attrs["by_row"] = {"change": frame["kind"].tolist()}
    change = tables.columns(frame)[2]
    assert change.cells == ["+1.25\u00a0points", "3.000", "-1.250"]
    assert change.keys == [0.0125, 3.0, -1.25]
    assert change.number
