"""The reference interpreter, small and traceable. It defines the semantics; every other engine is
tested against it.
"""

from targi_dsl.engine.machine import Engine, Pick, engine_of, playout
from targi_dsl.engine.run import Run

__all__ = ["Engine", "Pick", "Run", "engine_of", "playout"]
