"""With one game, or a few, sentences are right and claim nothing that so few games cannot show."""

from __future__ import annotations

import pytest

from analyzer.output import games_a_second
from tests.studies.conftest import SHORT, analyze

GAMES = ["moscow", "eastfront", "kraskar", "undaunted"]


def paragraph(*words: str) -> str:
    found = analyze(*words, "--jobs", "1", "--no-plots")
    assert found.exit_code == 0, found.output
    return " ".join(found.output.replace("\u00a0", " ").split())


def settings(game: str) -> list[str]:
    return [word for one in SHORT[game] for word in ("--set", one)]


@pytest.mark.parametrize("game", GAMES)
def test_one_game_is_told_by_who_won_it_alone(game: str) -> None:
    said = paragraph("run", game, "--n", "1", "--tolerance", "2%", *settings(game))
    _, _, said = said.partition("1 game")
    assert " won it" in said
    assert "One game tells nothing of chances, lengths or balance" in said
    for wrong in ("most often", "nine games in ten", "interval", "median", "games needed)", "half of"):
        assert wrong not in said.lower(), said
    assert "1 game played in" in said


def test_a_few_games_are_told_by_who_won_how_many() -> None:
    said = paragraph("run", "moscow", "--n", "3", "--tolerance", "2%")
    assert "Of 3 games no more can be said" in said
    assert " won " in said
    assert "nine games in ten" not in said
    assert "about" not in said.partition("Of 3 games")[2]  # no guess at how many games it takes
    assert "nine games in ten" in paragraph("run", "moscow", "--n", "10")


def test_a_comparison_of_few_games_names_no_impossible_difference() -> None:
    for n, pairs in (("1", "1 pair of games"), ("3", "3 pairs of games")):
        said = paragraph("compare", "moscow", "--players", "2", "--n", n, "--policy-b", "racer",
                         "--tolerance", "2%")  # fmt: skip
        said = said.partition("moscow with 2 players")[2]
        assert pairs in said
        assert f"Too few different games ({2 * int(n)} played)" in said
        assert "A and B are too few" not in said
        assert "too few games to tell of seat 1, seat 2, nobody wins" in said
        assert "So many games would see" not in said


def test_no_pairing_of_a_few_games_is_called_clear() -> None:
    """4 games won of 4 are as likely as 1 in 8 between equals, and there are 15 pairings."""
    said = paragraph("tournament", "moscow", "--players", "2", "--n", "4")
    assert "100.0 (" in said
    assert "No pairing is clearly one-sided" in said


def test_a_slow_game_has_a_speed() -> None:
    assert [games_a_second(rate) for rate in (0.4, 1.0, 12345.6)] == [
        "0.4 games/s", "1.0 games/s", "12,346 games/s"]  # fmt: skip
