"""Kraskar's config: the roster as invented, and rosters and decks of a user's own, checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.kraskar.model import KraskarRules

SMALL = """
game: kraskar
decks: [Mine, Theirs]
units:
  - {name: Pikes, country: North, troop: spearman, cost: 2, force: 5, wit: 3}
  - {name: Bows, country: North, troop: archer, cost: 1.5, force: 3, wit: 6, stratagem: taunt}
  - {name: Horse, country: South, troop: cavalry, cost: 2.5, force: 7, wit: 2}
named_decks:
  - {name: Mine, units: [Pikes, Bows, Horse], columns: [1, 2, 3]}
  - {name: Theirs, units: [Horse, Bows, Pikes]}
"""


def rules_of(*options: str, text: str = "", folder: Path | None = None) -> KraskarRules:
    file = None
    if folder is not None:
        file = folder / "mine.yaml"
        file.write_text(text)
    rules: KraskarRules = load_config("kraskar", file=file, overrides=options).rules
    return rules


def test_the_roster() -> None:
    """K4: 32 units of four countries, 13 stratagems, six decks that cost no more than 8."""
    rules = rules_of()
    assert (len(rules.units), len({unit.country for unit in rules.units})) == (32, 4)
    assert (len(rules.stratagems), len(rules.named_decks)) == (13, 6)
    for deck in rules.named_decks:
        assert sum(rules.unit(name).cost for name in deck.units) <= 8
        assert len(deck.columns) == len(deck.units)
    assert {unit.troop for unit in rules.units} == {"cavalry", "archer", "spearman", "infantry"}
    kinds = [stratagem.kind for stratagem in rules.stratagems]
    assert {kind: kinds.count(kind) for kind in kinds} == {"boost": 4, "rally": 3, "weaken": 3, "strike": 3}


@pytest.mark.parametrize(
    ("deck", "countries", "cap"),
    [("Spear Wall", 1, 12), ("Two Banners", 2, 8), ("Four Crowns", 4, 4), ("Three", 3, 4)],
)
def test_k7_the_cap_goes_by_countries(deck: str, countries: int, cap: int) -> None:
    three = "named_decks.Two Banners.units=[Storm Riders, Gate Watch, Reed Bows]"
    options = (
        [three, "named_decks.Two Banners.columns=[1, 2, 3]"]
        if deck == "Three"
        else [f"decks=[{deck}, {deck}]"]
    )
    rules = rules_of(*options)
    assert (rules.countries(0), rules.chip_cap(0)) == (countries, cap)


def test_a_roster_and_decks_of_ones_own(tmp_path: Path) -> None:
    rules = rules_of(text=SMALL, folder=tmp_path)
    assert [unit.name for unit in rules.deck_units(1)] == ["Horse", "Bows", "Pikes"]
    assert rules.unit("Bows").stratagem == "taunt"
    assert load_config("kraskar", file=tmp_path / "mine.yaml").warnings() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("cost: 2,", "cost: 2.25,"), "2.25 is no cost"),
        (("force: 5", "force: 99"), "from 1 to 15"),
        (("force: 5", "force: five"), "whole number from 1 to 15"),
        (("wit: 6", "wit: -1"), "from 0 to 15"),
        (("troop: archer", "troop: archers"), "one of 'cavalry', 'archer', 'spearman', 'infantry'"),
        (("stratagem: taunt", "stratagem: tount"), "Did you mean 'taunt'"),
        (("name: Bows", "name: Pikes"), "two units named 'Pikes'"),
        (("[Horse, Bows, Pikes]", "[Horse, Bows, Pike]"), "Did you mean 'Pikes'"),
        (("[Horse, Bows, Pikes]", "[Horse, Bows, Horse]"), "'Horse' stands in this deck twice"),
        (("[Horse, Bows, Pikes]", "[Horse, Bows]"), "3 to 8 items"),
        (("[1, 2, 3]", "[1, 2]"), "2 columns for 3 units"),
        (("[1, 2, 3]", "[1, 2, 0]"), "from 1 to 7"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Thiers]"), "Did you mean 'Theirs'"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Theirs]\ncolumns: 4"), "an odd number is needed (K1)"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Theirs]\ndeck_cost: 5.5"), "costs 6, more than the 5.5"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Theirs]\nstart_columns: deck"), "no columns to start at"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Theirs]\nstart_chips: 5"), "more than a cap of 4"),
        (("decks: [Mine, Theirs]", "decks: [Mine, Theirs]\ncastel_life: 5"), "castle_life"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_mistakes_are_named(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in SMALL
    with pytest.raises(UserError) as caught:
        rules_of(text=SMALL.replace(*change, 1), folder=tmp_path)
    assert said in str(caught.value)
    assert "mine.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["stratagems.taunt.power=3"], "a weaken needs amount, and nothing else"),
        (["stratagems.fire trap.amount=3"], "a strike needs power and distance, and nothing else"),
        (["columns=3", "start_columns=deck"], "starts in column 5 of 3 (K3)"),
        (["rows=8"], "from 3 to 7"),
        (["first_player=3"], "one of 'random', 1, 2"),
        (["damage=double"], "one of 'difference', 'plain', 'ratio'"),
        (["units.Storm Riders.cost=3"], "costs 9, more than the 8 allowed (K4)"),
    ],
)
def test_wrong_settings_are_named(options: list[str], said: str) -> None:
    with pytest.raises(UserError) as caught:
        rules_of(*options)
    assert said in str(caught.value)


def test_an_empty_table_turns_stratagems_off() -> None:
    rules = rules_of("stratagems=[]")
    assert rules.stratagem("taunt") is None
    assert rules_of().stratagem("none") is None


def test_kraskar_is_for_two() -> None:
    with pytest.raises(UserError, match="2 players"):
        rules_of().check_players(3)
