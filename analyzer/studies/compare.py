"""Does a change matter? A against B on the same luck: two configs, one rule changed, or two policies.

Both sides play the same deals and dice, so that their difference varies less than that of two independent
runs; every difference comes with its interval, what the common luck was worth, and the smallest effect that
so many games can see. A sequential test stops after the piece of games that answers the question.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.config_read import Given
from analyzer.errors import UserError, argument, nearest
from analyzer.seats import numbered
from analyzer.sim import balance, runner
from analyzer.sim.request import DEFAULT_N, Request
from analyzer.sim.results import Results
from analyzer.sim.settings import plan
from analyzer.specs import share
from analyzer.stats import equivalence, intervals, paired, sequence, sequential
from analyzer.studies import compare_words
from analyzer.studies.pairing import Measure, Pairing, Sums, sums
from analyzer.studies.study import Study, meta_of

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95
FIRST = 2_000  # games of a side in the first piece of a sequential test, each piece twice the one before
EVERY = 1_000  # games of a side from one look to the next
LONG = ("differences", "lengths")  # tables too wide for a terminal, which is spared these columns:
WIDE = ("smallest", "variance_ratio")
DIFFERENT, EQUAL = "different", "equal"
VERDICTS = {equivalence.UNBALANCED: DIFFERENT, equivalence.BALANCED: EQUAL}


@dataclass(frozen=True)
class Asked:
    """The question: which runs, paired how, and what shall be said of them.

    sprt: (low, high): is the difference of `measure` rather high than low? tolerance: differences up to this
    are none. measure: the main one; "" is that of the change.
    """

    pairing: Pairing
    sprt: tuple[float, float] | None = None
    measure: str = ""
    tolerance: float | None = None

    def __post_init__(self) -> None:
        if self.pairing.a.key == self.pairing.b.key:
            raise UserError(
                "A and B are the same; give B another policy, setting or config "
                f"({argument('policy_b')}, {argument('set_b')}, {argument('config_b')}, ...)."
            )
        if self.sprt is not None and self.tolerance is not None:
            raise UserError(
                f"Give either {argument('tolerance')} or bounds of a sequential test ({argument('sprt')}), "
                "not both: verdicts hold for a number of games fixed before, and the test stops when it has "
                "seen enough."
            )
        if self.sprt is not None and self.sprt[0] == self.sprt[1]:
            raise UserError(f"The two bounds of a sequential test must differ, not both be {self.sprt[0]:g}.")
        names = [one.name for one in self.pairing.measures if one.share]
        if self.measure and self.measure not in names:
            raise nearest(self.measure, names, f"row for {argument('measure')}")

    @property
    def watched(self) -> int:
        """The place of the main measure."""
        names = [one.name for one in self.pairing.measures]
        return names.index(self.measure) if self.measure else 0

    @property
    def n(self) -> int:
        """Games of both sides, at most."""
        return self.pairing.a.n + self.pairing.b.n

    @property
    def test(self) -> sequential.Test | None:
        """The sequential test, if one is wanted."""
        return None if self.sprt is None else sequential.Test(*self.sprt)


def asked(
    a: Request,
    b: Request,
    one_seat: bool = False,
    sprt: tuple[float, float] | None = None,
    measure: str = "",
    tolerance: float | None = None,
) -> Asked:
    """The question of two requests for as many games. Where they have different numbers of rotations, each
    deal is played in all of them. Raises UserError if they cannot be compared."""
    if a.game != b.game or a.players != b.players:
        raise UserError("A and B must be the same game with as many players.")
    if (a.n, a.seed, a.block) != (b.n, b.seed, b.block):
        raise UserError("A and B must have the same n, seed and block: they play the same luck.")
    by_deal = a.duplicate or b.duplicate or len(a.rotations) != len(b.rotations)
    most = max(len(a.rotations), len(b.rotations))
    units = -(-a.n // most)
    if by_deal:
        a, b = (replace(one, duplicate=True, n=units * len(one.rotations)) for one in (a, b))
    else:
        a, b = (replace(one, n=units * most) for one in (a, b))
    names = dict(zip(map(numbered, range(a.players)), a.seats, strict=True))  # `seat 1` is right anywhere
    return Asked(Pairing(a, b, one_seat), sprt, names.get(measure, measure), tolerance)


def ask(
    game: str,
    *,
    players: object = None,
    n: int = DEFAULT_N,
    policies: Any = None,
    policy: Any = None,
    seed: int = 1,
    settings: Any = (),
    config: Any = None,
    block: int | None = None,
    duplicate: bool = False,
    set_b: Any = (),
    config_b: Any = None,
    policy_b: Any = None,
    policies_b: Any = None,
    one_seat: bool = False,
    sprt: object = None,
    measure: str = "",
    tolerance: object = None,
    axes: Mapping[str, object] | None = None,
) -> Asked:
    """The question of `analyzer.compare`'s arguments. Raises UserError for anything wrong in them."""
    given = {name: value for name, value in (axes or {}).items() if value is not None}
    own = {name.removesuffix("_b"): given.pop(name) for name in list(given) if name.endswith("_b")}
    a = plan(game, players, n, policies, policy, seed, settings, config, block, given, duplicate).single()
    if one_seat:
        if policy_b is None or policies_b is not None or len(set(a.labels)) > 1:
            raise UserError(
                f"{argument('one_seat')} needs one policy for all seats of A ({argument('policy')}), and one "
                f"for B ({argument('policy_b')})."
            )
        if a.players == 1:
            raise UserError(
                f"With one player there is one seat only; compare without {argument('one_seat')}."
            )
        old = policy if policy is not None else policies if policies is not None else a.policies[0].spec
        old = old if isinstance(old, str) or not isinstance(old, Sequence) else old[0]
        policies_b, policy_b = [policy_b, *[old] * (a.players - 1)], None
    elif policy_b is None and policies_b is None:
        policy_b, policies_b = policy, policies
    b = plan(
        game, a.players, n, policies_b, policy_b, seed, _both_sets(settings, set_b),
        config if config_b is None else config_b, block, {**given, **own}, duplicate,
    ).single()  # fmt: skip
    allowed = None if tolerance is None else share(tolerance, argument("tolerance"), 1e-4, 0.5)
    return asked(a, b, one_seat, None if sprt is None else bounds(sprt), measure, allowed)


def _both_sets(settings: Any, more: Any) -> list[str]:
    """The settings of A with B's laid over them; mappings or key=value texts."""
    return [*_texts(settings), *(Given.by("set_b", one) for one in _texts(more))]


def _texts(settings: Any) -> list[str]:
    if isinstance(settings, Mapping):
        return [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    return [settings] if isinstance(settings, str) else list(settings)


def bounds(value: object) -> tuple[float, float]:
    """Two bounds of a difference of shares, from "0%,2%" or (0, 0.02). Raises UserError."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or len(parts) != 2:
        raise UserError(f"{argument('sprt')} takes two bounds, written 0%,2%, not {value!r}.")
    low, high = (share(part, f"a bound of {argument('sprt')}", -1.0, 1.0) + 0.0 for part in parts)  # no -0
    return low, high


@dataclass
class Found:
    """What was played: sums over the pairs, the runs' own claims of balance, weight of a game (see
    Results)."""

    sums: Sums
    balances: tuple[balance.Balance, balance.Balance]
    weight: float
    games: int
    course: sequential.Course | None = None

    @property
    def pairs(self) -> paired.Pairs:
        """The sums, a game counting for `weight` of one."""
        assert self.sums.pairs is not None
        return paired.Pairs(*(np.asarray(x) * (self.weight or 1.0) for x in astuple(self.sums.pairs)))

    def claims(self, pairing: Pairing, rows: Sequence[int] = ()) -> int:
        """How many of the measures (or of these rows) are judged together: one that says of the others
        what another says of the one is no claim of its own."""
        assert self.sums.pairs is not None
        nobody = [one.nobody for one in pairing.measures].index(True)
        alike = float(self.sums.pairs.differences[2][nobody]) < 1e-9
        return (len(rows) or len(pairing.measures)) - (pairing.mirrors if alike else 0)


def run(
    question: Asked, jobs: int | None = None, progress: runner.Progress | None = None, command: str = ""
) -> Study:
    """Play both sides and compare them. progress: called with games done and games in all, of both sides."""
    started = time.perf_counter()
    found = _play(question, jobs, progress)
    study = _study(question, found, command)
    study.meta["wall_seconds"] = round(time.perf_counter() - started, 3)
    return study


# ---------------------------------------------------------------- playing


def _play(question: Asked, jobs: int | None, progress: runner.Progress | None) -> Found:
    pairing, test = question.pairing, question.test
    planned = pairing.a.n + pairing.b.n
    every = -(-EVERY // pairing.games)
    found = None
    for a, b in _stages(pairing, test is not None):
        told = None if progress is None else _of(progress, planned)
        one, other = _both(a, b, jobs, told)
        added = sums(pairing, one, other, question.watched, every if test else 0)
        weight = min(one.weight, other.weight)
        found = Found(added, (one.balance(), other.balance()), weight, one.n + other.n)
        if test is not None and added.looks:
            n, total, squares = np.array(added.looks).T * (weight or 1.0)
            found.course = sequential.course(test, n, total, squares, pairing.step)
            if found.course.stop >= 0:
                break
    assert found is not None
    return found


def _stages(pairing: Pairing, sequentially: bool) -> Iterator[tuple[Request, Request]]:
    """The two requests; for a sequential test first shorter ones, each twice as long as the one before."""
    games, units = pairing.games, max(pairing.a.n, pairing.b.n) // pairing.games
    now = -(-FIRST // games) if sequentially else units
    while now < units:
        yield _cut(pairing.a, pairing, now), _cut(pairing.b, pairing, now)
        now *= 2
    yield pairing.a, pairing.b


def _cut(request: Request, pairing: Pairing, units: int) -> Request:
    return replace(request, n=units * (len(request.rotations) if pairing.by_deal else 1))


def _both(
    a: Request, b: Request, jobs: int | None, progress: runner.Progress | None
) -> tuple[Results, Results]:
    found: dict[int, Results] = {}
    runner.run_all([runner.Ask(a), runner.Ask(b)], found.__setitem__, jobs, progress)
    return found[0], found[1]


def _of(progress: runner.Progress, planned: int) -> runner.Progress:
    return lambda done, _: progress(done, planned)


# ---------------------------------------------------------------- what was found


def _study(question: Asked, found: Found, command: str) -> Study:
    pairing = question.pairing
    frames = tables(question, found)
    asked_for: dict[str, Any] = {
        "sides": compare_words.sides(pairing),
        "one_seat": pairing.one_seat,
        "by_deal": pairing.by_deal,
        "sprt": question.sprt,
        "measure": pairing.measures[question.watched].name,
        "tolerance": question.tolerance,
    }
    meta = meta_of("compare", [pairing.a, pairing.b], command, found.games, **asked_for)
    meta["policies"] = list(dict.fromkeys([*pairing.a.labels, *pairing.b.labels]))
    told = compare_words.Told(question, found, frames)
    from analyzer.studies import compare_charts

    shown = [name for name in (*LONG, "verdicts", "balance") if name in frames]
    sides = compare_words.sides(pairing)
    return Study(
        "compare", meta, frames, compare_charts.charts(told), told.words(),
        facts=[f"A: {sides['A']}", f"B: {sides['B']}"], shown=shown,
        columns={name: [str(c) for c in frames[name] if c not in WIDE] for name in LONG},
    )  # fmt: skip


def tables(question: Asked, found: Found) -> dict[str, pd.DataFrame]:
    """differences (shares), lengths, and, where asked for, test (the sequential test's course) or
    verdicts."""
    import pandas as pd

    from analyzer.report.parts import titled

    measures = question.pairing.measures
    rows = _rows(question, found, measures)
    share = np.array([one.share for one in measures])
    kinds = {"A": "share", "B": "share", "difference": "points", "smallest": "points"}
    frames = {
        "differences": titled(
            pd.DataFrame(rows)[share].rename(columns={"of": "wins"}).reset_index(drop=True),
            "Games won: A, B, and B less A on the same luck",
            "What changes?",
            _about(question, found, "in points"),
        ),
        "lengths": titled(
            pd.DataFrame(rows)[~share].reset_index(drop=True),
            "Length of a game: A, B, and B less A",
            "What changes?",
        ),
    }
    frames["differences"].attrs["kinds"] = kinds
    frames["lengths"].attrs["kinds"] = dict.fromkeys(("A", "B", "difference"), "number")
    if found.course is not None:
        frames["test"] = _test(question, found)
    if question.tolerance is not None:
        frames |= _verdicts(question, found)
    return frames


def _about(question: Asked, found: Found, unit: str) -> str:
    lasting = question.test is not None
    what = "that hold at every look" if lasting else "of one look"
    deals = "deals played in all rotations" if question.pairing.by_deal else "pairs of games"
    return (
        f"A, B: with 95 % intervals of one look at {deals}; difference: B less A {unit}, with 95 % intervals "
        f"{what}; finding: whether it is clear of chance, {found.claims(question.pairing)} rows of this "
        "table and the next judged together (no mirror of another counted); smallest: the smallest true "
        "difference that so many games would so find in 4 of 5 such studies; variance ratio: variance of two "
        "independent runs "
        f"of as many games over that on the same luck; n: {deals}, of A and of B."
    )


def _rows(question: Asked, found: Found, measures: Sequence[Measure]) -> list[dict[str, Any]]:
    joint = intervals.joint_level(LEVEL, found.claims(question.pairing))
    once, together = (compared(question, found, level) for level in (LEVEL, joint))
    sides = {side: _rates(question, found, side) for side in "AB"}
    rows = []
    for row, one in enumerate(measures):
        low, high = float(together.low[row]), float(together.high[row])
        finding = "more" if low > 0 else "less" if high < 0 else "not clear"
        if not (np.isfinite(low) and np.isfinite(high)):
            finding = "too few games"
        rows.append(
            {
                "of": one.name,
                **{
                    f"{side}{end}": float(values[row])
                    for side, rates in sides.items()
                    for end, values in zip(("", " low", " high"), rates, strict=True)
                },
                "difference": float(once.value[row]),
                "difference low": float(once.low[row]),
                "difference high": float(once.high[row]),
                "finding": finding,
                "smallest": float(together.smallest[row]),
                "variance_ratio": float(once.factor[row]),
                "n": int(np.asarray(found.sums.pairs.n)[row]) if found.sums.pairs is not None else 0,
            }
        )
    return rows


def _rates(question: Asked, found: Found, side: str) -> intervals.Interval:
    """The mean of every measure on one side with its 95 % interval, float64[measure] each.

    A unit's share (of a game, or the mean over a deal's rotations) lies between 0 and 1, as a credit does.
    """
    pairs = found.pairs  # B is their first side, so that differences are B less A
    total, squares = (pairs.a, pairs.aa) if side == "B" else (pairs.b, pairs.bb)
    n, total, squares = (np.asarray(x, np.float64) for x in (pairs.n, total, squares))
    share = np.array([one.share for one in question.pairing.measures])
    within = np.where(share, total, 0.0).clip(0.0, n), np.where(share, squares, 0.0)
    rates, means = intervals.credit(*within, n), intervals.mean(n, total, squares)
    whole = intervals.Interval(*(np.where(share, x, y) for x, y in zip(rates, means, strict=True)))
    return whole if found.weight else intervals.unknown(whole)


def compared(question: Asked, found: Found, level: float = LEVEL) -> paired.Comparison:
    """B less A of every measure, float64[measure] each; with a sequential test the limits hold at every
    look."""
    share = np.array([one.share for one in question.pairing.measures])
    parts = [
        paired.compare(_part(found.pairs, rows), level, step)
        for rows, step in ((share, question.pairing.step), (~share, 0.0))
    ]
    whole = [np.empty(len(share)) for _ in paired.Comparison._fields]
    for rows, part in zip((share, ~share), parts, strict=True):
        for values, own in zip(whole, part, strict=True):
            values[rows] = own
    result = paired.Comparison(*whole)
    if question.test is not None:
        n, total, squares = found.pairs.differences
        lasting = sequence.asymptotic(n, total, squares, level, _units(question.pairing))
        result = result._replace(low=lasting.low, high=lasting.high)
    if not found.weight:
        nothing = np.full(len(share), np.nan)
        result = result._replace(low=nothing, high=nothing, smallest=nothing)
    return result


def _part(pairs: paired.Pairs, rows: np.ndarray) -> paired.Pairs:
    return paired.Pairs(*(np.asarray(x)[rows] for x in astuple(pairs)))


def _units(pairing: Pairing) -> int:
    """Units of the whole study, if it is not stopped early."""
    return max(pairing.a.n, pairing.b.n) // pairing.games


def _test(question: Asked, found: Found) -> pd.DataFrame:
    """The sequential test at every look."""
    import pandas as pd

    from analyzer.report.parts import titled

    assert found.course is not None
    assert question.test is not None
    test, course = question.test, found.course
    n, total, _ = np.array(found.sums.looks).T
    frame = pd.DataFrame(
        {
            "games": (n * question.pairing.games).astype(np.int64),
            "difference": total / n,
            "log likelihood ratio": course.llr,
            "says": [_says(test, float(x)) for x in course.llr],
        }
    )
    if course.stop >= 0:
        frame = frame.iloc[: int(course.stop) + 1]
    low, high = (compare_words.signed(x) for x in (test.d0, test.d1))
    name = question.pairing.measures[question.watched].name
    about = (
        f"Is the difference of {name} {high} points rather than {low}? At {test.upper:.2f} or more {high} is "
        f"accepted, at {test.lower:.2f} or less {low}; wrong in {100 * test.alpha:g} % of such tests at "
        "most. games: of the side that plays more."
    )
    title = f"The sequential test of {low} against {high} points"
    found_frame = titled(frame, title, "When is it decided?", about)
    found_frame.attrs["kinds"] = {"difference": "points"}
    return found_frame


def _says(test: sequential.Test, llr: float) -> str:
    low, high = (compare_words.signed(x) for x in (test.d0, test.d1))
    words = {"d0": f"{low} points", "d1": f"{high} points", "go on": "go on"}
    return words[test.decide(llr)]


def _verdicts(question: Asked, found: Found) -> dict[str, pd.DataFrame]:
    """Verdicts on the differences and on the balance of either side, all corrected together."""
    import pandas as pd

    from analyzer.report.parts import titled

    assert question.tolerance is not None
    pairing, tolerance = question.pairing, question.tolerance
    shares = [row for row, one in enumerate(pairing.measures) if one.share]
    inner = sum(len(one.names) for one in found.balances)
    own = found.claims(pairing, shares)
    claims = inner + own
    once = compared(question, found)
    units = np.asarray(found.pairs.n)[shares] if found.weight else np.zeros(len(shares))
    judged = equivalence.verdicts(once.value[shares], once.error[shares], units, tolerance, LEVEL, claims)
    rows = []
    for place, row in enumerate(shares):
        word, needed = str(judged.verdict[place]), float(judged.needed[place])
        needed = needed / max(found.weight, 1e-9) * pairing.games
        is_open = word == equivalence.TOO_FEW and np.isfinite(needed) and found.weight > 0
        is_open = is_open and found.games >= 2 * balance.LEAST
        rows.append(
            {
                "wins": pairing.measures[row].name,
                "n": int(np.asarray(found.sums.pairs.n)[row]) if found.sums.pairs is not None else 0,
                "difference": float(judged.value[place]),
                "difference low": float(judged.low[place]),
                "difference high": float(judged.high[place]),
                "verdict": VERDICTS.get(word, word),
                "games_needed": balance.round_up(needed) if is_open else np.nan,
            }
        )
    many = f"{100 * tolerance:g} point{'' if tolerance == 0.01 else 's'}"
    about = (
        f"equal: B differs from A by less than {many}, shown by two one-sided tests; different: a "
        f"difference is shown. Corrected for {claims} claims made together, the balance of A and of B "
        "among them; so are the intervals. games needed: about how many a side would bring a verdict."
    )
    frame = titled(
        pd.DataFrame(rows), f"Verdicts on the differences, tolerance {many}", "Is it balanced?", about
    )
    frame.attrs |= {"kinds": {"difference": "points"}, "tolerance": tolerance, "claims": claims}
    frames = {"verdicts": frame}
    if inner:
        frames["balance"] = balance.frame(found.balances, tolerance, LEVEL, ("A", "B"), beside=own)
        frames["balance"].attrs["title"] = f"Verdicts on the balance of A and of B, tolerance {many}"
    return frames
