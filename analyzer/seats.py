"""The names of the seats: those that a game gives them, else seat 1, seat 2, ...

A game names its seats by SEATS in a module `seats` of its room: a text for every seat, in order; where fewer
play, these are the first ones. Tables and sentences of every study have the names from here: so they agree.
"""

from __future__ import annotations


def names(game: str, players: int) -> tuple[str, ...]:
    """The name of every seat, by place; `seat 1`, ... of a game that is not there or names other seats."""
    from analyzer import registry  # not by whoever only puts names into sentences

    room = registry.rooms().get(game)
    own = room.part("seats").SEATS if room is not None and room.has("seats") else ()
    return tuple(own[:players]) if len(own) >= players else tuple(map(numbered, range(players)))


def numbered(seat: int) -> str:
    """The name of a seat (0-based) that has no other."""
    return f"seat {seat + 1}"


def capital(text: str) -> str:
    """The text with a capital first letter, as a sentence begins; the rest stays as it is (`US`)."""
    return text[:1].upper() + text[1:]
