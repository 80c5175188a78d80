"""What players of Eastfront ask at the table: will this attack clear the stack, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer.answers import Answer, Column, Heat, Lines, exactly, listed, number
from analyzer.errors import UserError, argument
from analyzer.games.eastfront import odds
from analyzer.questions import Choice, Counts, Number, Question

if TYPE_CHECKING:
    from analyzer.games.eastfront.model import EastfrontRules

SIZES = 8  # cards of one kind, at most, that `forces` tells
MOST = 6  # cards of a stack: more would take too long to enumerate
NOTHING: Mapping[str, int] = {}
RECKONED = (
    "Exact, over all orders of the Soviet cards that lie face down: the attack goes on while it wins, "
    "the left "
    "neighbour shoots the best card it can destroy, no support card, no pillbox."
)


def _height(rules: EastfrontRules) -> int:
    """The cards of a full stack, as far as they can be told."""
    return min(MOST, -(-sum(card.count for card in rules.cards.soviet) // rules.stacks))


def _titles(cards: Any, counts: Mapping[str, int]) -> str:
    """Cards in a sentence: 2 Panther and 1 Pak 40."""
    title = {card.name: card.title for card in cards}
    return listed([f"{count} {title[name]}" for name, count in counts.items() if count])


def _germans(rules: EastfrontRules, germans: Mapping[str, int] | None) -> Mapping[str, int]:
    """The cards that attack. Raises UserError if there are none: there is no attack then (ruling 4)."""
    if germans is None:  # two of the card with the most fire that is there twice
        often = [card for card in rules.cards.german if card.count > 1] or list(rules.cards.german)
        germans = {max(often, key=lambda card: card.fire).name: 2}
    if not any(germans.values()):
        raise UserError(
            f"{argument('germans')}: an attack needs at least one German card, such as panther:2,pak_40."
        )
    return germans


def _lying(rules: EastfrontRules, seen: Mapping[str, int], face_up: str | None, height: int) -> None:
    """Raises UserError where the Soviet cards that are not seen make no such stack."""
    hidden = odds.unseen(rules, seen)
    if face_up is not None and not hidden[face_up]:
        raise UserError(f"{argument('face_up')}: every {face_up} there is is {argument('seen')} elsewhere.")
    if height > sum(hidden.values()):
        left = sum(hidden.values())
        raise UserError(
            f"{argument('seen')}: a stack of {height} cannot be; Soviet cards that are not seen: {left}."
        )


def _known(rules: EastfrontRules, seen: Mapping[str, int], face_up: str | None = None) -> str:
    """What is known of the Soviet cards, for titles."""
    open_ = [f"{_titles(rules.cards.soviet, seen)} seen"] if any(seen.values()) else []
    up = [f"{_titles(rules.cards.soviet, {face_up: 1}).removeprefix('1 ')} on top"] if face_up else []
    return f" ({', '.join([*up, *open_])})" if up or open_ else ""


# ---------------------------------------------------------------- forces


def forces(
    rules: EastfrontRules, *, cards: int | None, destroy: int | None, seen: Mapping[str, int]
) -> Answer:
    """Every kind of German card, 1 to 8 of them, against a stack that lies face down."""
    height = _height(rules) if cards is None else cards
    goal = height if destroy is None else destroy
    if goal > height:
        raise UserError(f"{argument('destroy')}: {goal} is not allowed; the stack has {height} cards.")
    _lying(rules, seen, None, goal)
    sizes = max(1, min(SIZES, max(card.count for card in rules.cards.german)))
    rows: list[tuple[Any, ...]] = []
    for card in rules.cards.german:
        there = min(sizes, card.count)
        chances = [odds.destroys(rules, {card.name: size}, goal, seen) for size in range(1, there + 1)]
        rows.append((card.title, card.fire, card.defence, *chances, *[None] * (sizes - there)))
    what = (
        f"clear an unseen stack of {height}" if goal == height else f"destroy {goal} of {height} unseen cards"
    )
    even = [
        (title, next(size for size, chance in enumerate(chances, 1) if chance and 2 * chance >= 1))
        for title, _, _, *chances in rows
        if any(chance and 2 * chance >= 1 for chance in chances)
    ]
    even = sorted(even, key=lambda one: one[1])[:3]
    told = listed([f"{size} {title}" for title, size in even], "or") or "more than the cards of one kind"
    return Answer(
        (
            Column("german", "text", "German card"), Column("fire"), Column("defence"),
            Column("cards_1", "chance", "1 card"),
            *(Column(f"cards_{n}", "chance", f"{n} cards") for n in range(2, sizes + 1)),
        ),
        tuple(rows),
        f"Chance to {what}, by German cards on the table{_known(rules, seen)}",
        f"To {what} at even odds or better it takes {told}.",
        f"{RECKONED} An empty cell: there are not so many cards of this kind.",
        Heat("german", tuple(f"cards_{n}" for n in range(1, sizes + 1)), "cards of this kind on the table"),
        given={"cards": height, "destroy": goal},
    )  # fmt: skip


# ---------------------------------------------------------------- one stack, one card


def stack(
    rules: EastfrontRules,
    *,
    germans: Mapping[str, int] | None,
    cards: int | None,
    face_up: str | None,
    seen: Mapping[str, int],
) -> Answer:
    """How far one attack gets on one stack, and what it has lost by then."""
    germans, height = _germans(rules, germans), _height(rules) if cards is None else cards
    _lying(rules, seen, face_up, height)
    chances = odds.clears(rules, germans, height, seen, face_up)
    ends = odds.outcomes(rules, germans, height, seen, face_up)
    rows = []
    for k in range(height + 1):
        here = [end for end in ends if end.destroyed == k]
        ending = sum((end.chance for end in here), Fraction(0))
        cost = sum((end.chance * sum(end.lost.values()) for end in here), Fraction(0))
        reached = chances[k - 1] if k else Fraction(1)
        rows.append((k, reached, ending, cost / ending if ending else None))
    lost = sum(_expected(ends).values(), Fraction(0))
    force = _titles(rules.cards.german, germans)
    return Answer(
        (
            Column("destroyed", heading="cards destroyed"), Column("at_least", "chance", "at least so many"),
            Column("exactly", "chance", "so many and no more"),
            Column("lost", heading="German cards lost then"),
        ),
        tuple(rows),
        f"{force} against a stack of {height}{_known(rules, seen, face_up)}",
        f"{force} {_verb(germans)} the first card with {exactly(chances[0])} and the whole stack of "
        f"{height} with {exactly(chances[-1])}, losing {number(lost)} German cards on average.",
        RECKONED,
        Lines("destroyed", ("at_least",), "cards of the stack destroyed, at least", "chance"),
        given={"germans": germans, "cards": height},
    )  # fmt: skip


def _verb(germans: Mapping[str, int]) -> str:
    return "destroys" if sum(germans.values()) == 1 else "destroy"


def _expected(ends: list[odds.Outcome]) -> dict[str, Fraction]:
    """Expected losses by name of the German card."""
    found: dict[str, Fraction] = {}
    for end in ends:
        for name, count in end.lost.items():
            found[name] = found.get(name, Fraction(0)) + end.chance * count
    return found


def losses(
    rules: EastfrontRules,
    *,
    germans: Mapping[str, int] | None,
    cards: int | None,
    face_up: str | None,
    seen: Mapping[str, int],
) -> Answer:
    """What one attack on a stack costs, card by card."""
    germans, height = _germans(rules, germans), _height(rules) if cards is None else cards
    _lying(rules, seen, face_up, height)
    ends = odds.outcomes(rules, germans, height, seen, face_up)
    expected = _expected(ends)
    rows = []
    for card in rules.cards.german:
        had = germans.get(card.name, 0)
        if had:
            some = sum((end.chance for end in ends if end.lost.get(card.name, 0)), Fraction(0))
            every = sum((end.chance for end in ends if end.lost.get(card.name, 0) == had), Fraction(0))
            rows.append((card.title, had, expected.get(card.name, Fraction(0)), some, every))
    total = sum(expected.values(), Fraction(0))
    none = sum((end.chance for end in ends if not end.lost), Fraction(0))
    force = _titles(rules.cards.german, germans)
    return Answer(
        (
            Column("german", "text", "German card"), Column("table", heading="on the table"),
            Column("lost", heading="lost on average"), Column("some", "chance", "any lost"),
            Column("all", "chance", "all lost"),
        ),
        tuple(rows),
        f"Losses of {force} against a stack of {height}{_known(rules, seen, face_up)}",
        f"An attack of {force} loses {number(total)} of {sum(germans.values())} German cards on average, "
        "none with "
        f"{exactly(none)}.",
        RECKONED,
        Heat("german", ("some", "all")),
        given={"germans": germans, "cards": height},
    )  # fmt: skip


def next_card(rules: EastfrontRules, *, germans: Mapping[str, int] | None, seen: Mapping[str, int]) -> Answer:
    """One exchange with each Soviet card that may come, and with the next one that lies face down."""
    germans = _germans(rules, germans)
    hidden = odds.unseen(rules, seen)
    total, title = sum(hidden.values()), {card.name: card.title for card in rules.cards.german}
    if not total:
        raise UserError(f"{argument('seen')}: these are all Soviet cards; none lies face down.")
    rows = []
    for card in rules.cards.soviet:
        if card.count:
            found = odds.exchange(rules, germans, card.name)
            lost = title[found.lost] if found.lost else "none"
            comes = Fraction(hidden[card.name], total)
            rows.append(
                (
                    card.title,
                    hidden[card.name],
                    comes,
                    lost,
                    found.fire,
                    card.defence,
                    "yes" if found.won else "no",
                    comes if found.won else Fraction(0),
                )
            )
    chance = odds.next_card(rules, germans, seen)
    hurt = sum((row[2] for row in rows if row[3] != "none"), Fraction(0))
    force = _titles(rules.cards.german, germans)
    return Answer(
        (
            Column("soviet", "text", "Soviet card"), Column("hidden", heading="face down"),
            Column("comes", "chance", "comes next"), Column("lost", "text", "it shoots"),
            Column("fire", heading="fire left"), Column("defence", heading="its defence"),
            Column("destroyed", "text"), Column("beaten", "chance", "comes and is destroyed"),
        ),
        tuple(rows),
        f"{force} against each Soviet card{_known(rules, seen)}",
        f"{force} {_verb(germans)} the next face-down card with {exactly(chance)}; a German card is lost "
        "with "
        f"{exactly(hurt)}.",
        "Exact: the Soviet card shoots first, the best German card it can destroy; then the fire that "
        "is left must "
        "be greater than the defence (E13, E15). No support card, no pillbox.",
        Heat("soviet", ("comes", "beaten")),
        given={"germans": germans},
    )  # fmt: skip


# ---------------------------------------------------------------- the questions


def _german_names(rules: Any) -> dict[str, tuple[str, ...]]:
    return {card.name: (card.title,) for card in rules.cards.german}


def _soviet_names(rules: Any) -> dict[str, tuple[str, ...]]:
    return {card.name: (card.title,) for card in rules.cards.soviet}


def _german_counts(rules: Any) -> dict[str, int]:
    return {card.name: card.count for card in rules.cards.german}


def _soviet_counts(rules: Any) -> dict[str, int]:
    return {card.name: card.count for card in rules.cards.soviet}


GERMANS = Counts("germans", "German cards on the table: panther:2,pak_40 [default: two of the strongest that "
                 "is there twice]", names=_german_names, what="German card", most=_german_counts)  # fmt: skip
CARDS = Number("cards", f"cards of the stack [default: a full one, up to {MOST}]", low=1, high=MOST)
SEEN = Counts("seen", "Soviet cards that lie open elsewhere or are destroyed: rifles:3,kv", NOTHING,
              names=_soviet_names, what="Soviet card", most=_soviet_counts)  # fmt: skip
FACE_UP = Choice(
    "face-up", "the Soviet card that lies open on this stack", names=_soviet_names, what="Soviet card"
)
QUESTIONS = (
    Question(
        "forces", "German cards of one kind against an unseen stack", forces,
        (CARDS, Number("destroy", "cards to destroy [default: all]", low=1, high=MOST), SEEN),
        "--cards 3 --seen is_2:2",
    ),
    Question(
        "stack", "how far an attack gets on a stack, and what it costs", stack,
        (GERMANS, CARDS, FACE_UP, SEEN),
        "--germans panther:2,pak_40 --face-up t34_76 --seen rifles:3",
    ),
    Question(
        "next", "one exchange with the next card, whatever it is", next_card, (GERMANS, SEEN),
        "--germans tiger,panzer_iv:2 --seen kv:2",
    ),
    Question(
        "losses", "what an attack on a stack costs, card by card", losses, (GERMANS, CARDS, FACE_UP, SEEN),
        "--germans panther:2,grenadiers:2 --cards 2",
    ),
)  # fmt: skip
