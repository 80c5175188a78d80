"""The words of a told game of Undaunted: from the events of `tell.Teller` to lines a player can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.games.undaunted.scenario import PIN, SIDES
from analyzer.sim.trace import GLUE, Event, wrapped

Facts = Mapping[str, Any]
HEADINGS = ("round", "turn", "end")
_KINDS = {"R": "Rifleman", "S": "Scout", "G": "Gunner", "SL": "Leader"}
_CARDS = {"SN": "Sniper", "MO": "Mortar", "PS": "Sergeant", "PG": "Guide", "FOW": "Fog of War"}


def lines(events: Sequence[Event], labels: Sequence[str]) -> list[str]:
    """All events as lines of words: the setup, then heading and indented lines for every round."""
    told = _start(events[0])
    for event in events[1:]:
        if event["what"] in HEADINGS:
            told.append("")
        for place, text in enumerate(_WORDS[event["what"]](event)):
            told += wrapped(text, 0 if event["what"] in HEADINGS and not place else 2)
    return told


def card(code: str) -> str:
    """A card or unit in words: Rifleman A, Leader B, Fog of War. Its words are never torn apart."""
    name = _CARDS.get(code) or f"{_KINDS[code[:-1]]} {code[-1]}"
    return name.replace(" ", GLUE)


def _cards(counts: Mapping[str, int]) -> str:
    told = [card(code) if n == 1 else f"{n}{GLUE}{card(code)}" for code, n in counts.items()]
    return ", ".join(told) or "nothing"


def _list(codes: Sequence[str]) -> str:
    return _cards({code: list(codes).count(code) for code in dict.fromkeys(codes)})


def _score(points: Sequence[int]) -> str:
    return ", ".join(f"{side}{GLUE}{n}" for side, n in zip(SIDES, points, strict=True))


# -- the setup ----------------------------------------------------------------------------------------
def _start(event: Facts) -> list[str]:
    goals = [
        f"{side} must pin the enemy" if goal == PIN else f"{side} needs {goal} point{'s' * (goal != 1)}"
        for side, goal in zip(SIDES, event["goal"], strict=True)
    ]
    pin = (
        "a pin always ends the game" if event["pin_ends_game"] == "always" else "a pin ends it only as a goal"
    )
    told = wrapped(
        f"{event['scenario']}: {goals[0]}, {goals[1]}; {pin}. {event['first']} holds the initiative."
    )
    told += wrapped(f"Tiles: {', '.join(map(_tile, event['tiles']))}.", 2)
    for side, deck, supply in zip(SIDES, event["deck"], event["supply"], strict=True):
        told += wrapped(f"{side} deck: {_cards(deck)}. Supply: {_cards(supply)}.", 2)
    return told


def _tile(tile: Facts) -> str:
    points = f", {tile['points']}{GLUE}point{'s' * (tile['points'] != 1)}" if tile["points"] else ""
    cover = f"hill{GLUE}{tile['cover']}" if tile["hill"] else f"cover{GLUE}{tile['cover']}"
    radio = ", radio" if tile["radio"] else ""
    return f"{tile['name']}{GLUE}({cover}{points}{radio})".replace(" ", GLUE)


def _places(counters: Mapping[str, str], suppressed: Sequence[str] = ()) -> str:
    """Counters by tile: "Rifleman A and Scout A on 17B"."""
    tiles: dict[str, list[str]] = {}
    for unit, tile in counters.items():
        down = f"{GLUE}(suppressed)" if unit in suppressed else ""
        tiles.setdefault(tile, []).append(card(unit) + down)
    told = (f"{_and(units)} on{GLUE}{tile}" for tile, units in tiles.items())
    return "; ".join(told) or "nobody on the map"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _marks(event: Facts, seat: int) -> str:
    controlled, scouted = event["controlled"][seat], event["scouted"][seat]
    return (
        f"controls {', '.join(controlled) or 'nothing'}, has scouted {', '.join(scouted) or 'nothing else'}"
    )


# -- rounds and turns ---------------------------------------------------------------------------------
def _round(event: Facts) -> list[str]:
    told = [f"Round {event['turn']}. Points: {_score(event['points'])}."]
    for seat, side in enumerate(SIDES):
        where = _places(event["counters"][seat], event["suppressed"][seat])
        told.append(f"{side}: {where}; {_marks(event, seat)}.")
    return told


def _draw(event: Facts) -> list[str]:
    shuffled = " (the discard pile is shuffled into the deck)" if event["shuffled"] else ""
    return [f"{_side(event)} draws {_list(event['cards'])}{shuffled}."]


def _bids(event: Facts) -> list[str]:
    told = [
        f"{side} {card(code) if code else 'no card'}{GLUE}({value})"
        for side, code, value in zip(SIDES, event["cards"], event["initiative"], strict=True)
    ]
    verb = "takes" if event["changed"] else "keeps"
    return [f"Bids: {told[0]}, {told[1]}: {event['holder']} {verb} the initiative."]


def _turn(event: Facts) -> list[str]:
    return [f"{event['side']} ({event['policy']}) has {_cards(event['hand'])}."]


def _end_of_turn(event: Facts) -> list[str]:
    return []


def _end(event: Facts) -> list[str]:
    score = _score(event["points"])
    if event["winner"] is None:
        return [f"The game ends at the round limit in a draw: {score}."]
    loser = SIDES[1 - SIDES.index(event["winner"])]
    why = {
        "points": "it has the points it needs",
        "pin": f"{loser} is pinned: it has no Rifleman left on the map",
        "both pinned": "both sides are out, and it has more points or the initiative",
        "no hope": f"{loser} can no longer reach its goal",
        "round limit": "it has more points at the round limit",
    }
    return [f"{event['winner']} wins: {why[event['end']]}. Points: {score}."]


def _side(event: Facts) -> str:
    return SIDES[event["seat"] - 1]


# -- plays --------------------------------------------------------------------------------------------
def _play(event: Facts) -> list[str]:
    name = card(event["card"])
    placed = f"{card(event['unit'])} comes in on{GLUE}{event['placed']}. " if event["placed"] else ""
    return [f"{name}: {placed}{_ACTIONS[event['action']](event)}"]


def _walk(event: Facts) -> str:
    path = event["path"]
    who = f"{card(event['unit'])} " if event["action"] == "guide" and event["unit"] else ""
    way = f"{event['action']}s {who}from {' to '.join(path)}" if len(path) > 1 else f"stays on {path[0]}"
    told = [way]
    if event["scouted"]:
        fog = event["fog"]
        told.append(f"scouts {_and(event['scouted'])} ({fog}{GLUE}Fog{GLUE}of{GLUE}War to the discard pile)")
    if event["target_gone"]:
        told.append("its target marker is gone")
    return "; ".join(told) + "."


def _fight(event: Facts) -> str:
    verb = {"attack": "attacks", "suppress": "fires to suppress", "blast": "blasts"}[event["action"]]
    return f"{verb} {'; '.join(map(_throw, event['throws']))}."


def _throw(throw: Facts) -> str:
    """The sum of a throw, as one would do it at the table."""
    parts = f"{throw['base']} + cover {throw['cover']}"
    parts += f" + distance {throw['distance']}" if throw["distance"] is not None else ""
    dice = throw["dice"]
    faces = f"{'die' if len(dice) == 1 else 'dice'} {', '.join(map(str, dice))}"
    aim = f"{throw['side']}'s {card(throw['target'])} on{GLUE}{throw['tile']}"
    return f"{aim}: defence {parts} = {throw['defence']}; {faces}: {_result(throw)}"


def _result(throw: Facts) -> str:
    name = card(throw["target"])
    return {
        "missed": "missed",
        "suppressed": f"hit, {name} is suppressed",
        "counter": f"hit, no card is left and {name} leaves the map",
        "card": f"hit, a {name} card of the {throw['pile']} is lost",
    }[throw["result"]]


def _control(event: Facts) -> str:
    if event["radio"]:
        return (
            f"controls {event['tile']} again: the radio is worth one more point ({_score(event['points'])})."
        )
    lost = f", {SIDES[2 - event['seat']]} loses it" if event["lost"] else ""
    return f"controls {event['tile']}{lost} ({_score(event['points'])})."


def _bolster(event: Facts) -> str:
    return f"bolsters: {_list(event['cards'])} from the supply to the discard pile."


def _inspire(event: Facts) -> str:
    return f"inspires: {_list(event['cards'])} back to the hand."


def _draws(event: Facts) -> str:
    shuffled = " (the discard pile is shuffled into the deck)" if event["shuffled"] else ""
    before = "a Fog of War leaves the game; " if event["action"] == "recon" else ""
    return f"{event['action']}: {before}draws {_list(event['cards'])}{shuffled}."


def _target(event: Facts) -> str:
    return f"sets its target marker on {event['target']}."


def _conceal(event: Facts) -> str:
    return f"conceals: {SIDES[2 - event['seat']]} takes a Fog of War."


def _rally(event: Facts) -> str:
    return f"{card(event['unit'])} rallies and is ready again."


def _hunker(event: Facts) -> str:
    return "hunkers down: back to the supply."


_ACTIONS: dict[str, Callable[[Facts], str]] = {
    **dict.fromkeys(("move", "guide", "scout", "stalk"), _walk),
    **dict.fromkeys(("attack", "suppress", "blast"), _fight),
    **dict.fromkeys(("command", "recon"), _draws),
    "control": _control,
    "bolster": _bolster,
    "inspire": _inspire,
    "target": _target,
    "conceal": _conceal,
    "rally": _rally,
    "hunker": _hunker,
}
_WORDS: dict[str, Callable[[Facts], list[str]]] = {
    "round": _round,
    "draw": _draw,
    "bids": _bids,
    "turn": _turn,
    "play": _play,
    "end of turn": _end_of_turn,
    "end": _end,
}
