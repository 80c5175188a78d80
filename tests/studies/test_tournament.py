"""Tournaments: who meets whom, payoffs and ratings, no strength where there is none, text, JSON, mistakes."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.errors import UserError
from analyzer.report.tables import columns
from analyzer.studies import lineups, tournament_tables, tournament_words
from analyzer.studies.tournament import Tournament, play

SLOW = [pytest.param(one, marks=pytest.mark.slow) for one in ("eastfront", "kraskar")]
REAL = ["moscow", "undaunted", *SLOW]
KINDS = "random,gambler,gambler:patience=0"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analyzer.studies.tournament.DRAWS", 40)  # enough for tests


def analyze(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def duel(dice_race: str) -> Tournament:
    return play(lineups.field(dice_race, 2, 600, KINDS), jobs=1)


# ---------------------------------------------------------------- who meets whom


def test_two_seats_have_every_pairing_and_each_sits_in_either_seat(dice_race: str) -> None:
    field = lineups.field(dice_race, 2, 10, KINDS)
    assert [one.names for one in field.lineups] == [(0, 1), (0, 2), (1, 2)]
    for one in field.lineups:
        assert sorted(map(tuple, one.members.tolist())) == sorted([one.names, one.names[::-1]])


def test_more_seats_have_all_tables_of_one_and_two_kinds() -> None:
    tables, left = lineups.tables_of(3, 4, 60, 1)
    assert left[0] == 0
    counts = [Counter(table) for table in tables]
    for i, j in combinations(range(3), 2):
        for many in range(1, 4):
            assert Counter({i: many, j: 4 - many}) in counts
    assert all(Counter({i: 4}) in counts for i in range(3))
    assert sum(len(one) == 3 for one in counts) == 3  # one of the three sits there twice
    assert len(tables) == len(set(tables))


def test_a_sample_of_tables_is_balanced() -> None:
    whole = list(combinations(range(9), 4))
    chosen = lineups.balanced(whole, 9, 36, 1)
    assert len(chosen) == len(set(chosen)) == 36
    seats = Counter(one for table in chosen for one in table)
    pairs = Counter(pair for table in chosen for pair in combinations(table, 2))
    assert max(seats.values()) - min(seats.values()) <= 2
    assert len(pairs) == 36
    assert max(pairs.values()) - min(pairs.values()) <= 3
    assert lineups.balanced(whole, 9, 36, 2) != chosen


def test_a_line_up_keeps_its_games_whoever_else_takes_part(dice_race: str) -> None:
    small = lineups.field(dice_race, 2, 50, "random,gambler")
    large = lineups.field(dice_race, 2, 50, KINDS)
    assert small.requests[0].key == large.requests[0].key
    seeds = [one.seed for one in large.requests]
    assert len(set(seeds)) == len(seeds)  # luck of their own: payoffs are independent


def test_things_that_are_paired_off_meet_in_both_orders(dice_race: str) -> None:
    field = lineups.field(dice_race, n=8, policies="gambler", axes={"loads": "all"})
    assert field.axis == "loads"
    assert field.names == ["nothing", "a bag", "Big Trunk"]
    assert sorted(tuple(one.members[0].tolist()) for one in field.lineups) == [
        (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)
    ]  # fmt: skip
    both = lineups.field(dice_race, n=8, policies="gambler,random", axes={"loads": "nothing,a bag"})
    seated: Counter[tuple[int, int]] = Counter()
    games: Counter[tuple[int, int]] = Counter()
    for one in both.lineups:
        for a, b in one.members.tolist():
            seated[a, b] += 1
            games[tuple(sorted((a, b)))] += one.request.n // len(one.members)  # type: ignore[index]
    assert set(seated) == {(a, b) for a in range(4) for b in range(4) if a != b}
    assert set(games.values()) == {8}


def test_a_heavier_load_is_worse_and_a_lone_policy_plays(dice_race: str) -> None:
    found = play(lineups.field(dice_race, n=400, axes={"loads": "all"}), jobs=1)
    assert np.all(np.diff(found.ratings.rating) < 0)  # nothing, a bag, Big Trunk
    assert found.study().tables["standings"]["entrant"].tolist() == ["nothing", "a bag", "Big Trunk"]


# ---------------------------------------------------------------- what it finds


def test_payoffs_are_those_of_the_single_runs(dice_race: str, duel: Tournament) -> None:
    one = duel.field.lineups[2].request
    alone = analyzer.run(
        dice_race, 2, one.n, policies=["gambler", "gambler:patience=0"], seed=one.seed, jobs=1
    )
    rate = alone.win_rates("policy").set_index("policy")
    assert duel.payoffs.value[1, 2] == pytest.approx(0.5 + rate["edge"]["gambler"])
    assert duel.payoffs.value[1, 2] + duel.payoffs.value[2, 1] == pytest.approx(1.0)
    frame = duel.study().tables["matrix"].set_index(["row", "column"])
    assert frame.loc[("gambler", "gambler:patience=0"), "n"] == one.n


def test_a_known_difference_is_found(duel: Tournament) -> None:
    study = duel.study()
    best = study.tables["standings"].iloc[0]
    assert best["entrant"] == "gambler:patience=0"
    assert best["rated first"] >= 0.975
    assert best["edge_low"] > 0
    assert study.words[1].startswith("Fear gambler:patience=0")
    assert study.tables["meaning"].iloc[0]["equilibrium"] == pytest.approx(1.0)
    assert any("Clearly worse than another one" in text for text in study.words)


def test_ratings_tell_the_odds_of_a_tournament_of_two(dice_race: str) -> None:
    found = play(lineups.field(dice_race, 2, 2000, "random,gambler:patience=0"), jobs=1)
    assert "met in 1 pairing, 2,000 games, half of them in either seat" in tournament_words.played(found)
    value = found.payoffs.value[1, 0]
    told = 1 / (1 + 10 ** (-(found.elo.value[1] - found.elo.value[0]) / 400))
    assert told == pytest.approx(value, abs=0.01)


def test_equal_players_are_not_told_apart_more_often_than_by_chance(dice_race: str) -> None:
    """Three equals: at 5 % a clear pairing comes in about one of 20 tournaments."""
    wrong = feared = 0
    # One policy takes part once, however it is written: so the games are drawn here.
    written = ("random", "gambler", "gambler:noise=0", "gambler:patience=3")
    assert lineups.field(dice_race, 2, 10, written).names == ["random", "gambler"]
    rng = np.random.default_rng(5)
    for _ in range(60):
        found = synthetic(rng, np.full((3, 3), 0.5), 400)
        wrong += bool(found.beaten.any())
        feared += tournament_words.strongest(found).startswith("Fear")
    assert feared <= 8
    assert wrong <= 8  # 60 at 5 %: 3, more than 8 in 1 of 300


def test_a_circle_is_found_and_its_equilibrium_mixes() -> None:
    chance = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])
    found = synthetic(np.random.default_rng(1), chance, 4000)
    assert found.cycles in ([(0, 1, 2)], [(0, 2, 1)])
    assert found.nash is not None
    assert found.nash[0] == pytest.approx(np.full(3, 1 / 3), abs=0.05)
    assert "rock, paper, scissors" in tournament_words.circles(found)
    assert not found.dominated


def test_who_never_won_has_an_upper_limit_of_its_elo_alone() -> None:
    chance = np.array([[0.5, 0.6, 1.0], [0.4, 0.5, 1.0], [0.0, 0.0, 0.5]])
    found = synthetic(np.random.default_rng(1), chance, 300)
    elo = found.elo
    assert found.one_sided.tolist() == [0, 0, -1]
    assert elo.low[2] == -np.inf
    assert elo.value[:2].sum() == pytest.approx(0.0)  # the average of those that won and lost
    # 600 games without a win: at most 0.5 %, against two of about ±35 Elo.
    assert elo.high[2] == pytest.approx(-400 * math.log10(1 / (1 - 0.05 ** (1 / 600)) - 1), abs=10)
    assert "p2 never won a game" in tournament_words.unlimited(found)
    shown = [one.cells for one in columns(tournament_tables.standings(found))]
    assert any(str(cell).startswith("below -") for cells in shown for cell in cells)
    top = synthetic(np.random.default_rng(1), 1 - chance, 300)
    assert top.elo.high[2] == np.inf
    assert top.elo.low[2] > 800
    assert "more than +" in tournament_words.strongest(top)


def test_level_pairings_are_all_told_and_limits_stay_within_0_and_100() -> None:
    chance = np.array([[0.5, 0.5, 1.0], [0.5, 0.5, 1.0], [0.0, 0.0, 0.5]])
    found = synthetic(np.random.default_rng(3), chance, 300)
    assert "most of all p0 and p1 against p2 (100.0\u00a0% each)" in tournament_words.pairings(found)
    assert found.best.max() < tournament_words.SURE  # too close to tell who is the strongest
    assert not tournament_words.circles(found).endswith("ranked")
    assert tournament_tables.cell_text(found, 2, 0) == "0.0 (0.0–1.3)"  # Wilson's, 0 of 300
    assert "±" in tournament_tables.cell_text(found, 0, 1)
    _, edge, _ = found.against_all
    assert edge.low.min() >= -0.5
    assert np.nanmin(found.scores.low) >= 0
    assert np.nanmax(found.scores.high) <= 1


def synthetic(rng: np.random.Generator, chance: np.ndarray, n: int) -> Tournament:
    """A tournament of two seats whose wins are drawn: row beats column with `chance`."""
    from types import SimpleNamespace

    from analyzer.stats.payoffs import Seatings

    sums = []
    size = len(chance)
    for i, j in combinations(range(size), 2):
        won = rng.binomial(n // 2, [chance[i, j], chance[j, i]]).astype(float)
        credits = np.array([[won[0], n / 2 - won[0]], [won[1], n / 2 - won[1]]])
        members = np.array([[i, j], [j, i]])
        sums.append(Seatings(members, credits, credits, np.full(2, n / 2)))
    names = [f"p{i}" for i in range(size)]
    field: Any = SimpleNamespace(players=2, entrants=names, names=names, lineups=(), left=(0, 0))
    return Tournament(field, tuple(sums), 0, 1.0)


def test_limits_of_standings_cover_the_truth() -> None:
    rng, chance = np.random.default_rng(7), np.array([[0.5, 0.6, 0.55], [0.4, 0.5, 0.45], [0.45, 0.55, 0.5]])
    truth = (chance.sum(axis=1) - 0.5) / 2
    inside = total = 0
    for _ in range(150):
        rate, _, _ = synthetic(rng, chance, 300).against_all
        inside += int(((rate.low <= truth) & (truth <= rate.high)).sum())
        total += 3
    assert 0.92 <= inside / total <= 0.98


# ---------------------------------------------------------------- the same whoever plays it, text, JSON


def test_the_number_of_processes_changes_nothing(dice_race: str) -> None:
    one, two = (play(lineups.field(dice_race, 3, 40, KINDS), jobs=jobs).study() for jobs in (1, 2))
    for name, frame in one.tables.items():
        assert frame.equals(two.tables[name]), name
    assert one.words == two.words
    assert one.key == two.key


def test_the_command_prints_tables_findings_and_writes_a_page(dice_race: str) -> None:
    words = ["tournament", dice_race, "--players", "3", "--n", "60", "--policies", KINDS, "--jobs", "1"]
    told = analyze(*words, "--out", "out")
    assert told.exit_code == 0, told.output
    for text in ("Standings", "Each against each", "alpha-rank", "Report: out/report.html"):
        assert text in told.output
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 4
    assert {path.stem for path in Path("out/tables").glob("*.csv")} >= {"standings", "matrix", "line_ups"}
    assert json.loads(Path("out/study.json").read_text())["seed"] == 1


def test_json_holds_every_table(dice_race: str) -> None:
    told = analyze("tournament", dice_race, "--players", "2", "--n", "40", "--policies", KINDS, "--jobs", "1",
                   "--no-plots", "--json")  # fmt: skip
    record = json.loads(told.output)
    assert len(record["tables"]["matrix"]) == 6
    assert record["meta"]["n"] == 120
    assert all(math.isfinite(row["Elo"]) for row in record["tables"]["standings"])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--policies", "random"], "two or more"),
        (["--policies", "random,gambla"], "Did you mean 'gambler'?"),
        (["--players", "9"], "2 to 4 players"),
        (["--players", "2-3"], "one number of players"),
        (["--matchups", "all"], "give --policies"),
        (["--loads", "all", "--players", "3"], "for 2 players, not 3"),
        (["--race-length", "short,long"], "Which of these 2 settings?"),
        (["--n", "1"], "from 2 to"),
    ],
)
def test_mistakes_are_told_in_one_line(dice_race: str, words: list[str], text: str) -> None:
    told = analyze("tournament", dice_race, *words)
    assert told.exit_code == 2
    assert text in told.output
    assert len(told.output.strip().splitlines()) == 1


def test_a_policy_of_a_file_takes_part(dice_race: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from tests.toy.policies import DicePolicy\n\n\n"
        "class Bold(DicePolicy):\n    def act(self, view, score):\n        score.bold += 1\n"
    )
    found = lineups.field(dice_race, 2, 20, "mine.py:Bold,gambler:noise=1")
    assert found.names == ["Bold", "gambler:noise=1.0"]
    assert play(found, jobs=1).study().tables["standings"]["n"].tolist() == [20, 20]


def test_too_many_line_ups_are_refused(dice_race: str) -> None:
    many = [f"gambler:patience={i}" for i in range(1, 70)]
    with pytest.raises(UserError, match="line-ups; at most"):
        lineups.field(dice_race, 2, 20, many)


@pytest.mark.parametrize("game", REAL)
def test_every_game_has_tournaments(game: str) -> None:
    names = list(analyzer.policies(game))
    study = analyzer.tournament(game, 2, 8, ["random", names[-1]], jobs=1)
    assert len(study.tables["standings"]) == 2
    assert study.words[1]
    assert study.write("out", plots=game == "moscow").is_file()


def test_an_interval_from_0_to_100_per_cent_is_said_to_tell_nothing() -> None:
    """Two that are level over few games: either may be the one to play, or both."""
    rng = np.random.default_rng(1)
    level = synthetic(rng, np.full((3, 3), 0.5), 30)
    table = tournament_tables.meaning(level)
    support = level.alpha_rank[1]
    assert tournament_tables.unknown(support).any()
    assert tournament_tables.UNKNOWN in table.attrs["about"]
    assert "within the errors none or all" in tournament_words.evolution(level)
    sure = synthetic(rng, np.array([[0.5, 0.9, 0.9], [0.1, 0.5, 0.6], [0.1, 0.4, 0.5]]), 4000)
    assert tournament_tables.UNKNOWN not in tournament_tables.meaning(sure).attrs["about"]
