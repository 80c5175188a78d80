"""Cards and units: an effect is found where there is one, and none where there is none."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer.errors import UserError
from analyzer.registry import changed_config, game_config, room
from analyzer.report.tables import columns
from analyzer.sim import outcomes, runner
from analyzer.sim.forced import ForcedRequest, into_hands
from analyzer.sim.request import Request
from analyzer.sim.watch import PlaysWatch
from analyzer.sim.without import without
from analyzer.stats import paired
from analyzer.studies.cards import cards
from analyzer.studies.cards_words import correlation_finding
from tests.studies.conftest import SHORT, analyze, asked

LOADED = ["load_1=Big Trunk", "load_2=a bag"]
ONE = {"moscow": "advance 200", "eastfront": "Tiger", "kraskar": "Gate Watch (1)", "undaunted": "US SLA"}


def test_a_load_costs_its_seat_wins_and_a_dud_nothing(dice_race: str) -> None:
    study = cards(asked(dice_race, 1500, settings=LOADED), jobs=1)
    effects = study.tables["effects"].set_index(["card", "measure"])
    first, second = effects.loc[("load (1)", "seat 1 wins")], effects.loc[("load (2)", "seat 2 wins")]
    assert first["clear"] == "yes"
    assert first["low"] > 0.2
    assert second["clear"] == "yes"
    assert 0 < second["change"] < first["change"]
    assert effects.loc[("load (1)", "seat 2 wins"), "change"] < 0
    dud = effects.loc[("dud", "seat 1 wins")]
    assert dud["change"] == 0
    assert dud["clear"] == "no"
    assert first["factor"] > 1.05  # the same dice make the difference vary less
    assert study.tables["not_changed"]["card"].tolist() == ["glued"]
    assert "load (1)" in study.words[1]
    assert any("Not changed: glued" in text for text in study.words)


def test_without_an_effect_a_clear_one_is_rare(dice_race: str) -> None:
    """The negative control, on luck that is not even shared: one of 20 seeds may be wrong, two rarely."""
    wrong = 0
    for seed in range(20):
        study = cards(asked(dice_race, 120, settings=["load_1=a bag"], seed=seed), only=["dud"], jobs=1)
        wrong += int((study.tables["effects"]["clear"] == "yes").sum())
        assert "No card without it clearly changes who wins" in study.words[1]
    assert wrong == 0


def test_what_is_not_judged_is_not_called_unclear(dice_race: str) -> None:
    """Per card with an owner its seat alone is judged; shares are shown in per cent, rounds apart."""
    study = cards(asked(dice_race, 300, settings=LOADED), only=["load (1)"], jobs=1)
    effects, length = study.tables["effects"], study.tables["length"]
    judged = effects[effects["clear"] != ""]
    assert judged[["card", "measure"]].to_numpy().tolist() == [["load (1)", "seat 1 wins"]]
    assert len(effects) == 3
    assert length["measure"].tolist() == ["rounds"]
    assert length["clear"].tolist() == [""]
    shown = {one.heading: one.cells for one in columns(effects)}
    assert all(cell.endswith("%") for cell in shown["before"] + shown["after"])
    assert all(not cell.endswith("%") for one in columns(length) for cell in one.cells)


@pytest.mark.parametrize(("sign", "what"), [(1.0, "winning"), (-1.0, "losing")])
def test_what_goes_with_losing_is_not_said_to_go_with_winning(sign: float, what: str) -> None:
    frame = pd.DataFrame({
        "card": ["a", "b"], "opening": [np.nan, np.nan], "opening low": np.nan, "opening high": np.nan,
        "played": [0.001, sign * 0.05], "played low": [-0.01, sign * 0.05 - 0.01],
        "played high": [0.01, sign * 0.05 + 0.01],
    })  # fmt: skip
    told = correlation_finding(SimpleNamespace(side_by_side=frame))  # type: ignore[arg-type]
    limits = f"({5 * sign - 1:+.1f} to {5 * sign + 1:+.1f})"
    assert told == f"What goes with {what} most: b, one more play: {5 * sign:+.1f} points {limits}"


def test_effects_are_differences_of_the_two_runs(dice_race: str) -> None:
    base = asked(dice_race, 400, settings=LOADED)
    row = cards(base, only=["load (1)"], jobs=1).tables["effects"].set_index("measure").loc["seat 1 wins"]
    rates = [
        analyzer.run(dice_race, players=2, n=400, set=given, jobs=1).win_rates().loc[0, "win_rate"]
        for given in (LOADED, ["load_1=nothing", LOADED[1]])
    ]
    assert row["before"] == pytest.approx(rates[0])
    assert row["after"] == pytest.approx(rates[1])
    assert row["change"] == pytest.approx(rates[1] - rates[0])


@pytest.mark.parametrize("game", list(SHORT))
def test_every_game_has_cards_to_take_away(game: str) -> None:
    study = cards(asked(game, 20), only=[ONE[game]], jobs=1)
    assert study.n == (40 if game == "kraskar" else 60)
    assert ("forced" in study.tables) == (game != "kraskar")
    assert study.tables["cards"]["card"].tolist() == [ONE[game]]
    assert len(study.tables["correlations"])
    rates = study.tables["win_rates"]
    rates = rates[rates["card"] == ONE[game]]
    assert (rates["n"] + rates["n_without"] == (40 if game in ("moscow", "eastfront") else 20)).all()
    assert study.charts


@pytest.mark.parametrize("game", list(SHORT))
def test_every_piece_can_be_put_and_is_then_so_many(game: str) -> None:
    config = game_config(game)
    pieces = room(game).part("pieces").pieces(config.rules)
    assert changed_config(config, lambda values: None).digest == config.digest
    for piece in pieces:
        for count in {0, min(piece.count + 1, piece.most)}:
            changed = changed_config(config, lambda values, p=piece, k=count: p.put(values, k))  # type: ignore[misc]
            now = {one.name: one.count for one in room(game).part("pieces").pieces(changed.rules)}
            assert now.get(piece.name, 0) == count
            others = {one.name: one.count for one in pieces if one is not piece}
            assert {name: now[name] for name in others} == others


# ---------------------------------------------------------------- forced into an opening hand


def test_an_exchange_moves_one_card_and_is_even() -> None:
    """Two thirds of hands (2 of type 0, 1 of type 1) give type 0; copies lie in a hand or in the deck."""
    lanes = 30_000
    hand = np.zeros((2, 3, lanes), np.uint8)
    hand[0, 0], hand[0, 1], hand[1, 2], hand[1, 0] = 2, 1, 1, 2
    deck = np.repeat(np.array([2, 1, 2, 255], np.uint8)[:, None], lanes, axis=1)
    bits = np.random.default_rng(1).integers(0, 2**64, size=(lanes, 2), dtype=np.uint64)
    seat = np.zeros(lanes, np.intp)
    before = hand.sum(axis=0) + np.stack([(deck == kind).sum(axis=0) for kind in range(3)])
    into_hands(hand, deck, 2, seat, bits)
    after = hand.sum(axis=0) + np.stack([(deck == kind).sum(axis=0) for kind in range(3)])
    assert np.array_equal(before, after)
    assert (hand.sum(axis=1) == 3).all()
    assert (hand[0, 2] == 1).all()
    assert (deck[3] == 255).all()
    assert abs((hand[0, 0] == 1).mean() - 2 / 3) < 0.012
    for place in (hand[1, 2] == 0, deck[0] != 2, deck[2] != 2):
        assert abs(place.mean() - 1 / 3) < 0.012
    again = hand.copy()
    into_hands(again, deck, 2, seat, bits)  # who has it keeps all
    assert np.array_equal(again, hand)


@pytest.mark.parametrize(
    ("game", "card", "seat"),
    [("moscow", "division 5", None), ("eastfront", "Tiger", None), ("undaunted", "DE SLA", 1)],
)
def test_a_card_that_is_forced_is_in_the_hand_and_all_else_stays(
    game: str, card: str, seat: int | None
) -> None:
    """In every game; those in which the seat was dealt it anyway are the very games of the run."""
    base = asked(game, 60)
    room_ = base.room

    class Both(ForcedRequest):
        def make_game(self) -> Any:
            game = super().make_game()
            return PlaysWatch(game, room_) if hasattr(room_.part("pieces"), "WATCHED") else game

    plain, forced_ = runner.run(base, jobs=1), runner.run(Both(**base.given(), card=card, seat=seat), jobs=1)
    games, changed = plain.games, forced_.games
    assert (changed["forced"] == (np.arange(60) % 2 + 1 if seat is None else seat + 1)).all()

    def held(results: object) -> float:
        frame = results.tallies["cards"]  # type: ignore[attr-defined]
        rows = frame[(frame["card"] == card) & (frame["stat"] == "opening") & (frame["count"] > 0)]
        return int(rows["n"].sum())

    if seat is None:
        assert held(forced_) >= 60 > held(plain)  # the other seat may have it, too
    else:
        assert held(forced_) == 60
    shared = [name for name in games if name in changed and name not in ("game",)]
    same = np.logical_and.reduce([(games[name] == changed[name]).to_numpy() for name in shared])
    assert same.any()
    assert not same.all()


def test_what_forcing_finds_is_what_the_deal_shows() -> None:
    """The opening hand is dealt by chance: who has the card by chance wins as who is forced to have it."""
    study = cards(asked("moscow", 6000, players=4, settings=[]), only=["advance 200"], jobs=1)
    row = study.tables["forced"].iloc[0]
    rates = study.tables["win_rates"]
    dealt = rates[(rates["card"] == "advance 200") & (rates["stat"] == "opening")].iloc[0]
    expected = (dealt["win_rate"] - row["before"]).item()
    assert row["change high"] < 0  # whoever is dealt it wins less
    assert abs(row["change"] - expected) < 0.02
    assert row["factor"] > 1.2
    assert row["clear"]


def test_a_game_without_hands_says_why_nothing_is_forced() -> None:
    study = cards(asked("kraskar", 20), only=["Gate Watch (1)"], jobs=1)
    assert study.n == 40
    assert "forced" not in study.tables
    assert any("There are no hands in Kraskar" in one for one in study.words)
    moscow = cards(asked("moscow", 20), only=["time", "division 5"], jobs=1)
    assert moscow.n == 80
    assert moscow.tables["not_forced"]["card"].tolist() == ["time"]
    assert cards(asked("moscow", 20), only=["division 5"], jobs=1, force=False).n == 40


# ---------------------------------------------------------------- without a card, dealt alike


def without_it(game: str, card: str, n: int, **how: Any) -> tuple[Request, Request, Request]:
    """(as it is, without the card on a deal of its own, without it dealt alike)."""
    base = asked(game, n, **how)
    piece = next(one for one in base.room.part("pieces").pieces(base.config.rules) if one.name == card)
    config = changed_config(base.config, lambda values: piece.put(values, 0))
    own = replace(base, config=config)
    return base, own, without(own, base, card)


@pytest.mark.parametrize(
    ("game", "card", "players"),
    [
        ("moscow", "division 5", 4),
        ("moscow", "time", 4),
        ("moscow", "red general", 1),
        ("eastfront", "Tiger", 3),
    ],
)
def test_without_a_card_all_others_lie_where_they_lay(game: str, card: str, players: int) -> None:
    """No copy is left, no other card is lost; whoever held none keeps the hand, and most of the deck lies as
    it lay. Hands, pairs in them, their sizes and the deck are on average those of a deal of its own."""
    base, own, alike = without_it(game, card, 4000, players=players, policy="balanced", block=4000)
    block = base.blocks()[0]
    states = [one.make_game().start(one.luck(block)) for one in (base, own, alike)]
    before, fresh, after = states
    names = base.make_game().tables.names if game == "moscow" else base.make_game().tables.titles
    kind = names.index(card)

    def cards_of(state: Any) -> np.ndarray:
        held = np.zeros((len(names), state.hand.shape[2]), int)
        held[: state.hand.shape[1]] += state.hand.sum(axis=0, dtype=int)
        return held + np.stack([(state.deck == one).sum(axis=0) for one in range(len(names))])

    old, new = cards_of(before), cards_of(after)
    assert (new[kind] == 0).all()
    rest = np.arange(len(names)) != kind
    assert np.array_equal(old[rest], new[rest])
    assert (cards_of(fresh)[rest] == new[rest]).all()
    if card in ("division 5", "Tiger"):  # what a hand keeps
        free = before.hand[:, kind] == 0
        assert free.any()
        assert np.array_equal(
            before.hand.sum(axis=1, dtype=int)[free], after.hand.sum(axis=1, dtype=int)[free]
        )
        assert (before.hand == after.hand).all(axis=1)[free].all()
    top = min(len(before.deck), len(after.deck)) // 2
    assert (before.deck[:top] == after.deck[:top]).mean() > 0.85
    assert after.deck.shape == fresh.deck.shape or game == "moscow"
    for pick in (lambda x: x.hand, lambda x: x.hand > 1, lambda x: x.hand.sum(axis=1), lambda x: x.deck[:20]):
        one, other = (pick(state).astype(float) for state in (fresh, after))
        error = np.sqrt((one.var(axis=-1) + other.var(axis=-1)) / 4000)
        assert (np.abs(one.mean(axis=-1) - other.mean(axis=-1)) <= 4.5 * error + 1e-9).all()


@pytest.mark.parametrize(
    ("game", "card"),
    [("moscow", "division 5"), pytest.param("eastfront", "Jagdpanther", marks=pytest.mark.slow)],
)
def test_dealt_alike_the_same_games_tell_more(game: str, card: str) -> None:
    """Who wins without it is the same on average as on a deal of its own, and varies less beside the games
    with it: the shared luck is worth something."""
    base, own, alike = (runner.run(one, jobs=1) for one in without_it(game, card, 1500))
    won = [outcomes.credits(one.games, 2)[0] for one in (base, own, alike)]
    apart, close = (paired.compare(paired.Pairs.of(one, won[0]), step=1.0) for one in won[1:])
    assert float(close.factor) > 1.25 * float(apart.factor)
    assert abs(float(close.value - apart.value)) < 3 * float(apart.error)
    again = runner.run(without_it(game, card, 1500, block=400)[2], jobs=2)
    assert again.n == 1500


def test_a_game_dealt_alike_does_not_depend_on_its_company() -> None:
    """In pieces of a block, too."""
    alike = without_it("moscow", "advance 100", 120, players=4, block=120)[2]
    block = alike.blocks()[0]
    whole = alike.make_game().start(alike.luck(block))
    for part in block.cut(50):
        piece = alike.make_game().start(alike.luck(part))
        here = slice(part.first, part.end)
        assert np.array_equal(piece.hand, whole.hand[..., here])
        rows = min(len(piece.deck), len(whole.deck))
        assert np.array_equal(piece.deck[:rows], whole.deck[:rows, here])


def test_processes_do_not_matter(dice_race: str) -> None:
    one, two = (cards(asked(dice_race, 200, settings=LOADED, block=50), jobs=jobs) for jobs in (1, 2))
    assert one.words == two.words
    assert all(one.tables[name].equals(two.tables[name]) for name in one.tables)


def test_copies_can_be_added(dice_race: str) -> None:
    study = cards(asked(dice_race, 40), 3, only=["dud"], jobs=1)
    assert study.tables["effects"]["changed_to"].tolist() == [5] * len(study.tables["effects"])
    assert np.isfinite(study.tables["effects"]["change"]).all()


def test_the_command_sets_them_side_by_side(dice_race: str) -> None:
    words = ("cards", dice_race, "--players", "2", "--n", "300", "--jobs", "1", "--set", "load_1=Big Trunk")
    found = analyze(*words, "--out", "here")
    assert found.exit_code == 0, found.output
    assert "Correlation and effect" in found.output
    assert "on the same luck" in found.output
    record = json.loads(analyze(*words, "--json", "--no-plots", "--cards", "load (1)").output)
    assert [row["card"] for row in record["tables"]["cards"]] == ["load (1)"]
    assert record["meta"]["n"] == 600


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("cards", "moscow", "--cards", "advance 20"), "advance 200"),
        (("cards", "moscow", "--copies", "0"), "changes nothing"),
        (("cards", "moscow", "--copies", "-50"), "at most"),
        (("cards", "moscow", "--n", "5"), "from 20"),
        (("cards", "moscow", "--players", "2,3"), "Give one"),
        (("cards", "kraskar", "--copies", "1"), "at most 1"),
    ],
)
def test_mistakes_get_one_line(words: tuple[str, ...], what: str) -> None:
    found = analyze(*words)
    assert found.exit_code == 2
    assert what in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_the_python_function(dice_race: str) -> None:
    study = analyzer.cards(dice_race, players=2, n=40, jobs=1, cards="dud")
    assert study.name == "cards"
    with pytest.raises(UserError, match="dud"):
        analyzer.cards(dice_race, players=2, n=40, cards=["dut"])
