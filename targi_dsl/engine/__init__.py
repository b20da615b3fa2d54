"""The interpreter. It defines the semantics that docs/program.md describes; every other
engine is tested against it. Each module cites the sections of that page that it carries out.
"""

from targi_dsl.engine.machine import Engine, Pick, engine_of, playout
from targi_dsl.engine.run import Run

__all__ = ["Engine", "Pick", "Run", "engine_of", "playout"]
