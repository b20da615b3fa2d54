"""Takes the declarations of modules in order, and gives the effective declarations of the
game with their histories.
"""
