"""Finds the files that a sheet names and parses them, or takes them from the cache: the game as
written.
"""
