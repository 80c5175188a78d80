"""The settings of a series: what a user asks for on the axes of a game, as one checked request each."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer import registry
from analyzer.axes import Axis, Names, select, several
from analyzer.disk import Lock
from analyzer.errors import Halted, PolicyError, UnknownArgument, UserError, argument
from analyzer.registry import PLAYERS
from analyzer.series import PAGE, SERIES, Series, Setting, setting_told
from analyzer.sim import folder, request, runner, saved
from analyzer.sim.request import Request
from analyzer.sim.results import Results

if TYPE_CHECKING:
    from analyzer.config import Config

MAX_SETTINGS = 1000
ONE_PRECISION = (  # why there is no series until a precision
    "for one setting only. A series plays as many games of each setting, so that they can be held against "
    "each other; give a number of games, or run the settings one by one."
)

Ready = Callable[[Setting, Results], None]
Command = Callable[[Setting | None], str]


def no_command(_: Setting | None) -> str:
    """No command to show."""
    return ""


@dataclass(frozen=True)
class Plan:
    """What was asked for: the axes that were given, and a request for each setting, in order.

    many: whether it is a series; if not, there is one request, an ordinary run.
    """

    game: str
    axes: tuple[Axis, ...]
    settings: tuple[Setting, ...]
    requests: tuple[Request, ...]
    many: bool

    @property
    def only(self) -> Request:
        """The request of a plan that is no series."""
        return self.requests[0]

    def single(self) -> Request:
        """The request of a plan that must not be a series. Raises UserError if there are several settings."""
        if len(self.requests) > 1:
            listed = ", ".join(setting.name for setting in self.settings[:6])
            more = ", ..." if len(self.settings) > 6 else ""
            raise UserError(f"Which of these {len(self.requests)} settings? Give one: {listed}{more}.")
        return self.only

    @property
    def n(self) -> int:
        """Games of all settings together."""
        return sum(one.n for one in self.requests)

    def warnings(self) -> list[str]:
        """What is implausible in the configs, each sentence once."""
        found = [line for one in self.requests for line in one.config.warnings()]
        if all(one.duplicate and not one.shares_luck for one in self.requests):
            found.append(
                "with one policy in all seats there are no rotations: duplicate deals change nothing."
            )
        return list(dict.fromkeys(found))

    @cached_property
    def key(self) -> str:
        """sha256 (hex) of all that determines the games of the series, but how many they are."""
        told = [[one.name, asked.key] for one, asked in zip(self.settings, self.requests, strict=True)]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def folder_name(self) -> str:
        """The name of its own folder: of a series game, axes and a piece of `key`; else that of the run."""
        if not self.many:
            return self.only.folder_name()
        return "-".join([self.game, *(axis.name for axis in self.axes), self.key[:10]])

    def default_folder(self, parent: Path) -> Path:
        """Its own folder below `parent`; under another name while a longer run is there, to lose no games."""
        own, n = parent / self.folder_name(), self.requests[0].n
        record = own / (SERIES if self.many else folder.RUN)
        if not record.exists():
            return own
        try:
            more = saved.read_json(record).get("n")
        except UserError:
            return own
        return own.with_name(f"{own.name}-n{n}") if isinstance(more, int) and more > n else own

    def meta(self) -> dict[str, Any]:
        """What a saved series tells about itself, before it is played."""
        first = self.requests[0]
        return {
            "game": self.game,
            "axes": [{"name": axis.name, "each": axis.each, "seated": axis.seated} for axis in self.axes],
            "n": first.n,
            "seed": first.seed,
            "key": self.key,
        }


def plan(
    game: str,
    players: object = None,
    n: int = request.DEFAULT_N,
    policies: Any = None,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    axes: Mapping[str, object] | None = None,
    duplicate: bool = False,
) -> Plan:
    """The plan of `analyzer.run`'s arguments; `axes`: keyword of an axis of the game -> what is wanted of it.

    Raises UserError for anything wrong in them, in whichever setting, before anything is played.
    """
    wanted = {PLAYERS: players, **(axes or {})}
    chosen, cells = _cells(game, wanted, settings, config)
    if len(cells) > MAX_SETTINGS:
        raise UserError(f"These are {len(cells):,} settings; at most {MAX_SETTINGS:,} make a series.")
    seated = next((axis for axis in chosen if axis.seated), None)
    if seated is not None and (policies is not None or policy is not None):
        raise UserError(f"Give either {argument(seated.keyword)} or the policies of the seats, not both.")
    requests = []
    for cell, known in zip(cells, _configs(game, cells, settings, config), strict=True):
        seats = next((int(names[0]) for axis, names in cell.items() if axis.name == PLAYERS), None)
        who = policies if seated is None else cell[seated]
        requests.append(
            request.build(game, seats, n, who, policy, seed, config=known, block=block, duplicate=duplicate)
        )
    many = len(cells) > 1 or any(several(value) for value in wanted.values())
    varying = [axis for axis in chosen if len({cell[axis] for cell in cells}) > 1] or chosen
    made = tuple(_setting(number, cell, varying) for number, cell in enumerate(cells, 1))
    return Plan(game, chosen, made, tuple(requests), many)


def config_of(game: str, settings: Any, config: Any, axes: Mapping[str, object]) -> Config:
    """The config of one setting. Raises UserError if `axes` ask for several."""
    _, cells = _cells(game, axes, settings, config)
    if len(cells) > 1:
        raise UserError(f"Which of these {len(cells)} settings? Give one value an option.")
    return _configs(game, cells, settings, config)[0]


Cell = Mapping[Axis, Names]


def _cells(
    game: str, wanted: Mapping[str, object], settings: Any, config: Any
) -> tuple[tuple[Axis, ...], list[Cell]]:
    """The axes that were given, and every combination of what is wanted of them."""
    known = {axis.keyword: axis for axis in registry.axes(game)}
    given = {name: value for name, value in wanted.items() if value is not None}
    for name in given:
        if name not in known:
            raise UnknownArgument(name, known, game)
    chosen = tuple(axis for name, axis in known.items() if name in given)
    base = None
    if any(axis.name != PLAYERS for axis in chosen):
        base = _configs(game, [{}], settings, config)[0]  # what the user gave, before any axis
    found = {axis: select(axis, given[axis.keyword], base) for axis in chosen}
    found |= _along(found, known, base)
    return tuple(found), [dict(zip(found, cell, strict=True)) for cell in product(*found.values())]


def _along(
    found: Mapping[Axis, list[Names]], known: Mapping[str, Axis], base: Any
) -> dict[Axis, list[Names]]:
    """The axes that come along with those that have several values, and what is wanted of them."""
    more: dict[Axis, list[Names]] = {}
    # The config of a room of another package need not know what the user moved.
    moved = {setting.key for setting in getattr(base, "settings", ()) if setting.moved}
    for axis, values in found.items():
        for name, wanted in axis.along if len(values) > 1 else ():
            other = next(one for one in known.values() if one.name == name)
            chosen = select(other, wanted, base)
            keys = {key for names in chosen for key in other.overrides(*names)}
            if other not in found and not keys & moved:
                more[other] = chosen
    return more


def _configs(game: str, cells: Sequence[Cell], settings: Any, config: Any) -> list[Config]:
    """The config of each cell: what its names override is laid over everything the user gave."""
    made: dict[str, Config] = {}  # cells that differ in players only share theirs
    found = []
    for cell in cells:
        bases = [axis.config(*names) for axis, names in cell.items() if axis.config is not None]
        laid: dict[str, object] = {}
        for axis, names in cell.items():
            laid |= axis.overrides(*names)
        if hasattr(config, "rules"):
            if bases or laid:
                raise UserError("A config that is made already takes no further axis; give its file instead.")
            return [config] * len(cells)
        key = json.dumps([bases, laid])
        if key not in made:
            base = bases[0] if bases else ""
            made[key] = registry.game_config(game, config, _over(settings, laid), base)
        found.append(made[key])
    return found


def _over(settings: Any, overrides: Mapping[str, object]) -> Any:
    """Settings as the user gave them (a mapping or key=value texts) with more laid over them."""
    written = {key: json.dumps(value) for key, value in overrides.items()}  # JSON is read as YAML, texts too
    if isinstance(settings, Mapping):
        return {**settings, **written}
    given = [settings] if isinstance(settings, str) else list(settings)
    return [*given, *(f"{key}={value}" for key, value in written.items())]


def _setting(number: int, cell: Cell, varying: Sequence[Axis]) -> Setting:
    """A cell as a setting, named by the axes that vary."""
    name = " · ".join(axis.label(*cell[axis]) for axis in varying)
    words = [word for axis in varying for word in (axis.name, *cell[axis])]
    plain = re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")
    folder = f"{number:02d}-{plain[:60].strip('-')}"  # the number keeps names apart and folders in order
    return Setting(name, {axis.name: names for axis, names in cell.items()}, folder)


# ---------------------------------------------------------------- playing them


def play(
    planned: Plan,
    out: Path | None = None,
    jobs: int | None = None,
    progress: runner.Progress | None = None,
    command: Command = no_command,
    meanwhile: Callable[[], None] | None = None,
    ready: Ready | None = None,
    told: Sequence[Mapping[str, Any]] = (),
) -> Series:
    """Play all settings with one crew; with `out`, the folder holds series.json and a run's folder a setting.

    A folder that holds games of this series already keeps them, and only the others are played.
    command: the command to show for one setting, and (given None) for the whole series.
    ready: called with each setting and its results when they are finished, while workers play the next ones;
    afterwards they are not held in memory, unless the whole series is.
    told: for each setting, what its saved run tells of itself (see `runner.Ask`).
    Everything else as in `runner.run_all`; Interrupted holds what is finished of the series.
    """
    started = time.perf_counter()
    place = _place(planned, out)
    held: dict[str, Results] = {}
    finished: set[str] = set()
    kept = 0

    def keep(number: int, results: Results) -> None:
        nonlocal kept
        setting = planned.settings[number]
        finished.add(setting.name)
        kept += results.kept
        if place.folder is None:
            held[setting.name] = results
        if ready is not None:
            ready(setting, results)

    def series(kind: str) -> Series:
        took = time.perf_counter() - started
        played = kept < planned.n or not place.before
        meta = {**planned.meta(), "command": command(None), "kind": kind}
        meta["wall_seconds"] = round(place.before + took * played, 3)
        if kind == "partial":  # the others will be asked for, when it goes on
            meta["planned"] = [setting_told(one) for one in planned.settings]
        there = [setting for setting in planned.settings if setting.name in finished]
        made = Series(meta, there, place.folder, held)
        made.kept, made.seconds = kept, took
        if place.folder is not None:
            made.save_meta(place.folder)
        if place.temporary is not None:
            weakref.finalize(made, place.temporary.cleanup)
        return made

    owner = place.locks[-1] if place.locks else None
    known = told or [{}] * len(planned.requests)
    asks = [
        runner.Ask(asked, place.folder and place.folder / setting.folder, command(setting), owner, more)
        for setting, asked, more in zip(planned.settings, planned.requests, known, strict=True)
    ]
    try:
        runner.run_all(asks, keep, jobs, progress, meanwhile, lambda: place.begin(planned))
        return series("complete")
    except runner.Interrupted:
        if not finished:
            place.clean(planned)
            raise
        raise runner.Interrupted(series("partial")) from None
    except PolicyError:
        place.clean(planned)
        raise
    except BaseException as error:
        if isinstance(error, Halted) and error.games:
            raise runner.with_hint(error, out) from error
        place.clean(planned)
        raise
    finally:
        for lock in place.locks:
            lock.release()


@dataclass
class _Place:
    """Where the runs of a series go: the user's folder, memory (None), or one that lives as long as it."""

    folder: Path | None = None
    temporary: tempfile.TemporaryDirectory[str] | None = None
    locks: list[Lock] = field(default_factory=list)
    fresh: bool = True  # whether the series began here, and did not go on
    marked: bool = False  # whether its record tells what it is now
    before: float = 0.0  # seconds that were played before

    def begin(self, planned: Plan) -> None:
        """Mark the series as not finished, if it is not all there."""
        if self.folder is not None and not self.marked:
            self.marked = True
            told = [setting_told(one) for one in planned.settings]
            folder.begin(self.folder, {**planned.meta(), "planned": told, "settings": []}, SERIES, PAGE)

    def clean(self, planned: Plan) -> None:
        """Remove the folder of a series that began here, and has come to nothing."""
        if self.folder is not None and self.fresh:
            folder.discard(self.folder, _ours(planned))


def _place(planned: Plan, out: Path | None) -> _Place:
    """Take the folder of the series. Raises UserError if it cannot be used."""
    place = _Place(out)
    if out is None and planned.n <= runner.MEMORY_GAMES:
        return place
    if out is None:
        place.temporary = tempfile.TemporaryDirectory(prefix="analyzer-")
        place.folder = Path(place.temporary.name)
    assert place.folder is not None
    there, place.locks = folder.take(place.folder, planned.meta(), SERIES, _ours(planned))
    if there is None:
        place.begin(planned)
    else:
        place.fresh, place.before = False, saved.seconds_of(there)
        place.marked = there.get("n") == planned.requests[0].n and there.get("kind") == "complete"
    return place


def _ours(planned: Plan) -> tuple[str, ...]:
    """All that the folder of this series may hold, its record last."""
    return (*(setting.folder for setting in planned.settings), *PAGE, SERIES)


def single_words(words: Sequence[str], axes: Sequence[Axis], setting: Setting) -> list[str]:
    """The words of a command that runs a series, as words that run one of its settings (where they like).

    Axes that came along by themselves are written out.
    """
    values = {f"--{axis.name}": ":".join(setting.values[axis.name]) for axis in axes}
    found: list[str] = []
    told = set()
    rest = iter(words)
    for word in rest:
        name, sign, _ = word.partition("=")
        if name not in values and name != "--out":
            found.append(word)
            continue
        if not sign:
            next(rest, None)
        if name in values:
            found += [name, values[name]]
            told.add(name)
    return [*found, *(word for name in values if name not in told for word in (name, values[name]))]
