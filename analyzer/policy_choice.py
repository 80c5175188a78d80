"""Policies by their name or line: those of a game, of other packages (entry points), and of the user's own.

Other packages add policies through the entry point group `analyzer.policies`
(`moscow.sprinter = "mypackage.policies:Sprinter"`). Two of one name are an error, never a choice. A policy
that was chosen is found again by its line, in any process, if its source has the digest that it had.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.errors import NoPolicyOf, UserError, clip, nearest, words_of
from analyzer.installed import entry_points
from analyzer.policy_source import (
    anew,
    code_digest,
    file_digest,
    import_module,
    is_brought,
    load_file,
    module_digest,
    source_file,
)
from analyzer.rooms import game_class, room, unique
from analyzer.specs import Spec, absolute, convert_all, fields_of, parse

if TYPE_CHECKING:
    from analyzer.games.base import Policy

POLICIES = "analyzer.policies"  # entry point group


def policies_of(game: str) -> dict[str, type[Policy]]:
    """The policies of a game by name: its own, then those of other packages (loaded here).

    Raises UserError if two have the same name.
    """
    ours: dict[str, type[Policy]] = {
        name: prepare(cls) for name, cls in room(game).part("policies").POLICIES.items()
    }
    for name, value in _foreign(game).items():
        if name in ours:
            raise UserError(f"Two policies of {game} are called {name!r}: the game's own and {value}.")
        source, _, attribute = value.partition(":")
        ours[name] = _class_of(import_module(source, value), attribute, game, value)
    return ours


def _foreign(game: str) -> dict[str, str]:
    """Entry points `<game>.<name>` by name; an entry point of no known game is an error, too."""
    found = []
    for point in entry_points(POLICIES):
        of, dot, name = point.name.partition(".")
        if not dot or not name:
            raise UserError(f"The entry point {point.name!r} ({point.value}) must be called game.policy.")
        if of == game:
            found.append((name, point.value))
    return unique(found, f"policies of {game}")


def default_policy(game: str) -> str:
    """The policy that plays where none is asked for: `balanced` if the game has it, else its last one."""
    known = policies_of(game)
    return "balanced" if "balanced" in known else list(known)[-1]


# ---------------------------------------------------------------- a policy from its line


@dataclass(frozen=True)
class Chosen:
    """A policy for a seat. `label` names it in tables; `spec` finds it again, from any folder and process.

    `digest` is the sha256 of its source for a policy from outside this package, "" for one of ours.
    `given` is set instead of being found by `spec` for an object made in the caller's own program.
    """

    label: str
    spec: str
    digest: str = ""
    given: Policy | None = field(default=None, compare=False, repr=False)

    def load(self, game: str) -> Policy:
        """The policy itself. Raises UserError if its source is not the one that was chosen."""
        if self.given is not None:
            return self.given
        policy, digest = _find(parse(self.spec), game)
        if digest != self.digest:
            policy, digest = _find(parse(self.spec), game, again=True)
        if digest != self.digest:
            raise UserError(f"The source of policy {self.spec!r} changed while the run was going on.")
        return policy

    def load_anew(self, game: str) -> Policy:
        """A policy of its own: its module is carried out once more, beside the one that is known.

        Only of a policy in a file or module (`source:Name`). What it prints meanwhile is not shown.
        """
        spec = parse(self.spec)
        with anew(spec):
            return _find(spec, game)[0]


def policy(spec: str | Policy | type[Policy], game: str) -> Policy:
    """The policy of a line such as `balanced:courage=0.5` or `path/to/file.py:Name`.

    Raises UserError for unknown names (with the nearest right one) and wrong parameters.
    """
    return choose(spec, game).load(game)


def choose(spec: str | Policy | type[Policy], game: str) -> Chosen:
    """Find and check a policy: a line, a policy object, or a policy class (with its default parameters)."""
    if isinstance(spec, str):
        parsed = absolute(parse(spec))
        found, digest = _find(parsed, game)
        return _chosen(parsed, found, digest)
    cls = spec if isinstance(spec, type) else type(spec)
    _check_class(cls, game, f"{cls.__name__}")
    found = make(spec, {}) if isinstance(spec, type) else spec
    for name, known in policies_of(game).items():
        if known is cls:
            return _chosen(Spec("", name, {}), found, "")
    written = _write(cls.__name__, found)
    return Chosen(written, f"{cls.__module__}:{written}", code_digest(cls), given=found)


def choose_again(line: str, digest: str, game: str, folder: Path) -> Chosen:
    """The policy that a saved run names by this line, if its source is the one that played (`digest`).

    folder: of the run. It may come from anywhere, so that nothing in it is carried out as code, and of what
    lies outside only the very source that played. Raises UserError otherwise.
    """
    parsed = parse(line)
    if not parsed.source and not digest:
        return choose(line, game)
    source = source_file(parsed)
    if source is not None and (not source.is_absolute() or source.is_relative_to(folder.resolve())):
        raise UserError(
            f"The policy file of {line!r} lies in no place of your own; {folder} cannot go on with it."
        )
    if parsed.source and (source is None or file_digest(source) != digest):
        raise UserError(
            f"The policy {line!r} of {folder} is not there any more as it played: its source is missing "
            "or was changed. Put it back, or run anew into another folder."
        )
    found = choose(line, game)
    if found.digest != digest:
        raise UserError(
            f"The policy {line!r} of {folder} is not the one that played: its source was changed."
        )
    return found


def _chosen(parsed: Spec, found: Policy, digest: str) -> Chosen:
    name = parsed.name or type(found).__name__
    label = _write(name, found)
    return Chosen(label, label if not parsed.source else f"{parsed.source}:{label}", digest)


def _write(name: str, found: Policy) -> str:
    """`name:parameter=value,...` with the parameters that are not at their defaults, in order."""
    values = {key: getattr(found, key) for key in fields_of(type(found))}
    plain = make(type(found), {})
    moved = [f"{key}={_text(value)}" for key, value in values.items() if value != getattr(plain, key)]
    return f"{name}:{','.join(moved)}" if moved else name


def _text(value: Any) -> str:
    return str(getattr(value, "name", value))


def _find(spec: Spec, game: str, again: bool = False) -> tuple[Policy, str]:
    """The policy and the digest of its source; `again` reads the source anew."""
    if not spec.source:
        name = spec.name.removeprefix(f"{game}.")
        known = policies_of(game)
        if name not in known:
            raise nearest(name, known, f"policy of {game}")
        cls = known[name]
        digest = "" if cls.__module__.startswith("analyzer.") else module_digest(sys.modules[cls.__module__])
        return make(cls, spec.params), digest
    if spec.is_file or is_brought(spec.source):
        module = load_file(Path(spec.source))
    else:
        module = import_module(spec.source, spec.name, game, again)
    cls = _class_of(module, spec.name, game, spec.source)
    return make(cls, spec.params), module_digest(module)


def make(cls: type[Policy], params: Mapping[str, str]) -> Policy:
    """A policy object of the class with these parameters (texts). Raises UserError for wrong ones."""
    prepare(cls)
    bare = [name for name, one in fields_of(cls).items() if _no_default(one)]
    if bare:
        raise UserError(f"Policy {cls.__name__}: the parameter {bare[0]} needs a default value.")
    values = convert_all(cls, params)
    try:
        made = cls(**values)
        wrong = _wrong_parts(made)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise UserError(f"Policy {cls.__name__} cannot be made: {words_of(error)}") from error
    if wrong:
        raise UserError(f"Policy {cls.__name__}: {wrong}")
    return made


def _wrong_parts(policy: Policy) -> str:
    """What is wrong with that which the engine takes from a policy besides its answers; "" if nothing is."""
    import numpy as np

    noise: Any = policy.noise
    kind = policy.score_dtype
    if not isinstance(noise, int | float):
        return f"its noise is {clip(repr(noise))}, not a number."
    try:
        dtype = np.dtype(kind)
    except TypeError:
        return f"its score_dtype is {clip(repr(kind))}; numpy.float32, float64 or uint8 are needed."
    if dtype != np.uint8 and dtype.kind != "f":
        return f"its score_dtype is {dtype}; numpy.float32, float64 or uint8 are needed."
    return ""


def _no_default(one: dataclasses.Field[Any]) -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


def prepare(cls: type[Any]) -> type[Any]:
    """The class as a frozen dataclass, with its bases, so that annotated names are parameters.

    An author just writes a class with annotated defaults; the decorator is given here.
    """
    from analyzer.games.base import Policy

    for one in reversed(cls.__mro__):
        if issubclass(one, Policy) and "__dataclass_params__" not in one.__dict__:
            try:
                dataclass(frozen=True)(one)
            except (TypeError, ValueError) as error:
                raise UserError(f"Policy {one.__name__}: its parameters are not right: {error}.") from error
    return cls


# ---------------------------------------------------------------- classes from modules and files


def _class_of(module: ModuleType, name: str, game: str, where: str) -> type[Policy]:
    """The policy class `name` of a module, or its only one if no name is given."""
    base = game_class(game).policy_base
    own = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    }
    if not name:
        if len(own) == 1:
            return next(iter(own.values()))
        listed = f"it has {', '.join(own)}" if own else f"it has no class that extends {base.__name__}"
        raise (UserError if own else NoPolicyOf)(f"Which policy of {where}? Write {where}:Class; {listed}.")
    if not hasattr(module, name):
        raise (
            nearest(name, own, f"policy in {where}:")
            if own
            else NoPolicyOf(f"There is no {name!r} in {where}, and no class that extends {base.__name__}.")
        )
    cls = getattr(module, name)
    _check_class(cls, game, f"{name} of {where}")
    return cls


def _check_class(cls: Any, game: str, where: str) -> None:
    base = game_class(game).policy_base
    if not isinstance(cls, type) or not issubclass(cls, base):
        raise NoPolicyOf(
            f"{where} is no policy of {game}: it must be a class that extends "
            f"{base.__name__} (from {base.__module__} import {base.__name__})."
        )
    prepare(cls)
