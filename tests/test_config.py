"""Configs: layers, overrides, what each number rests on, and errors that say where and what is allowed."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

import analyzer.config as config_module
from analyzer import config_layers
from analyzer.config import (
    Config,
    ConfigError,
    check_file,
    config_dir,
    config_of,
    find_configs,
    find_games,
    load_config,
    model_of,
)
from analyzer.config_read import MAX_BYTES, read_text, scalar
from analyzer.errors import UserError
from analyzer.games.moscow.model import MONTH_NAMES, MoscowRules

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a text as a config file and returns its path."""

    def _write(text: str) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return _write


@pytest.fixture(scope="module")
def default() -> Config:
    return load_config("moscow")


def error_of(file: Path | None = None, overrides: Any = (), game: str | None = None) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_config(game or (None if file else "moscow"), file, overrides)
    return caught.value


# ---------------------------------------------------------------- the default numbers are those of the rules

DECK = [  # name, kind, value, km, count: the table of the rules page, in the order of the type ids
    ("advance 50", "advance", 0, 50, 20),
    ("advance 100", "advance", 0, 100, 20),
    ("advance 150", "advance", 0, 150, 10),
    ("advance 200", "advance", 0, 200, 6),
    ("army 4/50", "red_army", 4, 50, 5),
    ("army 6/50", "red_army", 6, 50, 4),
    ("army 8/100", "red_army", 8, 100, 3),
    ("army 10/100", "red_army", 10, 100, 1),
    ("army 12/150", "red_army", 12, 150, 1),
    ("red general", "red_general", 0, 0, 4),
    ("great river", "great_river", 0, 0, 4),
    ("order -200 km", "order_km", 0, 200, 3),
    ("order -1 division", "order_division_1", 1, 0, 2),
    ("order -2 divisions", "order_division_2", 2, 0, 1),
    ("order -general", "order_general", 1, 0, 2),
    ("division 2", "division", 2, 0, 9),
    ("division 3", "division", 3, 0, 11),
    ("division 4", "division", 4, 0, 8),
    ("division 5", "division", 5, 0, 3),
    ("luftwaffe 2", "luftwaffe", 2, 0, 4),
    ("luftwaffe 3", "luftwaffe", 3, 0, 2),
    ("german general 3", "german_general", 3, 0, 4),
    ("german general 4", "german_general", 4, 0, 2),
    ("reorganise", "reorganise", 0, 0, 4),
    ("time", "time", 0, 0, 6),
    ("out of supply", "out_of_supply", 0, 0, 3),
]

OPTIONS = {  # key -> value, mark, range or options, rule
    "opening_hand": (6, "A", (5, 7), "M1"),
    "actions_per_turn": (1, "A", (1, 2), "M8"),
    "out_of_supply": ("lose_turn", "A", ("lose_turn", "lose_division"), "M7"),
    "army_on_self": (False, "A", (False, True), "M11"),
    "front_must_be_clear": (True, "A", (True, False), "M14"),
    "boosts": ("multiply", "A", ("multiply", "add"), "M21"),
    "goal_km": (1000, "R", None, "M19"),
    "goal_km_many": (800, "R", None, "M19"),
    "many_players": (5, "R", None, "M19"),
    "moscow_strength": (15, "A", (12, 20), "M21"),
    "die_sides": (6, "A", (6, 8, 10), "M21"),
    "rivers_until": ("september", "R", None, "M21"),
    "cards.hitler_order.km.amount": (200, "R", None, "M26"),
}

GROUPS = {  # plausible cards of a group, and its keys
    "advance": (50, 60, ["advance"]),
    "red": (22, 28, ["red_army", "red_general", "great_river"]),
    "orders": (8, 12, ["hitler_order"]),
    "german": (40, 48, ["division", "luftwaffe", "german_general", "reorganise"]),
    "time": (6, 8, ["time"]),
    "out_of_supply": (3, 6, ["out_of_supply"]),
}


def test_default_deck_is_the_table_of_the_rules(default: Config) -> None:
    assert [dataclasses.astuple(card) for card in default.rules.card_types()] == DECK
    assert default.rules.deck_size == 142
    assert [card.name for card in default.rules.card_types() if not card.in_hand] == ["time", "out of supply"]
    assert default.rules.hand_types() == default.rules.card_types()[:-2]


def test_default_calendar_is_the_table_of_the_rules(default: Config) -> None:
    months = default.rules.months
    assert [month.name for month in months] == list(MONTH_NAMES)
    assert [month.japanese for month in months] == [
        "六月",
        "七月",
        "八月",
        "九月",
        "十月",
        "十一月",
        "十二月",
    ]
    assert [month.attack for month in months] == [2, 2, 1, 0, -1, -3, -4]
    assert [month.hand_limit for month in months] == [8, 8, 8, 7, 6, 5, 5]


@pytest.mark.parametrize("key", OPTIONS)
def test_default_options_and_their_marks(default: Config, key: str) -> None:
    found = {setting.key: setting for setting in default.settings}[key]
    value, mark, plausible, rule = OPTIONS[key]
    assert found.value == value
    assert type(found.value) is type(value)
    assert (found.mark, found.options or found.range, found.rule) == (mark, plausible, rule)


def test_every_assumption_has_a_plausible_range_that_holds_its_default(default: Config) -> None:
    expected = {key for key, spec in OPTIONS.items() if spec[1] == "A"}
    expected |= {f"months.{name}.{what}" for name in MONTH_NAMES for what in ("attack", "hand_limit")}
    cards = default.as_dict()["cards"]
    for kind in ("advance", "red_army", "division", "luftwaffe", "german_general"):
        for item in cards[kind]:
            label = next(iter(item.values()))
            expected |= {f"cards.{kind}.{label}.{field}" for field in item}
    expected |= {f"cards.{kind}.count" for kind in ("red_general", "great_river", "reorganise", "time")}
    expected |= {f"cards.hitler_order.{kind}.count" for kind in cards["hitler_order"]}
    expected.add("cards.out_of_supply.count")
    assert {setting.key for setting in default.assumptions} == expected
    for setting in default.assumptions:
        assert (setting.range is None) != (setting.options is None), setting.key
        assert not setting.outside, setting.key
        assert not setting.moved, setting.key
        assert setting.rule, setting.key
        assert setting.about, setting.key
    assert default.warnings() == []


def test_ranges_of_counts_follow_from_the_shares_of_the_groups(default: Config) -> None:
    counts = {s.key: s for s in default.settings if s.key.startswith("cards.") and s.key.endswith(".count")}
    seen = 0
    for share in default.shares:
        low, high, kinds = GROUPS[share.name]
        members = [s for key, s in counts.items() if key.split(".")[1] in kinds]
        total = sum(s.value for s in members)
        assert (share.range, share.total) == ((low, high), total)
        for s in members:
            expected = (math.floor(s.value * low / total), math.ceil(s.value * high / total))
            assert s.range == expected, s.key
        seen += len(members)
    assert seen == len(counts) == len(DECK)
    assert {share.name for share in default.shares} == set(GROUPS)


def test_ranges_of_values_never_meet_within_a_kind(default: Config) -> None:
    """So that any combination drawn from the ranges is a valid deck."""
    for kind, field in [("advance", "km"), *((k, "strength") for k in ("red_army", "division", "luftwaffe"))]:
        found = [
            s.range for s in default.settings if s.key.startswith(f"cards.{kind}.") and s.key.endswith(field)
        ]
        spans = [span for span in found if span is not None]
        if kind == "red_army":
            assert len(spans) == 5
        assert all(a[1] < b[0] for a, b in itertools.pairwise(spans)), kind


def test_every_assumption_may_go_to_the_ends_of_its_range(default: Config) -> None:
    for setting in default.assumptions:
        for value in setting.options or setting.range or ():
            moved = load_config("moscow", overrides={setting.key: value})
            again = {s.key: s for s in moved.settings}[setting.key]
            assert (again.value, again.outside, again.moved) == (value, False, value != setting.value)


# ---------------------------------------------------------------- the model


def rules_with(**changes: Any) -> MoscowRules:
    values = load_config("moscow").as_dict()
    del values["game"]
    return MoscowRules.model_validate({**values, **changes})


def test_model_is_frozen_hashable_and_pickles(default: Config) -> None:
    with pytest.raises(ValueError, match="frozen"):
        default.rules.opening_hand = 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        default.game = "other"  # type: ignore[misc]
    assert isinstance(default.rules.cards.advance, tuple)
    again = pickle.loads(pickle.dumps(default))
    assert again.rules == default.rules
    assert hash(again.rules) == hash(default.rules)
    assert again.digest == default.digest


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("opening_hand", True),
        ("opening_hand", 6.0),
        ("opening_hand", "6"),
        ("opening_hand", 13),
        ("opening_hand", -1),
        ("army_on_self", 0),
        ("army_on_self", "no"),
        ("die_sides", 1),
        ("die_sides", 21),
        ("die_sides", float("nan")),
        ("moscow_strength", 31),
        ("actions_per_turn", 3),
        ("rivers_until", "may"),
        ("boosts", None),
        ("months", []),
        ("surprise", 1),
    ],
)
def test_model_refuses_what_the_rules_cannot_mean(field: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=field):
        rules_with(**{field: wrong})


@pytest.mark.parametrize(
    ("kind", "cards", "message"),
    [
        ("division", [{"strength": 2, "count": 1}, {"strength": 2, "count": 3}], "more than once"),
        ("division", [{"strength": s, "count": 1} for s in range(1, 10)], "at most 8"),
        ("division", [], "at least 1"),
        ("division", [{"strength": 31, "count": 1}], "30"),
        ("advance", [{"km": 1001, "count": 1}], "1000"),
        ("advance", [{"km": 50, "count": 61}], "60"),
        ("advance", [{"km": k, "count": 60} for k in (10, 20, 30, 40)], "deck has"),
        ("time", {"count": True}, "integer"),
    ],
)
def test_model_bounds_cards(kind: str, cards: Any, message: str) -> None:
    values = load_config("moscow").as_dict()["cards"]
    with pytest.raises(ValueError, match=message):
        rules_with(cards={**values, kind: cards})


def test_cards_are_sorted_by_their_value_whatever_the_order_in_the_file(default: Config) -> None:
    cards = copy.deepcopy(default.as_dict()["cards"])
    for kind in ("advance", "red_army", "division"):
        cards[kind].reverse()
    assert rules_with(cards=cards) == default.rules


def test_a_count_of_nought_keeps_the_type_ids(default: Config) -> None:
    changed = load_config("moscow", overrides=["cards.advance.150.count=0", "cards.great_river.count=0"])
    assert [c.name for c in changed.rules.card_types()] == [c.name for c in default.rules.card_types()]


def test_goal_depends_on_the_number_of_players(default: Config) -> None:
    assert [default.rules.goal(n) for n in range(1, 7)] == [1000, 1000, 1000, 1000, 800, 800]


def test_check_players_wants_opening_hands_and_a_card_each_to_draw(default: Config) -> None:
    for players in range(1, 7):
        default.rules.check_players(players)
    for players in (0, 7, -1):
        with pytest.raises(UserError, match="1 to 6 players"):
            default.rules.check_players(players)
    counts = {s.key: 0 for s in default.settings if s.key.endswith(".count")}
    just = load_config("moscow", overrides={**counts, "cards.time.count": 42}).rules
    just.check_players(6)
    short = load_config("moscow", overrides={**counts, "cards.time.count": 41}).rules
    with pytest.raises(UserError, match=r"41 cards is too small for 6 players.*at least 42"):
        short.check_players(6)
    short.check_players(5)


# ---------------------------------------------------------------- layers


def test_a_partial_file_changes_only_what_it_says_and_keeps_marks(write: Write, default: Config) -> None:
    path = write("game: moscow\nopening_hand: 7\ncards: {time: {count: 9}}\n")
    config = load_config(file=path)
    moved = {s.key: (s.value, s.default, s.mark, s.range, s.outside) for s in config.settings if s.moved}
    assert moved == {
        "opening_hand": (7, 6, "A", (5, 7), False),
        "cards.time.count": (9, 6, "A", (6, 8), True),
    }
    assert config.marks == default.marks
    assert config.digest != default.digest
    assert [s.key for s in config.settings] == [s.key for s in default.settings]


def test_a_file_may_say_what_a_number_rests_on(write: Write) -> None:
    text = "game: moscow\nmoscow_strength: {value: 18, mark: P, about: a photo}\ndie_sides: {options: [6]}\n"
    config = load_config(file=write(text))
    found = {s.key: s for s in config.settings}
    assert dataclasses.astuple(found["moscow_strength"]) == (
        *("moscow_strength", 18, 15, "P", (12, 20), None, "M21", "a photo"),
    )
    assert found["die_sides"].value == 6
    assert found["die_sides"].options == (6,)
    assert "moscow_strength" not in {s.key for s in config.assumptions}


def test_a_list_given_whole_replaces_the_list(write: Write) -> None:
    text = "game: moscow\ncards:\n  advance:\n    - {count: 30, km: 50}\n    - {km: 75, count: 20}\n"
    config = load_config(file=write(text))
    assert [(c.km, c.count) for c in config.rules.cards.advance] == [(50, 30), (75, 20)]
    found = {s.key: s for s in config.settings}
    kept, new = found["cards.advance.50.count"], found["cards.advance.75.count"]
    assert (kept.value, kept.default, kept.range, kept.outside) == (30, 20, (17, 22), True)
    assert (new.value, new.default, new.mark, new.range, new.moved) == (20, None, "A", None, True)
    gone = found["cards.advance.200.count"]
    assert (gone.value, gone.default, gone.moved, gone.outside) == (None, 6, True, False)


def test_an_item_of_a_replaced_list_takes_no_value_from_the_default(write: Write) -> None:
    error = error_of(write("game: moscow\ncards:\n  advance:\n    - {km: 50}\n"))
    assert "line 4, key 'cards.advance.50.count': missing; a whole number from 0 to 60." in str(error)


def test_a_group_over_a_list_addresses_its_items(write: Write, default: Config) -> None:
    config = load_config(file=write("game: moscow\ncards: {advance: {50: {count: 18}}}\n"))
    assert config.digest == load_config("moscow", overrides=["cards.advance.50.count=18"]).digest
    assert config.rules.cards.advance[1:] == default.rules.cards.advance[1:]


@pytest.mark.parametrize(
    ("override", "read"),
    [
        ("cards.advance.50.count=18", lambda r: (r.cards.advance[0].count, 18)),
        ("cards.division.3.count=10", lambda r: (r.cards.division[1].count, 10)),
        ("months.june.attack=3", lambda r: (r.months[0].attack, 3)),
        ("cards.red_army.12.km=100", lambda r: (r.cards.red_army[4].km, 100)),
        ("cards.advance.50.km=60", lambda r: (r.cards.advance[0].km, 60)),
        ("opening_hand.value=5", lambda r: (r.opening_hand, 5)),
        (" boosts = add", lambda r: (r.boosts, "add")),
        ("army_on_self=true", lambda r: (r.army_on_self, True)),
        ("cards.luftwaffe=[{strength: 4, count: 9}]", lambda r: (r.cards.luftwaffe[0].strength, 4)),
        ("cards={time: {count: 7}}", lambda r: (r.cards.time.count, 7)),
    ],
)
def test_overrides(override: str, read: Callable[[MoscowRules], tuple[Any, Any]], default: Config) -> None:
    config = load_config("moscow", overrides=[override])
    value, expected = read(config.rules)
    assert value == expected
    key, _, text = override.partition("=")
    assert load_config("moscow", overrides={key: text}).digest == config.digest != default.digest


def test_overrides_lie_over_the_file_and_later_ones_over_earlier_ones(write: Write) -> None:
    path = write("game: moscow\nopening_hand: 7\n")
    assert load_config(file=path, overrides=["opening_hand=4", "opening_hand=5"]).rules.opening_hand == 5
    assert load_config("moscow", path).rules.opening_hand == 7


def test_keys_do_not_move_when_the_value_they_name_does() -> None:
    config = load_config("moscow", overrides=["cards.advance.50.km=60", "cards.advance.50.count=19"])
    found = {s.key: s for s in config.settings}
    assert (found["cards.advance.50.km"].value, found["cards.advance.50.km"].default) == (60, 50)
    assert found["cards.advance.50.count"].value == 19


def test_overrides_may_be_plain_python_values() -> None:
    np = pytest.importorskip("numpy")
    config = load_config("moscow", overrides={"opening_hand": np.int64(5), "army_on_self": True})
    assert config.rules.opening_hand == 5
    assert config.rules.army_on_self is True


# ---------------------------------------------------------------- digest, dict, rows


def test_digest_is_stable_and_blind_to_form(write: Write, default: Config) -> None:
    """The literal: a run saved last year must be recognised; it changes with the default numbers only."""
    assert default.digest == "349c31e19e225adbab48d363dcfb8c98ae9504e5e8dcbe72f299c3d8adfbc5c2"
    path = write("# the same\ngame: moscow\nboosts: 'multiply'\nopening_hand: {value: 6, range: [1, 9]}\n")
    assert load_config(file=path).digest == default.digest


def test_as_dict_makes_the_same_config_again(default: Config) -> None:
    assert config_of(default.as_dict()) == default
    moved = load_config("moscow", overrides=["cards.advance.50.count=18", "boosts=add"])
    assert config_of(moved.as_dict()).settings == moved.settings
    moved.as_dict()["cards"]["advance"].clear()
    assert moved.as_dict()["cards"]["advance"][0] == {"km": 50, "count": 18}


def test_config_of_refuses_a_damaged_dict(default: Config) -> None:
    values = {**default.as_dict(), "opening_hand": -1}
    with pytest.raises(ConfigError, match="saved config, key 'opening_hand': -1 is not allowed"):
        config_of(values)


def test_describe_has_a_row_a_setting_in_words() -> None:
    config = load_config("moscow", overrides=["opening_hand=9", "army_on_self=true"])
    rows = {row["key"]: row for row in config.describe()}
    assert len(rows) == len(config.settings)
    assert rows["opening_hand"] == {
        "key": "opening_hand",
        "value": "9",
        "default": "6",
        "mark": "A",
        "plausible": "5 to 7",
        "rule": "M1",
        "about": "cards dealt to each player",
        "note": "moved, outside",
    }
    assert rows["army_on_self"]["value"] == "true"
    assert rows["army_on_self"]["note"] == "moved"
    assert rows["goal_km"]["note"] == ""


# ---------------------------------------------------------------- errors: file, line, key, what is allowed


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("opening_hand: -3", 2, "opening_hand", "-3 is not allowed; a whole number from 0 to 12."),
        ("opening_hand: 6.5", 2, "opening_hand", "6.5 is not allowed; a whole number"),
        ("opening_hand: true", 2, "opening_hand", "true is not allowed; a whole number"),
        ("opening_hand: '6'", 2, "opening_hand", "'6' is not allowed; a whole number"),
        ("opening_hand:", 2, "opening_hand", "an empty value is not allowed"),
        ("opening_hand: [6]", 2, "opening_hand", "[6] is not allowed"),
        ("opening_hand: {six: 6}", 2, "opening_hand", "a group of settings is not allowed"),
        ("opening_hand: 010", 2, "opening_hand", "'010' is not allowed"),
        ("opening_hand: 1:30", 2, "opening_hand", "'1:30' is not allowed"),
        ("army_on_self: no", 2, "army_on_self", "'no' is not allowed; true or false."),
        ("boosts: plus", 2, "boosts", "'plus' is not allowed; one of 'multiply', 'add'."),
        ("openin_hand: 6", 2, "openin_hand", "unknown key. Did you mean 'opening_hand'?"),
        ("cards:\n  advanec: []", 3, "cards.advanec", "unknown key. Did you mean 'advance'?"),
        ("\nhitler_order: {}", 3, "hitler_order", "unknown key."),
        ("reorganise:\n  count: 3", 2, "reorganise", "unknown key."),
        ("amount: 3", 2, "amount", "Did you mean 'cards.hitler_order.km.amount'?"),
        ("cards:\n  time:\n    count: 61", 4, "cards.time.count", "61 is not allowed; a whole number from 0"),
        ("cards: {advance: {55: {count: 1}}}", 2, "cards.advance.55", "unknown key."),
        (
            "cards:\n  advance:\n    - {km: 50, count: 1}\n    - {km: 60, cuont: 1}",
            5,
            "cards.advance.60.cuont",
            "'count'",
        ),
        (
            "cards:\n  advance:\n    - {km: 5, count: 1}\n    - {km: 5, count: 1}",
            3,
            "cards.advance",
            "5 stands",
        ),
        ("cards:\n  advance: 5", 3, "cards.advance", "5 is not allowed; a list of 1 to 8 items."),
        ("cards: 5", 2, "cards", "5 is not allowed; a group of settings (advance, red_army,"),
        ("cards:\n  time: {count: 60}\n  reorganise: {count: 60}", 2, "cards", "the deck has 252 cards"),
        (
            "months: [{name: june, attack: 1, hand_limit: 7}]",
            2,
            "months",
            "november, december missing; the",
        ),
        ("opening_hand: {value: 6, mark: X}", 2, "opening_hand.mark", "'X' is not allowed; R: the rules"),
        (
            "opening_hand: {value: 6, range: [7, 5]}",
            2,
            "opening_hand.range",
            "[7, 5] is not allowed; [lowest",
        ),
        ("opening_hand: {range: 7}", 2, "opening_hand.range", "7 is not allowed; [lowest"),
        ("boosts: {value: add, options: []}", 2, "boosts.options", "[] is not allowed; a list"),
        ("opening_hand: {value: 6, options: [6], range: [5, 7]}", 2, "opening_hand", "not both"),
        ("opening_hand: {value: 6, marc: A}", 2, "opening_hand.marc", "Did you mean 'mark'?"),
        ("opening_hand: {value: {a: 6}}", 2, "opening_hand", "a value must be plain"),
        ("opening_hand: {value: 6, rule: 1}", 2, "opening_hand.rule", "1 is not allowed; the id of a rule"),
        ("value: 6", 2, "value", "unknown key"),
        ("shares: 3", 2, "shares", "3 is not allowed; a group of shares"),
        ("shares: {time: {range: [9]}}", 2, "shares.time", "a share is {range"),
        ("shares: {time: {of: [cards.tmie]}}", 2, "shares.time.of", "there is no setting 'cards.tmie'."),
        ("base: berlin", 2, "base", "Unknown base 'berlin'."),
        ("base: [moscow]", 2, "base", "['moscow'] is not allowed; a name."),
        # what YAML can do and a config does not need
        ("opening_hand: &six 6", 2, "opening_hand", "anchor '&six' is not allowed"),
        ("opening_hand: *six", 2, "opening_hand", "alias '*six' is not allowed"),
        ("opening_hand: !!int '6'", 2, "opening_hand", "tag 'tag:yaml.org,2002:int' is not allowed"),
        ("opening_hand: !!python/name:os.system x", 2, "opening_hand", "is not allowed; write the plain"),
        ("opening_hand: ! 6", 2, "opening_hand", "tag '!' is not allowed"),
        ("opening_hand: 6\nboosts: add\nopening_hand: 7", 4, "opening_hand", "given twice; first in line 2."),
        ("game: moscow", 2, "game", "given twice; first in line 1."),
        ("? [a]\n: 1", 2, "", "a key must be a plain word or number."),
        ("opening_hand: .nan", 2, "opening_hand", ".nan is not allowed; only finite numbers."),
        ("opening_hand: -.INF", 2, "opening_hand", "-.INF is not allowed"),
        ("opening_hand: 1e999", 2, "opening_hand", "1e999 is too big a number."),
        ("opening_hand: 1" + "0" * 5000, 2, "opening_hand", "has more than 15 digits."),
        ("a: " + "[" * 21 + "]" * 21, 2, "a" + ".1" * 20, "nested more than 20 levels deep."),
        ("a: " + "[\n " * 100_000, 22, "a" + ".1" * 20, "nested more than 20 levels deep."),
        ("---\ngame: moscow", 2, "", "a second document begins"),
        ("boosts: [add", 3, "", "not valid YAML: "),
        ("\tboosts: add", 2, "", "not valid YAML"),
        ("boosts: \x07", 2, "", "not valid YAML: a character that is not allowed."),
    ],
)
def test_errors_name_file_line_key_and_what_is_allowed(
    write: Write, text: str, line: int, key: str, words: str
) -> None:
    path = write(f"game: moscow\n{text}\n")
    error = error_of(path)
    first = error.problems[0]
    assert (first.place.source, first.place.line, first.key) == (str(path), line, key)
    assert words in first.text
    assert str(error).startswith(f"{path}, line {line}" + (f", key '{key}': " if key else ": ")[:100])


def test_brackets_without_end_are_refused(write: Write) -> None:
    """libyaml has a limit of its own on one line; without libyaml ours is met first."""
    problem = error_of(write("game: moscow\na: " + "[" * 100_000)).problems[0]
    assert problem.place.line == 2
    assert "nested more than 20 levels" in problem.text or "not valid YAML" in problem.text


def test_the_whole_error_of_one_mistake(write: Write) -> None:
    path = write("game: moscow\ncards:\n  advance:\n    50: {count: -3}\n")
    expected = (
        f"{path}, line 4, key 'cards.advance.50.count': -3 is not allowed; a whole number from 0 to 60."
    )
    assert str(error_of(path)) == expected


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "cards.advance.50.count=-3",
            "key 'cards.advance.50.count': -3 is not allowed; a whole number from 0",
        ),
        ("cards.advance.50.cuont=3", "key 'cards.advance.50.cuont': unknown key. Did you mean 'count'?"),
        ("card.time.count=3", "key 'card': unknown key. Did you mean 'cards'?"),
        ("opening_hand.deep=3", "key 'opening_hand.deep': unknown key; there is nothing below"),
        ("hitler_order.km.count=3", "key 'hitler_order': unknown key."),
        ("a." * 5000 + "b=3", "unknown key."),
        ("cards..count=3", "key 'cards.': unknown key."),
        ("cards.advance.1.count=3", "Known here: 50, 100, 150, 200."),
        ("opening_hand", "'opening_hand' is not allowed; key=value."),
        ("=6", "'=6' is not allowed; key=value."),
        ("opening_hand=", "key 'opening_hand': an empty value is not allowed"),
        ("opening_hand=*six", "key 'opening_hand': alias '*six' is not allowed"),
        ("opening_hand=[", "key 'opening_hand': not valid YAML"),
        ("opening_hand=.inf", "key 'opening_hand': .inf is not allowed"),
        ("opening_hand=\udc80", "key 'opening_hand': not valid YAML"),
        ("opening\udc80=1", "unknown key."),
        ("months.june.name=july", "key 'months': june missing; the months must be june, july"),
        ("cards.time.count=60", None),
        ("cards.advance.50.km=100", "key 'cards.advance': 100 stands here more than once"),
    ],
)
def test_errors_of_overrides(override: str, message: str | None) -> None:
    if message is None:
        assert load_config("moscow", overrides=[override]).rules.cards.time.count == 60
        return
    error = str(error_of(overrides=[override]))
    assert error.startswith("set")
    assert message in error
    error.encode()  # can be printed


@pytest.mark.parametrize("value", [float("nan"), 10**15, object(), {1}, [[[float("inf")]]], b"6"])
def test_wrong_python_values_as_overrides(value: object) -> None:
    assert "set, key 'opening_hand" in str(error_of(overrides={"opening_hand": value}))


def test_several_problems_are_reported_together_up_to_ten(write: Write) -> None:
    path = write("game: moscow\nboosts: x\nopening_hand: x\n")
    error = error_of(path, ["die_sides=x", "nothing=1"])
    assert [(p.place.source, p.key) for p in error.problems] == [
        (str(path), "boosts"),
        (str(path), "opening_hand"),
        ("set", "die_sides"),
        ("set", "nothing"),
    ]
    many = write("game: moscow\n" + "".join(f"key_{i}: 1\n" for i in range(13)))
    lines = str(error_of(many)).splitlines()
    assert len(lines) == 11
    assert [f"line {i + 2}, key 'key_{i}'" in line for i, line in enumerate(lines[:10])] == [True] * 10
    assert lines[10] == "... and 3 more."
    spec = write("game: moscow\nboosts: {value: add, marc: A}\nopening_hand: {value: 6, mark: Z}\n")
    assert [p.place.line for p in error_of(spec).problems] == [2, 3]


def test_errors_survive_pickling(write: Write) -> None:
    error = error_of(write("game: moscow\nboosts: x\n"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_files_that_are_no_config(tmp_path: Path, write: Write) -> None:
    assert "there is no such file" in str(error_of(tmp_path / "none.yaml"))
    assert "is a folder" in str(error_of(tmp_path))
    assert "cannot be read" in str(error_of(Path("a\0b"))) or "no such file" in str(error_of(Path("a\0b")))
    for text in ("", "# nothing\n", "just words", "- a\n- b\n", "5"):
        assert "a config is a list of `key: value` lines" in str(error_of(write(text)))
    big = tmp_path / "big.yaml"
    big.write_text("# " + "x" * MAX_BYTES)
    assert str(error_of(big)) == f"{big}: more than 1024 KiB; no config is that big."
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"game: moscow\n# M\xfcnchen\n")
    assert str(error_of(latin)) == f"{latin}, line 2: not UTF-8 text; save the file as UTF-8."
    marked = tmp_path / "bom.yaml"
    marked.write_bytes("game: moscow\nboosts: add\n".encode("utf-8-sig"))
    assert load_config(file=marked).rules.boosts == "add"


def test_which_game(write: Write) -> None:
    with pytest.raises(UserError, match=r"Which game\? Known: .*moscow"):
        load_config()
    with pytest.raises(UserError, match=r"Unknown game 'moscwo'. Did you mean 'moscow'\?"):
        load_config("moscwo")
    path = write("opening_hand: 7\n")
    assert "key 'game': missing; one of" in str(error_of(path))
    assert load_config("moscow", path).rules.opening_hand == 7
    wrong = error_of(write("# mine\ngame: moskow\n"))
    assert "line 2, key 'game': Unknown game 'moskow'. Did you mean 'moscow'?" in str(wrong)


def test_a_config_does_not_choose_what_is_imported() -> None:
    for name in ("os", "..errors", "moscow.model", "__init__", ""):
        with pytest.raises(UserError, match="Unknown game"):
            model_of(name)


def test_shipped_configs_are_found() -> None:
    assert model_of("moscow") is MoscowRules
    assert find_configs()["moscow"] == config_dir() / "moscow.yaml"
    assert "moscow" in find_games()


@pytest.mark.parametrize("name", find_configs())
def test_every_shipped_config_is_valid_and_plausible(name: str) -> None:
    assert load_config(name).warnings() == []


# ---------------------------------------------------------------- check


def test_check_file_tells_errors_from_warnings(write: Write) -> None:
    assert check_file(write("game: moscow\n")) == []
    assert check_file(config_dir() / "moscow.yaml") == []
    found = check_file(write("game: moscow\nopening_hand: 9\ncards: {advance: {50: {count: 9}}}\n"))
    assert found == [
        "warning: opening_hand is 9, outside the plausible 5 to 7.",
        "warning: cards.advance.50.count is 9, outside the plausible 17 to 22.",
        "warning: advance has 45 cards in all, outside the plausible 50 to 60.",
    ]
    path = write("game: moscow\nopening_hand: 99\nboosts: x\n")
    assert check_file(path) == [f"error: {line}" for line in str(error_of(path)).splitlines()]
    wide = write(
        "game: moscow\ncards: {time: {count: 7}}\nshares: {time: {range: [7, 7]}, orders: {range: [9, 9]}}\n"
    )
    assert check_file(wide) == ["warning: orders has 8 cards in all, outside the plausible 9 to 9."]


# ---------------------------------------------------------------- nothing of one game: a made-up one


class Unit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    cost: Annotated[float, Field(strict=True, gt=0, le=3)]
    name: str
    path: tuple[tuple[int, int], ...] = ()


class Toy(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    title: str
    limit: int | None = None
    units: tuple[Unit, ...]
    moods: dict[str, Annotated[int, Field(ge=0)]]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped configs with one game and a scenario that stands on it."""
    folder = tmp_path / "configs"
    (folder / "toy").mkdir(parents=True)
    (folder / "toy.yaml").write_text(
        "game: toy\ntitle: Toy\nmoods: {good: {value: 1, mark: A, range: [0, 2]}}\nunits:\n"
        "  - {cost: {value: 1.5, mark: P}, name: knight, path: [[0, 1], [2, 3]]}\n"
        "  - {cost: 1, name: archer}\n"
    )
    (folder / "toy" / "hill.yaml").write_text("game: toy\nbase: toy\ntitle: Hill\nmoods: {good: 2}\n")
    monkeypatch.setattr(config_layers, "config_dir", lambda: folder)
    monkeypatch.setattr(config_module, "model_of", lambda game: {"toy": Toy}[game])
    return folder


def test_scenarios_stand_on_the_config_of_their_game(toy: Path, write: Write) -> None:
    assert list(find_configs()) == ["toy", "toy/hill"]
    assert find_games() == ["toy"]
    hill = load_config("toy/hill")
    assert (hill.name, hill.game, hill.rules.title, hill.rules.moods) == (
        "toy/hill",
        "toy",
        "Hill",
        {"good": 2},
    )
    setting = {s.key: s for s in hill.settings}["moods.good"]
    assert (setting.default, setting.mark, setting.moved) == (2, "A", False)  # what is shipped is the default
    assert load_config(file=write("base: toy/hill\nlimit: 3\n")).rules.title == "Hill"
    assert load_config("toy/hill", write("game: toy\nlimit: 3\n")).rules.title == "Hill"
    (toy / "toy" / "ring.yaml").write_text("game: toy\nbase: toy/ring\n")
    with pytest.raises(UserError, match="stands on itself"):
        load_config("toy/ring")
    (toy / "other.yaml").write_text("game: other\n")
    with pytest.raises(UserError, match=r"the file is for 'toy', but 'other' is a config of 'other'"):
        load_config("other", write("game: toy\n"))


def test_a_part_is_no_config_and_others_stand_on_it(toy: Path, write: Write) -> None:
    (toy / "toy" / "_rest.yaml").write_text("game: toy\nunits: [{cost: 1, name: knight}]\nmoods: {good: 2}\n")
    (toy / "toy" / "moor.yaml").write_text("game: toy\nbase: toy/_rest\ntitle: Moor\n")
    assert list(find_configs()) == ["toy", "toy/hill", "toy/moor"]
    assert load_config("toy/moor").rules.title == "Moor"
    assert load_config(file=write("base: toy/_rest\ntitle: Fen\n")).rules.moods == {"good": 2}
    with pytest.raises(UserError, match="title': missing"):  # nothing of another scenario is taken over
        load_config(file=write("base: toy/_rest\n"))


def test_a_mark_for_a_whole_file(toy: Path, write: Write) -> None:
    text = "game: toy\nmark: P\nlimit: 3\nmoods: {bad: {value: 1, mark: R}}\nunits: [{cost: 2, name: duke}]\n"
    marks = load_config(file=write(text)).marks
    told = {"limit": "P", "units.2.cost": "P", "units.2.name": "P", "moods.bad": "R"}
    assert {key: marks[key] for key in told} == told
    assert (marks["title"], marks["moods.good"]) == ("", "A")  # not in this file
    with pytest.raises(UserError, match=r"line 2, key 'mark': 'X' is not allowed; R: the rules digest"):
        load_config(file=write("game: toy\nmark: X\n"))
    with pytest.raises(UserError, match=r"line 2, key 'mark': a group of settings is not allowed"):
        load_config(file=write("game: toy\nmark: {a: 1}\n"))


def test_labels_may_hold_a_dot_and_lists_of_lists_are_values(toy: Path) -> None:
    config = load_config(
        "toy", overrides=["units.1.5.name=horse", "units.1.name=bow", "units.1.5.path=[[4, 5]]"]
    )
    assert [unit.name for unit in config.rules.units] == ["horse", "bow"]
    assert config.rules.units[0].path == ((4, 5),)
    with pytest.raises(ConfigError, match=r"key 'units.1.5.cost': 4 is not allowed"):
        load_config("toy", overrides=["units.1.5.cost=4"])


def test_items_that_nothing_tells_apart_go_by_their_place(toy: Path) -> None:
    same = "units=[{cost: 1, name: a}, {cost: 1, name: b}]"
    config = load_config("toy", overrides=[same, "units.2.name=c"])
    assert [unit.name for unit in config.rules.units] == ["a", "c"]


def test_words_for_other_shapes_of_settings(toy: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"key 'limit': 'x' is not allowed; a whole number or an empty value"
    ):
        load_config("toy", overrides=["limit=x"])
    assert load_config("toy", overrides=["limit=4", "moods.bad=3"]).rules.moods == {"good": 1, "bad": 3}
    with pytest.raises(ConfigError, match=r"key 'moods.good': -1 is not allowed; a whole number from 0"):
        load_config("toy", overrides=["moods.good=-1"])
    with pytest.raises(
        ConfigError, match=r"key 'units.1.5.cost': 0 is not allowed; a number up to 3, above 0"
    ):
        load_config("toy", overrides=["units.1.5.cost=0"])


def test_a_shipped_file_that_was_changed_is_read_again(toy: Path) -> None:
    assert load_config("toy").rules.title == "Toy"
    path = toy / "toy.yaml"
    path.write_text(path.read_text().replace("title: Toy", "title: Troy"))
    assert load_config("toy").rules.title == "Troy"


# ---------------------------------------------------------------- scalars and fuzz


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("6", 6), ("-4", -4), ("+2", 2), ("0", 0), ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("2.", 2.0)],
        *[("true", True), ("False", False), ("~", None), ("", None), ("null", None)],
        *[("no", "no"), ("on", "on"), ("NO", "NO"), ("010", "010"), ("0x1F", "0x1F"), ("1_000", "1_000")],
        *[("2024-01-01", "2024-01-01"), ("1:30", "1:30"), ("inf", "inf"), ("nan", "nan"), ("<<", "<<")],
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)


PIECES = [
    *[
        "game: moscow\n",
        "cards:",
        "  advance:",
        "opening_hand",
        "months",
        "shares:",
        "value",
        "mark",
        "range",
    ],
    *[
        ": ",
        "\n",
        "  ",
        "- ",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "#",
        "'",
        '"',
        "|",
        ">",
        "? ",
        "&a ",
        "*a",
        "!!str ",
        "!x ",
    ],
    *[
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "<<",
        "~",
        "true",
        "no",
        "-3",
        "1e999",
        ".nan",
        "0x1F",
        "99999999999999999",
    ],
    *["\t", "\r", "\0", "\ufeff", "進撃", "\x85", "\u2028", "50", "count", "of", "base", "km"],
]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=40).map("".join)
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def only_user_errors(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)
    found = check_file(path)
    "".join(found).encode()  # can be printed
    if any(line.startswith("error: ") for line in found):
        return
    config = load_config(file=path)
    assert config.rules.deck_size <= 250
    assert config_of(config.as_dict()).digest == config.digest


@FUZZ
@given(text=TEXTS)
def test_fuzz_any_text_gives_a_config_or_a_user_error(tmp_path: Path, text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    only_user_errors(tmp_path / "fuzz.yaml", raw)
    only_user_errors(tmp_path / "fuzz.yaml", b"game: moscow\n" + raw)


@FUZZ
@given(data=st.data())
def test_fuzz_mutated_default_gives_a_config_or_a_user_error(tmp_path: Path, data: st.DataObject) -> None:
    text = (config_dir() / "moscow.yaml").read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.sampled_from([0, 1, 2, 5, 40, 400]))
        text = text[:at] + data.draw(st.sampled_from(["", *PIECES])) + text[at + cut :]
    only_user_errors(tmp_path / "fuzz.yaml", text.encode())


OVERRIDE_KEYS = ["cards", "months", "cards.advance.50", *OPTIONS]
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(PIECES), inner, max_size=4)
    ),
    max_leaves=8,
)


@FUZZ
@given(
    overrides=st.dictionaries(
        st.one_of(st.sampled_from(OVERRIDE_KEYS), st.text()),
        VALUES,
        max_size=3,
    )
)
def test_fuzz_overrides_give_a_config_or_a_user_error(overrides: dict[str, Any]) -> None:
    words = ""
    try:
        words = load_config("moscow", overrides=overrides).digest
    except UserError as error:
        words = str(error)
    assert words.encode()  # says something, and it can be printed


@FUZZ
@given(text=TEXTS)
def test_fuzz_reader_lines_are_within_the_text(text: str) -> None:
    try:
        read_text(text, "x.yaml")
    except ConfigError as error:
        for problem in error.problems:
            lines = len(text.splitlines()) + 1
            assert problem.place.line is None or 1 <= problem.place.line <= lines + 1
