"""What the models of the games allow for each setting, written to files for `config_light`.

    python -m analyzer.config_bounds

Run it where a model was changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer import registry
from analyzer.config import find_configs, model_of
from analyzer.config_layers import shipped_stack
from analyzer.config_light import BOUNDS, ITEM, MODULE
from analyzer.config_tree import Branch, Items, Node, under
from analyzer.config_words import schema_at, schema_of

KEPT = (
    "anyOf", "const", "enum", "exclusiveMaximum", "exclusiveMinimum", "items", "maxItems", "maxLength",
    "maximum", "minItems", "minLength", "minimum", "multipleOf", "pattern", "prefixItems", "type",
)  # fmt: skip


def games() -> list[str]:
    """The games that can be asked about changed settings without their model."""
    return [name for name in registry.game_names() if registry.room(name).shipped
            and registry.room(name).has(MODULE)]  # fmt: skip


def file_of(game: str) -> Path:
    """Where the bounds of a game stand."""
    return Path(registry.room(game).part(MODULE).__file__ or "").parent / BOUNDS


def text_of(game: str) -> str:
    """The bounds of every setting of the game's shipped configs, one in a line."""
    schema = schema_of(model_of(game))
    found: dict[str, Any] = {}
    for name in find_configs():
        stack = shipped_stack(name)
        if stack.game == game:
            for pattern, loc in _patterns(stack.tree):
                found.setdefault(pattern, _plainly(schema_at(schema, loc), schema))
    lines = (f"{json.dumps(pattern)}: {json.dumps(one, sort_keys=True)}" for pattern, one in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _patterns(node: Node, key: str = "", loc: tuple[int | str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """(key with `*` for items, location in the schema) of every setting."""
    if isinstance(node, Branch):
        for name, child in node.children.items():
            yield from _patterns(child, under(key, name), (*loc, name))
    elif isinstance(node, Items):
        for number, child in enumerate(node.children):
            yield from _patterns(child, under(key, ITEM), (*loc, number))
    else:
        yield key, loc


def _plainly(schema: Any, root: Any) -> Any:
    """A schema with what it refers to, without the words about it."""
    if isinstance(schema, list):
        return [_plainly(one, root) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plainly(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    return {name: _plainly(schema[name], root) for name in KEPT if name in schema}


def main() -> None:
    """Write the files."""
    for game in games():
        file_of(game).write_text(text_of(game), encoding="utf-8")


if __name__ == "__main__":
    main()
