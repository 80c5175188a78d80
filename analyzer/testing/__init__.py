"""The contracts of games and policies as callable checks, for the project's tests and for plug-in authors.

    from analyzer.testing import check_policy
    check_policy("my_policies.py:Sprinter", game="moscow")

A check returns nothing if all is well, and raises ContractError with everything it found, in words.
"""

from __future__ import annotations

from analyzer.testing.faults import ContractError
from analyzer.testing.games import check_game, most_telling
from analyzer.testing.playing import play_rows
from analyzer.testing.policies import check_policy

__all__ = ["ContractError", "check_game", "check_policy", "most_telling", "play_rows"]
