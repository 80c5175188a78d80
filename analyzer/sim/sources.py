"""The digest of the sources that decide how a game is played: a run goes on only with those that began it.

The version alone does not tell: while a game or the engine is being worked on, it stays the same. Reports,
tellers, odds and everything else that changes no game do not count, nor do comments that stand alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path

from analyzer.registry import Room

# Of this package: the engine, its chance, and what the games' rules are made of.
ENGINE = (
    *(
        "sim/engine.py",
        "sim/chance.py",
        "sim/cards.py",
        "sim/card_counts.py",
        "sim/noise.py",
        "sim/seating.py",
    ),
    *("sim/tally.py", "games/base.py"),
)
# Of a game's folder everything but modules whose names begin so.
NO_PLAY = ("report", "tell", "odds", "course", "pieces", "axes", "seats")


@lru_cache(maxsize=64)
def digest_of(room: Room) -> str:
    """sha256 (hex, 16 digits) of the sources that decide how the game of this room is played. Read once a
    process, as the modules are."""
    found = hashlib.sha256()
    for name, path in _files(room):
        lines = path.read_bytes().splitlines()
        text = b"\n".join([line for line in lines if line.lstrip()[:1] not in (b"", b"#")])
        found.update(f"{name} {len(text)}\n".encode())
        found.update(text)
    return found.hexdigest()[:16]


def _files(room: Room) -> list[tuple[str, Path]]:
    """(name, path) of the sources that count; those of a room that stands in no folder cannot be told."""
    root = Path(__file__).parents[1]
    engine = [(name, root / name) for name in ENGINE]
    spec = importlib.util.find_spec(room.package)
    folders = (
        [Path(one) for one in (spec.submodule_search_locations or ()) if Path(one).is_dir()] if spec else []
    )
    own = [
        (path.relative_to(folder).as_posix(), path)
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if not path.name.startswith(NO_PLAY)
    ]
    return engine + own
