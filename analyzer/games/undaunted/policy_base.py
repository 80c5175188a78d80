"""What a policy of Undaunted is asked, with a sensible answer to every question but the play."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.games.base import Array, Policy, Score
from analyzer.games.undaunted.view import BidView, PlayView, TargetView


@dataclass(frozen=True)
class UndauntedPolicy(Policy):
    """Base of all Undaunted policies. `play` scores what a side may do with its cards, again after each play,
    until stop is the best; the other methods score the targets of a play, and the bid."""

    def play(self, view: PlayView, score: Score) -> Array | None:
        """The next play. Blocks are the actions: move, guide, scout, stalk, bolster, command, conceal,
        control, inspire, recon, target, attack, suppress, blast [card, game], one row for each card type that
        `view.cards_of(block)` names; rally [unit, game], hunker [card without Fog of War, game], stop [game].
        A block that no card of the side can have is missing (`view.has(block)`)."""
        raise NotImplementedError("a policy of Undaunted needs at least the method play(view, score)")

    def bid(self, view: BidView, score: Score) -> Array | None:
        """The card to bid for initiative. Block: card [type, game]. Default: the least useful: Fog of War,
        else the highest."""
        score.card += view.initiative[:, None]
        score.card[view.fog] += 100
        return None

    def step(self, view: TargetView, score: Score) -> Array | None:
        """The next tile of a move, scout, stalk or guide. Blocks: tile [tile, game], stay [game].
        Default: any tile rather than stay."""
        score.stay -= 1
        return None

    def attack(self, view: TargetView, score: Score) -> Array | None:
        """The enemy unit to attack or suppress. Block: unit [enemy, game]. Default: the easiest to hit."""
        score.unit -= view.total_defence
        return None

    def guide(self, view: TargetView, score: Score) -> Array | None:
        """The own unit to guide. Block: unit [unit, game]. Default: any."""
        return None

    def target(self, view: TargetView, score: Score) -> Array | None:
        """The tile for the mortar's target marker. Block: tile [tile, game]. Default: where most enemies and
        fewest own counters stand."""
        score.tile += view.enemies_on
        score.tile -= view.own_on
        return None

    def bolster(self, view: TargetView, score: Score) -> Array | None:
        """The next card of the supply. Blocks: card [type, game], enough [game]. Default: any card."""
        score.enough -= 1
        return None

    def inspire(self, view: TargetView, score: Score) -> Array | None:
        """The card of the play area to take back to the hand. Block: card [type, game]. Default: any."""
        return None
