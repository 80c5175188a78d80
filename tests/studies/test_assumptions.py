"""Assumptions: what is sampled, refused and drawn again; what holds, flips and drives; text and mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.config import load_config
from analyzer.config_settings import Setting
from analyzer.errors import UserError
from analyzer.stats.sensitivity import Range, latin_hypercube
from analyzer.studies import assumptions, assumptions_report, guesses
from analyzer.studies.outcomes import Outcome
from tests.toy import config as toy


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def analyze(*words: str) -> Result:
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def setting(key: str, value: Any, span: Any = None, options: Any = None, default: Any = None) -> Setting:
    return Setting(key, value, value if default is None else default, "A", span, options, "T1", "")


def guessed_config(overrides: Any = ()) -> toy.ToyConfig:
    """The toy's config with guesses: the goal, the limit of rounds (no effect), the load of seat 1."""
    mapping = isinstance(overrides, dict)
    pairs = overrides.items() if mapping else (one.split("=") for one in overrides)
    rules = toy.toy_config({"rounds": "40", **dict(pairs)}).rules
    guesses_ = (
        setting("goal", rules.goal, (20, 40), default=30),
        setting("rounds", rules.rounds, (30, 50), default=40),
        setting("load_1", rules.load_1, None, ("nothing", "Big Trunk"), default="nothing"),
        setting("load_2", rules.load_2, default="nothing"),
    )
    return toy.ToyConfig(rules, assumptions=guesses_)


@pytest.fixture
def guessed(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(
        "tests.toy.model.load_config", lambda file=None, overrides=(): guessed_config(overrides)
    )
    return dice_race


def study_of(game: str, count: int = 32, n: int = 200, **how: Any) -> assumptions.Assumptions:
    return assumptions.play(guesses.samples(game, count, 2, n, policy="gambler", **how), jobs=1)


# ---------------------------------------------------------------- what is sampled


def test_what_has_a_range_varies_and_what_the_user_set_stays(guessed: str) -> None:
    found = guesses.samples(guessed, 16, 2, 10, policy="gambler", settings={"goal": "25"})
    assert [(one.name, one.kind) for one in found.ranges] == [("rounds", "whole"), ("load_1", "choice")]
    assert found.fixed == {"goal": "set by the user", "load_2": "no plausible range is known"}
    assert {one.config.rules.goal for one in found.requests} == {25}
    assert {one.seed for one in found.requests} == {1}  # one luck everywhere


def test_samples_are_spread_evenly(guessed: str) -> None:
    found = guesses.samples(guessed, 40, 2, 10, policy="gambler")
    goals = sorted(one.config.rules.goal for one in found.requests)
    assert (goals[0], goals[-1]) == (20, 40)
    loads = [one.config.rules.load_1 for one in found.requests]
    assert loads.count("nothing") == loads.count("Big Trunk") == 20


def test_refused_combinations_are_drawn_again_and_counted() -> None:
    """Decks that cost more than is allowed are refused by the config itself."""
    found = guesses.samples("kraskar", 16, 2, 10, only="deck_cost")
    assert len(found.requests) == 16
    assert sum(found.refused.values()) > 0
    assert min(row["deck_cost"] for row in found.design.settings) >= 8
    assert len(found.fixed) > 50


def test_groups_of_cards_keep_their_plausible_shares() -> None:
    found = guesses.samples("moscow", 8, 4, 10)
    assert not any(share.outside for one in found.requests for share in one.config.shares)
    base = load_config("moscow")
    varied = {one.name for one in found.ranges}
    assert {one.key for one in base.assumptions} == varied | set(found.fixed)


# ---------------------------------------------------------------- what it finds


def test_a_load_turns_who_wins_and_drives_it(guessed: str) -> None:
    found = study_of(guessed, 48, 300)
    edge = next(one for one in found.verdicts if one.name == "seat 1: edge")
    assert edge.flips > 0 or edge.holds > 0
    told = found.drivers("seat 1: edge")
    names = found.design.names
    assert names[told.order[0]] == "load_1"
    assert told.clear[names.index("load_1")]
    assert not told.clear[names.index("rounds")]  # nobody takes so long: without any effect
    length = found.drivers("rounds")
    assert length.clear[names.index("goal")]
    assert length.effect.value[names.index("goal")] > 0
    assert length.low_end[names.index("goal")] < length.high_end[names.index("goal")]
    words = " ".join(found.study().words)
    assert "driven by load_1" in words
    assert "with 48 samples" in words.lower()


def test_a_finding_that_holds_everywhere_is_told_so(guessed: str) -> None:
    found = study_of(guessed, 16, 400, only=("goal", "rounds"), settings={"load_1": '"Big Trunk"'})
    edge = next(one for one in found.verdicts if one.name == "seat 1: edge")
    assert edge.settled
    assert (edge.sign, edge.holds, edge.words) == (-1, 16, "holds in all 16")
    words = found.study().words
    assert words[1].startswith("Every finding stands, whatever is guessed; goal moves most")
    assert words[2] == "Holds in all 16 samples: seat 1 wins less than its fair share."


def test_a_sobol_design_gives_shares_of_variance(guessed: str) -> None:
    found = study_of(guessed, 16, 100, kind="sobol")
    assert len(found.points) == 16 * 5
    told = found.drivers("rounds")
    share = dict(zip(found.design.names, told.effect.value, strict=True))
    assert share["rounds"] == pytest.approx(0.0, abs=1e-9)
    assert share["goal"] + share["load_1"] > 0.9


def test_an_assumption_without_effect_is_rarely_called_a_driver() -> None:
    """Outcomes that are nothing but noise, 30 guesses: at 5 % a driver in about one of 20 studies."""
    rng = np.random.default_rng(11)
    wrong = 0
    for trial in range(100):
        found = invented(rng.normal(size=64), 30, trial)
        wrong += bool(found.drivers("x: edge").clear.any())
    assert wrong <= 12


def test_what_the_luck_of_few_games_can_make_is_no_effect() -> None:
    """On one luck 60 games at each of two choices differ by one game and agree within: chance, no effect."""
    values = np.where(invented(np.zeros(8), 1, 1).design.points[:, 0] < 0.5, 3 / 60, 2 / 60)
    for error, clear in ((0.026, False), (0.0005, True)):
        found = invented(values, 1, 1, error)
        effect = found.drivers("x: edge").effect
        assert effect.high[0] < 0  # a regression on the samples sees no luck
        assert found.drivers("x: edge").clear.tolist() == [clear]
        assert ("moves most" in assumptions_report.headline(found)) == clear
        moved = "Over the samples chance alone moves these as much as they move: x"
        assert any(text.startswith(moved) for text in assumptions_report.words(found)) != clear


def test_what_is_unclear_as_it_is_does_not_flip() -> None:
    """As it is just above 0, clearly below in 2 of 8 samples, unclear in 6: nothing was found that turns."""
    values = np.array([0.006, 0.004, 0.005, 0.003, 0.002, 0.001, -0.3, -0.3])
    found = invented(values, 1, 1, 0.01)
    (one,) = found.verdicts
    assert (one.claim, one.settled, one.holds, one.flips, one.turns) == ("down", False, 2, 0, False)
    assert one.words == "not clear as it is; clear in 2 of 8 samples"
    assert assumptions_report.headline(found).startswith("No finding")
    # Clear both ways over the samples: that does depend on the guesses.
    (both,) = invented(np.array([0.006, 0.3, 0.3, 0.3, 0, 0, -0.3, -0.3]), 1, 1, 0.01).verdicts
    assert (both.claim, both.turns) == ("up", True)
    assert both.words == "not clear as it is; clear in 3, clear the other way in 2 of 8 samples"
    # Clear as it is: the samples turn it round.
    (turned,) = invented(np.array([0.3, 0.3, 0.3, 0.3, 0, 0, -0.3, -0.3]), 1, 1, 0.01).verdicts
    assert (turned.turns, turned.words) == (True, "holds in 4, flips in 2 of 8, unclear in 2 of 8")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "above 4, level with 4 of 8 samples"),
        (3, "above 0, level with 4 of 8 samples"),
        (4, "above 4 of 8 samples"),
        (6, "above all 8 samples"),
        (2, "below all 8 samples"),
    ],
)
def test_ties_with_the_samples_are_told_apart(value: float, text: str) -> None:
    assert assumptions_report.place(value, np.array([5.0, 3.0] * 4)) == text
    assert assumptions_report.place(value, np.full(8, value)) == "level with all 8 samples"


def test_choices_are_named_for_they_have_no_low_and_high_end() -> None:
    one = Range("who", kind="choice", choices=("scenario", "both"))
    many = Range("rounds", 3, 5, kind="whole")
    found: Any = SimpleNamespace(samples=SimpleNamespace(ranges=[one, many]))
    assert assumptions_report.ends(found, 0) == ("with scenario", "with both")
    assert assumptions_report.ends(found, 1) == ("at the low end", "at the high end")


def invented(values: np.ndarray, many: int, seed: int, error: float = 0.01) -> assumptions.Assumptions:
    ranges = [Range(f"k{i}") for i in range(many)]
    design = latin_hypercube(ranges, len(values), seed)
    base = SimpleNamespace(players=2, labels=["random"], n=60, game="toy")
    one: Any = SimpleNamespace(
        design=design, ranges=ranges, kind="latin", base=base, requests=[base] * len(values)
    )
    one.refused = {}
    half = 1.96 * error
    points = [
        [Outcome("x: edge", "x", "points", float(v), float(v) - half, float(v) + half, "up", "down")]
        for v in values
    ]
    return assumptions.Assumptions(one, points[0], points, 1.0)


def test_a_lead_is_judged_with_the_dependence_of_shares() -> None:
    rng = np.random.default_rng(3)
    n, share = 1000, np.array([0.3, 0.25, 0.25, 0.2])
    won = rng.multinomial(n, share, 4000) / n
    error = np.sqrt(share * (1 - share) / n)
    told = float(assumptions.lead_error(error[0], error[1], 4))
    assert told == pytest.approx((won[:, 0] - won[:, 1]).std(), rel=0.05)


# ---------------------------------------------------------------- the same whoever plays it, text, mistakes


def test_the_number_of_processes_changes_nothing(guessed: str) -> None:
    asked = guesses.samples(guessed, 8, 2, 40, policy="gambler")
    one, two = (assumptions.play(asked, jobs=jobs).study() for jobs in (1, 2))
    assert all(frame.equals(two.tables[name]) for name, frame in one.tables.items())
    assert one.words == two.words


def test_the_command_prints_findings_and_writes_a_page(guessed: str) -> None:
    words = ["assumptions", guessed, "--players", "2", "--policy", "gambler", "--samples", "16", "--n", "60"]
    told = analyze(*words, "--jobs", "1", "--out", "out")
    assert told.exit_code == 0, told.output
    assert "Findings over all samples" in told.output
    assert Path("out/plots/findings.png").is_file()
    assert Path("out/plots/drivers_rounds.svg").is_file()
    record = json.loads(analyze(*words, "--jobs", "1", "--no-plots", "--json").output)
    assert len(record["tables"]["samples"]) == 16
    assert record["meta"]["n"] == 17 * 60


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--only", "gaol"], "Did you mean 'goal'?"),
        (["--design", "sobl"], "Did you mean 'sobol'?"),
        (["--design", "sobol", "--samples", "12"], "power of 2"),
        (["--samples", "3"], "from 8 to"),
        (["--only", "load_2"], "no assumption to vary"),
        (["--players", "2-3"], "Which of these 2 settings?"),
    ],
)
def test_mistakes_are_told_in_one_line(guessed: str, words: list[str], text: str) -> None:
    told = analyze("assumptions", guessed, *words)
    assert told.exit_code == 2
    assert text in told.output
    assert len(told.output.strip().splitlines()) == 1


def test_what_is_never_possible_is_an_error() -> None:
    with pytest.raises(UserError, match="combinations 0 are possible"):
        guesses._latin(
            [guesses.Range("a")], 8, 1, lambda _: (_ for _ in ()).throw(UserError("no")), lambda _: ""
        )


@pytest.mark.slow
@pytest.mark.parametrize("game", ["eastfront", "kraskar", "moscow", "undaunted"])
def test_every_game_has_assumptions_to_vary(game: str) -> None:
    study = analyzer.assumptions(game, 8, 2, 8, policy="random", jobs=1)
    assert len(study.tables["samples"]) == 8
    assert study.write("out", plots=False).is_file()
