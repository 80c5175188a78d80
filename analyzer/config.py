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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from analyzer.config_layers import Stack, config_dir, find_configs, find_games, layer_of, shipped_stack
from analyzer.config_read import MAX_SHOWN, ConfigError, Place, Problem, locate
from analyzer.config_settings import Assumption, Config, Setting, Share
from analyzer.config_stack import asked, base_name, given_by, shares_of
from analyzer.config_tree import Node, plain
from analyzer.config_words import explain
from analyzer.errors import UserError, nearest, plain_text


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
    return Config(name, stack.game, rules, stack.tree, default, shares_of(stack))


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
    overrides = overrides if isinstance(overrides, Mapping | str) else list(overrides)
    found = asked(game, file, overrides)
    try:
        return _checked(found.name, found.stack, found.shipped.tree, found.problems)
    except ConfigError as error:
        given = [*([str(file)] if file is not None else []), *given_by(overrides)]
        raise _blamed(error, given) from None


def _blamed(error: ConfigError, given: Sequence[str]) -> ConfigError:
    """The error with the sources of the user's named where a shipped file does not go with what they say."""
    if not given:
        return error
    told = f" (with what {' and '.join(map(plain_text, given))} changes)."
    problems = [
        one if one.place.source in given else replace(one, text=one.text.removesuffix(".") + told)
        for one in error.problems
    ]
    return ConfigError(problems, error.total)


def config_of(values: Mapping[str, object], base: str | None = None) -> Config:
    """The config of plain values as `Config.as_dict` gives them, for example out of a saved run."""
    source = "saved config"
    layer = layer_of(locate(values, Place(source)), source)
    name = base_name(base, layer, source)
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
