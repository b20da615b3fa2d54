"""The compiled module of a program, kept in the user's cache.

A module of the cache belongs to one program, one version of Python, and the generator as it is
installed.
"""

from __future__ import annotations

import hashlib
import linecache
import marshal
from contextlib import suppress
from types import CodeType

from targi_dsl.codegen.python.module import source_of
from targi_dsl.engine.code import Code
from targi_dsl.text.cache import folder, installed, keep, read

ROOMS = ("codegen", "compiler", "engine", "ir", "optimize")
"""The inputs of a generated module."""


def compiled(code: Code, rules_hash: str) -> CodeType:
    """The compiled module of a program. If the rules have no hash, it is not cached."""
    name = f"<targi {rules_hash or id(code)}>.py"
    linecache.lazycache(name, {"__name__": name, "__loader__": _Source(code)})
    if not rules_hash:
        return compile(source_of(code), name, "exec")
    key = hashlib.sha256(installed(*ROOMS) + rules_hash.encode()).digest()
    kept = folder("python") / f"{key.hex()}.code"
    found = _loaded(read(kept, key))
    if found is None:
        found = compile(source_of(code), name, "exec")
        keep(kept, marshal.dumps(found), key)
    return found


def _loaded(data: bytes | None) -> CodeType | None:
    with suppress(ValueError, EOFError, TypeError):
        found = marshal.loads(data) if data is not None else None
        return found if isinstance(found, CodeType) else None
    return None


class _Source:
    """Regenerates the source of a module when a traceback or profiler wants to show it."""

    def __init__(self, code: Code) -> None:
        self._code = code

    def get_source(self, name: str) -> str:
        """The source of the module."""
        return source_of(self._code)
