"""Engines generated from a program: source code that plays one game."""

from targi_dsl.codegen.choice import engine_of, recording_engine_of

__all__ = ["engine_of", "recording_engine_of"]
