"""The answers of Moscow: against icepool's dice, all sets of cards, and the simulator's sums."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import icepool
import numpy as np
import pytest

import analyzer
from analyzer.answers import Answer
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.moscow import combat, odds
from analyzer.games.moscow.tables import Tables

RULES = load_config("moscow").rules
MODIFIER = {month.name: month.attack for month in RULES.months}


def by_icepool(attack: int, month: str, total: int, sides: int = 6) -> Fraction:
    return (icepool.d(sides) + attack + MODIFIER[month] >= total).probability(True)


def row(answer: Answer, name: str, value: Any) -> dict[str, Any]:
    """The row whose column `name` has this value, with chances as Fractions."""
    place = answer.column(name).index(value)
    return {one.name: answer.rows[place][k] for k, one in enumerate(answer.columns)}


@pytest.mark.parametrize("month", MODIFIER)
def test_m21_m22_a_fight_equals_icepools_dice(month: str) -> None:
    """Red totals by hand: x2 each for general and river, the river through September only."""
    for army, general, river in itertools.product((4, 8, 12), (False, True), (False, True)):
        flows = river and month in ("june", "july", "august", "september")
        total = army * (2 if general else 1) * (2 if flows else 1)
        answer = analyzer.odds("moscow", "fight", month=month, army=army, general=general, river=river)
        assert answer.rows[-1][1:] == (1, 1)
        for points, beat, twice in answer.rows:
            assert beat == by_icepool(points, month, total)
            assert twice == by_icepool(points, month, 2 * total)


def test_a_fight_with_another_die_and_boosts_that_add() -> None:
    answer = analyzer.odds(
        "moscow", cards=[5, 4, 3], general=True, river=True, set=["die_sides=10", "boosts=add"]
    )
    assert row(answer, "sum", 12)["beat"] == by_icepool(12, "june", 24, 10) == Fraction(1, 10)
    assert answer.rows[answer.asked or 0][0] == 12
    assert "10.0 % (1/10)" in answer.finding


def test_a_fight_equals_the_simulators_faces() -> None:
    """The same attack in the engine's arithmetic: faces of the die that win, and twice over."""
    tables, rng = Tables(RULES, 4), random.Random(3)
    for _ in range(60):
        month, army = rng.choice(RULES.months), rng.randint(1, 12)
        general, river = rng.random() < 0.5, rng.random() < 0.5
        counts = month.name in ("june", "july", "august", "september")
        u8 = np.uint8
        red = combat.red_total(tables, u8(army), u8(general), u8(river), u8(counts))
        answer = analyzer.odds("moscow", month=month.name, army=army, general=general, river=river)
        for points, beat, twice in answer.rows:
            before = np.array([points + month.attack], np.int16)
            faces = combat.winning_faces(6, before, np.int16(red))
            assert (beat, twice) == (
                Fraction(int(faces[0]), 6),
                Fraction(int(combat.winning_faces(6, before, 2 * np.int16(red))[0]), 6),
            )


def test_moscow_itself_and_what_cannot_stand_there() -> None:
    answer = analyzer.odds("moscow", attack=9, moscow=True, month="october")
    assert [one.name for one in answer.columns] == ["sum", "beat"]
    assert row(answer, "sum", 9)["beat"] == by_icepool(9, "october", 15)
    with_army = analyzer.odds("moscow", attack=20, moscow=True, army=4, general=True)
    assert row(with_army, "sum", 20)["beat"] == by_icepool(20, "june", 15 + 8)
    for wrong in ({"river": True}, {"general": True}):
        with pytest.raises(UserError, match="M12"):
            analyzer.odds("moscow", moscow=True, **wrong)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="army of 1 to 30"):
        analyzer.odds("moscow", army=0)
    with pytest.raises(UserError, match="give one of them"):
        analyzer.odds("moscow", cards="3+4", attack=8)


def test_months_and_armies_are_made_of_single_fights() -> None:
    months = analyzer.odds("moscow", "months", attack=14, army=6, river=True)
    for name, modifier, total, beat, twice in months.rows:
        assert MODIFIER[name.lower()] == modifier
        assert total == (12 if name in ("June", "July", "August", "September") else 6)
        assert (beat, twice) == tuple(by_icepool(14, name.lower(), k * total) for k in (1, 2))
    armies = analyzer.odds("moscow", "armies", attack=11, month="october")
    for card in RULES.cards.red_army:
        found = row(armies, "target", f"army {card.strength}")
        assert [found[name] for name in ("beat", "with_general", "with_river", "with_both", "twice")] == [
            by_icepool(11, "october", card.strength * times) for times in (1, 2, 1, 2, 2)
        ]
        city = row(armies, "target", f"Moscow with army {card.strength}")
        assert city["beat"] == by_icepool(11, "october", 15 + card.strength)
        assert city["twice"] is None


def every_set(
    divisions: Sequence[int], luftwaffe: Sequence[int], generals: Sequence[int]
) -> list[tuple[int, int]]:
    """(cards, sum) of every set that may fight (M20), by trying all subsets."""
    kinds = [*(("d", v) for v in divisions), *(("l", v) for v in luftwaffe), *(("g", v) for v in generals)]
    found = []
    for size in range(1, len(kinds) + 1):
        for some in itertools.combinations(kinds, size):
            letters = [kind for kind, _ in some]
            if "d" in letters and letters.count("g") <= 1:
                found.append((size, sum(value for _, value in some)))
    return found


def test_m20_the_fewest_cards_are_the_fewest_of_all_sets() -> None:
    rng = random.Random(11)
    for _ in range(150):
        hand = [[rng.randint(1, 6) for _ in range(rng.randint(low, 4))] for low in (0, 0, 0)]
        needed = rng.randint(1, 24)
        enough = [one for one in every_set(*hand) if one[1] >= needed]
        found = odds.fewest_cards(needed, *hand)
        assert (found and (found.size, found.sum)) == (min(enough) if enough else None)
        if found:
            assert found.divisions
            for used, had in ((found.divisions, hand[0]), (found.luftwaffe, hand[1])):
                assert all(used.count(value) <= had.count(value) for value in used)
            assert found.general is None or found.general in hand[2]


def test_the_wanted_chance_is_reached_with_no_card_less() -> None:
    hand = {"divisions": [2, 3, 3, 5], "luftwaffe": [2], "generals": [4, 3]}
    for want in ("1/6", "50%", "0.8", "1"):
        answer = analyzer.odds("moscow", "fewest", want=want, army=8, general=True, month="august", **hand)
        asked = answer.rows[answer.asked or 0]
        wanted = Fraction(want.removesuffix("%")) / (100 if "%" in want else 1)
        assert asked[-1] >= wanted
        sums = [(n, s) for n, s in every_set(*hand.values()) if by_icepool(s, "august", 16) >= wanted]
        assert (asked[2], asked[4]) == min(sums)
        assert str(asked[3]) in answer.finding


def test_a_chance_that_no_cards_reach_is_said_so() -> None:
    answer = analyzer.odds("moscow", "fewest", divisions=[2], army=12, want=0.5)
    assert "cannot beat" in answer.finding
    assert "there is no chance" in answer.finding
    some = analyzer.odds("moscow", "fewest", divisions=[2], army=8, want=0.9)
    assert "at most 50.0 % (1/2): division 2" in some.finding


def test_the_whole_deck_is_the_hand_where_none_is_given() -> None:
    answer = analyzer.odds("moscow", "fewest", want=1, army=12, twice=True)
    values = [card.strength for card in RULES.cards.division for _ in range(card.count)]
    assert odds.fewest_cards(21, values, [3, 3, 2, 2, 2, 2], [4, 4, 3, 3, 3, 3]) is not None
    asked = answer.rows[answer.asked or 0]
    assert asked[1] == 24 - 2 - 1
    assert by_icepool(asked[4], "june", 24) == 1
    with pytest.raises(UserError, match="M22"):
        analyzer.odds("moscow", "fewest", moscow=True, twice=True)


def test_targets_are_told_apart_and_a_hand_without_a_division_is_said_so() -> None:
    sure = analyzer.odds("moscow", "armies", attack=200, month="december").finding
    assert sure.endswith("army 12, Moscow, Moscow with army 4, Moscow with army 6, Moscow with army 8, "
                         "Moscow with army 10 and Moscow with army 12.")  # fmt: skip
    some = analyzer.odds("moscow", "armies", attack=2).finding
    assert some.endswith(
        "the attack cannot fail against army 4; it is even or better against army 6 and army 8."
    )
    none = analyzer.odds("moscow", "fewest", generals=[5, 4]).finding
    assert none.endswith("without a division there is no fight (M20).")
