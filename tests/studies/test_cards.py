"""Cards and units: an effect is found where there is one, and none where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

import analyzer
from analyzer.errors import UserError
from analyzer.registry import changed_config, game_config, room
from analyzer.studies.cards import cards
from tests.studies.conftest import SHORT, analyze, asked

LOADED = ["load_1=Big Trunk", "load_2=a bag"]
ONE = {"moscow": "advance 200", "eastfront": "Tiger", "kraskar": "Gate Watch (1)", "undaunted": "US SLA"}


def test_a_load_costs_its_seat_wins_and_a_dud_nothing(dice_race: str) -> None:
    study = cards(asked(dice_race, 1500, settings=LOADED), jobs=1)
    effects = study.tables["effects"].set_index(["card", "measure"])
    first, second = effects.loc[("load (1)", "seat 1 wins")], effects.loc[("load (2)", "seat 2 wins")]
    assert first["clear"]
    assert first["low"] > 0.2
    assert second["clear"]
    assert 0 < second["change"] < first["change"]
    assert effects.loc[("load (1)", "seat 2 wins"), "change"] < 0
    dud = effects.loc[("dud", "seat 1 wins")]
    assert dud["change"] == 0
    assert not dud["clear"]
    assert first["factor"] > 1.05  # the same dice make the difference vary less
    assert study.tables["not_changed"]["card"].tolist() == ["glued"]
    assert "load (1)" in study.words[1]
    assert any("Not changed: glued" in text for text in study.words)


def test_without_an_effect_a_clear_one_is_rare(dice_race: str) -> None:
    """The negative control, on luck that is not even shared: one of 20 seeds may be wrong, two rarely."""
    wrong = 0
    for seed in range(20):
        study = cards(asked(dice_race, 120, settings=["load_1=a bag"], seed=seed), only=["dud"], jobs=1)
        wrong += int(study.tables["effects"]["clear"].sum())
        assert "No card without it clearly changes who wins" in study.words[1]
    assert wrong == 0


def test_effects_are_differences_of_the_two_runs(dice_race: str) -> None:
    base = asked(dice_race, 400, settings=LOADED)
    row = cards(base, only=["load (1)"], jobs=1).tables["effects"].set_index("measure").loc["seat 1 wins"]
    rates = [
        analyzer.run(dice_race, players=2, n=400, set=given, jobs=1).win_rates().loc[0, "win_rate"]
        for given in (LOADED, ["load_1=nothing", LOADED[1]])
    ]
    assert row["before"] == pytest.approx(rates[0])
    assert row["after"] == pytest.approx(rates[1])
    assert row["change"] == pytest.approx(rates[1] - rates[0])


@pytest.mark.parametrize("game", list(SHORT))
def test_every_game_has_cards_to_take_away(game: str) -> None:
    study = cards(asked(game, 20), only=[ONE[game]], jobs=1)
    assert study.n == 40
    assert study.tables["cards"]["card"].tolist() == [ONE[game]]
    assert len(study.tables["correlations"])
    rates = study.tables["win_rates"]
    rates = rates[rates["card"] == ONE[game]]
    assert (rates["n"] + rates["n_without"] == (40 if game in ("moscow", "eastfront") else 20)).all()
    assert study.charts


@pytest.mark.parametrize("game", list(SHORT))
def test_every_piece_can_be_put_and_is_then_so_many(game: str) -> None:
    config = game_config(game)
    pieces = room(game).part("pieces").pieces(config.rules)
    assert changed_config(config, lambda values: None).digest == config.digest
    for piece in pieces:
        for count in {0, min(piece.count + 1, piece.most)}:
            changed = changed_config(config, lambda values, p=piece, k=count: p.put(values, k))  # type: ignore[misc]
            now = {one.name: one.count for one in room(game).part("pieces").pieces(changed.rules)}
            assert now.get(piece.name, 0) == count
            others = {one.name: one.count for one in pieces if one is not piece}
            assert {name: now[name] for name in others} == others


def test_processes_do_not_matter(dice_race: str) -> None:
    one, two = (cards(asked(dice_race, 200, settings=LOADED, block=50), jobs=jobs) for jobs in (1, 2))
    assert one.words == two.words
    assert all(one.tables[name].equals(two.tables[name]) for name in one.tables)


def test_copies_can_be_added(dice_race: str) -> None:
    study = cards(asked(dice_race, 40), 3, only=["dud"], jobs=1)
    assert study.tables["effects"]["changed_to"].tolist() == [5] * len(study.tables["effects"])
    assert np.isfinite(study.tables["effects"]["change"]).all()


def test_the_command_sets_them_side_by_side(dice_race: str) -> None:
    words = ("cards", dice_race, "--players", "2", "--n", "300", "--jobs", "1", "--set", "load_1=Big Trunk")
    found = analyze(*words, "--out", "here")
    assert found.exit_code == 0, found.output
    assert "Correlation and effect" in found.output
    assert "on the same luck" in found.output
    record = json.loads(analyze(*words, "--json", "--no-plots", "--cards", "load (1)").output)
    assert [row["card"] for row in record["tables"]["cards"]] == ["load (1)"]
    assert record["meta"]["n"] == 600


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("cards", "moscow", "--cards", "advance 20"), "advance 200"),
        (("cards", "moscow", "--copies", "0"), "changes nothing"),
        (("cards", "moscow", "--copies", "-50"), "at most"),
        (("cards", "moscow", "--n", "5"), "from 20"),
        (("cards", "moscow", "--players", "2,3"), "Give one"),
        (("cards", "kraskar", "--copies", "1"), "at most 1"),
    ],
)
def test_mistakes_get_one_line(words: tuple[str, ...], what: str) -> None:
    found = analyze(*words)
    assert found.exit_code == 2
    assert what in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_the_python_function(dice_race: str) -> None:
    study = analyzer.cards(dice_race, players=2, n=40, jobs=1, only=["dud"])
    assert study.name == "cards"
    with pytest.raises(UserError, match="dud"):
        analyzer.cards(dice_race, players=2, n=40, only=["dut"])
