"""Whether C compiled in memory is trusted: on this machine, and with a program.

Both are tested once, in a process of its own, a program during its first game. The verdicts are
kept in the user's cache. A process that crashes or needs too much processor time means no; one that
a busy machine has not finished leaves no verdict.
"""

from __future__ import annotations

import hashlib
import pickle
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from targi_dsl.codegen.c.compilers import IN_MEMORY
from targi_dsl.codegen.c.emit.source import source_of
from targi_dsl.codegen.c.errors import Faulty, NotInC
from targi_dsl.codegen.c.library import Library, library
from targi_dsl.codegen.c.libtcc import identity
from targi_dsl.ir.game import Game
from targi_dsl.text.cache import folder, installed, keep, read

RUN_ON = (("linux", "x86_64", "glibc"),)
"""The platforms on which this project's tests have run with libtcc."""

_KEY = "in memory"  # in `Program.engines`
_LONGEST = 45  # seconds to wait for a process, less than its own limit
_EQUAL, _TOLD, _CRASHED = b"equal", b"told: ", b"it crashes or hangs"
_LATE = b"it has not ended yet"
_UNTRIED = b"untried"  # verdict of a busy machine, or on a game that no other process finds
_BEGIN = "import sys; sys.path.insert(0, sys.argv[2]); from {} import main; main()"
_CHILD = "targi_dsl.codegen.c.lockstep"


class Trusted:
    """C of a game, compiled in memory and trusted, perhaps while its trial is still running."""

    def __init__(self, game: Game, is_asked: bool) -> None:
        check_machine(is_asked)
        text = source_of(game)
        self.users = list[Callable[[], None]]()
        self.trial = Trial(game, text, self._stop)
        self.library = library(text, IN_MEMORY)

    def _stop(self) -> None:
        for stop in self.users:
            stop()


def in_memory(
    game: Game, is_asked: bool = False, stop: Callable[[], None] | None = None
) -> Library:
    """The C of a game, compiled in memory once. Raises NotInC with the reason if there is none.

    stop: called if a trial later finds that it plays wrongly.
    """
    engines = game.program.engines
    found = engines.get(_KEY)
    if not isinstance(found, Trusted):
        if isinstance(found, NotInC) and not is_asked:
            raise NotInC(*found.args)
        try:
            found = engines[_KEY] = Trusted(game, is_asked)
        except NotInC as why:
            engines[_KEY] = why
            raise
    found.users += [stop] if stop is not None else []
    return found.library


def check_trial(game: Game) -> None:
    """Raises RuntimeError, once, if a trial has found the C of a game not to be trusted."""
    found = game.program.engines.get(_KEY)
    if isinstance(found, Trusted):
        try:
            found.trial.check()
        except NotInC as why:
            game.program.engines[_KEY] = why
            raise RuntimeError(str(why)) from None


def check_machine(is_asked: bool = False) -> None:
    """Raises NotInC with the reason if libtcc cannot be used here. On an untested platform it is
    used only if that was asked for.
    """
    here = (sys.platform, platform.machine(), platform.libc_ver()[0])
    if not is_asked and here not in RUN_ON:
        raise NotInC(f"libtcc has not been run on {' '.join(here).strip()}")
    key = _key("machine", sys.version)
    answer = read(_cache_path(key), key)
    if answer is None:
        answer = _run_trial("machine")
        if answer not in (_UNTRIED, _LATE):
            keep(_cache_path(key), answer, key)
    if answer not in (_EQUAL, _UNTRIED):
        raise Faulty(answer.decode("utf-8", "replace"))


class Trial:
    """The trial of a program's C, compiled in memory: unless there is a verdict, it runs during the
    game. Raises NotInC if the verdict is against it.
    """

    def __init__(self, game: Game, source: str, stop: Callable[[], None] = lambda: None) -> None:
        self._name, self._key, self._stop = game.name, _key("program", source), stop
        self._new: bytes | None = None
        answer = read(_cache_path(self._key), self._key)
        if answer is None:
            self.thread = Thread(target=self._try, args=(game,), daemon=True)
            self.thread.start()
        elif answer != _EQUAL:
            self._raise(answer)

    def _try(self, game: Game) -> None:
        answer = _run_trial("program", pickle.dumps(game))
        if answer in (_UNTRIED, _LATE):
            return
        keep(_cache_path(self._key), answer, self._key)
        self._new = answer
        if answer != _EQUAL:
            self._stop()

    def check(self) -> None:
        """Raises NotInC, once, if the trial has found a difference by now."""
        answer, self._new = self._new, None
        if answer is not None and answer != _EQUAL:
            self._raise(answer)

    def _raise(self, answer: bytes) -> None:
        """Gives the reason in full only once."""
        if answer.startswith(_TOLD):
            raise NotInC("")
        keep(_cache_path(self._key), _TOLD + answer, self._key)
        said = answer.decode("utf-8", "replace")
        raise Faulty(
            f"C compiled in memory plays {self._name} wrongly ({said}), so it is not used for it "
            f"any more; please report this, with {_cache_path(self._key)}"
        )


def _run_trial(what: str, given: bytes = b"") -> bytes:
    """The verdict of a process that runs a trial."""
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-P", "-c", _BEGIN.format(_CHILD), what, root]
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt is meant for the game
        )
        said, _ = child.communicate(given, _LONGEST)
    except OSError:
        return _UNTRIED
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return _LATE
    return said if child.returncode == 0 else _CRASHED


def _key(*about: str) -> bytes:
    """A checksum of what a verdict depends on."""
    parts = [*about, identity(), installed("codegen/c", "engine").hex()]
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _cache_path(key: bytes) -> Path:
    return folder("trials") / key.hex()
