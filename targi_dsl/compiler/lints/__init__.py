"""Warns, in a game without errors, of what is certainly a mistake in the game as a whole."""
