"""Changed settings read without the model: never accepted where the model refuses, and the same rules."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analyzer import config_bounds, questions, registry
from analyzer.config import load_config
from analyzer.config_layers import shipped_stack
from analyzer.config_light import allows, light_config
from analyzer.config_tree import leaves
from analyzer.errors import UserError

GAMES = registry.game_names()


@pytest.mark.parametrize("game", GAMES)
def test_the_bounds_are_those_of_the_model(game: str) -> None:
    """If this fails a model was changed: python -m analyzer.config_bounds makes the files again."""
    assert game in config_bounds.games()
    assert config_bounds.file_of(game).read_text(encoding="utf-8") == config_bounds.text_of(game)


def changed(rng: random.Random, value: Any, leaf: Any) -> Any:
    """Some other value for a setting: plausible, near, far, or of another type."""
    if leaf.options is not None and rng.random() < 0.8:
        return rng.choice(leaf.options)
    if leaf.range is not None and isinstance(value, int) and rng.random() < 0.5:
        return rng.randint(int(leaf.range[0]), int(leaf.range[1]))
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.8:
        return value + rng.choice([-30, -3, -2, -1, 1, 2, 3, 30, 60])
    if isinstance(value, list):
        return rng.choice([value[::-1], value[:1], [*value, value[0]]])
    return rng.choice([None, True, False, 0, 1, 1.0, 2.5, "1", "x", "strike", "none", [1, 2], {"value": 3}])


def same(light: Any, full: Any) -> bool:
    """Whether the attributes are those of the model, and of its types."""
    if isinstance(light, SimpleNamespace):
        named = (name for name in vars(light) if name != "scenario")  # of which only the model makes a game
        return all(same(getattr(light, name), getattr(full, name)) for name in named)
    if isinstance(light, tuple):
        return len(light) == len(full) and all(map(same, light, full))
    return bool(light == full) and isinstance(light, bool) == isinstance(full, bool)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_read_without_the_model_is_what_the_model_accepts(game: str) -> None:
    rng, settings = random.Random(7), list(leaves(shipped_stack(game).tree))
    light_ones = refused = 0
    for _ in range(150):
        few = rng.sample(settings, rng.choice([1, 1, 1, 2, 5]))
        overrides = {key: changed(rng, leaf.value, leaf) for key, leaf in few}
        try:
            light = light_config(game, None, overrides)
        except UserError:
            light = None
        try:
            full = load_config(game, None, overrides)
        except UserError:
            refused += 1
            assert light is None, overrides
            continue
        if light is not None:
            light_ones += 1
            assert same(light.rules, full.rules), overrides
            assert light.warnings == full.warnings(), overrides
    assert light_ones > 10
    assert refused > 10


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("moscow", ["cards.division.2.strength=3"]),  # two kinds of one strength
        ("moscow", ["months.june.name=july"]),
        ("moscow", ["cards.division.2.count=60", "cards.division.3.count=60", "cards.advance.50.count=60"]),
        ("moscow", ["die_sides=true"]),
        ("moscow", ["die_sides=6.0"]),
        ("moscow", ["die_sides=21"]),
        ("eastfront", ["cards.german.king_tiger.count=60"]),  # too much fire
        ("eastfront", ["cards.soviet.rifles.count=60", "cards.soviet.kv.count=60"]),  # too high stacks
        ("eastfront", ["cards.friends.1.points=2"]),
        ("eastfront", ["cards.friends.1.count=60"]),
        ("eastfront", ["cards.german.tiger.name=panther"]),
        ("kraskar", ["deck_cost=4"]),
        ("kraskar", ["columns=4"]),
        ("kraskar", ["start_chips=40"]),
        ("kraskar", ["decks=[Siege Train, Nobody]"]),
        ("kraskar", ["units.Storm Riders.cost=2.2"]),
        ("kraskar", ["units.Storm Riders.stratagem=sleep"]),
        ("undaunted", ["cards.rifleman.copies=0"]),
        ("undaunted", ["cards.rifleman.defence=13"]),
        ("undaunted", ["scenario.tiles=[]"]),
    ],
)
def test_what_the_model_refuses_is_told_by_the_model(game: str, settings: list[str]) -> None:
    with pytest.raises(UserError) as full:
        load_config(game, None, settings)
    with pytest.raises(UserError) as asked:
        questions.ask(game, None, {}, settings)
    assert str(asked.value) == str(full.value)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("moscow", ["die_sides=10", "months.june.attack=-2", "cards.red_army.8.strength=9", "boosts=add"]),
        ("eastfront", ["cards.soviet.kv.count=4", "cards.german.tiger.fire=9", "stacks=4"]),
        ("kraskar", ["hit_points=12", "units.Storm Riders.force=9", "decks=[Siege Train, Archer Line]"]),
        ("undaunted", ["die_faces=12", "zero_hits=false", "cards.sniper.actions.attack=2"]),
        ("undaunted", ["cards.rifleman.copies=6", "cards.gunner.copies=0"]),  # none of them in this scenario
    ],
)
def test_answers_follow_settings_that_are_read_without_the_model(game: str, settings: list[str]) -> None:
    light, full = light_config(game, None, settings), load_config(game, None, settings)
    assert light is not None
    shipped, others = load_config(game).rules, 0
    for one in questions.questions(game):
        values = one.values({}, full.rules)
        answer = one.answer(light.rules, **values)
        assert answer == one.answer(full.rules, **values)
        others += answer != one.answer(shipped, **values)
    assert others
    assert light.warnings == full.warnings()


def test_a_file_of_the_users_own_is_read_without_the_model(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "base: undaunted/02-montmartin-en-graignes\ndie_faces: 12\ncards: {gunner: {defence: 5}}\n"
    )
    light, full = light_config("undaunted", file, ["zero_hits=false"]), load_config("undaunted", file)
    assert light is not None
    assert (light.rules.die_faces, light.rules.zero_hits, light.rules.cards.gunner.defence) == (12, False, 5)
    assert (
        light.rules.scenario.name == full.rules.scenario.name != load_config("undaunted").rules.scenario.name
    )


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 3}, [1, 3], [0, 4, True, 1.0, "1", None]),
        ({"type": "integer", "exclusiveMaximum": 3}, [], [1]),  # a kind of bound that is not known: not sure
        ({"type": "number", "minimum": 0.5}, [0.5, 1], [0.4, True, "1"]),
        ({"type": "boolean"}, [True, False], [0, 1, "true"]),
        ({"type": "string", "maxLength": 2}, ["", "ab"], ["abc", 1]),
        ({"type": "string", "pattern": "a"}, [], ["a"]),
        ({"enum": ["a", 1]}, ["a", 1], ["b", True, 1.0]),
        ({"const": "a"}, ["a"], ["b", None]),
        ({"anyOf": [{"type": "integer"}, {"const": "pin"}]}, [3, "pin"], ["3", None]),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 1}, [[True]], [[], [1], True]),
        ({"type": "array", "prefixItems": [{"const": 1}]}, [[1]], [[2], [1, 1]]),
        ({"type": "object"}, [], [{}, 1]),
        ({}, [], [1]),
    ],
)
def test_what_a_schema_allows(schema: Any, right: list[Any], wrong: list[Any]) -> None:
    assert [one for one in right if not allows(schema, one)] == []
    assert [one for one in wrong if allows(schema, one)] == []
