"""Renders positions, choices and events as text for people."""
