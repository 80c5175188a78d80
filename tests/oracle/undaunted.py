"""The scalar oracle of Undaunted: one game in plain Python, in the order of the rules.

It is the slow, obvious twin that a fast engine is compared with, step by step and with `==`. It takes plain
data (a nested dict of rules, the luck of one game, a function that chooses) and imports nothing of the
analyzer. Rule ids (U1 to U31) and rulings are those of `analyzer/games/undaunted/rules.md`. The table is in
`undaunted_table`, the actions of the cards in `undaunted_actions`; here are the round and the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.oracle.undaunted_actions import Actions, Choose, IllegalChoice
from tests.oracle.undaunted_table import CODES, CONTROLLED, RIFLEMEN, SCOUTED, SCOUTS, Luck, Outcome

__all__ = ["PASS", "Choose", "IllegalChoice", "Oracle", "play"]
PASS = ("stop", None)


class Oracle(Actions):
    """One game of Undaunted.

    choose(kind, seat, legal, oracle) answers every decision that has more than one answer:
      "bid"      legal: codes in the hand; seat 0 is asked first, and seat 1 does not see it (U6)
      "play"     legal: ("stop", None) and (card, action), also with "rally" and "hunker" (U7)
      "step"     legal: tiles, or None to stay: Move, Guide, Scout and Stalk, step by step; `mover` walks
      "guide"    legal: own units          "attack"   legal: enemy units, of Attack and Suppress
      "target"   legal: tiles              "bolster"  legal: codes in the supply, or None: enough
      "inspire"  legal: codes in the play area
    `acting` is the (seat, card, action) that a target is chosen for.
    """

    def __init__(
        self, rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose, checked: bool = True
    ) -> None:
        if players != 2:
            raise ValueError(f"players must be 2, not {players}")
        super().__init__(rules, luck, choose, checked)

    # --- the game ----------------------------------------------------------------------------------------

    def play(self, after_step: Callable[[str, dict[str, Any]], None] | None = None) -> Outcome:
        """Play to the end; `after_step` gets the sort of every step and the snapshot after it."""
        for what in self.steps():
            if after_step is not None:
                after_step(what, self.snapshot())
        return self.outcome()

    def steps(self) -> Iterator[str]:
        """Play step by step: "bids" after the bids, "play" after every card, "turn" after a side's turn."""
        while not self.over:
            for what in self._round():
                in_turn = what != "turn" or self.end not in (None, "round limit")
                self.conserve(between=not in_turn and self.seat != self.marker)
                yield what

    def _round(self) -> Iterator[str]:
        for seat in (0, 1):
            self.draw(seat, self.rules["hand_size"])  # U5
        self._bid()
        yield "bids"
        for seat in (self.marker, 1 - self.marker):  # U7
            self.seat = seat
            yield from self.turn()
            if seat != self.marker and not self.over and self.round + 1 >= self.rules["round_limit"]:
                self._time_is_up()
            yield "turn"
            if self.over:
                return
        self.seat = None
        self.round += 1

    def _bid(self) -> None:
        """U6: both choose before either is seen; the bid cards are discarded at once."""
        bids = [self._choose_bid(seat) for seat in (0, 1)]
        values = [0 if card is None else self.cards[card].initiative for card in bids]
        for seat, card in enumerate(bids):
            if card is not None:
                self.sides[seat].hand.remove(card)
                self.sides[seat].discard.append(card)
                self.counts["bid", seat, card] += 1
        if values[0] != values[1]:
            self.marker = 0 if values[0] > values[1] else 1
        self.counts["initiative", self.round, self.marker] += 1
        self.note("bids", cards=bids, values=values, marker=self.marker)

    def _choose_bid(self, seat: int) -> str | None:
        hand = self.sides[seat].hand
        if not hand:
            return None
        card: str = self.ask("bid", [code for code in CODES if code in hand], seat)
        return card

    def turn(self) -> Iterator[str]:
        """U7: one card after the other, until the side stops or has none it can use."""
        while (choice := self.ask("play", [PASS, *self.legal_plays()])) != PASS:
            self.use(*choice)
            self._check_end()
            yield "play"
            if self.over:
                return
        own = self.own
        own.discard += own.hand + own.play_area
        own.hand, own.play_area = [], []

    def legal_plays(self) -> list[tuple[str, str]]:
        """Every (card, action) of the active side's hand."""
        hand = [code for code in CODES if code in self.own.hand]
        return [(code, action) for code in hand for action in self.possible(code)]

    # --- ends --------------------------------------------------------------------------------------------

    def _ends(self, winner: int | None, end: str) -> None:
        self.winner, self.end = winner, end

    def _time_is_up(self) -> None:
        """U31: more points win, a tie is a draw."""
        points = [self.score(seat) for seat in (0, 1)]
        self._ends(None if points[0] == points[1] else int(points[1] > points[0]), "round limit")

    def pinned(self, seat: int) -> bool:
        """U27."""
        counters = self.sides[seat].counters
        return all(counters[unit] is None for unit in RIFLEMEN)

    def reachable(self, seat: int) -> float:
        """U29, ruling 10: the most points a side could still come to control."""
        side = self.sides[seat]
        reach: set[str | None] = {CONTROLLED}
        if side.has_any(RIFLEMEN):
            reach.add(SCOUTED)
            if side.has_any(SCOUTS):
                reach.add(None)
        total: float = 0
        for tile, points, marker in zip(self.tiles, self.points, side.markers, strict=True):
            if marker not in reach:
                continue
            if seat == 0 and tile.radio and SCOUTED in reach:
                return float("inf")  # U30: Control again and again
            total += points
        return total

    def hopeless(self, seat: int) -> bool:
        """U29: only a side with a goal of points can be."""
        goal = self.sides[seat].goal
        return goal is not None and self.reachable(seat) < goal

    def _check_end(self) -> None:
        """After every action; ruling 9: in this order."""
        assert self.seat is not None
        scores = [self.score(seat) for seat in (0, 1)]
        goals = [side.goal for side in self.sides]
        for seat in (self.seat, 1 - self.seat):
            goal = goals[seat]
            if goal is not None and scores[seat] >= goal:
                return self._ends(seat, "points")  # U26
        pinned = [self.pinned(seat) for seat in (0, 1)]
        hopeless = [self.hopeless(seat) for seat in (0, 1)]
        out = [pinned[seat] or hopeless[seat] for seat in (0, 1)]  # U29: counts as pinned
        met = [seat for seat in (0, 1) if goals[seat] is None and out[1 - seat]]
        if len(met) == 1:
            return self._ends(met[0], "pin" if pinned[1 - met[0]] else "no hope")  # U27
        if all(out):
            winner = self.marker if scores[0] == scores[1] else int(scores[1] > scores[0])
            return self._ends(winner, "both pinned")  # U28
        always = self.rules["pin_ends_game"] == "always"
        for seat in (0, 1):
            if pinned[seat] and always:
                return self._ends(1 - seat, "pin")  # U27
            if hopeless[seat] and (always or scores[1 - seat] > scores[seat]):
                return self._ends(1 - seat, "no hope")  # U29
        return None


def play(rules: Mapping[str, Any], players: int, luck: Luck, choose: Choose) -> Outcome:
    """One whole game."""
    return Oracle(rules, players, luck, choose).play()
