"""A game of a run, played alone and told: it is the very game of the run."""

from __future__ import annotations

import json
from typing import Any

import pytest

import analyzer
from analyzer.errors import UserError
from analyzer.sim import runner
from analyzer.sim.replay import replay
from analyzer.sim.request import Request, build
from tests.toy.config import toy_config


def request(n: int) -> Request:
    return build("dice_race", 3, n, ["random", "gambler", "gambler"], block=64, config=toy_config())


@pytest.mark.parametrize("index", [0, 1, 2, 63, 64, 191, 192, 500, 799])
def test_the_replay_is_the_game_of_the_run(dice_race: str, index: int) -> None:
    row: dict[str, Any] = runner.run(request(800), jobs=1).games.set_index("game").loc[index].to_dict()
    told = replay(request(1), index)
    assert told.rotation == row["rotation"]
    assert {name: told.outcome[name] for name in ("winner", "end", "turns")} == {
        name: row[name] for name in ("winner", "end", "turns")
    }
    assert told.outcome["steps"] == [row[f"steps_{seat}"] for seat in (1, 2, 3)]
    assert len(told.events) == told.outcome["turns"]
    assert [event["seat"] for event in told.events[:3]] == [1, 2, 3]


def test_it_reads_as_words_and_as_json(dice_race: str) -> None:
    told = replay(request(1), 5)
    text = str(told)
    assert text.startswith("Game 5 of dice_race, seed 1, rotation 2. Seats: 1 gambler, 2 random, 3 gambler.")
    assert "turn 1, seat 1: act: chosen " in text
    records = [json.loads(json.dumps(record)) for record in told.records()]
    assert records == told.records()
    assert (records[0]["what"], records[-1]["what"]) == ("game", "outcome")


def test_moscow_by_the_api() -> None:
    results = analyzer.run("moscow", players=2, n=6, seed=3, block=4)
    told = analyzer.replay("moscow", players=2, seed=3, block=4, game_index=5)
    row = results.games.set_index("game").loc[5]
    assert (told.outcome["winner"], told.outcome["turns"]) == (row["winner"], row["turns"])
    assert len(told.events) >= told.outcome["turns"] / 2


def test_a_game_that_cannot_be_is_refused(dice_race: str) -> None:
    with pytest.raises(UserError, match="game must be"):
        replay(request(1), -1)
