"""Go on with a saved run or series: what it was, read from its own folder.

    results = analyzer.resume("out")              # plays what is missing or damaged
    results = analyzer.resume("out", n=2_000_000) # ... and more games of the same run

A folder may come from anywhere. It names policies, and these are code: their source must be the one that
played, and lie outside the folder; it is compared before anything of it is carried out.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import __version__, registry
from analyzer.errors import UserError
from analyzer.series import SERIES, Setting, read_series
from analyzer.sim import runner, saved
from analyzer.sim.request import Request
from analyzer.sim.settings import Plan, play

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.series import Series
    from analyzer.sim.results import Results

NEEDED = ("config", "digest", "policy_digests", "block", "key")


@dataclass(frozen=True)
class Found:
    """What a folder holds: the plan that made it (with more games if wanted), and what it tells of itself.

    told: for each setting, what its record tells that its request does not know. commands: of each setting.
    command: of the whole. precision: until when a run goes on that is asked for a precision.
    """

    folder: Path
    plan: Plan
    told: tuple[Mapping[str, Any], ...]
    commands: Mapping[str, str]
    command: str
    precision: float | None = None

    def command_of(self, setting: Setting | None) -> str:
        """The command to show for a setting, or (given None) for the whole series."""
        return self.command if setting is None else self.commands[setting.name]


def find(folder: Path, n: int | None = None) -> Found:
    """What a folder holds, for n games (None: as many as were asked for). Raises UserError if it is no run's,
    or cannot go on: another version played it, or a policy is not there any more."""
    if (folder / SERIES).is_file():
        return _series(folder, n)
    meta = saved.read_meta(folder)
    asked = meta.get("precision") if n is None else None
    asked = asked if asked and "max_n" in asked else None
    request = _request(folder, meta, asked["max_n"] if asked else n)
    nameless = Setting("", {}, "")
    command = with_n(str(meta.get("command", "")), n)
    plan = Plan(request.game, (), (nameless,), (request,), False)
    half = asked["half"] if asked else None
    return Found(folder, plan, (_told(meta),), {"": command}, command, half)


def resume(
    folder: Path, n: int | None = None, jobs: int | None = None, progress: runner.Progress | None = None
) -> Results | Series:
    """Go on with the run or the series in a folder. Raises UserError as `find`, and as `runner.run_all`."""
    found = find(folder, n)
    if found.plan.many:
        return play(found.plan, folder, jobs, progress, found.command_of, told=found.told)
    more = (folder, jobs, progress, found.command)
    if found.precision is None:
        return runner.run(found.plan.only, *more, told=found.told[0])
    from analyzer.sim import precision

    return precision.run(found.plan.only, found.precision, *more, told=found.told[0])


def _series(folder: Path, n: int | None) -> Found:
    meta, _, settings = read_series(folder)
    axes = {axis.name: axis for axis in registry.axes(str(meta["game"]))}
    unknown = [str(axis["name"]) for axis in meta["axes"] if axis["name"] not in axes]
    if unknown:
        raise UserError(
            f"{folder} is a series over {', '.join(unknown)}, which {meta['game']} does not have."
        )
    requests, told, commands = [], [], {}
    for setting in settings:
        if not (folder / setting.folder / "run.json").exists():
            raise UserError(
                f"{folder} was stopped before all its settings had begun; repeat the command that made it."
            )
        own = saved.read_meta(folder / setting.folder)
        requests.append(_request(folder / setting.folder, own, n if n is not None else _n(folder, meta)))
        told.append(_told(own))
        commands[setting.name] = with_n(str(own.get("command", "")), n)
    chosen = tuple(axes[axis["name"]] for axis in meta["axes"])
    plan = Plan(str(meta["game"]), chosen, tuple(settings), tuple(requests), True)
    if not requests or plan.key != meta.get("key"):
        raise UserError(
            f"{folder} is damaged: its settings are not those of its {SERIES}; repeat the series."
        )
    return Found(folder, plan, tuple(told), commands, with_n(str(meta.get("command", "")), n))


def _n(folder: Path, meta: Mapping[str, Any]) -> int:
    if type(meta["n"]) is not int:
        raise UserError(f"{folder / SERIES} is damaged: n cannot be {meta['n']!r}; repeat the series.")
    return int(meta["n"])


def _told(meta: Mapping[str, Any]) -> dict[str, Any]:
    """What the config of a saved run cannot tell once it is made again: what the user's file said of it."""
    # Intervals of a run until a precision hold at every look, so also when it goes on.
    return {name: meta[name] for name in ("assumptions", "precision") if name in meta}


def _request(folder: Path, meta: Mapping[str, Any], n: int | None) -> Request:
    """The request of a saved run. Raises UserError if it cannot be made again exactly."""
    missing = [name for name in NEEDED if name not in meta]
    if missing:
        raise UserError(f"{folder / 'run.json'} does not tell {', '.join(missing)}; this run cannot go on.")
    game = str(meta["game"])
    config = _config(game, meta["config"], folder)
    if config.digest != meta["digest"]:
        raise UserError(
            f"{folder} was played by other rules than this version of {game} makes of its config."
        )
    specs, digests = meta["policies"], meta["policy_digests"]
    if not len(specs) == len(digests) == meta["players"]:
        raise UserError(f"{folder / 'run.json'} is damaged: there must be a policy for each seat.")
    policies = tuple(
        registry.choose_again(spec, digest, game, folder) for spec, digest in zip(specs, digests, strict=True)
    )
    wanted = meta["n"] if n is None else n
    request = Request(
        config, meta["players"], policies, wanted, meta["seed"], meta["block"], meta.get("duplicate") is True
    )
    if request.key != meta["key"]:
        version = meta.get("versions", {}).get("analyzer")
        if (version, meta.get("engine")) == (request.identity["version"], request.identity["engine"]):
            raise UserError(
                f"{folder / 'run.json'} was changed since it was written: its key is that of another seed, "
                "block or setting. Put it back, or run anew into another folder."
            )
        raise UserError(
            f"{folder} was played by {_player(meta, request)}; this one cannot go on with it. {ANEW}"
        )
    return request


ANEW = "Go on with the program that began it, or run anew into another folder."


def _player(meta: Mapping[str, Any], request: Request) -> str:
    """What program played a saved run, in words."""
    version = meta.get("versions", {}).get("analyzer")
    if version != __version__ or meta.get("engine") == request.identity["engine"]:
        return f"version {version} of the program"
    return f"another state of the program (the source of its engine, or of {request.game}, was changed since)"


def _config(game: str, values: Mapping[str, Any], folder: Path) -> Config:
    """The config that a saved run had. Raises UserError if the game takes no such config."""
    room = registry.room(game)
    if getattr(room.part("model"), "load_config", None) is None:
        from analyzer.config import ConfigError, config_of

        try:
            return config_of(dict(values))
        except ConfigError as error:
            first, more = error.problems[0], f" ({error.total - 1} more mistakes.)" if error.total > 1 else ""
            raise UserError(f"{folder / 'run.json'} is damaged: {first}{more}") from None
    given = {key: json.dumps(value) for key, value in values.items() if key != "game"}
    try:
        return registry.game_config(game, None, given)
    except UserError:
        raise
    except Exception as error:  # of a room of another package
        why = " ".join(str(error).split())[:200]
        raise UserError(f"{game} takes no config like the saved one ({why}).") from error


def with_n(command: str, n: int | None) -> str:
    """A command (of the command line, or a call from Python) for n games instead of what it had."""
    if n is None:
        return command
    if command.startswith("analyzer.run("):
        return re.sub(r"\bn=\d+", f"n={n}", command)
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    if words[1:2] != ["run"]:
        return command
    kept, rest = [], iter(words)
    for word in rest:
        if word == "--n":
            next(rest, None)
        elif not word.startswith("--n="):
            kept.append(word)
    return shlex.join([*kept, "--n", str(n)])
