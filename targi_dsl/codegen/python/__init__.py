"""The engine in Python: translates a program into one module that plays it."""
