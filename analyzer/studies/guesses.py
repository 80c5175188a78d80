"""Samples of a config's assumptions over their plausible ranges: one checked request a sample.

Combinations that the config refuses, and those whose groups of cards leave their plausible shares, are drawn
again: the samples are spread evenly over what the config takes for possible.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.errors import UserError, argument, nearest
from analyzer.sim.request import Request
from analyzer.sim.settings import plan
from analyzer.specs import names_in
from analyzer.stats.sensitivity import Design, Range, latin_hypercube, sobol_design

if TYPE_CHECKING:
    from analyzer.config_settings import Setting

ROUNDS = 60  # times that refused combinations are drawn again
FEWEST = 8  # samples without which there is no study
SOBOL = "sobol"
LATIN = "latin"


@dataclass(frozen=True)
class Samples:
    """A design and its requests. base: the game as it is; fixed: assumptions that do not vary, with the
    reason; refused: how many combinations were drawn again, by reason; kind: "latin" or "sobol"."""

    base: Request
    ranges: tuple[Range, ...]
    design: Design
    requests: tuple[Request, ...]
    fixed: dict[str, str]
    refused: Counter[str]
    kind: str = LATIN


def samples(
    game: str,
    count: int = 64,
    players: object = None,
    n: int = 2000,
    policies: Any = None,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    axes: Mapping[str, object] | None = None,
    only: Sequence[str] | str = (),
    kind: str = LATIN,
) -> Samples:
    """The samples of a game's assumptions. `only`: keys, or what keys begin with; what the user set stays.

    kind: "latin" for `count` points (Latin hypercube), "sobol" for count * (assumptions + 2) points, count a
    power of 2. Raises UserError.
    """
    if kind not in (LATIN, SOBOL):
        raise nearest(str(kind), (LATIN, SOBOL), "design")
    if count < FEWEST:
        raise UserError(f"{argument('samples')} must be {FEWEST} or more, not {count}.")
    if kind == SOBOL and count & (count - 1):
        raise UserError(
            f"{argument('samples')} must be a power of 2 for a Sobol design, such as 64, not {count}."
        )

    def asked(more: Mapping[str, Any]) -> Request:
        laid = [f"{key}={json.dumps(value)}" for key, value in more.items()]
        if isinstance(settings, Mapping):
            given: Any = {**settings, **{key: json.dumps(value) for key, value in more.items()}}
        else:
            given = [*([settings] if isinstance(settings, str) else settings), *laid]
        return plan(game, players, n, policies, policy, seed, given, config, block, axes).single()

    base = asked({})
    ranges, fixed = ranges_of(base.config.assumptions, only)
    if not ranges:
        raise UserError(f"{game} has no assumption to vary here.")
    draw = _sobol if kind == SOBOL else _latin
    design, requests, refused = draw(ranges, count, seed, asked, _plausible(base))
    return Samples(base, tuple(ranges), design, tuple(requests), fixed, refused, kind)


def ranges_of(
    assumptions: Sequence[Setting], only: Sequence[str] | str = ()
) -> tuple[list[Range], dict[str, str]]:
    """(what varies, what does not and why)."""
    wanted = names_in(only)
    keys = [one.key for one in assumptions]
    for name in wanted:
        if not any(_within(key, name) for key in keys):
            raise nearest(name, keys, "assumption")
    ranges: list[Range] = []
    fixed: dict[str, str] = {}
    for one in assumptions:
        if wanted and not any(_within(one.key, name) for name in wanted):
            fixed[one.key] = "not asked for"
        elif one.moved:
            fixed[one.key] = "set by the user"
        elif one.options is not None:
            ranges.append(Range(one.key, kind="choice", choices=tuple(one.options)))
        elif one.range is None:
            fixed[one.key] = "no plausible range is known"
        elif one.range[0] == one.range[1]:
            fixed[one.key] = "its range holds one value"
        else:
            whole = all(isinstance(x, int) for x in (one.value, *one.range))
            low, high = map(float, one.range)
            ranges.append(Range(one.key, low, high, "whole" if whole else "real"))
    return ranges, fixed


def _within(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name.rstrip('.')}.")


def _plausible(base: Request) -> Callable[[Request], str]:
    """What is implausible in a request's groups of cards, "" if nothing is; only groups that are plausible as
    they are can be left."""
    sound = {share.name for share in getattr(base.config, "shares", ()) if not share.outside}

    def why(asked: Request) -> str:
        for share in getattr(asked.config, "shares", ()):
            if share.outside and share.name in sound:
                return f"the number of {share.name} cards leaves its plausible range"
        return ""

    return why


Ask = Callable[[Mapping[str, Any]], Request]
Made = tuple[Design, list[Request], "Counter[str]"]


def _tried(ask: Ask, setting: Mapping[str, Any], why: Callable[[Request], str]) -> Request | str:
    """The request of a sample, or why there is none."""
    try:
        asked = ask(setting)
    except UserError as error:
        return str(error).splitlines()[0]
    return why(asked) or asked


def _latin(ranges: Sequence[Range], count: int, seed: int, ask: Ask, why: Callable[[Request], str]) -> Made:
    points: list[Any] = []
    found: list[Request] = []
    settings: list[dict[str, Any]] = []
    refused: Counter[str] = Counter()
    for again in range(ROUNDS):
        drawn = latin_hypercube(ranges, count, seed + 7919 * again)
        for point, setting in zip(drawn.points, drawn.settings, strict=True):
            asked = _tried(ask, setting, why)
            if isinstance(asked, str):
                refused[_general(asked)] += 1
                continue
            points.append(point)
            settings.append(setting)
            found.append(asked)
            if len(found) == count:
                return Design(drawn.names, np.array(points), settings), found, refused
    if len(found) < FEWEST:
        raise UserError(
            f"Of {ROUNDS * count:,} combinations {len(found)} are possible; vary fewer assumptions "
            f"with {argument('only')}."
        )
    return Design(tuple(one.name for one in ranges), np.array(points), settings), found, refused


def _sobol(ranges: Sequence[Range], count: int, seed: int, ask: Ask, why: Callable[[Request], str]) -> Made:
    """A base point stays only if all its mixtures are possible, too."""
    whole = sobol_design(ranges, count, seed)
    refused: Counter[str] = Counter()
    kept = []
    asked: dict[int, Request] = {}
    for first in range(count):
        rows = list(range(first, len(whole.points), count))
        tried = [_tried(ask, whole.settings[row], why) for row in rows]
        wrong = [one for one in tried if isinstance(one, str)]
        if wrong:
            refused[_general(wrong[0])] += 1
            continue
        kept.append(first)
        asked |= {row: one for row, one in zip(rows, tried, strict=True) if isinstance(one, Request)}
    if len(kept) < FEWEST:
        raise UserError(
            f"Of {count} groups of combinations {len(kept)} are possible; vary fewer assumptions with "
            f"{argument('only')}."
        )
    rows = [first + count * part for part in range(len(ranges) + 2) for first in kept]
    design = Design(whole.names, whole.points[rows], [whole.settings[row] for row in rows])
    return design, [asked[row] for row in rows], refused


def _general(reason: str) -> str:
    """A reason without its numbers, so that equal ones are counted together."""
    text = "".join("#" if c.isdigit() else c for c in reason)
    while "##" in text:
        text = text.replace("##", "#")
    return text[:160]
