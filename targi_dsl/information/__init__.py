"""What a seat knows, and the positions it could be in."""
