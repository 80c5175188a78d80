"""What README promises: its example is a policy that works, its commands exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import analyzer
from analyzer import cli
from analyzer.testing import check_policy

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_example_is_a_policy_of_15_lines_at_most(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]  # type: ignore[index]
    assert len(code.splitlines()) <= 15
    (tmp_path / "sprinter.py").write_text(code)
    check_policy(f"{tmp_path}/sprinter.py:Sprinter", "moscow", players=4)
    spec = f"{tmp_path}/sprinter.py:Sprinter:courage=0.5"
    assert analyzer.run("moscow", n=4, policies=[spec, "balanced"], jobs=1).n == 4


@pytest.mark.parametrize(
    "line", re.findall(r"^    (analyze (?:run|show|replay|odds) .*?)(?: {2,}#.*)?$", README, re.M)
)
def test_its_commands_are_right(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)[1:]
    if words[0] == "run":
        if "--n" in words:  # few games do here
            place = words.index("--n")
            del words[place : place + 2]
        words += ["--n", "8", "--jobs", "1", "--no-plots"]
    result = CliRunner().invoke(cli.main, words)
    assert result.exit_code == 0, result.output
