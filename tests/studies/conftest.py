"""What the tests of studies share."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner, Result

from analyzer import cli
from analyzer.sim import request

# Settings that make games short: what is tested here is the study, not the game.
SHORT: dict[str, list[str]] = {
    "moscow": [],
    "eastfront": [],
    "kraskar": ["turn_limit=12"],
    "undaunted": ["round_limit=4"],
}


def asked(game: str, n: int, **how: Any) -> request.Request:
    """A request with short games for two."""
    return request.build(game, **{"players": 2, "settings": SHORT.get(game, ()), "n": n, **how})


def analyze(*words: str) -> Result:
    """The command with these words; a traceback is never right."""
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
