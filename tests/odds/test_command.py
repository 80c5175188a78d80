"""`analyze odds`: what it prints and writes, what it refuses in one line, and what it does not import."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analyzer import cli, questions, registry
from analyzer.commands.odds import odds as command
from analyzer.questions import Question
from tests.odds.test_questions import every_question

ROOT = Path(__file__).parents[2]


def ask(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, ["odds", *words])
    assert "Traceback" not in result.output
    return result


@pytest.mark.parametrize("game", registry.game_names())
def test_a_game_alone_lists_its_questions_and_answers_the_first(game: str) -> None:
    result = ask(game)
    assert result.exit_code == 0, result.output
    for one in questions.questions(game):
        assert f"{one.name}: {one.about}" in result.output
        assert f"analyze odds {game} {one.name} {one.example}" in result.output
    assert "%" in result.output or game == "kraskar"
    assert "Exact" in result.output


@every_question
def test_its_examples_are_right_with_and_without_the_questions_name(game: str, question: Question) -> None:
    words = shlex.split(question.example)
    named, short = ask(game, question.name, *words, "--json"), ask(game, *words, "--json")
    assert named.exit_code == short.exit_code == 0, named.output
    told = json.loads(named.stdout)
    assert (told["game"], told["question"]) == (game, question.name)
    assert told["table"]


@pytest.mark.parametrize("line", re.findall(r"^ +(analyze odds .*)$", command.help or "", re.M))
def test_the_examples_of_the_help_are_right(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ask(*shlex.split(line)[2:])
    assert result.exit_code == 0, result.output


def test_the_help_has_examples_of_all_games() -> None:
    assert {line.split()[2] for line in re.findall(r"analyze odds .*", command.help or "")} >= set(
        registry.game_names()
    )


@pytest.mark.parametrize("game", registry.game_names())
def test_the_help_of_a_game_has_its_options_questions_and_examples(game: str) -> None:
    result = ask(game, "--help")
    assert result.exit_code == 0
    for one in questions.questions(game):
        assert f"analyze odds {game} {one.name}" in result.output
        for parameter in one.parameters:
            assert f"--{parameter.name} " in result.output


def test_a_fight_is_told_in_a_table_and_a_sentence() -> None:
    result = ask("moscow", "--cards", "3+4+5", "--army", "8", "--general", "--month", "september")
    assert result.exit_code == 0
    assert re.search(r"^> +12 +50\.0 % +1/2 +0 %$", result.output, re.M)
    assert (
        "Cards of 12 in September (+0) beat a Red Army of 8 with a general (total 16): 50.0 % (1/2)"
        in result.output
    )
    assert "Questions" not in result.output


def test_files(tmp_path: Path) -> None:
    words = [
        "undaunted",
        "--dice",
        "2",
        "--csv",
        f"{tmp_path}/a.csv",
        "--plot",
        f"{tmp_path}/a.svg",
        "--out",
        f"{tmp_path}/b",
    ]
    result = ask(*words)
    assert result.exit_code == 0, result.output
    assert result.output.count("Written: ") == 6
    assert (tmp_path / "a.csv").read_text().startswith("defence,dice_1,dice_1_exact")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    assert len(list((tmp_path / "b").iterdir())) == 4
    told = ask(*words, "--json")
    assert json.loads(told.stdout)["question"] == "dice"
    assert told.stderr.count("Written: ") == 6


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "Missing argument 'GAME'"),
        ("moscw", "Did you mean 'moscow'?"),
        ("moscow fite", "Did you mean 'fight'?"),
        ("moscow --mont june", "Did you mean '--month'?"),
        ("moscow --month juny", "Did you mean 'june'?"),
        ("moscow --army 31", "from 0 to 30"),
        ("moscow --army", "requires an argument"),
        ("moscow months --want 1", "has no --want"),
        ("moscow --set die_sides=99", "from 2 to 20"),
        ("moscow --set die_side=6", "Did you mean"),
        ("moscow --config none.yaml", "no such file"),
        ("moscow --plot x.gif", ".png or .svg"),
        (f"moscow --csv {Path(__file__).as_posix()}/x.csv", "cannot be written"),
        ("moscow --out ''", "name of no folder"),
        ("moscow --csv ''", "name of no file"),
        ("moscow --plot ' '", "name of no file"),
        ("undaunted --unit snipper", "Did you mean 'sniper'?"),
        ("undaunted --unit scout --action blast", "it has attack"),
        ("eastfront --germans pather:2", "Did you mean 'panther'?"),
        ("kraskar --unit Strom", "Did you mean 'Storm Riders'?"),
        ("moscow fight twice", "unexpected extra argument"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(line: str, told: str) -> None:
    result = ask(*shlex.split(line))
    assert result.exit_code == 2
    error = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(error) == 1
    assert told in error[0]
    assert result.stdout == ""


def test_implausible_settings_are_noted_beside_the_answer() -> None:
    result = ask("moscow", "--set", "die_sides=20", "--json")
    assert json.loads(result.stdout)["warnings"]
    assert "Note: die_sides is 20, outside the plausible" in result.stderr


HEAVY = {
    "numpy", "pandas", "pydantic", "pydantic_core", "pyarrow", "matplotlib", "rich", "jinja2", "joblib",
    "PIL", "importlib.metadata",
}  # fmt: skip


SETTINGS = {"eastfront": "stacks=4", "kraskar": "hit_points=12", "moscow": "die_sides=10",
            "undaunted": "die_faces=12"}  # fmt: skip


@pytest.mark.parametrize("game", registry.game_names())
def test_an_answer_at_the_table_imports_nothing_heavy(game: str, tmp_path: Path) -> None:
    """What takes half a second to be imported must not be, whoever asks: the command and the library, with
    settings and a config file of the user's own, too."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"game: {game}\n{SETTINGS[game].replace('=', ': ')}\n")
    code = (
        "import sys\nfrom analyzer.cli import main\n"
        f"main(['odds', {game!r}], standalone_mode=False)\n"
        f"words = ['odds', {game!r}, '--set', {SETTINGS[game]!r}, '--config', {str(file)!r}]\n"
        "main(words, standalone_mode=False)\n"
        f"import analyzer\nfor one in analyzer.questions.questions({game!r}):\n"
        f"    analyzer.odds({game!r}, one.name).as_json()\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert f"analyzer.games.{game}.odds_questions" in loaded
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.startswith(("analyzer.sim", "analyzer.report"))}
    assert f"analyzer.games.{game}.model" not in loaded


def test_the_guard_sees_heavy_imports() -> None:
    """Negative control: other cards than the shipped ones are checked by the model, which needs pydantic."""
    cards = "set={'cards.division': [{'strength': 3, 'count': 40}]}"
    code = f"import sys, analyzer\nanalyzer.odds('moscow', {cards})\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "pydantic" in loaded
    assert not loaded & (HEAVY - {"pydantic", "pydantic_core", "importlib.metadata"})
