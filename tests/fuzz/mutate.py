"""Mutants of the real configs: a number of changes to their bytes, lines, tokens and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from analyzer.config import find_configs, load_config
from tests.fuzz import hostile

_TOKEN = re.compile(r"(?<=[:,\[ ])[^\s{}\[\],:#]+(?= ?[,}\]\n])")  # a plain value
_INT = re.compile(r"(?<=[ \[])-?\d+(?=[,}\]\n ])")


@dataclass(frozen=True)
class Seed:
    """A real config: its name, its text, the text by groups at its top, and its settings' keys."""

    name: str
    game: str
    text: str
    parts: tuple[str, ...]
    ranges: tuple[tuple[str, Any, Any], ...]  # key, value, range or options


@lru_cache(maxsize=1)
def seeds() -> tuple[Seed, ...]:
    """All shipped configs, of all games."""
    return tuple(map(_seed, find_configs()))


def _seed(name: str) -> Seed:
    text = find_configs()[name].read_text(encoding="utf-8")
    parts = tuple(re.split(r"\n(?=[a-z])", "\n" + text)[1:])
    config = load_config(name)
    told = tuple((one.key, one.value, one.range or one.options) for one in config.settings)
    return Seed(name, config.game, text, parts, told)


def some_seed(rng: Random) -> Seed:
    """One of the configs; each game as often as any other."""
    games: dict[str, list[Seed]] = {}
    for one in seeds():
        games.setdefault(one.game, []).append(one)
    return rng.choice(games[rng.choice(sorted(games))])


# ---------------------------------------------------------------- where a mutant begins


def whole(seed: Seed, rng: Random) -> str:
    """The whole file."""
    return seed.text


def some_parts(seed: Seed, rng: Random) -> str:
    """The header and a few groups of it: a user's file."""
    header = [part for part in seed.parts if part.startswith(("game:", "base:"))]
    rest = [part for part in seed.parts if part not in header]
    return "\n".join([*header, *rng.sample(rest, min(len(rest), rng.randint(0, 3))), ""])


def by_key(seed: Seed, rng: Random) -> str:
    """A user's file that moves a few settings, most of them to something hostile."""
    lines = [f"base: {seed.name}" if "/" in seed.name else f"game: {seed.game}"]
    for _ in range(rng.randint(1, 4)):
        key, value, allowed = rng.choice(seed.ranges)
        new = hostile.value(rng) if rng.random() < 0.6 else near(value, allowed, rng)
        lines.append(_nested(key, new, rng))
    rng.random() < 0.1 and rng.shuffle(lines)
    return "\n".join(lines) + "\n"


def plausible(seed: Seed, rng: Random) -> str:
    """A user's file that moves settings within (or just beyond) what a model takes."""
    lines = [f"base: {seed.name}" if "/" in seed.name else f"game: {seed.game}"]
    chosen = rng.sample(seed.ranges, min(len(seed.ranges), rng.randint(1, 6)))
    tree: dict[str, Any] = {}
    for key, value, allowed in chosen:
        _put(tree, key.split("."), near(value, allowed, rng))
    return "\n".join([*lines, *_written(tree)]) + "\n"


def near(value: Any, allowed: Any, rng: Random) -> str:
    """A value like the real one: in its range, at its ends, near them, none at all, or far off."""
    if isinstance(value, bool):
        return rng.choice(["true", "false"])
    if isinstance(value, int | float):
        low, high = (allowed or (value, value))[0], (allowed or (value, value))[-1]
        low, high = (low, high) if isinstance(low, int | float) else (value, value)
        numbers = [low, high, low - 1, high + 1, 0, 1, 2, value * 2, value + 1, value - 1, 30, 99, 200, 1000]
        return str(rng.choice(numbers))
    if isinstance(allowed, tuple):
        return str(rng.choice(allowed))
    return hostile.value(rng) if rng.random() < 0.3 else str(value)


def _nested(key: str, value: str, rng: Random) -> str:
    steps = key.split(".")
    if rng.random() < 0.8:
        return (
            "".join(f"{step}: {{" for step in steps[:-1]) + f"{steps[-1]}: {value}" + "}" * (len(steps) - 1)
        )
    return "\n".join(f"{'  ' * depth}{step}:" for depth, step in enumerate(steps)) + f" {value}"


def _put(tree: dict[str, Any], steps: list[str], value: str) -> None:
    for step in steps[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree[steps[-1]] = value


def _written(tree: dict[str, Any], depth: int = 0) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield f"{'  ' * depth}{key}:"
            yield from _written(value, depth + 1)
        else:
            yield f"{'  ' * depth}{key}: {value}"


# ---------------------------------------------------------------- changes


def _span(text: str, rng: Random) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.choice([0, 1, 1, 2, 8, 60, 500]))


def cut(text: str, rng: Random) -> str:
    """Some of it is gone."""
    start, end = _span(text, rng)
    return text[:start] + text[end:]


def copy(text: str, rng: Random) -> str:
    """Some of it stands elsewhere, too."""
    (start, end), place = _span(text, rng), rng.randint(0, len(text))
    return text[:place] + text[start:end] + text[place:]


def insert(text: str, rng: Random) -> str:
    """Something hostile in the middle of anything."""
    place = rng.randint(0, len(text))
    return text[:place] + hostile.value(rng) + text[place:]


def replace(text: str, rng: Random) -> str:
    """Something hostile in the place of a value."""
    found = list(_TOKEN.finditer(text))
    if not found:
        return text
    one = rng.choice(found)
    return f"{text[: one.start()]} {hostile.value(rng)}{text[one.end() :]}"


def number(text: str, rng: Random) -> str:
    """Another number in the place of one."""
    found = [one for one in _INT.finditer(text) if len(one[0]) < 20]
    if not found:
        return text
    one = rng.choice(found)
    return text[: one.start()] + near(int(one[0]), None, rng) + text[one.end() :]


def line(text: str, rng: Random) -> str:
    """A line twice, gone, elsewhere, or further in."""
    lines = text.split("\n")
    one = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            lines.insert(rng.randrange(len(lines)), lines[one])
        case 1:
            del lines[one]
        case 2:
            lines[one] = rng.choice([" ", "  ", "\t", "- ", "? "]) + lines[one]
        case _:
            lines[one] = lines[one].lstrip()
    return "\n".join(lines)


def document(text: str, rng: Random) -> str:
    """Another document, a directive, a bomb, before, after or within it."""
    more = hostile.bomb(rng) if rng.random() < 0.3 else rng.choice(hostile.DOCUMENTS)
    place = rng.choice([0, len(text), text.find("\n", rng.randint(0, len(text))) + 1])
    return text[:place] + more + text[place:]


def header(text: str, rng: Random) -> str:
    """Another game, base, mark or shares."""
    key = rng.choice(["game", "base", "mark", "shares", "value", "<<", "include", "!include"])
    words = [*find_configs(), "../moscow", "undaunted/_rules", "_rules", "undaunted/../moscow", "moscow\0"]
    value = rng.choice(words) if rng.random() < 0.5 else hostile.value(rng)
    return f"{key}: {value}\n{text}" if rng.random() < 0.7 else f"{text}\n{key}: {value}\n"


CHANGES: list[Callable[[str, Random], str]] = [
    cut,
    copy,
    insert,
    replace,
    replace,
    number,
    line,
    document,
    header,
]


def encoded(text: str, rng: Random) -> bytes:
    """The text in bytes: nearly always UTF-8, perhaps with bytes flipped."""
    raw = text.encode("utf-8", "surrogatepass")
    kind = rng.random()
    if kind < 0.80:
        return raw
    if kind < 0.84:
        return text.encode(
            rng.choice(["utf-16", "utf-32-be", "utf-7", "latin-1", "shift_jis", "utf-16-le"]), "replace"
        )
    if kind < 0.86:
        return rng.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf" * 2, b"\0" * 4]) + raw
    data = bytearray(raw)
    for _ in range(rng.randint(1, 4)):
        if data:
            place = rng.randrange(len(data))
            data[place] = data[place] ^ (1 << rng.randrange(8)) if rng.random() < 0.7 else rng.randrange(256)
    return bytes(data[: rng.randint(0, len(data))] if rng.random() < 0.1 else data)


def mutant(rng: Random) -> tuple[str, bytes]:
    """(kind, bytes) of a hostile config."""
    seed = some_seed(rng)
    kind = rng.random()
    if kind < 0.30:
        return "settings", encoded(by_key(seed, rng), rng)
    if kind < 0.50:
        return "plausible", plausible(seed, rng).encode("utf-8", "surrogatepass")
    if kind < 0.55:
        return "bytes", rng.randbytes(rng.choice([0, 1, 3, 20, 300]))
    if kind < 0.58:
        lines = [f"{hostile.name(rng)}: {hostile.value(rng)}" for _ in range(rng.randint(0, 8))]
        return "noise", encoded("\n".join([rng.choice([f"game: {seed.game}", ""]), *lines]), rng)
    start, many = (whole, 1) if kind < 0.63 else (some_parts, 3)
    text = start(seed, rng)
    for _ in range(rng.randint(1, many + 1)):
        text = rng.choice(CHANGES)(text, rng)
    return "file" if start is whole else "groups", encoded(text, rng)
