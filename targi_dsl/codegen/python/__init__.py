"""The engine in Python: from a program to one module that plays it."""
