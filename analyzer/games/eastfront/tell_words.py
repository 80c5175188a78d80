"""The words of a told game of Eastfront 1944: the events of `tell.Teller` as lines a player can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analyzer.sim.trace import GLUE, Event, wrapped


def lines(events: Sequence[Event], labels: Sequence[str]) -> list[str]:
    """All events as lines of words: the deal, the opening, then a heading and lines for every turn.

    `labels`: the policy of each seat.
    """
    told = wrapped("The deal, and the German cards put down at once (fire of the table in brackets):")
    for event in events:
        if event["what"] == "turn":
            told += ["", *_turn(event)]
        elif event["what"] == "end":
            told += ["", *_end(event, labels)]
        else:
            told += [line for text in _WORDS[event["what"]](event) for line in wrapped(text, 2)]
    return told


# -- pieces ---------------------------------------------------------------------------------------
def card(title: str) -> str:
    """The title of a card, never broken between two lines."""
    return title.replace(" ", GLUE)


def cards(held: Mapping[str, int], joint: str = ", ") -> str:
    """Cards in short form: "Panther x2, Tiger"."""
    parts = [card(title) if n == 1 else f"{card(title)}{GLUE}x{n}" for title, n in held.items()]
    return joint.join(parts) if parts else "no cards"


def _count(number: int, word: str = "card") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _seats(seats: Sequence[int]) -> str:
    words = [f"seat{GLUE}{seat}" for seat in seats]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


# -- the deal, the turn, the end ------------------------------------------------------------------
def _deal(event: Event) -> list[str]:
    return [f"seat {event['seat']}, {_count(event['cards'])}: {cards(event['hand'])}"]


def _deploy(event: Event) -> list[str]:
    return [f"seat {event['seat']} puts down {cards(event['cards'])} ({event['fire']})"]


def _turn(event: Event) -> list[str]:
    friends = f", {_count(event['friends'], 'friend')}" if event["friends"] else ""
    told = wrapped(
        f"Turn {event['turn']}, round {event['round']}, seat {event['seat']} ({event['policy']}){friends}:"
    )
    told += wrapped(f"hand: {cards(event['hand'])}", 2)
    fuel = "; out of fuel" if event["halted"] else ""
    told += wrapped(f"table: {cards(event['table'])} (fire {event['fire']}){fuel}", 2)
    stacks = ", ".join(_stack(one) for one in event["stacks"])
    return told + wrapped(f"stacks: {stacks}", 2)


def _stack(facts: Mapping[str, object]) -> str:
    if not facts["left"]:
        return "cleared"
    top = f" ({card(str(facts['face_up']))})" if facts["face_up"] else ""
    return f"{facts['left']}{top}".replace(" ", GLUE)


def _end_of_turn(event: Event) -> list[str]:
    return []


def _end(event: Event, labels: Sequence[str]) -> list[str]:
    rescued = sum(event["friends"])
    how = "All friends are rescued" if event["end"] == "all rescued" else "The deck has run out"
    if event["winners"]:
        who = [f"{seat} ({labels[seat - 1]})" for seat in event["winners"]]
        verb = "share the win" if len(who) > 1 else "wins"
        result = f"seat{'s' if len(who) > 1 else ''} {' and '.join(who)} {verb}"
    else:
        result = "nobody wins"
    pairs = zip(event["points"], event["friends"], strict=True)
    final = ", ".join(
        f"seat {seat} {_count(points, 'point')} ({_count(friends, 'friend')})"
        for seat, (points, friends) in enumerate(pairs, 1)
    )
    told = wrapped(f"{how} in turn {event['turn']} with {_count(rescued, 'friend')} rescued: {result}.")
    return told + wrapped(f"The friend cards are turned up: {final}.")


# -- draw, action, hindering ----------------------------------------------------------------------
def _draw(event: Event) -> list[str]:
    left = event["left"]
    last = f" {_count(left)} left in the deck." if left else " It was the last card of the deck."
    return [f"draws {card(event['card'])}.{last if left <= 5 else ''}"]


def _act(event: Event) -> list[str]:
    if event["action"] == "reinforce":
        return [f"puts down {card(event['card'])} (fire {event['fire']})."]
    if event["action"] == "hinder":
        return []  # told with its target by the event that follows
    return ["plays nothing." if event["others"] else "can play nothing."]


def _hinder(event: Event) -> list[str]:
    who = f"seat {event['target']}"
    at = f" at its {card(event['named'])}" if event["named"] else ""
    text = f"plays {card(event['card'])} on {who}{at}"
    if event["effect"] == "fire":
        sign = ">" if event["fire"] > event["defence"] else "<="
        text += f" ({event['fire']} {sign} {event['defence']})".replace(" ", GLUE)
        text = text.replace(f"{GLUE}({event['fire']}", f" ({event['fire']}", 1)
    results = {
        "covered": f"{who} plays Cover, nothing happens",
        "destroyed": f"{card(event['named'])} is destroyed",
        "held": "it holds",
        "recalled": "it goes back to the hand",
        "halted": f"{who} may not attack in its next turn",
        "discarded": f"{who} loses {card(event['lost'])}",
    }
    kept = " (Cover is kept)" if event["cover"] == "kept" else ""
    return [f"{text}: {results[event['result']]}{kept}."]


# -- attacks ----------------------------------------------------------------------------------------
def _attack(event: Event) -> list[str]:
    return [] if event["stack"] else ["does not attack."]


def _exchange(event: Event) -> list[str]:
    verb = "attacks" if event["number"] == 1 else "goes on against"
    shown = "" if event["face_up"] else ", turned up"
    numbers = f"{event['fire']}/{event['defence']}"
    text = f"{verb} stack {event['stack']}: {card(event['soviet'])} {numbers}{shown}."
    if event["support"]:
        text += f" Support: {', '.join(card(title) for title in event['support'])}."
    if event["refused"]:
        text += f" {_seats(event['refused'])} kept a Pillbox.".capitalize().replace("pillbox", "Pillbox")
    if event["pillbox"]:
        text += f" Seat {event['pillbox']} plays Pillbox (+{event['pillbox_defence']} defence)."
    shots = [_soviet_shot(event), _german_shot(event)]
    text += " " + " ".join(shot for shot in (reversed(shots) if event["first"] else shots) if shot)
    if event["friend"]:
        text += " The stack is cleared: a friend is rescued!"
    elif event["won"]:
        text += f" {event['left']} left." if event["left"] else " The stack is cleared."
    return [text]


def _soviet_shot(event: Event) -> str:
    if not event["target"]:
        return "The Soviets do not fire (smoke)." if event["silent"] and not _beaten_first(event) else ""
    sign = ">" if event["lost"] else "<="
    compared = f"{event['fire']} {sign} {event['target_defence']}".replace(" ", GLUE)
    result = "destroyed" if event["lost"] else "holds"
    return f"Fire at {card(event['target'])}: {compared}, {result}."


def _beaten_first(event: Event) -> bool:
    return bool(event["first"] and event["won"])


def _german_shot(event: Event) -> str:
    if not event["firing"]:
        return "No German card is left."
    parts = cards(event["firing"], " + ") + (f" + {event['bonus']} support" if event["bonus"] else "")
    defence = str(event["needs"])
    if event["pillbox"]:
        defence = f"{event['defence']} + {event['pillbox_defence']} = {event['needs']}"
    compared = f"{event['sum']} {'>' if event['won'] else '<='} {defence}".replace(" ", GLUE)
    first = "The Germans fire first: " if event["first"] else "Answer: "
    return f"{first}{parts}: {compared}, {'destroyed' if event['won'] else 'it holds, the attack ends'}."


def _go_on(event: Event) -> list[str]:
    return [] if event["stack"] else ["breaks the attack off."]


def _discard(event: Event) -> list[str]:
    return [f"discards {cards(event['cards'])} (hand limit {event['limit']})."]


_WORDS: dict[str, Callable[[Event], list[str]]] = {
    "deal": _deal,
    "deploy": _deploy,
    "draw": _draw,
    "act": _act,
    "hinder": _hinder,
    "attack": _attack,
    "exchange": _exchange,
    "go on": _go_on,
    "discard": _discard,
    "end of turn": _end_of_turn,
}
