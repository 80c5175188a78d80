"""Games and policies by name, from this package, from others (entry points), and from the user's own files.

A game is a *room*: a package with the modules `rules` (GAME), `policies` (POLICIES) and `model` (RULES). The
rooms below `analyzer.games` are found by looking; other packages add rooms through the entry point group
`analyzer.games` (`mygame = "mypackage.mygame"`) and policies through `analyzer.policies`
(`moscow.sprinter = "mypackage.policies:Sprinter"`). Two things of one name are an error, never a choice.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.axes import Axis
from analyzer.errors import NoPolicyOf, UserError, clip, nearest, words_of
from analyzer.installed import entry_points
from analyzer.specs import Spec, absolute, convert_all, fields_of, parse

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.games.base import Policy

PLAYERS = "players"  # the axis that every game has
MATCHUPS = "matchups"  # the axis of every game for two
GAMES, POLICIES = "analyzer.games", "analyzer.policies"  # entry point groups; GAMES is also our own package


# ---------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class Room:
    """Where a game lives: its name and the package of its modules."""

    name: str
    package: str

    def part(self, module: str) -> ModuleType:
        """A module of the room. Raises UserError if the room lacks it."""
        name = f"{self.package}.{module}"
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name in (name, self.package):
                told = f"The game {self.name!r} is not complete: there is no module {name}."
                raise UserError(told) from None
            if self.shipped:
                raise
            raise _broken(name, error) from error
        except (Exception, SystemExit) as error:
            if self.shipped:
                raise
            raise _broken(name, error) from error

    @property
    def shipped(self) -> bool:
        """Whether it is a game of this package, with a shipped config of its name."""
        return self.package == f"{GAMES}.{self.name}"

    def has(self, module: str) -> bool:
        """Whether the room has this module (it is not imported)."""
        return importlib.util.find_spec(f"{self.package}.{module}") is not None


_extra: dict[str, Room] = {}  # rooms told by `register_room`: tests, and worker processes


def register_room(room: Room) -> None:
    """Make a room known in this process. Raises UserError if its name is taken by another one."""
    known = rooms().get(room.name)
    if known is not None and known != room:
        raise UserError(f"Two games are called {room.name!r}: {known.package} and {room.package}.")
    _extra[room.name] = room


def forget_room(name: str) -> None:
    """Undo `register_room`."""
    _extra.pop(name, None)


def rooms() -> dict[str, Room]:
    """All games by name. Raises UserError if two have the same name."""
    return {**_installed_rooms(), **_extra}


@cache
def _installed_rooms() -> dict[str, Room]:
    root = Path(__file__).parent / "games"
    ours = sorted(path.parent.name for path in root.glob("*/rules.py"))
    found = [(name, f"{GAMES}.{name}") for name in ours]
    found += [(point.name, point.value) for point in entry_points(GAMES)]
    return {name: Room(name, package) for name, package in _unique(found, "games").items()}


def _unique(found: Iterable[tuple[str, str]], what: str) -> dict[str, str]:
    """The pairs as a dict. Raises UserError if a name stands for two different things."""
    unique: dict[str, str] = {}
    for name, value in found:
        if unique.setdefault(name, value) != value:
            raise UserError(f"Two {what} are called {name!r}: {unique[name]} and {value}.")
    return unique


def game_names() -> list[str]:
    """The names of all games."""
    return sorted(rooms())


def room(name: str) -> Room:
    """The room of a game. Raises UserError with the nearest right name."""
    known = rooms()
    if name not in known:
        wrong = nearest(name, known, "game")
        if name.lower().endswith((".yaml", ".yml")):
            raise UserError(f"{wrong} A config is given by --config: analyze run GAME --config {name}")
        raise wrong
    return known[name]


def game_class(name: str) -> Any:
    """The class of a game: `game_class(name)(rules, players)` is a `games.base.Game`."""
    return room(name).part("rules").GAME


def player_counts(name: str) -> range:
    """How many players the game is for."""
    model = room(name).part("model")
    return range(model.MIN_PLAYERS, model.MAX_PLAYERS + 1)


def players_in_words(name: str) -> str:
    """For how many players the game is: `2 to 6 players`, `2 players`."""
    counts = player_counts(name)
    return f"{counts[0]} to {counts[-1]} players" if len(counts) > 1 else f"{counts[0]} players"


def axes(name: str) -> tuple[Axis, ...]:
    """What the game can be run over: its players, its policies against each other where two can play, then
    the AXES of its `model`, if it has any."""

    def refused(value: str) -> UserError:
        return UserError(f"{name} is for {players_in_words(name)}, not {value}.")

    players = Axis(
        PLAYERS,
        "numbers of players",
        names=lambda _: [str(count) for count in player_counts(name)],
        label=lambda count: "1 player" if count == "1" else f"{count} players",
        wrong=refused,
    )
    matchups = Axis(
        MATCHUPS,
        "policies that meet, in both seats in turn: all, A,B (every pairing of them) or A:B (that pairing)",
        names=lambda _: list(policies_of(name)),
        each=2,
        ordered=False,
        seated=True,
    )
    general = [players, matchups] if 2 in player_counts(name) else [players]
    return *general, *getattr(room(name).part("model"), "AXES", ())


def game_config(name: str, file: Path | str | None = None, overrides: Any = (), base: str = "") -> Config:
    """The config of a game: its shipped file, the user's file, overrides `key=value` (see analyzer.config).

    base: another shipped config of the game to build on, such as a scenario.
    A room of another package brings its own `load_config(file, overrides)` in its `model`.
    """
    own = getattr(room(name).part("model"), "load_config", None)
    if own is not None:
        return own(file, overrides)
    from analyzer.config import load_config

    found = load_config(base or name, file, overrides)
    if base and found.name != base:
        raise UserError(f"{file} stands on the config {found.name!r}; it cannot be laid over {base!r}.")
    return found


def changed_config(config: Config, change: Callable[[dict[str, Any]], None]) -> Config:
    """The config with its plain values (`Config.as_dict`) changed in place by `change`. Raises UserError if
    the game does not allow it."""
    values = copy.deepcopy(config.as_dict())
    change(values)
    own = getattr(room(config.game).part("model"), "load_config", None)
    if own is not None:
        return own(None, {key: json.dumps(value) for key, value in values.items() if key != "game"})
    from analyzer.config import config_of

    return config_of(values)


# ---------------------------------------------------------------- policies of a game


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
        ours[name] = _class_of(_import(source, value), attribute, game, value)
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
    return _unique(found, f"policies of {game}")


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
        parsed = parse(self.spec)
        is_file = parsed.is_file or parsed.source in _brought
        name = _file_module(Path(parsed.source))[0] if is_file else parsed.source
        package, _, own = name.rpartition(".")
        known, digest = sys.modules.pop(name, None), _digests.get(name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return _find(parsed, game)[0]
        finally:
            if known is not None:
                sys.modules[name] = known
                if package in sys.modules:
                    setattr(sys.modules[package], own, known)
            if digest is not None:
                _digests[name] = digest


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
    return Chosen(written, f"{cls.__module__}:{written}", _code_digest(cls), given=found)


def choose_again(line: str, digest: str, game: str, folder: Path) -> Chosen:
    """The policy that a saved run names by this line, if its source is the one that played (`digest`).

    folder: of the run. It may come from anywhere, so that nothing in it is carried out as code, and of what
    lies outside only the very source that played. Raises UserError otherwise.
    """
    parsed = parse(line)
    if not parsed.source and not digest:
        return choose(line, game)
    source = _source_file(parsed)
    if source is not None and (not source.is_absolute() or source.is_relative_to(folder.resolve())):
        raise UserError(
            f"The policy file of {line!r} lies in no place of your own; {folder} cannot go on with it."
        )
    if parsed.source and (source is None or _file_digest(source) != digest):
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


def _source_file(parsed: Spec) -> Path | None:
    """The file that holds a policy from outside, None if there is none. Nothing of it is carried out."""
    if not parsed.source:
        return None
    if parsed.is_file:
        return Path(parsed.source)
    see_folder(str(Path.cwd()))
    try:
        found = importlib.util.find_spec(parsed.source)
    except (ImportError, ValueError, AttributeError):
        return None
    return Path(found.origin) if found is not None and found.origin and found.has_location else None


def _file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:
        return ""


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
        digest = "" if cls.__module__.startswith("analyzer.") else _module_digest(sys.modules[cls.__module__])
        return make(cls, spec.params), digest
    if spec.is_file or spec.source in _brought:
        module = _load_file(Path(spec.source))
    else:
        module = _import(spec.source, spec.name, game, again)
    cls = _class_of(module, spec.name, game, spec.source)
    return make(cls, spec.params), _module_digest(module)


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


# ---------------------------------------------------------------- sources on their way to other machines

MAX_SOURCE = 2**20  # bytes of a file that travels

_brought: dict[str, bytes] = {}  # source as a spec names it -> its text, which came with a block


def sources_of(policies: Iterable[Chosen]) -> dict[str, bytes]:
    """The texts of the files that hold policies of the user's own, by source: what a worker on another
    machine lacks. What these files import must be installed there. Raises UserError for one too large."""
    found: dict[str, bytes] = {}
    for parsed in {
        one.spec: parse(one.spec) for one in policies if one.digest and one.given is None
    }.values():
        path = _source_file(parsed)
        if path is not None and path.suffix == ".py" and "site-packages" not in path.parts:
            if path.stat().st_size > MAX_SOURCE:
                raise UserError(
                    f"{path} has more than {MAX_SOURCE:,} bytes, too many to travel with a block."
                )
            found[parsed.source] = path.read_bytes()
    return found


def bring(sources: Mapping[str, bytes]) -> None:
    """Let these texts stand for their files in this process, from now on."""
    _brought.update(sources)


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


_digests: dict[str, str] = {}  # module name -> sha256 of the source that was loaded


def _module_digest(module: ModuleType) -> str:
    if module.__name__ not in _digests:
        path = getattr(module, "__file__", None)
        source = Path(path).read_bytes() if path and Path(path).is_file() else module.__name__.encode()
        _digests[module.__name__] = hashlib.sha256(source).hexdigest()
    return _digests[module.__name__]


def _code_digest(cls: type[Any]) -> str:
    """A digest of the code of a class made in the caller's own program, as far as it can be seen."""
    try:
        return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()
    except (OSError, TypeError):
        code = [f"{k}:{v.__code__.co_code.hex()}" for k, v in vars(cls).items() if inspect.isfunction(v)]
        return hashlib.sha256("|".join(code).encode()).hexdigest()


def see_folder(folder: str) -> None:
    """Let modules in this folder be imported, after everything that is installed."""
    if folder not in sys.path:
        sys.path.append(folder)


def _import(source: str, what: str, game: str = "", again: bool = False) -> ModuleType:
    see_folder(str(Path.cwd()))
    try:
        module = importlib.import_module(source)
        if again:
            _digests.pop(source, None)
            module = importlib.reload(module)
    except ModuleNotFoundError as error:
        if error.name is None or not (source == error.name or source.startswith(f"{error.name}.")):
            raise _broken(source, error) from error
        told = f"There is no module {source!r} to take the policy {what!r} from."
        value = f" If {what!r} is a parameter, it needs a value: {source}:{what}=value." if game else ""
        raise UserError(told + value) from None
    except (Exception, SystemExit) as error:
        raise _broken(source, error) from error
    _module_digest(module)
    return module


def _file_module(path: Path) -> tuple[str, bytes]:
    """The name of the module that a file makes, another one for every text, and the text."""
    try:
        source = _brought.get(str(path)) or path.read_bytes()
    except OSError as error:
        raise UserError(f"The policy file {path} cannot be read: {error.strerror or error}.") from None
    digest = hashlib.sha256(source).hexdigest()
    place = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    return f"policy_file_{path.stem}_{place}_{digest[:12]}", source


def _load_file(path: Path) -> ModuleType:
    """The module of a file; loaded anew whenever the file's text is another one."""
    name, source = _file_module(path)
    if name in sys.modules:
        return sys.modules[name]
    see_folder(str(path.parent))
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look the module up while the class is being made
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _broken(str(path), error) from error
    _digests[name] = hashlib.sha256(source).hexdigest()
    return module


def _broken(source: str, error: BaseException) -> UserError:
    """The words for a source that cannot be loaded: what happened, and in which line of it."""
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        # A file is named by its path, a module by its name.
        if source in (trace.tb_frame.f_code.co_filename, trace.tb_frame.f_globals.get("__name__")):
            line = trace.tb_lineno
        trace = trace.tb_next
    at = f", line {line}" if line else ""
    return UserError(f"{source}{at} cannot be loaded: {words_of(error)}")
