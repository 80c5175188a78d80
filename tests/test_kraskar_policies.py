"""What the policies of Kraskar are for: they beat chance, and their games come to an end."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.config import load_config
from analyzer.games.base import Array
from analyzer.games.kraskar.policies import POLICIES, Balanced, Heuristic, KraskarPolicy
from analyzer.games.kraskar.rules import Kraskar
from analyzer.sim.chance import Luck
from analyzer.sim.engine import play

GAMES = 200


def outcomes(one: KraskarPolicy, two: KraskarPolicy, *settings: str) -> dict[str, Array]:
    """The measures of some games of these two, always with the same luck."""
    game = Kraskar(load_config("kraskar", overrides=settings).rules, 2)
    luck = Luck("kraskar", 3, 0, GAMES, np.arange(GAMES))
    return play(game, [one, two], luck, np.arange(GAMES)).columns


@pytest.mark.parametrize("name", [name for name, cls in POLICIES.items() if issubclass(cls, Heuristic)])
def test_every_heuristic_beats_random(name: str) -> None:
    for seat in (0, 1):
        pair = [POLICIES["random"](), POLICIES["random"]()]
        pair[seat] = POLICIES[name]()
        winner = outcomes(*pair)["winner"]
        assert np.mean(winner == seat + 1) >= 0.9


def test_balanced_brings_castles_down_where_archers_stall() -> None:
    """Pressing on ends games that would reach the limit of turns (K23), and changes no shorter one."""
    decks = "decks=[Archer Line, Archer Line]"
    played = outcomes(Balanced(), Balanced(), decks)
    waiting = outcomes(Balanced(press=1.0), Balanced(press=1.0), decks)
    fallen, fallen_waiting = (np.mean(one["end"] == 0) for one in (played, waiting))
    assert fallen >= 0.9
    assert fallen > fallen_waiting + 0.04
    low, high = np.percentile(played["turns"], [25, 75])
    assert low >= 15
    assert high <= 45
    early, early_waiting = (one["turns"] <= 20 for one in (played, waiting))
    assert early.any()
    assert (early == early_waiting).all()
    assert (played["fingerprint"][early] == waiting["fingerprint"][early]).all()


@pytest.mark.parametrize(("press", "turn", "first"), [(0.5, 30, "random"), (0.25, 15, "2")])
def test_pressing_begins_after_its_share_of_the_turns(press: float, turn: int, first: str) -> None:
    """Every game is the same up to that turn, whoever moves first; afterwards some are not."""
    settings = ("decks=[Archer Line, Archer Line]", f"first_player={first}")
    pressing, waiting = (outcomes(Balanced(press=p), Balanced(press=p), *settings) for p in (press, 1.0))
    short = (pressing["turns"] <= turn) | (waiting["turns"] <= turn)
    same = pressing["fingerprint"] == waiting["fingerprint"]
    assert short.any()
    assert same[short].all()
    assert not same.all()
