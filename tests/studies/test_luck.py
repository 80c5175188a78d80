"""The luck budget: it finds what is there, and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.errors import UserError
from analyzer.studies.luck import Cell, Shared, _by_policy, line_up, luck
from tests.studies.conftest import SHORT, analyze, asked


def shares(study: Any) -> Any:
    return study.tables["luck"].set_index("source")


def test_a_race_is_dice_and_hardly_deal(dice_race: str) -> None:
    study = luck(asked(dice_race, 6400, policy="gambler"), jobs=1)
    found = shares(study)
    assert found.loc["dice", "low"] > 0.5
    assert found.loc["deal", "share"] < 0.1  # a head start of one step
    assert "choices" not in found.index  # gambler never draws lots
    assert any("Other lots of the players changed none of" in text for text in study.words)
    assert found["share"].sum() == pytest.approx(1.0)
    assert any("give several policies" in text for text in study.words)


def test_players_who_draw_lots_have_a_share(dice_race: str) -> None:
    found = shares(luck(asked(dice_race, 6400, policy="random"), jobs=1))
    assert found.loc["choices", "involved low"] > 0.02


def test_a_load_is_a_share_of_the_seat_and_none_without(dice_race: str) -> None:
    loaded = shares(luck(asked(dice_race, 4800, policy="gambler", settings=["load_1=Big Trunk"]), jobs=1))
    fair = shares(luck(asked(dice_race, 4800, policy="gambler", settings=["rounds=50"], players=4), jobs=1))
    assert loaded.loc["seat", "low"] > 0.1
    assert fair.loc["seat", "high"] < 0.05


def test_a_bad_policy_makes_it_a_game_of_skill_and_two_alike_do_not(dice_race: str) -> None:
    bold = "gambler:patience=-100"  # always two dice
    skill = luck(asked(dice_race, 6400, policies=[bold, "gambler:patience=100"]), jobs=1)
    two = ["gambler:patience=99", "gambler:patience=100"]  # both far too patient to be told apart
    none = luck(asked(dice_race, 6400, policies=two), jobs=1)
    apart, alike = shares(skill), shares(none)
    why = [any("square of a difference" in text for text in study.words) for study in (skill, none)]
    assert why == [False, True]  # said where it has no visible share
    assert apart.loc["policy", "low"] > 0.01
    assert abs(alike.loc["policy", "share"]) < 1e-9  # the same games, whoever sits where


def test_the_line_up_lies_where_rotations_put_it() -> None:
    told = np.array([[[0, 1, 2], [1, 2, 0], [2, 0, 1]]], float)  # [batch, seat, rotation]: place (s + r) % 3
    assert np.array_equal(_by_policy(told)[0], np.broadcast_to([0, 1, 2], (3, 3)))


@pytest.mark.parametrize(
    "game",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in ("kraskar", "undaunted"))) for name in SHORT],
)
def test_every_game_has_a_budget(game: str) -> None:
    study = luck(asked(game, 24, policy="balanced" if game != "undaunted" else "block"), jobs=1)
    assert study.n == 24
    assert f"Only {3 if game != 'kraskar' else 6} batches" in " ".join(study.words)
    told = " ".join(study.words)
    assert ("dice" in told) == (game in ("moscow", "undaunted"))
    assert ("dice" in shares(study).index) <= (game in ("moscow", "undaunted"))


def test_no_share_is_told_as_more_than_all(dice_race: str) -> None:
    """In words, tables and chart alike; a bound limit says 100.0 %, wherever it stands."""
    study = luck(asked(dice_race, 64, policy="gambler"), jobs=1)
    limits = [
        study.tables[name][column].max()
        for name, columns in (
            ("luck", ("share", "high", "involved", "involved high")),
            ("parts", ("share", "high")),
        )
        for column in columns
    ]
    assert max(limits) == 1.0
    told = [float(x) for text in study.words for x in re.findall(r"([0-9.]+) %", text)]
    assert max(told) <= 100.0
    row = shares(study).loc["dice"]
    assert f"dice {100 * row['share']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})" in str(
        study.words
    )


def test_what_no_batch_shows_has_a_bound_and_what_cannot_be_has_none() -> None:
    """A share of which 125 batches show nothing may still be 3 in 125; of two policies in two seats one loses
    what the other wins, whatever is played: no measurement."""
    request = asked("moscow", 8 * 2 * 40, policies=["balanced", "racer"], players=2)
    design = [Cell(_lone(cell), str(cell // 2)) for cell in range(8)]  # lots of the players change nothing
    found = Shared(request, ["balanced", "racer"], {"deal": 2, "dice": 2, "choices": 2}, design)
    told = found.tables()
    row = told["luck"].set_index("source")
    assert "policy in its seat" not in row.index
    assert row.loc["dice", ["share", "low", "high"]].tolist() == [0.0, 0.0, 3 / 40]
    assert "dice no visible share (at most 7.5 %)" in " ".join(found.words())
    assert "at most about 7.5 % of the games (rule of three: 3 of 40 batches)" in " ".join(found.words())
    assert "two policies in two seats cannot tell" in " ".join(found.words())
    parts = told["parts"].set_index("factors")
    assert parts.loc[["deal", "seat x policy"], "high"].isna().all()
    assert parts.loc["dice x seat", "high"] == 3 / 40


def _lone(cell: int) -> Any:
    """Credits float32[batch 40, seat, rotation]: who wins goes by the deal alone."""
    deal = np.random.default_rng(cell // 4).integers(0, 2, (40, 1, 2))
    return np.concatenate([deal, 1 - deal], axis=1).astype(np.float32)


def test_processes_do_not_matter(dice_race: str) -> None:
    one, two = (luck(asked(dice_race, 320, players=3, block=20), jobs=jobs) for jobs in (1, 2))
    assert one.words == two.words
    assert all(one.tables[name].equals(two.tables[name]) for name in one.tables)


def test_policies_take_turns_if_none_is_named() -> None:
    names = line_up("moscow", 4)
    assert len(names) == len(set(names)) == 4
    assert "random" not in names
    assert len(line_up("moscow", 1)) == 1
    assert line_up("moscow", "2-4") == names[:1]


def test_the_command_shares_out(dice_race: str) -> None:
    words = ("luck", dice_race, "--players", "2", "--policy", "gambler", "--n", "400", "--jobs", "1")
    found = analyze(*words, "--dice", "3", "--out", "here")
    assert found.exit_code == 0, found.output
    assert "Luck decides" in found.output
    assert "2 deals, 3 throws of the dice" in found.output
    record = json.loads(analyze(*words, "--json", "--no-plots").output)
    assert record["meta"]["asked"]["levels"] == {"deal": 2, "dice": 2, "choices": 2}
    assert {row["source"] for row in record["tables"]["luck"]} >= {"deal", "dice", "seat"}


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("luck", "moscow", "--policy", "ballanced"), "balanced"),
        (("luck", "moscow", "--n", "10"), "two batches"),
        (("luck", "moscow", "--n", "1e8"), "2,000,000"),
        (("luck", "moscow", "--deals", "1"), "2 to 20"),
        (("luck", "moscow", "--players", "2,3"), "Give one"),
    ],
)
def test_mistakes_get_one_line(words: tuple[str, ...], what: str) -> None:
    found = analyze(*words)
    assert found.exit_code == 2
    assert what in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_the_python_function(dice_race: str) -> None:
    study = analyzer.luck(dice_race, players=2, n=64, jobs=1, deals=3)
    assert study.meta["asked"]["levels"]["deal"] == 3
    with pytest.raises(UserError, match="batches"):
        analyzer.luck(dice_race, players=2, n=4)
