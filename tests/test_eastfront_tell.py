"""Games of Eastfront told in words and as plain facts, against what the scalar oracle saw."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer import registry
from analyzer.config import load_config
from analyzer.games.eastfront import tell_words
from analyzer.games.eastfront.rules import Eastfront
from analyzer.games.eastfront.tell import Teller
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import play
from analyzer.sim.trace import WIDTH
from tests.oracle.compare_eastfront import Recorder, Replayer, all_luck
from tests.oracle.eastfront import Oracle

MORE = ["cards.support.ambush.count=6", "cards.support.smoke.count=6", "cards.reaction.pillbox.count=6"]
GAMES = [
    (names, row, options)
    for row in range(3)
    for names, options in (
        (("balanced", "raider", "vulture", "builder"), ()),
        (("random", "saboteur"), ()),
        (("random", "raider", "balanced"), MORE),
        (("random", "random", "raider"), [*MORE, "go_on=any", "game_end=at_once", "cards.friends.2.count=0"]),
    )
]


class Both:
    """Two recorders of one game."""

    def __init__(self, *recorders: Any) -> None:
        self.recorders = recorders

    def start(self, state: Any) -> None:
        for one in self.recorders:
            one.start(state)

    def decision(self, *args: Any) -> None:
        for one in self.recorders:
            one.decision(*args)

    def turn_end(self, *args: Any) -> None:
        for one in self.recorders:
            one.turn_end(*args)


def tell(names: Any, row: int, options: Any) -> tuple[Teller, Oracle]:
    """One game told, and the same game played by the oracle with the same answers."""
    config = load_config("eastfront", overrides=options)
    game = Eastfront(config.rules, len(names))

    def luck() -> BlockLuck:
        return BlockLuck("eastfront", 4, 1, 8, np.array([row], np.intp))

    recorder, teller = Recorder(game), Teller(game, luck(), names)
    policies = [registry.policy(name, "eastfront") for name in names]
    play(game, policies, luck(), np.arange(8), Both(recorder, teller))
    oracle = Oracle(config.as_dict(), len(names), all_luck(game, luck())[0], Replayer(game, recorder, row))
    oracle.play()
    return teller, oracle


@pytest.fixture(scope="module", params=GAMES, ids=lambda one: f"{'-'.join(one[0])}-{one[1]}")
def told(request: pytest.FixtureRequest) -> tuple[Teller, Oracle]:
    return tell(*request.param)


def _of(teller: Teller, what: str) -> list[dict[str, Any]]:
    return [event for event in teller.events if event["what"] == what]


def test_every_exchange_is_told_with_its_sums(told: tuple[Teller, Oracle]) -> None:
    """E12 to E18: cards, support, pillbox, target, sums and result, one by one."""
    teller, oracle = told
    cards, titles = oracle.rules["cards"], teller.t.titles
    seen = oracle.records("exchange")
    ours = _of(teller, "exchange")
    assert len(ours) == len(seen)
    for event, x in zip(ours, seen, strict=True):
        assert (event["turn"], event["stack"]) == (x["turn"] + 1, x["stack"] + 1)
        assert event["soviet"] == cards["soviet"][x["soviet"]]["title"]
        assert event["support"] == [cards["support"][i]["title"] for i in x["support"]]
        assert event["pillbox"] == (0 if x["pillbox"] is None else x["pillbox"] + 1)
        assert event["target"] == ("" if x["target"] is None else titles[x["target"]])
        assert (event["lost"], event["won"]) == (x["lost"], x["destroyed"])
        assert event["sum"] == (x["fire"] or 0)
        if x["fire"] is not None:
            assert event["needs"] == x["defence"]
            assert event["won"] == (event["sum"] > event["needs"])
        fired = sum(n * cards["german"][titles.index(name)]["fire"] for name, n in event["firing"].items())
        assert event["sum"] == (fired + event["bonus"] if event["firing"] else 0)
    assert sum(event["friend"] for event in ours) == len(oracle.records("friend"))


def test_draws_discards_and_openings_are_told(told: tuple[Teller, Oracle]) -> None:
    teller, oracle = told
    titles = teller.t.titles
    assert [e["card"] for e in _of(teller, "draw")] == [titles[x["card"]] for x in oracle.records("draw")]
    for what in ("deploy", "discard"):
        seen = [{titles[k]: n for k, n in sorted(x["cards"].items())} for x in oracle.records(what)]
        assert [e["cards"] for e in _of(teller, what) if e["cards"]] == [cards for cards in seen if cards]


def test_hindering_is_told_with_its_result(told: tuple[Teller, Oracle]) -> None:
    """E7 B, R5 to R7."""
    teller, oracle = told
    titles = teller.t.titles
    seen, ours = oracle.records("hinder"), _of(teller, "hinder")
    assert len(ours) == len(seen)
    for event, x in zip(ours, seen, strict=True):
        assert (event["card"], event["target"]) == (titles[x["card"]], x["target"] + 1)
        assert event["named"] == ("" if x["named"] is None else titles[x["named"]])
        assert (event["result"] == "covered") == x["covered"]
        assert not x["covered"] or event["cover"] == "played"
    lost = [x for x in oracle.records("loss") if x["turn"] in {y["turn"] for y in seen}]
    destroyed = [titles[x["card"]] for x in lost if x["source"] == "table"]
    assert [e["named"] for e in ours if e["result"] == "destroyed"] == destroyed
    assert [e["lost"] for e in ours if e["lost"]] == [
        titles[x["card"]] for x in lost if x["source"] == "hand"
    ]


def test_the_end_is_told(told: tuple[Teller, Oracle]) -> None:
    teller, oracle = told
    end, last = oracle.outcome(), teller.events[-1]
    assert last["what"] == "end"
    assert last["winners"] == [seat + 1 for seat in end.winners]
    assert (last["end"], tuple(last["points"]), tuple(last["friends"])) == (end.end, end.points, end.friends)


def test_lines_are_narrow_and_events_are_plain(told: tuple[Teller, Oracle]) -> None:
    teller, _ = told
    lines = teller.lines()
    assert max(map(len, lines)) <= WIDTH
    assert json.loads(json.dumps(teller.events)) == teller.events
    text = " ".join(" ".join(lines).split())
    for event in _of(teller, "exchange"):
        assert f"stack {event['stack']}" in text
    assert not any(word in text for word in ("None", "  ", "{"))


def test_all_that_can_happen_is_told() -> None:
    """Over these games every kind of event, result and card with an effect turns up."""
    events = [event for one in GAMES for event in tell(*one)[0].events]
    assert {e["result"] for e in events if e["what"] == "hinder"} == {
        *("covered", "destroyed", "held", "recalled", "halted", "discarded")
    }
    exchanges = [e for e in events if e["what"] == "exchange"]
    for key in ("first", "silent", "pillbox", "refused", "lost", "won", "friend", "face_up", "bonus"):
        assert {bool(e[key]) for e in exchanges} == {True, False}, key
    assert {e["what"] for e in events} == {*tell_words._WORDS, "turn", "end"}


def test_a_replay_is_the_game_of_the_run() -> None:
    results = analyzer.run(
        "eastfront", policies=["balanced", "raider", "vulture"], n=12, seed=9, block=5, jobs=1
    )
    games = results.games
    for index in (0, 7, 11):
        one = analyzer.replay(
            "eastfront", policies=["balanced", "raider", "vulture"], seed=9, block=5, game_index=index
        )
        row = games[games["game"] == index].iloc[0]
        assert one.outcome["winner"] == row["winner"]
        assert one.outcome["points"] == [row[f"points_{seat}"] for seat in (1, 2, 3)]
        assert one.records()[-1]["rescued"] == row["rescued"]
