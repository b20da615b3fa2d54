"""Takes a game without errors, and gives warnings about what is certain to be wrong with it
as a whole.
"""
