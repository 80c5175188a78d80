"""The answers of Kraskar: counted out blow by blow, and as the engine and the report have them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.kraskar import damage, odds
from analyzer.games.kraskar.attacks import CAUSES, EXHAUSTS, ONLY
from analyzer.games.kraskar.tables import Side, Tables

RULES = load_config("kraskar").rules
UNITS = {unit.name: unit for unit in RULES.units}
FACTOR = {"snipe": 2, "interception": 2}


def loss_of(attack: str, one: Any, other: Any) -> int:
    """K14 to K21 written out: 8 + force dealt - force, at least 1; a strike by the wits."""
    if attack == "strike":
        power = RULES.stratagem(one.stratagem).power
        return int(power * max(1, one.wit) // max(1, other.wit))
    return max(1, 8 + FACTOR.get(attack, 1) * one.force - other.force)


def may(attack: str, one: Any, other: Any) -> bool:
    trick = RULES.stratagem(one.stratagem)
    if attack == "strike":
        return trick is not None and trick.kind == "strike"
    if attack == "interception":
        return (one.troop, other.troop) == ("spearman", "cavalry")
    only = {"charge": "cavalry", "shot": "archer", "snipe": "archer", "thrust": "spearman"}
    return only.get(attack, one.troop) == one.troop


def counted(points: int, loss: int) -> int | None:
    hits = 0
    while points > 0:
        if not loss:
            return None
        points, hits = points - loss, hits + 1
    return hits


@pytest.mark.parametrize("attack", CAUSES)
@pytest.mark.parametrize("points", [16, 5])
def test_k21_every_unit_against_every_unit_counted_out(attack: str, points: int) -> None:
    answer = analyzer.odds(
        "kraskar", "hits", attack=attack, attackers="all", targets="all", hit_points=points
    )
    targets = [one.name for one in answer.columns[1:]]
    wanted = {
        (a.name, b.name): counted(points, loss_of(attack, a, b))
        for a in UNITS.values() for b in UNITS.values() if may(attack, a, b)
    }  # fmt: skip
    found = {
        (row[0], target): hits for row in answer.rows for target, hits in zip(targets, row[1:], strict=True)
    }
    assert found == wanted


def test_the_report_has_the_same_hits() -> None:
    known = {(one.kind, one.attacker, one.target): one.hits or None for one in odds.every_hit(RULES)}
    for attack in CAUSES:
        answer = analyzer.odds("kraskar", "hits", attack=attack, attackers="all", targets="all")
        targets = [one.name for one in answer.columns[1:]]
        for name, *hits in answer.rows:
            assert hits == [known[odds.kind_of(attack), name, target] for target in targets]


def test_the_engine_exhausts_whom_the_odds_say() -> None:
    """K12, K15, K17, K19: the table of exhaustion of a deck in the game, unit by unit."""
    for seat in (0, 1):
        side: Side = Tables(RULES).sides[seat]
        for unit, row in zip(RULES.deck_units(seat), side.exhausts, strict=True):
            assert row.astype(bool).tolist() == [odds.exhausts(attack, unit) for attack in CAUSES]
    assert set(EXHAUSTS) | {"interception", "strike"} == set(CAUSES)
    assert set(ONLY) < set(CAUSES)


def test_plain_numbers_and_arrays_give_the_same_damage() -> None:
    """Reports and odds reckon with plain numbers, the game with int16 arrays: one formula, no overflow."""
    for model in ("difference", "plain", "ratio"):
        rules = load_config("kraskar", overrides=[f"damage={model}"]).rules
        dealt, force = np.meshgrid(np.arange(0, 91, dtype=np.int8), np.arange(0, 46, dtype=np.int8))
        many = damage.loss(rules, dealt, force)
        assert many.dtype == np.int16
        assert many.tolist() == [
            [damage.loss(rules, int(d), int(f)) for d, f in zip(*pair, strict=True)]
            for pair in zip(dealt, force, strict=True)
        ]
    wits = np.arange(0, 16, dtype=np.uint8)
    for halved in (0, 1):
        each = [damage.current_wit(int(wit), halved) for wit in wits]
        assert damage.current_wit(wits, np.uint8(halved)).tolist() == each
        assert damage.strike_loss(20, damage.current_wit(wits, halved), 3).tolist() == [
            20 * w // 3 for w in each
        ]


def test_k14_k16_a_duel_with_conditions() -> None:
    """Storm Riders (8) +3 against besieging Hedge Spears (5, halved to 2), who intercept at twice that."""
    given = {"bonus": 3, "target_besieging": True, "target_hit_points": 17}
    answer = analyzer.odds("kraskar", unit="storm riders", target="hedge spears", **given)
    rows = {row[0]: row[1:] for row in answer.rows}
    assert rows == {
        "melee of Storm Riders": ("Hedge Spears", 8 + 11 - 2, 1, "yes"),
        "charge of Storm Riders": ("Hedge Spears", 8 + 11 - 2, 1, "no"),
        "melee of Hedge Spears": ("Storm Riders", 1, 16, "yes"),
        "thrust of Hedge Spears": ("Storm Riders", 1, 16, "yes"),
        "interception of Hedge Spears": ("Storm Riders", 8 + 2 * 2 - 11, 16, "no"),
    }
    assert "is intercepted (K16)" in answer.words
    assert "(melee)" in answer.finding


def test_a_duel_without_a_counterattack() -> None:
    answer = analyzer.odds("kraskar", unit="Tower Bows", target="Iron Column")
    assert {row[0].split(" of ")[0] for row in answer.rows if row[0].endswith("Tower Bows")} == {
        "melee",
        "shot",
        "snipe",
    }
    assert "No attack of one on the other is answered by a counterattack" in answer.words


def test_a_pair_that_nothing_brings_down_and_a_group_without_the_attack() -> None:
    moved = ["units.Green Hoods.wit=1", "units.Storm Riders.wit=15"]
    given = {"attack": "strike", "attackers": "Green Hoods", "targets": "Storm Riders"}
    answer = analyzer.odds("kraskar", "hits", **given, set=moved)
    assert answer.rows == (("Green Hoods", None),)
    assert "never" in answer.words
    assert "ever brings a target down" in answer.finding
    with pytest.raises(UserError, match="only archer has"):
        analyzer.odds("kraskar", "hits", attack="snipe", attackers="spearman")
    with pytest.raises(UserError, match="K16"):
        analyzer.odds("kraskar", "hits", attack="interception", attackers="all", targets="Archer Line")


def test_the_same_unit_on_both_sides_is_told_apart() -> None:
    """Both decks may hold it (K4)."""
    answer = analyzer.odds("kraskar", unit="Storm Riders", target="Storm Riders", bonus=3)
    rows = {row[0]: row[1:3] for row in answer.rows}
    assert rows == {
        "melee of Storm Riders": ("the enemy Storm Riders", 8 + 11 - 8),
        "charge of Storm Riders": ("the enemy Storm Riders", 8 + 11 - 8),
        "melee of the enemy Storm Riders": ("Storm Riders", 8 + 8 - 11),
        "charge of the enemy Storm Riders": ("Storm Riders", 8 + 8 - 11),
    }
    assert len(rows) == len(answer.rows)
    assert "The enemy Storm Riders need 4 hits (melee) to bring Storm Riders down." in answer.finding


def test_words_say_what_the_table_needs() -> None:
    charge = analyzer.odds("kraskar", "hits", attack="charge", attackers="cavalry", targets="spearman")
    assert "not exhausted does nothing (K16)" in charge.words
    assert "never" not in charge.words
    assert "K16" not in analyzer.odds("kraskar", "hits", attack="charge", targets="archer").words
    given = {"attack": "interception", "attackers": "spearman", "targets": "cavalry"}
    assert analyzer.odds("kraskar", "hits", **given).finding.startswith("An interception takes 1 to 8 hits")
