"""Undaunted's scenarios: the twelve of the box, one of a user's own, every mistake named with its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

import analyzer
from analyzer.axes import select
from analyzer.config import check_file, config_of, find_configs, load_config
from analyzer.errors import UserError
from analyzer.games.undaunted.axes import AXES
from analyzer.games.undaunted.scenario import CODES, RIFLEMEN, SIDES, Scenario, SideName, Tile
from analyzer.sim.settings import plan

BOX = [name for name in find_configs() if name.startswith("undaunted/")]
SCENARIO = AXES[0]
Write = Callable[[str], Path]


def example() -> str:
    """The scenario of a user's own that the rules page shows."""
    page = files("analyzer.games.undaunted").joinpath("rules.md").read_text(encoding="utf-8")
    return re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[-1]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to(text: str) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return to


def scenario(name: str) -> Scenario:
    found: Scenario = load_config(name).rules.scenario
    return found


# ---------------------------------------------------------------- the box


def test_the_twelve_of_the_box() -> None:
    """Names, goals, initiative and number of tiles of the scenario book."""
    told = [
        (one.name, one.goal.US, one.goal.DE, one.initiative, len(one.tiles)) for one in map(scenario, BOX)
    ]
    assert told == [
        ("La Raye", 5, 5, "US", 12),
        ("Montmartin-en-Graignes", 1, "pin", "US", 15),
        ("Raid Across the Canal", 6, 6, "DE", 16),
        ("Behind Enemy Lines", 5, 5, "US", 17),
        ("Crossing the Vire", 2, "pin", "US", 16),
        ("Desperate Withdrawal", 1, "pin", "DE", 18),
        ("La Huberderie", 10, 10, "US", 18),
        ("Streets of Tessy-sur-Vire", 7, 7, "US", 18),
        ("Reinforcements", 1, "pin", "DE", 17),
        ("Critical Intelligence", 5, 5, "DE", 18),
        ("Hill 314", "pin", 1, "DE", 16),
        ("Mortain", 10, 10, "DE", 16),
    ]


@pytest.mark.parametrize("name", BOX)
def test_u1_distances_are_those_of_the_hex_formula(name: str) -> None:
    """U1: steps over the tiles of the map, which on all twelve maps equal the formula of the rules."""
    one = scenario(name)
    assert one.borders == "hex"
    for tile, steps in zip(one.tiles, one.distances, strict=True):
        for other, step in zip(one.tiles, steps, strict=True):
            dx, dy = other.at[0] - tile.at[0], other.at[1] - tile.at[1]
            assert step == (max(abs(dx), abs(dy)) if dx * dy >= 0 else abs(dx) + abs(dy))
    written = [sorted(map(one.names.index, tile.adj or ())) for tile in one.tiles]
    assert [list(near) for near in one.neighbours] == written


@pytest.mark.parametrize("name", BOX)
def test_each_scenario_of_the_box_says_everything_itself(name: str) -> None:
    """Nothing of one scenario leaks into another; every setting of a scenario is marked as published."""
    one = load_config(name)
    own = [setting for setting in one.settings if setting.key.startswith("scenario.")]
    assert {setting.mark for setting in own} == {"P"}
    for side in SIDES:
        cards = one.rules.scenario.cards(side)
        assert cards.deck.total >= 7
        assert cards.count("FOW") == 10
        assert set(one.rules.scenario.counters(side)) & set(RIFLEMEN)
        assert all(cards.count(unit) for unit in one.rules.scenario.counters(side))
    assert config_of(one.as_dict()).rules == one.rules
    assert hash(one.rules) == hash(load_config(name).rules)


def test_the_default_is_scenario_1() -> None:
    assert load_config("undaunted").rules == load_config(BOX[0]).rules
    assert load_config("undaunted").name == "undaunted"


def test_scenarios_1_and_3_have_equal_decks_and_12_is_symmetric() -> None:
    for name in (BOX[0], BOX[2], BOX[11]):
        assert scenario(name).decks.US == scenario(name).decks.DE


def test_mortain_is_its_own_mirror_image() -> None:
    """The mirror (x, y) -> (4 - x, y + 2 - x) swaps the sides and changes nothing else."""
    mortain = scenario(BOX[11])
    tiles = {tile.at: tile for tile in mortain.tiles}

    def look(tile: Tile, side: SideName) -> tuple[object, ...]:
        own = (getattr(part, side) for part in (tile.markers, tile.spawn, tile.counters))
        return tile.cover, tile.points, tile.hill, *own

    for (x, y), tile in tiles.items():
        for side, other in (SIDES, SIDES[::-1]):
            assert look(tile, side) == look(tiles[4 - x, y + 2 - x], other)


def test_u30_only_scenario_10_has_a_radio_and_hills_are_the_four_hill_tiles() -> None:
    radios = {one.name: [t.name for t in one.tiles if t.radio] for one in map(scenario, BOX)}
    assert {name: found for name, found in radios.items() if found} == {"Critical Intelligence": ["6B"]}
    hills = {tile.name for one in map(scenario, BOX) for tile in one.tiles if tile.hill}
    assert hills == {"2A", "9A", "16A"}
    assert any(tile.cover == 3 and not tile.hill for tile in scenario(BOX[0]).tiles)


# ---------------------------------------------------------------- the axis


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("1", [1]),
        (12, [12]),
        ("la-raye", [1]),
        ("La Raye", [1]),
        ("1 la raye", [1]),
        ("01-la-raye", [1]),
        ("hill-314", [11]),
        ("1,3-5", [1, 3, 4, 5]),
        (["mortain", "2"], [12, 2]),
        ("all", list(range(1, 13))),
    ],
)
def test_a_scenario_is_asked_for_by_number_or_name(wanted: object, numbers: list[int]) -> None:
    found = select(SCENARIO, wanted, load_config("undaunted"))
    assert [int(name.partition(" ")[0]) for (name,) in found] == numbers


def test_a_wrong_scenario_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"no 'mortan'\. Did you mean '12 Mortain'"):
        select(SCENARIO, "mortan", load_config("undaunted"))


def test_the_axis_chooses_the_config() -> None:
    asked = plan("undaunted", 2, 10, axes={"scenario": "2"})
    assert not asked.many
    assert asked.only.config.name == BOX[1]
    assert (asked.only.config.rules.pin_ends_game, asked.only.config.rules.first_initiative) == (
        "always",
        "scenario",
    )


def test_several_scenarios_come_with_both_pins_and_both_first_sides() -> None:
    asked = plan("undaunted", 2, 10, axes={"scenario": "2,12"})
    found = [
        (one.config.rules.scenario.name, one.config.rules.pin_ends_game, one.config.rules.first_initiative)
        for one in asked.requests
    ]
    names = ("Montmartin-en-Graignes", "Mortain")
    assert found == [(name, pin, "both") for name in names for pin in ("always", "goal")]
    assert asked.settings[3].name == "12 Mortain · pin goal"
    moved = plan("undaunted", 2, 10, settings=["pin_ends_game=goal"], axes={"scenario": "2,12"})
    assert {one.config.rules.pin_ends_game for one in moved.requests} == {"goal"}
    one_way = plan(
        "undaunted", axes={"scenario": "all", "pin_ends_game": "goal", "first_initiative": "scenario"}
    )
    assert [one.config.rules.first_initiative for one in one_way.requests] == ["scenario"] * 12


def test_show_tells_the_scenarios_and_the_settings_of_one() -> None:
    from click.testing import CliRunner

    from analyzer import cli

    told = CliRunner().invoke(cli.main, ["show", "undaunted", "--scenario", "crossing-the-vire"])
    assert told.exit_code == 0, told.output
    assert "--scenario: 1 La Raye, 2 Montmartin-en-Graignes, 3 Raid" in told.output
    assert "Crossing the Vire" in told.output
    wrong = CliRunner().invoke(cli.main, ["run", "undaunted", "--scenario", "crosing-the-vire"])
    assert wrong.exit_code == 2
    assert "Did you mean '5 Crossing the Vire'" in wrong.output + (wrong.stderr or "")


# ---------------------------------------------------------------- one of a user's own


def test_the_example_of_the_rules_page(write: Write) -> None:
    path = write(example())
    assert check_file(path) == []
    config = load_config("undaunted", path)
    one = config.rules.scenario
    assert (one.name, len(one.tiles), one.borders) == ("Crossroads", 7, "hex")
    middle = one.names.index("Crossroads")
    assert [one.names[i] for i in one.neighbours[middle]] == ["Farm", "Lane", "Wood", "Ditch", "Mill", "Barn"]
    assert one.spawns("DE") == dict.fromkeys(("RA", "SA", "GA"), one.names.index("Barn"))
    assert one.cards("US").supply.model_dump() == {
        **dict.fromkeys(CODES, 0), "RA": 3, "SA": 2, "GA": 3, "FOW": 5
    }  # fmt: skip
    assert config_of(config.as_dict()).rules == config.rules


def test_the_example_is_played(write: Write) -> None:
    """Both sides win some of its games, and the report names its tiles."""
    results = analyzer.run("undaunted", n=60, jobs=1, config=write(example()), policy="greedy")
    assert set(results.games["winner"]) >= {1, 2}
    assert set(results.tallies["control"]["tile"]) == set(ADJ)
    assert "Crossroads" in results.summary()


def test_a_deck_may_be_a_group_as_well(write: Write) -> None:
    text = example().replace("[PS, SLA, 2 RA, SA, FOW]", "{PS: 1, SLA: 1, RA: 2, SA: 1, FOW: 1}")
    assert load_config("undaunted", write(text)).rules == load_config("undaunted", write(example())).rules


def test_borders_as_written(write: Write) -> None:
    """A wall between Farm and Crossroads: two steps, though the places touch."""
    near = {
        "Farm": "[Lane, Wood]", "Lane": "[Farm, Crossroads, Mill]", "Wood": "[Farm, Crossroads, Ditch]",
        "Crossroads": "[Lane, Wood, Ditch, Mill, Barn]", "Ditch": "[Wood, Crossroads, Barn]",
        "Mill": "[Lane, Crossroads, Barn]", "Barn": "[Crossroads, Ditch, Mill]",
    }  # fmt: skip
    text = example()
    for name, adj in near.items():
        text = text.replace(f"name: {name},", f"name: {name}, adj: {adj},")
    path = write(text.replace("  tiles:", "  borders: written\n  tiles:"))
    one = load_config("undaunted", path).rules.scenario
    assert one.distances[0] == (0, 1, 1, 2, 2, 2, 3)
    path = write(text)
    with pytest.raises(UserError) as caught:
        load_config("undaunted", path)
    line = text[: text.index("name: Farm")].count("\n") + 1
    assert str(caught.value).splitlines() == [
        f"{path}, line {line}, key 'scenario.tiles.Farm.adj': Farm at [0, 0] does not name Crossroads at "
        "[1, 1], which touches it (U1); `borders: written` would allow it.",
        f"{path}, line {line + 3}, key 'scenario.tiles.Crossroads.adj': Crossroads at [1, 1] does not name "
        "Farm at [0, 0], which touches it (U1); `borders: written` would allow it.",
    ]


def test_a_few_places_of_a_scenario_of_the_box(write: Write) -> None:
    path = write("base: undaunted/05-crossing-the-vire\nscenario: {goal: {US: 1}, tiles: {5A: {cover: 2}}}\n")
    one, was = load_config("undaunted", path).rules.scenario, scenario("undaunted/05-crossing-the-vire")
    assert (one.goal.US, was.goal.US) == (1, 2)
    changed = [new.name for new, old in zip(one.tiles, was.tiles, strict=True) if new != old]
    assert changed == ["5A"]


# ---------------------------------------------------------------- mistakes

ADJ = {
    "Farm": "Lane, Wood, Crossroads", "Lane": "Farm, Crossroads, Mill", "Wood": "Farm, Crossroads, Ditch",
    "Crossroads": "Farm, Lane, Wood, Ditch, Mill, Barn", "Ditch": "Wood, Crossroads, Barn",
    "Mill": "Lane, Crossroads, Barn", "Barn": "Crossroads, Ditch, Mill",
}  # fmt: skip


def with_neighbours(text: str) -> str:
    for name, adj in ADJ.items():
        text = text.replace(f"name: {name},", f"name: {name}, adj: [{adj}],")
    return text


MISTAKES = {
    "asymmetric": (
        "adj: [Wood, Crossroads, Barn]",
        "adj: [Crossroads, Barn]",
        "Wood",
        "Wood names Ditch as its neighbour, but Ditch does not name Wood",
    ),
    "not touching": (
        "name: Lane, adj: [Farm,",
        "name: Lane, adj: [Barn, Farm,",
        "Lane",
        "Lane names Barn as its neighbour, but Barn does not name Lane",
    ),
    "neighbour of itself": (
        "name: Lane, adj: [Farm,",
        "name: Lane, adj: [Lane, Farm,",
        "Lane",
        "Lane names itself as its neighbour",
    ),
    "neighbour twice": (
        "name: Lane, adj: [Farm,",
        "name: Lane, adj: [Farm, Farm,",
        "Lane",
        "Lane names Farm twice as its neighbour",
    ),
    "one without neighbours": (
        "adj: [Crossroads, Ditch, Mill], ",
        "",
        "Barn",
        "Barn names no neighbours (`adj`); every tile of this map must",
    ),
    "unknown tile": (
        "adj: [Wood, Crossroads, Barn]",
        "adj: [Woods, Crossroads, Barn]",
        "Ditch",
        "Ditch names 'Woods' as its neighbour; there is no such tile. Did you mean 'Wood'? Tiles: Farm,",
    ),
    "two of a name": ("name: Mill", "name: Barn", "Barn", "there are two tiles Barn"),
    "two at a place": ("at: [2, 1]", "at: [2, 2]", "Barn", "Barn lies at [2, 2], where Mill is"),
    "cover": (
        "name: Mill, adj: [Lane, Crossroads, Barn], at: [2, 1], cover: 1",
        "name: Mill, at: [2, 1], cover: 4",
        "Mill",
        "4 is not allowed; a whole number from 0 to 3",
    ),
    "hill": (
        "cover: 1, points: 1}\n    - {name: Barn",
        "cover: 1, hill: true, points: 1}\n    - {name: Barn",
        "Mill",
        "Mill is a hill with cover 1; a hill has 3 (U3)",
    ),
    "points": ("points: 2", "points: 10", "Crossroads", "10 is not allowed; a whole number from 0 to 9"),
    "both control": (
        "points: 2",
        "points: 2, markers: {US: controlled, DE: controlled}",
        "Crossroads",
        "both sides control Crossroads; only one can (U4)",
    ),
    "a wrong marker": (
        "{US: scouted}",
        "{US: scoutd}",
        "Farm",
        "'scoutd' is not allowed; one of 'scouted', 'controlled'",
    ),
    "two radios": (
        "points: 1}",
        "points: 1, radio: true}",
        "Wood",
        "Wood is a second radio; a map has one at most (U30)",
    ),
    "unit without spawn": (
        "spawn: {US: [A]}",
        "spawn: {US: [RA, SA]}",
        "supply:",
        "US has GA cards, but no tile has spawn: {US: [GA]} (U9)",
    ),
    "two spawns": (
        "cover: 0, points: 2}",
        "cover: 0, points: 2, spawn: {US: [RA]}}",
        "Crossroads",
        "US's RA has its spawn on Farm and on Crossroads; a unit has one",
    ),
    "spawn twice": (
        "spawn: {US: [A]}",
        "spawn: {US: [A, SA]}",
        "Farm",
        "US's SA has its spawn on Farm, twice; a unit has one",
    ),
    "unknown unit": (
        "spawn: {US: [A]}",
        "spawn: {US: [A, SNI]}",
        "Farm",
        "'SNI' is no unit. Did you mean 'SN'? Units here: A, B, C, RA,",
    ),
    "a squad as a counter": ("counters: {US: [RA, SA]}", "counters: {US: [A]}", "Farm", "'A' is no unit."),
    "counter without cards": (
        "counters: {US: [RA, SA]}",
        "counters: {US: [RA, SB]}",
        "Farm",
        "US's counter SB stands on Farm, but US has no SB card",
    ),
    "counter twice": (
        "cover: 0, points: 2}",
        "cover: 0, points: 2, counters: {US: [RA]}}",
        "Crossroads",
        "US's counter RA stands on Farm and on Crossroads; there is one",
    ),
    "more than the box": (
        "supply: [3 RA,",
        "supply: [4 RA,",
        "supply:",
        "US has 6 RA in deck and supply; the box holds 5 a side",
    ),
    "no such card": ("supply: [3 RA,", "supply: [3 RD,", "supply:", "'3 RD' is no card. Cards: RA,"),
    "no card": ("deck:   [PS, SLA, 2 RA, SA, FOW]", "deck:   []", "deck:", "US begins without a card"),
    "goal too high": (
        "goal: {US: 4",
        "goal: {US: 7",
        "goal:",
        "US cannot reach 7 points: the tiles of the map hold 6 together",
    ),
    "goal without Riflemen": (
        "2 RA, SA, FOW]\n      supply: [3 RA,",
        "SA, FOW]\n      supply: [",
        "goal:",
        "US cannot reach 4 points: only Riflemen control tiles, and it has none (U18)",
    ),
    "goal reached": (
        "cover: 0, points: 2}",
        "cover: 0, points: 5, markers: {US: controlled}}",
        "goal:",
        "US begins with 5 of the 4 points it needs; the game is over at once",
    ),
    "pin of nobody": (
        "DE: 4}",
        "DE: pin}",
        "goal:",
        "DE must pin US, which begins without a Rifleman on the map (U27)",
    ),
    "goal of another kind": (
        "goal: {US: 4",
        "goal: {US: pinn",
        "goal:",
        "'pinn' is not allowed; a whole number of points from 1 to 100, or 'pin'",
    ),
    "initiative": (
        "initiative: US",
        "initiative: UK",
        "initiative:",
        "'UK' is not allowed; one of 'US', 'DE'",
    ),
    "a misspelt key": ("cover: 0, points: 2}", "cover: 0, point: 2}", "Crossroads", "Did you mean 'points'?"),
    "no goal": ("  goal: {US: 4, DE: 4}", "", "scenario:", "missing; a group of settings (US, DE)"),
}
"""name -> (what stands there, what is put in its place, what the named line holds, what is said)."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_with_file_line_and_reason(write: Write, name: str) -> None:
    old, new, line_holds, said = MISTAKES[name]
    text = re.sub(r" +#.*", "", with_neighbours(example()) if "adj:" in old else example())
    if name == "pin of nobody":
        text = text.replace("counters: {US: [RA, SA]}", "counters: {US: [SA]}")
    assert old in text
    text = text.replace(old, new, 2 if name == "two radios" else 1)
    path = write(text)
    with pytest.raises(UserError) as caught:
        load_config("undaunted", path)
    told = [line for line in str(caught.value).splitlines() if said in line]
    assert told, str(caught.value)
    found = re.match(rf"{re.escape(str(path))}, line (\d+), key 'scenario", told[0])
    assert found, told
    assert line_holds in text.splitlines()[int(found[1]) - 1]
