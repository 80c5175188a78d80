"""A told game of Kraskar: what a reader adds up from the telling is what the game holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

import analyzer
from analyzer.games.kraskar.tell_words import LETTERS, board

SETTINGS = [
    [],
    ["decks=[Cavalry Rush, Spear Wall]", "first_player=2"],
    ["decks=[Siege Train, Archer Line]", "damage=plain", "castle_life=12"],
    ["damage=ratio", "hit_points=3", "columns=7", "rows=6"],
]


def told_game(game: int, settings: list[str], policy: str = "hunter") -> Any:
    return analyzer.replay("kraskar", game_index=game, set=settings, policy=policy)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("policy", ["hunter", "random"])
def test_events_add_up(settings: list[str], policy: str) -> None:
    """Castles by sieges, hit points by hits, places by moves, returns by retreats: from the events alone."""
    for game in range(3):
        told = told_game(game, settings, policy)
        start = told.events[0]
        castle = [start["castle"]] * 2
        units = {
            (seat, unit["name"]): dict(unit) for seat, deck in enumerate(start["units"], 1) for unit in deck
        }
        full = start["units"][0][0]["hit_points"]
        for event in told.events[1:]:
            seat = event["seat"]
            if event["what"] == "turn":
                assert event["castle"] == castle
                for number, deck in enumerate(event["units"], 1):
                    for unit in deck:
                        mine = units[number, unit["name"]]
                        assert (unit["at"], unit["hit_points"]) == (mine["at"], mine["hit_points"])
            elif event["what"] == "deploy":
                units[seat, event["unit"]].update(at=event["to"], hit_points=full)
                for later in told.events[told.events.index(event) :]:
                    if later["what"] == "turn":
                        break
            elif event["what"] == "act":
                units[seat, event["unit"]]["at"] = event["to"]
                wounds: dict[Any, int] = {}
                for hit in event["hits"]:
                    key = (hit["seat"], hit["unit"])
                    wounds[key] = wounds.get(key, 0) + hit["loss"]
                    assert hit["retreats"] == (hit["left"] == 0)
                    if hit["retreats"]:
                        units[key]["at"] = None
                for key, lost in wounds.items():
                    units[key]["hit_points"] = max(0, units[key]["hit_points"] - lost)
                    last = next(hit for hit in event["hits"] if (hit["seat"], hit["unit"]) == key)
                    assert units[key]["hit_points"] == last["left"]
                if event["siege"]:
                    castle[2 - seat] -= event["siege"]["taken"]
                    assert castle[2 - seat] == event["siege"]["castle"]
        end = told.events[-1]
        assert end["what"] == "end"
        assert end["castle"] == castle == told.outcome["castle"]
        assert end["winner"] == told.outcome["winner"]
        sieges = [
            sum(1 for e in told.events if e["what"] == "act" and e["siege"] and e["seat"] == s)
            for s in (1, 2)
        ]
        assert sieges == told.outcome["sieges"]
        retreats = [
            len({(e["turn"], k, h["unit"]) for k, e in enumerate(told.events) if e["what"] == "act"
                 for h in e["hits"] if h["retreats"] and h["seat"] == s})
            for s in (1, 2)
        ]  # fmt: skip
        assert retreats == told.outcome["retreats"]
        turns = [event["turn"] for event in told.events if event["what"] == "turn"]
        assert turns == list(range(1, told.outcome["turns"] + 1))
        assert told.events[1]["seat"] == start["first"] == told.outcome["first"]


@pytest.mark.parametrize("settings", SETTINGS)
def test_words_fit_and_events_are_plain(settings: list[str]) -> None:
    told = told_game(2, settings, "random")
    assert max(map(len, told.lines)) <= 100
    assert json.loads(json.dumps(told.records())) == told.records()
    text = "\n".join(told.lines)
    assert "castle of seat 2" in text
    assert "moves first" in text


def test_the_same_game_of_a_run_is_told() -> None:
    results = analyzer.run("kraskar", n=40, seed=5, jobs=1, policies=["balanced", "hunter"])
    for game in (0, 7, 38):
        told = analyzer.replay("kraskar", game_index=game, seed=5, policies=["balanced", "hunter"])
        row = results.games.set_index("game").loc[game]
        assert told.outcome["fingerprint"] == row["fingerprint"]
        assert (told.outcome["winner"], told.outcome["turns"]) == (row["winner"], row["turns"])


def test_the_board_shows_every_unit_in_its_square() -> None:
    unit = {"hit_points": 16, "force": 4, "gauge": 2, "exhausted": True, "besieging": False}
    unit |= {"boost": 2, "rally": 0, "weaken": 0}
    units = [[{**unit, "at": [1, 2]}, {**unit, "at": [1, 2]}], [{**unit, "at": [4, 3]}, {**unit, "at": None}]]
    lines = board(units, 4, 3, [30, 12])
    assert lines[0].split() == ["4", ".", ".", "a", "castle", "of", "seat", "2:", "12"]
    assert lines[3].split()[:4] == ["1", ".", "AB", "."]
    assert "b retreated (gauge 2)" in lines[6]
    assert "A 16 hp force 4 (exhausted, boost 2)" in lines[5]
    assert len(LETTERS[0]) == len(LETTERS[1]) == 8
