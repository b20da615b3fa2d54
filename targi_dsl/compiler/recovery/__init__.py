"""Takes the problems found so far, and gives one for each fault, with hints that have been
tried.
"""
