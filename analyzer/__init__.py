"""Monte Carlo strategy analyzer for tabletop war games: the whole Python API on one screen.

    import analyzer

    results = analyzer.run("moscow", players=4, n=100_000, policies=["balanced", "racer", "blocker", "racer"])
    results.win_rates()              # a DataFrame: win rate by seat, with intervals and fair share
    results.win_rates("policy")      # ... by policy
    results.games, results.tallies   # one row a game; additive counts
    print(results.summary())         # the main findings in words

    print(analyzer.replay("moscow", game_index=17))   # one game of that very run, step by step

    series = analyzer.run("moscow", players="2-6")    # several settings, one run each
    series.table()                                    # one row a setting
    analyzer.run("moscow", matchups="all").matrix()   # each policy against each, two players

    study = analyzer.compare("moscow", set_b={"moscow_strength": 14})   # A against B on the same luck
    study.words, study.tables                         # findings in words; tables by name

    analyzer.run("moscow", out="kept"); analyzer.resume("kept", n=1_000_000)   # more games of the same run

    analyzer.tournament("moscow", players=2).words    # which strategy should I fear?
    analyzer.sweep("moscow", {"moscow_strength": "12:20:2"}).tables["sweep"]
    analyzer.assumptions("moscow", samples=64)        # which of my guesses matter?
    analyzer.panel("moscow", players=4).write("out")  # does the verdict depend on who plays?
    study = analyzer.cards("moscow", cards="advance 200")   # what goes with a card, and what it does
    study.tables["cards"], study.words, study.write("somewhere")
    analyzer.luck("moscow", policies="balanced,racer")       # deal, dice, seat, policy: what decides
    analyzer.story("moscow")                                 # when it is decided, who comes back
    analyzer.side_by_side("reports/a", "reports/b")   # saved runs held against the first: tables, words, page
    analyzer.rebuild("reports/a")                     # the page of a saved run again, nothing is simulated

    with analyzer.backend("dask", "tcp://127.0.0.1:8786"):   # everything within on a cluster's workers
        analyzer.run("moscow", n=10**8, out="large")

    print(analyzer.odds("moscow", attack=12, army=8, general=True))   # exact, by the rules alone

The functions stand in `analyzer.api`. Heavy imports happen inside them: `import analyzer` costs nothing.
"""

from analyzer.api.facts import games, odds, policies
from analyzer.api.runs import backend, load, load_series, rebuild, replay, resume, run, side_by_side
from analyzer.api.studies import assumptions, cards, compare, luck, panel, story, sweep, tournament

__version__ = "0.1.0"
__all__ = [
    "assumptions",
    "backend",
    "cards",
    "compare",
    "games",
    "load",
    "load_series",
    "luck",
    "odds",
    "panel",
    "policies",
    "rebuild",
    "replay",
    "resume",
    "run",
    "side_by_side",
    "story",
    "sweep",
    "tournament",
]
