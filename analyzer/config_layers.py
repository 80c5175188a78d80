"""The layers of a config: shipped files, files that stand on them, and the trees they are laid into.

Nothing is checked here against the model of a game, and nothing heavy is imported: what needs only the
shipped numbers of a game, such as exact odds, can have them in a few milliseconds (`shipped_values`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from analyzer.config_read import ConfigError, Located, Place, Problem, read_file
from analyzer.config_tree import MARK_WORDS, Branch, Node, Plain, build, is_mark, marked, merge, plain, shown
from analyzer.errors import UserError, nearest

_HEADER = ("game", "base", "shares", "mark")


# ---------------------------------------------------------------- shipped configs


@lru_cache(maxsize=1)
def config_dir() -> Path:
    """The folder of the shipped configs: inside an installed package, or beside it in the repository."""
    package = Path(__file__).resolve().parent
    for folder in (package / "configs", package.parent / "configs"):
        if folder.is_dir():
            return folder
    raise UserError("The shipped configs are missing; install the package again.")


def find_configs() -> dict[str, Path]:
    """Every shipped config by name: `moscow`, or `folder/scenario` for one in a folder."""
    return {name: path for name, path in find_files().items() if not path.stem.startswith("_")}


def find_files() -> dict[str, Path]:
    """Every shipped file by name, the parts that are no configs by themselves too."""
    root = str(config_dir())
    kept = _listed.get(root)
    if kept is None or any(_names_in(folder) != names for folder, names in kept[0].items()):
        folders = {folder: _names_in(folder) for folder, _, _ in os.walk(root)}
        paths = [Path(folder, one) for folder, names in folders.items() for one in names]
        found = {_name(path, root): path for path in paths if path.suffix == ".yaml"}
        kept = _listed[root] = (folders, dict(sorted(found.items())))
    return dict(kept[1])


# Root -> (the names in each of its folders, the files). A list of names is quick to make; paths are not, and
# a sweep looks for its config hundreds of times.
_listed: dict[str, tuple[dict[str, frozenset[str]], dict[str, Path]]] = {}


def _names_in(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _name(path: Path, root: str) -> str:
    return path.relative_to(root).with_suffix("").as_posix()


def find_games() -> list[str]:
    """The games: the shipped configs that stand in no folder; each is named as its game."""
    return [name for name in find_configs() if "/" not in name]


# ---------------------------------------------------------------- layers


@dataclass(frozen=True, slots=True)
class Layer:
    """One file: its header apart from its settings."""

    game: str | None
    base: str | None
    shares: Node
    tree: Node


def layer_of(found: Located | None, source: str) -> Layer:
    if found is None or not isinstance(found.data, dict):
        text = "a config is a list of `key: value` lines that begins with `game: <name>`."
        raise ConfigError([Problem(found.place if found else Place(source), "", text)])
    header = {name: found.data[name] for name in _HEADER if name in found.data}
    body = {name: part for name, part in found.data.items() if name not in _HEADER}
    if "value" in body:
        raise ConfigError([Problem(body["value"].place, "value", "unknown key at the top of a config.")])
    game, base = _header_word(header, "game"), _header_word(header, "base")
    tree = build(Located(body, found.place))
    if "mark" in header:
        tree = marked(tree, _header_mark(header["mark"]))
    shares = build(header["shares"], "shares") if "shares" in header else Branch({}, found.place)
    if not isinstance(shares, Branch):
        text = f"{shown(plain(shares))} is not allowed; a group of shares by name."
        raise ConfigError([Problem(shares.place, "shares", text)])
    return Layer(game, base, shares, tree)


def _header_mark(found: Located) -> str:
    if not is_mark(found.data):
        text = f"{shown(values_of(found))} is not allowed; {MARK_WORDS}."
        raise ConfigError([Problem(found.place, "mark", text)])
    return str(found.data)


def _header_word(header: Mapping[str, Located], name: str) -> str | None:
    if name not in header:
        return None
    found = header[name]
    if not isinstance(found.data, str):
        raise ConfigError([Problem(found.place, name, f"{shown(values_of(found))} is not allowed; a name.")])
    known = find_games() if name == "game" else list(find_files())
    if found.data not in known:
        raise ConfigError([Problem(found.place, name, str(nearest(found.data, known, name)))])
    return found.data


@dataclass(frozen=True, slots=True)
class Stack:
    """Layers laid over each other, for one game."""

    game: str
    tree: Node
    shares: Node

    def over(self, layer: Layer) -> Stack:
        shares = merge(self.shares, layer.shares, "shares")
        return Stack(self.game, merge(self.tree, layer.tree), shares)


@lru_cache(maxsize=64)
def _shipped_layer(path: Path, source: str, changed_ns: int) -> Layer:
    """A shipped file, read once: a sweep loads it hundreds of times. Read again when it was changed."""
    return layer_of(read_file(path, source), source)


def shipped_stack(name: str, above: tuple[str, ...] = ()) -> Stack:
    """The shipped config of that name with all it stands on."""
    known = find_files()
    if name not in known:
        raise nearest(name, find_configs(), "game")
    if name in above:
        raise UserError(f"The shipped config {name!r} stands on itself.")
    source = f"configs/{name}.yaml"
    file = known[name]
    layer = _shipped_layer(file, source, file.stat().st_mtime_ns)
    if layer.game is None:
        raise ConfigError([Problem(Place(source), "game", "missing; which game is it?")])
    if layer.base is not None:
        return shipped_stack(layer.base, (*above, name)).over(layer)
    place = layer.tree.place
    return Stack(layer.game, Branch({}, place), Branch({}, place)).over(layer)


def values_of(found: Located | None) -> Plain:
    """The plain data of located values (lines within an override's text mean nothing to anyone)."""
    if found is None:
        return None
    if isinstance(found.data, dict):
        return {name: values_of(part) for name, part in found.data.items()}
    if isinstance(found.data, list):
        return [values_of(part) for part in found.data]
    return found.data


def shipped_values(name: str) -> Any:
    """The numbers of a shipped config as attributes, lists as tuples: `rules.months[0].attack`.

    They are as they stand in the file: what a model fills in by default is missing. Shipped configs are right
    (the tests say so), so nothing is checked.
    """
    return attributes(plain(shipped_stack(name).tree))


def attributes(value: Plain) -> Any:
    """Plain values as attributes, lists as tuples."""
    if isinstance(value, dict):
        return SimpleNamespace(**{str(key): attributes(part) for key, part in value.items()})
    return tuple(map(attributes, value)) if isinstance(value, list) else value
