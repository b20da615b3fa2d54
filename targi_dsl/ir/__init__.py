"""The checked game, as the engines run it."""
