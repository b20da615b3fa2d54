"""Colours and extensions for editors."""
