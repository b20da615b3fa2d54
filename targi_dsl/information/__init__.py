"""What a seat knows, and the positions that are consistent with it."""
