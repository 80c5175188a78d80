"""Hand-made positions of Undaunted, and a script that answers every decision, for tests of single rules.

The board of the positions has 12 tiles in three rows of four: tile 4 * y + x lies at (x, y). Its neighbours
are those of the hex topology, so 5 has the neighbours 0, 1, 4, 6, 9, 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from tests.oracle.undaunted import Oracle
from tests.oracle.undaunted_defaults import card_rows, rules_of
from tests.oracle.undaunted_table import CODES, CONTROLLED, ORDER, SCOUTED, SIDES, UNITS, Luck

COLUMNS, ROWS = 4, 3
TILES = COLUMNS * ROWS
FIRST, LAST = 0, 2**32 - 1  # the draw of the first or last card of a deck, in the order of codes
MISS, HIT = 1, 0  # faces: no defence is as low as 1
HOME = (0, TILES - 1)  # where each side's units come on the board, unless a force says otherwise
RICH = 6  # the tile with the points of the default board
GOAL = 50


@dataclass
class Force:
    """What a side has; cards are codes with spaces between them.

    A third Rifleman unit on the board and two cards in the supply keep a side from being pinned or without
    hope; a `bare` force has only what is said, and is to pin the enemy.
    """

    hand: str = ""
    deck: str = ""
    discard: str = ""
    played: str = ""
    supply: str = ""
    counters: Mapping[str, int] = field(default_factory=dict)
    suppressed: str = ""
    scouted: Sequence[int] = ()
    controlled: Sequence[int] = ()
    target: int | None = None
    spawn: Mapping[str, int] = field(default_factory=dict)
    goal: int | str | None = None  # None: GOAL, or "pin" for a bare force
    bare: bool = False


def tiles(
    forces: Sequence[Force],
    cover: Mapping[int, int] | None = None,
    points: Mapping[int, int] | None = None,
    hills: Iterable[int] = (),
    radio: int | None = None,
) -> list[dict[str, Any]]:
    """The tiles of the board; hills have cover 3."""
    cover = {**(cover or {}), **dict.fromkeys(hills, 3)}
    points = {RICH: GOAL} if points is None else points
    board: list[dict[str, Any]] = []
    for k in range(TILES):
        spawn: dict[str, list[str]] = {}
        markers: dict[str, str | None] = {}
        for seat, (side, force) in enumerate(zip(SIDES, forces, strict=True)):
            spawn[side] = [unit for unit in UNITS if force.spawn.get(unit, HOME[seat]) == k]
            held = {**dict.fromkeys(force.scouted, SCOUTED), **dict.fromkeys(force.controlled, CONTROLLED)}
            markers[side] = held.get(k)
        board.append(
            {
                "name": f"T{k}",
                "at": [k % COLUMNS, k // COLUMNS],
                "cover": cover.get(k, 0),
                "points": points.get(k, 0),
                "hill": k in hills,
                "radio": k == radio,
                "markers": markers,
                "spawn": spawn,
                "counters": {
                    side: [unit for unit, tile in _counters(seat, force).items() if tile == k]
                    for seat, (side, force) in enumerate(zip(SIDES, forces, strict=True))
                },
                "adj": None,
            }
        )
    return board


def _counters(seat: int, force: Force) -> dict[str, int]:
    return dict(force.counters) if force.bare else {"RC": HOME[seat], **force.counters}


def _goal(force: Force) -> int | str:
    if force.goal is None:
        return "pin" if force.bare else GOAL
    return force.goal


def _supply(force: Force) -> list[str]:
    return force.supply.split() + ([] if force.bare else ["RC", "SC"])


class Script:
    """Answers in order. `...` at the end stops, stays and takes the first of anything from there on.

    An extra question fails. `looks` keeps what was asked: (kind, seat, legal, snapshot at that moment).
    """

    def __init__(self, *answers: Any) -> None:
        self.left = list(answers)
        self.looks: list[tuple[str, int, list[Any], dict[str, Any]]] = []

    def __call__(self, kind: str, seat: int, legal: Sequence[Any], oracle: Oracle) -> Any:
        self.looks.append((kind, seat, list(legal), oracle.snapshot()))
        assert self.left, f"asked {kind} {legal}, but the script is at its end"
        return legal[0] if self.left == [...] else self.left.pop(0)

    def legal(self, kind: str, n: int = 0) -> list[Any]:
        """What was legal at the n-th question of a kind."""
        return [legal for asked, _, legal, _ in self.looks if asked == kind][n]


def scenario_of(us: Force, de: Force, first: int = 0, **board: Any) -> dict[str, Any]:
    """A scenario with the decks and supplies of two forces."""
    forces = (us, de)
    return {
        "name": "Test",
        "initiative": SIDES[first],
        "goal": {side: _goal(force) for side, force in zip(SIDES, forces, strict=True)},
        "borders": "hex",
        "decks": {
            side: {"deck": _all(force.deck.split()), "supply": _all(_supply(force))}
            for side, force in zip(SIDES, forces, strict=True)
        },
        "tiles": tiles(forces, **board),
    }


def _all(cards: Sequence[str]) -> dict[str, int]:
    return {code: cards.count(code) for code in CODES}


def position(
    *answers: Any,
    us: Force | None = None,
    de: Force | None = None,
    seat: int | None = 0,
    marker: int = 0,
    dice: Iterable[int] | None = None,
    draws: Iterable[int] | None = None,
    cover: Mapping[int, int] | None = None,
    points: Mapping[int, int] | None = None,
    hills: Iterable[int] = (),
    radio: int | None = None,
    **changes: Any,
) -> Oracle:
    """A position with a script: in the turn of a seat, or before a round (seat None).

    Both sides draw by `draws`, by default always the first card in the order of codes; dice miss by default.
    """
    us, de = us or Force(), de or Force()
    board = scenario_of(us, de, marker, cover=cover, points=points, hills=hills, radio=radio)
    bits = [list(draws) if draws is not None else repeat(FIRST)] * 2
    oracle = Oracle(
        rules_of(board, **changes),
        2,
        Luck(marker, bits, repeat(MISS) if dice is None else list(dice)),
        Script(*answers),
    )
    oracle.seat = seat
    for side, force in zip(oracle.sides, (us, de), strict=True):
        side.hand, side.discard = force.hand.split(), force.discard.split()
        side.play_area = sorted(force.played.split(), key=ORDER.__getitem__)
        side.suppressed, side.target = set(force.suppressed.split()), force.target
        side.start = side.owned()
    oracle.conserve()
    return oracle


def turn(oracle: Oracle) -> Oracle:
    """Play the rest of the turn of the active seat; the script must be used up."""
    for _ in oracle.turn():
        oracle.conserve()
    assert script(oracle).left in ([], [...]), "answers left over"
    return oracle


def rounds(oracle: Oracle, n: int = 1) -> Oracle:
    """Play n rounds from before a round, or to the end of the game; the script must be used up."""
    for what in oracle.steps():
        if what == "turn" and oracle.seat != oracle.marker and oracle.round + 1 == n:
            break
    assert script(oracle).left in ([], [...]), "answers left over"
    return oracle


def script(oracle: Oracle) -> Script:
    assert isinstance(oracle.choose, Script)
    return oracle.choose


def plays(oracle: Oracle, card: str | None = None) -> list[Any]:
    """What is legal now: (card, action) pairs, or the actions of one card."""
    legal = oracle.legal_plays()
    return legal if card is None else [action for code, action in legal if code == card]


def targets(oracle: Oracle, card: str, action: str) -> list[Any]:
    """The legal targets of a play, when it is asked for; what is carried out then does not matter."""
    choose = script(oracle)
    choose.left = [(card, action), ...]
    turn(oracle)
    return next((legal for kind, _, legal, _ in choose.looks if kind not in ("play", "bid")), [])


def cards(pile: Iterable[str]) -> str:
    """A pile as a Force has it, in the order of codes."""
    return " ".join(sorted(Counter(pile).elements(), key=ORDER.__getitem__))


def table(kind: str, **actions: int) -> dict[str, Any]:
    """The card table with other strengths of a kind's actions."""
    rows = card_rows()
    rows[kind]["actions"].update(actions)
    return rows
