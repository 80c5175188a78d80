"""What `analyze check` looks at: a config file, a policy, a game."""

from __future__ import annotations

from functools import partial

from analyzer import registry
from analyzer.apart import Ended, Tell, apart
from analyzer.errors import NoPolicyOf, PolicyError, UserError


def check(what: str, game: str | None, patience: float, tell: Tell) -> list[str]:
    """Check a config file, a game or a policy; returns what was found. Raises UserError if it is wrong.

    patience: seconds that a policy or a game may take for one answer. tell: is told of each step.
    A policy and a game play in a process of their own, so that one which ends its process can be told.
    """
    if what.endswith((".yaml", ".yml")):
        return _check_config(what)
    try:
        return apart(partial(_check_code, what, game, patience), tell)
    except Ended as ended:
        thing = "game" if what in registry.game_names() else "policy"
        raise PolicyError(
            f"The {thing} {what} ended the process that it was checked in ({ended.how}), at: {ended.at}. "
            "Whatever happens, it must return or raise an exception."
        ) from None


def _check_code(what: str, game: str | None, patience: float, tell: Tell) -> list[str]:
    from analyzer import testing
    from analyzer.sim.patience import Patience

    if what in registry.game_names():
        testing.check_game(what, patience=patience, tell=tell)
        return [f"The game {what} keeps its contract."]
    tell("looking for the policy", 0, 1)
    with Patience(patience, "the policy"):  # its file is carried out here for the first time
        of = game if game is not None else _game_of(what)
    testing.check_policy(what, of, patience=patience, tell=tell)
    return [f"The policy {what} is right for {of}."]


def _check_config(path: str) -> list[str]:
    from analyzer.config import check_file

    lines = check_file(path)
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error")]
    if errors:
        raise UserError("\n".join(errors))
    return [f"The config {path} is right.", *lines, *_undealt(path)]


def _undealt(path: str) -> list[str]:
    """The numbers of players whom a config's deck does not serve, and why. Raises UserError if it is all."""
    from analyzer.config import load_config

    config = load_config(file=path)
    reasons: dict[int, str] = {}
    counts = registry.player_counts(config.game)
    for players in counts:
        try:
            registry.game_class(config.game)(config.rules, players)
        except UserError as error:
            reasons[players] = str(error)
    told = [f"not for {players} player{'s' * (players > 1)}: {why}" for players, why in reasons.items()]
    if len(reasons) == len(counts):
        raise UserError("\n".join(told))
    return [f"warning: {line}" for line in told]


def _game_of(policy: str) -> str:
    """The one game a policy is for, by the class it extends. Raises UserError if that does not tell."""
    names, wrong = [], set()
    for name in registry.game_names():
        try:
            registry.policy(policy, name)
        except NoPolicyOf:
            continue
        except UserError as error:  # of this game, but something else is wrong with it
            wrong.add(str(error))
        names.append(name)
    if len(names) == 1:
        return names[0]
    if len(wrong) == 1:  # the same with every game
        raise UserError(wrong.pop())
    if not names:
        raise UserError(f"There is no policy at {policy!r}: a policy extends the base class of its game.")
    raise UserError(f"Which game is the policy {policy} for? Give --game, one of {', '.join(names)}.")
