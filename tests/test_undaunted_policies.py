"""The policies of Undaunted in small positions where the priority they are named for shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analyzer.config import load_config
from analyzer.errors import UserError
from analyzer.games.base import Score
from analyzer.games.undaunted import heuristics
from analyzer.games.undaunted.field import Field
from analyzer.games.undaunted.legal import legal_plays
from analyzer.games.undaunted.policies import POLICIES
from analyzer.games.undaunted.policy_base import UndauntedPolicy
from analyzer.games.undaunted.rules import Undaunted
from analyzer.games.undaunted.state import UndauntedState
from analyzer.games.undaunted.tables import ACTIONS, OFF
from analyzer.games.undaunted.view import BidView, PlayView, TargetView
from analyzer.sim import engine
from analyzer.sim.chance import Luck
from analyzer.specs import convert_all
from analyzer.testing import check_policy

NAMED = ["rush", "firepower", "engine", "solo", "block"]
MORTAIN, CROSSING, MONTMARTIN, CRITICAL = (
    "undaunted/12-mortain",
    "undaunted/05-crossing-the-vire",
    "undaunted/02-montmartin-en-graignes",
    "undaunted/10-critical-intelligence",
)
US, DE = 0, 1


def _luck(games: int) -> Luck:
    return Luck("undaunted", 5, 0, games, np.arange(games))


def _policy(name: str, **parameters: Any) -> UndauntedPolicy:
    return POLICIES[name](**{"noise": 0.0, **parameters})


class Position:
    """One game, cleared: no counters, no markers, empty hands and piles but the supplies. US is on turn."""

    def __init__(self, scenario: str = MORTAIN, seat: int = US, supplies: bool = True) -> None:
        self.game = Undaunted(load_config(scenario).rules, 2)
        self.tables, self.seat = self.game.tables, seat
        self.state: UndauntedState = self.game.start(_luck(1))
        self.names = self.tables.board.names
        for side, rows in zip(self.tables.sides, self.state.side, strict=True):
            rows[side.away], rows[side.in_deck] = OFF, 0
            rows[side.at] = side.spawn[:, None]
            rows[side.rifle_counters] = 0
            if not supplies:
                rows[side.in_supply] = 0
        for marks in self.state.marks:
            marks[:] = 0
        self.state.score[:2] = 0

    def put(self, seat: int, tile: str, *units: str) -> Position:
        """These counters on a tile."""
        side, rows = self.tables.sides[seat], self.state.side[seat]
        for unit in units:
            place = side.units.index(unit)
            rows[side.away.start + place], rows[side.at.start + place] = 0, self.names.index(tile)
            rows[side.rifle_counters] += unit[0] == "R"
        return self

    def mark(self, seat: int, how: str, *tiles: str) -> Position:
        """Scouted or controlled markers."""
        for tile in tiles:
            self.state.marks[seat][("scouted", "controlled").index(how)] |= np.uint32(
                1 << self.names.index(tile)
            )
        return self

    def pile(self, name: str, *codes: str, seat: int | None = None) -> Position:
        """These cards into the hand, in_deck, discard, played or in_supply of the side on turn."""
        seat = self.seat if seat is None else seat
        side = self.tables.sides[seat]
        for code in codes:
            self.state.side[seat][getattr(side, name).start + side.codes.index(code)] += 1
        return self

    def target_marker(self, tile: str) -> Position:
        self.state.side[self.seat][self.tables.sides[self.seat].target] = self.names.index(tile)
        return self

    @property
    def field(self) -> Field:
        return Field(self.tables, self.state, self.seat, np.ones(1, np.uint8))

    def play(self, policy: UndauntedPolicy) -> set[tuple[str, str]]:
        """The best legal plays as (card, action)."""
        own, field = self.tables.sides[self.seat], self.field
        best = self._best(policy.play, PlayView(field, 0), legal_plays(field), own.blocks)
        return {
            (("-", *own.codes)[(own.card_of[k] + 1) % (own.types + 1)], ACTIONS[own.action_of[k]])
            for k in best
        }

    def bid(self, policy: UndauntedPolicy) -> set[str]:
        own = self.tables.sides[self.seat]
        view = BidView(self.tables, self.state, self.seat, 0, np.arange(1))
        held = (self.state.side[self.seat][own.hand] > 0).view(np.uint8)
        return {own.codes[k] for k in self._best(policy.bid, view, held, {"card": slice(None)})}

    def step(self, policy: UndauntedPolicy, unit: str, action: str, left: int = 1, stay: int = 0) -> set[str]:
        """The best tiles to step on ("stay" among them), of those beside the unit."""
        own, board, field = self.tables.sides[self.seat], self.tables.board, self.field
        here = int(field.tile[own.units.index(unit), 0])
        legal = np.append(board.neighbours[here], bool(stay)).astype(np.uint8)[:, None]
        if action in ("move", "guide"):
            marks = int(field.own_marks[0, 0] | field.own_marks[1, 0])
            legal[:-1, 0] *= np.array([marks >> tile & 1 for tile in range(board.tiles)], np.uint8)
        blocks = {"tile": slice(0, board.tiles), "stay": board.tiles}
        best = self._best(policy.step, self._target_view(unit, action, left), legal, blocks)
        return {(*self.names, "stay")[k] for k in best}

    def shoot(self, policy: UndauntedPolicy, unit: str, action: str = "attack") -> set[str]:
        foe, field = self.tables.sides[1 - self.seat], self.field
        legal = (field.foe_off == 0).view(np.uint8)
        if action == "suppress":
            legal = legal & (field.foe_down ^ np.uint8(1))
        best = self._best(policy.attack, self._target_view(unit, action), legal, {"unit": slice(None)})
        return {foe.units[k] for k in best}

    def choose(self, policy: UndauntedPolicy, kind: str, options: list[str], card: str = "PS") -> set[str]:
        """The best of some cards (bolster, inspire), or units (guide)."""
        own = self.tables.sides[self.seat]
        legal = np.array([code in options for code in own.codes] + [False], np.uint8)[:, None]
        blocks: dict[str, Any] = {"card": slice(0, own.types), "enough": own.types}
        if kind == "guide":
            legal, blocks = legal[: own.size], {"unit": slice(None)}
        facts = {"card": np.array([own.codes.index(card)]), "left": np.ones(1, np.uint8)}
        view = TargetView(self.field, 0, np.arange(1), facts)
        return {own.codes[k] for k in self._best(getattr(policy, kind), view, legal, blocks)}

    def aim_mortar(self, policy: UndauntedPolicy) -> set[str]:
        legal = np.ones((len(self.names), 1), np.uint8)
        best = self._best(policy.target, self._target_view("MO", "target"), legal, {"tile": slice(None)})
        return {self.names[k] for k in best}

    def _target_view(self, unit: str, action: str, left: int = 1) -> TargetView:
        facts = {
            "unit": np.array([self.tables.sides[self.seat].units.index(unit)]),
            "action": np.array([ACTIONS.index(action)], np.uint8),
            "left": np.array([left], np.uint8),
            "dice": np.ones(1, np.uint8),
        }
        return TargetView(self.field, 0, np.arange(1), facts)

    @staticmethod
    def _best(method: Callable[..., Any], view: Any, legal: Any, blocks: Any) -> list[int]:
        values = np.full(legal.shape, 128, np.uint8)
        view.legal = legal
        assert method(view, Score(values, blocks)) is None
        low, high = int(values.min()), int(values.max())
        assert 40 < low <= high < 216  # noise of 40 either way fits beside them
        scores = np.where(legal[:, 0] > 0, values[:, 0], 0)
        return np.flatnonzero(scores == scores.max()).tolist()


# -- the Rifleman ------------------------------------------------------------------------------------------
def _at_the_objective() -> Position:
    """RA stands on scouted 1B (2 points), an enemy two tiles away."""
    return Position().put(US, "1B", "RA").mark(US, "scouted", "1B", "10A").put(DE, "3A", "RA")


@pytest.mark.parametrize("name", NAMED)
def test_a_rifleman_controls_when_it_can(name: str) -> None:
    there = _at_the_objective().pile("hand", "RA", "SB", "PS").pile("in_deck", "RB")
    assert there.play(_policy(name)) == {("RA", "control")}


def test_a_rifleman_does_not_control_under_an_enemy_or_for_nothing() -> None:
    there = _at_the_objective().pile("hand", "RA").put(DE, "1B", "SA")
    assert there.play(_policy("solo")) == {("RA", "attack")}
    worthless = (
        Position().put(US, "10A", "RA").mark(US, "scouted", "10A").put(DE, "3A", "RA").pile("hand", "RA")
    )
    assert worthless.play(_policy("solo")) == {("RA", "attack")}


def test_a_rifleman_walks_to_its_objective_where_it_may_and_else_attacks() -> None:
    home = Position().mark(US, "controlled", "4A", "16A", "17B").put(DE, "3A", "RA").pile("hand", "RA")
    home.put(US, "12A", "RA").mark(US, "scouted", "12A", "10A", "1B")
    assert home.play(_policy("solo")) == {("RA", "move")}
    assert home.step(_policy("solo"), "RA", "move") == {"10A"}
    shut = Position().put(US, "16A", "RA").mark(US, "controlled", "4A", "16A").put(DE, "3A", "RA")
    assert shut.pile("hand", "RA").play(_policy("solo")) == {("RA", "attack")}


def test_with_a_pin_to_win_a_rifleman_stays_where_the_enemy_must_go() -> None:
    there = Position(MONTMARTIN, DE).put(DE, "1B", "RA").mark(DE, "scouted", "1B", "18B", "5B")
    there.put(US, "10B", "RA").pile("hand", "RA")
    assert there.play(_policy("solo")) == {("RA", "attack")}
    away = Position(MONTMARTIN, DE).put(DE, "18B", "RA").mark(DE, "scouted", "18B", "5B").put(US, "10B", "RA")
    assert away.pile("hand", "RA").play(_policy("solo")) == {("RA", "move")}
    assert away.step(_policy("solo"), "RA", "move") == {"5B"}


def test_solo_values_objectives_as_published() -> None:
    there = (
        Position()
        .mark(DE, "controlled", "3A", "2A")
        .mark(DE, "scouted", "5B", "1B")
        .mark(US, "controlled", "4A")
    )
    there.put(DE, "3A", "RA")  # stands on 3A, and is beside 2A
    ground = heuristics.Ground(PlayView(there.field, 0))
    worth = dict(
        zip(there.names, (ground.objectives[:, 0].astype(int) - heuristics.FLOOR).tolist(), strict=True)
    )
    prize = heuristics.PRIZE
    assert (worth["4A"], worth["12A"]) == (0, 0)  # controlled already; worth nothing
    assert (worth["7B"], worth["5B"]) == (prize + 2, prize + 2 - 1)  # half points
    assert worth["1B"] == prize + 4 - 1
    assert worth["2A"] == prize + 4 - 2
    assert worth["3A"] == prize + 4 - 4


# -- the other units ---------------------------------------------------------------------------------------
def _scout_position() -> Position:
    """SA and RA at 10A; between them and everything worth points no tile is marked."""
    there = Position().mark(US, "controlled", "4A", "16A", "17B").mark(US, "scouted", "10A")
    return there.put(US, "10A", "RA", "SA").put(DE, "3A", "RA").pile("hand", "SA", "FOW")


def test_a_scout_opens_the_path_a_rifleman_needs() -> None:
    there = _scout_position()
    assert there.play(_policy("solo")) == {("SA", "scout")}
    assert there.step(_policy("solo"), "SA", "scout", left=2) == {"1B", "5B"}  # not 12A or 13B
    there.mark(US, "scouted", "1B")
    assert there.play(_policy("solo")) == {("SA", "recon")}  # the Rifleman has its way


def _all_open() -> Position:
    """Every tile is marked: there is nothing to scout. The enemy's RA is on 11A."""
    there = Position().put(US, "10A", "RA").put(DE, "11A", "RA").pile("hand", "SA")
    return there.mark(US, "scouted", *there.names)


@pytest.mark.parametrize(
    ("tile", "fog", "played"),
    [("5B", True, "recon"), ("5B", False, "attack"), ("10A", False, "conceal")],
)
def test_a_scout_with_nothing_to_open(tile: str, fog: bool, played: str) -> None:
    there = _all_open().put(US, tile, "SA")  # total defence from 5B 4 + 1 + 1, from 10A 4 + 1 + 2
    if fog:
        there.pile("hand", "FOW")
    assert there.play(_policy("solo")) == {("SA", played)}


@pytest.mark.parametrize(
    ("tile", "enemy", "played"),
    [("10A", "11A", "attack"), ("16A", "11A", "suppress"), ("4A", "11A", "suppress"), ("4A", "18B", "move")],
)
def test_a_gunner_attacks_at_7_suppresses_at_9_and_goes_closer_at_10(
    tile: str, enemy: str, played: str
) -> None:
    there = Position().put(US, tile, "GA").put(DE, enemy, "RA").pile("hand", "GA")
    there.mark(US, "scouted", "10A", "16A", "12A", "4A")
    assert there.play(_policy("solo")) == {("GA", played)}
    if played == "move":
        assert there.step(_policy("solo"), "GA", "move") <= {"16A", "12A"}


def test_a_sniper_attacks_at_9_and_else_stalks() -> None:
    there = Position().put(US, "4A", "SN").put(DE, "11A", "RA").pile("hand", "SN")
    assert there.play(_policy("solo")) == {("SN", "attack")}
    far = Position().put(US, "4A", "SN").put(DE, "18B", "RA").pile("hand", "SN")
    assert far.play(_policy("solo")) == {("SN", "stalk")}
    assert far.step(_policy("solo"), "SN", "stalk") <= {"16A", "12A"}


def test_a_mortar_targets_where_enemies_stand_and_blasts_them() -> None:
    there = (
        Position()
        .put(US, "16A", "MO", "RA")
        .put(DE, "3A", "RA", "SA")
        .put(DE, "11A", "RB")
        .pile("hand", "MO")
    )
    assert there.play(_policy("solo")) == {("MO", "target")}
    assert there.aim_mortar(_policy("solo")) == {"3A"}
    assert there.target_marker("3A").play(_policy("solo")) == {("MO", "blast")}
    there.put(US, "3A", "RB", "SB")
    assert there.play(_policy("solo")) == {("MO", "target")}


def test_a_suppressed_unit_rallies() -> None:
    there = _at_the_objective().pile("hand", "RA")
    side = there.tables.sides[US]
    there.state.side[US][side.down.start + side.units.index("RA")] = 1
    assert there.play(_policy("solo")) == {("RA", "rally")}


# -- whom to shoot at --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("defences", "chosen"),
    [((9, 8, 7), 0), ((9, 8, 6), 2), ((9, 7, 6), 1), ((9, 7, 5), 2), ((9, 9, 9), 0), ((200, 8, 7), 1)],
)
def test_a_lower_priority_goes_first_if_it_is_2_easier_than_all_before_it(
    defences: tuple[int, int, int], chosen: int
) -> None:
    there = Position().put(US, "4A", "RA")
    ground = heuristics.Ground(PlayView(there.field, 0))
    rows = np.full((len(there.tables.sides[DE].units), 1), 200, np.uint8)
    for place, defence in enumerate(defences):
        rows[ground.order[place]] = defence
    aim, group = ground.prime(rows)
    assert (aim[0], group[0]) == (defences[chosen], chosen)


def test_whom_to_shoot_at_depends_on_what_the_enemy_needs() -> None:
    units = ("RA", "SA", "GA")
    points = Position(CROSSING, DE).put(DE, "8B", "RA").put(US, "9B", *units).pile("hand", "RA")
    assert points.shoot(_policy("solo"), "RA") == {"RA"}  # US needs points
    pin = Position(CROSSING, US).put(US, "9B", "RA").put(DE, "8B", *units).pile("hand", "RA")
    assert pin.shoot(_policy("solo"), "RA") == {"GA"}  # DE needs a pin
    side = pin.tables.sides[DE]
    pin.state.side[DE][side.down.start + side.units.index("GA")] = 1
    assert pin.shoot(_policy("solo"), "RA", "suppress") == {"RA"}


# -- command cards -----------------------------------------------------------------------------------------
def test_a_sergeant_bolsters_while_a_unit_is_short_and_else_commands() -> None:
    short = Position(supplies=False).pile("hand", "PS").pile("in_supply", "RA").pile("in_deck", "RA", "RA")
    assert short.play(_policy("solo")) == {("PS", "bolster")}
    full = Position(supplies=False).pile("hand", "PS").pile("in_supply", "RA").pile("in_deck", *["RA"] * 3)
    assert full.play(_policy("solo")) == {("PS", "command")}
    assert full.play(_policy("engine")) == {("PS", "bolster")}  # wants more cards of each


def test_bolster_takes_riflemen_first_and_what_there_is_least_of() -> None:
    there = Position(supplies=False).pile("in_supply", "RA", "RB", "SA", "GA", "SLA").pile("in_deck", "RA")
    options = ["RA", "RB", "SA", "GA", "SLA"]
    assert there.choose(_policy("solo"), "bolster", options) == {"RB"}
    assert there.choose(_policy("solo"), "bolster", options[2:]) == {"GA"}
    assert there.choose(_policy("firepower"), "bolster", options) == {"GA"}


def test_a_leader_inspires_a_rifleman_that_can_control_and_else_bolsters() -> None:
    there = _at_the_objective().pile("hand", "SLA").pile("played", "RA", "SA")
    assert there.play(_policy("solo")) == {("SLA", "inspire")}
    assert there.choose(_policy("solo"), "inspire", ["RA", "SA"], "SLA") == {"RA"}
    there.put(DE, "1B", "SA")
    assert there.play(_policy("solo")) == {("SLA", "bolster")}


def test_a_guide_brings_a_rifleman_to_its_objective_and_else_bolsters() -> None:
    there = Position(CROSSING).put(US, "5A", "RA", "SA").put(DE, "2B", "RA").pile("hand", "PG")
    there.mark(US, "scouted", "5A", "10B", "18A")
    assert there.play(_policy("solo")) == {("PG", "guide")}
    assert there.choose(_policy("solo"), "guide", ["RA", "SA"]) == {"RA"}
    assert there.step(_policy("solo"), "RA", "guide") == {"10B"}
    shut = (
        Position(CROSSING)
        .put(US, "5A", "RA")
        .put(DE, "2B", "RA")
        .pile("hand", "PG")
        .mark(US, "scouted", "5A")
    )
    assert shut.play(_policy("solo")) == {("PG", "bolster")}


# -- the bid -----------------------------------------------------------------------------------------------
def test_the_bid_is_high_with_a_decisive_card_and_else_the_least_useful() -> None:
    there = _at_the_objective().pile("hand", "RA", "SA", "SLA", "FOW")
    assert there.bid(_policy("solo")) == {"SLA"}
    there.put(DE, "1B", "SA")
    assert there.bid(_policy("solo")) == {"FOW"}
    only = _at_the_objective().pile("hand", "RA", "FOW")
    assert only.bid(_policy("solo")) == {"FOW"}  # not the Rifleman itself


# -- in the enemy's way ------------------------------------------------------------------------------------
def _threat(points: int) -> Position:
    """DE's RB is beside 1B, which it has scouted; US has RA at 10A and holds 17B."""
    there = (
        Position().mark(US, "controlled", "4A", "16A", "17B").mark(US, "scouted", "10A", "1B", "5B", "12A")
    )
    there.put(US, "12A", "GA").put(DE, "11A", "RB").mark(DE, "scouted", "5B", "11A")
    there.state.score[DE] = points
    return there.pile("hand", "GA")


def test_block_steps_onto_the_tile_the_enemy_is_about_to_control() -> None:
    there = _threat(points=0)
    assert there.play(_policy("solo")) == {("GA", "attack")}
    assert there.play(_policy("block")) == {("GA", "move")}
    assert there.step(_policy("block"), "GA", "move") == {"5B"}
    scout = Position().put(US, "12A", "SA").put(DE, "11A", "RB").mark(DE, "scouted", "5B").pile("hand", "SA")
    assert scout.play(_policy("block")) == {("SA", "scout")}
    assert scout.step(_policy("block"), "SA", "scout", left=2) == {"5B"}
    sniper = Position().put(US, "12A", "SN").put(DE, "11A", "RB").mark(DE, "scouted", "5B").pile("hand", "SN")
    assert sniper.play(_policy("solo")) == {("SN", "attack")}
    assert sniper.play(_policy("block")) == {("SN", "stalk")}


def test_block_leaves_no_tile_that_it_alone_keeps_from_the_enemy() -> None:
    there = Position().mark(US, "scouted", "10A", "1B", "5B", "12A").put(US, "5B", "RA").put(DE, "11A", "RB")
    there.mark(US, "controlled", "5B", "7B").mark(DE, "scouted", "5B").pile("hand", "RA")
    there.state.marks[US][0] &= ~np.uint32(1 << there.names.index("5B"))
    assert there.play(_policy("solo")) == {("RA", "move")}
    assert there.play(_policy("block")) == {("RA", "attack")}
    there.put(US, "5B", "SA")  # now the Scout keeps it
    assert there.play(_policy("block")) == {("RA", "move")}


def test_who_is_off_the_board_leaves_no_tile() -> None:
    """RA keeps the tile where SA would be placed; that is no reason for SA to stay away."""
    there = Position().mark(US, "controlled", "4A", "16A", "17B").mark(DE, "scouted", "16A", "12A")
    there.put(US, "16A", "RA").put(DE, "12A", "RB").pile("hand", "SA")
    assert there.play(_policy("block")) == there.play(_policy("solo")) == {("SA", "scout")}
    there.put(US, "16A", "SA")
    assert there.play(_policy("block")) == {("SA", "scout")}  # RA keeps it
    alone = Position().mark(US, "controlled", "4A", "16A", "17B").mark(DE, "scouted", "16A", "12A")
    alone.put(US, "16A", "SA").put(DE, "12A", "RB").pile("hand", "SA")
    assert alone.play(_policy("block")) == {("SA", "attack")}


def test_block_bids_high_only_where_the_enemy_is_about_to_win() -> None:
    for points, bid in ((0, "FOW"), (9, "SA")):
        there = _threat(points).pile("hand", "SA", "FOW")
        assert there.bid(_policy("block")) == {bid}
        assert there.bid(_policy("solo")) == {"FOW"}


@pytest.mark.parametrize(("radio", "bid"), [(1, "FOW"), (4, "PS")])
def test_block_counts_what_the_radio_is_worth_now(radio: int, bid: str) -> None:
    """DE has 2 points of 5 and is beside the radio of US."""
    there = (
        Position(CRITICAL).mark(US, "controlled", "6B").mark(DE, "scouted", "6B", "9B").put(DE, "9B", "RA")
    )
    there.state.score[DE], there.state.score[2] = 2, radio
    there.pile("hand", "PS", "FOW")
    assert there.bid(_policy("block")) == {bid}
    assert there.bid(_policy("solo")) == {"FOW"}


# -- what sets the named ones apart ------------------------------------------------------------------------
def test_what_goes_first() -> None:
    there = Position().mark(US, "controlled", "4A", "16A", "17B").mark(US, "scouted", "12A", "10A", "1B")
    there.put(US, "12A", "RA").put(DE, "10A", "RA").put(DE, "5B", "RB").pile("hand", "RA", "SA")
    there.put(US, "5B", "SA").mark(
        US, "scouted", "5B", "7B", "13B", "6A", "8B", "11A", "3A", "2A", "14B", "18B"
    )
    assert there.play(_policy("rush")) == {("RA", "move")}
    assert there.play(_policy("solo")) == {("RA", "move")}
    assert there.play(_policy("firepower")) == {("SA", "attack")}
    assert there.play(_policy("engine")) == {("SA", "conceal")}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_a_policy_keeps_its_contract(name: str) -> None:
    check_policy(_policy(name, noise=2.0), game="undaunted", players=2)


def _play(seats: tuple[str, str], games: int, noise: float = 2.0, *overrides: str) -> dict[str, Any]:
    game: Any = Undaunted(load_config(MORTAIN, overrides=["first_initiative=both", *overrides]).rules, 2)
    policies = [_policy(name, noise=noise) if name in NAMED else POLICIES[name]() for name in seats]
    return engine.play(game, policies, _luck(games), np.arange(games)).columns


@pytest.mark.parametrize("name", ["solo", "firepower"])
def test_the_most_noise_fits_beside_the_scores(name: str) -> None:
    assert _play((name, "block"), 20, 40.0, "round_limit=5")["plays"].min() > 0  # no score leaves its byte


@pytest.mark.parametrize("name", NAMED)
def test_a_parameter_that_would_leave_the_byte_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="200 is not allowed; 0 to 84"):
        convert_all(POLICIES[name], {"walk": "200"})
    assert convert_all(POLICIES[name], {"walk": "84"}) == {"walk": 84}


def test_noise_is_what_tells_games_apart_and_is_seeded() -> None:
    quiet, noisy = (_play(("solo", "block"), 40, noise, "round_limit=4")["plays"] for noise in (0.0, 6.0))
    assert not np.array_equal(quiet, noisy)
    assert np.array_equal(noisy, _play(("solo", "block"), 40, 6.0, "round_limit=4")["plays"])


@pytest.mark.parametrize(
    "name", ["solo", *(pytest.param(name, marks=pytest.mark.slow) for name in ("rush", "firepower", "block"))]
)
def test_each_beats_random(name: str) -> None:
    won = [
        (_play(seats, 100)["winner"] == seats.index(name) + 1).mean()
        for seats in ((name, "random"), ("random", name))
    ]
    assert np.mean(won) >= 0.9


@pytest.mark.slow
def test_block_beats_solo() -> None:
    games = 400
    won = [
        (_play(seats, games)["winner"] == seats.index("block") + 1).sum()
        for seats in (("block", "solo"), ("solo", "block"))
    ]
    assert sum(won) / (2 * games) > 0.5 + 1.96 * 0.5 / np.sqrt(2 * games)


def test_neither_side_of_the_symmetric_map_gains_by_the_order_of_tiles() -> None:
    columns = _play(("solo", "solo"), 1600)
    assert abs((columns["winner"] == 1).mean() - 0.5) < 3.5 * 0.5 / np.sqrt(1600)
    assert (columns["end"] == 4).mean() < 0.02  # the round limit
