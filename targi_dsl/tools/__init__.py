"""Tools for whole games: diff, deck drawing, scaffold."""
