"""Whole games of Kraskar on the scalar oracle: books, endings, mirror images, what random play reaches."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracle.kraskar import DIRECTIONS, Choose, Oracle
from tests.oracle.kraskar_choosers import (
    balanced_choice,
    eager_choice,
    play_balanced,
    play_random,
    random_choice,
    random_luck,
)
from tests.oracle.kraskar_defaults import DECKS, default_rules
from tests.oracle.kraskar_table import CAUSES, Luck, Outcome

CHOOSERS: dict[str, Callable[[random.Random], Choose]] = {
    "random": random_choice,
    "eager": eager_choice,
    "balanced": balanced_choice,
}
NAMES = [name for name, *_ in DECKS]

SETTINGS: dict[str, st.SearchStrategy[Any]] = {
    "decks": st.lists(st.sampled_from(NAMES), min_size=2, max_size=2),
    "columns": st.sampled_from([3, 5, 7]),
    "rows": st.integers(3, 7),
    "castle_life": st.integers(1, 48),
    "first_player": st.sampled_from(["random", 1, 2]),
    "turn_limit": st.integers(1, 60),
    "chip_caps": st.lists(st.integers(3, 15), min_size=4, max_size=4),
    "start_chips": st.integers(0, 3),
    "return_gauge": st.integers(1, 6),
    "movement_points": st.integers(1, 4),
    "gate_bonus": st.integers(0, 3),
    "charge_squares": st.integers(1, 4),
    "interception_factor": st.integers(1, 3),
    "shot_range": st.integers(1, 3),
    "snipe_factor": st.integers(1, 3),
    "hit_points": st.integers(1, 30),
    "damage": st.sampled_from(["difference", "plain", "ratio"]),
    "damage_base": st.integers(0, 10),
    "boost_wit": st.integers(1, 6),
    "weaken_wit": st.integers(1, 4),
}


def game(rules: dict[str, Any], seed: int, chooser: str) -> Oracle:
    rng = random.Random(seed)
    return Oracle(rules, 2, random_luck(rng, rules), CHOOSERS[chooser](rng))


def check_books(oracle: Oracle, snapshots: list[dict[str, Any]]) -> None:
    """What events, snapshots and outcome say must agree."""
    rules, end = oracle.rules, oracle.outcome()
    last = snapshots[-1]
    assert [s["turn"] for s in snapshots] == list(range(end.turns))
    assert all(s["seat"] == (end.first + s["turn"]) % 2 for s in snapshots)
    assert [s["over"] for s in snapshots] == [False] * (end.turns - 1) + [True]
    assert 1 <= end.turns <= rules["turn_limit"]
    assert (end.winner, end.castle) == (last["winner"], last["castle"])
    check_ending(end, rules)
    for seat in (0, 1):
        taken = sum(e["taken"] for e in oracle.records("siege") if e["seat"] == seat)
        assert taken == rules["castle_life"] - end.castle[1 - seat] == sum(map(sum, end.siege_damage[seat]))
        assert sum(end.sieges[seat]) == sum(e["seat"] == seat for e in oracle.records("siege"))
        fallen = Counter(e["cause"] for e in oracle.records("retreat") if e["owner"] == seat)
        assert end.retreats[seat] == [fallen[cause] for cause in CAUSES]
        spent = sum(price(oracle, e) for e in oracle.records("cast") if e["seat"] == seat)
        assert last["chips"][seat] == rules["start_chips"] + end.turns - end.wasted[seat] - spent
    assert hit_points_by_events(oracle) == last["hit_points"]
    away = sum(square is None for deck in last["square"] for square in deck)
    assert away == len(oracle.records("retreat")) - len(oracle.records("deploy"))


def check_ending(end: Outcome, rules: dict[str, Any]) -> None:
    if end.end == "castle fell":
        assert end.winner is not None
        assert end.castle[1 - end.winner] == 0 < end.castle[end.winner]
    else:
        assert end.turns == rules["turn_limit"]
        assert 0 not in end.castle
        assert (end.winner is None) == (end.castle[0] == end.castle[1])
        assert end.winner is None or end.castle[end.winner] == max(end.castle)


def price(oracle: Oracle, cast: dict[str, Any]) -> int:
    chips: int = next(row["chips"] for row in oracle.rules["stratagems"] if row["name"] == cast["name"])
    return chips


def hit_points_by_events(oracle: Oracle) -> list[list[int]]:
    """Hit points as hits, retreats and returns alone make them."""
    full = oracle.rules["hit_points"]
    points = [[full] * len(deck) for deck in oracle.units]
    for e in oracle.events:
        if e["what"] == "hit":
            hurt = e["seat"] if e["cause"] == "interception" else 1 - e["seat"]
            points[hurt][e["target"]] -= e["loss"]
        elif e["what"] == "retreat":
            assert points[e["owner"]][e["unit"]] <= 0
            points[e["owner"]][e["unit"]] = 0
        elif e["what"] == "deploy":
            points[e["seat"]][e["unit"]] = full
    return points


@given(
    changes=st.fixed_dictionaries({}, optional=SETTINGS),
    siege=st.lists(st.integers(0, 4), min_size=4, max_size=4),
    stratagems=st.booleans(),
    seed=st.integers(0, 10**6),
    chooser=st.sampled_from(sorted(CHOOSERS)),
)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_books_and_endings_under_any_rules(
    changes: dict[str, Any], siege: list[int], stratagems: bool, seed: int, chooser: str
) -> None:
    rules = default_rules(**changes)
    rules["siege_damage"] = dict(zip(("cavalry", "archer", "spearman", "infantry"), siege, strict=True))
    if not stratagems:
        rules["stratagems"] = []
    oracle = game(rules, seed, chooser)
    check_books(oracle, list(oracle.steps()))


@pytest.mark.parametrize("chooser", sorted(CHOOSERS))
@pytest.mark.parametrize("deck", NAMES)
def test_every_deck_plays_by_the_books(deck: str, chooser: str) -> None:
    for seed, other in enumerate(NAMES[:3]):
        oracle = game(default_rules(decks=[deck, other]), seed, chooser)
        check_books(oracle, list(oracle.steps()))


def test_deck_columns_start_every_game_alike() -> None:
    rules = default_rules(start_columns="deck", first_player=2)
    lucks = {str(random_luck(random.Random(seed), rules)) for seed in range(20)}
    assert lucks == {str(Luck(1, [[2, 1, 3, 4, 0]] * 2))}
    drawn = default_rules()
    assert len({str(random_luck(random.Random(seed), drawn)) for seed in range(20)}) == 20
    assert {random_luck(random.Random(seed), drawn).first for seed in range(20)} == {0, 1}


def test_the_same_luck_and_choices_give_the_same_game() -> None:
    def run() -> list[dict[str, Any]]:
        return list(game(default_rules(), 5, "eager").steps())

    assert run() == run()


# --- mirror images --------------------------------------------------------------------------------


class Told:
    """A chooser that keeps what it was asked and what it answered."""

    def __init__(self, choose: Choose) -> None:
        self.choose, self.told = choose, []  # type: ignore[var-annotated]

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        answer = self.choose(kind, seat, legal, oracle)
        self.told.append((kind, seat, list(legal), answer))
        return answer


class Image:
    """Answers as the told game was answered, in the mirror; what is legal must be the mirror image too."""

    def __init__(self, told: list[Any], seat: Callable[[int], int], answer: Callable[[Any], Any]) -> None:
        self.told, self.seat, self.answer = iter(told), seat, answer

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        their_kind, their_seat, their_legal, answer = next(self.told)
        assert (kind, seat) == (their_kind, self.seat(their_seat))
        assert {self.answer(one) for one in their_legal} == set(legal)
        return self.answer(answer)


def swapped(rows: int) -> tuple[Callable[[Any], Any], Callable[[dict[str, Any]], dict[str, Any]]]:
    """Seats swapped: answers and snapshots as the other side of the table sees them."""

    def square(at: Any) -> Any:
        return None if at is None else (rows - 1 - at[0], at[1])

    def answer(one: Any) -> Any:
        if isinstance(one, tuple) and isinstance(one[-1], tuple):  # the square of a strike
            return (*one[:-1], square(one[-1]))
        return one

    def snapshot(s: dict[str, Any]) -> dict[str, Any]:
        image = {key: value[::-1] if isinstance(value, list) else value for key, value in s.items()}
        image["square"] = [[square(at) for at in deck] for deck in image["square"]]
        image["seat"] = 1 - s["seat"]
        image["winner"] = None if s["winner"] is None else 1 - s["winner"]
        return image

    return answer, snapshot


def east_west(columns: int) -> tuple[Callable[[Any], Any], Callable[[dict[str, Any]], dict[str, Any]]]:
    """The board seen in a mirror: east is west."""
    turned = {"east": "west", "west": "east"}

    def square(at: Any) -> Any:
        return None if at is None else (at[0], columns - 1 - at[1])

    def answer(one: Any) -> Any:
        if isinstance(one, int):
            return columns - 1 - one
        last = one[-1]
        return (*one[:-1], square(last) if isinstance(last, tuple) else turned.get(last, last))

    def snapshot(s: dict[str, Any]) -> dict[str, Any]:
        return {**s, "square": [[square(at) for at in deck] for deck in s["square"]]}

    return answer, snapshot


BOARDS = [(3, 4), (5, 5), (5, 7), (7, 7)]


@pytest.mark.parametrize("chooser", sorted(CHOOSERS))
@pytest.mark.parametrize(("columns", "rows"), BOARDS)
@pytest.mark.parametrize("first", [0, 1])
def test_swapping_the_seats_mirrors_the_game_exactly(
    chooser: str, columns: int, rows: int, first: int
) -> None:
    """Equal decks, luck and answers swapped: every question and every state is the mirror image."""
    for seed in range(2):
        rules = default_rules(columns=columns, rows=rows, decks=[NAMES[seed]] * 2, first_player=first + 1)
        luck = random_luck(random.Random(seed), rules)
        told = Told(CHOOSERS[chooser](random.Random(seed)))
        original = Oracle(rules, 2, luck, told)
        snapshots = list(original.steps())
        answer, image = swapped(rows)
        mirror = Luck(1 - luck.first, luck.columns[::-1])
        other = Oracle(rules, 2, mirror, Image(told.told, lambda seat: 1 - seat, answer))
        assert list(other.steps()) == [image(s) for s in snapshots]
        ours, theirs = original.outcome(), other.outcome()
        for one, its_image in zip(ours, theirs, strict=True):
            assert not isinstance(one, list) or one == its_image[::-1]
        assert (ours.end, ours.turns) == (theirs.end, theirs.turns)


@pytest.mark.parametrize("chooser", sorted(CHOOSERS))
@pytest.mark.parametrize(("columns", "rows"), BOARDS)
def test_a_chooser_that_sees_its_own_side_plays_the_mirror_image_by_itself(
    chooser: str, columns: int, rows: int
) -> None:
    """The same random numbers, first mover and seats swapped: nobody has to tell the choosers."""
    for seed in range(2):
        rules = default_rules(columns=columns, rows=rows, decks=["Siege Train"] * 2)
        luck = random_luck(random.Random(seed), rules)
        original = Oracle(rules, 2, luck, CHOOSERS[chooser](random.Random(seed)))
        mirror = Luck(1 - luck.first, luck.columns[::-1])
        other = Oracle(rules, 2, mirror, CHOOSERS[chooser](random.Random(seed)))
        _, image = swapped(rows)
        assert list(other.steps()) == [image(s) for s in original.steps()]


@pytest.mark.parametrize("decks", [["Cavalry Rush", "Archer Line"], ["Four Crowns", "Siege Train"]])
@pytest.mark.parametrize(("columns", "rows"), BOARDS)
def test_unequal_decks_swapped_with_the_seats_give_the_mirror_image(
    decks: list[str], columns: int, rows: int
) -> None:
    rules = default_rules(columns=columns, rows=rows, decks=decks)
    turned = default_rules(columns=columns, rows=rows, decks=decks[::-1])
    luck = random_luck(random.Random(1), rules)
    original = Oracle(rules, 2, luck, eager_choice(random.Random(1)))
    other = Oracle(turned, 2, Luck(1 - luck.first, luck.columns[::-1]), eager_choice(random.Random(1)))
    _, image = swapped(rows)
    assert list(other.steps()) == [image(s) for s in original.steps()]


@pytest.mark.parametrize("chooser", sorted(CHOOSERS))
@pytest.mark.parametrize(("columns", "rows"), BOARDS)
def test_east_and_west_are_alike(chooser: str, columns: int, rows: int) -> None:
    rules = default_rules(columns=columns, rows=rows)
    luck = random_luck(random.Random(3), rules)
    told = Told(CHOOSERS[chooser](random.Random(3)))
    snapshots = list(Oracle(rules, 2, luck, told).steps())
    answer, image = east_west(columns)
    turned = Luck(luck.first, [[columns - 1 - c for c in deck] for deck in luck.columns])
    other = Oracle(rules, 2, turned, Image(told.told, lambda seat: seat, answer))
    assert list(other.steps()) == [image(s) for s in snapshots]


# --- what is reached ------------------------------------------------------------------------------


def test_random_play_reaches_every_corner() -> None:
    """Games are worth comparing only if every action, cause, ending and condition really happens in them."""
    seen: Counter[str] = Counter()
    for seed in range(40):
        deck, other = NAMES[seed % 6], NAMES[(seed // 6) % 6]
        rules = default_rules(decks=[deck, other], rows=4, castle_life=24 if seed % 2 else 48)
        if seed % 4 == 0:
            rules.update(turn_limit=12)
        oracle = game(rules, seed, "eager")
        seen[oracle.play().end] += 1
        seen.update(e["action"][0] for e in oracle.records("main"))
        seen.update(
            f"{e['action'][0]} {e['action'][2]}" for e in oracle.records("main") if len(e["action"]) > 2
        )
        seen.update(f"hit {e['cause']}" for e in oracle.records("hit"))
        seen.update(f"fall {e['cause']}" for e in oracle.records("retreat"))
        seen.update(f"siege {e['gate']}" for e in oracle.records("siege"))
        seen.update(e["what"] for e in oracle.events)
        kinds = {row["name"]: row["kind"] for row in rules["stratagems"]}
        seen.update(kinds[e["name"]] for e in oracle.records("cast"))
        seen["wasted"] += sum(oracle.wasted)
    wanted = ["castle fell", "turn limit", "siege True", "siege False", "deploy", "wasted"]
    wanted += ["pass", "move", "melee", "charge", "shoot", "thrust", "stratagem"]
    wanted += ["boost", "rally", "weaken", "strike"]
    wanted += [f"{what} {to}" for what in ("move", "melee", "charge") for to in DIRECTIONS]
    wanted += [f"{what} {cause}" for what in ("hit", "fall") for cause in CAUSES]
    assert [w for w in wanted if not seen[w]] == []


def test_the_plain_player_ends_games_and_beats_random_play() -> None:
    rules = default_rules()
    ends = [play_balanced(rules, 2, seed) for seed in range(30)]
    assert sum(end.end == "castle fell" for end in ends) >= 27
    assert play_random(rules, 2, 1).turns == play_random(rules, 2, 1, checked=True).turns
    wins = 0
    for seed in range(20):
        rng = random.Random(seed)
        choosers = [balanced_choice(rng), random_choice(rng)]
        oracle = Oracle(
            rules,
            2,
            random_luck(rng, rules),
            lambda kind, seat, *rest, c=choosers: c[seat](kind, seat, *rest),
        )
        wins += oracle.play().winner == 0
    assert wins >= 18
