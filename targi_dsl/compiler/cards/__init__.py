"""Takes card files and deck expressions, and gives the cards of each deck, changed as
modules say.
"""
