"""What a seat knows, and its determinizations."""
