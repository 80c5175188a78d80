"""The answers of Eastfront against every order of the cards, icepool, and what policies reckon with."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.eastfront import chances, odds
from analyzer.games.eastfront.tables import Tables

RULES = load_config("eastfront").rules
GERMANS = [card.name for card in RULES.cards.german]
SOVIETS = {card.name: card for card in RULES.cards.soviet}
FEW = dict(zip(SOVIETS, (2, 1, 1, 1, 1, 0, 1), strict=True))  # so few that every order can be tried
SMALL = [*(f"cards.soviet.{name}.count={n}" for name, n in FEW.items()), "stacks=2"]
COUNTS = {card.name: card.count for card in RULES.cards.german}
forces = st.dictionaries(st.sampled_from(GERMANS), st.integers(1, 3), min_size=1, max_size=4).map(
    lambda table: {name: min(count, COUNTS[name]) for name, count in table.items()}
)


def attack(table: dict[str, int], stack: tuple[str, ...]) -> tuple[int, Counter[str]]:
    """One attack, card by card as the rules say it: cards destroyed, German cards lost."""
    cards = [card for card in RULES.cards.german for _ in range(table.get(card.name, 0))]
    lost: Counter[str] = Counter()
    for k, name in enumerate(stack):
        soviet = SOVIETS[name]
        hit = [card for card in cards if soviet.fire > card.defence]
        if hit:
            victim = max(hit, key=lambda card: (card.fire, card.defence, GERMANS.index(card.name)))
            cards.remove(victim)
            lost[victim.name] += 1
        if sum(card.fire for card in cards) <= soviet.defence:
            return k, lost
        if not cards:
            return k + 1, lost
    return len(stack), lost


def every_order(table: dict[str, int], height: int, up: str | None = None) -> list[tuple[int, Counter[str]]]:
    hidden = Counter(FEW)
    if up:
        hidden[up] -= 1
    cards = [name for name, n in hidden.items() for _ in range(n)]
    head = (up,) if up else ()
    return [attack(table, (*head, *rest)) for rest in itertools.permutations(cards, height - len(head))]


@settings(max_examples=25, deadline=None)
@given(table=forces, height=st.integers(1, 3), up=st.sampled_from([None, "rifles", "t34_76", "kv"]))
def test_e12_to_e18_a_stack_and_its_losses_equal_all_orders(
    table: dict[str, int], height: int, up: Any
) -> None:
    fights = every_order(table, height, up)
    stack = analyzer.odds("eastfront", "stack", germans=table, cards=height, face_up=up, set=SMALL)
    for k, at_least, exactly, lost in stack.rows:
        here = [sum(cost.values()) for destroyed, cost in fights if destroyed == k]
        assert at_least == Fraction(sum(destroyed >= k for destroyed, _ in fights), len(fights))
        assert exactly == Fraction(len(here), len(fights))
        assert lost == (Fraction(sum(here), len(here)) if here else None)
    losses = analyzer.odds("eastfront", "losses", germans=table, cards=height, face_up=up, set=SMALL)
    titles = {card.title: card.name for card in RULES.cards.german}
    for title, had, lost, some, every in losses.rows:
        each = [cost[titles[title]] for _, cost in fights]
        assert had == table[titles[title]]
        assert lost == Fraction(sum(each), len(each))
        assert some == Fraction(sum(n > 0 for n in each), len(each))
        assert every == Fraction(sum(n == had for n in each), len(each))


def test_the_outcomes_of_an_attack_are_whole() -> None:
    for table, height in (({"panther": 2, "grenadiers": 3}, 4), ({"pak_40": 5}, 6), ({"tiger": 1}, 1)):
        ends = odds.outcomes(RULES, table, height)
        assert sum(end.chance for end in ends) == 1
        for k, chance in enumerate(odds.clears(RULES, table, height), 1):
            assert sum(end.chance for end in ends if end.destroyed >= k) == chance


@settings(max_examples=20, deadline=None)
@given(table=forces, seen=st.dictionaries(st.sampled_from(list(SOVIETS)), st.integers(0, 1), max_size=4))
def test_the_next_card_equals_icepools_draw(table: dict[str, int], seen: dict[str, int]) -> None:
    """One card drawn from those that lie face down: it wins or not."""
    answer = analyzer.odds("eastfront", "next", germans=table, seen=seen)
    hidden = {name: card.count - seen.get(name, 0) for name, card in SOVIETS.items()}
    drawn = icepool.Die({name: n for name, n in hidden.items() if n})
    won = drawn.map(lambda name: attack(table, (name,))[0] == 1)
    assert odds.next_card(RULES, table, seen) == won.probability(True)
    for row, (name, card) in zip(answer.rows, SOVIETS.items(), strict=True):
        destroyed, lost = attack(table, (name,))
        assert row[:3] == (card.title, hidden[name], Fraction(hidden[name], sum(hidden.values())))
        assert row[3] == (next(c.title for c in RULES.cards.german if c.name in lost) if lost else "none")
        assert row[5:7] == (card.defence, "yes" if destroyed else "no")
        assert row[7] == (row[2] if destroyed else 0)
    assert sum(answer.column("comes")) == 1
    assert sum(answer.column("beaten")) == odds.next_card(RULES, table, seen)


def test_forces_are_what_policies_reckon_with() -> None:
    """`view.clear_odds` comes from `chances.clear`, the report from `odds.clears`."""
    tables = Tables(RULES, 4)
    for cards, destroy in ((4, 4), (3, 1)):
        answer = analyzer.odds("eastfront", "forces", cards=cards, destroy=destroy, seen={"is_2": 2})
        unseen = np.array([[odds.unseen(RULES, {"is_2": 2})[name]] for name in SOVIETS])
        for place, row in enumerate(answer.rows):
            for size, chance in enumerate(row[3:], 1):
                assert (chance is None) == (
                    size > RULES.cards.german[place].count
                )  # so many cannot lie there
                if chance is None:
                    continue
                counts = np.zeros((len(GERMANS), 1), np.int64)
                counts[place] = size
                found = chances.clear(tables, counts, unseen, np.array([-1]), np.array([cards]))
                assert found[destroy - 1, 0] == pytest.approx(float(chance), abs=1e-12)
                assert chance == odds.clears(RULES, {GERMANS[place]: size}, cards, {"is_2": 2})[destroy - 1]


def test_the_finding_of_a_known_fight_by_hand() -> None:
    """2 Panthers (5/5) hold against a T-34/85 (5/9): 10 > 9. Against a KV (6/12) one falls, 5 is not > 12."""
    sure = analyzer.odds("eastfront", "stack", germans="panther:2", cards=1, face_up="T-34/85")
    assert sure.rows[1][1:] == (1, 1, 0)
    never = analyzer.odds("eastfront", "stack", germans="panther:2", cards=1, face_up="kv")
    assert never.rows[0][1:] == (1, 1, 1)
    assert "losing 1 German cards" in never.finding


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"germans": "panther:0"}, "at least one German card"),
        ({"germans": "pather"}, "Did you mean 'panther'"),
        ({"germans": "panther:x"}, "of panther: a whole number from 0 to 5"),
        ({"germans": "panther:6"}, "of panther: a whole number from 0 to 5"),
        ({"germans": "panther:3,panther:3"}, "'3 \\+ 3'.*from 0 to 5"),
        ({"germans": "pan"}, "Which German card"),
        ({"germans": "tiger", "seen": "kv:3"}, "of kv: a whole number from 0 to 2"),
        ({"germans": "tiger", "face_up": "kv", "seen": "kv:2"}, "every kv there is is seen elsewhere"),
        ({"seen": "rifles:6,anti_tank_gun:4,t34_76:5,t34_85:4,kv:2"}, "a stack of 4 cannot be.*: 3"),
        ({"germans": "tiger", "cards": 9}, "from 1 to 6"),
        ({"destroy": 5, "cards": 3}, "the stack has 3 cards"),
    ],
)
def test_wrong_cards_are_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        analyzer.odds("eastfront", **given)


def test_a_stack_higher_than_can_be_told_is_told_as_far_as_it_can() -> None:
    """2 stacks of 12: an enumeration of all orders of 12 cards would take seconds."""
    answer = analyzer.odds("eastfront", "stack", set=["stacks=2"])
    assert [row[0] for row in answer.rows] == [0, 1, 2, 3, 4, 5, 6]
    assert "a stack of 6" in answer.title
