"""The seats of Undaunted have the names of the sides."""

from __future__ import annotations

from analyzer.games.undaunted.codes import SIDES

SEATS = SIDES
