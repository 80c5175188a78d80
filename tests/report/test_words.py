"""What findings say of the largest number: only what is clear of chance; what is equal is told as equal."""

from __future__ import annotations

from typing import Any

import pandas as pd

import analyzer
from analyzer.games.eastfront import report as eastfront
from analyzer.games.eastfront import report_words as eastfront_words
from analyzer.games.kraskar import report_charts as kraskar_charts
from analyzer.games.kraskar import report_words as kraskar_words
from analyzer.games.moscow import report_frames as moscow_frames
from analyzer.games.moscow import report_words as moscow_words
from analyzer.games.undaunted import report_words as undaunted_words
from analyzer.report import cards, charts, draw, series_words, wins
from analyzer.report.build import Report
from analyzer.report.marks import Areas
from analyzer.report.parts import Chart


def _means(half: float, **columns: Any) -> pd.DataFrame:
    """A frame with limits of `a_game` so far away on either side."""
    frame = pd.DataFrame(columns)
    return frame.assign(mean_low=frame["a_game"] - half, mean_high=frame["a_game"] + half)


def _shares(half: float, value: str = "share", **columns: Any) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    return frame.assign(low=frame[value] - half, high=frame[value] + half)


def test_leaders_are_all_that_may_be_the_largest() -> None:
    frame = _shares(0.02, who=["a", "b", "c"], share=[0.30, 0.33, 0.2])
    assert wins.leaders(frame, "share", "low", "high")["who"].tolist() == ["a", "b"]
    clear = _shares(0.01, who=["a", "b", "c"], share=[0.30, 0.33, 0.2])
    assert wins.leaders(clear, "share", "low", "high")["who"].tolist() == ["b"]
    unknown = frame.assign(low=float("nan"), high=float("nan"))
    assert len(wins.leaders(unknown, "share", "low", "high")) == 3


def _ends(half: float) -> dict[str, pd.DataFrame]:
    months = _shares(half, month=["october", "november", "december"], share=[0.138, 0.13, 0.05])
    return {
        "outcomes": pd.DataFrame({"n": [318, 682], "share": [0.318, 0.682]}),
        "ends_by_month": months.assign(n=1000 * months["share"], end=moscow_frames.FELL),
        "length": pd.DataFrame({"measure": ["round of the fall"], "median": [20.0]}),
    }


def test_months_within_chance_of_each_other_are_named_together_or_not_at_all() -> None:
    assert "most often in October (" in moscow_words.end_finding(_ends(0.001))
    assert "most often in October or November (" in moscow_words.end_finding(_ends(0.02))
    assert "most often" not in moscow_words.end_finding(_ends(0.1))


def test_policies_that_stand_at_the_same_distance_are_ahead_together(monkeypatch: Any) -> None:
    results = analyzer.run("moscow", n=200, jobs=1, policies="balanced,racer,blocker,spoiler")
    report = Report(results)
    frame = report.tables["km_by_round"].copy()
    kilometres = {"balanced": 850.0, "blocker": 850.0, "racer": 700.0, "spoiler": 750.0}
    frame["median"] = frame["policy"].map(kilometres)
    told = moscow_words.race_finding(results, {**report.tables, "km_by_round": frame})
    assert told.startswith("balanced and blocker are ahead in round")
    assert told.endswith("850 km, racer 700 km (medians)")


def test_blocked_most_is_said_only_of_who_is_clear_of_all_others() -> None:
    def told(*shares: float) -> str:
        names = [f"seat {k}" for k in range(1, len(shares) + 1)]
        frame = _shares(0.01, who=names, share=list(shares), blocked=3.0, turns=10.0)
        return moscow_words.blocked_finding({"blocked": frame})

    assert "seat 2 most (40.0\u00a0%), seat 3 least (30.0\u00a0%)" in told(0.35, 0.4, 0.3)
    assert "seat 2 (40.0\u00a0%) more than seat 3 (30.0\u00a0%)" in told(0.39, 0.4, 0.3)
    assert "seat" not in told(0.40, 0.41, 0.40)


def _both(half: float) -> dict[str, pd.DataFrame]:
    frame = pd.DataFrame({
        "policy": ["a", "a", "b", "b"], "seat": [1, 2, 1, 2], "wins": 10, "fair_share": 0.12,
        "win_rate": [0.16, 0.15, 0.155, 0.13],
    })  # fmt: skip
    edge = frame["win_rate"] - frame["fair_share"]
    return {"win_rate_by_policy_and_seat": frame.assign(
        low=frame["win_rate"] - half, high=frame["win_rate"] + half, edge=edge, edge_low=edge - half,
        edge_high=edge + half,
    )}  # fmt: skip


def test_best_in_every_seat_is_said_only_where_no_cell_may_be_as_good() -> None:
    assert wins.both_finding(_both(0.001)).startswith("a does best in every seat, from 15.0")
    assert wins.both_finding(_both(0.01)) == "Clearly above the fair share: a in every seat and b in seat 1"
    worse = _both(0.001)
    frame = worse["win_rate_by_policy_and_seat"]
    for column in ("win_rate", "low", "high"):
        frame[column] -= 0.05
    for column in ("edge", "edge_low", "edge_high"):
        frame[column] -= 0.05
    frame.loc[0, ["edge", "edge_low", "edge_high"]] = [0.0, -0.001, 0.001]
    frame.loc[0, ["win_rate", "low", "high"]] = [0.12, 0.10, 0.14]
    assert wins.both_finding({"win_rate_by_policy_and_seat": frame.assign(fair_share=0.12)}).startswith(
        "b in seat 2 wins 4.0"
    )


def test_rounds_of_rescues_within_chance_are_not_told_apart() -> None:
    frame = {"round": [6, 7, 8, 9], "a_game": [0.5, 0.58, 0.6, 0.59]}
    assert "most in round 8" in eastfront_words.rescue_finding({"rescues": _means(0.004, **frame)})
    assert "most" not in eastfront_words.rescue_finding({"rescues": _means(0.02, **frame)})


def test_units_that_suffer_alike_are_not_told_apart() -> None:
    frame = {"side": ["US", "DE", "DE"], "unit": ["RA", "RA", "RB"], "a_game": [1.0, 1.3, 1.28]}
    told = undaunted_words.casualty_finding({"casualties": _means(0.001, **frame)})
    assert told.count("most of all DE's") == 1
    assert " or " not in told
    assert " or DE's" in undaunted_words.casualty_finding({"casualties": _means(0.02, **frame)})
    assert "most" not in undaunted_words.casualty_finding({"casualties": _means(0.5, **frame)})


def test_squares_where_as_many_units_fall_are_named_together_or_not_at_all() -> None:
    frame = {"seat": [1, 1, 1, 2, 2, 2], "row": [2, 4, 3] * 2, "column": [4, 4, 1] * 2,
             "a_game": [0.5, 0.49, 0.2, 0.5, 0.5, 0.2]}  # fmt: skip
    told = kraskar_words.square_finding(_means(0.001, **frame))
    assert told == "Most units fall in row 2, column 4: 1.00 a game"
    assert "row 2, column 4 or row 4, column 4" in kraskar_words.square_finding(_means(0.02, **frame))
    assert "No single square" in kraskar_words.square_finding(_means(0.5, **frame))
    assert "No single square" in kraskar_words.square_finding(_means(float("nan"), **frame))


def test_the_most_one_sided_pairing_is_told_only_where_it_is_clear() -> None:
    def told(half: float) -> str:
        frame = pd.DataFrame({"row": ["a", "b", "a", "c"], "column": ["b", "a", "c", "a"],
                              "edge": [0.3, -0.3, 0.32, -0.32]})  # fmt: skip
        edges = frame.assign(edge_low=frame["edge"] - half, edge_high=frame["edge"] + half)
        return series_words.matrix_finding({"matrix": edges.assign(win_rate=0.5 + edges["edge"])}).text

    assert "2 of 2 pairings are clearly one-sided, most of all a against c" in told(0.001)
    assert "2 of 2 pairings are clearly one-sided, among them a against c" in told(0.05)


def test_exact_odds_are_given_only_for_as_many_cards_as_the_deck_holds() -> None:
    results = analyzer.run("eastfront", n=2, jobs=1)
    frame = eastfront.tables(results)["exact_odds"]
    from analyzer.games.eastfront.report_frames import SIZES, rules

    held = {card.title: card.count for card in rules(results).cards.german}
    for title, part in frame.groupby("german"):
        assert part["cards"].max() == min(SIZES, held[str(title)])
    assert min(held[title] for title in set(frame["german"])) < SIZES  # or the deck limits nothing


def test_the_turn_limit_is_named_only_where_a_game_reaches_it() -> None:
    for limit, reached in ((1, True), (200, False)):
        report = Report(analyzer.run("kraskar", n=4, jobs=1, set=[f"turn_limit={limit}"]))
        chart = kraskar_charts.lengths(report.results, report.tables)
        assert ("turn limit" in chart.note) is reached


def test_cells_of_a_heat_map_that_may_be_chance_are_pale() -> None:
    def paint(axes: Any) -> None:
        draw.heat(axes[0], [[1.0, 0.9]], ["a"], ["b", "c"], [["", ""]], diverging=True, clear=[[False, True]])

    fig = charts.figure(Chart("x", "Why?", "A finding", paint, "", height=1), "footer")
    colours = [tuple(map(float, colour)) for area in fig.findobj(Areas) for colour in area.items]
    assert len(colours) == 2
    assert sum(colours[0]) > sum(colours[1]) + 0.5


def test_surplus_cards_are_told_with_their_unit() -> None:
    row = {"card": "tank", "stat": "drawn", "wins": 900, "surplus": 0.31, "surplus_low": 0.3,
           "surplus_high": 0.32, "effect": 0.1, "effect_low": 0.1, "effect_high": 0.1}  # fmt: skip
    told = cards.card_finding({"cards": pd.DataFrame([row])})
    assert told.startswith("Winners drew more tank (+0.31\u00a0cards) than")
