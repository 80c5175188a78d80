"""Monte Carlo strategy analyzer for tabletop war games."""
