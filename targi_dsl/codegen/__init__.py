"""Engines generated from a program: for every game source code of its own."""
