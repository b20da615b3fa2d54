"""Explains why a choice is not offered, and what would change that."""
