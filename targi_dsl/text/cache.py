"""The user's cache of compiled engines and parsed files.

An entry is used only if it belongs to the user, nobody else could have written it, and its
checksum, which covers its inputs, is valid; all of this is checked on the bytes that were read.
Everything works without a cache too. Entries that were not used for a month, and the least recently
used beyond a limit, are removed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import gettempdir

_SUM = hashlib.sha256().digest_size  # bytes of the checksum at the end of a file
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH

_FLAGS = "NOFOLLOW", "BINARY", "NONBLOCK"
"""Flags for opening an entry: do not follow links, do not block on pipes."""

LARGEST = 100_000_000
"""The largest size of an entry, in bytes."""

MOST = 256
"""The most entries of a folder."""

LONGEST = 30 * 24 * 60 * 60
"""Seconds after which an unused entry is removed."""


_READ = (".py", ".lark", ".txt")  # files on which a parse depends


@cache
def installed(*packages: str) -> bytes:
    """A fingerprint of packages of targi_dsl and of the Python version."""
    return hashlib.sha256(MAGIC_NUMBER + "\n".join(_files(packages)).encode()).digest()


def _files(packages: tuple[str, ...]) -> Iterator[str]:
    root = Path(__file__).parents[1]
    for package in packages:
        files = (one for one in (root / package).rglob("*.*") if one.suffix in _READ)
        for path in sorted(files):
            about = path.stat()
            yield f"{path} {about.st_size} {about.st_mtime_ns}"


def folder(name: str) -> Path:
    """A folder of the user's cache."""
    return _own("XDG_CACHE_HOME", ".cache") / name


def state_folder() -> Path:
    """The folder of this user's program state."""
    return _own("XDG_STATE_HOME", ".local/state")


def _own(variable: str, below: str) -> Path:
    """The folder of this program below that of an environment variable, or below the home folder by
    default.
    """
    if sys.platform == "win32":
        variable, below = "LOCALAPPDATA", "AppData/Local"
    base = Path(os.environ.get(variable, ""))
    return (base if base.is_absolute() else home() / below) / "targi_dsl"


def home() -> Path:
    """The user's home folder; if it is unknown or relative, the folder of temporary files."""
    with suppress(RuntimeError):
        if (own := Path.home()).is_absolute():
            return own
    return Path(gettempdir())


def read(path: Path, key: bytes) -> bytes | None:
    """The contents of an entry; None if there is none that can be trusted."""
    flags = os.O_RDONLY | sum(getattr(os, f"O_{one}", 0) for one in _FLAGS)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            about = os.fstat(file.fileno())
            is_entry = stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST
            data = file.read(LARGEST) if is_entry and _is_own(about) else b""
            with suppress(OSError):  # fails if the cache is read-only
                os.utime(file.fileno() if os.utime in os.supports_fd else path)
    except OSError:
        return None
    body, checksum = data[:-_SUM], data[-_SUM:]
    return body if checksum == hashlib.sha256(key + body).digest() else None


def _is_own(about: os.stat_result) -> bool:
    """Whether only this user can have written it."""
    if sys.platform == "win32":
        return True
    return about.st_uid == os.geteuid() and not about.st_mode & _WRITABLE


def keep(path: Path, data: bytes, key: bytes) -> None:
    """Writes an entry atomically."""
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(path.parent.stat()):
            return
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data + hashlib.sha256(key + data).digest())
        part.replace(path)
        _tidy(path.parent)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _tidy(own: Path) -> None:
    """Removes old entries, and the least recently used ones beyond the limit."""
    with os.scandir(own) as entries:
        used = sorted(((one.stat().st_mtime, one.path) for one in entries), reverse=True)
    oldest = time.time() - LONGEST
    for number, (when, path) in enumerate(used):
        if number >= MOST or when < oldest:
            with suppress(OSError):
                Path(path).unlink()
