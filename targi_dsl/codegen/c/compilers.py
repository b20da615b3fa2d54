"""Finds a C compiler and runs it without a shell and with a time limit."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.text.light import dataclass

IN_MEMORY, QUICK, BRISK, CAREFUL = -1, 0, 1, 3
"""How C is compiled: at once by libtcc, or by a compiler of this machine, for a first run, for some
thousand games, and for long runs.
"""

NAMES = ("cc", "gcc", "clang", "tcc")
_QUICKEST = ("tcc", "clang", "cc", "gcc")
"""Compilers by the time that they take without optimization."""

LONGEST = 120  # time limit of a compiler in seconds
_COMMON = ("-std=c99", "-w", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing")
_HERE = "-march=native"
FLAGS = {QUICK: ("-O0",), BRISK: ("-Og", _HERE), CAREFUL: ("-O3", _HERE)}
"""Flags by level; what is optimized is compiled for this processor only."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: the command that runs it."""

    command: tuple[str, ...]

    @property
    def identity(self) -> str:
        """A fingerprint that changes when another version is installed in its place."""
        path = Path(self.command[0]).resolve()
        about = path.stat()
        return f"{' '.join(self.command)} {path} {about.st_size} {about.st_mtime_ns}"

    def compile(self, source: Path, to: Path, level: int, longest: float | None = None) -> None:
        """Compiles a source to a library. Raises NotInC with the reason if it cannot."""
        command = [*self.command, *_COMMON, *FLAGS[level], str(source), "-o", str(to)]
        name = " ".join(self.command)
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=longest or LONGEST,
                check=False,
                cwd=source.parent,
            )
        except subprocess.TimeoutExpired:
            raise NotInC(f"{name} has taken more than {longest or LONGEST:g} seconds") from None
        except OSError as fault:
            raise NotInC(f"{name} cannot be run: {fault.strerror}") from None
        if done.returncode or not to.exists():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            first = next((line for line in said if "error" in line), said[0] if said else "")
            raise NotInC(f"{name} has failed{': ' + first[:200] if first else ''}")


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
