"""Takes the name of a sheet, and gives the game as written: its sheet and modules, found and
parsed, or taken from the cache.
"""
