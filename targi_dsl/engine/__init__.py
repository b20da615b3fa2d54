"""The turn interpreter, small and traceable: it is the semantics. Everything else that plays is
held against it.
"""

from targi_dsl.engine.machine import Engine, Pick, engine_of, playout
from targi_dsl.engine.run import Run

__all__ = ["Engine", "Pick", "Run", "engine_of", "playout"]
