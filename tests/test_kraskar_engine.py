"""The Kraskar engine against the scalar oracle, game by game and step by step, with ==."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.config import load_config
from analyzer.games.base import Decision, Policy
from analyzer.games.kraskar import attacks, damage, legal, play
from analyzer.games.kraskar import rules as fast
from analyzer.games.kraskar.policies import POLICIES
from analyzer.games.kraskar.state import KraskarState
from analyzer.sim import engine
from analyzer.sim.chance import Luck
from tests.oracle.compare_kraskar import compare
from tests.oracle.kraskar import IllegalChoice

NAMES = sorted(POLICIES)
DECKS = ["Cavalry Rush", "Spear Wall", "Archer Line", "Siege Train", "Two Banners", "Four Crowns"]
BOARDS = [(columns, rows) for columns in (3, 5, 7) for rows in (4, 5, 6, 7)]
MODELS = [["damage=difference"], ["damage=plain"], ["damage=ratio", "hit_points=4"]]


def _whole(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


SETTINGS: dict[str, st.SearchStrategy[str]] = {
    "columns": st.sampled_from(["3", "5", "7"]),
    "rows": _whole(3, 7),
    "castle_life": _whole(1, 60),
    "first_player": st.sampled_from(["random", "1", "2"]),
    "turn_limit": _whole(1, 70),
    "chip_caps": st.sampled_from(["[12, 8, 4, 4]", "[2, 2, 2, 2]", "[30, 20, 10, 9]"]),
    "start_chips": _whole(0, 2),
    "return_gauge": _whole(1, 6),
    "movement_points": _whole(1, 4),
    "siege_damage.cavalry": _whole(0, 3),
    "siege_damage.infantry": _whole(0, 4),
    "gate_bonus": _whole(0, 3),
    "charge_squares": _whole(1, 4),
    "interception_factor": _whole(1, 3),
    "shot_range": _whole(1, 4),
    "snipe_factor": _whole(1, 3),
    "hit_points": _whole(1, 40),
    "damage": st.sampled_from(["difference", "plain", "ratio"]),
    "damage_base": _whole(0, 14),
    "boost_wit": _whole(1, 6),
    "weaken_wit": _whole(1, 4),
    "stratagems.false order.amount": _whole(1, 15),
    "stratagems.fire trap.distance": _whole(1, 6),
    "stratagems.war drums.chips": _whole(0, 5),
    "units.Storm Riders.force": _whole(1, 15),
    "units.Green Hoods.wit": _whole(0, 15),
}


@st.composite
def configs(draw: st.DrawFn) -> list[str]:
    keys = draw(st.lists(st.sampled_from(sorted(SETTINGS)), unique=True, max_size=10))
    pair = draw(st.tuples(st.sampled_from(DECKS), st.sampled_from(DECKS)))
    return [f"decks=[{', '.join(pair)}]", *(f"{key}={draw(SETTINGS[key])}" for key in keys)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    overrides=configs(),
    seats=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    seed=st.integers(0, 2**40),
)
def test_engine_equals_oracle(overrides: list[str], seats: tuple[str, str], seed: int) -> None:
    compare([POLICIES[name]() for name in seats], 3, seed, overrides)


@pytest.mark.parametrize("name", NAMES)
def test_every_policy_equals_oracle(name: str) -> None:
    compare([POLICIES[name](), POLICIES[name]()], 10, 5, checked_every=3)


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (3, 4), (5, 6), (7, 7)])
@pytest.mark.parametrize("model", MODELS, ids=["difference", "plain", "ratio"])
def test_boards_and_damage_models_equal_oracle(columns: int, rows: int, model: list[str]) -> None:
    options = [f"columns={columns}", f"rows={rows}", "turn_limit=30", *model]
    compare([POLICIES["random"](), POLICIES["balanced"]()], 4, 8, options, checked_every=2)


def test_policies_with_noise_and_parameters_equal_oracle() -> None:
    cls = POLICIES["balanced"]
    compare([cls(noise=30.0), cls(noise=0.0)], 10, 11)
    compare([cls(hunt=30, distance=True, caution=False), cls(hold=3, save=2)], 10, 12)


def test_a_big_deck_equals_oracle() -> None:
    """K4: eight units a side, with every kind of stratagem among them."""
    names = (
        "Young Lancers, Border Levy, Gate Watch, Reed Bows, Marsh Watch, Tin Miners, Green Hoods, Dusk Riders"
    )
    options = [
        "deck_cost=24",
        f"named_decks.Two Banners.units=[{names}]",
        "named_decks.Two Banners.columns=[1, 2, 3, 4, 5, 1, 2, 3]",
        "chip_caps=[12, 12, 12, 12]",
    ]
    compare([POLICIES["random"](), POLICIES["hunter"]()], 6, 2, options)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_slow_20_000_games_equal_oracle(part: int) -> None:
    """200 games a part: boards 3x4 to 7x7, all damage models, every deck, every policy alone and mixed."""
    rng = np.random.default_rng([20_26, part])
    columns, rows = BOARDS[part % len(BOARDS)]
    decks = [DECKS[int(k)] for k in rng.integers(len(DECKS), size=2)]
    names = (
        [NAMES[int(k)] for k in rng.integers(len(NAMES), size=2)] if part % 2 else [NAMES[part // 2 % 6]] * 2
    )
    options = [f"columns={columns}", f"rows={rows}", f"decks=[{', '.join(decks)}]", *MODELS[part % 3]]
    options += [text for text in ("stratagems=[]", "first_player=2", "start_chips=2") if rng.random() < 0.2]
    options.append(f"castle_life={rng.integers(12, 49)}")
    compare([POLICIES[name]() for name in names], 200, 1000 + part, options, checked_every=25)


# ---------------------------------------------------------------- one seed, other ways to play it


def _play(
    names: Sequence[str | Policy],
    games: int = 60,
    seed: int = 9,
    overrides: Sequence[str] = (),
    watch: Any = None,
) -> engine.Played:
    game = fast.Kraskar(load_config("kraskar", overrides=overrides).rules, 2)
    policies = [POLICIES[name]() if isinstance(name, str) else name for name in names]
    return engine.play(
        game, policies, Luck("kraskar", seed, 0, games, np.arange(games)), np.arange(games), watch
    )


@pytest.mark.parametrize("pair", [("balanced", "hunter"), ("random", "siege"), ("defender", "defender")])
@pytest.mark.parametrize("deck", DECKS)
def test_swapping_the_seats_mirrors_the_game(pair: tuple[str, str], deck: str) -> None:
    """Equal decks, the first mover fixed: the same luck gives the same game from the other side."""
    options = [f"decks=[{deck}, {deck}]"]
    one = _play(pair, overrides=[*options, "first_player=1"])
    two = _play(pair[::-1], overrides=[*options, "first_player=2"])
    swap = np.array([0, 2, 1])
    assert (one.columns["winner"] == swap[two.columns["winner"]]).all()
    for name in ("turns", "end"):
        assert (one.columns[name] == two.columns[name]).all()
    for name in ("castle", "sieges", "retreats", "wasted"):
        assert (one.columns[name] == two.columns[name][::-1]).all(), name
    assert len(np.unique(one.columns["turns"])) > 2, "a check with one result only could not fail"


@pytest.mark.parametrize("chunk", [3, 7, 64])
def test_how_many_games_run_together_changes_nothing(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    whole = _play(["balanced", "random"])
    monkeypatch.setattr(fast, "CHUNK", chunk)
    monkeypatch.setattr(fast, "KEEP_BELOW", 1.0 if chunk == 7 else 0.0)
    parts = _play(["balanced", "random"])
    for name, values in whole.columns.items():
        assert (values == parts.columns[name]).all(), name
    for name, tally in whole.tallies.items():
        if name != "actions":
            assert (tally.counts == parts.tallies[name].counts).all(), name


def test_equal_games_have_equal_fingerprints_and_others_do_not() -> None:
    """The fingerprint tells games apart exactly as the start and the positions after every turn do."""

    class Writer:
        def __init__(self) -> None:
            self.games: dict[int, list[Any]] = {}

        def start(self, state: KraskarState) -> None:
            self.write(state, np.ones(state.over.size, np.uint8))
            self.before = state.over.copy()

        def decision(self, state: KraskarState, turn: int, decision: Decision, answer: np.ndarray) -> None:
            self.before = state.over.copy()  # the last one of the turn: before the turn may end the game

        def turn_end(self, state: KraskarState, turn: int) -> None:
            self.write(state, self.before ^ np.uint8(1))

        def write(self, state: KraskarState, which: np.ndarray) -> None:
            facts = (state.square, state.hit_points, state.castle, state.chips)
            for lane in np.flatnonzero(which):
                told = [values[..., lane].tobytes() for values in facts]
                if turn_played := int(state.length[lane]):
                    told.append(turn_played)
                else:
                    told.append(int(state.first[lane]) - 2)
                self.games.setdefault(int(state.rows[lane]), []).append(tuple(told))

    still = POLICIES["balanced"](noise=0.0)
    few, many = Writer(), Writer()
    repeated = _play([still, still], 400, overrides=["start_columns=deck", "castle_life=4"], watch=few)
    for writer, played in ((few, repeated), (many, _play(["balanced", "balanced"], 100, watch=many))):
        stories = [tuple(writer.games[row]) for row in range(len(writer.games))]
        marks = played.columns["fingerprint"].tolist()
        assert len(set(zip(stories, marks, strict=True))) == len(set(stories)) == len(set(marks))
    assert len(set(repeated.columns["fingerprint"].tolist())) < 400


def test_units_and_chips_are_conserved_at_every_step() -> None:
    """K6, K11, K13, K22: in the engine itself, at every decision and at every turn's end."""
    rules = load_config("kraskar").rules
    checks = 0

    class Watcher:
        def start(self, state: KraskarState) -> None:
            self.check(state)

        def decision(self, state: KraskarState, turn: int, decision: Decision, answer: np.ndarray) -> None:
            if decision.kind == "act":
                field = decision.view._field
                assert (field.points <= rules.movement_points).all()
                assert not (field.square[:, None] == field.foe_square[None]).any()
                assert (field.chips <= rules.chip_cap(decision.seat)).all()

        def turn_end(self, state: KraskarState, turn: int) -> None:
            self.check(state)

        def check(self, state: KraskarState) -> None:
            nonlocal checks
            checks += 1
            for seat, away in ((0, 128), (1, 192)):
                square, hit_points = state.square[seat], state.hit_points[seat]
                retreated = square == away
                assert ((square < 64) | retreated).all()
                assert ((hit_points == 0) == retreated).all()
                assert (hit_points <= rules.hit_points).all()
                assert (state.gauge[seat][~retreated] == 0).all()
                siege_row = rules.rows - 1 if seat == 0 else 0
                assert (square[~retreated] >> 3 != siege_row).all()
            assert not (state.square[0][:, None] == state.square[1][None]).any()

    _play(["balanced", "random"], 40, watch=Watcher())
    assert checks > 15


# ---------------------------------------------------------------- negative controls


class TestNegativeControls:
    """The comparison fails when the engine breaks a rule (one seeded fault a rule group)."""

    def fails(self, *options: str, policies: Sequence[str] = ("hunter", "random"), games: int = 12) -> None:
        with pytest.raises((AssertionError, IllegalChoice, StopIteration, RuntimeError)):
            compare([POLICIES[name]() for name in policies], games, 3, options)

    def test_the_control_of_the_controls(self) -> None:
        compare([POLICIES["hunter"](), POLICIES["random"]()], 12, 3)

    @pytest.mark.parametrize(
        ("rule", "module", "name", "wrap"),
        [
            ("K21", damage, "loss", lambda old: lambda rules, d, f: old(rules, d, f) + 1),
            ("R4", damage, "current_force", lambda old: lambda base, halved: old(base, halved * 0)),
            ("S", damage, "boost_rounds", lambda old: lambda rules, wit: old(rules, wit) + 1),
            ("S", damage, "weaken_rounds", lambda old: lambda rules, wit, t: old(rules, wit, t) + 1),
            ("K2", play, "_in_siege_area", lambda old: lambda f, s: old(f, s) & (s & 7 != f.tables.gate)),
            ("K15", play, "_on_board", lambda old: lambda f, s: old(f, s) & (s & 7 != 0)),
            ("R8", fast, "_clear_retreated", lambda old: lambda *args: None),
            ("K11", legal, "inside", lambda old: lambda field: old(field) * np.uint8(field.seat == 0)),
            ("K17", legal, "near", lambda old: lambda f, u, d: old(f, u, d - 1)),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_broken_function_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch, rule: str, module: Any, name: str, wrap: Callable[..., Any]
    ) -> None:
        monkeypatch.setattr(module, name, wrap(getattr(module, name)))
        self.fails()

    @pytest.mark.parametrize("cause", ["melee", "shot", "snipe", "thrust", "charge"])
    def test_k20_an_attack_that_exhausts_nobody(self, monkeypatch: pytest.MonkeyPatch, cause: str) -> None:
        monkeypatch.setitem(attacks.EXHAUSTS, cause, ())
        decks = {"charge": "decks=[Cavalry Rush, Archer Line]", "thrust": "decks=[Spear Wall, Cavalry Rush]"}
        self.fails(
            decks.get(cause, "decks=[Archer Line, Spear Wall]"), policies=("hunter", "hunter"), games=20
        )

    def test_k16_no_interception(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(play, "_intercept", lambda field, lanes, unit, hit: np.ones(lanes.size, bool))
        self.fails("decks=[Cavalry Rush, Spear Wall]", policies=("random", "hunter"))

    @pytest.mark.parametrize("name", ["_conditions_end", "_draw", "_recovery"])
    def test_the_head_of_a_turn(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        nothing = (lambda *args: iter(())) if name == "_recovery" else (lambda *args: None)
        monkeypatch.setattr(fast.Kraskar, name, nothing)
        self.fails()

    def test_k23_equal_life_is_no_win(self, monkeypatch: pytest.MonkeyPatch) -> None:
        old = fast.Kraskar._end_turn

        def first_seat_wins(self: fast.Kraskar, state: KraskarState, playing: np.ndarray) -> None:
            old(self, state, playing)
            state.winner += state.over & (state.winner == 0)

        monkeypatch.setattr(fast.Kraskar, "_end_turn", first_seat_wins)
        self.fails("turn_limit=3", policies=("random", "random"))
