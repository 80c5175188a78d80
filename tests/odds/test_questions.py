"""Questions as data: whatever a game declares can be asked by its example, by default, and wrongly."""

from __future__ import annotations

import inspect
import keyword
import shlex
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import analyzer
from analyzer import questions, registry
from analyzer.answers import Heat, Lines
from analyzer.config import load_config
from analyzer.config_layers import shipped_values
from analyzer.errors import UserError
from analyzer.questions import Choice, Counts, Flag, Number, Numbers, Question, Share

GAMES = registry.game_names()
EVERY = [(game, one) for game in GAMES for one in questions.questions(game)]
NAMES = [f"{game}-{one.name}" for game, one in EVERY]
every_question = pytest.mark.parametrize(("game", "question"), EVERY, ids=NAMES)


def example(question: Question) -> dict[str, Any]:
    """The example of a question as keywords."""
    words: Iterator[str] = iter(shlex.split(question.example))
    flags = {one.name for one in question.parameters if isinstance(one, Flag)}
    names = (word.removeprefix("--") for word in words)
    return {name.replace("-", "_"): True if name in flags else next(words) for name in names}


def test_all_four_games_have_questions() -> None:
    assert GAMES == ["eastfront", "kraskar", "moscow", "undaunted"]
    assert {name.rpartition("-")[2] for name in NAMES} >= {
        "fight",
        "fewest",
        "remove",
        "stack",
        "losses",
        "hits",
        "duel",
    }


@every_question
def test_a_question_is_declared_rightly(game: str, question: Question) -> None:
    assert question.name.isidentifier()
    assert question.about
    assert question.example
    taken = [one.keyword for one in question.parameters]
    assert len(set(taken)) == len(taken)
    assert not set(taken) & questions.RESERVED
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in taken)
    wanted = {name for name, one in inspect.signature(question.answer).parameters.items() if name != "rules"}
    assert wanted == set(taken)
    for one in question.parameters:
        assert one.about, one.name
        if one.default is not None and not isinstance(one, Flag | Counts):
            assert one.read(one.default, load_config(game).rules) == one.default


@pytest.mark.parametrize("game", GAMES)
def test_parameters_of_one_name_are_of_one_kind(game: str) -> None:
    kinds: dict[str, type] = {}
    for question in questions.questions(game):
        for one in question.parameters:
            assert kinds.setdefault(one.name, type(one)) is type(one), one.name


@every_question
def test_the_shipped_numbers_give_the_same_answer_as_the_checked_config(
    game: str, question: Question
) -> None:
    """Read without the model for speed: nothing that a model fills in may be missed."""
    checked, light = load_config(game).rules, shipped_values(game)
    for given in ({}, example(question)):
        one, other = (question.answer(rules, **question.values(given, rules)) for rules in (checked, light))
        assert one == other
        assert one.rows


@every_question
def test_an_answer_is_whole(game: str, question: Question) -> None:
    for given in ({}, example(question)):
        answer = analyzer.odds(game, question.name, **given)
        assert (answer.game, answer.question) == (game, question.name)
        assert {len(row) for row in answer.rows} == {len(answer.columns)}
        names = [one.name for one in answer.columns]
        assert len(set(names)) == len(names)
        drawn = [answer.plot.x, *answer.plot.lines] if isinstance(answer.plot, Lines) else [answer.plot.label]
        drawn += answer.plot.cells if isinstance(answer.plot, Heat) else ()
        assert set(drawn) <= set(names)
        for cell, one in (
            (cell, one) for row in answer.rows for cell, one in zip(row, answer.columns, strict=True)
        ):
            if one.kind == "chance" and cell is not None:
                assert isinstance(cell, Fraction | int)
                assert 0 <= cell <= 1
        assert answer.finding.endswith(".")
        assert "Exact" in answer.words or "Fewest" in answer.words
        assert answer.title in str(answer)
        assert set(answer.given) <= {one.keyword for one in question.parameters}


def test_the_first_question_that_has_all_parameters_is_asked() -> None:
    assert analyzer.odds("moscow").question == "fight"
    assert analyzer.odds("moscow", army=6).question == "fight"
    assert analyzer.odds("moscow", army=6, want=0.5).question == "fewest"
    assert analyzer.odds("undaunted", unit="gunner").question == "attack"
    assert analyzer.odds("undaunted", unit="gunner", cards=2).question == "remove"
    assert analyzer.odds("eastfront", germans={"tiger": 1}).question == "stack"
    assert analyzer.odds("kraskar", unit="Tower Bows").question == "duel"
    with pytest.raises(UserError, match=r"No question of undaunted has all of cards, dice"):
        analyzer.odds("undaunted", cards=2, dice=3)


def test_none_is_as_good_as_not_given() -> None:
    assert analyzer.odds("moscow", army=None, want=None) == analyzer.odds("moscow")


@pytest.mark.parametrize(
    ("game", "question", "given", "told"),
    [
        ("moscw", None, {}, "Unknown game 'moscw'. Did you mean 'moscow'?"),
        ("moscow", "fite", {}, "Did you mean 'fight'?"),
        ("moscow", None, {"monht": "june"}, "Did you mean 'month'?"),
        ("moscow", "months", {"want": "1"}, "The question 'months' has no want. It has cards, attack"),
        ("moscow", None, {"month": "jule"}, "Did you mean 'ju"),
        ("moscow", None, {"month": "ju"}, "Which month? 'ju' may be july or june."),
        ("moscow", None, {"month": ""}, "Unknown month ''"),
        ("moscow", None, {"army": 31}, "army: '31' is not allowed; a whole number from 0 to 30."),
        ("moscow", None, {"attack": "x"}, "a whole number from 1 to 200"),
        ("moscow", None, {"attack": True}, "a whole number from 1 to 200"),
        ("moscow", None, {"attack": 2.5}, "a whole number from 1 to 200"),
        ("moscow", None, {"attack": "1" * 5000}, "a whole number from 1 to 200"),
        ("moscow", None, {"cards": "3+"}, "whole numbers joined by +"),
        ("moscow", None, {"cards": [3, 99]}, "from 1 to 30"),
        ("moscow", None, {"cards": "2," * 40 + "2"}, "1 to 30 whole numbers"),
        ("moscow", None, {"general": "yes"}, "True or False"),
        ("moscow", None, {"want": "120%"}, "above 0 and at most 1"),
        ("moscow", None, {"want": 0}, "above 0 and at most 1"),
        ("moscow", None, {"want": "1/0"}, "above 0 and at most 1"),
        ("moscow", None, {"want": "nan"}, "above 0 and at most 1"),
        ("undaunted", None, {"unit": "snipper"}, "Did you mean 'sniper'?"),
        ("undaunted", None, {"cover": 4}, "a whole number from 0 to 3"),
        ("eastfront", None, {"germans": "tiger,,panther"}, "NAME:N, several joined by commas"),
        ("kraskar", None, {"unit": "Strom Riders"}, "Did you mean 'Storm Riders'?"),
        ("kraskar", "hits", {"targets": "Archr Line"}, "Did you mean 'Archer Line'?"),
    ],
)  # fmt: skip
def test_wrong_names_and_numbers_are_told(
    game: str, question: str | None, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(UserError) as caught:
        analyzer.odds(game, question, **given)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ways_to_write_a_value() -> None:
    names = Choice("unit", "u", names=lambda _: {"panzer_iv": ("Panzer IV", "P4"), "panther": ()})
    for text in ("panzer_iv", "PANZER IV", "panzer-iv", "p4", "panz"):
        assert names.read(text, None) == "panzer_iv"
    counts = Counts("germans", "g", names=lambda _: ["tiger", "pak_40"])
    assert counts.read("tiger:2, pak-40", None) == counts.read({"tiger": 2, "pak_40": 1}, None)
    assert counts.read(["tiger:2", "pak_40"], None) == counts.read("tiger,tiger,pak:1", None)
    numbers = Numbers("cards", "c", low=1, high=9)
    assert (
        numbers.read("3+4+5", None)
        == numbers.read("3, 4,5", None)
        == numbers.read([3, 4, 5], None)
        == (3, 4, 5)
    )
    assert numbers.read(4, None) == (4,)
    share = Share("want", "w")
    assert {share.read(text, None) for text in ("80%", "0.8", "4/5", 0.8)} == {Fraction(4, 5)}
    assert Number("n", "n", low=-5, high=5).read(" -3 ", None) == -3


def test_the_config_is_heeded_and_its_implausible_values_told(tmp_path: Any) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("game: moscow\ndie_sides: 10\n")
    by_file, by_set = analyzer.odds("moscow", config=file), analyzer.odds("moscow", set={"die_sides": 10})
    assert by_file == by_set
    assert by_file.rows != analyzer.odds("moscow").rows
    odd = analyzer.odds("moscow", set=["die_sides=20"])
    assert odd.warnings == ("die_sides is 20, outside the plausible 6, 8, 10.",)
    with pytest.raises(UserError, match="die_sides"):
        analyzer.odds("moscow", set=["die_sides=99"])


def test_a_game_without_questions_says_so(dice_race: str) -> None:
    with pytest.raises(UserError, match="has no questions with exact answers"):
        analyzer.odds(dice_race)


def test_a_game_of_another_package_is_asked_with_its_own_config(
    monkeypatch: pytest.MonkeyPatch, dice_race: str
) -> None:
    """The questions of a room that has no shipped config get what its own `load_config` makes."""
    import sys
    from types import ModuleType

    from analyzer.answers import Answer, Column

    def loads(rules: Any, *, faces: int) -> Answer:
        rows = tuple((k, Fraction(k, faces)) for k in range(1, faces + 1))
        columns = (Column("k"), Column("chance", "chance"))
        return Answer(
            columns, rows, type(rules).__name__, "It is so.", "Exact.", Lines("k", ("chance",), "k", "chance")
        )

    room = ModuleType("tests.toy.odds_questions")
    room.QUESTIONS = (Question("loads", "l", loads, (Number("faces", "f", 6, low=1, high=9),), "--faces 4"),)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests.toy.odds_questions", room)
    monkeypatch.setattr(registry.Room, "has", lambda self, module: True)
    answer = analyzer.odds(dice_race, faces=4)
    assert answer.title == "DiceRules"
    assert answer.rows[2] == (3, Fraction(3, 4))
