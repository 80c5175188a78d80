"""What a config is asked to be, before its model sees it: shipped file, user's file, overrides in one tree.

Nothing heavy is imported here, as in `config_layers`: see `config_light` for who cannot wait for the models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from analyzer.config_layers import Layer, Stack, find_games, layer_of, shipped_stack, values_of
from analyzer.config_read import ConfigError, Given, Place, Problem, locate, read_file, read_text
from analyzer.config_settings import Share
from analyzer.config_tree import Branch, Leaf, Node, build, find, is_range, leaves, plain, put, shown
from analyzer.errors import UserError, argument


class Asked(NamedTuple):
    """A config as it was asked for: its name, its tree, the shipped one below it, what is wrong so far."""

    name: str
    stack: Stack
    shipped: Stack
    problems: list[Problem]


def asked(
    game: str | None, file: Path | str | None, overrides: Mapping[str, object] | Iterable[str]
) -> Asked:
    """The layers of `config.load_config` laid over each other, unchecked. Raises UserError."""
    layer = None if file is None else layer_of(read_file(Path(file), str(file)), str(file))
    name = base_name(game, layer, str(file))
    shipped = shipped_stack(name)
    stack = shipped if layer is None else shipped.over(layer)
    tree, problems = _overridden(stack.tree, overrides)
    return Asked(name, Stack(stack.game, tree, stack.shares), shipped, problems)


def base_name(game: str | None, layer: Layer | None, source: str) -> str:
    """The shipped config to build on, once what was asked for and what the file says agree."""
    named = None if layer is None else layer.base or layer.game
    name = game or named
    if name is None:
        known = ", ".join(find_games())
        if layer is None:
            raise UserError(f"Which game? Known: {known}.")
        raise ConfigError([Problem(Place(source), "game", f"missing; one of {known}.")])
    if layer is None:
        return name
    if layer.game is not None and (found := shipped_stack(name).game) != layer.game:
        text = f"the file is for {layer.game!r}, but {name!r} is a config of {found!r}."
        raise ConfigError([Problem(Place(source), "game", text)])
    return layer.base or name


# ---------------------------------------------------------------- overrides


def _overridden(tree: Node, overrides: Mapping[str, object] | Iterable[str]) -> tuple[Node, list[Problem]]:
    """The tree with every override laid over it, and what is wrong with the others."""
    problems: list[Problem] = []
    for key, value, place in _pairs(overrides):
        try:
            tree = put(tree, key, _override_value(key, value, place))
        except ConfigError as error:
            problems.extend(error.problems)
    return tree, problems


def _place(given: object) -> Place:
    return Place(argument(getattr(given, "option", Given.option)))


def given_by(overrides: Mapping[str, object] | Iterable[str]) -> list[str]:
    """The options that these overrides came by, each once."""
    values = overrides.values() if isinstance(overrides, Mapping) else overrides
    single = [values] if isinstance(values, str) else values
    return list(dict.fromkeys(_place(one).source for one in single))


def _pairs(overrides: Mapping[str, object] | Iterable[str]) -> list[tuple[str, object, Place]]:
    """(key, value, where it was given) of every override."""
    if isinstance(overrides, Mapping):
        return [(str(key).strip(), value, _place(value)) for key, value in overrides.items()]
    pairs: list[tuple[str, object, Place]] = []
    for one in [overrides] if isinstance(overrides, str) else overrides:
        key, sign, value = one.partition("=")
        if not sign or not key.strip():
            raise ConfigError([Problem(_place(one), "", f"{shown(one)} is not allowed; key=value.")])
        pairs.append((key.strip(), value, _place(one)))
    return pairs


def _override_value(key: str, value: object, place: Place) -> Node:
    """The node of an override: a text is read as YAML, anything else is taken as it is."""
    if not key:
        raise ConfigError([Problem(place, "", "an override needs a key; key=value.")])
    if not key.isprintable():  # half a character of a broken terminal encoding, for one
        raise ConfigError([Problem(place, key, "unknown key.")])
    try:
        found = read_text(value, place.source) if isinstance(value, str) else locate(value, place, key)
        return build(locate(values_of(found), place, key), key)
    except ConfigError as error:
        raise ConfigError([Problem(place, p.key or key, p.text) for p in error.problems]) from None


# ---------------------------------------------------------------- shares


def shares_of(stack: Stack) -> tuple[Share, ...]:
    """The shares that a config declares, with the totals it has. Raises ConfigError."""
    assert isinstance(stack.shares, Branch)
    return tuple(_share(name, node, stack.tree) for name, node in stack.shares.children.items())


def _share(name: str, node: Node, tree: Node) -> Share:
    spec = plain(node)
    if not (isinstance(spec, dict) and set(spec) == {"of", "range"} and is_range(spec["range"])):
        text = "a share is {range: [lowest, highest], of: [keys of settings]}."
        raise ConfigError([Problem(node.place, f"shares.{name}", text)])
    of = spec["of"] if isinstance(spec["of"], list) else [spec["of"]]
    total = 0
    for key in of:
        part = find(tree, str(key))
        if part is None:
            text = f"there is no setting {shown(key)}."
            raise ConfigError([Problem(node.place, f"shares.{name}.of", text)])
        total += sum(leaf.value for inner, leaf in leaves(part, str(key)) if _is_count(inner, leaf))
    return Share(name, tuple(map(str, of)), tuple(spec["range"]), total, node.place)


def _is_count(key: str, leaf: Leaf) -> bool:
    return key.rsplit(".", 1)[-1] == "count" and isinstance(leaf.value, int)
