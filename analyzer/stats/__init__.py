"""Statistics behind the answers: arrays in, arrays out; nothing here knows a game, a run or a file.

    How sure is a rate or a mean after n games?                    intervals
    May I look after every block, and stop when it is sure enough? sequence    (Watch, exact, bernstein)
    Does a change matter, on the same luck?                        paired      (Pairs, compare, Clusters)
    ... and may I stop early?                                      sequential  (Test, course)
    Is it balanced, unbalanced, or are there too few games?        equivalence (deviation, verdicts)
    Which policy is the strongest?                                 ratings, payoffs
    Which should I fear, is there a cycle, who is never worth it?  meta        (nash, alpha_rank)
    Luck or skill?                                                 variance    (budget)
    When is a game decided, who comes back, who is out of it?      pacing
    Which of my guesses matter?                                    sensitivity (sobol, finding)
    Moments and quantiles of counted values                        counts

scipy is imported inside the functions that need it.
"""
