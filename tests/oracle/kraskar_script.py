"""Hand-made positions of Kraskar, and a script that answers every decision, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.oracle.kraskar import PASS, Oracle
from tests.oracle.kraskar_defaults import rules_of, stratagem, unit

STRATAGEMS = [
    stratagem("boost", "boost", 2, 3),
    stratagem("boost 5", "boost", 2, 5),
    stratagem("rally", "rally", 4, 2),
    stratagem("rally 3", "rally", 6, 3),
    stratagem("weaken", "weaken", 3, 4),
    stratagem("weaken 2", "weaken", 2, 2),
    stratagem("strike", "strike", 4, None, 5, 2),
    stratagem("thunder", "strike", 7, None, 10, 1),
]


class Piece(NamedTuple):
    """A unit and where it stands; square None: retreated. hit_points None: full."""

    troop: str
    square: tuple[int, int] | None
    force: int = 5
    wit: int = 5
    stratagem: str = "none"
    country: str = "Ashmark"
    hit_points: int | None = None
    gauge: int = 0


def cavalry(square: tuple[int, int] | None, force: int = 5, **more: Any) -> Piece:
    return Piece("cavalry", square, force, **more)


def archer(square: tuple[int, int] | None, force: int = 5, **more: Any) -> Piece:
    return Piece("archer", square, force, **more)


def spearman(square: tuple[int, int] | None, force: int = 5, **more: Any) -> Piece:
    return Piece("spearman", square, force, **more)


def infantry(square: tuple[int, int] | None, force: int = 5, **more: Any) -> Piece:
    return Piece("infantry", square, force, **more)


TROOPS = {"cavalry": cavalry, "archer": archer, "spearman": spearman, "infantry": infantry}


class Script:
    """Answers in order: a tuple is an action, a number the column of a unit that returns; `...` at the end
    passes from there on.

    An extra question fails, and so does one of the other kind. `looks` keeps what was asked: (kind, seat,
    legal, snapshot at that moment).
    """

    def __init__(self, *answers: Any) -> None:
        self.left = list(answers)
        self.looks: list[tuple[str, int, Any, dict[str, Any]]] = []
        self.deploying: list[int] = []

    def __call__(self, kind: str, seat: int, legal: Any, oracle: Oracle) -> Any:
        self.looks.append((kind, seat, list(legal), oracle.snapshot()))
        assert self.left, f"asked {kind} {legal}, but the script is at its end"
        answer = PASS if self.left == [...] else self.left.pop(0)
        assert kind == ("deploy" if isinstance(answer, int) else "main"), (
            f"asked {kind}, the script has {answer}"
        )
        if kind == "deploy":
            assert oracle.deploying is not None
            self.deploying.append(oracle.deploying)
        return answer

    def legal(self, n: int = -1) -> list[Any]:
        """What was legal at the n-th question."""
        legal: list[Any] = self.looks[n][2]
        return legal

    def head(self, turn: int) -> dict[str, Any]:
        """The state at the first question of a turn: after its head, before anything is done."""
        return next(look for *_, look in self.looks if look["turn"] == turn)


def position(
    mine: Sequence[Piece],
    theirs: Sequence[Piece],
    *answers: Any,
    first: int = 0,
    turn: int = 0,
    castle: Sequence[int] | None = None,
    chips: Sequence[int] | None = None,
    **changes: Any,
) -> Oracle:
    """A position before the head of a turn, with a script; `changes` are rules unlike the default."""
    changes.setdefault("stratagems", STRATAGEMS)
    sides = (mine, theirs)
    decks = [
        [
            unit(f"{seat}-{k}", piece.country, piece.troop, piece.force, piece.wit, piece.stratagem)
            for k, piece in enumerate(side)
        ]
        for seat, side in enumerate(sides)
    ]
    placed = {(seat, k): piece for seat, side in enumerate(sides) for k, piece in enumerate(side)}
    return Oracle.at_position(
        rules_of(decks, **changes),
        Script(*answers),
        [[piece.square for piece in side] for side in sides],
        first=first,
        turn=turn,
        castle=castle,
        chips=chips,
        hit_points={key: p.hit_points for key, p in placed.items() if p.hit_points is not None},
        gauge={key: p.gauge for key, p in placed.items()},
    )


def turns(oracle: Oracle, n: int = 1) -> list[dict[str, Any]]:
    """Play n turns; their snapshots. The script must be used up."""
    steps = oracle.steps()
    snapshots = [next(steps) for _ in range(n)]
    assert script(oracle).left in ([], [...]), "answers left over"
    return snapshots


def script(oracle: Oracle) -> Script:
    assert isinstance(oracle.choose, Script)
    return oracle.choose


def legal_now(oracle: Oracle, *what: str) -> list[tuple[Any, ...]]:
    """The legal actions, of some sorts or of all, of the first question of a turn that is played just now."""
    choose = script(oracle)
    choose.left.append(PASS)
    next(oracle.steps())
    head = next(legal for kind, _, legal, _ in choose.looks if kind == "main")
    return [action for action in head if not what or action[0] in what]


def losses(oracle: Oracle) -> list[tuple[str, int, int]]:
    """(cause, target, loss) of every hit so far."""
    return [(hit["cause"], hit["target"], hit["loss"]) for hit in oracle.records("hit")]
