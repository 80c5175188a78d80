"""One set of options: commands and the functions of the Python API have the same, with the same defaults."""

from __future__ import annotations

import inspect
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

import analyzer
from analyzer import cli
from analyzer.commands.options import Command
from analyzer.errors import UserError
from tests.studies.conftest import analyze

STUDIES = ["compare", "tournament", "sweep", "assumptions", "panel", "cards", "luck", "story"]
FUNCTIONS = ["run", "resume", "replay", *STUDIES]
# What the command calls otherwise, and what only one of both has: a command writes files and prints.
OTHER_NAMES = {"folders": "folder", "index": "game_index"}
WRITES = {"no_plots", "json"}
CALLED_BACK = {"progress"}


def command(name: str) -> click.Command:
    found = cli.main.get_command(click.Context(cli.main), name)
    assert found is not None
    return found


def options(name: str) -> dict[str, Any]:
    """Name -> default of every parameter of a command but those that only write."""
    found = {}
    for one in command(name).params:
        if not getattr(one, "expose_value", True):  # the backend: `analyzer.backend` around any function
            continue
        default = None if one.required or getattr(one, "multiple", False) else one.default
        found[OTHER_NAMES.get(str(one.name), word(one))] = default if one.nargs == 1 else None
    return {key: value for key, value in found.items() if key not in WRITES}


def word(one: click.Parameter) -> str:
    """The word by which an option is typed, as Python would have it: max_n for --max-n."""
    typed = max(one.opts, key=len) if isinstance(one, click.Option) else str(one.name)
    return typed.lstrip("-").replace("-", "_")


def parameters(name: str) -> dict[str, Any]:
    """Name -> default of every parameter of a function but callbacks and axes."""
    found = inspect.signature(getattr(analyzer, name)).parameters.values()
    kept = [one for one in found if one.kind is not one.VAR_KEYWORD and one.name not in CALLED_BACK]
    return {one.name: None if one.default is one.empty else one.default for one in kept}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_command_and_its_function_have_the_same_options(name: str) -> None:
    wanted = options(name)
    if name != "run":  # a study is written where its user wants it: `study.write(folder)`
        wanted.pop("out", None)
    assert set(parameters(name)) == set(wanted)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_command_and_its_function_have_the_same_defaults(name: str) -> None:
    here, there = parameters(name), options(name)
    for key in set(here) & set(there):
        one, other = here[key], there[key]
        if other == "2%":
            other = 0.02
        empty = (None, (), "", False)
        assert one == other or (one in empty and (other in empty or "UNSET" in repr(other))), (
            key,
            one,
            other,
        )


@pytest.mark.parametrize("name", [*FUNCTIONS, "show", "check", "list", "report", "odds"])
def test_an_option_given_twice_is_refused(name: str) -> None:
    assert isinstance(command(name), Command)


@pytest.mark.parametrize(
    "words",
    [
        "run moscow --seed 1 --seed 2",
        "run moscow --n 10 --seed 1 --n 20",
        "sweep moscow --over moscow_strength=1,2 --n 10 --n 10",
        "compare undaunted --scenario-b 1 --scenario-b 2",
        "odds moscow --army 8 --army 9",
        "report a --out b --out c",
        "show undaunted --scenario 1 --scenario 2",
    ],
)
def test_the_last_of_two_does_not_win_silently(words: str) -> None:
    found = analyze(*shlex.split(words))
    assert found.exit_code == 2
    assert found.output.count("\n") == 1
    assert "is given twice; give it once." in found.output


def test_what_may_be_repeated_may(tmp_path: Path) -> None:
    found = analyze(
        "show", "moscow", "--set", "moscow_strength=14", "--set", "die_sides=8", "--json", "--json"
    )
    assert found.exit_code == 0


@pytest.mark.parametrize("name", ["run", *STUDIES])
def test_a_wrong_keyword_is_told_with_all_that_there_are(name: str) -> None:
    given: dict[str, Any] = {"over": {"moscow_strength": [14]}} if name == "sweep" else {}
    with pytest.raises(UserError) as error:
        getattr(analyzer, name)("moscow", **given, sede=3, n=40)
    told = str(error.value)
    assert f"argument of analyzer.{name}, or axis of moscow, 'sede'. Did you mean 'seed'?" in told
    assert "\n" not in told
    for known in [*parameters(name), "matchups"]:
        assert known in told


def test_a_run_takes_a_tolerance_as_the_command_does() -> None:
    results = analyzer.run("moscow", players=2, n=60, jobs=1, tolerance="5%")
    frame = results.verdicts()
    assert frame.attrs["tolerance"] == 0.05
    assert "With a tolerance of 5 points" in results.summary()
    assert results.verdicts(0.1).attrs["tolerance"] == 0.1
    series = analyzer.run("moscow", players="2,3", n=40, jobs=1, tolerance=0.04)
    assert series.verdicts().attrs["tolerance"] == 0.04
    with pytest.raises(UserError, match=r"2% or 0\.02"):
        analyzer.run("moscow", n=10, tolerance=2)


MISTAKES: list[tuple[str, str, dict[str, Any], str]] = [
    ("compare", "--policy racer --policy-b racer", {"policy": "racer", "policy_b": "racer"}, "policy_b"),
    ("compare", "--policy racer --one-seat", {"policy": "racer", "one_seat": True}, "one_seat"),
    ("compare", "--policy-b racer --sprt 3", {"policy_b": "racer", "sprt": "3"}, "sprt"),
    ("compare", "--policy-b racer --sprt 0,1% --tolerance 1%",
     {"policy_b": "racer", "sprt": (0, 0.01), "tolerance": 0.01}, "sprt"),
    ("compare", "--set-b moscow_strenght=1", {"set_b": ["moscow_strenght=1"]}, "set_b"),
    ("compare", "--policy-b racer --measure x", {"policy_b": "racer", "measure": "x"}, "measure"),
    ("run", "--set moscow_strenght=1", {"set": ["moscow_strenght=1"]}, "set"),
    ("run", "--tolerance 3", {"tolerance": 3}, "tolerance"),
    ("run", "--policy racer --policies racer", {"policy": "racer", "policies": "racer"}, "policies"),
    ("panel", "--players 1", {"players": 1}, "players"),
    ("panel", "--tolerance 3", {"tolerance": 3}, "tolerance"),
    ("assumptions", "--samples 9 --design sobol", {"samples": 9, "design": "sobol"}, "samples"),
    ("story", "--n 3", {"n": 3}, "n"),
    ("luck", "--n 3", {"n": 3}, "n"),
    ("cards", "--n 1", {"n": 1}, "n"),
    ("cards", "--copies 0", {"copies": 0}, "copies"),
    ("sweep", "--over moscow_strength=", {"over": {"moscow_strength": ""}}, "over"),
    ("tournament", "--matchups all", {"matchups": "all"}, "matchups"),
    ("odds", "--cards 3+4 --attack 3", {"cards": [3, 4], "attack": 3}, "attack"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words", "given", "wrong"), MISTAKES)
def test_a_mistake_is_told_by_the_name_that_was_used(
    name: str, words: str, given: dict[str, Any], wrong: str
) -> None:
    """The option as it is typed on the command line, the argument in Python."""
    typed, found = f"--{wrong.replace('_', '-')}", analyze(name, "moscow", *shlex.split(words))
    assert found.exit_code == 2
    assert re.search(rf"{typed}\b", found.output), found.output
    assert not re.search(r"\b\w+_b\b|one_seat", found.output), found.output
    with pytest.raises(UserError) as error:
        getattr(analyzer, name)("moscow", **given)
    assert re.search(rf"(?<!-)\b{wrong}\b", str(error.value)), error.value
    assert "--" not in str(error.value)


def test_why_there_is_no_series_until_a_precision() -> None:
    with pytest.raises(UserError, match="as many games of each setting"):
        analyzer.run("moscow", players="2,3", precision="1%")
    found = analyze("run", "moscow", "--players", "2,3", "--precision", "1%")
    assert found.exit_code == 2
    assert "as many games of each setting" in found.output
    assert "in a series" in " ".join(analyze("run", "--help").output.split())
    assert "Not with --tolerance" in " ".join(analyze("compare", "--help").output.split())
