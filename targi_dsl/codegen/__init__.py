"""Engines generated from a program: C that plays one game, and when it does."""

from targi_dsl.codegen.tiered import TieredEngine, engine_of

__all__ = ["TieredEngine", "engine_of"]
