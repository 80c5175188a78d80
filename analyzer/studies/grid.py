"""The points of a sweep: values of settings and of a policy's parameters, as one checked request each.

moscow_strength=12:20:2       a number from, to, step
out_of_supply=lose_turn,lose_division      values
policy.courage=0.3:0.9:0.1    a parameter of the first policy (of all seats, if it is the only one)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from analyzer.config_read import Given
from analyzer.errors import UserError, argument
from analyzer.registry import Chosen, choose
from analyzer.sim.request import Request
from analyzer.sim.settings import plan
from analyzer.specs import parse, split_list
from analyzer.studies.outcomes import stem

MOST = 1000  # points of a sweep
POLICY, OVER = "policy.", "over"

Over = Mapping[str, object] | Iterable[str] | str


@dataclass(frozen=True)
class Way:
    """One key that is swept. values: in order; now: its value without the sweep."""

    key: str
    values: tuple[Any, ...]
    now: Any

    @property
    def numbers(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)

    @property
    def texts(self) -> list[str]:
        """The values as written."""
        return [word(value) for value in self.values]


@dataclass(frozen=True)
class Grid:
    """A sweep as asked for. base: without it; requests: a point each, the last key varying fastest; places:
    names of the policies by place, where several meet."""

    ways: tuple[Way, ...]
    base: Request
    requests: tuple[Request, ...]
    places: tuple[str, ...]

    @property
    def cells(self) -> list[tuple[Any, ...]]:
        """The values of each point."""
        return list(product(*(way.values for way in self.ways)))

    @property
    def fresh(self) -> bool:
        """Whether the base is none of the points."""
        return all(one.key != self.base.key for one in self.requests)


def word(value: Any) -> str:
    """A value as one writes it in a config."""
    return value if isinstance(value, str) else json.dumps(value)


def grid(
    game: str,
    over: Over,
    players: object = None,
    n: int = 10_000,
    policies: Any = None,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    axes: Mapping[str, object] | None = None,
) -> Grid:
    """The grid of a sweep. Raises UserError for anything wrong in it, at whichever point."""

    def asked(more: Sequence[str]) -> Request:
        laid = _over(settings, more)
        return plan(game, players, n, policies, policy, seed, laid, config, block, axes).single()

    wanted = _wanted(over)
    base = asked(())
    lines = _lines(policies, base, axes or {})
    ways = tuple(Way(key, values, _now(base, key)) for key, values in wanted.items())
    count = 1
    for way in ways:
        count *= len(way.values)
    if count > MOST:
        raise UserError(f"These are {count:,} points; at most {MOST:,} make a sweep.")
    keys = [way.key for way in ways]
    made: dict[tuple[str, ...], Request] = {}
    requests = []
    for cell in product(*(way.values for way in ways)):
        pairs = list(zip(keys, cell, strict=True))
        sets = tuple(f"{key}={json.dumps(v)}" for key, v in pairs if not key.startswith(POLICY))
        if sets not in made:
            made[sets] = asked(sets)
        given = {key.removeprefix(POLICY): v for key, v in pairs if key.startswith(POLICY)}
        requests.append(_with_policy(made[sets], given, lines) if given else made[sets])
    _felt(ways, requests, base)
    places = tuple(stem(label) for label in base.labels[:lines]) if lines > 1 else ()
    if len(set(places)) < len(places):
        places = tuple(f"{name} ({place})" for place, name in enumerate(places, 1))
    return Grid(ways, base, tuple(requests), places)


def _wanted(over: Over) -> dict[str, tuple[Any, ...]]:
    """Key -> values."""
    pairs: list[tuple[str, object]]
    if isinstance(over, Mapping):
        pairs = [(str(key), value) for key, value in over.items()]
    else:
        pairs = []
        for one in [over] if isinstance(over, str) else over:
            name, sign, text = str(one).partition("=")
            if not sign or not name.strip() or not text.strip():
                raise UserError(
                    f"{argument('over')} {one!r} is not allowed; key=from:to:step or key=value,value,..."
                )
            pairs.append((name.strip(), text))
    if not 1 <= len(pairs) <= 2:
        raise UserError(f"A sweep goes over one key or two, not {len(pairs)}.")
    found = {}
    for key, value in pairs:
        if key in found:
            raise UserError(f"{argument('over')} names {key} twice.")
        found[key] = values_of(key, value)
    return found


def values_of(key: str, wanted: object) -> tuple[Any, ...]:
    """The values of one key: a range `from:to:step`, values with commas, or a list of them."""
    if isinstance(wanted, str):
        parts = wanted.split(":")
        if len(parts) == 3 and (found := _range(key, parts)) is not None:
            return found
        import yaml

        try:
            values = [yaml.safe_load(part) for part in wanted.split(",")]
        except yaml.YAMLError:
            raise UserError(
                f"{argument('over')} {key}={wanted} is not allowed; from:to:step or value,value,..."
            ) from None
        if any(value is None for value in values):
            raise UserError(f"{argument('over')} {key}={wanted} has an empty place; write value,value,...")
    elif isinstance(wanted, Iterable):
        values = list(wanted)
    else:
        values = [wanted]
    unique = list({word(value): value for value in values}.values())
    if not unique:
        raise UserError(f"{argument('over')} {key} has no value.")
    return tuple(unique)


def _range(key: str, parts: Sequence[str]) -> tuple[Any, ...] | None:
    try:
        low, high, step = (Decimal(part.strip()) for part in parts)
    except InvalidOperation:
        return None
    if not all(one.is_finite() for one in (low, high, step)) or step <= 0 or high < low:
        raise UserError(
            f"{argument('over')} {key}={':'.join(parts)} is not allowed; from:to:step, rising, step above 0."
        )
    count = int((high - low) / step) + 1
    if count > MOST:
        raise UserError(f"{argument('over')} {key} has {count:,} values; at most {MOST:,} make a sweep.")
    found = [low + i * step for i in range(count)]
    whole = all(one == int(one) for one in found) and "." not in "".join(parts)
    return tuple(int(one) if whole else float(one) for one in found)


def _over(settings: Any, more: Sequence[str]) -> Any:
    if isinstance(settings, Mapping):
        pairs = (one.partition("=") for one in more)
        return {**settings, **{key: Given.by(OVER, value) for key, _, value in pairs}}
    return [
        *([settings] if isinstance(settings, str) else settings),
        *(Given.by(OVER, one) for one in more),
    ]


def _lines(policies: Any, base: Request, axes: Mapping[str, object]) -> int:
    """How many policies the line-up was given as."""
    if policies is not None:
        return len(split_list(policies) if isinstance(policies, str) else list(policies))
    return len(set(base.labels)) if axes.get("matchups") is not None else 1


def _now(base: Request, key: str) -> Any:
    """The value of a key without the sweep, None if it has none."""
    if key.startswith(POLICY):
        return getattr(base.policies[0].load(base.game), key.removeprefix(POLICY), None)
    for one in getattr(base.config, "settings", ()):
        if one.key == key:
            return one.value
    return getattr(base.config.rules, key, None)


def _with_policy(asked: Request, given: Mapping[str, Any], lines: int) -> Request:
    """The request with other parameters for the first policy of its line-up."""
    changed = tuple(
        changed_policy(one, given, asked.game) if place % lines == 0 else one
        for place, one in enumerate(asked.policies)
    )
    return replace(asked, policies=changed)


def changed_policy(one: Chosen, given: Mapping[str, Any], game: str) -> Chosen:
    """A policy with some of its parameters changed. Raises UserError with the nearest right parameter."""
    if one.given is not None:
        raise UserError(f"The parameters of {one.label} can be swept only if it is given as a line of text.")
    spec = parse(one.spec)
    params = {**spec.params, **{key: _param(value) for key, value in given.items()}}
    head = f"{spec.source}:{spec.name}" if spec.source else spec.name
    return choose(f"{head.rstrip(':')}:{','.join(f'{key}={v}' for key, v in params.items())}", game)


def _param(value: Any) -> str:
    return str(value) if isinstance(value, bool | str | int) else repr(float(value))


def _felt(ways: Sequence[Way], requests: Sequence[Request], base: Request) -> None:
    """A key whose values make no difference to what is played has been set by something else."""
    shape = [len(way.values) for way in ways]
    for place, way in enumerate(ways):
        step = 1
        for size in shape[place + 1 :]:
            step *= size
        first = requests[: step * shape[place] : step]
        if len(first) > 1 and len({one.key for one in first}) == 1:
            raise UserError(f"{way.key} makes no difference here: another option sets it.")
