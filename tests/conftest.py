"""Fixtures for all tests."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from analyzer import registry


@pytest.fixture(scope="session", autouse=True)
def _heed_ctrl_c() -> None:
    """Tests started in the background ignore Ctrl-C, and so would all that they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def named_seats(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """What gives names to the seats of the game `dice_race`."""

    def name(*names: str) -> None:
        module = ModuleType("tests.toy.seats")
        module.__spec__ = ModuleSpec(module.__name__, None)
        module.SEATS = names  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return name


@pytest.fixture
def dice_race() -> Iterator[str]:
    """A game the program has never heard of, made known for one test."""
    registry.register_room(registry.Room("dice_race", "tests.toy"))
    yield "dice_race"
    registry.forget_room("dice_race")


@pytest.fixture(autouse=True)
def _policies_are_tried_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some tests have policies that do harm to workers, so in every other process; see `test_apart`."""
    monkeypatch.setattr("analyzer.sim.steady.may_copy", lambda: False)
