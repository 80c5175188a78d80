"""The codes of Undaunted: Normandy: sides, squads, units and cards. Nothing is imported for them.

Side US is seat 0, side DE seat 1. Code RA is the Rifleman of squad A, SLB the Squad Leader of squad B.
"""

from __future__ import annotations

from typing import Literal

SideName = Literal["US", "DE"]
SIDES: tuple[SideName, SideName] = ("US", "DE")
SQUADS = ("A", "B", "C")
UNITS = ("RA", "RB", "RC", "SA", "SB", "SC", "GA", "GB", "GC", "SN", "MO")
COMMAND = ("PS", "PG", "SLA", "SLB", "SLC")
FOG = "FOW"
CODES = (*UNITS, *COMMAND, FOG)

_LETTER = {"R": "rifleman", "S": "scout", "G": "gunner", "SL": "leader"}
KIND_OF: dict[str, str] = {
    **{letter + squad: kind for letter, kind in _LETTER.items() for squad in SQUADS},
    "SN": "sniper",
    "MO": "mortar",
    "PS": "sergeant",
    "PG": "guide",
    "FOW": "fog",
}
SQUAD_OF: dict[str, str] = {letter + squad: squad for letter in _LETTER for squad in SQUADS}
