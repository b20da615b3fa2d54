"""Engines generated from a program: for every game source code of its own."""

from targi_dsl.codegen.choice import engine_of

__all__ = ["engine_of"]
