"""A checked config as the rest of the program sees it: settings, what each rests on, and warnings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from analyzer.config_read import Place
from analyzer.config_tree import Leaf, Node, Plain, leaves, shown


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a config and what it rests on.

    `value` is None where a list of the user's leaves the item out, `default` where the shipped config has
    no such item. `range` is (lowest, highest); a setting has a range or options or neither.
    """

    key: str
    value: Plain
    default: Plain
    mark: str
    range: tuple[float, float] | None
    options: tuple[Plain, ...] | None
    rule: str
    about: str

    @property
    def moved(self) -> bool:
        """True if the value is not the shipped one."""
        return bool(self.value != self.default)

    @property
    def outside(self) -> bool:
        """True if the value is not among the plausible ones: allowed, but every report says so."""
        if self.value is None:
            return False
        if self.options is not None:
            return self.value not in self.options
        if self.range is None or not isinstance(self.value, int | float):
            return False
        return not self.range[0] <= self.value <= self.range[1]


Assumption = Setting


@dataclass(frozen=True, slots=True)
class Share:
    """How many cards (or pieces) a group has, against the plausible number: the sum of its `count`s."""

    name: str
    of: tuple[str, ...]
    range: tuple[float, float]
    total: int
    place: Place

    @property
    def outside(self) -> bool:
        """True if the group is not within its plausible share."""
        return not self.range[0] <= self.total <= self.range[1]


@dataclass(frozen=True)
class Config:
    """One checked config. `rules` is the game's own frozen model.

    tree, default: what was checked, and the shipped config it stands on, with marks and ranges.
    """

    name: str
    game: str
    rules: Any
    tree: Node = field(repr=False, compare=False)
    default: Node = field(repr=False, compare=False)
    shares: tuple[Share, ...] = ()

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All settings in order, and at the end those of the default that a list of the user's leaves out.

        Made when they are asked for: what the model says about each takes longer than reading the config.
        """
        from analyzer.config_words import about_at, leaf_locations, schema_of

        shipped = dict(leaves(self.default))
        model: Any = type(self.rules)
        schema = schema_of(model)
        settings = []
        for (key, leaf), (loc, _) in zip(leaves(self.tree), leaf_locations(self.tree), strict=True):
            was = shipped.pop(key, None)
            about = leaf.about or about_at(schema, loc)
            settings.append(_setting(key, leaf, leaf.value, was.value if was else None, about))
        settings.extend(_setting(key, leaf, None, leaf.value, leaf.about) for key, leaf in shipped.items())
        return tuple(settings)

    @property
    def assumptions(self) -> tuple[Setting, ...]:
        """The settings no source settles (mark A)."""
        return tuple(setting for setting in self.settings if setting.mark == "A")

    @property
    def marks(self) -> dict[str, str]:
        """Dotted key -> mark (R, P, A, or nothing) of every setting."""
        return {setting.key: setting.mark for setting in self.settings}

    def as_dict(self) -> dict[str, Any]:
        """The plain values, with the game's name; `config_of` makes the same config of it again."""
        return {"game": self.game, **self.rules.model_dump(mode="json")}

    @cached_property
    def digest(self) -> str:
        """sha256 (hex) of the canonical JSON of `as_dict`: of the rules, not of the file they came from."""
        import hashlib

        text = json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def describe(self) -> list[dict[str, str]]:
        """Rows of words for a table: key, value, default, mark, plausible, rule, about, note."""
        return [_row(setting) for setting in self.settings]

    def records(self) -> list[dict[str, Any]]:
        """As `describe`, for machines: numbers as numbers, `range` [low, high] or `options`, flags."""
        return [
            {
                **{
                    name: getattr(one, name)
                    for name in ("key", "value", "default", "mark", "range", "options")
                },
                **{name: getattr(one, name) for name in ("rule", "about", "moved", "outside")},
            }
            for one in self.settings
        ]

    def warnings(self) -> list[str]:
        """Where the config is allowed but not plausible: values and groups outside their ranges."""
        return implausible(self.tree, self.shares)


def implausible(tree: Node, shares: Iterable[Share]) -> list[str]:
    """A sentence for each setting and each share outside its plausible range."""
    settings = (_setting(key, leaf, leaf.value, None, "") for key, leaf in leaves(tree))
    lines = [
        f"{one.key} is {_word(one.value)}, outside the plausible {_plausible(one)}."
        for one in settings
        if one.outside
    ]
    for share in shares:
        if share.outside:
            low, high = share.range
            total = f"{share.name} has {share.total} cards in all"
            lines.append(f"{total}, outside the plausible {low} to {high}.")
    return lines


def _setting(key: str, leaf: Leaf, value: Plain, default: Plain, about: str) -> Setting:
    return Setting(key, value, default, leaf.mark, leaf.range, leaf.options, leaf.rule, about)


def _word(value: Plain) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else shown(value)


def _plausible(setting: Setting) -> str:
    if setting.options is not None:
        return ", ".join(map(_word, setting.options))
    return f"{setting.range[0]} to {setting.range[1]}" if setting.range is not None else ""


def _row(setting: Setting) -> dict[str, str]:
    notes = ["moved"] * setting.moved + ["outside"] * setting.outside
    return {
        "key": setting.key,
        "value": _word(setting.value),
        "default": _word(setting.default),
        "mark": setting.mark,
        "plausible": _plausible(setting),
        "rule": setting.rule,
        "about": setting.about,
        "note": ", ".join(notes),
    }
