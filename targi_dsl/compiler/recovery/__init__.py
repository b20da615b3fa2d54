"""Reduces the problems found so far to one for each fault, and keeps only repairs that work when
they are tried.
"""
