"""One run as it was asked for: everything that determines its result, checked before anything is played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analyzer import seats
from analyzer.errors import UserError, argument
from analyzer.registry import (
    Chosen,
    Room,
    choose,
    default_policy,
    game_class,
    player_counts,
    players_in_words,
    room,
)
from analyzer.sim import seating, sources
from analyzer.sim.chance import MAX_SEED, Luck
from analyzer.specs import split_list

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.games.base import Game, Policy

DEFAULT_BLOCK = (
    100_000  # games played in lockstep, if there are enough of them and the game asks for no other
)
DEFAULT_N = 100_000
MAX_N = 10**9
MAX_BLOCK = 2**18
MAX_BLOCKS = 200_000  # the plan of a run is a list in memory, and every block a file


@dataclass(frozen=True)
class Request:
    """A run as asked for. `policies` by seat at rotation 0, `block` = games of a block.

    duplicate: every deal with its dice is played in all rotations of the policies; game i and all others of
    its rank, i // rotations, have the same luck. `n` is raised to a whole number of deals then.

    The result is a function of these fields alone: not of workers, their number or their order.
    """

    config: Config
    players: int
    policies: tuple[Chosen, ...]
    n: int = DEFAULT_N
    seed: int = 1
    block: int = DEFAULT_BLOCK
    duplicate: bool = False
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "room", room(self.config.game))
        for name, low, high in (("n", 1, MAX_N), ("block", 1, MAX_BLOCK), ("seed", 0, MAX_SEED)):
            object.__setattr__(self, name, check_number(name, getattr(self, name), low, high))
        if self.n // self.block > MAX_BLOCKS:
            least = -(-self.n // MAX_BLOCKS)
            raise UserError(
                f"{self.n} games in blocks of {self.block} are too many blocks; {argument('block')}: at "
                f"least {least}."
            )
        if len(self.policies) != self.players:
            raise UserError(
                f"{len(self.policies)} policies for {self.players} seats; give one for every seat."
            )
        if self.shares_luck:  # whole deals only
            object.__setattr__(self, "n", -(-self.n // len(self.rotations)) * len(self.rotations))
        self.make_game()  # raises for a number of players the game does not take

    @property
    def game(self) -> str:
        """The game's name."""
        return self.config.game

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The name of every seat, by place, as in `Results.seats`."""
        return seats.names(self.game, self.players)

    def make_game(self) -> Game:
        """The game under these rules. Raises UserError for a number of players it does not take."""
        return game_class(self.game)(self.config.rules, self.players)

    @cached_property
    def rotations(self) -> list[tuple[int, ...]]:
        """Index into `policies` by seat, one tuple a rotation."""
        return seating.rotations([f"{one.spec} {one.digest}" for one in self.policies])

    def blocks(self) -> list[seating.Block]:
        """The blocks of the run, in order."""
        return seating.plan(self.n, self.block, len(self.rotations), self.shares_luck)

    @property
    def shares_luck(self) -> bool:
        """Whether games of different rotations have the same luck; with one rotation there are none."""
        return self.duplicate and len(self.rotations) > 1

    def given(self) -> dict[str, Any]:
        """What was asked for, by field: for a request of another class that asks for more."""
        return {one.name: getattr(self, one.name) for one in fields(Request) if one.init}

    def luck(self, block: seating.Block) -> Luck:
        """All the chance of a block of the run."""
        return Luck(self.game, self.seed, block.luck, block.size, block.rows)

    def seated(self, policies: Sequence[Policy], rotation: int) -> list[Policy]:
        """The loaded policies in the order of the seats of a rotation."""
        return [policies[index] for index in self.rotations[rotation]]

    @cached_property
    def labels(self) -> list[str]:
        """The name of each policy in tables; different policies have different ones."""
        specs: dict[str, list[str]] = {}
        for one in self.policies:
            known = specs.setdefault(one.label, [])
            if one.spec not in known:
                known.append(one.spec)
        return [one.label if len(specs[one.label]) == 1 else one.spec for one in self.policies]

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that determines the run's games, as plain data: all but how many of them are played."""
        from analyzer import __version__

        return {
            "game": self.game,
            "players": self.players,
            "config": self.config.digest,
            "policies": [[one.spec, one.digest] for one in self.policies],
            "seed": self.seed,
            "block": self.block,
            "version": __version__,
            "engine": sources.digest_of(self.room),
            **({"duplicate": True} if self.shares_luck else {}),
        }

    @cached_property
    def key(self) -> str:
        """sha256 (hex) of `identity`: of two requests with one key the longer run begins with the shorter."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def folder_name(self) -> str:
        """The name of the run's own folder: game, players, and a piece of `key`."""
        return f"{self.game}-{self.players}p-{self.key[:10]}"

    def meta(self) -> dict[str, Any]:
        """What a saved run tells about itself, before it is played."""
        import platform

        import numpy as np

        from analyzer import __version__

        return {
            "game": self.game,
            "players": self.players,
            "config": self.config.as_dict(),
            "digest": self.config.digest,
            "policies": [one.spec for one in self.policies],
            "policy_digests": [one.digest for one in self.policies],
            "rotations": [[self.labels[index] for index in seats] for seats in self.rotations],
            "seed": self.seed,
            "n": self.n,
            "block": self.block,
            **({"duplicate": True} if self.shares_luck else {}),
            "key": self.key,
            "engine": sources.digest_of(self.room),
            "versions": {
                "analyzer": __version__,
                "python": platform.python_version(),
                "numpy": np.__version__,
            },
            "assumptions": [_plain(one) for one in self.config.assumptions],
        }


def build(
    game: str,
    players: int | None = None,
    n: int = DEFAULT_N,
    policies: str | Sequence[Any] | None = None,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    duplicate: bool = False,
) -> Request:
    """The checked request of `analyzer.run`'s arguments. Raises UserError for what is wrong in them."""
    from analyzer.registry import game_config

    known = config if hasattr(config, "rules") else game_config(game, config, settings)
    lines = _policy_lines(policies, policy, known.game)
    if players is None:
        players = len(lines) if len(lines) > 1 else min(4, max(player_counts(known.game)))
    check_players(known.game, players)
    chosen = [choose(one, known.game) for one in lines]
    if players % len(chosen):
        fit = [str(many) for many in range(1, players + 1) if players % many == 0]
        seats = "1 seat" if players == 1 else f"{players} seats"
        raise UserError(
            f"{len(chosen)} policies cannot be dealt out evenly to {seats}; give {' or '.join(fit)}."
        )
    return Request(
        known,
        players,
        tuple(chosen * (players // len(chosen))),
        n,
        seed,
        default_block(known.game) if block is None else block,
        bool(duplicate),
    )


def default_block(game: str) -> int:
    """Games played in lockstep if nobody says how many: what suits the game, BLOCK of its model if there is
    one. A game of many small questions wants more games to share the time that asking takes."""
    return int(getattr(room(game).part("model"), "BLOCK", DEFAULT_BLOCK))


def _policy_lines(policies: str | Sequence[Any] | None, policy: Any, game: str) -> list[Any]:
    """The policies asked for, one or several, before they are looked up."""
    if policies is not None and policy is not None:
        raise UserError(
            f"Give either one policy for all seats ({argument('policy')}) or policies by seat "
            f"({argument('policies')}), not both."
        )
    if policies is None:
        return [policy if policy is not None else default_policy(game)]
    lines = split_list(policies) if isinstance(policies, str) else list(policies)
    if not lines:
        raise UserError("The list of policies is empty; give one for each seat.")
    return lines


def check_players(game: str, players: object) -> None:
    """Raise UserError unless the game is for this number of players."""
    allowed = player_counts(game)
    if isinstance(players, bool) or not isinstance(players, int) or players not in allowed:
        raise UserError(f"{game} is for {players_in_words(game)}, not {players}.")


def check_number(name: str, value: object, low: int, high: int) -> int:
    """The value, if it is a whole number between low and high (1e3 is one). Raises UserError otherwise."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UserError(f"{argument(name)} must be a whole number from {low} to {high}, not {value!r}.")
    number = int(value)
    if not low <= number <= high:
        raise UserError(f"{argument(name)} must be from {low} to {high}, not {number}.")
    return number


def _plain(setting: Any) -> dict[str, Any]:
    """A setting of a config as a mapping."""
    names = ("key", "value", "default", "mark", "range", "options", "rule", "about")
    return {name: getattr(setting, name) for name in names}
