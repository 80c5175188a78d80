"""What pydantic found wrong with a config, in words a user can act on: where, which key, what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from analyzer.config_read import Place, Problem, unknown
from analyzer.config_tree import Branch, Items, Leaf, Node, leaves, shown, under

Schema: TypeAlias = dict[str, Any]

_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "null": "an empty value",
}


def explain(
    error: ValidationError, root: Node, default: Node, model: type[BaseModel], limit: int
) -> tuple[list[Problem], int]:
    """The first `limit` problems of a failed validation in the order of the file, and how many there are.

    root: the tree that failed. default: the shipped one, for the right place of a misplaced key.
    """
    schema = schema_of(model)
    found = [(one, *_follow(root, one["loc"])) for one in _innermost(error)]
    # A wrong key before the right one that is missing: the first is the mistake, the second follows from it.
    found.sort(key=lambda entry: (entry[1].source, entry[1].line or 0, entry[0]["type"] == "missing"))
    return [Problem(place, key, _words(one, schema, default)) for one, place, key in found[:limit]], len(
        found
    )


def _innermost(error: ValidationError) -> list[Any]:
    """The errors without those of a group that only say again that something in it is wrong."""
    all_of_them = error.errors(include_url=False)
    outer = {one["loc"][:i] for one in all_of_them for i in range(len(one["loc"]))}
    return [one for one in all_of_them if one["loc"] not in outer]


@lru_cache(maxsize=32)
def schema_of(model: type[BaseModel]) -> Schema:
    """The JSON schema of a model; made once, for it takes longer than reading a config."""
    return model.model_json_schema()


def _follow(root: Node, loc: Sequence[int | str]) -> tuple[Place, str]:
    """Place and dotted key of what pydantic names by field names and positions."""
    node: Node | None = root
    place, key = root.place, ""
    for step in loc:
        name = str(step + 1 if isinstance(step, int) else step)
        if isinstance(node, Items) and isinstance(step, int) and step < len(node.children):
            name, node = node.labels[step], node.children[step]
        else:
            node = node.children.get(name) if isinstance(node, Branch) else None
        key = under(key, name)
        place = node.place if node is not None else place
    return place, key


def _words(one: Any, schema: Schema, default: Node) -> str:
    loc = one["loc"]
    match one["type"]:
        case "extra_forbidden":
            return _unknown_key(str(loc[-1]), known_at(schema, loc[:-1]), default)
        case "missing":
            return f"missing; {allowed_at(schema, loc)}."
        case "value_error":
            return f"{one['ctx']['error']}."
    value = one["input"]
    return f"{shown(value)} is not allowed; {allowed_at(schema, loc)}."


def _unknown_key(name: str, known: Iterable[str], default: Node) -> str:
    elsewhere = [key for key, _ in leaves(default) if key.endswith("." + name)]  # right name, wrong place?
    return unknown(name, known, f" Did you mean {elsewhere[0]!r}?" if elsewhere else "")


def _resolve(schema: Schema, defs: Schema) -> Schema:
    """The schema behind a reference; what stands beside the reference is kept."""
    while "$ref" in schema:
        rest = {name: part for name, part in schema.items() if name != "$ref"}
        schema = {**defs[schema["$ref"].rsplit("/", 1)[-1]], **rest}
    return schema


def schema_at(schema: Schema, loc: Sequence[int | str]) -> Schema:
    """The part of a JSON schema that a location names; empty where it cannot be told."""
    defs = schema.get("$defs", {})
    here = _resolve(schema, defs)
    for step in loc:
        if isinstance(step, int):
            inner = here.get("items", {})
        else:
            more = here.get("additionalProperties")
            inner = here.get("properties", {}).get(step, more if isinstance(more, dict) else {})
        here = _resolve(inner, defs)
    return here


def known_at(schema: Schema, loc: Sequence[int | str]) -> list[str]:
    """The names of the settings of a group."""
    return list(schema_at(schema, loc).get("properties", {}))


def about_at(schema: Schema, loc: Sequence[int | str]) -> str:
    """What the model itself says about a setting, if it does."""
    return str(schema_at(schema, loc).get("description", ""))


def allowed_at(schema: Schema, loc: Sequence[int | str]) -> str:
    """What a setting may be, in words."""
    return allowed(schema_at(schema, loc), schema.get("$defs", {}))


def allowed(schema: Schema, defs: Schema) -> str:
    """What a JSON schema lets through, in words."""
    schema = _resolve(schema, defs)
    if "anyOf" in schema:
        return " or ".join(allowed(part, defs) for part in schema["anyOf"])
    if "enum" in schema:
        return f"one of {', '.join(map(shown, schema['enum']))}"
    if "const" in schema:
        return shown(schema["const"])
    kind = schema.get("type", "")
    if kind == "object":
        names = ", ".join(schema.get("properties", ()))
        return f"a group of settings{f' ({names})' if names else ''}"
    if kind == "array":
        return f"a list{_between(schema, 'minItems', 'maxItems', ' of ', ' items')}"
    if kind == "string":
        return f"a text{_between(schema, 'minLength', 'maxLength', ' of ', ' characters')}"
    return _KINDS.get(kind, "another value") + _span(schema)


def _span(schema: Schema) -> str:
    """The bounds of a number, in words."""
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    parts = [_between(schema, "minimum", "maximum", " from " if "minimum" in schema else " ", "")]
    parts += [f" above {above}"] * (above is not None) + [f" below {below}"] * (below is not None)
    return ",".join(part for part in parts if part)


def _between(schema: Schema, low: str, high: str, before: str, after: str) -> str:
    lowest, highest = schema.get(low), schema.get(high)
    if lowest is not None and highest is not None:
        span = str(lowest) if lowest == highest else f"{lowest} to {highest}"
        return f"{before}{span}{after}"
    if highest is not None:
        return f"{before}up to {highest}{after}"
    return f"{before}{lowest} or more{after}" if lowest is not None else ""


def leaf_locations(
    node: Node, loc: tuple[int | str, ...] = ()
) -> Iterable[tuple[tuple[int | str, ...], Leaf]]:
    """Every leaf with its location as pydantic would name it, in the order of `leaves`."""
    if isinstance(node, Leaf):
        yield loc, node
    elif isinstance(node, Branch):
        for name, child in node.children.items():
            yield from leaf_locations(child, (*loc, name))
    else:
        for i, child in enumerate(node.children):
            yield from leaf_locations(child, (*loc, i))
