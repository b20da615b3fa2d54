"""Takes effective declarations and decks, and gives the symbol table: every name with its
number and type.
"""
