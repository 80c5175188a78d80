"""The story of a game: its numbers are those of the games, and it says so where there are too few."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer import seats
from analyzer.errors import UserError
from analyzer.sim import runner
from analyzer.sim.watch import CourseWatch, watched
from analyzer.stats import pacing
from analyzer.studies import games, story_words
from analyzer.studies.story import FOLDS, Told, chances, quantile, story
from tests.studies.conftest import SHORT, analyze, asked


def test_a_race_is_told(dice_race: str) -> None:
    study = story(asked(dice_race, 2000, players=3), jobs=1)
    rows = study.tables["story"].set_index("measure")
    assert rows.loc["games with one winner", "value"] == 100.0
    assert rows.loc["the leader after a third wins", "value"] > 36  # a lead in steps is worth something
    assert rows.loc["a seat behind at half-time wins", "value"] < 30
    backs = study.tables["comebacks"]
    assert backs["win_rate"].iloc[-1] < backs["win_rate"].iloc[0]  # who is further behind wins less
    by = study.tables["decided"]["share"].to_numpy()
    assert np.all(np.diff(by) >= 0)
    assert by[-1] == 1.0
    assert (study.tables["idle"]["share"] == 0).all()  # one may always step
    off = study.tables["calibration"]
    near = (off["told"] - off["win_rate"]).abs() < np.maximum(0.06, 1.5 * (off["high"] - off["low"]))
    assert near[off["n"] > 300].all()


def test_a_load_on_one_seat_shows_in_the_chances(dice_race: str) -> None:
    told = _told(asked(dice_race, 1500, settings=["load_1=Big Trunk"]))
    first = told.chance[:, 0]
    assert first[0].mean() < 0.2 < 0.8 < first[1].mean()


def test_where_the_score_is_pure_noise_nothing_is_decided_early(dice_race: str) -> None:
    """The negative control: scores that have nothing to do with who wins."""
    told = _told(asked(dice_race, 1500))
    rng = np.random.default_rng(5)
    noise = pacing.story(rng.integers(0, 30, told.told.score.shape), told.told.credit, told.told.length)
    chance = pacing.chances(noise)
    early = pacing.decided(noise, chance) < noise.length
    assert early.mean() < 0.02
    rate = pacing.runaway(noise).rate
    assert rate.low < 0.5 < rate.high


def _told(request: object) -> Told:
    results = runner.run(watched(request, CourseWatch), jobs=1)  # type: ignore[arg-type]
    return Told(results, request.make_game(), request.room.part("course").COURSE)  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", list(SHORT))
def test_every_game_has_a_story(game: str) -> None:
    study = story(asked(game, 24), jobs=1)
    assert study.n == 24
    assert "too few" in study.words[1]
    assert study.charts
    assert study.tables["idle"]["seat"].tolist() == list(seats.names(game, 2))
    assert study.tables["calibration"]["n"].sum() > 0


def test_the_largest_clear_miss_of_the_chances_is_told() -> None:
    """What lies within its interval is no miss, however far off."""
    frame = pd.DataFrame({"told": [0.1, 0.551, 0.9], "win_rate": [0.12, 0.446, 0.6]})
    frame["low"], frame["high"] = frame["win_rate"] - [0.01, 0.02, 0.4], frame["win_rate"] + [0.01, 0.02, 0.4]
    told = story_words.misses(frame)
    assert told == "; 2 of 3 groups clearly miss, most of all 55.1\xa0% told, 44.6\xa0% won"
    assert story_words.misses(frame[2:]) == ""


def test_where_there_are_too_few_games_no_table_says_when_they_are_decided(dice_race: str) -> None:
    """What the words call too few has neither value nor limits in any table, nor a chart."""
    few = story(asked(dice_race, 300, players=3), jobs=1)
    assert "too few" in few.words[1]
    rows = few.tables["story"].set_index("measure")
    told = rows.loc[[name for name in rows.index if "decided" in name or "hope" in name or "..." in name]]
    assert len(told) == 5
    assert told[["value", "low", "high"]].isna().all(axis=None)
    assert told["unit"].str.contains("400 with one winner are needed").all()
    assert not {"decided", "chances"} & set(few.tables)
    assert "decided" not in [chart.name for chart in few.charts]
    assert not any("without hope" in one for one in few.words)


def test_what_tells_who_wins_has_intervals(dice_race: str) -> None:
    frame = story(asked(dice_race, 300, players=3), jobs=1).tables["signs"]
    signs = [name for name in frame if f"{name} low" in frame]
    assert signs
    for name in signs:
        known = frame[f"{name} low"].notna()
        assert known.any()
        assert (frame[f"{name} low"] <= frame[name])[known].all()
    assert set(frame.attrs["kinds"]) == set(signs)


def test_a_games_own_result_has_no_part_in_its_chances() -> None:
    """With few games chances would be bold else. Other winners in a fold: only other games' chances move."""
    rng = np.random.default_rng(11)
    signs, winner = rng.normal(size=(4, 2, 3, 120)), rng.integers(0, 2, 120)
    mine = np.arange(120) % FOLDS[0] == 3

    def chance(winner: np.ndarray) -> np.ndarray:
        credit = (winner == np.arange(2)[:, None]).astype(float)
        return chances(pacing.story(signs[0] * 100, credit, np.full(120, 3)), signs)

    before, after = chance(winner), chance(np.where(mine, 1 - winner, winner))
    assert np.array_equal(before[..., mine], after[..., mine])
    assert not np.array_equal(before[..., ~mine], after[..., ~mine])


def test_processes_do_not_matter(dice_race: str) -> None:
    one, two = (story(asked(dice_race, 400, block=50), jobs=jobs) for jobs in (1, 2))
    assert one.words == two.words
    assert all(one.tables[name].equals(two.tables[name]) for name in one.tables)


def test_shared_wins_are_credited_in_parts() -> None:
    columns = {"won_1": np.array([1, 0, 1]), "won_2": np.array([1, 0, 0]), "winner": np.array([-1, 0, 1])}
    assert games.credits(columns, 2).tolist() == [[0.5, 0.0, 1.0], [0.5, 0.0, 0.0]]


def test_the_interval_of_a_median_covers_it() -> None:
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        _, low, high = quantile(rng.normal(size=200), 0.5)
        inside += low <= 0 <= high
    assert inside >= 0.92 * 400


def test_the_command_tells_it(dice_race: str) -> None:
    found = analyze("story", dice_race, "--players", "3", "--n", "600", "--jobs", "1", "--out", "here")
    assert found.exit_code == 0, found.output
    assert "Half of the games are decided" in found.output or "are open until" in found.output
    assert "seed 1" in found.output
    page = analyze("story", dice_race, "--players", "3", "--n", "600", "--jobs", "1", "--json", "--no-plots")
    record = json.loads(page.output)
    assert record["meta"]["n"] == 600
    assert {"story", "decided", "comebacks", "idle"} <= set(record["tables"])


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("story", "moscov"), "moscow"),
        (("story", "moscow", "--players", "1", "--policy", "balanced"), "two seats"),
        (("story", "moscow", "--players", "2-4"), "Give one"),
        (("story", "moscow", "--n", "60000"), "50,000"),
        (("story", "moscow", "--n", "3"), "from 20"),
    ],
)
def test_mistakes_get_one_line(words: tuple[str, ...], what: str) -> None:
    found = analyze(*words)
    assert found.exit_code == 2
    assert what in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_the_python_function(dice_race: str) -> None:
    study = analyzer.story(dice_race, players=2, n=40, jobs=1)
    assert study.name == "story"
    with pytest.raises(UserError, match="two seats"):
        analyzer.story("moscow", players=1, policy="balanced", n=40)
