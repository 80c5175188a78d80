"""A dice race: a game the program has never heard of, to prove that the engine knows no game by name.

Each turn a player steps safely (one die) or boldly (two dice, but nothing if either shows a 1). The first to
reach the goal wins at once; after `rounds` rounds nobody has won.
"""
