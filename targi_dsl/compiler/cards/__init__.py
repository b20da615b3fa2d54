"""Evaluates the deck expressions of a sheet against its card files: the cards of each deck, with
the changes that modules make to single cards.
"""
