"""A small share of the fuzzing, and what the fuzzers have found."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import registry
from analyzer.config import ConfigError, check_file, load_config
from analyzer.errors import MAX_LINE, UserError
from tests.fuzz import configs, folders, guard, hostile

SEED = 20_240_229  # of the cases: the same in every run of the tests


@pytest.fixture(autouse=True)
def _known(dice_race: str) -> None:
    pass


def test_hostile_configs_are_refused_in_clean_words_or_can_be_played() -> None:
    count = configs.run(300, SEED, play_every=20)
    assert not count.faults, count.faults[0]
    assert count.counts["plausible", "accepted"] > 5
    assert sum(n for (_, what), n in count.counts.items() if what == "played") >= 1


def test_hostile_folders_are_refused_in_one_line_or_can_be_used() -> None:
    count = folders.run(25, SEED, games=["moscow"])
    assert not count.faults, count.faults[0]
    assert {what for _, what in count.counts} >= {"accepted", "refused"}


@pytest.mark.slow
def test_twenty_thousand_hostile_configs() -> None:
    count = configs.run(20_000, SEED + 1)
    assert not count.faults, count.faults[0]
    assert guard.peak() < 1000


@pytest.mark.slow
def test_two_thousand_hostile_folders() -> None:
    count = folders.run(2000, SEED + 1)
    assert not count.faults, count.faults[0]


TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(
    [*hostile.NUMBERS, *hostile.WORDS, *hostile.SIGNS, *hostile.QUOTED, *hostile.TAGGED, *hostile.NESTED]
)
LINES = st.tuples(
    st.sampled_from(["game", "base", "moscow_strength", "cards", "months", "shares", "mark"]) | TEXTS, TEXTS
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES, max_size=6), first=st.sampled_from(["game: moscow\n", "", "\ufeff", "---\n"]))
def test_any_lines_are_a_config_or_refused_in_clean_words(
    tmp_path: Path, lines: list[tuple[str, str]], first: str
) -> None:
    path = tmp_path / "any.yaml"
    text = first + "\n".join(f"{key}: {value}" for key, value in lines)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    case = configs.Case("any", str(path), lambda: load_config(file=path), text)
    if (config := configs.loaded(case)) is not None:
        configs.check_config(config)


# ---------------------------------------------------------------- what they have found


def wrong(path: Path, text: str) -> str:
    """What is said of a config of Moscow with this text in it."""
    path.write_bytes(("game: moscow\n" + text).encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigError) as caught:
        load_config(file=path)
    assert not guard.unclean(str(caught.value), guard.MOST_LINES)
    return str(caught.value)


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u202e", "\u200b", "\ufeff"])
def test_a_text_with_a_sign_that_nobody_sees_is_refused(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "x.yaml"
    said = wrong(path, f'opening_hand: {{value: 6, about: "a\\u{ord(sign):04x}b"}}\n')
    assert f"line 2, key 'opening_hand.about': 'a?b' holds U+{ord(sign):04X}, a sign that nobody sees" in said
    assert "holds a sign that nobody sees" in wrong(path, f'"opening\\u{ord(sign):04x}_hand": 6\n')


def test_a_text_in_several_lines_becomes_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "game: moscow\nopening_hand:\n  value: 6\n  about: |\n    two\n\n    lines\tand\u3000more\n"
    )
    told = {one.key: one.about for one in load_config(file=path).settings}
    assert told["opening_hand"] == "two lines and\u3000more"


def test_long_names_do_not_make_long_errors(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    for text in (
        f"base: {'9' * 5000}",
        f"{'k' * 5000}: 1",
        f"opening_hand: {{value: 6, about: {'x' * 5000}}}",
    ):
        assert all(len(line) < 500 for line in wrong(path, text).split("\n"))
    error = str(UserError(f"{'x' * 5000}. Do this."))
    assert len(error) <= MAX_LINE
    assert error.endswith("x. Do this.")


def test_a_mistake_that_shows_in_a_shipped_file_names_the_file_that_made_it(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("base: undaunted/03-raid-across-the-canal\nscenario: {tiles: {10B: {adj: [1A]}}}\n")
    (said,) = {line.rpartition("(")[2] for line in check_file(path) if "configs/undaunted" in line}
    assert said == f"with what {path} changes)."
    with pytest.raises(ConfigError, match=r"configs/undaunted.*\(with what --set changes\)\."):
        load_config("undaunted/03-raid-across-the-canal", overrides=["scenario.tiles.10B.adj=[1A]"])


def test_no_name_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[2Jx\u202e.yaml"
    path.write_text("game: moscow\nopening_hand: x\n")
    assert check_file(path)[0].startswith(f"error: {tmp_path}/?[2Jx?.yaml, line 2")
    assert str(UserError("a\x1b[2Jb\nc")) == "a?[2Jb\nc"
    with pytest.raises(UserError, match=r"\?\[2J"):
        registry.policy("\x1b[2Jx.py:X", "moscow")


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
@pytest.mark.parametrize("name", ["tallies/\x1b[2J.parquet", "tallies/=1.parquet"])
def test_tallies_of_other_names_in_a_run_are_none_of_it(tmp_path: Path, name: str) -> None:
    """They are refused where the record names them, or does not tell which it has."""
    import analyzer

    analyzer.run("dice_race", 2, 20, jobs=1, out=tmp_path / "run")
    (tmp_path / "run" / name).write_bytes(b"x")
    assert Path(name).stem not in analyzer.load(tmp_path / "run").tallies
    record = tmp_path / "run" / "run.json"
    told = json.loads(record.read_text())
    for named in ({"tallies": [*told["tallies"], Path(name).stem]}, {}):
        record.write_text(json.dumps({**{key: told[key] for key in told if key != "tallies"}, **named}))
        with pytest.raises(UserError, match="no tally is called") as caught:
            analyzer.load(tmp_path / "run")
        assert not guard.unclean(str(caught.value))


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
def test_parts_of_other_names_in_a_run_are_refused(tmp_path: Path) -> None:
    import analyzer

    analyzer.run("dice_race", 2, 20, jobs=1, out=tmp_path / "run")
    (tmp_path / "run" / "games" / "part-000000-00=.parquet").write_bytes(b"x")
    with pytest.raises(UserError, match="no part of its games is called") as caught:
        analyzer.load(tmp_path / "run")
    assert not guard.unclean(str(caught.value))


def test_the_config_of_a_saved_run_is_refused_in_one_line_that_names_the_run(tmp_path: Path) -> None:
    import analyzer

    analyzer.run("moscow", 2, 4, jobs=1, out=tmp_path / "run")
    record = tmp_path / "run" / "run.json"
    told = json.loads(record.read_text())
    told["config"] |= {"opening_hand": "x", "goal_km": "y", "more": 1}
    record.write_text(json.dumps(told))
    with pytest.raises(
        UserError, match=r"run\.json is damaged: saved config, key .* \(2 more mistakes\.\)"
    ) as caught:
        analyzer.resume(tmp_path / "run")
    assert "\n" not in str(caught.value)


def test_a_series_whose_tables_do_not_fit_its_game_is_damaged_and_no_traceback(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    import analyzer

    analyzer.run("moscow", "2,3", 6, jobs=1, out=tmp_path / "x")
    tallies = next((tmp_path / "x").glob("01-*")) / "tallies"
    for path in tallies.glob("*.parquet"):
        if path.stem not in ("games", "shares"):
            table = pq.read_table(path)
            pq.write_table(
                table.rename_columns([n if n in ("rotation", "n") else f"{n}_" for n in table.column_names]),
                path,
            )
    with pytest.raises(UserError, match="is damaged, or of another version"):
        analyzer.load_series(tmp_path / "x").table()


def endless() -> None:
    with guard.limit(0.05):
        while True:
            pass


def test_the_fuzzers_find_what_they_look_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that cannot fail finds nothing."""
    assert all(map(guard.unclean, ["a\x1b", "a\nb", "x" * 2000, ""]))
    assert not guard.unclean("a, b.")
    with pytest.raises(guard.Hung):
        endless()
    monkeypatch.setattr(configs, "load_config", lambda *_, **__: 1 / 0)
    count = configs.run(3, 1)
    assert len(count.faults) == 3
    assert "ZeroDivisionError" in count.faults[0]
    monkeypatch.setattr(folders, "use", lambda folder, *_: str((folder.parent / "mine").write_text("x")))
    count = folders.run(1, 1, games=[])
    assert "something outside has changed" in count.faults[0]
    assert os.listdir(tmp_path) == []
