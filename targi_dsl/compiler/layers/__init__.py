"""Merges the declarations of all modules, in order, into one effective declaration for each name,
with the history of its changes.
"""
