"""Compiled libraries: kept in the user's cache, and loaded from a private copy.

A library in the cache is loaded only if it is the user's own, nobody else could have written it,
and its checksum, which covers what it was made of, is right. Everything is checked on the bytes
that were read, and it is these that are loaded. A cache that cannot be used is not needed.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import stat
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from targi_dsl.codegen.c.compilers import FLAGS, Compiler, compilers
from targi_dsl.codegen.c.unit import NotInC

_SUM = hashlib.sha256().digest_size  # bytes of the checksum at the end of a file
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH


def library(source: str, level: int) -> ctypes.CDLL:
    """The library of a C source. Raises NotInC if no compiler makes one of it."""
    reasons = []
    for compiler in compilers():
        try:
            return _library(source, level, compiler)
        except NotInC as why:
            reasons.append(str(why))
    raise NotInC("; ".join(dict.fromkeys(reasons)) or "there is no C compiler")


def _library(source: str, level: int, compiler: Compiler) -> ctypes.CDLL:
    key = _key(source, level, compiler)
    kept = cache() / f"{key.hex()}.lib"
    data = _read(kept, key)
    if data is not None:
        with suppress(OSError):
            return _load(data)
    data = _compiled(source, level, compiler)
    _keep(kept, data, key)
    try:
        return _load(data)
    except OSError as fault:
        raise NotInC(f"the compiled library cannot be loaded: {fault}") from None


def cache() -> Path:
    """The folder of the user's cache."""
    variable, below = (
        ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else ("XDG_CACHE_HOME", "")
    )
    said = Path(os.environ.get(variable, ""))
    if not said.is_absolute():
        try:
            said = Path.home() / (below or ".cache")
        except RuntimeError:  # nothing tells whose home this is
            said = Path(gettempdir()) / ".cache"
    return said / "targi_dsl" / "c"


def _key(source: str, level: int, compiler: Compiler) -> bytes:
    """What a library is made of, as a checksum."""
    parts = [source, compiler.identity, *FLAGS[level], sys.platform, platform.machine()]
    if level > 1:
        parts.append(_processor())
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _processor() -> str:
    """What code for this very processor depends on."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
        return "\n".join(one for one in lines if one.startswith(("model", "flags", "Features")))
    return platform.processor()


def _read(path: Path, key: bytes) -> bytes | None:
    """A library of the cache; None if there is none that can be trusted."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            about = os.fstat(file.fileno())
            data = file.read() if _is_own(about) and stat.S_ISREG(about.st_mode) else b""
    except OSError:
        return None
    body, checksum = data[:-_SUM], data[-_SUM:]
    return body if checksum == hashlib.sha256(key + body).digest() else None


def _is_own(about: os.stat_result) -> bool:
    """Whether only this user could have written it."""
    if sys.platform == "win32":
        return True
    return about.st_uid == os.geteuid() and not about.st_mode & _WRITABLE


def _keep(path: Path, data: bytes, key: bytes) -> None:
    """Puts a library into the cache; no other process ever sees a part of it."""
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(path.parent.stat()):
            return
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data + hashlib.sha256(key + data).digest())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _compiled(source: str, level: int, compiler: Compiler) -> bytes:
    with TemporaryDirectory() as folder:
        text, made = Path(folder) / "game.c", Path(folder) / "game.lib"
        text.write_text(source, encoding="utf-8")
        compiler.compile(text, made, level)
        return made.read_bytes()


def _load(data: bytes) -> ctypes.CDLL:
    """Loads a library from a copy of its own, which is gone at once where that is possible."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "game.lib"
        path.write_bytes(data)
        return ctypes.CDLL(str(path))
