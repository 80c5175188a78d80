"""Games that are watched, and luck whose kinds have seeds of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyzer.sim import request, runner
from analyzer.sim.chance import DEAL, DICE, NOISE, TIES, Luck
from analyzer.sim.crossed import KINDS, crossed, level_seed
from analyzer.sim.watch import CourseWatch, PlaysWatch, watched

ROWS = np.arange(8)
SHORT = {"kraskar": ["turn_limit=12"], "undaunted": ["round_limit=4"]}  # settings that make games short
FINAL = {"moscow": "km", "eastfront": "points", "kraskar": "castle", "dice_race": "steps"}


def luck(**seeds: int) -> Luck:
    names = {"deal": DEAL, "dice": DICE, "ties": TIES, "noise": NOISE}
    return Luck("moscow", 3, 2, 8, ROWS, {names[name]: seed for name, seed in seeds.items()})


def drawn(one: Luck) -> dict[str, Any]:
    return {
        "deal": one.deal_bits(one.stream(DEAL), 5),
        "dice": one.dice(6, 4, 1, ROWS),
        "ties": one.keys(TIES),
        "noise": one.noise("act", 3, 0, 4, ROWS),
    }


@pytest.mark.parametrize("kind", ["deal", "dice", "ties", "noise"])
def test_a_seed_of_its_own_changes_that_kind_of_chance_and_no_other(kind: str) -> None:
    plain, other = drawn(luck()), drawn(luck(**{kind: 4}))
    for name, values in plain.items():
        assert np.array_equal(values, other[name]) == (name != kind)


def test_the_runs_own_seed_for_each_kind_changes_nothing() -> None:
    plain, same = drawn(luck()), drawn(luck(deal=3, dice=3, ties=3, noise=3))
    assert all(np.array_equal(values, same[name]) for name, values in plain.items())


def test_levels_have_seeds_of_their_own_also_beside_those_of_the_next_run() -> None:
    seeds = {level_seed(seed, level) for seed in range(50) for level in range(20)}
    assert len(seeds) == 50 * 20
    assert level_seed(7, 0) == 7


@pytest.mark.parametrize("game", ["dice_race", "moscow", "eastfront", "kraskar", "undaunted"])
def test_watched_games_are_the_games_and_end_with_their_score(game: str, dice_race: str) -> None:
    asked = request.build(game, players=2, n=8, settings=SHORT.get(game, ()))
    plain, seen = (runner.run(one, jobs=1) for one in (asked, watched(asked, CourseWatch)))
    assert plain.games.equals(seen.games[plain.games.columns])
    for name, tally in plain.tallies.items():
        assert tally.equals(seen.tallies[name])
    frame, last = seen.games, seen.games["rounds"].to_numpy() - 1
    for seat in range(1, asked.players + 1):
        names = [name for name in frame if name.startswith("score_") and name.endswith(f"_{seat}")]
        every = np.stack([frame[name] for name in names])
        if game in FINAL:
            assert np.array_equal(every[last, np.arange(len(frame))], frame[f"{FINAL[game]}_{seat}"])
        assert len(np.unique(every)) > 1


def test_the_watch_is_part_of_what_is_asked_for(dice_race: str) -> None:
    asked = request.build(dice_race, n=10)
    keys = {asked.key, watched(asked, CourseWatch).key, watched(asked, PlaysWatch).key}
    assert len(keys) == 3


def test_plays_are_counted_as_the_game_counts_them(dice_race: str) -> None:
    asked = watched(request.build(dice_race, players=3, n=300), PlaysWatch)
    tallies = runner.run(asked, jobs=1).tallies
    cards, actions = tallies["cards"], tallies["actions"]
    for seat, label in ((1, "load (1)"), (2, "load (2)")):
        mine = cards[(cards["seat"] == seat) & (cards["card"] == label)]
        bold = actions[(actions["seat"] == seat) & (actions["action"] == "bold")]["n"].sum()
        assert (mine["count"] * mine["n"]).sum() == bold > 0
        assert mine["n"].sum() == 300
    assert set(cards["seat"]) == {1, 2}  # seat 3 has no piece


@pytest.mark.parametrize("game", ["kraskar", "undaunted"])
def test_pieces_are_counted_by_whether_their_seat_won(game: str) -> None:
    asked = request.build(game, n=16, settings=SHORT[game])
    found = runner.run(watched(asked, PlaysWatch), jobs=1)
    cards, wins = found.tallies["cards"], found.games["winner"].value_counts()
    for (seat, _, _), mine in cards.groupby(["seat", "stat", "card"]):
        assert mine["n"].sum() == 16
        assert mine.loc[mine["won"] == 1, "n"].sum() == wins.get(seat, 0)
    own = {piece.name: piece for piece in asked.room.part("pieces").pieces(asked.config.rules)}
    assert set(own) <= set(cards["card"])
    assert (cards[cards["stat"] == "played"]["count"] > 0).any()


def test_a_cell_of_level_0_in_one_rotation_is_the_run_itself(dice_race: str) -> None:
    asked = request.build(dice_race, players=3, n=50)
    cell = crossed(asked, 50, dict.fromkeys(KINDS, 0))
    assert runner.run(asked, jobs=1).games.equals(runner.run(cell, jobs=1).games)


def test_all_rotations_of_a_cell_have_the_same_luck(dice_race: str) -> None:
    asked = request.build(dice_race, players=2, policies=["gambler", "gambler:patience=3"], n=60, block=16)
    asked = replace(
        asked, policies=(asked.policies[0], replace(asked.policies[1], spec="gambler:patience=3"))
    )
    frame = runner.run(crossed(asked, 30, {"dice": 1}), jobs=1).games
    if len(asked.rotations) == 2:  # the same policy under two names: both rotations play the same games
        first, second = (frame[frame["rotation"] == r].reset_index(drop=True) for r in (0, 1))
        assert first.drop(columns=["game", "rotation"]).equals(second.drop(columns=["game", "rotation"]))
    else:
        pytest.fail("the two names should make two rotations")
