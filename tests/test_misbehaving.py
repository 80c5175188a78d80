"""Plug-ins that misbehave: whatever a policy does, the run is refused in clear words, or it is right."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

import analyzer
from analyzer import cli, output, registry
from analyzer.errors import PolicyError, UserError
from analyzer.sim import steady
from analyzer.sim.causes import Cause
from analyzer.sim.surroundings import Surroundings
from analyzer.testing import ContractError, check_game, check_policy, policies
from tests.toy import rules as toy

HEAD = """
import random, sys, time
import numpy as np
from tests.toy.policies import DicePolicy

CALLS = []


class Odd(DicePolicy):
    def act(self, view, score):
        score.bold += view.mine > 2
"""


def odd(folder: Path, body: str, head: str = "") -> str:
    """The line of a policy with this body."""
    text = HEAD.replace("import random", f"{head}\nimport random", 1) if head else HEAD
    path = folder / f"odd{len(list(folder.glob('*.py')))}.py"
    path.write_text(text + textwrap.indent(textwrap.dedent(body).strip(), " " * 8) + "\n")
    return f"{path}:Odd"


# ---------------------------------------------------------------- refused when the run begins

AT_ONCE = {
    "raises": ("raise KeyError('x')", "raised KeyError"),
    "ends the program": ("sys.exit(3)", "raised SystemExit: 3"),
    "an end of its own": ("class Out(BaseException): ...\nraise Out('x')", "raised Out: x"),
    "no memory": ("raise MemoryError", "raised MemoryError"),
    "no end": ("self.act(view, score)", "raised RecursionError"),
    "nan": ("score.bold += np.where(view.mine > 2, np.nan, 0)", "not a finite number"),
    "a wrong shape": ("return np.zeros((3, 2), np.uint8)", "an array of whole numbers of shape"),
    "a wrong type": ("return view.mine * 0.5", "an array of whole numbers of shape"),
    "words": ("return 'bold'", "answered str"),
    "no scores of this shape": ("score.bold += np.zeros(7)", "raised ValueError"),
    "the view": ("view.mine[:] = 3", "changes the view (mine, at decision 'act')"),
    "numpy.random": ("score.bold += np.random.random()", "answers the same question"),
    "random": ("score.bold += random.random()", "answers the same question"),
    "the clock": ("score.bold += time.perf_counter_ns() % 1000", "answers the same question"),
    "a memory": ("CALLS.append(1); score.bold += len(CALLS) % 7", "answers the same question"),
    "the mean over the batch": (
        "score.bold += view.mine - view.mine.mean()",
        "when other games are played beside",
    ),
    "the number of games": ("score.bold += len(view.mine) > 20", "when other games are played beside"),
}


@pytest.mark.parametrize("what", AT_ONCE)
def test_what_a_policy_does_wrong_is_told_before_the_run(dice_race: str, tmp_path: Path, what: str) -> None:
    body, said = AT_ONCE[what]
    with pytest.raises(PolicyError, match=re.escape(said)) as caught:
        analyzer.run(dice_race, 2, 400, policy=odd(tmp_path, body), block=100, jobs=1, out=tmp_path / "out")
    assert "Odd" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


LATE = {
    "after 1,000 calls": "CALLS.append(1)\nscore.bold += 9 * (len(CALLS) > 1000)",
    "in the second block": """
        if len(view.mine) == 100 and (not CALLS or CALLS[-1] is not None):
            CALLS.append(view.mine.sum() + 1)
        score.bold += 9 * (len(CALLS) > 30)""",
    "on itself": """
        n = getattr(self, 'n', 0) + 1
        object.__setattr__(self, 'n', n)
        score.bold += 9 * (n > 300)""",
}


@pytest.mark.parametrize("what", LATE)
def test_a_memory_that_shows_late_is_found_at_the_end_of_the_run(
    dice_race: str, tmp_path: Path, what: str
) -> None:
    line = odd(tmp_path, LATE[what])
    with pytest.raises(PolicyError, match="Policy Odd answers otherwise after the run than before it"):
        analyzer.run(dice_race, 2, 6000, policy=line, block=100, jobs=1, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_policies_that_keep_the_contract_are_not_suspected(dice_race: str, tmp_path: Path) -> None:
    line = odd(tmp_path, "CALLS.append(1)")  # it remembers, and makes no use of it
    for more in ("", ":noise=3"):
        assert analyzer.run(dice_race, 2, 3000, policy=line + more, block=100, jobs=1).n == 3000
    mixed = analyzer.run(dice_race, 3, 600, policies=[line, "gambler", "random"], block=50, jobs=1)
    assert mixed.n == 600
    assert not steady._tried


# ---------------------------------------------------------------- analyze check

FOUND = {
    **{
        what: (body, said)
        for what, (body, said) in AT_ONCE.items()
        if said.startswith(("raised", "an array"))
    },
    "the view": ("view.mine[:] = 3", "changes the view (mine)"),
    "numpy.random": ("score.bold += np.random.random()", "global random generator"),
    "random": ("score.bold += random.random()", "global random generator"),
    "a seed of its own": ("np.random.seed(1); score.bold += np.random.random()", "global random generator"),
    "the mean over the batch": ("score.bold += view.mine - view.mine.mean()", "goes differently alone"),
    "a large batch": ("score.bold += 9 * (len(view.mine) > 1000)", "differently among 2,048 games"),
    "half a batch": ("score.bold += 9 * (len(view.mine) == 31)", "when its block is cut in two"),
    "a file": ("open('mine.txt', 'a').close()", "opens the file 'mine.txt' to write"),
    "a process": ("import os; os.system('true')", "more than decide (os.system)"),
    "late": (LATE["after 1,000 calls"].replace("1000", "2200"), "plays the same games differently after"),
    "late on itself": (LATE["on itself"].replace("300", "1000"), "plays the same games differently after"),
}


@pytest.mark.parametrize("what", FOUND)
def test_check_finds(dice_race: str, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    body, said = FOUND[what]
    with pytest.raises(ContractError) as caught:
        check_policy(odd(tmp_path, body), dice_race, players=2)
    assert said in str(caught.value)


# ---------------------------------------------------------------- refused by a run and by a check

ARRAY = "np.zeros(len(view.mine), np.uint8)"
REFUSED = {
    "the working folder": ("import os; os.chdir('/')", "changes the working folder (os.chdir)"),
    "the environment": ("import os; os.environ['ODD'] = 'x'", "changes environment variables (os.environ)"),
    "NumPy's errors": ("np.seterr(all='raise')", "changes how NumPy treats errors (numpy.seterr)"),
    "NumPy's prints": ("np.set_printoptions(precision=1)", "changes how NumPy prints"),
    "NumPy itself": ("np.zeros = None", "changes numpy.zeros"),
    "the engine": ("from analyzer.sim import engine; engine._find_best = None", "engine._find_best"),
    "the limit of recursion": ("sys.setrecursionlimit(5000)", "changes the limit of recursion"),
    "the output": ("sys.stdout = None", "changes the output of the program"),
    "a masked array": (f"return np.ma.masked_array({ARRAY}, True)", "answered MaskedArray; an array of"),
    "an array of its own": (
        f"class Own(np.ndarray): ...\nreturn {ARRAY}.view(Own)",
        "answered Own; an array of whole numbers",
    ),
    "a generator": ("yield 1", "answered generator; an array of whole numbers"),
    "the shape of scores": ("score.values.shape = -1", "changed the shape of the scores to ("),
    "no text of an error": (
        "class Mute(Exception):\n    def __str__(self): raise RuntimeError\nraise Mute",
        "raised Mute (its text cannot be had)",
    ),
    "an error of ours": (
        "from analyzer.errors import PolicyError; raise PolicyError('mine')",
        "Policy Odd (seat 1) raised PolicyError: mine",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_answer_or_changes_the_surroundings_is_refused_by_a_run_and_by_a_check(
    dice_race: str, tmp_path: Path, what: str
) -> None:
    body, said = REFUSED[what]
    line, before = odd(tmp_path, body), Surroundings()
    with pytest.raises(ContractError, match=re.escape(said)):
        check_policy(line, dice_race, players=2)
    with pytest.raises(PolicyError, match=re.escape(said)) as caught:
        analyzer.run(dice_race, 2, 400, policy=line, block=100, jobs=1)
    assert "\n" not in str(caught.value)
    assert not before.changed()


def test_a_thread_that_goes_on_is_told_by_a_check(dice_race: str, tmp_path: Path) -> None:
    line = odd(tmp_path, "import threading; threading.Thread(target=time.sleep, args=(1,)).start()")
    with pytest.raises(ContractError, match="it leaves threads running; a policy may look"):
        check_policy(line, dice_race, players=2)


RIGHT = {
    "prints": "print('x')",
    "a read-only answer": f"a = {ARRAY}; a.flags.writeable = False; return a",
    "one array for all answers": f"a = CALLS[0] if CALLS else CALLS.append({ARRAY})\nscore.bold -= 1",
    "-0.0": "score.values[:] = -0.0",
    "float64 scores": "score.values = score.values + np.float64(0.1)",
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_odd_but_right_plays_the_same_whoever_plays_it(
    dice_race: str, tmp_path: Path, what: str
) -> None:
    line = odd(tmp_path, RIGHT[what])
    check_policy(line, dice_race, players=2, thorough=False)
    one, two = (analyzer.run(dice_race, 2, 400, policy=line, block=100, jobs=jobs) for jobs in (1, 2))
    assert one.games.equals(two.games)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("score_dtype = 'U5'", "its score_dtype is <U5; numpy.float32, float64 or uint8 are needed"),
        ("score_dtype = np.int64", "its score_dtype is int64"),
        ("score_dtype = complex", "its score_dtype is complex128"),
        ("score_dtype = 'nonsense'", "its score_dtype is 'nonsense'"),
        ("noise: str = 'much'", "its noise is 'much', not a number"),
        ("def __getattribute__(self, name): raise ValueError('no')", "cannot be made: ValueError: no"),
        ("x: list = []", "mutable default <class 'list'> for field x is not allowed"),
    ],
)
def test_parts_of_a_class_that_the_engine_cannot_use_are_refused(
    dice_race: str, tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "parts.py"
    path.write_text(f"{HEAD}\n    {line}\n")
    with pytest.raises(UserError, match=re.escape(said)):
        registry.policy(f"{path}:Odd", dice_race)


@pytest.mark.parametrize(
    "source", [b"x = 1\0", "x = 'é'".encode("latin-1"), HEAD.encode("utf-16"), b"  x\n y"]
)
def test_a_file_that_is_no_source_is_named(dice_race: str, tmp_path: Path, source: bytes) -> None:
    (tmp_path / "bad.py").write_bytes(source)
    with pytest.raises(UserError, match=r"bad\.py.* cannot be loaded: (Syntax|Indentation)Error") as caught:
        registry.policy(f"{tmp_path}/bad.py:Odd", dice_race)
    assert "\n" not in str(caught.value)


def test_a_file_with_a_byte_order_mark_is_read(dice_race: str, tmp_path: Path) -> None:
    (tmp_path / "marked.py").write_bytes(b"\xef\xbb\xbf" + HEAD.encode())
    assert registry.policy(f"{tmp_path}/marked.py:Odd", dice_race).noise == 0


# ---------------------------------------------------------------- why

BY_LANE = """
    if not CALLS: CALLS.append({})
    for k, mine in enumerate(view.mine):
        CALLS[0][k] = CALLS[0].get(k, 0) + int(mine)
    score.bold += np.array([CALLS[0][k] % 3 - 1 for k in range(len(view.mine))])"""
ON_ITSELF = "n = getattr(self, 'n', 0)\nobject.__setattr__(self, 'n', n + 1)\nscore.bold += n % 3 - 1"
MEAN = "score.bold += view.mine - view.mine.mean()"
CAUSES = {
    "on itself": (ON_ITSELF, {Cause.MEMORY}),
    "on its class": ("Odd.n = getattr(Odd, 'n', 0) + 1; score.bold += Odd.n % 3 - 1", {Cause.MEMORY}),
    "in its module": ("CALLS.append(1); score.bold += len(CALLS) % 3 - 1", {Cause.MEMORY}),
    "a cache by lane": (BY_LANE, {Cause.MEMORY}),
    "a generator in its module": (
        "CALLS or CALLS.append(np.random.default_rng(1)); score.bold += CALLS[0].normal()",
        {Cause.MEMORY},
    ),
    "on its base": (
        "DicePolicy.n = getattr(DicePolicy, 'n', 0) + 1; score.bold += DicePolicy.n % 3 - 1",
        {Cause.CHANCE},
    ),
    "the mean": (MEAN, {Cause.BATCH}),
    "the sum": ("score.bold += view.mine.astype(int) * len(view.mine) - view.mine.sum()", {Cause.BATCH}),
    "sorting": ("score.bold += np.argsort(view.mine) % 2 - 0.5", {Cause.BATCH}),
    "the mean, and a memory": (
        f"{MEAN}\nCALLS.append(1); score.bold += len(CALLS) % 3 - 1",
        {Cause.MEMORY, Cause.BATCH},
    ),
    "numpy.random": ("score.bold += np.random.normal(size=len(view.mine))", {Cause.GLOBAL}),
    "random": ("score.bold += random.random() - 0.5", {Cause.GLOBAL}),
    "a generator of its own": ("score.bold += np.random.default_rng().normal()", {Cause.CHANCE}),
    "the clock": ("score.bold += time.perf_counter_ns() % 3 - 1", {Cause.CHANCE}),
    "the clock, of no weight": ("score.bold += 1 + time.perf_counter_ns() % 3", {Cause.CHANCE}),
}


def causes_in(told: str) -> set[Cause]:
    return {one for one in Cause if str(one).partition(". ")[0][1:] in told}


@pytest.mark.parametrize("what", CAUSES)
def test_what_makes_a_policy_answer_in_two_ways_is_told_apart(
    dice_race: str, tmp_path: Path, what: str
) -> None:
    body, causes = CAUSES[what]
    line = odd(tmp_path, body)
    with pytest.raises(ContractError) as checked:
        check_policy(line, dice_race, players=2)
    assert causes_in(str(checked.value)) == causes
    with pytest.raises(PolicyError) as played:
        analyzer.run(dice_race, 2, 400, policy=line, block=100, jobs=1)
    # A run ends with the first that it finds.
    assert causes_in(str(played.value)) == (causes if len(causes) == 1 else {Cause.MEMORY})


def test_where_nothing_can_be_told_apart_all_that_may_be_is_said(dice_race: str) -> None:
    class Here(toy.DicePolicy):
        def act(self, view: Any, score: Any) -> None:
            score.bold += view.mine - view.mine.mean()

    with pytest.raises(ContractError) as caught:
        check_policy(Here, dice_race, players=2)
    assert causes_in(str(caught.value)) == {Cause.UNKNOWN}


HANG = "while len(view.mine) > 0:\n    pass"


def test_check_ends_where_a_policy_hangs_and_says_where(dice_race: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        check_policy(odd(tmp_path, HANG), dice_race, patience=0.3)
    said = str(caught.value)
    assert said.startswith("There was no answer within 0.3 seconds: Policy Odd (seat 1)")
    assert re.search(r"odd0\.py, line \d+: (while|pass).*decision 'act' of turn 1, game 0", said)
    with pytest.raises(PolicyError, match=r"the policy \(odd1\.py, line 2: while True: pass\)"):
        check_policy(odd(tmp_path, "pass", head="while True: pass"), dice_race, patience=0.3)


def test_check_ends_where_a_game_hangs(dice_race: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(toy.DiceRace, "outcome", hang)
    with pytest.raises(
        PolicyError, match=r"no answer within 0.3 seconds: the game \(test_misbehaving\.py, line"
    ):
        check_game(dice_race, players=2, patience=0.3)


def test_code_that_heeds_no_interruption_ends_the_program(tmp_path: Path) -> None:
    line = odd(
        tmp_path, "while True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass"
    )
    program = (
        "import analyzer\nfrom analyzer import registry, testing\nfrom analyzer.sim import patience\n"
        "patience.GRACE = 0.3\n"
        "registry.register_room(registry.Room('dice_race', 'tests.toy'))\n"
        "analyzer.run('dice_race', n=2, jobs=1)\n"  # all is loaded then
        f"testing.check_policy({line!r}, 'dice_race', patience=1)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "Error: There was no answer within 1 seconds: the policy heeds no interruption.\n"


# ---------------------------------------------------------------- sources that misbehave

SOURCES = [
    "import sys; sys.exit(3)",
    "raise ValueError('x')",
    "import not_there_at_all",
    "1 +",
    "x = [1] * -1\ndel y",
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_that_cannot_be_loaded_is_named_with_its_line(
    dice_race: str, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.py").write_text(source)
    with pytest.raises(UserError, match=r"bad\.py, line \d cannot be loaded"):
        registry.policy(f"{tmp_path}/bad.py:Bad", dice_race)
    package = tmp_path / "badgame"
    package.mkdir()
    for name in ("__init__", "rules"):
        (package / f"{name}.py").write_text("" if name == "__init__" else source)
    monkeypatch.syspath_prepend(tmp_path)
    registry.register_room(registry.Room("bad_game", "badgame"))
    try:
        with pytest.raises(UserError, match=r"badgame\.rules.* cannot be loaded"):
            registry.game_class("bad_game")
    finally:
        registry.forget_room("bad_game")
        for name in ("badgame", "badgame.rules"):
            sys.modules.pop(name, None)


def test_a_policy_that_ends_the_program_when_it_is_made_is_refused(dice_race: str, tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text(
        "import sys\n" + HEAD + "        pass\n\n    def __post_init__(self):\n        sys.exit(3)\n"
    )
    with pytest.raises(UserError, match="Policy Odd cannot be made: SystemExit: 3"):
        registry.policy(f"{path}:Odd", dice_race)


# ---------------------------------------------------------------- the commands

HANGS = """
import time
from analyzer.games.moscow.policies import MoscowPolicy


class Stuck(MoscowPolicy):
    def act(self, view, score):
        while view is not None:
            pass
"""


def test_the_command_check_ends_where_a_policy_hangs(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(HANGS)
    analyzer.run("moscow", n=2, jobs=1)  # all is loaded then
    words = ["check", f"{tmp_path}/stuck.py:Stuck", "--game", "moscow", "--patience", "2"]
    result = CliRunner().invoke(cli.main, words)
    assert result.exit_code == 2, result.output
    assert re.fullmatch(
        r"Error: There was no answer within 2 seconds: Policy Stuck \(seat 1\) was still at it \(stuck\.py, "
        r"line \d+: .*\), at decision 'act' of turn 1, game 0\.\n",
        result.stderr,
    )


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_ctrl_c_names_a_policy_that_gave_no_answer_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    (tmp_path / "stuck.py").write_text(
        HANGS.replace("            pass", "            raise KeyboardInterrupt")
    )
    monkeypatch.setattr(cli, "LONG", seconds)
    monkeypatch.setattr(steady, "may_copy", lambda: False)  # where it is tried: raised here, as by Ctrl-C
    words = [
        "run",
        "moscow",
        "--policy",
        f"{tmp_path}/stuck.py:Stuck",
        "--n",
        "20",
        "--out",
        str(tmp_path / "x"),
    ]
    result = CliRunner().invoke(cli.main, words)
    assert result.exit_code == 130
    named = re.search(
        r"\nFor 0 seconds there had been no answer: Policy Stuck \(seat 1\) was still at it "
        r"\(stuck\.py, line 9: raise ",
        result.stderr,
    )
    assert bool(named) == (seconds == 0.0)


def test_check_tells_each_step_and_how_many_there_are(dice_race: str) -> None:
    told: list[tuple[str, int, int]] = []
    check_game(dice_race, players=2, tell=lambda *step: told.append(step))
    assert told[:2] == [("axes", 0, 1), ("games of random, gambler", 0, 2)]
    assert {text for text, *_ in told[2:]} == {"2 players, gambler: right", "2 players, random: right"}
    assert [numbers for _, *numbers in told[2:]] == [[1, 2], [2, 2]]
    told.clear()
    check_policy("gambler", dice_race, players=2, tell=lambda *step: told.append(step))
    assert told == [
        ("gambler as it begins", 0, 5),
        ("gambler in all 2 seats", 1, 5),
        ("gambler against random, 2 players", 2, 5),
        ("gambler among 2,048 games", 3, 5),
        (f"gambler after {policies.LATE:,} decisions", 4, 5),
    ]


def test_progress_of_a_check_is_a_bar_on_a_terminal_and_a_line_now_and_then_in_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, 1.0, 5.0, 6.0, 9.0, 61.0])
    tell = output.steps_in_lines(lambda: next(times))
    for done, text in enumerate(("a", "b", "b", "c", "d")):
        tell(text, done, 5)
    assert capsys.readouterr().err == (
        "1 of 5 checks made in 5 s, now: b\n4 of 5 checks made in 61 s, now: d\n"
    )
    with output.steps() as tell:
        tell("nothing of what is short", 0, 1)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    stream = io.StringIO()
    monkeypatch.setattr(output, "console", lambda stderr: Console(file=stream, force_terminal=True, width=80))
    with output.steps() as tell:
        tell("3 players, [racer]", 1, 18)
    assert "Check 1 of 18" in stream.getvalue()
    assert "3 players, [racer]" in stream.getvalue()
