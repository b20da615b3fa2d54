"""Draws views as text and pictures for people."""
