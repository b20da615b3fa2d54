"""Linearizes a checked game into its program: instructions, guards, questions and the live slots at
each address.
"""
