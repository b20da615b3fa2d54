"""Finds a C compiler and runs it without a shell and with a time limit."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import BinaryIO

from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.text.structs import Frozen

IN_MEMORY, QUICK, BRISK, CAREFUL = -1, 0, 1, 3
"""Levels of compilation: in memory by libtcc, or by an installed compiler for a first run, for some
thousand games, or for long runs.
"""

NAMES = ("cc", "gcc", "clang", "tcc")
_QUICKEST = ("tcc", "clang", "cc", "gcc")
"""The same compilers, ordered by compile time without optimization."""

LONGEST = 120  # time limit of a compiler in seconds
_OFTEN = 0.02  # seconds between polls
_MOST_SAID = 100_000  # bytes of its messages that are read
_COMMON = ("-std=c99", "-w", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing")
_HERE = "-march=native"
FLAGS = {
    QUICK: ("-O0",),
    BRISK: ("-Og", _HERE),
    CAREFUL: ("-O3", _HERE, "-fno-tree-vectorize"),  # a mask has a few words: vectors are slower
}
"""Flags by level; what is optimized is compiled for this processor only."""


class Compiler(Frozen):
    """A compiler: the command that runs it."""

    command: tuple[str, ...]

    @property
    def identity(self) -> str:
        """A fingerprint that changes when another version is installed in its place."""
        path = Path(self.command[0]).resolve()
        about = path.stat()
        return f"{' '.join(self.command)} {path} {about.st_size} {about.st_mtime_ns}"

    def compile(self, source: Path, to: Path, level: int, stop: Event) -> None:
        """Compiles a source to a library, until told to stop. Raises NotInC with the reason if it
        cannot.
        """
        command = [*self.command, *_COMMON, *FLAGS[level], str(source), "-o", str(to)]
        name, said = " ".join(self.command), to.with_suffix(".said")
        try:
            with said.open("wb") as errors:
                code = _run(command, errors, source.parent, stop)
            lines = said.read_bytes()[:_MOST_SAID].decode("utf-8", "replace").strip().splitlines()
        except OSError as fault:
            raise NotInC(f"{name} cannot be run: {fault.strerror}") from None
        if code is None:
            raise NotInC(f"{name} has taken more than {LONGEST:g} seconds, or says too much")
        if code or not to.is_file():
            first = next((line for line in lines if "error" in line), lines[0] if lines else "")
            raise NotInC(f"{name} has failed{': ' + first[:200] if first else ''}")


def _run(command: list[str], errors: BinaryIO, below: Path, stop: Event) -> int | None:
    """The exit code of a compiler; None if it was killed, together with its children."""
    null = subprocess.DEVNULL
    process = subprocess.Popen(
        command, stdin=null, stdout=null, stderr=errors, cwd=below, start_new_session=True
    )
    ends = time.monotonic() + LONGEST
    try:
        while process.poll() is None and time.monotonic() < ends and not stop.is_set():
            if os.fstat(errors.fileno()).st_size > _MOST_SAID:
                break
            stop.wait(_OFTEN)
        return process.poll()
    finally:
        if process.poll() is None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def compilers(
    level: int = CAREFUL, environment: Mapping[str, str] = os.environ
) -> Iterator[Compiler]:
    """The available compilers in order of preference: the one that $CC names, the usual ones (the
    fastest first if compile time matters), and the one in the package `ziglang`.
    """
    wanted = _words(environment.get("CC", ""))
    path = environment.get("PATH")
    for command in (wanted, *((name,) for name in (NAMES if level else _QUICKEST))):
        found = shutil.which(command[0], path=path) if command else None
        if found:
            yield Compiler((found, *command[1:]))
    if find_spec("ziglang") is not None:
        yield Compiler((sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"))


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:  # an unclosed quotation mark
        return ()
