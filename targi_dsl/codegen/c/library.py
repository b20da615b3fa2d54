"""Compiled C: in memory, or as a library kept in the user's cache and loaded from a
private copy.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeAlias

from targi_dsl.codegen.c.compilers import FLAGS, IN_MEMORY, QUICK, Compiler, compilers
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.c.libtcc import InMemory
from targi_dsl.text.cache import folder, keep, read

Library: TypeAlias = ctypes.CDLL | InMemory
"""Compiled C: its attributes are functions, which are given `restype` and `argtypes`."""


def library(source: str, level: int, stop: Event | None = None) -> Library:
    """The library of a C source. Raises NotInC if no compiler can build it, or none has by the time
    it is told to stop.
    """
    if level == IN_MEMORY:
        return InMemory(source)
    reasons, stop = [], stop or Event()
    for compiler in compilers(level):
        try:
            return cached_library(source, level, compiler) or _library(
                source, level, compiler, stop
            )
        except NotInC as why:
            reasons.append(str(why))
        if stop.is_set():
            break
    raise NotInC("; ".join(dict.fromkeys(reasons)) or "there is no C compiler")


def cached_library(source: str, level: int, compiler: Compiler) -> ctypes.CDLL | None:
    """The library that a compiler made of a source earlier, if it is still cached."""
    key = _key(source, level, compiler)
    data = read(_path(key), key)
    if data is not None:
        with suppress(OSError):
            return _load(data)
    return None


def paths(
    source: str, levels: Sequence[int]
) -> Iterator[tuple[Path, Callable[[], ctypes.CDLL | None]]]:
    """The cache paths of the libraries of a source, the best compiler first, each with a function
    that loads it.
    """
    for level in levels:
        for compiler in compilers(level):
            with suppress(OSError):
                key = _key(source, level, compiler)
                yield _path(key), partial(cached_library, source, level, compiler)


def _library(source: str, level: int, compiler: Compiler, stop: Event) -> ctypes.CDLL:
    key = _key(source, level, compiler)
    try:
        data = _compile(source, level, compiler, stop)
        loaded = _load(data)
    except OSError as fault:
        said = fault.strerror or str(fault)
        raise NotInC(f"what the compiler makes cannot be kept or loaded: {said}") from None
    keep(_path(key), data, key)
    return loaded


def _path(key: bytes) -> Path:
    return folder("c") / f"{key.hex()}.lib"


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


def _compile(source: str, level: int, compiler: Compiler, stop: Event) -> bytes:
    with TemporaryDirectory(ignore_cleanup_errors=True) as own:
        text, made = Path(own) / "game.c", Path(own) / "game.lib"
        text.write_text(source, encoding="utf-8")
        compiler.compile(text, made, level, stop)
        return made.read_bytes()


def _load(data: bytes) -> ctypes.CDLL:
    """Loads a library from a private copy, which is deleted at once where possible. Raises OSError
    if it is not the library of a game.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as own:
        path = Path(own) / "game.lib"
        path.write_bytes(data)
        found = ctypes.CDLL(str(path))
    if not hasattr(found, "targi_make"):
        raise OSError("it has no functions of a game")
    return found
