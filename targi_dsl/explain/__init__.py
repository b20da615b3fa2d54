"""Explanations: why a choice is not offered and what would lift that, how a game ended, and what
acts while a game is played. In go positions, out come reasons and traces.
"""
