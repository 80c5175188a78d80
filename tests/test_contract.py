"""The contract of games and policies, over everything that is registered; and that the checks find faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer import registry
from analyzer.errors import UserError
from analyzer.sim import steady
from analyzer.sim.request import build
from analyzer.sim.tally import Tally
from analyzer.testing import ContractError, check_game, check_policy, most_telling
from tests.toy import rules as toy

GAMES = registry.game_names()
POLICIES = [(game, policy) for game in GAMES for policy in registry.policies_of(game)]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_its_contract(game: str) -> None:
    """With its most telling policies; the next test looks at the games of all of them."""
    check_game(game, policies=most_telling(game))


@pytest.mark.parametrize(("game", "policy"), POLICIES)
def test_every_policy_keeps_its_contract(game: str, policy: str) -> None:
    check_policy(policy, game, thorough=False)


@pytest.mark.parametrize("game", GAMES)
def test_no_policy_of_ones_own_is_suspected_for_nothing(game: str, tmp_path: Path) -> None:
    """The trial before a run, with policies that play as those of the game, under several seeds."""
    module = registry.room(game).part("policies").__name__
    text = f"from {module} import POLICIES\n"
    for name in ("random", registry.default_policy(game)):
        text += f"\nclass My{name.title()}(POLICIES[{name!r}]):\n    pass\n"
    (tmp_path / "mine.py").write_text(text)
    counts = registry.player_counts(game)
    for seed in range(6):
        name = ("Random", registry.default_policy(game).title())[seed % 2]
        players = min(4, counts[-1])
        steady.check_steady(build(game, players, 100, policy=f"{tmp_path}/mine.py:My{name}", seed=seed))
        steady._steady.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "policy"), POLICIES)
def test_every_policy_keeps_its_contract_in_a_crowd_and_for_long(game: str, policy: str) -> None:
    check_policy(policy, game, patience=300)


@pytest.mark.parametrize("game", GAMES)
def test_policies_have_words_and_can_be_set_on_the_command_line(game: str) -> None:
    for name, cls in registry.policies_of(game).items():
        assert cls.__doc__, name
        assert cls.__doc__ != cls.__mro__[1].__doc__, name
        assert registry.policy(f"{name}:noise=3", game).noise == 3


def test_the_toy_keeps_its_contract(dice_race: str) -> None:
    check_game(dice_race)
    check_policy("gambler:patience=1,noise=0.5", dice_race, players=3)


# ---------------------------------------------------------------- the checks find what is wrong

FAULTS = {
    "changes the view (mine)": "view.mine[0] = 3",
    "global random generator": "score.bold += np.random.random(len(view.mine))",
    "plays differently the second time": "Policy.calls += 1; score.bold += np.cos(Policy.calls**2)",
    "goes differently alone": "score.bold += view.mine.astype(int) - view.mine.mean()",
    "not a finite number": "score.bold += np.where(view.mine > 2, np.nan, 0)",
    "chose an illegal answer": "return view.mine + 2",
    "an array of whole numbers of shape": "return np.zeros(3)",
    "raised ZeroDivisionError": "1 / 0",
}


@pytest.mark.parametrize(("said", "body"), FAULTS.items())
def test_a_faulty_policy_is_found(dice_race: str, tmp_path: Path, said: str, body: str) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(
        "import numpy as np\nfrom tests.toy.policies import DicePolicy\n\n\nclass Policy:\n    calls = 0\n\n"
        f"class Faulty(DicePolicy):\n    def act(self, view, score):\n        {body}\n"
    )
    with pytest.raises(ContractError) as caught:
        check_policy(f"{path}:Faulty", dice_race)
    assert said in str(caught.value)


def test_a_misnamed_method_is_found(dice_race: str) -> None:
    class Typo(toy.DicePolicy):
        def acts(self, view: Any, score: Any) -> None: ...

    class Short(toy.DicePolicy):
        def act(self, view: Any) -> None: ...  # type: ignore[override]

    with pytest.raises(ContractError, match="did you mean 'act'"):
        check_policy(Typo, dice_race)
    with pytest.raises(ContractError, match=r"must take \(self, view, score\)"):
        check_policy(Short, dice_race)


def test_wrong_numbers_of_players_are_refused(dice_race: str) -> None:
    with pytest.raises(UserError, match="2 to 4 players, not 7"):
        check_policy("gambler", dice_race, players=7)


def spoil(monkeypatch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    really = getattr(toy.DiceRace, name)
    monkeypatch.setattr(toy.DiceRace, name, lambda self, *args: change(self, really(self, *args), *args))


def _row_dependent(self: Any, state: Any, luck: Any) -> Any:
    state.steps[0] += len(state.rows) > 30
    return state


def _lossy(self: Any, tallies: Any, *_: Any) -> Any:
    return {**tallies, "turns": Tally({"x": range(1)}, np.array([7]))}


def _few_columns(self: Any, columns: Any, *_: Any) -> Any:
    return {name: values for name, values in columns.items() if name != "turns"}


def _no_turns(self: Any, columns: Any, *_: Any) -> Any:
    return {**columns, "turns": columns["turns"] * 0}


GAME_FAULTS = [
    ("goes differently alone", "start", _row_dependent),
    ("not the sum of the tallies", "tallies", _lossy),
    ("raised KeyError: 'turns'", "outcome", _few_columns),
    ("turns is not within 1 to 40", "outcome", _no_turns),
]


@pytest.mark.parametrize(("said", "name", "change"), GAME_FAULTS)
def test_a_faulty_game_is_found(
    dice_race: str, monkeypatch: pytest.MonkeyPatch, said: str, name: str, change: Any
) -> None:
    spoil(monkeypatch, name, change)
    with pytest.raises(ContractError) as caught:
        check_game(dice_race, players=2)
    assert said in str(caught.value)
