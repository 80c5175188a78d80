"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analyzer import registry


@pytest.fixture
def dice_race() -> Iterator[str]:
    """A game the program has never heard of, made known for one test."""
    registry.register_room(registry.Room("dice_race", "tests.toy"))
    yield "dice_race"
    registry.forget_room("dice_race")
