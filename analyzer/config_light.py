"""Changed settings without the model, for those that cannot wait for it: exact odds at the table.

Importing pydantic and building a model takes longer than all the rest of an answer. A shipped config is right
(the tests say so); a few numbers of it changed are right, too, if each is one that the model allows and the
game says that they surely fit together. Anything else is no business of this module: then it answers None,
and `config.load_config` does its work and has the words for what is wrong.

What the model allows stands in the file `bounds.json` of a game's room, a JSON schema for each setting, with
`*` for the items of lists. Make it again, where a model was changed, with
`python -m analyzer.config_bounds`; a test holds the two equal. What the game says is the function
`fit_together(rules, changed)` of the module `surely` of its room.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from analyzer import registry
from analyzer.config_layers import attributes
from analyzer.config_settings import implausible
from analyzer.config_stack import asked, shares_of
from analyzer.config_tree import Branch, Items, Leaf, Node, Plain, plain, under

MODULE, BOUNDS = "surely", "bounds.json"  # of a game's room
ITEM = "*"  # in the keys of the bounds: any item of a list


class Light(NamedTuple):
    """Rules as attributes, as `config_layers.shipped_values` has them, and where they are not plausible."""

    rules: Any
    warnings: list[str]


def light_config(game: str, file: Path | str | None, overrides: Any) -> Light | None:
    """What `load_config(game, file, overrides)` would accept, None where that is not sure.

    Raises UserError, as it does, for a file that cannot be read and overrides that are none.
    """
    room = registry.room(game)
    if not (room.shipped and room.has(MODULE)):
        return None
    found = asked(game, file, overrides)
    if found.problems or found.stack.game != game:
        return None
    surely = room.part(MODULE)
    bounds = json.loads((Path(surely.__file__ or "").parent / BOUNDS).read_text(encoding="utf-8"))
    changed = []
    for key, pattern, value in _changes(found.shipped.tree, found.stack.tree):
        if pattern not in bounds or not allows(bounds[pattern], value):
            return None
        changed.append(key)
    rules = attributes(plain(found.stack.tree))
    if not surely.fit_together(rules, changed):
        return None
    return Light(rules, implausible(found.stack.tree, shares_of(found.stack)))


def _changes(old: Node, new: Node, key: str = "", pattern: str = "") -> Iterator[tuple[str, str, Plain]]:
    """(key, key with `*` for items, value) of every setting that is not the shipped one.

    A group that has other names or other items than the shipped one counts as one setting: no bounds have it.
    """
    if new is old:
        return
    if isinstance(old, Branch) and isinstance(new, Branch) and old.children.keys() == new.children.keys():
        for name, child in new.children.items():
            yield from _changes(old.children[name], child, under(key, name), under(pattern, name))
    elif isinstance(old, Items) and isinstance(new, Items) and old.labels == new.labels:
        for name, was, child in zip(new.labels, old.children, new.children, strict=True):
            yield from _changes(was, child, under(key, name), under(pattern, ITEM))
    elif not (isinstance(old, Leaf) and isinstance(new, Leaf)):
        yield key, "", plain(new)
    elif not _same(old.value, new.value):
        yield key, pattern, new.value


def _same(one: Plain, other: Plain) -> bool:
    """Equal and of one type: for a model 1, 1.0 and true are three things."""
    return type(one) is type(other) and bool(one == other)


def allows(schema: Mapping[str, Any], value: Plain) -> bool:
    """Whether a value surely fits a JSON schema of the kinds that settings have."""
    if "enum" in schema or "const" in schema:
        return any(_same(value, one) for one in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return any(allows(one, value) for one in schema["anyOf"])
    match schema.get("type"):
        case "integer":
            return type(value) is int and _between(schema, value, "minimum", "maximum")
        case "number":
            return type(value) in (int, float) and _between(schema, value, "minimum", "maximum")
        case "boolean":
            return type(value) is bool
        case "string":
            fits = type(value) is str and "pattern" not in schema
            return fits and _between(schema, len(value), "minLength", "maxLength")
        case "array":
            fits = type(value) is list and _between(schema, len(value), "minItems", "maxItems")
            return fits and all(map(allows, _each(schema, len(value)), value))
    return False


def _between(schema: Mapping[str, Any], value: float, low: str, high: str) -> bool:
    exclusive = {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"} & schema.keys()
    return not exclusive and schema.get(low, value) <= value <= schema.get(high, value)


def _each(schema: Mapping[str, Any], length: int) -> list[Mapping[str, Any]]:
    """The schema of each item of a list; one that allows nothing where it is not told."""
    first = list(schema.get("prefixItems", ()))
    return [*first, *[schema.get("items") or {}] * (length - len(first))]
