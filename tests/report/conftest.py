"""Results to report on: an ordinary run, one with rotated policies, and the odd ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from matplotlib.figure import Figure

from analyzer.report import charts
from analyzer.report.build import Report
from tests import synthetic

CASES: dict[str, dict[str, Any]] = {
    "plain": {"n": 1500},
    "rotated": {"n": 1500, "policies": ("balanced", "racer", "blocker", "hoarder")},
    "one game": {"n": 1},
    "fewer games than rotations": {"n": 3, "policies": ("a", "b", "c", "d")},
    "nobody ever wins": {"n": 300, "attack": 0.0},
    "solo": {"n": 300, "players": 1},
    "two": {"n": 400, "players": 2, "policies": ("balanced", "racer")},
    "pairs": {"n": 400, "policies": ("balanced", "racer", "balanced", "racer")},
    "six": {
        "n": 600,
        "players": 6,
        "policies": ("random", "racer", "blocker", "hoarder", "balanced", "spoiler:whom=leader,hinder=0.75"),
    },
    "odd names": {"n": 300, "policies": ("<script>alert(1)</script>", "$x^2_", "=cmd()", "[bold]a & b\"'")},
    "no fights": {"n": 200, "fights": False},
    "no single games": {"n": 200, "games": False},
}


@cache
def report_of(name: str) -> Report:
    return Report(synthetic.make(**CASES[name]))


@cache
def figures_of(name: str) -> dict[str, Figure]:
    report = report_of(name)
    return {chart.name: charts.figure(chart, report.footer) for chart in report.charts}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> tuple[Report, dict[str, Figure]]:
    """A report and its charts as figures, drawn once for all tests."""
    return report_of(request.param), figures_of(request.param)


@pytest.fixture(params=list(CASES))
def report(request: pytest.FixtureRequest) -> Report:
    return report_of(request.param)


@pytest.fixture
def rotated() -> Report:
    return report_of("rotated")


@pytest.fixture
def odd_names() -> Report:
    return report_of("odd names")
