"""Builds the symbol table from effective declarations and decks: every name with its number and
type.
"""
