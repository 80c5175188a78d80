"""The pages of questions: one for each question, whose commands are understood, and run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

import analyzer
from analyzer import cli
from tests.studies.conftest import analyze

PAGES = Path(analyzer.__file__).parent / "studies" / "questions"
QUESTIONS = [
    "Is seat 1 favoured?",
    "Is this card too strong?",
    "Does this rule change matter?",
    "Which of my guesses matter?",
    "Luck or skill?",
    "Which strategy should I fear?",
    "When is the game decided?",
]


def commands(page: Path) -> list[str]:
    """The commands of a page, without the remarks behind them."""
    lines = [line.strip() for line in page.read_text().splitlines() if line.startswith("    analyze ")]
    return [re.split(r"\s{2,}", line)[0] for line in lines]


ALL = [(page.stem, command) for page in sorted(PAGES.glob("*.md")) for command in commands(page)]
FIRST = list({stem: (stem, command) for stem, command in reversed(ALL)}.values())
FEW = ("which-strategy-should-i-fear", "which-of-my-guesses-matter", "is-this-card-too-strong")
LONG = (*FEW, "luck-or-skill")  # pages whose command takes seconds, however few games it plays


def test_each_question_has_its_page() -> None:
    titles = [page.read_text().splitlines()[0].removeprefix("# ") for page in PAGES.glob("*.md")]
    assert sorted(titles) == sorted(QUESTIONS)
    for page in PAGES.glob("*.md"):
        assert commands(page)
        text = page.read_text()
        assert "## How to read it" in text
        assert "## What it cannot tell" in text


@pytest.mark.parametrize(("page", "command"), ALL)
def test_every_command_of_the_pages_is_understood(page: str, command: str) -> None:
    name, *words = shlex.split(command)[1:]
    context = click.Context(cli.main)
    found = cli.main.get_command(context, name)
    assert found is not None
    found.make_context(name, words, parent=context)  # raises for an option or a value that is wrong


@pytest.mark.parametrize(
    ("page", "command"),
    [pytest.param(*one, marks=[pytest.mark.slow] * (one[0] in LONG)) for one in FIRST],
)
def test_the_first_command_of_a_page_runs(page: str, command: str) -> None:
    """With few games: what it prints has the headings that the page shows."""
    words = shlex.split(command)[1:]
    few = {"--n": "128", "--samples": "8"}
    for name, value in few.items():
        if name in words:
            words[words.index(name) + 1] = "24" if name == "--n" and page in FEW else value
    found = analyze(*words, "--no-plots", "--jobs", "1")
    assert found.exit_code == 0, found.output
    shown = (PAGES / f"{page}.md").read_text()
    start = shown.index("    ", shown.index(command) + len(command))
    title = shown[start:].strip().splitlines()[0].strip()
    assert title in found.output
