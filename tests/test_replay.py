"""A game of a run, played alone and told: it is the very game of the run, and every fact of it is right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import analyzer
from analyzer import registry
from analyzer.cli import main
from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.base import Array, Decision
from analyzer.games.moscow import tell_words
from analyzer.games.moscow.rules import Moscow
from analyzer.games.moscow.state import deal_bits, first_shuffle, second_keys
from analyzer.games.moscow.tell import Teller
from analyzer.report.build import Report
from analyzer.sim import runner
from analyzer.sim.chance import Luck as BlockLuck
from analyzer.sim.engine import play
from analyzer.sim.replay import Replay, replay
from analyzer.sim.request import Request, build
from analyzer.sim.results import Results
from analyzer.sim.trace import WIDTH, code_name, wrapped
from tests.oracle.compare_moscow import Recorder, Replayer, all_dice
from tests.oracle.moscow import Luck, Oracle
from tests.toy.config import toy_config

Facts = tuple[Any, ...]
MIXED = ("balanced", "random", "blocker", "spoiler", "hoarder", "racer")
OPTIONS = (
    "boosts=add",
    "out_of_supply=lose_division",
    "actions_per_turn=2",
    "army_on_self=true",
    "front_must_be_clear=false",
    "opening_hand=5",
    "moscow_strength=12",
)


# ---------------------------------------------------------------- against the scalar oracle


class Both:
    """A recorder that passes everything on to two others."""

    def __init__(self, *recorders: Any) -> None:
        self.recorders = recorders

    def start(self, state: Any) -> None:
        for one in self.recorders:
            one.start(state)

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        for one in self.recorders:
            one.decision(state, turn, decision, answer)

    def turn_end(self, state: Any, turn: int) -> None:
        for one in self.recorders:
            one.turn_end(state, turn)


@cache
def tell(
    names: tuple[str, ...], seed: int, overrides: tuple[str, ...] = (), row: int = 3
) -> tuple[Teller, Oracle, list[dict[str, Any]]]:
    """One game told, and the same game by the oracle, with the oracle's snapshots after every turn."""
    config = load_config("moscow", overrides=overrides)
    game = Moscow(config.rules, len(names))

    def luck() -> BlockLuck:
        return BlockLuck("moscow", seed, 2, 8, np.array([row], np.intp))

    recorder, teller = Recorder(game), Teller(game, luck(), names)
    policies = [registry.policy(name, "moscow") for name in names]
    play(game, policies, luck(), np.arange(8), Both(recorder, teller))
    bits = deal_bits(game.tables, luck())
    order, keys = first_shuffle(game.tables, bits)[:, 0], second_keys(game.tables, bits)[0]
    chance = Luck(
        game.tables.deck[order].tolist(),
        keys[order.astype(np.intp)].tolist(),
        all_dice(game, luck())[..., 0].tolist(),
    )
    oracle = Oracle(config.as_dict(), game.players, chance, Replayer(game, recorder, row))
    return teller, oracle, list(oracle.steps())


GAMES: list[Any] = [(tuple(MIXED[:players]), seed, ()) for players in range(1, 7) for seed in (1, 2)]
GAMES += [((name,) * 4, 3, ()) for name in MIXED]
GAMES += [(("random",) * players, 4, OPTIONS) for players in range(1, 7)]
GAMES += [(tuple(MIXED[:players]), 5, OPTIONS) for players in (1, 2, 4, 6)]
GAMES += [(("random",), seed, ()) for seed in range(6, 10)]


def name_of(game: Any) -> str:
    """A short name of a test's game."""
    names, seed, options = game
    return f"{len(names)}-{names[0]}-{seed}{'-options' if options else ''}"


def theirs(oracle: Oracle) -> Iterator[Facts]:
    """The oracle's events, as comparable tuples."""
    ids = {k: t.name for k, t in enumerate(oracle.types)}
    orders = [ids[k] for k in oracle.ids_of("order")]

    def names(cards: dict[int, int]) -> dict[str, int]:
        return {ids[card]: n for card, n in cards.items()}

    for e in oracle.events:
        key: Facts = (e["what"], e["turn"] + 1, e["seat"] + 1)
        match e["what"]:
            case "opening":
                yield ("deal", e["owner"] + 1, names(e["hand"]))
            case "draw":
                yield (*key, ids[e["card"]])
            case "act":
                yield (*key, e["act"])
            case "order":
                yield (*key, orders[e["order"]], e["target"] + 1, e["gave"], e["showed"])
            case "fight":
                sums = ("target", "modifier", "die", "attack", "total", "won", "faces", "doubled")
                yield (*key, names(e["cards"]), *(e[name] for name in sums))
            case "reorganise" | "exploit":
                yield (*key, ids[e["card"]])
            case "discard":
                yield (*key, names(e["cards"]))


def action_of(event: dict[str, Any], oracle: Oracle) -> Facts:
    """The oracle's action tuple of a told action."""
    kind = {"moscow army": "moscow_army", "moscow general": "moscow_general"}.get(
        event["action"], event["action"].partition(" ")[0]
    )
    index = oracle.types[oracle.type_id(event["card"])].index if event["card"] else 0
    numbers = {
        "advance": (index,),
        "army": (index, event["target"] - 1),
        "general": (event["target"] - 1,),
        "river": (event["target"] - 1,),
        "moscow_army": (index,),
        "order": (index, event["target"] - 1),
    }
    return (kind, *numbers.get(kind, ()))


def ours(events: list[dict[str, Any]], oracle: Oracle) -> Iterator[Facts]:
    """The told events, as the same tuples."""
    for e in events:
        key: Facts = (e["what"], e["turn"], e["seat"])
        match e["what"]:
            case "deal":
                yield ("deal", e["seat"], e["hand"])
            case "draw":
                yield (*key, e["card"])
            case "act":
                yield (*key, action_of(e, oracle))
            case "order":
                yield (*key, e["card"], e["target"], sum(e["lost"].values()), e["showed"])
            case "fight":
                sums = ("target", "modifier", "die", "attack", "total", "won", "faces", "doubled")
                yield (*key, e["cards"], *(e[name] for name in sums))
            case "reorganise" | "exploit" if e["played"]:
                yield (*key, e["card"])
            case "discard":
                yield (*key, e["cards"])


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_event_is_the_oracles(game: Any) -> None:
    teller, oracle, _ = tell(*game)
    assert list(ours(teller.events, oracle)) == list(theirs(oracle))


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_the_events_account_for_every_card_and_every_km(game: Any) -> None:
    """Hands, distances, month and table, rebuilt from nothing but the events, are those of the oracle."""
    teller, oracle, snapshots = tell(*game)
    names = [t.name for t in oracle.types]
    hands = [Counter[str]() for _ in game[0]]
    km, month = [0] * len(game[0]), "june"
    front: list[dict[str, Any] | None] = [None] * len(game[0])
    turns = iter(snapshots)
    for e in teller.events:
        hand, seat = hands[e["seat"] - 1], e["seat"] - 1
        match e["what"]:
            case "deal":
                hand.update(e["hand"])
            case "turn":
                assert (Counter(e["hand"]), e["km"], e["month"]) == (hand, km[seat], month)
                there = front[seat]
                assert (e["front"] or {}).get("army") == (there or {}).get("army")
                assert e["at_moscow"] == (km[seat] >= oracle.goal)
            case "draw":
                hand.update([e["card"]] if e["kept"] else [])
                hand.subtract(e.get("lost", {}))
                month = e.get("month", month)
                front[seat] = e["front"] if e.get("put") == "front" else front[seat]
            case "act":
                hand.subtract([e["card"]] if e["card"] else [])
                km[seat] = e.get("km", km[seat])
                if "front" in e:
                    front[e["target"] - 1] = e["front"]
            case "order":
                assert e["km_before"] == km[e["target"] - 1]
                km[e["target"] - 1] = e["km"]
                hands[e["target"] - 1].subtract(e["lost"])
                assert not e["showed"] or Counter(e["hand"]) == +hands[e["target"] - 1]
            case "fight":
                hand.subtract(e["cards"])
                assert e["km"] == km[seat] + e["gained"]
                km[seat] = e["km"]
                if e["won"] and e["target"] == "front":
                    front[seat] = None
            case "reorganise" if e["played"]:
                hand.update([e["card"]])
                hand.subtract(["reorganise"])
            case "exploit" if e["played"]:
                hand.subtract([e["card"]])
                km[seat] = e["km"]
            case "discard":
                hand.subtract(e["cards"])
            case "end of turn":
                now = next(turns)
                assert now["km"] == km
                assert e["cards"] == sum(now["hands"][now["seat"]])
                assert e["arrived"] == (now["arrived_turn"][now["seat"]] == e["turn"])
                assert e["fell"] == (now["winner"] >= 0)
                assert month == oracle.month_names[now["month"]]
                seen = [dict(zip(names, held, strict=True)) for held in now["hands"]]
                assert [{k: n for k, n in held.items() if n} for held in seen] == [dict(+h) for h in hands]
                told_front = [one["army"] if one else None for one in front]
                armies = [names[k] for k in oracle.ids_of("red_army")]
                assert told_front == [None if a < 0 else armies[a] for a in now["army"]]
                for one, general, river in zip(front, now["general"], now["river"], strict=True):
                    assert one is None or (one["general"], one["river"]) == (general, river)
    assert next(turns, None) is None
    last = teller.events[-1]
    end = oracle.outcome()
    assert (last["what"], last["end"], last["km"]) == ("end", end.end, km)
    assert last["winner"] == (0 if end.winner is None else end.winner + 1)


def test_what_went_back_of_the_deal() -> None:
    """M2, ruling 13: hand and what went back are the deal; only what no hand may keep goes back."""
    gone: Counter[str] = Counter()
    for (names, _, options), (teller, _, _) in ((one, tell(*one)) for one in GAMES):
        for e in teller.events[: len(names)]:
            assert e["what"] == "deal"
            assert e["cards"] + len(e["back"]) == (5 if options else 6)
            if len(names) > 1:
                assert set(e["back"]) <= {"time", "out of supply"}
            gone.update(e["back"])
    assert gone["time"] > 2
    assert gone["out of supply"] > 1
    assert any(name.startswith("army") for name in gone)  # alone


def test_the_games_told_here_show_everything() -> None:
    """The tests above would pass on games in which nothing happens: in these everything does."""
    seen: Counter[Any] = Counter()
    for teller, _, _ in (tell(*one) for one in GAMES):
        for e in teller.events:
            what = e["what"]
            seen[what, e.get("played")] += 1
            if what == "draw":
                seen[what, e.get("put"), e.get("lost_turn"), bool(e.get("lost")), e.get("moved")] += 1
            if what == "fight":
                seen[what, e["target"], e["won"], e["doubled"]] += 1
                there = e.get("front")
                if there:
                    seen[what, there["boosts"], there["general"], there["river"], there["river_counts"]] += 1
            if what == "order":
                seen[what, e["card"], bool(e["lost"]), e["showed"]] += 1
            if what == "act":
                seen[what, e["action"]] += 1
            if what == "end":
                seen[e["end"]] += 1
    wanted: list[Any] = [("reorganise", True), ("reorganise", False), ("exploit", True), ("exploit", False)]
    wanted += [("draw", put, None, False, None) for put in ("front", "moscow", "discarded", None)]
    wanted += [("draw", None, True, False, None), ("draw", None, False, True, None)]
    wanted += [("draw", None, None, False, True), "moscow fell", "deck ran out", ("discard", None)]
    wanted += [("fight", "front", won, False) for won in (True, False)] + [("fight", "front", True, True)]
    wanted += [("fight", "moscow", won, False) for won in (True, False)]
    wanted += [("fight", "multiply", True, True, True), ("fight", "add", True, True, True)]
    wanted += [("order", "order -200 km", False, False), ("order", "order -2 divisions", True, True)]
    wanted += [("order", "order -general", True, False), ("order", "order -general", False, True)]
    plain = (
        "advance",
        "army",
        "general",
        "river",
        "moscow army",
        "moscow general",
        "fight",
        "attack",
        "nothing",
    )
    wanted += [("act", action) for action in plain]
    assert [one for one in wanted if not seen[one]] == []


# ---------------------------------------------------------------- against the run


def as_row(one: Replay) -> dict[str, Any]:
    """The outcome of a replay as its row of the games frame: a column a seat for what is told by seat."""
    row: dict[str, Any] = {"rotation": one.rotation}
    for name, value in one.outcome.items():
        by_seat = isinstance(value, list)
        row |= {f"{name}_{seat}": part for seat, part in enumerate(value, 1)} if by_seat else {name: value}
    return row


@pytest.mark.parametrize(
    "policies", [["balanced"] * 4, ["balanced", "racer", "blocker:noise=40.0", "random"]]
)
@pytest.mark.parametrize("block", [7, 20])
def test_the_replay_is_the_game_of_the_run(policies: list[str], block: int) -> None:
    """With rotated policies, noise, later blocks and later rows: every measure is that of the run."""
    results = analyzer.run("moscow", policies=policies, n=64, seed=9, block=block, jobs=1)
    rotations = len(set(policies))
    for index in (0, 1, 6, 7, 26, 27, 30, 56, 63):
        one = analyzer.replay("moscow", policies=policies, seed=9, block=block, game_index=index)
        row = results.games.set_index("game").loc[index].to_dict()
        assert as_row(one) == row
        last = one.events[-1]
        assert (last["winner"], last["end"], last["turn"]) == (row["winner"], row["end"], row["turns"])
        assert last["km"] == [row[f"km_{seat}"] for seat in range(1, 5)]
        assert one.rotation == index % rotations
        turned = [policies[(seat + one.rotation) % 4] for seat in range(4)]
        assert one.policies == turned
        assert {e["seat"]: e["policy"] for e in one.events if e["what"] == "turn"} == dict(
            enumerate(turned, 1)
        )


@pytest.mark.parametrize("index", [-1, 10**9, 10**12, True, 1.5, "3"])
def test_a_game_that_no_run_has_is_refused(index: Any) -> None:
    with pytest.raises(UserError, match=r"^game must be (from|a whole number from) 0 to 999999999, not "):
        analyzer.replay("moscow", game_index=index)


def test_a_game_beyond_the_longest_run_of_small_blocks_is_refused() -> None:
    with pytest.raises(UserError, match=r"^game must be from 0 to 199999, not 200000"):
        analyzer.replay("moscow", block=1, game_index=200_000)
    build("moscow", n=200_000, block=1)
    with pytest.raises(UserError, match="too many blocks"):
        build("moscow", n=200_001, block=1)
    assert analyzer.replay("moscow", block=1, game_index=199_999).index == 199_999


def test_the_command_refuses_too() -> None:
    result = CliRunner().invoke(main, ["replay", "moscow", "--game", "-1"])
    assert result.exit_code == 2
    assert "whole number from 0" in result.output


def test_a_teller_tells_one_game() -> None:
    game = Moscow(load_config("moscow").rules, 2)
    with pytest.raises(ValueError, match="one game, not 2"):
        Teller(game, BlockLuck("moscow", 1, 0, 2, np.arange(2)), ["a", "b"])


# ---------------------------------------------------------------- JSON and words


def test_json_lines_hold_every_draw_and_every_die() -> None:
    line = [
        "replay",
        "moscow",
        "--policies",
        "balanced,random",
        "--players",
        "4",
        "--seed",
        "3",
        "--game",
        "11",
    ]
    result = CliRunner().invoke(main, [*line, "--json"])
    assert result.exit_code == 0, result.output
    records = [json.loads(text) for text in result.output.splitlines()]
    head, *events, outcome = records
    assert (head["what"], head["game"], head["seed"]) == ("game", 11, 3)
    assert len(head["policies"]) == 4
    assert outcome["what"] == "outcome"
    for what in ("turn", "draw", "end of turn"):
        assert [e["turn"] for e in events if e["what"] == what] == list(range(1, outcome["turns"] + 1))
    assert [e["turn"] for e in events] == sorted(e["turn"] for e in events)
    assert all(e["round"] == -(-e["turn"] // 4) for e in events)
    assert all(e["seat"] == (e["turn"] - 1) % 4 + 1 for e in events if e["turn"])
    fights = [e for e in events if e["what"] == "fight"]
    actions = [e["action"] for e in events if e["what"] == "act"]
    assert len(fights) == actions.count("fight") + actions.count("attack") > 0
    for e in fights:
        assert 1 <= e["die"] <= e["sides"] == 6
        assert e["sum"] == sum(int(name.split()[-1]) * n for name, n in e["cards"].items())
        assert e["attack"] == e["sum"] + e["modifier"] + e["die"]
        assert e["won"] == (e["attack"] >= e["total"]) == (e["die"] >= e["needs"])
        assert e["faces"] == sum(face >= e["needs"] for face in range(1, 7))
        assert e["chance"] == e["faces"] / 6
    lost = sum(e["what"] == "draw" and e.get("lost_turn", False) for e in events)
    assert len(actions) == outcome["turns"] - lost


def test_no_line_is_wider_than_told() -> None:
    for teller, _, _ in (tell(*one) for one in GAMES):
        lines = teller.lines()
        assert max(map(len, lines)) <= WIDTH
        assert not any("\u00a0" in line or line != line.rstrip() for line in lines)
        heads = [line for line in lines if line.startswith("Turn ")]
        assert len(heads) == teller.events[-1]["turn"]
    assert (
        max(map(len, str(analyzer.replay("moscow", players=6, policies=["random"], seed=2)).splitlines()))
        <= WIDTH
    )


HEAD = {"turn": 12, "round": 3, "seat": 4}
RED = {"army": "army 6/50", "strength": 6, "general": True, "river": False, "river_counts": True}
RED |= {"boosts": "multiply", "total": 12}
FIGHT = {
    "what": "fight",
    "target": "front",
    "cards": {"division 3": 1, "division 4": 1},
    "sum": 7,
    "month": "august",
    "modifier": 1,
    "die": 5,
    "attack": 13,
    "front": RED,
    "total": 12,
    "needs": 4,
    "sides": 6,
    "faces": 3,
    "chance": 0.5,
    "won": True,
    "doubled": False,
    "gained": 50,
    "km": 500,
}


def words(**facts: Any) -> str:
    """The words of one event, without the heading, as one line."""
    return " ".join(line.strip() for line in tell_words.lines([HEAD | facts], ["balanced"] * 4)[1:])


def test_a_fight_in_words() -> None:
    assert words(**FIGHT) == (
        "fights the Red Army 6/50 with a Red general (6 x 2 = 12): division 3 + division 4 = 7, August +1, "
        "die 5: 13 >= 12 (needed a 4 or more, 50 %). Beaten: +50 km, now 500 km."
    )
    lost = FIGHT | {"die": 1, "attack": 9, "won": False, "gained": 0}
    assert words(**lost).endswith("die 1: 9 < 12 (needed a 4 or more, 50 %). Lost.")
    fall = {"target": "moscow", "moscow": {"own": 15, "army": "army 10/100", "strength": 10, "general": True}}
    fall["moscow"]["total"] = 35  # type: ignore[index]
    text = words(**FIGHT | fall | {"total": 35, "faces": 1, "needs": 6, "chance": 1 / 6})
    assert text.startswith(
        "attacks Moscow with Red Army 10/100 and a Red general (15 + 10 x 2 = 35): division 3"
    )
    assert text.endswith("13 >= 35 (needed a 6, 17 %). Moscow falls!")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"river": True, "total": 24}, "with a Red general and a great river (6 x 2 x 2 = 24)"),
        ({"river": True, "river_counts": False}, "a great river (6 x 2 = 12, the river counts no more)"),
        ({"general": False, "total": 6}, "Red Army 6/50 (6)"),
        ({"river": True, "boosts": "add", "total": 18}, "a Red general and a great river (6 x 3 = 18)"),
        ({"boosts": "add"}, "with a Red general (6 x 2 = 12)"),
    ],
)
def test_a_red_army_in_words(changed: dict[str, Any], said: str) -> None:
    assert said in words(**FIGHT | {"front": RED | changed})


@pytest.mark.parametrize(
    ("faces", "needs", "said"),
    [(6, 1, "any die wins"), (6, -3, "any die wins"), (0, 7, "no die could win"), (1, 6, "needed a 6, 17 %")],
)
def test_a_threshold_in_words(faces: int, needs: int, said: str) -> None:
    assert f"({said})" in words(**FIGHT | {"faces": faces, "needs": needs, "chance": faces / 6})


ORDER = {"what": "order", "target": 2, "km_before": 1000, "km": 1000, "lost": {}, "showed": False}
ORDER |= {"left_moscow": False}


def test_alone_nobody_is_shown_a_hand() -> None:
    facts = {"card": "order -general", "wanted": 1, "showed": True, "hand": {}, "target": 4}
    assert words(**ORDER | facts) == "seat 4 has no German general."


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {"card": "order -200 km", "wanted": 0, "km": 800, "left_moscow": True},
            "seat 2 goes back from 1000 to 800 km, no longer before Moscow.",
        ),
        (
            {"card": "order -2 divisions", "wanted": 2, "lost": {"division 2": 1, "division 3": 1}},
            "seat 2 loses division 2 and division 3.",
        ),
        (
            {
                "card": "order -2 divisions",
                "wanted": 2,
                "lost": {"division 2": 1},
                "showed": True,
                "hand": {"advance 50": 2},
            },
            "seat 2 loses division 2 and has no other division; it shows its hand: advance 50 x2.",
        ),
        (
            {"card": "order -general", "wanted": 1, "showed": True, "hand": {}},
            "seat 2 has no German general; it shows its hand: no cards.",
        ),
    ],
)
def test_an_order_in_words(facts: dict[str, Any], said: str) -> None:
    assert words(**ORDER | facts) == said


# ---------------------------------------------------------------- games without a teller of their own


def race(n: int) -> Request:
    return build("dice_race", 3, n, ["random", "gambler", "gambler"], block=64, config=toy_config())


@pytest.mark.parametrize("index", [0, 1, 2, 63, 64, 191, 192, 500, 799])
def test_a_game_without_a_teller_is_listed(dice_race: str, index: int) -> None:
    row = runner.run(race(800), jobs=1).games.set_index("game").loc[index].to_dict()
    one = replay(race(1), index)
    assert {name: one.outcome[name] for name in ("winner", "end", "turns")} == {
        name: row[name] for name in ("winner", "end", "turns")
    }
    assert one.outcome["steps"] == [row[f"steps_{seat}"] for seat in (1, 2, 3)]
    assert [e["turn"] for e in one.events] == list(range(1, row["turns"] + 1))
    assert [e["seat"] for e in one.events[:4]] == [1, 2, 3, 1]
    names = {e["answer"]: e["name"] for e in one.events}
    assert names.items() <= {0: "safe", 1: "bold"}.items()
    first = one.events[0]
    assert one.lines[0] == f"Turn 1, seat 1 ({one.policies[0]}):"
    assert one.lines[1] == f"  act: {first['name']} (code {first['answer']})"
    assert json.loads(json.dumps(one.records())) == one.records()


def test_it_reads_as_words_and_as_json(dice_race: str) -> None:
    one = replay(race(1), 5)
    head, blank, first, *_ = str(one).splitlines()
    assert head == "Game 5 of dice_race, seed 1, rotation 2. Seats: 1 gambler, 2 random, 3 gambler."
    assert (blank, first) == ("", "Turn 1, seat 1 (gambler):")
    assert str(one).splitlines()[-1].startswith("Outcome: winner ")
    records = one.records()
    assert (records[0]["what"], records[-1]["what"]) == ("game", "outcome")
    with pytest.raises(UserError, match="game must be"):
        replay(race(1), -1)


def test_codes_by_the_names_of_their_blocks() -> None:
    blocks: dict[str, slice | int] = {"advance": slice(0, 4), "fight": 4, "rest": slice(5, None)}
    assert [code_name(blocks, code) for code in (0, 3, 4, 6)] == ["advance 1", "advance 4", "fight", "rest 2"]
    assert code_name({"fight": 1}, 0) == ""


def test_long_lines_go_on_indented() -> None:
    lines = wrapped("card " * 50, 2)
    assert [line[:3] for line in lines] == ["  c", "   ", "   "]
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(lines).split() == ["card"] * 50


def test_a_saved_run_tells_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder stands for the options, also on its page, where no command of `analyze run` made it."""
    setup: dict[str, Any] = {"policies": ["balanced", "racer"], "seed": 3, "block": 4}
    setup["set"] = ["moscow_strength=14"]
    results = analyzer.run("moscow", n=12, jobs=1, out=tmp_path / "run", duplicate=True, **setup)
    assert isinstance(results, Results)
    told = analyzer.replay(str(tmp_path / "run"), game_index=7)
    assert str(told) == str(analyzer.replay("moscow", duplicate=True, game_index=7, **setup))
    assert str(told) != str(analyzer.replay("moscow", game_index=7, **setup))
    replays = Report(results).replays()
    assert replays
    assert all(line.startswith(f"analyze replay {tmp_path / 'run'} --game ") for _, line in replays)
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "run"), "--game", "7"])
    assert (result.exit_code, result.output) == (0, f"{told}\n")
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "run"), "--game", "7", "--seed", "4"])
    assert result.exit_code == 2
    assert "--seed is for the name of a game" in result.output
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").rename("moscow")  # the game, not the folder
    assert str(analyzer.replay("moscow", game_index=7)) != str(told)
    (tmp_path / "moscow").rename("undaunted")
    words = ["run", "undaunted", "--scenario", "1", "--n", "2", "--jobs", "1", "--no-plots", "--out", "x"]
    assert CliRunner().invoke(main, words).exit_code == 0
    analyzer.run("moscow", "2,3", 4, jobs=1, out=tmp_path / "series")
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "series"), "--game", "7"])
    assert result.exit_code == 2
    assert "is a series; its runs stand in folders" in result.output
