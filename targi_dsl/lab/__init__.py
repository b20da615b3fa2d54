"""Experiments with games: versions compared on the same deals, and how far to trust the numbers."""
