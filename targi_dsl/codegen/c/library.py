"""Compiled C: in memory, or as a library that is kept in the user's cache and loaded from a private
copy.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from targi_dsl.codegen.c.compilers import FLAGS, IN_MEMORY, QUICK, Compiler, compilers
from targi_dsl.codegen.c.libtcc import InMemory
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.text.cache import folder, keep, read

Library: TypeAlias = ctypes.CDLL | InMemory
"""Compiled C: its attributes are functions, which are given `restype` and `argtypes`."""


def library(source: str, level: int) -> Library:
    """The library of a C source. Raises NotInC if no compiler can build it."""
    if level == IN_MEMORY:
        return InMemory(source)
    reasons = []
    for compiler in compilers(level):
        try:
            return _library(source, level, compiler)
        except NotInC as why:
            reasons.append(str(why))
    raise NotInC("; ".join(dict.fromkeys(reasons)) or "there is no C compiler")


def _library(source: str, level: int, compiler: Compiler) -> ctypes.CDLL:
    key = _key(source, level, compiler)
    kept = folder("c") / f"{key.hex()}.lib"
    data = read(kept, key)
    if data is not None:
        with suppress(OSError):
            return _load(data)
    data = _compiled(source, level, compiler)
    keep(kept, data, key)
    try:
        return _load(data)
    except OSError as fault:
        raise NotInC(f"the compiled library cannot be loaded: {fault}") from None


def _key(source: str, level: int, compiler: Compiler) -> bytes:
    """A checksum of the inputs of a library."""
    parts = [source, compiler.identity, *FLAGS[level], sys.platform, platform.machine()]
    if level != QUICK:
        parts.append(_processor())
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _processor() -> str:
    """A description of this processor, on which optimized code depends."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
        return "\n".join(one for one in lines if one.startswith(("model", "flags", "Features")))
    return platform.processor()


def _compiled(source: str, level: int, compiler: Compiler) -> bytes:
    with TemporaryDirectory() as own:
        text, made = Path(own) / "game.c", Path(own) / "game.lib"
        text.write_text(source, encoding="utf-8")
        compiler.compile(text, made, level)
        return made.read_bytes()


def _load(data: bytes) -> ctypes.CDLL:
    """Loads a library from a private copy, which is deleted at once where possible."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as own:
        path = Path(own) / "game.lib"
        path.write_bytes(data)
        return ctypes.CDLL(str(path))
