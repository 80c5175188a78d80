"""Games and policies by name, file, module and entry point; parameters; what is said of wrong ones."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Literal

import pytest

from analyzer import policy_choice, registry, rooms
from analyzer.errors import UserError
from analyzer.games.base import Policy
from analyzer.specs import convert, convert_all, parse, split_list

BRAVE = """
from tests.toy.policies import DicePolicy


class Brave(DicePolicy):
    \"\"\"Bold with this chance of a liking.\"\"\"

    liking: float = 1.0

    def act(self, view, score):
        score.bold += self.liking
"""


@pytest.fixture
def brave(tmp_path: Path) -> Path:
    path = tmp_path / "brave.py"
    path.write_text(BRAVE)
    return path


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch):
    """Entry points as installed packages would declare them."""
    declared: dict[str, tuple[EntryPoint, ...]] = {registry.GAMES: (), registry.POLICIES: ()}
    for module in (rooms, policy_choice):
        monkeypatch.setattr(module, "entry_points", lambda group: declared[group])
    rooms._installed_rooms.cache_clear()

    def declare(group: str, *pairs: tuple[str, str]) -> None:
        rooms._installed_rooms.cache_clear()
        declared[group] = tuple(EntryPoint(name, value, group) for name, value in pairs)

    yield declare
    rooms._installed_rooms.cache_clear()


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("text", "source", "name", "params"),
    [
        ("balanced", "", "balanced", {}),
        ("balanced:courage=0.5,noise=10", "", "balanced", {"courage": "0.5", "noise": "10"}),
        ("my.module:Name", "my.module", "Name", {}),
        ("my.module:Name:a=1", "my.module", "Name", {"a": "1"}),
        ("a/b=c/file.py:Name", "a/b=c/file.py", "Name", {}),
        ("a/file.py:Name:a=2/3", "a/file.py", "Name", {"a": "2/3"}),
        ("a/file.py", "a/file.py", "", {}),
        ("a/file.py:a=1", "a/file.py", "", {"a": "1"}),
    ],
)
def test_a_line_is_taken_apart(text: str, source: str, name: str, params: dict[str, str]) -> None:
    found = parse(text)
    assert (found.source, found.name, dict(found.params)) == (source, name, params)


@pytest.mark.parametrize(
    "text", ["", "  ", ":", "balanced:", ":Name", "x:a=1,b", "x:a=1,a=2", "x:=1", "x:a="]
)
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse(text)


def test_a_list_keeps_parameters_with_their_policy() -> None:
    assert split_list("a:x=1,y=2,b, c.py:D:z=3,w=4") == ["a:x=1,y=2", "b", "c.py:D:z=3,w=4"]
    with pytest.raises(UserError, match="empty place"):
        split_list("a,,b")


# ---------------------------------------------------------------- parameters


class Mood(Enum):
    CALM = 1
    WILD = 2


@dataclass(frozen=True)
class Many(Policy):
    rate: float = field(default=0.5, metadata={"range": (0, 1)})
    count: int = 3
    flag: bool = False
    whom: Literal["leader", "next"] = "leader"
    mood: Mood = Mood.CALM
    limit: int | None = None
    name: str = "x"
    weights: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("rate", "0.25", 0.25),
        ("rate", "2/3", 2 / 3),
        ("rate", "1", 1.0),
        ("count", "12", 12),
        ("count", "1e3", 1000),
        ("flag", "True", True),
        ("flag", "off", False),
        ("whom", "next", "next"),
        ("mood", "WILD", Mood.WILD),
        ("limit", "none", None),
        ("limit", "7", 7),
        ("name", "3", "3"),
        ("noise", "5", 5.0),
    ],
)
def test_texts_become_values_of_the_fields_types(name: str, text: str, value: object) -> None:
    found = convert_all(Many, {name: text})[name]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rat", "1", "'rate'"),
        ("rate", "much", "not a number"),
        ("rate", "nan", "not a number"),
        ("rate", "1/0", "not a number"),
        ("rate", "2", "0 to 1"),
        ("count", "1.5", "whole number"),
        ("flag", "maybe", "true"),
        ("whom", "leadr", "'leader'"),
        ("mood", "WILDE", "'WILD'"),
        ("limit", "some", "not a whole number"),
        ("weights", "1", "cannot be set"),
    ],
)
def test_wrong_parameters_are_named(name: str, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        convert_all(Many, {name: text})


def test_an_annotation_that_nobody_can_read_falls_back_to_the_default(dice_race: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        "from __future__ import annotations\n" + BRAVE.replace("liking: float", "liking: Missing")
    )
    assert registry.policy(f"{path}:Brave:liking=2", dice_race).liking == 2.0  # type: ignore[attr-defined]


def test_convert_knows_no_other_types() -> None:
    with pytest.raises(UserError, match="cannot be set by a text"):
        convert("1", dict, "x")


# ---------------------------------------------------------------- policies


def test_a_policy_by_name(dice_race: str) -> None:
    chosen = registry.choose("gambler:patience=4", dice_race)
    assert chosen.label == "gambler:patience=4"
    assert registry.policy("dice_race.gambler:patience=4", dice_race).patience == 4  # type: ignore[attr-defined]


def test_parameters_at_their_defaults_are_not_told(dice_race: str) -> None:
    assert registry.choose("gambler:noise=0,patience=3", dice_race).spec == "gambler"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gambla", "Did you mean 'gambler'"),
        ("gambler:patients=3", "Did you mean 'patience'"),
        ("gambler:patience=x", "not a whole number"),
        ("no_module_of_that_name:X", "no module 'no_module_of_that_name'"),
        ("gambler:patience", "needs a value: gambler:patience=value"),
        ("gambler:patience=", "'patience' in the policy 'gambler:patience=' has no value"),
        ("some/file.py:Brave:liking", "'liking' in the policy '.*' has no value; write liking=value"),
        ("tests.toy.policies:Gambla", "Did you mean 'Gambler'"),
        ("tests.toy.rules:DiceRace", "must be a class that extends DicePolicy"),
        ("no/such/file.py:X", "cannot be read"),
    ],
)
def test_wrong_lines_are_named(dice_race: str, line: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        registry.choose(line, dice_race)


def test_a_plain_class_of_a_file_is_a_policy(dice_race: str, brave: Path) -> None:
    chosen = registry.choose(f"{brave}:Brave:liking=0.5", dice_race)
    policy = chosen.load(dice_race)
    assert (policy.liking, policy.noise) == (0.5, 0.0)  # type: ignore[attr-defined]
    assert chosen.label == "Brave:liking=0.5"
    assert chosen.spec == f"{brave.resolve()}:Brave:liking=0.5"
    assert len(chosen.digest) == 64
    with pytest.raises(AttributeError):
        policy.liking = 3  # type: ignore[attr-defined]


def test_the_only_policy_of_a_file_needs_no_name(dice_race: str, brave: Path) -> None:
    assert registry.choose(str(brave), dice_race).label == "Brave"
    brave.write_text(BRAVE + "\n\nclass Other(DicePolicy):\n    pass\n")
    with pytest.raises(UserError, match="Brave, Other"):
        registry.choose(str(brave), dice_race)


def test_a_relative_path_means_the_same_from_any_folder(
    dice_race: str, brave: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(brave.parent)
    chosen = registry.choose("brave.py:Brave", dice_race)
    monkeypatch.chdir("/")
    assert chosen.load(dice_race).liking == 1.0  # type: ignore[attr-defined]


def test_an_edited_file_is_another_policy(dice_race: str, brave: Path) -> None:
    first = registry.choose(f"{brave}:Brave", dice_race)
    brave.write_text(BRAVE.replace("1.0", "2.0"))
    second = registry.choose(f"{brave}:Brave", dice_race)
    assert second.load(dice_race).liking == 2.0  # type: ignore[attr-defined]
    assert second.digest != first.digest
    with pytest.raises(UserError, match="changed while the run"):
        first.load(dice_race)


def test_a_module_of_the_working_folder(
    dice_race: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brave_module_here.py").write_text(BRAVE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert registry.choose("brave_module_here:Brave", dice_race).label == "Brave"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def x(:\n", "line 1 cannot be loaded: SyntaxError"),
        ("x = 1\ny = 1 / 0\n", "line 2 cannot be loaded: ZeroDivisionError"),
        ("import no_such_module_at_all\n", "cannot be loaded: ModuleNotFoundError"),
        (BRAVE.replace("liking: float = 1.0", "liking: float"), "liking. follows default"),
        (
            "from dataclasses import dataclass\n"
            + BRAVE.replace("class", "@dataclass(frozen=True, kw_only=True)\nclass").replace("= 1.0", ""),
            "needs a default",
        ),
        (BRAVE.replace("liking: float = 1.0", "liking: list = []"), "parameters are not right"),
        (BRAVE.replace("(DicePolicy)", ""), "must be a class that extends DicePolicy"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_line(
    dice_race: str, brave: Path, source: str, said: str
) -> None:
    brave.write_text(source)
    with pytest.raises(UserError, match=said) as caught:
        registry.choose(f"{brave}:Brave", dice_race)
    assert "brave.py" in str(caught.value) or "Brave" in str(caught.value)


def test_objects_and_classes_are_policies_too(dice_race: str) -> None:
    from tests.toy.policies import DicePolicy, Gambler

    class Here(DicePolicy):
        depth: int = 2

    assert registry.choose(Gambler, dice_race).spec == "gambler"
    assert (
        registry.choose(registry.policy("gambler:patience=9", dice_race), dice_race).spec
        == "gambler:patience=9"
    )
    chosen = registry.choose(Here, dice_race)
    assert chosen.label == "Here"
    assert chosen.load(dice_race).depth == 2  # type: ignore[attr-defined]
    with pytest.raises(UserError, match="extends DicePolicy"):
        registry.choose(Many, dice_race)


# ---------------------------------------------------------------- games


def test_games_are_found_by_looking() -> None:
    assert "moscow" in registry.game_names()
    with pytest.raises(UserError, match="Did you mean 'moscow'"):
        registry.game_class("mosocw")


def test_a_room_that_lacks_a_part_is_named() -> None:
    with pytest.raises(UserError, match="no module tests"):
        registry.Room("half", "tests.oracle").part("rules")


def test_another_game_of_the_same_name_is_refused(dice_race: str) -> None:
    registry.register_room(registry.Room(dice_race, "tests.toy"))  # the same again is no collision
    with pytest.raises(UserError, match="Two games are called 'dice_race'"):
        registry.register_room(registry.Room(dice_race, "tests.other"))


# ---------------------------------------------------------------- entry points


def test_games_and_policies_of_other_packages(points) -> None:
    points(registry.GAMES, ("dice_race", "tests.toy"))
    points(registry.POLICIES, ("dice_race.bolder", "tests.toy.policies:Gambler"), ("chess.x", "a:B"))
    assert "dice_race" in registry.game_names()
    assert registry.policy("bolder:patience=1", "dice_race").patience == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("group", "pairs", "said"),
    [
        (registry.GAMES, [("moscow", "tests.toy")], "Two games are called 'moscow'"),
        (registry.POLICIES, [("dice_race.random", "a:B")], "Two policies of dice_race are called 'random'"),
        (
            registry.POLICIES,
            [("dice_race.x", "a:B"), ("dice_race.x", "c:D")],
            "Two policies .* 'x': a:B and c:D",
        ),
        (registry.POLICIES, [("sprinter", "a:B")], "must be called game.policy"),
    ],
)
def test_collisions_are_loud(
    points, dice_race: str, group: str, pairs: list[tuple[str, str]], said: str
) -> None:
    points(group, *pairs)
    with pytest.raises(UserError, match=said):
        registry.policies_of(dice_race)  # asks for the games, too
