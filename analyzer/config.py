"""Configs: YAML files and overrides to one frozen, checked set of rules, with what each number rests on.

A config is built of layers: the shipped file of the game (which may stand on another by `base:`), the user's
file (it may hold only what differs), and overrides by dotted key. Every setting remembers its mark (R the
rules digest, P a public source, A an assumption) and its plausible range. Nothing here knows a game by name.

Names with a meaning of their own at the top of a file: `game`, `base`, `shares`, and `mark` (that of every
setting of the file that has none); in a setting: `value`. A shipped file whose name begins with `_` is a part
that others stand on, and no config by itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError

from analyzer.config_layers import (
    Layer,
    Stack,
    config_dir,
    find_configs,
    find_games,
    layer_of,
    shipped_stack,
    values_of,
)
from analyzer.config_read import MAX_SHOWN, ConfigError, Given, Place, Problem, locate, read_file, read_text
from analyzer.config_settings import Assumption, Config, Setting, Share
from analyzer.config_tree import Branch, Leaf, Node, build, find, is_range, leaves, plain, put, shown
from analyzer.config_words import explain
from analyzer.errors import UserError, nearest


def model_of(game: str) -> type[BaseModel]:
    """The frozen model of a game's rules. Raises UserError for an unknown game."""
    if game not in find_games():  # before any import: a config must not choose what is imported
        raise nearest(game, find_games(), "game")
    try:
        module = importlib.import_module(f"analyzer.games.{game}.model")
    except ModuleNotFoundError as error:
        raise UserError(f"The game {game!r} has a config but no model ({error.name} is missing).") from None
    model: type[BaseModel] = module.RULES
    return model


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
    return Place(getattr(given, "option", Given.option))


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


# ---------------------------------------------------------------- checking


def _checked(name: str, stack: Stack, default: Node, problems: list[Problem]) -> Config:
    """The config of a stack of layers. Raises ConfigError with the `problems` met before and its own."""
    model = model_of(stack.game)
    try:
        rules = model.model_validate(plain(stack.tree))
    except ValidationError as error:
        wrong, total = explain(error, stack.tree, default, model, MAX_SHOWN)
        raise ConfigError([*problems, *wrong], len(problems) + total) from None
    if problems:
        raise ConfigError(problems)
    return Config(name, stack.game, rules, stack.tree, default, _shares(stack))


def _shares(stack: Stack) -> tuple[Share, ...]:
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


# ---------------------------------------------------------------- the way in


def load_config(
    game: str | None = None,
    file: Path | str | None = None,
    overrides: Mapping[str, object] | Iterable[str] = (),
) -> Config:
    """The config of a game: the shipped file, then the user's file, then overrides.

    game: name of a shipped config; may be left out where the file says `game:` or `base:`.
    file: a YAML file that holds all settings or only those that differ.
    overrides: "key=value" texts or a mapping from dotted keys to values, later ones over earlier ones; list
        items go by what tells them apart, as in `cards.advance.50.count=18`. Texts are read as YAML.

    Raises UserError (ConfigError) naming file, line, key and what is allowed, up to ten problems at once.
    """
    layer = None if file is None else layer_of(read_file(Path(file), str(file)), str(file))
    name = _base_name(game, layer, str(file))
    shipped = shipped_stack(name)
    stack = shipped if layer is None else shipped.over(layer)
    tree, problems = _overridden(stack.tree, overrides)
    return _checked(name, Stack(stack.game, tree, stack.shares), shipped.tree, problems)


def _base_name(game: str | None, layer: Layer | None, source: str) -> str:
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


def config_of(values: Mapping[str, object], base: str | None = None) -> Config:
    """The config of plain values as `Config.as_dict` gives them, for example out of a saved run."""
    source = "saved config"
    layer = layer_of(locate(values, Place(source)), source)
    name = _base_name(base, layer, source)
    shipped = shipped_stack(name)
    return _checked(name, shipped.over(layer), shipped.tree, [])


def check_file(path: Path | str) -> list[str]:
    """What is wrong ("error: ...") or implausible ("warning: ...") in a config file; empty if all is well."""
    try:
        config = load_config(file=path)
    except ConfigError as error:
        return [f"error: {line}" for line in str(error).splitlines()]
    except UserError as error:
        return [f"error: {error}"]
    return [f"warning: {line}" for line in config.warnings()]


__all__ = [
    "Assumption",
    "Config",
    "ConfigError",
    "Setting",
    "Share",
    "check_file",
    "config_dir",
    "config_of",
    "find_configs",
    "find_games",
    "load_config",
    "model_of",
]
