"""What other installed packages offer (entry points), without importing `importlib.metadata` for nothing."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, by name."""
    if not maybe_offered(group.encode()):
        return ()
    return tuple(sorted(_all().select(group=group), key=lambda point: (point.name, point.value)))


@cache
def _all() -> Any:
    """All of them; looking through every package takes a while, so it is done once."""
    from importlib import metadata

    return metadata.entry_points()


def maybe_offered(group: bytes) -> bool:
    """False if surely no package offers anything in this group: none of their files names it.

    Reading a hundred small files takes a few milliseconds, importing `importlib.metadata` a tenth of a start.
    Where packages may stand elsewhere than in the folders of the path, it is True.
    """
    finders = [one for one in sys.meta_path if hasattr(one, "find_distributions")]
    if [getattr(one, "__name__", "") for one in finders] != ["PathFinder"]:
        return True
    return any(_names(folder or ".", group) for folder in sys.path)


def _names(folder: str, group: bytes) -> bool:
    """Whether a package in this folder may offer something in the group."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return False
    except OSError:  # a zip, for one
        return True
    if any(name.endswith(".egg") or name == "EGG-INFO" for name in names):
        return True
    return any(
        _reads(os.path.join(folder, name, "entry_points.txt"), group)
        for name in names
        if name.endswith((".dist-info", ".egg-info"))
    )


def _reads(file: str, group: bytes) -> bool:
    try:
        with open(file, "rb") as stream:
            return group in stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
