"""What a tournament shows, in sentences: only what is clear of chance is told as a fact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from analyzer.report.draw import percent
from analyzer.report.parts import points
from analyzer.report.wins import listed
from analyzer.stats import intervals
from analyzer.studies.tournament_tables import order, unknown

if TYPE_CHECKING:
    from analyzer.studies.tournament import Tournament

SURE = (
    0.975  # share of resampled tournaments from which somebody is called the strongest: of two equals one is
)
# in 5 of 100 tournaments, of more less often
MISFIT = 4.0  # standard errors from which ratings are said not to tell who beats whom


def words(found: Tournament) -> list[str]:
    """What was played, the main finding, the rest; a sentence each."""
    told = [
        played(found),
        strongest(found),
        unlimited(found),
        pairings(found),
        circles(found),
        equilibrium(found),
        evolution(found),
        dominated(found),
        seat(found),
        fit(found),
        repeats(found),
    ]
    return [f"{one}." for one in told if one]


def played(found: Tournament) -> str:
    """What was played."""
    field = found.field
    n = max(asked.n for asked in field.requests)
    what = f"{field.axis}" if field.axis else "policies"
    games = sum(asked.n for asked in field.requests)
    if field.axis:
        met = f"in every pairing and in both seats ({games:,} games in all)"
    elif found.players == 2:
        many = len(field.lineups)
        met = "in 1 pairing, " if many == 1 else f"in {many} pairings, "
        met += f"{n:,} games{'' if many == 1 else ' each'}, half of them in either seat"
    else:
        met = f"in {len(field.lineups)} line-ups, {n:,} games each, in turn in all {found.players} seats"
        if field.left[0]:
            met += f" (a balanced sample: {field.left[0]:,} of {field.left[1]:,} mixed line-ups left out)"
    return f"{found.size} {what} of {field.game} met {met}: {listed(field.names)}"


def strongest(found: Tournament) -> str:
    """Whom to fear."""
    rank = order(found).tolist()
    names, (rate, edge, _) = found.field.names, found.against_all
    first = rank[0]
    elo = found.elo
    half = (elo.high[first] - elo.low[first]) / 2
    rating = (
        f"{elo.value[first]:+.0f} ±{half:.0f} Elo"
        if math.isfinite(half)
        else f"more than {elo.low[first]:+.0f} Elo"
    )
    shown = (
        f"{percent(rate.value[first])} of its games (±{points((rate.high[first] - rate.low[first]) / 2)}), "
        f"{points(abs(edge.value[first]))} {'above' if edge.value[first] > 0 else 'below'} a fair share, "
        f"{rating}"
    )
    if found.best[first] >= SURE:
        return f"Fear {names[first]}: it wins {shown}"
    rivals = [
        names[i]
        for i in np.argsort(-found.best, kind="stable").tolist()
        if found.best[i] > 1 - SURE or i == first
    ]
    return (
        f"{listed(rivals)} are too close to tell who is the strongest with this many games; "
        f"{names[first]} wins {shown}"
    )


def unlimited(found: Tournament) -> str:
    """Who won or lost every game: there its rating has no limit."""
    told = []
    for i in np.flatnonzero(found.one_sided).tolist():
        weak = found.one_sided[i] < 0
        limit = found.elo.high[i] if weak else found.elo.low[i]
        told.append(
            f"{found.field.names[i]} never {'won' if weak else 'lost'} a game that anybody won, so that its "
            f"Elo is known only to be {'below' if weak else 'above'} {limit:+,.0f} (one-sided, 95 %)"
        )
    return "; ".join(told)


def pairings(found: Tournament) -> str:
    """How many pairings are one-sided, and which the most."""
    names = found.field.names
    clear = int(found.beaten.sum())
    if found.players == 2:
        pairs = found.size * (found.size - 1) // 2
        if not clear:
            wide = np.nanmax(found.edges.high - found.edges.low) / 2
            return f"No pairing is clearly one-sided (±{points(wide)}, with all {pairs} judged together)"
        verb = "is" if clear == 1 else "are"
        most = "" if clear == 1 else "most of all "
        return f"{clear} of {pairs} pairings {verb} clearly one-sided, {most}{_widest(found)}"
    pairs = found.size * (found.size - 1)
    if not clear:
        return "Nobody wins clearly more than a fair share alone among others of one kind"
    i, j = np.unravel_index(int(np.nanargmax(found.edges.value)), (found.size, found.size))
    return (
        f"Alone among another kind a policy wins clearly more than its share in {clear} of {pairs} cases, "
        f"most of all {names[i]} among {names[j]} ({points(found.edges.value[i, j])} above it)"
    )


def _widest(found: Tournament) -> str:
    """The most one-sided pairing of two; with those that are level with it, where one entrant meets all."""
    names, edge = found.field.names, found.edges.value
    top = np.nanmax(edge)
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(edge >= top - 1e-9), strict=True)]
    rate = percent(found.payoffs.value[pairs[0]])
    if len(pairs) == 1:
        return f"{names[pairs[0][0]]} against {names[pairs[0][1]]} ({rate})"
    winners, losers = (list(dict.fromkeys(side)) for side in zip(*pairs, strict=True))
    if len(winners) * len(losers) == len(pairs):
        told = (listed([names[i] for i in side]) for side in (winners, losers))
        return f"{' against '.join(told)} ({rate} each)"
    return listed([f"{names[i]} against {names[j]}" for i, j in pairs]) + f" ({rate} each)"


def circles(found: Tournament) -> str:
    """Rock, paper, scissors?"""
    names = found.field.names
    if found.cycles:
        first = found.cycles[0]
        told = " beats ".join(names[i] for i in (*first, first[0]))
        more = f", one of {len(found.cycles)} clear cycles" if len(found.cycles) > 1 else ""
        return f"As in rock, paper, scissors, {told}{more}: there is no best one against everybody"
    chance, each = found.cycle_chance
    if chance < 0.05:
        ranked = ": they can be ranked" if found.best.max() >= SURE else ""
        return f"There is no circle in which each beats the next{ranked}"
    which = next(iter(each))
    told = " > ".join(names[i] for i in (*which, which[0]))
    return (
        f"No circle is clear of chance, but one is possible ({percent(chance, 0)} of payoffs drawn within "
        f"their errors have one, most often {told}: {percent(each[which], 0)})"
    )


def equilibrium(found: Tournament) -> str:
    """What cannot be out-guessed, for two."""
    if found.nash is None:
        return ""
    weight, support = found.nash
    names = found.field.names
    played_ = [i for i in np.argsort(-weight, kind="stable").tolist() if weight[i] > 1e-6]
    told = listed([f"{names[i]} ({percent(weight[i], 0)})" for i in played_])
    maybe = [names[i] for i in range(found.size) if i not in played_ and support.chance[i] > 0.05]
    more = f"; within the errors also {listed(maybe)}" if maybe else ""
    unsure = [
        f"{names[i]} is part of it in {percent(support.chance[i], 0)} of payoffs drawn within their errors"
        for i in played_
        if support.chance[i] < SURE
    ]
    doubt = f" (uncertain: {listed(unsure)})" if unsure else ""
    return f"Whoever must not be out-guessed plays {told}{more}{doubt}"


def evolution(found: Tournament) -> str:
    """Where evolution ends up."""
    weight, support = found.alpha_rank
    names = found.field.names
    top = [i for i in np.argsort(-weight, kind="stable").tolist() if weight[i] > 0.01][:4]
    open_ = unknown(support)
    told = listed([
        f"{names[i]} ({percent(weight[i], 0)}, but within the errors none or all: only more games tell)"
        if open_[i]
        else f"{names[i]} ({percent(weight[i], 0)}, {percent(support.low[i], 0)} to "
        f"{percent(support.high[i], 0)} within the errors)"
        for i in top
    ])  # fmt: skip
    return f"Players who copy what wins end up with {told}"


def dominated(found: Tournament) -> str:
    """What is never the better choice."""
    names = found.field.names
    worse = list(dict.fromkeys(one.worse for one in found.dominated))
    if not worse:
        return "Nobody is clearly worse than another one against every opponent"
    better = {one.worse: one.better for one in reversed(found.dominated)}
    told = listed([f"{names[i]} (by {names[better[i]]})" for i in worse])
    return f"Clearly worse than another one against every opponent: {told}"


def seat(found: Tournament) -> str:
    """Whether a seat is favoured over the whole tournament."""
    _, edge = found.seats
    count = 1 if found.players == 2 else found.players
    wide = intervals.z_value(intervals.joint_level(0.95, count)) / intervals.z_value(0.95)
    low, high = (edge.value + wide * (limit - edge.value) for limit in (edge.low, edge.high))
    clear = [i for i in range(found.players) if low[i] > 0 or high[i] < 0]
    if not clear:
        return f"No seat is clearly favoured (±{points(float((high - low).max()) / 2)})"
    top = max(clear, key=lambda i: abs(edge.value[i]))
    word = "more" if edge.value[top] > 0 else "less"
    name, much = found.seat_names[top], points(abs(edge.value[top]))
    return (
        f"Over all line-ups {name} wins {much} {word} than a fair share "
        f"(±{points(float(high[top] - low[top]) / 2)})"
    )


def fit(found: Tournament) -> str:
    """Whether one number an entrant is enough."""
    i, j, value, told, z = found.misfit
    if abs(z) < MISFIT:
        return ""
    names = found.field.names
    return (
        f"One rating an entrant does not tell everything: {names[i]} against {names[j]} scores "
        f"{percent(value)}, its rating says {percent(told)}"
    )


def repeats(found: Tournament) -> str:
    """Where games repeat each other."""
    if not found.repeated:
        return ""
    return (
        f"In {found.repeated} of {len(found.sums)} line-ups games repeated each other; repeats count as one"
    )
