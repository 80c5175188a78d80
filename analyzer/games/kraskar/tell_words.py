"""The words of a told game of Kraskar: from the events of `tell.Teller` to lines that a player can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.sim.trace import GLUE, Event, wrapped

Facts = Mapping[str, Any]
LETTERS = ("ABCDEFGH", "abcdefgh")  # of the units on the board, by seat


def lines(events: Sequence[Event], labels: Sequence[str]) -> list[str]:
    """All events as lines of words: the start, then heading, board and indented lines for every turn."""
    first = events[0]
    told = _start(first)
    for event in events[1:]:
        if event["what"] == "turn":
            told += ["", *_turn(event, first)]
        elif event["what"] == "end":
            told += ["", *wrapped(_end(event, labels))]
        else:
            told += [line for text in _WORDS[event["what"]](event) for line in wrapped(text, 2)]
    return told


def _start(event: Facts) -> list[str]:
    one, two = event["decks"]
    text = f"{one} (seat 1) against {two} (seat 2); seat {event['first']} moves first."
    legend = []
    for letters, deck in zip(LETTERS, event["units"], strict=True):
        names = (f"{letter}{GLUE}{_glued(unit['name'])} ({unit['troop']}, force{GLUE}{unit['force']})"
                 for letter, unit in zip(letters, deck, strict=False))  # fmt: skip
        legend.append(", ".join(names))
    return [*wrapped(text), *wrapped(f"Seat 1: {legend[0]}.", 2), *wrapped(f"Seat 2: {legend[1]}.", 2)]


def _turn(event: Facts, first: Facts) -> list[str]:
    seat = event["seat"]
    head = f"Turn {event['turn']}, seat {seat} ({event['policy']}): chips {_pair(event['chips'])}."
    return [*wrapped(head), *board(event["units"], first["rows"], first["columns"], event["castle"])]


def _pair(values: Sequence[int]) -> str:
    return f"{values[0]} (seat 1) and {values[1]} (seat 2)"


def board(units: Sequence[Sequence[Facts]], rows: int, columns: int, castle: Sequence[int]) -> list[str]:
    """A small board: seat 2's castle at the top, units by their letters, and the state of each unit."""
    squares: dict[tuple[int, int], str] = {}
    for letters, deck in zip(LETTERS, units, strict=True):
        for letter, unit in zip(letters, deck, strict=False):
            if unit["at"] is not None:
                place = tuple(unit["at"])
                squares[place] = squares.get(place, "") + letter
    width = max(4, *(len(text) + 2 for text in squares.values()), 4)
    drawn = []
    for row in range(rows, 0, -1):
        cells = "".join(squares.get((row, column), ".").center(width) for column in range(1, columns + 1))
        beside = f"   castle of seat 2: {castle[1]}" if row == rows else ""
        beside = f"   castle of seat 1: {castle[0]}" if row == 1 else beside
        drawn.append(f"    {row} {cells.rstrip() if not beside else cells}{beside}")
    drawn.append("      " + "".join(str(column).center(width) for column in range(1, columns + 1)).rstrip())
    for seat, deck in enumerate(units):
        drawn += wrapped(
            ", ".join(_state(letter, unit) for letter, unit in zip(LETTERS[seat], deck, strict=False)), 4
        )
    return drawn


def _state(letter: str, unit: Facts) -> str:
    if unit["at"] is None:
        return f"{letter}{GLUE}retreated (gauge{GLUE}{unit['gauge']})"
    marks = [name for name in ("exhausted", "besieging") if unit[name]]
    marks += [f"{name}{GLUE}{unit[name]}" for name in ("boost", "rally", "weaken") if unit[name]]
    note = f"{GLUE}({', '.join(marks)})" if marks else ""
    return f"{letter}{GLUE}{unit['hit_points']}{GLUE}hp{GLUE}force{GLUE}{unit['force']}{note}"


# -- what happened ------------------------------------------------------------------------------------
def _place(place: Sequence[int] | None) -> str:
    return "its castle" if place is None else f"row{GLUE}{place[0]} column{GLUE}{place[1]}"


def _glued(name: str) -> str:
    return name.replace(" ", GLUE)


def _unit(facts: Facts, letter: str = "letter", name: str = "unit") -> str:
    """A unit with its letter on the board: "A Old King's Spears"."""
    return f"{facts[letter]}{GLUE}{_glued(facts[name])}"


def _deploy(event: Facts) -> list[str]:
    return [f"{_unit(event)} returns to {_place(event['to'])} with full hit points (K8)."]


def _pass(event: Facts) -> list[str]:
    return [f"Passes ({event['others']} other actions were allowed)."]


def _end_of_turn(event: Facts) -> list[str]:
    return []


def _act(event: Facts) -> list[str]:
    unit, action = _unit(event), event["action"]
    told = [_ACTIONS[action](event, unit)]
    siege = event["siege"]
    if siege:
        where = "at the gate" if siege["gate"] else "at the wall"
        told.append(
            f"Siege {where}: the castle loses {siege['taken']} and has {siege['castle']} left; {unit} goes "
            f"back to {_place(event['to'])}, its force and wit halved (K13, K14)."
        )
    return told + [_hit(hit) for hit in event["hits"]]


def _move(event: Facts, unit: str) -> str:
    return f"{unit} moves {event['direction']} from {_place(event['from'])} to {_place(event['target'])}."


def _charge(event: Facts, unit: str) -> str:
    return f"{unit} charges {event['direction']} from {_place(event['from'])}; now at {_place(event['to'])}."


def _blow(event: Facts, unit: str) -> str:
    verb = {"melee": "strikes into", "shoot": "shoots at", "snipe": "snipes at", "thrust": "thrusts at"}
    target = event["target"]
    aim = _unit(event, "target_letter", "target") if isinstance(target, str) else _place(target)
    return f"{unit} {verb[event['action']]} {aim}."


def _stratagem(event: Facts, unit: str) -> str:
    text = f"{unit} uses {event['stratagem']} ({event['action']}, {event['chips']} chips)"
    if event["action"] == "strike":
        return f"{text} on {_place(event['target'])}."
    rounds = f"{event['rounds']} round{'s' * (event['rounds'] != 1)}"
    if event["action"] == "weaken":
        target = _unit(event, "target_letter", "target")
        return f"{text} on {target}: force -{event['amount']} for {rounds}, now {event['force']}."
    whom = "all own units" if event["action"] == "rally" else "itself"
    return f"{text}: force +{event['amount']} to {whom} for {rounds}; its own is now {event['force']}."


def _hit(hit: Facts) -> str:
    end = f"{hit['left']} hit points left" if not hit["retreats"] else "it retreats"
    end += ", exhausted" if hit["exhausted"] else ""
    return f"{_unit(hit)} (seat {hit['seat']}): {_sum(hit)} by {_unit(hit, 'by_letter', 'by')}; {end}."


def _sum(hit: Facts) -> str:
    """The sum of a loss, as one would do it at the table."""
    if hit["cause"] == "strike":
        return f"strike {hit['power']} x {hit['wit']} / {hit['against']} = {hit['loss']}"
    force = f"{hit['force']}" if hit["factor"] == 1 else f"{hit['factor']} x {hit['force']}"
    cause = "" if hit["cause"] in ("melee", "charge", "thrust") else f"{hit['cause']} "
    if hit["model"] == "plain":
        return f"{cause}loss {force} = {hit['loss']}"
    if hit["model"] == "ratio":
        return f"{cause}loss {force} / {hit['against']} = {hit['loss']} (rounded down, at least 1)"
    return f"{cause}loss {hit['base']} + {force} - {hit['against']} = {hit['loss']} (at least 1)"


def _end(event: Facts, labels: Sequence[str]) -> str:
    winner = event["winner"]
    castles = f"castles {_pair(event['castle'])}"
    if not winner:
        return f"The game ends at the turn limit in a draw: {castles}."
    how = (
        "the enemy castle has fallen"
        if event["end"] == "castle fell"
        else "more castle life at the turn limit"
    )
    return f"Seat {winner} ({labels[winner - 1]}) wins: {how}; {castles}."


_ACTIONS: dict[str, Callable[[Facts, str], str]] = {
    "move": _move,
    "charge": _charge,
    **dict.fromkeys(("melee", "shoot", "snipe", "thrust"), _blow),
    **dict.fromkeys(("boost", "rally", "weaken", "strike"), _stratagem),
}
_WORDS: dict[str, Callable[[Facts], list[str]]] = {
    "deploy": _deploy,
    "act": _act,
    "pass": _pass,
    "end of turn": _end_of_turn,
}
