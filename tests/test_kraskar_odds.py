"""Exact hits of Kraskar against counting them out by hand, and against what the engine's games did."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.config import load_config
from analyzer.games.kraskar import odds
from analyzer.games.kraskar.model import KraskarRules

MODELS = {
    "difference": lambda dealt, force: max(1, 8 + dealt - force),
    "plain": lambda dealt, force: dealt,
    "ratio": lambda dealt, force: max(1, dealt // max(1, force)),
}


def rules_of(*options: str) -> KraskarRules:
    rules: KraskarRules = load_config("kraskar", overrides=options).rules
    return rules


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("points", [3, 16, 30])
def test_hits_are_counted_out(model: str, points: int) -> None:
    """K21: blow after blow until nothing is left, for every unit against every unit."""
    rules = rules_of(f"damage={model}", f"hit_points={points}")
    factors = {odds.BLOW: 1, odds.SNIPE: 2, odds.INTERCEPTION: 2}
    seen = set()
    for one in odds.every_hit(rules):
        attacker, target = rules.unit(one.attacker), rules.unit(one.target)
        if one.kind == odds.STRIKE:
            power = rules.stratagem(attacker.stratagem).power  # type: ignore[union-attr]
            loss = power * max(1, attacker.wit) // max(1, target.wit)
        else:
            loss = MODELS[model](factors[one.kind] * attacker.force, target.force)
        left, hits = points, 0
        while left > 0 and loss:
            left, hits = left - loss, hits + 1
        assert (one.loss, one.hits) == (loss, hits)
        seen.add((one.kind, one.attacker, one.target))
    assert len({key for key in seen if key[0] == odds.BLOW}) == 32 * 32
    kinds = {kind: {rules.unit(a).troop for k, a, _ in seen if k == kind} for kind in odds.KINDS}
    assert kinds[odds.SNIPE] == {"archer"}
    assert kinds[odds.INTERCEPTION] == {"spearman"}
    assert {rules.unit(t).troop for k, _, t in seen if k == odds.INTERCEPTION} == {"cavalry"}


def test_conditions_count() -> None:
    """K14, ruling 4: halved after the modifiers, never below 0, the factor last."""
    rules = rules_of()
    riders, spears = rules.unit("Storm Riders"), rules.unit("Old King's Spears")  # forces 8 and 9
    assert odds.loss(rules, odds.BLOW, riders, spears) == 7
    assert odds.loss(rules, odds.BLOW, riders, spears, besieging=True, bonus=3) == 8 + 5 - 9
    assert odds.loss(rules, odds.BLOW, riders, spears, target_besieging=True) == 8 + 8 - 4
    assert odds.loss(rules, odds.BLOW, riders, spears, bonus=-9) == 1
    assert odds.loss(rules, odds.INTERCEPTION, spears, riders, besieging=True) == 8 + 2 * 4 - 8
    assert odds.loss(rules, odds.SNIPE, riders, spears) is None
    assert odds.loss(rules, odds.INTERCEPTION, spears, spears) is None
    hoods = rules.unit("Green Hoods")  # wit 8, fire trap of power 5
    assert odds.loss(rules, odds.STRIKE, hoods, spears) == 5 * 8 // 5
    assert odds.loss(rules, odds.STRIKE, hoods, spears, besieging=True) == 5 * 4 // 5


def test_told_hits_have_the_exact_loss() -> None:
    """Every hit of told games loses what `odds` says for the forces that were told."""
    rules = rules_of("decks=[Siege Train, Archer Line]")
    checked = 0
    for game in range(6):
        told = analyzer.replay("kraskar", game_index=game, set=["decks=[Siege Train, Archer Line]"])
        for hit in hits_of(told.events):
            if hit["cause"] == "strike":
                assert hit["loss"] == hit["power"] * hit["wit"] // hit["against"]
                continue
            by, unit = rules.unit(hit["by"]), rules.unit(hit["unit"])
            kind = hit["cause"] if hit["cause"] in (odds.SNIPE, odds.INTERCEPTION) else odds.BLOW
            bonus, target_bonus = hit["force"] - by.force, hit["against"] - unit.force
            assert hit["loss"] == odds.loss(rules, kind, by, unit, bonus=bonus, target_bonus=target_bonus)
            checked += 1
    assert checked > 100


def hits_of(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [hit for event in events if event["what"] == "act" for hit in event["hits"]]


def test_never_is_no_number() -> None:
    rules = rules_of("damage=plain", "units.Salt Porters.wit=1")
    assert np.isfinite([one.hits for one in odds.every_hit(rules)]).all()
