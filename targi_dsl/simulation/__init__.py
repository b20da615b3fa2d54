"""Simulations: many games of one sheet, played in chunks, counted and reported."""
