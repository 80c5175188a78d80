"""The charts of a tournament: each against each, ratings, equilibrium and evolution, seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analyzer.report import draw, style
from analyzer.report.parts import Chart
from analyzer.report.wins import listed, shades
from analyzer.studies import tournament_words as said
from analyzer.studies.tournament_tables import MEANS, STRONG, WHOM, cell_text, order

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel
    from analyzer.studies.tournament import Tournament

WIDEST = 12  # entrants that fit into a heat map
MOST = 40  # rows of a chart; with more entrants there is the table


def charts(found: Tournament, tables: Mapping[str, pd.DataFrame]) -> list[Chart]:
    """Ratings first, for they answer the question."""
    drawn = [elo(found)] if found.size <= MOST else []
    drawn += [matrix(found)] if found.size <= WIDEST else []
    drawn += [weights(found)] if found.size <= MOST else []
    return [*drawn, seats(found)]


def _names(found: Tournament) -> tuple[list[int], list[str]]:
    rank = order(found).tolist()
    return rank, [style.shorten(found.field.names[i], 26) for i in rank]


def elo(found: Tournament) -> Chart:
    """Ratings in Elo points, the strongest on top."""
    rank, names = _names(found)
    value, low, high = (part[rank] for part in found.elo)
    colours = [
        style.BLUE if a > 0 else style.RED if b < 0 else style.GREY for a, b in zip(low, high, strict=True)
    ]
    left, right = (np.where(np.isfinite(limit), limit, value) for limit in (low, high))
    within = draw.readable(value, low, high)
    seen = within or (float(min(left)), float(max(right)))
    cut = [names[k] for k in range(len(names)) if low[k] < seen[0] or high[k] > seen[1]] if within else []

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        draw.intervals_in_rows(ax, value, low, high, colours, lambda x: f"{x:+.0f}", [0.0], within)
        style.rows_axis(ax, names)
        style.x_scale(ax, "rating in Elo points, with 95 % intervals", at=style.ticks(seen, 6))
        draw.upright(ax, 0.0, "average")

    return Chart(
        "ratings",
        STRONG,
        said.strongest(found).split(";")[0].replace("), ", ")\n").split("\n")[0],
        paint,
        "One row an entrant, the strongest on top, with 95 % intervals.",
        ("standings",),
        "From all line-ups at once; 100 points more win 64 of 100 games against each other. Blue and orange: "
        "clear of the average entrant; grey: it may be chance."
        + (f" An arrow: the interval of {listed(cut)} goes on beyond the scale." if cut else "")
        + (f" {said.unlimited(found)}." if found.one_sided.any() else ""),
        height=0.2 + 0.34 * len(names),
        left=style.label_room(names),
        top=0.25,
    )


def matrix(found: Tournament) -> Chart:
    """Each against each as a heat map."""
    rank, names = _names(found)
    edge = found.edges.value[np.ix_(rank, rank)]
    text = [["" if i == j else cell_text(found, i, j, "\n") for j in rank] for i in rank]
    left = style.label_room(names)
    room = int((style.WIDTH - left - 0.2) / len(names) / 0.085)
    columns = [style.shorten(one, max(room, 3)) for one in names]
    what = (
        "wins (one that nobody wins counts half)"
        if found.players == 2
        else f"wins alone among {found.players - 1} of the column"
    )

    def paint(axes: Sequence[Panel]) -> None:
        draw.heat(axes[0], edge, names, columns, text, diverging=True)

    return Chart(
        "matrix",
        WHOM,
        said.pairings(found),
        paint,
        "Per cent of games that the row wins against the column.",
        ("matrix", "cycles") if found.cycle_chance[1] else ("matrix",),
        f"Per cent of games that the row {what}, with half of the 95 % interval (the whole in "
        "brackets, where it is lopsided); blue above a fair share, "
        "orange below. The strongest come first: with a clear ranking all blue lies above the diagonal.",
        height=0.1 + 0.48 * len(names),
        left=left,
        bottom=0.35,
    )


def weights(found: Tournament) -> Chart:
    """Equilibrium and alpha-rank, with what they are within the errors."""
    rank, names = _names(found)
    parts = [("evolution (alpha-rank)", found.alpha_rank)]
    if found.nash is not None:
        parts.insert(0, ("equilibrium of two", found.nash))

    def paint(axes: Sequence[Panel]) -> None:
        for ax, (title, (weight, support)) in zip(axes, parts, strict=True):
            at = np.arange(len(rank))
            draw.spans(ax, at, support.low[rank], support.high[rank], style.SKY, 5.0)
            ax.add_dots(draw.pairs(weight[rank], at), style.BLUE, 6.0, edge=style.PAPER)
            ax.set_xlim(-0.03, 1.03)
            style.rows_axis(ax, names if ax is axes[0] else [""] * len(names))
            style.x_scale(ax, "weight in the mix", style.percent_text, at=[0, 0.5, 1])
            style.panel_title(ax, title)

    finding = said.equilibrium(found) or said.evolution(found).split(" (")[0]
    return Chart(
        "meaning",
        MEANS,
        finding.split("; within")[0].split(" (uncertain")[0],
        paint,
        "One row an entrant: its share in the equilibrium and in the long run of evolution.",
        ("meaning",),
        "Dots: from the payoffs as they were played; bands: 95 % of payoffs drawn within their "
        "errors. A wide "
        "band says that more games are needed to know, one from 0 to 100 % that nothing is known yet.",
        height=0.25 + 0.3 * len(names),
        cols=len(parts),
        left=style.label_room(names),
        top=0.3,
        gap=(0.45, 0.5),
    )


def seats(found: Tournament) -> Chart:
    """Seats against their fair share."""
    _, edge = found.seats
    names = list(found.seat_names)
    colours = shades(*edge, together=1 if found.players == 2 else found.players)

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        draw.intervals_in_rows(ax, *edge, colours, lambda x: f"{100 * x:+.2f}", [0.0])
        style.rows_axis(ax, names)
        style.x_scale(ax, "difference from a fair share in points, with 95 % intervals", style.points_text)
        draw.upright(ax, 0.0, "fair")

    return Chart(
        "seats",
        "Is a seat favoured?",
        said.seat(found),
        paint,
        "One row a seat, with 95 % intervals.",
        ("seats",),
        "Over all line-ups; everybody sat in every seat equally often.",
        height=0.2 + 0.34 * len(names),
        left=style.label_room(names),
        top=0.25,
    )
