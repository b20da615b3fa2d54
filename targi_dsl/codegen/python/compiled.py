"""The generated functions of a program. Each is written and compiled when it is first needed, and
kept in the user's cache for other processes.

What is kept belongs to one program, one version of Python, and the generator as it is installed.
"""

from __future__ import annotations

import hashlib
import linecache
import marshal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any
from weakref import finalize

from targi_dsl.codegen.python.flow import Flow
from targi_dsl.codegen.python.runtime import Doubt
from targi_dsl.codegen.python.unit import Module, Unit
from targi_dsl.engine.code import Code
from targi_dsl.text.cache import folder, installed, keep, read
from targi_dsl.text.light import dataclass

PACKAGES = ("codegen", "compiler", "engine", "ir", "optimize")
"""The inputs of a generated module."""


@dataclass(slots=True)
class Pieces:
    """The pieces of a module that have been generated, as text and compiled, by file name. sets:
    the pieces of the game whose places are kept as masks.
    """

    module: Module = field(default_factory=Module)
    sets: tuple[tuple[int, ...], ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    compiled: dict[str, CodeType] = field(default_factory=dict)

    def add(self, name: str, text: str) -> CodeType:
        """Compiles a piece. Raises Doubt if its parentheses are nested too deeply for Python."""
        try:
            found = compile(text, name, "exec")
        except SyntaxError:
            raise Doubt from None
        self.texts[name], self.compiled[name] = text, found
        return found

    def get_source(self, name: str) -> str:
        """The text of a piece, for a traceback or a profiler."""
        return self.texts[name]

    def dumped(self) -> bytes:
        """The pieces as bytes."""
        module = self.module.names, self.module.costs, self.module.longest
        return marshal.dumps((module, self.sets, self.texts, self.compiled))


def loaded(data: bytes | None) -> Pieces | None:
    """Pieces from bytes; None if they are not such bytes."""
    with suppress(ValueError, EOFError, TypeError):
        (names, costs, longest), *rest = marshal.loads(data or b"")
        pieces = Pieces(Module(), *rest)
        pieces.module.names, pieces.module.costs, pieces.module.longest = names, costs, longest
        return pieces
    return None


class Functions:
    """The functions of a program, each generated when it is first needed. `names` are all names
    that they can use, and those that they define.
    """

    def __init__(
        self, code: Code, names: dict[str, Any], pieces: Pieces | None, label: str = ""
    ) -> None:
        self._code, self.names, self._label = code, names, label or str(id(code))
        if pieces is None:
            pieces = self.pieces = Pieces()
            pieces.sets = self._flow.unit.occupancy.sets
        self.pieces = pieces
        for name, made in pieces.compiled.items():
            self._define(name, made)

    @cached_property
    def _flow(self) -> Flow:
        return Flow(Unit(self._code, self.pieces.module))

    def need(self, name: str, generate: Callable[[Flow], object]) -> Any:
        """A function by name."""
        if name not in self.pieces.module.costs:
            generate(self._flow)
            file = f"<targi {self._label} {name}>.py"
            self._define(file, self.pieces.add(file, self.pieces.module.piece()))
        return self.names[name]

    def _define(self, file: str, made: CodeType) -> None:
        linecache.lazycache(file, {"__name__": file, "__loader__": self.pieces})
        exec(made, self.names)


def kept(code: Code, names: dict[str, Any], rules_hash: str) -> Functions:
    """The functions of a program, with those of the cache, which gets the new ones when they are no
    longer needed. If the rules have no hash, they are not cached.
    """
    if not rules_hash:
        return Functions(code, names, None)
    key = hashlib.sha256(installed(*PACKAGES) + rules_hash.encode()).digest()
    path = folder("python") / f"{key.hex()}.code"
    functions = Functions(code, names, loaded(read(path, key)), rules_hash)
    finalize(functions, _store, functions.pieces, len(functions.pieces.compiled), path, key)
    return functions


def _store(pieces: Pieces, before: int, path: Path, key: bytes) -> None:
    """Stores pieces, if there are more of them than before."""
    if len(pieces.compiled) > before:
        keep(path, pieces.dumped(), key)
