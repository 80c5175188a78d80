"""The tree of settings: leaves with mark and range, and how one layer of settings lies over another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from analyzer.config_read import MAX_DEPTH, ConfigError, Located, Place, Problem, Scalar, unknown
from analyzer.errors import clip

Plain: TypeAlias = Any  # scalars, and lists and dicts of them

MARKS = {"R": "the rules digest", "P": "a public source", "A": "an assumption"}
_EXTRAS = ("mark", "range", "options", "rule", "about")
_SPEC = ("value", *_EXTRAS)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One setting. `value` is a scalar or a list of plain values."""

    value: Plain
    place: Place
    mark: str = ""
    range: tuple[float, float] | None = None
    options: tuple[Scalar, ...] | None = None
    rule: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """Settings by name."""

    children: dict[str, Node]
    place: Place


@dataclass(frozen=True, slots=True)
class Items:
    """A list of groups of settings, each with a label: the value that tells it from the others.

    The label is the item's first setting (`km` of an advance card, `name` of a month). It stays as it was
    read, so that keys do not move when an override changes that very setting.
    """

    children: tuple[Node, ...]
    labels: tuple[str, ...]
    identity: str
    place: Place


Node: TypeAlias = Leaf | Branch | Items


def under(key: str, name: str) -> str:
    """The dotted key of `name` below `key`."""
    return f"{key}.{name}" if key else name


# ---------------------------------------------------------------- reading


def build(found: Located, key: str = "") -> Node:
    """The tree of located values. Raises ConfigError for a leaf whose mark or range makes no sense."""
    data, place = found.data, found.place
    if isinstance(data, dict):
        if "value" in data:
            return _leaf(data, place, key)
        named = ((child, under(key, name)) for name, child in data.items())
        return Branch(dict(zip(data, _build_all(named), strict=True)), place)
    if isinstance(data, list) and any(isinstance(item.data, dict) for item in data):
        numbered = ((item, under(key, str(i))) for i, item in enumerate(data, 1))
        return _items(tuple(_build_all(numbered)), place, None)
    return Leaf(_plain_of(found), place)


def _build_all(parts: Iterable[tuple[Located, str]]) -> list[Node]:
    """The trees of several (value, key); the problems of all of them are raised together."""
    built: list[Node] = []
    problems: list[Problem] = []
    for part, key in parts:
        try:
            built.append(build(part, key))
        except ConfigError as error:
            problems.extend(error.problems)
    if problems:
        raise ConfigError(problems)
    return built


def _plain_of(found: Located) -> Plain:
    if isinstance(found.data, dict):
        return {name: _plain_of(child) for name, child in found.data.items()}
    if isinstance(found.data, list):
        return [_plain_of(child) for child in found.data]
    return found.data


def _leaf(spec: Mapping[str, Located], place: Place, key: str) -> Leaf:
    for name, part in spec.items():
        if name not in _SPEC:
            raise ConfigError([Problem(part.place, under(key, name), unknown(name, _SPEC))])
    value = spec["value"]
    if isinstance(value.data, dict):
        raise ConfigError([Problem(value.place, key, "a value must be plain, or a list of plain values.")])
    extras = {name: _plain_of(part) for name, part in spec.items() if name != "value"}
    return _annotate(Leaf(_plain_of(value), place), extras, key)


def _annotate(leaf: Leaf, extras: Mapping[str, Plain], key: str) -> Leaf:
    """The leaf with mark, range, options, rule and about as given."""
    checked: dict[str, Any] = {}
    for name, given in extras.items():
        check, allowed = _CHECKS[name]
        if not check(given):
            text = f"{shown(given)} is not allowed; {allowed}."
            raise ConfigError([Problem(leaf.place, under(key, name), text)])
        checked[name] = tuple(given) if isinstance(given, list) else given
    if "range" in checked and "options" in checked:
        raise ConfigError([Problem(leaf.place, key, "give a range or options, not both.")])
    if "range" in checked:
        checked["options"] = None
    elif "options" in checked:
        checked["range"] = None
    return replace(leaf, **checked)


def marked(node: Node, mark: str) -> Node:
    """The tree with this mark on every leaf that has none."""
    match node:
        case Leaf():
            return node if node.mark else replace(node, mark=mark)
        case Branch():
            return replace(
                node, children={name: marked(child, mark) for name, child in node.children.items()}
            )
        case Items():
            return replace(node, children=tuple(marked(child, mark) for child in node.children))


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_range(value: Plain) -> bool:
    """True for [lowest, highest]."""
    pair = isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))
    return pair and value[0] <= value[1]


def _is_text(value: Plain) -> bool:
    return isinstance(value, str)


def _are_options(value: Plain) -> bool:
    return isinstance(value, list) and bool(value) and not any(isinstance(one, list | dict) for one in value)


def is_mark(value: Plain) -> bool:
    """True for one of the marks."""
    return isinstance(value, str) and value in MARKS


MARK_WORDS = "; ".join(f"{mark}: {text}" for mark, text in MARKS.items())
_CHECKS: dict[str, tuple[Callable[[Plain], bool], str]] = {
    "mark": (is_mark, MARK_WORDS),
    "range": (is_range, "[lowest, highest]"),
    "options": (_are_options, "a list of plain values"),
    "rule": (_is_text, "the id of a rule, such as M1"),
    "about": (_is_text, "a text"),
}


def shown(value: Plain) -> str:
    """A value as a user would write it, for errors and tables."""
    if value is None:
        return "an empty value"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a group of settings"
    if isinstance(value, list | tuple):
        return clip(f"[{', '.join(shown(one) for one in value[:20])}]")
    return repr(clip(value)) if isinstance(value, str) else str(value)


def _items(children: tuple[Node, ...], place: Place, identity: str | None) -> Items:
    first = children[0] if children else None
    if identity is None:
        identity = next(iter(first.children), "") if isinstance(first, Branch) else ""
    labels = tuple(_label(child, identity) for child in children)
    if "" in labels or len(set(labels)) < len(labels):  # not told apart by it: by place in the list
        labels = tuple(str(i) for i in range(1, len(children) + 1))
    return Items(children, labels, identity, place)


def _label(item: Node, identity: str) -> str:
    named = item.children.get(identity) if isinstance(item, Branch) else None
    return "" if not isinstance(named, Leaf) or isinstance(named.value, list) else str(named.value)


# ---------------------------------------------------------------- laying over


def merge(base: Node, new: Node, key: str = "") -> Node:
    """`new` laid over `base`: groups merge, a plain value keeps mark and range, a list replaces the list.

    A group laid over a list addresses its items by label. Raises ConfigError for an unknown label.
    """
    match base, new:
        case Leaf(), Leaf():
            return _relabel(base, new)
        case Leaf(), Branch() if new.children and set(new.children) <= set(_EXTRAS):
            return _annotate(replace(base, place=new.place), plain(new), key)
        case Branch(), Branch():
            merged = dict(base.children)
            for name, child in new.children.items():
                old = merged.get(name)
                merged[name] = child if old is None else merge(old, child, under(key, name))
            return Branch(merged, new.place)
        case Items(), Branch():
            return _merge_labelled(base, new, key)
        case Items(), Items():
            return _replace_list(base, new)
    return new


def _relabel(base: Leaf, new: Leaf) -> Leaf:
    """The new value with what the base knew about it, as far as the new layer does not say otherwise."""
    bounds = (new.range, new.options) if new.range or new.options else (base.range, base.options)
    return replace(
        new,
        mark=new.mark or base.mark,
        range=bounds[0],
        options=bounds[1],
        rule=new.rule or base.rule,
        about=new.about or base.about,
    )


def _merge_labelled(base: Items, new: Branch, key: str) -> Items:
    children = list(base.children)
    for name, child in new.children.items():
        if name not in base.labels:
            raise ConfigError([Problem(child.place, under(key, name), unknown(name, base.labels))])
        i = base.labels.index(name)
        children[i] = merge(children[i], child, under(key, name))
    return replace(base, children=tuple(children), place=new.place)


def _replace_list(base: Items, new: Items) -> Items:
    """The new list; its items take mark and range from the base's item of the same label.

    An item the base does not know takes marks and rules from the base's first item, but no range and no
    options: nobody said what is plausible for it.
    """
    items = _items(new.children, new.place, base.identity)
    known = dict(zip(base.labels, base.children, strict=True))
    pattern = _without_bounds(base.children[0]) if base.children else None
    children = []
    for label, child in zip(items.labels, items.children, strict=True):
        like = known.get(label, pattern)
        children.append(child if like is None else _inherit(like, child))
    return replace(items, children=tuple(children))


def _inherit(like: Node, new: Node) -> Node:
    """`new` with marks and ranges of `like`, but without any value of it."""
    match like, new:
        case Leaf(), Leaf():
            return _relabel(like, new)
        case Branch(), Branch():
            old = like.children
            return replace(
                new, children={n: _inherit(old[n], c) if n in old else c for n, c in new.children.items()}
            )
        case Items(), Items():
            return _replace_list(like, new)
    return new


def _without_bounds(node: Node) -> Node:
    if isinstance(node, Leaf):
        return replace(node, range=None, options=None)
    if isinstance(node, Branch):
        return replace(node, children={name: _without_bounds(child) for name, child in node.children.items()})
    return replace(node, children=tuple(map(_without_bounds, node.children)))


def put(node: Node, key: str, new: Node, done: str = "") -> Node:
    """The tree with `new` laid over what stands at the dotted `key`.

    Every group on the way takes the place of `new`, so that an error of the whole group points at it. A name
    new to a group is added, for the model to judge: it may be a setting that the shipped file leaves out.
    Raises ConfigError where a list has no such item, or a setting has nothing below it.
    """
    if not key or (isinstance(node, Leaf) and key == "value"):
        return merge(node, new, done)
    # Longest name first: a label may hold a dot (1.5) that is no step of the key.
    for name in sorted(names(node), key=len, reverse=True):
        if key == name or key.startswith(name + "."):
            child = put(child_of(node, name), key[len(name) + 1 :], new, under(done, name))
            return _with_child(node, name, child, new.place)
    if isinstance(node, Branch) and key.count(".") < MAX_DEPTH:
        name, _, rest = key.partition(".")
        child = put(Branch({}, new.place), rest, new, under(done, name)) if rest else new
        return _with_child(node, name, child, new.place)
    problem = Problem(new.place, under(done, key), unknown(key.split(".")[0], names(node)))
    raise ConfigError([problem])


def names(node: Node) -> tuple[str, ...]:
    """The names one step below a node."""
    if isinstance(node, Branch):
        return tuple(node.children)
    return node.labels if isinstance(node, Items) else ()


def child_of(node: Node, name: str) -> Node:
    """The node one step below, by name or label."""
    if isinstance(node, Branch):
        return node.children[name]
    assert isinstance(node, Items)
    return node.children[node.labels.index(name)]


def _with_child(node: Node, name: str, child: Node, place: Place) -> Node:
    if isinstance(node, Branch):
        return Branch({**node.children, name: child}, place)
    assert isinstance(node, Items)
    i = node.labels.index(name)
    return replace(node, children=(*node.children[:i], child, *node.children[i + 1 :]), place=place)


# ---------------------------------------------------------------- looking


def plain(node: Node) -> Plain:
    """The values alone: dicts, lists and scalars."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Branch):
        return {name: plain(child) for name, child in node.children.items()}
    return [plain(child) for child in node.children]


def leaves(node: Node, key: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every leaf with its dotted key, in the order of the file."""
    if isinstance(node, Leaf):
        yield key, node
        return
    for name in names(node):
        yield from leaves(child_of(node, name), under(key, name))


def find(node: Node, key: str) -> Node | None:
    """The node at a dotted key, or None."""
    if not key:
        return node
    for name in sorted(names(node), key=len, reverse=True):
        if key == name or key.startswith(name + "."):
            return find(child_of(node, name), key[len(name) + 1 :])
    return None
