"""The words of a told game of Moscow: from the events of `tell.Teller` to lines that a player can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.sim.trace import GLUE, Event, wrapped

Facts = Mapping[str, Any]
NAMES = {"army": "Red Army", "red": "Red", "german": "German", "luftwaffe": "Luftwaffe"}


def lines(events: Sequence[Event], labels: Sequence[str]) -> list[str]:
    """All events as lines of words: the deal, then a heading and indented lines for every turn.

    `labels`: the policy of each seat.
    """
    told = wrapped("The deal (cards that no hand may keep went back, and the deck was shuffled again):")
    for event in events:
        if event["what"] == "turn":
            told += ["", *_turn(event)]
        elif event["what"] == "end":
            told += ["", *_end(event, labels)]
        else:
            told += [line for text in _WORDS[event["what"]](event) for line in wrapped(text, 2)]
    return told


# -- pieces ---------------------------------------------------------------------------------------
def card(name: str) -> str:
    """The name of a card as it stands in a sentence: "Red Army 6/50" (never broken between two lines)."""
    first, space, rest = name.partition(" ")
    return (NAMES.get(first, first) + space + rest).replace(" ", GLUE)


def a_card(name: str) -> str:
    """The card with an article if it is a plain thing: "a Red general", but "division 3"."""
    return f"a {card(name)}" if name in ("red general", "great river", "time") else card(name)


def cards(held: Mapping[str, int], joint: str = ", ") -> str:
    """Cards in short form: "advance 50 x2, division 3"."""
    parts = [card(name) if n == 1 else f"{card(name)}{GLUE}x{n}" for name, n in held.items()]
    return joint.join(parts) if parts else "no cards"


def month(name: str) -> str:
    """A month's name."""
    return name.capitalize()


def front(facts: Facts) -> str:
    """A Red Army and what must be reached: "Red Army 6/50 with a Red general (6 x 2 = 12)"."""
    extra = ["a Red general"] * facts["general"] + ["a great river"] * facts["river"]
    text = card(facts["army"]) + (f" with {' and '.join(extra)}" if extra else "")
    return f"{text} ({_red_sum(facts)})"


def _red_sum(facts: Facts) -> str:
    boosts = facts["general"] + (facts["river"] and facts["river_counts"])
    twice = " x 2" * boosts if facts["boosts"] == "multiply" else f" x {boosts + 1}"
    summed = f"{facts['strength']}{twice} = {facts['total']}" if boosts else f"{facts['total']}"
    idle = ", the river counts no more" if facts["river"] and not facts["river_counts"] else ""
    return summed.replace(" ", GLUE) + idle


def moscow(facts: Facts) -> str:
    """Moscow and what must be reached: "Moscow with Red Army 10/100 (15 + 10 = 25)"."""
    if not facts["army"]:
        return f"Moscow ({facts['total']})"
    general, double = (" and a Red general", " x 2") if facts["general"] else ("", "")
    summed = f"{facts['own']} + {facts['strength']}{double} = {facts['total']}"
    return f"Moscow with {card(facts['army'])}{general} ({summed.replace(' ', GLUE)})"


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _count(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"


# -- the deal, the turn, the end ------------------------------------------------------------------
def _deal(event: Event) -> list[str]:
    back = f", {', '.join(card(name) for name in event['back'])} went back" if event["back"] else ""
    return [f"seat {event['seat']}, {_count(event['cards'])}{back}: {cards(event['hand'])}"]


def _turn(event: Event) -> list[str]:
    when = f"Turn {event['turn']}, round {event['round']}, seat {event['seat']} ({event['policy']})"
    told = wrapped(f"{when}, {month(event['month'])}, {event['km']} km:")
    told += wrapped(f"hand: {cards(event['hand'])}", 2)
    if event["front"]:
        told += wrapped(f"in front: {front(event['front'])}", 2)
    if event["at_moscow"]:
        told += wrapped(f"before {moscow(event['moscow'])}", 2)
    return told


def _end_of_turn(event: Event) -> list[str]:
    if event["fell"]:
        return []  # nothing comes after the fall
    arrived = ", and arrives before Moscow" if event["arrived"] else ""
    return [f"ends at {event['km']} km with {_count(event['cards'])}{arrived}."]


def _end(event: Event, labels: Sequence[str]) -> list[str]:
    if event["winner"]:
        who = f"Seat {event['winner']} ({labels[event['winner'] - 1]})"
        text = f"{who} takes Moscow in turn {event['turn']}, round {event['round']}, {month(event['month'])}."
    else:
        text = (
            f"The deck has run out in {month(event['month'])} and nobody has taken Moscow: everybody loses."
        )
    final = ", ".join(f"seat {seat} {km} km" for seat, km in enumerate(event["km"], 1))
    return [*wrapped(text), *wrapped(f"Final distances (Moscow is at {event['goal']} km): {final}.")]


# -- the draw -------------------------------------------------------------------------------------
def _draw(event: Event) -> list[str]:
    text = f"draws {a_card(event['card'])}"
    if "month" in event:
        text += _new_month(event)
    elif event.get("lost_turn"):
        text += ": the turn is lost"
    elif "lost" in event:
        text += f": loses {cards(event['lost'])}" if event["lost"] else ": has no division to lose"
    elif "put" in event:
        text += _put(event)
    return [f"{text}. {_left(event['left'])}" if event["left"] <= 5 else f"{text}."]


def _left(left: int) -> str:
    return f"{_count(left)} left in the deck." if left else "It was the last card of the deck."


def _new_month(event: Event) -> str:
    if not event["moved"]:
        return f" card: it stays {month(event['month'])}"
    facts = f"attack {_signed(event['modifier'])}, hand limit {event['limit']}"
    return f" card: {month(event['month'])} begins ({facts})"


def _put(event: Event) -> str:
    if event["put"] == "front":
        boosted = event["front"]["general"] or event["front"]["river"]
        return f": in front is now {front(event['front'])}" if boosted else ": it is put in front"
    if event["put"] == "moscow":
        return f": it is put on Moscow, now {moscow(event['moscow'])}"
    return ": it has no place and is discarded"


# -- actions --------------------------------------------------------------------------------------
def _act(event: Event) -> list[str]:
    action, name, seat = event["action"], a_card(event["card"]), event["target"]
    if action in ("fight", "attack"):
        return []  # told with its sums by the event that follows
    if action == "nothing":
        return ["does nothing." if event["others"] else "can do nothing."]
    if action == "advance":
        return [f"plays {name}: now {event['km']} km."]
    if action.startswith("order"):
        return [f"plays {card(event['card'])} on seat {seat}."]
    if action == "moscow army":
        return [f"puts {name} on Moscow: now {moscow(event['moscow'])}."]
    if action == "moscow general":
        return [f"puts {name} on the Red Army on Moscow: now {moscow(event['moscow'])}."]
    where = "itself" if seat == event["seat"] else f"seat {seat}"
    if action == "army":
        return [f"puts {name} in front of {where}."]
    return [f"puts {name} in front of {where}: now {front(event['front'])}."]


def _order(event: Event) -> list[str]:
    who = f"seat {event['target']}"
    if not event["wanted"]:
        away = ", no longer before Moscow" if event["left_moscow"] else ""
        return [f"{who} goes back from {event['km_before']} to {event['km']} km{away}."]
    what = "German general" if event["card"].endswith("general") else "division"
    text = f"{who} loses {cards(event['lost'], ' and ')}" if event["lost"] else f"{who} has no {what}"
    if event["showed"] and event["target"] != event["seat"]:  # alone there is nobody to show it to
        more = f" and has no other {what}" if event["lost"] else ""
        text += f"{more}; it shows its hand: {cards(event['hand'])}"
    return [f"{text}."]


# -- fights ---------------------------------------------------------------------------------------
def _fight(event: Event) -> list[str]:
    at_moscow = event["target"] == "moscow"
    enemy = f"attacks {moscow(event['moscow'])}" if at_moscow else f"fights the {front(event['front'])}"
    used = cards(event["cards"], " + ")
    if sum(event["cards"].values()) > 1:
        used += f" = {event['sum']}"
    thrown = f"{month(event['month'])}{GLUE}{_signed(event['modifier'])}, die{GLUE}{event['die']}"
    reached = f"{event['attack']}{GLUE}{'>=' if event['won'] else '<'}{GLUE}{event['total']}"
    return [f"{enemy}: {used}, {thrown}: {reached} ({_threshold(event)}). {_result(event, at_moscow)}"]


def _threshold(event: Event) -> str:
    needs, sides = event["needs"], event["sides"]
    if event["faces"] == sides:
        return "any die wins"
    if event["faces"] == 0:
        return "no die could win"
    more = " or more" if needs < sides else ""
    return f"needed a {needs}{more}, {100 * event['chance']:.0f} %"


def _result(event: Event, at_moscow: bool) -> str:
    if at_moscow:
        return "Moscow falls!" if event["won"] else "Moscow holds."
    if not event["won"]:
        return "Lost."
    how = "Beaten twice over" if event["doubled"] else "Beaten"
    return f"{how}: +{event['gained']} km, now {event['km']} km."


def _reorganise(event: Event) -> list[str]:
    if not event["played"]:
        return ["keeps its reorganise card."]
    return [f"plays reorganise: {card(event['card'])} comes back to the hand."]


def _exploit(event: Event) -> list[str]:
    if not event["played"]:
        return ["plays no extra advance card."]
    return [f"plays {card(event['card'])} as the extra advance: now {event['km']} km."]


def _discard(event: Event) -> list[str]:
    return [f"discards {cards(event['cards'])} (hand limit {event['limit']})."]


_WORDS: dict[str, Callable[[Event], list[str]]] = {
    "deal": _deal,
    "draw": _draw,
    "act": _act,
    "order": _order,
    "fight": _fight,
    "reorganise": _reorganise,
    "exploit": _exploit,
    "discard": _discard,
    "end of turn": _end_of_turn,
}
