"""Golden numbers: published values, and values computed by other programs, each with its source."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats import equivalence, intervals, meta, paired, ratings, sensitivity, sequence, sequential

# ---- intervals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_of_newcombe_1998(wins: int, n: int, low: float, high: float) -> None:
    # Newcombe, R. G. (1998), Stat. Med. 17, 857-872, table I, method 3 (score without continuity correction).
    found = intervals.wilson(wins, n)
    assert [float(found.low), float(found.high)] == pytest.approx([low, high], abs=5e-5)


def test_difference_of_newcombe_1998() -> None:
    # Newcombe, R. G. (1998), Stat. Med. 17, 873-890, table II, method 10: 56/70 - 48/80.
    found = intervals.difference(intervals.wilson(56, 70), intervals.wilson(48, 80))
    assert [float(found.low), float(found.high)] == pytest.approx([0.0524, 0.3339], abs=5e-5)


# ---- sequential test -------------------------------------------------------------------------------------


def test_bounds_of_wald() -> None:
    # ln 19 = 2.944, the bounds that every test of chess engines prints for alpha = beta = 0.05.
    test = sequential.Test(0.0, 0.01)
    assert [test.lower, test.upper] == pytest.approx([-2.9444389791664403, 2.9444389791664403], abs=1e-12)


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
        ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
        ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
        ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
        ((30, 40, 50), 0, 20, 1.4333717997704136),
    ],
)
def test_llr_of_fishtest(pairs: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    # fishtest (github.com/official-stockfish/fishtest), server/fishtest/stats/LLRcalc.py at 93fe81eb,
    # LLR_logistic: the generalised SPRT from counts of the results of game pairs (or of single games).
    d0, d1 = (float(sequential.win_rate_of_elo(elo)) for elo in (elo0, elo1))
    values = np.arange(len(pairs)) / (len(pairs) - 1)
    assert sequential.llr_counts(sequential.Test(d0, d1), values, pairs) == pytest.approx(llr, abs=1e-7)


def test_average_number_of_wald_for_a_normal_mean() -> None:
    # Wald, A. (1947), Sequential Analysis, chapter 3, average sample number: with alpha = beta = 0.05 it
    # takes on average (0.9 * 2.9444) / (delta^2 / 2 sigma^2) units under either hypothesis.
    test = sequential.Test(0.0, 0.1)
    assert test.units_needed(0.1, 1.0) == pytest.approx(0.9 * 2.9444389791664403 / 0.005, rel=1e-9)


# ---- confidence sequences --------------------------------------------------------------------------------


def test_width_of_an_asymptotic_sequence() -> None:
    # Waudby-Smith et al. (2024), Ann. Stat. 52, normal mixture with rho for time 1, worked by hand for
    # alpha = 0.05: t rho^2 = -2 ln 0.05 + ln(1 - 2 ln 0.05) = 7.9362; factor 3.0352.
    assert sequence.tuning(1.0) == pytest.approx(7.9362, abs=5e-5)
    u = 5.991464547107983 + math.log(6.991464547107983)
    assert sequence.width_factor() == pytest.approx(
        math.sqrt(2 * (u + 1) / u * math.log(math.sqrt(u + 1) / 0.05))
    )


# ---- power and equivalence -------------------------------------------------------------------------------


def test_units_for_80_percent_power() -> None:
    # (1.95996 + 0.84162)^2 / d^2 for d = 0.2, two-sided 0.05, power 0.80: 196.2 (Cohen, J. (1988),
    # Statistical Power Analysis, section 2.4).
    assert paired.units_needed(1.0, 0.2) == 197


def test_units_for_equivalence() -> None:
    # Chow, Shao, Wang (2008), Sample Size Calculations in Clinical Research, 2nd ed., page 87, as worked on
    # powerandsamplesize.com (1-sample equivalence): p = p0 = 0.60, delta = 0.2, alpha = 0.05, power 0.80: 52.
    found = float(equivalence.units_needed(0.0, math.sqrt(0.6 * 0.4), 0.2))
    assert found == 52


# ---- ratings ---------------------------------------------------------------------------------------------

# American League baseball 1987, from Agresti, A., Categorical Data Analysis (Bradley-Terry model).
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def test_bradley_terry_of_agresti_and_of_r() -> None:
    # R package BradleyTerry2, vignette, baseballModel1: coefficients and standard errors against Baltimore.
    told = {
        "Boston": (1.1077, 0.3339),
        "Cleveland": (0.6839, 0.3319),
        "Detroit": (1.4364, 0.3396),
        "Milwaukee": (1.5814, 0.3433),
        "New York": (1.2476, 0.3359),
        "Toronto": (1.2945, 0.3367),
    }
    found = ratings.rate(ratings.from_matrix(BASEBALL), 7).differences()
    for team, (value, error) in told.items():
        row = TEAMS.index(team)
        assert found.value[row, 6] == pytest.approx(value, abs=6e-5)
        assert (found.high - found.value)[row, 6] / 1.959964 == pytest.approx(error, abs=6e-5)


def test_plackett_luce_of_choix() -> None:
    # choix 0.4.1 (github.com/lucasmaystre/choix), opt_rankings of these eight rankings.
    names = ["0123", "0213", "1032", "2013", "3102", "0321", "1203", "2310"]
    rankings = [[int(x) for x in row] for row in names]
    found = ratings.rate(ratings.from_rankings(rankings), 4).rating
    assert found == pytest.approx([0.40225979, 0.18553328, -0.00707448, -0.58071859], abs=1e-6)


def test_choices_among_three_of_choix() -> None:
    # choix 0.4.1, opt_top1: the winner of tables of three.
    members = np.array([[0, 1, 2], [0, 2, 3], [1, 2, 3]])
    credits = np.array([[30, 18, 9], [20, 12, 7], [15, 10, 11]], float)
    found = ratings.rate(ratings.Tables(members, credits), 4).rating
    assert found == pytest.approx([0.5884695, 0.09795472, -0.30434333, -0.3820809], abs=1e-6)


# ---- games about games -----------------------------------------------------------------------------------


def test_nash_of_odd_or_even() -> None:
    # Ferguson, T. S., Game Theory, part II, section 1 (Odd or Even): call one with 7/12; the value is 1/12.
    found = meta.nash([[-2, 3], [3, -4]])
    assert found.rows == pytest.approx([7 / 12, 5 / 12])
    assert found.columns == pytest.approx([7 / 12, 5 / 12])
    assert found.value == pytest.approx(1 / 12)


def test_alpha_rank_of_han_2013() -> None:
    # OpenSpiel, open_spiel/python/egt/alpharank_test.py: payoffs of Han et al. (2013), J. R. Soc. Interface;
    # alpha 0.1, population 20, selection by the whole population.
    payoff = [
        [0.875, 0.75, 0.0, 2.75, 0.75],
        [1.0, 1.0, -1.0, -1.0, -1.0],
        [0.0, 2.0, 0.0, 0.0, 0.0],
        [-2.0, 2.0, 0.0, 0.0, 0.0],
        [1.0, 2.0, 0.0, 0.0, 0.0],
    ]
    told = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    assert meta.alpha_rank(payoff, 0.1, 20) == pytest.approx(told, abs=1e-6)


def test_alpha_rank_of_biased_rock_paper_scissors() -> None:
    # OpenSpiel 2.0.2, alpharank.compute, alpha 0.1, population 20, selection by the whole population.
    payoff = [[0, -0.25, 1], [0.25, 0, -0.5], [-1, 0.5, 0]]
    assert meta.alpha_rank(payoff, 0.1, 20) == pytest.approx(
        [0.4698619288, 0.3089788237, 0.2211592475], abs=1e-8
    )


def test_alpha_rank_of_the_battle_of_the_sexes() -> None:
    # OpenSpiel 2.0.2, alpharank.compute, two populations, alpha 0.1, population 20.
    found = meta.alpha_rank_roles([[[3, 0], [0, 2]], [[2, 0], [0, 3]]], 0.1, 20)
    assert found.ravel() == pytest.approx([0.493652435, 0.011043386, 0.001651744, 0.493652435], abs=1e-8)


def test_alpha_rank_of_two_unequal_roles() -> None:
    # OpenSpiel 2.0.2, alpharank.compute, alpha 0.1, population 30.
    found = meta.alpha_rank_roles([[[1, 2, 0], [0, 1, 3]], [[1, 0, 2], [2, 1, 0]]], 0.1, 30)
    told = [0.3143186156, 0.0317176755, 0.1404130267, 0.3094646079, 0.072948389, 0.1311376853]
    assert found.ravel() == pytest.approx(told, abs=1e-8)


# ---- sensitivity -----------------------------------------------------------------------------------------

ANGLES = [sensitivity.Range(name, -math.pi, math.pi) for name in "abc"]


def ishigami(u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ishigami, T., Homma, T. (1990): sin a + 7 sin^2 b + 0.1 c^4 sin a, at u in [0, 1]."""
    a, b, c = (2 * math.pi * u - math.pi).T
    return np.asarray(np.sin(a) + 7 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a))


def test_sobol_of_ishigami() -> None:
    # Closed form, in Homma, T., Saltelli, A. (1996), Reliab. Eng. Syst. Saf. 52, 1-17: first 0.3139,
    # 0.4424, 0; total 0.5576, 0.4424, 0.2437.
    design = sensitivity.sobol_design(ANGLES, 4096)
    found = sensitivity.sobol(design, ishigami(design.points), draws=99)
    assert found.first.value == pytest.approx([0.3139, 0.4424, 0.0], abs=0.01)
    assert found.total.value == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.01)
    assert found.variance == pytest.approx(13.8446, rel=0.01)
    inside = (found.total.low - 0.005 < [0.5576, 0.4424, 0.2437]) & (
        found.total.high + 0.005 > [0.5576, 0.4424, 0.2437]
    )
    assert inside.all()


def test_pawn_of_salib() -> None:
    # SALib 1.6.0, analyze.pawn with ten slices (median), Ishigami at 1,000 points of an additive recurrence.
    golden = 1.2207440846057596
    steps = np.arange(1, 1001)
    points = np.stack([(0.5 + steps / golden**k) % 1 for k in (1, 2, 3)], axis=1)
    design = sensitivity.Design(("a", "b", "c"), points, [])
    assert sensitivity.pawn(design, ishigami(points), draws=10).index == pytest.approx(
        [0.243, 0.385, 0.0955], abs=0.012
    )
