"""The config of Kraskar and the default rules of its oracle must say the same."""

from __future__ import annotations

import pytest

from analyzer import registry
from analyzer.config import load_config
from tests.oracle.kraskar_choosers import play_random
from tests.oracle.kraskar_defaults import default_rules

pytestmark = pytest.mark.skipif("kraskar" not in registry.game_names(), reason="no config of Kraskar here")


def test_the_config_and_the_default_rules_are_the_same() -> None:
    assert load_config("kraskar").as_dict() == {"game": "kraskar", **default_rules()}


def test_the_oracle_plays_by_the_config() -> None:
    config = load_config("kraskar", overrides=["decks=[Siege Train, Spear Wall]", "turn_limit=9"])
    end = play_random(config.as_dict(), 2, 1, checked=True)
    assert end.turns <= 9
    assert [len(units) for units in end.sieges] == [6, 5]
