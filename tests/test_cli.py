"""The command line: what it prints, what it refuses, its exit codes; never a traceback for a mistake."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

import analyzer
from analyzer import cli
from analyzer.errors import UserError
from analyzer.sim import crew

ROOT = Path(__file__).parents[1]
SPRINTER = '''
from analyzer.games.moscow.policies import MoscowPolicy


class Sprinter(MoscowPolicy):
    """Drive on whenever the road is free; fight at two chances in three; hinder whoever leads."""

    courage: float = 2 / 3

    def act(self, view, score):
        score.advance += view.km_of_card
        score.fight += 200 * (view.fight_odds >= self.courage)
        score.attack += 900 * (view.moscow_odds >= self.courage)
        score.army += 50
'''


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def analyze(*words: str) -> Result:
    """The command with these words; a traceback is never right."""
    result = CliRunner().invoke(cli.main, list(words))
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def small(*words: str) -> list[str]:
    return ["run", "moscow", "--players", "2", "--n", "40", "--jobs", "1", "--no-plots", *words]


# ---------------------------------------------------------------- run


def test_run_prints_tables_words_and_the_path_of_the_report() -> None:
    result = analyze(*small())
    assert result.exit_code == 0, result.output
    for word in ("Win rate by seat", "95 % interval", "fair share", "Moscow falls", "Report: ", "games/s"):
        assert word in result.output
    page = Path(re.search(r"Report: (.*)", result.output)[1])  # type: ignore[index]
    assert page.is_file()
    assert page.parent.parent.resolve() == Path("reports").resolve()
    assert re.fullmatch(r"moscow-2p-[0-9a-f]{10}", page.parent.name)


def test_the_same_run_goes_to_the_same_folder_and_another_to_another() -> None:
    analyze(*small())
    analyze(*small())
    assert len(list(Path("reports").iterdir())) == 1
    analyze(*small("--seed", "2"))
    assert len(list(Path("reports").iterdir())) == 2


def test_the_command_and_the_api_give_the_same_numbers() -> None:
    result = analyze(*small("--policies", "racer,balanced:courage=0.5,noise=3", "--out", "x"))
    assert result.exit_code == 0, result.output
    api = analyzer.run("moscow", n=40, policies=["racer", "balanced:courage=0.5,noise=3"], jobs=1)
    loaded = analyzer.load("x")
    pd.testing.assert_frame_equal(loaded.win_rates(["seat", "policy"]), api.win_rates(["seat", "policy"]))
    assert api.rotations == [
        ["racer", "balanced:noise=3.0,courage=0.5"],
        ["balanced:noise=3.0,courage=0.5", "racer"],
    ]


def test_json_is_all_that_is_printed() -> None:
    result = CliRunner().invoke(cli.main, small("--json", "--set", "moscow_strength=30"))
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["meta"]["n"] == 40
    assert told["meta"]["config"]["moscow_strength"] == 30
    assert [row["seat"] for row in told["win_rates"]] == [1, 2]
    assert all(isinstance(rows, list) for rows in told["tables"].values())
    assert Path(told["report"]).parent.joinpath("run.json").is_file()
    assert "outside" in result.stderr


@pytest.mark.parametrize(("text", "n"), [("1e2", 100), ("1_00", 100), ("100", 100), ("1.2e2", 120)])
def test_numbers_may_be_written_in_several_ways(text: str, n: int) -> None:
    result = CliRunner().invoke(cli.main, [text if word == "40" else word for word in small("--json")])
    assert json.loads(result.stdout)["meta"]["n"] == n


def test_a_policy_file_from_outside_the_project_in_two_workers(tmp_path: Path) -> None:
    """As a user does it: another folder, a real process, workers that start whatever it costs."""
    (tmp_path / "mine.py").write_text(SPRINTER)
    code = (
        "import sys\nfrom analyzer.sim import crew, workers\nfrom analyzer.cli import main\n"
        "crew.SHORT = 0\nworkers.WORTH_START = 0.0\nsys.argv[0] = 'analyze'\nmain()"
    )
    words = ["run", "moscow", "--policies", "mine.py:Sprinter:courage=0.5,balanced", "--players", "2"]
    told = {}
    for jobs in ("1", "2"):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                code,
                *words,
                "--n=64",
                "--block=8",
                "--json",
                "--no-plots",
                "--jobs",
                jobs,
            ],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        told[jobs] = json.loads(done.stdout)
    assert told["1"]["tables"] == told["2"]["tables"]
    assert told["1"]["meta"]["rotations"][0] == ["Sprinter:courage=0.5", "balanced"]


def test_ctrl_c_tells_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    really = crew.play_block
    calls: list[int] = []

    def play(job: Any, block: Any) -> Any:
        calls.append(block.number)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return really(job, block)

    monkeypatch.setattr(crew, "play_block", play)
    result = analyze(*small("--block", "10", "--out", "x"))
    assert result.exit_code == 130
    assert "20 games finished so far are in x" in result.stderr
    assert json.loads(Path("x/run.json").read_text())["kind"] == "partial"


def test_a_fault_of_ours_is_exit_1_with_a_short_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("we were wrong")

    monkeypatch.setattr(crew, "play_block", fail)
    result = analyze(*small())
    assert result.exit_code == 1
    assert "fault of the program (RuntimeError: we were wrong)" in result.stderr
    assert "analyze --debug" in result.stderr
    assert not Path("reports").exists() or not list(Path("reports").iterdir())
    with pytest.raises(RuntimeError):
        CliRunner().invoke(cli.main, ["--debug", *small()], catch_exceptions=False)


# ---------------------------------------------------------------- bad input

BAD = [
    (["run", "mosocw"], "Did you mean 'moscow'"),
    (["run", "moscow", "--players", "9"], "1 to 6 players"),
    (["run", "moscow", "--players", "0"], "1 to 6 players"),
    (["run", "moscow", "--players", "x"], "1 to 6 players, not x"),
    (["run", "moscow", "--policy", "balancd"], "Did you mean 'balanced'"),
    (["run", "moscow", "--policy", "balanced:courag=1"], "Did you mean 'courage'"),
    (["run", "moscow", "--policy", "balanced:courage=high"], "not a number"),
    (["run", "moscow", "--policy", "balanced:whom=leadr"], "Did you mean 'leader'"),
    (["run", "moscow", "--policy", "no/such.py:X"], "cannot be read"),
    (["run", "moscow", "--policies", "racer,random,balanced", "--players", "4"], "give 1 or 2 or 4"),
    (["run", "moscow", "--policies", "racer,,random"], "empty place"),
    (["run", "moscow", "--policy", "racer", "--policies", "racer"], "not both"),
    (["run", "moscow", "--set", "moscow_strenght=14"], "moscow_strength"),
    (["run", "moscow", "--set", "moscow_strength=many"], "moscow_strength"),
    (["run", "moscow", "--set", "moscow_strength"], "key=value"),
    (["run", "moscow", "--config", "nowhere.yaml"], "nowhere.yaml"),
    (["run", "moscow", "--n", "0"], "from 1 to 1,000,000,000"),
    (["run", "moscow", "--n", "-5"], "from 1 to"),
    (["run", "moscow", "--n", "1e12"], "from 1 to"),
    (["run", "moscow", "--n", "1.5"], "whole number"),
    (["run", "moscow", "--n", "nan"], "whole number"),
    (["run", "moscow", "--n", "many"], "whole number"),
    (["run", "moscow", "--jobs", "0"], "from 1 to"),
    (["run", "moscow", "--block", "0"], "from 1 to"),
    (["run", "moscow", "--block", "-1"], "from 1 to"),
    (["run", "moscow", "--seed", "-1"], "from 0 to"),
    (["run", "moscow", "--sed", "1"], "--seed"),
    (["show", "moskow"], "Did you mean 'moscow'"),
    (["replay", "moscow"], "--game"),
    (["replay", "moscow", "--game", "-1"], "from 0 to"),
    (["check", "nowhere.yaml"], "nowhere.yaml"),
    (["check", "nothing.py:X", "--game", "moscow"], "cannot be read"),
    (["rum"], "rum"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_exit_2_with_the_right_word(words: list[str], said: str) -> None:
    result = analyze(*words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    "words", [["--n", "0"], ["--out", ""], ["--out", " "], ["--jobs", "x"], ["--set", "opening_hnad=3"]]
)
def test_bad_values_are_told_in_one_line(words: list[str]) -> None:
    result = analyze("run", "moscow", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert list(Path().iterdir()) == []


def test_an_empty_folder_name_is_refused_from_python_too() -> None:
    with pytest.raises(UserError, match="no folder"):
        analyzer.run("moscow", n=1, out="")


CONFIGS = [
    ("game: moscow\nopening_hand: six\n", ["bad.yaml", "2", "opening_hand"]),
    ("game: moscow\n\ncards:\n  red_general: {count: -1}\n", ["bad.yaml", "4", "red_general"]),
    ("game: moscow\nopening_hnad: 6\n", ["bad.yaml", "opening_hand"]),
    ("game: moskow\n", ["bad.yaml", "moscow"]),
    ("game: moscow\n  bad: [\n", ["bad.yaml"]),
]


@pytest.mark.parametrize(("text", "said"), CONFIGS)
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_bad_config_is_told_with_file_line_and_key(text: str, said: list[str], command: str) -> None:
    Path("bad.yaml").write_text(text)
    result = (
        analyze("check", "bad.yaml")
        if command == "check"
        else analyze("run", "moscow", "--config", "bad.yaml")
    )
    assert result.exit_code == 2, result.output
    for word in said:
        assert word in result.stderr


def test_a_deck_too_small_to_deal_is_refused() -> None:
    Path("small.yaml").write_text(
        "game: moscow\ncards:\n  advance: [{km: 50, count: 5}]\n  division: [{strength: 2, count: 5}]\n"
    )
    sets = [
        f"cards.{name}.count=0"
        for name in ("time", "out_of_supply", "reorganise", "great_river", "red_general")
    ]
    words = [word for one in sets for word in ("--set", one)]
    result = analyze(
        "run", "moscow", "--players", "6", "--config", "small.yaml", *words, "--set", "opening_hand=7"
    )
    assert result.exit_code == 2, result.output
    assert "too small" in result.stderr or "at least" in result.stderr


SMALL_DECK = """game: moscow
cards:
  red_general: {count: 0}
  great_river: {count: 0}
  reorganise: {count: 0}
  out_of_supply: {count: 0}
  time: {count: 1}
  hitler_order:
    {km: {amount: 200, count: 0}, division_1: {count: 0}, division_2: {count: 0}, general: {count: 0}}
  advance: [{km: 50, count: ADVANCES}]
  red_army: [{strength: 4, km: 50, count: 1}]
  division: [{strength: 2, count: 1}]
  luftwaffe: [{strength: 2, count: 1}]
  german_general: [{strength: 3, count: 1}]
"""


def test_check_says_which_numbers_of_players_a_deck_does_not_serve() -> None:
    Path("small.yaml").write_text(SMALL_DECK.replace("ADVANCES", "15"))
    result = analyze("check", "small.yaml")
    assert result.exit_code == 0, result.output
    refused = [line for line in result.stdout.splitlines() if line.startswith("warning: not for")]
    assert [line.split(":")[1] for line in refused] == [f" not for {k} players" for k in (3, 4, 5, 6)]
    assert "A deck of 20 cards is too small for 3 players" in refused[0]
    Path("tiny.yaml").write_text(SMALL_DECK.replace("ADVANCES", "0"))
    result = analyze("check", "tiny.yaml")
    assert result.exit_code == 2
    assert "not for 1 player: A deck of 5 cards is too small" in result.stderr
    assert "not for" not in analyze("check", str(ROOT / "configs" / "moscow.yaml")).output


@pytest.mark.parametrize(
    "body", ["raise ValueError('no idea')", "return view.hand[0] * 0 + 200", "return None, 1"]
)
def test_a_faulty_policy_is_named_with_seat_decision_and_game(body: str) -> None:
    Path("bad.py").write_text(
        "from analyzer.games.moscow.policies import MoscowPolicy\n\n\nclass Bad(MoscowPolicy):\n"
        f"    def act(self, view, score):\n        {body}\n"
    )
    result = analyze(*small("--policies", "balanced,bad.py:Bad"))
    assert result.exit_code == 2
    assert re.search(r"Bad \(seat \d\).*decision 'act'.*game \d+", result.stderr)


UNSTEADY = {
    "the global generator": "score.advance += np.random.random(score.advance.shape)",
    "a generator of its own": "score.advance += np.random.default_rng().random(score.advance.shape)",
    "the random module": "score.advance += random.random()",
    "a memory": "SEEN.append(1)\n        score.advance += len(SEEN)",
}


@pytest.mark.parametrize("body", UNSTEADY.values(), ids=list(UNSTEADY))
def test_a_policy_that_answers_one_question_in_two_ways_is_refused_before_play(body: str) -> None:
    Path("moody.py").write_text(
        "import random\n\nimport numpy as np\n\nfrom analyzer.games.moscow.policies import MoscowPolicy\n\n"
        "SEEN = []\n\n\nclass Moody(MoscowPolicy):\n"
        f"    def act(self, view, score):\n        {body}\n"
    )
    result = analyze(*small("--policies", "balanced,moody.py:Moody"))
    assert result.exit_code == 2, result.output
    assert "Policy Moody answers the same question (decision 'act') differently" in result.stderr
    assert not Path("out").exists()


def test_steady_policies_with_noise_are_not_suspected() -> None:
    Path("sprinter.py").write_text(SPRINTER)
    assert analyze(*small("--policy", "sprinter.py:Sprinter:noise=20")).exit_code == 0


def test_a_policy_that_draws_from_the_games_own_luck_is_not_suspected() -> None:
    Path("dicer.py").write_text(
        "from analyzer.games.moscow.policies import Random\n\n\nclass Dicer(Random):\n"
        '    """Uniform play through `view.draw`."""\n'
    )
    assert analyze(*small("--policy", "dicer.py:Dicer")).exit_code == 0


def test_an_output_folder_that_holds_something_else_is_refused_before_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years of work")
    monkeypatch.setattr(crew, "play_block", None)
    result = analyze(*small("--out", "mine"))
    assert result.exit_code == 2
    assert "holds something else (thesis.txt)" in result.stderr
    result = analyze(*small("--out", "mine/thesis.txt"))
    assert (result.exit_code, "is a file" in result.stderr) == (2, True)
    result = analyze(*small("--out", "mine/thesis.txt/x"))
    assert (result.exit_code, "cannot be written" in result.stderr) == (2, True)


# ---------------------------------------------------------------- the other commands


def test_help_names_every_command_and_gives_examples() -> None:
    result = analyze("--help")
    assert result.exit_code == 0
    for command in ("run", "list", "show", "check", "replay"):
        assert re.search(rf"^  {command} ", result.output, re.M)
        told = analyze(command, "--help")
        assert told.exit_code == 0
    examples = re.findall(r"^    (analyze .+)$", result.output, re.M)
    assert len(examples) == len(set(examples)) > 5
    for option in (
        "--players",
        "--policy",
        "--policies",
        "--set",
        "--config",
        "--seed",
        "--block",
        "--n",
        "--jobs",
    ):
        assert option in analyze("run", "--help").output
    assert "Examples:" in analyze("run", "--help").output


def test_version() -> None:
    assert analyzer.__version__ in analyze("--version").output


def test_list_names_games_and_policies() -> None:
    result = analyze("list")
    assert result.exit_code == 0
    for word in ("moscow", "1 to 6 players", "balanced", "courage=", "noise="):
        assert word in result.output


def test_show_tells_settings_with_marks_and_ranges() -> None:
    result = analyze("show", "moscow", "--set", "moscow_strength=14")
    assert result.exit_code == 0
    row = next(line for line in result.output.splitlines() if " moscow_strength " in line)
    assert re.search(r"14 .* 15 .* A .* 12 to 20 .* M21", row)
    told = analyze("show", "moscow", "--json", "--set", "moscow_strength=14", "--set", "boosts=add").output
    rows = {row["key"]: row for row in json.loads(told)}
    strength = rows["moscow_strength"]
    assert (strength["value"], strength["default"], strength["range"]) == (14, 15, [12, 20])
    assert (strength["mark"], strength["rule"], strength["moved"], strength["outside"]) == (
        "A",
        "M21",
        True,
        False,
    )
    assert rows["boosts"]["options"] == ["multiply", "add"]
    assert rows["army_on_self"]["value"] is False


def test_show_tells_what_a_policy_may_use() -> None:
    told = analyze("show", "moscow", "--policy-api").output
    for word in (
        "act(view, score)",
        "discard(view, score)",
        "fight_odds: float32",
        "Blocks: advance",
        "noise = 0.0",
    ):
        assert word in told


def test_check_accepts_what_is_right() -> None:
    Path("mine.yaml").write_text("game: moscow\nmoscow_strength: 25\n")
    result = analyze("check", "mine.yaml")
    assert result.exit_code == 0
    assert "is right" in result.output
    assert "outside the plausible" in result.output
    Path("mine.py").write_text(SPRINTER)
    result = analyze("check", "mine.py:Sprinter", "--game", "moscow")
    assert (result.exit_code, "is right for moscow" in result.output) == (0, True)


def test_replay_tells_the_game_in_words_and_as_json() -> None:
    analyze(*small("--out", "x", "--seed", "4"))
    row = analyzer.load("x").games.set_index("game").loc[7]
    words = ["replay", "moscow", "--players", "2", "--seed", "4", "--game", "7"]
    told = analyze(*words)
    assert told.exit_code == 0
    assert told.output.startswith("Game 7 of moscow, seed 4")
    lines = [json.loads(line) for line in analyze(*words, "--json").output.splitlines()]
    assert lines[-1]["turns"] == row["turns"]
    assert lines[-1]["winner"] == row["winner"]


def test_a_run_that_is_there_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "run"
    words = ["run", "moscow", "--n", "50", "--jobs", "1", "--no-plots", "--out", str(out)]
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    (out / "report.html").unlink()
    monkeypatch.setattr(crew, "play_block", None)
    again = CliRunner().invoke(cli.main, words)
    assert again.exit_code == 0
    assert "Nothing was played: 50 games were there already. The report was made anew." in again.output
    assert (out / "report.html").is_file()


def test_the_default_block_is_the_games_own() -> None:
    from analyzer.games.eastfront.model import BLOCK
    from analyzer.sim.request import DEFAULT_BLOCK, build

    told = " ".join(CliRunner().invoke(cli.main, ["run", "--help"]).output.split())
    assert f"[default: mostly {DEFAULT_BLOCK}]" in told
    assert build("moscow").block == DEFAULT_BLOCK
    assert build("eastfront").block == BLOCK != DEFAULT_BLOCK
    assert build("eastfront", block=70).block == 70


def test_a_policy_that_leaves_the_program_is_a_policy_error(tmp_path: Path) -> None:
    (tmp_path / "leaver.py").write_text(
        "from analyzer.games.moscow.policies import MoscowPolicy\n\n"
        "class Leaver(MoscowPolicy):\n"
        "    def act(self, view, score):\n        raise SystemExit(0)\n"
    )
    spec = f"{tmp_path}/leaver.py:Leaver"
    result = CliRunner().invoke(cli.main, ["run", "moscow", "--policy", spec, "--n", "20", "--jobs", "1"])
    assert result.exit_code == 2
    assert "SystemExit" in result.output


def test_a_policys_class_tells_its_game(tmp_path: Path) -> None:
    """The README's command: nobody has to say which of the games it is for."""
    file = tmp_path / "mine.py"
    file.write_text(f"{SPRINTER}\n\nclass Other:\n    pass\n")
    told = analyze("check", f"{file}:Sprinter").output
    assert "right for moscow" in told
    lost = analyze("check", f"{file}:Other")
    assert lost.exit_code == 2
    assert "There is no policy at" in lost.output
    file.write_text("1 / 0\n")
    assert "ZeroDivisionError" in analyze("check", f"{file}:Sprinter").output


def test_list_tells_whole_sentences() -> None:
    lines = analyze("list").output.splitlines()
    assert any("kraskar: 2 players." in line for line in lines)
    assert all(line.partition(" (noise=")[0].endswith((".", ")")) for line in lines if " (noise=" in line)


def test_how_many_players_is_said_in_one_way() -> None:
    for words in (["--players", "3"], ["--players", "2-3"]):
        assert "undaunted is for 2 players, not 3" in analyze("run", "undaunted", *words, "--n", "5").output
    assert (
        "moscow is for 1 to 6 players, not 9" in analyze("run", "moscow", "--players", "9", "--n", "5").output
    )


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("sprinter.py:Missing", "Unknown policy in"),
        ("sprinter.py:Other", "There is no policy at"),
        ("sprinter.py:Sprinter:mood=1", "Unknown parameter of policy Sprinter 'mood'"),
    ],
)
def test_check_says_what_is_wrong_with_a_policy(tmp_path: Path, of: str, said: str) -> None:
    (tmp_path / "sprinter.py").write_text(
        "from analyzer.games.moscow.policies import MoscowPolicy\n\n\n"
        "class Sprinter(MoscowPolicy):\n    pass\n\n\nclass Other:\n    pass\n"
    )
    done = CliRunner().invoke(cli.main, ["check", str(tmp_path / of)])
    assert done.exit_code == 2
    assert said in done.output


def test_where_there_is_no_terminal_a_long_run_tells_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every 30 seconds at most, nothing of a short run, and never on stdout."""
    from analyzer import output

    now = 0.0
    told = output.told_in_lines(lambda: now)
    told(0, 1000)
    for second in range(1, 100):
        now = float(second)
        told(10 * second, 1000)
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.splitlines() == [
        "300 of 1,000 games, 10 games/s, about 1 min left",
        "600 of 1,000 games, 10 games/s, about 1 min left",
        "900 of 1,000 games, 10 games/s, about 0 min left",
    ]
    late = output.told_in_lines(lambda: now)
    now += 40
    late(500, 1000)  # the first that is heard: no speed is known yet
    assert capsys.readouterr().err == "500 of 1,000 games\n"
    short = output.told_in_lines(lambda: 0.0)
    short(5, 5)
    assert capsys.readouterr().err == ""


def test_a_reader_that_has_seen_enough_is_nobodys_mistake(tmp_path: Path) -> None:
    code = "import sys; sys.argv[0] = 'analyze'; from analyzer.cli import main; main()"
    words = [sys.executable, "-c", code, "show", "moscow", "--json"]
    child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    told = child.stderr.read()
    assert (child.wait(60), told) == (0, b"")


def test_the_last_line_tells_the_seed(tmp_path: Path) -> None:
    words = ["run", "moscow", "--n", "20", "--seed", "5", "--no-plots", "--out", str(tmp_path / "x")]
    assert CliRunner().invoke(cli.main, words).output.rstrip().endswith("games/s. Seed 5.")
