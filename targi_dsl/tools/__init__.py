"""Tools that work on whole games: invariants, diff, deck drawing, scaffold."""
